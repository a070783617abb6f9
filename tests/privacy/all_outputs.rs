//! Redacted data must never appear in a table, response, filter or error. This must hold for any history.
//!
//! The history contains a secret word for each kind of redacted data. The word is in every field in which such data can
//! occur.

use dayledger::App;
use dayledger::activity::{HealthRequest, NarrativeRequest, PeriodSummaryRequest, TagsRequest, UsageKind};
use dayledger::source::{Privacy, Redaction};
use dayledger_fixtures::{Activity, Group, SchemaOptions, TableGroup, Timeline};

use super::{app_with_privacy, pattern};
use crate::histories::{DAY, History, day, narrative_request, rows, run_query, span, today, try_rows, usage_request};

/// The secret words. They are in titles, notes, URLs, folders, a hidden application, a hidden site, and text of an
/// unknown kind.
const WORDS: [&str; 7] = ["zqtitle", "zqnote", "zqurl", "zqpath", "zqapp", "zqsite", "zqopaque"];

fn history() -> History {
    let mut history = History::with(SchemaOptions::default().with_groups(&TableGroup::ALL));
    history.device(1, "desk-id", "DESK");
    history.active(1, "09:00", "12:00");
    history.tag(4, &["Client A", "see https://docs.example/zqurl"], "09:00", "09:30");
    history.activity(
        4,
        &Activity::new("Client B", span("09:40", "09:50")).notes("zqnote told to https://x.example/zqurl"),
    );
    applications(&mut history);
    sites_and_documents(&mut history);
    mail(&mut history);
    let folder = history.writer().add_folder(3, "zqopaque", "zqopaque", "AABBCC").unwrap();
    assert_eq!(folder, 1);
    history.writer().fill_hourly_tables().unwrap();
    history.sql(
        "UPDATE Ar_Activity SET Other = 'zqopaque', SourceId = 'zqopaque';
         UPDATE Ar_Group SET SourceId = 'zqopaque', FolderId = 1;
         ALTER TABLE Ar_Activity ADD COLUMN Extra text;
         ALTER TABLE Ar_Activity ADD COLUMN Counter int;
         UPDATE Ar_Activity SET Extra = 'zqopaque', Counter = 'zqopaque';
         CREATE TABLE Ar_New (NewId int, ReportId int, Words text, At datetime, Loose);
         INSERT INTO Ar_New VALUES (7, 2, 'zqopaque', 'zqopaque', 'zqopaque'), (8, 2, NULL, '2025-01-15 09:00:00', 1);
         CREATE VIEW Ar_Names AS SELECT Name || 'zqopaque' AS Renamed, Key AS Other FROM Ar_Group;
         INSERT INTO Registry VALUES ('zqopaque', 'zqopaque', 'zqopaque', '2025-01-15 09:00:00');
         INSERT INTO Document VALUES ('zqopaque', '1', 'k', 'zqopaque', 'o', '2025-01-15 09:00:00', NULL, 'zqopaque');
         INSERT INTO Ar_CategoryGroup
             VALUES ('zqopaque', 1, 'zqopaque', 'ManicTime/Tags', 'zqapp.exe;x', 1, '2025-01-15 09:00:00', '1', '{}');
         INSERT INTO Ar_Tag VALUES (1, 'Planning');
         INSERT INTO Ar_ActivityTag VALUES (2, 1, 1);",
    );
    history
}

/// Adds windows of an editor, a tool in a folder, two applications that will be hidden, and a browser.
fn applications(history: &mut History) {
    let mut application = |key: &str, name: &str| history.group(2, &Group::application(key, name).color("AABBCC"));
    let editor = application("editor.exe;editor", "Editor");
    let tool = application(r"c:\zqpath dir\tool.exe;tool", "Tool");
    let vault = application("zqapp.exe;vault", "Vault");
    let chat = application("chat.exe;chat", "The zqapp chat");
    let browser = application("firefox.exe;firefox", "Firefox");
    for (group, from, to, title) in [
        (editor, "09:00", "09:10", "zqtitle plan - Editor"),
        (tool, "09:10", "09:20", r"C:\Users\zqpath dir\plan.txt - Tool"),
        (browser, "09:20", "09:30", "Docs https://docs.example/zqurl?q=zqurl - Firefox"),
        (vault, "09:30", "09:40", "My zqapp passwords"),
        (chat, "09:40", "09:50", "zqapp: Ada"),
        (browser, "09:50", "10:00", "zqsite bank - Firefox"),
        (browser, "10:00", "10:10", "zqsite again - Firefox"),
        (editor, "10:10", "10:20", "More"),
    ] {
        history.activity(2, &Activity::new(title, span(from, to)).group(group).notes("zqnote of a window"));
    }
    history.activity(2, &Activity::new("zqtitle of nothing known", span("10:20", "10:30")));
}

