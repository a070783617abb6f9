//! A writer in another process, as `ManicTime` is one: locks and shared memory work differently within one process.
//!
//! The test binary starts itself again with one ignored test, which carries out what it reads from stdin.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rusqlite::Connection;

/// The file that the started process writes.
const FILE: &str = "DAYLEDGER_TEST_WRITES";
/// Marks the answers among what the test harness prints.
const ANSWER: &str = "answer:";

/// Another process with one connection to a history.
pub(super) struct WriterProcess {
    child: Child,
    orders: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl WriterProcess {
    /// Starts the process; it opens `database` and gives up at once where another holds it locked.
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

    /// Runs statements and waits for the outcome: nothing, or `SQLite`'s complaint.
    pub(super) fn run(&mut self, sql: &str) -> Result<(), String> {
        self.start(sql);
        self.finish()
    }

    /// Begins to run statements and does not wait.
    pub(super) fn start(&mut self, sql: &str) {
        writeln!(self.orders, "{}", sql.replace('\n', " ")).unwrap();
        self.orders.flush().unwrap();
    }

    /// Waits for the outcome of what was started.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        loop {
            let mut line = String::new();
            assert_ne!(self.replies.read_line(&mut line).unwrap(), 0, "the writer has gone");
            match line.trim_end().split_once(ANSWER) {
                Some((_, "")) => return Ok(()),
                Some((_, complaint)) => return Err(complaint.to_owned()),
                None => {}
            }
        }
    }

    /// Ends the process in the midst of whatever it does, as a crash would.
    pub(super) fn crash(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Lets the process close its connection and end.
    pub(super) fn close(mut self) {
        self.run("close").unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for WriterProcess {
    fn drop(&mut self) {
        // It may have ended already; nothing is left to do then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[ignore = "it is what WriterProcess starts"]
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
