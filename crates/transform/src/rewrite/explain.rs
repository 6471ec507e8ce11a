//! The steps that lead from one tree to another.
//!
//! # Problem
//! A tree that was not made by rewrites can often be made by them: its loops are those of another
//! tree in another order, some of them tiled, shared by threads or meant for vectors. The steps say
//! what became of the program, in words that can be replayed, changed, and cut in two.
//!
//! # Algorithm
//! Both trees are compared from their roots down. Loops with nothing but marks between them are a
//! *chain*.
//!
//! 1. A band of the old tree is found again in a chain of the new one: loops over tiles of its
//!    members, then its members, each once. A member that is another one of the old band plus or
//!    minus a loop of the band, or around it, was skewed. Interchange orders the points, tiling
//!    makes the tiles, another interchange orders these.
//! 2. Where the chain is divided into bands in another way, bands are split. Marks come last.
//! 3. A chain that ends before the last members of a band, above a sequence, has been distributed:
//!    these members are joined with the bands of the nests below.
//! 4. A loop over tiles above nests that the old tree has one after the other is the outermost loop
//!    of each of them; they are fused afterwards.
//!
//! A band is named by the first statement that it executes. Steps go from the outside in, so the
//! bands above have their final form when a step names one of them.
//!
//! # Invariants
//! Only trees are looked at: whether a step is legal is decided when it is replayed, and flags of
//! bands are not compared. What has another form has no explanation.

use poly_arith::Int;
use poly_presburger::{DimKind, Id, PwAff, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, Mark, NodeKind, ScheduleTree, Sharing, Tree};

use super::{Log, Site, Step};

/// Steps that make `target` of `source`, up to flags of bands; `None` if none are known.
pub fn explain(source: &ScheduleTree, target: &ScheduleTree) -> Option<Log> {
    let statements: Vec<Id> = source.statements().iter().filter_map(Tuple::name_str).map(Id::new).collect();
    let mut explainer = Explainer { log: Log::default() };
    let place = Place { statements, outer: Vec::new(), bands: 0 };
    explainer.subtree(Vec::new(), source.tree().child(), target.tree().child(), &place)?;
    Some(explainer.log)
}

struct Explainer {
    log: Log,
}

/// Where a subtree of the new tree stands.
#[derive(Clone)]
struct Place {
    statements: Vec<Id>,
    /// The loops above.
    outer: Vec<UnionPwAff>,
    /// The number of bands above.
    bands: usize,
}

/// The members of a band of the old tree.
type Loops = Vec<UnionPwAff>;

/// A loop of the new tree, made of a member of a band of the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    Point(usize),
    /// Tiles of this size.
    Tiles(usize, i64),
}

/// Loops of the new tree with nothing but marks between them.
struct Chain<'t> {
    loops: Vec<&'t UnionPwAff>,
    /// The numbers of loops of its bands, and the marks directly above each.
    bands: Vec<(usize, Vec<&'t Mark>)>,
    below: &'t Tree,
}

impl<'t> Chain<'t> {
    /// The chain that begins at a node; `None` if there are marks that no rewrite makes, or marks
    /// without a loop.
    fn at(node: &'t Tree) -> Option<Chain<'t>> {
        let mut chain = Chain { loops: Vec::new(), bands: Vec::new(), below: node };
        let mut marks = Vec::new();
        loop {
            match chain.below.kind() {
                NodeKind::Band(band) if band.has_grid() || band.isolate.is_some() => return None,
                NodeKind::Band(band) => {
                    chain.loops.extend(band.schedule.members());
                    chain.bands.push((band.n_member(), std::mem::take(&mut marks)));
                }
                NodeKind::Mark(mark) => marks.push(mark),
                _ => break,
            }
            chain.below = chain.below.child();
        }
        let is_known = |mark: &&Mark| match mark {
            Mark::Vector => true,
            Mark::Parallel(sharing) => *sharing == Sharing::default(),
            _ => false,
        };
        let all_known = chain.bands.iter().all(|(_, marks)| marks.iter().all(is_known) && marks.len() < 2);
        (marks.is_empty() && all_known).then_some(chain)
    }
}

impl Explainer {
    fn step(&mut self, rewrite: &str, place: &Place, band: usize, arguments: impl IntoIterator<Item = i64>) {
        let statement = place.statements.first().expect("a band executes statements").clone();
        let site = Site { statement, band: place.bands + band };
        self.log.steps.push(Step { rewrite: rewrite.to_owned(), site, arguments: arguments.into_iter().collect() });
    }

