//! Atomic writing of files.

use std::io::{ErrorKind, Write};

use cap_std::fs::{Dir, Permissions};
use cap_tempfile::TempFile;

/// Replaces a file in `dir` atomically. Readers see either the old or the new content, even if the program is killed.
pub(crate) fn replace(dir: &Dir, name: &str, bytes: &[u8], permissions: Permissions) -> std::io::Result<()> {
    let mut draft = TempFile::new(dir)?;
    draft.write_all(bytes)?;
    draft.as_file().set_permissions(permissions)?;
    draft.as_file().sync_all()?;
    draft.replace(name)?;
    sync(dir);
    Ok(())
}

/// The maximum number of backups of one text.
pub(crate) const MAX_BACKUPS: usize = 10_000;

/// Writes a backup of a text into `dir` and returns its name. `names` gives the possible names by number, from 1; the
/// first one that is free, or that already contains the text, is used. Existing files stay unchanged.
pub(crate) fn write_backup(
    dir: &Dir,
    names: impl Fn(usize) -> String,
    bytes: &[u8],
    permissions: &Permissions,
) -> std::io::Result<String> {
    for name in (1..=MAX_BACKUPS).map(names) {
        create_once(dir, &name, bytes, permissions.clone())?;
        if dir.read(&name)? == bytes {
            return Ok(name);
        }
    }
    Err(std::io::Error::new(ErrorKind::AlreadyExists, "too many versions are kept: delete some"))
}

/// Creates a file in `dir`. An existing file stays unchanged.
fn create_once(dir: &Dir, name: &str, bytes: &[u8], permissions: Permissions) -> std::io::Result<()> {
    if is_file(dir, name)? {
        return Ok(());
    }
    // A hard link to a complete file is atomic, and fails if the name exists.
    let draft = format!(".{name}.new");
    replace(dir, &draft, bytes, permissions)?;
    let linked = dir.hard_link(&draft, dir, name).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => Err(error),
        // Not every file system supports hard links.
        _ if is_file(dir, name)? => Ok(()),
        _ => dir.rename(&draft, dir, name),
    });
    let removed = dir.remove_file(&draft);
    sync(dir);
    match linked {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is_file(dir, name)? => Ok(()),
        linked => {
            linked.and(removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) }))
        }
    }
}

/// Whether the file exists. Anything other than a file in its place is an error.
pub(crate) fn is_file(dir: &Dir, name: &str) -> std::io::Result<bool> {
    match dir.symlink_metadata(name) {
        Ok(metadata) if metadata.is_file() => Ok(true),
        Ok(_) => Err(std::io::Error::new(ErrorKind::AlreadyExists, "something other than a file is in its place")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes a rename survive a power failure, if the system supports it.
fn sync(dir: &Dir) {
    let _ = dir.open(".").and_then(|dir| dir.sync_all());
}
