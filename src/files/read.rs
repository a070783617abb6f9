//! Files that are read whole.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use cap_std::fs::Metadata;

use super::error::Error;
use super::kind::Kind;
use super::place::Place;

/// Reads everything that `from` has, if that is at most `most` bytes.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] as soon as there is more, so that a device or a pipe without an end is refused too, and errors
/// of the system.
pub fn read_up_to(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Reads everything that `from` has as text, if that is at most `most` bytes.
///
/// # Errors
/// [`ErrorKind::InvalidData`] for bytes that are not UTF-8, and those of [`read_up_to`].
pub fn text_up_to(from: impl Read, most: u64) -> io::Result<String> {
    let bytes = read_up_to(from, most)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Reads the regular file at `path`; `None` if nothing has the name. Links are followed. It never waits for a pipe and never
/// reads a device, so use it for files that the user doesn't name in the command, such as the configuration.
///
/// # Errors
/// [`Error::NotAFile`], a link that leads nowhere, and those of [`text_up_to`].
pub fn read_text(path: &Path, most: u64) -> Result<Option<String>, Error> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(None),
        // A path need not lead to its pipe by a name that could be opened.
        Ok(found) => match Kind::other_than_file(&Metadata::from_just_metadata(found)) {
            Some(kind) => Err(Error::NotAFile(kind)),
            None => Place::at(path)?.read_text(most),
        },
        Err(error) => Err(error.into()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Every command waited for a pipe in the place of `dayledger.toml`, or filled the memory from `/dev/zero`.
    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        symlink(at("pipe"), at("to a pipe")).unwrap();
        symlink("/dev/zero", at("to a device")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for (name, expected) in
            [("pipe", Kind::Pipe), ("to a pipe", Kind::Pipe), ("to a device", Kind::Device), ("folder", Kind::Folder)]
        {
            let read = read_text(&at(name), 100);
            assert!(matches!(&read, Err(Error::NotAFile(kind)) if *kind == expected), "{name}: {read:?}");
        }
        fs::write(at("text"), "x".repeat(100)).unwrap();
        symlink(at("text"), at("to text")).unwrap();
        assert_eq!(read_text(&at("to text"), 100).unwrap().unwrap().len(), 100);
        assert!(
            matches!(read_text(&at("to text"), 99), Err(Error::Refused(error)) if error.kind() == ErrorKind::FileTooLarge)
        );
        assert_eq!(read_text(&at("none"), 100).unwrap(), None);
        assert_eq!(read_up_to(io::repeat(b'x'), 100).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
