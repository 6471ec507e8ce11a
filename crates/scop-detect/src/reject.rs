//! Why something is not part of a SCoP.

use std::fmt;

use poly_scop::Place;
use poly_shim::BlockRef;

/// The kinds of reasons, for options and statistics; the [`Rejection::message`] is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectKind {
    /// The control flow around the loop is not structured: no single entry and exit, several
    /// latches, irreducible.
    Structure,
    /// A terminator other than branches and switches: invoke, indirectbr, callbr, unreachable, ...
    Terminator,
    /// The loop may be left early, and the model cannot say when.
    MultipleExits,
    /// Scalar evolution does not know how often the loop runs.
    UnknownTripCount,
    /// The trip count is known but not affine.
    NonAffineTripCount,
    /// A branch depends on data or is not affine.
    NonAffineCondition,
    /// A subscript is not affine and no array shape explains it.
    NonAffineAccess,
    /// The address of an access is computed from a pointer that changes inside the region.
    VariantBase,
    /// Elements of different sizes, or at different alignments, in one array.
    ElementSize,
    /// A call that may do more than compute a value.
    Call,
    /// A volatile or atomic access, or a fence.
    Ordering,
    /// An allocation of stack memory, or marks of its lifetime.
    Allocation,
    /// A type that is not modelled.
    Type,
    /// An instruction that is not modelled.
    Instruction,
    /// An undefined value that must not be duplicated.
    Undefined,
    /// An address space whose pointers are special.
    AddressSpace,
    /// What would have to hold at run time never holds.
    NeverHolds,
    /// The analysis would cost too much.
    Complexity,
    /// There is nothing to optimize: no statement inside a loop.
    Empty,
    /// The function must not be changed in this way.
    Function,
    /// Such loops are looked at only if they are asked for.
    ModerateEffort,
}

/// A loop nest that is not in a SCoP, and the first reason why.
#[derive(Clone, Debug)]
pub struct Rejection<'c> {
    /// The kind of reason.
    pub kind: RejectKind,
    /// One sentence part for people, with names from the source.
    pub message: String,
    /// The source place of the cause.
    pub place: Option<Place>,
    /// Where the loop nest begins in the source.
    pub loop_place: Option<Place>,
    /// The header of the outermost loop that is not in a SCoP.
    pub header: BlockRef<'c>,
}

/// A reason found inside a region, before it is known which loops it concerns.
#[derive(Clone, Debug)]
pub(crate) struct Blocker {
    pub(crate) kind: RejectKind,
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
    /// The block in which it was found (number in the control flow graph), if it is one block's
    /// fault.
    pub(crate) block: Option<usize>,
    /// The loop without which, as far as the model of its iterations goes, there may be a model.
    pub(crate) in_loop: Option<usize>,
}

impl Blocker {
    /// A reason without a place.
    pub(crate) fn new(kind: RejectKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: None, block: None, in_loop: None }
    }

    /// Fills in the place, if none was known.
    pub(crate) fn at(mut self, place: Option<Place>) -> Self {
        self.place = self.place.or(place);
        self
    }

    /// Fills in the loop that cannot be modelled, if none was known and it is not for lack of
    /// budget.
    pub(crate) fn of_loop(mut self, l: usize) -> Self {
        if self.kind != RejectKind::Complexity {
            self.in_loop = self.in_loop.or(Some(l));
        }
        self
    }

    /// Fills in the block, if none was known.
    pub(crate) fn in_block(mut self, block: usize) -> Self {
        self.block = self.block.or(Some(block));
        self
    }
}

impl From<poly_presburger::Stop> for Blocker {
    fn from(_: poly_presburger::Stop) -> Self {
        Self::new(RejectKind::Complexity, "the sets that describe it need more operations than the budget allows")
    }
}

impl fmt::Display for RejectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Structure => "structure",
            Self::Terminator => "terminator",
            Self::MultipleExits => "multiple-exits",
            Self::UnknownTripCount => "unknown-trip-count",
            Self::NonAffineTripCount => "non-affine-trip-count",
            Self::NonAffineCondition => "non-affine-condition",
            Self::NonAffineAccess => "non-affine-access",
            Self::VariantBase => "variant-base",
            Self::ElementSize => "element-size",
            Self::Call => "call",
            Self::Ordering => "ordering",
            Self::Allocation => "allocation",
            Self::Type => "type",
            Self::Instruction => "instruction",
            Self::Undefined => "undefined-value",
            Self::AddressSpace => "address-space",
            Self::NeverHolds => "never-holds",
            Self::Complexity => "complexity",
            Self::Empty => "empty",
            Self::Function => "function",
            Self::ModerateEffort => "effort",
        })
    }
}

impl fmt::Display for Rejection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rejected loop nest")?;
        if let Some(place) = &self.loop_place {
            write!(f, " at {place}")?;
        }
        write!(f, ": {}: {}", self.kind, self.message)?;
        match &self.place {
            Some(place) if self.loop_place.as_ref() != Some(place) => write!(f, " at {place}"),
            _ => Ok(()),
        }
    }
}
