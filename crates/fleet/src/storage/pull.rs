//! Copies exports from object storage into a folder.

use std::path::Path;

use dayledger_core::files::{AtomicFile, IfPresent};
use dayledger_export::{OpenedExport, Person};
use futures::{StreamExt, TryStreamExt, stream};

use super::checksums::{Entry, FileName};
use super::error::Error;
use super::local_copies::LocalCopies;
use super::{CopySummary, MAX_PARALLEL_TRANSFERS, Storage};

/// The result of pulling a person's export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullOutcome {
    /// The local copy now equals the export in storage.
    Copied(CopySummary),
    /// A push of the export is running or was interrupted. The local copy is unchanged.
    Unfinished,
    /// The export is no longer in storage, so the local copy was removed.
    Removed,
}

/// Copies all exports into `folder` and calls `report` for each person. If an export can't be copied, its local copy
/// stays unchanged and the other exports are still copied. If a person is no longer in storage, their local copy is
/// removed unless it was changed after it was pulled.
///
/// # Errors
/// Fails if the folder can't be used, or if the storage doesn't respond or contains no exports.
pub async fn pull(
    storage: &Storage,
    folder: &Path,
    mut report: impl FnMut(&Person, Result<PullOutcome, Error>),
) -> Result<(), Error> {
    let persons = storage.people().await?;
    if persons.is_empty() {
        return Err(Error::NoExports(storage.display_path(&storage.root)));
    }
    let copies = LocalCopies::open(folder)?;
    for person in &persons {
        let pulled = pull_one(storage, person, &copies).await;
        let answers = !pulled.as_ref().is_err_and(Error::is_storage_unavailable);
        report(person, pulled);
        if !answers {
            // The storage doesn't respond, so all further requests would time out too.
            return copies.clean_up();
        }
    }
    for person in copies.people()?.iter().filter(|person| !persons.contains(person)) {
        // `find` fails for a folder that wasn't pulled. Such a folder belongs to the user and is kept.
        if let Ok(Some(here)) = copies.find(person) {
            report(person, copies.remove(person, here).map(|()| PullOutcome::Removed));
        }
    }
    copies.clean_up()
}

async fn pull_one(storage: &Storage, person: &Person, copies: &LocalCopies) -> Result<PullOutcome, Error> {
    let Some(checksums) = storage.read_checksums(person).await? else {
        // No push of this export has finished yet.
        return if storage.is_being_pushed(person).await? {
            Ok(PullOutcome::Unfinished)
        } else {
            Err(storage.invalid_export(person, "`checksums.json` is missing, which a push writes last".to_owned()))
        };
    };
    let here = copies.find(person)?;
    let coming = copies.begin(person)?;
    let mut missing = Vec::new();
    for (file, wanted) in &checksums.files {
        let is_lent = here.as_ref().map_or(Ok(false), |here| here.reuse_file(&coming, file, &wanted.sha256))?;
        if !is_lent {
            missing.push((file, wanted));
        }
    }
    let summary = CopySummary { files: checksums.files.len(), new: missing.len() };
    let before = here.as_ref().map_or(0, |here| here.checksums.files.len());
    // If files were only removed from the export, no file is missing, but the local copy must still be replaced.
    if missing.is_empty() && before == summary.files {
        return Ok(PullOutcome::Copied(summary));
    }
    let fetch = async |(file, wanted): (&FileName, &Entry)| -> Result<Option<FileName>, Error> {
        let path = coming.file_path(file.as_str())?;
        let mut copy = AtomicFile::create(&path, IfPresent::Replace).map_err(|error| Error::file(&path, error))?;
        let place = storage.object_path(person, file.as_str());
        let sum = storage.download(&place, wanted.object.bytes, &mut copy).await?;
        if sum.as_ref() != Some(&wanted.sha256) {
            return Ok(Some(file.clone()));
        }
        copy.commit().map_err(|error| Error::file(path, error))?;
        Ok(None)
    };
    let mut arriving = stream::iter(missing).map(fetch).buffer_unordered(MAX_PARALLEL_TRANSFERS);
    while let Some(wrong) = arriving.try_next().await? {
        let Some(file) = wrong else { continue };
        // The file may differ because a push is running or has just finished. A push replaces files before it writes
        // the new checksums.
        if storage.is_being_pushed(person).await? || storage.read_checksums(person).await?.as_ref() != Some(&checksums)
        {
            return Ok(PullOutcome::Unfinished);
        }
        return Err(Error::Damaged(storage.display_path(&storage.object_path(person, file.as_str()))));
    }
    drop(arriving);
    coming.write_checksums(&checksums)?;
    // The local copy is replaced only if the new copy is a valid export.
    let export = OpenedExport::open(&coming.path).map_err(|error| storage.invalid_export(person, error.to_string()))?;
    if export.person() != Some(person) {
        return Err(storage.invalid_export(person, "its manifest belongs to another person".to_owned()));
    }
    copies.publish(person, &coming, here)?;
    Ok(PullOutcome::Copied(summary))
}
