//! The variables of the integer program for one schedule dimension.
//!
//! # Variables, in the order in which they are minimized
//! ```text
//! [ sum u, w,                        bound u.n + w on the distances of dependences
//!   sum v, x,                        bound v.n + x on reuse distances
//!   sum |c|, sum p, sum k,           size of the schedule
//!   u, v,
//!   per statement: |c_d| .. |c_1|, c_d .. c_1, p_1 .. p_n, k,
//!   costs,                           of the user: minimized first, or after x
//!   flags, number of flags that are 0 ]
//! ```
//! The row of a statement is `c . i + p . n + k`. Innermost coefficients come first, so that among
//! rows of the same size the outermost iterator is taken. All variables are non-negative: `k` and
//! `p` because adding one form to all statements changes no distance; a signed coefficient is
//! stored as `max - c`, which also prefers `1` to `-1`. The variables `|c|` exist only for signed
//! coefficients, `p` only if shifts by parameters are allowed.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::solver::System;

use crate::affine::Affine;
use crate::cost::{Coefficient, CostOrder, NumberedCost};
use crate::edge::Rows;

/// Which rows are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Coefficients of iterators may be negative.
    pub(crate) signed: bool,
    /// Parameters may occur.
    pub(crate) parametric: bool,
    /// Distances are bounded by constants: `u = 0`.
    pub(crate) constant_distance: bool,
    /// Reuse distances are bounded by `u . n + w` too.
    pub(crate) reuse_counts: bool,
    /// Greatest absolute value of a coefficient.
    pub(crate) max_coefficient: u32,
    /// Greatest constant.
    pub(crate) max_constant: Option<u32>,
}

/// The variables of one statement.
#[derive(Clone, Debug)]
struct Block {
    /// First variable of `c_d .. c_1`; the absolute values come before them.
    iterators: usize,
    dims: usize,
    /// First variable of `p`, if any.
    parameters: Option<usize>,
    constant: usize,
}

/// A coefficient of a schedule row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Of an iterator of a statement.
    Iterator(usize, usize),
    /// Of a parameter.
    Parameter(usize, usize),
    /// The constant.
    Constant(usize),
}

/// Where the variables are.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) shape: Shape,
    pub(crate) params: usize,
    blocks: BTreeMap<usize, Block>,
    /// When each cost counts, and its terms: statement, coefficient, weight.
    costs: Vec<NumberedCost>,
    /// Number of flags.
    flags: usize,
    /// Number of variables.
    pub(crate) n: usize,
}

/// Index of the variable `sum u`.
pub(crate) const SUM_U: usize = 0;
/// Index of `w`.
pub(crate) const W: usize = 1;
/// Index of `sum v`.
pub(crate) const SUM_V: usize = 2;
/// Index of `x`.
pub(crate) const X: usize = 3;
/// Index of `sum |c|`.
const SUM_C: usize = 4;
const SUM_P: usize = 5;
/// Index of `sum k`.
pub(crate) const SUM_K: usize = 6;
const FIRST_U: usize = 7;

/// The variables that measure distances.
pub(crate) const DISTANCES: usize = SUM_C;

/// The variables that tell which of two rows is better; what comes after only breaks ties.
const OBJECTIVES: usize = SUM_K;

impl Layout {
    /// The variables for statements given with their number of iterators.
    pub(crate) fn new(statements: impl Iterator<Item = (usize, usize)>, params: usize, shape: Shape) -> Layout {
        Layout::with_flags(statements, params, shape, 0)
    }

    /// As [`Layout::new`], followed by `flags` variables in `[0, 1]` and the number of those that
    /// are 0.
    pub(crate) fn with_flags(
        statements: impl Iterator<Item = (usize, usize)>,
        params: usize,
        shape: Shape,
        flags: usize,
    ) -> Layout {
        let mut n = FIRST_U + 2 * params;
        let mut blocks = BTreeMap::new();
        for (statement, dims) in statements {
            if shape.signed {
                n += dims;
            }
            let iterators = n;
            n += dims;
            let parameters = shape.parametric.then_some(n);
            if shape.parametric {
                n += params;
            }
            blocks.insert(statement, Block { iterators, dims, parameters, constant: n });
            n += 1;
        }
        n += if flags > 0 { flags + 1 } else { 0 };
        Layout { shape, params, blocks, costs: Vec::new(), flags, n }
    }

