//! The worked examples of the reference, with exact numbers of operations, and random reductions.

use poly_arith::Int;
use poly_presburger::{Budget, Map, Set};

use crate::{
    Equation, Factor, Function, LeafId, Operator, Options, Reduction, Shifts, Source, System, Tie, Verdict, cost,
    evaluate, simplify, verify,
};

/// A reduction from isl's syntax.
pub(crate) fn reduction(
    operator: Operator,
    times: Operator,
    domain: &str,
    projection: &str,
    reads: &[&str],
) -> Reduction {
    let domain: Set = domain.parse().expect("the domain can be read");
    let function = |text: &str| {
        let map: Map = text.parse().expect("the function can be read");
        Function::from_map(&map.align_params(domain.space())).expect("it is an affine function")
    };
    let factor = |(leaf, text): (usize, &&str)| Factor { source: Source::Leaf(LeafId(leaf)), access: function(text) };
    Reduction {
        params: domain.space().params.clone(),
        operator,
        times,
        projection: function(projection),
        factors: reads.iter().enumerate().map(factor).collect(),
        domain,
        fixed: 0,
        forward: 0,
    }
}

fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&value| Int::from(value)).collect()
}

/// A value for every leaf and place.
fn value(leaf: LeafId, at: &[Int]) -> i64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(leaf.0 as u64 + 1);
    for x in at {
        hash = (hash ^ x.to_i64().expect("subscripts are small") as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    }
    (hash % 101) as i64 - 50
}

/// What simplification makes of a reduction, proven and executed.
fn checked(reduction: &Reduction, options: &Options, params: &[Int]) -> (Option<(System, Verdict)>, u64, u64) {
    let budget = &mut Budget::unlimited();
    let (expected, before) = evaluate(reduction, params, &value, budget).expect("the domain is bounded");
    let Some(system) = simplify(reduction, options, budget).expect("no budget") else { return (None, before, before) };
    let (found, after) = system.evaluate(params, &value, budget).expect("domains are bounded");
    assert_eq!(found, expected, "{} {:?}", reduction.domain, reduction.factors);
    let verdict = verify(&system, reduction, budget).expect("no budget");
    (Some((system, verdict)), before, after)
}

/// Degrees, operations as counted and as executed.
fn check(reduction: &Reduction, sizes: &[i64], operations: (u64, u64), degrees: (u32, u32)) {
    let sizes = ints(sizes);
    let (system, before, after) = checked(reduction, &Options::at(sizes.clone()), &sizes);
    let system = system.map(|(system, verdict)| {
        assert_eq!(verdict, Verdict::Proven);
        system
    });
    assert_eq!((before, after), operations);
    let budget = &mut Budget::unlimited();
    let old = cost(reduction, &sizes, budget).unwrap();
    let new = system.as_ref().map_or_else(
        || cost(reduction, &sizes, budget).unwrap(),
        |s| s.cost(&sizes, &mut Budget::unlimited()).unwrap(),
    );
    assert_eq!((old.degree, new.degree), degrees);
    assert_eq!((old.operations, new.operations), (Int::from(before), Int::from(after)));
}

use Operator::{Add, Max, Min, Mul};

#[test]
fn r1_prefix_sum() {
    let r = reduction(Add, Mul, "[n] -> { [i, j] : 0 <= j <= i < n }", "{ [i, j] -> [i] }", &["{ [i, j] -> [j] }"]);
    check(&r, &[100], (4950, 99), (2, 1));
}

#[test]
fn r2_sliding_sum() {
    let domain = "[n, w] -> { [i, j] : 0 <= i < n and 0 <= j < w }";
    let r = reduction(Add, Mul, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [i + j] }"]);
    check(&r, &[100, 16], (1500, 213), (2, 1));
}

#[test]
fn r3_box_filter() {
    let domain = "[n, r] -> { [i, j, y, x] : 0 <= i, j < n and 0 <= y, x < r }";
    let r = reduction(Add, Mul, domain, "{ [i, j, y, x] -> [i, j] }", &["{ [i, j, y, x] -> [i + y, j + x] }"]);
    check(&r, &[24, 6], (20160, 2703), (4, 2));
}

#[test]
fn r4_equation_of_the_handbook() {
    let domain = "[n] -> { [i, j, k] : 0 <= i < n and 0 <= j, k <= i }";
    let reads = ["{ [i, j, k] -> [i, j + k] }", "{ [i, j, k] -> [k, j] }"];
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [i] }", &reads);
    check(&r, &[24], (9776, 1657), (3, 2));
}

