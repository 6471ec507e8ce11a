//! Remarks and diagnostics.
//!
//! A remark is shown by `-Rpass=poly`, `-Rpass-missed=poly`, `-Rpass-analysis=poly` and is written to the optimization record.

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

/// Where a remark is shown.
#[derive(Clone, Copy, Debug)]
pub enum RemarkPlace<'c> {
    /// At the function.
    Function,
    /// At a loop.
    Loop(LoopRef<'c>),
    /// At an instruction; at the loop if it has no place.
    Instruction(ValueRef<'c>, Option<LoopRef<'c>>),
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
    /// Plain text.
    pub fn plain(text: &'t str) -> Self {
        Self {
            key: "String",
            text,
        }
    }

    /// A named piece.
    pub fn named(key: &'t str, text: &'t str) -> Self {
        assert!(!key.is_empty(), "the optimization record needs a key");
        Self { key, text }
    }
}

impl<'c> PassContext<'c> {
    /// Whether anybody reads remarks: only then is their text worth making.
    pub fn remarks_wanted(self) -> bool {
        shim!(poly_remarks_wanted(self.raw()))
    }

    /// Emits a remark. `name` is an identifier: `Optimized`.
    pub fn remark(self, kind: RemarkKind, name: &str, place: RemarkPlace<'c>, parts: &[Part<'_>]) {
        let number = match kind {
            RemarkKind::Passed => 0,
            RemarkKind::Missed => 1,
            RemarkKind::Analysis => 2,
        };
        let (at, l) = match place {
            RemarkPlace::Function => (None, None),
            RemarkPlace::Loop(l) => (None, Some(l)),
            RemarkPlace::Instruction(at, l) => (Some(at), l),
        };
        let at = at.map_or(std::ptr::null_mut(), ValueRef::raw);
        let l = l.map_or(std::ptr::null(), LoopRef::raw);
        let raw: Vec<RawRemarkPart> = parts
            .iter()
            .map(|part| RawRemarkPart {
                key: Text::from(part.key),
                text: Text::from(part.text),
            })
            .collect();
        shim!(poly_remark(
            self.raw(),
            number,
            name.into(),
            at,
            l,
            raw.as_ptr(),
            raw.len()
        ));
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
