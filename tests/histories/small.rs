//! The small history that the SQL test files query. It has two devices, two evenings, and every kind of row.
//!
//! On the device STUDIO, 15 January 2025 is the worked example of docs/spec/time.md#segment-example. In the night from
//! the 16th to the 17th, both devices are used across midnight. The hourly totals of this night are missing, as if
//! `ManicTime` had not written them yet.

use std::path::Path;

use crate::mcp::screenshots::store::Store;
use dayledger_fixtures::{Activity, Error, Group, HistoryWriter, SchemaOptions, Span, Timeline};
use tempfile::TempDir;

/// The UTC offset of local time, in minutes.
const OFFSET: i64 = 60;

const STUDIO_USAGE: i64 = 1;
const STUDIO_APPLICATIONS: i64 = 2;
const STUDIO_DOCUMENTS: i64 = 3;
const TAGS: i64 = 4;
const LAPTOP_USAGE: i64 = 5;
const LAPTOP_APPLICATIONS: i64 = 6;
const LAPTOP_DOCUMENTS: i64 = 7;

/// Returns a folder with the history, and with screenshots of the worked example.
pub(crate) fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    dir
}

/// Returns a folder with the history, but without screenshots.
pub(crate) fn folder_without_screenshots() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    try_write(dir.path()).unwrap();
    dir
}

/// Writes the history into `dir`, with screenshots of the worked example.
pub(crate) fn write(dir: &Path) {
    try_write(dir).unwrap();
    let store = Store::in_history_folder(dir);
    store.add("2025-01-15 09:10:00", 1).add("2025-01-15 09:12:00", 2).add_image("2025-01-15 09:31:30", 3);
    store.add_thumbnail("2025-01-15 09:47:00", 4);
}

/// Writes the history without screenshots.
fn try_write(dir: &Path) -> Result<(), Error> {
    let mut writer = HistoryWriter::in_folder(dir, SchemaOptions::default())?;
    writer.add_device(STUDIO_USAGE, "env-studio", "STUDIO", Some("Windows;10.0.19045"))?;
    writer.add_environment("env-laptop", "LAPTOP", Some("linux;6.8.0"))?;
    writer.add_timeline(&Timeline::computer_usage(LAPTOP_USAGE, "env-laptop"))?;
    writer.add_timeline(&Timeline::applications(LAPTOP_APPLICATIONS, "env-laptop"))?;
    writer.add_timeline(&Timeline::documents(LAPTOP_DOCUMENTS, "env-laptop"))?;
    worked_example(&mut writer)?;
    writer.fill_hourly_tables()?;
    night_on_two_devices(&mut writer)?;
    ignored_rows(&mut writer)?;
    let connection = writer.finish()?;
    connection.execute(
        "UPDATE Ar_Activity SET StartUtcTime = 'yesterday' WHERE ReportId = ?1 AND Name = 'unreadable'",
        [STUDIO_APPLICATIONS],
    )?;
    Ok(())
}

fn span(day: &str, start: &str, end: &str) -> Result<Span, Error> {
    Span::local(&format!("2025-01-{day} {start}"), &format!("2025-01-{day} {end}"), OFFSET)
}

