//! Shows an overview of several days.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use chrono::{Datelike, Months, NaiveDate, TimeDelta};

use dayledger_activity::{Comparison, PeriodDay, PeriodSummary, WeekdayTotal};
use dayledger_core::local_days::LocalDays;
use dayledger_request::{Minutes, Truncation, minutes};

use super::bars::bar;
use super::color::{ACCENT, NameColors};
use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::sections::{
    TopEntry, amount, basis, client_text, is_unmatched, last_date, pluralize, range_title, top_lists, write_heading,
    write_no_match, write_nothing, write_prose, write_remarks, write_top_lists,
};
use super::style::{Style, TextStyle};
use super::text::{duration, fit, join, parse_day, parse_time, times};

/// A range of at most this many days is listed by day. A longer range is listed by month.
const LISTED_DAYS: i64 = 62;
/// For a range of at most this many days, days without activity are listed too.
const MAX_FILLED_DAYS: usize = 366;
/// The names of the weekdays. Monday is first.
pub(super) const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// Returns the index in [`WEEKDAYS`] of the first day of a week.
pub(super) fn first_weekday() -> usize {
    usize::try_from(LocalDays::current().week_start.num_days_from_monday()).unwrap_or_default()
}

/// Writes a period: the total and the average, the days by week, the time by weekday, the top lists, and remarks about
/// missing data.
///
/// Dates and times are local. A day without activity is a faint line.
pub fn write_period(out: &mut dyn Write, period: &PeriodSummary, style: &Style) -> io::Result<()> {
    let title = range_title(&period.start_date, &period.end_date, style);
    if is_unmatched(&period.diagnostics) {
        let amount = facts(period, style).into_iter().flatten().next().unwrap_or_default();
        return write_no_match(out, (&title, &amount), &period.diagnostics, style);
    }
    if period.days.is_empty() {
        return write_nothing(out, &title, &period.diagnostics, style);
    }
    writeln!(out, "{}", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    for facts in facts(period, style) {
        write_prose(out, &join(&facts, style), TextStyle::Plain, style)?;
    }

    let aggregate = &period.aggregate;
    let name_colors = NameColors::from_totals(&aggregate.top_apps);
    if is_long(period) {
        write_heading(out, "Months", style)?;
        write_months(out, period, style)?;
    } else {
        write_heading(out, "Days", style)?;
        write_days(out, period, &name_colors, style)?;
    }
    // Weekdays are shown only for at least two weeks. In a shorter period, they would repeat the list of days.
    if is_at_least(period, TimeDelta::weeks(2)) {
        write_weekdays(out, &period.patterns.day_of_week_distribution, style)?;
    }
    let documents = aggregate.top_documents.as_deref();
    let lists =
        top_lists(aggregate.clients.as_ref(), &aggregate.top_apps, &aggregate.top_websites, documents, &name_colors);
    let available = [None, aggregate.top_apps_available, aggregate.top_websites_available, None];
    let lists = lists.into_iter().zip(available);
    let lists: Vec<_> = lists.map(|((heading, tops), available)| first_entries(heading, tops, available)).collect();
    write_top_lists(out, &lists, period.reported_minutes(), style)?;
    // The heading of a truncated list already contains the number of all entries.
    write_remarks(out, period.truncation, "days", [None; 2], &period.diagnostics, style)?;
    match &period.comparison {
        Some(comparison) => write_remarks(out, Truncation::new(0, 0), "", [None; 2], &comparison.diagnostics, style),
        None => Ok(()),
    }
}

/// The maximum number of entries in a top list. `--json` prints all entries of the response.
const MAX_TOP_ENTRIES: usize = 10;

/// Returns the heading of a list and its first entries. If there are more entries, the heading contains their number.
fn first_entries<'a>(
    heading: &str,
    mut tops: Vec<TopEntry<'a>>,
    available: Option<usize>,
) -> (String, Vec<TopEntry<'a>>) {
    let all = available.unwrap_or(tops.len());
    let heading =
        if all > MAX_TOP_ENTRIES { format!("{heading}, first {MAX_TOP_ENTRIES} of {all}") } else { heading.to_owned() };
    tops.truncate(MAX_TOP_ENTRIES);
    (heading, tops)
}

/// Whether a period is at least as long as `least`.
fn is_at_least(period: &PeriodSummary, least: TimeDelta) -> bool {
    match (parse_time(&period.start_date), parse_time(&period.end_date)) {
        (Some(start), Some(end)) => end - start >= least,
        _ => false,
    }
}

