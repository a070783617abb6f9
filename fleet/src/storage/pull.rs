//! From storage into a folder.

use std::path::Path;

use dayledger::export::{Archive, Person};
use dayledger::files::{AtomicFile, IfPresent};
use futures::{StreamExt, TryStreamExt, stream};

use super::checksums::{Entry, FileName};
use super::copies::Copies;
use super::error::Error;
use super::{AT_ONCE, Copied, Storage};

/// What became of one person's export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pulled {
    /// It is as it is in storage.
    Copied(Copied),
    /// It is being pushed, or a push of it has not ended: what is here stays as it was.
    Unfinished,
    /// It is not in storage any more, nor here.
    Removed,
}

/// Brings all exports into `folder`, and tells of each; one that cannot be brought does not keep others from it, and what
/// is here of it stays as it was. What is here of somebody who is not in storage any more goes, if it is as it was pulled.
///
/// # Errors
/// A folder that cannot be used, storage that does not answer, and one with nobody in it.
pub async fn pull(
    storage: &Storage,
    folder: &Path,
    mut told: impl FnMut(&Person, Result<Pulled, Error>),
) -> Result<(), Error> {
    let persons = storage.persons().await?;
    if persons.is_empty() {
        return Err(Error::Nobody(storage.name(&storage.root)));
    }
    let copies = Copies::at(folder)?;
    for person in &persons {
        let pulled = pull_one(storage, person, &copies).await;
        let answers = !pulled.as_ref().is_err_and(Error::is_of_storage_that_is_gone);
        told(person, pulled);
        if !answers {
            // Everybody else would be waited for as long.
            return copies.sweep();
        }
    }
    for person in copies.persons()?.iter().filter(|person| !persons.contains(person)) {
        // What was not pulled is somebody's own.
        if let Ok(Some(here)) = copies.copy(person) {
            told(person, copies.remove(person, here).map(|()| Pulled::Removed));
        }
    }
    copies.sweep()
}

async fn pull_one(storage: &Storage, person: &Person, copies: &Copies) -> Result<Pulled, Error> {
    let Some(checksums) = storage.checksums(person).await? else {
        // Before the first push of the export has ended.
        return if storage.is_being_pushed(person).await? {
            Ok(Pulled::Unfinished)
        } else {
            Err(storage.foreign(person, "there is no `checksums.json`, which a push writes last".to_owned()))
        };
    };
    let here = copies.copy(person)?;
    let coming = copies.begin(person)?;
    let mut missing = Vec::new();
    for (file, wanted) in &checksums.files {
        let is_lent = here.as_ref().map_or(Ok(false), |here| here.lend(&coming, file, &wanted.sha256))?;
        if !is_lent {
            missing.push((file, wanted));
        }
    }
    let told = Copied { files: checksums.files.len(), new: missing.len() };
    let before = here.as_ref().map_or(0, |here| here.checksums.files.len());
    if missing.is_empty() && before == told.files {
        return Ok(Pulled::Copied(told));
    }
    let fetched = async |(file, wanted): (&FileName, &Entry)| -> Result<Option<FileName>, Error> {
        let path = coming.place(file.as_str())?;
        let mut copy = AtomicFile::create(&path, IfPresent::Replace).map_err(|error| Error::file(&path, error))?;
        let place = storage.place(person, file.as_str());
        let sum = storage.bring(&place, wanted.object.bytes, &mut copy).await?;
        if sum.as_ref() != Some(&wanted.sha256) {
            return Ok(Some(file.clone()));
        }
        copy.commit().map_err(|error| Error::file(path, error))?;
        Ok(None)
    };
    let mut arriving = stream::iter(missing).map(fetched).buffer_unordered(AT_ONCE);
    while let Some(wrong) = arriving.try_next().await? {
        let Some(file) = wrong else { continue };
        // A push replaces files before it writes the new checksums, or has just ended.
        if storage.is_being_pushed(person).await? || storage.checksums(person).await?.as_ref() != Some(&checksums) {
            return Ok(Pulled::Unfinished);
        }
        return Err(Error::Damaged(storage.name(&storage.place(person, file.as_str()))));
    }
    drop(arriving);
    coming.mark(&checksums)?;
    // Nothing takes the place of what can be asked but what can be asked.
    let archive = Archive::open(&coming.path).map_err(|error| storage.foreign(person, error.to_string()))?;
    if archive.person() != Some(person) {
        return Err(storage.foreign(person, "its manifest names somebody else".to_owned()));
    }
    copies.publish(person, &coming, here)?;
    Ok(Pulled::Copied(told))
}
