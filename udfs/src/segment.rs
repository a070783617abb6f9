//! Joins pieces into segments: periods in which a person would say that they used one application
//! (docs/spec/time.md#segments).
//!
//! Start with [`segments`]. [`segment_number`] is the SQL function for it. Pieces come from `clip`.
//!
//! Invariant: every piece belongs to exactly one segment, so the seconds of segments add up to the seconds of pieces.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, StructArray};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Fields, Float64Type};
use datafusion::common::{Result, exec_err, internal_datafusion_err};
use datafusion::logical_expr::WindowUDF;
use hashbrown::HashMap;

use crate::columns::{text_column, timestamp_column};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::instant;
use crate::name_map::NameMap;

static SEGMENT_NUMBER: Declaration = Declaration {
    name: "segment_number",
    description: "Returns the number of a piece's segment, counted from 1, and whether the piece belongs to the \
            segment's main application. Pieces of one application join if nothing lies between them and the gap \
            is at most max_gap_seconds. Other pieces in between belong to the segment, too, if the application \
            is back in less than interruption_seconds. Rows can be in any order.",
    parameters: &[
        Parameter::text("device", "The device. Segments are numbered by device, in order of the devices' names."),
        Parameter::text("key", "Rows with the same key belong to the same application. NULL: the unknown application."),
        Parameter::instant("start_utc", "UTC start of the piece."),
        Parameter::instant("end_utc", "UTC end of the piece."),
        Parameter::number(
            "max_gap_seconds",
            "The longest gap between joined pieces. With 0, only touching pieces join.",
        ),
        Parameter::number("interruption_seconds", "Shorter interruptions become part of a segment. With 0, none do."),
    ],
    call_suffix: " OVER ()",
    example: "SELECT n['segment'], n['is_main_application'] FROM (\n  SELECT segment_number(device, key, start_utc, end_utc, 120, 30) \
              OVER () AS n\n  FROM pieces\n)",
};

/// A piece of activity on one device. The start and end are UTC seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Pieces with the same key belong to the same application.
    pub key: Option<&'a str>,
    /// UTC start.
    pub start: i64,
    /// UTC end.
    pub end: i64,
}

/// The segment of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The number of the segment.
    pub segment: i64,
    /// Whether the piece belongs to the segment's application. Otherwise, the piece is a short interruption.
    pub own: bool,
}

/// The limits for joining pieces of one application, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JoinLimits {
    /// The maximum gap between two pieces that are joined. It applies if there isn't another piece between them.
    pub max_gap: i64,
    /// If the segment's application is used again in less than this time, the pieces of other applications in between
    /// belong to the segment.
    pub interruption: i64,
}

