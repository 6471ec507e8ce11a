//! Both formats: what is written is read again, what is wrong is refused, what is illegal is found.

use expect_test::expect;
use poly_dependence::AccessKind;
use poly_exchange::{AccessText, ArrayText, Format, ScopText, StatementText, why_illegal};
use poly_presburger::Budget;

const FORMATS: [Format; 2] = [Format::Jscop, Format::OpenScop];

fn statement(
    name: &str,
    domain: &str,
    schedule: &str,
    original: &str,
    accesses: &[(AccessKind, &str)],
) -> StatementText {
    StatementText {
        name: name.to_string(),
        domain: domain.parse().expect("parses"),
        schedule: schedule.parse().expect("parses"),
        original: Some(original.parse().expect("parses")),
        accesses: accesses
            .iter()
            .map(|(kind, relation)| AccessText { kind: *kind, relation: relation.parse().expect("parses") })
            .collect(),
    }
}

/// `A[i] = ..` in one loop, `B[i] = A[i] + A[i + 1]` in the next, for even `i`.
fn producer(schedule: [&str; 2]) -> ScopText {
    let array =
        |name: &str| ArrayText { name: name.to_string(), sizes: vec!["*".to_string()], element: "double".to_string() };
    ScopText {
        name: "producer: entry => exit".to_string(),
        context: "[n] -> { : 0 <= n <= 1000 }".parse().expect("parses"),
        arrays: vec![array("A"), array("B")],
        statements: vec![
            statement(
                "S0",
                "[n] -> { S0[i0] : 0 <= i0 <= n }",
                schedule[0],
                "[n] -> { S0[i0] -> [0, i0] }",
                &[(AccessKind::MustWrite, "{ S0[i0] -> A[i0] }")],
            ),
            statement(
                "S1",
                "[n] -> { S1[i0] : 0 <= i0 < n and i0 mod 2 = 0 }",
                schedule[1],
                "[n] -> { S1[i0] -> [1, i0] }",
                &[
                    (AccessKind::Read, "{ S1[i0] -> A[i0] }"),
                    (AccessKind::Read, "{ S1[i0] -> A[1 + i0] }"),
                    (AccessKind::MayWrite, "{ S1[i0] -> B[i0] }"),
                ],
            ),
        ],
    }
}

fn in_order() -> ScopText {
    producer(["[n] -> { S0[i0] -> [0, i0] }", "[n] -> { S1[i0] -> [1, i0] }"])
}

