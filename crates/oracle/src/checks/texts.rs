//! Reading and printing: both libraries read what the other prints, and what Poly prints it reads.

use std::fmt::Display;
use std::str::FromStr;

use poly_presburger::{
    MultiUnionPwAff, ParseError, PwAff, PwMultiAff, Tuple as Shape, UnionMap, UnionPwAff, UnionPwMultiAff, UnionSet,
};

use super::Check;
use crate::case::{Case, Tuple};
use crate::function::Form;
use crate::isl;
use crate::model::ANY;

pub(super) const CHECKS: &[Check] = &[
    Check { name: "text.set", run: set },
    Check { name: "text.map", run: map },
    Check { name: "text.params", run: params },
    Check { name: "text.union-set", run: union_set },
    Check { name: "text.union-map", run: union_map },
    Check { name: "text.functions", run: functions },
    Check { name: "text.formulas", run: formulas },
    Check { name: "text.damaged", run: damaged },
];

/// Printing is stable from the second time on.
fn again<T: FromStr<Err = ParseError> + Display>(value: &T) -> T {
    let text = value.to_string();
    text.parse().unwrap_or_else(|e| panic!("Poly prints what it does not read: {text}: {e}"))
}

fn set(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(4, ANY)?;
    c.same_points(&a.set, a.n(), |p| a.holds(p));
    let twice = again(&a.set);
    c.same_points(&twice, a.n(), |p| a.holds(p));
    c.same_set(&a.set, &a.isl)
}

fn map(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, ANY)?;
    c.same_points(&a.map, a.n(), |p| a.holds(p));
    let twice = again(&a.map);
    c.same_points(&twice, a.n(), |p| a.holds(p));
    c.same_map(&a.map, &a.isl)
}

fn params(c: &mut Case<'_>) -> Option<()> {
    let (model, set, isl) = c.params_set(ANY)?;
    c.same_points(&set, 0, |p| model.holds(p));
    c.same_set(&set, &isl)
}

fn union_set(c: &mut Case<'_>) -> Option<()> {
    let mut items = Vec::new();
    for _ in 0..c.random.size(1, 3) {
        let n = c.n_dim(2);
        let tuple = Tuple::random(&mut c.random, n);
        let model = c.model(n, ANY);
        items.push(c.set_item(&tuple, &model));
    }
    let text = format!("{}{{ {} }}", c.header(), items.join("; "));
    let ours: UnionSet = c.read(&text);
    let theirs = isl::UnionSet::read(c.context, &text)?;
    c.same_union_set(&again(&ours), &theirs)
}

fn union_map(c: &mut Case<'_>) -> Option<()> {
    let mut items = Vec::new();
    for _ in 0..c.random.size(1, 3) {
        let (n, m) = (c.n_dim(2), c.n_dim(2));
        let (a, b) = (Tuple::random(&mut c.random, n), Tuple::random(&mut c.random, m));
        let model = c.model(n + m, ANY);
        items.push(c.map_item(&a, &b, &model));
    }
    let text = format!("{}{{ {} }}", c.header(), items.join("; "));
    let ours: UnionMap = c.read(&text);
    let theirs = isl::UnionMap::read(c.context, &text)?;
    c.same_union_map(&again(&ours), &theirs)
}

