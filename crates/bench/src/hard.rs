//! Hard parametric integer programs.
//!
//! Three families, as text, each with a fixed seed: many parameters; large coefficients, whose
//! tableaus leave 64 bits; and minima of many forms, whose optimum has many pieces.

use crate::trace::Case;

/// A linear congruential generator: the programs are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = u64::try_from(high - low + 1).expect("the interval is not empty");
        low + i64::try_from(self.next(width)).expect("the interval is small")
    }
}

/// The programs.
pub(crate) fn programs() -> Vec<Case> {
    let mut random = Random(20_261_121);
    let mut cases = Vec::new();
    for n in 2..=8 {
        for _ in 0..4 {
            cases.push(many_parameters(n, &mut random));
        }
    }
    for bits in [8, 12, 16, 20, 24, 31, 40] {
        for _ in 0..4 {
            cases.push(large_coefficients(bits, &mut random));
        }
    }
    for n in 2..=6 {
        for _ in 0..4 {
            cases.push(many_pieces(n, &mut random));
        }
    }
    cases
}

fn case(parameters: usize, dims: usize, constraints: &[String]) -> Case {
    let names = |letter: char, n: usize| (0..n).map(|i| format!("{letter}{i}")).collect::<Vec<_>>().join(", ");
    let text = format!("[{}] -> {{ [{}] : {} }}", names('p', parameters), names('x', dims), constraints.join(" and "));
    Case { class: "set.lexmin".to_owned(), operands: vec![text], weight: 1 }
}

fn form(letter: char, coefficients: &[i64]) -> String {
    let terms = coefficients.iter().enumerate().filter(|(_, c)| **c != 0);
    let text = terms.map(|(i, c)| format!("{c}{letter}{i}")).collect::<Vec<_>>().join(" + ");
    if text.is_empty() { "0".to_owned() } else { text }
}

/// Three unknowns between forms of `n` parameters.
fn many_parameters(n: usize, random: &mut Random) -> Case {
    let mut constraints: Vec<String> = (0..3).map(|i| format!("0 <= x{i} <= 100")).collect();
    for _ in 0..4 {
        let unknowns: Vec<i64> = (0..3).map(|_| random.between(1, 5)).collect();
        let parameters: Vec<i64> = (0..n).map(|_| random.between(-3, 3)).collect();
        constraints.push(format!("{} >= {}", form('x', &unknowns), form('p', &parameters)));
    }
    constraints.extend((0..n).map(|i| format!("0 <= p{i} <= 50")));
    case(n, 3, &constraints)
}

/// Two unknowns with coefficients of so many bits.
fn large_coefficients(bits: u32, random: &mut Random) -> Case {
    let top = 1i64 << bits;
    let mut constraints = vec!["x0 >= 0".to_owned(), "x1 >= 0".to_owned(), format!("0 <= p0 <= {top}")];
    for _ in 0..2 {
        let unknowns = [random.between(top / 2, top), -random.between(top / 2, top)];
        let constant = random.between(0, top);
        constraints.push(format!("{} >= {}p0 - {constant}", form('x', &unknowns), random.between(1, 7)));
    }
    constraints.push(format!("{}x0 + {}x1 >= p0", random.between(2, top), random.between(2, top)));
    case(1, 2, &constraints)
}

/// An unknown not below any of `n` forms of two parameters each divided by a number, and one that
/// follows it.
fn many_pieces(n: usize, random: &mut Random) -> Case {
    let mut constraints = vec!["0 <= p0 <= 1000".to_owned(), "0 <= p1 <= 1000".to_owned()];
    for _ in 0..n {
        let parameters = [random.between(-5, 5), random.between(-5, 5)];
        let (divisor, constant) = (random.between(2, 7), random.between(0, 30));
        constraints.push(format!("{divisor}x0 >= {} + {constant}", form('p', &parameters)));
    }
    constraints.push(format!("{}x1 >= {}x0 - p1", random.between(2, 5), random.between(1, 4)));
    constraints.push("x1 >= -2000".to_owned());
    case(2, 2, &constraints)
}
