use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use super::find::Host;
use super::{Compiler, arguments, invocation, page};

/// A machine with some files.
struct Fake {
    files: BTreeSet<PathBuf>,
}

impl Fake {
    fn with(files: &[&str]) -> Fake {
        Fake { files: files.iter().map(PathBuf::from).collect() }
    }

    /// Poly installed for both versions, with all compilers.
    fn usual() -> Fake {
        Fake::with(&[
            "/opt/lib/poly/llvm19/libpoly.so",
            "/opt/lib/poly/llvm22/libpoly.so",
            "/usr/lib/llvm-19/bin/clang",
            "/usr/lib/llvm-19/bin/clang++",
            "/usr/lib/llvm-19/bin/flang-new",
            "/usr/lib/llvm-19/lib/libomp.so",
            "/usr/lib/llvm-22/bin/clang",
        ])
    }
}

impl Host for Fake {
    fn has(&self, file: &Path) -> bool {
        self.files.contains(file)
    }

    fn text(&self, file: &Path) -> Option<String> {
        let threads = "poly profile 1\nnest 1 of f: tile-sizes=8;parallel\n";
        (file == Path::new("threads.profile")).then(|| threads.to_owned())
    }

    fn own_folder(&self) -> Option<PathBuf> {
        Some(PathBuf::from("/opt/bin"))
    }

    fn path(&self) -> Vec<PathBuf> {
        vec![PathBuf::from("/usr/local/bin"), PathBuf::from("/usr/bin")]
    }
}

/// What is executed for a command line, or what is said.
fn shown(host: &Fake, known: Option<&str>, line: &str) -> String {
    let mut words = line.split_whitespace().map(OsString::from);
    let program = PathBuf::from(words.next().expect("a line begins with a program"));
    let request = match arguments::split(words.collect()) {
        Ok(request) => request,
        Err(message) => return format!("error: {message}"),
    };
    match invocation(Compiler::of(&program), &request, known, host) {
        Ok(found) => {
            let mut text = found.options.map(|options| format!("POLY_OPTS='{options}' ")).unwrap_or_default();
            text.push_str(&found.program.display().to_string());
            found.arguments.iter().for_each(|argument| text.push_str(&format!(" {}", argument.to_string_lossy())));
            text
        }
        Err(message) => format!("error: {message}"),
    }
}

fn check(line: &str, expected: Expect) {
    expected.assert_eq(&shown(&Fake::usual(), None, line));
}

#[test]
fn the_compiler_is_that_of_the_newest_version() {
    check(
        "polycc -O3 -c a.c -o a.o",
        expect!["/usr/lib/llvm-22/bin/clang --config=/opt/lib/poly/llvm22/poly.cfg -O3 -c a.c -o a.o"],
    );
    check(
        "/opt/bin/poly++ a.cpp",
        expect!["/usr/lib/llvm-19/bin/clang++ --config=/opt/lib/poly/llvm19/poly.cfg a.cpp"],
    );
    check(
        "polycc --poly-llvm=19 a.c",
        expect!["/usr/lib/llvm-19/bin/clang --config=/opt/lib/poly/llvm19/poly.cfg a.c"],
    );
}

#[test]
fn fortran() {
    check(
        "polyfc -O3 -c a.f90",
        expect!["/usr/lib/llvm-19/bin/flang-new -fpass-plugin=/opt/lib/poly/llvm19/libpoly.so -O3 -c a.f90"],
    );
    check("polyfc a.o -o a", expect!["/usr/lib/llvm-19/bin/flang-new a.o -o a"]);
}

#[test]
fn words_become_options() {
    check(
        "polycc --poly-llvm=19 --poly-tile=64,8 --poly-off=init* -c a.c --poly-opts=fuse=max;no-pack",
        expect![
            "POLY_OPTS='tile-sizes=64,8;init*/disable;fuse=max;no-pack' /usr/lib/llvm-19/bin/clang --config=/opt/lib/poly/llvm19/poly.cfg -c a.c"
        ],
    );
    let with_known = shown(&Fake::usual(), Some("no-tile"), "polycc --poly-llvm=19 --poly-off -c a.c");
    expect!["POLY_OPTS='no-tile;disable' /usr/lib/llvm-19/bin/clang --config=/opt/lib/poly/llvm19/poly.cfg -c a.c"]
        .assert_eq(&with_known);
}

