//! Whether a row is still what it was when somebody looked at it.

use super::row::Row;
use crate::refusal::Refusal;

/// The row that is to be logged, as it is now; `kept` is the row of the draft that was looked at.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `rows` where the row is no more, or its evidence or what named it has changed since.
pub fn unchanged<'r>(kept: &Row, now: &'r [Row]) -> Result<&'r Row, Refusal> {
    let Row { id, day, hours, .. } = kept;
    let refusal = |why| Refusal::invalid("rows", format_args!("row `{id}` of {day} {why}. Draft the day again"));
    let row = now.iter().find(|row| row.id == *id);
    let row =
        row.ok_or_else(|| refusal(format!("is no more: its {hours} hours are logged, left out or named otherwise")))?;
    if row.version == kept.version {
        return Ok(row);
    }
    Err(refusal(format!(
        "has changed since it was drafted, from {hours} to {} hours or in what they stand for",
        row.hours
    )))
}
