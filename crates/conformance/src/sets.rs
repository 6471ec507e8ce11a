//! Operations on sets: the suite `sets`.
//!
//! What isl's tests do with a file follows from its name and format:
//!
//! * `affine*.polylib`: a set and its affine hull;
//! * `convex*.polylib`: two sets and the convex hull of their union;
//! * `application*.omega`: a set, a relation, and the image of the set;
//! * other `*.omega`, `*.polylib`: sets to be read;
//! * `*.pwqp`: a quasi-polynomial on a domain. Poly does not compute bounds on polynomials, for
//!   which isl uses these files; only the domains are used.
//!
//! Besides, Poly reads every set as isl does, and a list of operations on each set gives what isl's
//! give.

use std::path::Path;

use poly_oracle::isl;
use poly_presburger::{Budget, DimKind, Map, Set};

use crate::folder::{self, Input};
use crate::run::{Case, Outcome, stopped};
use crate::same;
use crate::text::{Object, Scanner};

/// The cases of the suite.
pub(crate) fn cases(dir: &Path) -> Result<Vec<Case>, String> {
    let case = |input: Input| Case::new(input.name.clone(), move |budget| check(&input, budget));
    Ok(folder::inputs(dir, &["."], &["polylib", "omega", "pwqp"])?.into_iter().map(case).collect())
}

fn check(input: &Input, budget: &mut Budget) -> Outcome {
    let text = input.read()?;
    let isl = isl::Context::new();
    same::limit(&isl);
    if input.name.ends_with(".pwqp") {
        check_domain(&text, &isl, budget)?;
        return Ok(Vec::new());
    }
    let stem = input.path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
    let mut scanner = Scanner::new(&text);
    let first = read_set(&mut scanner, &isl, budget)?;
    check_operations(&first, &isl, budget)?;
    if stem.starts_with("application") {
        let map: Map = same::from_text(scanner.isl_text()?)?;
        expect("the image", &first.apply(&map), &mut scanner, &isl, budget)?;
    } else if stem.starts_with("affine") {
        let hull = Set::from_basic(first.affine_hull(budget).map_err(stopped)?);
        expect("the affine hull", &hull, &mut scanner, &isl, budget)?;
    } else if stem.starts_with("convex") {
        let second = read_set(&mut scanner, &isl, budget)?;
        check_operations(&second, &isl, budget)?;
        check_pair(&first, &second, &isl, budget)?;
        let hull = first.union(&second).convex_hull(budget).map_err(stopped)?;
        expect("the convex hull", &Set::from_basic(hull), &mut scanner, &isl, budget)?;
    }
    while !scanner.is_at_end() {
        let _ = read_set(&mut scanner, &isl, budget)?;
    }
    Ok(Vec::new())
}

/// The next set, which isl reads too.
fn read_set(scanner: &mut Scanner<'_>, isl: &isl::Context, budget: &mut Budget) -> Result<Set, String> {
    let (set, text) = match scanner.object()? {
        Object::Isl(text) => (same::from_text(text)?, text),
        Object::Matrix(matrix, text) => (matrix.to_set(0)?, text),
    };
    let theirs = isl::Set::read(isl, text).ok_or_else(|| format!("isl does not read {text}"))?;
    same::sets("the set that is read", &set, &theirs, isl, budget)?;
    Ok(set)
}

/// Fails unless a result is the next set of the file.
fn expect(
    what: &str,
    ours: &Set,
    scanner: &mut Scanner<'_>,
    isl: &isl::Context,
    budget: &mut Budget,
) -> Result<(), String> {
    let expected = read_set(scanner, isl, budget)?;
    same::sets(what, ours, &same::to_isl(isl, &expected)?, isl, budget)
}

fn check_domain(text: &str, isl: &isl::Context, budget: &mut Budget) -> Result<(), String> {
    let function = isl::PwQPolynomial::read(isl, text).ok_or("isl does not read the function")?;
    let theirs = function.domain().ok_or("isl finds no domain")?;
    let ours: Set = same::from_text(&domain_text(text)?)?;
    same::sets("the domain", &ours, &theirs, isl, budget)?;
    check_operations(&ours, isl, budget)
}

/// `[n] -> { [x] -> value : condition }` without the value.
fn domain_text(text: &str) -> Result<String, String> {
    let value = |open: usize| -> Option<(usize, usize)> {
        let arrow = open + text[open..].find("->")?;
        Some((arrow, arrow + text[arrow..].find(':')?))
    };
    let (arrow, colon) = text.find('{').and_then(value).ok_or("this is not a function with a condition")?;
    Ok(format!("{} {}", &text[..arrow], &text[colon..]))
}

