//! Calls that start threads.

use crate::builder::{Builder, Value};
use crate::options::{CodegenOptions, Runtime};

/// `ident_t::flags`: the location describes a call made by a compiler for LLVM's runtime.
const FLAG_KMPC: i128 = 2;

/// All threads call the function with the pointer; it goes on when all have finished.
pub(crate) fn fork<'c>(b: &Builder<'c>, options: &CodegenOptions, function: Value<'c>, shared: Value<'c>) {
    match options.runtime {
        Runtime::Llvm => kmpc_fork(b, options, function, shared),
        Runtime::Gnu => gomp_parallel(b, options, function, shared),
    }
}

fn kmpc_fork<'c>(b: &Builder<'c>, options: &CodegenOptions, function: Value<'c>, shared: Value<'c>) {
    let ident = ident(b);
    let (int, pointer, void) = (b.int_type(32), b.pointer_type(), b.void_type());
    if let Some(threads) = options.num_threads {
        let number = b.function_type(int, &[pointer], false);
        let thread = b.call(number, b.runtime_function("__kmpc_global_thread_num", number), &[ident]);
        let push = b.function_type(void, &[pointer, int, int], false);
        let threads = b.int(32, i128::from(threads));
        b.call(push, b.runtime_function("__kmpc_push_num_threads", push), &[ident, thread, threads]);
    }
    let fork = b.function_type(void, &[pointer, int, pointer], true);
    let one = b.int(32, 1);
    b.call(fork, b.runtime_function("__kmpc_fork_call", fork), &[ident, one, function, shared]);
}

fn gomp_parallel<'c>(b: &Builder<'c>, options: &CodegenOptions, function: Value<'c>, shared: Value<'c>) {
    let (int, pointer, void) = (b.int_type(32), b.pointer_type(), b.void_type());
    let parallel = b.function_type(void, &[pointer, pointer, int, int], false);
    let threads = b.int(32, options.num_threads.map_or(0, i128::from));
    let arguments = [function, shared, threads, b.int(32, 0)];
    b.call(parallel, b.runtime_function("GOMP_parallel", parallel), &arguments);
}

/// The `ident_t` that calls of LLVM's runtime refer to.
pub(crate) fn ident<'c>(b: &Builder<'c>) -> Value<'c> {
    let text = b.private_constant("poly.location", b.string_constant(";unknown;unknown;0;0;;"), 1);
    let zero = b.int(32, 0);
    let fields = [zero, b.int(32, FLAG_KMPC), zero, b.int(32, 22), text];
    b.private_constant("poly.ident", b.struct_constant(&fields), 8)
}
