//! What rows say: names, words, how sure they are, and what was learned.

use std::collections::BTreeMap;

use dayledger_timesheet::Hours;
use dayledger_timesheet::draft::{
    Alias, AtLeast, Draft, KnownBy, LEAST_SHARE, Logged, Material, Memory, Names, Naming, Note, Origin, Reason, Row,
    Settings, Stretch, Trait, draft,
};
use proptest::prelude::*;

use super::world::{day, entry, projects, rule, stretch, tag};

/// With what memory knows, the settings of everybody and an alias.
fn drafted(stretches: &[Stretch], memory: &Memory) -> Draft {
    let projects = projects();
    let aliases = [Alias { name: "acme".to_owned(), project: "A".to_owned(), task: None }];
    let (names, elsewhere) = (Names::new(&projects, &aliases), BTreeMap::new());
    let material =
        Material { first: day(0), last: day(0), stretches, entries: &[], elsewhere: &elsewhere, names: &names, memory };
    draft(&material, &Settings::default())
}

fn row(stretches: &[Stretch]) -> Row {
    let mut rows = drafted(stretches, &Memory::default()).rows;
    assert_eq!(rows.len(), 1);
    rows.remove(0)
}

#[expect(clippy::unnecessary_wraps, reason = "as stretches have it")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_description_has_what_took_most_time_first() {
    let work = |from, to| stretch(from, to, rule("A", Some("x")));
    let stretches = [
        Stretch { document: text("file:///C:/shop/my%20cart.rs"), title: text("PAY-17 cart"), ..work(0, 1800) },
        Stretch { document: text("C:\\shop\\Till.rs"), title: text("feature/till"), ..work(1800, 2400) },
        Stretch { document: text("/shop/till.rs"), title: text("fix/PAY-17-till"), ..work(2400, 3000) },
        Stretch { site: text("docs.example.com"), ..work(3000, 3100) },
        Stretch { site: text("short.example.com"), ..work(3100, 3101) },
        Stretch { note: text("Kickoff"), ..work(3101, 3801) },
    ];
    let row = row(&stretches);
    assert_eq!(row.description.as_deref(), Some("PAY-17, my cart.rs, Till.rs, Kickoff, feature/till"));
    assert_eq!(row.issue_id.as_deref(), Some("PAY-17"));
    let entry = row.to_entry().unwrap();
    assert_eq!((entry.evidence, entry.issue_id), (row.evidence, row.issue_id));
}

#[test]
fn a_description_stays_short_and_on_one_line() {
    let long = "x".repeat(500);
    let shown = Stretch { document: Some(long), site: text("a\nb"), ..stretch(0, 3600, rule("A", Some("x"))) };
    let description = row(&[shown]).description.unwrap();
    assert!(description.chars().count() < 80 && description.contains('…') && !description.contains('\n'));
    assert_eq!(row(&[stretch(0, 3600, rule("A", Some("x")))]).description, None);
}

#[test]
fn a_row_says_what_named_it_and_what_keeps_it_from_being_booked() {
    let stretches = [stretch(0, 1800, rule("Acme", None)), stretch(1800, 7200, tag(&["ACME"]))];
    let row = row(&stretches);
    assert_eq!((row.project_code.as_deref(), row.task.as_deref()), (Some("A"), None));
    assert_eq!(row.notes, [Note::NoTask]);
    let named: Vec<_> = row.named_by.iter().map(|named| (&named.origin, named.seconds)).collect();
    let (by_tag, by_rule) = (Origin::Tag { name: "ACME".to_owned() }, Origin::Rule { name: "of Acme".to_owned() });
    assert_eq!(named, [(&by_tag, 5400), (&by_rule, 1800)]);
    assert_eq!(row.confidence, 50, "95, but no task");
    assert_eq!(row.to_entry().unwrap_err().field.as_deref(), Some("task"));
}

#[test]
fn half_a_step_is_a_step_and_less_says_that_it_is_nothing() {
    let projects = projects();
    let (names, elsewhere, memory) = (Names::new(&projects, &[]), BTreeMap::new(), Memory::default());
    let settings = Settings { at_least: AtLeast::try_from(0.0).unwrap(), ..Settings::default() };
    for (seconds, hours) in [(449, None), (450, Some(25)), (1349, Some(25)), (1350, Some(50))] {
        let stretches = [stretch(0, seconds, rule("B", None))];
        let material = Material {
            first: day(0),
            last: day(0),
            stretches: &stretches,
            entries: &[],
            elsewhere: &elsewhere,
            names: &names,
            memory: &memory,
        };
        let draft = draft(&material, &settings);
        assert_eq!(draft.rows.first().map(|row| row.hours.hundredths()), hours, "{seconds} s");
        let reasons: Vec<_> = draft.left_out.iter().map(|left| left.reason).collect();
        assert_eq!(reasons.is_empty(), hours.is_some());
        assert!(reasons.iter().all(|reason| *reason == Reason::RoundedAway));
    }
}

