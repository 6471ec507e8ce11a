//! What the copies of local buffers must be ordered with, as dependences of the model that has
//! them.
//!
//! # Problem
//! A local buffer is opened, filled, used and written back by statements that packing adds. Whether
//! the final tree executes them at the right times is judged like the order of everything else, so
//! the dependences of the copies are needed. They follow from those of the model without local
//! buffers: a copy stands for the accesses of the statements that use it.
//!
//! # Definitions
//! Let `p` be the values of the loops around a local buffer, `Open[p, o]`, `Fill[p, e]` and
//! `Back[p, e]` its statements for element `e`, and `x` an instance in the local buffer `p` that
//! accesses `e`.
//!
//! # Dependences
//! 1. `Open[p, o] -> Fill[p, e]`.
//! 2. `Fill[p, e] -> x`, and `x -> Back[p, e]` if `e` is written back.
//! 3. For a dependence `x -> y` of the array, where `p` writes `e` back: `Back[p, e] -> y` if `y`
//!    uses no local buffer of the array, or `Back[p, e] -> Fill[q, e]` if `y` uses the local buffer
//!    `q`, another one.
//! 4. For a flow dependence `x -> y` of the array where `x` uses no local buffer of it, and `y` the
//!    local buffer `q`: `x -> Fill[q, e]`.
//! 5. The local buffers of all `p` have one place: everything in `p`, and `Back[p, e]`, comes
//!    before `Open[q, o]` for a later `q`. Threads have local buffers of their own, so that
//!    concerns only those of one iteration of a DOACROSS loop.
//!
//! With these, a read of a local buffer gets the value that the read of the array got: `Fill` reads
//! behind the write that the flow dependence leads from, or behind that write's way back (3, 4). No
//! other write comes between: in the model without local buffers it came after `x` or before that
//! write, by anti and output dependences, and what is said of `x` holds for the copies around it.
//! Behind everything, memory holds the last value of each element: writes in local buffers are
//! written back before any later write of it (3).
//!
//! That copies touch every element that is used, and none that the program does not touch, is
//! argued in [`super`].

use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::{Budget, DimKind, Map, Set, Space, Stop, Tuple};

use crate::{ArrayId, Scop};

/// The statements of one local buffer, and who uses it.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    /// The array.
    pub(crate) array: ArrayId,
    /// Number of loops around.
    pub(crate) around: usize,
    /// The number of loops that all instances in one local buffer of a thread have the same values
    /// of: none, or those down to a DOACROSS one.
    pub(crate) private: usize,
    pub(crate) open: usize,
    pub(crate) fill: usize,
    pub(crate) back: Option<usize>,
    pub(crate) uses: Vec<Use>,
}

/// An access of the array by a statement in the local buffer.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) statement: usize,
    pub(crate) access: usize,
    /// From instances of the statement to the values of the loops around, followed by the
    /// subscripts of the element.
    pub(crate) touched: Map,
}

/// What must be ordered in a model with local buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Dependences 1 to 4: of values.
    pub(crate) values: Vec<Dependence>,
    /// Dependences 5: of the place that local buffers have. Loops that carry these and nothing else
    /// are free of dependences.
    pub(crate) places: Vec<Dependence>,
}

