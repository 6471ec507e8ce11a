//! The model of a static control part (SCoP).
//!
//! # Definitions
//! A *SCoP* is a single-entry single-exit region of a function whose control flow and memory
//! accesses are affine functions of loop counters and parameters. A *statement* is a basic block,
//! or a part of one, that writes memory or a scalar which another statement reads. A *statement
//! instance* is one execution of it, named by the iteration numbers (from 0, step 1) of the loops
//! around it, outermost first. An *array* is a range of memory reached through one base pointer, or
//! a *scalar*: a zero-dimensional array that stands for an SSA value or a PHI node that is carried
//! from one statement to another.
//!
//! # Meaning of a statement's body
//! One instance executes its [`Instr`]s in order. Everything that is not mentioned there (affine
//! addresses, loop counters, affine branch conditions) is recomputed by code generation.
//!
//! Control flow that depends on data stays inside a statement. An instruction with a
//! [predicate](Instr::predicate) is executed only if the guard is true; the result of one that was
//! not executed is undefined, and whoever uses it is not executed either or does not choose it
//! ([`InstrKind::Choose`]). A loop of which the model cannot say how often it runs, or what it does
//! in which iteration, is executed as a whole ([`InstrKind::Loop`]).
//!
//! # Invariants
//! See [`Scop::check_invariants`].

mod invariants;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use poly_arith::Int;
use poly_presburger::{Aff, Map, Set};
use poly_transform::Machine;

macro_rules! index_newtype {
    ($($(#[$doc:meta])+ $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table that this index belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(position: usize) -> Self {
                Self(u32::try_from(position).expect("tables of a SCoP have fewer than 2^32 entries"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

index_newtype! {
    /// A parameter: an integer that does not change while the region runs. Indexes
    /// [`Scop::params`].
    ParamId, "param";
    /// An array or scalar. Indexes [`Scop::arrays`].
    ArrayId, "array";
    /// A statement. Indexes [`Scop::statements`].
    StmtId, "stmt";
    /// An access of one statement. Indexes [`Statement::accesses`].
    AccessId, "access";
    /// A load that is executed before the region. Indexes [`Scop::loads`].
    LoadId, "load";
    /// A loop of the original program inside the region. Indexes [`Scop::loops`].
    LoopId, "loop";
    /// A value of the compiler's IR. Indexes a table that only the LLVM-facing crates hold.
    ValueId, "value";
    /// What an instruction does with its operands. Only compared.
    OperationId, "operation";
}

/// A place in the user's source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// File name as in the debug information.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A parameter of the SCoP.
///
/// Its mathematical value is the *signed* value of the IR expression it is bound to, unless
/// [`Param::unsigned`] says that it is the unsigned one.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name as printed, unique in the SCoP; the parameters of every set and map of the SCoP use it.
    pub name: String,
    /// Width of the IR integer in bits.
    pub bits: u32,
    /// The value is to be read as unsigned.
    pub unsigned: bool,
}

/// Why an [`Assumption`] is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssumptionKind {
    /// Integer arithmetic of the original program does not wrap around.
    NoWrap,
    /// A value interpreted as signed here is not negative there (zero extension, unsigned
    /// comparison).
    NonNegative,
    /// Subscripts stay inside the recovered shape of an array.
    InBounds,
    /// A loop ends.
    FiniteLoop,
    /// A load has the same result whenever the region executes it.
    InvariantLoad,
    /// A branch is not taken.
    BranchNotTaken,
    /// A parameter is small enough that generated arithmetic cannot overflow.
    Range,
}

/// Something that must hold for the model to be true, tested before the optimized code runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// Its kind.
    pub kind: AssumptionKind,
    /// The parameter values for which it holds: a parameter set.
    pub holds: Set,
    /// One sentence part for people, e.g. `"subscript 1 of A stays below n"`.
    pub reason: String,
    /// The source place that makes it necessary.
    pub place: Option<Place>,
}

/// Type of an array element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementType {
    /// LLVM's name of the type: `double`, `i32`, ..; `b32` if elements of 32 bits are accessed as
    /// different types.
    pub name: String,
    /// Bytes between neighbouring elements.
    pub bytes: u32,
    /// The type is a floating-point type.
    pub float: bool,
}

impl ElementType {
    /// What is accessed as different types.
    pub fn mixed(bytes: u32) -> Self {
        Self { name: format!("b{}", 8 * bytes), bytes, float: false }
    }

    /// Whether it is accessed as different types.
    pub fn is_mixed(&self) -> bool {
        self.name.strip_prefix('b').is_some_and(|bits| bits.bytes().all(|c| c.is_ascii_digit()))
    }

    /// Whether it is known that a store of an element writes all of its bytes: there are none
    /// between elements that keep what they were. (Of the 16 bytes of an `x86_fp80`, a store writes
    /// 10.)
    pub fn has_no_padding(&self) -> bool {
        match self.name.strip_prefix(['i', 'b']).and_then(|bits| bits.parse::<u32>().ok()) {
            Some(bits) => bits == 8 * self.bytes,
            None => matches!(self.name.as_str(), "half" | "bfloat" | "float" | "double" | "fp128"),
        }
    }
}

/// Why a scalar exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarKind {
    /// An SSA value defined by one statement and used by another or after the region.
    Value,
    /// A PHI node inside the region: written by the statements of its incoming blocks, read by its
    /// own block.
    Phi,
    /// A PHI node of the exit block, for its incoming edges from the region.
    ExitPhi,
    /// What mathematical functions leave in `errno`. It is written by what may set it to several
    /// values, and read by nobody; code generation does nothing for it.
    Errno,
}

/// What a mathematical function may leave in `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MathErrors {
    /// `EDOM`: it is not defined for the argument.
    Domain,
    /// `ERANGE`: the result is too large or too small.
    Range,
    /// One or the other.
    Both,
}

