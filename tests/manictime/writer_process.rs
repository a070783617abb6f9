//! A writer in another process, like `ManicTime`. A writer in the same process isn't enough, because locks and shared
//! memory work differently within one process.
//!
//! The test binary starts itself and runs a single ignored test. That test runs the commands from its stdin.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rusqlite::Connection;

/// The environment variable with the file to which the started process writes.
const FILE: &str = "DAYLEDGER_TEST_WRITES";
/// The prefix of responses in the output of the test harness.
const ANSWER: &str = "answer:";

/// Another process with one connection to a history.
pub(super) struct WriterProcess {
    child: Child,
    orders: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl WriterProcess {
    /// Starts the process. It opens `database` and fails immediately if the file is locked.
    pub(super) fn open(database: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["manictime::writer_process::writer_process_main", "--exact", "--ignored", "--nocapture"])
            .env(FILE, database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (orders, replies) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, orders, replies }
    }

    /// Runs statements and waits for the result. If a statement fails, returns the error of `SQLite`.
    pub(super) fn run(&mut self, sql: &str) -> Result<(), String> {
        self.start(sql);
        self.finish()
    }

    /// Starts to run statements without waiting for the result.
    pub(super) fn start(&mut self, sql: &str) {
        writeln!(self.orders, "{}", sql.replace('\n', " ")).unwrap();
        self.orders.flush().unwrap();
    }

    /// Waits for the result of the started statements.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        loop {
            let mut line = String::new();
            assert_ne!(self.replies.read_line(&mut line).unwrap(), 0, "the writer process ended");
            match line.trim_end().split_once(ANSWER) {
                Some((_, "")) => return Ok(()),
                Some((_, complaint)) => return Err(complaint.to_owned()),
                None => {}
            }
        }
    }

    /// Kills the process immediately, like a crash.
    pub(super) fn crash(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Lets the process close its connection and end. Waits for its end.
    pub(super) fn close(mut self) {
        self.run("close").unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for WriterProcess {
    fn drop(&mut self) {
        // The process may have ended already, so errors are ignored.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "WriterProcess starts it"]
fn writer_process_main() {
    #[expect(clippy::disallowed_methods, reason = "the process that starts this one names the file")]
    let Some(database) = std::env::var_os(FILE) else { return };
    let connection = Connection::open(database).unwrap();
    connection.execute_batch("PRAGMA busy_timeout = 0").unwrap();
    let mut out = std::io::stdout();
    for order in std::io::stdin().lock().lines().map_while(Result::ok) {
        if order == "close" {
            connection.close().unwrap();
            writeln!(out, "{ANSWER}").unwrap();
            return;
        }
        let complaint = connection.execute_batch(&order).err().map(|error| error.to_string().replace('\n', " "));
        writeln!(out, "{ANSWER}{}", complaint.unwrap_or_default()).unwrap();
        out.flush().unwrap();
    }
}
