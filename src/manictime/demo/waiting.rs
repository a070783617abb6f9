//! Activities between being added and being in the table.

use rusqlite::{Statement, params};

use super::clock::{Span, stamp};
use super::identity::random_value;

pub(super) const INSERT_ACTIVITY: &str = "INSERT INTO Ar_Activity VALUES \
     (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, NULL, ?16, ?17, '{}')";

/// An activity that has its id, but is not in the table yet: a statement is prepared once for many of them.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) report: i64,
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) group: Option<i64>,
    pub(super) common_group: Option<i64>,
    pub(super) group_list: Option<i64>,
    pub(super) common_group_list: Option<i64>,
    pub(super) active: Option<bool>,
    pub(super) billable: Option<bool>,
    pub(super) span: Span,
    pub(super) notes: Option<String>,
    pub(super) related: Option<i64>,
    pub(super) sequence: i64,
}

impl Waiting {
    pub(super) fn insert(&self, statement: &mut Statement<'_>) -> rusqlite::Result<()> {
        statement.execute(params![
            self.report,
            self.id,
            self.name,
            self.group,
            self.common_group,
            self.group_list,
            self.common_group_list,
            self.active,
            self.billable,
            stamp(self.span.start.local_seconds()),
            stamp(self.span.start.utc),
            stamp(self.span.end.local_seconds()),
            stamp(self.span.end.utc),
            self.notes,
            self.related,
            self.sequence,
            random_value(self.report, self.sequence)
        ])?;
        Ok(())
    }
}
