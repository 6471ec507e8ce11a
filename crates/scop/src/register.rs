//! Register tiles in the schedule tree: where they are full, and what may stay in registers.
//!
//! # Definitions
//! A register tile ([`poly_transform::RegisterTile`]) is a box of `rows x columns` points of a band
//! for one value of the reduced member. It is *full* for a statement if all of its points are
//! instances. The *results* of a statement are the elements that it writes; code generation keeps
//! them in registers while the reduced member runs.
//!
//! # Full tiles
//! Let the domain, in the space of the schedule, be a conjunction of affine inequalities. The box
//! is inside if each of them holds in the corner of the box where it is smallest: `R r` or
//! `R r + R - 1` for the rows by the sign of their coefficient, the same for the columns. So the
//! full tiles are a convex set over the outer loops, the tile loops and the reduced member, which
//! the AST generator isolates. Points of statements for which no box is full, as an equality binds
//! them to a face of it, are not among them if the boxes on one side of the equality are all there
//! are. Cache tiles in wavefronts ([`poly_transform::Wavefronts`]) add a loop around them, which no
//! constraint mentions. An equality that involves rows or columns holds in no full tile.
//!
//! # Results in registers
//! Within one register tile and among the instances of full tiles, for every write and every access
//! to the same array, either
//!
//! * both are the same function of outer loops, row and column, whatever the reduced member is, and
//!   different points of the tile have different elements: they share one register for each point;
//!   or
//! * they have no element in common. An execution of a statement writes only one element of an
//!   array, then: of several, as where the source has unrolled a loop over rows, code generation
//!   makes ordinary loops.
//!
//! Both are decided exactly. Arrays that may overlap others in a way that nobody checks have no
//! place in register tiles. Then reads can be done before all writes of the tile, and each point of
//! the tile is an ordered sum of its own, so that rows and columns may run side by side. Where the
//! same holds among all instances, or among those that are together in a loop whose rows and
//! columns the reduced member does not move, it holds in partial tiles too: the results of
//! factorizations become factors, but in iterations in which their rows and columns are not in the
//! loop any more.

use poly_arith::Int;
use poly_presburger::{BasicMap, BasicSet, Budget, DimKind, Id, Map, Row, Set, Space, Stop, Tuple, UnionSet};
use poly_schedule_tree::{AccessOf, Band, ISOLATE, ISOLATE_REST, LoopType, Mark, Tree};
use poly_transform::{RegisterTile, value_map};

use crate::cost::{any_wavefront, member_of, quotient_map};
use crate::lower::{in_wavefronts, shared as with_threads};
use crate::report::TileShape;
use crate::{Access, AccessId, AccessKind, InstrKind, Scop, Statement, StmtId};

/// What the tree of a band with a register tile consists of.
#[derive(Debug)]
pub(crate) struct Placed {
    /// The tree.
    pub(crate) tree: Tree,
    /// Whether results stay in registers in partial tiles, too, at least those of some statements.
    pub(crate) in_partial_tiles: bool,
    /// Most constraints of a statement that connect its columns with other loops, the reduced one
    /// aside.
    pub(crate) slants: usize,
    /// The reduced loop bounds rows.
    pub(crate) moves_rows: bool,
    /// It bounds columns.
    pub(crate) moves_columns: bool,
}

/// Blocks at diagonals have another work than others, here and there: threads take one after the
/// other.
const UNKNOWN_TILT: f64 = -1.0;

/// What threads share of a register tile.
#[derive(Debug)]
pub(crate) enum Shared {
    Nothing,
    /// Its outermost loop.
    Outermost {
        /// How much the work of its iterations grows.
        tilt: f64,
    },
    /// The cache tiles of a wavefront or of a phase.
    Wavefronts {
        /// The last two loops over cache tiles, rows first.
        tiles: Box<Band>,
        /// The loops over wavefronts and over tiles of one, or those over
        /// [phases](poly_transform::panel_update()) and blocks of one.
        wavefronts: Box<Band>,
        /// Which of the two.
        shape: TileShape,
    },
}

