//! Fingerprints: the same for the same loops, whatever their names and lines; another one for other
//! loops.

mod support;

use poly_scop::{Fingerprint, Place, Scop, fingerprint};
use support::{Builder, local, promoted_matmul};

/// `for i < bound { to[i] = from[i + shift] }`.
fn copy([from, to]: [&str; 2], bound: i64, shift: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let (a, c) = (b.array(from, &[]), b.array(to, &[]));
    let loops = b.loops(&[0]);
    let mut s = b.statement(&format!("{{ S[i] : 0 <= i < {bound} }}"), &loops, &[0, 0]);
    let x = s.read(a, &format!("{{ S[i] -> {from}[i + {shift}] }}"));
    s.write(c, &format!("{{ S[i] -> {to}[i] }}"), local(x));
    s.done();
    b.finish()
}

fn of(names: [&str; 2], bound: i64, shift: i64) -> Fingerprint {
    fingerprint(&copy(names, bound, shift))
}

#[test]
fn names_do_not_matter() {
    assert_eq!(of(["A", "B"], 100, 0), of(["source", "target"], 100, 0));
}

#[test]
fn bounds_subscripts_and_arrays_matter() {
    let known = [
        of(["A", "B"], 100, 0),
        of(["A", "B"], 101, 0),
        of(["A", "B"], 100, 1),
        fingerprint(&promoted_matmul(20)),
        fingerprint(&promoted_matmul(21)),
    ];
    let different: std::collections::BTreeSet<_> = known.iter().collect();
    assert_eq!(different.len(), known.len());
}

#[test]
fn lines_do_not_matter() {
    let mut scop = copy(["A", "B"], 100, 0);
    let before = fingerprint(&scop);
    let place = Place { file: "a.c".to_owned(), line: 7, column: 3 };
    scop.name = "f: entry => exit".to_owned();
    scop.place = Some(place.clone());
    for statement in &mut scop.statements {
        statement.place = Some(place.clone());
        statement.accesses.iter_mut().for_each(|access| access.place = Some(place.clone()));
    }
    scop.loops.iter_mut().for_each(|l| l.place = Some(place.clone()));
    assert_eq!(fingerprint(&scop), before);
}
