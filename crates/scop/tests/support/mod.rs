//! SCoPs for tests, written in isl syntax.

#![allow(dead_code, reason = "every test program uses a part")]

pub(crate) mod execution;

use std::collections::BTreeMap;

use poly_presburger::Set;
use poly_scop::{
    Access, AccessId, AccessKind, Array, ArrayId, ArrayKind, ElementType, Instr, InstrKind, Loop, LoopId, Operand,
    OperandKind, OperationId, ScalarKind, Scop, Statement, ValueId,
};

/// Builds a SCoP step by step.
pub(crate) struct Builder {
    scop: Scop,
    values: u32,
}

fn double() -> ElementType {
    ElementType { name: "double".to_string(), bytes: 8, float: true }
}

impl Builder {
    pub(crate) fn new(context: &str) -> Self {
        let context: Set = context.parse().expect("the context is in isl syntax");
        let scop = Scop {
            name: "test".to_string(),
            params: Vec::new(),
            context,
            assumptions: Vec::new(),
            loads: Vec::new(),
            arrays: Vec::new(),
            may_alias: Vec::new(),
            unchecked: Vec::new(),
            loops: Vec::new(),
            statements: Vec::new(),
            inspections: Vec::new(),
            operations: BTreeMap::new(),
            integers: BTreeMap::new(),
            copies: BTreeMap::new(),
            counters: BTreeMap::new(),
            moving: BTreeMap::new(),
            reduced: Vec::new(),
            sanitized: false,
            place: None,
        };
        Self { scop, values: 0 }
    }

    /// An array of doubles; `extents` are the constant sizes of dimensions 1...
    pub(crate) fn array(&mut self, name: &str, extents: &[i64]) -> ArrayId {
        let base = self.value();
        let space = self.scop.context.space().clone();
        let extents: Vec<_> = extents.iter().map(|&e| poly_presburger::Aff::constant(space.clone(), e)).collect();
        let rank = extents.len() + 1;
        self.push_array(Array {
            name: name.to_string(),
            kind: ArrayKind::Memory { base },
            element: double(),
            extents,
            rank,
            local: false,
        })
    }

    /// Says whether nothing but the region touches an array.
    pub(crate) fn set_local(&mut self, array: ArrayId, local: bool) {
        self.scop.arrays[array.index()].local = local;
    }

    /// A scalar of type double.
    pub(crate) fn scalar(&mut self, name: &str, kind: ScalarKind) -> (ArrayId, ValueId) {
        let value = self.value();
        let kind = ArrayKind::Scalar { kind, value, live_out: false };
        let id = self.push_array(Array {
            name: name.to_string(),
            kind,
            element: double(),
            extents: vec![],
            rank: 0,
            local: false,
        });
        (id, value)
    }

    fn push_array(&mut self, array: Array) -> ArrayId {
        self.scop.arrays.push(array);
        ArrayId::from(self.scop.arrays.len() - 1)
    }

    pub(crate) fn value(&mut self) -> ValueId {
        self.values += 1;
        ValueId(self.values - 1)
    }

    pub(crate) fn loops(&mut self, depths: &[usize]) -> Vec<LoopId> {
        depths
            .iter()
            .map(|&depth| {
                self.scop.loops.push(Loop { place: None, depth, reloads: false, divisions: 0, finds_extremes: false });
                LoopId::from(self.scop.loops.len() - 1)
            })
            .collect()
    }

    pub(crate) fn statement(&mut self, domain: &str, loops: &[LoopId], position: &[usize]) -> StatementBuilder<'_> {
        let domain: Set = domain.parse().expect("the domain is in isl syntax");
        let name = domain.tuple_name().expect("the domain is named").as_str().to_string();
        let statement = Statement {
            name,
            domain,
            loops: loops.to_vec(),
            position: position.to_vec(),
            accesses: vec![],
            body: vec![],
            place: None,
        };
        StatementBuilder { builder: self, statement }
    }

    pub(crate) fn finish(self) -> Scop {
        self.scop.check_invariants();
        self.scop
    }
}

pub(crate) struct StatementBuilder<'a> {
    builder: &'a mut Builder,
    statement: Statement,
}

