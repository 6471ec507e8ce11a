//! What an inspection has read of index arrays: copies, to compare with.
//!
//! Every site that reads an index array has an interval of addresses, from the first to the last
//! that it reads; what lies in between belongs to the same array, because all addresses have the
//! same base. Intervals of a base that overlap become one.
//!
//! Sites without a base, as those that read a row by a pointer that is loaded, have an interval for
//! each row: what lies between rows belongs to others. Their addresses are what they were if the
//! pointers are, which have a smaller stage.
//!
//! An array may have become shorter, where what says how long it is has changed. So pieces have
//! *stages*: those of a stage can be read if all of smaller stages are what they were.

use core::slice;

use crate::interface::NO_BASE;
use crate::memory::{Buffer, Fallible, Plain};

/// A piece of memory and where it was copied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    stage: u32,
    /// The number of the value that is its base.
    base: u64,
    /// Distance in bytes from there.
    distance: u64,
    /// Its length in bytes.
    length: u64,
    /// Where its copy begins.
    start: u64,
}

// SAFETY: integers.
unsafe impl Plain for Piece {}

/// Copies of index arrays.
#[derive(Debug, Default)]
pub struct Pattern {
    pieces: Buffer<Piece>,
    copies: Buffer<u8>,
}

impl Pattern {
    /// Adds a piece to a stage: the number of the value that is its base, the distance from it, and
    /// a length.
    pub fn add(&mut self, stage: u32, base: u64, distance: u64, length: u64) -> Fallible<()> {
        let mut new = Piece { stage, base, distance, length, start: 0 };
        for &piece in self.pieces.iter() {
            new = joined(piece, new).unwrap_or(new);
        }
        let is_kept = |piece: &&Piece| joined(**piece, new).is_none();
        let mut kept = Buffer::new();
        for &piece in self.pieces.iter().filter(is_kept).filter(|piece| piece.stage <= stage) {
            kept.push(piece)?;
        }
        kept.push(new)?;
        for &piece in self.pieces.iter().filter(is_kept).filter(|piece| piece.stage > stage) {
            kept.push(piece)?;
        }
        self.pieces = kept;
        Ok(())
    }

    /// Adds intervals of addresses. Those that lie beside the one before them become one: rows of a
    /// matrix that was made at once, in any order.
    pub fn add_all(&mut self, scattered: &[Scattered]) -> Fallible<()> {
        let scattered = beside(scattered)?;
        let mut all = Buffer::with_capacity(self.pieces.len() + scattered.len())?;
        let stages = || self.pieces.iter().map(|piece| piece.stage).chain(scattered.iter().map(|one| one.stage));
        let mut next = stages().min();
        while let Some(stage) = next {
            for &piece in self.pieces.iter().filter(|piece| piece.stage == stage) {
                all.push(piece)?;
            }
            for &Scattered { address, length, .. } in scattered.iter().filter(|one| one.stage == stage) {
                all.push(Piece { stage, base: u64::from(NO_BASE), distance: address, length, start: 0 })?;
            }
            next = stages().filter(|&other| other > stage).min();
        }
        self.pieces = all;
        Ok(())
    }

    /// The stages that there are, smallest first.
    pub fn stages(&self) -> impl Iterator<Item = u32> + use<'_> {
        let mut last = None;
        self.pieces.iter().map(|piece| piece.stage).filter(move |&stage| last.replace(stage) != Some(stage))
    }

    /// Copies all pieces.
    ///
    /// # Safety
    /// They can be read.
    pub unsafe fn copy(&mut self, values: &[u64]) -> Fallible<()> {
        let mut total = 0;
        for piece in self.pieces.iter_mut() {
            piece.start = total;
            total += piece.length;
        }
        self.copies = Buffer::with_capacity(total as usize)?;
        for &piece in self.pieces.iter() {
            // SAFETY: the caller's promise.
            self.copies.extend(unsafe { memory_of(piece, values) })?;
        }
        Ok(())
    }

    /// Whether a part, of so many equal ones, of the pieces of a stage (behind each other) is what
    /// was copied.
    ///
    /// # Safety
    /// The pieces can be read.
    pub unsafe fn is_same(&self, values: &[u64], stage: u32, (part, parts): (u32, u32)) -> bool {
        let first = self.pieces.partition_point(|piece| piece.stage < stage);
        let behind = self.pieces.partition_point(|piece| piece.stage <= stage);
        let start_of = |piece: usize| self.pieces.get(piece).map_or(self.copies.len() as u64, |piece| piece.start);
        let (before, bytes) = (start_of(first), u128::from(start_of(behind) - start_of(first)));
        let bound = |part: u32| (bytes * u128::from(part)).checked_div(u128::from(parts)).unwrap_or(0) as u64;
        let (from, to) = (before + bound(part), before + bound(part + 1));
        let first = self.pieces.partition_point(|piece| piece.start + piece.length <= from);
        for &piece in self.pieces.get(first..).unwrap_or(&[]).iter().take_while(|piece| piece.start < to) {
            let (first, last) = (from.max(piece.start), to.min(piece.start + piece.length));
            let copy = self.copies.get(first as usize..last as usize);
            // SAFETY: the caller's promise.
            let now = unsafe { memory_of(piece, values) };
            if copy != now.get((first - piece.start) as usize..(last - piece.start) as usize) {
                return false;
            }
        }
        true
    }
}

/// An interval of addresses of a site without a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scattered {
    /// The stage of the site.
    pub stage: u32,
    /// The first address.
    pub address: u64,
    /// Its length in bytes.
    pub length: u64,
}

// SAFETY: integers.
unsafe impl Plain for Scattered {}

