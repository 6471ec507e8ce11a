//! Live ranges that change places: schedules of programs, and the checker against the values that
//! reads see.

mod common;

use std::collections::BTreeMap;

use common::instances::times;
use common::programs::trace::{Event, trace};
use common::programs::{program, statement};
use expect_test::expect;
use poly_arith::Int;
use poly_checker::{Coincidence, Legality, check, check_coincidence};
use poly_dependence::{AccessKind, Dependence, DependenceKind, Problem, analyse, with_live_ranges};
use poly_presburger::budget::Budget;
use poly_presburger::{DimKind, Map, Set, Tuple};
use poly_schedule_tree::{ScheduleTree, Tree};
use poly_scheduler::{Options, schedule};

/// The dependences of a program with conditional ones, if there are any; nobody reads the arrays
/// the names of which begin with a small letter.
fn conditional(problem: &Problem) -> Option<Vec<Dependence>> {
    let mut budget = Budget::unlimited();
    let all = analyse(problem, &poly_dependence::Options::default(), &mut budget).expect("no limit");
    let is_temporary = |array: &Tuple| array.name_str().is_some_and(|name| name.starts_with(char::is_lowercase));
    with_live_ranges(problem, &all, &is_temporary, &mut budget).expect("no limit").map(|found| found.dependences)
}

fn scheduled(problem: &Problem, dependences: &[Dependence], options: &Options) -> ScheduleTree {
    let domains: Vec<Set> = problem.statements.iter().map(|s| s.domain.clone()).collect();
    let times: Vec<Map> = problem.statements.iter().map(|s| s.time.clone()).collect();
    let input = poly_scheduler::Problem { context: &problem.context, domains: &domains, times: &times, dependences };
    schedule(&input, options, &mut Budget::unlimited()).expect("no limit")
}

/// Statement and instance.
type Instance = (usize, Vec<Int>);

/// Which write each read of a program sees, and which writes are there at the end; of the arrays
/// that are read afterwards.
#[derive(Debug, Default, PartialEq)]
struct Values {
    /// By statement, instance and access.
    reads: BTreeMap<(Instance, usize), Option<Instance>>,
    memory: BTreeMap<(String, Vec<Int>), Instance>,
}

/// Executes events in their order.
fn execute(events: &[&Event]) -> Values {
    let mut values = Values::default();
    for event in events {
        match event.kind {
            AccessKind::Read => {
                let seen = values.memory.get(&event.element).cloned();
                values.reads.insert(((event.statement, event.instance.clone()), event.access), seen);
            }
            _ => {
                values.memory.insert(event.element.clone(), (event.statement, event.instance.clone()));
            }
        }
    }
    values.memory.retain(|element, _| element.0.starts_with(char::is_uppercase));
    values
}

/// Whether the order of a tree gives every read its value and leaves the same memory behind, for
/// some sizes.
fn is_right(problem: &Problem, tree: &ScheduleTree) -> bool {
    (0..5).all(|n| is_right_for(problem, tree, &Int::from(n)))
}

