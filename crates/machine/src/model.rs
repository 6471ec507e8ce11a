//! The description of a processor.

use crate::fields::{Field, group};

/// A processor, the memory behind it and the system that it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The processor of the table that it is, or was made from.
    pub name: String,
    /// The data caches, nearest first; at least one.
    pub caches: Vec<Cache>,
    /// Main memory, and how it is allocated.
    pub memory: Memory,
    /// Pages of virtual memory.
    pub pages: Pages,
    /// What the hardware fetches ahead, and how far ahead code asks for data.
    pub prefetch: Prefetch,
    /// Vectors.
    pub vectors: Vectors,
    /// What a core executes per cycle.
    pub core: Core,
    /// Its unit that divides.
    pub divider: Divider,
    /// Cycles until a result is there.
    pub latency: Latency,
    /// Cycles that the code around loops takes.
    pub code: Code,
    /// Threads.
    pub threads: Threads,
}

group! {
    /// A data cache.
    Cache {
        /// Bytes. Of a cache that cores share, what one core can use while the others rest.
        bytes: u64,
        /// Ways: places for lines with the same index.
        ways: u64,
        /// Cores that share it.
        sharers: u64,
        /// Cycles to bring one line from the level behind it, where lines are neighbours and are
        /// fetched ahead: its throughput, not its latency.
        fill_cycles: f64,
    }
}

group! {
    /// Main memory.
    Memory {
        /// Bytes of a line.
        line_bytes: u64,
        /// Factor on the cycles to bring a line from memory where consecutive lines are far apart,
        /// so that nothing is fetched ahead.
        scattered_factor: f64,
        /// The same from a cache behind the second one.
        near_scattered_factor: f64,
        /// Cycles to bring a line to the first cache that it has lost for want of places with the
        /// index of the line, along a column of rows a power of two apart.
        crowded_load_cycles: f64,
        /// The same for a line that is written: stores reach the cache one after the other, and
        /// each makes room for the next line.
        crowded_store_cycles: f64,
        /// Cycles to copy a line from one place to another, caches included.
        copy_line_cycles: f64,
        /// Cycles to allocate and free a small block, which comes from memory that the program has
        /// had before.
        small_allocation_cycles: f64,
        /// Bytes of a block that the allocator gets from the system, and gives back, each time.
        mapped_bytes: u64,
        /// Cycles to allocate and free such a block.
        allocation_cycles: f64,
        /// Cycles to touch a byte for the first time, for which the system clears a page.
        new_byte_cycles: f64,
    }
}

group! {
    /// Pages of virtual memory.
    Pages {
        /// Bytes.
        bytes: u64,
        /// Pages whose addresses are at hand: entries of the first translation buffer for data.
        at_hand: u64,
        /// Cycles to visit a page whose address is not at hand, as visits overlap.
        visit_cycles: f64,
        /// Pages whose addresses are kept: entries of the last translation buffer.
        kept: u64,
        /// Cycles to find the address of a page that is not kept, as such walks overlap.
        walk_cycles: f64,
    }
}

group! {
    /// What is fetched ahead.
    Prefetch {
        /// Sequences of lines that the hardware follows side by side.
        streams: u64,
        /// Lines at the beginning of a sequence that it has not fetched yet.
        start_lines: f64,
        /// Bytes ahead of use that code asks for in rows of which it reads many side by side.
        ahead_bytes: u64,
        /// Iterations ahead of use that code asks for in the columns of a panel.
        ahead_iterations: u64,
    }
}

