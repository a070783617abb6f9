//! Tests `export`: the written files, and the files that an export must not change. Also tests that SQL returns the
//! same rows from a history and from its export.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{Days, TimeDelta};
use dayledger_fixtures::{Activity, Group, Span, Timeline};

use super::program::{Home, demo, folder_hash};
#[cfg(unix)] // one test presses keys in a Unix pseudo-terminal
use super::pseudo_terminal::{INTERRUPT, Terminal};
use super::{assert_fails, stderr_of, stdout_of};
use crate::histories::{ClosedHistory, History};

const EVERYTHING: &str =
    "app_usage,website_usage,document_usage,tag_usage,day_summary,weekday_pattern,segments,activities";

/// Returns the history of a winter on two devices. It contains work across the end of a month, tags, sites and files.
/// On a kiosk, one application runs for four days across the end of another month.
fn winter() -> ClosedHistory {
    winter_and(|_| {})
}

/// Returns the history of [`winter`] with additional rows.
fn winter_and(more: impl FnOnce(&mut History)) -> ClosedHistory {
    let mut history = History::on_workstation();
    history.device(11, "hall-id", "HALL");
    for (from, to) in [
        ("2024-12-31 22:00:00", "2025-01-01 02:00:00"),
        ("2025-01-15 09:00:00", "2025-01-15 12:00:00"),
        ("2025-01-31 23:00:00", "2025-02-01 00:30:00"),
    ] {
        history.active(1, from, to);
    }
    history.application(2, "Editor", "2024-12-31 22:00:00", "2025-01-01 01:00:00");
    history.application(2, "Browser", "2025-01-01 01:00:00", "2025-01-01 02:00:00");
    history.application(2, "Editor", "2025-01-15 09:00:00", "2025-01-15 10:00:00");
    history.application(2, "Mail", "2025-01-15 10:00:00", "2025-01-15 10:00:20");
    history.application(2, "Editor", "2025-01-15 10:00:20", "2025-01-15 12:00:00");
    history.application(2, "Browser", "2025-01-31 23:00:00", "2025-01-31 23:59:00");
    history.application(2, "Browser", "2025-02-01 00:00:30", "2025-02-01 00:30:00");
    history.website(3, "docs.example.org", "2025-01-01 01:00:00", "2025-01-01 01:40:00");
    history.document(3, "/home/alex/secret plans/plan.txt", "2025-01-15 09:00:00", "2025-01-15 11:00:00");
    history.website(3, "example.org", "2025-01-31 23:30:00", "2025-02-01 00:20:00");
    history.tag(4, &["Client", "Night"], "2024-12-31 23:00:00", "2025-01-01 01:30:00");
    history.tag(4, &["Client", "Plans"], "2025-01-15 09:00:00", "2025-01-15 10:00:00");
    history.active(11, "2025-01-30 06:00:00", "2025-02-03 06:00:00");
    history.application(12, "Kiosk", "2025-01-30 06:00:00", "2025-02-03 06:00:00");
    more(&mut history);
    history.close()
}

/// Queries that must return the same rows from a history and from its export.
const QUESTIONS: [&str; 12] = [
    "SELECT device, activity_id, start_local, end_utc, seconds, application, document, website, tags, title FROM segments
     ORDER BY start_utc, device",
    "SELECT * FROM app_usage ORDER BY hour_local, key, name, data_source",
    "SELECT * FROM website_usage ORDER BY hour_local, key, name, data_source",
    "SELECT * FROM document_usage ORDER BY hour_local, key, name, data_source",
    "SELECT * FROM tag_usage ORDER BY hour_local, key, name, data_source",
    "SELECT * FROM day_summary('2024-12-31', '2025-02-10') ORDER BY date",
    "SELECT * FROM weekday_pattern('2025-01-01', '2025-02-10') ORDER BY weekday",
    "SELECT * FROM narrative('2025-01-01', '2025-02-10') ORDER BY device, start_utc",
    "SELECT * FROM tags_in('2025-01-01', '2025-02-01') ORDER BY start_utc",
    "SELECT sum(seconds) FROM pieces('2025-01-01', '2025-02-01')",
    "SELECT sum(seconds) FROM computer_usage_in('2025-01-31T12:00', '2025-02-01')",
    "SELECT * EXCEPT (rule_text) FROM activities WHERE start_local >= '2025-01-01' ORDER BY start_utc, timeline_id, activity_id",
];

/// Returns the results of all queries, one after the other. One process runs all queries.
fn answers(home: &Home, of: &[&str]) -> String {
    stdout_of(home.program(["sql", "--format", "csv", "-c", &QUESTIONS.join(";\n")]).args(of))
}

