//! Copies the website of a browser segment to the browser segment that follows it (docs/spec/time.md#browser-segments).

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, StringBuilder};
use arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::WindowUDF;

use crate::columns::{boolean_column, text_column, timestamp_column};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::instant;

/// The maximum pause in seconds over which a website is copied to the next segment
/// (docs/spec/time.md#browser-segments).
pub const MAX_PAUSE: i64 = 300;

static CARRY_WEBSITE: Declaration = Declaration {
    name: "carry_website",
    description: "Returns a segment's website. A browser segment without a website gets the website of the segment \
            before it on the same device, if that is a browser segment too and ended at most 5 minutes earlier. \
            This repeats along a chain of segments.",
    parameters: &[
        Parameter::text("device", "The device. Its rows must be consecutive."),
        Parameter::boolean("is_browser", "Whether the application of the segment is a browser."),
        Parameter::text("website", "The website of the segment itself."),
        Parameter::instant("start_utc", "UTC start of the segment."),
        Parameter::instant("end_utc", "UTC end of the segment."),
    ],
    call_suffix: " OVER (ORDER BY device, start_utc)",
    example: "SELECT carry_website(device, is_browser, website, start_utc, end_utc)\n       \
              OVER (ORDER BY device, start_utc)\nFROM segments",
};

/// The columns of a segment that determine its website.
#[derive(Clone, Copy, Debug, Default)]
pub struct SegmentWebsite<'a> {
    /// The device of the segment.
    pub device: Option<&'a str>,
    /// Whether the segment's application is a browser.
    pub is_browser: bool,
    /// The website of the segment itself.
    pub website: Option<&'a str>,
    /// The UTC start in seconds.
    pub start: Option<i64>,
    /// The UTC end in seconds.
    pub end: Option<i64>,
}

/// Returns `carry_website(...) OVER (ORDER BY device, start_utc) -> Utf8`.
///
/// A query fails if the segments of a device aren't in order of start.
pub fn carry_website() -> WindowUDF {
    window(&CARRY_WEBSITE, DataType::Utf8, evaluate)
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let (devices, browsers, websites) =
        (text_column(columns, 0)?, boolean_column(columns, 1)?, text_column(columns, 2)?);
    let (starts, ends) = (timestamp_column(columns, 3)?, timestamp_column(columns, 4)?);
    let segments = (0..rows).map(|row| SegmentWebsite {
        device: devices.is_valid(row).then(|| devices.value(row)),
        is_browser: browsers.is_valid(row) && browsers.value(row),
        website: websites.is_valid(row).then(|| websites.value(row)),
        start: instant(starts, row),
        end: instant(ends, row),
    });
    let mut carried = StringBuilder::with_capacity(rows, 0);
    carry(segments, |website| carried.append_option(website))?;
    Ok(Arc::new(carried.finish()))
}

/// Calls `each` with the website of every segment, in order. This is the segment's own website, or the website that is
/// copied from the segment before it.
///
/// Fails if the segments of a device aren't in order of start.
pub fn carry<'a>(
    segments: impl IntoIterator<Item = SegmentWebsite<'a>>,
    mut each: impl FnMut(Option<&'a str>),
) -> Result<()> {
    let mut before: Option<SegmentWebsite<'a>> = None;
    for mut segment in segments {
        if let Some(before) = before.filter(|before| before.device == segment.device) {
            // Users can write any `OVER` clause. Without this check, a clause with a wrong order would silently return
            // wrong websites.
            if let (Some(earlier), Some(later)) = (before.start, segment.start)
                && later < earlier
            {
                return exec_err!("`carry_website` needs its rows in order; add OVER (ORDER BY device, start_utc)");
            }
            if segment.website.is_none()
                && segment.is_browser
                && before.is_browser
                && is_soon(before.end, segment.start)
            {
                // The website of `before` can itself be a copy. So a website can be copied through a chain of segments.
                segment.website = before.website;
            }
        }
        each(segment.website);
        before = Some(segment);
    }
    Ok(())
}

fn is_soon(end: Option<i64>, start: Option<i64>) -> bool {
    matches!((end, start), (Some(end), Some(start)) if start.saturating_sub(end) <= MAX_PAUSE)
}

#[cfg(test)]
mod tests;
