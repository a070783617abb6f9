//! Compares rules with a naive second implementation that checks every second, every rule and every character.

use std::collections::BTreeMap;

use dayledger::App;
use dayledger::rules::{RuleConfig, Rules};
use dayledger_fixtures::{Activity, Group, HistoryWriter, Moment, SchemaOptions, Span, Timeline};
use proptest::prelude::*;

use crate::histories::random::{CHANGE, Device, device, write_device};
use crate::histories::{OpenHistory, block_on, builder_at, cells};

pub(super) const RANGE: &str = "'2026-10-24', '2026-11-14'";

/// Conditions. Most of them match some time of the random histories, and some match nothing.
const CONDITIONS: [(&str, &str); 14] = [
    ("app", "code*"),
    ("app", "SLACK"),
    ("app", "?irefox"),
    ("app", "nobody"),
    ("title", "*ctiv*"),
    ("site", "docs.*"),
    ("url", "https://docs.example/?"),
    ("url", "*"),
    ("path", "/home/*/plan.md"),
    ("path", "*.rs"),
    ("tag", "*"),
    ("tag", "client*"),
    ("device", "device-0"),
    ("device", "*-1"),
];

/// A rule: the positions of its conditions in [`CONDITIONS`], and whether it sets a project.
pub(super) type RuleSpec = (Vec<usize>, bool);

pub(super) fn rules() -> impl Strategy<Value = Vec<RuleSpec>> {
    let conditions = prop::collection::btree_set(0..CONDITIONS.len(), 1..3);
    // A rule has at most one condition for each kind of word.
    let conditions = conditions.prop_map(|places| {
        let by_word: BTreeMap<_, _> = places.into_iter().map(|place| (CONDITIONS[place].0, place)).collect();
        by_word.into_values().collect()
    });
    prop::collection::vec((conditions, any::<bool>()), 1..6)
}

pub(super) fn parse_rules(written: &[RuleSpec]) -> Rules {
    let rules = written.iter().enumerate().map(|(number, (conditions, is_project))| {
        let mut rule: serde_json::Map<String, serde_json::Value> =
            conditions.iter().map(|place| (CONDITIONS[*place].0.to_owned(), CONDITIONS[*place].1.into())).collect();
        rule.insert("name".to_owned(), format!("rule {number}").into());
        rule.insert(if *is_project { "project" } else { "category" }.to_owned(), format!("work {number}").into());
        serde_json::from_value::<RuleConfig>(rule.into()).unwrap().try_into().unwrap()
    });
    Rules::new(rules.collect()).unwrap()
}

/// Whether a pattern matches a whole text.
fn fits(glob: &[char], text: &[char]) -> bool {
    match (glob.split_first(), text.split_first()) {
        (None, None) => true,
        (Some(('*', rest)), _) => fits(rest, text) || (!text.is_empty() && fits(glob, &text[1..])),
        (Some(('?', rest)), Some((_, text))) => fits(rest, text),
        (Some((wanted, rest)), Some((there, text))) => {
            wanted.to_lowercase().eq(there.to_lowercase()) && fits(rest, text)
        }
        _ => false,
    }
}

