//! Draws the activity bar. For each part of the day, it shows an application or a subject. Each device has a lane.

use std::io::{self, Write};

use chrono::{Datelike, NaiveDateTime, NaiveTime, TimeDelta, Timelike};

use dayledger_activity::Segment;
use dayledger_request::Minutes;

use super::color::NameColors;
use super::columns::INDENT;
use super::style::{ColorDepth, Style, TextStyle};
use super::text::{fit, pad, parse_time, sanitize, width_of};

/// The possible lengths of a cell in minutes, the shortest first. An hour is a multiple of each length, or the length
/// is a number of whole hours. Cells and hours are therefore aligned.
const CELL_MINUTES: [i64; 14] = [5, 6, 10, 12, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440];
/// The possible numbers of hours between two labels, the smallest first.
const LABEL_HOURS: [i64; 5] = [1, 2, 3, 4, 6];
/// The number of hours between two labels if closer labels don't fit. This is for a range of at most a day.
const HALF_DAY: i64 = 12;
/// The number of hours between two labels if closer labels don't fit. This is for a range of more than a day. The
/// labels are then days of the month.
const MAX_STEP_HOURS: i64 = 24;
/// The maximum width of a device name before a lane.
const MAX_NAME_WIDTH: usize = 16;
/// The width of a label: two digits and two spaces.
const LABEL_WIDTH: i64 = 4;

/// A segment on the activity bar.
struct Interval<'a> {
    start: NaiveDateTime,
    end: NaiveDateTime,
    length: Minutes,
    name: &'a str,
    lane: usize,
}

/// The minutes of each name in a cell, in the order in which the names first appear.
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
        // If several names have the same time, the first of them is returned. `max_by` would return the last of them.
        Some(self.0.iter().fold(first, |best, next| if next.1 > best.1 { *next } else { best }).0)
    }
}

/// Writes the lanes, and the labels of the hours below the lanes. Writes nothing if no segment has a valid time.
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
    // For a range of months, the length of a cell is chosen so that the bar fits into the line. In this case, cells and
    // hours aren't aligned.
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

/// Returns the names of the devices in the order in which they first appear, and an interval for each segment.
fn intervals(segments: &[Segment]) -> (Vec<&str>, Vec<Interval<'_>>) {
    let mut devices: Vec<&str> = Vec::new();
    let mut stretches = Vec::with_capacity(segments.len());
    for segment in segments {
        let Some(start) = parse_time(&segment.start) else { continue };
        // If the clock goes back during a segment, its local end can be before its local start. In this case, the end
        // is computed from the duration.
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

/// Distributes the minutes of each interval evenly over its cells. The exact distribution isn't known, because the
/// response doesn't contain the gaps in a segment.
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
        // The end is exclusive, so an interval that ends at the start of a cell has no time in this cell.
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

/// Returns the character for a cell. The active part of the cell is `share`. With colours, the height of the character
/// shows this share, and its colour shows the application. Without colours, the density of the character shows the
/// share.
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

/// Returns the line with the labels. Each label is below the first cell of its hour. For a long range, labels are days
/// of the month.
fn labels(from: NaiveDateTime, cell: i64, length: i64, count: usize) -> String {
    let step = LABEL_HOURS.into_iter().find(|hours| hours * 60 / cell >= LABEL_WIDTH);
    // Labels of days are at midnight. A range of at most a day may not contain midnight, so its labels are hours.
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
            // The end of a day is shown as 24, because this is clearer than 00 of the next day.
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
