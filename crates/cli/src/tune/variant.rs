//! Loop nests, and what can be said of them in a profile.

use std::collections::BTreeMap;

use crate::inspect::record::{Function, Record};

/// The first line of a profile (docs/tune.md).
const HEADER: &str = "poly profile 1";

/// The number of a nest in the list of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NestId(pub(super) usize);

/// A loop nest for which there are choices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Nest {
    /// Its function, in the object file.
    pub(super) function: String,
    /// What tells it from other ones.
    pub(super) fingerprint: String,
    /// For people: function and line.
    pub(super) shown: String,
    /// Cycles of the original that are predicted.
    pub(super) weight: f64,
    /// How many statements it has.
    pub(super) statements: usize,
    /// What the cost model does with it.
    pub(super) shape: Shape,
}

/// What the cost model does with a nest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shape {
    /// New code is written for it.
    pub(super) is_optimized: bool,
    /// The tile sizes of its first band that has some.
    pub(super) tile: Vec<u64>,
    /// Rows and vectors of its register tiles.
    pub(super) register: Option<(u64, u64)>,
    /// Vector registers of the processor.
    pub(super) vector_registers: u64,
    /// Threads are asked for.
    pub(super) has_threads: bool,
}

/// Choices for nests; none is what the cost model does.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Variant(BTreeMap<(NestId, &'static str), String>);

impl Variant {
    /// With another choice in one dimension of a nest; no words are the model's choice.
    pub(super) fn with(&self, nest: NestId, dimension: &'static str, words: &str) -> Variant {
        let mut choices = self.0.clone();
        match words {
            "" => choices.remove(&(nest, dimension)),
            _ => choices.insert((nest, dimension), words.to_owned()),
        };
        Variant(choices)
    }

    /// The choice in one dimension of a nest.
    pub(super) fn choice(&self, nest: NestId, dimension: &'static str) -> &str {
        self.0.get(&(nest, dimension)).map_or("", String::as_str)
    }

    /// All words for a nest, each once.
    pub(super) fn words(&self, nest: NestId) -> String {
        let own = self.0.iter().filter(|((other, _), _)| *other == nest);
        let mut words: Vec<&str> = Vec::new();
        for word in own.flat_map(|(_, words)| words.split(';')) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(";")
    }

    /// Whether all is as the cost model has it.
    pub(super) fn is_model(&self) -> bool {
        self.0.is_empty()
    }

    /// The nests that something is said of.
    pub(super) fn nests(&self) -> Vec<NestId> {
        let mut nests: Vec<NestId> = self.0.keys().map(|&(nest, _)| nest).collect();
        nests.dedup();
        nests
    }

    /// The lines of a profile.
    pub(super) fn lines(&self, nests: &[Nest]) -> String {
        let line = |id: NestId| {
            let nest = &nests[id.0];
            format!("nest {} of {}: {}\n", nest.fingerprint, nest.function, self.words(id))
        };
        self.nests().into_iter().map(line).collect()
    }
}

/// A profile with these lines.
pub(super) fn profile(comments: &[String], lines: &str) -> String {
    let comments: String = comments.iter().map(|comment| format!("# {comment}\n")).collect();
    format!("{HEADER}\n{comments}{lines}")
}

/// The nests of a program that was compiled as the cost model wants, those with most predicted work
/// first.
pub(super) fn nests(functions: &[Function]) -> Vec<Nest> {
    let mut nests: Vec<Nest> = Vec::new();
    let records = functions.iter().flat_map(|function| function.records.iter().map(move |record| (function, record)));
    for nest in records.filter_map(|(function, record)| nest(function, record)) {
        // Equal nests of a function have their words in common.
        let known = nests.iter_mut().find(|n| n.function == nest.function && n.fingerprint == nest.fingerprint);
        match known {
            Some(known) => known.weight += nest.weight,
            None => nests.push(nest),
        }
    }
    nests.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    nests
}

fn nest(function: &Function, record: &Record) -> Option<Nest> {
    let model = record.model.as_ref()?;
    let fingerprint = model.fingerprint.clone()?;
    let line = record.first_line().map_or_else(String::new, |line| format!(", line {line}"));
    Some(Nest {
        function: function.name.clone(),
        fingerprint,
        shown: format!("{}{line}", function.shown),
        weight: model.predicted.map_or(0.0, |(original, _)| original).max(0.0),
        statements: model.statements.len(),
        shape: shape(record),
    })
}

fn shape(record: &Record) -> Shape {
    let Some(model) = &record.model else { return Shape::default() };
    let bands = || model.plan.iter().flat_map(|plan| &plan.bands);
    let machine = model.machine.as_ref();
    let lanes = machine.map_or(0, |machine| machine.vector_bytes).checked_div(model.element_bytes).unwrap_or(0);
    let vectors = |columns: u64| columns.checked_div(lanes).filter(|vectors| vectors * lanes == columns);
    Shape {
        is_optimized: record.is_optimized,
        tile: bands().find(|band| !band.tile.is_empty()).map(|band| band.tile.clone()).unwrap_or_default(),
        register: bands()
            .find_map(|band| band.register)
            .and_then(|(rows, columns)| Some((rows, vectors(columns)?)))
            .filter(|&(_, vectors)| vectors > 0),
        vector_registers: machine.map_or(0, |machine| machine.vector_registers),
        has_threads: machine.is_some_and(|machine| machine.has_threads),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_a_profile() {
        let nest = |function: &str| Nest {
            function: function.to_owned(),
            fingerprint: "00ff".to_owned(),
            shown: function.to_owned(),
            weight: 1.0,
            statements: 1,
            shape: Shape::default(),
        };
        let nests = [nest("f"), nest("g")];
        let variant = Variant::default().with(NestId(1), "tiles", "tile-sizes=8").with(NestId(1), "order", "force");
        assert_eq!(variant.lines(&nests), "nest 00ff of g: force;tile-sizes=8\n");
        assert_eq!(profile(&["why".to_owned()], &variant.lines(&nests)).lines().count(), 3);
        assert_eq!(variant.choice(NestId(1), "tiles"), "tile-sizes=8");
        let less = variant.with(NestId(1), "tiles", "");
        assert_eq!(less.words(NestId(1)), "force");
        assert!(less.with(NestId(1), "order", "").is_model());
    }
}