/// Returns the files in a folder with their content, by relative path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
                if name == ".dayledger.lock" {
                    continue;
                }
                // During an export, a temporary file may get its final name after it was listed. Such a file no longer
                // has its temporary name, so it is skipped.
                found.extend(fs::read(&path).ok().map(|bytes| (name, bytes)));
            }
        }
    }
    found
}

fn export(home: &Home, history: &Path, arguments: &str) -> String {
    stdout_of(home.program_for(history, ["export"]).args(arguments.split(' ')))
}

#[test]
fn the_same_sql_gives_the_same_rows_on_a_history_and_its_export() {
    let (home, history) = (Home::new(), winter());
    let data_dir = ["--data-dir", history.folder().to_str().unwrap()];
    let expected = answers(&home, &data_dir);
    let segments = expected.split("\nhour_local,").next().unwrap();
    assert!(segments.contains("Kiosk") && segments.contains(",345600,"), "four days are one segment: {segments}");

    let everything = format!("--include-titles --tables {EVERYTHING}");
    export(&home, history.folder(), &format!("--from 2024-12 --to 2025-02 --out whole {everything}"));
    assert_eq!(answers(&home, &["--exports", "whole"]), expected);

    // Later months are exported first. If an activity began in an earlier month, the export of the earlier month
    // contains the activity again.
    for month in ["2025-02", "2025-01", "2024-12"] {
        export(&home, history.folder(), &format!("--from {month} --out single {everything}"));
    }
    assert_eq!(answers(&home, &["--exports", "single"]), expected);
}

#[test]
fn activity_running_into_the_first_month_is_exported() {
    let (home, history) = (Home::new(), winter());
    export(&home, history.folder(), "--from 2025-02 --out february --tables activities");
    let february = "SELECT sum(active_seconds) FROM day_summary('2025-02-01', '2025-03-01')";
    let data_dir = stdout_of(&mut home.program_for(history.folder(), ["sql", "--format", "csv", "-c", february]));
    let exported = stdout_of(&mut home.program(["sql", "--exports", "february", "--format", "csv", "-c", february]));
    assert_eq!(exported, data_dir);
    assert!(exported.ends_with(&format!("\n{}\n", 54 * 3600)), "{exported}");
}

#[test]
fn export_replaces_only_the_requested_months() {
    let (home, history) = (Home::new(), winter());
    export(&home, history.folder(), "--from 2024-12 --to 2025-02 --out months");
    let before = files(&home.folder("months"));
    assert_eq!(before.len(), 3 * 7 + 1, "{:?}", before.keys());
    // A rewritten file keeps its path. The test therefore changes the content of the old file, to recognise whether the
    // file was rewritten.
    let marked = home.folder("months/app_usage/month=2024-12/app_usage.parquet");
    fs::write(&marked, "another month").unwrap();
    fs::write(home.folder("months/app_usage/month=2025-01/app_usage.parquet"), "of the month").unwrap();
    let output = export(&home, history.folder(), "--from 2025-01 --out months");
    assert!(output.contains("1 month, 2025-01-01 00:00 to before 2025-02-01 00:00"), "{output}");
    let after = files(&home.folder("months"));
    assert_eq!(fs::read(&marked).unwrap(), b"another month");
    for (name, bytes) in before
        .iter()
        .filter(|(name, _)| !name.contains("manifest") && **name != "app_usage/month=2024-12/app_usage.parquet")
    {
        assert!(after[name] == *bytes, "{name}");
    }
}

#[test]
fn titles_urls_and_paths_are_exported_only_on_request() {
    let (home, data) = (Home::new(), demo());
    let tables = format!("--from 2026-11-05 --to 2026-11-19 --format ndjson --tables {EVERYTHING}");
    export(&home, data.path(), &format!("{tables} --out private"));
    export(&home, data.path(), &format!("{tables} --out open --include-titles"));
    let titles = "SELECT DISTINCT title FROM activities WHERE role IN ('applications', 'documents', 'websites') \
                  AND (title LIKE '% - %' OR title LIKE '%://%') AND start_local >= '2026-11-05'";
    let titles = stdout_of(&mut home.program_for(data.path(), ["sql", "--format", "ndjson", "-c", titles]));
    let titles: Vec<String> = titles
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["title"].as_str().unwrap().to_owned())
        .collect();
    assert!(titles.len() > 50, "{titles:?}");
    let values = |folder: &str| -> Vec<String> {
        let files = files(&home.folder(folder)).into_iter().filter(|(name, _)| name.ends_with(".ndjson"));
        let mut values = Vec::new();
        for (_, bytes) in files {
            for line in String::from_utf8(bytes).unwrap().lines() {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                values.extend(row.as_object().unwrap().values().filter_map(|value| value.as_str().map(str::to_owned)));
            }
        }
        values.sort_unstable();
        values.dedup();
        values
    };
    let (private, open) = (values("private"), values("open"));
    let path_like = |value: &String| value.contains("://") || value.contains(":\\") || value.contains("/home/");
    assert!(open.iter().any(path_like) && titles.iter().all(|title| open.contains(title)));
    assert_eq!(private.iter().filter(|value| path_like(value)).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(titles.iter().filter(|title| private.contains(title)).collect::<Vec<_>>(), [""; 0]);
    assert!(private.iter().any(|value| value == "github.com"), "sites are not redacted");
}

