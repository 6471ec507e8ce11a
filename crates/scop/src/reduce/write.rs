//! The equations of a simplified reduction as statements and temporaries.
//!
//! # Definitions
//! A term is *single* if an answer has at most one of its points: it can be combined where the
//! answer is written. A term of which no answer has more than a few points is as many single ones.
//! Other terms are updates of their own. The *carried* answers are those that begin with a
//! neighbour.
//!
//! # Algorithm
//! Each equation has a temporary with an element for each answer, and these statements, in this
//! order:
//! 1. Answers that are not carried get the combination of their single terms, or the neutral
//!    number; one statement for each set of terms.
//! 2. Other terms are updates.
//! 3. Carried answers get their neighbour's with their single terms, in the order of the shift; all
//!    statements of this step are in one nest. Where updates contribute to carried answers, step 1
//!    is done for all answers, and here the neighbour is added to what is there.
//!
//! The answers of the last equation are combined with the elements that the program updates, in
//! place of the statement. Where it is no recurrence it needs no temporary: its terms are updates
//! of these elements.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_linalg::Matrix;
use poly_presburger::{Aff, BasicSet, Budget, DimKind, Map, Set, SolveError, Stop, Tuple};
use poly_reductions::{AnswerId, Equation, Factor, Function, Source, System, Term};

use super::candidate::{Candidate, Elements, Target, in_statement};
use super::is_recurrent;
use super::singles::{MAX_SINGLES, singles};
use super::sweep::Standing;
use super::windows::{Chain, Window};
use crate::simplify::dead;
use crate::{
    Access, AccessId, AccessKind, Array, ArrayId, ArrayKind, Combination, Instr, InstrKind, LoopId, Operand,
    OperandKind, Scop, Statement, ValueId,
};

/// The SCoP with the equations in place of the statement; `None` if an equation cannot be written
/// with affine subscripts.
pub(super) fn written(
    scop: &Scop,
    candidate: &Candidate,
    system: &System,
    budget: &mut Budget,
) -> Result<Option<(Scop, Vec<Standing>)>, Stop> {
    let statement = scop.statements[candidate.statement.index()].clone();
    let mut writer = Writer {
        scop: scop.clone(),
        candidate,
        system,
        statement,
        temporaries: BTreeMap::new(),
        before: Vec::new(),
        names: 0,
        standing: Vec::new(),
    };
    let Some((last, inner)) = system.equations.split_last() else { return Ok(None) };
    let is_value = |factor: &Factor| !matches!(factor.source, Source::Repeat(_));
    let has_value = |term: &Term| term.factors.iter().all(is_value);
    if !system.equations.iter().flat_map(|equation| &equation.terms).all(has_value) {
        return Ok(None);
    }
    // Answers that are combined from a few values need no element where they are read.
    let in_place = match &candidate.target {
        Target::Terms(..) if !is_recurrent(system) => writer.in_place(last, budget)?,
        _ => None,
    };
    let needs_own = is_recurrent(system) || (matches!(candidate.target, Target::Terms(..)) && in_place.is_none());
    for equation in inner.iter().chain(needs_own.then_some(last)) {
        if writer.equation(equation, budget)?.is_none() {
            return Ok(None);
        }
    }
    if candidate.times == Combination::Add && writer.inspections(budget)?.is_none() {
        return Ok(None);
    }
    Ok(match &candidate.target {
        Target::Terms(chain, window, at) => {
            let result = writer.with_answers(last, in_place.as_deref(), (chain, window, at));
            let standing = std::mem::take(&mut writer.standing);
            result.map(|statement| (writer.finished_before(statement), standing))
        }
        Target::Elements(elements) => {
            let results = if needs_own {
                writer.results(elements, last)
            } else {
                writer.updates_of_result(elements, last, budget)?
            };
            let standing = std::mem::take(&mut writer.standing);
            results.map(|results| (writer.finished(elements, results), standing))
        }
    })
}

