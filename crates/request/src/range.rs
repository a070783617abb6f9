//! Ranges of local time. This module parses the text of all ranges. Every [`DateRange`] is valid.

use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta, Timelike};

use super::{Error, codes};
use dayledger_core::local_days::LocalDays;
use dayledger_engine::{Arguments, ExpectedInput, Span, local_now, local_today};

/// A non-empty range of local time in whole seconds, start inclusive, end exclusive (docs/spec/time.md#ranges).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    start: NaiveDateTime,
    end: NaiveDateTime,
}

/// A range to compare with the range of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComparedRange {
    /// The range to compare. If `part` is [`ComparedPart::SoFar`], this range is already shortened.
    pub range: DateRange,
    /// How much of the range is compared, and why.
    pub part: ComparedPart,
}

/// How much of a range is compared with another range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedPart {
    /// The whole range. The current time is in neither of the two ranges.
    Whole,
    /// Only the start of the range. The other range is still running, so only the time that has already passed is
    /// compared.
    SoFar,
    /// The whole range, although one of the two ranges is still running. There are two cases: this range is still
    /// running, or the other range is still running and has a different length.
    WholeWithUnfinished,
}

impl ComparedRange {
    /// Checks that the range is at most `max_days` days long.
    ///
    /// # Errors
    /// Fails with `RANGE_TOO_LONG` for the parameter `field` if the range is longer.
    pub fn check_max_days(self, max_days: i64, field: &str) -> Result<Self, Error> {
        Ok(Self { range: self.range.check_max_days(max_days, field)?, ..self })
    }
}

