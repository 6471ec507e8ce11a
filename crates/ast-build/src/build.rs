//! The walk over the schedule tree.
//!
//! The generator carries, for every statement (or part of its domain), *disjuncts*: the relation
//! from the schedule dimensions generated so far to the instances that are still to be run, held as
//! a set over both. At the root this is the domain. A filter restricts it, a band adds its members
//! as schedule dimensions and has them generated as loops one by one (`level.rs`), a sequence
//! generates its children after each other. At a leaf the schedule dimensions determine the
//! instance, whose remaining conditions become guards; where they do not, loops over the
//! coordinates follow.
//!
//! Order: disjuncts never reach a place of the program whose schedule dimensions are not theirs, so
//! the nesting of loops and sequences is the lexicographic order of the schedule. Exactness: every
//! constraint of a disjunct is either implied by the context of its place (what loops and
//! conditions around enforce) or tested there; disjuncts are disjoint. So each instance runs once.

use std::collections::BTreeMap;

use poly_presburger::{BasicMap, BasicSet, Budget, DimKind, Id, Map, Set, Space, Stop, Tuple, UnionMap, UnionSet};
use poly_schedule_tree::{Mark, NodeKind, ScheduleTree, Tree};

use crate::ast::{Ast, Cond, Expr, LoopIterator, Node};
use crate::context::Context;
use crate::form::in_form;
use crate::graft::{Graft, sequence, take_common};
use crate::grid;
use crate::interval::Disjunct;
use crate::level::Level;
use crate::options::AstOptions;
use crate::refine::{refine, without_constraints};
use crate::shadow::{defining_equality, determines_rest};
use crate::simplify::simplify;

/// What the simplification of a program may spend; what it has no time for stays as it is.
const MOST_STEPS: u64 = 4_000_000;

/// A program that runs the instances of a schedule tree in its order, each once, for all parameter
/// values in `context` (a parameter set).
///
/// A tree with a loop that has no lower bound, or no upper one without [`AstOptions::endless`],
/// cannot be generated; like a used up budget this is [`Stop`].
pub fn build(tree: &ScheduleTree, context: &Set, options: &AstOptions, budget: &mut Budget) -> Result<Ast, Stop> {
    let params = all_params(tree, context);
    let statements = tree.statements();
    let mut generator = Generator {
        options: options.clone(),
        budget,
        params,
        statements,
        iterators: Vec::new(),
        bands: BTreeMap::new(),
    };
    generator.number_bands(tree.tree());
    let context = generator.parameter_context(context)?;
    let mut disjuncts = Vec::new();
    for set in tree.domain().iter() {
        disjuncts.extend(generator.disjuncts_of(set)?);
    }
    let mut kept = Vec::new();
    for disjunct in disjuncts {
        kept.extend(generator.simplified(&context, disjunct)?);
    }
    let mut grafts = generator.walk(&context, kept, tree.tree().child(), &[])?;
    let guards = take_common(&mut grafts, None);
    let root = sequence(vec![Graft { guards, node: sequence(grafts) }]);
    let ast = Ast { root, iterators: generator.iterators };
    let mut part = budget.sub(MOST_STEPS);
    let ast = simplify(ast, &context.generated, &mut part);
    budget.absorb(&part);
    Ok(in_form(ast, options))
}

/// State of the generation.
#[derive(Debug)]
pub(crate) struct Generator<'b> {
    pub(crate) options: AstOptions,
    pub(crate) budget: &'b mut Budget,
    /// All parameters; every set has them in this order.
    params: Vec<Id>,
    pub(crate) statements: Vec<Tuple>,
    pub(crate) iterators: Vec<LoopIterator>,
    /// Numbers of the bands in preorder, by address of their node.
    bands: BTreeMap<usize, usize>,
}

/// The parameters that occur anywhere.
fn all_params(tree: &ScheduleTree, context: &Set) -> Vec<Id> {
    let mut params: Vec<Id> = Vec::new();
    let mut add = |ids: &[Id]| {
        for id in ids {
            if !params.contains(id) {
                params.push(id.clone());
            }
        }
    };
    add(&context.space().params);
    tree.tree().for_each(&mut |node| match node.kind() {
        NodeKind::Domain(set) | NodeKind::Filter(set) => add(set.param_ids()),
        NodeKind::Context(set) | NodeKind::Guard(set) => add(&set.space().params),
        NodeKind::Band(band) => {
            add(&band.schedule.space().params);
            band.grids.iter().flatten().for_each(|grid| add(std::slice::from_ref(grid)));
        }
        NodeKind::Extension(map) => add(map.param_ids()),
        NodeKind::Expansion { contraction, expansion } => {
            add(contraction.param_ids());
            add(expansion.param_ids());
        }
        NodeKind::Sequence | NodeKind::Set | NodeKind::Mark(_) | NodeKind::Leaf => {}
    });
    params
}

