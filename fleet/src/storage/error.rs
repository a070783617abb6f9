//! What can go wrong between a folder and object storage.

use std::error;
use std::path::PathBuf;
use std::time::Duration;

use dayledger::export;
use dayledger::files;

/// How much of what a server says is told.
const MAX_MESSAGE_LENGTH: usize = 200;

/// Why nothing, or no more, was copied.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address names no storage, or the environment does not say how to use it.
    #[error("cannot use `{0}` as storage: {1}")]
    NoStorage(String, String),
    /// Storage does not do what it is asked for.
    #[error("`{place}` cannot be {what}: {said}")]
    Refused {
        /// The object, or the folder.
        place: String,
        /// What was to be done with it.
        what: &'static str,
        /// What the server or the connection says, in one line.
        said: String,
    },
    /// Storage says nothing.
    #[error("`{place}` cannot be {what}: no response for {} s", .waited.as_secs())]
    TimedOut {
        /// The object, or the folder.
        place: String,
        /// What was to be done with it.
        what: &'static str,
        /// For how long it was waited.
        waited: Duration,
    },
    /// There is no person's export.
    #[error("cannot find an export: `{0}` contains no export of a person")]
    NoExports(String),
    /// What is in storage is no export of the person.
    #[error("`{place}` is not an export of `{person}`: {reason}")]
    Foreign {
        /// The folder.
        place: String,
        /// Whose it ought to be.
        person: String,
        /// What is wrong.
        reason: String,
    },
    /// An object is missing, or is not the one that was pushed.
    #[error("`{0}` is damaged: it is missing or differs from its checksum, and no push is running")]
    Damaged(String),
    /// A file cannot be read or written here.
    #[error("cannot use `{0}`: it {1}")]
    File(PathBuf, #[source] files::Error),
    /// An export or another copy writes into the folder at this moment.
    #[error("cannot write `{0}`: another export or copy is writing to it")]
    InUse(PathBuf),
    /// The folder holds what was not brought there from storage.
    #[error("cannot replace `{0}`: it was changed after it was pulled")]
    NotPulled(PathBuf),
    /// The export tells titles, and nobody said that they may leave.
    #[error("cannot push `{0}`: the export contains titles, notes, URLs and paths")]
    Titles(PathBuf),
    /// An export cannot be read.
    #[error(transparent)]
    Export(#[from] export::Error),
}

impl Error {
    /// What the user can do, in one line.
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
            Self::NotPulled { .. } => "pass another folder, because a pull replaces only what an earlier pull wrote",
            Self::Titles { .. } => "export to another folder without them, or pass `--include-titles`",
            Self::Export(error) => return error.hint(),
        }
        .to_owned()
    }

    /// Whether storage answers nothing at all any more, so that asking it for something else is of no use.
    pub(super) fn is_storage_unavailable(&self) -> bool {
        match self {
            Self::TimedOut { .. } => true,
            Self::Refused { said, .. } => !said.contains("403") && !said.contains("404"),
            _ => false,
        }
    }

    pub(super) fn file(path: impl Into<PathBuf>, source: impl Into<files::Error>) -> Self {
        Self::File(path.into(), source.into())
    }
}

/// What an error comes from, in one line of plain signs: servers say what they like. Of a document, its code.
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
        let told = |said: &str| cause(&object_store::Error::Generic { store: "S3", source: said.into() });
        let document = "503 Slow Down: <?xml version=\"1.0\"?>\n<Error>\n<Code>SlowDown</Code>\n</Error>";
        assert_eq!(told(document), "503 Slow Down: SlowDown");
        assert_eq!(told("\u{1b}[31mred\r\nand more"), "[31mred and more");
        assert_eq!(told(&"long ".repeat(100)).len(), MAX_MESSAGE_LENGTH);
    }
}