/// Adds sites and documents in those windows. Some are linked to a window, some have the time of a window, and some
/// have their own groups.
fn sites_and_documents(history: &mut History) {
    let docs = history.group(3, &Group::web_site("docs.example"));
    let keyed = history.group(3, &Group::web_site("https://keyed.example/zqurl"));
    let of_vault = history.group(3, &Group::web_site("vault-zqapp.example"));
    let of_chat = history.group(3, &Group::web_site("chat-zqapp.example"));
    let bank = history.group(3, &Group::web_site("my.zqsite.example"));
    let plan = history.group(3, &Group::file(r"c:\users\zqpath dir\plan.txt", "plan.txt"));
    let secret = history.group(3, &Group::file("/home/ada/zqapp.kdbx", "zqapp.kdbx"));
    let chat_file = history.group(3, &Group::file("/home/ada/zqapp.log", "zqapp.log"));
    for (group, from, to, name, related) in [
        (plan, "09:10", "09:20", r"C:\Users\zqpath dir\plan.txt", Some(2)),
        (docs, "09:20", "09:25", "https://docs.example/zqurl", Some(3)),
        (keyed, "09:25", "09:30", "https://keyed.example/zqurl/2", Some(3)),
        (secret, "09:30", "09:35", "/home/ada/zqapp.kdbx", Some(4)),
        (of_vault, "09:35", "09:40", "https://vault-zqapp.example/a", Some(4)),
        (of_chat, "09:40", "09:45", "https://chat-zqapp.example/b", None),
        // This document's link leads to a window that doesn't exist.
        (chat_file, "09:45", "09:50", "/home/ada/zqapp.log", Some(999)),
        (bank, "09:50", "10:00", "https://my.zqsite.example/account", Some(6)),
        (bank, "10:05", "10:10", "https://my.zqsite.example/other", None),
        // The name of the group isn't the site. Only the URL identifies the site.
        (docs, "10:11", "10:12", "https://www.zqsite.example/a", Some(8)),
    ] {
        let activity = Activity::new(name, span(from, to)).group(group);
        history.activity(3, &Activity { related, ..activity });
    }
    history.activity(3, &Activity::new("https://no-group.zqsite.example/zqurl", span("10:12", "10:13")));
}

/// Adds a plugin's timeline with the subjects of messages. One message was read in a hidden application.
fn mail(history: &mut History) {
    history.timeline(&Timeline {
        report: 9,
        schema: "Vendor/Mail",
        base_schema: "ManicTime/Generic/Group",
        environment: "desk-id",
        name: Some("Mail"),
    });
    let inbox = history.group(9, &Group::tag("zqtitle inbox"));
    let vault = history.group(9, &Group::tag("about the zqapp"));
    history.activity(9, &Activity::new("zqtitle subject", span("09:01", "09:02")).group(inbox));
    history.activity(9, &Activity::new("From the zqapp", span("09:31", "09:32")).group(inbox));
    history.activity(9, &Activity::new("Again the zqapp", span("09:32", "09:33")).group(vault));
}

fn everything() -> Privacy {
    Privacy::new(Redaction::ALL, [pattern("*zqapp*")], [pattern("*.zqsite.example")])
}

/// Returns the tables and views, each with its schema and name. Screenshots are left out: they need a range, and have
/// their own tests.
fn tables(app: &App) -> Vec<String> {
    rows(
        app,
        "SELECT table_schema || '.' || table_name FROM information_schema.tables \
         WHERE table_schema IN ('model', 'manictime') AND table_name NOT IN ('screenshots', 'meetings') ORDER BY 1",
    )
}

/// Returns the content of the tables from which all other data is computed, as one text.
fn dump_base_tables(app: &App) -> String {
    let model = ["activities", "timelines", "devices", "hourly_totals"].map(|table| format!("model.{table}"));
    let raw = tables(app).into_iter().filter(|table| table.starts_with("manictime."));
    dump_tables(app, raw.chain(model))
}

