//! What of a file is not read though it is there: the ends of texts that nobody writes, and totals that no hour can hold.

use rusqlite::Connection;

use crate::shape::{Shape, quote_name};
use crate::value::{MAX_HOUR_SECONDS, MAX_NAME_LENGTH, MAX_TEXT_LENGTH};
use dayledger_source::UnreadData;

/// The texts that answers are made of: columns of names by table, and those of other texts.
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

/// Counts what of the file is not read.
pub(super) fn count(connection: &Connection, shape: &Shape) -> rusqlite::Result<UnreadData> {
    Ok(UnreadData {
        truncated_texts: count_truncated_texts(connection, shape)?,
        max_lengths: [MAX_NAME_LENGTH, MAX_TEXT_LENGTH],
        wrong_totals: count_wrong_totals(connection, shape)?,
    })
}

/// One walk over each table; `SQLite` knows the length of a text in bytes without reading it.
fn count_truncated_texts(connection: &Connection, shape: &Shape) -> rusqlite::Result<i64> {
    let mut count = 0;
    for (table, columns, most) in TEXTS {
        let is_cut = |column: &str| {
            format!("(typeof({column}) = 'text' AND octet_length({column}) > {most} AND length({column}) > {most})")
        };
        let columns = columns.iter().filter(|column| shape.has_column(table, column));
        let are_cut: Vec<_> = columns.map(|column| is_cut(&quote_name(column))).collect();
        if !are_cut.is_empty() {
            let sql = format!("SELECT ifnull(sum({}), 0) FROM {table}", are_cut.join(" + "));
            count += connection.query_row(&sql, [], |row| row.get::<_, i64>(0))?;
        }
    }
    Ok(count)
}

/// One walk over each table of hourly totals.
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
