//! Every kind of flaw has an example, with its place and, where it is one of values, a point.

use poly_presburger::Budget;

use super::Flaw;
use crate::modules::load_file;

/// A text with one flaw: the text, the part of it that is wrong, and what is said.
struct Example {
    text: String,
    place: &'static str,
    message: &'static str,
    operations: u64,
}

/// An example whose text is this one.
fn text(text: &str, place: &'static str, message: &'static str) -> Example {
    Example { text: text.to_owned(), place, message, operations: u64::MAX }
}

/// An example with this definition of `C`.
fn value(body: &str, place: &'static str, message: &'static str) -> Example {
    let head = "extern f64 g(f64, i64); system s[N] where N >= 1 { in i64 A : [0..N-1]; in f64 F : [0..N-1];";
    text(&format!("{head} out i64 C : [0..N-1]; C[i] = {body}; }}"), place, message)
}

/// An example that uses a system with a parameter, an input and an output.
fn usage(used: &str, place: &'static str, message: &'static str) -> Example {
    let inner = "system one[N] where N >= 2 { in i64 A : [1..N]; out i64 B : [1..N]; B[i] = A[i]; }";
    let outer = "system s[N] where N >= 1 { in i64 A : [1..N]; out i64 C : [1..N]; out i64 z : { [] }; z = 0;";
    text(&format!("{inner} {outer} {used}; }}"), place, message)
}

/// An equation whose checks take some steps.
const HARD: &str =
    "C[i] = case { i mod 5 = 3 or i mod 7 = 2 : sum[j : 0 <= j <= i / 2 or 2 * j = i + N] A[j]; else : 1; }";

