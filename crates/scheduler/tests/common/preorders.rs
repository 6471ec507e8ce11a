//! Total preorders, one by one.

/// All vectors of ranks without gaps: the total preorders of `n` elements.
pub(crate) fn preorders(n: usize) -> Vec<Vec<usize>> {
    let mut result = Vec::new();
    for code in 0..n.pow(u32::try_from(n).expect("small")) {
        let ranks: Vec<usize> = (0..n).map(|s| code / n.pow(u32::try_from(s).expect("small")) % n).collect();
        let groups = ranks.iter().max().map_or(0, |max| max + 1);
        if (0..groups).all(|rank| ranks.contains(&rank)) {
            result.push(ranks);
        }
    }
    result
}
