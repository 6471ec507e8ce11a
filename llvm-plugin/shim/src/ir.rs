//! Reading the user's code: values, instructions, blocks, types.
//!
//! Built on LLVM's C API; unlike inkwell it accepts values of every type.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use inkwell::llvm_sys::core::{
    LLVMBasicBlockAsValue, LLVMCanValueUseFastMathFlags, LLVMConstIntGetSExtValue, LLVMCountIncoming,
    LLVMDisposeMessage, LLVMGetAlignment, LLVMGetAllocatedType, LLVMGetArrayLength2, LLVMGetBasicBlockParent,
    LLVMGetBasicBlockTerminator, LLVMGetCondition, LLVMGetConstOpcode, LLVMGetElementType, LLVMGetFCmpPredicate,
    LLVMGetFastMathFlags, LLVMGetFirstInstruction, LLVMGetFirstUse, LLVMGetGEPSourceElementType, LLVMGetICmpPredicate,
    LLVMGetIncomingBlock, LLVMGetIncomingValue, LLVMGetInstructionParent, LLVMGetIntTypeWidth, LLVMGetLinkage,
    LLVMGetNSW, LLVMGetNUW, LLVMGetNextInstruction, LLVMGetNextUse, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGetPointerAddressSpace, LLVMGetTypeKind, LLVMGetUser, LLVMGetValueName2, LLVMGlobalGetValueType,
    LLVMIsAArgument, LLVMIsAConstant, LLVMIsAConstantExpr, LLVMIsAConstantInt, LLVMIsAFunction, LLVMIsAGlobalValue,
    LLVMIsAGlobalVariable, LLVMIsAInstruction, LLVMIsConditional, LLVMIsDeclaration, LLVMIsInBounds, LLVMIsNull,
    LLVMIsPoison, LLVMIsThreadLocal, LLVMIsUndef, LLVMPrintTypeToString, LLVMPrintValueToString, LLVMTypeOf,
    LLVMValueAsBasicBlock, LLVMValueIsBasicBlock,
};
use inkwell::llvm_sys::{
    LLVMBasicBlock, LLVMFastMathAllowReassoc, LLVMFastMathNoInfs, LLVMFastMathNoNaNs, LLVMFastMathNoSignedZeros,
    LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValue,
};

use crate::handles::{found, found_or_none};
use crate::{BlockRef, PassContext, TypeRef, ValueRef, sinks};

/// The kind of metadata that says how often a branch is taken: fixed, like those of all kinds that
/// LLVM itself knows.
const MD_PROF: u32 = 2;

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "LLVM's names")]
pub enum Opcode {
    Ret,
    Br,
    Switch,
    Unreachable,
    FNeg,
    Add,
    FAdd,
    Sub,
    FSub,
    Mul,
    FMul,
    UDiv,
    SDiv,
    FDiv,
    URem,
    SRem,
    FRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    Alloca,
    Load,
    Store,
    GetElementPtr,
    Trunc,
    ZExt,
    SExt,
    FPToUI,
    FPToSI,
    UIToFP,
    SIToFP,
    FPTrunc,
    FPExt,
    PtrToInt,
    IntToPtr,
    BitCast,
    AddrSpaceCast,
    ICmp,
    FCmp,
    Phi,
    Call,
    Select,
    Freeze,
    ExtractElement,
    InsertElement,
    ShuffleVector,
    ExtractValue,
    InsertValue,
    /// Everything that Poly never moves: invokes, fences, atomics, ...
    Other,
}

/// More than the numbers that LLVM has given to opcodes.
const OPCODES: u32 = 128;

impl Opcode {
    /// Vectors have this operation, on all elements at once, and it is no comparison or choice.
    pub fn is_elementwise(self) -> bool {
        matches!(
            self,
            Self::FNeg
                | Self::Add
                | Self::FAdd
                | Self::Sub
                | Self::FSub
                | Self::Mul
                | Self::FMul
                | Self::FDiv
                | Self::Shl
                | Self::LShr
                | Self::AShr
                | Self::And
                | Self::Or
                | Self::Xor
                | Self::Trunc
                | Self::ZExt
                | Self::SExt
                | Self::SIToFP
                | Self::FPToSI
                | Self::FPTrunc
                | Self::FPExt
        )
    }

