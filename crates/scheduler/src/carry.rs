//! A single dimension that carries as many dependences as possible [Feautrier1992b].
//!
//! Where no permutable band exists, a row `d >= e` per edge with `e` in `[0, 1]`, the sum of all
//! `e` as large as possible. Carried edges are satisfied, so the rest of the schedule has fewer
//! constraints.

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{LexOutcome, System, ilp_lexmin};

use crate::constraints::Collector;
use crate::context::Context;
use crate::edge::{Edge, Edges, Rows};
use crate::layout::{Layout, Shape};

/// The rows that carry most edges, or `None` if none can be carried.
pub(crate) fn carry(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    budget: &mut Budget,
) -> Result<Option<Rows>, Stop> {
    let ordered: Vec<&Edge> = edges.iter().filter(|e| e.is_ordering()).map(|e| &**e).collect();
    if context.options.carry_self_first {
        let (own, others): (Vec<&Edge>, Vec<&Edge>) = ordered.iter().partition(|e| e.source == e.sink);
        if let Some(rows) = carry_of(context, statements, &own, &others, budget)? {
            return Ok(Some(rows));
        }
    }
    carry_of(context, statements, &ordered, &[], budget)
}

/// The rows that carry most edges of `ordered`, and turn none of `others` back.
fn carry_of(
    context: &Context,
    statements: &[usize],
    ordered: &[&Edge],
    others: &[&Edge],
    budget: &mut Budget,
) -> Result<Option<Rows>, Stop> {
    if ordered.is_empty() {
        return Ok(None);
    }
    for signed in [false, true] {
        if signed && !context.options.negative_coefficients {
            break;
        }
        let shape = Shape {
            signed,
            parametric: signed && statements.len() > 1,
            constant_distance: false,
            reuse_counts: false,
            max_coefficient: context.options.max_coefficient,
            max_constant: context.options.max_constant,
        };
        let dims = statements.iter().map(|&s| (s, context.statements[s].dims));
        let layout = Layout::with_flags(dims, context.n_params(), shape, ordered.len());
        let mut collector = Collector::new(&layout);
        for (i, edge) in ordered.iter().enumerate() {
            collector.add_carrying(edge, layout.flag(i), budget)?;
        }
        for edge in others {
            collector.add_legality(edge, budget)?;
        }
        let program = moved_first(&collector.finish(), layout.not_carried(), ordered.len());
        if let LexOutcome::Point(mut point) = ilp_lexmin(&program, budget)? {
            let not_carried = point.remove(0);
            point.insert(layout.not_carried(), not_carried);
            return Ok(Some(layout.rows(&point)));
        }
    }
    Ok(None)
}

/// The program with the number of edges that are not carried as first variable, fewer than `all`.
fn moved_first(system: &System, variable: usize, all: usize) -> System {
    let order = |row: &Vec<Int>| {
        let mut row = row.clone();
        let value = row.remove(1 + variable);
        row.insert(1, value);
        row
    };
    let mut program = System {
        n: system.n,
        eqs: system.eqs.iter().map(order).collect(),
        ineqs: system.ineqs.iter().map(order).collect(),
    };
    let mut fewer = vec![Int::ZERO; 1 + system.n];
    fewer[0] = Int::from(all) - Int::ONE;
    fewer[1] = Int::NEG_ONE;
    program.add_ineq(fewer);
    program
}
