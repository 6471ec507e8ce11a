//! Strongly connected components and orders of small directed graphs.

use std::collections::BTreeSet;

/// The strongly connected components of a graph with `n` nodes, each sorted, in the order of their
/// smallest nodes. Tarjan's algorithm with an explicit stack.
pub(crate) fn components(n: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let mut successors = vec![Vec::new(); n];
    for &(a, b) in edges {
        successors[a].push(b);
    }
    let mut state =
        Tarjan { successors, index: vec![None; n], low: vec![0; n], on_stack: vec![false; n], ..Tarjan::default() };
    for node in 0..n {
        if state.index[node].is_none() {
            state.visit(node);
        }
    }
    let mut components = state.components;
    components.sort_by_key(|c| c[0]);
    components
}

#[derive(Default)]
struct Tarjan {
    successors: Vec<Vec<usize>>,
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
    components: Vec<Vec<usize>>,
}

impl Tarjan {
    fn open(&mut self, node: usize) {
        self.index[node] = Some(self.next);
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn visit(&mut self, root: usize) {
        let mut calls = vec![(root, 0)];
        self.open(root);
        while let Some((node, position)) = calls.pop() {
            if let Some(&next) = self.successors[node].get(position) {
                calls.push((node, position + 1));
                match self.index[next] {
                    None => {
                        self.open(next);
                        calls.push((next, 0));
                    }
                    Some(index) if self.on_stack[next] => self.low[node] = self.low[node].min(index),
                    Some(_) => {}
                }
                continue;
            }
            if let Some(&(parent, _)) = calls.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.index[node] == Some(self.low[node]) {
                self.close(node);
            }
        }
    }

    fn close(&mut self, node: usize) {
        let at = self.stack.iter().rposition(|&n| n == node).expect("an open node is on the stack");
        let mut component = self.stack.split_off(at);
        for &member in &component {
            self.on_stack[member] = false;
        }
        component.sort_unstable();
        self.components.push(component);
    }
}

/// A topological order of an acyclic graph; among the nodes that are ready the smallest comes
/// first. Nodes on cycles come last, in their order.
pub(crate) fn topological_order(n: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    let mut pending = vec![0usize; n];
    for &(a, b) in edges {
        if a != b {
            pending[b] += 1;
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut done = vec![false; n];
    while order.len() < n {
        let ready = (0..n).find(|&node| !done[node] && pending[node] == 0);
        let node = ready.or_else(|| (0..n).find(|&node| !done[node])).expect("nodes are left");
        done[node] = true;
        order.push(node);
        for &(_, b) in edges.range((node, 0)..=(node, usize::MAX)) {
            if b != node {
                pending[b] = pending[b].saturating_sub(1);
            }
        }
    }
    order
}

/// Which nodes of a graph are reached from which.
#[derive(Debug)]
pub(crate) struct Paths {
    /// Per node.
    reached: Vec<Vec<bool>>,
}

impl Paths {
    pub(crate) fn new(n: usize, edges: &BTreeSet<(usize, usize)>) -> Paths {
        let mut next = vec![Vec::new(); n];
        for &(from, to) in edges {
            next[from].push(to);
        }
        Paths { reached: (0..n).map(|node| reachable(&next, node)).collect() }
    }

    /// The nodes on paths from `a` to `b` or from `b` to `a`, both included, sorted.
    pub(crate) fn between(&self, a: usize, b: usize) -> Vec<usize> {
        let on_path = |from: usize, node: usize, to: usize| self.reached[from][node] && self.reached[node][to];
        let is_between = |&node: &usize| node == a || node == b || on_path(a, node, b) || on_path(b, node, a);
        (0..self.reached.len()).filter(is_between).collect()
    }
}

fn reachable(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            work.extend(next[node].iter().copied().filter(|&to| !seen[to]));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_two_cycles() {
        let edges = BTreeSet::from([(0, 2), (2, 0), (2, 3), (3, 4), (4, 3), (1, 1)]);
        assert_eq!(components(5, &edges), vec![vec![0, 2], vec![1], vec![3, 4]]);
    }

    #[test]
    fn the_smallest_ready_node_comes_first() {
        let edges = BTreeSet::from([(3, 0), (0, 2)]);
        assert_eq!(topological_order(4, &edges), vec![1, 3, 0, 2]);
    }

    #[test]
    fn nodes_between() {
        let edges = BTreeSet::from([(0, 1), (1, 2), (0, 3), (4, 2)]);
        let paths = Paths::new(5, &edges);
        assert_eq!(paths.between(0, 2), vec![0, 1, 2]);
        assert_eq!(paths.between(2, 0), vec![0, 1, 2]);
        assert_eq!(paths.between(3, 4), vec![3, 4]);
    }
}
