//! Random conditions that can be printed, and decided point by point without any library.
//!
//! A [`Model`] is a disjunction of conjunctions of [`Atom`]s over parameters and dimensions. Atoms
//! with existentials are of kinds that have a closed form, so [`Model::holds`] is exact. The kinds
//! of conjunctions are those that make a set library go wrong: adjacent pieces cut by parallel and
//! nearly parallel constraints, divisions, equalities, cones without bounds, thin strips that hold
//! rational points but no integer ones, and coefficients at the ends of 32 and 64 bits.

use std::fmt::Write;

use crate::random::Random;

/// An affine expression over the variables of a model.
#[derive(Clone, Debug)]
pub struct Linear {
    constant: i128,
    coefficients: Vec<i128>,
}

impl Linear {
    /// A random expression over `n` variables.
    pub fn random(r: &mut Random, n: usize) -> Linear {
        let coefficient = |r: &mut Random| match r.range(0, 19) {
            0..=8 => 0,
            9..=18 => r.range(-3, 3),
            _ => r.range(-40, 40),
        };
        let coefficients = (0..n).map(|_| i128::from(coefficient(r))).collect();
        Linear { constant: r.range(-9, 9).into(), coefficients }
    }

    /// The value at a point.
    pub fn eval(&self, point: &[i64]) -> i128 {
        let terms = self.coefficients.iter().zip(point).map(|(c, &x)| c * i128::from(x));
        self.constant + terms.sum::<i128>()
    }

    /// What is not negative exactly where this is: `-1 - self`.
    pub fn complement(&self) -> Linear {
        Linear { constant: -1 - self.constant, coefficients: self.coefficients.iter().map(|c| -c).collect() }
    }

    /// The text, with these names for the variables.
    pub fn text(&self, names: &[String]) -> String {
        let mut text = self.constant.to_string();
        for (c, name) in self.coefficients.iter().zip(names).filter(|(c, _)| **c != 0) {
            let sign = if *c < 0 { '-' } else { '+' };
            write!(text, " {sign} {}*{name}", c.abs()).expect("writing to a string works");
        }
        text
    }
}

/// An elementary condition.
#[derive(Clone, Debug)]
pub enum Atom {
    /// The form is not negative.
    NonNegative(Linear),
    /// The form is zero.
    Zero(Linear),
    /// The remainder of the form by a positive number.
    Remainder(Linear, i128, i128),
    /// The floor of the first form, divided by a positive number, is at least the second form.
    FloorAtLeast(Linear, i128, Linear),
    /// There is a `q` with `d q <= a` and `e q >= b`.
    Between(i128, Linear, i128, Linear),
    /// The form is `d q` with `q >= low`.
    Multiple(Linear, i128, i128),
}

impl Atom {
    fn random(r: &mut Random, n: usize, divisions: bool) -> Atom {
        let form = Linear::random(r, n);
        if divisions && r.one_in(4) {
            let d = i128::from(r.range(2, 6));
            return match r.range(0, 3) {
                0 => Atom::Remainder(form, d, i128::from(r.range(0, 5)) % d),
                1 => Atom::FloorAtLeast(form, d, Linear::random(r, n)),
                2 => Atom::Between(d, form, i128::from(r.range(1, 4)), Linear::random(r, n)),
                _ => Atom::Multiple(form, d, r.range(-3, 3).into()),
            };
        }
        if r.one_in(7) { Atom::Zero(form) } else { Atom::NonNegative(form) }
    }

    fn holds(&self, point: &[i64]) -> bool {
        match self {
            Atom::NonNegative(e) => e.eval(point) >= 0,
            Atom::Zero(e) => e.eval(point) == 0,
            Atom::Remainder(e, d, rest) => e.eval(point).rem_euclid(*d) == *rest,
            Atom::FloorAtLeast(e, d, f) => e.eval(point).div_euclid(*d) >= f.eval(point),
            Atom::Between(d, a, e, b) => -(-b.eval(point)).div_euclid(*e) <= a.eval(point).div_euclid(*d),
            Atom::Multiple(e, d, low) => e.eval(point).rem_euclid(*d) == 0 && e.eval(point).div_euclid(*d) >= *low,
        }
    }

    fn text(&self, names: &[String]) -> String {
        match self {
            Atom::NonNegative(e) => format!("{} >= 0", e.text(names)),
            Atom::Zero(e) => format!("{} = 0", e.text(names)),
            Atom::Remainder(e, d, rest) => format!("({}) mod {d} = {rest}", e.text(names)),
            Atom::FloorAtLeast(e, d, f) => format!("floor(({})/{d}) >= {}", e.text(names), f.text(names)),
            Atom::Between(d, a, e, b) => {
                format!("exists (q: {d}*q <= {} and {e}*q >= {})", a.text(names), b.text(names))
            }
            Atom::Multiple(e, d, low) => format!("exists (q: {d}*q = {} and q >= {low})", e.text(names)),
        }
    }
}