fn is_right_for(problem: &Problem, tree: &ScheduleTree, n: &Int) -> bool {
    let params = [n.clone()];
    let events = trace(problem, &params);
    let before: Vec<&Event> = events.iter().collect();
    let times = times(tree, &params);
    let time = |event: &Event| {
        let name = problem.statements[event.statement].domain.tuple_name().expect("named").to_string();
        times[&(name, event.instance.clone())].clone()
    };
    // Accesses of one instance stay in their order.
    let mut after = before.clone();
    after.sort_by_key(|event| time(event));
    let is_conflict = |a: &Event, b: &Event| {
        a.element == b.element && a.time != b.time && (a.kind != AccessKind::Read || b.kind != AccessKind::Read)
    };
    let at_once = |a: &Event, b: &Event| is_conflict(a, b) && time(a) == time(b);
    let is_ordered = !events.iter().enumerate().any(|(place, a)| events[..place].iter().any(|b| at_once(a, b)));
    is_ordered && execute(&before) == execute(&after)
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

/// How many programs are looked at.
const SEEDS: u64 = 80;

const NAMES: [&str; 3] = ["i", "j", "k"];

/// Statements in two common loops, some in a third one, that write and read a scalar, rows and
/// arrays.
fn random_program(seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let mut statements = Vec::new();
    for s in 0..1 + random.below(3) {
        let dims = if random.below(3) == 0 { 3 } else { 2 };
        let instance = format!("S{s}[{}]", NAMES[..dims].join(", "));
        let bounds: Vec<String> = NAMES[..dims].iter().map(|name| format!("0 <= {name} < n")).collect();
        let triangle = if random.below(4) == 0 { " and j <= i" } else { "" };
        let domain = format!("[n] -> {{ {instance} : {}{triangle} }}", bounds.join(" and "));
        // All in both loops, or each in an inner loop of its own.
        let inner = if seed.is_multiple_of(3) { format!("{s}, j, 0") } else { format!("0, j, {s}") };
        let time = format!("{{ {instance} -> [i, {inner}, {}] }}", if dims == 3 { "k" } else { "0" });
        let mut element = |dims: usize| {
            let shift = if random.below(5) == 0 { " + 1" } else { "" };
            match random.below(6) {
                0 | 1 => "s[]".to_string(),
                2 => format!("t[j{shift}]"),
                3 => format!("A[{}{shift}]", NAMES[dims - 1]),
                4 => format!("B[i, j{shift}]"),
                _ => "C[]".to_string(),
            }
        };
        let mut accesses: Vec<String> = Vec::new();
        for _ in 0..1 + seed % 2 {
            accesses.push(format!("read {{ {instance} -> {} }}", element(dims)));
        }
        accesses.push(format!("write {{ {instance} -> {} }}", element(dims)));
        if seed % 5 == 1 {
            accesses.swap(0, 1);
        }
        let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
        statements.push(statement(&domain, &time, &accesses));
    }
    program("[n] -> { : n >= 0 }", statements)
}

/// `for i, j: s = A[i][j] (X); for i, j, k: s = s + k (Y); C[i][j] = s (Z)`, in the same loops over
/// `i` and `j`.
fn sums(scalar: &str) -> Problem {
    let all = "0 <= i < n and 0 <= j < n";
    let [x, y, z] = [
        (format!("[n] -> {{ X[i, j] : {all} }}"), "{ X[i, j] -> [i, j, 0, 0] }"),
        (format!("[n] -> {{ Y[i, j, k] : {all} and 0 <= k < n }}"), "{ Y[i, j, k] -> [i, j, 1, k] }"),
        (format!("[n] -> {{ Z[i, j] : {all} }}"), "{ Z[i, j] -> [i, j, 2, 0] }"),
    ];
    program(
        "[n] -> { : n >= 1 }",
        vec![
            statement(&x.0, x.1, &["read { X[i, j] -> A[i, j] }", &format!("write {{ X[i, j] -> {scalar} }}")]),
            statement(
                &y.0,
                y.1,
                &[&format!("read {{ Y[i, j, k] -> {scalar} }}"), &format!("write {{ Y[i, j, k] -> {scalar} }}")],
            ),
            statement(&z.0, z.1, &[&format!("read {{ Z[i, j] -> {scalar} }}"), "write { Z[i, j] -> C[i, j] }"]),
        ],
    )
}

#[test]
fn a_scalar_that_lives_in_one_iteration_does_not_keep_loops_apart() {
    let problem = sums("s[]");
    let dependences = conditional(&problem).expect("there are live ranges");
    let kinds: Vec<String> =
        dependences.iter().map(|d| d.to_string().split(':').next().unwrap_or("").to_string()).collect();
    expect![[r#"
        flow 0.1 -> 1.0
        flow 1.1 -> 1.0
        flow 1.1 -> 2.0
        anti (conditional) 1.0 -> 0.1
        anti (conditional) 1.0 -> 1.1
        anti (conditional) 2.0 -> 0.1
        anti (conditional) 2.0 -> 1.1"#]]
    .assert_eq(&kinds.join("\n"));
    let tree = scheduled(&problem, &dependences, &Options::default());
    expect![[r#"
        domain: "[n] -> { X[i, j] : 0 <= i < n and 0 <= j < n; Y[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n; Z[i, j] : 0 <= i < n and 0 <= j < n }"
        child:
          schedule: "[n] -> [{ X[i, j] -> [(i)]; Y[i, j, k] -> [(i)]; Z[i, j] -> [(i)] }, { X[i, j] -> [(j)]; Y[i, j, k] -> [(j)]; Z[i, j] -> [(j)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "[n] -> { X[i, j] }"
            - filter: "[n] -> { Y[i, j, k] }"
              child:
                schedule: "[n] -> [{ Y[i, j, k] -> [(k)] }]"
                permutable: 1
            - filter: "[n] -> { Z[i, j] }"
    "#]].assert_eq(&tree.to_string());
    assert_eq!(check(&tree, &dependences, &mut Budget::unlimited()), Ok(Legality::Legal));
    assert!(is_right(&problem, &tree));
    let in_order = scheduled(&problem, &dependences, &Options { live_ranges: false, ..Options::default() });
    let depth = |tree: &ScheduleTree| tree.band_nodes()[0].band().expect("a band").n_member();
    assert_eq!((depth(&tree), depth(&in_order)), (2, 1));
}

#[test]
fn the_last_write_of_what_is_read_afterwards_stays_the_last_one() {
    let problem = sums("S[]");
    let dependences = conditional(&problem).expect("there are live ranges");
    assert!(dependences.iter().any(|d| d.kind == DependenceKind::Anti && !d.conditional));
    let tree = |order: &str| -> ScheduleTree {
        let text = format!(
            r#"
domain: "[n] -> {{ X[i, j] : 0 <= i < n and 0 <= j < n; Y[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n; Z[i, j] : 0 <= i < n and 0 <= j < n }}"
child:
  schedule: "[n] -> [{order}]"
  child:
    sequence:
    - filter: "[n] -> {{ X[i, j] }}"
    - filter: "[n] -> {{ Y[i, j, k] }}"
      child:
        schedule: "[n] -> [{{ Y[i, j, k] -> [(k)] }}]"
    - filter: "[n] -> {{ Z[i, j] }}"
"#
        );
        text.parse().expect("a tree")
    };
    let by = |i: &str, j: &str| {
        let row = |e: &str| format!("{{ X[i, j] -> [({e})]; Y[i, j, k] -> [({e})]; Z[i, j] -> [({e})] }}");
        tree(&format!("{}, {}", row(i), row(j)))
    };
    // Interchanged: n - 1, n - 1 stays the last one. Reversed it is the first one.
    for (tree, expected) in [(by("j", "i"), true), (by("-i", "j"), false), (by("i + j", "i"), true)] {
        let verdict = check(&tree, &dependences, &mut Budget::unlimited()).expect("no limit");
        assert_eq!((verdict == Legality::Legal, is_right(&problem, &tree)), (expected, expected), "{tree}");
    }
    // Nobody reads a temporary afterwards.
    let problem = sums("s[]");
    let dependences = conditional(&problem).expect("there are live ranges");
    let verdict = check(&by("-i", "j"), &dependences, &mut Budget::unlimited());
    assert_eq!((verdict, is_right(&problem, &by("-i", "j"))), (Ok(Legality::Legal), true));
}

#[test]
fn a_loop_with_a_temporary_is_not_parallel() {
    let problem = sums("s[]");
    let dependences = conditional(&problem).expect("there are live ranges");
    let mut tree = scheduled(&problem, &dependences, &Options::default()).to_string();
    assert!(!tree.contains("coincident: [ 1") && !tree.contains("coincident: [ 0, 1"), "{tree}");
    let permutable = tree.find("permutable: 1").expect("a permutable band");
    let end = permutable + tree[permutable..].find('\n').expect("a line");
    tree.insert_str(end, "\n  coincident: [ 1, 0 ]");
    let tree: ScheduleTree = tree.parse().expect("a tree");
    let verdict = check_coincidence(&tree, &dependences, &mut Budget::unlimited()).expect("no limit");
    assert!(matches!(verdict, Coincidence::Violated { dimension: 0, .. }), "{verdict:?}");
}

/// Orders of a program that may be right or wrong: rows of the statements with coefficients between
/// -1 and 1, below each other or in another sequence.
fn random_tree(problem: &Problem, seed: u64) -> ScheduleTree {
    let mut random = Random::new(seed);
    let mut below = |n| random.below(n);
    let mut order: Vec<usize> = (0..problem.statements.len()).collect();
    if below(2) == 0 {
        order.rotate_left(1);
    }
    let outside = below(2) == 0;
    let mut rows = vec![String::new(); 3];
    for statement in &problem.statements {
        let tuple = statement.domain.tuple().expect("named");
        let n = statement.domain.space().dim(DimKind::Out);
        let head = format!("{}[{}]", tuple.name_str().expect("named"), NAMES[..n].join(", "));
        // A permutation of the iterators, some of them reversed, some skewed by another one.
        let first = usize::try_from(below(3)).expect("small");
        for (r, row) in rows.iter_mut().enumerate() {
            let own = match n {
                0 => "0".to_string(),
                n => {
                    let at = (first + r) % n.max(1);
                    let sign = if below(4) == 0 { "-" } else { "" };
                    let skew = if below(4) == 0 { format!(" + {}", NAMES[(at + 1) % n]) } else { String::new() };
                    if r < n { format!("{sign}{}{skew}", NAMES[at]) } else { "0".to_string() }
                }
            };
            row.push_str(&format!("{head} -> [({own})]; "));
        }
    }
    let domain = problem.statements.iter().map(|s| s.domain.to_string()).map(|text| {
        let (_, inner) = text.split_once('{').expect("a set");
        inner.trim().trim_end_matches('}').to_string()
    });
    let domain: Vec<String> = domain.collect();
    let bands: Vec<String> = rows.iter().map(|row| format!("{{ {} }}", row.trim_end_matches("; "))).collect();
    let band = |indent: usize, more: &str| {
        let space = " ".repeat(indent);
        format!("{space}schedule: \"[n] -> [{}]\"\n{more}", bands.join(", "))
    };
    let filters = |indent: usize, child: &dyn Fn(usize) -> String| {
        let space = " ".repeat(indent);
        let mut text = format!("{space}sequence:\n");
        for &s in &order {
            let statement = &problem.statements[s];
            let n = statement.domain.space().dim(DimKind::Out);
            let name = statement.domain.tuple().expect("named").name_str().expect("named").to_string();
            text += &format!("{space}- filter: \"[n] -> {{ {name}[{}] }}\"\n{}", NAMES[..n].join(", "), child(indent));
        }
        text
    };
    let text = if outside {
        let head = format!("domain: \"[n] -> {{ {} }}\"\nchild:\n", domain.join("; "));
        head + &band(2, &format!("  child:\n{}", filters(4, &|_| String::new())))
    } else {
        let own = |indent: usize| {
            let space = " ".repeat(indent + 2);
            format!("{space}child:\n{}", band(indent + 4, ""))
        };
        // Every child gets the rows of all statements; the others do not occur.
        format!("domain: \"[n] -> {{ {} }}\"\nchild:\n{}", domain.join("; "), filters(2, &own))
    };
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn the_checker_accepts_exactly_the_orders_that_give_every_read_its_value() {
    let (mut programs, mut right, mut wrong, mut reordered) = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let problem = random_program(seed);
        let Some(dependences) = conditional(&problem) else { continue };
        programs += 1;
        let mut in_order = dependences.clone();
        in_order.iter_mut().for_each(|d| d.conditional = false);
        for order in 0..6 {
            let tree = random_tree(&problem, seed * 100 + order);
            let verdict = check(&tree, &dependences, &mut Budget::unlimited()).expect("no limit");
            let is_legal = verdict == Legality::Legal;
            if is_legal {
                assert!(is_right(&problem, &tree), "seed {seed}: {problem:#?}\n{dependences:#?}\n{tree}");
                right += 1;
                let plain = check(&tree, &in_order, &mut Budget::unlimited()).expect("no limit");
                reordered += usize::from(plain != Legality::Legal);
            } else {
                let Legality::Violated { params, .. } = &verdict else { panic!("it is not legal") };
                if params[0] < Int::from(7) {
                    wrong += 1;
                    let context = || format!("seed {seed}: {verdict:?}\n{problem:#?}\n{dependences:#?}\n{tree}");
                    assert!(!is_right_for(&problem, &tree, &params[0]), "{}", context());
                }
            }
        }
    }
    eprintln!(
        "{programs} programs, {right} right orders, {reordered} of them only with other live ranges first, {wrong} wrong"
    );
    assert!(programs > 20 && right > 50 && wrong > 50 && reordered > 10, "{programs}, {right}, {wrong}, {reordered}");
}

/// The tree with the members of all permutable bands in the opposite order.
fn permuted(tree: &ScheduleTree) -> ScheduleTree {
    fn walk(tree: &Tree) -> Tree {
        let children: Vec<Tree> = tree.children().iter().map(walk).collect();
        match tree.as_band().filter(|band| band.permutable) {
            Some(band) => {
                let order: Vec<usize> = (0..band.n_member()).rev().collect();
                Tree::band(band.permute(&order), walk(tree.child()))
            }
            None if children.is_empty() => tree.clone(),
            None => tree.with_children(children),
        }
    }
    ScheduleTree::new(tree.domain().clone(), walk(tree.tree().child()))
}

#[test]
fn schedules_of_random_programs_give_every_read_its_value() {
    let (mut programs, mut reordered) = (0, 0);
    for seed in 0..SEEDS {
        let problem = random_program(seed);
        let Some(dependences) = conditional(&problem) else { continue };
        let tree = scheduled(&problem, &dependences, &Options::default());
        let verdict = check(&tree, &dependences, &mut Budget::unlimited());
        assert_eq!(verdict, Ok(Legality::Legal), "seed {seed}: {problem:#?}\n{dependences:#?}\n{tree}");
        let coincidence = check_coincidence(&tree, &dependences, &mut Budget::unlimited());
        assert_eq!(coincidence, Ok(Coincidence::Kept), "seed {seed}: {tree}");
        assert!(is_right(&problem, &tree), "seed {seed}: {problem:#?}\n{tree}");
        // The members of its bands may be permuted.
        let backward = permuted(&tree);
        let verdict = check(&backward, &dependences, &mut Budget::unlimited());
        assert_eq!(verdict, Ok(Legality::Legal), "seed {seed}: {problem:#?}\n{dependences:#?}\n{backward}");
        assert!(is_right(&problem, &backward), "seed {seed}: {problem:#?}\n{backward}");
        programs += 1;
        let mut in_order = dependences.clone();
        in_order.iter_mut().for_each(|d| d.conditional = false);
        reordered += usize::from(check(&tree, &in_order, &mut Budget::unlimited()) != Ok(Legality::Legal));
    }
    eprintln!("{programs} programs, {reordered} with live ranges in another order");
    assert!(programs > 20, "{programs} programs");
}
