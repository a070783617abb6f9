//! The protocol between a server and its worker process. The server sends a setup, and then one statement after the
//! other. The worker answers each statement with its rows, and then with a report that the statement has ended.
//!
//! A frame consists of one byte for its kind, four bytes for the length of its content, and the content. Rows are Arrow
//! IPC streams. All other content is JSON.

use std::io::{self, Read, Write};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::query::user_statement::UserStatement;
use crate::{CutBy, Error, QueryLimits, Stage};

/// The maximum length of a frame to a worker, in bytes. Such a frame contains a statement or the setup.
const MAX_REQUEST_BYTES: u64 = 16 << 20;

/// Returns the maximum length of a frame with rows. The rows have at most `bytes` bytes. A frame is longer than its
/// rows, because it also contains their offsets.
pub(super) fn max_answer_bytes(bytes: usize) -> u64 {
    2 * (bytes as u64) + (1 << 20)
}

/// The kind of a frame's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// JSON. To a worker: first a [`VersionedSetup`], then a [`StatementRequest`] for each statement. From a worker: a
    /// [`Report`].
    Json = b'J',
    /// An Arrow IPC stream from a worker. The first stream contains only the columns. Each further stream contains one
    /// batch.
    Rows = b'R',
}

impl Kind {
    fn from_byte(byte: u8) -> io::Result<Self> {
        let kind = [Self::Json, Self::Rows].into_iter().find(|kind| *kind as u8 == byte);
        kind.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "these bytes are not a worker's frame"))
    }
}

/// A setup with the version of the parent process. The worker can have another version, because the program on disk can
/// be replaced while the parent runs.
#[derive(Debug, Serialize, Deserialize)]
struct VersionedSetup<S> {
    version: String,
    setup: S,
}

/// Serialises a setup for [`Launch::setup`](super::Launch::setup), with the version of this program.
///
/// # Errors
/// Fails if the setup cannot be serialised.
pub fn write_setup(setup: &impl Serialize) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&VersionedSetup { version: env!("CARGO_PKG_VERSION").to_owned(), setup })?)
}

/// Reads the setup of this worker from standard input. Blocks until the setup arrives. If the parent process has
/// another version than this program, returns `Err` with the parent's version inside `Ok`.
///
/// # Errors
/// Fails if standard input ends, or if it doesn't contain a setup.
pub fn read_setup<S: DeserializeOwned>() -> io::Result<Result<S, String>> {
    let frame = Frame::read(&mut io::stdin())?.ok_or(io::ErrorKind::UnexpectedEof)?;
    // The setup of another version can have any structure, so only the version is read at first.
    let VersionedSetup::<Option<IgnoredAny>> { version, .. } = frame.read_json()?;
    if version != env!("CARGO_PKG_VERSION") {
        return Ok(Err(version));
    }
    Ok(Ok(frame.read_json::<VersionedSetup<S>>()?.setup))
}

/// A statement for a worker, with its limits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StatementRequest {
    pub(super) statement: UserStatement,
    /// The limits that the engine of the worker enforces. The process that sends the statement enforces the deadline.
    pub(super) limits: QueryLimits,
    /// The memory limit for the whole worker process, including the rows of the history. The operating system or the
    /// server enforces the limit, and stops a worker that uses more memory.
    pub(super) process_bytes: u64,
}

/// A report from a worker. Rows are sent in separate frames.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// The progress of the statement.
    Progress { stage: Stage, rows: u64 },
    /// There are no more rows.
    End { truncated: Option<CutBy> },
    /// The statement failed.
    Failure(Error),
}

/// A frame.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
}

impl Frame {
    /// Creates a frame with JSON.
    pub(super) fn from_json(value: &impl Serialize) -> io::Result<Self> {
        Ok(Self { kind: Kind::Json, bytes: serde_json::to_vec(value)? })
    }

