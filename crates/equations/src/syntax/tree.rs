//! The syntax tree: what the parser reads, before names have a meaning.

use std::sync::Arc;

use crate::diagnostic::Span;
use crate::syntax::lexer::Token;

/// A name and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// An affine expression, or constraints: the tokens, read by `poly_presburger` when the names
/// around are known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(crate) tokens: Vec<Token>,
    pub(crate) span: Span,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    /// Other files whose names are known here.
    pub(crate) uses: Vec<Name>,
    pub(crate) constants: Vec<(Name, String)>,
    pub(crate) externs: Vec<Extern>,
    pub(crate) systems: Vec<System>,
}

impl File {
    /// Lets all systems know the constants of the file and those of other ones.
    pub(crate) fn share_constants(&mut self, others: &[(Name, String)]) {
        let all = Arc::new(others.iter().chain(&self.constants).cloned().collect::<Vec<_>>());
        self.systems.iter_mut().for_each(|system| system.constants = Arc::clone(&all));
    }
}

/// A function that is defined elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Extern {
    pub(crate) name: Name,
    pub(crate) result: Name,
    pub(crate) arguments: Vec<Name>,
}

/// A system of equations.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) name: Name,
    pub(crate) params: Vec<Name>,
    pub(crate) context: Option<Affine>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) equations: Vec<Statement>,
    /// The constants of its file, and of the files that this uses.
    pub(crate) constants: Arc<Vec<(Name, String)>>,
}

/// Variables of one kind, type and domain.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// `in`, `out` or `let`.
    pub(crate) kind: Name,
    pub(crate) scalar: Name,
    pub(crate) names: Vec<Name>,
    pub(crate) domain: Vec<Domain>,
}

/// One part of a domain.
#[derive(Clone, Debug)]
pub(crate) enum Domain {
    /// `{ [i, j] : constraints }`.
    Set { dims: Vec<Name>, constraints: Option<Affine>, span: Span },
    /// `[0..N-1, 0..M-1]`.
    Box { bounds: Vec<(Affine, Affine)>, span: Span },
}

/// An equation, or the use of another system.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// `X[i, j] = e;`.
    Equation { variable: Name, dims: Option<Vec<Name>>, body: Expr, span: Span },
    /// `(Y, Z) = f[N - 1](A, e);`.
    Use { results: Vec<Name>, system: Name, params: Vec<Affine>, arguments: Vec<Expr>, span: Span },
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Integer(String),
    Float(f64),
    /// A variable, an index, a parameter or a constant.
    Name(String),
    /// `X[f]`.
    Read(Name, Vec<Affine>),
    /// `val[f]`.
    Index(Affine),
    Unary(&'static str, Box<Expr>),
    Binary(String, Box<Expr>, Box<Expr>),
    Call(Name, Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Branches with their conditions; no condition is `else`.
    Case(Vec<(Option<Affine>, Expr)>),
    /// `sum[k : constraints] e`.
    Reduce {
        operator: Name,
        dims: Vec<Name>,
        constraints: Option<Affine>,
        body: Box<Expr>,
    },
    /// `reduce(+, [i, j] -> [f], e)`, by the names of the dimensions of `e`.
    Project {
        operator: Name,
        dims: Vec<Name>,
        map: Vec<Affine>,
        body: Box<Expr>,
    },
    /// `(e) @ [x = f, y = g]`.
    At(Box<Expr>, Vec<(Name, Affine)>),
}
