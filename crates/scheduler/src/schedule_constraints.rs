//! Scheduling from relations between instances: isl's `isl_schedule_constraints`.
//!
//! # Problem
//! Given instances (*domain*), what is known of the parameters (*context*) and
//!
//! * pairs of which the first runs before the second (*validity*);
//! * pairs that a parallel loop has in one iteration (*coincidence*);
//! * pairs that are to be near each other (*proximity*);
//! * pairs like those of validity that may be ignored where all pairs of a *condition* are at equal
//!   time (*conditional validity*);
//! * an outer schedule that is given (*prefix*);
//! * costs of the coefficients of schedule dimensions ([`Cost`]);
//!
//! find a schedule tree. The scheduler knows dependences, which are validity, coincidence and
//! proximity at once, those of reductions, which cost parallelism and no order, and input
//! dependences.
//!
//! # Method
//! 1. Pairs outside of the domain, those of an instance with itself, and those with different
//!    values of the prefix say nothing.
//! 2. Validity becomes dependences; coincidence without validity dependences between updates of a
//!    reduction; proximity input dependences. Conditional validity is kept as a whole, whatever the
//!    condition: that is legal.
//! 3. The prefix stands above what is found.
//! 4. The schedule is judged by `poly-checker`, which shares no code with the scheduler. For
//!    constraints that no order satisfies, and that is how one finds out, there is none.

use std::fmt;

use poly_arith::Int;
use poly_checker::{Legality, check};
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Id, Map, MultiUnionPwAff, Set, Space, Tuple, UnionMap, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

use crate::cost::{Cost, NumberedCost};
use crate::problem::{Options, Problem};
use crate::schedule_below;

/// What a schedule has to satisfy.
///
/// ```
/// use poly_presburger::Budget;
/// use poly_scheduler::{Options, ScheduleConstraints};
///
/// let steps = "{ S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 }".parse::<poly_presburger::UnionMap>()?;
/// let constraints = ScheduleConstraints::on_domain("[n] -> { S[t, i] : 0 <= t, i < n }".parse()?)
///     .with_validity(steps.clone())
///     .with_proximity(steps);
/// let tree = constraints.compute_schedule(&Options::default(), &mut Budget::unlimited())?;
/// let band = tree.band_nodes()[0].band().unwrap().clone();
/// assert!(band.permutable && band.n_member() == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct ScheduleConstraints {
    domain: UnionSet,
    context: Set,
    validity: UnionMap,
    condition: UnionMap,
    conditional_validity: UnionMap,
    coincidence: UnionMap,
    proximity: UnionMap,
    prefix: Option<MultiUnionPwAff>,
    costs: Vec<Cost>,
}

/// Why there is no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScheduleError {
    /// The budget is used up.
    Stop,
    /// No schedule was found that satisfies these pairs.
    NotFound(Box<Map>),
    /// The prefix has no value for some instance.
    PrefixDomain,
    /// A cost is of a statement or an iterator that the domain does not have.
    UnknownCost(Id),
}

impl From<Stop> for ScheduleError {
    fn from(Stop: Stop) -> ScheduleError {
        ScheduleError::Stop
    }
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScheduleError::Stop => Stop.fmt(f),
            ScheduleError::NotFound(pairs) => write!(f, "no schedule was found that satisfies {pairs}"),
            ScheduleError::PrefixDomain => f.write_str("the prefix has no value for some instance"),
            ScheduleError::UnknownCost(statement) => write!(f, "the domain has no such iterator of {statement}"),
        }
    }
}

impl std::error::Error for ScheduleError {}

impl ScheduleConstraints {
    /// No constraints on these instances.
    pub fn on_domain(domain: UnionSet) -> ScheduleConstraints {
        let none = || UnionMap::empty(Vec::new());
        ScheduleConstraints {
            domain,
            context: Set::universe(Space::params(Vec::new())),
            validity: none(),
            condition: none(),
            conditional_validity: none(),
            coincidence: none(),
            proximity: none(),
            prefix: None,
            costs: Vec::new(),
        }
    }

    /// With what is known of the parameters (a parameter set).
    pub fn with_context(self, context: Set) -> ScheduleConstraints {
        assert!(context.space().is_params(), "a context is a set of parameter values");
        ScheduleConstraints { context, ..self }
    }

    /// With pairs of which the first runs before the second.
    pub fn with_validity(self, validity: UnionMap) -> ScheduleConstraints {
        ScheduleConstraints { validity, ..self }
    }