group! {
    /// Vectors.
    Vectors {
        /// Bytes of the widest vectors.
        bytes: u64,
        /// Vector registers.
        registers: u64,
        /// Bytes of the vectors that LLVM makes of loops.
        loop_bytes: u64,
        /// Vectors that LLVM takes at a time in small loops.
        interleaved: f64,
        /// Loads, stores and operations have masks.
        masks: bool,
        /// Loads and stores of elements of four and eight bytes have masks.
        masked_accesses: bool,
        /// There are loads of which each lane has an address of its own.
        gathers: bool,
        /// Such loads, and stores, take longer than a load or a store for each lane.
        slow_gathers: bool,
        /// Operations that choose lanes of two vectors by a mask.
        blend_operations: f64,
        /// Operations that are a minimum of integers of four bytes.
        minimum_operations: f64,
        /// A multiplication and an addition are one operation.
        fused: bool,
        /// A scalar in memory can be an operand of a vector operation, which repeats it in all
        /// lanes.
        embedded_broadcast: bool,
        /// How often an operation on the widest vectors enters its unit: twice where units are half
        /// as wide.
        passes: f64,
        /// The same for vectors of loops in which other things take time as well.
        loop_passes: f64,
        /// Cycles by which a masked load of a vector takes longer, where masks have no registers.
        masked_load_cycles: f64,
        /// Cycles by which a masked store of a vector takes longer, where masks have no registers.
        masked_store_cycles: f64,
        /// The same on the fastest of the processors that the machine stands for.
        least_masked_store_cycles: f64,
        /// Cycles per lane to load a vector lane by lane.
        gather_cycles: f64,
        /// Cycles per lane to store one.
        scatter_cycles: f64,
        /// Cycles to shift a vector by a lane and to load the lane at its border.
        shift_cycles: f64,
    }
}

group! {
    /// What a core executes.
    Core {
        /// Operations on floating-point vectors that start per cycle.
        flops_per_cycle: f64,
        /// Additions, comparisons, minima and the like of integer vectors that start per cycle.
        integers_per_cycle: f64,
        /// Loads and stores that start per cycle.
        accesses_per_cycle: f64,
        /// Loads among them.
        loads_per_cycle: f64,
        /// Stores among them.
        stores_per_cycle: f64,
        /// Instructions of all kinds that start per cycle.
        width: f64,
        /// Cycles of a nanosecond.
        cycles_per_nanosecond: f64,
        /// Instructions that are under way at a time: entries of the reorder buffer. Short loops
        /// overlap with those after them as far as it reaches.
        window: f64,
        /// Part of the window that may wait for others: entries of the schedulers.
        waiting: f64,
        /// Registers for addresses, counters and other integers.
        integer_registers: u64,
        /// A load is compared with the stores before it by its address modulo so many bytes, and
        /// waits for those that seem to be the same.
        alias_bytes: u64,
    }
}

group! {
    /// The unit that divides and takes square roots: the cycles for which an operation keeps it
    /// busy.
    Divider {
        /// A division of floating-point numbers of eight bytes.
        double_cycles: f64,
        /// A division of floating-point numbers of four bytes.
        float_cycles: f64,
        /// A square root of a number of eight bytes.
        double_root_cycles: f64,
        /// A square root of a number of four bytes.
        float_root_cycles: f64,
        /// A division of integers of four bytes; there are no vectors of them.
        integer_cycles: f64,
        /// Bytes of the widest vector that keeps it busy for no longer than a scalar; wider ones
        /// are divided piece by piece.
        vector_bytes: u64,
    }
}

group! {
    /// Cycles until a result is there.
    Latency {
        /// A floating-point addition or multiply-add, for the next one that needs it.
        flop: f64,
        /// A floating-point division, and those of integers.
        divide: f64,
        /// A square root.
        root: f64,
        /// A call of a mathematical function.
        call: f64,
        /// A multiplication of integers.
        multiply: f64,
        /// Other operations on integers, comparisons, minima and maxima.
        simple: f64,
        /// A minimum or maximum of two floating-point numbers, as `a < b ? a : b` is.
        extreme: f64,
        /// Cycles from a comparison of floating-point numbers whose result moves to the flags of
        /// integers to the next one.
        flags: f64,
        /// A value that is stored and loaded again.
        memory: f64,
        /// The same where the source has a scalar for it, and code that we write an element.
        demoted: f64,
        /// A vector that is stored under a mask and loaded again under one: the load waits until
        /// the store has reached the cache.
        masked_memory: f64,
        /// A vector that is stored lane by lane, of which others are loaded lane by lane.
        lanes_in_memory: f64,
        /// A value of a lane in the lane beside it.
        shift: f64,
    }
}

