//! Printing in isl's text syntax.
//!
//! A set prints as `[n] -> { S[i, j] : 0 <= i < n and ... }`. Known divs print in place as
//! `floor((i)/2)` (equalities with them as `(i) mod 2 = 0`), unknown ones as `exists (e0: ...)`. A
//! dimension that an equality determines from earlier ones prints as that expression. Everything
//! printed can be parsed again.

use std::fmt;

use crate::aff::Aff;
use crate::basic::{BasicMap, BasicSet};
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::solver::System;
use crate::space::{DimKind, Id, Space, Tuple};
use crate::union::{UnionMap, UnionSet};
use crate::union_pw::{MultiUnionPwAff, UnionPwAff};

mod constraints;
mod names;
mod texts;

use constraints::Disjunct;
use names::{Names, linear};
pub use texts::affine_text;

/// `[n, m] -> `, or nothing without parameters.
fn write_params(f: &mut fmt::Formatter<'_>, params: &[Id]) -> fmt::Result {
    if params.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = params.iter().map(Id::as_str).collect();
    write!(f, "[{}] -> ", names.join(", "))
}

/// A tuple with these texts for its dimensions.
fn tuple_text(tuple: &Tuple, dims: &[String]) -> String {
    let name = tuple.name_str().unwrap_or("");
    match &tuple.nested {
        Some(nested) => {
            let (a, b) = dims.split_at(nested.0.n());
            format!("{name}[{} -> {}]", tuple_text(&nested.0, a), tuple_text(&nested.1, b))
        }
        None => format!("{name}[{}]", dims.join(", ")),
    }
}

/// Both tuples of a space with these texts for the domain and the range dimensions.
fn tuples_text(space: &Space, dims: &[String]) -> String {
    let (input, output) = dims.split_at(space.dim(DimKind::In));
    let range = space.range.as_ref().map(|t| tuple_text(t, output));
    match (&space.domain, range) {
        (Some(d), Some(r)) => format!("{} -> {r}", tuple_text(d, input)),
        (Some(d), None) => tuple_text(d, input),
        (None, Some(r)) => r,
        (None, None) => String::new(),
    }
}

/// A union of polyhedra of rational points: constraints as they are, as `0 < x` means something
/// else here than for integers.
pub(crate) fn rational_condition(f: &mut fmt::Formatter<'_>, space: &Space, parts: &[System]) -> fmt::Result {
    let names = Names::of(space);
    let head = format!("rat: {}", tuples_text(space, names.dims(space)));
    let text = |part: &System| {
        let eqs = part.eqs.iter().map(|eq| format!("{} = 0", linear(eq, &names)));
        let ineqs = part.ineqs.iter().map(|form| format!("{} >= 0", linear(form, &names)));
        item(head.trim_end(), &eqs.chain(ineqs).collect::<Vec<_>>().join(" and "))
    };
    let items = if parts.is_empty() { vec![item(head.trim_end(), "false")] } else { parts.iter().map(text).collect() };
    write_braced(f, &space.params, &items)
}

/// The items of a relation between the braces.
fn map_items(map: &Map) -> Vec<String> {
    let space = map.space();
    if map.basics.is_empty() {
        let names = Names::of(space);
        return vec![item(&tuples_text(space, names.dims(space)), "false")];
    }
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for basic in &map.basics {
        let d = Disjunct::of(basic);
        let head = tuples_text(space, &d.dims);
        match groups.last_mut().filter(|(h, _)| *h == head) {
            Some((_, list)) => list.push(d.condition),
            None => groups.push((head, vec![d.condition])),
        }
    }
    groups.iter().map(|(head, conditions)| item(head, &disjunction(conditions))).collect()
}

fn item(head: &str, condition: &str) -> String {
    match (head.is_empty(), condition.is_empty()) {
        (_, true) if !head.is_empty() => head.to_owned(),
        (true, true) => ":".to_owned(),
        (true, false) => format!(": {condition}"),
        _ => format!("{head} : {condition}"),
    }
}

/// The disjunction of conditions, an empty one being true.
fn disjunction(conditions: &[String]) -> String {
    match conditions {
        [one] => one.clone(),
        _ if conditions.iter().any(String::is_empty) => String::new(),
        _ => {
            let wrap = |c: &String| {
                if c.contains(" and ") { format!("({c})") } else { c.clone() }
            };
            conditions.iter().map(wrap).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// The condition of a set, for use after an expression; empty if it is always true.
fn condition_text(set: &Set, names: &Names) -> String {
    let texts: Vec<String> = set.basics.iter().map(|b| constraints::all_of(b, names)).collect();
    if texts.is_empty() { "false".to_owned() } else { disjunction(&texts) }
}

fn write_braced(f: &mut fmt::Formatter<'_>, params: &[Id], items: &[String]) -> fmt::Result {
    write_params(f, params)?;
    if items.is_empty() {
        return f.write_str("{ }");
    }
    write!(f, "{{ {} }}", items.join("; "))
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_braced(f, &self.space.params, &map_items(self))
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for BasicMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Map::from_basic(self.clone()), f)
    }
}

impl fmt::Display for BasicSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for UnionMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.iter().flat_map(map_items).collect();
        write_braced(f, &self.params, &items)
    }
}

