//! Everything that is decided before the IR is touched.
//!
//! [`Prepared::new`] turns a plan into what the other modules write down without a second thought.
//! It reads the IR and asks the analyses, so it must be the last to do so; and it is the only place
//! (beside final verification) where code generation can fail.

use std::collections::{BTreeMap, HashSet};

use indexmap::IndexMap;
use poly_presburger::{Budget, DimKind, Set};
use poly_scop::{Array, ArrayId, ArrayKind, InstrKind, OperandKind, Plan, ScalarKind, Scop, Statement, ValueId};
use poly_shim::expand::Expander;
use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::scev::Sign;
use poly_shim::{Bindings, BlockRef, LoopRef, PassContext, ScevRef, TypeRef, ValueRef};

use crate::check::{Check, SAFE};
use crate::code::{self, Code, Program, Run};
use crate::form::{Form, Var};
use crate::interval::Interval;
use crate::options::CodegenOptions;
use crate::{CodegenError, non_affine, partials, privacy, subscripts, temporaries};

/// A plan with everything resolved.
#[derive(Debug)]
pub(crate) struct Prepared<'c, 'p> {
    pub(crate) cx: PassContext<'c>,
    pub(crate) scop: &'p Scop,
    pub(crate) bindings: &'p Bindings<'c>,
    pub(crate) options: &'p CodegenOptions,
    pub(crate) program: Program,
    pub(crate) check: Check,
    /// Instructions the order of which is not that of the source.
    pub(crate) reassociated: &'p [(poly_scop::StmtId, ValueId)],
    /// Bands with tile sizes that are loaded when the code begins.
    pub(crate) nests: &'p [poly_scop::Nest],
    /// Statements that say where local buffers are.
    pub(crate) buffers: &'p [poly_scop::BufferOrigin],
    /// Statements that wait for earlier iterations of a DOACROSS loop.
    pub(crate) waits: &'p [poly_scop::StmtId],
    /// Statements from this one on are not of the source.
    pub(crate) first_of_buffers: usize,
    /// Pairs of arrays that may share bytes.
    pub(crate) overlapping: std::collections::BTreeSet<(usize, usize)>,
    pub(crate) arrays: Vec<ArrayCode<'c>>,
    pub(crate) statements: Vec<StatementCode<'c>>,
    /// Loads that are executed before the region.
    pub(crate) loads: Vec<LoadCode<'c>>,
    /// Parallel loops by counter, with the scalars whose copies are initialized.
    pub(crate) parallel: BTreeMap<usize, Vec<ArrayId>>,
    /// Expressions that LLVM expands before the region.
    pub(crate) expanded: Vec<ScevRef<'c>>,
    /// PHI nodes of the exit block, each with the source of its value on the new path.
    pub(crate) exit_phis: Vec<(ValueRef<'c>, Source<'c>)>,
    /// Values of the region that are used after it in other ways.
    pub(crate) escaping: Vec<(ValueRef<'c>, Source<'c>)>,
    pub(crate) region: HashSet<BlockRef<'c>>,
    /// Blocks that only the original code comes to.
    pub(crate) dead_ends: HashSet<BlockRef<'c>>,
}

/// Where a value that the region defines comes from when the new code has run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'c> {
    /// It is not computed by the region.
    Same(ValueRef<'c>),
    /// The last content of a scalar.
    Scalar(ArrayId),
    /// An expression of values from before the region.
    Scev(ScevRef<'c>),
}

/// How elements of an array are addressed.
#[derive(Clone, Debug)]
pub(crate) struct ArrayCode<'c> {
    /// The base pointer, of an array with rows that of the table, of a scalar the value it stands
    /// for.
    pub(crate) value: ValueRef<'c>,
    /// The table with the pointers to the rows, if there are rows: their number is the first
    /// subscript.
    pub(crate) table: Option<usize>,
    /// Of a temporary: the size of the outermost dimension.
    pub(crate) rows: Option<Form>,
    /// Of a temporary with a result: the row that is copied.
    pub(crate) last_row: Option<Form>,
    /// The elements of it that are copied, if not all are: the first one, and the one behind the
    /// last.
    pub(crate) last_elements: Option<[Form; 2]>,
    pub(crate) extents: Vec<Form>,
    pub(crate) element_bytes: u32,
    /// What every element's address is a multiple of.
    pub(crate) alignment: u32,
    /// All accesses of the source say that elements are of the same type.
    pub(crate) has_one_type: bool,
}