/// The dependences of all copies; `known` are those of the model without local buffers. `None` if
/// there are some between live ranges in another order, of which this says nothing.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn order(
    scop: &Scop,
    known: &[Dependence],
    buffers: &[Copies],
    budget: &mut Budget,
) -> Result<Option<Order>, Stop> {
    let mut order = Order::default();
    for copies in buffers {
        copies.inside(scop, &mut order);
        for dependence in known.iter().filter(|d| d.is_ordering()) {
            budget.spend(1)?;
            let ends = [dependence.source, dependence.sink].map(|(s, a)| (s, copies.uses.iter().find(|u| u.is(s, a))));
            if dependence.conditional && ends.iter().any(|(_, used)| used.is_some()) {
                return Ok(None);
            }
            match ends {
                [(_, Some(source)), _] => copies.behind(scop, (source, dependence), buffers, &mut order.values),
                [_, (_, Some(sink))] if dependence.kind == DependenceKind::Flow => {
                    let users = buffers.iter().flat_map(|w| &w.uses);
                    let (s, a) = dependence.source;
                    if users.filter(|user| user.is(s, a)).count() == 0 {
                        let relation = dependence.relation.apply_range(&copies.named(scop, sink, copies.fill));
                        order.values.push(between((s, copies.fill), relation));
                    }
                }
                _ => {}
            }
        }
    }
    for dependence in order.values.iter_mut().chain(&mut order.places) {
        dependence.relation = dependence.relation.intersect_params(&scop.context).coalesce(budget)?;
    }
    Ok(Some(order))
}

/// The dependence of two statements. It is none of values that live ranges are known from.
fn between((source, sink): (usize, usize), relation: Map) -> Dependence {
    let (source, sink) = ((source, 0), (sink, 0));
    Dependence { kind: DependenceKind::Output, source, sink, relation, reduction: false, conditional: false }
}

impl Use {
    fn is(&self, statement: usize, access: usize) -> bool {
        (self.statement, self.access) == (statement, access)
    }
}

impl Copies {
    /// From the instances of a use to those of a copy statement that are about the same element.
    fn named(&self, scop: &Scop, used: &Use, copy: usize) -> Map {
        let copy = &scop.statements[copy];
        let tuple = Tuple::named(&*copy.name, used.touched.dim(DimKind::Out));
        used.touched.set_tuple(DimKind::Out, tuple).intersect_range(&copy.domain)
    }

    /// From the values of the loops around to the instances of a copy statement.
    fn instances(&self, scop: &Scop, copy: usize) -> Map {
        let domain = &scop.statements[copy].domain;
        let loops = Space::set(domain.space().params.clone(), Tuple::anonymous(self.around));
        let all = Map::universe(Space::from_domain_and_range(&loops, domain.space())).intersect_range(domain);
        (0..self.around).fold(all, |map, l| map.equate(DimKind::In, l, DimKind::Out, l))
    }

    /// From the instances of a use to the values of the loops around.
    fn place(&self, used: &Use) -> Map {
        let subscripts = used.touched.dim(DimKind::Out) - self.around;
        used.touched
            .project_out(DimKind::Out, self.around, subscripts)
            .set_tuple(DimKind::Out, Tuple::anonymous(self.around))
    }

    /// The dependences among the statements of one local buffer, and between it and later ones.
    fn inside(&self, scop: &Scop, order: &mut Order) {
        let [opened, filled] = [self.open, self.fill].map(|copy| self.instances(scop, copy));
        order.values.push(between((self.open, self.fill), opened.reverse().apply_range(&filled)));
        let loops = Space::set(scop.context.space().params.clone(), Tuple::anonymous(self.around));
        let later: Vec<Map> = (self.private..self.around).map(|l| Map::lex_lt_at(&loops, l)).collect();
        let mut before_later = |statement: usize, place: &Map| {
            for later in &later {
                let relation = place.apply_range(later).apply_range(&opened);
                order.places.push(between((statement, self.open), relation));
            }
        };
        for used in &self.uses {
            before_later(used.statement, &self.place(used));
        }
        if let Some(back) = self.back {
            before_later(back, &self.instances(scop, back).reverse());
        }
        for used in &self.uses {
            let from = self.named(scop, used, self.fill).reverse();
            order.values.push(between((self.fill, used.statement), from));
            if let Some(back) = self.back {
                order.values.push(between((used.statement, back), self.named(scop, used, back)));
            }
        }
    }

