//! Constant sizes as parameters.
//!
//! # Problem
//! The scheduler's integer programs are made from the constraints of the dependences. Bounds such
//! as `i <= 1999` put large numbers into them, and integer programming becomes slow for no benefit:
//! a good schedule does not depend on whether an array has 1999 or 2000 rows.
//!
//! # Method
//! 1. Collect the large constants of domains and dependences; constants that are close to each
//!    other share a representative.
//! 2. Write each as a new parameter plus a small offset. What holds for all values of the new
//!    parameters holds for the actual ones, so a schedule of the generalized problem is a schedule
//!    of the actual one. (It is checked again, exactly, in any case.)
//! 3. In the resulting tree put the actual values back, and the actual sets.

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::{
    Aff, BasicMap, Budget, DimKind, Id, Map, MultiAff, MultiUnionPwAff, Row, Set, Space, Stop, Tuple, UnionSet,
};
use poly_schedule_tree::{Band, NodeKind, ScheduleTree, Tree};

use crate::problem::{Options, Problem};

/// Constants from here on are sizes.
const SMALLEST_SIZE: i64 = 16;
/// Constants this close to a representative are written with its parameter.
const NEIGHBOURHOOD: i64 = 8;
/// Most new parameters.
const MAX_SIZES: usize = 6;

/// The new parameters.
#[derive(Debug)]
struct Sizes {
    /// The parameters of the problem, and behind them the new ones.
    params: Vec<Id>,
    /// Number of old parameters.
    old: usize,
    /// Values of the new parameters.
    values: Vec<Int>,
}

/// As [`crate::schedule`], with the large constants of domains and dependences as parameters while
/// a schedule is searched: quicker, and just as exact for the actual constants.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn schedule_with_sizes(
    problem: &Problem<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Result<ScheduleTree, Stop> {
    let general = General::of(problem);
    let tree = crate::schedule(&general.problem(), options, budget)?;
    Ok(general.specialize(&tree))
}

/// A problem with its sizes as parameters.
#[derive(Debug)]
pub struct General {
    sizes: Sizes,
    context: Set,
    domains: Vec<Set>,
    times: Vec<Map>,
    dependences: Vec<Dependence>,
    /// The domains of the problem as it is.
    actual: Vec<Set>,
}

impl General {
    /// The problem with its large constants as parameters.
    pub fn of(problem: &Problem<'_>) -> Self {
        let sizes = Sizes::of(problem);
        let actual = problem.domains.to_vec();
        if sizes.values.is_empty() {
            return Self {
                sizes,
                context: problem.context.clone(),
                domains: actual.clone(),
                times: problem.times.to_vec(),
                dependences: problem.dependences.to_vec(),
                actual,
            };
        }
        let dependence = |d: &Dependence| Dependence { relation: sizes.generalize(&d.relation), ..d.clone() };
        Self {
            context: sizes.context(problem.context),
            domains: actual.iter().map(|d| sizes.generalize(d.as_map()).into_set()).collect(),
            times: problem
                .times
                .iter()
                .map(|t| t.align_params(&sizes.params_space()).with_exact_params(&sizes.params))
                .collect(),
            dependences: problem.dependences.iter().map(dependence).collect(),
            actual,
            sizes,
        }
    }

    /// The problem that the scheduler is to be given.
    pub fn problem(&self) -> Problem<'_> {
        Problem { context: &self.context, domains: &self.domains, times: &self.times, dependences: &self.dependences }
    }

    /// The same sizes and context with other statements; `actual` are their domains in the problem
    /// as it is.
    pub(crate) fn with_statements(
        self,
        domains: Vec<Set>,
        times: Vec<Map>,
        dependences: Vec<Dependence>,
        actual: Vec<Set>,
    ) -> Self {
        Self { domains, times, dependences, actual, ..self }
    }

    /// A form over `[const | params]`, with the parameters of this problem given by `params`, in
    /// those of a space of the actual problem.
    pub(crate) fn actual_row(&self, row: &Row, params: &Space, space: &Space) -> Row {
        let mut result = vec![Int::ZERO; 1 + space.dim(DimKind::Param)];
        result[0] = row[0].clone();
        for (value, name) in row[1..].iter().zip(&params.params) {
            if let Some(target) = space.find_param(name.as_str()) {
                result[1 + target] += value;
            } else if let Some(size) = self.sizes.params[self.sizes.old..].iter().position(|p| p == name) {
                result[0] += &(value * &self.sizes.values[size]);
            } else {
                assert!(value.is_zero(), "{name} is a parameter of the problem but not of the statement");
            }
        }
        result
    }

    /// A schedule of this problem as one of the actual problem.
    pub fn specialize(&self, tree: &ScheduleTree) -> ScheduleTree {
        if self.sizes.values.is_empty() { tree.clone() } else { self.sizes.specialize(tree, &self.actual) }
    }
}