fn address(tree: &Tree) -> usize {
    std::ptr::from_ref(tree.kind()).addr()
}

impl<'t> Generator<'_> {
    fn number_bands(&mut self, tree: &Tree) {
        let mut count = 0;
        tree.for_each(&mut |node| {
            if node.as_band().is_some() {
                self.bands.entry(address(node)).or_insert(count);
                count += 1;
            }
        });
    }

    pub(crate) fn unbounded(&self, dim: usize) -> Stop {
        tracing::debug!(dim, "a schedule dimension has no bound");
        Stop
    }

    /// The set over all parameters in their common order.
    pub(crate) fn aligned(&self, set: &Map) -> Map {
        set.with_exact_params(&self.params)
    }

    /// What is known from the start. The convex hull of the context is known; what more it says is
    /// not used.
    fn parameter_context(&mut self, context: &Set) -> Result<Context, Stop> {
        let space = Space::set(self.params.clone(), Tuple::anonymous(0));
        let context = self.aligned(context).into_set();
        let known = BasicSet::universe(space).into_basic_map();
        let generated = known.intersect_params(&self.convex(&context)?).into_basic_set();
        Ok(Context { generated, values: Vec::new() })
    }

    /// A convex set with known divs around a set.
    fn convex(&mut self, set: &Set) -> Result<BasicMap, Stop> {
        Ok(match set.basics() {
            [only] if only.has_known_divs() => BasicMap::clone(only),
            _ => set.clone().simple_hull(self.budget)?.into_basic_map().drop_unknown_divs(),
        })
    }

    /// The disjuncts of a statement's domain, before any schedule dimension.
    fn disjuncts_of(&mut self, set: &Set) -> Result<Vec<Disjunct>, Stop> {
        let tuple = set.tuple().expect("a statement has a tuple").clone();
        let statement = self.statements.iter().position(|t| *t == tuple).expect("the statement is in the domain");
        let basics = self.disjoint_basic_sets(&self.aligned(set).into_set())?;
        Ok(basics.into_iter().map(|set| Disjunct { statement, set, offset: 0 }).collect())
    }

    /// Disjoint basic sets with known divs, over an anonymous tuple.
    pub(crate) fn disjoint_basic_sets(&mut self, set: &Set) -> Result<Vec<BasicSet>, Stop> {
        let mut set = set.clone();
        if !set.has_known_divs() {
            set = set.compute_divs(self.budget)?;
        }
        if set.n_basic() > 1 {
            set = set.coalesce(self.budget)?;
        }
        if set.n_basic() > 1 {
            set = set.make_disjoint(self.budget)?;
        }
        if !set.has_known_divs() {
            set = set.compute_divs(self.budget)?.make_disjoint(self.budget)?;
        }
        let n = set.n_dim();
        Ok(set.set_tuple(Tuple::anonymous(n)).basic_sets().collect())
    }

