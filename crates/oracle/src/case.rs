//! One random case: its choices, its inputs in both libraries, and the comparison of results.
//!
//! A [`Case`] draws inputs ([`SetInput`], [`MapInput`], ...) that are kept in three forms: a
//! [`Model`] that decides membership point by point, the object of Poly and the object of isl, both
//! read from the same text. The texts are remembered, so that a failing case can be shown whatever
//! went wrong. Methods return `None` where Poly's budget or isl's limit is exhausted, and panic
//! where the results differ.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use poly_arith::Int;
use poly_presburger::{Budget, Map, ParseError, PwAff, PwMultiAff, Set, UnionMap, UnionSet};

use crate::function::{Form, Function};
use crate::isl;
use crate::model::{Kind, Linear, Model, points};
use crate::random::Random;

/// The budget of one operation of Poly.
pub const BUDGET: u64 = 2_000_000;

static SHOW_INPUTS: AtomicBool = AtomicBool::new(false);

/// Print inputs to standard error as soon as they are drawn; for cases that end their process.
pub fn show_inputs(yes: bool) {
    SHOW_INPUTS.store(yes, Ordering::Relaxed);
}

/// A case in the making.
#[derive(Debug)]
pub struct Case<'a> {
    /// Where choices come from.
    pub random: Random,
    /// Where isl's objects live.
    pub context: &'a isl::Context,
    inputs: Vec<String>,
    limit: u64,
    n_param: usize,
}

/// The shape of a tuple.
#[derive(Clone, Debug)]
pub enum Tuple {
    /// A name, possibly empty, and a number of dimensions.
    Flat(&'static str, usize),
    /// A name, possibly empty, and two tuples.
    Pair(&'static str, Box<(Tuple, Tuple)>),
}

impl Tuple {
    /// A random shape with this number of dimensions.
    pub fn random(r: &mut Random, n: usize) -> Tuple {
        match r.range(0, 7) {
            0..=3 => Tuple::Flat("", n),
            4 | 5 => {
                let name: &&str = r.pick(&["S", "T", "Stmt_1"]);
                Tuple::Flat(name, n)
            }
            6 => Tuple::pair(r, "", n),
            _ => Tuple::pair(r, "W", n),
        }
    }

    fn pair(r: &mut Random, name: &'static str, n: usize) -> Tuple {
        let first = r.size(0, n);
        let part = |r: &mut Random, n| match r.range(0, 3) {
            0 | 1 => Tuple::Flat("A", n),
            2 => Tuple::Flat("", n),
            _ => Tuple::Pair("", Box::new((Tuple::Flat("", n), Tuple::Flat("B", 0)))),
        };
        Tuple::Pair(name, Box::new((part(r, first), part(r, n - first))))
    }

    /// Number of dimensions.
    pub fn n(&self) -> usize {
        match self {
            Tuple::Flat(_, n) => *n,
            Tuple::Pair(_, parts) => parts.0.n() + parts.1.n(),
        }
    }

    /// The text, with these names for the dimensions.
    pub fn text(&self, dims: &[String]) -> String {
        match self {
            Tuple::Flat(name, _) => format!("{name}[{}]", dims.join(", ")),
            Tuple::Pair(name, parts) => {
                let (a, b) = dims.split_at(parts.0.n());
                format!("{name}[{} -> {}]", parts.0.text(a), parts.1.text(b))
            }
        }
    }
}

/// A random set.
#[derive(Debug)]
pub struct SetInput {
    /// Decides membership.
    pub model: Model,
    /// The shape of its tuple.
    pub tuple: Tuple,
    /// In Poly.
    pub set: Set,
    /// In isl.
    pub isl: isl::Set,
}

impl SetInput {
    /// Number of dimensions.
    pub fn n(&self) -> usize {
        self.tuple.n()
    }

    /// Whether `[parameters, dimensions]` is in the set.
    pub fn holds(&self, point: &[i64]) -> bool {
        self.model.holds(point)
    }
}

/// A random relation.
#[derive(Debug)]
pub struct MapInput {
    /// Decides membership.
    pub model: Model,
    /// The shape of its domain.
    pub domain: Tuple,
    /// The shape of its range.
    pub range: Tuple,
    /// In Poly.
    pub map: Map,
    /// In isl.
    pub isl: isl::Map,
}

impl MapInput {
    /// Number of dimensions of domain and range.
    pub fn n(&self) -> usize {
        self.domain.n() + self.range.n()
    }

    /// Whether `[parameters, domain, range]` is in the relation.
    pub fn holds(&self, point: &[i64]) -> bool {
        self.model.holds(point)
    }
}

/// Numbers of the library's type.
pub fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&x| Int::from(x)).collect()
}

