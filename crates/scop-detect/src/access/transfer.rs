//! Accesses of more than one element, and which instructions access memory.
//!
//! # Problem
//! `memset`, `memcpy` and `memmove` touch a range of bytes. In an array with several dimensions
//! that is a relation between instances and elements only if the range fits the shape.
//!
//! # Algorithm
//! The length is divided by the strides of the shape like an offset. If it is a multiple of the
//! outermost stride, so many of the outermost dimension are touched, with everything inside of
//! them, provided that the range begins where one begins; if only the innermost dimension is left,
//! a part of that one, provided that it does not go beyond its end. Other ranges do not fit.

use poly_presburger::{DimKind, Map, PwAff, Set};
use poly_scop::shape::{self, Polynomial, Shape, Symbol};
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use super::{Site, relation};
use crate::affine::Translator;

/// The addresses of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// That of a load or store, or what a transfer writes.
    Main,
    /// What a transfer reads.
    Source,
}

/// The addresses of a load, store or transfer.
pub(super) fn addresses<'c>(instruction: ValueRef<'c>) -> Vec<(Role, ValueRef<'c>)> {
    match transfer(instruction) {
        Some(Transfer::Set) => vec![(Role::Main, instruction.operand(0))],
        Some(Transfer::Copy) => vec![(Role::Main, instruction.operand(0)), (Role::Source, instruction.operand(1))],
        None => vec![(Role::Main, instruction.pointer_operand().expect("loads and stores have an address"))],
    }
}

/// The accesses among instructions: the address of which instruction, and whether it is written.
pub(crate) fn of_instructions<'c>(instructions: &[ValueRef<'c>]) -> Vec<(ValueRef<'c>, Role, bool)> {
    let is_access =
        |i: &ValueRef<'c>| matches!(i.opcode(), Some(Opcode::Load | Opcode::Store)) || transfer(*i).is_some();
    let accesses = instructions.iter().copied().filter(is_access);
    let roles = accesses.flat_map(|i| addresses(i).into_iter().map(move |(role, _)| (i, role)));
    roles.map(|(i, role)| (i, role, role == Role::Main && i.opcode() != Some(Opcode::Load))).collect()
}

/// What a call does to a range of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// All bytes get one value.
    Set,
    /// It gets the content of another range.
    Copy,
}

/// Whether the instruction fills or copies a range of memory: `memset`, `memcpy`, `memmove`.
pub(crate) fn transfer(instruction: ValueRef<'_>) -> Option<Transfer> {
    if instruction.opcode() != Some(Opcode::Call) {
        return None;
    }
    match instruction.intrinsic_name()?.as_str() {
        "llvm.memset" => Some(Transfer::Set),
        "llvm.memcpy" | "llvm.memmove" => Some(Transfer::Copy),
        _ => None,
    }
}

/// Whether the instruction is a call that reads memory and does nothing else but to compute from
/// it.
pub(crate) fn sees_memory(instruction: ValueRef<'_>) -> bool {
    instruction.opcode() == Some(Opcode::Call)
        && instruction.intrinsic_name().is_none()
        && instruction.callee().is_some()
        && instruction.call_properties().is_observer()
}

/// What a transfer covers, in the dimensions of a shape.
pub(super) enum Covering {
    /// A part of the innermost dimension, of this length.
    Part(Polynomial),
    /// This many of the outermost dimension, with everything that is inside of them.
    Whole(Polynomial),
}

pub(super) fn covering(length: &Polynomial, shape: &Shape) -> Option<Covering> {
    if shape.rank() == 1 {
        return Some(Covering::Part(length.clone()));
    }
    let only = |split: &[Polynomial], kept: usize| split.iter().enumerate().all(|(k, p)| k == kept || p.is_zero());
    if let Some(split) = shape::splits(length, shape).find(|split| only(split, 0)) {
        return Some(Covering::Whole(split[0].clone()));
    }
    shape::splits(length, shape)
        .find(|split| only(split, shape.rank() - 1))
        .map(|split| Covering::Part(split[shape.rank() - 1].clone()))
}

/// From instances of a transfer to the elements that it touches.
pub(super) fn transferred(
    translator: &Translator<'_, '_>,
    site: &Site<'_>,
    length: &Polynomial,
    shape: &Shape,
) -> Option<Map> {
    let depth = site.loops.len();
    let start = shape::splits(&site.offset, shape).next()?;
    // Further counters run over the elements.
    let counter =
        |k: usize| Polynomial::symbol(Symbol::Variable(u32::try_from(depth + k).expect("nests are not deep")));
    let (subscripts, ends): (Vec<Polynomial>, Vec<Polynomial>) = match covering(length, shape)? {
        Covering::Part(length) => {
            let mut subscripts = start;
            let last = subscripts.pop()?;
            subscripts.push(last.add(&counter(0)));
            (subscripts, vec![length])
        }
        Covering::Whole(length) => {
            let first = start[0].add(&counter(0));
            let inner = (1..shape.rank()).map(counter);
            let ends = std::iter::once(length).chain(shape.extents()).collect();
            (std::iter::once(first).chain(inner).collect(), ends)
        }
    };
    let total = depth + ends.len();
    let subscripts = site.row.iter().chain(&subscripts);
    let functions: Option<Vec<PwAff>> = subscripts.map(|s| translator.to_function(s, total)).collect();
    let mut domain = Set::universe(translator.space(total));
    for (k, end) in ends.iter().enumerate() {
        let value = PwAff::var(translator.space(total), DimKind::Out, depth + k);
        let zero = PwAff::constant(value.space().clone(), 0);
        domain = domain.intersect(&value.ge_set(&zero)).intersect(&value.lt_set(&translator.to_function(end, total)?));
    }
    let domain = domain.set_tuple_name(Some("S".into()));
    let relation = relation(&functions?, "S", "A").intersect_domain(&domain);
    Some(relation.project_out(DimKind::In, depth, ends.len()))
}

/// The iterations in which a transfer that begins at the given subscripts is not of the form that
/// [`transferred`] takes it for.
pub(super) fn end_outside(
    translator: &Translator<'_, '_>,
    depth: usize,
    (start, length): (&[Polynomial], &Polynomial),
    shape: &Shape,
) -> Option<Set> {
    let mut outside = Set::empty(translator.space(depth));
    match covering(length, shape)? {
        Covering::Part(length) => {
            if let (Some(extent), Some(last)) = (shape.extents().last(), start.last()) {
                let end = translator.to_function(&last.add(&length), depth)?;
                outside = end.gt_set(&translator.to_function(extent, depth)?);
            }
            let _ = translator.to_function(&length, depth)?;
        }
        Covering::Whole(length) => {
            let _ = translator.to_function(&length, depth)?;
            for inner in &start[1..] {
                outside = outside.union(&translator.to_function(inner, depth)?.non_zero_set());
            }
        }
    }
    Some(outside)
}
