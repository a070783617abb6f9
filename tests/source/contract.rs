//! Tests the promises of `HistorySource` for every source. A source returns no text that privacy settings redact or
//! hide. All scans of one read see the same version of the history.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::NaiveDate;
use dayledger::activity::{FindRequest, SearchWords};
use dayledger::engine::Table as Rows;
use dayledger::export::{Export, ExportHistory, ExportTable, FileFormat};
use dayledger::request::Limit;
use dayledger::source::selection::{Predicate, Selection, Test};
use dayledger::source::{
    FoundBy, HistorySource, Privacy, ReadHandle, ReadRows, Redaction, Role, ScanExtent, ScanRequest, Table,
};
use dayledger_fixtures::{Activity, Group, Moment, SchemaOptions, Server, Span};

use super::activitywatch::{self, ActivityWatchFile};
use super::app_over;
use super::memory::{MemorySource, Row};
use super::week::{MINUTE, MONDAY};
use crate::histories::{History, block_on, cells, rows, run_query, source_at, try_rows};
use crate::privacy::pattern;

/// Secret words. Each word is in a different kind of text: titles, notes, URLs, tags with a URL, paths, a hidden
/// application and a hidden site.
const SECRETS: [&str; 7] = ["zqtitle", "zqnote", "zqurl", "zqtag", "zqpath", "zqapp", "zqsite"];

/// An SQL expression for the text columns of activities, joined to one text.
const TEXTS: &str = "concat_ws(' ', title, name, key, group_name, group_key, common_name, notes, rule_text, \
                     array_to_string(tag_path, ' '))";

/// Adds rows to a history in one commit.
type AddRows = Box<dyn FnMut(&[Row]) + Send>;

/// Returns the source with these privacy settings.
type ApplySettings = Box<dyn Fn(&Privacy) -> Arc<dyn HistorySource>>;

/// A source that is tested.
struct Subject {
    source: Arc<dyn HistorySource>,
    /// A source of the same kind whose history is missing. Its folder has a secret name.
    missing: Arc<dyn HistorySource>,
    /// The secret words that the history contains.
    secrets: Vec<&'static str>,
    /// Adds rows to the history. `None` if the history can't change.
    add: Option<AddRows>,
    /// Applies privacy settings. For an export, this returns another export, because its settings were applied when it
    /// was written.
    with_privacy: ApplySettings,
}

impl Subject {
    /// Returns a source that applies settings while it reads. `add` also keeps the files of the history until the test
    /// ends.
    fn tracker(source: Arc<dyn HistorySource>, missing: Arc<dyn HistorySource>, add: AddRows) -> Self {
        let original = Arc::clone(&source);
        let with_privacy: ApplySettings = Box::new(move |privacy| original.with_privacy(privacy.clone()));
        Self { source, missing, secrets: SECRETS.to_vec(), add: Some(add), with_privacy }
    }

    /// Returns exports of a history. Each export has different privacy settings.
    fn export() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let missing = Arc::new(ExportHistory::new(&folder.path().join("zqpath/missing"), FoundBy::Flag));
        let original: Arc<dyn HistorySource> = Arc::new(MemorySource::new(secret_rows()));
        let exports = AtomicUsize::new(0);
        let with_privacy: ApplySettings = Box::new(move |privacy| {
            let number = exports.fetch_add(1, Ordering::Relaxed);
            let place = folder.path().join("zqpath").join(number.to_string());
            export(&*original.with_privacy(privacy.clone()), &place);
            Arc::new(ExportHistory::new(&place, FoundBy::Flag))
        });
        Self { source: with_privacy(&Privacy::default()), missing, secrets: SECRETS.to_vec(), add: None, with_privacy }
    }
}

/// Exports the activities of a source.
fn export(source: &dyn HistorySource, folder: &Path) {
    let app = app_over(source.with_privacy(source.privacy().clone()));
    let export = Export {
        folder: folder.to_owned(),
        person: None,
        range: None,
        tables: BTreeSet::from([ExportTable::Activities]),
        format: FileFormat::Parquet,
        separator: None,
    };
    let now = NaiveDate::from_ymd_opt(2025, 2, 1).unwrap().into();
    block_on(export.run(app.history(), now, &mut |_| ())).unwrap();
}

