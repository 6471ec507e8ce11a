//! Dependences computed from accesses: the suite `flow`.
//!
//! # Problem
//! A file `*.ai` gives relations from instances to elements: the reads (`sink`), definite and
//! possible writes (`must_source`, `may_source`) and `kill`s, after which nothing that was written
//! before is seen; and an order of the instances, as a schedule tree or as a relation to time. The
//! file `*.flow` beside it has what isl computes:
//!
//! * `may_dependence`: the writes that a read may see, `source -> [sink -> element]`;
//! * `must_dependence`: those that it is certain to see;
//! * `may_no_source`: the reads that may see what was there before the program began;
//! * `must_no_source`: those of them that no write reaches.
//!
//! They are compared with those of [`UnionAccessInfo::compute_flow`].

use std::path::Path;

use poly_dependence::{FlowError, UnionAccessInfo};
use poly_oracle::isl;
use poly_presburger::{Budget, Stop, UnionMap};
use poly_schedule_tree::ScheduleTree;

use crate::fields::fields;
use crate::folder::{self, Input};
use crate::run::{Case, Outcome, stopped};
use crate::same;

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
    let flow = read(text)?.compute_flow(budget).map_err(|error| match error {
        FlowError::Stop => stopped(Stop),
        error => error.to_string(),
    })?;
    let isl = isl::Context::new();
    same::limit(&isl);
    let results = [
        ("must_dependence", &flow.full_must_dependence),
        ("may_dependence", &flow.full_may_dependence),
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

fn read(text: &str) -> Result<UnionAccessInfo, String> {
    let mut info = UnionAccessInfo::from_sink(UnionMap::empty(Vec::new()));
    let mut sink = UnionMap::empty(Vec::new());
    let mut is_ordered = false;
    for (key, value) in fields(text)? {
        if key == "schedule" {
            let tree: ScheduleTree = value.parse().map_err(|e| format!("Poly cannot read the schedule: {e}"))?;
            (info, is_ordered) = (info.with_schedule(&tree), true);
            continue;
        }
        let relation: UnionMap = same::from_text(&value)?;
        info = match key.as_str() {
            "sink" => {
                sink = relation;
                info
            }
            "kill" => info.with_kill(relation),
            "must_source" => info.with_must_source(relation),
            "may_source" => info.with_may_source(relation),
            "schedule_map" => {
                is_ordered = true;
                info.with_schedule_map(relation)
            }
            _ => return Err(format!("no meaning is known for the key {key:?}")),
        };
    }
    if !is_ordered {
        return Err("there is no schedule".to_owned());
    }
    Ok(info.with_sink(sink))
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
}
