//! Computes the numbers that responses must contain. Uses simple loops over the rows in memory.

use std::collections::BTreeMap;
use std::ops::Range;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};
use dayledger::source::Role;

use super::memory::Row;
use super::week;

/// The longest gap that doesn't end a segment, in seconds.
const MAX_GAP: i64 = 120;

/// The rows and the range of a request, from which expected numbers are computed.
pub(super) struct Expected {
    rows: Vec<Row>,
    range: Range<i64>,
    /// The start and end of the range as text.
    pub(super) texts: (&'static str, &'static str),
}

/// A part of a row: the row, and a span within the row's time.
#[derive(Debug, Clone)]
pub(super) struct Part<'a> {
    pub(super) row: &'a Row,
    pub(super) span: Range<i64>,
}

impl Part<'_> {
    pub(super) fn seconds(&self) -> i64 {
        self.span.end - self.span.start
    }
}

impl Expected {
    /// Returns the week in memory with a range.
    pub(super) fn new(texts: (&'static str, &'static str)) -> Self {
        Self::from_rows(week::rows(), texts)
    }

    /// Returns these rows with a range.
    pub(super) fn from_rows(rows: Vec<Row>, texts: (&'static str, &'static str)) -> Self {
        Self { rows, range: instant(texts.0)..instant(texts.1), texts }
    }

    /// Returns the rows of a role in order of time, clipped to the range.
    pub(super) fn recorded_parts(&self, role: Role) -> Vec<Part<'_>> {
        let rows = self.rows.iter().filter(|row| row.role == role);
        let clipped = rows.filter_map(|row| Some(Part { row, span: overlap(&row.span, &self.range)? }));
        let mut parts: Vec<_> = clipped.collect();
        parts.sort_by_key(|part| part.span.start);
        parts
    }

    /// Returns the rows of a role in order of time, clipped to the range and to the active use of the computer.
    pub(super) fn active_parts(&self, role: Role) -> Vec<Part<'_>> {
        let mut states = self.recorded_parts(Role::ComputerUsage);
        states.retain(|part| part.row.state() == Some("active"));
        intersect(&self.recorded_parts(role), &states)
    }

    /// Returns the tags, clipped to the active time of applications.
    pub(super) fn tagged_parts(&self) -> Vec<Part<'_>> {
        intersect(&self.recorded_parts(Role::Tags), &self.active_parts(Role::Applications))
    }

    /// Returns the rows of a role that overlap the range. The rows are not clipped.
    pub(super) fn recorded_rows(&self, role: Role) -> Vec<&Row> {
        self.recorded_parts(role).iter().map(|part| part.row).collect()
    }

    /// Returns the parts of each segment. A segment contains parts of one application without a long gap.
    pub(super) fn segments(&self) -> Vec<Vec<Part<'_>>> {
        let mut segments: Vec<Vec<Part<'_>>> = Vec::new();
        for piece in self.active_parts(Role::Applications) {
            let follows =
                |last: &Part<'_>| last.row.key == piece.row.key && piece.span.start - last.span.end <= MAX_GAP;
            match segments.last_mut() {
                Some(segment) if segment.last().is_some_and(follows) => segment.push(piece),
                _ => segments.push(vec![piece]),
            }
        }
        segments
    }

    /// Returns the documents or websites of the activities in a segment, clipped to the segment.
    pub(super) fn contents(&self, role: Role, segment: &[Part<'_>]) -> Vec<Part<'_>> {
        let mut contents = self.recorded_parts(role);
        // A document that isn't linked to a window belongs to every window at the same time.
        let belongs = |window: i64| segment.iter().any(|piece| piece.row.id == window);
        contents.retain(|content| content.row.related.is_none_or(belongs));
        intersect(&contents, segment)
    }
}

fn overlap(one: &Range<i64>, other: &Range<i64>) -> Option<Range<i64>> {
    let both = one.start.max(other.start)..one.end.min(other.end);
    (!both.is_empty()).then_some(both)
}

/// Returns the sections of `parts` that overlap one of `others`.
pub(super) fn intersect<'a>(parts: &[Part<'a>], others: &[Part<'_>]) -> Vec<Part<'a>> {
    let mut both = Vec::new();
    for part in parts {
        for other in others {
            both.extend(overlap(&part.span, &other.span).map(|span| Part { row: part.row, span }));
        }
    }
    both
}

/// Splits parts at multiples of `unit`, such as whole hours or days.
pub(super) fn split<'a>(parts: &[Part<'a>], unit: i64) -> Vec<Part<'a>> {
    let mut pieces = Vec::new();
    for part in parts {
        for number in part.span.start.div_euclid(unit)..=(part.span.end - 1).div_euclid(unit) {
            let within = overlap(&part.span, &(number * unit..(number + 1) * unit));
            pieces.extend(within.map(|span| Part { row: part.row, span }));
        }
    }
    pieces
}

