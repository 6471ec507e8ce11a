//! Random trees: every instance once, in schedule order, for several parameter values.

mod common;

use common::{check_some, compare, context, parameter_names, program, tree, valuations};
use indexmap::IndexMap;
use poly_arith::Int;
use poly_ast_build::{AstOptions, AstVisitor, CStyle, Cond, Expr, Node as AstNode, Place, Statistics, build};
use poly_presburger::{Budget, DimKind, Id, PwMultiAff, Stop, Tuple, UnionPwMultiAff};
use poly_schedule_tree::{Node, NodeKind, ScheduleTree};
use proptest::prelude::*;

/// Random numbers from a seed.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len() as u64) as usize]
    }
}

struct Statement {
    name: &'static str,
    dims: Vec<&'static str>,
}

impl Statement {
    fn tuple(&self) -> String {
        format!("{}[{}]", self.name, self.dims.join(", "))
    }
}

/// An affine form over some dimensions.
fn form(c: &mut Choices, dims: &[&str], constants: i64) -> String {
    let mut text = c.between(-constants, constants).to_string();
    for dim in dims {
        let factor = *[0, 0, 1, 1, 1, -1, 2, -2].get(c.below(8) as usize).expect("eight factors");
        if factor != 0 {
            text += &format!(" + {factor}*{dim}");
        }
    }
    text
}

/// A bounded conjunction of constraints on the dimensions.
fn conjunction(c: &mut Choices, dims: &[&str]) -> String {
    let mut parts = Vec::new();
    for (k, dim) in dims.iter().enumerate() {
        let low = match c.below(4) {
            0 if k > 0 => dims[c.below(k as u64) as usize].to_string(),
            1 => format!("{} + m", c.between(-2, 1)),
            _ => c.between(-1, 2).to_string(),
        };
        let high = match c.below(5) {
            0 if k > 0 => format!("{} + {}", dims[c.below(k as u64) as usize], c.between(0, 3)),
            1 => format!("n + {}", c.between(-1, 2)),
            2 => format!("floor((n + {})/2) + 2", c.between(0, 2)),
            _ => c.between(2, 5).to_string(),
        };
        parts.push(format!("{low} <= {dim} <= {high}"));
    }
    if c.one_in(3) {
        let mut all = dims.to_vec();
        all.push("n");
        parts.push(format!("{} >= 0", form(c, &all, 3)));
    }
    if c.one_in(4) {
        let dim = dims[c.below(dims.len() as u64) as usize];
        parts.push(format!("({} + {dim}) mod {} = {}", form(c, dims, 1), c.between(2, 3), c.below(2)));
    }
    if c.one_in(6) && dims.len() > 1 {
        parts.push(format!("{} = {}", dims[dims.len() - 1], form(c, &dims[..dims.len() - 1], 1)));
    }
    if c.one_in(8) {
        parts.push(c.pick(&["n mod 2 = 0", "m <= 1", "n >= m", "n + m = 3"]).to_string());
    }
    parts.join(" and ")
}

/// One schedule function of a statement.
fn function(c: &mut Choices, statement: &Statement, plain: Option<usize>) -> String {
    match plain.and_then(|k| statement.dims.get(k)) {
        Some(dim) if !c.one_in(4) => match c.below(6) {
            0 => format!("{} + {dim}", c.between(-2, 2)),
            1 => format!("-{dim}"),
            2 => format!("2*{dim} + {}", c.below(2)),
            _ => dim.to_string(),
        },
        _ => match c.below(5) {
            0 => c.between(-1, 2).to_string(),
            1 => format!("floor(({})/{})", form(c, &statement.dims, 2), c.between(2, 3)),
            _ => form(c, &statement.dims, 2),
        },
    }
}