impl DateRange {
    /// Parses a range with an exclusive end, as tools and SQL expect. See [`DateRange::read`].
    ///
    /// # Errors
    /// Fails like [`DateRange::read`].
    pub fn parse<'end>(start: &str, end: impl Into<Option<&'end str>>, fields: (&str, &str)) -> Result<Self, Error> {
        Self::read(start, end.into(), fields, local_today())
    }

    /// Parses a range with an inclusive end, as commands expect. The range ends at the end of the day, week, month or
    /// other period in `end`. If `end` has a time of day, the range ends at that time.
    ///
    /// # Errors
    /// Fails like [`DateRange::read`].
    pub fn parse_inclusive<'end>(
        start: &str,
        end: impl Into<Option<&'end str>>,
        fields: (&str, &str),
    ) -> Result<Self, Error> {
        Self::read_inclusive(start, end.into(), fields, local_today())
    }

    fn read_inclusive(start: &str, end: Option<&str>, fields: (&str, &str), today: NaiveDate) -> Result<Self, Error> {
        let Some(end) = end else { return Self::read(start, None, fields, today) };
        let first = parse_span(start, fields.0, today)?;
        let last = parse_span_end(end, fields.1, first, today)?;
        Self::new(first.start, last.end.unwrap_or(last.start), fields.1).map_err(|_| {
            Error::with_field(
                codes::INVALID_RANGE,
                fields.1,
                format!("invalid range: the end `{}` is not after the start `{}`", shorten(end), shorten(start)),
                "pass a later end (an end date includes that day)",
            )
        })
    }

    /// Parses a range. Each text is a period or a time (docs/commands.md#dates). Examples of periods are `2025-01-15`,
    /// `last week` and `2025-01`. An example of a time is `2025-01-15T09:30`. The range begins when `start` begins, and
    /// ends when `end` begins. If `end` is `None`, the range ends when `start` ends. `fields` are the names of the
    /// parameters for errors.
    ///
    /// # Errors
    /// Fails with `INVALID_DATE` if a text is neither a period nor a time, or if its day does not exist. Fails with
    /// `INVALID_RANGE` if the end is not after the start, or if `start` is a time and there is no `end`.
    pub fn read(start: &str, end: Option<&str>, fields: (&str, &str), today: NaiveDate) -> Result<Self, Error> {
        let first = parse_span(start, fields.0, today)?;
        let end = match end {
            Some(end) => parse_span_end(end, fields.1, first, today)?.start,
            None => first.end.ok_or_else(|| {
                Error::with_field(
                    codes::INVALID_RANGE,
                    fields.1,
                    format!("invalid range: the time `{}` needs an end", format_iso(first.start)),
                    format!("pass `{}`, or a date, week, month or year as `{}`", fields.1, fields.0),
                )
            })?,
        };
        Self::new(first.start, end, fields.1)
    }

    /// Creates a range between two local times. Fractions of a second are dropped.
    ///
    /// # Errors
    /// Fails with `INVALID_RANGE` for the parameter `end_field` if `end` is not after `start`.
    pub fn new(start: NaiveDateTime, end: NaiveDateTime, end_field: &str) -> Result<Self, Error> {
        let whole = |instant: NaiveDateTime| instant.with_nanosecond(0).unwrap_or(instant);
        let (start, end) = (whole(start), whole(end));
        if end <= start {
            return Err(Error::with_field(
                codes::INVALID_RANGE,
                end_field,
                format!("invalid range: the end `{}` is not after the start `{}`", format_iso(end), format_iso(start)),
                "for one day, pass the next day as the end, because the end is exclusive",
            ));
        }
        Ok(Self { start, end })
    }

    /// Returns the whole local day `date`.
    pub fn day(date: NaiveDate) -> Self {
        let days = LocalDays::current();
        Self { start: days.start_of(date), end: days.end_of(date) }
    }

    /// Returns the local day in which the range starts.
    pub fn first_day(&self) -> NaiveDate {
        LocalDays::current().day_of(self.start)
    }

    /// Returns the local day that contains the last second of the range.
    pub fn last_day(&self) -> NaiveDate {
        LocalDays::current().day_of(self.end - TimeDelta::seconds(1))
    }

    /// Whether the range starts and ends at the start of a day.
    pub fn is_whole_days(&self) -> bool {
        let days = LocalDays::current();
        days.is_day_start(self.start) && days.is_day_start(self.end)
    }

    /// Returns the range to compare with this range. `text` is a range or the word `previous`. The previous range has
    /// the same length as this range, and ends when this range starts. `field` is the name of the parameter for errors.
    ///
    /// If this range is still running and both ranges have the same length, only the time until now is compared. For
    /// example, on Thursday at 15:20, this week is compared with last week from Monday to Thursday at 15:20.
    ///
    /// # Errors
    /// Fails like [`DateRange::read`].
    pub fn comparison_range(&self, text: &str, field: &str) -> Result<ComparedRange, Error> {
        self.comparison_range_at(text, field, local_now())
    }

    fn comparison_range_at(&self, text: &str, field: &str, now: NaiveDateTime) -> Result<ComparedRange, Error> {
        let range = if text.trim().eq_ignore_ascii_case("previous") {
            let start = self.start.checked_sub_signed(self.end - self.start).unwrap_or(NaiveDateTime::MIN);
            Self::new(start, self.start, field)?
        } else {
            Self::read(text, None, (field, field), LocalDays::current().day_of(now))?
        };
        let now = now.with_nanosecond(0).and_then(|now| now.with_second(0)).unwrap_or(now);
        let is_running = |period: &Self| period.start < now && now < period.end;
        if !is_running(self) {
            let part = if is_running(&range) { ComparedPart::WholeWithUnfinished } else { ComparedPart::Whole };
            return Ok(ComparedRange { range, part });
        }
        if !self.is_as_long_as(&range) {
            return Ok(ComparedRange { range, part: ComparedPart::WholeWithUnfinished });
        }
        let end = range.start.checked_add_signed(now - self.start).map_or(range.end, |end| end.min(range.end));
        Ok(ComparedRange { range: Self { end, ..range }, part: ComparedPart::SoFar })
    }

    /// Returns whether both ranges have the same length. The length is a duration or a number of whole calendar months.
    fn is_as_long_as(&self, other: &Self) -> bool {
        let months = |range: &Self| {
            let days = LocalDays::current();
            let month = |edge: NaiveDateTime| {
                let day = days.day_of(edge);
                let is_first = day.day() == 1 && days.is_day_start(edge);
                is_first.then(|| day.year() * 12 + day.month0().cast_signed())
            };
            Some(month(range.end)? - month(range.start)?)
        };
        self.end - self.start == other.end - other.start || months(self).is_some_and(|own| months(other) == Some(own))
    }

    /// Checks that the range is at most `max_days` days long.
    ///
    /// # Errors
    /// Fails with `RANGE_TOO_LONG` for the parameter `end_field` if the range is longer.
    pub fn check_max_days(self, max_days: i64, end_field: &str) -> Result<Self, Error> {
        if self.end - self.start > TimeDelta::days(max_days) {
            return Err(Error::with_field(
                codes::RANGE_TOO_LONG,
                end_field,
                format!("the range is too long: it covers more than {max_days} days"),
                format!("use at most {max_days} days at a time"),
            ));
        }
        Ok(self)
    }

    /// Checks that the range starts and ends at the start of a day.
    ///
    /// # Errors
    /// Fails with `INVALID_RANGE` for the start or the end if it is not the start of a day. `fields` are the names of
    /// their parameters.
    pub fn check_whole_days(self, fields: (&str, &str)) -> Result<Self, Error> {
        for (instant, field) in [(self.start, fields.0), (self.end, fields.1)] {
            if !LocalDays::current().is_day_start(instant) {
                return Err(Error::with_field(
                    codes::INVALID_RANGE,
                    field,
                    format!(
                        "invalid range: `{}` is within a day, but only whole days are available",
                        format_iso(instant)
                    ),
                    "use dates such as `2025-01-15`",
                ));
            }
        }
        Ok(self)
    }

    /// Returns the local start, inclusive.
    pub fn start(&self) -> NaiveDateTime {
        self.start
    }

    /// Returns the local end, exclusive.
    pub fn end(&self) -> NaiveDateTime {
        self.end
    }

    /// Returns whether the range starts and ends on whole hours, so that hourly totals fit it exactly.
    pub fn is_on_whole_hours(&self) -> bool {
        [self.start, self.end].iter().all(|edge| (edge.minute(), edge.second()) == (0, 0))
    }

    /// Returns the statement arguments `start` and `end`.
    pub fn arguments(&self) -> Arguments {
        Arguments::from_range(self.start, self.end)
    }

    /// Returns the start as responses show it: a date if the start is the start of a day, otherwise a date-time.
    pub fn start_text(&self) -> String {
        format_edge(self.start)
    }

    /// Returns the end as responses show it: a date if the end is the start of a day, otherwise a date-time.
    pub fn end_text(&self) -> String {
        format_edge(self.end)
    }
}

