//! Contained panics: what is said about them.
//!
//! The hook keeps the standard error stream quiet and remembers message and place for the remark.
//! It belongs to this library alone: the standard library is linked statically.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs the hook.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| panic::set_hook(Box::new(remember)));
}

fn remember(info: &PanicHookInfo<'_>) {
    let place = info.location().map(|location| format!("{}:{}", shown_path(location.file()), location.line()));
    tracing::error!(place, "panic: {}", message(info.payload()));
    tracing::debug!("{}", Backtrace::force_capture());
    PLACE.set(place);
}

/// Paths inside of the project as they are, others without their folders.
fn shown_path(path: &str) -> &str {
    let own = path.starts_with("crates/") || path.starts_with("llvm-plugin/");
    if own { path } else { path.rsplit('/').next().unwrap_or(path) }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Message and place of the panic that was just caught.
pub(crate) fn describe(payload: &(dyn Any + Send)) -> String {
    match PLACE.take() {
        Some(place) => format!("{place}: {}", message(payload)),
        None => message(payload).to_owned(),
    }
}
