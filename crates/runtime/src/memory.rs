//! Memory that may not be there: buffers from `malloc`, of which all together have a limit.

use core::fmt;
use core::mem::{align_of, size_of};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::system;

/// The most bytes that all buffers have together.
pub const LIMIT: usize = if usize::BITS >= 64 { 4 << 30 } else { 256 << 20 };

static USED: AtomicUsize = AtomicUsize::new(0);

/// There is no memory for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// The result of what needs memory.
pub type Fallible<T> = Result<T, Exhausted>;

/// Plain data: every pattern of bits is a value.
///
/// # Safety
/// All bytes zero is a value of the type, and it has no destructor.
pub unsafe trait Plain: Copy {}

// SAFETY: integers.
unsafe impl Plain for u8 {}
// SAFETY: integers.
unsafe impl Plain for u32 {}
// SAFETY: integers.
unsafe impl Plain for u64 {}

/// A list that grows.
pub struct Buffer<T: Plain> {
    data: NonNull<T>,
    length: usize,
    capacity: usize,
}

// SAFETY: it owns plain data.
unsafe impl<T: Plain + Send> Send for Buffer<T> {}
// SAFETY: it owns plain data.
unsafe impl<T: Plain + Sync> Sync for Buffer<T> {}

impl<T: Plain> Buffer<T> {
    /// An empty list, which has no memory yet.
    pub const fn new() -> Self {
        Self { data: NonNull::dangling(), length: 0, capacity: 0 }
    }

    /// A list of so many equal elements.
    pub fn filled(length: usize, with: T) -> Fallible<Self> {
        let mut made = Self::with_capacity(length)?;
        for position in 0..length {
            // SAFETY: the memory has room for `length` elements.
            unsafe { made.data.as_ptr().add(position).write(with) };
        }
        made.length = length;
        Ok(made)
    }

    /// A list of so many elements of which all bytes are zero: what the system has just cleared is
    /// not written.
    pub fn zeroed(length: usize) -> Fallible<Self> {
        if length == 0 {
            return Ok(Self::new());
        }
        let bytes = length.checked_mul(size_of::<T>()).ok_or(Exhausted)?;
        reserve(bytes)?;
        match NonNull::new(system::allocate_zeroed(bytes).cast::<T>()) {
            // Zero is a value of the type.
            Some(data) => Ok(Self { data, length, capacity: length }),
            None => {
                USED.fetch_sub(bytes, Ordering::Relaxed);
                Err(Exhausted)
            }
        }
    }

    /// An empty list with room for so many elements.
    pub fn with_capacity(capacity: usize) -> Fallible<Self> {
        const { assert!(align_of::<T>() <= 16, "malloc aligns to 16 bytes") };
        if capacity == 0 {
            return Ok(Self::new());
        }
        let bytes = capacity.checked_mul(size_of::<T>()).ok_or(Exhausted)?;
        reserve(bytes)?;
        match NonNull::new(system::allocate(bytes).cast::<T>()) {
            Some(data) => Ok(Self { data, length: 0, capacity }),
            None => {
                USED.fetch_sub(bytes, Ordering::Relaxed);
                Err(Exhausted)
            }
        }
    }

    /// Adds an element.
    #[inline]
    pub fn push(&mut self, element: T) -> Fallible<()> {
        if self.length == self.capacity {
            self.grow()?;
        }
        // SAFETY: there is room for one more.
        unsafe { self.data.as_ptr().add(self.length).write(element) };
        self.length += 1;
        Ok(())
    }

    /// Adds elements.
    pub fn extend(&mut self, elements: &[T]) -> Fallible<()> {
        while self.capacity - self.length < elements.len() {
            self.grow()?;
        }
        // SAFETY: there is room, and what is borrowed is not part of this list.
        unsafe { elements.as_ptr().copy_to_nonoverlapping(self.data.as_ptr().add(self.length), elements.len()) };
        self.length += elements.len();
        Ok(())
    }

    /// Forgets the elements from this position on.
    pub fn shorten(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Room for as many again: for large lists the system moves pages and copies nothing.
    #[cold]
    fn grow(&mut self) -> Fallible<()> {
        let capacity = self.capacity.checked_add(self.capacity.max(64)).ok_or(Exhausted)?;
        if self.capacity == 0 {
            *self = Self::with_capacity(capacity)?;
            return Ok(());
        }
        let bytes = capacity.checked_mul(size_of::<T>()).ok_or(Exhausted)?;
        let more = bytes - self.capacity * size_of::<T>();
        reserve(more)?;
        // SAFETY: it is this list's memory.
        let larger = unsafe { system::resize(self.data.as_ptr().cast(), bytes) };
        match NonNull::new(larger.cast::<T>()) {
            Some(data) => (self.data, self.capacity) = (data, capacity),
            None => {
                USED.fetch_sub(more, Ordering::Relaxed);
                return Err(Exhausted);
            }
        }
        Ok(())
    }
}

/// Takes so many bytes of what all buffers may have.
fn reserve(bytes: usize) -> Fallible<()> {
    let take = |used: usize| used.checked_add(bytes).filter(|&sum| sum <= LIMIT);
    USED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map(|_| ()).map_err(|_| Exhausted)
}

impl<T: Plain> Default for Buffer<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Plain> Drop for Buffer<T> {
    fn drop(&mut self) {
        if self.capacity > 0 {
            USED.fetch_sub(self.capacity * size_of::<T>(), Ordering::Relaxed);
            // SAFETY: it is this list's memory.
            unsafe { system::give_back(self.data.as_ptr().cast()) }
        }
    }
}

impl<T: Plain> Deref for Buffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: so many elements have been written.
        unsafe { core::slice::from_raw_parts(self.data.as_ptr(), self.length) }
    }
}

impl<T: Plain> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: so many elements have been written.
        unsafe { core::slice::from_raw_parts_mut(self.data.as_ptr(), self.length) }
    }
}

impl<T: Plain + fmt::Debug> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The element, or zero: nothing here panics.
#[inline]
pub fn at(list: &[u32], position: u32) -> u32 {
    list.get(position as usize).copied().unwrap_or(0)
}

/// Writes an element that is there.
#[inline]
pub fn set<T>(list: &mut [T], position: u32, to: T) {
    if let Some(place) = list.get_mut(position as usize) {
        *place = to;
    }
}

/// The elements from the first position up to the second.
#[inline]
pub fn part<T>(list: &[T], from: u32, to: u32) -> &[T] {
    list.get(from as usize..to as usize).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_grows_and_keeps_its_elements() {
        let mut list = Buffer::new();
        for k in 0..1000_u32 {
            list.push(k).expect("there is memory");
        }
        assert!(list.iter().copied().eq(0..1000));
        assert_eq!(Buffer::filled(3, 7_u64).expect("there is memory")[..], [7, 7, 7]);
        assert_eq!(Buffer::<u64>::zeroed(3).expect("there is memory")[..], [0, 0, 0]);
        assert!(Buffer::<u32>::new().is_empty());
    }

    #[test]
    fn more_than_the_limit_is_refused() {
        assert_eq!(Buffer::<u64>::with_capacity(LIMIT).err(), Some(Exhausted));
        assert_eq!(Buffer::<u64>::with_capacity(usize::MAX).err(), Some(Exhausted));
        // What was refused is not counted.
        assert!(Buffer::<u8>::with_capacity(LIMIT / 2).is_ok());
    }
}
