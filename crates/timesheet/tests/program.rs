//! Starts programs that log and acknowledge entries. Each program is an ignored test that another test starts.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use dayledger_timesheet::{EntryId, IdempotencyKey};

/// Precedes the key and the id of each acknowledged entry in the output of a program.
const ACKNOWLEDGED: &str = "acknowledged";

/// The line that a program prints after it logged an entry without acknowledging it.
const SILENT: &str = "logged without acknowledgement";

/// Reads the lines of a program's input.
pub(crate) fn read_input_lines() -> Vec<String> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    input.lines().map(str::to_owned).collect()
}

/// Acknowledges a logged entry by printing its key and its id.
pub(crate) fn acknowledge(key: IdempotencyKey, id: EntryId) {
    let mut output = std::io::stdout();
    writeln!(output, "{ACKNOWLEDGED} {key} {id}").unwrap();
    output.flush().unwrap();
}

/// Prints that an entry was logged without acknowledgement, and waits until the program is killed.
pub(crate) fn wait_until_killed() -> ! {
    let mut output = std::io::stdout();
    writeln!(output, "{SILENT}").unwrap();
    output.flush().unwrap();
    loop {
        std::thread::park();
    }
}

/// A running program, which is killed when this value is dropped.
pub(crate) struct LoggingProgram {
    child: Arc<Mutex<Child>>,
    lines: Lines<BufReader<ChildStdout>>,
}

impl LoggingProgram {
    /// Starts the test with this name as a program. The program then waits for its input.
    pub(crate) fn start(test: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test, "--ignored", "--nocapture"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Wine sometimes can't start a program right after it killed another one. A second attempt succeeds.
        let mut child = command.spawn().or_else(|_| command.spawn()).unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line.starts_with("running 1 test")));
        Self { child: Arc::new(Mutex::new(child)), lines }
    }

    /// Sends the whole input to the program.
    pub(crate) fn send(&self, lines: &[String]) {
        let mut input = self.child.lock().unwrap().stdin.take().unwrap();
        input.write_all(lines.join("\n").as_bytes()).unwrap();
    }

    /// Returns the next acknowledged entry, or `None` if the program has ended.
    pub(crate) fn next_acknowledged(&mut self) -> Option<(IdempotencyKey, EntryId)> {
        // The test runner prints to the first line too, and the last line may be truncated.
        self.lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, acknowledgement) = line.split_once(ACKNOWLEDGED)?;
            let mut words = acknowledgement.split_whitespace();
            Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
        })
    }

    /// Waits until the program has logged an entry without acknowledging it. Returns false if the program ended before.
    pub(crate) fn wait_until_silent(&mut self) -> bool {
        self.lines.by_ref().map_while(Result::ok).any(|line| line.contains(SILENT))
    }

    /// Returns a function that kills the program immediately.
    pub(crate) fn killer(&self) -> impl Fn() + Send + Sync + Clone + 'static {
        let child = Arc::clone(&self.child);
        move || child.lock().unwrap().kill().unwrap()
    }

    /// Whether the program succeeded. All of its output must have been read before.
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
