//! Systems of equations: variables with domains, and an expression for each value.
//!
//! # Definitions
//! A variable is a function from the points of its domain to values. An *equation* names the
//! dimensions of its variable; its body is an expression in the *scope* of these names: an
//! anonymous set space of as many dimensions over the parameters of the system. The body of a
//! reduction has a longer scope, with the dimensions that are reduced at its end.
//!
//! # Invariants
//! * All sets, functions and relations have exactly the parameters of the system, in its order.
//! * Every set inside an expression is over the scope of its place and has known divisions.
//! * Functions have integer values: what may be a fraction is rounded down inside of a branch that
//!   says where it is none.
//! * Expressions are not deeper than a text can be; transformations keep them below [`DEPTH`].

use std::fmt;
use std::sync::Arc;

use poly_presburger::{Aff, Id, MultiAff, Set, Space, Tuple};
use poly_reductions::Operator;

use crate::diagnostic::Span;

/// How deep an expression may be.
pub const DEPTH: usize = 2_000;

/// Where values of a variable come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// From outside.
    In,
    /// They are asked for.
    Out,
    /// They are of use inside only.
    Let,
}

impl Role {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
            Self::Let => "let",
        }
    }
}

/// The type of a variable's values. Expressions compute with 64 bits; what a variable keeps is
/// wrapped or rounded to its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// 8 bits with a sign.
    I8,
    /// 16 bits with a sign.
    I16,
    /// 32 bits with a sign.
    I32,
    /// 64 bits with a sign.
    I64,
    /// 8 bits.
    U8,
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Scalar {
    /// All types.
    pub const ALL: [Self; 9] =
        [Self::I8, Self::I16, Self::I32, Self::I64, Self::U8, Self::U16, Self::U32, Self::F32, Self::F64];

    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The type with this name.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.word() == word)
    }

    /// Whether values are floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where its values come from.
    pub role: Role,
    /// Their type.
    pub scalar: Scalar,
    /// Where it is defined, within the context of the system.
    pub domain: Set,
    /// Where it is declared.
    pub span: Span,
}

impl Variable {
    /// Number of dimensions.
    pub fn dims(&self) -> usize {
        self.domain.n_dim()
    }
}

/// A function that is defined elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// Its name.
    pub name: String,
    /// What it returns.
    pub result: Scalar,
    /// What it takes.
    pub arguments: Vec<Scalar>,
}

/// The definition of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// The position of the variable in the system.
    pub variable: usize,
    /// Names of its dimensions.
    pub dims: Vec<String>,
    /// The value.
    pub body: Expr,
    /// Where it is written.
    pub span: Span,
}

/// A system of equations.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Id>,
    /// The values of the parameters for which it means something.
    pub context: Set,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// One for each variable that is no input.
    pub equations: Vec<Equation>,
    /// Functions from outside.
    pub externals: Arc<Vec<External>>,
}

/// An expression and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written, or what it was made of is.
    pub span: Span,
}

/// A part of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Where it counts.
    pub domain: Set,
    /// The value there.
    pub body: Expr,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Int(i64),
    /// A number.
    Float(f64),
    /// The value of a function of the scope, as a number.
    Index(Aff),
    /// A value of a variable.
    Read(usize, MultiAff),
    /// An operation on one value.
    Unary(Unary, Box<Expr>),
    /// An operation on two values.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A function from outside, by its position.
    Call(usize, Vec<Expr>),
    /// What a condition on values chooses.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Branches that have no point in common. One branch alone restricts.
    Case(Vec<Branch>),
    /// A reduction over dimensions behind those of the scope.
    Reduce(Box<Reduce>),
    /// An expression in a scope of its own, at a function of this one.
    At {
        /// From this scope to the other one.
        map: MultiAff,
        /// Names of the other one.
        dims: Vec<String>,
        /// The value.
        body: Box<Expr>,
    },
}

/// A reduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduce {
    /// What combines.
    pub operator: Operator,
    /// Names of the dimensions that are reduced.
    pub dims: Vec<String>,
    /// Which points are combined: over the dimensions of the scope and those that are reduced.
    pub domain: Set,
    /// Their values.
    pub body: Expr,
}

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// The negative.
    Neg,
    /// The contrary of a condition.
    Not,
    /// All bits inverted.
    BitNot,
    /// What a variable of a type keeps of the value.
    To(Scalar),
}

impl Unary {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Neg => "-",
            Self::Not => "not ",
            Self::BitNot => "~",
            Self::To(scalar) => scalar.word(),
        }
    }
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, of integers rounded towards negative infinity.
    Div,
    /// Remainder of that.
    Rem,
    /// The lesser one.
    Min,
    /// The greater one.
    Max,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift to the left, by the lower 6 bits.
    Shl,
    /// Shift to the right with the sign, by the lower 6 bits.
    Shr,
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Both conditions.
    And,
    /// One of the conditions.
    Or,
}

