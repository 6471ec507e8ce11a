//! Loops in C.

use std::fmt::Write;

use poly_ast_build::{Ast, Expr, Node};
use poly_presburger::Id;

/// Writes the loops of a program.
pub(crate) struct Loops<'a> {
    pub(crate) ast: &'a Ast,
    /// The line of a statement instance, by its name and coordinates.
    pub(crate) line: &'a dyn Fn(&Id, &[Expr]) -> String,
}

impl Loops<'_> {
    /// A node; with `share`, threads share the outermost loops without dependences. The recursion
    /// is bounded by the depth of the loops.
    pub(crate) fn node(&self, node: &Node, depth: usize, share: bool, text: &mut String) {
        let indent = "  ".repeat(depth);
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.node(node, depth, share, text)),
            Node::For(f) => {
                let mut inner = String::new();
                self.node(&f.body, depth + 1, share && !f.coincident, &mut inner);
                // Nothing is left of statements whose values are where they go.
                if inner.is_empty() {
                    return;
                }
                let shared = share && f.coincident;
                if shared {
                    let _ = writeln!(text, "#pragma omp parallel for");
                }
                let counter = &self.ast.iterators[f.iterator.0].name;
                let (lower, step) = (self.ast.expr_text(&f.lower), &f.step);
                let upper = f.upper.as_ref().map_or_else(|| "INT64_MAX".to_owned(), |u| self.ast.expr_text(u));
                let step = if step.is_one() { format!("{counter}++") } else { format!("{counter} += {step}") };
                let _ = writeln!(text, "{indent}for (int64_t {counter} = {lower}; {counter} <= {upper}; {step}) {{");
                text.push_str(&inner);
                let _ = writeln!(text, "{indent}}}");
            }
            Node::If { condition, then, otherwise } => {
                let (mut yes, mut no) = (String::new(), String::new());
                self.node(then, depth + 1, share, &mut yes);
                otherwise.iter().for_each(|node| self.node(node, depth + 1, share, &mut no));
                if yes.is_empty() && no.is_empty() {
                    return;
                }
                let _ = writeln!(text, "{indent}if ({}) {{", self.ast.cond_text(condition));
                text.push_str(&yes);
                if !no.is_empty() {
                    let _ = write!(text, "{indent}}} else {{\n{no}");
                }
                let _ = writeln!(text, "{indent}}}");
            }
            Node::Mark { body, .. } => self.node(body, depth, share, text),
            Node::User { statement, coordinates } => {
                let line = (self.line)(statement, coordinates);
                if !line.is_empty() {
                    let _ = writeln!(text, "{indent}{line}");
                }
            }
        }
    }
}
