//! The instructions that a model reads before its first call.

use dayledger_core::local_days::LocalDays;

/// The tools with which a model should start, each with its use.
const STARTS: [(&str, &str); 5] = [
    ("get_daily_summary", "one day"),
    ("get_period_summary", "up to 31 days"),
    ("get_activity_narrative", "what was done when, for any range"),
    ("find_activity", "words, over the whole history"),
    ("suggest_time_entries", "hours to log"),
];

/// A toolset that is off by default: its name, its use, and one of its tools. If the server offers that tool, the
/// toolset is on. The tool only reads, so a read-only server also offers it.
const OPTIONAL_TOOLSETS: [(&str, &str, &str); 2] = [
    ("timesheet", "draft and log hours", "suggest_time_entries"),
    ("notes", "meeting notes and action items", "list_notes"),
];

/// Returns the server's instructions. The instructions mention only the tools that `offers` accepts. They also explain
/// how to turn on the other toolsets.
pub(super) fn instructions(offers: impl Fn(&str) -> bool) -> String {
    let starts: Vec<_> =
        STARTS.iter().filter(|(tool, _)| offers(tool)).map(|(tool, use_for)| format!("{tool} ({use_for})")).collect();
    let start = match starts.as_slice() {
        [] => String::new(),
        [only] => format!("Start with {only}. "),
        [first @ .., last] => format!("Start with {} or {last}. ", first.join(", ")),
    };
    let off: Vec<_> = OPTIONAL_TOOLSETS.iter().filter(|(.., tool)| !offers(tool)).collect();
    let turn_on = if off.is_empty() {
        String::new()
    } else {
        let uses: Vec<_> = off.iter().map(|(name, use_for, _)| format!("{name} ({use_for})")).collect();
        let names: Vec<_> = off.iter().map(|(name, ..)| *name).collect();
        format!(
            " Toolsets that are off: {}; the user can turn one on by adding its name to `--toolsets` in the command of \
             this server, such as `dayledger serve --toolsets activity,screenshots,sql,{}`.",
            uses.join(", "),
            names.join(",")
        )
    };
    let days = LocalDays::current().day_start;
    let days = if days.is_midnight() { String::new() } else { format!("Days start at {days}, not at midnight. ") };
    format!(
        "Shows what the user did on this computer, from its time tracker's history, which is local and only read. \
         {start}Dates are local, without offset, and ends are exclusive: startDate 2025-01-15 alone is that day, \
         2025-W03 that week; today, last week and last 7 days work too. {days}`timeBasis` is the kind of time: active \
         (computer in use; narrative, summaries), active+calls (also calls away from the keyboard) or recorded \
         (includes time away; usage, tags, activities). Never mix kinds. The history can contain meetings: events of \
         the user's calendar, calls, and time that the user tagged as a meeting. It also contains time away from the \
         computer: when the user was away, and what they tagged it as. Totals in a response are authoritative, so do \
         not add up rows. `truncation` and `diagnostics` report missing data; pass `truncation.nextCursor` as \
         `cursor` to get the rest. The resource manictime://guide has playbooks and the meaning of the \
         numbers.{turn_on}"
    )
}

#[cfg(test)]
mod tests {
    use super::instructions;

    #[test]
    fn the_instructions_describe_how_to_turn_on_only_the_toolsets_that_are_off() {
        let default = instructions(|tool| !["suggest_time_entries", "list_notes"].contains(&tool));
        assert!(default.contains("timesheet (draft and log hours), notes (meeting notes"), "{default}");
        assert!(default.contains("`--toolsets`"), "{default}");
        let without_notes = instructions(|tool| tool != "list_notes");
        assert!(without_notes.contains("off: notes (") && !without_notes.contains("timesheet ("), "{without_notes}");
        assert!(!instructions(|_| true).contains("--toolsets"));
    }
}
