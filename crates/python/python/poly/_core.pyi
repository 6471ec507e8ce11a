"""What the classes of `poly` offer. A test compares this file with them."""

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar, final

@final
class dim_type:
    """Which dimensions are meant. The dimensions of a set are `set`, another name for `out`."""

    param: ClassVar[dim_type]
    in_: ClassVar[dim_type]
    out: ClassVar[dim_type]
    set: ClassVar[dim_type]
    div: ClassVar[dim_type]

@final
class Space:
    """The parameters and tuples of a set or relation."""

    @staticmethod
    def create_from_names(
        *,
        set: list[str] | None = None,
        in_: list[str] | None = None,
        out: list[str] | None = None,
        params: list[str] = [],
    ) -> Space:
        """The space of sets with these dimensions, or of relations between `in_` and `out`."""
    def dim(self, type: dim_type) -> int:
        """Number of dimensions of a kind."""
    def get_dim_name(self, type: dim_type, pos: int) -> str | None:
        """The name of a dimension, if it has one."""
    def get_var_names(self, type: dim_type) -> list[str | None]:
        """The names of all dimensions of a kind."""
    def get_tuple_name(self, type: dim_type) -> str | None:
        """The name of a tuple, if it has one."""
    def is_params(self) -> bool:
        """Whether this is the space of parameter sets."""
    def is_set(self) -> bool:
        """Whether this is the space of sets."""
    def is_map(self) -> bool:
        """Whether this is the space of relations."""
    def is_wrapping(self) -> bool:
        """Whether this is the space of sets of pairs."""
    def domain(self) -> Space:
        """The space of the domain of a relation."""
    def range(self) -> Space:
        """The space of the range of a relation."""
    def params(self) -> Space:
        """The space of the parameters."""
    def reverse(self) -> Space:
        """The space with domain and range exchanged."""
    def map_from_set(self) -> Space:
        """The space of the relations of a set with itself."""

@final
class Point:
    """An integer point of a space of sets, with values of the parameters."""

    def get_space(self) -> Space:
        """The space."""
    def get_coordinate_val(self, type: dim_type, pos: int) -> int:
        """The value of a parameter or dimension."""
    @property
    def coordinates(self) -> tuple[int, ...]:
        """The values of the dimensions."""
    @property
    def parameters(self) -> dict[str, int]:
        """The values of the parameters by name."""
    def to_set(self) -> Set:
        """The set of the point alone."""

class Set:
    """A set of integer tuples in one space: a union of basic sets."""

    def __init__(self, value: str | Set) -> None:
        """Reads a text in isl's syntax, or takes over a smaller value."""
    @staticmethod
    def read_from_str(text: str) -> Set:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __le__(self, other: Set) -> bool: ...
    def __lt__(self, other: Set) -> bool: ...
    def __ge__(self, other: Set) -> bool: ...
    def __gt__(self, other: Set) -> bool: ...
    @staticmethod
    def empty(space: Space) -> Set:
        """The set without points."""
    @staticmethod
    def universe(space: Space) -> Set:
        """The set of all points."""
    def get_space(self) -> Space:
        """The space."""
    @property
    def space(self) -> Space:
        """The space."""
    def dim(self, type: dim_type) -> int:
        """Number of dimensions of a kind."""
    def get_dim_name(self, type: dim_type, pos: int) -> str | None:
        """The name of a dimension, if it has one."""
    def get_var_names(self, type: dim_type) -> list[str | None]:
        """The names of all dimensions of a kind."""
    def get_tuple_name(self) -> str | None:
        """The name of the tuple, if it has one."""
    def get_basic_sets(self) -> list[BasicSet]:
        """The basic sets whose union this is."""
    def foreach_basic_set(self, callback: Callable[[BasicSet], object]) -> None:
        """Calls a function with each basic set."""
    def n_basic_set(self) -> int:
        """Number of basic sets."""
    def get_points(self) -> list[Point]:
        """All points, in lexicographic order; parameters count as dimensions before the others."""
    def foreach_point(self, callback: Callable[[Point], object]) -> None:
        """Calls a function with each point, in lexicographic order."""
    def _repr_svg_(self) -> str | None:
        """A picture, for notebooks; `None` for sets of more than three dimensions."""
    def __and__(self, other: Set) -> Set: ...
    def __or__(self, other: Set) -> Set: ...
    def __sub__(self, other: Set) -> Set: ...
    def __contains__(self, point: Point) -> bool: ...
    def intersect(self, other: Set) -> Set:
        """The points in both."""
    def union(self, other: Set) -> Set:
        """All points of either."""
    def subtract(self, other: Set) -> Set:
        """The points here that are not in `other`."""
    def complement(self) -> Set:
        """All other points of the space."""
    def is_empty(self) -> bool:
        """Whether there is no point."""
    def plain_is_empty(self) -> bool:
        """Whether there is no disjunct."""
    def plain_is_universe(self) -> bool:
        """Whether there is a disjunct without constraints."""
    def is_equal(self, other: Set) -> bool:
        """Whether both have the same points; sets in different spaces have not."""
    def is_subset(self, other: Set) -> bool:
        """Whether every point is in `other`."""
    def is_strict_subset(self, other: Set) -> bool:
        """Whether every point is in `other`, which has more."""
    def is_disjoint(self, other: Set) -> bool:
        """Whether no point is in both."""
    def is_bounded(self) -> bool:
        """Whether for any fixed parameter values there are finitely many points."""
    def coalesce(self) -> Set:
        """The same set in as few basic sets as are found."""
    def remove_redundancies(self) -> Set:
        """The same set without constraints that the others imply."""
    def detect_equalities(self) -> Set:
        """The same set with the equalities that inequalities imply."""
    def make_disjoint(self) -> Set:
        """The same set in basic sets that have no point in common."""
    def compute_divs(self) -> Set:
        """The same set with a definition for each existential dimension."""
    def gist(self, context: Set) -> Set:
        """A simpler set with the same points inside of the context."""
    def gist_params(self, context: Set) -> Set:
        """A simpler set with the same points for the parameter values of the context."""
    def sample(self) -> BasicSet:
        """A basic set with one of the points, or none if there is none."""
    def sample_point(self) -> Point | None:
        """One of the points, or `None` if there is none."""
    def lexmin(self) -> Set:
        """The lexicographically smallest point for each value of the parameters."""
    def lexmax(self) -> Set:
        """The lexicographically largest point for each value of the parameters."""
    def lexmin_pw_multi_aff(self) -> PwMultiAff:
        """The lexicographically smallest point as a function of the parameters."""
    def lexmax_pw_multi_aff(self) -> PwMultiAff:
        """The lexicographically largest point as a function of the parameters."""
    def dim_min(self, pos: int) -> PwAff:
        """The smallest value of a dimension as a function of the parameters."""
    def dim_max(self, pos: int) -> PwAff:
        """The largest value of a dimension as a function of the parameters."""
    def card(self) -> PwQPolynomial:
        """The number of points as a function of the parameters."""
    def count_val(self) -> int:
        """The number of points for all values of the parameters together."""
    def apply(self, map: Map) -> Set:
        """The images of the points."""
    def project_out(self, type: dim_type, first: int, n: int) -> Set:
        """The set without `n` of its dimensions: there are values for them."""
    def params(self) -> Set:
        """The parameter values for which there is a point."""
    def intersect_params(self, params: Set) -> Set:
        """The part for the parameter values of a set of them."""
    def identity(self) -> Map:
        """Each point, related to itself."""
    def unwrap(self) -> Map:
        """The relation of which this is the set of pairs."""
    def flatten(self) -> Set:
        """The same set in a tuple without name and structure."""
    def product(self, other: Set) -> Set:
        """The set of pairs of a point here and one in `other`."""
    def flat_product(self, other: Set) -> Set:
        """The set of points here followed by points in `other`."""
    def align_params(self, model: Space) -> Set:
        """The same set over its parameters and those of another space."""
    def drop_unused_params(self) -> Set:
        """The same set without parameters that nothing depends on."""
    def set_tuple_name(self, name: str | None) -> Set:
        """The same set with another name for its tuple, or none."""
    def set_dim_name(self, type: dim_type, pos: int, name: str) -> Set:
        """The same set with another name for a dimension."""
    def fix_val(self, type: dim_type, pos: int, value: int) -> Set:
        """The part where a dimension has a value."""
    def lower_bound_val(self, type: dim_type, pos: int, value: int) -> Set:
        """The part where a dimension is at least a value."""
    def upper_bound_val(self, type: dim_type, pos: int, value: int) -> Set:
        """The part where a dimension is at most a value."""
    def equate(self, type1: dim_type, pos1: int, type2: dim_type, pos2: int) -> Set:
        """The part where two dimensions are equal."""
    def add_dims(self, type: dim_type, n: int) -> Set:
        """The set with `n` dimensions more at the end, of any value."""
    def insert_dims(self, type: dim_type, pos: int, n: int) -> Set:
        """The set with `n` dimensions more before one of its own, of any value."""
    def involves_dims(self, type: dim_type, first: int, n: int) -> bool:
        """Whether a constraint uses one of the dimensions."""
    def drop_constraints_involving_dims(self, type: dim_type, first: int, n: int) -> Set:
        """A larger set: without the constraints that use one of the dimensions."""
    def affine_hull(self) -> BasicSet:
        """The smallest affine lattice around the points."""
    def convex_hull(self) -> BasicSet:
        """The smallest convex polyhedron around the rational points of all basic sets."""
    def simple_hull(self) -> BasicSet:
        """A basic set around all, of translated constraints of theirs."""
    def unshifted_simple_hull(self) -> BasicSet:
        """A basic set around all, of constraints of theirs."""
    def box_hull(self) -> BasicSet:
        """The smallest box with constant bounds around the rational points."""
    def lex_lt_set(self, other: Set) -> Map:
        """The pairs of a point here and a lexicographically larger one in `other`."""
    def lex_le_set(self, other: Set) -> Map:
        """The pairs of a point here and an equal or lexicographically larger one in `other`."""
    def lex_gt_set(self, other: Set) -> Map:
        """The pairs of a point here and a lexicographically smaller one in `other`."""
    def lex_ge_set(self, other: Set) -> Map:
        """The pairs of a point here and an equal or lexicographically smaller one in `other`."""
    def get_stride(self, pos: int) -> int:
        """By how much the values of a dimension differ at least: the greatest common divisor of all
        differences.
        """

