//! Draws days as coloured lanes on one axis of local hours.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate, Weekday};
use maud::{Markup, html};

use super::super::away::describe;
use super::super::period::{Month, is_long, months};
use super::super::sections::pluralize;
use super::super::text::{client_of, duration, task_of};
use super::colors::Colors;
use super::document::section;
use super::figures::{dates, use_times};
use super::lane::{Chart, Lane};
use super::lanes::{Axis, Day, label_step, local_interval, percent};
use super::legends::Legends;
use super::top_lists::{Entry, bar};
use dayledger_activity::{AwayInterval, PeriodDay, RangeReport};
use dayledger_core::local_days::LocalDays;
use dayledger_request::Minutes;

/// The maximum number of names in the legend of a lane.
const EXPLAINED: usize = 8;
/// On a page with at most this many days, lanes are high enough to contain names.
const MAX_NAMED_DAYS: usize = 7;

/// Returns the section with the lanes of all days. It is empty if there are no intervals.
pub(super) fn days(report: &RangeReport, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let days = group_by_date(report);
    if days.is_empty() {
        return html! {};
    }
    if is_long(&report.summary) {
        return month_section(report);
    }
    let is_single_day = report.day.is_some();
    let has_names = dates(report).len() <= MAX_NAMED_DAYS;
    let has_one_client = report.purposes.clients.len() == 1;
    let axis = Axis::from_days(&days);
    let chart = Chart { lanes: lanes(report), axis, legends, has_names, is_single_day, has_one_client };
    let given: BTreeMap<_, _> = report.summary.days.iter().map(|day| (day.date.as_str(), day)).collect();
    let order = chart.lanes.iter().map(|lane| lane.name().to_lowercase()).collect::<Vec<_>>().join(", ");
    let nothing = Day::default();
    let class = match (is_single_day, has_names) {
        (true, _) => "chart one",
        (_, true) => "chart named",
        _ => "chart",
    };
    let content = html! {
        @if !is_single_day { p.remark { "Rows of each day: " (order) "." } }
        (chart.key(report, colors))
        div class=(class) style=(format!("--hours:{}", chart.axis.hours())) {
            (hours(chart.axis))
            @for date in dates(report) {
                @let summary = given.get(date.to_string().as_str()).copied();
                (chart.day(date, days.get(&date).unwrap_or(&nothing), summary, colors))
            }
        }
    };
    section("days", if is_single_day { "Timeline" } else { "Days" }, &content)
}

/// Returns the section with the months of a long range. A long range has too many days for lanes.
fn month_section(report: &RangeReport) -> Markup {
    let months = months(&report.summary);
    let greatest = months.iter().map(|month| month.time).max().unwrap_or(Minutes::ZERO);
    let entry = |month: &Month| Entry {
        name: format!("{}, {}", month.first.format("%B %Y"), pluralize(month.days, "day")),
        length: month.time,
        class: "accent".to_owned(),
    };
    let content = html! {
        div.tops { div.top { ol { @for month in &months { (bar(&entry(month), greatest, None)) } } } }
    };
    section("days", "Months", &content)
}

/// Returns the lanes of the page. A lane that is empty on all days is omitted.
fn lanes(report: &RangeReport) -> Vec<Lane> {
    let has = |lane: &Lane| match lane {
        Lane::Active | Lane::Applications => !report.applications.is_empty(),
        Lane::Websites => !report.websites.is_empty(),
        Lane::Tags => !report.tags.is_empty(),
        Lane::Blocks => report.day.as_ref().is_some_and(|day| !day.blocks.is_empty() || !day.away().is_empty()),
    };
    [Lane::Active, Lane::Blocks, Lane::Tags, Lane::Applications, Lane::Websites].into_iter().filter(has).collect()
}

fn group_by_date(report: &RangeReport) -> BTreeMap<NaiveDate, Day<'_>> {
    let mut days: BTreeMap<NaiveDate, Day<'_>> = BTreeMap::new();
    for interval in &report.applications {
        days.entry(interval.date).or_default().applications.push(interval);
    }
    for interval in &report.websites {
        days.entry(interval.date).or_default().websites.push(interval);
    }
    for interval in &report.tags {
        days.entry(interval.date).or_default().tags.push(interval);
    }
    if let Some(day) = &report.day {
        let date = report.range.first_day();
        let interval = |away: &AwayInterval| {
            local_interval(date, (&away.start, &away.end), away.duration_minutes, &describe(away).join(" · "))
        };
        days.entry(date).and_modify(|held| {
            held.blocks = &day.blocks;
            held.away = day.away().iter().filter_map(interval).collect();
        });
    }
    days
}

