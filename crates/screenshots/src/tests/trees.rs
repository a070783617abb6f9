//! Stores of empty files in temporary folders, for the tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::{ConfiguredFolder, Screenshots};
use dayledger_manictime::{Locator, Source};
use dayledger_source::{FoundBy, Privacy};

/// A screenshots folder for tests.
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    dir: TempDir,
}

impl Tree {
    /// Creates a store with these files, and with the folders that contain them.
    pub(crate) fn with(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let tree = Self { root: dir.path().join("Screenshots"), dir };
        fs::create_dir(&tree.root).unwrap();
        for file in files {
            tree.add(file);
        }
        tree
    }

    pub(crate) fn add(&self, file: &str) {
        let path = self.root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create_new(path).unwrap();
    }

    pub(crate) fn remove(&self, file: &str) {
        fs::remove_file(self.root.join(file)).unwrap();
    }

    /// Returns a folder that is outside of the root.
    pub(crate) fn outside(&self) -> &Path {
        self.dir.path()
    }

    /// Sets the modification time of a folder to `age` before now.
    pub(crate) fn set_age(&self, folder: &str, age: Duration) {
        set_changed(&self.root.join(folder), SystemTime::now() - age);
    }

    /// Returns the screenshots of this store, without privacy settings.
    pub(crate) fn screenshots(&self) -> Screenshots {
        self.screenshots_with_privacy(Privacy::default())
    }

    /// Returns the screenshots of this store with these privacy settings.
    pub(crate) fn screenshots_with_privacy(&self, privacy: Privacy) -> Screenshots {
        let nowhere = Locator::from_path(self.dir.path().join("nowhere"), FoundBy::Flag);
        let source = Arc::new(Source::new(nowhere).with_privacy(privacy));
        Screenshots::new(source, Some(ConfiguredFolder::new(&self.root, FoundBy::Flag)))
    }
}

/// Sets the modification time of a folder.
pub(crate) fn set_changed(folder: &Path, time: SystemTime) {
    open(folder).set_modified(time).unwrap();
}

#[cfg(not(windows))]
fn open(folder: &Path) -> File {
    File::open(folder).unwrap()
}

#[cfg(windows)]
fn open(folder: &Path) -> File {
    use std::os::windows::fs::OpenOptionsExt;
    // On Windows, opening a folder needs this flag, and setting its times needs write access.
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    File::options().write(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(folder).unwrap()
}
