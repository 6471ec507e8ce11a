//! Whether what a SCoP reads of temporaries has been written before, and for good.

use poly_presburger::{Budget, DimKind, Map, Space, Stop, Tuple};

use super::sweep::{Kept, Standing};
use crate::order::{time_dimensions, time_map};
use crate::reduction::updates;
use crate::simplify::flow::{self, Session};
use crate::{AccessId, AccessKind, ArrayId, Scop, Statement};

/// Whether, of all temporaries that the new model has and the old one has not, every read finds
/// something that was written before, and nothing is written to an element behind a read of it,
/// reads by updates of the element aside. Both are meant within one iteration of so many loops
/// outside, as the temporaries are used again in the next one. Reads of the program's elements must
/// get what is kept.
pub(super) fn is_right(
    old: &Scop,
    new: &Scop,
    outside: usize,
    (kept, standing): (&Kept, &[Standing]),
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let is_new = |array: ArrayId| array.index() >= old.arrays.len();
    let flow = Session::default().analyse(new, budget)?;
    if !kept.is_kept(new, &flow, standing, budget)? {
        return Ok(false);
    }
    let length = time_dimensions(new);
    for reader in &new.statements {
        for (number, read) in reader.accesses.iter().enumerate() {
            if read.kind != AccessKind::Read || !is_new(read.array) {
                continue;
            }
            let Some(sources) = flow.reads.get(&flow::key(reader, AccessId::from(number))) else { return Ok(false) };
            if !sources.initial.as_ref().map_or(Ok(false), |initial| initial.is_empty(budget))? {
                return Ok(false);
            }
            for map in sources.writes.values() {
                for around in 0..outside {
                    let same = map.equate(DimKind::In, around, DimKind::Out, around);
                    if !map.is_subset(&same, budget)? {
                        return Ok(false);
                    }
                }
            }
            if updates(reader).iter().any(|update| update.read.index() == number) {
                continue;
            }
            for writer in &new.statements {
                if written_later(new, (reader, number), (writer, outside), length, budget)? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Whether a statement writes an element that was read before in the same iteration of the loops
/// outside.
fn written_later(
    scop: &Scop,
    (reader, number): (&Statement, usize),
    (writer, outside): (&Statement, usize),
    length: usize,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let read = &reader.accesses[number];
    let from = read.relation.intersect_domain(&reader.domain);
    for write in writer.accesses.iter().filter(|a| a.array == read.array && a.kind != AccessKind::Read) {
        let to = write.relation.intersect_domain(&writer.domain);
        let mut pairs = from.apply_range(&to.reverse());
        for around in 0..outside {
            pairs = pairs.equate(DimKind::In, around, DimKind::Out, around);
        }
        let (time_of_reader, time_of_writer) = (time_map(scop, reader), time_map(scop, writer));
        let times = Space::set(time_of_reader.space().params.clone(), Tuple::anonymous(length));
        let not_before = time_of_reader.apply_range(&Map::lex_le(&times)).apply_range(&time_of_writer.reverse());
        if !pairs.intersect(&not_before).is_empty(budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}
