//! What an inspection has read of index arrays: copies, to compare with.
//!
//! Every site that reads an index array has an interval of addresses, from the first to the last that it reads; what lies in between belongs to the same array, because all addresses have the same
//! base. Intervals of a base that overlap become one.

use core::slice;

use crate::memory::{Buffer, Fallible, Plain};

/// A piece of memory and where it was copied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// The number of the value that is its base.
    base: u64,
    /// Distance in bytes from there.
    distance: u64,
    /// Its length in bytes.
    length: u64,
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
    /// Adds a piece: the number of the value that is its base, the distance from it, and a length.
    pub fn add(&mut self, base: u64, distance: u64, length: u64) -> Fallible<()> {
        let mut new = Piece { base, distance, length };
        let mut kept = Buffer::new();
        for &piece in self.pieces.iter() {
            match joined(piece, new) {
                Some(both) => new = both,
                None => kept.push(piece)?,
            }
        }
        kept.push(new)?;
        self.pieces = kept;
        Ok(())
    }

    /// Copies all pieces.
    ///
    /// # Safety
    /// They can be read.
    pub unsafe fn copy(&mut self, values: &[u64]) -> Fallible<()> {
        let total: u64 = self.pieces.iter().map(|piece| piece.length).sum();
        self.copies = Buffer::with_capacity(total as usize)?;
        for &piece in self.pieces.iter() {
            // SAFETY: the caller's promise.
            self.copies.extend(unsafe { memory_of(piece, values) })?;
        }
        Ok(())
    }

    /// Bytes of all pieces.
    pub fn bytes(&self) -> u64 {
        self.copies.len() as u64
    }

    /// Whether the bytes from one position to another (of all pieces behind each other) are what was copied.
    ///
    /// # Safety
    /// The pieces can be read.
    pub unsafe fn is_same(&self, values: &[u64], from: u64, to: u64) -> bool {
        let mut start = 0;
        for &piece in self.pieces.iter() {
            let (first, last) = (from.max(start), to.min(start + piece.length));
            if first < last {
                let copy = self.copies.get(first as usize..last as usize);
                // SAFETY: the caller's promise.
                let now = unsafe { memory_of(piece, values) }.get((first - start) as usize..(last - start) as usize);
                if copy != now {
                    return false;
                }
            }
            start += piece.length;
        }
        true
    }
}

/// # Safety
/// The piece can be read.
unsafe fn memory_of(piece: Piece, values: &[u64]) -> &[u8] {
    let base = values.get(piece.base as usize).copied().unwrap_or(0);
    let address = base.wrapping_add(piece.distance) as *const u8;
    // SAFETY: the caller's promise. Other parts of the program do not write it: that would be a race with the original, too.
    unsafe { slice::from_raw_parts(address, piece.length as usize) }
}

/// Two pieces that overlap or touch as one.
fn joined(a: Piece, b: Piece) -> Option<Piece> {
    let (first, second) = if (a.distance as i64) <= (b.distance as i64) { (a, b) } else { (b, a) };
    let gap = second.distance.wrapping_sub(first.distance);
    (a.base == b.base && gap <= first.length)
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
            pattern.add(0, (first * 4) as u64, ((last - first) * 4) as u64).expect("there is memory");
        }
        assert_eq!(pattern.pieces.len(), 2);
        // SAFETY: it is inside of the vector.
        unsafe { pattern.copy(&values) }.expect("there is memory");
        assert_eq!(pattern.bytes(), 4 * 25);
        let same = |from, to| {
            // SAFETY: as above.
            unsafe { pattern.is_same(&values, from, to) }
        };
        assert!(same(0, 100) && same(3, 3));
        memory[29] = 0;
        assert!(same(0, 100), "nobody has read it");
        memory[12] = 0;
        assert!(!same(0, 100));
        // One of the two halves has it.
        assert!(same(0, 50) != same(50, 100));
    }
}
