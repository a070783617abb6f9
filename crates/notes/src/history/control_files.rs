//! Checks a repository's small files before gix reads them. Their size is checked because gix loads each file
//! completely. Their targets are checked so that gix doesn't read other files.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::display_text::replace_control_characters;
use crate::refusal::{Code, Refusal};

/// The maximum size of a reference in bytes. A reference contains a hash or the name of another reference.
const REFERENCE_BYTES: u64 = 64 << 10;

/// The maximum size of a configuration file in bytes. The limit is low because gix needs a multiple of the file's size
/// in memory.
const CONFIG_BYTES: u64 = 256 << 10;

/// The maximum size of `packed-refs` and `shallow` in bytes. A file of this size can contain 200,000 packed references.
const LIST_BYTES: u64 = 16 << 20;

/// The maximum number of references that have a file of their own. Each of these files is checked before every
/// response.
const MAX_LOOSE_REFERENCES: usize = 10_000;

/// Optional files of a repository with their maximum sizes in bytes.
const FILES: [(&str, u64); 4] =
    [("config", CONFIG_BYTES), ("config.worktree", CONFIG_BYTES), ("packed-refs", LIST_BYTES), ("shallow", LIST_BYTES)];

/// Files that refer to a folder outside of the repository. The checks of this module would not cover such a folder.
const REDIRECT_FILES: [&str; 2] = ["commondir", "objects/info/alternates"];

/// Checks the references and the files in [`FILES`] and [`REDIRECT_FILES`].
///
/// # Errors
///
/// `PARSE_ERROR` if one of these files is too large, isn't a file, or makes gix read a file outside of the repository.
pub(super) fn check(git: &Path) -> Result<(), Refusal> {
    for name in REDIRECT_FILES {
        let names_another = |metadata: fs::Metadata| !metadata.is_file() || metadata.len() > 0;
        if fs::symlink_metadata(git.join(name)).is_ok_and(names_another) {
            let hint = "copy the repository with `git clone --no-local`";
            return Err(refusal(Path::new(name), "refers to another folder, which is not read", hint));
        }
    }
    for (name, most_bytes) in FILES {
        check_file(git, Path::new(name), most_bytes)?;
    }
    check_reference(git, Path::new("HEAD"))?;
    check_loose_references(git)
}

/// Checks the file of a reference in the repository. The file may be missing.
///
/// # Errors
///
/// The errors of [`check`].
pub(super) fn check_reference(git: &Path, name: &Path) -> Result<(), Refusal> {
    if !check_file(git, name, REFERENCE_BYTES)? {
        return Ok(());
    }
    let reference = fs::read(git.join(name)).map_err(|error| unreadable(name, &error))?;
    match reference.strip_prefix(b"ref:") {
        // With a target outside of `refs/`, gix could read any file of the repository as a reference.
        Some(target) if !target.trim_ascii_start().starts_with(b"refs/") => {
            Err(refusal(name, "does not name a branch", FSCK))
        }
        _ => Ok(()),
    }
}

const FSCK: &str = "run `git fsck` in the workspace";

fn check_loose_references(git: &Path) -> Result<(), Refusal> {
    let mut folders = vec![PathBuf::from("refs")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        if !fs::symlink_metadata(git.join(&folder)).is_ok_and(|metadata| metadata.is_dir()) {
            return Err(refusal(&folder, "is not a folder", FSCK));
        }
        let entries = fs::read_dir(git.join(&folder)).map_err(|error| unreadable(&folder, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let name = folder.join(entry.file_name());
            count += 1;
            if count > MAX_LOOSE_REFERENCES {
                let why = format!("has more than {MAX_LOOSE_REFERENCES} references that are not packed");
                return Err(refusal(Path::new("refs"), &why, "run `git pack-refs --all` in the workspace"));
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(name);
            } else {
                check_reference(git, &name)?;
            }
        }
    }
    Ok(())
}

/// Whether the file exists. Fails if it isn't a regular file, or has more than `most_bytes` bytes. A link also fails,
/// because it can lead to a device or out of the workspace.
fn check_file(git: &Path, name: &Path, most_bytes: u64) -> Result<bool, Refusal> {
    match fs::symlink_metadata(git.join(name)) {
        Ok(metadata) if !metadata.is_file() => Err(refusal(name, "is not a file", FSCK)),
        Ok(metadata) if metadata.len() > most_bytes => {
            Err(refusal(name, &format!("has more than {} KB", most_bytes >> 10), FSCK))
        }
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(false),
        Err(error) => Err(unreadable(name, &error)),
    }
}

fn unreadable(name: &Path, error: &std::io::Error) -> Refusal {
    refusal(name, &format!("cannot be read ({error})"), "check its permissions")
}

fn refusal(name: &Path, why: &str, hint: &str) -> Refusal {
    let name: Vec<_> = name.iter().map(OsStr::to_string_lossy).collect();
    let message =
        format!("cannot read the history: `.git/{}` {why}; {hint}", replace_control_characters(&name.join("/")));
    Refusal::new(Code::ParseError, message)
}
