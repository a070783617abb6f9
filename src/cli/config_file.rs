//! Reads a configuration file that other programs also write, and replaces it atomically.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use cap_fs_ext::MetadataExt as _;
use cap_std::fs::Metadata;

use crate::files::{self, AtomicFile, IfPresent, OffLimits, make_folder, read_text, resolve};
use crate::request;

/// The size limit of a file, in bytes. For example, Claude Code also stores its history in this file, so the file can
/// get large.
const MAX_BYTES: u64 = 64 << 20;

/// Why a configuration file could not be read or changed. If an error occurs, the file is unchanged.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    #[error("cannot read `{}`", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("cannot write `{}`", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot use `{}`: it {error}", .path.display())]
    Unfit { path: PathBuf, error: files::Error },
    #[error("cannot replace `{}`: it is one of several names of a file (hard links), and the others would keep the old text", .path.display())]
    ManyNames { path: PathBuf },
    #[cfg(unix)]
    #[error("cannot replace `{}`: it belongs to another user, and the new file would not", .path.display())]
    OtherOwner { path: PathBuf },
    #[error("cannot replace `{}`: another program changed it at the same time", .path.display())]
    Changed { path: PathBuf },
}

impl Error {
    /// Converts the error for the terminal. `shown_by` is the command that prints the text that could not be written.
    pub(super) fn for_terminal(&self, shown_by: &str) -> request::Error {
        request::Error::from_command_error(self, self.hint(shown_by))
    }

    /// Returns the hint. `shown_by` is the command that prints the text that could not be written.
    pub(super) fn hint(&self, shown_by: &str) -> String {
        let by_hand = format!("add the output of `{shown_by}` by hand");
        match self {
            Self::Changed { .. } => "nothing was changed; try again".to_owned(),
            Self::Unfit { error: files::Error::ReadOnly, .. } => {
                format!("nothing was changed; make it writable and try again, or {by_hand}")
            }
            _ => format!("nothing was changed; {by_hand}"),
        }
    }
}

/// Returns the text of a TOML file with the line `setting` in a table. If the table has a line with the same key, the
/// line is replaced. A missing table is added at the end. The caller checks the result, because TOML has other
/// notations for tables and keys.
pub(super) fn with_setting(text: &str, table: &str, setting: &str) -> String {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let header = format!("[{table}]");
    let key = |line: &str| line.split('=').next().unwrap_or_default().trim().to_owned();
    let mut lines: Vec<&str> = text.lines().collect();
    let is_header = |line: &&str| line.split('#').next().unwrap_or_default().trim() == header;
    let Some(place) = lines.iter().position(is_header) else {
        if lines.last().is_some_and(|last| !last.trim().is_empty()) {
            lines.push("");
        }
        lines.extend([header.as_str(), setting]);
        return lines.join(line_end) + line_end;
    };
    let end = lines[place + 1..].iter().position(|line| line.trim_start().starts_with('['));
    let end = end.map_or(lines.len(), |length| place + 1 + length);
    match lines[place + 1..end].iter().position(|line| key(line) == key(setting)) {
        Some(known) => lines[place + 1 + known] = setting,
        None => lines.insert(place + 1, setting),
    }
    lines.join(line_end) + line_end
}

/// A configuration file, with the text that it had when it was read.
#[derive(Debug)]
pub(super) struct ConfigFile {
    /// The path as the caller passed it, without resolving links.
    pub(super) path: PathBuf,
    /// The text of the file. `None` if the file doesn't exist.
    pub(super) text: Option<String>,
}

impl ConfigFile {
    /// Reads the file at `path`, if it exists. Follows symbolic links.
    pub(super) fn open(path: PathBuf) -> Result<Self, Error> {
        match read_text(&path, MAX_BYTES) {
            Ok(text) => Ok(Self { path, text }),
            Err(files::Error::Refused(source)) => Err(Error::Unreadable { path, source }),
            Err(error) => Err(Error::Unfit { path, error }),
        }
    }

    /// Replaces the file with `text`, atomically. Keeps the owner, group and permissions. A new file is readable only
    /// by the user. Refuses to write to the paths of `off_limits`.
    pub(super) fn replace(&self, text: &str, off_limits: &OffLimits) -> Result<(), Error> {
        let unfit = |error| match error {
            files::Error::Exists => Error::Changed { path: self.path.clone() },
            files::Error::Refused(source) => Error::Unwritable { path: self.path.clone(), source },
            error => Error::Unfit { path: self.path.clone(), error },
        };
        let path = resolve(&self.path);
        if let Some(folder) = path.parent() {
            make_folder(folder, off_limits).map_err(unfit)?;
        }
        let old = files::open(&path).map_err(unfit)?;
        // If another program creates the file before `commit`, the other program's file is kept.
        let if_present = if old.is_some() { IfPresent::Replace } else { IfPresent::Keep };
        let mut new = AtomicFile::create(&path, if_present).map_err(unfit)?;
        new.write_all(text.as_bytes()).map_err(|error| unfit(error.into()))?;
        if let Some(old) = old {
            self.copy_metadata(old, new.file())?;
        }
        // The file may have changed since it was read: clients also write it, and Claude Code can do so at any time.
        if read_text(&path, MAX_BYTES).map_err(unfit)? != self.text {
            return Err(Error::Changed { path: self.path.clone() });
        }
        new.commit().map_err(unfit)?;
        Ok(())
    }

    /// Copies the owner and the permissions of the old file to the new file. Then closes the old file, because some
    /// file systems on Windows can't replace an open file.
    fn copy_metadata(&self, old: File, new: &File) -> Result<(), Error> {
        let unwritable = |source| Error::Unwritable { path: self.path.clone(), source };
        let found = old.metadata().map_err(unwritable)?;
        if Metadata::from_file(&old).map_err(unwritable)?.nlink() > 1 {
            return Err(Error::ManyNames { path: self.path.clone() });
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};

            let own = new.metadata().map_err(unwritable)?;
            if (own.uid(), own.gid()) != (found.uid(), found.gid()) {
                let given = fchown(new, Some(found.uid()), Some(found.gid()));
                given.map_err(|_| Error::OtherOwner { path: self.path.clone() })?;
            }
        }
        drop(old);
        new.set_permissions(found.permissions()).map_err(unwritable)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_setting_replaces_its_line_or_is_added_to_its_table() {
        let with = |text: &str| with_setting(text, "time", "day_start = \"04:00\"");
        assert_eq!(with(""), "[time]\nday_start = \"04:00\"\n");
        assert_eq!(with("source = 'manictime'"), "source = 'manictime'\n\n[time]\nday_start = \"04:00\"\n");
        assert_eq!(
            with("[time] # days\r\ncalls = true\r\n[serve]\r\n"),
            "[time] # days\r\nday_start = \"04:00\"\r\ncalls = true\r\n[serve]\r\n"
        );
        assert_eq!(with("[time]\nday_start='02:00'\ncalls = true\n"), "[time]\nday_start = \"04:00\"\ncalls = true\n");
    }

    #[test]
    fn changes_of_another_program_are_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mcp.json");
        let file = ConfigFile::open(path.clone()).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(matches!(file.replace("ours", &OffLimits::default()), Err(Error::Changed { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left behind");
        ConfigFile::open(path.clone()).unwrap().replace("ours", &OffLimits::default()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "ours");
    }
}