class Map:
    """A relation between integer tuples of two spaces: a union of basic relations."""

    def __init__(self, value: str | Map) -> None:
        """Reads a text in isl's syntax, or takes over a smaller value."""
    @staticmethod
    def read_from_str(text: str) -> Map:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __le__(self, other: Map) -> bool: ...
    def __lt__(self, other: Map) -> bool: ...
    def __ge__(self, other: Map) -> bool: ...
    def __gt__(self, other: Map) -> bool: ...
    @staticmethod
    def empty(space: Space) -> Map:
        """The relation without pairs."""
    @staticmethod
    def universe(space: Space) -> Map:
        """The relation of all pairs."""
    @staticmethod
    def identity(space: Space) -> Map:
        """Each element, related to itself."""
    @staticmethod
    def from_domain_and_range(domain: Set, range: Set) -> Map:
        """From every point of one set to every point of another one."""
    @staticmethod
    def lex_lt(set_space: Space) -> Map:
        """From each point of a space of sets to the lexicographically larger ones."""
    @staticmethod
    def lex_le(set_space: Space) -> Map:
        """From each point of a space of sets to itself and the lexicographically larger ones."""
    @staticmethod
    def lex_gt(set_space: Space) -> Map:
        """From each point of a space of sets to the lexicographically smaller ones."""
    @staticmethod
    def lex_ge(set_space: Space) -> Map:
        """From each point of a space of sets to itself and the lexicographically smaller ones."""
    def get_space(self) -> Space:
        """The space."""
    @property
    def space(self) -> Space:
        """The space."""
    def dim(self, type: dim_type) -> int:
        """Number of dimensions of a kind."""
    def get_dim_name(self, type: dim_type, pos: int) -> str | None:
        """The name of a dimension, if it has one."""
    def get_var_names(self, type: dim_type) -> list[str | None]:
        """The names of all dimensions of a kind."""
    def get_tuple_name(self, type: dim_type) -> str | None:
        """The name of a tuple, if it has one."""
    def get_basic_maps(self) -> list[BasicMap]:
        """The basic relations whose union this is."""
    def foreach_basic_map(self, callback: Callable[[BasicMap], object]) -> None:
        """Calls a function with each basic relation."""
    def n_basic_map(self) -> int:
        """Number of basic relations."""
    def transitive_closure(self) -> tuple[Map, bool]:
        """The pairs that one or more steps connect, and whether they are exact; if not, there may be
        too many.
        """
    def power(self) -> tuple[Map, bool]:
        """`[k] -> [x -> y]` for all pairs that `k` steps connect, `k` from 1 on, and whether that is
        exact.
        """
    def reaching_path_lengths(self) -> tuple[Set, bool]:
        """The numbers of steps that connect some pair, and whether they are exact."""
    def _repr_svg_(self) -> str | None:
        """A picture, for notebooks; `None` for relations between tuples of more than two dimensions,
        or three if they are of one space.
        """
    def __and__(self, other: Map) -> Map: ...
    def __or__(self, other: Map) -> Map: ...
    def __sub__(self, other: Map) -> Map: ...
    def intersect(self, other: Map) -> Map:
        """The pairs in both."""
    def union(self, other: Map) -> Map:
        """All pairs of either."""
    def subtract(self, other: Map) -> Map:
        """The pairs here that are not in `other`."""
    def complement(self) -> Map:
        """All other pairs of the space."""
    def is_empty(self) -> bool:
        """Whether there is no pair."""
    def plain_is_empty(self) -> bool:
        """Whether there is no disjunct."""
    def plain_is_universe(self) -> bool:
        """Whether there is a disjunct without constraints."""
    def is_equal(self, other: Map) -> bool:
        """Whether both have the same pairs; relations in different spaces have not."""
    def is_subset(self, other: Map) -> bool:
        """Whether every pair is in `other`."""
    def is_strict_subset(self, other: Map) -> bool:
        """Whether every pair is in `other`, which has more."""
    def is_disjoint(self, other: Map) -> bool:
        """Whether no pair is in both."""
    def is_single_valued(self) -> bool:
        """Whether no element of the domain has two images."""
    def is_injective(self) -> bool:
        """Whether no two elements of the domain share an image."""
    def is_bijective(self) -> bool:
        """Whether it is single-valued and injective."""
    def is_bounded(self) -> bool:
        """Whether for any fixed parameter values there are finitely many pairs."""
    def reverse(self) -> Map:
        """Domain and range exchanged."""
    def domain(self) -> Set:
        """The elements that are related to something."""
    def range(self) -> Set:
        """The elements that something is related to."""
    def params(self) -> Set:
        """The parameter values for which there is a pair."""
    def apply_range(self, other: Map) -> Map:
        """`x -> z` for `x -> y` here and `y -> z` in `other`."""
    def apply_domain(self, other: Map) -> Map:
        """`y -> z` for `x -> z` here and `x -> y` in `other`."""
    def intersect_domain(self, set: Set) -> Map:
        """The part whose domain is in a set."""
    def intersect_range(self, set: Set) -> Map:
        """The part whose range is in a set."""
    def intersect_params(self, params: Set) -> Map:
        """The part for the parameter values of a set of them."""
    def subtract_domain(self, set: Set) -> Map:
        """The part whose domain is outside of a set."""
    def subtract_range(self, set: Set) -> Map:
        """The part whose range is outside of a set."""
    def gist(self, context: Map) -> Map:
        """A simpler relation with the same pairs inside of the context."""
    def gist_domain(self, context: Set) -> Map:
        """A simpler relation with the same pairs for the domain of the context."""
    def gist_range(self, context: Set) -> Map:
        """A simpler relation with the same pairs for the range of the context."""
    def gist_params(self, context: Set) -> Map:
        """A simpler relation with the same pairs for the parameter values of the context."""
    def deltas(self) -> Set:
        """The differences `y - x` of all `x -> y`."""
    def deltas_map(self) -> Map:
        """`[x -> y] -> y - x` for all `x -> y`."""
    def fixed_power_val(self, exponent: int) -> Map:
        """The pairs that exactly so many steps connect; a negative number goes backwards."""
    def wrap(self) -> Set:
        """The set of pairs."""
    def domain_map(self) -> Map:
        """`[x -> y] -> x` for all `x -> y`."""
    def range_map(self) -> Map:
        """`[x -> y] -> y` for all `x -> y`."""
    def curry(self) -> Map:
        """`A -> [B -> C]` of `[A -> B] -> C`."""
    def uncurry(self) -> Map:
        """`[A -> B] -> C` of `A -> [B -> C]`."""
    def zip(self) -> Map:
        """`[A -> C] -> [B -> D]` of `[A -> B] -> [C -> D]`."""
    def range_factor_domain(self) -> Map:
        """`A -> B` of `A -> [B -> C]`."""
    def range_factor_range(self) -> Map:
        """`A -> C` of `A -> [B -> C]`."""
    def domain_factor_domain(self) -> Map:
        """`A -> C` of `[A -> B] -> C`."""
    def domain_factor_range(self) -> Map:
        """`B -> C` of `[A -> B] -> C`."""
    def product(self, other: Map) -> Map:
        """`[A -> C] -> [B -> D]` of `A -> B` and `C -> D`."""
    def flat_product(self, other: Map) -> Map:
        """The same with tuples that are not pairs."""
    def range_product(self, other: Map) -> Map:
        """`A -> [B -> C]` of `A -> B` and `A -> C`."""
    def flat_range_product(self, other: Map) -> Map:
        """The same with a tuple that is no pair."""
    def domain_product(self, other: Map) -> Map:
        """`[A -> B] -> C` of `A -> C` and `B -> C`."""
    def coalesce(self) -> Map:
        """The same relation in as few basic relations as are found."""
    def remove_redundancies(self) -> Map:
        """The same relation without constraints that the others imply."""
    def detect_equalities(self) -> Map:
        """The same relation with the equalities that inequalities imply."""
    def make_disjoint(self) -> Map:
        """The same relation in basic relations that have no pair in common."""
    def compute_divs(self) -> Map:
        """The same relation with a definition for each existential dimension."""
    def lexmin(self) -> Map:
        """The lexicographically smallest image of each element of the domain."""
    def lexmax(self) -> Map:
        """The lexicographically largest image of each element of the domain."""
    def lexmin_pw_multi_aff(self) -> PwMultiAff:
        """The lexicographically smallest image as a function of parameters and domain."""
    def lexmax_pw_multi_aff(self) -> PwMultiAff:
        """The lexicographically largest image as a function of parameters and domain."""
    def dim_min(self, pos: int) -> PwAff:
        """The smallest value of a dimension of the images of each element."""
    def dim_max(self, pos: int) -> PwAff:
        """The largest value of a dimension of the images of each element."""
    def sample(self) -> BasicMap:
        """A basic relation with one of the pairs, or none if there is none."""
    def card(self) -> PwQPolynomial:
        """The number of images as a function of parameters and domain."""
    def project_out(self, type: dim_type, first: int, n: int) -> Map:
        """The relation without `n` of its dimensions: there are values for them."""
    def align_params(self, model: Space) -> Map:
        """The same relation over its parameters and those of another space."""
    def drop_unused_params(self) -> Map:
        """The same relation without parameters that nothing depends on."""
    def set_tuple_name(self, type: dim_type, name: str | None) -> Map:
        """The same relation with another name for a tuple, or none."""
    def set_dim_name(self, type: dim_type, pos: int, name: str) -> Map:
        """The same relation with another name for a dimension."""
    def fix_val(self, type: dim_type, pos: int, value: int) -> Map:
        """The part where a dimension has a value."""
    def lower_bound_val(self, type: dim_type, pos: int, value: int) -> Map:
        """The part where a dimension is at least a value."""
    def upper_bound_val(self, type: dim_type, pos: int, value: int) -> Map:
        """The part where a dimension is at most a value."""
    def equate(self, type1: dim_type, pos1: int, type2: dim_type, pos2: int) -> Map:
        """The part where two dimensions are equal."""
    def order_ge(self, type1: dim_type, pos1: int, type2: dim_type, pos2: int) -> Map:
        """The part where the first dimension is at least the second."""
    def order_gt(self, type1: dim_type, pos1: int, type2: dim_type, pos2: int) -> Map:
        """The part where the first dimension is greater than the second."""
    def add_dims(self, type: dim_type, n: int) -> Map:
        """The relation with `n` dimensions more at the end of a tuple, of any value."""
    def insert_dims(self, type: dim_type, pos: int, n: int) -> Map:
        """The relation with `n` dimensions more before one of its own, of any value."""
    def involves_dims(self, type: dim_type, first: int, n: int) -> bool:
        """Whether a constraint uses one of the dimensions."""
    def affine_hull(self) -> BasicMap:
        """The smallest affine lattice around the pairs."""
    def convex_hull(self) -> BasicMap:
        """The smallest convex polyhedron around the rational points of all basic relations."""
    def simple_hull(self) -> BasicMap:
        """A basic relation around all, of translated constraints of theirs."""
    def lex_lt_map(self, other: Map) -> Map:
        """The pairs of `x` here and `y` in `other` with an image of `x` before one of `y`."""
    def lex_le_map(self, other: Map) -> Map:
        """The pairs of `x` here and `y` in `other` with an image of `x` before one of `y`, or equal to it."""
    def lex_gt_map(self, other: Map) -> Map:
        """The pairs of `x` here and `y` in `other` with an image of `x` after one of `y`."""
    def lex_ge_map(self, other: Map) -> Map:
        """The pairs of `x` here and `y` in `other` with an image of `x` after one of `y`, or equal to it."""
    def as_pw_multi_aff(self) -> PwMultiAff:
        """The function of which a single-valued relation is the graph."""

