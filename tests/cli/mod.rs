//! Tests the commands as a user or a script runs them.

#![expect(clippy::unwrap_used, reason = "a failing test panics")]

mod activitywatch;
mod ask;
mod balance;
mod billing;
mod client_page;
mod completions;
mod configuration;
mod day_and_period;
mod day_start;
mod demo;
mod doctor;
mod export;
mod find;
mod html;
mod install;
mod notes;
mod opened_exports;
mod plugin;
pub(crate) mod program;
#[cfg(unix)] // the test needs a Unix pseudo-terminal
pub(crate) mod pseudo_terminal;
mod report;
mod rules;
mod sql;
#[cfg(unix)] // the test needs a Unix pseudo-terminal
mod terminal;
mod timesheet;
#[cfg(unix)] // the editor is a shell script
mod timesheet_edit;
mod timesheet_pages;
mod timesheet_push;
mod timesheet_rules;
mod toolsets;
mod why;
#[cfg(unix)] // the time zone is set with the variable TZ
mod year_of_work;

use std::process::{Command, Output};

/// Runs a command with an empty stdin. Returns its output.
fn run(command: &mut Command) -> Output {
    command.stdin(std::process::Stdio::null()).output().unwrap()
}

/// Returns the stdout of a command. Checks that the command succeeds and writes nothing to stderr.
#[track_caller]
fn stdout_of(command: &mut Command) -> String {
    let output = run(command);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the stderr of a command. Checks that the command fails with exit code `code` and writes nothing to stdout.
#[track_caller]
fn stderr_of(command: &mut Command, code: i32) -> String {
    let output = run(command);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), stdout.as_str()), (Some(code), ""), "{command:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Checks that a command fails with exit code 1. Its output must be one line with the error, and a hint that contains
/// `hint`.
#[track_caller]
fn assert_fails(command: &mut Command, message: &str, hint: &str) {
    let stderr = stderr_of(command, 1);
    let lines: Vec<_> = stderr.lines().collect();
    assert!(lines.first().is_some_and(|line| line.starts_with("error: ") && line.contains(message)), "{stderr}");
    assert!(lines.get(1).is_some_and(|line| line.starts_with("hint: ") && line.contains(hint)), "{stderr}");
    assert_eq!(lines.len(), 2, "{stderr}");
}

/// Creates a named pipe.
#[cfg(unix)]
pub(crate) fn make_pipe(path: &std::path::Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs a command under a file size limit. The system kills the command in the middle of writing a file, so the command
/// can't clean up.
#[cfg(unix)]
#[track_caller]
fn assert_killed_while_writing(command: &mut Command) {
    use std::os::unix::process::ExitStatusExt;

    let mut limited = Command::new("sh");
    // The limit is one block of 512 or 1024 bytes. No core dump is written.
    limited
        .args(["-c", "ulimit -c 0; ulimit -f 1; exec \"$@\"", "sh"])
        .arg(command.get_program())
        .args(command.get_args());
    limited.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited.current_dir(command.get_current_dir().unwrap());
    let output = run(&mut limited);
    assert!(output.status.signal().is_some(), "the program was not killed: {output:?}");
}