/// What an array stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrayKind {
    /// Memory addressed from `base`, a pointer that is invariant in the region.
    Memory {
        /// The base pointer.
        base: ValueId,
    },
    /// Memory addressed from several pointers, the *rows*, which are the elements of another array.
    /// The first subscript is the number of the row in that table.
    Rows {
        /// The table, which nothing in the region writes: every element begins with a pointer. No
        /// statement accesses it, but every access of a row reads it.
        table: ArrayId,
    },
    /// Memory that exists while the new code runs: an element for each live range of what was a
    /// scalar or an element of an array. It begins without content, but for the first row of one
    /// with a beginning, and its last content is not used but for the last row of one with a
    /// result.
    Temporary {
        /// An SSA value of the elements' type.
        value: ValueId,
        /// Size in elements of the outermost dimension: a function of the parameters.
        rows: Aff,
        /// Where the last row goes at the end.
        result: Option<Box<LastRow>>,
        /// What rows begin with, if they begin with something.
        begins_with: Option<Beginning>,
        /// How many rows are in use at a time in the order that has been found, a power of two, if
        /// that is known: row `r` is in the memory of row `r mod in_use`.
        in_use: Option<i64>,
    },
    /// `errno`, the object in memory: an integer that calls of mathematical functions set. No
    /// statement accesses it, but nothing else in the region may touch it: [`Scop::may_alias`]
    /// pairs it with the arrays that might contain it.
    Errno {
        /// One of these calls.
        call: ValueId,
    },
    /// A zero-dimensional array that stands for `value`.
    Scalar {
        /// Its kind.
        kind: ScalarKind,
        /// The SSA value or PHI node.
        value: ValueId,
        /// Its last content is used after the region.
        live_out: bool,
    },
}