#[test]
fn unsupported_queries_of_an_export_explain_why() {
    let (home, history) = (Home::new(), winter());
    export(&home, history.folder(), "--from 2025-01 --out usual");
    export(&home, history.folder(), "--from 2025-01 --out rows --tables activities,segments");
    for (folder, question, message) in [
        ("usual", "SELECT * FROM narrative('2025-01-15', '2025-01-16')", "`narrative` needs activities"),
        ("usual", "SELECT * FROM websites", "`websites` needs activities"),
        ("usual", "SELECT title FROM segments", "`title` is not in this export"),
        (
            "usual",
            "SELECT project FROM segments",
            "`project` depends on rules, which can change: select it from `narrative",
        ),
        ("usual", "SELECT * FROM screenshots", "`screenshots` is not in this export"),
        ("usual", "SELECT * FROM hourly_totals", "use `app_usage`"),
        ("usual", "SELECT * FROM day_summary('2024-12-15', '2025-01-16')", "only 2025-01-01 to before 2025-02-01"),
        ("usual", "SELECT * FROM weekday_pattern('2025-01-15T09:00', '2025-01-16')", "only whole days"),
        ("rows", "SELECT * FROM app_usage", "`app_usage` is not in this export"),
        ("rows", "SELECT application FROM pieces('2025-01-15', '2025-02-16')", "only 2025-01-01 to before 2025-02-01"),
        ("rows", "SELECT * FROM unlogged('2025-01-15', '2025-01-16')", "`unlogged` needs the timesheet"),
        ("rows", "SELECT * FROM segmens", "did you mean `segments`?"),
        ("rows", "CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '.'", "cannot run "),
    ] {
        let stderr = stderr_of(&mut home.program(["sql", "--exports", folder, "-c", question]), 1);
        assert!(stderr.contains(message), "{question}: {stderr}");
    }
    let sites = "SELECT site, seconds FROM websites";
    let sites = stdout_of(&mut home.program(["sql", "--exports", "rows", "--format", "csv", "-c", sites]));
    assert_eq!(
        sites, "site,seconds\ndocs.example.org,2400\nexample.org,3000\n",
        "tables that were exported can be queried"
    );
    let all =
        stdout_of(&mut home.program(["sql", "--exports", "usual", "--format", "csv", "-c", "SELECT * FROM segments"]));
    assert!(all.starts_with("device,activity_id,start_local,") && !all.contains("title"), "{all}");
}

#[test]
fn export_does_not_overwrite_other_folders_or_exports() {
    let (home, history) = (Home::new(), winter());
    let run = |arguments: &str| {
        let mut command = home.program_for(history.folder(), ["export"]);
        command.args(arguments.split(' '));
        command
    };
    let before = folder_hash(history.folder());
    let inside = history.folder().join("export").to_string_lossy().into_owned();
    let stderr = stderr_of(&mut run(&format!("--from 2025-01 --out {inside}")), 1);
    assert!(stderr.contains("inside a folder"), "{stderr}");
    assert_eq!(folder_hash(history.folder()), before);

    fs::create_dir(home.folder("letters")).unwrap();
    fs::write(home.folder("letters/letter.txt"), "dear").unwrap();
    assert_fails(&mut run("--from 2025-01 --out letters"), "does not contain an export", "empty folder");
    assert_eq!(files(&home.folder("letters")).len(), 1);

    export(&home, history.folder(), "--from 2025-01-10 --to 2025-02-09 --out kept");
    let before = folder_hash(&home.folder("kept"));
    assert_fails(&mut run("--from 2025-01 --out kept --format csv"), "cannot be mixed", "another folder");
    assert_fails(&mut run("--from 2025-01 --out kept --include-titles"), "as parquet without titles", "another folder");
    assert_fails(&mut run("--from 2025-01-20 --to 2025-01-31 --out kept"), "would contain only", "whole month");
    assert_fails(&mut run("--from 2025-01-20T09:00 --to 2025-02-01 --out kept"), "within a day", "dates");
    assert_eq!(folder_hash(&home.folder("kept")), before);
    export(&home, history.folder(), "--from 2025-01 --out kept");
    let ask = |folder: &str| home.program(["sql", "--exports", folder, "-c", "SELECT 1"]);
    assert_fails(&mut ask("letters"), "does not contain `manifest.json`", "dayledger export");
    export(&home, history.folder(), "--from 2025-01 --out text --format csv");
    assert_fails(&mut ask("text"), "as csv", "--format parquet");
    fs::write(home.folder("kept/manifest.json"), "{\"schemaVersion\": 99}").unwrap();
    assert_fails(&mut ask("kept"), "it has version 99", "export again");
    stderr_of(home.program(["--demo", "sql", "--exports", "text"]).args(["-c", "SELECT 1"]), 2);
}

