//! A system, and the commands that look at it or change it.

use std::fmt::Write;
use std::fs;

use poly_equations::code::compile::{self, Product};
use poly_equations::mpi::predict::{Expected, Network, lengths, measure, predict};
use poly_equations::pieces::Pieces;
use poly_equations::program::Scalar;
use poly_equations::realize::{Realization, Wanted, realize};
use poly_equations::{
    Machine, System, Value, check, code, cost, degree, draw, known_functions, memory, modules, mpi, normalize,
    schedule, simplify, transform,
};
use poly_presburger::Budget;
use poly_schedule_tree::ScheduleTree;

use super::Options;
use super::input::{self, inputs, params, sizes, table_text};

/// What an operation gives, or a text for people.
type Result<T> = std::result::Result<T, String>;

/// A system with all that its code is made of.
struct Made {
    pieces: Pieces,
    tree: ScheduleTree,
    storage: Vec<memory::Storage>,
    parallel: bool,
    operations: u64,
}

impl Made {
    fn code(&self) -> Result<code::Code> {
        let options = code::CodeOptions { parallel: self.parallel };
        code::generate(&self.pieces, &self.tree, &self.storage, options, &mut Budget::new(self.operations))
    }
}

/// What is said about code for MPI.
struct MpiWords {
    header: bool,
    parallel: bool,
    ranks: Option<usize>,
    /// Lengths of tiles are to be found for so many ranks.
    fitted: Option<usize>,
    tiles: mpi::TileOptions,
}

impl MpiWords {
    fn read(text: &str) -> Result<Self> {
        let tiles = mpi::TileOptions { sizes: vec![32], grid: 1 };
        let mut found = Self { header: false, parallel: false, ranks: None, fitted: None, tiles };
        let (mut is_auto, mut target) = (false, None);
        for word in text.split_whitespace() {
            let number = |text: &str| text.parse().map_err(|_| format!("`{text}` in `{word}` is no number"));
            match word.split_once('=') {
                None if word == "header" => found.header = true,
                None if word == "parallel" => found.parallel = true,
                Some(("grid", value)) => found.tiles.grid = number(value)?,
                Some(("mpi", "0")) => return Err("there is at least 1 rank".to_owned()),
                Some(("mpi", value)) => found.ranks = Some(number(value)?),
                Some(("ranks", "0")) => return Err("there is at least 1 rank".to_owned()),
                Some(("ranks", value)) => target = Some(number(value)?),
                Some(("tile", "auto")) => is_auto = true,
                Some(("tile", value)) => {
                    let sizes = value.split(',').map(|size| number(size).map(|size| size as i64));
                    found.tiles.sizes = sizes.collect::<Result<_>>()?;
                }
                _ => return Err(format!("`{word}` is not known: `header`, `parallel`, `tile=32,32`, `grid=2` are")),
            }
        }
        found.fitted = match (is_auto, target) {
            (true, Some(ranks)) => Some(ranks),
            (true, None) => return Err("`tile=auto` is for a number of ranks: `ranks=16`".to_owned()),
            (false, Some(_)) => return Err("the code is for every number of ranks; `tile=auto` is for one".to_owned()),
            (false, None) => None,
        };
        Ok(found)
    }
}

/// What is said about a prediction.
struct PredictWords {
    ranks: Vec<usize>,
    measure: Vec<usize>,
    weak: Option<String>,
    network: Network,
    tiles: mpi::TileOptions,
}

