//! Two histories that differ only in secrets must give the same results. This must hold for all secrets in all
//! notations.
//!
//! The tests use every combination of redaction kinds. Every field that these kinds redact contains a random secret,
//! which differs between the two histories. The tables of the model are compared completely. For some combinations, the
//! results that are computed from the tables are also compared.

use dayledger::App;
use dayledger::activity::{
    EnvironmentRequest, Filter, HealthRequest, NarrativeRequest, PeriodSummaryRequest, TagsRequest, TimelinesRequest,
    UsageKind,
};
use dayledger::source::{Privacy, Redaction};
use dayledger_fixtures::{Activity, Group, SchemaOptions, Span, TableGroup, Timeline};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{app_with_privacy, pattern};
use crate::histories::{
    DAY, History, answer_json, day, narrative_request, rows, run_query, span, try_rows, usage_request,
};

/// The placeholder for a secret in the texts below.
const SECRET: char = '§';

/// Titles of windows, pages and messages, in different notations.
const TITLES: [&str; 9] = [
    "§",
    "Inbox(§)",
    "受信トレイ（§）",
    "§.docx",
    "Re:§",
    "§/plan",
    "§ - Mail",
    "Mail https://site.example/§",
    "about:§",
];

/// URLs of websites, in different notations. The site itself is not secret.
const ADDRESSES: [&str; 29] = [
    "https://site.example/§",
    "https://§:§@site.example:8443/§?§#§",
    "HTTPS://Site.Example?§",
    "https://site.example./§/§.html",
    "https://[::1]:3000/§",
    "https://intranet/§",
    "ftp://ada:§@site.example/§",
    "site.example/§",
    "my_host.example:80/§",
    "xn--mnchen-3ya.example/§",
    "localhost:3000/§",
    "10.0.0.1/§",
    "[::1]:3000/§",
    "intranet/§",
    "ada:§@site.example/§",
    "//site.example/§",
    "/§/§",
    "site.example:/§",
    r"site.example\§",
    r"https:\\site.example\§",
    "https:/site.example/§",
    "https://site.example%2F§",
    "https://sïte:x§/",
    "about:reader?url=https%3A%2F%2Fsite.example%2F§",
    "ms-settings:§",
    "view-source:https://site.example/§",
    "data:text/html,§",
    "chrome-extension://abc/§.html",
    "file:///§/§.html",
];

/// URLs that can occur as the text of a document.
const WEB_DOCUMENTS: [&str; 6] = [
    "https://ada:§@site.example/§/plan.docx?§",
    "https:/site.example/§",
    "sftp://ada:§@server/§",
    "ssh://root:§@host",
    "vscode-remote://ssh-remote+host/§",
    "view-source:https://site.example/§",
];

/// Paths of files, in different notations. The file names are not secret.
const PATHS: [&str; 16] = [
    r"C:\§\§\plan.txt",
    r"\\server\§\plan.txt",
    r"\\?\C:\§\plan.txt",
    "/home/§/§/plan.txt",
    "~/§/my plan.txt",
    "./§/plan.txt",
    "HD:§:plan.txt",
    "/§%2Fplan.txt",
    "/§%255Cplan.txt",
    "file:///home/§/plan.txt",
    "file:///home%2F§%2Fplan.txt",
    r"file:\\server\§\plan.txt",
    "smb://ada:§@server/§/plan.txt",
    "ssh://root:§@host/plan.txt",
    "ssh://root:§@host",
    "/home/§/",
];

/// Replaces placeholders with secrets. If the data isn't redacted, replaces them with a harmless word.
struct Secrets {
    random: Pcg64Mcg,
    redacted: Vec<Redaction>,
}

impl Secrets {
    /// Replaces each placeholder of `form`. Uses a secret if at least one kind in `promised_by` is redacted, otherwise
    /// a harmless word.
    fn fill(&mut self, form: &str, promised_by: &[Redaction]) -> String {
        let is_secret = promised_by.iter().any(|kind| self.redacted.contains(kind));
        let mut filled = String::new();
        for letter in form.chars() {
            match letter {
                SECRET if is_secret => filled.push_str(&self.secret()),
                SECRET => filled.push_str("open"),
                letter => filled.push(letter),
            }
        }
        filled
    }

