//! The key figures at the top of a page, and the table of days.

use chrono::NaiveDate;
use maud::{Markup, html};

use super::super::period::is_long;
use super::super::sections::basis;
use super::super::text::{away_part, capitalize, duration, parse_day, times};
use super::document::Head::{Number, Text};
use super::document::{figure, heads, section};
use super::names::{PLAIN, display_name};
use dayledger_activity::{PeriodDay, PeriodSummary, RangeReport};
use dayledger_request::Minutes;

/// Returns the key figures, such as the active time.
pub(super) fn figures(report: &RangeReport) -> Markup {
    let summary = &report.summary;
    // If a filter is set, the total of all time isn't shown, because the page may be meant for other people.
    let time = match summary.matching_minutes {
        None if !report.filter.is_empty() => "unknown".to_owned(),
        _ => duration(summary.reported_minutes()),
    };
    let clients = summary.aggregate.clients.as_ref().map(|totals| {
        let away = away_part(totals.away_minutes).unwrap_or_default();
        figure("For clients", &duration(totals.client_minutes), &away)
    });
    let mut figures = vec![figure(&format!("{} time", capitalize(basis(summary.time_basis))), &time, "")];
    if let [day] = summary.days.as_slice()
        && report.day.is_some()
    {
        figures.extend(single_day_figures(day, report));
    } else if !summary.days.is_empty() {
        figures.extend(period_figures(report));
    }
    figures.extend(clients);
    html! { dl.figures { @for figure in &figures { (figure) } } }
}

fn single_day_figures(day: &PeriodDay, report: &RangeReport) -> Vec<Markup> {
    let between = use_times(day).map(|times| figure("First and last use", &times, ""));
    let longest = report.day.iter().flat_map(|day| &day.blocks);
    // If several blocks have the greatest duration, the earliest of them is shown.
    let longest = longest.rev().max_by_key(|block| block.duration_minutes);
    let longest =
        longest.map(|block| figure("Longest block", &duration(block.duration_minutes), &display_name(block.subject())));
    let breaks = report.day.iter().filter_map(|day| day.presence.as_ref()).map(|presence| presence.break_minutes);
    let breaks = breaks.filter(|breaks| *breaks > Minutes::ZERO).map(|breaks| figure("Breaks", &duration(breaks), ""));
    between.into_iter().chain(breaks).chain(longest).collect()
}

fn period_figures(report: &RangeReport) -> Vec<Markup> {
    let summary = &report.summary;
    let minutes_of = |date: &Option<String>| {
        let date = date.as_deref()?;
        let day = summary.days.iter().find(|day| day.date == date)?;
        Some((short_date(date), duration(day.reported_minutes())))
    };
    let mut figures = vec![
        figure("Days with activity", &format!("{} of {}", summary.days.len(), dates(report).len()), ""),
        figure("Average day", &duration(summary.aggregate.avg_daily_minutes), ""),
    ];
    if let (Some((date, value)), true) = (minutes_of(&summary.aggregate.busiest_day), summary.days.len() > 1) {
        figures.push(figure("Longest day", &value, &date));
    }
    figures
}

/// Returns the dates of the range in order. Skips dates before the start of the history.
pub(super) fn dates(report: &RangeReport) -> Vec<NaiveDate> {
    let first = report.summary.history_start.as_deref().and_then(parse_day).unwrap_or(report.range.first_day());
    let last = report.range.last_day();
    first.iter_days().take_while(|date| *date <= last).collect()
}

/// Returns the times of a day's first and last activity, such as `09:00–17:30`.
pub(super) fn use_times(day: &PeriodDay) -> Option<String> {
    times(day.first_activity.as_deref()?, day.last_activity.as_deref()?, &PLAIN)
}

fn short_date(date: &str) -> String {
    parse_day(date).map_or_else(|| date.to_owned(), |date| date.format("%a %-d %b").to_string())
}

/// Returns the days as a table, for readers who prefer numbers or use a screen reader.
pub(super) fn table_of_days(summary: &PeriodSummary) -> Markup {
    let date_of = |date: &str| {
        let day = short_date(date);
        if is_long(summary) { format!("{day} {}", date.get(..4).unwrap_or_default()) } else { day }
    };
    let table = html! {
        details {
            summary { "All days" }
            table {
                (heads(&[Text("Day"), Number("Time"), Text("First – last"), Text("Top application")]))
                tbody {
                    @for day in &summary.days {
                        tr {
                            th scope="row" { time datetime=(day.date) { (date_of(&day.date)) } }
                            td.number { (duration(day.reported_minutes())) }
                            td { (use_times(day).unwrap_or_default()) }
                            td { bdi { (display_name(&day.top_app)) } }
                        }
                    }
                }
            }
        }
    };
    section("numbers", "Numbers", &table)
}
