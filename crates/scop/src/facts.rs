//! Numbers about statements for the cost model: trip counts, strides, operations.
//!
//! All of them are estimates: parameters take the values of [`Sizes`] unless the context bounds
//! them, and only one piece of a piecewise function is looked at. Nothing here decides
//! legality.

use std::collections::BTreeMap;

use poly_arith::{Int, Rational};
use poly_presburger::{Aff, BasicMap, Bounds, Budget, DimKind, Map, Row, Set, Stop};
use poly_transform::{LaneWork, Machine, Operands, Reference, USABLE, WholeLoops, Work};

use crate::chain::{self, Chains, chains};
use crate::moving::address_moves;
use crate::operations::{Kind, Sources, choices_and_minima, is_integer_extremum, kind_of, operations};
use crate::simplify::cases;
use crate::sizes::Sizes;
use crate::{
    Access, AccessId, AccessKind, Array, Instr, InstrKind, LaneLoop, OperandKind, Scop, Statement, lanes, temporaries,
};

/// Bytes that an allocator keeps beside a row.
const ROW_HEADER: f64 = 16.0;
/// Lines that the address of an access which is not affine moves by in every iteration: another
/// one, and not the neighbour.
const SCATTERED_LINES: u64 = 4;

/// An access for the cost model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AccessFacts {
    /// Bytes that the address moves when one iterator of the statement advances.
    pub(crate) steps: Vec<f64>,
    /// Bytes of an element.
    pub(crate) bytes: f64,
    /// It writes.
    pub(crate) write: bool,
    /// Equal for accesses that differ by constants only.
    pub(crate) group: usize,
    /// The array's number.
    pub(crate) array: usize,
    /// How much each subscript grows with each iterator, and the rest of it at these sizes,
    /// outermost subscript first; `None` if the access is not affine.
    pub(crate) subscripts: Option<Vec<(Vec<f64>, f64)>>,
    /// The number of the cache that keeps the array from one nest to the next.
    pub(crate) kept: Option<usize>,
}

impl AccessFacts {
    /// What it touches.
    pub(crate) fn reference(&self) -> Reference {
        Reference { bytes: self.bytes, write: self.write, array: self.array, group: self.group, kept: self.kept }
    }
}

/// A statement for the cost model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatementFacts {
    /// Iterations along each iterator.
    pub(crate) extents: Vec<f64>,
    /// Number of instances.
    pub(crate) instances: f64,
    /// Memory accesses; scalars live in registers and are left out.
    pub(crate) accesses: Vec<AccessFacts>,
    /// Operations of one instance.
    pub(crate) work: Work,
    /// Its chains begin with reads under conditions that are data.
    pub(crate) conditional_chain: bool,
}

impl StatementFacts {
    /// Whether an access before this one is of the same element, as far as both are affine; of
    /// others, whether one goes along with it.
    pub(crate) fn is_repeated(&self, access: usize) -> bool {
        let own = &self.accesses[access];
        let is_same = |other: &AccessFacts| other.group == own.group && other.subscripts == own.subscripts;
        self.accesses[..access].iter().any(is_same)
    }
}

/// Facts about every statement of a SCoP.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn facts(
    scop: &Scop,
    sizes: &Sizes,
    machine: &Machine,
    budget: &mut Budget,
) -> Result<Vec<StatementFacts>, Stop> {
    let values = estimates(scop, sizes, budget)?;
    let spacing = row_spacing(scop, (&values, sizes), machine, budget)?;
    let near = (machine, level_of_temporaries(scop, sizes, machine, budget)?);
    let of = |statement: &Statement| statement_facts(scop, statement, (&values, sizes, &spacing), near, &mut *budget);
    scop.statements.iter().map(of).collect()
}

/// The cache in which all temporaries of reductions with fewer operations have room. The equations
/// go over them again and again, one behind the other, so that they stay there.
fn level_of_temporaries(
    scop: &Scop,
    sizes: &Sizes,
    machine: &Machine,
    budget: &mut Budget,
) -> Result<Option<usize>, Stop> {
    if scop.reduced.is_empty() {
        return Ok(None);
    }
    let bytes = temporaries::bytes(scop, sizes, budget)?;
    Ok(machine.caches.iter().position(|cache| bytes <= USABLE * cache.counted_bytes() as f64))
}

