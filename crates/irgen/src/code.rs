//! The program to emit: the AST with everything resolved that can fail.
//!
//! Lowering turns names into indices and expressions into [`Form`]s, and proves that no bound,
//! condition, coordinate or loop counter can leave 64 bits when the parameters lie in their ranges.
//! Marks become properties of the loops below them.

use poly_ast_build::{For, Node};
use poly_schedule_tree::{AccessOf, Mark, RegisterTile, Sharing, Trend};
use poly_scop::{AccessId, Plan, PrivateUpdate, Scop, StmtId, WHOLE};

use crate::CodegenError;
use crate::form::{Form, Test, Var, small};
use crate::interval::Interval;

/// A piece of program.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Block(Vec<Code>),
    Loop(Box<Loop>),
    If { test: Test, then: Box<Code>, otherwise: Option<Box<Code>> },
    Run(Run),
}

/// What the cost model says about vector code for a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vector {
    /// LLVM decides.
    Open,
    /// Wanted.
    Wanted,
    /// Not wanted.
    Refused,
}

/// What stays in registers in a register tile: positions of statements and of their accesses.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// Accesses whose elements stay in registers in full tiles.
    results: Vec<(usize, usize)>,
    /// Statements of which this holds in partial tiles, too.
    partial: Vec<usize>,
}

impl Kept {
    /// Whether the elements of an access stay in registers.
    pub(crate) fn has(&self, statement: usize, access: usize) -> bool {
        self.results.contains(&(statement, access))
    }

    /// Whether those of a statement do so in partial tiles.
    pub(crate) fn has_in_partial_tiles(&self, statement: usize) -> bool {
        self.partial.contains(&statement)
    }
}

/// The values of a counter between the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// From the lower bound on by a constant.
    By(i128),
    /// The multiples of this parameter, the size of tiles.
    Multiples(usize),
}

impl Step {
    /// All values.
    pub(crate) const ONE: Step = Step::By(1);
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The counter.
    pub(crate) iter: usize,
    pub(crate) lower: Form,
    /// Inclusive.
    pub(crate) upper: Form,
    pub(crate) step: Step,
    /// Its iterations do not depend on each other.
    pub(crate) coincident: bool,
    pub(crate) vector: Vector,
    /// To be run by several threads.
    pub(crate) parallel: bool,
    /// Threads take iterations in order, one at a time, and wait for earlier ones inside.
    pub(crate) doacross: bool,
    /// Which iterations have more work, if threads run it.
    pub(crate) work: Trend,
    /// Updates of which every thread has a value of its own, if threads run it.
    pub(crate) private: Vec<PrivateUpdate>,
    /// What stays in registers, if this is the reduced loop of a register tile and the loops in it
    /// have constant trip counts.
    pub(crate) register: Option<Kept>,
    /// Nothing in it writes to what full register tiles in it load, other than their results.
    pub(crate) panel: bool,
    /// The steps of a wavefront whose diagonals are the loop in it: lanes hand values on from step
    /// to step.
    pub(crate) simd_wavefront: bool,
    pub(crate) body: Code,
}

/// An instance of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) statement: usize,
    pub(crate) coordinates: Vec<Form>,
}

/// A lowered program and the ranges of its variables.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) code: Code,
    /// What is executed before, to find out whether the original must run.
    pub(crate) inspection: Option<Code>,
    pub(crate) params: Vec<Interval>,
    /// By loop counter; loops that never run have none.
    pub(crate) iters: Vec<Option<Interval>>,
}

impl Program {
    /// The range of a parameter or loop counter.
    pub(crate) fn range(&self, var: Var) -> Interval {
        match var {
            Var::Param(p) => self.params[p],
            Var::Iter(i) => self.iters[i].expect("counters have a range inside of their loop"),
            Var::Coordinate(_) => unreachable!("programs do not mention coordinates"),
        }
    }
}

/// The properties that marks give to the loops below.
#[derive(Clone)]
struct Marks {
    parallel: bool,
    doacross: bool,
    work: Trend,
    private: Vec<PrivateUpdate>,
    vector: Vector,
    register: Option<Kept>,
    panel: bool,
    simd_wavefront: bool,
}

