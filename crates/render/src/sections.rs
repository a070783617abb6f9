//! Writes the sections that a day and a period share: headings, top lists, and remarks about missing data.

use std::io::{self, Write};

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use dayledger_activity::{ApplicationTotal, ClientTotals, Diagnostics, NamedTotal, ReasonCode, TimeBasis};
use dayledger_core::local_days::LocalDays;
use dayledger_request::{Minutes, Truncation, minutes};

use super::bars::bar;
use super::color::{ACCENT, NameColors, Rgb};
use super::columns::{Cell, Column, INDENT, Overflow, Row, write_columns};
use super::style::{Style, TextStyle};
use super::text::{
    capitalize, clock, duration, duration_with_away, fit, join, pad, parse_time, sanitize, width_of, wrap,
};

/// The maximum length of a bar. Longer bars would not be easier to compare.
const MAX_BAR_WIDTH: usize = 40;
const MIN_BAR_WIDTH: usize = 6;
/// The width of the longest percentage, `100 %`.
const PERCENT_WIDTH: usize = 5;

/// One entry of a top list.
pub(super) struct TopEntry<'a> {
    name: &'a str,
    length: Minutes,
    /// The part of `length` during which the user was away from the computer.
    away: Minutes,
    color: Rgb,
}

impl TopEntry<'_> {
    /// Formats the time of the entry, with the time away from the computer.
    fn time(&self) -> String {
        duration_with_away(self.length, self.away)
    }

    /// Returns the time at the computer.
    fn active(&self) -> Minutes {
        minutes(self.length.seconds() - self.away.seconds())
    }
}

/// Returns the top lists of a day or a period, each with its heading.
pub(super) fn top_lists<'a>(
    clients: Option<&'a ClientTotals>,
    applications: &'a [ApplicationTotal],
    websites: &'a [NamedTotal],
    documents: Option<&'a [NamedTotal]>,
    name_colors: &NameColors<'_>,
) -> [(&'static str, Vec<TopEntry<'a>>); 4] {
    let top = |name: &'a str, length, color| TopEntry { name, length, away: Minutes::ZERO, color };
    let clients = clients.iter().flat_map(|totals| &totals.top_clients).map(|client| TopEntry {
        away: client.away_minutes.unwrap_or(Minutes::ZERO),
        ..top(&client.name, client.client_minutes, ACCENT)
    });
    let named =
        |totals: &'a [NamedTotal]| totals.iter().map(|total| top(&total.name, total.total_minutes, ACCENT)).collect();
    let applications =
        applications.iter().map(|total| top(&total.name, total.total_minutes, name_colors.color_of(&total.name)));
    [
        ("Clients", clients.collect()),
        ("Applications", applications.collect()),
        ("Websites", named(websites)),
        ("Documents", named(documents.unwrap_or_default())),
    ]
}

/// Formats the time of a response. With a filter, the text contains the matching and the total time, such as `2 h 10
/// min of 7 h 32 min`.
pub(super) fn amount(matching: Option<Minutes>, all: Minutes) -> String {
    match matching {
        Some(matching) => format!("{} of {}", duration(matching), duration(all)),
        None => duration(all),
    }
}

/// Describes the time for all clients together.
pub(super) fn client_text(totals: &ClientTotals) -> String {
    let time = format!("{} for clients", duration_with_away(totals.client_minutes, totals.away_minutes));
    match totals.shared_minutes {
        Some(shared) => format!("{time}; the sum over the clients is {} more", duration(shared)),
        None => time,
    }
}

/// Writes a heading with an empty line above it.
pub(super) fn write_heading(out: &mut dyn Write, heading: &str, style: &Style) -> io::Result<()> {
    writeln!(out)?;
    writeln!(out, "{}", style.paint(&fit(heading, style.width, style), TextStyle::Strong))
}

/// Writes prose, wrapped into lines. Suggested commands in the text get the options of the history that the user
/// selected.
pub(super) fn write_prose(out: &mut dyn Write, prose: &str, text_style: TextStyle, style: &Style) -> io::Result<()> {
    for line in wrap(&sanitize(&style.with_source(prose), style), style.width, style) {
        writeln!(out, "{}", style.paint(&line, text_style))?;
    }
    Ok(())
}

/// Writes a note, wrapped into lines and sanitised, because it can contain names from the history.
pub fn write_note(out: &mut dyn Write, note: &str, style: &Style) -> io::Result<()> {
    write_prose(out, note, TextStyle::Faint, style)
}

