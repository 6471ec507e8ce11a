//! Counts the points of sets that are given in isl's syntax, for parameters and without.
//!
//!     cargo run --release -p poly-counting --example count -- "[n] -> { [i, j] : 0 <= 2i <= 3j <= n }"

use std::time::Instant;

use poly_counting::Card;
use poly_presburger::{Budget, UnionSet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for text in std::env::args().skip(1) {
        let set: UnionSet = text.parse()?;
        let budget = &mut Budget::unlimited();
        let start = Instant::now();
        let card = set.card(budget)?;
        println!("{card}");
        eprintln!(
            "{} steps, {:.3} s, {} characters",
            budget.spent(),
            start.elapsed().as_secs_f64(),
            card.to_string().len()
        );
    }
    Ok(())
}