fn dump_tables(app: &App, tables: impl IntoIterator<Item = String>) -> String {
    let of_table = |table: String| {
        let table_rows = rows(app, &format!("SELECT * FROM {table}")).into_iter();
        table_rows.map(|row| format!("{table}: {row}")).collect::<Vec<_>>()
    };
    tables.into_iter().flat_map(of_table).collect::<Vec<_>>().join("\n").to_lowercase()
}

/// Returns all data that can be queried, as one text.
fn dump_everything(app: &App) -> String {
    let mut outputs = vec![dump_tables(app, tables(app))];
    let range = format!("'{DAY}', '2025-01-16'");
    for call in [
        format!("narrative({range}, 2)"),
        format!("pieces({range})"),
        format!("why({range})"),
        format!("day_summary({range})"),
        format!("recorded_time('websites', {range})"),
        format!("recorded_time('documents', '{DAY} 09:30', '{DAY} 10:45')"),
    ] {
        outputs.extend(rows(app, &format!("SELECT * FROM {call}")).iter().map(|row| format!("{call}: {row}")));
    }
    let range = day(DAY);
    let mut answer = |answer: serde_json::Value| outputs.push(answer.to_string());
    let narrative = NarrativeRequest { include_titles: true, ..narrative_request(range) };
    answer(serde_json::to_value(run_query(app, narrative).unwrap()).unwrap());
    answer(serde_json::to_value(run_query(app, PeriodSummaryRequest::new(range)).unwrap()).unwrap());
    answer(serde_json::to_value(run_query(app, TagsRequest::new(range)).unwrap()).unwrap());
    for kind in [UsageKind::Applications, UsageKind::Documents] {
        let request = usage_request(kind, range);
        answer(serde_json::to_value(run_query(app, request).unwrap()).unwrap());
    }
    outputs.join("\n").to_lowercase()
}

#[track_caller]
fn assert_redacted(output: &str, words: &[&str]) {
    for word in words {
        let found: Vec<_> = output.lines().filter(|line| line.contains(word)).collect();
        assert!(found.is_empty(), "`{word}` got out:\n{}", found.join("\n"));
    }
}

#[test]
fn without_redaction_everything_is_returned() {
    let output = dump_base_tables(&history().app());
    for word in WORDS {
        assert!(output.contains(word), "`{word}` is in the history");
    }
}

#[test]
fn with_full_redaction_no_secret_is_returned() {
    let history = history();
    let output = dump_everything(&app_with_privacy(&history, everything()));
    assert_redacted(&output, &WORDS);
    assert!(output.contains("(hidden)") && output.contains("client a"), "text that no rule redacts is returned");
}

#[test]
fn each_switch_redacts_its_own_kind() {
    let history = history();
    for (privacy, withheld, kept) in [
        (Privacy::new([Redaction::Titles], [], []), &["zqtitle", "zqnote"][..], ["zqurl", "zqpath", "zqapp"]),
        (Privacy::new([Redaction::Urls], [], []), &["zqurl"], ["zqnote", "zqpath", "zqapp"]),
        (Privacy::new([Redaction::Paths], [], []), &["zqpath"], ["zqnote", "zqurl", "zqapp"]),
        (Privacy::new([Redaction::Notes], [], []), &["zqnote"], ["zqtitle", "zqurl", "zqpath"]),
        (Privacy::new([], [pattern("*zqapp*")], []), &["zqapp"], ["zqnote", "zqurl", "zqsite"]),
        (Privacy::new([], [], [pattern("*.zqsite.example")]), &["zqsite"], ["zqnote", "zqurl", "zqapp"]),
    ] {
        let output = dump_base_tables(&app_with_privacy(&history, privacy.clone()));
        assert_redacted(&output, withheld);
        assert_redacted(&output, &["zqopaque"]);
        for word in kept {
            assert!(output.contains(word), "`{word}` under {:?}", privacy.summary());
        }
    }
}

#[test]
fn filters_match_only_redacted_texts() {
    let history = history();
    let (app, whole) = (app_with_privacy(&history, everything()), history.app());
    for probe in [
        "SELECT 1 FROM activities WHERE name = 'Vault' OR key = 'zqapp.exe;vault' OR group_key LIKE '%zqapp%'",
        "SELECT 1 FROM activities WHERE notes IS NOT NULL AND role = 'applications'",
        "SELECT 1 FROM applications WHERE title IS NOT NULL",
        "SELECT 1 FROM websites WHERE url LIKE '%/%' OR site LIKE '%zq%'",
        "SELECT 1 FROM documents WHERE path LIKE '%/%' OR key LIKE '%zqpath%'",
        "SELECT 1 FROM hourly_totals WHERE name LIKE '%zq%' OR key LIKE '%zq%'",
    ] {
        assert!(!rows(&whole, probe).is_empty(), "{probe}");
        assert_eq!(rows(&app, probe), [""; 0], "{probe}");
    }
    for column in ["name", "title", "key", "group_key", "common_name"] {
        let order = format!("SELECT {column}, count(*) FROM activities GROUP BY {column} ORDER BY {column} DESC");
        assert_redacted(&rows(&app, &order).join("\n").to_lowercase(), &WORDS);
    }
}

