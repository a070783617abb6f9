//! Tests of the content of rows: projects, descriptions, confidence, and targets learned from earlier entries.

use std::collections::BTreeMap;

use dayledger_timesheet::Hours;
use dayledger_timesheet::draft::{
    ActivePeriod, Alias, Draft, DraftInput, ItemKind, LoggedEntry, MIN_SHARE, Memory, Origin, ProjectNames, Row,
    RowNote, Settings, SkipReason, UsedItem, WorkLabel, draft,
};
use proptest::prelude::*;

use super::world::{day, entry, period, projects, rule, tag};

/// Drafts one day with this memory, the default settings and one alias.
fn make_draft(intervals: &[ActivePeriod], memory: &Memory) -> Draft {
    let projects = projects();
    let aliases = [Alias { name: "acme".to_owned(), project: "A".to_owned(), task: None }];
    let (names, elsewhere) = (ProjectNames::new(&projects, &aliases), BTreeMap::new());
    let input = DraftInput {
        first: day(0),
        last: day(0),
        periods: intervals,
        unconfirmed: &[],
        entries: &[],
        other_days: &elsewhere,
        names: &names,
        memory,
    };
    draft(&input, &Settings::default())
}

fn row(intervals: &[ActivePeriod]) -> Row {
    let mut rows = make_draft(intervals, &Memory::default()).rows;
    assert_eq!(rows.len(), 1);
    rows.remove(0)
}

#[expect(clippy::unnecessary_wraps, reason = "the fields of periods are optional")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn description_lists_items_by_kind_and_time() {
    let work = |from, to| period(from, to, rule("A", Some("x")));
    let intervals = [
        ActivePeriod { document: text("file:///C:/shop/my%20cart.rs"), title: text("PAY-17 cart"), ..work(0, 1800) },
        ActivePeriod { document: text("C:\\shop\\Till.rs"), title: text("feature/till"), ..work(1800, 2400) },
        ActivePeriod { document: text("/shop/till.rs"), title: text("fix/PAY-17-till"), ..work(2400, 3000) },
        ActivePeriod { site: text("docs.example.com"), ..work(3000, 3100) },
        ActivePeriod { note: text("Kickoff"), meeting: text("kickoff"), ..work(3101, 3801) },
    ];
    let row = row(&intervals);
    assert_eq!(row.description.as_deref(), Some("kickoff, PAY-17, feature/till, my cart.rs, Till.rs"));
    assert_eq!(row.issue_id.as_deref(), Some("PAY-17"));
    let entry = row.to_entry().unwrap();
    assert_eq!((entry.evidence, entry.issue_id), (row.evidence, row.issue_id));
}

#[test]
fn a_description_stays_short_and_on_one_line() {
    let long = "x".repeat(500);
    let active = ActivePeriod { document: Some(long), note: text("a\nb"), ..period(0, 3600, rule("A", Some("x"))) };
    let description = row(&[active]).description.unwrap();
    assert!(description.chars().count() < 80 && description.contains('…') && !description.contains('\n'));
    assert_eq!(row(&[period(0, 3600, rule("A", Some("x")))]).description, None);
}

#[test]
fn description_begins_with_the_last_level_of_tags() {
    let work = |from, to, parts: &[&str]| period(from, to, tag(parts));
    let described = |intervals: &[ActivePeriod]| row(intervals).description;
    let reviewed = [work(0, 1800, &["acme", "x", "Review"]), work(1800, 5400, &["acme", "x", "Coding"])];
    assert_eq!(described(&reviewed).as_deref(), Some("Coding, Review"));
    assert_eq!(described(&[work(0, 3600, &["acme", "X"])]), None, "the task already says it");
    assert_eq!(described(&[work(0, 3600, &["acme"])]), None, "the client is the project");
}

#[test]
fn tagged_time_away_is_part_of_its_row() {
    let away = ActivePeriod {
        is_away: true,
        device: None,
        meeting: text("Estimate"),
        ..period(3600, 6300, tag(&["acme", "x"]))
    };
    let row = row(&[period(0, 3600, tag(&["acme", "x"])), away]);
    assert_eq!((row.seconds, row.away_seconds, row.hours), (6300, 2700, Hours::from_hundredths(175)));
    assert_eq!(row.description.as_deref(), Some("Estimate"));
}