/// A value for every parameter: that of the sizes where the context and the run-time check allow
/// it, else the largest value below that is possible (if all below that are), else any.
pub(crate) fn estimates(scop: &Scop, sizes: &Sizes, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    let params = scop.context.space().params.len();
    let mut rest = scop.context.clone();
    for assumption in scop.assumptions.iter().filter(|a| a.holds.n_basic() == 1) {
        let together = rest.intersect(&assumption.holds);
        // Where they contradict each other there is nothing to predict.
        if !together.is_empty(budget)? {
            rest = together.coalesce(budget)?;
        }
    }
    for index in 0..params {
        rest = with_estimate(rest, index, sizes.of(index), budget)?;
    }
    let sample = rest.sample(budget)?;
    Ok(sample.unwrap_or_else(|| (0..params).map(|index| Int::from(sizes.of(index))).collect()))
}

fn statement_facts(
    scop: &Scop,
    statement: &Statement,
    (values, sizes, spacing): (&[Int], &Sizes, &[f64]),
    (machine, kept): (&Machine, Option<usize>),
    budget: &mut Budget,
) -> Result<StatementFacts, Stop> {
    let extents = extents_of_part(scop, &statement.domain, values, sizes, budget)?;
    // By array, so that statements that access the same one in the same way have the same number
    // for it.
    let mut seen: BTreeMap<usize, Vec<Vec<f64>>> = BTreeMap::new();
    let (mut accesses, mut paths) = (Vec::new(), Vec::new());
    let mut bent = 0;
    let paths_of_all = chain::paths(statement, machine.latency);
    for (number, (access, path)) in statement.accesses.iter().zip(paths_of_all).enumerate() {
        let array = &scop.arrays[access.array.index()];
        if array.is_scalar() {
            continue;
        }
        if accesses.len() < 64 && access.exact && is_bent(&access.relation, &statement.domain, values, budget)? {
            bent |= 1 << accesses.len();
        }
        let steps = if is_anywhere(&access.relation) {
            let far = (SCATTERED_LINES * machine.memory.line_bytes) as f64;
            let moves = address_moves(scop, statement, AccessId::from(number));
            moves.iter().map(|&moves| if moves { far } else { 0.0 }).collect()
        } else {
            byte_steps((&access.relation, array), statement.loops.len(), values, spacing[access.array.index()])
        };
        let ways = seen.entry(access.array.index()).or_default();
        let group = ways.iter().position(|way| *way == steps).unwrap_or_else(|| {
            ways.push(steps.clone());
            ways.len() - 1
        });
        paths.push(path);
        accesses.push(AccessFacts {
            steps,
            bytes: f64::from(array.element.bytes),
            write: access.kind != AccessKind::Read,
            // Groups of different arrays must differ when statements are put together.
            group: access.array.index() * 1000 + group,
            array: access.array.index(),
            subscripts: subscripts(access, array, statement.loops.len(), values),
            kept: kept.filter(|_| array.is_temporary()),
        });
    }
    let Chains { longest: chain, stored, across: (across, across_stored), conditional, reduce: reduces } =
        chains(statement, machine.latency);
    let sources = Sources::new(scop, statement);
    let operations = operations(statement, &sources);
    let mut work = work(scop, statement, machine);
    work.masked_loads = masked_loads(scop, statement, &sources);
    let branches = if chain == 0.0 { branches(statement, &sources, &accesses, machine) } else { Vec::new() };
    let chained = Work { chain, stored, across, across_stored, branches, ..work };
    let work = Work { reduces, operations, bent, paths, ..chained };
    let all = extents.iter().product::<f64>().max(1.0);
    let instances = points(&statement.domain, values, budget)?.map_or(all, |points| points.min(all));
    let work = Work { hollow: 1.0 - instances / all, ..work };
    Ok(StatementFacts { instances, extents, accesses, work, conditional_chain: conditional })
}

