//! Hours that no activity stands for.

use super::wording::target;
use crate::question::{Minutes, minutes};
use crate::report::style::Style;
use crate::report::text::{duration, neutral};
use crate::timesheet::BeyondEvidence;

/// How many entries are told by name.
const NAMED: usize = 2;

/// `3 h 15 min logged beyond what was done: 2 h NW / Billing on 21 Oct, ...`; nothing where there is none.
pub(super) fn beyond_line(beyond: &[BeyondEvidence], style: &Style) -> Option<String> {
    let seconds: i64 = beyond.iter().map(|entry| entry.minutes.seconds()).sum();
    let whole = Some(minutes(seconds)).filter(|whole| *whole > Minutes::ZERO)?;
    let told = beyond.iter().take(NAMED).map(|entry| {
        let target = target(Some(&entry.project_code), Some(&entry.task), style);
        format!("{} {target} on {}", duration(entry.minutes), entry.start_date.date().format("%-d %b"))
    });
    let mut told: Vec<_> = told.collect();
    let more = beyond.len() - told.len();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    Some(neutral(&format!("{} logged beyond what was done: {}.", duration(whole), told.join(", ")), style).into_owned())
}
