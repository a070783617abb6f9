//! How `SQLite` is asked for activities: a range of time as text comparisons on one timeline at a time, steered to the
//! index that leaves the fewest rows, or the whole of a table in the order in which it lies there.

use std::fmt::Write;

use crate::dimensions::Timeline;
use crate::instant::{InstantParser, to_stored_text};
use crate::snapshot::Snapshot;
use crate::value::{self, number};
use dayledger_source::selection::{Bounds, Selection};

/// Bringing a timeline to a later commit costs about what reading so many rows costs, and one more for every [`COUNTED`]
/// that it has, since they are counted in an index.
pub(super) const CHECKED: i64 = 1024;
const COUNTED: i64 = 128;

/// A statement for `SQLite` with its bound parameters.
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) parameters: Vec<String>,
}

/// Which index a statement is steered to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    /// (`ReportId`, `StartLocalTime`, `EndLocalTime`): few rows begin before the range ends.
    Start,
    /// (`ReportId`, `EndLocalTime`): few rows end after the range starts.
    End,
    /// None: most of the table is wanted.
    Table,
}

/// How much of a timeline a scan wants, and the index that leads there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// So many seconds of so long a history.
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

    /// Whether that is so little of so many rows that reading it costs less than asking what changed.
    pub(super) fn is_little(self, rows: i64) -> bool {
        match self {
            Self::Part { wanted, history, .. } => {
                let wanted_rows = i128::from(rows) * i128::from(wanted) / i128::from(history.max(1));
                wanted_rows < i128::from(CHECKED + rows / COUNTED)
            }
            Self::Most(_) => false,
        }
    }

    /// Guesses it. Activities lie evenly enough in time for a guess by proportion; a wrong guess costs time, never rows.
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
        // A timeline of one activity over the autumn change ends before it starts on the local clock.
        let last = last.max(first);
        let history = (last - first).max(1);
        let clamp = |instant: i64| instant.clamp(first, last);
        // Seconds of history that each index would walk through.
        let by_start = clamp(starts.to.unwrap_or(last)) - clamp(starts.from.unwrap_or(first));
        let by_end = clamp(ends.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first));
        let wanted = by_start.min(by_end).min(clamp(starts.to.unwrap_or(last)) - clamp(ends.from.unwrap_or(first)));
        if wanted.saturating_mul(2) > history {
            return most();
        }
        // The index on the start holds the end too, so a row that does not match costs no look into the table: measured,
        // a quarter of what it costs by the index on the end.
        let index = if by_start <= by_end.saturating_mul(4) { Index::Start } else { Index::End };
        Ok(Self::Part { index, wanted, history })
    }
}

/// The index that leads to all of a timeline, and about how many rows that is.
pub(super) fn whole_timeline(snapshot: &Snapshot<'_>, timeline: &Timeline) -> rusqlite::Result<(Index, i64)> {
    // A timeline's own ids count its rows; a small one is cheaper by its index than a walk over the whole table.
    let own = "SELECT max(ActivityId) FROM Ar_Activity WHERE ReportId = ?1";
    let own = snapshot.connection.query_row(own, [timeline.id], |row| number(row, 0))?.unwrap_or(0);
    let all = "SELECT max(rowid) FROM Ar_Activity";
    let all = snapshot.connection.query_row(all, [], |row| number(row, 0)).ok().flatten().unwrap_or(0);
    Ok((if own.saturating_mul(8) > all { Index::Table } else { Index::Start }, own))
}

/// The conditions on time, each with what it compares with. A unary plus keeps `SQLite` from using that column's index.
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

/// What is read of those timelines: the rows of the scan, or every row where there is none.
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
        add(&format!("+ReportId IN ({})", ids.join(", ")), Index::Table);
    }
    statements
}