    /// Explains a subtree, of which the old tree has members of a band above its own. The recursion
    /// is bounded by the height of the new tree.
    fn subtree(&mut self, above: Vec<Loops>, source: &Tree, target: &Tree, place: &Place) -> Option<()> {
        let (mut bands, mut below) = (above, source);
        while let NodeKind::Band(band) = below.kind() {
            let is_plain = !band.has_grid() && band.isolate.is_none();
            bands.push(is_plain.then(|| band.schedule.members().to_vec())?);
            below = below.child();
        }
        if place.statements.is_empty() {
            return Some(());
        }
        if bands.is_empty() && matches!(below.kind(), NodeKind::Sequence) && target.as_band().is_some() {
            return self.fused(below.children(), target, place);
        }
        let chain = Chain::at(target)?;
        let mut inside = place.clone();
        inside.outer.extend(chain.loops.iter().map(|&function| function.clone()));
        inside.bands += chain.bands.len();
        let mut current: Vec<usize> = Vec::new();
        let mut taken = 0;
        let mut moved: Option<Loops> = None;
        for (number, band) in bands.iter().enumerate() {
            let rest = &chain.loops[taken..];
            let is_last = number + 1 == bands.len();
            if rest.len() < band.len() {
                // The last members of the last band have moved into the nests below.
                let stays = band.iter().zip(rest).all(|(old, new)| is_same(old, new, &place.statements));
                let is_above_nests = matches!(below.kind(), NodeKind::Sequence);
                if !is_last || !stays || !is_above_nests {
                    return None;
                }
                let at = current.len();
                if !rest.is_empty() {
                    self.step("split", place, at, [rest.len() as i64]);
                    current.push(rest.len());
                }
                self.step("distribute", place, current.len(), []);
                moved = Some(band[rest.len()..].to_vec());
                taken = chain.loops.len();
                continue;
            }
            let around: Vec<&UnionPwAff> = place.outer.iter().chain(chain.loops[..taken].iter().copied()).collect();
            taken += self.band(band, rest, &around, (&mut current, place))?;
        }
        if taken < chain.loops.len() {
            return None;
        }
        self.divide(&current, &chain, place)?;
        match moved {
            Some(moved) => self.nests_with(&moved, below, chain.below, &inside),
            None => self.branch(below, chain.below, &inside),
        }
    }

    /// Explains what has become of a band: skewed, interchanged and tiled loops, which are the
    /// first of those that are given; with their number.
    fn band(
        &mut self,
        band: &Loops,
        chain: &[&UnionPwAff],
        around: &[&UnionPwAff],
        (current, place): (&mut Vec<usize>, &Place),
    ) -> Option<usize> {
        let names = &place.statements;
        let at = current.len();
        let mut members = band.clone();
        let (mut origins, mut points): (Vec<Origin>, usize) = (Vec::new(), 0);
        while points < members.len() {
            let target = *chain.get(origins.len())?;
            let origin = match origin_of(target, &members, names) {
                Some(origin) => origin,
                None => {
                    let fixed: Vec<usize> = origins.iter().map(|origin| origin.member()).collect();
                    let (skew, origin) = skewed(target, &mut members, (around, &fixed), names)?;
                    self.step("skew", place, at, skew);
                    origin
                }
            };
            points += usize::from(matches!(origin, Origin::Point(_)));
            origins.push(origin);
        }
        let order: Vec<usize> = points_of(&origins);
        let tiles: Vec<(usize, i64)> = tiles_of(&origins);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let mut tiled: Vec<usize> = tiles.iter().map(|tile| tile.0).collect();
        tiled.sort_unstable();
        tiled.dedup();
        let tiles_first = origins.iter().skip(tiles.len()).all(|origin| matches!(origin, Origin::Point(_)));
        if !sorted.into_iter().eq(0..members.len()) || tiled.len() < tiles.len() || !tiles_first {
            return None;
        }
        if !order.is_sorted() {
            self.step("interchange", place, at, order.iter().map(|&member| member as i64));
        }
        if !tiles.is_empty() {
            let size = |member: &usize| tiles.iter().find(|tile| tile.0 == *member).map_or(1, |tile| tile.1);
            self.step("tile", place, at, order.iter().map(size));
            // The loops over tiles come in the order of the points.
            let made: Vec<usize> = order.iter().copied().filter(|member| tiled.contains(member)).collect();
            let position = |tile: &(usize, i64)| made.iter().position(|member| *member == tile.0).unwrap_or_default();
            let places: Vec<usize> = tiles.iter().map(position).collect();
            if !places.is_sorted() {
                self.step("interchange", place, at, places.into_iter().map(|at| at as i64));
            }
            current.push(tiles.len());
        }
        current.push(members.len());
        Some(origins.len())
    }

