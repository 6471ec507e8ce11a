//! Programs from schedules.

use std::sync::Arc;

use indexmap::IndexMap;
use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions, CStyle, Node, build, interpret_within};
use poly_presburger::{Budget, Id, Set, Space, Stop, Tuple};
use poly_schedule_tree::{Band, LoopType, ScheduleTree, Tree};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::failure::{Answer, Failure, run};
use crate::function::{arguments, graph};
use crate::methods::{SetArg, UnionMapArg};
use crate::number::Number;
use crate::schedule::PySchedule;
use crate::space::parameters;

/// Makes programs from schedules, for the parameter values of a context.
#[pyclass(name = "AstBuild", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyAstBuild {
    context: Set,
    options: AstOptions,
}

/// A program, or a part of one.
#[pyclass(name = "AstNode", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyAstNode {
    ast: Arc<Ast>,
    node: Node,
    params: Vec<Id>,
    context: Set,
}

#[pymethods]
impl PyAstBuild {
    /// For all parameter values, or those of a context. An unrolled loop has at most `max_unroll`
    /// iterations; `iterators` are names of the counters, from the outermost on; without
    /// `allow_else` and `allow_or`, conditions have no `else`, and are no disjunctions.
    #[new]
    #[pyo3(signature = (context=None, *, max_unroll=64, iterators=Vec::new(), allow_else=true, allow_or=true))]
    fn new(
        context: Option<SetArg>,
        max_unroll: u32,
        iterators: Vec<String>,
        allow_else: bool,
        allow_or: bool,
    ) -> PyResult<PyAstBuild> {
        let context = context.map_or_else(|| Set::universe(Space::params(Vec::new())), |context| context.0);
        parameters(context.space())?;
        let iterators = iterators.into_iter().map(Id::from).collect();
        let options = AstOptions { max_unroll, iterators, allow_else, allow_or, ..AstOptions::default() };
        Ok(PyAstBuild { context, options })
    }

    /// For the parameter values of a set.
    #[staticmethod]
    fn from_context(context: SetArg) -> PyResult<PyAstBuild> {
        PyAstBuild::new(Some(context), AstOptions::default().max_unroll, Vec::new(), true, true)
    }

    /// A program that runs each instance once, in the order of the schedule.
    fn node_from_schedule(&self, py: Python<'_>, schedule: &Bound<'_, PySchedule>) -> PyResult<PyAstNode> {
        let tree = &schedule.get().0;
        run(py, |budget| self.program(tree, budget))
    }

    /// A program that runs each instance of the domain once, in the lexicographic order of the
    /// images. All loops are of one type: `default`, `atomic`, `separate` or `unroll`.
    #[pyo3(signature = (schedule, *, loop_type="default"))]
    fn node_from_schedule_map(&self, py: Python<'_>, schedule: UnionMapArg, loop_type: &str) -> PyResult<PyAstNode> {
        let loop_type: LoopType = crate::schedule::loop_type(loop_type)?;
        run(py, |budget| {
            let functions = graph(&schedule.0, budget)?;
            let functions = functions.set_tuple(Tuple::anonymous(functions.dim()));
            let domain = schedule.0.domain();
            let tree = match functions.dim() {
                0 => ScheduleTree::from_domain(domain),
                _ => {
                    let band = Band::new(functions).with_loop_type(loop_type);
                    ScheduleTree::new(domain, Tree::band(band, Tree::leaf()))
                }
            };
            self.program(&tree, budget)
        })
    }
}

impl PyAstBuild {
    fn program(&self, tree: &ScheduleTree, budget: &mut Budget) -> Answer<PyAstNode> {
        if let Some(set) = tree.domain().iter().find(|set| set.tuple_name().is_none()) {
            let message = format!("the instances of a program have the name of a statement, not as in {set}");
            return Err(Failure::Value(message));
        }
        let ast = build(tree, &self.context, &self.options, budget).map_err(|Stop| match budget.remaining() {
            0 => Failure::Budget,
            // Nothing else stops the generation.
            _ => Failure::Unbounded("a loop has no bounds".to_owned()),
        })?;
        let space = self.context.space().align(&tree.domain().params_space());
        let context = self.context.clone();
        Ok(PyAstNode { node: ast.root.clone(), ast: Arc::new(ast), params: space.params, context })
    }
}

impl PyAstNode {
    fn part(&self, node: &Node) -> PyAstNode {
        PyAstNode {
            node: node.clone(),
            ast: Arc::clone(&self.ast),
            params: self.params.clone(),
            context: self.context.clone(),
        }
    }

    fn unfit(&self, wanted: &str) -> PyErr {
        Failure::Type(format!("this is a {} node, not a {wanted} node", self.get_type())).into()
    }

    fn as_ast(&self) -> Ast {
        Ast { root: self.node.clone(), iterators: self.ast.iterators.clone() }
    }
}