#[test]
fn time_to_confirm_is_a_row_in_no_total() {
    let away = |from, to, label| ActivePeriod { is_away: true, device: None, ..period(from, to, label) };
    let untagged = ActivePeriod { meeting: text("Lunch talk"), ..away(3600, 5400, WorkLabel::Nothing) };
    let unconfirmed = [untagged, away(40_000, 43_600, tag(&["A", "x"])), away(60_000, 60_060, tag(&["B", "z"]))];
    let (projects, elsewhere, memory) = (projects(), BTreeMap::new(), Memory::default());
    let names = ProjectNames::new(&projects, &[]);
    let make = |entries: &[LoggedEntry<'_>]| {
        let input = DraftInput {
            first: day(0),
            last: day(0),
            periods: &[period(0, 3600, rule("A", Some("x")))],
            unconfirmed: &unconfirmed,
            entries,
            other_days: &elsewhere,
            names: &names,
            memory: &memory,
        };
        draft(&input, &Settings::default())
    };
    let drafted = make(&[]);
    let account = drafted.account();
    assert_eq!((account.drafted, account.away, account.hours), (3600, 0, Hours::from_hundredths(100)));
    let rows: Vec<_> =
        drafted.rows.iter().map(|row| (row.is_unconfirmed(), row.seconds, row.description.as_deref())).collect();
    assert_eq!(rows, [(false, 3600, None), (true, 1800, Some("Lunch talk")), (true, 3600, None)]);
    assert_ne!(drafted.rows[0].id, drafted.rows[2].id, "a row of the same task");
    assert!(drafted.rows[1].to_entry().is_err() && drafted.rows[2].to_entry().is_ok());

    let logged = entry(1, "A", "x", Hours::from_hundredths(100), day(0), day(0));
    let entries = [LoggedEntry { entry: &logged, evidence: &drafted.rows[2].evidence }];
    assert!(
        make(&entries).rows.iter().all(|row| row.id != drafted.rows[2].id),
        "a confirmed row is not proposed again"
    );
}

/// A row can contain time whose project comes only from the surrounding block, for example an untagged meeting during
/// other work. The description must not contain the name of this meeting.
#[test]
fn meeting_is_not_listed_for_time_that_only_its_block_assigns() {
    let call =
        ActivePeriod { meeting: text("Launch"), note: text("Launch plan"), ..period(0, 900, WorkLabel::Nothing) };
    assert_eq!(row(std::slice::from_ref(&call)).description.as_deref(), Some("Launch, Launch plan"));
    let of_block = ActivePeriod { block: tag(&["acme", "x"]), ..call };
    assert_eq!(row(&[of_block]).description, None);
}

#[test]
fn row_lists_its_sources_and_notes() {
    let intervals = [period(0, 1800, rule("Acme", None)), period(1800, 7200, tag(&["ACME"]))];
    let row = row(&intervals);
    assert_eq!((row.project_code.as_deref(), row.task.as_deref()), (Some("A"), None));
    assert_eq!(row.notes, [RowNote::NoTask]);
    let named: Vec<_> = row.named_by.iter().map(|named| (&named.origin, named.seconds)).collect();
    let (by_tag, by_rule) = (Origin::Tag { name: "ACME".to_owned() }, Origin::Rule { name: "of Acme".to_owned() });
    assert_eq!(named, [(&by_tag, 5400), (&by_rule, 1800)]);
    assert_eq!(row.confidence, 50, "95 without a task is reduced to 50");
    assert_eq!(row.to_entry().unwrap_err().field.as_deref(), Some("task"));
}

#[test]
fn half_a_step_rounds_up_and_less_is_skipped() {
    let projects = projects();
    let (names, elsewhere, memory) = (ProjectNames::new(&projects, &[]), BTreeMap::new(), Memory::default());
    let settings = Settings { min_seconds: 0, ..Settings::default() };
    for (seconds, hours) in [(449, None), (450, Some(25)), (1349, Some(25)), (1350, Some(50))] {
        let intervals = [period(0, seconds, rule("B", None))];
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
        let draft = draft(&input, &settings);
        assert_eq!(draft.rows.first().map(|row| row.hours.hundredths()), hours, "{seconds} s");
        let reasons: Vec<_> = draft.left_out.iter().map(|left| left.reason).collect();
        assert_eq!(reasons.is_empty(), hours.is_some());
        assert!(reasons.iter().all(|reason| *reason == SkipReason::RoundedAway));
    }
}

#[test]
fn logged_time_is_subtracted() {
    let projects = projects();
    let (names, elsewhere, memory) = (ProjectNames::new(&projects, &[]), BTreeMap::new(), Memory::default());
    let intervals = [period(0, 7200, rule("A", Some("x"))), period(7200, 14_400, rule("A", Some("y")))];
    let logged = entry(1, "A", "y", Hours::from_hundredths(150), day(0), day(0));
    let entries = [LoggedEntry { entry: &logged, evidence: &[] }];
    let input = DraftInput {
        first: day(0),
        last: day(0),
        periods: &intervals,
        unconfirmed: &[],
        entries: &entries,
        other_days: &elsewhere,
        names: &names,
        memory: &memory,
    };
    let rows = draft(&input, &Settings::default()).rows;
    let actual: Vec<_> = rows.iter().map(|row| (row.task.as_deref(), row.seconds, row.logged_seconds)).collect();
    assert_eq!(
        actual,
        [(Some("x"), 7200, 0), (Some("y"), 1800, 5400)],
        "logged time is subtracted from its own task, not from the first one"
    );
}

