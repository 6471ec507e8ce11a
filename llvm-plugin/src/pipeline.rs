//! From a function to a better function: detection, plan, code, clean-up.
//!
//! # Steps
//! 1. Remove saved stack pointers that are always the same. Let loops that do the same to each
//!    component of their points run over elements ([`elements`]). Give counters back the sums
//!    that constants had taken the place of. Give branches in front of loops blocks of their
//!    own, so that regions can begin there; detect the SCoPs of the function. Loops that
//!    depend on themselves through index arrays are no SCoPs: they get an inspector and an
//!    executor, if threads may be used.
//! 2. For each in turn: let the driver plan (pure), then write the code of the plan. Writing
//!    outdates all analyses; the SCoPs that are left are detected again, each when its turn comes,
//!    among the blocks that it had, and the blocks of the finished ones are marked as settled. A
//!    SCoP of several nests that is left as it is gives way to SCoPs of fewer nests, and so does
//!    one with arrays whose overlap cannot be checked, and one with nests of which only one is
//!    executed. They come next. So a region is modelled twice, however many SCoPs there are. When
//!    all have been dealt with and code was written for some, what is in no SCoP is looked at
//!    again: it may be in one without them.
//! 3. Loops that look for extremes, and are left as they are so far, get vector code.
//! 4. Recurrences of loops that are left as they are even so get another form, if there is one.
//! 5. When all have been decided, compute integers of innermost loops in fewer bits where vectors
//!    gain by that, clean the new code up, and say what was done.
//!
//! Loops whose pointers change places are unrolled before all that ([`crate::unrolled`]). If no
//! SCoP with such a loop gets new code, the function becomes what it was, and everything begins
//! again without. Where the number of an iteration picks a row, or blocks of memory are copied, the
//! loops are looked at as they are first.
//!
//! # Invariants
//! Everything up to the first plan only reads, but for the unrolling, and for square roots, fused
//! products, counters and the splitting of blocks, which are undone if no code is written. Before
//! code is written the function is copied: whatever fails from then on (a panic, LLVM's verifier)
//! brings the copy back, so the function is either improved or as it was.

use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use poly_presburger::Budget;
use poly_scop::{AccessKind, Config, Fingerprint, Outcome, Plan, Profitability, Reason, Scop, Statement};
use poly_scop_detect::{DetectOptions, Detection, Detector, extreme_loop, irregular_nest, is_head, rotations};
use poly_shim::context::Backup;
use poly_shim::llvm_sys::prelude::LLVMBasicBlockRef;
use poly_shim::remarks::print_to_error_stream;
use poly_shim::surgery::Recurrence;
use poly_shim::{Bindings, BlockRef, PassContext, PassHost};

use crate::asked::Asked;
use crate::exchange::exchange;
use crate::exclusive::are_exclusive;
use crate::expenses::{Expenses, Worth};
use crate::gate::{Admission, admit};
use crate::options::{Options, Stage};
use crate::report::{self, Remark};
use crate::said::{Said, without_superseded};
use crate::tuned::Tuned;
use crate::unrolled::{Unrolled, Unrolling, Wanted, with_choice};
use crate::{bodies, config, panics, print, record, worker};

mod elements;

/// Optimizes the function; true if anything was changed. The rewrites that were applied are added
/// to those of the functions before.
pub(crate) fn optimize(host: &mut PassHost, options: &Options, rewrites: &Cell<u64>) -> bool {
    let function = host.context().function();
    let asked = Asked::of(function);
    let own = options.of_function(&function.name(), Some(&asked.words));
    let given = match &own {
        Ok(own) => Given { all: options, own },
        Err(wrong) => {
            let what = if asked.is_annotated { "an annotation" } else { "its attribute 'poly'" };
            refuse(host, options, &format!("{what}: {wrong}"));
            return false;
        }
    };
    let options = given.own;
    if asked.promises && options.enable {
        report::unused_promise().emit(host.context());
    }
    match admit(host.context().function(), options) {
        Admission::Unwanted => false,
        Admission::Impossible(reason) => {
            refuse(host, options, reason);
            false
        }
        Admission::Outlined => {
            host.clean_up();
            order_lanes_later(host, options);
            true
        }
        Admission::Welcome => {
            let changed = optimize_scops(host, given, rewrites);
            order_lanes_later(host, options);
            changed
        }
    }
}

/// Asks for better orders of lanes at the end of the pipeline, when LLVM has made vectors.
fn order_lanes_later(host: &mut PassHost, options: &Options) {
    if options.order_lanes && options.in_pipeline {
        host.mark_interleaved();
    }
}

/// The options.
#[derive(Clone, Copy)]
struct Given<'o> {
    /// For all functions.
    all: &'o Options,
    /// Of the function.
    own: &'o Options,
}

/// Says that the function cannot be looked at.
fn refuse(host: &PassHost, options: &Options, reason: &str) {
    let remark = report::impossible(reason);
    remark.emit(host.context());
    write_records(host, options, [&remark]);
}