/// Returns a source of every kind. All sources contain the same rows.
fn subjects() -> [Subject; 4] {
    let memory = MemorySource::new(secret_rows());
    let mut history = History::in_folder("zqpath", SchemaOptions::default());
    history.device(1, "desk-id", "DESK");
    add_to_history(&mut history, &secret_rows());
    history.writer().fill_hourly_tables().unwrap();
    history.commit();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("zqpath");
    std::fs::create_dir(&place).unwrap();
    let mut file = ActivityWatchFile::in_folder(&place, Server::Rust);
    // In ActivityWatch, files don't belong to a window. Hiding an application therefore doesn't hide its file, so the
    // row of the hidden application's file is left out.
    let recorded: Vec<_> = secret_rows().into_iter().filter(|row| row.name != "zqapp.kdbx").collect();
    file.add(&recorded);
    [
        Subject::tracker(
            Arc::new(memory.clone()),
            Arc::new(MemorySource::missing()),
            Box::new(move |rows: &[Row]| memory.add(rows)),
        ),
        Subject::tracker(
            Arc::new(source_at(history.folder())),
            Arc::new(source_at(&history.folder().join("missing"))),
            Box::new(move |rows: &[Row]| add_to_history(&mut history, rows)),
        ),
        Subject {
            // ActivityWatch doesn't store notes.
            secrets: SECRETS.into_iter().filter(|secret| *secret != "zqnote").collect(),
            ..Subject::tracker(
                Arc::new(file.source()),
                Arc::new(activitywatch::source_at(&place.join("missing"))),
                Box::new(move |rows: &[Row]| {
                    let _keep = &folder;
                    file.add(rows);
                }),
            )
        },
        Subject::export(),
    ]
}

fn secret_rows() -> Vec<Row> {
    let at = |from: i64, to: i64| MONDAY + from * MINUTE..MONDAY + to * MINUTE;
    let application = |id: i64, name: (&'static str, &'static str), title: &'static str, from: i64| {
        Row::new(Role::Applications, id, name, title, at(from, from + 10))
    };
    let (editor, firefox) = (("Editor", "editor.exe;editor"), ("Firefox", "firefox.exe;firefox"));
    let document = |id: i64, name: &'static str, key: &'static str| {
        Row::new(Role::Documents, id, (name, key), key, at(10 * id - 10, 10 * id))
    };
    let website = |id: i64, site: &'static str, url: &'static str| {
        Row::new(Role::Websites, id, (site, site), url, at(10 * id - 10, 10 * id))
    };
    let tags = "Client A, see https://docs.example/zqtag";
    vec![
        Row::new(Role::ComputerUsage, 1, ("Active", "active"), "Active", at(0, 60)),
        application(1, editor, "zqtitle plan - Editor", 0).with_notes("zqnote of a window"),
        application(2, firefox, "Docs - Firefox", 10),
        application(3, ("Vault", "zqapp.exe;vault"), "My zqapp passwords", 20),
        application(4, firefox, "zqsite bank - Firefox", 30),
        application(5, editor, "More", 40),
        document(1, "plan.txt", r"c:\users\zqpath dir\plan.txt").with_related(1),
        website(2, "docs.example", "https://docs.example/zqurl").with_related(2),
        document(3, "zqapp.kdbx", r"c:\vault\zqapp.kdbx").with_related(3),
        website(4, "my.zqsite.example", "https://my.zqsite.example/account").with_related(4),
        Row::new(Role::Tags, 1, (tags, tags), tags, at(0, 20)).with_notes("zqnote of a tag"),
    ]
}

/// Writes rows to a history of `ManicTime` in one commit.
fn add_to_history(history: &mut History, rows: &[Row]) {
    for row in rows {
        let moment = |utc| Moment { utc, offset: 0 };
        let span = Span { start: moment(row.span.start), end: moment(row.span.end) };
        let name = row.title.as_deref().unwrap();
        let activity = Activity { notes: row.notes.as_deref(), related: row.related, ..Activity::new(name, span) };
        let (timeline, group) = match row.role {
            Role::ComputerUsage => (1, Group::state("ManicTime/Active", &row.name)),
            Role::Applications => (2, Group::application(&row.key, &row.name)),
            Role::Documents => (3, Group::file(&row.key, &row.name)),
            Role::Websites => (3, Group::web_site(&row.name)),
            Role::Tags | Role::Other => {
                let path = row.tag_path().unwrap();
                let groups: Vec<_> = path.iter().map(|level| history.group(4, &Group::tag(level))).collect();
                let list = history.writer().add_group_list(4, &row.name, &groups, false).unwrap();
                history.activity(4, &activity.group_list(list));
                continue;
            }
        };
        let group = history.group(timeline, &group);
        history.activity(timeline, &activity.group(group));
    }
    history.commit();
}