/// A load that is executed before the region.
#[derive(Clone, Debug)]
pub(crate) struct LoadCode<'c> {
    /// The instructions of the region that it stands for.
    pub(crate) sites: Vec<ValueRef<'c>>,
    /// PHI nodes of the region with the same value.
    pub(crate) phis: Vec<ValueRef<'c>>,
    /// Values from before the region that must be the same.
    pub(crate) known: Vec<ValueRef<'c>>,
    pub(crate) address: ScevRef<'c>,
    /// What the address is a multiple of, whichever of the instructions is executed.
    pub(crate) alignment: u32,
}

/// How instances of a statement are written.
#[derive(Clone, Debug)]
pub(crate) struct StatementCode<'c> {
    /// Subscripts by access as functions of the coordinates; empty for scalars.
    pub(crate) subscripts: Vec<Vec<Form>>,
    /// The loops whose iteration numbers are the coordinates.
    pub(crate) loops: Vec<LoopRef<'c>>,
    /// Operands that are recomputed.
    pub(crate) synthesized: IndexMap<ValueId, ScevRef<'c>>,
}

impl<'c, 'p> Prepared<'c, 'p> {
    /// Prepares a plan.
    pub(crate) fn new(
        cx: PassContext<'c>,
        plan: &'p Plan,
        bindings: &'p Bindings<'c>,
        options: &'p CodegenOptions,
    ) -> Result<Self, CodegenError> {
        let mut budget = Budget::new(BUDGET);
        let scop = &plan.scop;
        let region: HashSet<BlockRef<'c>> = bindings.blocks.iter().copied().collect();
        let ranges = ParamRanges::new(cx, plan, bindings, &mut budget)?;
        let check = Check::prepare(plan, &ranges.checked, ranges.guards, options.trace_versions, &mut budget)?;
        let program = code::lower(plan, ranges.checked, options.parallel)?;
        let dead_ends: HashSet<BlockRef<'c>> = bindings.dead_ends.iter().copied().collect();
        let mut work = Work {
            cx,
            bindings,
            region: &region,
            dead_ends,
            loaded: HashSet::new(),
            expander: Expander::new(cx),
            expanded: IndexMap::new(),
        };
        work.check_region()?;
        let loads = work.loads()?;
        for (param, &scev) in scop.params.iter().zip(&bindings.params) {
            if param.bits > 64 {
                return Err(CodegenError::Overflow { what: format!("parameter {}", param.name) });
            }
            work.plan_scev(scev, &[])?;
        }
        let arrays = work.arrays(scop)?;
        let statements =
            scop.statements.iter().map(|s| work.statement(scop, s, &mut budget)).collect::<Result<Vec<_>, _>>()?;
        let runs = |l: &code::Loop| {
            let mut can_run = true;
            for_each_run(&l.body, &mut |run| {
                can_run &= runs_on_any_thread(cx, &scop.statements[run.statement], bindings)
            });
            can_run && partials::updates_in(l).iter().all(|u| has_part(u, l, scop, &statements, bindings))
        };
        let parallel = privacy::parallel_loops(&program.code, scop, &runs);
        let exit_phis = work.exit_phis(scop)?;
        let escaping = work.escaping(scop)?;
        let expanded = work.expanded.into_values().collect();
        let dead_ends = work.dead_ends;
        let prepared = Self {
            cx,
            scop,
            bindings,
            options,
            program,
            check,
            reassociated: &plan.reassociated,
            nests: &plan.nests,
            buffers: &plan.buffers,
            waits: &plan.waits,
            first_of_buffers: plan.first_of_buffers.index(),
            overlapping: crate::alias::overlapping_pairs(plan),
            arrays,
            statements,
            loads,
            parallel,
            expanded,
            exit_phis,
            escaping,
            region,
            dead_ends,
        };
        if scop.arrays.iter().any(Array::is_temporary) && !temporaries::may_allocate(cx) {
            return Err(CodegenError::Region { what: "there is no malloc for temporaries" });
        }
        prepared.check_subscripts(&prepared.program.code)?;
        prepared.program.inspection.iter().try_for_each(|code| prepared.check_subscripts(code))?;
        Ok(prepared)
    }