/// Returns the labels of the hours above the lanes.
fn hours(axis: Axis) -> Markup {
    let step = label_step(axis);
    html! {
        div.axis aria-hidden="true" {
            div {
                @for hour in (axis.from..=axis.to).filter(|hour| (hour - axis.from) % step == 0) {
                    span.minor[(hour - axis.from) % (2 * step) != 0] style=(format!("left:{:.3}%", percent(axis, hour))) {
                        (axis.label(hour))
                    }
                }
            }
        }
    }
}

impl Chart<'_, '_> {
    /// Returns the legend of the colours. It contains the names with the most time.
    fn key(&self, report: &RangeReport, colors: &mut Colors) -> Markup {
        let aggregate = &report.summary.aggregate;
        let names = |lane: Lane| -> Vec<&str> {
            match lane {
                Lane::Active | Lane::Blocks => Vec::new(),
                Lane::Applications => aggregate.top_apps.iter().map(|total| total.name.as_str()).collect(),
                Lane::Websites => aggregate.top_websites.iter().map(|total| total.name.as_str()).collect(),
                Lane::Tags => report.purposes.tasks().into_iter().map(|task| task.name.as_str()).collect(),
            }
        };
        html! {
            dl.key {
                @if report.day.as_ref().is_some_and(|day| !day.away().is_empty()) {
                    div { dt { (Lane::Blocks.name()) } dd { span { i class="swatch off" {} "Away from the computer" } } }
                }
                @for lane in self.lanes.iter().filter(|lane| ![Lane::Active, Lane::Blocks].contains(lane)) {
                    div {
                        dt { (lane.name()) }
                        dd {
                            @for (name, label) in key_labels(*lane, names(*lane)) {
                                span {
                                    i class=(format!("swatch {}", colors.class(lane.legend(self.legends).color_of(name)))) {}
                                    bdi { (lane.display_name(label)) }
                                }
                                " "
                            }
                        }
                    }
                }
            }
        }
    }

    fn day(&self, date: NaiveDate, held: &Day<'_>, summary: Option<&PeriodDay>, colors: &mut Colors) -> Markup {
        let change = held.change();
        let class = match date.weekday() {
            first if first == LocalDays::current().week_start => "day monday",
            Weekday::Sat | Weekday::Sun => "day weekend",
            _ => "day",
        };
        let time = summary.map(|day| duration(day.reported_minutes()));
        html! {
            article class=(class) {
                @if !self.is_single_day {
                    div.label {
                        h3 { time datetime=(date.to_string()) { (date.format("%a %-d %b").to_string()) } }
                        p.total { @if let Some(time) = &time { (time) } @else { span.idle { "–" } } }
                        @if let Some(times) = summary.and_then(use_times) { p.between { (times) } }
                    }
                }
                div.lanes {
                    @for lane in &self.lanes {
                        @if self.is_single_day { div.name aria-hidden="true" { (lane.name()) } }
                        (self.lane(*lane, date, held, time.as_deref(), colors))
                    }
                }
                @if let Some(change) = change {
                    p.remark { (change_in_words(change.change.num_minutes())) }
                }
            }
        }
    }
}

/// Returns the first names of a lane, each with its label in the legend. The tags of a client are next to each other.
/// Only the label of the first of these tags contains the client's name.
fn key_labels(lane: Lane, mut names: Vec<&str>) -> Vec<(&str, &str)> {
    names.truncate(EXPLAINED);
    if lane != Lane::Tags {
        return names.into_iter().map(|name| (name, name)).collect();
    }
    let clients: Vec<_> = names.iter().copied().map(client_of).collect();
    names.sort_by_key(|name| clients.iter().position(|client| *client == client_of(name)));
    let mut labels = Vec::new();
    let mut before = None;
    for name in names {
        let client = client_of(name);
        labels.push((name, task_of(name).filter(|_| before == Some(client)).unwrap_or(name)));
        before = Some(client);
    }
    labels
}

fn change_in_words(minutes: i64) -> String {
    let time = match (minutes.abs() / 60, minutes.abs() % 60) {
        (1, 0) => "an hour".to_owned(),
        (hours, 0) => format!("{hours} hours"),
        (_, _) => format!("{} minutes", minutes.abs()),
    };
    if minutes > 0 {
        format!("On this day the clock went forward by {time}, so the rows have a gap.")
    } else {
        format!("On this day the clock went back by {time}. The repeated time is drawn below the first.")
    }
}
