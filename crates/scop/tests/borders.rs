//! Loops cut where subscripts change: the same instances in the same order, and the same elements.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::borders::{Loops, cut};
use poly_scop::{Outcome, Profitability, Scop, optimize};
use support::execution::{assert_same_results, sequence, whole};
use support::{Builder, local};

/// `b[i][j] = f(a[..])` for each of the relations, between two other statements of the loop over
/// `i`.
fn stencil(domain: &str, neighbours: &[&str]) -> Scop {
    let mut b = Builder::new("{ : }");
    let sums = b.array("Sums", &[]);
    let [from, to] = ["A", "B"].map(|name| b.array(name, &[20]));
    let loops = b.loops(&[0, 1]);
    for (place, name) in [(0, "Before"), (2, "Behind")] {
        let mut s = b.statement(&format!("{{ {name}[i] : 0 <= i < 20 }}"), &loops[..1], &[0, place]);
        let value = s.read(sums, &format!("{{ {name}[i] -> Sums[i] }}"));
        let value = s.compute("fneg", &[local(value)]);
        s.write(sums, &format!("{{ {name}[i] -> Sums[i] }}"), local(value));
        s.done();
    }
    let mut s = b.statement(domain, &loops, &[0, 1, 0]);
    let mut value = s.read(from, "{ S[i, j] -> A[i, j] }");
    for neighbour in neighbours {
        let other = s.read(from, neighbour);
        value = s.compute("fsub", &[local(value), local(other)]);
    }
    s.write(to, "{ S[i, j] -> B[i, j] }", local(value));
    s.done();
    b.finish()
}

const SQUARE: &str = "{ S[i, j] : 0 <= i < 20 and 0 <= j < 20 }";
const ABOVE: &str = "{ S[i, j] -> A[i - 1, j] : i > 0; S[i, j] -> A[0, j] : i <= 0 }";
const RIGHT: &str = "{ S[i, j] -> A[i, j + 1] : j <= 17; S[i, j] -> A[i, 19] : j >= 18 }";
const AROUND: &str = "{ S[i, j] -> A[i, j - 1] : j >= 1; S[i, j] -> A[i, 19] : j <= 0 }";

/// The SCoP in parts, if there are some: with the same instances, order, and accessed elements.
fn in_parts(scop: &Scop) -> Option<Scop> {
    parts_of(scop, Loops::All)
}

fn parts_of(scop: &Scop, loops: Loops) -> Option<Scop> {
    let budget = &mut Budget::unlimited();
    let result = cut(scop, loops, budget).expect("no limit")?;
    result.check_invariants();
    assert_eq!(sequence(&result), sequence(scop), "{result}");
    for part in &result.statements {
        let original = scop.statements.iter().find(|s| s.name == whole(&part.name)).expect("the whole statement");
        for (new, old) in part.accesses.iter().zip(&original.accesses) {
            let old = old.relation.set_tuple_name(poly_presburger::DimKind::In, part.domain.tuple_name().cloned());
            let [new, old] = [&new.relation, &old].map(|relation| relation.intersect_domain(&part.domain));
            assert!(new.is_equal(&old, budget).expect("no limit"), "{}: {new}, {old}", part.name);
        }
    }
    Some(result)
}

fn n_functions(scop: &Scop) -> usize {
    scop.statements.iter().flat_map(|s| &s.accesses).map(|access| access.relation.n_basic()).max().expect("accesses")
}

#[test]
fn rows_and_columns_are_cut_where_neighbours_are_elsewhere() {
    let found = in_parts(&stencil(SQUARE, &[ABOVE, RIGHT])).expect("borders");
    assert_eq!(n_functions(&found), 1, "{found}");
    // The first row and the others, each with its neighbours in the loop; that the last two columns
    // read the same element needs no cut at the last but one.
    let domains: Vec<String> =
        found.statements.iter().filter(|s| whole(&s.name) == "S").map(|s| s.domain.to_string()).collect();
    assert_eq!(domains.len(), 4, "{found}");
    assert!(domains.iter().any(|domain| domain.contains("0 < i0 <= 19 and 0 <= i1 <= 18")), "{domains:?}");
    assert_eq!(found.statements.len(), 8, "{found}");
}

#[test]
fn columns_alone_leave_the_outer_loop_whole() {
    let found = in_parts(&stencil(SQUARE, &[AROUND, RIGHT])).expect("borders");
    assert_eq!((n_functions(&found), found.statements.len()), (1, 5), "{found}");
    let places: Vec<_> = found.statements.iter().map(|s| s.position.clone()).collect();
    assert_eq!(places, [vec![0, 0], vec![0, 4], vec![0, 1, 0], vec![0, 2, 0], vec![0, 3, 0]], "{found}");
}

#[test]
fn innermost_loops_alone_may_be_cut() {
    let found = parts_of(&stencil(SQUARE, &[ABOVE, RIGHT]), Loops::Innermost).expect("a border");
    assert_eq!((n_functions(&found), found.statements.len()), (2, 4), "{found}");
    assert!(parts_of(&stencil(SQUARE, &[ABOVE]), Loops::Innermost).is_none());
}

#[test]
fn cuts_may_depend_on_outer_counters() {
    let diagonal = "{ S[i, j] -> A[i, j - i] : j >= i; S[i, j] -> A[i, 0] : j < i }";
    let found = in_parts(&stencil(SQUARE, &[diagonal])).expect("a border");
    assert_eq!((n_functions(&found), found.statements.len()), (1, 4), "{found}");
    let falling = "{ S[i, j] -> A[i, j] : 2 j <= 30 - i; S[i, j] -> A[i, 3] : 2 j > 30 - i }";
    assert!(in_parts(&stencil(SQUARE, &[falling])).is_some());
}

#[test]
fn what_has_no_border_stays_whole() {
    let even = "{ S[i, j] -> A[i, j] : j mod 2 = 0; S[i, j] -> A[i, 0] : j mod 2 = 1 }";
    assert!(in_parts(&stencil(SQUARE, &[even])).is_none());
    assert!(in_parts(&stencil("{ S[i, j] : 1 <= i < 20 and 0 <= j <= 16 }", &[ABOVE, RIGHT])).is_none());
    assert!(in_parts(&stencil(SQUARE, &[])).is_none());
}

#[test]
fn as_much_is_cut_as_the_budget_reaches_for() {
    let scop = stencil(SQUARE, &[ABOVE, RIGHT, AROUND]);
    let budget = &mut Budget::unlimited();
    let found = cut(&scop, Loops::All, budget).expect("no limit");
    assert!(found.is_some(), "there are borders");
    // Enough for the cuts, and nothing for whoever looks for an order of the parts.
    let found = cut(&scop, Loops::All, &mut Budget::new(budget.spent() + 1));
    assert_eq!(found, Ok(None));
    let found = cut(&scop, Loops::All, &mut Budget::new(budget.spent() + 1_000_000));
    assert!(found.is_ok_and(|parts| parts.is_some()));
}

#[test]
fn results_are_the_same() {
    let config = poly_scop::Config { profitability: Profitability::Ignored, ..poly_scop::Config::standard() };
    let scop = in_parts(&stencil(SQUARE, &[ABOVE, RIGHT, AROUND])).expect("borders");
    let Outcome::Optimized(plan) = optimize(scop, &config) else { panic!("losses are ignored") };
    assert_same_results(&plan, 20 + 20 + 400);
}