/// Returns a scan of all columns of a table.
fn scan(table: Table) -> ScanRequest {
    let projection = (0..table.schema().fields().len()).collect();
    ScanRequest { table, selection: Selection { projection, predicates: Vec::new(), limit: None } }
}

/// Returns a scan of the activities with this role.
fn scan_of_role(role: Role) -> ScanRequest {
    let mut scan = scan(Table::Activities);
    let test = Test::Texts(vec![role.name().to_owned()]);
    scan.selection.predicates.push(Predicate { column: "role".to_owned(), test });
    scan
}

/// Returns the values of each scan. All scans are done in one read.
fn read(source: &dyn HistorySource, scans: &[ScanRequest], extent: ScanExtent) -> Vec<Vec<Vec<String>>> {
    let requested: Vec<_> = scans.iter().map(|scan| (scan, extent)).collect();
    let read = source.read(&requested, &ReadHandle::default()).unwrap();
    assert_eq!(read.len(), scans.len());
    let values = |(scan, rows): (&ScanRequest, ReadRows)| {
        let batches = match rows {
            ReadRows::Batches(batches) => batches.to_vec(),
            ReadRows::Cached(rows) => rows.batches(&scan.selection).unwrap(),
        };
        cells(&Rows { schema: scan.schema(), batches, truncated: None })
    };
    scans.iter().zip(read).map(values).collect()
}

/// Returns all rows of a source, and all its text for users, in lower case.
fn dump(source: &dyn HistorySource) -> String {
    let scans: Vec<_> = Table::MODEL.into_iter().map(|(_, table)| scan(table)).collect();
    let mut texts = Vec::new();
    for extent in [ScanExtent::Whole, ScanExtent::Parts] {
        texts.extend(read(source, &scans, extent).into_iter().flatten().flatten());
    }
    for scan in &scans {
        texts.push(source.describe(scan));
        texts.extend(source.explain(scan).unwrap());
    }
    texts.push(format!("{:?}", source.health().unwrap()));
    texts.push(format!("{:?}", source.contents().unwrap()));
    texts.push(format!("{:?}", source.location().unwrap()));
    texts.join("\n").to_lowercase()
}

/// Returns the errors of a source without a history, in lower case.
fn dump_errors(source: &dyn HistorySource) -> String {
    let scan = scan(Table::Activities);
    let errors = [
        format!("{:?}", source.location().unwrap_err()),
        format!("{:?}", source.contents().unwrap_err()),
        format!("{:?}", source.health().unwrap_err()),
        format!("{:?}", source.read(&[(&scan, ScanExtent::Whole)], &ReadHandle::default()).unwrap_err()),
    ];
    errors.join("\n").to_lowercase()
}

/// Returns privacy settings, each with the secret words that it removes.
fn settings() -> Vec<(Privacy, Vec<&'static str>)> {
    let redacted = |kind| Privacy::new([kind], [], []);
    let (applications, sites) = (|| [pattern("*zqapp*")], || [pattern("*.zqsite.example")]);
    vec![
        (redacted(Redaction::Titles), vec!["zqtitle", "zqnote"]),
        (redacted(Redaction::Urls), vec!["zqurl", "zqtag"]),
        (redacted(Redaction::Paths), vec!["zqpath", "zqtag"]),
        (redacted(Redaction::Notes), vec!["zqnote"]),
        (Privacy::new([], applications(), []), vec!["zqapp"]),
        (Privacy::new([], [], sites()), vec!["zqsite"]),
        (Privacy::new(Redaction::ALL, applications(), sites()), SECRETS.to_vec()),
    ]
}