pub(super) struct Writer<'a> {
    pub(super) scop: Scop,
    pub(super) candidate: &'a Candidate,
    system: &'a System,
    /// The one that is replaced.
    pub(super) statement: Statement,
    temporaries: BTreeMap<AnswerId, Temporary>,
    /// Statements before the place of the answers, in their nests.
    before: Vec<Vec<Statement>>,
    names: usize,
    /// Reads of the program's elements in new statements.
    standing: Vec<Standing>,
}

struct Temporary {
    array: ArrayId,
    /// Subscripts as functions of the answer.
    subscripts: Function,
}

/// A part of answers with the terms that contribute to it.
struct Atom {
    answers: Set,
    terms: Vec<usize>,
}

/// A body that is being made.
#[derive(Default)]
pub(super) struct Code {
    pub(super) accesses: Vec<Access>,
    pub(super) body: Vec<Instr>,
}

impl Writer<'_> {
    fn params(&self) -> usize {
        self.system.params.len()
    }

    /// A number for a value that the program does not have.
    pub(super) fn fresh(&mut self, like: ValueId) -> ValueId {
        self.scop.copy_of(like)
    }

    /// The type of all answers: that of the update's step.
    pub(super) fn step(&self) -> ValueId {
        self.candidate.step
    }

    /// The statements of one equation; nothing if they cannot be written.
    fn equation(&mut self, equation: &Equation, budget: &mut Budget) -> Result<Option<()>, Stop> {
        if self.add_temporary(equation, budget)?.is_none() {
            return Ok(None);
        }
        let is_carry = |term: &&Term| term.factors.iter().any(|factor| factor.source == Source::Itself);
        let carries: Vec<&Term> = equation.terms.iter().filter(is_carry).collect();
        let others: Vec<&Term> = equation.terms.iter().filter(|term| !is_carry(term)).collect();
        let answers = equation.meaning.answers().coalesce(budget)?;
        let carried = carries.iter().fold(Set::empty(answers.space().clone()), |all, term| all.union(&term.domain));
        let carried = carried.coalesce(budget)?;
        let mut single = Vec::new();
        let mut several = Vec::new();
        for term in others {
            for domain in split(&term.domain, budget)? {
                let part = Term { domain, ..term.clone() };
                match singles(&part, &self.system.params, budget)? {
                    Some(singles) => single.extend(singles),
                    None => several.push(part),
                }
            }
        }
        let mut touches = false;
        let image = |term: &Term| term.projection.image(&term.domain, &self.system.params);
        for term in &several {
            touches |= !image(term).is_disjoint(&carried, budget)?;
        }
        let first = if touches { answers.clone() } else { answers.subtract(&carried, budget)? };
        let images: Vec<Set> = single.iter().map(|(term, _)| image(term)).collect();
        for atom in atoms(&first, &images, budget)? {
            let Some(statement) = self.assignment(equation, &atom, &single, None) else { return Ok(None) };
            self.before.push(vec![statement]);
        }
        for term in &several {
            let Some(statement) = self.update(equation, term) else { return Ok(None) };
            self.before.push(vec![statement]);
        }
        let [carry] = carries[..] else { return Ok(carries.is_empty().then_some(())) };
        let contributions: &[Set] = if touches { &[] } else { &images };
        let mut nest = Vec::new();
        for atom in atoms(&carried, contributions, budget)? {
            let neighbour = carry.factors[0].access.clone();
            let statement = self.assignment(equation, &atom, &single, Some((&neighbour, touches)));
            let Some(statement) = statement else { return Ok(None) };
            nest.push(statement);
        }
        self.before.push(nest);
        Ok(Some(()))
    }

    /// The temporary of an equation.
    fn add_temporary(&mut self, equation: &Equation, budget: &mut Budget) -> Result<Option<()>, Stop> {
        let (params, fixed) = (self.params(), equation.meaning.fixed);
        let answers = equation.meaning.answers();
        let dims = answers.n_dim();
        let mut sizes = Vec::new();
        let mut subscripts = Function::identity(params, dims);
        for dimension in fixed..dims {
            let least = bound(&answers, dimension, End::First, budget)?;
            let most = bound(&answers, dimension, End::Last, budget)?;
            let (Some(least), Some(most)) = (least, most) else { return Ok(None) };
            let row = &mut subscripts.rows[dimension];
            row.iter_mut().zip(&least).for_each(|(x, least)| *x -= least);
            let mut size: Vec<Int> = most.iter().zip(&least).map(|(most, least)| most - least).collect();
            size[0] += &Int::ONE;
            sizes.push(Aff::from_row(self.scop.context.space().clone(), size, Int::ONE));
        }
        subscripts.rows.drain(..fixed);
        if sizes.is_empty() {
            // One element.
            sizes.push(Aff::constant(self.scop.context.space().clone(), 1));
            subscripts.rows.push(vec![Int::ZERO; 1 + params + dims]);
        }
        let id = ArrayId::from(self.scop.arrays.len());
        let old = &self.scop.arrays[self.candidate.array.index()];
        let rows = sizes.remove(0);
        let array = Array {
            name: format!("R{}_{}", id.index(), old.name),
            kind: ArrayKind::Temporary { value: self.step(), rows, result: None, begins_with: None, in_use: None },
            element: self.candidate.element.clone(),
            rank: sizes.len() + 1,
            extents: sizes,
            local: true,
        };
        self.scop.arrays.push(array);
        self.temporaries.insert(equation.answer, Temporary { array: id, subscripts });
        Ok(Some(()))
    }

    /// A relation from points to elements.
    fn relation(&self, name: &str, array: ArrayId, function: &Function) -> Map {
        let array = &self.scop.arrays[array.index()];
        let map = function.to_map(&self.system.params);
        map.set_tuple(DimKind::In, Tuple::named(name, function.dims))
            .set_tuple(DimKind::Out, Tuple::named(&*array.name, array.rank))
    }

    fn name(&mut self) -> String {
        loop {
            let name = format!("{}_r{}", self.statement.name, self.names);
            self.names += 1;
            if self.scop.statements.iter().all(|s| s.name != name) {
                return name;
            }
        }
    }

    /// A read or write of an answer, at a function of the points.
    fn answer(&mut self, code: &mut Code, name: &str, answer: AnswerId, at: &Function, kind: AccessKind) -> AccessId {
        let temporary = &self.temporaries[&answer];
        let (array, function) = (temporary.array, temporary.subscripts.after(at));
        let relation = self.relation(name, array, &function);
        let value = self.step();
        code.accesses.push(Access {
            kind,
            array,
            relation,
            exact: true,
            from_base: false,
            speculated: false,
            demoted: false,
            value,
            place: None,
        });
        AccessId::from(code.accesses.len() - 1)
    }

    fn read_answer(&mut self, code: &mut Code, name: &str, answer: AnswerId, at: &Function) -> Operand {
        let access = self.answer(code, name, answer, at, AccessKind::Read);
        let value = self.fresh(self.step());
        code.push(InstrKind::Read(access), value, Vec::new())
    }

    fn write_answer(&mut self, code: &mut Code, name: &str, answer: AnswerId, at: &Function, value: Operand) {
        let access = self.answer(code, name, answer, at, AccessKind::MustWrite);
        let store = self.fresh(self.step());
        code.push(InstrKind::Write(access), store, vec![value]);
    }

    fn combine(&mut self, code: &mut Code, combination: Combination, a: Operand, b: Operand) -> Operand {
        let value = self.fresh(self.step());
        code.push(InstrKind::Combine(combination), value, vec![a, b])
    }

    /// The product of factors at a function of the points of a statement; one of none is the
    /// neutral number.
    fn product(&mut self, code: &mut Code, name: &str, factors: &[Factor], at: &Function) -> Option<Operand> {
        let mut product: Option<Operand> = None;
        for factor in factors {
            let access = factor.access.after(at);
            let value = match &factor.source {
                Source::Leaf(leaf) => self.leaf(code, name, leaf.0, &access),
                Source::Answer(answer) => self.read_answer(code, name, *answer, &access),
                Source::Itself | Source::Repeat(_) => return None,
            };
            product = Some(match product {
                Some(other) => self.combine(code, self.candidate.times, other, value),
                None => value,
            });
        }
        Some(product.unwrap_or_else(|| self.neutral(code, self.candidate.times)))
    }

    /// The instructions of a factor once more.
    pub(super) fn leaf(&mut self, code: &mut Code, name: &str, leaf: usize, access: &Function) -> Operand {
        let candidate = self.candidate;
        let part = &candidate.parts[leaf];
        let mut renamed: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        let mut row = 0;
        let first: usize = part.reads.iter().map(|(_, rank)| rank).sum();
        for ((value, _), row) in part.counters.iter().zip(&access.rows[first..]) {
            let computed = self.fresh(*value);
            code.push(InstrKind::Counter(row.clone()), computed, Vec::new());
            renamed.insert(*value, computed);
        }
        let operand = |operand: &Operand, renamed: &BTreeMap<ValueId, ValueId>| match renamed.get(&operand.value) {
            Some(&value) if matches!(operand.kind, OperandKind::Local | OperandKind::Synthesized) => {
                Operand { value, kind: OperandKind::Local }
            }
            _ => *operand,
        };
        for instr in &part.instrs {
            let value = self.fresh(instr.value);
            let kind = match instr.kind {
                InstrKind::Read(id) => {
                    let old = self.statement.accesses[id.index()].clone();
                    let rank = old.relation.dim(DimKind::Out);
                    let rows = access.rows[row..row + rank].to_vec();
                    row += rank;
                    let function = Function { params: access.params, dims: access.dims, rows };
                    let relation = self.relation(name, old.array, &function);
                    code.accesses.push(Access { relation, ..old });
                    let access = AccessId::from(code.accesses.len() - 1);
                    self.standing.push(Standing { statement: name.to_owned(), access, old: id });
                    InstrKind::Read(access)
                }
                ref kind => kind.clone(),
            };
            let operands = instr.operands.iter().map(|old| operand(old, &renamed)).collect();
            let predicate = instr.predicate.map(|predicate| renamed[&predicate]);
            renamed.insert(instr.value, value);
            code.body.push(Instr { kind, value, operands, predicate });
        }
        let value = operand(&part.value, &renamed);
        if !part.negated {
            return value;
        }
        let zero = self.neutral(code, Combination::Add);
        self.combine(code, Combination::Subtract, zero, value)
    }

    /// `V[z] = terms`, perhaps with the neighbour's answer, which is added to what is there if that
    /// is asked.
    fn assignment(
        &mut self,
        equation: &Equation,
        atom: &Atom,
        single: &[(Term, Function)],
        neighbour: Option<(&Function, bool)>,
    ) -> Option<Statement> {
        let combination = self.candidate.combination;
        let (params, dims) = (self.params(), atom.answers.n_dim());
        let name = self.name();
        // The order along the shift.
        let backwards = neighbour.is_some_and(|(access, _)| {
            access.rows.iter().map(|row| &row[0]).find(|x| !x.is_zero()).is_some_and(Int::is_pos)
        });
        let at = if backwards { turned(params, dims, self.candidate.at) } else { Function::identity(params, dims) };
        let mut code = Code::default();
        let mut value = None;
        if let Some((access, adds)) = neighbour {
            let read = self.read_answer(&mut code, &name, equation.answer, &access.after(&at));
            value = Some(read);
            if adds {
                let own = self.read_answer(&mut code, &name, equation.answer, &at);
                value = Some(self.combine(&mut code, combination, own, read));
            }
        }
        // What is taken out comes last, so that there is something to take it out of.
        let (out, others): (Vec<usize>, Vec<usize>) = atom.terms.iter().partition(|&&term| single[term].0.inverse);
        for term in others.into_iter().chain(out) {
            let (term, points) = &single[term];
            let own = self.product(&mut code, &name, &term.factors, &points.after(&at))?;
            let combination = if term.inverse { inverse(combination) } else { combination };
            let before = match value {
                Some(before) => Some(before),
                None if term.inverse => Some(self.neutral(&mut code, self.candidate.combination)),
                None => None,
            };
            value = Some(match before {
                Some(before) => self.combine(&mut code, combination, before, own),
                None => own,
            });
        }
        let value = match value {
            // An operand from outside the body is written as it is.
            Some(value) => value,
            None => self.neutral(&mut code, self.candidate.combination),
        };
        self.write_answer(&mut code, &name, equation.answer, &at, value);
        // `at` is its own inverse.
        let domain = at.image(&atom.answers, &self.system.params);
        Some(self.statement_of(name, domain, code))
    }

    fn neutral(&mut self, code: &mut Code, combination: Combination) -> Operand {
        let value = self.fresh(self.step());
        code.push(InstrKind::Neutral(combination), value, Vec::new())
    }

    /// `V[f(x)] op= E(x)`.
    fn update(&mut self, equation: &Equation, term: &Term) -> Option<Statement> {
        let name = self.name();
        let mut code = Code::default();
        let old = self.read_answer(&mut code, &name, equation.answer, &term.projection);
        let combination = self.candidate.combination;
        let combination = if term.inverse { inverse(combination) } else { combination };
        let at = Function::identity(self.params(), term.projection.dims);
        let own = self.product(&mut code, &name, &term.factors, &at)?;
        let new = self.combine(&mut code, combination, old, own);
        self.write_answer(&mut code, &name, equation.answer, &term.projection, new);
        Some(self.statement_of(name, term.domain.clone(), code))
    }

    /// The statement that combines the elements of the program with the answers.
    fn results(&mut self, elements: &Elements, equation: &Equation) -> Option<Vec<Statement>> {
        let answers = equation.meaning.answers();
        let at = Function::identity(self.params(), answers.n_dim());
        let factor = Factor { source: Source::Answer(equation.answer), access: at.clone() };
        let term = Term { domain: answers, projection: at, factors: vec![factor], inverse: false };
        self.update_of_result(elements, equation, &[&term]).map(|statement| vec![statement])
    }

    /// All terms of the last equation as updates of the elements of the program: one for each set
    /// of points.
    fn updates_of_result(
        &mut self,
        elements: &Elements,
        equation: &Equation,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Statement>>, Stop> {
        let mut terms = Vec::new();
        for term in &equation.terms {
            match singles(term, &self.system.params, budget)? {
                Some(singles) => {
                    terms.extend(singles.into_iter().map(|(term, points)| self.at_answers(&term, &points)))
                }
                None => terms.push(term.clone()),
            }
        }
        let mut together: Vec<Vec<&Term>> = Vec::new();
        for term in &terms {
            let is_same =
                |other: &&mut Vec<&Term>| (&other[0].domain, &other[0].projection) == (&term.domain, &term.projection);
            match together.iter_mut().find(is_same) {
                Some(terms) => terms.push(term),
                None => together.push(vec![term]),
            }
        }
        Ok(together.iter().map(|terms| self.update_of_result(elements, equation, terms)).collect())
    }

    /// A single term over the answers that have it.
    fn at_answers(&self, term: &Term, points: &Function) -> Term {
        let read = |factor: &Factor| Factor { access: factor.access.after(points), ..factor.clone() };
        Term {
            domain: term.projection.image(&term.domain, &self.system.params),
            projection: Function::identity(self.params(), points.dims),
            factors: term.factors.iter().map(read).collect(),
            inverse: term.inverse,
        }
    }

    fn update_of_result(&mut self, elements: &Elements, equation: &Equation, terms: &[&Term]) -> Option<Statement> {
        let update = &elements.update;
        let term = terms[0];
        let name = self.name();
        let mut code = Code::default();
        let element = self
            .element(update.write)?
            .through(&in_statement(&equation.meaning, &self.statement))?
            .after(&term.projection);
        let mut access = |writer: &Self, id: AccessId| {
            let old = writer.statement.accesses[id.index()].clone();
            let relation = writer.relation(&name, old.array, &element);
            code.accesses.push(Access { relation, ..old });
            AccessId::from(code.accesses.len() - 1)
        };
        let (read, write) = (access(self, update.read), access(self, update.write));
        let value = self.statement.value_of(update.read);
        let old = code.push(InstrKind::Read(read), value, Vec::new());
        let at = Function::identity(self.params(), term.projection.dims);
        let combination = self.candidate.combination;
        let combination = if elements.negated { inverse(combination) } else { combination };
        let mut new = old;
        for term in terms {
            let own = self.product(&mut code, &name, &term.factors, &at)?;
            new = self.combine(&mut code, combination, new, own);
        }
        let store = self.statement.body.iter().find(|instr| instr.kind == InstrKind::Write(update.write))?.value;
        code.push(InstrKind::Write(write), store, vec![new]);
        Some(self.statement_of(name, term.domain.clone(), code))
    }

    /// Which element a point of the statement updates.
    fn element(&self, write: AccessId) -> Option<Function> {
        let write = &self.statement.accesses[write.index()];
        Function::from_map(&write.relation.align_params(self.candidate.reduction.domain.space()))
    }

    /// The terms of an equation without recurrence, each with its point as a function of the
    /// answer; `None` if some answers have others, or a term has many.
    fn in_place(&self, equation: &Equation, budget: &mut Budget) -> Result<Option<Vec<(Term, Function)>>, Stop> {
        let answers = equation.meaning.answers();
        let mut result = Vec::new();
        for term in &equation.terms {
            let Some(singles) = singles(term, &self.system.params, budget)? else { return Ok(None) };
            for (term, points) in singles {
                let image = term.projection.image(&term.domain, &self.system.params);
                if !answers.is_subset(&image, budget)? {
                    return Ok(None);
                }
                result.push((term, points));
            }
        }
        Ok((result.len() <= MAX_SINGLES).then_some(result))
    }

    /// The statement with an answer in place of a window's terms.
    fn with_answers(
        &mut self,
        equation: &Equation,
        in_place: Option<&[(Term, Function)]>,
        (chain, window, at): (&Chain, &Window, &Function),
    ) -> Option<Statement> {
        let mut statement = self.statement.clone();
        let root = statement.body.iter().position(|instr| instr.value == chain.root)?;
        let behind = statement.body.split_off(root + 1);
        let mut code = Code { accesses: statement.accesses, body: statement.body };
        code.body.retain(|instr| !chain.steps.contains(&instr.value));
        let mut terms = Vec::new();
        for number in (0..chain.terms.len()).filter(|number| !window.terms.contains(number)) {
            terms.push((chain.terms[number].value, chain.terms[number].negated));
        }
        for (term, points) in in_place.unwrap_or_default() {
            let value = self.product(&mut code, &statement.name, &term.factors, &points.after(at))?;
            terms.push((value, window.negated != term.inverse));
        }
        if in_place.is_none() {
            let value = self.read_answer(&mut code, &statement.name, equation.answer, at);
            terms.push((value, window.negated));
        }
        let value = self.combined(&mut code, chain.combination, terms)?;
        let is_root = |operand: &Operand| operand.kind == OperandKind::Local && operand.value == chain.root;
        code.body.extend(behind.into_iter().map(|mut instr| {
            instr.operands.iter_mut().filter(|operand| is_root(operand)).for_each(|operand| *operand = value);
            instr
        }));
        (statement.accesses, statement.body) = (code.accesses, code.body);
        dead::remove_unused(&mut statement);
        dead::compact_accesses(&mut statement);
        Some(statement)
    }

    /// Terms of which some are taken out; nothing if there are none.
    fn combined(
        &mut self,
        code: &mut Code,
        combination: Combination,
        mut terms: Vec<(Operand, bool)>,
    ) -> Option<Operand> {
        let combination_of_terms = combination;
        // What is taken out comes last, so that there is something to take it out of.
        terms.sort_by_key(|(_, negated)| *negated);
        let mut value: Option<Operand> = None;
        for (term, negated) in terms {
            let before = match value {
                None if !negated => {
                    value = Some(term);
                    continue;
                }
                None => self.neutral(code, combination_of_terms),
                Some(before) => before,
            };
            let combination = if negated { inverse(combination) } else { combination };
            value = Some(self.combine(code, combination, before, term));
        }
        value
    }

    /// A statement without its place.
    fn statement_of(&self, name: String, domain: Set, code: Code) -> Statement {
        let dims = domain.n_dim();
        let domain = domain.set_tuple(Tuple::named(&*name, dims));
        let place = self.statement.place.clone();
        // None of the loops of the source: nothing is computed from their counters.
        let loops = vec![LoopId(0); dims];
        Statement { name, domain, loops, position: Vec::new(), accesses: code.accesses, body: code.body, place }
    }

    /// The SCoP with all statements at their places.
    fn finished(mut self, elements: &Elements, results: Vec<Statement>) -> Scop {
        let old = self.candidate.statement.index();
        let (at, level) = (self.candidate.at, elements.level);
        let position = self.statement.position.clone();
        self.scop.statements.remove(old);
        let results = if level == at { self.among_equations(results) } else { results };
        // The places of results first: they are further inside.
        let nests = results.into_iter().map(|statement| vec![statement]).collect();
        let results = self.placed(nests, level, &position, 0);
        let before = std::mem::take(&mut self.before);
        // What stood at the place is behind now, the results with it.
        let mut statements = self.scop.statements.clone();
        statements.splice(old..old, results);
        self.scop.statements = statements;
        let before = self.placed(before, at, &position, 1);
        self.scop.statements.splice(old..old, before);
        self.scop
    }

    /// The SCoP with a statement in its place, and the equations before what is at their level.
    fn finished_before(mut self, statement: Statement) -> Scop {
        let number = self.candidate.statement.index();
        let (fixed, position) = (self.candidate.reduction.fixed, statement.position.clone());
        self.scop.statements[number] = statement;
        let is_there = |other: &Statement| other.position.get(..=fixed) == position.get(..=fixed);
        let first = self.scop.statements.iter().position(is_there).unwrap_or(number);
        let before = std::mem::take(&mut self.before);
        let before = self.placed(before, fixed, &position, 1);
        self.scop.statements.splice(first..first, before);
        self.scop
    }

    /// Puts updates of the program's elements among the equations, each behind the last one that it
    /// reads; gives those that read none.
    fn among_equations(&mut self, results: Vec<Statement>) -> Vec<Statement> {
        let mut rest = Vec::new();
        for result in results {
            let writes = |nest: &Vec<Statement>, array: ArrayId| {
                let mut accesses = nest.iter().flat_map(|statement| &statement.accesses);
                accesses.any(|access| access.array == array && access.kind != AccessKind::Read)
            };
            let is_read = |nest: &Vec<Statement>| {
                result.accesses.iter().any(|a| a.kind == AccessKind::Read && writes(nest, a.array))
            };
            match self.before.iter().rposition(is_read) {
                Some(last) => self.before.insert(last + 1, vec![result]),
                None => rest.push(result),
            }
        }
        rest
    }

    /// Statements in nests, one behind the other at a level: from the position on, everything
    /// behind being moved. With `kept`, what stands at the position is behind them, too.
    fn placed(&mut self, nests: Vec<Vec<Statement>>, level: usize, position: &[usize], kept: usize) -> Vec<Statement> {
        let count = nests.len();
        let prefix = &position[..level];
        for other in &mut self.scop.statements {
            if other.position.len() > level && other.position[..level] == *prefix {
                let place = &mut other.position[level];
                // A nest takes the place of what it replaces, if nothing else is there.
                let first = if kept == 1 { position[level] } else { position[level] + 1 };
                if *place >= first {
                    *place += count;
                }
            }
        }
        let shared = self.statement.loops[..level].to_vec();
        let mut result = Vec::new();
        for (number, nest) in nests.into_iter().enumerate() {
            for (inner, mut statement) in nest.into_iter().enumerate() {
                let dims = statement.loops.len();
                statement.loops[..level].clone_from_slice(&shared);
                statement.position = prefix.to_vec();
                statement.position.push(position[level] + number + (1 - kept));
                statement.position.resize(dims + 1, 0);
                if dims > level {
                    statement.position[dims] = inner;
                }
                result.push(statement);
            }
        }
        result
    }
}

