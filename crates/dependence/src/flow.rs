//! Dependences computed from unions of accesses, after isl's `isl_union_access_info`.
//!
//! # Problem
//! Given relations from instances to elements: reads (*sinks*), definite and possible writes
//! (*must-* and *may-sources*) and *kills*, after which nothing is seen that was written before;
//! and an order of the instances, as a schedule tree or as a relation to time. Which writes may a
//! read see, which is it certain to see, and which reads may see what was there before the program
//! began?
//!
//! # Instances at the same time
//! The order may be partial: neither of two instances at the same time runs before the other. The
//! partial order is the set of its total ones, so the analysis ([`crate::dataflow`]) is run for
//! each: possible dependences are the union over all of them, certain dependences the intersection.
//! A read runs before the writes at its time, a kill of an instance before the writes of the same
//! instance.
//!
//! # Algorithm
//! 1. Each pair of an instance and an element becomes an instance of its own, so that the results
//!    tell the element.
//! 2. Its time is extended by the role (reads first), the place of its statement in the permutation
//!    of those that share times, kills before writes, and the coordinates of the element, between
//!    which there is no conflict.
//! 3. For each permutation, the dataflow; killed reads have no source there.
//!
//! Where the time of a statement is no affine function of the instance, as in tiles, the pair of
//! instance and time takes the place of the instance: the time is an affine function of it. Results
//! are mapped back.
//!
//! The conformance suite `flow` compares the results with isl's on isl's own test inputs.

use std::fmt;

use poly_presburger::{Budget, DimKind, Map, Set, Space, Stop, Tuple, UnionMap, UnionSet};
use poly_schedule_tree::ScheduleTree;

use crate::dataflow::dataflow;
use crate::prepare::affine_rows;
use crate::problem::{AccessInfo, AccessKind, Problem, StatementInfo};

/// Statements at the same time for which all orders are tried.
const MOST_PERMUTED: usize = 6;

/// Accesses and the order of their instances; isl's `isl_union_access_info`.
///
/// ```
/// use poly_dependence::UnionAccessInfo;
/// use poly_presburger::{Budget, UnionMap};
/// use poly_schedule_tree::ScheduleTree;
///
/// // for (i = 0; i < 9; i++) { t = a[i]; free(t) after the last use: U(t); }
/// let order: ScheduleTree = r#"{ domain: "{ W[i] : 0 <= i < 9; U[i] : 0 <= i < 9 }", child: {
///     schedule: "[{ W[i] -> [(i)]; U[i] -> [(i)] }]", child: {
///     sequence: [ { filter: "{ W[i] }" }, { filter: "{ U[i] }" } ] } } }"#.parse()?;
/// let info = UnionAccessInfo::from_sink("{ U[i] -> t[] : 0 <= i < 9 }".parse()?)
///     .with_must_source("{ W[i] -> t[] : 0 <= i < 9 }".parse()?)
///     .with_schedule(&order);
/// let flow = info.compute_flow(&mut Budget::unlimited())?;
/// let expected: UnionMap = "{ W[i] -> U[i] : 0 <= i < 9 }".parse()?;
/// assert!(flow.must_dependence().is_equal(&expected, &mut Budget::unlimited())?);
/// assert!(flow.may_no_source.is_empty(&mut Budget::unlimited())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct UnionAccessInfo {
    sink: UnionMap,
    must_source: UnionMap,
    may_source: UnionMap,
    kill: UnionMap,
    time: UnionMap,
}

/// What reads see; isl's `isl_union_flow`. The dependences tell the element:
/// `source -> [sink -> element]`.
#[derive(Clone, Debug)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct UnionFlow {
    /// The writes that a read is certain to see.
    pub full_must_dependence: UnionMap,
    /// The writes that a read may see, those that it is certain to see included.
    pub full_may_dependence: UnionMap,
    /// The reads that no write reaches.
    pub must_no_source: UnionMap,
    /// The reads that may see what was there before the program began, or nothing after a kill.
    pub may_no_source: UnionMap,
}

