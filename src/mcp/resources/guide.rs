//! The resource `manictime://guide`: instructions that a model reads before its first call. They are short, so that a
//! model reads them completely.
//!
//! The text is `guide.md`, with the playbooks of [`skills`](super::skills). The list of tools in the text is generated
//! from the served tools. If a line contains the name of a tool that isn't served, the line is removed. Therefore the
//! guide never recommends a missing tool. The start of days and weeks in the text is the setting of this process.

use dayledger_core::local_days::{LocalDays, weekday_name};
use dayledger_mcp::{ServedTools, ToolEntry};

use super::skills::insert_playbooks;
use crate::mcp::history_handler::HistoryHandler;

const TEXT: &str = include_str!("guide.md");

/// The placeholder for the list of tools in the text.
const INVENTORY: &str = "{inventory}";

/// The placeholders for the start of days and the first weekday of weeks in the text.
const DAY_START: &str = "{day_start}";
const WEEK_START: &str = "{week_start}";

/// Returns the guide for a server with the tools in `served`.
pub(super) fn text<R: HistoryHandler>(served: &ServedTools<R>) -> String {
    let absent: Vec<String> = served.absent().iter().map(|name| format!("`{name}`")).collect();
    let inventory: Vec<String> = served.entries().map(line).collect();
    let text = insert_playbooks(TEXT.trim_end()).replace(INVENTORY, &inventory.join("\n"));
    let days = LocalDays::current();
    let text = text.replace(DAY_START, &days.day_start.describe()).replace(WEEK_START, weekday_name(days.week_start));
    let blocks: Vec<String> = text.split("\n\n").filter_map(|block| filter_block(block, &absent)).collect();
    let is_heading = |block: &String| block.starts_with("## ");
    let full = blocks.iter().enumerate().filter(|(at, block)| {
        // A heading is also removed if no content follows it.
        !is_heading(block) || blocks.get(at + 1).is_some_and(|next| !is_heading(next))
    });
    let mut text = full.map(|(_, block)| block.as_str()).collect::<Vec<_>>().join("\n\n");
    text.push('\n');
    text
}

/// Returns the block without the lines that name a tool of `absent`. Returns `None` if the first line of a playbook
/// names a tool of `absent`, or if a table or list has become empty.
pub(super) fn filter_block(block: &str, absent: &[String]) -> Option<String> {
    let is_possible = |line: &&str| !absent.iter().any(|name| line.contains(name.as_str()));
    let lines: Vec<&str> = block.lines().filter(is_possible).collect();
    let first = block.lines().next()?;
    let is_left = match first.chars().next() {
        Some('-') => !lines.is_empty(),
        Some('|') => lines.len() > 2,
        _ => is_possible(&first),
    };
    is_left.then(|| lines.join("\n"))
}

/// Returns a line for the list of tools: the tool's name and the first sentence of its description.
fn line<R: HistoryHandler>(entry: &ToolEntry<R>) -> String {
    let tool = entry.definition();
    let description = tool.description.as_deref().unwrap_or_default();
    let sentence = description.split_inclusive(". ").next().unwrap_or_default().trim_end();
    format!("- `{}`: {sentence}", tool.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        App,
        mcp::{Selection, ToolChoice, resources::Resources, tools::inventory},
        timesheet::CallSession,
    };

    /// Returns the guide of a server without the tools in `excluded`.
    fn guide_without(excluded: &[&str]) -> String {
        text(&ServedTools::new(inventory::<App>(), |name| !excluded.contains(&name)))
    }

    fn names_in(text: &str) -> std::collections::BTreeSet<&str> {
        let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        let words = text.split(|letter: char| !is_name(letter));
        let verbs = [
            "get_",
            "find_",
            "list_",
            "crop_",
            "save_",
            "describe_",
            "suggest_",
            "log_",
            "query_",
            "update_",
            "move_",
            "delete_",
            "submit_",
            "start_",
            "stop_",
            "process_",
            "write_",
            "compare_",
        ];
        let named = words.filter(|word| verbs.iter().any(|verb| word.starts_with(verb)));
        // `query` is also an English word, so it counts as the tool's name only in backticks.
        named.chain(text.contains("`query`").then_some("query")).collect()
    }

    #[test]
    fn the_guide_mentions_exactly_the_served_tools() {
        let served = inventory::<App>();
        let registry: Vec<&str> = served.iter().map(ToolEntry::name).collect();
        let mut excluded: Vec<Vec<&str>> = registry.iter().map(|name| vec![*name]).collect();
        excluded.extend([vec![], registry.clone(), registry[1..].to_vec()]);
        for excluded in excluded {
            let text = guide_without(&excluded);
            let expected = registry.iter().copied().filter(|name| !excluded.contains(name)).collect();
            assert_eq!(names_in(&text), expected, "without {excluded:?}: {text}");
        }
        // Each tool appears in the generated list, and at least once more in advice about the use of the tool.
        for name in registry {
            assert!(guide_without(&[]).matches(&format!("`{name}`")).count() > 1, "{name}");
        }
    }

    #[test]
    fn the_guide_fits_its_token_budget() {
        let tokens = |text: String| tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len();
        let unasked = Selection::from_choice(&ToolChoice::default()).expect("tools").served_tools::<App>();
        assert!(tokens(text(&unasked)) < 2_500);
        assert!(tokens(guide_without(&[])) < 3_300);
    }

    #[test]
    fn sections_without_tools_are_left_out() {
        let text = guide_without(&["get_period_summary", "get_activities", "get_daily_summary"]);
        assert!(!text.contains("Week review") && text.contains("One moment"), "{text}");
        assert!(text.contains("- Part of a day") && !text.contains("- One day"), "{text}");
        let served = inventory::<App>();
        let registry: Vec<&str> = served.iter().map(ToolEntry::name).collect();
        let bare = guide_without(&registry);
        assert!(!bare.contains("## Tools") && !bare.contains('|'), "{bare}");
        assert!(bare.contains("## Dates") && !bare.contains("\n\n\n") && !bare.contains(INVENTORY), "{bare}");
    }

    #[test]
    fn the_guide_mentions_only_existing_resources() {
        let text = guide_without(&[]);
        let mut named = text.split("manictime://").skip(1).map(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-').unwrap_or(rest.len());
            format!("manictime://{}", &rest[..end])
        });
        let resources = Resources::<App>::new(ServedTools::new(inventory(), |_| true).into(), CallSession::new());
        assert!(named.all(|uri| resources.change_source(&uri).is_some()), "{text}");
        assert!(text.contains("manictime://health") && text.contains("manictime://data-range"));
    }
}
