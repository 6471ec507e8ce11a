//! The values of one loop counter, cut into intervals that become loops.
//!
//! The intervals of a level follow each other in the order of the counter. `partition` chooses them
//! by the loop type:
//!
//! * *separate* \[Quillere2000\]: intervals in each of which the same polyhedra have points
//!   throughout, so that no condition is left inside the loop; where these would be too many, at
//!   least the range in which all do is separated (`core.rs`). Outer loops are only separated along
//!   constraints that do not come from inner dimensions: those will be enforced by inner loops;
//! * *atomic*: one interval, the hull of all shadows; conditions inside restore exactness;
//! * *unroll*: one interval per value, if there is a constant bound on their number;
//! * *default*: separate where the loop is innermost for all polyhedra, atomic elsewhere.
//!
//! Before that, polyhedra that run entirely before others are separated, whatever the type: they
//! are loops after each other and nothing is copied. Polyhedra that interleave with a common stride
//! are shifted onto the same values (`shift.rs`).
//!
//! Where a band isolates some values (full tiles), the level is cut along those first
//! (`isolate.rs`).

use poly_arith::Int;
use poly_presburger::solver::IntOptimum;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};
use poly_schedule_tree::LoopType;

use crate::atomic::{self, Hull};
use crate::constraint_system::ConstraintSystem;
use crate::context::Context;
use crate::core;
use crate::interval::{Interval, Polyhedron, restrict_polyhedron};
use crate::options::AstOptions;
use crate::order::{self, Relation, TreeOrder};
use crate::refine::{refine, without_constraints};
use crate::separate::{self, Region};
use crate::shadow::{Shadow, Stride, determines_rest, explicit, value_equality};
use crate::shift;

/// How a level is to be partitioned.
pub(crate) struct LevelOptions<'a> {
    pub(crate) loop_type: LoopType,
    /// First dimension behind the members of the band.
    pub(crate) end: usize,
    /// How the tree below the band orders two statements.
    pub(crate) below: &'a dyn Fn(usize, usize) -> TreeOrder,
    /// The counter may be shifted: nothing below mentions it.
    pub(crate) may_shift: bool,
    pub(crate) ast: &'a AstOptions,
}

/// The intervals of a level, in the order of the counter.
pub(crate) fn partition(
    context: &Context,
    polyhedra: Vec<Polyhedron>,
    options: &LevelOptions<'_>,
    budget: &mut Budget,
) -> Result<Vec<Interval>, Stop> {
    let (domains, which) = distinct_domains(&polyhedra);
    let relations = order::Relations::new(context, &domains);
    let mut before = |a: usize, b: usize| {
        let below = (options.below)(polyhedra[a].disjunct.statement, polyhedra[b].disjunct.statement);
        match relations.get(which[a], which[b], budget)? {
            Relation::Disjoint => Ok(false),
            Relation::Before => Ok(true),
            Relation::Touching => order::runs_before(context, &polyhedra[a], &polyhedra[b], options.end, below, budget),
        }
    };
    let groups = order::groups(polyhedra.len(), &mut before, &|_, _| 0)?;
    let mut intervals = Vec::new();
    for group in groups {
        let members = group.iter().map(|&k| polyhedra[k].clone()).collect();
        intervals.extend(partition_group(context, members, options, budget)?);
    }
    Ok(intervals)
}

/// The conditions along which polyhedra are separated. What only follows from constraints on inner
/// dimensions will be enforced by inner loops, which then have no iteration; it is not worth a loop
/// of its own.
fn explicit_domains(
    context: &Context,
    polyhedra: &[Polyhedron],
    innermost: bool,
    budget: &mut Budget,
) -> Result<Vec<BasicSet>, Stop> {
    let mut result = Vec::new();
    for polyhedron in polyhedra {
        let shadow = &polyhedron.shadow.domain;
        let explicit = if innermost { None } else { explicit(&polyhedron.disjunct.set, context.depth(), budget)? };
        let refined = match explicit {
            Some(set) => refine(&context.generated, &set, budget)?,
            None => None,
        };
        result.push(refined.unwrap_or_else(|| shadow.clone()));
    }
    Ok(result)
}

/// The different shadows of polyhedra, and which of them each has.
fn distinct_domains(polyhedra: &[Polyhedron]) -> (Vec<&BasicSet>, Vec<usize>) {
    distinct(polyhedra.iter().map(|polyhedron| &polyhedron.shadow.domain))
}

/// The different sets, and the number of each.
fn distinct<'a>(sets: impl Iterator<Item = &'a BasicSet>) -> (Vec<&'a BasicSet>, Vec<usize>) {
    let mut domains: Vec<&BasicSet> = Vec::new();
    let mut which = Vec::new();
    for domain in sets {
        which.push(domains.iter().position(|d| *d == domain).unwrap_or(domains.len()));
        if which.last() == Some(&domains.len()) {
            domains.push(domain);
        }
    }
    (domains, which)
}

