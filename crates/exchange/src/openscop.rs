//! OpenScop: relations as matrices [Bastoul2011].
//!
//! What is written is the format of the OpenScop library 0.9: language, context, names of
//! parameters, statements with domain, scattering, accesses and body, and the extensions
//! `scatnames` (none), `arrays` (names of array numbers). What is read is that, and the older form
//! with names of parameters and bodies without tags. In a body `S0(i0, i1);` the name is that of
//! the statement. The accesses of a statement have no order in this format: reads come before
//! writes.
//!
//! Poly's own is the extension `poly` with the name of the SCoP and, for each statement, the
//! relation from its instances to their time in the original program. Other readers skip extensions
//! that they do not know.

use std::fmt::Write;

use poly_dependence::AccessKind;
use poly_presburger::{Budget, DimKind, Id, Map, Set, Tuple};

use crate::lines::Lines;
use crate::relation::{self, Matrices};
use crate::{AccessText, ArrayText, ScopText, StatementText, TextError};

/// Writes it.
pub(crate) fn write(scop: &ScopText) -> String {
    let params: Vec<Id> = parameters(scop);
    let exact = |map: &Map| map.with_exact_params(&params);
    let mut text = String::from("<OpenScop>\n\n# Language\nC\n\n# Context\n");
    relation::write(&mut text, "CONTEXT", &exact(scop.context.as_map()));
    let names: Vec<&str> = params.iter().map(Id::as_str).collect();
    if names.is_empty() {
        text.push_str("\n# There are no parameters\n0\n");
    } else {
        put(&mut text, &format!("\n# Parameters\n1\n<strings>\n{}\n</strings>", names.join(" ")));
    }
    put(&mut text, &format!("\n# Number of statements\n{}", scop.statements.len()));
    for statement in &scop.statements {
        put(&mut text, &format!("\n# {0}\n# Number of relations\n{1}", statement.name, 2 + statement.accesses.len()));
        relation::write(&mut text, "DOMAIN", &exact(statement.domain.as_map()));
        relation::write(&mut text, "SCATTERING", &exact(&statement.schedule));
        for access in &statement.accesses {
            let elements = numbered(scop, &access.relation);
            relation::write(&mut text, kind_name(access.kind), &exact(&elements));
        }
        let iterators: Vec<String> = (0..statement.domain.n_dim()).map(|i| format!("i{i}")).collect();
        put(&mut text, "# Number of extensions\n1\n<body>\n# Number of iterators");
        put(&mut text, &iterators.len().to_string());
        if !iterators.is_empty() {
            put(&mut text, &iterators.join(" "));
        }
        put(&mut text, &format!("# Body\n{}({});\n</body>", statement.name, iterators.join(", ")));
    }
    text.push_str("\n# Extensions\n");
    if !scop.arrays.is_empty() {
        put(&mut text, &format!("<arrays>\n# Number of arrays\n{}", scop.arrays.len()));
        for (index, array) in scop.arrays.iter().enumerate() {
            put(&mut text, &format!("{} {}", index + 1, array.name));
        }
        text.push_str("</arrays>\n\n");
    }
    put(&mut text, &format!("<poly>\nscop: {}", scop.name));
    for original in scop.statements.iter().filter_map(|s| s.original.as_ref()) {
        put(&mut text, &format!("original: {original}"));
    }
    text.push_str("</poly>\n\n</OpenScop>\n");
    text
}

fn put(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a String cannot fail");
}

/// The parameters of all sets and relations.
fn parameters(scop: &ScopText) -> Vec<Id> {
    let mut space = scop.context.space().params_space();
    for statement in &scop.statements {
        space = space.align(statement.domain.space()).params_space();
        let relations = statement.accesses.iter().map(|a| &a.relation).chain([&statement.schedule]);
        space = relations.fold(space, |space, map| space.align(map.space()).params_space());
    }
    space.params
}

/// The access with the number of the array as first output.
fn numbered(scop: &ScopText, relation: &Map) -> Map {
    let name = relation.space().tuple_name(DimKind::Out).map_or("", |id| id.as_str());
    let place = scop.arrays.iter().position(|a| a.name == name);
    let number = place.map_or(0, |place| place + 1);
    relation.set_tuple_name(DimKind::Out, None).insert_dims(DimKind::Out, 0, 1).fix(DimKind::Out, 0, number)
}

