//! The run-time check: may the optimized code run?
//!
//! # Definitions
//! The check holds when
//!
//! 0. the guards of all loads that are executed before the region hold, each tested before its
//!    load,
//! 1. every 64-bit parameter that code is generated with lies in [`SAFE`], unless that is known
//!    already,
//! 2. the parameters satisfy the plan's condition,
//! 3. the byte ranges of each given pair of arrays are disjoint, and so are the rows of each given
//!    array ([`crate::rows`]).
//!
//! # Exactness
//! (1) comes first (but for comparisons of single parameters with constants, which are exact for
//! all values) and makes the arithmetic of (2) exact in 64 bits (or 128, when coefficients are
//! large): its ranges are proven when the check is prepared. What is computed under a false (1) is
//! poison at worst and never looked at. In (3) the products of extents and outermost subscripts are
//! taken with overflow detection, where an overflow makes the check false; addresses are added and
//! compared in 128 bits, so that no sum wraps around ([`crate::ends`]). There is neither a branch
//! nor a division by a variable in a part of the check; (3) stands in a block of its own behind (1)
//! and (2). For each guard of (0) the same holds as for (2): (1) comes before it, for the
//! parameters in it.

use poly_presburger::{Budget, Set};
use poly_scop::{ArrayRange, Plan};

use crate::CodegenError;
use crate::builder::{Block, Builder, Compare, Op, Value};
use crate::code::param_index;
use crate::ends::Span;
use crate::form::{Evaluation, Test, Var};
use crate::interval::Interval;
use crate::rows::{self, Rows};
use crate::rows_apart::{self, InMemory, Run};
use crate::trace::{self, TracedPart};

/// Parameters in this range leave room for the arithmetic of loop bounds in 64 bits.
pub(crate) const SAFE: Interval = Interval { lo: -(1 << 50), hi: 1 << 50 };

/// A prepared check.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// Parameters to be tested for [`SAFE`], with their range by type.
    guards: Vec<(usize, Interval)>,
    condition: Test,
    /// The width in which the condition is evaluated.
    bits: u32,
    /// It says from which sizes on the new code pays.
    has_sizes: bool,
    /// Where the condition has several alternatives, numbers that parameters must reach in all of
    /// them. That is tested first, as small nests have no time for more.
    least: Vec<(usize, i128)>,
    /// The guards of the loads, each with its width.
    loads: Vec<(Test, u32)>,
    ranges: Vec<Bytes>,
    /// Pairs of positions in `ranges`.
    disjoint: Vec<(usize, usize)>,
    /// The names of the arrays of these pairs.
    names: Vec<(String, String)>,
    /// What the condition consists of, if versions are counted.
    traced: Vec<(TracedPart, u32)>,
    /// Positions in `ranges` of arrays with rows, no two of which may overlap.
    distinct_rows: Vec<usize>,
    params: Vec<Interval>,
}

/// The bytes of an array that are accessed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bytes {
    array: usize,
    span: Span,
    /// Bytes at the end of an element that are not accessed: what is behind the pointer in an
    /// element of a table.
    unused: i128,
    rows: Option<Rows>,
}

/// What the parts of a check become.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stages {
    /// The parameters are as required.
    pub(crate) has_condition: bool,
    /// Arrays are disjoint.
    pub(crate) has_disjoint: bool,
}