/// Writes top lists with their headings. An entry has its time, its share of `whole` and a bar. Empty lists are
/// omitted.
///
/// All lists have the same columns, and their bars have the same scale, so that users can compare the lists.
pub(super) fn write_top_lists(
    out: &mut dyn Write,
    lists: &[(impl AsRef<str>, Vec<TopEntry<'_>>)],
    whole: Minutes,
    style: &Style,
) -> io::Result<()> {
    let tops = || lists.iter().flat_map(|(_, tops)| tops);
    let name_width = tops().map(|top| width_of(&sanitize(top.name, style))).max().unwrap_or(0);
    let time_width = tops().map(|top| width_of(&top.time())).max().unwrap_or(0);
    let greatest = tops().map(|top| top.length).max().unwrap_or(Minutes::ZERO);
    let room_beside = |name_width| style.width.saturating_sub(INDENT + name_width + time_width + PERCENT_WIDTH + 3 * 2);
    // If the line is short, names shrink to a width of one, so that a short bar still fits into the line.
    let room = room_beside(name_width).clamp(MIN_BAR_WIDTH, MAX_BAR_WIDTH).min(room_beside(1));
    let columns =
        [Column::left("").with_overflow(Overflow::Shrink), Column::right(""), Column::right(""), Column::left("")];
    for (heading, tops) in lists.iter().filter(|(_, tops)| !tops.is_empty()) {
        let rows: Vec<_> = tops
            .iter()
            .map(|top| {
                let name = sanitize(top.name, style);
                Row::Cells(vec![
                    Cell::plain(pad(&name, name_width)),
                    Cell::plain(format!("{:>time_width$}", top.time())),
                    Cell::new(format!("{:>PERCENT_WIDTH$}", percent(top.active(), whole)), TextStyle::Faint),
                    Cell::new(bar(top.length, greatest, room, style), TextStyle::Color(top.color)),
                ])
            })
            .collect();
        write_heading(out, heading.as_ref(), style)?;
        write_columns(out, &columns, &rows, style)?;
    }
    Ok(())
}

/// The maximum number of lines of the first top list. The other lists have one line each.
const FIRST_LIST_LINES: usize = 2;

/// Writes top lists with as many entries as fit into few lines. The first list has at most two lines, and each other
/// list has one line.
pub(super) fn write_top_lines(
    out: &mut dyn Write,
    lists: &[(&str, Vec<TopEntry<'_>>)],
    style: &Style,
) -> io::Result<()> {
    let label_width = lists.iter().map(|(heading, _)| width_of(heading)).max().unwrap_or(0) + 2;
    let room = style.width.saturating_sub(INDENT + label_width);
    if lists.iter().any(|(_, tops)| !tops.is_empty()) {
        writeln!(out)?;
    }
    for (place, (heading, tops)) in lists.iter().enumerate().filter(|(_, (_, tops))| !tops.is_empty()) {
        let entry = |top: &TopEntry<'_>| format!("{} {}", sanitize(top.name, style), top.time());
        let entries: Vec<_> = tops.iter().map(entry).collect();
        let lines = fill_lines(&entries, room, if place == 0 { FIRST_LIST_LINES } else { 1 }, style);
        for (number, line) in lines.iter().enumerate() {
            let label = if number == 0 { heading } else { "" };
            writeln!(out, "{:INDENT$}{}{line}", "", style.paint(&pad(label, label_width), TextStyle::Faint))?;
        }
    }
    Ok(())
}

/// Joins the entries into at most `most` lines. Each line has at most `room` columns. An ellipsis replaces the entries
/// that don't fit.
fn fill_lines(entries: &[String], room: usize, most: usize, style: &Style) -> Vec<String> {
    let between = join(&[String::new(), String::new()], style);
    let more = if style.unicode { "…" } else { "..." };
    let mut lines: Vec<String> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let is_last_line = lines.len() >= most;
        let left_out = if is_last_line && number + 1 < entries.len() { width_of(&between) + width_of(more) } else { 0 };
        match lines.last_mut() {
            Some(line) if width_of(line) + width_of(&between) + width_of(entry) + left_out <= room => {
                line.push_str(&between);
                line.push_str(entry);
            }
            Some(line) if is_last_line => {
                *line = format!(
                    "{}{between}{more}",
                    fit(line, room.saturating_sub(width_of(&between) + width_of(more)), style)
                );
                return lines;
            }
            _ => lines.push(fit(entry, room, style).into_owned()),
        }
    }
    lines
}

/// Formats the share of `length` in `whole`, such as `12 %` or `<1 %`. Returns an empty text if `whole` is zero.
pub(super) fn percent(length: Minutes, whole: Minutes) -> String {
    if whole <= Minutes::ZERO {
        return String::new();
    }
    let share = length.share_of(whole) * 100.0;
    if share > 0.0 && share < 0.5 { "<1 %".to_owned() } else { format!("{share:.0} %") }
}

/// Whether the response is empty because no time matches the filter. In this case, the hint of the response is shown
/// instead of the rows.
pub(super) fn is_unmatched(diagnostics: &Diagnostics) -> bool {
    diagnostics.reason_code == Some(ReasonCode::FilterMatchesNothing)
}

/// Writes that no time matches the filter, and the reason. `title` is the range, and `all` is its active time as text.
pub(super) fn write_no_match(
    out: &mut dyn Write,
    (title, all): (&str, &str),
    diagnostics: &Diagnostics,
    style: &Style,
) -> io::Result<()> {
    writeln!(out, "{}", style.paint(&fit(title, style.width, style), TextStyle::Strong))?;
    write_prose(out, all, TextStyle::Plain, style)?;
    writeln!(out)?;
    write_prose(out, &sentence(diagnostics.remediation_hint.as_deref().unwrap_or_default()), TextStyle::Plain, style)
}

/// Writes that the range `title` doesn't contain data, and the reason.
pub(super) fn write_nothing(
    out: &mut dyn Write,
    title: &str,
    diagnostics: &Diagnostics,
    style: &Style,
) -> io::Result<()> {
    let line = match diagnostics.reason_code {
        Some(ReasonCode::NoApplications) => format!("No application was recorded on {title}."),
        _ => format!("No data for {title}. Run `dayledger doctor` to list the dates with data."),
    };
    write_prose(out, &line, TextStyle::Plain, style)?;
    write_remarks(out, Truncation::new(0, 0), "", [None; 2], diagnostics, style)
}

/// Writes remarks about missing data, and the reasons. `of` is the noun for the rows, such as `blocks`. `tops` contains
/// the number of all applications and the number of all websites. A number is `None` if its list doesn't need a remark.
pub(super) fn write_remarks(
    out: &mut dyn Write,
    truncation: Truncation,
    of: &str,
    tops: [Option<usize>; 2],
    diagnostics: &Diagnostics,
    style: &Style,
) -> io::Result<()> {
    let mut remarks = Vec::new();
    if truncation.truncated {
        remarks.push(format!(
            "Only the first {} of {} {of} are shown; the totals count all of them.",
            truncation.returned_count, truncation.total_available
        ));
    }
    for (available, of) in tops.into_iter().zip(["applications", "websites"]) {
        if let Some(available) = available {
            remarks.push(format!("There are {available} {of}; the list shows those with the most time."));
        }
    }
    if diagnostics.reason_code != Some(ReasonCode::NoDataInRange)
        && let Some(hint) = &diagnostics.remediation_hint
    {
        remarks.push(format!("Note: {hint}."));
    }
    if remarks.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    write_prose(out, &remarks.join(" "), TextStyle::Faint, style)
}

/// Returns the words after an amount of time: `active`, `active and in calls` or `recorded`.
pub(super) fn basis(time_basis: TimeBasis) -> &'static str {
    match time_basis {
        TimeBasis::Active => "active",
        TimeBasis::ActiveAndCalls => "active and in calls",
        TimeBasis::Recorded => "recorded",
    }
}

/// Formats a number with a noun, such as `1 day` or `2 days`. `one` is the noun in the singular.
pub fn pluralize(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

/// Returns `text` with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    format!("{}.", capitalize(text))
}

/// Writes an indented text. A text that is too long for one line is wrapped.
pub(super) fn write_item(out: &mut dyn Write, text: &str, text_style: TextStyle, style: &Style) -> io::Result<()> {
    let deeper = text.len() - text.trim_start().len();
    let indent = INDENT + deeper;
    for line in wrap(&sanitize(&style.with_source(text), style), style.width.saturating_sub(indent), style) {
        writeln!(out, "{:indent$}{}", "", style.paint(&line, text_style))?;
    }
    Ok(())
}

/// Returns a range in words. For one day, this is the full date. For a longer range, it is the first and the last day.
pub(super) fn range_title(start: &str, end: &str, style: &Style) -> String {
    let dash = if style.unicode { '–' } else { '-' };
    let (Some(from), Some(to)) = (parse_time(start), parse_time(end)) else {
        return sanitize(&format!("{start} {dash} {end}"), style).into_owned();
    };
    let days = LocalDays::current();
    if !days.is_day_start(from) || !days.is_day_start(to) {
        // Times are shown with their own date, which can be the one after their day.
        let last = if to.time() == NaiveTime::MIN { to.date().pred_opt().unwrap_or(to.date()) } else { to.date() };
        return if from.date() == last {
            format!("{}{dash}{}", from.format("%A, %-d %B %Y, %H:%M"), clock(to, last))
        } else {
            format!("{} {dash} {}", from.format("%a %-d %b %Y %H:%M"), to.format("%a %-d %b %Y %H:%M"))
        };
    }
    let (from, last) = (days.day_of(from), last_date(to));
    if from == last {
        return from.format("%A, %-d %B %Y").to_string();
    }
    let same_year = from.format("%Y").to_string() == last.format("%Y").to_string();
    let first = from.format(if same_year { "%a %-d %b" } else { "%a %-d %b %Y" });
    format!("{first} {dash} {}", last.format("%a %-d %b %Y"))
}

/// Returns the last day of a range. The range ends before `end`, so the start of a day belongs to the previous day.
pub(super) fn last_date(end: NaiveDateTime) -> NaiveDate {
    let days = LocalDays::current();
    let day = days.day_of(end);
    if days.is_day_start(end) { day.pred_opt().unwrap_or(day) } else { day }
}
