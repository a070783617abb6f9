//! A shell for the commands on the pages: the program is in its path, `--demo` is the same in every run, and nothing is
//! written to this machine's own folders.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use chrono::{Days, Local, NaiveDate};
use dayledger_fixtures::demo::{Plan, write};
use tempfile::TempDir;

use crate::cli::program::{Home, date};

/// The entries of another tracker on the page of the timesheet.
const TRACKED: &str = "Email,Client,Project,Description,Start date,Start time,Duration\n\
    alex@example.com,Northwind Ltd,Billing,Credit notes,2026-10-05,09:00:00,01:30:00\n\
    alex@example.com,Northwind Ltd,Billing,Letters,2026-10-06,13:00:00,00:45:00\n";
/// The last day of the demo on the pages.
pub(super) const LAST_DAY: &str = "2026-11-20";
/// Where clients keep their settings. A client without this folder is not installed.
const CLIENTS: [&str; 4] = ["Claude", "Code/User", "../.cursor", "../.claude"];
/// Programs that dayledger starts. Here they do nothing.
const IDLE: [&str; 2] = ["xdg-open", "open"];

/// The histories that the pages' commands read.
pub(super) struct Histories {
    /// The history that `--demo` reads.
    demo: TempDir,
    /// The history without `--demo`, which ends today.
    own: TempDir,
}

/// The histories that all running tests share.
static SHARED: Mutex<Weak<Histories>> = Mutex::new(Weak::new());

impl Histories {
    /// Generates the histories unless a running test has them. The last test that uses them removes them.
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

    /// A home with a configuration, in which `--demo` shows the demo of the pages.
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
        // A drive is a normal folder here.
        fs::create_dir(home.folder("D:")).unwrap();
        symlink(self.own.path(), home.folder("D:").join("ManicTime")).unwrap();
        for name in IDLE {
            symlink("/usr/bin/true", programs.join(name)).unwrap();
        }
        home
    }

    /// The program in `home`, as a shell starts it.
    pub(super) fn program(&self, home: &Home, arguments: &[&str]) -> Command {
        let mut command = home.program(arguments);
        command.env("MANICTIME_DATA_DIR", self.own.path());
        command
    }

    /// Runs a command line in `home`.
    pub(super) fn run(&self, home: &Home, line: &str) -> Output {
        let program = self.program(home, &[]);
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).env_clear().current_dir(home.path()).stdin(Stdio::null());
        shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        // An editor that doesn't change the text.
        shell.env("EDITOR", "true").output().unwrap()
    }
}

/// Puts the demo into the cache for every hour of these days, so that the program finds it for the current hour.
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