    /// By the number that this LLVM has given it; `None` for 0.
    fn from_number(number: u32) -> Option<Self> {
        static ALL: OnceLock<Vec<Opcode>> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let name = |number| {
                let name = shim!(poly_name_of_opcode(number));
                // SAFETY: LLVM returns a literal.
                unsafe { CStr::from_ptr(name) }.to_str().expect("opcode names are ASCII")
            };
            (0..OPCODES).map(|number| Self::from_name(name(number))).collect()
        });
        (number != 0).then(|| all.get(number as usize).copied().unwrap_or(Self::Other))
    }

    /// By LLVM's name.
    fn from_name(name: &str) -> Self {
        match name {
            "ret" => Self::Ret,
            "br" => Self::Br,
            "switch" => Self::Switch,
            "unreachable" => Self::Unreachable,
            "fneg" => Self::FNeg,
            "add" => Self::Add,
            "fadd" => Self::FAdd,
            "sub" => Self::Sub,
            "fsub" => Self::FSub,
            "mul" => Self::Mul,
            "fmul" => Self::FMul,
            "udiv" => Self::UDiv,
            "sdiv" => Self::SDiv,
            "fdiv" => Self::FDiv,
            "urem" => Self::URem,
            "srem" => Self::SRem,
            "frem" => Self::FRem,
            "shl" => Self::Shl,
            "lshr" => Self::LShr,
            "ashr" => Self::AShr,
            "and" => Self::And,
            "or" => Self::Or,
            "xor" => Self::Xor,
            "alloca" => Self::Alloca,
            "load" => Self::Load,
            "store" => Self::Store,
            "getelementptr" => Self::GetElementPtr,
            "trunc" => Self::Trunc,
            "zext" => Self::ZExt,
            "sext" => Self::SExt,
            "fptoui" => Self::FPToUI,
            "fptosi" => Self::FPToSI,
            "uitofp" => Self::UIToFP,
            "sitofp" => Self::SIToFP,
            "fptrunc" => Self::FPTrunc,
            "fpext" => Self::FPExt,
            "ptrtoint" => Self::PtrToInt,
            "inttoptr" => Self::IntToPtr,
            "bitcast" => Self::BitCast,
            "addrspacecast" => Self::AddrSpaceCast,
            "icmp" => Self::ICmp,
            "fcmp" => Self::FCmp,
            "phi" => Self::Phi,
            "call" => Self::Call,
            "select" => Self::Select,
            "freeze" => Self::Freeze,
            "extractelement" => Self::ExtractElement,
            "insertelement" => Self::InsertElement,
            "shufflevector" => Self::ShuffleVector,
            "extractvalue" => Self::ExtractValue,
            "insertvalue" => Self::InsertValue,
            _ => Self::Other,
        }
    }
}

/// An integer comparison. The numbers are LLVM's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "LLVM's names")]
pub enum Predicate {
    Eq = 32,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

impl Predicate {
    const ALL: [Self; 10] =
        [Self::Eq, Self::Ne, Self::Ugt, Self::Uge, Self::Ult, Self::Ule, Self::Sgt, Self::Sge, Self::Slt, Self::Sle];

    /// Holds where this one does not.
    pub fn inverse(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Ugt => Self::Ule,
            Self::Uge => Self::Ult,
            Self::Ult => Self::Uge,
            Self::Ule => Self::Ugt,
            Self::Sgt => Self::Sle,
            Self::Sge => Self::Slt,
            Self::Slt => Self::Sge,
            Self::Sle => Self::Sgt,
        }
    }

    /// Holds for `b, a` where this one holds for `a, b`.
    pub fn swapped(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
        }
    }

    /// It compares unsigned numbers (`Eq` and `Ne` compare neither).
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::Ugt | Self::Uge | Self::Ult | Self::Ule)
    }

    /// It compares signed numbers.
    pub fn is_signed(self) -> bool {
        matches!(self, Self::Sgt | Self::Sge | Self::Slt | Self::Sle)
    }
}

/// Kinds of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// An integer of this many bits.
    Integer(u32),
    /// Any floating-point type.
    Float,
    /// A pointer of this address space.
    Pointer(u32),
    /// A vector of known length.
    Vector,
    /// A vector of unknown length.
    ScalableVector,
    /// An array.
    Array,
    /// A struct.
    Struct,
    /// No value.
    Void,
    /// Labels, tokens, functions, target types, ...
    Other,
}

/// Takes over a text that LLVM allocated.
fn take_message(raw: *mut c_char) -> String {
    // SAFETY: LLVM returned a terminated text that the caller owns.
    let text = unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned();
    llvm!(LLVMDisposeMessage(raw));
    text
}

