//! Writing instructions: a thin layer over LLVM's C interface.
//!
//! Handles ([`Value`], [`Block`], [`Type`]) are those of the shim and alive by its rules. The
//! functions check nothing; they exist so that the unsafe calls stand in one place and that code
//! generation reads like code generation.

use std::ffi::{CString, c_uint};

use poly_shim::llvm_sys::comdat::{LLVMGetOrInsertComdat, LLVMSetComdat};
use poly_shim::llvm_sys::core::*;
use poly_shim::llvm_sys::debuginfo::{LLVMDIBuilderCreateDebugLocation, LLVMGetSubprogram};
use poly_shim::llvm_sys::prelude::*;
use poly_shim::llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMAttributeFunctionIndex, LLVMFastMathAllowContract,
    LLVMFastMathAllowReassoc, LLVMFastMathNoSignedZeros, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMUnnamedAddr,
    LLVMVisibility,
};
use poly_shim::write::MetadataRef;
use poly_shim::{BlockRef, PassContext, TypeRef, ValueRef};

/// An SSA value.
pub(crate) type Value<'c> = ValueRef<'c>;
/// A basic block.
pub(crate) type Block<'c> = BlockRef<'c>;
/// A type.
pub(crate) type Type<'c> = TypeRef<'c>;
/// A comparison of integers.
pub(crate) use poly_shim::llvm_sys::LLVMIntPredicate as Compare;

/// Arithmetic of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    AShr,
    FAdd,
    FMul,
    FDiv,
}

impl Op {
    fn opcode(self) -> LLVMOpcode {
        match self {
            Self::Add => LLVMOpcode::LLVMAdd,
            Self::Sub => LLVMOpcode::LLVMSub,
            Self::Mul => LLVMOpcode::LLVMMul,
            Self::UDiv => LLVMOpcode::LLVMUDiv,
            Self::SDiv => LLVMOpcode::LLVMSDiv,
            Self::URem => LLVMOpcode::LLVMURem,
            Self::SRem => LLVMOpcode::LLVMSRem,
            Self::And => LLVMOpcode::LLVMAnd,
            Self::Or => LLVMOpcode::LLVMOr,
            Self::Xor => LLVMOpcode::LLVMXor,
            Self::AShr => LLVMOpcode::LLVMAShr,
            Self::FAdd => LLVMOpcode::LLVMFAdd,
            Self::FMul => LLVMOpcode::LLVMFMul,
            Self::FDiv => LLVMOpcode::LLVMFDiv,
        }
    }
}

fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("zero bytes were removed")
}

fn count(n: usize) -> c_uint {
    c_uint::try_from(n).expect("lists given to LLVM have fewer than 2^32 elements")
}

macro_rules! llvm {
    ($call:expr) => {
        // SAFETY: all handles are alive and belong to one module: the shim's rules.
        unsafe { $call }
    };
}

fn value<'c>(raw: LLVMValueRef) -> Value<'c> {
    assert!(!raw.is_null(), "LLVM made no value");
    // SAFETY: LLVM has just made it; it lives as long as the function is not rewritten.
    unsafe { ValueRef::new(raw) }
}

fn block<'c>(raw: LLVMBasicBlockRef) -> Block<'c> {
    assert!(!raw.is_null(), "LLVM made no block");
    // SAFETY: as for `value`.
    unsafe { BlockRef::new(raw) }
}

fn ty<'c>(raw: LLVMTypeRef) -> Type<'c> {
    // SAFETY: types live as long as their context.
    unsafe { TypeRef::new(raw) }
}

fn raw_values(values: &[Value<'_>]) -> Vec<LLVMValueRef> {
    values.iter().map(|v| v.raw()).collect()
}

fn raw_types(types: &[Type<'_>]) -> Vec<LLVMTypeRef> {
    types.iter().map(|t| t.raw()).collect()
}

/// Writes instructions at one place of one module.
#[derive(Debug)]
pub(crate) struct Builder<'c> {
    raw: LLVMBuilderRef,
    cx: PassContext<'c>,
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        llvm!(LLVMDisposeBuilder(self.raw));
    }
}

