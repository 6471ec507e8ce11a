//! Dependences with their distances, for people.

use std::fmt::Write;

use poly_dependence::{Dependence, Distance, Options};
use poly_presburger::{Budget, Stop};

use crate::driver::Analysis;
use crate::problem::dependence_problem;

/// The dependences of a SCoP as text, one after the other, each with distance, direction and depth
/// in the loops that source and sink have in common; with `input` also those between reads of
/// different statements.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn describe_dependences(analysis: &Analysis, input: bool, budget: &mut Budget) -> Result<String, Stop> {
    let mut dependences = analysis.dependences.clone();
    if input {
        let options = Options { input, reductions: analysis.reductions };
        let all = poly_dependence::analyse(&dependence_problem(&analysis.scop), &options, budget)?.dependences;
        dependences.dependences.extend(all.into_iter().filter(|d| !d.is_ordering()));
    }
    let mut text = String::new();
    for dependence in &dependences.dependences {
        let common = common_loops(analysis, dependence);
        writeln!(text, "{dependence}").expect("writing to a String cannot fail");
        if common == 0 {
            text.push_str("  no common loop\n");
            continue;
        }
        let distance = Distance(dependence.distance(budget)?.0[..common].to_vec());
        let depth = dependence.depth(common, budget)?;
        writeln!(text, "  distance {distance}, direction {}, depth {depth}", distance.directions())
            .expect("writing to a String cannot fail");
    }
    Ok(text)
}

/// Number of loops around both ends.
fn common_loops(analysis: &Analysis, dependence: &Dependence) -> usize {
    let loops = |statement: usize| &analysis.scop.statements[statement].loops;
    loops(dependence.source.0).iter().zip(loops(dependence.sink.0)).take_while(|(a, b)| a == b).count()
}