impl<'c> TypeRef<'c> {
    /// Its kind.
    pub fn kind(self) -> TypeKind {
        match llvm!(LLVMGetTypeKind(self.raw())) {
            LLVMTypeKind::LLVMIntegerTypeKind => TypeKind::Integer(llvm!(LLVMGetIntTypeWidth(self.raw()))),
            LLVMTypeKind::LLVMPointerTypeKind => TypeKind::Pointer(llvm!(LLVMGetPointerAddressSpace(self.raw()))),
            LLVMTypeKind::LLVMHalfTypeKind
            | LLVMTypeKind::LLVMBFloatTypeKind
            | LLVMTypeKind::LLVMFloatTypeKind
            | LLVMTypeKind::LLVMDoubleTypeKind
            | LLVMTypeKind::LLVMX86_FP80TypeKind
            | LLVMTypeKind::LLVMFP128TypeKind
            | LLVMTypeKind::LLVMPPC_FP128TypeKind => TypeKind::Float,
            LLVMTypeKind::LLVMVectorTypeKind => TypeKind::Vector,
            LLVMTypeKind::LLVMScalableVectorTypeKind => TypeKind::ScalableVector,
            LLVMTypeKind::LLVMArrayTypeKind => TypeKind::Array,
            LLVMTypeKind::LLVMStructTypeKind => TypeKind::Struct,
            LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
            _ => TypeKind::Other,
        }
    }