#[test]
fn errors_contain_the_redacted_value() {
    let app = app_with_privacy(&history(), everything());
    for sql in [
        "SELECT CAST(url AS BIGINT) FROM websites",
        "SELECT CAST(name AS TIMESTAMP) FROM activities",
        "SELECT arrow_cast(key, 'Int8') FROM hourly_totals",
    ] {
        let error = try_rows(&app, sql).unwrap_err().to_string();
        assert_redacted(&error.to_lowercase(), &WORDS);
    }
}

#[test]
fn hidden_applications_count_as_one_unnamed_application() {
    let history = history();
    let app = app_with_privacy(&history, Privacy::new([], [pattern("*zqapp*")], []));
    let hidden = "SELECT DISTINCT name, key, color, title, group_name, group_key, group_color, group_type, common_name, notes \
                  FROM activities WHERE role = 'applications' AND name = '(hidden)'";
    assert_eq!(rows(&app, hidden), ["(hidden) | (hidden) |  |  | (hidden) | (hidden) |  |  | (hidden) | "]);
    let segments = rows(
        &app,
        "SELECT application, key, color, document, website, title, seconds \
                                  FROM narrative('2025-01-15T09:30', '2025-01-15T09:50', 2)",
    );
    assert_eq!(segments, ["(hidden) | (hidden) |  | (hidden) | (hidden) |  | 1200"]);
    assert_eq!(rows(&app, "SELECT sum(seconds) FROM app_usage WHERE key = '(hidden)'"), ["1200"]);
}

#[test]
fn contents_of_a_hidden_application_are_hidden_by_link_and_by_time() {
    let history = history();
    let app = app_with_privacy(&history, Privacy::new([], [pattern("*zqapp*")], []));
    let sites = "SELECT to_char(start_local, '%H:%M'), site, url FROM websites ORDER BY 1";
    let kept = |all: &[String]| all.iter().filter(|row| !row.contains("(hidden)")).count();
    let output = rows(&app, sites);
    assert_eq!(output[2..4], ["09:35 | (hidden) | (hidden)", "09:40 | (hidden) | (hidden)"], "{output:?}");
    assert_eq!(kept(&output), output.len() - 2);
    let documents = rows(&app, "SELECT to_char(start_local, '%H:%M'), file, path, document FROM documents ORDER BY 1");
    assert_eq!(documents[1..3], ["09:30 | (hidden) | (hidden) | (hidden)", "09:45 | (hidden) | (hidden) | (hidden)"]);
    assert_eq!(kept(&documents), documents.len() - 2);
    let usage = "SELECT DISTINCT data_source FROM website_usage UNION SELECT DISTINCT data_source FROM document_usage";
    assert_eq!(rows(&app, usage), ["activities"], "hourly totals have no application, so activities are used");
}

#[test]
fn only_answers_recomputed_because_of_rules_report_it() {
    let history = history();
    let hint = |app: &App, kind| {
        let request = usage_request(kind, day(DAY));
        run_query(app, request).unwrap().diagnostics.remediation_hint
    };
    let effects = |app: &App| -> Vec<String> {
        run_query(app, HealthRequest).unwrap().degraded.into_iter().map(|degradation| degradation.effect).collect()
    };
    let hidden = app_with_privacy(&history, Privacy::new([], [pattern("*zqapp*")], []));
    assert!(hint(&hidden, UsageKind::Documents).unwrap().starts_with("rules hide applications, "));
    assert_eq!(hint(&hidden, UsageKind::Applications), None, "totals of applications are complete");
    let (rules, others): (Vec<_>, Vec<_>) = effects(&hidden).into_iter().partition(|it| it.starts_with("rules hide"));
    assert_eq!(rules.len(), 2, "documents and websites: {rules:?}");
    let plain = app_with_privacy(&history, Privacy::default());
    // The last document doesn't have a common group, so the totals don't contain its hour.
    assert!(hint(&plain, UsageKind::Documents).unwrap().starts_with("totals reach until 2025-01-15T10:00:00"));
    assert_eq!(others, effects(&plain));
}