impl Check {
    /// Prepares the check of a plan. `params` are the ranges that the parameters have where the
    /// check has passed; `guards` those that must be tested first.
    pub(crate) fn prepare(
        plan: &Plan,
        params: &[Interval],
        guards: Vec<(usize, Interval)>,
        is_traced: bool,
        budget: &mut Budget,
    ) -> Result<Self, CodegenError> {
        let param = |name: &str| param_index(&plan.scop, name);
        let mut test = |set: &Set| {
            let test = Test::from_set(set, &param, budget)?;
            let of = |var: Var| range_of(params, var);
            let bits = [64, 128].into_iter().find(|&bits| test.fits(bits, &of));
            let bits = bits.ok_or(CodegenError::Check { what: "the run-time condition needs more than 128 bits" })?;
            Ok::<_, CodegenError>((test, bits))
        };
        let (condition, bits) = test(&plan.check.condition)?;
        let loads = plan.scop.loads.iter().map(|load| test(&load.guard)).collect::<Result<_, _>>()?;
        let (ranges, disjoint, distinct_rows) = (Vec::new(), Vec::new(), Vec::new());
        let params = params.to_vec();
        let traced = if is_traced { trace::parts(plan, budget) } else { Vec::new() };
        let width = |test: &Test| [64, 128].into_iter().find(|&bits| test.fits(bits, &|var| range_of(&params, var)));
        let traced = traced.into_iter().filter_map(|part| Some((width(&part.test)?, part)));
        let traced = traced.map(|(bits, part)| (part, bits)).collect();
        let names = Vec::new();
        let has_sizes = plan.check.sizes.is_some();
        let is_new = |&(p, least): &(usize, i128)| least > params[p].lo && least <= SAFE.hi;
        let least = match &condition {
            Test::Any(_) if has_sizes && !is_traced => condition.least_params().into_iter().filter(is_new).collect(),
            _ => Vec::new(),
        };
        let mut check = Self {
            guards,
            condition,
            bits,
            has_sizes,
            least,
            loads,
            ranges,
            disjoint,
            names,
            traced,
            distinct_rows,
            params,
        };
        for (a, b) in &plan.check.disjoint {
            let pair = (check.add_range(plan, a, budget)?, check.add_range(plan, b, budget)?);
            check.disjoint.push(pair);
            let [a, b] = [a, b].map(|range| plan.scop.arrays[range.array.index()].name.clone());
            check.names.push((a, b));
        }
        for array in &plan.check.distinct_rows {
            let range = check.add_range(plan, array, budget)?;
            check.distinct_rows.push(range);
        }
        Ok(check)
    }

    fn add_range(&mut self, plan: &Plan, range: &ArrayRange, budget: &mut Budget) -> Result<usize, CodegenError> {
        let param = |name: &str| param_index(&plan.scop, name);
        let of = |var: Var| range_of(&self.params, var);
        let table = plan.scop.arrays[range.array.index()].table();
        let distance = table.map_or(0, |table| plan.scop.arrays[table.index()].element.bytes);
        let rows = range.rows.as_ref().map(|rows| Rows::prepare((rows, distance), &param, &of, budget)).transpose()?;
        let span = Span::prepare(range, &plan.scop.arrays[range.array.index()], &param, &of)?;
        let is_table = plan.scop.rows_of(range.array).is_some();
        let element = i128::from(plan.scop.arrays[range.array.index()].element.bytes);
        let unused = if is_table { element - rows::POINTER_BYTES } else { 0 };
        let bytes = Bytes { array: range.array.index(), span, unused, rows };
        if let Some(known) = self.ranges.iter().position(|r| *r == bytes) {
            return Ok(known);
        }
        self.ranges.push(bytes);
        Ok(self.ranges.len() - 1)
    }

    /// Which parts there are; with neither the check is constantly true.
    pub(crate) fn stages(&self) -> Stages {
        Stages {
            has_condition: !self.guards.is_empty() || self.condition != Test::True,
            has_disjoint: !self.disjoint.is_empty() || !self.distinct_rows.is_empty(),
        }
    }

