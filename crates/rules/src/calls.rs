//! Built-in rules that recognise calls by window titles and sites.
//!
//! The application isn't enough to recognise a call, because applications such as Teams also show chats and calendars.

use super::condition::{Condition, Pattern, Word};
use super::rule::Rule;

/// A rule with three parts: its name, whether it marks calls (`true`) or excludes windows from calls (`false`), and its
/// patterns. All patterns must match.
type KnownCall = (&'static str, bool, &'static [(Word, &'static str)]);

/// The rules, in order of precedence.
const KNOWN: [KnownCall; 9] = [
    // Outside a call, the window title of Teams starts with the name of a section and a bar, such as `Chat |`. During a
    // call, the title starts with the subject of the call.
    (
        "Teams without a call",
        false,
        &[
            (Word::App, "*teams*"),
            (
                Word::Title,
                r"regex:^(\(\d+\) ?)?(activity|chats?|calendar|calls|teams( and channels)?|files|communities|apps|copilot|search|aktivität|kalender|anrufe|dateien|suche) \|",
            ),
        ],
    ),
    (
        "Teams",
        true,
        &[
            (Word::App, "*teams*"),
            (
                Word::Title,
                r"regex:^[^|]+ \| microsoft teams$|^((meeting|call)\b|sharing control bar|sharing \|)[^|]*.*\| microsoft teams|\bcall in progress\b",
            ),
        ],
    ),
    (
        "Teams in a browser",
        true,
        &[
            (Word::Site, r"regex:^teams\.(microsoft|live|cloud)\b"),
            (Word::Title, r"regex:\b(meeting|call)\b[^|]*\| microsoft teams"),
        ],
    ),
    ("Zoom", true, &[(Word::App, "*zoom*"), (Word::Title, r"regex:\bzoom[ -](meeting|webinar)\b")]),
    ("Zoom in a browser", true, &[(Word::Url, r"regex:^https?://([a-z0-9-]+\.)?zoom\.us/wc/")]),
    ("Google Meet", true, &[(Word::Site, "meet.google.com")]),
    (
        "Google Meet by its title",
        true,
        &[
            (Word::App, "regex:chrome|edge|firefox|safari|opera|brave|vivaldi|arc|chromium|meet"),
            (Word::Title, r"regex:^meet\s+[-–—]\s"),
        ],
    ),
    (
        "Webex",
        true,
        &[(Word::App, "regex:webex|ciscocollab"), (Word::Title, r"regex:\b(meeting|webinar|personal room|call)\b")],
    ),
    ("Slack huddle", true, &[(Word::App, "*slack*"), (Word::Title, r"regex:\bhuddle\b")]),
];

/// Returns the built-in rules. The user's own rules take precedence over the built-in rules.
pub(super) fn known_call_rules() -> impl Iterator<Item = Rule> {
    KNOWN.into_iter().map(|(name, is_call, patterns)| {
        let conditions = patterns.iter().filter_map(|(word, pattern)| {
            let pattern = Pattern::try_from((*pattern).to_owned()).ok()?;
            Some(Condition::new(*word, pattern))
        });
        Rule::new_call_rule(name, is_call, conditions.collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RuleConfig, Rules};

    /// Returns the name of the rule that matches a window, and whether this rule marks a call.
    fn deciding_rule(rules: &Rules, app: &str, title: &str, url: Option<&str>) -> Option<(String, bool)> {
        let site = url.and_then(|url| url.split('/').nth(2)).unwrap_or_default();
        let words = [(Word::App, app), (Word::Title, title), (Word::Site, site), (Word::Url, url.unwrap_or_default())];
        let calls = rules.call_rules();
        let holding: Vec<u32> =
            words.iter().flat_map(|(word, text)| calls.fulfilled_conditions(*word, text).unwrap()).collect();
        let fits = |needs: &Vec<u32>| needs.iter().all(|need| holding.contains(need));
        let place = calls.needs().iter().position(fits)?;
        let rule = &calls.rules()[place];
        Some((rule.name().to_owned(), rule.call == Some(true)))
    }

    fn is_call(app: &str, title: &str, url: Option<&str>) -> bool {
        deciding_rule(&Rules::default().with_calls_counted(true), app, title, url).is_some_and(|(_, is_call)| is_call)
    }

    #[test]
    fn every_built_in_pattern_is_valid() {
        for (rule, (_, _, patterns)) in known_call_rules().zip(KNOWN) {
            assert_eq!(rule.conditions().len(), patterns.len(), "{}", rule.name());
        }
    }

    #[test]
    fn calls_are_recognised_by_their_windows() {
        let meet = Some("https://meet.google.com/abc-defg-hij");
        for (app, title, url) in [
            ("Microsoft Teams", "Stand-up Billing | Microsoft Teams", None),
            ("ms-teams.exe", "Meeting compact view | Stand-up | Microsoft Teams", None),
            ("Microsoft Teams", "Call with Ada | Contoso | Microsoft Teams", None),
            ("Google Chrome", "Meeting with Ada | Microsoft Teams", Some("https://teams.microsoft.com/v2/")),
            ("Zoom Meetings", "Search review - Zoom Meeting", None),
            ("zoom.exe", "Zoom Meeting", None),
            ("Zoom Workplace", "Zoom Webinar", None),
            ("Firefox", "Zoom", Some("https://app.zoom.us/wc/123/join")),
            ("Google Chrome", "Quarter", meet),
            ("Google Chrome", "Meet – Quarter - Google Chrome", None),
            ("Webex", "Ada's Personal Room", None),
            ("Slack", "Huddle: #general - Slack", None),
        ] {
            assert!(is_call(app, title, url), "{app}: {title}");
        }
    }

    #[test]
    fn other_windows_of_call_applications_are_not_calls() {
        for (app, title, url) in [
            ("Microsoft Teams", "Chat | Ada Moss | Microsoft Teams", None),
            ("Microsoft Teams", "(3) Chat | Microsoft Teams", None),
            ("Microsoft Teams", "Calls | Microsoft Teams", None),
            ("Microsoft Teams", "Kalender | Microsoft Teams", None),
            ("Microsoft Teams", "General (Billing) | Posts | Microsoft Teams", None),
            ("Microsoft Teams", "Microsoft Teams", None),
            ("Google Chrome", "Chat | Ada Moss | Microsoft Teams", Some("https://teams.microsoft.com/v2/")),
            ("Zoom Meetings", "Zoom Meetings", None),
            ("Zoom Workplace", "Zoom Workplace", None),
            ("Google Chrome", "Zoom Meeting - how to share", Some("https://support.zoom.us/hc")),
            ("Microsoft Word", "Meet - the team.docx", None),
            ("Webex", "Webex", None),
            ("Slack", "general (Channel) - Slack", None),
            ("Microsoft Outlook", "Meeting with Ada - Outlook", None),
        ] {
            assert!(!is_call(app, title, url), "{app}: {title}");
        }
    }

    #[test]
    fn the_users_rules_take_precedence() {
        let written: Vec<RuleConfig> = serde_json::from_value(serde_json::json!([
            {"app": "*zoom*", "category": "Meetings"},
            {"app": "*zoom*", "title": "*choir*", "call": false},
            {"app": "phone*", "call": true, "category": "Talks"},
        ]))
        .unwrap();
        let rules = Rules::new(written.into_iter().map(|rule| rule.try_into().unwrap()).collect()).unwrap();
        let decided = |app: &str, title: &str| deciding_rule(&rules.clone().with_calls_counted(true), app, title, None);
        assert_eq!(decided("zoom.exe", "Choir - Zoom Meeting"), Some(("no call".to_owned(), false)));
        assert_eq!(decided("zoom.exe", "Zoom Meeting"), Some(("Zoom".to_owned(), true)));
        assert_eq!(decided("Phone Link", "Ada"), Some(("Talks".to_owned(), true)));
        assert!(rules.call_rules().is_empty(), "calls do not count unless the user says so");
        // A rule that only sets `call` doesn't assign work.
        assert_eq!(rules.needs(), [vec![1], vec![0], vec![2]]);
    }
}