@final
class UnionSet:
    """A union of sets in several spaces."""

    def __init__(self, value: str | UnionSet | Set) -> None:
        """Reads a text in isl's syntax, or takes over a smaller value."""
    @staticmethod
    def read_from_str(text: str) -> UnionSet:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __le__(self, other: UnionSet | Set) -> bool: ...
    def __lt__(self, other: UnionSet | Set) -> bool: ...
    def __ge__(self, other: UnionSet | Set) -> bool: ...
    def __gt__(self, other: UnionSet | Set) -> bool: ...
    def get_space(self) -> Space:
        """The space of the parameters."""
    def get_sets(self) -> list[Set]:
        """The sets, one for each space."""
    def foreach_set(self, callback: Callable[[Set], object]) -> None:
        """Calls a function with the set of each space."""
    def n_set(self) -> int:
        """Number of spaces."""
    def extract_set(self, space: Space) -> Set:
        """The part in a space."""
    def __and__(self, other: UnionSet | Set) -> UnionSet: ...
    def __rand__(self, other: UnionSet | Set) -> UnionSet: ...
    def __or__(self, other: UnionSet | Set) -> UnionSet: ...
    def __ror__(self, other: UnionSet | Set) -> UnionSet: ...
    def __sub__(self, other: UnionSet | Set) -> UnionSet: ...
    def __rsub__(self, other: UnionSet | Set) -> UnionSet: ...
    def intersect(self, other: UnionSet | Set) -> UnionSet:
        """The points in both."""
    def union(self, other: UnionSet | Set) -> UnionSet:
        """All points of either."""
    def subtract(self, other: UnionSet | Set) -> UnionSet:
        """The points here that are not in `other`."""
    def is_empty(self) -> bool:
        """Whether there is no point."""
    def is_equal(self, other: UnionSet | Set) -> bool:
        """Whether both have the same points."""
    def is_subset(self, other: UnionSet | Set) -> bool:
        """Whether every point is in `other`."""
    def is_strict_subset(self, other: UnionSet | Set) -> bool:
        """Whether every point is in `other`, which has more."""
    def is_disjoint(self, other: UnionSet | Set) -> bool:
        """Whether no point is in both."""
    def coalesce(self) -> UnionSet:
        """The same points in as few basic sets as are found."""
    def gist(self, context: UnionSet | Set) -> UnionSet:
        """A simpler union with the same points inside of the context."""
    def gist_params(self, context: Set) -> UnionSet:
        """A simpler union with the same points for the parameter values of the context."""
    def apply(self, map: UnionMap | Map) -> UnionSet:
        """The images of the points."""
    def identity(self) -> UnionMap:
        """Each point, related to itself."""
    def unwrap(self) -> UnionMap:
        """The relations of which members are sets of pairs."""
    def universe(self) -> UnionSet:
        """All points of the spaces."""
    def params(self) -> Set:
        """The parameter values for which there is a point."""
    def intersect_params(self, params: Set) -> UnionSet:
        """The part for the parameter values of a set of them."""
    def project_out_param(self, name: str) -> UnionSet:
        """The union without a parameter: there is a value for it."""
    def lexmin(self) -> UnionSet:
        """The lexicographically smallest point of each space."""
    def lexmax(self) -> UnionSet:
        """The lexicographically largest point of each space."""
    def sample_point(self) -> Point | None:
        """One of the points, or `None` if there is none."""
    def card(self) -> PwQPolynomial:
        """The number of points of all spaces together, as a function of the parameters."""
    def to_union_map(self, range: UnionSet | Set) -> UnionMap:
        """From every point to every point of another union."""
    def lex_lt_union_set(self, other: UnionSet | Set) -> UnionMap:
        """The pairs of a point here and a lexicographically larger one in `other`."""
    def lex_le_union_set(self, other: UnionSet | Set) -> UnionMap:
        """The pairs of a point here and an equal or lexicographically larger one in `other`."""
    def lex_gt_union_set(self, other: UnionSet | Set) -> UnionMap:
        """The pairs of a point here and a lexicographically smaller one in `other`."""
    def lex_ge_union_set(self, other: UnionSet | Set) -> UnionMap:
        """The pairs of a point here and an equal or lexicographically smaller one in `other`."""
    def box_hull(self) -> UnionSet:
        """A box with constant bounds around the points of each space."""
    def affine_hull(self) -> UnionSet:
        """The smallest affine lattice around the points of each space."""
    def align_params(self, model: Space) -> UnionSet:
        """The same union over its parameters and those of another space."""

