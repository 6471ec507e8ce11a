//! How programs are written in C.

use std::collections::BTreeSet;

use poly_presburger::{Budget, Id, Set, Stop};

use crate::ast::{Ast, Cond, Expr, For, Node};
use crate::place::{AstVisitor, Place};

/// How a program is written in C. By default counters are `int`, and quotients and remainders are
/// calls of `floord` and `pmod`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct CStyle {
    pub(crate) iterator_type: String,
    /// The numbers that are divided and not negative, wherever they are.
    pub(crate) non_negative: BTreeSet<Expr>,
    /// Whether C's operators are used at all.
    pub(crate) operators: bool,
}

impl Default for CStyle {
    fn default() -> CStyle {
        CStyle { iterator_type: "int".to_owned(), non_negative: BTreeSet::new(), operators: false }
    }
}

impl CStyle {
    /// With another type of counters; isl's `ast_iterator_type`.
    pub fn with_iterator_type(self, name: &str) -> CStyle {
        CStyle { iterator_type: name.to_owned(), ..self }
    }

    /// Whether a number is not negative wherever it is divided.
    pub fn is_non_negative(&self, divided: &Expr) -> bool {
        self.non_negative.contains(divided)
    }

    /// With C's `/` and `%` where what is divided is not negative for parameter values in
    /// `context`, and in tests for divisibility; isl's `ast_build_prefer_pdiv`. Good for this
    /// program only.
    ///
    /// ```
    /// use poly_ast_build::{AstOptions, CStyle, build};
    /// use poly_presburger::Budget;
    /// use poly_schedule_tree::ScheduleTree;
    ///
    /// let tree: ScheduleTree = r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
    ///     schedule: "[{ S[i] -> [(floor(i/4))] }]" } }"#.parse()?;
    /// let context = "[n] -> { : n >= 1 }".parse()?;
    /// let budget = &mut Budget::unlimited();
    /// let ast = build(&tree, &context, &AstOptions::default(), budget)?;
    /// assert!(ast.to_string().starts_with("for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)"));
    /// let style = CStyle::default().with_iterator_type("long").prefer_pdiv(&ast, &context, budget)?;
    /// assert!(ast.to_c(&style).starts_with("for (long c0 = 0; c0 <= ((n - 1) / 4); c0 += 1)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn prefer_pdiv(self, ast: &Ast, context: &Set, budget: &mut Budget) -> Result<CStyle, Stop> {
        let mut found = Divided { non_negative: BTreeSet::new(), others: BTreeSet::new() };
        ast.visited(context, &mut found, budget)?;
        let non_negative = found.non_negative.difference(&found.others).cloned().collect();
        Ok(CStyle { non_negative, operators: true, ..self })
    }
}

/// What is divided, and whether it is negative.
struct Divided {
    non_negative: BTreeSet<Expr>,
    others: BTreeSet<Expr>,
}

impl Divided {
    fn look_at(&mut self, expr: &Expr, place: &Place<'_>, budget: &mut Budget) -> Result<(), Stop> {
        let mut divided = Vec::new();
        expr.for_each(&mut |part| {
            if let Expr::FloorDiv(inner, _) | Expr::Mod(inner, _) = part {
                divided.push((**inner).clone());
            }
        });
        for inner in divided {
            let certain = place.implies(&Cond::NonNegative(inner.clone()), budget)?;
            let list = if certain { &mut self.non_negative } else { &mut self.others };
            list.insert(inner);
        }
        Ok(())
    }
}

impl AstVisitor for Divided {
    fn before_each_for(&mut self, node: &For, place: &Place<'_>, budget: &mut Budget) -> Result<(), Stop> {
        node.upper.iter().chain([&node.lower]).try_for_each(|bound| self.look_at(bound, place, budget))
    }

    fn before_each_if(&mut self, condition: &Cond, place: &Place<'_>, budget: &mut Budget) -> Result<(), Stop> {
        let mut result = Ok(());
        condition.for_each(&mut |expr| {
            if result.is_ok() {
                result = self.look_at(expr, place, budget);
            }
        });
        result
    }

    fn at_each_domain(
        &mut self,
        statement: Id,
        coordinates: Vec<Expr>,
        place: &Place<'_>,
        budget: &mut Budget,
    ) -> Result<Node, Stop> {
        coordinates.iter().try_for_each(|expr| self.look_at(expr, place, budget))?;
        Ok(Node::User { statement, coordinates })
    }
}