/// Why there is no flow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlowError {
    /// The budget is used up.
    Stop,
    /// The instances of a statement have no time.
    NoTime(Tuple),
    /// Some instance of a statement has several times.
    SeveralTimes(Tuple),
    /// Times of different statements have different numbers of dimensions.
    TimeSpaces,
    /// Several instances of a statement that writes run at the same time.
    SameTime(Tuple),
    /// More statements write at the same time than orders can be tried for.
    TooManyOrders(usize),
}

impl From<Stop> for FlowError {
    fn from(Stop: Stop) -> FlowError {
        FlowError::Stop
    }
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlowError::Stop => Stop.fmt(f),
            FlowError::NoTime(tuple) => write!(f, "{tuple} has no time"),
            FlowError::SeveralTimes(tuple) => write!(f, "an instance of {tuple} has several times"),
            FlowError::TimeSpaces => f.write_str("all times have the same number of dimensions"),
            FlowError::SameTime(tuple) => write!(f, "instances of {tuple} run at the same time"),
            FlowError::TooManyOrders(n) => write!(f, "{n} statements run at the same time"),
        }
    }
}

impl std::error::Error for FlowError {}

impl UnionAccessInfo {
    /// Reads, without writes and without an order.
    pub fn from_sink(sink: UnionMap) -> UnionAccessInfo {
        let none = || UnionMap::empty(Vec::new());
        UnionAccessInfo { sink, must_source: none(), may_source: none(), kill: none(), time: none() }
    }

    /// With these reads.
    pub fn with_sink(self, sink: UnionMap) -> UnionAccessInfo {
        UnionAccessInfo { sink, ..self }
    }

    /// With these writes, which certainly happen.
    pub fn with_must_source(self, must_source: UnionMap) -> UnionAccessInfo {
        UnionAccessInfo { must_source, ..self }
    }

    /// With these writes, which may happen. What is both is certain.
    pub fn with_may_source(self, may_source: UnionMap) -> UnionAccessInfo {
        UnionAccessInfo { may_source, ..self }
    }

    /// With these elements, whose values are not used after the instance.
    pub fn with_kill(self, kill: UnionMap) -> UnionAccessInfo {
        UnionAccessInfo { kill, ..self }
    }

    /// In the order of a tree. Instances that it does not order run at the same time.
    pub fn with_schedule(self, schedule: &ScheduleTree) -> UnionAccessInfo {
        self.with_schedule_map(schedule.schedule_map())
    }

    /// In the lexicographic order of the images. Instances with equal images run at the same time.
    pub fn with_schedule_map(self, time: UnionMap) -> UnionAccessInfo {
        UnionAccessInfo { time, ..self }
    }

    /// What the reads see.
    /// Cost: a dataflow analysis for each order of the statements that write at the same time.
    ///
    /// # Errors
    /// [`FlowError`]: also where instances of one statement, or too many statements, write at the
    /// same time.
    pub fn compute_flow(&self, budget: &mut Budget) -> Result<UnionFlow, FlowError> {
        let accesses = Accesses::new(self, budget)?;
        let mut total: Option<UnionFlow> = None;
        for order in accesses.orders(budget)? {
            let next = accesses.flow_in_order(&order, budget)?;
            total = Some(match total {
                None => next,
                Some(flow) => flow.over_both_orders(&next),
            });
        }
        Ok(total.expect("there is at least one order"))
    }
}

impl UnionFlow {
    /// From the writes to the reads that are certain to see them.
    pub fn must_dependence(&self) -> UnionMap {
        self.full_must_dependence.range_factor_domain()
    }

    /// From the writes to the reads that may see them.
    pub fn may_dependence(&self) -> UnionMap {
        self.full_may_dependence.range_factor_domain()
    }

    fn over_both_orders(self, other: &UnionFlow) -> UnionFlow {
        UnionFlow {
            full_must_dependence: self.full_must_dependence.intersect(&other.full_must_dependence),
            full_may_dependence: self.full_may_dependence.union(&other.full_may_dependence),
            must_no_source: self.must_no_source.intersect(&other.must_no_source),
            may_no_source: self.may_no_source.union(&other.may_no_source),
        }
    }
}

/// What the accesses of a relation do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Sink,
    Kill,
    MustSource,
    MaySource,
}