/// Intervals with each joined with those before it that it touches.
fn beside(scattered: &[Scattered]) -> Fallible<Buffer<Scattered>> {
    let mut joined: Buffer<Scattered> = Buffer::new();
    for &one in scattered {
        let touches = |last: &Scattered| {
            let ends = |a: &Scattered, b: &Scattered| a.address.wrapping_add(a.length) == b.address;
            last.stage == one.stage && (ends(last, &one) || ends(&one, last))
        };
        match joined.last_mut().filter(|last| touches(last)) {
            Some(last) => {
                (last.address, last.length) = (last.address.min(one.address), last.length + one.length);
            }
            None => joined.push(one)?,
        }
    }
    Ok(joined)
}

/// # Safety
/// The piece can be read.
unsafe fn memory_of(piece: Piece, values: &[u64]) -> &[u8] {
    let base = values.get(piece.base as usize).copied().unwrap_or(0);
    let address = base.wrapping_add(piece.distance) as *const u8;
    // SAFETY: the caller's promise. Other parts of the program do not write it: that would be a
    // race with the original, too.
    unsafe { slice::from_raw_parts(address, piece.length as usize) }
}

/// Two pieces of a stage that overlap or touch as one.
fn joined(a: Piece, b: Piece) -> Option<Piece> {
    let (first, second) = if (a.distance as i64) <= (b.distance as i64) { (a, b) } else { (b, a) };
    let gap = second.distance.wrapping_sub(first.distance);
    (a.stage == b.stage && a.base == b.base && gap <= first.length)
        .then(|| Piece { length: first.length.max(gap.saturating_add(second.length)), ..first })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined_and_compared() {
        let mut memory: Vec<u32> = (0..100).collect();
        let values = [memory.as_ptr() as u64 + 40];
        let mut pattern = Pattern::default();
        // Before the base, behind it, and between the two.
        for (first, last) in [(-10_i64, -5_i64), (0, 5), (20, 30), (-6, 1)] {
            pattern.add(1, 0, (first * 4) as u64, ((last - first) * 4) as u64).expect("there is memory");
        }
        assert_eq!(pattern.pieces.len(), 2);
        // SAFETY: it is inside of the vector.
        unsafe { pattern.copy(&values) }.expect("there is memory");
        assert_eq!(pattern.copies.len(), 4 * 25);
        let same = |part, parts| {
            // SAFETY: as above.
            unsafe { pattern.is_same(&values, 1, (part, parts)) }
        };
        assert!(same(0, 1) && same(6, 7));
        memory[29] = 0;
        assert!(same(0, 1), "nobody has read it");
        memory[12] = 0;
        assert!(!same(0, 1));
        // One of the two halves has it.
        assert!(same(0, 2) != same(1, 2));
    }

    #[test]
    fn rows_are_compared_and_not_what_lies_between() {
        let mut memory = [7_u64; 30];
        let base = memory.as_ptr() as u64;
        let mut pattern = Pattern::default();
        pattern.add(0, 0, 0, 16).expect("there is memory");
        let rows = [(1, 2, 3), (2, 20, 2), (1, 10, 4), (1, 5, 1)];
        let rows = rows.map(|(stage, at, length)| Scattered { stage, address: base + 8 * at, length: 8 * length });
        pattern.add_all(&rows).expect("there is memory");
        assert_eq!(pattern.stages().collect::<Vec<_>>(), [0, 1, 2]);
        // SAFETY: they are inside of the array.
        unsafe { pattern.copy(&[base]) }.expect("there is memory");
        (0..30).for_each(|place| {
            memory[place] = 8;
            // SAFETY: as above.
            let same = |stage: u32| (0..3).all(|part| unsafe { pattern.is_same(&[base], stage, (part, 3)) });
            let of_stage = [place < 2, [2, 3, 4, 5, 10, 11, 12, 13].contains(&place), [20, 21].contains(&place)];
            assert_eq!([0, 1, 2].map(same), of_stage.map(|is_read| !is_read), "{place}");
            memory[place] = 7;
        });
    }

    #[test]
    fn rows_that_lie_beside_each_other_become_one() {
        let row = |stage: u32, address: u64, length: u64| Scattered { stage, address, length };
        let rows = [row(1, 80, 16), row(1, 64, 16), row(1, 48, 16), row(2, 96, 8), row(2, 104, 8), row(2, 120, 8)];
        let joined = beside(&rows).expect("there is memory");
        assert_eq!(joined[..], [row(1, 48, 48), row(2, 96, 16), row(2, 120, 8)]);
    }

    #[test]
    fn stages_are_compared_by_themselves() {
        let memory: [[u32; 20]; 2] = [[7; 20]; 2];
        let addresses = memory.each_ref().map(|array| array.as_ptr() as u64);
        let mut pattern = Pattern::default();
        // The second array is of the first stage; both stages have a piece of the first one.
        for (stage, base, length) in [(2, 0, 60), (0, 1, 80), (2, 0, 70), (1, 0, 4)] {
            pattern.add(stage, base, 0, length).expect("there is memory");
        }
        assert_eq!(pattern.stages().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(pattern.pieces.iter().map(|piece| piece.length).collect::<Vec<_>>(), [80, 4, 70]);
        // SAFETY: they are inside of the arrays.
        unsafe { pattern.copy(&addresses) }.expect("there is memory");
        // Of the other stages nothing is read: there is no memory at these addresses.
        let only = |base: usize| [0, 1].map(|other| if other == base { addresses[base] } else { 8 });
        // SAFETY: the pieces of the stage can be read.
        assert!(unsafe { pattern.is_same(&only(1), 0, (0, 1)) && pattern.is_same(&only(0), 2, (1, 3)) });
    }
}
