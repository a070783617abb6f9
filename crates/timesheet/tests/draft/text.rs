//! Tests of the draft as editable text. Unchanged lines keep their rows, edits are read, and the user's text is never
//! lost.

use std::collections::BTreeMap;

use dayledger_timesheet::draft::text::{EditedEntry, MarkedText, read, to_text};
use dayledger_timesheet::draft::{
    ActivePeriod, Alias, Draft, DraftInput, Memory, ProjectNames, RowId, Settings, WorkLabel, draft,
};
use dayledger_timesheet::{Hours, NewEntry, Project, demo};
use proptest::prelude::*;

use super::world::{any_world, day, period, projects, rule};

/// Returns a draft of one day with four rows. Two rows can be logged, one lacks a task, and one lacks a project.
fn sample() -> (Draft, Vec<Project>) {
    let text = |text: &str| Some(text.to_owned());
    let work = |from: i64, hours: i64, naming| period(from * 3600, (from + hours) * 3600, naming);
    let intervals = [
        ActivePeriod {
            document: text("cart.rs"),
            title: text("PAY-17"),
            ..work(0, 4, rule("CLIENT-A", Some("Bug Fixing")))
        },
        ActivePeriod { document: text("a | b.md"), ..work(4, 2, rule("INTERNAL", Some("Documentation"))) },
        ActivePeriod { note: text("Notes of Tuesday"), ..work(6, 1, WorkLabel::Nothing) },
        work(7, 1, rule("acme", None)),
    ];
    let projects = demo::projects();
    let aliases = [Alias { name: "acme".to_owned(), project: "CLIENT-A".to_owned(), task: None }];
    let (names, elsewhere, memory) = (ProjectNames::new(&projects, &aliases), BTreeMap::new(), Memory::default());
    let input = DraftInput {
        first: day(0),
        last: day(0),
        periods: &intervals,
        unconfirmed: &[],
        entries: &[],
        other_days: &elsewhere,
        names: &names,
        memory: &memory,
    };
    (draft(&input, &Settings::default()), projects)
}

/// Replaces `what` by `by` in the text of the sample, and reads the resulting text.
fn edit_sample(what: &str, by: &str) -> Result<Vec<EditedEntry>, MarkedText> {
    let (draft, projects) = sample();
    let text = to_text(&draft, &projects);
    assert!(text.contains(what), "{text}");
    read(&text.replacen(what, by, 1), &draft, &projects)
}

fn error_comments(marked: &MarkedText) -> Vec<&str> {
    marked.text.lines().filter_map(|line| line.strip_prefix("#^ ")).collect()
}

/// Returns the entries of the rows that can be logged.
fn loggable_entries(draft: &Draft, projects: &[Project]) -> Vec<EditedEntry> {
    let names = ProjectNames::new(projects, &[]);
    let entries = draft.rows.iter().filter_map(|row| {
        let entry = row.to_entry().ok()?;
        let target = names.resolve_rule(&entry.project_code, Some(&entry.task));
        let is_known = target.project == entry.project_code && target.task.as_deref() == Some(&*entry.task);
        (is_known && names.notes(&target).is_empty()).then(|| EditedEntry { row: Some(row.id.clone()), entry })
    });
    entries.collect()
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "|",
        "| |",
        "{x}",
        "{",
        "}",
        "#",
        "#^ ",
        "\n",
        "\r\n",
        "  ",
        " ",
        "/",
        " / ",
        "?",
        "2025-10-23",
        "fix",
        "Zürich",
        "\u{feff}",
        "\u{0}",
        "\t",
        "\u{a0}",
    ]);
    prop::collection::vec(prop_oneof![piece.prop_map(str::to_owned), any::<char>().prop_map(String::from)], 0..6)
        .prop_map(|pieces| pieces.concat())
}

