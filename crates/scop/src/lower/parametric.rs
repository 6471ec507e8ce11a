//! Tiles of sizes that a program chooses when it runs \[Renganarayanan2007\].
//!
//! # Problem
//! A permutable band may be cut in tiles of any sizes. If the sizes are parameters `s` of the
//! schedule, one program can be run with all of them.
//!
//! # Method
//! The tree gets a band over the first values `T` of the tiles, multiples of `s`
//! ([`poly_schedule_tree::Band::grids`]), around the band of the points. How loops are made of that
//! is said in `poly_ast_build`, which sizes there are at first follows from the cost model or from
//! what the user gave; what it would not tile has one tile, as far as [`WHOLE`] reaches.
//!
//! # Legality
//! Let no dependence have a negative distance in a member `x`. The first value of the tile that `x`
//! is in is a monotone function of `x` alone, whatever the size is, so no dependence has a negative
//! distance in it either; a member without distances has none in it. Both is what permutable and
//! coincident mean, so the band of the tiles has the properties of the band of the points. The
//! checker proves it again for the final tree, for all sizes at once.
//!
//! # Full tiles
//! A tile is full for a conjunction of affine constraints if each holds in the corner of the box
//! where it is smallest: at `T` where the coefficient is positive, at `T + s - 1` where it is
//! negative. That is affine in `T` and `s`: the *inset*. Where it holds for all statements, which
//! is tested for each tile when the program runs, the loops over points have the bounds of the tile
//! and nothing else; the generator isolates these tiles. Inside of other tiles this is not done.

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Id, Row, Set, Space, Stop, Tuple, UnionSet};
use poly_schedule_tree::{Band, ISOLATE, NodeKind, Tree};
use poly_transform::{BandFacts, Choice};

use super::leaf::points;
use super::{Lowering, outer_iterations, shared};
use crate::config::Tiling;
use crate::cost::{Place, Spent};
use crate::register::{select, times_of};
use crate::report::BandReport;
use crate::{Nest, TileSize, WHOLE};

/// Where threads share a loop over tiles that the model would not make, tiles are at first as long
/// as this.
const SHARED: u64 = 32;

impl Lowering<'_> {
    /// Whether the band gets tiles of sizes that are parameters.
    pub(super) fn is_tiled_at_run_time(&self, band: &Band) -> bool {
        self.config.parametric_tiles && self.config.tiling != Tiling::Off && band.permutable && band.n_member() > 1
    }

    /// A nest of tiles with these sizes at first, and the names of the parameters.
    fn nest(&self, sizes: impl Iterator<Item = u64>) -> (Nest, Vec<Id>) {
        let taken = |name: &str| self.analysis.scop.params.iter().any(|param| param.name == name);
        let before: usize = self.state.nests.iter().map(|nest| nest.sizes.len()).sum();
        let name = |position: usize| {
            let plain = format!("tile{}", before + position);
            let free = std::iter::successors(Some(plain), |name| Some(format!("{name}_"))).find(|name| !taken(name));
            Id::new(&free.expect("there are more names than parameters"))
        };
        let size = |(position, default): (usize, u64)| TileSize { param: name(position), default };
        let sizes: Vec<TileSize> = sizes.enumerate().map(size).collect();
        let names = sizes.iter().map(|size| size.param.clone()).collect();
        (Nest { id: 0, band: 0, sizes }, names)
    }

    /// Notes the nest of a band that has been reported.
    pub(super) fn add_nest(&mut self, nest: Nest, band: usize) {
        let report = &mut self.state.bands[band];
        report.tile = nest.sizes.iter().map(|size| size.default).collect();
        report.nest = Some(nest.id);
        self.state.nests.push(Nest { band, ..nest });
    }

    /// The tiles of a band above others, if it gets any.
    pub(super) fn tiles_of_outer_band(&self, band: &Band, parallel: bool) -> Option<(Band, Nest)> {
        if !self.is_tiled_at_run_time(band) {
            return None;
        }
        let size = |member: usize| match &self.config.tiling {
            Tiling::Sizes(sizes) => sizes.get(member).or(sizes.last()).copied().unwrap_or(WHOLE),
            Tiling::Off | Tiling::Model if member == 0 && parallel => SHARED,
            Tiling::Off | Tiling::Model => WHOLE,
        };
        let (nest, names) = self.nest((0..band.n_member()).map(size));
        Some((band.tile_by_parameters(&names).0, nest))
    }

    /// The tree of a leaf band in tiles.
    pub(super) fn tiled_at_run_time(
        &mut self,
        node: &Tree,
        band: &Band,
        place: &Place,
        (facts, choice, distributed): (&BandFacts, &Choice, &[bool]),
        budget: &mut Budget,
    ) -> Result<Tree, Stop> {
        let (tiled, sizes) = choice.tiles.clone().unwrap_or_default();
        // Those that have no tiles come last: there is one tile of each.
        let mut order = tiled.clone();
        order.extend(choice.order.iter().filter(|member| !tiled.contains(member)));
        let forks = outer_iterations(facts);
        let spent = Spent::of(choice.cost);
        let parallel = self.may_fork(place) && facts.coincident[order[0]] && self.threads_gain(spent, forks);
        self.state.cycles += if parallel { self.with_threads(spent, forks) } else { spent.cycles };
        self.state.memory += spent.memory;
        let size = |&member: &usize| match sizes.get(member) {
            Some(&size) if size > 0 => size.min(WHOLE),
            _ if parallel && member == order[0] => SHARED,
            _ => WHOLE,
        };
        let (nest, names) = self.nest(order.iter().map(size));
        let choice = Choice { tiles: None, ..choice.clone() };
        let innermost = self.innermost_loop(band, place, (facts, &choice, distributed), 0, budget)?;
        let report = self.state.bands.len();
        let reordered = !choice.order.is_sorted();
        self.state.bands.push(BandReport {
            depth: band.n_member(),
            reordered,
            parallel,
            vector: innermost.is_vector(),
            ..BandReport::default()
        });
        self.add_nest(nest, report);
        let points = points(band, &choice, innermost, node.child());
        let points = match self.full_tiles(band, &order, &names, place, budget)? {
            Some(full) => isolating(&points, &full),
            None => points,
        };
        let tree = Tree::band(select(band, &order).tile_by_parameters(&names).0, points);
        Ok(if parallel { shared(tree, facts.tilts[order[0]]) } else { tree })
    }

    /// The tiles that are full for all statements, over the loops around the band and those over
    /// tiles; `None` if there are none, or if that is not known.
    fn full_tiles(
        &self,
        band: &Band,
        order: &[usize],
        names: &[Id],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<BasicSet>, Stop> {
        if place.in_tiles {
            return Ok(None);
        }
        let mut full: Option<BasicSet> = None;
        for &statement in &place.active {
            let statement = &self.analysis.scop.statements[statement];
            let Some((_, domain)) = times_of(statement, &place.outer, band, budget)? else { return Ok(None) };
            let Some(own) = inset(&domain, order, names) else { return Ok(None) };
            full = Some(match full {
                Some(others) if others.space() == own.space() => others.intersect(&own),
                Some(_) => return Ok(None),
                None => own,
            });
        }
        Ok(full)
    }
}

