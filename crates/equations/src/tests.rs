//! The language: what is read, printed, and refused.

use poly_presburger::Budget;

use crate::{Diagnostic, System, load, parse};

pub(crate) fn system(text: &str) -> System {
    let loaded = load(text, &mut Budget::unlimited());
    match loaded {
        Ok(mut systems) => systems.pop().expect("there is a system"),
        Err(flaws) => panic!("{}", flaws.iter().map(|f| f.render("test.eq", text)).collect::<String>()),
    }
}

/// The flaws of a text: where, and what.
fn flaws(text: &str) -> Vec<(String, String)> {
    let found: Vec<Diagnostic> = load(text, &mut Budget::unlimited()).expect_err("the text has a flaw");
    found.iter().map(|flaw| (text[flaw.span.clone()].to_owned(), flaw.to_string())).collect()
}

fn flaw(text: &str, place: &str, message: &str) {
    assert_eq!(flaws(text), [(place.to_owned(), message.to_owned())]);
}

pub(crate) const SCAN: &str = "system scan[N] where N >= 1 {
    in i64 A : [0..N-1];
    out i64 C : [0..N-1];
    C[i] = sum[j : 0 <= j <= i] A[j];
}";

const SCORES: &str = "const GAP = 2;
system align[N, M] where N >= 1 and M >= 1 {
    in i64 a : [1..N];
    in i64 b : [1..M];
    out i64 H : [0..N, 0..M];
    out i64 best : { [] };
    H[i, j] = case {
        i = 0 or j = 0 : 0;
        else : max(0, H[i-1, j-1] + (if a[i] = b[j] then 3 else -3), H[i-1, j] - GAP, H[i, j-1] - GAP);
    };
    best = max[i, j : 0 <= i <= N and 0 <= j <= M] H[i, j];
}";

#[test]
fn what_is_printed_is_read_again() {
    let texts = [
        SCAN,
        SCORES,
        "extern f64 sqrt(f64);
         system s[N] where N >= 2 {
             in f64 x : { [i] : 0 <= i < N and i mod 2 = 0 } or { [i] : 0 <= i < N and i mod 3 = 0 };
             out f64 y : { [i] : 0 <= i < N and i mod 2 = 0 };
             let i32 n, m : [0..N-1, 0..2];
             n[i, j] = i + 2 * j - -3 << (1 & ~j) % 7;
             m[i, j] = case { i mod 2 = 0 and j <= 1 : val[i/2] * n; i mod 2 = 1 : 3; else : (n[a, b]) @ [a = j - j, b = 2]; };
             y[i] = -(x[i] - 1.5e-3) / sqrt(x[i] - (2 - x)) + reduce(+, [p, q] -> [2*p], x[2*p] * m[p, q]) ;
         }",
        "system s[N] { in u8 x, y: [0..N-1]; out u8 z : [0..N-1];
             z[i] = if not (x[i] < y[i] and x[i] != 3 or y[i] = 7) then (if x[i] > 2 then 1 else 2) else xor[k : 0 <= k < i] x[k] ^ (x[k] | y[k]); }",
    ];
    for text in texts {
        let first = system(text);
        let printed = first.to_string();
        let second = system(&printed);
        assert_eq!(second.to_string(), printed, "{text}");
    }
}

#[test]
fn use_of_a_system() {
    let text = format!(
        "{SCAN} system twice[N] where N >= 2 {{
            in i64 X : [0..N-1];
            out i64 Z : [0..N-2];
            let i64 Y : [0..N-1];
            (Y) = scan[N](X);
            (Z) = scan[N - 1](Y[i0] + Y[i0 + 1]);
        }}"
    );
    let found = system(&text);
    let names: Vec<&str> = found.variables.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["X", "Z", "Y", "use1_A", "use1_C", "use2_A", "use2_C"]);
    expect_test::expect!["{ [i0] : N >= 2 and 0 <= i0 <= -2 + N }"].assert_eq(&{
        let domain = &found.variables[6].domain;
        domain.to_string().replace("[N] -> ", "").replace(" and N >= 2", "")
    });
    let wrong = text.replace("scan[N - 1]", "scan[N - 2]");
    flaw(
        &wrong,
        "(Z) = scan[N - 2](Y[i0] + Y[i0 + 1]);",
        "`scan` is used with parameters that it does not allow at N = 2",
    );
}

