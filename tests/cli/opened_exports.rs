//! Tests that an export with rules and calls returns the same rows as its original history, for every SQL function.

use std::fs;
use std::path::Path;

use chrono::{TimeDelta, Utc};
use dayledger::export::ExportHistory;
use dayledger::source::selection::Selection;
use dayledger::source::{
    FoundBy, HistorySource, Pattern, Privacy, ReadHandle, Redaction, ScanExtent, ScanRequest, Table,
};
use dayledger_fixtures::{Activity, Group};
use serde_json::{Value, json};

use super::program::Home;
use super::{assert_fails, stderr_of, stdout_of};
use crate::histories::{ClosedHistory, History, span};
use crate::mcp::session::Session;

const RULES: &str = "[time]\ncalls = true\n\
    [[rules]]\ntitle = '*invoice*'\nproject = 'Billing'\ntask = 'Invoices'\n\
    [[rules]]\napp = 'Browser'\nurl = '*/page'\ntag = 'Client, Night'\nproject = 'Engine'\n\
    [[rules]]\npath = '*secret plans*'\ncategory = 'Planning'\n\
    [[rules]]\nsite = 'docs.example.org'\ncategory = 'Reading'\n\
    [[rules]]\napp = 'Chat'\ntitle = '*call with*'\ncall = true\ncategory = 'Talks'\n\
    [[rules]]\napp = 'Mail'\ndevice = 'DESK'\nproject = 'Inbox'\n";

/// A day, parts of this day, days around the end of a month, and the whole history.
const RANGES: [&str; 4] = [
    "'2025-01-15', '2025-01-16'",
    "'2025-01-15T09:30', '2025-01-15T12:20'",
    "'2025-01-31', '2025-02-02'",
    "'2024-06-01', '2025-02-03'",
];

/// The calls of SQL functions. Each item also contains the columns that an export without titles lacks.
const FUNCTIONS: [(&str, &str); 15] = [
    ("pieces(RANGE)", "title"),
    ("role_pieces('applications', RANGE)", "title"),
    ("role_pieces('documents', RANGE)", "title, key"),
    ("pieces_by_rule(RANGE)", "title"),
    ("narrative(RANGE)", "title, document"),
    ("blocks(RANGE)", ""),
    ("why(RANGE)", ""),
    ("project_usage(RANGE)", ""),
    ("unmatched(RANGE)", "titles"),
    ("calls_around(RANGE)", ""),
    ("pieces_by_day('websites', RANGE)", ""),
    ("day_summary(RANGE)", ""),
    ("computer_usage_in(RANGE)", ""),
    ("tags_in(RANGE)", "notes"),
    ("client_time(RANGE)", ""),
];

const TABLES: &str = "--tables activities,day_summary,segments";

/// Returns a history of two days, one in January and one across the end of that month. It has work, calls away from the
/// computer, sites, files and tags.
fn history() -> ClosedHistory {
    let mut history = History::on_workstation();
    let window = |history: &mut History, name: &str, title: &str, from: &str, to: &str| {
        let key = format!("{name}.exe;{name}").to_lowercase();
        let group = history.group(2, &Group::application(&key, name));
        history.activity(2, &Activity::new(title, span(from, to)).group(group));
    };
    for (state, from, to) in [
        ("Active", "2025-01-15 09:00:00", "2025-01-15 11:00:00"),
        ("Away", "2025-01-15 11:00:00", "2025-01-15 13:00:00"),
        ("Active", "2025-01-31 22:00:00", "2025-02-01 00:30:00"),
        ("Away", "2025-02-01 00:30:00", "2025-02-01 02:00:00"),
    ] {
        history.state(1, (&format!("ManicTime/{state}"), state), from, to);
    }
    window(&mut history, "Editor", "invoice 7", "2025-01-15 09:00:00", "2025-01-15 09:40:00");
    window(&mut history, "Editor", "notes", "2025-01-15 09:40:00", "2025-01-15 10:20:00");
    window(&mut history, "Mail", "Inbox", "2025-01-15 10:20:00", "2025-01-15 10:50:00");
    window(&mut history, "Chat", "Call with Ada", "2025-01-15 10:50:00", "2025-01-15 12:30:00");
    window(&mut history, "Browser", "Docs", "2025-01-31 22:00:00", "2025-01-31 23:30:00");
    window(&mut history, "Chat", "general", "2025-01-31 23:30:00", "2025-01-31 23:50:00");
    window(&mut history, "Chat", "Call with Bo", "2025-01-31 23:50:00", "2025-02-01 01:40:00");
    history.document(3, "/home/alex/secret plans/plan.txt", "2025-01-15 09:30:00", "2025-01-15 10:00:00");
    history.website(3, "docs.example.org", "2025-01-31 22:30:00", "2025-01-31 23:10:00");
    history.tag(4, &["Client", "Night"], "2025-01-31 22:20:00", "2025-01-31 23:00:00");
    history.tag(4, &["Client", "Plans"], "2025-01-15 10:00:00", "2025-01-15 10:30:00");
    history.close()
}

