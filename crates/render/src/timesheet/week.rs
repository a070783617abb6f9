//! Shows the timesheet of a week as a table: logged and drafted hours by task and day.

use std::io::{self, Write};

use chrono::Days;
use dayledger_timesheet::{Hours, Status};

use super::logged::write_running;
use super::wording::{evidence_gap_text, format_balance, hours, short_date, status_text, target};
use crate::columns::{Cell, Column, Overflow, Row, write_columns};
use crate::sections::{range_title, write_prose};
use crate::style::{Style, TextStyle};
use crate::text::{duration, fit, join};
use dayledger_request::{Minutes, minutes};
use dayledger_timesheet_service::{WeekDay, WeekLine, WeekTimesheet};

/// If a line has at least this width, the headings of days contain weekdays.
const WIDE_COLUMNS: usize = 76;

/// Writes the timesheet of a week. Each task has a line with its hours on each day. Lines are grouped by status, and
/// drafted hours come last. Below the lines are two values for each day: the sum of its hours, and the hours that are
/// missing to its target.
///
/// Weekend days without hours are omitted.
pub fn write_week(out: &mut dyn Write, week: &WeekTimesheet, style: &Style) -> io::Result<()> {
    let title = title(week, style);
    writeln!(out, "{}", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    write_prose(out, &explanation(week, style), TextStyle::Plain, style)?;
    writeln!(out)?;
    let shown: Vec<usize> = (0..week.days.len()).filter(|place| is_shown(week, *place)).collect();
    let mut columns = vec![Column::left("").with_overflow(Overflow::Shrink)];
    columns.extend(shown.iter().map(|_| Column::right("").with_narrow_gap()));
    columns.push(Column::right("").with_narrow_gap());
    write_columns(out, &columns, &rows(week, &shown, style), style)?;
    if let Some(balance) = &week.balance {
        let line = format!("Balance until {}: {} h", short_date(balance.until), format_balance(balance.hours));
        writeln!(out)?;
        write_prose(out, &line, TextStyle::Plain, style)?;
    }
    if let Some(line) = evidence_gap_text(&week.beyond_evidence) {
        writeln!(out)?;
        write_prose(out, &line, TextStyle::Plain, style)?;
    }
    if let Some(work) = &week.running {
        writeln!(out)?;
        write_running(out, work, style)?;
    }
    if let Some(hint) = hint(week) {
        writeln!(out)?;
        write_prose(out, &hint, TextStyle::Faint, style)?;
    }
    Ok(())
}

fn title(week: &WeekTimesheet, style: &Style) -> String {
    let (Some(first), Some(last)) = (week.days.first(), week.days.last()) else { return String::new() };
    let after = last.day.date().checked_add_days(Days::new(1)).unwrap_or(last.day.date());
    let range = range_title(&first.day.to_string(), &after.to_string(), style);
    match &week.week {
        Some(week) => join(&[week.clone(), range], style),
        None => range,
    }
}

/// Explains the drafted time, such as `40 h active + 2 h away − 3 h not assigned = 39 h drafted, 1 h to confirm`.
fn explanation(week: &WeekTimesheet, style: &Style) -> String {
    let [active, away, logged, drafted, unassigned] =
        [week.active_minutes, week.away_minutes, week.logged_minutes, week.drafted_minutes, week.unassigned_minutes]
            .map(Minutes::seconds);
    let text = |seconds: i64, what: &str| format!("{} {what}", duration(minutes(seconds)));
    let unconfirmed = week.unconfirmed_minutes.seconds();
    let to_confirm = if unconfirmed > 0 { format!(", {}", text(unconfirmed, "to confirm")) } else { String::new() };
    if active + away == 0 {
        return format!("no activity on these days{to_confirm}");
    }
    let mut sum = text(active, "active");
    if away > 0 {
        sum = format!("{sum} + {}", text(away, "away"));
    }
    let minus = if style.unicode { "\u{2212}" } else { "-" };
    let left_out = active + away - logged - drafted;
    for (seconds, what) in [(logged, "logged"), (left_out, "not included"), (unassigned, "not assigned")] {
        if seconds > 0 {
            sum = format!("{sum} {minus} {}", text(seconds, what));
        }
    }
    format!("{sum} = {}{to_confirm}", text(drafted - unassigned, "drafted"))
}

/// Whether a day has a column. Every day except weekend days without hours has a column.
fn is_shown(week: &WeekTimesheet, place: usize) -> bool {
    let WeekDay { day, logged, drafted, .. } = &week.days[place];
    let is_weekend = matches!(day.date().format("%u").to_string().as_str(), "6" | "7");
    !is_weekend || *logged + *drafted > Hours::ZERO
}

fn rows(week: &WeekTimesheet, shown: &[usize], style: &Style) -> Vec<Row> {
    let head = if style.width < WIDE_COLUMNS { "%d" } else { "%a %d" };
    let days = shown.iter().map(|place| week.days[*place].day.date().format(head).to_string());
    let heads = std::iter::once(String::new()).chain(days).chain(["Total".to_owned()]);
    let mut rows = vec![Row::Cells(heads.map(|head| Cell::new(head, TextStyle::Faint)).collect())];
    let states = Status::ALL.into_iter().map(Some).chain([None]);
    for state in states {
        let lines = week.lines.iter().filter(|line| line.status == state && line.project_code.is_some());
        let lines: Vec<_> = lines.collect();
        if lines.is_empty() {
            continue;
        }
        rows.push(Row::Caption(state.map_or("drafted, not logged yet", status_text).to_owned()));
        rows.extend(lines.into_iter().map(|line| line_row(line, shown)));
    }
    rows.push(Row::Caption(String::new()));
    let unassigned: Vec<Hours> = (0..week.days.len())
        .map(|place| week.lines.iter().filter(|line| line.project_code.is_none()).map(|line| line.hours[place]).sum())
        .collect();
    let assigned: Vec<Hours> = week.days.iter().zip(&unassigned).map(|(day, hours)| day.drafted - *hours).collect();
    let mut sum = |label: &str, hours: &[Hours], ink| rows.push(cells(label, hours, shown, Zero::Shown, ink));
    let each = |of: fn(&WeekDay) -> Hours| week.days.iter().map(of).collect::<Vec<_>>();
    sum("Logged", &each(|day| day.logged), TextStyle::Strong);
    sum("Drafted", &assigned, TextStyle::Plain);
    if unassigned.iter().any(|hours| *hours > Hours::ZERO) {
        sum("Not assigned", &unassigned, TextStyle::Plain);
    }
    if week.days.iter().any(|day| day.target.is_some()) {
        sum("Target", &each(|day| day.target.unwrap_or_default()), TextStyle::Faint);
        sum("Missing", &each(|day| day.open.unwrap_or_default()), TextStyle::Strong);
    }
    rows
}

fn line_row(line: &WeekLine, shown: &[usize]) -> Row {
    let name = target(line.project_code.as_deref(), line.task.as_deref());
    cells(&name, &line.hours, shown, Zero::Blank, TextStyle::Plain)
}

/// Decides whether zero hours are shown or left blank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zero {
    Blank,
    Shown,
}