group! {
    /// Cycles that the code around loops takes.
    Code {
        /// To enter and leave an innermost loop.
        loop_cycles: f64,
        /// The same for a piece of a row between tiles, whose bounds are minima and maxima.
        row_cycles: f64,
        /// The addresses of a row in a block of rows.
        block_row_cycles: f64,
        /// To begin anew behind a branch that was not foreseen.
        restart_cycles: f64,
        /// Iterations of a loop whose end is foreseen, if it has as many each time.
        foreseen_iterations: f64,
        /// To find out which lanes of the last vector are masked, and to execute it, per lane.
        mask_lane_cycles: f64,
        /// Conditions that are tested before new code runs, and what it costs to have two versions.
        check_cycles: f64,
        /// To look at the pointer to a row before new code runs.
        check_row_cycles: f64,
    }
}

group! {
    /// Threads.
    Threads {
        /// What each further thread adds to the throughput of main memory, as a part of what one
        /// thread gets.
        bandwidth: f64,
        /// Cycles to start and join the threads of a parallel region.
        fork_cycles: f64,
        /// Cycles until there are threads at all, for the first parallel region of a program.
        start_cycles: f64,
        /// Cycles to look whether another thread has finished.
        wait_cycles: f64,
    }
}

impl Cache {
    /// Bytes that data at any addresses may count on: the largest power of two. Rows are often a
    /// power of two apart, and their lines then compete for a part of the indices.
    pub fn counted_bytes(&self) -> u64 {
        if self.bytes == 0 { 0 } else { 1 << self.bytes.ilog2() }
    }

    /// Bytes of a way: lines that are a multiple of it apart compete for the same places.
    pub fn way_bytes(&self) -> u64 {
        (self.bytes / self.ways.max(1)).max(1)
    }
}

impl Divider {
    /// Pieces in which it divides a vector of so many bytes, at least 1.
    pub fn pieces(&self, bytes: f64) -> f64 {
        (bytes / self.vector_bytes.max(1) as f64).max(1.0)
    }
}

impl Memory {
    /// Cycles to allocate a block of so many bytes, to touch all of them and to free it.
    pub fn temporary_cycles(&self, bytes: f64) -> f64 {
        if bytes <= 0.0 {
            0.0
        } else if bytes < self.mapped_bytes as f64 {
            self.small_allocation_cycles
        } else {
            self.allocation_cycles + bytes * self.new_byte_cycles
        }
    }
}

impl Machine {
    /// The first cache.
    pub fn first(&self) -> Cache {
        self.caches.first().copied().unwrap_or(crate::processors::generic().caches[0])
    }

    /// The second cache, or the first one if it is the only one.
    pub fn second(&self) -> Cache {
        self.caches.get(1).copied().unwrap_or(self.first())
    }

    /// The same processor, but nothing is expected of short loops that overlap with those after
    /// them.
    pub fn without_overlap(&self) -> Machine {
        Machine { core: Core { window: 0.0, ..self.core }, ..self.clone() }
    }

    /// The same processor where a program finds all of its data in a cache, by its level from 0:
    /// neither it nor those behind it bring lines.
    pub fn with_data_in(&self, level: usize) -> Machine {
        let mut machine = self.clone();
        machine.caches.iter_mut().skip(level).for_each(|cache| cache.fill_cycles = 0.0);
        machine
    }

