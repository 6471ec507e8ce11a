//! The generated program: loops, conditions, statement instances.
//!
//! All arithmetic is on integers of unbounded size; divisions and remainders are those of floor
//! division with a positive constant divisor. A loop
//!
//! ```text
//! For { iterator, lower, upper, step, body }
//! ```
//!
//! runs `body` for `iterator = lower, lower + step, ...` while `iterator <= upper` (`upper` is
//! inclusive); `lower` and `upper` are evaluated once, before the loop, and do not mention the
//! iterator. With a `grid`, a parameter that is at least 1, the loop runs for the multiples of the
//! parameter among these values. Without `upper` the loop goes on for ever. Loops that run exactly
//! once never appear: the value of the iterator is substituted.

use poly_arith::Int;
use poly_presburger::Id;
use poly_schedule_tree::Mark;

/// A loop counter of an [`Ast`]: index into [`Ast::iterators`]. Every loop has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IterId(pub usize);

/// What is known about a loop counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopIterator {
    /// Name for printing: `c` and the schedule dimension, unless [`crate::AstOptions::iterators`]
    /// gives another. Nested loops have different names, loops after each other may share one.
    pub name: Id,
}

/// A generated program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ast {
    /// The program.
    pub root: Node,
    /// The loop counters, by [`IterId`].
    pub iterators: Vec<LoopIterator>,
}

/// A piece of program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The nodes one after the other; an empty block does nothing.
    Block(Vec<Node>),
    /// A loop.
    For(Box<For>),
    /// `then` if the condition holds, `otherwise` (if any) if not.
    If {
        /// The condition.
        condition: Cond,
        /// Run when the condition holds.
        then: Box<Node>,
        /// Run when it does not hold.
        otherwise: Option<Box<Node>>,
    },
    /// A mark of the schedule tree. A mark above a band stands directly around each loop that the
    /// band's first member became, and nowhere else; it is dropped where that member needs no loop.
    Mark {
        /// The mark.
        mark: Mark,
        /// What is marked.
        body: Box<Node>,
    },
    /// One instance of a statement.
    User {
        /// Name of the statement.
        statement: Id,
        /// The coordinates of the instance in the domain of the statement.
        coordinates: Vec<Expr>,
    },
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct For {
    /// The counter.
    pub iterator: IterId,
    /// First value.
    pub lower: Expr,
    /// Bound that the counter must not exceed (inclusive); `None` in a loop without end
    /// (`AstOptions::endless`).
    pub upper: Option<Expr>,
    /// Positive increment.
    pub step: Int,
    /// A parameter, at least 1: only its multiples are values of the counter. The step is 1 then.
    pub grid: Option<Id>,
    /// The band member is coincident: its iterations do not depend on each other.
    pub coincident: bool,
    /// The band member that the loop comes from; absent for loops over the instances that a
    /// schedule maps to one point.
    pub band: Option<BandInfo>,
    /// The iterated program.
    pub body: Node,
}

/// Where a loop comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandInfo {
    /// Number of the band: bands of the tree are counted in preorder.
    pub band: usize,
    /// Position of the member in the band.
    pub member: usize,
    /// Number of members of the band.
    pub members: usize,
    /// The members of the band may be interchanged and tiled.
    pub permutable: bool,
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// A constant.
    Int(Int),
    /// A parameter.
    Param(Id),
    /// A loop counter.
    Iter(IterId),
    /// The sum of at least two terms.
    Add(Vec<Expr>),
    /// A constant times an expression.
    Mul(Int, Box<Expr>),
    /// The quotient by a constant > 1, rounded towards negative infinity.
    FloorDiv(Box<Expr>, Int),
    /// The remainder of [`Expr::FloorDiv`]: between 0 and the divisor - 1.
    Mod(Box<Expr>, Int),
    /// The least of at least two values.
    Min(Vec<Expr>),
    /// The greatest of at least two values.
    Max(Vec<Expr>),
}

/// A condition on integer expressions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cond {
    /// Always true.
    True,
    /// Always false.
    False,
    /// All hold.
    And(Vec<Cond>),
    /// At least one holds.
    Or(Vec<Cond>),
    /// The condition does not hold.
    Not(Box<Cond>),
    /// The value is at least 0.
    NonNegative(Expr),
    /// The value is 0.
    Zero(Expr),
}

