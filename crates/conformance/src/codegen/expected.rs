//! The instances of a schedule tree in their order, point by point from the definition of its
//! nodes.

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::{Budget, Id, Space, Tuple};
use poly_schedule_tree::{NodeKind, ScheduleTree, Tree};

use crate::run::stopped;

/// The name of a statement and coordinates.
pub(super) type Instance = (String, Vec<Int>);

/// An instance with what the nodes above say about its time.
type Placed = (Vec<Int>, Tuple, Vec<Int>);

/// The instances with their places in the order of execution.
pub(super) fn scheduled(
    tree: &ScheduleTree,
    params: &IndexMap<Id, Int>,
    budget: &mut Budget,
) -> Result<Vec<(Vec<Int>, Instance)>, String> {
    let mut instances = Vec::new();
    for set in tree.domain().iter() {
        let tuple = set.tuple().ok_or("the domain has a set of parameters")?;
        let points = set.enumerate(&values(set.space(), params), budget).map_err(stopped)?;
        instances.extend(points.into_iter().map(|point| (Vec::new(), tuple.clone(), point)));
    }
    let placed = place(tree.tree(), instances, params)?;
    let named = |(time, tuple, point): Placed| (time, (tuple.name_str().unwrap_or("").to_owned(), point));
    Ok(placed.into_iter().map(named).collect())
}

/// The values of the parameters of a space.
fn values(space: &Space, params: &IndexMap<Id, Int>) -> Vec<Int> {
    space.params.iter().map(|p| params.get(p).cloned().unwrap_or(Int::ZERO)).collect()
}

/// Appends to the places of instances what a subtree says about them.
fn place(tree: &Tree, mut instances: Vec<Placed>, params: &IndexMap<Id, Int>) -> Result<Vec<Placed>, String> {
    match tree.kind() {
        NodeKind::Leaf => return Ok(instances),
        NodeKind::Domain(_) | NodeKind::Context(_) | NodeKind::Mark(_) => {}
        NodeKind::Band(band) => {
            for (time, tuple, point) in &mut instances {
                for member in band.schedule.members() {
                    let function = member.get(tuple).ok_or_else(|| format!("a band does not schedule {tuple}"))?;
                    let value = function.eval(&values(function.domain_space(), params), point);
                    let value = value.and_then(|v| v.to_int());
                    time.push(value.ok_or_else(|| format!("a band has no integer for {tuple} at {point:?}"))?);
                }
            }
        }
        NodeKind::Filter(filter) => instances.retain(|(_, tuple, point)| {
            filter.get_tuple(tuple).is_some_and(|set| set.contains(&values(set.space(), params), point))
        }),
        NodeKind::Sequence | NodeKind::Set => {
            let mut result = Vec::new();
            for (i, child) in tree.children().iter().enumerate() {
                let mut copies = instances.clone();
                copies.iter_mut().for_each(|(time, ..)| time.push(Int::from(i)));
                result.extend(place(child, copies, params)?);
            }
            return Ok(result);
        }
        NodeKind::Expansion { .. } | NodeKind::Extension(_) | NodeKind::Guard(_) => {
            return Err("the order of expansions, extensions and guards is not computed".to_owned());
        }
    }
    place(tree.child(), instances, params)
}
