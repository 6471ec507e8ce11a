//! C for a system: loops from a schedule, arrays from a storage mapping.
//!
//! # Algorithm
//! 1. `poly_ast_build` makes loops of the schedule tree, without instances whose cells have their
//!    values already. Loops that choose between two or three cells are unrolled.
//! 2. Every statement is written with the coordinates of the loops in its subscripts.
//! 3. Inputs and outputs are arguments, in the boxes of their domains, rows behind each other;
//!    local variables are allocated. An output that is the last step of a variable with two buffers
//!    is one of them (`buffers`).
//!
//! # Meaning
//! Integers are 64 bits wide in expressions and wrap: the code is to be compiled with `-fwrapv`.
//! Sums of floating-point numbers are in the order of the schedule, products are not fused with
//! sums (`-ffp-contract=off`).

mod affine;
mod buffers;
mod expression;
mod idle;
mod loops;
mod names;
mod substitute;
mod unroll;

pub mod compile;
pub mod python;

#[cfg(test)]
mod tests;

use std::fmt::Write;

use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions, Expr, build};
use poly_presburger::{Budget, Id, PwAff};
use poly_schedule_tree::ScheduleTree;

use crate::memory::{Extent, Storage};
use crate::pieces::{Action, Pieces, Statement};
use crate::program::{ExprKind, Role, Scalar, System, Variable};
use crate::transform::Refusal;
use affine::value;
use buffers::{Buffers, buffers};
use expression::Writer;
pub(crate) use loops::Loops;
pub(crate) use names::c_name;
pub(crate) use substitute::with_c_names;
pub(crate) use unroll::Residues;
use unroll::unrolled;

/// What is written.
#[derive(Clone, Debug)]
pub struct Code {
    /// The header.
    pub header: String,
    /// The source; it includes the header under the name of the system.
    pub source: String,
}

/// What the code has beyond its meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeOptions {
    /// Loops without dependences are shared by threads (OpenMP). The storage must be full then.
    pub parallel: bool,
}

/// The code of a system in an order.
///
/// # Errors
/// What has no code.
pub fn generate(
    pieces: &Pieces,
    tree: &ScheduleTree,
    storage: &[Storage],
    options: CodeOptions,
    budget: &mut Budget,
) -> Result<Code, Refusal> {
    if options.parallel && storage.iter().any(Storage::is_contracted) {
        return Err("threads need storage in which no cell is used again".to_owned());
    }
    let busy = idle::without_idle(pieces, tree, storage, budget);
    let ast = build(&busy, &pieces.system.context, &AstOptions::default(), budget);
    let ast = with_c_names(ast.map_err(|stop| stop.to_string())?);
    let (ast, residues) = unrolled(&ast, &|name, coordinates| cyclic(pieces, &ast, storage, name, coordinates));
    let buffers = buffers(pieces, (tree, &ast, &residues), storage, budget);
    let cells = Cells { storage, residues: &residues, buffers: &buffers };
    let writer = Generator { pieces, cells, storage, ast: &ast, options };
    Ok(Code { header: writer.header(), source: writer.source() })
}

/// The type of C.
pub(crate) fn c_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "int8_t",
        Scalar::I16 => "int16_t",
        Scalar::I32 => "int32_t",
        Scalar::I64 => "int64_t",
        Scalar::U8 => "uint8_t",
        Scalar::U16 => "uint16_t",
        Scalar::U32 => "uint32_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// Functions that the code uses.
pub(crate) const HELPERS: &str = "static inline int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline double minf(double a, double b) { return a < b ? a : b; }
static inline double maxf(double a, double b) { return a > b ? a : b; }
/* Division that rounds down, and its remainder. */
static inline int64_t floord(int64_t a, int64_t b) { if (b == -1) return -a; int64_t q = a / b; return q - (a % b != 0 && (a % b < 0) != (b < 0)); }
static inline int64_t pmod(int64_t a, int64_t b) { return b == -1 ? 0 : a - b * floord(a, b); }
static inline int64_t shl(int64_t a, int64_t b) { return (int64_t)((uint64_t)a << (b & 63)); }
/* The nearest integer towards zero that has 64 bits; 0 for what is no number. */
static inline int64_t trunc64(double a) { return a != a ? 0 : a >= 0x1p63 ? INT64_MAX : a < -0x1p63 ? INT64_MIN : (int64_t)a; }
";

/// Where elements are kept, and what is known of the counters in their subscripts.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    pub(crate) storage: &'a [Storage],
    pub(crate) residues: &'a Residues,
    /// The buffers of variables; none at all where that is not of use.
    pub(crate) buffers: &'a [Option<Buffers>],
}

