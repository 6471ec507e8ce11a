//! The model of a region, put together from what the steps of detection have found.
//!
//! Statements come in textual order, an inspection behind those of its block; arrays of memory
//! first, then scalars as they are needed. In the end the parameters that nothing refers to are
//! left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use poly_arith::Int;
use poly_presburger::{Aff, Budget, DimKind, Id, Map, Set, Space, Tuple};
use poly_scop::shape::{Polynomial, Symbol};
use poly_scop::{
    Access, AccessId, AccessKind, Array, ArrayId, ArrayKind, Assumption, AssumptionKind, CounterValue, ElementType,
    Instr, InstrKind, Loop, LoopId, Operand, OperandKind, ScalarKind, Scop, Statement, ValueId,
};
use poly_shim::ir::Opcode;
use poly_shim::{Bindings, HoistedLoad, NonAffineSubregion, ValueRef};

use crate::access::{self, Accesses, Role, Transfer};
use crate::affine::Translator;
use crate::build::Failure;
use crate::cfg::{BlockId, Cfg, LoopIndex};
use crate::domains::Domains;
use crate::extremes::finds_extremes;
use crate::facts;
use crate::needs::{Needs, Source};
use crate::non_affine::Subregion;
use crate::offsets::is_inside_object;
use crate::operations;
use crate::parts::{self, NodeKind, Part};
use crate::regions::Item;
use crate::reject::{Blocker, RejectKind};
use crate::values::{Name, Origins, Values};
use crate::{DetectOptions, alias, counters, errno, hoist, initial, inspect, lifetimes, names, units};

/// Largest number of statements of a SCoP.
const MAX_STATEMENTS: usize = 400;

