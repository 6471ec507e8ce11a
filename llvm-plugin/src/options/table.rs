//! The table of options.

use super::Options;
use super::values::Value;

/// One option.
#[derive(Debug)]
pub(crate) struct Spec {
    /// Its name in POLY_OPTS and in pass parameters; on command lines `-poly-` stands before it.
    pub(crate) name: &'static str,
    /// What its value is called; `None` for switches.
    pub(crate) value_name: Option<&'static str>,
    /// What it does.
    pub(crate) help: &'static str,
    /// For people who develop Poly.
    pub(crate) hidden: bool,
    /// Reads a value; the error says what is expected.
    pub(crate) set: fn(&mut Options, &str) -> Result<(), String>,
    /// The value as it is written.
    pub(crate) show: fn(&Options) -> String,
}

impl Spec {
    /// On or off.
    pub(crate) fn is_switch(&self) -> bool {
        self.value_name.is_none()
    }
}

macro_rules! table {
    ($($visibility:ident $name:literal $(= $value_name:literal)? => $field:ident: $help:literal;)*) => {
        /// All options, in the order in which they are shown.
        pub(crate) const TABLE: &[Spec] = &[$(Spec {
            name: $name,
            value_name: table!(@value $($value_name)?),
            help: $help,
            hidden: table!(@$visibility),
            set: |options, text| Value::read(text).map(|value| options.$field = value),
            show: |options| options.$field.write(),
        }),*];
    };
    (@value) => { None };
    (@value $name:literal) => { Some($name) };
    (@public) => { false };
    (@hidden) => { true };
}