impl Sizes {
    fn of(problem: &Problem<'_>) -> Self {
        let mut params = problem.context.space().params_space();
        let maps = || problem.domains.iter().map(Set::as_map).chain(problem.dependences.iter().map(|d| &d.relation));
        let mut constants: Vec<Int> = Vec::new();
        for map in maps() {
            params = params.align(map.space()).params_space();
            for basic in map.basics().iter().filter(|b| b.n_div() == 0) {
                constants.extend(basic.eqs().iter().chain(basic.ineqs()).map(|row| row[0].abs()));
            }
        }
        let smallest = Int::from(SMALLEST_SIZE);
        constants.retain(|c| *c >= smallest);
        constants.sort();
        let neighbourhood = Int::from(NEIGHBOURHOOD);
        let mut values: Vec<Int> = Vec::new();
        for constant in constants {
            let is_new = values.last().is_none_or(|last| &constant - last > neighbourhood);
            if is_new && values.len() < MAX_SIZES {
                values.push(constant);
            }
        }
        let mut params = params.params;
        let old = params.len();
        for index in 0..values.len() {
            let fresh =
                (0..).map(|n| format!("size{index}_{n}")).find(|name| !params.iter().any(|p| p.as_str() == name));
            params.push(Id::new(&fresh.expect("there are enough names")));
        }
        Self { params, old, values }
    }

    fn params_space(&self) -> Space {
        Space::params(self.params.clone())
    }

    /// The new parameter whose value is at most a little smaller than the constant.
    fn representative(&self, constant: &Int) -> Option<usize> {
        let magnitude = constant.abs();
        let neighbourhood = Int::from(NEIGHBOURHOOD);
        (0..self.values.len()).rev().find(|&k| {
            let distance = &magnitude - &self.values[k];
            !distance.is_neg() && distance <= neighbourhood
        })
    }

    /// The relation with its large constants as parameters.
    fn generalize(&self, map: &Map) -> Map {
        let map = map.align_params(&self.params_space()).with_exact_params(&self.params);
        let basics = map
            .basics()
            .iter()
            .map(|basic| if basic.n_div() == 0 { self.generalize_basic(basic) } else { BasicMap::clone(basic) });
        Map::from_basics(map.space().clone(), basics.collect())
    }

    fn generalize_basic(&self, basic: &BasicMap) -> BasicMap {
        let mut result = BasicMap::universe(basic.space().clone());
        basic.eqs().iter().for_each(|row| result.add_eq(self.generalize_row(row)));
        basic.ineqs().iter().for_each(|row| result.add_ineq(self.generalize_row(row)));
        result
    }

    fn generalize_row(&self, row: &Row) -> Row {
        let mut row = row.clone();
        if let Some(size) = self.representative(&row[0]) {
            let sign = if row[0].is_neg() { Int::NEG_ONE } else { Int::ONE };
            row[0] -= &(&sign * &self.values[size]);
            row[1 + self.old + size] += &sign;
        }
        row
    }

    /// The context, and that the sizes are large and in order.
    fn context(&self, context: &Set) -> Set {
        let aligned = context.as_map().align_params(&self.params_space()).with_exact_params(&self.params);
        let mut context = aligned.into_set();
        for size in 0..self.values.len() {
            context = context.lower_bound(DimKind::Param, self.old + size, SMALLEST_SIZE);
        }
        context
    }

    /// The tree over the actual domains.
    fn specialize(&self, tree: &ScheduleTree, domains: &[Set]) -> ScheduleTree {
        let root = tree.tree().child().map_bottom_up(&mut |node: Tree| match node.kind() {
            NodeKind::Filter(filter) => {
                let kept = domains.iter().filter(|d| {
                    let name = d.tuple_name().map_or("", |id| id.as_str());
                    filter.get_named(name).is_some()
                });
                node.with_kind(NodeKind::Filter(UnionSet::from_members(kept.cloned())))
            }
            NodeKind::Band(band) => node.with_kind(NodeKind::Band(self.specialize_band(band, domains))),
            _ => node,
        });
        ScheduleTree::new(UnionSet::from_members(domains.iter().cloned()), root)
    }

    fn specialize_band(&self, band: &Band, domains: &[Set]) -> Band {
        let members = band.n_member();
        let parts: Vec<MultiAff> = domains
            .iter()
            .filter_map(|domain| {
                let name = domain.tuple_name().map_or("", |id| id.as_str());
                let affs: Option<Vec<Aff>> = (0..members)
                    .map(|m| {
                        let function = band.schedule.get(m).get_named(name)?;
                        let (_, aff) = function.pieces().first()?;
                        Some(self.specialize_aff(aff, domain.space()))
                    })
                    .collect();
                Some(MultiAff::into_tuple(domain.space(), Tuple::anonymous(members), affs?))
            })
            .collect();
        Band { schedule: MultiUnionPwAff::from_multi_affs(Tuple::anonymous(members), parts), ..band.clone() }
    }

    /// The function with the values of the sizes put in, over the space of the actual domain.
    fn specialize_aff(&self, aff: &Aff, space: &Space) -> Aff {
        assert!(aff.divs().is_empty(), "schedule rows are affine");
        let from = aff.domain_space();
        let mut row = vec![Int::ZERO; 1 + space.n_var()];
        row[0] = aff.row()[0].clone();
        for (position, name) in from.params.iter().enumerate() {
            let coefficient = &aff.row()[1 + position];
            if let Some(target) = space.find_param(name.as_str()) {
                row[1 + target] = coefficient.clone();
            } else if let Some(size) = self.params[self.old..].iter().position(|p| p == name) {
                row[0] += &(coefficient * &self.values[size]);
            } else {
                assert!(coefficient.is_zero(), "{name} is a parameter of the problem but not of the statement");
            }
        }
        let (source, target) = (from.offset(DimKind::Out), space.offset(DimKind::Out));
        let dims = space.dim(DimKind::Out);
        row[target..target + dims].clone_from_slice(&aff.row()[source..source + dims]);
        Aff::from_row(space.clone(), row, aff.denom().clone())
    }
}