    /// Writes parts (1) and (2) for the parameters' values in 64 bits; the result is an `i1`. Where
    /// sizes are part of it, LLVM is not to conclude from it that the original's loops are short:
    /// it would execute them under masks, which is slower by far where they hand values on through
    /// memory. What it expects it does not look through.
    pub(crate) fn emit_condition<'c>(&self, b: &Builder<'c>, params: &[Option<Value<'c>>]) -> Value<'c> {
        let holds = self.emit_test(b, params, (&self.condition, self.bits), &|_| true);
        if self.has_sizes { opaque(b, holds) } else { holds }
    }

    /// Writes what the parameters must reach for the condition to hold, if that is worth a stage of
    /// its own: an `i1` that says nothing about whether (1) holds.
    pub(crate) fn emit_least<'c>(&self, b: &Builder<'c>, params: &[Option<Value<'c>>]) -> Option<Value<'c>> {
        let reaches = |&(p, least): &(usize, i128)| b.compare(Compare::LLVMIntSGE, known(params, p), b.int(64, least));
        let holds = self.least.iter().map(reaches).reduce(|all, next| b.arithmetic(Op::And, all, next, false));
        holds.map(|holds| opaque(b, holds))
    }

    /// Writes the parts of the condition, each with what it is: the sizes of numbers, the
    /// assumptions, and the rest.
    pub(crate) fn emit_parts<'c>(&self, b: &Builder<'c>, params: &[Option<Value<'c>>]) -> Vec<(String, Value<'c>)> {
        let everything = |_: usize| true;
        let mut parts = vec![("a number has more than 50 bits".to_string(), Test::True, 64)];
        parts.extend(
            self.traced.iter().map(|(part, bits)| (format!("not so that {}", part.text), part.test.clone(), *bits)),
        );
        parts.push(("another condition".to_string(), self.condition.clone(), self.bits));
        let emit = |(text, test, bits)| (text, self.emit_test(b, params, (&test, bits), &everything));
        parts.into_iter().map(emit).collect()
    }

    /// Writes the guard of a load; nothing if it is always true. The parameters in it have values.
    pub(crate) fn emit_load_guard<'c>(
        &self,
        b: &Builder<'c>,
        params: &[Option<Value<'c>>],
        load: usize,
    ) -> Option<Value<'c>> {
        let (test, bits) = &self.loads[load];
        let concerns = |p: usize| test.mentions(&|var| var == Var::Param(p));
        (*test != Test::True).then(|| self.emit_test(b, params, (test, *bits), &concerns))
    }

    /// A test behind the guards of the parameters that it concerns.
    fn emit_test<'c>(
        &self,
        b: &Builder<'c>,
        params: &[Option<Value<'c>>],
        (test, bits): (&Test, u32),
        concerns: &dyn Fn(usize) -> bool,
    ) -> Value<'c> {
        let guards = self.guards.iter().filter(|(p, _)| concerns(*p));
        let guard = guards.map(|&(p, by_type)| emit_guard(b, known(params, p), by_type));
        let guard = guard.reduce(|all, next| b.arithmetic(Op::And, all, next, false));
        if *test == Test::True {
            return guard.unwrap_or_else(|| b.bool(true));
        }
        let holds = test.emit(&mut self.environment(b, bits, params));
        guard.map_or(holds, |guard| b.select(guard, holds, b.bool(false)))
    }

    /// Writes part (3), given the base pointers of the arrays (of those with rows the tables'); the
    /// result is an `i1`. Where there are rows the builder is in another block afterwards; new
    /// blocks stand before `following`.
    pub(crate) fn emit_disjoint<'c>(
        &self,
        b: &Builder<'c>,
        params: &[Option<Value<'c>>],
        base: &dyn Fn(usize) -> Value<'c>,
        following: Block<'c>,
    ) -> Disjoint<'c> {
        let emit = |(number, range): (usize, &Bytes)| {
            let base = base(range.array);
            match &range.rows {
                Some(rows) => {
                    let are_distinct = self.distinct_rows.contains(&number);
                    self.emit_ends_of_rows(b, params, (range, rows, are_distinct), base, following)
                }
                None => self.emit_ends(b, params, range, base),
            }
        };
        let ends: Vec<Ends<'c>> = self.ranges.iter().enumerate().map(emit).collect();
        let mut parts: Vec<(String, Value<'c>)> = Vec::new();
        for &overflow in ends.iter().flat_map(|e| &e.overflows) {
            parts.push(("an array is too large, or its rows overlap".to_string(), b.not(overflow)));
        }
        for (&(first, second), (one, other)) in self.disjoint.iter().zip(&self.names) {
            let (x, y) = (&ends[first], &ends[second]);
            let before = b.compare(Compare::LLVMIntSLE, x.end, y.start);
            let after = b.compare(Compare::LLVMIntSLE, y.end, x.start);
            let apart = b.arithmetic(Op::Or, before, after, false);
            let runs = [(first, x), (second, y)].map(|(number, ends)| self.run(number, ends));
            let apart = match runs.iter().any(|run| run.rows.is_some()) {
                true => rows_apart::emit(b, apart, &runs, following),
                false => apart,
            };
            parts.push((format!("{one} and {other} overlap"), apart));
        }
        let values = parts.iter().map(|(_, value)| *value);
        let holds = values.reduce(|all, next| b.arithmetic(Op::And, all, next, false));
        Disjoint { holds: holds.unwrap_or_else(|| b.bool(true)), parts }
    }

    /// What is looked at of an array whose interval is not apart from another one's.
    fn run<'a, 'c>(&'a self, number: usize, ends: &Ends<'c>) -> Run<'a, 'c> {
        let rows = ends.rows.as_ref().zip(self.ranges[number].rows.as_ref());
        Run { start: ends.start, end: ends.end, rows: rows.map(|(found, rows)| (*found, rows)) }
    }