    /// Width of an integer type.
    pub fn integer_bits(self) -> Option<u32> {
        match self.kind() {
            TypeKind::Integer(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        self.kind() == TypeKind::Float
    }

    /// Whether it is a pointer type.
    pub fn is_pointer(self) -> bool {
        matches!(self.kind(), TypeKind::Pointer(_))
    }

    /// Element type and length of an array type.
    pub fn array_parts(self) -> Option<(TypeRef<'c>, u64)> {
        (self.kind() == TypeKind::Array).then(|| {
            let element = found!(TypeRef, llvm!(LLVMGetElementType(self.raw())));
            (element, llvm!(LLVMGetArrayLength2(self.raw())))
        })
    }

    /// LLVM's text: `double`, `[4 x i32]`.
    pub fn print(self) -> String {
        take_message(llvm!(LLVMPrintTypeToString(self.raw())))
    }
}

/// Every value.
impl<'c> ValueRef<'c> {
    /// Its type.
    pub fn ty(self) -> TypeRef<'c> {
        found!(TypeRef, llvm!(LLVMTypeOf(self.raw())))
    }

    /// Its name without `%` or `@`; empty if it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        let data = llvm!(LLVMGetValueName2(self.raw(), &raw mut length));
        if length == 0 {
            return String::new();
        }
        // SAFETY: the value owns a text of this length.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// LLVM's text: the whole instruction, the whole function.
    pub fn print(self) -> String {
        take_message(llvm!(LLVMPrintValueToString(self.raw())))
    }

    /// Is it an instruction?
    pub fn is_instruction(self) -> bool {
        !llvm!(LLVMIsAInstruction(self.raw())).is_null()
    }

    /// Is it an argument of the function?
    pub fn is_argument(self) -> bool {
        !llvm!(LLVMIsAArgument(self.raw())).is_null()
    }

    /// Is it a constant, the address of a global included?
    pub fn is_constant(self) -> bool {
        !llvm!(LLVMIsAConstant(self.raw())).is_null()
    }

    /// Is it a global variable?
    pub fn is_global_variable(self) -> bool {
        !llvm!(LLVMIsAGlobalVariable(self.raw())).is_null()
    }

    /// Is it a global variable or a function?
    pub fn is_global(self) -> bool {
        !llvm!(LLVMIsAGlobalValue(self.raw())).is_null()
    }

    /// Is it a global variable that is an array, defined in this module?
    pub fn is_array_of_module(self) -> bool {
        if !self.is_global_variable() || llvm!(LLVMIsDeclaration(self.raw())) != 0 {
            return false;
        }
        let ty = llvm!(LLVMGlobalGetValueType(self.raw()));
        llvm!(LLVMGetTypeKind(ty)) == LLVMTypeKind::LLVMArrayTypeKind
    }

    /// Is it a global variable that nothing outside of this module knows?
    pub fn is_internal_variable(self) -> bool {
        self.is_global_variable()
            && llvm!(LLVMIsDeclaration(self.raw())) == 0
            && matches!(
                llvm!(LLVMGetLinkage(self.raw())),
                LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
            )
    }

    /// Is it a constant address beside a global variable?
    pub fn is_constant_offset(self) -> bool {
        !llvm!(LLVMIsAConstantExpr(self.raw())).is_null()
            && llvm!(LLVMGetConstOpcode(self.raw())) == LLVMOpcode::LLVMGetElementPtr
    }

    /// Is it a constant that stands for another address in each thread, because it is built from a
    /// thread-local variable?
    pub fn is_thread_bound(self) -> bool {
        if self.is_global_variable() {
            return llvm!(LLVMIsThreadLocal(self.raw())) != 0;
        }
        self.is_constant() && !self.is_function() && self.operands().into_iter().any(Self::is_thread_bound)
    }

    /// Is it a function?
    pub fn is_function(self) -> bool {
        !llvm!(LLVMIsAFunction(self.raw())).is_null()
    }

    /// Is it undef or poison?
    pub fn is_undef(self) -> bool {
        llvm!(LLVMIsUndef(self.raw())) != 0 || llvm!(LLVMIsPoison(self.raw())) != 0
    }

    /// Is it the constant zero or null?
    pub fn is_zero(self) -> bool {
        llvm!(LLVMIsNull(self.raw())) != 0
    }

    /// The value of an integer constant of at most 64 bits, read as signed.
    pub fn constant_int(self) -> Option<i64> {
        let is_constant = !llvm!(LLVMIsAConstantInt(self.raw())).is_null();
        let narrow = is_constant && self.ty().integer_bits().is_some_and(|bits| bits <= 64);
        narrow.then(|| llvm!(LLVMConstIntGetSExtValue(self.raw())))
    }

    /// The instructions that use it, once for each use.
    pub fn users(self) -> Vec<ValueRef<'c>> {
        let mut users = Vec::new();
        let mut r#use = llvm!(LLVMGetFirstUse(self.raw()));
        while !r#use.is_null() {
            users.push(found!(ValueRef, llvm!(LLVMGetUser(r#use))));
            r#use = llvm!(LLVMGetNextUse(r#use));
        }
        users.reverse(); // use lists are in reverse order of creation
        users
    }
}

/// Instructions.
impl<'c> ValueRef<'c> {
    /// What it does; `None` if it is no instruction.
    pub fn opcode(self) -> Option<Opcode> {
        Opcode::from_number(shim!(poly_opcode(self.raw())))
    }

    /// LLVM's name of what it does; `None` if it is no instruction.
    pub fn opcode_name(self) -> Option<&'static str> {
        self.is_instruction().then(|| {
            let name = shim!(poly_opcode_name(self.raw()));
            // SAFETY: LLVM returns a literal.
            unsafe { CStr::from_ptr(name) }.to_str().expect("opcode names are ASCII")
        })
    }

    /// The block of an instruction.
    pub fn block(self) -> Option<BlockRef<'c>> {
        if !self.is_instruction() {
            return None;
        }
        found_or_none!(BlockRef, llvm!(LLVMGetInstructionParent(self.raw())))
    }

    /// Operands in LLVM's order (of a store: value, address; of a call: arguments, callee).
    pub fn operands(self) -> Vec<ValueRef<'c>> {
        (0..self.operand_count()).map(|position| self.operand(position)).collect()
    }

    /// Number of operands.
    pub fn operand_count(self) -> u32 {
        llvm!(LLVMGetNumOperands(self.raw())).try_into().unwrap_or(0)
    }

