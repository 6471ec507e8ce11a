//! Systems as text of the language. What is printed is read again as the same system.

use std::fmt::{self, Write};

use poly_presburger::{Aff, Id, MultiAff, Set};

use crate::domain::named;
use crate::program::{Binary, Equation, Expr, ExprKind, Reduce, Role, System, Unary, reduction_word, scope};

/// How strongly a reduction or `if` binds: less than everything else.
const WEAKEST: u8 = 0;
const STRONGEST: u8 = 20;

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for external in self.externals.iter() {
            let arguments: Vec<&str> = external.arguments.iter().map(|scalar| scalar.word()).collect();
            writeln!(f, "extern {} {}({});", external.result, external.name, arguments.join(", "))?;
        }
        let params: Vec<&str> = self.params.iter().map(Id::as_str).collect();
        write!(f, "system {}", self.name)?;
        if !params.is_empty() {
            write!(f, "[{}]", params.join(", "))?;
        }
        let context = self.context.condition_text();
        if !context.is_empty() {
            write!(f, " where {context}")?;
        }
        f.write_str(" {\n")?;
        for role in [Role::In, Role::Out, Role::Let] {
            for (i, variable) in self.variables.iter().enumerate().filter(|(_, v)| v.role == role) {
                let names = self.equation(i).map(|equation| equation.dims.clone());
                let names = names.unwrap_or_else(|| dimension_names(&variable.domain, self));
                // What the context says need not be said again.
                let known = variable.domain.gist_params(&self.context, &mut poly_presburger::Budget::new(1_000_000));
                let domain = known.unwrap_or_else(|_| variable.domain.clone());
                let domain = set_text(&domain, &names, self);
                writeln!(f, "  {} {} {} : {domain};", role.word(), variable.scalar, variable.name)?;
            }
        }
        for equation in &self.equations {
            writeln!(f, "  {}", equation_text(self, equation))?;
        }
        f.write_str("}\n")
    }
}

/// The names of a set's dimensions, none of them twice and none that of a parameter.
pub(crate) fn dimension_names(set: &Set, system: &System) -> Vec<String> {
    set.space().variable_names()[system.params.len()..].to_vec()
}

fn set_text(set: &Set, names: &[String], system: &System) -> String {
    let set = named(set, &scope(&system.params, names));
    let condition = set.condition_text();
    let tuple = format!("[{}]", names.join(", "));
    if condition.is_empty() { format!("{{ {tuple} }}") } else { format!("{{ {tuple} : {condition} }}") }
}

/// The condition of a set over a scope, in words that are never empty.
pub(crate) fn condition(set: &Set, names: &[String], system: &System) -> String {
    let text = named(set, &scope(&system.params, names)).condition_text();
    if text.is_empty() { "true".to_owned() } else { text }
}

/// An equation as it is written.
pub fn equation_text(system: &System, equation: &Equation) -> String {
    let name = &system.variables[equation.variable].name;
    let printer = Printer { system };
    let mut text = format!("{name}[{}] = ", equation.dims.join(", "));
    printer.expr(&equation.body, &equation.dims, WEAKEST, 4, &mut text);
    text.push(';');
    text
}

/// An expression as it is written, in a scope with these names.
pub fn expr_text(system: &System, expr: &Expr, dims: &[String]) -> String {
    let mut text = String::new();
    Printer { system }.expr(expr, dims, WEAKEST, 4, &mut text);
    text
}

/// An affine function as it is written.
pub(crate) fn aff_text(aff: &Aff, dims: &[String], system: &System) -> String {
    let function = aff.pullback(&MultiAff::identity(&scope(&system.params, dims)));
    let text = function.to_string();
    let inner = text.rfind("-> [(").map(|at| &text[at + 5..text.len() - 4]);
    inner.unwrap_or(&text).to_owned()
}

fn list(map: &MultiAff, dims: &[String], system: &System) -> Vec<String> {
    map.affs().iter().map(|aff| aff_text(aff, dims, system)).collect()
}

struct Printer<'a> {
    system: &'a System,
}