/// The last two loops over cache tiles of a register tile, rows first.
pub(crate) fn tiles_in_wavefronts(band: &Band, tile: &RegisterTile) -> Band {
    let pair: Vec<(usize, u64)> = tile.tiles.iter().rev().take(2).copied().collect();
    tiled(band, &pair)
}

/// Loops over tiles of some members.
fn tiled(band: &Band, members: &[(usize, u64)]) -> Band {
    let sizes: Vec<Int> = members.iter().map(|&(_, size)| Int::from(size)).collect();
    let members: Vec<usize> = members.iter().map(|&(member, _)| member).collect();
    select(band, &members).tile(&sizes).0.with_loop_type(LoopType::Atomic)
}

/// The band with its register tile, and a mark above its columns, below `outer` bands, for the
/// `active` statements. `None` if there is no full tile, or if nothing may stay in registers.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn place(
    scop: &Scop,
    (outer, band): (&[Band], &Band),
    active: &[usize],
    (tile, columns): (&RegisterTile, Mark),
    shared: &Shared,
    child: &Tree,
    budget: &mut Budget,
) -> Result<Option<Placed>, Stop> {
    let wavefronts = if let Shared::Wavefronts { wavefronts, .. } = shared { wavefronts.n_member() - 1 } else { 0 };
    let layout = Layout { outer: outer.iter().map(Band::n_member).sum(), members: band.n_member(), tile, wavefronts };
    let mut all: Vec<(usize, Times)> = Vec::new();
    for &s in active {
        let statement = &scop.statements[s];
        let Some(times) = times(statement, outer, band, &layout, budget)? else { return Ok(None) };
        all.push((s, times));
    }
    if !all.iter().any(|(_, times)| times.has_full_tiles) {
        return Ok(None);
    }
    let Some((results, partial)) = layout.results_in_tiles(scop, &all, budget)? else { return Ok(None) };
    let full: Vec<&Times> = all.iter().map(|(_, times)| times).filter(|times| times.has_full_tiles).collect();
    let bound: Vec<&Times> = all.iter().map(|(_, times)| times).filter(|times| !times.has_full_tiles).collect();
    let mut boxes = Vec::new();
    for times in &full {
        boxes.push(layout.beside(layout.isolated(&times.domain), &bound, budget)?);
    }
    let mut isolated = UnionSet::from_members(union(boxes.into_iter()));
    if !partial.is_empty()
        && let Some(steady) = layout.steady(&full)
    {
        isolated.add(Set::from_basic(layout.beside(steady, &bound, budget)?));
    }
    let is_stable = keeps_factors(scop, &all, &results, &layout, budget)?;
    let in_partial_tiles = !partial.is_empty();
    let name = |s: StmtId| Id::new(&scop.statements[s.index()].name);
    let access = |&(s, a): &(StmtId, AccessId)| AccessOf { statement: name(s), access: a.index() };
    let kept = poly_schedule_tree::RegisterTile {
        results: results.iter().map(access).collect(),
        partial: partial.into_iter().map(name).collect(),
    };
    let tree = layout.tree(band, (isolated, kept), (shared, is_stable), (columns, child));
    let slants = full.iter().map(|times| layout.slants(&times.domain)).max().unwrap_or(0);
    let moves = |member: usize| full.iter().any(|times| layout.moves(&times.domain, member));
    let (moves_rows, moves_columns) = (tile.rows.is_some_and(|rows| moves(rows.0)), moves(tile.columns.0));
    Ok(Some(Placed { tree, in_partial_tiles, slants, moves_rows, moves_columns }))
}

/// The instances that are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    /// Those in full tiles.
    OfFullTiles,
    /// Those in loops over the reduced member in which rows and columns are the same all the time.
    OfBoxes,
    All,
}

/// Accesses whose elements stay in registers, and the statements for which they do so in partial
/// tiles.
type ResultsInTiles = (Vec<(StmtId, AccessId)>, Vec<StmtId>);

/// The loops around and of a register tile.
struct Layout<'a> {
    /// Number of loops around the band.
    outer: usize,
    members: usize,
    tile: &'a RegisterTile,
    /// Loops over wavefronts or phases, of which those over the last two cache tiles are one:
    /// further loops.
    wavefronts: usize,
}