#[cfg(unix)] // on Windows, creating links needs special rights
#[test]
fn export_replaces_only_its_own_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let (home, history) = (Home::new(), winter());
    let run = || home.program_for(history.folder(), ["export", "--from", "2025-01", "--out", "kept"]);
    let month = home.folder("kept/segments/month=2025-01/segments.parquet");
    stdout_of(&mut run());

    fs::set_permissions(&month, fs::Permissions::from_mode(0o444)).unwrap();
    assert_fails(&mut run(), "segments.parquet`: it is read-only", "pass another folder");
    fs::rename(&month, home.folder("segments")).unwrap();
    super::make_pipe(&month);
    assert_fails(&mut run(), "segments.parquet`: it is a pipe, not a file", "pass another folder");
    fs::remove_file(&month).unwrap();
    fs::rename(home.folder("segments"), &month).unwrap();

    let manifest = home.folder("kept/manifest.json");
    fs::rename(&manifest, home.folder("manifest")).unwrap();
    super::make_pipe(&manifest);
    assert_fails(&mut run(), "manifest.json`: it is a pipe, not a file", "pass another folder");
    let mut ask = home.program(["sql", "--exports", "kept", "-c", "SELECT 1"]);
    assert_fails(&mut ask, "manifest.json`: it is a pipe, not a file", "");
    fs::remove_file(&manifest).unwrap();
    fs::rename(home.folder("manifest"), &manifest).unwrap();
    fs::set_permissions(&month, fs::Permissions::from_mode(0o600)).unwrap();

    // The export must not write through a link in its folder.
    let untouched = folder_hash(history.folder());
    fs::rename(home.folder("kept/segments"), home.folder("segments")).unwrap();
    symlink(history.folder(), home.folder("kept/segments")).unwrap();
    stderr_of(&mut run(), 1);
    assert_eq!((folder_hash(history.folder()), fs::read_dir(history.folder()).unwrap().count()), (untouched, 1));
    fs::remove_file(home.folder("kept/segments")).unwrap();
    fs::rename(home.folder("segments"), home.folder("kept/segments")).unwrap();
    stdout_of(&mut run());
    assert_eq!(files(&home.folder("kept")).len(), 8);
}

/// Regression: every file with a name like `.*.tmp` was removed, including the files of other programs.
#[test]
fn unrelated_files_are_kept_and_prevent_a_new_export() {
    let (home, history) = (Home::new(), winter());
    let run = || home.program_for(history.folder(), ["export", "--from", "2025-01", "--out", "kept"]);
    fs::create_dir(home.folder("kept")).unwrap();
    fs::write(home.folder("kept/.notes.tmp"), "mine").unwrap();
    assert_fails(&mut run(), "is not empty and does not contain an export", "empty folder");
    fs::remove_file(home.folder("kept/.notes.tmp")).unwrap();
    fs::write(home.folder("kept/.dayledger-1x0.tmp"), "left by a killed export").unwrap();
    stdout_of(&mut run());
    fs::write(home.folder("kept/.notes.tmp"), "mine").unwrap();
    fs::write(home.folder("kept/segments/month=2025-01/.dayledger-Ab3.tmp"), "half").unwrap();
    stdout_of(&mut run());
    let names: Vec<_> = files(&home.folder("kept")).into_keys().filter(|name| name.contains("tmp")).collect();
    assert_eq!(names, [".notes.tmp"]);
}