impl<'a> Cells<'a> {
    /// The buffers of a variable that are arrays of their own.
    pub(crate) fn buffers(self, variable: usize) -> Option<&'a Buffers> {
        self.buffers.get(variable)?.as_ref()
    }

    /// The modulus of a dimension of a variable, if it is a number greater than 1.
    pub(crate) fn modulus(self, variable: usize, dim: usize) -> Option<Int> {
        let own = &self.storage[variable];
        let own = own.host.map_or(own, |host| &self.storage[host]);
        constant(own.moduli[dim].as_ref()?).filter(|modulus| *modulus > Int::ONE)
    }
}

/// The subscripts with a constant modulus of an instance of a statement.
fn cyclic(pieces: &Pieces, ast: &Ast, storage: &[Storage], name: &Id, coordinates: &[Expr]) -> Vec<(Expr, Int)> {
    let Some(statement) = pieces.statements.iter().find(|s| s.name == *name) else { return Vec::new() };
    let residues = Residues::new();
    let cells = Cells { storage, residues: &residues, buffers: &[] };
    let writer = Writer { system: &pieces.system, ast, coordinates, cells };
    let mut accesses = statement.reads();
    accesses.push((statement.variable, statement.target.clone()));
    let mut all = Vec::new();
    for (variable, access) in accesses {
        for (dim, aff) in access.affs().iter().enumerate() {
            all.extend(cells.modulus(variable, dim).map(|modulus| (writer.substituted(aff), modulus)));
        }
    }
    all
}

struct Generator<'a> {
    pieces: &'a Pieces,
    cells: Cells<'a>,
    storage: &'a [Storage],
    ast: &'a Ast,
    options: CodeOptions,
}

impl Generator<'_> {
    fn system(&self) -> &System {
        &self.pieces.system
    }

    /// Parameters, inputs, outputs.
    fn prototype(&self) -> String {
        let arguments = arguments(self.system());
        format!(
            "int {}({})",
            c_name(&self.system().name),
            if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") }
        )
    }

    fn header(&self) -> String {
        let name = c_name(&self.system().name);
        let guard = format!("{}_H", name.to_uppercase());
        let mut text = format!("#ifndef {guard}\n#define {guard}\n#include <stdint.h>\n\n");
        text.push_str("/* Computes the outputs; returns 0, or 1 if there is no memory. Arrays hold the box of their domain, the last subscript fastest:\n");
        text.push_str(&array_lines(self.system(), self.storage));
        let prototype = self.prototype().replace("restrict ", "");
        let _ = write!(text, "*/\n#ifdef __cplusplus\nextern \"C\"\n#endif\n{prototype};\n\n#endif\n");
        text
    }

    fn source(&self) -> String {
        let name = c_name(&self.system().name);
        let mut text = format!("/* {name}: equations as loops. Compile with -fwrapv -ffp-contract=off. */\n");
        let _ = write!(
            text,
            "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n\n#include \"{name}.h\"\n\n{HELPERS}\n"
        );
        text.push_str(&external_lines(self.system()));
        let _ = writeln!(text, "{} {{", self.prototype());
        self.extents(&mut text);
        self.allocations(&mut text);
        text.push('\n');
        let line = |name: &Id, coordinates: &[Expr]| {
            let is_idle = self.pieces.statements.iter().any(|s| s.name == *name && self.is_idle(s));
            if is_idle { String::new() } else { statement_line(self.pieces, self.ast, self.cells, name, coordinates) }
        };
        let loops = Loops { ast: self.ast, line: &line };
        loops.node(&self.ast.root, 1, self.options.parallel, &mut text);
        text.push('\n');
        for (variable, storage) in self.system().variables.iter().zip(self.storage) {
            if variable.role == Role::Let && storage.host.is_none() {
                let _ = writeln!(text, "  free({}_);", c_name(&variable.name));
            }
        }
        text.push_str("  return 0;\n}\n");
        text
    }

    /// Whether a statement writes into a cell what is in it: a sum or a last step that is already
    /// where it goes.
    fn is_idle(&self, statement: &Statement) -> bool {
        if self.cells.buffers.iter().flatten().any(|own| own.is_copy(statement)) {
            return true;
        }
        let Some(ExprKind::Read(read, access)) = statement.body.as_ref().map(|body| &body.kind) else { return false };
        statement.action == Action::Assign
            && self.storage[*read].host == Some(statement.variable)
            && *access == statement.target
    }

    /// Lower bounds, extents, and a macro for the elements of every variable.
    fn extents(&self, text: &mut String) {
        for (number, (variable, storage)) in self.system().variables.iter().zip(self.storage).enumerate() {
            let name = c_name(&variable.name);
            if let Some(own) = self.cells.buffers(number) {
                let layout =
                    Layout::new(self.system(), &self.system().variables[own.output], &self.storage[own.output]);
                for buffer in 0..2 {
                    let _ = writeln!(text, "{}", layout.define(&format!("{name}_b{buffer}")));
                }
                continue;
            }
            let layout = Layout::new(self.system(), variable, storage);
            for (name, value) in &layout.constants {
                let _ = writeln!(text, "  const int64_t {name} = {value};");
            }
            let _ = writeln!(text, "{}", layout.define(&name));
        }
    }

    /// The two arrays of a variable, one of which is an output's.
    fn alternate(&self, variable: usize, own: &Buffers, text: &mut String) {
        let (system, residues) = (self.system(), Residues::new());
        let cells = Cells { storage: self.storage, residues: &residues, buffers: &[] };
        let last = Writer { system, ast: self.ast, coordinates: &[], cells }.aff(&own.last);
        let (name, output) = (c_name(&system.variables[variable].name), c_name(&system.variables[own.output].name));
        let kind = c_type(system.variables[variable].scalar);
        let _ = writeln!(text, "  const int64_t {name}_last = ({last}) & 1;");
        let _ = writeln!(text, "  {kind} *const {name}_b0_ = {name}_last ? {name}_ : {output}_;");
        let _ = writeln!(text, "  {kind} *const {name}_b1_ = {name}_last ? {output}_ : {name}_;");
    }

    fn allocations(&self, text: &mut String) {
        let mut known: Vec<String> = Vec::new();
        for (number, (variable, storage)) in self.system().variables.iter().zip(self.storage).enumerate() {
            if variable.role != Role::Let || storage.host.is_some() {
                continue;
            }
            let (name, kind) = (c_name(&variable.name), c_type(variable.scalar));
            let size = match self.cells.buffers(number) {
                Some(own) => Layout::box_size(self.system(), &self.storage[own.output]),
                None => Layout::cells(variable, storage),
            };
            let _ = writeln!(text, "  {kind} *const {name}_ = malloc(sizeof({kind}) * (size_t){size});");
            known.push(format!("{name}_"));
        }
        if !known.is_empty() {
            let missing: Vec<String> = known.iter().map(|name| format!("!{name}")).collect();
            let frees: Vec<String> = known.iter().map(|name| format!("free({name});")).collect();
            let _ = writeln!(text, "  if ({}) {{ {} return 1; }}", missing.join(" || "), frees.join(" "));
        }
        for (variable, own) in self.cells.buffers.iter().enumerate() {
            own.iter().for_each(|own| self.alternate(variable, own, text));
        }
    }
}