#[test]
fn the_runtime_is_linked_where_threads_are_wanted() {
    check(
        "polycc --poly-llvm=19 --poly-parallel a.c -o a",
        expect![
            "POLY_OPTS='parallel' /usr/lib/llvm-19/bin/clang --config=/opt/lib/poly/llvm19/poly.cfg a.c -o a -Wl,--push-state,--as-needed -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib -lomp -Wl,--pop-state"
        ],
    );
    let mut with_library = Fake::usual();
    for library in ["/opt/lib/libpoly_rt.a", "/built/libpoly.so", "/built/libpoly_rt.a"] {
        with_library.files.insert(PathBuf::from(library));
    }
    let found = shown(&with_library, None, "polycc --poly-llvm=19 --poly-parallel a.c");
    assert!(found.ends_with("-Wl,--pop-state -Wl,-u,poly_rt_enter /opt/lib/libpoly_rt.a"), "{found}");
    let named =
        shown(&with_library, None, "polycc --poly-plugin=/built/libpoly.so --poly-clang=cc --poly-parallel a.c");
    assert!(named.ends_with("-Wl,-u,poly_rt_enter /built/libpoly_rt.a"), "{named}");
    for line in [
        "polycc --poly-parallel -c a.c",
        "polycc --poly-parallel -fopenmp a.o",
        "polycc --poly-parallel --version",
        "polycc --poly-parallel -print-file-name=libc.so",
        "polycc --poly-opts=parallel;no-parallel a.c",
    ] {
        let found = shown(&Fake::usual(), None, line);
        assert!(!found.contains("-lomp"), "{line}: {found}");
    }
    let from_environment = shown(&Fake::usual(), Some("kernel/parallel"), "polycc a.o");
    assert!(from_environment.contains("-lomp"), "{from_environment}");
}

#[test]
fn what_the_driver_calls_is_left_alone() {
    check("polycc -cc1 -emit-obj a.c", expect!["/usr/lib/llvm-22/bin/clang -cc1 -emit-obj a.c"]);
}

#[test]
fn wrong_words_are_errors() {
    check(
        "polycc --poly-tiles=8 a.c",
        expect!["error: there is no option --poly-tiles=8; --poly-help lists those that there are"],
    );
    check("polycc --poly-tile a.c", expect!["error: --poly-tile: --poly-tile takes a value, as in --poly-tile=SIZES"]);
    check("polycc --poly-parallel=2 a.c", expect!["error: --poly-parallel=2: --poly-parallel takes no value"]);
    check(
        "polycc --poly-tile=8,x a.c",
        expect!["error: --poly-tile=8,x: tile sizes are positive numbers with commas between them, such as 64,64,8"],
    );
    check("polycc --poly-llvm=x a.c", expect!["error: --poly-llvm=x: this is no version, such as 19"]);
    check("polycc --poly-llvm=7 a.c", expect!["error: there is no Poly for LLVM 7, but for 22, 21, 20 and 19"]);
    check(
        "polycc --poly-file=/none a.c",
        expect!["error: /none cannot be read: No such file or directory (os error 2)"],
    );
    check("polycc --poly-plugin=/none a.c", expect!["error: --poly-plugin=/none: there is no such file"]);
}

