//! Tests the program dayledger-fleet at the command line.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::test_team::TestTeam;

fn fleet() -> Command {
    Command::cargo_bin("dayledger-fleet").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn sql_queries_all_people() {
    let team = TestTeam::export().await;
    let sql = "SELECT person, count(DISTINCT date) AS days FROM day_summary GROUP BY person ORDER BY person";
    let run = fleet().args(["sql", "--format", "csv", "--from"]).arg(team.folder()).arg(sql).assert().success();
    let output = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines[0], "person,days");
    assert!(
        lines[1].starts_with("anna,") && lines[2].starts_with("bela,") && lines[3].starts_with("chris,"),
        "{output}"
    );
    assert_eq!(lines.len(), 4, "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_and_renamed_folders_are_errors() {
    let empty = tempfile::tempdir().unwrap();
    let run = fleet().args(["sql", "--from"]).arg(empty.path()).arg("SELECT 1").assert().failure();
    let message = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(message.contains("cannot find an export") && message.contains("hint: "), "{message}");
    let team = TestTeam::export().await;
    fs::rename(team.person_folder("anna"), team.person_folder("dora")).unwrap();
    let run = fleet().args(["sql", "--from"]).arg(team.folder()).arg("SELECT 1").assert().failure();
    let message = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(message.contains("person=dora") && message.lines().count() == 2, "{message}");
}

/// `\o` replaces files, so a wrong path in a script could replace an export.
#[tokio::test(flavor = "multi_thread")]
async fn rows_are_never_written_into_the_exports() {
    let team = TestTeam::export().await;
    let (manifest, script) = (team.person_folder("anna").join("manifest.json"), team.folder().join("script.sql"));
    let before = fs::read(&manifest).unwrap();
    fs::write(&script, format!("\\o {}\nSELECT 1;", manifest.display())).unwrap();
    let run = fleet().args(["sql", "--from"]).arg(team.folder()).arg("-f").arg(&script).assert().failure();
    let message = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(message.contains("inside a folder that dayledger only reads"), "{message}");
    assert_eq!(fs::read(&manifest).unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_need_a_minimum_number_of_people() {
    let team = TestTeam::export().await;
    let record = team.folder().join("kept").join("hours.jsonl");
    let hours = |options: &[&str]| {
        let mut run = fleet();
        run.args(["hours", "2025-03-03", "2025-03-09", "--format", "csv", "--from"])
            .arg(team.folder())
            .arg("--record")
            .arg(&record)
            .args(options);
        run
    };
    let run = hours(&["--at-least", "2", "--by", "day"]).assert().success();
    let output = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(output.starts_with("name,persons,hours\n") && output.contains("\n2025-03-07,3,"), "{output}");
    hours(&["--at-least", "2"]).assert().success();
    let kept = fs::read_to_string(&record).unwrap();
    let kept: Vec<_> = kept.lines().collect();
    assert!(
        kept.len() == 2 && kept[0].contains("\"by\":\"day\"") && kept[0].contains("\"start\":\"2025-03-03"),
        "{kept:?}"
    );
    assert!(kept[1].contains("\"by\":\"application\"") && kept[1].contains("\"atLeast\":2"), "{kept:?}");
    let run = hours(&[]).assert().failure();
    let output = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(
        output.contains("a total needs 5")
            && output.contains("at most 3")
            && output.contains("--at-least")
            && output.lines().count() == 2,
        "{output}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_fail_if_the_audit_log_cannot_be_written() {
    let team = TestTeam::export().await;
    let run = fleet()
        .args(["hours", "2025-03-03", "2025-03-09", "--at-least", "2", "--from"])
        .arg(team.folder())
        .arg("--record")
        .arg(team.folder())
        .assert()
        .failure();
    let message = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(message.contains("--record") && message.lines().count() == 2, "{message}");
    assert!(run.get_output().stdout.is_empty());
}

/// Runs `hours` with these options. Returns its stdout, its stderr, and whether it succeeded.
fn hours(team: &TestTeam, options: &[&str]) -> (String, String, bool) {
    let mut command = fleet();
    command.args(["hours", "--format", "csv", "--from"]).arg(team.folder());
    if !options.contains(&"--at-least") {
        command.args(["--at-least", "2"]);
    }
    let output = command.arg("--record").arg(team.folder().join("hours.jsonl")).args(options).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.success())
}

/// A single unusable export must not make `hours` fail for the other people.
#[tokio::test(flavor = "multi_thread")]
async fn person_without_usable_export_is_left_out_of_hours() {
    type Change = fn(&TestTeam, &Path);
    let changes: [(Change, &str); 8] = [
        (|_, anna| fs::remove_file(anna.join("manifest.json")).unwrap(), "never finished"),
        (
            |team, _| team.change_manifest("anna", |manifest| manifest["tables"] = serde_json::json!({})),
            "never finished",
        ),
        (|_, anna| fs::write(anna.join("manifest.json"), "{").unwrap(), "damaged"),
        (|_, anna| fs::remove_dir_all(anna.join("segments")).unwrap(), "damaged"),
        (|_, anna| fs::rename(anna, anna.with_file_name("person=anna2")).unwrap(), "damaged"),
        (
            |team, _| {
                team.change_manifest("anna", |manifest| {
                    manifest["tables"].as_object_mut().unwrap().remove("activities");
                });
            },
            "no activities",
        ),
        (
            |team, _| {
                team.change_manifest("anna", |manifest| {
                    manifest.as_object_mut().unwrap().remove("rules");
                });
            },
            "older version",
        ),
        (
            |team, _| team.change_manifest("anna", |manifest| manifest["dayStart"] = "04:00".into()),
            "do not start at midnight",
        ),
    ];
    for (change, reason) in changes {
        let team = TestTeam::export().await;
        change(&team, &team.person_folder("anna"));
        let (rows, notes, is_success) = hours(&team, &["2025-03-03", "2025-03-09", "--by", "day"]);
        assert!(is_success && rows.contains("\n2025-03-07,2,"), "{reason}: {rows} {notes}");
        assert!(
            notes.contains("not counted: 1 of 3 people") && notes.contains("anna") && notes.contains(reason),
            "{notes}"
        );
        let (rows, notes, is_success) = hours(&team, &["2025-03-03", "2025-03-09", "--strict"]);
        assert!(!is_success && rows.is_empty() && notes.contains("anna") && notes.contains("hint: "), "{notes}");
        let (_, notes, is_success) = hours(&team, &["2025-03-03", "2025-03-09", "--at-least", "3"]);
        assert!(!is_success && notes.contains("a total needs 3") && notes.contains("anna"), "{notes}");
    }
}

/// The manifest doesn't show that the rows are damaged, so only the statement finds the damage.
#[tokio::test(flavor = "multi_thread")]
async fn person_with_damaged_rows_is_left_out_of_hours() {
    let team = TestTeam::export().await;
    let file = team.person_folder("bela").join("activities/month=2025-03/activities.parquet");
    let mut bytes = fs::read(&file).unwrap();
    let half = bytes.len() / 2;
    bytes[4..half].fill(0xff);
    fs::write(&file, bytes).unwrap();
    let (rows, notes, is_success) = hours(&team, &["2025-03-03", "2025-03-09", "--by", "day"]);
    assert!(is_success && rows.contains("\n2025-03-07,2,"), "{rows} {notes}");
    assert!(
        notes.contains("not counted: 1 of 3 people") && notes.contains("bela") && notes.contains("damaged"),
        "{notes}"
    );
}

/// `hours this month` must work although no export reaches the end of the current month.
#[tokio::test(flavor = "multi_thread")]
async fn hours_end_where_the_exports_do() {
    let team = TestTeam::export().await;
    let (rows, notes, is_success) = hours(&team, &["2025-03", "--by", "day"]);
    assert!(is_success && rows.contains("\n2025-03-14,3,"), "{rows} {notes}");
    assert!(notes.contains("to 2025-03-14") && !notes.contains("not counted: "), "{notes}");
    team.set_coverage("bela", "2025-03-01T00:00:00", "2025-03-10T14:30:00");
    let (rows, notes, is_success) = hours(&team, &["2025-03", "--by", "day"]);
    assert!(is_success && rows.contains("\n2025-03-07,3,") && rows.contains("\n2025-03-10,2,"), "{rows} {notes}");
    assert!(notes.contains("not counted on days") && notes.contains(": bela"), "{notes}");
    let (_, notes, is_success) = hours(&team, &["2025-04"]);
    assert!(!is_success && notes.contains("at most 0"), "{notes}");
    let (_, notes, is_success) = hours(&team, &["2025-03-05 12:00", "2025-03-07 12:00"]);
    assert!(!is_success && notes.contains("whole days"), "{notes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn status_shows_each_export_and_fails_if_one_has_a_problem() {
    let team = TestTeam::export().await;
    let status = |options: &[&str]| {
        let output = fleet().args(["status", "--format", "csv", "--from"]).arg(team.folder()).args(options).output();
        let output = output.unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.success())
    };
    let (rows, problems, is_success) = status(&["--max-age", "3650"]);
    assert!(is_success && problems.is_empty(), "{problems}");
    let lines: Vec<_> = rows.lines().collect();
    assert_eq!(lines[0], "person,problem,start_local,end_local,written_utc,version,includes_titles");
    assert!(lines.len() == 4 && lines[1].starts_with("anna,,2025-0"), "{rows}");
    assert!(lines[1].contains(",2025-03-15T00:00:00,") && lines[1].ends_with(",true"), "{rows}");
    fs::remove_file(team.person_folder("chris").join("manifest.json")).unwrap();
    let (rows, problems, is_success) = status(&["--max-age", "3650"]);
    let lines: Vec<_> = rows.lines().collect();
    assert!(!is_success && lines[1].starts_with("chris,") && lines[2].starts_with("anna,,"), "{rows}");
    assert!(problems.starts_with("chris: ") && problems.lines().count() == 2, "{problems}");
    // Anyone who can write into the folder of exports can choose the name of a subfolder.
    #[cfg(unix)] // Windows doesn't allow some of these names.
    {
        fs::create_dir(team.folder().join("person=b\u{202e}\u{200b}x")).unwrap();
        let (_, problems, _) = status(&["--max-age", "3650"]);
        assert!(problems.contains(r"b\u202e\u200bx: "), "{problems}");
        fs::remove_dir(team.folder().join("person=b\u{202e}\u{200b}x")).unwrap();
    }
    let (_, problems, is_success) = status(&[]);
    assert!(!is_success && problems.contains("anna: the export ends at 2025-03-15"), "{problems}");
    assert!(problems.lines().last().unwrap().contains("3 of 3 exports"), "{problems}");
}

#[test]
fn certificates_are_made_once_per_name_and_readable_only_by_the_owner() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = |name: &str| {
        let mut command = fleet();
        command.arg("certificate").arg(name).arg("--in").arg(folder.path().join("certificates"));
        command
    };
    let output = certificate("anna").assert().success();
    let output = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert_eq!(output.lines().count(), 4, "{output}");
    let authority = fs::read(folder.path().join("certificates/authority.pem")).unwrap();
    let output = certificate("machine-1").arg("--worker").assert().success();
    assert_eq!(String::from_utf8(output.get_output().stdout.clone()).unwrap().lines().count(), 2);
    assert_eq!(fs::read(folder.path().join("certificates/authority.pem")).unwrap(), authority);
    let key = folder.path().join("certificates/anna.key");
    let before = fs::read(&key).unwrap();
    for name in ["anna", "authority"] {
        let output = certificate(name).assert().failure();
        let output = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(output.contains(name) && output.lines().count() == 2, "{output}");
    }
    assert_eq!(fs::read(&key).unwrap(), before);
    #[cfg(unix)] // Windows doesn't have permission bits.
    {
        use std::os::unix::fs::PermissionsExt;
        for file in ["authority.key", "anna.key"] {
            let found = fs::metadata(folder.path().join("certificates").join(file)).unwrap();
            assert_eq!(found.permissions().mode() & 0o077, 0, "{file}");
        }
    }
    fs::remove_file(folder.path().join("certificates/authority.key")).unwrap();
    let output = certificate("bela").assert().failure();
    let output = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(output.contains("authority.key") && output.lines().count() == 2, "{output}");
}

/// With each of these values, the library `object_store` panicked.
#[test]
fn variables_that_storage_cannot_use_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (name, value) in [
        ("AWS_ENDPOINT_URL", "file:///etc"),
        ("AWS_ENDPOINT_URL", "http://"),
        ("AWS_ENDPOINT_URL", "http://a b"),
        ("AWS_ENDPOINT_URL_S3", "mailto:anna@example.com"),
        ("AWS_ACCESS_KEY_ID", "key\nkey"),
        ("AWS_SESSION_TOKEN", "\u{1b}[2J"),
        ("AWS_REGION", "eu central"),
    ] {
        let mut pull = fleet();
        pull.args(["pull", "--from", "s3://hours/team", "--wait", "1", "--to"]).arg(folder.path().join("copy"));
        for (name, value) in [
            ("AWS_ENDPOINT_URL", "http://127.0.0.1:1"),
            ("AWS_ACCESS_KEY_ID", "a"),
            ("AWS_SECRET_ACCESS_KEY", "b"),
            ("AWS_ALLOW_HTTP", "true"),
        ] {
            pull.env(name, value);
        }
        let run = pull.env(name, value).assert().failure().code(1);
        let message = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(
            message.starts_with("error: cannot use `s3://hours/team` as storage: `") && message.contains(name),
            "{message}"
        );
        assert!(!message.contains(value), "the value may be a secret: {message}");
    }
}
