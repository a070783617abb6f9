//! Tests the completion of the command line, and the manual pages of packages.

use std::collections::BTreeSet;
use std::fs;

use dayledger_fixtures::{Activity, Group, HistoryWriter, SchemaOptions, Span, Timeline};

use super::program::{Home, demo, folder_hash, write_demo};
#[cfg(unix)]
use super::pseudo_terminal::Terminal;
use super::{stderr_of, stdout_of};

/// Returns the commands that the help lists.
fn commands(home: &Home) -> BTreeSet<String> {
    let help = stdout_of(&mut home.program(["--help"]));
    // The groups of commands come before the options.
    let groups = help.lines().take_while(|line| *line != "Options:");
    groups.filter_map(|line| line.strip_prefix("  ")).map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

/// Returns the output of the program for a completion of the last of these words. The words are those after the name of
/// the program.
fn complete(home: &Home, words: &[&str]) -> Vec<String> {
    let index = words.len().to_string();
    let command = ["complete", "fish", &index, "--", "dayledger"];
    let output = stdout_of(home.program(command).args(words));
    let lines = output.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned());
    lines.collect()
}

/// Returns the candidates for the last of these words.
fn candidates(home: &Home, words: &[&str]) -> Vec<String> {
    let mut lines = complete(home, words);
    assert_eq!(lines.remove(0), "values", "{words:?}");
    lines
}

#[test]
fn every_shell_has_a_script() {
    let home = Home::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = stdout_of(&mut home.program(["completions", shell]));
        assert!(text.contains(&format!("complete {shell} ")) && text.contains("files"), "{shell}: {text}");
    }
}

#[test]
fn commands_and_options_are_completed() {
    let home = Home::new();
    let visible = commands(&home);
    let found: BTreeSet<_> = candidates(&home, &[""]).into_iter().filter(|name| name != "help").collect();
    assert_eq!(found, visible, "hidden commands are left out");
    assert_eq!(candidates(&home, &["unin"]), ["uninstall"]);
    assert_eq!(candidates(&home, &["timesheet", "projects", "i"]), ["import"]);
    assert_eq!(candidates(&home, &["day", "--seg"]), ["--segments"]);
    assert_eq!(candidates(&home, &["--demo", "day", "--data-"]), ["--data-dir"], "global options fit everywhere");
    assert!(candidates(&home, &["today", ""]).contains(&"--titles".to_owned()));
    assert_eq!(candidates(&home, &["find", "--", "--f"]), [""; 0], "after `--`, a word is not an option");
    assert_eq!(candidates(&home, &["install", "cursor", "--", "--hide-s"]), ["--hide-site"], "the options of `serve`");
}

#[test]
fn values_of_options_are_completed() {
    let home = Home::new();
    assert_eq!(candidates(&home, &["completions", "z"]), ["zsh"]);
    assert_eq!(candidates(&home, &["--color", "al"]), ["always"]);
    assert_eq!(candidates(&home, &["--color=al"]), ["--color=always"]);
    assert_eq!(candidates(&home, &["serve", "--toolsets", "sql,no"]), ["sql,notes"]);
    assert_eq!(
        candidates(&home, &["serve", "--tools", "get_act"]),
        ["get_activity_narrative", "get_activities", "get_actions"]
    );
    assert_eq!(complete(&home, &["--data-dir", ""]), ["files"]);
    assert_eq!(complete(&home, &["--config", "x"]), ["files"]);
}

#[test]
fn dates_are_completed_word_by_word() {
    let home = Home::new();
    assert_eq!(candidates(&home, &["day", "y"]), ["yesterday"]);
    assert_eq!(candidates(&home, &["period", "last w"]), ["last week"]);
    assert_eq!(candidates(&home, &["period", "last", "w"]), ["week"]);
    assert_eq!(candidates(&home, &["find", "x", "--from", "this", "m"]), ["month"]);
    assert_eq!(candidates(&home, &["timesheet", "draft", "last", "w"]), ["week"]);
    assert_eq!(candidates(&home, &["period", "today", "yest"]), ["yesterday"]);
}

#[test]
fn devices_tags_and_projects_of_the_history_are_completed() {
    let (home, data) = (Home::new(), demo());
    let folder = data.path().to_str().unwrap();
    home.configure("[[rules]]\napp = 'x'\nproject = 'Nordlys'\n");
    let of = |words: &[&str]| candidates(&home, &[&["--data-dir", folder], words].concat());
    assert_eq!(of(&["day", "--device", ""]), ["LAPTOP", "WORKSTATION"]);
    let [tags, projects] = ["--tag", "--project"].map(|option| of(&["day", option, "no"]));
    assert!(tags.iter().any(|tag| tag.starts_with("Northwind Ltd, ")), "case is ignored: {tags:?}");
    assert_eq!(projects, ["Northwind Ltd", "Nordlys"], "tags and rules name projects");
    assert_eq!(of(&["day", "--tag", &tags[0]]), [tags[0].clone()]);
}

