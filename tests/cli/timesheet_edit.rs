//! Tests `timesheet edit`, which opens a draft in the user's editor. In these tests, the editor is a script.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::program::Home;
use super::pseudo_terminal::Terminal;
use super::timesheet::{WEEK, at_work, json, sum, timesheet};
use super::{assert_fails, run};

/// Sets an editor that runs `script`. The first argument of the script is the file.
fn editing<'c>(command: &'c mut Command, home: &Home, script: &str) -> &'c mut Command {
    let file = home.folder("editor.sh");
    fs::write(&file, format!("#!/bin/sh\nset -e\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o700)).unwrap();
    command.env("EDITOR", file).env("PATH", "/usr/bin:/bin")
}

/// Returns the paths of the saved texts.
fn saved_texts(home: &Home) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![home.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if name.starts_with("draft-") {
                found.push(entry.path());
            }
        }
    }
    found
}

fn name_of(file: &Path) -> &str {
    file.file_name().unwrap().to_str().unwrap()
}

/// A script that keeps one row of two hours and adds a line.
const CHANGE: &str = "\
    row=$(grep -m 1 '^[0-9.]* *| NORTHWIND' \"$1\")\n\
    { grep '^# Draft' \"$1\"; grep -B 99 -F \"$row\" \"$1\" | grep '^2026-11-' | tail -n 1; \
      echo \"2h00m |${row#*|}\"; echo '0.5 | harbour / stock | | counted by hand'; } > \"$1.new\"\n\
    mv \"$1.new\" \"$1\"";

fn logged_hours_and_lines(week: &Value) -> (i64, usize) {
    (sum(week, "logged"), week["lines"].as_array().unwrap().iter().filter(|line| line["status"].is_string()).count())
}

#[test]
fn edited_rows_are_logged_and_no_longer_drafted() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let before = json(&mut of(&[WEEK, "--json"]));
    let edited = run(editing(&mut of(&["edit", WEEK]), &home, CHANGE));
    let output = String::from_utf8(edited.stdout).unwrap();
    assert!(edited.status.success(), "{output}{}", String::from_utf8_lossy(&edited.stderr));
    assert!(output.contains("Logged 2 entries, 2.5 h.\n") && output.contains("HARBOUR / Stock"), "{output}");
    let after = json(&mut of(&[WEEK, "--json"]));
    assert_eq!(logged_hours_and_lines(&after), (2_50, 2));
    assert!(sum(&after, "drafted") < sum(&before, "drafted"), "the row's evidence is covered");
    assert_eq!(saved_texts(&home), Vec::<PathBuf>::new());
}

#[test]
fn unchanged_or_empty_text_logs_nothing() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    assert_fails(editing(&mut of(&["edit", WEEK]), &home, ":"), "nothing was logged", " timesheet`");
    assert_fails(editing(&mut of(&["edit", WEEK]), &home, "exit 3"), "exit status: 3; nothing was logged", "VISUAL");
    assert_fails(of(&["edit", WEEK]).env("EDITOR", "no-such-editor"), "cannot start: ", "VISUAL");
    assert_fails(&mut of(&["edit", WEEK]), "neither VISUAL nor EDITOR is set", "EDITOR");
    let emptied = run(editing(&mut of(&["edit", WEEK]), &home, ": > \"$1\""));
    assert_eq!(String::from_utf8(emptied.stdout).unwrap(), "Nothing was logged.\n");
    assert_eq!((logged_hours_and_lines(&json(&mut of(&[WEEK, "--json"]))), saved_texts(&home)), ((0, 0), Vec::new()));
}

#[test]
fn invalid_line_is_marked_and_the_text_can_be_edited_again() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let wrong = format!("{CHANGE}\nsed -i 's,harbour / stock,harbour / stok,' \"$1\"");
    let given_up = run(editing(&mut of(&["edit", WEEK]), &home, &wrong));
    let message = String::from_utf8(given_up.stderr).unwrap();
    assert_eq!(given_up.status.code(), Some(1), "{message}");
    let files = saved_texts(&home);
    assert!(message.contains("1 line cannot be logged") && message.contains("edit --resume "), "{message}");
    assert_eq!(message.matches(name_of(&files[0])).count(), 2, "{message}");
    let text = fs::read_to_string(&files[0]).unwrap();
    let (before, mark) = text.split_once("\n#^ ").unwrap();
    assert!(before.ends_with("0.5 | harbour / stok | | counted by hand") && mark.contains("`Stock`"), "{text}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(&files[0]), mode(files[0].parent().unwrap())),
        (0o600, 0o700),
        "other users can't read the file and its folder"
    );
    assert_eq!(logged_hours_and_lines(&json(&mut of(&[WEEK, "--json"]))), (0, 0));

    let mut resumed = of(&["edit", "--resume", files[0].to_str().unwrap()]);
    let resumed = run(editing(&mut resumed, &home, "sed -i 's,/ stok,/ stock,' \"$1\""));
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(logged_hours_and_lines(&json(&mut of(&[WEEK, "--json"]))), (2_50, 2));
    assert_eq!(saved_texts(&home), Vec::<PathBuf>::new());
}