/// Returns the segment of each piece of one device. Pieces must be in order of start. Segments are numbered from
/// `last_segment + 1`.
pub fn segments(pieces: &[Piece<'_>], joins: JoinLimits, last_segment: i64) -> Vec<Membership> {
    let next_of_same = next_of_same_key(pieces);
    let mut memberships = Vec::with_capacity(pieces.len());
    let mut segment = last_segment;
    // The index of the last piece that already has a segment. This piece belongs to the application of the current
    // segment.
    let mut own: Option<usize> = None;
    while memberships.len() < pieces.len() {
        let at = memberships.len();
        let returns = own.and_then(|own| Some((next_of_same[own]?, pieces[own].end))).filter(|&(next, end)| {
            let gap = pieces[next].start.saturating_sub(end);
            // The limit of a gap is inclusive, and the limit of an interruption is exclusive
            // (docs/spec/time.md#merging).
            if next == at { gap <= joins.max_gap } else { gap < joins.interruption }
        });
        let next = if let Some((next, _)) = returns {
            // The pieces in between belong to the current segment and don't start their own segments. A piece belongs
            // to the earliest segment that can include it (docs/spec/time.md#merging).
            memberships.resize(next, Membership { segment, own: false });
            next
        } else {
            segment += 1;
            at
        };
        memberships.push(Membership { segment, own: true });
        own = Some(next);
    }
    memberships
}

/// Returns for each piece the index of the next piece with the same key.
fn next_of_same_key(pieces: &[Piece<'_>]) -> Vec<Option<usize>> {
    let mut seen = HashMap::new();
    let mut next: Vec<_> =
        pieces.iter().enumerate().rev().map(|(index, piece)| seen.insert(piece.key, index)).collect();
    next.reverse();
    next
}

/// Returns `segment_number(...) OVER () -> Struct{segment, is_main_application}`.
///
/// A query fails if a limit differs between rows.
pub fn segment_number() -> WindowUDF {
    window(&SEGMENT_NUMBER, DataType::Struct(fields()), evaluate)
}

fn fields() -> Fields {
    vec![Field::new("segment", DataType::Int64, true), Field::new("is_main_application", DataType::Boolean, true)]
        .into()
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let (devices, keys) = (text_column(columns, 0)?, text_column(columns, 1)?);
    let (starts, ends) = (timestamp_column(columns, 2)?, timestamp_column(columns, 3)?);
    let joins = JoinLimits {
        // Timestamps are whole seconds. So a limit of "at most 9.5 seconds" means at most 9 seconds, and "less than
        // 29.5 seconds" means less than 30 seconds.
        max_gap: round_to_seconds(bound(columns, 4, rows)?.floor()),
        interruption: round_to_seconds(bound(columns, 5, rows)?.ceil()),
    };
    let piece = |row: usize| {
        let key = keys.is_valid(row).then(|| keys.value(row));
        Some(Piece { key, start: instant(starts, row)?, end: instant(ends, row)? })
            .filter(|piece| piece.start < piece.end)
    };
    let mut of_devices: NameMap<'_, Vec<usize>> = NameMap::new();
    for row in (0..rows).filter(|row| piece(*row).is_some()) {
        of_devices.entry(devices.is_valid(row).then(|| devices.value(row))).push(row);
    }
    let mut memberships: Vec<Option<Membership>> = vec![None; rows];
    let mut last_segment = 0;
    for mut of_device in of_devices.into_sorted_values() {
        // The pieces arrive in the order of their activities, which is nearly the time order. So sorting takes about
        // one pass.
        of_device.sort_by_key(|row| starts.value(*row));
        let pieces: Vec<_> = of_device.iter().filter_map(|row| piece(*row)).collect();
        for (row, membership) in of_device.into_iter().zip(segments(&pieces, joins, last_segment)) {
            last_segment = membership.segment;
            memberships[row] = Some(membership);
        }
    }
    let valid: NullBuffer = memberships.iter().map(Option::is_some).collect();
    let segment: Int64Array = memberships.iter().map(|known| known.map(|known| known.segment)).collect();
    let own: BooleanArray = memberships.iter().map(|known| known.map(|known| known.own)).collect();
    Ok(Arc::new(StructArray::try_new(fields(), vec![Arc::new(segment), Arc::new(own)], Some(valid))?))
}

/// Returns the limit in the column `index`, in seconds.
fn bound(columns: &[ArrayRef], index: usize, rows: usize) -> Result<f64> {
    let name = SEGMENT_NUMBER.parameters[index].name;
    let bounds = columns
        .get(index)
        .and_then(|column| column.as_primitive_opt::<Float64Type>())
        .ok_or_else(|| internal_datafusion_err!("`{name}` was not coerced to its declared type"))?;
    if rows == 0 {
        return Ok(0.0);
    }
    let bound = bounds.value(0);
    let differs = |other: &f64| other.to_bits() != bound.to_bits();
    if bounds.null_count() > 0 || bound.is_nan() || bounds.values().iter().any(differs) {
        return exec_err!("`{name}` of `segment_number` must be one number for all rows");
    }
    Ok(bound)
}

#[expect(clippy::cast_possible_truncation, reason = "a float beyond the range of an integer becomes its bound")]
fn round_to_seconds(seconds: f64) -> i64 {
    seconds as i64
}

#[cfg(test)]
mod tests;