pub(crate) fn local(value: ValueId) -> Operand {
    Operand { value, kind: OperandKind::Local }
}

pub(crate) fn invariant(value: ValueId) -> Operand {
    Operand { value, kind: OperandKind::Invariant }
}

impl StatementBuilder<'_> {
    fn access(&mut self, kind: AccessKind, array: ArrayId, relation: &str, value: ValueId) -> AccessId {
        let relation = relation.parse().expect("the access is in isl syntax");
        self.statement.accesses.push(Access {
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
        AccessId::from(self.statement.accesses.len() - 1)
    }

    /// Reads memory; the result is a new value.
    pub(crate) fn read(&mut self, array: ArrayId, relation: &str) -> ValueId {
        let value = self.builder.value();
        self.read_as(array, relation, value)
    }

    /// Reads under a given name (scalars).
    pub(crate) fn read_as(&mut self, array: ArrayId, relation: &str, value: ValueId) -> ValueId {
        let access = self.access(AccessKind::Read, array, relation, value);
        self.statement.body.push(Instr { kind: InstrKind::Read(access), value, operands: vec![], predicate: None });
        value
    }

    pub(crate) fn compute(&mut self, opcode: &str, operands: &[Operand]) -> ValueId {
        let value = self.builder.value();
        let kind =
            InstrKind::Compute { opcode: opcode.to_string(), speculatable: true, reassociable: false, errno: None };
        self.statement.body.push(Instr { kind, value, operands: operands.to_vec(), predicate: None });
        value
    }

    pub(crate) fn write(&mut self, array: ArrayId, relation: &str, operand: Operand) -> &mut Self {
        let access = self.access(AccessKind::MustWrite, array, relation, operand.value);
        let value = self.builder.value();
        self.statement.body.push(Instr {
            kind: InstrKind::Write(access),
            value,
            operands: vec![operand],
            predicate: None,
        });
        self
    }

    /// A truth value that others decide about.
    pub(crate) fn decide(&mut self, kind: InstrKind, operands: &[ValueId]) -> ValueId {
        let operands: Vec<Operand> = operands.iter().map(|&operand| local(operand)).collect();
        self.decide_of(kind, &operands)
    }

    /// The same, of values that need not be defined in the body.
    pub(crate) fn decide_of(&mut self, kind: InstrKind, operands: &[Operand]) -> ValueId {
        let value = self.builder.value();
        self.statement.body.push(Instr { kind, value, operands: operands.to_vec(), predicate: None });
        value
    }

    /// Whether a value is true, if another one is.
    pub(crate) fn holds(&mut self, first: &[ValueId], last: ValueId, inverted: bool) -> ValueId {
        let operands: Vec<ValueId> = first.iter().copied().chain([last]).collect();
        self.decide(InstrKind::Holds { inverted }, &operands)
    }

    /// The last instruction is executed only if this is true.
    pub(crate) fn under(&mut self, predicate: ValueId) -> &mut Self {
        let instr = self.statement.body.last_mut().expect("there is an instruction");
        instr.predicate = Some(predicate);
        if let InstrKind::Write(access) = instr.kind {
            self.statement.accesses[access.index()].kind = AccessKind::MayWrite;
        }
        self
    }

    /// The last instruction is of this operation.
    pub(crate) fn operation(&mut self, number: u32) -> &mut Self {
        let value = self.statement.body.last().expect("there is an instruction").value;
        self.builder.scop.operations.insert(value, OperationId(number));
        self
    }

    /// The address of the last access is computed from the base.
    pub(crate) fn based(&mut self) -> &mut Self {
        self.statement.accesses.last_mut().expect("there is an access").from_base = true;
        self
    }

    /// Executes a loop as a whole, with what it may read and write.
    pub(crate) fn whole_loop(&mut self, reads: &[(ArrayId, &str)], writes: &[(ArrayId, &str)]) -> ValueId {
        let mut access = |kind, (array, relation): &(ArrayId, &str)| {
            let value = self.builder.value();
            let id = self.access(kind, *array, relation, value);
            self.statement.accesses[id.index()].exact = false;
            id
        };
        let reads = reads.iter().map(|read| access(AccessKind::Read, read)).collect();
        let writes = writes.iter().map(|write| access(AccessKind::MayWrite, write)).collect();
        let value = self.builder.value();
        let kind = InstrKind::Loop { sets_errno: false, reads, writes, operations: 8, lanes: None };
        self.statement.body.push(Instr { kind, value, operands: vec![], predicate: None });
        value
    }

    /// A value that a loop leaves.
    pub(crate) fn result(&mut self, of: ValueId) -> ValueId {
        let value = self.builder.value();
        self.statement.body.push(Instr { kind: InstrKind::Result, value, operands: vec![local(of)], predicate: None });
        value
    }

    pub(crate) fn done(self) {
        self.builder.scop.statements.push(self.statement);
    }
}

/// `for i, j { C[i][j] = 0; for k C[i][j] += A[i][k] * B[k][j] }` with the sum in a PHI node, as
/// scalar promotion leaves it: the store stands behind the inner loop.
pub(crate) fn promoted_matmul(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let c = b.array("C", &[n]);
    let a = b.array("A", &[n]);
    let bb = b.array("B", &[n]);
    let (phi, phi_value) = b.scalar("sum_phi", ScalarKind::Phi);
    let (sum, sum_value) = b.scalar("sum", ScalarKind::Value);
    let loops = b.loops(&[0, 1, 2]);
    let zero = b.value();
    let range = format!("0 <= i < {n} and 0 <= j < {n}");
    let mut s = b.statement(&format!("{{ Init[i, j] : {range} }}"), &loops[..2], &[0, 0, 0]);
    s.write(phi, "{ Init[i, j] -> sum_phi[] }", invariant(zero));
    s.done();
    let mut s = b.statement(&format!("{{ Update[i, j, k] : {range} and 0 <= k < {n} }}"), &loops, &[0, 0, 1, 0]);
    let old = s.read_as(phi, "{ Update[i, j, k] -> sum_phi[] }", phi_value);
    let x = s.read(a, "{ Update[i, j, k] -> A[i, k] }");
    let y = s.read(bb, "{ Update[i, j, k] -> B[k, j] }");
    let product = s.compute("fmul", &[local(x), local(y)]);
    let new = s.compute("fadd", &[local(old), local(product)]);
    s.write(phi, "{ Update[i, j, k] -> sum_phi[] }", local(new));
    s.write(sum, "{ Update[i, j, k] -> sum[] }", local(new));
    // The scalar stands for the value that the statement computes.
    s.done();
    let mut s = b.statement(&format!("{{ Store[i, j] : {range} }}"), &loops[..2], &[0, 0, 2]);
    let last = s.read_as(sum, "{ Store[i, j] -> sum[] }", sum_value);
    s.write(c, "{ Store[i, j] -> C[i, j] }", local(last));
    s.done();
    b.finish()
}

/// `for i { t = 2 * X[i]; for j Y[i][j] += t * Z[j] }` with `t` computed before the inner loop.
pub(crate) fn hoisted_product(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let x = b.array("X", &[]);
    let y = b.array("Y", &[n]);
    let z = b.array("Z", &[]);
    let (t, t_value) = b.scalar("t", ScalarKind::Value);
    let loops = b.loops(&[0, 1]);
    let two = b.value();
    let mut s = b.statement(&format!("{{ Hoisted[i] : 0 <= i < {n} }}"), &loops[..1], &[0, 0]);
    let load = s.read(x, "{ Hoisted[i] -> X[i] }");
    let product = s.compute("fmul", &[local(load), invariant(two)]);
    s.write(t, "{ Hoisted[i] -> t[] }", local(product));
    s.done();
    let mut s = b.statement(&format!("{{ Use[i, j] : 0 <= i < {n} and 0 <= j < {n} }}"), &loops, &[0, 1, 0]);
    // The user reads the value under the name of the instruction that computed it.
    let _ = t_value;
    let factor = s.read_as(t, "{ Use[i, j] -> t[] }", product);
    let old = s.read(y, "{ Use[i, j] -> Y[i, j] }");
    let other = s.read(z, "{ Use[i, j] -> Z[j] }");
    let scaled = s.compute("fmul", &[local(factor), local(other)]);
    let new = s.compute("fadd", &[local(old), local(scaled)]);
    s.write(y, "{ Use[i, j] -> Y[i, j] }", local(new));
    s.done();
    b.finish()
}

/// The same with the store left in the loop and only the load promoted: `C[i][j] = sum` in every
/// iteration.
pub(crate) fn half_promoted_matmul(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let c = b.array("C", &[n]);
    let a = b.array("A", &[n]);
    let bb = b.array("B", &[n]);
    let (phi, phi_value) = b.scalar("sum_phi", ScalarKind::Phi);
    let loops = b.loops(&[0, 1, 2]);
    let zero = b.value();
    let range = format!("0 <= i < {n} and 0 <= j < {n}");
    let mut s = b.statement(&format!("{{ Zero[i, j] : {range} }}"), &loops[..2], &[0, 0, 0]);
    s.write(c, "{ Zero[i, j] -> C[i, j] }", invariant(zero));
    s.done();
    let mut s = b.statement(&format!("{{ Init[i, j] : {range} }}"), &loops[..2], &[0, 0, 1]);
    s.write(phi, "{ Init[i, j] -> sum_phi[] }", invariant(zero));
    s.done();
    let mut s = b.statement(&format!("{{ Update[i, j, k] : {range} and 0 <= k < {n} }}"), &loops, &[0, 0, 2, 0]);
    let old = s.read_as(phi, "{ Update[i, j, k] -> sum_phi[] }", phi_value);
    let x = s.read(a, "{ Update[i, j, k] -> A[i, k] }");
    let y = s.read(bb, "{ Update[i, j, k] -> B[k, j] }");
    let product = s.compute("fmul", &[local(x), local(y)]);
    let new = s.compute("fadd", &[local(old), local(product)]);
    s.write(c, "{ Update[i, j, k] -> C[i, j] }", local(new));
    s.write(phi, "{ Update[i, j, k] -> sum_phi[] }", local(new));
    s.done();
    b.finish()
}

/// `D = A B; E = beta E + D F`, both products with promoted loads and stores in every iteration, as
/// LLVM leaves 2mm.
pub(crate) fn two_products() -> Scop {
    let mut b = Builder::new("{ : }");
    let d = b.array("D", &[900]);
    let a = b.array("A", &[1100]);
    let bb = b.array("B", &[900]);
    let e = b.array("E", &[1200]);
    let f = b.array("F", &[1200]);
    let (s0, v0) = b.scalar("s0", ScalarKind::Phi);
    let (s1, v1) = b.scalar("s1", ScalarKind::Phi);
    let loops = b.loops(&[0, 1, 2, 0, 1, 2]);
    let zero = b.value();
    let beta = b.value();
    let range = "0 <= i < 800 and 0 <= j < 900";
    let mut s = b.statement(&format!("{{ S0[i, j] : {range} }}"), &loops[..2], &[0, 0, 0]);
    s.write(d, "{ S0[i, j] -> D[i, j] }", invariant(zero));
    s.done();
    let mut s = b.statement(&format!("{{ S1[i, j] : {range} }}"), &loops[..2], &[0, 0, 1]);
    s.write(s0, "{ S1[i, j] -> s0[] }", invariant(zero));
    s.done();
    let mut s = b.statement(&format!("{{ S2[i, j, k] : {range} and 0 <= k < 1100 }}"), &loops[..3], &[0, 0, 2, 0]);
    let old = s.read_as(s0, "{ S2[i, j, k] -> s0[] }", v0);
    let x = s.read(a, "{ S2[i, j, k] -> A[i, k] }");
    let y = s.read(bb, "{ S2[i, j, k] -> B[k, j] }");
    let new = s.compute("llvm.fmuladd.f64", &[local(x), local(y), local(old)]);
    s.write(d, "{ S2[i, j, k] -> D[i, j] }", local(new));
    s.write(s0, "{ S2[i, j, k] -> s0[] }", local(new));
    s.done();
    let range = "0 <= i < 800 and 0 <= j < 1200";
    let mut s = b.statement(&format!("{{ S3[i, j] : {range} }}"), &loops[3..5], &[1, 0, 0]);
    let old = s.read(e, "{ S3[i, j] -> E[i, j] }");
    let scaled = s.compute("fmul", &[local(old), invariant(beta)]);
    s.write(e, "{ S3[i, j] -> E[i, j] }", local(scaled));
    s.write(s1, "{ S3[i, j] -> s1[] }", local(scaled));
    s.done();
    let mut s = b.statement(&format!("{{ S4[i, j, k] : {range} and 0 <= k < 900 }}"), &loops[3..], &[1, 0, 1, 0]);
    let old = s.read_as(s1, "{ S4[i, j, k] -> s1[] }", v1);
    let x = s.read(d, "{ S4[i, j, k] -> D[i, k] }");
    let y = s.read(f, "{ S4[i, j, k] -> F[k, j] }");
    let new = s.compute("llvm.fmuladd.f64", &[local(x), local(y), local(old)]);
    s.write(e, "{ S4[i, j, k] -> E[i, j] }", local(new));
    s.write(s1, "{ S4[i, j, k] -> s1[] }", local(new));
    s.done();
    b.finish()
}

/// `for i { for j < i { for k < j A[i][j] -= A[i][k] A[k][j]; A[i][j] /= A[j][j] } for j >= i for k < i A[i][j] -= A[i][k] A[k][j] }`.
pub(crate) fn lu(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[n]);
    let loops = b.loops(&[0, 1, 2, 1, 2]);
    let mut s = b.statement(
        &format!("{{ S0[i, j, k] : 0 <= i < {n} and 0 <= j < i and 0 <= k < j }}"),
        &loops[..3],
        &[0, 0, 0, 0],
    );
    let old = s.read(a, "{ S0[i, j, k] -> A[i, j] }");
    let x = s.read(a, "{ S0[i, j, k] -> A[i, k] }");
    let y = s.read(a, "{ S0[i, j, k] -> A[k, j] }");
    let new = s.compute("llvm.fmuladd.f64", &[local(x), local(y), local(old)]);
    s.write(a, "{ S0[i, j, k] -> A[i, j] }", local(new));
    s.done();
    let mut s = b.statement(&format!("{{ S1[i, j] : 0 <= i < {n} and 0 <= j < i }}"), &loops[..2], &[0, 0, 1]);
    let old = s.read(a, "{ S1[i, j] -> A[i, j] }");
    let x = s.read(a, "{ S1[i, j] -> A[j, j] }");
    let new = s.compute("fdiv", &[local(old), local(x)]);
    s.write(a, "{ S1[i, j] -> A[i, j] }", local(new));
    s.done();
    let outer = [loops[0], loops[3], loops[4]];
    let mut s = b.statement(
        &format!("{{ S2[i, j, k] : 0 <= i < {n} and 0 <= j < {n} - i and 0 <= k < i }}"),
        &outer,
        &[0, 1, 0, 0],
    );
    let old = s.read(a, "{ S2[i, j, k] -> A[i, i + j] }");
    let x = s.read(a, "{ S2[i, j, k] -> A[i, k] }");
    let y = s.read(a, "{ S2[i, j, k] -> A[k, i + j] }");
    let new = s.compute("llvm.fmuladd.f64", &[local(x), local(y), local(old)]);
    s.write(a, "{ S2[i, j, k] -> A[i, i + j] }", local(new));
    s.done();
    b.finish()
}