#[test]
fn browser_title_is_removed_during_a_visit_to_a_hidden_site() {
    let history = history();
    let app = app_with_privacy(&history, Privacy::new([], [], [pattern("*.zqsite.example")]));
    let titles = rows(
        &app,
        "SELECT to_char(start_local, '%H:%M'), title FROM applications WHERE start_local >= '2025-01-15 09:40:00' ORDER BY 1",
    );
    assert_eq!(titles, ["09:40 | zqapp: Ada", "09:50 | ", "10:00 | ", "10:10 | ", "10:20 | zqtitle of nothing known"]);
    let sites = rows(&app, "SELECT site, sum(seconds) FROM websites WHERE site LIKE '(%' GROUP BY 1");
    assert_eq!(sites, ["(hidden) | 960"]);
}

#[test]
fn redacted_names_are_the_most_useful_safe_ones() {
    let history = history();
    let app = app_with_privacy(&history, Privacy::new([Redaction::Titles, Redaction::Urls, Redaction::Paths], [], []));
    let documents = rows(&app, "SELECT file, path, document, key FROM documents WHERE file = 'plan.txt'");
    assert_eq!(documents, ["plan.txt | plan.txt | plan.txt | plan.txt"]);
    let sites = rows(
        &app,
        "SELECT site, url, key FROM websites WHERE start_local < '2025-01-15 09:30:00' ORDER BY start_local",
    );
    assert_eq!(sites, ["docs.example | docs.example | docs.example", "keyed.example | keyed.example | keyed.example"]);
    let unnamed = rows(&app, "SELECT name, title FROM activities WHERE start_local = '2025-01-15 10:20:00'");
    assert_eq!(unnamed, ["(redacted) | "], "the title is its only name");
    assert_eq!(rows(&app, "SELECT key FROM applications WHERE application = 'Tool'"), ["tool.exe;tool"]);
    let tags = rows(
        &app,
        "SELECT tag, array_to_string(path, '+'), notes FROM tags WHERE timeline_id = 4 ORDER BY start_local",
    );
    assert_eq!(tags, ["(redacted) | Client A+(redacted) | ", "Client B | Client B | "]);
}

#[test]
fn redaction_keeps_times_ids_and_totals() {
    let history = history();
    let (app, whole) = (app_with_privacy(&history, everything()), history.app());
    for table in tables(&app) {
        let count = format!("SELECT count(*) FROM {table}");
        // All hidden names become one name, and rows with the same name are merged in an hour and in a segment. Only
        // these tables may therefore have fewer rows.
        let is_grouped = table.ends_with("_usage") && table != "model.computer_usage"
            || ["model.hourly_totals", "model.segments"].contains(&table.as_str());
        assert!(is_grouped || rows(&app, &count) == rows(&whole, &count), "{table}");
    }
    for sql in [
        "SELECT timeline_id, activity_id, role, device, state, related_activity_id, start_local, start_utc, end_local, \
         end_utc, seconds FROM activities ORDER BY 1, 2",
        "SELECT sum(seconds) FROM website_usage",
        "SELECT sum(seconds) FROM documents",
        "SELECT sum(seconds) FROM segments",
        "SELECT sum(seconds) FROM app_usage",
        "SELECT * FROM weekday_pattern('2025-01-15', '2025-01-16')",
        "SELECT * FROM timelines",
        "SELECT * FROM devices",
    ] {
        assert_eq!(rows(&app, sql), rows(&whole, sql), "{sql}");
    }
    let [hidden, unredacted] = [&app, &whole].map(|app| today(app).total_active_minutes);
    assert_eq!(hidden, unredacted);
}

#[test]
fn older_history_is_redacted_too() {
    let mut history = History::core_on_workstation();
    history.active(1, "09:00", "10:00");
    history.application(2, "zqapp", "09:00", "09:30");
    history.website(3, "zqapp.example", "09:10", "09:20");
    history.sql(
        "ALTER TABLE Ar_Activity DROP COLUMN Notes; DROP INDEX IX_Ar_Activity_RelatedActivityId; \
                 ALTER TABLE Ar_Activity DROP COLUMN RelatedActivityId",
    );
    let app = app_with_privacy(&history, Privacy::new([], [pattern("zqapp.exe")], []));
    assert_redacted(&dump_base_tables(&app), &WORDS);
    assert_eq!(today(&app).total_active_minutes.to_string(), "30");
}
