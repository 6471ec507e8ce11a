//! Code as programs: objects, shared libraries, and a test against the interpreter.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use poly_arith::Int;
use poly_picture::points;
use poly_presburger::{Budget, PwAff};

use super::{Code, c_type, names::c_name};
use crate::interpret::{Machine, Table, Tables};
use crate::memory::Storage;
use crate::pieces::Pieces;
use crate::program::{Role, Scalar, Variable};
use crate::transform::Refusal;
use crate::value::Value;

#[cfg(test)]
pub(crate) mod batch;

/// Flags under which the code means what the equations say.
pub const FLAGS: [&str; 4] = ["-O2", "-fwrapv", "-ffp-contract=off", "-std=c11"];

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A file for the linker.
    Object,
    /// A shared library.
    Library,
}

/// Up to so many inputs, all are tried: those of five integers that are -1, 0 or 1.
const MOST_INPUTS: usize = 243;

fn compiler() -> Command {
    Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()))
}

fn write(file: &Path, text: &str) -> Result<(), Refusal> {
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// A folder of its own for files that are needed for a moment; it is removed when this value is.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn new() -> Result<Self, Refusal> {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("poly-eq-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compile(folder: &Path, name: &str, arguments: &[&str], out: &Path) -> Result<(), Refusal> {
    let mut command = compiler();
    command.current_dir(folder).args(FLAGS).args(arguments).arg("-o").arg(out).arg(format!("{name}.c"));
    let output = command.arg("-lm").output().map_err(|error| format!("the C compiler does not run: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("the C compiler refuses: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// Compiles the code of a system into a file.
///
/// # Errors
/// What the compiler says.
pub fn build(pieces: &Pieces, code: &Code, product: Product, out: &Path) -> Result<(), Refusal> {
    let folder = Folder::new()?;
    let name = c_name(&pieces.system.name);
    write(&folder.0.join(format!("{name}.h")), &code.header)?;
    write(&folder.0.join(format!("{name}.c")), &code.source)?;
    let parallel: &[&str] = if code.source.contains("#pragma omp") { &["-fopenmp"] } else { &[] };
    let kind: &[&str] = match product {
        Product::Object => &["-c"],
        Product::Library => &["-shared", "-fPIC"],
    };
    let out = std::path::absolute(out).map_err(|error| error.to_string())?;
    compile(&folder.0, &name, &[kind, parallel].concat(), &out)
}

/// The code as LLVM IR, in text, before any optimization: what Clang makes of the C.
///
/// # Errors
/// What Clang says, or that there is none.
pub fn ir(pieces: &Pieces, code: &Code) -> Result<String, Refusal> {
    let folder = Folder::new()?;
    let name = c_name(&pieces.system.name);
    write(&folder.0.join(format!("{name}.h")), &code.header)?;
    write(&folder.0.join(format!("{name}.c")), &code.source)?;
    let parallel: &[&str] = if code.source.contains("#pragma omp") { &["-fopenmp"] } else { &[] };
    let named = std::env::var("CLANG").ok();
    for clang in named.as_deref().into_iter().chain(["clang", "clang-22", "clang-19"]) {
        let mut command = Command::new(clang);
        command.current_dir(&folder.0).args(FLAGS).args(parallel);
        // Passes that come later may optimize the functions, which -O0 would forbid.
        command.args(["-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-", &format!("{name}.c")]);
        match command.output() {
            Ok(output) if output.status.success() => return Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            Ok(output) => return Err(format!("{clang} refuses: {}", String::from_utf8_lossy(&output.stderr))),
            Err(_) => {}
        }
    }
    Err("there is no clang; the variable CLANG may name one".to_owned())
}

/// A number of cells of a box, and its lower corner.
struct Box {
    lower: Vec<i64>,
    sizes: Vec<i64>,
}

impl Box {
    fn of(storage: &Storage, params: &[i64]) -> Self {
        let exact: Vec<Int> = params.iter().map(|&p| p.into()).collect();
        let at = |f: &PwAff| f.eval(&exact, &[]).and_then(|v| v.to_int()).and_then(|v| v.to_i64());
        let range = |e: &crate::memory::Extent| (at(&e.lower).unwrap_or(0), at(&e.upper).unwrap_or(-1));
        let ranges: Vec<(i64, i64)> = storage.extents.iter().map(range).collect();
        Self {
            lower: ranges.iter().map(|r| r.0).collect(),
            sizes: ranges.iter().map(|r| (r.1 - r.0 + 1).max(0)).collect(),
        }
    }

    fn count(&self) -> usize {
        self.sizes.iter().product::<i64>().max(0) as usize
    }

    fn index(&self, point: &[i64]) -> usize {
        let places = point.iter().zip(&self.lower).zip(&self.sizes);
        places.fold(0, |all, ((x, lower), size)| all * size + (x - lower)) as usize
    }
}

/// One case of a test: parameters, inputs, and what the interpreter says.
#[derive(Clone, Debug)]
struct Case {
    params: Vec<i64>,
    inputs: Tables,
    expected: Tables,
}

/// Values for inputs, by their type.
pub type Values<'a> = &'a mut dyn FnMut(Scalar) -> Value;

/// Compares the compiled code with the interpreter for values of parameters, with inputs from
/// `values`, and with all inputs of three small integers where these are few. Integers must be
/// equal, floating-point numbers nearly so, as the order of sums is another one. The result is the
/// number of values that were compared.
///
/// # Errors
/// The first difference, or what kept the test from being made.
pub fn verify(
    pieces: &Pieces,
    storage: &[Storage],
    code: &Code,
    original: &crate::System,
    params: &[Vec<i64>],
    values: Values<'_>,
    budget: &mut Budget,
) -> Result<usize, Refusal> {
    let mut cases = cases(original, params, values, budget)?;
    cases.extend(all_small(original, params, budget)?);
    let folder = Folder::new()?;
    let name = c_name(&pieces.system.name);
    write(&folder.0.join(format!("{name}.h")), &code.header)?;
    write(&folder.0.join("test.c"), &test_of(&name, code, &harness(pieces, Launch::Alone)))?;
    write(&folder.0.join(format!("{name}.c")), &code.source)?;
    let program = folder.0.join("test");
    let parallel: &[&str] = if code.source.contains("#pragma omp") { &["-fopenmp"] } else { &[] };
    compile(&folder.0, "test", parallel, &program)?;
    let input: String = cases.iter().map(|case| question(pieces, storage, case)).collect();
    let answer = executed(&program, &input)?;
    let mut numbers = answer.split_whitespace();
    let mut compared = 0;
    for case in &cases {
        compared += compare(pieces, storage, case, &mut numbers)?;
    }
    Ok(compared)
}

/// What a comparison of code for MPI found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// How many values were compared.
    pub values: usize,
    /// How many elements the ranks sent to each other, for each value of the parameters.
    pub sent: Vec<i64>,
    /// All outputs; floating-point numbers as their bits.
    pub outputs: Vec<i128>,
}

/// A test behind the code that it is of.
fn test_of(name: &str, code: &Code, test: &str) -> String {
    format!("#include \"{name}.c\"\n{}{test}", without_macros(&code.source))
}

/// The end of the macros of a source, so that those of a test may have the names of its elements.
pub(crate) fn without_macros(source: &str) -> String {
    let names = source.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once('('));
    names.map(|(name, _)| format!("#undef {name}\n")).collect()
}

/// Whether programs for MPI can be compiled and run here.
pub fn has_mpi() -> bool {
    let works = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    works("mpicc") && works("mpirun")
}

/// Compiles a text for MPI, in a folder.
pub(crate) fn compile_mpi(folder: &Path, text: &str, out: &Path, arguments: &[&str]) -> Result<(), Refusal> {
    write(&folder.join("test.c"), text)?;
    let mut command = Command::new("mpicc");
    command.current_dir(folder).args(FLAGS).args(arguments).arg("-o").arg(out).args(["test.c", "-lm"]);
    let output = command.output().map_err(|error| format!("mpicc does not run: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("mpicc refuses: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// Compiles a text, in a folder.
pub(crate) fn compile_c(folder: &Path, text: &str, out: &Path) -> Result<(), Refusal> {
    write(&folder.join("test.c"), text)?;
    compile(folder, "test", &[], out)
}

/// What a program with these arguments prints.
pub(crate) fn said(program: &Path, words: &[String]) -> Result<String, Refusal> {
    let output = Command::new(program).args(words).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("the compiled program does not run: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("the compiled program ends with {}", output.status))
    }
}

/// The variables of a role, with the numbers of their cells.
pub(crate) fn arrays_of<'a>(
    pieces: &'a Pieces,
    storage: &'a [Storage],
    role: Role,
    params: &[i64],
) -> Vec<(&'a Variable, usize)> {
    seen(pieces, storage, role).map(|(variable, storage)| (variable, Box::of(storage, params).count())).collect()
}

/// Compares code for MPI with the interpreter, as [`verify`] does, on some numbers of ranks of this
/// machine.
///
/// # Errors
/// The first difference, or what kept the test from being made.
pub fn verify_mpi(
    pieces: &Pieces,
    code: &Code,
    original: &crate::System,
    ranks: &[usize],
    params: &[Vec<i64>],
    values: Values<'_>,
    budget: &mut Budget,
) -> Result<Vec<Compared>, Refusal> {
    let storage = crate::memory::full(&pieces.system, budget).map_err(|stop| stop.to_string())?;
    let cases = cases(original, params, values, budget)?;
    let folder = Folder::new()?;
    let name = format!("{}_mpi", c_name(&pieces.system.name));
    write(&folder.0.join(format!("{name}.h")), &code.header)?;
    write(&folder.0.join(format!("{name}.c")), &code.source)?;
    let program = folder.0.join("test");
    let parallel: &[&str] = if code.source.contains("#pragma omp") { &["-fopenmp"] } else { &[] };
    let test = test_of(&name, code, &harness(pieces, Launch::Ranks));
    compile_mpi(&folder.0, &test, &program, &[parallel, &["-DPOLY_COUNT_ELEMENTS"]].concat())?;
    let input: String = cases.iter().map(|case| question(pieces, &storage, case)).collect();
    write(&folder.0.join("input"), &input)?;
    let mut found = Vec::new();
    for &ranks in ranks {
        let answer = launched(&folder.0, &program, ranks, &["input".to_owned()])?;
        let mut numbers = answer.split_whitespace();
        let mut result = Compared { values: 0, sent: Vec::new(), outputs: Vec::new() };
        for case in &cases {
            let mut seen = numbers.by_ref().inspect(|word| result.outputs.extend(word.parse::<i128>()));
            let compared = compare(pieces, &storage, case, &mut seen);
            result.values += compared.map_err(|why| format!("on {ranks} ranks: {why}"))?;
            let sent = numbers.next().and_then(|word| word.parse().ok());
            result.sent.push(sent.ok_or("the compiled test ends early")?);
        }
        found.push(result);
    }
    Ok(found)
}

/// Runs the program on some ranks of this machine, whoever we are and however few processors there
/// are.
pub(crate) fn launched(folder: &Path, program: &Path, ranks: usize, words: &[String]) -> Result<String, Refusal> {
    let mut command = Command::new("mpirun");
    // What Open MPI would otherwise want options for, which other implementations do not know.
    for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"] {
        command.env(name, "1");
    }
    // Runs that begin at once do not share the folder that Open MPI keeps for a session.
    command.env("TMPDIR", folder);
    command.env("OMPI_MCA_mpi_yield_when_idle", "1").current_dir(folder);
    command.arg("-n").arg(ranks.to_string()).arg(program).args(words).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("mpirun does not run: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("the compiled test on {ranks} ranks ends with {}: {text}", output.status))
    }
}

/// The inputs and expected outputs for values of parameters.
fn cases(
    original: &crate::System,
    params: &[Vec<i64>],
    values: Values<'_>,
    budget: &mut Budget,
) -> Result<Vec<Case>, Refusal> {
    let machine = Machine::new(original, budget).map_err(|stop| stop.to_string())?;
    let mut cases = Vec::new();
    for params in params {
        let mut inputs = Tables::new();
        for variable in original.variables.iter().filter(|v| v.role == Role::In) {
            let points = points(&variable.domain, params, budget).map_err(|stop| stop.to_string())?;
            let table: Table =
                points.into_iter().map(|p| (p, values(variable.scalar).stored(variable.scalar))).collect();
            inputs.insert(variable.name.clone(), table);
        }
        let functions: HashMap<_, _> = crate::interpret::known_functions();
        let expected = machine.run(params, &inputs, &functions, budget).map_err(|error| error.to_string())?;
        cases.push(Case { params: params.clone(), inputs, expected });
    }
    Ok(cases)
}

/// Of the values of the parameters for which there are at most [`MOST_INPUTS`]: all inputs of three
/// small integers. Those for which the equations have no value (a division by zero) are left out,
/// and so are systems with other inputs.
fn all_small(original: &crate::System, params: &[Vec<i64>], budget: &mut Budget) -> Result<Vec<Case>, Refusal> {
    let machine = Machine::new(original, budget).map_err(|stop| stop.to_string())?;
    let functions: HashMap<_, _> = crate::interpret::known_functions();
    let declared: Vec<&Variable> = original.variables.iter().filter(|v| v.role == Role::In).collect();
    let mut cases = Vec::new();
    if declared.is_empty() || declared.iter().any(|variable| variable.scalar.is_float()) {
        return Ok(cases);
    }
    for params in params {
        let mut places = Vec::new();
        for variable in &declared {
            let own = points(&variable.domain, params, budget).map_err(|stop| stop.to_string())?;
            places.extend(own.into_iter().map(|point| (*variable, point)));
        }
        let Some(all) = 3usize.checked_pow(places.len() as u32).filter(|&all| all <= MOST_INPUTS) else { continue };
        for number in 0..all {
            let mut inputs: Tables = declared.iter().map(|v| (v.name.clone(), Table::new())).collect();
            let mut rest = number;
            for (variable, point) in &places {
                let value = Value::Int((rest % 3) as i64 - 1).stored(variable.scalar);
                inputs.entry(variable.name.clone()).or_default().insert(point.clone(), value);
                rest /= 3;
            }
            if let Ok(expected) = machine.run(params, &inputs, &functions, budget) {
                cases.push(Case { params: params.clone(), inputs, expected });
            }
        }
    }
    Ok(cases)
}

fn executed(program: &Path, input: &str) -> Result<String, Refusal> {
    let wrong = |error: std::io::Error| format!("the compiled test does not run: {error}");
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(wrong)?;
    let mut pipe = child.stdin.take().ok_or("the compiled test has no input")?;
    let text = input.to_owned();
    let writer = std::thread::spawn(move || pipe.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(wrong)?;
    let _ = writer.join();
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("the compiled test ends with {}", output.status))
    }
}

fn seen<'a>(
    pieces: &'a Pieces,
    storage: &'a [Storage],
    role: Role,
) -> impl Iterator<Item = (&'a Variable, &'a Storage)> {
    pieces.system.variables.iter().zip(storage).filter(move |(v, _)| v.role == role)
}