/// A statement in the space of the loops around the band and the members of the band.
struct Times {
    /// From instances to times.
    map: Map,
    /// The times of its instances.
    domain: BasicSet,
    /// No equality connects rows or columns with other loops.
    has_full_tiles: bool,
}

/// The times of a statement; `None` if they are no conjunction of affine constraints.
fn times(
    statement: &Statement,
    outer: &[Band],
    band: &Band,
    layout: &Layout<'_>,
    budget: &mut Budget,
) -> Result<Option<Times>, Stop> {
    let Some((map, domain)) = times_of(statement, outer, band, budget)? else { return Ok(None) };
    let has_full_tiles = !domain.eqs().iter().any(|row| {
        layout.tile.points().any(|(member, _)| !row[domain.offset(DimKind::Out) + layout.outer + member].is_zero())
    });
    Ok(Some(Times { map, domain, has_full_tiles }))
}

/// A statement in the space of bands: from instances to times, and the times of all of them; `None`
/// if these are no conjunction of affine constraints.
pub(crate) fn times_of(
    statement: &Statement,
    outer: &[Band],
    band: &Band,
    budget: &mut Budget,
) -> Result<Option<(Map, BasicSet)>, Stop> {
    let mut map: Option<Map> = None;
    for above in outer.iter().chain([band]) {
        for member in 0..above.n_member() {
            let Some(function) = member_of(above, member, &statement.name) else { return Ok(None) };
            let known = quotient_map(function).or_else(|| any_wavefront(function));
            let row = known.unwrap_or_else(|| value_map(function));
            map = Some(map.map_or(row.clone(), |map| map.flat_range_product(&row)));
        }
    }
    let Some(map) = map else { return Ok(None) };
    let image = statement.domain.apply(&map).coalesce(budget)?;
    let mut pieces = image.basic_sets();
    let (Some(mut domain), None) = (pieces.next(), pieces.next()) else { return Ok(None) };
    domain.simplify(budget)?;
    let loops: usize = outer.iter().map(Band::n_member).sum();
    let domain = with_loops_for_divs(domain, loops, budget)?;
    Ok(domain.divs().is_empty().then_some((map, domain)))
}

/// The times with the values of loops in place of divisions, where these are always equal: which
/// block an iteration is in is what a loop over blocks says.
fn with_loops_for_divs(mut domain: BasicSet, loops: usize, budget: &mut Budget) -> Result<BasicSet, Stop> {
    let mut tried = 0;
    while tried < domain.divs().len() {
        let count = domain.divs().len();
        let (first, div) = (domain.offset(DimKind::Out), domain.offset(DimKind::Div) + tried);
        let places = (0..loops).flat_map(|l| [(l, Int::ONE), (l, Int::NEG_ONE)]);
        for (l, sign) in places {
            // The difference of the loop and the division, or their sum, both ways.
            let form = |side: &Int, constant: Int| {
                let mut row = vec![Int::ZERO; domain.n_col()];
                (row[first + l], row[div], row[0]) = (side.clone(), -&(side * &sign), constant);
                row
            };
            let (mut above, mut below) = (domain.clone(), domain.clone());
            above.add_ineq(form(&Int::ONE, Int::NEG_ONE));
            below.add_ineq(form(&Int::NEG_ONE, Int::NEG_ONE));
            if above.is_empty(budget)? && below.is_empty(budget)? {
                let equal = form(&Int::ONE, Int::ZERO);
                domain.add_eq(equal);
                domain.simplify(budget)?;
                break;
            }
        }
        if domain.divs().len() >= count {
            tried += 1;
        }
    }
    Ok(domain)
}