/// `for t { for i B[i + 1] = f(A[i], A[i + 1], A[i + 2]); for i A[i + 1] = f(B[i], B[i + 1], B[i + 2]) }`.
pub(crate) fn jacobi_1d(steps: i64, n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let arrays = [b.array("A", &[]), b.array("B", &[])];
    let loops = b.loops(&[0, 1, 1]);
    for (k, (from, to)) in [("A", "B"), ("B", "A")].into_iter().enumerate() {
        let domain = format!("{{ S{k}[t, i] : 0 <= t < {steps} and 0 <= i < {n} }}");
        let mut s = b.statement(&domain, &[loops[0], loops[1 + k]], &[0, k, 0]);
        let x: Vec<ValueId> =
            (0..3).map(|d| s.read(arrays[k], &format!("{{ S{k}[t, i] -> {from}[i + {d}] }}"))).collect();
        let sum = s.compute("fadd", &[local(x[0]), local(x[1])]);
        let sum = s.compute("fadd", &[local(sum), local(x[2])]);
        s.write(arrays[1 - k], &format!("{{ S{k}[t, i] -> {to}[i + 1] }}"), local(sum));
        s.done();
    }
    b.finish()
}

/// The same on a ring; the first and the last iteration of a row are statements of their own.
pub(crate) fn ring(steps: i64, n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let arrays = [b.array("A", &[]), b.array("B", &[])];
    let loops = b.loops(&[0, 1, 1]);
    for (k, (from, to)) in [("A", "B"), ("B", "A")].into_iter().enumerate() {
        let last = n - 1;
        let parts = [
            ("F", "i = 0".to_string(), [format!("{last}"), "0".to_string(), "1".to_string()]),
            ("M", format!("0 < i < {last}"), ["i - 1", "i", "i + 1"].map(str::to_string)),
            ("L", format!("i = {last}"), [format!("{last} - 1"), format!("{last}"), "0".to_string()]),
        ];
        for (place, (name, range, subscripts)) in parts.into_iter().enumerate() {
            let domain = format!("{{ {name}{k}[t, i] : 0 <= t < {steps} and {range} }}");
            let mut s = b.statement(&domain, &[loops[0], loops[1 + k]], &[0, k, place]);
            let x = subscripts.map(|i| s.read(arrays[k], &format!("{{ {name}{k}[t, i] -> {from}[{i}] }}")));
            let sum = s.compute("fadd", &[local(x[0]), local(x[1])]);
            let sum = s.compute("fadd", &[local(sum), local(x[2])]);
            s.write(arrays[1 - k], &format!("{{ {name}{k}[t, i] -> {to}[i] }}"), local(sum));
            s.done();
        }
    }
    b.finish()
}