/// About how many points a domain has: the product of the extents of its dimensions, each where the
/// ones before it are in the middle of theirs. `None` if a middle is in no point.
pub(crate) fn points(domain: &Set, values: &[Int], budget: &mut Budget) -> Result<Option<f64>, Stop> {
    let mut rest = at(&Set::from_basic(domain.clone().simple_hull(budget)?), values);
    let mut product = 1.0;
    for dimension in 0..domain.n_dim() {
        if rest.is_empty(budget)? {
            return Ok(None);
        }
        let bounds = rest.dim_bounds(dimension..dimension + 1, budget)?;
        let bounds = bounds.and_then(|mut bounds| bounds.pop());
        let Some(Bounds { least: Some(least), greatest: Some(greatest) }) = bounds else { return Ok(None) };
        product *= to_f64(&(&greatest - &least + 1).into()).max(1.0);
        rest = rest.fix(DimKind::Out, dimension, (least + greatest).div_floor(&Int::from(2)));
    }
    Ok(Some(product))
}

/// The extents of a statement. Where a reduction is in parts for different sizes
/// ([`Scop::reduced`]), a part without points for these values is not unknown, but one that others
/// have taken the place of: it costs next to nothing.
fn extents_of_part(
    scop: &Scop,
    domain: &Set,
    values: &[Int],
    sizes: &Sizes,
    budget: &mut Budget,
) -> Result<Vec<f64>, Stop> {
    if !scop.reduced.is_empty() && at(domain, values).is_empty(budget)? {
        return Ok(vec![1.0; domain.n_dim()]);
    }
    extents(domain, values, sizes, budget)
}

/// Iterations along each dimension: the distance of its bounds over the whole domain, for these
/// values of the parameters. (Bounds as functions of the parameters can cost very much, and only
/// one value of them is asked for.) Where that is not known, or the domain has no points for these
/// values, it is what the sizes say.
pub(crate) fn extents(domain: &Set, values: &[Int], sizes: &Sizes, budget: &mut Budget) -> Result<Vec<f64>, Stop> {
    let unknown = vec![sizes.least(); domain.n_dim()];
    let domain = at(domain, values);
    if domain.is_empty(budget)? {
        return Ok(unknown);
    }
    let Some(bounds) = domain.dim_bounds(0..domain.n_dim(), budget)? else { return Ok(unknown) };
    let known = bounds.iter().map(|bounds| Some(to_f64(&bounds.count()?.into()).max(1.0)));
    Ok(known.collect::<Option<Vec<f64>>>().unwrap_or(unknown))
}

/// The set at these values of the parameters.
pub(crate) fn at(set: &Set, values: &[Int]) -> Set {
    let params = values.iter().enumerate();
    params.fold(set.clone(), |set, (index, value)| set.fix(DimKind::Param, index, value.clone()))
}

/// A rational as a floating-point number, for estimates only.
pub(crate) fn to_f64(value: &Rational) -> f64 {
    let num = value.num().to_i64().map_or(1e18, |v| v as f64);
    let den = value.den().to_i64().map_or(1e18, |v| v as f64);
    num / den
}

/// The set with one value for a parameter, the wanted one if possible.
fn with_estimate(set: Set, index: usize, wanted: i64, budget: &mut Budget) -> Result<Set, Stop> {
    let at = |value: i64| set.fix(DimKind::Param, index, Int::from(value));
    let estimated = at(wanted);
    if !estimated.is_empty(budget)? {
        return Ok(estimated);
    }
    let Some(known) = set.sample(budget)?.and_then(|values| values[index].to_i64()) else { return Ok(set) };
    if known >= wanted {
        return Ok(set);
    }
    let (mut possible, mut impossible) = (known, wanted);
    while impossible - possible > 1 {
        let middle = possible + (impossible - possible) / 2;
        if at(middle).is_empty(budget)? {
            impossible = middle;
        } else {
            possible = middle;
        }
    }
    Ok(at(possible))
}

