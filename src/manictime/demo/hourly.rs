//! Seconds by local hour, as ManicTime's `Ar_*ByDay` and `Ar_*ByYear` tables hold them.
//!
//! **Owns** the sums that are not written yet. An activity is split at local hours by the offset of its start
//! (semantics, section 1). What has been written is forgotten, so memory stays flat over years.

use std::collections::BTreeMap;

use chrono::Datelike;
use rusqlite::{Connection, params};

use super::clock::{DAY, HOUR, Span, date_of, stamp};

/// What an hourly table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Usage {
    Application,
    WebSite,
    Document,
    TagList,
    Computer,
}

impl Usage {
    const ALL: [Self; 5] = [Self::Application, Self::WebSite, Self::Document, Self::TagList, Self::Computer];

    const fn table(self) -> &'static str {
        match self {
            Self::Application => "Ar_Application",
            Self::WebSite => "Ar_WebSite",
            Self::Document => "Ar_Document",
            Self::TagList => "Ar_TagList",
            Self::Computer => "Ar_ComputerUsage",
        }
    }
}

/// Adds to a row that is there: a power-off row that ends days later reaches back into written hours.
fn insert_by_day(usage: Usage) -> String {
    format!(
        "INSERT INTO {}ByDay VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET TotalSeconds = TotalSeconds + excluded.TotalSeconds",
        usage.table()
    )
}

fn insert_by_year(usage: Usage) -> String {
    format!(
        "INSERT INTO {}ByYear VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET TotalSeconds = TotalSeconds + excluded.TotalSeconds",
        usage.table()
    )
}

/// A row of an `Ar_*ByDay` table: hours are counted from 1970 on the local clock, and come first so that what is due is
/// at the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DayKey {
    hour: i64,
    usage: Usage,
    report: i64,
    common: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct YearKey {
    report: i64,
    year: i32,
    hour_of_day: i64,
    weekday: u32,
    common: i64,
}

/// The seconds of activities by hour that no hourly table holds yet.
#[derive(Debug, Default)]
pub(super) struct HourlyTotals {
    pending: BTreeMap<DayKey, i64>,
}

impl HourlyTotals {
    pub(super) fn add(&mut self, usage: Usage, report: i64, common: i64, span: Span) {
        for (hour, seconds) in hours(span) {
            *self.pending.entry(DayKey { hour, usage, report, common }).or_default() += seconds;
        }
    }

    /// Writes all hours before a local hour (counted from 1970) and forgets them; `None` writes everything.
    pub(super) fn write_before(&mut self, conn: &Connection, hour: Option<i64>) -> rusqlite::Result<()> {
        let later = hour.map_or_else(BTreeMap::new, |hour| {
            self.pending.split_off(&DayKey { hour, usage: Usage::Application, report: i64::MIN, common: i64::MIN })
        });
        let due = std::mem::replace(&mut self.pending, later);
        for usage in Usage::ALL {
            let mut years = BTreeMap::<YearKey, i64>::new();
            let mut by_day = conn.prepare(&insert_by_day(usage))?;
            for (key, seconds) in due.iter().filter(|(key, _)| key.usage == usage) {
                by_day.execute(params![key.report, stamp(key.hour * HOUR), key.common, seconds])?;
                let date = date_of((key.hour * HOUR).div_euclid(DAY));
                let year_key = YearKey {
                    report: key.report,
                    year: date.year(),
                    hour_of_day: key.hour.rem_euclid(24),
                    weekday: date.weekday().num_days_from_sunday(),
                    common: key.common,
                };
                *years.entry(year_key).or_default() += seconds;
            }
            let mut by_year = conn.prepare(&insert_by_year(usage))?;
            for (key, seconds) in years {
                let hour = format!("{:04}-01-01 {:02}:00:00", key.year, key.hour_of_day);
                by_year.execute(params![key.report, hour, key.weekday, key.common, seconds])?;
            }
        }
        Ok(())
    }
}

/// Returns the local hours (counted from 1970) that a span touches, with the seconds in each.
pub(super) fn hours(span: Span) -> impl Iterator<Item = (i64, i64)> {
    let start = span.start.local_seconds();
    let end = start + span.seconds();
    let mut at = start;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let hour = at.div_euclid(HOUR);
            let next = end.min((hour + 1) * HOUR);
            let seconds = next - at;
            at = next;
            (hour, seconds)
        })
    })
}
