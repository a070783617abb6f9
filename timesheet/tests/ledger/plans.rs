//! What is asked at each entry that is booked does not take longer after years.

use dayledger_timesheet::Book;
use rusqlite::Connection;
use tempfile::TempDir;

/// How a statement of two ends is carried out, a line for each step.
fn plan(connection: &Connection, statement: &str) -> Vec<String> {
    let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
    let steps = explained.query_map([0, 0], |row| row.get("detail")).unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

#[test]
fn overlaps_are_looked_for_by_index() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("timesheet.db");
    drop(Book::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    let days = "(start_date>? AND start_date<?)";
    let seconds = "(start_utc>? AND start_utc<?)";
    for (statement, [short, long]) in [
        (
            include_str!("../../sql/entries/on_days.sql"),
            [format!("entries_by_start {days}"), "entries_over_days (completion_date>?)".to_owned()],
        ),
        (
            include_str!("../../sql/evidence/in.sql"),
            [format!("evidence_by_time {seconds}"), "evidence_over_days (end_utc>?)".to_owned()],
        ),
    ] {
        let plan = plan(&connection, statement);
        assert!(plan.iter().all(|step| !step.starts_with("SCAN")), "{plan:?}");
        assert!([short, long].iter().all(|index| plan.iter().any(|step| step.ends_with(index))), "{plan:?}");
    }
}