#[test]
fn what_is_logged_already_is_taken_off() {
    let projects = projects();
    let (names, elsewhere, memory) = (Names::new(&projects, &[]), BTreeMap::new(), Memory::default());
    let stretches = [stretch(0, 7200, rule("A", Some("x"))), stretch(7200, 14_400, rule("A", Some("y")))];
    let logged = entry(1, "A", "y", Hours::from_hundredths(150), day(0), day(0));
    let entries = [Logged { entry: &logged, evidence: &[] }];
    let material = Material {
        first: day(0),
        last: day(0),
        stretches: &stretches,
        entries: &entries,
        elsewhere: &elsewhere,
        names: &names,
        memory: &memory,
    };
    let rows = draft(&material, &Settings::default()).rows;
    let told: Vec<_> = rows.iter().map(|row| (row.task.as_deref(), row.seconds, row.logged_seconds)).collect();
    assert_eq!(
        told,
        [(Some("x"), 7200, 0), (Some("y"), 1800, 5400)],
        "the task that is logged, not the first of the day"
    );
}

#[test]
fn time_without_a_name_is_a_row_that_says_so() {
    let row = row(&[stretch(0, 3600, Naming::Nothing)]);
    assert_eq!((row.project_code.clone(), row.confidence, row.hours), (None, 0, Hours::from_hundredths(100)));
    assert_eq!(row.named_by[0].origin, Origin::Nothing);
    assert_eq!(row.to_entry().unwrap_err().field.as_deref(), Some("projectCode"));
}

/// Seconds that were logged of a thing: project, task, seconds.
fn logged(memory: &mut Memory, of: &Stretch, booked: &[(&str, &str, i64)]) {
    for (project, task, seconds) in booked {
        let entry = entry(1, project, task, Hours::ZERO, day(-9), day(-9));
        let things = [(Trait::Document, &of.document), (Trait::Site, &of.site), (Trait::Application, &of.application)];
        let known = things
            .into_iter()
            .filter_map(|(by, text)| text.clone().map(|text| KnownBy { by, text, seconds: *seconds }));
        memory.learn(&entry, &known.collect::<Vec<_>>());
    }
}

#[test]
fn what_was_logged_for_a_file_says_more_than_the_editor() {
    let work = stretch(0, 3600, Naming::Nothing);
    let (file, editor) =
        (Stretch { document: text("a.rs"), ..work.clone() }, Stretch { application: text("Code"), ..work });
    let both = Stretch { application: text("Code"), ..file.clone() };
    let mut memory = Memory::default();
    logged(&mut memory, &editor, &[("A", "x", 5000)]);
    let by = |memory: &Memory, stretch: &Stretch| {
        memory.recall(stretch).map(|known| (known.target.project, known.target.task.unwrap(), known.by, known.share))
    };
    let known = |project: &str, task: &str, by, share| Some((project.to_owned(), task.to_owned(), by, share));
    assert_eq!(by(&memory, &both), known("A", "x", Trait::Application, 100), "nothing was logged for the file");
    logged(&mut memory, &file, &[("B", "z", 299)]);
    assert_eq!(by(&memory, &both), None, "too little was logged for the file");
    logged(&mut memory, &file, &[("B", "z", 300), ("B", "w", 100), ("A", "x", 100)]);
    assert_eq!(by(&memory, &both), known("B", "z", Trait::Document, 87));
    logged(&mut memory, &file, &[("B", "w", 499)]);
    assert_eq!(by(&memory, &both), known("B", "w", Trait::Document, 92), "of equals the lesser");
    logged(&mut memory, &file, &[("A", "x", 800)]);
    assert_eq!(by(&memory, &both), None, "two projects share the file, whatever the editor says");
    assert_eq!(by(&memory, &editor), known("A", "x", Trait::Application, 100));
}

#[test]
fn a_row_that_was_learned_says_from_what() {
    let site = Stretch { site: text("example.com"), ..stretch(0, 3600, Naming::Nothing) };
    let mut memory = Memory::default();
    logged(&mut memory, &site, &[("A", "x", 900), ("B", "z", 300)]);
    let row = &drafted(std::slice::from_ref(&site), &memory).rows[0];
    assert_eq!((row.project_code.as_deref(), row.task.as_deref(), row.confidence), (Some("A"), Some("x"), 45));
    assert_eq!(row.named_by[0].origin, Origin::Learned { from: Trait::Site, share: 75 });
    let named = Stretch { naming: rule("B", None), ..site };
    assert_eq!(drafted(&[named], &memory).rows[0].project_code.as_deref(), Some("B"), "a rule says more");
}

