//! The calculator: its options, and where its statements come from.

mod flow;
mod session;
mod syntax;
mod value;

use std::fs;
use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};

use session::{Flow, Session, place};
use syntax::UNARY;

/// Options of `poly calc`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  poly calc
  poly calc -e 'A := { [i] : 0 <= i < 9 }; card A'
  poly calc statements.calc")]
pub(crate) struct Options {
    /// Files with statements; `-` is standard input. Without any, statements are written by hand.
    files: Vec<PathBuf>,
    /// Statements to run, instead of files.
    #[arg(long, short, conflicts_with = "files")]
    execute: Option<String>,
    /// Steps that one operation may take.
    #[arg(long, default_value_t = 1_000_000_000)]
    operations: u64,
}

/// Runs `poly calc`.
pub(crate) fn main(options: &Options) -> ExitCode {
    let mut session = Session::new(options.operations);
    if let Some(text) = &options.execute {
        // A semicolon more does no harm.
        return run_text(&mut session, "", &format!("{text};")).unwrap_or_else(|code| code);
    }
    if options.files.is_empty() {
        if std::io::stdin().is_terminal() {
            return interact(session);
        }
        return run_file(&mut session, &PathBuf::from("-")).unwrap_or_else(|code| code);
    }
    for file in &options.files {
        if let Err(code) = run_file(&mut session, file) {
            return code;
        }
    }
    ExitCode::SUCCESS
}

/// Runs the statements of a file. An error is the exit code.
fn run_file(session: &mut Session, file: &PathBuf) -> Result<ExitCode, ExitCode> {
    let mut text = String::new();
    let name = file.display().to_string();
    let read = if name == "-" {
        std::io::stdin().read_to_string(&mut text).map(|_| ())
    } else {
        fs::read_to_string(file).map(|all| text = all)
    };
    if let Err(error) = read {
        eprintln!("{name}: {error}");
        return Err(ExitCode::from(2));
    }
    run_text(session, &name, &text)
}

fn run_text(session: &mut Session, name: &str, text: &str) -> Result<ExitCode, ExitCode> {
    match session.run(text, &mut |line| println!("{line}")) {
        Ok(Flow::Continue) => Ok(ExitCode::SUCCESS),
        Ok(Flow::Quit) => Err(ExitCode::SUCCESS),
        Err(failure) => {
            let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
            eprintln!("{name}{}", place(text, &failure));
            Err(ExitCode::from(1))
        }
    }
}

/// What the line editor asks: which words may follow, and whether a statement is complete.
struct Assistant {
    words: Vec<String>,
}

impl Helper for Assistant {}
impl Highlighter for Assistant {}
impl Hinter for Assistant {
    type Hint = String;
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line[..at].rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |i| i + 1);
        let word = &line[start..at];
        let found = self.words.iter().filter(|w| !word.is_empty() && w.starts_with(word)).cloned().collect();
        Ok((start, found))
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let is_incomplete = syntax::statements(context.input()).is_err_and(|error| error.is_incomplete);
        let is_blank = context.input().trim().is_empty();
        Ok(if is_incomplete && !is_blank { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

/// Reads statements that people write, until the end or an interruption.
fn interact(mut session: Session) -> ExitCode {
    let Ok(mut editor) = Editor::<Assistant, rustyline::history::DefaultHistory>::new() else {
        eprintln!("the terminal cannot be used; statements can be read from a file or a pipe");
        return ExitCode::from(2);
    };
    let history = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".poly_calc_history"));
    if let Some(path) = &history {
        // There is none at first.
        let _ = editor.load_history(path);
    }
    println!("Statements end with `;`. `help;` says what there is.");
    loop {
        let words = UNARY.iter().map(|(name, _)| (*name).to_owned()).chain(session.names().cloned());
        let words = words.chain(["codegen", "help", "quit", "source"].map(str::to_owned)).collect();
        editor.set_helper(Some(Assistant { words }));
        let text = match editor.readline("> ") {
            Ok(text) => text,
            Err(ReadlineError::Interrupted) => continue,
            Err(_) => break,
        };
        let _ = editor.add_history_entry(&text);
        match session.run(&text, &mut |line| println!("{line}")) {
            Ok(Flow::Continue) => {}
            Ok(Flow::Quit) => break,
            Err(failure) => eprintln!("{}", place(&text, &failure)),
        }
    }
    if let Some(path) = &history {
        // A history that cannot be kept is no reason to fail.
        let _ = editor.save_history(path);
    }
    ExitCode::SUCCESS
}
