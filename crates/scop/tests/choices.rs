//! Choices among the values of several ways ask each condition once, and choose the same value.

mod support;

use std::collections::BTreeMap;

use poly_presburger::Budget;
use poly_scop::simplify::choices::simplify_choices;
use poly_scop::{Instr, InstrKind, Scop, ValueId};
use support::{Builder, StatementBuilder, invariant, local};

/// What is computed, if it is defined.
type Values = BTreeMap<ValueId, Option<i64>>;

/// The values of a body in which conditions have these answers; other computations are sums of
/// their operands and of 1.
fn executed(body: &[Instr], answers: &BTreeMap<ValueId, Option<i64>>) -> Values {
    let mut values = Values::new();
    for instr in body {
        let of: Vec<Option<i64>> =
            instr.operands.iter().map(|operand| values.get(&operand.value).copied().flatten()).collect();
        let value = match &instr.kind {
            InstrKind::Compute { .. } if answers.contains_key(&instr.value) => answers[&instr.value],
            InstrKind::Compute { .. } => of.iter().try_fold(1, |sum, value| Some(sum + (*value)?)),
            InstrKind::Holds { inverted } => match of[..] {
                [Some(0), _] => Some(0),
                [Some(_), last] | [last] => last.map(|last| i64::from((last != 0) != *inverted)),
                _ => None,
            },
            InstrKind::Any => of.iter().copied().find(|value| *value != Some(0)).unwrap_or(Some(0)),
            InstrKind::Choose => {
                let decided = of.chunks_exact(2).find(|pair| pair[0] != Some(0));
                match decided {
                    Some(pair) => pair[0].and(pair[1]),
                    None => *of.last().expect("there is a last value"),
                }
            }
            InstrKind::Read(_) => Some(instr.value.index() as i64 * 1000),
            _ => None,
        };
        values.insert(instr.value, value);
    }
    values
}

/// All answers to so many conditions, which may also be undefined.
fn answers(conditions: &[ValueId]) -> Vec<BTreeMap<ValueId, Option<i64>>> {
    conditions.iter().fold(vec![BTreeMap::new()], |all, &condition| {
        let with =
            |answers: &BTreeMap<_, _>, answer| answers.clone().into_iter().chain([(condition, answer)]).collect();
        all.iter().flat_map(|one| [None, Some(0), Some(1)].map(|answer| with(one, answer))).collect()
    })
}

/// Where the choice was defined, it is the same.
fn is_refined(before: &Scop, after: &Scop, conditions: &[ValueId], choice: ValueId) {
    after.check_invariants();
    for answers in answers(conditions) {
        let [old, new] = [before, after].map(|scop| executed(&scop.statements[0].body, &answers)[&choice]);
        assert!(old.is_none() || old == new, "{answers:?}: {old:?}, {new:?}\n{before}\n{after}");
    }
}

fn simplified(scop: &Scop) -> Scop {
    let mut result = scop.clone();
    simplify_choices(&mut result, &mut Budget::unlimited()).expect("the budget is unlimited");
    result
}

fn choices(scop: &Scop) -> Vec<&Instr> {
    scop.statements[0].body.iter().filter(|instr| instr.kind == InstrKind::Choose).collect()
}

/// `C ? (D ? a + 1 : b + 1) : c`, where `D` is computed only if `C` holds.
fn nested(operations: [u32; 2]) -> (Scop, [ValueId; 6]) {
    let mut b = Builder::new("{ : }");
    let (x, y) = (b.array("X", &[]), b.array("Y", &[]));
    let loops = b.loops(&[0]);
    let mut s = b.statement("{ S[i] : 0 <= i < 9 }", &loops, &[0, 0]);
    let [one, two, three] = [0, 1, 2].map(|at| s.read(x, &format!("{{ S[i] -> X[i + {at}] }}")));
    let outer = s.compute("icmp", &[local(three)]);
    let inner = s.compute("icmp", &[local(one), local(two)]);
    s.under(outer);
    let not_inner = s.holds(&[outer], inner, true);
    let second = s.compute("add", &[local(two)]);
    s.operation(operations[1]).under(not_inner);
    let both = s.holds(&[outer], inner, false);
    let first = s.compute("add", &[local(one)]);
    s.operation(operations[0]).under(both);
    let not_outer = s.holds(&[], outer, true);
    let chosen = s.decide(InstrKind::Choose, &[not_outer, three, not_inner, second, first]);
    s.write(y, "{ S[i] -> Y[i] }", local(chosen));
    s.done();
    (b.finish(), [outer, inner, chosen, one, two, three])
}

