//! `poly calc` as people run it: what statements print, and with which status it ends.

use std::io::Write;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};

/// Runs statements from standard input: the exit status and what is printed.
fn run(arguments: &[&str], input: &str) -> (i32, String) {
    let compiled = option_env!("CARGO_BIN_EXE_poly").map(ToString::to_string);
    let program = compiled.or_else(|| std::env::var("CARGO_BIN_EXE_poly").ok()).expect("cargo says where it is");
    let mut command = Command::new(program);
    command.arg("calc").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    child.stdin.take().expect("it is a pipe").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    (output.status.code().expect("it ends"), text)
}

/// Statements, and what they print.
fn check(input: &str, expected: &Expect) {
    let (status, text) = run(&[], input);
    expected.assert_eq(&text);
    assert_eq!(status, 0, "{text}");
}

/// The examples with which barvinok's manual introduces its calculator, in the order there.
#[test]
fn counting_summing_and_evaluating() {
    check(
        "P := [n, m] -> { [i,j] : 0 <= i <= n and i <= j <= m };
         c := card P;
         c @ [n, m] -> { : n = 3 and m = 5 };
         f := [n,m] -> { [i,j] -> i*j + n*i*i*j : i,j >= 0 and 5i + 27j <= n+m };
         s := sum f;
         s @ [n,m] -> { : n = 20 and m = 40 };
         sum { [i] -> i^2 : 0 <= i <= 10 };
         card { [i, j] : 0 <= i < 10 and 0 <= j <= i };",
        &expect![[r#"
            18
            1883
            385
            55
        "#]],
    );
}

#[test]
fn sets_and_relations() {
    check(
        "A := [n] -> { S[i] : 0 <= i < n };
         B := [n] -> { S[i] : 5 <= i <= n };
         A + B; A * B; A - B; A % { S[i] : i >= 0 };
         M := [n] -> { S[i] -> T[i + 1] : 0 <= i < n };
         M(A); dom M; ran M; M^-1; M . (M^-1); deltas { [i] -> [i + 2] };
         lexmin A; lexmax B; A <= A + B; A = B; typeof M;
         coalesce { [0, 0]; [1, 1] };
         { [i] : 0 <= i < 3 } << { [i] : i = 1 };
         identity { [i] : i > 4 }; { [i] -> [i + 1] }^3;
         poly { [0, 0]; [4, 0]; [0, 3] };",
        &expect![[r#"
            [n] -> { S[i] : 0 <= i < n or 5 <= i <= n }
            [n] -> { S[i] : 5 <= i < n }
            [n] -> { S[i] : 0 <= i < n and i <= 4 }
            [n] -> { S[i] : i < n }
            [n] -> { T[i0] : 0 < i0 <= n }
            [n] -> { S[i] : 0 <= i < n }
            [n] -> { T[i0] : 0 < i0 <= n }
            [n] -> { T[i0] -> S[-1 + i0] : 0 < i0 <= n }
            [n] -> { S[i] -> S[i] : 0 <= i < n }
            { [i0 = 2] }
            [n] -> { S[i = 0] : n > 0 }
            [n] -> { S[i = n] : n >= 5 }
            True
            False
            "map"
            { [i0, i1 = i0] : 0 <= i0 <= 1 }
            { [i = 0] -> [1] }
            { [i] -> [i] : i >= 5 }
            { [i] -> [3 + i] }
            { [i0, i1] : i0 >= 0 and i1 >= 0 and 4i1 <= 12 - 3i0 }
        "#]],
    );
}

#[test]
fn programs_and_dependences() {
    check(
        "# Two statements, the second one after the first.
         D := [n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n };
         W := [n] -> { S[i] -> a[i] } * D;
         R := [n] -> { T[i] -> a[i - 1]; T[i] -> a[n] } * D;
         O := { S[i] -> [0, i]; T[i] -> [1, i] } * D;
         [D1, N1] := last W before R under O;
         D1;
         any W before R under O;
         codegen O;",
        &expect![[r#"
            [n] -> { S[i] -> T[1 + i] : 0 <= i <= -2 + n }
            [n] -> { S[i] -> T[1 + i] : 0 <= i <= -2 + n }
            for (int c1 = 0; c1 < n; c1 += 1)
              S(c1);
            for (int c1 = 0; c1 < n; c1 += 1)
              T(c1);
        "#]],
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("card\n  q;", "line 2, column 3: `q` has no value"),
        ("x := 1;\nx + { [i] };", "line 2, column 3: `+` is not defined for a number and a set"),
        ("{ [i] : i <<< 3 };", ""),
        ("card { [i] : i > 0 };", "line 1, column 1: there are infinitely many for { : }"),
        ("lexmin { [i] };", "line 1, column 1: there is no optimum: it is unbounded"),
        ("a := (1", "line 1, column 8: `)` is expected here"),
        ("codegen { [i] : 0 <= i < 4 };", "have the name of a statement: `S[i]`, not `[i]`"),
        ("[a, b] := 3;", "line 1, column 1: several names are given the values of a list, not a number"),
    ];
    for (input, expected) in cases {
        let (status, text) = run(&[], input);
        assert_eq!(status, 1, "{input}: {text}");
        assert!(text.trim_end().ends_with(expected), "{input}: {text}");
    }
}

#[test]
fn statements_come_from_files_and_arguments() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("one.calc");
    std::fs::write(&path, "x := 20;\nx + 1;\n").expect("the folder is for this");
    let name = path.to_str().expect("a plain path");
    assert_eq!(run(&[name], ""), (0, "21\n".to_owned()));
    assert_eq!(run(&["-e", &format!("source \"{name}\"; x * x")], ""), (0, "21\n400\n".to_owned()));
    assert_eq!(run(&["-e", "1; quit; 2"], ""), (0, "1\n".to_owned()));
    assert_eq!(run(&["missing.calc"], "").0, 2);
    let (status, text) =
        run(&["--operations", "10"], "lexmin [n] -> { [x, y] : 2x >= 3y + n and 5y >= 3x - n and x >= 0 };");
    assert_eq!(status, 1);
    assert!(text.contains("it is given up"), "{text}");
    assert!(run(&["-e", "help"], "").1.contains("codegen"));
}

#[test]
fn transitive_closures() {
    check(
        "M := [n] -> { A[i] -> A[i + 2] : 0 <= i < n };
         M^+;
         pow M;
         (M^+)[1];
         { A[i] -> B[i]; B[i] -> A[i + 1] : i < 10 }^+;",
        &expect![[r#"
            ([n] -> { A[i] -> A[2 + i] : 0 <= i < n; A[i] -> A[4 + i] : 0 <= i <= -3 + n; A[i] -> A[o0] : (i + o0) mod 2 = 0 and i >= 0 and 2 + i <= o0 <= 1 + n }, True)
            ([n] -> { [i0] -> [A[i] -> A[2i0 + i]] : i0 > 0 and 0 <= i <= 1 + n - 2i0 }, True)
            True
            ({ A[i] -> A[o0] : i < o0 <= 10; A[i] -> B[i]; A[i] -> B[o0] : i < o0 <= 10; B[i] -> A[o0] : i <= 9 and i < o0 <= 10; B[i] -> B[o0] : i <= 9 and i < o0 <= 10 }, True)
        "#]],
    );
}

#[test]
fn what_has_no_closure_is_said() {
    let (status, text) = run(&[], "{ [i] }^+;");
    assert_eq!((status, text.as_str()), (1, "-: line 1, column 8: a set has no transitive closure\n"));
}

#[test]
fn bounds_of_functions() {
    check(
        "P := [n] -> { [i, j] -> i * (n - j) : 0 <= i <= n and i <= j <= n };
         ub P;
         lb P;
         ub (card { [i] -> [j] : 0 <= j <= i <= 10 });
         ub ({ [i] -> i : 0 <= i <= 4 } + { A[i] -> 2 * i : 0 <= i <= 3 });",
        &expect![[r#"
            ([n] -> { max(1/2 * n^2) : n >= 0 }, False)
            ([n] -> { min(0) : n >= 0 }, True)
            ({ max(11) }, True)
            ({ max(6) }, True)
        "#]],
    );
}
