//! Shows a draft: the suggested hours, and the active time for which no hours are suggested.

use std::io::{self, Write};

use dayledger_timesheet::draft::{RowNote, SkipReason};

use super::obstacles::Obstacles;
use super::wording::{evidence_gap_text, hours, target};
use crate::columns::{Cell, Column, INDENT, Overflow, Row, write_columns};
use crate::sections::{pluralize, write_prose};
use crate::style::{Style, TextStyle};
use crate::text::{away_part, duration, fit, join, sanitize};
use dayledger_request::Minutes;
use dayledger_timesheet_service::{LeftOutTime, SuggestedDay, SuggestedRow, Suggestions};

/// The indent of a line with details about the row above.
const BELOW: &str = "       ";

/// Writes the rows of a draft by day. A row contains the hours, the project and task, the source of the project, and
/// the confidence. Below each row are its times and its description. If a row can't be logged, the reason follows.
///
/// At the end is a summary of all active time. If any row can be logged, the command that logs the draft follows. The
/// command is never truncated and takes 70 columns.
pub fn write_draft(out: &mut dyn Write, draft: &Suggestions, style: &Style) -> io::Result<()> {
    let columns = [
        Column::right(""),
        Column::left("").with_overflow(Overflow::Shrink),
        Column::left("").with_overflow(Overflow::Hide(1)),
        Column::right("").with_overflow(Overflow::Hide(2)),
    ];
    let has_time = |day: &&SuggestedDay| !day.rows.is_empty() || !day.left_out.is_empty();
    let mut rows = Vec::new();
    for day in draft.days.iter().filter(has_time) {
        if !rows.is_empty() {
            rows.push(Row::Caption(String::new()));
        }
        rows.push(Row::Caption(heading(day, style)));
        rows.extend(day.rows.iter().flat_map(|row| row_lines(row, style)));
        if !day.left_out.is_empty() {
            let skipped: Vec<_> = day.left_out.iter().map(rest).collect();
            rows.push(Row::Caption(fit(&join(&skipped, style), content_width(style), style).into_owned()));
        }
    }
    write_columns(out, &columns, &rows, style)?;
    if !rows.is_empty() {
        writeln!(out)?;
    }
    write_account(out, draft, style)
}

/// Writes the reasons why none of the draft's rows can be logged, and the commands that solve this.
pub fn write_nothing_to_log(out: &mut dyn Write, draft: &Suggestions, style: &Style) -> io::Result<()> {
    let Some(Obstacles { reasons, fix }) = Obstacles::from_draft(draft) else {
        return writeln!(out, "nothing to log: the draft has no rows");
    };
    writeln!(out, "nothing to log: {}", sanitize(&reasons, style))?;
    writeln!(out, "hint: {}", style.with_source(&fix))
}

fn content_width(style: &Style) -> usize {
    style.width.saturating_sub(INDENT)
}

fn heading(day: &SuggestedDay, style: &Style) -> String {
    let date = day.day.date().format("%A, %-d %B %Y").to_string();
    let mut facts =
        vec![date, format!("{} to log", hours(day.hours)), format!("{} active", duration(day.active_minutes))];
    facts.extend(day.away_minutes.and_then(away_part));
    facts.extend(day.logged_minutes.map(|logged| format!("{} already logged", duration(logged))));
    fit(&join(&facts, style), content_width(style), style).into_owned()
}

