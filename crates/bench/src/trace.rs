//! Reading traces.

use std::path::PathBuf;

use indexmap::IndexMap;

use crate::class;

/// An operation and the texts of its operands.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The sort of the first operand and the operation, such as `set.intersect`.
    pub class: String,
    /// The operands.
    pub operands: Vec<String>,
    /// How many lines of the traces are this case.
    pub weight: u64,
}

impl Case {
    /// The line of a trace.
    pub(crate) fn line(&self) -> String {
        format!("{}\t{}", self.class, self.operands.join("\t"))
    }
}

/// The cases of files, in the order of their first occurrence.
pub(crate) fn read(files: &[PathBuf]) -> Result<Vec<Case>, String> {
    let mut weights: IndexMap<String, u64> = IndexMap::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        for line in text.lines() {
            // The prefix that the log writes.
            let line = line.split_once("poly::trace: ").map_or(line, |(_, rest)| rest);
            if class::is_operation(line) {
                *weights.entry(line.to_owned()).or_default() += 1;
            }
        }
    }
    Ok(weights.into_iter().map(|(line, weight)| parse(&line, weight)).collect())
}

fn parse(line: &str, weight: u64) -> Case {
    let mut fields = line.split('\t').map(str::to_owned);
    let class = fields.next().unwrap_or_default();
    Case { class, operands: fields.collect(), weight }
}
