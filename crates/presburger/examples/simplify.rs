//! Simplifies a set that is given in isl's syntax.
//!
//!     cargo run -p poly-presburger --example simplify -- "{ [i] : exists (k: i = 3k) and (i < 5 or i >= 5) }"

use poly_presburger::{Budget, Set, Stop};

/// The set without quantifiers, with as few disjuncts and constraints as possible, and some facts
/// about it.
fn describe(set: &Set, budget: &mut Budget) -> Result<(), Stop> {
    let simple = set.clone().compute_divs(budget)?.coalesce(budget)?.remove_redundancies(budget)?;
    println!("simplified:  {simple}");
    println!("convex hull: {}", simple.clone().simple_hull(budget)?);
    println!("affine hull: {}", simple.affine_hull(budget)?);
    for i in 0..simple.n_dim() {
        println!("stride of dimension {i}: {}", simple.stride(i, budget)?);
    }
    match simple.sample(budget)? {
        Some(point) => println!("a point (parameters first): {point:?}"),
        None => println!("it is empty"),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let default = "[n] -> { [i, j] : exists (k: i = 3k and 0 <= k <= j) and (j < n or (j = n and i >= 0)) }";
    let text = std::env::args().nth(1).unwrap_or_else(|| default.to_owned());
    let set: Set = text.parse()?;
    println!("read:        {set}");
    describe(&set, &mut Budget::new(10_000_000))?;
    Ok(())
}
