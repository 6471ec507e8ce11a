//! What was done to a SCoP, in a form that remarks and the demo table are made from.

use std::fmt;

use crate::Place;

/// What one band of the final schedule looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BandReport {
    /// Number of loops of the band before tiling.
    pub depth: usize,
    /// Tile sizes, empty when the band was not tiled.
    pub tile: Vec<u64>,
    /// The order of its loops differs from the original one.
    pub reordered: bool,
    /// Its outermost loop (or tile loop) runs in parallel.
    pub parallel: bool,
    /// Its innermost loop is free of dependences and meant for vector code.
    pub vector: bool,
}

/// What was done to a SCoP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Name of the SCoP.
    pub scop: String,
    /// Where it begins.
    pub place: Option<Place>,
    /// Number of original loops.
    pub loops: usize,
    /// Number of statements.
    pub statements: usize,
    /// Bands, outermost and first ones first.
    pub bands: Vec<BandReport>,
    /// Number of scalars that were mapped to memory or recomputed in their users.
    pub scalars_removed: usize,
    /// Number of conditions tested at run time (assumptions and pairs of ranges).
    pub checks: usize,
}

/// A number with its noun: `1 loop`, `2 loops`.
fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", counted(self.loops, "loop"), counted(self.statements, "statement"))?;
        for band in &self.bands {
            write!(f, "; band of {}", band.depth)?;
            if !band.tile.is_empty() {
                let sizes: Vec<String> = band.tile.iter().map(u64::to_string).collect();
                write!(f, " tiled by {}", sizes.join("x"))?;
            }
            for (set, word) in [(band.reordered, "reordered"), (band.parallel, "parallel"), (band.vector, "vector")] {
                if set {
                    write!(f, ", {word}")?;
                }
            }
        }
        if self.checks > 0 {
            write!(f, "; {}", counted(self.checks, "run-time check"))?;
        }
        Ok(())
    }
}
