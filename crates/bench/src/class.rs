//! The names of operations.

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A set.
    Set,
    /// A relation.
    Map,
    /// A union of sets in several spaces.
    UnionSet,
    /// A union of relations in several spaces.
    UnionMap,
}

impl Sort {
    const ALL: [(&str, Sort); 4] =
        [("set", Sort::Set), ("map", Sort::Map), ("union_set", Sort::UnionSet), ("union_map", Sort::UnionMap)];

    /// The sort of this name.
    pub(crate) fn from_name(name: &str) -> Option<Sort> {
        Sort::ALL.into_iter().find(|(n, _)| *n == name).map(|(_, sort)| sort)
    }
}

/// The sort of the first operand and the name of the operation.
pub(crate) fn split(class: &str) -> Option<(Sort, &str)> {
    let (sort, operation) = class.split_once('.')?;
    Some((Sort::from_name(sort)?, operation))
}

/// Whether a line of a log tells an operation.
pub(crate) fn is_operation(line: &str) -> bool {
    line.split_once('\t').is_some_and(|(class, _)| split(class).is_some())
}

/// The sort of the second operand, if it is a set or a relation.
pub(crate) fn second(first: Sort, operation: &str) -> Sort {
    let sides =
        if matches!(first, Sort::Map | Sort::Set) { (Sort::Set, Sort::Map) } else { (Sort::UnionSet, Sort::UnionMap) };
    match operation {
        "intersect_params" | "gist_params" => Sort::Set,
        "intersect_domain" | "intersect_range" | "gist_domain" | "gist_range" => sides.0,
        "apply" => sides.1,
        _ => first,
    }
}
