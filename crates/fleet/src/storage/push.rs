//! Copies an export from a folder into object storage. The object `push.json` exists while a push is running.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use dayledger_export::{OpenedExport, Person};
use futures::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};

use super::checksums::{CHECKSUMS, Checksum, Checksums, Entry, FileName};
use super::error::Error;
use super::local_copies::{lock_folder, read_file};
use super::{CopySummary, MAX_PARALLEL_TRANSFERS, Storage};
use crate::members::Titles;

/// The result of pushing a person's export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushOutcome {
    /// The export was copied.
    Copied(CopySummary),
    /// The folder was pulled from storage, so storage already contains this export or a newer one.
    LeftOut,
}

/// Copies the export of `person` in `folder` into storage. During the push, the folder is locked, so that an export
/// can't write into it. Until the new export is complete in storage, a pull keeps the previous export.
///
/// # Errors
/// Fails if the export can't be read, is being written, or contains titles although `titles` refuses them. Also errors
/// of the storage.
pub async fn push(person: &Person, folder: &Path, storage: &Storage, titles: Titles) -> Result<PushOutcome, Error> {
    let _lock = lock_folder(folder)?;
    if fs::exists(folder.join(CHECKSUMS)).map_err(|error| Error::file(folder, error))? {
        return Ok(PushOutcome::LeftOut);
    }
    let export = OpenedExport::open(folder)?;
    if export.includes_titles() && titles == Titles::Refused {
        return Err(Error::Titles(folder.to_owned()));
    }
    storage.begin_push(person).await?;
    let (there, before) = match storage.list_files(person).await {
        // Objects that aren't an export of this person are replaced.
        Err(Error::Foreign { .. }) => (BTreeMap::new(), None),
        listed => listed?,
    };
    let before = before.map(|before| before.files).unwrap_or_default();
    let brought = async |file: String| -> Result<_, Error> {
        let content = read_file(&folder.join(&file)).map_err(|error| Error::file(folder.join(&file), error))?;
        let content = content.ok_or_else(|| Error::InUse(folder.to_owned()))?;
        let name = FileName::try_from(file).map_err(|error| storage.invalid_export(person, error.to_string()))?;
        let (sha256, is_there) = (Checksum::from_content(&content), there.get(&name));
        // A file isn't uploaded again if its content and its object are unchanged since the last push. The object is
        // compared too, because it can be replaced or deleted without a push.
        let same = before.get(&name).filter(|entry| entry.sha256 == sha256 && is_there == Some(&entry.object));
        if let Some(entry) = same {
            return Ok((name, entry.clone(), false));
        }
        let object = storage.upload(&storage.object_path(person, name.as_str()), content).await?;
        Ok((name, Entry { sha256, object }, true))
    };
    let mut copied = CopySummary::default();
    let mut files = BTreeMap::new();
    let mut arriving = stream::iter(export.files()?).map(brought).buffer_unordered(MAX_PARALLEL_TRANSFERS);
    while let Some((file, entry, is_new)) = arriving.try_next().await? {
        files.insert(file, entry);
        copied = CopySummary { files: copied.files + 1, new: copied.new + usize::from(is_new) };
    }
    let checksums = Checksums::new(files);
    if checksums.files != before {
        storage.write_checksums(person, &checksums).await?;
    }
    // Until the new checksums are written, pulls use the previous checksums and need the previous files. So files that
    // are no longer part of the export are deleted only now.
    for gone in there.keys().filter(|file| !checksums.files.contains_key(*file)) {
        storage.delete(&storage.object_path(person, gone.as_str())).await?;
    }
    // The export is complete. If `push.json` can't be deleted, the push seems to be running until `push.json` is a day
    // old.
    let _ = storage.delete(&storage.object_path(person, MARK)).await;
    Ok(PushOutcome::Copied(copied))
}

/// The name of the object that marks a running push.
pub(super) const MARK: &str = "push.json";
/// The maximum size of `push.json` in bytes.
pub(super) const MAX_MARK_BYTES: u64 = 1 << 10;
/// The maximum duration of a push. If `push.json` is older, its push was interrupted.
const MAX_PUSH_DURATION: TimeDelta = TimeDelta::days(1);

/// The content of `push.json`: the time (UTC) at which the push began.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PushMark {
    began_utc: DateTime<Utc>,
}

impl PushMark {
    pub(super) fn now() -> Self {
        Self { began_utc: Utc::now() }
    }

    /// Whether the push may still be running. The time may also be in the future, because the clocks of two machines
    /// may differ.
    pub(super) fn is_recent(self) -> bool {
        (Utc::now() - self.began_utc).abs() < MAX_PUSH_DURATION
    }
}
