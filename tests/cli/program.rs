//! Runs the program in an isolated environment, without the configuration, cache or history of this machine.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use chrono::{Local, NaiveDate, TimeDelta, Utc};
use dayledger::manictime::DATABASE_FILE;
use dayledger_fixtures::demo::{Plan, write};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// A home folder for one test. It is removed when this value is dropped.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates a home folder whose cache already contains the history of [`demo`], because generating a history takes
    /// seconds.
    pub(crate) fn with_demo() -> Self {
        let home = Self::new();
        let cache = home.cached_demos();
        // The program's clock shows UTC, if the system supports that for a single process. The hour may change during
        // the test, so the next hour is also prepared.
        for now in [Utc::now().naive_utc(), Local::now().naive_local()] {
            for hour in [now, now + TimeDelta::hours(1)] {
                let folder = cache.join(hour.format("%Y-%m-%d-%H").to_string());
                fs::create_dir_all(&folder).unwrap();
                write_demo(&folder);
            }
        }
        home
    }

    /// Returns the folder in the cache that contains the demo histories.
    pub(crate) fn cached_demos(&self) -> PathBuf {
        self.folder(if cfg!(target_os = "macos") {
            "Library/Caches/dayledger/demo"
        } else if cfg!(windows) {
            "cache/dayledger/cache/demo"
        } else {
            "cache/dayledger/demo"
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns a folder or file in this home. A relative path is converted to the system's separators.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        self.path().join(name).components().collect()
    }

    /// Returns the path of the configuration file that the program reads in this home.
    pub(crate) fn configuration(&self) -> PathBuf {
        let folder = if cfg!(target_os = "macos") {
            "Library/Application Support/dayledger"
        } else if cfg!(windows) {
            "config/dayledger/config"
        } else {
            "config/dayledger"
        };
        self.folder(folder).join("dayledger.toml")
    }

    /// Writes the configuration file. Returns its path.
    pub(crate) fn configure(&self, text: &str) -> PathBuf {
        let file = self.configuration();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    /// Returns the program as a command, with `arguments`, in this home, in UTC and with a plain terminal.
    pub(crate) fn program<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dayledger"));
        command.args(arguments).env_clear().current_dir(self.path()).env("TZ", "UTC");
        for (name, folder) in [
            ("HOME", "."),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_DATA_HOME", "data"),
            ("USERPROFILE", "."),
            ("APPDATA", "config"),
            ("LOCALAPPDATA", "cache"),
        ] {
            command.env(name, self.folder(folder));
        }
        // When the program starts other programs, it searches this folder first.
        #[cfg(unix)]
        command.env("PATH", format!("{}:/usr/bin:/bin", self.folder("programs").display()));
        command
    }

    /// Returns the program as a command over the history in `data`.
    pub(crate) fn program_for<A: AsRef<OsStr>>(&self, data: &Path, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut command = self.program(["--data-dir".as_ref(), data.as_os_str()]);
        command.args(arguments);
        command
    }
}

/// The file of a demo history that is the same in every run: two weeks up to 19 November 2026, with two devices and
/// tags. The history is generated once, because generating it takes longer than most tests.
static DEMO: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let plan = Plan { days: 14, activities_per_day: 150, ..Plan::new(date("2026-11-19")) };
    fs::read(write(dir.path(), &plan).unwrap().path).unwrap()
});

/// Returns a folder with the demo history.
pub(crate) fn demo() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write_demo(dir.path());
    dir
}

/// Writes the demo history into an existing folder.
pub(crate) fn write_demo(dir: &Path) {
    fs::write(dir.join(DATABASE_FILE), &*DEMO).unwrap();
}

/// Returns the demo history, with an hourly table of documents that `SQLite` never finishes reading.
pub(crate) fn endless() -> TempDir {
    let dir = demo();
    let database = rusqlite::Connection::open(dir.path().join(DATABASE_FILE)).unwrap();
    let statements = "DROP TABLE Ar_DocumentByDay;
        CREATE VIEW Ar_DocumentByDay AS
        SELECT a.ReportId AS ReportId, a.StartLocalTime AS Hour, a.ReportId AS CommonId, a.ReportId AS TotalSeconds
        FROM Ar_Activity AS a, Ar_Activity AS b, Ar_Activity AS c, Ar_Activity AS d
        WHERE a.ActivityId + b.ActivityId + c.ActivityId + d.ActivityId < 0";
    database.execute_batch(statements).unwrap();
    dir
}

pub(crate) fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Returns a hash of the names and contents of all files in `dir`.
pub(crate) fn folder_hash(dir: &Path) -> String {
    let mut files = Vec::new();
    collect(dir, &mut files);
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.strip_prefix(dir).unwrap().to_string_lossy().as_bytes());
        hash.update(fs::read(&file).unwrap());
    }
    format!("{:?}", hash.finalize())
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
