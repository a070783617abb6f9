//! Very long texts are truncated when they are read. The health report counts the truncated texts.

use arrow::array::RecordBatch;
use dayledger::activity::HealthRequest;
use dayledger_fixtures::{Activity, Group};

use crate::histories::{History, block_on, rows, run_every_query, run_query, span};

/// The maximum length of a name or a key, in characters. `TEXT` is the maximum length of a title, URL or note.
const NAME: usize = 4096;
const TEXT: usize = 32_768;

/// Returns an hour with an application, a site, a document and a tag. Their names have `characters` characters of two
/// bytes each.
fn history_of(characters: usize) -> History {
    let long = |first: &str| format!("{first}{}", "é".repeat(characters - first.len()));
    let mut history = History::new();
    history.device(1, "desk-id", &long("D"));
    history.active(1, "09:00", "10:00");
    let (key, name) = (long("k"), long("A"));
    let group = history.group(2, &Group::application(&key, &name));
    let (title, notes) = (long("T"), long("N"));
    history.activity(2, &Activity::new(&title, span("09:00", "10:00")).group(group).notes(&notes));
    history.activity(2, &Activity::new(&long("U"), span("10:00", "10:30")));
    history.website(3, &long("s"), "09:00", "09:30");
    history.document(3, &long("f"), "09:30", "10:00");
    history.tag(4, &[&long("t"), "Second"], "09:00", "10:00");
    history.writer().fill_hourly_tables().unwrap();
    history.commit();
    history
}

/// Tables with texts. Each item contains a table, its columns and the maximum length of their texts.
const READ: [(&str, &[&str], usize); 6] = [
    ("activities", &["name", "key", "device", "group_name", "group_key", "common_name", "tag_path[1]"], NAME),
    ("activities", &["title", "notes"], TEXT),
    ("hourly_totals", &["name", "key", "device"], NAME),
    ("devices", &["device"], NAME),
    ("manictime.ar_group", &["name", "key"], TEXT),
    ("manictime.ar_activity", &["name", "notes"], TEXT),
];

#[test]
fn overlong_texts_are_truncated_in_every_column() {
    let history = history_of(TEXT + 10);
    let app = history.app();
    for (table, columns, most) in READ {
        for column in columns {
            // Rows without a group are left out, because the name of such a row is the row's title.
            let named = "group_name IS NOT NULL OR tag_path IS NOT NULL";
            let of = if most == NAME && table == "activities" { named } else { "true" };
            let longest = format!("SELECT max(length({column})) FROM {table} WHERE {of}");
            assert_eq!(rows(&app, &longest), [most.to_string()], "{table}.{column}");
        }
    }
    let begins = "SELECT left(name, 2), right(name, 1) FROM activities WHERE name LIKE 'A%' AND timeline_id = 2";
    assert_eq!(rows(&app, begins), ["Aé | é"]);
    run_every_query(&app).unwrap();
}

#[test]
fn health_counts_truncated_texts() {
    let health = run_query(&history_of(TEXT + 10).app(), HealthRequest).unwrap();
    let cut =
        health.degraded.iter().find(|missing| missing.missing == "whole_texts").expect("truncated texts are reported");
    assert!(cut.effect.contains("4,096") && cut.effect.contains("32,768"), "{}", cut.effect);
    // The first of the 27 texts is the device. The application, the site, the document and the tag each have a key and
    // a name, in the timeline's group and in the common group. The list of tags also has a key and a name. The
    // remaining texts are the titles, the URL, the path, the name of the list and the note.
    assert!(cut.effect.starts_with("27 texts "), "{}", cut.effect);
}

#[test]
fn texts_at_the_length_limit_are_kept_and_not_reported() {
    let history = history_of(NAME - 16);
    let app = history.app();
    let whole = "SELECT DISTINCT length(application) FROM applications WHERE application LIKE 'A%'";
    assert_eq!(rows(&app, whole), [(NAME - 16).to_string()]);
    let health = run_query(&app, HealthRequest).unwrap();
    assert!(health.degraded.iter().all(|missing| missing.missing != "whole_texts"), "{:?}", health.degraded);
}

#[test]
fn repeated_name_is_stored_once() {
    let mut history = History::new();
    history.device(1, "desk-id", &"D".repeat(NAME));
    let name = "A".repeat(NAME);
    let group = history.group(2, &Group::application(&name, &name));
    history.activity(2, &Activity::new("t", span("09:00", "10:00")).group(group));
    history.writer().fill_hourly_tables().unwrap();
    history.sql(
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupId, CommonGroupId, StartLocalTime, StartUtcTime,
                                  EndLocalTime, EndUtcTime, CurrentChangeSequence, CurrentChangeRandomValue)
         SELECT ReportId, i, Name, GroupId, i, StartLocalTime, StartUtcTime, EndLocalTime, EndUtcTime, i, 1
         FROM Ar_Activity, n WHERE ReportId = 2 AND ActivityId = 1;
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO Ar_ApplicationByDay (ReportId, Hour, CommonId, TotalSeconds)
         SELECT 2, datetime('2020-01-01', i || ' hours'), CommonId, 60 FROM Ar_CommonGroup, n WHERE Name = Key;",
    );
    let app = history.app();
    for table in ["activities", "hourly_totals"] {
        let sql = format!("SELECT * FROM {table}");
        let limits = dayledger::engine::QueryLimits { bytes: usize::MAX, ..Default::default() };
        let answer = block_on(app.engine().query(sql, &limits)).unwrap();
        let rows: usize = answer.batches.iter().map(RecordBatch::num_rows).sum();
        let bytes: usize = answer.batches.iter().map(RecordBatch::get_array_memory_size).sum();
        assert!(rows >= 10_000, "{table}: {rows} rows");
        // If the texts were stored in each row, they would use 40 MB for each column.
        assert!(bytes < 20 << 20, "{table}: {bytes} bytes");
    }
}
