//! Scalar functions that cut the interval of one row: at a range, at hours, or at the start of days.
//!
//! Implements `clip_to_range`, `split_hours`, `split_days`, `day_of` and `overlap_seconds`. The module `interval`
//! contains the row clock.

use std::sync::Arc;

use arrow::array::{ArrayRef, Date32Array, Int64Array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use crate::columns::timestamp_column;
use crate::declare::{Declaration, Parameter, scalar};
use crate::interval::{
    self, DAY, DayStart, HOUR, IntervalBuilder, IntervalColumns, IntervalListBuilder, RowClock, hour_start, instant,
};

/// The maximum number of parts of one row. If the parts are hours, this is about eleven years. Only damaged rows are
/// longer, such as a row that ends in 9999. The last part of such a row contains all remaining time.
const MAX_PARTS: i64 = 100_000;

static CLIP_TO_RANGE: Declaration = Declaration {
    name: "clip_to_range",
    description: "Returns the part of an interval within a local range, cut by the row's own clock. The result is NULL \
            if nothing remains.",
    parameters: &[
        Parameter::instant("start_local", "Local start of the row."),
        Parameter::instant("start_utc", "UTC start of the row."),
        Parameter::instant("end_local", "Local end of the row."),
        Parameter::instant("end_utc", "UTC end of the row."),
        Parameter::instant("range_start", "Local start of the range, inclusive. NULL: unlimited."),
        Parameter::instant("range_end", "Local end of the range, exclusive. NULL: unlimited."),
    ],
    call_suffix: "",
    example: "SELECT clip_to_range(start_local, start_utc, end_local, end_utc,\n                     \
              TIMESTAMP '2025-01-15T00:00:00', TIMESTAMP '2025-01-16T00:00:00')\nFROM applications",
};

/// The four timestamps of a row.
static ROW: [Parameter; 4] = [
    Parameter::instant("start_local", "Local start of the row."),
    Parameter::instant("start_utc", "UTC start of the row."),
    Parameter::instant("end_local", "Local end of the row."),
    Parameter::instant("end_utc", "UTC end of the row."),
];

static SPLIT_HOURS: Declaration = Declaration {
    name: "split_hours",
    description: "Returns the parts of an interval, cut at whole local hours of the row's own clock. The hour of a part is \
            date_trunc('hour', start_local).",
    parameters: &ROW,
    call_suffix: "",
    example: "SELECT date_trunc('hour', part['start_local']) AS hour\n\
              FROM (SELECT unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part FROM applications)",
};

static SPLIT_DAYS: Declaration = Declaration {
    name: "split_days",
    description: "Returns the parts of an interval, cut at the start of each local day (by default, midnight) of the \
            row's own clock. The day of a part is day_of(start_local).",
    parameters: &ROW,
    call_suffix: "",
    example: "SELECT day_of(part['start_local']) AS day\n\
              FROM (SELECT unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part FROM applications)",
};

static DAY_OF: Declaration = Declaration {
    name: "day_of",
    description: "Returns the date of the day that contains a local time. By default, days start at midnight.",
    parameters: &[Parameter::instant("local", "A local time.")],
    call_suffix: "",
    example: "SELECT day_of(start_local) AS day, sum(seconds) AS seconds FROM applications GROUP BY 1",
};

static OVERLAP_SECONDS: Declaration = Declaration {
    name: "overlap_seconds",
    description: "Returns the seconds of overlap of two intervals. The result is 0 if they are disjoint, and NULL if \
            any argument is NULL.",
    parameters: &[
        Parameter::instant("a_start", "Start of the first interval."),
        Parameter::instant("a_end", "End of the first interval."),
        Parameter::instant("b_start", "Start of the second interval."),
        Parameter::instant("b_end", "End of the second interval."),
    ],
    call_suffix: "",
    example: "SELECT overlap_seconds(a.start_utc, a.end_utc, b.start_utc, b.end_utc)\nFROM applications a, tags b",
};

/// Returns `clip_to_range(start_local, start_utc, end_local, end_utc, range_start, range_end) -> interval`.
///
/// The range is in local time, and its end is exclusive. The row clock decides where the row is cut
/// (docs/spec/time.md#order-of-cuts). The result is null if nothing remains.
pub fn clip_to_range() -> ScalarUDF {
    scalar(&CLIP_TO_RANGE, interval::data_type(), |columns| {
        let rows = IntervalColumns::from_columns(columns, 0)?;
        let (range_start, range_end) = (timestamp_column(columns, 4)?, timestamp_column(columns, 5)?);
        let mut left = IntervalBuilder::default();
        let mut valid = Vec::with_capacity(rows.len());
        for row in 0..rows.len() {
            let part =
                rows.get(row).and_then(|of| RowClock::new(of).clip(instant(range_start, row), instant(range_end, row)));
            valid.push(part.is_some());
            left.push_option(part);
        }
        Ok(Arc::new(left.finish(Some(NullBuffer::from(valid)))?))
    })
}

/// Returns `split_hours(start_local, start_utc, end_local, end_utc) -> List<interval>`.
///
/// Cuts at local hours. The parts add up to the exact UTC duration (docs/spec/time.md#clock-changes).
pub fn split_hours() -> ScalarUDF {
    scalar(&SPLIT_HOURS, interval::list_data_type(), |columns| split(columns, hour_start, HOUR))
}

/// Returns `split_days(start_local, start_utc, end_local, end_utc) -> List<interval>`.
///
/// Cuts at the start of each local day. The parts add up to the exact UTC duration (docs/spec/time.md#clock-changes).
pub fn split_days(day_start: DayStart) -> ScalarUDF {
    scalar(&SPLIT_DAYS, interval::list_data_type(), move |columns| split(columns, |at| day_start.before(at), DAY))
}

fn split(columns: &[ArrayRef], start_of: impl Fn(i64) -> i64, unit: i64) -> Result<ArrayRef> {
    let rows = match columns {
        [column] => IntervalColumns::from_struct(column)?,
        columns => IntervalColumns::from_columns(columns, 0)?,
    };
    let mut parts = IntervalListBuilder::with_capacity(rows.len(), rows.len());
    for row in 0..rows.len() {
        if let Some(of) = rows.get(row) {
            RowClock::new(of).split(&start_of, unit, MAX_PARTS, |part| parts.push(part));
        }
        parts.end_row();
    }
    parts.finish()
}

/// Returns `day_of(local) -> Date32`: the date of the day that contains a local time. Days start and end at the same
/// times as for [`split_days`].
pub fn day_of(day_start: DayStart) -> ScalarUDF {
    scalar(&DAY_OF, DataType::Date32, move |columns| {
        let times = timestamp_column(columns, 0)?;
        let date = |row| i32::try_from(day_start.date(instant(times, row)?)).ok();
        Ok(Arc::new((0..times.len()).map(date).collect::<Date32Array>()))
    })
}

/// Returns `overlap_seconds(a_start, a_end, b_start, b_end) -> Int64`. All four timestamps must be on the same clock.
/// To measure durations, pass UTC.
pub fn overlap_seconds() -> ScalarUDF {
    scalar(&OVERLAP_SECONDS, DataType::Int64, |columns| {
        let (a_start, a_end) = (timestamp_column(columns, 0)?, timestamp_column(columns, 1)?);
        let (b_start, b_end) = (timestamp_column(columns, 2)?, timestamp_column(columns, 3)?);
        let seconds = (0..a_start.len()).map(|row| {
            let a = (instant(a_start, row)?, instant(a_end, row)?);
            let b = (instant(b_start, row)?, instant(b_end, row)?);
            Some(overlap(a, b))
        });
        Ok(Arc::new(seconds.collect::<Int64Array>()))
    })
}

/// Returns the number of seconds in which two spans overlap, or 0 if they are disjoint.
pub fn overlap(a: (i64, i64), b: (i64, i64)) -> i64 {
    a.1.min(b.1).saturating_sub(a.0.max(b.0)).max(0)
}