    /// The IR value of an id.
    pub(crate) fn value(&self, id: ValueId) -> ValueRef<'c> {
        self.bindings.values[id.index()]
    }

    /// The ranges of the coordinates of an instance.
    pub(crate) fn coordinate_ranges(&self, run: &Run) -> Vec<Interval> {
        let range =
            |f: &Form| f.range(64, &|var| self.program.range(var)).expect("lowering has proven that coordinates fit");
        run.coordinates.iter().map(range).collect()
    }

    /// No subscript of any instance leaves 64 bits.
    fn check_subscripts(&self, code: &Code) -> Result<(), CodegenError> {
        match code {
            Code::Block(parts) => parts.iter().try_for_each(|c| self.check_subscripts(c)),
            Code::Loop(l) => self.check_subscripts(&l.body),
            Code::If { then, otherwise, .. } => {
                self.check_subscripts(then)?;
                otherwise.iter().try_for_each(|c| self.check_subscripts(c))
            }
            Code::Run(run) => {
                let coordinates = self.coordinate_ranges(run);
                let of = |var: Var| match var {
                    Var::Coordinate(d) => coordinates[d],
                    other => self.program.range(other),
                };
                let forms = self.statements[run.statement].subscripts.iter().flatten();
                let extents = self.arrays.iter().flat_map(|a| &a.extents);
                if forms.chain(extents).all(|f| f.range(64, &of).is_some()) {
                    Ok(())
                } else {
                    let what = format!("a subscript of {}", self.scop.statements[run.statement].name);
                    Err(CodegenError::Overflow { what })
                }
            }
        }
    }
}

pub(crate) fn for_each_run(code: &Code, visit: &mut dyn FnMut(&Run)) {
    match code {
        Code::Block(parts) => parts.iter().for_each(|part| for_each_run(part, visit)),
        Code::Loop(l) => for_each_run(&l.body, visit),
        Code::If { then, otherwise, .. } => {
            for_each_run(then, visit);
            otherwise.iter().for_each(|code| for_each_run(code, visit));
        }
        Code::Run(run) => visit(run),
    }
}

/// Whether threads can have parts of what is updated in a loop.
fn has_part(
    update: &poly_scop::PrivateUpdate,
    l: &code::Loop,
    scop: &Scop,
    statements: &[StatementCode<'_>],
    bindings: &Bindings<'_>,
) -> bool {
    let body = &scop.statements[update.statement.index()].body;
    let read = body.iter().find(|instr| instr.kind == InstrKind::Read(update.read));
    let is_supported = |instr: &poly_scop::Instr| partials::is_supported(bindings.values[instr.value.index()].ty());
    read.is_some_and(is_supported) && partials::stands_still(l, update, statements)
}

/// Operations that preparation may spend.
const BUDGET: u64 = 20_000_000;

/// The ranges of the parameters.
struct ParamRanges {
    /// Where the run-time check has passed.
    checked: Vec<Interval>,
    /// The parameters that the check must test for [`SAFE`], with the ranges that their types give.
    guards: Vec<(usize, Interval)>,
}

impl ParamRanges {
    fn new<'c>(
        cx: PassContext<'c>,
        plan: &Plan,
        bindings: &Bindings<'c>,
        budget: &mut Budget,
    ) -> Result<Self, CodegenError> {
        let mut ranges = Self { checked: Vec::new(), guards: Vec::new() };
        for (index, (param, &scev)) in plan.scop.params.iter().zip(&bindings.params).enumerate() {
            let sign = if param.unsigned { Sign::Unsigned } else { Sign::Signed };
            let mut range = Interval::of_bits(param.bits.min(64), param.unsigned);
            if let Some(known) = cx.frozen_range(scev, sign) {
                range = range.intersect(Interval { lo: known.min, hi: known.max }).unwrap_or(range);
            }
            match range.intersect(SAFE) {
                Some(safe) if safe == range => ranges.checked.push(range),
                safe => {
                    if !is_safe_by_context(&plan.scop, &param.name, budget)? {
                        ranges.guards.push((index, range));
                    }
                    ranges.checked.push(safe.unwrap_or(SAFE));
                }
            }
        }
        Ok(ranges)
    }
}