/// `for i A[i] = A[i] + A[n - 1 - i]`.
pub(crate) fn mirror(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[]);
    let loops = b.loops(&[0]);
    let mut s = b.statement(&format!("{{ S[i] : 0 <= i < {n} }}"), &loops, &[0, 0]);
    let x = s.read(a, "{ S[i] -> A[i] }");
    let y = s.read(a, &format!("{{ S[i] -> A[{} - i] }}", n - 1));
    let sum = s.compute("fadd", &[local(x), local(y)]);
    s.write(a, "{ S[i] -> A[i] }", local(sum));
    s.done();
    b.finish()
}

/// The same in two dimensions, with five points.
pub(crate) fn jacobi_2d(steps: i64, n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let arrays = [b.array("A", &[n + 2]), b.array("B", &[n + 2])];
    let loops = b.loops(&[0, 1, 2, 1, 2]);
    for (k, (from, to)) in [("A", "B"), ("B", "A")].into_iter().enumerate() {
        let domain = format!("{{ S{k}[t, i, j] : 0 <= t < {steps} and 0 <= i < {n} and 0 <= j < {n} }}");
        let around = [loops[0], loops[1 + 2 * k], loops[2 + 2 * k]];
        let mut s = b.statement(&domain, &around, &[0, k, 0, 0]);
        let mut sum = None;
        for (di, dj) in [(1, 1), (1, 0), (1, 2), (2, 1), (0, 1)] {
            let x = s.read(arrays[k], &format!("{{ S{k}[t, i, j] -> {from}[i + {di}, j + {dj}] }}"));
            sum = Some(sum.map_or(x, |sum| s.compute("fadd", &[local(sum), local(x)])));
        }
        let sum = sum.expect("there are five points");
        s.write(arrays[1 - k], &format!("{{ S{k}[t, i, j] -> {to}[i + 1, j + 1] }}"), local(sum));
        s.done();
    }
    b.finish()
}