impl Layout<'_> {
    /// What stays in registers: in partial tiles for as many statements as possible. Those whose
    /// rows or columns follow from the reduced member are in no tile.
    fn results_in_tiles(
        &self,
        scop: &Scop,
        all: &[(usize, Times)],
        budget: &mut Budget,
    ) -> Result<Option<ResultsInTiles>, Stop> {
        let everything: Vec<&(usize, Times)> = all.iter().collect();
        let free: Vec<&(usize, Times)> = all.iter().filter(|(_, times)| !self.is_bound(&times.domain)).collect();
        for (statements, points) in [(&everything, Points::All), (&free, Points::OfBoxes)] {
            if let Some(results) = results(scop, statements, self, points, budget)? {
                return Ok(Some((results, statements.iter().map(|&&(s, _)| StmtId::from(s)).collect())));
            }
        }
        let results = results(scop, &everything, self, Points::OfFullTiles, budget)?;
        Ok(results.map(|results| (results, Vec::new())))
    }

    /// An equality connects the reduced member with rows or columns.
    fn is_bound(&self, domain: &BasicSet) -> bool {
        let first = domain.offset(DimKind::Out) + self.outer;
        let moves = |row: &Row| self.tile.points().any(|(member, _)| !row[first + member].is_zero());
        domain.eqs().iter().any(|row| !row[first + self.tile.reduced].is_zero() && moves(row))
    }

    /// Number of loops between the outer ones and the reduced member.
    fn between(&self) -> usize {
        self.columns() + self.tile.points().count()
    }

    /// Number of loops between the outer ones and that over columns of tiles.
    fn columns(&self) -> usize {
        self.tile.others.len() + self.tile.tiles.len() + self.wavefronts
    }

    /// The dimension of each member within loops
    /// `outer, others, tiles (with wavefronts among them), columns / C, rows / R, reduced`.
    fn dimension(&self, member: usize) -> usize {
        if let Some(at) = self.tile.others.iter().position(|&other| other == member) {
            return self.outer + at;
        }
        let columns = self.outer + self.columns();
        match self.tile.rows {
            _ if member == self.tile.columns.0 => columns,
            Some((rows, _)) if member == rows => columns + 1,
            Some(_) => columns + 2,
            None => columns + 1,
        }
    }

    /// The size and the largest offset of a member in its dimension.
    fn scale(&self, member: usize) -> (Int, Int) {
        for (tiled, size) in self.tile.points() {
            if tiled == member {
                return (Int::from(size), Int::from(size - 1));
            }
        }
        (Int::ONE, Int::ZERO)
    }

    /// Constraints that connect columns with other members than the reduced one.
    fn slants(&self, domain: &BasicSet) -> usize {
        let first = domain.offset(DimKind::Out) + self.outer;
        let (columns, reduced) = (self.tile.columns.0, self.tile.reduced);
        let others = || (0..self.members).filter(|&m| m != columns && m != reduced);
        let connects = |row: &&Row| !row[first + columns].is_zero() && others().any(|m| !row[first + m].is_zero());
        domain.ineqs().iter().filter(connects).count()
    }

    /// Whether a constraint connects a member with the reduced one.
    fn moves(&self, domain: &BasicSet, member: usize) -> bool {
        let first = domain.offset(DimKind::Out) + self.outer;
        let connects = |row: &Row| !row[first + member].is_zero() && !row[first + self.tile.reduced].is_zero();
        domain.ineqs().iter().any(connects)
    }

    /// All times down to the reduced member.
    fn times(&self, domain: &BasicSet, name: &str) -> BasicSet {
        let depth = self.outer + self.between();
        let tuple = Tuple::wrapping(Tuple::anonymous(depth), Tuple::anonymous(1)).renamed(Some(name.into()));
        BasicSet::universe(Space::set(domain.space().params.clone(), tuple))
    }

    /// The values of the reduced member with which it decides about no point of a tile: rows and
    /// columns do not move with it there, whatever else bounds them. `None` if they never do.
    fn steady(&self, full: &[&Times]) -> Option<BasicSet> {
        let mut result = self.times(&full.first()?.domain, ISOLATE_REST);
        let mut moves = false;
        for times in full {
            let first = times.domain.offset(DimKind::Out) + self.outer;
            let with_reduced = |row: &&Row| !row[first + self.tile.reduced].is_zero();
            for row in times.domain.ineqs().iter().filter(with_reduced) {
                moves |= self.tile.points().any(|(member, _)| !row[first + member].is_zero());
                result.add_ineq(self.worst(row, &times.domain, &result));
            }
        }
        moves.then_some(result)
    }

    /// The full tiles of a domain: over the loops down to the reduced member.
    fn isolated(&self, domain: &BasicSet) -> BasicSet {
        let mut result = self.times(domain, ISOLATE);
        for row in domain.ineqs() {
            result.add_ineq(self.worst(row, domain, &result));
        }
        for row in domain.eqs() {
            result.add_eq(self.worst(row, domain, &result));
        }
        result
    }

    /// The boxes of a set in which no instance of the statements that are bound by equalities lies,
    /// if these are convex: where such a statement is executed in between, a loop over rows is no
    /// tile. All points of a box are on one side of an equality if the point nearest to it is.
    fn beside(&self, mut boxes: BasicSet, bound: &[&Times], budget: &mut Budget) -> Result<BasicSet, Stop> {
        for times in bound {
            let first = times.domain.offset(DimKind::Out) + self.outer;
            let moves = |row: &&Row| self.tile.points().any(|(member, _)| !row[first + member].is_zero());
            let Some(equality) = times.domain.eqs().iter().find(moves) else { continue };
            let mut sides = Vec::new();
            for sign in [Int::ONE, Int::NEG_ONE] {
                let form: Row = equality.iter().map(|x| x * &sign).collect();
                let mut side = boxes.clone();
                let mut nearest = self.worst(&form, &times.domain, &side);
                nearest[0] -= &Int::ONE;
                side.add_ineq(nearest);
                if !side.is_empty(budget)? {
                    sides.push(side);
                }
            }
            if let (Some(side), true) = (sides.pop(), sides.is_empty()) {
                boxes = side;
            }
        }
        Ok(boxes)
    }

    /// The constraint in the corner of the box where its form is smallest.
    fn worst(&self, row: &Row, domain: &BasicSet, result: &BasicSet) -> Row {
        let (from, to) = (domain.offset(DimKind::Out), result.offset(DimKind::Out));
        let mut moved = vec![Int::ZERO; result.n_col()];
        moved[..from].clone_from_slice(&row[..from]);
        moved[to..to + self.outer].clone_from_slice(&row[from..from + self.outer]);
        for member in 0..self.members {
            let coefficient = &row[from + self.outer + member];
            let (size, last) = self.scale(member);
            moved[to + self.dimension(member)] = coefficient * &size;
            if coefficient.is_neg() {
                moved[0] += &(coefficient * &last);
            }
        }
        moved
    }

    /// The band as the loops of the tile.
    fn tree(
        &self,
        band: &Band,
        (isolated, kept): (UnionSet, poly_schedule_tree::RegisterTile),
        (shared, is_stable): (&Shared, bool),
        (mark, child): (Mark, &Tree),
    ) -> Tree {
        let tile = self.tile;
        let point = |members: &[usize]| select(band, members);
        let mut columns = point(&[tile.columns.0]);
        columns.coincident = vec![tile.vector];
        let columns = Tree::band(columns, child.clone());
        let columns = Tree::mark(mark, columns);
        let points = match tile.rows {
            None => columns,
            Some((member, _)) => {
                let mut rows = point(&[member]);
                rows.coincident = vec![false];
                Tree::band(rows, columns)
            }
        };
        let mut reduced = point(&[tile.reduced]);
        reduced.coincident = vec![false];
        reduced.isolate = Some(Box::new(isolated));
        let reduced = Tree::mark(Mark::RegisterTile(kept), Tree::band(reduced, points));
        let register: Vec<(usize, u64)> = [tile.columns].into_iter().chain(tile.rows).collect();
        let inside = tiled(band, &register);
        let (inside, reduced) = if is_stable {
            let (columns, rows) = inside.split(1);
            (columns, Tree::mark(Mark::Panel, Tree::band(rows, reduced)))
        } else {
            (inside, reduced)
        };
        let plain = tile.tiles.len() - if matches!(shared, Shared::Wavefronts { .. }) { 2 } else { 0 };
        let mut outside: Vec<Band> = Vec::new();
        if !tile.others.is_empty() {
            outside.push(point(&tile.others).with_loop_type(LoopType::Atomic));
        }
        if plain > 0 {
            outside.push(tiled(band, &tile.tiles[..plain]));
        }
        match shared {
            Shared::Wavefronts { tiles, wavefronts, shape } => {
                let body = Tree::band(inside, reduced);
                let body = match shape {
                    TileShape::PanelUpdate => panel_update(wavefronts, Tree::band(tiles.split(1).0, body)),
                    _ => in_wavefronts(tiles, wavefronts, body, UNKNOWN_TILT),
                };
                let outside = outside.into_iter().reduce(|outer, inner| concat(&outer, &inner));
                if let Some(outside) = outside { Tree::band(outside, body) } else { body }
            }
            Shared::Nothing | Shared::Outermost { .. } => {
                outside.push(inside);
                let outside = outside.into_iter().reduce(|outer, inner| concat(&outer, &inner));
                let tree = Tree::band(outside.expect("there are columns"), reduced);
                if let Shared::Outermost { tilt } = *shared { with_threads(tree, tilt) } else { tree }
            }
        }
    }
}