/// The model under construction.
pub(crate) struct Assembly<'a, 'c> {
    origins: Origins<'a, 'c>,
    options: &'a DetectOptions,
    translator: Translator<'a, 'c>,
    domains: Domains,
    needs: Needs<'c>,
    accesses: Accesses<'c>,
    /// What may set `errno`, if that is of interest.
    errno_calls: Vec<ValueRef<'c>>,
    /// What they write if they have an order.
    errno_scalar: Option<ArrayId>,
    /// The object `errno`, if something has to be compared with it.
    errno_object: Option<(ArrayId, errno::Neighbours)>,
    /// When point loops of tiles are entered.
    entries: Vec<(LoopIndex, Set)>,
    values: Values<'c>,
    arrays: Vec<Array>,
    scalars: HashMap<(ScalarKind, ValueRef<'c>), ArrayId>,
    statements: Vec<Statement>,
    inspections: Vec<Statement>,
    /// Operands that are computed again from counters; nothing of those that are something else in
    /// different blocks.
    counters: BTreeMap<ValueId, Option<CounterValue>>,
    /// The loops along which operands that are computed again change, in some block.
    moving: BTreeMap<ValueId, BTreeSet<LoopId>>,
}

impl<'a, 'c> Assembly<'a, 'c> {
    /// Nothing but what the steps before have found; `calls_and_entries` are the calls that may set
    /// `errno`, and when point loops of tiles are entered.
    pub(crate) fn new(
        origins: Origins<'a, 'c>,
        options: &'a DetectOptions,
        (translator, domains, needs): (Translator<'a, 'c>, Domains, Needs<'c>),
        accesses: Accesses<'c>,
        (errno_calls, entries): (Vec<ValueRef<'c>>, Vec<(LoopIndex, Set)>),
    ) -> Self {
        Assembly {
            origins,
            options,
            translator,
            domains,
            needs,
            accesses,
            errno_calls,
            errno_scalar: None,
            errno_object: None,
            entries,
            values: Values::default(),
            arrays: Vec::new(),
            scalars: HashMap::new(),
            statements: Vec::new(),
            inspections: Vec::new(),
            counters: BTreeMap::new(),
            moving: BTreeMap::new(),
        }
    }

    /// The model.
    pub(crate) fn run(mut self, items: &[Item], budget: &mut Budget) -> Result<(Scop, Bindings<'c>), Failure<'c>> {
        self.memory_arrays();
        self.errno()?;
        self.entry_statement(budget)?;
        let first = self.statements.len();
        self.items(items, &mut vec![first], &mut Vec::new(), budget)?;
        self.finish(items, budget)
    }
}

impl<'c> Assembly<'_, 'c> {
    /// The arrays in memory come first; their extents follow when the parameters are final.
    fn memory_arrays(&mut self) {
        for array in &self.accesses.arrays {
            let kind = match array.table {
                Some(table) => ArrayKind::Rows { table: ArrayId::from(table) },
                None => ArrayKind::Memory { base: self.values.id(array.base) },
            };
            self.arrays.push(Array {
                name: array.name.clone(),
                kind,
                element: array.element.clone(),
                extents: Vec::new(),
                rank: array.extents.len() + 1 + usize::from(array.table.is_some()),
                local: array.table.is_none() && self.is_local(array.base),
            });
        }
    }

    /// Whether the base of an array is an object that nothing but the accesses of this array reads.
    fn is_local(&self, base: ValueRef<'c>) -> bool {
        let mut others = self.accesses.arrays.iter().filter(|other| other.base != base);
        let is_single = self.accesses.arrays.iter().filter(|array| array.base == base).count() == 1;
        is_single
            && lifetimes::is_seen_only_here(self.origins, base)
            && !others.any(|other| other.base.underlying_object() == base)
    }

    /// The scalar of a value or PHI node.
    fn scalar(&mut self, kind: ScalarKind, value: ValueRef<'c>) -> Result<ArrayId, Blocker> {
        if let Some(&id) = self.scalars.get(&(kind, value)) {
            return Ok(id);
        }
        let ty = value.ty();
        let bytes = self.origins.ctx.alloc_size(ty).and_then(|b| u32::try_from(b).ok());
        let bytes = bytes.ok_or_else(|| {
            Blocker::new(RejectKind::Type, format!("a value of type {} lives across statements", ty.print()))
                .at(names::place(value))
        })?;
        let wish = names::source_name(value);
        let wish = match kind {
            ScalarKind::Value | ScalarKind::Phi | ScalarKind::ExitPhi if wish.is_empty() => wish,
            ScalarKind::Value => wish,
            ScalarKind::Phi | ScalarKind::ExitPhi => format!("{wish}_phi"),
            ScalarKind::Errno => "errno".to_string(),
        };
        let live_out = match kind {
            ScalarKind::Value => self.needs.carried.get(&value).copied().unwrap_or(false),
            ScalarKind::Phi => false,
            ScalarKind::ExitPhi | ScalarKind::Errno => true,
        };
        let element = match kind {
            ScalarKind::Errno => ElementType { name: "i32".to_string(), bytes: 4, float: false },
            _ => ElementType { name: ty.print(), bytes, float: ty.is_float() },
        };
        let id = ArrayId::from(self.arrays.len());
        self.arrays.push(Array {
            name: self.translator.names.unique(&wish, "s"),
            kind: ArrayKind::Scalar { kind, value: self.values.id(value), live_out },
            element,
            extents: Vec::new(),
            rank: 0,
            local: false,
        });
        self.scalars.insert((kind, value), id);
        Ok(id)
    }

    /// The statement that gives PHI nodes at the region's beginning their initial values.
    fn entry_statement(&mut self, budget: &mut Budget) -> Result<(), Blocker> {
        let (translator, accesses) = (&mut self.translator, &mut self.accesses);
        let part = parts::at_entry(self.origins, &self.needs, |value| {
            initial::is_element(translator, accesses, value, budget)
        });
        if part.is_empty() {
            return Ok(());
        }
        if self.origins.region.entering(self.origins.cfg).len() > 1 {
            let message = "values come into the region from several places";
            return Err(Blocker::new(RejectKind::Structure, message).in_block(self.origins.region.entry));
        }
        let domain = Set::universe(self.translator.space(0));
        let name = self.translator.names.unique("S_entry", "S_entry");
        self.statement(name, &part, &domain, Vec::new(), vec![0])
    }

    /// The statements of the items, whose first number at each level is in `position`. Recursion is
    /// as deep as the nest.
    fn items(
        &mut self,
        items: &[Item],
        position: &mut Vec<usize>,
        loops: &mut Vec<LoopId>,
        budget: &mut Budget,
    ) -> Result<(), Failure<'c>> {
        for item in items {
            match item {
                Item::Block(block) => self.block(*block, position, loops, budget)?,
                Item::Loop(l, inner) => {
                    let all = self.origins.region.all_loops();
                    let id = all.binary_search(l).expect("the loop is inside the region");
                    loops.push(LoopId::from(id));
                    position.push(0);
                    self.items(inner, position, loops, budget)?;
                    position.pop();
                    loops.pop();
                    *position.last_mut().expect("positions have a level for the region") += 1;
                }
            }
        }
        Ok(())
    }

    fn block(
        &mut self,
        block: BlockId,
        position: &mut [usize],
        loops: &[LoopId],
        budget: &mut Budget,
    ) -> Result<(), Failure<'c>> {
        if !self.domains.runs(block) {
            return Ok(());
        }
        if !self.domains.units.is_inner(block) {
            self.unit(block, position, loops, budget)?;
        }
        if self.domains.ends_by_data.contains_key(&block) {
            self.inspection(block, position, loops).map_err(|b| b.in_block(block))?;
            *position.last_mut().expect("positions have a level for the region") += 1;
        }
        Ok(())
    }