const NO_MARKS: Marks = Marks {
    parallel: false,
    doacross: false,
    work: Trend::Even,
    private: Vec::new(),
    vector: Vector::Open,
    register: None,
    panel: false,
    simd_wavefront: false,
};

struct Lowering<'a> {
    /// Those of the SCoP, then tile sizes.
    names: Vec<&'a str>,
    scop: &'a Scop,
    program: Program,
    threads: bool,
    /// The number of the first counter.
    first_counter: usize,
}

/// Lowers the AST of a plan for parameters in the given ranges; marks that have to do with threads
/// count only if `threads`. Tile sizes are parameters behind those of the SCoP.
pub(crate) fn lower(plan: &Plan, mut params: Vec<Interval>, threads: bool) -> Result<Program, CodegenError> {
    let (ast, scop) = (&plan.ast, &plan.scop);
    let mut names: Vec<&str> = scop.params.iter().map(|param| param.name.as_str()).collect();
    for size in plan.nests.iter().flat_map(|nest| &nest.sizes) {
        names.push(size.param.as_str());
        params.push(Interval { lo: 1, hi: i128::from(WHOLE) });
    }
    let inspected = plan.inspection.as_ref();
    let counters = ast.iterators.len() + inspected.map_or(0, |inspection| inspection.iterators.len());
    let program = Program { code: Code::Block(Vec::new()), inspection: None, params, iters: vec![None; counters] };
    let mut lowering = Lowering { names, scop, program, threads, first_counter: 0 };
    let code = lowering.node(&ast.root, NO_MARKS)?;
    // Its counters come behind those of the program.
    let mut lowering = Lowering { threads: false, first_counter: ast.iterators.len(), ..lowering };
    let inspection = inspected.map(|inspection| lowering.node(&inspection.root, NO_MARKS)).transpose()?;
    Ok(Program { code, inspection, ..lowering.program })
}

