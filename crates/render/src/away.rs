//! Describes intervals away from the computer, for the terminal and for pages.

use super::text::{client_of, document_name, task_of};
use dayledger_activity::{AwayInterval, Segment};
use dayledger_source::ComputerState;

/// A row in the list of a day: a block, or an interval away from the computer.
#[derive(Debug, Clone, Copy)]
pub(super) enum DayRow<'a> {
    Block(&'a Segment),
    Away(&'a AwayInterval),
}

impl<'a> DayRow<'a> {
    /// Returns the local start of the row.
    pub(super) fn start(self) -> &'a str {
        match self {
            Self::Block(block) => &block.start,
            Self::Away(interval) => &interval.start,
        }
    }

    /// Merges blocks and intervals away from the computer. Blocks keep their order. If the clock goes back, this isn't
    /// the order of local times. Each interval is placed before the first block that starts at the same time or later.
    pub(super) fn merge(blocks: &'a [Segment], away: &'a [AwayInterval]) -> Vec<Self> {
        let mut rows = Vec::with_capacity(blocks.len() + away.len());
        let mut away = away.iter().peekable();
        for block in blocks {
            while let Some(interval) = away.next_if(|interval| interval.start <= block.start) {
                rows.push(Self::Away(interval));
            }
            rows.push(Self::Block(block));
        }
        rows.extend(away.map(Self::Away));
        rows
    }
}

/// Returns texts about an interval. The first text is the state of the computer, such as `away`. The other texts are
/// the tags, meetings and notes of the interval, such as `Estimate (Northwind), calendar: Review`. A meeting is listed
/// without a client, because a tag at the same time can be about other work. The texts contain names from the history,
/// so the caller must sanitise them.
pub(super) fn describe(interval: &AwayInterval) -> Vec<String> {
    let state = match interval.state {
        ComputerState::Locked => "locked",
        ComputerState::Off => "off",
        ComputerState::Active | ComputerState::Away => "away",
        ComputerState::Unknown => "not recorded",
    };
    std::iter::once(state.to_owned()).chain(evidence(interval)).collect()
}

fn evidence(interval: &AwayInterval) -> Option<String> {
    let tags = interval.tags.as_deref().unwrap_or_default();
    let meetings = interval.meetings.as_deref().unwrap_or_default().join(", ");
    let notes = interval.notes_taken.iter().flatten().map(|path| document_name(path));
    let notes = notes.map(|note| format!("note: {note}"));
    let meetings = (!meetings.is_empty()).then(|| format!("calendar: {meetings}"));
    let all: Vec<_> = tags.iter().map(|tag| tag_text(tag)).chain(meetings).chain(notes).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Formats a tag as its task and client, such as `Estimate (Northwind)`.
fn tag_text(tag: &str) -> String {
    task_of(tag).map_or_else(|| tag.to_owned(), |task| format!("{task} ({})", client_of(tag)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dayledger_request::minutes;

    fn describe_interval(tags: &[&str], meetings: &[&str], notes: &[&str]) -> String {
        let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
        describe(&AwayInterval {
            start: "2025-01-15T10:03:00".to_owned(),
            end: "2025-01-15T10:43:00".to_owned(),
            duration_minutes: minutes(2400),
            state: ComputerState::Locked,
            tags: names(tags),
            meetings: names(meetings),
            notes_taken: names(notes),
        })
        .join(" · ")
    }

    #[test]
    fn an_interval_names_its_evidence() {
        assert_eq!(describe_interval(&[], &[], &[]), "locked");
        assert_eq!(describe_interval(&["Northwind, Portal"], &[], &[]), "locked · Portal (Northwind)");
        assert_eq!(describe_interval(&["Northwind"], &[], &[]), "locked · Northwind");
        assert_eq!(
            describe_interval(&["Northwind, Meetings"], &["Estimate"], &["/notes/estimate.md"]),
            "locked · Meetings (Northwind), calendar: Estimate, note: estimate.md"
        );
    }

    /// The user may not have attended the meeting, so a tag at the same time can be about other work.
    #[test]
    fn a_meeting_of_the_calendar_has_no_client() {
        assert_eq!(describe_interval(&[], &["Lunch talk"], &[]), "locked · calendar: Lunch talk");
        assert_eq!(
            describe_interval(&["Northwind"], &["Harbour review"], &[]),
            "locked · Northwind, calendar: Harbour review"
        );
    }
}
