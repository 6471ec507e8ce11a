//! Dependences and how they are printed.

use std::fmt;

use poly_presburger::Map;

/// Why a pair of instances must keep its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependenceKind {
    /// The sink may read what the source has written.
    Flow,
    /// The sink overwrites what the source has read.
    Anti,
    /// The sink overwrites what the source has written.
    Output,
    /// Both read the same element: no constraint, but a chance to reuse.
    Input,
}

impl fmt::Display for DependenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DependenceKind::Flow => "flow",
            DependenceKind::Anti => "anti",
            DependenceKind::Output => "output",
            DependenceKind::Input => "input",
        })
    }
}

/// A dependence between two accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// Its kind.
    pub kind: DependenceKind,
    /// Statement and access of the earlier instances.
    pub source: (usize, usize),
    /// Statement and access of the later instances.
    pub sink: (usize, usize),
    /// From source instances to sink instances, inside domains and context; every source is
    /// executed before its sinks.
    pub relation: Map,
    /// Source and sink are updates of one reassociable reduction, of one statement or of two: they
    /// may be executed in any order, but not at the same time. All pairs of updates of an element
    /// are in the relation.
    pub reduction: bool,
    /// An anti or output dependence that only keeps live ranges apart: it may run backwards where
    /// the live range that its source belongs to and the one that its sink begins do not overlap.
    /// All pairs of an element are in the relation; the live ranges are what the flow dependences
    /// of source and sink access say.
    pub conditional: bool,
}

impl Dependence {
    /// Whether the order of source and sink matters.
    pub fn is_ordering(&self) -> bool {
        self.kind != DependenceKind::Input
    }
}

impl fmt::Display for Dependence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = match (self.reduction, self.conditional) {
            (true, _) => " (reduction)",
            (false, true) => " (conditional)",
            (false, false) => "",
        };
        write!(f, "{}{note} {}.{} -> {}.{}: ", self.kind, self.source.0, self.source.1, self.sink.0, self.sink.1)?;
        write!(f, "{}", self.relation)
    }
}

/// All dependences of a program, in a fixed order: flow by sink access, then anti and output by
/// source access, then input by sink access, then reductions; those of arrays that may overlap come
/// after the others of their kind. None of them is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependences {
    /// The dependences.
    pub dependences: Vec<Dependence>,
}

impl Dependences {
    /// The dependences of a kind.
    pub fn of_kind(&self, kind: DependenceKind) -> impl Iterator<Item = &Dependence> {
        self.dependences.iter().filter(move |d| d.kind == kind)
    }
}

impl fmt::Display for Dependences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for dependence in &self.dependences {
            writeln!(f, "{dependence}")?;
        }
        Ok(())
    }
}