fn export(home: &Home, history: &ClosedHistory, arguments: &str) -> String {
    stdout_of(home.program_for(history.folder(), ["export"]).args(arguments.split(' ')))
}

/// Returns the lines of the result of a statement, sorted.
fn lines(home: &Home, of: &[&str], sql: &str) -> Vec<String> {
    let csv = stdout_of(home.program(["sql", "--format", "csv", "-c", sql]).args(of));
    let mut lines: Vec<_> = csv.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn query_export(home: &Home, folder: &str, sql: &str) -> Vec<String> {
    lines(home, &["--exports", folder], sql)
}

/// Returns the rows of each statement's result, sorted. One process runs all the statements.
fn answers(home: &Home, of: &[&str], statements: &[String]) -> Vec<Vec<String>> {
    let script = statements.join(";\n");
    let json = stdout_of(home.program(["sql", "--format", "json", "-c", &script]).args(of));
    let sorted = |rows: Vec<Value>| {
        let mut rows: Vec<_> = rows.iter().map(Value::to_string).collect();
        rows.sort();
        rows
    };
    serde_json::Deserializer::from_str(&json).into_iter().map(|rows| sorted(rows.unwrap())).collect()
}

/// Checks that an export returns the rows of its original history. The export is queried in the home folder `other`,
/// with the arguments `of`.
fn check_answers(home: &Home, history: &ClosedHistory, (other, of): (&Home, &[&str]), has_titles: bool) {
    let statements = FUNCTIONS.map(|(function, left_out)| {
        // In an export, `rule_text` contains the numbers of matching conditions instead of text, so it isn't compared.
        let of_rules = if function.starts_with("role_pieces") { "rule_text" } else { "" };
        let left_out = if has_titles { "" } else { left_out };
        let but: Vec<_> = [left_out, of_rules].into_iter().filter(|columns| !columns.is_empty()).collect();
        let but = if but.is_empty() { String::new() } else { format!(" EXCEPT ({})", but.join(", ")) };
        let parts = RANGES.iter().enumerate().map(|(number, range)| {
            format!("SELECT {number} AS number, *{but} FROM {}", function.replace("RANGE", range))
        });
        parts.collect::<Vec<_>>().join(" UNION ALL ")
    });
    let expected = answers(home, &["--data-dir", history.folder().to_str().unwrap()], &statements);
    let found = answers(other, of, &statements);
    assert_eq!((expected.len(), found.len()), (statements.len(), statements.len()));
    for (sql, (found, expected)) in statements.iter().zip(found.iter().zip(&expected)) {
        assert!(!expected.is_empty(), "no rows: {sql}");
        assert_eq!(found, expected, "{sql}");
    }
}

/// An export used to ignore the rules and calls with which it was written, so its results contradicted each other.
#[test]
fn export_with_titles_returns_the_same_rows_as_the_history() {
    let (home, history) = (Home::new(), history());
    home.configure(RULES);
    export(&home, &history, &format!("--from 2025-01 --to 2025-03 --out archive --include-titles {TABLES}"));
    check_answers(&home, &history, (&home, &["--exports", "archive"]), true);
    let manifest = fs::read_to_string(home.folder("archive/manifest.json")).unwrap();
    assert!(
        manifest.contains("Billing") && !manifest.contains("invoice"),
        "the manifest contains names of rules, not their patterns: {manifest}"
    );
}

/// An export without titles used to return no narratives, blocks, projects or reasons.
#[test]
fn export_without_titles_returns_the_same_numbers() {
    let (home, history) = (Home::new(), history());
    home.configure(RULES);
    for month in ["2025-02", "2025-01"] {
        export(&home, &history, &format!("--from {month} --out archive {TABLES}"));
    }
    check_answers(&home, &history, (&home, &["--exports", "archive"]), false);
    let titles = "SELECT count(title), count(*) > 0 FROM pieces('2025-01-15', '2025-01-16')";
    assert_eq!(query_export(&home, "archive", titles)[0], "0,true");
}

/// Months that were exported with other rules must be rejected, because their results would be wrong.
#[test]
fn months_with_outdated_rules_are_rejected_until_they_are_exported_again() {
    let (home, history) = (Home::new(), history());
    home.configure(RULES);
    export(&home, &history, &format!("--from 2025-01 --to 2025-03 --out archive {TABLES}"));
    home.configure(&format!("{RULES}[[rules]]\napp = 'Editor'\nproject = 'Other'\n"));
    export(&home, &history, &format!("--from 2025-02 --out archive {TABLES}"));
    let refused = |function: &str| {
        let sql = format!("SELECT * FROM {function}");
        stderr_of(&mut home.program(["sql", "--exports", "archive", "-c", &sql]), 1)
    };
    let message = refused("pieces('2025-01-15', '2025-01-16')");
    assert!(message.contains("`activities` of 2025-01 was exported with other rules"), "{message}");
    // Rules for projects don't affect the totals of a day, so this query still works.
    let day = "SELECT active_seconds FROM day_summary('2025-01-15', '2025-01-16')";
    assert_eq!(query_export(&home, "archive", day), ["12600", "active_seconds"]);
    export(&home, &history, &format!("--from 2025-01 --out archive {TABLES}"));
    let projects = "SELECT DISTINCT project FROM project_usage('2025-01-15', '2025-01-16')";
    assert!(query_export(&home, "archive", projects).contains(&"Other".to_owned()));

    home.configure("");
    export(&home, &history, &format!("--from 2025-02 --out archive {TABLES}"));
    let message = refused("day_summary('2025-01-15', '2025-01-16')");
    assert!(message.contains("was exported with other rules"), "{message}");
}

/// A call across the first midnight of an export used to be lost. The reason was that the last active time before the
/// call was on the previous day.
#[test]
fn call_over_the_first_midnight_of_an_export_counts() {
    let mut history = History::on_workstation();
    for (state, from, to) in [
        ("Active", "2025-01-31 21:00:00", "2025-01-31 23:00:00"),
        ("Away", "2025-01-31 23:00:00", "2025-02-01 03:00:00"),
    ] {
        history.state(1, (&format!("ManicTime/{state}"), state), from, to);
    }
    let group = history.group(2, &Group::application("chat.exe;chat", "Chat"));
    let call = span("2025-01-31 22:50:00", "2025-02-01 01:40:00");
    history.activity(2, &Activity::new("Call with Bo", call).group(group));
    let (home, history) = (Home::new(), history.close());
    home.configure(RULES);
    export(&home, &history, &format!("--from 2025-02 --out archive {TABLES}"));
    let sql = "SELECT start_local, end_local FROM pieces('2025-02-01', '2025-02-02')";
    let expected = lines(&home, &["--data-dir", history.folder().to_str().unwrap()], sql);
    assert!(expected.len() > 1, "the call counts in the history");
    assert_eq!(query_export(&home, "archive", sql), expected);
}

/// A changed pattern used not to be noticed, so months with the old and the new pattern were mixed.
#[test]
fn months_with_an_outdated_pattern_are_rejected() {
    let (home, history) = (Home::new(), history());
    home.configure(RULES);
    export(&home, &history, &format!("--from 2025-01 --to 2025-03 --out archive {TABLES}"));
    home.configure(&RULES.replace("'*invoice*'", "'*notes*'"));
    export(&home, &history, &format!("--from 2025-02 --out archive {TABLES}"));
    // An activity that begins in January and continues into February overlaps both ranges. Its condition numbers come
    // from the export of January.
    for range in ["'2025-01-15', '2025-01-16'", "'2025-02-01', '2025-02-02'"] {
        let sql = format!("SELECT * FROM pieces({range})");
        let stderr = stderr_of(&mut home.program(["sql", "--exports", "archive", "-c", &sql]), 1);
        assert!(stderr.contains("`activities` of 2025-01 was exported with other rules"), "{stderr}");
    }
    let later = "SELECT count(*) AS pieces FROM pieces('2025-02-02', '2025-02-03')";
    assert_eq!(query_export(&home, "archive", later), ["0", "pieces"]);
}

/// After an interrupted export, files with new rules used to be read as files with the old rules.
#[test]
fn interrupted_export_leaves_outdated_months_marked() {
    let (home, history) = (Home::new(), history());
    home.configure(RULES);
    export(&home, &history, "--from 2025-01 --out archive --tables activities");
    home.configure("");
    // The export fails, because a folder already has the name of one of its files.
    fs::create_dir_all(home.folder("archive/segments/month=2025-01/segments.parquet")).unwrap();
    let arguments = "--from 2025-01 --out archive --tables activities,segments";
    stderr_of(home.program_for(history.folder(), ["export"]).args(arguments.split(' ')), 1);
    let sql = "SELECT * FROM pieces('2025-01-15', '2025-01-16')";
    let stderr = stderr_of(&mut home.program(["sql", "--exports", "archive", "-c", sql]), 1);
    assert!(stderr.contains("`activities` of 2025-01 was exported with other rules"), "{stderr}");
}

/// An export that an older version wrote doesn't contain rules and calls.
#[test]
fn export_of_an_older_version_rejects_queries_that_depend_on_rules() {
    let (home, history) = (Home::new(), history());
    export(&home, &history, &format!("--from 2025-01 --out archive {TABLES}"));
    let manifest = home.folder("archive/manifest.json");
    let mut written: Value = serde_json::from_str(&fs::read_to_string(&manifest).unwrap()).unwrap();
    written.as_object_mut().unwrap().remove("rules").unwrap();
    fs::write(&manifest, written.to_string()).unwrap();
    for function in ["pieces", "why", "blocks", "unmatched", "calls_around", "computer_usage_in"] {
        let sql = format!("SELECT * FROM {function}('2025-01-15', '2025-01-16')");
        let stderr = stderr_of(&mut home.program(["sql", "--exports", "archive", "-c", &sql]), 1);
        assert!(
            stderr.contains("an older version wrote this export") && stderr.contains("export it again"),
            "{stderr}"
        );
    }
    let day = "SELECT active_seconds FROM day_summary('2025-01-15', '2025-01-16')";
    assert_eq!(query_export(&home, "archive", day).len(), 2);
    let tags = "SELECT tag FROM tags_in('2025-01-15', '2025-01-16')";
    assert_eq!(query_export(&home, "archive", tags).len(), 2);
}

/// Commands whose output doesn't contain the paths of files.
const COMMANDS: [&str; 5] =
    ["day 2025-01-15", "day 2025-01-31 --segments", "why 2025-01-31", "period 2025-01", "period 2025-02 --json"];

/// The other computer doesn't have the configuration, so the rules of the export must apply.
#[test]
fn export_of_the_whole_history_replaces_the_history_on_another_computer() {
    let (home, history, other) = (Home::new(), history(), Home::new());
    home.configure(RULES);
    export(&home, &history, "--from 2025 --out archive --include-titles --tables activities");
    let archive = home.folder("archive");
    check_answers(&home, &history, (&other, &["--data-dir", archive.to_str().unwrap()]), true);
    for command in COMMANDS {
        let answer = |home: &Home, data: &Path| stdout_of(&mut home.program_for(data, command.split(' ')));
        assert_eq!(answer(&other, &archive), answer(&home, history.folder()), "{command}");
    }
    // These statements read no column, one column, and a column that is used only in a condition.
    let counts = "SELECT (SELECT count(*) FROM activities) AS rows, (SELECT sum(seconds) FROM activities) AS seconds, \
                  (SELECT count(*) FROM activities WHERE role = 'tags') AS tags, \
                  (SELECT count(*) FROM timeline_bounds) AS timelines";
    let count =
        |home: &Home, data: &Path| stdout_of(&mut home.program_for(data, ["sql", "--format", "csv", "-c", counts]));
    assert_eq!(count(&other, &archive), count(&home, history.folder()));
    let doctor = stdout_of(&mut other.program_for(&archive, ["doctor", "--json"]));
    let doctor: Value = serde_json::from_str(&doctor).unwrap();
    assert_eq!(doctor["time"]["calls"], true, "the calls of the export count");
    let doctor = stdout_of(&mut other.program_for(&archive, ["doctor"]));
    assert!(doctor.contains("check that the tracker is running"), "{doctor}");
    other.configure(&format!("data_dir = '{}'\n", archive.display()));
    let day = stdout_of(&mut other.program(["day", "2025-01-15"]));
    assert!(day.contains("Billing"), "{day}");
}

#[test]
fn export_without_titles_as_a_history_has_the_same_numbers_and_no_titles() {
    let (home, history, other) = (Home::new(), history(), Home::new());
    home.configure(RULES);
    export(&home, &history, "--from 2025 --out archive --tables activities");
    let archive = home.folder("archive");
    check_answers(&home, &history, (&other, &["--data-dir", archive.to_str().unwrap()]), false);
    let mut outputs = String::new();
    for command in ["day 2025-01-15 --segments --titles", "day 2025-01-31 --segments --titles --json", "why 2025-01-15"]
    {
        outputs += &stdout_of(&mut other.program_for(&archive, command.split(' ')));
    }
    let rows = ["sql", "--format", "csv", "-c", "SELECT * FROM activities"];
    outputs += &stdout_of(&mut other.program_for(&archive, rows));
    assert!(outputs.contains("Editor") && outputs.contains("plan.txt"), "{outputs}");
    for private in ["invoice", "Call with", "secret plans", "/page"] {
        assert!(!outputs.contains(private), "`{private}` is in: {outputs}");
    }
}

/// A missing month would look like a month without work, so only an export of the whole history can replace it.
#[test]
fn export_of_a_part_of_the_history_is_not_a_history() {
    let (home, history) = (Home::new(), history());
    let whole = "export the whole history with `--tables activities`";
    let rejected = |folder: &str, message: &str| {
        assert_fails(&mut home.program_for(&home.folder(folder), ["day", "2025-02-01"]), message, whole);
    };
    export(&home, &history, "--from 2025-02 --out end --tables activities");
    rejected("end", "a part of the history is missing");
    export(&home, &history, "--from 2025-01 --to 2025-01-29 --out beginning --tables activities");
    rejected("beginning", "a part of the history is missing");
    export(&home, &history, "--from 2025 --out totals");
    rejected("totals", "it does not contain activities");
    export(&home, &history, "--from 2025 --out outdated --tables activities");
    home.configure(RULES);
    export(&home, &history, "--from 2025-02 --out outdated --tables activities");
    rejected("outdated", "`activities` of 2025-01 was exported with other rules");
}

/// The history contains data after the end of the export. Nevertheless, the time after the export must not count as
/// missing.
#[test]
fn export_of_a_history_with_a_tag_in_the_future_is_whole() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    let day = (Utc::now() - TimeDelta::days(3)).date_naive();
    history.active(1, &format!("{day} 09:00:00"), &format!("{day} 10:00:00"));
    history.tag(4, &["Client", "Plans"], "2099-01-05 10:00:00", "2099-01-05 11:00:00");
    export(&home, &history.close(), &format!("--from {day} --to today --out archive --tables activities"));
    let archive = home.folder("archive");
    let of = ["--data-dir", archive.to_str().unwrap()];
    assert_eq!(lines(&home, &of, "SELECT count(*) AS rows FROM activities"), ["1", "rows"]);
}