@final
class UnionMap:
    """A union of relations in several spaces."""

    def __init__(self, value: str | UnionMap | Map) -> None:
        """Reads a text in isl's syntax, or takes over a smaller value."""
    @staticmethod
    def read_from_str(text: str) -> UnionMap:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __le__(self, other: UnionMap | Map) -> bool: ...
    def __lt__(self, other: UnionMap | Map) -> bool: ...
    def __ge__(self, other: UnionMap | Map) -> bool: ...
    def __gt__(self, other: UnionMap | Map) -> bool: ...
    def get_space(self) -> Space:
        """The space of the parameters."""
    def get_maps(self) -> list[Map]:
        """The relations, one for each space."""
    def foreach_map(self, callback: Callable[[Map], object]) -> None:
        """Calls a function with the relation of each space."""
    def n_map(self) -> int:
        """Number of spaces."""
    def extract_map(self, space: Space) -> Map:
        """The part in a space."""
    def transitive_closure(self) -> tuple[UnionMap, bool]:
        """The pairs that one or more steps connect, and whether they are exact; if not, there may be
        too many.
        """
    def card(self) -> list[PwQPolynomial]:
        """The number of images as functions of parameters and domain, one for each space of domains."""
    def __and__(self, other: UnionMap | Map) -> UnionMap: ...
    def __rand__(self, other: UnionMap | Map) -> UnionMap: ...
    def __or__(self, other: UnionMap | Map) -> UnionMap: ...
    def __ror__(self, other: UnionMap | Map) -> UnionMap: ...
    def __sub__(self, other: UnionMap | Map) -> UnionMap: ...
    def __rsub__(self, other: UnionMap | Map) -> UnionMap: ...
    def intersect(self, other: UnionMap | Map) -> UnionMap:
        """The pairs in both."""
    def union(self, other: UnionMap | Map) -> UnionMap:
        """All pairs of either."""
    def subtract(self, other: UnionMap | Map) -> UnionMap:
        """The pairs here that are not in `other`."""
    def is_empty(self) -> bool:
        """Whether there is no pair."""
    def is_equal(self, other: UnionMap | Map) -> bool:
        """Whether both have the same pairs."""
    def is_subset(self, other: UnionMap | Map) -> bool:
        """Whether every pair is in `other`."""
    def is_strict_subset(self, other: UnionMap | Map) -> bool:
        """Whether every pair is in `other`, which has more."""
    def is_disjoint(self, other: UnionMap | Map) -> bool:
        """Whether no pair is in both."""
    def is_single_valued(self) -> bool:
        """Whether no element of the domain has two images."""
    def is_injective(self) -> bool:
        """Whether no two elements of the domain share an image."""
    def is_bijective(self) -> bool:
        """Whether it is single-valued and injective."""
    def reverse(self) -> UnionMap:
        """Domain and range exchanged."""
    def domain(self) -> UnionSet:
        """The elements that are related to something."""
    def range(self) -> UnionSet:
        """The elements that something is related to."""
    def params(self) -> Set:
        """The parameter values for which there is a pair."""
    def apply_range(self, other: UnionMap | Map) -> UnionMap:
        """`x -> z` for `x -> y` here and `y -> z` in `other`."""
    def apply_domain(self, other: UnionMap | Map) -> UnionMap:
        """`y -> z` for `x -> z` here and `x -> y` in `other`."""
    def intersect_domain(self, set: UnionSet | Set) -> UnionMap:
        """The part whose domain is in a set."""
    def intersect_range(self, set: UnionSet | Set) -> UnionMap:
        """The part whose range is in a set."""
    def intersect_params(self, params: Set) -> UnionMap:
        """The part for the parameter values of a set of them."""
    def subtract_domain(self, set: UnionSet | Set) -> UnionMap:
        """The part whose domain is outside of a set."""
    def subtract_range(self, set: UnionSet | Set) -> UnionMap:
        """The part whose range is outside of a set."""
    def gist(self, context: UnionMap | Map) -> UnionMap:
        """A simpler union with the same pairs inside of the context."""
    def gist_domain(self, context: UnionSet | Set) -> UnionMap:
        """A simpler union with the same pairs for the domain of the context."""
    def gist_range(self, context: UnionSet | Set) -> UnionMap:
        """A simpler union with the same pairs for the range of the context."""
    def gist_params(self, context: Set) -> UnionMap:
        """A simpler union with the same pairs for the parameter values of the context."""
    def deltas(self) -> UnionSet:
        """The differences `y - x` of all `x -> y` in one space."""
    def deltas_map(self) -> UnionMap:
        """`[x -> y] -> y - x` for all `x -> y` in one space."""
    def wrap(self) -> UnionSet:
        """The set of pairs."""
    def domain_map(self) -> UnionMap:
        """`[x -> y] -> x` for all `x -> y`."""
    def range_map(self) -> UnionMap:
        """`[x -> y] -> y` for all `x -> y`."""
    def curry(self) -> UnionMap:
        """`A -> [B -> C]` of the members `[A -> B] -> C`."""
    def uncurry(self) -> UnionMap:
        """`[A -> B] -> C` of the members `A -> [B -> C]`."""
    def zip(self) -> UnionMap:
        """`[A -> C] -> [B -> D]` of the members `[A -> B] -> [C -> D]`."""
    def product(self, other: UnionMap | Map) -> UnionMap:
        """`[A -> C] -> [B -> D]` of `A -> B` and `C -> D`."""
    def range_product(self, other: UnionMap | Map) -> UnionMap:
        """`A -> [B -> C]` of `A -> B` and `A -> C`."""
    def flat_range_product(self, other: UnionMap | Map) -> UnionMap:
        """The same with a tuple that is no pair."""
    def domain_product(self, other: UnionMap | Map) -> UnionMap:
        """`[A -> B] -> C` of `A -> C` and `B -> C`."""
    def range_factor_domain(self) -> UnionMap:
        """`A -> B` of the members `A -> [B -> C]`."""
    def range_factor_range(self) -> UnionMap:
        """`A -> C` of the members `A -> [B -> C]`."""
    def domain_factor_domain(self) -> UnionMap:
        """`A -> C` of the members `[A -> B] -> C`."""
    def domain_factor_range(self) -> UnionMap:
        """`B -> C` of the members `[A -> B] -> C`."""
    def universe(self) -> UnionMap:
        """All pairs of the spaces."""
    def coalesce(self) -> UnionMap:
        """The same pairs in as few basic relations as are found."""
    def compute_divs(self) -> UnionMap:
        """The same pairs with a definition for each existential dimension."""
    def lexmin(self) -> UnionMap:
        """The lexicographically smallest image of each element, for each space of images."""
    def lexmax(self) -> UnionMap:
        """The lexicographically largest image of each element, for each space of images."""
    def project_out_param(self, name: str) -> UnionMap:
        """The union without a parameter: there is a value for it."""
    def affine_hull(self) -> UnionMap:
        """The smallest affine lattice around the pairs of each space."""
    def align_params(self, model: Space) -> UnionMap:
        """The same union over its parameters and those of another space."""

