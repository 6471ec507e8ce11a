//! Groups of numbers that know their names.
//!
//! A group is a struct; the macro [`group!`] makes, beside it, the list of its fields with names
//! and descriptions for the text form, so that a field is written down once.

/// A number of a machine, as text sees it.
#[derive(Debug)]
pub(crate) struct Field<'m> {
    /// Its name: group and field, as `core.flops_per_cycle`.
    pub(crate) name: String,
    /// What it is; the first line of its documentation.
    pub(crate) help: &'static str,
    /// Where it is.
    pub(crate) slot: Slot<'m>,
}

/// A place for a value.
#[derive(Debug)]
pub(crate) enum Slot<'m> {
    /// A whole number from 1.
    Count(&'m mut u64),
    /// A number that is not negative.
    Number(&'m mut f64),
    /// Yes or no.
    Flag(&'m mut bool),
}

impl<'m> From<&'m mut u64> for Slot<'m> {
    fn from(place: &'m mut u64) -> Self {
        Self::Count(place)
    }
}

impl<'m> From<&'m mut f64> for Slot<'m> {
    fn from(place: &'m mut f64) -> Self {
        Self::Number(place)
    }
}

impl<'m> From<&'m mut bool> for Slot<'m> {
    fn from(place: &'m mut bool) -> Self {
        Self::Flag(place)
    }
}

/// A struct of numbers with the list of its fields. Each field has one line of documentation.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($(#[doc = $help:literal])+ $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $help])+ pub $field: $type,)*
        }

        impl $name {
            /// Its fields, with a prefix of their names.
            pub(crate) fn fields(&mut self, prefix: &str) -> Vec<$crate::fields::Field<'_>> {
                vec![$($crate::fields::Field {
                    name: format!("{prefix}.{}", stringify!($field)),
                    help: concat!($($help),+).trim_ascii_start(),
                    slot: (&mut self.$field).into(),
                }),*]
            }
        }
    };
}
pub(crate) use group;