impl PredictWords {
    fn read(text: &str) -> Result<Self> {
        let mut found = Self {
            ranks: (0..=8).map(|k| 1 << k).collect(),
            measure: Vec::new(),
            weak: None,
            network: Network::default(),
            tiles: mpi::TileOptions { sizes: vec![32], grid: 1 },
        };
        let mut others = String::new();
        for word in text.split_whitespace() {
            let positive = |text: &str| match text.parse::<f64>() {
                Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
                _ => Err(format!("`{text}` in `{word}` is no number of this kind")),
            };
            let counts = |text: &str| {
                let count = |count: &str| match count.parse::<usize>() {
                    Ok(count @ 1..=1_000_000) => Ok(count),
                    _ => Err(format!("`{count}` in `{word}` is no number of ranks")),
                };
                text.split(',').map(count).collect::<Result<Vec<usize>>>()
            };
            match word.split_once('=') {
                Some(("ranks", value)) => found.ranks = counts(value)?,
                Some(("measure", value)) => found.measure = counts(value)?,
                Some(("weak", value)) => found.weak = Some(value.to_owned()),
                Some(("latency", value)) => found.network.latency = positive(value)?,
                Some(("overhead", value)) => found.network.overhead = positive(value)?,
                Some(("bandwidth", value)) => match positive(value)? {
                    0.0 => return Err("a network has a bandwidth".to_owned()),
                    bandwidth => found.network.bandwidth = bandwidth,
                },
                Some(("tile" | "grid", _)) => {
                    others.push_str(word);
                    others.push(' ');
                }
                _ => {
                    let known = "`ranks=1,2,4`, `measure=1,2`, `weak=N`, `latency=2e-6`, `bandwidth=1e10`, `overhead=5e-7`, `tile=32,32`, `grid=2`";
                    return Err(format!("`{word}` is not known: {known} are"));
                }
            }
        }
        found.tiles = MpiWords::read(&others)?.tiles;
        // What is measured is predicted, too.
        found.ranks.extend(&found.measure);
        found.ranks.sort_unstable();
        found.ranks.dedup();
        Ok(found)
    }
}

/// A line of the table of predictions.
fn row(expected: &Expected, work: f64, measured: Option<f64>) -> String {
    let Expected { ranks, seconds, messages, bytes } = *expected;
    let speedup = work / seconds;
    let efficiency = 100.0 * speedup / ranks as f64;
    let measured = measured.map_or_else(String::new, |measured| format!("  {measured:>10.6}"));
    format!("{ranks:>6}  {seconds:>10.6}  {speedup:>7.2}  {efficiency:>9.0}%  {messages:>10}  {bytes:>10}{measured}")
}

/// Whether a system has a legal schedule, so that no value depends on itself.
fn has_order(system: &System, budget: &mut Budget) -> bool {
    let pieces = Pieces::new(system, budget);
    pieces.is_ok_and(|pieces| schedule::automatic(&pieces, schedule::Aim::Feautrier, budget).is_ok())
}

/// The help of all commands.
pub(crate) const COMMANDS: &str = "Commands:
  check             whether every value is defined, and only once
  show              print the system
  run               compute the outputs: -p N=5 -i A=3,1,4,1,5
  cost              degree and number of operations of every variable
  from              FILE is a program (C, C++, Fortran, LLVM IR) or a SCoP (JSCoP, OpenScop): its loops as equations
  script STEPS      run the commands of the file STEPS, one in each line
  schedule [X: (i, j) -> (i + j, i); ..]
                    when values are computed: found, or as given, which is verified; `schedule steps` asks for as few steps as possible
  memory            how many cells every variable needs in that order
  c [parallel]      C in that order; with `parallel`, OpenMP shares loops and no cell is used again
  header            its header
  ir [parallel]     what Clang makes of that C: LLVM IR before optimization
  object, library   compile it into the file -o
  mpi [header] [parallel] [tile=32,32] [grid=1]
                    C with MPI: tiles in turn on a grid of processes of 1 or 2 dimensions; with `parallel`, OpenMP inside of a tile;
                    `tile=auto ranks=16`, with -p N=1000, takes the lengths for which `predict` expects the least time
  predict [ranks=1,2,4] [measure=1,2] [weak=N] [latency=2e-6] [bandwidth=1e10] [overhead=5e-7] [tile=..] [grid=..]
                    how long that code would take on so many ranks, with -p N=1000: tiles are computed and measured here, ranks and
                    network (seconds, bytes in a second) are simulated; `measure` runs it on ranks of this machine; with `weak`, the
                    parameter grows with the ranks
  python [parallel] a Python module for numpy arrays in the file -o, with a shared library beside it
  verify [parallel] the compiled code against the equations, for small parameters and random inputs
  verify mpi=4 ..   the same for the code with MPI on 4 ranks of this machine, with the words of `mpi`
  draw              a picture (SVG) of points, dependences and steps: -p N=5

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
  distribute X                c * sum e as sum (c * e)
  split-body X                sum (a + b) as sum a + sum b
  join X                      sum a + sum b over the same points as sum (a + b)
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
    /// The order that has been asked for; see `schedule`.
    order: String,
    /// What was asked for is in a file already.
    compiled: bool,
}

