//! Random conditions as text, over any names.
//!
//! Coefficients are mostly small, with a rare large one; conditions mix bounds, equalities, floors,
//! remainders, existentials and disjunctions. What has to be decided without a library is in
//! [`crate::model`].

pub use crate::random::Random;

/// What random conditions look like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Existentials, remainders and floors may occur.
    pub divisions: bool,
    /// Bound every dimension by a constant box of this size.
    pub boxed: Option<i64>,
    /// Largest number of disjuncts.
    pub max_disjuncts: i64,
}

/// A random affine expression over the variables.
pub fn expression(r: &mut Random, vars: &[&str]) -> String {
    let mut text = r.range(-9, 9).to_string();
    for v in vars {
        if r.one_in(2) {
            let c = if r.one_in(20) { r.range(-40, 40) } else { r.range(-3, 3) };
            let (sign, c) = if c < 0 { ('-', -c) } else { ('+', c) };
            text.push_str(&format!(" {sign} {c}*{v}"));
        }
    }
    text
}

fn atom(r: &mut Random, vars: &[&str], shape: Shape) -> String {
    let e = expression(r, vars);
    if shape.divisions && r.one_in(4) {
        let d = r.range(2, 5);
        return match r.range(0, 3) {
            0 => format!("({e}) mod {d} = {}", r.range(0, d - 1)),
            1 => format!("floor(({e})/{d}) >= {}", expression(r, vars)),
            2 => format!("exists (e0: {d}*e0 <= {e} and 2*e0 >= {})", expression(r, vars)),
            _ => format!("exists (e0: {d}*e0 = {e} and e0 >= {})", r.range(-3, 3)),
        };
    }
    match r.range(0, 5) {
        0 => format!("{e} = 0"),
        1 => format!("{e} <= {}", expression(r, vars)),
        _ => format!("{e} >= 0"),
    }
}

/// A random condition over parameters and dimensions.
pub fn condition(r: &mut Random, params: &[&str], dims: &[&str], shape: Shape) -> String {
    let vars: Vec<&str> = params.iter().chain(dims).copied().collect();
    let mut disjuncts = Vec::new();
    for _ in 0..r.range(1, shape.max_disjuncts) {
        let mut parts: Vec<String> = Vec::new();
        for _ in 0..r.range(1, 3) {
            parts.push(atom(r, &vars, shape));
        }
        if r.one_in(2) {
            let v = r.pick(dims);
            let low = r.range(-5, 5);
            parts.push(format!("{low} <= {v} <= {}", low + r.range(0, 9)));
        }
        if let Some(size) = shape.boxed {
            parts.extend(dims.iter().map(|d| format!("-{size} <= {d} <= {size}")));
        }
        disjuncts.push(format!("({})", parts.join(" and ")));
    }
    disjuncts.join(" or ")
}