/// Define the comparison of results of a type.
macro_rules! same {
    ($(#[$doc:meta])* $name:ident, $ours:ident, $theirs:ident) => {
        $(#[$doc])*
        /// Both libraries have to find the results equal, each after reading the other's text.
        pub fn $name(&mut self, ours: &$ours, theirs: &isl::$theirs) -> Option<()> {
            let text = ours.to_string();
            let Some(read) = isl::$theirs::read(self.context, &text) else {
                assert!(self.context.limit_was_reached(), "isl rejects {text}: {:?}", self.context.error());
                return None;
            };
            let equal = read.is_equal(theirs)?;
            assert!(equal, "the results differ\n  ours: {text}\n  isl: {}", theirs.text());
            if self.random.one_in(3) {
                let text = theirs.text();
                let back: $ours = text.parse().unwrap_or_else(|e| panic!("Poly rejects {text}: {e}"));
                let equal = back.is_equal(ours, &mut Budget::new(BUDGET)).ok()?;
                assert!(equal, "Poly finds a difference\n  ours: {ours}\n  isl: {back}");
            }
            Some(())
        }
    };
}

impl<'a> Case<'a> {
    /// A case with these choices.
    pub fn new(random: Random, context: &'a isl::Context) -> Case<'a> {
        let mut case = Case { random, context, inputs: Vec::new(), limit: BUDGET, n_param: 1 };
        if case.random.one_in(10) {
            let most = *case.random.pick(&[1000, 100, 10, 10_000, 0]);
            case.limit = case.random.size(0, most) as u64;
        }
        case.n_param = *case.random.pick(&[1, 1, 1, 0, 2]);
        case
    }

    /// Whether the budget is so small that operations are expected to stop.
    pub fn is_cut(&self) -> bool {
        self.limit < BUDGET
    }

    /// The texts of the inputs so far.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// A new budget for one operation.
    pub fn budget(&self) -> Budget {
        Budget::new(self.limit)
    }

    /// Number of parameters of all inputs.
    pub fn n_param(&self) -> usize {
        self.n_param
    }

    /// Let the case have exactly this many parameters.
    pub fn set_n_param(&mut self, n: usize) {
        self.n_param = n;
    }

    /// Remember an input that is not made by the other methods.
    pub fn note(&mut self, text: impl Display) {
        let text = text.to_string();
        if SHOW_INPUTS.load(Ordering::Relaxed) {
            eprintln!("input: {text}");
        }
        self.inputs.push(text);
    }

    /// Read an input, which has to be accepted.
    pub fn read<T: FromStr<Err = ParseError>>(&mut self, text: &str) -> T {
        self.note(text);
        text.parse().unwrap_or_else(|e| panic!("Poly rejects {text}: {e}"))
    }

    /// The names of the parameters.
    pub fn params(&self) -> Vec<String> {
        ["n", "m"][..self.n_param].iter().map(|&p| p.to_owned()).collect()
    }

    /// `[n, m] -> `, sometimes in another order.
    pub fn header(&mut self) -> String {
        let mut params = self.params();
        if params.len() > 1 && self.random.one_in(3) {
            params.reverse();
        }
        if params.is_empty() { String::new() } else { format!("[{}] -> ", params.join(", ")) }
    }

    /// The names of parameters and this many dimensions.
    pub fn names(&self, n_dim: usize) -> Vec<String> {
        self.params().into_iter().chain((0..n_dim).map(|i| format!("i{i}"))).collect()
    }

    fn enlarged(&mut self, kind: Kind) -> Kind {
        Kind { large: kind.large || self.random.one_in(12), ..kind }
    }

    /// A number of dimensions, mostly positive.
    pub fn n_dim(&mut self, most: usize) -> usize {
        if self.random.one_in(15) { 0 } else { self.random.size(1, most) }
    }

    /// A random condition over the parameters and this many dimensions.
    pub fn model(&mut self, n_dim: usize, kind: Kind) -> Model {
        Model::random(&mut self.random, self.n_param, n_dim, kind)
    }

    /// A random expression over the parameters and this many dimensions.
    pub fn linear(&mut self, n_dim: usize) -> Linear {
        Linear::random(&mut self.random, self.n_param + n_dim)
    }

    /// A random function.
    pub fn function(&mut self, domain: &Tuple, form: Form) -> Function {
        Function::random(&mut self.random, self.n_param, domain, form)
    }

    /// A random set with at most `most` dimensions.
    pub fn set(&mut self, most: usize, kind: Kind) -> Option<SetInput> {
        let n = self.n_dim(most);
        let tuple = Tuple::random(&mut self.random, n);
        self.set_in(&tuple, kind)
    }

    /// Two random sets in the same space.
    pub fn two_sets(&mut self, most: usize, kind: Kind) -> Option<(SetInput, SetInput)> {
        let a = self.set(most, kind)?;
        let b = self.set_in(&a.tuple, kind)?;
        Some((a, b))
    }

    /// A random set in a space.
    pub fn set_in(&mut self, tuple: &Tuple, kind: Kind) -> Option<SetInput> {
        let kind = self.enlarged(kind);
        let model = Model::random(&mut self.random, self.n_param, tuple.n(), kind);
        let item = self.set_item(tuple, &model);
        let text = format!("{}{{ {item} }}", self.header());
        let set = self.read(&text);
        let isl = isl::Set::read(self.context, &text)?;
        Some(SetInput { model, tuple: tuple.clone(), set, isl })
    }

    /// A random set of parameter values.
    pub fn params_set(&mut self, kind: Kind) -> Option<(Model, Set, isl::Set)> {
        let model = Model::random(&mut self.random, self.n_param, 0, kind);
        let text = format!("{}{{ : {} }}", self.header(), model.condition(&self.names(0)));
        let set = self.read(&text);
        Some((model, set, isl::Set::read(self.context, &text)?))
    }

    /// `S[i0, i1] : condition`.
    pub fn set_item(&self, tuple: &Tuple, model: &Model) -> String {
        let names = self.names(tuple.n());
        format!("{} : {}", tuple.text(&names[self.n_param..]), model.condition(&names))
    }

    /// `S[i0] -> T[i1] : condition`.
    pub fn map_item(&self, domain: &Tuple, range: &Tuple, model: &Model) -> String {
        let names = self.names(domain.n() + range.n());
        let (a, b) = names[self.n_param..].split_at(domain.n());
        format!("{} -> {} : {}", domain.text(a), range.text(b), model.condition(&names))
    }

    /// A random relation with at most `most` dimensions on either side.
    pub fn map(&mut self, most: usize, kind: Kind) -> Option<MapInput> {
        let (a, b) = (self.n_dim(most), self.n_dim(most));
        let (domain, range) = (Tuple::random(&mut self.random, a), Tuple::random(&mut self.random, b));
        self.map_in(&domain, &range, kind)
    }

    /// Two random relations in the same space.
    pub fn two_maps(&mut self, most: usize, kind: Kind) -> Option<(MapInput, MapInput)> {
        let a = self.map(most, kind)?;
        let b = self.map_in(&a.domain, &a.range, kind)?;
        Some((a, b))
    }

    /// A random relation in a space.
    pub fn map_in(&mut self, domain: &Tuple, range: &Tuple, kind: Kind) -> Option<MapInput> {
        let kind = self.enlarged(kind);
        let model = Model::random(&mut self.random, self.n_param, domain.n() + range.n(), kind);
        let item = self.map_item(domain, range, &model);
        let text = format!("{}{{ {item} }}", self.header());
        let map = self.read(&text);
        let isl = isl::Map::read(self.context, &text)?;
        Some(MapInput { model, domain: domain.clone(), range: range.clone(), map, isl })
    }

    /// Some `[parameters, dimensions]` in a box.
    pub fn points(&mut self, n_dim: usize) -> Vec<Vec<i64>> {
        points(&mut self.random, self.n_param, n_dim)
    }

    /// Whether `[parameters, dimensions]` is in a set or relation over exactly the parameters of
    /// the case.
    pub fn has(&self, map: &Map, point: &[i64]) -> bool {
        map.contains(&ints(&point[..self.n_param]), &ints(&point[self.n_param..]))
    }

    /// The set or relation over exactly the parameters of the case, in their order.
    pub fn exact(&self, map: &Map) -> Map {
        let params: Vec<_> = self.params().iter().map(|p| p.as_str().into()).collect();
        map.with_exact_params(&params)
    }

    /// A set or relation has to have the points that a predicate says.
    pub fn same_points(&mut self, map: &Map, n_dim: usize, expected: impl Fn(&[i64]) -> bool) {
        let map = self.exact(map);
        for point in self.points(n_dim) {
            let wanted = expected(&point);
            assert_eq!(self.has(&map, &point), wanted, "whether {point:?} is in {map}");
        }
    }

    same!(
        /// Compare sets.
        same_set, Set, Set
    );
    same!(
        /// Compare relations.
        same_map, Map, Map
    );
    same!(
        /// Compare unions of sets.
        same_union_set, UnionSet, UnionSet
    );
    same!(
        /// Compare unions of relations.
        same_union_map, UnionMap, UnionMap
    );

    /// Compare piecewise expressions; both have to be equal on the same domain.
    pub fn same_pw_aff(&mut self, ours: &PwAff, theirs: &isl::PwAff) -> Option<()> {
        let domain = theirs.domain()?;
        if ours.n_piece() == 0 {
            assert!(domain.is_empty()?, "ours is empty, isl's is {}", theirs.text());
            return Some(());
        }
        let text = ours.to_string();
        let Some(read) = isl::PwAff::read(self.context, &text) else {
            assert!(self.context.limit_was_reached(), "isl rejects {text}");
            return None;
        };
        assert!(read.domain()?.is_equal(&domain)?, "the domains differ\n  ours: {text}\n  isl: {}", theirs.text());
        let equal = read.eq_set(theirs)?.is_equal(&domain)?;
        assert!(equal, "the values differ\n  ours: {text}\n  isl: {}", theirs.text());
        if self.random.one_in(3) && !domain.is_empty()? {
            let text = theirs.text();
            let back: PwAff = text.parse().unwrap_or_else(|e| panic!("Poly rejects {text}: {e}"));
            assert!(back.is_equal(ours, &mut Budget::new(BUDGET)).ok()?, "Poly: {ours} is not isl's {back}");
        }
        Some(())
    }

    /// Compare tuples of integer functions, as relations.
    pub fn same_pw_multi_aff(&mut self, ours: &PwMultiAff, theirs: &isl::PwMultiAff) -> Option<()> {
        let theirs = theirs.as_map()?;
        self.same_map(&ours.to_map(), &theirs)?;
        if self.random.one_in(3) && !theirs.is_empty()? {
            // isl does not read functions without a point.
            let text = ours.to_string();
            let read = isl::PwMultiAff::read(self.context, &text);
            assert!(read.is_some() || self.context.limit_was_reached(), "isl rejects {text}");
            assert!(read?.as_map()?.is_equal(&theirs)?, "isl reads something else: {text}");
        }
        Some(())
    }
}