impl Code {
    pub(super) fn push(&mut self, kind: InstrKind, value: ValueId, operands: Vec<Operand>) -> Operand {
        self.body.push(Instr { kind, value, operands, predicate: None });
        Operand { value, kind: OperandKind::Local }
    }
}

/// The operation that takes out what another one has put in.
fn inverse(combination: Combination) -> Combination {
    match combination {
        Combination::Add => Combination::Subtract,
        other => other,
    }
}

/// All coordinates but the first ones with the other sign.
fn turned(params: usize, dims: usize, fixed: usize) -> Function {
    let mut matrix = Matrix::identity(dims);
    (fixed..dims).for_each(|i| matrix.set(i, i, Int::NEG_ONE));
    Function::linear(params, &matrix)
}

/// The disjuncts of a set.
fn split(set: &Set, budget: &mut Budget) -> Result<Vec<Set>, Stop> {
    let set = set.clone().make_disjoint(budget)?;
    Ok(set.basic_sets().map(Set::from_basic).collect())
}

/// The parts of answers by which of the images they are in.
fn atoms(answers: &Set, images: &[Set], budget: &mut Budget) -> Result<Vec<Atom>, Stop> {
    let mut result = vec![Atom { answers: answers.clone(), terms: Vec::new() }];
    for (term, image) in images.iter().enumerate() {
        let mut next = Vec::new();
        for atom in result {
            let inside = atom.answers.intersect(image).remove_empty_parts(budget)?;
            let outside = atom.answers.subtract(image, budget)?;
            let terms = atom.terms.iter().copied().chain([term]).collect();
            for (answers, terms) in [(inside, terms), (outside, atom.terms)] {
                if !answers.is_empty(budget)? {
                    next.push(Atom { answers: answers.coalesce(budget)?, terms });
                }
            }
        }
        result = next;
    }
    result.retain(|atom| !atom.answers.plain_is_empty());
    Ok(result)
}