/// The intervals of polyhedra that do not run one after the other.
fn partition_group(
    context: &Context,
    polyhedra: Vec<Polyhedron>,
    options: &LevelOptions<'_>,
    budget: &mut Budget,
) -> Result<Vec<Interval>, Stop> {
    if options.loop_type == LoopType::Unroll
        && let Some(intervals) = unrolled(context, &polyhedra, options.ast, budget)?
    {
        return Ok(intervals);
    }
    let shifted =
        if options.may_shift && options.loop_type != LoopType::Unroll { shift::shifted(&polyhedra) } else { None };
    let polyhedra = shifted.unwrap_or(polyhedra);
    if polyhedra.len() == 1 || options.loop_type == LoopType::Atomic {
        return Ok(vec![Interval::atomic(context, polyhedra, budget)?]);
    }
    let inner = context.depth() + 1;
    let innermost = polyhedra.iter().all(|p| determines_rest(&p.disjunct.set, inner));
    if innermost || options.loop_type == LoopType::Separate {
        let explicit = explicit_domains(context, &polyhedra, innermost, budget)?;
        let (domains, which) = distinct(explicit.iter());
        if let Some(mut regions) = separate::regions(context, &domains, options.ast.max_intervals, budget)? {
            for region in &mut regions {
                region.active = (0..polyhedra.len()).filter(|&k| region.active.contains(&which[k])).collect();
            }
            let exact: Vec<bool> = polyhedra.iter().zip(&explicit).map(|(p, e)| p.shadow.domain == *e).collect();
            return separated(context, &polyhedra, &exact, regions, budget);
        }
        if let Some(intervals) = core::intervals(context, &polyhedra, budget)? {
            return Ok(intervals);
        }
    }
    Ok(vec![Interval::atomic(context, polyhedra, budget)?])
}

/// Intervals from regions with their active polyhedra; the shadows of those that are not `exact`
/// may be smaller. Regions whose order depends on outer counters share an interval.
fn separated(
    context: &Context,
    polyhedra: &[Polyhedron],
    exact: &[bool],
    regions: Vec<Region>,
    budget: &mut Budget,
) -> Result<Vec<Interval>, Stop> {
    let domains: Vec<&BasicSet> = regions.iter().map(|r| &r.domain).collect();
    let mut intervals = Vec::new();
    for group in order::ordered_ranges(context, &domains, budget)? {
        if let [only] = group[..]
            && regions[only].active.iter().all(|&k| exact[k])
        {
            let region = &regions[only];
            let polyhedra = region.active.iter().map(|&k| polyhedra[k].clone()).collect();
            intervals.push(Interval {
                hull: Hull::convex(region.domain.clone()),
                polyhedra,
                restrict: true,
                unless: Vec::new(),
            });
            continue;
        }
        let mut restricted = Vec::new();
        for region in group.iter().map(|&g| &regions[g]) {
            for &k in &region.active {
                let polyhedron = restrict_polyhedron(&polyhedra[k], &region.domain);
                if let Some(domain) = refine(&context.generated, &polyhedron.shadow.domain, budget)? {
                    restricted.push(Polyhedron { shadow: Shadow { domain, ..polyhedron.shadow }, ..polyhedron });
                }
            }
        }
        if restricted.is_empty() {
            continue;
        }
        intervals.push(Interval::atomic(context, restricted, budget)?);
    }
    Ok(intervals)
}

/// One interval per counter value: `None` without a constant bound on the number of values.
fn unrolled(
    context: &Context,
    polyhedra: &[Polyhedron],
    options: &AstOptions,
    budget: &mut Budget,
) -> Result<Option<Vec<Interval>>, Stop> {
    let domains: Vec<&BasicSet> = polyhedra.iter().map(|p| &p.shadow.domain).collect();
    let hull = atomic::hull(context, &domains, budget)?;
    let d = context.depth();
    let stride = common_stride(context, polyhedra, budget)?;
    let Some((carrier, first, count)) = smallest_range(context, &hull.convex, &domains, &stride, budget)? else {
        return Ok(None);
    };
    if count > Int::from(options.max_unroll) {
        return Ok(None);
    }
    let mut intervals = Vec::new();
    let mut k = Int::ZERO;
    while k < count {
        let mut value = without_constraints(&carrier);
        let mut row = first.clone();
        row[0] -= &(&k * &stride.modulus);
        value.add_eq(row);
        let mut active = Vec::new();
        for polyhedron in polyhedra {
            if order::have_common_value(context, &polyhedron.shadow.domain, &value, budget)? {
                active.push(polyhedron.clone());
            }
        }
        if !active.is_empty() {
            intervals.push(Interval {
                hull: Hull::convex(hull.convex.intersect(&value)),
                polyhedra: active,
                restrict: true,
                unless: Vec::new(),
            });
        }
        k += &Int::ONE;
    }
    debug_assert!(intervals.iter().all(|p| p.hull.convex.n_dim() == d + 1));
    Ok(Some(intervals))
}

