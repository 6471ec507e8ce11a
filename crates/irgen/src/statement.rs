//! Instances of statements: copies of their bodies.
//!
//! A body's instructions are copied in order. Local operands are results of earlier copies,
//! invariant ones the original values, synthesized ones are computed from the instance's
//! coordinates ([`crate::scev`]). Scalars go through their slots; memory is addressed from the
//! array's base by the access relation, whatever the original address computation looked like.
//!
//! # Flags and metadata
//! A copy is executed for the same instance on the same operand values as the original, so flags
//! (`nsw`, fast-math) and statements about the instruction's own value (`!range`, `!tbaa`, ..) stay
//! true. Only updates of reductions whose order has changed see other values; they lose the flags
//! whose violation is poison ([`Plan::reassociated`](poly_scop::Plan::reassociated)), and accesses
//! to arrays that are accessed as several types lose `!tbaa`. What relates it to *other* accesses
//! (`!alias.scope`, `!noalias`, access groups) or speaks of the loop it was in does not survive
//! reordering and is dropped.

use poly_arith::Int;
use poly_scop::{Access, Combination, Instr, InstrKind, Operand, OperandKind, StmtId, ValueId};
use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{LoopRef, TypeRef, ValueRef};

use crate::alias;
use crate::builder::{self, Builder, Compare, Op, Value};
use crate::code::{Run, param_index};
use crate::form::{Evaluation, Form, Var};
use crate::generator::Generator;
use crate::interval::Interval;
use crate::non_affine::Copied;
use crate::rows;

/// Metadata that speaks of the instruction's own result or address.
const KEPT_METADATA: [&str; 10] = [
    "tbaa",
    "fpmath",
    "range",
    "nontemporal",
    "nonnull",
    "noundef",
    "align",
    "dereferenceable",
    "dereferenceable_or_null",
    "invariant.load",
];

/// The instance that is being written.
#[derive(Debug)]
pub(crate) struct Instance<'c, 'a> {
    pub(crate) statement: usize,
    /// The loops of the original code by coordinate.
    pub(crate) loops: &'a [LoopRef<'c>],
    pub(crate) coordinates: Vec<Value<'c>>,
    pub(crate) ranges: Vec<Interval>,
    /// Results of the instructions written so far.
    pub(crate) locals: Vec<(ValueId, Value<'c>)>,
    /// The whole loops written so far.
    pub(crate) copied: Vec<(ValueId, Copied<'c>)>,
}

impl<'c> Instance<'c, '_> {
    /// An instance without coordinates: code before or after the region.
    pub(crate) fn outside() -> Self {
        Self {
            statement: usize::MAX,
            loops: &[],
            coordinates: Vec::new(),
            ranges: Vec::new(),
            locals: Vec::new(),
            copied: Vec::new(),
        }
    }

    /// The coordinate that counts the iterations of a loop.
    pub(crate) fn dimension(&self, l: LoopRef<'c>) -> usize {
        self.loops.iter().position(|&own| own == l).expect("preparation has checked the loops of recurrences")
    }

    fn local(&self, id: ValueId) -> Value<'c> {
        let found = self.locals.iter().rev().find(|(known, _)| *known == id);
        found.unwrap_or_else(|| panic!("{id:?} is used before it is defined")).1
    }
}

impl<'c, 'p> Generator<'c, 'p> {
    /// Writes an instance.
    pub(crate) fn emit_run(&mut self, run: &Run) {
        let prepared = self.prepared;
        if let Some(buffer) = prepared.buffers.iter().find(|w| w.statement.index() == run.statement) {
            return self.place_buffer(buffer.array.index(), run);
        }
        if prepared.waits.iter().any(|wait| wait.index() == run.statement) {
            return self.emit_wait(run);
        }
        let coordinates = run.coordinates.iter().map(|f| self.emit_form(f)).collect();
        let mut instance = Instance {
            statement: run.statement,
            loops: &prepared.statements[run.statement].loops,
            coordinates,
            ranges: prepared.coordinate_ranges(run),
            locals: Vec::new(),
            copied: Vec::new(),
        };
        let mut rest = prepared.scop.statements[run.statement].body.as_slice();
        while let Some(first) = rest.first() {
            let (together, others) = rest.split_at(rest.iter().take_while(|i| i.predicate == first.predicate).count());
            rest = others;
            match first.predicate {
                None => together.iter().for_each(|instr| self.emit_instr(instr, &mut instance)),
                Some(predicate) => self.emit_predicated(predicate, together, rest, &mut instance),
            }
        }
    }

