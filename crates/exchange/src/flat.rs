//! Schedules as relations from instances to vectors of time, and as trees.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_dependence::StatementInfo;
use poly_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, SolveError, Stop, Tuple, UnionPwAff,
    UnionSet,
};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

use crate::{ScopText, StatementText, TextError, wrong};

/// The times of the instances of a statement in a tree.
pub fn schedule_of(tree: &ScheduleTree, domain: &Set) -> Option<Map> {
    tree.schedule_map().iter().find(|map| map.space().domain.as_ref() == domain.tuple()).cloned()
}

/// The schedule of a statement as functions, one a level.
fn functions(statement: &StatementText, levels: usize, budget: &mut Budget) -> Result<Vec<PwAff>, TextError> {
    let name = &statement.name;
    let time = statement.schedule.intersect_domain(&statement.domain);
    if !statement.domain.is_subset(&time.domain(), budget)? {
        return wrong(format!("it leaves out instances of {name}"));
    }
    if !time.is_single_valued(budget)? {
        return wrong(format!("it executes instances of {name} more than once"));
    }
    let function: PwMultiAff = match time.lexmin(budget) {
        Ok(function) => function,
        Err(SolveError::Unbounded) => return wrong(format!("the schedule of {name} is no function")),
        Err(SolveError::Stop) => return Err(TextError::Stop),
    };
    let zero = || PwAff::constant(statement.domain.space().clone(), Int::ZERO).intersect_domain(&statement.domain);
    let depth = function.n_out();
    Ok((0..levels).map(|level| if level < depth { function.get(level) } else { zero() }).collect())
}

/// See [`ScopText::tree`].
pub(crate) fn tree(scop: &ScopText, budget: &mut Budget) -> Result<ScheduleTree, TextError> {
    let levels = scop.statements.iter().map(|s| s.schedule.dim(DimKind::Out)).max().unwrap_or(0);
    let all: Result<Vec<Vec<PwAff>>, TextError> =
        scop.statements.iter().map(|s| functions(s, levels, budget)).collect();
    let all = all?;
    let statements: Vec<usize> = (0..scop.statements.len()).collect();
    Ok(ScheduleTree::new(scop.domain(), subtree(scop, &all, &statements, 0, levels)))
}

/// What orders some statements from a level on. The recursion is bounded by the number of levels.
fn subtree(scop: &ScopText, all: &[Vec<PwAff>], statements: &[usize], level: usize, levels: usize) -> Tree {
    if level == levels {
        return Tree::leaf();
    }
    let constant = |&s: &usize| {
        let value = all[s][level].constant_value()?;
        value.is_integer().then(|| value.floor())
    };
    if let Some(places) = statements.iter().map(constant).collect::<Option<Vec<Int>>>() {
        let mut groups: BTreeMap<Int, Vec<usize>> = BTreeMap::new();
        for (&statement, place) in statements.iter().zip(places) {
            groups.entry(place).or_default().push(statement);
        }
        let children: Vec<(UnionSet, Tree)> = groups
            .into_values()
            .map(|group| {
                let filter = group.iter().map(|&s| scop.statements[s].domain.clone());
                (UnionSet::from_members(filter), subtree(scop, all, &group, level + 1, levels))
            })
            .collect();
        return match <[_; 1]>::try_from(children) {
            Ok([(_, only)]) => only,
            Err(children) => Tree::sequence(children),
        };
    }
    let member = UnionPwAff::from_members(statements.iter().map(|&s| all[s][level].clone()));
    let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(1), vec![member]));
    Tree::band(band, subtree(scop, all, statements, level + 1, levels))
}

/// An original order as dependence analysis wants it: an affine function of the instance, with a
/// number of levels.
pub(crate) fn affine_time(
    statement: &StatementText,
    original: &Map,
    levels: usize,
    budget: &mut Budget,
) -> Result<Map, TextError> {
    let name = &statement.name;
    let described = StatementText { schedule: original.clone(), ..statement.clone() };
    let mut affs = Vec::new();
    for function in functions(&described, levels, budget)? {
        let aff = match function.pieces() {
            [] => Some(Aff::constant(statement.domain.space().clone(), Int::ZERO)),
            pieces => one_for_all(pieces, budget)?,
        };
        match aff {
            Some(aff) => affs.push(aff),
            None => return wrong(format!("the original order of {name} is not an affine function")),
        }
    }
    let time = MultiAff::into_tuple(statement.domain.space(), Tuple::anonymous(levels), affs);
    Ok(time.to_map().intersect_domain(&statement.domain))
}

/// The affine function among the pieces that has the values of all of them, if there is one: texts
/// have `-1 + n` in place of `i` where both are equal.
fn one_for_all(pieces: &[(Set, Aff)], budget: &mut Budget) -> Result<Option<Aff>, Stop> {
    let affine = pieces.iter().map(|(_, aff)| aff).filter(|aff| aff.divs().is_empty() && *aff.denom() == Int::ONE);
    'candidates: for candidate in affine {
        for (domain, aff) in pieces.iter().filter(|(_, aff)| aff != candidate) {
            let more = candidate.sub(aff);
            for difference in [more.clone(), more.neg()] {
                let greater = Set::from_basic(difference.add_constant(-1).nonneg_basic_set());
                if !domain.intersect(&greater).is_empty(budget)? {
                    continue 'candidates;
                }
            }
        }
        return Ok(Some(candidate.clone()));
    }
    Ok(None)
}

/// No two instances have the same time.
pub(crate) fn check_injective(statements: &[StatementInfo], budget: &mut Budget) -> Result<(), TextError> {
    let name = |s: &StatementInfo| s.domain.tuple_name().map_or("", |id| id.as_str()).to_string();
    for (i, a) in statements.iter().enumerate() {
        for (j, b) in statements.iter().enumerate().skip(i) {
            let mut same = a.time.apply_range(&b.time.reverse());
            if i == j {
                same = same.subtract(&a.domain.identity(), budget)?;
            }
            if !same.is_empty(budget)? {
                let (a, b) = (name(a), name(b));
                return wrong(format!("the original order has instances of {a} and {b} at the same time"));
            }
        }
    }
    Ok(())
}
