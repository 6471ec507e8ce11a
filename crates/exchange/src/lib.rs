//! SCoPs as text in the formats of other tools: Polly's JSCoP [Grosser2012] and OpenScop
//! [Bastoul2011].
//!
//! # Problem
//! Give a SCoP with its schedule to another tool or to a person, and take the schedule back after
//! it was changed. What comes back must be about the same program, and legal; the file itself says
//! nothing about legality.
//!
//! # Method
//! [`ScopText`] is what both formats have in common: context, arrays, and for each statement
//! domain, schedule and accesses. The modules `jscop` and `openscop` write and read it. A schedule
//! is a relation from instances to vectors of time; [`ScopText::tree`] makes a schedule tree of it.
//! Both formats have room for what only their readers know, where Poly puts the *original* order.
//! With it, or with that of another file, the dependences of the file are known
//! ([`ScopText::dependences`]) and its schedule can be judged.
//!
//! # Invariant
//! Whatever is written is read back as the same sets and relations. Nothing that is read is
//! trusted: wrong texts are errors that say where they are wrong.

#![forbid(unsafe_code)]

mod flat;
mod jscop;
mod lines;
mod openscop;
mod relation;

use std::fmt;

use poly_dependence::{AccessInfo, AccessKind, Dependence, Options, Problem, StatementInfo, analyse};
use poly_presburger::{Budget, DimKind, Map, Set, Stop, Tuple, UnionSet};
use poly_schedule_tree::ScheduleTree;

pub use flat::schedule_of;

/// A SCoP with a schedule, as text files have it.
#[derive(Clone, Debug, PartialEq)]
pub struct ScopText {
    /// Its name.
    pub name: String,
    /// What is known of the parameters: a parameter set.
    pub context: Set,
    /// Its arrays.
    pub arrays: Vec<ArrayText>,
    /// Its statements, in textual order.
    pub statements: Vec<StatementText>,
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayText {
    /// Its name, the tuple name of its elements in accesses.
    pub name: String,
    /// The extents of its dimensions, outermost first; `*` where it is not known.
    pub sizes: Vec<String>,
    /// The type of its elements.
    pub element: String,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementText {
    /// Its name, the tuple name of its instances.
    pub name: String,
    /// Its instances.
    pub domain: Set,
    /// From instances to their time.
    pub schedule: Map,
    /// The same in the original program, if the file says so.
    pub original: Option<Map>,
    /// Its accesses, in the order in which an instance executes them.
    pub accesses: Vec<AccessText>,
}

/// An access.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessText {
    /// How.
    pub kind: AccessKind,
    /// From instances to elements.
    pub relation: Map,
}

/// Why a text cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// What is wrong with it, and where.
    Wrong(String),
    /// The operation budget ran out.
    Stop,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Wrong(what) => f.write_str(what),
            TextError::Stop => f.write_str("the operation budget ran out"),
        }
    }
}

impl std::error::Error for TextError {}

impl From<Stop> for TextError {
    fn from(_: Stop) -> TextError {
        TextError::Stop
    }
}

fn wrong<T>(what: impl Into<String>) -> Result<T, TextError> {
    Err(TextError::Wrong(what.into()))
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Polly's JSON.
    Jscop,
    /// The OpenScop library's matrices.
    OpenScop,
}

impl Format {
    /// The format that a text seems to have, if it is one of these.
    pub fn of(text: &str) -> Option<Format> {
        if text.trim_start().starts_with('{') {
            return Some(Format::Jscop);
        }
        text.lines().any(|line| line.trim() == "<OpenScop>").then_some(Format::OpenScop)
    }

    /// How names of files end.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Jscop => "jscop",
            Format::OpenScop => "scop",
        }
    }
}