    /// What must come behind the way back of what a source of a dependence has in this local
    /// buffer.
    fn behind(
        &self,
        scop: &Scop,
        (source, dependence): (&Use, &Dependence),
        buffers: &[Copies],
        values: &mut Vec<Dependence>,
    ) {
        let Some(back) = self.back else { return };
        let pairs = self.named(scop, source, back).reverse().apply_range(&dependence.relation);
        let (s, a) = dependence.sink;
        let mut uses_buffer = false;
        for other in buffers.iter().filter(|other| other.array == self.array) {
            let Some(sink) = other.uses.iter().find(|u| u.is(s, a)) else { continue };
            uses_buffer = true;
            let relation = pairs.apply_range(&other.named(scop, sink, other.fill));
            if other.open != self.open {
                values.push(between((back, other.fill), relation));
                continue;
            }
            for l in 0..self.around {
                let same = |map: Map| (0..l).fold(map, |map, d| map.equate(DimKind::In, d, DimKind::Out, d));
                let relation = same(relation.clone());
                for another in [
                    relation.order_gt(DimKind::Out, l, DimKind::In, l),
                    relation.order_gt(DimKind::In, l, DimKind::Out, l),
                ] {
                    let reduction = dependence.reduction;
                    values.push(Dependence { reduction, ..between((back, other.fill), another) });
                }
            }
        }
        if !uses_buffer {
            values.push(Dependence { reduction: dependence.reduction, ..between((back, s), pairs) });
        }
    }
}

