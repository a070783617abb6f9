//! The table `screenshots` of the model: a row is a screenshot's metadata.

use crate::engine::columns::{Column, flags, instants, instants_if_any, numbers_if_any, rows, schema, text};
use crate::engine::{SourceTable, read_at_once};
use crate::screenshots::{Screenshot, Screenshots};

/// The screenshots of a local range as rows.
pub(in crate::activity) fn screenshot_table(screenshots: Screenshots) -> SourceTable {
    SourceTable::by_range("screenshots", "taken_local", schema(columns(&[])), move |range| {
        let screenshots = screenshots.clone();
        read_at_once(move || -> Result<_, Box<dyn std::error::Error + Send + Sync>> {
            Ok(rows(columns(&screenshots.within(&range)?))?)
        })
    })
}

fn columns(screenshots: &[Screenshot]) -> [Column; 9] {
    let each = || screenshots.iter();
    let whole = |number: u64| i64::try_from(number).ok();
    let references: Vec<_> = each().map(|shot| shot.reference.to_string()).collect();
    [
        text("screenshot_ref", references.iter().map(String::as_str)),
        instants("taken_local", each().map(|shot| shot.taken)),
        // Absent where the file's name tells no offset.
        instants_if_any("taken_utc", each().map(Screenshot::taken_utc)),
        numbers_if_any("width", each().map(|shot| Some(shot.size?.width.into()))),
        numbers_if_any("height", each().map(|shot| Some(shot.size?.height.into()))),
        numbers_if_any("sequence", each().map(|shot| whole(shot.sequence?))),
        numbers_if_any("monitor", each().map(|shot| Some(shot.monitor?.into()))),
        flags("has_image", each().map(|shot| Some(shot.has_image())), false),
        flags("has_thumbnail", each().map(|shot| Some(shot.has_thumbnail())), false),
    ]
}