/// What may occur in a model.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Atoms with divisions.
    pub divisions: bool,
    /// Largest number of disjuncts.
    pub disjuncts: i64,
    /// Whether every dimension is within [`BOX`] of zero.
    pub boxed: bool,
    /// Coefficients near the ends of 32 and 64 bits.
    pub large: bool,
    /// Thin strips in all disjuncts.
    pub thin: bool,
}

/// Unions with divisions, bounded or not.
pub const ANY: Kind = Kind { divisions: true, disjuncts: 3, boxed: false, large: false, thin: false };
/// One or two disjuncts.
pub const FEW: Kind = Kind { divisions: true, disjuncts: 2, boxed: false, large: false, thin: false };
/// Bounded sets.
pub const BOXED: Kind = Kind { divisions: true, disjuncts: 2, boxed: true, large: false, thin: false };
/// Extreme coefficients.
pub const LARGE: Kind = Kind { divisions: false, disjuncts: 2, boxed: false, large: true, thin: false };

/// Sets with rational points, and integer ones only by chance.
pub const THIN: Kind = Kind { divisions: true, disjuncts: 1, boxed: false, large: false, thin: true };

/// Bound of all dimensions of boxed models, and of the enumeration.
pub const BOX: i64 = 4;

/// The values of the parameter that are tried.
pub const PARAMS: [i64; 4] = [-3, 0, 2, 5];

/// Size of the box that is enumerated, and that boxed models are within.
const fn radius(n_dim: usize) -> i64 {
    if n_dim <= 3 { BOX } else { 2 }
}

/// A conjunction with some existentially quantified variables of a limited range.
#[derive(Clone, Debug)]
struct Conjunction {
    atoms: Vec<Atom>,
    quantified: usize,
}

/// Quantified variables are between minus this and this.
const QUANTIFIED: i64 = 3;

impl Conjunction {
    fn holds(&self, point: &mut Vec<i64>) -> bool {
        self.extended(point, self.quantified)
    }

    fn extended(&self, point: &mut Vec<i64>, left: usize) -> bool {
        if left == 0 {
            return self.atoms.iter().all(|a| a.holds(point));
        }
        (-QUANTIFIED..=QUANTIFIED).any(|x| {
            point.push(x);
            let holds = self.extended(point, left - 1);
            point.pop();
            holds
        })
    }

    fn text(&self, names: &[String]) -> String {
        let quantified: Vec<String> = (0..self.quantified).map(|i| format!("e{i}")).collect();
        let names: Vec<String> = names.iter().chain(&quantified).cloned().collect();
        let bounds = quantified.iter().map(|e| format!("-{QUANTIFIED} <= {e} <= {QUANTIFIED}"));
        let atoms: Vec<String> = self.atoms.iter().map(|a| a.text(&names)).chain(bounds).collect();
        match (quantified.is_empty(), atoms.is_empty()) {
            (true, true) => "(0 = 0)".to_owned(),
            (true, false) => format!("({})", atoms.join(" and ")),
            (false, _) => format!("(exists ({}: {}))", quantified.join(", "), atoms.join(" and ")),
        }
    }
}

/// A condition over parameters, which are the first variables, and dimensions.
#[derive(Clone, Debug)]
pub struct Model {
    n_param: usize,
    n_dim: usize,
    disjuncts: Vec<Conjunction>,
}

impl Model {
    /// A random condition over `n_param` parameters and `n_dim` dimensions.
    pub fn random(r: &mut Random, n_param: usize, n_dim: usize, kind: Kind) -> Model {
        let n = n_param + n_dim;
        let mut disjuncts: Vec<Conjunction> = Vec::new();
        for _ in 0..r.range(1, kind.disjuncts) {
            let quantified = if kind.divisions && r.one_in(6) { r.size(1, 2) } else { 0 };
            let conjunction = match r.range(0, 9) {
                0 | 1 if !disjuncts.is_empty() => neighbour(r, disjuncts.last().expect("there is one"), n),
                2 => Conjunction { atoms: cone(r, n), quantified: 0 },
                k if k == 3 || kind.thin => Conjunction { atoms: thin(r, n), quantified: 0 },
                _ => {
                    let n = n + quantified;
                    let atoms = (0..r.range(1, 3)).map(|_| Atom::random(r, n, kind.divisions)).collect();
                    Conjunction { atoms, quantified }
                }
            };
            disjuncts.push(conjunction);
        }
        for conjunction in &mut disjuncts {
            if kind.large {
                enlarge(r, &mut conjunction.atoms);
            }
            let n = n + conjunction.quantified;
            if n_dim > 0 && r.one_in(2) {
                conjunction.atoms.extend(strip(r, n, n_param, n_dim));
            }
            if kind.boxed {
                let dims = n_param..n_param + n_dim;
                dims.for_each(|v| conjunction.atoms.extend(bounds(n, v, -radius(n_dim), radius(n_dim))));
            }
        }
        Model { n_param, n_dim, disjuncts }
    }

    /// Whether the condition holds for `[parameters, dimensions]`.
    pub fn holds(&self, point: &[i64]) -> bool {
        let mut point = point.to_vec();
        self.disjuncts.iter().any(|c| c.holds(&mut point))
    }

