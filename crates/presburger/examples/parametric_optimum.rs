//! Optima as functions of parameters.
//!
//!     cargo run -p poly-presburger --example parametric_optimum
//!
//! How much memory does a tile of a triangle touch, and which iteration of a tile is the first?

use poly_presburger::{Aff, Budget, Map, Set};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let budget = &mut Budget::new(1_000_000);
    let domain: Set = "[n] -> { [i, j] : 0 <= j <= i < n }".parse()?;
    let tiles: Map = "{ [i, j] -> [floor(i/32), floor(j/32)] }".parse()?;

    // The first iteration of each tile, in the order of the loops.
    let of_tile = tiles.intersect_domain(&domain).reverse();
    let first = of_tile.lexmin(budget)?.coalesce(budget)?;
    println!("first of each tile: {first}");

    // The largest index into an array of the iterations of the triangle: a bound for its size.
    let index: Aff = "[n] -> { [i, j] -> [(2i + 3j + n)] }".parse()?;
    match domain.max_of(&index, budget)? {
        Some(most) => println!("largest index: {}", most.coalesce(budget)?),
        None => println!("the index has no bound"),
    }
    Ok(())
}
