//! When a schedule tree executes an instance, and in which tile.
//!
//! # Problem
//! A picture of the order has few points, and the tiles of real programs are larger than it. What
//! tiles do is seen when they are smaller.
//!
//! # Algorithm
//! 1. [`time`] walks down from the root with one instance: bands give the values of their members,
//!    sequences and sets the position of the child whose filter has the instance. Instances are
//!    executed in the lexicographic order of these numbers.
//! 2. Members that divide are loops over tiles. The numbers as far as the last member of the first
//!    bands with such members say in which tile an instance is.
//! 3. [`TileSizes::drawn`] replaces the divisors of all members by small ones. Those of one
//!    expression of a statement keep their order: of nested tiles, the inner ones stay smaller. The
//!    divisors of a member are the same for all statements.
//!
//! # Invariants
//! Without replaced sizes the order is that of the tree. With them it is that of another tree,
//! which nobody has judged: who draws it compares it with the dependences.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::{Aff, DimKind, Id, PwAff, Set, Space, UnionSet};
use poly_schedule_tree::{Band, NodeKind, ScheduleTree, Tree};

/// An instance of a statement, with values of the parameters.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// The statement.
    pub statement: &'a str,
    /// Its iteration.
    pub point: &'a [i64],
    /// Parameters by their names.
    pub params: &'a BTreeMap<Id, i64>,
}

impl Instance<'_> {
    /// The values of the parameters of a space; `None` if one is not known.
    fn params_of(&self, space: &Space) -> Option<Vec<Int>> {
        space.params.iter().map(|id| self.params.get(id).map(|&value| value.into())).collect()
    }

    fn exact_point(&self) -> Vec<Int> {
        self.point.iter().map(|&value| value.into()).collect()
    }

    fn is_in(&self, set: &Set) -> bool {
        let fits = set.n_dim() == self.point.len();
        let params = self.params_of(set.space()).filter(|_| fits);
        params.is_some_and(|params| set.as_map().contains(&params, &self.exact_point()))
    }

    fn is_in_union(&self, union: &UnionSet) -> bool {
        union.get_named(self.statement).is_some_and(|set| self.is_in(set))
    }
}

/// When an instance is executed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// To be compared lexicographically.
    pub values: Vec<i64>,
    /// How many of them say in which tile it is; 0 if there are no tiles.
    pub tile: usize,
    /// How many of them say in which iteration of the outermost loop it is; 0 if there is no loop.
    pub outermost: usize,
}

/// Where a band is: from the root, the positions of children.
type Path = Vec<usize>;

/// Divisors that are replaced, for each member of a band.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileSizes {
    replaced: BTreeMap<(Path, usize), BTreeMap<Int, Int>>,
    /// The size in place of one that the program chooses when it runs.
    own: i64,
}

impl TileSizes {
    /// The sizes of the tree itself; `own` stands for sizes that the program chooses when it runs.
    pub fn real(own: i64) -> Self {
        Self { replaced: BTreeMap::new(), own: own.max(1) }
    }

    /// Small sizes for the tiles of a tree: `size(rank, count)` for the divisor with a rank, from
    /// the smallest one on, among the `count` divisors of an expression. No size becomes larger.
    pub fn drawn(tree: &ScheduleTree, size: impl Fn(usize, usize) -> i64) -> Self {
        let mut found: Vec<Found> = Vec::new();
        let mut stack: Vec<(&Tree, Path)> = vec![(tree.tree(), Vec::new())];
        while let Some((node, path)) = stack.pop() {
            if let NodeKind::Band(band) = node.kind() {
                collect(band, &path, &mut found);
            }
            for (i, child) in node.children().iter().enumerate() {
                stack.push((child, [path.as_slice(), &[i]].concat()));
            }
        }
        let mut divisors: BTreeMap<&(String, Vec<Int>), BTreeSet<&Int>> = BTreeMap::new();
        for one in &found {
            divisors.entry(&one.expression).or_default().insert(&one.divisor);
        }
        let mut ranks: BTreeMap<(Path, usize), (usize, usize)> = BTreeMap::new();
        for one in &found {
            let all = &divisors[&one.expression];
            let rank = all.iter().position(|divisor| **divisor == one.divisor).unwrap_or(0);
            let known = ranks.entry(one.place.clone()).or_insert((rank, all.len()));
            *known = (*known).max((rank, all.len()));
        }
        let mut result = Self::real(size(0, 1));
        for one in &found {
            let (rank, count) = ranks[&one.place];
            let small = Int::from(size(rank, count).max(1)).min(one.divisor.clone());
            result.replaced.entry(one.place.clone()).or_default().insert(one.divisor.clone(), small);
        }
        result
    }