    /// With pairs of which the first runs before the second unless no pair of `condition` has a
    /// distance. All of them are kept in order.
    pub fn with_conditional_validity(self, condition: UnionMap, validity: UnionMap) -> ScheduleConstraints {
        ScheduleConstraints { condition, conditional_validity: validity, ..self }
    }

    /// With pairs that parallel loops have in one iteration.
    pub fn with_coincidence(self, coincidence: UnionMap) -> ScheduleConstraints {
        ScheduleConstraints { coincidence, ..self }
    }

    /// With pairs that are to be near each other.
    pub fn with_proximity(self, proximity: UnionMap) -> ScheduleConstraints {
        ScheduleConstraints { proximity, ..self }
    }

    /// Below an outer schedule, which orders instances first, whatever else is known of them.
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_scheduler::{Options, ScheduleConstraints};
    /// let constraints = ScheduleConstraints::on_domain("{ S[i, j] : 0 <= i, j <= 9 }".parse()?)
    ///     .with_validity("{ S[i, j] -> S[i + 1, k] }".parse()?)
    ///     .with_prefix("[{ S[i, j] -> [(i)] }]".parse()?);
    /// let tree = constraints.compute_schedule(&Options::default(), &mut Budget::unlimited())?;
    /// let inner = tree.root().child(0).child(0);
    /// assert_eq!(inner.band().map(|band| (band.n_member(), band.coincident[0])), Some((1, true)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_prefix(self, prefix: MultiUnionPwAff) -> ScheduleConstraints {
        ScheduleConstraints { prefix: Some(prefix), ..self }
    }

    /// With one more cost, which comes after those that are there.
    pub fn with_cost(mut self, cost: Cost) -> ScheduleConstraints {
        self.costs.push(cost);
        self
    }

    /// The instances.
    pub fn domain(&self) -> &UnionSet {
        &self.domain
    }

    /// What is known of the parameters.
    pub fn context(&self) -> &Set {
        &self.context
    }

    /// The pairs of which the first runs before the second.
    pub fn validity(&self) -> &UnionMap {
        &self.validity
    }

    /// What the conditional validity depends on.
    pub fn condition(&self) -> &UnionMap {
        &self.condition
    }

    /// The pairs of the conditional validity.
    pub fn conditional_validity(&self) -> &UnionMap {
        &self.conditional_validity
    }

    /// The pairs that parallel loops have in one iteration.
    pub fn coincidence(&self) -> &UnionMap {
        &self.coincidence
    }

    /// The pairs that are to be near each other.
    pub fn proximity(&self) -> &UnionMap {
        &self.proximity
    }

    /// The same for the images of the instances. A prefix and costs, which are of the instances
    /// themselves, are left out.
    pub fn apply(&self, map: &UnionMap) -> ScheduleConstraints {
        let both = |pairs: &UnionMap| pairs.apply_domain(map).apply_range(map);
        ScheduleConstraints::on_domain(self.domain.apply(map))
            .with_context(self.context.clone())
            .with_validity(both(&self.validity))
            .with_conditional_validity(both(&self.condition), both(&self.conditional_validity))
            .with_coincidence(both(&self.coincidence))
            .with_proximity(both(&self.proximity))
    }

    /// A schedule that satisfies the constraints. Members of bands are coincident if they carry no
    /// pair of validity or coincidence.
    ///
    /// # Errors
    /// [`ScheduleError`]: also where nothing is found, be it that there is no schedule.
    pub fn compute_schedule(&self, options: &Options, budget: &mut Budget) -> Result<ScheduleTree, ScheduleError> {
        if let Some(prefix) = &self.prefix
            && prefix.dim() > 0
            && !self.domain.is_subset(&prefix.domain(), budget)?
        {
            return Err(ScheduleError::PrefixDomain);
        }
        let domains: Vec<Set> = self.domain.iter().cloned().collect();
        // There is no original order; whoever asks for it gets none.
        let untimed = |domain: &Set| {
            let times = Space::set(Vec::new(), Tuple::anonymous(0));
            Map::empty(Space::from_domain_and_range(domain.space(), &times))
        };
        let times: Vec<Map> = domains.iter().map(untimed).collect();
        let dependences = self.dependences(&domains, budget)?;
        let costs = self.numbered_costs(&domains)?;
        let problem = Problem { context: &self.context, domains: &domains, times: &times, dependences: &dependences };
        let options = Options { relax_reductions: true, ..*options };
        let tree = self.below_prefix(schedule_below(&problem, &self.given(&domains), &costs, &options, budget)?);
        let mut ordered = dependences;
        ordered.retain(|d| d.is_ordering() && !d.reduction);
        if self.prefix.is_some() {
            // Those that the prefix is to satisfy count, too.
            ordered = self.without_prefix().dependences(&domains, budget)?;
            ordered.retain(|d| d.is_ordering() && !d.reduction);
        }
        match check(&tree, &ordered, budget)? {
            Legality::Legal => Ok(tree),
            Legality::Violated { dependence, .. } => {
                Err(ScheduleError::NotFound(Box::new(ordered.swap_remove(dependence).relation)))
            }
        }
    }

    /// The linear forms of the iterators of each statement that the prefix fixes; those that are
    /// rounded fix none.
    fn given(&self, domains: &[Set]) -> Vec<Vec<Vec<Int>>> {
        let linear = |member: &UnionPwAff, domain: &Set| {
            let aff = member.get(domain.tuple()?)?.single_aff()?.clone();
            let first = 1 + aff.domain_space().params.len();
            aff.divs().is_empty().then(|| aff.row()[first..first + domain.n_dim()].to_vec())
        };
        let of = |domain: &Set| {
            let members = self.prefix.iter().flat_map(|prefix| prefix.members());
            members.filter_map(|member| linear(member, domain)).collect()
        };
        domains.iter().map(of).collect()
    }

    fn without_prefix(&self) -> ScheduleConstraints {
        ScheduleConstraints { prefix: None, ..self.clone() }
    }

    fn below_prefix(&self, tree: ScheduleTree) -> ScheduleTree {
        match &self.prefix {
            Some(prefix) if prefix.dim() > 0 => {
                let child = tree.tree().child().clone();
                ScheduleTree::new(tree.domain().clone(), Tree::band(Band::new(prefix.clone()), child))
            }
            _ => tree,
        }
    }

    fn numbered_costs(&self, domains: &[Set]) -> Result<Vec<NumberedCost>, ScheduleError> {
        let mut numbered = Vec::with_capacity(self.costs.len());
        for cost in &self.costs {
            let found = cost.numbered(|statement, iterator| {
                let number = domains.iter().position(|domain| domain.tuple_name() == Some(statement))?;
                iterator.is_none_or(|i| i < domains[number].n_dim()).then_some(number)
            });
            numbered.push(found.map_err(ScheduleError::UnknownCost)?);
        }
        Ok(numbered)
    }

    fn dependences(&self, domains: &[Set], budget: &mut Budget) -> Result<Vec<Dependence>, Stop> {
        let together = self.prefix.as_ref().map(|prefix| {
            let values = prefix.to_union_map();
            values.apply_range(&values.reverse())
        });
        let mut inside = |map: &UnionMap| {
            let between = map.intersect_domain(&self.domain).intersect_range(&self.domain);
            let between = together.as_ref().map_or(between.clone(), |together| between.intersect(together));
            between.intersect_params(&self.context).subtract(&self.domain.identity(), budget)
        };
        let validity = inside(&self.validity.union(&self.conditional_validity))?;
        let coincidence = inside(&self.coincidence)?;
        let proximity = inside(&self.proximity)?;
        let unordered = coincidence.subtract(&validity, budget)?;
        let kinds = [
            (&validity, DependenceKind::Flow, false),
            (&unordered, DependenceKind::Flow, true),
            (&proximity, DependenceKind::Input, false),
        ];
        let mut all = Vec::new();
        for (relation, kind, reduction) in kinds {
            for map in relation.iter().filter(|map| !map.plain_is_empty()) {
                let place = |kind| domains.iter().position(|domain| domain.tuple() == map.space().tuple(kind));
                let (Some(source), Some(sink)) = (place(DimKind::In), place(DimKind::Out)) else { continue };
                let (source, sink) = ((source, 0), (sink, 0));
                let relation = map.clone();
                all.push(Dependence { kind, source, sink, relation, reduction, conditional: false });
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::CostOrder;

    fn constraints(domain: &str, validity: &str) -> ScheduleConstraints {
        ScheduleConstraints::on_domain(domain.parse().expect("the domain can be read"))
            .with_validity(validity.parse().expect("the relation can be read"))
    }

    fn first_band(constraints: &ScheduleConstraints, options: &Options) -> Band {
        let tree = constraints.compute_schedule(options, &mut Budget::unlimited()).expect("there is a schedule");
        tree.band_nodes()[0].band().expect("it is a band").clone()
    }

    #[test]
    fn constraints_that_no_order_satisfies() {
        let cycle = constraints("{ A[]; B[] }", "{ A[] -> B[]; B[] -> A[] }");
        let found = cycle.compute_schedule(&Options::default(), &mut Budget::unlimited());
        assert!(matches!(found, Err(ScheduleError::NotFound(_))), "{found:?}");
        let backwards = constraints("{ S[i] : 0 <= i <= 9 }", "{ S[i] -> S[i + 1] }")
            .with_prefix("[{ S[i] -> [(-i)] }]".parse().expect("it can be read"));
        let found = backwards.compute_schedule(&Options::default(), &mut Budget::unlimited());
        assert!(matches!(found, Err(ScheduleError::NotFound(_))), "a prefix is judged, too: {found:?}");
        let partial = constraints("{ S[i] : 0 <= i <= 9 }", "{ }")
            .with_prefix("[{ S[i] -> [(i)] : i <= 5 }]".parse().expect("it can be read"));
        let found = partial.compute_schedule(&Options::default(), &mut Budget::unlimited());
        assert_eq!(found.err(), Some(ScheduleError::PrefixDomain));
    }

    #[test]
    fn costs_choose_among_dimensions() {
        let free = constraints("{ S[i, j] : 0 <= i, j <= 9 }", "{ }");
        assert_eq!(first_band(&free, &Options::default()).schedule.get(0).to_string(), "{ S[i, j] -> [(i)] }");
        let cost = Cost::new(CostOrder::AfterDistances).with_iterator("S", 0, 2).with_iterator("S", 1, 1);
        let cheap = first_band(&free.clone().with_cost(cost), &Options::default());
        assert_eq!(cheap.schedule.get(0).to_string(), "{ S[i, j] -> [(j)] }");
        let unknown = free.with_cost(Cost::new(CostOrder::First).with_iterator("S", 2, 1));
        let found = unknown.compute_schedule(&Options::default(), &mut Budget::unlimited());
        assert_eq!(found.err(), Some(ScheduleError::UnknownCost("S".into())));
    }

    #[test]
    fn costs_come_before_distances_or_after() {
        // Without distance along j, with distance 1 along i.
        let steps = "{ S[i, j] -> S[i + 1, j] }";
        let ordered =
            constraints("{ S[i, j] : 0 <= i, j <= 9 }", steps).with_proximity(steps.parse().expect("it can be read"));
        let cost = |order| Cost::new(order).with_iterator("S", 1, 1);
        let after = first_band(&ordered.clone().with_cost(cost(CostOrder::AfterDistances)), &Options::default());
        assert_eq!(after.schedule.get(0).to_string(), "{ S[i, j] -> [(j)] }");
        let first = first_band(&ordered.with_cost(cost(CostOrder::First)), &Options::default());
        assert_eq!(first.schedule.get(0).to_string(), "{ S[i, j] -> [(i)] }");
    }

    #[test]
    fn constants_are_bounded() {
        let shifted = constraints("{ A[i] : 0 <= i <= 9; B[i] : 0 <= i <= 9 }", "{ A[i] -> B[i - 3] }")
            .with_proximity("{ A[i] -> B[i - 3] }".parse().expect("it can be read"));
        let text = |options: Options| first_band(&shifted, &options).schedule.to_string();
        let fused = Options { fusion: crate::Fusion::Max, ..Options::default() };
        assert!(text(fused).contains("(3 + i)"), "{}", text(fused));
        assert!(
            !text(Options { max_constant: Some(2), ..fused }).contains("(3 + i)"),
            "{}",
            text(Options { max_constant: Some(2), ..fused })
        );
    }

    #[test]
    fn outer_loops_are_parallel_if_that_is_asked_for() {
        let stencil =
            constraints("[n] -> { S[t, i] : 0 <= t, i < n }", "{ S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 }");
        let plain = first_band(&stencil, &Options::default());
        assert_eq!((plain.n_member(), plain.coincident[0]), (2, false));
        let options = Options { outer_coincidence: true, ..Options::default() };
        let tree = stencil.compute_schedule(&options, &mut Budget::unlimited()).expect("there is a schedule");
        let bands: Vec<_> = tree.band_nodes().iter().map(|node| node.band().expect("it is a band").clone()).collect();
        assert_eq!(bands.iter().map(Band::n_member).collect::<Vec<_>>(), [1, 1], "{tree}");
        assert!(bands[1].coincident[0], "below the time step, all is parallel: {tree}");
    }
}
