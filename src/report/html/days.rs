//! Days as coloured lanes on one axis of local hours.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate, Weekday};
use maud::{Markup, html};

use super::super::text::duration;
use super::colors::{Colors, Legend};
use super::figures::{dates, times};
use super::lanes::{Axis, Day, HEIGHT, Marks, label_step, marks, percent, united};
use super::names::{shown, site_name};
use super::{Legends, section};
use crate::activity::{Chronicle, NamedStretch, PeriodDay, minutes};

/// How many names a lane tells to who cannot see it; the rest is counted.
const TOLD: usize = 5;
/// How many names the key explains.
const EXPLAINED: usize = 8;

/// What a lane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    Active,
    Applications,
    Websites,
    Tags,
}

impl Lane {
    fn name(self) -> &'static str {
        match self {
            Self::Active => "Active time",
            Self::Applications => "Applications",
            Self::Websites => "Sites",
            Self::Tags => "Tags",
        }
    }

    /// The class that sets its height.
    fn class(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Applications => "applications",
            Self::Websites => "sites",
            Self::Tags => "tags",
        }
    }

    fn shown(self, name: &str) -> String {
        if self == Self::Websites { site_name(name) } else { shown(name) }
    }
}

/// The section of lanes; nothing where no pieces are kept.
pub(super) fn days(chronicle: &Chronicle, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let days = by_date(chronicle);
    if days.is_empty() {
        return html! {};
    }
    let axis = Axis::of(&days);
    let is_one = chronicle.day.is_some();
    let lanes = [Lane::Active, Lane::Applications, Lane::Websites, Lane::Tags].map(|lane| {
        let is_there = match lane {
            Lane::Active | Lane::Applications => !chronicle.applications.is_empty(),
            Lane::Websites => !chronicle.websites.is_empty(),
            Lane::Tags => !chronicle.tags.is_empty(),
        };
        is_there.then_some(lane)
    });
    let lanes: Vec<_> = lanes.into_iter().flatten().collect();
    let given: BTreeMap<_, _> = chronicle.summary.days.iter().map(|day| (day.date.as_str(), day)).collect();
    let order = lanes.iter().map(|lane| lane.name().to_lowercase()).collect::<Vec<_>>().join(", ");
    let chart = html! {
        @if !is_one { p.remark { "Each day from the top: " (order) "." } }
        (key(chronicle, &lanes, legends, colors))
        div class=(if is_one { "chart one" } else { "chart" }) style=(format!("--hours:{}", axis.hours())) {
            (hours(axis))
            @for date in dates(chronicle) {
                (day(date, days.get(&date), given.get(date.to_string().as_str()).copied(), &lanes, axis, legends, colors, is_one))
            }
        }
    };
    section("days", if is_one { "Hour by hour" } else { "Day by day" }, &chart)
}

fn by_date(chronicle: &Chronicle) -> BTreeMap<NaiveDate, Day<'_>> {
    let mut days: BTreeMap<NaiveDate, Day<'_>> = BTreeMap::new();
    for stretch in &chronicle.applications {
        days.entry(stretch.date).or_default().applications.push(stretch);
    }
    for stretch in &chronicle.websites {
        days.entry(stretch.date).or_default().websites.push(stretch);
    }
    for stretch in &chronicle.tags {
        days.entry(stretch.date).or_default().tags.push(stretch);
    }
    days
}

/// What the colours mean, for the names with the most time.
fn key(chronicle: &Chronicle, lanes: &[Lane], legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let summary = &chronicle.summary;
    let names = |lane: Lane| -> Vec<&str> {
        match lane {
            Lane::Active => Vec::new(),
            Lane::Applications => summary.aggregate.top_apps.iter().map(|total| total.name.as_str()).collect(),
            Lane::Websites => summary.aggregate.top_websites.iter().map(|total| total.name.as_str()).collect(),
            Lane::Tags => chronicle.tag_totals.iter().map(|total| total.name.as_str()).collect(),
        }
    };
    html! {
        dl.key {
            @for lane in lanes.iter().filter(|lane| **lane != Lane::Active) {
                div {
                    dt { (lane.name()) }
                    dd {
                        @for name in names(*lane).into_iter().take(EXPLAINED) {
                            span {
                                i class=(format!("swatch {}", colors.class(legend(*lane, legends).color(name)))) {}
                                bdi { (lane.shown(name)) }
                            }
                            " "
                        }
                    }
                }
            }
        }
    }
}