fn band(c: &mut Choices, statements: &[Statement], members: usize, plain: bool) -> String {
    let member = |c: &mut Choices, k: usize| {
        let parts: Vec<String> =
            statements.iter().map(|s| format!("{} -> [({})]", s.tuple(), function(c, s, plain.then_some(k)))).collect();
        format!("{{ {} }}", parts.join("; "))
    };
    let functions: Vec<String> = (0..members).map(|k| member(c, k)).collect();
    let options: Vec<String> = (0..members)
        .filter_map(|k| {
            let option = c.pick(&["", "", "", "atomic", "separate", "unroll"]);
            (!option.is_empty()).then(|| format!("{option}[{k}]"))
        })
        .collect();
    format!("schedule: \"[{}]\", options: \"{{ {} }}\"", functions.join(", "), options.join("; "))
}

/// A tree in flow style.
fn random_tree(seed: u64) -> ScheduleTree {
    let c = &mut Choices(seed ^ 0x9e37_79b9_7f4a_7c15);
    (0..4).for_each(|_| {
        c.below(2);
    });
    let n_statement = c.between(1, 3) as usize;
    let statements: Vec<Statement> = ["A", "B", "C"][..n_statement]
        .iter()
        .map(|name| Statement { name, dims: ["i", "j", "k"][..c.between(1, 3) as usize].to_vec() })
        .collect();
    let mut domain = Vec::new();
    for s in &statements {
        for _ in 0..if c.one_in(4) { 2 } else { 1 } {
            domain.push(format!("{} : {}", s.tuple(), conjunction(c, &s.dims)));
        }
    }
    let members = c.between(1, 3) as usize;
    let plain = !c.one_in(4);
    let order = |c: &mut Choices, inner: bool| {
        let mut children: Vec<String> = Vec::new();
        for s in &statements {
            let child = |c: &mut Choices| {
                if inner && !c.one_in(3) {
                    format!(", child: {{ {} }}", band(c, std::slice::from_ref(s), 1, true))
                } else {
                    String::new()
                }
            };
            if c.one_in(5) {
                let cut = format!("{} >= {}", s.dims[0], c.between(0, 3));
                children.push(format!("{{ filter: \"{{ {} : {cut} }}\"{} }}", s.tuple(), child(c)));
                children.push(format!("{{ filter: \"{{ {} : not ({cut}) }}\"{} }}", s.tuple(), child(c)));
            } else {
                children.push(format!("{{ filter: \"{{ {} }}\"{} }}", s.tuple(), child(c)));
            }
        }
        if c.one_in(2) {
            children.reverse();
        }
        format!("sequence: [ {} ]", children.join(", "))
    };
    let inner = c.one_in(2);
    let below = if c.one_in(4) { "\"leaf\"".to_string() } else { format!("{{ {} }}", order(c, inner)) };
    let text = format!(
        "{{ domain: \"[n, m] -> {{ {} }}\", child: {{ {}, child: {below} }} }}",
        domain.join("; "),
        band(c, &statements, members, plain)
    );
    let tree = tree(&text);
    if plain && c.one_in(3) {
        let sizes: Vec<poly_arith::Int> = (0..members).map(|_| poly_arith::Int::from(c.between(1, 4))).collect();
        return tree.band_nodes()[0].band_tile(&sizes).tree();
    }
    tree
}