    /// Returns a random secret.
    fn secret(&mut self) -> String {
        const ALPHABETS: [&str; 4] =
            ["abcdefghijklmnopqrstuvwxyz", "ABCXYZ0123456789-_~.", "äßéжяαω秘密計画データ", "a1!$&'()*+,=%é秘"];
        let alphabet: Vec<char> = ALPHABETS[self.random.random_range(0..ALPHABETS.len())].chars().collect();
        let length = self.random.random_range(1..24);
        let rest = (1..length).map(|_| alphabet[self.random.random_range(0..alphabet.len())]);
        // A secret always starts with the same letter, so that it can't be `.` or `..`, which have a meaning in paths.
        std::iter::once('s').chain(rest).collect()
    }
}

/// Returns a minute of the morning. A higher number is a later minute.
fn minute(number: usize) -> Span {
    let clock = |number: usize| format!("{:02}:{:02}", 8 + number / 60, number % 60);
    span(&clock(number), &clock(number + 1))
}

/// Returns a history. Histories with different seeds differ only in their secrets.
fn history(redacted: &[Redaction], seed: u64) -> History {
    const ALWAYS: [Redaction; 4] = Redaction::ALL;
    let (titles, urls, paths) = ([Redaction::Titles], [Redaction::Urls], [Redaction::Paths]);
    let notes = [Redaction::Titles, Redaction::Notes];
    let mut secrets = Secrets { random: Pcg64Mcg::seed_from_u64(seed), redacted: redacted.to_vec() };
    let mut history = History::with(SchemaOptions::default().with_groups(&TableGroup::ALL));
    history.device(1, "desk-id", "DESK");
    history.active(1, "08:00", "12:00");
    history.tag(4, &["Client A", "Planning"], "08:00", "09:00");
    for (report, schema) in [(8, "Vendor/Mail"), (9, "ManicTime/BrowserUrls")] {
        let base_schema = "ManicTime/Generic/Group";
        history.timeline(&Timeline { report, schema, base_schema, environment: "desk-id", name: Some("Other") });
    }
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    let tool_key = secrets.fill(r"c:\§ §\tool.exe;tool", &paths);
    let tool = group(&mut history, 2, &Group::application(&tool_key, "Tool"));
    let mut number = 0;
    let mut add = |history: &mut History, timeline: i64, text: &str, group: Option<i64>, notes: &str| {
        let activity = Activity { group, notes: Some(notes), ..Activity::new(text, minute(number % 220)) };
        number += 1;
        history.activity(timeline, &activity);
    };
    let mail = group(&mut history, 8, &Group::tag(&secrets.fill("About §", &titles)));
    for form in TITLES {
        let [title, page, subject] = [0; 3].map(|_| secrets.fill(form, &titles));
        let note = secrets.fill(form, &notes);
        add(&mut history, 2, &title, Some(editor), &note);
        add(&mut history, 2, &title, Some(tool), "");
        add(&mut history, 2, &title, None, "");
        add(&mut history, 9, &page, None, &note);
        add(&mut history, 8, &subject, Some(mail), &note);
        add(&mut history, 8, &subject, None, &note);
        let docs = history.group(3, &Group::web_site("docs.example"));
        add(&mut history, 3, &page, Some(docs), &note);
    }
    for form in ADDRESSES {
        let address = secrets.fill(form, &urls);
        let site = group(&mut history, 3, &Group { name: &secrets.fill(form, &urls), ..Group::web_site(&address) });
        for text in [&address, &secrets.fill(form, &urls)] {
            add(&mut history, 3, text, Some(site), "");
            add(&mut history, 9, text, None, "");
        }
    }
    for form in PATHS {
        let path = secrets.fill(form, &paths);
        let file = group(&mut history, 3, &Group { name: &secrets.fill(form, &paths), ..Group::file(&path, "") });
        add(&mut history, 3, &path, Some(file), "");
        add(&mut history, 3, &secrets.fill(form, &paths), Some(file), "");
    }
    let plan = history.group(3, &Group::file("/plan.txt", "plan.txt"));
    for form in WEB_DOCUMENTS {
        add(&mut history, 3, &secrets.fill(form, &urls), Some(plan), "");
        add(&mut history, 3, &secrets.fill(form, &urls), None, "");
    }
    history.writer().fill_hourly_tables().unwrap();
    let opaque = secrets.fill("§", &ALWAYS).replace('\'', "");
    history.sql(&format!(
        "UPDATE Ar_Activity SET Other = '{opaque}', SourceId = '{opaque}';
         UPDATE Ar_Group SET SourceId = '{opaque}', Other = '{opaque}', Color = '{opaque}';
         UPDATE Ar_CommonGroup SET UpperKey = '{opaque}', Color = '{opaque}';
         ALTER TABLE Ar_Activity ADD COLUMN ExtraId int; UPDATE Ar_Activity SET ExtraId = '{opaque}';
         CREATE TABLE \"Ar_{opaque}\" (\"{opaque}\" int); INSERT INTO \"Ar_{opaque}\" VALUES ('{opaque}');
         INSERT INTO Registry VALUES ('{opaque}', '{opaque}', '{opaque}', '2025-01-15 09:00:00');"
    ));
    history
}