/// Appends special characters to the names of projects and tasks, and replaces the other texts of the draft by such
/// characters.
fn make_hostile(draft: &mut Draft, projects: &mut [Project], words: &[String]) {
    let mut words = words.iter().cycle();
    let mut next = || words.next().cloned().unwrap_or_default();
    let suffix = next();
    for project in projects {
        project.code.push_str(&suffix);
        project.tasks.iter_mut().for_each(|task| task.name.push_str(&suffix));
    }
    for row in &mut draft.rows {
        row.project_code.iter_mut().chain(&mut row.task).for_each(|name| name.push_str(&suffix));
        row.issue_id = Some(next().chars().take(30).collect());
        row.description = Some(next());
    }
}

proptest! {
    #[test]
    fn unedited_text_gives_the_drafted_entries(world in any_world(), words in prop::collection::vec(hostile(), 1..5), odd in any::<bool>()) {
        let (mut draft, mut projects) = (world.draft(), projects());
        if odd {
            make_hostile(&mut draft, &mut projects, &words);
        }
        let text = to_text(&draft, &projects);
        let expected = loggable_entries(&draft, &projects);
        for text in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{}", text.trim_end())] {
            let found = read(&text, &draft, &projects);
            prop_assert_eq!(found.as_ref(), Ok(&expected), "{}", text);
        }
        for row in &draft.rows {
            prop_assert_eq!(text.matches(&format!("{{{}}}", row.id)).count(), 1);
        }
    }

    #[test]
    fn deleted_lines_are_not_logged(world in any_world(), choices in prop::collection::vec(0..3_u8, 1..12)) {
        let (draft, projects) = (world.draft(), projects());
        let mut choices = choices.into_iter().cycle();
        let mut kept = Vec::new();
        let mut edited = String::new();
        for line in to_text(&draft, &projects).lines() {
            match (line.contains("} ") || line.ends_with('}')).then(|| choices.next().unwrap()) {
                Some(0) => continue,
                Some(1) => edited.push('#'),
                Some(_) if !line.starts_with('#') => kept.push(line.rsplit_once('{').unwrap().1.trim_end_matches('}').to_owned()),
                _ => {}
            }
            edited.push_str(line);
            edited.push('\n');
        }
        let found: Vec<_> = read(&edited, &draft, &projects).unwrap().into_iter().map(|edited| edited.row.unwrap().to_string()).collect();
        prop_assert_eq!(found, kept);
    }

    #[test]
    fn errors_keep_the_text_unchanged(
        world in any_world(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..6_usize, hostile()), 1..8),
        is_windows in any::<bool>(),
    ) {
        let (draft, projects) = (world.draft(), projects());
        let mut text: Vec<char> = to_text(&draft, &projects).chars().collect();
        for (at, taken, put) in edits {
            let at = at.index(text.len());
            text.splice(at..(at + taken).min(text.len()), put.chars());
        }
        let text: String = text.into_iter().collect();
        let text = if is_windows { text.replace('\n', "\r\n") } else { text };
        if let Err(marked) = read(&text, &draft, &projects) {
            let without_ours = |text: &str| -> String {
                let is_ours = |line: &&str| line.trim_start_matches('\u{feff}').trim().starts_with("#^");
                text.split_inclusive('\n').filter(|line| !is_ours(line)).collect()
            };
            let (left, found) = (without_ours(&text), without_ours(&marked.text));
            prop_assert!(found == left || found == format!("{left}\n"), "{:?}\n{:?}", left, found);
            prop_assert!(marked.mistakes > 0 && error_comments(&marked).len() >= marked.mistakes);
            prop_assert_eq!(read(&marked.text, &draft, &projects), Err(marked));
        }
    }
}

#[test]
fn draft_text_has_aligned_columns() {
    let (mut draft, projects) = sample();
    draft.days.get_mut(&day(0)).unwrap().covered = 4530;
    let text = to_text(&draft, &projects);
    let (head, days) = text.split_once("\n\n").unwrap();
    assert!(head.lines().all(|line| line.starts_with("# ")));
    let actual: Vec<_> = days.lines().map(|line| line.rsplit_once(" | {").map_or(line, |(line, _)| line)).collect();
    assert_eq!(
        actual,
        [
            "2025-10-23 Thursday: 8 hours to log, 2 of them skipped; 1h15m already logged",
            "4 | CLIENT-A / Bug Fixing    | PAY-17 | PAY-17, cart.rs ",
            "2 | INTERNAL / Documentation |        | a | b.md        ",
            "# no project and task:",
            "# 1 | ? / ?                    |        | Notes of Tuesday",
            "# no task of project `CLIENT-A`:",
            "# 1 | CLIENT-A / ?             |        |                 ",
        ]
    );
}

