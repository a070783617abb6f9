//! Runs the program at a pseudo-terminal. Tests press keys and read the screen.

#![expect(clippy::panic, reason = "a failing test panics")]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, NativePtySystem, PtySize, PtySystem};

const PROMPT: &str = "dayledger>";
/// The maximum time for which the program may print nothing. After this time, a test fails.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The key Ctrl-C.
pub(super) const INTERRUPT: &str = "\x03";
/// The key Ctrl-D.
pub(super) const END: &str = "\x04";
/// The key Ctrl-L.
const CLEAR: &str = "\x0c";
/// The up arrow key.
pub(super) const UP: &str = "\x1b[A";

/// A terminal in which the program runs.
pub(crate) struct Terminal {
    screen: vt100::Parser,
    output: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Starts `command` in a terminal of 100 columns and 45 rows, and waits for its prompt.
    pub(crate) fn start(command: &Command) -> Self {
        let mut terminal = Self::open(command);
        terminal.wait("the first prompt", at_prompt);
        terminal
    }

    /// Starts `command` in a terminal without waiting.
    pub(crate) fn open(command: &Command) -> Self {
        let size = PtySize { rows: 45, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = NativePtySystem::default().openpty(size).unwrap();
        let mut inside = CommandBuilder::new(command.get_program());
        inside.args(command.get_args());
        inside.env_clear();
        inside.env("TERM", "xterm-256color");
        inside.env("LANG", "C.UTF-8");
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                inside.env(name, value);
            }
        }
        inside.cwd(command.get_current_dir().unwrap());
        let child = pair.slave.spawn_command(inside).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let size = |number| NonZeroU16::new(number).unwrap();
        let screen = vt100::Parser::new(size(45), size(100), 0);
        Self { screen, output, keys, child, _master: pair.master }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Returns the text on the screen, without trailing blanks.
    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents().trim_end().to_owned()
    }

    /// Returns the screen.
    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// Waits until `wanted` accepts the screen, and returns the screen's text. `what` describes the wanted screen in
    /// the failure message.
    #[track_caller]
    pub(crate) fn wait(&mut self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) -> String {
        while !wanted(self.screen.screen()) {
            match self.output.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("no {what}:\n{}", self.text()),
                Err(RecvTimeoutError::Disconnected) => panic!("no {what}, and the program has ended:\n{}", self.text()),
            }
        }
        self.text()
    }

    /// Waits until the screen shows `text`, and returns the screen's text.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        self.wait(text, |screen| screen.contents().contains(text))
    }

    /// Cancels the input or the running statement, and waits for the next prompt.
    #[track_caller]
    pub(super) fn interrupt(&mut self) {
        let (row, _) = self.screen().cursor_position();
        self.press(INTERRUPT);
        self.wait("prompt after Ctrl-C", |screen| screen.cursor_position().0 > row && at_prompt(screen));
    }

    /// Clears the screen, so that the prompt is on the first line.
    #[track_caller]
    pub(crate) fn clear(&mut self) {
        // The program handles earlier input and prints its output before it shows this prompt.
        self.wait("prompt", at_prompt);
        self.press(CLEAR);
        self.wait("empty screen", |screen| screen.cursor_position().0 == 0 && at_prompt(screen));
    }

    /// Enters lines on an empty screen, waits for the next prompt, and returns the output.
    #[track_caller]
    pub(crate) fn enter(&mut self, lines: &str) -> String {
        self.clear();
        self.press(&lines.replace('\n', "\r"));
        self.press("\r");
        self.wait("next prompt", |screen| screen.cursor_position().0 > 0 && at_prompt(screen));
        let text = self.text();
        let between = text.strip_suffix(PROMPT).unwrap();
        // The terminal echoes the input. The echo isn't part of the output.
        between.lines().skip(lines.lines().count()).collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    /// Ends the session with Ctrl-D. Returns whether the program succeeded.
    #[track_caller]
    pub(crate) fn leave(mut self) -> bool {
        self.wait("prompt", at_prompt);
        self.press(END);
        self.end()
    }

    /// Waits until the program has ended. Returns all text that it wrote to the terminal.
    pub(crate) fn output_until_end(self) -> String {
        let mut written = Vec::new();
        while let Ok(bytes) = self.output.recv_timeout(TIMEOUT) {
            written.extend(bytes);
        }
        String::from_utf8(written).unwrap()
    }

    /// Waits until the program has ended. Returns whether it succeeded.
    pub(crate) fn end(mut self) -> bool {
        // The output must be read, because otherwise the program can't end.
        while self.output.recv_timeout(TIMEOUT).is_ok() {}
        self.child.wait().unwrap().success()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // If the test passed, the program has already ended.
        let _ = self.child.kill();
    }
}

/// Whether the cursor is at a prompt without input.
fn at_prompt(screen: &vt100::Screen) -> bool {
    let (row, column) = screen.cursor_position();
    let (_, columns) = screen.size();
    let line = screen.rows(0, columns.get()).nth(usize::from(row)).unwrap_or_default();
    line.trim_end() == PROMPT && usize::from(column) == PROMPT.len() + 1
}
