//! What a tile gets from finished tiles, before what it does within itself.
//!
//! # Problem
//! In tiles around another order of the loops ([`super::outer_tiles`]), rows are chains: an element
//! is added to those behind it once it is finished. But most of what a tile is given comes from
//! elements of other tiles, which are finished before it begins. That part is a product of two
//! blocks, whose order is free, and which register tiles are for.
//!
//! # Method
//! Let the updates of a reduction be a statement `S`.
//!
//! 1. `P`: the instances of `S` that depend on nothing in their own tile, updates of the same
//!    element aside. It is the domain without the sinks of all pairs within one tile.
//! 2. In each tile come the instances of `P` first, with loops of their own, then all others in the
//!    order that they had.
//! 3. The loops of `P` are lowered as a leaf band of a SCoP in which `S` has no other instances,
//!    and no dependences but those within a tile.
//!
//! # Legality
//! No instance of `P` is the sink of a pair within its tile, so `P` may be first; pairs of
//! reductions may change their order, within a tile there is one thread. As both ends of a pair
//! cannot be in `P`, every order of `P` is legal, and its band is permutable; a loop is coincident
//! if no two updates of an element differ in it.

use poly_arith::Int;
use poly_dependence::{Dependence, Dependences};
use poly_presburger::{
    BasicMap, BasicSet, Budget, DimKind, Div, Map, MultiUnionPwAff, PwAff, Set, Stop, Tuple, UnionPwAff, UnionSet,
};
use poly_schedule_tree::{Band, Tree};
use poly_transform::{Distances, Pairs, RegisterChoice, Sign, directions, with_sign};

use super::{Lowering, State, has_register_tiles};
use crate::Statement;
use crate::config::Config;
use crate::cost::{Model, Place, member_of, quotient, quotient_map, row};
use crate::driver::Analysis;
use crate::facts::{at, facts, points, to_f64};

/// The instances of a statement that come first in their tile.
pub(super) struct Product {
    statement: usize,
    first: Set,
    /// All other instances of the statement.
    rest: Set,
    /// The loops of those that come first, and what they cost.
    tree: Tree,
    state: State,
    /// The sizes of register tiles along the loops that tiles are made of: of multiples of them,
    /// tiles should be.
    pub(super) steps: [u64; 2],
}

/// Tiles of two loops.
pub(super) struct Tiled<'a> {
    /// The loops.
    pub(super) loops: &'a Band,
    /// The numbers of tiles.
    pub(super) tiles: &'a Band,
    /// Where the loops within a tile are.
    pub(super) inside: &'a Place,
}

