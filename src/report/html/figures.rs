//! The figures at the top, and the days as a table.

use chrono::Days;
use maud::{Markup, html};

use super::super::period::is_long;
use super::super::sections::{basis, last_date};
use super::super::text::{clock, duration, instant};
use super::names::shown;
use super::section::section;
use crate::activity::{Daybook, PeriodDay, PeriodSummary};

/// A figure, with the words above it and those below.
struct Figure {
    what: String,
    value: String,
    more: String,
}

/// The few numbers that say most.
pub(super) fn figures(daybook: &Daybook) -> Markup {
    let summary = &daybook.summary;
    let mut figures = vec![Figure {
        what: format!("{} time", capital(basis(summary.time_basis))),
        // How much all was stands nowhere if only a part is looked for: the page may be shown to others.
        value: match summary.matching_minutes {
            None if !daybook.filter.is_empty() => "unknown".to_owned(),
            _ => duration(summary.told_minutes()),
        },
        more: String::new(),
    }];
    if let [day] = summary.days.as_slice()
        && daybook.day.is_some()
    {
        figures.extend(of_one_day(day, daybook));
    } else if !summary.days.is_empty() {
        figures.extend(of_days(daybook));
    }
    html! {
        dl.figures {
            @for Figure { what, value, more } in figures {
                div { dt { (what) } dd { b { (value) } @if !more.is_empty() { small { (more) } } } }
            }
        }
    }
}

fn of_one_day(day: &PeriodDay, daybook: &Daybook) -> Vec<Figure> {
    let between = times(day).map(|(first, last)| Figure {
        what: "First and last use".to_owned(),
        value: format!("{first}–{last}"),
        more: String::new(),
    });
    let longest = daybook.day.iter().flat_map(|day| &day.blocks);
    // The earliest of several.
    let longest = longest.rev().max_by_key(|block| block.duration_minutes);
    let longest = longest.map(|block| Figure {
        what: "Longest block".to_owned(),
        value: duration(block.duration_minutes),
        more: shown(block.about()),
    });
    between.into_iter().chain(longest).collect()
}

fn of_days(daybook: &Daybook) -> Vec<Figure> {
    let summary = &daybook.summary;
    let minutes_of = |date: &Option<String>| {
        let date = date.as_deref()?;
        let day = summary.days.iter().find(|day| day.date == date)?;
        Some((short_date(date), duration(day.told_minutes())))
    };
    let mut figures = vec![
        Figure {
            what: "Days with activity".to_owned(),
            value: format!("{} of {}", summary.days.len(), dates(daybook).len()),
            more: String::new(),
        },
        Figure {
            what: "Average day".to_owned(),
            value: duration(summary.aggregate.avg_daily_minutes),
            more: String::new(),
        },
    ];
    if let (Some((date, value)), true) = (minutes_of(&summary.aggregate.busiest_day), summary.days.len() > 1) {
        figures.push(Figure { what: "Longest day".to_owned(), value, more: date });
    }
    figures
}

/// The dates of the range since the history started, in order.
pub(super) fn dates(daybook: &Daybook) -> Vec<chrono::NaiveDate> {
    let start = daybook.summary.history_start.as_deref().and_then(instant).unwrap_or(daybook.range.start());
    let (first, last) = (start.date(), last_date(daybook.range.end()));
    let mut dates = vec![first];
    let mut date = first;
    while let Some(next) = date.checked_add_days(Days::new(1)).filter(|next| *next <= last) {
        dates.push(next);
        date = next;
    }
    dates
}

/// Clock times of a day's first and last use.
pub(super) fn times(day: &PeriodDay) -> Option<(String, String)> {
    let first = instant(day.first_activity.as_deref()?)?;
    let last = instant(day.last_activity.as_deref()?)?;
    Some((clock(first, first.date()), clock(last, first.date())))
}

fn short_date(date: &str) -> String {
    instant(date).map_or_else(|| date.to_owned(), |date| date.format("%a %-d %b").to_string())
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The days as a table, for who reads numbers or hears the page.
pub(super) fn table_of_days(summary: &PeriodSummary) -> Markup {
    let date_of = |date: &str| {
        let day = short_date(date);
        if is_long(summary) { format!("{day} {}", date.get(..4).unwrap_or_default()) } else { day }
    };
    let table = html! {
        details {
            summary { "Every day in numbers" }
            table {
                thead {
                    tr {
                        th scope="col" { "Day" }
                        th.number scope="col" { "Time" }
                        th scope="col" { "From – to" }
                        th scope="col" { "Most time in" }
                    }
                }
                tbody {
                    @for day in &summary.days {
                        tr {
                            th scope="row" { time datetime=(day.date) { (date_of(&day.date)) } }
                            td.number { (duration(day.told_minutes())) }
                            td { @if let Some((first, last)) = times(day) { (first) "–" (last) } }
                            td { bdi { (shown(&day.top_app)) } }
                        }
                    }
                }
            }
        }
    };
    section("numbers", "Numbers", &table)
}