#[test]
fn unassigned_time_is_a_row_with_a_note() {
    let row = row(&[period(0, 3600, WorkLabel::Nothing)]);
    assert_eq!((row.project_code.clone(), row.confidence, row.hours), (None, 0, Hours::from_hundredths(100)));
    assert_eq!(row.named_by[0].origin, Origin::Nothing);
    assert_eq!(row.to_entry().unwrap_err().field.as_deref(), Some("projectCode"));
}

/// Logs seconds for the file, site and application of an interval. Each element of `logged` is a project, a task and
/// seconds.
fn log_to_memory(memory: &mut Memory, of: &ActivePeriod, logged: &[(&str, &str, i64)]) {
    for (project, task, seconds) in logged {
        let entry = entry(1, project, task, Hours::ZERO, day(-9), day(-9));
        let things =
            [(ItemKind::Document, &of.document), (ItemKind::Site, &of.site), (ItemKind::Application, &of.application)];
        let known = things
            .into_iter()
            .filter_map(|(by, text)| text.clone().map(|text| UsedItem { by, text, seconds: *seconds }));
        memory.learn(&entry, &known.collect::<Vec<_>>());
    }
}

#[test]
fn file_history_takes_precedence_over_application_history() {
    let work = period(0, 3600, WorkLabel::Nothing);
    let (file, editor) =
        (ActivePeriod { document: text("a.rs"), ..work.clone() }, ActivePeriod { application: text("Code"), ..work });
    let both = ActivePeriod { application: text("Code"), ..file.clone() };
    let mut memory = Memory::default();
    log_to_memory(&mut memory, &editor, &[("A", "x", 5000)]);
    let by = |memory: &Memory, interval: &ActivePeriod| {
        memory.recall(interval).map(|known| (known.target.project, known.target.task.unwrap(), known.by, known.share))
    };
    let known = |project: &str, task: &str, by, share| Some((project.to_owned(), task.to_owned(), by, share));
    assert_eq!(by(&memory, &both), known("A", "x", ItemKind::Application, 100), "nothing was logged for the file");
    log_to_memory(&mut memory, &file, &[("B", "z", 299)]);
    assert_eq!(by(&memory, &both), None, "too little was logged for the file");
    log_to_memory(&mut memory, &file, &[("B", "z", 300), ("B", "w", 100), ("A", "x", 100)]);
    assert_eq!(by(&memory, &both), known("B", "z", ItemKind::Document, 87));
    log_to_memory(&mut memory, &file, &[("B", "w", 499)]);
    assert_eq!(
        by(&memory, &both),
        known("B", "w", ItemKind::Document, 92),
        "with equal time, the first name in the alphabet"
    );
    log_to_memory(&mut memory, &file, &[("A", "x", 800)]);
    assert_eq!(by(&memory, &both), None, "two projects share the file, so the editor is ignored");
    assert_eq!(by(&memory, &editor), known("A", "x", ItemKind::Application, 100));
}

#[test]
fn learned_row_names_its_item() {
    let site = ActivePeriod { site: text("example.com"), ..period(0, 3600, WorkLabel::Nothing) };
    let mut memory = Memory::default();
    log_to_memory(&mut memory, &site, &[("A", "x", 900), ("B", "z", 300)]);
    let row = &make_draft(std::slice::from_ref(&site), &memory).rows[0];
    assert_eq!((row.project_code.as_deref(), row.task.as_deref(), row.confidence), (Some("A"), Some("x"), 45));
    assert_eq!(row.named_by[0].origin, Origin::Learned { from: ItemKind::Site, share: 75 });
    let named = ActivePeriod { label: rule("B", None), ..site };
    assert_eq!(
        make_draft(&[named], &memory).rows[0].project_code.as_deref(),
        Some("B"),
        "a rule has precedence over learned projects"
    );
}

#[test]
fn unlabelled_time_takes_the_project_of_its_block() {
    let between = ActivePeriod { block: tag(&["A", "y"]), ..period(0, 3600, WorkLabel::Nothing) };
    let first = row(std::slice::from_ref(&between));
    assert_eq!((first.project_code.as_deref(), first.task.as_deref(), first.confidence), (Some("A"), Some("y"), 60));
    assert_eq!(first.named_by[0].origin, Origin::Block { name: "A, y".to_owned() });
    let of_rule = row(&[ActivePeriod { block: rule("B", Some("z")), ..between.clone() }]);
    assert_eq!(of_rule.named_by[0].origin, Origin::Block { name: "B, z".to_owned() });
    let named = row(&[ActivePeriod { label: rule("B", Some("z")), ..between.clone() }]);
    assert_eq!(named.project_code.as_deref(), Some("B"), "its own rule has precedence over the block");
    let mut memory = Memory::default();
    let site = ActivePeriod { site: text("example.com"), ..between };
    log_to_memory(&mut memory, &site, &[("B", "z", 900)]);
    assert_eq!(
        make_draft(&[site], &memory).rows[0].project_code.as_deref(),
        Some("A"),
        "the block has precedence over learned projects"
    );
}

