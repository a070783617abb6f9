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