#[track_caller]
fn assert_none(text: &str, secrets: &[&str]) {
    for secret in secrets {
        let found: Vec<_> = text.lines().filter(|line| line.contains(secret)).collect();
        assert!(found.is_empty(), "`{secret}` got out:\n{}", found.join("\n"));
    }
}

#[test]
fn source_returns_no_redacted_or_hidden_text() {
    for Subject { source, missing, secrets: contained, add: _keep, with_privacy } in subjects() {
        let (whole, errors) = (dump(&*source), dump_errors(&*missing));
        for secret in &contained {
            assert!(whole.contains(secret), "{}: `{secret}` is in the history", source.name());
        }
        assert!(errors.contains("zqpath"), "{}: {errors}", source.name());
        for (privacy, secrets) in settings() {
            let text = dump(&*with_privacy(&privacy));
            assert_none(&text, &secrets);
            assert_none(&dump_errors(&*missing.with_privacy(privacy.clone())), &secrets);
            for secret in contained.iter().filter(|secret| !secrets.contains(secret)) {
                assert!(text.contains(secret), "{}: `{secret}` under {:?}", source.name(), privacy.summary());
            }
        }
    }
}

#[test]
fn statements_can_not_find_redacted_or_hidden_text() {
    for Subject { source, secrets: contained, add: _keep, with_privacy, .. } in subjects() {
        for (privacy, secrets) in settings() {
            let app = app_over(with_privacy(&privacy));
            for secret in &secrets {
                let sql = format!("SELECT count(*) FROM activities WHERE title LIKE '%{secret}%'");
                assert_eq!(rows(&app, &sql), ["0"], "{}: {sql}", source.name());
            }
            let counts = SECRETS.map(|secret| format!("count(*) FILTER (WHERE {TEXTS} LIKE '%{secret}%') > 0"));
            let is_found = |secret| contained.contains(&secret) && !secrets.contains(&secret);
            let are_found = SECRETS.map(|secret| is_found(secret).to_string());
            let found = rows(&app, &format!("SELECT {} FROM activities", counts.join(", ")));
            assert_eq!(found, [are_found.join(" | ")], "{}: {:?}", source.name(), privacy.summary());
            for failing in ["CAST(title AS BIGINT)", "CAST(key AS TIMESTAMP)", "CAST(notes AS DOUBLE)"] {
                let sql = format!("SELECT {failing} FROM activities WHERE role = 'applications'");
                if let Err(error) = try_rows(&app, &sql) {
                    assert_none(&error.to_string().to_lowercase(), &secrets);
                }
            }
            for sql in ["EXPLAIN SELECT * FROM activities", "EXPLAIN SELECT * FROM hourly_totals WHERE role = 'tags'"] {
                assert_none(&rows(&app, sql).join("\n").to_lowercase(), &secrets);
            }
            let plans = block_on(app.engine().source_plans("SELECT * FROM activities".to_owned())).unwrap();
            assert_none(&plans.join("\n").to_lowercase(), &secrets);
        }
    }
}

/// The test searches for single letters, which finds nearly all texts. Therefore the names and texts of nearly all rows
/// are checked.
#[test]
fn searches_find_no_redacted_or_hidden_text() {
    for Subject { source, secrets: contained, add: _keep, with_privacy, .. } in subjects() {
        for (privacy, secrets) in settings() {
            let app = app_over(with_privacy(&privacy));
            for words in SECRETS.into_iter().chain(["e", "(hidden)"]) {
                let words_to_find = SearchWords::parse(words, "words").unwrap();
                let request = FindRequest { words: words_to_find, range: None, limit: Limit::MAXIMUM, cursor: None };
                let found = run_query(&app, request).unwrap();
                if SECRETS.contains(&words) {
                    let is_shown = contained.contains(&words) && !secrets.contains(&words);
                    let is_found = !found.matches.is_empty();
                    assert_eq!(is_found, is_shown, "{}: `{words}` under {:?}", source.name(), privacy.summary());
                }
                assert_none(&serde_json::to_string(&found).unwrap().to_lowercase(), &secrets);
            }
            for secret in &secrets {
                let sql =
                    format!("SELECT * FROM activities WHERE contains_words(concat(name, title, notes), '{secret}')");
                let plans = block_on(app.engine().source_plans(sql)).unwrap();
                assert_none(&plans.join("\n").to_lowercase(), &secrets);
            }
        }
    }
}