/// Adds a new group, even if the timeline already has a group with this key.
fn group(history: &mut History, timeline: i64, group: &Group<'_>) -> i64 {
    history.writer().add_group(timeline, group).unwrap()
}

/// Returns the content of the tables from which all other data is computed.
fn tables(app: &App) -> Vec<String> {
    let tables = ["activities", "hourly_totals", "timelines", "timeline_bounds", "devices"];
    tables.iter().flat_map(|table| rows(app, &format!("SELECT * FROM {table}"))).collect()
}

/// Returns the computed results: every view and function, the responses of tools, and statements that filter, sort,
/// count and fail.
fn everything(app: &App) -> Vec<String> {
    let range = format!("'{DAY}', '2025-01-16'");
    let listed = "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_name NOT IN ('screenshots', 'meetings') ORDER BY 1";
    let mut output = rows(app, listed);
    let views: Vec<_> =
        output.iter().filter(|name| name.starts_with("model.")).map(|name| format!("SELECT * FROM {name}")).collect();
    let mut statements = views;
    for call in [
        "narrative({}, 2)",
        "blocks({})",
        "pieces({})",
        "role_pieces('websites', {})",
        "role_pieces('documents', {})",
        "recorded_time('websites', {})",
        "recorded_time('documents', {})",
        "day_summary({})",
    ] {
        statements.push(format!("SELECT * FROM {}", call.replace("{}", &range)));
    }
    for column in ["title", "name", "key", "notes", "group_name", "common_name", "color"] {
        statements.push(format!(
            "SELECT {column}, count(*), sum(seconds), min(activity_id) FROM activities GROUP BY 1 ORDER BY 1 DESC"
        ));
        statements.push(format!(
            "SELECT activity_id FROM activities WHERE {column} > 's' AND {column} LIKE '%s%' ORDER BY {column}, 1"
        ));
        statements.push(format!(
            "SELECT count(DISTINCT {column}), max(length({column})), sum(octet_length({column})) FROM activities"
        ));
    }
    statements.push("EXPLAIN SELECT * FROM websites WHERE url LIKE 's%'".to_owned());
    for failing in [
        "CAST(title AS BIGINT)",
        "CAST(key AS TIMESTAMP)",
        "arrow_cast(notes, 'Int8')",
        "1 / length(title) - length(title)",
    ] {
        statements.push(format!("SELECT {failing} FROM activities"));
    }
    statements.push("SELECT * FROM manictime.ar_activity".to_owned());
    for sql in statements {
        match try_rows(app, &sql) {
            Ok(rows) => output.extend(rows.into_iter().map(|row| format!("{sql}: {row}"))),
            Err(error) => output.push(format!("{sql}: {error}")),
        }
    }
    output.extend(answers(app));
    output
}

