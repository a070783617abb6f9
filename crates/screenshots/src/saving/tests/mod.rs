//! Tests of saving files in temporary folders.

mod directories;
mod names;
mod roots;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{AllowedBy, AllowedDirectory, Destinations, SaveError, Target};
use crate::{Format, Picture, Size};

/// A folder that contains one allowed directory, and one directory that isn't allowed.
struct TestFolders {
    temporary: TempDir,
}

impl TestFolders {
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        for folder in ["allowed", "outside"] {
            fs::create_dir(temporary.path().join(folder)).unwrap();
        }
        Self { temporary }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.temporary.path().join(below)
    }

    fn destinations(&self) -> Destinations {
        self.with_forbidden(&[])
    }

    fn with_forbidden(&self, forbidden: &[&str]) -> Destinations {
        let forbidden = forbidden.iter().map(|folder| self.path(folder)).collect();
        Destinations::new(vec![allow(&self.path("allowed"))], forbidden)
    }

    fn resolve(&self, path: &str) -> Result<Target, SaveError> {
        self.destinations().resolve(Some(path), "default")
    }

    /// Returns the paths of all files and folders, with the content of each file.
    fn content(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.temporary.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.is_symlink() {
                    folders.push(path.clone());
                }
                let relative = path.strip_prefix(self.temporary.path()).unwrap().to_owned();
                found.push((relative, path.is_file().then(|| fs::read(&path).unwrap())));
            }
        }
        found.sort();
        found
    }
}

fn allow(directory: &Path) -> AllowedDirectory {
    AllowedDirectory { directory: directory.to_owned(), allowed_by: AllowedBy::Flag }
}

/// Creates an image whose content can be any bytes. These tests don't decode the image.
fn picture(content: &[u8], format: Format) -> Picture {
    Picture { bytes: content.into(), format, size: Size { width: 1, height: 1 } }
}

fn jpeg(content: &[u8]) -> Picture {
    picture(content, Format::Jpeg)
}