/// Whether what is known about the region says that the parameter lies in [`SAFE`].
fn is_safe_by_context(scop: &Scop, param: &str, budget: &mut Budget) -> Result<bool, CodegenError> {
    let context = &scop.context;
    let Some(position) = context.space().find_param(param) else { return Ok(false) };
    let bound = |value: i128| i64::try_from(value).expect("the safe range fits 64 bits");
    let safe = Set::universe(context.space().clone());
    let safe = safe.lower_bound(DimKind::Param, position, bound(SAFE.lo));
    let safe = safe.upper_bound(DimKind::Param, position, bound(SAFE.hi));
    Ok(context.is_subset(&safe, budget)?)
}

/// What preparation reads and collects.
struct Work<'c, 'a> {
    cx: PassContext<'c>,
    bindings: &'a Bindings<'c>,
    region: &'a HashSet<BlockRef<'c>>,
    dead_ends: HashSet<BlockRef<'c>>,
    /// Instructions of the region that are executed before it.
    loaded: HashSet<ValueRef<'c>>,
    expander: Expander<'c>,
    /// By address, in the order in which they were found.
    expanded: IndexMap<*const std::ffi::c_void, ScevRef<'c>>,
}

/// The region.
impl<'c> Work<'c, '_> {
    /// The edges into and out of the region can be split.
    fn check_region(&self) -> Result<(), CodegenError> {
        let (entry, exit) = (self.bindings.entry, self.bindings.exit);
        let splittable = |b: BlockRef<'c>| matches!(b.terminator().opcode(), Some(Opcode::Br | Opcode::Switch));
        if self.region.contains(&exit) || !self.region.contains(&entry) {
            return Err(CodegenError::Region { what: "the region does not contain its entry, or contains its exit" });
        }
        let outside = entry.predecessors().into_iter().filter(|p| !self.region.contains(p));
        let exiting = exit.predecessors().into_iter().filter(|p| self.region.contains(p));
        if !outside.clone().chain(exiting.clone()).all(splittable) {
            return Err(CodegenError::Region { what: "an edge of the region cannot be split" });
        }
        if exiting.count() == 0 {
            return Err(CodegenError::Region { what: "the region has no way to its exit" });
        }
        for &block in &self.bindings.blocks {
            let is_exit = |s: &BlockRef<'c>| *s != exit && !self.region.contains(s) && !self.dead_ends.contains(s);
            if block.successors().iter().any(is_exit) {
                return Err(CodegenError::Region { what: "the region has more than one exit" });
            }
        }
        Ok(())
    }

    /// PHI nodes of the entry block merge edges from outside only; they stay in front of the check.
    fn entry_is_straight(&self) -> bool {
        entry_is_straight(self.bindings, self.region)
    }

    /// The value is there when the region is entered.
    fn is_available(&self, value: ValueRef<'c>) -> bool {
        let Some(block) = value.block() else { return true };
        if self.loaded.contains(&value) {
            return true;
        }
        if self.region.contains(&block) {
            return block == self.bindings.entry && self.entry_is_straight() && stays_before_check(value);
        }
        self.cx.value_dominates(value, self.bindings.entry.first_insertion_point())
    }

    fn require_available(&self, value: ValueRef<'c>) -> Result<(), CodegenError> {
        if self.is_available(value) {
            return Ok(());
        }
        Err(CodegenError::Unavailable { value: format!("{value:?}"), place: "before the region".to_owned() })
    }
}

/// All predecessors of the region's entry lie outside.
pub(crate) fn entry_is_straight<'c>(bindings: &Bindings<'c>, region: &HashSet<BlockRef<'c>>) -> bool {
    !bindings.entry.predecessors().iter().any(|p| region.contains(p))
}

/// What stands at the beginning of a block and is no part of its work.
pub(crate) fn stays_before_check(instruction: ValueRef<'_>) -> bool {
    matches!(instruction.opcode(), Some(Opcode::Phi | Opcode::Alloca))
}