/// An end of an interval.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// A bound of a dimension as a row `[constant | parameters]`: where it ends, or, if that is the
/// least of several functions, one of them.
fn bound(set: &Set, dimension: usize, end: End, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    let params = set.space().params.len();
    let found = match end {
        End::First => set.dim_min(dimension, budget),
        End::Last => set.dim_max(dimension, budget),
    };
    let found = match found {
        Ok(found) => found,
        Err(SolveError::Unbounded) => return Ok(None),
        Err(SolveError::Stop) => return Err(Stop),
    };
    if let Some(aff) = found.single_aff() {
        return Ok(aff.is_integral_affine().then(|| aff.row()[..=params].to_vec()));
    }
    for (_, aff) in found.pieces().iter().filter(|(_, aff)| aff.is_integral_affine()) {
        let row = aff.row()[..=params].to_vec();
        let mut inside = row.clone();
        inside.extend((0..set.n_dim()).map(|d| if d == dimension { Int::NEG_ONE } else { Int::ZERO }));
        if end == End::First {
            inside.iter_mut().for_each(|x| *x = -&*x);
        }
        let mut basic = BasicSet::universe(set.space().clone());
        basic.add_ineq(inside);
        if set.is_subset(&Set::from_basic(basic), budget)? {
            return Ok(Some(row));
        }
    }
    Ok(None)
}
