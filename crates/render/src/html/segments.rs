//! The tables of a day: a table of blocks, and a table of all segments.

use maud::{Markup, html};

use super::super::away::{DayRow, describe};
use super::super::text::{duration, times};
use super::colors::{Colors, Variants};
use super::document::Head::{Number, Text};
use super::document::{heads, section};
use super::legends::Legends;
use super::names::{PLAIN, display_name, file_name, site_name};
use dayledger_activity::{AwayInterval, DaySegments, Segment};
use dayledger_request::Minutes;

/// The maximum number of segments in a table. A day has a few hundred segments.
const MAX_SEGMENTS: usize = 2000;

/// Returns the section with the tables of blocks and segments.
pub(super) fn segments(day: &DaySegments, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let missing = day.segments.len().saturating_sub(MAX_SEGMENTS);
    let content = html! {
        (table("Blocks", &DayRow::merge(&day.blocks, day.away()), legends, colors))
        @if day.segments.len() > day.blocks.len() {
            details {
                summary { "All " (day.segments.len()) " segments" }
                (table("Segments", &DayRow::merge(&day.segments, &[]), legends, colors))
                @if missing > 0 { p.remark { "The last " (missing) " segments aren't listed. The totals include them." } }
            }
        }
    };
    section("segments", "Activity", &content)
}

fn table(caption: &str, rows: &[DayRow<'_>], legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    html! {
        table.segments {
            caption { (caption) }
            (heads(&[Text("Time"), Number("Length"), Text("Activity")]))
            tbody {
                @for row in rows.iter().take(MAX_SEGMENTS) {
                    @match row {
                        DayRow::Block(segment) => (segment_row(segment, legends, colors)),
                        DayRow::Away(interval) => (away_row(interval)),
                    }
                }
            }
        }
    }
}

fn segment_row(segment: &Segment, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    html! {
        tr {
            (times_and_length(&segment.start, &segment.end, segment.duration_minutes))
            td {
                i class=(format!("swatch {}", colors.class(color(segment, legends)))) {}
                bdi { b { (display_name(segment.subject())) } }
                @for detail in details(segment) { " " bdi.detail { (detail) } }
            }
        }
    }
}

/// Returns the row of an interval away from the computer. The row doesn't have a colour, because the time isn't active.
fn away_row(interval: &AwayInterval) -> Markup {
    html! {
        tr.break {
            (times_and_length(&interval.start, &interval.end, interval.duration_minutes))
            td { bdi { (display_name(&describe(interval).join(" · "))) } }
        }
    }
}

fn times_and_length(start: &str, end: &str, length: Minutes) -> Markup {
    html! {
        th scope="row" { (times(start, end, &PLAIN).unwrap_or_default()) }
        td.number { (duration(length)) }
    }
}

/// Returns the colour of a segment in the lanes. This is the colour of its subject, or of its application if it doesn't
/// have a subject.
pub(super) fn color(segment: &Segment, legends: &Legends<'_>) -> Variants {
    match subject(segment) {
        Some(subject) => legends.tags.color_of(subject),
        None => legends.applications.color_of(&segment.application),
    }
}

/// Returns the tag, project or category that a block is about. Returns `None` if the block is about an application.
pub(super) fn subject(segment: &Segment) -> Option<&str> {
    segment.block.as_ref()?.subject.as_deref()
}

/// Returns the details of a segment: the meetings, the notes that were taken, the application, the document or the
/// site, the title if it was requested, the tags, and the device.
fn details(segment: &Segment) -> Vec<String> {
    let document = segment.document.as_deref().map(file_name);
    let what = document.or_else(|| segment.website.as_deref().map(site_name));
    let tags = segment.tags.iter().flatten().map(|tag| display_name(tag));
    let title = segment.title.as_deref().map(display_name);
    let device = segment.device.as_deref().map(display_name);
    let application = Some(display_name(&segment.application)).filter(|_| segment.subject() != segment.application);
    let meetings =
        segment.block.iter().flat_map(|block| block.meetings.iter().flatten()).map(|meeting| display_name(meeting));
    let notes = segment.block.iter().flat_map(|block| block.notes_taken.iter().flatten()).map(|path| file_name(path));
    meetings.chain(notes).chain(application).chain(what).chain(title).chain(tags).chain(device).collect()
}
