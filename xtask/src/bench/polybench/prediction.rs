//! What Poly's remarks say about predicted time.

use crate::remarks::Remark;

/// Predicted cycles of a kernel's loops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prediction {
    /// As they were written.
    pub(super) original: f64,
    /// As Poly changed them, or would have.
    pub(super) candidate: f64,
}

impl Prediction {
    /// The sum of what all remarks say; none if no remark says anything.
    pub(super) fn of(remarks: &[Remark]) -> Option<Prediction> {
        let each = remarks.iter().filter_map(|remark| Self::read(&remark.message()));
        each.reduce(|a, b| Prediction { original: a.original + b.original, candidate: a.candidate + b.candidate })
    }

    /// Reads `.. predicted 1.2e3 cycles against 2.4e3 of the original ..`.
    fn read(message: &str) -> Option<Prediction> {
        let (candidate, rest) = message.split_once("predicted ")?.1.split_once(" cycles against ")?;
        let (original, _) = rest.split_once(" of the original")?;
        Some(Prediction { original: original.parse().ok()?, candidate: candidate.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_text() {
        let text = "optimized 1 loop, 1 statement; band of 1; predicted 1.20e3 cycles against 2.40e4 of the original";
        assert_eq!(Prediction::read(text), Some(Prediction { original: 24_000.0, candidate: 1200.0 }));
        assert_eq!(Prediction::read("loops not optimized: a volatile write"), None);
    }
}
