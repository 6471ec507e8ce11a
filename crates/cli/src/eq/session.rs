//! A system, and the commands that look at it or change it.

use std::fmt::Write;
use std::fs;

use poly_equations::{Machine, System, check, cost, degree, known_functions, load, normalize, simplify, transform};
use poly_presburger::Budget;

use super::Options;
use super::input::{inputs, params, sizes, table_text};

/// What an operation gives, or a text for people.
type Result<T> = std::result::Result<T, String>;

/// The help of all commands.
pub(crate) const COMMANDS: &str = "Commands:
  check             whether every value is defined, and only once
  show              print the system
  run               compute the outputs: -p N=5 -i A=3,1,4,1,5
  cost              degree and number of operations of every variable
  script STEPS      run the commands of the file STEPS, one in each line

Commands that change the system and print it:
  normalize                   reductions alone, cases outermost, functions at variables only
  basis X (i, j) -> (j, i)    other subscripts for a local variable
  split X CONDITION           X_1 where the condition holds, X_2 elsewhere
  merge X Y                   Y becomes a part of X
  inline X                    the definition of X where it is read
  outline X N Y               part N of the definition of X becomes the variable Y
  propagate                   put in local variables that are one value of another one
  clean                       remove variables that nobody needs
  serialize X [backwards]     a reduction as a recurrence
  decompose X N               reduce the last N dimensions first
  compose X                   a reduction of a reduction as one
  factor X                    what is the same for all points outside of the reduction
  split-body X                sum (a + b) as sum a + sum b
  split-points X              a reduction over a union as several
  permute X                   a reduction of a case as several
  simplify                    fewer operations for all reductions, at sizes -p (or 100)
";

/// A system and what has been printed.
pub(crate) struct Session<'a> {
    options: &'a Options,
    system: System,
    out: String,
    /// Inside of a script, only `show` prints the system.
    quiet: bool,
}

impl<'a> Session<'a> {
    /// The system of a text.
    pub(crate) fn open(name: &str, text: &str, options: &'a Options) -> Result<Self> {
        let systems = load(text, &mut Budget::new(options.operations));
        let systems =
            systems.map_err(|flaws| flaws.iter().map(|flaw| flaw.render(name, text)).collect::<Vec<_>>().join("\n"))?;
        let mut systems = systems.into_iter();
        let system = match &options.system {
            Some(wanted) => {
                systems.find(|s| s.name == *wanted).ok_or_else(|| format!("{name}: no system is called `{wanted}`"))?
            }
            None => systems.last().ok_or_else(|| format!("{name}: there is no system"))?,
        };
        Ok(Self { options, system, out: String::new(), quiet: false })
    }

    /// What the commands have printed.
    pub(crate) fn printed(self) -> String {
        self.out
    }

    fn budget(&self) -> Budget {
        Budget::new(self.options.operations)
    }

    fn say(&mut self, text: &str) {
        self.out.push_str(text);
        if !text.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Runs one command.
    pub(crate) fn command(&mut self, command: &str, arguments: &str) -> Result<()> {
        match command {
            "check" => {
                let (v, e) = (self.system.variables.len(), self.system.equations.len());
                self.say(&format!("{}: {v} variables, {e} equations, no flaws", self.system.name));
            }
            "show" => self.say(&self.system.to_string()),
            "run" => self.run()?,
            "script" => self.script(arguments)?,
            "cost" => self.cost()?,
            _ if self.transform(command, arguments)? => {
                if !self.quiet {
                    self.say(&self.system.to_string());
                }
            }
            _ => return Err(format!("there is no command `{command}`\n\n{COMMANDS}")),
        }
        Ok(())
    }

    /// Changes the system; whether there is such a command.
    fn transform(&mut self, command: &str, arguments: &str) -> Result<bool> {
        let budget = &mut self.budget();
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let word =
            |i: usize| words.get(i).copied().ok_or_else(|| format!("`{command}` needs more words:\n\n{COMMANDS}"));
        let number = |i: usize| word(i)?.parse::<usize>().map_err(|_| format!("`{}` is no number", words[i]));
        let rest = || arguments.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim());
        let old = &self.system;
        let new = match command {
            "normalize" => normalize(old, budget).map_err(|stop| stop.to_string())?,
            "basis" => transform::change_basis(old, word(0)?, rest(), budget)?,
            "split" => transform::split(old, word(0)?, rest(), budget)?,
            "merge" => transform::merge(old, word(0)?, word(1)?, budget)?,
            "inline" => transform::inline(old, word(0)?)?,
            "outline" => transform::outline(old, word(0)?, number(1)?, word(2)?, budget)?,
            "propagate" => transform::propagate(old)?,
            "clean" => transform::remove_unused(old),
            "serialize" => transform::serialize(old, word(0)?, words.get(1) == Some(&"backwards"), budget)?,
            "decompose" => transform::decompose(old, word(0)?, number(1)?, budget)?,
            "compose" => transform::compose(old, word(0)?)?,
            "factor" => transform::factor_out(old, word(0)?, budget)?,
            "split-body" => transform::split_body(old, word(0)?)?,
            "split-points" => transform::split_points(old, word(0)?, budget)?,
            "permute" => transform::permute_case(old, word(0)?)?,
            "simplify" => {
                let sizes = sizes(old, &self.options.params, 100)?;
                let found = simplify(old, &sizes, &mut |_, _| false, budget).map_err(|stop| stop.to_string())?;
                let notes: Vec<String> =
                    found.1.iter().map(|note| format!("// {}: {}\n", note.name, note.what)).collect();
                self.out.push_str(&notes.concat());
                found.0
            }
            _ => return Ok(false),
        };
        // Whatever a command does, the result is a system without flaws.
        let flaws = check(&new, budget).map_err(|stop| stop.to_string())?;
        if let Some(flaw) = flaws.first() {
            return Err(format!("`{command}` would leave a flaw: {flaw}"));
        }
        self.system = new;
        Ok(true)
    }

    fn cost(&mut self) -> Result<()> {
        let (parts, total) = cost(&self.system, &mut self.budget()).map_err(|stop| stop.to_string())?;
        for part in parts {
            self.say(&part.to_string());
        }
        self.say(&format!("all: degree {}, {total}", degree(&total)));
        Ok(())
    }

    /// The commands of a file, one in each line; `#` begins a comment.
    fn script(&mut self, file: &str) -> Result<()> {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        self.quiet = true;
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let (command, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if command == "script" {
                return Err(format!("{file}:{}: a script runs no other script", number + 1));
            }
            self.command(command, arguments.trim()).map_err(|error| format!("{file}:{}: {error}", number + 1))?;
        }
        Ok(())
    }

    fn run(&mut self) -> Result<()> {
        let budget = &mut self.budget();
        let params = params(&self.system, &self.options.params)?;
        let inputs = inputs(&self.system, &params, &self.options.inputs, budget)?;
        let machine = Machine::new(&self.system, budget).map_err(|stop| stop.to_string())?;
        let results = machine.run(&params, &inputs, &known_functions(), budget).map_err(|error| error.to_string())?;
        let mut text = String::new();
        for (name, table) in &results {
            let _ = write!(text, "{}", table_text(name, table));
        }
        self.say(&text);
        Ok(())
    }
}
