//! Dependences computed from accesses: the suite `flow`.
//!
//! # Problem
//! A file `*.ai` gives relations from instances to elements: the reads (`sink`), definite and possible writes
//! (`must_source`, `may_source`) and `kill`s, after which nothing that was written before is seen; and an order of
//! the instances, as a schedule tree or as a relation to time. The file `*.flow` beside it has what isl computes:
//!
//! * `may_dependence`: the writes that a read may see, `source -> [sink -> element]`;
//! * `must_dependence`: those that it is certain to see;
//! * `may_no_source`: the reads that may see what was there before the program began;
//! * `must_no_source`: those of them that no write reaches.
//!
//! # Instances at the same time
//! isl's order is partial: neither of two instances at the same time runs before the other. Poly's dataflow analysis
//! takes a total order. The partial order is the set of its total ones, so the analysis is run for each: possible
//! dependences are the union over all of them, certain dependences the intersection. A read runs before the writes at its
//! time, a kill of an instance before the writes of the same instance.
//!
//! # Algorithm
//! 1. Each pair of an instance and an element becomes an instance of its own, so that the results tell the element.
//! 2. Its time is extended by the role (reads first), the place of its statement in the permutation of those that share
//!    times, kills before writes, and the coordinates of the element, between which there is no conflict.
//! 3. For each permutation, `poly_dependence::dataflow`.

use std::path::Path;

use poly_dependence::{AccessInfo, AccessKind, Problem, StatementInfo, dataflow};
use poly_oracle::isl;
use poly_presburger::{Budget, DimKind, Map, Set, Space, Tuple, UnionMap};
use poly_schedule_tree::ScheduleTree;

use crate::fields::fields;
use crate::folder::{self, Input};
use crate::run::{Case, Outcome, stopped};
use crate::same;

/// Statements at the same time for which all orders are tried.
const MOST_PERMUTED: usize = 6;

/// What the accesses of a relation do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Sink,
    Kill,
    MustSource,
    MaySource,
}

/// The accesses of a statement to an array in a role.
#[derive(Clone, Debug)]
struct Access {
    role: Role,
    relation: Map,
}

/// The content of a file.
#[derive(Debug)]
struct Accesses {
    accesses: Vec<Access>,
    time: UnionMap,
}

/// What isl calls the flow.
#[derive(Clone, Debug)]
struct Flow {
    must: UnionMap,
    may: UnionMap,
    must_no_source: UnionMap,
    may_no_source: UnionMap,
}

/// The cases of the suite.
pub(crate) fn cases(dir: &Path) -> Result<Vec<Case>, String> {
    let case = |input: Input| {
        Case::new(input.name.clone(), move |budget| {
            check(&input.read()?, &folder::read(&input.beside("flow"))?, budget)
        })
    };
    Ok(folder::inputs(dir, &["flow", "."], &["ai"])?.into_iter().map(case).collect())
}

fn check(text: &str, expected: &str, budget: &mut Budget) -> Outcome {
    let accesses = read(text)?;
    let flow = flow(&accesses, budget)?;
    let isl = isl::Context::new();
    same::limit(&isl);
    let results = [
        ("must_dependence", &flow.must),
        ("may_dependence", &flow.may),
        ("must_no_source", &flow.must_no_source),
        ("may_no_source", &flow.may_no_source),
    ];
    let expected = fields(expected)?;
    for (what, ours) in results {
        let text = &expected.iter().find(|(key, _)| key == what).ok_or_else(|| format!("{what} is missing"))?.1;
        let theirs = isl::UnionMap::read(&isl, text).ok_or_else(|| format!("isl does not read {text}"))?;
        same::union_maps(what, ours, &theirs, &isl, budget)?;
    }
    Ok(Vec::new())
}

fn read(text: &str) -> Result<Accesses, String> {
    let mut accesses = Vec::new();
    let (mut time, mut must) = (None, UnionMap::empty(Vec::new()));
    for (key, value) in fields(text)? {
        let role = match key.as_str() {
            "sink" => Role::Sink,
            "kill" => Role::Kill,
            "must_source" => Role::MustSource,
            "may_source" => Role::MaySource,
            "schedule_map" => {
                time = Some(same::from_text(&value)?);
                continue;
            }
            "schedule" => {
                let tree: ScheduleTree = value.parse().map_err(|e| format!("Poly cannot read the schedule: {e}"))?;
                time = Some(tree.schedule_map());
                continue;
            }
            _ => return Err(format!("no meaning is known for the key {key:?}")),
        };
        let relation: UnionMap = same::from_text(&value)?;
        if role == Role::MustSource {
            must = relation.clone();
        }
        accesses.extend(relation.iter().map(|m| Access { role, relation: m.clone() }));
    }
    // What is both a definite and a possible write is a definite one.
    let budget = &mut Budget::new(1 << 20);
    for access in accesses.iter_mut().filter(|a| a.role == Role::MaySource) {
        let definite = must.extract(access.relation.space());
        access.relation = access.relation.subtract(&definite, budget).map_err(stopped)?;
    }
    accesses.retain(|access| !access.relation.plain_is_empty());
    Ok(Accesses { accesses, time: time.ok_or("there is no schedule")? })
}