/// Places.
impl<'c> Builder<'c> {
    /// A builder for the module of the context's function, at no place yet.
    pub(crate) fn new(cx: PassContext<'c>) -> Self {
        Self { raw: llvm!(LLVMCreateBuilderInContext(cx.llvm_context())), cx }
    }

    pub(crate) fn at_end(&self, block: Block<'c>) {
        llvm!(LLVMPositionBuilderAtEnd(self.raw, block.raw()));
    }

    pub(crate) fn before(&self, instruction: Value<'c>) {
        llvm!(LLVMPositionBuilderBefore(self.raw, instruction.raw()));
    }

    pub(crate) fn block(&self) -> Block<'c> {
        block(llvm!(LLVMGetInsertBlock(self.raw)))
    }

    /// What is written from now on has no line of its own in the function's description (line 0),
    /// or no place at all.
    pub(crate) fn use_artificial_place(&self, function: Value<'c>) {
        let program = llvm!(LLVMGetSubprogram(function.raw()));
        let none = std::ptr::null_mut();
        let place = if program.is_null() {
            none
        } else {
            llvm!(LLVMDIBuilderCreateDebugLocation(self.cx.llvm_context(), 0, 0, program, none))
        };
        llvm!(LLVMSetCurrentDebugLocation2(self.raw, place));
    }

    pub(crate) fn append_block(&self, function: Value<'c>, name: &str) -> Block<'c> {
        let name = c_text(name);
        block(llvm!(LLVMAppendBasicBlockInContext(self.cx.llvm_context(), function.raw(), name.as_ptr())))
    }
}

