//! Why a transformation of a band is not legal.

use std::fmt;

use poly_presburger::Id;
use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::Band;

use crate::pairs::Pairs;
use crate::rewrite::Site;

/// Why a transformation of a band is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It needs two members, and there are so many.
    Members(usize),
    /// The band is not said to be permutable.
    NotPermutable,
    /// A pair that reaches the band has a negative distance in a member, or the member is not
    /// defined for all statements.
    Negative {
        /// The position of the member.
        member: usize,
    },
    /// A pair has a negative distance in the hyperplane that was given: it is not in the cone of
    /// those that the dependences allow.
    Hyperplane,
    /// No hyperplane in the cone of those that the dependences allow has time between itself and
    /// the second member.
    NoHyperplane,
    /// A pair of a dependence would be executed the other way round.
    Order {
        /// The position of the dependence in the list.
        dependence: usize,
        /// The position of the new member in which it goes backwards.
        member: usize,
    },
    /// A pair of a dependence would be executed at the same time.
    SameTime {
        /// The position of the dependence in the list.
        dependence: usize,
    },
    /// A loop that is to be parallel or vector code carries a dependence.
    Carried {
        /// The position of the dependence in the list.
        dependence: usize,
    },
    /// There is no rewrite of this name.
    Unknown(String),
    /// The statement has no such band.
    NoSite(Site),
    /// There is no such statement.
    NoStatement(Id),
    /// The arguments are not what is expected.
    Arguments(&'static str),
    /// What is below the band is not what the rewrite needs.
    Below(&'static str),
    /// A statement has to stay in the thread that it is in.
    OwnThread(Id),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Members(n) => write!(f, "the band has {n} of the two loops that are needed"),
            Self::NotPermutable => write!(f, "the band is not permutable"),
            Self::Negative { member } => write!(f, "a dependence goes backwards in loop {member} of the band"),
            Self::Hyperplane => write!(f, "a dependence goes backwards in the hyperplane of the tiles"),
            Self::NoHyperplane => {
                write!(f, "the dependences allow no hyperplane with time between it and the second loop")
            }
            Self::Order { dependence, member } => {
                write!(f, "dependence {dependence} would go backwards in loop {member} of the new band")
            }
            Self::SameTime { dependence } => {
                write!(f, "the two ends of dependence {dependence} would be executed at the same time")
            }
            Self::Carried { dependence } => write!(f, "the loop carries dependence {dependence}"),
            Self::Unknown(name) => write!(f, "there is no rewrite named '{name}'"),
            Self::NoSite(site) => {
                write!(f, "there is no {site}: statement {} has fewer bands", site.statement)
            }
            Self::NoStatement(name) => write!(f, "there is no statement {name}"),
            Self::Arguments(expected) => write!(f, "the arguments are to be {expected}"),
            Self::Below(needed) => write!(f, "{needed}"),
            Self::OwnThread(name) => write!(f, "statement {name} has to stay in the thread that it is in"),
        }
    }
}

/// Why the members of a band may not be tiled and added to each other, if they may not. `pairs` are
/// those that reach the band.
pub(crate) fn refusal(band: &Band, pairs: &Pairs, budget: &mut Budget) -> Result<Option<Refusal>, Stop> {
    if band.n_member() < 2 {
        return Ok(Some(Refusal::Members(band.n_member())));
    }
    if !band.permutable {
        return Ok(Some(Refusal::NotPermutable));
    }
    Ok(pairs.goes_back_in(band, budget)?.map(|member| Refusal::Negative { member }))
}

#[cfg(test)]
pub(crate) mod tests {
    use poly_dependence::{Dependence, DependenceKind};
    use poly_presburger::MultiUnionPwAff;

    use super::*;

    /// A band of one statement `S[t, i]` that is said to be permutable.
    pub(crate) fn band(members: &[&str]) -> Band {
        let functions: Vec<String> = members.iter().map(|f| format!("{{ S[t, i] -> [({f})] }}")).collect();
        let schedule: MultiUnionPwAff = format!("[{}]", functions.join(", ")).parse().expect("functions are valid");
        Band::with_properties(schedule, true, vec![false; members.len()])
    }

    pub(crate) fn dependence(relation: &str) -> Dependence {
        let relation = relation.parse().expect("the relation is valid");
        Dependence {
            kind: DependenceKind::Flow,
            source: (0, 0),
            sink: (0, 0),
            relation,
            reduction: false,
            conditional: false,
        }
    }

    pub(crate) fn pairs(relations: &[&str]) -> Pairs {
        let dependences: Vec<Dependence> = relations.iter().map(|relation| dependence(relation)).collect();
        Pairs::of(&dependences, &["S"])
    }
}
