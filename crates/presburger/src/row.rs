//! Constraint rows: dense integer vectors `[const | params | in | out | divs]` and the few
//! kernels that everything above is written with.

use poly_arith::Int;

/// Coefficients of one affine form, the constant first.
pub type Row = Vec<Int>;

/// A row of `len` zeros.
pub(crate) fn zeros(len: usize) -> Row {
    vec![Int::ZERO; len]
}

/// A copy with zeros appended up to `len` entries.
pub(crate) fn lengthened(row: &[Int], len: usize) -> Row {
    let mut copy = Vec::with_capacity(len);
    copy.extend_from_slice(row);
    copy.resize(len, Int::ZERO);
    copy
}

/// The row of `len` entries whose only nonzero entry is a one at `col`.
pub(crate) fn unit(len: usize, col: usize) -> Row {
    let mut row = zeros(len);
    row[col] = Int::ONE;
    row
}

/// Whether all entries are zero.
pub(crate) fn is_zero(row: &[Int]) -> bool {
    row.iter().all(Int::is_zero)
}

/// The negated row.
pub(crate) fn negated(row: &[Int]) -> Row {
    row.iter().map(|x| -x).collect()
}

/// `row = -row`.
pub(crate) fn negate(row: &mut [Int]) {
    for x in row.iter_mut().filter(|x| !x.is_zero()) {
        *x = -&*x;
    }
}

/// `-row - 1`: the integer negation of the inequality `row >= 0`.
pub(crate) fn complemented(row: &[Int]) -> Row {
    let mut row = negated(row);
    row[0] -= Int::ONE;
    row
}

/// `dst += k * src`, where `src` may be shorter than `dst`.
pub(crate) fn add_scaled(dst: &mut [Int], k: &Int, src: &[Int]) {
    if k.is_zero() {
        return;
    }
    for (d, s) in dst.iter_mut().zip(src) {
        if !s.is_zero() {
            *d += &(k * s);
        }
    }
}

/// `row *= k`.
pub(crate) fn scale(row: &mut [Int], k: &Int) {
    if k.is_one() {
        return;
    }
    for x in row.iter_mut().filter(|x| !x.is_zero()) {
        *x = &*x * k;
    }
}

/// `a * x + b * y`.
pub(crate) fn combination(a: &Int, x: &[Int], b: &Int, y: &[Int]) -> Row {
    x.iter().zip(y).map(|(x, y)| &(a * x) + &(b * y)).collect()
}

/// The greatest common divisor of all entries (0 if all are zero).
pub(crate) fn gcd(row: &[Int]) -> Int {
    // Most rows have a unit coefficient.
    if row.iter().any(|x| x.is_one() || x.is_neg_one()) {
        return Int::ONE;
    }
    let mut g = Int::ZERO;
    for x in row {
        if !x.is_zero() {
            g = g.gcd(x);
            if g.is_one() {
                break;
            }
        }
    }
    g
}

/// Divide all entries by a divisor of them.
pub(crate) fn div_exact(row: &mut [Int], d: &Int) {
    if d.is_one() {
        return;
    }
    for x in row.iter_mut().filter(|x| !x.is_zero()) {
        *x = x.div_exact(d);
    }
}

/// Remove column `col` from `row` by means of the equality `eq`, in which it occurs: `row` is
/// scaled by a positive number, which is returned, and a multiple of `eq` is added.
pub(crate) fn eliminate(row: &mut Row, col: usize, eq: &[Int]) -> Int {
    if row[col].is_zero() {
        return Int::ONE;
    }
    let g = eq[col].gcd(&row[col]);
    let mut keep = eq[col].div_exact(&g);
    let mut add = -&row[col].div_exact(&g);
    if keep.is_neg() {
        keep = -&keep;
        add = -&add;
    }
    scale(row, &keep);
    add_scaled(row, &add, eq);
    keep
}

/// The entries of `row` moved to `map[c]` in a row of `len` zeros; entries mapped to
/// `usize::MAX` are dropped and must be zero.
pub(crate) fn scatter(row: &[Int], map: &[usize], len: usize) -> Row {
    let mut out = zeros(len);
    for (x, &to) in row.iter().zip(map) {
        if to == usize::MAX {
            debug_assert!(x.is_zero(), "a column in use cannot be dropped");
        } else if !x.is_zero() {
            out[to] = x.clone();
        }
    }
    out
}

/// The last column with a nonzero entry, not counting the constant; 0 if there is none.
pub(crate) fn last_column(row: &[Int]) -> usize {
    row.iter().rposition(|x| !x.is_zero()).unwrap_or(0)
}

/// The first column after the constant with a nonzero entry.
pub(crate) fn first_column(row: &[Int]) -> Option<usize> {
    (1..row.len()).find(|&c| !row[c].is_zero())
}

/// The value of the affine form at a point given without the leading 1.
pub(crate) fn evaluate(row: &[Int], point: &[Int]) -> Int {
    let mut value = row[0].clone();
    for (a, x) in row[1..].iter().zip(point) {
        if !a.is_zero() && !x.is_zero() {
            value += &(a * x);
        }
    }
    value
}

/// A hash value of the coefficients of a row, of which one may be given apart, negated; none if a
/// number is large. The opposite row has the same.
pub(crate) fn normal_hash(row: &[Int], excluded: Option<(usize, &Int)>) -> Option<u64> {
    let weight = |col: usize| {
        let x = (col as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) | 1
    };
    let mut hash = 0u64;
    for (col, x) in row.iter().enumerate().skip(1) {
        if !x.is_zero() {
            hash = hash.wrapping_add((x.to_i64()? as u64).wrapping_mul(weight(col)));
        }
    }
    if let Some((col, x)) = excluded {
        hash = hash.wrapping_sub((x.to_i64()? as u64).wrapping_mul(weight(col)));
    }
    // It is linear so far: that of the opposite row is the negative one.
    Some(hash.min(hash.wrapping_neg()))
}

/// Divide an inequality by the gcd `g` of its coefficients, rounding the constant down.
pub(crate) fn tighten(row: &mut [Int], g: &Int) {
    if g.is_one() {
        return;
    }
    row[0] = row[0].div_floor(g);
    div_exact(&mut row[1..], g);
}

/// Whether two inequalities are opposite, and the sum of their constants.
#[inline]
pub(crate) fn opposite(x: &[Int], y: &[Int]) -> Option<Int> {
    let is_opposite = x[1..].iter().zip(&y[1..]).all(|(p, q)| p.is_opposite_of(q));
    is_opposite.then(|| &x[0] + &y[0])
}
