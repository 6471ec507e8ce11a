//! The values of one loop counter, cut into pieces that become loops.
//!
//! A [`Part`] is a set of instances with its shadow at the current level. A [`Piece`] is a convex range
//! of counter values together with the parts that run in it; the pieces of a level follow each
//! other in the order of the counter. `partition` chooses the pieces by the loop type:
//!
//! * *separate* \[Quillere2000\]: pieces in each of which the same parts run throughout, so that no
//!   condition is left inside the loop; where these would be too many, at least the range in which all
//!   parts run is separated (`core.rs`). Outer loops are only separated along constraints that do not come from
//!   inner dimensions: those will be enforced by inner loops;
//! * *atomic*: one piece, the hull of all shadows; conditions inside restore exactness;
//! * *unroll*: one piece per value, if there is a constant bound on their number;
//! * *default*: separate where the loop is innermost for all parts, atomic elsewhere.
//!
//! Before that, parts that run entirely before others are taken apart, whatever the type: they are
//! loops after each other and nothing is copied. Parts that interleave with a common stride are shifted onto the same
//! values (`shift.rs`).
//!
//! Where a band isolates some values (full tiles), the level is cut along those first (`isolate.rs`).

use poly_arith::Int;
use poly_presburger::solver::IntOptimum;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};
use poly_schedule_tree::LoopType;

use crate::atomic::{self, Hull};
use crate::build::AstOptions;
use crate::context::Context;
use crate::core;
use crate::joint::Joint;
use crate::order::{self, Relation, TreeOrder};
use crate::refine::{refine, without_constraints};
use crate::separate::{self, Region};
use crate::shadow::{Shadow, Stride, determines_rest, explicit, value_equality};
use crate::shift;

/// Instances of a statement: a basic set over schedule dimensions followed by the coordinates of
/// the statement. Different entries have no instance in common.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Number of the statement.
    pub(crate) statement: usize,
    /// The instances; all divs known.
    pub(crate) set: BasicSet,
    /// Number of schedule dimensions before the coordinates.
    pub(crate) offset: usize,
}

/// Instances with their shadow at the current level, which is refined in the context.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) entry: Entry,
    pub(crate) shadow: Shadow,
    /// What has been subtracted from the counter (see `shift.rs`).
    pub(crate) shift: Int,
}

/// A range of counter values.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Constraints on the counter that the loop enforces.
    pub(crate) hull: Hull,
    /// What runs in the range.
    pub(crate) parts: Vec<Part>,
    /// The parts have to be restricted to the range.
    pub(crate) restrict: bool,
    /// Values of the outer dimensions for which the piece does not run: none of these sets.
    pub(crate) unless: Vec<BasicSet>,
}

impl Piece {
    pub(crate) fn atomic(context: &Context, parts: Vec<Part>, budget: &mut Budget) -> Result<Piece, Stop> {
        let domains: Vec<&BasicSet> = parts.iter().map(|p| &p.shadow.domain).collect();
        let hull = atomic::hull(context, &domains, budget)?;
        Ok(Piece { hull, parts, restrict: false, unless: Vec::new() })
    }
}

/// How the level at hand is to be cut.
pub(crate) struct Cut<'a> {
    pub(crate) loop_type: LoopType,
    /// First dimension behind the members of the band.
    pub(crate) end: usize,
    /// How the tree below the band orders two statements.
    pub(crate) below: &'a dyn Fn(usize, usize) -> TreeOrder,
    /// The counter may be shifted: nothing below mentions it.
    pub(crate) may_shift: bool,
    pub(crate) options: &'a AstOptions,
}

/// The pieces of a level, in the order of the counter.
pub(crate) fn partition(
    context: &Context,
    parts: Vec<Part>,
    cut: &Cut<'_>,
    budget: &mut Budget,
) -> Result<Vec<Piece>, Stop> {
    let (domains, which) = distinct_domains(&parts);
    let relations = order::Relations::new(context, &domains);
    let mut before = |a: usize, b: usize| {
        let below = (cut.below)(parts[a].entry.statement, parts[b].entry.statement);
        match relations.get(which[a], which[b], budget)? {
            Relation::Apart => Ok(false),
            Relation::Before => Ok(true),
            Relation::Touching => order::runs_before(context, &parts[a], &parts[b], cut.end, below, budget),
        }
    };
    let groups = order::groups(parts.len(), &mut before, &|_, _| 0)?;
    let mut pieces = Vec::new();
    for group in groups {
        let members = group.iter().map(|&k| parts[k].clone()).collect();
        pieces.extend(partition_group(context, members, cut, budget)?);
    }
    Ok(pieces)
}