/// Writes what is said to the file that the options ask for.
fn write_records<'r>(host: &PassHost, options: &Options, remarks: impl IntoIterator<Item = &'r Remark>) {
    let Some(folder) = options.report.path() else { return };
    let records = remarks.into_iter().filter_map(Remark::record).collect();
    if let Err(what) = record::write(folder, &host.context().function().name(), records) {
        host.context().warn(&format!("poly: the report cannot be written: {what}"));
    }
}

/// Fails if the user asked for a failure in this stage.
fn enter(stage: Stage, options: &Options) {
    assert!(options.debug_panic != Some(stage), "asked for by the option debug-panic");
}

/// What goes wrong although everything was decided before: an error of Poly.
enum Failure {
    Panic(Box<dyn Any + Send>),
    Invalid(String),
}

fn optimize_scops(host: &mut PassHost, given: Given<'_>, rewrites: &Cell<u64>) -> bool {
    let options = given.own;
    let loops = count_loops(host.context());
    let choosing = if options.unroll_rotations { with_choice(host) } else { Vec::new() };
    let mut first = None;
    if !choosing.is_empty()
        && let Some(backup) = host.backup()
    {
        let mut work = Work::new(given, rewrites, expenses(host.context(), options), host.context());
        work.backup = Some(backup);
        match attempt(host, work, (&choosing, &[]), options) {
            Attempt::Kept(changed) => return changed,
            Attempt::Undone(work) => first = Some(work.tuned),
        }
    }
    let wanted = Wanted { rotations: options.unroll_rotations, temporaries: options.contraction };
    let unrolling = Unrolled::of(host, wanted);
    let is_restored = first.is_some() || !matches!(unrolling, Unrolling::None);
    let mut work = Work::new(given, rewrites, expenses(host.context(), options), host.context());
    work.tuned = first.unwrap_or_default();
    if let Unrolling::Done(unrolled) = unrolling {
        let Unrolled { backup, headers, copies, joined } = unrolled;
        if !joined.is_empty() {
            work.detection.with_fills = true;
            work.detection.nests_only = false;
        }
        (work.loops, work.copies, work.backup) = (loops, copies, Some(backup));
        let tried = match attempt(host, work, (&headers, &joined), options) {
            Attempt::Kept(changed) => return changed,
            Attempt::Undone(work) => work,
        };
        let known: Vec<Option<Remark>> = headers.iter().map(|&header| tried.reason_for(header)).collect();
        let (expenses, tuned) = if choosing.is_empty() {
            (tried.expenses, tried.tuned)
        } else {
            (expenses(host.context(), options), tried.tuned)
        };
        work = Work::new(given, rewrites, expenses, host.context());
        work.tuned = tuned;
        if choosing.is_empty() && known.iter().any(Option::is_some) {
            let rotating = rotations(host.context()).into_iter().map(|rotation| rotation.header);
            work.known = rotating.zip(known).filter_map(|(header, remark)| Some((header, remark?))).collect();
        }
    }
    let result = catch_unwind(AssertUnwindSafe(|| work.run(host)));
    finish(host, work, result, options) || is_restored
}

/// What became of a function that had been copied before.
enum Attempt<'o> {
    /// It is finished; whether it was changed.
    Kept(bool),
    /// It is what it was, as no loop of those that it was tried for got new code.
    Undone(Box<Work<'o>>),
}

/// Works on a function for the sake of the loops with the first of these headers, or of those with
/// the others, whose new code must have fewer arrays.
fn attempt<'o>(
    host: &mut PassHost,
    mut work: Work<'o>,
    (headers, joined): (&[LLVMBasicBlockRef], &[LLVMBasicBlockRef]),
    options: &Options,
) -> Attempt<'o> {
    let result = catch_unwind(AssertUnwindSafe(|| work.run(host)));
    let is_in = |found: &[LLVMBasicBlockRef], wanted: &[LLVMBasicBlockRef]| wanted.iter().any(|h| found.contains(h));
    let is_found = is_in(&work.written, headers) || is_in(&work.contracted, joined);
    match (result, work.backup.take()) {
        (Ok(Ok(_)), Some(backup)) if !is_found => {
            host.restore(backup);
            Attempt::Undone(Box::new(work))
        }
        (result, backup) => {
            work.backup = backup;
            Attempt::Kept(finish(host, work, result, options))
        }
    }
}

/// What the work on the function may cost.
fn expenses(cx: PassContext<'_>, options: &Options) -> Expenses {
    let instructions = cx.blocks().into_iter().map(|block| block.instructions().len()).sum();
    Expenses::new(instructions, options)
}

/// What `catch_unwind` gives for the work on a function: whether it was changed, or invalid code,
/// or a panic.
type Ended = Result<Result<bool, String>, Box<dyn Any + Send>>;