    /// Generate a subtree. `marks` stand directly above it.
    pub(crate) fn walk(
        &mut self,
        context: &Context,
        disjuncts: Vec<Disjunct>,
        tree: &'t Tree,
        marks: &[&'t Mark],
    ) -> Result<Vec<Graft>, Stop> {
        self.budget.spend(1)?;
        // Who waits is a statement; the mark tells the checker what it waits for.
        if let NodeKind::Mark(Mark::Wait) = tree.kind() {
            return self.walk(context, disjuncts, tree.child(), marks);
        }
        if let NodeKind::Mark(mark) = tree.kind() {
            let all: Vec<&Mark> = marks.iter().copied().chain([mark]).collect();
            return self.walk(context, disjuncts, tree.child(), &all);
        }
        if let NodeKind::Band(band) = tree.kind()
            && band.n_member() > 0
        {
            let disjuncts = self.scheduled(context, disjuncts, &grid::times(band))?;
            let number = self.bands[&address(tree)];
            return self.level(context, disjuncts, Level::Member { tree, band, number, member: 0 }, marks);
        }
        let grafts = self.unmarked(context, disjuncts, tree)?;
        if marks.is_empty() || grafts.is_empty() {
            return Ok(grafts);
        }
        let body = sequence(grafts);
        let wrap = |body: Node, mark: &&Mark| Node::Mark { mark: (*mark).clone(), body: Box::new(body) };
        Ok(vec![Graft { guards: Vec::new(), node: marks.iter().rev().fold(body, wrap) }])
    }

    /// Generate a subtree whose root is neither a mark nor a band with members.
    fn unmarked(&mut self, context: &Context, disjuncts: Vec<Disjunct>, tree: &'t Tree) -> Result<Vec<Graft>, Stop> {
        match tree.kind() {
            NodeKind::Leaf => {
                let mut grafts = Vec::new();
                for disjunct in disjuncts {
                    grafts.extend(self.instances(context, disjunct)?);
                }
                Ok(grafts)
            }
            NodeKind::Sequence | NodeKind::Set => {
                let mut grafts = Vec::new();
                for child in tree.children() {
                    grafts.extend(self.walk(context, disjuncts.clone(), child, &[])?);
                }
                Ok(grafts)
            }
            NodeKind::Filter(filter) => {
                let disjuncts = self.filtered(context, disjuncts, filter)?;
                if disjuncts.is_empty() { Ok(Vec::new()) } else { self.walk(context, disjuncts, tree.child(), &[]) }
            }
            NodeKind::Context(known) => {
                let context = self.with_known(context, known)?;
                self.walk(&context, disjuncts, tree.child(), &[])
            }
            NodeKind::Guard(guard) => self.guarded(context, disjuncts, guard, tree),
            NodeKind::Extension(extension) => {
                let disjuncts = self.extended(context, disjuncts, extension)?;
                self.walk(context, disjuncts, tree.child(), &[])
            }
            NodeKind::Expansion { expansion, .. } => {
                let disjuncts = self.expanded(disjuncts, expansion)?;
                self.walk(context, disjuncts, tree.child(), &[])
            }
            NodeKind::Mark(_) | NodeKind::Band(_) | NodeKind::Domain(_) => {
                self.walk(context, disjuncts, tree.child(), &[])
            }
        }
    }

    /// The disjuncts with the members of a band as further schedule dimensions.
    fn scheduled(
        &mut self,
        context: &Context,
        disjuncts: Vec<Disjunct>,
        schedule: &UnionMap,
    ) -> Result<Vec<Disjunct>, Stop> {
        let mut result = Vec::new();
        for disjunct in disjuncts {
            let tuple = &self.statements[disjunct.statement];
            let map = schedule.iter().find(|m| m.space().domain.as_ref() == Some(tuple));
            let map = map.unwrap_or_else(|| panic!("the band does not schedule {tuple}"));
            let map = self.aligned(map);
            let n = map.dim(DimKind::Out);
            let graph = map.reverse().flat_wrap();
            let depth = disjunct.offset;
            let wide = disjunct.set.insert_dims(DimKind::Out, depth, n);
            // Disjuncts of one piece of the function may overlap.
            let disjuncts =
                if graph.n_basic() > 1 { self.disjoint_basic_sets(&graph)? } else { graph.basic_sets().collect() };
            for basic in disjuncts {
                let basic = basic.insert_dims(DimKind::Out, 0, depth);
                // Members of outer bands may be functions of the same tiles.
                let set = wide.intersect(&basic).equate_quotients();
                let disjunct = Disjunct { set, offset: depth + n, ..disjunct.clone() };
                result.extend(self.simplified(context, disjunct)?);
            }
        }
        Ok(result)
    }

    fn filtered(
        &mut self,
        context: &Context,
        disjuncts: Vec<Disjunct>,
        filter: &UnionSet,
    ) -> Result<Vec<Disjunct>, Stop> {
        let mut result = Vec::new();
        for disjunct in disjuncts {
            let tuple = &self.statements[disjunct.statement];
            let Some(set) = filter.get_tuple(tuple) else { continue };
            if set.plain_is_universe() {
                result.push(disjunct);
                continue;
            }
            let set = self.aligned(set).into_set();
            for basic in self.disjoint_basic_sets(&set)? {
                let wide = basic.insert_dims(DimKind::Out, 0, disjunct.offset);
                let disjunct = Disjunct { set: disjunct.set.intersect(&wide), ..disjunct.clone() };
                result.extend(self.simplified(context, disjunct)?);
            }
        }
        Ok(result)
    }

    /// A set over the outer band members (or none) as a set over the schedule dimensions. Loops
    /// over coordinates come below all bands, so the dimensions are the members.
    fn over_schedule(&self, set: &Set, depth: usize) -> Set {
        let set = self.aligned(set).into_set();
        if set.space().is_params() {
            return Set::from_params(&set, Tuple::anonymous(depth));
        }
        assert_eq!(set.n_dim(), depth, "the set has one dimension per outer band member");
        set.set_tuple(Tuple::anonymous(depth))
    }

    fn with_known(&mut self, context: &Context, known: &Set) -> Result<Context, Stop> {
        let known = self.over_schedule(known, context.depth());
        let hull = BasicSet::from_basic_map(self.convex(&known)?);
        Ok(Context { generated: context.generated.intersect(&hull), values: context.values.clone() })
    }

    fn guarded(
        &mut self,
        context: &Context,
        disjuncts: Vec<Disjunct>,
        guard: &Set,
        tree: &'t Tree,
    ) -> Result<Vec<Graft>, Stop> {
        let guard = self.over_schedule(guard, context.depth());
        let mut grafts = Vec::new();
        for basic in self.disjoint_basic_sets(&guard)? {
            let Some(needed) = refine(&context.generated, &basic, self.budget)? else { continue };
            let inside = Context { generated: context.generated.intersect(&needed), values: context.values.clone() };
            let guards: Vec<Cond> = context.columns().guards(&needed, None);
            for mut graft in self.walk(&inside, disjuncts.clone(), tree.child(), &[])? {
                graft.guards.splice(0..0, guards.iter().cloned());
                grafts.push(graft);
            }
        }
        Ok(grafts)
    }

    /// The disjuncts and the instances that an extension adds.
    fn extended(
        &mut self,
        context: &Context,
        mut disjuncts: Vec<Disjunct>,
        extension: &UnionMap,
    ) -> Result<Vec<Disjunct>, Stop> {
        let depth = context.depth();
        for map in extension.iter() {
            let map = self.aligned(map);
            assert_eq!(map.dim(DimKind::In), depth, "an extension has one input dimension per outer band member");
            let tuple = map.space().range.clone().expect("an extension adds instances");
            let statement = self.statements.iter().position(|t| *t == tuple).unwrap_or_else(|| {
                self.statements.push(tuple);
                self.statements.len() - 1
            });
            for set in self.disjoint_basic_sets(&map.flat_wrap())? {
                let disjunct = Disjunct { statement, set, offset: depth };
                disjuncts.extend(self.simplified(context, disjunct)?);
            }
        }
        Ok(disjuncts)
    }

    /// The disjuncts with their instances replaced by those that an expansion gives for them.
    fn expanded(&mut self, disjuncts: Vec<Disjunct>, expansion: &UnionMap) -> Result<Vec<Disjunct>, Stop> {
        let mut result = Vec::new();
        for disjunct in disjuncts {
            let old = self.statements[disjunct.statement].clone();
            let depth = disjunct.offset;
            for map in expansion.iter().filter(|m| m.space().domain.as_ref() == Some(&old)) {
                let new = map.space().range.clone().expect("an expansion has a range");
                let statement = self.statements.iter().position(|t| *t == new).unwrap_or_else(|| {
                    self.statements.push(new.clone());
                    self.statements.len() - 1
                });
                let pairs = self.aligned(map).flat_wrap().insert_dims(DimKind::Out, 0, depth);
                let wide = disjunct.set.insert_dims(DimKind::Out, depth + old.n(), new.n());
                let both =
                    Set::from_basic(wide).intersect(&pairs.set_tuple(Tuple::anonymous(depth + old.n() + new.n())));
                let both = both.project_out(DimKind::Out, depth, old.n());
                for set in self.disjoint_basic_sets(&both)? {
                    result.push(Disjunct { statement, set, offset: depth });
                }
            }
        }
        Ok(result)
    }

    /// The instances of a disjunct at a leaf: one, if the schedule determines it, or loops.
    pub(crate) fn instances(&mut self, context: &Context, disjunct: Disjunct) -> Result<Vec<Graft>, Stop> {
        let depth = context.depth();
        if !disjunct.set.has_known_divs() {
            let mut grafts = Vec::new();
            for set in self.disjoint_basic_sets(&Set::from_basic(disjunct.set.clone()))? {
                grafts.extend(self.instances(context, Disjunct { set, ..disjunct.clone() })?);
            }
            return Ok(grafts);
        }
        if !determines_rest(&disjunct.set, depth) {
            return self.level(context, vec![disjunct], Level::Coordinates, &[]);
        }
        Ok(self.instance(context, &disjunct)?.into_iter().collect())
    }

    /// The one instance that the outer dimensions determine.
    fn instance(&mut self, context: &Context, disjunct: &Disjunct) -> Result<Option<Graft>, Stop> {
        let depth = context.depth();
        let first_dim = disjunct.set.offset(DimKind::Out);
        let columns = context.columns();
        let mut values: Vec<Expr> = context.values[disjunct.offset..].to_vec();
        let mut divisible = Vec::new();
        for dim in depth..disjunct.set.n_dim() {
            let eq = defining_equality(&disjunct.set, depth, dim).expect("the coordinate is determined");
            let coefficient = &eq[first_dim + dim];
            let sign = poly_arith::Int::from(-coefficient.signum());
            let mut rest: Vec<poly_arith::Int> = eq.iter().map(|x| x * &sign).collect();
            rest[first_dim + dim] = poly_arith::Int::ZERO;
            let modulus = coefficient.abs();
            if !modulus.is_one() {
                divisible.push((rest.clone(), modulus.clone()));
            }
            values.push(columns.form(&disjunct.set, &rest).floor_div(&modulus));
        }
        let Some(mut conditions) = self.remaining(context, disjunct, divisible)? else { return Ok(None) };
        conditions.retain(|c| *c != Cond::True);
        let statement = self.statements[disjunct.statement].name.clone().expect("a statement has a name");
        Ok(Some(Graft { guards: conditions, node: Node::User { statement, coordinates: values } }))
    }

    /// What a disjunct with determined coordinates requires beyond the context: its constraints on
    /// outer dimensions, and that each form in `divisible` is a multiple of its number. `None` if
    /// that cannot be.
    fn remaining(
        &mut self,
        context: &Context,
        disjunct: &Disjunct,
        divisible: Vec<(Vec<poly_arith::Int>, poly_arith::Int)>,
    ) -> Result<Option<Vec<Cond>>, Stop> {
        let depth = context.depth();
        let set = &disjunct.set;
        let n_inner = set.n_dim() - depth;
        let mut outer = without_constraints(set);
        let is_trivial = |row: &poly_presburger::Row| row.iter().all(poly_arith::Int::is_zero);
        let eqs = set.eqs().iter().map(|row| over_outer(set, depth, row)).filter(|row| !is_trivial(row));
        eqs.for_each(|row| outer.add_eq(row));
        set.ineqs().iter().for_each(|row| outer.add_ineq(over_outer(set, depth, row)));
        for (rest, modulus) in divisible {
            let mut row = rest.clone();
            row.resize(outer.n_col(), poly_arith::Int::ZERO);
            let col = outer.add_div(modulus.clone(), row.clone());
            row.resize(outer.n_col(), poly_arith::Int::ZERO);
            row[col] = -modulus;
            outer.add_eq(row);
        }
        outer.simplify(self.budget)?;
        let outer = outer.project_out(DimKind::Out, depth, n_inner);
        debug_assert!(outer.has_known_divs(), "only unused dimensions are projected out");
        let Some(needed) = refine(&context.generated, &outer, self.budget)? else { return Ok(None) };
        let needed = crate::refine::refine_integrally(&context.generated, &needed, self.budget)?;
        Ok(Some(context.columns().guards(&needed, None)))
    }
}

/// A constraint of a set whose dimensions from `depth` on are determined, without these.
fn over_outer(set: &BasicSet, depth: usize, row: &poly_presburger::Row) -> poly_presburger::Row {
    let first_dim = set.offset(DimKind::Out);
    let mut row = row.clone();
    for dim in depth..set.n_dim() {
        let factor = row[first_dim + dim].clone();
        if factor.is_zero() {
            continue;
        }
        let eq = defining_equality(set, depth, dim).expect("the coordinate is determined");
        let coefficient = &eq[first_dim + dim];
        let (scale, factor) = (coefficient.abs(), &factor * &poly_arith::Int::from(coefficient.signum()));
        row.iter_mut().zip(eq.iter()).for_each(|(x, y)| *x = &(&*x * &scale) - &(&factor * y));
    }
    row
}
