//! Reading what is to be generated.
//!
//! isl gives the order as a relation from instances to times as well. It is read as a tree with one
//! band:
//!
//! * where the relation is a function, the band is this function;
//! * otherwise each pair of instance and time becomes an instance, the coordinates of the time
//!   after those of the instance, scheduled at its time.
//!
//! A function with divisions can have many pieces, or more of them than the relation has; a program
//! should not be cut into these. What is generated then also consists of pairs, and the additional
//! coordinates are left out when instances are compared.
//!
//! Options are for parts of the times; Poly's are for whole members of a band. An option is used
//! for a member if it holds for all times. Options change the form of a program, never its meaning.

use poly_presburger::{
    Budget, DimKind, Map, MultiUnionPwAff, PwAff, PwMultiAff, Set, Space, Stop, Tuple, UnionMap, UnionPwAff, UnionSet,
};
use poly_schedule_tree::{Band, LoopType, ScheduleTree, Tree};

use crate::run::stopped;
use crate::same;
use crate::text::Scanner;

/// A schedule, and what is known of the parameters.
#[derive(Debug)]
pub(super) struct Problem {
    /// What is generated.
    pub(super) tree: ScheduleTree,
    /// What is to be run: the same, perhaps with fewer coordinates for each instance.
    pub(super) meaning: ScheduleTree,
    pub(super) context: Set,
}

impl Problem {
    /// Reads a schedule tree.
    pub(super) fn from_tree(text: &str) -> Result<Problem, String> {
        let tree: ScheduleTree = text.parse().map_err(|error| format!("Poly cannot read the tree: {error}"))?;
        // Contexts in the tree speak for themselves; values are only taken from where they allow.
        let mut context = Set::universe(Space::params(Vec::new()));
        tree.tree().for_each(&mut |node| {
            if let poly_schedule_tree::NodeKind::Context(set) = node.kind() {
                context = context.intersect(&set.params());
            }
        });
        Ok(Problem { meaning: tree.clone(), tree, context })
    }

    /// Reads a relation to times, a context and options.
    pub(super) fn from_relations(text: &str, budget: &mut Budget) -> Result<Problem, String> {
        let mut scanner = Scanner::new(text);
        let schedule: UnionMap = same::from_text(scanner.isl_text()?)?;
        let context: Set = same::from_text(scanner.isl_text()?)?;
        let options: UnionMap = same::from_text(scanner.isl_text()?)?;
        let times = schedule.range();
        let mut spaces = times.iter();
        let time = match (spaces.next(), spaces.next()) {
            (Some(time), None) => time.clone(),
            (None, _) => {
                let tree = ScheduleTree::from_domain(UnionSet::empty(Vec::new()));
                return Ok(Problem { meaning: tree.clone(), tree, context });
            }
            _ => return Err("there are several spaces of times, between which there is no order".to_owned()),
        };
        let types = (0..time.n_dim()).map(|i| loop_type(i, &time, &options, budget)).collect::<Result<Vec<_>, Stop>>();
        let types = types.map_err(stopped)?;
        let mut tree = |pairs: bool| -> Result<ScheduleTree, Stop> {
            let functions =
                schedule.iter().map(|map| as_function(map, pairs, budget)).collect::<Result<Vec<_>, Stop>>();
            Ok(tree(&functions?, &types))
        };
        Ok(Problem { tree: tree(true).map_err(stopped)?, meaning: tree(false).map_err(stopped)?, context })
    }
}

/// The tree with one band.
fn tree(functions: &[PwMultiAff], types: &[LoopType]) -> ScheduleTree {
    let domain = UnionSet::from_members(functions.iter().map(PwMultiAff::domain));
    let n = types.len();
    if n == 0 {
        return ScheduleTree::from_domain(domain);
    }
    let members = (0..n).map(|i| UnionPwAff::from_members(parts(functions, i))).collect();
    let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(n), members));
    ScheduleTree::new(domain, Tree::band(band.with_options(types.to_vec()), Tree::leaf()))
}

fn parts(functions: &[PwMultiAff], i: usize) -> Vec<PwAff> {
    functions.iter().map(|function| function.get(i)).collect()
}

/// The relation as a function of instances, or of pairs of instances and times.
fn as_function(map: &Map, pairs: bool, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
    let simple = map.basics().iter().all(|basic| basic.n_div() == 0);
    if (simple || !pairs) && map.is_single_valued(budget)? {
        let function = PwMultiAff::from_map(map, budget)?;
        let n_basic: usize = function.pieces().iter().map(|(domain, _)| domain.n_basic()).sum();
        if !pairs || n_basic <= map.n_basic() {
            return Ok(function);
        }
    }
    let (before, n) = (map.dim(DimKind::In), map.dim(DimKind::Out));
    let name = map.space().tuple_name(DimKind::In).cloned();
    let pairs = map.flat_wrap().set_tuple(Tuple::anonymous(before + n).renamed(name));
    let projection = poly_presburger::MultiAff::projection(pairs.space(), before, n);
    Ok(PwMultiAff::new(pairs, projection))
}

/// The option of member `i` for all of `time`.
fn loop_type(i: usize, time: &Set, options: &UnionMap, budget: &mut Budget) -> Result<LoopType, Stop> {
    for option in options.iter() {
        let loop_type = match option.space().tuple_name(DimKind::Out).map_or("", |name| name.as_str()) {
            "atomic" => LoopType::Atomic,
            "separate" => LoopType::Separate,
            "unroll" => LoopType::Unroll,
            _ => continue,
        };
        if option.dim(DimKind::Out) != 1 || option.dim(DimKind::In) != time.n_dim() {
            continue;
        }
        let at = option.fix(DimKind::Out, 0, i).domain().set_tuple(Tuple::anonymous(time.n_dim()));
        if time.set_tuple(Tuple::anonymous(time.n_dim())).is_subset(&at, budget)? {
            return Ok(loop_type);
        }
    }
    Ok(LoopType::Default)
}
