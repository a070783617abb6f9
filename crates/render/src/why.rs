//! Explains active time, which is the time from the first to the last use, minus breaks and gaps. Also shows recorded
//! time that doesn't count as active time.

use std::collections::BTreeSet;
use std::io::{self, Write};

use chrono::TimeDelta;

use dayledger_activity::{AwayInterval, NotCounted, Why, WhyBlock, WhyDay, WhyRow};
use dayledger_request::{Minutes, minutes};

use super::away::describe;
use super::columns::{Cell, Column, Overflow, Row, write_columns};
use super::sections::{pluralize, range_title, write_heading, write_prose};
use super::style::{Style, TextStyle};
use super::text::{capitalize, duration, join, parse_day, parse_time, span, times};

/// The maximum number of breaks that are listed for a day. If a day has more breaks, the longest ones are listed.
const MAX_BREAKS: usize = 8;

/// Writes the explanation of a day, a period or a block. If the response contains rows of the history, writes them too.
pub fn write_why(out: &mut dyn Write, why: &Why, style: &Style) -> io::Result<()> {
    let title = range_title(&why.start_date, &why.end_date, style);
    if why.is_empty() {
        let title = second_of(why).unwrap_or(title);
        return write_prose(out, &format!("No application was recorded on {title}."), TextStyle::Plain, style);
    }
    write_prose(out, &title, TextStyle::Strong, style)?;
    if let Some(block) = &why.block {
        write_prose(out, &block_text(block), TextStyle::Plain, style)?;
    } else if let Some(away) = &why.away {
        let text = format!("No active time for {}: {}.", exact(away.duration_minutes), join(&describe(away), style));
        write_prose(out, &text, TextStyle::Plain, style)?;
    } else {
        match why.days.as_slice() {
            [] => write_prose(out, "No active time.", TextStyle::Plain, style)?,
            [day] => write_day(out, why, day, style)?,
            days => write_days(out, why, days, style)?,
        }
        write_not_counted(out, why, style)?;
    }
    match &why.rows {
        Some(rows) => write_rows(out, why, rows, style),
        None => Ok(()),
    }
}

/// Returns the time of a response that covers only one second. Returns `None` for other responses.
fn second_of(why: &Why) -> Option<String> {
    let (start, end) = (parse_time(&why.start_date)?, parse_time(&why.end_date)?);
    (end - start == TimeDelta::seconds(1)).then(|| start.format("%A, %-d %B %Y, %H:%M").to_string())
}

/// Writes the calculation of a day's active time, and its longest breaks.
fn write_day(out: &mut dyn Write, why: &Why, day: &WhyDay, style: &Style) -> io::Result<()> {
    let time = times(&day.first_use, &day.last_use, style).unwrap_or_default();
    let (elapsed, calculation) = calculation(day, style);
    let mut rows = vec![
        line(&time, elapsed, "from the first to the last use"),
        line("active", duration(day.active_minutes), &calculation),
    ];
    rows.extend(why.call_minutes.map(|calls| line("in calls", duration(calls), "active time away from the keyboard")));
    if let Some(average) = day.weekday_average {
        let weekday = parse_day(&day.date).map(|date| date.format("%A").to_string()).unwrap_or_default();
        let difference = day.active_minutes.seconds() - average.active_minutes.seconds();
        let comparison = if difference < 0 { "less" } else { "more" };
        let days = pluralize(average.days, "earlier day");
        let remark = format!("this day has {} {comparison} ({days})", duration(minutes(difference.abs())));
        rows.push(line(&format!("average {weekday}"), duration(average.active_minutes), &remark));
    }
    write_lines(out, &rows, style)?;
    write_breaks(out, &day.breaks, style)
}

/// Returns two texts: the time from the first to the last use, and the subtraction that results in the active time.
/// Each amount is in whole minutes.
fn calculation(day: &WhyDay, style: &Style) -> (String, String) {
    let whole = |length: Minutes| (length.seconds() + 30) / 60;
    let breaks = day.break_minutes.map_or(0, whole);
    // The gaps also contain the rounding difference, so that the displayed amounts add up.
    let gaps = (whole(day.elapsed_minutes) - whole(day.active_minutes) - breaks).max(0);
    let elapsed = duration(minutes((whole(day.active_minutes) + breaks + gaps) * 60));
    let minus = if style.unicode { '−' } else { '-' };
    let subtracted = [(breaks, "breaks"), (gaps, "gaps")];
    let subtracted: Vec<_> = subtracted
        .into_iter()
        .filter(|(length, _)| *length > 0)
        .map(|(length, name)| format!(" {minus} {} {name}", duration(minutes(length * 60))))
        .collect();
    let calculation = if subtracted.is_empty() { String::new() } else { format!("{elapsed}{}", subtracted.concat()) };
    (elapsed, calculation)
}