    /// One operand.
    pub fn operand(self, position: u32) -> ValueRef<'c> {
        found!(ValueRef, llvm!(LLVMGetOperand(self.raw(), position)))
    }

    /// The comparison of an `icmp`.
    pub fn predicate(self) -> Option<Predicate> {
        (self.opcode() == Some(Opcode::ICmp)).then(|| {
            let number = llvm!(LLVMGetICmpPredicate(self.raw())) as u32;
            Predicate::ALL[(number - Predicate::Eq as u32) as usize]
        })
    }

    /// LLVM's word for what an `icmp` or `fcmp` asks: `slt`, `oge`.
    pub fn comparison(self) -> Option<&'static str> {
        const INTEGERS: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];
        const FLOATS: [&str; 16] = [
            "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une",
            "true",
        ];
        match self.opcode()? {
            Opcode::ICmp => self.predicate().map(|predicate| INTEGERS[predicate as usize - Predicate::Eq as usize]),
            Opcode::FCmp => FLOATS.get(llvm!(LLVMGetFCmpPredicate(self.raw())) as usize).copied(),
            _ => None,
        }
    }

    /// Where the values of a PHI node come from.
    pub fn incoming(self) -> Vec<(BlockRef<'c>, ValueRef<'c>)> {
        if self.opcode() != Some(Opcode::Phi) {
            return Vec::new();
        }
        (0..llvm!(LLVMCountIncoming(self.raw())))
            .map(|position| {
                let block = found!(BlockRef, llvm!(LLVMGetIncomingBlock(self.raw(), position)));
                (block, found!(ValueRef, llvm!(LLVMGetIncomingValue(self.raw(), position))))
            })
            .collect()
    }

    /// Whether it is a branch on a condition.
    pub fn is_conditional_branch(self) -> bool {
        self.opcode() == Some(Opcode::Br) && llvm!(LLVMIsConditional(self.raw())) != 0
    }

    /// The condition of a conditional branch or switch.
    pub fn condition(self) -> Option<ValueRef<'c>> {
        // LLVMGetCondition reads every terminator as if it were a branch.
        if self.opcode() == Some(Opcode::Switch) {
            return Some(found!(ValueRef, llvm!(LLVMGetOperand(self.raw(), 0))));
        }
        self.is_conditional_branch().then(|| found!(ValueRef, llvm!(LLVMGetCondition(self.raw()))))
    }

    /// The cases of a switch; its default is the first successor of its block.
    pub fn switch_cases(self) -> Vec<(ValueRef<'c>, BlockRef<'c>)> {
        let pairs = sinks::pointers(|sink, into| shim!(poly_switch_cases(self.raw(), sink, into)));
        let value = |pointer: *const c_void| found!(ValueRef, pointer.cast_mut().cast::<LLVMValue>());
        let block = |pointer: *const c_void| found!(BlockRef, pointer.cast_mut().cast::<LLVMBasicBlock>());
        pairs.chunks_exact(2).map(|pair| (value(pair[0]), block(pair[1]))).collect()
    }

    /// How often each successor is thought to be taken, in their order; empty if that is not said.
    pub fn branch_weights(self) -> Vec<u64> {
        use inkwell::llvm_sys::core::{
            LLVMConstIntGetZExtValue, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMetadata,
            LLVMIsAConstantInt,
        };
        let node = llvm!(LLVMGetMetadata(self.raw(), MD_PROF));
        if node.is_null() {
            return Vec::new();
        }
        let count = llvm!(LLVMGetMDNodeNumOperands(node));
        let mut operands = vec![std::ptr::null_mut(); count as usize];
        llvm!(LLVMGetMDNodeOperands(node, operands.as_mut_ptr()));
        // The first operands are names.
        operands.retain(|&operand| !operand.is_null() && !llvm!(LLVMIsAConstantInt(operand)).is_null());
        operands.into_iter().map(|operand| llvm!(LLVMConstIntGetZExtValue(operand))).collect()
    }

    /// The address of a load or store.
    pub fn pointer_operand(self) -> Option<ValueRef<'c>> {
        match self.opcode()? {
            Opcode::Load => Some(self.operand(0)),
            Opcode::Store => Some(self.operand(1)),
            _ => None,
        }
    }

    /// The type that a load reads or a store writes.
    pub fn access_type(self) -> Option<TypeRef<'c>> {
        match self.opcode()? {
            Opcode::Load => Some(self.ty()),
            Opcode::Store => Some(self.operand(0).ty()),
            _ => None,
        }
    }

    /// Alignment in bytes of a load, store, alloca or global.
    pub fn alignment(self) -> u32 {
        llvm!(LLVMGetAlignment(self.raw()))
    }

    /// The type that the indices of an address computation go through.
    pub fn gep_source_type(self) -> Option<TypeRef<'c>> {
        (self.opcode() == Some(Opcode::GetElementPtr))
            .then(|| found!(TypeRef, llvm!(LLVMGetGEPSourceElementType(self.raw()))))
    }

    /// An address computation that may not leave its object.
    pub fn is_inbounds(self) -> bool {
        self.opcode() == Some(Opcode::GetElementPtr) && llvm!(LLVMIsInBounds(self.raw())) != 0
    }

    /// The type that an alloca makes.
    pub fn allocated_type(self) -> Option<TypeRef<'c>> {
        (self.opcode() == Some(Opcode::Alloca)).then(|| found!(TypeRef, llvm!(LLVMGetAllocatedType(self.raw()))))
    }

    /// The instruction's flags allow floating-point reassociation.
    pub fn allows_reassociation(self) -> bool {
        self.has_fast_math_flag(LLVMFastMathAllowReassoc)
    }

    /// The instruction's flags say that the sign of a zero does not matter.
    pub fn ignores_signed_zeros(self) -> bool {
        self.has_fast_math_flag(LLVMFastMathNoSignedZeros)
    }

    /// The instruction's flags exclude NaN.
    pub fn excludes_nan(self) -> bool {
        self.has_fast_math_flag(LLVMFastMathNoNaNs)
    }

    /// The instruction's flags exclude infinity.
    pub fn excludes_infinity(self) -> bool {
        self.has_fast_math_flag(LLVMFastMathNoInfs)
    }

    fn has_fast_math_flag(self, flag: u32) -> bool {
        self.is_instruction()
            && llvm!(LLVMCanValueUseFastMathFlags(self.raw())) != 0
            && llvm!(LLVMGetFastMathFlags(self.raw())) & flag != 0
    }

    /// The flag `nuw` of an integer operation.
    pub fn has_nuw(self) -> bool {
        matches!(self.opcode(), Some(Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl))
            && llvm!(LLVMGetNUW(self.raw())) != 0
    }

    /// The flag `nsw` of an integer operation.
    pub fn has_nsw(self) -> bool {
        matches!(self.opcode(), Some(Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl))
            && llvm!(LLVMGetNSW(self.raw())) != 0
    }

    /// The value as a block, where LLVM treats blocks as values.
    pub fn as_block(self) -> Option<BlockRef<'c>> {
        (llvm!(LLVMValueIsBasicBlock(self.raw())) != 0)
            .then(|| found!(BlockRef, llvm!(LLVMValueAsBasicBlock(self.raw()))))
    }
}

