//! What ranks send each other: flow-out sets of tiles.
//!
//! # Definitions
//! Every value has one tile that computes it, as a system has one equation for every value. The
//! answer of a reduction is a value for readers when the last of its points has been combined; its
//! tiles hand on what they have so far, each to the next one in the order of places. A value is
//! needed *at home*, on rank 0, if it is an output or read by a block that is not distributed, and
//! at a *grid point* if a tile there reads it.
//!
//! # Algorithm
//! 1. For every variable: the tile that completes each element (of a reduction: the lexicographic
//!    maximum of those that change it), and where the element is needed.
//! 2. The flow-out set of a tile: the elements that it completes, with the other grid points where
//!    they are needed. It is scanned element by element, so that one element meets all ranks at
//!    once and goes to each only once, however many tiles need it there.
//! 3. The sources of a tile: the tiles elsewhere whose flow-out sets have elements that it reads.
//!
//! # References
//! \[Bondhugula2013\], \[DathathriEtAl2013\].

use poly_presburger::{Budget, DimKind, Map, Set, SolveError, Space, Stop, Tuple};

use super::blocks::Blocks;
use crate::pieces::{Action, Pieces};
use crate::program::Role;
use crate::transform::{Refusal, stopped};

/// What leaves a tile; its place is among the parameters.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// The variable.
    pub(crate) variable: usize,
    /// The elements that rank 0 needs.
    pub(crate) home: Set,
    /// The elements that are needed at other points of the grid, and these.
    pub(crate) uses: Set,
}

/// Tiles of a block that a tile, whose place is among the parameters, needs.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The block.
    pub(crate) block: usize,
    /// Their places.
    pub(crate) tiles: Set,
}

/// All communication, by block.
#[derive(Clone, Debug)]
pub(crate) struct Flows {
    pub(crate) flows: Vec<Vec<Flow>>,
    pub(crate) sources: Vec<Vec<Source>>,
}

/// Where the elements of a variable come from and go to.
struct Traffic {
    variable: usize,
    /// From elements to the places of the tiles that complete them.
    completed: Map,
    /// From elements to the places of tiles that read them, by block.
    readers: Vec<(usize, Map)>,
    /// From elements and places of tiles to the place of the next tile that changes the element.
    next: Option<Map>,
    /// Elements that rank 0 needs.
    home: Set,
}

/// The communication between the tiles of a system.
///
/// # Errors
/// What is too hard.
pub(crate) fn flows(pieces: &Pieces, blocks: &Blocks, budget: &mut Budget) -> Result<Flows, Refusal> {
    let finder = Finder { pieces, blocks };
    let mut result = Flows { flows: vec![Vec::new(); blocks.all.len()], sources: vec![Vec::new(); blocks.all.len()] };
    for (variable, _) in pieces.system.variables.iter().enumerate().filter(|(_, v)| v.role != Role::In) {
        let traffic = finder.traffic(variable, budget)?;
        for block in 0..blocks.all.len() {
            if let Some(flow) = finder.flow(&traffic, block, budget).map_err(stopped)? {
                result.flows[block].push(flow);
            }
            for reader in 0..blocks.all.len() {
                finder.source(&traffic, block, reader, &mut result.sources[reader], budget).map_err(stopped)?;
            }
        }
    }
    Ok(result)
}

struct Finder<'a> {
    pieces: &'a Pieces,
    blocks: &'a Blocks,
}