/// Writes the longest breaks in order of time, and the sum of the other breaks.
fn write_breaks(out: &mut dyn Write, breaks: &[AwayInterval], style: &Style) -> io::Result<()> {
    if breaks.is_empty() {
        return Ok(());
    }
    let mut by_length: Vec<&AwayInterval> = breaks.iter().collect();
    by_length.sort_by_key(|of| std::cmp::Reverse(of.duration_minutes.seconds()));
    let others = by_length.split_off(by_length.len().min(MAX_BREAKS));
    // The longest breaks are shown in order of time.
    by_length.sort_by(|one, other| one.start.cmp(&other.start));
    let mut rows: Vec<Row> = by_length
        .iter()
        .map(|of| {
            let label = times(&of.start, &of.end, style).unwrap_or_default();
            line(&label, duration(of.duration_minutes), &join(&describe(of), style))
        })
        .collect();
    if !others.is_empty() {
        let length: i64 = others.iter().map(|of| of.duration_minutes.seconds()).sum();
        rows.push(line(&pluralize(others.len(), "shorter break"), duration(minutes(length)), ""));
    }
    write_heading(out, "Breaks", style)?;
    write_lines(out, &rows, style)
}

/// Writes one line per day, and the active time of the period.
fn write_days(out: &mut dyn Write, why: &Why, days: &[WhyDay], style: &Style) -> io::Result<()> {
    let calls = why.call_minutes.map(|calls| format!("including {} in calls, away from the keyboard", duration(calls)));
    write_lines(out, &[line("active", duration(why.total_active_minutes), &calls.unwrap_or_default())], style)?;
    writeln!(out)?;
    let rows: Vec<_> = days
        .iter()
        .map(|day| {
            let date = parse_day(&day.date).map(|date| date.format("%a %-d %b").to_string()).unwrap_or_default();
            Row::Cells(vec![
                Cell::plain(date),
                Cell::plain(times(&day.first_use, &day.last_use, style).unwrap_or_default()),
                Cell::plain(day.break_minutes.map(duration).unwrap_or_default()),
                Cell::plain(duration(day.gap_minutes)),
                Cell::plain(duration(day.active_minutes)),
            ])
        })
        .collect();
    let columns = [
        Column::left("day"),
        Column::left("time"),
        Column::right("breaks"),
        Column::right("gaps"),
        Column::right("active"),
    ];
    write_columns(out, &columns, &rows, style)
}

/// Writes recorded time that doesn't count, by reason.
fn write_not_counted(out: &mut dyn Write, why: &Why, style: &Style) -> io::Result<()> {
    let not_counted = &why.not_counted;
    if *not_counted == NotCounted::default() {
        return Ok(());
    }
    let amounts = [
        (not_counted.not_in_use_minutes, "applications that were open while the computer was not in use"),
        (not_counted.hidden_minutes, "applications under a later one"),
        (not_counted.shared_minutes, "two devices at the same time, which counts once"),
    ];
    let amounts = amounts.into_iter().filter_map(|(length, reason)| Some(line("", duration(length?), reason)));
    let hint = if why.rows.is_none() { "ignored: list them with `--rows`" } else { "ignored" };
    let ignored = not_counted.ignored_rows.map(|rows| line("", pluralize(rows, "row"), hint));
    write_heading(out, "Recorded, but not counted", style)?;
    write_lines(out, &amounts.chain(ignored).collect::<Vec<_>>(), style)
}