/// Over a weekend, a window stays in front while the device isn't used.
#[test]
fn export_does_not_count_time_away() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    history.active(1, "2025-01-15 09:00:00", "2025-01-15 10:00:00");
    history.application(2, "Editor", "2025-01-15 09:00:00", "2025-01-15 10:00:00");
    history.application(2, "Editor", "2025-01-18 00:00:00", "2025-01-20 00:00:00");
    // Without a timeline of computer usage, the time of a device can't be clipped to active use. This also applies to
    // an export.
    history.timeline(&Timeline::applications(22, "phone-id"));
    history.application(22, "Reader", "2025-01-19 11:00:00", "2025-01-19 11:15:00");
    let history = history.close();
    export(&home, history.folder(), "--from 2025-01 --out kept --include-titles --tables activities,day_summary");
    let weekend = |table: &str| format!("SELECT sum({table}) FROM {{}}('2025-01-18', '2025-01-20')");
    let questions = [
        weekend("seconds").replace("{}", "pieces"),
        weekend("seconds").replace("{}", "narrative"),
        weekend("active_seconds").replace("{}", "day_summary"),
        "SELECT count(*) FROM timelines WHERE role = 'computer_usage'".to_owned(),
    ];
    let run = || {
        let output =
            stdout_of(home.program(["sql", "--exports", "kept", "--format", "csv", "-c"]).arg(questions.join(";\n")));
        output.lines().skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(run(), ["900", "900", "900", "1"]);
    // Removes the list of timelines from the export.
    fs::remove_file(home.folder("kept/timelines/timelines.parquet")).unwrap();
    assert_eq!(run(), ["900", "900", "900", "1"]);
}

/// A missing month would look like a month without recorded time, and a month of another export would look like a month
/// of this export. Queries must therefore fail.
#[test]
fn export_with_a_missing_file_rejects_queries() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    history.application(2, "Editor", "09:00", "10:00");
    let history = history.close();
    export(&home, history.folder(), "--from 2025-01 --out kept --tables app_usage,day_summary");
    let ask = || home.program(["sql", "--exports", "kept", "-c", "SELECT sum(seconds) FROM app_usage"]);
    stdout_of(&mut ask());
    let file = home.folder("kept/app_usage/month=2025-01/app_usage.parquet");
    for spoil in [|file: &Path| fs::remove_file(file).unwrap(), |file: &Path| fs::write(file, "other").unwrap()] {
        spoil(&file);
        assert_fails(&mut ask(), "app_usage.parquet` is missing or was changed", "export that month again");
    }
}

/// A row that spans several months must count once, regardless of which months have been exported.
#[test]
fn activity_across_separately_exported_months_counts_once() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    history.tag(4, &["Leave"], "2025-01-28 17:00:00", "2025-05-03 09:00:00");
    history.application(2, "Editor", "2025-05-20 09:00:00", "2025-05-20 10:00:00");
    let history = history.close();
    let total = "SELECT sum(seconds) FROM tags";
    for months in ["2025-05", "2025-03", "2025-01"] {
        export(&home, history.folder(), &format!("--from {months} --out kept --include-titles --tables activities"));
        let of_export = stdout_of(&mut home.program(["sql", "--exports", "kept", "--format", "csv", "-c", total]));
        assert_eq!(of_export.lines().last(), Some("8179200"), "with {months}");
    }
}

/// On a flight west at the end of a month, an activity can end in an earlier month than the one in which it starts.
#[test]
fn activity_is_exported_in_the_month_of_its_start() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    let flight = Span::across("2025-03-01 00:30:00", 540, "2025-02-28 18:30:00", 60).unwrap();
    let writer = history.writer();
    let active = writer.add_group(1, &Group::state("ManicTime/Active", "Active")).unwrap();
    let editor = writer.add_group(2, &Group::application("editor.exe;editor", "Editor")).unwrap();
    writer.add_activity(1, &Activity::new("Active", flight).group(active)).unwrap();
    writer.add_activity(2, &Activity::new("plan", flight).group(editor)).unwrap();
    history.active(1, "2025-03-10 09:00:00", "2025-03-10 10:00:00");
    history.application(2, "Reader", "2025-03-10 09:00:00", "2025-03-10 10:00:00");
    let history = history.close();
    export(&home, history.folder(), "--from 2025-02 --to 2025-04 --out kept --include-titles --tables activities");
    let sql = "SELECT sum(seconds) FROM pieces('2025-03-01', '2025-04-01')";
    let of_export = stdout_of(&mut home.program(["sql", "--exports", "kept", "--format", "csv", "-c", sql]));
    assert_eq!(of_export.lines().last(), Some("10800"));
}

#[test]
fn months_with_only_hourly_totals_are_exported() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    for day in ["2023-05-15", "2025-01-15"] {
        history.active(1, &format!("{day} 09:00:00"), &format!("{day} 12:00:00"));
        history.application(2, "Editor", &format!("{day} 09:00:00"), &format!("{day} 12:00:00"));
    }
    history.commit();
    history.writer().fill_hourly_tables().unwrap();
    history.sql("DELETE FROM Ar_Activity WHERE StartLocalTime < '2025-01-01'");
    let history = history.close();
    let export_usage = |arguments: &str| export(&home, history.folder(), &format!("{arguments} --tables app_usage"));
    assert!(export_usage("--from 2023-05 --out may").contains("1 month, 2023-05-01"));
    export_usage("--from 2023 --to 2026 --out years");
    for (folder, seconds) in [("may", "10800"), ("years", "21600")] {
        let total = "SELECT sum(seconds) FROM app_usage";
        let total = stdout_of(home.program(["sql", "--exports", folder, "--format", "csv", "-c"]).arg(total));
        assert_eq!(total.lines().last(), Some(seconds), "{folder}");
    }
}

