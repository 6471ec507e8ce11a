//! What users can choose, in one table.
//!
//! An option is given as a word: `tile`, `no-tile`, `tile=false`, `tile-sizes=32,64`. Words come
//! from four places; what comes nearer to the pass wins:
//!
//! 1. the defaults,
//! 2. the environment variable `POLY_OPTS`, words separated by `;` or blanks,
//! 3. the command line of a tool: `-poly-tile`, `-poly-tile-sizes=32,64` (through clang's `-mllvm`
//!    if the plugin was loaded before the command line was read: see docs/options.md),
//! 4. the parameters of a pass, words separated by `;`: `poly<tile;no-parallel>`.
//!
//! In `POLY_OPTS` and in the parameters of a pass a word counts for some functions only if their
//! names stand before it: `kernel_*/scheduler=original`. So do the words of a function's attribute
//! `poly`. Either wins over everything that is said for all functions. What a [`profile`] says of a
//! loop nest stands between.
//!
//! [`table`] holds name, meaning, reader and writer of each; everything else (command line options,
//! parsing, `-print-pipeline-passes`, the reference) is made from it.

mod profile;
#[cfg(test)]
mod reference;
mod source;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use profile::Profile;
#[cfg(test)]
pub(crate) use reference::options_reference;
pub(crate) use source::{COMMAND_LINE_PREFIX, Parameters, from_environment, validate_command_line};
pub(crate) use values::{Choice, Folder, MachineChoice, Number, Pattern, Value};

use std::borrow::Cow;

use poly_irgen::{Runtime, Schedule};
use poly_scop::ExchangeFormat;
use poly_transform::rewrite::Log;

/// Where new schedules come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheduler {
    /// Pluto's algorithm.
    Pluto,
    /// Feautrier's algorithm.
    Feautrier,
    /// The order of the source.
    Original,
    /// A file in the folder of the option `import`.
    File,
}

/// How eagerly loops are fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fuse {
    /// As much as is legal.
    Max,
    /// Where nothing is lost.
    Smart,
    /// Never.
    No,
    /// As the cost model says, among all legal ways.
    Search,
}

/// Between which instances distances are to be short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proximity {
    /// All that depend on each other.
    All,
    /// Those that write and read a value.
    Flow,
}

/// What comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefer {
    /// Loops free of dependences.
    Parallel,
    /// Short distances.
    Locality,
}

/// How much time the compiler may take to look for better loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// As the optimization level says: moderate at `-O2`, else full.
    OfLevel,
    /// As much as the loops may be worth.
    Full,
    /// A little, and none for regions in which no loop holds another.
    Moderate,
}

/// What can be printed of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Printed {
    /// The SCoPs, and why other loops are none.
    Scops,
    /// Their dependences.
    Dependences,
    /// The schedule that the scheduler makes.
    Schedule,
    /// The new loops.
    Ast,
    /// All legal ways to share loops.
    FusionSpace,
    /// What the cost model knows of the processor.
    Machine,
}

/// Where Poly can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Before SCoPs are looked for.
    Detect,
    /// Before the pure part of the work.
    Plan,
    /// When code has been written.
    Codegen,
    /// When it has been cleaned up.
    CleanUp,
}