    /// The statements of the unit that begins with the block.
    fn unit(
        &mut self,
        block: BlockId,
        position: &mut [usize],
        loops: &[LoopId],
        budget: &mut Budget,
    ) -> Result<(), Failure<'c>> {
        let ordered_errno = self.errno_scalar.is_some();
        let parts = parts::of_unit(self.origins, &self.domains, &self.needs, &self.accesses, ordered_errno, block);
        let mut domain = self.domains.of(block).clone();
        if !parts.is_empty() {
            self.synthesized(&parts, block, budget)?;
            let around = self.origins.region.loops_around(self.origins.cfg, block);
            domain = self.translator.without_tiles(&domain, &around, &self.entries, budget)?;
        }
        for part in parts {
            if self.statements.len() >= MAX_STATEMENTS {
                return Err(Blocker::new(
                    RejectKind::Complexity,
                    format!("there are more than {MAX_STATEMENTS} statements"),
                )
                .into());
            }
            let name = self.translator.names.unique(&format!("S{}", self.statements.len()), "S");
            self.statement(name, &part, &domain, loops.to_vec(), position.to_vec()).map_err(|b| b.in_block(block))?;
            *position.last_mut().expect("positions have a level for the region") += 1;
        }
        Ok(())
    }

    /// Checks what code generation computes again in tiles, and looks at what it is.
    fn synthesized(&mut self, parts: &[Part<'c>], block: BlockId, budget: &mut Budget) -> Result<(), Blocker> {
        let domain = self.domains.of(block);
        for &(operand, source) in parts.iter().flatten().flat_map(|node| &node.operands) {
            if source == Source::Synthesized {
                self.translator.check_synthesized(operand.ir(), block, domain, budget)?;
                let id = self.values.name(operand);
                let value = self.counter(operand.ir(), block);
                let known = self.counters.entry(id).or_insert_with(|| value.clone());
                if *known != value {
                    *known = None;
                }
                let moving = self.moving_along(operand.ir(), block);
                self.moving.entry(id).or_default().extend(moving);
            }
        }
        Ok(())
    }

    /// The function of counters that an integer is in a block, if that is known. The counters of
    /// loops that are tiled by hand are others in the model.
    fn counter(&self, value: ValueRef<'c>, block: BlockId) -> Option<CounterValue> {
        let bits = value.ty().integer_bits()?;
        if bits > 64 || !self.translator.tiles.is_empty() {
            return None;
        }
        let cfg = self.origins.cfg;
        let around = self.origins.region.loops_around(cfg, block);
        let number = |l| self.loop_id(cfg.loop_number(l).filter(|l| around.contains(l))?);
        counters::of(self.origins.scev_in(value, block)?, &number)
    }

    /// The loops around a block along which a value that code generation computes again changes.
    fn moving_along(&self, value: ValueRef<'c>, block: BlockId) -> Vec<LoopId> {
        let cfg = self.origins.cfg;
        let scev = self.origins.scev_in(value, block);
        let around = self.origins.region.loops_around(cfg, block);
        let stays = |l: LoopIndex| scev.is_some_and(|scev| self.origins.ctx.is_invariant(scev, cfg.loops[l].handle));
        around.iter().filter(|&&l| !stays(l)).filter_map(|&l| self.loop_id(l)).collect()
    }

    /// The loop in the model, if it is inside the region.
    fn loop_id(&self, l: LoopIndex) -> Option<LoopId> {
        self.origins.region.all_loops().binary_search(&l).ok().map(LoopId::from)
    }

    /// Makes what the branch at the end of the block depends on an inspection.
    fn inspection(&mut self, block: BlockId, position: &[usize], loops: &[LoopId]) -> Result<(), Blocker> {
        if !self.translator.tiles.is_empty() {
            // Without tiles, an element could be looked at that the original does not come to.
            let message = "in loops tiled by hand, data decide whether the program ends";
            return Err(Blocker::new(RejectKind::NonAffineCondition, message));
        }
        let nodes = inspect::nodes(self.origins, &self.domains, &self.needs, &self.accesses, block)?;
        let name = self.translator.names.unique(&format!("I{}", self.inspections.len()), "I");
        let mut inspection = Statement {
            domain: self.domains.of(block).set_tuple_name(Some(Id::new(&name))),
            name,
            loops: loops.to_vec(),
            position: position.to_vec(),
            accesses: Vec::new(),
            body: Vec::new(),
            place: names::place(self.origins.cfg.blocks[block].terminator()),
        };
        for node in &nodes {
            self.node(node, &mut inspection)?;
        }
        // What is loaded in outer loops is the same in all iterations of the inner ones.
        for access in &mut inspection.accesses {
            let known = access.relation.dim(DimKind::In);
            let relation = access.relation.insert_dims(DimKind::In, known, loops.len() - known);
            access.relation = relation.set_tuple_name(DimKind::In, Some(Id::new(&inspection.name)));
        }
        self.inspections.push(inspection);
        Ok(())
    }

    /// Makes a part a statement.
    fn statement(
        &mut self,
        name: String,
        part: &Part<'c>,
        domain: &Set,
        loops: Vec<LoopId>,
        position: Vec<usize>,
    ) -> Result<(), Blocker> {
        let mut statement = Statement {
            domain: domain.set_tuple_name(Some(Id::new(&name))),
            name,
            loops,
            position,
            accesses: Vec::new(),
            body: Vec::new(),
            place: part.iter().find_map(|node| names::place(node.value.ir())),
        };
        self.scalar_reads(part, &mut statement)?;
        for node in part {
            self.node(node, &mut statement)?;
        }
        self.statements.push(statement);
        Ok(())
    }

    /// Reads every scalar that the part uses, once, at the beginning.
    fn scalar_reads(&mut self, part: &Part<'c>, statement: &mut Statement) -> Result<(), Blocker> {
        let mut done: Vec<Name<'c>> = Vec::new();
        for &(operand, source) in part.iter().flat_map(|node| &node.operands) {
            let scalar = match source {
                Source::Carried(original) => (ScalarKind::Value, original),
                Source::Phi => (ScalarKind::Phi, operand.ir()),
                _ => continue,
            };
            if done.contains(&operand) {
                continue;
            }
            done.push(operand);
            let array = self.scalar(scalar.0, scalar.1)?;
            let access = self.scalar_access(statement, AccessKind::Read, array, scalar.1);
            let value = self.values.name(operand);
            statement.body.push(Instr { kind: InstrKind::Read(access), value, operands: Vec::new(), predicate: None });
        }
        Ok(())
    }

    fn scalar_access(
        &mut self,
        statement: &mut Statement,
        kind: AccessKind,
        array: ArrayId,
        value: ValueRef<'c>,
    ) -> AccessId {
        let space = self.translator.space(statement.loops.len());
        let tuple = Tuple::named(self.arrays[array.index()].name.as_str(), 0);
        let relation = Map::universe(Space::map(
            space.params,
            Tuple::named(statement.name.as_str(), statement.loops.len()),
            tuple,
        ));
        let value = self.values.id(value);
        statement.accesses.push(Access {
            kind,
            array,
            relation,
            exact: true,
            from_base: false,
            speculated: false,
            demoted: false,
            value,
            place: None,
        });
        AccessId::from(statement.accesses.len() - 1)
    }

    fn memory_access(
        &mut self,
        statement: &mut Statement,
        kind: AccessKind,
        (instruction, role): (ValueRef<'c>, Role),
        value: ValueId,
    ) -> AccessId {
        let array = ArrayId::from(self.accesses.array_of(instruction, role));
        let relation = self.accesses.relation(instruction, role, &statement.name);
        let exact = self.accesses.is_one_element(instruction);
        let found = &self.accesses.arrays[array.index()];
        let is_base = |pointer: ValueRef<'c>| match found.table {
            Some(_) => pointer.opcode() == Some(Opcode::Load),
            None => self.origins.loads.representative(pointer) == found.base,
        };
        let from_base =
            exact && instruction.pointer_operand().is_some_and(|pointer| is_inside_object(pointer, is_base));
        statement.accesses.push(Access {
            kind,
            array,
            relation,
            exact,
            from_base,
            speculated: false,
            demoted: false,
            value,
            place: names::place(instruction),
        });
        AccessId::from(statement.accesses.len() - 1)
    }

    /// One step of a body.
    fn node(&mut self, node: &parts::Node<'c>, statement: &mut Statement) -> Result<(), Blocker> {
        let mut operands: Vec<Operand> = node
            .operands
            .iter()
            .map(|&(value, source)| {
                let kind = match source {
                    Source::Invariant if value.ir().is_constant() => OperandKind::Constant,
                    Source::Invariant => OperandKind::Invariant,
                    Source::Synthesized => OperandKind::Synthesized,
                    Source::Local | Source::Phi | Source::Carried(_) => OperandKind::Local,
                };
                Operand { value: self.values.name(value), kind }
            })
            .collect();
        let value = self.values.name(node.value);
        let instruction = node.value.ir();
        let scalar_write = |this: &mut Self, kind, statement: &mut Statement| {
            let array = this.scalar(kind, instruction)?;
            Ok::<_, Blocker>(InstrKind::Write(this.scalar_access(statement, AccessKind::MustWrite, array, instruction)))
        };
        let kind = match node.kind {
            NodeKind::Load => {
                InstrKind::Read(self.memory_access(statement, AccessKind::Read, (instruction, Role::Main), value))
            }
            NodeKind::Store => {
                if access::transfer(instruction) == Some(Transfer::Copy) {
                    // The content of the source goes to the target as one value.
                    let read = self.memory_access(statement, AccessKind::Read, (instruction, Role::Source), value);
                    let predicate = node.predicate.map(|predicate| self.values.name(predicate));
                    statement.body.push(Instr { kind: InstrKind::Read(read), value, operands: Vec::new(), predicate });
                    operands.insert(0, Operand { value, kind: OperandKind::Local });
                }
                let stored = operands.first().expect("a store has a value").value;
                let always = node.predicate.is_none() && !self.needs.anywhere.contains(&instruction);
                let kind = if always { AccessKind::MustWrite } else { AccessKind::MayWrite };
                InstrKind::Write(self.memory_access(statement, kind, (instruction, Role::Main), stored))
            }
            NodeKind::Compute => {
                operands.extend(self.seen(instruction, statement, node));
                self.computation(instruction)
            }
            NodeKind::Holds { inverted } => InstrKind::Holds { inverted },
            NodeKind::Any => InstrKind::Any,
            NodeKind::Matches { to } => {
                let (cases, inverted) = units::cases_to(self.origins.cfg, instruction, to);
                InstrKind::Matches { cases, inverted }
            }
            NodeKind::Choose => InstrKind::Choose,
            NodeKind::Loop { header } => self.whole_loop(header, statement),
            NodeKind::Result => InstrKind::Result,
            NodeKind::Carry => scalar_write(self, ScalarKind::Value, statement)?,
            NodeKind::Phi => scalar_write(self, ScalarKind::Phi, statement)?,
            NodeKind::ExitPhi => scalar_write(self, ScalarKind::ExitPhi, statement)?,
            NodeKind::Stop { inverted } => InstrKind::Stop { inverted },
        };
        let predicate = node.predicate.map(|predicate| self.values.name(predicate));
        let sets_errno = matches!(kind, InstrKind::Compute { errno: Some(_), .. });
        statement.body.push(Instr { kind, value, operands, predicate });
        if let Some(scalar) = self.errno_scalar.filter(|_| sets_errno) {
            let kind = InstrKind::Write(self.scalar_access(statement, AccessKind::MayWrite, scalar, instruction));
            let operands = vec![Operand { value, kind: OperandKind::Local }];
            statement.body.push(Instr { kind, value, operands, predicate });
        }
        Ok(())
    }

    /// A loop that is executed as a whole, with what it may access. Of equal accesses one is
    /// enough.
    fn whole_loop(&mut self, header: BlockId, statement: &mut Statement) -> InstrKind {
        let (mut reads, mut writes): (Vec<AccessId>, Vec<AccessId>) = (Vec::new(), Vec::new());
        for (instruction, role, is_write) in access::of_instructions(&self.origins.cfg.instructions(header)) {
            let array = ArrayId::from(self.accesses.array_of(instruction, role));
            let relation = self.accesses.relation(instruction, role, &statement.name);
            let kind = if is_write { AccessKind::MayWrite } else { AccessKind::Read };
            let list = if is_write { &mut writes } else { &mut reads };
            let is_equal = |id: &AccessId| {
                let known = &statement.accesses[id.index()];
                known.array == array && known.relation == relation
            };
            if list.iter().any(is_equal) {
                continue;
            }
            list.push(AccessId::from(statement.accesses.len()));
            let (value, place) = (self.values.id(instruction), names::place(instruction));
            statement.accesses.push(Access {
                kind,
                array,
                relation,
                exact: false,
                from_base: false,
                speculated: false,
                demoted: false,
                value,
                place,
            });
        }
        let sets_errno = self.origins.cfg.instructions(header).iter().any(|i| self.errno_calls.contains(i));
        if let Some(scalar) = self.errno_scalar.filter(|_| sets_errno) {
            let terminator = self.origins.cfg.blocks[header].terminator();
            let access = self.scalar_access(statement, AccessKind::MayWrite, scalar, terminator);
            statement.accesses[access.index()].exact = false;
            writes.push(access);
        }
        let part = self.origins.cfg.subregion_at(header).expect("the block stands for several");
        InstrKind::Loop { sets_errno, reads, writes, operations: part.operations, lanes: part.lanes }
    }

    /// What a call may see of the arrays that the region writes: a read of each, the results of
    /// which are operands.
    fn seen(&mut self, call: ValueRef<'c>, statement: &mut Statement, node: &parts::Node<'c>) -> Vec<Operand> {
        let mut operands = Vec::new();
        for (array, relation) in self.accesses.seen_by(call).to_vec() {
            let value = self.values.name(Name::Seen(call, array));
            let name = Some(self.accesses.arrays[array].name.as_str().into());
            let relation = relation.set_tuple_name(DimKind::In, Some(statement.name.as_str().into()));
            let relation = relation.set_tuple_name(DimKind::Out, name);
            let place = names::place(call);
            let array = ArrayId::from(array);
            statement.accesses.push(Access {
                kind: AccessKind::Read,
                array,
                relation,
                exact: false,
                from_base: false,
                speculated: false,
                demoted: false,
                value,
                place,
            });
            let read = InstrKind::Read(AccessId::from(statement.accesses.len() - 1));
            let predicate = node.predicate.map(|predicate| self.values.name(predicate));
            statement.body.push(Instr { kind: read, value, operands: Vec::new(), predicate });
            operands.push(Operand { value, kind: OperandKind::Local });
        }
        operands
    }

    /// What might be `errno` is to be checked. If the calls have an order, it is a scalar.
    fn errno(&mut self) -> Result<(), Blocker> {
        if let Some(&call) = self.errno_calls.first() {
            let neighbours = errno::neighbours(call, self.origins, &self.accesses)?;
            if !neighbours.is_empty() {
                let object = self.errno_object(call);
                self.errno_object = Some((object, neighbours));
            }
        }
        if errno::is_ordered(self.origins.ctx, &self.errno_calls) {
            self.errno_scalar = Some(self.scalar(ScalarKind::Errno, self.errno_calls[0])?);
        }
        Ok(())
    }

    /// The object in memory that the calls set.
    fn errno_object(&mut self, call: ValueRef<'c>) -> ArrayId {
        let id = ArrayId::from(self.arrays.len());
        self.arrays.push(Array {
            name: self.translator.names.unique("errno", "errno"),
            kind: ArrayKind::Errno { call: self.values.id(call) },
            element: ElementType { name: "i32".to_string(), bytes: 4, float: false },
            extents: Vec::new(),
            rank: 1,
            local: false,
        });
        id
    }

    fn computation(&self, instruction: ValueRef<'c>) -> InstrKind {
        let opcode = match (instruction.callee(), instruction.intrinsic_name()) {
            (Some(callee), Some(_)) => callee.name(),
            // A function of the program may be called `add` or `sqrt` and be something else.
            (Some(callee), None) => {
                self.origins.ctx.library_function(instruction).unwrap_or(format!("@{}", callee.name()))
            }
            (None, _) => instruction.opcode_name().expect("computations are instructions").to_string(),
        };
        let errno = errno::errors(self.origins.ctx, instruction).filter(|_| self.options.math_errno);
        InstrKind::Compute {
            errno,
            // Another `freeze` may have another result.
            // What a call sees may be something else elsewhere.
            speculatable: instruction.opcode() != Some(Opcode::Freeze)
                && !access::sees_memory(instruction)
                && errno.is_none()
                && self.origins.ctx.is_speculatable(instruction, None),
            reassociable: is_reassociable(instruction),
            opcode,
        }
    }

    /// Reduces the parameters to those that matter and puts everything over them.
    fn finish(mut self, items: &[Item], budget: &mut Budget) -> Result<(Scop, Bindings<'c>), Failure<'c>> {
        if !self.statements.iter().any(|s| !s.loops.is_empty()) {
            let blocker = Blocker::new(RejectKind::Empty, "no loop of it has an effect");
            return Err(blocker.in_block(first_block(items)).into());
        }
        let executed = self.executed(budget)?;
        let mut may_alias = alias::pairs(self.origins.ctx, &self.accesses, &self.arrays)?;
        may_alias.retain(|pair| !self.accesses.unchecked.contains(pair));
        if let Some((object, neighbours)) = &self.errno_object {
            may_alias.extend(neighbours.arrays.iter().map(|&array| (ArrayId::from(array), *object)));
        }
        let translator = &self.translator;
        let stages: Vec<usize> =
            translator.facts.assumptions().iter().map(|a| hoist::stage(translator, &a.holds)).collect();
        self.translator.facts.drop_implied(&stages, budget)?;
        self.check_plausible(budget)?;
        let kept = self.kept_params(&executed);
        let ids: Vec<Id> = kept.iter().map(|&p| Id::new(&self.translator.params.entry(p).param.name)).collect();
        let all_loops = self.origins.region.all_loops();
        for statement in self.statements.iter_mut().chain(&mut self.inspections) {
            let around: Vec<LoopIndex> = statement.loops.iter().map(|l| all_loops[l.index()]).collect();
            for access in &statement.accesses {
                self.translator.check_relation(&access.relation, &around)?;
            }
            statement.domain = self.translator.facts.simplified(&statement.domain, budget)?.with_exact_params(&ids);
            for access in &mut statement.accesses {
                access.relation = access.relation.with_exact_params(&ids);
            }
        }
        for (array, found) in self.arrays.iter_mut().zip(&self.accesses.arrays) {
            array.extents = found.extents.iter().map(|e| extent(e, &kept, &ids)).collect();
        }
        let loads = self.loads(executed, &ids, &mut may_alias, budget)?;
        if let Some((object, neighbours)) = &self.errno_object {
            may_alias.extend(neighbours.loads.iter().map(|&load| (*object, loads[load].array)));
        }
        let entries: Vec<_> = kept.iter().map(|&p| self.translator.params.entry(p).clone()).collect();
        let facts = &self.translator.facts;
        let mut assumptions = facts.assumptions().to_vec();
        for assumption in &mut assumptions {
            assumption.holds = assumption.holds.with_exact_params(&ids);
        }
        let operations = operations::of_bodies(&self.statements, &self.values);
        let integers = operations::integers(&self.statements, &self.values);
        let scop = Scop {
            name: self.region_name(),
            params: entries.iter().map(|e| e.param.clone()).collect(),
            context: facts.context().with_exact_params(&ids),
            assumptions,
            loads,
            arrays: self.arrays,
            may_alias,
            unchecked: self.accesses.unchecked,
            loops: loops(self.origins, self.options.extremes),
            statements: self.statements,
            inspections: self.inspections,
            operations,
            integers,
            copies: BTreeMap::new(),
            moving: self.moving,
            counters: self.counters.into_iter().filter_map(|(id, value)| Some((id, value?))).collect(),
            reduced: Vec::new(),
            sanitized: self.origins.ctx.function().function_properties().sanitized(),
            place: self.origins.region.loops.first().and_then(|&l| names::loop_place(self.origins.cfg.loops[l].handle)),
        };
        scop.check_invariants();
        let number = |l: LoopIndex| LoopId::from(all_loops.binary_search(&l).expect("the loop is inside the region"));
        let by_hand = self.translator.tiles.of_model(number);
        if let Some(fault) = poly_scop::judge_tiles(&scop, &by_hand, budget)? {
            return Err(Blocker::new(RejectKind::Structure, fault).in_block(first_block(items)).into());
        }
        let cfg = self.origins.cfg;
        let mut blocks = self.origins.region.all_blocks();
        // The original comes there.
        blocks.extend(cfg.all_error_blocks());
        blocks.sort_unstable();
        let bindings = Bindings {
            function: self.origins.ctx.function(),
            entry: cfg.blocks[self.origins.region.entry],
            exit: cfg.blocks[self.origins.region.exit],
            blocks: blocks.into_iter().map(|b| cfg.blocks[b]).collect(),
            error_blocks: cfg.all_error_blocks().map(|b| cfg.blocks[b]).collect(),
            subregions: cfg.subregions().map(|part| non_affine_subregion(cfg, part)).collect(),
            values: self.values.into_table(),
            params: entries.iter().map(|e| e.scev).collect(),
            loads: self
                .origins
                .loads
                .classes
                .iter()
                .map(|class| HoistedLoad {
                    sites: class.sites.iter().map(|(_, load)| *load).collect(),
                    phis: class.phis.clone(),
                    known: class.known.clone(),
                    address: class.address,
                })
                .collect(),
            loops: self.origins.region.all_loops().into_iter().map(|l| cfg.loops[l].handle).collect(),
            dead_ends: cfg.dead_ends.clone(),
            lifetimes: Vec::new(),
        };
        Ok((scop, bindings))
    }

    /// What is assumed must leave useful sizes, or new code would never run.
    fn check_plausible(&self, budget: &mut Budget) -> Result<(), Blocker> {
        let facts = &self.translator.facts;
        let is_checked = |a: &&Assumption| a.kind != AssumptionKind::Range && a.holds.n_basic() == 1;
        if !self.translator.has_product() || !facts.assumptions().iter().any(|a| is_checked(&a)) {
            return Ok(());
        }
        let all = facts.assumptions().iter().filter(is_checked);
        let possible = all.fold(facts.context().clone(), |all, next| all.intersect(&next.holds));
        if self.translator.may_hold(facts.context(), &possible, budget)? {
            return Ok(());
        }
        let message = "the conditions under which a model of them is true hold for no useful sizes";
        Err(Blocker::new(RejectKind::NeverHolds, message))
    }

    fn region_name(&self) -> String {
        let cfg = self.origins.cfg;
        let (entry, exit) = (cfg.blocks[self.origins.region.entry], cfg.blocks[self.origins.region.exit]);
        format!("{}: {} => {}", self.origins.ctx.function().name(), entry.name(), exit.name())
    }

    /// By class of loads the parameter values for which it is executed.
    fn executed(&self, budget: &mut Budget) -> Result<Vec<Set>, Failure<'c>> {
        let found = hoist::executed(&self.translator, &self.domains, budget)?;
        let classes = &self.origins.loads.classes;
        let without = classes.iter().zip(&found).filter(|(_, guard)| guard.is_none());
        let refused: Vec<ValueRef<'c>> = without.flat_map(|(class, _)| &class.sites).map(|(_, load)| *load).collect();
        match found.into_iter().collect() {
            Some(guards) => Ok(guards),
            None => Err(Failure::Refused(refused)),
        }
    }

    /// The loads that are executed before the region, with what they read as further arrays. `ids`
    /// are the parameters of the model.
    fn loads(
        &mut self,
        executed: Vec<Set>,
        ids: &[Id],
        may_alias: &mut Vec<(ArrayId, ArrayId)>,
        budget: &mut Budget,
    ) -> Result<Vec<poly_scop::HoistedLoad>, Blocker> {
        let origins = self.origins;
        let mut known = self.translator.facts.context().clone();
        let mut result = Vec::new();
        for (number, (class, executed)) in origins.loads.classes.iter().zip(executed).enumerate() {
            let mut guard = executed;
            for assumption in self.translator.facts.assumptions() {
                if hoist::stage(&self.translator, &assumption.holds) <= number {
                    guard = guard.intersect(&assumption.holds);
                }
            }
            let tested = guard.clone().coalesce(budget)?.gist(&known, budget)?.coalesce(budget)?;
            known = known.intersect(&guard).coalesce(budget)?;
            let first = class.first();
            let pointer = first.pointer_operand().expect("loads have an address");
            let bytes = origins.ctx.alloc_size(first.ty()).and_then(|b| u32::try_from(b).ok());
            let wish = names::source_name(pointer.underlying_object());
            let array = ArrayId::from(self.arrays.len());
            self.arrays.push(Array {
                name: self.translator.names.unique(&wish, "L"),
                kind: ArrayKind::Memory { base: self.values.id(pointer) },
                element: ElementType {
                    name: first.ty().print(),
                    bytes: bytes.expect("integers and pointers are small"),
                    float: false,
                },
                extents: Vec::new(),
                rank: 1,
                local: false,
            });
            let written = alias::of_load(origins.ctx, class, &self.accesses, &self.arrays);
            may_alias.extend(written.map(|written| (written, array)));
            result.push(poly_scop::HoistedLoad {
                name: self.translator.names.unique(&names::source_name(first), "v"),
                value: self.values.id(first),
                array,
                guard: tested.with_exact_params(ids),
                place: names::place(first),
            });
        }
        Ok(result)
    }

    /// The numbers of the parameters that occur in the model or decide whether it is right.
    fn kept_params(&mut self, guards: &[Set]) -> Vec<u32> {
        let names: Vec<String> = self.translator.params.entries().iter().map(|e| e.param.name.clone()).collect();
        let occurs = |name: &String, number: usize| {
            let in_statements =
                self.statements.iter().chain(&self.inspections).any(|s| {
                    facts::involves(&s.domain, name) || s.accesses.iter().any(|a| involves(&a.relation, name))
                });
            let symbol = Symbol::Param(u32::try_from(number).expect("there are few parameters"));
            in_statements
                || guards.iter().any(|guard| facts::involves(guard, name))
                || self.accesses.arrays.iter().flat_map(|a| &a.extents).any(|e| e.symbols().contains(&symbol))
        };
        let used: Vec<bool> = names.iter().enumerate().map(|(number, name)| occurs(name, number)).collect();
        let keep = self.translator.facts.keep_params(&used, &names);
        (0u32..).zip(keep).filter(|(_, k)| *k).map(|(number, _)| number).collect()
    }
}

fn involves(relation: &Map, name: &str) -> bool {
    relation.space().find_param(name).is_some_and(|i| relation.involves_dims(DimKind::Param, i, 1))
}

/// Updates by this operation may change their order: it is exact (integers, without their flags),
/// or the flags allow it.
fn is_reassociable(instruction: ValueRef<'_>) -> bool {
    match instruction.opcode() {
        Some(Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor) => true,
        Some(Opcode::Call) => {
            let name = instruction.intrinsic_name().unwrap_or_default();
            match name.as_str() {
                "llvm.smin" | "llvm.smax" | "llvm.umin" | "llvm.umax" => true,
                // Which of two zeros it is depends on the order, and what becomes of a signaling
                // NaN.
                "llvm.minnum" | "llvm.maxnum" | "llvm.minimum" | "llvm.maximum" => {
                    instruction.ignores_signed_zeros()
                        && (instruction.excludes_nan() || instruction.allows_reassociation())
                }
                _ => instruction.allows_reassociation(),
            }
        }
        _ => instruction.allows_reassociation(),
    }
}

/// An extent as function of the parameters `kept`, called `ids`.
fn extent(polynomial: &Polynomial, kept: &[u32], ids: &[Id]) -> Aff {
    let mut row = vec![Int::ZERO; 1 + ids.len()];
    for (monomial, coefficient) in polynomial.terms() {
        match monomial.symbols() {
            [] => row[0] = coefficient.clone(),
            [Symbol::Param(p)] => {
                let position = kept.iter().position(|k| k == p).expect("parameters of extents are kept");
                row[1 + position] = coefficient.clone();
            }
            _ => unreachable!("extents are affine in the parameters"),
        }
    }
    Aff::from_row(Space::params(ids.to_vec()), row, Int::ONE)
}

fn first_block(items: &[Item]) -> BlockId {
    let mut items = items;
    loop {
        match items.first() {
            Some(Item::Block(block)) => return *block,
            Some(Item::Loop(_, inner)) => items = inner,
            None => unreachable!("regions and loops have blocks"),
        }
    }
}

fn loops(origins: Origins<'_, '_>, extremes: bool) -> Vec<Loop> {
    let all = origins.region.all_loops();
    let depth = |l: usize| origins.cfg.around(l).skip(1).filter(|outer| all.contains(outer)).count();
    let sites = || origins.loads.classes.iter().flat_map(|class| &class.sites);
    let describe = |&l: &usize| {
        let handle = origins.cfg.loops[l].handle;
        Loop {
            place: names::loop_place(handle),
            depth: depth(l),
            reloads: sites().any(|(block, _)| origins.cfg.loop_of[*block] == Some(l)),
            divisions: divisions(origins, l),
            finds_extremes: extremes && finds_extremes(origins.ctx, handle),
        }
    };
    all.iter().map(describe).collect()
}

/// Divisions of integers by what is no constant in the blocks of a loop that no loop inside has.
fn divisions(origins: Origins<'_, '_>, l: usize) -> usize {
    let is_division = |instruction: &ValueRef<'_>| {
        matches!(instruction.opcode(), Some(Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem))
            && instruction.operand(1).constant_int().is_none()
    };
    let own = origins.region.blocks.iter().filter(|&&block| origins.cfg.loop_of[block] == Some(l));
    own.map(|&block| origins.cfg.instructions(block).iter().filter(|i| is_division(i)).count()).sum()
}

fn non_affine_subregion<'c>(cfg: &Cfg<'c>, part: &Subregion<'c>) -> NonAffineSubregion<'c> {
    NonAffineSubregion {
        header: cfg.blocks[part.header],
        blocks: part.blocks.iter().map(|&b| cfg.blocks[b]).collect(),
        join: cfg.blocks[part.join],
    }
}