impl fmt::Display for UnionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.iter().flat_map(|s| map_items(s)).collect();
        write_braced(f, &self.params, &items)
    }
}

/// The value of an expression, in parentheses.
fn aff_text(aff: &Aff, names: &Names) -> String {
    let names = names.with_divs(aff.divs());
    let text = linear(aff.row(), &names);
    if aff.denom().is_one() { format!("({text})") } else { format!("(({text})/{})", aff.denom()) }
}

fn domain_head(space: &Space, names: &Names) -> String {
    let head = tuples_text(space, names.dims(space));
    if head.is_empty() { head } else { format!("{head} -> ") }
}

fn with_condition(text: String, condition: &str) -> String {
    if condition.is_empty() { text } else { format!("{text} : {condition}") }
}

fn pw_aff_items(pw: &PwAff) -> Vec<String> {
    let names = Names::of(&pw.space);
    let piece = |(set, aff): &(Set, Aff)| {
        let text = format!("{}[{}]", domain_head(&pw.space, &names), aff_text(aff, &names));
        with_condition(text, &condition_text(set, &names))
    };
    pw.pieces.iter().map(piece).collect()
}

fn multi_aff_text(ma: &MultiAff, names: &Names) -> String {
    let domain = ma.domain_space();
    let values: Vec<String> = ma.affs().iter().map(|a| aff_text(a, names)).collect();
    let range = ma.space().range.as_ref().expect("a function has a range");
    format!("{}{}", domain_head(&domain, names), tuple_text(range, &values))
}

impl fmt::Display for Aff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&PwAff::from_aff(self.clone()), f)
    }
}

impl fmt::Display for PwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pieces.is_empty() {
            return write_empty_function(f, &self.space, &Tuple::anonymous(1));
        }
        write_braced(f, &self.space.params, &pw_aff_items(self))
    }
}

/// A function without pieces, such that its space is read again.
fn write_empty_function(f: &mut fmt::Formatter<'_>, domain: &Space, range: &Tuple) -> fmt::Result {
    let head = domain_head(domain, &Names::of(domain));
    let values = vec!["(0)".to_owned(); range.n()];
    write_braced(f, &domain.params, &[item(&format!("{head}{}", tuple_text(range, &values)), "false")])
}

impl fmt::Display for UnionPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.iter().flat_map(pw_aff_items).collect();
        write_braced(f, &self.params, &items)
    }
}

impl fmt::Display for MultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::of(&self.domain_space());
        write_braced(f, &self.space.params, &[multi_aff_text(self, &names)])
    }
}

fn pw_multi_aff_items(pw: &PwMultiAff) -> Vec<String> {
    let names = Names::of(&pw.domain_space());
    let piece = |(set, ma): &(Set, MultiAff)| with_condition(multi_aff_text(ma, &names), &condition_text(set, &names));
    pw.pieces.iter().map(piece).collect()
}

impl fmt::Display for PwMultiAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pieces.is_empty() {
            let range = self.space.range.as_ref().expect("a function has a range");
            return write_empty_function(f, &self.domain_space(), range);
        }
        write_braced(f, &self.space.params, &pw_multi_aff_items(self))
    }
}

/// The pieces of several functions in one pair of braces.
pub(crate) fn write_functions<'a>(
    f: &mut fmt::Formatter<'_>,
    params: &[Id],
    functions: impl Iterator<Item = &'a PwMultiAff>,
) -> fmt::Result {
    let items: Vec<String> = functions.flat_map(pw_multi_aff_items).collect();
    write_braced(f, params, &items)
}

impl fmt::Display for MultiUnionPwAff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_params(f, &self.space.params)?;
        let member = |m: &UnionPwAff| {
            let items: Vec<String> = m.iter().flat_map(pw_aff_items).collect();
            if items.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", items.join("; ")) }
        };
        let members: Vec<String> = self.members.iter().map(member).collect();
        let tuple = tuple_text(&self.tuple().flattened(), &members);
        let name = self.tuple().name_str().unwrap_or("");
        match &self.domain {
            Some(domain) => {
                let items: Vec<String> = domain.iter().flat_map(|s| map_items(s)).collect();
                write!(f, "({name}{tuple} : {{ {} }})", items.join("; "))
            }
            None => write!(f, "{name}{tuple}"),
        }
    }
}

macro_rules! debug_as_display {
    ($($ty:ty),*) => {$(
        impl fmt::Debug for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}
debug_as_display!(
    Map,
    Set,
    BasicMap,
    BasicSet,
    UnionMap,
    UnionSet,
    Aff,
    PwAff,
    UnionPwAff,
    MultiAff,
    PwMultiAff,
    MultiUnionPwAff
);
