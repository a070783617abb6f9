//! A shell for the commands on the pages. The program is in the shell's path, and `--demo` shows the same history in
//! every run. Commands never write to this machine's own folders.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use chrono::{Days, Local, NaiveDate};
use dayledger_fixtures::demo::{Plan, write};
use tempfile::TempDir;

use crate::cli::program::{Home, date};

/// A file with entries of another tracker. The page about the timesheet imports the file.
const TRACKED: &str = "Email,Client,Project,Description,Start date,Start time,Duration\n\
    alex@example.com,Northwind Ltd,Billing,Credit notes,2026-10-05,09:00:00,01:30:00\n\
    alex@example.com,Northwind Ltd,Billing,Letters,2026-10-06,13:00:00,00:45:00\n";
/// The last day of the demo that the pages show.
pub(super) const LAST_DAY: &str = "2026-11-20";
/// The folders in which clients store their settings. A client without its folder counts as not installed.
const CLIENTS: [&str; 4] = ["Claude", "Code/User", "../.cursor", "../.claude"];
/// Programs that dayledger starts. In this shell they do nothing.
const IDLE: [&str; 2] = ["xdg-open", "open"];

/// The histories that the pages' commands read.
pub(super) struct Histories {
    /// The history that `--demo` reads.
    demo: TempDir,
    /// The history that commands without `--demo` read. It ends today.
    own: TempDir,
}

/// The histories that all running tests share.
static SHARED: Mutex<Weak<Histories>> = Mutex::new(Weak::new());

impl Histories {
    /// Returns the histories. Generates the histories unless a running test already uses them. The last test that uses
    /// the histories removes them.
    pub(super) fn get_shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let running = shared.upgrade();
        running.unwrap_or_else(|| {
            let histories = Arc::new(Self::new());
            *shared = Arc::downgrade(&histories);
            histories
        })
    }

    fn new() -> Self {
        let [demo, own] = [date(LAST_DAY), Local::now().date_naive()].map(|until| {
            let dir = tempfile::tempdir().unwrap();
            write(dir.path(), &Plan { calendar: true, notes: true, ..Plan::new(until) }).unwrap();
            dir
        });
        Self { demo, own }
    }

    /// Creates a home folder with this configuration. In this home folder, `--demo` shows the demo of the pages.
    pub(super) fn home(&self, configuration: &str) -> Home {
        let home = Home::new();
        home.configure(configuration);
        let settings = home.folder(if cfg!(target_os = "macos") { "Library/Application Support" } else { "config" });
        for client in CLIENTS {
            fs::create_dir_all(settings.join(client)).unwrap();
        }
        let cache = home.folder(if cfg!(target_os = "macos") { "Library/Caches/dayledger" } else { "cache/dayledger" });
        keep(&cache.join("demo"), self.demo.path());
        let programs = home.folder("programs");
        fs::create_dir(&programs).unwrap();
        symlink(env!("CARGO_BIN_EXE_dayledger"), programs.join("dayledger")).unwrap();
        fs::write(home.folder("toggl.csv"), TRACKED).unwrap();
        // In this shell, a Windows drive is a normal folder.
        fs::create_dir(home.folder("D:")).unwrap();
        symlink(self.own.path(), home.folder("D:").join("ManicTime")).unwrap();
        for name in IDLE {
            symlink("/usr/bin/true", programs.join(name)).unwrap();
        }
        home
    }

    /// Returns the program as a command in `home`, with the environment of the shell.
    pub(super) fn program(&self, home: &Home, arguments: &[&str]) -> Command {
        let mut command = home.program(arguments);
        command.env("MANICTIME_DATA_DIR", self.own.path());
        command
    }

    /// Runs a command line in `home`, and returns its output.
    pub(super) fn run(&self, home: &Home, line: &str) -> Output {
        let program = self.program(home, &[]);
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env_clear().current_dir(home.path()).stdin(Stdio::null());
        shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        // `true` acts as an editor that doesn't change the text.
        shell.env("EDITOR", "true").output().unwrap()
    }
}

/// Copies the demo into the cache for every hour of these days, so that the program finds it in any hour of the test.
fn keep(cache: &Path, demo: &Path) {
    fs::create_dir_all(cache).unwrap();
    let today: NaiveDate = Local::now().date_naive();
    let yesterday = today.checked_sub_days(Days::new(1)).unwrap();
    for day in yesterday.iter_days().take(3) {
        for hour in 0..24 {
            symlink(demo, cache.join(format!("{day}-{hour:02}"))).unwrap();
        }
    }
}
