//! What a request is made of: text becomes a typed value here, once, and cannot be wrong afterwards.

use std::time::Duration;

use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use super::span::{self, Span};
use crate::engine::{Arguments, local_now};

/// Why a request was refused. Bad input costs the caller this error and nobody any data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RequestError {
    /// What kind of mistake it is; part of the contract.
    pub code: RequestErrorCode,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// The parameter, as the caller named it.
    pub field: Option<String>,
    /// Values that would have been accepted, where there are few.
    pub allowed: Vec<String>,
}

/// Kinds of mistakes in a request (semantics, section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestErrorCode {
    /// Text that names no date, local date-time or range of dates, or one that does not exist.
    InvalidDate,
    /// A range that is empty, ends before it starts, or has no end.
    InvalidRange,
    /// A range longer than the question allows.
    RangeTooLong,
    /// A number below its minimum, or none.
    InvalidNumber,
    /// A timeline id that the history does not hold.
    UnknownTimeline,
    /// A device that the history does not hold.
    UnknownDevice,
    /// A name that no table and no function of the model has.
    UnknownName,
    /// A cursor that no answer gave, or one of another question.
    InvalidCursor,
    /// A screenshot's reference that no answer gave.
    InvalidReference,
    /// A part of a picture that has no extent, or bounds that are no numbers.
    InvalidRegion,
}

impl RequestError {
    /// A mistake in the parameter `field`.
    pub fn new(
        code: RequestErrorCode,
        field: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { code, message: message.into(), hint: hint.into(), field: Some(field.into()), allowed: Vec::new() }
    }

    /// Adds the values that would have been accepted.
    #[must_use]
    pub fn with_allowed(mut self, allowed: impl IntoIterator<Item = String>) -> Self {
        self.allowed = allowed.into_iter().collect();
        self
    }
}

/// A non-empty range of local time in whole seconds, start inclusive, end exclusive (semantics, section 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    start: NaiveDateTime,
    end: NaiveDateTime,
}