fn format_edge(instant: NaiveDateTime) -> String {
    let days = LocalDays::current();
    if days.is_day_start(instant) { days.day_of(instant).to_string() } else { format_iso(instant) }
}

/// Formats a local time as responses show it: ISO 8601 without an offset (docs/spec/time.md#times-and-minutes).
pub fn format_iso(instant: NaiveDateTime) -> String {
    instant.format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Parses one local day, such as `2025-01-15`, `yesterday` or `Nov 25`.
///
/// # Errors
/// Fails with `INVALID_DATE` for the parameter `field` if the text is not one day.
pub fn parse_date(text: &str, field: &str) -> Result<NaiveDate, Error> {
    let today = local_today();
    let refused = |message| Error::with_field(codes::INVALID_DATE, field, message, ExpectedInput::Day.hint());
    let span = Span::parse(text, today).ok_or_else(|| refused(ExpectedInput::Day.error_message(text, today)))?;
    span.day().ok_or_else(|| refused(format!("invalid date: `{}` is not one day", shorten(text))))
}

/// Parses a local time. For a date or another period, such as `last week`, returns the start of the period.
///
/// # Errors
/// Fails with `INVALID_DATE` for the parameter `field` if the text is not a date, a time or a period.
pub fn parse_moment(text: &str, field: &str) -> Result<NaiveDateTime, Error> {
    Ok(parse_span(text, field, local_today())?.start)
}

fn parse_span(text: &str, field: &str, today: NaiveDate) -> Result<Span, Error> {
    Span::parse(text, today).ok_or_else(|| unreadable_error(text, field, today))
}

fn parse_span_end(text: &str, field: &str, first: Span, today: NaiveDate) -> Result<Span, Error> {
    Span::parse_end(text, first, today).ok_or_else(|| unreadable_error(text, field, today))
}

fn unreadable_error(text: &str, field: &str, today: NaiveDate) -> Error {
    Error::with_field(
        codes::INVALID_DATE,
        field,
        ExpectedInput::Span.error_message(text, today),
        ExpectedInput::Span.hint(),
    )
}

fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: &str, end: Option<&str>) -> Result<[String; 2], Error> {
        let wednesday = NaiveDate::from_ymd_opt(2025, 1, 15).unwrap();
        let range = DateRange::read(start, end, ("startDate", "endDate"), wednesday)?;
        Ok([range.start_text(), range.end_text()])
    }

    #[test]
    fn a_range_without_an_end_is_the_whole_period() {
        assert_eq!(range("2025-W03", None), Ok(["2025-01-13", "2025-01-20"].map(str::to_owned)));
        assert_eq!(range("2025-01-15", None), Ok(["2025-01-15", "2025-01-16"].map(str::to_owned)));
        let alone = range("2025-01-15T09:30", None).unwrap_err();
        assert_eq!((alone.code, alone.field.as_deref()), (codes::INVALID_RANGE, Some("endDate")));
    }

    #[test]
    fn an_exclusive_end_is_the_start_of_its_period() {
        assert_eq!(range("2025-01", Some("2025-02")), Ok(["2025-01-01", "2025-02-01"].map(str::to_owned)));
        assert_eq!(range("last 7 days", Some("today")), Ok(["2025-01-08", "2025-01-15"].map(str::to_owned)));
        assert_eq!(
            range("this week", Some("2025-01-15T12:00")),
            Ok(["2025-01-13", "2025-01-15T12:00:00"].map(str::to_owned))
        );
        assert_eq!(range("today", Some("this week")).unwrap_err().code, codes::INVALID_RANGE);
    }

    fn inclusive(start: &str, end: &str) -> Result<[String; 2], Error> {
        let wednesday = NaiveDate::from_ymd_opt(2025, 1, 15).unwrap();
        let range = DateRange::read_inclusive(start, Some(end), ("--from", "--to"), wednesday)?;
        Ok([range.start_text(), range.end_text()])
    }

    /// `report --from 2025-01-13 --to 2025-01-19` once left out Sunday, 19 January.
    #[test]
    fn an_inclusive_end_is_the_end_of_its_period() {
        for (start, end, range) in [
            ("2025-01-13", "2025-01-19", ["2025-01-13", "2025-01-20"]),
            ("2025-01-13", "2025-01-13", ["2025-01-13", "2025-01-14"]),
            ("2024-12-01", "last week", ["2024-12-01", "2025-01-13"]),
            ("2024-11", "2024-12", ["2024-11-01", "2025-01-01"]),
            ("monday", "today", ["2025-01-13", "2025-01-16"]),
            ("2025-01-13", "2025-01-15T12:00", ["2025-01-13", "2025-01-15T12:00:00"]),
            ("2025-01-13", "2025-01-15 00:00", ["2025-01-13", "2025-01-15"]),
            ("yesterday 14:00", "16:00", ["2025-01-14T14:00:00", "2025-01-14T16:00:00"]),
            // The end was once parsed as a time on the current day.
            ("yesterday 00:00", "16:00", ["2025-01-14", "2025-01-14T16:00:00"]),
        ] {
            assert_eq!(inclusive(start, end), Ok(range.map(str::to_owned)), "{start} to {end}");
        }
        for (start, end) in [("2025-01-13", "2025-01-12"), ("10:00", "10:00"), ("today", "2025-01-15 00:00")] {
            let error = inclusive(start, end).unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), (codes::INVALID_RANGE, Some("--to")), "{start} to {end}");
            assert_eq!(error.message, format!("invalid range: the end `{end}` is not after the start `{start}`"));
        }
    }

    fn compare(range: [&str; 2], text: &str, now: &str) -> (String, ComparedPart) {
        let range = DateRange::parse(range[0], range[1], ("", "")).unwrap();
        let other = range.comparison_range_at(text, "compareTo", now.parse().unwrap()).unwrap();
        (format!("{} {}", other.range.start_text(), other.range.end_text()), other.part)
    }

    /// On a Thursday, `this week --compare previous` used to report a large loss, because it compared four days with
    /// the whole previous week.
    #[test]
    fn running_range_is_compared_with_the_same_part_of_the_other_one() {
        let (week, thursday) = (["2026-11-23", "2026-11-30"], "2026-11-26T15:20:41");
        let so_far = ("2026-11-16 2026-11-19T15:20:00".to_owned(), ComparedPart::SoFar);
        for text in ["previous", "Previous ", "last week", "2026-W47"] {
            assert_eq!(compare(week, text, thursday), so_far, "{text}");
        }
        let day = ["2026-11-26", "2026-11-27"];
        assert_eq!(compare(day, "yesterday", thursday).0, "2026-11-25 2026-11-25T15:20:00");
    }

    #[test]
    fn months_of_different_lengths_are_compared_from_their_first_day() {
        let march = ["2026-03-01", "2026-04-01"];
        let (range, part) = compare(march, "2026-02", "2026-03-10T12:00:00");
        assert_eq!((range.as_str(), part), ("2026-02-01 2026-02-10T12:00:00", ComparedPart::SoFar));
        let (range, _) = compare(march, "2026-02", "2026-03-30T12:00:00");
        assert_eq!(range, "2026-02-01 2026-03-01", "the compared part ends with its month");
    }

    #[test]
    fn a_range_of_another_length_is_compared_whole_and_marked() {
        let (week, thursday) = (["2026-11-23", "2026-11-30"], "2026-11-26T15:20:41");
        let whole = ("2026-10-01 2026-11-01".to_owned(), ComparedPart::WholeWithUnfinished);
        assert_eq!(compare(week, "last month", thursday), whole);
    }

    /// `last week --compare "this week"` used to compare seven days with four days, and the response didn't mention
    /// this.
    #[test]
    fn comparison_with_a_running_range_is_marked() {
        let whole = ("2026-11-23 2026-11-30".to_owned(), ComparedPart::WholeWithUnfinished);
        assert_eq!(compare(["2026-11-16", "2026-11-23"], "2026-W48", "2026-11-26T15:20:41"), whole);
    }

    #[test]
    fn finished_and_future_ranges_are_compared_whole() {
        let week = ["2026-11-16", "2026-11-23"];
        for now in ["2026-11-23T00:00:00", "2026-11-26T15:20:41", "2026-11-16T00:00:30", "2026-11-08T12:00:00"] {
            let whole = ("2026-11-09 2026-11-16".to_owned(), ComparedPart::Whole);
            assert_eq!(compare(week, "previous", now), whole, "{now}");
        }
    }

    #[test]
    fn an_error_about_a_single_day_suggests_only_days() {
        for text in ["nope", "2025-02-30", "last week", "2025-01-15T09:30"] {
            let error = parse_date(text, "date").unwrap_err();
            assert_eq!((error.code, error.field.as_deref()), (codes::INVALID_DATE, Some("date")));
            let proposed: Vec<_> = error.hint.split('`').skip(1).step_by(2).collect();
            assert!(proposed.len() > 1, "{}", error.hint);
            for day in proposed {
                assert!(parse_date(day, "date").is_ok(), "{day} is suggested but invalid");
            }
        }
    }

    #[test]
    fn an_error_shows_examples_and_links_to_all_forms() {
        let error = range("today", Some("next week")).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (codes::INVALID_DATE, Some("endDate")));
        assert_eq!(error.message, "invalid date `next week`");
        assert!(error.hint.contains("docs/commands.md#dates"), "{}", error.hint);
    }
}