    /// Whether code had better look at the masks of stores, and store whole vectors where all lanes
    /// are stored. Where there are no masked stores, lanes are stored one by one else, each behind
    /// a branch of its own.
    pub fn looks_at_masks(&self) -> bool {
        let is_slow = !self.vectors.masked_accesses || self.look_cycles() < self.vectors.masked_store_cycles;
        !self.vectors.masks && is_slow
    }

    /// Whether the ends of rows of a tile, in vectors of so many lanes, had better be executed
    /// under masks than as shorter vectors and columns of their own: each of these waits for its
    /// own chain of additions, and there are half as many of them as lanes in the mean. Blocks
    /// under masks have two vectors.
    pub fn masks_ends(&self, lanes: u64) -> bool {
        let columns = lanes.saturating_sub(1) as f64 / 2.0;
        let is_fast = 2.0 * self.vectors.masked_load_cycles <= columns * self.latency.flop;
        self.vectors.masks || (self.vectors.masked_accesses && is_fast)
    }

    /// Cycles to find out whether a mask is true in all lanes: it is moved to a register, compared,
    /// and a branch follows.
    fn look_cycles(&self) -> f64 {
        3.0 / self.core.width
    }

    /// The same processor with what stores under conditions take in vectors: in code that looks at
    /// masks where it had better, or in other code, for which the fastest of the processors counts
    /// that the machine stands for: on none of them shall it have been better.
    pub fn with_conditional_stores(&self, looks: bool) -> Machine {
        let mut machine = self.clone();
        machine.vectors.masked_store_cycles = match looks && self.looks_at_masks() {
            true => self.look_cycles(),
            false if self.vectors.masks || !self.vectors.masked_accesses => 0.0,
            false => self.vectors.masked_store_cycles.min(self.vectors.least_masked_store_cycles),
        };
        machine
    }

    /// Lanes of the widest vectors with elements of so many bytes; at least 1.
    pub fn lanes(&self, element_bytes: u64) -> u64 {
        (self.vectors.bytes / element_bytes.max(1)).max(1)
    }

    /// All fields, in the order in which they are written.
    pub(crate) fn fields(&mut self) -> Vec<Field<'_>> {
        let mut fields = Vec::new();
        for (level, cache) in self.caches.iter_mut().enumerate() {
            fields.extend(cache.fields(&format!("l{}", level + 1)));
        }
        fields.extend(self.memory.fields("memory"));
        fields.extend(self.pages.fields("pages"));
        fields.extend(self.prefetch.fields("prefetch"));
        fields.extend(self.vectors.fields("vectors"));
        fields.extend(self.core.fields("core"));
        fields.extend(self.divider.fields("divider"));
        fields.extend(self.latency.fields("latency"));
        fields.extend(self.code.fields("code"));
        fields.extend(self.threads.fields("threads"));
        fields
    }
}

impl Default for Machine {
    /// A server core of the last years with vectors of 256 bits; see [`crate::PROCESSORS`].
    fn default() -> Self {
        crate::processors::generic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_vectors_are_divided_in_pieces() {
        let divider = Divider { vector_bytes: 16, ..Machine::default().divider };
        assert_eq!([4.0, 8.0, 16.0, 32.0, 64.0].map(|bytes| divider.pieces(bytes)), [1.0, 1.0, 1.0, 2.0, 4.0]);
    }

    #[test]
    fn large_temporaries_cost_what_the_system_does() {
        let memory = Machine::default().memory;
        assert_eq!(memory.temporary_cycles(0.0), 0.0);
        let threshold = memory.mapped_bytes as f64;
        assert_eq!(memory.temporary_cycles(64.0), memory.temporary_cycles(threshold - 1.0));
        let mapped = memory.temporary_cycles(threshold);
        assert!(mapped > 10.0 * memory.temporary_cycles(threshold - 1.0));
        let further = memory.temporary_cycles(3.0 * threshold) - mapped;
        assert!((further - 2.0 * threshold * memory.new_byte_cycles).abs() < 1e-6);
    }
}