    /// Splits bands of so many loops until they are those of the chain, and marks these.
    fn divide(&mut self, current: &[usize], chain: &Chain<'_>, place: &Place) -> Option<()> {
        let is_innermost = chain.below.bands().is_empty();
        let mut wanted = chain.bands.iter().enumerate();
        for &size in current {
            let mut rest = size;
            while rest > 0 {
                let (number, (count, marks)) = wanted.next()?;
                if *count > rest || *count == 0 {
                    return None;
                }
                let is_last = number + 1 == chain.bands.len();
                let next_is_vector = chain.bands.get(number + 1).is_some_and(|(next, marks)| {
                    let is_end = number + 2 == chain.bands.len() && is_innermost;
                    is_end && *next == 1 && *next + *count == rest && marks.contains(&&Mark::Vector)
                });
                let is_vector = marks.contains(&&Mark::Vector);
                if is_vector && (!is_last || !is_innermost || *count != 1) {
                    return None;
                }
                if next_is_vector {
                    self.step("vectorize", place, number, []);
                } else if *count < rest {
                    self.step("split", place, number, [*count as i64]);
                }
                // A loop that is the whole band, or was split off.
                if is_vector && *count == size {
                    self.step("vectorize", place, number, []);
                }
                rest -= count;
            }
        }
        if wanted.next().is_some() {
            return None;
        }
        for (number, (_, marks)) in chain.bands.iter().enumerate() {
            if marks.iter().any(|mark| matches!(mark, Mark::Parallel(_))) {
                self.step("parallelize", place, number, []);
            }
        }
        Some(())
    }

    /// Explains what is below the bands of a chain.
    fn branch(&mut self, source: &Tree, target: &Tree, place: &Place) -> Option<()> {
        match (source.kind(), target.kind()) {
            (NodeKind::Leaf, NodeKind::Leaf) => Some(()),
            (NodeKind::Sequence, NodeKind::Sequence) | (NodeKind::Set, NodeKind::Set) => {
                let mut rest = source.children();
                for child in target.children() {
                    let wanted = executed(child, place)?;
                    let mut covered: Vec<Id> = Vec::new();
                    let mut count = 0;
                    while covered.len() < wanted.len() {
                        covered.extend(executed(rest.get(count)?, place)?);
                        count += 1;
                    }
                    let (own, others) = rest.split_at(count);
                    rest = others;
                    if !covered.iter().all(|name| wanted.contains(name)) || covered.len() > wanted.len() {
                        return None;
                    }
                    match own {
                        [] => {}
                        [old] => {
                            let place = Place { statements: wanted, ..place.clone() };
                            self.subtree(Vec::new(), old.child(), child.child(), &place)?;
                        }
                        _ => self.fused(own, child.child(), place)?,
                    }
                }
                rest.is_empty().then_some(())
            }
            _ => None,
        }
    }

    /// Explains nests that have got the last members of the band that was around all of them.
    fn nests_with(&mut self, moved: &Loops, source: &Tree, target: &Tree, place: &Place) -> Option<()> {
        let is_alike =
            matches!(target.kind(), NodeKind::Sequence) && source.children().len() == target.children().len();
        for (old, new) in source.children().iter().zip(target.children()) {
            let statements = executed(old, place)?;
            if !is_alike || executed(new, place)? != statements {
                return None;
            }
            let place = Place { statements, ..place.clone() };
            let Some(first) = old.child().as_band() else {
                self.subtree(vec![moved.clone()], old.child(), new.child(), &place)?;
                continue;
            };
            self.step("join", &place, 0, []);
            let joined = moved.iter().chain(first.schedule.members()).cloned().collect();
            self.subtree(vec![joined], old.child().child(), new.child(), &place)?;
        }
        is_alike.then_some(())
    }