/// Exported rows can't be redacted later, because an export lacks the text that redaction needs.
#[test]
fn export_is_read_only_with_privacy_settings_that_it_fulfils() {
    let (home, history) = (Home::new(), history());
    let titles = Privacy::new([Redaction::Titles, Redaction::Paths], [], []);
    let chats = Privacy::new([], [Pattern::parse("chat").unwrap()], []);
    for (folder, options, fulfils_titles) in [("bare", "", true), ("full", " --include-titles", false)] {
        export(&home, &history, &format!("--from 2025 --out {folder} --tables activities{options}"));
        let source = ExportHistory::new(&home.folder(folder), FoundBy::Flag);
        let read = |privacy: &Privacy| source.with_privacy(privacy.clone()).read(&[], &ReadHandle::default());
        match read(&titles) {
            Ok(_) => assert!(fulfils_titles, "{folder}"),
            Err(error) => assert!(!fulfils_titles && error.message.ends_with("it contains titles, paths"), "{error}"),
        }
        let error = read(&chats).unwrap_err();
        assert!(error.message.contains("cannot apply the privacy settings"), "{error}");
        // Even if the export can't be read with these settings, the settings still apply to notes and calendars.
        for privacy in [&Privacy::default(), &chats] {
            assert_eq!(
                source.with_privacy(privacy.clone()).privacy().redacts(Redaction::Urls),
                fulfils_titles,
                "{folder}"
            );
        }
    }
}

