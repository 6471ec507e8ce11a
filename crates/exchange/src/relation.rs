//! Relations as matrices of constraints, in OpenScop's extended PolyLib format.
//!
//! A line with the type, a line with the number of disjuncts if it is not 1, and for each disjunct
//! a line `rows columns outputs inputs locals parameters` with as many rows: 0 for an equality or 1
//! for an inequality, then the coefficients of outputs, inputs, locals (existentially quantified)
//! and parameters, and the constant. A set is a relation without inputs.

use std::fmt::Write;

use poly_arith::Int;
use poly_presburger::{BasicMap, Budget, DimKind, Id, Map, Space, Stop, Tuple};

use crate::TextError;
use crate::lines::Lines;

/// Most columns of a relation that is read.
const MAX_COLUMNS: usize = 1000;

/// Writes a relation or a set, with explanations of the columns.
pub(crate) fn write(text: &mut String, kind: &str, map: &Map) {
    writeln!(text, "{kind}").expect("writing to a String cannot fail");
    if map.n_basic() != 1 {
        writeln!(text, "{}", map.n_basic()).expect("writing to a String cannot fail");
    }
    for basic in map.basics() {
        write_basic(text, basic);
    }
}

fn write_basic(text: &mut String, basic: &BasicMap) {
    let dims = [DimKind::Out, DimKind::In, DimKind::Div, DimKind::Param];
    let counts = dims.map(|kind| basic.dim(kind));
    let system = basic.to_system();
    let rows = system.eqs.len() + system.ineqs.len();
    let [outputs, inputs, locals, params] = counts;
    let columns = 2 + outputs + inputs + locals + params;
    let mut line = |values: String| writeln!(text, "{values}").expect("writing to a String cannot fail");
    line(format!("{rows} {columns} {outputs} {inputs} {locals} {params}"));
    for (kind, rows) in [("0", &system.eqs), ("1", &system.ineqs)] {
        for row in rows {
            // Equalities define an output: it has a negative coefficient, as elsewhere.
            let defined = row[basic.offset(DimKind::Out)..][..outputs].iter().find(|value| !value.is_zero());
            let sign = if kind == "0" && defined.is_some_and(Int::is_pos) { Int::NEG_ONE } else { Int::ONE };
            let parts = dims.iter().zip(counts).flat_map(|(&kind, count)| &row[basic.offset(kind)..][..count]);
            let values: Vec<String> = parts.chain([&row[0]]).map(|value| format!("{:>4}", value * &sign)).collect();
            line(format!("   {kind} {}", values.join(" ")));
        }
    }
}

/// A relation as it is written, before it is known what its dimensions mean.
#[derive(Debug)]
pub(crate) struct Matrices {
    pub(crate) outputs: usize,
    pub(crate) inputs: usize,
    pub(crate) parameters: usize,
    /// Per disjunct: number of locals, and rows over
    /// `[kind | outputs | inputs | locals | parameters | constant]`.
    disjuncts: Vec<(usize, Vec<Vec<Int>>)>,
}

/// Reads a relation after its type.
pub(crate) fn read(lines: &mut Lines<'_>) -> Result<Matrices, TextError> {
    let mut header: Vec<usize> = lines.numbers("the size of a relation")?;
    let mut count = 1;
    let mut is_read = true;
    if let [n] = header[..] {
        count = n;
        is_read = false;
    }
    let mut result: Option<Matrices> = None;
    for _ in 0..count {
        if !is_read {
            header = lines.numbers("the size of a relation")?;
        }
        is_read = false;
        let [rows, columns, outputs, inputs, locals, parameters] = header[..] else {
            return lines.wrong("a relation has six numbers: rows, columns, outputs, inputs, locals, parameters");
        };
        let sum = [outputs, inputs, locals, parameters].into_iter().try_fold(2usize, usize::checked_add);
        if sum.is_some_and(|sum| sum > MAX_COLUMNS) {
            return lines.wrong(&format!("more than {MAX_COLUMNS} columns are too many"));
        }
        if sum != Some(columns) {
            return lines
                .wrong("the number of columns is not 2 more than those of outputs, inputs, locals and parameters");
        }
        let matrices = result.get_or_insert(Matrices { outputs, inputs, parameters, disjuncts: Vec::new() });
        if (matrices.outputs, matrices.inputs, matrices.parameters) != (outputs, inputs, parameters) {
            return lines.wrong("the parts of a union have different dimensions");
        }
        let mut matrix = Vec::new();
        for _ in 0..rows {
            let row: Vec<Int> = lines.numbers("a row of a relation")?;
            if row.len() != columns {
                return lines.wrong(&format!("the row has {} numbers instead of {columns}", row.len()));
            }
            if !row[0].is_zero() && !row[0].is_one() {
                return lines.wrong("a row begins with 0 (equality) or 1 (inequality)");
            }
            matrix.push(row);
        }
        matrices.disjuncts.push((locals, matrix));
    }
    result.map_or_else(|| lines.wrong("an empty union says nothing about its dimensions"), Ok)
}

impl Matrices {
    /// The relation over parameters with these names; of the outputs the first `skipped` are left
    /// out, `range` are the others. `domain` is `None` for sets.
    pub(crate) fn to_map(
        &self,
        params: &[Id],
        domain: Option<&Tuple>,
        range: &Tuple,
        skipped: usize,
        budget: &mut Budget,
    ) -> Result<Map, Stop> {
        let space = |range: Tuple| match domain {
            Some(domain) => Space::map(params.to_vec(), domain.clone(), range),
            None => Space::set(params.to_vec(), range),
        };
        let mut result = Map::empty(space(range.clone()));
        for (locals, rows) in &self.disjuncts {
            let wide = Tuple::anonymous(self.outputs + locals);
            let mut basic = BasicMap::universe(space(wide));
            let n = params.len();
            for row in rows {
                let (outputs, rest) = row[1..].split_at(self.outputs);
                let (inputs, rest) = rest.split_at(self.inputs);
                let (locals, rest) = rest.split_at(*locals);
                let (parameters, constant) = rest.split_at(n);
                let columns = constant.iter().chain(parameters).chain(inputs).chain(outputs).chain(locals);
                let columns: Vec<Int> = columns.cloned().collect();
                if row[0].is_zero() {
                    basic.add_eq(columns);
                } else {
                    basic.add_ineq(columns);
                }
            }
            let map = Map::from_basic(basic).project_out(DimKind::Out, self.outputs, *locals);
            let map = map.project_out(DimKind::Out, 0, skipped);
            result = result.union(&map.set_tuple(DimKind::Out, range.clone()).compute_divs(budget)?);
        }
        Ok(result)
    }

    /// The value of the first output, if an equality of every disjunct fixes it.
    pub(crate) fn first_output(&self) -> Option<Int> {
        let mut value = None;
        for (_, rows) in &self.disjuncts {
            let found = rows.iter().filter(|row| row[0].is_zero() && !row[1].is_zero()).find_map(|row| {
                let (last, others) = row[2..].split_last()?;
                let fixed = others.iter().all(Int::is_zero) && last.is_divisible_by(&row[1]);
                fixed.then(|| -&last.div_exact(&row[1]))
            })?;
            if value.get_or_insert_with(|| found.clone()) != &found {
                return None;
            }
        }
        value
    }
}
