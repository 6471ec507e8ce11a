//! C syntax for generated programs, in the manner of isl.
//!
//! `floord(a, b)` is floor division; a remainder is printed as `pmod(a, b)`, because C's `%`
//! rounds the other way. Conditions are printed with the negative terms on the other side.

use std::fmt::{self, Write};

use poly_arith::Int;

use crate::ast::{Ast, Cond, Expr, For, IterId, LoopIterator, Node};
use crate::c_style::CStyle;

/// Something of an AST together with the names of its loop counters.
struct Named<'a, T>(&'a T, &'a Names<'a>);

/// The names of counters, and how C is written.
struct Names<'a> {
    iterators: &'a [LoopIterator],
    style: &'a CStyle,
}

impl Names<'_> {
    /// Whether C's division rounds what is divided as floor division does.
    fn divides(&self, inner: &Expr) -> bool {
        self.style.operators && self.style.non_negative.contains(inner)
    }
}

impl fmt::Display for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &CStyle::default())
    }
}

/// A program with the way it is written.
struct Styled<'a>(&'a Ast, &'a CStyle);

impl fmt::Display for Styled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, self.1)
    }
}

impl Ast {
    fn write(&self, f: &mut fmt::Formatter<'_>, style: &CStyle) -> fmt::Result {
        let names = Names { iterators: &self.iterators, style };
        match &self.root {
            Node::Block(nodes) => nodes.iter().try_for_each(|n| write_node(f, n, &names, 0)),
            node => write_node(f, node, &names, 0),
        }
    }

    /// The program in C.
    pub fn to_c(&self, style: &CStyle) -> String {
        Styled(self, style).to_string()
    }

    /// An expression of this program in C syntax.
    pub fn expr_text(&self, expr: &Expr) -> String {
        Named(expr, &Names { iterators: &self.iterators, style: &CStyle::default() }).to_string()
    }

    /// A condition of this program in C syntax.
    pub fn cond_text(&self, cond: &Cond) -> String {
        Named(cond, &Names { iterators: &self.iterators, style: &CStyle::default() }).to_string()
    }
}