/// After an hour, `--demo` needs a new history. A completion used to list no names until the user ran a command.
#[test]
fn names_of_an_older_demo_history_are_completed() {
    let home = Home::new();
    let folder = home.cached_demos().join("2026-11-19-10");
    fs::create_dir_all(&folder).unwrap();
    write_demo(&folder);
    assert_eq!(candidates(&home, &["--demo", "day", "--device", ""]), ["LAPTOP", "WORKSTATION"]);
}

#[test]
fn projects_and_tasks_of_the_timesheet_are_completed() {
    let (home, data) = (Home::new(), demo());
    home.configure("[[timesheet.projects]]\ncode = 'ACME'\nname = 'Acme Inc'\ntasks = ['Design', 'Build']\n");
    let start = |words: &[&str]| candidates(&home, &[&["timesheet", "start"], words].concat());
    assert_eq!(start(&[""]), ["ACME"], "without a ledger");
    let imported = home.folder("projects.csv");
    fs::write(&imported, "code,name,task\nNORDLYS,Nordlys AS,Reports\n").unwrap();
    let import = ["timesheet", "projects", "import", imported.to_str().unwrap()];
    assert!(home.program_for(data.path(), import).output().unwrap().status.success());
    let before = folder_hash(home.path());
    assert_eq!(start(&[""]), ["ACME", "NORDLYS"], "with the projects of the ledger");
    assert_eq!(start(&["acme", "d"]), ["Design"], "case is ignored");
    assert_eq!(start(&["Nordlys AS", ""]), ["Reports"]);
    assert_eq!(start(&["other", "r"]), [""; 0]);
    assert_eq!(folder_hash(home.path()), before, "a completion doesn't change the ledger");
    assert_eq!(candidates(&home, &["--demo", "timesheet", "start", "ha"]), ["HARBOUR"]);
}

#[test]
fn questions_and_their_values_are_completed() {
    let home = Home::new();
    let other = home.folder("other.toml");
    fs::write(&other, include_str!("questions.toml")).unwrap();
    let of = |words: &[&str]| candidates(&home, &[&["--config", other.to_str().unwrap(), "ask"], words].concat());
    assert_eq!(of(&[""]), ["client_hours", "focus", "extra_hours"]);
    assert_eq!(of(&["extra_hours", "--from"]), ["--from-hour"]);
    assert_eq!(of(&["extra_hours", "--when", "w"]), ["weekend"]);
    assert_eq!(of(&["client_hours", "--period", "last w"]), ["last week"]);
    assert_eq!(of(&["focus", "--day", "yest"]), ["yesterday"]);
    assert_eq!(candidates(&home, &["--config", "~/other.toml", "ask", "foc"]), ["focus"], "`~` is the home folder");
}

/// A tag can contain an address. The server hides it from an assistant, and a completion can be on a shared screen.
#[test]
fn names_that_the_server_hides_are_not_completed() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    let mut writer = HistoryWriter::in_folder(data.path(), SchemaOptions::default()).unwrap();
    writer.add_environment("desk", "desk", None).unwrap();
    writer.add_timeline(&Timeline::tags(1, "desk")).unwrap();
    for (name, hour) in [("Northwind", 9), ("https://portal.example/secret", 10)] {
        let group = writer.add_group(1, &Group::tag(name)).unwrap();
        let list = writer.add_group_list(1, name, &[group], false).unwrap();
        let time = Span::local(&format!("2025-01-15 {hour:02}:00:00"), &format!("2025-01-15 {hour:02}:30:00"), 0);
        writer.add_activity(1, &Activity::new(name, time.unwrap()).group_list(list)).unwrap();
    }
    writer.finish().unwrap();
    let words = ["--data-dir", data.path().to_str().unwrap(), "day", "--tag", ""];
    assert_eq!(candidates(&home, &words), ["https://portal.example/secret", "Northwind"]);
    home.configure("[serve]\nredact = ['urls']\n");
    assert_eq!(candidates(&home, &words), ["Northwind"]);
}