/// Parameters, inputs, outputs as arguments of a function.
pub(crate) fn arguments(system: &System) -> Vec<String> {
    let mut arguments: Vec<String> = system.params.iter().map(|p| format!("int64_t {}", c_name(p.as_str()))).collect();
    for role in [Role::In, Role::Out] {
        for variable in system.variables.iter().filter(|v| v.role == role) {
            let constant = if role == Role::In { "const " } else { "" };
            arguments.push(format!("{constant}{} *restrict {}_", c_type(variable.scalar), c_name(&variable.name)));
        }
    }
    arguments
}

/// What the arrays hold, one line each.
pub(crate) fn array_lines(system: &System, storage: &[Storage]) -> String {
    let params: Vec<String> = system.params.iter().map(|p| c_name(p.as_str())).collect();
    let mut text = String::new();
    for (variable, storage) in system.variables.iter().zip(storage).filter(|(v, _)| v.role != Role::Let) {
        let range =
            |e: &crate::memory::Extent| format!("[{} .. {}]", value(&e.lower, &params), value(&e.upper, &params));
        let ranges: String = storage.extents.iter().map(range).collect();
        let _ = writeln!(text, "   {} {}{ranges}", variable.role.word(), c_name(&variable.name));
    }
    text
}

/// How the elements of a variable stand in its array.
pub(crate) struct Layout {
    /// Lower bounds and extents that are not known at once, with their values.
    pub(crate) constants: Vec<(String, String)>,
    /// The arguments of the macro for elements.
    arguments: String,
    place: Place,
}

/// Where elements of a variable are.
enum Place {
    /// In the cells of another one.
    Host(String),
    /// At this position of an array.
    Index(String),
}

