//! Loops that run along rows go inside.
//!
//! # Method
//! Members of a permutable band may stand in every order. A member is worth a point for each access
//! of a statement whose last subscript moves with it, and costs one for each whose other subscripts
//! do; members with fewer points stand outside. Ties keep their order.

use poly_presburger::{DimKind, MultiAff};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

use crate::pieces::Pieces;

/// The tree with the members of its permutable bands in this order.
pub(crate) fn along_rows(pieces: &Pieces, tree: &ScheduleTree) -> ScheduleTree {
    tree.map_bottom_up(&mut |node| match node.as_band() {
        Some(band) if band.permutable && band.n_member() > 1 => {
            let mut order: Vec<usize> = (0..band.n_member()).collect();
            order.sort_by_key(|&member| points(pieces, band, member));
            let is_same = order.iter().enumerate().all(|(i, &member)| i == member);
            if is_same { node } else { Tree::band(band.permute(&order), node.child().clone()) }
        }
        _ => node,
    })
}

fn points(pieces: &Pieces, band: &Band, member: usize) -> i64 {
    let mut all = 0;
    for statement in &pieces.statements {
        let Some(time) = band.schedule.get(member).get_named(statement.name.as_str()) else { continue };
        let [(_, time)] = time.pieces() else { continue };
        let moves = |d: usize| !time.coefficient(DimKind::Out, d).is_zero();
        let reads = statement.reads();
        let accesses: Vec<&MultiAff> =
            reads.iter().map(|(_, access)| access).chain(std::iter::once(&statement.target)).collect();
        for access in accesses {
            let moved: Vec<bool> = access
                .affs()
                .iter()
                .map(|aff| (0..statement.dims.len()).any(|d| moves(d) && !aff.coefficient(DimKind::Out, d).is_zero()))
                .collect();
            let Some((last, others)) = moved.split_last() else { continue };
            all += i64::from(*last) - i64::from(others.contains(&true));
        }
    }
    all
}