/// The accesses of an array by statements, as uses of a local buffer: `places` leads from the
/// instances of a statement to the values of the loops around it.
pub(crate) fn uses(scop: &Scop, array: ArrayId, places: &[(usize, Map)]) -> Vec<Use> {
    let mut result = Vec::new();
    for (statement, place) in places {
        let model = &scop.statements[*statement];
        let domain: Set = model.domain.intersect_params(&scop.context);
        for (access, own) in model.accesses.iter().enumerate().filter(|(_, own)| own.array == array) {
            let touched = place.intersect_domain(&domain).flat_range_product(&own.relation);
            result.push(Use { statement: *statement, access, touched });
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use poly_checker::{Legality, Verdict, check, judge};
    use poly_schedule_tree::ScheduleTree;

    use super::*;
    use crate::{Access, AccessKind, Statement, ValueId};

    /// `for b, for k, for j in block b: A[j] = f(A[j])`, then `for j: .. = A[j]`; with a local
    /// buffer of `A` for each block.
    const DOMAINS: [&str; 5] = [
        "{ S[k, j] : 0 <= k <= 2 and 0 <= j <= 7 }",
        "{ R[j] : 0 <= j <= 7 }",
        "{ Open0[b, o] : 0 <= b <= 1 and o = 4b }",
        "{ Fill0[b, e] : 0 <= b <= 1 and 4b <= e <= 4b + 3 }",
        "{ Back0[b, e] : 0 <= b <= 1 and 4b <= e <= 4b + 3 }",
    ];

    fn map(text: &str) -> Map {
        text.parse().expect("the relation can be read")
    }

    fn statement(domain: &str) -> Statement {
        let domain: Set = domain.parse().expect("the set can be read");
        let name = domain.tuple_name().expect("it has a name").to_string();
        let relation = match name.as_str() {
            "S" => map("{ S[k, j] -> A[j] }"),
            _ => map("{ R[j] -> A[j] }"),
        };
        let access = |kind| Access {
            kind,
            array: ArrayId(0),
            relation: relation.clone(),
            exact: true,
            from_base: false,
            speculated: false,
            demoted: false,
            value: ValueId(0),
            place: None,
        };
        let accesses = match name.as_str() {
            "S" => vec![access(AccessKind::Read), access(AccessKind::MustWrite)],
            "R" => vec![access(AccessKind::Read)],
            _ => Vec::new(),
        };
        Statement { name, domain, loops: Vec::new(), position: Vec::new(), accesses, body: Vec::new(), place: None }
    }

    fn scop() -> Scop {
        Scop {
            name: "test".to_owned(),
            params: Vec::new(),
            context: "{ : }".parse().expect("the set can be read"),
            assumptions: Vec::new(),
            loads: Vec::new(),
            arrays: Vec::new(),
            may_alias: Vec::new(),
            unchecked: Vec::new(),
            loops: Vec::new(),
            statements: DOMAINS.iter().map(|domain| statement(domain)).collect(),
            inspections: Vec::new(),
            operations: BTreeMap::new(),
            integers: BTreeMap::new(),
            copies: Default::default(),
            counters: Default::default(),
            moving: Default::default(),
            reduced: Default::default(),
            sanitized: false,
            place: None,
        }
    }

    /// A tree in which the parts of a block come in this order, `R` behind all blocks.
    fn tree(parts: [&str; 4]) -> ScheduleTree {
        let of = |part: &str| match part {
            "S" => (
                "S[k, j]",
                "\n          child:\n            schedule: \"[{ S[k, j] -> [(k)] }, { S[k, j] -> [(j)] }]\"",
            ),
            "Open" => ("Open0[b, o]", ""),
            "Fill" => ("Fill0[b, e]", "\n          child:\n            schedule: \"[{ Fill0[b, e] -> [(e)] }]\""),
            _ => ("Back0[b, e]", "\n          child:\n            schedule: \"[{ Back0[b, e] -> [(e)] }]\""),
        };
        let parts: String = parts
            .into_iter()
            .map(of)
            .map(|(filter, child)| format!("\n        - filter: \"{{ {filter} }}\"{child}"))
            .collect();
        let blocks = format!(
            "  - filter: \"{{ S[k, j]; Open0[b, o]; Fill0[b, e]; Back0[b, e] }}\"\n    child:\n      schedule: \"[{{ S[k, j] -> [(floor(j/4))]; \
             Open0[b, o] -> [(b)]; Fill0[b, e] -> [(b)]; Back0[b, e] -> [(b)] }}]\"\n      child:\n        sequence:{parts}\n"
        );
        let last = "  - filter: \"{ R[j] }\"\n    child:\n      schedule: \"[{ R[j] -> [(j)] }]\"\n".to_owned();
        let domain = DOMAINS.map(|set| set.trim_start_matches("{ ").trim_end_matches(" }")).join("; ");
        let children = blocks + &last;
        let text = format!("domain: \"{{ {domain} }}\"\nchild:\n  sequence:\n{children}");
        text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    #[test]
    fn copies_run_before_and_behind_those_that_use_them() {
        let scop = scop();
        let flow = |source, sink, relation: &str| Dependence {
            kind: DependenceKind::Flow,
            source,
            sink,
            relation: map(relation),
            reduction: false,
            conditional: false,
        };
        let known = [
            flow((0, 1), (0, 0), "{ S[k, j] -> S[k + 1, j] : 0 <= k <= 1 and 0 <= j <= 7 }"),
            flow((0, 1), (1, 0), "{ S[2, j] -> R[j] : 0 <= j <= 7 }"),
        ];
        let uses = uses(&scop, ArrayId(0), &[(0, map("{ S[k, j] -> [floor(j/4)] }"))]);
        let buffer = Copies { array: ArrayId(0), around: 1, private: 0, open: 2, fill: 3, back: Some(4), uses };
        let budget = &mut Budget::unlimited();
        let order = order(&scop, &known, &[buffer], budget).expect("no limit").expect("no live ranges");
        let mut is_legal = |tree: &ScheduleTree| {
            let all: Vec<Dependence> = known.iter().chain(&order.values).cloned().collect();
            assert_eq!(check(tree, &known, budget), Ok(Legality::Legal), "the program is in order");
            judge(tree, &all, budget) == Ok(Verdict::Legal) && check(tree, &order.places, budget) == Ok(Legality::Legal)
        };
        assert!(is_legal(&tree(["Open", "Fill", "S", "Back"])));
        for parts in [
            ["Fill", "Open", "S", "Back"],
            ["Open", "S", "Fill", "Back"],
            ["Open", "Fill", "Back", "S"],
            ["S", "Open", "Fill", "Back"],
        ] {
            assert!(!is_legal(&tree(parts)), "{parts:?}");
        }
    }
}