/// An export can disappear while a server reads it. An assistant sees the error, so the error must not contain the
/// folder.
#[test]
fn error_of_a_removed_export_without_titles_contains_no_folder() {
    let (home, history) = (Home::new(), history());
    fs::create_dir(home.folder("zqpath")).unwrap();
    export(&home, &history, "--from 2025 --out zqpath/archive --tables activities");
    let source = ExportHistory::new(&home.folder("zqpath/archive"), FoundBy::Flag);
    let projection = vec![Table::Activities.schema().index_of("activity_id").unwrap()];
    let selection = Selection { projection, predicates: Vec::new(), limit: None };
    let scan = ScanRequest { table: Table::Activities, selection };
    let read = || source.read(&[(&scan, ScanExtent::Whole)], &ReadHandle::default());
    assert!(read().is_ok());
    fs::remove_dir_all(home.folder("zqpath/archive/activities")).unwrap();
    for error in [source.location().unwrap_err(), source.health().unwrap_err(), read().unwrap_err()] {
        assert!(error.message.contains("is missing") && !error.message.contains("zqpath"), "{error}");
    }
    fs::remove_dir_all(home.folder("zqpath/archive")).unwrap();
    let errors = [
        source.location().unwrap_err(),
        source.contents().unwrap_err(),
        source.health().unwrap_err(),
        read().unwrap_err(),
    ];
    for error in errors {
        assert!(error.message.contains("archive") && !error.message.contains("zqpath"), "{error}");
    }
}