@final
class BasicSet(Set):
    """A set of integer tuples that one conjunction of affine constraints describes."""

    def __init__(self, text: str) -> None:
        """Reads a text in isl's syntax."""
    @staticmethod
    def read_from_str(text: str) -> BasicSet:
        """Reads a text in isl's syntax."""
    def get_constraints(self) -> list[Constraint]:
        """The constraints, without those that define integer divisions."""
    def foreach_constraint(self, callback: Callable[[Constraint], object]) -> None:
        """Calls a function with each constraint."""
    def n_div(self) -> int:
        """Number of integer divisions."""
    def to_set(self) -> Set:
        """The same as a set."""

@final
class BasicMap(Map):
    """A relation that one conjunction of affine constraints describes."""

    def __init__(self, text: str) -> None:
        """Reads a text in isl's syntax."""
    @staticmethod
    def read_from_str(text: str) -> BasicMap:
        """Reads a text in isl's syntax."""
    def get_constraints(self) -> list[Constraint]:
        """The constraints, without those that define integer divisions."""
    def foreach_constraint(self, callback: Callable[[Constraint], object]) -> None:
        """Calls a function with each constraint."""
    def n_div(self) -> int:
        """Number of integer divisions."""
    def to_map(self) -> Map:
        """The same as a relation."""

