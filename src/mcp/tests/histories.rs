//! Small histories, for tests that need more than a stub.

use std::path::Path;

use crate::App;
use crate::source::FoundBy;
use crate::trackers::TrackerSettings;
use dayledger_fixtures::{Activity, Error, Group, HistoryWriter, SchemaOptions, Span, Timeline};

/// Returns an app over the history in `dir`.
pub(super) fn engine(dir: &Path) -> App {
    let history = TrackerSettings::default().history_at(dir, FoundBy::Flag).expect("default settings");
    App::builder(history).build().expect("threads")
}

/// Writes a history of two devices into `dir`. Only the device `DESK` has usage timelines. The history has the
/// timelines 1, 2 and 7, from 10 to 15 January 2025. ManicTime's hourly totals don't contain the last day yet.
pub(super) fn write(dir: &Path) {
    try_write(dir).expect("a history");
}

fn try_write(dir: &Path) -> Result<(), Error> {
    let mut writer = HistoryWriter::in_folder(dir, SchemaOptions::default())?;
    writer.add_environment("env-desk", "DESK", Some("Windows;10.0.19045"))?;
    writer.add_environment("env-travel", "Travel", None)?;
    writer.add_timeline(&Timeline::computer_usage(1, "env-desk"))?;
    writer.add_timeline(&Timeline::applications(2, "env-desk"))?;
    writer.add_timeline(&Timeline::applications(7, "env-travel"))?;
    let active = writer.add_group(1, &Group::state("ManicTime/Active", "Active"))?;
    let editor = writer.add_group(2, &Group::application("editor.exe;editor", "Editor"))?;
    let reader = writer.add_group(7, &Group::application("reader.exe;reader", "Reader"))?;
    let span = |day: &str| Span::local(&format!("2025-01-{day} 09:00:00"), &format!("2025-01-{day} 10:00:00"), 60);
    for day in ["10", "12"] {
        writer.add_activity(1, &Activity::new("Active", span(day)?).group(active).active(true))?;
        writer.add_activity(2, &Activity::new("Plan - Editor", span(day)?).group(editor))?;
    }
    writer.add_activity(7, &Activity::new("Report - Reader", span("12")?).group(reader))?;
    writer.fill_hourly_tables()?;
    writer.add_activity(1, &Activity::new("Active", span("15")?).group(active).active(true))?;
    writer.add_activity(2, &Activity::new("Plan - Editor", span("15")?).group(editor))?;
    writer.finish()?;
    Ok(())
}
