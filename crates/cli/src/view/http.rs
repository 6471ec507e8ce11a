//! As much of HTTP as a page on this machine needs: one request for each connection.
//!
//! # Who may ask
//! Every page that a browser shows can send requests to this machine, whoever wrote it. So a
//! request is refused if its `Host` is not the address that was printed (a foreign name that
//! resolves to this machine), or if it has an `Origin` other than that.
//!
//! # Invariants
//! A request takes bounded memory and time: headers and body have a largest size, and whoever does
//! not send them in time is left.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Largest size of a request's line and headers.
const MOST_HEADER_BYTES: usize = 16 << 10;

/// Largest size of a body.
pub(super) const MOST_BODY_BYTES: usize = 1 << 20;

/// Most headers of a request.
const MOST_HEADERS: usize = 64;

/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request that may be answered.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

/// What is sent back.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// Its form, such as `text/html`.
    pub(super) form: &'static str,
    pub(super) text: String,
}

impl Answer {
    /// A sentence.
    pub(super) fn plain(status: u16, text: impl Into<String>) -> Answer {
        Answer { status, form: "text/plain", text: text.into() }
    }

    /// A page.
    pub(super) fn page(text: String) -> Answer {
        Answer { status: 200, form: "text/html", text }
    }

    /// Sends it.
    pub(super) fn send(&self, stream: &mut impl Write) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            411 => "Length Required",
            413 => "Content Too Large",
            422 => "Unprocessable Content",
            431 => "Request Header Fields Too Large",
            _ => "Service Unavailable",
        };
        // Nothing is loaded from anywhere, and nobody puts the page into another one.
        let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        write!(
            stream,
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\n\
             Content-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n",
            self.status,
            self.form,
            self.text.len()
        )?;
        stream.write_all(self.text.as_bytes())?;
        stream.flush()
    }
}

/// What is known when the headers are there.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    method: String,
    path: String,
    /// Bytes of line and headers, and of the body.
    bytes: (usize, usize),
}

/// Reads a request; the error is what to answer.
pub(super) fn read(stream: &mut TcpStream, port: u16) -> Result<Request, Answer> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(head) = head(&bytes, port)? {
            break head;
        }
        if bytes.len() > MOST_HEADER_BYTES {
            return Err(Answer::plain(431, "the headers are too large"));
        }
        more(stream, &mut bytes, end)?;
    };
    let (start, length) = head.bytes;
    while bytes.len() < start + length {
        more(stream, &mut bytes, end)?;
    }
    let body = bytes[start..start + length].to_vec();
    Ok(Request { method: head.method, path: head.path, body })
}

/// Reads what has arrived.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, end: Instant) -> Result<(), Answer> {
    let late = || Answer::plain(408, "the request did not arrive in time");
    let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or_else(late)?;
    let mut buffer = [0; 8 << 10];
    let count = stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut buffer)).map_err(|_| late())?;
    if count == 0 {
        return Err(Answer::plain(400, "the request is not complete"));
    }
    bytes.extend_from_slice(&buffer[..count]);
    Ok(())
}

/// The head of a request, if it is complete and may be answered.
fn head(bytes: &[u8], port: u16) -> Result<Option<Head>, Answer> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let start = match request.parse(bytes) {
        Ok(httparse::Status::Complete(start)) => start,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(Answer::plain(400, format!("this is no request: {error}"))),
    };
    if start > MOST_HEADER_BYTES {
        return Err(Answer::plain(431, "the headers are too large"));
    }
    let values = |name: &str| -> Vec<&[u8]> {
        request
            .headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case(name))
            .map(|header| header.value)
            .collect()
    };
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_own = |value: &[u8]| own.iter().any(|own| own.as_bytes() == value);
    let is_own_origin = |value: &[u8]| value.strip_prefix(b"http://").is_some_and(is_own);
    let hosts = values("host");
    if hosts.len() != 1 || !is_own(hosts[0]) {
        return Err(Answer::plain(403, "the request is for another host"));
    }
    if !values("origin").into_iter().all(is_own_origin) {
        return Err(Answer::plain(403, "the request is from another page"));
    }
    if !values("transfer-encoding").is_empty() {
        return Err(Answer::plain(411, "the body needs a length"));
    }
    let lengths = values("content-length");
    let length = match lengths.as_slice() {
        [] => Some(0),
        [one] => {
            std::str::from_utf8(one).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit())).and_then(|text| {
                // A number too large for the machine is too large.
                if text.is_empty() { None } else { Some(text.parse::<usize>().unwrap_or(usize::MAX)) }
            })
        }
        _ => None,
    };
    let length = length.ok_or_else(|| Answer::plain(400, "the length of the body is no number"))?;
    if length > MOST_BODY_BYTES {
        return Err(Answer::plain(413, format!("the program is longer than {MOST_BODY_BYTES} bytes")));
    }
    let text = |part: Option<&str>| part.unwrap_or_default().to_owned();
    Ok(Some(Head { method: text(request.method), path: text(request.path), bytes: (start, length) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(text: &str) -> Result<Option<Head>, u16> {
        head(text.as_bytes(), 80).map_err(|answer| answer.status)
    }

    #[test]
    fn requests_of_the_own_page_are_read() {
        let text = "POST /explain HTTP/1.1\r\nHost: 127.0.0.1:80\r\nOrigin: http://127.0.0.1:80\r\nContent-Length: 3\r\n\r\nabc";
        let head = Head { method: "POST".to_owned(), path: "/explain".to_owned(), bytes: (text.len() - 3, 3) };
        assert_eq!(status(text), Ok(Some(head)));
        assert_eq!(status(&text[..40]), Ok(None));
        assert!(matches!(status("GET / HTTP/1.1\r\nHost: localhost:80\r\n\r\n"), Ok(Some(_))));
    }

    #[test]
    fn other_requests_are_refused() {
        for (headers, refused) in [
            ("", 403),
            ("Host: example.org\r\n", 403),
            ("Host: 127.0.0.1\r\n", 403),
            ("Host: 127.0.0.1:8080\r\n", 403),
            ("Host: 127.0.0.1:80\r\nHost: example.org\r\n", 403),
            ("Host: 127.0.0.1:80\r\nOrigin: http://example.org\r\n", 403),
            ("Host: 127.0.0.1:80\r\nOrigin: null\r\n", 403),
            ("Host: 127.0.0.1:80\r\nOrigin: https://127.0.0.1:80\r\n", 403),
            ("Host: 127.0.0.1:80\r\nTransfer-Encoding: chunked\r\n", 411),
            ("Host: 127.0.0.1:80\r\nContent-Length: -1\r\n", 400),
            ("Host: 127.0.0.1:80\r\nContent-Length: 1\r\nContent-Length: 2\r\n", 400),
            ("Host: 127.0.0.1:80\r\nContent-Length: 1048577\r\n", 413),
            ("Host: 127.0.0.1:80\r\nContent-Length: 99999999999999999999999\r\n", 413),
        ] {
            assert_eq!(status(&format!("POST /explain HTTP/1.1\r\n{headers}\r\n")), Err(refused), "{headers}");
        }
        assert_eq!(status("nonsense\r\n\r\n"), Err(400));
    }

    #[test]
    fn answers_say_how_long_they_are() {
        let mut sent = Vec::new();
        Answer::plain(404, "né").send(&mut sent).unwrap();
        let sent = String::from_utf8(sent).unwrap();
        assert!(sent.starts_with("HTTP/1.1 404 Not Found\r\n") && sent.contains("Content-Length: 3\r\n"), "{sent}");
        assert!(sent.ends_with("\r\n\r\nné"));
    }
}