/// What a polyhedral scheduler makes of a few statements: fused, shifted and skewed bands, tiled,
/// with a wavefront of tiles, sequences inside.
fn scheduled_nest(seed: u64) -> ScheduleTree {
    let c = &mut Choices(seed ^ 0x5851_f42d_4c95_7f2d);
    (0..4).for_each(|_| {
        c.below(2);
    });
    let depth = c.between(2, 3) as usize;
    let all = ["i", "j", "k"];
    let n_statement = c.between(1, 3) as usize;
    let mut domain = Vec::new();
    let mut statements = Vec::new();
    for name in &["A", "B", "C"][..n_statement] {
        let missing = usize::from(c.one_in(4));
        let dims = &all[..depth - missing];
        let statement = Statement { name, dims: dims.to_vec() };
        let bound = |c: &mut Choices, k: usize| match c.below(4) {
            0 if k > 0 => format!("0 <= {} <= {}", dims[k], dims[k - 1]),
            1 if k > 0 => format!("{} < {} < n", dims[k - 1], dims[k]),
            2 => format!("1 <= {} < n - 1", dims[k]),
            _ => format!("0 <= {} < {}", dims[k], c.pick(&["n", "m", "n", "n + 1"])),
        };
        let bounds: Vec<String> = (0..dims.len()).map(|k| bound(c, k)).collect();
        domain.push(format!("{} : {}", statement.tuple(), bounds.join(" and ")));
        statements.push(statement);
    }
    let skew: Vec<i64> = (0..depth).map(|_| c.between(0, 2)).collect();
    let shifts: Vec<Vec<i64>> = statements.iter().map(|_| (0..depth).map(|_| c.between(0, 1)).collect()).collect();
    let member = |k: usize| {
        let value = |s: usize| match statements[s].dims.get(k) {
            Some(dim) if k > 0 => format!("{}i + {dim} + {}", skew[k], shifts[s][k]),
            Some(dim) => format!("{dim} + {}", shifts[s][k]),
            None => format!("{}", shifts[s][k]),
        };
        let parts: Vec<String> =
            (0..n_statement).map(|s| format!("{} -> [({})]", statements[s].tuple(), value(s))).collect();
        format!("{{ {} }}", parts.join("; "))
    };
    let members: Vec<String> = (0..depth).map(member).collect();
    let children: Vec<String> = statements.iter().map(|s| format!("{{ filter: \"{{ {} }}\" }}", s.tuple())).collect();
    let text = format!(
        "{{ domain: \"[n, m] -> {{ {} }}\", child: {{ schedule: \"[{}]\", permutable: 1, child: {{ sequence: [ {} ] }} }} }}",
        domain.join("; "),
        members.join(", "),
        children.join(", ")
    );
    let mut tree = tree(&text);
    if !c.one_in(4) {
        let sizes: Vec<poly_arith::Int> = (0..depth).map(|_| poly_arith::Int::from(c.between(2, 4))).collect();
        let tiled = tree.band_nodes()[0].band_tile(&sizes);
        let tiles = tiled.band().expect("the cursor is at the tiles").clone();
        tree = if c.one_in(2) { tiled.set_band(tiles.skew(0, 1, &poly_arith::Int::ONE)).tree() } else { tiled.tree() };
    }
    if c.one_in(4) {
        let node = tree.band_nodes().pop().expect("there is a band");
        let mut order: Vec<usize> = (0..depth).collect();
        order.rotate_left(1);
        tree = node.band_permute(&order).tree();
    }
    tree
}

