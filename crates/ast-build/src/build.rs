//! The walk over the schedule tree.
//!
//! The generator carries, for every statement (or piece of its domain), an *entry*: the relation from
//! the schedule dimensions generated so far to the instances that are still to be run, held as a
//! set over both. At the root this is the domain. A filter restricts it, a band adds its members as
//! schedule dimensions and has them generated as loops one by one (`level.rs`), a sequence generates
//! its children after each other. At a leaf the schedule dimensions determine the instance, whose
//! remaining conditions become guards; where they do not, loops over the coordinates follow.
//!
//! Order: entries never reach a place of the program whose schedule dimensions are not theirs, so the
//! nesting of loops and sequences is the lexicographic order of the schedule. Exactness: every
//! constraint of an entry is either implied by the context of its place (what loops and conditions
//! around enforce) or tested there; entries are disjoint. So each instance runs once.

use std::collections::BTreeMap;

use poly_presburger::{BasicMap, BasicSet, Budget, DimKind, Id, Map, Set, Space, Stop, Tuple, UnionMap, UnionSet};
use poly_schedule_tree::{Mark, NodeKind, ScheduleTree, Tree};

use crate::ast::{Ast, Cond, Expr, LoopIterator, Node};
use crate::context::Context;
use crate::graft::{Graft, sequence, take_common};
use crate::grid;
use crate::level::Level;
use crate::piece::Entry;
use crate::refine::{refine, without_constraints};
use crate::shadow::{defining_equality, determines_rest};
use crate::simplify::simplify;

/// What the simplification of a program may spend; what it has no time for stays as it is.
const MOST_STEPS: u64 = 4_000_000;

/// Limits of code size, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AstOptions {
    /// Greatest number of pieces that separation may cut one loop into.
    pub max_pieces: usize,
    /// Greatest number of values that an unrolled band member may have.
    pub max_unroll: u32,
    /// A schedule dimension without upper bound becomes a loop without end, and is not an error.
    pub endless: bool,
}

impl Default for AstOptions {
    fn default() -> AstOptions {
        AstOptions { max_pieces: 12, max_unroll: 64, endless: false }
    }
}