/// Says what was done, or brings the function back if that failed; true if the function was
/// changed.
fn finish(host: &mut PassHost, mut work: Work<'_>, result: Ended, options: &Options) -> bool {
    if let Some(report) = work.expenses.report(&host.context().function().name()) {
        print_to_error_stream(&report);
    }
    let failure = match result {
        Ok(Ok(changed)) => {
            if let Some(backup) = work.backup.take() {
                backup.discard();
            }
            if work.nests > 0 {
                poly_irgen::define_interface(host.context());
            }
            if options.trace_versions && !work.written.is_empty() {
                poly_irgen::define_printing(host.context());
            }
            let stale = work.stale(&host.context().function().name());
            let said = || work.remarks.iter().map(|said| &said.remark).chain(&stale);
            said().for_each(|remark| remark.emit(host.context()));
            write_records(host, options, said());
            let told = work.remarks.iter().map(|said| said.remark.loops()).sum();
            if work.remarks_wanted && told != work.loops {
                report::miscounted(told, work.loops).emit(host.context());
            }
            if options.warn_internal {
                work.failed_plans.iter().for_each(|what| report::warn_of_internal_error(what, host.context()));
            }
            return changed;
        }
        Ok(Err(message)) => Failure::Invalid(message),
        Err(payload) => Failure::Panic(payload),
    };
    if let Some(backup) = work.backup.take() {
        host.restore(backup);
    }
    let what = match failure {
        Failure::Panic(payload) => panics::describe(payload.as_ref()),
        Failure::Invalid(message) => format!("code generation: {message}"),
    };
    report::report_internal_error(&what, host.context(), options.warn_internal);
    true
}

/// Most nests of a SCoP in which nothing paid that are looked at one by one: if nothing pays for
/// many, then hardly for one.
const MAX_UNPROFITABLE: usize = 4;

/// The number of loops of the function.
fn count_loops(cx: PassContext<'_>) -> usize {
    let mut todo = cx.top_level_loops();
    let mut count = 0;
    while let Some(l) = todo.pop() {
        count += 1;
        todo.extend(l.subloops());
    }
    count
}

/// The work on one function.
struct Work<'o> {
    options: &'o Options,
    /// Options for all functions.
    all: &'o Options,
    /// Rewrites that were applied in the module so far.
    rewrites: &'o Cell<u64>,
    config: Config,
    expenses: Expenses,
    remarks_wanted: bool,
    /// The number of loops at the beginning: each gets one remark.
    loops: usize,
    /// Said at the end, when it is certain.
    remarks: Vec<Said>,
    /// Loops that run over elements, by their headers.
    over_elements: Vec<(LLVMBasicBlockRef, Remark)>,
    /// SCoPs with loops that are executed as a whole, or with what is assumed not to run, in which
    /// nothing paid: their parts are looked at instead.
    opened: Vec<Opened>,
    /// Headers of loops of which no model can be made here, with what is known of them from models
    /// of several iterations.
    known: Vec<(LLVMBasicBlockRef, Remark)>,
    /// Headers of loops that are copies of loops of the source.
    copies: Vec<LLVMBasicBlockRef>,
    /// Headers of the loops of SCoPs that have got new code.
    written: Vec<LLVMBasicBlockRef>,
    /// Those of them whose new code does without some arrays, or with a few rows of them.
    contracted: Vec<LLVMBasicBlockRef>,
    /// The function before it was changed or the first code was written.
    backup: Option<Backup>,
    /// Errors of Poly found while planning.
    failed_plans: Vec<String>,
    /// Entries of SCoPs that are left as they are. Blocks are not deleted while SCoPs are worked
    /// on.
    declined: Vec<LLVMBasicBlockRef>,
    /// There was a loop that is in no SCoP.
    has_rejected: bool,
    /// The last SCoP was left as it was because nothing was predicted to pay.
    is_unprofitable: bool,
    /// Headers of loops about which it has been said why they are in no SCoP.
    explained: Vec<LLVMBasicBlockRef>,
    /// How to look for SCoPs.
    detection: DetectOptions,
    /// Number of SCoPs that were looked at; their files are named after it.
    looked_at: usize,
    /// Fingerprints of the SCoPs that were looked at, if the profile says something of the
    /// function.
    tuned: BTreeSet<Fingerprint>,
    /// Number of nests of the new code with tile sizes that the program can change.
    nests: usize,
}

/// A SCoP of which the parts are looked at.
struct Opened {
    blocks: Vec<LLVMBasicBlockRef>,
    /// What is to be said of it if nothing is done for the parts either.
    remarks: Vec<Said>,
}

/// The blocks of regions that are to be looked for; any if there is none.
type Within = Option<HashSet<LLVMBasicBlockRef>>;

/// What is to be looked at next.
enum Task<'c> {
    /// Regions of these blocks.
    Blocks(Within),
    /// A SCoP.
    Found(Box<(Scop, Bindings<'c>)>),
}

impl Task<'_> {
    /// How many blocks it is about.
    fn size(&self) -> usize {
        match self {
            Task::Blocks(within) => within.as_ref().map_or(0, HashSet::len),
            Task::Found(found) => found.1.blocks.len(),
        }
    }

    /// Where to look when the analyses are outdated.
    fn within(self) -> Within {
        match self {
            Task::Blocks(within) => within,
            Task::Found(found) => Some(blocks_of(&found.1)),
        }
    }
}

/// How many operations may be spent on a SCoP; where it is to be transformed whether that pays or
/// not, or nobody can say what its loops execute, any number.
fn worth(scop: &Scop, worth: Worth, config: &Config, budget: &mut Budget) -> u64 {
    if config.profitability == Profitability::Ignored {
        return u64::MAX;
    }
    let executed = worker::run(|| poly_scop::executed(scop, budget));
    executed.ok().and_then(Result::ok).map_or(u64::MAX, |executed| worth.of(scop.statements.len(), executed))
}