impl DateRange {
    /// Reads both ends by the local clock; see [`DateRange::read`].
    ///
    /// # Errors
    /// Those of [`DateRange::read`].
    pub fn parse<'end>(
        start: &str,
        end: impl Into<Option<&'end str>>,
        fields: (&str, &str),
    ) -> Result<Self, RequestError> {
        Self::read(start, end.into(), fields, local_now().date())
    }

    /// Reads a range. Each text names a stretch of local time: a date (`2025-01-15`), `today`, `yesterday`, `this week`,
    /// `last week`, `this month`, `last month`, `last 7 days` (whole days before `today`), an ISO week (`2025-W03`), a
    /// month (`2025-01`) or a year (`2025`); or an instant, a local date-time (`2025-01-15T09:30` with optional seconds; a
    /// space instead of `T` will do). The range begins where `start` begins, and ends where `end` begins; without an
    /// `end`, where `start` ends. `fields` are the parameters' names for errors.
    ///
    /// # Errors
    /// `InvalidDate` for text that names neither or does not exist, `InvalidRange` when the end is not after the start,
    /// or is absent for an instant.
    pub fn read(start: &str, end: Option<&str>, fields: (&str, &str), today: NaiveDate) -> Result<Self, RequestError> {
        let first = named(start, fields.0, today)?;
        let end = match end {
            Some(end) => named(end, fields.1, today)?.start,
            None => first.end.ok_or_else(|| {
                RequestError::new(
                    RequestErrorCode::InvalidRange,
                    fields.1,
                    format!("`{}` is an instant, which needs an end", iso(first.start)),
                    format!("pass `{}`, or a date, week, month or year as `{}`", fields.1, fields.0),
                )
            })?,
        };
        Self::new(first.start, end, fields.1)
    }

    /// A range between two local instants, fractions of seconds dropped.
    ///
    /// # Errors
    /// `InvalidRange` when `end` is not after `start`; `end_field` is the parameter that it names.
    pub fn new(start: NaiveDateTime, end: NaiveDateTime, end_field: &str) -> Result<Self, RequestError> {
        let whole = |instant: NaiveDateTime| instant.with_nanosecond(0).unwrap_or(instant);
        let (start, end) = (whole(start), whole(end));
        if end <= start {
            return Err(RequestError::new(
                RequestErrorCode::InvalidRange,
                end_field,
                format!("the range ends at `{}`, which is not after its start `{}`", iso(end), iso(start)),
                "the end is exclusive: for one day, pass the next day as the end",
            ));
        }
        Ok(Self { start, end })
    }

    /// The whole local day `date`.
    pub fn day(date: NaiveDate) -> Self {
        let start = date.and_time(NaiveTime::MIN);
        let end = date.checked_add_days(Days::new(1)).map_or(NaiveDateTime::MAX, |next| next.and_time(NaiveTime::MIN));
        Self { start, end }
    }

    /// Refuses a range that touches more than `max_days` local days' worth of time.
    ///
    /// # Errors
    /// `RangeTooLong`, naming `end_field`.
    pub fn at_most_days(self, max_days: i64, end_field: &str) -> Result<Self, RequestError> {
        if self.end - self.start > chrono::TimeDelta::days(max_days) {
            return Err(RequestError::new(
                RequestErrorCode::RangeTooLong,
                end_field,
                format!("the range covers more than {max_days} days"),
                format!("ask for at most {max_days} days at a time"),
            ));
        }
        Ok(self)
    }

    /// Refuses a range that begins or ends within a day.
    ///
    /// # Errors
    /// `InvalidRange`, naming `fields`: those of the start and of the end.
    pub fn of_whole_days(self, fields: (&str, &str)) -> Result<Self, RequestError> {
        for (instant, field) in [(self.start, fields.0), (self.end, fields.1)] {
            if instant.time() != NaiveTime::MIN {
                return Err(RequestError::new(
                    RequestErrorCode::InvalidRange,
                    field,
                    format!("`{}` is within a day, and only whole days can be asked for", iso(instant)),
                    "use dates such as `2025-01-15`",
                ));
            }
        }
        Ok(self)
    }

    /// Local start, inclusive.
    pub fn start(&self) -> NaiveDateTime {
        self.start
    }

    /// Local end, exclusive.
    pub fn end(&self) -> NaiveDateTime {
        self.end
    }

    /// Whether it begins and ends at whole hours, for which alone hourly totals can answer.
    pub(super) fn is_on_whole_hours(&self) -> bool {
        [self.start, self.end].iter().all(|edge| (edge.minute(), edge.second()) == (0, 0))
    }

    /// The statement arguments `start` and `end`.
    pub(crate) fn arguments(&self) -> Arguments {
        Arguments::range(self.start, self.end)
    }

    /// Start as an answer echoes it: the date where it is midnight, else the date-time.
    pub fn start_text(&self) -> String {
        edge(self.start)
    }

    /// End as an answer echoes it.
    pub fn end_text(&self) -> String {
        edge(self.end)
    }
}

fn edge(instant: NaiveDateTime) -> String {
    if instant.time() == NaiveTime::MIN { instant.date().to_string() } else { iso(instant) }
}

