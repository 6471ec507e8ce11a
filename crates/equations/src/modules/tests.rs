//! Files that use each other, and where their flaws are.

use expect_test::{Expect, expect};
use poly_presburger::Budget;

use super::load_file;

const SUMS: &str = "use \"../lib/sizes.eq\";
system total[N] where N >= 1 { in i64 A : [0..N-1]; out i64 S : { [] }; S = sum[i : 0 <= i < N] A[i] * SCALE; }
";

const MAIN: &str = "use \"lib/sums.eq\";
use \"lib/sizes.eq\";
system both[N] where N >= 2 { in i64 A : [0..N-1]; out i64 B : { [] }; let i64 T : { [] };
  (T) = total[N - 1](A[i0 + 1]);
  B = T + SCALE; }
";

fn check(files: &[(&str, &str)], expected: &Expect) {
    let mut read = |name: &str| {
        let found = files.iter().find(|(own, _)| *own == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "there is no such file".to_owned())
    };
    let (name, text) = files[0];
    let found = match load_file(name, text, &mut read, &mut Budget::unlimited()) {
        Ok(systems) => {
            systems.iter().map(|system| format!("{} of {}\n", system.name, system.variables.len())).collect()
        }
        Err(flaws) => flaws.to_string(),
    };
    expected.assert_eq(&found);
}