/// By array with rows that a table of pointers leads to, the bytes between what two neighbouring
/// pointers of the table lead to. Rows of a page and more are thought to lie in different pages,
/// and not in the same places of a cache; shorter ones one behind the other, as the allocator of
/// the program makes them. Where only every so many pointers lead to rows, the distance is divided
/// by that.
fn row_spacing(
    scop: &Scop,
    (values, sizes): (&[Int], &Sizes),
    machine: &Machine,
    budget: &mut Budget,
) -> Result<Vec<f64>, Stop> {
    let most = (machine.pages.bytes + machine.memory.line_bytes) as f64;
    let mut result = Vec::new();
    for (number, array) in scop.arrays.iter().enumerate() {
        let (mut bytes, mut stride) = (0.0, None::<Int>);
        if array.table().is_some() {
            for statement in &scop.statements {
                for access in statement.accesses.iter().filter(|access| access.array.index() == number) {
                    let elements = access.relation.intersect_domain(&statement.domain).range().set_tuple_name(None);
                    let rest = array.rank - 1;
                    let in_row = elements.project_out(DimKind::Out, 0, 1).project_out(DimKind::Out, 1, rest - 1);
                    let inner = array.extents.iter().map(|extent| to_f64(&extent.eval(values, &[])).max(1.0));
                    let count = extents(&in_row, values, sizes, budget)?[0] * inner.product::<f64>();
                    bytes = count.mul_add(f64::from(array.element.bytes), ROW_HEADER).max(bytes);
                    let own = at(&elements.project_out(DimKind::Out, 1, rest), values).stride(0, budget)?;
                    // All rows that are accessed are so many numbers apart.
                    stride = Some(stride.map_or(own.clone(), |stride| stride.gcd(&own)));
                }
            }
        }
        let stride = stride.and_then(|stride| stride.to_i64()).filter(|&stride| stride > 1).unwrap_or(1);
        result.push(bytes.min(most) / stride as f64);
    }
    Ok(result)
}

/// Whether an access has several affine functions in one execution of the innermost loop, for these
/// values of the parameters.
fn is_bent(relation: &Map, domain: &Set, values: &[Int], budget: &mut Budget) -> Result<bool, Stop> {
    let Some(innermost) = domain.n_dim().checked_sub(1) else { return Ok(false) };
    if relation.n_basic() < 2 {
        return Ok(false);
    }
    let domain = at(domain, values);
    let mut rows: Vec<(&[Row], Set)> = Vec::new();
    for piece in relation.basics() {
        let points = at(&Set::from_basic(piece.domain()), values).intersect_within(&domain, budget)?;
        let own = points.project_out(DimKind::Out, innermost, 1);
        if own.is_empty(budget)? {
            continue;
        }
        for (function, others) in &rows {
            if *function != piece.eqs() && !own.intersect_within(others, budget)?.is_empty(budget)? {
                return Ok(true);
            }
        }
        rows.push((piece.eqs(), own));
    }
    Ok(false)
}

/// Bytes per step of each iterator: subscripts times the strides of their dimensions.
fn byte_steps((relation, array): (&Map, &Array), iterators: usize, values: &[Int], spacing: f64) -> Vec<f64> {
    let mut stride = f64::from(array.element.bytes);
    let mut steps = vec![0.0; iterators];
    let Some(basic) = usual_piece(relation) else { return steps };
    for dimension in (0..array.rank).rev() {
        for (iterator, step) in steps.iter_mut().enumerate() {
            let is_folded = array.is_temporary() && is_remainder(basic, dimension);
            // What is written there comes back to the same cells before it has gone far.
            *step += if is_folded { 0.0 } else { stride * subscript_slope(basic, dimension, iterator) };
        }
        match dimension.checked_sub(1 + array.row_subscripts()) {
            Some(outer) => stride *= to_f64(&array.extents[outer].eval(values, &[])).max(1.0),
            None => stride = spacing,
        }
    }
    steps
}

