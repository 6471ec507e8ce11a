//! `poly-machine`: measures the processor that it runs on and writes its numbers in the form that
//! the option `machine` reads.
//!
//! # Method
//! 1. What the system knows: sizes, ways and sharing of caches, lines, pages ([`system`]).
//! 2. Small kernels, each timed several times, the shortest time taken ([`clock`]): operations and
//!    latencies ([`compute`]), throughput of the levels of memory ([`memory`]).
//! 3. Cycles are those of the core: a chain of additions and rotations, each of which takes one, is
//!    the clock.
//!
//! Numbers that are not measured are not written: they stay those of the processor that a function
//! is compiled for. Nothing else should run meanwhile. It takes some seconds.

mod clock;
mod compute;
mod memory;
mod system;

use std::fmt::Write as _;
use std::process::ExitCode;

use clock::Clock;

/// The lines of a file.
#[derive(Debug, Default)]
struct Lines(String);

impl Lines {
    /// A number that was read or measured.
    fn push(&mut self, name: &str, value: f64) {
        // Measured numbers have two digits that mean something.
        let value = if value.fract() == 0.0 { value.to_string() } else { format!("{value:.2}") };
        self.0.push_str(&format!("{name} = {value}\n"));
    }

    fn comment(&mut self, text: &str) {
        let _ = writeln!(self.0, "# {text}");
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let file = match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (None, ..) => None,
        (Some("-o"), Some(file), None) => Some(file),
        _ => {
            eprintln!("usage: poly-machine [-o FILE]");
            return ExitCode::FAILURE;
        }
    };
    let text = describe();
    let written = match &file {
        Some(file) => std::fs::write(file, &text),
        None => {
            print!("{text}");
            Ok(())
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("{} cannot be written: {wrong}", file.unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}

/// The text of this host.
fn describe() -> String {
    let mut lines = Lines::default();
    let system = system::System::read();
    lines.comment(&format!("Measured by poly-machine on: {}", system.name));
    let clock = Clock::measure();
    system.write(&mut lines);
    lines.push("core.cycles_per_nanosecond", clock.cycles_per_ns);
    compute::write(&clock, &mut lines);
    memory::write(&clock, &system, &mut lines);
    lines.0
}