impl Lowering<'_> {
    /// The updates of reductions that may come first in tiles, where that allows register tiles.
    pub(super) fn products(&self, node: &Tree, tiles: &Tiled<'_>, budget: &mut Budget) -> Result<Vec<Product>, Stop> {
        let dependences = &self.analysis.dependences.dependences;
        let mut products = Vec::new();
        for &statement in &tiles.inside.active {
            let is_own = |d: &Dependence| d.reduction && (d.source.0, d.sink.0) == (statement, statement);
            let is_fixed = |d: &Dependence| !d.conditional || ![d.source.0, d.sink.0].contains(&statement);
            if !dependences.iter().any(is_own) || !dependences.iter().all(is_fixed) {
                continue;
            }
            if let Some(first) = self.first_in_tiles(statement, tiles, budget)? {
                products.extend(self.product(node, statement, first, tiles, budget)?);
            }
        }
        Ok(products)
    }

    /// The instances of a statement that are no sinks of pairs within one tile, one conjunction of
    /// constraints with most of them.
    ///
    /// The relation between instances and the numbers of their tiles has no integer divisions. What
    /// is found in it is written with the divisions that these numbers are.
    fn first_in_tiles(&self, statement: usize, tiles: &Tiled<'_>, budget: &mut Budget) -> Result<Option<Set>, Stop> {
        let scop = &self.analysis.scop;
        let (tiles, active) = (tiles.tiles, &tiles.inside.active);
        let maps: Option<Vec<Map>> = active.iter().map(|&s| tile_map(tiles, &scop.statements[s])).collect();
        let Some(maps) = maps else { return Ok(None) };
        let tile_of = |s: usize| active.iter().position(|&active| active == s).map(|at| &maps[at]);
        let Some(own) = tile_of(statement) else { return Ok(None) };
        let mut first = own.clone();
        for d in &self.analysis.dependences.dependences {
            if d.sink.0 != statement || !d.is_ordering() || d.reduction {
                continue;
            }
            let Some(source) = tile_of(d.source.0) else { continue };
            let late = d.relation.reverse().apply_range(source).intersect(own);
            if !late.is_empty(budget)? {
                first = first.subtract(&late, budget)?;
            }
        }
        let mut best: Option<(Set, f64)> = None;
        for basic in first.coalesce(budget)?.basics() {
            let Some(part) = with_divisions(basic, tiles, &scop.statements[statement].name) else { continue };
            let part = Set::from_basic(part);
            let Some(count) = points(&part, &self.estimates, budget)? else { continue };
            if best.as_ref().is_none_or(|(_, most)| count > *most) {
                best = Some((part, count));
            }
        }
        Ok(best.map(|(part, _)| part))
    }

    /// The loops of a tile, those of products before the others, with the state then.
    pub(super) fn with_rest(
        &self,
        (node, band): (&Tree, &Band),
        products: Vec<Product>,
        tiles: &Tiled<'_>,
        mut state: State,
        budget: &mut Budget,
    ) -> Result<(Tree, State), Stop> {
        let mut facts = self.facts.clone();
        for product in &products {
            let share = self.share_of_rest(product, tiles.tiles, budget)?;
            let facts = &mut facts[product.statement];
            facts.instances *= share;
            let name = &self.analysis.scop.statements[product.statement].name;
            let rows = [0, 1].map(|member| row(tiles.loops, member, name, facts.extents.len()));
            // Tiles are as large as before, but are given less along all other loops.
            for (iterator, extent) in facts.extents.iter_mut().enumerate() {
                if rows.iter().all(|row| row[iterator] == 0.0) {
                    *extent = (*extent * share).max(1.0);
                }
            }
            state.add(&product.state);
        }
        // What is left are chains.
        let config = Config { register: RegisterChoice::Off, ..self.config.clone() };
        let estimates = self.estimates.clone();
        let analysis = self.analysis;
        let mut others = Lowering { model: Model::with(analysis, &config, facts, estimates), around: None, state };
        let rest = others.outer_band_as_is(node, band, tiles.inside, budget)?;
        if products.is_empty() {
            return Ok((rest, others.state));
        }
        let late = tiles.inside.active.iter().map(|&s| match products.iter().find(|product| product.statement == s) {
            Some(product) => product.rest.clone(),
            None => self.analysis.scop.statements[s].domain.clone(),
        });
        let late = UnionSet::from_members(late);
        let first = products.into_iter().map(|product| (UnionSet::from_members([product.first]), product.tree));
        Ok((Tree::sequence(first.chain([(late, rest)])), others.state))
    }

    /// The part of the instances of a tile that do not come first, in a tile in the middle; an
    /// estimate.
    fn share_of_rest(&self, product: &Product, tiles: &Band, budget: &mut Budget) -> Result<f64, Stop> {
        let Some(mut tile) = tile_map(tiles, &self.analysis.scop.statements[product.statement]) else { return Ok(1.0) };
        let mut numbers = at(&tile.range(), &self.estimates);
        for member in 0..tiles.n_member() {
            if numbers.is_empty(budget)? || !numbers.is_bounded(budget)? {
                return Ok(1.0);
            }
            let ends = (numbers.dim_min(member, budget)?, numbers.dim_max(member, budget)?);
            let (low, high) = (ends.0.eval(&self.estimates, &[]), ends.1.eval(&self.estimates, &[]));
            let (Some(low), Some(high)) = (low, high) else { return Ok(1.0) };
            let middle = Int::from(f64::midpoint(to_f64(&low), to_f64(&high)).floor() as i64);
            numbers = numbers.fix(DimKind::Out, member, middle.clone());
            tile = tile.fix(DimKind::Out, member, middle);
        }
        let tile = at(&tile.domain(), &self.estimates);
        let mut counts = [0.0; 2];
        for (set, count) in [&product.first, &product.rest].into_iter().zip(&mut counts) {
            for basic in set.basic_sets() {
                let part = Set::from_basic(basic.clone()).intersect(&tile);
                *count += points(&part, &self.estimates, budget)?.unwrap_or(0.0);
            }
        }
        let [first, rest] = counts;
        Ok(if first + rest > 0.0 { rest / (first + rest) } else { 1.0 })
    }

    /// The instances of a statement that may come first, with their loops, if register tiles are
    /// predicted to be best for them.
    fn product(
        &self,
        node: &Tree,
        statement: usize,
        first: Set,
        tiles: &Tiled<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Product>, Stop> {
        let Some(analysis) = self.alone(statement, &first, tiles.tiles, budget)? else { return Ok(None) };
        let Some(band) = self.band_of(tiles.loops, node, statement) else { return Ok(None) };
        let model = &self.analysis.scop.statements[statement];
        let pairs = Pairs::of(&analysis.dependences.dependences, &[&model.name]);
        let mut coincident = Vec::new();
        for function in band.schedule.members() {
            coincident.push(pairs.distances(function, budget)? == Some(Distances::Zero));
        }
        let band = Band { permutable: true, coincident, ..band };
        let facts = facts(&analysis.scop, &self.config.sizes, &self.config.machine, budget)?;
        let own = Model::with(&analysis, self.config, facts, self.estimates.clone());
        let mut alone = Lowering { model: own, around: None, state: State::default() };
        let place = Place { active: vec![statement], tiled: None, ..tiles.inside.clone() };
        let tree = alone.walk(&Tree::band(band, Tree::leaf()), &place, budget)?;
        let state = alone.state;
        if !has_register_tiles(&tree) {
            return Ok(None);
        }
        let rest = model.domain.subtract(&first, budget)?.coalesce(budget)?;
        tracing::debug!(%first, %rest, cycles = state.cycles, bands = ?state.bands, "what a tile gets from others comes first in it");
        let steps = [0, 1].map(|member| step_of(&tree, tiles.loops, member, &model.name));
        Ok(Some(Product { statement, first, rest, tree, state, steps }))
    }

    /// The SCoP with these instances of a statement only, and with the dependences among them
    /// within tiles.
    fn alone(&self, s: usize, first: &Set, tiles: &Band, budget: &mut Budget) -> Result<Option<Analysis>, Stop> {
        let mut scop = self.analysis.scop.clone();
        scop.statements[s].domain = first.clone();
        let mut dependences = Vec::new();
        for d in self.analysis.dependences.dependences.iter().filter(|d| (d.source.0, d.sink.0) == (s, s)) {
            let Some(within) = within_tiles(&d.relation, tiles, budget)? else { continue };
            let relation = within.intersect_domain(first).intersect_range(first);
            if relation.is_empty(budget)? {
                continue;
            }
            if !d.reduction {
                return Ok(None);
            }
            dependences.push(Dependence { relation, ..d.clone() });
        }
        Ok(Some(Analysis { scop, dependences: Dependences { dependences }, ..self.analysis.clone() }))
    }

    /// The loops that tiles are made of and those around a statement below a node as one band, if
    /// they tell its instances apart.
    fn band_of(&self, loops: &Band, node: &Tree, statement: usize) -> Option<Band> {
        let name = &self.analysis.scop.statements[statement].name;
        let iterators = self.facts[statement].extents.len();
        let mut members: Vec<UnionPwAff> = Vec::new();
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for band in std::iter::once(loops).chain(node.bands()) {
            for member in 0..band.n_member() {
                let Some(function) = member_of(band, member, name) else { continue };
                rows.push(row(band, member, name, iterators));
                if directions(&rows, iterators).last().is_none_or(Option::is_none) {
                    rows.pop();
                    continue;
                }
                let mut own = UnionPwAff::empty(function.domain_space().params.clone());
                own.add(function.clone());
                members.push(own);
            }
        }
        let is_whole = members.len() == iterators;
        is_whole.then(|| Band::new(MultiUnionPwAff::new(Tuple::anonymous(members.len()), members)))
    }
}

