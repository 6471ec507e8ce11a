//! Texts and lists coming from C++.

use std::ffi::{c_char, c_void};

use crate::ffi::{PointerSink, TextSink};

/// Appends to the `String` behind `into`; LLVM's texts that are not UTF-8 are repaired.
unsafe extern "C" fn push_text(into: *mut c_void, data: *const c_char, length: usize) {
    if length == 0 {
        return;
    }
    // SAFETY: the shim passes on what `text` gave it, and a text of `length` bytes.
    let (into, bytes) = unsafe { (&mut *into.cast::<String>(), std::slice::from_raw_parts(data.cast::<u8>(), length)) };
    into.push_str(&String::from_utf8_lossy(bytes));
}

unsafe extern "C" fn push_pointer(into: *mut c_void, element: *const c_void) {
    // SAFETY: the shim passes on what `pointers` gave it.
    unsafe { (*into.cast::<Vec<*const c_void>>()).push(element) }
}

/// Collects the text that `send` sends.
pub(crate) fn text<R>(send: impl FnOnce(TextSink, *mut c_void) -> R) -> (R, String) {
    let mut collected = String::new();
    let result = send(push_text, (&raw mut collected).cast());
    (result, collected)
}

/// Collects the pointers that `send` sends.
pub(crate) fn pointers(send: impl FnOnce(PointerSink, *mut c_void)) -> Vec<*const c_void> {
    let mut collected: Vec<*const c_void> = Vec::new();
    send(push_pointer, (&raw mut collected).cast());
    collected
}