fn kind_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "READ",
        AccessKind::MustWrite => "WRITE",
        AccessKind::MayWrite => "MAY_WRITE",
    }
}

/// A statement before the names of parameters and arrays are put in.
struct RawStatement {
    domain: Matrices,
    scattering: Matrices,
    accesses: Vec<(AccessKind, Matrices)>,
    name: String,
}

/// Reads it.
pub(crate) fn read(text: &str, budget: &mut Budget) -> Result<ScopText, TextError> {
    let mut lines = Lines::new(text);
    while lines.next("<OpenScop>")? != "<OpenScop>" {}
    lines.next("the language")?;
    if lines.next("CONTEXT")? != "CONTEXT" {
        return lines.wrong("expected CONTEXT");
    }
    let context = relation::read(&mut lines)?;
    if (context.outputs, context.inputs) != (0, 0) {
        return lines.wrong("the context has dimensions other than parameters");
    }
    let params = parameter_names(&mut lines, context.parameters)?;
    let count = lines.number("the number of statements")?;
    let mut raw = Vec::new();
    for index in 0..count {
        raw.push(statement(&mut lines, index, params.len())?);
    }
    let extensions = extensions(&mut lines)?;
    let context = Set::from_map(context.to_map(&params, None, &Tuple::anonymous(0), 0, budget)?).as_map().params();
    let mut scop = ScopText { name: extensions.scop, context, arrays: Vec::new(), statements: Vec::new() };
    for raw in raw {
        let statement = with_names(raw, &params, &extensions.arrays, &mut scop.arrays, budget)?;
        scop.statements.push(statement);
    }
    for original in extensions.originals {
        let name = original.space().tuple_name(DimKind::In).map(|id| id.as_str().to_string()).unwrap_or_default();
        let Some(statement) = scop.statements.iter_mut().find(|s| s.name == name) else {
            return lines.wrong(&format!("there is an original order of {name}, which is no statement"));
        };
        statement.original = Some(original);
    }
    Ok(scop)
}

fn parameter_names(lines: &mut Lines<'_>, count: usize) -> Result<Vec<Id>, TextError> {
    let given = lines.number("whether parameters have names")?;
    if given == 0 {
        return Ok((0..count).map(|i| Id::new(&format!("p{i}"))).collect());
    }
    let mut names: Vec<&str> = Vec::new();
    if lines.peek("the names of the parameters")? == "<strings>" {
        lines.next("<strings>")?;
        lines.until("</strings>")?.into_iter().for_each(|line| names.extend(line.split_whitespace()));
    } else if count > 0 {
        names.extend(lines.next("the names of the parameters")?.split_whitespace());
    }
    if names.len() != count {
        return lines.wrong(&format!("there are {count} parameters and {} names", names.len()));
    }
    Ok(names.into_iter().map(Id::new).collect())
}

fn statement(lines: &mut Lines<'_>, index: usize, params: usize) -> Result<RawStatement, TextError> {
    let (mut domain, mut scattering) = (None, None);
    let mut accesses = Vec::new();
    for _ in 0..lines.number("the number of relations")? {
        let kind = lines.next("the type of a relation")?;
        let matrices = relation::read(lines)?;
        if matrices.parameters != params {
            return lines.wrong("the relation has another number of parameters than the context");
        }
        match kind {
            "DOMAIN" => domain = Some(matrices),
            "SCATTERING" => scattering = Some(matrices),
            "READ" => accesses.push((AccessKind::Read, matrices)),
            "WRITE" | "MUST_WRITE" => accesses.push((AccessKind::MustWrite, matrices)),
            "MAY_WRITE" => accesses.push((AccessKind::MayWrite, matrices)),
            other => {
                return lines.wrong(&format!(
                    "a relation of the type {other}; expected DOMAIN, SCATTERING, READ, WRITE or MAY_WRITE"
                ));
            }
        }
    }
    let (Some(domain), Some(scattering)) = (domain, scattering) else {
        return lines.wrong("the statement needs a DOMAIN and a SCATTERING");
    };
    if domain.inputs != 0
        || [&scattering].into_iter().chain(accesses.iter().map(|(_, m)| m)).any(|m| m.inputs != domain.outputs)
    {
        return lines.wrong("the relations of the statement have different numbers of iterators");
    }
    if accesses.iter().any(|(_, m)| m.outputs == 0) {
        return lines.wrong("an access of the statement names no array");
    }
    // An instance reads before it writes.
    accesses.sort_by_key(|(kind, _)| *kind != AccessKind::Read);
    let name = body(lines)?.unwrap_or_else(|| format!("S{index}"));
    Ok(RawStatement { domain, scattering, accesses, name })
}