@final
class Constraint:
    """An affine constraint: an expression that is zero, or not negative."""

    def is_equality(self) -> bool:
        """Whether the expression is zero; otherwise it is not negative."""
    def get_constant_val(self) -> int:
        """The constant of the expression."""
    def get_coefficient_val(self, type: dim_type, pos: int) -> int:
        """The factor of a dimension in the expression."""
    def get_coefficients_by_name(self) -> dict[str | int, int]:
        """The factors other than zero of the dimensions that have names, and the constant under the key 1."""
    def get_space(self) -> Space:
        """The space."""

@final
class PwAff:
    """A piecewise quasi-affine function."""

    def __init__(self, text: str) -> None:
        """Reads a text in isl's syntax."""
    @staticmethod
    def read_from_str(text: str) -> PwAff:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    def get_domain_space(self) -> Space:
        """The space of the domain."""
    def domain(self) -> Set:
        """Where it is defined."""
    def n_piece(self) -> int:
        """Number of pieces."""
    def get_pieces(self) -> list[tuple[Set, PwAff]]:
        """The pieces: parts of the domain, with the function on each."""
    def __call__(self, *dims: int, **params: int) -> int | Fraction | None:
        """The value for dimensions in order and parameters by name; `None` outside of the domain."""
    def __eq__(self, other: object) -> bool: ...

@final
class PwMultiAff:
    """A tuple of piecewise quasi-affine functions."""

    def __init__(self, text: str) -> None:
        """Reads a text in isl's syntax."""
    @staticmethod
    def read_from_str(text: str) -> PwMultiAff:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    def get_space(self) -> Space:
        """The space."""
    def domain(self) -> Set:
        """Where it is defined."""
    def n_piece(self) -> int:
        """Number of pieces."""
    def get_pw_aff(self, pos: int) -> PwAff:
        """One of the functions."""
    def as_map(self) -> Map:
        """The graph of a function of a tuple."""
    def as_set(self) -> Set:
        """The values of a function of the parameters alone."""
    def __call__(self, *dims: int, **params: int) -> tuple[int | Fraction, ...] | None:
        """The values for dimensions in order and parameters by name; `None` outside of the domain."""
    def __eq__(self, other: object) -> bool: ...

@final
class MultiUnionPwAff:
    """A tuple of functions of the instances of several statements."""

    def __init__(self, text: str) -> None:
        """Reads a text in isl's syntax."""
    @staticmethod
    def read_from_str(text: str) -> MultiUnionPwAff:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    @staticmethod
    def from_union_map(map: UnionMap | Map) -> MultiUnionPwAff:
        """The function of which a relation is the graph: it is single-valued, and its ranges are all
        in one space without a name.
        """
    def size(self) -> int:
        """Number of functions."""
    def domain(self) -> UnionSet:
        """Where it is defined."""
    def as_union_map(self) -> UnionMap:
        """The graph."""

@final
class PwQPolynomial:
    """A piecewise quasi-polynomial: a polynomial with rational factors in the dimensions of a space
    and in integer divisions of them, for each part of the space; zero elsewhere.
    """

    def __init__(self, text: str) -> None:
        """Reads a text in isl's syntax, as `[n] -> { [i] -> i^2 + n : 0 <= i < n }`."""
    @staticmethod
    def read_from_str(text: str) -> PwQPolynomial:
        """Reads a text in isl's syntax."""
    def to_str(self) -> str:
        """The text in isl's syntax."""
    def get_domain_space(self) -> Space:
        """The space of the domain."""
    def n_piece(self) -> int:
        """Number of pieces."""
    def get_pieces(self) -> list[tuple[Set, PwQPolynomial]]:
        """The pieces: disjoint parts of the domain, with the function on each."""
    def eval(self, point: Point) -> int | Fraction:
        """The value at a point."""
    def __call__(self, *dims: int, **params: int) -> int | Fraction:
        """The value for dimensions in order and parameters by name."""
    def sum(self) -> PwQPolynomial:
        """The sum over the domain: a function of the parameters."""
    def upper_bound(self) -> tuple[PwQPolynomialFold, bool]:
        """An upper bound over the domain as a function of the parameters, and whether it is reached;
        isl's `bound(isl_fold_max)`.
        """
    def lower_bound(self) -> tuple[PwQPolynomialFold, bool]:
        """A lower bound over the domain as a function of the parameters, and whether it is reached;
        isl's `bound(isl_fold_min)`.
        """
    def __eq__(self, other: object) -> bool: ...
    def __add__(self, other: PwQPolynomial) -> PwQPolynomial: ...
    def __sub__(self, other: PwQPolynomial) -> PwQPolynomial: ...
    def __neg__(self) -> PwQPolynomial: ...
    def __mul__(self, other: PwQPolynomial | int | Fraction) -> PwQPolynomial: ...
    def __rmul__(self, other: PwQPolynomial | int | Fraction) -> PwQPolynomial: ...
    def add(self, other: PwQPolynomial) -> PwQPolynomial:
        """The sum."""
    def sub(self, other: PwQPolynomial) -> PwQPolynomial:
        """The difference."""
    def mul(self, other: PwQPolynomial) -> PwQPolynomial:
        """The product."""
    def neg(self) -> PwQPolynomial:
        """The negative."""
    def is_zero(self) -> bool:
        """Whether the value is zero everywhere."""
    def domain(self) -> Set:
        """The union of the pieces' domains."""
    def intersect_domain(self, set: Set) -> PwQPolynomial:
        """The same function on a set, and zero elsewhere."""
    def subtract_domain(self, set: Set) -> PwQPolynomial:
        """The same function outside of a set, and zero on it."""
    def intersect_params(self, params: Set) -> PwQPolynomial:
        """The same function for the parameter values of a set, and zero elsewhere."""
    def coalesce(self) -> PwQPolynomial:
        """The same function in as few pieces as are found."""

@final
class PwQPolynomialFold:
    """The largest, or smallest, of several quasi-polynomials for each part of a space."""

    def to_str(self) -> str:
        """The text in isl's syntax."""
    def get_type(self) -> str:
        """`max` or `min`."""
    def __call__(self, *dims: int, **params: int) -> int | Fraction | None:
        """The value for dimensions in order and parameters by name; `None` outside of all pieces."""