/// A row of a temporary whose content is used behind the new code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRow {
    /// Another array of [memory](ArrayKind::Memory), of one dimension less than the temporary and
    /// with the same extents, that begins with what the row contains at the end.
    pub array: ArrayId,
    /// Other arrays of this kind that contain the same at the end.
    pub also: Vec<ArrayId>,
    /// The number of the row, a function of the parameters. In a temporary of fewer rows it is in
    /// the one whose number is the remainder.
    pub row: Aff,
    /// The first of the elements that are copied and the one behind the last, functions of the
    /// parameters; all if there are none. Only of arrays of one dimension.
    pub elements: Option<[Aff; 2]>,
}

/// What rows of a temporary begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// An array of [memory](ArrayKind::Memory) of one dimension less and with the same extents,
    /// which is copied to them before the new code.
    pub array: ArrayId,
    /// The rows that it is copied to.
    pub rows: BeginningRows,
}

/// Rows of a temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeginningRows {
    /// The first one.
    First,
    /// All: some elements are never written.
    All,
}

/// An array or scalar of the SCoP.
///
/// The byte offset from the base of element `[x0, x1, .., xk]` is
/// `((x0 * e1 + x1) * e2 + ... + xk) * element.bytes` with `e1..ek` = [`Array::extents`]. In an
/// array with [rows](ArrayKind::Rows) element `[r, x0, .., xk]` has this offset from pointer `r` of
/// the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Name as printed, unique in the SCoP; tuple name of the ranges of access relations.
    pub name: String,
    /// What it stands for.
    pub kind: ArrayKind,
    /// Element type.
    pub element: ElementType,
    /// Sizes in elements of dimensions 1.. (the outermost one has none); affine functions of the
    /// parameters (domain: the parameter space), of rows from their second dimension on. Empty for
    /// scalars and for one-dimensional arrays.
    pub extents: Vec<Aff>,
    /// Number of dimensions: 0 for scalars, else `extents.len() + 1`, and one more with rows.
    pub rank: usize,
    /// Memory that nothing but the accesses of the region touches: what it holds at the end is only
    /// seen if the region is executed again and reads it before it writes it.
    pub local: bool,
}

impl Array {
    /// Whether this is a zero-dimensional stand-in for an SSA value or PHI node.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, ArrayKind::Scalar { .. })
    }

    /// Whether this is `errno`, the object in memory.
    pub fn is_errno_object(&self) -> bool {
        matches!(self.kind, ArrayKind::Errno { .. })
    }

    /// Whether this stands for the values that `errno` takes.
    pub fn is_errno(&self) -> bool {
        matches!(self.kind, ArrayKind::Scalar { kind: ScalarKind::Errno, .. })
    }

    /// Whether it is memory that only the new code has.
    pub fn is_temporary(&self) -> bool {
        matches!(self.kind, ArrayKind::Temporary { .. })
    }

    /// The array of pointers to its rows, if it has rows.
    pub fn table(&self) -> Option<ArrayId> {
        match self.kind {
            ArrayKind::Rows { table } => Some(table),
            ArrayKind::Memory { .. }
            | ArrayKind::Temporary { .. }
            | ArrayKind::Scalar { .. }
            | ArrayKind::Errno { .. } => None,
        }
    }

    /// The number of subscripts that say which row.
    pub fn row_subscripts(&self) -> usize {
        usize::from(self.table().is_some())
    }
}

/// How an access touches the elements it is related to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Reads (some of) them.
    Read,
    /// Writes all of them.
    MustWrite,
    /// Writes some of them.
    MayWrite,
}