/// The growth of all subscripts with all iterators, and the rest of them for these values of the
/// parameters.
fn subscripts(access: &Access, array: &Array, iterators: usize, values: &[Int]) -> Option<Vec<(Vec<f64>, f64)>> {
    let basic = usual_piece(&access.relation).filter(|_| access.exact)?;
    let of = |dimension| {
        let slopes = (0..iterators).map(|iterator| subscript_slope(basic, dimension, iterator)).collect();
        let output = basic.space().offset(DimKind::Out) + dimension;
        let defining = basic.eqs().iter().find(|row| !row[output].is_zero());
        let rest = defining.map_or(0.0, |row| {
            let first = basic.space().offset(DimKind::Param);
            let params = row[first..].iter().zip(values).map(|(coefficient, value)| coefficient * value);
            let rest = params.fold(row[0].clone(), |sum, part| &sum + &part);
            -to_f64(&Rational::new(rest, row[output].clone()))
        });
        (slopes, rest)
    };
    Some((0..array.rank).map(of).collect())
}

/// The piece of a relation that moves along most iterators: others are those of a few iterations at
/// a border.
fn usual_piece(relation: &Map) -> Option<&BasicMap> {
    let iterators = |basic: &BasicMap| {
        let [first, outputs] = [DimKind::In, DimKind::Out].map(|kind| basic.offset(kind));
        let defines = |row: &&Row| row[outputs..][..basic.dim(DimKind::Out)].iter().any(|entry| !entry.is_zero());
        let moves = |&d: &usize| basic.eqs().iter().filter(defines).any(|row| !row[first + d].is_zero());
        (0..basic.dim(DimKind::In)).filter(moves).count()
    };
    relation.basics().iter().rev().map(AsRef::as_ref).max_by_key(|basic| iterators(basic))
}

/// Nothing is known of the outermost subscript.
fn is_anywhere(relation: &Map) -> bool {
    relation.space().dim(DimKind::Out) > 0 && !relation.involves_dims(DimKind::Out, 0, 1)
}

/// How fast a subscript grows with an iterator: from the equality that defines it.
pub(crate) fn subscript_slope(basic: &BasicMap, dimension: usize, iterator: usize) -> f64 {
    let space = basic.space();
    let output = space.offset(DimKind::Out) + dimension;
    let input = space.offset(DimKind::In) + iterator;
    // An access of several elements has bounds instead of an equality.
    let defining = basic.eqs().iter().chain(basic.ineqs()).find(|row| !row[output].is_zero());
    defining.map_or(0.0, |row| -to_f64(&Rational::new(row[input].clone(), row[output].clone())))
}

/// Whether a subscript is what a division leaves.
fn is_remainder(basic: &BasicMap, dimension: usize) -> bool {
    let output = basic.space().offset(DimKind::Out) + dimension;
    let first_div = 1 + basic.space().n_var();
    let defining = basic.eqs().iter().find(|row| !row[output].is_zero());
    defining.is_some_and(|row| row[first_div..].iter().any(|entry| !entry.is_zero()))
}

/// The coefficient of an iterator; what is inside integer divisions is not counted.
pub(crate) fn linear_coefficient(aff: &Aff, iterator: usize) -> f64 {
    to_f64(&aff.coefficient(DimKind::Out, iterator))
}

fn work(scop: &Scop, statement: &Statement, machine: &Machine) -> Work {
    let mut work = Work { invariants: invariants(statement), ..Work::default() };
    work.divisions.short = is_short(scop, statement);
    work.by_llvm = is_left_to_llvm(scop, statement);
    (work.choices, work.minima) = choices_and_minima(statement);
    if lanes::stores_under_conditions(scop, statement).is_some() {
        let is_masked = |instr: &&Instr| instr.predicate.is_some() && matches!(instr.kind, InstrKind::Write(_));
        work.masked_stores = statement.body.iter().filter(is_masked).count() as f64;
    }
    for instr in &statement.body {
        if let InstrKind::Loop { operations, .. } = &instr.kind {
            work.simple += f64::from(*operations);
            work.whole_loops = Some(whole_loops(scop, statement, machine));
        }
        if matches!(instr.kind, InstrKind::Combine(_)) {
            work.simple += 1.0;
        }
        if let Some(kind) = kind_of(instr) {
            match kind {
                Kind::Simple { weight, .. } => work.simple += weight,
                Kind::Quotient => work.divisions.quotients += 1.0,
                Kind::IntegerDivision => work.divisions.integers += 1.0,
                Kind::Root => work.divisions.roots += 1.0,
                Kind::Call => work.divisions.calls += 1.0,
            }
        }
    }
    work
}

