//! Text form of a SCoP: stable, one fact a line, sets and maps in isl syntax.

use std::fmt;

use crate::{
    Access, AccessKind, Array, ArrayKind, AssumptionKind, BeginningRows, Instr, InstrKind, Operand, OperandKind, Place,
    ScalarKind, Scop, Statement,
};

impl fmt::Display for Scop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "scop \"{}\"{}", self.name, At(self.place.as_ref()))?;
        for param in &self.params {
            let sign = if param.unsigned { "unsigned" } else { "signed" };
            writeln!(f, "  parameter {}: i{} {sign}", param.name, param.bits)?;
        }
        writeln!(f, "  context: {}", self.context)?;
        for assumption in &self.assumptions {
            let place = At(assumption.place.as_ref());
            writeln!(f, "  assume {}: {} because {}{place}", assumption.kind, assumption.holds, assumption.reason)?;
        }
        let is_listed =
            |array: &Array| !self.loads.iter().any(|load| self.arrays[load.array.index()].name == array.name);
        for array in self.arrays.iter().filter(|&array| is_listed(array)) {
            writeln!(f, "  {array}")?;
        }
        for load in &self.loads {
            let what = &self.arrays[load.array.index()];
            let place = At(load.place.as_ref());
            writeln!(f, "  load {} {} from {} if {}{place}", what.element.name, load.name, what.name, load.guard)?;
        }
        for (a, b) in &self.may_alias {
            writeln!(f, "  may alias: {}, {}", self.arrays[a.index()].name, self.arrays[b.index()].name)?;
        }
        for (a, b) in &self.unchecked {
            writeln!(f, "  may overlap: {}, {}", self.arrays[a.index()].name, self.arrays[b.index()].name)?;
        }
        for inspection in &self.inspections {
            self.fmt_statement("inspection", inspection, f)?;
        }
        for statement in &self.statements {
            self.fmt_statement("statement", statement, f)?;
        }
        Ok(())
    }
}

impl Scop {
    fn fmt_statement(&self, what: &str, statement: &Statement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {what} {}{}", statement.name, At(statement.place.as_ref()))?;
        writeln!(f, "    domain: {}", statement.domain)?;
        writeln!(f, "    order: {}", Order(&statement.position))?;
        let names = LocalNames::of(statement);
        for instr in &statement.body {
            writeln!(f, "    {}", InstrText { instr, statement, names: &names })?;
        }
        Ok(())
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ArrayKind::Memory { .. } => {
                let local = if self.local { "local " } else { "" };
                write!(f, "{local}array {} {}[*]", self.element.name, self.name)?;
                for extent in &self.extents {
                    write!(f, "[{extent}]")?;
                }
                Ok(())
            }
            ArrayKind::Temporary { ref rows, ref result, begins_with, .. } => {
                write!(f, "temporary {} {}[{rows}]", self.element.name, self.name)?;
                self.extents.iter().try_for_each(|extent| write!(f, "[{extent}]"))?;
                if let Some(from) = begins_with {
                    let all = if from.rows == BeginningRows::All { " in all rows" } else { "" };
                    write!(f, " <- array {}{all}", from.array.index())?;
                }
                let Some(last) = result else { return Ok(()) };
                write!(f, " -> array {}", last.array.index())?;
                last.also.iter().try_for_each(|also| write!(f, ", array {}", also.index()))
            }
            ArrayKind::Rows { .. } => {
                write!(f, "array {} {}[row][*]", self.element.name, self.name)?;
                self.extents.iter().try_for_each(|extent| write!(f, "[{extent}]"))
            }
            ArrayKind::Errno { .. } => write!(f, "object {} {}", self.element.name, self.name),
            ArrayKind::Scalar { kind, live_out, .. } => {
                let kind = match kind {
                    ScalarKind::Value => "value",
                    ScalarKind::Phi => "phi",
                    ScalarKind::ExitPhi => "exit phi",
                    ScalarKind::Errno => "errno",
                };
                let live = if live_out { ", used after the region" } else { "" };
                write!(f, "scalar {} {} ({kind}{live})", self.element.name, self.name)
            }
        }
    }
}

impl fmt::Display for AssumptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoWrap => "no-wrap",
            Self::NonNegative => "non-negative",
            Self::InBounds => "in-bounds",
            Self::FiniteLoop => "finite-loop",
            Self::InvariantLoad => "invariant-load",
            Self::BranchNotTaken => "not-taken",
            Self::Range => "range",
        })
    }
}

/// ` at file:line:column`, or nothing.
struct At<'a>(Option<&'a Place>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

/// The place of a statement: `[0, i0, 1, i1, 0]`.
struct Order<'a>(&'a [usize]);

impl fmt::Display for Order<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, position) in self.0.iter().enumerate() {
            if depth == 0 {
                write!(f, "[{position}")?;
            } else {
                write!(f, ", i{}, {position}", depth - 1)?;
            }
        }
        f.write_str("]")
    }
}

