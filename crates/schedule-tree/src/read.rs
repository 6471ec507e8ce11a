//! Reading schedule trees from the YAML text that isl writes.
//!
//! Each node is a mapping. Its kind follows from a key (`domain`, `schedule`, `sequence`, `filter`,
//! `mark`, ...); `child` holds what is below. Sets and functions are quoted texts in isl syntax.
//! Loop types are written as isl's options: `options: "{ atomic[0]; unroll[1] }"`; `separate[x]`
//! means all members. What isolates a part of the schedule space, `isolate[[outer] -> [members]]`,
//! and options for that part, `[isolate[] -> unroll[x]]`, are kept with the band as they are.

use std::fmt;
use std::str::FromStr;

use poly_presburger::{MultiUnionPwAff, Set, Tuple, UnionMap, UnionSet};

use crate::band::{Band, ISOLATE, ISOLATE_REST, LoopType};
use crate::schedule::ScheduleTree;
use crate::tree::{MAX_HEIGHT, NodeKind, Tree};
use crate::yaml::{self, TreeParseError, Value};

type Entries = [(String, Value)];

impl FromStr for ScheduleTree {
    type Err = TreeParseError;

    fn from_str(text: &str) -> Result<ScheduleTree, TreeParseError> {
        let value = yaml::parse(text)?;
        let Value::Mapping(entries, place) = &value else {
            return Err(TreeParseError::new(value.place(), "a schedule tree is a mapping"));
        };
        let Some(domain) = find(entries, "domain") else {
            return Err(TreeParseError::new(*place, "the root of a schedule tree needs a domain"));
        };
        let domain: UnionSet = parsed(domain)?;
        Ok(ScheduleTree::new(domain, child(entries, 1)?))
    }
}

fn find<'a>(entries: &'a Entries, key: &str) -> Option<&'a Value> {
    entries.iter().find(|(k, _)| k == key).map(|(_, v)| v)
}

/// The text of a scalar in whatever it stands for.
fn parsed<T: FromStr>(value: &Value) -> Result<T, TreeParseError>
where
    T::Err: fmt::Display,
{
    let text = scalar(value)?;
    text.parse().map_err(|e: T::Err| TreeParseError::new(value.place(), format!("{e} (in {text:?})")))
}

fn scalar(value: &Value) -> Result<&str, TreeParseError> {
    match value {
        Value::Scalar(text, _) => Ok(text),
        _ => Err(TreeParseError::new(value.place(), "text is expected here")),
    }
}

/// What is below a node whose entries these are.
fn child(entries: &Entries, height: usize) -> Result<Tree, TreeParseError> {
    find(entries, "child").map_or_else(|| Ok(Tree::leaf()), |value| subtree(value, height + 1))
}

fn subtree(value: &Value, height: usize) -> Result<Tree, TreeParseError> {
    let place = value.place();
    if height >= MAX_HEIGHT {
        return Err(TreeParseError::new(place, "the tree is too high"));
    }
    let entries = match value {
        Value::Mapping(entries, _) => entries,
        Value::Scalar(text, _) if text == "leaf" => return Ok(Tree::leaf()),
        _ => return Err(TreeParseError::new(place, "a node of a schedule tree is a mapping")),
    };
    let get = |key: &str| find(entries, key);
    if let Some(children) = get("sequence").or_else(|| get("set")) {
        let Value::Sequence(values, _) = children else {
            return Err(TreeParseError::new(children.place(), "the children of a sequence or set are a list"));
        };
        let children: Vec<Tree> = values.iter().map(|v| subtree(v, height + 1)).collect::<Result<_, _>>()?;
        if let Some(bad) = children.iter().position(|c| !matches!(c.kind(), NodeKind::Filter(_))) {
            return Err(TreeParseError::new(values[bad].place(), "the children of a sequence or set are filters"));
        }
        let kind = if get("sequence").is_some() { NodeKind::Sequence } else { NodeKind::Set };
        return Ok(Tree::new(kind, children));
    }
    let kind = if get("schedule").is_some() {
        NodeKind::Band(band(entries)?)
    } else if let Some(filter) = get("filter") {
        NodeKind::Filter(parsed(filter)?)
    } else if let Some(mark) = get("mark") {
        NodeKind::Mark(parsed(mark)?)
    } else if let Some(context) = get("context") {
        NodeKind::Context(parsed(context)?)
    } else if let Some(guard) = get("guard") {
        NodeKind::Guard(parsed(guard)?)
    } else if let Some(extension) = get("extension") {
        NodeKind::Extension(parsed(extension)?)
    } else if let (Some(contraction), Some(expansion)) = (get("contraction"), get("expansion")) {
        NodeKind::Expansion { contraction: parsed::<UnionMap>(contraction)?, expansion: parsed(expansion)? }
    } else if entries.is_empty() || get("leaf").is_some() {
        return Ok(Tree::leaf());
    } else {
        return Err(TreeParseError::new(place, format!("no kind of node has the key {:?}", entries[0].0)));
    };
    Ok(Tree::new(kind, vec![child(entries, height)?]))
}

