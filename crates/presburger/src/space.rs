//! Spaces: what the columns of a relation mean.
//!
//! A *space* names the parameters and the tuples of a set or relation. A *tuple* is an optional
//! name with a number of dimensions; it may be *nested*, that is, wrap a whole relation space
//! (`[A[i] -> B[j]]`), in which case its dimensions are those of both sides one after the other.
//!
//! There are three shapes of space:
//!
//! * parameter space: neither domain nor range;
//! * set space: no domain, the range tuple is the tuple of the set;
//! * map space: both.
//!
//! Two spaces are equal when their parameters have the same names in the same order and their
//! tuples have the same name, arity and nesting. Names of dimensions only serve printing and do
//! not take part in comparisons.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A name: cheap to clone, ordered by its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(Arc<str>);

impl Id {
    /// The identifier with this text.
    pub fn new(text: &str) -> Id {
        Id(Arc::from(text))
    }

    /// The text of the identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Id {
        Id::new(text)
    }
}

impl From<String> for Id {
    fn from(text: String) -> Id {
        Id(Arc::from(text))
    }
}

impl From<&Id> for Id {
    fn from(id: &Id) -> Id {
        id.clone()
    }
}

impl AsRef<str> for Id {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Id {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Id {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Id {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which group of columns a dimension belongs to. Sets use `Out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DimKind {
    /// A parameter (symbolic constant).
    Param,
    /// A dimension of the domain tuple of a map.
    In,
    /// A dimension of the range tuple of a map, or of the tuple of a set.
    Out,
    /// An existentially quantified integer division of a basic set or map.
    Div,
}

/// A named (or anonymous) list of dimensions, possibly wrapping a relation.
#[derive(Clone)]
pub struct Tuple {
    /// Name of the tuple: the statement or array it stands for.
    pub name: Option<Id>,
    /// Names of the dimensions, for printing; the length is the arity.
    pub dims: Vec<Option<Id>>,
    /// Both sides of the wrapped relation; `dims` is then the concatenation of theirs.
    pub nested: Option<Box<(Tuple, Tuple)>>,
}

impl Tuple {
    /// The tuple `name[d0, ...]` of `n` unnamed dimensions.
    pub fn named(name: impl Into<Id>, n: usize) -> Tuple {
        Tuple { name: Some(name.into()), dims: vec![None; n], nested: None }
    }

    /// The tuple `[d0, ...]` of `n` unnamed dimensions.
    pub fn anonymous(n: usize) -> Tuple {
        Tuple { name: None, dims: vec![None; n], nested: None }
    }

    /// A tuple with named dimensions.
    pub fn with_dims(name: Option<Id>, dims: &[&str]) -> Tuple {
        Tuple { name, dims: dims.iter().map(|d| Some(Id::new(d))).collect(), nested: None }
    }

    /// The tuple `[a -> b]`.
    pub fn wrapping(a: Tuple, b: Tuple) -> Tuple {
        let dims = a.dims.iter().chain(&b.dims).cloned().collect();
        Tuple { name: None, dims, nested: Some(Box::new((a, b))) }
    }

    /// Number of dimensions.
    pub fn n(&self) -> usize {
        self.dims.len()
    }

    /// Number of dimensions (same as [`Tuple::n`]).
    pub fn len(&self) -> usize {
        self.dims.len()
    }

    /// Whether the tuple has no dimension.
    pub fn is_empty(&self) -> bool {
        self.dims.is_empty()
    }

    /// The name as text, if there is one.
    pub fn name_str(&self) -> Option<&str> {
        self.name.as_ref().map(Id::as_str)
    }

    /// The same tuple under another name.
    pub fn renamed(&self, name: Option<Id>) -> Tuple {
        Tuple { name, ..self.clone() }
    }

    /// The same dimensions without name and nesting.
    pub fn flattened(&self) -> Tuple {
        Tuple { name: None, dims: self.dims.clone(), nested: None }
    }

    /// The anonymous flat tuple with the dimensions of `self` followed by those of `other`.
    pub fn concat(&self, other: &Tuple) -> Tuple {
        let dims = self.dims.iter().chain(&other.dims).cloned().collect();
        Tuple { name: None, dims, nested: None }
    }

    /// The tuple with `n` unnamed dimensions inserted at `pos`; nesting is lost.
    pub(crate) fn with_inserted(&self, pos: usize, n: usize) -> Tuple {
        assert!(pos <= self.n(), "dimension position {pos} is outside the tuple {self}");
        let mut dims = self.dims.clone();
        dims.splice(pos..pos, std::iter::repeat_n(None, n));
        Tuple { name: self.name.clone(), dims, nested: None }
    }

    /// The tuple without `n` dimensions from `pos` on; nesting is lost when there is any change.
    pub(crate) fn without(&self, pos: usize, n: usize) -> Tuple {
        assert!(pos + n <= self.n(), "dimensions {pos}..{} are outside the tuple {self}", pos + n);
        if n == 0 {
            return self.clone();
        }
        let mut dims = self.dims.clone();
        dims.drain(pos..pos + n);
        Tuple { name: self.name.clone(), dims, nested: None }
    }
}

impl PartialEq for Tuple {
    fn eq(&self, other: &Tuple) -> bool {
        self.name == other.name && self.n() == other.n() && self.nested == other.nested
    }
}

impl Eq for Tuple {}

impl Hash for Tuple {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.n().hash(state);
        self.nested.hash(state);
    }
}

impl PartialOrd for Tuple {
    fn partial_cmp(&self, other: &Tuple) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tuple {
    fn cmp(&self, other: &Tuple) -> Ordering {
        (&self.name, self.n(), &self.nested).cmp(&(&other.name, other.n(), &other.nested))
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}")?;
        }
        if let Some(nested) = &self.nested {
            return write!(f, "[{} -> {}]", nested.0, nested.1);
        }
        f.write_str("[")?;
        for (i, d) in self.dims.iter().enumerate() {
            let sep = if i == 0 { "" } else { ", " };
            match d {
                Some(id) => write!(f, "{sep}{id}")?,
                None => write!(f, "{sep}i{i}")?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Parameters and tuples of a set, relation or function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space {
    /// Names of the parameters, in column order.
    pub params: Vec<Id>,
    /// Domain tuple; absent for sets and parameter sets.
    pub domain: Option<Tuple>,
    /// Range tuple, or the tuple of a set; absent for parameter sets.
    pub range: Option<Tuple>,
}

impl Space {
    /// The space of parameter sets.
    pub fn params(params: Vec<Id>) -> Space {
        Space { params, domain: None, range: None }
    }

    /// The space of sets over `tuple`.
    pub fn set(params: Vec<Id>, tuple: Tuple) -> Space {
        Space { params, domain: None, range: Some(tuple) }
    }

    /// The space of relations from `domain` to `range`.
    pub fn map(params: Vec<Id>, domain: Tuple, range: Tuple) -> Space {
        Space { params, domain: Some(domain), range: Some(range) }
    }

    /// Whether this is the space of a parameter set.
    pub fn is_params(&self) -> bool {
        self.domain.is_none() && self.range.is_none()
    }

    /// Whether this is the space of a set.
    pub fn is_set(&self) -> bool {
        self.domain.is_none() && self.range.is_some()
    }

    /// Whether this is the space of a relation.
    pub fn is_map(&self) -> bool {
        self.domain.is_some()
    }

    /// Number of dimensions of a kind (`Div` is not a matter of spaces and gives 0).
    pub fn dim(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Param => self.params.len(),
            DimKind::In => self.domain.as_ref().map_or(0, Tuple::n),
            DimKind::Out => self.range.as_ref().map_or(0, Tuple::n),
            DimKind::Div => 0,
        }
    }

    /// Number of parameters and tuple dimensions together.
    pub fn n_var(&self) -> usize {
        self.dim(DimKind::Param) + self.dim(DimKind::In) + self.dim(DimKind::Out)
    }

    /// First column of a kind in a constraint row `[const | params | in | out | divs]`.
    pub fn offset(&self, kind: DimKind) -> usize {
        let params = self.dim(DimKind::Param);
        let input = self.dim(DimKind::In);
        match kind {
            DimKind::Param => 1,
            DimKind::In => 1 + params,
            DimKind::Out => 1 + params + input,
            DimKind::Div => 1 + params + input + self.dim(DimKind::Out),
        }
    }

    /// The tuple of a kind, if the space has one.
    pub fn tuple(&self, kind: DimKind) -> Option<&Tuple> {
        match kind {
            DimKind::In => self.domain.as_ref(),
            DimKind::Out => self.range.as_ref(),
            DimKind::Param | DimKind::Div => None,
        }
    }

    /// Name of the tuple of a kind, if it has one.
    pub fn tuple_name(&self, kind: DimKind) -> Option<&Id> {
        self.tuple(kind).and_then(|t| t.name.as_ref())
    }

    /// Position of the parameter called `name`.
    pub fn find_param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|p| p.as_str() == name)
    }

    /// Name of a dimension, where it has one.
    pub fn dim_name(&self, kind: DimKind, i: usize) -> Option<&Id> {
        match kind {
            DimKind::Param => self.params.get(i),
            _ => self.tuple(kind).and_then(|t| t.dims.get(i)).and_then(Option::as_ref),
        }
    }

    /// The map space with domain and range exchanged.
    pub fn reverse(&self) -> Space {
        assert!(self.is_map(), "only a map space can be reversed, not {self}");
        Space { params: self.params.clone(), domain: self.range.clone(), range: self.domain.clone() }
    }

    /// The set space of the domain (the parameter space if there is no domain).
    pub fn domain_space(&self) -> Space {
        Space { params: self.params.clone(), domain: None, range: self.domain.clone() }
    }

    /// The set space of the range.
    pub fn range_space(&self) -> Space {
        Space { params: self.params.clone(), domain: None, range: self.range.clone() }
    }

    /// The parameter space with the same parameters.
    pub fn params_space(&self) -> Space {
        Space::params(self.params.clone())
    }

    /// The set space `[A -> B]` of a map space `A -> B`.
    pub fn wrap(&self) -> Space {
        let (Some(domain), Some(range)) = (&self.domain, &self.range) else {
            panic!("only a map space can be wrapped, not {self}");
        };
        Space::set(self.params.clone(), Tuple::wrapping(domain.clone(), range.clone()))
    }

    /// The map space `A -> B` of a set space `[A -> B]`.
    pub fn unwrap(&self) -> Space {
        let nested = self.range.as_ref().filter(|_| self.is_set()).and_then(|t| t.nested.as_ref());
        let Some(nested) = nested else {
            panic!("only the space of a wrapped map can be unwrapped, not {self}");
        };
        Space::map(self.params.clone(), nested.0.clone(), nested.1.clone())
    }

    /// Whether this is a set space that wraps a relation.
    pub fn is_wrapping(&self) -> bool {
        self.is_set() && self.range.as_ref().is_some_and(|t| t.nested.is_some())
    }

    /// The map space `A -> A` of a set space `A`.
    pub fn map_from_set(&self) -> Space {
        assert!(self.is_set(), "only a set space can be made a map space, not {self}");
        Space { params: self.params.clone(), domain: self.range.clone(), range: self.range.clone() }
    }

    /// The map space from the set space `domain` to the set space `range`; parameters are merged.
    /// A parameter space as domain gives the set space of the range.
    pub fn from_domain_and_range(domain: &Space, range: &Space) -> Space {
        assert!(!domain.is_map() && !range.is_map(), "domain and range must be set spaces");
        Space {
            params: merge_params(&domain.params, &range.params),
            domain: domain.range.clone(),
            range: range.range.clone(),
        }
    }

    /// The same space with the parameters of `other` that are missing appended.
    pub fn align(&self, other: &Space) -> Space {
        self.with_params(merge_params(&self.params, &other.params))
    }

    /// The same tuples over another list of parameters.
    pub fn with_params(&self, params: Vec<Id>) -> Space {
        Space { params, domain: self.domain.clone(), range: self.range.clone() }
    }

    /// The same space with another tuple of a kind (`In` or `Out`).
    pub fn with_tuple(&self, kind: DimKind, tuple: Tuple) -> Space {
        let mut space = self.clone();
        match kind {
            DimKind::In => space.domain = Some(tuple),
            DimKind::Out => space.range = Some(tuple),
            DimKind::Param | DimKind::Div => panic!("{kind:?} dimensions have no tuple"),
        }
        space
    }

    /// The same space with another name for a tuple.
    pub fn with_tuple_name(&self, kind: DimKind, name: Option<Id>) -> Space {
        let tuple = self.tuple(kind).expect("a tuple must be there to be renamed").renamed(name);
        self.with_tuple(kind, tuple)
    }

    /// Whether both spaces have the same tuples, whatever the parameters.
    pub fn has_equal_tuples(&self, other: &Space) -> bool {
        self.domain == other.domain && self.range == other.range
    }

    /// Whether the tuple `kind` of this space equals the tuple `other_kind` of `other`.
    pub fn tuple_is_equal(&self, kind: DimKind, other: &Space, other_kind: DimKind) -> bool {
        self.tuple(kind) == other.tuple(other_kind)
    }

    /// The set space `[A -> B]` of two set spaces, or `[A -> C] -> [B -> D]` of two map spaces.
    pub fn product(&self, other: &Space) -> Space {
        self.pair(other, |a, b| Tuple::wrapping(a.clone(), b.clone()))
    }

    /// As [`Space::product`], but with flat anonymous tuples.
    pub fn flat_product(&self, other: &Space) -> Space {
        self.pair(other, Tuple::concat)
    }

    fn pair(&self, other: &Space, join: fn(&Tuple, &Tuple) -> Tuple) -> Space {
        let side = |a: &Option<Tuple>, b: &Option<Tuple>| match (a, b) {
            (Some(a), Some(b)) => Some(join(a, b)),
            (None, None) => None,
            _ => panic!("the product of {self} and {other} is not defined"),
        };
        Space {
            params: merge_params(&self.params, &other.params),
            domain: side(&self.domain, &other.domain),
            range: side(&self.range, &other.range),
        }
    }

    /// The map space `A -> [B -> C]` of `A -> B` and `A -> C`.
    pub fn range_product(&self, other: &Space) -> Space {
        self.range_pair(other, |a, b| Tuple::wrapping(a.clone(), b.clone()))
    }

    /// As [`Space::range_product`], with a flat anonymous range.
    pub fn flat_range_product(&self, other: &Space) -> Space {
        self.range_pair(other, Tuple::concat)
    }

    fn range_pair(&self, other: &Space, join: fn(&Tuple, &Tuple) -> Tuple) -> Space {
        assert!(self.domain == other.domain, "{self} and {other} must have the same domain");
        let (Some(a), Some(b)) = (&self.range, &other.range) else {
            panic!("{self} and {other} must have ranges");
        };
        Space {
            params: merge_params(&self.params, &other.params),
            domain: self.domain.clone(),
            range: Some(join(a, b)),
        }
    }

    /// The set space without tuple names and nesting.
    pub fn flatten(&self) -> Space {
        Space {
            params: self.params.clone(),
            domain: self.domain.as_ref().map(Tuple::flattened),
            range: self.range.as_ref().map(Tuple::flattened),
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.params.is_empty() {
            let names: Vec<&str> = self.params.iter().map(Id::as_str).collect();
            write!(f, "[{}] -> ", names.join(", "))?;
        }
        match (&self.domain, &self.range) {
            (Some(d), Some(r)) => write!(f, "{{ {d} -> {r} }}"),
            (None, Some(r)) => write!(f, "{{ {r} }}"),
            (Some(d), None) => write!(f, "{{ {d} -> }}"),
            (None, None) => write!(f, "{{ : }}"),
        }
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The parameters of `a`, followed by those of `b` that `a` lacks.
pub fn merge_params(a: &[Id], b: &[Id]) -> Vec<Id> {
    let mut all = a.to_vec();
    for p in b {
        if !a.contains(p) {
            all.push(p.clone());
        }
    }
    all
}