    fn emit_instr(&mut self, instr: &Instr, instance: &mut Instance<'c, '_>) {
        let value = match instr.kind {
            InstrKind::Read(access) => self.emit_read(instr, access.index(), instance),
            InstrKind::Compute { .. } => {
                let copy = self.emit_copy(instr, instance);
                self.emit_test_of_error(instr, copy);
                copy
            }
            InstrKind::Holds { inverted } => self.emit_holds(instr, inverted, instance),
            InstrKind::Any => self.emit_any(instr, instance),
            InstrKind::Matches { ref cases, inverted } => self.emit_matches(instr, cases, inverted, instance),
            InstrKind::Choose => self.emit_choose(instr, instance),
            InstrKind::Combine(combination) => self.emit_combined(instr, combination, instance),
            InstrKind::Neutral(combination) => self.emit_neutral(instr, combination),
            InstrKind::Counter(ref row) => self.emit_counter(instr, row, instance),
            InstrKind::Within { bits, signed } => self.emit_within(instr, bits, signed, instance),
            InstrKind::Loop { .. } => {
                let copied = self.emit_subregion(instr, instance);
                instance.copied.push((instr.value, copied));
                // Nobody looks at it.
                self.b.bool(true)
            }
            InstrKind::Result => self.emit_left(instr, instance),
            InstrKind::Stop { inverted } => return self.emit_stop(instr, inverted, instance),
            InstrKind::Write(access) => return self.emit_write(instr, access.index(), instance),
        };
        instance.locals.push((instr.value, value));
    }

    /// Writes instructions that are executed if the predicate is true. What `rest` uses of them is
    /// undefined otherwise.
    fn emit_predicated(
        &mut self,
        predicate: ValueId,
        together: &[Instr],
        rest: &[Instr],
        instance: &mut Instance<'c, '_>,
    ) {
        let then = self.b.append_block(self.frame.function, "poly.if");
        let after = self.b.append_block(self.frame.function, "poly.endif");
        let before = self.b.block();
        self.b.branch_if(instance.local(predicate), then, after);
        self.b.at_end(then);
        let known = instance.locals.len();
        together.iter().for_each(|instr| self.emit_instr(instr, instance));
        let end = self.b.block();
        self.b.branch(after);
        self.b.at_end(after);
        let is_used = |id: ValueId| rest.iter().any(|instr| instr.locals().any(|used| used == id));
        let made: Vec<(ValueId, Value<'c>)> = instance.locals.drain(known..).filter(|(id, _)| is_used(*id)).collect();
        for (id, value) in made {
            let merged = self.b.phi(value.ty(), "");
            builder::add_incoming(merged, value, end);
            builder::add_incoming(merged, self.b.poison(value.ty()), before);
            instance.locals.push((id, merged));
        }
    }

    fn emit_holds(&mut self, instr: &Instr, inverted: bool, instance: &Instance<'c, '_>) -> Value<'c> {
        let (&last, first) = instr.operands.split_last().expect("there is something that holds");
        let last = self.emit_operand(last, instance);
        let last = if inverted { self.b.not(last) } else { last };
        match first.first() {
            // Not `and`: the last one may be poison where the first is false.
            Some(&first) => {
                let first = self.emit_operand(first, instance);
                self.b.select(first, last, self.b.bool(false))
            }
            None => last,
        }
    }

