//! `poly view FILE`: a program in an editor, and beside it the page of `poly report`, made anew as
//! one types.
//!
//! # Method
//! 1. A server listens on the loopback address and prints where; [`http`] reads requests and
//!    refuses those of other pages.
//! 2. `GET /` is the editor ([`page`]); it sends what is written in it with `POST /explain` when
//!    nobody has typed for a moment.
//! 3. The text is written to a folder for temporary files, compiled as `poly report` does, and the
//!    page is sent back; or what the compiler said.
//!
//! # Invariants
//! The file itself is only read. Requests, the time of a compilation, and the numbers of
//! compilations and connections at a time are bounded. Nothing is loaded from a network. After
//! Ctrl-C nothing is left, neither processes nor files.

mod http;
mod page;

use std::fs;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::inspect::compile::{self, Failure, Scratch};
use crate::inspect::{Input, compile::functions_by};
use crate::process::{self, Ended};
use crate::report;
use http::{Answer, MOST_BODY_BYTES, Request};

const EXAMPLES: &str = "Examples:
  poly view kernel.c
  poly view kernel.cpp --port 8080 -- -O2 -march=native --poly-parallel
then open the address that is printed in a browser; Ctrl-C ends it.";

/// Most compilations at a time.
const MOST_COMPILATIONS: usize = 2;

/// Most connections at a time.
const MOST_CONNECTIONS: usize = 32;

/// How long a compilation may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long an answer may take to be sent.
const SENDING: Duration = Duration::from_secs(10);

/// Options of `poly view`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    input: Input,
    /// The port to listen on; 0 is one that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
}

/// Runs `poly view`.
pub(crate) fn main(options: &Options) -> ExitCode {
    match serve(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("error: {what}");
            ExitCode::FAILURE
        }
    }
}

/// What all connections share.
struct Server {
    input: Input,
    /// The page with the editor.
    editor: String,
    port: u16,
    compilations: AtomicUsize,
    connections: AtomicUsize,
}

/// One of a limited number, given back in the end.
struct Place<'c>(&'c AtomicUsize);

