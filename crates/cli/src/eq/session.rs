//! A system, and the commands that look at it or change it.

use std::fmt::Write;
use std::fs;

use poly_equations::{Machine, System, known_functions, load};
use poly_presburger::Budget;

use super::Options;
use super::input::{inputs, params, table_text};

/// What an operation gives, or a text for people.
type Result<T> = std::result::Result<T, String>;

/// The help of all commands.
pub(crate) const COMMANDS: &str = "Commands:
  check             whether every value is defined, and only once
  show              print the system
  run               compute the outputs: -p N=5 -i A=3,1,4,1,5
  script STEPS      run the commands of the file STEPS, one in each line
";

/// A system and what has been printed.
pub(crate) struct Session<'a> {
    options: &'a Options,
    system: System,
    out: String,
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
        Ok(Self { options, system, out: String::new() })
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
            _ => return Err(format!("there is no command `{command}`\n\n{COMMANDS}")),
        }
        Ok(())
    }

    /// The commands of a file, one in each line; `#` begins a comment.
    fn script(&mut self, file: &str) -> Result<()> {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
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
