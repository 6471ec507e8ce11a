//! The accesses of a program in the order of execution.

use poly_arith::Int;
use poly_dependence::{AccessKind, Problem, time_rows};
use poly_presburger::budget::Budget;

/// One access of one instance to one element.
#[derive(Clone, Debug)]
pub struct Event {
    pub time: Vec<Int>,
    pub statement: usize,
    pub access: usize,
    pub kind: AccessKind,
    pub group: Option<u32>,
    pub instance: Vec<Int>,
    pub element: (String, Vec<Int>),
}

/// All accesses for some parameter values.
pub fn trace(problem: &Problem, params: &[Int]) -> Vec<Event> {
    let mut budget = Budget::unlimited();
    let mut events = Vec::new();
    for (s, info) in problem.statements.iter().enumerate() {
        let rows = time_rows(&info.time.align_params(info.domain.space()), &mut budget).expect("no limit");
        for instance in info.domain.enumerate(params, &mut budget).expect("no limit") {
            let time = rows.iter().map(|row| {
                let point = params.iter().chain(&instance);
                row[1..].iter().zip(point).map(|(a, x)| a * x).sum::<Int>() + &row[0]
            });
            let time: Vec<Int> = time.collect();
            for (a, access) in info.accesses.iter().enumerate() {
                let relation = access.relation.align_params(info.domain.space()).intersect_domain(&info.domain);
                let name = relation.space().range.as_ref().and_then(|t| t.name.clone()).expect("named").to_string();
                for pair in relation.wrap().enumerate(params, &mut budget).expect("no limit") {
                    let (x, element) = pair.split_at(instance.len());
                    if x == instance {
                        events.push(Event {
                            time: time.clone(),
                            statement: s,
                            access: a,
                            kind: access.kind,
                            group: access.group,
                            instance: instance.clone(),
                            element: (name.clone(), element.to_vec()),
                        });
                    }
                }
            }
        }
    }
    events.sort_by(|a, b| (&a.time, a.access, &a.element).cmp(&(&b.time, b.access, &b.element)));
    events
}