#[test]
fn edits_are_logged() {
    let only = |what, by| edit_sample(what, by).unwrap().remove(0);
    let (draft, _) = sample();
    let row = &draft.rows[0];
    let as_it_is = EditedEntry { row: Some(row.id.clone()), entry: row.to_entry().unwrap() };
    let with = |entry: NewEntry| EditedEntry { entry, ..as_it_is.clone() };
    let entry = || as_it_is.entry.clone();
    assert_eq!(only("4 |", "2h20m |"), with(NewEntry { standard_hours: Hours::from_hundredths(233), ..entry() }));
    assert_eq!(only("Bug Fixing ", "support"), with(NewEntry { task: "Support".to_owned(), ..entry() }));
    assert_eq!(
        only("CLIENT-A / Bug Fixing ", "maintenance & support/monitoring"),
        with(NewEntry { project_code: "MAINT".to_owned(), task: "Monitoring".to_owned(), ..entry() })
    );
    assert_eq!(only("| PAY-17 |", "| |"), with(NewEntry { issue_id: None, ..entry() }));
    assert_eq!(
        only("PAY-17, cart.rs", "refunds | and {more}"),
        with(NewEntry { description: Some("refunds | and {more}".to_owned()), ..entry() })
    );
    let all = edit_sample("# 1 | ? / ?  ", "1 | INTERNAL / Testing").unwrap();
    assert_eq!((all[2].entry.task.as_str(), &all[2].entry.evidence), ("Testing", &draft.rows[2].evidence));
}

#[test]
fn first_copy_of_a_line_keeps_the_evidence() {
    let (draft, projects) = sample();
    let text = to_text(&draft, &projects);
    let line = text.lines().find(|line| line.contains("CLIENT-A / Bug Fixing")).unwrap();
    let copied =
        format!("{}\n{}", line.replacen('4', "1.5", 1), line.replacen('4', "2.5", 1).replace("Bug Fixing", "Support"));
    let read = read(&text.replace(line, &copied), &draft, &projects).unwrap();
    let (one, other) = (&read[0], &read[1]);
    assert_eq!((one.row.as_ref(), &one.entry.evidence), (Some(&draft.rows[0].id), &draft.rows[0].evidence));
    assert_eq!((other.row.as_ref(), other.entry.evidence.len()), (None, 0));
    assert_eq!((other.entry.task.as_str(), other.entry.standard_hours), ("Support", Hours::from_hundredths(250)));
    assert_eq!(other.entry.description, one.entry.description);
}

#[test]
fn a_line_without_a_row_is_an_entry_of_the_day_above() {
    let added = "\n2025-10-25\n1:30|internal/testing\n\n0.5 | CLIENT-A / Support | PAY-9 | a call | with Zoe\n";
    let (draft, projects) = sample();
    let read = read(&format!("{}{added}", to_text(&draft, &projects)), &draft, &projects).unwrap();
    let on = "2025-10-25".parse().unwrap();
    let expected = [
        NewEntry::new("INTERNAL", "Testing", Hours::from_hundredths(150), on, on),
        NewEntry {
            issue_id: Some("PAY-9".to_owned()),
            description: Some("a call | with Zoe".to_owned()),
            ..NewEntry::new("CLIENT-A", "Support", Hours::from_hundredths(50), on, on)
        },
    ];
    assert_eq!(read[2..], expected.map(|entry| EditedEntry { row: None, entry }));
}

