//! The main loop of parametric integer programming; see [`super`] for the algorithm.

use std::cmp::Reverse;

use poly_arith::{Coeff, Int};

use super::context::{Context, Sign, negation, resized};
use super::tree::{Outcome, ROOT, Tree};
use crate::budget::Budget;
use crate::solver::lexmin::LexTableau;
use crate::solver::{Interrupt, System, ilp_is_empty};

/// The position of the big parameter in a tableau row; those of parameters and divs follow.
const BIG: usize = 2;
/// The number of cuts on a branch after which it is tested for integer points for the first time.
const CUTS_BEFORE_CHECK: usize = 16;

/// The input: the system over parameters and variables, simplified, with an integer point, the
/// context, and an integer point of the context.
pub(super) struct Problem<'a> {
    pub(super) system: System,
    pub(super) context: &'a System,
    pub(super) np: usize,
    pub(super) witness: Vec<Int>,
}

/// How a variable relates to the nonnegative variable of the tableau that represents it.
#[derive(Clone, Debug)]
enum Origin {
    /// `x = x' + constant`
    Constant(Int),
    /// `x = x' - M`
    Big,
}

/// A branch that is being followed.
#[derive(Clone)]
struct Branch<T> {
    node: usize,
    tableau: LexTableau<T>,
    context: Context,
    n_cut: usize,
    /// The number of cuts at which the branch is next tested for integer points.
    next_check: usize,
    /// The steps spent on this branch and its ancestors since the last test.
    spent: u64,
}

/// The next event on a branch.
enum Event {
    Leaf(Outcome),
    /// The context is split by the sign of a form.
    Split(Vec<Int>),
}

/// What became of the first variable that is not obviously an integer.
enum Integrality {
    /// All variables are integers.
    Integer,
    /// The tableau or the context was changed: look again.
    Changed,
    Event(Event),
}

struct Solver<'a> {
    problem: &'a Problem<'a>,
    origins: Vec<Origin>,
}

/// Solves a problem with the given coefficient type.
pub(super) fn run<T: Coeff>(problem: &Problem<'_>, budget: &mut Budget) -> Result<Tree, Interrupt> {
    let solver = Solver { problem, origins: origins(&problem.system, problem.np) };
    let mut tree = Tree::new(problem.np);
    let tableau = solver.initial_tableau::<T>(budget)?;
    let context = Context::new(problem.context, problem.witness.clone());
    let root = Branch { node: ROOT, tableau, context, n_cut: 0, next_check: CUTS_BEFORE_CHECK, spent: 0 };
    let mut stack = vec![root];
    while let Some(mut branch) = stack.pop() {
        match solver.follow(&mut branch, budget)? {
            Event::Leaf(outcome) => tree.close(branch.node, branch.context.divs, outcome),
            Event::Split(form) => {
                let [above, below] = tree.split(branch.node, branch.context.divs.clone(), form.clone());
                let mut other = branch.clone();
                branch.node = above;
                branch.context.restrict(&form);
                other.node = below;
                other.context.restrict(&negation(&form));
                stack.extend([other, branch]);
            }
        }
    }
    Ok(tree)
}

/// For each variable a constant lower bound, if a constraint gives one, or the big parameter.
fn origins(system: &System, np: usize) -> Vec<Origin> {
    let mut origins = vec![Origin::Big; system.n - np];
    for row in &system.ineqs {
        let mut used = (1..row.len()).filter(|&i| !row[i].is_zero());
        let (Some(col), None) = (used.next(), used.next()) else { continue };
        if col <= np || !row[col].is_pos() {
            continue;
        }
        let bound = (-&row[0]).div_ceil(&row[col]);
        let origin = &mut origins[col - 1 - np];
        if !matches!(origin, Origin::Constant(known) if *known >= bound) {
            *origin = Origin::Constant(bound);
        }
    }
    origins
}

