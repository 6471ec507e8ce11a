//! What is true of every SCoP.

use super::{Access, AccessKind, ArrayKind, Instr, InstrKind, Operand, Scop, Statement, ValueId};

impl Scop {
    /// Panics with a sentence when the tables are inconsistent: wrong tuple names or arities,
    /// positions that do not fit the loops, accesses of unknown arrays, bodies that use what they
    /// do not define.
    pub fn check_invariants(&self) {
        for statement in self.statements.iter().chain(&self.inspections) {
            self.check_statement(statement);
        }
        for inspection in &self.inspections {
            self.check_inspection(inspection);
        }
        for array in &self.arrays {
            let rank = if array.is_scalar() { 0 } else { array.row_subscripts() + array.extents.len() + 1 };
            assert_eq!(array.rank, rank, "rank of array {} does not fit its extents", array.name);
            if let Some(table) = array.table() {
                let is_table = matches!(self.arrays[table.index()].kind, ArrayKind::Memory { .. });
                assert!(is_table && self.arrays[table.index()].rank == 1, "the rows of {} have no table", array.name);
            }
        }
        for &(a, b) in self.may_alias.iter().chain(&self.unchecked) {
            assert!(a < b, "alias pairs are ordered");
            assert!(b.index() < self.arrays.len(), "alias pair names an unknown array");
        }
        for &pair in &self.unchecked {
            assert!(!self.may_alias.contains(&pair), "a pair is either checked or not");
            assert!(crate::unchecked::may_stay(self, pair), "an unchecked pair has an array of a special kind");
        }
    }

    fn check_inspection(&self, inspection: &Statement) {
        let name = &inspection.name;
        let (last, steps) = inspection.body.split_last().expect("inspections look at something");
        assert!(matches!(last.kind, InstrKind::Stop { .. }), "{name} decides nothing");
        for step in steps {
            let decides = matches!(
                step.kind,
                InstrKind::Holds { .. } | InstrKind::Any | InstrKind::Matches { .. } | InstrKind::Within { .. }
            );
            let computes =
                matches!(step.kind, InstrKind::Compute { .. } | InstrKind::Combine(_) | InstrKind::Neutral(_))
                    || matches!(step.kind, InstrKind::Counter(_) | InstrKind::Choose);
            let looks = decides || computes || matches!(step.kind, InstrKind::Read(_));
            assert!(looks, "{name} does more than to look");
        }
        for read in &inspection.accesses {
            let writes = |access: &Access| access.array == read.array && access.kind != AccessKind::Read;
            let is_written = self.statements.iter().any(|s| s.accesses.iter().any(writes));
            assert!(read.kind == AccessKind::Read && !is_written, "{name} looks at what is written");
        }
    }

    fn check_statement(&self, statement: &Statement) {
        let name = &statement.name;
        assert_eq!(statement.position.len(), statement.loops.len() + 1, "position of {name} does not fit its loops");
        for access in &statement.accesses {
            assert!(access.array.index() < self.arrays.len(), "{name} accesses an unknown array");
        }
        let mut defined: Vec<ValueId> = Vec::new();
        for (position, instr) in statement.body.iter().enumerate() {
            for used in instr.locals() {
                assert!(defined.contains(&used), "{name} uses {used:?} before it is defined");
            }
            match instr.kind {
                InstrKind::Loop { ref reads, ref writes, .. } => {
                    for (access, kind) in reads
                        .iter()
                        .map(|a| (a, AccessKind::Read))
                        .chain(writes.iter().map(|a| (a, AccessKind::MayWrite)))
                    {
                        let found = statement.accesses.get(access.index());
                        let fits = found.is_some_and(|found| found.kind == kind && !found.exact);
                        assert!(fits, "{name} has a loop with an access that does not fit");
                    }
                }
                InstrKind::Result => {
                    let of = instr.operands.first().map(|operand| operand.value);
                    let is_loop = |i: &&Instr| Some(i.value) == of && matches!(i.kind, InstrKind::Loop { .. });
                    let others = statement.body[..position].iter().rev();
                    let before = others.clone().find(|i| i.kind != InstrKind::Result);
                    let fits = before.is_some_and(|before| is_loop(&before) && before.predicate == instr.predicate);
                    assert!(fits, "{name} has a result that is not behind its loop");
                }
                InstrKind::Read(access) | InstrKind::Write(access) => {
                    assert!(access.index() < statement.accesses.len(), "{name} executes an unknown access");
                    let access = &statement.accesses[access.index()];
                    assert!(
                        access.kind != AccessKind::MustWrite || instr.predicate.is_none(),
                        "{name} writes {} not always",
                        self.arrays[access.array.index()].name
                    );
                }
                InstrKind::Counter(ref row) => {
                    let columns = 1 + self.context.space().params.len() + statement.loops.len();
                    assert_eq!(row.len(), columns, "{name} has a counter of other loops");
                }
                InstrKind::Compute { .. } => {
                    // Code generation knows operands by the values that they stand for.
                    let original = |operand: &Operand| self.original_value(operand.value);
                    let is_known = |a: &Operand| {
                        let alike = instr.operands.iter().filter(|b| original(a) == original(b));
                        alike.into_iter().all(|b| a.value == b.value)
                    };
                    assert!(instr.operands.iter().all(is_known), "{name} has two values in place of one");
                }
                InstrKind::Holds { .. }
                | InstrKind::Any
                | InstrKind::Matches { .. }
                | InstrKind::Choose
                | InstrKind::Combine(_)
                | InstrKind::Neutral(_)
                | InstrKind::Within { .. }
                | InstrKind::Stop { .. } => {}
            }
            defined.push(instr.value);
        }
    }
}