impl Layout {
    pub(crate) fn new(system: &System, variable: &Variable, storage: &Storage) -> Self {
        let params: Vec<String> = system.params.iter().map(|p| c_name(p.as_str())).collect();
        let name = c_name(&variable.name);
        let mut constants = Vec::new();
        let arguments: Vec<String> = (0..storage.extents.len()).map(|k| format!("i{k}")).collect();
        let arguments = arguments.join(", ");
        if let Some(host) = storage.host {
            let host = c_name(&system.variables[host].name);
            return Self { constants, arguments, place: Place::Host(host) };
        }
        let mut index = String::new();
        for (k, (extent, modulus)) in storage.extents.iter().zip(&storage.moduli).enumerate() {
            let place = match modulus {
                Some(modulus) if is_one(modulus) => continue,
                Some(modulus) => {
                    constants.push((format!("{name}_n{k}"), value(modulus, &params)));
                    match constant(modulus).and_then(|modulus| modulus.to_i64()) {
                        Some(number) if number > 0 && number & (number - 1) == 0 => {
                            format!("((i{k}) & {})", number - 1)
                        }
                        Some(number) => format!("pmod(i{k}, {number})"),
                        None => format!("pmod(i{k}, {name}_n{k})"),
                    }
                }
                None => {
                    let lower = value(&extent.lower, &params);
                    // The number of rows matters where memory is allocated.
                    if k > 0 || variable.role == Role::Let {
                        constants.push((format!("{name}_n{k}"), rows(extent, &params)));
                    }
                    if lower == "0" {
                        format!("(i{k})")
                    } else {
                        constants.push((format!("{name}_l{k}"), lower));
                        format!("((i{k}) - {name}_l{k})")
                    }
                }
            };
            index = if index.is_empty() { place } else { format!("({index} * {name}_n{k} + {place})") };
        }
        if index.is_empty() {
            index = "0".to_owned();
        }
        Self { constants, arguments, place: Place::Index(index) }
    }

    /// The macro for elements, under a name.
    pub(crate) fn define(&self, name: &str) -> String {
        let arguments = &self.arguments;
        match &self.place {
            Place::Host(host) => format!("#define {name}({arguments}) {host}({arguments})"),
            Place::Index(index) => format!("#define {name}({arguments}) {name}_[{index}]"),
        }
    }

    /// The number of elements of the box of a variable, whether it has constants or not: inputs and
    /// outputs have none for their outermost extents.
    fn box_size(system: &System, storage: &Storage) -> String {
        let params: Vec<String> = system.params.iter().map(|p| c_name(p.as_str())).collect();
        let sizes: Vec<String> = storage.extents.iter().map(|extent| rows(extent, &params)).collect();
        if sizes.is_empty() { "1".to_owned() } else { format!("max(1, {})", sizes.join(" * ")) }
    }

    /// The number of cells of a variable without moduli, in terms of the constants.
    pub(crate) fn cells(variable: &Variable, storage: &Storage) -> String {
        let name = c_name(&variable.name);
        let sizes: Vec<String> = (0..storage.extents.len())
            .filter(|&k| !storage.moduli[k].as_ref().is_some_and(is_one))
            .map(|k| format!("{name}_n{k}"))
            .collect();
        if sizes.is_empty() { "1".to_owned() } else { format!("max(1, {})", sizes.join(" * ")) }
    }
}

/// How many values an extent has.
fn rows(extent: &Extent, params: &[String]) -> String {
    format!("max(0, {})", value(&extent.upper.sub(&extent.lower).add_constant(1), params))
}

/// The functions from outside.
pub(crate) fn external_lines(system: &System) -> String {
    let mut text = String::new();
    for external in system.externals.iter() {
        let arguments: Vec<&str> = external.arguments.iter().map(|&scalar| c_type(scalar)).collect();
        let _ = writeln!(text, "extern {} {}({});", c_type(external.result), external.name, arguments.join(", "));
    }
    text
}

/// A statement instance in C.
pub(crate) fn statement_line(pieces: &Pieces, ast: &Ast, cells: Cells<'_>, name: &Id, coordinates: &[Expr]) -> String {
    let found = pieces.statements.iter().find(|s| s.name == *name);
    let statement = found.expect("the loops run the statements of the system");
    let writer = Writer { system: &pieces.system, ast, coordinates, cells };
    let target = writer.element(statement.variable, &statement.target);
    let is_float = pieces.system.variables[statement.variable].scalar.is_float();
    match (statement.action, &statement.body) {
        (Action::Begin(operator), None) => format!("{target} = {};", expression::first(operator, is_float)),
        (Action::Assign | Action::Begin(_), Some(body)) => format!("{target} = {};", writer.value(body)),
        (Action::Update(operator), Some(body)) => writer.update(&target, operator, body, is_float),
        (Action::Assign | Action::Update(_), None) => String::new(),
    }
}

fn is_one(function: &PwAff) -> bool {
    constant(function).is_some_and(|value| value.is_one())
}

/// The value of a function that has only one.
fn constant(function: &PwAff) -> Option<Int> {
    function.constant_value().filter(|_| function.n_piece() == 1)?.to_int()
}