/// An access of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// How.
    pub kind: AccessKind,
    /// What.
    pub array: ArrayId,
    /// From instances to elements: `{ S0[i, j] -> A[i, j + 1] }`. Domain and range tuples carry the
    /// names of statement and array. It is not restricted to the domain. An exact one is
    /// single-valued.
    pub relation: Map,
    /// An instance that executes the access touches the one element that the relation names, and
    /// code generation computes its address. Otherwise it touches some of those that the relation
    /// names, or all for [`AccessKind::MustWrite`], and the addresses are operands of the
    /// [`Instr`].
    pub exact: bool,
    /// The address is computed from the base pointer, or from that of the row, by steps each of
    /// which stays inside of one object: where the access is executed, all bytes from there to the
    /// element belong to that.
    pub from_base: bool,
    /// A read that the original executes only where a guard is true, and the new code everywhere
    /// ([`crate::simplify::speculate`]): what the load promises about its value need not hold.
    pub speculated: bool,
    /// The source has a scalar for the element, which was mapped to memory
    /// ([`crate::simplify::accumulate`]): the original order has it in a register.
    pub demoted: bool,
    /// The load's result; for a write to memory the value that is written; for scalars the SSA
    /// value or PHI that the scalar stands for; for what a whole loop does, the instruction that
    /// does it. See [`Statement::value_of`] for the name that the body uses.
    pub value: ValueId,
    /// Where in the source.
    pub place: Option<Place>,
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// Defined by an earlier [`Instr`] of the same body.
    Local,
    /// A constant, the address of a global included.
    Constant,
    /// A value defined before the region.
    Invariant,
    /// Recomputed from loop counters and parameters through its SCEV.
    Synthesized,
}

/// An operand of an [`Instr`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The IR value.
    pub value: ValueId,
    /// Where it comes from.
    pub kind: OperandKind,
}

/// What an [`Instr`] does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstrKind {
    /// Read through an access (of memory or of a scalar); the result is `value`.
    Read(AccessId),
    /// Execute a copy of the instruction `value` on mapped operands.
    Compute {
        /// LLVM's opcode name, or the name of the intrinsic or of the C library's function that is
        /// called, or `@` and the name of another function: `fadd`, `mul`, `llvm.fmuladd.f64`,
        /// `sqrt`, `@add`.
        opcode: String,
        /// May be executed more often, or where the original did not execute it.
        speculatable: bool,
        /// Floating-point reassociation is allowed by the instruction's flags.
        reassociable: bool,
        /// It may set `errno`: as often as in the source, never left out, and by the same thread
        /// unless that is a domain error. Where several values are possible, the body also writes
        /// the scalar of kind [`ScalarKind::Errno`], which keeps the order.
        errno: Option<MathErrors>,
    },
    /// Write the first operand through an access (of memory or of a scalar). `value` is the store
    /// for memory, else unused.
    Write(AccessId),
    /// Whether the last operand, a truth value, is true; of two operands the first must be true
    /// too, and nothing is asked of the last where it is not.
    Holds {
        /// The last one must be false instead.
        inverted: bool,
    },
    /// One of the operands, truth values, is true.
    Any,
    /// Whether the last operand, an integer, is one of `cases`; of two operands the first, a truth
    /// value, must be true too, and nothing is asked of the last where it is not.
    Matches {
        /// The values, in the type of the operand.
        cases: Vec<i128>,
        /// It must be none of them instead.
        inverted: bool,
    },
    /// Operands `c1, v1, c2, v2, .., v`: the value behind the first condition that is true, else
    /// the last one.
    Choose,
    /// Combine two operands of the type of `value`, which is a number that no other instruction of
    /// the program has ([`Scop::copies`]), modulo a power of two: nothing is promised about
    /// overflow. Floating-point numbers are rounded, in sums and products that may be reassociated
    /// further.
    Combine(Combination),
    /// The number that changes nothing when it is combined with another one of the type of `value`.
    Neutral(Combination),
    /// An affine function of the counters of the instance and of parameters, of the type of
    /// `value`, modulo a power of two: `[constant | parameters | counters]`, with the parameters of
    /// the context. `value` is a number that no other instruction of the program has.
    Counter(Vec<Int>),
    /// Whether the only operand, an integer, is one of so many bits. In inspections only.
    Within {
        /// How many bits.
        bits: u32,
        /// It may be negative: one of the bits is its sign.
        signed: bool,
    },
    /// Execute a copy of a whole loop of the program, with the ways out of it up to where they
    /// meet. It ends. `value` stands for the execution, the operands are what it uses of the rest.
    /// Its accesses are not exact and may not happen, in any order; addresses are computed by its
    /// own instructions.
    Loop {
        /// Functions are called in it that may set `errno` ([`InstrKind::Compute`]).
        sets_errno: bool,
        /// What it may read.
        reads: Vec<AccessId>,
        /// What it may write.
        writes: Vec<AccessId>,
        /// About how many operations it takes.
        operations: u32,
        /// How several instances can execute it at once, if they can.
        lanes: Option<LaneLoop>,
    },
    /// What `value` is when the loop that the only operand stands for has been left.
    Result,
    /// The original must run if the only operand, a truth value, is true. In inspections only
    /// ([`Scop::inspections`]), and the last step there.
    Stop {
        /// If it is false instead.
        inverted: bool,
    },
}