/// Names `%0`, `%1`, ... of the values that a body defines, in order of definition.
struct LocalNames(Vec<crate::ValueId>);

impl LocalNames {
    fn of(statement: &Statement) -> Self {
        Self(statement.body.iter().map(|instr| instr.value).collect())
    }

    fn number(&self, value: crate::ValueId) -> Option<usize> {
        self.0.iter().position(|&v| v == value)
    }
}

struct InstrText<'a> {
    instr: &'a Instr,
    statement: &'a Statement,
    names: &'a LocalNames,
}

impl InstrText<'_> {
    fn operand(&self, operand: &Operand) -> String {
        match operand.kind {
            OperandKind::Local => match self.names.number(operand.value) {
                Some(number) => format!("%{number}"),
                None => "%?".to_string(),
            },
            OperandKind::Constant | OperandKind::Invariant => "invariant".to_string(),
            OperandKind::Synthesized => "affine".to_string(),
        }
    }

    fn access(&self, access: &Access) -> String {
        let verb = match access.kind {
            AccessKind::Read if access.speculated => "speculative read",
            AccessKind::Read => "read",
            AccessKind::MustWrite => "write",
            AccessKind::MayWrite => "may write",
        };
        format!("{verb} {}", access.relation)
    }
}

impl fmt::Display for InstrText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands: Vec<String> = self.instr.operands.iter().map(|o| self.operand(o)).collect();
        let result = self.names.number(self.instr.value).unwrap_or(0);
        if let Some(predicate) = self.instr.predicate {
            write!(f, "if {}: ", self.operand(&Operand { value: predicate, kind: OperandKind::Local }))?;
        }
        match &self.instr.kind {
            InstrKind::Read(access) => {
                write!(f, "%{result} = {}", self.access(&self.statement.accesses[access.index()]))?;
                if operands.is_empty() { Ok(()) } else { write!(f, " at {}", operands.join(", ")) }
            }
            InstrKind::Holds { inverted } => {
                let (last, first) = operands.split_last().expect("there is something that holds");
                let first: String = first.iter().map(|operand| format!("{operand} and ")).collect();
                write!(f, "%{result} = {first}{}{last}", if *inverted { "not " } else { "" })
            }
            InstrKind::Matches { cases, inverted } => {
                let (last, first) = operands.split_last().expect("there is something to compare");
                let first: String = first.iter().map(|operand| format!("{operand} and ")).collect();
                let cases: Vec<String> = cases.iter().map(i128::to_string).collect();
                let not = if *inverted { "not " } else { "" };
                write!(f, "%{result} = {first}{last} {not}in {{{}}}", cases.join(", "))
            }
            InstrKind::Stop { inverted } => {
                write!(f, "original if {}{}", if *inverted { "not " } else { "" }, operands.join(", "))
            }
            InstrKind::Any => write!(f, "%{result} = {}", operands.join(" or ")),
            InstrKind::Choose => {
                write!(f, "%{result} = ")?;
                for choice in operands.chunks(2) {
                    match choice {
                        [condition, value] => write!(f, "{condition} ? {value} : ")?,
                        other => write!(f, "{}", other.join(""))?,
                    }
                }
                Ok(())
            }
            InstrKind::Loop { sets_errno, reads, writes, .. } => {
                write!(f, "%{result} = loop{}", if *sets_errno { " (errno)" } else { "" })?;
                if !operands.is_empty() {
                    write!(f, " of {}", operands.join(", "))?;
                }
                for access in reads.iter().chain(writes) {
                    write!(f, "\n      {}", self.access(&self.statement.accesses[access.index()]))?;
                }
                Ok(())
            }
            InstrKind::Combine(combination) => {
                write!(f, "%{result} = {} {}", combination.opcode(), operands.join(", "))
            }
            InstrKind::Within { bits, signed } => {
                let kind = if *signed { "signed" } else { "unsigned" };
                write!(f, "%{result} = {} within {bits} {kind} bits", operands.join(", "))
            }
            InstrKind::Counter(row) => {
                let row: Vec<String> = row.iter().map(ToString::to_string).collect();
                write!(f, "%{result} = counter [{}]", row.join(", "))
            }
            InstrKind::Neutral(combination) => write!(f, "%{result} = neutral of {}", combination.opcode()),
            InstrKind::Result => write!(f, "%{result} = result of {}", operands.join(", ")),
            InstrKind::Compute { opcode, errno, .. } => {
                let errno = if errno.is_some() { " (errno)" } else { "" };
                write!(f, "%{result} = {opcode} {}{errno}", operands.join(", "))
            }
            InstrKind::Write(access) => {
                let (written, address) = operands.split_first().expect("a write has an operand");
                write!(f, "{} of {written}", self.access(&self.statement.accesses[access.index()]))?;
                if address.is_empty() { Ok(()) } else { write!(f, " at {}", address.join(", ")) }
            }
        }
    }
}