/// The flow in the partial order of the times.
fn flow(input: &Accesses, budget: &mut Budget) -> Result<Flow, String> {
    let mut total: Option<Flow> = None;
    for order in orders(input, budget)? {
        let next = flow_in_order(input, &order, budget).map_err(stopped)?;
        total = Some(match total {
            None => next,
            Some(flow) => Flow {
                must: flow.must.intersect(&next.must),
                may: flow.may.union(&next.may),
                must_no_source: flow.must_no_source.intersect(&next.must_no_source),
                may_no_source: flow.may_no_source.union(&next.may_no_source),
            },
        });
    }
    Ok(total.expect("there is at least one order"))
}

/// The statements that write or kill, in all orders of those that share times with others.
fn orders(input: &Accesses, budget: &mut Budget) -> Result<Vec<Vec<Tuple>>, String> {
    let mut statements: Vec<Tuple> = Vec::new();
    for access in input.accesses.iter().filter(|a| a.role != Role::Sink) {
        let tuple = access.relation.space().tuple(DimKind::In).expect("a relation has a domain").clone();
        if !statements.contains(&tuple) {
            statements.push(tuple);
        }
    }
    let times: Vec<Option<&Map>> = statements.iter().map(|tuple| time_of(&input.time, tuple)).collect();
    let mut shared = vec![false; statements.len()];
    for i in 0..statements.len() {
        let Some(time) = times[i] else { return Err(format!("{} has no time", statements[i])) };
        if !time.is_injective(budget).map_err(stopped)? {
            return Err(format!("instances of {} run at the same time", statements[i]));
        }
        for j in 0..i {
            let both = time.range().intersect(&times[j].expect("it has been looked at").range());
            if !both.is_empty(budget).map_err(stopped)? {
                (shared[i], shared[j]) = (true, true);
            }
        }
    }
    let (permuted, fixed): (Vec<_>, Vec<_>) = statements.into_iter().zip(shared).partition(|(_, shared)| *shared);
    if permuted.len() > MOST_PERMUTED {
        return Err(format!("{} statements run at the same time", permuted.len()));
    }
    let permuted: Vec<Tuple> = permuted.into_iter().map(|(tuple, _)| tuple).collect();
    let with_fixed = |mut order: Vec<Tuple>| {
        order.extend(fixed.iter().map(|(tuple, _)| tuple.clone()));
        order
    };
    Ok(permutations(&permuted).into_iter().map(with_fixed).collect())
}

fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for item in items {
        let insert = |order: &Vec<T>| -> Vec<Vec<T>> {
            let at = |place: usize| [&order[..place], std::slice::from_ref(item), &order[place..]].concat();
            (0..=order.len()).map(at).collect()
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

fn time_of<'a>(time: &'a UnionMap, tuple: &Tuple) -> Option<&'a Map> {
    time.iter().find(|map| map.space().tuple(DimKind::In) == Some(tuple))
}

/// The flow when statements at the same time run in this order.
fn flow_in_order(input: &Accesses, order: &[Tuple], budget: &mut Budget) -> Result<Flow, poly_presburger::Stop> {
    let problem = problem(input, order);
    let empty = || UnionMap::empty(Vec::new());
    let mut flow = Flow { must: empty(), may: empty(), must_no_source: empty(), may_no_source: empty() };
    for read in dataflow(&problem, budget)? {
        let mut reached = read.uninitialized.clone();
        for (i, source) in read.sources.iter().enumerate() {
            reached = reached.subtract(&source.relation.range(), budget)?;
            let access = &input.accesses[source.statement];
            if access.role == Role::Kill {
                continue;
            }
            let instances = access.relation.domain_map();
            flow.may.add(source.relation.apply_domain(&instances));
            if access.role == Role::MustSource {
                let mut certain = source.relation.clone();
                for (_, other) in read.sources.iter().enumerate().filter(|(j, _)| *j != i) {
                    let doubtful = certain.intersect_range(&other.relation.range());
                    certain = certain.subtract(&doubtful, budget)?;
                }
                flow.must.add(certain.apply_domain(&instances));
            }
        }
        flow.may_no_source.add(read.uninitialized.unwrap());
        flow.must_no_source.add(reached.unwrap());
    }
    Ok(flow)
}