/// The match has every kind, or it is no program.
fn examples(kind: Flaw) -> Vec<Example> {
    match kind {
        Flaw::Character => vec![value("A[i] # 1", "#", "this character has no meaning")],
        Flaw::Syntax => vec![
            value("A[i] +", ";", "an expression expected, not `;`"),
            text("system s { out i64 x : { [] } x = 1; }", "x", "`;` expected, not `x`"),
        ],
        Flaw::NoFile => vec![text("use \"missing.eq\";", "\"missing.eq\"", "`missing.eq`: there is no such file")],
        Flaw::FileCircle => {
            vec![text("use \"circle.eq\";", "\"main.eq\"", "`main.eq` uses `circle.eq`, which uses itself")]
        }
        Flaw::FileChain => {
            vec![text("use \"1.eq\";", "\"100.eq\"", "100 files use each other in a chain, which is too long")]
        }
        Flaw::Twice => vec![
            text("const A = 1; const A = 2; system s { }", "A", "there are two constants `A`"),
            text("extern f64 g(f64); extern f32 g(f64);", "g", "there are two functions `g`"),
            text("system s[N, N] { }", "N", "there are two parameters `N`"),
            text("system s { in i64 x, x : { [] }; }", "x", "there are two variables `x`"),
            text("system s { } system s { }", "s", "there are two systems `s`"),
        ],
        Flaw::Taken => vec![
            text("system s[N] { in i64 N : { [] }; }", "N", "`N` is a parameter or a constant"),
            value("sum[i : i = 0] A[i]", "i", "`i` is already the name of an index"),
            value("sum[N : N = 0] A[i]", "N", "`N` is already the name of a parameter"),
        ],
        Flaw::UnknownType => vec![
            text("system s { in f16 x : { [] }; }", "f16", "no type is called `f16`"),
            text("extern f16 g(f64);", "f16", "no type is called `f16`"),
        ],
        Flaw::UnknownName => vec![
            value("x", "x", "nothing is called `x` here"),
            value("B[i]", "B", "no variable is called `B`"),
            text("system s { x = 1; }", "x", "no variable is called `x`"),
            usage("(D) = one[N + 1](A[i0])", "D", "no variable is called `D`"),
        ],
        Flaw::UnknownFunction => vec![value("h(i)", "h", "no function is called `h`")],
        Flaw::UnknownSystem => vec![usage("(C) = two[N](A)", "two", "no system is called `two`")],
        Flaw::UnknownReduction => vec![
            value("avg[k : 0 <= k <= i] A[k]", "avg", "nothing is reduced by `avg`"),
            value("reduce(avg, [k] -> [k], A[k])", "avg", "nothing is reduced by `avg`"),
        ],
        Flaw::Affine => vec![
            value("A[i * i]", "*", "one factor must be constant"),
            value("A[i mod]", "mod", "a positive constant is expected here"),
        ],
        Flaw::Parts => vec![text(
            "system s { in i64 x : { [] } or { [i] : i = 0 }; }",
            "x",
            "the parts of a domain have different numbers of dimensions",
        )],
        Flaw::Dimensions => vec![
            value("A[i, i]", "A[i, i]", "`A` has 1 dimensions, not 2"),
            value("sum[j : j = 0] A", "A", "`A` without subscripts has 1 dimensions, not 2"),
            value(
                "reduce(+, [k] -> [k, k], A[k])",
                "reduce(+, [k] -> [k, k], A[k])",
                "the projection has 2 values where 1 dimensions are",
            ),
            text("system s { out i64 x : { [] }; x[i] = 1; }", "x", "`x` has 0 dimensions, not 1"),
            usage("(z) = one[N + 1](A[i0])", "z", "`z` and `B` have different numbers of dimensions"),
        ],
        Flaw::Arguments => {
            vec![value("g(1.0)", "g(1.0)", "`g` has 2 arguments, not 1"), value("max()", "max()", "`max` of nothing")]
        }
        Flaw::Usage => vec![
            usage("(C) = one(A)", "(C) = one(A);", "`one` has 1 parameters, not 0"),
            usage("(C) = one[N](A, A)", "(C) = one[N](A, A);", "`one` has 1 inputs and 1 outputs, not 2 and 1"),
        ],
        Flaw::SystemCircle => vec![text(
            "system a { out i64 x : { [] }; (x) = b(); } system b { out i64 y : { [] }; (y) = a(); }",
            "a",
            "a system uses itself: a -> b -> a",
        )],
        Flaw::Number => vec![value("9223372036854775808", "9223372036854775808", "the number has more than 63 bits")],
        Flaw::Elses => {
            vec![value("case { else : 1; else : 2; }", "case { else : 1; else : 2; }", "a case has one `else` at most")]
        }
        Flaw::TooHard => {
            let message = "the question is too hard: the limit of operations is reached";
            let hard = |operations: u64, place: &'static str| Example {
                operations,
                ..value(&HARD["C[i] = ".len()..], place, message)
            };
            vec![hard(1, "F"), hard(200, HARD)]
        }
        Flaw::InputDefined => vec![text(
            "system s[N] { in i64 x : [3..N]; x[i] = 1; }",
            "x[i] = 1",
            "`x` is an input, with another value at i0 = 3 when N = 3",
        )],
        Flaw::NoEquation => {
            vec![text("system s[N] { out i64 x : [1..N]; }", "x", "`x` has no equation, no value at i0 = 3 when N = 3")]
        }
        Flaw::TwoEquations => vec![text(
            "system s[N] { out i64 x : [1..N]; x[i] = 1; x[j] = 2; }",
            "x[j] = 2",
            "`x` has two equations, two values at i0 = 3 when N = 3",
        )],
        Flaw::Parameters => vec![usage(
            "(C) = one[N](A)",
            "(C) = one[N](A);",
            "`one` is used with parameters that it does not allow at N = 1",
        )],
        Flaw::Infinite => vec![
            text(
                "system s[N] { out i64 C : { [i] : i >= N }; C[i] = 1; }",
                "C",
                "`C` has infinitely many values at N = 0",
            ),
            text("system s { in i64 A : { [i] }; }", "A", "`A` has infinitely many values at any time"),
        ],
        Flaw::Undefined => vec![
            value("A[i+1]", "A[i+1]", "`A` is read where it is not defined, at i = 0 when N = 1"),
            value("(A[k]) @ [k = 2 * i]", "A[k]", "`A` is read where it is not defined, at k = 2 when N = 2"),
        ],
        Flaw::Overlap => {
            vec![value("case { i >= 2 : 1; i <= 3 : 2; }", "2", "two branches have a value at i = 2 when N = 3")]
        }
        Flaw::Hole => vec![
            value(
                "case { i >= 2 : 1; i <= 0 : 2; }",
                "case { i >= 2 : 1; i <= 0 : 2; }",
                "there is no value at i = 1 when N = 2",
            ),
            value("A[i/2]", "A[i/2]", "there is no value at i = 1 when N = 2"),
        ],
        Flaw::InfiniteReduction => vec![value(
            "sum[j : j >= i] 1",
            "sum[j : j >= i] 1",
            "the reduction has infinitely many points at i = 0 when N = 1",
        )],
        Flaw::EmptyReduction => vec![value(
            "max[j : 0 <= j < i] A[j]",
            "max[j : 0 <= j < i] A[j]",
            "`max` of nothing has no value, as at i = 0 when N = 1",
        )],
        Flaw::NotNumber => vec![
            value("A[i] < 3", "A[i] < 3", "a number is needed, this is a condition at i = 0 when N = 1"),
            value(
                "case { i < 2 : 1; else : sum[j : j = i] (A[j] > 0) + 1; }",
                "A[j] > 0",
                "a number is needed, this is a condition at i = 2, j = 2 when N = 3",
            ),
        ],
        Flaw::NotCondition => vec![value(
            "case { i = 0 : 0; else : if A[i] then 1 else 2; }",
            "A[i]",
            "a condition is needed, this is an integer at i = 2 when N = 3",
        )],
        Flaw::NotInteger => vec![
            value("1.5", "1.5", "`C` has integer values, this is a floating-point number at i = 0 when N = 1"),
            value("~F[i]", "F[i]", "bits are those of integers at i = 0 when N = 1"),
            value("xor[k : k = i] F[k]", "F[k]", "bits are those of integers at i = 0, k = 0 when N = 1"),
            value("F[i] & 1", "F[i] & 1", "this operation is for integers at i = 0 when N = 1"),
            value("if g(1.0, F[i]) < 2 then 1 else 0", "F[i]", "`g` takes an integer here at i = 0 when N = 1"),
        ],
    }
}