fn facts(period: &PeriodSummary, style: &Style) -> Vec<Vec<String>> {
    let aggregate = &period.aggregate;
    let amounts = vec![
        format!("{} {}", amount(period.matching_minutes, period.total_active_minutes), basis(period.time_basis)),
        format!("{} with activity", pluralize(period.truncation.total_available.max(period.days.len()), "day")),
        format!("{} a day on average", duration(aggregate.avg_daily_minutes)),
    ];
    let minutes_of = |date: &str| {
        let day = period.days.iter().find(|day| day.date == date);
        day.map_or_else(String::new, |day| format!(" ({})", duration(day.reported_minutes())))
    };
    let years = period.days.iter().filter_map(|day| day.date.get(..4)).collect::<BTreeSet<_>>().len();
    let extremes = [("Busiest", &aggregate.busiest_day), ("quietest", &aggregate.quietest_day)];
    let extremes = extremes.into_iter().filter_map(|(word, date)| {
        let date = date.as_deref()?;
        let day = parse_day(date)?.format(if years > 1 { "%a %-d %b %Y" } else { "%a %-d %b" });
        Some(format!("{word} {day}{}", minutes_of(date)))
    });
    let extremes: Vec<_> = if period.days.len() > 1 { extremes.collect() } else { Vec::new() };
    let clients = aggregate.clients.iter().map(client_text).collect();
    vec![
        amounts,
        clients,
        extremes,
        period.comparison.iter().map(|other| comparison_text(period, other, style)).collect(),
    ]
}

/// Compares the time of the period with the time of the other period. The text ends with the range of the other period.
/// An example without this range is `2 h 10 min more than the 30 h 00 min of`.
fn comparison_text(period: &PeriodSummary, other: &Comparison, style: &Style) -> String {
    let title = range_title(&other.start_date, &other.end_date, style);
    let (here, there) = (period.reported_minutes(), other.matching_minutes.unwrap_or(other.total_active_minutes));
    let change = here.seconds() - there.seconds();
    let change = match change {
        0 => "as much".to_owned(),
        more if more > 0 => format!("{} more", duration(minutes(more))),
        less => format!("{} less", duration(minutes(-less))),
    };
    format!("{change} than the {} of {title}", duration(there))
}

fn write_days(
    out: &mut dyn Write,
    period: &PeriodSummary,
    name_colors: &NameColors<'_>,
    style: &Style,
) -> io::Result<()> {
    let swatch = style.swatch();
    let application = Column::left("").with_overflow(Overflow::Hide(1));
    let columns = [
        Column::left(""),
        Column::left(""),
        Column::right(""),
        Column::left("").with_overflow(Overflow::Hide(2)),
        Column::left(""),
        if swatch.is_empty() { application } else { application.with_narrow_gap() },
    ];
    let given: BTreeMap<_, _> = period.days.iter().filter_map(|day| Some((parse_day(&day.date)?, day))).collect();
    let greatest = greatest(period.days.iter().map(PeriodDay::reported_minutes));
    let mut rows = Vec::new();
    let mut previous: Option<NaiveDate> = None;
    let week_of = |date| LocalDays::current().first_of_week(date);
    for date in dates(period, &given) {
        if previous.is_some_and(|previous| week_of(previous) != week_of(date)) {
            rows.push(Row::Caption(String::new()));
        }
        previous = Some(date);
        let day = given.get(&date).copied();
        let more = |day: &PeriodDay| {
            let ends = day.first_activity.as_deref().zip(day.last_activity.as_deref());
            let times = ends.and_then(|(first, last)| times(first, last, style)).unwrap_or_default();
            vec![
                Cell::new(times, TextStyle::Faint),
                Cell::new(swatch, TextStyle::Color(name_colors.color_of(&day.top_app))),
                Cell::plain(&day.top_app),
            ]
        };
        let name = date.format("%a %e %b").to_string();
        let time = day.map(PeriodDay::reported_minutes);
        rows.push(bar_row(name, (time, greatest), day.map(more).unwrap_or_default(), style));
    }
    write_columns(out, &columns, &rows, style)
}

/// Whether a period is listed by month, because it has more than [`LISTED_DAYS`] days.
pub(super) fn is_long(period: &PeriodSummary) -> bool {
    is_at_least(period, TimeDelta::days(LISTED_DAYS + 1))
}

/// The active time of a month, and its number of days with activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Month {
    /// The first day of the month.
    pub(super) first: NaiveDate,
    /// The active time in the month. With a filter, this is only the matching time.
    pub(super) time: Minutes,
    /// The number of days with activity.
    pub(super) days: usize,
}