impl ScopText {
    /// Writes it.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Jscop => jscop::write(self),
            Format::OpenScop => openscop::write(self),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str, format: Format, budget: &mut Budget) -> Result<ScopText, TextError> {
        let mut scop = match format {
            Format::Jscop => jscop::read(text)?,
            Format::OpenScop => openscop::read(text, budget)?,
        };
        scop.check()?;
        scop.context = scop.context.as_map().clone().compute_divs(budget)?.into_set();
        for statement in &mut scop.statements {
            statement.domain = statement.domain.as_map().clone().compute_divs(budget)?.into_set();
            let relations = statement.accesses.iter_mut().map(|a| &mut a.relation).chain(&mut statement.original);
            for relation in relations.chain([&mut statement.schedule]) {
                *relation = relation.clone().compute_divs(budget)?;
            }
        }
        Ok(scop)
    }

    /// Names and dimensions fit.
    fn check(&self) -> Result<(), TextError> {
        if !self.context.space().is_params() {
            return wrong(format!("the context {} is no set of parameters", self.context));
        }
        for (index, statement) in self.statements.iter().enumerate() {
            let name = &statement.name;
            if self.statements[..index].iter().any(|other| other.name == *name) {
                return wrong(format!("there are two statements {name}"));
            }
            let tuple = statement.domain.tuple();
            if tuple.and_then(Tuple::name_str) != Some(name) {
                return wrong(format!("the domain of statement {name} has another name"));
            }
            let relations = statement.accesses.iter().map(|a| &a.relation).chain(&statement.original);
            for relation in relations.chain([&statement.schedule]) {
                if relation.space().domain.as_ref() != tuple || !relation.space().is_map() {
                    return wrong(format!("{relation} does not begin at the instances of statement {name}"));
                }
            }
        }
        Ok(())
    }

    /// The schedule as a tree: sequences where all statements have constants, bands of one member
    /// elsewhere.
    ///
    /// # Errors
    /// What is wrong with it: instances without time, or with several.
    pub fn tree(&self, budget: &mut Budget) -> Result<ScheduleTree, TextError> {
        flat::tree(self, budget)
    }

    /// The dependences of the program, by the accesses and the original order; `None` if the file
    /// does not know that.
    ///
    /// # Errors
    /// An original order that is none.
    pub fn dependences(&self, budget: &mut Budget) -> Result<Option<Vec<Dependence>>, TextError> {
        let Some(problem) = self.problem(budget)? else { return Ok(None) };
        Ok(Some(analyse(&problem, &Options::default(), budget)?.dependences))
    }

    /// The program in its original order, if the file says which that is, for dependence analysis.
    ///
    /// # Errors
    /// An original order that is none.
    pub fn problem(&self, budget: &mut Budget) -> Result<Option<Problem>, TextError> {
        let mut statements = Vec::new();
        let levels = self.statements.iter().flat_map(|s| &s.original).map(|t| t.dim(DimKind::Out)).max().unwrap_or(0);
        for statement in &self.statements {
            let Some(original) = &statement.original else { return Ok(None) };
            let access = |a: &AccessText| AccessInfo {
                kind: a.kind,
                relation: a.relation.intersect_domain(&statement.domain),
                group: None,
            };
            statements.push(StatementInfo {
                domain: statement.domain.clone(),
                time: flat::affine_time(statement, original, levels, budget)?,
                accesses: statement.accesses.iter().map(access).collect(),
                reductions: Vec::new(),
            });
        }
        flat::check_injective(&statements, budget)?;
        Ok(Some(Problem { context: self.context.clone(), statements, overlaps: Vec::new() }))
    }

    /// Takes over the original order of another text of the same program.
    ///
    /// # Errors
    /// What is not the same.
    pub fn set_original(&mut self, other: &ScopText, budget: &mut Budget) -> Result<(), TextError> {
        self.check_same_program(other, budget)?;
        for (statement, original) in self.statements.iter_mut().zip(&other.statements) {
            let time = original.original.as_ref().unwrap_or(&original.schedule);
            statement.original = Some(time.clone());
        }
        Ok(())
    }

    /// Whether this is a text of the same program, whatever the schedules.
    ///
    /// # Errors
    /// What is not the same.
    pub fn check_same_program(&self, other: &ScopText, budget: &mut Budget) -> Result<(), TextError> {
        if self.statements.len() != other.statements.len() {
            let (ours, theirs) = (self.statements.len(), other.statements.len());
            return wrong(format!("it has {ours} statements and the program has {theirs}"));
        }
        for (ours, theirs) in self.statements.iter().zip(&other.statements) {
            let name = &theirs.name;
            if ours.name != *name {
                return wrong(format!("it has a statement {} where the program has {name}", ours.name));
            }
            let known = &other.context;
            let domain = theirs.domain.intersect_params(known);
            if !ours.domain.space().has_equal_tuples(domain.space())
                || !ours.domain.intersect_params(known).is_equal(&domain, budget)?
            {
                return wrong(format!("its instances of {name} are not those of the program"));
            }
            if ours.accesses.len() != theirs.accesses.len() {
                let (a, b) = (ours.accesses.len(), theirs.accesses.len());
                return wrong(format!("it has {a} accesses of {name} and the program has {b}"));
            }
            for (a, b) in reads_first(&ours.accesses).into_iter().zip(reads_first(&theirs.accesses)) {
                let (x, y) = (a.relation.intersect_domain(&domain), b.relation.intersect_domain(&domain));
                let same = a.kind == b.kind && x.space().has_equal_tuples(y.space()) && x.is_equal(&y, budget)?;
                if !same {
                    return wrong(format!(
                        "an access of {name} is {}, and not {}; accesses cannot be changed",
                        a.relation, b.relation
                    ));
                }
            }
        }
        Ok(())
    }

    /// All instances.
    pub fn domain(&self) -> UnionSet {
        UnionSet::from_members(self.statements.iter().map(|s| s.domain.clone()))
    }
}

/// Accesses in an order that all formats have.
fn reads_first(accesses: &[AccessText]) -> Vec<&AccessText> {
    let mut sorted: Vec<&AccessText> = accesses.iter().collect();
    sorted.sort_by_key(|access| access.kind != AccessKind::Read);
    sorted
}

/// What is wrong with a text's schedule, in words; `None` if it executes every instance once and
/// respects all dependences.
///
/// # Errors
/// A text that says nothing about the original order, or something wrong.
pub fn why_illegal(scop: &ScopText, budget: &mut Budget) -> Result<Option<String>, TextError> {
    let Some(dependences) = scop.dependences(budget)? else {
        return wrong("the file does not say what the original order is; give --original=FILE");
    };
    let tree = match scop.tree(budget) {
        Ok(tree) => tree,
        Err(TextError::Wrong(what)) => return Ok(Some(what)),
        Err(stop) => return Err(stop),
    };
    Ok(poly_scheduler::why_illegal(&tree, &dependences, budget)?)
}