/// Writes the rows and the breaks between them, in order of time. For each row, writes how much of it counts.
fn write_rows(out: &mut dyn Write, why: &Why, rows: &[WhyRow], style: &Style) -> io::Result<()> {
    let several_devices = rows.iter().filter_map(|row| row.device.as_deref()).collect::<BTreeSet<_>>().len() > 1;
    let breaks = why.days.iter().flat_map(|day| &day.breaks).map(|of| (of.start.as_str(), break_line(of, style)));
    let lines = rows.iter().map(|row| {
        let time = row.start.as_deref().or(row.end.as_deref()).unwrap_or_default();
        (time, row_line(row, several_devices, style))
    });
    let mut lines: Vec<(&str, Row)> = lines.chain(breaks).collect();
    lines.sort_by_key(|(time, _)| *time);
    let columns = [
        Column::left(""),
        Column::right("counted").with_overflow(Overflow::Hide(1)),
        Column::left("").with_overflow(Overflow::Shrink),
        Column::left("").with_overflow(Overflow::Wrap),
    ];
    let days = lines.chunk_by(|(one, _), (other, _)| parse_day(one) == parse_day(other));
    for day in days {
        let date = day.first().and_then(|(time, _)| parse_day(time));
        let heading = date.map_or("Rows".to_owned(), |date| date.format("%A, %-d %B").to_string());
        write_heading(out, &heading, style)?;
        let rows: Vec<Row> = day.iter().map(|(_, row)| row.clone()).collect();
        write_columns(out, &columns, &rows, style)?;
    }
    Ok(())
}

fn row_line(row: &WhyRow, several_devices: bool, style: &Style) -> Row {
    let device = row.device.as_deref().filter(|_| several_devices);
    let name = row.application.as_deref().into_iter().chain(device).collect::<Vec<_>>().join(" on ");
    let is_counted = row.counted_minutes > Minutes::ZERO;
    let counted = if is_counted { exact(row.counted_minutes) } else { String::new() };
    let text_style = if is_counted { TextStyle::Plain } else { TextStyle::Faint };
    Row::Cells(vec![
        Cell::new(exact_times(row.start.as_deref(), row.end.as_deref(), style), text_style),
        Cell::plain(counted),
        Cell::new(name, text_style),
        Cell::new(row_text(row), TextStyle::Faint),
    ])
}

/// Returns the reasons why seconds of a row count or don't count, with their amounts.
fn row_text(row: &WhyRow) -> String {
    let not_counted = &row.not_counted;
    let amounts = [
        (row.call_minutes, "in a call"),
        (not_counted.not_in_use_minutes, "not in use"),
        (not_counted.hidden_minutes, "under a later row"),
        (not_counted.shared_minutes, "counted by another device"),
    ];
    let amounts = amounts.into_iter().filter_map(|(length, reason)| Some(format!("{} {reason}", exact(length?))));
    let clipped = row.is_clipped.then(|| "clipped by the range".to_owned());
    let rule = row.rule.as_ref().map(|rule| format!("by the rule {rule}"));
    let ignored = row
        .reason
        .as_ref()
        .map(|reason| format!("row {} of timeline {} is ignored: {reason}", row.activity_id, row.timeline_id));
    amounts.chain(clipped).chain(rule).chain(ignored).collect::<Vec<_>>().join(", ")
}

fn break_line(of: &AwayInterval, style: &Style) -> Row {
    Row::Cells(vec![
        Cell::new(exact_times(Some(&of.start), Some(&of.end), style), TextStyle::Faint),
        Cell::plain(""),
        Cell::new("break", TextStyle::Faint),
        Cell::new(format!("{}: {}", exact(of.duration_minutes), join(&describe(of), style)), TextStyle::Faint),
    ])
}

fn block_text(block: &WhyBlock) -> String {
    format!(
        "Block {}: {} active, including {} on the subject.",
        block.subject,
        exact(block.active_minutes),
        exact(block.on_subject_minutes)
    )
}

/// Formats a duration to the second.
fn exact(length: Minutes) -> String {
    let seconds = length.seconds();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours, minutes, seconds) => format!("{hours} h {minutes:02} min {seconds:02} s"),
    }
}

/// Returns the times of day of a row, to the second.
fn exact_times(start: Option<&str>, end: Option<&str>, style: &Style) -> String {
    let clock = |time: Option<&str>| time.and_then(parse_time).map(|time| time.format("%H:%M:%S").to_string());
    match (clock(start), clock(end)) {
        (Some(start), Some(end)) => span(&start, &end, style),
        (Some(time), None) | (None, Some(time)) => time,
        (None, None) => String::new(),
    }
}

fn line(label: &str, amount: String, remark: &str) -> Row {
    Row::Cells(vec![Cell::plain(capitalize(label)), Cell::plain(amount), Cell::new(remark, TextStyle::Faint)])
}

fn write_lines(out: &mut dyn Write, rows: &[Row], style: &Style) -> io::Result<()> {
    let columns = [Column::left(""), Column::right(""), Column::left("").with_overflow(Overflow::Wrap)];
    write_columns(out, &columns, rows, style)
}