#[test]
fn systems_and_constants_of_other_files() {
    let sizes = ("lib/../lib/sizes.eq", "const SCALE = 3;");
    let again = ("lib/sizes.eq", sizes.1);
    check(
        &[("main.eq", MAIN), ("lib/sums.eq", SUMS), sizes, again],
        &expect![[r#"
        total of 2
        both of 5
    "#]],
    );
}

#[test]
fn flaws_are_in_their_own_files() {
    let wrong = SUMS.replace("0 <= i < N]", "0 <= i <= N]");
    let sizes = ("lib/../lib/sizes.eq", "const SCALE = 3;");
    check(
        &[("main.eq", MAIN), ("lib/sums.eq", &wrong), sizes],
        &expect![[r#"
        Error: `A` is read where it is not defined, at i = 1 when N = 1
           ,-[ lib/sums.eq:2:98 ]
           |
         2 | system total[N] where N >= 1 { in i64 A : [0..N-1]; out i64 S : { [] }; S = sum[i : 0 <= i <= N] A[i] * SCALE; }
           |                                       |                                                          ^^|^  
           |                                       `---------------------------------------------------------------- declared here
           |                                                                                                    |   
           |                                                                                                    `--- at i = 1 when N = 1
        ---'

        Error: `use1_A` is read where it is not defined, at i = 1 when N = 2
           ,-[ lib/sums.eq:2:98 ]
           |
         2 | system total[N] where N >= 1 { in i64 A : [0..N-1]; out i64 S : { [] }; S = sum[i : 0 <= i <= N] A[i] * SCALE; }
           |                                       |                                                          ^^|^  
           |                                       `---------------------------------------------------------------- declared here
           |                                                                                                    |   
           |                                                                                                    `--- at i = 1 when N = 2
        ---'
    "#]],
    );
    let behind = MAIN.replace("SCALE; }", "SCAL; }");
    check(
        &[("main.eq", &behind), ("lib/sums.eq", SUMS), sizes],
        &expect![[r#"
        Error: nothing is called `SCAL` here
           ,-[ main.eq:5:11 ]
           |
         5 |   B = T + SCAL; }
           |           ^^|^  
           |             `--- here
        ---'
    "#]],
    );
}

#[test]
fn circles_are_refused() {
    check(
        &[("a.eq", "use \"a.eq\";")],
        &expect![[r#"
        Error: `a.eq` uses itself
           ,-[ a.eq:1:5 ]
           |
         1 | use "a.eq";
           |     ^^^|^^  
           |        `---- here
        ---'
    "#]],
    );
    let (a, b) = (("x/a.eq", "use \"../y/b.eq\";"), ("x/../y/b.eq", "// a comment\nuse \"../x/a.eq\";"));
    check(
        &[a, b],
        &expect![[r#"
        Error: `x/a.eq` uses `x/../y/b.eq`, which uses itself
           ,-[ x/../y/b.eq:2:5 ]
           |
         2 | use "../x/a.eq";
           |     ^^^^^|^^^^^  
           |          `------- here
        ---'
    "#]],
    );
}

#[test]
fn files_that_are_not_there() {
    check(
        &[("a.eq", "const N = 3; use \"b.eq\";")],
        &expect![[r#"
        Error: `b.eq`: there is no such file
           ,-[ a.eq:1:18 ]
           |
         1 | const N = 3; use "b.eq";
           |                  ^^^|^^  
           |                     `---- here
        ---'
    "#]],
    );
    check(
        &[("a.eq", "use b.eq;")],
        &expect![[r#"
        Error: this character has no meaning
           ,-[ a.eq:1:6 ]
           |
         1 | use b.eq;
           |      |  
           |      `-- here
        ---'
    "#]],
    );
    check(
        &[("a.eq", "use \"b.eq;\n")],
        &expect![[r#"
        Error: this character has no meaning
           ,-[ a.eq:1:5 ]
           |
         1 | use "b.eq;
           |     |  
           |     `-- here
        ---'
    "#]],
    );
}

#[test]
fn names_are_for_one_thing() {
    let system = "system s[N] { out i64 X : { [] }; X = N; }";
    check(
        &[("a.eq", &format!("use \"b.eq\";\n{system}")), ("b.eq", system)],
        &expect![[r#"
        Error: there are two systems `s`
           ,-[ a.eq:2:8 ]
           |
         2 | system s[N] { out i64 X : { [] }; X = N; }
           |        |  
           |        `-- here
           |
           |-[ b.eq:1:8 ]
           |
         1 | system s[N] { out i64 X : { [] }; X = N; }
           |        |  
           |        `-- the other one
        ---'
    "#]],
    );
    let twice = format!("use \"b.eq\"; const M = 1; {system}");
    check(
        &[("a.eq", &twice), ("b.eq", "const M = 2;")],
        &expect![[r#"
        Error: there are two constants `M`
           ,-[ a.eq:1:19 ]
           |
         1 | use "b.eq"; const M = 1; system s[N] { out i64 X : { [] }; X = N; }
           |                   |  
           |                   `-- here
           |
           |-[ b.eq:1:7 ]
           |
         1 | const M = 2;
           |       |  
           |       `-- the other one
        ---'
    "#]],
    );
    // What the other file says means what it says there.
    let other = "system t[M] { in i64 A : [0..M]; out i64 Y : { [] }; Y = A[M]; }";
    check(
        &[("a.eq", &twice), ("b.eq", other)],
        &expect![[r#"
        Error: `A` is read where it is not defined, at M = -8
           ,-[ b.eq:1:58 ]
           |
         1 | system t[M] { in i64 A : [0..M]; out i64 Y : { [] }; Y = A[M]; }
           |                      |                                   ^^|^  
           |                      `----------------------------------------- declared here
           |                                                            |   
           |                                                            `--- at M = -8
        ---'
    "#]],
    );
    let (sqrt, other) = ("extern f64 sqrt(f64);", "extern f32 sqrt(f32);");
    check(&[("a.eq", &format!("use \"b.eq\"; {sqrt}")), ("b.eq", sqrt)], &expect![[r#""#]]);
    check(
        &[("a.eq", &format!("use \"b.eq\"; {sqrt}")), ("b.eq", other)],
        &expect![[r#"
        Error: there are two functions `sqrt`
           ,-[ a.eq:1:24 ]
           |
         1 | use "b.eq"; extern f64 sqrt(f64);
           |                        ^^|^  
           |                          `--- here
           |
           |-[ b.eq:1:12 ]
           |
         1 | extern f32 sqrt(f32);
           |            ^^|^  
           |              `--- the other one
        ---'
    "#]],
    );
}