/// A clock that was wrong for some time leaves rows in the future.
#[test]
fn future_activities_are_not_exported() {
    let (home, mut history) = (Home::new(), History::on_workstation());
    let now = chrono::Utc::now().naive_utc();
    // These times are later than the current time in every time zone.
    for hours in [-20, 20, 30 * 24] {
        let at = |minutes| (now + TimeDelta::minutes(minutes)).format("%Y-%m-%d %H:%M:%S").to_string();
        let (from, to) = (hours * 60, hours * 60 + 10);
        history.active(1, &at(from), &at(to));
        history.application(2, "Editor", &at(from), &at(to));
    }
    let history = history.close();
    let (from, to) = (now.date() - Days::new(2), now.date() + Days::new(90));
    export(&home, history.folder(), &format!("--from {from} --to {to} --out kept --tables {EVERYTHING}"));
    let questions = "SELECT sum(seconds) FROM app_usage; SELECT sum(active_seconds) FROM day_summary;
        SELECT sum(active_seconds) FROM weekday_pattern; SELECT sum(seconds) FROM segments;
        SELECT sum(seconds) FROM activities WHERE role = 'applications'";
    let totals = stdout_of(&mut home.program(["sql", "--exports", "kept", "--format", "csv", "-c", questions]));
    assert_eq!(totals.lines().skip(1).step_by(2).collect::<Vec<_>>(), ["600"; 5], "{totals}");
}

