//! What an instruction may be inside a SCoP, whatever the region: the reasons that need no model.
//!
//! Everything that is not known to be harmless is rejected. Harmless are: branches and switches;
//! simple loads and stores of integers, floating-point numbers and pointers; pure computations;
//! calls that only compute (no memory, no unwinding, always an end, not tied to their place); marks
//! for the optimizer that may be dropped. Undefined constants are rejected because a copied
//! instruction may see another value of `undef`.
//!
//! `freeze` is taken for its operand where the model knows that (parameters are frozen before they
//! are looked at, so every one of its uses sees one value); elsewhere it is copied, never computed
//! again.

use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{BlockRef, PassContext, TypeRef, ValueRef};

use crate::access;
use crate::errno;
use crate::lifetimes;
use crate::names;
use crate::reject::{Blocker, RejectKind};
use crate::values::condition_of;

/// Widest integers that are modelled.
const MAX_INTEGER_BITS: u32 = 128;

/// Marks that say something to the optimizer about a place and can be left out of a copy. (Not
/// those of lifetimes: stack slots are shared according to them.)
const DROPPED_MARKS: [&str; 8] = [
    "llvm.assume",
    "llvm.dbg.assign",
    "llvm.dbg.declare",
    "llvm.dbg.label",
    "llvm.dbg.value",
    "llvm.donothing",
    "llvm.experimental.noalias.scope.decl",
    "llvm.pseudoprobe",
];

/// Whether the instruction is a mark that has no effect and no result.
pub(crate) fn is_dropped_mark(instruction: ValueRef<'_>) -> bool {
    instruction.opcode() == Some(Opcode::Call)
        && instruction.intrinsic_name().is_some_and(|name| DROPPED_MARKS.contains(&name.as_str()))
}

/// Whether the instruction computes an integer together with the news whether it overflowed.
pub(crate) fn is_overflow_test(instruction: ValueRef<'_>) -> bool {
    instruction.opcode() == Some(Opcode::Call)
        && instruction.intrinsic_name().is_some_and(|name| name.ends_with(".with.overflow"))
}

/// The first reason why the block cannot be in any SCoP.
pub(crate) fn block_fault<'c>(ctx: PassContext<'c>, block: BlockRef<'c>, math_errno: bool) -> Option<Blocker> {
    block
        .instructions()
        .into_iter()
        .find_map(|i| instruction_fault(ctx, i, math_errno).map(|blocker| blocker.at(names::place(i))))
}

fn instruction_fault<'c>(ctx: PassContext<'c>, instruction: ValueRef<'c>, math_errno: bool) -> Option<Blocker> {
    if is_dropped_mark(instruction) || lifetimes::marked(instruction).is_some() {
        return None;
    }
    let name = instruction.opcode_name().expect("blocks consist of instructions");
    let opcode = instruction.opcode().expect("blocks consist of instructions");
    let reject = |kind, message: String| Some(Blocker::new(kind, message));
    match opcode {
        Opcode::Br | Opcode::Switch => return terminator_fault(instruction),
        Opcode::Ret => return reject(RejectKind::Terminator, "the function returns from inside the loop".into()),
        Opcode::Unreachable => {
            return reject(
                RejectKind::Terminator,
                "control does not come back from here (it runs into 'unreachable')".into(),
            );
        }
        Opcode::Alloca => return reject(RejectKind::Allocation, "stack memory is allocated inside the loop".into()),
        Opcode::AddrSpaceCast => {
            return reject(RejectKind::AddressSpace, "a pointer is cast to another address space".into());
        }
        Opcode::Load | Opcode::Store => return access_fault(ctx, instruction),
        Opcode::Call => {
            if let Some(blocker) = call_fault(ctx, instruction, math_errno) {
                return Some(blocker);
            }
            if access::transfer(instruction).is_some()
                || (!math_errno && is_mathematical(ctx, instruction))
                || errno::is_set_by(ctx, instruction)
            {
                return operand_fault(instruction, name);
            }
        }
        Opcode::Other => return other_fault(name),
        _ => {}
    }
    if instruction.effects().has_side_effects() {
        return reject(RejectKind::Instruction, format!("'{name}' has effects that are not modelled"));
    }
    if is_overflow_test(instruction) {
        return operand_fault(instruction, name);
    }
    type_fault(instruction.ty(), name).or_else(|| operand_fault(instruction, name))
}

fn terminator_fault(terminator: ValueRef<'_>) -> Option<Blocker> {
    let condition = condition_of(terminator)?;
    if condition.is_undef() {
        return Some(Blocker::new(RejectKind::Undefined, "a branch depends on an undefined value"));
    }
    None
}

fn other_fault(name: &str) -> Option<Blocker> {
    let (kind, message) = match name {
        "invoke" | "landingpad" | "resume" | "catchswitch" | "catchpad" | "catchret" | "cleanuppad" | "cleanupret" => {
            (RejectKind::Terminator, format!("an exception may leave the loop ('{name}')"))
        }
        "indirectbr" | "callbr" => (RejectKind::Terminator, format!("'{name}' jumps to places that are not known")),
        "fence" | "cmpxchg" | "atomicrmw" => {
            (RejectKind::Ordering, format!("'{name}' synchronizes with other threads"))
        }
        _ => (RejectKind::Instruction, format!("'{name}' is not modelled")),
    };
    Some(Blocker::new(kind, message))
}