fn functions(c: &mut Case<'_>) -> Option<()> {
    let n = c.random.size(1, 3);
    let domain = Tuple::random(&mut c.random, n);
    let f = c.function(&domain, Form { n_out: 1, rational: true });
    let text = f.text(c);
    let ours: PwAff = c.read(&text);
    c.same_pw_aff(&again(&ours), &isl::PwAff::read(c.context, &text)?)?;
    let f = c.function(&domain, Form { n_out: 2, rational: false });
    let text = f.text(c);
    let ours: PwMultiAff = c.read(&text);
    c.same_pw_multi_aff(&again(&ours), &isl::Map::read(c.context, &text)?.as_pw_multi_aff()?)?;
    let ours: UnionPwMultiAff = c.read(&text);
    let theirs = isl::UnionMap::read(c.context, &text)?;
    c.same_union_map(&again(&ours).to_union_map(), &theirs)?;
    let f = c.function(&domain, Form { n_out: 1, rational: false });
    let text = f.text(c);
    let ours: UnionPwAff = c.read(&text);
    let theirs = isl::UnionMap::read(c.context, &text)?;
    c.same_union_map(&again(&ours).to_union_map(), &theirs)?;
    let tuple = MultiUnionPwAff::new(Shape::named("R", 2), vec![ours.clone(), ours.neg()]);
    let (a, b) = (tuple.to_union_map(), again(&tuple).to_union_map());
    assert!(a.is_equal(&b, &mut c.budget()).ok()?, "{tuple} reads as {b}");
    Some(())
}

/// Formulas with negations, implications, quantifiers, chains, lists, `min` and `max`.
fn formulas(c: &mut Case<'_>) -> Option<()> {
    c.set_n_param(1);
    let names = c.names(2);
    let part = |c: &mut Case<'_>| {
        let model = c.model(2, crate::model::FEW);
        let condition = model.condition(&names);
        match c.random.range(0, 7) {
            0 | 1 => condition,
            2 => format!("not ({condition})"),
            3 => format!("n <= i0, i1 <= {}", c.random.range(-2, 9)),
            4 => format!("{} <= i0 < i1 < n", c.random.range(-9, 2)),
            5 => format!("min(i0, {} + i1) <= max(n, 2i1)", c.random.range(-3, 3)),
            6 => format!("max(i0, -i0) <= {}", c.random.range(0, 5)),
            _ => format!("exists (k: i0 = {}k and (k < i1 or k > n))", c.random.range(2, 4)),
        }
    };
    let (x, y, z) = (part(c), part(c), part(c));
    let formula = match c.random.range(0, 3) {
        0 => format!("({x}) and ({y}) or ({z})"),
        1 => format!("(({x}) or ({y})) and ({z})"),
        2 => format!("({x}) implies (({y}) and ({z}))"),
        _ => format!("not (({x}) and not ({y})) and ({z})"),
    };
    let text = format!("[n] -> {{ [i0, i1] : {formula} }}");
    c.note(&text);
    let ours = match text.parse::<poly_presburger::Set>() {
        Ok(set) => set,
        Err(error) if error.to_string().contains("too many steps") => return None,
        Err(error) => panic!("Poly rejects {text}: {error}"),
    };
    let theirs = isl::Set::read(c.context, &text)?;
    c.same_set(&again(&ours), &theirs)
}

/// A text with a few characters changed is read or refused, and nothing else.
fn damaged(c: &mut Case<'_>) -> Option<()> {
    let n = c.random.size(1, 2);
    let tuple = Tuple::random(&mut c.random, n);
    let model = c.model(n, crate::model::FEW);
    let item = c.set_item(&tuple, &model);
    let mut text: Vec<char> = format!("{}{{ {item} }}", c.header()).chars().collect();
    for _ in 0..c.random.size(1, 3) {
        let at = c.random.size(0, text.len() - 1);
        let new = *c.random.pick(&['(', ')', '[', ']', ';', ':', '-', '>', '0', 'i', ' ', ',', '=', '*', '/', '%']);
        match c.random.range(0, 2) {
            0 => text[at] = new,
            1 => text.insert(at, new),
            _ => drop(text.remove(at)),
        }
    }
    let text: String = text.into_iter().collect();
    c.note(&text);
    if let Ok(set) = text.parse::<UnionSet>() {
        let _ = again(&set);
    }
    if let Ok(map) = text.parse::<UnionMap>() {
        let _ = again(&map);
    }
    let _ = text.parse::<PwAff>();
    let _ = text.parse::<PwMultiAff>();
    Some(())
}