/// A whole loop that several instances can execute at once, each in a lane of vectors: what it does
/// is nothing but vector instructions, and loads at addresses that do not move, so that an
/// iteration may also be executed in lanes that have left the loop or never came to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneLoop {
    /// Bytes of the widest value that it computes.
    pub bytes: u32,
    /// About how often it runs: all that follows, and the operations of the loop, are those of so
    /// many iterations.
    pub iterations: u32,
    /// About how many operations more than one instance alone it takes: on masks, and to keep what
    /// lanes have left behind.
    pub mask_operations: u32,
    /// The operations that wait for each other, from the first iteration to the last one.
    pub chain: LoopChain,
}

/// Operations that wait for each other, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopChain {
    /// Additions and multiplications of floating-point numbers.
    pub flops: u32,
    /// Divisions.
    pub divisions: u32,
    /// Square roots.
    pub roots: u32,
    /// Multiplications of integers.
    pub products: u32,
    /// All others.
    pub simple: u32,
}

impl LoopChain {
    /// Cycles until the last one is done.
    pub fn cycles(self, machine: &Machine) -> f64 {
        let latency = &machine.latency;
        f64::from(self.flops) * latency.flop
            + f64::from(self.divisions) * latency.divide
            + f64::from(self.roots) * latency.root
            + f64::from(self.products) * latency.multiply
            + f64::from(self.simple) * latency.simple
    }

    /// This one and another one behind it.
    pub fn then(self, next: Self) -> Self {
        Self {
            flops: self.flops.saturating_add(next.flops),
            divisions: self.divisions.saturating_add(next.divisions),
            roots: self.roots.saturating_add(next.roots),
            products: self.products.saturating_add(next.products),
            simple: self.simple.saturating_add(next.simple),
        }
    }

    /// So many of these, one behind the other.
    pub fn times(self, count: u32) -> Self {
        Self {
            flops: self.flops.saturating_mul(count),
            divisions: self.divisions.saturating_mul(count),
            roots: self.roots.saturating_mul(count),
            products: self.products.saturating_mul(count),
            simple: self.simple.saturating_mul(count),
        }
    }
}

/// An operation on two integers, or on two floating-point numbers in sums and products that may be
/// reassociated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Combination {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The smaller one of signed numbers.
    SignedMin,
    /// The larger one of signed numbers.
    SignedMax,
    /// The smaller one of unsigned numbers.
    UnsignedMin,
    /// The larger one of unsigned numbers.
    UnsignedMax,
    /// Sum of floating-point numbers.
    FloatAdd,
    /// Product of floating-point numbers.
    FloatMultiply,
}

