//! Tests the search for the history. The order is the flag, the environment, the configuration file, and the platform's
//! default.

use std::fs;
use std::path::{Path, PathBuf};

use dayledger_fixtures::demo::{Plan, write};
use serde_json::Value;

use super::program::{Home, date, demo};
use super::sql::small_home;
use super::{assert_fails, stderr_of, stdout_of};
use crate::mcp::screenshots::store::Store;

/// Writes a small history into `dir`.
fn history(dir: &Path) {
    let plan = Plan { days: 1, activities_per_day: 20, ..Plan::new(date("2026-11-19")) };
    write(dir, &plan).unwrap();
}

/// Returns the file that `doctor --json` finds, and the setting by which it was found.
fn locate_history(command: &mut std::process::Command) -> (PathBuf, String) {
    let health: Value = serde_json::from_str(&stdout_of(command.args(["doctor", "--json"]))).unwrap();
    assert_eq!(health["usable"], true);
    (health["database"].as_str().unwrap().into(), health["foundBy"].as_str().unwrap().to_owned())
}

#[test]
fn history_location_comes_from_flag_then_environment_then_file_then_platform() {
    let home = Home::new();
    let [flag, environment, file] = ["flag", "environment", "file"].map(|name| {
        let dir = home.folder(name);
        history(&dir);
        dir
    });
    let database = |dir: &Path| dir.join("ManicTimeReports.db");
    if cfg!(target_os = "linux") {
        let platform = home.folder("config/manictime");
        history(&platform);
        let nothing: [&str; 0] = [];
        assert_eq!(locate_history(&mut home.program(nothing)), (database(&platform), "the default folder".to_owned()));
    }
    home.configure(&format!("data_dir = '{}'\n", file.display()));
    let nothing: [&str; 0] = [];
    assert_eq!(locate_history(&mut home.program(nothing)), (database(&file), "dayledger.toml".to_owned()));
    let mut command = home.program(nothing);
    command.env("MANICTIME_DATA_DIR", &environment);
    assert_eq!(locate_history(&mut command), (database(&environment), "MANICTIME_DATA_DIR".to_owned()));
    let mut command = home.program_for(&flag, nothing);
    command.env("MANICTIME_DATA_DIR", &environment);
    assert_eq!(locate_history(&mut command), (database(&flag), "--data-dir".to_owned()));
    let mut command = home.program_for(&database(&flag), nothing);
    assert_eq!(locate_history(&mut command).0, database(&flag), "the path of the database works too");
    let mut command = home.program(nothing);
    assert_eq!(
        locate_history(command.env("MANICTIME_DATA_DIR", "")).1,
        "dayledger.toml",
        "an empty variable is ignored"
    );
}

#[test]
fn explicit_folder_without_a_history_is_an_error() {
    let home = Home::new();
    let file = home.folder("file");
    history(&file);
    home.configure(&format!("data_dir = '{}'\n", file.display()));
    let empty = home.folder("nowhere");
    assert_fails(&mut home.program_for(&empty, ["day"]), "nowhere", "--data-dir");
    assert_fails(
        home.program(["day"]).env("MANICTIME_DATA_DIR", &empty),
        "nowhere`, from MANICTIME_DATA_DIR",
        "set `MANICTIME_DATA_DIR`",
    );
}

/// If the configuration was a pipe, every command used to wait for the other end of the pipe. If it was a device, every
/// command read until memory was full.
#[cfg(unix)] // Windows doesn't have `/dev`
#[test]
fn configuration_must_be_a_regular_file() {
    let home = Home::new();
    let file = home.configure("");
    let refused = |what: &str| {
        let refused = stderr_of(&mut home.program(["day"]), 1);
        assert!(refused.contains(&format!("dayledger.toml`: {what}")), "{refused}");
        fs::remove_file(&file).unwrap();
    };
    fs::remove_file(&file).unwrap();
    super::make_pipe(&file);
    refused("it is a pipe, not a file");
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    refused("it is a device, not a file");
    fs::File::create(&file).unwrap().set_len((4 << 20) + 1).unwrap();
    refused("it is larger than 4 MiB");
    let (data, elsewhere) = (home.folder("history"), home.folder("elsewhere.toml"));
    history(&data);
    fs::write(&elsewhere, format!("data_dir = '{}'\n", data.display())).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    assert_eq!(locate_history(&mut home.program([""; 0])).1, "dayledger.toml");
}

