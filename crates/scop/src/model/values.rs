//! Values of bodies that the program does not have.

use super::{ArrayKind, Instr, Scop, Statement, ValueId};

impl Statement {
    /// How often a value of the body is used in it.
    pub(crate) fn uses(&self, value: ValueId) -> usize {
        self.body.iter().flat_map(Instr::locals).filter(|used| *used == value).count()
    }
}

impl Scop {
    /// The value of the program that a value stands for: its own, or that of which it is a copy.
    pub(crate) fn original_value(&self, value: ValueId) -> ValueId {
        self.copies.get(&value).copied().unwrap_or(value)
    }

    /// A number that no value has here.
    pub(crate) fn unused_value(&self) -> ValueId {
        let bodies = self.statements.iter().chain(&self.inspections);
        let in_bodies = bodies.flat_map(|s| {
            let accesses = s.accesses.iter().map(|access| access.value);
            let instrs = s.body.iter().flat_map(|i| i.operands.iter().map(|o| o.value).chain([i.value]));
            accesses.chain(instrs)
        });
        let of_arrays = self.arrays.iter().filter_map(|array| match array.kind {
            ArrayKind::Memory { base } => Some(base),
            ArrayKind::Temporary { value, .. } | ArrayKind::Scalar { value, .. } => Some(value),
            ArrayKind::Rows { .. } | ArrayKind::Errno { .. } => None,
        });
        let others = self.operations.keys().chain(self.copies.keys()).chain(self.copies.values()).copied();
        let loads = self.loads.iter().map(|load| load.value);
        let last = in_bodies.chain(of_arrays).chain(others).chain(loads).map(|value| value.0).max();
        ValueId(last.map_or(0, |last| last + 1))
    }

    /// A new value that stands for what another one stands for, of the same type.
    pub(crate) fn copy_of(&mut self, like: ValueId) -> ValueId {
        let value = self.unused_value();
        self.copies.insert(value, self.original_value(like));
        value
    }
}
