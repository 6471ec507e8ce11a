//! What of a command line is Poly's.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// What is shown instead of compiling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Show {
    /// Nothing: something is compiled.
    #[default]
    Nothing,
    /// What the words mean.
    Help,
    /// The version.
    Version,
    /// The manual page.
    Manual,
}

/// A command line, taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    /// Words of options, as in `POLY_OPTS`.
    pub(super) words: Vec<String>,
    /// Show what becomes of every loop, as remarks.
    pub(super) explain: bool,
    /// The page about the loops that is to be written.
    pub(super) report: Option<PathBuf>,
    /// The LLVM version, if one is asked for.
    pub(super) llvm: Option<u32>,
    /// The plugin, if it is named.
    pub(super) plugin: Option<PathBuf>,
    /// The compiler, if it is named.
    pub(super) compiler: Option<PathBuf>,
    /// What is shown instead of compiling.
    pub(super) show: Show,
    /// The compiler's own arguments.
    pub(super) rest: Vec<OsString>,
}

/// The words, what follows them, and what they mean.
const WORDS: &[(&str, &str, &str)] = &[
    ("parallel", "", "run outermost parallel loops with OpenMP threads, and link the runtime where it is needed"),
    ("tile", "=SIZES", "tile sizes, outermost first: --poly-tile=64,64,8"),
    ("off", "[=FUNCTION]", "leave a function as it is, or all; * stands for any text"),
    ("opts", "=WORDS", "other options of Poly, separated by semicolons"),
    ("file", "=FILE", "options for functions: lines `FUNCTION: WORDS`, `#` begins a comment"),
    ("profile", "=FILE", "options for loop nests, as `poly tune` has found and written them"),
    ("report", "=FILE", "write a page about the loops of the program, as `poly report` does; for one source file"),
    ("explain", "", "say of every loop what was done, or why nothing was"),
    ("llvm", "=VERSION", "use the compiler of this LLVM version"),
    ("plugin", "=FILE", "use this libpoly.so"),
    ("clang", "=FILE", "use this compiler"),
    ("help", "", "print this"),
    ("version", "", "print the version"),
    ("manual", "", "print the manual page"),
];

/// What `--poly-help` prints.
pub(super) fn help(program: &str) -> String {
    let mut text = format!("{program} takes all arguments of the compiler, and:\n");
    for (name, value, what) in WORDS {
        text.push_str(&format!("  {:<24} {what}\n", format!("--poly-{name}{value}")));
    }
    text.push_str("The options that --poly-opts and --poly-file take are those of POLY_OPTS; see docs/options.md.\n");
    text
}

/// The manual page, in the language of man.
pub(super) fn manual() -> String {
    // A dash is a minus sign there, and a full stop at the beginning of a line a request.
    let text = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let mut page = format!(
        ".TH POLYCC 1 \"\" \"Poly {}\"\n.SH NAME\npolycc, poly++, polyfc \\- clang, clang++ and flang with loops optimized by Poly\n\
         .SH SYNOPSIS\n.B polycc\n[argument of the compiler]... [\\-\\-poly\\-...]...\n.SH DESCRIPTION\n\
         All arguments are those of the compiler, which is executed in place of this program. Loops are optimized where the\n\
         compiler's own optimization is at \\-O2 or \\-O3. These words are for Poly:\n",
        env!("CARGO_PKG_VERSION")
    );
    for (name, value, what) in WORDS {
        page.push_str(&format!(".TP\n.B {}\n{}\n", text(&format!("--poly-{name}{value}")), text(what)));
    }
    page.push_str(
        ".SH ENVIRONMENT\n.TP\n.B POLY_OPTS\nOptions of Poly, separated by semicolons; those of the command line come behind them.\n\
         .SH SEE ALSO\n.BR poly (1),\n.BR clang (1)\n",
    );
    page
}