impl<'a> Session<'a> {
    /// The system of a text.
    pub(crate) fn open(name: &str, text: &str, options: &'a Options) -> Result<Self> {
        let mut read = |file: &str| fs::read_to_string(file).map_err(|error| error.to_string());
        let systems = modules::load_file(name, text, &mut read, &mut Budget::new(options.operations));
        let systems = systems.map_err(|flaws| flaws.to_string())?;
        let mut systems = systems.into_iter();
        let system = match &options.system {
            Some(wanted) => {
                systems.find(|s| s.name == *wanted).ok_or_else(|| format!("{name}: no system is called `{wanted}`"))?
            }
            None => systems.last().ok_or_else(|| format!("{name}: there is no system"))?,
        };
        Ok(Self::of(system, options))
    }

    /// A system that is known.
    pub(crate) fn of(system: System, options: &'a Options) -> Self {
        Self { options, system, out: String::new(), quiet: false, order: options.order.clone(), compiled: false }
    }

    /// Runs a command that changes the system, without printing it.
    pub(crate) fn change(&mut self, command: &str) -> Result<()> {
        self.transform(command, "").map(|_| ())
    }

    /// The system as commands have left it.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    /// What the commands have printed; nothing if the output is a compiled file.
    pub(crate) fn printed(self) -> Option<String> {
        (!self.compiled).then_some(self.out)
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
            "schedule" => self.schedule(arguments)?,
            "memory" => {
                let made = self.made(false)?;
                self.say(&memory::text(&made.pieces.system, &made.storage));
            }
            "c" => {
                let made = self.made(arguments == "parallel")?;
                self.say(&made.code()?.source);
            }
            "ir" => {
                let made = self.made(arguments == "parallel")?;
                self.say(&compile::ir(&made.pieces, &made.code()?)?);
            }
            "header" => {
                let made = self.made(false)?;
                self.say(&made.code()?.header);
            }
            "mpi" => self.mpi(arguments)?,
            "predict" => self.predict(arguments)?,
            "python" => self.python(arguments)?,
            "object" | "library" => self.compile(command, arguments)?,
            "verify" => self.verify(arguments)?,
            "draw" => {
                let params = params(&self.system, &self.options.params)?;
                let made = self.made(true)?;
                let picture = draw::draw(&made.pieces, Some(&made.tree), &params, &mut self.budget())?;
                self.say(&picture);
            }
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
            "distribute" => transform::distribute(old, word(0)?)?,
            "join" => transform::join(old, word(0)?, budget)?,
            "factor" => transform::factor_out(old, word(0)?, budget)?,
            "split-body" => transform::split_body(old, word(0)?)?,
            "split-points" => transform::split_points(old, word(0)?, budget)?,
            "permute" => transform::permute_case(old, word(0)?)?,
            "simplify" => {
                let sizes = sizes(old, &self.options.params, 100)?;
                let found = simplify(old, &sizes, &mut has_order, budget).map_err(|stop| stop.to_string())?;
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

    /// The order that has been asked for, or one that is found.
    fn order(&self) -> Result<(Pieces, ScheduleTree)> {
        let budget = &mut self.budget();
        let pieces = Pieces::new(&self.system, budget).map_err(|stop| stop.to_string())?;
        let tree = match self.order.as_str() {
            "" => schedule::automatic(&pieces, schedule::Aim::Pluto, budget)?,
            "steps" => schedule::automatic(&pieces, schedule::Aim::Feautrier, budget)?,
            text => schedule::given(&pieces, text, budget)?,
        };
        Ok((pieces, tree))
    }

    fn made(&self, parallel: bool) -> Result<Made> {
        let wanted = match self.order.as_str() {
            "" => Wanted::Any,
            "steps" => Wanted::Aim(schedule::Aim::Feautrier),
            text => Wanted::Given(text),
        };
        let Realization { pieces, tree, storage } = realize(&self.system, wanted, parallel, &mut self.budget())?;
        Ok(Made { pieces, tree, storage, parallel, operations: self.options.operations })
    }

    fn schedule(&mut self, arguments: &str) -> Result<()> {
        if !arguments.is_empty() {
            arguments.clone_into(&mut self.order);
        }
        let (pieces, tree) = self.order()?;
        self.say(&schedule::text(&pieces, &tree));
        Ok(())
    }

    fn compile(&mut self, command: &str, arguments: &str) -> Result<()> {
        let out = self.options.output.clone().ok_or("say with -o where to")?;
        let made = self.made(arguments == "parallel")?;
        let product = if command == "object" { Product::Object } else { Product::Library };
        compile::build(&made.pieces, &made.code()?, product, &out)?;
        self.compiled = true;
        Ok(())
    }

    /// The order for ranks, unless one is given.
    fn order_of_tiles(&self, tiles: &mpi::TileOptions) -> Result<(Pieces, ScheduleTree)> {
        if !self.order.is_empty() {
            return self.order();
        }
        let budget = &mut self.budget();
        let pieces = Pieces::new(&self.system, budget).map_err(|stop| stop.to_string())?;
        let tree = mpi::order(&pieces, tiles, budget)?;
        Ok((pieces, tree))
    }

    /// The code for MPI, with the pieces that it is made of.
    fn distributed(&self, words: &MpiWords) -> Result<(Pieces, code::Code)> {
        let (pieces, tree) = self.order_of_tiles(&words.tiles)?;
        let code = mpi::generate(&pieces, &tree, &words.tiles, words.parallel, &mut self.budget())?;
        Ok((pieces, code))
    }

    fn mpi(&mut self, arguments: &str) -> Result<()> {
        let words = MpiWords::read(arguments)?;
        if words.ranks.is_some() {
            return Err("the code is for every number of ranks: say `mpi=4` to `verify`".to_owned());
        }
        let Some(ranks) = words.fitted else {
            let (_, code) = self.distributed(&words)?;
            self.say(if words.header { &code.header } else { &code.source });
            return Ok(());
        };
        let mut words = words;
        words.tiles.sizes = self.fitted(ranks, words.tiles.grid)?;
        let (_, code) = self.distributed(&words)?;
        let lengths: Vec<String> = words.tiles.sizes.iter().map(i64::to_string).collect();
        if !words.header {
            self.say(&format!("/* Tiles for {ranks} ranks: tile={}. */", lengths.join(",")));
        }
        self.say(if words.header { &code.header } else { &code.source });
        Ok(())
    }

    /// Lengths of tiles for a number of ranks, at the parameters that are given.
    fn fitted(&self, ranks: usize, grid: usize) -> Result<Vec<i64>> {
        let given = params(&self.system, &self.options.params)?;
        let budget = &mut self.budget();
        let pieces = Pieces::new(&self.system, budget).map_err(|stop| stop.to_string())?;
        let order = |tiles: &mpi::TileOptions, _: &mut Budget| Ok(self.order_of_tiles(tiles)?.1);
        lengths(&pieces, &order, grid, &given, (Network::default(), ranks), budget)
    }

    /// A table of what is to be expected of numbers of ranks.
    fn predict(&mut self, arguments: &str) -> Result<()> {
        let words = PredictWords::read(arguments)?;
        let given = params(&self.system, &self.options.params)?;
        let (pieces, tree) = self.order_of_tiles(&words.tiles)?;
        let (network, tiles, budget) = (words.network, &words.tiles, &mut self.budget());
        let at = match &words.weak {
            Some(name) => Some(
                self.system
                    .params
                    .iter()
                    .position(|param| param.as_str() == name.as_str())
                    .ok_or_else(|| format!("no parameter is called `{name}`"))?,
            ),
            None => None,
        };
        let mut rows = Vec::new();
        // Where the size is the same for all, one run is enough.
        let groups: Vec<Vec<usize>> = match at {
            Some(_) => words.ranks.iter().map(|&ranks| vec![ranks]).collect(),
            None => vec![words.ranks.clone()],
        };
        let mut tiles_in_all = 0;
        for ranks in groups {
            let mut own = given.clone();
            if let Some(at) = at {
                own[at] = own[at].checked_mul(ranks[0] as i64).ok_or("the parameter grows beyond 64 bits")?;
            }
            let found = predict(&pieces, &tree, tiles, &own, (network, &ranks), budget)?;
            tiles_in_all = found.tiles.max(tiles_in_all);
            for expected in found.expected {
                let here = [expected.ranks];
                let measured = match words.measure.contains(&expected.ranks) {
                    true => measure(&pieces, &tree, tiles, &own, &here, budget)?.first().copied(),
                    false => None,
                };
                rows.push(row(&expected, found.work, measured));
            }
        }
        let Network { latency, bandwidth, overhead } = network;
        self.say(&format!(
            "{tiles_in_all} tiles; {latency:e} s until a message arrives, {bandwidth:e} bytes in a second, {overhead:e} s of work for each message"
        ));
        let measured = if words.measure.is_empty() { "" } else { "    measured" };
        self.say(&format!(" ranks     seconds  speedup  efficiency    messages       bytes{measured}"));
        rows.iter().for_each(|row| self.say(row));
        Ok(())
    }

    /// The parameters that are given, or all small ones.
    fn tested_params(&self) -> Result<Vec<Vec<i64>>> {
        Ok(if self.options.params.is_empty() {
            input::small(&self.system, 5, &mut self.budget())?
        } else {
            vec![params(&self.system, &self.options.params)?]
        })
    }

    /// A module, and the library that it loads.
    fn python(&mut self, arguments: &str) -> Result<()> {
        let out = self.options.output.clone().ok_or("say with -o where to")?;
        let stem = out.file_stem().and_then(|stem| stem.to_str()).ok_or("the file has no name")?;
        if out.extension().is_none_or(|extension| extension != "py") {
            return Err(format!("{}: the name of a module ends in .py", out.display()));
        }
        let library = format!("lib{stem}.so");
        let made = self.made(arguments == "parallel")?;
        compile::build(&made.pieces, &made.code()?, Product::Library, &out.with_file_name(&library))?;
        let module = code::python::module(&made.pieces, &made.storage, &library);
        fs::write(&out, module).map_err(|error| format!("{}: {error}", out.display()))?;
        self.compiled = true;
        Ok(())
    }

    fn verify(&mut self, arguments: &str) -> Result<()> {
        let budget = &mut self.budget();
        let small = self.tested_params()?;
        let mut seed = 1u64;
        let mut values = |scalar: Scalar| {
            // Small integers, which also have zeros and equal ones among them.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = ((seed >> 33) % 41) as i64 - 20;
            if scalar.is_float() { Value::Float(number as f64 / 4.0) } else { Value::Int(number) }
        };
        let words = MpiWords::read(arguments)?;
        if words.fitted.is_some() {
            return Err("`tile=auto` is for `mpi`".to_owned());
        }
        if let Some(ranks) = words.ranks {
            let (pieces, code) = self.distributed(&words)?;
            let found = compile::verify_mpi(&pieces, &code, &self.system, &[ranks], &small, &mut values, budget)?;
            let sent: i64 = found.iter().flat_map(|compared| &compared.sent).sum();
            let values: usize = found.iter().map(|compared| compared.values).sum();
            self.say(&format!(
                "{values} values are equal, for {} values of the parameters, on {ranks} ranks that sent {sent} elements",
                small.len()
            ));
            return Ok(());
        }
        let made = self.made(words.parallel)?;
        let code = made.code()?;
        let compared = compile::verify(&made.pieces, &made.storage, &code, &self.system, &small, &mut values, budget)?;
        self.say(&format!("{compared} values are equal, for {} values of the parameters", small.len()));
        Ok(())
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