fn blocks_of(bindings: &Bindings<'_>) -> HashSet<LLVMBasicBlockRef> {
    bindings.blocks.iter().map(|block| block.raw()).collect()
}

/// What became of a SCoP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Its code was written.
    Written,
    /// Its nests shall be looked at one by one, or without loops that are executed as a whole and
    /// what is assumed not to run.
    Distribute,
    /// It is left as it is.
    Declined,
}

impl<'o> Work<'o> {
    fn new(given: Given<'o>, rewrites: &'o Cell<u64>, expenses: Expenses, cx: PassContext<'_>) -> Self {
        let options = given.own;
        Self {
            options,
            all: given.all,
            rewrites,
            expenses,
            config: config::driver(options, cx),
            remarks_wanted: cx.remarks_wanted() || options.report.path().is_some(),
            loops: count_loops(cx),
            remarks: Vec::new(),
            over_elements: Vec::new(),
            opened: Vec::new(),
            known: Vec::new(),
            copies: Vec::new(),
            written: Vec::new(),
            contracted: Vec::new(),
            backup: None,
            failed_plans: Vec::new(),
            declined: Vec::new(),
            has_rejected: false,
            is_unprofitable: false,
            explained: Vec::new(),
            detection: config::detection(options),
            looked_at: 0,
            tuned: BTreeSet::new(),
            nests: 0,
        }
    }

    /// Why nothing was done for the SCoP with this loop, if it was in one.
    fn reason_for(&self, header: LLVMBasicBlockRef) -> Option<Remark> {
        let said = self.remarks.iter().find(|said| !said.is_done && said.headers.contains(&header));
        said.map(|said| said.remark.of_one_loop())
    }

    /// The remark without what it says about copies of loops; nothing if it is only about such.
    fn about_source(&self, remark: Remark, all: &[LLVMBasicBlockRef], bindings: &Bindings<'_>) -> Option<Remark> {
        let is_copy = |header: &LLVMBasicBlockRef| self.copies.contains(header);
        let copies = all.iter().filter(|header| is_copy(header)).count();
        let modelled = bindings.loops.iter().filter(|l| is_copy(&l.header().raw())).count();
        (copies == 0 || copies < all.len()).then(|| remark.about_fewer((copies, modelled)))
    }

    /// True if the function was changed; an error is invalid code.
    fn run(&mut self, host: &mut PassHost) -> Result<bool, String> {
        let has_stack_saves = host.remove_stack_saves();
        let over_elements = self.run_over_elements(host)?;
        let products = host.fuse_products();
        let roots = host.clear_roots();
        let counters = host.unfold_counters();
        let heads = host.split_off_terminators(is_head);
        let mut written = over_elements + self.inspect_irregular_nests(host)?;
        loop {
            let before = written;
            let mut places = vec![None];
            while let Some(rest) = self.until_written(&*host, places)? {
                host.reload();
                written += 1;
                places = rest;
            }
            if written == before || !std::mem::take(&mut self.has_rejected) {
                break;
            }
        }
        written += self.look_for_extremes(host)?;
        written += self.rewrite_recurrences(host)?;
        self.say_of_elements();
        if written == 0 {
            host.join(heads);
            host.fold_counters(counters);
            host.restore_roots(roots);
            host.restore_products(products);
            let narrowed = self.narrow_integers(host)?;
            self.finish_remarks();
            return Ok(narrowed > 0 || has_stack_saves);
        }
        host.keep_roots(roots);
        host.keep_products(products);
        self.narrow_integers(host)?;
        self.finish_remarks();
        host.context().forget_settled();
        host.clean_up();
        // Of new code, and of the original code behind its check, enough has been said.
        let remarks = std::mem::take(&mut self.remarks);
        self.narrow_integers(host)?;
        self.remarks = remarks;
        enter(Stage::CleanUp, self.options);
        if self.options.verify {
            host.context().function().verify()?;
        }
        Ok(true)
    }

