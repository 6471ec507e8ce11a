//! The space of fusion structures: every member is legal, and nothing legal is missing.

mod common;

use common::preorders::preorders;
use common::programs::random::random_program;
use poly_arith::Int;
use poly_checker::{Coincidence, Legality, check, check_coincidence};
use poly_dependence::{Dependence, DependenceKind, Problem, analyse};
use poly_presburger::{Budget, DimKind, Map, Set};
use poly_scheduler::fusion::{FusionSpace, LevelFacts};
use poly_scheduler::{Options, ill_formed};

/// Members that are looked at for each program.
const MEMBERS: u64 = 40;

struct Program {
    context: Set,
    domains: Vec<Set>,
    times: Vec<Map>,
    dependences: Vec<Dependence>,
}

impl Program {
    fn of(problem: &Problem) -> Program {
        let options = poly_dependence::Options::default();
        let dependences = analyse(problem, &options, &mut Budget::unlimited()).expect("no limit").dependences;
        Program {
            context: problem.context.clone(),
            domains: problem.statements.iter().map(|s| s.domain.clone()).collect(),
            times: problem.statements.iter().map(|s| s.time.clone()).collect(),
            dependences,
        }
    }

    fn space(&self, options: &Options) -> FusionSpace {
        let problem = poly_scheduler::Problem {
            context: &self.context,
            domains: &self.domains,
            times: &self.times,
            dependences: &self.dependences,
        };
        FusionSpace::new(&problem, options, &mut Budget::unlimited()).expect("no limit")
    }

    /// The structures of the first members, all of which must be legal and different.
    fn legal_members(&self, options: &Options) -> Vec<String> {
        let mut space = self.space(options);
        let mut budget = Budget::unlimited();
        let mut structures = Vec::new();
        for number in 0..MEMBERS {
            let Some(member) = space.member(number, &mut budget).expect("no limit") else { break };
            let tree = &member.tree;
            assert_eq!(check(tree, &self.dependences, &mut budget), Ok(Legality::Legal), "{tree}");
            assert_eq!(check_coincidence(tree, &self.dependences, &mut budget), Ok(Coincidence::Kept), "{tree}");
            assert_eq!(ill_formed(tree, &mut budget), Ok(None), "{tree}");
            structures.push(member.structure.to_string());
        }
        assert!(!structures.is_empty(), "there is always a legal structure");
        let count = space.count(&mut budget).expect("no limit").to_i64().expect("few members");
        assert_eq!(structures.len() as u64, MEMBERS.min(count.unsigned_abs()));
        structures
    }

    fn outermost(&self, options: &Options) -> LevelFacts {
        self.space(options).outermost(&mut Budget::unlimited()).expect("no limit")
    }
}

fn points(facts: &LevelFacts) -> i64 {
    facts.pruned.as_ref().expect("few components").1.to_i64().expect("few points")
}

#[test]
fn members_of_random_programs_are_legal() {
    let mut several = 0;
    for seed in 0..60 {
        let structures = Program::of(&random_program(seed)).legal_members(&Options::default());
        several += usize::from(structures.len() > 1);
    }
    assert!(several > 20, "only {several} programs have a choice");
}

/// Reproducible everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % n).expect("small")
    }
}

const EXTENT: usize = 4;

/// Loop nests of constant extent one after the other, with dependences whose polyhedra have integer
/// corners.
fn boxes(seed: u64) -> Program {
    let mut random = Random(seed);
    let dims: Vec<usize> = (0..3 + random.below(2)).map(|_| [0, 1, 1, 2, 2][random.below(5)]).collect();
    let names = |at: &str, dims: usize| (0..dims).map(|d| format!("{at}{d}")).collect::<Vec<String>>();
    let inside = |at: &str, dims: usize| {
        let bounds: Vec<String> = names(at, dims).iter().map(|name| format!("0 <= {name} < {EXTENT}")).collect();
        if bounds.is_empty() { "1 = 1".to_string() } else { bounds.join(" and ") }
    };
    let mut dependences = Vec::new();
    for sink in 0..dims.len() {
        for source in 0..=sink {
            if random.below(3) == 0 {
                continue;
            }
            // For each dimension of the sink a dimension of the source and a distance, or nothing.
            let mut links: Vec<String> = Vec::new();
            for y in 0..dims[sink] {
                if source == sink {
                    let distance = if y == 0 { 1 } else { [-1, 0, 1][random.below(3)] };
                    links.push(format!("y{y} = x{y} + {distance}"));
                } else if dims[source] > 0 && random.below(4) > 0 {
                    let x = random.below(dims[source] as u64);
                    links.push(format!("y{y} = x{x} + {}", [-1, 0, 0, 1][random.below(4)]));
                }
            }
            if source == sink && dims[sink] == 0 {
                continue;
            }
            let text = format!(
                "{{ S{source}[{}] -> S{sink}[{}] : {} and {} {}}}",
                names("x", dims[source]).join(", "),
                names("y", dims[sink]).join(", "),
                inside("x", dims[source]),
                inside("y", dims[sink]),
                links.iter().map(|link| format!("and {link} ")).collect::<String>(),
            );
            let relation: Map = text.parse().expect("the relation parses");
            dependences.push(Dependence {
                kind: DependenceKind::Flow,
                source: (source, 0),
                sink: (sink, 0),
                relation,
                reduction: false,
                conditional: false,
            });
        }
    }
    let parse = |s: usize, time: bool| {
        let instance = format!("S{s}[{}]", names("x", dims[s]).join(", "));
        let mut levels = vec![s.to_string()];
        levels.extend(names("x", dims[s]));
        levels.resize(3, "0".to_string());
        let image = if time { format!(" -> [{}]", levels.join(", ")) } else { String::new() };
        format!("{{ {instance}{image} : {} }}", inside("x", dims[s]))
    };
    Program {
        context: "{ : }".parse().expect("parses"),
        domains: (0..dims.len()).map(|s| parse(s, false).parse().expect("parses")).collect(),
        times: (0..dims.len()).map(|s| parse(s, true).parse().expect("parses")).collect(),
        dependences,
    }
}