fn matches_condition((_, glob): (&str, &str), text: &str) -> bool {
    fits(&glob.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
}

/// A row of the history with its words and its times.
pub(super) struct Row {
    pub(super) device: String,
    activity: String,
    pub(super) words: Vec<(&'static str, String)>,
    pub(super) start: i64,
    pub(super) end: i64,
}

/// Reads rows. Each row has a device, an activity, the words of these kinds, and its start and end in UTC.
pub(super) fn rows(app: &App, words: &[&'static str], sql: &str) -> Vec<Row> {
    let table = block_on(app.engine().query(sql, &dayledger::engine::QueryLimits::default())).unwrap();
    let row = |cells: &Vec<String>| Row {
        device: cells[0].clone(),
        activity: cells[1].clone(),
        words: words.iter().copied().zip(cells[2..].iter().cloned()).filter(|(_, text)| !text.is_empty()).collect(),
        start: cells[2 + words.len()].parse().unwrap(),
        end: cells[3 + words.len()].parse().unwrap(),
    };
    cells(&table).iter().map(row).collect()
}

/// Returns the first rule that matches a piece at a time, and whether the piece is tagged at that time.
pub(super) fn rule_at(utc: i64, piece: &Row, details: &[Row], rules: &[RuleSpec]) -> (Option<usize>, bool) {
    let lasts = |row: &&Row| row.start <= utc && utc < row.end;
    let is_tag = |row: &Row| row.words.iter().any(|(word, _)| *word == "tag");
    let belongs = |row: &&Row| {
        is_tag(row) || (row.device == piece.device && (row.activity.is_empty() || row.activity == piece.activity))
    };
    let there: Vec<_> = details.iter().filter(lasts).filter(belongs).collect();
    let words = || piece.words.iter().chain(there.iter().flat_map(|row| &row.words));
    let holds = |place: &usize| {
        words().any(|(word, text)| *word == CONDITIONS[*place].0 && matches_condition(CONDITIONS[*place], text))
    };
    let rule = rules.iter().position(|(conditions, _)| conditions.iter().all(holds));
    (rule, there.iter().any(|row| is_tag(row)))
}

/// Adds tags and links. Every second activity of each device's first application gets a file row with the same time. In
/// one hour, the tags of two clients overlap.
pub(super) fn write_links_and_tags(writer: &mut HistoryWriter, devices: &[Device]) {
    let span = |start: i64, end: i64| {
        let moment = |utc: i64| Moment { utc, offset: if utc < CHANGE { 7_200 } else { 3_600 } };
        Span { start: moment(start), end: moment(end) }
    };
    for (number, device) in (0..).zip(devices) {
        let (timeline, environment) = (100 + number, format!("device-{number}"));
        writer.add_timeline(&Timeline::documents(timeline, &environment)).unwrap();
        let file = writer.add_group(timeline, &Group::file("/home/ada/main.rs", "main.rs")).unwrap();
        for (id, row) in (1..).zip(&device.applications).filter(|(id, row)| id % 2 == 0 && row.start < row.end) {
            let row = span(row.start + (row.end - row.start) / 3, row.end + 60);
            writer
                .add_activity(timeline, &Activity::new("/home/ada/main.rs", row).group(file).related_activity(id))
                .unwrap();
        }
    }
    writer.add_timeline(&Timeline::tags(200, "device-0")).unwrap();
    let first = devices.iter().flat_map(|device| &device.applications).map(|row| row.start).min().unwrap_or(CHANGE);
    for (name, start, end) in [("Client A", first + 90, first + 1_800), ("Client B", first + 1_500, first + 3_600)] {
        let group = writer.add_group(200, &Group::tag(name)).unwrap();
        writer.add_activity(200, &Activity::new(name, span(start, end)).group(group)).unwrap();
    }
}

/// Returns the position of the rule with the most seconds. If two rules have the same time, returns the earlier one.
/// Time without a rule comes last.
fn most(seconds: impl Iterator<Item = (Option<usize>, i64)>, rules: usize) -> Option<usize> {
    let mut totals = vec![0; rules + 1];
    seconds.for_each(|(rule, seconds)| totals[rule.unwrap_or(rules)] += seconds);
    let most = *totals.iter().max().unwrap();
    totals.iter().position(|total| *total == most).filter(|place| *place < rules)
}

/// Checks the rules in results. A piece must have the rule that matches most of the piece's time. A segment must have
/// the rule that has most of the time of the segment's pieces.
fn check_results(app: &App, written: &[RuleSpec], ruled: &[Row]) -> Result<(), TestCaseError> {
    let named = |row: &Row, word: &str| row.words.iter().find(|(kind, _)| *kind == word).map(|(_, text)| text.clone());
    let place = |row: &Row| {
        written.iter().enumerate().position(|(number, _)| named(row, "rule") == Some(format!("rule {number}")))
    };
    let (kinds, edges) = (["key", "rule", "category", "project"], "to_unixtime(start_utc), to_unixtime(end_utc)");
    let columns = format!("device, activity_id, key, rule, category, project, {edges}");
    let pieces = rows(app, &kinds, &format!("SELECT {columns} FROM pieces({RANGE})"));
    let segments = rows(app, &kinds, &format!("SELECT {columns} FROM narrative({RANGE})"));
    let within =
        |inner: &Row, outer: &Row| inner.device == outer.device && outer.start <= inner.start && inner.end <= outer.end;
    let shows = |row: &Row, rule: Option<usize>| {
        let work =
            |is_project: bool| rule.filter(|rule| written[*rule].1 == is_project).map(|rule| format!("work {rule}"));
        prop_assert_eq!(named(row, "rule"), rule.map(|rule| format!("rule {rule}")));
        prop_assert_eq!((named(row, "project"), named(row, "category")), (work(true), work(false)));
        Ok(())
    };
    for piece in &pieces {
        let parts = ruled.iter().filter(|part| part.activity == piece.activity && within(part, piece));
        shows(piece, most(parts.map(|part| (place(part), part.end - part.start)), written.len()))?;
    }
    for segment in &segments {
        let own = pieces.iter().filter(|piece| named(piece, "key") == named(segment, "key") && within(piece, segment));
        shows(segment, most(own.map(|piece| (place(piece), piece.end - piece.start)), written.len()))?;
    }
    prop_assert!(segments.len() <= pieces.len());
    Ok(())
}

fn check(devices: &[Device], written: &[RuleSpec]) -> Result<(), TestCaseError> {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        for (number, device) in devices.iter().enumerate() {
            write_device(writer, number, device);
        }
        write_links_and_tags(writer, devices);
    });
    let app = builder_at(history.folder()).with_rules(parse_rules(written)).build().unwrap();
    let edges = "to_unixtime(start_utc), to_unixtime(end_utc)";
    let pieces = rows(
        &app,
        &["app", "app", "title", "device"],
        &format!("SELECT device, activity_id, application, key, title, device AS own, {edges} FROM pieces({RANGE})"),
    );
    let from = |words: &[&'static str], columns: &str, view: &str| {
        rows(&app, words, &format!("SELECT {columns}, {edges} FROM {view}"))
    };
    let mut details = from(&["path"], "device, related_activity_id, path", "documents");
    details.extend(from(&["site", "url"], "device, related_activity_id, site, url", "websites"));
    details.extend(from(&["tag"], "'', NULL, tag", "tags"));
    let ruled = rows(
        &app,
        &["rule", "tagged", "project"],
        &format!("SELECT device, activity_id, rule, is_tagged, project, {edges} FROM pieces_by_rule({RANGE})"),
    );
    let mut seconds = 0;
    for piece in &pieces {
        let inside = |utc: &i64| (piece.start..piece.end).contains(utc);
        let edges = details.iter().flat_map(|row| [row.start, row.end]).filter(inside).chain([piece.start]);
        for utc in edges.flat_map(|edge| [edge, edge - 1]).filter(inside) {
            let (rule, is_tagged) = rule_at(utc, piece, &details, written);
            let holds = |row: &&Row| {
                (&row.device, &row.activity) == (&piece.device, &piece.activity) && row.start <= utc && utc < row.end
            };
            let matching: Vec<_> = ruled.iter().filter(holds).collect();
            prop_assert_eq!(matching.len(), 1, "each second of a piece is in exactly one ruled piece");
            let word =
                |kind: &str| matching[0].words.iter().find(|(word, _)| *word == kind).map(|(_, text)| text.clone());
            prop_assert_eq!(word("rule"), rule.map(|rule| format!("rule {rule}")));
            prop_assert_eq!(word("tagged"), Some(is_tagged.to_string()));
            let project = rule.filter(|rule| written[*rule].1).map(|rule| format!("work {rule}"));
            prop_assert_eq!(word("project"), project);
        }
        seconds += piece.end - piece.start;
    }
    prop_assert_eq!(ruled.iter().map(|row| row.end - row.start).sum::<i64>(), seconds);
    check_results(&app, written, &ruled)?;
    let sums = format!(
        "SELECT '' AS device, '' AS activity,
            (SELECT COALESCE(sum(seconds), 0) FROM blocks({RANGE}))
                - (SELECT COALESCE(union_seconds(start_utc, end_utc), 0) FROM pieces({RANGE})),
            (SELECT COALESCE(sum(seconds), 0) FROM project_usage({RANGE}))"
    );
    let sums = rows(&app, &[], &sums);
    prop_assert_eq!(sums[0].start, 0, "the blocks of any subject add up to the active time");
    Ok(())
}

proptest! {
    #![proptest_config(super::config(6))]

    #[test]
    fn first_matching_rule_applies_at_every_second(devices in [device(), device()], rules in rules()) {
        check(&devices, &rules)?;
    }
}