/// By load of memory that need not happen, what its condition is computed from.
fn masked_loads(scop: &Scop, statement: &Statement, sources: &Sources) -> Vec<Operands> {
    let condition = |instr: &Instr| match instr.kind {
        InstrKind::Read(access) => {
            let array = statement.accesses[access.index()].array;
            instr.predicate.filter(|_| !scop.arrays[array.index()].is_scalar())
        }
        _ => None,
    };
    statement.body.iter().filter_map(condition).map(|condition| sources.of(condition)).collect()
}

/// Conditions on data that scalar code has as branches: those of accesses that need not happen.
/// None where LLVM has them, too, as it makes no vectors of the innermost loop of the source: these
/// need masks, and neighbouring elements.
fn branches(statement: &Statement, sources: &Sources, accesses: &[AccessFacts], machine: &Machine) -> Vec<Operands> {
    let is_whole = statement.body.iter().any(|instr| matches!(instr.kind, InstrKind::Loop { .. }));
    let is_row = |access: &AccessFacts| {
        let step = access.steps.last().copied().unwrap_or(0.0);
        step == access.bytes || (step == 0.0 && !access.write)
    };
    if is_whole || !machine.vectors.masked_accesses || !accesses.iter().all(is_row) {
        return Vec::new();
    }
    cases::conditions(statement).into_iter().map(|condition| sources.of(condition)).collect()
}

/// The loops that a statement executes as wholes.
fn whole_loops(scop: &Scop, statement: &Statement, machine: &Machine) -> WholeLoops {
    let Some(LaneLoop { bytes, mask_operations, chain, .. }) = lanes::in_lanes(scop, statement) else {
        return WholeLoops::default();
    };
    let chain = chain.cycles(machine);
    let lanes = LaneWork { bytes: f64::from(bytes), mask_operations: f64::from(mask_operations) };
    WholeLoops { chain, lanes: Some(lanes) }
}

/// Whether the floating-point numbers that a statement accesses have four bytes at most.
fn is_short(scop: &Scop, statement: &Statement) -> bool {
    let elements = statement.accesses.iter().map(|access| &scop.arrays[access.array.index()].element);
    let mut bytes = elements.filter(|element| element.float).map(|element| element.bytes).peekable();
    bytes.peek().is_some() && bytes.all(|bytes| bytes <= 4)
}

/// Whether code generation leaves it to LLVM to make vectors of a loop with this statement: it has
/// no rows of short elements, of comparisons and choices, and of copies.
fn is_left_to_llvm(scop: &Scop, statement: &Statement) -> bool {
    let is_short = |access: &Access| !matches!(scop.arrays[access.array.index()].element.bytes, 4 | 8);
    let mut computes = false;
    let chooses = statement.body.iter().any(|instr| match &instr.kind {
        InstrKind::Compute { opcode, .. } => {
            computes = true;
            matches!(opcode.as_str(), "icmp" | "fcmp" | "select") || is_integer_extremum(opcode)
        }
        _ => false,
    });
    statement.accesses.iter().any(is_short) || chooses || !computes
}

