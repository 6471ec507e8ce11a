//! The conditions of one disjunct as text.
//!
//! Inequalities are printed as bounds on their last dimension; a lower and an upper bound on the
//! same multiple of a dimension form a chain `lower <= i < upper`.

use std::collections::BTreeSet;

use poly_arith::Int;

use super::names::{Names, linear, term};
use crate::basic::{BasicMap, Row};
use crate::row;
use crate::space::DimKind;

/// The text of a disjunct: its dimensions, and the condition on them (empty if true).
pub(super) struct Disjunct {
    pub(super) dims: Vec<String>,
    pub(super) condition: String,
}

impl Disjunct {
    pub(super) fn of(map: &BasicMap) -> Disjunct {
        let names = Names::of(map.space());
        let (defined, used) = defined_dims(map, &names);
        let mut dims: Vec<String> = names.dims(map.space()).to_vec();
        for (i, text) in dims.iter_mut().zip(defined) {
            if let Some(text) = text {
                *i = text;
            }
        }
        Disjunct { dims, condition: condition(map, &names, &used) }
    }
}

/// The full condition of a basic set over named dimensions.
pub(super) fn all_of(map: &BasicMap, names: &Names) -> String {
    condition(map, names, &BTreeSet::new())
}

/// Texts of the dimensions that an equality determines from earlier ones, and those equalities.
fn defined_dims(map: &BasicMap, names: &Names) -> (Vec<Option<String>>, BTreeSet<usize>) {
    let first = map.offset(DimKind::In);
    let end = map.offset(DimKind::Div);
    let mut used = BTreeSet::new();
    let mut texts = vec![None; end - first];
    let is_map = map.space().is_map();
    for (e, eq) in map.eqs().iter().enumerate() {
        let col = row::last_column(eq);
        let unit = eq[col].is_one() || eq[col].is_neg_one();
        if col < first || col >= end || !unit || is_used_elsewhere(map, col, e) {
            continue;
        }
        let mut value = eq.clone();
        if eq[col].is_one() {
            value = row::negated(&value);
        }
        value[col] = Int::ZERO;
        let value = linear(&value, names);
        let in_range = is_map && col >= map.offset(DimKind::Out);
        let text = if in_range { value } else { format!("{} = {value}", names.column(col)) };
        texts[col - first] = Some(text);
        used.insert(e);
    }
    (texts, used)
}

/// Whether anything but equality `e` uses a column.
fn is_used_elsewhere(map: &BasicMap, col: usize, e: usize) -> bool {
    let others = map.eqs().iter().enumerate().filter(|(i, _)| *i != e).map(|(_, r)| r);
    let mut rows = others.chain(map.ineqs()).chain(map.divs().iter().flatten().map(|d| &d.num));
    rows.any(|r| !r[col].is_zero())
}

fn condition(map: &BasicMap, names: &Names, skip_eqs: &BTreeSet<usize>) -> String {
    if map.is_plainly_empty() {
        return "false".to_owned();
    }
    let explicit = !map.has_known_divs();
    let (names, made_up) = names.with_divs_of(map, explicit);
    let mut parts = Vec::new();
    for (i, eq) in map.eqs().iter().enumerate() {
        if !skip_eqs.contains(&i) {
            parts.push(modulo_text(map, eq, &names).unwrap_or_else(|| equality_text(eq, &names)));
        }
    }
    let mut ineqs: Vec<Row> = map.ineqs().to_vec();
    if explicit {
        (0..map.n_div()).for_each(|i| ineqs.extend(map.div_bounds(i).into_iter().flatten()));
    }
    parts.extend(bounds_text(&ineqs, map.offset(DimKind::Div), &names));
    let text = parts.join(" and ");
    match made_up.is_empty() {
        true => text,
        false if text.is_empty() => text,
        false => format!("exists ({}: {text})", made_up.join(", ")),
    }
}