/// The conditions along which parts are separated. What only follows from constraints on inner dimensions will be
/// enforced by inner loops, which then have no iteration; it is not worth a loop of its own.
fn explicit_domains(
    context: &Context,
    parts: &[Part],
    innermost: bool,
    budget: &mut Budget,
) -> Result<Vec<BasicSet>, Stop> {
    let mut result = Vec::new();
    for part in parts {
        let shadow = &part.shadow.domain;
        let explicit = if innermost { None } else { explicit(&part.entry.set, context.depth(), budget)? };
        let refined = match explicit {
            Some(set) => refine(&context.generated, &set, budget)?,
            None => None,
        };
        result.push(refined.unwrap_or_else(|| shadow.clone()));
    }
    Ok(result)
}

/// The different shadows of parts, and which of them each part has.
fn distinct_domains(parts: &[Part]) -> (Vec<&BasicSet>, Vec<usize>) {
    distinct(parts.iter().map(|part| &part.shadow.domain))
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

/// The pieces of parts that do not run one after the other.
fn partition_group(
    context: &Context,
    parts: Vec<Part>,
    cut: &Cut<'_>,
    budget: &mut Budget,
) -> Result<Vec<Piece>, Stop> {
    if cut.loop_type == LoopType::Unroll
        && let Some(pieces) = unrolled(context, &parts, cut.options, budget)?
    {
        return Ok(pieces);
    }
    let shifted = if cut.may_shift && cut.loop_type != LoopType::Unroll { shift::shifted(&parts) } else { None };
    let parts = shifted.unwrap_or(parts);
    if parts.len() == 1 || cut.loop_type == LoopType::Atomic {
        return Ok(vec![Piece::atomic(context, parts, budget)?]);
    }
    let inner = context.depth() + 1;
    let innermost = parts.iter().all(|p| determines_rest(&p.entry.set, inner));
    if innermost || cut.loop_type == LoopType::Separate {
        let explicit = explicit_domains(context, &parts, innermost, budget)?;
        let (domains, which) = distinct(explicit.iter());
        if let Some(mut regions) = separate::regions(context, &domains, cut.options.max_pieces, budget)? {
            for region in &mut regions {
                region.active = (0..parts.len()).filter(|&k| region.active.contains(&which[k])).collect();
            }
            let exact: Vec<bool> = parts.iter().zip(&explicit).map(|(p, e)| p.shadow.domain == *e).collect();
            return separated(context, &parts, &exact, regions, budget);
        }
        if let Some(pieces) = core::pieces(context, &parts, budget)? {
            return Ok(pieces);
        }
    }
    Ok(vec![Piece::atomic(context, parts, budget)?])
}

/// Pieces from regions with their active parts; the shadows of those that are not `exact` may be smaller. Regions whose
/// order depends on outer counters share a piece.
fn separated(
    context: &Context,
    parts: &[Part],
    exact: &[bool],
    regions: Vec<Region>,
    budget: &mut Budget,
) -> Result<Vec<Piece>, Stop> {
    let domains: Vec<&BasicSet> = regions.iter().map(|r| &r.domain).collect();
    let mut pieces = Vec::new();
    for group in order::ordered_ranges(context, &domains, budget)? {
        if let [only] = group[..]
            && regions[only].active.iter().all(|&k| exact[k])
        {
            let region = &regions[only];
            let parts = region.active.iter().map(|&k| parts[k].clone()).collect();
            pieces.push(Piece { hull: Hull::convex(region.domain.clone()), parts, restrict: true, unless: Vec::new() });
            continue;
        }
        let mut restricted = Vec::new();
        for region in group.iter().map(|&g| &regions[g]) {
            for &k in &region.active {
                let part = restrict_part(&parts[k], &region.domain);
                if let Some(domain) = refine(&context.generated, &part.shadow.domain, budget)? {
                    restricted.push(Part { shadow: Shadow { domain, ..part.shadow }, ..part });
                }
            }
        }
        if restricted.is_empty() {
            continue;
        }
        pieces.push(Piece::atomic(context, restricted, budget)?);
    }
    Ok(pieces)
}

/// The part within a region of counter values.
pub(crate) fn restrict_part(part: &Part, region: &BasicSet) -> Part {
    let mut part = part.clone();
    part.entry = restrict_entry(&part.entry, region);
    part.shadow.domain = part.shadow.domain.intersect(region);
    part
}

/// The entry with its first dimensions in `region`.
pub(crate) fn restrict_entry(entry: &Entry, region: &BasicSet) -> Entry {
    let inner = entry.set.n_dim() - region.n_dim();
    let region = region.insert_dims(DimKind::Out, region.n_dim(), inner);
    Entry { set: entry.set.intersect(&region), ..entry.clone() }
}

/// One piece per counter value: `None` without a constant bound on the number of values.
fn unrolled(
    context: &Context,
    parts: &[Part],
    options: &AstOptions,
    budget: &mut Budget,
) -> Result<Option<Vec<Piece>>, Stop> {
    let domains: Vec<&BasicSet> = parts.iter().map(|p| &p.shadow.domain).collect();
    let hull = atomic::hull(context, &domains, budget)?;
    let d = context.depth();
    let stride = common_stride(context, parts, budget)?;
    let Some((carrier, first, count)) = smallest_range(context, &hull.convex, &domains, &stride, budget)? else {
        return Ok(None);
    };
    if count > Int::from(options.max_unroll) {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    let mut k = Int::ZERO;
    while k < count {
        let mut value = without_constraints(&carrier);
        let mut row = first.clone();
        row[0] -= &(&k * &stride.modulus);
        value.add_eq(row);
        let mut active = Vec::new();
        for part in parts {
            if order::have_common_value(context, &part.shadow.domain, &value, budget)? {
                active.push(part.clone());
            }
        }
        if !active.is_empty() {
            pieces.push(Piece {
                hull: Hull::convex(hull.convex.intersect(&value)),
                parts: active,
                restrict: true,
                unless: Vec::new(),
            });
        }
        k += &Int::ONE;
    }
    debug_assert!(pieces.iter().all(|p| p.hull.convex.n_dim() == d + 1));
    Ok(Some(pieces))
}

/// A form `t - first` whose values on all domains are less than `count` multiples of the modulus, with the least constant
/// `count`, and the set over whose columns it is.
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
            let mut joint = Joint::new(1 + hull.n_var());
            joint.constrain(&context.generated);
            joint.constrain(domain);
            let map = joint.columns(hull);
            let negated: Row = joint.place(&row, &map).iter().map(|x| -x).collect();
            count = match (count, joint.integer_minimum(&negated, budget)?) {
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

/// The form `t - first` for the least value `first` with the stride that satisfies `t - lower >= 0`, which is `row`, and
/// the set with what is needed for that.
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

/// The finest stride that the values of all parts have, also by way of what is known of the outer dimensions.
pub(crate) fn common_stride(context: &Context, parts: &[Part], budget: &mut Budget) -> Result<Stride, Stop> {
    let mut strides = parts.iter().map(|p| &p.shadow.stride);
    let first = strides.next().expect("a level has parts").clone();
    let plain = strides.fold(first, |all, s| all.common(s));
    let mut candidates: Vec<&Stride> = parts.iter().map(|p| &p.shadow.stride).collect();
    candidates.retain(|stride| stride.modulus > plain.modulus);
    candidates.sort_by(|a, b| b.modulus.cmp(&a.modulus));
    'candidates: for (i, candidate) in candidates.iter().enumerate() {
        if candidates[..i].contains(candidate) {
            continue;
        }
        for part in parts.iter().filter(|p| p.shadow.stride != **candidate) {
            if !has_stride(context, part, candidate, budget)? {
                continue 'candidates;
            }
        }
        return Ok((*candidate).clone());
    }
    Ok(plain)
}

/// Whether all values of a part have a stride. Only told where an equality gives the value: other parts have strides of
/// their own.
fn has_stride(context: &Context, part: &Part, stride: &Stride, budget: &mut Budget) -> Result<bool, Stop> {
    let domain = &part.shadow.domain;
    if value_equality(domain, context.depth()).is_none() {
        return Ok(false);
    }
    // Is t - offset = m q + r with 0 < r < m possible?
    let (counter, quotient) = (domain.n_var(), domain.n_var() + 1);
    let mut joint = Joint::new(quotient + 1);
    joint.constrain(&context.generated);
    joint.constrain(domain);
    let mut rest: Row = stride.offset.iter().map(|x| -x).collect();
    rest.resize(quotient + 1, Int::ZERO);
    rest[counter] = Int::ONE;
    rest[quotient] = -&stride.modulus;
    let mut less: Row = rest.iter().map(|x| -x).collect();
    less[0] += &(&stride.modulus - &Int::ONE);
    rest[0] -= &Int::ONE;
    joint.add_ineq(rest);
    joint.add_ineq(less);
    joint.is_empty(budget)
}