impl Expr {
    /// The constant `value`.
    pub fn int(value: i64) -> Expr {
        Expr::Int(Int::from(value))
    }

    /// The value of a constant.
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            Expr::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the value depends on a counter.
    pub fn mentions(&self, counter: IterId) -> bool {
        match self {
            Expr::Int(_) | Expr::Param(_) => false,
            Expr::Iter(id) => *id == counter,
            Expr::Mul(_, inner) | Expr::FloorDiv(inner, _) | Expr::Mod(inner, _) => inner.mentions(counter),
            Expr::Add(parts) | Expr::Min(parts) | Expr::Max(parts) => parts.iter().any(|e| e.mentions(counter)),
        }
    }

    /// Calls `f` with this expression and all parts of it.
    pub fn for_each(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Int(_) | Expr::Param(_) | Expr::Iter(_) => {}
            Expr::Mul(_, inner) | Expr::FloorDiv(inner, _) | Expr::Mod(inner, _) => inner.for_each(f),
            Expr::Add(parts) | Expr::Min(parts) | Expr::Max(parts) => parts.iter().for_each(|e| e.for_each(f)),
        }
    }

    /// The sum; constants are folded and zeros dropped.
    pub fn sum(terms: impl IntoIterator<Item = Expr>) -> Expr {
        let mut constant = Int::ZERO;
        let mut kept = Vec::new();
        for term in terms {
            match term {
                Expr::Int(value) => constant += &value,
                Expr::Add(inner) => {
                    for t in inner {
                        match t {
                            Expr::Int(value) => constant += &value,
                            other => kept.push(other),
                        }
                    }
                }
                other => kept.push(other),
            }
        }
        if !constant.is_zero() || kept.is_empty() {
            kept.push(Expr::Int(constant));
        }
        if kept.len() == 1 { kept.swap_remove(0) } else { Expr::Add(kept) }
    }

    /// `factor * self`, distributed over sums.
    pub fn times(self, factor: &Int) -> Expr {
        if factor.is_zero() {
            return Expr::Int(Int::ZERO);
        }
        if factor.is_one() {
            return self;
        }
        match self {
            Expr::Int(value) => Expr::Int(&value * factor),
            Expr::Mul(k, inner) => inner.times(&(&k * factor)),
            Expr::Add(terms) => Expr::sum(terms.into_iter().map(|t| t.times(factor))),
            other => Expr::Mul(factor.clone(), Box::new(other)),
        }
    }

    /// `floor(self / divisor)` for a positive divisor.
    pub fn floor_div(self, divisor: &Int) -> Expr {
        assert!(divisor.is_pos(), "the divisor of a floor division must be positive");
        if divisor.is_one() {
            return self;
        }
        match self {
            Expr::Int(value) => Expr::Int(value.div_floor(divisor)),
            Expr::FloorDiv(inner, d) => Expr::FloorDiv(inner, &d * divisor),
            Expr::Mul(factor, inner) if factor.is_divisible_by(divisor) => inner.times(&factor.div_exact(divisor)),
            Expr::Add(terms) if terms.iter().all(|term| term.is_multiple_of(divisor)) => {
                Expr::sum(terms.into_iter().map(|term| term.floor_div(divisor)))
            }
            other => Expr::FloorDiv(Box::new(other), divisor.clone()),
        }
    }

    /// Whether the form shows a factor.
    fn is_multiple_of(&self, divisor: &Int) -> bool {
        match self {
            Expr::Int(value) => value.is_divisible_by(divisor),
            Expr::Mul(factor, _) => factor.is_divisible_by(divisor),
            _ => false,
        }
    }

    /// `self mod divisor`, in `0..divisor`, for a positive divisor.
    pub fn modulo(self, divisor: &Int) -> Expr {
        assert!(divisor.is_pos(), "the divisor of a remainder must be positive");
        if divisor.is_one() {
            return Expr::Int(Int::ZERO);
        }
        match self {
            Expr::Int(value) => Expr::Int(value.mod_floor(divisor)),
            other => Expr::Mod(Box::new(other), divisor.clone()),
        }
    }

    /// The greatest of the values; equal ones are merged, constants folded, maxima among them
    /// flattened.
    pub fn max(values: Vec<Expr>) -> Expr {
        let flat = values.into_iter().flat_map(|value| match value {
            Expr::Max(inner) => inner,
            other => vec![other],
        });
        Expr::extremum(flat.collect(), Int::max, Expr::Max)
    }

    /// The least of the values; equal ones are merged, constants folded, minima among them
    /// flattened.
    pub fn min(values: Vec<Expr>) -> Expr {
        let flat = values.into_iter().flat_map(|value| match value {
            Expr::Min(inner) => inner,
            other => vec![other],
        });
        Expr::extremum(flat.collect(), Int::min, Expr::Min)
    }

    fn extremum(values: Vec<Expr>, pick: fn(Int, Int) -> Int, wrap: fn(Vec<Expr>) -> Expr) -> Expr {
        assert!(!values.is_empty(), "there is no extremum of nothing");
        let mut constant: Option<Int> = None;
        let mut kept: Vec<Expr> = Vec::new();
        for value in values {
            match value {
                Expr::Int(v) => constant = Some(constant.map_or(v.clone(), |c| pick(c, v))),
                other if kept.contains(&other) => {}
                other => kept.push(other),
            }
        }
        kept.extend(constant.map(Expr::Int));
        if kept.len() == 1 { kept.swap_remove(0) } else { wrap(kept) }
    }
}

