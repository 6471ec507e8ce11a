//! Paths that end the program, and post dominance without them.
//!
//! # Definitions
//! A block is a *dead end* if no path from it comes back to the function's caller: it aborts,
//! panics, or throws what nobody here catches. Dead ends are no part of the control flow graph
//! ([`crate::cfg`]); that a branch does not go to one is assumed and checked before the region. If
//! it would, the original code runs, and ends where it always did.
//!
//! # Algorithm
//! Blocks that reach the end of the function are found backwards. Post dominators of these are
//! computed as dominators of the reversed graph, by the iteration of [CooperHarveyKennedy2001].

/// The blocks from which a block without successors that returns is reached; all, if there is none.
pub(crate) fn blocks_that_return(predecessors: &[Vec<usize>], returns: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut result: Vec<bool> = (0..predecessors.len()).map(returns).collect();
    if !result.contains(&true) {
        return vec![true; predecessors.len()];
    }
    let mut todo: Vec<usize> = (0..result.len()).filter(|&b| result[b]).collect();
    while let Some(block) = todo.pop() {
        for &before in &predecessors[block] {
            if !std::mem::replace(&mut result[before], true) {
                todo.push(before);
            }
        }
    }
    result
}

/// Immediate post dominators; nothing where there is none but the end itself.
pub(crate) fn post_dominators(successors: &[Vec<usize>], predecessors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let count = successors.len();
    let ends: Vec<usize> = (0..count).filter(|&b| successors[b].is_empty()).collect();
    let order = post_order_backwards(&ends, predecessors);
    // The end of the function is the last in this order, behind all blocks.
    let mut number = vec![usize::MAX; count + 1];
    for (position, &block) in order.iter().enumerate() {
        number[block] = position;
    }
    number[count] = order.len();
    let mut dominator: Vec<Option<usize>> = vec![None; count + 1];
    dominator[count] = Some(count);
    let common = |dominator: &[Option<usize>], mut a: usize, mut b: usize| {
        while a != b {
            while number[a] < number[b] {
                a = dominator[a].expect("blocks behind have been visited");
            }
            while number[b] < number[a] {
                b = dominator[b].expect("blocks behind have been visited");
            }
        }
        a
    };
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev() {
            let end = [count];
            let next = if successors[block].is_empty() { &end[..] } else { &successors[block] };
            let known = next.iter().copied().filter(|&s| dominator[s].is_some());
            let new = known.reduce(|a, b| common(&dominator, a, b));
            if new.is_some() && dominator[block] != new {
                dominator[block] = new;
                changed = true;
            }
        }
    }
    (0..count).map(|b| dominator[b].filter(|&d| d != count)).collect()
}

/// The blocks from which the ends are reached, each behind those that it is reached from backwards
/// first.
fn post_order_backwards(ends: &[usize], predecessors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; predecessors.len()];
    let mut order = Vec::new();
    for &end in ends {
        if std::mem::replace(&mut seen[end], true) {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(end, 0)];
        while let Some((block, next)) = path.last_mut() {
            match predecessors[*block].get(*next) {
                Some(&before) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[before], true) {
                        path.push((before, 0));
                    }
                }
                None => {
                    order.push(*block);
                    path.pop();
                }
            }
        }
    }
    order
}