impl Printer<'_> {
    /// Writes an expression, in parentheses if it binds less strongly than its place asks for. The
    /// recursion is bounded by its depth.
    fn expr(&self, expr: &Expr, dims: &[String], strength: u8, indent: usize, out: &mut String) {
        let own = own_strength(expr);
        if own < strength {
            out.push('(');
            self.inner(expr, dims, indent, out);
            out.push(')');
        } else {
            self.inner(expr, dims, indent, out);
        }
    }

    fn inner(&self, expr: &Expr, dims: &[String], indent: usize, out: &mut String) {
        match &expr.kind {
            ExprKind::Int(value) => out.push_str(&value.to_string()),
            ExprKind::Float(value) => out.push_str(&format!("{value:?}")),
            ExprKind::Index(aff) => out.push_str(&format!("val[{}]", aff_text(aff, dims, self.system))),
            ExprKind::Read(variable, access) => {
                out.push_str(&self.system.variables[*variable].name);
                if access.n_out() > 0 {
                    out.push_str(&format!("[{}]", list(access, dims, self.system).join(", ")));
                }
            }
            ExprKind::Unary(operator @ Unary::To(_), e) => {
                out.push_str(operator.text());
                self.arguments(std::iter::once(&**e), dims, indent, out);
            }
            ExprKind::Unary(operator, e) => {
                out.push_str(operator.text());
                // Two signs in a row are no sign of the language, and a number has its own.
                self.expr(e, dims, STRONGEST, indent, out);
            }
            ExprKind::Binary(operator, a, b) => self.binary(*operator, a, b, dims, indent, out),
            ExprKind::Call(external, values) => {
                out.push_str(&self.system.externals[*external].name);
                self.arguments(values.iter(), dims, indent, out);
            }
            ExprKind::If(test, a, b) => {
                for (word, part) in [("if ", test), (" then ", a), (" else ", b)] {
                    out.push_str(word);
                    self.expr(part, dims, WEAKEST, indent, out);
                }
            }
            ExprKind::Case(branches) => {
                out.push_str("case {\n");
                for branch in branches {
                    let condition = condition(&branch.domain, dims, self.system);
                    let _ = write!(out, "{:indent$}{condition} : ", "");
                    self.expr(&branch.body, dims, WEAKEST, indent + 2, out);
                    out.push_str(";\n");
                }
                let _ = write!(out, "{:1$}}}", "", indent - 2);
            }
            ExprKind::Reduce(reduce) => self.reduce(reduce, dims, indent, out),
            ExprKind::At { map, dims: inner, body } => {
                out.push('(');
                self.expr(body, inner, WEAKEST, indent, out);
                let parts: Vec<String> = inner
                    .iter()
                    .zip(list(map, dims, self.system))
                    .map(|(name, aff)| format!("{name} = {aff}"))
                    .collect();
                out.push_str(&format!(") @ [{}]", parts.join(", ")));
            }
        }
    }

    fn reduce(&self, reduce: &Reduce, dims: &[String], indent: usize, out: &mut String) {
        let inner: Vec<String> = dims.iter().chain(&reduce.dims).cloned().collect();
        let condition = condition(&reduce.domain, &inner, self.system);
        let word = reduction_word(reduce.operator);
        out.push_str(&format!("{word}[{} : {condition}] ", reduce.dims.join(", ")));
        self.expr(&reduce.body, &inner, WEAKEST, indent, out);
    }

    fn binary(&self, operator: Binary, a: &Expr, b: &Expr, dims: &[String], indent: usize, out: &mut String) {
        let Some((sign, strength)) = operator.infix() else {
            out.push_str(if operator == Binary::Min { "min" } else { "max" });
            return self.arguments([a, b].into_iter(), dims, indent, out);
        };
        // Comparisons have no chains.
        let left = if operator.is_comparison() { strength + 1 } else { strength };
        // What reaches as far as it can has to be in parentheses on the left.
        self.expr(a, dims, left.max(1), indent, out);
        out.push_str(&format!(" {sign} "));
        self.expr(b, dims, strength + 1, indent, out);
    }

    fn arguments<'e>(&self, values: impl Iterator<Item = &'e Expr>, dims: &[String], indent: usize, out: &mut String) {
        out.push('(');
        for (i, value) in values.enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.expr(value, dims, WEAKEST, indent, out);
        }
        out.push(')');
    }
}

fn own_strength(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::If(..) | ExprKind::Reduce(_) => WEAKEST,
        ExprKind::Binary(operator, ..) => operator.infix().map_or(STRONGEST, |(_, strength)| strength),
        ExprKind::Unary(Unary::To(_), _) => STRONGEST,
        ExprKind::Unary(..) => STRONGEST - 1,
        ExprKind::Int(value) if *value < 0 => STRONGEST - 1,
        ExprKind::Float(value) if value.is_sign_negative() => STRONGEST - 1,
        _ => STRONGEST,
    }
}