#[pymethods]
impl PyAstNode {
    /// The kind: `for`, `if`, `block`, `mark` or `user`.
    fn get_type(&self) -> &'static str {
        match &self.node {
            Node::Block(_) => "block",
            Node::For(_) => "for",
            Node::If { .. } => "if",
            Node::Mark { .. } => "mark",
            Node::User { .. } => "user",
        }
    }

    /// The text in C. `floord`, `ceild`, `pmod`, `min` and `max` are functions or macros; with
    /// `prefer_pdiv`, C's `/` and `%` stand where nothing negative is divided.
    #[pyo3(name = "to_C_str", signature = (*, iterator_type="int", prefer_pdiv=false))]
    fn to_c_str(&self, py: Python<'_>, iterator_type: &str, prefer_pdiv: bool) -> PyResult<String> {
        run(py, |budget| {
            let mut style = CStyle::default().with_iterator_type(iterator_type);
            if prefer_pdiv {
                style = style.prefer_pdiv(&self.ast, &self.context, budget)?;
            }
            Ok(self.as_ast().to_c(&style))
        })
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        run(py, |_| Ok(self.as_ast().to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<AstNode {}>", self.get_type())
    }

    /// The nodes of a block.
    fn block_get_children(&self) -> PyResult<Vec<PyAstNode>> {
        match &self.node {
            Node::Block(nodes) => Ok(nodes.iter().map(|node| self.part(node)).collect()),
            _ => Err(self.unfit("block")),
        }
    }

    /// The name of the counter of a loop.
    fn for_get_iterator(&self) -> PyResult<String> {
        match &self.node {
            Node::For(it) => Ok(self.ast.iterators[it.iterator.0].name.to_string()),
            _ => Err(self.unfit("for")),
        }
    }

    /// The first value of the counter.
    fn for_get_init(&self) -> PyResult<String> {
        match &self.node {
            Node::For(it) => Ok(self.ast.expr_text(&it.lower)),
            _ => Err(self.unfit("for")),
        }
    }

    /// The value that the counter does not exceed, or `None` for a loop without end.
    fn for_get_upper(&self) -> PyResult<Option<String>> {
        match &self.node {
            Node::For(it) => Ok(it.upper.as_ref().map(|upper| self.ast.expr_text(upper))),
            _ => Err(self.unfit("for")),
        }
    }

    /// What is added to the counter.
    fn for_get_inc(&self) -> PyResult<Number> {
        match &self.node {
            Node::For(it) => Ok(Number::from(it.step.clone())),
            _ => Err(self.unfit("for")),
        }
    }

    /// What is in the loop.
    fn for_get_body(&self) -> PyResult<PyAstNode> {
        match &self.node {
            Node::For(it) => Ok(self.part(&it.body)),
            _ => Err(self.unfit("for")),
        }
    }

    /// The condition.
    fn if_get_cond(&self) -> PyResult<String> {
        match &self.node {
            Node::If { condition, .. } => Ok(self.ast.cond_text(condition)),
            _ => Err(self.unfit("if")),
        }
    }

    /// What runs if the condition holds.
    fn if_get_then(&self) -> PyResult<PyAstNode> {
        match &self.node {
            Node::If { then, .. } => Ok(self.part(then)),
            _ => Err(self.unfit("if")),
        }
    }

    /// What runs if the condition does not hold, or `None`.
    fn if_get_else(&self) -> PyResult<Option<PyAstNode>> {
        match &self.node {
            Node::If { otherwise, .. } => Ok(otherwise.as_ref().map(|node| self.part(node))),
            _ => Err(self.unfit("if")),
        }
    }

    /// The text of a mark.
    fn mark_get_id(&self) -> PyResult<String> {
        match &self.node {
            Node::Mark { mark, .. } => Ok(mark.to_string()),
            _ => Err(self.unfit("mark")),
        }
    }

    /// What is marked.
    fn mark_get_node(&self) -> PyResult<PyAstNode> {
        match &self.node {
            Node::Mark { body, .. } => Ok(self.part(body)),
            _ => Err(self.unfit("mark")),
        }
    }

    /// The name of the statement and the texts of its coordinates.
    fn user_get_expr(&self) -> PyResult<(String, Vec<String>)> {
        match &self.node {
            Node::User { statement, coordinates } => {
                Ok((statement.to_string(), coordinates.iter().map(|expr| self.ast.expr_text(expr)).collect()))
            }
            _ => Err(self.unfit("user")),
        }
    }

    /// The instances that the program runs for values of the parameters, in its order: names of
    /// statements with coordinates.
    #[pyo3(signature = (**params))]
    fn execute<'py>(
        &self,
        py: Python<'py>,
        params: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<(String, Bound<'py, PyTuple>)>> {
        if self.node != self.ast.root {
            return Err(Failure::Value("only a whole program can be run".to_owned()).into());
        }
        let (values, _) =
            arguments(&Space::set(self.params.clone(), Tuple::anonymous(0)), &PyTuple::empty(py), params)?;
        let params: IndexMap<Id, Int> = self.params.iter().cloned().zip(values).collect();
        let run_all = |budget: &mut Budget| {
            let mut all: Vec<(String, Vec<Int>)> = Vec::new();
            interpret_within(&self.ast, &params, budget, &mut |name, point| {
                all.push((name.to_string(), point.to_vec()))
            })?;
            Ok(all)
        };
        let instance = |(name, point): (String, Vec<Int>)| {
            Ok((name, PyTuple::new(py, point.into_iter().map(Number::from).collect::<Vec<_>>())?))
        };
        run(py, run_all)?.into_iter().map(instance).collect()
    }
}