/// Loops over phases and what is side by side in one, and inside of them perhaps others over blocks
/// of the one at the diagonal, their phases and what is side by side there.
fn panel_update(wavefronts: &Band, body: Tree) -> Tree {
    let around = |phases: Band, body: Tree| {
        let (phases, beside) = phases.split(1);
        Tree::band(phases, with_threads(Tree::band(beside, body), UNKNOWN_TILT))
    };
    let (outer, inner) = wavefronts.split(2);
    if inner.n_member() == 0 {
        return around(outer, body);
    }
    let (blocks, phases) = inner.split(1);
    around(outer, Tree::band(blocks, around(phases, body)))
}

/// Some members of a band.
pub(crate) fn select(band: &Band, members: &[usize]) -> Band {
    let rest = (0..band.n_member()).filter(|m| !members.contains(m));
    let order: Vec<usize> = members.iter().copied().chain(rest).collect();
    band.permute(&order).split(members.len()).0.with_loop_type(LoopType::Default)
}

/// Two bands as one that is known to be permutable.
fn concat(outer: &Band, inner: &Band) -> Band {
    Band { permutable: true, ..outer.concat(inner) }
}

/// The isolated sets as one set.
fn union(isolated: impl Iterator<Item = BasicSet>) -> Option<Set> {
    isolated.map(Set::from_basic).reduce(|all, set| all.union(&set))
}