impl Solver<'_> {
    /// A row of the system as a form over `[1, M, params, x']`.
    fn shifted_form<T: Coeff>(&self, row: &[Int]) -> Result<Vec<T>, Interrupt> {
        let np = self.problem.np;
        let mut form = Vec::with_capacity(row.len() + 1);
        form.extend([row[0].clone(), Int::ZERO]);
        form.extend_from_slice(&row[1..]);
        for (origin, value) in self.origins.iter().zip(&row[1 + np..]) {
            match origin {
                Origin::Constant(bound) => form[0] += value * bound,
                Origin::Big => form[1] -= value,
            }
        }
        Ok(T::row_from_ints(&form)?)
    }

    fn initial_tableau<T: Coeff>(&self, budget: &mut Budget) -> Result<LexTableau<T>, Interrupt> {
        let system = &self.problem.system;
        let mut tableau = LexTableau::<T>::new(1 + self.problem.np, self.origins.len(), system.ineqs.len());
        let mut on_params = Vec::new();
        for row in &system.eqs {
            let form = tableau.express(&self.shifted_form(row)?)?;
            match tableau.last_var_col(&form) {
                Some(col) => tableau.eliminate_equality(form, col, budget)?,
                None => on_params.push(row),
            }
        }
        for row in on_params {
            let form = tableau.express(&self.shifted_form(row)?)?;
            let mut opposite = form.clone();
            opposite[1..].iter_mut().for_each(|value| *value = value.neg());
            tableau.push_row(form);
            tableau.push_row(opposite);
        }
        for row in &system.ineqs {
            let form = tableau.express(&self.shifted_form(row)?)?;
            tableau.push_row(form);
        }
        Ok(tableau)
    }

    /// Works on a branch until it ends or has to be split.
    fn follow<T: Coeff>(&self, branch: &mut Branch<T>, budget: &mut Budget) -> Result<Event, Interrupt> {
        loop {
            budget.spend(1)?;
            if let Some(event) = restore(branch, budget)? {
                return Ok(event);
            }
            match make_integer(branch, budget)? {
                Integrality::Integer => return Ok(Event::Leaf(self.outcome(branch))),
                Integrality::Event(event) => return Ok(event),
                Integrality::Changed => {}
            }
            if branch.n_cut >= branch.next_check {
                branch.next_check *= 2;
                if self.has_no_integer_point(branch, budget)? {
                    return Ok(Event::Leaf(Outcome::Empty));
                }
            }
        }
    }

    /// Tests whether the system has no integer point on the branch, with limited effort.
    fn has_no_integer_point<T>(&self, branch: &mut Branch<T>, budget: &mut Budget) -> Result<bool, Interrupt> {
        let np = self.problem.np;
        let known = branch.context.system();
        let n_div = known.n - np;
        let mut joint = System::new(self.problem.system.n + n_div);
        let insert_divs = |row: &Vec<Int>| {
            let mut wide = row[..=np].to_vec();
            wide.resize(1 + np + n_div, Int::ZERO);
            wide.extend_from_slice(&row[1 + np..]);
            wide
        };
        joint.eqs.extend(self.problem.system.eqs.iter().map(insert_divs));
        joint.ineqs.extend(self.problem.system.ineqs.iter().map(insert_divs));
        joint.ineqs.extend(known.ineqs.iter().map(|row| resized(row, joint.n + 1)));
        joint.eqs.extend(known.eqs.iter().map(|row| resized(row, joint.n + 1)));
        let mut part = budget.sub(1000 + 2 * (budget.spent() - branch.spent));
        let answer = ilp_is_empty(&joint, &mut part);
        budget.absorb(&part);
        branch.spent = budget.spent();
        Ok(answer == Ok(true))
    }

    /// The outcome on a branch all of whose variables are nonnegative integers.
    fn outcome<T: Coeff>(&self, branch: &Branch<T>) -> Outcome {
        let mut rows = Vec::with_capacity(self.origins.len());
        for (var, origin) in self.origins.iter().enumerate() {
            let Some(mut row) = value(&branch.tableau, var, origin) else {
                return Outcome::Unbounded;
            };
            let used = row.iter().rposition(|value| !value.is_zero()).map_or(0, |i| i + 1);
            row.truncate(used);
            rows.push(row);
        }
        Outcome::Point(rows)
    }
}