table! {
    public "enable" => enable: "Optimize loops; no-enable (or disable) leaves every function as it is";
    public "only-func" = "names" => only_func: "Look only at functions with these names; * stands for any text";
    public "ignore-func" = "names" => ignore_func: "Leave functions with these names alone; * stands for any text";
    public "tile" => tile: "Tile loops where it pays";
    public "tile-sizes" = "sizes" => tile_sizes:
        "Tile every band of loops that can be tiled, with these sizes (outermost first, the last one is repeated) instead of those of the cost model";
    public "parametric-tiles" => parametric_tiles:
        "Tile every band of loops that can be tiled by sizes that the program can change while it runs, with poly_set_tile_sizes (docs/tile-sizes.md); at first they are those of the cost model, or of tile-sizes. In place of register tiles and tiles in time";
    public "block" => block: "Run nests below a common outer loop in blocks of another common loop, whose data stay in a cache while the outer one runs, where it pays";
    public "block-size" = "iterations" => block_size: "Make such blocks wherever it is possible, of so many iterations";
    public "pack-blocks" => pack_blocks: "Copy what a block touches of an array to memory where rows lie side by side, and what it writes back, where that pays; the memory is allocated with malloc, and without it the original runs";
    public "time-tile" => time_tile: "Tile bands in which several loops move the same subscript (time loops of stencils), rows in loops of their own, where it pays";
    public "wavefront" => wavefront: "Run diagonals side by side where no loop is free of dependences: of tiles by threads, which may also run blocks as DOACROSS loops or by panels and updates, of points where rows are chains";
    public "lanes" => lanes: "Let the diagonals of points, where rows are chains, and rows beside each other be vectors whose lanes hand values on from step to step (SIMD wavefronts), and let neighbouring iterations execute loops whose ends depend on data in lanes of vectors";
    public "strip-fusion" => strip_fusion: "Let neighbouring nests share a loop over strips of their outermost loops (strip-mined fusion), where one finds in a cache what the other has brought";
    public "diamond" => diamond: "Tile time loops by diamonds that start together, where that is better for threads than wavefronts";
    public "register-tile" => register_tile:
        "Keep tiles of results in vector registers while the dimension that is summed over runs, where it pays";
    public "register-tile-sizes" = "rows:vectors" => register_tile_sizes:
        "Make register tiles wherever it is possible, with this number of rows and of vectors side by side instead of those of the cost model";
    public "pack" => pack:
        "Copy what register tiles load to a buffer in the order of use, where several tiles load the same; the buffer is allocated with malloc, and without memory nothing is copied";
    public "parallel" => parallel: "Run outermost parallel loops with OpenMP threads; link with -fopenmp or -lomp";
    public "num-threads" = "number" => num_threads:
        "How many threads to expect when predicting whether threads pay; the OpenMP runtime decides how many there are";
    public "machine" = "file|name" => machine:
        "What the cost model knows of the processor, in place of what it knows of the function's target-cpu: the numbers of a file, as print<poly-machine> writes them and `cargo xtask machine` measures them, those that it does not give as before; or a processor by its name (docs/design/cost.md)";
    public "omp-schedule" = "work|static|dynamic|guided" => omp_schedule:
        "How the iterations of a parallel loop are given to threads: as their work is (one block each where it is the same for all, else in portions, the longest iterations first), one block each, the next ones to whoever is free, or the same in portions that become smaller. Reductions of which threads compute parts are static";
    public "omp-chunk" = "number" => omp_chunk: "With dynamic and guided schedules, the fewest iterations that a thread gets at a time";
    public "omp-runtime" = "llvm|gnu" => omp_runtime:
        "The OpenMP library that the program is linked with: LLVM's (-lomp, or clang's -fopenmp), or GNU's (-lgomp; LLVM's understands that interface, too)";
    public "parallel-threshold" = "number" => parallel_threshold:
        "A parallel loop with less work than this when it is reached, in instructions of the model (one on a vector counts once, a write four times), is run by one thread; with force, only a loop of one iteration is";
    public "inspectors" => inspectors: "Let loops whose iterations depend on each other through index arrays be inspected while the program runs: several sweeps over the rows of a sparse matrix (Gauss-Seidel, relaxation) are executed at once where rows read near themselves; with parallel, such loops (triangular solves, sweeps, incomplete factorizations) are run by threads where that pays; for that, the original runs where the program is not linked with libpoly_rt.a (docs/irregular.md)";
    public "extremes" => extremes: "Look for the least and the largest element, and where it is, in lanes of vectors, in loops that have no better order";
    public "recurrences" => recurrences: "Give recurrences of innermost loops that have no better order a form without a chain through all iterations, where no bit changes: the last index that is found is a maximum, numbers that count without rounding are converted counters, variables that wrap around are peeled, and sums under conditions add zeros";
    public "narrow-integers" => narrow_integers: "Compute integers of innermost loops that have no better order in 32 or 16 bits in place of more, where intervals say that no result changes and LLVM makes vectors of the loop: sums and comparisons of bytes, counters that are compared";
    public "element-loops" => element_loops: "Let innermost loops that do the same to each component of the points of an array of structures run over these components, as elements of one array, where LLVM makes vectors of them";
    public "order-lanes" => order_lanes: "Give the lanes of LLVM's vectors of loops over interleaved data (complex numbers, arrays of structures) an order of points that takes fewer and cheaper shuffles; at the end of the pipelines of -O2 and -O3, for x86";
    public "fuse" = "max|smart|no|search" => fuse: "Fuse loops as much as is legal, where nothing is lost by it, never, or as the cost model predicts to be best among all legal ways (see fusion-limit)";
    public "fusion-member" = "number" => fusion_member: "Take the fusion structure with this number, as print<poly-fusion-space> lists them from 0";
    public "fusion-limit" = "number" => fusion_limit: "How many fusion structures print<poly-fusion-space> lists and fuse=search looks at";
    public "fusion-schedules" = "number" => fusion_schedules: "Let print<poly-fusion-space> print the convex set of all legal schedules of so many dimensions, too, with coefficients of at most 8";
    public "scheduler" = "pluto|feautrier|original|file" => scheduler: "Look for a new order of execution with short distances (pluto) or few steps of time (feautrier), keep that of the source and only tile it, run it in parallel or mark it for vectors, or take the one of a file (see import)";
    public "rewrites" = "steps" => rewrites: "In place of the search, apply these rewrites to the schedule, whatever they gain: tile:S0[0]:32:64/vectorize:S0[1] (docs/rewrites.md); a SCoP for which one is not legal is left as it is";
    public "random-rewrites" = "seed" => random_rewrites: "In place of the search, apply random legal rewrites to the schedule, whatever they gain; for tests of Poly";
    public "rewrite-search" => rewrite_search: "Search for a better order among those that a few rewrites make of the schedule, too";
    public "rewrite-limit" = "number" => rewrite_limit: "With rewrites and random-rewrites, apply only so many steps in a module, to find the one that matters";
    public "proximity" = "all|flow" => proximity: "Make distances short between all instances that depend on each other, or only between those that write and read a value";
    public "prefer" = "parallel|locality" => prefer: "What comes first where both cannot be had: loops free of dependences, or short distances";
    public "reuse" => reuse: "Make distances short between instances that read the same element, too";
    public "reductions" => reductions: "Let the updates of sums, products, minima, maxima and bitwise operations change their order where that changes no result (integers) or their instructions allow it (floating point)";
    public "splitting" => splitting: "Split the index sets of statements, so that each part has an order of its own, where dependences point both ways over long distances, as at the ends of periodic domains, or from one iteration of a loop to all others, as in elimination in place, if that makes bands deeper or loops parallel; and cut loops where subscripts change from one affine function to another, as at borders, if that pays";
    public "live-ranges" => live_ranges: "Let the live ranges of scalars and temporaries change places as a whole (live-range reordering), where that allows deeper tiles: dependences that only keep live ranges of one element apart do not count where each is within one iteration";
    public "fission" => fission: "Let statements read before they write, and cut statements that write several things (node splitting, loop fission), where that makes vectors of more loops";
    public "if-conversion" => if_conversion: "Let statements write in every case, under conditions that leave no case out, and compute all that they choose from, where that makes vectors of more loops";
    public "simplify-reductions" => simplify_reductions: "Compute sums, minima and the like over integers (over floating-point numbers if they may be reassociated) with fewer operations where neighbouring results or several of them share parts: sliding sums from the one before, sums over rectangles by rows and columns; parts get memory from malloc, and without memory the original runs";
    public "expansion" => expansion: "Give a scalar, or an array whose contents nothing but the loops sees, memory for each of its live ranges (expansion) where every iteration of some loops sets it anew and that allows a better order; it is allocated with malloc, and without memory the original runs";
    public "contraction" => contraction: "Where a pipeline of loops writes an array that is read a few rows later and by nobody else, on the stack, in memory that the function allocates and frees, or static, fuse the loops and keep only the rows that are in use (array contraction); they are allocated with malloc, and without memory the original runs";
    public "size-checks" => size_checks: "Where sizes are known only when the program runs, use new loops only from the sizes on at which they are predicted to pay; force does not ask";
    public "unroll-rotations" => unroll_rotations: "Take several iterations of a loop together after which pointers or numbers that change places (two buffers that are swapped) are what they were, where that allows to optimize the loop";
    public "whole-loops" => whole_loops: "Let a statement execute a loop as a whole that cannot be modelled, because its iterations depend on data (a non-affine subregion), so that the loops around it can be optimized";
    public "process-unprofitable" => process_unprofitable: "The same as force, by the name that Polly has for it";
    public "force" => force: "Apply the best transformation even if it is predicted not to pay";
    public "math-errno" => math_errno: "Calls of mathematical functions leave their errors in errno: they are executed as often as in the source, by one thread unless domain errors are their only ones, those that may leave different errors in their order, and where other accesses may touch errno the loops are left as they are; no-math-errno says that nobody looks there";
    public "effort" = "level|full|moderate" => effort: "How long to look for better loops: as long as they may be worth (full); or a fraction of that, and not at all at regions in which no loop holds another (moderate); level is moderate at -O2 (without parallel), else full. What force, budget, rewrites and scheduler=file ask for is always done (docs/compile-time.md)";
    public "budget" = "operations" => budget: "How many operations may be spent on one SCoP before it is left as it is; without a number, all SCoPs of a function share as many as go with its size (docs/compile-time.md)";
    public "time-report" => time_report: "Print to the error stream what each step of the work on a function has cost, in operations and in seconds";
    public "verify" => verify: "Check generated code with LLVM's verifier; a function that fails gets its original code back";
    public "export" = "folder" => export:
        "Write the schedule of each SCoP with its dependences to a file of this folder, named after the function and the number of the SCoP in it; poly-check judges such files";
    public "import" = "folder" => import: "With scheduler=file, read the schedule of each SCoP from the file that export writes; an illegal one is refused, and a SCoP without file keeps its loops";
    public "exchange-format" = "poly|jscop|openscop" => exchange_format: "The format of the files of export and import: a schedule tree with dependences, Polly's JSCoP, or OpenScop (docs/exchange.md)";
    public "report" = "folder" => report: "Write what became of the loops of each function, and why, to a JSON file of this folder, named after the function (docs/explain.md); `poly explain` and `poly report` read it";
    public "profile" = "file" => profile: "Options for single loop nests, as poly tune finds and writes them (docs/tune.md)";
    public "distances" => distances: "print<poly-dependences> shows distance, direction and depth of each dependence";
    public "input-dependences" => input_dependences: "With distances, dependences between reads are shown too";
    public "conditional-dependences" => conditional_dependences: "print<poly-dependences> shows the dependences as live-ranges uses them: those that only keep live ranges of one element apart are conditional, and all of their pairs are there";
    public "outline" => outline:
        "Make the new code of each nest a function of its own (`f.poly`) at the end of the pipeline, so that the original has registers and stack to itself and is as fast as without Poly where it runs";
    public "trace-versions" => trace_versions: "Let the program count how often the new code of each nest runs, and how often the original runs because of which part of the check, and print that to its error stream when it ends (ELF platforms with dprintf)";
    public "remark-details" => remark_details: "Analysis remarks also show schedule and loops of each SCoP";
    public "warn-internal" => warn_internal: "An internal error of Poly, which is contained and always reported by a remark, is also shown as a warning";
    hidden "debug-dump" = "stages" => debug_dump: "Print these (scops, dependences, schedule, ast, fusion-space) while optimizing";
    hidden "debug-purse" = "operations" => debug_purse: "How many operations a function gets, instead of as many as go with its size";
    hidden "debug-panic" = "stage" => debug_panic: "Fail on purpose in this stage (detect, plan, codegen, clean-up)";
}

/// The option with this name.
pub(crate) fn find(name: &str) -> Option<&'static Spec> {
    TABLE.iter().find(|spec| spec.name == name)
}