    /// The pairs of a real size and another one that stands for it, each once.
    pub fn replacements(&self) -> BTreeSet<(Int, Int)> {
        let all = self.replaced.values().flatten().map(|(real, drawn)| (real.clone(), drawn.clone()));
        all.filter(|(real, drawn)| real != drawn).collect()
    }

    fn of(&self, place: &(Path, usize), divisor: &Int) -> Int {
        let known = self.replaced.get(place).and_then(|all| all.get(divisor));
        known.unwrap_or(divisor).clone()
    }
}

/// A division in a member of a band.
struct Found {
    place: (Path, usize),
    /// The statement, and what is divided but for its constant.
    expression: (String, Vec<Int>),
    divisor: Int,
}

fn collect(band: &Band, path: &Path, found: &mut Vec<Found>) {
    for (member, functions) in band.schedule.members().iter().enumerate() {
        for function in functions.iter() {
            let statement = function.domain_space().tuple_name(DimKind::Out).map_or("", Id::as_str).to_owned();
            for div in function.pieces().iter().flat_map(|(_, aff)| aff.divs()) {
                let divided: Vec<Int> = div.num.iter().skip(1).cloned().collect();
                found.push(Found {
                    place: (path.clone(), member),
                    expression: (statement.clone(), divided),
                    divisor: div.denom.clone(),
                });
            }
        }
    }
}

/// When a tree executes an instance; `None` if it does not, or if that cannot be told (numbers
/// beyond 64 bits, instances that stand for groups).
pub fn time(tree: &ScheduleTree, instance: &Instance<'_>, sizes: &TileSizes) -> Option<Time> {
    if !instance.is_in_union(tree.domain()) {
        return None;
    }
    let mut walk = Walk { instance, sizes, time: Time { values: Vec::new(), tile: 0, outermost: 0 }, is_inside: false };
    let (mut node, mut path) = (tree.tree(), Path::new());
    loop {
        let next = match node.kind() {
            NodeKind::Leaf => return Some(walk.time),
            NodeKind::Expansion { .. } => return None,
            NodeKind::Band(band) => {
                walk.band(band, &path)?;
                0
            }
            NodeKind::Filter(filter) if !instance.is_in_union(filter) => return None,
            NodeKind::Sequence | NodeKind::Set => {
                let has = |child: &Tree| matches!(child.kind(), NodeKind::Filter(f) if instance.is_in_union(f));
                let position = node.children().iter().position(has)?;
                walk.time.values.push(i64::try_from(position).ok()?);
                position
            }
            _ => 0,
        };
        node = node.children().get(next)?;
        path.push(next);
    }
}

struct Walk<'a> {
    instance: &'a Instance<'a>,
    sizes: &'a TileSizes,
    time: Time,
    /// The loops over tiles are above.
    is_inside: bool,
}