impl Finder<'_> {
    fn params(&self) -> usize {
        self.pieces.system.params.len()
    }

    fn is_serial(&self, block: usize) -> bool {
        self.blocks.all[block].grid.is_empty()
    }

    /// How many dimensions the grid has.
    fn grid(&self) -> usize {
        self.blocks.all.iter().map(|block| block.grid.len()).max().unwrap_or(0)
    }

    /// The elements of a variable, to places.
    fn empty(&self, variable: usize) -> Map {
        let dims = self.pieces.system.variables[variable].dims();
        let params = self.pieces.system.params.clone();
        Map::empty(Space::map(params, Tuple::anonymous(dims), self.blocks.tuple()))
    }

    fn traffic(&self, variable: usize, budget: &mut Budget) -> Result<Traffic, Refusal> {
        let declared = &self.pieces.system.variables[variable];
        let elements = declared.domain.set_tuple(Tuple::anonymous(declared.dims()));
        let mut changed = self.empty(variable);
        let mut readers: Vec<(usize, Map)> = Vec::new();
        let mut is_reduction = false;
        for (s, statement) in self.pieces.statements.iter().enumerate() {
            let place = &self.blocks.places[s];
            if statement.variable == variable {
                is_reduction |= statement.action != Action::Assign;
                changed = changed.union(&statement.relation(&statement.target).reverse().apply_range(place));
            }
            for (_, access) in statement.reads().into_iter().filter(|(read, _)| *read == variable) {
                readers.push((self.blocks.of[s], statement.relation(&access).reverse().apply_range(place)));
            }
        }
        let changed = tidy(changed, budget).map_err(stopped)?;
        let completed = if is_reduction {
            changed.lexmax_map(budget).map_err(|error| self.hard(variable, error))?
        } else {
            changed.clone()
        };
        let next = if is_reduction && !self.stays(&changed, budget).map_err(stopped)? {
            Some(self.next(&changed, budget).map_err(|error| self.hard(variable, error))?)
        } else {
            None
        };
        let mut home = if declared.role == Role::Out { elements.clone() } else { Set::empty(elements.space().clone()) };
        for (_, reads) in readers.iter().filter(|(block, _)| self.is_serial(*block)) {
            home = home.union(&reads.domain());
        }
        Ok(Traffic { variable, completed, readers, next, home })
    }

    fn hard(&self, variable: usize, error: SolveError) -> Refusal {
        let name = &self.pieces.system.variables[variable].name;
        format!("which tile completes a value of `{name}` is too hard a question: {}", Stop::from(error))
    }

    /// From the place of a tile of a block to its grid point.
    fn point(&self, places: &Map, block: usize) -> Map {
        let grid = &self.blocks.all[block].grid;
        let own = self.blocks.in_block(places, DimKind::Out, 0, block);
        let mut kept = own;
        let mut end = self.blocks.length;
        for &k in grid.iter().rev() {
            kept = kept.project_out(DimKind::Out, k + 1, end - k - 1);
            end = k;
        }
        let kept = kept.project_out(DimKind::Out, 0, end);
        let missing = self.grid() - grid.len();
        let first = grid.len();
        let all = kept.add_dims(DimKind::Out, missing);
        (0..missing)
            .fold(all, |map, k| map.fix(DimKind::Out, first + k, 0))
            .set_tuple(DimKind::Out, Tuple::anonymous(self.grid()))
    }

    /// Whether all tiles that change an element are at one grid point.
    fn stays(&self, changed: &Map, budget: &mut Budget) -> Result<bool, Stop> {
        let mut points: Option<Map> = None;
        let (mut serial, mut shared) = (false, false);
        for block in 0..self.blocks.all.len() {
            let own = self.blocks.in_block(changed, DimKind::Out, 0, block);
            if own.is_empty(budget)? {
                continue;
            }
            if self.is_serial(block) {
                serial = true;
            } else {
                shared = true;
                let own = self.point(&own, block);
                points = Some(points.map_or_else(|| own.clone(), |all| all.union(&own)));
            }
        }
        Ok(match points {
            None => true,
            Some(_) if serial && shared => false,
            Some(points) => tidy(points, budget)?.is_single_valued(budget)?,
        })
    }

    /// From elements and places to the next place where the element is changed.
    fn next(&self, changed: &Map, budget: &mut Budget) -> Result<Map, SolveError> {
        let (n, length) = (changed.dim(DimKind::In), self.blocks.length);
        let pairs = changed.flat_range_product(changed);
        let mut later = Map::empty(pairs.space().clone());
        for position in 0..length {
            let equal =
                (0..position).fold(pairs.clone(), |map, k| map.equate(DimKind::Out, k, DimKind::Out, length + k));
            later = later.union(&equal.order_gt(DimKind::Out, length + position, DimKind::Out, position));
        }
        let later = later.move_dims(DimKind::In, n, DimKind::Out, 0, length);
        let later =
            later.set_tuple(DimKind::In, Tuple::anonymous(n + length)).set_tuple(DimKind::Out, self.blocks.tuple());
        tidy(later, budget)?.lexmin_map(budget)
    }

    /// What leaves the tiles of a block; nothing if nothing does.
    fn flow(&self, traffic: &Traffic, block: usize, budget: &mut Budget) -> Result<Option<Flow>, Stop> {
        let (n, length, params) = (traffic.completed.dim(DimKind::In), self.blocks.length, self.params());
        let own = self.blocks.in_block(&traffic.completed, DimKind::Out, 0, block);
        let own = own.set_tuple(DimKind::Out, self.blocks.tuple());
        let completed = own.move_dims(DimKind::Param, params, DimKind::Out, 0, length).domain();
        let mut home = completed.intersect(&traffic.home.align_params(completed.space()));
        let mut uses = Map::empty(Space::map(
            completed.space().params.clone(),
            Tuple::anonymous(n),
            Tuple::anonymous(self.grid()),
        ));
        for (reader, places) in traffic.readers.iter().filter(|(reader, _)| !self.is_serial(*reader)) {
            let points = self.point(places, *reader).align_params(completed.space());
            uses = uses.union(&points.intersect_domain(&completed));
        }
        if let Some(next) = &traffic.next {
            let from = self.blocks.in_block(next, DimKind::In, n, block);
            let names = self.blocks.names.iter().enumerate();
            let from = names.fold(from, |map, (k, name)| map.set_dim_name(DimKind::In, n + k, name.as_str()));
            let from = from.move_dims(DimKind::Param, params, DimKind::In, n, length);
            let from = from.set_tuple(DimKind::In, Tuple::anonymous(n));
            for reader in 0..self.blocks.all.len() {
                if self.is_serial(reader) {
                    home = home.union(&self.blocks.in_block(&from, DimKind::Out, 0, reader).domain());
                } else {
                    uses = uses.union(&self.point(&from, reader));
                }
            }
        }
        if self.is_serial(block) {
            home = Set::empty(home.space().clone());
        } else {
            uses = self.elsewhere(&uses, block, |k| (DimKind::Param, params + k));
        }
        let home = tidy_set(home, budget)?;
        let uses = tidy(uses, budget)?;
        if home.is_empty(budget)? && uses.is_empty(budget)? {
            return Ok(None);
        }
        Ok(Some(Flow { variable: traffic.variable, home, uses: uses.wrap().flatten() }))
    }

    /// The part of a relation to grid points that are not the one of the place at some dimensions.
    fn elsewhere(&self, points: &Map, block: usize, place: impl Fn(usize) -> (DimKind, usize)) -> Map {
        let grid = &self.blocks.all[block].grid;
        let mut result = Map::empty(points.space().clone());
        let mut equal = points.clone();
        for d in 0..self.grid() {
            // A block that is distributed along fewer dimensions stands at 0 of the others.
            let Some(&k) = grid.get(d) else {
                result = result.union(&equal.lower_bound(DimKind::Out, d, 1));
                result = result.union(&equal.upper_bound(DimKind::Out, d, -1));
                equal = equal.fix(DimKind::Out, d, 0);
                continue;
            };
            let (kind, at) = place(k);
            result = result.union(&equal.order_gt(DimKind::Out, d, kind, at));
            result = result.union(&equal.order_gt(kind, at, DimKind::Out, d));
            equal = equal.equate(DimKind::Out, d, kind, at);
        }
        result
    }

    /// The tiles of a block that tiles of another one need, for one variable.
    fn source(
        &self,
        traffic: &Traffic,
        block: usize,
        reader: usize,
        sources: &mut Vec<Source>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        if self.is_serial(block) && self.is_serial(reader) {
            return Ok(());
        }
        let n = traffic.completed.dim(DimKind::In);
        let completed = self.blocks.in_block(&traffic.completed, DimKind::Out, 0, block);
        let mut needs: Option<Map> = None;
        let mut add = |map: Map| needs = Some(needs.take().map_or_else(|| map.clone(), |all| all.union(&map)));
        for (_, places) in traffic.readers.iter().filter(|(own, _)| *own == reader) {
            add(places.reverse().apply_range(&completed));
        }
        if let Some(next) = &traffic.next {
            let pairs = self.blocks.in_block(next, DimKind::In, n, block);
            let pairs = self.blocks.in_block(&pairs, DimKind::Out, 0, reader);
            let pairs = pairs.project_out(DimKind::In, 0, n).set_tuple(DimKind::In, self.blocks.tuple());
            add(pairs.set_tuple(DimKind::Out, self.blocks.tuple()).reverse());
        }
        let Some(needs) = needs else { return Ok(()) };
        let needs = self.different(&needs, reader, block);
        let needs = tidy(needs, budget)?;
        if needs.is_empty(budget)? {
            return Ok(());
        }
        let named = needs.set_tuple(DimKind::In, self.blocks.tuple());
        let (params, length) = (self.params(), self.blocks.length);
        let named = named.set_tuple(DimKind::Out, Tuple::anonymous(length));
        let tiles = named.move_dims(DimKind::Param, params, DimKind::In, 0, length).range();
        match sources.iter_mut().find(|source| source.block == block) {
            Some(source) => source.tiles = tidy_set(source.tiles.union(&tiles), budget)?,
            None => sources.push(Source { block, tiles }),
        }
        Ok(())
    }

    /// Pairs of places of two blocks that are not at one grid point.
    fn different(&self, pairs: &Map, from: usize, to: usize) -> Map {
        let (a, b) = (&self.blocks.all[from].grid, &self.blocks.all[to].grid);
        if a.len() != b.len() {
            return pairs.clone();
        }
        let mut result = Map::empty(pairs.space().clone());
        let mut equal = pairs.clone();
        for (&i, &k) in a.iter().zip(b) {
            result = result.union(&equal.order_gt(DimKind::In, i, DimKind::Out, k));
            result = result.union(&equal.order_gt(DimKind::Out, k, DimKind::In, i));
            equal = equal.equate(DimKind::In, i, DimKind::Out, k);
        }
        result
    }
}

fn tidy(map: Map, budget: &mut Budget) -> Result<Map, Stop> {
    map.compute_divs(budget)?.remove_empty_parts(budget)?.coalesce(budget)
}

fn tidy_set(set: Set, budget: &mut Budget) -> Result<Set, Stop> {
    set.compute_divs(budget)?.remove_empty_parts(budget)?.coalesce(budget)
}