#[test]
fn flaws_of_domains_have_witnesses() {
    flaw(
        "system s[N] where N >= 1 { out i64 C : [0..N-1]; C[i] = case { i >= 2 : 1; i <= 0 : 2; }; }",
        "case { i >= 2 : 1; i <= 0 : 2; }",
        "there is no value at i = 1 when N = 2",
    );
    flaw(
        "system s[N] where N >= 1 { out i64 C : [0..N-1]; C[i] = case { i >= 2 : 1; i <= 3 : 2; }; }",
        "2",
        "two branches have a value at i = 2 when N = 3",
    );
    flaw(
        "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 C : [0..N-1]; C[i] = sum[j : j >= i] 1; }",
        "sum[j : j >= i] 1",
        "the reduction has infinitely many points at i = 0 when N = 1",
    );
    flaw(
        "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 C : [0..N-1]; C[i] = A[i+1]; }",
        "A[i+1]",
        "`A` is read where it is not defined, at i = 0 when N = 1",
    );
    flaw(
        "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 C : [0..N-1]; C[i] = max[j : 0 <= j < i] A[j]; }",
        "max[j : 0 <= j < i] A[j]",
        "`max` of nothing has no value, as at i = 0 when N = 1",
    );
    flaw(
        "system s[N] where N >= 1 { in i64 A : [0..N-1]; out i64 C : [0..N-1]; C[i] = A[i/2]; }",
        "A[i/2]",
        "there is no value at i = 1 when N = 2",
    );
    flaw("system s[N] { out i64 C : { [i] : i >= N }; C[i] = 1; }", "C", "`C` has infinitely many values at N = 0");
}

#[test]
fn flaws_of_words_have_a_place() {
    let one = |body: &str| format!("system s[N] {{ in i64 A : [0..N-1]; out i64 C : [0..N-1]; C[i] = {body}; }}");
    flaw(&one("A[i, i]"), "A[i, i]", "`A` has 1 dimensions, not 2");
    flaw(&one("B[i]"), "B", "no variable is called `B`");
    flaw(&one("x"), "x", "nothing is called `x` here");
    flaw(&one("A[i] +"), ";", "an expression expected, not `;`");
    flaw(&one("g(i)"), "g", "no function is called `g`");
    flaw(&one("sum[i] A[i]"), "i", "`i` is already the name of an index");
    flaw(&one("A[i] < 3"), "A[i] < 3", "a number is needed, this is a condition at i = 2 when N = 3");
    flaw(&one("1.5"), "1.5", "`C` has integer values, this is a floating-point number at i = 2 when N = 3");
    flaw(&one("if A[i] then 1 else 2"), "A[i]", "a condition is needed, this is an integer at i = 2 when N = 3");
    let places = flaws(&one("A[i * i]"));
    assert_eq!(places.len(), 1, "{places:?}");
    flaw("system s { out i64 x : { [] }; }", "x", "`x` has no equation, no value at any time");
    flaw("system s { out i64 x : { [] }; x = 1; x = 2; }", "x = 2", "`x` has two equations, two values at any time");
    flaw("system s { in i64 x : { [] }; x = 1; }", "x = 1", "`x` is an input, with another value at any time");
    let circle = "system a { out i64 x : { [] }; (x) = b(); } system b { out i64 y : { [] }; (y) = a(); }";
    assert_eq!(parse(circle, &mut Budget::unlimited()).unwrap_err().message, "a system uses itself: a -> b -> a");
    let deep = format!("system s {{ out i64 x : {{ [] }}; x = {}1{}; }}", "(".repeat(500), ")".repeat(500));
    assert_eq!(flaws(&deep)[0].1, "an expression that is nested at most 120 deep is expected, not `(`");
}

#[test]
fn a_flaw_is_shown_in_its_line() {
    let text = "system s[N] where N >= 1 {\n  in i64 A : [0..N-1];\n  out i64 C : [0..N-1];\n  C[i] = A[i+1];\n}\n";
    let flaws = load(text, &mut Budget::unlimited()).unwrap_err();
    expect_test::expect![[r#"
        Error: `A` is read where it is not defined, at i = 0 when N = 1
           ,-[ s.eq:4:10 ]
           |
         2 |   in i64 A : [0..N-1];
           |          |  
           |          `-- declared here
           | 
         4 |   C[i] = A[i+1];
           |          ^^^|^^  
           |             `---- at i = 0 when N = 1
        ---'
    "#]]
    .assert_eq(&flaws[0].render("s.eq", text));
}
