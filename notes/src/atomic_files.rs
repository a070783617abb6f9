//! Files that are written: whole, or not there.

use std::io::{ErrorKind, Write};

use cap_std::fs::{Dir, Permissions};
use cap_tempfile::TempFile;

/// Puts a file in the place of what has that name in `dir`. Whoever looks sees the one or the other, whole, and so does
/// whoever looks after this was killed.
pub(crate) fn replace(dir: &Dir, name: &str, bytes: &[u8], permissions: Permissions) -> std::io::Result<()> {
    let mut draft = TempFile::new(dir)?;
    draft.write_all(bytes)?;
    draft.as_file().set_permissions(permissions)?;
    draft.as_file().sync_all()?;
    draft.replace(name)?;
    sync(dir);
    Ok(())
}

/// So many versions of one text are put aside at most.
pub(crate) const MAX_BACKUPS: usize = 10_000;

/// Puts a text aside in `dir`, under the first name that is free or has it already, and says which: `names` gives them by
/// number, from 1. What is there stays as it is.
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

/// Makes a file of that name in `dir` unless there is one, which stays as it is.
fn create_once(dir: &Dir, name: &str, bytes: &[u8], permissions: Permissions) -> std::io::Result<()> {
    if is_file(dir, name)? {
        return Ok(());
    }
    // A link to a file that is whole is made at once, and not where there is something of that name.
    let draft = format!(".{name}.new");
    replace(dir, &draft, bytes, permissions)?;
    let linked = dir.hard_link(&draft, dir, name).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => Err(error),
        // Not every file system has such links.
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

/// Whether there is a file of that name; something else in its place is an error.
pub(crate) fn is_file(dir: &Dir, name: &str) -> std::io::Result<bool> {
    match dir.symlink_metadata(name) {
        Ok(metadata) if metadata.is_file() => Ok(true),
        Ok(_) => Err(std::io::Error::new(ErrorKind::AlreadyExists, "something other than a file is in its place")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes what was renamed outlast the power; not every system can.
fn sync(dir: &Dir) {
    let _ = dir.open(".").and_then(|dir| dir.sync_all());
}
