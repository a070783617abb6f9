//! Measures whether rules alone assign time to the same project as the user's tags.

use std::collections::BTreeMap;
use std::path::Path;

use dayledger_fixtures::demo::{Plan, write};

use super::program::{Home, date};

const RULES: &str = include_str!("timesheet_rules.toml");
const MONTH: &str = "'2026-10-21', '2026-11-21'";

/// The clients, each with the code of its project. Clients are the first level of the demo's tags.
const CLIENTS: [(&str, &str); 5] = [
    ("Northwind Ltd", "NW"),
    ("Harbour Foods", "HF"),
    ("Lindqvist & Partners", "LP"),
    ("Tern Rowing Club", "TERN"),
    ("Internal", "INTERNAL"),
];

/// Returns rows that consist of the first second, the last second and a text.
fn stretches(home: &Home, data: &Path, sql: &str) -> Vec<(i64, i64, String)> {
    let output = home.program_for(data, ["sql", "--format", "json", "-c", sql]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    let row = |row: &serde_json::Value| {
        let seconds = |name: &str| row[name].as_i64().unwrap();
        (seconds("start"), seconds("end"), row["name"].as_str().unwrap_or_default().to_owned())
    };
    rows.iter().map(row).collect()
}

#[test]
fn rules_alone_find_the_project_of_nine_tenths_of_the_tagged_time() {
    let (home, dir) = (Home::new(), tempfile::tempdir().unwrap());
    home.configure(RULES);
    write(dir.path(), &Plan::new(date("2026-11-20"))).unwrap();
    let tagged = stretches(
        &home,
        dir.path(),
        &format!(
            "SELECT to_unixtime(start_utc) AS \"start\", to_unixtime(end_utc) AS \"end\", path[1] AS name \
             FROM tags_in({MONTH})"
        ),
    );
    let codes = BTreeMap::from(CLIENTS);
    let mut expected = BTreeMap::new();
    for (start, end, client) in tagged {
        expected.extend((start..end).map(|second| (second, codes[client.as_str()])));
    }

    let database = rusqlite::Connection::open(dir.path().join("ManicTimeReports.db")).unwrap();
    let forget = "DELETE FROM Ar_Activity
        WHERE ReportId IN (SELECT ReportId FROM Ar_Timeline WHERE SchemaName = 'ManicTime/Tags')";
    assert!(database.execute(forget, []).unwrap() > 100, "the history had tags");
    drop(database);
    let drafted = stretches(
        &home,
        dir.path(),
        &format!(
            "SELECT to_unixtime(start_utc) AS \"start\", to_unixtime(end_utc) AS \"end\", project_code AS name \
             FROM unlogged({MONTH})"
        ),
    );
    let (mut seconds, mut right) = (0_i64, 0_i64);
    for (start, end, project) in drafted {
        for known in (start..end).filter_map(|second| expected.get(&second)) {
            seconds += 1;
            right += i64::from(**known == *project);
        }
    }
    assert!(seconds > 100 * 3600, "a month of work has over 100 hours: {seconds} s");
    assert!(right * 10 >= seconds * 9, "{right} of {seconds} s");
}
