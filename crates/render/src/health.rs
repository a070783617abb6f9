//! Shows the health of the history, for the command `doctor`.

use std::io::{self, Write};

use chrono::{NaiveDateTime, TimeDelta};

use super::columns::{Cell, Column, INDENT, Overflow, Row, write_columns};
use super::sections::{pluralize, sentence, write_heading, write_item, write_prose};
use super::style::{Style, TextStyle};
use super::text::{parse_time, sanitize, wrap};
use dayledger_activity::{Health, HourlyCoverage, Role, ScreenshotState, TimelineHealth};
use dayledger_core::local_days::LocalDays;
use dayledger_source::Tracker;

/// The maximum age of the newest data. If the newest data is older, the tracker may have stopped.
const STALE: TimeDelta = TimeDelta::days(7);
/// The width of the first column, which contains names such as `file`.
const FACT_COLUMN: usize = 13;

/// Writes the health of a history. `now` is the local time. The output contains:
///
/// - the file, the age of its newest data, and whether the tracker is running
/// - the timelines, and the coverage of the hourly totals
/// - ignored rows, and data that isn't read
/// - missing capabilities, each with a hint
pub fn write_health(out: &mut dyn Write, health: &Health, now: NaiveDateTime, style: &Style) -> io::Result<()> {
    let verdict = match health.degraded.len() {
        0 => "The history can be read, and nothing is missing.".to_owned(),
        count => format!("The history can be read; {} missing from it.", things(count)),
    };
    write_prose(out, &verdict, TextStyle::Strong, style)?;
    write_facts(out, health, now, style)?;
    write_heading(out, "Timelines", style)?;
    write_timelines(out, &health.timelines, style)?;
    write_lags(out, &health.hourly, style)?;
    write_ignored(out, &health.timelines, style)?;
    if !health.degraded.is_empty() {
        write_heading(out, "Missing", style)?;
        for degradation in &health.degraded {
            write_item(out, &sentence(&degradation.effect), TextStyle::Plain, style)?;
            write_item(out, &format!("  {}", sentence(&degradation.remedy)), TextStyle::Faint, style)?;
        }
    }
    if !health.remarks.is_empty() {
        write_heading(out, "Not read", style)?;
        for remark in &health.remarks {
            write_item(out, &sentence(remark), TextStyle::Plain, style)?;
        }
    }
    Ok(())
}

fn write_facts(out: &mut dyn Write, health: &Health, now: NaiveDateTime, style: &Style) -> io::Result<()> {
    let newest = health.newest.as_deref().and_then(parse_time);
    let newest_text = newest.map_or_else(
        || "none: the history contains no activity yet".to_owned(),
        |newest| format!("{} ({})", newest.format("%a %-d %b %Y %H:%M"), age(newest, now)),
    );
    let tracker_text = tracker(health);
    let screenshots_text = health.screenshots.as_ref().map_or_else(|| "not served".to_owned(), screenshots);
    let zone = health.time_zone.as_deref().map(|zone| ("time zone", zone));
    let facts = [
        ("file", health.database.as_str()),
        ("found by", health.found_by.as_str()),
        ("journal", health.journal_mode.as_str()),
    ];
    let facts = facts.into_iter().chain(zone).chain([
        ("newest data", newest_text.as_str()),
        ("tracker", tracker_text.as_str()),
        ("screenshots", screenshots_text.as_str()),
        ("schema", health.schema_version.as_deref().unwrap_or("unknown version")),
        ("dayledger", health.version.as_str()),
    ]);
    for (name, fact) in facts {
        let fact = style.with_source(fact);
        let fact = sanitize(&fact, style);
        // A path isn't wrapped, so that the user can copy it.
        let lines = if name == "file" {
            vec![fact.into_owned()]
        } else {
            wrap(&fact, style.width.saturating_sub(INDENT + FACT_COLUMN), style)
        };
        for (line, name) in lines.iter().zip([name].into_iter().chain(std::iter::repeat(""))) {
            writeln!(out, "{:INDENT$}{}{line}", "", style.paint(&format!("{name:FACT_COLUMN$}"), TextStyle::Faint))?;
        }
    }
    if newest.is_some_and(|newest| now - newest > STALE) {
        // For an export, the advice mentions the tracker that recorded the data, because an export isn't a running
        // program.
        let tracker = if health.manic_time == Tracker::Unknown { "the tracker" } else { health.tracker.as_str() };
        let advice = format!("No new data for over a week: check that {tracker} is running and tracking.");
        write_item(out, &advice, TextStyle::Plain, style)?;
    }
    Ok(())
}