#[test]
fn configuration_errors_show_the_file_and_key() {
    let home = Home::new();
    for (text, named) in [
        ("\ndata_dri = 'x'\n", "unknown field `data_dri`, expected one of `data_dir`"),
        ("data_dir = 7\n", "invalid type"),
        ("data_dir = \n", "string values must be quoted"),
    ] {
        let file = home.configure(text);
        let stderr = stderr_of(&mut home.program(["day"]), 1);
        assert!(stderr.starts_with("error: ") && stderr.contains(&*file.to_string_lossy()), "{stderr}");
        assert!(stderr.contains(named), "{stderr}");
        let lines: Vec<_> = stderr.lines().collect();
        assert!(lines.len() == 3 && lines[1].starts_with("  line ") && lines[2].ends_with('^'), "{stderr}");
    }
}

#[test]
fn doctor_shows_the_redaction_of_serve_and_other_commands_redact_nothing() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    history(data.path());
    let plain = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(!plain.contains("Withheld"), "{plain}");
    let titles = ["sql", "--format", "csv", "-c", "SELECT title, url FROM applications, websites LIMIT 5"];
    let whole = stdout_of(&mut home.program_for(data.path(), titles));
    home.configure(
        "[serve]\nredact = ['titles', 'urls']\nhide_apps = ['keepass*', 'vault']\nhide_sites = ['*.bank.example']\n",
    );
    let text = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    let (_, withheld) = text.split_once("Redacted and hidden from assistants (configuration file)\n").unwrap();
    let expected = [
        "  redact      titles",
        "              urls",
        "  hide_apps   keepass*",
        "              vault",
        "  hide_sites  *.bank.example",
    ];
    assert_eq!(withheld.lines().collect::<Vec<_>>(), expected);
    let json: Value =
        serde_json::from_str(&stdout_of(&mut home.program_for(data.path(), ["doctor", "--json"]))).unwrap();
    assert_eq!(json["serve"]["hide_apps"], serde_json::json!(["keepass*", "vault"]));
    assert_eq!(stdout_of(&mut home.program_for(data.path(), titles)), whole);
}

