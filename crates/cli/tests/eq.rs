//! `poly eq` as people run it: what commands print, and with which status they end.

use std::process::Command;

use expect_test::{Expect, expect};

/// Runs `poly eq` in the folder of the repository: the exit status and what is printed.
fn run(arguments: &[&str]) -> (i32, String) {
    run_in("examples/equations", arguments)
}

fn run_in(folder: &str, arguments: &[&str]) -> (i32, String) {
    let compiled = option_env!("CARGO_BIN_EXE_poly").map(ToString::to_string);
    let program = compiled.or_else(|| std::env::var("CARGO_BIN_EXE_poly").ok()).expect("cargo says where it is");
    let folder = format!("{}/../../{folder}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(program).arg("eq").args(arguments).current_dir(folder).output().expect("it runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    (output.status.code().expect("it ends"), text)
}

fn check(arguments: &[&str], status: i32, expected: &Expect) {
    let (found, text) = run(arguments);
    expected.assert_eq(&text);
    assert_eq!(found, status, "{text}");
}

#[test]
fn values_are_computed() {
    check(
        &["run", "scan.eq", "-p", "N=5", "-i", "A=3,1,4,1,5"],
        0,
        &expect![[r#"
        C = 3 4 8 9 14
    "#]],
    );
    check(
        &["run", "scan.eq", "-p", "N=5"],
        1,
        &expect![[r#"
        the input A[0] has no value
    "#]],
    );
    check(
        &["run", "scan.eq", "-p", "N=0"],
        1,
        &expect![[r#"
        the parameters are not in the context N > 0
    "#]],
    );
}

#[test]
fn unknown_commands_are_refused() {
    let (status, text) = run(&["fly", "scan.eq"]);
    assert_eq!((status, text.lines().next()), (1, Some("there is no command `fly`")));
    assert_eq!(run(&["check", "nothing.eq"]).0, 2);
}

#[test]
fn reductions_become_cheaper() {
    check(
        &["cost", "scan.eq"],
        0,
        &expect![[r#"
        C: degree 2, [N] -> { -1/2 * N + 1/2 * N^2 : N > 0 }
        all: degree 2, [N] -> { -1/2 * N + 1/2 * N^2 : N > 0 }
    "#]],
    );
    check(
        &["simplify", "scan.eq"],
        0,
        &expect![[r#"
        // C: fewer operations
        system scan[N] where N > 0 {
          in i64 A : { [i0] : 0 <= i0 < N };
          out i64 C : { [i] : 0 <= i < N };
          C[i] = case {
            i > 0 : C[-1 + i] + A[i];
            i = 0 : A[i];
          };
        }
    "#]],
    );
}

#[test]
fn commands_follow_each_other() {
    let file = std::env::temp_dir().join(format!("poly-eq-{}.txt", std::process::id()));
    std::fs::write(&file, "serialize C   # a recurrence\nbasis C_acc (i, j) -> (j, i)\nshow\nrun\n")
        .expect("it can be written");
    let name = file.to_str().expect("it is text");
    check(
        &["script", "scan.eq", name, "-p", "N=3", "-i", "A=1,2,3"],
        0,
        &expect![[r#"
        system scan[N] where N > 0 {
          in i64 A : { [i0] : 0 <= i0 < N };
          out i64 C : { [i] : 0 <= i < N };
          let i64 C_acc : { [j, i] : j >= 0 and j <= i < N };
          C[i] = C_acc[i, i];
          C_acc[j, i] = case {
            j = 0 : A[j];
            j > 0 : C_acc[-1 + j, i] + A[j];
          };
        }
        C = 1 3 6
    "#]],
    );
    std::fs::remove_file(&file).expect("it is there");
}

/// Words of a command line; quotes keep blanks together.
fn words(line: &str) -> Vec<String> {
    let (mut all, mut current, mut quoted, mut some) = (Vec::new(), String::new(), false, false);
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                some = true;
            }
            ' ' if !quoted => {
                if some || !current.is_empty() {
                    all.push(std::mem::take(&mut current));
                }
                some = false;
            }
            c => current.push(c),
        }
    }
    if some || !current.is_empty() {
        all.push(current);
    }
    all
}

/// The commands of a document print what it says; with `UPDATE_EXPECT=1` it says what they print.
fn document(name: &str, least: usize) {
    let file = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).expect("it is there");
    let (mut found, mut inside, mut commands) = (String::new(), false, 0);
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ poly eq ") {
            let words = words(command);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            found.push_str(&format!("{line}\n{}", run_in(".", &words).1));
            commands += 1;
            continue;
        } else if inside {
            continue;
        }
        found.push_str(line);
        found.push('\n');
    }
    assert!(commands >= least, "there are commands in the documentation");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &found).expect("it can be written");
    } else {
        assert_eq!(found, text, "UPDATE_EXPECT=1 brings docs/{name} up to date");
    }
}

#[test]
fn the_reference_is_right() {
    document("equations.md", 8);
}

#[test]
fn the_tutorial_is_right() {
    document("equations-tutorial.md", 12);
}

#[test]
fn programs_become_equations() {
    let file = std::env::temp_dir().join(format!("poly-eq-from-{}.jscop", std::process::id()));
    let text = r#"{ "context": "[n] -> { : n >= 2 }", "name": "scan", "statements": [ { "name": "S", "domain": "[n] -> { S[i] : 1 <= i < n }", "schedule": "[n] -> { S[i] -> [i] }", "accesses": [
        { "kind": "read", "relation": "[n] -> { S[i] -> A[i - 1] }" },
        { "kind": "read", "relation": "[n] -> { S[i] -> A[i] }" },
        { "kind": "write", "relation": "[n] -> { S[i] -> A[i] }" } ] } ] }"#;
    std::fs::write(&file, text).expect("it can be written");
    let name = file.to_str().expect("it is text");
    check(
        &["from", name],
        0,
        &expect![[r#"
            extern f64 f_S(i64, f64, f64);
            system scan[n] where n >= 2 {
              in f64 A_in : { [i0] : 0 <= i0 < n };
              out f64 A : { [x0] : 0 < x0 < n };
              let f64 S : { [i0] : 0 < i0 < n };
              S[i0] = f_S(val[i0], case {
                i0 >= 2 : S[-1 + i0];
                i0 = 1 : A_in[0];
              }, A_in[i0]);
              A[x0] = S[x0];
            }
        "#]],
    );
    std::fs::remove_file(&file).expect("it is there");
    assert_eq!(run(&["from", "scan.eq"]).0, 1);
}

/// The output of a Python program with numpy; nothing where there is none.
fn python(folder: &std::path::Path, program: &str) -> Option<String> {
    let has_numpy = |python: &&str| {
        let found = Command::new(python).args(["-c", "import numpy"]).output();
        found.is_ok_and(|output| output.status.success())
    };
    let Some(python) = ["python3", "/usr/bin/python3"].into_iter().find(has_numpy) else {
        eprintln!("skipped: there is no Python with numpy");
        return None;
    };
    let output = Command::new(python).args(["-B", "-c", program]).current_dir(folder).output().expect("it runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    Some(text)
}

#[test]
fn python_modules_take_and_give_numpy_arrays() {
    let folder = std::env::temp_dir().join(format!("poly-eq-python-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be made");
    for (file, module) in [("lcs.eq", "lcs.py"), ("gemm.eq", "product.py")] {
        let out = folder.join(module);
        let (status, text) = run(&["python", file, "-o", out.to_str().expect("it is text")]);
        assert_eq!((status, text.as_str()), (0, ""));
    }
    let program = r#"
import numpy as np
from lcs import lcs
from product import gemm

letters = lambda text: np.frombuffer(text.encode(), dtype=np.uint8)
length = lcs(7, 6, letters("ABCBDAB"), letters("BDCABA"))
print(int(length), type(length).__name__)
rng = np.random.default_rng(1)
A, B = rng.random((5, 4)), rng.random((4, 3))
C = gemm(5, 3, 4, A, B)
print(C.dtype, C.shape, np.allclose(C, A @ B))
# Neither contiguous nor in order: it is copied.
print(np.allclose(gemm(4, 5, 3, B.T.copy().T, A[::-1, ::-1].T[:3, :]), B @ A[::-1, ::-1].T[:3, :]))

def wrong(call):
    try:
        call()
    except Exception as error:
        print(type(error).__name__ + ":", error)

wrong(lambda: gemm(5, 3, 4, A, B.astype(np.float32)))
wrong(lambda: gemm(5, 3, 4, A, A))
wrong(lambda: gemm(0, 3, 4, A, B))
wrong(lambda: gemm(5, 3.0, 4, A, B))
wrong(lambda: gemm(5, 3, 2**70, A, B))
wrong(lambda: gemm(5, 3, 4, A.tolist(), B))
"#;
    if let Some(text) = python(&folder, program) {
        expect![[r#"
            4 int32
            float64 (5, 3) True
            True
            TypeError: B must have the dtype float64, not float32
            ValueError: B must have the shape (4, 3), not (5, 4)
            ValueError: gemm is for N > 0 and M > 0 and K > 0, not for N = 0, M = 3, K = 4
            TypeError: M must be an integer, not float
            OverflowError: K must have 64 bits, not be 1180591620717411303424
            TypeError: A must be a numpy array, not list
        "#]]
        .assert_eq(&text);
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn code_as_ir() {
    let (status, text) = run(&["ir", "scan.eq"]);
    if status != 0 && text.contains("no clang") {
        eprintln!("skipped: {text}");
        return;
    }
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("define") && text.contains("@scan(i64"), "{text}");
}

#[test]
fn a_python_module_has_a_file() {
    check(
        &["python", "scan.eq"],
        1,
        &expect![[r#"
        say with -o where to
    "#]],
    );
    check(
        &["python", "scan.eq", "-o", "scan.txt"],
        1,
        &expect![[r#"
        scan.txt: the name of a module ends in .py
    "#]],
    );
}

#[test]
fn code_for_ranks_has_words() {
    check(
        &["mpi", "lcs.eq", "tile=a"],
        1,
        &expect![[r#"
        `a` in `tile=a` is no number
    "#]],
    );
    check(
        &["mpi", "lcs.eq", "tile=0"],
        1,
        &expect![[r#"
        tiles have a length of at least 1
    "#]],
    );
    check(
        &["mpi", "lcs.eq", "mpi=4"],
        1,
        &expect![[r#"
        the code is for every number of ranks: say `mpi=4` to `verify`
    "#]],
    );
    check(
        &["mpi", "lcs.eq", "tile=auto"],
        1,
        &expect![[r#"
        `tile=auto` is for a number of ranks: `ranks=16`
    "#]],
    );
    let (status, text) = run(&["mpi", "lcs.eq", "-p", "N=60", "-p", "M=50", "tile=auto", "ranks=2"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.starts_with("/* Tiles for 2 ranks: tile="), "{text}");
    check(
        &["mpi", "lcs.eq", "nodes=4"],
        1,
        &expect![[r#"
        `nodes=4` is not known: `header`, `parallel`, `tile=32,32`, `grid=2` are
    "#]],
    );
    check(
        &["verify", "lcs.eq", "mpi=0"],
        1,
        &expect![[r#"
        there is at least 1 rank
    "#]],
    );
}