/// Returns the numbers of activities of applications and of tags. Each number is returned twice: from the rows, and
/// from the bounds of the timeline.
fn counts(source: &dyn HistorySource) -> [usize; 4] {
    let scans = [scan_of_role(Role::Applications), scan_of_role(Role::Tags), scan(Table::TimelineBounds)];
    let tables = read(source, &scans, ScanExtent::Whole);
    let schema = scans[2].schema();
    let [role, activities] = ["role", "activities"].map(|column| schema.index_of(column).unwrap());
    let bounds = |wanted: Role| {
        let timeline = tables[2].iter().find(|row| row[role] == wanted.name()).unwrap();
        timeline[activities].parse().unwrap()
    };
    [tables[0].len(), tables[1].len(), bounds(Role::Applications), bounds(Role::Tags)]
}

#[test]
fn all_scans_of_one_read_see_one_state() {
    const STEPS: i64 = 40;
    for Subject { source, add, .. } in subjects() {
        let Some(mut add) = add else { continue };
        let [applications, tags, ..] = counts(&*source);
        let check = || {
            let [more_applications, more_tags, of_applications, of_tags] = counts(&*source);
            assert_eq!(more_applications - applications, more_tags - tags, "{}: half a step", source.name());
            assert_eq!([of_applications, of_tags], [more_applications, more_tags], "{}: half a step", source.name());
            more_tags - tags
        };
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for step in 1..=STEPS {
                    let span = MONDAY + (60 + step) * MINUTE..MONDAY + (61 + step) * MINUTE;
                    let application = ("Editor", "editor.exe;editor");
                    let tag = format!("Step {step}");
                    add(&[
                        Row::new(Role::Applications, 100 + step, application, &format!("{tag} - Editor"), span.clone()),
                        Row::new(Role::Tags, 100 + step, (tag.as_str(), tag.as_str()), &tag, span),
                    ]);
                }
            });
            while !writer.is_finished() {
                check();
            }
        });
        assert_eq!(i64::try_from(check()).unwrap(), STEPS, "{}: the test ran every step", source.name());
    }
}

#[test]
fn location_contains_no_folder_if_paths_are_redacted() {
    for Subject { source, add: _keep, with_privacy, .. } in subjects() {
        let whole = source.location().unwrap().database;
        let redacted = with_privacy(&Privacy::new([Redaction::Paths], [], [])).location().unwrap().database;
        assert_eq!(Some(redacted.as_os_str()), whole.file_name());
    }
}

/// An export with some privacy settings used to count as an export without any titles. Further settings then had no
/// effect and caused no error.
#[test]
fn export_refuses_settings_that_it_does_not_fulfil() {
    let Subject { source: whole, with_privacy, .. } = Subject::export();
    for (privacy, secrets) in settings() {
        let refused = whole.with_privacy(privacy.clone());
        let errors = dump_errors(&*refused);
        assert!(errors.contains("cannot apply the privacy settings to an export"), "{errors}");
        assert_none(&errors, &secrets);
        let written_with_them = with_privacy(&privacy);
        for (more, _) in settings() {
            let kinds = |privacy: &Privacy| privacy.summary().redacted.into_iter().collect::<BTreeSet<_>>();
            let is_fulfilled = !more.summary().hides_names() && kinds(&more).is_subset(&kinds(&privacy));
            let read = written_with_them.with_privacy(more.clone()).contents();
            assert_eq!(read.is_ok(), is_fulfilled, "{:?} of {:?}", more.summary(), privacy.summary());
        }
    }
}

/// An export doesn't contain the patterns of hidden applications. It can't know which screenshots show these
/// applications, so it hides all screenshots.
#[test]
fn export_with_hidden_names_hides_all_screenshots() {
    let Subject { with_privacy, .. } = Subject::export();
    let hides_all = |privacy: &Privacy| with_privacy(privacy).hidden_screenshots().unwrap().hides_all();
    assert!(!hides_all(&Privacy::default()));
    assert!(hides_all(&Privacy::new([], [pattern("*zqapp*")], [])));
}
