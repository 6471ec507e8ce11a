//! Bands: groups of consecutive schedule functions.
//!
//! A band orders the instances that reach it lexicographically by its members, each a piecewise
//! quasi-affine function of the instances. It is *permutable* if its members may be interchanged
//! (no dependence has a negative distance in any member, given that those above are equal), and a
//! member is *coincident* if no dependence has a nonzero distance in it: its loop may run in
//! parallel.
//!
//! The operations here transform functions and flags. Whether a transformation is legal follows
//! from the flags where noted; otherwise the caller has to know.

use poly_arith::Int;
use poly_presburger::{Id, MultiUnionPwAff, Tuple, UnionPwAff, UnionSet};

/// How loops are generated for a band member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LoopType {
    /// The generator decides: innermost loops are separated, outer ones are not.
    #[default]
    Default,
    /// One loop for all statements, whatever guards that takes inside.
    Atomic,
    /// One loop for each part of the range in which the same statements run.
    Separate,
    /// No loop, but one copy of the body per value.
    Unroll,
}

/// The name of an isolated part of the schedule space: `[outer] -> [members]`.
pub const ISOLATE: &str = "isolate";

/// The name of a part that is isolated where the values of the outer dimensions are none of the one
/// above; isl does not know it.
pub const ISOLATE_REST: &str = "isolate_rest";

/// A partial schedule with properties of its members.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct Band {
    /// The members: per dimension one function for each statement.
    pub schedule: MultiUnionPwAff,
    /// The members may be interchanged and tiled.
    pub permutable: bool,
    /// Per member: no dependence is carried by it.
    pub coincident: Vec<bool>,
    /// Per member: how to generate loops.
    pub options: Vec<LoopType>,
    /// What isolates a part of the schedule space, in the form of isl's options, under the name
    /// [`ISOLATE`], and what is isolated apart from that part, under [`ISOLATE_REST`]. Kept when a
    /// tree is read and written; operations that change the members drop it.
    pub isolate: Option<Box<UnionSet>>,
    /// Per member: a parameter, at least 1, the multiples of which are the only values of the
    /// member. The value for an instance is that of its function rounded down: the loop is one over
    /// tiles of a size that is known when the program runs.
    pub grids: Vec<Option<Id>>,
}

impl Band {
    /// A band without permutability, coincidence and options.
    pub fn new(schedule: MultiUnionPwAff) -> Band {
        let n = schedule.dim();
        Band {
            schedule,
            permutable: false,
            coincident: vec![false; n],
            options: vec![LoopType::Default; n],
            isolate: None,
            grids: vec![None; n],
        }
    }

    /// A band with its properties; `coincident` has one entry per member.
    pub fn with_properties(schedule: MultiUnionPwAff, permutable: bool, coincident: Vec<bool>) -> Band {
        assert_eq!(coincident.len(), schedule.dim(), "coincidence is given per member");
        Band { permutable, coincident, ..Band::new(schedule) }
    }

    /// The band with loop types; one entry per member.
    pub fn with_options(mut self, options: Vec<LoopType>) -> Band {
        assert_eq!(options.len(), self.n_member(), "loop types are given per member");
        self.options = options;
        self
    }

    /// The band with the same loop type for all members.
    pub fn with_loop_type(self, option: LoopType) -> Band {
        let n = self.n_member();
        self.with_options(vec![option; n])
    }

    /// Number of members.
    pub fn n_member(&self) -> usize {
        self.schedule.dim()
    }

    /// The members given by their numbers, in that order.
    fn select(&self, members: &[usize]) -> Band {
        let functions: Vec<UnionPwAff> = members.iter().map(|&i| self.schedule.get(i).clone()).collect();
        let schedule = if members.is_empty() {
            MultiUnionPwAff::zero_dim_on(Tuple::anonymous(0), self.schedule.domain())
        } else {
            MultiUnionPwAff::new(Tuple::anonymous(members.len()), functions)
        };
        Band {
            schedule,
            permutable: self.permutable,
            coincident: members.iter().map(|&i| self.coincident[i]).collect(),
            options: members.iter().map(|&i| self.options[i]).collect(),
            isolate: None,
            grids: members.iter().map(|&i| self.grids[i].clone()).collect(),
        }
    }

