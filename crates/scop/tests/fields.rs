//! Fields of structures that get arrays of their own.

mod support;

use poly_presburger::Budget;
use poly_scop::simplify::fields::apart;
use poly_scop::{AccessKind, ArrayKind, Scop};
use support::execution::{Instance, execute, original_order};
use support::{Builder, local};

const N: i64 = 5;

/// `for i, j, k { C[i].re[j] += A[i].re[k] * B[k].im[j]; C[i].im[j] += A[i].im[k] * B[k].im[j] }`,
/// where the parts of B are `stride` apart.
fn product(stride: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let [a, c] = ["A", "C"].map(|name| b.array(name, &[2 * N]));
    let factor = b.array("B", &[stride * N]);
    let loops = b.loops(&[0, 1, 2]);
    let mut s = b.statement(&format!("{{ S[i, j, k] : 0 <= i, j, k < {N} }}"), &loops, &[0, 0, 0, 0]);
    for part in 0..2 {
        let old = s.read(c, &format!("{{ S[i, j, k] -> C[i, 2j + {part}] }}"));
        let x = s.read(a, &format!("{{ S[i, j, k] -> A[i, 2k + {part}] }}"));
        let y = s.read(factor, &format!("{{ S[i, j, k] -> B[k, {stride}j + 1] }}"));
        let product = s.compute("fmul", &[local(x), local(y)]);
        let new = s.compute("fadd", &[local(old), local(product)]);
        s.write(c, &format!("{{ S[i, j, k] -> C[i, 2j + {part}] }}"), local(new));
    }
    s.done();
    b.finish()
}

fn split(scop: &Scop) -> Option<Scop> {
    let split = apart(scop, &mut Budget::unlimited()).expect("no limit");
    split.iter().for_each(Scop::check_invariants);
    split
}

/// All instances of statements whose domains are boxes of the same side.
fn instances(scop: &Scop) -> Vec<Instance> {
    let mut all = Vec::new();
    for statement in &scop.statements {
        let dims = statement.loops.len() as u32;
        for number in 0..N.pow(dims) {
            let point = (0..dims).map(|dim| number / N.pow(dim) % N).collect();
            all.push((statement.name.clone(), point));
        }
    }
    all
}

#[test]
fn fields_are_gathered_and_scattered() {
    let scop = product(3);
    let split = split(&scop).expect("three arrays of structures");
    let temporaries = split.arrays.iter().filter(|array| matches!(array.kind, ArrayKind::Temporary { .. }));
    let names: Vec<&str> = temporaries.map(|array| array.name.as_str()).collect();
    assert_eq!(names, ["F0_A", "F1_A", "F0_C", "F1_C", "F0_B"], "{split}");
    let statements: Vec<&str> = split.statements.iter().map(|s| s.name.as_str()).collect();
    let expected = ["S", "Gather0", "Gather1", "Gather2", "Gather3", "Gather4", "Scatter0", "Scatter1"];
    assert_eq!(statements, expected, "{split}");
    for copy in &split.statements[1..] {
        assert_eq!(copy.domain.to_string(), format!("{{ {}[i0, i1] : 0 <= i0 <= 4 and 0 <= i1 <= 4 }}", copy.name));
        let own = copy.accesses.iter().find(|access| access.array.index() < 3).expect("one side is the array");
        assert_eq!(own.kind == AccessKind::Read, copy.name.starts_with("Gather"));
    }
    let seen = |scop: &Scop| {
        let memory = execute(scop, &original_order(scop, instances(scop)));
        memory.into_iter().filter(|((array, _), _)| *array < 3).collect::<Vec<_>>()
    };
    assert!(seen(&scop) == seen(&split), "{split}");
}

#[test]
fn what_has_no_fields_or_is_not_used_again_stays() {
    let without = split(&product(1)).expect("two arrays of structures");
    assert!(!without.arrays.iter().any(|array| array.name == "F0_B"), "{without}");
    let mut b = Builder::new("{ : }");
    let [a, c] = ["A", "C"].map(|name| b.array(name, &[2 * N]));
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement(&format!("{{ S[i, j] : 0 <= i, j < {N} }}"), &loops, &[0, 0, 0]);
    let x = s.read(a, "{ S[i, j] -> A[j, 2i] }");
    s.write(c, "{ S[i, j] -> C[i, 2j + 1] }", local(x));
    s.done();
    assert!(split(&b.finish()).is_none(), "a copy");
}

#[test]
fn writes_that_may_not_happen_keep_their_array() {
    let mut scop = product(3);
    let write = scop.statements[0].accesses.iter_mut().find(|access| access.kind == AccessKind::MustWrite);
    write.expect("there are writes").kind = AccessKind::MayWrite;
    let split = split(&scop).expect("the factors");
    assert!(split.arrays.iter().all(|array| !array.name.ends_with("_C")), "{split}");
}