/// `A[i][j]` becomes a function of all its neighbours, in place, `steps` times.
pub(crate) fn sweep(steps: i64, n: i64, m: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[m + 2]);
    let loops = b.loops(&[0, 1, 2]);
    let domain = format!("{{ Step[t, i, j] : 0 <= t < {steps} and 0 <= i < {n} and 0 <= j < {m} }}");
    let mut s = b.statement(&domain, &loops, &[0, 0, 0, 0]);
    let mut sum = None;
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let x = s.read(a, &format!("{{ Step[t, i, j] -> A[i + {i}, j + {j}] }}"));
        sum = Some(match sum {
            None => x,
            Some(sum) => s.compute("fadd", &[local(sum), local(x)]),
        });
    }
    s.write(a, "{ Step[t, i, j] -> A[i + 1, j + 1] }", local(sum.expect("there are points")));
    s.done();
    b.finish()
}

/// `for t for j A[j + 1] = (A[j] + A[j + 1]) + A[j + 2]` as LLVM leaves it: `A[j]` and `A[j + 1]`
/// in PHI nodes.
pub(crate) fn carried_gauss_seidel(steps: i64, n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[]);
    let (left, left_value) = b.scalar("left", ScalarKind::Phi);
    let (here, here_value) = b.scalar("here", ScalarKind::Phi);
    let loops = b.loops(&[0, 1]);
    for (k, phi) in [left, here].into_iter().enumerate() {
        let mut s = b.statement(&format!("{{ Init{k}[t] : 0 <= t < {steps} }}"), &loops[..1], &[0, k]);
        let x = s.read(a, &format!("{{ Init{k}[t] -> A[{k}] }}"));
        let name = ["left", "here"][k];
        s.write(phi, &format!("{{ Init{k}[t] -> {name}[] }}"), local(x));
        s.done();
    }
    let mut s = b.statement(&format!("{{ Step[t, j] : 0 <= t < {steps} and 0 <= j < {n} }}"), &loops, &[0, 2, 0]);
    let x = s.read_as(left, "{ Step[t, j] -> left[] }", left_value);
    let y = s.read_as(here, "{ Step[t, j] -> here[] }", here_value);
    let sum = s.compute("fadd", &[local(x), local(y)]);
    let z = s.read(a, "{ Step[t, j] -> A[j + 2] }");
    let sum = s.compute("fadd", &[local(sum), local(z)]);
    s.write(a, "{ Step[t, j] -> A[j + 1] }", local(sum));
    s.write(left, "{ Step[t, j] -> left[] }", local(sum));
    s.write(here, "{ Step[t, j] -> here[] }", local(z));
    s.done();
    b.finish()
}

