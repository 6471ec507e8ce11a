//! Tiles: pieces of work that one rank does without waiting.
//!
//! # Definitions
//! A *block* is a part of the schedule tree whose instances are cut into tiles in one way: a band
//! whose loops may be interchanged, with all that is below it, or a part without such a band, which
//! is one tile. Tiles have *places*, vectors of numbers; ranks do their tiles in the lexicographic
//! order of these. A place consists of the positions in the sequences above the block, the values
//! of the loops above it, and the tile numbers of the loops of the band. The numbers of the members
//! along which the tiles are *distributed* say which rank a tile belongs to.
//!
//! # Algorithm
//! 1. The walk from the root stops at bands with a parallel loop, or with two loops that may be
//!    interchanged. Loops without such bands below stay whole.
//! 2. A block is distributed along the members that the fewest dependences have a distance in.
//! 3. These come first in a place, so that a rank follows the others through a pipeline; if there
//!    are two, their sum comes before both.
//!
//! # Invariants
//! The order of places, with the order of the tree inside of a tile, is legal; the independent
//! checker is asked.

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::{
    Budget, DimKind, Id, Map, MultiAff, MultiUnionPwAff, PwAff, Set, Space, Stop, Tuple, UnionPwAff, UnionSet,
};
use poly_schedule_tree::{Band, NodeKind, ScheduleTree, Tree};

use crate::pieces::Pieces;
use crate::schedule::why_illegal;
use crate::transform::{Refusal, stopped};

/// One number of a place.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// A position in a sequence.
    Position(i64),
    /// The value of a loop above.
    Value(UnionPwAff),
    /// The number of the tile, for a loop and the length of tiles.
    Tile(UnionPwAff, i64),
    /// The sum of the numbers at two later entries: tiles with one sum do not need each other.
    Front(usize, usize),
}

/// A part of the schedule whose instances are cut into tiles.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The statements.
    pub(crate) statements: Vec<usize>,
    /// What a place consists of.
    pub(crate) entries: Vec<Entry>,
    /// The entries that say which rank a tile belongs to; if there are none, it belongs to rank 0.
    pub(crate) grid: Vec<usize>,
    /// The order inside of a tile.
    pub(crate) inside: Tree,
}

impl Block {
    /// How many loops are cut into tiles.
    pub(crate) fn cut(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry, Entry::Tile(..))).count()
    }
}

/// How tiles are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileOptions {
    /// The lengths of tiles, by the members of a band; the last one counts for all that follow.
    pub sizes: Vec<i64>,
    /// The dimensions of the process grid: 1 or 2.
    pub grid: usize,
}

impl TileOptions {
    /// Refuses what no tiles can have.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.sizes.iter().any(|&size| size < 1) || self.sizes.is_empty() {
            return Err("tiles have a length of at least 1".to_owned());
        }
        if !(1..=2).contains(&self.grid) {
            return Err("a process grid has 1 or 2 dimensions".to_owned());
        }
        Ok(())
    }

    fn size(&self, member: usize) -> i64 {
        self.sizes.get(member).or(self.sizes.last()).copied().unwrap_or(1)
    }
}

/// All blocks of a schedule.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub(crate) all: Vec<Block>,
    /// How many numbers a place has.
    pub(crate) length: usize,
    /// Names of these numbers.
    pub(crate) names: Vec<String>,
    /// From instances to places, by statement.
    pub(crate) places: Vec<Map>,
    /// The block of a statement.
    pub(crate) of: Vec<usize>,
}

impl Blocks {
    /// The blocks of a schedule, in its order.
    ///
    /// # Errors
    /// Why there is nothing to distribute.
    pub(crate) fn new(
        pieces: &Pieces,
        tree: &ScheduleTree,
        options: &TileOptions,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        let mut walk = Walk { pieces, options, all: Vec::new() };
        let statements = (0..pieces.statements.len()).collect();
        walk.node(tree.tree().child(), statements, Vec::new(), budget)?;
        let all = walk.all;
        if all.iter().all(|block| block.grid.is_empty()) {
            return Err("no band of the schedule can be distributed: none has a parallel loop, or two loops that may be interchanged".to_owned());
        }
        let length = all.iter().map(|block| block.entries.len()).max().unwrap_or(0);
        let taken: Vec<String> = pieces.system.params.iter().map(|p| p.as_str().to_owned()).collect();
        let variables = pieces.system.variables.iter().map(|v| v.name.clone());
        let names: Vec<String> = (0..length).map(|k| format!("T{k}")).collect();
        let names = crate::program::distinct(&names, &taken.into_iter().chain(variables).collect::<Vec<_>>());
        let mut of = vec![0; pieces.statements.len()];
        for (number, block) in all.iter().enumerate() {
            block.statements.iter().for_each(|&s| of[s] = number);
        }
        let mut blocks = Self { all, length, names, places: Vec::new(), of };
        blocks.places = (0..pieces.statements.len())
            .map(|s| blocks.place(pieces, s).compute_divs(budget))
            .collect::<Result<_, Stop>>()
            .map_err(stopped)?;
        blocks.judge(pieces, tree, budget)?;
        Ok(blocks)
    }

