//! Where the values that a loop nest reads come from, and which loops that allows to run in
//! parallel.
//!
//!     cargo run -p poly-presburger --example dependences
//!
//! ```c
//! for (int t = 0; t < T; t++)
//!   for (int i = 1; i < N; i++)
//!     A[i] = f(A[i - 1], A[i]);
//! ```

use poly_presburger::{Budget, Map, Set};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let budget = &mut Budget::new(1_000_000);
    let domain: Set = "[T, N] -> { S[t, i] : 0 <= t < T and 1 <= i < N }".parse()?;
    let writes = "{ S[t, i] -> A[i] }".parse::<Map>()?.intersect_domain(&domain);

    let mut distances: Option<Set> = None;
    for read in ["{ S[t, i] -> A[i - 1] }", "{ S[t, i] -> A[i] }"] {
        let read = read.parse::<Map>()?.intersect_domain(&domain);
        // From each read to the earlier writes of the same element; the last of them wrote the
        // value.
        let writers = read.apply_range(&writes.reverse()).intersect(&Map::lex_gt(domain.space()));
        let source = writers.lexmax(budget)?.coalesce(budget)?;
        println!("the value of {read}\n  comes from {source}");
        let here = source.to_map().reverse().deltas();
        distances = Some(distances.map_or(here.clone(), |all| all.union(&here)));
    }

    // A loop can run in parallel, as far as values flow, if no distance is in it and not in the
    // loops around.
    let distances = distances.expect("there are two reads").coalesce(budget)?;
    println!("distances: {distances}");
    for (loop_name, carried) in [("t", "{ S[t, i] : t > 0 }"), ("i", "{ S[t, i] : t = 0 and i > 0 }")] {
        let carried: Set = carried.parse()?;
        let parallel = distances.intersect(&carried).is_empty(budget)?;
        println!("loop {loop_name} is {}", if parallel { "parallel" } else { "not parallel" });
    }
    Ok(())
}
