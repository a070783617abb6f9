//! The file `checksums.json`, which lists the files of a person's export with their checksums.

use std::collections::BTreeMap;
use std::fmt::Write;

use dayledger_export::is_file_of_export;
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};

/// The name of the object in storage, and of the file in a pulled folder.
pub(super) const CHECKSUMS: &str = "checksums.json";
/// The maximum size of `checksums.json` in bytes. This size is enough for an export of several centuries.
pub(super) const MAX_BYTES: u64 = 16 << 20;
/// The version of the format. Files with another version are rejected.
const VERSION: u32 = 1;

/// The content of `checksums.json`: the files of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Checksums {
    version: u32,
    pub(super) files: BTreeMap<FileName, Entry>,
}

/// The checksum of a file, and the properties of the uploaded object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) sha256: Checksum,
    pub(super) object: Object,
}

/// The properties of an object in storage. They change if the object is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Object {
    pub(super) bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) etag: Option<String>,
}

/// A file's path relative to the folder of an export, with `/` as separator. Anyone with write access to storage can
/// choose names. So only the names of files in exports are accepted. Such a name can't lead out of the folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct FileName(String);

/// The SHA-256 of a file, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Checksum(String);

/// The error for a text that isn't the name of a file of an export.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("it contains a name that is not a file of an export")]
pub(super) struct InvalidFileName;

impl Checksums {
    pub(super) fn new(files: BTreeMap<FileName, Entry>) -> Self {
        Self { version: VERSION, files }
    }

    /// Parses the content of `checksums.json`.
    ///
    /// # Errors
    /// The reason why the content is invalid, in words.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let read: Self = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if read.version == VERSION { Ok(read) } else { Err(format!("it has version {}, not {VERSION}", read.version)) }
    }
}

impl FileName {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for FileName {
    type Error = InvalidFileName;

    fn try_from(name: String) -> Result<Self, InvalidFileName> {
        if is_file_of_export(&name) { Ok(Self(name)) } else { Err(InvalidFileName) }
    }
}

impl From<FileName> for String {
    fn from(name: FileName) -> Self {
        name.0
    }
}

/// Computes a checksum from several chunks of a file.
pub(super) struct ChecksumHasher(Context);

impl ChecksumHasher {
    pub(super) fn new() -> Self {
        Self(Context::new(&SHA256))
    }

    pub(super) fn add(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    pub(super) fn finish(self) -> Checksum {
        let mut digits = String::new();
        for byte in self.0.finish().as_ref() {
            // Writing into a string can't fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Checksum(digits)
    }
}

impl Checksum {
    pub(super) fn from_content(content: &[u8]) -> Self {
        let mut summing = ChecksumHasher::new();
        summing.add(content);
        summing.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_round_trip_and_other_versions_are_refused() {
        let name = FileName::try_from("segments/month=2026-10/segments.parquet".to_owned()).unwrap();
        let object = Object { bytes: 4, etag: Some("\"1\"".to_owned()) };
        let checksums =
            Checksums::new(BTreeMap::from([(name, Entry { sha256: Checksum::from_content(b"rows"), object })]));
        let text = serde_json::to_string_pretty(&checksums).unwrap();
        assert_eq!(Checksums::read(text.as_bytes()).unwrap(), checksums);
        let other = text.replace("\"version\": 1", "\"version\": 2");
        assert!(Checksums::read(other.as_bytes()).unwrap_err().contains("version 2"));
        let other = text.replace("segments/month=2026-10", "../month=2026-10");
        assert!(Checksums::read(other.as_bytes()).unwrap_err().contains("not a file of an export"));
    }

    #[test]
    fn checksum_matches_a_known_value() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Checksum::from_content(b"abc").0, known);
    }
}