/// Parameters, sizes of arrays, values of inputs.
fn question(pieces: &Pieces, storage: &[Storage], case: &Case) -> String {
    let mut words: Vec<String> = case.params.iter().map(i64::to_string).collect();
    for (variable, storage) in seen(pieces, storage, Role::In) {
        let range = Box::of(storage, &case.params);
        let zero = if variable.scalar.is_float() { Value::Float(0.0) } else { Value::Int(0) };
        let mut cells = vec![zero; range.count()];
        for (point, value) in &case.inputs[&variable.name] {
            cells[range.index(point)] = *value;
        }
        words.push(cells.len().to_string());
        words.extend(cells.into_iter().map(|value| match value {
            Value::Float(value) => value.to_bits().to_string(),
            other => other.to_string(),
        }));
    }
    for (_, storage) in seen(pieces, storage, Role::Out) {
        words.push(Box::of(storage, &case.params).count().to_string());
    }
    words.join(" ") + "\n"
}

fn compare<'w>(
    pieces: &Pieces,
    storage: &[Storage],
    case: &Case,
    numbers: &mut impl Iterator<Item = &'w str>,
) -> Result<usize, Refusal> {
    let mut compared = 0;
    for (variable, storage) in seen(pieces, storage, Role::Out) {
        let range = Box::of(storage, &case.params);
        let mut cells = Vec::new();
        for _ in 0..range.count() {
            let word = numbers.next().ok_or("the compiled test ends early")?;
            let value = if variable.scalar.is_float() {
                word.parse().map(|bits| Value::Float(f64::from_bits(bits))).ok()
            } else {
                word.parse().map(Value::Int).ok()
            };
            cells.push(value.ok_or_else(|| format!("the compiled test prints `{word}`"))?);
        }
        for (point, expected) in &case.expected[&variable.name] {
            let found = cells[range.index(point)];
            if !agrees(found, *expected, variable.scalar) {
                let place: Vec<String> = point.iter().map(i64::to_string).collect();
                let params: Vec<String> =
                    pieces.system.params.iter().zip(&case.params).map(|(p, v)| format!("{p} = {v}")).collect();
                return Err(format!(
                    "{}[{}] is {found} in the compiled code, and {expected} by the equations, when {}",
                    variable.name,
                    place.join(", "),
                    params.join(", ")
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

fn agrees(found: Value, expected: Value, scalar: Scalar) -> bool {
    match (found, expected) {
        (Value::Float(a), Value::Float(b)) => {
            let tolerance = if scalar == Scalar::F32 { 1e-4 } else { 1e-9 };
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
        }
        (a, b) => a == b,
    }
}

/// How a test program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Launch {
    /// One process, with the cases in its input.
    Alone,
    /// The ranks of MPI, with the cases in a file; rank 0 prints results and how many elements all
    /// have sent.
    Ranks,
}

/// A program that reads cases and prints results.
fn harness(pieces: &Pieces, launch: Launch) -> String {
    let (head, mut arguments) = match launch {
        Launch::Alone => ("int main(void) {\n", Vec::new()),
        Launch::Ranks => (
            "int main(int argc, char **argv) {\n  int me_;\n  MPI_Init(&argc, &argv);\n  MPI_Comm_rank(MPI_COMM_WORLD, &me_);\n\
             \x20 if (argc < 2 || !freopen(argv[1], \"r\", stdin)) return 5;\n",
            vec!["MPI_COMM_WORLD".to_owned()],
        ),
    };
    let mut text = String::from(
        "#include <inttypes.h>\n#include <stdio.h>\n#include <string.h>\n\
         static int number(int64_t *x) { return scanf(\"%\" SCNd64, x) == 1; }\n\
         static double real(void) { uint64_t b = 0; double x; if (scanf(\"%\" SCNu64, &b) != 1) exit(3); memcpy(&x, &b, 8); return x; }\n\
         static void show(double x) { uint64_t b; memcpy(&b, &x, 8); printf(\"%\" PRIu64 \" \", b); }\n",
    );
    text.push_str(head);
    text.push_str("  for (;;) {\n    int64_t n_, x_; (void)x_; (void)n_;\n");
    let end = "break";
    for (i, _) in pieces.system.params.iter().enumerate() {
        text.push_str(&format!("    int64_t p{i}_; if (!number(&p{i}_)) {};\n", if i == 0 { end } else { "return 2" }));
        arguments.push(format!("p{i}_"));
    }
    let (mut after, mut frees) = (String::new(), String::new());
    for role in [Role::In, Role::Out] {
        for (i, variable) in pieces.system.variables.iter().enumerate().filter(|(_, v)| v.role == role) {
            let kind = c_type(variable.scalar);
            let first = pieces.system.params.is_empty() && frees.is_empty();
            text.push_str(&format!("    if (!number(&n_)) {};\n", if first { end } else { "return 2" }));
            text.push_str(&format!(
                "    {kind} *v{i}_ = calloc((size_t)n_ + 1, sizeof *v{i}_); const int64_t m{i}_ = n_; (void)m{i}_;\n"
            ));
            let is_float = variable.scalar.is_float();
            if role == Role::In {
                let read = if is_float {
                    format!("v{i}_[k] = ({kind})real();")
                } else {
                    format!("if (!number(&x_)) return 2; v{i}_[k] = ({kind})x_;")
                };
                text.push_str(&format!("    for (int64_t k = 0; k < m{i}_; k++) {{ {read} }}\n"));
            } else {
                let print = if is_float {
                    format!("show(v{i}_[k]);")
                } else {
                    format!("printf(\"%\" PRId64 \" \", (int64_t)v{i}_[k]);")
                };
                after.push_str(&format!("    for (int64_t k = 0; k < m{i}_; k++) {{ {print} }}\n"));
            }
            frees.push_str(&format!("    free(v{i}_);\n"));
            arguments.push(format!("v{i}_"));
        }
    }
    let name = c_name(&pieces.system.name);
    let list = arguments.join(", ");
    text.push_str(&match launch {
        Launch::Alone => format!("    if ({name}({list})) return 4;\n{after}{frees}  }}\n  return 0;\n}}\n"),
        Launch::Ranks => format!(
            "    if ({name}_mpi({list})) return 4;\n    if (me_ == 0) {{\n{after}    }}\n    int64_t all_ = 0;\n\
             \x20   MPI_Reduce(&poly_elements_sent, &all_, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);\n\
             \x20   if (me_ == 0) printf(\"%\" PRId64 \"\\n\", all_);\n{frees}  }}\n  return MPI_Finalize();\n}}\n"
        ),
    });
    text
}