/// The export of an export would lack the texts that rules read, and an export could overwrite itself.
#[test]
fn export_is_not_exported_again() {
    let (home, history) = (Home::new(), history());
    export(&home, &history, "--from 2025 --out archive --tables activities");
    let mut again = home.program_for(&home.folder("archive"), ["export", "--from", "2025", "--out", "copy"]);
    assert_fails(&mut again, "cannot export an export", "copy the folder");
}

/// If a month was exported at the start of the next month, the export used to lack up to two days without a warning.
#[test]
fn responses_after_the_end_of_an_export_say_where_it_ends() {
    let (home, history) = (Home::new(), history());
    // The history has activities until 02:00 on 1 February.
    export(&home, &history, "--from 2025-01 --out archive --tables activities");
    let archive = home.folder("archive");
    let answer = |command: &str| -> Value {
        serde_json::from_str(&stdout_of(&mut home.program_for(&archive, command.split(' ')))).unwrap()
    };
    let hint = "the history ends at 2025-02-01T00:00:00; later time is not in this export";
    for command in ["day 2025-02-01 --json", "period 2025-01-31 2025-02-01 --json"] {
        let diagnostics = &answer(command)["diagnostics"];
        assert_eq!(diagnostics["reasonCode"], "HISTORY_ENDS_EARLIER", "{command}: {diagnostics}");
        assert!(diagnostics["remediationHint"].as_str().unwrap().contains(hint), "{command}: {diagnostics}");
    }
    let within = &answer("day 2025-01-31 --json")["diagnostics"];
    assert!(within["reasonCode"].is_null(), "{within}");
    let degraded = &answer("doctor --json")["degraded"];
    let effect = "the export ends at 2025-02-01 00:00, but the tracker had recorded later activities";
    assert!(degraded.as_array().unwrap().iter().any(|data| data["effect"] == effect), "{degraded}");
}

