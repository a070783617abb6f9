//! What of a file is not read though it is there: the ends of texts that nobody writes, and totals that no hour can hold.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::Source;
use crate::manictime::error::Error;
use crate::manictime::reading::Reading;
use crate::manictime::shape::Shape;
use crate::manictime::sqlite::{Capacity, sqlite_error};
use crate::manictime::value::{LONGEST_NAME, LONGEST_TEXT, hour_seconds, is_cut};

/// What of a file is not read though it is there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Losses {
    /// How many texts are longer than what is read of them.
    pub cut_texts: u64,
    /// How many hourly totals are no seconds that an hour can hold.
    pub wrong_totals: u64,
}

impl Losses {
    /// How many characters are read of a name, and of any other text.
    pub const LONGEST: [usize; 2] = [LONGEST_NAME, LONGEST_TEXT];
}

/// The texts that answers are made of: columns of names by table, and those of other texts.
const TEXTS: [(&str, &[&str], usize); 8] = [
    ("Ar_Timeline", &["SchemaName", "BaseSchemaName", "Name", "EnvironmentId"], LONGEST_NAME),
    (
        "Ar_Environment",
        &["EnvironmentId", "DeviceDisplayName", "OperatingSystem", "Application", "DotNet"],
        LONGEST_NAME,
    ),
    ("Ar_Group", NAMES, LONGEST_NAME),
    ("Ar_CommonGroup", NAMES, LONGEST_NAME),
    ("Ar_GroupList", NAMES, LONGEST_NAME),
    ("Ar_CommonGroupList", NAMES, LONGEST_NAME),
    ("Ar_Tag", &["Name"], LONGEST_NAME),
    ("Ar_Activity", &["Name", "Notes"], LONGEST_TEXT),
];

const NAMES: &[&str] = &["Key", "Name", "Color", "GroupType"];

impl Source {
    /// What of the file is not read. Blocks on the file.
    ///
    /// # Errors
    /// Everything that keeps the file from being read.
    pub fn losses(&self) -> Result<Losses, Error> {
        self.transaction(&Reading::default(), |source, reader| {
            let shape = source.shape_at(reader)?;
            let counts = cut_texts(&reader.connection, &shape, reader.capacity).and_then(|cut_texts| {
                let wrong_totals = wrong_totals(&reader.connection, &shape, reader.capacity)?;
                Ok(Losses { cut_texts, wrong_totals })
            });
            counts.map_err(|error| sqlite_error(&error, &reader.path))
        })
    }
}

/// One walk over each table; `SQLite` knows the length of a text without reading it.
fn cut_texts(connection: &Connection, shape: &Shape, capacity: Capacity) -> rusqlite::Result<u64> {
    let mut count = 0;
    for (table, columns, most) in TEXTS {
        let columns: Vec<_> = columns.iter().filter(|column| shape.has_column(table, column)).copied().collect();
        if columns.is_empty() {
            continue;
        }
        let long: Vec<_> = columns.iter().map(|column| format!("octet_length(\"{column}\") > {most}")).collect();
        let selected: Vec<_> = columns.iter().map(|column| format!("\"{column}\"")).collect();
        let sql = format!("SELECT {} FROM {table} WHERE {}", selected.join(", "), long.join(" OR "));
        capacity.each_row(connection, &sql, [], |row| {
            let mut bytes = 0;
            for place in 0..columns.len() {
                if let ValueRef::Text(text) = row.get_ref(place)? {
                    bytes += text.len();
                    count += u64::from(is_cut(text, most));
                }
            }
            Ok(bytes)
        })?;
    }
    Ok(count)
}

/// One walk over each table of hourly totals.
fn wrong_totals(connection: &Connection, shape: &Shape, capacity: Capacity) -> rusqlite::Result<u64> {
    let mut count = 0;
    for (table, _, _) in shape.manifest().filter(|(table, _, _)| shape.has_column(table, "TotalSeconds")) {
        capacity.each_row(connection, &format!("SELECT TotalSeconds FROM {table}"), [], |row| {
            count += u64::from(hour_seconds(row, 0)?.is_none());
            Ok(0)
        })?;
    }
    Ok(count)
}
