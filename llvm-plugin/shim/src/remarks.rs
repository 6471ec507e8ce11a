//! Remarks and diagnostics.
//!
//! A remark is shown by `-Rpass=poly`, `-Rpass-missed=poly`, `-Rpass-analysis=poly` and is written
//! to the optimization record.

use std::fmt;

use inkwell::llvm_sys::prelude::LLVMMetadataRef;

use crate::ffi::{RawRemarkPart, Text};
use crate::{LoopRef, PassContext, ValueRef};

/// What a remark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// Something was done.
    Passed,
    /// Something was not done.
    Missed,
    /// Something was found out.
    Analysis,
}

/// Where a remark is shown. It stays valid when the code changes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RemarkPlace {
    /// A `DILocation`, or null for the function.
    location: LLVMMetadataRef,
}

impl RemarkPlace {
    /// At the function.
    pub const FUNCTION: Self = Self { location: std::ptr::null_mut() };

    /// Where the loop begins, if that is known.
    pub fn of_loop(l: LoopRef<'_>) -> Self {
        Self { location: shim!(poly_loop_location(l.raw())) }
    }

    /// Where the instruction comes from, if that is known.
    pub fn of_instruction(instruction: ValueRef<'_>) -> Self {
        assert!(instruction.is_instruction(), "not an instruction");
        Self { location: shim!(poly_instruction_location(instruction.raw())) }
    }

    /// This place, or another one if it is only the function.
    pub fn or(self, other: Self) -> Self {
        if self == Self::FUNCTION { other } else { self }
    }
}

impl fmt::Debug for RemarkPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.location.is_null() { "the function" } else { "a place inside" })
    }
}

/// A piece of a remark's text.
#[derive(Clone, Copy, Debug)]
pub struct Part<'t> {
    /// Its name in the optimization record: `Loops`. Plain text is called `String`.
    pub key: &'t str,
    /// The text.
    pub text: &'t str,
}

impl<'t> Part<'t> {
    /// The key of plain text.
    pub const TEXT: &'static str = "String";

    /// Plain text.
    pub fn plain(text: &'t str) -> Self {
        Self { key: Self::TEXT, text }
    }

    /// A named piece.
    pub fn named(key: &'t str, text: &'t str) -> Self {
        assert!(!key.is_empty(), "the optimization record needs a key");
        Self { key, text }
    }
}

impl PassContext<'_> {
    /// Whether anybody reads remarks: only then is their text worth making.
    pub fn remarks_wanted(self) -> bool {
        shim!(poly_remarks_wanted(self.raw()))
    }

    /// Emits a remark. `name` is an identifier: `Optimized`.
    pub fn remark(self, kind: RemarkKind, name: &str, place: RemarkPlace, parts: &[Part<'_>]) {
        let number = match kind {
            RemarkKind::Passed => 0,
            RemarkKind::Missed => 1,
            RemarkKind::Analysis => 2,
        };
        let raw: Vec<RawRemarkPart> =
            parts.iter().map(|part| RawRemarkPart { key: Text::from(part.key), text: Text::from(part.text) }).collect();
        shim!(poly_remark(self.raw(), number, name.into(), place.location, raw.as_ptr(), raw.len()));
    }

    /// Shows a warning at the function, without any flag; an error with -Werror.
    pub fn warn(self, message: &str) {
        shim!(poly_warn(self.function().raw(), message.into()));
    }

    /// Reports an error: the compilation fails.
    pub fn error(self, message: &str) {
        shim!(poly_error(self.function().raw(), message.into()));
    }
}

/// Writes to the stream that analysis printers write to.
pub fn print_to_error_stream(text: &str) {
    shim!(poly_print_error_stream(text.into()));
}