/// The folder of an export used to be protected only while the export could be read.
#[test]
fn files_are_never_written_into_an_export() {
    let (home, history) = (Home::new(), history());
    export(&home, &history, "--from 2025 --out archive --tables activities");
    let archive = home.folder("archive");
    let (manifest, script) = (archive.join("manifest.json"), home.folder("script.sql"));
    let before = fs::read(&manifest).unwrap();
    fs::write(&script, format!("\\o {}\nSELECT 1;", manifest.display())).unwrap();
    let script = script.to_str().unwrap();
    let check = || {
        for arguments in [
            &["sql", "-f", script][..],
            &["report", "--from", "2025-01-15", "--force", "--out", "archive/manifest.json"],
            &["manual", "archive/pages"],
            &["demo", "archive/demo", "--days", "1", "--no-screenshots"],
        ] {
            let refused = stderr_of(&mut home.program_for(&archive, arguments), 1);
            assert!(refused.contains("inside a folder that dayledger only reads"), "{arguments:?}: {refused}");
        }
        assert_eq!(fs::read(&manifest).unwrap(), before);
    };
    check();
    let refused = stderr_of(&mut home.program(["sql", "--exports", "archive", "-f", script]), 1);
    assert!(refused.contains("inside a folder that dayledger only reads"), "{refused}");
    fs::remove_dir_all(archive.join("activities")).unwrap();
    check();
    assert!(!archive.join("pages").exists() && !archive.join("demo").exists());
}

