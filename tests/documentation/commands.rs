//! Runs every command on the pages, and compares its output with the output on the page.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::blocks::{Example, blocks, leaves_out, matches_output};
use super::pages;
use super::parts::{compare, is_updating};
use super::shell::Histories;
use crate::cli::program::Home;
use crate::source_rules::sources::SourceFile;

/// The beginnings of commands that are not run, each with the reason.
const NOT_RUN: [(&str, &str); 7] = [
    ("cargo test", "it is what runs this"),
    ("cargo install", "it builds the program once more, optimised"),
    ("cargo build", "it builds the program once more"),
    ("dayledger-fleet", "it is built apart, and its own tests run it"),
    ("python3 benches/", "it measures for half an hour, with packages of a registry"),
    ("sudo python3 benches/", "it measures for half an hour, as root"),
    ("DAYLEDGER_UPDATE_DOCS=1 cargo test", "it writes the pages"),
];
/// Pages whose commands are not run, with the reason.
const SKIPPED_PAGES: [(&str, &str); 1] =
    [("docs/operating-a-fleet.md", "it is for a machine with nothing else on it, as root")];
/// The beginning of commands that start the program from a checkout. The test runs the built program instead.
const FROM_CHECKOUT: &str = "cargo run --locked -- ";
/// The number of pages that are tested in parallel.
const WORKERS: usize = 4;
/// The configurations that the commands of some pages need, by page.
const CONFIGURED: [(&str, &str); 6] = [
    ("docs/balance.md", include_str!("../cli/targets.toml")),
    ("docs/billing.md", include_str!("../cli/billing.toml")),
    ("docs/export-to-trackers.md", include_str!("../cli/trackers.toml")),
    ("docs/configuration.md", include_str!("../cli/rules.toml")),
    ("docs/questions.md", include_str!("../cli/questions.toml")),
    ("docs/timesheet.md", "[timesheet]\nhours_per_day = 8\n"),
];

/// Returns the command to run, or `None` if the command is not run.
fn runnable(command: &str) -> Option<String> {
    if NOT_RUN.iter().any(|(begin, _)| command.starts_with(begin)) {
        return None;
    }
    Some(command.strip_prefix(FROM_CHECKOUT).map_or_else(|| command.to_owned(), |rest| format!("dayledger {rest}")))
}

/// Returns the output of a command: stdout, then stderr. A command in a session may fail. A command in a script must
/// succeed.
fn command_output(histories: &Histories, home: &Home, example: &Example, command: &str) -> Result<String, String> {
    if !command.starts_with("dayledger ") {
        return Err("is not a command of dayledger, and not in the list of skipped commands".to_owned());
    }
    let output = histories.run(home, command);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let is_failure = example.output.as_ref().is_some_and(|text| text.starts_with("error: "));
    let text = stdout + &stderr;
    if output.status.code() == Some(i32::from(is_failure)) { Ok(text) } else { Err(format!("fails and says\n{text}")) }
}

/// Returns the output that the page should show.
fn expected_output(histories: &Histories, home: &Home, example: &Example, command: &str) -> Result<String, String> {
    let actual = command_output(histories, home, example, command)?;
    let Some(expected) = &example.output else { return Ok(String::new()) };
    let is_right = matches_output(expected, &actual);
    match (is_right, is_updating() && !leaves_out(expected)) {
        (true, _) => Ok(expected.clone()),
        (false, true) => Ok(actual),
        (false, false) => Err(format!("says\n{actual}and not\n{expected}")),
    }
}

/// Runs the commands of a page. Returns their number, and adds errors to `faults`.
fn run(histories: &Histories, page: &SourceFile, faults: &Mutex<Vec<String>>) -> usize {
    if SKIPPED_PAGES.iter().any(|(name, _)| *name == page.path) {
        return 0;
    }
    let configuration = CONFIGURED.iter().find(|(name, _)| *name == page.path).map_or("", |(_, text)| text);
    let home = histories.home(configuration);
    let (mut count, mut right) = (0, page.text.clone());
    for block in blocks(page) {
        let mut session = String::new();
        for example in block.commands() {
            let Some(command) = runnable(&example.command) else { continue };
            count += 1;
            match expected_output(histories, &home, &example, &command) {
                Ok(output) => session.extend(["$ ", command.as_str(), "\n", output.as_str()]),
                Err(fault) => {
                    let fault = format!("{}, line {}: `{command}` {fault}", page.path, block.line);
                    faults.lock().unwrap().push(fault);
                }
            }
        }
        if block.language == "text" && !session.is_empty() {
            right = right.replacen(block.text, &session, 1);
        }
    }
    if is_updating() {
        compare(&page.path, |_| right);
    }
    count
}

#[test]
fn commands_print_the_output_that_pages_show() {
    let histories = Histories::get_shared();
    let (pages, faults, count) = (Mutex::new(pages()), Mutex::new(Vec::new()), AtomicUsize::new(0));
    let next = || pages.lock().unwrap().pop();
    // Each page has its own home folder, so pages can be tested in parallel.
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(page) = next() {
                    count.fetch_add(run(&histories, &page, &faults), Ordering::Relaxed);
                }
            });
        }
    });
    let (faults, count) = (faults.into_inner().unwrap(), count.into_inner());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 40, "only {count} commands were found");
}

#[test]
fn statements_on_the_pages_run() {
    let histories = Histories::get_shared();
    let home = histories.home("");
    for page in pages().iter().filter(|page| is_of_the_program(page)) {
        // One process runs all statements of a page, as a script. An error contains the line in this script.
        let blocks = blocks(page);
        let statements: Vec<_> =
            blocks.iter().filter(|block| block.language == "sql").map(|block| block.text).collect();
        if statements.is_empty() {
            continue;
        }
        let script = statements.join(";\n");
        let output = histories.program(&home, &["--demo", "sql", "-c", &script]).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {stderr}\n{script}", page.path);
    }
}

#[test]
fn configurations_on_the_pages_are_valid() {
    let histories = Histories::get_shared();
    for page in pages() {
        for block in blocks(&page).iter().filter(|block| block.language == "toml") {
            let home = histories.home(block.text);
            let output = histories.program(&home, &["--demo", "timesheet", "projects", "list"]).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}, line {}: {stderr}", page.path, block.line);
        }
    }
}

/// Whether this test runs the statements of a page. It leaves out decisions, because their statements are for other
/// engines. The tests of the crate `fleet` run the statements on the page about the fleet.
fn is_of_the_program(page: &SourceFile) -> bool {
    !page.path.starts_with("docs/decisions/") && page.path != "docs/fleet.md"
}