#[test]
fn a_minimum_that_was_written_twice_is_one_operation_behind_a_choice() {
    let (scop, [outer, inner, chosen, one, two, three]) = nested([3, 3]);
    let found = simplified(&scop);
    is_refined(&scop, &found, &[outer, inner], chosen);
    let [first, second] = choices(&found)[..] else { panic!("{found}") };
    let values = |instr: &Instr| instr.operands.iter().map(|operand| operand.value).collect::<Vec<_>>();
    assert_eq!(values(first), [inner, one, two], "{found}");
    let sum = found.statements[0].body.iter().find(|i| i.operands.iter().any(|o| o.value == first.value));
    let sum = sum.expect("what is chosen is used").value;
    assert_eq!(values(second), [outer, sum, three], "{found}");
}

/// Of other operations, results are chosen from.
#[test]
fn different_operations_stay() {
    let (scop, [outer, inner, chosen, one, ..]) = nested([3, 4]);
    let found = simplified(&scop);
    is_refined(&scop, &found, &[outer, inner], chosen);
    let [first, _] = choices(&found)[..] else { panic!("{found}") };
    assert!(first.operands.iter().all(|operand| operand.value != one), "{found}");
}

/// A condition that is known before the loops is none of the body's own values.
#[test]
fn a_condition_from_outside_stays_what_it_is() {
    let mut b = Builder::new("{ : }");
    let (x, y) = (b.array("X", &[]), b.array("Y", &[]));
    let outside = b.value();
    let loops = b.loops(&[0]);
    let mut s = b.statement("{ S[i] : 0 <= i < 9 }", &loops, &[0, 0]);
    let [one, two] = [0, 1].map(|at| s.read(x, &format!("{{ S[i] -> X[i + {at}] }}")));
    let not = s.decide_of(InstrKind::Holds { inverted: true }, &[invariant(outside)]);
    let chosen = s.decide(InstrKind::Choose, &[not, one, two]);
    s.write(y, "{ S[i] -> Y[i] }", local(chosen));
    s.done();
    let found = simplified(&b.finish());
    found.check_invariants();
    let [choice] = choices(&found)[..] else { panic!("{found}") };
    assert_eq!(choice.operands, [invariant(outside), local(two), local(one)], "{found}");
}

/// Conditions that are combined in any way, of which one may be undefined where another one is
/// false.
#[test]
fn what_was_defined_is_the_same() {
    let mut seed = 1u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut changed = 0;
    for _ in 0..400 {
        let mut b = Builder::new("{ : }");
        let (x, y) = (b.array("X", &[]), b.array("Y", &[]));
        let loops = b.loops(&[0]);
        let mut s = b.statement("{ S[i] : 0 <= i < 9 }", &loops, &[0, 0]);
        let reads = [0, 1, 2].map(|at| s.read(x, &format!("{{ S[i] -> X[i + {at}] }}")));
        let asked = [0, 1, 2].map(|at| s.compute("icmp", &[local(reads[at])]));
        let mut known: Vec<ValueId> = asked.to_vec();
        for _ in 0..next(5) {
            let value = combination(&mut s, &known, &mut next);
            known.push(value);
        }
        let mut operands = Vec::new();
        for _ in 0..=next(3) {
            operands.extend([known[next(known.len())], sum(&mut s, &reads, &mut next)]);
        }
        operands.push(sum(&mut s, &reads, &mut next));
        let chosen = s.decide(InstrKind::Choose, &operands);
        s.write(y, "{ S[i] -> Y[i] }", local(chosen));
        s.done();
        let scop = b.finish();
        let found = simplified(&scop);
        is_refined(&scop, &found, &asked, chosen);
        changed += usize::from(found.statements != scop.statements);
    }
    assert!(changed > 50, "{changed} of 400 were changed");
}

fn combination(s: &mut StatementBuilder<'_>, known: &[ValueId], next: &mut impl FnMut(usize) -> usize) -> ValueId {
    let (first, last) = (known[next(known.len())], known[next(known.len())]);
    match next(4) {
        0 => s.holds(&[], last, true),
        1 => s.decide(InstrKind::Any, &[first, last]),
        kind => s.holds(&[first], last, kind == 2),
    }
}

fn sum(s: &mut StatementBuilder<'_>, reads: &[ValueId], next: &mut impl FnMut(usize) -> usize) -> ValueId {
    let count = 1 + next(2);
    let operands: Vec<_> = (0..count).map(|_| local(reads[next(reads.len())])).collect();
    let value = s.compute("add", &operands);
    s.operation((2 * count + next(2)) as u32);
    value
}
