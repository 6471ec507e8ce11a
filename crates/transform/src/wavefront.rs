//! Wavefronts: parallel loops in bands without one.
//!
//! # Problem
//! A permutable band no member of which is coincident still has parallelism: along the diagonals of its iteration space.
//!
//! # Transformation
//! Replace a member `x` by `x + y` for another member `y` [Lamport1974], [Bondhugula2008]. At equal `x + y`, a pair with a positive distance in `y` would have a
//! negative one in `x`; a permutable band has none. So at equal `x + y`, both distances are zero: `y` is coincident below it.
//!
//! # Legality
//! The band must be permutable: no pair that reaches it has a negative distance in `x` or `y`. The sum is then not negative either and
//! the band stays permutable. This holds for points and for tiles: `floor(x / size)` grows with `x`.

use poly_arith::Int;
use poly_schedule_tree::Band;

/// The band with `x + y` in place of its first member, `y` its second one, which becomes coincident.
///
/// # Panics
/// If the band is not permutable or has fewer than two members.
pub fn wavefront(band: &Band) -> Band {
    assert!(band.permutable && band.n_member() >= 2, "a wavefront needs a permutable band of two loops and more");
    let mut skewed = band.skew(0, 1, &Int::ONE);
    skewed.coincident = vec![false; band.n_member()];
    skewed.coincident[1] = true;
    skewed
}