@final
class Schedule:
    """A schedule tree: the order in which the instances of statements run."""

    def __init__(self, text: str) -> None:
        """Reads a text in isl's YAML."""
    @staticmethod
    def read_from_str(text: str) -> Schedule:
        """Reads a text in isl's YAML."""
    @staticmethod
    def from_domain(domain: UnionSet | Set) -> Schedule:
        """The tree that does not order its instances."""
    def to_str(self) -> str:
        """The text in isl's YAML."""
    def _repr_svg_(self) -> str | None:
        """A picture, for notebooks: instances in their order. `None` for more than four statements, or
        more than three dimensions.
        """
    def __eq__(self, other: object) -> bool: ...
    def get_domain(self) -> UnionSet:
        """The instances that the tree orders."""
    def get_map(self) -> UnionMap:
        """The order as a relation: instances run in the lexicographic order of their images."""
    def get_root(self) -> ScheduleNode:
        """The root."""
    def sequence(self, other: Schedule) -> Schedule:
        """Everything here runs before everything there; the domains have no instance in common."""
    def set(self, other: Schedule) -> Schedule:
        """What is here and what is there may run in any order; the domains have no instance in common."""
    def intersect_domain(self, domain: UnionSet | Set) -> Schedule:
        """The same order for those instances that are in a set."""
    def gist_domain_params(self, context: Set) -> Schedule:
        """A shorter description of the domain and of filters, for parameter values in a context."""
    def gist(self) -> Schedule:
        """The same tree without what filters say of instances that is known where they stand."""

@final
class ScheduleNode:
    """A place in a schedule tree. Changes give a cursor at the same place of the changed tree."""

    def get_type(self) -> str:
        """The kind: `domain`, `band`, `sequence`, `set`, `filter`, `mark`, `leaf`, ..."""
    def n_children(self) -> int:
        """Number of children. A leaf is a child."""
    def get_tree_depth(self) -> int:
        """Number of nodes above."""
    def get_schedule_depth(self) -> int:
        """Number of members of the bands above."""
    def get_child_position(self) -> int:
        """Which child of its parent it is."""
    def band_n_member(self) -> int:
        """Number of members of a band."""
    def band_get_permutable(self) -> bool:
        """Whether the members of a band may change places."""
    def band_member_get_coincident(self, pos: int) -> bool:
        """Whether a member of a band carries no dependence."""
    def mark_get_id(self) -> str:
        """The text of a mark."""
    def get_schedule(self) -> Schedule:
        """The tree with all changes."""
    def child(self, pos: int) -> ScheduleNode:
        """A child."""
    def parent(self) -> ScheduleNode:
        """The node above."""
    def root(self) -> ScheduleNode:
        """The root."""
    def next_sibling(self) -> ScheduleNode | None:
        """The next child of the parent, or `None`."""
    def get_domain(self) -> UnionSet:
        """The instances that reach this node."""
    def get_prefix_schedule_union_map(self) -> UnionMap:
        """From these instances to the members of the bands above."""
    def band_get_partial_schedule(self) -> MultiUnionPwAff:
        """The functions of a band."""
    def band_get_partial_schedule_union_map(self) -> UnionMap:
        """The functions of a band as a relation."""
    def filter_get_filter(self) -> UnionSet:
        """The instances that a filter lets through."""
    def context_get_context(self) -> Set:
        """The parameter values that a context or guard lets through."""
    def band_tile(self, sizes: list[int]) -> ScheduleNode:
        """Tiles of these sizes: the cursor is at the band over the tiles, that over the points in a
        tile is its child.
        """
    def band_split(self, pos: int) -> ScheduleNode:
        """The first members, and the others in a band below."""
    def band_permute(self, order: list[int]) -> ScheduleNode:
        """The members of a band in another order."""
    def band_scale(self, factors: list[int]) -> ScheduleNode:
        """The members of a band times positive numbers."""
    def band_scale_down(self, divisors: list[int]) -> ScheduleNode:
        """The members of a band divided by positive numbers and rounded down."""
    def band_mod(self, moduli: list[int]) -> ScheduleNode:
        """The remainders of the members of a band by positive numbers."""
    def band_shift(self, shift: MultiUnionPwAff) -> ScheduleNode:
        """The sum of the members of a band with as many functions; where these are not defined,
        instances keep their values.
        """
    def band_sink(self) -> ScheduleNode:
        """The band moved down to the leaves."""
    def band_set_permutable(self, permutable: bool) -> ScheduleNode:
        """The band with another promise about its members."""
    def band_member_set_coincident(self, pos: int, coincident: bool) -> ScheduleNode:
        """The band with another promise about a member."""
    def band_member_set_ast_loop_type(self, pos: int, type: str) -> ScheduleNode:
        """The band with a form for the loop of a member: `default`, `atomic`, `separate`, `unroll`."""
    def insert_mark(self, mark: str) -> ScheduleNode:
        """A mark above the node."""
    def insert_partial_schedule(self, schedule: MultiUnionPwAff) -> ScheduleNode:
        """A band above the node."""
    def insert_filter(self, filter: UnionSet | Set) -> ScheduleNode:
        """A filter above the node."""
    def insert_context(self, context: Set) -> ScheduleNode:
        """A known condition on parameters above the node."""
    def insert_guard(self, guard: Set) -> ScheduleNode:
        """A condition on parameters that is tested, above the node."""
    def order_before(self, filter: UnionSet | Set) -> ScheduleNode:
        """Of the instances that reach the node, those in a set run before the others; the cursor is
        at the node of the others.
        """
    def order_after(self, filter: UnionSet | Set) -> ScheduleNode:
        """Of the instances that reach the node, those in a set run after the others; the cursor is at
        the node of the others.
        """
    def graft_before(self, extension: UnionMap | Map) -> ScheduleNode:
        """Other instances, given for each value of the outer schedule dimensions, run before those
        that reach the node.
        """
    def graft_after(self, extension: UnionMap | Map) -> ScheduleNode:
        """Other instances, given for each value of the outer schedule dimensions, run after those that
        reach the node.
        """
    def group(self, name: str) -> ScheduleNode:
        """The instances that reach the node, one of a new statement for those with equal values of the bands above."""
    def get_subtree_schedule_union_map(self) -> UnionMap:
        """The order of the instances that reach the node by what is below it."""
    def insert_sequence(self, filters: list[UnionSet | Set]) -> ScheduleNode:
        """A sequence of filters above the node, each with a copy of it."""
    def delete(self) -> ScheduleNode:
        """The tree without the node; its child takes its place."""
    def cut(self) -> ScheduleNode:
        """The tree with a leaf in place of the node and all below it."""

@final
class UnionAccessInfo:
    """Accesses and the order of their instances."""

    @staticmethod
    def from_sink(sink: UnionMap | Map) -> UnionAccessInfo:
        """Reads, without writes and without an order."""
    def set_must_source(self, must_source: UnionMap | Map) -> UnionAccessInfo:
        """With writes that certainly happen."""
    def set_may_source(self, may_source: UnionMap | Map) -> UnionAccessInfo:
        """With writes that may happen."""
    def set_kill(self, kill: UnionMap | Map) -> UnionAccessInfo:
        """With elements whose values are not used after the instance."""
    def set_schedule(self, schedule: Schedule) -> UnionAccessInfo:
        """In the order of a tree."""
    def set_schedule_map(self, schedule_map: UnionMap | Map) -> UnionAccessInfo:
        """In the lexicographic order of the images."""
    def compute_flow(self) -> UnionFlow:
        """What the reads see."""