impl Walk<'_> {
    fn band(&mut self, band: &Band, path: &Path) -> Option<()> {
        let mut has_tiles = false;
        for (member, functions) in band.schedule.members().iter().enumerate() {
            let function = functions.get_named(self.instance.statement)?;
            let (value, divides) = self.value(function, &(path.clone(), member))?;
            let grid = band.grids.get(member).is_some_and(Option::is_some);
            let value = if grid { value - value.rem_euclid(self.sizes.own) } else { value };
            self.time.values.push(value);
            if self.time.outermost == 0 {
                self.time.outermost = self.time.values.len();
            }
            if (divides || grid) && !self.is_inside {
                self.time.tile = self.time.values.len();
                has_tiles = true;
            }
        }
        self.is_inside |= !has_tiles && self.time.tile > 0;
        Some(())
    }

    /// The value of a member, and whether it divides.
    fn value(&self, function: &PwAff, place: &(Path, usize)) -> Option<(i64, bool)> {
        let aff = function.pieces().iter().find(|(domain, _)| self.instance.is_in(domain)).map(|(_, aff)| aff)?;
        let value = self.evaluate(aff, place)?;
        Some((value, !aff.divs().is_empty()))
    }

    /// As [`Aff::eval`], with other divisors.
    fn evaluate(&self, aff: &Aff, place: &(Path, usize)) -> Option<i64> {
        let mut values = vec![Int::ONE];
        values.extend(self.instance.params_of(aff.domain_space())?);
        values.extend(self.instance.exact_point());
        for div in aff.divs() {
            values.push(dot(&div.num, &values).div_floor(&self.sizes.of(place, &div.denom)));
        }
        dot(aff.row(), &values).div_floor(aff.denom()).to_i64()
    }
}

fn dot(row: &[Int], values: &[Int]) -> Int {
    row.iter().zip(values).fold(Int::ZERO, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// The instances of a square in the order of a tree, with their tiles.
    fn check(tree: &str, sizes: impl Fn(&ScheduleTree) -> TileSizes, expect: &Expect) {
        let tree: ScheduleTree = tree.parse().unwrap();
        let params = BTreeMap::from([(Id::new("n"), 4)]);
        let sizes = sizes(&tree);
        let mut found = Vec::new();
        for point in (0..4).flat_map(|i| (0..4).map(move |j| [i, j])) {
            let instance = Instance { statement: "S", point: &point, params: &params };
            found.extend(time(&tree, &instance, &sizes).map(|time| (time, point)));
        }
        found.sort();
        let mut text = String::new();
        let mut last: Option<&[i64]> = None;
        for (time, point) in &found {
            let tile = &time.values[..time.tile];
            if last.is_some_and(|last| last != tile) {
                text.push_str("| ");
            }
            text.push_str(&format!("{}{} ", point[0], point[1]));
            last = Some(tile);
        }
        expect.assert_eq(text.trim_end());
    }

    const TILED: &str = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(floor((i)/32))] }, { S[i, j] -> [(floor((j)/64))] }]"
  child:
    schedule: "[n] -> [{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]"
"#;

    #[test]
    fn tiles_are_real_or_small() {
        check(TILED, |_| TileSizes::real(4), &expect!["00 10 20 30 11 21 31 22 32 33"]);
        check(TILED, |tree| TileSizes::drawn(tree, |_, _| 2), &expect!["00 10 11 | 20 30 21 31 | 22 32 33"]);
    }

    #[test]
    fn nested_tiles_stay_nested() {
        let tree: ScheduleTree = r#"
domain: "{ S[i] : 0 <= i < 100 }"
child:
  schedule: "[{ S[i] -> [(floor((i)/320))] }, { S[i] -> [(floor((i)/16))] }, { S[i] -> [(floor((i)/3))] }]"
"#
        .parse()
        .unwrap();
        let sizes = TileSizes::drawn(&tree, |rank, count| [[9, 0, 0], [2, 6, 0], [4, 5, 6]][count - 1][rank]);
        expect!["3 -> 3, 16 -> 5, 320 -> 6"].assert_eq(
            &sizes.replaced.values().rev().flatten().map(|(a, b)| format!("{a} -> {b}")).collect::<Vec<_>>().join(", "),
        );
        assert_eq!(sizes.replacements().len(), 2);
    }

    #[test]
    fn sequences_and_filters() {
        check(
            r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }"
child:
  sequence:
  - filter: "[n] -> { S[i, j] : i + j >= 5 }"
  - filter: "[n] -> { S[i, j] : i + j <= 1 }"
    child:
      schedule: "[n] -> [{ S[i, j] -> [(-i)] }]"
"#,
            |_| TileSizes::real(4),
            &expect!["23 32 33 10 00 01"],
        );
    }
}
