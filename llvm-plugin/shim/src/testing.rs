//! For test programs that link LLVM: a context for a function given as text.

use std::ffi::c_void;

use crate::ffi::RawContext;
use crate::{PassHost, sinks};

type Body<'b, R> = Box<dyn FnOnce(&mut PassHost) -> R + 'b>;

/// What runs in the context, and what it answers.
struct Call<'b, R> {
    body: Option<Body<'b, R>>,
    answer: Option<std::thread::Result<R>>,
}

unsafe extern "C" fn call<R>(data: *mut c_void, context: *mut RawContext) {
    // SAFETY: `with_function` passes a `Call` of the same type, and the shim passes it on with a
    // live context.
    let (call, mut host) = unsafe { (&mut *data.cast::<Call<'_, R>>(), PassHost::new(context)) };
    let body = call.body.take().expect("the shim calls once");
    call.answer = Some(std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || body(&mut host))));
}

/// Parses the module `ir`, brings its loops into canonical form and runs `body` on the function
/// `name`. Returns what `body` returned and the module's text afterwards; panics if the module is
/// wrong before or does not verify afterwards.
pub fn with_function<R>(ir: &str, name: &str, body: impl FnOnce(&mut PassHost) -> R) -> (R, String) {
    with_function_after(ir, name, "function(loop-simplify,lcssa)", body)
}

/// The same after another pipeline.
pub fn with_function_after<R>(
    ir: &str,
    name: &str,
    pipeline: &str,
    body: impl FnOnce(&mut PassHost) -> R,
) -> (R, String) {
    let mut data = Call { body: Some(Box::new(body)), answer: None };
    let pointer = (&raw mut data).cast();
    let (right, text) = sinks::text(|sink, into| {
        shim!(poly_test_function(ir.into(), name.into(), pipeline.into(), call::<R>, pointer, sink, into))
    });
    match data.answer {
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        Some(Ok(answer)) if right => (answer, text),
        _ => panic!("{text}"),
    }
}