/// The size of the innermost tiles along a loop in a tree; 1 if there are none.
fn step_of(tree: &Tree, loops: &Band, member: usize, statement: &str) -> u64 {
    let Some([(_, own)]) = member_of(loops, member, statement).map(PwAff::pieces) else { return 1 };
    let is_own = |div: &Div| div.num.iter().zip(own.row()).skip(1).all(|(a, b)| a == b);
    let functions = tree.bands().into_iter().flat_map(|band| (0..band.n_member()).map(move |m| (band, m)));
    let divs = functions.filter_map(|(band, m)| quotient(member_of(band, m, statement)?)).filter(is_own);
    divs.filter_map(|div| div.denom.to_i64()).filter_map(|step| u64::try_from(step).ok()).min().unwrap_or(1).max(1)
}

/// The pairs of a relation in one tile; `None` if there are none.
fn within_tiles(relation: &Map, tiles: &Band, budget: &mut Budget) -> Result<Option<Map>, Stop> {
    let mut pairs = relation.clone();
    for function in tiles.schedule.members() {
        let Some(equal) = with_sign(&pairs, function, Sign::Zero) else { return Ok(None) };
        pairs = equal;
        if pairs.is_empty(budget)? {
            return Ok(None);
        }
    }
    Ok(Some(pairs))
}