#[test]
fn two_exports_do_not_write_to_the_same_folder_simultaneously() {
    let (home, history) = (Home::new(), winter());
    export(&home, history.folder(), "--from 2024-12 --out kept");
    let before = folder_hash(&home.folder("kept"));
    let locked = || {
        let lock = fs::File::open(home.folder("kept/.dayledger.lock")).unwrap();
        lock.lock().unwrap();
        lock
    };
    let lock = locked();
    let mut second = home.program_for(history.folder(), ["export", "--from", "2025-01", "--out", "kept"]);
    assert_fails(&mut second, "another export is running in this folder", "wait until it ends");
    drop(lock);
    assert_eq!(folder_hash(&home.folder("kept")), before);
    stdout_of(&mut second);
    // Queries of an export don't wait for the lock of a running export.
    let _lock = locked();
    stdout_of(home.program(["sql", "--exports", "kept", "-c"]).arg("SELECT 1"));

    let months = ["2024-12", "2025-01", "2025-02"];
    let runs = months.map(|month| {
        home.program_for(history.folder(), ["export", "--from", month, "--out", "race"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap()
    });
    let written: Vec<_> =
        runs.map(|mut run| run.wait().unwrap().success()).into_iter().zip(months).filter(|(ok, _)| *ok).collect();
    let manifest = fs::read_to_string(home.folder("race/manifest.json")).unwrap();
    assert!(!written.is_empty());
    for (_, month) in written {
        assert!(manifest.contains(&format!("segments/month={month}/segments.parquet")), "{manifest}");
    }
}

/// Someone with write access to the folder of an export must not be able to make dayledger read or write other files.
#[test]
fn manifest_with_files_outside_of_its_folder_is_rejected() {
    let (home, history) = (Home::new(), winter());
    export(&home, history.folder(), "--from 2025-01 --out kept");
    export(&home, history.folder(), "--from 2024-12 --out other");
    let manifest = home.folder("kept/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let own = "app_usage/month=2025-01/app_usage.parquet";
    let absolute = home.folder("other/app_usage/month=2024-12/app_usage.parquet").to_string_lossy().replace('\\', "/");
    for wrong in [
        "../other/app_usage/month=2024-12/app_usage.parquet",
        absolute.as_str(),
        "app_usage/month=2025-01/../app_usage.parquet",
        "segments/month=2025-01/segments.parquet",
    ] {
        fs::write(&manifest, text.replace(own, wrong)).unwrap();
        let mut ask = home.program(["sql", "--exports", "kept", "-c", "SELECT 1"]);
        assert_fails(&mut ask, "which is not a file of an export", "export again");
        let mut write = home.program_for(history.folder(), ["export", "--from", "2025-01", "--out", "kept"]);
        assert_fails(&mut write, "which is not a file of an export", "export again");
    }
}

/// A huge manifest used to fill the memory of every reader of the export.
#[test]
fn huge_manifest_is_rejected() {
    let (home, history) = (Home::new(), winter());
    export(&home, history.folder(), "--from 2025-01 --out kept");
    fs::File::create(home.folder("kept/manifest.json")).unwrap().set_len(3 << 30).unwrap();
    let mut ask = home.program(["sql", "--exports", "kept", "-c", "SELECT 1"]);
    let stderr = stderr_of(&mut ask, 1);
    assert!(stderr.contains("manifest.json") && stderr.contains("larger than 16 MiB"), "{stderr}");
}

#[test]
fn sql_over_a_damaged_parquet_file_fails_with_a_hint() {
    let (home, history) = (Home::new(), winter());
    export(&home, history.folder(), "--from 2025-01 --out kept");
    let file = home.folder("kept/segments/month=2025-01/segments.parquet");
    // The size is kept, because a file of another size would be reported as missing before it is opened.
    let size = fs::metadata(&file).unwrap().len();
    fs::File::create(&file).unwrap().set_len(size).unwrap();
    let mut sql = home.program(["sql", "--exports", "kept", "-c", "SELECT 1"]);
    assert_fails(&mut sql, "segments.parquet`: Parquet error", "export again");
}

/// Links in the folder of an export are never followed, even if they stay inside the folder.
#[cfg(unix)] // creating links needs special rights on Windows
#[test]
fn links_in_an_export_folder_are_not_followed() {
    use std::os::unix::fs::symlink;

    let (home, history) = (Home::new(), winter());
    let run = || home.program_for(history.folder(), ["export", "--from", "2025-01", "--out", "kept"]);
    stdout_of(&mut run());
    for (link, target, way) in [
        ("kept/segments", "kept/elsewhere", "elsewhere"),
        ("kept/segments/month=2025-01", "kept/elsewhere", "../elsewhere"),
        ("kept/segments/month=2025-01/segments.parquet", "kept/elsewhere", "../../elsewhere"),
        ("kept/manifest.json", "elsewhere", "../elsewhere"),
        ("kept/.dayledger.lock", "elsewhere", "../elsewhere"),
    ] {
        fs::rename(home.folder(link), home.folder(target)).unwrap();
        symlink(way, home.folder(link)).unwrap();
        let before = files(&home.folder("kept"));
        let stderr = stderr_of(&mut run(), 1);
        assert!(stderr.contains("link"), "{link}: {stderr}");
        if !link.contains("lock") {
            let read = stderr_of(&mut home.program(["sql", "--exports", "kept", "-c", "SELECT 1"]), 1);
            assert!(read.contains("is a link") || read.contains("is missing or was changed"), "{link}: {read}");
        }
        assert_eq!(files(&home.folder("kept")).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{link}");
        let of_target = |files: &BTreeMap<String, Vec<u8>>| -> Vec<Vec<u8>> {
            files.iter().filter(|(name, _)| name.contains("elsewhere")).map(|(_, bytes)| bytes.clone()).collect()
        };
        assert_eq!(of_target(&files(&home.folder("kept"))), of_target(&before), "{link}");
        fs::remove_file(home.folder(link)).unwrap();
        fs::rename(home.folder(target), home.folder(link)).unwrap();
    }
    stdout_of(&mut run());
}

/// Unchanged files must keep their times, because programs that copy exports compare the times of files.
#[test]
fn exports_of_several_people_share_a_folder_and_unchanged_files_stay() {
    let (home, history) = (Home::new(), winter());
    let export = |history: &ClosedHistory, person: &str| {
        stdout_of(&mut home.program_for(history.folder(), ["export", "--out", "team", "--person", person]))
    };
    let output = export(&history, "anna");
    let place = format!("in {}", Path::new("team").join("person=anna").display());
    assert!(output.ends_with(&format!("3 months, 2024-12-01 00:00 to before 2025-03-01 00:00, {place}\n")), "{output}");
    let first = home.folder("team/person=anna");
    let names: Vec<_> = files(&first).into_keys().collect();
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let opened = |name: &String| fs::File::options().write(true).open(first.join(name)).unwrap();
    let is_touched = |name: &String| opened(name).metadata().unwrap().modified().unwrap() != long_ago;
    for name in &names {
        opened(name).set_modified(long_ago).unwrap();
    }

    let output = export(&history, "anna");
    assert!(output.ends_with(&format!("{place} (21 of 21 files unchanged)\n")), "{output}");
    assert!(!names.iter().any(is_touched), "nothing changed");

    let later = winter_and(|history| {
        history.active(1, "2025-02-10 09:00:00", "2025-02-10 10:00:00");
        history.application(2, "Mail", "2025-02-10 09:00:00", "2025-02-10 10:00:00");
    });
    let output = export(&later, "anna");
    assert!(output.ends_with(" of 21 files unchanged)\n"), "{output}");
    let touched: Vec<_> = names.iter().filter(|name| is_touched(name)).collect();
    assert!(touched.iter().any(|name| name.starts_with("app_usage/")), "{touched:?}");
    assert!(touched.iter().all(|name| name.contains("month=2025-02") || *name == "manifest.json"), "{touched:?}");

    export(&history, "ben@example.org");
    assert!(files(&home.folder("team")).contains_key("person=ben@example.org/manifest.json"));
    let manifest: serde_json::Value = serde_json::from_slice(&files(&first)["manifest.json"]).unwrap();
    assert_eq!(manifest["person"], "anna");
    let rows =
        stdout_of(&mut home.program(["sql", "--exports", "team/person=anna", "--format", "csv", "-c", APPLICATIONS]));
    assert_eq!(rows, "application\nBrowser\nEditor\nKiosk\nMail\n");
    assert_fails(
        &mut home.program_for(history.folder(), ["export", "--from", "2025", "--out", "team/person=anna"]),
        "contains an export as parquet without titles of anna, which cannot be mixed with one as parquet without titles",
        "pass another folder",
    );
    for (arguments, wrong) in
        [(&["--person", "../anna"][..], "use 1 to 64 of a-z"), (&["--person", "anna", "--to", "2025-02"], "--from")]
    {
        let stderr = stderr_of(home.program_for(history.folder(), ["export", "--out", "team"]).args(arguments), 2);
        assert!(stderr.contains(wrong), "{stderr}");
    }
}

const APPLICATIONS: &str = "SELECT DISTINCT application FROM segments ORDER BY 1";

#[test]
fn range_without_activities_writes_no_files() {
    let (home, history) = (Home::new(), winter());
    let output = super::run(home.program_for(history.folder(), ["export"]).args("--from 2023 --out empty".split(' ')));
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b""[..]));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no data in this range"));
    assert_eq!(files(&home.folder("empty")).keys().collect::<Vec<_>>(), ["manifest.json"]);
}

/// Every file with a final name must be complete, even if the export is killed. The next export completes the
/// interrupted one.
#[cfg(unix)] // a Unix limit ends the program at its first write
#[test]
fn killed_export_leaves_no_partial_file_under_a_final_name() {
    use dayledger_fixtures::demo::{Plan, write};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    let plan = Plan { days: 120, activities_per_day: 60, ..Plan::new(super::program::date("2025-06-30")) };
    write(data.path(), &plan).unwrap();
    let arguments = ["export", "--from", "2025", "--out", "killed"];
    let folder = home.folder("killed");
    let finished = || if folder.exists() { files(&folder) } else { BTreeMap::new() };
    let is_final = |name: &&String| name.ends_with(".parquet");
    for wanted in [1, 5, 9, 16] {
        let mut running = home.program_for(data.path(), arguments).stdout(std::process::Stdio::null()).spawn().unwrap();
        while finished().keys().filter(is_final).count() < wanted && running.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        running.kill().unwrap();
        assert!(!running.wait().unwrap().success(), "the export was killed before it finished");
        for (name, _) in finished().iter().filter(|(name, _)| is_final(name)) {
            let file = fs::File::open(folder.join(name)).unwrap();
            let rows = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
            assert!(rows.map(Result::unwrap).count() > 0, "{name}");
        }
    }
    stdout_of(&mut home.program_for(data.path(), arguments));
    stdout_of(&mut home.program_for(data.path(), ["export", "--from", "2025", "--out", "whole"]));
    let rows = |files: BTreeMap<String, Vec<u8>>| -> Vec<(String, Vec<u8>)> {
        files.into_iter().filter(|(name, _)| name != "manifest.json").collect()
    };
    assert!(rows(finished()) == rows(files(&home.folder("whole"))), "no file of the killed export is left");
}

#[cfg(unix)] // the test presses Ctrl-C in a Unix pseudo-terminal
#[test]
fn following_export_runs_until_ctrl_c_and_leaves_complete_files() {
    let (home, history) = (Home::new(), winter());
    let mut following = home.program_for(history.folder(), ["export"]);
    following.args(["--from", "2024-12", "--to", "2025-02", "--out", "followed", "--follow"]);
    let mut terminal = Terminal::open(&following);
    terminal.wait_for("in followed");
    terminal.press(INTERRUPT);
    assert!(terminal.end(), "Ctrl-C ends `--follow` without an error");
    export(&home, history.folder(), "--from 2024-12 --to 2025-02 --out once");
    let [followed, once] = ["followed", "once"].map(|folder| files(&home.folder(folder)));
    assert!(followed.keys().eq(once.keys()), "{followed:?}");
    let refused = stderr_of(
        home.program_for(history.folder(), ["export"]).args(["--from", "2025", "--out", "x", "--follow", "0"]),
        2,
    );
    assert!(refused.contains("--follow"), "{refused}");
}