#[test]
fn r5_product_of_triangles() {
    let domain = "[n] -> { [i, j, k] : 0 <= i < n and 0 <= j, k <= i }";
    let reads = ["{ [i, j, k] -> [i, k] }", "{ [i, j, k] -> [k, j] }"];
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [i] }", &reads);
    check(&r, &[24], (9776, 1128), (3, 2));
}

#[test]
fn r6_reuse_along_accumulation() {
    let domain = "[n] -> { [i, j, k] : 0 <= i < n and 0 <= j, k <= i }";
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [i] }", &["{ [i, j, k] -> [k] }"]);
    check(&r, &[60], (73750, 119), (3, 1));
}

#[test]
fn r6_with_numbers_that_are_sums_of_ones() {
    let domain = "[n] -> { [i, j, k] : 0 <= i < n and 0 <= j, k <= i }";
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [i] }", &["{ [i, j, k] -> [k] }"]);
    let sizes = ints(&[60]);
    let options = Options { repeats: false, blocks: false, ..Options::at(sizes.clone()) };
    let (found, before, after) = checked(&r, &options, &sizes);
    let (system, verdict) = found.expect("it is simplified");
    assert_eq!(verdict, Verdict::Proven);
    assert_eq!(system.cost(&sizes, &mut Budget::unlimited()).unwrap().degree, 1);
    // A number more for each answer than with numbers that are known.
    assert_eq!((before, after), (73750, 119 + 59));
}

#[test]
fn suffixes_that_begin_at_each_element() {
    let domain = "[n, m] -> { [i, j, k] : 0 <= i < n and 0 <= j <= i and 0 <= k < m - j }";
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [i] }", &["{ [i, j, k] -> [j + k] }"]);
    let sizes = ints(&[20, 30]);
    let options = Options { repeats: false, blocks: false, ..Options::at(sizes.clone()) };
    let (found, before, after) = checked(&r, &options, &sizes);
    let (system, verdict) = found.expect("it is simplified");
    assert_eq!(verdict, Verdict::Proven);
    assert_eq!(system.cost(&sizes, &mut Budget::unlimited()).unwrap().degree, 1);
    assert_eq!((before, after), (4950, 48));
}

#[test]
fn prefixes_of_prefixes() {
    let domain = "[n] -> { [i, j, k] : 0 <= k <= j <= i < n }";
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [i] }", &["{ [i, j, k] -> [k] }"]);
    let sizes = ints(&[12]);
    let options = Options { repeats: false, blocks: false, ..Options::at(sizes.clone()) };
    let (found, before, after) = checked(&r, &options, &sizes);
    assert_eq!((before, after), (352, 22));
    assert_eq!(found.expect("it is simplified").1, Verdict::Proven);
}

#[test]
fn r7_maximum_over_rectangles() {
    let domain = "[n] -> { [i, j, k] : 0 <= i < n and 0 <= j <= i and 0 <= k < n - i }";
    let r = reduction(Max, Add, domain, "{ [i, j, k] -> [i] }", &["{ [i, j, k] -> [j, k] }"]);
    check(&r, &[24], (2576, 552), (3, 2));
}

#[test]
fn r9_interior_loops() {
    let domain = "[n] -> { [i, j, p, q] : 1 <= i and i + 3 <= j <= n and i < p < q < j }";
    let reads = [
        "{ [i, j, p, q] -> [i, j] }",
        "{ [i, j, p, q] -> [p, q] }",
        "{ [i, j, p, q] -> [p - i + j - q - 2] }",
        "{ [i, j, p, q] -> [p - i + q - j] }",
    ];
    let r = reduction(Min, Add, domain, "{ [i, j, p, q] -> [i, j] }", &reads);
    let sizes = ints(&[12]);
    let (system, before, after) = checked(&r, &Options::at(ints(&[40])), &sizes);
    let (system, verdict) = system.expect("there is reuse");
    assert_eq!(verdict, Verdict::Proven);
    let budget = &mut Budget::unlimited();
    let (old, new) = (cost(&r, &ints(&[40]), budget).unwrap(), system.cost(&ints(&[40]), budget).unwrap());
    assert_eq!((old.degree, new.degree), (4, 3), "{before} {after}");
    assert_eq!((old.operations, new.operations), (Int::from(364_857), Int::from(52_059)));
}