/// The accesses of a statement to an array in a role.
#[derive(Clone, Debug)]
struct Access {
    role: Role,
    /// The statement.
    tuple: Tuple,
    /// From instances, or from pairs of instances and times, to elements.
    relation: Map,
    /// From the same to times; an affine function.
    time: Map,
    /// From pairs of instances and times to instances.
    instance: Option<Map>,
}

impl Access {
    fn new(role: Role, relation: &Map, time: &UnionMap, budget: &mut Budget) -> Result<Access, FlowError> {
        let tuple = relation.space().tuple(DimKind::In).expect("a relation has a domain").clone();
        let Some(time) = time_of(time, &tuple) else { return Err(FlowError::NoTime(tuple)) };
        if !time.is_single_valued(budget)? {
            return Err(FlowError::SeveralTimes(tuple));
        }
        let time = flat(time);
        if affine_rows(&time, budget)?.is_some() {
            return Ok(Access { role, tuple, relation: relation.clone(), time, instance: None });
        }
        let instance = time.domain_map();
        let relation = instance.apply_range(relation);
        Ok(Access { role, tuple, relation, time: time.range_map(), instance: Some(instance) })
    }

    /// From the instances of the program, which are pairs with the element, to those of the
    /// statement.
    fn to_instances(&self) -> Map {
        let instances = self.relation.domain_map();
        self.instance.as_ref().map_or(instances.clone(), |instance| instances.apply_range(instance))
    }

    /// From the instances of the program to pairs of instances of the statement and elements, if
    /// these are others.
    fn to_pairs(&self) -> Option<Map> {
        let elements = Set::universe(self.relation.space().range_space());
        self.instance.as_ref().map(|instance| instance.product(&elements.identity()))
    }
}

/// All accesses, one by one.
#[derive(Debug)]
struct Accesses {
    accesses: Vec<Access>,
    time: UnionMap,
}

impl Accesses {
    fn new(info: &UnionAccessInfo, budget: &mut Budget) -> Result<Accesses, FlowError> {
        let mut levels = info.time.iter().map(|time| time.dim(DimKind::Out));
        let first = levels.next();
        if levels.any(|n| Some(n) != first) {
            return Err(FlowError::TimeSpaces);
        }
        // What is both a definite and a possible write is a definite one.
        let may_source = info.may_source.subtract(&info.must_source, budget)?;
        let roles = [
            (Role::Sink, &info.sink),
            (Role::MustSource, &info.must_source),
            (Role::MaySource, &may_source),
            (Role::Kill, &info.kill),
        ];
        // When other instances run does not matter.
        let accessing =
            roles.iter().fold(UnionSet::empty(Vec::new()), |all, (_, relation)| all.union(&relation.domain()));
        let time = info.time.intersect_domain(&accessing).coalesce(budget)?;
        let mut accesses = Vec::new();
        for (role, relation) in roles {
            for map in relation.iter().filter(|map| !map.plain_is_empty()) {
                accesses.push(Access::new(role, map, &time, budget)?);
            }
        }
        Ok(Accesses { accesses, time })
    }

    /// The statements that write or kill, in all orders of those that share times with others.
    fn orders(&self, budget: &mut Budget) -> Result<Vec<Vec<Tuple>>, FlowError> {
        let mut statements: Vec<Tuple> = Vec::new();
        for access in self.accesses.iter().filter(|a| a.role != Role::Sink) {
            if !statements.contains(&access.tuple) {
                statements.push(access.tuple.clone());
            }
        }
        let mut times: Vec<Set> = Vec::with_capacity(statements.len());
        let mut shared = vec![false; statements.len()];
        for (i, statement) in statements.iter().enumerate() {
            let time = time_of(&self.time, statement).expect("every access has a time");
            if !time.is_injective(budget)? {
                return Err(FlowError::SameTime(statement.clone()));
            }
            let own = time.range();
            for (j, other) in times.iter().enumerate() {
                if !own.is_disjoint(other, budget)? {
                    (shared[i], shared[j]) = (true, true);
                }
            }
            times.push(own);
        }
        let (permuted, fixed): (Vec<_>, Vec<_>) = statements.into_iter().zip(shared).partition(|(_, shared)| *shared);
        if permuted.len() > MOST_PERMUTED {
            return Err(FlowError::TooManyOrders(permuted.len()));
        }
        let tuples = |list: Vec<(Tuple, bool)>| list.into_iter().map(|(tuple, _)| tuple).collect::<Vec<_>>();
        let (permuted, fixed) = (tuples(permuted), tuples(fixed));
        Ok(permutations(&permuted).into_iter().map(|order| [order, fixed.clone()].concat()).collect())
    }