/// The tree with random sets isolated in one of its bands.
fn isolating(tree: &ScheduleTree, seed: u64) -> ScheduleTree {
    let c = &mut Choices(seed ^ 0x2545_f491_4f6c_dd1d);
    (0..4).for_each(|_| {
        c.below(2);
    });
    let mut nodes = tree.band_nodes();
    let node = nodes.swap_remove(c.below(nodes.len() as u64) as usize);
    let mut band = node.band().expect("it is a band").clone();
    let outer = node.schedule_depth();
    let names: Vec<String> = (0..outer + band.n_member()).map(|k| format!("x{k}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).chain(["n", "m"]).collect();
    let mut sets = Vec::new();
    for _ in 0..c.between(1, 2) {
        let constraints: Vec<String> = (0..c.between(1, 3)).map(|_| format!("{} >= 0", form(c, &all, 3))).collect();
        let (outside, inside) = names.split_at(outer);
        sets.push(format!(
            "isolate[[{}] -> [{}]] : {}",
            outside.join(", "),
            inside.join(", "),
            constraints.join(" and ")
        ));
    }
    let text = format!("[n, m] -> {{ {} }}", sets.join("; "));
    band.isolate = Some(Box::new(text.parse().expect("the isolated sets can be read")));
    node.set_band(band).tree()
}

/// The tree with its outermost band in tiles whose sizes are parameters, and with a random set of
/// these tiles isolated if there is a chance.
fn with_parametric_tiles(tree: &ScheduleTree, seed: u64) -> ScheduleTree {
    let node = tree.band_nodes().swap_remove(0);
    let band = node.band().expect("it is a band");
    let names = ["s", "t", "s"].map(poly_presburger::Id::new);
    let (mut tiles, points) = band.tile_by_parameters(&names[..band.n_member()]);
    if seed.is_multiple_of(3) {
        tiles.options = band.options.clone();
    }
    let child = poly_schedule_tree::Tree::band(points, node.subtree().child().clone());
    node.replace(poly_schedule_tree::Tree::band(tiles, child)).tree()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_instance_once_in_order(seed in any::<u64>()) {
        let tree = random_tree(seed);
        check_some(&tree, &context("[n, m] -> { : -1 <= n <= 5 and -1 <= m <= 3 }"), -1..=5, 6, seed as usize % 6);
    }

    #[test]
    fn nests_of_a_scheduler(seed in any::<u64>()) {
        let tree = scheduled_nest(seed);
        check_some(&tree, &context("[n, m] -> { : 0 <= n <= 6 and 0 <= m <= 6 }"), 0..=6, 9, seed as usize % 9);
    }

    #[test]
    fn isolation_changes_the_form_only(seed in any::<u64>()) {
        let tree = isolating(&if seed % 2 == 0 { random_tree(seed) } else { scheduled_nest(seed) }, seed);
        check_some(&tree, &context("[n, m] -> { : 0 <= n <= 6 and 0 <= m <= 6 }"), 0..=6, 9, seed as usize % 9);
    }

    #[test]
    fn generation_is_deterministic(seed in any::<u64>()) {
        let context = context("[n, m] -> { : n >= 0 }");
        let first = program(&random_tree(seed), &context);
        let second = program(&random_tree(seed), &context);
        prop_assert_eq!(Statistics::of(&first), Statistics::of(&second));
        prop_assert_eq!(first, second);
    }
}

/// Runs a program and calls `visit` with the values of all numbers that are divided.
fn divided(
    node: &AstNode,
    values: &mut Vec<Option<Int>>,
    params: &IndexMap<Id, Int>,
    visit: &mut dyn FnMut(&Expr, &Int),
) {
    let mut look = |expr: &Expr, values: &[Option<Int>]| {
        expr.for_each(&mut |part| {
            if let Expr::FloorDiv(inner, _) | Expr::Mod(inner, _) = part {
                visit(inner, &value(inner, values, params));
            }
        });
        value(expr, values, params)
    };
    match node {
        AstNode::Block(nodes) => nodes.iter().for_each(|node| divided(node, values, params, visit)),
        AstNode::Mark { body, .. } => divided(body, values, params, visit),
        AstNode::User { coordinates, .. } => coordinates.iter().for_each(|expr| drop(look(expr, values))),
        AstNode::If { condition, then, otherwise } => {
            condition.for_each(&mut |expr| drop(look(expr, values)));
            let values_of = |expr: &Expr| Expr::Int(value(expr, values, params));
            if poly_ast_build::holds(&substituted(condition, &values_of), params) {
                divided(then, values, params, visit);
            } else if let Some(node) = otherwise {
                divided(node, values, params, visit);
            }
        }
        AstNode::For(f) => {
            let upper = look(f.upper.as_ref().expect("loops end"), values);
            let mut counter = look(&f.lower, values);
            while counter <= upper {
                values[f.iterator.0] = Some(counter.clone());
                divided(&f.body, values, params, visit);
                counter += &f.step;
            }
        }
    }
}

fn value(expr: &Expr, values: &[Option<Int>], params: &IndexMap<Id, Int>) -> Int {
    let of = |expr: &Expr| value(expr, values, params);
    match expr {
        Expr::Iter(id) => values[id.0].clone().expect("the counter has a value"),
        Expr::Int(_) | Expr::Param(_) => poly_ast_build::evaluate(expr, params),
        Expr::Add(terms) => terms.iter().map(of).fold(Int::ZERO, |a, b| a + b),
        Expr::Mul(factor, inner) => factor * &of(inner),
        Expr::FloorDiv(inner, d) => of(inner).div_floor(d),
        Expr::Mod(inner, d) => of(inner).mod_floor(d),
        Expr::Min(parts) => parts.iter().map(of).min().expect("there are parts"),
        Expr::Max(parts) => parts.iter().map(of).max().expect("there are parts"),
    }
}

/// The condition on the values of its expressions.
fn substituted(condition: &Cond, value: &dyn Fn(&Expr) -> Expr) -> Cond {
    let all = |conds: &[Cond]| conds.iter().map(|cond| substituted(cond, value)).collect();
    match condition {
        Cond::True | Cond::False => condition.clone(),
        Cond::And(conds) => Cond::And(all(conds)),
        Cond::Or(conds) => Cond::Or(all(conds)),
        Cond::Not(cond) => Cond::Not(Box::new(substituted(cond, value))),
        Cond::NonNegative(expr) => Cond::NonNegative(value(expr)),
        Cond::Zero(expr) => Cond::Zero(value(expr)),
    }
}

/// Puts the image of each instance under a function in its place.
struct Images<'a>(&'a UnionPwMultiAff);

impl AstVisitor for Images<'_> {
    fn at_each_domain(
        &mut self,
        statement: Id,
        instance: Vec<Expr>,
        place: &Place<'_>,
        budget: &mut Budget,
    ) -> Result<AstNode, Stop> {
        let of = |f: &&PwMultiAff| f.domain_space().tuple_name(DimKind::Out) == Some(&statement);
        let function = self.0.iter().find(of).expect("the function is of all statements");
        let cases = place.access_from(function, &instance, budget)?;
        let call = |coordinates| AstNode::User { statement: statement.clone(), coordinates };
        Ok(AstNode::block(cases.into_iter().map(|(condition, element)| call(element).guarded(condition))))
    }
}