fn worked_example(writer: &mut HistoryWriter) -> Result<(), Error> {
    let active = writer.add_group(STUDIO_USAGE, &Group::state("ManicTime/Active", "Aktiv"))?;
    let away = writer.add_group(STUDIO_USAGE, &Group::state("ManicTime/Away", "Abwesend"))?;
    let locked = writer.add_group(STUDIO_USAGE, &Group::state("ManicTime/SessionLocked", "Gesperrt"))?;
    let off = writer.add_group(STUDIO_USAGE, &Group::state("ManicTime/PowerOff", "Aus"))?;
    for (group, name, start, end) in [
        (active, "Aktiv", "08:55:00", "09:30:00"),
        (active, "Aktiv", "09:30:00", "09:55:00"),
        (away, "Abwesend", "09:55:00", "10:30:00"),
        (locked, "Gesperrt", "10:30:00", "10:40:00"),
        (off, "Aus", "10:40:00", "11:00:00"),
    ] {
        let state = Activity::new(name, span("15", start, end)?).group(group).active(group == active);
        writer.add_activity(STUDIO_USAGE, &state)?;
    }

    let code = Group::application("code.exe;visual studio code", "Code").color("0078D4");
    let code = writer.add_group(STUDIO_APPLICATIONS, &code)?;
    let slack = writer.add_group(STUDIO_APPLICATIONS, &Group::application("slack.exe;slack", "Slack"))?;
    let chrome = writer.add_group(STUDIO_APPLICATIONS, &Group::application("chrome.exe;google chrome", "Chrome"))?;
    let mut ids = Vec::new();
    for (group, title, start, end) in [
        (code, "ledger.rs - Code", "09:00:00", "09:10:00"),
        (slack, "general - Slack", "09:10:00", "09:10:20"),
        (code, "main.rs - Code", "09:10:20", "09:20:00"),
        (chrome, "Issue 7 - Chrome", "09:20:00", "09:30:00"),
        (chrome, "Guide - Chrome", "09:31:30", "09:40:00"),
        (code, "ledger.rs - Code", "09:40:00", "09:41:00"),
        (chrome, "Guide - Chrome", "09:41:00", "09:42:00"),
        (code, "ledger.rs - Code", "09:45:00", "09:50:00"),
    ] {
        let activity = Activity::new(title, span("15", start, end)?).group(group);
        ids.push(writer.add_activity(STUDIO_APPLICATIONS, &activity)?);
    }
    // This window stays in front while the user is away.
    let left = Activity::new("Guide - Chrome", span("15", "09:58:00", "10:08:00")?).group(chrome);
    writer.add_activity(STUDIO_APPLICATIONS, &left)?;

    let file = writer.add_group(STUDIO_DOCUMENTS, &Group::file("C:\\work\\ledger.rs", "ledger.rs"))?;
    let github = writer.add_group(STUDIO_DOCUMENTS, &Group::web_site("github.com"))?;
    let guide = writer.add_group(STUDIO_DOCUMENTS, &Group::web_site("docs.example.org"))?;
    for (group, name, start, end, related) in [
        (file, "C:\\work\\ledger.rs", "09:00:00", "09:10:00", ids[0]),
        (github, "https://github.com/example/ledger/issues/7", "09:20:00", "09:30:00", ids[3]),
        (guide, "https://docs.example.org/guide", "09:31:30", "09:40:00", ids[4]),
    ] {
        let document = Activity::new(name, span("15", start, end)?).group(group).related_activity(related);
        writer.add_activity(STUDIO_DOCUMENTS, &document)?;
    }

    let client = writer.add_group(TAGS, &Group::tag("Client A"))?;
    let development = writer.add_group(TAGS, &Group::tag("Development").billable())?;
    let meeting = writer.add_group(TAGS, &Group::tag("Meeting"))?;
    let project = writer.add_group_list(TAGS, "Client A, Development", &[client, development], true)?;
    let talk = writer.add_group_list(TAGS, "Meeting", &[meeting], false)?;
    let tagged = Activity::new("Client A, Development", span("15", "09:00:00", "09:30:00")?);
    writer.add_activity(TAGS, &tagged.group_list(project).billable(true))?;
    let tagged = Activity::new("Meeting", span("15", "09:50:00", "10:20:00")?);
    writer.add_activity(TAGS, &tagged.group_list(talk).notes("Offer for May"))?;
    Ok(())
}

fn night_on_two_devices(writer: &mut HistoryWriter) -> Result<(), Error> {
    let across =
        |start: &str, end: &str| Span::local(&format!("2025-01-16 {start}"), &format!("2025-01-17 {end}"), OFFSET);
    let active = Activity::new("Aktiv", across("23:00:00", "01:00:00")?).group(1).active(true);
    writer.add_activity(STUDIO_USAGE, &active)?;
    let code = Activity::new("ledger.rs - Code", across("23:30:00", "00:30:00")?).group(1);
    writer.add_activity(STUDIO_APPLICATIONS, &code)?;

    let active = writer.add_group(LAPTOP_USAGE, &Group::state("ManicTime/Active", "Active"))?;
    let chrome = Group::application("chrome.exe;google chrome", "Google Chrome");
    let chrome = writer.add_group(LAPTOP_APPLICATIONS, &chrome)?;
    let used = Activity::new("Active", across("23:00:00", "00:10:00")?).group(active).active(true);
    writer.add_activity(LAPTOP_USAGE, &used)?;
    let watched = Activity::new("Concert", across("23:45:00", "00:15:00")?).group(chrome);
    writer.add_activity(LAPTOP_APPLICATIONS, &watched)?;
    Ok(())
}

fn ignored_rows(writer: &mut HistoryWriter) -> Result<(), Error> {
    for (name, end) in [("no extent", "12:00:00"), ("unreadable", "12:30:00")] {
        let activity = Activity::new(name, span("15", "12:00:00", end)?).group(1);
        writer.add_activity(STUDIO_APPLICATIONS, &activity)?;
    }
    Ok(())
}