fn read(text: &str, format: Format) -> ScopText {
    match ScopText::read(text, format, &mut Budget::unlimited()) {
        Ok(scop) => scop,
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn error(text: &str, format: Format) -> String {
    ScopText::read(text, format, &mut Budget::unlimited()).expect_err("it is wrong").to_string()
}

/// Equal as sets and relations.
fn assert_same(a: &ScopText, b: &ScopText) {
    let mut budget = Budget::unlimited();
    assert_eq!(a.name, b.name);
    assert!(a.context.is_equal(&b.context, &mut budget).expect("no limit"), "{} and {}", a.context, b.context);
    a.check_same_program(b, &mut budget).expect("the same program");
    for (x, y) in a.statements.iter().zip(&b.statements) {
        let same =
            x.schedule.intersect_domain(&x.domain).is_equal(&y.schedule.intersect_domain(&y.domain), &mut budget);
        assert!(same.expect("no limit"), "{} and {}", x.schedule, y.schedule);
        assert_eq!(x.original, y.original);
    }
}

#[test]
fn what_is_written_is_read_again() {
    let tiled = "[n] -> { S0[i0] -> [t, i0, 0] : t mod 32 = 0 and t <= i0 < t + 32 }";
    let pieces = "[n] -> { S1[i0] -> [i0, 1, 0] : i0 < 10; S1[i0] -> [i0 + n, 1, 0] : i0 >= 10 }";
    for scop in [in_order(), producer([tiled, pieces])] {
        for format in FORMATS {
            let text = scop.write(format);
            assert_eq!(Format::of(&text), Some(format));
            let back = read(&text, format);
            assert_same(&back, &scop);
            assert_eq!(back.write(format), read(&back.write(format), format).write(format));
        }
    }
}

#[test]
fn jscop_text() {
    expect![[r#"
        {
          "arrays": [
            {
              "name": "A",
              "sizes": [
                "*"
              ],
              "type": "double"
            },
            {
              "name": "B",
              "sizes": [
                "*"
              ],
              "type": "double"
            }
          ],
          "context": "[n] -> { : 0 <= n <= 1000 }",
          "name": "producer: entry => exit",
          "statements": [
            {
              "accesses": [
                {
                  "kind": "write",
                  "relation": "{ S0[i0] -> A[i0] }"
                }
              ],
              "domain": "[n] -> { S0[i0] : 0 <= i0 <= n }",
              "name": "S0",
              "original": "[n] -> { S0[i0] -> [0, i0] }",
              "schedule": "[n] -> { S0[i0] -> [0, i0] }"
            },
            {
              "accesses": [
                {
                  "kind": "read",
                  "relation": "{ S1[i0] -> A[i0] }"
                },
                {
                  "kind": "read",
                  "relation": "{ S1[i0] -> A[1 + i0] }"
                },
                {
                  "kind": "may_write",
                  "relation": "{ S1[i0] -> B[i0] }"
                }
              ],
              "domain": "[n] -> { S1[i0] : (i0) mod 2 = 0 and 0 <= i0 < n }",
              "name": "S1",
              "original": "[n] -> { S1[i0] -> [1, i0] }",
              "schedule": "[n] -> { S1[i0] -> [1, i0] }"
            }
          ]
        }
    "#]]
    .assert_eq(&in_order().write(Format::Jscop));
}

#[test]
fn openscop_text() {
    expect![[r#"
        <OpenScop>

        # Language
        C

        # Context
        CONTEXT
        2 3 0 0 0 1
           1    1    0
           1   -1 1000

        # Parameters
        1
        <strings>
        n
        </strings>

        # Number of statements
        2

        # S0
        # Number of relations
        3
        DOMAIN
        2 4 1 0 0 1
           1    1    0    0
           1   -1    1    0
        SCATTERING
        2 6 2 1 0 1
           0   -1    0    0    0    0
           0    0   -1    1    0    0
        WRITE
        2 6 2 1 0 1
           0   -1    0    0    0    1
           0    0   -1    1    0    0
        # Number of extensions
        1
        <body>
        # Number of iterators
        1
        i0
        # Body
        S0(i0);
        </body>

        # S1
        # Number of relations
        5
        DOMAIN
        5 5 1 0 1 1
           0   -1    2    0    0
           1   -1    0    1   -1
           1    1    0    0    0
           1    1   -2    0    0
           1   -1    2    0    1
        SCATTERING
        2 6 2 1 0 1
           0   -1    0    0    0    1
           0    0   -1    1    0    0
        READ
        2 6 2 1 0 1
           0   -1    0    0    0    1
           0    0   -1    1    0    0
        READ
        2 6 2 1 0 1
           0   -1    0    0    0    1
           0    0   -1    1    0    1
        MAY_WRITE
        2 6 2 1 0 1
           0   -1    0    0    0    2
           0    0   -1    1    0    0
        # Number of extensions
        1
        <body>
        # Number of iterators
        1
        i0
        # Body
        S1(i0);
        </body>

        # Extensions
        <arrays>
        # Number of arrays
        2
        1 A
        2 B
        </arrays>

        <poly>
        scop: producer: entry => exit
        original: [n] -> { S0[i0] -> [0, i0] }
        original: [n] -> { S1[i0] -> [1, i0] }
        </poly>

        </OpenScop>
    "#]]
    .assert_eq(&in_order().write(Format::OpenScop));
}

#[test]
fn legal_and_illegal_schedules() {
    let mut budget = Budget::unlimited();
    let fused = producer(["[n] -> { S0[i0] -> [i0, 0] }", "[n] -> { S1[i0] -> [i0 + 1, 1] }"]);
    let too_early = producer(["[n] -> { S0[i0] -> [i0, 0] }", "[n] -> { S1[i0] -> [i0, 1] }"]);
    let partial = producer(["[n] -> { S0[i0] -> [i0, 0] : i0 > 0 }", "[n] -> { S1[i0] -> [i0 + 1, 1] }"]);
    let twice = producer(["[n] -> { S0[i0] -> [i0, 0]; S0[i0] -> [i0 - 1, 0] }", "[n] -> { S1[i0] -> [i0 + 1, 1] }"]);
    for format in FORMATS {
        let mut verdict =
            |scop: &ScopText| why_illegal(&read(&scop.write(format), format), &mut budget).expect("a verdict");
        assert_eq!(verdict(&in_order()), None);
        assert_eq!(verdict(&fused), None);
        let early = verdict(&too_early).expect("illegal");
        assert_eq!(early, "S0[1] must run before S1[0] (flow dependence) for n = 1");
        assert_eq!(verdict(&partial), Some("it leaves out instances of S0".to_string()));
        assert_eq!(verdict(&twice), Some("it executes instances of S0 more than once".to_string()));
    }
}

#[test]
fn without_the_original_order_there_is_no_verdict_but_with_that_of_another_file() {
    let mut budget = Budget::unlimited();
    let mut foreign = producer(["[n] -> { S0[i0] -> [i0, 0] }", "[n] -> { S1[i0] -> [i0, 1] }"]);
    foreign.statements.iter_mut().for_each(|s| s.original = None);
    for format in FORMATS {
        let mut back = read(&foreign.write(format), format);
        let error = why_illegal(&back, &mut budget).expect_err("nothing to judge by").to_string();
        assert!(error.contains("--original=FILE"), "{error}");
        back.set_original(&in_order(), &mut budget).expect("the same program");
        assert!(why_illegal(&back, &mut budget).expect("a verdict").is_some());
    }
}

#[test]
fn another_program_is_refused() {
    let mut budget = Budget::unlimited();
    let program = in_order();
    let mut refused = |change: &dyn Fn(&mut ScopText)| {
        let mut other = in_order();
        change(&mut other);
        other.check_same_program(&program, &mut budget).expect_err("it is another program").to_string()
    };
    expect![[
        r"an access of S1 is { S1[i0] -> A[2 + i0] }, and not { S1[i0] -> A[1 + i0] }; accesses cannot be changed"
    ]]
    .assert_eq(&refused(&|s| {
        s.statements[1].accesses[1].relation = "{ S1[i0] -> A[i0 + 2] }".parse().expect("parses")
    }));
    assert!(refused(&|s| s.statements[1].accesses[1].kind = AccessKind::MustWrite).contains("cannot be changed"));
    assert_eq!(refused(&|s| drop(s.statements.pop())), "it has 1 statements and the program has 2");
    assert_eq!(
        refused(&|s| s.statements[0].domain = "[n] -> { S0[i0] : 0 <= i0 < n }".parse().expect("parses")),
        "its instances of S0 are not those of the program"
    );
    assert_eq!(refused(&|s| drop(s.statements[0].accesses.pop())), "it has 0 accesses of S0 and the program has 1");
}

#[test]
fn original_orders_that_are_none() {
    let mut budget = Budget::unlimited();
    let mut message = |original: &str| {
        let mut scop = in_order();
        scop.statements[1].original = Some(original.parse().expect("parses"));
        why_illegal(&scop, &mut budget).expect_err("no order").to_string()
    };
    assert_eq!(
        message("[n] -> { S1[i0] -> [0, i0] }"),
        "the original order has instances of S0 and S1 at the same time"
    );
    assert_eq!(
        message("[n] -> { S1[i0] -> [1, 0] }"),
        "the original order has instances of S1 and S1 at the same time"
    );
    assert_eq!(
        message("[n] -> { S1[i0] -> [1, i0] : i0 > 3; S1[i0] -> [2, i0] : i0 <= 3 }"),
        "the original order of S1 is not an affine function"
    );
}

/// A set operation has written the last iteration in another way.
#[test]
fn original_orders_in_pieces() {
    let mut scop = in_order();
    let time = "[n] -> { S1[i0] -> [1, i0] : i0 <= -2 + n; S1[i0] -> [1, -1 + n] : i0 = -1 + n }";
    scop.statements[1].original = Some(time.parse().expect("parses"));
    assert_eq!(why_illegal(&scop, &mut Budget::unlimited()), Ok(None));
}

#[test]
fn wrong_json() {
    let text = in_order().write(Format::Jscop);
    let wrong = |from: &str, to: &str| error(&text.replacen(from, to, 1), Format::Jscop);
    assert!(error("{", Format::Jscop).starts_with("line 1: EOF"), "{}", error("{", Format::Jscop));
    assert_eq!(wrong("\"context\"", "\"other\""), "the file has no 'context'");
    assert_eq!(
        wrong("\"kind\": \"read\"", "\"kind\": \"reed\""),
        "statement S1 has an access of the kind 'reed'; known are read, write, may_write"
    );
    assert_eq!(wrong("\"name\": \"S1\"", "\"name\": \"S0\""), "there are two statements S0");
    assert_eq!(wrong("\"name\": \"S1\"", "\"name\": \"T\""), "the domain of statement T has another name");
    assert!(wrong("\"schedule\": \"[n] -> {", "\"schedule\": \"[n] -> ").starts_with("'schedule' of statement S0: "));
    assert_eq!(
        wrong("\"schedule\": \"[n] -> { S0[i0]", "\"schedule\": \"[n] -> { S0[i0, i1]"),
        "[n] -> { S0[i0, i1] -> [0, i0] } does not begin at the instances of statement S0"
    );
}

#[test]
fn wrong_matrices() {
    let text = in_order().write(Format::OpenScop);
    let wrong = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        error(&text.replacen(from, to, 1), Format::OpenScop)
    };
    assert!(wrong("DOMAIN\n2 4 1 0 0 1", "DOMAIN\n2 5 1 0 0 1").contains("the number of columns"));
    assert!(wrong("DOMAIN\n2 4 1 0 0 1", "DOMAIN\n3 4 1 0 0 1").contains("expected a row"));
    assert!(wrong("SCATTERING", "SCATTER").contains("a relation of the type SCATTER"));
    assert!(wrong("<strings>\nn\n", "<strings>\nn m\n").contains("there are 1 parameters and 2 names"));
    assert!(wrong("</OpenScop>", "").contains("the file ends"));
}

/// The example of OpenScop's documentation in its older form, and what is read from it.
#[test]
fn the_older_form_of_openscop() {
    let text = "# an example\n<OpenScop>\n\nC\n\nCONTEXT\n1 3 0 0 0 1\n 1 1 -1 ## N-1 >= 0\n\n1\nN\n\n1\n\
        # relations\n4\nDOMAIN\n2 4 1 0 0 1\n# e/i i N 1\n 1 1 0 0 ## i >= 0\n 1 -1 1 -1\n\
        SCATTERING\n2 6 2 1 0 1\n 0 -1 0 0 0 0\n 0 0 -1 1 0 0\n\
        WRITE\n2 6 2 1 0 1\n 0 -1 0 0 0 2\n 0 0 -1 1 0 0\n\
        READ\n2 6 2 1 0 1\n 0 -1 0 0 0 2\n 0 0 -1 1 0 -1\n\
        # body\n1\ni\nC[i] = C[i - 1];\n</OpenScop>\n";
    let scop = read(text, Format::OpenScop);
    assert_eq!(scop.context.to_string(), "[N] -> { : N > 0 }");
    let statement = &scop.statements[0];
    assert_eq!(statement.domain.to_string(), "[N] -> { S0[i0] : 0 <= i0 < N }");
    assert_eq!(statement.schedule.to_string(), "[N] -> { S0[i0] -> [0, i0] }");
    let accesses: Vec<String> = statement.accesses.iter().map(|a| a.relation.to_string()).collect();
    assert_eq!(accesses, ["[N] -> { S0[i0] -> A2[-1 + i0] }", "[N] -> { S0[i0] -> A2[i0] }"]);
    assert_eq!(statement.accesses[0].kind, AccessKind::Read);
    let mut reversed = scop.clone();
    reversed.statements[0].schedule = "[N] -> { S0[i0] -> [-i0] }".parse().expect("parses");
    let mut budget = Budget::unlimited();
    reversed.set_original(&scop, &mut budget).expect("the same program");
    assert_eq!(
        why_illegal(&reversed, &mut budget).expect("a verdict"),
        Some("S0[0] must run before S0[1] (flow dependence) for N = 2".to_string())
    );
}

/// Whatever is changed in a text, it is read, refused or judged, and that is all.
#[test]
fn texts_with_mistakes_do_no_harm() {
    let mut state = 1u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("small") % n
    };
    let replacements =
        ["0", "1", "-1", "7", "99999999999999999999", "[", "i0", "DOMAIN", "", "\n", "{", "S0", "<body>"];
    let (mut read, mut judged) = (0, 0);
    for format in FORMATS {
        let text = in_order().write(format);
        for _ in 0..600 {
            let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',', '[', ']']).collect();
            for _ in 0..=below(2) {
                let at = below(words.len());
                match below(3) {
                    0 => drop(words.remove(at)),
                    1 => words[at] = replacements[below(replacements.len())],
                    _ => words.insert(at, replacements[below(replacements.len())]),
                }
            }
            let budget = &mut Budget::new(200_000);
            if let Ok(scop) = ScopText::read(&words.concat(), format, budget) {
                read += 1;
                judged += usize::from(why_illegal(&scop, budget).is_ok());
                let _ = scop.check_same_program(&in_order(), budget);
            }
        }
    }
    assert!(read > 80 && judged > 40, "{read} texts were read, {judged} judged");
}
