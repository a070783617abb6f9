//! Decodes a calendar file, joins its folded lines and finds its events.
//!
//! This module only examines lines. The crate `icalendar` parses the properties between `BEGIN:VEVENT` and `END:VEVENT`
//! that describe a meeting. Components inside an event, such as alarms, are skipped. Lines that are too long are
//! skipped too.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use icalendar::parser::{Parameter, Property};

/// The names of the properties that are read from an event.
const EVENT_PROPERTIES: [&str; 14] = [
    "UID",
    "SUMMARY",
    "DTSTART",
    "DTEND",
    "DURATION",
    "RRULE",
    "RDATE",
    "EXDATE",
    "RECURRENCE-ID",
    "SEQUENCE",
    "LAST-MODIFIED",
    "DTSTAMP",
    "STATUS",
    "TRANSP",
];
/// The maximum length of a line in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;
/// The maximum number of properties of an event. The limit is high, because a recurring meeting can have thousands of
/// excluded dates.
const MAX_PROPERTIES: usize = 10_000;

/// Whether a text begins like a calendar.
pub(super) fn is_calendar(text: &str) -> bool {
    text.trim_start().get(..15).is_some_and(|start| start.eq_ignore_ascii_case("BEGIN:VCALENDAR"))
}

/// Decodes a file and joins its folded lines. The encoding is UTF-8, or UTF-16 with a byte order mark. Otherwise it is
/// Windows-1252, which includes ISO 8859-1.
pub(super) fn decode_text(bytes: &[u8]) -> String {
    match Encoding::for_bom(bytes) {
        Some((encoding, mark)) if encoding == UTF_8 => decode_utf8(unfold_lines(&bytes[mark..])),
        Some((utf16, _)) => decode_utf8(unfold_lines(utf16.decode_with_bom_removal(bytes).0.as_bytes())),
        None => decode_utf8(unfold_lines(bytes)),
    }
}

/// Joins the folded lines of a file. The input is bytes instead of text, because a line can be folded in the middle of
/// a character (RFC 5545, 3.1).
fn unfold_lines(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(bytes.len());
    // Some programs end lines with a carriage return only.
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    for line in bytes.split_inclusive(|byte| *byte == end) {
        if let [b' ' | b'\t', rest @ ..] = line {
            // The line before can end with `\r\n`, `\n` or `\r`. So `\n` must be removed before `\r`.
            whole.pop_if(|byte| *byte == b'\n');
            whole.pop_if(|byte| *byte == b'\r');
            whole.extend_from_slice(rest);
        } else {
            whole.extend_from_slice(line);
        }
    }
    if end == b'\r' {
        whole.iter_mut().filter(|byte| **byte == end).for_each(|byte| *byte = b'\n');
    }
    whole
}

/// Decodes bytes without a byte order mark. If at least one line contains characters beyond ASCII and is valid UTF-8,
/// the file is UTF-8, possibly with damaged lines. Otherwise, it is Windows-1252.
fn decode_utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.as_bytes();
        let is_utf8 = |line: &[u8]| !line.is_ascii() && str::from_utf8(line).is_ok();
        if bytes.split(|byte| *byte == b'\n').any(is_utf8) {
            String::from_utf8_lossy(bytes).into_owned()
        } else {
            WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
        }
    })
}

/// Splits a text with joined lines into its calendars. A file can contain several calendars, each with its own time
/// zones.
pub(super) fn split_calendars(text: &str) -> impl Iterator<Item = &str> {
    let is_start = |at: &usize| text.get(*at..).is_some_and(|rest| has_prefix_ignoring_case(rest, "BEGIN:VCALENDAR"));
    let lines = text.match_indices('\n').map(|(end, _)| end + 1);
    let starts: Vec<_> = std::iter::once(0).chain(lines.filter(is_start)).chain([text.len()]).collect();
    let parts: Vec<_> = starts.windows(2).filter_map(|part| text.get(*part.first()?..*part.last()?)).collect();
    parts.into_iter()
}

/// Calls `event` with the properties of each event in a calendar.
pub(super) fn for_each_event(calendar: &str, mut event: impl FnMut(&[Property<'_>])) {
    let (mut properties, mut depth) = (Vec::new(), None::<usize>);
    for line in calendar.lines() {
        let is = |keyword: &str| has_prefix_ignoring_case(line, keyword);
        match depth {
            None if is("BEGIN:VEVENT") => depth = Some(0),
            // Another event begins before the current event has ended. The missing end must not hide the new event.
            Some(_) if is("BEGIN:VEVENT") => {
                event(&properties);
                properties.clear();
                depth = Some(0);
            }
            Some(level) if is("BEGIN:") => depth = Some(level + 1),
            // At this level, every `END:` ends the event. For example, if an event lacks its own end, `END:VCALENDAR`
            // ends it.
            Some(0) if is("END:") => {
                event(&properties);
                properties.clear();
                depth = None;
            }
            // The match arm above handles level 0, so the level is at least 1.
            Some(level) if is("END:") => depth = Some(level - 1),
            Some(0) if properties.len() < MAX_PROPERTIES => properties.extend(find_property(line, &EVENT_PROPERTIES)),
            _ => {}
        }
    }
    if depth.is_some() {
        event(&properties);
    }
}

/// Whether a line begins with `start`, ignoring the case of ASCII letters.
pub(super) fn has_prefix_ignoring_case(line: &str, start: &str) -> bool {
    line.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

/// Returns the property in a line, if the name of the property is in `wanted`.
pub(super) fn find_property<'l>(line: &'l str, wanted: &[&str]) -> Option<Property<'l>> {
    let name = line.split([':', ';']).next().unwrap_or_default();
    if line.len() > MAX_LINE_BYTES || !wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(name)) {
        return None;
    }
    let property = Property::try_from(line).ok()?;
    let has_zone = property.params.iter().any(|parameter| parameter.key.as_str().eq_ignore_ascii_case("TZID"));
    // A time doesn't contain a colon, so the colon belongs to a zone without quotes, as in
    // `DTSTART;TZID=UTC+01:00:20261117T100000`.
    if has_zone && property.val.as_str().contains(':') { with_unquoted_zone(line, name) } else { Some(property) }
}

fn with_unquoted_zone<'l>(line: &'l str, name: &'l str) -> Option<Property<'l>> {
    let (head, value) = line.rsplit_once(':')?;
    let at = head.to_ascii_uppercase().find("TZID=")? + "TZID=".len();
    let zone = head.get(at..)?.split(';').next();
    Some(Property { name: name.into(), val: value.into(), params: vec![Parameter::new_ref("TZID", zone)] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_folded_inside_a_character_are_unfolded() {
        let folded =
            [b"\xEF\xBB\xBFSUMMARY:\xC3\r\n \x9Cbung\n\t am Montag\r\nUID:1\r\n".as_slice(), b" \xFF"].concat();
        assert_eq!(decode_text(&folded), "SUMMARY:\u{dc}bung am Montag\r\nUID:1\u{fffd}");
        assert_eq!(decode_text(b" no line before"), "no line before");
        assert_eq!(decode_text(b"SUMMARY:A\r long\r title\rUID:1\r"), "SUMMARY:Alongtitle\nUID:1\n");
    }
}