/// The accesses whose elements stay in registers; `None` if some write must go to memory.
fn results(
    scop: &Scop,
    statements: &[&(usize, Times)],
    layout: &Layout<'_>,
    points: Points,
    budget: &mut Budget,
) -> Result<Option<Vec<(StmtId, AccessId)>>, Stop> {
    let Some((_, first)) = statements.first() else { return Ok(None) };
    let mut results: Vec<(StmtId, AccessId)> = Vec::new();
    let mut accesses: Vec<Located<'_>> = Vec::new();
    for (s, times) in statements {
        let statement = &scop.statements[*s];
        let domain = match points {
            Points::All | Points::OfBoxes => Set::from_basic(times.domain.clone()),
            Points::OfFullTiles if times.has_full_tiles => layout.tile_points(&times.domain, |_| true),
            Points::OfFullTiles => continue,
        };
        if !is_plain(statement) {
            return Ok(None);
        }
        for (index, access) in statement.accesses.iter().enumerate() {
            let array = &scop.arrays[access.array.index()];
            if array.is_scalar() || array.table().is_some() || !access.exact || scop.is_unchecked(access.array) {
                return Ok(None);
            }
            let elements = times.map.reverse().apply_range(&access.relation).intersect_domain(&domain);
            accesses.push(Located { statement: *s, index, access, elements });
        }
    }
    let same_tile = layout.same_loops(&first.domain, &[layout.tile.reduced]);
    let domains: Vec<&BasicSet> = statements.iter().map(|(_, times)| &times.domain).collect();
    let together = if points == Points::OfBoxes { same_tile.intersect(&layout.in_boxes(&domains)) } else { same_tile };
    for write in accesses.iter().filter(|a| a.access.kind != AccessKind::Read) {
        for other in accesses.iter().filter(|a| a.access.array == write.access.array) {
            match relation(write, other, layout, &together, budget)? {
                // Code generation has registers for one element of an array in an execution.
                Relation::Disjoint if other.statement == write.statement && other.access.kind != AccessKind::Read => {
                    return Ok(None);
                }
                Relation::Disjoint => {}
                Relation::SameResult => {
                    for found in [write, other] {
                        let id = (StmtId::from(found.statement), AccessId::from(found.index));
                        if !results.contains(&id) {
                            results.push(id);
                        }
                    }
                }
                Relation::Mixed => return Ok(None),
            }
        }
    }
    Ok(Some(results))
}