#[test]
fn editor_reopens_on_request() {
    let (home, data) = at_work();
    // The first run of the script makes a mistake, and the second run corrects it.
    let script = format!(
        "if grep -q '^#^' \"$1\"; then sed -i 's,/ stok,/ stock,' \"$1\"; exit; fi\n{CHANGE}\n\
         sed -i 's,harbour / stock,harbour / stok,' \"$1\""
    );
    let mut command = timesheet(&home, data.path(), &["edit", WEEK]);
    let mut terminal = Terminal::open(editing(&mut command, &home, &script));
    terminal.wait_for("Open the editor again? [y/N]");
    terminal.press("y\r");
    terminal.wait_for("Logged 2 entries, 2.5 h.");
    assert!(terminal.end());

    let mut command = timesheet(&home, data.path(), &["log", WEEK]);
    let mut terminal = Terminal::open(editing(&mut command, &home, ":"));
    terminal.wait_for("of these rows");
    terminal.press("n\r");
    terminal.wait_for("nothing was logged");
    assert!(terminal.end(), "declining is not an error");
    assert_eq!(logged_hours_and_lines(&json(&mut timesheet(&home, data.path(), &[WEEK, "--json"]))), (2_50, 2));
}

/// Rejected rows stay in the text. When they are retried, rows that were already logged are not logged again.
#[test]
fn rejected_rows_can_be_retried_without_logging_others_twice() {
    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    // While the user edits the draft, another program logs the same rows.
    let program = env!("CARGO_BIN_EXE_dayledger");
    let meanwhile = format!(
        "{CHANGE}\n'{program}' --data-dir '{}' timesheet log {WEEK} --yes > '{}' || true",
        data.path().display(),
        home.folder("meanwhile").display()
    );
    let refused = run(editing(&mut of(&["edit", WEEK]), &home, &meanwhile));
    let (output, hint) = (String::from_utf8(refused.stdout).unwrap(), String::from_utf8(refused.stderr).unwrap());
    assert_eq!(refused.status.code(), Some(1), "{output}{hint}");
    assert!(
        output.contains("Logged 1 entry, 0.5 h.") && output.contains("are also evidence of time entry"),
        "{output}"
    );
    let files = saved_texts(&home);
    assert!(hint.contains(name_of(&files[0])), "{hint}");
    let before = logged_hours_and_lines(&json(&mut of(&[WEEK, "--json"])));
    let mut resumed = of(&["edit", "--resume", files[0].to_str().unwrap()]);
    run(editing(&mut resumed, &home, "echo '# again' >> \"$1\""));
    assert_eq!(logged_hours_and_lines(&json(&mut of(&[WEEK, "--json"]))), before);
}

/// The user logs unassigned time to a project. The folders and sites of this time become suggested rules. With these
/// rules, similar time is assigned to the project in the future.
#[test]
fn correction_is_printed_as_a_rule_to_paste() {
    const NAMED: &str = r#"sed -i 's~^# \([0-9.]* *\)| ? / ? *|~\1| HARBOUR / Stock |~; t; /^[0-9.]* *|/d' "$1""#;

    let (home, data) = at_work();
    let of = |arguments: &[&str]| timesheet(&home, data.path(), arguments);
    let nothing = json(&mut of(&["rules", "--json"]));
    assert_eq!(nothing["rules"], serde_json::json!([]), "nothing was logged");
    let edited = run(editing(&mut of(&["edit", WEEK]), &home, NAMED));
    assert!(edited.status.success(), "{}", String::from_utf8_lossy(&edited.stdout));
    let unlogged =
        |week: &Value| week["lines"].as_array().unwrap().iter().filter(|line| line["projectCode"].is_null()).count();
    assert_eq!(unlogged(&json(&mut of(&[WEEK, "--json"]))), 0, "it is all logged");

    let proposed = json(&mut of(&["rules", "--json"]));
    let rules = proposed["rules"].as_array().unwrap();
    assert!(!rules.is_empty(), "{proposed}");
    for rule in rules {
        let text = rule["rule"].as_str().unwrap();
        assert!(text.contains("project = \"HARBOUR\"\ntask = \"Stock\"\n"), "{text}");
        assert_eq!(rule["share"], 100);
    }
    let output = super::stdout_of(&mut of(&["rules"]));
    assert!(output.contains("[[rules]]") && output.contains("100 % of its logged time"), "{output}");

    // When the suggested rules are in the configuration, they match the corrected time. Therefore no more rules are
    // suggested.
    let rules: String = rules.iter().map(|rule| rule["rule"].as_str().unwrap()).collect();
    let configuration = fs::read_to_string(home.configuration()).unwrap();
    fs::write(home.configuration(), format!("{configuration}\n{rules}")).unwrap();
    assert_eq!(json(&mut of(&["rules", "--json"]))["rules"], serde_json::json!([]));
}
