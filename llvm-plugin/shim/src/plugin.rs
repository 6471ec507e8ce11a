//! Registration with LLVM: the pass, its place in the pipeline, its options.
//!
//! The user of this module implements [`Plugin`]; every method may panic, nothing unwinds into
//! LLVM.

use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use inkwell::llvm_sys::core::LLVMGetVersion;

use crate::ffi::{RawContext, RawOption, RawPluginTable, Text, TextSink};
use crate::{PassHost, sinks};

/// The major version of LLVM that this library was built for.
pub const LLVM_MAJOR: u32 = match u32::from_str_radix(env!("POLY_LLVM_MAJOR"), 10) {
    Ok(major) => major,
    Err(_) => panic!("the build script sets a number"),
};

/// LLVM's `PassPluginLibraryInfo`. It is returned by value, so its size must be that of the host's
/// LLVM.
#[repr(C)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: Option<unsafe extern "C" fn(*mut c_void)>,
    #[cfg(llvm_has_codegen_hook)]
    before_codegen: Option<unsafe extern "C" fn()>,
}

const _: () = assert!(size_of::<PluginInfo>() == if LLVM_MAJOR < 22 { 32 } else { 40 });

impl fmt::Debug for PluginInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PluginInfo").field("api_version", &self.api_version).finish_non_exhaustive()
    }
}

/// What a text in a pass pipeline is to us.
#[derive(Debug)]
pub enum Parsed<P> {
    /// Not one of our passes, or wrong (and reported).
    No,
    /// A pass that optimizes: LLVM skips it where nothing may be optimized.
    Optimization(P),
    /// A pass that prints: never skipped.
    Printer(P),
}

/// The behaviour of the plugin.
pub trait Plugin {
    /// A configured pass.
    type Pass;

    /// Reads one element of a pipeline: `poly<tile>`.
    fn parse_pass(text: &str) -> Parsed<Self::Pass>;

    /// The pass to run at VectorizerStart with `-O<speed_level>`; never called for -Os and -Oz.
    fn pipeline_pass(speed_level: u32) -> Option<Self::Pass>;

    /// Runs the pass; true if the function was changed (or functions were added to the module).
    fn run(pass: &Self::Pass, host: &mut PassHost) -> bool;

    /// What to do when `run` panicked: report it.
    fn panicked(pass: &Self::Pass, host: &mut PassHost, payload: &(dyn std::any::Any + Send));

    /// Whether functions without loops are worth a call.
    fn wants_functions_without_loops(pass: &Self::Pass) -> bool;

    /// The pass as it is written in a pipeline.
    fn print_pipeline(pass: &Self::Pass) -> String;

    /// What is wrong with the value of a command line option, if anything.
    fn validate_option(name: &str, value: &str) -> Option<String>;
}

/// A command line option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name: `poly-tile`.
    pub name: &'static str,
    /// Its help.
    pub help: &'static str,
    /// What its value is called in the help; `None` for switches.
    pub value_name: Option<&'static str>,
    /// Not shown in the help.
    pub hidden: bool,
}

/// Why the plugin cannot be used by this host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongVersion {
    /// The host's major version of LLVM.
    pub host: u32,
}

impl fmt::Display for WrongVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "poly: this plugin was built for LLVM {LLVM_MAJOR}, the program that loads it is LLVM {}", self.host)
    }
}

/// Whether the host has the LLVM that this library was built for.
pub fn check_host_version() -> Result<(), WrongVersion> {
    let (mut host, mut minor, mut patch) = (0, 0, 0);
    llvm!(LLVMGetVersion(&raw mut host, &raw mut minor, &raw mut patch));
    if host == LLVM_MAJOR { Ok(()) } else { Err(WrongVersion { host }) }
}

/// What `llvmGetPassPluginInfo` returns.
pub fn plugin_info<P: Plugin>(name: &'static CStr, version: &'static CStr) -> PluginInfo {
    let table = RawPluginTable {
        parse_pass: parse_pass::<P>,
        pipeline_pass: pipeline_pass::<P>,
        run: run::<P>,
        wants_functions_without_loops: wants_functions_without_loops::<P>,
        print_pipeline: print_pipeline::<P>,
        drop_pass: drop_pass::<P>,
    };
    let mut info = PluginInfo {
        api_version: 0,
        name: name.as_ptr(),
        version: version.as_ptr(),
        register: None,
        #[cfg(llvm_has_codegen_hook)]
        before_codegen: None,
    };
    shim!(poly_plugin_info((&raw mut info).cast(), &raw const table, name.as_ptr(), version.as_ptr()));
    info
}

/// A plugin that does nothing, for a host of another version.
pub fn inert_plugin_info(name: &'static CStr, version: &'static CStr) -> PluginInfo {
    unsafe extern "C" fn register_nothing(_pass_builder: *mut c_void) {}
    PluginInfo {
        api_version: if LLVM_MAJOR < 22 { 1 } else { 2 },
        name: name.as_ptr(),
        version: version.as_ptr(),
        register: Some(register_nothing),
        #[cfg(llvm_has_codegen_hook)]
        before_codegen: None,
    }
}

/// Adds options to the host's command line. To be called while the library is being loaded.
pub fn register_options<P: Plugin>(options: &[OptionSpec]) {
    let raw: Vec<RawOption> = options
        .iter()
        .map(|option| RawOption {
            name: option.name.into(),
            help: option.help.into(),
            value_name: option.value_name.unwrap_or("true|false").into(),
            value_required: option.value_name.is_some(),
            hidden: option.hidden,
        })
        .collect();
    shim!(poly_register_options(raw.as_ptr(), raw.len(), validate_option::<P>));
}