/// Whether arrays that are written are read as factors in full tiles, or in those that are cut by
/// nothing that moves with the reduced member, and nothing that is read so is written by any
/// statement while one column of tiles is executed, between its cache tiles: whatever rows there
/// are, and whatever values of the reduced member.
fn keeps_factors(
    scop: &Scop,
    statements: &[(usize, Times)],
    results: &[(StmtId, AccessId)],
    layout: &Layout<'_>,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let Some((rows, _)) = layout.tile.rows else { return Ok(false) };
    let same_column = layout.same_loops(&statements[0].1.domain, &[layout.tile.reduced, rows]);
    let elements = |times: &Times, access: &Access| times.map.reverse().apply_range(&access.relation);
    let mut is_written = false;
    for (s, times) in statements.iter().filter(|(_, times)| times.has_full_tiles) {
        let reduced = times.domain.offset(DimKind::Out) + layout.outer + layout.tile.reduced;
        let points = layout.tile_points(&times.domain, |row| !row[reduced].is_zero());
        for (index, read) in scop.statements[*s].accesses.iter().enumerate() {
            if read.kind != AccessKind::Read || results.contains(&(StmtId::from(*s), AccessId::from(index))) {
                continue;
            }
            let loaded = elements(times, read).intersect_domain(&points);
            for (writer, writer_times) in statements {
                let accesses = scop.statements[*writer].accesses.iter();
                for write in accesses.filter(|a| a.array == read.array && a.kind != AccessKind::Read) {
                    let domain = Set::from_basic(writer_times.domain.clone());
                    let written = elements(writer_times, write).intersect_domain(&domain);
                    if !loaded.apply_range(&written.reverse()).intersect(&same_column).is_empty(budget)? {
                        return Ok(false);
                    }
                    is_written = true;
                }
            }
        }
    }
    Ok(is_written)
}

/// Every instance executes all of the statement.
fn is_plain(statement: &Statement) -> bool {
    let executed =
        |kind: &InstrKind| matches!(kind, InstrKind::Read(_) | InstrKind::Write(_) | InstrKind::Compute { .. });
    statement.body.iter().all(|instr| instr.predicate.is_none() && executed(&instr.kind))
}

/// An access as a function of time, within full tiles.
struct Located<'a> {
    statement: usize,
    index: usize,
    access: &'a Access,
    elements: Map,
}

/// How two accesses of one register tile touch an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// They have no element in common.
    Disjoint,
    /// They touch one element for each point of the tile, no two points the same.
    SameResult,
    /// Anything else.
    Mixed,
}

fn relation(
    a: &Located<'_>,
    b: &Located<'_>,
    layout: &Layout<'_>,
    same_tile: &Map,
    budget: &mut Budget,
) -> Result<Relation, Stop> {
    let common = a.elements.apply_range(&b.elements.reverse()).intersect(same_tile);
    if common.is_empty(budget)? {
        return Ok(Relation::Disjoint);
    }
    for dimension in layout.tile.points().map(|(member, _)| layout.outer + member) {
        for (x, y) in [(DimKind::In, DimKind::Out), (DimKind::Out, DimKind::In)] {
            if !common.order_gt(x, dimension, y, dimension).is_empty(budget)? {
                return Ok(Relation::Mixed);
            }
        }
    }
    // Without the reduced member there is still one element for each time.
    let reduced = layout.outer + layout.tile.reduced;
    let forget = |map: &Map| map.project_out(DimKind::In, reduced, 1);
    let both = forget(&a.elements).union(&forget(&b.elements));
    Ok(if both.is_single_valued(budget)? { Relation::SameResult } else { Relation::Mixed })
}