    /// The members before `pos`, and those from `pos` on.
    pub fn split(&self, pos: usize) -> (Band, Band) {
        let n = self.n_member();
        assert!(pos <= n, "a band of {n} members cannot be split at {pos}");
        let all: Vec<usize> = (0..n).collect();
        (self.select(&all[..pos]), self.select(&all[pos..]))
    }

    /// The members in another order: member `i` of the result is member `order[i]`. Legal if the
    /// band is permutable.
    pub fn permute(&self, order: &[usize]) -> Band {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..self.n_member()), "{order:?} is not a permutation of the members");
        self.select(order)
    }

    /// A member taken out: the band without it, and a band of it alone.
    pub fn take_member(&self, member: usize) -> (Band, Band) {
        let rest: Vec<usize> = (0..self.n_member()).filter(|&i| i != member).collect();
        (self.select(&rest), self.select(&[member]))
    }

    /// Tiles of the given sizes: a band over the tiles, `floor(x / size)` per member, generated
    /// atomically, and one over the points of a tile, with the members as they are. Legal if the
    /// band is permutable. A member of size 1 stands in both bands.
    pub fn tile(&self, sizes: &[Int]) -> (Band, Band) {
        assert_eq!(sizes.len(), self.n_member(), "one tile size per member");
        assert!(sizes.iter().all(Int::is_pos), "tile sizes must be positive");
        let schedule = self.schedule.map_members(|i, member| {
            if sizes[i].is_one() { member.clone() } else { member.map_members(|f| f.floor_div(sizes[i].clone())) }
        });
        let tiles = Band { schedule, isolate: None, ..self.clone() }.with_loop_type(LoopType::Atomic);
        (tiles, Band { isolate: None, ..self.clone() })
    }

    /// Tiles of sizes that are parameters, one per member: a band over the first values of the
    /// tiles, `size floor(x / size)` per member, generated atomically, and one over the points of a
    /// tile, with the members as they are. Legal, whatever the sizes are, if the band is
    /// permutable.
    pub fn tile_by_parameters(&self, sizes: &[Id]) -> (Band, Band) {
        assert_eq!(sizes.len(), self.n_member(), "one tile size per member");
        assert!(!self.has_grid(), "members with a grid are tiles already");
        let points = Band { isolate: None, ..self.clone() };
        let grids = sizes.iter().cloned().map(Some).collect();
        (Band { grids, ..points.clone() }.with_loop_type(LoopType::Atomic), points)
    }

    /// Some member has only multiples of a parameter for values.
    pub fn has_grid(&self) -> bool {
        self.grids.iter().any(Option::is_some)
    }

    /// The band followed by another one, as one band; permutable and coincident only if said so
    /// afterwards.
    pub fn concat(&self, inner: &Band) -> Band {
        Band {
            schedule: self.schedule.flat_range_product(&inner.schedule),
            permutable: false,
            coincident: self.coincident.iter().chain(&inner.coincident).copied().collect(),
            options: self.options.iter().chain(&inner.options).copied().collect(),
            isolate: None,
            grids: self.grids.iter().chain(&inner.grids).cloned().collect(),
        }
    }

    /// Replace member `target` by its sum with `factor` times member `source` (skewing). Properties
    /// are kept, the caller adapts them.
    pub fn skew(&self, target: usize, source: usize, factor: &Int) -> Band {
        assert_ne!(target, source, "a member cannot be skewed by itself");
        let scaled = self.schedule.get(source).map_members(|f| f.scale(factor.clone()));
        let schedule = self
            .schedule
            .map_members(|i, member| if i == target { member.add_pointwise(&scaled) } else { member.clone() });
        Band { schedule, isolate: None, ..self.clone() }
    }
}
