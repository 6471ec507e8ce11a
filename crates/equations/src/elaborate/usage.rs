//! Systems that use others: variables and equations under names of their own.
//!
//! # Method
//! The inputs of the system that is used become local variables whose equations are the arguments,
//! its outputs local variables that the results read, and its own equations follow, with the
//! parameters replaced by the arguments. A condition on its parameters must hold for all parameters
//! of the user.

use std::collections::BTreeMap;

use poly_presburger::{MultiAff, Tuple};

use super::{Builder, Names, Result, Text, constants};
use crate::diagnostic::{Diagnostic, Flaw, Span};
use crate::program::{Equation, Expr, ExprKind, scope};
use crate::syntax::lexer::{Kind, Token};
use crate::syntax::tree::{self, Affine, Name};
use crate::witness::outside;

impl Builder<'_> {
    #[allow(clippy::too_many_arguments, reason = "the parts of a use, and what is around it")]
    pub(super) fn usage(
        &mut self,
        results: &[Name],
        name: &Name,
        params: &[Affine],
        arguments: &[tree::Expr],
        span: &Span,
        names: &Names,
        chain: &mut Vec<String>,
    ) -> Result<()> {
        let wrong = |message: String| Err(Diagnostic::new(Flaw::Usage, span.clone(), message));
        let Some(used) = self.file.systems.iter().find(|system| system.name.text == name.text) else {
            return Err(Diagnostic::new(
                Flaw::UnknownSystem,
                name.span.clone(),
                format!("no system is called `{}`", name.text),
            ));
        };
        if chain.contains(&name.text) {
            let message = format!("a system uses itself: {} -> {}", chain.join(" -> "), name.text);
            return Err(Diagnostic::new(Flaw::SystemCircle, name.span.clone(), message));
        }
        if params.len() != used.params.len() {
            return wrong(format!("`{}` has {} parameters, not {}", name.text, used.params.len(), params.len()));
        }
        let of_kind = |kind: &str| -> Vec<Name> {
            let all = used.declarations.iter().filter(|d| d.kind.text == kind);
            all.flat_map(|d| d.names.clone()).collect()
        };
        let (inputs, outputs) = (of_kind("in"), of_kind("out"));
        if (inputs.len(), outputs.len()) != (arguments.len(), results.len()) {
            let (i, o) = (inputs.len(), outputs.len());
            return wrong(format!(
                "`{}` has {i} inputs and {o} outputs, not {} and {}",
                name.text,
                arguments.len(),
                results.len()
            ));
        }
        let mut inner = Names { substitution: constants(used), variables: BTreeMap::new() };
        for (param, argument) in used.params.iter().zip(params) {
            let mut text = Text::new(String::new());
            text.push(argument, names);
            let kind = Kind::Word(text.text.trim().to_owned());
            inner.substitution.insert(param.text.clone(), vec![Token { kind, span: argument.span.clone() }]);
            // The text must be an affine function of the parameters.
            let _ = self.aff(&[], argument, names)?;
        }
        if let Some(context) = &used.context {
            let needed = self.context(context, &inner)?;
            if let Some(witness) = outside(&self.system.context, &needed, self.budget)? {
                let message = format!("`{}` is used with parameters that it does not allow", name.text);
                return Err(Diagnostic::new(Flaw::Parameters, span.clone(), message).at(witness));
            }
        }
        self.uses += 1;
        let number = self.uses;
        let mut given = BTreeMap::new();
        for formal in inputs.iter().chain(&outputs) {
            given.insert(formal.text.clone(), self.system.fresh_name(&format!("use{number}_{}", formal.text)));
        }
        if given.is_empty() {
            return wrong(format!("`{}` has neither inputs nor outputs", name.text));
        }
        self.bind_inputs(used, &inputs, arguments, names, &inner, &given)?;
        chain.push(name.text.clone());
        self.bind_outputs(used, &outputs, results, names, inner, &given, chain)?;
        chain.pop();
        Ok(())
    }

    /// An equation for each input of a system that is used; the expression is over the names of the
    /// input's domain.
    fn bind_inputs(
        &mut self,
        used: &tree::System,
        inputs: &[Name],
        arguments: &[tree::Expr],
        names: &Names,
        inner: &Names,
        given: &BTreeMap<String, String>,
    ) -> Result<()> {
        for (formal, argument) in inputs.iter().zip(arguments) {
            let declaration = used.declarations.iter().find(|d| d.names.contains(formal)).expect("it is declared");
            let domain = self.domain(&declaration.domain[0], inner)?;
            let dims: Vec<String> = domain.space().variable_names()[self.system.params.len()..].to_vec();
            let body = self.expr(argument, &dims, names)?;
            // The variable will be the one of this name.
            self.system.equations.push(Equation { variable: usize::MAX, dims, body, span: argument.span.clone() });
            let at = self.system.equations.len() - 1;
            let full = &given[&formal.text];
            self.system.equations[at].variable = self.reserve(declaration, full, inner, formal)?;
        }
        Ok(())
    }

    /// A variable for an input of a system that is used.
    fn reserve(&mut self, declaration: &tree::Declaration, full: &str, inner: &Names, formal: &Name) -> Result<usize> {
        let alone = tree::Declaration { names: vec![formal.clone()], ..declaration.clone() };
        let given = BTreeMap::from([(formal.text.clone(), full.to_owned())]);
        let mut names = Names { substitution: inner.substitution.clone(), variables: BTreeMap::new() };
        self.declare(&alone, &mut names, &given)?;
        Ok(names.variables[&formal.text])
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a use, and what is around it")]
    fn bind_outputs(
        &mut self,
        used: &tree::System,
        outputs: &[Name],
        results: &[Name],
        names: &Names,
        mut inner: Names,
        given: &BTreeMap<String, String>,
        chain: &mut Vec<String>,
    ) -> Result<()> {
        // Inputs are variables already.
        let rest: Vec<tree::Declaration> = used.declarations.iter().filter(|d| d.kind.text != "in").cloned().collect();
        for declaration in used.declarations.iter().filter(|d| d.kind.text == "in") {
            for name in &declaration.names {
                let position = self.system.find(&given[&name.text]).expect("inputs have been bound");
                inner.variables.insert(name.text.clone(), position);
            }
        }
        for (formal, result) in outputs.iter().zip(results) {
            let Some(&target) = names.variables.get(&result.text) else {
                return Err(Diagnostic::new(
                    Flaw::UnknownName,
                    result.span.clone(),
                    format!("no variable is called `{}`", result.text),
                ));
            };
            let declaration = rest.iter().find(|d| d.names.contains(formal)).expect("it is declared");
            let variable = self.reserve(declaration, &given[&formal.text], &inner, formal)?;
            inner.variables.insert(formal.text.clone(), variable);
            let dims = self.system.variables[target].dims();
            if dims != self.system.variables[variable].dims() {
                let message = format!("`{}` and `{}` have different numbers of dimensions", result.text, formal.text);
                return Err(Diagnostic::new(Flaw::Dimensions, result.span.clone(), message));
            }
            let dims: Vec<String> = (0..dims).map(|i| format!("i{i}")).collect();
            let access =
                MultiAff::identity(&scope(&self.system.params, &dims)).set_range_tuple(Tuple::anonymous(dims.len()));
            let body = Expr::new(ExprKind::Read(variable, access), &result.span);
            self.system.equations.push(Equation { variable: target, dims, body, span: result.span.clone() });
        }
        let locals: Vec<tree::Declaration> = rest.into_iter().filter(|d| d.kind.text == "let").collect();
        let outputs_given: BTreeMap<String, String> = given.clone();
        let body = tree::System { declarations: locals, ..used.clone() };
        self.body(&body, inner, &outputs_given, chain)
    }
}
