//! Operations on vectors of integers, which are plain slices.

use poly_arith::Int;

/// The scalar product.
///
/// # Panics
/// If the lengths differ.
pub fn dot(a: &[Int], b: &[Int]) -> Int {
    assert_eq!(a.len(), b.len(), "a scalar product needs vectors of equal length");
    let mut sum = Int::ZERO;
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum += x * y;
        }
    }
    sum
}

/// The greatest common divisor of the elements, 0 for a zero vector.
pub fn gcd(row: &[Int]) -> Int {
    let mut gcd = Int::ZERO;
    for value in row {
        if !value.is_zero() {
            gcd = gcd.gcd(value);
            if gcd.is_one() {
                break;
            }
        }
    }
    gcd
}

/// Divides a vector by the greatest common divisor of its elements, which is returned.
pub fn normalize(row: &mut [Int]) -> Int {
    let gcd = gcd(row);
    if !gcd.is_zero() && !gcd.is_one() {
        for value in row {
            *value = value.div_exact(&gcd);
        }
    }
    gcd
}

/// `dst += factor * src`
pub fn add_multiple(dst: &mut [Int], factor: &Int, src: &[Int]) {
    debug_assert_eq!(dst.len(), src.len());
    if factor.is_zero() {
        return;
    }
    for (x, y) in dst.iter_mut().zip(src) {
        if !y.is_zero() {
            *x += factor * y;
        }
    }
}

/// `dst = a * dst + b * src`
pub fn combine(dst: &mut [Int], a: &Int, src: &[Int], b: &Int) {
    debug_assert_eq!(dst.len(), src.len());
    for (x, y) in dst.iter_mut().zip(src) {
        *x = &*x * a + y * b;
    }
}

/// Negates every element.
pub fn negate(row: &mut [Int]) {
    for value in row {
        *value = -&*value;
    }
}

/// Are all elements 0?
pub fn is_zero(row: &[Int]) -> bool {
    row.iter().all(Int::is_zero)
}