impl Binary {
    /// All with an infix sign or word, and how strongly they bind.
    pub const INFIX: [(Self, &'static str, u8); 18] = [
        (Self::Or, "or", 1),
        (Self::And, "and", 2),
        (Self::Eq, "=", 3),
        (Self::Ne, "!=", 3),
        (Self::Lt, "<", 3),
        (Self::Le, "<=", 3),
        (Self::Gt, ">", 3),
        (Self::Ge, ">=", 3),
        (Self::BitOr, "|", 4),
        (Self::BitXor, "^", 5),
        (Self::BitAnd, "&", 6),
        (Self::Shl, "<<", 7),
        (Self::Shr, ">>", 7),
        (Self::Add, "+", 8),
        (Self::Sub, "-", 8),
        (Self::Mul, "*", 9),
        (Self::Div, "/", 9),
        (Self::Rem, "%", 9),
    ];

    /// Sign and strength; none for the functions `min` and `max`.
    pub fn infix(self) -> Option<(&'static str, u8)> {
        Self::INFIX.into_iter().find(|(operator, ..)| *operator == self).map(|(_, sign, strength)| (sign, strength))
    }

    /// Whether it compares numbers.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// Whether its operands are conditions.
    pub fn is_logical(self) -> bool {
        matches!(self, Self::And | Self::Or)
    }

    /// Whether it is for integers only.
    pub fn is_integral(self) -> bool {
        matches!(self, Self::BitAnd | Self::BitOr | Self::BitXor | Self::Shl | Self::Shr | Self::Rem)
    }
}

/// The word for a reduction by an operator.
pub fn reduction_word(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "sum",
        Operator::Mul => "prod",
        Operator::Min => "min",
        Operator::Max => "max",
        Operator::And => "and",
        Operator::Or => "or",
        Operator::Xor => "xor",
    }
}

/// The operation that a reduction repeats.
pub fn operation(operator: Operator) -> Binary {
    match operator {
        Operator::Add => Binary::Add,
        Operator::Mul => Binary::Mul,
        Operator::Min => Binary::Min,
        Operator::Max => Binary::Max,
        Operator::And => Binary::BitAnd,
        Operator::Or => Binary::BitOr,
        Operator::Xor => Binary::BitXor,
    }
}

impl Expr {
    /// An expression that stands for a place of the text.
    pub fn new(kind: ExprKind, span: &Span) -> Self {
        Self { kind, span: span.clone() }
    }

    /// The parts of an expression.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Index(_) | ExprKind::Read(..) => Vec::new(),
            ExprKind::Unary(_, e) | ExprKind::At { body: e, .. } => vec![e],
            ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Call(_, all) => all.iter().collect(),
            ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::Case(branches) => branches.iter().map(|branch| &branch.body).collect(),
            ExprKind::Reduce(reduce) => vec![&reduce.body],
        }
    }

    /// The parts of an expression, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Index(_) | ExprKind::Read(..) => Vec::new(),
            ExprKind::Unary(_, e) | ExprKind::At { body: e, .. } => vec![e],
            ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Call(_, all) => all.iter_mut().collect(),
            ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::Case(branches) => branches.iter_mut().map(|branch| &mut branch.body).collect(),
            ExprKind::Reduce(reduce) => vec![&mut reduce.body],
        }
    }

    /// All expressions inside and this one.
    pub fn all(&self) -> Vec<&Expr> {
        let mut found = vec![self];
        let mut next = 0;
        while next < found.len() {
            let inner = found[next].children();
            found.extend(inner);
            next += 1;
        }
        found
    }

    /// The variables that are read.
    pub fn reads(&self) -> Vec<usize> {
        let mut reads: Vec<usize> = self
            .all()
            .into_iter()
            .filter_map(|e| if let ExprKind::Read(variable, _) = &e.kind { Some(*variable) } else { None })
            .collect();
        reads.sort_unstable();
        reads.dedup();
        reads
    }
}

impl System {
    /// The scope with these dimensions.
    pub fn scope(&self, dims: &[String]) -> Space {
        scope(&self.params, dims)
    }

    /// The variable with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable.name == name)
    }

    /// The equation of a variable.
    pub fn equation(&self, variable: usize) -> Option<&Equation> {
        self.equations.iter().find(|equation| equation.variable == variable)
    }

    /// Whether a variable needs values of its own.
    pub fn depends_on_itself(&self, variable: usize) -> bool {
        self.equation(variable).is_some_and(|e| e.body.reads().iter().any(|&read| self.reaches(read, variable)))
    }

    /// Whether a variable is the other one, or needs its values, perhaps by way of others.
    pub fn reaches(&self, variable: usize, other: usize) -> bool {
        let mut seen = vec![false; self.variables.len()];
        let mut stack = vec![variable];
        while let Some(variable) = stack.pop() {
            if variable == other {
                return true;
            }
            if !std::mem::replace(&mut seen[variable], true) {
                stack.extend(self.equation(variable).into_iter().flat_map(|e| e.body.reads()));
            }
        }
        false
    }

    /// A name like this one that no variable and no parameter has.
    pub fn fresh_name(&self, like: &str) -> String {
        let taken = |name: &str| self.find(name).is_some() || self.params.iter().any(|p| p.as_str() == name);
        if !taken(like) {
            return like.to_owned();
        }
        (1..).map(|i| format!("{like}_{i}")).find(|name| !taken(name)).expect("there are more numbers than variables")
    }
}

/// The set space of a scope.
pub fn scope(params: &[Id], dims: &[String]) -> Space {
    let names: Vec<&str> = dims.iter().map(String::as_str).collect();
    Space::set(params.to_vec(), Tuple::with_dims(None, &names))
}

/// Names like these that are not among others; their order is kept.
pub fn distinct(names: &[String], others: &[String]) -> Vec<String> {
    let mut taken: Vec<String> = others.to_vec();
    let mut result = Vec::new();
    for name in names {
        let fresh = if taken.contains(name) {
            let numbered = (1..).map(|i| format!("{name}{i}"));
            numbered.into_iter().find(|n| !taken.contains(n) && !names.contains(n)).expect("there is always one more")
        } else {
            name.clone()
        };
        taken.push(fresh.clone());
        result.push(fresh);
    }
    result
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
