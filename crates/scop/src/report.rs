//! What was done to a SCoP, in a form that remarks and the demo table are made from.

use std::fmt;

use poly_dependence::Precision;
use poly_transform::rewrite::Log;

use crate::{Place, Reduced, WHOLE};

/// How the tiles of a band lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TileShape {
    /// Along the loops, executed one after the other or, where a loop is free of dependences, in
    /// parallel.
    #[default]
    Box,
    /// The same, in parallel along diagonals.
    Wavefront,
    /// The same, the one at the diagonal before those below and to the right of it, and these
    /// before the rest, each of the last three in parallel.
    PanelUpdate,
    /// Between hyperplanes around the direction of time, so that all tiles of a time step start
    /// together.
    Diamond,
    /// Along one loop, in parallel although they depend on each other: a tile waits for earlier
    /// ones in stages.
    Doacross,
}

/// What one band of the final schedule looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BandReport {
    /// Number of loops of the band before tiling.
    pub depth: usize,
    /// Tile sizes, empty when the band was not tiled.
    pub tile: Vec<u64>,
    /// The number by which a program changes the tile sizes, if they are known only when it runs.
    pub nest: Option<u32>,
    /// Rows and columns of its register tiles, if it has any.
    pub register: Option<(u64, u64)>,
    /// The order of its loops differs from the original one.
    pub reordered: bool,
    /// Its outermost loop (or tile loop) runs in parallel.
    pub parallel: bool,
    /// Its innermost loop is free of dependences and meant for vector code.
    pub vector: bool,
    /// Iterations of a parallel loop that are lanes of vectors within a chain of dependences; 0 if
    /// none are.
    pub lanes: u64,
    /// How its tiles lie.
    pub shape: TileShape,
}

/// Predicted cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Of the original loops.
    pub original: f64,
    /// Of the new ones.
    pub candidate: f64,
    /// How exact the dependences were that the new ones were found with.
    pub precision: Precision,
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "predicted {:.2e} cycles against {:.2e} of the original", self.candidate, self.original)?;
        let level = match self.precision {
            Precision::Exact => return Ok(()),
            Precision::Distances => "distances in each loop",
            Precision::Order => "all before all",
        };
        write!(f, "; dependences are approximate ({level}), for exact ones raise the option 'budget'")
    }
}

/// What was done to a SCoP.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// The rewrites that made them, if they are known.
    pub rewrites: Log,
    /// Number of scalars that were mapped to memory or recomputed in their users.
    pub scalars_removed: usize,
    /// Number of subdomains that statements were cut in; 0 if none was.
    pub subdomains: usize,
    /// Number of scalars that are expanded: they have memory for each of their live ranges.
    pub temporaries: usize,
    /// Number of local arrays that have.
    pub expanded_arrays: usize,
    /// Arrays of the program the values of which are computed where they were read.
    pub inlined: Vec<String>,
    /// Arrays of the program that have fewer rows, with how many.
    pub contracted: Vec<(String, i64)>,
    /// Reductions with fewer operations.
    pub reduced: Vec<Reduced>,
    /// Number of arrays of which blocks have copies.
    pub packed_arrays: usize,
    /// Number of reductions of which every thread computes a part.
    pub privatized: usize,
    /// Number of conditions tested at run time (assumptions and pairs of ranges).
    pub checks: usize,
    /// Number of conditions on data that are looked at for all iterations before.
    pub inspections: usize,
    /// The parameters for which the new loops are used, if that depends on sizes.
    pub condition: Option<String>,
    /// The cycles that threads would need, if they were asked for and left out because one thread
    /// is not clearly slower.
    pub threads_left_out: Option<f64>,
    /// What the cost model says.
    pub prediction: Option<Prediction>,
    /// Why it says nothing, if it does not.
    pub unpredicted: Option<String>,
}