/// Returns the responses to the tools' requests, as JSON.
fn answers(app: &App) -> Vec<String> {
    let range = day(DAY);
    let usage = |kind| usage_request(kind, range);
    let mut health = serde_json::to_value(run_query(app, HealthRequest).unwrap()).unwrap();
    // The path is removed, because each history is in a different folder.
    health.as_object_mut().unwrap().remove("database");
    // A search must not find redacted text either.
    let text = |text: &str| Some(text.to_owned());
    let part = |filter| answer_json(app, NarrativeRequest { filter, ..narrative_request(range) }).unwrap();
    let parts = ["s", "e", "1", "/", "http"].into_iter().flat_map(|letter| {
        [
            part(Filter { text: text(letter), ..Filter::default() }),
            part(Filter { document: text(letter), ..Filter::default() }),
            part(Filter { site: text(letter), ..Filter::default() }),
        ]
    });
    let mut responses: Vec<_> = parts.collect();
    responses.extend([
        answer_json(app, NarrativeRequest { include_titles: true, ..narrative_request(range) }).unwrap(),
        answer_json(app, PeriodSummaryRequest::new(range)).unwrap(),
        answer_json(app, TagsRequest::new(range)).unwrap(),
        answer_json(app, usage(UsageKind::Applications)).unwrap(),
        answer_json(app, usage(UsageKind::Documents)).unwrap(),
        answer_json(app, TimelinesRequest).unwrap(),
        answer_json(app, EnvironmentRequest).unwrap(),
        health.to_string(),
    ]);
    responses
}

/// Returns every combination of redaction kinds except the empty one.
fn combinations() -> impl Iterator<Item = Vec<Redaction>> {
    (1..1_u8 << Redaction::ALL.len()).map(|bits| {
        let kinds = Redaction::ALL.into_iter().enumerate();
        kinds.filter(|(place, _)| bits >> place & 1 == 1).map(|(_, kind)| kind).collect()
    })
}

#[track_caller]
fn assert_alike(outputs: impl Fn(&App) -> Vec<String>, redacted: &[Redaction], seeds: [u64; 2]) {
    // The settings also contain a pattern that matches no application.
    let privacy = || Privacy::new(redacted.iter().copied(), [pattern("nothing")], []);
    let [one, other] = seeds.map(|seed| history(redacted, seed));
    let [tables_of_one, tables_of_other] = [&one, &other].map(|history| outputs(&app_with_privacy(history, privacy())));
    for (one, other) in tables_of_one.iter().zip(&tables_of_other) {
        assert_eq!(one, other, "{redacted:?} {seeds:?}");
    }
    assert_eq!(tables_of_one.len(), tables_of_other.len(), "{redacted:?} {seeds:?}");
    assert!(tables_of_one.len() > 200, "the tables are not empty");
}

#[test]
fn histories_that_differ_only_in_secrets_have_the_same_tables() {
    for (number, redacted) in (0..).zip(combinations()) {
        for round in 0..2 {
            assert_alike(tables, &redacted, [number * 100 + round * 10, number * 100 + round * 10 + 1]);
        }
    }
}

#[test]
fn histories_that_differ_only_in_secrets_give_the_same_answers() {
    for (number, redacted) in [&[Redaction::Urls, Redaction::Notes][..], &Redaction::ALL].into_iter().enumerate() {
        assert_alike(everything, redacted, [900 + number as u64, 950 + number as u64]);
    }
}

#[test]
fn redaction_changes_no_time_count_or_id() {
    let history = history(&Redaction::ALL, 7);
    let whole = history.app();
    for redacted in combinations() {
        let app = app_with_privacy(&history, Privacy::new(redacted.iter().copied(), [], []));
        for sql in [
            "SELECT timeline_id, activity_id, role, device, start_local, end_utc, seconds FROM activities",
            "SELECT timeline_id, role, hour_local, seconds FROM hourly_totals",
            "SELECT role, count(*), sum(seconds) FROM activities GROUP BY role ORDER BY role",
            "SELECT * FROM timeline_bounds",
        ] {
            assert_eq!(rows(&app, sql), rows(&whole, sql), "{sql} under {redacted:?}");
        }
    }
    assert!(rows(&whole, "SELECT title FROM activities").iter().any(|title| title.contains("site.example/s")));
}