/// A program that runs the instances of a schedule tree in its order, each once, for all parameter
/// values in `context` (a parameter set).
///
/// A tree with a loop that has no lower bound, or no upper one without [`AstOptions::endless`], cannot be generated; like a
/// used up budget this is [`Stop`].
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
    let mut entries = Vec::new();
    for set in tree.domain().iter() {
        entries.extend(generator.entries_of(set)?);
    }
    let mut kept = Vec::new();
    for entry in entries {
        kept.extend(generator.simplified(&context, entry)?);
    }
    let mut grafts = generator.walk(&context, kept, tree.tree().child(), &[])?;
    let guards = take_common(&mut grafts, None);
    let root = sequence(vec![Graft { guards, node: sequence(grafts) }]);
    let ast = Ast { root, iterators: generator.iterators };
    let mut part = budget.sub(MOST_STEPS);
    let ast = simplify(ast, &context.generated, &mut part);
    budget.absorb(&part);
    Ok(ast)
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

    /// The entries of a statement's domain, before any schedule dimension.
    fn entries_of(&mut self, set: &Set) -> Result<Vec<Entry>, Stop> {
        let tuple = set.tuple().expect("a statement has a tuple").clone();
        let statement = self.statements.iter().position(|t| *t == tuple).expect("the statement is in the domain");
        let pieces = self.disjoint_pieces(&self.aligned(set).into_set())?;
        Ok(pieces.into_iter().map(|set| Entry { statement, set, offset: 0 }).collect())
    }

    /// Disjoint basic sets with known divs, over an anonymous tuple.
    pub(crate) fn disjoint_pieces(&mut self, set: &Set) -> Result<Vec<BasicSet>, Stop> {
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
        entries: Vec<Entry>,
        tree: &'t Tree,
        marks: &[&'t Mark],
    ) -> Result<Vec<Graft>, Stop> {
        self.budget.spend(1)?;
        // Who waits is a statement; the mark tells the checker what it waits for.
        if let NodeKind::Mark(Mark::Wait) = tree.kind() {
            return self.walk(context, entries, tree.child(), marks);
        }
        if let NodeKind::Mark(mark) = tree.kind() {
            let all: Vec<&Mark> = marks.iter().copied().chain([mark]).collect();
            return self.walk(context, entries, tree.child(), &all);
        }
        if let NodeKind::Band(band) = tree.kind()
            && band.n_member() > 0
        {
            let entries = self.scheduled(context, entries, &grid::times(band))?;
            let number = self.bands[&address(tree)];
            return self.level(context, entries, Level::Member { tree, band, number, member: 0 }, marks);
        }
        let grafts = self.unmarked(context, entries, tree)?;
        if marks.is_empty() || grafts.is_empty() {
            return Ok(grafts);
        }
        let body = sequence(grafts);
        let wrap = |body: Node, mark: &&Mark| Node::Mark { mark: (*mark).clone(), body: Box::new(body) };
        Ok(vec![Graft { guards: Vec::new(), node: marks.iter().rev().fold(body, wrap) }])
    }

    /// Generate a subtree whose root is neither a mark nor a band with members.
    fn unmarked(&mut self, context: &Context, entries: Vec<Entry>, tree: &'t Tree) -> Result<Vec<Graft>, Stop> {
        match tree.kind() {
            NodeKind::Leaf => {
                let mut grafts = Vec::new();
                for entry in entries {
                    grafts.extend(self.instances(context, entry)?);
                }
                Ok(grafts)
            }
            NodeKind::Sequence | NodeKind::Set => {
                let mut grafts = Vec::new();
                for child in tree.children() {
                    grafts.extend(self.walk(context, entries.clone(), child, &[])?);
                }
                Ok(grafts)
            }
            NodeKind::Filter(filter) => {
                let entries = self.filtered(context, entries, filter)?;
                if entries.is_empty() { Ok(Vec::new()) } else { self.walk(context, entries, tree.child(), &[]) }
            }
            NodeKind::Context(known) => {
                let context = self.with_known(context, known)?;
                self.walk(&context, entries, tree.child(), &[])
            }
            NodeKind::Guard(guard) => self.guarded(context, entries, guard, tree),
            NodeKind::Extension(extension) => {
                let entries = self.extended(context, entries, extension)?;
                self.walk(context, entries, tree.child(), &[])
            }
            NodeKind::Expansion { expansion, .. } => {
                let entries = self.expanded(entries, expansion)?;
                self.walk(context, entries, tree.child(), &[])
            }
            NodeKind::Mark(_) | NodeKind::Band(_) | NodeKind::Domain(_) => {
                self.walk(context, entries, tree.child(), &[])
            }
        }
    }

    /// The entries with the members of a band as further schedule dimensions.
    fn scheduled(&mut self, context: &Context, entries: Vec<Entry>, schedule: &UnionMap) -> Result<Vec<Entry>, Stop> {
        let mut result = Vec::new();
        for entry in entries {
            let tuple = &self.statements[entry.statement];
            let map = schedule.iter().find(|m| m.space().domain.as_ref() == Some(tuple));
            let map = map.unwrap_or_else(|| panic!("the band does not schedule {tuple}"));
            let map = self.aligned(map);
            let n = map.dim(DimKind::Out);
            let graph = map.reverse().flat_wrap();
            let depth = entry.offset;
            let wide = entry.set.insert_dims(DimKind::Out, depth, n);
            // Disjuncts of one piece of the function may overlap.
            let disjuncts =
                if graph.n_basic() > 1 { self.disjoint_pieces(&graph)? } else { graph.basic_sets().collect() };
            for basic in disjuncts {
                let basic = basic.insert_dims(DimKind::Out, 0, depth);
                // Members of outer bands may be functions of the same tiles.
                let set = wide.intersect(&basic).equate_quotients();
                let entry = Entry { set, offset: depth + n, ..entry.clone() };
                result.extend(self.simplified(context, entry)?);
            }
        }
        Ok(result)
    }

    fn filtered(&mut self, context: &Context, entries: Vec<Entry>, filter: &UnionSet) -> Result<Vec<Entry>, Stop> {
        let mut result = Vec::new();
        for entry in entries {
            let tuple = &self.statements[entry.statement];
            let Some(set) = filter.get_tuple(tuple) else { continue };
            if set.plain_is_universe() {
                result.push(entry);
                continue;
            }
            let set = self.aligned(set).into_set();
            for piece in self.disjoint_pieces(&set)? {
                let wide = piece.insert_dims(DimKind::Out, 0, entry.offset);
                let entry = Entry { set: entry.set.intersect(&wide), ..entry.clone() };
                result.extend(self.simplified(context, entry)?);
            }
        }
        Ok(result)
    }

    /// A set over the outer band members (or none) as a set over the schedule dimensions. Loops over
    /// coordinates come below all bands, so the dimensions are the members.
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
        entries: Vec<Entry>,
        guard: &Set,
        tree: &'t Tree,
    ) -> Result<Vec<Graft>, Stop> {
        let guard = self.over_schedule(guard, context.depth());
        let mut grafts = Vec::new();
        for piece in self.disjoint_pieces(&guard)? {
            let Some(needed) = refine(&context.generated, &piece, self.budget)? else { continue };
            let inside = Context { generated: context.generated.intersect(&needed), values: context.values.clone() };
            let guards: Vec<Cond> = context.columns().guards(&needed, None);
            for mut graft in self.walk(&inside, entries.clone(), tree.child(), &[])? {
                graft.guards.splice(0..0, guards.iter().cloned());
                grafts.push(graft);
            }
        }
        Ok(grafts)
    }

    /// The entries and the instances that an extension adds.
    fn extended(
        &mut self,
        context: &Context,
        mut entries: Vec<Entry>,
        extension: &UnionMap,
    ) -> Result<Vec<Entry>, Stop> {
        let depth = context.depth();
        for map in extension.iter() {
            let map = self.aligned(map);
            assert_eq!(map.dim(DimKind::In), depth, "an extension has one input dimension per outer band member");
            let tuple = map.space().range.clone().expect("an extension adds instances");
            let statement = self.statements.iter().position(|t| *t == tuple).unwrap_or_else(|| {
                self.statements.push(tuple);
                self.statements.len() - 1
            });
            for set in self.disjoint_pieces(&map.flat_wrap())? {
                let entry = Entry { statement, set, offset: depth };
                entries.extend(self.simplified(context, entry)?);
            }
        }
        Ok(entries)
    }

    /// The entries with their instances replaced by those that an expansion gives for them.
    fn expanded(&mut self, entries: Vec<Entry>, expansion: &UnionMap) -> Result<Vec<Entry>, Stop> {
        let mut result = Vec::new();
        for entry in entries {
            let old = self.statements[entry.statement].clone();
            let depth = entry.offset;
            for map in expansion.iter().filter(|m| m.space().domain.as_ref() == Some(&old)) {
                let new = map.space().range.clone().expect("an expansion has a range");
                let statement = self.statements.iter().position(|t| *t == new).unwrap_or_else(|| {
                    self.statements.push(new.clone());
                    self.statements.len() - 1
                });
                let pairs = self.aligned(map).flat_wrap().insert_dims(DimKind::Out, 0, depth);
                let wide = entry.set.insert_dims(DimKind::Out, depth + old.n(), new.n());
                let both =
                    Set::from_basic(wide).intersect(&pairs.set_tuple(Tuple::anonymous(depth + old.n() + new.n())));
                let both = both.project_out(DimKind::Out, depth, old.n());
                for set in self.disjoint_pieces(&both)? {
                    result.push(Entry { statement, set, offset: depth });
                }
            }
        }
        Ok(result)
    }

    /// The instances of an entry at a leaf: one, if the schedule determines it, or loops.
    pub(crate) fn instances(&mut self, context: &Context, entry: Entry) -> Result<Vec<Graft>, Stop> {
        let depth = context.depth();
        if !entry.set.has_known_divs() {
            let mut grafts = Vec::new();
            for set in self.disjoint_pieces(&Set::from_basic(entry.set.clone()))? {
                grafts.extend(self.instances(context, Entry { set, ..entry.clone() })?);
            }
            return Ok(grafts);
        }
        if !determines_rest(&entry.set, depth) {
            return self.level(context, vec![entry], Level::Coordinates, &[]);
        }
        Ok(self.instance(context, &entry)?.into_iter().collect())
    }

    /// The one instance that the outer dimensions determine.
    fn instance(&mut self, context: &Context, entry: &Entry) -> Result<Option<Graft>, Stop> {
        let depth = context.depth();
        let first_dim = entry.set.offset(DimKind::Out);
        let columns = context.columns();
        let mut values: Vec<Expr> = context.values[entry.offset..].to_vec();
        let mut divisible = Vec::new();
        for dim in depth..entry.set.n_dim() {
            let eq = defining_equality(&entry.set, depth, dim).expect("the coordinate is determined");
            let coefficient = &eq[first_dim + dim];
            let sign = poly_arith::Int::from(-coefficient.signum());
            let mut rest: Vec<poly_arith::Int> = eq.iter().map(|x| x * &sign).collect();
            rest[first_dim + dim] = poly_arith::Int::ZERO;
            let modulus = coefficient.abs();
            if !modulus.is_one() {
                divisible.push((rest.clone(), modulus.clone()));
            }
            values.push(columns.form(&entry.set, &rest).floor_div(&modulus));
        }
        let Some(mut conditions) = self.remaining(context, entry, divisible)? else { return Ok(None) };
        conditions.retain(|c| *c != Cond::True);
        let statement = self.statements[entry.statement].name.clone().expect("a statement has a name");
        Ok(Some(Graft { guards: conditions, node: Node::User { statement, coordinates: values } }))
    }

    /// What an entry with determined coordinates requires beyond the context: its constraints on outer
    /// dimensions, and that each form in `divisible` is a multiple of its number. `None` if that cannot be.
    fn remaining(
        &mut self,
        context: &Context,
        entry: &Entry,
        divisible: Vec<(Vec<poly_arith::Int>, poly_arith::Int)>,
    ) -> Result<Option<Vec<Cond>>, Stop> {
        let depth = context.depth();
        let set = &entry.set;
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
