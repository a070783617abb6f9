//! What of a file is not read though it is there: the ends of texts that nobody writes, and totals that no hour can hold.

use rusqlite::Connection;

use super::Source;
use crate::manictime::error::Error;
use crate::manictime::read_handle::ReadHandle;
use crate::manictime::shape::{Shape, quote_name};
use crate::manictime::sqlite::sqlite_error;
use crate::manictime::value::{MAX_HOUR_SECONDS, MAX_NAME_LENGTH, MAX_TEXT_LENGTH};

/// What of a file is not read though it is there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Losses {
    /// How many texts are longer than what is read of them.
    pub cut_texts: i64,
    /// How many hourly totals are no seconds that an hour can hold.
    pub wrong_totals: i64,
}

impl Losses {
    /// How many characters are read of a name, and of any other text.
    pub const MAX_LENGTHS: [usize; 2] = [MAX_NAME_LENGTH, MAX_TEXT_LENGTH];
}

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

impl Source {
    /// What of the file is not read. Blocks on the file.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub fn losses(&self) -> Result<Losses, Error> {
        self.run_in_transaction(&ReadHandle::default(), |source, reader| {
            let shape = source.shape_at(reader)?;
            let counts = count_truncated_texts(&reader.connection, &shape).and_then(|cut_texts| {
                let wrong_totals = count_wrong_totals(&reader.connection, &shape)?;
                Ok(Losses { cut_texts, wrong_totals })
            });
            counts.map_err(|error| sqlite_error(&error, &reader.path))
        })
    }
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
    for (table, _, _) in shape.manifest().filter(|(table, _, _)| shape.has_column(table, "TotalSeconds")) {
        let sql = format!(
            "SELECT count(*) FROM {table}
             WHERE typeof(TotalSeconds) <> 'integer' OR TotalSeconds < 0 OR TotalSeconds > {MAX_HOUR_SECONDS}"
        );
        count += connection.query_row(&sql, [], |row| row.get::<_, i64>(0))?;
    }
    Ok(count)
}