fn band(entries: &Entries) -> Result<Band, TreeParseError> {
    let schedule: MultiUnionPwAff = parsed(find(entries, "schedule").expect("a band has a schedule"))?;
    let n = schedule.dim();
    let mut band = Band::new(schedule);
    if let Some(value) = find(entries, "permutable") {
        band.permutable = flag(value)?;
    }
    if let Some(value) = find(entries, "coincident") {
        let Value::Sequence(flags, place) = value else {
            return Err(TreeParseError::new(value.place(), "coincidence is a list"));
        };
        if flags.len() != n {
            return Err(TreeParseError::new(
                *place,
                format!("coincidence is given for {} of {n} members", flags.len()),
            ));
        }
        band.coincident = flags.iter().map(flag).collect::<Result<_, _>>()?;
    }
    if let Some(value) = find(entries, "multiples_of") {
        let Value::Sequence(grids, place) = value else {
            return Err(TreeParseError::new(value.place(), "there is a list of numbers that members are multiples of"));
        };
        if grids.len() != n {
            return Err(TreeParseError::new(*place, format!("multiples are given for {} of {n} members", grids.len())));
        }
        let grid = |value: &Value| Ok(Some(scalar(value)?).filter(|&text| text != "1").map(Into::into));
        band.grids = grids.iter().map(grid).collect::<Result<_, TreeParseError>>()?;
    }
    if let Some(value) = find(entries, "options") {
        read_options(value, &mut band)?;
    }
    Ok(band)
}

fn flag(value: &Value) -> Result<bool, TreeParseError> {
    match scalar(value)? {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(TreeParseError::new(value.place(), "0 or 1 is expected here")),
    }
}

/// The options of a band: a union of sets `type[member]`, and those of an isolated part, which are
/// kept as they are.
fn read_options(value: &Value, band: &mut Band) -> Result<(), TreeParseError> {
    let sets: UnionSet = parsed(value)?;
    let mut isolated = Vec::new();
    for set in sets.iter() {
        let name = set.tuple_name().map_or("", |id| id.as_str());
        let loop_type = match name {
            "atomic" => LoopType::Atomic,
            "separate" => LoopType::Separate,
            "unroll" => LoopType::Unroll,
            _ if is_about_isolation(set) => {
                isolated.push(set.clone());
                continue;
            }
            _ => {
                let message = format!("the option {name:?} is not known (atomic, separate, unroll and isolate are)");
                return Err(TreeParseError::new(value.place(), message));
            }
        };
        if set.n_dim() != 1 {
            return Err(TreeParseError::new(value.place(), "an option has the number of a member as only dimension"));
        }
        let set = set.drop_unused_params();
        if !set.space().params.is_empty() {
            return Err(TreeParseError::new(value.place(), "an option is the same for all values of the parameters"));
        }
        for (i, t) in band.options.iter_mut().enumerate() {
            if set.contains(&[], &[i.into()]) {
                *t = loop_type;
            }
        }
    }
    if !isolated.is_empty() {
        band.isolate = Some(Box::new(UnionSet::from_members(isolated)));
    }
    Ok(())
}

/// `isolate[[outer] -> [members]]`, or an option for the isolated part:
/// `[isolate[] -> type[member]]`.
fn is_about_isolation(set: &Set) -> bool {
    let is_isolate = |tuple: &Tuple| tuple.name_str().is_some_and(|name| name == ISOLATE || name == ISOLATE_REST);
    set.tuple()
        .is_some_and(|tuple| is_isolate(tuple) || tuple.nested.as_deref().is_some_and(|(left, _)| is_isolate(left)))
}