impl Combination {
    /// LLVM's name, that of intrinsics without type.
    pub fn opcode(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "sub",
            Self::Multiply => "mul",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
            Self::SignedMin => "llvm.smin",
            Self::SignedMax => "llvm.smax",
            Self::UnsignedMin => "llvm.umin",
            Self::UnsignedMax => "llvm.umax",
            Self::FloatAdd => "fadd",
            Self::FloatMultiply => "fmul",
        }
    }

    /// Whether it is one on floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Self::FloatAdd | Self::FloatMultiply)
    }

    /// That of an instruction, if it is one of these.
    pub fn of_opcode(opcode: &str) -> Option<Self> {
        let intrinsic = opcode.strip_prefix("llvm.").and_then(|rest| rest.split('.').next());
        Some(match intrinsic.unwrap_or(opcode) {
            "add" => Self::Add,
            "sub" => Self::Subtract,
            "mul" => Self::Multiply,
            "and" => Self::And,
            "or" => Self::Or,
            "xor" => Self::Xor,
            "smin" => Self::SignedMin,
            "smax" => Self::SignedMax,
            "umin" => Self::UnsignedMin,
            "umax" => Self::UnsignedMax,
            "fadd" => Self::FloatAdd,
            "fmul" => Self::FloatMultiply,
            _ => return None,
        })
    }
}

/// One step of a statement's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    /// What it does.
    pub kind: InstrKind,
    /// The IR instruction it comes from (for scalar reads: the value or PHI that is read).
    pub value: ValueId,
    /// The data operands in IR order; for writes the one stored. The address is behind them if the
    /// access is not exact.
    pub operands: Vec<Operand>,
    /// A truth value, computed by the same body: whether it is executed. `None` is always.
    pub predicate: Option<ValueId>,
}

impl Instr {
    /// It does something that others can see: it writes, or sets `errno`.
    pub fn has_effect(&self) -> bool {
        match &self.kind {
            InstrKind::Write(_) => true,
            InstrKind::Loop { writes, .. } => !writes.is_empty() || self.sets_errno(),
            _ => self.sets_errno(),
        }
    }

    /// Whether it may set `errno`.
    pub fn sets_errno(&self) -> bool {
        matches!(self.kind, InstrKind::Compute { errno: Some(_), .. } | InstrKind::Loop { sets_errno: true, .. })
    }

    /// Whether only the thread that comes to the region may execute it: it may leave something in
    /// the `errno` of its thread, and what that is cannot be told from outside. (A domain error
    /// can: of the functions that have no other errors, it makes a NaN of what is none.)
    pub fn needs_own_thread(&self) -> bool {
        self.sets_errno() && !matches!(self.kind, InstrKind::Compute { errno: Some(MathErrors::Domain), .. })
    }

    /// The accesses that it executes, reads before writes.
    pub fn accesses_mut(&mut self) -> impl Iterator<Item = &mut AccessId> {
        let (reads, writes) = match &mut self.kind {
            InstrKind::Read(access) => (std::slice::from_mut(access), &mut [][..]),
            InstrKind::Write(access) => (&mut [][..], std::slice::from_mut(access)),
            InstrKind::Loop { reads, writes, .. } => (reads.as_mut_slice(), writes.as_mut_slice()),
            _ => (&mut [][..], &mut [][..]),
        };
        reads.iter_mut().chain(writes)
    }

    /// Whether it executes the access.
    pub fn executes(&self, access: AccessId) -> bool {
        match &self.kind {
            InstrKind::Read(a) | InstrKind::Write(a) => *a == access,
            InstrKind::Loop { reads, writes, .. } => reads.contains(&access) || writes.contains(&access),
            _ => false,
        }
    }

    /// The values of the same body that it uses.
    pub fn locals(&self) -> impl Iterator<Item = ValueId> + '_ {
        let operands = self.operands.iter().filter(|o| o.kind == OperandKind::Local).map(|o| o.value);
        operands.chain(self.predicate)
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Name as printed, unique; tuple name of its domain.
    pub name: String,
    /// Instances: `[n] -> { S0[i, j] : ... }`.
    pub domain: Set,
    /// Loops around it inside the region, outermost first; one per dimension of the domain.
    pub loops: Vec<LoopId>,
    /// Its textual place: at each depth the position among what the loop (or the region) contains;
    /// `loops.len() + 1` numbers. Original order is the lexicographic order of
    /// `[position[0], i0, position[1], i1, ...]`.
    pub position: Vec<usize>,
    /// Its accesses.
    pub accesses: Vec<Access>,
    /// What one instance executes.
    pub body: Vec<Instr>,
    /// Where in the source.
    pub place: Option<Place>,
}