    /// Without flags, but with costs.
    pub(crate) fn with_costs(self, costs: &[NumberedCost]) -> Layout {
        assert_eq!(self.flags, 0, "dimensions that carry edges have no costs");
        Layout { n: self.n + costs.len(), costs: costs.to_vec(), ..self }
    }

    fn cost(&self, i: usize) -> usize {
        self.n - self.flags - self.costs.len() + i
    }

    /// The costs that count at some time.
    fn costs_of(&self, order: CostOrder) -> impl Iterator<Item = usize> + '_ {
        (0..self.costs.len()).filter(move |&i| self.costs[i].order == order).map(|i| self.cost(i))
    }

    /// The variables in the order in which they are minimized, if that is not the order of their
    /// numbers.
    pub(crate) fn minimized(&self) -> Option<Vec<usize>> {
        if self.costs.is_empty() {
            return None;
        }
        let mut order: Vec<usize> = self.costs_of(CostOrder::First).chain(0..DISTANCES).collect();
        order.extend(self.costs_of(CostOrder::AfterDistances));
        order.extend(DISTANCES..self.cost(0));
        Some(order)
    }

    /// The values by which two rows are compared.
    pub(crate) fn objectives(&self, point: &[Int]) -> Vec<Int> {
        let first = self.costs_of(CostOrder::First).chain(0..DISTANCES);
        let all = first.chain(self.costs_of(CostOrder::AfterDistances)).chain(DISTANCES..OBJECTIVES);
        all.map(|variable| point[variable].clone()).collect()
    }

    /// Flag `i`.
    pub(crate) fn flag(&self, i: usize) -> usize {
        self.not_carried() - self.flags + i
    }

    /// The number of flags that are 0.
    pub(crate) fn not_carried(&self) -> usize {
        self.n - 1
    }

    /// The variable `u_p`.
    pub(crate) fn u(&self, p: usize) -> usize {
        FIRST_U + p
    }

    /// The variable `v_p`.
    pub(crate) fn v(&self, p: usize) -> usize {
        FIRST_U + self.params + p
    }

    /// The variables of coefficients of iterators and of parameters.
    pub(crate) fn coefficients(&self) -> impl Iterator<Item = usize> {
        let of_block = |block: &Block| {
            let parameters = block.parameters.into_iter().flat_map(|first| first..first + self.params);
            (block.iterators..block.iterators + block.dims).chain(parameters).collect::<Vec<_>>()
        };
        self.blocks.values().flat_map(of_block)
    }

    fn max(&self) -> Int {
        Int::from(i64::from(self.shape.max_coefficient))
    }

    /// Adds `factor` times a coefficient of the schedule to a constraint row.
    pub(crate) fn add(&self, row: &mut [Int], unknown: Unknown, factor: &Int) {
        if factor.is_zero() {
            return;
        }
        match unknown {
            Unknown::Iterator(statement, i) => {
                let block = &self.blocks[&statement];
                let column = 1 + block.iterators + (block.dims - 1 - i);
                if self.shape.signed {
                    row[0] += &(factor * &self.max());
                    row[column] -= factor;
                } else {
                    row[column] += factor;
                }
            }
            Unknown::Parameter(statement, p) => {
                if let Some(first) = self.blocks[&statement].parameters {
                    row[1 + first + p] += factor;
                }
            }
            Unknown::Constant(statement) => row[1 + self.blocks[&statement].constant] += factor,
        }
    }

    /// A constraint row without terms.
    pub(crate) fn zero_row(&self) -> Vec<Int> {
        vec![Int::ZERO; 1 + self.n]
    }

    /// Signs, bounds and the definitions of the sums and absolute values.
    pub(crate) fn system(&self) -> System {
        let mut system = System::new(self.n);
        for variable in 0..self.n {
            system.add_ineq(self.unit(variable));
        }
        let u: Vec<usize> = (0..self.params).map(|p| self.u(p)).collect();
        let v: Vec<usize> = (0..self.params).map(|p| self.v(p)).collect();
        self.define_sum(&mut system, SUM_U, &u);
        self.define_sum(&mut system, SUM_V, &v);
        if self.shape.constant_distance {
            system.add_eq(self.unit(SUM_U));
        }
        let mut sizes = Vec::new();
        let mut shifts = Vec::new();
        let mut constants = Vec::new();
        for block in self.blocks.values() {
            let first = if self.shape.signed { block.iterators - block.dims } else { block.iterators };
            sizes.extend(first..first + block.dims);
            shifts.extend(block.parameters.into_iter().flat_map(|first| first..first + self.params));
            constants.push(block.constant);
            if let Some(max) = self.shape.max_constant {
                self.add_upper_bound(&mut system, block.constant, &Int::from(i64::from(max)));
            }
            self.bound_coefficients(&mut system, block);
        }
        self.define_sum(&mut system, SUM_C, &sizes);
        self.define_sum(&mut system, SUM_P, &shifts);
        self.define_sum(&mut system, SUM_K, &constants);
        for (i, cost) in self.costs.iter().enumerate() {
            system.add_eq(self.cost_row(self.cost(i), cost));
        }
        if self.flags > 0 {
            // flags - sum of flags = number of zeros
            let mut row = self.unit(self.not_carried());
            row[0] = -&Int::from(self.flags);
            for flag in 0..self.flags {
                row[1 + self.flag(flag)] = Int::ONE;
                self.add_upper_bound(&mut system, self.flag(flag), &Int::ONE);
            }
            system.add_eq(row);
        }
        system
    }

    /// A cost is the sum of its terms. Statements that are scheduled elsewhere cost nothing here.
    fn cost_row(&self, variable: usize, cost: &NumberedCost) -> Vec<Int> {
        let mut row = self.zero_row();
        row[1 + variable] = Int::NEG_ONE;
        for (statement, coefficient, weight) in &cost.terms {
            let Some(block) = self.blocks.get(statement) else { continue };
            let column = match coefficient {
                Coefficient::Iterator(i) => {
                    let first = if self.shape.signed { block.iterators - block.dims } else { block.iterators };
                    first + block.dims - 1 - i
                }
                Coefficient::Constant => block.constant,
            };
            row[1 + column] += &Int::from(i64::from(*weight));
        }
        row
    }

    fn bound_coefficients(&self, system: &mut System, block: &Block) {
        let max = self.max();
        let bounded = block.parameters.into_iter().flat_map(|first| first..first + self.params);
        for variable in bounded {
            self.add_upper_bound(system, variable, &max);
        }
        for variable in block.iterators..block.iterators + block.dims {
            if !self.shape.signed {
                self.add_upper_bound(system, variable, &max);
                continue;
            }
            self.add_upper_bound(system, variable, &(&max * &Int::from(2)));
            // With c = max - variable: |c| - c >= 0 and |c| + c >= 0.
            for sign in [Int::ONE, Int::NEG_ONE] {
                let mut row = self.unit(variable - block.dims);
                row[0] = -&(&max * &sign);
                row[1 + variable] = sign;
                system.add_ineq(row);
            }
        }
    }

    fn add_upper_bound(&self, system: &mut System, variable: usize, max: &Int) {
        let mut row = self.zero_row();
        row[0] = max.clone();
        row[1 + variable] = Int::NEG_ONE;
        system.add_ineq(row);
    }

    fn define_sum(&self, system: &mut System, sum: usize, parts: &[usize]) {
        let mut row = self.zero_row();
        row[1 + sum] = Int::NEG_ONE;
        for &part in parts {
            row[1 + part] = Int::ONE;
        }
        system.add_eq(row);
    }

    fn unit(&self, variable: usize) -> Vec<Int> {
        let mut row = self.zero_row();
        row[1 + variable] = Int::ONE;
        row
    }

    /// The rows that a point stands for.
    pub(crate) fn rows(&self, point: &[Int]) -> Rows {
        let mut rows = Rows::new();
        for (&statement, block) in &self.blocks {
            let coefficient = |i: usize| {
                let value = &point[block.iterators + block.dims - 1 - i];
                if self.shape.signed { &self.max() - value } else { value.clone() }
            };
            let iterators = (0..block.dims).map(coefficient).collect();
            let parameters = match block.parameters {
                Some(first) => point[first..first + self.params].to_vec(),
                None => vec![Int::ZERO; self.params],
            };
            rows.insert(statement, Affine { iterators, parameters, constant: point[block.constant].clone() });
        }
        rows
    }
}
