//! Pieces of domains with loops of their own: the same instances in the same order.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::pieces::apart;
use poly_scop::{Outcome, Profitability, Scop, optimize};
use support::execution::{assert_same_results, sequence};
use support::{Builder, local};

/// `y[i] -= a[i][j] * x[j]` on a domain, between two other statements of the loop over `i`.
fn update(domain: &str) -> Scop {
    let mut b = Builder::new("{ : }");
    let [y, x] = ["Y", "X"].map(|name| b.array(name, &[]));
    let a = b.array("A", &[20]);
    let loops = b.loops(&[0, 1]);
    for (place, name) in [(0, "Before"), (2, "Behind")] {
        let mut s = b.statement(&format!("{{ {name}[i] : 0 <= i < 20 }}"), &loops[..1], &[0, place]);
        let value = s.read(y, &format!("{{ {name}[i] -> Y[i] }}"));
        let value = s.compute("fneg", &[local(value)]);
        s.write(y, &format!("{{ {name}[i] -> Y[i] }}"), local(value));
        s.done();
    }
    let mut s = b.statement(domain, &loops, &[0, 1, 0]);
    let sum = s.read(y, "{ S[i, j] -> Y[i] }");
    let factor = s.read(a, "{ S[i, j] -> A[i, j] }");
    let other = s.read(x, "{ S[i, j] -> X[j] }");
    let product = s.compute("fmul", &[local(factor), local(other)]);
    let sum = s.compute("fsub", &[local(sum), local(product)]);
    s.write(y, "{ S[i, j] -> Y[i] }", local(sum));
    s.done();
    b.finish()
}

fn in_pieces(domain: &str) -> Option<Scop> {
    let scop = update(domain);
    let result = apart(&scop, &mut Budget::unlimited()).expect("no limit");
    if let Some(result) = &result {
        result.check_invariants();
        assert_eq!(sequence(result), sequence(&scop), "{result}");
    }
    result
}

#[test]
fn pieces_one_after_the_other_have_loops_of_their_own() {
    let box_ = "0 <= i < 20 and 0 <= j < 20";
    let found =
        in_pieces(&format!("{{ S[i, j] : {box_} and j < i; S[i, j] : {box_} and j > i }}")).expect("two pieces");
    let places: Vec<_> = found.statements.iter().map(|s| s.position.clone()).collect();
    assert_eq!(places, [vec![0, 0], vec![0, 3], vec![0, 1, 0], vec![0, 2, 0]], "{found}");
    // In whatever order they are written.
    assert!(in_pieces(&format!("{{ S[i, j] : {box_} and j > i + 3; S[i, j] : {box_} and j < i }}")).is_some());
    let three = format!(
        "{{ S[i, j] : {box_} and j < i; S[i, j] : {box_} and i < j < 15; S[i, j] : {box_} and j > 16 and j > i }}"
    );
    let three = in_pieces(&three).expect("three pieces");
    assert_eq!(three.statements.len(), 5, "{three}");
}

#[test]
fn pieces_side_by_side_stay_together() {
    // The order of rows is even and odd ones in turn.
    assert!(in_pieces("{ S[i, j] : 0 <= i < 20 and 0 <= j < 20 and j mod 2 = 0; S[i, j] : 0 <= i < 20 and 5 <= j < 30 and j mod 2 = 1 }").is_none());
    // Pieces that meet.
    assert!(in_pieces("{ S[i, j] : 0 <= i < 20 and 0 <= j <= i; S[i, j] : 0 <= i < 20 and i <= 2 j <= 9 }").is_none());
    assert!(in_pieces("{ S[i, j] : 0 <= i < 20 and 0 <= j < 20 }").is_none());
}

#[test]
fn results_are_the_same() {
    let config = poly_scop::Config { profitability: Profitability::Ignored, ..poly_scop::Config::standard() };
    let scop = update("{ S[i, j] : 0 <= i < 20 and 0 <= j < i; S[i, j] : 0 <= i < 20 and i < j < 20 }");
    let Outcome::Optimized(plan) = optimize(scop, &config) else { panic!("losses are ignored") };
    assert_same_results(&plan, 20 + 20 + 20 * 19);
}