/// Values used after the region.
impl<'c> Work<'c, '_> {
    fn exit_phis(&mut self, scop: &Scop) -> Result<Vec<(ValueRef<'c>, Source<'c>)>, CodegenError> {
        let mut result = Vec::new();
        for phi in self.bindings.exit.phis() {
            let scalar = self.scalar(scop, phi, |kind, _| kind == ScalarKind::ExitPhi);
            let source = match scalar {
                Some(array) => Source::Scalar(array),
                None => self.single_incoming(scop, phi)?,
            };
            result.push((phi, source));
        }
        Ok(result)
    }

    /// The edges into a PHI node by which new code could come.
    fn incoming(&self, phi: ValueRef<'c>) -> Vec<(BlockRef<'c>, ValueRef<'c>)> {
        let mut incoming = phi.incoming();
        incoming.retain(|(from, _)| !self.bindings.error_blocks.contains(from));
        incoming
    }

    /// The source of the one value that all edges from the region give to an exit PHI.
    fn single_incoming(&mut self, scop: &Scop, phi: ValueRef<'c>) -> Result<Source<'c>, CodegenError> {
        let incoming = self.incoming(phi).into_iter();
        let mut values = incoming.filter(|(block, _)| self.region.contains(block)).map(|(_, v)| v);
        let first = values.next().ok_or(CodegenError::Region { what: "an exit PHI has no edge from the region" })?;
        if values.any(|v| v != first) {
            return Err(CodegenError::Plan { what: format!("{phi:?} merges several values but is no scalar") });
        }
        self.source(scop, first)
    }

    /// Values of the region with uses behind it, other than by its edges into exit PHIs.
    fn escaping(&mut self, scop: &Scop) -> Result<Vec<(ValueRef<'c>, Source<'c>)>, CodegenError> {
        let mut result = Vec::new();
        for block in &self.bindings.blocks {
            for instruction in block.instructions() {
                let is_inside = !self.is_available(instruction) || self.loaded.contains(&instruction);
                if is_inside && self.has_outside_use(instruction) {
                    result.push((instruction, self.source(scop, instruction)?));
                }
            }
        }
        Ok(result)
    }

    fn has_outside_use(&self, value: ValueRef<'c>) -> bool {
        let (exit, inside) = (self.bindings.exit, (self.region, &self.dead_ends));
        value.users().into_iter().any(|user| is_outside_use(user, value, exit, inside))
    }

    fn source(&mut self, scop: &Scop, value: ValueRef<'c>) -> Result<Source<'c>, CodegenError> {
        if self.is_available(value) {
            return Ok(Source::Same(value));
        }
        if let Some(array) = self.scalar(scop, value, |kind, live_out| kind == ScalarKind::Value && live_out) {
            return Ok(Source::Scalar(array));
        }
        if let Some(scev) = self.cx.scev(value) {
            let scev = self.cx.scev_at_scope(scev, self.cx.loop_for(self.bindings.exit));
            if self.plan_scev(scev, &[]).is_ok() {
                return Ok(Source::Scev(scev));
            }
        }
        // PHI nodes with one edge, as loops end with, are only another name.
        if let [(from, renamed)] = self.incoming(value).as_slice()
            && self.region.contains(from)
        {
            return self.source(scop, *renamed);
        }
        Err(CodegenError::Unavailable { value: format!("{value:?}"), place: "after the region".to_owned() })
    }

    fn scalar(&self, scop: &Scop, value: ValueRef<'c>, wanted: impl Fn(ScalarKind, bool) -> bool) -> Option<ArrayId> {
        let is_it = |a: &Array| match a.kind {
            ArrayKind::Scalar { kind, value: id, live_out } => {
                wanted(kind, live_out) && self.bindings.values[id.index()] == value
            }
            ArrayKind::Memory { .. }
            | ArrayKind::Rows { .. }
            | ArrayKind::Temporary { .. }
            | ArrayKind::Errno { .. } => false,
        };
        scop.arrays.iter().position(is_it).map(ArrayId::from)
    }
}

/// `user` uses `value` outside of the region, other than by an edge from the region into a PHI node
/// of the exit block, and where new code comes to: not in a dead end.
pub(crate) fn is_outside_use<'c>(
    user: ValueRef<'c>,
    value: ValueRef<'c>,
    exit: BlockRef<'c>,
    (region, dead_ends): (&HashSet<BlockRef<'c>>, &HashSet<BlockRef<'c>>),
) -> bool {
    let Some(block) = user.block() else { return false };
    if region.contains(&block) || dead_ends.contains(&block) {
        return false;
    }
    if block == exit && user.opcode() == Some(Opcode::Phi) {
        return user.incoming().into_iter().any(|(from, v)| v == value && !region.contains(&from));
    }
    true
}