/// Returns a calendar with one meeting. Its times are in UTC.
fn calendar(name: &str, start: &str, end: &str) -> String {
    format!(
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:{name}\r\nDTSTART:{start}Z\r\nDTEND:{end}Z\r\n\
         END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

#[test]
fn meetings_come_from_calendars_next_to_the_configuration() {
    let (home, data) = (Home::new(), demo());
    let configuration = home.configure("[[calendars]]\nfile = 'calendars/*.ics'\n");
    let folder = configuration.with_file_name("calendars");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("office.ics"), calendar("Quarterly review", "20261118T080000", "20261118T153000")).unwrap();
    // Statements run in another process, which must also know the calendars.
    let statement =
        "SELECT calendar, meeting FROM meetings WHERE start_local >= '2026-11-18' AND start_local < '2026-11-19'";
    let meetings =
        |home: &Home| stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", statement]));
    assert_eq!(meetings(&home), "calendar,meeting\noffice,Quarterly review\n");
    let day = |home: &Home| stdout_of(&mut home.program_for(data.path(), ["day", "2026-11-18"]));
    assert!(day(&home).contains("Quarterly review"), "{}", day(&home));
    let doctor = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(doctor.contains("\nCalendars\n") && doctor.contains("*.ics") && doctor.contains("1 event\n"), "{doctor}");
    let json: Value =
        serde_json::from_str(&stdout_of(&mut home.program_for(data.path(), ["doctor", "--json"]))).unwrap();
    assert_eq!((&json["calendars"][0]["events"], &json["calendars"][0]["broken"]), (&1.into(), &0.into()));

    // A missing calendar file counts as a calendar without meetings, and queries still work.
    fs::remove_file(folder.join("office.ics")).unwrap();
    assert_eq!(meetings(&home), "calendar,meeting\n");
    assert!(!day(&home).contains("Quarterly review") && day(&home).contains("Blocks"), "{}", day(&home));
    let doctor = stdout_of(&mut home.program_for(data.path(), ["doctor"]));
    assert!(doctor.contains("there is no such file"), "{doctor}");

    // If the configuration has no calendars, the error must not say that a calendar has no meetings.
    fs::write(&configuration, "").unwrap();
    let stderr = stderr_of(&mut home.program_for(data.path(), ["sql", "-c", statement]), 1);
    assert!(stderr.contains("there is no calendar") && stderr.contains("[[calendars]]"), "{stderr}");
}

/// Statements run in a worker process, which doesn't read the configuration itself.
#[test]
fn statements_see_the_rules_the_calendars_and_the_screenshots_folder_of_the_configuration() {
    let (home, data) = small_home();
    let elsewhere = home.folder("elsewhere");
    // The default folder, next to the history, contains screenshots of other times.
    Store::in_history_folder(&elsewhere).add("2025-01-15 09:05:00", 1);
    let configuration = home.configure(&format!(
        "screenshots_dir = '{}'\n[[rules]]\napp = 'Code'\nproject = 'Ledger'\n[[calendars]]\nfile = 'work.ics'\n",
        elsewhere.join("Screenshots").display()
    ));
    let review = calendar("Quarterly review", "20250115T080000", "20250115T083000");
    fs::write(configuration.with_file_name("work.ics"), review).unwrap();
    let on_the_day = |time: &str| format!("{time} >= '2025-01-15' AND {time} < '2025-01-16'");
    for (statement, rows) in [
        (
            "SELECT DISTINCT project FROM pieces_by_rule('2025-01-15') WHERE application = 'Code'".to_owned(),
            "project\nLedger\n",
        ),
        (format!("SELECT meeting FROM meetings WHERE {}", on_the_day("start_local")), "meeting\nQuarterly review\n"),
        (
            format!("SELECT taken_local FROM screenshots WHERE {}", on_the_day("taken_local")),
            "taken_local\n2025-01-15T09:05:00\n",
        ),
    ] {
        let printed = stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "csv", "-c", &statement]));
        assert_eq!(printed, rows, "{statement}");
    }
}

/// Control characters in a field of the configuration file, an argument or a file name used to clear the screen or to
/// set the clipboard.
#[test]
fn errors_escape_control_characters_and_keep_text_in_every_language() {
    let home = Home::new();
    let data = tempfile::tempdir().unwrap();
    history(data.path());
    let refused = |arguments: &[&str], code| stderr_of(&mut home.program_for(data.path(), arguments), code);
    let device = refused(&["day", "2026-11-19", "--device", "\u{1b}[2J می\u{200c}خواهم 👩\u{200d}💻\u{202e}"], 1);
    assert!(device.contains("\\u001b[2J می\u{200c}خواهم 👩\u{200d}💻\\u202e"), "{device}");
    let file = home.configure("[[rules]]\n\"\\u001b[2J\\u009b\" = 1\n");
    let field = refused(&["day", "2026-11-19"], 1);
    assert!(field.contains("unknown field `\\u001b[2J\\u009b`"), "{field}");
    fs::remove_file(file).unwrap();
    for message in [
        device,
        field,
        refused(&["period", "\u{1b}]52;c;x\u{7}"], 1),
        refused(&["\u{1b}[2J"], 2),
        refused(&["day", "--\u{1b}[2J"], 2),
        refused(&["sql", "SELECT \"\u{1b}[2J\""], 1),
        refused(&["sql", "-f", "\u{9b}2J"], 1),
        refused(&["serve", "--hide-app", "[\u{1b}[2J"], 2),
    ] {
        let control = message.chars().find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
        assert_eq!(control, None, "{message:?}");
    }
}

/// A deeply nested pattern used to cause an internal error that contained the pattern.
#[test]
fn error_about_a_deeply_nested_pattern_does_not_repeat_the_pattern() {
    let home = Home::new();
    let pattern = format!("{}b{}", "{secret,".repeat(200), "}".repeat(200));
    let flag = stderr_of(&mut home.program(["serve", "--hide-app", &pattern]), 2);
    home.configure(&format!("[serve]\nhide_apps = ['{pattern}']\n"));
    let file = stderr_of(&mut home.program(["serve"]), 1);
    for message in [flag, file] {
        assert!(message.contains("nested too deep"), "{message}");
        assert!(message.matches("secret").count() < 50, "{message}");
    }
}

