//! Change of basis: the values of a variable under other subscripts.

use poly_presburger::{Budget, DimKind, Map, MultiAff, PwMultiAff, Set, Tuple};

use super::{Refusal, Transformed, local, pieces, rewrite_reads, stopped};
use crate::domain::named;
use crate::normalize::assembled;
use crate::program::{Branch, Expr, System};
use crate::pullback::{after, pullback};
use crate::witness::{point, text};

/// Gives a local variable the subscripts `map(z)`, `map` being a text such as
/// `(i, j) -> (i + j, j)`. The function must not map two points of the domain to one; where its
/// image has holes, so has the new domain.
///
/// # Errors
/// Why it is not possible.
pub fn change_basis(system: &System, name: &str, map: &str, budget: &mut Budget) -> Transformed {
    let variable = local(system, name)?;
    let equation = system.equations.iter().position(|e| e.variable == variable).ok_or("it has no equation")?;
    let old = system.equations[equation].clone();
    let (t, names) = function(system, map, old.dims.len())?;
    let domain = &system.variables[variable].domain;
    let graph = t.to_map().intersect_domain(&named(domain, &t.domain_space()));
    if let Some(witness) = collision(&graph, budget).map_err(stopped)? {
        return Err(format!("two points of `{name}` get the same subscripts: {witness}"));
    }
    let scope = system.scope(&names);
    let mut result = system.clone();
    let image = graph.range().compute_divs(budget).and_then(|set| set.coalesce(budget));
    let image = named(&image.and_then(|set| set.compute_divs(budget)).map_err(stopped)?, &scope);
    let inverse = PwMultiAff::from_map(&graph.reverse(), budget).map_err(|error| error.to_string())?;
    let mut parts = Vec::new();
    for (part, back) in pieces(&inverse, &scope, budget).map_err(stopped)? {
        let back = over(&back, &scope);
        parts.push(Branch { domain: part, body: pullback(&old.body, &back, &names, &system.params) });
    }
    let body = assembled(parts, &image, &old.body.span, budget).map_err(stopped)?;
    result.variables[variable].domain = image;
    result.equations[equation].dims = names;
    result.equations[equation].body = body;
    rewrite_reads(&mut result, &mut |_, read, access, _, span| {
        (read == variable).then(|| Expr::new(crate::program::ExprKind::Read(read, after(&t, access)), span))
    });
    Ok(result)
}

/// The same function of a scope with these names.
fn over(map: &MultiAff, scope: &poly_presburger::Space) -> MultiAff {
    let n = scope.dim(DimKind::Out);
    after(map, &MultiAff::identity(scope).set_range_tuple(Tuple::anonymous(n)))
}

/// `(i, j) -> (i + j, j)`, and names for the results.
pub(crate) fn function(system: &System, text: &str, dims: usize) -> Result<(MultiAff, Vec<String>), Refusal> {
    let params: Vec<&str> = system.params.iter().map(|p| p.as_str()).collect();
    let isl: String = text
        .chars()
        .map(|c| match c {
            '(' => '[',
            ')' => ']',
            c => c,
        })
        .collect();
    // Parentheses inside of subscripts are not those of tuples.
    let whole = outer_brackets(text).unwrap_or(isl);
    let parsed: Result<MultiAff, _> = format!("[{}] -> {{ {whole} }}", params.join(", ")).parse();
    let map =
        parsed.map_err(|error| format!("`{text}` is no function such as `(i, j) -> (i + j, j)`: {}", error.message))?;
    if map.domain_space().dim(DimKind::Out) != dims {
        return Err(format!("the function is of {} dimensions, not of {dims}", map.domain_space().dim(DimKind::Out)));
    }
    if map.affs().iter().any(|aff| !aff.denom().is_one()) {
        return Err("the function has values that are no integers".to_owned());
    }
    let space = map.domain_space();
    let own = space.variable_names()[params.len()..].to_vec();
    let names: Vec<String> = map
        .affs()
        .iter()
        .enumerate()
        .map(|(i, aff)| {
            let alone = (0..own.len()).find(|&j| *aff == poly_presburger::Aff::var(space.clone(), DimKind::Out, j));
            alone.map_or_else(|| format!("t{i}"), |j| own[j].clone())
        })
        .collect();
    let taken: Vec<String> = params.iter().map(|p| (*p).to_owned()).collect();
    let n = map.n_out();
    Ok((map.set_range_tuple(Tuple::anonymous(n)), crate::program::distinct(&names, &taken)))
}

/// The text with the outermost parentheses, which are those of tuples, as brackets.
fn outer_brackets(text: &str) -> Option<String> {
    let (mut depth, mut out) = (0, String::new());
    for c in text.chars() {
        match c {
            '(' => {
                out.push(if depth == 0 { '[' } else { '(' });
                depth += 1;
            }
            ')' => {
                depth -= 1;
                out.push(if depth == 0 { ']' } else { ')' });
            }
            c => out.push(c),
        }
    }
    (depth == 0).then_some(out)
}

/// Two points with one image.
fn collision(graph: &Map, budget: &mut Budget) -> Result<Option<String>, poly_presburger::Stop> {
    let pairs = graph.apply_range(&graph.reverse());
    let space = pairs.space().clone();
    let different = Map::lex_lt(&space.domain_space()).align_params(&space);
    let bad =
        pairs.set_tuple(DimKind::Out, space.domain.clone().expect("a relation has a domain")).intersect(&different);
    let n = bad.dim(DimKind::In);
    let bad: Set = bad.flat_wrap();
    let found = point(&bad, budget)?;
    Ok(found.map(|values| {
        let params = bad.dim(DimKind::Param);
        let list = |range: std::ops::Range<usize>| {
            let values: Vec<String> = values[range].iter().map(ToString::to_string).collect();
            format!("({})", values.join(", "))
        };
        let sizes = text(&bad.params(), &values[..params]);
        let both = format!("{} and {}", list(params..params + n), list(params + n..params + 2 * n));
        if params == 0 { both } else { format!("{both} when {sizes}") }
    }))
}