@final
class UnionFlow:
    """What reads see."""

    def get_must_dependence(self) -> UnionMap:
        """From the writes to the reads that are certain to see them."""
    def get_may_dependence(self) -> UnionMap:
        """From the writes to the reads that may see them."""
    def get_full_must_dependence(self) -> UnionMap:
        """From the writes to the reads, wrapped with the element, that are certain to see them."""
    def get_full_may_dependence(self) -> UnionMap:
        """From the writes to the reads, wrapped with the element, that may see them."""
    def get_must_no_source(self) -> UnionMap:
        """The reads that no write reaches."""
    def get_may_no_source(self) -> UnionMap:
        """The reads that may see what was there before the program began, or nothing after a kill."""

@final
class ScheduleConstraints:
    """What a schedule has to satisfy."""

    @staticmethod
    def on_domain(domain: UnionSet | Set) -> ScheduleConstraints:
        """No constraints on these instances."""
    def set_context(self, context: Set) -> ScheduleConstraints:
        """With what is known of the parameters."""
    def set_validity(self, validity: UnionMap | Map) -> ScheduleConstraints:
        """With pairs of which the first runs before the second."""
    def set_conditional_validity(
        self,
        condition: UnionMap | Map,
        validity: UnionMap | Map,
    ) -> ScheduleConstraints:
        """With pairs of which the first runs before the second if `condition` has distances. All of
        them are kept in order.
        """
    def set_coincidence(self, coincidence: UnionMap | Map) -> ScheduleConstraints:
        """With pairs that loops without distances (parallel ones) have in one iteration."""
    def set_proximity(self, proximity: UnionMap | Map) -> ScheduleConstraints:
        """With pairs that are to be near each other."""
    def set_prefix(self, prefix: MultiUnionPwAff) -> ScheduleConstraints:
        """Below an outer schedule, which orders instances first."""
    def add_cost(
        self,
        terms: dict[tuple[str, int | None], int],
        *,
        first: bool = False,
    ) -> ScheduleConstraints:
        """With one more cost of schedule dimensions: weights times absolute values of coefficients,
        which are named by statement and number of the iterator, or `None` for the constant. It counts
        after the distances of dependences, or with `first` before them.
        """
    def apply(self, map: UnionMap | Map) -> ScheduleConstraints:
        """The same for the images of the instances, without a prefix and costs."""
    def get_domain(self) -> UnionSet:
        """The instances."""
    def get_context(self) -> Set:
        """What is known of the parameters."""
    def get_validity(self) -> UnionMap:
        """The pairs of which the first runs before the second."""
    def get_conditional_validity(self) -> UnionMap:
        """The pairs that are kept in order if those of the condition have distances."""
    def get_conditional_validity_condition(self) -> UnionMap:
        """The condition of the conditional validity."""
    def get_coincidence(self) -> UnionMap:
        """The pairs that parallel loops have in one iteration."""
    def get_proximity(self) -> UnionMap:
        """The pairs that are to be near each other."""
    def compute_schedule(
        self,
        *,
        algorithm: str = "pluto",
        fusion: str = "smart",
        max_coefficient: int = 8,
        max_constant: int | None = None,
        maximize_coincidence: bool = False,
        outer_coincidence: bool = False,
        carry_self_first: bool = False,
    ) -> Schedule:
        """A schedule that satisfies the constraints. Members of bands are coincident if they carry no
        pair of validity or coincidence.  `algorithm` is `pluto` or `feautrier`, `fusion` is `max`,
        `smart` or `none`; `max_coefficient` is the greatest absolute value of a factor,
        `max_constant` that of a constant; with `maximize_coincidence`, statements share loops only
        where that costs no parallel one; with `outer_coincidence`, a band whose outermost member is
        not coincident is replaced by a loop that carries dependences; with `carry_self_first`, such
        loops carry those of statements on themselves, if there are any.
        """

@final
class AstBuild:
    """Makes programs from schedules, for the parameter values of a context."""

    def __init__(
        self,
        context: Set | None = None,
        *,
        max_unroll: int = 64,
        iterators: list[str] = ...,
        allow_else: bool = True,
        allow_or: bool = True,
    ) -> None:
        """For all parameter values, or those of a context. An unrolled loop has at most `max_unroll`
        iterations; `iterators` are names of the counters, from the outermost on; without `allow_else`
        and `allow_or`, conditions have no `else`, and are no disjunctions.
        """
    @staticmethod
    def from_context(context: Set) -> AstBuild:
        """For the parameter values of a set."""
    def node_from_schedule(self, schedule: Schedule) -> AstNode:
        """A program that runs each instance once, in the order of the schedule."""
    def node_from_schedule_map(self, schedule: UnionMap | Map, *, loop_type: str = "default") -> AstNode:
        """A program that runs each instance of the domain once, in the lexicographic order of the
        images. All loops are of one type: `default`, `atomic`, `separate` or `unroll`.
        """

@final
class AstNode:
    """A program, or a part of one."""

    def get_type(self) -> str:
        """The kind: `for`, `if`, `block`, `mark` or `user`."""
    def to_C_str(self, *, iterator_type: str = "int", prefer_pdiv: bool = False) -> str:
        """The text in C. `floord`, `ceild`, `pmod`, `min` and `max` are functions or macros; with
        `prefer_pdiv`, C's `/` and `%` stand where nothing negative is divided.
        """
    def block_get_children(self) -> list[AstNode]:
        """The nodes of a block."""
    def for_get_iterator(self) -> str:
        """The name of the counter of a loop."""
    def for_get_init(self) -> str:
        """The first value of the counter."""
    def for_get_upper(self) -> str | None:
        """The value that the counter does not exceed, or `None` for a loop without end."""
    def for_get_inc(self) -> int:
        """What is added to the counter."""
    def for_get_body(self) -> AstNode:
        """What is in the loop."""
    def if_get_cond(self) -> str:
        """The condition."""
    def if_get_then(self) -> AstNode:
        """What runs if the condition holds."""
    def if_get_else(self) -> AstNode | None:
        """What runs if the condition does not hold, or `None`."""
    def mark_get_id(self) -> str:
        """The text of a mark."""
    def mark_get_node(self) -> AstNode:
        """What is marked."""
    def user_get_expr(self) -> tuple[str, list[str]]:
        """The name of the statement and the texts of its coordinates."""
    def execute(self, **params: int) -> list[tuple[str, tuple[int, ...]]]:
        """The instances that the program runs for values of the parameters, in its order: names of
        statements with coordinates.
        """

def set_max_operations(operations: int) -> None:
    """Operations that one call may take from now on; 0 is no limit. isl's `isl_ctx_set_max_operations`."""

def get_max_operations() -> int:
    """Operations that one call may take; 0 is no limit."""