#[test]
fn each_error_is_shown_below_its_line() {
    for (what, by, complaint) in [
        ("4 |", "four |", "`four` is not a number of hours: write them as 2.5, 2h30m or 2:30"),
        ("4 |", "24.01 |", "24.01 hours are too many for 1 day: at most 24 hours, including overtime"),
        (
            "4 | CLIENT-A",
            "24 | INTERNAL / Testing\n4 | CLIENT-A",
            "with this line 2025-10-23 has 28 hours, which is more than 24",
        ),
        (
            "CLIENT-A / Bug",
            "CLINT-A / Bug",
            "unknown project `CLINT-A`; did you mean `CLIENT-A`, `INTERNAL` or `MAINT`?",
        ),
        (
            "Bug Fixing ",
            "Bugs",
            "project `CLIENT-A` does not have the task `Bugs`; did you mean `Bug Fixing`, `Support` or `Feature Development`?",
        ),
        ("CLIENT-A / Bug Fixing", "CLIENT-A", "no task of project `CLIENT-A`; did you mean"),
        ("# 1 | ? / ?", "1 | ? / ?", "no project and task; did you mean"),
        ("2025-10-23", "2025-10-24", "belongs to 2025-10-23: move it back to that day"),
        ("2025-10-23", "2025-13-23", "this is neither a day"),
        ("4 | CLIENT-A", "lunch\n4 | CLIENT-A", "this is neither a day"),
        (
            "4 | CLIENT-A",
            "1 | INTERNAL / Testing | stand up\n4 | CLIENT-A",
            "`stand up` is in the column of the ticket",
        ),
        ("cart.rs  | {", "cart.rs  | {0", "the draft does not contain the row `{0"),
        ("| PAY-17 |", "| PAY-1712345678901234567890123456789 |", "IssueId must be at most 30 characters long"),
    ] {
        let marked = edit_sample(what, by).unwrap_err();
        assert!(error_comments(&marked)[0].contains(complaint), "{}", marked.text);
        let (above, _) = marked.text.split_once("\n#^ ").unwrap();
        let wrong = above.lines().last().unwrap();
        assert!(wrong.contains(by.lines().next().unwrap().trim()) || wrong.contains("4 | CLIENT-A"), "{}", marked.text);
    }
}

#[test]
fn a_day_on_which_clocks_went_back_may_have_25_hours() {
    let (mut draft, projects) = sample();
    draft.rows[0].hours = Hours::from_hundredths(2300);
    assert!(read(&to_text(&draft, &projects), &draft, &projects).is_err());
    draft.days.get_mut(&day(0)).unwrap().hours = Hours::from_hundredths(2500);
    assert_eq!(read(&to_text(&draft, &projects), &draft, &projects).unwrap().len(), 2);
}

#[test]
fn line_shows_all_its_errors_and_parses_after_correction() {
    let (draft, projects) = sample();
    let text = to_text(&draft, &projects);
    let wrong = text.replacen("4 | CLIENT-A", "x | CLIENT-B", 1);
    let marked = read(&wrong, &draft, &projects).unwrap_err();
    assert_eq!((marked.mistakes, error_comments(&marked).len()), (1, 2));
    assert_eq!(marked.to_string(), "1 of the lines cannot be logged: the comment below each explains why");
    let corrected = marked.text.replacen("x | CLIENT-B", "4 | CLIENT-A", 1);
    assert_eq!(read(&corrected, &draft, &projects), read(&text, &draft, &projects));
}

#[test]
fn an_unknown_row_is_not_logged_and_an_empty_text_logs_nothing() {
    let (draft, projects) = sample();
    assert_eq!(read("", &draft, &projects), Ok(Vec::new()));
    let line = "1 | INTERNAL / Testing | | | {nonsense}";
    let text = format!("2025-10-23\n{line}");
    let marked = read(&text, &draft, &projects).unwrap_err();
    assert!(
        marked.text.starts_with(&format!("{text}\n#^ the draft does not contain the row `{{nonsense}}`")),
        "{}",
        marked.text
    );
    assert!(!draft.rows.iter().any(|row| row.id == RowId::from("nonsense")));
    let marked = read("1 | INTERNAL / Testing", &draft, &projects).unwrap_err();
    assert!(error_comments(&marked)[0].starts_with("there is no day above"));
}