fn indent(f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

/// A node that follows a loop or condition: on its own line, in braces if it is more than one line
/// of simple nesting.
fn write_body(f: &mut fmt::Formatter<'_>, node: &Node, its: &Names<'_>, depth: usize, braces: bool) -> fmt::Result {
    if !braces {
        f.write_str("\n")?;
        return write_node(f, node, its, depth + 1);
    }
    f.write_str(" {\n")?;
    match node {
        Node::Block(nodes) => nodes.iter().try_for_each(|n| write_node(f, n, its, depth + 1))?,
        node => write_node(f, node, its, depth + 1)?,
    }
    indent(f, depth)?;
    f.write_str("}")
}

fn needs_braces(node: &Node) -> bool {
    matches!(node, Node::Block(_) | Node::Mark { .. })
}

fn write_node(f: &mut fmt::Formatter<'_>, node: &Node, its: &Names<'_>, depth: usize) -> fmt::Result {
    indent(f, depth)?;
    match node {
        Node::Block(_) => {
            f.write_str("{\n")?;
            if let Node::Block(nodes) = node {
                nodes.iter().try_for_each(|n| write_node(f, n, its, depth + 1))?;
            }
            indent(f, depth)?;
            f.write_str("}\n")
        }
        Node::For(l) => write_loop(f, l, its, depth),
        Node::If { condition, then, otherwise } => {
            write!(f, "if ({})", Named(condition, its))?;
            let dangling = otherwise.is_some() && matches!(**then, Node::If { .. });
            let braces = needs_braces(then) || dangling || otherwise.as_deref().is_some_and(needs_braces);
            write_body(f, then, its, depth, braces)?;
            match otherwise {
                None if braces => f.write_str("\n"),
                None => Ok(()),
                Some(node) => {
                    if braces {
                        f.write_str(" else")?;
                    } else {
                        indent(f, depth)?;
                        f.write_str("else")?;
                    }
                    write_body(f, node, its, depth, braces)?;
                    if braces { f.write_str("\n") } else { Ok(()) }
                }
            }
        }
        Node::Mark { mark, body } => {
            writeln!(f, "// {mark}")?;
            match &**body {
                Node::Block(nodes) => nodes.iter().try_for_each(|n| write_node(f, n, its, depth)),
                node => write_node(f, node, its, depth),
            }
        }
        Node::User { statement, coordinates } => {
            write!(f, "{statement}(")?;
            write_list(f, coordinates, its)?;
            f.write_str(");\n")
        }
    }
}

fn write_loop(f: &mut fmt::Formatter<'_>, l: &For, its: &Names<'_>, depth: usize) -> fmt::Result {
    let name = &its.iterators[l.iterator.0].name;
    let kind = &its.style.iterator_type;
    match &l.grid {
        None => write!(f, "for ({kind} {name} = {}; ", Named(&l.lower, its))?,
        // The first multiple that is not less.
        Some(grid) => write!(f, "for ({kind} {name} = {grid}*ceild({}, {grid}); ", Named(&l.lower, its))?,
    }
    match &l.upper {
        None => f.write_str("1")?,
        Some(upper) => match strict_bound(upper) {
            Some(bound) => write!(f, "{name} < {}", Named(&bound, its))?,
            None => write!(f, "{name} <= {}", Named(upper, its))?,
        },
    }
    match &l.grid {
        None => write!(f, "; {name} += {})", l.step)?,
        Some(grid) => write!(f, "; {name} += {grid})")?,
    }
    let braces = needs_braces(&l.body);
    write_body(f, &l.body, its, depth, braces)?;
    if braces { f.write_str("\n") } else { Ok(()) }
}

/// `upper + 1`, if that is the simpler way to say it: `x < n` for `x <= n - 1`.
fn strict_bound(upper: &Expr) -> Option<Expr> {
    match upper {
        Expr::Add(terms) if terms.last().and_then(Expr::as_int).is_some_and(Int::is_neg_one) => {
            Some(Expr::sum(terms.iter().cloned().chain([Expr::int(1)])))
        }
        _ => None,
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, exprs: &[Expr], its: &Names<'_>) -> fmt::Result {
    for (i, e) in exprs.iter().enumerate() {
        let separator = if i == 0 { "" } else { ", " };
        write!(f, "{separator}{}", Named(e, its))?;
    }
    Ok(())
}

/// Minima and maxima of more than two values are nested calls.
fn write_nested(f: &mut fmt::Formatter<'_>, name: &str, values: &[Expr], its: &Names<'_>) -> fmt::Result {
    for (i, value) in values.iter().enumerate() {
        if i + 1 < values.len() {
            write!(f, "{name}({}, ", Named(value, its))?;
        } else {
            write!(f, "{}", Named(value, its))?;
        }
    }
    (1..values.len()).try_for_each(|_| f.write_char(')'))
}

impl fmt::Display for Named<'_, Expr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let its = self.1;
        match self.0 {
            Expr::Int(value) => write!(f, "{value}"),
            Expr::Param(id) => write!(f, "{id}"),
            Expr::Iter(IterId(slot)) => write!(f, "{}", its.iterators[*slot].name),
            Expr::Add(terms) => write_sum(f, terms, its),
            Expr::Mul(k, inner) if k.is_neg_one() => {
                f.write_str("-")?;
                write_factor(f, inner, its)
            }
            Expr::Mul(k, inner) => {
                write!(f, "{k} * ")?;
                write_factor(f, inner, its)
            }
            Expr::FloorDiv(inner, d) if its.divides(inner) => write_operation(f, inner, '/', d, its),
            Expr::Mod(inner, d) if its.divides(inner) => write_operation(f, inner, '%', d, its),
            Expr::FloorDiv(inner, d) => write!(f, "floord({}, {d})", Named(&**inner, its)),
            Expr::Mod(inner, d) => write!(f, "pmod({}, {d})", Named(&**inner, its)),
            Expr::Min(values) => write_nested(f, "min", values, its),
            Expr::Max(values) => write_nested(f, "max", values, its),
        }
    }
}

/// A quotient or remainder of C.
fn write_operation(f: &mut fmt::Formatter<'_>, inner: &Expr, operator: char, d: &Int, its: &Names<'_>) -> fmt::Result {
    f.write_char('(')?;
    write_factor(f, inner, its)?;
    write!(f, " {operator} {d})")
}