    fn emit_ends<'c>(&self, b: &Builder<'c>, params: &[Option<Value<'c>>], bytes: &Bytes, base: Value<'c>) -> Ends<'c> {
        let mut overflows = Vec::new();
        let (low, high) = bytes.span.emit(&mut self.environment(b, 64, params), &mut overflows);
        let (narrow, wide) = (b.int_type(64), b.int_type(128));
        let base = b.int_cast(b.ptr_to_int(base, narrow), wide, false);
        let high = b.arithmetic(Op::Sub, high, b.int(128, bytes.unused), true);
        let end = |offset: Value<'c>| b.arithmetic(Op::Add, base, offset, true);
        Ends { start: end(low), end: end(high), overflows, rows: None }
    }

    /// The ends of all rows together; where they must be distinct, another bit that must be false
    /// says that they are not.
    fn emit_ends_of_rows<'c>(
        &self,
        b: &Builder<'c>,
        params: &[Option<Value<'c>>],
        (bytes, rows, are_distinct): (&Bytes, &Rows, bool),
        table: Value<'c>,
        following: Block<'c>,
    ) -> Ends<'c> {
        let mut overflows = Vec::new();
        let (low, high) = bytes.span.emit(&mut self.environment(b, 64, params), &mut overflows);
        let length = are_distinct.then(|| b.arithmetic(Op::Sub, high, low, true));
        let used = rows.used.emit(&mut self.environment(b, rows.bits, params));
        let mut environment = self.environment(b, 64, params);
        let (first, last) = (rows.first.emit(&mut environment), rows.last.emit(&mut environment));
        let found = rows::emit(b, table, (used, first, last, rows), length, following);
        overflows.extend(found.overlap);
        let end = |address: Value<'c>, offset: Value<'c>| b.arithmetic(Op::Add, address, offset, true);
        let rows = InMemory { table, first, last, low, high, ascending: found.ascending };
        Ends { start: end(found.lowest, low), end: end(found.highest, high), overflows, rows: Some(rows) }
    }

    fn environment<'a, 'c>(
        &'a self,
        builder: &'a Builder<'c>,
        bits: u32,
        params: &'a [Option<Value<'c>>],
    ) -> Parameters<'a, 'c> {
        Parameters { builder, bits, params, ranges: &self.params }
    }
}

/// Whether arrays are apart.
pub(crate) struct Disjoint<'c> {
    /// All of them, an `i1`.
    pub(crate) holds: Value<'c>,
    /// What that consists of, with what is so if it does not hold.
    pub(crate) parts: Vec<(String, Value<'c>)>,
}

/// Forms over parameters.
struct Parameters<'a, 'c> {
    builder: &'a Builder<'c>,
    bits: u32,
    params: &'a [Option<Value<'c>>],
    ranges: &'a [Interval],
}

impl<'c> Evaluation<'c> for Parameters<'_, 'c> {
    fn builder(&self) -> &Builder<'c> {
        self.builder
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn value(&mut self, var: Var) -> Value<'c> {
        self.builder.int_cast(known(self.params, param_of(var)), self.builder.int_type(self.bits), true)
    }

    fn range(&self, var: Var) -> Interval {
        range_of(self.ranges, var)
    }
}

/// Addresses of the first byte and behind the last one, in 128 bits, and bits that must be false
/// for them to be right.
struct Ends<'c> {
    start: Value<'c>,
    end: Value<'c>,
    overflows: Vec<Value<'c>>,
    rows: Option<InMemory<'c>>,
}

/// The bit as LLVM does not look through it.
fn opaque<'c>(b: &Builder<'c>, holds: Value<'c>) -> Value<'c> {
    b.intrinsic("llvm.expect", &[holds.ty()], &[holds, b.bool(true)])
}

/// `value` lies in [`SAFE`].
fn emit_guard<'c>(b: &Builder<'c>, value: Value<'c>, by_type: Interval) -> Value<'c> {
    if by_type.is_nonnegative() {
        return b.compare(Compare::LLVMIntULE, value, b.int(64, SAFE.hi));
    }
    let shifted = b.arithmetic(Op::Sub, value, b.int(64, SAFE.lo), false);
    b.compare(Compare::LLVMIntULE, shifted, b.int(64, SAFE.hi - SAFE.lo))
}

/// The value of a parameter.
fn known<'c>(params: &[Option<Value<'c>>], param: usize) -> Value<'c> {
    params[param].expect("what is tested depends on loads that have been executed")
}

fn param_of(var: Var) -> usize {
    match var {
        Var::Param(p) => p,
        Var::Iter(_) | Var::Coordinate(_) => unreachable!("the run-time check only mentions parameters"),
    }
}

fn range_of(params: &[Interval], var: Var) -> Interval {
    params[param_of(var)]
}
