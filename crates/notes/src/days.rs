//! The notes of today, and the notes of the last seven days including today.

use chrono::{DateTime, Days, NaiveDate, TimeZone};
use serde::Serialize;

use crate::history::Sessions;
use crate::listing::{Filter, Listing};
use crate::note::Note;
use crate::survey::Survey;

/// The number of days before today that count as recent.
const BEFORE: u64 = 6;

/// The notes of a day. The JSON form is the content of `note://today`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Day {
    /// The day, in the local time zone.
    pub date: NaiveDate,
    /// The notes of the day, newest first.
    pub notes: Vec<Note>,
}

/// The recent days. The JSON form is the content of `note://recent`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recent {
    /// Today and the six days before today, newest first. Days without notes are left out.
    pub days: Vec<Day>,
}

/// Returns the notes of the local day of `now`.
pub fn today<Z: TimeZone>(survey: &Survey, sessions: &Sessions, now: &DateTime<Z>) -> Day {
    let date = now.date_naive();
    Day { date, notes: notes_between(survey, sessions, now, date) }
}

/// Returns the notes of the local day of `now` and of the six days before that day.
pub fn recent<Z: TimeZone>(survey: &Survey, sessions: &Sessions, now: &DateTime<Z>) -> Recent {
    let today = now.date_naive();
    let first = today.checked_sub_days(Days::new(BEFORE)).unwrap_or(NaiveDate::MIN);
    let mut days: Vec<Day> = Vec::new();
    for note in notes_between(survey, sessions, now, first) {
        let date = note.day;
        match days.last_mut().filter(|day| day.date == date) {
            Some(day) => day.notes.push(note),
            None => days.push(Day { date, notes: vec![note] }),
        }
    }
    Recent { days }
}

fn notes_between<Z: TimeZone>(survey: &Survey, sessions: &Sessions, now: &DateTime<Z>, first: NaiveDate) -> Vec<Note> {
    let filter = Filter { from: Some(first), to: Some(now.date_naive()), ..Filter::default() };
    Listing::collect(survey, &filter, usize::MAX, sessions, &now.timezone())
        .map(|listing| listing.notes)
        .unwrap_or_default()
}
