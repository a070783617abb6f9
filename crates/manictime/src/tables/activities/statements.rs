//! Builds the `SQLite` statements that read activities.
//!
//! A statement either selects a range of times of one timeline, or it reads the whole table in
//! storage order. A range is selected by comparing texts, with the index that reads the fewest
//! rows.

use std::fmt::Write;

use crate::dimensions::Timeline;
use crate::instant::{InstantParser, to_stored_text};
use crate::snapshot::Snapshot;
use crate::value::{self, number};
use dayledger_source::selection::{Bounds, Selection};

/// Updating a cached timeline costs about as much as reading this number of rows, plus one row for
/// every [`COUNTED`] rows of the timeline, because an index is counted.
pub(super) const CHECKED: i64 = 1024;
const COUNTED: i64 = 128;

/// A statement for `SQLite` with its parameters.
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) parameters: Vec<String>,
}

/// The index that a statement should use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    /// (`ReportId`, `StartLocalTime`, `EndLocalTime`), if few rows start before the end of the
    /// range.
    Start,
    /// (`ReportId`, `EndLocalTime`), if few rows end after the start of the range.
    End,
    /// No index, because most of the table is needed.
    Table,
}

/// How much of a timeline a scan needs, and the best index for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The scan needs `wanted` seconds of a history of `history` seconds.
    Part {
        index: Index,
        wanted: i64,
        history: i64,
    },
    Most(Index),
}

impl Reach {
    pub(super) fn index(self) -> Index {
        match self {
            Self::Part { index, .. } | Self::Most(index) => index,
        }
    }

    /// Whether reading the wanted rows costs less than checking a cached timeline of `rows` rows
    /// for changes.
    pub(super) fn is_little(self, rows: i64) -> bool {
        match self {
            Self::Part { wanted, history, .. } => {
                let wanted_rows = i128::from(rows) * i128::from(wanted) / i128::from(history.max(1));
                wanted_rows < i128::from(CHECKED + rows / COUNTED)
            }
            Self::Most(_) => false,
        }
    }

    /// Estimates it by proportion of time. Activities are distributed evenly enough for that. A
    /// wrong estimate costs time, but doesn't change the result.
    pub(super) fn estimate(
        selection: &Selection,
        snapshot: &Snapshot<'_>,
        timeline: &Timeline,
    ) -> rusqlite::Result<Self> {
        let (starts, ends) = (selection.bounds("start_local"), selection.bounds("end_local"));
        let edge = |sql: &str| -> rusqlite::Result<Option<i64>> {
            snapshot
                .connection
                .query_row(sql, [timeline.id], |row| value::instant(row, 0, &mut InstantParser::default()))
        };
        let most = || Ok(Self::Most(whole_timeline(snapshot, timeline)?.0));
        if starts == Bounds::default() && ends == Bounds::default() {
            return most();
        }
        let first = edge("SELECT min(StartLocalTime) FROM Ar_Activity WHERE ReportId = ?1")?;
        let last = edge("SELECT max(EndLocalTime) FROM Ar_Activity WHERE ReportId = ?1")?;
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(Self::Part { index: Index::Start, wanted: 0, history: 0 });
        };
        // If the only activity of a timeline spans the autumn clock change, its local end can be
        // before its local start.
        let last = last.max(first);
        let history = (last - first).max(1);
        let clamp = |instant: i64| instant.clamp(first, last);
        // The seconds of history that a scan of each index would cover.
        let by_start = clamp(starts.to.unwrap_or(last)) - clamp(starts.from.unwrap_or(first));
        let by_end = clamp(ends.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first));
        let wanted = by_start.min(by_end).min(clamp(starts.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first)));
        if wanted.saturating_mul(2) > history {
            return most();
        }
        // The index on the start also contains the end, so rows that don't match are skipped
        // without reading the table. Measured, this costs a quarter of the index on the end.
        let index = if by_start <= by_end.saturating_mul(4) { Index::Start } else { Index::End };
        Ok(Self::Part { index, wanted, history })
    }
}

/// Returns the index for reading a whole timeline, and about how many rows it has.
pub(super) fn whole_timeline(snapshot: &Snapshot<'_>, timeline: &Timeline) -> rusqlite::Result<(Index, i64)> {
    // The ids of a timeline count its rows. For a small timeline, its index is cheaper than a scan
    // of the whole table.
    let own = "SELECT max(ActivityId) FROM Ar_Activity WHERE ReportId = ?1";
    let own = snapshot.connection.query_row(own, [timeline.id], |row| number(row, 0))?.unwrap_or(0);
    let all = "SELECT max(rowid) FROM Ar_Activity";
    let all = snapshot.connection.query_row(all, [], |row| number(row, 0)).ok().flatten().unwrap_or(0);
    Ok((if own.saturating_mul(8) > all { Index::Table } else { Index::Start }, own))
}

/// Returns the conditions on time, each with the text to compare with. A unary plus keeps `SQLite`
/// from using an index on that column.
pub(super) fn time_conditions(selection: &Selection, index: Index) -> Vec<(String, String)> {
    let mut conditions = Vec::new();
    for (column, stored, usable) in
        [("start_local", "StartLocalTime", index == Index::Start), ("end_local", "EndLocalTime", index == Index::End)]
    {
        let Bounds { from, to } = selection.bounds(column);
        for (bound, symbol) in [(from, ">="), (to, "<")] {
            if let Some(bound) = bound {
                let plus = if usable { "" } else { "+" };
                conditions.push((format!("{plus}{stored} {symbol}"), to_stored_text(bound)));
            }
        }
    }
    conditions
}

/// Returns the statements that read the given timelines: the rows that match `selection`, or all
/// rows without one.
pub(super) fn statements(
    timelines: &[(i64, Index)],
    selection: Option<&Selection>,
    columns: &[String],
) -> Vec<Statement> {
    let select = format!("SELECT {} FROM Ar_Activity WHERE", columns.join(", "));
    let mut statements = Vec::new();
    let mut add = |filter: &str, index: Index| {
        let conditions = selection.map(|selection| time_conditions(selection, index)).unwrap_or_default();
        let mut sql = format!("{select} {filter}");
        for (number, (condition, _)) in conditions.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(sql, " AND {condition} ?{}", number + 1);
        }
        statements.push(Statement { sql, parameters: conditions.into_iter().map(|(_, text)| text).collect() });
    };
    let (pooled, singles): (Vec<_>, Vec<_>) = timelines.iter().partition(|(_, index)| *index == Index::Table);
    for (id, index) in singles {
        add(&format!("ReportId = {id}"), index);
    }
    if !pooled.is_empty() {
        let ids: Vec<_> = pooled.iter().map(|(id, _)| id.to_string()).collect();
        // The unary plus makes SQLite read the table in storage order. Otherwise, it would look up each row through an
        // index.
        add(&format!("+ReportId IN ({})", ids.join(", ")), Index::Table);
    }
    statements
}
