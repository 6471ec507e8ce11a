//! Whether a system means something: every value is defined, and only once.
//!
//! # What is checked
//! With the *context domain* of every expression, the points at which its value is needed:
//! 1. What is read is inside of the variable's domain.
//! 2. Branches of a case have no point in common, and leave none out.
//! 3. A reduction has finitely many points for every answer; a minimum or maximum has at least one.
//! 4. Types fit: conditions are no numbers, operations on bits are for integers, no integer
//!    variable gets a floating-point value.
//! 5. Outputs and inputs have finitely many values.
//!
//! Every question is one about the emptiness of a set; a point of it is the witness. That no value
//! depends on itself is not decided here: the interpreter names a cycle, and a legal schedule
//! proves that there is none.

use poly_presburger::{Budget, Set, Stop};

use crate::diagnostic::{Diagnostic, Flaw, Span};
use crate::domain::{answers, body_context, contributions, has_neutral, named, preimage};
use crate::program::{Equation, Expr, ExprKind, Reduce, Scalar, System, Unary};
use crate::witness::{described, outside};

/// What is wrong with a system.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn check(system: &System, budget: &mut Budget) -> Result<Vec<Diagnostic>, Stop> {
    located(system, budget).map_err(|(_, stop)| stop)
}

/// What is wrong with a system; a question that is too hard is one more flaw, where it arose.
pub(crate) fn flaws(system: &System, budget: &mut Budget) -> Vec<Diagnostic> {
    located(system, budget).unwrap_or_else(|(span, stop)| vec![Diagnostic::from(stop).within(&span)])
}

fn located(system: &System, budget: &mut Budget) -> Result<Vec<Diagnostic>, (Span, Stop)> {
    let mut checker = Checker { system, found: Vec::new(), misfit: None };
    for variable in &system.variables {
        let witness = unbounded(&variable.domain, budget).map_err(|stop| (variable.span.clone(), stop))?;
        if let Some(witness) = witness {
            let message = format!("`{}` has infinitely many values", variable.name);
            checker.found.push(Diagnostic::new(Flaw::Infinite, variable.span.clone(), message).at(witness));
        }
    }
    for equation in &system.equations {
        checker.equation(equation, budget).map_err(|stop| (equation.span.clone(), stop))?;
    }
    Ok(checker.found)
}

/// Parameter values for which a set is not finite.
fn unbounded(set: &Set, budget: &mut Budget) -> Result<Option<String>, Stop> {
    for basic in set.basic_sets() {
        let part = Set::from_basic(basic);
        if !part.is_bounded(budget)? {
            return described(&part.params(), budget);
        }
    }
    Ok(None)
}

/// What kind of value an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Integer,
    Float,
    Condition,
}

impl Class {
    fn of(scalar: Scalar) -> Self {
        if scalar.is_float() { Self::Float } else { Self::Integer }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Integer => "an integer",
            Self::Float => "a floating-point number",
            Self::Condition => "a condition",
        }
    }
}

/// The kind of value, of an expression whose types fit.
pub(crate) fn class(system: &System, expr: &Expr) -> Class {
    classify(system, expr).unwrap_or(Class::Integer)
}

