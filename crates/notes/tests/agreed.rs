//! Tests the list of actions of all notes.

use dayledger_notes::action_list::{ActionFilter, ActionList, Page};
use dayledger_notes::document::Document;
use dayledger_notes::survey::Survey;

use crate::folder::{Folder, at_hour};

fn list_actions(folder: &Folder, filter: &ActionFilter) -> ActionList {
    let workspace = folder.open();
    ActionList::collect(&Survey::new(&workspace), filter, &at_hour(12, 0).timezone())
}

fn texts(folder: &Folder, filter: &ActionFilter) -> Vec<String> {
    list_actions(folder, filter).groups.into_iter().flat_map(|group| group.actions).map(|action| action.text).collect()
}

/// Creates a folder with three processed notes and one unprocessed note. The owners of the actions are the author and
/// Michael, and some actions have no owner. One action is done.
fn sample_folder() -> Folder {
    Folder::with_files(&[
        ("2024-12-10-kickoff.md", "# Kickoff\n## Action Items\n- [ ] Set up — **owner: me, urgent**\n- [x] Over — me"),
        (".raw/2024-12-10-kickoff.raw.md", ""),
        ("2024-12-09-research.md", "# Research\n## Action Items\n- [ ] Review — Michael\n"),
        (".chronicle/processed/2024-12-09-research.json", "{}"),
        ("2023-01-02-old.md", "# Old"),
        (".meta/2023-01-02-old.json", r#"{"extracted": {"action_items": [{"text": "Tidy"}]}}"#),
        ("2024-12-10-raw.md", "# Raw\n[] not yet\n## Action Items\n- [ ] not listed"),
    ])
}

#[test]
fn open_actions_are_listed_by_note() {
    let text = list_actions(&sample_folder(), &ActionFilter::default()).to_text(&at_hour(12, 0), Page::new(None, None));
    let expected = "Open action items (3 total):\n\nFrom Kickoff (Dec 10):\n- [ ] Set up (urgent)\n\n\
                    From Research (Dec 9):\n- [ ] Review — @Michael\n\nFrom Old (Jan 2, 2023):\n- [ ] Tidy\n\n1 of them without an owner.";
    assert_eq!(text, expected);
    assert_eq!(
        list_actions(&Folder::empty(), &ActionFilter::default()).to_text(&at_hour(12, 0), Page::new(None, None)),
        "Open action items (0 total)."
    );
}

#[test]
fn actions_are_filtered_by_owner_day_and_state() {
    let owned = |owner: &str, include_done| ActionFilter {
        owner: Some(owner.to_owned()),
        include_done,
        ..ActionFilter::default()
    };
    assert_eq!(texts(&sample_folder(), &owned("me", false)), ["Set up"]);
    assert_eq!(texts(&sample_folder(), &owned("SELF", true)), ["Set up", "Over"]);
    assert_eq!(texts(&sample_folder(), &owned("michael", false)), ["Review"]);
    assert_eq!(texts(&sample_folder(), &owned("", false)), [""; 0]);
    let from = |day: &str| ActionFilter { from: Some(day.parse().unwrap()), ..ActionFilter::default() };
    assert_eq!(texts(&sample_folder(), &from("2024-12-10")), ["Set up"]);
    assert_eq!(texts(&sample_folder(), &from("2024-12-11")), [""; 0]);
    let with_done = list_actions(&sample_folder(), &ActionFilter { include_done: true, ..ActionFilter::default() });
    assert_eq!(with_done.total(), 4);
    assert!(with_done.to_text(&at_hour(12, 0), Page::new(None, None)).contains("\n- [x] Over\n"));
}

#[test]
fn metadata_takes_precedence_over_the_application_and_over_the_text() {
    let folder = sample_folder();
    let kept = |source: &str| {
        let actions = serde_json::json!([
            {"text": "Kept", "owner": "I", "source": source, "line": 3, "status": "stale"},
            {"text": "Kept too", "source": source, "status": "done"},
            {"text": "Lost", "source": "gone.md", "status": "open"},
            {"source": source},
        ]);
        folder.write(".chronicle/actions.json", actions.to_string());
        texts(&folder, &ActionFilter { from: Some("2024-12-09".parse().unwrap()), ..ActionFilter::default() })
    };
    assert_eq!(kept("2024-12-09-research.md"), ["Set up", "Kept"]);
    assert_eq!(kept(folder.path("2024-12-09-research.md").to_str().unwrap()), ["Set up", "Kept"]);
    folder.write(".meta/2024-12-09-research.json", r#"{"extracted": {"action_items": []}}"#);
    assert_eq!(kept("2024-12-09-research.md"), ["Set up"]);
}

#[test]
fn ticked_box_in_the_note_means_done() {
    let folder = sample_folder();
    folder.write("2023-01-02-old.md", "# Old\n## Action Items\n- [x] Tidy — me\n");
    assert_eq!(texts(&folder, &ActionFilter::default()), ["Set up", "Review"]);
}

#[test]
fn application_files_are_read_in_both_shapes_and_with_a_byte_order_mark() {
    let folder = Folder::with_files(&[
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
    let mut texts = texts(&folder, &ActionFilter::default());
    texts.sort();
    assert_eq!(texts, ["v", "w", "x", "y"]);
}

#[test]
fn owner_in_the_text_is_used_if_the_application_has_none() {
    let items = r#"[{"text": "@Ann call"}, {"text": "Bo: call", "owner": null}, {"text": "call — @Kim", "owner": ""},
        {"text": "ask @Kim", "owner": "Lee"}]"#;
    let folder = Folder::with_files(&[
        ("a.md", "# A"),
        (".chronicle/processed/a.json", &format!("{{\"actionItems\": {items}}}")),
    ]);
    let groups = list_actions(&folder, &ActionFilter::default()).groups;
    let read: Vec<_> =
        groups[0].actions.iter().map(|one| (one.text.as_str(), one.owner.as_deref().unwrap_or(""))).collect();
    assert_eq!(read, [("call", "Ann"), ("call", "Bo"), ("call", "Kim"), ("ask @Kim", "Lee")]);
}

#[test]
fn titles_actions_and_owners_stay_in_their_line() {
    let long = "ä".repeat(2000);
    let folder = Folder::with_files(&[("2024-12-10.md", &format!("# \u{1b}[2J{long}"))]);
    let action =
        serde_json::json!({"text": format!("x\u{7}\n\n- [x] another {long}"), "owner": format!("A\u{9b}\n{long}")});
    let meta = serde_json::json!({"extracted": {"action_items": [action]}});
    folder.write(".meta/2024-12-10.json", meta.to_string());
    let text = list_actions(&folder, &ActionFilter::default()).to_text(&at_hour(12, 0), Page::new(None, None));
    assert!(!text.contains(|letter: char| letter.is_control() && letter != '\n'), "{text:?}");
    assert!(text.contains(&format!("\n\nFrom [2J{}… (Dec 10):\n- [ ] x - [x] another ä", "ä".repeat(197))), "{text}");
    assert_eq!((text.lines().count(), text.contains("… — @A ä")), (4, true), "{text}");
    assert!(text.chars().count() < 1500, "{text}");
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_listed() {
    let folder = sample_folder();
    folder.write(".meta/2024-12-09-research.json", "{,}");
    folder.write(".chronicle/actions.json", "no");
    let agreed = list_actions(&folder, &ActionFilter::default());
    assert_eq!((agreed.total(), agreed.problems.len()), (2, 2));
    assert!(
        agreed
            .to_text(&at_hour(12, 0), Page::new(None, None))
            .contains("PARSE_ERROR: `.meta/2024-12-09-research.json`")
    );
}

#[test]
fn unreadable_notes_are_reported_only_if_processed() {
    let folder = sample_folder();
    for path in ["2023-01-02-old.md", "2024-12-09-research.md", "2024-12-10-raw.md"] {
        folder.create_too_large(path);
    }
    folder.write(".chronicle/actions.json", r#"[{"text": "Kept", "source": "2024-12-09-research.md"}]"#);
    let agreed = list_actions(&folder, &ActionFilter::default());
    assert_eq!((agreed.total(), agreed.problems.len()), (1, 2));
    let text = agreed.to_text(&at_hour(12, 0), Page::new(None, None));
    for path in ["2023-01-02-old.md", "2024-12-09-research.md"] {
        assert!(text.contains(&format!("\n\nPARSE_ERROR: `{path}` has more than 50 MB")), "{text}");
    }
}

/// Without pages, the list of the actions in 400 notes had 400,000 characters.
#[test]
fn actions_are_shown_in_pages_of_a_limited_size() {
    let folder = Folder::empty();
    for number in 0..20 {
        let actions = (0..20).map(|place| format!("- [ ] action {number}-{place} {}\n", "漢".repeat(900)));
        let actions = actions.collect::<Vec<_>>().concat();
        folder.write(&format!("2024-12-{:02}.md", number + 1), format!("## Action Items\n{actions}"));
        folder.write(&format!(".raw/2024-12-{:02}.raw.md", number + 1), "");
    }
    let agreed = list_actions(&folder, &ActionFilter::default());
    let mut seen = Vec::new();
    loop {
        let text = agreed.to_text(&at_hour(12, 0), Page::new(Some(100), Some(i64::try_from(seen.len()).unwrap())));
        assert!(text.len() < 27_000 && text.starts_with("Open action items (400 total):"), "{}", text.len());
        let before = seen.len();
        seen.extend(
            text.lines()
                .filter_map(|line| line.split(' ').nth(4).map(str::to_owned).filter(|_| line.starts_with("- "))),
        );
        assert!(text.contains(&format!("\n\nShowing {} to {}.", before + 1, seen.len())), "{text}");
        if !text.contains(&format!("Pass offset {} for the next ones.", seen.len())) {
            break;
        }
    }
    let expected: Vec<_> =
        (0..20).rev().flat_map(|number| (0..20).map(move |place| format!("{number}-{place}"))).collect();
    assert_eq!(seen, expected);
    assert!(agreed.to_text(&at_hour(12, 0), Page::new(None, Some(400))).contains("None after the first 400."));
    assert_eq!(agreed.to_text(&at_hour(12, 0), Page::new(Some(2), None)).matches("\n- [ ] ").count(), 2);
}

#[test]
fn actions_are_filtered_by_due_date() {
    let folder = Folder::with_files(&[
        (
            "2026-11-18.md",
            "## Action Items\n- [ ] a 📅 2026-11-19\n- [ ] b (due Friday)\n- [ ] c\n- [x] d due: 2026-11-01\n",
        ),
        (".raw/2026-11-18.raw.md", ""),
    ]);
    let due = |day: &str| ActionFilter { due_before: Some(day.parse().unwrap()), ..ActionFilter::default() };
    assert_eq!(texts(&folder, &due("2026-11-20")), ["a"]);
    assert_eq!(texts(&folder, &due("2026-11-21")), ["a", "b"]);
    assert_eq!(texts(&folder, &ActionFilter { include_done: true, ..due("2026-11-19") }), ["d"]);
    let text = list_actions(&folder, &due("2026-11-20")).to_text(&at_hour(12, 0), Page::new(None, None));
    assert!(text.contains("\n- [ ] a (due 2026-11-19)"), "{text}");
}

#[test]
fn author_is_found_by_their_names_and_unowned_actions_are_counted() {
    let folder = Folder::with_files(&[
        ("a.md", "## Action Items\n- [ ] a — @ada\n- [ ] b — me\n- [ ] c — @bo\n- [ ] d\n- [ ] e — Ada Lovelace\n"),
        (".raw/a.raw.md", ""),
    ]);
    let names = vec!["Ada".to_owned(), "Ada Lovelace".to_owned()];
    let mine = ActionFilter { owner: Some("me".to_owned()), names, ..ActionFilter::default() };
    assert_eq!(texts(&folder, &mine), ["a", "b", "e"]);
    let text = |filter: &ActionFilter| list_actions(&folder, filter).to_text(&at_hour(12, 0), Page::new(None, None));
    assert!(text(&mine).ends_with("\n\n1 more without an owner: leave out owner to list them."), "{}", text(&mine));
    assert!(text(&ActionFilter::default()).ends_with("\n\n1 of them without an owner."));
}

/// If two actions have the same words and only one of them is ticked, only one of them is closed.
#[test]
fn ticked_box_closes_only_one_of_two_equal_actions() {
    for (own, open) in [
        ("## Ann\n- [x] send report\n\n## Bo\n- [ ] send report\n", 1),
        ("- [ ] Send report.\n- [x] send **report** ✅ 2026-11-20\n", 1),
        ("- [x] send report\n- [x] send report\n", 0),
    ] {
        let note = Document::parse(own).with_record("## Action Items\n\n- [ ] send report\n- [ ] send report\n");
        let folder = Folder::with_files(&[("a.md", &note), (".raw/a.raw.md", "")]);
        assert_eq!(texts(&folder, &ActionFilter::default()).len(), open, "{own}");
    }
}

/// A tick in the author's own text closes an action of the record too.
#[test]
fn box_that_is_ticked_below_the_record_closes_the_action() {
    let record = "## Action Items\n\n- [ ] send — @bo\n- [ ] call\n";
    let note = Document::parse("- [x] send @bo\n- [ ] call\n").with_record(record);
    let folder = Folder::with_files(&[("a.md", &note), (".raw/a.raw.md", "")]);
    assert_eq!(texts(&folder, &ActionFilter::default()), ["call"]);
    let meta = r#"{"extracted": {"action_items": [{"text": "send"}, {"text": "call", "status": "done"}]}}"#;
    folder.write(".meta/a.json", meta);
    assert_eq!(texts(&folder, &ActionFilter::default()), ["call"], "checkboxes in the note override the metadata");
}