impl Statement {
    /// Whether its instances must be executed by the thread that comes to the region.
    pub fn needs_own_thread(&self) -> bool {
        self.body.iter().any(Instr::needs_own_thread)
    }

    /// Whether there are instances that do not execute the access.
    pub fn is_conditional(&self, access: AccessId) -> bool {
        let executing = self.body.iter().find(|instr| instr.executes(access));
        executing.is_some_and(|instr| instr.predicate.is_some() || matches!(instr.kind, InstrKind::Loop { .. }))
    }

    /// What an access reads or writes, under the name that the body uses: the result of the read,
    /// the operand of the write. What a loop reads or writes has no name there; the instruction of
    /// the program that does it takes its place.
    ///
    /// # Panics
    /// If the body does not execute the access.
    pub fn value_of(&self, access: AccessId) -> ValueId {
        let executed = self.body.iter().find_map(|instr| match &instr.kind {
            InstrKind::Read(a) if *a == access => Some(instr.value),
            InstrKind::Write(a) if *a == access => instr.operands.first().map(|o| o.value),
            InstrKind::Loop { .. } if instr.executes(access) => Some(self.accesses[access.index()].value),
            _ => None,
        });
        executed.expect("every access of a statement is executed by its body")
    }
}

/// A load that has the same result whenever the region executes it, because nothing in the region
/// writes what it reads. It is executed once, before the region; its result is as good as a value
/// from before: parameters and base pointers may depend on it.
#[derive(Clone, Debug, PartialEq)]
pub struct HoistedLoad {
    /// Name as printed.
    pub name: String,
    /// The result.
    pub value: ValueId,
    /// What it reads: an array of one element that no statement accesses. [`Scop::may_alias`] pairs
    /// it with the written arrays that must be shown disjoint from it.
    pub array: ArrayId,
    /// When it may be executed: a parameter set. The original executes it for these values, at the
    /// same address. The parameters in it depend on earlier loads only. Where the guard is false,
    /// the original code runs.
    pub guard: Set,
    /// Where in the source.
    pub place: Option<Place>,
}

/// A loop of the original program.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Where in the source.
    pub place: Option<Place>,
    /// Loops around it inside the region.
    pub depth: usize,
    /// The original loads a bound, a condition's operand or an address again in its iterations, as
    /// a write of it might have changed that: LLVM does not know how often it runs, or where it
    /// accesses memory, and makes no vectors.
    pub reloads: bool,
    /// Divisions of integers, and remainders, by what is no constant, that an iteration executes in
    /// the original outside of loops inside. Of those that only subscripts use, new code has none.
    pub divisions: usize,
    /// It looks for extremes, which code generation does in lanes where the order stays as it is:
    /// what it carries from iteration to iteration is in nobody's way there.
    pub finds_extremes: bool,
}