/// Takes Poly's words out of a command line.
///
/// # Errors
/// A sentence about the first word that is not understood, or file that cannot be read.
pub(super) fn split(arguments: Vec<OsString>) -> Result<Request, String> {
    let mut request = Request::default();
    for argument in arguments {
        match argument.to_str().and_then(|text| text.strip_prefix("--poly-")) {
            Some(word) => request.take(word)?,
            None => request.rest.push(argument),
        }
    }
    Ok(request)
}

impl Request {
    fn take(&mut self, word: &str) -> Result<(), String> {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match (name, value) {
            ("parallel", None) => self.words.push("parallel".to_owned()),
            ("tile", Some(sizes)) => self.words.push(format!("tile-sizes={}", tile_sizes(sizes)?)),
            ("off", None) => self.words.push("disable".to_owned()),
            ("off", Some(function)) if !function.is_empty() => self.words.push(format!("{function}/disable")),
            ("opts", Some(words)) => self.words.extend(separated(words)),
            ("file", Some(file)) => self.words.extend(words_of_file(Path::new(file))?),
            ("profile", Some(file)) => self.words.push(profile_word(file)?),
            ("report", Some(file)) if !file.is_empty() => self.report = Some(PathBuf::from(file)),
            ("explain", None) => self.explain = true,
            ("llvm", Some(version)) => {
                let number = version.parse();
                self.llvm = Some(number.map_err(|_| format!("--poly-llvm={version}: this is no version, such as 19"))?);
            }
            ("plugin", Some(file)) => self.plugin = Some(PathBuf::from(file)),
            ("clang", Some(file)) => self.compiler = Some(PathBuf::from(file)),
            ("help", None) => self.show = Show::Help,
            ("version", None) => self.show = Show::Version,
            ("manual", None) => self.show = Show::Manual,
            _ => return Err(unknown(word, name)),
        }
        Ok(())
    }
}

/// What is wrong with a word.
fn unknown(word: &str, name: &str) -> String {
    match WORDS.iter().find(|(known, _, _)| *known == name) {
        Some((_, "", _)) => format!("--poly-{word}: --poly-{name} takes no value"),
        Some((_, value, _)) => format!("--poly-{word}: --poly-{name} takes a value, as in --poly-{name}{value}"),
        None => format!("there is no option --poly-{word}; --poly-help lists those that there are"),
    }
}

fn tile_sizes(text: &str) -> Result<&str, String> {
    let is_size = |size: &str| size.parse::<u32>().is_ok_and(|size| size > 0);
    if text.split(',').all(is_size) {
        return Ok(text);
    }
    Err(format!("--poly-tile={text}: tile sizes are positive numbers with commas between them, such as 64,64,8"))
}

/// The word for a profile; in `POLY_OPTS`, blanks and some other characters end words.
fn profile_word(file: &str) -> Result<String, String> {
    if file.is_empty() || file.contains(|c: char| c.is_whitespace() || ";>,()".contains(c)) {
        return Err(format!("--poly-profile={file}: the name of a profile has no blanks, and none of ; > , ( )"));
    }
    if !Path::new(file).is_file() {
        return Err(format!("--poly-profile={file}: there is no such file; `poly tune` writes one"));
    }
    Ok(format!("profile={file}"))
}

fn separated(words: &str) -> impl Iterator<Item = String> + '_ {
    words.split([';', ' ', '\t']).filter(|word| !word.is_empty()).map(str::to_owned)
}

/// The words of a file with options for functions.
fn words_of_file(file: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let mut result = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let at = || format!("{}:{}", file.display(), number + 1);
        let Some((function, words)) = line.split_once(':') else {
            return Err(format!("{}: a line is `FUNCTION: WORDS`, and this one has no colon", at()));
        };
        let function = function.trim();
        if function.is_empty() || function.contains(char::is_whitespace) {
            return Err(format!("{}: before the colon stands the name of one function", at()));
        }
        let before = result.len();
        result.extend(separated(words).map(|word| match word.as_str() {
            "off" => format!("{function}/disable"),
            _ => format!("{function}/{word}"),
        }));
        if result.len() == before {
            return Err(format!("{}: nothing is said of {function}", at()));
        }
    }
    Ok(result)
}
