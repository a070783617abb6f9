//! The instructions that a model reads before its first call.

/// The tools to start with, and the use of each.
const STARTS: [(&str, &str); 4] = [
    ("get_daily_summary", "one day"),
    ("get_period_summary", "up to 31 days"),
    ("get_activity_narrative", "what was done when in any range"),
    ("suggest_time_entries", "hours to log"),
];

/// Returns the server's instructions. They mention only tools that the server `offers`.
pub(super) fn instructions(offers: impl Fn(&str) -> bool) -> String {
    let starts: Vec<_> =
        STARTS.iter().filter(|(tool, _)| offers(tool)).map(|(tool, use_for)| format!("{tool} ({use_for})")).collect();
    let start = match starts.as_slice() {
        [] => String::new(),
        [only] => format!("Start with {only}. "),
        [first @ .., last] => format!("Start with {} or {last}. ", first.join(", ")),
    };
    format!(
        "Answers what was done on this computer, from its ManicTime history; local; the history is only read. {start}Dates are \
         local, without offset, ends exclusive: startDate 2025-01-15 alone is that day, 2025-W03 that week; today, last \
         week and last 7 days work too. `timeBasis` names the kind of time: active (computer in use; narrative, \
         summaries; active+calls with calls away from the keyboard) or recorded (goes on while the user is away; usage, tags, activities). Never mix the two. Totals in \
         an answer are authoritative, do not add up rows; `truncation` and `diagnostics` say what is missing; pass \
         `truncation.nextCursor` as `cursor` for the rest. The resource manictime://guide has playbooks and the meaning \
         of the numbers."
    )
}