/// The value of a variable whose row is integral, over `[1, params, divs]`; `None` if the big
/// parameter does not cancel.
fn value<T: Coeff>(tableau: &LexTableau<T>, var: usize, origin: &Origin) -> Option<Vec<Int>> {
    let Some(row) = tableau.var_row(var) else {
        return match origin {
            Origin::Constant(bound) => Some(vec![bound.clone()]),
            Origin::Big => None,
        };
    };
    let elements = tableau.row(row);
    let d = elements[0].to_int();
    let mut form = numerator(elements, tableau.first_col());
    form.iter_mut().for_each(|value| *value = value.div_exact(&d));
    match origin {
        Origin::Constant(bound) => {
            form[0] += bound;
            elements[BIG].is_zero().then_some(form)
        }
        Origin::Big => (elements[BIG] == elements[0]).then_some(form),
    }
}

/// The numerator of the sample value of a row, without the big parameter.
fn numerator<T: Coeff>(row: &[T], first_col: usize) -> Vec<Int> {
    let mut form = vec![row[1].to_int()];
    form.extend(row[BIG + 1..first_col].iter().map(T::to_int));
    form
}

/// The signs of the sample value of a row.
fn row_sign<T: Coeff>(branch: &mut Branch<T>, row: usize, budget: &mut Budget) -> Result<Sign, Interrupt> {
    let elements = branch.tableau.row(row);
    match elements[BIG].sign() {
        1 => Ok(Sign::Nonnegative),
        -1 => Ok(Sign::Negative),
        _ => {
            let form = numerator(elements, branch.tableau.first_col());
            Ok(branch.context.sign(&form, budget)?)
        }
    }
}

/// Steps 2 to 4: pivots until all rows are nonnegative, unless the branch ends or is to be split.
fn restore<T: Coeff>(branch: &mut Branch<T>, budget: &mut Budget) -> Result<Option<Event>, Interrupt> {
    loop {
        let (mut undecided, mut implied, mut negative) = (Vec::new(), Vec::new(), None);
        for row in (0..branch.tableau.n_row()).rev() {
            match row_sign(branch, row, budget)? {
                Sign::Nonnegative if is_implied(&branch.tableau, row) => implied.push(row),
                Sign::Nonnegative => {}
                Sign::Any => undecided.push(row),
                Sign::Negative => {
                    negative = Some(row);
                    break;
                }
            }
        }
        let Some(row) = negative else {
            let split = best_split(branch, &undecided);
            implied.into_iter().for_each(|row| branch.tableau.drop_row(row));
            return Ok(split.map(Event::Split));
        };
        let Some(col) = branch.tableau.lex_pivot_col(row) else {
            return Ok(Some(Event::Leaf(Outcome::Empty)));
        };
        branch.tableau.pivot(row, col, budget)?;
    }
}

/// Is a row, whose sample value is nonnegative, one of a constraint without negative elements? It
/// can never become negative again.
fn is_implied<T: Coeff>(tableau: &LexTableau<T>, row: usize) -> bool {
    let first_col = tableau.first_col();
    tableau.row_var(row).is_none() && tableau.row(row)[first_col..].iter().all(|value| value.sign() >= 0)
}

/// The form by whose sign the context is split: that of the row whose nonnegativity seems to imply
/// that of most others, which makes the tree smaller. As this only guides the choice, implication
/// is judged by the witnesses of the context.
fn best_split<T: Coeff>(branch: &Branch<T>, rows: &[usize]) -> Option<Vec<Int>> {
    let first_col = branch.tableau.first_col();
    let forms: Vec<Vec<Int>> = rows.iter().map(|&row| numerator(branch.tableau.row(row), first_col)).collect();
    let implied = |form: &Vec<Int>| forms.iter().filter(|other| branch.context.may_imply(form, other)).count();
    let best = (0..rows.len()).min_by_key(|&i| (Reverse(implied(&forms[i])), rows[i]))?;
    Some(forms[best].clone())
}

