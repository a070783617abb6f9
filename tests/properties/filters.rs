//! Compares filters with a naive second implementation that checks every second and every name.

use std::collections::BTreeSet;

use dayledger::activity::{Detail, Filter, NarrativeRequest, PeriodSummaryRequest};
use dayledger::request::{Limit, Minutes};
use dayledger_fixtures::SchemaOptions;
use proptest::prelude::*;

use super::rules::{RANGE, Row, RuleSpec, parse_rules, rows, rule_at, rules, write_links_and_tags};
use crate::histories::random::{Device, device, write_device};
use crate::histories::{OpenHistory, builder_at, range, run_query, segments_request};

fn part(names: &'static [&'static str]) -> impl Strategy<Value = Option<String>> {
    prop::option::weighted(0.3, prop::sample::select(names).prop_map(str::to_owned))
}

fn filter() -> impl Strategy<Value = Filter> {
    (
        part(&["code", "SLACK", "e", "nobody"]),
        part(&["docs", "EXAMPLE"]),
        part(&["plan", "/home/ada"]),
        part(&["client", "t b"]),
        part(&["work", "Client A", "1"]),
        part(&["client", "docs.", "main.rs", "ctiv", "WORK 0"]),
    )
        .prop_map(|(application, site, document, tag, project, text)| Filter {
            application,
            site,
            document,
            tag,
            project,
            text,
        })
        .prop_filter("it looks for something", |filter| !filter.is_empty())
}

/// The rows of a history that the second implementation reads.
struct HistoryRows {
    pieces: Vec<Row>,
    documents: Vec<Row>,
    websites: Vec<Row>,
    tags: Vec<Row>,
    /// The rows with the values that decide which rule matches. They include links between rows.
    details: Vec<Row>,
}

/// Whether all values that a filter wants are present at a time within a piece.
fn fits(utc: i64, piece: &Row, held: &HistoryRows, rules: &[RuleSpec], filter: &Filter) -> bool {
    let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let there = |rows: &[Row], part: &str| {
        rows.iter().any(|row| {
            let is_there = row.start <= utc && utc < row.end && (row.device.is_empty() || row.device == piece.device);
            is_there && row.words.iter().any(|(_, text)| has(text, part))
        })
    };
    let word = |kind: &str| piece.words.iter().find(|(word, _)| *word == kind).map_or("", |(_, text)| text.as_str());
    let (rule, is_tagged) = rule_at(utc, piece, &held.details, rules);
    let named = rule.map_or_else(String::new, |rule| format!("work {rule}"));
    let holds = |pattern: &Option<String>, is_held: &dyn Fn(&str) -> bool| pattern.as_deref().is_none_or(is_held);
    holds(&filter.application, &|part| has(word("app"), part))
        && holds(&filter.site, &|part| there(&held.websites, part))
        && holds(&filter.document, &|part| there(&held.documents, part))
        && holds(&filter.tag, &|part| there(&held.tags, part))
        && holds(&filter.project, &|part| if is_tagged { there(&held.tags, part) } else { has(&named, part) })
        && holds(&filter.text, &|part| {
            [word("app"), word("title"), &named].iter().any(|text| has(text, part))
                || [&held.websites, &held.documents, &held.tags].iter().any(|rows| there(rows, part))
        })
}

fn check(devices: &[Device], written: &[RuleSpec], filter: &Filter) -> Result<(), TestCaseError> {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        for (number, device) in devices.iter().enumerate() {
            write_device(writer, number, device);
        }
        write_links_and_tags(writer, devices);
    });
    let app = builder_at(history.folder()).with_rules(parse_rules(written)).build().unwrap();
    let edges = "to_unixtime(start_utc), to_unixtime(end_utc)";
    let from = |words: &[&'static str], columns: &str, table: &str| {
        rows(&app, words, &format!("SELECT {columns}, {edges} FROM {table}"))
    };
    let of = |role: &str| {
        from(&["name", "title"], "device, activity_id, name, title", &format!("role_pieces('{role}', {RANGE})"))
    };
    let mut details = from(&["path"], "device, related_activity_id, path", "documents");
    details.extend(from(&["site", "url"], "device, related_activity_id, site, url", "websites"));
    details.extend(from(&["tag"], "'', NULL, tag", "tags"));
    let words = ["app", "app", "title", "device"];
    let held = HistoryRows {
        pieces: from(
            &words,
            "device, activity_id, application, key, title, device AS own",
            &format!("pieces({RANGE})"),
        ),
        documents: of("documents"),
        websites: of("websites"),
        tags: from(&["tag", "notes"], "'', NULL, tag, notes", "tags"),
        details,
    };
    let mut instants: BTreeSet<i64> = BTreeSet::new();
    for rows in [&held.pieces, &held.documents, &held.websites, &held.tags, &held.details] {
        instants.extend(rows.iter().flat_map(|row| [row.start, row.end]));
    }
    let instants: Vec<_> = instants.into_iter().collect();
    let (mut of_devices, mut united) = (0, 0);
    for interval in instants.windows(2) {
        let length = interval[1] - interval[0];
        let there = held.pieces.iter().filter(|piece| piece.start <= interval[0] && interval[0] < piece.end);
        let fitting = there.filter(|piece| fits(interval[0], piece, &held, written, filter)).count();
        of_devices += length * i64::try_from(fitting).unwrap();
        united += if fitting > 0 { length } else { 0 };
    }

    let three_weeks = range("2026-10-24", "2026-11-14");
    let request = NarrativeRequest {
        filter: filter.clone(),
        include_summary: true,
        max_segments: Limit::MAXIMUM,
        ..segments_request(three_weeks)
    };
    let all = run_query(&app, segments_request(three_weeks)).unwrap().total_active_minutes;
    let full = run_query(&app, request.clone()).unwrap();
    let blocks = run_query(&app, NarrativeRequest { detail: Detail::Blocks, ..request }).unwrap();
    let period =
        run_query(&app, PeriodSummaryRequest { filter: filter.clone(), ..PeriodSummaryRequest::new(three_weeks) })
            .unwrap();
    let matching = [full.matching_minutes, blocks.matching_minutes, period.matching_minutes];
    prop_assert_eq!(matching.map(|minutes| minutes.map(Minutes::seconds)), [Some(united); 3]);
    let totals = [full.total_active_minutes, blocks.total_active_minutes, period.total_active_minutes];
    prop_assert_eq!(totals, [all; 3], "the overall total does not depend on the filter");
    let sum =
        |rows: &[dayledger::activity::Segment]| rows.iter().map(|row| row.duration_minutes.seconds()).sum::<i64>();
    prop_assert_eq!(sum(&full.segments.unwrap()), of_devices, "segments of each device add up to its matching time");
    prop_assert_eq!(sum(&blocks.segments.unwrap()), united, "blocks add up to the matching time");
    Ok(())
}

proptest! {
    #![proptest_config(super::config(5))]

    #[test]
    fn filters_equal_a_naive_match_at_every_second(
        devices in [device(), device()],
        rules in rules(),
        filter in filter(),
    ) {
        check(&devices, &rules, &filter)?;
    }
}
