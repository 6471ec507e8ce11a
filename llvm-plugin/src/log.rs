//! The log: `POLY_LOG=debug` and so on, to the standard error stream, without times.

use tracing_subscriber::EnvFilter;

/// Switches the log on if the environment asks for it.
pub(crate) fn install() {
    if std::env::var_os("POLY_LOG").is_none() {
        return;
    }
    let log = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::from_env("POLY_LOG"))
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .without_time();
    // A second plugin_info call finds the log installed already.
    drop(log.try_init());
}
