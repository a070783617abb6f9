//! The SQL table `screenshots`. Each row is a screenshot, without its pixels.

use dayledger_engine::columns::{
    Column, flags, instants, optional_instants, optional_numbers, record_batch, schema, text,
};
use dayledger_engine::{VirtualTable, rows_from_blocking};
use dayledger_screenshots::{Screenshot, Screenshots};

/// Returns the table `screenshots`. Queries of the table must select a local range.
pub(crate) fn screenshot_table(screenshots: Screenshots) -> VirtualTable {
    VirtualTable::with_range("screenshots", "taken_local", schema(columns(&[])), move |range| {
        let screenshots = screenshots.clone();
        rows_from_blocking(move || -> Result<_, Box<dyn std::error::Error + Send + Sync>> {
            Ok(record_batch(columns(&screenshots.find_in(&range)?))?)
        })
    })
}

fn columns(screenshots: &[Screenshot]) -> [Column; 9] {
    let each = || screenshots.iter();
    let whole = |number: u64| i64::try_from(number).ok();
    let references: Vec<_> = each().map(|shot| shot.reference.to_string()).collect();
    [
        text("screenshot_ref", references.iter().map(String::as_str)),
        instants("taken_local", each().map(|shot| shot.taken_at)),
        // Null if the file name does not contain the offset.
        optional_instants("taken_utc", each().map(Screenshot::taken_utc)),
        optional_numbers("width", each().map(|shot| Some(shot.size?.width.into()))),
        optional_numbers("height", each().map(|shot| Some(shot.size?.height.into()))),
        optional_numbers("sequence", each().map(|shot| whole(shot.sequence?))),
        optional_numbers("monitor", each().map(|shot| Some(shot.monitor?.into()))),
        flags("has_image", each().map(|shot| Some(shot.has_image())), false),
        flags("has_thumbnail", each().map(|shot| Some(shot.has_thumbnail())), false),
    ]
}