/// Whether there is no `else`, and no disjunction.
fn is_plain(node: &AstNode) -> bool {
    match node {
        AstNode::Block(nodes) => nodes.iter().all(is_plain),
        AstNode::For(f) => is_plain(&f.body),
        AstNode::Mark { body, .. } => is_plain(body),
        AstNode::User { .. } => true,
        AstNode::If { condition, then, otherwise } => {
            let tests = match condition {
                Cond::And(conds) => &conds[..],
                cond => std::slice::from_ref(cond),
            };
            otherwise.is_none()
                && is_plain(then)
                && !tests.iter().any(|test| matches!(test, Cond::And(_) | Cond::Or(_)))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_divided_by_c_is_not_negative(seed in any::<u64>()) {
        let tree = if seed % 2 == 0 { random_tree(seed) } else { scheduled_nest(seed) };
        let context = context("[n, m] -> { : 0 <= n <= 5 and 0 <= m <= 5 }");
        let ast = program(&tree, &context);
        let style = CStyle::default().prefer_pdiv(&ast, &context, &mut Budget::unlimited()).expect("no limit");
        for params in valuations(&parameter_names(&tree, &context), &context, 0..=5).iter().step_by(5) {
            let mut values = vec![None; ast.iterators.len()];
            divided(&ast.root, &mut values, params, &mut |expr, value| {
                assert!(!value.is_neg() || !style.is_non_negative(expr), "{} is {value} in\n{ast}", ast.expr_text(expr));
            });
        }
    }

    #[test]
    fn images_of_instances_are_accessed(seed in any::<u64>()) {
        let tree = if seed % 2 == 0 { random_tree(seed) } else { scheduled_nest(seed) };
        let context = context("[n, m] -> { : 0 <= n <= 5 and 0 <= m <= 5 }");
        let function = |tuple: &Tuple| {
            let name = tuple.name_str().expect("a statement has a name");
            let dims: Vec<String> = (0..tuple.n()).map(|i| format!("x{i}")).collect();
            let instance = format!("{name}[{}]", dims.join(", "));
            let last = &dims[dims.len() - 1];
            let text = |first: &str, test: &str| format!("{instance} -> {name}[({first}), (floor(({last} + n)/2))] : {test}");
            format!("{}; {}", text("m - 3x0", "x0 >= 2"), text(&format!("x0 - {last}"), "x0 < 2"))
        };
        let texts: Vec<String> = tree.statements().iter().map(function).collect();
        let images: UnionPwMultiAff = format!("[n, m] -> {{ {} }}", texts.join("; ")).parse().expect("it can be read");
        let ast = program(&tree, &context);
        let changed = ast.visited(&context, &mut Images(&images), &mut Budget::unlimited()).expect("no limit");
        for params in valuations(&parameter_names(&tree, &context), &context, 0..=5).iter().step_by(7) {
            let image = |(name, point): (String, Vec<Int>)| {
                let is = |f: &&PwMultiAff| f.domain_space().tuple_name(DimKind::Out).is_some_and(|n| n.as_str() == name);
                let f = images.iter().find(is).expect("it is there");
                let given: Vec<Int> = f.domain_space().params.iter().map(|id| params[id].clone()).collect();
                let values = f.eval(&given, &point).expect("it is defined");
                (name, values.iter().map(|v| v.to_int().expect("it is an integer")).collect::<Vec<Int>>())
            };
            let expected: Vec<_> = common::executed(&ast, params).into_iter().map(image).collect();
            prop_assert_eq!(common::executed(&changed, params), expected);
        }
    }

    #[test]
    fn conditions_have_the_form_that_is_asked_for(seed in any::<u64>()) {
        let tree = if seed % 2 == 0 { random_tree(seed) } else { scheduled_nest(seed) };
        let context = context("[n, m] -> { : 0 <= n <= 5 and 0 <= m <= 5 }");
        let iterators = vec!["first".into(), "second".into()];
        let options = AstOptions { allow_else: false, allow_or: false, iterators, ..AstOptions::default() };
        let ast = build(&tree, &context, &options, &mut Budget::unlimited()).expect("every loop has a bound");
        prop_assert!(is_plain(&ast.root), "{}", ast);
        prop_assert!(!ast.to_string().contains("c0") && !ast.to_string().contains("c1"), "{}", ast);
        for params in valuations(&parameter_names(&tree, &context), &context, 0..=5).iter().step_by(7) {
            prop_assert_eq!(compare(&tree, &ast, params), Ok(()));
        }
    }
}

/// The tree with the instances that reach one of its nodes in groups.
fn grouping(tree: &ScheduleTree, seed: u64) -> ScheduleTree {
    let below_order =
        |node: &Node| matches!(node.ancestor_kinds().next_back(), None | Some(NodeKind::Sequence | NodeKind::Set));
    let places: Vec<Node> = tree.nodes().into_iter().filter(|node| !below_order(node)).collect();
    let node = &places[seed as usize % places.len()];
    node.group("G".into(), &mut Budget::unlimited()).expect("the budget is unlimited").tree()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn groups_change_nothing(seed in any::<u64>()) {
        let tree = if seed % 2 == 0 { random_tree(seed) } else { scheduled_nest(seed) };
        let context = context("[n, m] -> { : 0 <= n <= 5 and 0 <= m <= 5 }");
        let ast = program(&grouping(&tree, seed / 2), &context);
        let values = valuations(&parameter_names(&tree, &context), &context, 0..=5);
        for values in values.iter().skip(seed as usize % 7).step_by(7) {
            prop_assert_eq!(compare(&tree, &ast, values), Ok(()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn tiles_of_parametric_sizes(seed in any::<u64>()) {
        let tree = with_parametric_tiles(&if seed % 2 == 0 { random_tree(seed) } else { scheduled_nest(seed) }, seed);
        let tree = if seed % 5 == 0 { isolating(&tree, seed) } else { tree };
        let context = context("[n, m, s, t] -> { : 0 <= n <= 6 and -1 <= m <= 6 and 1 <= s <= 7 and t >= 1 }");
        check_some(&tree, &context, 0..=7, 211, seed as usize % 211);
    }
}

/// Conditions are tested outside of loops. (Ranges that touch nowhere, but whose order depends on
/// outer counters, share a loop with conditions inside; no tree here has them.)
#[test]
fn one_or_two_statements_need_no_conditions_inside_loops() {
    let context = context("[n, m] -> { : 0 <= n <= 6 and 0 <= m <= 6 }");
    let seeds = (0..400u64).map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for tree in seeds.map(scheduled_nest).filter(|tree| tree.statements().len() < 3) {
        let ast = program(&tree, &context);
        assert_eq!(Statistics::of(&ast).inner_conditions, 0, "{tree}\n{ast}");
    }
}
