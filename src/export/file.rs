//! Files that are whole or not there: written beside their place under a name that no reader takes for theirs, brought
//! to the disk, then renamed.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What the names of files end in that are being written.
const UNFINISHED: &str = ".tmp";

/// Writes the file `path`, readable by its owner alone, and returns its size in bytes.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut tempfile::NamedTempFile>) -> io::Result<()>,
) -> io::Result<u64> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mut file = tempfile::Builder::new().prefix(".").suffix(UNFINISHED).tempfile_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    let bytes = file.as_file().metadata()?.len();
    file.persist(path).map_err(|error| error.error)?;
    Ok(bytes)
}

/// Whether a file of that name is being written, or was when its export was killed.
pub(super) fn is_unfinished(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.') && name.ends_with(UNFINISHED)
}

/// Removes what an export that was killed left in `folder`.
pub(super) fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_unfinished(&entry.file_name()) {
            // What cannot be removed harms nobody: no reader takes it for a file of the export.
            let _ = fs::remove_file(entry.path());
        }
    }
}