/// Step 5 for the first variable that is not obviously an integer.
fn make_integer<T: Coeff>(branch: &mut Branch<T>, budget: &mut Budget) -> Result<Integrality, Interrupt> {
    let n_var = branch.tableau.n_var();
    let is_fractional = |row: &usize| {
        let elements = &branch.tableau.row(*row)[..branch.tableau.first_col()];
        let mut constants = elements[1..].iter().enumerate().filter(|(i, _)| i + 1 != BIG);
        constants.any(|(_, value)| !value.mod_floor(&elements[0]).is_zero())
    };
    let row = (0..n_var).filter_map(|var| branch.tableau.var_row(var)).find(is_fractional);
    match row {
        None => Ok(Integrality::Integer),
        Some(row) => treat_fraction(branch, row, budget),
    }
}

fn treat_fraction<T: Coeff>(branch: &mut Branch<T>, row: usize, budget: &mut Budget) -> Result<Integrality, Interrupt> {
    let first_col = branch.tableau.first_col();
    let elements = branch.tableau.row(row);
    let no_help = elements[first_col..].iter().all(|v| v.mod_floor(&elements[0]).is_zero());
    let residue = numerator(&residues(elements), first_col);
    if residue[1..].iter().all(Int::is_zero) {
        if no_help {
            return Ok(Integrality::Event(Event::Leaf(Outcome::Empty)));
        }
        add_cut(branch, row, None);
        return Ok(Integrality::Changed);
    }
    let d = elements[0].to_int();
    let n_div = branch.context.divs.len();
    let div = branch.context.div(&d, &residue);
    if div == n_div {
        branch.tableau.add_symbol();
    }
    let position = residue.len() - n_div + div;
    // The negated residue: nonnegative where the variable is an integer.
    let mut form: Vec<Int> = residue.iter().map(|value| -value).collect();
    form.resize(branch.context.system().n + 1, Int::ZERO);
    form[position] += &d;
    let symbol = BIG + position;
    match branch.context.sign(&form, budget)? {
        Sign::Nonnegative => rewrite(branch, row, symbol)?,
        Sign::Negative if no_help => {
            return Ok(Integrality::Event(Event::Leaf(Outcome::Empty)));
        }
        Sign::Any if no_help => return Ok(Integrality::Event(Event::Split(form))),
        Sign::Negative | Sign::Any => add_cut(branch, row, Some(symbol)),
    }
    Ok(Integrality::Changed)
}

/// The elements of a row negated modulo its denominator.
fn residues<T: Coeff>(row: &[T]) -> Vec<T> {
    row.iter().map(|value| value.neg().mod_floor(&row[0])).collect()
}

/// Given that the residue of a row is `d * q` for the div `q` at position `symbol`, replaces the
/// numerator `n` of the sample value by the equal form `(n + residue) - d * q`, all of whose
/// coefficients are divisible by `d`.
fn rewrite<T: Coeff>(branch: &mut Branch<T>, row: usize, symbol: usize) -> Result<(), Interrupt> {
    let first_col = branch.tableau.first_col();
    let residues = residues(branch.tableau.row(row));
    let elements = branch.tableau.row_mut(row);
    for at in (1..first_col).filter(|&at| at != BIG) {
        elements[at] = elements[at].add(&residues[at])?;
    }
    elements[symbol] = elements[symbol].sub(&elements[0])?;
    Ok(())
}

/// Adds the cut `sum (a_j mod d) y_j - residue >= 0`, where the residue is reduced modulo `d` by
/// the div at position `symbol` if it is not constant.
fn add_cut<T: Coeff>(branch: &mut Branch<T>, row: usize, symbol: Option<usize>) {
    let first_col = branch.tableau.first_col();
    let elements = branch.tableau.row(row);
    let d = &elements[0];
    let mut cut = residues(elements);
    cut[..first_col].iter_mut().for_each(|value| *value = value.neg());
    cut[0] = d.clone();
    cut[BIG] = T::zero();
    if let Some(symbol) = symbol {
        cut[symbol] = cut[symbol].add(d).expect("a residue is smaller than its modulus");
    }
    for (value, element) in cut[first_col..].iter_mut().zip(&elements[first_col..]) {
        *value = element.mod_floor(d);
    }
    branch.tableau.push_row(cut);
    branch.n_cut += 1;
}