/// A static control part.
#[derive(Clone, Debug, PartialEq)]
pub struct Scop {
    /// `function: entry => exit`.
    pub name: String,
    /// Parameters.
    pub params: Vec<Param>,
    /// What is known to hold whenever the region is entered: a parameter set.
    pub context: Set,
    /// What must be checked at run time.
    pub assumptions: Vec<Assumption>,
    /// Loads that are executed before the region, in order: an address may depend on earlier ones.
    pub loads: Vec<HoistedLoad>,
    /// Arrays and scalars.
    pub arrays: Vec<Array>,
    /// Pairs of memory arrays, at least one of the two written, that alias analysis cannot tell
    /// apart: their accessed ranges must be shown disjoint at run time.
    pub may_alias: Vec<(ArrayId, ArrayId)>,
    /// Further pairs of this kind that nobody can check, as nothing bounds what is accessed of one
    /// of the two: any access of the one may touch bytes of any element of the other, so they keep
    /// their order ([`crate::unchecked`]).
    pub unchecked: Vec<(ArrayId, ArrayId)>,
    /// Loops of the region in program order.
    pub loops: Vec<Loop>,
    /// Statements in textual order.
    pub statements: Vec<Statement>,
    /// Conditions on data that must not hold for any iteration, in textual order: before the new
    /// code runs, but behind all other checks, their instances are executed in the order of the
    /// source until one says that the original must run ([`InstrKind::Stop`]). They only read, and
    /// nothing that statements write. Their positions are such as statements have.
    pub inspections: Vec<Statement>,
    /// What the instructions of bodies do: instructions of the same number do the same with the
    /// same operands, those that read and write memory up to the address and what is written; other
    /// values that accesses have are of the same type. What is not in the table may do anything.
    pub operations: BTreeMap<ValueId, OperationId>,
    /// Bits of the integers that instructions of bodies compute, of those whose type has as many
    /// bits in memory.
    pub integers: BTreeMap<ValueId, u32>,
    /// Values that the program does not have, each with one of the same type: instructions that are
    /// executed once more elsewhere, and what is computed in their place. Where
    /// [`InstrKind::Compute`] has such a value, the instruction is a copy of that one.
    pub copies: BTreeMap<ValueId, ValueId>,
    /// What is known of operands that are [synthesized](OperandKind::Synthesized): integers that
    /// are affine functions of counters alone, modulo a power of two.
    pub counters: BTreeMap<ValueId, CounterValue>,
    /// The loops along which operands that are [synthesized](OperandKind::Synthesized) may change;
    /// of one that is not here nothing is known. For estimates only.
    pub moving: BTreeMap<ValueId, BTreeSet<LoopId>>,
    /// Reductions that are computed with fewer operations, for people.
    pub reduced: Vec<Reduced>,
    /// A sanitizer watches the accesses: it may have been told that parts of objects must not be
    /// accessed.
    pub sanitized: bool,
    /// Where the region begins in the source.
    pub place: Option<Place>,
}

/// An affine function of the counters of loops, modulo two to the power of the bits of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterValue {
    /// What it is where all counters are zero.
    pub constant: i128,
    /// By how much it grows with each iteration of a loop; of loops that are not here it does not
    /// depend.
    pub steps: BTreeMap<LoopId, i128>,
}

/// A reduction that is computed with fewer operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The array or scalar that takes the answers.
    pub array: String,
    /// By which power of the parameters the number of operations grew, and grows.
    pub degrees: (u32, u32),
    /// It grows so as long as no answer combines more values than these: wider intervals take one
    /// operation more for each that is as wide as the last level's.
    pub up_to: Option<u64>,
    /// Operations at the sizes that are expected, before and after.
    pub operations: (String, String),
    /// Arrays that only this needs.
    pub temporaries: usize,
}

impl Scop {
    /// The array whose rows the pointers in this one point to, if it is a table.
    pub fn rows_of(&self, table: ArrayId) -> Option<ArrayId> {
        self.arrays.iter().position(|array| array.table() == Some(table)).map(ArrayId::from)
    }

    /// Whether the array may share bytes with another one in a way that nobody checks.
    pub fn is_unchecked(&self, array: ArrayId) -> bool {
        self.unchecked.iter().any(|&(a, b)| a == array || b == array)
    }

    /// The load that reads the array, if it is what a hoisted load reads.
    pub fn load_of(&self, array: ArrayId) -> Option<LoadId> {
        self.loads.iter().position(|load| load.array == array).map(LoadId::from)
    }
}