/// From the instances of a statement to the numbers of their tiles, without integer divisions.
fn tile_map(tiles: &Band, statement: &Statement) -> Option<Map> {
    let maps: Option<Vec<Map>> =
        (0..tiles.n_member()).map(|member| member_of(tiles, member, &statement.name).and_then(quotient_map)).collect();
    let map = maps?.into_iter().reduce(|all, next| all.flat_range_product(&next))?;
    Some(map.intersect_domain(&statement.domain))
}

/// The instances of a relation to the numbers of their tiles, which are divisions then; `None` if
/// the relation has others.
fn with_divisions(basic: &BasicMap, tiles: &Band, statement: &str) -> Option<BasicSet> {
    if basic.n_div() > 0 {
        return None;
    }
    let first = basic.offset(DimKind::Out);
    let mut result = BasicSet::universe(basic.domain().space().clone());
    let mut numbers = Vec::new();
    for member in 0..tiles.n_member() {
        let div = quotient(member_of(tiles, member, statement)?)?;
        let mut numerator = div.num[..first].to_vec();
        numerator.resize(result.n_col(), Int::ZERO);
        numbers.push(result.add_div(div.denom.clone(), numerator));
    }
    let moved = |row: &[Int], columns: usize| {
        let mut moved = row[..first].to_vec();
        moved.resize(columns, Int::ZERO);
        for (member, &number) in numbers.iter().enumerate() {
            moved[number] = row[first + member].clone();
        }
        moved
    };
    let columns = result.n_col();
    basic.eqs().iter().for_each(|row| result.add_eq(moved(row, columns)));
    basic.ineqs().iter().for_each(|row| result.add_ineq(moved(row, columns)));
    Some(result)
}