fn write_factor(f: &mut fmt::Formatter<'_>, expr: &Expr, its: &Names<'_>) -> fmt::Result {
    match expr {
        Expr::Add(_) | Expr::Mul(..) => write!(f, "({})", Named(expr, its)),
        _ => write!(f, "{}", Named(expr, its)),
    }
}

/// Positive terms first, negative ones subtracted.
fn write_sum(f: &mut fmt::Formatter<'_>, terms: &[Expr], its: &Names<'_>) -> fmt::Result {
    let negative = |t: &Expr| match t {
        Expr::Int(v) => v.is_neg(),
        Expr::Mul(k, _) => k.is_neg(),
        _ => false,
    };
    let mut first = true;
    for t in terms.iter().filter(|t| !negative(t)) {
        write!(f, "{}{}", if first { "" } else { " + " }, Named(t, its))?;
        first = false;
    }
    for t in terms.iter().filter(|t| negative(t)) {
        if first {
            write!(f, "{}", Named(t, its))?;
            first = false;
        } else {
            write!(f, " - {}", Named(&t.clone().times(&Int::NEG_ONE), its))?;
        }
    }
    Ok(())
}

/// The terms of `expr` with a positive sign, and the negated ones of the others.
fn sides(expr: &Expr) -> (Vec<Expr>, Vec<Expr>) {
    let terms = match expr {
        Expr::Add(terms) => terms.clone(),
        other => vec![other.clone()],
    };
    let mut sides = (Vec::new(), Vec::new());
    for term in terms {
        let negative = matches!(&term, Expr::Int(v) if v.is_neg()) || matches!(&term, Expr::Mul(k, _) if k.is_neg());
        if negative {
            sides.1.push(term.times(&Int::NEG_ONE));
        } else {
            sides.0.push(term);
        }
    }
    sides
}

/// `left op right`; `a >= b + 1` is printed as `a > b` and `a + 1 >= b` stays.
fn write_comparison(f: &mut fmt::Formatter<'_>, expr: &Expr, operator: &str, its: &Names<'_>) -> fmt::Result {
    let (left, right) = sides(expr);
    let (left, right) = (Expr::sum(left), Expr::sum(right));
    if operator == ">="
        && let Expr::Add(terms) = &right
        && terms.last().and_then(Expr::as_int).is_some_and(Int::is_one)
    {
        let right = Expr::sum(terms[..terms.len() - 1].iter().cloned());
        return write!(f, "{} > {}", Named(&left, its), Named(&right, its));
    }
    if matches!(left, Expr::Int(_)) && operator == ">=" {
        return write!(f, "{} <= {}", Named(&right, its), Named(&left, its));
    }
    if matches!(left, Expr::Int(_)) {
        return write!(f, "{} {operator} {}", Named(&right, its), Named(&left, its));
    }
    write!(f, "{} {operator} {}", Named(&left, its), Named(&right, its))
}

impl fmt::Display for Named<'_, Cond> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let its = self.1;
        let joined = |f: &mut fmt::Formatter<'_>, conds: &[Cond], operator: &str| {
            for (i, c) in conds.iter().enumerate() {
                let separator = if i == 0 { "" } else { operator };
                match c {
                    Cond::And(_) | Cond::Or(_) => write!(f, "{separator}({})", Named(c, its))?,
                    _ => write!(f, "{separator}{}", Named(c, its))?,
                }
            }
            Ok(())
        };
        match self.0 {
            Cond::True => f.write_str("1"),
            Cond::False => f.write_str("0"),
            Cond::And(conds) => joined(f, conds, " && "),
            Cond::Or(conds) => joined(f, conds, " || "),
            Cond::Not(cond) => write!(f, "!({})", Named(&**cond, its)),
            Cond::NonNegative(expr) => write_comparison(f, expr, ">=", its),
            // Whatever its sign, a remainder is zero or not.
            Cond::Zero(Expr::Mod(inner, d)) if its.style.operators => {
                write_operation(f, inner, '%', d, its)?;
                f.write_str(" == 0")
            }
            Cond::Zero(expr) => write_comparison(f, expr, "==", its),
        }
    }
}