fn access_fault(ctx: PassContext<'_>, access: ValueRef<'_>) -> Option<Blocker> {
    let effects = access.effects();
    let what = if access.opcode() == Some(Opcode::Load) { "read" } else { "write" };
    if effects.is_volatile() {
        return Some(Blocker::new(RejectKind::Ordering, format!("a volatile {what}")));
    }
    if effects.is_atomic() {
        return Some(Blocker::new(RejectKind::Ordering, format!("an atomic {what}")));
    }
    let pointer = access.pointer_operand().expect("loads and stores have an address");
    if pointer.ty().kind() != TypeKind::Pointer(0) {
        return Some(Blocker::new(RejectKind::AddressSpace, format!("a {what} in a special address space")));
    }
    let ty = access.access_type().expect("loads and stores have a type");
    let scalar = matches!(ty.kind(), TypeKind::Integer(_) | TypeKind::Float | TypeKind::Pointer(0));
    let whole = ctx.size_in_bits(ty).zip(ctx.store_size(ty)).is_some_and(|(bits, bytes)| bits == 8 * bytes);
    if !scalar || !whole {
        return Some(Blocker::new(RejectKind::Type, format!("a {what} of type {}", ty.print())));
    }
    type_fault(ty, what).or_else(|| operand_fault(access, what))
}

/// A block of memory is filled or copied: not volatile, in the usual address space.
fn transfer_fault(call: ValueRef<'_>) -> Option<Blocker> {
    if call.operand(3).constant_int() != Some(0) {
        return Some(Blocker::new(RejectKind::Ordering, "a volatile write"));
    }
    let pointers = if access::transfer(call) == Some(access::Transfer::Copy) { 2 } else { 1 };
    let special = (0..pointers).any(|k| call.operand(k).ty().kind() != TypeKind::Pointer(0));
    special.then(|| Blocker::new(RejectKind::AddressSpace, "a write in a special address space"))
}

fn call_fault<'c>(ctx: PassContext<'c>, call: ValueRef<'c>, math_errno: bool) -> Option<Blocker> {
    let properties = call.call_properties();
    let callee = call.callee().map(|f| f.name());
    if access::transfer(call).is_some() {
        return transfer_fault(call);
    }
    let name = match &callee {
        Some(name) if !name.is_empty() => format!("'{}'", plain_name(name)),
        _ if properties.is_inline_assembler() => "inline assembler".to_string(),
        _ => "an unknown function".to_string(),
    };
    if let Some(intrinsic) = call.intrinsic_name()
        && (intrinsic.starts_with("llvm.lifetime.") || intrinsic.starts_with("llvm.invariant."))
    {
        return Some(Blocker::new(RejectKind::Allocation, "the lifetime of a variable is marked inside the loop"));
    }
    let reason = if properties.is_inline_assembler() {
        "inline assembler is not modelled".to_string()
    } else if callee.is_none() {
        "a function is called through a pointer".to_string()
    } else if properties.is_convergent() {
        format!("the call of {name} is convergent")
    } else if errno::is_set_by(ctx, call)
        || (!math_errno && is_mathematical(ctx, call) && !properties.no_return() && !call.is_mark())
    {
        return None;
    } else if !properties.no_memory() && is_mathematical(ctx, call) {
        return Some(errno::blocker(call, ""));
    } else if access::sees_memory(call) {
        return None;
    } else if !properties.no_memory() {
        let verb = if properties.only_reads() { "read" } else { "write" };
        format!("the call of {name} may {verb} memory")
    } else if !properties.no_unwind() {
        format!("the call of {name} may throw an exception")
    } else if !properties.will_return() || properties.no_return() {
        format!("the call of {name} may not return")
    } else if !properties.is_pure() || call.is_mark() {
        format!("the call of {name} is tied to its place")
    } else {
        return None;
    };
    Some(Blocker::new(RejectKind::Call, reason))
}

/// Whether a function of the C library is called that computes one floating-point number from
/// numbers, and is not tied to its place.
pub(crate) fn is_mathematical<'c>(ctx: PassContext<'c>, call: ValueRef<'c>) -> bool {
    if ctx.math_function(call).is_none() {
        return false;
    }
    let properties = call.call_properties();
    !properties.is_convergent()
        && !properties.has_bundles()
        && !properties.must_tail()
        && !properties.is_strict_fp()
        && properties.no_unwind()
}

/// `memset` for `llvm.memset.p0.i64`.
pub(crate) fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("llvm.").map_or(name, |rest| rest.split('.').next().unwrap_or(rest));
    if name.is_empty() { "an intrinsic" } else { name }
}

fn type_fault(ty: TypeRef<'_>, what: &str) -> Option<Blocker> {
    let known = match ty.kind() {
        TypeKind::Integer(bits) => bits <= MAX_INTEGER_BITS,
        TypeKind::Float | TypeKind::Pointer(0) | TypeKind::Vector => true,
        // Results of instructions without result.
        TypeKind::Void => what == "read" || what == "write",
        _ => false,
    };
    if known {
        None
    } else {
        Some(Blocker::new(RejectKind::Type, format!("'{what}' with a value of type {}", ty.print())))
    }
}

fn operand_fault(instruction: ValueRef<'_>, name: &str) -> Option<Blocker> {
    let undefined = instruction.operands().into_iter().any(|operand| operand.is_undef());
    undefined.then(|| Blocker::new(RejectKind::Undefined, format!("an undefined value is used by '{name}'")))
}