/// A form `t - first` whose values on all domains are less than `count` multiples of the modulus,
/// with the least constant `count`, and the set over whose columns it is.
fn smallest_range(
    context: &Context,
    hull: &BasicSet,
    domains: &[&BasicSet],
    stride: &Stride,
    budget: &mut Budget,
) -> Result<Option<(BasicSet, Row, Int)>, Stop> {
    let col = hull.offset(DimKind::Out) + context.depth();
    let mut best: Option<(Row, Int)> = None;
    let lower = hull.ineqs().iter().chain(hull.eqs()).filter(|r| r[col].is_one());
    for row in lower.cloned().collect::<Vec<Row>>() {
        let mut count = Some(Int::ZERO);
        for domain in domains {
            let mut system = ConstraintSystem::new(1 + hull.n_var());
            system.constrain(&context.generated);
            system.constrain(domain);
            let map = system.columns(hull);
            let negated: Row = system.place(&row, &map).iter().map(|x| -x).collect();
            count = match (count, system.integer_minimum(&negated, budget)?) {
                (Some(n), IntOptimum::Bounded(value)) => Some(n.max((-value).div_floor(&stride.modulus) + Int::ONE)),
                (n, IntOptimum::Empty) => n,
                _ => None,
            };
        }
        if let Some(n) = count
            && best.as_ref().is_none_or(|(_, least)| n < *least)
        {
            best = Some((row, n));
        }
    }
    Ok(best.map(|(row, n)| {
        let (carrier, first) = first_with_stride(hull, &row, stride);
        (carrier, first, n)
    }))
}

/// The form `t - first` for the least value `first` with the stride that satisfies
/// `t - lower >= 0`, which is `row`, and the set with what is needed for that.
pub(crate) fn first_with_stride(set: &BasicSet, row: &Row, stride: &Stride) -> (BasicSet, Row) {
    let mut carrier = set.clone();
    if stride.modulus.is_one() {
        return (carrier, row.clone());
    }
    // first = offset - m floor((offset - lower) / m)
    let col = set.offset(DimKind::Div) - 1;
    let mut distance = row.clone();
    distance.resize(set.n_col(), Int::ZERO);
    distance[col] = Int::ZERO;
    distance.iter_mut().zip(&stride.offset).for_each(|(x, o)| *x += o);
    let div = carrier.add_div(stride.modulus.clone(), distance);
    let mut first: Row = stride.offset.iter().map(|x| -x).collect();
    first.resize(div + 1, Int::ZERO);
    first[col] = Int::ONE;
    first[div] = stride.modulus.clone();
    (carrier, first)
}

/// The finest stride that the values of all polyhedra have, also by way of what is known of the
/// outer dimensions.
pub(crate) fn common_stride(context: &Context, polyhedra: &[Polyhedron], budget: &mut Budget) -> Result<Stride, Stop> {
    let mut strides = polyhedra.iter().map(|p| &p.shadow.stride);
    let first = strides.next().expect("a level has polyhedra").clone();
    let plain = strides.fold(first, |all, s| all.common(s));
    let mut candidates: Vec<&Stride> = polyhedra.iter().map(|p| &p.shadow.stride).collect();
    candidates.retain(|stride| stride.modulus > plain.modulus);
    candidates.sort_by(|a, b| b.modulus.cmp(&a.modulus));
    'candidates: for (i, candidate) in candidates.iter().enumerate() {
        if candidates[..i].contains(candidate) {
            continue;
        }
        for polyhedron in polyhedra.iter().filter(|p| p.shadow.stride != **candidate) {
            if !has_stride(context, polyhedron, candidate, budget)? {
                continue 'candidates;
            }
        }
        return Ok((*candidate).clone());
    }
    Ok(plain)
}

/// Whether all values of a polyhedron have a stride. Only decided where an equality gives the
/// value: others have strides of their own.
fn has_stride(context: &Context, polyhedron: &Polyhedron, stride: &Stride, budget: &mut Budget) -> Result<bool, Stop> {
    let domain = &polyhedron.shadow.domain;
    if value_equality(domain, context.depth()).is_none() {
        return Ok(false);
    }
    // Is t - offset = m q + r with 0 < r < m possible?
    let (counter, quotient) = (domain.n_var(), domain.n_var() + 1);
    let mut system = ConstraintSystem::new(quotient + 1);
    system.constrain(&context.generated);
    system.constrain(domain);
    let mut rest: Row = stride.offset.iter().map(|x| -x).collect();
    rest.resize(quotient + 1, Int::ZERO);
    rest[counter] = Int::ONE;
    rest[quotient] = -&stride.modulus;
    let mut less: Row = rest.iter().map(|x| -x).collect();
    less[0] += &(&stride.modulus - &Int::ONE);
    rest[0] -= &Int::ONE;
    system.add_ineq(rest);
    system.add_ineq(less);
    system.is_empty(budget)
}
