//! Random sets, relations and functions as text.
//!
//! The generator is seeded and deterministic. Coefficients are mostly small, with a rare large one;
//! conditions mix bounds, equalities, floors, remainders, existentials and disjunctions.

/// A deterministic stream of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `low..=high`.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        let n = u64::try_from(high - low + 1).expect("the range is not empty");
        low + i64::try_from(self.next() % n).expect("the offset is within the range")
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: i64) -> bool {
        self.range(1, n) == 1
    }

    /// One of several values.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        let i = self.range(0, values.len() as i64 - 1);
        &values[usize::try_from(i).expect("the index is not negative")]
    }
}

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

/// A random set over the parameter `n`.
pub fn set(r: &mut Random, dims: &[&str], shape: Shape) -> String {
    let condition = condition(r, &["n"], dims, shape);
    format!("[n] -> {{ S[{}] : {condition} }}", dims.join(", "))
}

/// A random relation over the parameter `n`.
pub fn map(r: &mut Random, input: &[&str], output: &[&str], shape: Shape) -> String {
    let dims: Vec<&str> = input.iter().chain(output).copied().collect();
    let condition = condition(r, &["n"], &dims, shape);
    format!("[n] -> {{ [{}] -> [{}] : {condition} }}", input.join(", "), output.join(", "))
}

/// A random piecewise expression over two dimensions and the parameter `n`.
pub fn pw_aff(r: &mut Random) -> String {
    let vars = ["n", "i", "j"];
    let value = |r: &mut Random| {
        let e = expression(r, &vars);
        match r.range(0, 3) {
            0 => format!("floor(({e})/{})", r.range(2, 5)),
            1 => format!("({e}) mod {}", r.range(2, 5)),
            _ => e,
        }
    };
    let split = expression(r, &vars);
    let (a, b) = (value(r), value(r));
    format!("[n] -> {{ [i, j] -> [{a}] : {split} >= 0; [i, j] -> [{b}] : {split} < 0 }}")
}