/// The options of one pass. The fields are described in [`table`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) enable: bool,
    pub(crate) only_func: Vec<Pattern>,
    pub(crate) ignore_func: Vec<Pattern>,
    pub(crate) tile: bool,
    pub(crate) tile_sizes: Vec<u64>,
    pub(crate) block: bool,
    pub(crate) block_size: Option<Number>,
    pub(crate) pack_blocks: bool,
    pub(crate) time_tile: bool,
    pub(crate) wavefront: bool,
    pub(crate) parametric_tiles: bool,
    pub(crate) lanes: bool,
    pub(crate) strip_fusion: bool,
    pub(crate) diamond: bool,
    pub(crate) register_tile: bool,
    pub(crate) register_tile_sizes: Vec<u64>,
    pub(crate) pack: bool,
    pub(crate) parallel: bool,
    pub(crate) num_threads: u32,
    pub(crate) machine: MachineChoice,
    pub(crate) omp_schedule: Schedule,
    pub(crate) omp_chunk: u32,
    pub(crate) omp_runtime: Runtime,
    pub(crate) parallel_threshold: u64,
    pub(crate) inspectors: bool,
    pub(crate) extremes: bool,
    pub(crate) recurrences: bool,
    pub(crate) narrow_integers: bool,
    pub(crate) element_loops: bool,
    pub(crate) order_lanes: bool,
    pub(crate) fuse: Fuse,
    pub(crate) fusion_member: Option<Number>,
    pub(crate) fusion_limit: u64,
    pub(crate) fusion_schedules: Option<Number>,
    pub(crate) scheduler: Scheduler,
    pub(crate) rewrites: Log,
    pub(crate) random_rewrites: Option<Number>,
    pub(crate) rewrite_search: bool,
    pub(crate) rewrite_limit: Option<Number>,
    pub(crate) proximity: Proximity,
    pub(crate) prefer: Prefer,
    pub(crate) reuse: bool,
    pub(crate) process_unprofitable: bool,
    pub(crate) math_errno: bool,
    pub(crate) force: bool,
    pub(crate) effort: Effort,
    pub(crate) budget: Option<u64>,
    pub(crate) time_report: bool,
    pub(crate) verify: bool,
    pub(crate) export: Folder,
    pub(crate) import: Folder,
    pub(crate) report: Folder,
    pub(crate) profile: Profile,
    pub(crate) exchange_format: ExchangeFormat,
    pub(crate) reductions: bool,
    pub(crate) splitting: bool,
    pub(crate) live_ranges: bool,
    pub(crate) fission: bool,
    pub(crate) if_conversion: bool,
    pub(crate) simplify_reductions: bool,
    pub(crate) expansion: bool,
    pub(crate) contraction: bool,
    pub(crate) size_checks: bool,
    pub(crate) unroll_rotations: bool,
    pub(crate) whole_loops: bool,
    pub(crate) distances: bool,
    pub(crate) input_dependences: bool,
    pub(crate) conditional_dependences: bool,
    pub(crate) outline: bool,
    pub(crate) trace_versions: bool,
    pub(crate) remark_details: bool,
    pub(crate) warn_internal: bool,
    pub(crate) debug_dump: Vec<Printed>,
    pub(crate) debug_purse: Option<u64>,
    pub(crate) debug_panic: Option<Stage>,
    /// Words for some functions only, in the order in which they were given. They are right.
    pub(crate) for_functions: Vec<(Pattern, String)>,
    /// The pass stands in a pipeline of a level, in which LLVM makes vectors behind it.
    pub(crate) in_pipeline: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            enable: true,
            only_func: Vec::new(),
            ignore_func: Vec::new(),
            tile: true,
            tile_sizes: Vec::new(),
            block: true,
            block_size: None,
            pack_blocks: true,
            time_tile: true,
            wavefront: true,
            parametric_tiles: false,
            lanes: true,
            strip_fusion: true,
            diamond: true,
            register_tile: true,
            register_tile_sizes: Vec::new(),
            pack: true,
            parallel: false,
            num_threads: 4,
            machine: MachineChoice::default(),
            omp_schedule: Schedule::ByWork,
            omp_chunk: 1,
            omp_runtime: Runtime::Llvm,
            parallel_threshold: 120_000,
            inspectors: true,
            extremes: true,
            recurrences: true,
            narrow_integers: true,
            element_loops: true,
            order_lanes: true,
            fuse: Fuse::Smart,
            fusion_member: None,
            fusion_schedules: None,
            fusion_limit: 16,
            scheduler: Scheduler::Pluto,
            rewrites: Log::default(),
            random_rewrites: None,
            rewrite_search: false,
            rewrite_limit: None,
            proximity: Proximity::All,
            prefer: Prefer::Parallel,
            reuse: false,
            process_unprofitable: false,
            math_errno: true,
            force: false,
            effort: Effort::OfLevel,
            budget: None,
            time_report: false,
            verify: true,
            export: Folder::default(),
            import: Folder::default(),
            report: Folder::default(),
            profile: Profile::default(),
            exchange_format: ExchangeFormat::Poly,
            reductions: true,
            splitting: true,
            live_ranges: true,
            fission: true,
            if_conversion: true,
            simplify_reductions: true,
            expansion: true,
            contraction: true,
            size_checks: true,
            unroll_rotations: true,
            whole_loops: true,
            distances: false,
            input_dependences: false,
            conditional_dependences: false,
            outline: true,
            trace_versions: false,
            remark_details: false,
            warn_internal: false,
            debug_dump: Vec::new(),
            debug_purse: None,
            debug_panic: None,
            for_functions: Vec::new(),
            in_pipeline: false,
        }
    }
}

impl Options {
    /// The options of a function: words that are given for functions with its name count, and after
    /// them those of its attribute `poly`.
    ///
    /// # Errors
    /// What is wrong with the attribute.
    pub(crate) fn of_function(&self, name: &str, attribute: Option<&str>) -> Result<Cow<'_, Options>, String> {
        self.of_nest(name, attribute, &[])
    }

    /// The options of a loop nest of a function, of which the profile says these words: they win
    /// over what is said for all functions.
    ///
    /// # Errors
    /// What is wrong with the attribute.
    pub(crate) fn of_nest(
        &self,
        name: &str,
        attribute: Option<&str>,
        profile: &[String],
    ) -> Result<Cow<'_, Options>, String> {
        let attribute = attribute.filter(|text| *text != "off").unwrap_or_default();
        let mut options = Cow::Borrowed(self);
        for word in profile {
            source::apply(options.to_mut(), word)?;
        }
        for (_, word) in self.for_functions.iter().filter(|(pattern, _)| pattern.matches(name)) {
            source::apply(options.to_mut(), word)?;
        }
        for word in source::words_of(attribute) {
            source::apply(options.to_mut(), word)?;
        }
        Ok(options)
    }

    /// The options in a pipeline of this level (2 for `-O2`). Who asks for threads wants to wait
    /// for them.
    pub(crate) fn at_level(self, level: u32) -> Options {
        let effort = match self.effort {
            Effort::OfLevel if level <= 2 && !self.parallel => Effort::Moderate,
            effort => effort,
        };
        Options { effort, in_pipeline: true, ..self }
    }

    /// Whether little effort is to be made: not where it is said what is to be done.
    pub(crate) fn is_moderate(&self) -> bool {
        let is_said = self.force
            || self.process_unprofitable
            || self.budget.is_some()
            || self.random_rewrites.is_some()
            || !self.rewrites.steps.is_empty()
            || self.scheduler == Scheduler::File;
        self.effort == Effort::Moderate && !is_said
    }

    /// Whether the function may be looked at, by its name.
    pub(crate) fn concerns(&self, function: &str) -> bool {
        let selected = self.only_func.is_empty() || self.only_func.iter().any(|pattern| pattern.matches(function));
        selected && !self.ignore_func.iter().any(|pattern| pattern.matches(function))
    }
}