/// Files that others use: `circle.eq` uses the first one, `n.eq` the one with the next number.
fn read(name: &str) -> Result<String, String> {
    match name.strip_suffix(".eq").and_then(|stem| stem.parse::<u32>().ok()) {
        Some(number) => Ok(format!("use \"{}.eq\";", number + 1)),
        None if name == "circle.eq" => Ok("use \"main.eq\";".to_owned()),
        None => Err("there is no such file".to_owned()),
    }
}

#[test]
fn every_kind_of_flaw_has_a_place_and_a_point() {
    let mut wrong = String::new();
    for &kind in Flaw::ALL {
        let examples = examples(kind);
        assert!(!examples.is_empty(), "{kind:?}");
        for Example { text, place, message, operations } in examples {
            let Err(found) = load_file("main.eq", &text, &mut read, &mut Budget::new(operations)) else {
                wrong += &format!("{kind:?}: no flaw in {text}\n");
                continue;
            };
            let [flaw] = found.flaws.as_slice() else { panic!("{text}:\n{found}") };
            let shown = flaw.witness.as_ref().map_or_else(|| "here".to_owned(), |point| format!("at {point}"));
            let seen = (flaw.kind, found.sources.excerpt(&flaw.span), flaw.to_string(), flaw.witness.is_some());
            let expected = (kind, place, message.to_owned(), kind.has_point());
            if seen != expected || !found.to_string().contains(&shown) {
                wrong += &format!("{text}\n{found}\n  found {seen:?}\n  not   {expected:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
