//! A file's lines, and the events among them.
//!
//! Only lines are looked at here: what is folded is unfolded first, and of what stands between `BEGIN:VEVENT` and `END:VEVENT`
//! the properties that make a meeting are read, by crate `icalendar`. What is nested in an event, such as an alarm, is
//! passed over however deep it is, and so is a line too long to be one of ours.

use icalendar::parser::Property;

/// The properties of an event that are read.
const WANTED: [&str; 12] = [
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
    "STATUS",
    "TRANSP",
];
/// How many bytes a line may have.
const LONGEST_LINE: usize = 64 << 10;
/// How many properties of an event are read: a meeting can have thousands of exceptions.
const MOST_PROPERTIES: usize = 10_000;
/// How many events of a file are read.
const MOST_EVENTS: usize = 200_000;

/// Whether a text looks like a calendar.
pub(super) fn is_calendar(text: &str) -> bool {
    text.trim_start().get(..15).is_some_and(|start| start.eq_ignore_ascii_case("BEGIN:VCALENDAR"))
}

/// The text of a file whose long lines are whole again. They may be folded inside a letter (RFC 5545, 3.1), so this is
/// done before letters are looked at.
pub(super) fn unfolded(bytes: &[u8]) -> String {
    let mut whole = Vec::with_capacity(bytes.len());
    for line in bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).split_inclusive(|byte| *byte == b'\n') {
        if let [b' ' | b'\t', rest @ ..] = line {
            whole.pop_if(|byte| *byte == b'\n');
            whole.pop_if(|byte| *byte == b'\r');
            whole.extend_from_slice(rest);
        } else {
            whole.extend_from_slice(line);
        }
    }
    String::from_utf8_lossy(&whole).into_owned()
}

/// Calls `event` with the properties of each event of a text whose lines are whole.
pub(super) fn each_event(text: &str, mut event: impl FnMut(&[Property<'_>])) {
    let (mut properties, mut depth, mut events) = (Vec::new(), None::<usize>, 0);
    for line in text.lines() {
        let is = |keyword: &str| line.get(..keyword.len()).is_some_and(|start| start.eq_ignore_ascii_case(keyword));
        match depth {
            None if is("BEGIN:VEVENT") => depth = Some(0),
            // One that does not end takes none with it.
            Some(_) if is("BEGIN:VEVENT") => {
                event(&properties);
                properties.clear();
                depth = Some(0);
            }
            Some(level) if is("BEGIN:") => depth = Some(level + 1),
            Some(0) if is("END:") => {
                event(&properties);
                properties.clear();
                depth = None;
                events += 1;
                if events >= MOST_EVENTS {
                    return;
                }
            }
            Some(level) if is("END:") => depth = Some(level - 1),
            Some(0) if is_wanted(line) && properties.len() < MOST_PROPERTIES => {
                properties.extend(Property::try_from(line).ok());
            }
            _ => {}
        }
    }
}

fn is_wanted(line: &str) -> bool {
    let name = line.split([':', ';']).next().unwrap_or_default();
    line.len() <= LONGEST_LINE && WANTED.iter().any(|wanted| wanted.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_again_though_they_were_folded_inside_a_letter() {
        let folded =
            [b"\xEF\xBB\xBFSUMMARY:\xC3\r\n \x9Cbung\n\t am Montag\r\nUID:1\r\n".as_slice(), b" \xFF"].concat();
        assert_eq!(unfolded(&folded), "SUMMARY:\u{dc}bung am Montag\r\nUID:1\u{fffd}");
        assert_eq!(unfolded(b" no line before"), "no line before");
    }
}
