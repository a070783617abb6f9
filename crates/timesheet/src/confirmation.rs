//! The confirmation of a change that can't be undone: the question for the user, and a code that identifies the change.
//!
//! A caller that passes the code has seen the question. Any change to the entries changes the code, so a confirmation is
//! valid only for the entries that the user saw.

use serde_json::json;

use crate::draft::digest;
use crate::entry::TimeEntry;
use crate::hours::Hours;
use crate::rules::Operation;
use crate::sanitize::one_line;

/// The maximum number of entries that a question lists.
const MAX_LISTED: usize = 10;
/// The maximum number of characters of a description in a question.
const MAX_DESCRIPTION_CHARS: usize = 80;
/// The number of hexadecimal digits of a code.
const CODE_DIGITS: usize = 8;

/// Returns the code for `operation` on `entries`, such as `delete-1f0c93ab`. The code depends on every field of the
/// entries and on their order.
pub fn code(operation: Operation, entries: &[TimeEntry]) -> String {
    // The operation is part of the code, so that no code consists of digits only. Some clients would send such a code as
    // a number.
    format!("{}-{}", operation.verb(), digest(&json!(entries), CODE_DIGITS))
}

/// Returns the question for the user, in one line, such as `Confirmation required: delete 1 time entry permanently?
/// 2025-10-24, INTERNAL / Development, 1.5 h: Login page`.
pub fn question(operation: Operation, entries: &[TimeEntry]) -> String {
    let noun = if entries.len() == 1 { "time entry" } else { "time entries" };
    let effect = match operation {
        Operation::Delete => "permanently",
        Operation::Submit => "for approval, which cannot be undone",
        Operation::Update | Operation::Move => "now",
    };
    let listed: Vec<_> = entries.iter().take(MAX_LISTED).map(describe).collect();
    let more = match entries.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!("; and {more} more, {} h in total", entries.iter().map(TimeEntry::total_hours).sum::<Hours>()),
    };
    let (verb, count) = (operation.verb(), entries.len());
    format!("Confirmation required: {verb} {count} {noun} {effect}? {}{more}", listed.join("; "))
}

/// Returns the days, the task, the hours and the description of an entry, in one line.
fn describe(entry: &TimeEntry) -> String {
    let days = match (entry.start_date, entry.completion_date) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    };
    let description = one_line(entry.description.as_deref().unwrap_or_default());
    let description = match description.char_indices().nth(MAX_DESCRIPTION_CHARS) {
        Some((end, _)) => format!(": {}…", &description[..end]),
        None if description.is_empty() => description,
        None => format!(": {description}"),
    };
    format!("{days}, {} / {}, {} h{description}", entry.project_code, entry.task, entry.total_hours())
}

#[cfg(test)]
mod tests {
    use chrono::Utc;

    use super::*;
    use crate::entry::NewEntry;
    use crate::id::EntryId;

    fn entry(day: &str, hours: i64) -> TimeEntry {
        let day = day.parse().unwrap();
        let new = NewEntry::new("INTERNAL", "Development", Hours::from_hundredths(hours * 100), day, day);
        TimeEntry::from_new(EntryId::new(), new, Utc::now())
    }

    #[test]
    fn a_code_is_valid_for_one_operation_on_unchanged_entries() {
        let before = entry("2025-10-24", 2);
        let shown = code(Operation::Delete, std::slice::from_ref(&before));
        assert_eq!(shown, code(Operation::Delete, std::slice::from_ref(&before)));
        assert_ne!(shown, code(Operation::Submit, std::slice::from_ref(&before)));
        let changed = TimeEntry { description: Some("Login".to_owned()), ..before.clone() };
        assert_ne!(shown, code(Operation::Delete, &[changed]));
        assert_ne!(shown, code(Operation::Delete, &[before, entry("2025-10-25", 1)]));
    }

    #[test]
    fn a_question_lists_the_entries_in_one_line() {
        let mut one = entry("2025-10-24", 2);
        one.description = Some(format!("Login\npage {}", "x".repeat(100)));
        let text = question(Operation::Delete, std::slice::from_ref(&one));
        let start = "Confirmation required: delete 1 time entry permanently? 2025-10-24, INTERNAL / Development, 2 h: \
                     Login page xx";
        assert!(text.starts_with(start) && text.ends_with("x…") && text.len() < 200, "{text}");
        let many: Vec<_> = (0..12).map(|_| entry("2025-10-24", 2)).collect();
        let text = question(Operation::Submit, &many);
        assert!(text.starts_with("Confirmation required: submit 12 time entries for approval"), "{text}");
        assert!(text.ends_with("; and 2 more, 24 h in total"), "{text}");
    }
}