fn cells(label: &str, hours: &[Hours], shown: &[usize], zero: Zero, text_style: TextStyle) -> Row {
    let cell = |hours: Hours| match (hours, zero) {
        (Hours::ZERO, Zero::Blank) => Cell::plain(""),
        (hours, _) => Cell::new(format!("{hours:.2}"), text_style),
    };
    let days = shown.iter().map(|place| cell(hours[*place]));
    let total = Cell::new(format!("{:.2}", hours.iter().copied().sum::<Hours>()), text_style);
    let cells = std::iter::once(Cell::new(label, text_style)).chain(days).chain([total]);
    Row::Cells(cells.collect())
}

fn hint(week: &WeekTimesheet) -> Option<String> {
    let drafted: Hours = week.days.iter().map(|day| day.drafted).sum();
    let named = match (&week.week, week.days.first(), week.days.last()) {
        (Some(week), ..) => format!(" {week}"),
        (None, Some(first), Some(last)) if first.day == last.day => format!(" {}", first.day),
        (None, Some(first), Some(last)) => format!(" {} {}", first.day, last.day),
        _ => String::new(),
    };
    (drafted > Hours::ZERO).then(|| {
        format!(
            "Run `dayledger timesheet draft{named}` to review the {}, `edit{named}` to change them or `log{named}` to \
             log them.",
            hours(drafted)
        )
    })
}