/// The value that the command line gives to the option with this number; an empty text for a bare
/// switch.
pub fn option_value(number: usize) -> Option<String> {
    let (given, value) = sinks::text(|sink, into| shim!(poly_option_value(number, sink, into)));
    given.then_some(value)
}

// --- The functions of the table
// ---------------------------------------------------------------------------------------------

/// # Safety
/// The text is alive.
unsafe fn read(text: Text) -> String {
    if text.length == 0 {
        return String::new();
    }
    // SAFETY: the shim passes a text of this length.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs what must not unwind into C++.
fn contained<R>(otherwise: R, work: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// # Safety
/// `pass` is a handle that `hand_over` made and that was not dropped.
unsafe fn pass_of<'p, P: Plugin>(pass: *mut c_void) -> &'p P::Pass {
    // SAFETY: the caller's promise.
    unsafe { &*pass.cast::<P::Pass>() }
}

fn hand_over<T>(pass: T) -> *mut c_void {
    Box::into_raw(Box::new(pass)).cast()
}

unsafe extern "C" fn parse_pass<P: Plugin>(text: Text, pass: *mut *mut c_void) -> u32 {
    // SAFETY: the shim passes a text and a place for the handle.
    let (text, pass) = unsafe { (read(text), &mut *pass) };
    match contained(Parsed::No, || P::parse_pass(&text)) {
        Parsed::No => 0,
        Parsed::Optimization(parsed) => {
            *pass = hand_over(parsed);
            1
        }
        Parsed::Printer(parsed) => {
            *pass = hand_over(parsed);
            2
        }
    }
}

unsafe extern "C" fn pipeline_pass<P: Plugin>(speed_level: u32) -> *mut c_void {
    contained(None, || P::pipeline_pass(speed_level)).map_or(std::ptr::null_mut(), hand_over)
}

unsafe extern "C" fn run<P: Plugin>(pass: *mut c_void, context: *mut RawContext) -> bool {
    let call = HostCall { pass, context };
    let work = move || {
        let HostCall { pass, context } = { call };
        // SAFETY: the shim passes a live handle and a live context.
        let (pass, mut host) = unsafe { (pass_of::<P>(pass), PassHost::new(context)) };
        match catch_unwind(AssertUnwindSafe(|| P::run(pass, &mut host))) {
            Ok(changed) => changed,
            Err(payload) => {
                contained((), || P::panicked(pass, &mut host, payload.as_ref()));
                true
            }
        }
    };
    let started = thread::scope(|scope| {
        let builder = thread::Builder::new().name("poly".to_owned()).stack_size(STACK_BYTES);
        let worker = builder.spawn_scoped(scope, work)?;
        Ok::<_, std::io::Error>(worker.join().unwrap_or(true))
    });
    started.unwrap_or_else(|error| {
        // SAFETY: as above; nobody has used them.
        let (pass, mut host) = unsafe { (pass_of::<P>(pass), PassHost::new(context)) };
        let what = format!("there is no thread for Poly: {error}");
        contained((), || P::panicked(pass, &mut host, &what));
        false
    })
}

/// Address space for the stack of a run; only what is used becomes memory.
///
/// The host may call from a thread with a small stack (ThinLTO, rustc), and the depth of nests,
/// expressions and trees is the user's. While Poly runs on a thread of its own the host's thread
/// waits.
const STACK_BYTES: usize = 64 << 20;

/// What the host calls a pass with.
#[derive(Clone, Copy)]
struct HostCall {
    pass: *mut c_void,
    context: *mut RawContext,
}

// SAFETY: one thread at a time uses them: the one that has them waits until the other one has
// ended.
unsafe impl Send for HostCall {}

unsafe extern "C" fn wants_functions_without_loops<P: Plugin>(pass: *mut c_void) -> bool {
    // SAFETY: the shim passes a live handle.
    let pass = unsafe { pass_of::<P>(pass) };
    contained(false, || P::wants_functions_without_loops(pass))
}

unsafe extern "C" fn print_pipeline<P: Plugin>(pass: *mut c_void, sink: TextSink, into: *mut c_void) {
    // SAFETY: the shim passes a live handle.
    let pass = unsafe { pass_of::<P>(pass) };
    let text = contained(String::new(), || P::print_pipeline(pass));
    // SAFETY: the sink copies the text.
    unsafe { sink(into, text.as_ptr().cast(), text.len()) }
}

unsafe extern "C" fn drop_pass<P: Plugin>(pass: *mut c_void) {
    // SAFETY: the handle comes from `hand_over`, and the shim drops it once.
    let pass = unsafe { Box::from_raw(pass.cast::<P::Pass>()) };
    contained((), || drop(pass));
}

unsafe extern "C" fn validate_option<P: Plugin>(name: Text, value: Text, sink: TextSink, into: *mut c_void) {
    // SAFETY: the shim passes two texts.
    let (name, value) = unsafe { (read(name), read(value)) };
    if let Some(wrong) = contained(None, || P::validate_option(&name, &value)) {
        // SAFETY: the sink copies the text.
        unsafe { sink(into, wrong.as_ptr().cast(), wrong.len()) }
    }
}