impl Cond {
    /// The conjunction; `True` is dropped, `False` wins, nested conjunctions are flattened.
    pub fn all(conds: impl IntoIterator<Item = Cond>) -> Cond {
        let mut kept: Vec<Cond> = Vec::new();
        for cond in conds {
            match cond {
                Cond::True => {}
                Cond::False => return Cond::False,
                Cond::And(inner) => kept.extend(inner),
                other if kept.contains(&other) => {}
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Cond::True,
            1 => kept.swap_remove(0),
            _ => Cond::And(kept),
        }
    }

    /// Calls `f` with all expressions that are tested.
    pub fn for_each(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            Cond::True | Cond::False => {}
            Cond::And(conds) | Cond::Or(conds) => conds.iter().for_each(|cond| cond.for_each(f)),
            Cond::Not(cond) => cond.for_each(f),
            Cond::NonNegative(expr) | Cond::Zero(expr) => f(expr),
        }
    }

    /// The condition that holds where this one does not.
    pub fn negated(self) -> Cond {
        match self {
            Cond::True => Cond::False,
            Cond::False => Cond::True,
            Cond::Not(inner) => *inner,
            Cond::NonNegative(form) => Cond::NonNegative(Expr::sum([form.times(&Int::NEG_ONE), Expr::int(-1)])),
            other => Cond::Not(Box::new(other)),
        }
    }

    /// The disjunction; `False` is dropped, `True` wins, nested disjunctions are flattened.
    pub fn any(conds: impl IntoIterator<Item = Cond>) -> Cond {
        let mut kept: Vec<Cond> = Vec::new();
        for cond in conds {
            match cond {
                Cond::False => {}
                Cond::True => return Cond::True,
                Cond::Or(inner) => kept.extend(inner),
                other if kept.contains(&other) => {}
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Cond::False,
            1 => kept.swap_remove(0),
            _ => Cond::Or(kept),
        }
    }
}

impl Node {
    /// The nodes as one: blocks are flattened, a single node stands for itself.
    pub fn block(nodes: impl IntoIterator<Item = Node>) -> Node {
        let mut flat = Vec::new();
        for node in nodes {
            match node {
                Node::Block(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 { flat.swap_remove(0) } else { Node::Block(flat) }
    }

    /// Whether the node does nothing.
    pub fn is_empty(&self) -> bool {
        matches!(self, Node::Block(nodes) if nodes.is_empty())
    }

    /// The node under a condition.
    pub fn guarded(self, condition: Cond) -> Node {
        match condition {
            Cond::True => self,
            Cond::False => Node::Block(Vec::new()),
            condition => Node::If { condition, then: Box::new(self), otherwise: None },
        }
    }
}
