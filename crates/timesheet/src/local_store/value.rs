//! Conversion of the timesheet's types to and from database values.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use crate::day::Day;
use crate::entry::ItemKind;
use crate::hours::Hours;
use crate::id::{EntryId, IdempotencyKey};
use crate::status::Status;

macro_rules! kept_as_text {
    ($($name:ty),+) => {
        $(
            impl ToSql for $name {
                fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                    Ok(self.to_string().into())
                }
            }

            impl FromSql for $name {
                fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                    value.as_str()?.parse().map_err(FromSqlError::other)
                }
            }
        )+
    };
}

kept_as_text!(Day, EntryId, IdempotencyKey, Status, ItemKind);

impl ToSql for Hours {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.hundredths().into())
    }
}

impl FromSql for Hours {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self::from_hundredths(value.as_i64()?))
    }
}

/// Converts ids to a JSON list, which is passed to a statement as one parameter.
pub(crate) fn to_json_list(ids: &[EntryId]) -> Result<String, serde_json::Error> {
    serde_json::to_string(ids)
}