impl Layout<'_> {
    /// The points of tiles that some constraints, or equalities, do not cut, over outer loops and
    /// members; of all of them: the points of full tiles.
    fn tile_points(&self, domain: &BasicSet, cuts_none: impl Fn(&Row) -> bool) -> Set {
        let mut result = BasicSet::universe(domain.space().clone());
        let first = domain.offset(DimKind::Out) + self.outer;
        let tiles: Vec<(usize, usize, Int)> = self
            .tile
            .points()
            .map(|(member, size)| {
                let mut numerator = vec![Int::ZERO; result.n_col()];
                numerator[first + member] = Int::ONE;
                (member, result.add_div(Int::from(size), numerator), Int::from(size))
            })
            .collect();
        for (rows, equality) in [(domain.ineqs(), false), (domain.eqs(), true)] {
            for row in rows {
                let whole = if cuts_none(row) { &tiles[..] } else { &[] };
                let mut row = row.clone();
                row.resize(result.n_col(), Int::ZERO);
                for (member, div, size) in whole {
                    let coefficient = std::mem::take(&mut row[first + member]);
                    row[*div] = &coefficient * size;
                    if coefficient.is_neg() {
                        row[0] += &(&coefficient * &(size - &Int::ONE));
                    }
                }
                if equality {
                    result.add_eq(row);
                } else {
                    result.add_ineq(row);
                }
            }
        }
        Set::from_basic(result)
    }

    /// Pairs of times in a loop over the reduced member in which rows and columns are the same all
    /// the time: with the reduced member's value of the one, the other one's rows and columns are
    /// there too.
    fn in_boxes(&self, domains: &[&BasicSet]) -> Map {
        let space = domains[0].space().map_from_set();
        let at = |exchanged: DimKind| {
            let all = domains.iter().map(|domain| {
                let mut pairs = BasicMap::universe(space.clone());
                let place = |dimension: usize| {
                    let is_reduced = dimension == self.outer + self.tile.reduced;
                    let other = if exchanged == DimKind::In { DimKind::Out } else { DimKind::In };
                    pairs.offset(if is_reduced { exchanged } else { other }) + dimension
                };
                let (first, count) = (domain.offset(DimKind::Out), self.outer + self.members);
                let places: Vec<usize> = (0..count).map(place).collect();
                let moved = |row: &Row| {
                    let mut moved = vec![Int::ZERO; 1 + space.params.len() + 2 * count];
                    moved[..first].clone_from_slice(&row[..first]);
                    for (dimension, &place) in places.iter().enumerate() {
                        moved[place] = row[first + dimension].clone();
                    }
                    moved
                };
                domain.eqs().iter().for_each(|row| pairs.add_eq(moved(row)));
                domain.ineqs().iter().for_each(|row| pairs.add_ineq(moved(row)));
                pairs
            });
            Map::from_basics(space.clone(), all.collect::<Vec<_>>())
        };
        at(DimKind::In).intersect(&at(DimKind::Out))
    }

    /// Pairs of times in all loops of which but those of the free members they agree, rows and
    /// columns being in the same tile.
    fn same_loops(&self, domain: &BasicSet, free: &[usize]) -> Map {
        let space = domain.space().map_from_set();
        let mut pairs = BasicMap::universe(space);
        let (from, to) = (pairs.offset(DimKind::In), pairs.offset(DimKind::Out));
        for dimension in 0..self.outer + self.members {
            let member = dimension.checked_sub(self.outer);
            if member.is_some_and(|member| free.contains(&member)) {
                continue;
            }
            let size = member.map_or(Int::ONE, |m| self.scale(m).0);
            let mut row;
            if size.is_one() {
                row = vec![Int::ZERO; pairs.n_col()];
                row[from + dimension] = Int::ONE;
                row[to + dimension] = Int::NEG_ONE;
            } else {
                let mut quotient = |column: usize| {
                    let mut numerator = vec![Int::ZERO; pairs.n_col()];
                    numerator[column] = Int::ONE;
                    pairs.add_div(size.clone(), numerator)
                };
                let (a, b) = (quotient(from + dimension), quotient(to + dimension));
                row = vec![Int::ZERO; pairs.n_col()];
                row[a] = Int::ONE;
                row[b] = Int::NEG_ONE;
            }
            pairs.add_eq(row);
        }
        Map::from_basic(pairs)
    }
}