impl<'c> Place<'c> {
    fn take(count: &'c AtomicUsize, most: usize) -> Option<Place<'c>> {
        let more = |taken: usize| (taken < most).then_some(taken + 1);
        count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok().map(|_| Place(count))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn serve(options: &Options) -> Result<(), String> {
    let file = &options.input.file;
    let shown = file.display();
    if !compile::is_program(file) {
        return Err(format!(
            "{shown}: its name does not end as those of C (.c), C++ (.cpp), Fortran (.f90) or LLVM IR (.ll) do"
        ));
    }
    let source = fs::read_to_string(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    if source.len() > MOST_BODY_BYTES {
        return Err(format!("{shown} is longer than {MOST_BODY_BYTES} bytes"));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
        .map_err(|error| format!("port {} cannot be used: {error}; --port=0 takes one that is free", options.port))?;
    let port = listener.local_addr().map_err(|error| format!("the port is not known: {error}"))?.port();
    // Whoever waits for a connection gets one.
    process::when_interrupted(move || drop(TcpStream::connect((Ipv4Addr::LOCALHOST, port))))?;
    let server = Arc::new(Server {
        input: options.input.clone(),
        editor: page::editor(&options.input, &source),
        port,
        compilations: AtomicUsize::new(0),
        connections: AtomicUsize::new(0),
    });
    println!("http://127.0.0.1:{port}/ shows {shown}; Ctrl-C ends it");
    for stream in listener.incoming() {
        if process::is_interrupted() {
            break;
        }
        // A connection that failed is nobody's.
        let Ok(mut stream) = stream else { continue };
        let server = Arc::clone(&server);
        thread::spawn(move || server.answer(&mut stream));
    }
    // Compilers have been stopped; their temporary files are removed. Who waits for a request waits
    // in vain.
    while server.compilations.load(Ordering::SeqCst) > 0 {
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

impl Server {
    /// Answers the request of a connection.
    fn answer(&self, stream: &mut TcpStream) {
        let answer = match Place::take(&self.connections, MOST_CONNECTIONS) {
            None => Answer::plain(503, "there are too many connections"),
            Some(_place) => match http::read(stream, self.port) {
                Ok(request) => self.respond(&request),
                Err(refusal) => refusal,
            },
        };
        // Whoever does not listen misses the answer.
        let _ = stream.set_write_timeout(Some(SENDING)).and_then(|()| answer.send(stream));
        let _ = stream.shutdown(Shutdown::Both);
    }

    fn respond(&self, request: &Request) -> Answer {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => Answer::page(self.editor.clone()),
            ("POST", "/explain") => match String::from_utf8(request.body.clone()) {
                Ok(source) => self.explain(&source),
                Err(_) => Answer::plain(400, "the program is no text in UTF-8"),
            },
            (_, "/" | "/explain") => Answer::plain(405, "this is not how it is asked"),
            _ => Answer::plain(404, "there is no such page"),
        }
    }

    /// The page about a program, or what is wrong with it.
    fn explain(&self, source: &str) -> Answer {
        let Some(_place) = Place::take(&self.compilations, MOST_COMPILATIONS) else {
            return Answer::plain(503, "other programs are being compiled");
        };
        match explain(&self.input, source) {
            Ok(page) => Answer::page(page),
            Err(Failure::Request(what)) => Answer::plain(422, format!("error: {what}")),
            Err(Failure::Compiler(said)) => Answer::plain(422, said.trim_end().to_owned()),
        }
    }
}

/// Compiles a text in place of the file, and makes the page.
fn explain(input: &Input, source: &str) -> Result<String, Failure> {
    let scratch = Scratch::new()?;
    let request = |error: std::io::Error| Failure::Request(format!("the program cannot be written: {error}"));
    let name = input.file.file_name().ok_or_else(|| Failure::Request("the program has no name".to_owned()))?;
    let file = scratch.path().join(name);
    fs::write(&file, source).map_err(request)?;
    let mut flags = input.flags.clone();
    let is_ir = input.file.extension().is_some_and(|extension| extension == "ll" || extension == "bc");
    if !is_ir {
        // Files that it includes lie beside the original.
        let folder = std::path::absolute(&input.file).map_err(request)?;
        let mut flag = std::ffi::OsString::from("-I");
        flag.push(folder.parent().unwrap_or(Path::new("/")));
        flags.push(flag);
    }
    let compiled = Input { file, flags };
    let functions = functions_by(&compiled, run_within).map_err(|failure| match failure {
        // People know the file, not where it was written to.
        Failure::Compiler(said) => Failure::Compiler(said.replace(&format!("{}/", scratch.path().display()), "")),
        other => other,
    })?;
    let page = report::page(&Input { flags: input.flags.clone(), ..compiled }, &functions);
    // As in messages; compilers leave out of a folder's name what it has in common with the one
    // that they run in.
    let full = format!("{}/", scratch.path().display());
    let starts = full.match_indices('/').map(|(at, _)| at + 1).filter(|&start| start < full.len());
    let names = std::iter::once(0).chain(starts).map(|start| &full[start..]);
    Ok(names.fold(page, |page, name| page.replace(name, "")))
}

/// Runs a compiler, not longer than it may.
fn run_within(command: &mut Command, folder: &Path) -> Result<(), Failure> {
    let done = process::run(command, folder, Some(PATIENCE)).map_err(Failure::Request)?;
    match done.ended {
        Ended::Status(Some(0)) => Ok(()),
        Ended::Status(_) => Err(Failure::Compiler(String::from_utf8_lossy(&done.errors).into_owned())),
        Ended::Stopped => Err(Failure::Request(format!("compiling took longer than {} seconds", PATIENCE.as_secs()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_limited_and_given_back() {
        let count = AtomicUsize::new(0);
        let first = Place::take(&count, 1);
        assert!(first.is_some() && Place::take(&count, 1).is_none());
        drop(first);
        assert!(Place::take(&count, 1).is_some());
    }
}