/// The kind of value, or what does not fit. The recursion is bounded by the depth of the
/// expression.
fn classify<'e>(system: &System, expr: &'e Expr) -> Result<Class, Misfit<'e>> {
    let integers = |at: &'e Expr, words: &str| Err(Misfit { at, kind: Flaw::NotInteger, message: words.to_owned() });
    let number = |e: &'e Expr| match classify(system, e)? {
        Class::Condition => Err(Misfit::condition(e)),
        class => Ok(class),
    };
    let condition = |e: &'e Expr| match classify(system, e)? {
        Class::Condition => Ok(()),
        class => {
            let message = format!("a condition is needed, this is {}", class.words());
            Err(Misfit { at: e, kind: Flaw::NotCondition, message })
        }
    };
    let common = |a: Class, b: Class| if a == Class::Float || b == Class::Float { Class::Float } else { a };
    Ok(match &expr.kind {
        ExprKind::Int(_) | ExprKind::Index(_) => Class::Integer,
        ExprKind::Float(_) => Class::Float,
        ExprKind::Read(variable, _) => Class::of(system.variables[*variable].scalar),
        ExprKind::Unary(Unary::Neg, e) => number(e)?,
        ExprKind::Unary(Unary::Not, e) => {
            condition(e)?;
            Class::Condition
        }
        ExprKind::Unary(Unary::To(scalar), e) => {
            number(e)?;
            Class::of(*scalar)
        }
        ExprKind::Unary(Unary::BitNot, e) => match number(e)? {
            Class::Integer => Class::Integer,
            _ => return integers(e, "bits are those of integers"),
        },
        ExprKind::Binary(operator, a, b) if operator.is_logical() => {
            condition(a)?;
            condition(b)?;
            Class::Condition
        }
        ExprKind::Binary(operator, a, b) => {
            let class = common(number(a)?, number(b)?);
            if operator.is_integral() && class == Class::Float {
                return integers(expr, "this operation is for integers");
            }
            if operator.is_comparison() { Class::Condition } else { class }
        }
        ExprKind::Call(external, values) => {
            let external = &system.externals[*external];
            for (value, scalar) in values.iter().zip(&external.arguments) {
                if number(value)? == Class::Float && !scalar.is_float() {
                    return integers(value, &format!("`{}` takes an integer here", external.name));
                }
            }
            Class::of(external.result)
        }
        ExprKind::If(test, a, b) => {
            condition(test)?;
            common(number(a)?, number(b)?)
        }
        ExprKind::Case(branches) => {
            let mut class = number(&branches[0].body)?;
            for branch in &branches[1..] {
                class = common(class, number(&branch.body)?);
            }
            class
        }
        ExprKind::Reduce(reduce) => {
            let class = number(&reduce.body)?;
            let bits = crate::program::operation(reduce.operator).is_integral();
            if bits && class == Class::Float {
                return integers(&reduce.body, "bits are those of integers");
            }
            class
        }
        ExprKind::At { body, .. } => number(body)?,
    })
}

/// An expression of a kind that does not fit.
struct Misfit<'e> {
    at: &'e Expr,
    kind: Flaw,
    message: String,
}

impl<'e> Misfit<'e> {
    fn condition(at: &'e Expr) -> Self {
        Self { at, kind: Flaw::NotNumber, message: "a number is needed, this is a condition".to_owned() }
    }
}

struct Checker<'a> {
    system: &'a System,
    found: Vec<Diagnostic>,
    /// What has not yet been met; where it is needed, it is wrong.
    misfit: Option<Misfit<'a>>,
}

impl<'a> Checker<'a> {
    fn equation(&mut self, equation: &'a Equation, budget: &mut Budget) -> Result<(), Stop> {
        let variable = &self.system.variables[equation.variable];
        let body = &equation.body;
        self.misfit = match classify(self.system, body) {
            Err(misfit) => Some(misfit),
            Ok(Class::Condition) => Some(Misfit::condition(body)),
            Ok(Class::Float) if !variable.scalar.is_float() => {
                let message = format!("`{}` has integer values, this is a floating-point number", variable.name);
                Some(Misfit { at: body, kind: Flaw::NotInteger, message })
            }
            Ok(_) => None,
        };
        let context = named(&variable.domain, &self.system.scope(&equation.dims));
        self.expr(body, &context, budget)?;
        // It is inside of something that has another flaw.
        let hidden = self.misfit.take();
        self.found.extend(hidden.map(|misfit| Diagnostic::new(misfit.kind, misfit.at.span.clone(), misfit.message)));
        Ok(())
    }

