//! Programs that log entries and tell it, each a test that another one starts.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use dayledger_timesheet::{EntryId, IdempotencyKey};

/// What a program writes before the key and the id of each entry that it has logged.
const ACKNOWLEDGED: &str = "acknowledged";

/// What it says where it has logged an entry and does not tell.
const SILENT: &str = "logged, and nobody is told";

/// What a program was told.
pub(crate) fn read_input_lines() -> Vec<String> {
    let mut told = String::new();
    std::io::stdin().read_to_string(&mut told).unwrap();
    told.lines().map(str::to_owned).collect()
}

/// Tells of an entry that is logged.
pub(crate) fn acknowledge(key: IdempotencyKey, id: EntryId) {
    let mut output = std::io::stdout();
    writeln!(output, "{ACKNOWLEDGED} {key} {id}").unwrap();
    output.flush().unwrap();
}

/// Tells of nothing until it is killed.
pub(crate) fn wait_until_killed() -> ! {
    let mut output = std::io::stdout();
    writeln!(output, "{SILENT}").unwrap();
    output.flush().unwrap();
    loop {
        std::thread::park();
    }
}

/// A program that runs; it is killed when it is dropped.
pub(crate) struct LoggingProgram {
    child: Arc<Mutex<Child>>,
    lines: Lines<BufReader<ChildStdout>>,
}

impl LoggingProgram {
    /// The test of that name, once it is there and waits to be told what to do.
    pub(crate) fn start(test: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--ignored", "--nocapture"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Wine cannot always start a program right after it killed another; the next attempt succeeds.
        let mut child = command.spawn().or_else(|_| command.spawn()).unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("running 1 test")));
        Self { child: Arc::new(Mutex::new(child)), lines }
    }

    /// Tells it all that it will be told.
    pub(crate) fn send(&self, lines: &[String]) {
        let mut input = self.child.lock().unwrap().stdin.take().unwrap();
        input.write_all(lines.join("\n").as_bytes()).unwrap();
    }

    /// The next entry that it has logged, or nothing once it has ended, whichever way.
    pub(crate) fn next_acknowledged(&mut self) -> Option<(IdempotencyKey, EntryId)> {
        // The first line shares its place with what the test runner says; the last may be cut off.
        self.lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, said) = line.split_once(ACKNOWLEDGED)?;
            let mut words = said.split_whitespace();
            Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
        })
    }

    /// Waits until it has logged an entry of which it does not tell.
    pub(crate) fn wait_until_silent(&mut self) -> bool {
        self.lines.by_ref().map_while(Result::ok).any(|line| line.contains(SILENT))
    }

    /// What kills it, at once and without a word to it.
    pub(crate) fn killer(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        let child = Arc::clone(&self.child);
        move || child.lock().unwrap().kill().unwrap()
    }

    /// Whether it ended as it should, once it has said all that it had to say.
    pub(crate) fn has_succeeded(&self) -> bool {
        self.child.lock().unwrap().wait().unwrap().success()
    }
}

impl Drop for LoggingProgram {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
