//! Errors of copying exports between a folder and object storage.

use std::error;
use std::path::PathBuf;
use std::time::Duration;

use dayledger_core::files;
use dayledger_export as export;

/// The maximum length of a server's message, in characters.
const MAX_MESSAGE_LENGTH: usize = 200;

/// The reason why an export wasn't copied.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The URL isn't a storage URL, or the environment lacks settings for the storage.
    #[error("cannot use `{0}` as storage: {1}")]
    NoStorage(String, String),
    /// The storage server rejected a request, or the connection failed.
    #[error("`{place}` cannot be {what}: {said}")]
    Refused {
        /// The path of the object or folder.
        place: String,
        /// The operation that was rejected, as a participle such as `read`.
        what: &'static str,
        /// The message of the server or the connection, on one line.
        said: String,
    },
    /// The storage server didn't respond in time.
    #[error("`{place}` cannot be {what}: no response for {} s", .waited.as_secs())]
    TimedOut {
        /// The path of the object or folder.
        place: String,
        /// The operation that timed out, as a participle such as `read`.
        what: &'static str,
        /// The time that dayledger waited for a response.
        waited: Duration,
    },
    /// The storage doesn't contain any export.
    #[error("cannot find an export: `{0}` contains no export of a person")]
    NoExports(String),
    /// The objects in storage aren't an export of this person.
    #[error("`{place}` is not an export of `{person}`: {reason}")]
    Foreign {
        /// The folder in storage.
        place: String,
        /// The name of the person.
        person: String,
        /// The reason in words.
        reason: String,
    },
    /// An object is missing or differs from the object that was pushed.
    #[error("`{0}` is damaged: it is missing or differs from its checksum, and no push is running")]
    Damaged(String),
    /// A local file can't be read or written.
    #[error("cannot use `{0}`: it {1}")]
    File(PathBuf, #[source] files::Error),
    /// Another export, push or pull is using the folder.
    #[error("cannot write `{0}`: another export or copy is writing to it")]
    InUse(PathBuf),
    /// The local folder contains files that were not pulled from storage, or that changed after they were pulled.
    #[error("cannot replace `{0}`: it was changed after it was pulled")]
    NotPulled(PathBuf),
    /// The export contains titles, but copying titles isn't allowed.
    #[error("cannot push `{0}`: the export contains titles, notes, URLs and paths")]
    Titles(PathBuf),
    /// An export can't be read.
    #[error(transparent)]
    Export(#[from] export::Error),
}

impl Error {
    /// Returns a hint for the user, on one line.
    pub fn hint(&self) -> String {
        match self {
            Self::NoStorage { .. } => {
                "pass `s3://BUCKET/FOLDER`, and set `AWS_ENDPOINT_URL`, `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`"
            }
            Self::Refused { said, .. } if said.contains("403") || said.contains("401") => {
                "check that `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` belong to a user with this permission"
            }
            Self::Refused { said, .. } if said.contains("404") => {
                "check that the bucket exists, and that `AWS_ENDPOINT_URL` is the address of its server"
            }
            Self::Refused { .. } | Self::TimedOut { .. } => {
                "try again later, or with a longer `--wait`; exports that are already copied are kept"
            }
            Self::NoExports { .. } => "copy one there with `dayledger-fleet push --from DIR --to URL`",
            Self::Foreign { .. } => "push this person's export again with this version of dayledger-fleet",
            Self::Damaged { .. } => "delete the object, and push this person's export again",
            Self::File { .. } => "pass a folder that you can read and write",
            Self::InUse { .. } => "wait until it ends",
            Self::NotPulled { .. } => "pass another folder, because a pull only replaces files of an earlier pull",
            Self::Titles { .. } => "export to another folder without them, or pass `--include-titles`",
            Self::Export(error) => return error.hint(),
        }
        .to_owned()
    }

    /// Whether the storage as a whole is unavailable, so that further requests would fail too.
    pub(super) fn is_storage_unavailable(&self) -> bool {
        match self {
            Self::TimedOut { .. } => true,
            // A storage that rejects access to an object (403), or doesn't contain it (404), can still return other
            // objects.
            Self::Refused { said, .. } => !said.contains("403") && !said.contains("404"),
            _ => false,
        }
    }

    pub(super) fn file(path: impl Into<PathBuf>, source: impl Into<files::Error>) -> Self {
        Self::File(path.into(), source.into())
    }
}

/// Returns the root cause of an error as one line. Control characters are replaced, because a server can send any text.
/// If the text contains an XML document, only the error code of the document is kept.
pub(super) fn cause(error: &object_store::Error) -> String {
    let mut cause: &dyn error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let said = cause.to_string().replace(char::is_control, " ");
    let (line, document) = said.split_once('<').unwrap_or((&said, ""));
    let code = document.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let words: Vec<_> = line.split_whitespace().chain(code.map(|(code, _)| code)).collect();
    words.join(" ").chars().take(MAX_MESSAGE_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_errors_are_shortened_to_one_line() {
        let shortened = |message: &str| cause(&object_store::Error::Generic { store: "S3", source: message.into() });
        let document = "503 Slow Down: <?xml version=\"1.0\"?>\n<Error>\n<Code>SlowDown</Code>\n</Error>";
        assert_eq!(shortened(document), "503 Slow Down: SlowDown");
        assert_eq!(shortened("\u{1b}[31mred\r\nand more"), "[31mred and more");
        assert_eq!(shortened(&"long ".repeat(100)).len(), MAX_MESSAGE_LENGTH);
    }
}