    /// An expression that is needed at these points. The recursion is bounded by the depth of the
    /// expression.
    fn expr(&mut self, expr: &Expr, context: &Set, budget: &mut Budget) -> Result<(), Stop> {
        if let Some(misfit) = self.misfit.take_if(|misfit| std::ptr::eq(misfit.at, expr)) {
            let flaw = Diagnostic::new(misfit.kind, expr.span.clone(), misfit.message);
            self.found.push(flaw.at_point_of(context, budget)?);
        }
        match &expr.kind {
            ExprKind::Read(variable, access) => {
                let variable = &self.system.variables[*variable];
                let good = preimage(&variable.domain, access, context.space());
                if let Some(witness) = outside(context, &good, budget)? {
                    let message = format!("`{}` is read where it is not defined,", variable.name);
                    let flaw = Diagnostic::new(Flaw::Undefined, expr.span.clone(), message).at(witness);
                    self.found.push(flaw.with_place(variable.span.clone(), "declared here"));
                }
                Ok(())
            }
            ExprKind::Case(branches) => {
                let mut rest = context.clone();
                for (i, branch) in branches.iter().enumerate() {
                    let own = context.intersect(&branch.domain);
                    for other in &branches[..i] {
                        if let Some(witness) = described(&own.intersect(&other.domain), budget)? {
                            let place = branch.body.span.clone();
                            let flaw = Diagnostic::new(Flaw::Overlap, place, "two branches have a value").at(witness);
                            self.found.push(flaw.with_place(other.body.span.clone(), "the other branch"));
                        }
                    }
                    rest = rest.subtract(&branch.domain, budget)?;
                    self.expr(&branch.body, &own.compute_divs(budget)?, budget)?;
                }
                if let Some(witness) = described(&rest, budget)? {
                    let flaw = Diagnostic::new(Flaw::Hole, expr.span.clone(), "there is no value");
                    self.found.push(flaw.at(witness));
                }
                Ok(())
            }
            ExprKind::Reduce(reduce) => self.reduction(reduce, expr, context, budget),
            ExprKind::At { map, body, dims } => {
                let graph =
                    map.to_map().intersect_domain(&context.set_tuple(map.domain_space().range.expect("a tuple")));
                let image = named(&graph.range(), &self.system.scope(dims)).compute_divs(budget)?;
                self.expr(body, &image, budget)
            }
            _ => expr.children().into_iter().try_for_each(|child| self.expr(child, context, budget)),
        }
    }

    fn reduction(&mut self, reduce: &Reduce, expr: &Expr, context: &Set, budget: &mut Budget) -> Result<(), Stop> {
        let points = body_context(reduce, context).compute_divs(budget)?;
        for basic in points.basic_sets() {
            let part = Set::from_basic(basic);
            // Directions in which the answer stays: its dimensions are parameters.
            let n = context.n_dim();
            let names = part.space().variable_names();
            let fixed = part.move_dims(
                poly_presburger::DimKind::Param,
                part.space().params.len(),
                poly_presburger::DimKind::Out,
                0,
                n,
            );
            if !fixed.is_bounded(budget)? {
                let answer = answers(&part, context.space());
                debug_assert!(names.len() >= n, "dimensions have names");
                let witness = described(&answer, budget)?.unwrap_or_default();
                let message = "the reduction has infinitely many points";
                self.found.push(Diagnostic::new(Flaw::InfiniteReduction, expr.span.clone(), message).at(witness));
                return Ok(());
            }
        }
        if !has_neutral(reduce.operator) {
            let graph = contributions(&points, context.space());
            let with = named(&graph.domain(), context.space());
            if let Some(witness) = outside(context, &with, budget)? {
                let word = crate::program::reduction_word(reduce.operator);
                let message = format!("`{word}` of nothing has no value, as");
                self.found.push(Diagnostic::new(Flaw::EmptyReduction, expr.span.clone(), message).at(witness));
            }
        }
        self.expr(&reduce.body, &points, budget)
    }
}