    /// The tuple of places.
    pub(crate) fn tuple(&self) -> Tuple {
        Tuple::with_dims(None, &self.names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// From the instances of a statement to places.
    fn place(&self, pieces: &Pieces, statement: usize) -> Map {
        let domain = &pieces.statements[statement].domain;
        let block = &self.all[self.of[statement]];
        let tuple = domain.tuple().expect("a set has a tuple").clone();
        let whole = Space::map(domain.space().params.clone(), tuple.clone(), Tuple::anonymous(0));
        let mut map = Map::universe(whole).intersect_domain(domain);
        for entry in &block.entries {
            let n = map.dim(DimKind::Out);
            map = match entry {
                Entry::Position(value) => map.add_dims(DimKind::Out, 1).fix(DimKind::Out, n, *value),
                Entry::Front(..) => map.add_dims(DimKind::Out, 1),
                Entry::Value(function) => map.flat_range_product(&graph(function, &tuple, domain.space())),
                Entry::Tile(function, size) => {
                    let values = graph(function, &tuple, domain.space());
                    map.flat_range_product(&values.apply_range(&tile_of(*size, &domain.space().params)))
                }
            };
        }
        for (k, entry) in block.entries.iter().enumerate() {
            if let Entry::Front(a, b) = entry {
                let mut row = vec![Int::ZERO; 1 + map.space().n_var() + map.space().params.len()];
                row.truncate(1 + map.space().params.len() + map.dim(DimKind::In) + map.dim(DimKind::Out));
                let first = 1 + map.space().params.len() + map.dim(DimKind::In);
                (row[first + k], row[first + a], row[first + b]) = (Int::from(-1), Int::ONE, Int::ONE);
                map = map.with_eq(row);
            }
        }
        self.in_block(
            &map.add_dims(DimKind::Out, self.length - block.entries.len()),
            DimKind::Out,
            0,
            self.of[statement],
        )
        .set_tuple(DimKind::Out, self.tuple())
    }

    /// The part of a relation where the dimensions from `first` on are a place of a block.
    pub(crate) fn in_block(&self, map: &Map, kind: DimKind, first: usize, block: usize) -> Map {
        let entries = &self.all[block].entries;
        let fixed = |k: usize| match entries.get(k) {
            Some(Entry::Position(value)) => Some(*value),
            Some(_) => None,
            None => Some(0),
        };
        let known = (0..self.length).filter_map(|k| Some((k, fixed(k)?)));
        known.fold(map.clone(), |map, (k, value)| map.fix(kind, first + k, value))
    }

    /// Refuses an order that is not legal.
    fn judge(&self, pieces: &Pieces, tree: &ScheduleTree, budget: &mut Budget) -> Result<(), Refusal> {
        let member = |k: usize| {
            let parts = (0..pieces.statements.len()).map(|s| self.number(pieces, s, k));
            UnionPwAff::from_members(parts.collect::<Option<Vec<PwAff>>>()?).into()
        };
        let members: Option<Vec<UnionPwAff>> = (0..self.length).map(member).collect();
        let members = members.ok_or("the schedule does not say when every statement runs")?;
        let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(self.length), members));
        let order = ScheduleTree::new(tree.domain().clone(), Tree::band(band, tree.tree().child().clone()));
        match why_illegal(pieces, &order, budget)? {
            None => Ok(()),
            Some(why) => Err(format!("the order of tiles is wrong: {why}")),
        }
    }