/// A number with its noun: `1 loop`, `2 loops`.
fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", counted(self.loops, "loop"), counted(self.statements, "statement"))?;
        if self.subdomains > 0 {
            write!(f, " in {}", counted(self.subdomains, "index set"))?;
        }
        for band in &self.bands {
            write!(f, "; band of {}", band.depth)?;
            if !band.tile.is_empty() {
                let size = |&size: &u64| if size == WHOLE { "all".to_owned() } else { size.to_string() };
                let sizes: Vec<String> = band.tile.iter().map(size).collect();
                write!(f, " tiled by {}", sizes.join("x"))?;
            }
            if let Some(nest) = band.nest {
                write!(f, " at first (nest {nest:#x})")?;
            }
            if let Some((rows, columns)) = band.register {
                write!(f, ", register tiles of {rows}x{columns}")?;
            }
            let words = [
                (band.reordered, "reordered"),
                (band.shape == TileShape::Wavefront, "wavefront"),
                (band.shape == TileShape::PanelUpdate, "panel and update"),
                (band.shape == TileShape::Diamond, "diamonds"),
                (band.shape == TileShape::Doacross, "doacross"),
                (band.parallel, "parallel"),
                (band.vector, "vector"),
            ];
            for (set, word) in words {
                if set {
                    write!(f, ", {word}")?;
                }
            }
            if band.lanes > 0 {
                write!(f, ", SIMD wavefront of {} lanes", band.lanes)?;
            }
        }
        if self.temporaries > 0 {
            write!(f, "; {} in memory", counted(self.temporaries, "scalar"))?;
        }
        if self.expanded_arrays > 0 {
            write!(f, "; {} expanded", counted(self.expanded_arrays, "array"))?;
        }
        for array in &self.inlined {
            write!(f, "; no elements of {array}")?;
        }
        for (array, rows) in &self.contracted {
            write!(f, "; {} of {array}", counted(usize::try_from(*rows).unwrap_or(usize::MAX), "row"))?;
        }
        for Reduced { array, degrees: (before, after), up_to, operations: (many, few), .. } in &self.reduced {
            write!(f, "; reduction into {array} ")?;
            if before == after {
                write!(f, "of degree {before}")?;
            } else {
                write!(f, "from degree {before} to {after}")?;
            }
            if let Some(values) = up_to {
                write!(f, " for up to {values} values")?;
            }
            write!(f, ", {many} operations to {few}")?;
        }
        if self.packed_arrays > 0 {
            write!(f, "; {} packed in blocks", counted(self.packed_arrays, "array"))?;
        }
        if self.privatized > 0 {
            write!(f, "; {} privatized", counted(self.privatized, "reduction"))?;
        }
        if self.checks > 0 {
            write!(f, "; {}", counted(self.checks, "run-time check"))?;
        }
        if self.inspections > 0 {
            write!(f, "; {} of data", counted(self.inspections, "inspection"))?;
        }
        if let Some(condition) = &self.condition {
            write!(f, "; used for {condition}")?;
        }
        if let Some(cycles) = self.threads_left_out {
            write!(f, "; one thread, as threads would need {cycles:.2e} cycles")?;
        }
        if let Some(prediction) = self.prediction {
            write!(f, "; {prediction}")?;
        }
        if let Some(why) = &self.unpredicted {
            write!(f, "; not predicted: {why}")?;
        }
        if !self.rewrites.steps.is_empty() {
            write!(f, "; rewrites: {}", self.rewrites)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approximate_dependences_are_reported() {
        let with = |precision| Prediction { original: 200.0, candidate: 100.0, precision }.to_string();
        let exact = "predicted 1.00e2 cycles against 2.00e2 of the original";
        assert_eq!(with(Precision::Exact), exact);
        let level = "all before all";
        let hint = "for exact ones raise the option 'budget'";
        assert_eq!(with(Precision::Order), format!("{exact}; dependences are approximate ({level}), {hint}"));
        let report = Report {
            loops: 1,
            statements: 1,
            prediction: Some(Prediction { original: 2.0, candidate: 1.0, precision: Precision::Distances }),
            ..Report::default()
        };
        assert!(report.to_string().contains("dependences are approximate (distances in each loop)"), "{report}");
    }
}