/// Arrays and statements.
impl<'c> Work<'c, '_> {
    /// The loads before the region, in order: an address depends on earlier ones only.
    fn loads(&mut self) -> Result<Vec<LoadCode<'c>>, CodegenError> {
        let mut result = Vec::new();
        for bound in &self.bindings.loads {
            self.plan_scev(bound.address, &[])?;
            self.loaded.extend(bound.sites.iter().chain(&bound.phis).copied());
            bound.known.iter().try_for_each(|&value| self.require_available(value))?;
            let alignment = bound.sites.iter().map(|site| site.alignment()).min().unwrap_or(1);
            let (sites, phis, known) = (bound.sites.clone(), bound.phis.clone(), bound.known.clone());
            result.push(LoadCode { sites, phis, known, address: bound.address, alignment });
        }
        Ok(result)
    }

    fn arrays(&self, scop: &Scop) -> Result<Vec<ArrayCode<'c>>, CodegenError> {
        let alignments = element_alignments(scop, self.bindings);
        let arrays = scop.arrays.iter().zip(alignments);
        let mut result: Vec<_> =
            arrays.map(|(array, alignment)| self.array(scop, array, alignment)).collect::<Result<_, _>>()?;
        for (array, has_one_type) in result.iter_mut().zip(have_one_type(scop, self.bindings)) {
            array.has_one_type = has_one_type;
        }
        Ok(result)
    }

    fn array(&self, scop: &Scop, array: &Array, alignment: u32) -> Result<ArrayCode<'c>, CodegenError> {
        let param = |name: &str| code::param_index(scop, name);
        let extents = array.extents.iter().map(|e| Form::from_aff(e, &param)).collect::<Result<Vec<_>, _>>()?;
        let id = match array.kind {
            ArrayKind::Memory { base } => base,
            ArrayKind::Rows { table } => match scop.arrays[table.index()].kind {
                ArrayKind::Memory { base } => base,
                ArrayKind::Rows { .. }
                | ArrayKind::Temporary { .. }
                | ArrayKind::Scalar { .. }
                | ArrayKind::Errno { .. } => {
                    return Err(CodegenError::Plan { what: format!("the rows of {} have no table", array.name) });
                }
            },
            ArrayKind::Scalar { value, .. } | ArrayKind::Temporary { value, .. } | ArrayKind::Errno { call: value } => {
                value
            }
        };
        let value = self.bindings.values[id.index()];
        let (rows, result) = match &array.kind {
            ArrayKind::Temporary { rows, result, .. } => (Some(Form::from_aff(rows, &param)?), result.as_ref()),
            _ => (None, None),
        };
        let last_row = result.map(|last| Form::from_aff(&last.row, &param)).transpose()?;
        let ends = result.and_then(|last| last.elements.as_ref());
        let last_elements = match ends {
            Some([first, end]) => Some([Form::from_aff(first, &param)?, Form::from_aff(end, &param)?]),
            None => None,
        };
        if array.is_errno_object() {
            if self.cx.errno_location().is_none() {
                return Err(CodegenError::Region { what: "nobody knows where errno is" });
            }
        } else if array.is_scalar() || array.is_temporary() {
            if !is_storable(value.ty()) {
                return Err(CodegenError::Type { name: array.name.clone() });
            }
        } else {
            // The addresses of loads are computed when they are executed.
            if !scop.loads.iter().any(|load| std::ptr::eq(&scop.arrays[load.array.index()], array)) {
                self.require_available(value)?;
            }
            if self.cx.pointer_bits(0) != 64 || value.ty().kind() != TypeKind::Pointer(0) {
                return Err(CodegenError::Type { name: array.name.clone() });
            }
        }
        let table = array.table().map(ArrayId::index);
        let (element_bytes, has_one_type) = (array.element.bytes, true);
        Ok(ArrayCode { value, table, rows, last_row, last_elements, extents, element_bytes, alignment, has_one_type })
    }

    fn statement(
        &mut self,
        scop: &Scop,
        s: &Statement,
        budget: &mut Budget,
    ) -> Result<StatementCode<'c>, CodegenError> {
        let loops: Vec<LoopRef<'c>> = s.loops.iter().map(|l| self.bindings.loops[l.index()]).collect();
        let subscripts = s
            .accesses
            .iter()
            .map(|a| subscripts::forms(scop, s, a, budget))
            .collect::<Result<Vec<_>, CodegenError>>()?;
        let mut code = StatementCode { subscripts, loops, synthesized: IndexMap::new() };
        for instr in &s.body {
            for operand in &instr.operands {
                let value = self.bindings.values[operand.value.index()];
                match operand.kind {
                    OperandKind::Local => {}
                    OperandKind::Constant | OperandKind::Invariant => self.require_available(value)?,
                    OperandKind::Synthesized => {
                        if !code.synthesized.contains_key(&operand.value) {
                            let scev = self.synthesized(value, &code.loops)?;
                            code.synthesized.insert(operand.value, scev);
                        }
                    }
                }
            }
            let executed = self.bindings.values[instr.value.index()];
            let copies_call =
                matches!(instr.kind, InstrKind::Write(a) if !s.accesses[a.index()].exact) && executed.is_call();
            if matches!(instr.kind, InstrKind::Compute { .. }) || copies_call {
                self.check_operands(s, instr)?;
            }
            if matches!(instr.kind, InstrKind::Loop { .. }) {
                self.check_whole_loop(s, instr)?;
            }
        }
        Ok(code)
    }

    /// Every operand of an instruction to be copied is a constant or named in the model.
    fn check_operands(&self, s: &Statement, instr: &poly_scop::Instr) -> Result<(), CodegenError> {
        let instruction = self.bindings.values[instr.value.index()];
        if !instruction.is_instruction() {
            return Err(CodegenError::Plan {
                what: format!("{} copies {instruction:?}, which is no instruction", s.name),
            });
        }
        let named = |value: ValueRef<'c>| instr.operands.iter().any(|o| self.bindings.values[o.value.index()] == value);
        for operand in instruction.operands() {
            let needs_name = operand.is_instruction() || operand.is_argument();
            if needs_name && !named(operand) {
                let what = format!("{} does not say where {operand:?} comes from", s.name);
                return Err(CodegenError::Plan { what });
            }
        }
        Ok(())
    }

    /// Every value from elsewhere that a loop uses is a constant or named in the model.
    fn check_whole_loop(&self, s: &Statement, instr: &poly_scop::Instr) -> Result<(), CodegenError> {
        let error = |what: String| CodegenError::Plan { what };
        let terminator = self.bindings.values[instr.value.index()];
        let part = non_affine::of(&self.bindings.subregions, terminator);
        let part = part.ok_or_else(|| error(format!("{} executes an unknown loop", s.name)))?;
        let named = |value: ValueRef<'c>| instr.operands.iter().any(|o| self.bindings.values[o.value.index()] == value);
        let is_inside = |value: ValueRef<'c>| value.block().is_some_and(|block| part.blocks.contains(&block));
        let instructions = part.blocks.iter().flat_map(|block| block.instructions());
        for operand in instructions.filter(|i| !i.is_mark()).flat_map(|instruction| instruction.operands()) {
            let needs_name = (operand.is_instruction() && !is_inside(operand)) || operand.is_argument();
            if needs_name && !named(operand) {
                return Err(error(format!("{} does not say where {operand:?} comes from", s.name)));
            }
        }
        Ok(())
    }

    /// The expression of a value as seen from inside the loops.
    fn synthesized(&mut self, value: ValueRef<'c>, loops: &[LoopRef<'c>]) -> Result<ScevRef<'c>, CodegenError> {
        let unavailable =
            || CodegenError::Unavailable { value: format!("{value:?}"), place: "from loop counters".to_owned() };
        let scev = self.cx.scev(value).ok_or_else(unavailable)?;
        let scope = loops.last().copied().or_else(|| self.outer_loop());
        let scev = self.cx.scev_at_scope(scev, scope);
        self.plan_scev(scev, loops)?;
        Ok(scev)
    }

    /// The innermost loop around the whole region.
    fn outer_loop(&self) -> Option<LoopRef<'c>> {
        let mut around = self.cx.loop_for(self.bindings.entry);
        while let Some(l) = around.filter(|l| self.region.contains(&l.header())) {
            around = l.parent();
        }
        around
    }

    /// The same for what is computed from frozen values.
    fn plan_quotient(&mut self, scev: ScevRef<'c>, loops: &[LoopRef<'c>]) -> Result<(), CodegenError> {
        if crate::scev::is_leaf(scev) {
            return self.plan_scev(scev, loops);
        }
        crate::scev::check(scev, loops, &|value| self.is_available(value))?;
        scev.operands().into_iter().try_for_each(|operand| self.plan_quotient(operand, loops))
    }

    /// Checks that [`crate::scev`] can compute the expression, and notes the parts that LLVM
    /// expands before the region.
    fn plan_scev(&mut self, scev: ScevRef<'c>, loops: &[LoopRef<'c>]) -> Result<(), CodegenError> {
        let in_region = |l: LoopRef<'c>| self.region.contains(&l.header());
        if crate::scev::is_quotient(scev) {
            return self.plan_quotient(scev, loops);
        }
        let is_expandable = crate::scev::needs_expansion(scev) && !crate::scev::has_quotient(scev);
        if is_expandable && crate::scev::is_region_invariant(scev, self.region, &in_region) {
            let at = self.bindings.entry.first_insertion_point();
            if self.expander.is_safe_at(scev, at) {
                self.expanded.insert(scev.raw(), scev);
                return Ok(());
            }
        }
        crate::scev::check(scev, loops, &|value| self.is_available(value))?;
        for operand in crate::scev::evaluated_operands(scev) {
            self.plan_scev(operand, loops)?;
        }
        Ok(())
    }
}