    /// The condition, with these names for the parameters and dimensions.
    pub fn condition(&self, names: &[String]) -> String {
        self.disjuncts.iter().map(|c| c.text(names)).collect::<Vec<_>>().join(" or ")
    }

    /// Number of parameters.
    pub fn n_param(&self) -> usize {
        self.n_param
    }

    /// Number of dimensions.
    pub fn n_dim(&self) -> usize {
        self.n_dim
    }
}

/// At most so many points are tried.
const MOST_POINTS: usize = 700;

/// Some `[parameters, dimensions]` in a box; all where there are few.
pub fn points(r: &mut Random, n_param: usize, n_dim: usize) -> Vec<Vec<i64>> {
    let all = all_points(n_param, n_dim);
    if all.len() <= MOST_POINTS {
        return all;
    }
    let step = all.len() / MOST_POINTS + 1;
    let start = r.size(0, step - 1);
    all.into_iter().skip(start).step_by(step).collect()
}

/// All `[parameters, dimensions]` with parameters in [`PARAMS`] and dimensions within [`BOX`].
pub fn all_points(n_param: usize, n_dim: usize) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    let values: Vec<i64> = (-radius(n_dim)..=radius(n_dim)).collect();
    let ranges = std::iter::repeat_n(&PARAMS[..], n_param).chain(std::iter::repeat_n(&values[..], n_dim));
    for range in ranges {
        let extend =
            |p: &Vec<i64>| -> Vec<Vec<i64>> { range.iter().map(|&x| p.iter().copied().chain([x]).collect()).collect() };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

fn unit(n: usize, v: usize, coefficient: i128, constant: i128) -> Linear {
    let mut coefficients = vec![0; n];
    coefficients[v] = coefficient;
    Linear { constant, coefficients }
}

fn bounds(n: usize, v: usize, low: i64, high: i64) -> [Atom; 2] {
    let (low, high) = (i128::from(low), i128::from(high));
    [Atom::NonNegative(unit(n, v, 1, -low)), Atom::NonNegative(unit(n, v, -1, high))]
}

/// Constant bounds of a dimension.
fn strip(r: &mut Random, n: usize, n_param: usize, n_dim: usize) -> [Atom; 2] {
    let v = n_param + r.size(0, n_dim - 1);
    let low = r.range(-5, 5);
    bounds(n, v, low, low + r.range(0, 8))
}

/// The other side of one constraint of a conjunction, sometimes turned or moved a little.
fn neighbour(r: &mut Random, base: &Conjunction, n: usize) -> Conjunction {
    let (mut atoms, n) = (base.atoms.clone(), n + base.quantified);
    let at = r.size(0, atoms.len() - 1);
    if let Atom::NonNegative(e) = &atoms[at] {
        let mut other = Linear { constant: -e.constant, coefficients: e.coefficients.iter().map(|c| -c).collect() };
        other.constant += i128::from(r.range(-2, 1));
        if n > 0 && r.one_in(4) {
            other.coefficients[r.size(0, n - 1)] += i128::from(r.range(-1, 1));
        }
        atoms[at] = Atom::NonNegative(other);
    } else {
        atoms.remove(at);
        atoms.push(Atom::NonNegative(Linear::random(r, n)));
    }
    Conjunction { atoms, quantified: base.quantified }
}

/// Homogeneous constraints.
fn cone(r: &mut Random, n: usize) -> Vec<Atom> {
    let form = |r: &mut Random| Linear { constant: 0, ..Linear::random(r, n) };
    (0..r.range(1, 3)).map(|_| Atom::NonNegative(form(r))).collect()
}

/// `low <= k * form + ... <= low + width` with a width less than the coefficients have in common:
/// rational points, and integer ones only by chance.
fn thin(r: &mut Random, n: usize) -> Vec<Atom> {
    let k = i128::from(r.range(2, 6));
    let form = Linear::random(r, n);
    let offset = i128::from(r.range(-9, 9));
    let coefficients: Vec<i128> = form.coefficients.iter().map(|c| c * k).collect();
    let negated = coefficients.iter().map(|c| -c).collect();
    let width = i128::from(r.range(0, 2)).min(k - 1);
    vec![
        Atom::NonNegative(Linear { constant: -offset, coefficients }),
        Atom::NonNegative(Linear { constant: offset + width, coefficients: negated }),
    ]
}

/// Make some numbers extreme.
fn enlarge(r: &mut Random, atoms: &mut [Atom]) {
    let large = |r: &mut Random| {
        let base = *r.pick(&[1i128 << 31, (1 << 31) - 1, 1 << 62, (1 << 63) - 1, 1 << 63]);
        (base - i128::from(r.range(0, 2))) * i128::from(*r.pick(&[1, -1]))
    };
    for atom in atoms {
        if let Atom::NonNegative(e) | Atom::Zero(e) = atom {
            let v = r.size(0, e.coefficients.len());
            match e.coefficients.get_mut(v) {
                Some(c) => *c = large(r),
                None => e.constant = large(r),
            }
        }
    }
}
