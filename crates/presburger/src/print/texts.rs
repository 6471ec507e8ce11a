//! Parts of the text of sets, for printing functions that are defined elsewhere in the same syntax.

use super::names::{Names, linear};
use super::{condition_text, tuples_text};
use crate::row::Row;
use crate::set::Set;
use crate::space::Space;

impl Space {
    /// The unique names under which parameters and dimensions are printed, in column order.
    pub fn variable_names(&self) -> Vec<String> {
        let names = Names::of(self);
        (1..=self.n_var()).map(|column| names.column(column).to_owned()).collect()
    }

    /// The tuples with the names of their dimensions, such as `S[i, j]`; empty for a parameter
    /// space.
    pub fn tuples_text(&self) -> String {
        tuples_text(self, Names::of(self).dims(self))
    }
}

impl Set {
    /// The condition on parameters and dimensions, under the names of [`Space::variable_names`];
    /// empty for all points of the space.
    pub fn condition_text(&self) -> String {
        condition_text(self, &Names::of(self.space()))
    }
}

/// The text of an affine form, the constant first, over columns with the given texts.
pub fn affine_text(row: &Row, columns: &[String]) -> String {
    linear(row, &Names::of_texts(columns.to_vec()))
}