/// `(num) mod d = k` for an equality `num - d floor(num / d) = k`.
fn modulo_text(map: &BasicMap, eq: &Row, names: &Names) -> Option<String> {
    let first = map.offset(DimKind::Div);
    let col = row::last_column(eq);
    if col < first || !map.has_known_divs() {
        return None;
    }
    let div = map.divs()[col - first].as_ref()?;
    let eq = if eq[col].is_neg() { eq.clone() } else { row::negated(eq) };
    if -&eq[col] != div.denom || eq[1..col] != div.num[1..col] {
        return None;
    }
    let rest = &div.num[0] - &eq[0];
    let in_range = !rest.is_neg() && rest < div.denom;
    in_range.then(|| format!("({}) mod {} = {rest}", linear(&div.num, names), div.denom))
}

fn equality_text(eq: &Row, names: &Names) -> String {
    let col = row::last_column(eq);
    if col == 0 {
        return format!("{} = 0", eq[0]);
    }
    let mut rest = eq.clone();
    let factor = std::mem::replace(&mut rest[col], Int::ZERO);
    if factor.is_pos() {
        rest = row::negated(&rest);
    }
    format!("{} = {}", term(&factor.abs(), names.column(col)), linear(&rest, names))
}

/// A bound on a multiple of a column: `factor * column >= rest` or `<= rest`.
struct Bound {
    col: usize,
    factor: Int,
    lower: bool,
    rest: Row,
}

impl Bound {
    /// The inequality as a bound on its last column that is no div, if there is one.
    fn of(ineq: &Row, first_div: usize) -> Bound {
        let vars = row::last_column(&ineq[..first_div]);
        let col = if vars > 0 { vars } else { row::last_column(ineq) };
        let mut rest = ineq.clone();
        let factor = std::mem::replace(&mut rest[col], Int::ZERO);
        let lower = factor.is_pos();
        if lower {
            rest = row::negated(&rest);
        }
        Bound { col, factor: factor.abs(), lower, rest }
    }

    /// The operator between the bound and the column, and the text of the bound; a constant of
    /// minus one (of the inequality) is made a strict comparison.
    fn limit(&self, names: &Names) -> (&'static str, String) {
        let mut rest = self.rest.clone();
        let strict = if self.lower { rest[0].is_one() } else { rest[0].is_neg_one() };
        if strict {
            rest[0] = Int::ZERO;
        }
        (if strict { "<" } else { "<=" }, linear(&rest, names))
    }
}

fn bounds_text(ineqs: &[Row], first_div: usize, names: &Names) -> Vec<String> {
    let (constant, ineqs): (Vec<&Row>, Vec<&Row>) = ineqs.iter().partition(|r| row::last_column(r) == 0);
    let mut texts: Vec<String> = constant.iter().map(|r| format!("{} >= 0", r[0])).collect();
    let bounds: Vec<Bound> = ineqs.iter().map(|r| Bound::of(r, first_div)).collect();
    let mut done = vec![false; bounds.len()];
    for i in 0..bounds.len() {
        if std::mem::replace(&mut done[i], true) {
            continue;
        }
        let b = &bounds[i];
        let matches = |j: &usize| {
            let o = &bounds[*j];
            !done[*j] && o.col == b.col && o.factor == b.factor && o.lower != b.lower
        };
        let partner = (i + 1..bounds.len()).find(matches);
        let name = term(&b.factor, names.column(b.col));
        let text = match partner {
            Some(j) => {
                done[j] = true;
                let (lower, upper) = if b.lower { (b, &bounds[j]) } else { (&bounds[j], b) };
                let ((lop, l), (uop, u)) = (lower.limit(names), upper.limit(names));
                format!("{l} {lop} {name} {uop} {u}")
            }
            None => {
                let (op, limit) = b.limit(names);
                let op = if b.lower { op.replace('<', ">") } else { op.to_owned() };
                format!("{name} {op} {limit}")
            }
        };
        texts.push(text);
    }
    texts
}