    /// The flow when statements at the same time run in this order.
    fn flow_in_order(&self, order: &[Tuple], budget: &mut Budget) -> Result<UnionFlow, FlowError> {
        let problem = self.problem(order);
        let empty = || UnionMap::empty(Vec::new());
        let mut flow = UnionFlow {
            full_must_dependence: empty(),
            full_may_dependence: empty(),
            must_no_source: empty(),
            may_no_source: empty(),
        };
        for read in dataflow(&problem, budget)? {
            let pairs = self.accesses[read.statement].to_pairs();
            let told =
                |dependence: Map| pairs.as_ref().map_or(dependence.clone(), |pairs| dependence.apply_range(pairs));
            let told_set = |set: Set| pairs.as_ref().map_or(set.clone(), |pairs| set.apply(pairs)).unwrap();
            let mut reached = read.uninitialized.clone();
            for (i, source) in read.sources.iter().enumerate() {
                reached = reached.subtract(&source.relation.range(), budget)?;
                let access = &self.accesses[source.statement];
                if access.role == Role::Kill {
                    continue;
                }
                let instances = access.to_instances();
                flow.full_may_dependence.add(told(source.relation.apply_domain(&instances)));
                if access.role == Role::MustSource {
                    let mut certain = source.relation.clone();
                    for (_, other) in read.sources.iter().enumerate().filter(|(j, _)| *j != i) {
                        let doubtful = certain.intersect_range(&other.relation.range());
                        certain = certain.subtract(&doubtful, budget)?;
                    }
                    flow.full_must_dependence.add(told(certain.apply_domain(&instances)));
                }
            }
            flow.may_no_source.add(told_set(read.uninitialized));
            flow.must_no_source.add(told_set(reached));
        }
        Ok(flow)
    }

    /// A program with a statement for each access: its instances are pairs of instance and element.
    fn problem(&self, order: &[Tuple]) -> Problem {
        let elements = self.accesses.iter().map(|a| a.relation.space().dim(DimKind::Out)).max().unwrap_or(0);
        let statements = self.accesses.iter().map(|access| access.statement(order, elements)).collect();
        let context = Set::universe(Space::params(self.time.param_ids().to_vec()));
        Problem { context, overlaps: Vec::new(), statements }
    }
}

impl Access {
    fn statement(&self, order: &[Tuple], elements: usize) -> StatementInfo {
        let access = self;
        let found = || order.iter().position(|tuple| *tuple == access.tuple);
        let position = || found().expect("every statement that writes is in the order");
        let (place, kind) = match access.role {
            Role::Sink => (0, AccessKind::Read),
            Role::MaySource => (1 + position(), AccessKind::MayWrite),
            Role::Kill | Role::MustSource => (1 + position(), AccessKind::MustWrite),
        };
        let own = access.relation.domain_map().apply_range(&access.time);
        let n = own.space().dim(DimKind::Out);
        let after_kill = i64::from(access.role != Role::Kill);
        let ranked =
            own.insert_dims(DimKind::Out, n, 2).fix(DimKind::Out, n, place).fix(DimKind::Out, n + 1, after_kill);
        let element = access.relation.range_map();
        let used = element.space().dim(DimKind::Out);
        let padded = flat(&element).insert_dims(DimKind::Out, used, elements - used);
        let padded = (used..elements).fold(padded, |map, i| map.fix(DimKind::Out, i, 0));
        StatementInfo {
            domain: access.relation.wrap(),
            time: ranked.flat_range_product(&padded),
            accesses: vec![AccessInfo { kind, relation: element, group: None }],
            reductions: Vec::new(),
        }
    }
}

