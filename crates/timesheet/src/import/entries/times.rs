//! Parsing of dates, times and durations in the formats of other trackers.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Utc};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

use super::DateOrder;
use crate::day::Day;

/// The maximum duration that is accepted, in hours. The rules for entries allow only shorter durations.
const MAX_HOURS: i64 = 1_000_000;

/// Returns the three numbers of a date with the year at the end, such as `11/02/2026`.
fn numbers_before_year(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split(['/', '-', '.']);
    let [one, two, year] = [parts.next()?, parts.next()?, parts.next()?];
    let is_number =
        |part: &str, most| (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || !is_number(one, 2) || !is_number(two, 2) || !is_number(year, 4) || year.len() != 4 {
        return None;
    }
    Some([one.parse().ok()?, two.parse().ok()?, year.parse().ok()?])
}

/// Returns the order of day and month, or `None` if the date is ambiguous. A date with dots begins with the day.
/// Otherwise a number above 12 is the day.
pub(super) fn find_order(text: &str) -> Option<DateOrder> {
    let [one, two, _] = numbers_before_year(text)?;
    match (one > 12 || text.contains('.'), two > 12) {
        (true, _) => Some(DateOrder::DayFirst),
        (false, true) => Some(DateOrder::MonthFirst),
        (false, false) => None,
    }
}

/// Whether the date means different days in the two orders.
pub(super) fn is_ambiguous(text: &str) -> bool {
    numbers_before_year(text).is_some_and(|[one, two, _]| one != two) && find_order(text).is_none()
}

/// Parses a date: `2026-11-02`, `2026/11/02`, `02.11.2026`, or `11/02/2026` with the given order.
pub(super) fn parse_date(text: &str, order: Option<DateOrder>) -> Option<Day> {
    let Some([one, two, year]) = numbers_before_year(text) else { return text.replace('/', "-").parse().ok() };
    let is_day_first = text.contains('.') || order == Some(DateOrder::DayFirst);
    let (month, day) = if is_day_first { (two, one) } else { (one, two) };
    let date = NaiveDate::from_ymd_opt(year.to_i32()?, month, day)?;
    Day::try_from(date).ok()
}

/// Parses a time of day, such as `9:09`, `09:09:00` or `9:09 AM`.
pub(super) fn parse_time(text: &str) -> Option<NaiveTime> {
    let lower = text.trim().to_lowercase();
    let (clock, half) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(clock), _) => (clock.trim_end(), Some(0)),
        (_, Some(clock)) => (clock.trim_end(), Some(12)),
        _ => (lower.as_str(), None),
    };
    let parts = clock_parts(clock)?;
    let hour = match half {
        Some(half) if (1..=12).contains(&parts[0]) => parts[0] % 12 + half,
        Some(_) => return None,
        None => parts[0],
    };
    NaiveTime::from_hms_opt(u32::try_from(hour).ok()?, u32::try_from(parts[1]).ok()?, u32::try_from(parts[2]).ok()?)
}

/// Returns the hours, minutes and seconds of a text such as `h:mm` or `h:mm:ss`.
fn clock_parts(text: &str) -> Option<[i64; 3]> {
    let mut parts = text.split(':');
    let number = |part: &str| {
        let is_number = (1..=7).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<i64>().ok())?
    };
    let (hours, minutes) = (number(parts.next()?)?, number(parts.next()?)?);
    let seconds = parts.next().map_or(Some(0), number)?;
    (parts.next().is_none() && minutes < 60 && seconds < 60).then_some([hours, minutes, seconds])
}

/// Parses a duration and returns its seconds. Accepts `2:30`, `02:30:00` and `2h 30m`, and decimal hours such as `2.5`
/// or `2,5`.
pub(super) fn parse_duration(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let seconds = if text.contains(':') {
        let [hours, minutes, seconds] = clock_parts(text)?;
        hours * 3600 + minutes * 60 + seconds
    } else if text.contains(|letter: char| letter.is_alphabetic()) {
        parse_units(text)?
    } else {
        parse_decimal(text, 3600)?
    };
    (seconds <= MAX_HOURS * 3600).then_some(sign * seconds)
}

/// Parses a duration with units, such as `2h30m` or `2 h 30 min`. Returns the seconds.
fn parse_units(text: &str) -> Option<i64> {
    let (mut rest, mut total) = (text.trim().to_lowercase(), 0);
    while !rest.is_empty() {
        let unit_at = rest.find(|letter: char| letter.is_alphabetic())?;
        let (number, tail) = rest.split_at(unit_at);
        let end = tail.find(|letter: char| !letter.is_alphabetic()).unwrap_or(tail.len());
        let seconds = match &tail[..end] {
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600,
            "m" | "min" | "mins" | "minute" | "minutes" => 60,
            "s" | "sec" | "secs" | "second" | "seconds" => 1,
            _ => return None,
        };
        total += parse_decimal(number.trim(), seconds)?;
        rest = tail[end..].trim_start().to_owned();
    }
    Some(total)
}

/// Parses a decimal with a point or a comma, and multiplies it by `unit` seconds.
fn parse_decimal(number: &str, unit: i64) -> Option<i64> {
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let number = Decimal::from_str_exact(&number.replace(',', ".")).ok().filter(|_| is_number)?;
    let seconds = number.checked_mul(Decimal::from(unit))?;
    let seconds = seconds.round_dp_with_strategy(0, RoundingStrategy::MidpointNearestEven).to_i64()?;
    (seconds <= MAX_HOURS * 3600).then_some(seconds)
}

/// Converts a local time to UTC. If a clock change skips the time, quarters of an hour are added until the time exists.
/// If the time occurs twice, the first occurrence is used.
pub(super) fn to_utc<Z: TimeZone>(zone: &Z, local: NaiveDateTime) -> Option<DateTime<Utc>> {
    let mut after = (0..=12).filter_map(|quarters| local.checked_add_signed(TimeDelta::minutes(quarters * 15)));
    after.find_map(|time| zone.from_local_datetime(&time).earliest()).map(|time| time.to_utc())
}