#[test]
fn what_nothing_else_names_belongs_to_the_block_around_it() {
    let between = Stretch { block: tag(&["A", "y"]), ..stretch(0, 3600, Naming::Nothing) };
    let first = row(std::slice::from_ref(&between));
    assert_eq!((first.project_code.as_deref(), first.task.as_deref(), first.confidence), (Some("A"), Some("y"), 60));
    assert_eq!(first.named_by[0].origin, Origin::Block { name: "A, y".to_owned() });
    let of_rule = row(&[Stretch { block: rule("B", Some("z")), ..between.clone() }]);
    assert_eq!(of_rule.named_by[0].origin, Origin::Block { name: "B, z".to_owned() });
    let named = row(&[Stretch { naming: rule("B", Some("z")), ..between.clone() }]);
    assert_eq!(named.project_code.as_deref(), Some("B"), "its own rule says more");
    let mut memory = Memory::default();
    let site = Stretch { site: text("example.com"), ..between };
    logged(&mut memory, &site, &[("B", "z", 900)]);
    assert_eq!(drafted(&[site], &memory).rows[0].project_code.as_deref(), Some("A"), "and what was learned less");
}

#[test]
fn a_tag_of_no_project_hides_no_rule_that_names_one() {
    let tagged = Stretch { naming: tag(&["Moonshot"]), ..stretch(0, 3600, Naming::Nothing) };
    let alone = row(std::slice::from_ref(&tagged));
    assert_eq!((alone.project_code.as_deref(), &alone.notes[..]), (Some("Moonshot"), &[Note::NoSuchProject][..]));
    let ruled = row(&[Stretch { beside: rule("B", Some("z")), ..tagged.clone() }]);
    assert_eq!((ruled.project_code.as_deref(), ruled.task.as_deref(), ruled.confidence), (Some("B"), Some("z"), 80));
    assert_eq!(ruled.named_by[0].origin, Origin::Rule { name: "of B".to_owned() });
    let gone = row(&[Stretch { beside: rule("Gone", None), ..tagged.clone() }]);
    assert_eq!(gone.project_code.as_deref(), Some("Moonshot"), "of words that no project has, those of the tag");
    let around = row(&[Stretch { beside: rule("Gone", None), block: tag(&["A", "y"]), ..tagged.clone() }]);
    assert_eq!((around.project_code.as_deref(), around.confidence), (Some("A"), 60));
    let clear = row(&[Stretch { naming: tag(&["A", "y"]), beside: rule("B", None), ..tagged }]);
    assert_eq!(clear.project_code.as_deref(), Some("A"), "a tag that names one says more than a rule");
}

/// How sure a naming is, by hand: nothing, learned, rule, tag.
fn namings() -> [(Naming, Option<String>); 3] {
    [(Naming::Nothing, text("a.rs")), (rule("A", Some("y")), None), (tag(&["A", "y"]), None)]
}

proptest! {
    #[test]
    fn what_is_better_named_is_never_less_sure(ranks in prop::collection::vec(0..3_usize, 1..20), better in any::<prop::sample::Index>()) {
        let better = better.index(ranks.len());
        let memory = super::world::memory();
        let confidence = |ranks: &[usize]| {
            let stretches: Vec<_> = (0..).zip(ranks).map(|(number, rank)| {
                let (naming, document) = namings()[*rank].clone();
                Stretch { document, ..stretch(number * 900, number * 900 + 900, naming) }
            }).collect();
            let rows = drafted(&stretches, &memory).rows;
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
    fn what_is_recalled_has_most_of_what_was_logged(booked in prop::collection::vec((0..3_usize, 0..2_usize, 1..900_i64), 1..8)) {
        let file = Stretch { document: text("a.rs"), ..stretch(0, 0, Naming::Nothing) };
        let names = |(project, task, seconds): &(usize, usize, i64)| (["A", "B", "C"][*project], ["x", "y"][*task], *seconds);
        let booked: Vec<_> = booked.iter().map(names).collect();
        let mut memory = Memory::default();
        logged(&mut memory, &file, &booked);
        let sum = |fits: &dyn Fn(&(&str, &str, i64)) -> bool| -> i64 {
            booked.iter().filter(|row| fits(row)).map(|row| row.2).sum()
        };
        let all = sum(&|_| true);
        let best = ["A", "B", "C"].into_iter().rev().max_by_key(|code| sum(&|row| row.0 == *code)).unwrap();
        let of_best = sum(&|row| row.0 == best);
        let task = ["x", "y"].into_iter().rev().max_by_key(|task| sum(&|row| row.0 == best && row.1 == *task)).unwrap();
        let recalled = memory.recall(&file).map(|known| (known.target.project, known.target.task.unwrap()));
        let expected = (all >= 300 && of_best * 100 / all >= LEAST_SHARE).then(|| (best.to_owned(), task.to_owned()));
        prop_assert_eq!(recalled, expected);
    }
}