fn time_of<'a>(time: &'a UnionMap, tuple: &Tuple) -> Option<&'a Map> {
    time.iter().find(|map| map.space().tuple(DimKind::In) == Some(tuple))
}

/// The relation with a range without name and structure.
fn flat(map: &Map) -> Map {
    map.set_tuple(DimKind::Out, Tuple::anonymous(map.space().dim(DimKind::Out)))
}

fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for item in items {
        let insert = |order: &Vec<T>| -> Vec<Vec<T>> {
            let at = |place: usize| [&order[..place], std::slice::from_ref(item), &order[place..]].concat();
            (0..=order.len()).map(at).collect()
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_orders() {
        assert_eq!(permutations(&[1, 2, 3]).len(), 6);
        assert_eq!(permutations::<u8>(&[]), [Vec::<u8>::new()]);
    }

    fn info(sink: &str, must: &str, time: &str) -> UnionAccessInfo {
        let read = |text: &str| -> UnionMap { text.parse().expect("the relation can be read") };
        UnionAccessInfo::from_sink(read(sink)).with_must_source(read(must)).with_schedule_map(read(time))
    }

    /// In tiles, in another order, and as pieces: what a read sees is the last write by the
    /// definition.
    #[test]
    fn times_that_are_not_affine() {
        for (time, expected) in [
            ("{ W[i] -> [floor(i/4), -i]; R[i] -> [9, i] }", "{ W[8] -> R[i] : 0 <= i <= 1 }"),
            ("{ W[i] -> [floor(i/4), i mod 4]; R[i] -> [floor(i/4), i mod 4] }", "{ W[i - 1] -> R[i] : 1 <= i <= 11 }"),
            (
                "{ W[i] -> [i, 0] : i <= 5; W[i] -> [i - 20, 0] : i >= 6; R[i] -> [0, 1] }",
                "{ W[0] -> R[i] : 0 <= i <= 11 }",
            ),
        ] {
            let reads = if expected.contains("<= 1 ") {
                "{ R[i] -> a[] : 0 <= i <= 1 }"
            } else {
                "{ R[i] -> a[] : 0 <= i <= 11 }"
            };
            let found = info(reads, "{ W[i] -> a[] : 0 <= i <= 11 }", time).compute_flow(&mut Budget::unlimited());
            let found = found.expect("there is a flow");
            let expected: UnionMap = expected.parse().expect("the relation can be read");
            let equal = found.must_dependence().is_equal(&expected, &mut Budget::unlimited());
            assert_eq!(equal, Ok(true), "{time}: {}", found.must_dependence());
            assert_eq!(
                found.must_no_source.range().is_empty(&mut Budget::unlimited()),
                Ok(!time.contains("mod")),
                "{time}"
            );
        }
    }

    #[test]
    fn what_has_no_order_is_refused() {
        let failed = |info: &UnionAccessInfo| info.compute_flow(&mut Budget::unlimited()).err();
        let no_time = info("{ R[] -> a[] }", "{ W[] -> a[] }", "{ R[] -> [0] }");
        assert!(matches!(failed(&no_time), Some(FlowError::NoTime(_))));
        let unread = info("{ R[] -> a[] }", "{ W[] -> a[] }", "{ W[] -> [0] }");
        assert!(matches!(failed(&unread), Some(FlowError::NoTime(_))));
        let twice = info("{ R[] -> a[] }", "{ W[i] -> a[] : i = 0 }", "{ W[i] -> [j] : 0 <= j <= 1; R[] -> [3] }");
        assert!(matches!(failed(&twice), Some(FlowError::SeveralTimes(_))));
        let spaces = info("{ R[] -> a[] }", "{ W[] -> a[] }", "{ W[] -> [0]; R[] -> [1, 0] }");
        assert!(matches!(failed(&spaces), Some(FlowError::TimeSpaces)));
        let same = info("{ R[] -> a[] }", "{ W[i] -> a[] : 0 <= i <= 1 }", "{ W[i] -> [0]; R[] -> [1] }");
        assert!(matches!(failed(&same), Some(FlowError::SameTime(_))));
    }
}