#[test]
fn r10_checksum_of_a_product() {
    let domain = "[n] -> { [i, j, k] : 0 <= i, j, k < n }";
    let reads = ["{ [i, j, k] -> [i, k] }", "{ [i, j, k] -> [k, j] }"];
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [] }", &reads);
    check(&r, &[16], (8191, 511), (3, 2));
}

#[test]
fn windows_of_operators_without_inverse_stay() {
    let domain = "[n, w] -> { [i, j] : 0 <= i < n and 0 <= j < w }";
    let r = reduction(Max, Add, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [i + j] }"]);
    check(&r, &[100, 16], (1500, 1500), (2, 2));
}

#[test]
fn r2b_sliding_maximum_in_blocks() {
    let domain = "[n] -> { [i, j] : 0 <= i < n and 0 <= j < 16 }";
    let r = reduction(Max, Add, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [i + j] }"]);
    // 44 in each of 6 full blocks, 20 in the last one of 4 answers.
    check(&r, &[100], (1500, 284), (1, 1));
}

/// Doubling, proven and executed.
fn check_doubling(reduction: &Reduction, sizes: &[i64], operations: (u64, u64)) {
    let options = Options { levels: 4, blocks: false, ..Options::at(ints(sizes)) };
    let (system, before, after) = checked(reduction, &options, &ints(sizes));
    assert_eq!(system.expect("there is reuse").1, Verdict::Proven);
    assert_eq!((before, after), operations);
}

#[test]
fn maxima_of_any_width() {
    let domain = "[n, w] -> { [i, j] : 0 <= i < n and i <= j < i + w }";
    let r = reduction(Max, Add, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [j] }"]);
    // 434 for intervals of 2 to 16 values, 100 for two of them each.
    check_doubling(&r, &[100, 16], (1500, 534));
    check_doubling(&r, &[100, 7], (600, 308));
    // 159 values: 158 + 156 + 152 + 144 for the intervals of 2 to 16; three of those of 16 values
    // side by side and the last one, so three operations, for each answer.
    check_doubling(&r, &[100, 60], (5900, 610 + 300));
}

#[test]
fn r8_maxima_of_windows_that_grow() {
    let domain = "[n] -> { [i, j] : 0 <= i < n and i <= j <= 2i }";
    let r = reduction(Max, Add, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [j] }"]);
    check_doubling(&r, &[200], (19900, 2748));
}

#[test]
fn maxima_of_windows_that_are_cut_at_borders() {
    let domain = "[n, r] -> { [i, j] : 0 <= i < n and 0 <= j < n and i - r <= j <= i + r }";
    let r = reduction(Operator::And, Operator::Or, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [j] }"]);
    check_doubling(&r, &[60, 9], (990, 274));
    check_doubling(&r, &[7, 20], (42, 17));
}

/// Intervals that do not overlap, proven and executed.
fn check_digits(operator: Operator, domain: &str, reads: &str, sizes: &[i64], operations: (u64, u64)) {
    let r = reduction(operator, Mul, domain, "{ [i, j] -> [i] }", &[reads]);
    let options = Options { levels: 4, blocks: false, inverses: false, repeats: false, ..Options::at(ints(sizes)) };
    let (system, before, after) = checked(&r, &options, &ints(sizes));
    assert_eq!(system.expect("there is reuse").1, Verdict::Proven);
    assert_eq!((before, after), operations);
}

#[test]
fn windows_of_sums_without_inverse() {
    let domain = "[n] -> { [i, j] : 0 <= i < n and 0 <= j < 100 }";
    check_digits(Add, domain, "{ [i, j] -> [i + j] }", &[300], (29700, 3370));
    check_digits(Mul, domain, "{ [i, j] -> [i - j] }", &[50], (4950, 870));
    let domain = "[n] -> { [i, j] : 0 <= i < n and i <= j < i + 13 }";
    check_digits(Add, domain, "{ [i, j] -> [j] }", &[100], (1200, 525));
}

/// The same for widths that are no numbers, with up to eight levels.
fn check_large_digits(operator: Operator, domain: &str, sizes: &[i64], operations: (u64, u64)) {
    let r = reduction(operator, Mul, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [j] }"]);
    for levels in [5, 8] {
        let options = Options { levels, blocks: false, inverses: false, ..Options::at(ints(sizes)) };
        let (system, before, after) = checked(&r, &options, &ints(sizes));
        let (system, verdict) = system.expect("there is reuse");
        assert_eq!(verdict, Verdict::Proven);
        if levels == 8 {
            assert_eq!((before, after), operations);
            let narrow = system.without_wide().expect("there are intervals of the last level");
            let cost = narrow.cost(&ints(sizes), &mut Budget::unlimited()).unwrap();
            assert_eq!(cost.degree, 1, "{domain}");
        }
    }
}

