//! Builds the `SQLite` statements that read activities.
//!
//! A statement either selects a time range of one timeline, or it reads the whole table in storage order. To select a
//! time range, the statement compares the stored texts. It uses the index with which it reads the fewest rows.

use std::fmt::Write;

use crate::dimensions::Timeline;
use crate::instant::{InstantParser, to_stored_text};
use crate::snapshot::Snapshot;
use crate::value::{self, number};
use dayledger_source::selection::{Bounds, Selection};

/// A statement for `SQLite` with its parameters.
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) parameters: Vec<String>,
}

/// The index of `Ar_Activity` that a statement should use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    /// The index on (`ReportId`, `StartLocalTime`, `EndLocalTime`). It is best if the time range is near the start of
    /// the timeline, because few rows then start before the end of the range.
    Start,
    /// The index on (`ReportId`, `EndLocalTime`). It is best if the time range is near the end of the timeline, because
    /// few rows then end after the start of the range.
    End,
    /// No index, because most of the table is needed.
    Table,
}

/// An estimate of how much of a timeline a scan needs, and the best index for the scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The scan needs at most half of the timeline.
    Part(Index),
    /// The scan needs more than half of the timeline, or the whole timeline.
    Most(Index),
}

impl Reach {
    pub(super) fn index(self) -> Index {
        match self {
            Self::Part(index) | Self::Most(index) => index,
        }
    }

    /// Estimates how much is needed from the length of the time range. Assumes that activities are distributed evenly
    /// over time. If the estimate is wrong, the read is slower, but its result is the same.
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
            return Ok(Self::Part(Index::Start));
        };
        // If the only activity of a timeline spans the autumn clock change, its local end can be
        // before its local start.
        let last = last.max(first);
        let history = (last - first).max(1);
        let clamp = |instant: i64| instant.clamp(first, last);
        // The number of seconds that a scan of each index would cover.
        let by_start = clamp(starts.to.unwrap_or(last)) - clamp(starts.from.unwrap_or(first));
        let by_end = clamp(ends.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first));
        let wanted = by_start.min(by_end).min(clamp(starts.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first)));
        if wanted.saturating_mul(2) > history {
            return most();
        }
        // The index on the start also contains the end, so rows that don't match are skipped without reading the table.
        // In a measurement, this index needed only a quarter of the time that the index on the end needed.
        let index = if by_start <= by_end.saturating_mul(4) { Index::Start } else { Index::End };
        Ok(Self::Part(index))
    }
}

/// Returns the best index for reading a whole timeline, and an estimate of its number of rows.
pub(super) fn whole_timeline(snapshot: &Snapshot<'_>, timeline: &Timeline) -> rusqlite::Result<(Index, i64)> {
    // The greatest id in a timeline is used as an estimate of its number of rows. For a small timeline, an index is
    // cheaper than a scan of the whole table.
    let own = "SELECT max(ActivityId) FROM Ar_Activity WHERE ReportId = ?1";
    let own = snapshot.connection.query_row(own, [timeline.id], |row| number(row, 0))?.unwrap_or(0);
    let all = "SELECT max(rowid) FROM Ar_Activity";
    let all = snapshot.connection.query_row(all, [], |row| number(row, 0)).ok().flatten().unwrap_or(0);
    Ok((if own.saturating_mul(8) > all { Index::Table } else { Index::Start }, own))
}

/// Returns the conditions on time, each with the text to compare with. A unary plus before a column prevents `SQLite`
/// from using an index on this column.
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

/// Returns the statements that read the given timelines. They read the rows that match `selection`,
/// or all rows if `selection` is `None`.
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
        // The unary plus makes SQLite read the table in storage order. Without it, SQLite would look up each row
        // through an index.
        add(&format!("+ReportId IN ({})", ids.join(", ")), Index::Table);
    }
    statements
}
