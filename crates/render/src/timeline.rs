//! Draws the colour bar over the hours: applications or subjects over time, with one lane for each device.

use std::io::{self, Write};

use chrono::{Datelike, NaiveDateTime, NaiveTime, TimeDelta, Timelike};

use dayledger_activity::Segment;
use dayledger_request::Minutes;

use super::color::NameColors;
use super::columns::INDENT;
use super::style::{ColorDepth, Style, TextStyle};
use super::text::{fit, pad, parse_time, sanitize, width_of};

/// The possible lengths of a cell in minutes, the shortest first. All divide an hour or are whole hours, so that each
/// hour starts with a cell.
const CELL_MINUTES: [i64; 14] = [5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440];
/// The possible hours between two labels, the closest first.
const LABEL_HOURS: [i64; 5] = [1, 2, 3, 4, 6];
/// Hours between two labels within a day, if closer labels don't fit.
const HALF_DAY: i64 = 12;
/// Hours between two labels if the range is too long for labels of hours. Then they are days, as many as fit.
const MAX_STEP_HOURS: i64 = 24;
/// The longest device name before a lane.
const MAX_NAME_WIDTH: usize = 16;
/// The columns of a label: two digits and two spaces.
const LABEL_WIDTH: i64 = 4;

/// The position of a segment on the bar.
struct Interval<'a> {
    start: NaiveDateTime,
    end: NaiveDateTime,
    length: Minutes,
    name: &'a str,
    lane: usize,
}

/// The time of a cell by name, in order of appearance.
#[derive(Default, Clone)]
struct CellTime<'a>(Vec<(&'a str, f64)>);

impl<'a> CellTime<'a> {
    fn add(&mut self, name: &'a str, minutes: f64) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += minutes,
            None => self.0.push((name, minutes)),
        }
    }

    fn total(&self) -> f64 {
        self.0.iter().map(|(_, minutes)| minutes).sum()
    }

    fn leader(&self) -> Option<&'a str> {
        let first = *self.0.first()?;
        // Of equal times, the first name wins. `max_by` would return the last.
        Some(self.0.iter().fold(first, |best, next| if next.1 > best.1 { *next } else { best }).0)
    }
}

/// Writes the lanes and the hours below them. Writes nothing if no segment has a valid time.
pub(super) fn write_timeline(
    out: &mut dyn Write,
    segments: &[Segment],
    name_colors: &NameColors<'_>,
    style: &Style,
) -> io::Result<()> {
    let (devices, stretches) = intervals(segments);
    let (Some(from), Some(to)) = (
        stretches.iter().map(|interval| interval.start).min().map(hour_floor),
        stretches.iter().map(|interval| interval.end).max().map(hour_ceiling),
    ) else {
        return Ok(());
    };
    let names: Vec<_> = devices.iter().map(|name| sanitize(name, style)).collect();
    let gutter = if devices.len() > 1 {
        names.iter().map(|name| width_of(name)).max().unwrap_or(0).min(MAX_NAME_WIDTH) + 2
    } else {
        0
    };
    let room = i64::try_from(style.width.saturating_sub(INDENT + gutter + 2)).unwrap_or(i64::MAX);
    let length = (to - from).num_minutes().max(60);
    let cell = CELL_MINUTES.into_iter().find(|cell| ceiling_division(length, *cell) <= room);
    // For a range of months, the bar stays within the line, but hours no longer start with a cell.
    let cell = cell.unwrap_or_else(|| ceiling_division(length, room.max(1)));
    let count = usize::try_from(ceiling_division(length, cell)).unwrap_or_default();

    writeln!(out)?;
    for (lane, name) in names.iter().enumerate() {
        let cells = cells(stretches.iter().filter(|interval| interval.lane == lane), from, cell, count);
        let name = if gutter > 0 { fit(name, gutter - 2, style) } else { "".into() };
        let bar = lane_text(&cells, cell, name_colors, style);
        writeln!(out, "{:INDENT$}{}{bar}", "", pad(&name, gutter))?;
    }
    let labels = labels(from, cell, length, count);
    writeln!(out, "{:blank$}{}", "", style.paint(&labels, TextStyle::Faint), blank = INDENT + gutter)
}

/// Returns the devices in order of appearance, and the position of each segment.
fn intervals(segments: &[Segment]) -> (Vec<&str>, Vec<Interval<'_>>) {
    let mut devices: Vec<&str> = Vec::new();
    let mut stretches = Vec::with_capacity(segments.len());
    for segment in segments {
        let Some(start) = parse_time(&segment.start) else { continue };
        // When clocks go back, a segment may end before it starts. Its duration is correct, but its end can't be used.
        let measured = start + drawable(segment.duration_minutes);
        let end = parse_time(&segment.end).filter(|end| *end > start).unwrap_or(measured);
        let device = segment.device.as_deref().unwrap_or_default();
        let lane = devices.iter().position(|known| *known == device).unwrap_or_else(|| {
            devices.push(device);
            devices.len() - 1
        });
        stretches.push(Interval { start, end, length: segment.duration_minutes, name: segment.subject(), lane });
    }
    (devices, stretches)
}

