//! Pages drawn from invented answers.

use chrono::{NaiveDateTime, TimeDelta};

use crate::activity::NamedStretch;

/// A stretch between two local clock times, each with its offset from UTC in minutes.
pub(super) fn stretch(name: &str, start: &str, start_offset: i64, end: &str, end_offset: i64) -> NamedStretch {
    let local = |text: &str| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap();
    let (start, end) = (local(start), local(end));
    NamedStretch {
        date: start.date(),
        device: None,
        name: name.to_owned(),
        color: None,
        start_local: start,
        start_utc: start - TimeDelta::minutes(start_offset),
        end_local: end,
        end_utc: end - TimeDelta::minutes(end_offset),
    }
}
