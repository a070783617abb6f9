//! The instructions that a model reads before its first call.

use chrono::Weekday;
use dayledger_core::local_days::{LocalDays, weekday_name};

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
    let days = days_text(LocalDays::current());
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

/// Returns sentences about the start of days and weeks, for days that don't start at midnight and weeks that don't start
/// on Monday. Each sentence ends with a space.
fn days_text(LocalDays { day_start, week_start }: LocalDays) -> String {
    let mut text = String::new();
    if !day_start.is_midnight() {
        text = format!("Days start at {day_start}, not at midnight. ");
    }
    if week_start != Weekday::Mon {
        let name = weekday_name(week_start);
        text = format!("{text}Weeks start on {name}, but a week with a number such as 2025-W03 starts on Monday. ");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instructions_describe_how_to_turn_on_only_the_toolsets_that_are_off() {
        let default = instructions(|tool| !["suggest_time_entries", "list_notes"].contains(&tool));
        assert!(default.contains("timesheet (draft and log hours), notes (meeting notes"), "{default}");
        assert!(default.contains("`--toolsets`"), "{default}");
        let without_notes = instructions(|tool| tool != "list_notes");
        assert!(without_notes.contains("off: notes (") && !without_notes.contains("timesheet ("), "{without_notes}");
        assert!(!instructions(|_| true).contains("--toolsets"));
    }

    #[test]
    fn the_instructions_contain_only_a_changed_start_of_days_and_weeks() {
        let text = |start: &str, week_start| days_text(LocalDays { day_start: start.parse().unwrap(), week_start });
        assert_eq!(text("00:00", Weekday::Mon), "");
        let both = text("-02:00", Weekday::Sun);
        assert!(both.starts_with("Days start at -02:00, not at midnight. Weeks start on Sunday, "), "{both}");
        assert!(!text("00:00", Weekday::Sat).contains("midnight"));
    }
}