#[test]
fn windows_of_sums_without_inverse_of_unknown_width() {
    let domain = "[n, w] -> { [i, j] : 0 <= i < n and i <= j < i + w }";
    for (w, operations) in [(40, (11700, 4338)), (100, (29700, 4974)), (255, (76200, 12331)), (700, (209700, 14690))] {
        check_large_digits(Add, domain, &[300, w], operations);
    }
    check_large_digits(Mul, domain, &[60, 33], (1920, 523));
    // Windows that grow, and such that are cut at borders.
    check_large_digits(Add, "[n] -> { [i, j] : 0 <= i < n and i <= j <= 2i }", &[200], (19900, 4986));
    let domain = "[n, r] -> { [i, j] : 0 <= i < n and 0 <= j < n and i - r <= j <= i + r }";
    check_large_digits(Add, domain, &[300, 40], (22360, 3610));
}

#[test]
fn windows_that_go_backwards_and_skip() {
    let domain = "[n] -> { [i, j] : 0 <= i < n and -3 <= j < 9 }";
    let r = reduction(Min, Add, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [i - j] }"]);
    check(&r, &[60], (660, 160), (1, 1));
    // Windows begin at every second element: there is no reuse vector that moves an answer by one.
    let r = reduction(Min, Add, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [2 i + j] }"]);
    let (found, ..) = checked(&r, &Options::at(ints(&[60])), &ints(&[60]));
    assert!(found.is_none_or(|(_, verdict)| verdict == Verdict::Proven));
}

#[test]
fn windows_of_products_stay() {
    let domain = "[n] -> { [i, j] : 0 <= i < n and 0 <= j < 8 }";
    let r = reduction(Mul, Mul, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [i + j] }"]);
    check(&r, &[64], (448, 448), (1, 1));
}

#[test]
fn maxima_over_squares() {
    let domain = "[n] -> { [i, j, a, b] : 0 <= i, j < n and 0 <= a, b < 8 }";
    let r = reduction(Max, Add, domain, "{ [i, j, a, b] -> [i, j] }", &["{ [i, j, a, b] -> [i + a, j + b] }"]);
    let (system, before, after) = checked(&r, &Options::at(ints(&[24])), &ints(&[24]));
    assert_eq!(system.expect("there is reuse").1, Verdict::Proven);
    assert_eq!((before, after), (36288, 3300));
}

#[test]
fn without_reuse_nothing_changes() {
    let domain = "[n] -> { [i, j, k] : 0 <= i, j, k < n }";
    let r = reduction(Add, Mul, domain, "{ [i, j, k] -> [i] }", &["{ [i, j, k] -> [i, j, k] }"]);
    check(&r, &[10], (990, 990), (3, 3));
    let r = reduction(Add, Mul, "[n] -> { [i, j] : 0 <= i, j < n }", "{ [i, j] -> [i] }", &["{ [i, j] -> [i, j] }"]);
    check(&r, &[10], (90, 90), (2, 2));
}

#[test]
fn what_is_wrong_is_refuted() {
    let domain = "[n, w] -> { [i, j] : 0 <= i < n and 0 <= j < w }";
    let r = reduction(Add, Mul, domain, "{ [i, j] -> [i] }", &["{ [i, j] -> [i + j] }"]);
    let budget = &mut Budget::unlimited();
    let system = simplify(&r, &Options::at(ints(&[100, 16])), budget).unwrap().expect("there is reuse");
    let refuted = |change: &dyn Fn(&mut System)| {
        let mut wrong = system.clone();
        change(&mut wrong);
        let verdict = verify(&wrong, &r, &mut Budget::unlimited()).unwrap();
        assert_ne!(verdict, Verdict::Proven, "{wrong:#?}");
    };
    let last = |system: &mut System| system.equations.last_mut().expect("there is an equation").terms.clone();
    for number in 0..last(&mut system.clone()).len() {
        refuted(&|wrong| {
            wrong.equations.last_mut().unwrap().terms.remove(number);
        });
        refuted(&|wrong| {
            let term = &mut wrong.equations.last_mut().unwrap().terms[number];
            term.inverse = !term.inverse;
        });
        refuted(&|wrong| {
            let term = &mut wrong.equations.last_mut().unwrap().terms[number];
            term.factors[0].access.rows[0][0] += &Int::ONE;
        });
        refuted(&|wrong| {
            let term = &mut wrong.equations.last_mut().unwrap().terms[number];
            term.domain = term.domain.lower_bound(poly_presburger::DimKind::Out, 0, 2);
        });
    }
}