#[test]
fn a_completion_never_fails_and_never_changes_a_file() {
    let (home, data) = (Home::new(), demo());
    let before = (folder_hash(home.path()), folder_hash(data.path()));
    let folder = data.path().to_str().unwrap();
    for words in [
        &["--data-dir", "nowhere", "day", "--device", ""][..],
        &["--config", "nowhere.toml", "day", "--tag", ""],
        &["--demo", "day", "--tag", ""],
        &["day", "--unknown", ""],
        &["no such command", ""],
        &["ask", "unknown", "--"],
        &["timesheet", "start", ""],
        &["day", "--tag", "\u{1b}[31m"],
    ] {
        complete(&home, words);
    }
    complete(&home, &["--data-dir", folder, "day", "--tag", ""]);
    assert_eq!((folder_hash(home.path()), folder_hash(data.path())), before);
    home.configure("not a configuration");
    assert_eq!(candidates(&home, &["--data-dir", folder, "day", "--device", ""]), [""; 0]);
    assert_eq!(candidates(&home, &["ask", "x"]), [""; 0]);
    // A request that isn't complete is an unknown command.
    stderr_of(&mut home.program(["complete"]), 2);
}

/// Writes the script for bash, and a link to the program into a folder in `PATH`. Returns the path of the script.
#[cfg(unix)]
fn bash_script(home: &Home) -> std::path::PathBuf {
    let script = home.folder("completions.bash");
    fs::write(&script, stdout_of(&mut home.program(["completions", "bash"]))).unwrap();
    let program = home.folder("programs/dayledger");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dayledger"), program).unwrap();
    script
}

/// Returns a command that runs bash in the environment of the program.
#[cfg(unix)]
fn bash(home: &Home, arguments: &[&str]) -> std::process::Command {
    let program = home.program([""; 0]);
    let mut bash = std::process::Command::new("bash");
    bash.args(arguments).env_clear().current_dir(home.path());
    bash.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    bash
}

#[cfg(unix)] // the test needs bash
#[test]
fn bash_completes_the_word_under_the_cursor() {
    let home = Home::new();
    let script = bash_script(&home);
    for (words, index, completed) in [
        ("dayledger unin", 1, "uninstall"),
        ("dayledger period last\\ w", 2, r"last\ week"),
        ("dayledger --color = al", 3, "always"),
        ("dayledger doc --demo", 1, "doctor"),
    ] {
        let script = format!(
            "set -eu; . {}; COMP_WORDS=({words}); COMP_CWORD={index}; _dayledger dayledger; echo \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let output = stdout_of(&mut bash(&home, &["--norc", "-c", &script]));
        assert_eq!(output.trim(), completed, "{words}");
    }
}

#[cfg(unix)] // the test needs a Unix pseudo-terminal
#[test]
fn tab_completes_in_an_interactive_bash() {
    let home = Home::new();
    bash_script(&home);
    fs::write(home.folder("a folder"), "").unwrap();
    let mut terminal = Terminal::open(bash(&home, &["--norc", "--noprofile", "-i"]).env("PS1", "ready> "));
    terminal.wait_for("ready>");
    terminal.press(". ./completions.bash\r");
    terminal.wait_for("bash\nready>");
    for (typed, completed) in [
        ("unin\t", "dayledger uninstall "),
        ("period \"last w\t", "dayledger period \"last week\" "),
        ("period last w\t", "dayledger period last week "),
        ("--color=al\t", "dayledger --color=always "),
        ("--config=a\\ f\t", "dayledger --config=a\\ folder "),
        ("--data-dir a\\ f\t", "dayledger --data-dir a\\ folder "),
    ] {
        terminal.press(&format!("dayledger {typed}"));
        terminal.press("#");
        terminal.wait_for(&format!("ready> {completed}#"));
        // Not Ctrl-C: a signal that arrives just before Bash waits for a key is handled only after the next key.
        terminal.press("\x15");
        terminal.wait("an empty prompt", |screen| screen.contents().trim_end().ends_with("ready>"));
    }
    terminal.press("exit\r");
    terminal.end();
}

#[test]
fn every_command_has_a_manual_page() {
    let home = Home::new();
    let folder = home.folder("manual");
    stdout_of(home.program(["manual"]).arg(&folder));
    let pages: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.matches('-').count() < 2)
        .collect();
    let expected = commands(&home).into_iter().map(|name| format!("dayledger-{name}.1"));
    assert_eq!(pages, expected.chain(["dayledger.1".to_owned()]).collect());
    let page = fs::read_to_string(folder.join("dayledger-uninstall.1")).unwrap();
    assert!(page.contains("Disconnect an AI assistant from dayledger"), "{page}");
}