    /// A number of the places of a statement's instances, as a function.
    fn number(&self, pieces: &Pieces, statement: usize, k: usize) -> Option<PwAff> {
        let space = pieces.statements[statement].domain.space();
        let tuple = space.range.clone()?;
        match self.all[self.of[statement]].entries.get(k) {
            None => Some(PwAff::constant(space.clone(), 0)),
            Some(Entry::Position(value)) => Some(PwAff::constant(space.clone(), *value)),
            Some(Entry::Value(function)) => function.get(&tuple).cloned(),
            Some(Entry::Tile(function, size)) => Some(function.get(&tuple)?.floor_div(*size)),
            Some(Entry::Front(a, b)) => {
                Some(self.number(pieces, statement, *a)?.add(&self.number(pieces, statement, *b)?))
            }
        }
    }
}

/// From instances to the value of a loop.
fn graph(function: &UnionPwAff, tuple: &Tuple, space: &Space) -> Map {
    let empty = Map::empty(Space::map(space.params.clone(), tuple.clone(), Tuple::anonymous(1)));
    let Some(own) = function.get(tuple) else { return empty };
    own.pieces().iter().fold(empty, |all, (domain, aff)| {
        let value = MultiAff::into_tuple(aff.domain_space(), Tuple::anonymous(1), vec![aff.clone()]);
        all.union(&value.to_map().align_params(space).intersect_domain(&domain.align_params(space)))
    })
}

/// From the value of a loop to the number of its tile.
fn tile_of(size: i64, params: &[Id]) -> Map {
    let space = Space::map(params.to_vec(), Tuple::anonymous(1), Tuple::anonymous(1));
    let row = |constant: i64, value: i64, tile: i64| {
        let mut row = vec![Int::ZERO; 1 + params.len()];
        row[0] = constant.into();
        row.extend([Int::from(value), Int::from(tile)]);
        row
    };
    Map::universe(space).with_ineq(row(0, 1, -size)).with_ineq(row(size - 1, -1, size))
}

struct Walk<'a> {
    pieces: &'a Pieces,
    options: &'a TileOptions,
    all: Vec<Block>,
}

