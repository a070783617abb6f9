//! What was agreed, over all notes.

use dayledger_notes::agreed::{Agreed, Asked};
use dayledger_notes::survey::Survey;

use crate::folder::{Folder, at_hour};

fn agreed(folder: &Folder, asked: &Asked) -> Agreed {
    let workspace = folder.open();
    Agreed::of(&Survey::of(&workspace), asked, &at_hour(12, 0).timezone())
}

fn texts(folder: &Folder, asked: &Asked) -> Vec<String> {
    agreed(folder, asked).groups.into_iter().flat_map(|group| group.actions).map(|action| action.text).collect()
}

/// Three processed notes and one that is not, with owners self, Michael and none, and one that is done.
fn four() -> Folder {
    Folder::of(&[
        ("2024-12-10-kickoff.md", "# Kickoff\n## Action Items\n- [ ] Set up — **owner: me, urgent**\n- [x] Over — me"),
        (".raw/2024-12-10-kickoff.raw.md", ""),
        ("2024-12-09-research.md", "# Research\n## Action Items\n- [ ] Review — Michael\n"),
        (".chronicle/processed/2024-12-09-research.json", "{}"),
        ("2023-01-02-old.md", "# Old"),
        (".meta/2023-01-02-old.json", r#"{"extracted": {"action_items": [{"text": "Tidy"}]}}"#),
        ("2024-12-10-raw.md", "# Raw\n[] not yet\n## Action Items\n- [ ] of nobody"),
    ])
}

#[test]
fn open_actions_are_told_by_note_in_the_words_of_the_contract() {
    let text = agreed(&four(), &Asked::default()).to_text(&at_hour(12, 0));
    let expected = "Open action items (3 total):\n\nFrom Kickoff (Dec 10):\n- [ ] Set up (urgent)\n\n\
                    From Research (Dec 9):\n- [ ] Review — @Michael\n\nFrom Old (Jan 2, 2023):\n- [ ] Tidy";
    assert_eq!(text, expected);
    assert_eq!(agreed(&Folder::empty(), &Asked::default()).to_text(&at_hour(12, 0)), "Open action items (0 total).");
}

#[test]
fn actions_are_asked_for_by_owner_day_and_whether_they_are_done() {
    let owned = |owner: &str, include_done| Asked { owner: Some(owner.to_owned()), include_done, from: None };
    assert_eq!(texts(&four(), &owned("me", false)), ["Set up"]);
    assert_eq!(texts(&four(), &owned("SELF", true)), ["Set up", "Over"]);
    assert_eq!(texts(&four(), &owned("michael", false)), ["Review"]);
    assert_eq!(texts(&four(), &owned("", false)), [""; 0]);
    let from = |day: &str| Asked { from: Some(day.parse().unwrap()), ..Asked::default() };
    assert_eq!(texts(&four(), &from("2024-12-10")), ["Set up"]);
    assert_eq!(texts(&four(), &from("2024-12-11")), [""; 0]);
    let with_done = agreed(&four(), &Asked { include_done: true, ..Asked::default() });
    assert_eq!(with_done.total(), 4);
    assert!(with_done.to_text(&at_hour(12, 0)).contains("\n- [x] Over\n"));
}

#[test]
fn metadata_counts_before_what_the_application_keeps_and_that_before_the_text() {
    let folder = four();
    let kept = |source: &str| {
        let actions = serde_json::json!([
            {"text": "Kept", "owner": "I", "source": source, "line": 3, "status": "stale"},
            {"text": "Kept too", "source": source, "status": "done"},
            {"text": "Lost", "source": "gone.md", "status": "open"},
            {"source": source},
        ]);
        folder.write(".chronicle/actions.json", actions.to_string());
        texts(&folder, &Asked { from: Some("2024-12-09".parse().unwrap()), ..Asked::default() })
    };
    assert_eq!(kept("2024-12-09-research.md"), ["Set up", "Kept"]);
    assert_eq!(kept(folder.path("2024-12-09-research.md").to_str().unwrap()), ["Set up", "Kept"]);
    folder.write(".meta/2024-12-09-research.json", r#"{"extracted": {"action_items": []}}"#);
    assert_eq!(kept("2024-12-09-research.md"), ["Set up"]);
}

#[test]
fn a_box_that_is_ticked_in_the_note_is_done() {
    let folder = four();
    folder.write("2023-01-02-old.md", "# Old\n## Action Items\n- [x] Tidy — me\n");
    assert_eq!(texts(&folder, &Asked::default()), ["Set up", "Review"]);
}

#[test]
fn what_the_application_has_made_is_read_in_both_shapes_and_with_a_byte_order_mark() {
    let folder = Folder::of(&[
        ("c.md", "# C"),
        (".chronicle/processed/c.json", "\u{feff}{\"actionItems\": [{\"text\": \"v\"}]}"),
        ("d.md", "# D"),
        (".chronicle/actions.json", "\u{feff}[{\"text\": \"w\", \"source\": \"d.md\"}]"),
        ("sub/a.md", "# A"),
        (".chronicle/processed/sub/a.json", r#"{"actionItems": [{"text": "x", "owner": "me", "done": false}]}"#),
        ("b.md", "# B"),
        (
            ".chronicle/processed/b.md.json",
            r#"{"actionItems": [{"text": "y", "sourceLine": 2}, {"text": "z", "done": true}]}"#,
        ),
    ]);
    let mut texts = texts(&folder, &Asked::default());
    texts.sort();
    assert_eq!(texts, ["v", "w", "x", "y"]);
}

#[test]
fn titles_actions_and_owners_stay_in_their_line() {
    let long = "ä".repeat(2000);
    let folder = Folder::of(&[("2024-12-10.md", &format!("# \u{1b}[2J{long}"))]);
    let action =
        serde_json::json!({"text": format!("x\u{7}\n\n- [x] of nobody {long}"), "owner": format!("A\u{9b}\n{long}")});
    let meta = serde_json::json!({"extracted": {"action_items": [action]}});
    folder.write(".meta/2024-12-10.json", meta.to_string());
    let text = agreed(&folder, &Asked::default()).to_text(&at_hour(12, 0));
    assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
    assert!(text.contains(&format!("\n\nFrom [2J{}… (Dec 10):\n- [ ] x - [x] of nobody ä", "ä".repeat(197))), "{text}");
    assert_eq!((text.lines().count(), text.contains("… — @A ä")), (4, true), "{text}");
    assert!(text.chars().count() < 1500, "{text}");
}

#[test]
fn what_cannot_be_read_is_told_and_keeps_nothing_else_back() {
    let folder = four();
    folder.write(".meta/2024-12-09-research.json", "{,}");
    folder.write(".chronicle/actions.json", "no");
    let agreed = agreed(&folder, &Asked::default());
    assert_eq!((agreed.total(), agreed.problems.len()), (2, 2));
    assert!(agreed.to_text(&at_hour(12, 0)).contains("PARSE_ERROR: `.meta/2024-12-09-research.json`"));
}

#[test]
fn a_processed_note_that_cannot_be_read_is_told_and_others_do_not_matter() {
    let folder = four();
    for path in ["2023-01-02-old.md", "2024-12-09-research.md", "2024-12-10-raw.md"] {
        folder.too_large(path);
    }
    folder.write(".chronicle/actions.json", r#"[{"text": "Kept", "source": "2024-12-09-research.md"}]"#);
    let agreed = agreed(&folder, &Asked::default());
    assert_eq!((agreed.total(), agreed.problems.len()), (1, 2));
    let text = agreed.to_text(&at_hour(12, 0));
    for path in ["2023-01-02-old.md", "2024-12-09-research.md"] {
        assert!(text.contains(&format!("\n\nPARSE_ERROR: `{path}` has more than 50 MB")), "{text}");
    }
}
