//! Windows: temporaries with a part of an array, at another place in each iteration of the loops around.
//!
//! Elements of a window have the subscripts of the array. With the sizes of the window as extents, the place of an element is `begin + (s - o)`, for its subscripts `s` and those of the origin `o` as
//! numbers of elements: linear in both, so what is emitted when the window is opened is `begin - o`, the address of an element that has all subscripts 0 and that there need not be. It is kept in a
//! slot of the frame, as it is not known to the generator which openings come before which use, but to the schedule.

use crate::builder::{Op, Value};
use crate::code::Run;
use crate::generator::Generator;

impl<'c> Generator<'c, '_> {
    /// Writes the instance of a statement that opens a window.
    pub(crate) fn open_window(&mut self, array: usize, run: &Run) {
        let code = &self.prepared.arrays[array];
        let (_, origin) = run.coordinates.split_at(run.coordinates.len() - 1 - code.extents.len());
        let mut distance = self.b.int(64, 0);
        for (dimension, subscript) in origin.iter().enumerate() {
            if dimension > 0 {
                let extent = self.emit_form(&code.extents[dimension - 1]);
                distance = self.b.arithmetic(Op::Mul, distance, extent, false);
            }
            let subscript = self.emit_form(subscript);
            distance = self.b.arithmetic(Op::Add, distance, subscript, false);
        }
        let bytes = self.b.arithmetic(Op::Mul, distance, self.b.int(64, -i128::from(code.element_bytes)), false);
        let begin = self.import(self.temporaries[&array]);
        let first = self.b.offset(self.b.int_type(8), begin, bytes);
        let slot = self.window(array);
        self.b.store(first, slot);
    }

    /// The address that subscripts of a temporary are counted from; nothing for other arrays.
    pub(crate) fn memory_of_temporary(&mut self, array: usize) -> Option<Value<'c>> {
        if self.prepared.windows.iter().any(|window| window.array.index() == array) {
            let slot = self.window(array);
            return Some(self.b.load(self.b.pointer_type(), slot, "poly.window"));
        }
        self.temporaries.get(&array).copied()
    }

    fn window(&mut self, array: usize) -> Value<'c> {
        if let Some(&slot) = self.windows.get(&array) {
            return slot;
        }
        let slot = self.entry_alloca(self.frame.function, self.b.pointer_type(), "poly.window");
        self.frame.flags.push(slot);
        self.windows.insert(array, slot);
        slot
    }
}