impl Lowering<'_> {
    fn node(&mut self, node: &Node, marks: Marks) -> Result<Code, CodegenError> {
        match node {
            Node::Block(nodes) => {
                let nodes = nodes.iter().map(|n| self.node(n, marks.clone()));
                Ok(Code::Block(nodes.collect::<Result<_, _>>()?))
            }
            Node::For(f) => self.for_loop(f, marks),
            Node::If { condition, then, otherwise } => {
                let test = Test::from_cond(condition, &|name| self.param(name))?;
                let test = test.with_counters_from(self.first_counter);
                if !test.fits(64, &|var| self.program.range(var)) {
                    return Err(overflow("a condition"));
                }
                let then = Box::new(self.node(then, marks.clone())?);
                let otherwise = otherwise.as_ref().map(|n| self.node(n, marks).map(Box::new)).transpose()?;
                Ok(Code::If { test, then, otherwise })
            }
            Node::Mark { mark, body } => {
                let marks = self.with_mark(marks, mark)?;
                self.node(body, marks)
            }
            Node::User { statement, coordinates } => {
                let index = self.statement(statement.as_str())?;
                let coordinates =
                    coordinates.iter().map(|e| self.form(e, "a coordinate")).collect::<Result<Vec<_>, _>>()?;
                if coordinates.len() != self.scop.statements[index].loops.len() {
                    return Err(CodegenError::Plan { what: format!("wrong number of coordinates of {statement}") });
                }
                Ok(Code::Run(Run { statement: index, coordinates: coordinates.into_iter().map(|(f, _)| f).collect() }))
            }
        }
    }

    /// The properties of a loop with one more mark.
    fn with_mark(&self, marks: Marks, mark: &Mark) -> Result<Marks, CodegenError> {
        Ok(match mark {
            Mark::Parallel(Sharing { work, reductions }) => {
                let private = reductions.iter().map(|update| self.private_update(update));
                let private = private.collect::<Result<_, CodegenError>>()?;
                Marks { parallel: self.threads, work: *work, private, ..marks }
            }
            Mark::Doacross => Marks { parallel: self.threads, doacross: true, ..marks },
            Mark::Vector => Marks { vector: Vector::Wanted, ..marks },
            Mark::NoVector => Marks { vector: Vector::Refused, ..marks },
            Mark::RegisterTile(RegisterTile { results, partial }) => {
                let access =
                    |of: &AccessOf| self.statement(of.statement.as_str()).map(|statement| (statement, of.access));
                let results = results.iter().map(access).collect::<Result<_, CodegenError>>()?;
                let partial =
                    partial.iter().map(|name| self.statement(name.as_str())).collect::<Result<_, CodegenError>>()?;
                Marks { register: Some(Kept { results, partial }), ..marks }
            }
            Mark::Panel => Marks { panel: true, ..marks },
            Mark::SimdWavefront => Marks { simd_wavefront: true, ..marks },
            // What these ask for has become statements and other marks, or cannot be had.
            Mark::Wait | Mark::VectorIfDistributed(_) | Mark::Pack { .. } | Mark::Foreign(_) => marks,
        })
    }

    fn private_update(&self, update: &AccessOf) -> Result<PrivateUpdate, CodegenError> {
        let statement = self.statement(update.statement.as_str())?;
        let found = PrivateUpdate::of(self.scop, StmtId::from(statement), AccessId::from(update.access));
        found.ok_or_else(|| CodegenError::Plan { what: format!("{update} is no update of a reduction") })
    }

    fn for_loop(&mut self, f: &For, marks: Marks) -> Result<Code, CodegenError> {
        let (lower, first) = self.form(&f.lower, "a loop bound")?;
        let Some(upper) = &f.upper else {
            return Err(CodegenError::Plan { what: "a loop without end".to_owned() });
        };
        let (upper, last) = self.form(upper, "a loop bound")?;
        let (step, largest) = match &f.grid {
            Some(size) => (Step::Multiples(self.param(size.as_str())), i128::from(WHOLE)),
            None => (Step::By(small(&f.step)?), small(&f.step)?),
        };
        if last.hi < first.lo {
            return Ok(Code::Block(Vec::new()));
        }
        let range = Interval { lo: first.lo, hi: last.hi };
        if largest < 1 || !range.add(Interval { lo: 0, hi: largest }).is_some_and(|next| next.fits(64)) {
            return Err(overflow("a loop counter"));
        }
        let iter = self.first_counter + f.iterator.0;
        self.program.iters[iter] = Some(range);
        let parallel = marks.parallel;
        let threads = self.threads;
        self.threads = threads && !parallel;
        let body = self.node(&f.body, NO_MARKS)?;
        self.threads = threads;
        Ok(Code::Loop(Box::new(Loop {
            iter,
            lower,
            upper,
            step,
            coincident: f.coincident,
            vector: marks.vector,
            parallel,
            doacross: marks.doacross,
            work: marks.work,
            private: marks.private,
            register: marks.register,
            panel: marks.panel,
            simd_wavefront: marks.simd_wavefront,
            body,
        })))
    }

    /// The position of a parameter.
    fn param(&self, name: &str) -> usize {
        let found = self.names.iter().position(|&known| known == name);
        found.unwrap_or_else(|| panic!("the plan mentions an unknown parameter {name}"))
    }

    /// The form of an expression and its range.
    fn form(&self, expr: &poly_ast_build::Expr, what: &str) -> Result<(Form, Interval), CodegenError> {
        let form = Form::from_expr(expr, &|name| self.param(name))?.with_counters_from(self.first_counter);
        let range = form.range(64, &|var| self.program.range(var)).ok_or_else(|| overflow(what))?;
        Ok((form, range))
    }

    fn statement(&self, name: &str) -> Result<usize, CodegenError> {
        let found = self.scop.statements.iter().position(|s| s.name == name);
        found.ok_or_else(|| CodegenError::Plan { what: format!("the program mentions an unknown statement {name}") })
    }
}

/// The position of a parameter.
pub(crate) fn param_index(scop: &Scop, name: &str) -> usize {
    let found = scop.params.iter().position(|p| p.name == name);
    found.unwrap_or_else(|| panic!("the plan mentions an unknown parameter {name}"))
}

fn overflow(what: &str) -> CodegenError {
    CodegenError::Overflow { what: what.to_owned() }
}
