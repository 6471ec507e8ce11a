//! Evaluation of the syntax tree; see the module above for the idea.

use std::sync::Arc;

use super::ParseError;
use super::grammar::{Comparison, Dim, Expr, Formula, Item, TupleContent, TupleSyntax};
use crate::aff::Aff;
use crate::budget::Budget;
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::space::{DimKind, Id, Space, Tuple};

type Parsed<T> = Result<T, ParseError>;

/// The steps that the negation of a quantifier may take.
const NEGATION: u64 = 2_000_000;

/// The variables in sight, in the order of the dimensions of the scope space.
#[derive(Clone)]
pub(super) struct Scope {
    names: Vec<Option<String>>,
    pub(super) space: Arc<Space>,
}

impl Scope {
    pub(super) fn new(params: &[Id], names: Vec<Option<String>>) -> Scope {
        let tuple = Tuple::anonymous(names.len());
        Scope { space: Arc::new(Space::set(params.to_vec(), tuple)), names }
    }

    pub(super) fn extended(&self, more: impl IntoIterator<Item = String>) -> Scope {
        let names = self.names.iter().cloned().chain(more.into_iter().map(Some)).collect();
        Scope::new(&self.space.params, names)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Where the variable of this name stands, the innermost first.
    pub(super) fn place(&self, name: &str) -> Option<(DimKind, usize)> {
        let dim = self.names.iter().rposition(|n| n.as_deref() == Some(name));
        match dim {
            Some(i) => Some((DimKind::Out, i)),
            None => Some((DimKind::Param, self.space.find_param(name)?)),
        }
    }

    /// The variable of this name, the innermost first.
    fn find(&self, name: &str) -> Option<Aff> {
        let (kind, i) = self.place(name)?;
        Some(Aff::var(Arc::clone(&self.space), kind, i))
    }

    fn universe(&self) -> Set {
        Set::universe(Arc::clone(&self.space))
    }

    fn number(&self, value: &poly_arith::Int) -> PwAff {
        PwAff::constant(Arc::clone(&self.space), value)
    }
}

fn lower_expr(scope: &Scope, expr: &Expr) -> Parsed<PwAff> {
    let sub = |e: &Expr| lower_expr(scope, e);
    Ok(match expr {
        Expr::Number(n) => scope.number(n),
        Expr::Var(name, position) => match scope.find(name) {
            Some(aff) => aff.into(),
            None => {
                return Err(ParseError::new(*position, format!("`{name}` is not known here")));
            }
        },
        Expr::Dim(i) => Aff::var(Arc::clone(&scope.space), DimKind::Out, *i).into(),
        Expr::Neg(a) => sub(a)?.neg(),
        Expr::Sum(terms) => {
            let (first, rest) = terms.split_first().expect("a sum has terms");
            let add = |sum: PwAff, (negative, term): &(bool, Expr)| {
                let term = sub(term)?;
                Ok(if *negative { sum.sub(&term) } else { sum.add(&term) })
            };
            rest.iter().try_fold(sub(&first.1)?, add)?
        }
        Expr::Mul(a, b, position) => {
            let product = sub(a)?.mul(&sub(b)?);
            product.ok_or_else(|| ParseError::new(*position, "one factor must be constant"))?
        }
        Expr::Div(a, d) => sub(a)?.scale_down(d),
        Expr::Mod(a, d) => sub(a)?.mod_val(d),
        Expr::Floor(a) => sub(a)?.floor(),
        Expr::Ceil(a) => sub(a)?.ceil(),
        Expr::Min(a, b) => sub(a)?.min(&sub(b)?),
        Expr::Max(a, b) => sub(a)?.max(&sub(b)?),
        Expr::Cond(c, a, b) => {
            let then = sub(a)?.intersect_domain(&lower_formula(scope, c, false)?);
            then.union_disjoint(&sub(b)?.intersect_domain(&lower_formula(scope, c, true)?))
        }
    })
}

/// The points of the scope that satisfy a formula, or its negation.
fn lower_formula(scope: &Scope, formula: &Formula, negate: bool) -> Parsed<Set> {
    let sub = |f: &Formula| lower_formula(scope, f, negate);
    let empty = || Set::empty(Arc::clone(&scope.space));
    match formula {
        Formula::True | Formula::False => {
            let holds = matches!(formula, Formula::True) != negate;
            Ok(if holds { scope.universe() } else { empty() })
        }
        Formula::Not(f) => lower_formula(scope, f, !negate),
        Formula::And(parts) | Formula::Or(parts) => {
            let conjunction = matches!(formula, Formula::And(_)) != negate;
            if conjunction {
                parts.iter().try_fold(scope.universe(), |all, f| Ok(all.intersect(&sub(f)?)))
            } else {
                parts.iter().try_fold(empty(), |all, f| Ok(all.union(&sub(f)?)))
            }
        }
        Formula::Compare(left, op, right) => lower_comparison(scope, left, *op, right, negate),
        Formula::Exists(vars, body) => {
            let set = lower_exists(scope, vars, body)?;
            if !negate {
                return Ok(set);
            }
            let complement = set.complement(&mut Budget::new(NEGATION));
            complement.map_err(|_| ParseError::new(0, "the negation of a quantifier takes too many steps"))
        }
    }
}

fn lower_comparison(scope: &Scope, left: &[Expr], op: Comparison, right: &[Expr], negate: bool) -> Parsed<Set> {
    let mut result = if negate { Set::empty(Arc::clone(&scope.space)) } else { scope.universe() };
    for a in left {
        for b in right {
            let (a, b) = (lower_expr(scope, a)?, lower_expr(scope, b)?);
            let holds = compare(&a, if negate { negated(op) } else { op }, &b);
            result = if negate { result.union(&holds) } else { result.intersect(&holds) };
        }
    }
    Ok(result)
}

fn compare(a: &PwAff, op: Comparison, b: &PwAff) -> Set {
    match op {
        Comparison::Lt => a.lt_set(b),
        Comparison::Le => a.le_set(b),
        Comparison::Gt => a.gt_set(b),
        Comparison::Ge => a.ge_set(b),
        Comparison::Eq => a.eq_set(b),
        Comparison::Ne => a.ne_set(b),
    }
}

fn negated(op: Comparison) -> Comparison {
    match op {
        Comparison::Lt => Comparison::Ge,
        Comparison::Le => Comparison::Gt,
        Comparison::Gt => Comparison::Le,
        Comparison::Ge => Comparison::Lt,
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
    }
}

fn lower_exists(scope: &Scope, vars: &[(String, Option<Expr>)], body: &Formula) -> Parsed<Set> {
    let inner = scope.extended(vars.iter().map(|(name, _)| name.clone()));
    let mut set = lower_formula(&inner, body, false)?;
    for (i, (_, value)) in vars.iter().enumerate() {
        if let Some(value) = value {
            let var = Aff::var(Arc::clone(&inner.space), DimKind::Out, scope.len() + i);
            set = set.intersect(&lower_expr(&inner, value)?.eq_set(&var.into()));
        }
    }
    let projected = set.project_out(DimKind::Out, scope.len(), vars.len());
    Ok(Set::from_map(projected.as_map().with_space((*scope.space).clone())))
}

/// The tuple of a space, and its dimensions in order.
pub(super) fn build_tuple(syntax: &TupleSyntax, dims: &mut Vec<Dim>) -> Tuple {
    let mut tuple = match &syntax.content {
        TupleContent::Nested(pair) => {
            let first = build_tuple(&pair.0, dims);
            let second = build_tuple(&pair.1, dims);
            Tuple::wrapping(first, second)
        }
        TupleContent::Dims(list) => {
            dims.extend(list.iter().cloned());
            let names = list.iter().map(|d| d.name.as_deref().map(Id::new)).collect();
            Tuple { name: None, dims: names, nested: None }
        }
    };
    tuple.name = syntax.name.clone();
    tuple
}

/// The value of a dimension: the value itself, or the first of a range with the last.
pub(super) type DimValue = Option<(Expr, Option<Expr>)>;

/// The dimensions as variables and values: a name that is already known is a value.
pub(super) fn bind_dims(scope: &mut Scope, dims: Vec<Dim>) -> Vec<DimValue> {
    let mut values = Vec::new();
    for dim in dims {
        match dim {
            Dim { name: Some(name), value: None, .. } if scope.find(&name).is_some() => {
                values.push(Some((Expr::Var(name, 0), None)));
                *scope = Scope::new(&scope.space.params, [&scope.names[..], &[None]].concat());
            }
            Dim { name, value, last } => {
                values.push(value.map(|first| (first, last)));
                *scope = Scope::new(&scope.space.params, [&scope.names[..], &[name]].concat());
            }
        }
    }
    values
}

/// The part of `set` in which the dimensions have their values.
fn fix_dims(scope: &Scope, values: &[DimValue], mut set: Set) -> Parsed<Set> {
    for (i, value) in values.iter().enumerate() {
        let Some((first, last)) = value else { continue };
        let var: PwAff = Aff::var(Arc::clone(&scope.space), DimKind::Out, i).into();
        let first = lower_expr(scope, first)?;
        set = set.intersect(&match last {
            None => first.eq_set(&var),
            Some(last) => first.le_set(&var).intersect(&lower_expr(scope, last)?.ge_set(&var)),
        });
    }
    Ok(set)
}

/// The relation (or set) that an item stands for.
pub(super) fn lower_relation(params: &[Id], item: &Item) -> Parsed<Map> {
    if item.rational {
        return Err(ParseError::new(
            item.position,
            "this is a set of rational points (`RationalSet`), not of integer ones",
        ));
    }
    let mut dims = Vec::new();
    let first = item.first.as_ref().map(|t| build_tuple(t, &mut dims));
    let second = item.second.as_ref().map(|t| build_tuple(t, &mut dims));
    let mut scope = Scope::new(params, Vec::new());
    let values = bind_dims(&mut scope, dims);
    let mut set = lower_formula(&scope, &item.condition, false)?;
    set = fix_dims(&scope, &values, set)?;
    let space = match (first, second) {
        (None, _) => Space::params(params.to_vec()),
        (Some(tuple), None) => Space::set(params.to_vec(), with_bound_names(tuple, &scope, 0)),
        (Some(domain), Some(range)) => {
            let n = domain.n();
            let domain = with_bound_names(domain, &scope, 0);
            Space::map(params.to_vec(), domain, with_bound_names(range, &scope, n))
        }
    };
    Ok(set.as_map().with_space(space))
}

/// The tuple with only the names of dimensions that are new variables of the scope.
pub(super) fn with_bound_names(mut tuple: Tuple, scope: &Scope, first: usize) -> Tuple {
    for (i, dim) in tuple.dims.iter_mut().enumerate() {
        *dim = scope.names[first + i].as_deref().map(Id::new);
    }
    if let Some(nested) = tuple.nested.take() {
        let n = nested.0.n();
        let a = with_bound_names(nested.0, scope, first);
        let b = with_bound_names(nested.1, scope, first + n);
        tuple.nested = Some(Box::new((a, b)));
    }
    tuple
}

/// The function that an item stands for.
pub(super) fn lower_function(params: &[Id], item: &Item) -> Parsed<PwMultiAff> {
    if item.rational {
        return Err(ParseError::new(item.position, "functions have integer points for arguments"));
    }
    let (domain, range) = match (&item.first, &item.second) {
        (Some(domain), Some(range)) => (Some(domain), range),
        (Some(range), None) => (None, range),
        _ => return Err(ParseError::new(item.position, "a function needs a value")),
    };
    let mut dims = Vec::new();
    let domain_tuple = domain.map(|t| build_tuple(t, &mut dims));
    let mut scope = Scope::new(params, Vec::new());
    let values = bind_dims(&mut scope, dims);
    let mut set = lower_formula(&scope, &item.condition, false)?;
    set = fix_dims(&scope, &values, set)?;
    let mut range_dims = Vec::new();
    let mut range_tuple = build_tuple(range, &mut range_dims);
    range_tuple.dims.iter_mut().for_each(|d| *d = None);
    let parts: Parsed<Vec<PwAff>> = range_dims
        .into_iter()
        .map(|d| match d {
            Dim { value: Some(value), last: None, .. } => lower_expr(&scope, &value),
            Dim { last: Some(_), .. } => Err(ParseError::new(item.position, "a function has one value, not a range")),
            Dim { name: Some(name), .. } => lower_expr(&scope, &Expr::Var(name, item.position)),
            _ => Err(ParseError::new(item.position, "a value is missing")),
        })
        .collect();
    let domain_space = match domain_tuple {
        Some(tuple) => Space::set(params.to_vec(), with_bound_names(tuple, &scope, 0)),
        None => Space::params(params.to_vec()),
    };
    Ok(assemble(&set, &parts?, &domain_space, range_tuple))
}

/// The function on `set` with these components, moved from the scope to its own spaces.
fn assemble(set: &Set, parts: &[PwAff], domain: &Space, range: Tuple) -> PwMultiAff {
    let mut pieces: Vec<(Set, Vec<Aff>)> = vec![(set.clone(), Vec::new())];
    for part in parts {
        let mut next = Vec::new();
        for (set, affs) in &pieces {
            for (s, a) in part.pieces() {
                let mut affs = affs.clone();
                affs.push(a.clone());
                next.push((set.intersect(s), affs));
            }
        }
        pieces = next;
    }
    let range_space = Space::set(domain.params.clone(), range);
    let space = Space::from_domain_and_range(domain, &range_space);
    let shared = Arc::new(domain.clone());
    let build = |(set, affs): (Set, Vec<Aff>)| {
        let set = Set::from_map(set.as_map().with_space(domain.clone()));
        let affs = affs.iter().map(|a| a.with_space(Arc::clone(&shared))).collect();
        (set, MultiAff::new(space.clone(), affs))
    };
    let built = pieces.into_iter().map(build).collect();
    PwMultiAff::from_pieces(space.clone(), built)
}