/// Returns the first and the last day with screenshots. If screenshots are missing, returns the hint.
fn screenshots(state: &ScreenshotState) -> String {
    match (&state.remediation_hint, &state.first_day, &state.last_day) {
        (Some(hint), ..) => format!("none: {hint}"),
        (None, Some(first), Some(last)) => format!("from {first} to {last}"),
        _ => "available".to_owned(),
    }
}

fn write_timelines(out: &mut dyn Write, timelines: &[TimelineHealth], style: &Style) -> io::Result<()> {
    if timelines.is_empty() {
        return write_item(
            out,
            "There are no timelines yet: let the tracker run for a while.",
            TextStyle::Plain,
            style,
        );
    }
    let columns = [
        Column::right("id"),
        Column::left("role").with_overflow(Overflow::Shrink),
        Column::left("device").with_overflow(Overflow::Shrink),
        Column::right("activities"),
        Column::left("from").with_overflow(Overflow::Hide(2)),
        Column::left("to").with_overflow(Overflow::Hide(1)),
    ];
    let time = |text: &Option<String>| {
        let time = text.as_deref().and_then(parse_time).map(|time| time.format("%Y-%m-%d %H:%M").to_string());
        time.unwrap_or_else(|| "-".to_owned())
    };
    let rows: Vec<_> = timelines
        .iter()
        .map(|timeline| {
            Row::Cells(vec![
                Cell::plain(timeline.id.to_string()),
                Cell::plain(role(timeline.role)),
                Cell::plain(&timeline.device),
                Cell::plain(timeline.activities.to_string()),
                Cell::plain(time(&timeline.dates.start)),
                Cell::plain(time(&timeline.dates.end)),
            ])
        })
        .collect();
    write_columns(out, &columns, &rows, style)
}

/// Writes the hourly totals that lag behind the activities, with the number of hours.
fn write_lags(out: &mut dyn Write, hourly: &[HourlyCoverage], style: &Style) -> io::Result<()> {
    let lagging: Vec<_> = hourly.iter().filter_map(|it| Some((it, it.lag_hours.filter(|hours| *hours > 0)?))).collect();
    if lagging.is_empty() {
        return Ok(());
    }
    write_heading(out, "Hourly totals that lag behind the activities", style)?;
    for (coverage, lag) in lagging {
        let hours = if lag == 1 { "hour" } else { "hours" };
        let line = format!("{lag} {hours}: {} of {}", role(coverage.role), coverage.device);
        write_item(out, &line, TextStyle::Plain, style)?;
    }
    Ok(())
}

fn write_ignored(out: &mut dyn Write, timelines: &[TimelineHealth], style: &Style) -> io::Result<()> {
    let reasons = timelines.iter().flat_map(|timeline| {
        [(timeline.unreadable, "with an invalid time"), (timeline.without_extent, "that end before or when they start")]
            .map(|(count, reason)| (timeline, count, reason))
    });
    let ignored: Vec<_> = reasons.filter(|(_, count, _)| *count > 0).collect();
    if ignored.is_empty() {
        return Ok(());
    }
    write_heading(out, "Ignored in totals", style)?;
    for (timeline, count, reason) in ignored {
        let activities = if count == 1 { "activity" } else { "activities" };
        let line = format!("{count} {activities} {reason}, timeline {} ({})", timeline.id, role(timeline.role));
        write_item(out, &line, TextStyle::Plain, style)?;
    }
    Ok(())
}

/// Describes whether the tracker is running, and which versions recorded the history.
fn tracker(health: &Health) -> String {
    let state = match health.manic_time {
        Tracker::Running => " is running on this computer",
        Tracker::NotRunning => " is not running on this computer",
        Tracker::Unknown => "; unknown whether the tracker is running",
    };
    let versions = health.manic_time_versions.iter().map(|it| format!("; {} on {}", it.version, it.device));
    format!("{}{state}{}", health.tracker, versions.collect::<String>())
}

fn things(count: usize) -> String {
    format!("{} {}", pluralize(count, "thing"), if count == 1 { "is" } else { "are" })
}

fn age(newest: NaiveDateTime, now: NaiveDateTime) -> String {
    let days = LocalDays::current();
    match (days.day_of(now) - days.day_of(newest)).num_days() {
        ..0 => "ahead of this computer's clock".to_owned(),
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::ComputerUsage => "computer usage",
        Role::Applications => "applications",
        Role::Documents => "documents",
        Role::Websites => "websites",
        Role::Tags => "tags",
        Role::Other => "other",
    }
}