/// Every thread that executes an instance gets the same results: the calls in it do not ask for the
/// thread they run on, as functions declared `const` may (`pthread_self`, `__errno_location`).
fn runs_on_any_thread<'c>(cx: PassContext<'c>, s: &Statement, bindings: &Bindings<'c>) -> bool {
    let copied = s.body.iter().flat_map(|i| match i.kind {
        InstrKind::Compute { .. } => vec![bindings.values[i.value.index()]],
        InstrKind::Loop { .. } => {
            let part = non_affine::of(&bindings.subregions, bindings.values[i.value.index()]);
            let blocks = part.into_iter().flat_map(|part| &part.blocks);
            blocks.flat_map(|block| block.instructions()).filter(|i| !i.is_mark()).collect()
        }
        _ => Vec::new(),
    });
    copied.filter(|v| v.is_call()).all(|call| match call.intrinsic_name() {
        Some(name) => name != "llvm.threadlocal.address",
        None => cx.math_function(call).is_some(),
    })
}

fn is_storable(ty: TypeRef<'_>) -> bool {
    matches!(ty.kind(), TypeKind::Integer(_) | TypeKind::Float | TypeKind::Pointer(_) | TypeKind::Vector)
}

/// Whether all accesses of an array have the same type information, by array.
fn have_one_type(scop: &Scop, bindings: &Bindings<'_>) -> Vec<bool> {
    let mut first = vec![None; scop.arrays.len()];
    let mut result = vec![true; scop.arrays.len()];
    for access in scop.statements.iter().flat_map(|s| &s.accesses) {
        let array = access.array.index();
        let Some(instruction) = bindings.values.get(access.value.index()) else { continue };
        if scop.arrays[array].is_temporary() || !matches!(instruction.opcode(), Some(Opcode::Load | Opcode::Store)) {
            continue;
        }
        let own = instruction.metadata("tbaa");
        result[array] &= *first[array].get_or_insert(own) == own;
    }
    result
}

/// What the addresses of all elements are multiples of, by array: what the accesses of the original
/// code promise, limited by the element's size.
fn element_alignments(scop: &Scop, bindings: &Bindings<'_>) -> Vec<u32> {
    let mut result: Vec<u32> = scop.arrays.iter().map(|a| 1 << a.element.bytes.trailing_zeros().min(16)).collect();
    for statement in &scop.statements {
        for instr in &statement.body {
            let accesses = match &instr.kind {
                InstrKind::Read(a) | InstrKind::Write(a) => vec![(*a, instr.value)],
                InstrKind::Loop { reads, writes, .. } => {
                    reads.iter().chain(writes).map(|&a| (a, statement.accesses[a.index()].value)).collect()
                }
                _ => continue,
            };
            for (a, value) in accesses {
                let Some(instruction) = bindings.values.get(value.index()) else { continue };
                let is_temporary = scop.arrays[statement.accesses[a.index()].array.index()].is_temporary();
                if !is_temporary && matches!(instruction.opcode(), Some(Opcode::Load | Opcode::Store)) {
                    let alignment = &mut result[statement.accesses[a.index()].array.index()];
                    *alignment = (*alignment).min(instruction.alignment());
                }
            }
        }
    }
    result
}