/// A program with a statement for each access: its instances are pairs of instance and element.
fn problem(input: &Accesses, order: &[Tuple]) -> Problem {
    let elements = input.accesses.iter().map(|a| a.relation.space().dim(DimKind::Out)).max().unwrap_or(0);
    let statement = |access: &Access| {
        let tuple = access.relation.space().tuple(DimKind::In).expect("a relation has a domain");
        let (place, kind) = match access.role {
            Role::Sink => (0, AccessKind::Read),
            Role::MaySource => (1 + position(order, tuple), AccessKind::MayWrite),
            Role::Kill | Role::MustSource => (1 + position(order, tuple), AccessKind::MustWrite),
        };
        let own = time_of(&input.time, tuple).expect("every statement has a time");
        let own = access.relation.domain_map().apply_range(&own.set_tuple(DimKind::Out, anonymous(own)));
        let n = own.space().dim(DimKind::Out);
        let after_kill = i64::from(access.role != Role::Kill);
        let ranked =
            own.insert_dims(DimKind::Out, n, 2).fix(DimKind::Out, n, place).fix(DimKind::Out, n + 1, after_kill);
        let element = access.relation.range_map();
        let flat = element.set_tuple(DimKind::Out, anonymous(&element));
        let used = flat.space().dim(DimKind::Out);
        let padding = elements - used;
        let padded = flat.insert_dims(DimKind::Out, used, padding);
        let padded = (0..padding).fold(padded, |map, i| map.fix(DimKind::Out, used + i, 0));
        StatementInfo {
            domain: access.relation.wrap(),
            time: ranked.flat_range_product(&padded),
            accesses: vec![AccessInfo { kind, relation: element, group: None }],
            reductions: Vec::new(),
        }
    };
    let context = Set::universe(Space::params(input.time.param_ids().to_vec()));
    Problem { context, overlaps: Vec::new(), statements: input.accesses.iter().map(statement).collect() }
}

fn position(order: &[Tuple], tuple: &Tuple) -> usize {
    order.iter().position(|t| t == tuple).expect("every statement that writes is in the order")
}

/// A tuple without name and structure for the range.
fn anonymous(map: &Map) -> Tuple {
    Tuple::anonymous(map.space().dim(DimKind::Out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str, must: &str, may: &str, must_no: &str, may_no: &str) -> Outcome {
        let expected = format!(
            "must_dependence: \"{must}\"\nmay_dependence: \"{may}\"\nmust_no_source: \"{must_no}\"\nmay_no_source: \"{may_no}\"\n"
        );
        check(text, &expected, &mut Budget::unlimited())
    }

    #[test]
    fn the_last_write_is_seen() {
        let text = "sink: { R[i] -> a[i] : 0 <= i < 9 }\nmust_source: { W[i] -> a[i]; V[i] -> a[2i] }\n\
                    schedule_map: { W[i] -> [0, i]; V[i] -> [1, i]; R[i] -> [2, i] }\n";
        let flow = "{ W[i] -> [R[i] -> a[i]] : 0 < i < 8 and i mod 2 = 1; V[i] -> [R[2i] -> a[2i]] : 0 <= i <= 4 }";
        assert_eq!(verdict(text, flow, flow, "{ }", "{ }"), Ok(Vec::new()));
        assert!(verdict(text, flow, flow, "{ R[0] -> a[0] }", "{ }").is_err());
    }

    #[test]
    fn instances_at_the_same_time_have_no_order() {
        let text = "sink: { R[] -> a[] }\nmust_source: { W[] -> a[]; V[] -> a[]; R[] -> a[] }\n\
                    schedule:\n  domain: \"{ W[]; V[]; R[] }\"\n  child:\n    sequence:\n\
                    \x20   - filter: \"{ W[]; V[] }\"\n    - filter: \"{ R[] }\"\n";
        let both = "{ W[] -> [R[] -> a[]]; V[] -> [R[] -> a[]] }";
        assert_eq!(verdict(text, "{ }", both, "{ }", "{ }"), Ok(Vec::new()));
    }

    #[test]
    fn elements_are_told_apart() {
        let text = "sink: { R[] -> a[x] : 0 <= x <= 1 }\nmay_source: { W[0] -> a[0]; W[1] -> a[1] }\n\
                    kill: { K[] -> a[1] }\nschedule_map: { W[i] -> [i]; K[] -> [2]; R[] -> [3] }\n";
        assert_eq!(verdict(text, "{ }", "{ W[0] -> [R[] -> a[0]] }", "{ }", "{ R[] -> a[0] }"), Ok(Vec::new()));
    }

    #[test]
    fn all_orders() {
        assert_eq!(permutations(&[1, 2, 3]).len(), 6);
        assert_eq!(permutations::<u8>(&[]), [Vec::<u8>::new()]);
    }
}