    /// Explains nests that share their outermost loop, which is one over tiles of each.
    fn fused(&mut self, nests: &[Tree], target: &Tree, place: &Place) -> Option<()> {
        let strips = target.as_band().filter(|band| band.n_member() == 1)?;
        let sequence = target.child();
        if !matches!(sequence.kind(), NodeKind::Sequence) || sequence.children().len() != nests.len() {
            return None;
        }
        for (old, new) in nests.iter().zip(sequence.children()) {
            let statements = executed(old, place)?;
            if executed(new, place)? != statements {
                return None;
            }
            let place = Place { statements, ..place.clone() };
            let alone = Tree::band(strips.clone(), new.child().clone());
            self.subtree(Vec::new(), old.child(), &alone, &place)?;
        }
        let place = Place { statements: executed(nests.first()?, place)?, ..place.clone() };
        nests.iter().skip(1).for_each(|_| self.step("fuse", &place, 0, []));
        Some(())
    }
}

impl Origin {
    fn member(&self) -> usize {
        match *self {
            Origin::Point(member) | Origin::Tiles(member, _) => member,
        }
    }
}

fn points_of(origins: &[Origin]) -> Vec<usize> {
    let point = |origin: &Origin| if let Origin::Point(member) = *origin { Some(member) } else { None };
    origins.iter().filter_map(point).collect()
}

fn tiles_of(origins: &[Origin]) -> Vec<(usize, i64)> {
    let tiles = |origin: &Origin| if let Origin::Tiles(member, size) = *origin { Some((member, size)) } else { None };
    origins.iter().filter_map(tiles).collect()
}

/// The statements of a place that a filter leaves whole; `None` if the node is none.
fn executed(child: &Tree, place: &Place) -> Option<Vec<Id>> {
    let NodeKind::Filter(filter) = child.kind() else { return None };
    let is_here = |name: &&Id| has(filter, name);
    Some(place.statements.iter().filter(is_here).cloned().collect())
}

fn has(instances: &UnionSet, name: &Id) -> bool {
    instances.iter().any(|set| set.space().tuple(DimKind::Out).and_then(Tuple::name_str) == Some(name.as_str()))
}

/// Both functions have the same value for the instances of all statements.
fn is_same(a: &UnionPwAff, b: &UnionPwAff, names: &[Id]) -> bool {
    names.iter().all(|name| match (a.get_named(name.as_str()), b.get_named(name.as_str())) {
        (Some(a), Some(b)) => a == b,
        (None, None) => true,
        _ => false,
    })
}

/// What a loop is made of.
fn origin_of(target: &UnionPwAff, members: &Loops, names: &[Id]) -> Option<Origin> {
    if let Some(member) = members.iter().position(|member| is_same(member, target, names)) {
        return Some(Origin::Point(member));
    }
    let size = tile_size(target.get_named(names.first()?.as_str())?)?;
    let is_tiled = |member: &UnionPwAff| {
        let tiles = member.map_members(|function| function.floor_div(Int::from(size)));
        is_same(&tiles, target, names)
    };
    members.iter().position(is_tiled).map(|member| Origin::Tiles(member, size))
}

/// The divisor of the only integer division of a function.
fn tile_size(function: &PwAff) -> Option<i64> {
    let [(_, aff)] = function.pieces() else { return None };
    let [div] = aff.divs() else { return None };
    div.denom.to_i64().filter(|&size| size > 1)
}

/// The arguments of a skew after which a loop is made of the members of a band, which are changed;
/// members that are known already stay as they are.
fn skewed(
    target: &UnionPwAff,
    members: &mut Loops,
    (around, fixed): (&[&UnionPwAff], &[usize]),
    names: &[Id],
) -> Option<([i64; 3], Origin)> {
    for member in (0..members.len()).filter(|member| !fixed.contains(member)) {
        let own = members.clone();
        let inside = own.iter().enumerate().filter(|(other, _)| *other != member).map(|(at, f)| (at as i64, f));
        let outside = around.iter().rev().enumerate().map(|(at, f)| (-1 - at as i64, *f));
        for (source, function) in inside.chain(outside) {
            for factor in [1, -1] {
                let scaled = function.map_members(|f| f.scale(Int::from(factor)));
                let mut changed = members.clone();
                changed[member] = members[member].add_pointwise(&scaled);
                if let Some(origin) = origin_of(target, &changed, names).filter(|origin| origin.member() == member) {
                    *members = changed;
                    return Some(([member as i64, source, factor], origin));
                }
            }
        }
    }
    None
}

/// A tree without what is found out about its bands again when steps are replayed: flags.
pub fn without_flags(tree: &ScheduleTree) -> ScheduleTree {
    tree.map_bottom_up(&mut |node| match node.kind() {
        NodeKind::Band(band) => {
            let coincident = vec![false; band.n_member()];
            let band = Band { permutable: false, coincident, ..band.clone() };
            Tree::band(band, node.child().clone())
        }
        _ => node,
    })
}

#[cfg(test)]
mod tests {
    use super::super::step::tests::{TWO, run};
    use super::*;

