//! Running commands, with a limit of time, and stopping them when the person stops this program.
//!
//! A command gets a process group of its own, so that all that it starts can be stopped with it.
//! What it prints goes to files, as a pipe would have to be emptied while it runs.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself; a signal has no status.
    Status(Option<i32>),
    /// It was stopped at its limit.
    Stopped,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) ended: Ended,
    /// From its start to its end.
    pub(crate) time: Duration,
    pub(crate) output: Vec<u8>,
    pub(crate) errors: Vec<u8>,
}

/// The groups of the commands that run.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// What is done when the person has asked to stop.
static WAKE: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// The person has asked to stop.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Runs a command; `folder` is where its output may be kept for a moment.
///
/// # Errors
/// A sentence if it cannot be run, or if this program was asked to stop.
pub(crate) fn run(command: &mut Command, folder: &Path, limit: Option<Duration>) -> Result<Done, String> {
    listen()?;
    let files = [folder.join("output"), folder.join("errors")];
    let open =
        |file: &Path| File::create(file).map_err(|error| format!("{} cannot be written: {error}", file.display()));
    command.stdin(Stdio::null()).stdout(open(&files[0])?).stderr(open(&files[1])?).process_group(0);
    let program = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("{program} cannot be executed: {error}"))?;
    let group = child.id();
    running().insert(group);
    if is_interrupted() {
        stop(group);
    }
    let watch = limit.map(|limit| watch(group, limit));
    let status = child.wait();
    let time = start.elapsed();
    running().remove(&group);
    let is_stopped = watch.is_some_and(|(ended, thread)| {
        // The watch may be over already.
        let _ = ended.send(());
        thread.join().unwrap_or(false)
    });
    if is_interrupted() {
        return Err("stopped; the same command goes on from here".to_owned());
    }
    let status = status.map_err(|error| format!("{program} cannot be waited for: {error}"))?;
    let ended = if is_stopped { Ended::Stopped } else { Ended::Status(status.code()) };
    let read = |file: &Path| fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()));
    Ok(Done { ended, time, output: read(&files[0])?, errors: read(&files[1])? })
}

/// Stops a group when its time is over; the thread says whether it did.
fn watch(group: u32, limit: Duration) -> (mpsc::Sender<()>, thread::JoinHandle<bool>) {
    let (ended, wait) = mpsc::channel();
    let thread = thread::spawn(move || {
        let is_over = wait.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        if is_over {
            stop(group);
        }
        is_over
    });
    (ended, thread)
}

fn stop(group: u32) {
    // It may have ended meanwhile.
    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).stderr(Stdio::null()).status();
}

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    // The set is right after every step.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the person has asked to stop.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}

/// Says what is to be done when the person asks to stop, once.
///
/// # Errors
/// A sentence if signals cannot be caught.
pub(crate) fn when_interrupted(wake: impl Fn() + Send + Sync + 'static) -> Result<(), String> {
    // Only the first one counts.
    let _ = WAKE.set(Box::new(wake));
    listen()
}

/// Stops what runs when the person presses Ctrl-C.
fn listen() -> Result<(), String> {
    static IS_SET: OnceLock<Result<(), String>> = OnceLock::new();
    let set = || {
        let set = ctrlc::set_handler(|| {
            IS_INTERRUPTED.store(true, Ordering::SeqCst);
            running().iter().for_each(|&group| stop(group));
            if let Some(wake) = WAKE.get() {
                wake();
            }
        });
        set.map_err(|error| format!("signals cannot be caught: {error}"))
    };
    IS_SET.get_or_init(set).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("poly-process-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn shell(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    #[test]
    fn what_is_printed_is_kept_apart() {
        let folder = folder("prints");
        let done = run(&mut shell("echo one; echo two >&2; exit 3"), &folder, None).unwrap();
        assert_eq!(done.ended, Ended::Status(Some(3)));
        assert_eq!((done.output.as_slice(), done.errors.as_slice()), (&b"one\n"[..], &b"two\n"[..]));
        let wrong = run(&mut Command::new("no-such-program"), &folder, None).unwrap_err();
        assert!(wrong.starts_with("no-such-program cannot be executed"), "{wrong}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn all_that_a_command_started_is_stopped() {
        let folder = folder("stops");
        let mut command = shell("sleep 1000 & sleep 1000; echo never");
        let done = run(&mut command, &folder, Some(Duration::from_millis(50))).unwrap();
        assert_eq!((done.ended, done.output.len()), (Ended::Stopped, 0));
        fs::remove_dir_all(&folder).unwrap();
    }
}