#[test]
fn config_option_selects_the_configuration_file() {
    let (home, data) = (Home::new(), demo());
    home.configure("data_dir = 'nowhere'\n");
    let other = home.folder("other/mine.toml");
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    let question = "[[questions]]\nname = 'one'\ndescription = 'One'\nsql = 'SELECT 1 AS one'";
    fs::write(&other, format!("data_dir = '{}'\n{question}", data.path().display())).unwrap();
    let flag = ["--config", "other/mine.toml"];
    let report: Value = serde_json::from_str(&stdout_of(home.program(["doctor", "--json"]).args(flag))).unwrap();
    assert_eq!(report["configuration"]["path"], other.to_str().unwrap());
    let mut ask = home.program(["--config=other/mine.toml", "ask", "one", "--format", "csv"]);
    assert_eq!(stdout_of(&mut ask), "one\n1\n", "the questions of the file are commands");
    let hint = "dayledger --config other/mine.toml ask`";
    assert_fails(home.program(flag).args(["ask", "two"]), "unknown question `two`", hint);
}

/// Errors used to name `dayledger.toml`, although another file was read.
#[test]
fn errors_name_the_selected_configuration_file() {
    let home = Home::new();
    home.configure("data_dir = 'elsewhere'\n");
    fs::write(home.folder("mine.toml"), "data_dir = 'nowhere'\n").unwrap();
    let hint = "set `data_dir` in mine.toml to the folder";
    assert_fails(home.program(["--config", "mine.toml"]).arg("day"), ", from mine.toml", hint);
    assert_fails(&mut home.program(["day"]), ", from dayledger.toml", "set `data_dir` in dayledger.toml");
    let data = demo();
    let settings = format!("data_dir = '{}'\nscreenshots_dir = 'gone'\n", data.path().display());
    fs::write(home.folder("mine.toml"), settings).unwrap();
    let health = stdout_of(home.program(["--config", "mine.toml"]).args(["doctor", "--json"]));
    let health: Value = serde_json::from_str(&health).unwrap();
    let hint = health["screenshots"]["remediationHint"].as_str().unwrap();
    assert!(hint.ends_with("correct `screenshots_dir` in mine.toml"), "{hint}");
}

#[test]
fn a_selected_configuration_file_must_exist() {
    let home = Home::new();
    let default = home.configuration();
    for command in [&["day"][..], &["doctor"], &["serve"], &["ask"], &["install", "cursor"]] {
        let mut program = home.program(["--config", "missing.toml"]);
        let missing = home.path().join("missing.toml");
        let message = format!("cannot read the configuration `{}`: the file does not exist", missing.display());
        assert_fails(program.args(command), &message, &format!("to read `{}`", default.display()));
    }
}

#[test]
fn color_option_takes_precedence_over_the_output_and_the_environment() {
    let (home, data) = (Home::new(), demo());
    let day = |options: &[&str]| {
        let mut command = home.program_for(data.path(), ["day", "2026-11-18"]);
        command.args(options).env("NO_COLOR", "1");
        command
    };
    assert!(!stdout_of(&mut day(&[])).contains('\u{1b}'));
    assert!(stdout_of(&mut day(&["--color", "always"])).contains("\u{1b}["));
    assert!(!stdout_of(&mut day(&["--color", "always", "--json"])).contains('\u{1b}'), "JSON never has colours");
    let failure = |color| stderr_of(home.program(["day", "--data-dir", "nowhere"]).args(["--color", color]), 1);
    assert!(failure("always").starts_with("\u{1b}[") && failure("never").starts_with("error: "));
    let help = |color| stdout_of(&mut home.program(["--help", "--color", color]));
    assert!(help("always").contains("\u{1b}[") && !help("auto").contains("\u{1b}["));
    stderr_of(&mut home.program(["day", "--color", "sometimes"]), 2);
}