#[test]
fn rule_applies_if_the_tag_has_no_known_project() {
    let tagged = ActivePeriod { label: tag(&["Moonshot"]), ..period(0, 3600, WorkLabel::Nothing) };
    let alone = row(std::slice::from_ref(&tagged));
    assert_eq!((alone.project_code.as_deref(), &alone.notes[..]), (Some("Moonshot"), &[RowNote::NoSuchProject][..]));
    let ruled = row(&[ActivePeriod { rule_label: rule("B", Some("z")), ..tagged.clone() }]);
    assert_eq!((ruled.project_code.as_deref(), ruled.task.as_deref(), ruled.confidence), (Some("B"), Some("z"), 80));
    assert_eq!(ruled.named_by[0].origin, Origin::Rule { name: "of B".to_owned() });
    let gone = row(&[ActivePeriod { rule_label: rule("Gone", None), ..tagged.clone() }]);
    assert_eq!(gone.project_code.as_deref(), Some("Moonshot"), "if no project matches, the tag has precedence");
    let around = row(&[ActivePeriod { rule_label: rule("Gone", None), block: tag(&["A", "y"]), ..tagged.clone() }]);
    assert_eq!((around.project_code.as_deref(), around.confidence), (Some("A"), 60));
    let clear = row(&[ActivePeriod { label: tag(&["A", "y"]), rule_label: rule("B", None), ..tagged }]);
    assert_eq!(clear.project_code.as_deref(), Some("A"), "a tag with a known project has precedence over a rule");
}

/// Returns labels of increasing confidence: a file known from earlier entries, a rule, and a tag.
fn namings() -> [(WorkLabel, Option<String>); 3] {
    [(WorkLabel::Nothing, text("a.rs")), (rule("A", Some("y")), None), (tag(&["A", "y"]), None)]
}

proptest! {
    #[test]
    fn better_labels_never_lower_confidence(ranks in prop::collection::vec(0..3_usize, 1..20), better in any::<prop::sample::Index>()) {
        let better = better.index(ranks.len());
        let memory = super::world::memory();
        let confidence = |ranks: &[usize]| {
            let intervals: Vec<_> = (0..).zip(ranks).map(|(number, rank)| {
                let (naming, document) = namings()[*rank].clone();
                ActivePeriod { document, ..period(number * 900, number * 900 + 900, naming) }
            }).collect();
            let rows = make_draft(&intervals, &memory).rows;
            assert_eq!(rows.len(), 1);
            rows[0].confidence
        };
        let mut surer = ranks.clone();
        surer[better] = (surer[better] + 1).min(2);
        prop_assert!(confidence(&surer) >= confidence(&ranks));
        let by_hand: usize = ranks.iter().map(|rank| [60, 80, 100][*rank]).sum();
        prop_assert_eq!(usize::from(confidence(&ranks)), by_hand / ranks.len());
    }

    #[test]
    fn recall_returns_the_project_with_most_logged_time(entries in prop::collection::vec((0..3_usize, 0..2_usize, 1..900_i64), 1..8)) {
        let file = ActivePeriod { document: text("a.rs"), ..period(0, 0, WorkLabel::Nothing) };
        let names = |(project, task, seconds): &(usize, usize, i64)| (["A", "B", "C"][*project], ["x", "y"][*task], *seconds);
        let logged: Vec<_> = entries.iter().map(names).collect();
        let mut memory = Memory::default();
        log_to_memory(&mut memory, &file, &logged);
        let sum = |fits: &dyn Fn(&(&str, &str, i64)) -> bool| -> i64 {
            logged.iter().filter(|row| fits(row)).map(|row| row.2).sum()
        };
        let all = sum(&|_| true);
        let best = ["A", "B", "C"].into_iter().rev().max_by_key(|code| sum(&|row| row.0 == *code)).unwrap();
        let of_best = sum(&|row| row.0 == best);
        let task = ["x", "y"].into_iter().rev().max_by_key(|task| sum(&|row| row.0 == best && row.1 == *task)).unwrap();
        let recalled = memory.recall(&file).map(|known| (known.target.project, known.target.task.unwrap()));
        let expected = (all >= 300 && of_best * 100 / all >= MIN_SHARE).then(|| (best.to_owned(), task.to_owned()));
        prop_assert_eq!(recalled, expected);
    }
}