/// The server used to need a restart if an export appeared in its folder, or if the export was written again with other
/// rules.
#[tokio::test(flavor = "multi_thread")]
async fn server_uses_an_export_that_appears_and_one_with_other_rules() {
    let (home, history) = (Home::new(), history());
    let archive = home.folder("archive");
    let session = Session::start_default(&archive).await;
    let projects = || session.answer("query", json!({"sql": "SELECT DISTINCT project FROM rules ORDER BY project"}));
    let refused = session.refusal("query", json!({"sql": "SELECT project FROM rules"})).await;
    assert_eq!(refused["code"], "DATABASE_NOT_FOUND", "{refused}");
    home.configure("[[rules]]\napp = 'Editor'\nproject = 'Writing'\n");
    export(&home, &history, "--from 2025 --out archive --tables activities");
    assert_eq!(projects().await["rows"], json!([["Writing"]]));
    home.configure("[[rules]]\napp = 'Editor'\nproject = 'Editing'\n");
    export(&home, &history, "--from 2025 --out archive --tables activities");
    assert_eq!(projects().await["rows"], json!([["Editing"]]));
    fs::remove_file(archive.join("manifest.json")).unwrap();
    let refused = session.refusal("query", json!({"sql": "SELECT project FROM rules"})).await;
    assert!(refused["message"].as_str().unwrap().contains("manifest.json"), "{refused}");
    session.end().await;
}