    /// Writes inspectors and executors for loops that depend on themselves through index arrays;
    /// how many. An error is invalid code.
    ///
    /// A loop over sweeps becomes one in which several are executed at once; its original, and
    /// other nests, are run by threads.
    fn inspect_irregular_nests(&mut self, host: &mut PassHost) -> Result<usize, String> {
        let mut written = 0;
        let mut looked_at: HashSet<LLVMBasicBlockRef> = HashSet::new();
        let mut swept: HashSet<LLVMBasicBlockRef> = HashSet::new();
        while self.options.inspectors {
            let cx = host.context();
            let may = |block: BlockRef<'_>| !block.is_settled() && !looked_at.contains(&block.raw());
            let Some(nest) = irregular_nest(cx, &may) else { break };
            let header = nest.outer.header().raw();
            let sweeps = nest.sweeps.as_ref().filter(|_| swept.insert(header)).map(|sweeps| sweeps.around);
            if sweeps.is_none() {
                looked_at.insert(header);
                if !self.options.parallel {
                    continue;
                }
            }
            self.keep(host);
            let mut headers = report::loops_inside(sweeps.unwrap_or(nest.outer));
            let is_last = sweeps.is_none() || !self.options.parallel;
            if !is_last {
                // The others are said something about when threads are asked for.
                let others = report::loops_inside(nest.outer);
                headers.retain(|header| !others.contains(header));
            }
            let remark = match sweeps {
                Some(around) => report::swept(around, headers.len()),
                None if nest.apart.is_some() => report::apart(nest.outer, headers.len()),
                None => report::inspected(nest.outer, headers.len()),
            };
            let before = cx.blocks();
            let options = config::codegen(self.options, &self.config);
            let is_forced = self.options.force || self.options.process_unprofitable;
            let is_written = match sweeps {
                Some(_) => poly_irgen::generate_sweeps(cx, &nest, &options, is_forced),
                None if nest.apart.is_some() => poly_irgen::generate_apart(cx, &nest, &options, is_forced),
                None => poly_irgen::generate_irregular(cx, &nest, &options, is_forced),
            };
            match is_written {
                Ok(false) => continue,
                Err(error) => return Err(error.to_string()),
                Ok(true) => {}
            }
            for block in cx.blocks() {
                if is_last && nest.blocks.contains(&block) || !before.contains(&block) {
                    block.settle(cx);
                }
            }
            let about = headers[0];
            self.written.extend(&headers);
            self.remarks.push(Said { about, is_done: true, modelled: headers.clone(), headers, remark });
            host.reload();
            written += 1;
        }
        Ok(written)
    }

    /// Writes vector code for loops that look for extremes and are left as they are otherwise; how
    /// many. An error is invalid code.
    fn look_for_extremes(&mut self, host: &mut PassHost) -> Result<usize, String> {
        let mut written = 0;
        let mut looked_at: HashSet<LLVMBasicBlockRef> = HashSet::new();
        while self.options.extremes {
            let cx = host.context();
            let may = |block: BlockRef<'_>| !block.is_settled() && !looked_at.contains(&block.raw());
            let Some(found) = extreme_loop(cx, &may) else { break };
            let header = found.inner.header().raw();
            looked_at.insert(header);
            self.keep(host);
            let remark = report::extremes(found.inner, found.extremes.len());
            let options = config::codegen(self.options, &self.config);
            let is_forced = self.options.force || self.options.process_unprofitable;
            if !poly_irgen::generate_extremes(cx, &found, &options, is_forced).map_err(|error| error.to_string())? {
                continue;
            }
            self.written.push(header);
            let headers = vec![header];
            self.remarks.push(Said { about: header, is_done: true, modelled: headers.clone(), headers, remark });
            host.reload();
            written += 1;
        }
        Ok(written)
    }

    /// Headers of loops that are left as they are otherwise, with the kinds of their recurrences
    /// that have another form.
    fn recurrences(&self, cx: PassContext<'_>) -> Vec<(LLVMBasicBlockRef, Vec<Recurrence>)> {
        let mut todo = if self.options.recurrences { cx.top_level_loops() } else { Vec::new() };
        let mut found = Vec::new();
        while let Some(l) = todo.pop() {
            todo.extend(l.subloops());
            let kinds = if l.header().is_settled() { Vec::new() } else { cx.recurrences(l) };
            if !kinds.is_empty() {
                found.push((l.header().raw(), kinds));
            }
        }
        found
    }

    /// Copies the function before it is changed for the first time.
    fn keep(&mut self, host: &PassHost) {
        if self.backup.is_none() {
            self.backup = Some(host.backup().expect("functions that cannot be restored are not admitted"));
        }
    }

    /// Gives recurrences another form in innermost loops that are left as they are otherwise; in
    /// how many. An error is invalid code.
    fn rewrite_recurrences(&mut self, host: &mut PassHost) -> Result<usize, String> {
        let mut written = 0;
        for (header, kinds) in self.recurrences(host.context()) {
            let cx = host.context();
            let block = cx.blocks().into_iter().find(|block| block.raw() == header);
            let Some(l) = block.and_then(|block| cx.loop_for(block)) else { continue };
            let remark = report::recurrences(l, &kinds);
            self.keep(host);
            host.rewrite_recurrences(|block| block.raw() == header);
            host.context().function().verify()?;
            // Loops are not unrolled, nor blocks copied, for the sake of this.
            let headers = vec![header];
            self.remarks.push(Said { about: header, is_done: true, modelled: headers.clone(), headers, remark });
            written += 1;
        }
        Ok(written)
    }

    /// Computes integers of innermost loops in fewer bits, so that vectors have more lanes, but for
    /// those of settled blocks; in how many loops. An error is invalid code.
    fn narrow_integers(&mut self, host: &mut PassHost) -> Result<usize, String> {
        let mut narrowed = 0;
        for bits in [32, 16] {
            for (header, values) in self.narrowings(host.context(), bits) {
                let cx = host.context();
                let block = cx.blocks().into_iter().find(|block| block.raw() == header);
                let Some(l) = block.and_then(|block| cx.loop_for(block)) else { continue };
                let remark = report::narrowed(l, values, bits);
                let remark = if self.is_told(header) { remark.about_fewer((1, 0)) } else { remark };
                self.keep(host);
                host.narrow(|block| block.raw() == header, bits);
                host.context().function().verify()?;
                let headers = vec![header];
                self.remarks.push(Said { about: header, is_done: true, modelled: headers.clone(), headers, remark });
                narrowed += 1;
            }
        }
        Ok(narrowed)
    }