    fn emit_matches(
        &mut self,
        instr: &Instr,
        cases: &[i128],
        inverted: bool,
        instance: &Instance<'c, '_>,
    ) -> Value<'c> {
        let (&last, first) = instr.operands.split_last().expect("there is something to compare");
        let last = self.emit_operand(last, instance);
        let bits = last.ty().integer_bits().expect("cases are integers");
        let is = |case: &i128| self.b.compare(Compare::LLVMIntEQ, last, self.b.int(bits, *case));
        let any = cases.iter().map(is).reduce(|a, b| self.b.arithmetic(Op::Or, a, b, false));
        let any = any.unwrap_or_else(|| self.b.bool(false));
        let holds = if inverted { self.b.not(any) } else { any };
        match first.first() {
            Some(&first) => {
                let first = self.emit_operand(first, instance);
                self.b.select(first, holds, self.b.bool(false))
            }
            None => holds,
        }
    }

    fn emit_any(&mut self, instr: &Instr, instance: &Instance<'c, '_>) -> Value<'c> {
        let values: Vec<Value<'c>> = instr.operands.iter().map(|&o| self.emit_operand(o, instance)).collect();
        let either = |a, b| self.b.select(a, self.b.bool(true), b);
        values.into_iter().reduce(either).expect("there is a way to every block")
    }

    fn emit_choose(&mut self, instr: &Instr, instance: &Instance<'c, '_>) -> Value<'c> {
        let mut values: Vec<Value<'c>> = instr.operands.iter().map(|&o| self.emit_operand(o, instance)).collect();
        let mut result = values.pop().expect("there is a last choice");
        while let (Some(value), Some(condition)) = (values.pop(), values.pop()) {
            result = self.b.select(condition, value, result);
        }
        result
    }

    fn emit_combined(&mut self, instr: &Instr, combination: Combination, instance: &Instance<'c, '_>) -> Value<'c> {
        let [a, b] = [0, 1].map(|operand| self.emit_operand(instr.operands[operand], instance));
        let operation = match combination {
            Combination::Add => Op::Add,
            Combination::Subtract => Op::Sub,
            Combination::Multiply => Op::Mul,
            Combination::And => Op::And,
            Combination::Or => Op::Or,
            Combination::Xor => Op::Xor,
            Combination::FloatAdd => Op::FAdd,
            Combination::FloatMultiply => Op::FMul,
            Combination::SignedMin | Combination::SignedMax | Combination::UnsignedMin | Combination::UnsignedMax => {
                return self.b.intrinsic(combination.opcode(), &[a.ty()], &[a, b]);
            }
        };
        let result = self.b.arithmetic(operation, a, b, false);
        if combination.is_float() {
            builder::reassociate_like(result, self.prepared.value(instr.value));
        }
        result
    }

    /// Whether a number has so many bits: one that may be negative is moved up by half of the
    /// range.
    fn emit_within(&mut self, instr: &Instr, bits: u32, signed: bool, instance: &Instance<'c, '_>) -> Value<'c> {
        // What is not known of memory without contents must not decide a branch.
        let value = self.emit_operand(instr.operands[0], instance);
        let value = self.b.freeze(value);
        let own = value.ty().integer_bits().expect("only integers are within a range");
        let value = match signed {
            true => self.b.arithmetic(Op::Add, value, self.b.int(own, 1i128 << (bits - 1)), false),
            false => value,
        };
        self.b.compare(Compare::LLVMIntULT, value, self.b.int(own, 1i128 << bits))
    }

    /// The number that changes nothing.
    fn emit_neutral(&self, instr: &Instr, combination: Combination) -> Value<'c> {
        let ty = self.prepared.value(instr.value).ty();
        match combination {
            Combination::FloatAdd => return self.b.float(ty, -0.0),
            Combination::FloatMultiply => return self.b.float(ty, 1.0),
            _ => {}
        }
        let bits = ty.integer_bits().expect("all others are combinations of integers");
        // The largest number of so many bits; of 127 in a type of 128.
        let largest = |bits: u32| i128::MAX >> 127u32.saturating_sub(bits);
        self.b.int(
            bits,
            match combination {
                Combination::Add
                | Combination::Subtract
                | Combination::Or
                | Combination::Xor
                | Combination::UnsignedMax => 0,
                Combination::Multiply => 1,
                Combination::And | Combination::UnsignedMin => -1,
                Combination::SignedMin => largest(bits - 1),
                Combination::SignedMax => -largest(bits - 1) - 1,
                Combination::FloatAdd | Combination::FloatMultiply => unreachable!("they are no integers"),
            },
        )
    }

    /// An affine function of coordinates and parameters, modulo `2^64` and then modulo two to the
    /// power of the type's bits: nothing is promised about overflow.
    fn emit_counter(&mut self, instr: &Instr, row: &[Int], instance: &Instance<'c, '_>) -> Value<'c> {
        let scop = &self.prepared.scop;
        let params = scop.context.space().params.iter().map(|id| Var::Param(param_index(scop, id.as_str())));
        let columns: Vec<Var> = params.chain((0..instance.coordinates.len()).map(Var::Coordinate)).collect();
        let mut sum = self.b.int(64, modulo_of_64_bits(&row[0]));
        for (coefficient, var) in row[1..].iter().zip(columns).filter(|(coefficient, _)| !coefficient.is_zero()) {
            let value = InInstance { generator: self, instance }.value(var);
            let factor = self.b.int(64, modulo_of_64_bits(coefficient));
            let term = self.b.arithmetic(Op::Mul, value, factor, false);
            sum = self.b.arithmetic(Op::Add, sum, term, false);
        }
        self.b.int_cast(sum, self.prepared.value(instr.value).ty(), true)
    }

    fn access(&self, instance: &Instance<'c, '_>, access: usize) -> &'p Access {
        &self.prepared.scop.statements[instance.statement].accesses[access]
    }

    pub(crate) fn emit_read(&mut self, instr: &Instr, access: usize, instance: &Instance<'c, '_>) -> Value<'c> {
        let array = self.access(instance, access).array;
        let original = self.prepared.value(instr.value);
        if let Some(private) = self.private_access(instance.statement, access) {
            return self.b.load(private.ty, private.slot, &original.name());
        }
        if self.prepared.scop.arrays[array.index()].is_scalar() {
            let slot = self.slot(array);
            return self.b.load(original.ty(), slot, &original.name());
        }
        if original.is_call() && !self.access(instance, access).exact {
            // A block of memory that the write behind it copies, or that the call looks at.
            return self.b.bool(false);
        }
        let address = self.emit_address(instr, access, original.ty(), instance);
        let is_temporary = self.prepared.scop.arrays[array.index()].is_temporary();
        let is_of_source = !is_temporary && instance.statement < self.prepared.first_of_buffers;
        let is_speculated = self.access(instance, access).speculated;
        let load = if original.opcode() == Some(Opcode::Load) && is_of_source && !is_speculated {
            let load = self.copy(original);
            builder::set_operand(load, 0, address);
            load
        } else {
            let load = self.b.load(original.ty(), address, &original.name());
            builder::set_alignment(load, self.prepared.arrays[array.index()].alignment);
            load
        };
        self.mark_access(load, array.index());
        load
    }

    fn emit_write(&mut self, instr: &Instr, access: usize, instance: &Instance<'c, '_>) {
        let array = self.access(instance, access).array;
        let executed = self.prepared.bindings.values.get(instr.value.index()).filter(|v| v.is_call());
        if executed.is_some() && !self.access(instance, access).exact {
            let copy = self.emit_copy(instr, instance);
            alias::mark_groups(self.prepared.cx, copy, &self.groups);
            return;
        }
        if self.prepared.scop.arrays[array.index()].is_errno() {
            // The call does that itself.
            return;
        }
        let value = self.emit_operand(instr.operands[0], instance);
        if let Some(private) = self.private_access(instance.statement, access) {
            self.b.store(value, private.slot);
            self.b.store(self.b.bool(true), private.is_there);
            return;
        }
        if self.prepared.scop.arrays[array.index()].is_scalar() {
            let slot = self.slot(array);
            self.b.store(value, slot);
            return;
        }
        let address = self.emit_address(instr, access, value.ty(), instance);
        let original = self.prepared.bindings.values.get(instr.value.index()).copied();
        let is_temporary = self.prepared.scop.arrays[array.index()].is_temporary();
        let is_store = |o: &ValueRef<'c>| o.opcode() == Some(Opcode::Store) && o.operand(0).ty() == value.ty();
        let is_of_source = !is_temporary && instance.statement < self.prepared.first_of_buffers;
        let original = original.filter(|o| is_of_source && is_store(o));
        let store = if let Some(original) = original {
            let store = self.copy(original);
            builder::set_operand(store, 0, value);
            builder::set_operand(store, 1, address);
            store
        } else {
            let store = self.b.store(value, address);
            builder::set_alignment(store, self.prepared.arrays[array.index()].alignment);
            store
        };
        self.mark_access(store, array.index());
    }

    /// Metadata of an access that says which other accesses do not touch the same memory. Memory
    /// may change its type, which the types of two accesses would deny; where that can be seen,
    /// they are not said in an order that is not the source's.
    pub(crate) fn mark_access(&self, access: Value<'c>, array: usize) {
        if !self.prepared.arrays[array].has_one_type {
            access.remove_metadata("tbaa");
        }
        self.alias.mark(access, array);
        alias::mark_groups(self.prepared.cx, access, &self.groups);
    }

    /// A copy of an instruction at the builder's place, still with the original operands.
    pub(crate) fn copy(&mut self, original: ValueRef<'c>) -> Value<'c> {
        let copy = original.clone_instruction();
        self.b.insert(copy);
        copy.keep_metadata(self.prepared.cx, &KEPT_METADATA);
        copy.copy_place(original);
        if copy.ty().kind() != TypeKind::Void {
            builder::set_name(copy, &original.name());
        }
        copy
    }

    pub(crate) fn emit_copy(&mut self, instr: &Instr, instance: &Instance<'c, '_>) -> Value<'c> {
        let original = self.prepared.value(instr.value);
        let mut operands = Vec::new();
        for (position, operand) in original.operands().into_iter().enumerate() {
            let named = instr.operands.iter().find(|o| self.prepared.value(o.value) == operand);
            if let Some(&named) = named.filter(|_| operand.is_instruction() || operand.is_argument()) {
                operands.push((position, self.emit_operand(named, instance)));
            } else if operand.is_constant() && !operand.is_function() {
                operands.push((position, self.import(operand)));
            }
        }
        let copy = self.copy(original);
        for (position, operand) in operands {
            builder::set_operand(copy, position, operand);
        }
        self.forget_order(copy, instance.statement, instr.value);
        copy
    }

    /// Takes the flags off the copy of an instruction that promise something about the order in
    /// which the source executes it, if that order is not kept.
    pub(crate) fn forget_order(&self, copy: Value<'c>, statement: usize, original: ValueId) {
        if copy.is_instruction() && self.prepared.reassociated.contains(&(StmtId::from(statement), original)) {
            copy.drop_poison_flags();
        }
    }

    pub(crate) fn emit_operand(&mut self, operand: Operand, instance: &Instance<'c, '_>) -> Value<'c> {
        match operand.kind {
            OperandKind::Local => instance.local(operand.value),
            OperandKind::Constant | OperandKind::Invariant => self.import(self.prepared.value(operand.value)),
            OperandKind::Synthesized => {
                let scev = self.prepared.statements[instance.statement].synthesized[&operand.value];
                let value = self.emit_scev(scev, instance);
                debug_assert_eq!(value.ty(), self.prepared.value(operand.value).ty(), "expressions keep the type");
                value
            }
        }
    }

    /// The address of the element that the instance accesses:
    /// `base + (row * extent + column) * bytes`, where the row part does not depend on the last
    /// subscript, so that it can be moved out of the innermost loop. It is computed modulo 2^64, as
    /// the original address was.
    pub(crate) fn emit_address(
        &mut self,
        instr: &Instr,
        access: usize,
        ty: TypeRef<'c>,
        instance: &Instance<'c, '_>,
    ) -> Value<'c> {
        let prepared = self.prepared;
        if !self.access(instance, access).exact {
            let address = *instr.operands.last().expect("accesses that are not exact have an address");
            return self.emit_operand(address, instance);
        }
        let array = self.access(instance, access).array.index();
        let code = &prepared.arrays[array];
        let (rows, subscripts) =
            prepared.statements[instance.statement].subscripts[access].split_at(usize::from(code.table.is_some()));
        let memory = self.memory_of_temporary(array);
        let mut base = self.import(memory.unwrap_or(code.value));
        if let (Some(table), [row]) = (code.table, rows) {
            let row = self.emit_subscript(row, instance);
            base = rows::emit_row(&self.b, base, row, prepared.arrays[table].element_bytes.into());
            self.mark_access(base, table);
        }
        let mut row: Option<Value<'c>> = None;
        let (last, outer) = subscripts.split_last().expect("memory arrays have at least one dimension");
        for (dimension, subscript) in outer.iter().enumerate() {
            let subscript = self.emit_subscript(subscript, instance);
            let sum = row.map_or(subscript, |row| self.b.arithmetic(Op::Add, row, subscript, false));
            let extent = self.emit_form(&code.extents[dimension]);
            row = Some(self.b.arithmetic(Op::Mul, sum, extent, false));
        }
        if let Some(row) = row {
            base = self.emit_offset(base, row, code.element_bytes, ty);
        }
        let last = self.emit_subscript(last, instance);
        self.emit_offset(base, last, code.element_bytes, ty)
    }

    fn emit_offset(&mut self, base: Value<'c>, elements: Value<'c>, element_bytes: u32, ty: TypeRef<'c>) -> Value<'c> {
        if self.prepared.cx.alloc_size(ty) == Some(u64::from(element_bytes)) {
            return self.b.offset(ty, base, elements);
        }
        let bytes = self.b.arithmetic(Op::Mul, elements, self.b.int(64, i128::from(element_bytes)), false);
        self.b.offset(self.b.int_type(8), base, bytes)
    }

    fn emit_subscript(&mut self, form: &Form, instance: &Instance<'c, '_>) -> Value<'c> {
        form.emit(&mut InInstance { generator: self, instance })
    }
}

/// The number of 64 bits that is congruent to another one.
fn modulo_of_64_bits(number: &Int) -> i128 {
    number.mod_floor(&Int::from(2).pow(64)).to_i128().expect("remainders have so many bits")
}

/// Forms over the coordinates of an instance.
struct InInstance<'g, 'c, 'p> {
    generator: &'g mut Generator<'c, 'p>,
    instance: &'g Instance<'c, 'g>,
}

impl<'c> Evaluation<'c> for InInstance<'_, 'c, '_> {
    fn builder(&self) -> &Builder<'c> {
        &self.generator.b
    }

    fn bits(&self) -> u32 {
        64
    }

    fn value(&mut self, var: Var) -> Value<'c> {
        match var {
            Var::Coordinate(d) => self.instance.coordinates[d],
            other => self.generator.variable(other),
        }
    }

    fn range(&self, var: Var) -> Interval {
        match var {
            Var::Coordinate(d) => self.instance.ranges[d],
            other => self.generator.prepared.program.range(other),
        }
    }
}