#[test]
fn what_is_missing_is_said() {
    let nothing = Fake::with(&[]);
    expect!["error: libpoly.so was not found (/opt/lib/poly/llvmN/libpoly.so or /opt/llvmN/poly/libpoly.so with 22, 21, 20 or 19 for N): run `cargo xtask build` or `cargo xtask install`, or name it with --poly-plugin=FILE"]
        .assert_eq(&shown(&nothing, None, "polycc a.c"));
    let no_compiler = Fake::with(&["/opt/llvm19/poly/libpoly.so"]);
    expect![
        "error: Poly is there for LLVM 19, but clang-19 is not: install it, or name a compiler with --poly-clang=FILE"
    ]
    .assert_eq(&shown(&no_compiler, None, "polycc a.c"));
    let on_path = Fake::with(&["/opt/llvm19/poly/libpoly.so", "/usr/bin/clang-19"]);
    expect!["/usr/bin/clang-19 --config=/opt/llvm19/poly/poly.cfg a.c"].assert_eq(&shown(&on_path, None, "polycc a.c"));
    expect!["/my/clang --config=/opt/llvm19/poly/poly.cfg a.c"].assert_eq(&shown(
        &on_path,
        None,
        "polycc --poly-clang=/my/clang a.c",
    ));
}

#[test]
fn options_for_functions_come_from_a_file() {
    let folder = std::env::temp_dir().join(format!("polycc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("words");
    let line = format!("polycc --poly-llvm=19 -c a.c --poly-file={}", file.display());
    let with = |text: &str| {
        std::fs::write(&file, text).expect("a file can be written");
        shown(&Fake::usual(), None, &line).replace(&file.display().to_string(), "FILE")
    };
    expect!["POLY_OPTS='kernel_*/fuse=max;kernel_*/no-tile;main/disable' /usr/lib/llvm-19/bin/clang --config=/opt/lib/poly/llvm19/poly.cfg -c a.c"]
        .assert_eq(&with("# mine\nkernel_*: fuse=max no-tile\n\nmain: off # not that\n"));
    expect!["error: FILE:2: a line is `FUNCTION: WORDS`, and this one has no colon"]
        .assert_eq(&with("a: off\nmain off\n"));
    expect!["error: FILE:1: nothing is said of a"].assert_eq(&with("a:\n"));
    expect!["error: FILE:1: before the colon stands the name of one function"].assert_eq(&with("a b: off\n"));
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}

#[test]
fn a_profile_with_threads_links_the_runtime() {
    for (options, is_linked) in [("profile=threads.profile", true), ("profile=other", false)] {
        let line = shown(&Fake::usual(), Some(options), "polycc a.c");
        assert_eq!(line.contains("-lomp"), is_linked, "{line}");
    }
    let wrong = |line: &str| shown(&Fake::usual(), None, line);
    assert!(wrong("polycc --poly-profile=none a.c").contains("there is no such file"));
    assert!(wrong("polycc --poly-profile=a;b a.c").contains("has no blanks"));
}

/// What `poly` is called with for a page.
fn page_of(line: &str) -> Result<Option<String>, String> {
    let request = arguments::split(line.split_whitespace().map(OsString::from).collect())?;
    let file = request.report.clone().expect("a page is asked for");
    let arguments = page::arguments(&request, &file)?;
    let text = |list: Vec<OsString>| list.join(&OsString::from(" ")).into_string().expect("text");
    Ok(arguments.map(text))
}

#[test]
fn a_page_is_made_with_the_flags_of_the_compilation() {
    let found = page_of("--poly-report=a.html -O2 -MMD -MF a.d -Iinclude --poly-tile=8 -c src/a.c -o a.o");
    assert_eq!(found, Ok(Some("report src/a.c -o a.html -- -O2 -Iinclude --poly-opts=tile-sizes=8".to_owned())));
    assert_eq!(page_of("--poly-report=a.html a.o b.o -o a"), Ok(None));
    assert_eq!(page_of("--poly-report=a.html -E a.c"), Ok(None));
    let several = page_of("--poly-report=a.html a.c b.c");
    assert_eq!(several, Err("--poly-report=a.html: there are 2 source files, and one page".to_owned()));
    assert!(page_of("--poly-report= a.c").is_err_and(|what| what.contains("takes a value")));
}