/// Types and constants.
impl<'c> Builder<'c> {
    pub(crate) fn int_type(&self, bits: u32) -> Type<'c> {
        ty(llvm!(LLVMIntTypeInContext(self.cx.llvm_context(), bits)))
    }

    pub(crate) fn pointer_type(&self) -> Type<'c> {
        ty(llvm!(LLVMPointerTypeInContext(self.cx.llvm_context(), 0)))
    }

    pub(crate) fn void_type(&self) -> Type<'c> {
        ty(llvm!(LLVMVoidTypeInContext(self.cx.llvm_context())))
    }

    /// A vector; of one lane, the element itself.
    pub(crate) fn vector_type(&self, element: Type<'c>, lanes: u32) -> Type<'c> {
        if lanes == 1 {
            return element;
        }
        ty(llvm!(LLVMVectorType(element.raw(), lanes)))
    }

    pub(crate) fn array_type(&self, element: Type<'c>, length: u64) -> Type<'c> {
        ty(llvm!(LLVMArrayType2(element.raw(), length)))
    }

    /// Bytes that a store of the type writes; 0 if that is not a constant.
    pub(crate) fn store_size(&self, of: Type<'c>) -> u64 {
        self.cx.store_size(of).unwrap_or(0)
    }

    pub(crate) fn function_type(&self, result: Type<'c>, arguments: &[Type<'c>], variadic: bool) -> Type<'c> {
        let mut arguments = raw_types(arguments);
        let (data, length) = (arguments.as_mut_ptr(), count(arguments.len()));
        ty(llvm!(LLVMFunctionType(result.raw(), data, length, i32::from(variadic))))
    }

    /// The constant `value` modulo 2^bits.
    pub(crate) fn int(&self, bits: u32, number: i128) -> Value<'c> {
        let words = [number as u64, (number >> 64) as u64];
        value(llvm!(LLVMConstIntOfArbitraryPrecision(self.int_type(bits).raw(), 2, words.as_ptr())))
    }

    pub(crate) fn bool(&self, number: bool) -> Value<'c> {
        self.int(1, i128::from(number))
    }

    pub(crate) fn poison(&self, of: Type<'c>) -> Value<'c> {
        value(llvm!(LLVMGetPoison(of.raw())))
    }

    pub(crate) fn null(&self, of: Type<'c>) -> Value<'c> {
        value(llvm!(LLVMConstNull(of.raw())))
    }

    pub(crate) fn struct_constant(&self, fields: &[Value<'c>]) -> Value<'c> {
        let mut fields = raw_values(fields);
        let (data, length) = (fields.as_mut_ptr(), count(fields.len()));
        value(llvm!(LLVMConstStructInContext(self.cx.llvm_context(), data, length, 0)))
    }

    pub(crate) fn string_constant(&self, text: &str) -> Value<'c> {
        let data = text.as_ptr().cast();
        value(llvm!(LLVMConstStringInContext2(self.cx.llvm_context(), data, text.len(), 0)))
    }
}

/// Instructions.
impl<'c> Builder<'c> {
    /// `op`, with `nsw` if `no_wrap`; the flag only counts for addition, subtraction and
    /// multiplication.
    pub(crate) fn arithmetic(&self, op: Op, a: Value<'c>, b: Value<'c>, no_wrap: bool) -> Value<'c> {
        let (name, a, b) = (c"".as_ptr(), a.raw(), b.raw());
        value(match op {
            Op::Add if no_wrap => llvm!(LLVMBuildNSWAdd(self.raw, a, b, name)),
            Op::Sub if no_wrap => llvm!(LLVMBuildNSWSub(self.raw, a, b, name)),
            Op::Mul if no_wrap => llvm!(LLVMBuildNSWMul(self.raw, a, b, name)),
            _ => llvm!(LLVMBuildBinOp(self.raw, op.opcode(), a, b, name)),
        })
    }

    pub(crate) fn compare(&self, predicate: Compare, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildICmp(self.raw, predicate, a.raw(), b.raw(), c"".as_ptr())))
    }

    pub(crate) fn select(&self, condition: Value<'c>, then: Value<'c>, otherwise: Value<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildSelect(self.raw, condition.raw(), then.raw(), otherwise.raw(), c"".as_ptr())))
    }

    pub(crate) fn not(&self, of: Value<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildNot(self.raw, of.raw(), c"".as_ptr())))
    }

    pub(crate) fn freeze(&self, of: Value<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildFreeze(self.raw, of.raw(), c"".as_ptr())))
    }

    /// The vector with one element replaced.
    pub(crate) fn insert_element(&self, vector: Value<'c>, element: Value<'c>, position: u32) -> Value<'c> {
        let position = self.int(32, i128::from(position));
        value(llvm!(LLVMBuildInsertElement(self.raw, vector.raw(), element.raw(), position.raw(), c"".as_ptr())))
    }

    /// An element of a vector.
    pub(crate) fn extract_element(&self, vector: Value<'c>, position: u32) -> Value<'c> {
        let position = self.int(32, i128::from(position));
        value(llvm!(LLVMBuildExtractElement(self.raw, vector.raw(), position.raw(), c"".as_ptr())))
    }

    /// A vector of equal elements; of one lane, the element itself.
    pub(crate) fn splat(&self, element: Value<'c>, lanes: u32) -> Value<'c> {
        if lanes == 1 {
            return element;
        }
        let vector = self.vector_type(element.ty(), lanes);
        let one = self.insert_element(self.poison(vector), element, 0);
        let mask = self.null(self.vector_type(self.int_type(32), lanes));
        let poison = self.poison(vector);
        value(llvm!(LLVMBuildShuffleVector(self.raw, one.raw(), poison.raw(), mask.raw(), c"".as_ptr())))
    }

    /// The vector 0, 1, 2, ..
    pub(crate) fn lane_numbers(&self, bits: u32, lanes: u32) -> Value<'c> {
        let mut numbers: Vec<LLVMValueRef> = (0..lanes).map(|lane| self.int(bits, i128::from(lane)).raw()).collect();
        value(llvm!(LLVMConstVector(numbers.as_mut_ptr(), count(numbers.len()))))
    }

    /// The lanes of a vector for which `mask` is true, zero in the others.
    pub(crate) fn masked_load(&self, of: Type<'c>, from: Value<'c>, mask: Value<'c>, alignment: u32) -> Value<'c> {
        llvm!(from.masked_load(self.raw, of, mask, alignment))
    }

    /// Stores the lanes for which `mask` is true.
    pub(crate) fn masked_store(&self, what: Value<'c>, to: Value<'c>, mask: Value<'c>, alignment: u32) -> Value<'c> {
        llvm!(what.masked_store(self.raw, to, mask, alignment))
    }

    /// The lanes for which `mask` is true, each from its own address, zero in the others.
    pub(crate) fn masked_gather(&self, of: Type<'c>, from: Value<'c>, mask: Value<'c>, alignment: u32) -> Value<'c> {
        llvm!(from.masked_gather(self.raw, of, mask, alignment))
    }

    /// Stores the lanes for which `mask` is true, each to its own address.
    pub(crate) fn masked_scatter(&self, what: Value<'c>, to: Value<'c>, mask: Value<'c>, alignment: u32) -> Value<'c> {
        llvm!(what.masked_scatter(self.raw, to, mask, alignment))
    }

    /// As many elements as there are positions of the elements of two vectors of one type, one
    /// behind the other.
    pub(crate) fn shuffle(&self, first: Value<'c>, second: Value<'c>, positions: &[u32]) -> Value<'c> {
        let mut positions: Vec<LLVMValueRef> = positions.iter().map(|&p| self.int(32, i128::from(p)).raw()).collect();
        let mask = value(llvm!(LLVMConstVector(positions.as_mut_ptr(), count(positions.len()))));
        value(llvm!(LLVMBuildShuffleVector(self.raw, first.raw(), second.raw(), mask.raw(), c"".as_ptr())))
    }

    /// The instruction for several lanes at once.
    pub(crate) fn widen(&self, instruction: Value<'c>, operands: &[Value<'c>], lanes: u32) -> Value<'c> {
        let made = llvm!(instruction.widen(self.raw, operands, lanes));
        made.expect("only instructions that have a vector form are widened")
    }

    /// Sign or zero extends, truncates, or does nothing.
    pub(crate) fn int_cast(&self, of: Value<'c>, to: Type<'c>, signed: bool) -> Value<'c> {
        if of.ty() == to {
            return of;
        }
        value(llvm!(LLVMBuildIntCast2(self.raw, of.raw(), to.raw(), i32::from(signed), c"".as_ptr())))
    }

    pub(crate) fn ptr_to_int(&self, of: Value<'c>, to: Type<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildPtrToInt(self.raw, of.raw(), to.raw(), c"".as_ptr())))
    }

    /// `base` plus `index` elements, without any promise about objects.
    pub(crate) fn offset(&self, element: Type<'c>, base: Value<'c>, index: Value<'c>) -> Value<'c> {
        let mut indices = [index.raw()];
        value(llvm!(LLVMBuildGEP2(self.raw, element.raw(), base.raw(), indices.as_mut_ptr(), 1, c"".as_ptr())))
    }

    pub(crate) fn alloca(&self, of: Type<'c>, name: &str) -> Value<'c> {
        value(llvm!(LLVMBuildAlloca(self.raw, of.raw(), c_text(name).as_ptr())))
    }

    /// Bytes of a number that is known only at run time, on the stack; with the mark that
    /// [`Builder::restore_stack`] takes.
    pub(crate) fn bytes_on_stack(&self, number: Value<'c>, alignment: u32) -> (Value<'c>, Value<'c>) {
        let mark = self.intrinsic("llvm.stacksave", &[self.pointer_type()], &[]);
        let byte = self.int_type(8);
        let bytes = value(llvm!(LLVMBuildArrayAlloca(self.raw, byte.raw(), number.raw(), c"poly.partials".as_ptr())));
        set_alignment(bytes, alignment);
        (bytes, mark)
    }

    /// Frees what has been put on the stack since the mark.
    pub(crate) fn restore_stack(&self, mark: Value<'c>) {
        self.intrinsic("llvm.stackrestore", &[self.pointer_type()], &[mark]);
    }

    /// Fills bytes with zeros.
    pub(crate) fn clear(&self, bytes: Value<'c>, number: Value<'c>) {
        let (zero, no) = (self.int(8, 0), self.bool(false));
        self.intrinsic("llvm.memset", &[bytes.ty(), number.ty()], &[bytes, zero, number, no]);
    }

    /// A floating-point constant.
    pub(crate) fn float(&self, of: Type<'c>, number: f64) -> Value<'c> {
        value(llvm!(LLVMConstReal(of.raw(), number)))
    }

    /// A signed integer as a floating-point number.
    pub(crate) fn int_to_float(&self, number: Value<'c>, of: Type<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildSIToFP(self.raw, number.raw(), of.raw(), c"".as_ptr())))
    }

    /// Whether the first floating-point number is less than the second.
    pub(crate) fn is_less(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let predicate = LLVMRealPredicate::LLVMRealOLT;
        value(llvm!(LLVMBuildFCmp(self.raw, predicate, a.raw(), b.raw(), c"".as_ptr())))
    }

    /// Whether the first floating-point number is less than the second, or equal to it.
    pub(crate) fn is_at_most(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let predicate = LLVMRealPredicate::LLVMRealOLE;
        value(llvm!(LLVMBuildFCmp(self.raw, predicate, a.raw(), b.raw(), c"".as_ptr())))
    }

    /// Whether a floating-point number is none.
    pub(crate) fn is_unordered(&self, number: Value<'c>) -> Value<'c> {
        let predicate = LLVMRealPredicate::LLVMRealUNO;
        value(llvm!(LLVMBuildFCmp(self.raw, predicate, number.raw(), number.raw(), c"".as_ptr())))
    }

    pub(crate) fn double_type(&self) -> Type<'c> {
        ty(llvm!(LLVMDoubleTypeInContext(self.cx.llvm_context())))
    }

    pub(crate) fn load(&self, of: Type<'c>, from: Value<'c>, name: &str) -> Value<'c> {
        value(llvm!(LLVMBuildLoad2(self.raw, of.raw(), from.raw(), c_text(name).as_ptr())))
    }

    /// A load that no pass moves or answers.
    pub(crate) fn volatile_load(&self, of: Type<'c>, from: Value<'c>, name: &str) -> Value<'c> {
        let loaded = self.load(of, from, name);
        llvm!(LLVMSetVolatile(loaded.raw(), 1));
        loaded
    }

    pub(crate) fn store(&self, what: Value<'c>, to: Value<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildStore(self.raw, what.raw(), to.raw())))
    }

    /// A store that no pass moves or leaves out.
    pub(crate) fn volatile_store(&self, what: Value<'c>, to: Value<'c>) -> Value<'c> {
        let stored = self.store(what, to);
        llvm!(LLVMSetVolatile(stored.raw(), 1));
        stored
    }

    /// A store that may meet others of the same value.
    pub(crate) fn atomic_store(&self, what: Value<'c>, to: Value<'c>) -> Value<'c> {
        let stored = self.store(what, to);
        llvm!(LLVMSetOrdering(stored.raw(), LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic));
        stored
    }

    /// Adds to a number of 64 bits that other threads may change, too.
    pub(crate) fn atomic_add(&self, to: Value<'c>, number: Value<'c>) -> Value<'c> {
        self.atomic(LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd, to, number)
    }

    /// Replaces a number of 64 bits that other threads may change, too; what it was.
    pub(crate) fn atomic_exchange(&self, at: Value<'c>, number: Value<'c>) -> Value<'c> {
        self.atomic(LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg, at, number)
    }

    fn atomic(&self, op: LLVMAtomicRMWBinOp, at: Value<'c>, number: Value<'c>) -> Value<'c> {
        let order = LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
        value(llvm!(LLVMBuildAtomicRMW(self.raw, op, at.raw(), number.raw(), order, 0)))
    }

    pub(crate) fn phi(&self, of: Type<'c>, name: &str) -> Value<'c> {
        value(llvm!(LLVMBuildPhi(self.raw, of.raw(), c_text(name).as_ptr())))
    }

    pub(crate) fn branch(&self, to: Block<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildBr(self.raw, to.raw())))
    }

    pub(crate) fn branch_if(&self, condition: Value<'c>, then: Block<'c>, otherwise: Block<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildCondBr(self.raw, condition.raw(), then.raw(), otherwise.raw())))
    }

    pub(crate) fn return_void(&self) -> Value<'c> {
        value(llvm!(LLVMBuildRetVoid(self.raw)))
    }

    pub(crate) fn return_value(&self, of: Value<'c>) -> Value<'c> {
        value(llvm!(LLVMBuildRet(self.raw, of.raw())))
    }

    pub(crate) fn extract(&self, aggregate: Value<'c>, index: u32) -> Value<'c> {
        value(llvm!(LLVMBuildExtractValue(self.raw, aggregate.raw(), index, c"".as_ptr())))
    }

    pub(crate) fn call(&self, of: Type<'c>, function: Value<'c>, arguments: &[Value<'c>]) -> Value<'c> {
        let mut arguments = raw_values(arguments);
        let (data, length) = (arguments.as_mut_ptr(), count(arguments.len()));
        value(llvm!(LLVMBuildCall2(self.raw, of.raw(), function.raw(), data, length, c"".as_ptr())))
    }

    /// Calls the intrinsic `name` (`llvm.smin`), overloaded on `types`.
    pub(crate) fn intrinsic(&self, name: &str, types: &[Type<'c>], arguments: &[Value<'c>]) -> Value<'c> {
        let id = llvm!(LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()));
        assert!(id != 0, "LLVM has no intrinsic {name}");
        let mut types = raw_types(types);
        let (data, length) = (types.as_mut_ptr(), types.len());
        let function = value(llvm!(LLVMGetIntrinsicDeclaration(self.cx.module(), id, data, length)));
        let of = ty(llvm!(LLVMIntrinsicGetType(self.cx.llvm_context(), id, data, length)));
        self.call(of, function, arguments)
    }

    /// Puts an instruction that is in no block yet at the builder's place.
    pub(crate) fn insert(&self, instruction: Value<'c>) {
        instruction.insert_at_end(self.block());
    }
}

/// Functions and globals.
impl<'c> Builder<'c> {
    /// The function `name` of the module, declared with this type if it was not there.
    pub(crate) fn runtime_function(&self, name: &str, of: Type<'c>) -> Value<'c> {
        let name = c_text(name);
        let known = llvm!(LLVMGetNamedFunction(self.cx.module(), name.as_ptr()));
        if known.is_null() {
            value(llvm!(LLVMAddFunction(self.cx.module(), name.as_ptr(), of.raw())))
        } else {
            value(known)
        }
    }

    /// The same function, null if the program is linked without it. The module says nothing else
    /// about it.
    pub(crate) fn weak_function(&self, name: &str, of: Type<'c>) -> Value<'c> {
        let function = self.runtime_function(name, of);
        llvm!(LLVMSetLinkage(function.raw(), LLVMLinkage::LLVMExternalWeakLinkage));
        function
    }

    /// The module leaves this function to a library and says nothing else about its type.
    pub(crate) fn is_library_function(&self, name: &str, of: Type<'c>) -> bool {
        let known = llvm!(LLVMGetNamedFunction(self.cx.module(), c_text(name).as_ptr()));
        known.is_null() || (llvm!(LLVMIsDeclaration(known)) != 0 && llvm!(LLVMGlobalGetValueType(known)) == of.raw())
    }

    pub(crate) fn has_function(&self, name: &str) -> bool {
        !llvm!(LLVMGetNamedFunction(self.cx.module(), c_text(name).as_ptr())).is_null()
    }

    /// A new function with internal linkage and no body.
    pub(crate) fn internal_function(&self, name: &str, of: Type<'c>) -> Value<'c> {
        let made = llvm!(LLVMAddFunction(self.cx.module(), c_text(name).as_ptr(), of.raw()));
        llvm!(LLVMSetLinkage(made, LLVMLinkage::LLVMInternalLinkage));
        value(made)
    }

    /// The private constant `name`, made if it was not there.
    pub(crate) fn private_constant(&self, name: &str, content: Value<'c>, alignment: u32) -> Value<'c> {
        let name = c_text(name);
        let known = llvm!(LLVMGetNamedGlobal(self.cx.module(), name.as_ptr()));
        if !known.is_null() {
            return value(known);
        }
        let made = llvm!(LLVMAddGlobal(self.cx.module(), content.ty().raw(), name.as_ptr()));
        llvm!(LLVMSetInitializer(made, content.raw()));
        llvm!(LLVMSetGlobalConstant(made, 1));
        llvm!(LLVMSetLinkage(made, LLVMLinkage::LLVMPrivateLinkage));
        llvm!(LLVMSetUnnamedAddress(made, LLVMUnnamedAddr::LLVMGlobalUnnamedAddr));
        llvm!(LLVMSetAlignment(made, alignment));
        value(made)
    }

    /// A new variable of this module.
    pub(crate) fn internal_variable(&self, name: &str, content: Value<'c>) -> Value<'c> {
        let made = llvm!(LLVMAddGlobal(self.cx.module(), content.ty().raw(), c_text(name).as_ptr()));
        llvm!(LLVMSetInitializer(made, content.raw()));
        llvm!(LLVMSetLinkage(made, LLVMLinkage::LLVMInternalLinkage));
        llvm!(LLVMSetAlignment(made, 8));
        value(made)
    }

    /// A variable of which the linker keeps one, whichever modules have it; `None` if this module
    /// has it already.
    pub(crate) fn shared_variable(&self, name: &str, content: Value<'c>) -> Option<Value<'c>> {
        let text = c_text(name);
        if !llvm!(LLVMGetNamedGlobal(self.cx.module(), text.as_ptr())).is_null() {
            return None;
        }
        let made = self.internal_variable(name, content);
        llvm!(LLVMSetLinkage(made.raw(), LLVMLinkage::LLVMWeakODRLinkage));
        let group = llvm!(LLVMGetOrInsertComdat(self.cx.module(), text.as_ptr()));
        llvm!(LLVMSetComdat(made.raw(), group));
        Some(made)
    }

    /// The linker puts the variable side by side with those of the same section in other modules.
    pub(crate) fn set_section(&self, variable: Value<'c>, section: &str) {
        llvm!(LLVMSetSection(variable.raw(), c_text(section).as_ptr()));
    }

    /// A name that the linker gives to a place of the executable or library that this module
    /// becomes part of; null if it gives none.
    pub(crate) fn linker_symbol(&self, name: &str, of: Type<'c>) -> Value<'c> {
        let name = c_text(name);
        let known = llvm!(LLVMGetNamedGlobal(self.cx.module(), name.as_ptr()));
        if !known.is_null() {
            return value(known);
        }
        let made = llvm!(LLVMAddGlobal(self.cx.module(), of.raw(), name.as_ptr()));
        llvm!(LLVMSetLinkage(made, LLVMLinkage::LLVMExternalWeakLinkage));
        llvm!(LLVMSetVisibility(made, LLVMVisibility::LLVMHiddenVisibility));
        value(made)
    }

    /// A function without body of which the linker keeps one, whichever modules have it; `None` if
    /// this module defines it or means something else by the name.
    pub(crate) fn shared_function(&self, name: &str, of: Type<'c>) -> Option<Value<'c>> {
        let name = c_text(name);
        let known = llvm!(LLVMGetNamedFunction(self.cx.module(), name.as_ptr()));
        let made = if known.is_null() {
            if !llvm!(LLVMGetNamedGlobal(self.cx.module(), name.as_ptr())).is_null() {
                return None;
            }
            llvm!(LLVMAddFunction(self.cx.module(), name.as_ptr(), of.raw()))
        } else {
            known
        };
        if llvm!(LLVMIsDeclaration(made)) == 0 || llvm!(LLVMGlobalGetValueType(made)) != of.raw() {
            return None;
        }
        llvm!(LLVMSetLinkage(made, LLVMLinkage::LLVMWeakODRLinkage));
        let group = llvm!(LLVMGetOrInsertComdat(self.cx.module(), name.as_ptr()));
        llvm!(LLVMSetComdat(made, group));
        Some(value(made))
    }

    pub(crate) fn add_function_attribute(&self, function: Value<'c>, name: &str) {
        let kind = llvm!(LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()));
        let attribute = llvm!(LLVMCreateEnumAttribute(self.cx.llvm_context(), kind, 0));
        llvm!(LLVMAddAttributeAtIndex(function.raw(), LLVMAttributeFunctionIndex, attribute));
    }

    pub(crate) fn metadata_as_value(&self, node: MetadataRef<'c>) -> Value<'c> {
        value(llvm!(LLVMMetadataAsValue(self.cx.llvm_context(), node.raw())))
    }
}

/// Nothing writes to the variable.
pub(crate) fn set_constant(variable: Value<'_>) {
    llvm!(LLVMSetGlobalConstant(variable.raw(), 1));
}

/// The argument of a function.
pub(crate) fn argument(function: Value<'_>, position: u32) -> Value<'_> {
    value(llvm!(LLVMGetParam(function.raw(), position)))
}

/// The function that an instruction or argument belongs to.
pub(crate) fn owner(of: Value<'_>) -> Option<Value<'_>> {
    if let Some(block) = of.block() {
        Some(block.function())
    } else if of.is_argument() {
        Some(value(llvm!(LLVMGetParamParent(of.raw()))))
    } else {
        None
    }
}

pub(crate) fn set_operand(user: Value<'_>, position: usize, to: Value<'_>) {
    llvm!(LLVMSetOperand(user.raw(), count(position), to.raw()));
}

pub(crate) fn add_incoming<'c>(phi: Value<'c>, from: Value<'c>, edge: Block<'c>) {
    let (mut values, mut blocks) = ([from.raw()], [edge.raw()]);
    llvm!(LLVMAddIncoming(phi.raw(), values.as_mut_ptr(), blocks.as_mut_ptr(), 1));
}

/// Every edge of `from` to `old` leads to `new` instead. PHI nodes are the caller's affair.
pub(crate) fn redirect(from: Block<'_>, old: Block<'_>, new: Block<'_>) {
    let terminator = from.terminator().raw();
    for i in 0..llvm!(LLVMGetNumSuccessors(terminator)) {
        if llvm!(LLVMGetSuccessor(terminator, i)) == old.raw() {
            llvm!(LLVMSetSuccessor(terminator, i, new.raw()));
        }
    }
}

pub(crate) fn erase(instruction: Value<'_>) {
    llvm!(LLVMInstructionEraseFromParent(instruction.raw()));
}

pub(crate) fn entry_block(function: Value<'_>) -> Block<'_> {
    block(llvm!(LLVMGetEntryBasicBlock(function.raw())))
}

pub(crate) fn move_block_before(moved: Block<'_>, other: Block<'_>) {
    llvm!(LLVMMoveBasicBlockBefore(moved.raw(), other.raw()));
}

pub(crate) fn set_alignment(instruction: Value<'_>, bytes: u32) {
    llvm!(LLVMSetAlignment(instruction.raw(), bytes));
}

/// Lets an operation on floating-point numbers be executed in another order, with products that are
/// not rounded before they are added, as far as another one may. Nothing is promised about its
/// value.
pub(crate) fn reassociate_like(operation: Value<'_>, other: Value<'_>) {
    let allowed = LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros | LLVMFastMathAllowContract;
    let have_flags = |value: Value<'_>| value.is_instruction() && llvm!(LLVMCanValueUseFastMathFlags(value.raw())) != 0;
    if have_flags(operation) && have_flags(other) {
        let flags = llvm!(LLVMGetFastMathFlags(other.raw())) & allowed;
        llvm!(LLVMSetFastMathFlags(operation.raw(), flags));
    }
}

pub(crate) fn set_name(of: Value<'_>, name: &str) {
    llvm!(LLVMSetValueName2(of.raw(), name.as_ptr().cast(), name.len()));
}
