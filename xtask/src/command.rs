//! Running other programs: output captured, time limited, and only the lines that matter shown.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::progress::Step;

/// What is kept of one output stream; a program that prints more is cut off.
const OUTPUT_LIMIT: u64 = 256 << 20;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It returned this exit status.
    Exit(i32),
    /// This signal ended it.
    Signal(i32),
    /// It ran past its time limit and was stopped.
    TimeLimit,
}

impl End {
    /// Whether the program succeeded.
    pub(crate) fn success(self) -> bool {
        self == End::Exit(0)
    }

    fn of(status: ExitStatus) -> End {
        match (status.code(), status.signal()) {
            (Some(code), _) => End::Exit(code),
            (None, signal) => End::Signal(signal.unwrap_or(0)),
        }
    }
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Exit(code) => write!(f, "exit status {code}"),
            End::Signal(11) => write!(f, "a crash (segmentation fault)"),
            End::Signal(6) => write!(f, "a crash (abort)"),
            End::Signal(number) => write!(f, "signal {number}"),
            End::TimeLimit => write!(f, "no end within the time limit"),
        }
    }
}

/// What a program printed and how it ended.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) end: End,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl Output {
    /// Standard output and standard error as text, in this order.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", String::from_utf8_lossy(&self.stdout), String::from_utf8_lossy(&self.stderr))
    }

    /// Standard error as text.
    pub(crate) fn error_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// Runs a program to its end, or until `limit` has passed.
pub(crate) fn capture(command: &mut Command, limit: Duration) -> Result<Output> {
    // A group of its own, so that what the program starts (a linker, say) can be stopped with it.
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = start(command)?;
    let (done, ended) = channel();
    let stdout = collect(child.stdout.take().expect("standard output is piped"), done.clone());
    let stderr = collect(child.stderr.take().expect("standard error is piped"), done);

    let deadline = Instant::now() + limit;
    let streams = 2;
    let in_time = (0..streams).all(|_| ended.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok());
    if !in_time {
        stop_group(&mut child);
    }
    let status = child.wait().with_context(|| format!("waiting for {}", shown(command)))?;
    let end = if in_time { End::of(status) } else { End::TimeLimit };
    let stdout = stdout.join().expect("the reader does not panic");
    let stderr = stderr.join().expect("the reader does not panic");
    Ok(Output { end, stdout, stderr })
}

/// Runs a program and hands each line that it prints, on either stream, to `line` as it comes.
pub(crate) fn stream(command: &mut Command, mut line: impl FnMut(&str)) -> Result<End> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = start(command)?;
    let (sender, lines) = channel();
    let stdout = send_lines(child.stdout.take().expect("standard output is piped"), sender.clone());
    let stderr = send_lines(child.stderr.take().expect("standard error is piped"), sender);
    for text in lines {
        line(&text);
    }
    stdout.join().expect("the reader does not panic");
    stderr.join().expect("the reader does not panic");
    Ok(End::of(child.wait().with_context(|| format!("waiting for {}", shown(command)))?))
}

fn start(command: &mut Command) -> Result<Child> {
    command.spawn().with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))
}

fn collect(stream: impl Read + Send + 'static, done: Sender<()>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A stream that breaks off counts as ended; the exit status tells the rest.
        let _ = stream.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
        let _ = done.send(());
        bytes
    })
}

fn send_lines(stream: impl Read + Send + 'static, sender: Sender<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        for bytes in BufReader::new(stream).split(b'\n').map_while(std::io::Result::ok) {
            let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
        }
    })
}

/// Ends a child started by [`capture`] and everything in its process group.
fn stop_group(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("/bin/sh").args(["-c", "kill -s KILL -- \"$0\"", &group]).stderr(Stdio::null()).status();
    let _ = child.kill();
}

/// How a program ended, and all that it printed.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) success: bool,
    pub(crate) log: String,
}

/// Runs a program of a step, which shows the lines that it prints as they come; `line` gets them,
/// too.
pub(crate) fn logged(step: &Step, mut command: Command, mut line: impl FnMut(&str)) -> Result<Finished> {
    let mut log = String::new();
    let end = stream(&mut command, |text| {
        step.note(text);
        line(text);
        log.push_str(text);
        log.push('\n');
    })?;
    Ok(Finished { success: end.success(), log })
}

/// Runs the only program of a step, and ends it.
///
/// # Errors
/// It fails: `failure`, with what it printed.
pub(crate) fn run(step: Step, command: Command, failure: &str) -> Result<()> {
    let finished = logged(&step, command, |_| ())?;
    step.end(if finished.success { "done" } else { "failed" });
    if !finished.success {
        bail!("{failure}:\n{}", excerpt(&finished.log, 20));
    }
    Ok(())
}

/// A command line as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// A word as a shell needs it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The part of a log that says what went wrong: from the first line that names an error, or the
/// end.
pub(crate) fn excerpt(log: &str, lines: usize) -> String {
    let all: Vec<&str> = log.lines().collect();
    let is_error = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("error")
            || line.contains(": error:")
            || line.contains("fatal error")
            || line.starts_with("E: ")
    };
    let from = all.iter().position(is_error).unwrap_or_else(|| all.len().saturating_sub(lines));
    let mut shown: Vec<&str> = all[from..].iter().take(lines).copied().collect();
    if from + shown.len() < all.len() {
        shown.push("...");
    }
    shown.iter().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// Runs `work` on every item, on as many threads as there are cores, and returns the results in
/// order.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(item) = items.get(index) else {
                    return mine;
                };
                mine.push((index, work(item)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|handle| handle.join().expect("the work does not panic")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_stopped() {
        let started = Instant::now();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo begun; sleep 60; echo ended"]);
        let output = capture(&mut command, Duration::from_millis(300)).unwrap();
        assert_eq!(output.end, End::TimeLimit);
        assert_eq!(output.stdout, b"begun\n");
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn exit_status_and_signals_are_told_apart() {
        let run = |script: &str| {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", script]);
            capture(&mut command, Duration::from_secs(20)).unwrap().end
        };
        assert_eq!(run("exit 3"), End::Exit(3));
        assert_eq!(run("kill -11 $$"), End::Signal(11));
    }

    #[test]
    fn an_excerpt_begins_at_the_first_error() {
        let log = "compiling\nwarning: x\nerror: bad\n  --> here\nmore\nmore\nmore";
        assert_eq!(excerpt(log, 2), "    error: bad\n      --> here\n    ...");
        assert_eq!(excerpt("a\nb\nc", 2), "    b\n    c");
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("-O3"), "-O3");
        assert_eq!(quoted("a;b"), "'a;b'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn parallel_results_keep_their_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(in_parallel(&items, |n| n * 2), items.iter().map(|n| n * 2).collect::<Vec<_>>());
    }
}
