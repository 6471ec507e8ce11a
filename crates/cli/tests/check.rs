//! `poly-check` as people run it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A recurrence, `A[i + 1] = f(A[i])`, with a schedule.
fn jscop(schedule: &str, original: Option<&str>) -> String {
    let original = original.map_or(String::new(), |text| format!("\"original\": \"{text}\", "));
    format!(
        r#"{{ "context": "{{ : }}", "statements": [ {{ "name": "S0", "domain": "{{ S0[i] : 0 <= i < 9 }}", {original}
            "schedule": "{schedule}", "accesses": [
                {{ "kind": "read", "relation": "{{ S0[i] -> A[i] }}" }},
                {{ "kind": "write", "relation": "{{ S0[i] -> A[i + 1] }}" }} ] }} ] }}"#
    )
}

const TREE: &str = "poly-schedule: 1\nscop: f\n\
    dependence: flow 0.0 -> 0.0: { S0[i] -> S0[i + 1] : 0 <= i < 8 }\nschedule:\n\
    domain: \"{ S0[i] : 0 <= i < 9 }\"\nchild:\n  schedule: \"[{ S0[i] -> [(i)] }]\"\n";

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder is for this");
    path
}

/// Exit status and output.
fn run(arguments: &[&str]) -> (i32, String) {
    // Where it is, cargo says when it compiles or when it runs, depending on its version.
    let compiled = option_env!("CARGO_BIN_EXE_poly-check").map(ToString::to_string);
    let program = compiled.or_else(|| std::env::var("CARGO_BIN_EXE_poly-check").ok()).expect("cargo says where it is");
    let output = Command::new(program).args(arguments).output().expect("it runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat();
    (output.status.code().expect("it ends"), text)
}

fn judged(path: &Path, arguments: &[&str]) -> (i32, String) {
    let path = path.to_str().expect("a plain path");
    let arguments: Vec<&str> = arguments.iter().copied().chain([path]).collect();
    let (status, text) = run(&arguments);
    (status, text.trim_end().replace(path, "FILE"))
}

const FORWARD: &str = "{ S0[i] -> [i] }";
const BACKWARD: &str = "{ S0[i] -> [-i] }";

#[test]
fn all_formats() {
    assert_eq!(judged(&file("tree", TREE), &[]), (0, "FILE: legal".to_string()));
    assert_eq!(judged(&file("legal", &jscop(FORWARD, Some(FORWARD))), &[]), (0, "FILE: legal".to_string()));
    let (status, text) = judged(&file("illegal", &jscop(BACKWARD, Some(FORWARD))), &[]);
    assert_eq!((status, &*text), (1, "FILE: illegal: S0[0] must run before S0[1] (flow dependence)"));
}

#[test]
fn the_original_order_from_another_file() {
    let original = file("original", &jscop(FORWARD, None));
    let changed = file("changed", &jscop(BACKWARD, None));
    let (status, text) = judged(&changed, &[]);
    assert_eq!(status, 2);
    assert!(text.contains("does not say what the original order is"), "{text}");
    let option = format!("--original={}", original.display());
    assert_eq!(judged(&changed, &[&option]).0, 1);
    assert_eq!(judged(&original, &[&option]).0, 0);
}

#[test]
fn what_cannot_be_read() {
    assert_eq!(run(&[]).0, 2);
    assert_eq!(run(&["--unknown"]).0, 2);
    assert_eq!(
        judged(&file("nonsense", "nonsense"), &[]),
        (2, "FILE: line 1: expected 'key: value', found 'nonsense'".to_string())
    );
    assert_eq!(
        judged(&file("json", "{ \"context\": 1 }"), &[]),
        (2, "FILE: the file has no list 'statements'".to_string())
    );
    assert_eq!(
        judged(&file("open", "<OpenScop>\nC\n"), &[]),
        (2, "FILE: line 2: the file ends where CONTEXT should be".to_string())
    );
}
