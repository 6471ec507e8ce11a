//! Products of relations, and relations between wrapped pairs and their sides.

use poly_arith::Int;

use crate::basic::BasicMap;
use crate::map::Map;
use crate::row;
use crate::set::Set;
use crate::space::{DimKind, Space, Tuple};

impl Map {
    /// All pairs: `[A -> C] -> [B -> D]` for `A -> B` and `C -> D`; for sets, `[A -> B]`.
    pub fn product(&self, other: &Map) -> Map {
        self.lift2(other, self.space.product(&other.space), BasicMap::product)
    }

    /// As [`Map::product`], with flat anonymous tuples.
    pub fn flat_product(&self, other: &Map) -> Map {
        self.lift2(other, self.space.flat_product(&other.space), BasicMap::flat_product)
    }

    /// `A -> [B -> C]` for `A -> B` and `A -> C`.
    pub fn range_product(&self, other: &Map) -> Map {
        self.lift2(other, self.space.range_product(&other.space), BasicMap::range_product)
    }

    /// As [`Map::range_product`], with a flat anonymous range.
    pub fn flat_range_product(&self, other: &Map) -> Map {
        self.lift2(other, self.space.flat_range_product(&other.space), BasicMap::flat_range_product)
    }

    /// `[A -> B] -> C` for `A -> C` and `B -> C`.
    pub fn domain_product(&self, other: &Map) -> Map {
        self.reverse().range_product(&other.reverse()).reverse()
    }

    /// As [`Map::domain_product`], with a flat anonymous domain.
    pub fn flat_domain_product(&self, other: &Map) -> Map {
        self.reverse().flat_range_product(&other.reverse()).reverse()
    }

    /// The relation between equal points of the two tuples of a map space `A -> A`; a set space
    /// `A` stands for `A -> A`.
    pub fn identity(space: &Space) -> Map {
        if space.is_set() {
            return Map::identity(&space.map_from_set());
        }
        Map::from_basic(BasicMap::identity(space))
    }

    /// `[x -> y] -> x` for all `x -> y`.
    pub fn domain_map(&self) -> Map {
        self.side_map(DimKind::In)
    }

    /// `[x -> y] -> y` for all `x -> y`.
    pub fn range_map(&self) -> Map {
        self.side_map(DimKind::Out)
    }

    fn side_map(&self, side: DimKind) -> Map {
        let wrapped = self.wrap();
        let pair = wrapped.space().range.clone().expect("a wrapped map is a set");
        let target = self.space.tuple(side).expect("a map has both tuples").clone();
        let n = target.n();
        let shift = if side == DimKind::In { 0 } else { self.dim(DimKind::In) };
        let mut basic = BasicMap::universe(Space::map(self.space.params.clone(), pair, target));
        for i in 0..n {
            let row = basic.difference_row(DimKind::Out, i, DimKind::In, shift + i);
            basic.add_eq(row);
        }
        Map::from_basic(basic).intersect_domain(&wrapped)
    }

    /// `A -> [B -> C]` of `[A -> B] -> C`.
    pub fn curry(&self) -> Map {
        let (a, b) = self.nested_sides(DimKind::In);
        let c = self.space.range.clone().expect("a map has a range");
        self.with_space(Space::map(self.space.params.clone(), a, Tuple::wrapping(b, c)))
    }

    /// `[A -> B] -> C` of `A -> [B -> C]`.
    pub fn uncurry(&self) -> Map {
        let (b, c) = self.nested_sides(DimKind::Out);
        let a = self.space.domain.clone().expect("a map has a domain");
        self.with_space(Space::map(self.space.params.clone(), Tuple::wrapping(a, b), c))
    }

    /// `[A -> C] -> [B -> D]` of `[A -> B] -> [C -> D]`.
    pub fn zip(&self) -> Map {
        let (a, b) = self.nested_sides(DimKind::In);
        let (c, d) = self.nested_sides(DimKind::Out);
        let (na, nb, nc, nd) = (a.n(), b.n(), c.n(), d.n());
        let space = Space::map(self.space.params.clone(), Tuple::wrapping(a, c), Tuple::wrapping(b, d));
        let base = self.space.offset(DimKind::In);
        let map: Vec<usize> = (0..base)
            .chain(base..base + na)
            .chain((0..nb).map(|i| base + na + nc + i))
            .chain((0..nc).map(|i| base + na + i))
            .chain((0..nd).map(|i| base + na + nc + nb + i))
            .collect();
        let shared = std::sync::Arc::new(space.clone());
        self.lift(space, |basic| basic.relayout_vars(shared.clone(), map.clone()))
    }

    /// The two sides of a wrapped tuple.
    pub(super) fn nested_sides(&self, kind: DimKind) -> (Tuple, Tuple) {
        let nested = self.space.tuple(kind).and_then(|t| t.nested.as_deref());
        nested.cloned().unwrap_or_else(|| panic!("{} wraps no pair there", self.space))
    }

    /// The pairs of the domain factor `A -> B` of `[A -> C] -> [B -> D]`, the rest projected out.
    pub fn factor_domain(&self) -> Map {
        self.factor(true)
    }

    /// The pairs of the range factor `C -> D` of `[A -> C] -> [B -> D]`, the rest projected out.
    pub fn factor_range(&self) -> Map {
        self.factor(false)
    }

    fn factor(&self, first: bool) -> Map {
        let (a, c) = self.nested_sides(DimKind::In);
        let (b, d) = self.nested_sides(DimKind::Out);
        let cut = |kind, (x, y): (&Tuple, &Tuple), map: Map| {
            if first { map.project_out(kind, x.n(), y.n()) } else { map.project_out(kind, 0, x.n()) }
        };
        let map = cut(DimKind::In, (&a, &c), self.clone());
        let map = cut(DimKind::Out, (&b, &d), map);
        let (dom, ran) = if first { (a, b) } else { (c, d) };
        map.with_space(Space::map(map.space.params.clone(), dom, ran))
    }

    /// The relation as a relation between a set of pairs: `A -> B` becomes `{ [A -> B] }` over a
    /// flat anonymous tuple.
    pub fn flat_wrap(&self) -> Set {
        let wrapped = self.wrap();
        let tuple = wrapped.space().range.as_ref().expect("a wrapped map is a set").flattened();
        wrapped.set_tuple(tuple)
    }

    /// The relation `x -> x + offset` over a set space.
    pub fn translation(space: &Space, offset: &[Int]) -> Map {
        let mut basic = BasicMap::universe(space.map_from_set());
        assert_eq!(offset.len(), space.dim(DimKind::Out), "one offset per dimension of {space}");
        for (i, by) in offset.iter().enumerate() {
            let mut r = row::zeros(basic.n_col());
            r[0] = by.clone();
            r[basic.column(DimKind::In, i)] = Int::ONE;
            r[basic.column(DimKind::Out, i)] = Int::NEG_ONE;
            basic.add_eq(r);
        }
        Map::from_basic(basic.normalized())
    }
}