/// Compares what Poly and isl make of one set.
fn check_operations(set: &Set, isl: &isl::Context, budget: &mut Budget) -> Result<(), String> {
    let theirs = same::to_isl(isl, set)?;
    let compare = |what: &str, ours: Set, theirs: Option<isl::Set>, budget: &mut Budget| {
        let theirs = theirs.ok_or_else(|| format!("isl does not compute {what}"))?;
        same::sets(what, &ours, &theirs, isl, budget)
    };
    let complement = set.complement(budget).map_err(stopped)?;
    compare("the complement", complement, theirs.complement(), budget)?;
    compare("the domain of parameters", set.params(), theirs.params(), budget)?;
    let hull = Set::from_basic(set.affine_hull(budget).map_err(stopped)?);
    compare("the affine hull", hull, theirs.affine_hull(), budget)?;
    let coalesced = set.clone().coalesce(budget).map_err(stopped)?;
    compare("the coalesced set", coalesced, theirs.coalesce(), budget)?;
    for i in 0..set.n_dim() {
        let shadow = set.project_out(DimKind::Out, i, 1);
        compare("a projection", shadow, theirs.project_out(i, 1), budget)?;
    }
    let bounded = set.is_bounded(budget).map_err(stopped)?;
    if theirs.is_bounded() != Some(bounded) {
        return Err(format!("Poly finds that the set is {}bounded, isl does not", if bounded { "" } else { "un" }));
    }
    if bounded {
        compare("the lexicographic minimum", set.lexmin_set(budget).map_err(stopped)?, theirs.lexmin(), budget)?;
        compare("the lexicographic maximum", set.lexmax_set(budget).map_err(stopped)?, theirs.lexmax(), budget)?;
    }
    match set.sample(budget).map_err(stopped)? {
        None if theirs.is_empty() == Some(false) => Err("Poly finds no point, but there are some".to_owned()),
        Some(point) => {
            let (params, point) = point.split_at(set.dim(DimKind::Param));
            if set.contains(params, point) {
                Ok(())
            } else {
                Err("the point that Poly finds is not in the set".to_owned())
            }
        }
        None => Ok(()),
    }
}

/// Compares what Poly and isl make of two sets.
fn check_pair(a: &Set, b: &Set, isl: &isl::Context, budget: &mut Budget) -> Result<(), String> {
    let (x, y) = (same::to_isl(isl, a)?, same::to_isl(isl, b)?);
    let results = [
        ("the union", a.union(b), x.union(&y)),
        ("the intersection", a.intersect(b), x.intersect(&y)),
        ("the difference", a.subtract(b, budget).map_err(stopped)?, x.subtract(&y)),
    ];
    for (what, ours, theirs) in results {
        let theirs = theirs.ok_or_else(|| format!("isl does not compute {what}"))?;
        same::sets(what, &ours, &theirs, isl, budget)?;
    }
    let gist = a.gist(b, budget).map_err(stopped)?;
    same::sets("the gist in its context", &gist.intersect(b), &same::to_isl(isl, &a.intersect(b))?, isl, budget)?;
    let subset = a.is_subset(b, budget).map_err(stopped)?;
    if x.is_subset(&y) == Some(subset) { Ok(()) } else { Err("Poly and isl disagree about inclusion".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_of_a_function_is_cut_out() {
        let text = domain_text("[n] -> { [i] -> ((2/3 * i) - [(i)/3]) : i <= n and n >= 0 }");
        assert_eq!(text, Ok("[n] -> { [i]  : i <= n and n >= 0 }".to_owned()));
        assert!(domain_text("{ [i] -> i }").is_err());
    }

    #[test]
    fn operations_agree_with_isl() {
        let isl = isl::Context::new();
        let budget = &mut Budget::unlimited();
        let a: Set =
            same::from_text("[n] -> { [i, j] : 0 <= i <= j <= n and (i + j) mod 3 = 1 }").expect("it is a set");
        let b: Set = same::from_text("[n] -> { [i, j] : i = 2j or i > 5 }").expect("it is a set");
        assert_eq!(check_operations(&a, &isl, budget), Ok(()));
        assert_eq!(check_operations(&b, &isl, budget), Ok(()));
        assert_eq!(check_pair(&a, &b, &isl, budget), Ok(()));
    }

    #[test]
    fn a_wrong_result_is_noticed() {
        let isl = isl::Context::new();
        let a: Set = same::from_text("{ [i] : 0 <= i <= 4 }").expect("it is a set");
        let mut scanner = Scanner::new("{ [i] : 0 <= i <= 5 }");
        let verdict = expect("the hull", &a, &mut scanner, &isl, &mut Budget::unlimited());
        assert_eq!(verdict, Err("the hull differs: { [i] : 0 <= i <= 4 } (isl: { [i] : 0 <= i <= 5 })".to_owned()));
    }
}