/// A local instant as answers write it: ISO 8601 without offset (semantics, section 1).
pub(crate) fn iso(instant: NaiveDateTime) -> String {
    instant.format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Reads what names one local day: `2025-01-15`, `today`, `yesterday`, `last 1 day`.
///
/// # Errors
/// `InvalidDate`, naming `field`.
pub fn parse_date(text: &str, field: &str) -> Result<NaiveDate, RequestError> {
    let span = named(text, field, local_now().date())?;
    let date = span.start.date();
    if span.end == Some(DateRange::day(date).end) {
        return Ok(date);
    }
    Err(RequestError::new(
        RequestErrorCode::InvalidDate,
        field,
        format!("`{}` is not one day", text.chars().take(40).collect::<String>()),
        "use a date such as `2025-01-15`, `today` or `yesterday`",
    ))
}

/// Reads a local moment: a date-time, or where a date or another span of days begins.
///
/// # Errors
/// `InvalidDate`, naming `field`.
pub fn parse_moment(text: &str, field: &str) -> Result<NaiveDateTime, RequestError> {
    Ok(named(text, field, local_now().date())?.start)
}

fn named(text: &str, field: &str, today: NaiveDate) -> Result<Span, RequestError> {
    span::read(text, today).map_err(|error| {
        RequestError::new(RequestErrorCode::InvalidDate, field, error.to_string(), format!("use {}", span::FORMS))
    })
}

/// How many rows an answer returns: at least 1, clamped to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit<const DEFAULT: i64, const MAX: i64>(i64);

impl<const DEFAULT: i64, const MAX: i64> Limit<DEFAULT, MAX> {
    /// As many rows as the question allows.
    pub const MAXIMUM: Self = Self(MAX);

    /// Reads the parameter `field`; absent means the default, above the cap means the cap.
    ///
    /// # Errors
    /// `InvalidNumber` below 1.
    pub fn parse(value: Option<i64>, field: &str) -> Result<Self, RequestError> {
        let value = value.unwrap_or(DEFAULT);
        if value < 1 {
            return Err(RequestError::new(
                RequestErrorCode::InvalidNumber,
                field,
                format!("`{field}` is {value}, the least is 1"),
                format!("pass 1 to {MAX}, or leave it out for {DEFAULT}"),
            ));
        }
        Ok(Self(value.min(MAX)))
    }

    /// The number of rows.
    pub fn get(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<const DEFAULT: i64, const MAX: i64> Default for Limit<DEFAULT, MAX> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

/// A length of time that a caller gives in minutes, kept in exact seconds; at least 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minutes(f64);

impl Minutes {
    /// Reads the parameter `field`, with `default` when it is absent.
    ///
    /// # Errors
    /// `InvalidNumber` below 0, for infinities and for what is no number.
    pub fn parse(value: Option<f64>, default: f64, field: &str) -> Result<Self, RequestError> {
        let value = value.unwrap_or(default);
        if !value.is_finite() || value < 0.0 {
            return Err(RequestError::new(
                RequestErrorCode::InvalidNumber,
                field,
                format!("`{field}` is {value}, the least is 0"),
                format!("pass minutes from 0, or leave it out for {default}"),
            ));
        }
        Ok(Self(value))
    }

    /// The length in minutes.
    pub fn get(self) -> f64 {
        self.0
    }

    /// The length in seconds.
    pub fn seconds(self) -> f64 {
        self.0 * 60.0
    }

    /// The length; what no duration can hold is the longest.
    pub fn duration(self) -> Duration {
        Duration::try_from_secs_f64(self.seconds()).unwrap_or(Duration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: &str, end: Option<&str>) -> Result<[String; 2], RequestError> {
        let wednesday = NaiveDate::from_ymd_opt(2025, 1, 15).unwrap();
        let range = DateRange::read(start, end, ("startDate", "endDate"), wednesday)?;
        Ok([range.start_text(), range.end_text()])
    }

    #[test]
    fn a_start_alone_is_its_whole_span() {
        assert_eq!(range("2025-W03", None), Ok(["2025-01-13", "2025-01-20"].map(str::to_owned)));
        assert_eq!(range("2025-01-15", None), Ok(["2025-01-15", "2025-01-16"].map(str::to_owned)));
        let alone = range("2025-01-15T09:30", None).unwrap_err();
        assert_eq!((alone.code, alone.field.as_deref()), (RequestErrorCode::InvalidRange, Some("endDate")));
    }

    #[test]
    fn an_end_is_where_its_span_begins() {
        assert_eq!(range("2025-01", Some("2025-02")), Ok(["2025-01-01", "2025-02-01"].map(str::to_owned)));
        assert_eq!(range("last 7 days", Some("today")), Ok(["2025-01-08", "2025-01-15"].map(str::to_owned)));
        assert_eq!(
            range("this week", Some("2025-01-15T12:00")),
            Ok(["2025-01-13", "2025-01-15T12:00:00"].map(str::to_owned))
        );
        assert_eq!(range("today", Some("this week")).unwrap_err().code, RequestErrorCode::InvalidRange);
    }

    #[test]
    fn an_error_lists_the_forms() {
        let error = range("today", Some("next week")).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (RequestErrorCode::InvalidDate, Some("endDate")));
        for form in ["`2025-01-15`", "`last 7 days`", "`2025-W03`", "`this month`"] {
            assert!(error.hint.contains(form), "{}", error.hint);
        }
    }
}