/// Returns all months from the first month with activity to the last one, including months without activity.
pub(super) fn months(period: &PeriodSummary) -> Vec<Month> {
    let days: Vec<_> = period.days.iter().filter_map(|day| Some((parse_day(&day.date)?, day))).collect();
    // Months without activity are listed too.
    let first = days.first().and_then(|(date, _)| date.with_day(1));
    let last = days.last().map(|(date, _)| *date);
    let next = |date: &NaiveDate| date.checked_add_months(Months::new(1));
    let firsts = std::iter::successors(first, next).take_while(|date| last.is_some_and(|last| *date <= last));
    let month = |first: NaiveDate| {
        let inside = days.iter().filter(|(date, _)| date.with_day(1) == Some(first));
        let time = inside.clone().map(|(_, day)| day.reported_minutes().seconds()).sum();
        Month { first, time: minutes(time), days: inside.count() }
    };
    firsts.map(month).collect()
}

fn write_months(out: &mut dyn Write, period: &PeriodSummary, style: &Style) -> io::Result<()> {
    let months = months(period);
    let greatest = greatest(months.iter().map(|month| month.time));
    let row = |month: &Month| {
        // The name is padded to the width of a date in the list of days.
        let name = format!("{:10}", month.first.format("%b %Y").to_string());
        let time = (month.days > 0).then_some(month.time);
        bar_row(name, (time, greatest), vec![Cell::new(pluralize(month.days, "day"), TextStyle::Faint)], style)
    };
    let rows: Vec<_> = months.iter().map(row).collect();
    let days = Column::right("").with_overflow(Overflow::Hide(1));
    write_columns(out, &[Column::left(""), Column::left(""), Column::right(""), days], &rows, style)
}

/// Returns the dates to list. These are the dates in `given`, and the other dates of the range that aren't before the
/// start of the history.
fn dates(period: &PeriodSummary, given: &BTreeMap<NaiveDate, &PeriodDay>) -> BTreeSet<NaiveDate> {
    let mut dates: BTreeSet<_> = given.keys().copied().collect();
    let from = period.history_start.as_deref().or(Some(&period.start_date)).and_then(parse_day);
    // If the list of days is truncated, it is unknown whether the dates after its last day have activity.
    let to = if period.truncation.truncated {
        given.keys().next_back().copied()
    } else {
        parse_time(&period.end_date).map(last_date)
    };
    if let (Some(from), Some(to)) = (from, to) {
        dates.extend(from.iter_days().take(MAX_FILLED_DAYS).take_while(|date| *date <= to));
    }
    dates
}

fn write_weekdays(out: &mut dyn Write, totals: &[WeekdayTotal], style: &Style) -> io::Result<()> {
    if totals.is_empty() {
        return Ok(());
    }
    let greatest = greatest(totals.iter().map(|total| total.total_minutes));
    // In the response, weekdays are numbered from Sunday. In `WEEKDAYS`, Monday is first.
    let mut ordered: Vec<_> = totals.iter().map(|total| (usize::from(total.day_of_week + 6) % 7, total)).collect();
    let first = first_weekday();
    ordered.sort_by_key(|(place, _)| (*place + 7 - first) % 7);
    let rows: Vec<_> = ordered
        .into_iter()
        .map(|(place, total)| {
            // The name is padded to the width of a date in the list of days, so that all bars start in the same column.
            let name = format!("{:10}", WEEKDAYS[place]);
            let time = Some(total.total_minutes).filter(|time| *time > Minutes::ZERO);
            bar_row(name, (time, greatest), Vec::new(), style)
        })
        .collect();
    write_heading(out, "Weekdays", style)?;
    write_columns(out, &[Column::left(""), Column::left(""), Column::right("")], &rows, style)
}

fn greatest(times: impl Iterator<Item = Minutes>) -> Minutes {
    times.max().unwrap_or(Minutes::ZERO)
}

/// Returns a row with a name, a bar, the time, and the cells in `more`. The length of the bar is relative to
/// `greatest`. If the time is `None`, the row contains only the name and a dot.
fn bar_row(name: String, (time, greatest): (Option<Minutes>, Minutes), more: Vec<Cell>, style: &Style) -> Row {
    let Some(time) = time else {
        let dot = if style.unicode { "·" } else { "." };
        return Row::Cells(vec![Cell::new(name, TextStyle::Faint), Cell::new(dot, TextStyle::Faint)]);
    };
    let room = (style.width / 4).clamp(6, 32);
    let bar = Cell::new(bar(time, greatest, room, style), TextStyle::Color(ACCENT));
    Row::Cells([vec![Cell::plain(name), bar, Cell::plain(duration(time))], more].concat())
}