fn row_lines(row: &SuggestedRow, style: &Style) -> Vec<Row> {
    // Each source is shown only once, because several times of a row can have the same source.
    let mut named: Vec<&str> = Vec::new();
    for by in &row.named_by {
        if !named.contains(&by.as_str()) {
            named.push(by);
        }
    }
    let named = if named.is_empty() { "no match".to_owned() } else { named.join(", ") };
    let cells = Row::Cells(vec![
        Cell::new(format!("{:.2}", row.hours), TextStyle::Strong),
        Cell::plain(target(row.project_code.as_deref(), row.task.as_deref())),
        Cell::new(named, TextStyle::Faint),
        Cell::new(format!("{} %", row.confidence), TextStyle::Faint),
    ]);
    let mut facts = vec![times(row)];
    facts.extend(row.away_minutes.and_then(away_part));
    facts.extend(row.issue_id.clone());
    facts.extend(row.description.clone());
    if !row.activity.is_empty() {
        facts.push(row.activity.join(", "));
    }
    let facts = sanitize(&join(&facts, style), style).into_owned();
    let obstacles = row.notes.iter().map(|note| match note {
        RowNote::Unconfirmed => "to be confirmed, in no total".to_owned(),
        note => format!("cannot be logged: {}", obstacle(*note)),
    });
    let nobody =
        (row.project_code.is_none() && !row.is_unconfirmed()).then(|| "cannot be logged: no project".to_owned());
    let below = [facts].into_iter().chain(obstacles).chain(nobody);
    let width = content_width(style).saturating_sub(BELOW.len());
    let below = below.map(|line| Row::Caption(format!("{BELOW}{}", fit(&line, width, style))));
    [cells].into_iter().chain(below).collect()
}

/// Formats the times of a row, such as `09:05-10:40, 13:00-14:00 and 2 more`.
fn times(row: &SuggestedRow) -> String {
    let more = row.more_times.map(|more| format!(" and {more} more")).unwrap_or_default();
    format!("{}{more}", row.times.join(", "))
}

fn obstacle(note: RowNote) -> &'static str {
    match note {
        RowNote::NoSuchProject => "unknown project",
        RowNote::InactiveProject => "the project no longer accepts hours",
        RowNote::NoSuchTask => "the project does not have this task",
        RowNote::NoTask => "no task",
        RowNote::Unconfirmed => "not confirmed",
    }
}

fn rest(rest: &LeftOutTime) -> String {
    let why = match rest.reason {
        SkipReason::TooShort => "too short for a row",
        SkipReason::RoundedAway => "that round to 0",
    };
    format!("{} {why}", duration(rest.minutes))
}

fn write_account(out: &mut dyn Write, draft: &Suggestions, style: &Style) -> io::Result<()> {
    let all_rows = || draft.days.iter().flat_map(|day| &day.rows);
    let rows = all_rows().filter(|row| !row.is_unconfirmed()).count();
    let parts = [
        (draft.logged_minutes, "already logged".to_owned()),
        (draft.drafted_minutes, format!("drafted as {} in {}", hours(draft.hours), pluralize(rows, "row"))),
        (draft.left_out_minutes, "not included".to_owned()),
    ];
    let parts = parts.into_iter().filter(|(length, _)| *length > Minutes::ZERO);
    let parts: Vec<_> = parts.map(|(length, what)| format!("{} {what}", duration(length))).collect();
    if parts.is_empty() && all_rows().next().is_none() {
        let text = "No activity on these days. Run `dayledger doctor` to list the dates with data.";
        return write_prose(out, text, TextStyle::Plain, style);
    }
    let away = away_part(draft.away_minutes).map(|away| format!(" + {away}"));
    let total = format!("{} active{}", duration(draft.active_minutes), away.unwrap_or_default());
    let parts = if parts.is_empty() { "nothing drafted".to_owned() } else { parts.join(", ") };
    let account = format!("{total}: {parts}.");
    write_prose(out, &account, TextStyle::Plain, style)?;
    if let Some(line) = evidence_gap_text(&draft.beyond_evidence) {
        write_prose(out, &line, TextStyle::Plain, style)?;
    }
    let can_be_logged = all_rows().any(SuggestedRow::can_be_logged);
    if let Some(Obstacles { reasons, fix }) = Obstacles::from_draft(draft) {
        let which = if can_be_logged { "Not ready to be logged" } else { "No row can be logged yet" };
        let text = sanitize(&format!("{which}: {reasons}. {fix}"), style).into_owned();
        write_prose(out, &text, TextStyle::Faint, style)?;
    }
    if !can_be_logged {
        return Ok(());
    }
    let hint = "To log the draft unchanged, run this command. To change it first, pass the same dates to `dayledger \
                timesheet edit`.";
    write_prose(out, hint, TextStyle::Faint, style)?;
    writeln!(out, "{:INDENT$}{}", "", style.command(&format!("timesheet log --draft {}", draft.draft)))
}