/// Limits a duration to at least a second and at most a year.
fn drawable(length: Minutes) -> TimeDelta {
    TimeDelta::seconds(length.seconds().clamp(1, 366 * 86_400))
}

fn hour_floor(instant: NaiveDateTime) -> NaiveDateTime {
    let hour = NaiveTime::from_hms_opt(instant.hour(), 0, 0).unwrap_or(NaiveTime::MIN);
    instant.date().and_time(hour)
}

fn hour_ceiling(instant: NaiveDateTime) -> NaiveDateTime {
    let floor = hour_floor(instant);
    if floor == instant { floor } else { floor + TimeDelta::hours(1) }
}

/// Distributes each interval's minutes evenly over its cells, because a segment doesn't contain the positions of its
/// gaps.
fn cells<'a>(
    intervals: impl Iterator<Item = &'a Interval<'a>>,
    from: NaiveDateTime,
    cell: i64,
    count: usize,
) -> Vec<CellTime<'a>> {
    let mut cells = vec![CellTime::default(); count];
    let cell = cell * 60;
    for interval in intervals {
        let (start, end) = ((interval.start - from).num_seconds(), (interval.end - from).num_seconds());
        let whole = TimeDelta::seconds((end - start).max(1)).as_seconds_f64();
        // The end is exclusive, so an interval that ends where a cell starts has no time in that cell.
        for place in start / cell..=(end - 1).max(start) / cell {
            let overlap = (end.min((place + 1) * cell) - start.max(place * cell)).max(0);
            let minutes = TimeDelta::seconds(overlap).as_seconds_f64() / whole * interval.length.to_rounded();
            if let Some(time) = usize::try_from(place).ok().and_then(|place| cells.get_mut(place)) {
                time.add(interval.name, minutes);
            }
        }
    }
    cells
}

fn lane_text(cells: &[CellTime<'_>], cell: i64, name_colors: &NameColors<'_>, style: &Style) -> String {
    let whole = TimeDelta::minutes(cell).as_seconds_f64() / 60.0;
    let drawn = cells.iter().map(|time| match time.leader() {
        Some(name) => (glyph(time.total() / whole, style), TextStyle::Color(name_colors.color_of(name))),
        None => (if style.unicode { '·' } else { '.' }, TextStyle::Faint),
    });
    let mut text = String::new();
    let mut run = String::new();
    let mut run_ink = TextStyle::Plain;
    for (glyph, ink) in drawn {
        if ink != run_ink {
            text.push_str(&style.paint(&run, run_ink));
            run.clear();
            run_ink = ink;
        }
        run.push(glyph);
    }
    text + &style.paint(&run, run_ink)
}

/// Returns the character for the used share of a cell. With colours, its height shows the share and its colour the
/// application. Without colours, its density shows the share.
fn glyph(share: f64, style: &Style) -> char {
    let glyphs = match (style.unicode, style.color) {
        (true, ColorDepth::None) => ['█', '▓', '▒', '░'],
        (true, _) => ['█', '▆', '▄', '▂'],
        (false, _) => ['#', '#', '+', '-'],
    };
    match share {
        share if share >= 0.75 => glyphs[0],
        share if share >= 0.5 => glyphs[1],
        share if share >= 0.25 => glyphs[2],
        _ => glyphs[3],
    }
}

/// Returns the labels, each below the first cell of its hour. For a long range, they are days of the month.
fn labels(from: NaiveDateTime, cell: i64, length: i64, count: usize) -> String {
    let step = LABEL_HOURS.into_iter().find(|hours| hours * 60 / cell >= LABEL_WIDTH);
    // A range within a day may not contain midnight, so labels of days could be missing completely.
    let step = step.unwrap_or(if length <= MAX_STEP_HOURS * 60 { HALF_DAY } else { MAX_STEP_HOURS });
    let mut line = String::new();
    for hour in 0..=length / 60 {
        let instant = from + TimeDelta::hours(hour);
        let of_day = i64::from(instant.hour());
        let on_step = of_day % step == 0;
        let place = usize::try_from(hour * 60 / cell).unwrap_or(usize::MAX);
        let taken = if line.is_empty() { 0 } else { line.len() + 1 };
        if !on_step || place < taken || place > count {
            continue;
        }
        let label = if step == MAX_STEP_HOURS {
            i64::from(instant.day())
        } else if of_day == 0 && hour > 0 && hour == length / 60 {
            // The end of a day is clearer as 24 than as 00 of the next day.
            24
        } else {
            of_day
        };
        line = format!("{}{label:02}", pad(&line, place));
    }
    line
}

/// Divides two positive numbers and rounds up.
fn ceiling_division(dividend: i64, divisor: i64) -> i64 {
    (dividend + divisor - 1) / divisor
}