    /// Two loops around `S`, another one around `T`.
    const NESTS: &str = r#"
        domain: "{ S[i, j] : 0 <= i, j < 90; T[i, j] : 0 <= i, j < 90 }"
        child:
          sequence:
          - filter: "{ S[i, j] }"
            child:
              schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          - filter: "{ T[i, j] }"
            child:
              schedule: "[{ T[i, j] -> [(i)] }]"
              child:
                schedule: "[{ T[i, j] -> [(j)] }]"
    "#;

    /// The steps that explain what other steps do.
    fn explained(tree: &str, log: &str) -> String {
        let source: ScheduleTree = tree.parse().expect("the tree can be read");
        let target = run(tree, &[], log).expect("nothing forbids it");
        let Some(found) = explain(&source, &target) else { return "nothing".to_owned() };
        let again = run(tree, &[], &found.to_string()).expect("nothing forbids it");
        assert_eq!(without_flags(&again), without_flags(&target), "{log}: {found}");
        found.to_string()
    }

    #[test]
    fn steps_are_found_again() {
        for log in [
            "",
            "interchange(S[0], 1, 0)",
            "tile(S[0], 8, 16); vectorize(S[1])",
            "interchange(S[0], 1, 0); tile(S[0], 8, 16); interchange(S[0], 1, 0); vectorize(S[1]); parallelize(S[0])",
            "tile(S[0], 1, 16); tile(T[1], 8)",
            "split(S[0], 1); parallelize(S[0]); vectorize(T[1])",
            "skew(S[0], 1, 0, 1); tile(S[0], 8, 8)",
            "skew(T[1], 0, -1, -1)",
            "split(S[0], 1); fuse(S[0])",
        ] {
            assert_eq!(explained(NESTS, log), log);
        }
        assert_eq!(explained(TWO, "distribute(S[0]); vectorize(T[0])"), "distribute(S[0]); vectorize(T[0])");
    }

    #[test]
    fn loops_that_have_moved_inside_are_found_again() {
        let around = r#"
            domain: "{ S[i, j] : 0 <= i, j < 90; T[i] : 0 <= i < 90 }"
            child:
              schedule: "[{ S[i, j] -> [(0)]; T[i] -> [(0)] }, { S[i, j] -> [(i)]; T[i] -> [(i)] }]"
              child:
                sequence:
                - filter: "{ S[i, j] }"
                  child:
                    schedule: "[{ S[i, j] -> [(j)] }]"
                - filter: "{ T[i] }"
        "#;
        for log in [
            "split(S[0], 1); distribute(S[1]); join(S[1]); interchange(S[1], 1, 0); vectorize(S[1]); vectorize(T[1])",
            "distribute(S[0]); join(S[0]); tile(S[0], 1, 8, 8)",
        ] {
            assert_eq!(explained(around, log), log);
        }
    }

    #[test]
    fn nests_that_share_tiles_were_fused() {
        let log = "tile(S[0], 8, 16); split(S[0], 1); tile(T[0], 8); fuse(S[0])";
        assert_eq!(explained(NESTS, log), log);
    }

    #[test]
    fn other_steps_may_do_the_same() {
        assert_eq!(explained(NESTS, "interchange(S[0], 1, 0); interchange(S[0], 1, 0)"), "");
        assert_eq!(explained(NESTS, "split(S[0], 1); vectorize(S[1])"), "vectorize(S[0])");
    }

    #[test]
    fn what_has_another_form_is_not_explained() {
        for log in ["reverse(S[0], 0)", "cut(S[0], 0, 5)", "shift(S[0], 0, 1)", "tile(S[0], 64); tile(S[1], 8)"] {
            assert_eq!(explained(NESTS, log), "nothing", "{log}");
        }
    }
}