impl<'c> BlockRef<'c> {
    /// Its name; for an unnamed block the number that LLVM prints.
    pub fn name(self) -> String {
        let value = self.as_value();
        let name = value.name();
        if name.is_empty() { sinks::text(|sink, into| shim!(poly_block_label(self.raw(), sink, into))).1 } else { name }
    }

    /// The block as a value.
    pub fn as_value(self) -> ValueRef<'c> {
        found!(ValueRef, llvm!(LLVMBasicBlockAsValue(self.raw())))
    }

    /// Its function.
    pub fn function(self) -> ValueRef<'c> {
        found!(ValueRef, llvm!(LLVMGetBasicBlockParent(self.raw())))
    }

    /// Its instructions, the terminator included.
    pub fn instructions(self) -> Vec<ValueRef<'c>> {
        let mut instructions = Vec::new();
        let mut next = llvm!(LLVMGetFirstInstruction(self.raw()));
        while !next.is_null() {
            instructions.push(found!(ValueRef, next));
            next = llvm!(LLVMGetNextInstruction(next));
        }
        instructions
    }

    /// The last instruction.
    pub fn terminator(self) -> ValueRef<'c> {
        found!(ValueRef, llvm!(LLVMGetBasicBlockTerminator(self.raw())))
    }

    /// Its PHI nodes.
    pub fn phis(self) -> Vec<ValueRef<'c>> {
        self.instructions().into_iter().take_while(|instruction| instruction.opcode() == Some(Opcode::Phi)).collect()
    }

    /// Control never leaves it.
    pub fn is_unreachable_end(self) -> bool {
        self.terminator().opcode() == Some(Opcode::Unreachable)
    }

    /// It does nothing before control would never leave it: control never comes there.
    pub fn is_nowhere(self) -> bool {
        self.is_unreachable_end() && self.instructions().len() == 1
    }
}

impl<'c> PassContext<'c> {
    /// The blocks of the function in textual order; the entry is the first.
    pub fn blocks(self) -> Vec<BlockRef<'c>> {
        use inkwell::llvm_sys::core::{LLVMGetFirstBasicBlock, LLVMGetNextBasicBlock};
        let mut blocks = Vec::new();
        let mut next = llvm!(LLVMGetFirstBasicBlock(self.function().raw()));
        while !next.is_null() {
            blocks.push(found!(BlockRef, next));
            next = llvm!(LLVMGetNextBasicBlock(next));
        }
        blocks
    }
}