fn legend<'a, 'b>(lane: Lane, legends: &'a Legends<'b>) -> &'a Legend<'b> {
    match lane {
        Lane::Active | Lane::Applications => &legends.applications,
        Lane::Websites => &legends.websites,
        Lane::Tags => &legends.tags,
    }
}

/// The hours above the lanes.
fn hours(axis: Axis) -> Markup {
    let step = label_step(axis);
    html! {
        div.axis aria-hidden="true" {
            div {
                @for hour in (axis.from..=axis.to).filter(|hour| (hour - axis.from) % step == 0) {
                    span.minor[(hour - axis.from) % (2 * step) != 0] style=(format!("left:{:.3}%", percent(axis, hour))) {
                        (format!("{hour:02}"))
                    }
                }
            }
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one call, and a struct for it would say nothing more")]
fn day(
    date: NaiveDate,
    held: Option<&Day<'_>>,
    summary: Option<&PeriodDay>,
    lanes: &[Lane],
    axis: Axis,
    legends: &Legends<'_>,
    colors: &mut Colors,
    is_one: bool,
) -> Markup {
    let nothing = Day::default();
    let held = held.unwrap_or(&nothing);
    let change = held.change();
    let is_weekend = matches!(date.weekday(), Weekday::Sat | Weekday::Sun);
    let class = match (date.weekday(), is_weekend) {
        (Weekday::Mon, _) => "day monday",
        (_, true) => "day weekend",
        _ => "day",
    };
    let time = summary.map(|day| duration(day.total_active_minutes));
    html! {
        article class=(class) {
            @if !is_one {
                div.label {
                    h3 { time datetime=(date.to_string()) { (date.format("%a %-d %b").to_string()) } }
                    p.total { @if let Some(time) = &time { (time) } @else { span.idle { "–" } } }
                    @if let Some((first, last)) = summary.and_then(times) { p.between { (first) "–" (last) } }
                }
            }
            div.lanes {
                @for lane in lanes {
                    @let stretches: Vec<NamedStretch> = if *lane == Lane::Active { united(&held.applications) } else { Vec::new() };
                    @let references: Vec<&NamedStretch> = match lane {
                        Lane::Active => stretches.iter().collect(),
                        Lane::Applications => held.applications.clone(),
                        Lane::Websites => held.websites.clone(),
                        Lane::Tags => held.tags.clone(),
                    };
                    @if is_one { div.name aria-hidden="true" { (lane.name()) } }
                    (drawn(*lane, date, &marks(&references, change, axis), axis, legends, colors, time.as_deref()))
                }
            }
            @if let Some(change) = change {
                p.remark { (change_in_words(change.by.num_minutes())) }
            }
        }
    }
}

fn drawn(
    lane: Lane,
    date: NaiveDate,
    marks: &[Marks<'_>],
    axis: Axis,
    legends: &Legends<'_>,
    colors: &mut Colors,
    time: Option<&str>,
) -> Markup {
    let told = match (lane, time) {
        (Lane::Active, Some(time)) => time.to_owned(),
        (_, _) if marks.is_empty() => "nothing".to_owned(),
        _ => {
            let mut told: Vec<_> = marks.iter().take(TOLD).map(|marks| label(lane, marks)).collect();
            if marks.len() > TOLD {
                told.push(format!("{} more", marks.len() - TOLD));
            }
            told.join(", ")
        }
    };
    let told = format!("{}, {}: {told}", lane.name(), date.format("%A %-d %B"));
    html! {
        svg class=(format!("lane {}", lane.class())) viewBox=(format!("0 0 {} {HEIGHT}", axis.width()))
            preserveAspectRatio="none" role="img" aria-label=(told) {
            @for marks in marks {
                @if lane == Lane::Active {
                    path.accent d=(marks.path) {}
                } @else {
                    path class=(colors.class(legend(lane, legends).color(marks.name))) d=(marks.path) {
                        title { (label(lane, marks)) }
                    }
                }
            }
        }
    }
}

fn label(lane: Lane, marks: &Marks<'_>) -> String {
    format!("{} {}", lane.shown(marks.name), duration(minutes(marks.seconds)))
}

fn change_in_words(minutes: i64) -> String {
    let time = match (minutes.abs() / 60, minutes.abs() % 60) {
        (1, 0) => "an hour".to_owned(),
        (hours, 0) => format!("{hours} hours"),
        (_, _) => format!("{} minutes", minutes.abs()),
    };
    if minutes > 0 {
        format!("On this day the clock went forward by {time}, which nothing can be in.")
    } else {
        format!("On this day the clock went back by {time}: its second pass is drawn below the first.")
    }
}
