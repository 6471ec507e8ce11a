//! `cargo xtask fuzz traps`: programs with what makes loops hard, in the places where people write
//! it.
//!
//! The programs of [`super::generate`] are affine at heart. These have counters of all widths and
//! signs that wrap around, run backwards, are doubled or halved; bounds that are products,
//! quotients and remainders; pointers into memory that others share, with other types; structures,
//! unions, bit-fields, volatile and atomic neighbours; `memset`, `memmove`, `strlen` and the like;
//! not-a-numbers, infinities, -0.0 and denormals; loops that are left in every way, `longjmp` among
//! them; inline assembly, `alloca`, recursion and calls with effects between the statements. Two
//! functions of each are of a certain form: reductions whose answers have much in common
//! ([`windows`]), and dynamic programming that keeps a few rows of its table ([`rows`]).
//!
//! # Definitions
//! A program is a list of functions that do not know each other. Each is called with four sets of
//! arguments, and all that it can write is printed as sums after each call.
//!
//! # Invariants
//! No program has undefined behaviour: [`nest`] executes the loops to know all subscripts, integers
//! are computed unsigned, and memory is shared by integer types only, for which the programs are
//! compiled with `-fno-strict-aliasing`. The same seed gives the same program.

mod function;
mod integers;
mod make;
mod nest;
mod rows;
mod statements;
mod windows;

use std::fmt::Write as _;

use super::Generated;
use super::random::Random;
use function::{Function, PROLOGUE};
use nest::Step;

/// A program.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    functions: Vec<Function>,
}

/// How many functions a program has that are made of everything.
const FUNCTIONS: usize = 4;

/// What else a program has: a function with reductions over windows, and one with dynamic
/// programming.
const FORMS: [make::NestForm; 2] = [|maker| maker.windows(), |maker| maker.rows()];

impl Generated for Program {
    const FLAGS: &'static [&'static str] = &["-w", "-fno-strict-aliasing"];
    const NAME: &'static str = "traps";

    fn of_seed(seed: u64) -> Program {
        let mut random = Random::new(seed ^ 0x7472_6170);
        let mut functions: Vec<Function> = (0..FUNCTIONS).map(|number| make::function(&mut random, number)).collect();
        let forms = FORMS.iter().zip(FUNCTIONS..);
        functions.extend(forms.map(|(&form, number)| make::formed(&mut random, number, form)));
        Program { functions }
    }

    fn text(&self) -> String {
        let mut out = PROLOGUE.to_owned();
        self.write(&mut out).expect("writing to a string does not fail");
        out
    }

    fn simpler(&self) -> Vec<Program> {
        if self.functions.len() > 1 {
            let without = |k| {
                let mut functions = self.functions.clone();
                functions.remove(k);
                Program { functions }
            };
            return (0..self.functions.len()).map(without).collect();
        }
        let simpler = |function: &Function| -> Vec<Program> {
            let with = |steps| Program { functions: vec![Function { steps, ..function.clone() }] };
            simpler_blocks(&function.steps).into_iter().map(with).collect()
        };
        self.functions.iter().flat_map(simpler).collect()
    }
}

impl Program {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        for function in &self.functions {
            function.write(out)?;
        }
        writeln!(out, "UNCHANGED int main(void) {{\n  for (int i = 0; i < {}; i++)", integers::TABLE)?;
        out.push_str("    table[i] = (int)HIDDEN((i * 7 + i / 5) % 19);\n");
        out.push_str(
            "  for (int i = 0; i < 8; i++)\n    links[i] = (struct link){i < 7 ? links + i + 1 : 0, i * 3 % 5};\n",
        );
        for function in &self.functions {
            function.write_calls(out)?;
        }
        out.push_str("  return 0;\n}\n");
        Ok(())
    }
}

/// Blocks with a step left out, or with what is in a step in its place.
fn simpler_blocks(block: &[Step]) -> Vec<Vec<Step>> {
    let mut found = Vec::new();
    for k in 0..block.len() {
        let mut without = block.to_vec();
        without.remove(k);
        found.push(without);
    }
    for (k, step) in block.iter().enumerate() {
        let (inside, is_needed) = match step {
            Step::Loop(_, body) => (body, true),
            Step::If(.., body) | Step::Block { body, .. } => (body, false),
            Step::Text(_) => continue,
        };
        let mut replace = |steps: Vec<Step>| {
            let mut changed = block.to_vec();
            changed.splice(k..=k, steps);
            found.push(changed);
        };
        if !is_needed {
            replace(inside.clone());
        }
        for body in simpler_blocks(inside) {
            replace(vec![match step {
                Step::Loop(head, _) => Step::Loop(head.clone(), body),
                Step::If(left, test, right, _) => Step::If(left.clone(), *test, right.clone(), body),
                Step::Block { head, tail, .. } => Step::Block { head: head.clone(), body, tail: tail.clone() },
                Step::Text(_) => unreachable!("it has nothing inside"),
            }]);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(seed: u64) -> Program {
        Program::of_seed(seed)
    }

    #[test]
    fn a_seed_gives_one_program() {
        assert_eq!(program(3).text(), program(3).text());
        assert_ne!(program(3).text(), program(4).text());
    }

    #[test]
    fn everything_in_the_list_occurs() {
        let all: String = (0..40).map(|seed| program(seed).text()[PROLOGUE.len()..].to_owned()).collect();
        let things = [
            "unsigned char i",
            "signed char i",
            "unsigned long i",
            "do {",
            "while (",
            "goto out",
            "longjmp",
            "memset",
            "memmove",
            "strlen",
            "asm",
            "alloca",
            "spot = ",
            "__atomic",
            "recursive(",
            "restrict",
            "switch (",
            ".b[",
            "NAN",
            "INFINITY",
            "break;",
            "continue;",
            "table[",
            "l->value",
            "effect(",
            "memcpy",
            "memcmp",
            "*p++",
            " w *= ",
            "w < v ? w : v",
            "w -= ",
            "*prev = r0",
            "% 2u][",
            "diagonal",
            "old = prev",
            "memcpy(prev",
            "malloc(",
        ];
        for thing in things {
            assert!(all.contains(thing), "no program has {thing}");
        }
    }

    #[test]
    fn a_simpler_program_is_shorter() {
        let program = program(1);
        for simpler in program.simpler() {
            assert!(simpler.text().len() < program.text().len());
        }
    }
}