impl Walk<'_> {
    /// The blocks of a subtree. The recursion is bounded by the height of the tree.
    fn node(
        &mut self,
        tree: &Tree,
        statements: Vec<usize>,
        mut above: Vec<Entry>,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        match tree.kind() {
            NodeKind::Sequence | NodeKind::Set => {
                for (position, child) in tree.children().iter().enumerate() {
                    let NodeKind::Filter(filter) = child.kind() else { continue };
                    let own = self.within(filter, &statements, budget)?;
                    let mut place = above.clone();
                    place.push(Entry::Position(position as i64));
                    self.node(child.child(), own, place, budget)?;
                }
                Ok(())
            }
            NodeKind::Mark(_) => self.node(tree.child(), statements, above, budget),
            NodeKind::Band(band) => {
                let known = self.measured(band, &statements, budget).map_err(stopped)?;
                if is_distributable(&known) {
                    return self.block(&known, tree, statements, above, budget);
                }
                if tree.bands().into_iter().any(is_distributable) {
                    above.extend(band.schedule.members().iter().map(|member| Entry::Value(member.clone())));
                    return self.node(tree.child(), statements, above, budget);
                }
                self.whole(tree, statements, above);
                Ok(())
            }
            _ => {
                self.whole(tree, statements, above);
                Ok(())
            }
        }
    }

    /// A block that is one tile.
    fn whole(&mut self, tree: &Tree, statements: Vec<usize>, entries: Vec<Entry>) {
        if !statements.is_empty() {
            self.all.push(Block { statements, entries, grid: Vec::new(), inside: tree.clone() });
        }
    }

    /// The band with properties that nobody has found out yet: an order that people give has none.
    fn measured(&self, band: &Band, statements: &[usize], budget: &mut Budget) -> Result<Band, Stop> {
        if band.permutable || band.coincident.contains(&true) {
            return Ok(band.clone());
        }
        let mut known = band.clone();
        known.permutable = true;
        for member in 0..band.n_member() {
            for (pairs, is_reduction) in self.distances(band, member, statements) {
                // The points of a reduction have no order.
                let backward = pairs.order_gt(DimKind::In, 0, DimKind::Out, 0);
                known.permutable &= is_reduction || backward.is_empty(budget)?;
            }
            known.coincident[member] = self.apart(band, member, statements, budget)? == 0;
        }
        Ok(known)
    }

    /// The statements that a filter lets through.
    fn within(&self, filter: &UnionSet, statements: &[usize], budget: &mut Budget) -> Result<Vec<usize>, Refusal> {
        let mut own = Vec::new();
        for &s in statements {
            let domain = &self.pieces.statements[s].domain;
            let Some(part) = filter.get_tuple(domain.tuple().expect("a set has a tuple")) else { continue };
            if !domain.is_subset(&part.align_params(domain.space()), budget).map_err(stopped)? {
                return Err("the schedule has different places for the instances of one statement".to_owned());
            }
            own.push(s);
        }
        Ok(own)
    }

    fn block(
        &mut self,
        band: &Band,
        tree: &Tree,
        statements: Vec<usize>,
        mut entries: Vec<Entry>,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let members = if band.permutable { band.n_member() } else { 1 };
        let mut order = Vec::new();
        for member in (0..members).filter(|&member| varies(band, member)) {
            let apart = self.apart(band, member, &statements, budget).map_err(stopped)?;
            order.push((apart, !band.coincident[member], member));
        }
        order.sort_unstable();
        let mut chosen: Vec<usize> = order.iter().take(self.options.grid).map(|&(.., member)| member).collect();
        chosen.sort_unstable();
        let first = entries.len();
        let pipelined = chosen.iter().any(|&member| !band.coincident[member]);
        let front = usize::from(chosen.len() == 2 && pipelined);
        if front == 1 {
            entries.push(Entry::Front(first + 1, first + 2));
        }
        let grid = (0..chosen.len()).map(|k| first + front + k).collect();
        let others = (0..members).filter(|member| !chosen.contains(member));
        for member in chosen.iter().copied().chain(others) {
            entries.push(Entry::Tile(band.schedule.get(member).clone(), self.options.size(member)));
        }
        self.all.push(Block { statements, entries, grid, inside: tree.clone() });
        Ok(())
    }

    /// How many dependences between some statements have a distance in a member of a band.
    fn apart(&self, band: &Band, member: usize, statements: &[usize], budget: &mut Budget) -> Result<usize, Stop> {
        let mut apart = 0;
        for (pairs, _) in self.distances(band, member, statements) {
            apart += usize::from(!pairs.is_subset(&Map::identity(pairs.space()), budget)?);
        }
        Ok(apart)
    }

    /// The values of a member at both ends of every dependence between some statements, and whether
    /// it is one between points of a reduction.
    fn distances(&self, band: &Band, member: usize, statements: &[usize]) -> Vec<(Map, bool)> {
        let inside = |d: &&Dependence| statements.contains(&d.source.0) && statements.contains(&d.sink.0);
        let value = |s: usize| {
            let domain = &self.pieces.statements[s].domain;
            graph(band.schedule.get(member), domain.tuple().expect("a set has a tuple"), domain.space())
        };
        let pairs = |dependence: &Dependence| {
            let (from, to) = (value(dependence.source.0), value(dependence.sink.0));
            let relation = dependence.relation.align_params(from.space());
            (relation.apply_domain(&from).apply_range(&to), dependence.reduction)
        };
        self.pieces.dependences.iter().filter(inside).map(pairs).collect()
    }
}

/// Whether the tiles of a band can be work for several ranks.
fn is_distributable(band: &Band) -> bool {
    let members = if band.permutable { band.n_member() } else { band.n_member().min(1) };
    let varying: Vec<usize> = (0..members).filter(|&member| varies(band, member)).collect();
    varying.iter().any(|&member| band.coincident[member]) || varying.len() >= 2
}

/// Whether a member has more than one value for some statement.
fn varies(band: &Band, member: usize) -> bool {
    let pieces = band.schedule.get(member).iter().flat_map(|function| function.pieces());
    pieces.into_iter().any(|(_, aff)| aff.involves_dims(DimKind::Out, 0, aff.domain_space().dim(DimKind::Out)))
}

/// The values of parameters and places for which a block has a tile: the places as parameters.
pub(crate) fn tile_params(tiles: &Set, params: usize, budget: &mut Budget) -> Result<Set, Stop> {
    let hull = Set::from_basic(tiles.clone().simple_hull(budget)?);
    let n = hull.n_dim();
    Ok(hull.move_dims(DimKind::Param, params, DimKind::Out, 0, n).as_map().params())
}
