//! Debug information: source places and variable names.

use crate::{LoopRef, ValueRef, sinks};

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// File name as in the debug information.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 when unknown.
    pub column: u32,
}

/// The place that `send` sends, if it says there is one.
fn place(
    send: impl FnOnce(crate::ffi::TextSink, *mut std::ffi::c_void, *mut u32, *mut u32) -> bool,
) -> Option<SourcePlace> {
    let (mut line, mut column) = (0, 0);
    let (known, file) = sinks::text(|sink, into| send(sink, into, &raw mut line, &raw mut column));
    known.then_some(SourcePlace { file, line, column })
}

impl ValueRef<'_> {
    /// Where an instruction comes from.
    pub fn place(self) -> Option<SourcePlace> {
        if !self.is_instruction() {
            return None;
        }
        place(|sink, into, line, column| shim!(poly_instruction_place(self.raw(), sink, into, line, column)))
    }

    /// Where a function begins.
    pub fn function_place(self) -> Option<SourcePlace> {
        assert!(self.is_function(), "not a function");
        place(|sink, into, line, _| shim!(poly_function_place(self.raw(), sink, into, line)))
    }

    /// The name that an argument, alloca, global or instruction has in the source.
    pub fn variable_name(self) -> Option<String> {
        let (known, name) = sinks::text(|sink, into| shim!(poly_variable_name(self.raw(), sink, into)));
        known.then_some(name)
    }

    /// Gives an instruction the source place of `like`, which may stand in another function.
    pub fn copy_place(self, like: ValueRef<'_>) {
        shim!(poly_copy_place(self.raw(), like.raw()));
    }

    /// Marks an instruction as made by the compiler: line 0. Calls need that in functions with a
    /// description.
    pub fn set_artificial_place(self) {
        shim!(poly_set_artificial_place(self.raw()));
    }
}

impl LoopRef<'_> {
    /// Where the loop begins.
    pub fn place(self) -> Option<SourcePlace> {
        place(|sink, into, line, column| shim!(poly_loop_place(self.raw(), sink, into, line, column)))
    }

    /// The last line of the source of the loop.
    pub fn last_line(self) -> Option<u32> {
        Some(shim!(poly_loop_last_line(self.raw()))).filter(|&line| line > 0)
    }
}

/// Describes `made`, a function that holds code of `parent`, if `parent` has a description
/// (`DISubprogram`) itself. Instructions of a function without description may not have places.
pub fn describe_function(parent: ValueRef<'_>, made: ValueRef<'_>) -> bool {
    assert!(parent.is_function() && made.is_function(), "not functions");
    shim!(poly_describe_function(parent.raw(), made.raw()))
}