/// The full tiles of a domain over the loops around a band and its members; `None` if an equality
/// says that there are none. The tiles are those of the members in this order.
fn inset(domain: &BasicSet, order: &[usize], sizes: &[Id]) -> Option<BasicSet> {
    let (first, members) = (domain.offset(DimKind::Out), order.len());
    let outer = domain.n_dim() - members;
    if domain.eqs().iter().any(|row| row[first + outer..].iter().any(|x| !x.is_zero())) {
        return None;
    }
    let own = domain.space().params.len();
    let params: Vec<Id> = domain.space().params.iter().chain(sizes).cloned().collect();
    let mut result = BasicSet::universe(Space::set(params, Tuple::anonymous(domain.n_dim())));
    let dims = result.offset(DimKind::Out);
    let moved = |row: &Row| {
        let mut corner = vec![Int::ZERO; dims + outer + members];
        corner[..=own].clone_from_slice(&row[..=own]);
        corner[dims..dims + outer].clone_from_slice(&row[first..first + outer]);
        for (place, &member) in order.iter().enumerate() {
            let coefficient = &row[first + outer + member];
            corner[dims + outer + place] = coefficient.clone();
            if coefficient.is_neg() {
                corner[1 + own + place] = coefficient.clone();
                corner[0] -= coefficient;
            }
        }
        corner
    };
    domain.ineqs().iter().for_each(|row| result.add_ineq(moved(row)));
    domain.eqs().iter().for_each(|row| result.add_eq(moved(row)));
    Some(result)
}

/// The points, whose outermost band isolates the full tiles.
fn isolating(points: &Tree, full: &BasicSet) -> Tree {
    match points.kind() {
        NodeKind::Band(band) => {
            let (outer, members) = (full.n_dim(), band.n_member());
            let wide = full.insert_dims(DimKind::Out, outer, members);
            let tuple = Tuple::wrapping(Tuple::anonymous(outer), Tuple::anonymous(members));
            let isolated = Set::from_basic(wide).set_tuple(tuple.renamed(Some(ISOLATE.into())));
            let band = Band { isolate: Some(Box::new(UnionSet::from_members([isolated]))), ..band.clone() };
            Tree::band(band, points.child().clone())
        }
        _ => points.with_child(isolating(points.child(), full)),
    }
}
