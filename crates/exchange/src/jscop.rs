//! Polly's JSCoP: JSON with sets and relations in isl's syntax.
//!
//! ```text
//! { "name": "..", "context": "[n] -> { : }",
//!   "arrays": [ { "name": "A", "sizes": ["*", "500"], "type": "double" } ],
//!   "statements": [ { "name": "S0", "domain": "..", "schedule": "{ S0[i0] -> [0, i0] }",
//!                     "accesses": [ { "kind": "read", "relation": "{ S0[i0] -> A[i0] }" } ] } ] }
//! ```
//!
//! Two things are Poly's own, and Polly does not look at them: the key `original` of a statement,
//! its time in the original program, and the kind `may_write`.

use poly_dependence::AccessKind;
use serde_json::{Map as Object, Value, json};

use crate::{AccessText, ArrayText, ScopText, StatementText, TextError, wrong};

/// Writes it.
pub(crate) fn write(scop: &ScopText) -> String {
    let arrays: Vec<Value> =
        scop.arrays.iter().map(|a| json!({ "name": a.name, "sizes": a.sizes, "type": a.element })).collect();
    let statements: Vec<Value> = scop.statements.iter().map(statement_value).collect();
    let root = json!({
        "name": scop.name,
        "context": scop.context.to_string(),
        "arrays": arrays,
        "statements": statements,
    });
    format!("{root:#}\n")
}

fn statement_value(statement: &StatementText) -> Value {
    let access = |a: &AccessText| json!({ "kind": kind_name(a.kind), "relation": a.relation.to_string() });
    let mut value = json!({
        "name": statement.name,
        "domain": statement.domain.to_string(),
        "schedule": statement.schedule.to_string(),
        "accesses": statement.accesses.iter().map(access).collect::<Vec<_>>(),
    });
    if let Some(original) = &statement.original {
        value["original"] = json!(original.to_string());
    }
    value
}

fn kind_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::MustWrite => "write",
        AccessKind::MayWrite => "may_write",
    }
}

/// Reads it.
pub(crate) fn read(text: &str) -> Result<ScopText, TextError> {
    let root: Value = match serde_json::from_str(text) {
        Ok(root) => root,
        Err(error) => return wrong(format!("line {}: {error}", error.line())),
    };
    let Value::Object(root) = &root else { return wrong("a JSCoP file is an object") };
    let arrays = match root.get("arrays") {
        None => Vec::new(),
        Some(_) => objects(root, "arrays", "the file")?.into_iter().map(array).collect::<Result<_, _>>()?,
    };
    let statements = objects(root, "statements", "the file")?;
    Ok(ScopText {
        name: root.get("name").and_then(Value::as_str).unwrap_or_default().to_string(),
        context: parsed(root, "context", "the file")?,
        arrays,
        statements: statements.into_iter().map(statement).collect::<Result<_, _>>()?,
    })
}

fn array(object: &Object<String, Value>) -> Result<ArrayText, TextError> {
    let name = string(object, "name", "an array")?.to_string();
    let Some(Value::Array(sizes)) = object.get("sizes") else {
        return wrong(format!("array {name} has no list 'sizes'"));
    };
    let size = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let element = string(object, "type", &format!("array {name}"))?.to_string();
    Ok(ArrayText { sizes: sizes.iter().map(size).collect(), element, name })
}

fn statement(object: &Object<String, Value>) -> Result<StatementText, TextError> {
    let name = string(object, "name", "a statement")?.to_string();
    let place = format!("statement {name}");
    let accesses = objects(object, "accesses", &place)?;
    Ok(StatementText {
        domain: parsed(object, "domain", &place)?,
        schedule: parsed(object, "schedule", &place)?,
        original: if object.contains_key("original") { Some(parsed(object, "original", &place)?) } else { None },
        accesses: accesses.into_iter().map(|a| access(a, &place)).collect::<Result<_, _>>()?,
        name,
    })
}

fn access(object: &Object<String, Value>, place: &str) -> Result<AccessText, TextError> {
    let kind = match string(object, "kind", place)? {
        "read" => AccessKind::Read,
        "write" => AccessKind::MustWrite,
        "may_write" => AccessKind::MayWrite,
        other => {
            return wrong(format!("{place} has an access of the kind '{other}'; known are read, write, may_write"));
        }
    };
    Ok(AccessText { kind, relation: parsed(object, "relation", place)? })
}

fn string<'a>(object: &'a Object<String, Value>, key: &str, place: &str) -> Result<&'a str, TextError> {
    match object.get(key) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => wrong(format!("'{key}' of {place} is no text")),
        None => wrong(format!("{place} has no '{key}'")),
    }
}

fn parsed<T: std::str::FromStr>(object: &Object<String, Value>, key: &str, place: &str) -> Result<T, TextError>
where
    T::Err: std::fmt::Display,
{
    let text = string(object, key, place)?;
    text.parse().or_else(|error: T::Err| wrong(format!("'{key}' of {place}: {error} (in \"{text}\")")))
}

fn objects<'a>(
    object: &'a Object<String, Value>,
    key: &str,
    place: &str,
) -> Result<Vec<&'a Object<String, Value>>, TextError> {
    let Some(Value::Array(values)) = object.get(key) else { return wrong(format!("{place} has no list '{key}'")) };
    let all: Option<Vec<_>> = values.iter().map(Value::as_object).collect();
    all.map_or_else(|| wrong(format!("'{key}' of {place} has something that is no object")), Ok)
}