/// A row: coefficients of the iterators and the constant.
type AnyRow = (Vec<i64>, i64);

/// Everything about a program of boxes by enumeration.
struct Enumeration {
    /// Rows of each statement in which it advances.
    rows: Vec<Vec<AnyRow>>,
    /// The instances of each statement.
    instances: Vec<Vec<Vec<i64>>>,
    /// Pairs of instances with their statements.
    pairs: Vec<(usize, usize, Vec<i64>, Vec<i64>)>,
}

impl Enumeration {
    fn of(program: &Program, options: &Options) -> Enumeration {
        let bound = i64::from(options.max_coefficient);
        let least = if options.negative_coefficients { -bound } else { 0 };
        let rows = program.domains.iter().map(|domain| {
            let mut rows: Vec<Vec<i64>> = vec![Vec::new()];
            for _ in 0..domain.space().dim(DimKind::Out) {
                let longer = |row: &Vec<i64>| {
                    (least..=bound).map(|c| row.iter().copied().chain([c]).collect::<Vec<i64>>()).collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(longer).collect();
            }
            rows.retain(|row| row.iter().any(|&c| c != 0));
            rows.iter().flat_map(|row| (0..=bound).map(|k| (row.clone(), k)).collect::<Vec<_>>()).collect()
        });
        let small = |values: &[Int]| values.iter().map(|v| v.to_i64().expect("small")).collect::<Vec<i64>>();
        let pairs = program.dependences.iter().flat_map(|d| {
            let n = d.relation.space().dim(DimKind::In);
            let points = d.relation.wrap().enumerate(&[], &mut Budget::unlimited()).expect("bounded");
            let pair = move |p: &Vec<Int>| (d.source.0, d.sink.0, small(&p[..n]), small(&p[n..]));
            points.iter().map(pair).collect::<Vec<_>>()
        });
        let points = |domain: &Set| domain.enumerate(&[], &mut Budget::unlimited()).expect("bounded");
        let instances = program.domains.iter().map(|d| points(d).iter().map(|p| small(p)).collect());
        Enumeration { rows: rows.collect(), instances: instances.collect(), pairs: pairs.collect() }
    }

    /// Whether some instance of `a` comes before one of `b`, with and without the constants of the
    /// rows.
    fn precedes(&self, (a, (c, k)): &(usize, AnyRow), (b, (d, l)): &(usize, AnyRow)) -> bool {
        let values = |s: usize, c: &[i64]| {
            let value = |x: &Vec<i64>| c.iter().zip(x).map(|(c, x)| c * x).sum::<i64>();
            self.instances[s].iter().map(value).collect::<Vec<i64>>()
        };
        let later = values(*b, d);
        values(*a, c).iter().any(|x| later.iter().any(|y| x < y && x + k < y + l))
    }

    /// Whether the loop of two statements with rows is not all of one before all of the other.
    fn overlap(&self, a: &(usize, AnyRow), b: &(usize, AnyRow)) -> bool {
        self.precedes(a, b) && self.precedes(b, a)
    }

    fn respects(&self, chosen: &[(usize, AnyRow)], new: usize) -> bool {
        let row = |s: usize| chosen.iter().find(|(t, _)| *t == s).map(|(_, row)| row);
        let value = |(c, k): &AnyRow, x: &[i64]| c.iter().zip(x).map(|(c, x)| c * x).sum::<i64>() + k;
        self.pairs.iter().filter(|(a, b, _, _)| *a == new || *b == new).all(|(a, b, x, y)| match (row(*a), row(*b)) {
            (Some(from), Some(to)) => value(from, x) <= value(to, y),
            _ => true,
        })
    }

    /// Whether there are rows for all statements of a class.
    fn has_loop(&self, class: &[usize], chosen: &mut Vec<(usize, AnyRow)>) -> bool {
        let Some((&first, rest)) = class.split_first() else { return true };
        for row in &self.rows[first] {
            chosen.push((first, row.clone()));
            let (others, new) = chosen.split_at(chosen.len() - 1);
            let overlap = others.iter().all(|other| self.overlap(other, &new[0]));
            if overlap && self.respects(chosen, first) && self.has_loop(rest, chosen) {
                return true;
            }
            chosen.pop();
        }
        false
    }

    /// Whether a preorder is legal: no dependence leads to an earlier class, and classes of several
    /// statements have loops in which any two overlap. (Each statement is a component of its own
    /// here.)
    fn is_legal(&self, ranks: &[usize]) -> bool {
        if self.pairs.iter().any(|(a, b, _, _)| ranks[*a] > ranks[*b]) {
            return false;
        }
        (0..ranks.len()).all(|rank| {
            let class: Vec<usize> = (0..ranks.len()).filter(|&s| ranks[s] == rank).collect();
            class.len() < 2 || self.has_loop(&class, &mut Vec::new())
        })
    }
}

#[test]
fn nothing_legal_is_missing_and_nothing_else_is_there() {
    let (mut legal, mut illegal) = (0, 0);
    for seed in 0..60 {
        let program = boxes(seed);
        let negative_coefficients = seed % 2 == 0;
        let options = Options { max_coefficient: 1, negative_coefficients, ..Options::default() };
        let (set, points) = program.outermost(&options).pruned.expect("few components");
        let enumeration = Enumeration::of(&program, &options);
        let mut count = 0;
        for ranks in preorders(program.domains.len()) {
            let expected = enumeration.is_legal(&ranks);
            assert_eq!(set.contains(&ranks), expected, "seed {seed}: {ranks:?} {:#?}", program.dependences);
            count += i64::from(expected);
            *(if expected { &mut legal } else { &mut illegal }) += 1;
        }
        assert_eq!(points, Int::from(count), "seed {seed}");
        program.legal_members(&options);
    }
    assert!(legal > 300 && illegal > 1000, "{legal} legal, {illegal} illegal preorders");
}

#[test]
fn the_points_of_the_convex_set_are_those_that_are_counted() {
    for seed in 0..30 {
        let program = boxes(seed);
        if program.domains.len() > 3 {
            continue;
        }
        let (set, points) = program.outermost(&Options::default()).pruned.expect("few components");
        let listed = set.to_set().enumerate(&[], &mut Budget::unlimited()).expect("bounded");
        assert_eq!(Int::from(listed.len()), points, "seed {seed}");
    }
}

#[test]
fn independent_statements_have_all_preorders() {
    let mut program = boxes(1);
    program.dependences.clear();
    program.domains.truncate(3);
    program.domains = program.domains.iter().enumerate().map(|(s, _)| box_of(s)).collect();
    program.times.truncate(3);
    program.times = (0..3).map(|s| format!("{{ S{s}[x] -> [{s}, x] }}").parse().expect("parses")).collect();
    assert_eq!(points(&program.outermost(&Options::default())), 13);
    let structures = program.legal_members(&Options::default());
    assert_eq!(structures.len(), 13);
    assert_eq!(structures[0], "{S0 S1 S2}");
    assert_eq!(structures[12], "{S2} {S1} {S0}");
}

/// Three loops in a row, of which the second and third read what the one before has written, from
/// the end.
fn rev(bound: &str, second: &str, third: &str) -> Program {
    let domain = |s: usize| format!("[n] -> {{ S{s}[x] : 0 <= x < {bound} }}").parse::<Set>().expect("parses");
    let dependence = |source: usize, sink: usize| Dependence {
        kind: DependenceKind::Flow,
        source: (source, 0),
        sink: (sink, 0),
        relation: format!("[n] -> {{ S{source}[x] -> S{sink}[{bound} - 1 - x] : 0 <= x < {bound} }}")
            .parse()
            .expect("parses"),
        reduction: false,
        conditional: false,
    };
    let arcs = [second, third].map(|arc| arc.split_once("->").expect("an arc"));
    let number = |text: &str| text.parse::<usize>().expect("a number");
    Program {
        context: "[n] -> { : n >= 16 }".parse().expect("parses"),
        domains: (0..3).map(domain).collect(),
        times: (0..3).map(|s| format!("[n] -> {{ S{s}[x] -> [{s}, x] }}").parse().expect("parses")).collect(),
        dependences: arcs.iter().map(|(a, b)| dependence(number(a), number(b))).collect(),
    }
}

/// One loop backwards and the other forwards meet in no iteration, or, shifted, in a few.
#[test]
fn reversal_does_not_fuse_loops_that_do_not_overlap() {
    // By hand: S0 before S1, and S2 anywhere.
    let mut free = rev("n", "0->1", "0->1");
    free.dependences.truncate(1);
    assert_eq!(points(&free.outermost(&Options::default())), 5);
    assert_eq!(free.legal_members(&Options::default()).len(), 5);
    // S1 and S2 in any order or together behind S0, and a chain.
    assert_eq!(points(&rev("n", "0->1", "0->2").outermost(&Options::default())), 3);
    assert_eq!(points(&rev("n", "0->1", "1->2").outermost(&Options::default())), 1);
    // Of constant size, too: the shift that is allowed is as large as the loops, but does not
    // count.
    assert_eq!(points(&rev("8", "0->1", "1->2").outermost(&Options::default())), 1);
}

/// Where the sink goes backwards by itself, both can go backwards.
#[test]
fn reversed_together_loops_overlap() {
    let mut program = rev("n", "0->1", "1->2");
    for (dependence, sink) in program.dependences.iter_mut().zip([1, 2]) {
        let text = format!("[n] -> {{ S{}[x] -> S{sink}[y] : y <= x and 0 <= x < n and 0 <= y < n }}", sink - 1);
        dependence.relation = text.parse().expect("parses");
    }
    assert_eq!(points(&program.outermost(&Options::default())), 4);
    let unsigned = Options { negative_coefficients: false, ..Options::default() };
    assert_eq!(points(&program.outermost(&unsigned)), 1);
    program.legal_members(&Options::default());
}

fn box_of(s: usize) -> Set {
    format!("{{ S{s}[x] : 0 <= x < 4 }}").parse().expect("parses")
}

/// Each of two consumers wants another loop of the producer outside: any two can share a loop, all
/// three cannot. (With reversal or long shifts they could.)
#[test]
fn three_statements_of_which_any_two_share_a_loop() {
    let mut program = boxes(1);
    let parse = |text: &str| text.parse::<Set>().expect("parses");
    program.domains = vec![
        parse("{ S0[x, y] : 0 <= x < 4 and 0 <= y < 4 }"),
        parse("{ S1[x] : 0 <= x < 4 }"),
        parse("{ S2[x] : 0 <= x < 4 }"),
    ];
    program.times = ["{ S0[x, y] -> [0, x, y] }", "{ S1[x] -> [1, x, 0] }", "{ S2[x] -> [2, x, 0] }"]
        .map(|text| text.parse().expect("parses"))
        .into();
    let dependence = |sink: usize, text: &str| Dependence {
        kind: DependenceKind::Flow,
        source: (0, 0),
        sink: (sink, 0),
        relation: text.parse().expect("parses"),
        reduction: false,
        conditional: false,
    };
    program.dependences = vec![
        dependence(1, "{ S0[x, y] -> S1[x] : 0 <= x < 4 and 0 <= y < 4 }"),
        dependence(2, "{ S0[x, y] -> S2[y] : 0 <= x < 4 and 0 <= y < 4 }"),
    ];
    let options = Options { max_coefficient: 2, negative_coefficients: false, ..Options::default() };
    let facts = program.outermost(&options);
    assert_eq!(points(&facts), 5);
    let set = &facts.pruned.as_ref().expect("few components").0;
    assert!(set.contains(&[0, 0, 1]) && set.contains(&[0, 1, 0]) && set.contains(&[0, 1, 1]));
    assert!(!set.contains(&[0, 0, 0]));
    assert_eq!(set.to_set().enumerate(&[], &mut Budget::unlimited()).expect("bounded").len(), 5);
    let structures = program.legal_members(&options);
    assert!(
        structures.contains(&"{S0 S1} {S2}".to_string()) || structures.contains(&"{{S0} S1} {S2}".to_string()),
        "{structures:?}"
    );
}

#[test]
fn spaces_too_large_to_be_counted_have_members() {
    for (n, structure) in [(14, "{S0 S1"), (17, "{S0} {S1}")] {
        let program = Program {
            context: "{ : }".parse().expect("parses"),
            domains: (0..n).map(box_of).collect(),
            times: (0..n).map(|s| format!("{{ S{s}[x] -> [{s}, x] }}").parse().expect("parses")).collect(),
            dependences: Vec::new(),
        };
        let mut space = program.space(&Options::default());
        let mut budget = Budget::new(5_000_000);
        assert!(space.outermost(&mut budget).expect("it has a part of the budget").pruned.is_none());
        let member = space.member(0, &mut budget).expect("there is budget left").expect("there is one");
        assert!(member.structure.to_string().starts_with(structure), "{}", member.structure);
        assert_eq!(ill_formed(&member.tree, &mut Budget::unlimited()), Ok(None));
    }
}