/// Numbers that look like chance.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn row(&mut self, names: &[&str]) -> String {
        let terms = names.iter().map(|name| format!("{} {name}", ["0", "1", "1", "-1"][self.below(4) as usize]));
        let terms: Vec<String> = terms.collect();
        format!("{} + {}", self.below(3), terms.join(" + "))
    }
}

#[test]
fn random_reductions() {
    let mut random = Random(7);
    let (mut simpler, mut unproven) = (0, 0);
    for _ in 0..60 {
        let (operator, times) = [
            (Add, Mul),
            (Max, Add),
            (Min, Add),
            (Operator::Xor, Operator::And),
            (Mul, Mul),
            (Operator::Or, Operator::And),
        ][random.below(6) as usize];
        let dims = 2 + random.below(2) as usize;
        let names = &["i", "j", "k"][..dims];
        let mut bounds = vec!["0 <= i < n".to_owned()];
        for at in 1..dims {
            let (below, above) = (random.row(&names[..at]), random.row(&names[..at]));
            bounds.push(match random.below(3) {
                0 => format!("0 <= {0} <= {above}", names[at]),
                1 => format!("{below} <= {0} <= {below} + {1}", names[at], 1 + random.below(4)),
                _ => format!("0 <= {0} < n and {0} <= {above}", names[at]),
            });
        }
        let point = names.join(", ");
        let domain = format!("[n] -> {{ [{point}] : {} }}", bounds.join(" and "));
        let mut reads = Vec::new();
        for _ in 0..1 + random.below(2) {
            let rows: Vec<String> = (0..1 + random.below(dims as u64 - 1)).map(|_| random.row(names)).collect();
            reads.push(format!("{{ [{point}] -> [{}] }}", rows.join(", ")));
        }
        let reads: Vec<&str> = reads.iter().map(String::as_str).collect();
        let r = reduction(operator, times, &domain, &format!("{{ [{point}] -> [i] }}"), &reads);
        let (system, before, after) = checked(&r, &Options::at(ints(&[9])), &ints(&[7]));
        simpler += usize::from(system.is_some());
        unproven += usize::from(system.is_some_and(|(_, verdict)| verdict != Verdict::Proven));
        assert!(after <= 2 * before + 20, "{domain} {reads:?}: {before} {after}");
    }
    assert!(simpler >= 15, "{simpler} are simpler");
    // Equal numbers of another form; see the module.
    assert!(unproven <= simpler / 4, "{unproven} of {simpler} are not proven");
}

/// Between rows there are two operations for each answer, within a row those of the window.
#[test]
fn recurrences_between_rows() {
    let domain = "[n] -> { [i, j, y, x] : 0 <= i, j < n and 0 <= y, x < 6 }";
    let r = reduction(Add, Mul, domain, "{ [i, j, y, x] -> [i, j] }", &["{ [i, j, y, x] -> [i + y, j + x] }"]);
    let shifts = |tie, shifts| {
        let options = Options { tie, shifts, ..Options::at(ints(&[24])) };
        let (system, before, after) = checked(&r, &options, &ints(&[24]));
        let (system, verdict) = system.expect("there is a system");
        assert_eq!(verdict, Verdict::Proven);
        let carries = |equation: &Equation| {
            let factors = equation.terms.iter().flat_map(|term| &term.factors);
            let own = factors.filter(|factor| factor.source == Source::Itself);
            own.map(|factor| factor.access.rows.iter().map(|row| row[0].to_i64().unwrap()).collect::<Vec<_>>())
                .collect()
        };
        let carries: Vec<Vec<Vec<i64>>> = system.equations.iter().map(carries).collect();
        (before, after, carries)
    };
    assert_eq!(shifts(Tie::First, Shifts::All), (20160, 2703, vec![vec![vec![0, -1]], vec![vec![-1, 0]]]));
    assert_eq!(shifts(Tie::Last, Shifts::All), (20160, 2703, vec![vec![vec![-1, 0]], vec![vec![0, -1]]]));
    assert_eq!(shifts(Tie::First, Shifts::BetweenRows), (20160, 4359, vec![vec![vec![-1, 0]], vec![]]));
}
