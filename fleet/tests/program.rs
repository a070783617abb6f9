//! The program at a command line.

use assert_cmd::Command;

use crate::persons::Persons;

fn fleet() -> Command {
    Command::cargo_bin("dayledger-fleet").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_are_asked_of_all_persons() {
    let persons = Persons::export().await;
    let sql = "SELECT person, count(DISTINCT date) AS days FROM day_summary GROUP BY person ORDER BY person";
    let asked = fleet().args(["sql", "--format", "csv", "--from"]).arg(persons.folder()).arg(sql).assert().success();
    let told = String::from_utf8(asked.get_output().stdout.clone()).unwrap();
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines[0], "person,days");
    assert!(lines[1].starts_with("anna,") && lines[2].starts_with("bela,") && lines[3].starts_with("chris,"), "{told}");
    assert_eq!(lines.len(), 4, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_persons_and_a_renamed_one_are_told() {
    let empty = tempfile::tempdir().unwrap();
    let asked = fleet().args(["sql", "--from"]).arg(empty.path()).arg("SELECT 1").assert().failure();
    let told = String::from_utf8(asked.get_output().stderr.clone()).unwrap();
    assert!(told.contains("holds no export of a person") && told.contains("hint: "), "{told}");
    let persons = Persons::export().await;
    std::fs::rename(persons.folder_of("anna"), persons.folder_of("dora")).unwrap();
    let asked = fleet().args(["sql", "--from"]).arg(persons.folder()).arg("SELECT 1").assert().failure();
    let told = String::from_utf8(asked.get_output().stderr.clone()).unwrap();
    assert!(told.contains("person=dora") && told.lines().count() == 2, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_are_told_of_enough_persons_alone() {
    let persons = Persons::export().await;
    let record = persons.folder().join("kept").join("hours.jsonl");
    let hours = |options: &[&str]| {
        let mut asked = fleet();
        asked
            .args(["hours", "2025-03-03", "2025-03-09", "--format", "csv", "--from"])
            .arg(persons.folder())
            .arg("--record")
            .arg(&record)
            .args(options);
        asked
    };
    let asked = hours(&["--at-least", "2", "--by", "day"]).assert().success();
    let told = String::from_utf8(asked.get_output().stdout.clone()).unwrap();
    assert!(told.starts_with("name,persons,hours\n") && told.contains("\n2025-03-07,3,"), "{told}");
    hours(&["--at-least", "2"]).assert().success();
    let kept = std::fs::read_to_string(&record).unwrap();
    let kept: Vec<_> = kept.lines().collect();
    assert!(
        kept.len() == 2 && kept[0].contains("\"by\":\"day\"") && kept[0].contains("\"start\":\"2025-03-03"),
        "{kept:?}"
    );
    assert!(kept[1].contains("\"by\":\"application\"") && kept[1].contains("\"atLeast\":2"), "{kept:?}");
    let asked = hours(&[]).assert().failure();
    let told = String::from_utf8(asked.get_output().stderr.clone()).unwrap();
    assert!(told.contains("has 3 persons") && told.contains("--at-least") && told.lines().count() == 2, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_hours_are_told_where_the_question_cannot_be_kept() {
    let persons = Persons::export().await;
    let asked = fleet()
        .args(["hours", "2025-03-03", "2025-03-09", "--at-least", "2", "--from"])
        .arg(persons.folder())
        .arg("--record")
        .arg(persons.folder())
        .assert()
        .failure();
    let told = String::from_utf8(asked.get_output().stderr.clone()).unwrap();
    assert!(told.contains("--record") && told.lines().count() == 2, "{told}");
    assert!(asked.get_output().stdout.is_empty());
}

#[test]
fn certificates_are_made_once_for_each_name_and_are_their_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = |name: &str| {
        let mut asked = fleet();
        asked.arg("certificate").arg(name).arg("--in").arg(folder.path().join("certificates"));
        asked
    };
    let told = certificate("anna").assert().success();
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert_eq!(told.lines().count(), 4, "{told}");
    let authority = std::fs::read(folder.path().join("certificates/authority.pem")).unwrap();
    let told = certificate("machine-1").arg("--worker").assert().success();
    assert_eq!(String::from_utf8(told.get_output().stdout.clone()).unwrap().lines().count(), 2);
    assert_eq!(std::fs::read(folder.path().join("certificates/authority.pem")).unwrap(), authority);
    let key = folder.path().join("certificates/anna.key");
    let before = std::fs::read(&key).unwrap();
    for name in ["anna", "authority"] {
        let told = certificate(name).assert().failure();
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(told.contains(name) && told.lines().count() == 2, "{told}");
    }
    assert_eq!(std::fs::read(&key).unwrap(), before);
    #[cfg(unix)] // Windows has no such bits.
    {
        use std::os::unix::fs::PermissionsExt;
        for file in ["authority.key", "anna.key"] {
            let found = std::fs::metadata(folder.path().join("certificates").join(file)).unwrap();
            assert_eq!(found.permissions().mode() & 0o077, 0, "{file}");
        }
    }
    std::fs::remove_file(folder.path().join("certificates/authority.key")).unwrap();
    let told = certificate("bela").assert().failure();
    let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    assert!(told.contains("authority.key") && told.lines().count() == 2, "{told}");
}

/// Each of them was an internal error of the library.
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
        let asked = pull.env(name, value).assert().failure().code(1);
        let said = String::from_utf8(asked.get_output().stderr.clone()).unwrap();
        assert!(
            said.starts_with("error: `s3://hours/team` cannot be used as storage: `") && said.contains(name),
            "{said}"
        );
        assert!(!said.contains(value), "the value may be a secret: {said}");
    }
}