/// The number of different operands of operations that are defined before the region.
fn invariants(statement: &Statement) -> u64 {
    let computes = statement.body.iter().filter(|instr| matches!(instr.kind, InstrKind::Compute { .. }));
    let mut values: Vec<_> = computes
        .flat_map(|instr| &instr.operands)
        .filter(|operand| matches!(operand.kind, OperandKind::Constant | OperandKind::Invariant))
        .map(|operand| operand.value)
        .collect();
    values.sort_unstable();
    values.dedup();
    values.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_possible() {
        let set: Set = "[n, m, k] -> { : n <= 61 and m >= 2000 and -7 <= k < n }".parse().expect("the set can be read");
        let budget = &mut Budget::unlimited();
        let of =
            |set: &Set, index: usize, budget: &mut Budget| with_estimate(set.clone(), index, 1000, budget).unwrap();
        let first = of(&set, 0, budget);
        assert!(first.is_equal(&set.fix(DimKind::Param, 0, Int::from(61)), budget).unwrap());
        let second = of(&first, 1, budget);
        assert!(!second.is_empty(budget).unwrap(), "no value is right, so any is");
        let third = of(&second, 2, budget);
        assert!(third.is_equal(&second.fix(DimKind::Param, 2, Int::from(60)), budget).unwrap());
        let free: Set = "[n] -> { : n >= 1 }".parse().expect("the set can be read");
        assert!(of(&free, 0, budget).is_equal(&free.fix(DimKind::Param, 0, Int::from(1000)), budget).unwrap());
    }

    #[test]
    fn accesses_are_bent_where_a_row_has_several_functions() {
        let check = |domain: &str, relation: &str, expected: bool| {
            let domain: Set = domain.parse().expect("a set");
            let relation: Map = relation.parse().expect("a relation");
            let found = is_bent(&relation, &domain, &[Int::from(100)], &mut Budget::unlimited()).unwrap();
            assert_eq!(found, expected, "{relation}");
        };
        let square = "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }";
        check(square, "[n] -> { S[i, j] -> A[i, j - 1] : j > 0; S[i, j] -> A[i, 0] : j <= 0 }", true);
        check(square, "[n] -> { S[i, j] -> A[i, j - i] : j > i; S[i, j] -> A[i, 0] : j <= i }", true);
        check(square, "[n] -> { S[i, j] -> A[i - 1, j] : i > 0; S[i, j] -> A[0, j] : i <= 0 }", false);
        check(square, "[n] -> { S[i, j] -> A[i, j] : j < 50; S[i, j] -> A[i, j] : j >= 50 }", false);
        check(square, "[n] -> { S[i, j] -> A[i, j] : n < 50; S[i, j] -> A[i, 0] : n >= 50 }", false);
        check(square, "[n] -> { S[i, j] -> A[i, j] : j < n; S[i, j] -> A[i, 0] : j >= n }", false);
    }

    #[test]
    fn extents_and_points_are_those_at_the_values() {
        let check = |domain: &str, sides: &[f64], count: Option<f64>| {
            let domain: Set = domain.parse().expect("the set can be read");
            let (values, budget) = (vec![Int::from(100); domain.space().params.len()], &mut Budget::unlimited());
            assert_eq!(extents(&domain, &values, &Sizes::all(7), budget).unwrap(), sides, "{domain}");
            assert_eq!(points(&domain, &values, budget).unwrap(), count, "{domain}");
        };
        check("[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }", &[100.0, 100.0], Some(5000.0));
        check("[n, m] -> { S[i] : 0 <= i < n and i < m - 50 }", &[50.0], Some(50.0));
        check("[n] -> { S[i, j] : 0 <= i <= j and i + j < n }", &[50.0, 100.0], Some(50.0 * 52.0));
        check("[n] -> { S[i] : 0 <= i < n; S[i] : 200 <= i < 210 + n }", &[310.0], Some(310.0));
        // No bound holds on both pieces for every n.
        check("[n] -> { S[i] : 0 <= i < n; S[i] : 200 <= i < 210 }", &[210.0], None);
        // Nothing is known of these.
        check("[n] -> { S[i, j] : 0 <= i < n and j >= i }", &[7.0, 7.0], None);
        check("[n] -> { S[i] : n <= i < 50 }", &[7.0], None);
        check("[n] -> { S[i, j] : 0 <= i < n and 2j = i }", &[100.0, 50.0], None);
    }
}