/// Returns the number of seconds of parts within a span.
pub(super) fn seconds_within(parts: &[Part<'_>], span: &Range<i64>) -> i64 {
    parts.iter().filter_map(|part| overlap(&part.span, span)).map(|both| both.end - both.start).sum()
}

pub(super) fn sum(parts: &[Part<'_>]) -> i64 {
    parts.iter().map(Part::seconds).sum()
}

/// Returns the number of seconds for each name. `name` returns the name of a part.
pub(super) fn sum_by(parts: &[Part<'_>], name: impl Fn(&Part<'_>) -> String) -> BTreeMap<String, i64> {
    let mut totals = BTreeMap::new();
    for part in parts {
        *totals.entry(name(part)).or_default() += part.seconds();
    }
    totals
}

/// Returns the number of seconds for the name of each row.
pub(super) fn by_name(parts: &[Part<'_>]) -> BTreeMap<String, i64> {
    sum_by(parts, |part| part.row.name.clone())
}

/// Returns the number of seconds for the first level of each tag.
pub(super) fn by_client(parts: &[Part<'_>]) -> BTreeMap<String, i64> {
    sum_by(parts, |part| part.row.tag_path().unwrap()[0].to_owned())
}

/// Sorts totals by time in descending order, then by name.
pub(super) fn most_first(totals: BTreeMap<String, i64>) -> Vec<(String, i64)> {
    let mut totals: Vec<_> = totals.into_iter().collect();
    totals.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    totals
}

/// Returns the names by time in descending order. If two names have the same time, the one that began first comes
/// first.
pub(super) fn names_by_time(parts: &[Part<'_>], name: impl Fn(&Row) -> &str) -> Vec<String> {
    let mut totals: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for part in parts {
        let total = totals.entry(name(part.row)).or_insert((0, part.span.start));
        *total = (total.0 - part.seconds(), total.1.min(part.span.start));
    }
    let mut names: Vec<_> = totals.into_iter().collect();
    names.sort_by_key(|(_, total)| *total);
    names.into_iter().map(|(name, _)| name.to_owned()).collect()
}

/// Converts seconds to minutes in the same way as responses: rounded half up to a tenth.
pub(super) fn minutes(seconds: i64) -> f64 {
    f64::from(i32::try_from((seconds + 3) / 6).unwrap()) / 10.0
}

/// Formats a time in the format of responses.
pub(super) fn iso(seconds: i64) -> String {
    time(seconds).format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Returns the date of a time.
pub(super) fn date(seconds: i64) -> String {
    time(seconds).date().to_string()
}

pub(super) fn time(seconds: i64) -> NaiveDateTime {
    DateTime::from_timestamp(seconds, 0).unwrap().naive_utc()
}

/// Parses a time of a request or a response. Returns its seconds since 1970.
pub(super) fn instant(text: &str) -> i64 {
    let date = |text: &str| text.parse::<NaiveDate>().map(|date| date.and_time(NaiveTime::MIN));
    text.parse::<NaiveDateTime>().or_else(|_| date(text)).unwrap().and_utc().timestamp()
}
