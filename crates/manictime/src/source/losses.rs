//! Counts data that dayledger doesn't read or doesn't read completely: very long texts are truncated, and impossible
//! hourly totals are skipped.

use rusqlite::Connection;

use crate::shape::{Shape, quote_name};
use crate::value::{MAX_HOUR_SECONDS, MAX_NAME_LENGTH, MAX_TEXT_LENGTH};
use dayledger_source::UnreadData;

/// The text columns of each table. The number is the maximum length in characters that dayledger reads from these
/// columns.
const TEXTS: [(&str, &[&str], usize); 8] = [
    ("Ar_Timeline", &["SchemaName", "BaseSchemaName", "Name", "EnvironmentId"], MAX_NAME_LENGTH),
    (
        "Ar_Environment",
        &["EnvironmentId", "DeviceDisplayName", "OperatingSystem", "Application", "DotNet"],
        MAX_NAME_LENGTH,
    ),
    ("Ar_Group", NAMES, MAX_NAME_LENGTH),
    ("Ar_CommonGroup", NAMES, MAX_NAME_LENGTH),
    ("Ar_GroupList", NAMES, MAX_NAME_LENGTH),
    ("Ar_CommonGroupList", NAMES, MAX_NAME_LENGTH),
    ("Ar_Tag", &["Name"], MAX_NAME_LENGTH),
    ("Ar_Activity", &["Name", "Notes"], MAX_TEXT_LENGTH),
];

const NAMES: &[&str] = &["Key", "Name", "Color", "GroupType"];

/// Counts the truncated texts and the impossible hourly totals.
pub(super) fn count(connection: &Connection, shape: &Shape) -> rusqlite::Result<UnreadData> {
    Ok(UnreadData {
        truncated_texts: count_truncated_texts(connection, shape)?,
        max_lengths: [MAX_NAME_LENGTH, MAX_TEXT_LENGTH],
        wrong_totals: count_wrong_totals(connection, shape)?,
    })
}

/// Counts truncated texts with one scan of each table. The scan is fast, because `SQLite` can get the length of a text
/// in bytes without reading the text.
fn count_truncated_texts(connection: &Connection, shape: &Shape) -> rusqlite::Result<i64> {
    let mut count = 0;
    for (table, columns, most) in TEXTS {
        let is_truncated = |column: &str| {
            // `length` is slow, because it reads the text. It comes last, so SQLite calls it only if the text has
            // enough bytes.
            format!("(typeof({column}) = 'text' AND octet_length({column}) > {most} AND length({column}) > {most})")
        };
        let columns = columns.iter().filter(|column| shape.has_column(table, column));
        let conditions: Vec<_> = columns.map(|column| is_truncated(&quote_name(column))).collect();
        if !conditions.is_empty() {
            let sql = format!("SELECT ifnull(sum({}), 0) FROM {table}", conditions.join(" + "));
            count += connection.query_row(&sql, [], |row| row.get::<_, i64>(0))?;
        }
    }
    Ok(count)
}

/// Counts impossible totals with one scan of each table of hourly totals.
fn count_wrong_totals(connection: &Connection, shape: &Shape) -> rusqlite::Result<i64> {
    let mut count = 0;
    for table in shape.manifest().filter(|table| shape.has_column(table.name, "TotalSeconds")) {
        let sql = format!(
            "SELECT count(*) FROM {}
             WHERE typeof(TotalSeconds) <> 'integer' OR TotalSeconds < 0 OR TotalSeconds > {MAX_HOUR_SECONDS}",
            table.name
        );
        count += connection.query_row(&sql, [], |row| row.get::<_, i64>(0))?;
    }
    Ok(count)
}