/// Reads the body; the name in it if it is that of a call and nothing else.
fn body(lines: &mut Lines<'_>) -> Result<Option<String>, TextError> {
    let mut name = None;
    for _ in 0..lines.number("the number of bodies")? {
        let first = lines.next("a body")?;
        if let Some(tag) = first.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
            let content = lines.until(&format!("</{tag}>"))?;
            name = name.or(content.iter().find_map(|line| called(line)));
        } else {
            // The older form: iterators, if there are any, and one line of text.
            let is_text = first.ends_with(';') || first.ends_with('}');
            let text = if is_text { first } else { lines.next("the text of a body")? };
            name = called(text);
        }
    }
    Ok(name)
}

/// `S0` of `S0(i, j);`.
fn called(line: &str) -> Option<String> {
    let (name, rest) = line.split_once('(')?;
    let identifier =
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && name.starts_with(|c: char| !c.is_numeric());
    let arguments = rest.strip_suffix(");")?;
    let plain = arguments.chars().all(|c| c.is_alphanumeric() || "_, ".contains(c));
    (identifier && plain).then(|| name.to_string())
}

/// What is behind the statements.
#[derive(Default)]
struct Extensions {
    arrays: Vec<(usize, String)>,
    scop: String,
    originals: Vec<Map>,
}

fn extensions(lines: &mut Lines<'_>) -> Result<Extensions, TextError> {
    let mut result = Extensions::default();
    loop {
        let line = lines.next("</OpenScop>")?;
        if line == "</OpenScop>" {
            return Ok(result);
        }
        let Some(tag) = line.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else {
            return lines.wrong(&format!("expected an extension or </OpenScop>, found '{line}'"));
        };
        let content = lines.until(&format!("</{tag}>"))?;
        match tag {
            "arrays" => {
                for line in content.into_iter().filter(|line| !line.starts_with('#')) {
                    if let [number, name] = line.split_whitespace().collect::<Vec<_>>()[..]
                        && let Ok(number) = number.parse()
                    {
                        result.arrays.push((number, name.to_string()));
                    }
                }
            }
            "poly" => {
                for line in content {
                    if let Some(name) = line.strip_prefix("scop: ") {
                        result.scop = name.to_string();
                    } else if let Some(map) = line.strip_prefix("original: ") {
                        match map.parse() {
                            Ok(map) => result.originals.push(map),
                            Err(error) => return lines.wrong(&format!("{error} (in '{map}')")),
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

fn with_names(
    raw: RawStatement,
    params: &[Id],
    names: &[(usize, String)],
    arrays: &mut Vec<ArrayText>,
    budget: &mut Budget,
) -> Result<StatementText, TextError> {
    let tuple = Tuple::named(raw.name.as_str(), raw.domain.outputs);
    let domain = Set::from_map(raw.domain.to_map(params, None, &tuple, 0, budget)?);
    let time = Tuple::anonymous(raw.scattering.outputs);
    let schedule = raw.scattering.to_map(params, Some(&tuple), &time, 0, budget)?;
    let mut accesses = Vec::new();
    for (kind, matrices) in raw.accesses {
        let Some(number) = matrices.first_output().and_then(|n| n.to_i64()) else {
            return crate::wrong(format!("an access of statement {} names no array", raw.name));
        };
        let known = names.iter().find(|(n, _)| i64::try_from(*n) == Ok(number));
        let name = known.map_or_else(|| format!("A{number}"), |(_, name)| name.clone());
        let element = Tuple::named(name.as_str(), matrices.outputs - 1);
        let relation = matrices.to_map(params, Some(&tuple), &element, 1, budget)?;
        if arrays.iter().all(|a| a.name != name) {
            let sizes = vec!["*".to_string(); matrices.outputs - 1];
            arrays.push(ArrayText { name, sizes, element: String::new() });
        }
        accesses.push(AccessText { kind, relation });
    }
    Ok(StatementText { name: raw.name, domain, schedule, original: None, accesses })
}
