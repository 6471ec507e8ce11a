//! The machine that a function is compiled for.

use crate::processors::{generic, without_blends};
use crate::{Machine, Processor};

/// What LLVM says about the target of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The attribute `target-cpu`; empty if there is none.
    pub cpu: String,
    /// The attribute `target-features`: names with `+` or `-` before them, separated by commas.
    pub features: String,
    /// The function says how wide its vectors are to be (the attribute `prefer-vector-width`).
    pub limits_vectors: bool,
    /// Bits of the vectors that LLVM makes of loops; less than 128 if there are none.
    pub vector_bits: u32,
    /// Number of their registers.
    pub vector_registers: u32,
    /// Bytes of a line of the caches, if LLVM knows them.
    pub line_bytes: Option<u32>,
}

impl Target {
    fn has(&self, feature: &str) -> bool {
        self.features.split(',').any(|own| own.strip_prefix('+') == Some(feature))
    }

    /// The processor of the table that it is, or the one that is most like it: the highest level of
    /// the x86-64 ABI of which it has the vectors, or the usual AArch64 core.
    fn processor(&self) -> Option<&'static Processor> {
        let level = if self.has("avx512f") {
            "x86-64-v4"
        } else if self.has("avx2") {
            "x86-64-v3"
        } else if self.has("sse4.2") {
            "x86-64-v2"
        } else if self.has("sse2") {
            "x86-64"
        } else if self.has("neon") {
            "aarch64"
        } else {
            "generic"
        };
        // A level of the ABI says nothing about caches, and features may have been added to it.
        let named = Processor::find(&self.cpu).filter(|processor| !processor.name.starts_with("x86-64"));
        named.filter(|processor| processor.name != "generic").or_else(|| Processor::find(level))
    }

    /// What the model knows of it: the processor, with the vectors that the function may use.
    ///
    /// # Examples
    /// ```
    /// use poly_machine::Target;
    /// let target = Target { cpu: "skylake".to_owned(), features: "+sse2,+avx2,+fma".to_owned(), vector_bits: 256, vector_registers: 16, ..Target::default() };
    /// let machine = target.machine();
    /// assert_eq!((machine.name.as_str(), machine.second().bytes, machine.vectors.bytes), ("skylake", 256 << 10, 32));
    /// ```
    pub fn machine(&self) -> Machine {
        let mut machine = self.processor().map_or_else(generic, Processor::machine);
        let is_generic = machine.name == "generic";
        let widest = machine.vectors.bytes;
        let vectors = &mut machine.vectors;
        // LLVM prefers shorter vectors than the widest ones for some processors, with regard to
        // loops that use few of them; a register tile uses them all the time. What the user says is
        // respected.
        let is_wide = self.has("avx512f") && !self.limits_vectors;
        if self.vector_bits >= 128 {
            vectors.loop_bytes = u64::from(self.vector_bits / 8);
            vectors.registers = u64::from(self.vector_registers);
            vectors.bytes = vectors.loop_bytes;
        }
        if is_wide {
            (vectors.bytes, vectors.registers) = (64, 32);
        }
        vectors.masks = is_wide;
        vectors.masked_accesses = self.has("avx") || self.has("avx2") || is_wide;
        vectors.embedded_broadcast = is_wide;
        vectors.gathers = self.has("avx2") || is_wide;
        (vectors.blend_operations, vectors.minimum_operations) = (1.0, 1.0);
        if !(is_generic || ["sse4.1", "avx", "neon"].iter().any(|name| self.has(name)) || is_wide) {
            without_blends(vectors);
        }
        if self.has("sse2") {
            // As LLVM has it for x86.
            vectors.interleaved = if self.has("avx") { 4.0 } else { 2.0 };
        }
        vectors.fused = is_generic || self.has("fma") || self.has("neon") || is_wide;
        if vectors.bytes < widest {
            (vectors.passes, vectors.loop_passes) = (1.0, 1.0);
        }
        if let (Some(bytes), true) = (self.line_bytes, is_generic) {
            machine.memory.line_bytes = u64::from(bytes);
        }
        machine
    }
}

/// What a user says about the processor, in place of what the function says.
#[derive(Clone, Debug, PartialEq)]
pub enum Override {
    /// It is this one of the table.
    Processor(&'static str),
    /// It is what a file says.
    File(String),
}

impl Override {
    /// The machine, where the function is compiled for `target`. A file that names no processor
    /// changes numbers of that of the function.
    ///
    /// # Errors
    /// The first line of the file that is wrong; names that are not in the table.
    pub fn machine(&self, target: &Target) -> Result<Machine, String> {
        match self {
            Self::Processor(name) => Processor::named(name).map(Processor::machine),
            Self::File(text) => Machine::read(text, &target.machine()).map_err(|wrong| wrong.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(cpu: &str, features: &str, bits: u32, registers: u32) -> Target {
        let (cpu, features) = (cpu.to_owned(), features.to_owned());
        Target { cpu, features, vector_bits: bits, vector_registers: registers, ..Target::default() }
    }

    #[test]
    fn levels_are_seen_by_their_features() {
        let name = |features: &str| target("x86-64", features, 128, 16).machine().name;
        assert_eq!(name("+cx8,+sse2"), "x86-64");
        assert_eq!(name("+sse2,+sse4.2"), "x86-64-v2");
        assert_eq!(name("+sse2,+avx2,-avx512f"), "x86-64-v3");
        assert_eq!(name("+sse2,+avx2,+avx512f"), "x86-64-v4");
        assert_eq!(target("", "", 32, 8).machine(), Machine::default());
    }

    #[test]
    fn vectors_are_those_of_the_function() {
        let wide = target("skylake-avx512", "+sse2,+avx2,+fma,+avx512f", 256, 32);
        let vectors = wide.machine().vectors;
        assert_eq!((vectors.bytes, vectors.loop_bytes, vectors.masks, vectors.gathers), (64, 32, true, true));
        let limited = Target { limits_vectors: true, ..wide }.machine().vectors;
        assert_eq!((limited.bytes, limited.registers, limited.masks), (32, 32, false));
        // A processor without some of its vectors.
        let narrow = target("znver4", "+sse2,+avx2,+fma,-avx512f", 256, 16).machine();
        assert_eq!((narrow.name.as_str(), narrow.vectors.bytes, narrow.vectors.passes), ("znver4", 32, 1.0));
        // Units of 128 bits, which vectors of 256 bits enter twice.
        let halves = |features: &str, bits: u32| target("znver1", features, bits, 16).machine().vectors.passes;
        assert_eq!((halves("+sse2,+avx,+avx2,+fma", 256), halves("+sse2", 128)), (2.0, 1.0));
        let plain = target("x86-64", "+sse2", 128, 16).machine().vectors;
        assert_eq!((plain.bytes, plain.gathers, plain.fused, plain.interleaved), (16, false, false, 2.0));
        let blend = |features: &str| target("x86-64", features, 128, 16).machine().vectors.blend_operations;
        assert_eq!(["+sse2", "+sse2,+sse4.1", "+sse2,+avx", "+neon"].map(blend), [3.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn files_change_what_they_say() {
        let base = target("znver5", "+sse2,+avx2,+fma,+avx512f", 512, 32);
        let machine = Override::File("l1.bytes = 16K".to_owned()).machine(&base).expect("it is right");
        assert_eq!((machine.name.as_str(), machine.first().bytes, machine.vectors.bytes), ("znver5", 16 << 10, 64));
        let forced = Override::Processor("haswell").machine(&base).expect("it is in the table");
        assert_eq!((forced.vectors.bytes, forced.vectors.masks), (32, false));
    }
}
