//! Random programs.

use poly_dependence::{AccessKind, Problem};

use super::{program, statement};

/// Marsaglia's xorshift: reproducible everywhere.
pub struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.below(from.len() as u64)).expect("small")]
    }
}

const NAMES: [&str; 3] = ["i", "j", "k"];

fn subscript(random: &mut Random, dims: usize) -> String {
    let mut text = String::new();
    for name in &NAMES[..dims] {
        text += match random.below(8) {
            0..=2 => "",
            3..=5 => "+",
            6 => "-",
            _ => "+ 2",
        };
        if !text.is_empty() && !text.ends_with(|c: char| c.is_alphabetic()) {
            text += name;
        }
    }
    format!("0{} + {}", if text.is_empty() { String::new() } else { format!(" {text}") }, random.below(3))
}

fn access(random: &mut Random, instance: &str, dims: usize) -> String {
    let kind = random.pick(&["read", "read", "read", "write", "write", "may"]);
    let element = match random.below(5) {
        0 => "s[]".to_string(),
        1..=2 => format!("A[{}]", subscript(random, dims)),
        3 => format!("B[{}, {}]", subscript(random, dims), subscript(random, dims)),
        _ => {
            let low = subscript(random, dims);
            return format!("{kind} {{ {instance} -> A[e] : {low} <= e <= {low} + 1 }}");
        }
    };
    format!("{kind} {{ {instance} -> {element} }}")
}

/// The same program; its may-writes are in two groups and in none.
pub fn with_groups(mut problem: Problem) -> Problem {
    let accesses = problem.statements.iter_mut().flat_map(|s| &mut s.accesses);
    for (number, access) in (0..).zip(accesses.filter(|a| a.kind == AccessKind::MayWrite)) {
        access.group = [Some(0), Some(0), Some(1), None][number % 4];
    }
    problem
}

/// The program of a seed.
pub fn random_program(seed: u64) -> Problem {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let n_statements = 1 + random.below(3);
    let mut place = [0u64; 4];
    let mut statements = Vec::new();
    for s in 0..n_statements {
        let dims = usize::try_from(random.below(4)).expect("small");
        let mut bounds = vec!["n >= 0".to_string()];
        for d in 0..dims {
            let name = NAMES[d];
            let low = if d > 0 && random.below(4) == 0 { NAMES[d - 1] } else { "0" };
            let high = if d > 0 && random.below(4) == 0 { format!("<= {}", NAMES[d - 1]) } else { "< n".to_string() };
            bounds.push(format!("{low} <= {name} {high}"));
            if random.below(8) == 0 {
                bounds.push(format!("{name} mod 2 = 0"));
            }
        }
        let instance = format!("S{s}[{}]", NAMES[..dims].join(", "));
        let domain = format!("[n] -> {{ {instance} : {} }}", bounds.join(" and "));
        // The statement leaves the loops of its predecessor at a random depth.
        let leave = usize::try_from(random.below(dims as u64 + 1)).expect("small");
        place[leave] += 1;
        place[leave + 1..].fill(0);
        // Some loops run backwards.
        let counters: Vec<String> =
            NAMES[..dims].iter().map(|name| format!("{}{name}", if random.below(6) == 0 { "-" } else { "" })).collect();
        let level = |l: usize| {
            if l.is_multiple_of(2) {
                place[l / 2].to_string()
            } else {
                counters.get(l / 2).cloned().unwrap_or("0".to_string())
            }
        };
        let time: Vec<String> = (0..7).map(level).collect();
        let time = format!("{{ {instance} -> [{}] }}", time.join(", "));
        let accesses: Vec<String> = (0..1 + random.below(3)).map(|_| access(&mut random, &instance, dims)).collect();
        let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
        statements.push(statement(&domain, &time, &accesses));
    }
    program("[n] -> { : }", statements)
}