    /// Creates a frame that reports `error`.
    pub(super) fn from_error(error: Error) -> io::Result<Self> {
        Self::from_json(&Report::Failure(error))
    }

    /// Reads the content of a JSON frame.
    pub(super) fn read_json<'f, T: Deserialize<'f>>(&'f self) -> io::Result<T> {
        Ok(serde_json::from_slice(&self.bytes)?)
    }

    fn head(&self) -> io::Result<[u8; 5]> {
        let [a, b, c, d] = u32::try_from(self.bytes.len()).map_err(|_| too_long_error())?.to_le_bytes();
        Ok([self.kind as u8, a, b, c, d])
    }

    /// Returns the frame as bytes, for a writer that takes all bytes in one call.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        Ok([&self.head()?[..], &self.bytes].concat())
    }

    /// Writes the frame and flushes the output.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.head()?)?;
        out.write_all(&self.bytes)?;
        out.flush()
    }

    /// Waits for the next frame from the parent process, and reads it. Returns `None` if the input has ended.
    pub(super) fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; 5];
        match input.read_exact(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let (kind, length) = parse_head(head, MAX_REQUEST_BYTES)?;
        let mut bytes = Vec::new();
        // The length in the head can be wrong. So memory isn't reserved in advance, and grows only with the bytes that
        // arrive.
        input.take(length).read_to_end(&mut bytes)?;
        complete_frame(kind, bytes, length).map(Some)
    }

    /// Reads a frame of at most `most` bytes from a worker. Returns `None` if the worker has ended. If the future is
    /// dropped early, a part of the frame can stay unread.
    pub(super) async fn read_from(input: &mut (impl AsyncRead + Unpin), most: u64) -> io::Result<Option<Self>> {
        let mut head = [0; 5];
        match input.read_exact(&mut head).await {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        };
        let (kind, length) = parse_head(head, most)?;
        let mut bytes = Vec::new();
        input.take(length).read_to_end(&mut bytes).await?;
        complete_frame(kind, bytes, length).map(Some)
    }
}

fn parse_head([kind, length @ ..]: [u8; 5], most: u64) -> io::Result<(Kind, u64)> {
    let length = u32::from_le_bytes(length).into();
    if length > most { Err(too_long_error()) } else { Ok((Kind::from_byte(kind)?, length)) }
}

/// Returns the frame, or an error if the sender ended before the frame was complete.
fn complete_frame(kind: Kind, bytes: Vec<u8>, length: u64) -> io::Result<Frame> {
    if bytes.len() as u64 == length { Ok(Frame { kind, bytes }) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn too_long_error() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the message is longer than a frame can be")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::codes;

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        let position = Some(Position { line: 2, column: 3 });
        let error = Error::Query { message: "unknown column `x`".to_owned(), position };
        let mut bytes = Frame::from_error(error).unwrap().to_bytes().unwrap();
        Frame { kind: Kind::Rows, bytes: vec![7; 100_000] }.write(&mut bytes).unwrap();
        let mut input = bytes.as_slice();
        let failure = Frame::read(&mut input).unwrap().unwrap();
        let Report::Failure(error) = failure.read_json().unwrap() else { panic!("{failure:?}") };
        assert_eq!((error.code(), error.position()), (codes::QUERY_FAILED, position));
        let rows = Frame::read(&mut input).unwrap().unwrap();
        assert_eq!((rows.kind, rows.bytes.len()), (Kind::Rows, 100_000));
        assert!(Frame::read(&mut input).unwrap().is_none());
    }

    #[test]
    fn incomplete_and_invalid_frames_are_errors() {
        let frame = Frame { kind: Kind::Json, bytes: vec![1; 10] }.to_bytes().unwrap();
        for wrong in [&frame[..9], b"GET / HTTP/1.1", &[b'R', 255, 255, 255, 255, 0]] {
            assert!(Frame::read(&mut &wrong[..]).is_err(), "{wrong:?}");
        }
    }
}