/// `for t { b = A[0]; for j { x = A[j + 1]; A[j + 1] = x - b; b = ... } }`: `b` is the value before
/// it, or, with `sum`, the difference.
pub(crate) fn handed_on(steps: i64, n: i64, sum: bool) -> Scop {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[]);
    let (before, before_value) = b.scalar("b", ScalarKind::Phi);
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement(&format!("{{ Init[t] : 0 <= t < {steps} }}"), &loops[..1], &[0, 0]);
    let x = s.read(a, "{ Init[t] -> A[0] }");
    s.write(before, "{ Init[t] -> b[] }", local(x));
    s.done();
    let mut s = b.statement(&format!("{{ Step[t, j] : 0 <= t < {steps} and 0 <= j < {n} }}"), &loops, &[0, 1, 0]);
    let y = s.read_as(before, "{ Step[t, j] -> b[] }", before_value);
    let x = s.read(a, "{ Step[t, j] -> A[j + 1] }");
    let difference = s.compute("fsub", &[local(x), local(y)]);
    s.write(a, "{ Step[t, j] -> A[j + 1] }", local(difference));
    s.write(before, "{ Step[t, j] -> b[] }", local(if sum { difference } else { x }));
    s.done();
    b.finish()
}

/// A statement with an update, in the middle of being built.
pub(crate) struct Updates<'a, 'b> {
    pub(crate) statement: &'a mut StatementBuilder<'b>,
    /// What was read, and what will be written instead of it.
    pub(crate) element: ValueId,
    pub(crate) result: ValueId,
    pub(crate) sum: ArrayId,
    pub(crate) other: ArrayId,
}
