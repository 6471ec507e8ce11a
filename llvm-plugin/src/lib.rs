//! `libpoly.so`, the LLVM pass plugin.
//!
//! LLVM calls [`llvmGetPassPluginInfo`] and gets a table of functions; from then on it calls
//! [`pass::Poly`]:
//!
//! * `poly` in a pipeline, or the start of the vectorization passes of `-O2` and `-O3`:
//!   [`pipeline::optimize`];
//! * `print<poly-...>`: [`print::print`].
//!
//! Nothing unwinds into LLVM: a panic leaves the function as it was and becomes a remark
//! ([`panics`]).

mod asked;
mod bodies;
mod config;
mod exchange;
mod exclusive;
mod expenses;
mod gate;
mod log;
mod options;
mod panics;
mod pass;
mod pipeline;
mod print;
mod record;
mod report;
mod said;
mod tuned;
mod unrolled;
mod worker;

use std::ffi::CStr;
use std::panic::catch_unwind;

use poly_shim::plugin::{self, OptionSpec, PluginInfo};

use crate::pass::Poly;

const NAME: &CStr = c"poly";
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("versions contain no zero byte"),
};

/// LLVM's entry point.
// SAFETY: no other library of the process that LLVM asks for this symbol by handle can be meant.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    let start = catch_unwind(|| {
        panics::install();
        log::install();
        plugin::check_host_version()
    });
    match start {
        Ok(Ok(())) => plugin::plugin_info::<Poly>(NAME, VERSION),
        Ok(Err(wrong)) => {
            eprintln!("{wrong}; it does nothing");
            plugin::inert_plugin_info(NAME, VERSION)
        }
        Err(_) => plugin::inert_plugin_info(NAME, VERSION),
    }
}

/// Runs when the library is loaded: the host reads its command line after that, but before it asks
/// for passes.
// SAFETY: a pointer to a function without arguments is what the loader expects in this section.
#[used]
#[unsafe(link_section = ".init_array")]
static REGISTER_OPTIONS: extern "C" fn() = register_options;

extern "C" fn register_options() {
    let registered = catch_unwind(|| {
        if plugin::check_host_version().is_err() {
            return; // said later, by the entry point
        }
        let specs: Vec<OptionSpec> = options::table::TABLE
            .iter()
            .map(|spec| OptionSpec {
                // Options live as long as the process.
                name: Box::leak(format!("{}{}", options::COMMAND_LINE_PREFIX, spec.name).into_boxed_str()),
                help: spec.help,
                value_name: spec.value_name,
                hidden: spec.hidden,
            })
            .collect();
        plugin::register_options::<Poly>(&specs);
    });
    if registered.is_err() {
        eprintln!("poly: internal error while registering options");
    }
}