    /// Whether it has been said that something was done for the loop, or no remark is about it.
    fn is_told(&self, header: LLVMBasicBlockRef) -> bool {
        self.copies.contains(&header) || self.remarks.iter().any(|said| said.is_done && said.headers.contains(&header))
    }

    /// Headers of loops without settled blocks, with how many of their integers are computed in so
    /// many bits.
    fn narrowings(&self, cx: PassContext<'_>, bits: u32) -> Vec<(LLVMBasicBlockRef, u32)> {
        let mut todo = if self.options.narrow_integers { cx.top_level_loops() } else { Vec::new() };
        let mut found = Vec::new();
        while let Some(l) = todo.pop() {
            todo.extend(l.subloops());
            let values = if l.header().is_settled() { 0 } else { cx.narrowings(l, bits) };
            if values > 0 {
                found.push((l.header().raw(), values));
            }
        }
        found
    }

    /// Says what was not said while SCoPs were opened, and leaves out what has been said better.
    fn finish_remarks(&mut self) {
        self.say_of_opened();
        self.remarks = without_superseded(std::mem::take(&mut self.remarks), &self.copies);
    }

    /// Works on what is found in the places, the last one first, until code is written: then the
    /// places that are left are given back.
    fn until_written(&mut self, host: &PassHost, places: Vec<Within>) -> Result<Option<Vec<Within>>, String> {
        self.expenses.enter("reading the function", 0);
        let detector = Detector::new(&host.context(), self.options.math_errno);
        self.expenses.leave(0);
        let mut tasks: Vec<Task<'_>> = places.into_iter().map(Task::Blocks).collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Blocks(within) => {
                    let found = self.detect(&detector, host.context(), within);
                    tasks.extend(found.into_iter().rev().map(|found| Task::Found(Box::new(found))));
                }
                Task::Found(found) => {
                    let (scop, bindings) = *found;
                    let own = bindings.blocks.len();
                    let waiting = own + tasks.iter().map(Task::size).sum::<usize>();
                    match self.decide(host, scop, &bindings, (own, waiting))? {
                        Fate::Written => return Ok(Some(tasks.into_iter().map(Task::within).collect())),
                        Fate::Distribute => tasks.push(Task::Blocks(Some(blocks_of(&bindings)))),
                        Fate::Declined => {}
                    }
                }
            }
        }
        Ok(None)
    }

    /// The SCoPs of some blocks.
    fn detect<'c>(
        &mut self,
        detector: &Detector<'c>,
        cx: PassContext<'c>,
        within: Within,
    ) -> Vec<(Scop, Bindings<'c>)> {
        enter(Stage::Detect, self.options);
        self.detection.within = within;
        let mut budget = self.expenses.for_detection();
        self.expenses.enter("detection", 0);
        let mut detection = detector.detect(&self.detection, &mut budget);
        self.expenses.leave(budget.spent());
        self.expenses.pay(&budget);
        tracing::debug!(function = cx.function().name(), scops = detection.scops.len(), "detected");
        self.detection.reasons = std::mem::take(&mut detection.reasons);
        self.has_rejected |= detection.rejections.iter().any(|rejection| !rejection.header.is_settled());
        self.explain_rejections(&detection, cx);
        let is_new = |bindings: &Bindings<'_>| !self.declined.contains(&bindings.entry.raw());
        detection.scops.into_iter().filter(|(_, bindings)| is_new(bindings)).collect()
    }

    /// Plans what to do with a SCoP, and does it. `size` are its blocks and those of all that wait.
    fn decide(
        &mut self,
        host: &PassHost,
        scop: Scop,
        bindings: &Bindings<'_>,
        size: (usize, usize),
    ) -> Result<Fate, String> {
        let nests = scop.loops.iter().filter(|l| l.depth == 0).count();
        let blocks = || bindings.blocks.iter().map(|block| block.raw());
        if !scop.unchecked.is_empty() && std::mem::take(&mut self.detection.with_fills) {
            return Ok(Fate::Distribute);
        }
        // One by one, more of their arrays have bounds that can be checked. The last iterations of
        // an unrolled loop, as a nest behind it, would be in the way of rows for the iterations
        // before. Copies for special cases have nothing to do with each other.
        let is_loose = nests > 1
            && (!scop.unchecked.is_empty() || self.has_rest(&scop, bindings) || self.has_exclusive_nests(&scop));
        if is_loose {
            self.detection.apart.extend(blocks());
            return Ok(Fate::Distribute);
        }
        let said = self.remarks.len();
        let tuned = self.tuned(&scop, host.context());
        if tuned.is_off() {
            self.say(bindings, || report::left_by_profile(tuned.profile(), bindings));
            self.declined.push(bindings.entry.raw());
            return Ok(Fate::Declined);
        }
        Ok(match self.plan(scop, bindings, size, &tuned, host.context()) {
            Some(plan) if self.write(host, &plan, bindings, &tuned)? => Fate::Written,
            _ if self.detection.with_fills => {
                self.remarks.truncate(said);
                self.detection.with_fills = false;
                Fate::Distribute
            }
            _ if nests > 1 && (nests <= MAX_UNPROFITABLE || !self.is_unprofitable) => {
                self.remarks.truncate(said);
                self.detection.apart.extend(blocks());
                Fate::Distribute
            }
            _ if !bindings.subregions.is_empty() || !bindings.error_blocks.is_empty() => {
                self.detection.open.extend(blocks());
                self.opened.push(Opened { blocks: blocks().collect(), remarks: self.remarks.split_off(said) });
                Fate::Distribute
            }
            _ => {
                self.declined.push(bindings.entry.raw());
                Fate::Declined
            }
        })
    }

    /// Whether at most one of the nests of a SCoP is executed.
    fn has_exclusive_nests(&mut self, scop: &Scop) -> bool {
        let mut budget = self.expenses.for_detection();
        let are_exclusive = worker::run(|| are_exclusive(scop, &mut budget));
        self.expenses.pay(&budget);
        matches!(are_exclusive, Ok(Ok(true)))
    }

    /// Whether outermost loops of a SCoP are what unrolling has left behind a loop whose iterations
    /// may hand rows on to each other: in an inner loop, something is updated.
    fn has_rest(&self, scop: &Scop, bindings: &Bindings<'_>) -> bool {
        let is_read = |s: &Statement, array| s.accesses.iter().any(|a| a.kind == AccessKind::Read && a.array == array);
        let updates = |s: &Statement| s.accesses.iter().any(|a| a.kind != AccessKind::Read && is_read(s, a.array));
        let mut outermost = scop.loops.iter().zip(&bindings.loops).filter(|(l, _)| l.depth == 0);
        scop.statements.iter().any(|s| s.loops.len() > 1 && updates(s))
            && outermost.any(|(_, l)| self.copies.contains(&l.header().raw()))
    }

    /// Says why nothing was done for SCoPs that were looked at again in parts: about the parts only
    /// if something was done for one.
    fn say_of_opened(&mut self) {
        for opened in std::mem::take(&mut self.opened) {
            let is_inside = |said: &Said| opened.blocks.contains(&said.about);
            if !self.remarks.iter().any(|said| said.is_done && is_inside(said)) {
                self.remarks.retain(|said| !is_inside(said));
                self.remarks.extend(opened.remarks);
            }
        }
    }

    fn explain_rejections(&mut self, detection: &Detection<'_>, cx: PassContext<'_>) {
        for rejection in &detection.rejections {
            // What became of new loops, and of the original ones beside them, has been said.
            let is_known = rejection.header.is_settled() || self.explained.contains(&rejection.header.raw());
            let is_copy = self.copies.contains(&rejection.header.raw());
            if self.remarks_wanted && !is_known && !is_copy {
                self.explained.push(rejection.header.raw());
                let about = rejection.header.raw();
                let known = self.known.iter().position(|(header, _)| *header == about);
                let remark = match known {
                    Some(position) => self.known.swap_remove(position).1,
                    None => report::rejected(rejection, cx),
                };
                self.remarks.push(Said { about, is_done: false, headers: Vec::new(), modelled: Vec::new(), remark });
            }
        }
    }

    /// The configuration for a SCoP, with the schedule of its file if there is to be one.
    fn exchange(&mut self, scop: &Scop, function: &str, tuned: &Tuned<'_>) -> Result<Config, String> {
        let number = self.looked_at;
        self.looked_at += 1;
        exchange(scop, function, number, tuned.config(), tuned.options())
    }

    /// The options for a SCoP, with what the profile says of it.
    fn tuned(&mut self, scop: &Scop, cx: PassContext<'_>) -> Tuned<'o> {
        let function = cx.function();
        let name = function.name();
        let says = self.all.profile.of_function(&name);
        let fingerprint =
            (says.is_some() || self.options.report.path().is_some()).then(|| poly_scop::fingerprint(scop));
        let words = says.zip(fingerprint).and_then(|(nests, fingerprint)| {
            self.tuned.insert(fingerprint);
            nests.get(&fingerprint)
        });
        let Some(words) = words else {
            return Tuned {
                fingerprint,
                words: None,
                options: Cow::Borrowed(self.options),
                config: self.config.clone(),
            };
        };
        // The words are right, and so was the attribute.
        let own = self.all.of_nest(&name, Some(&Asked::of(function).words), words);
        let options = own.unwrap_or(Cow::Borrowed(self.options));
        let config = config::driver(&options, cx);
        Tuned { fingerprint, words: Some(words), options, config }
    }

    /// What is to be said if the profile knows nests of the function that are not there.
    fn stale(&self, function: &str) -> Option<Remark> {
        let nests = self.all.profile.of_function(function)?;
        let missing = nests.keys().filter(|fingerprint| !self.tuned.contains(fingerprint)).count();
        (missing > 0).then(|| report::stale_profile(self.all.profile.path(), (missing, nests.len())))
    }

    /// What to do with a SCoP.
    fn plan(
        &mut self,
        scop: Scop,
        bindings: &Bindings<'_>,
        size: (usize, usize),
        tuned: &Tuned<'_>,
        cx: PassContext<'_>,
    ) -> Option<Plan> {
        let name = scop.name.clone();
        let (config, options) = (tuned.config(), tuned.options());
        let function = bindings.entry.function().name();
        for &printed in &options.debug_dump {
            let text = worker::run(|| print::of_scop(&scop, printed, print::Details::default(), config));
            print_to_error_stream(&text.unwrap_or_else(|what| format!("internal error at {what}\n")));
        }
        self.is_unprofitable = false;
        let config = match self.exchange(&scop, &function, tuned) {
            Ok(config) => Config {
                rewrite_limit: config.rewrite_limit.map(|limit| limit.saturating_sub(self.rewrites.get())),
                ..config
            },
            Err(what) => {
                self.say(bindings, || report::not_exchanged(&what, bindings));
                return None;
            }
        };
        let nests = scop.loops.iter().filter(|l| l.depth == 0).count();
        let described = options.report.path().map(|_| scop.clone());
        let mut budget =
            self.expenses.for_scop(size, nests, |budget| worth(&scop, Worth::with(options), &config, budget));
        let expenses = &mut self.expenses;
        let planned = worker::run(|| {
            enter(Stage::Plan, options);
            poly_scop::optimize_within(scop, &config, &mut |step, spent| expenses.enter(step, spent), &mut budget)
        });
        self.expenses.leave(budget.spent());
        self.expenses.pay(&budget);
        match planned {
            Ok(Outcome::Optimized(mut plan)) => {
                plan.number_nests(&function, self.nests);
                tracing::debug!(scop = name, report = %plan.report, "planned");
                Some(*plan)
            }
            Ok(Outcome::Unchanged(reason)) => {
                self.is_unprofitable = matches!(reason, Reason::NotProfitable(_));
                tracing::debug!(scop = name, %reason, "unchanged");
                // What cannot be described is only not shown.
                let model = |scop: Scop| worker::run(|| record::unchanged(&scop, &reason, &config)).ok();
                let model = described.and_then(model).map(|(model, simplified)| {
                    let bodies = bodies::of_statements(&simplified.statements, &simplified, bindings, cx);
                    record::with_bodies(model, bodies)
                });
                let remark = || report::unchanged(&reason, bindings).with_scop(model, bindings);
                self.say(bindings, || remark().with_profile(tuned));
                None
            }
            Err(what) => {
                self.failed_plans.push(what.clone());
                self.say(bindings, || report::failed_plan(&what, bindings));
                None
            }
        }
    }

    /// Writes the code of a plan; false if that is not possible and nothing was changed. An error
    /// is invalid code.
    fn write(
        &mut self,
        host: &PassHost,
        plan: &Plan,
        bindings: &Bindings<'_>,
        tuned: &Tuned<'_>,
    ) -> Result<bool, String> {
        let cx = host.context();
        let model = self.options.report.path().map(|_| {
            let statements = &plan.scop.statements[..plan.first_of_buffers.index()];
            let bodies = bodies::of_statements(statements, &plan.scop, bindings, cx);
            record::with_bodies(record::planned(plan, tuned.config()), bodies)
        });
        let remark = report::optimized(plan, bindings).with_scop(model, bindings).with_profile(tuned);
        let remark = remark.with_hints(bindings);
        let headers = report::headers(bindings);
        let details = self.options.remark_details.then(|| report::details(plan, bindings));
        self.keep(host);
        let before = cx.blocks();
        self.expenses.enter("code", 0);
        let written = poly_irgen::generate(cx, plan, bindings, &config::codegen(tuned.options(), tuned.config()));
        self.expenses.leave(0);
        match written {
            Ok(_) => {}
            Err(error) if error.has_changed_function() => return Err(error.to_string()),
            Err(error) => {
                self.say(bindings, || report::not_generated(&error, bindings));
                return Ok(false);
            }
        }
        self.nests += plan.nests.len();
        self.rewrites.set(self.rewrites.get() + plan.report.rewrites.steps.len() as u64);
        enter(Stage::Codegen, self.options);
        for block in cx.blocks() {
            if bindings.blocks.contains(&block) || !before.contains(&block) {
                block.settle(cx);
            }
        }
        let about = bindings.entry.raw();
        let remark = self.about_source(remark, &headers, bindings);
        let modelled = report::modelled(bindings);
        let said = |remark| Said { about, is_done: true, headers: headers.clone(), modelled: modelled.clone(), remark };
        self.remarks.extend(remark.into_iter().chain(details).map(said));
        self.written.extend(&headers);
        if !plan.report.inlined.is_empty() || !plan.report.contracted.is_empty() {
            self.contracted.extend(&headers);
        }
        Ok(true)
    }

    /// Says why nothing was done for a SCoP.
    fn say(&mut self, bindings: &Bindings<'_>, remark: impl FnOnce() -> Remark) {
        if self.remarks_wanted {
            let headers = report::headers(bindings);
            let about = bindings.entry.raw();
            if let Some(remark) = self.about_source(remark(), &headers, bindings) {
                let modelled = report::modelled(bindings);
                self.remarks.push(Said { about, is_done: false, headers, modelled, remark });
            }
        }
    }
}
