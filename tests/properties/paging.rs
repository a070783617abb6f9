//! Levels of detail and pages must change neither totals nor the list that is split into pages.

use dayledger::activity::{
    ActivitiesRequest, Breakdown, ComputerUsageRequest, Detail, Narrative, NarrativeRequest, Segment, TagsRequest,
    UsageKind, UsageRequest,
};
use dayledger::request::{Cursor, Limit, Truncate as _, Truncation, codes};
use dayledger_fixtures::SchemaOptions;
use proptest::prelude::*;

use crate::histories::random::{device, range};
use crate::histories::{OpenHistory, computer_usage_request, segments_request, usage_request};

/// Requests all pages, and returns their rows in order.
fn pages<T>(mut ask: impl FnMut(Option<Cursor>) -> (Vec<T>, Truncation)) -> Vec<T> {
    let (mut rows, mut truncation) = ask(None);
    while let Some(cursor) = truncation.next_cursor {
        let page = ask(Some(cursor));
        assert_eq!((page.0.len(), page.1.total_available), (page.1.returned_count, truncation.total_available));
        rows.extend(page.0);
        truncation = page.1;
    }
    rows
}

fn segments(narrative: Narrative) -> (Vec<Segment>, Truncation) {
    (narrative.segments.unwrap(), narrative.truncation)
}

proptest! {
    #![proptest_config(super::config(3))]

    #[test]
    fn blocks_of_a_day_have_the_same_totals(devices in [device(), device()]) {
        let history = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let request = NarrativeRequest { include_summary: true, ..segments_request(range()) };
        for device in [None, Some("device-0".to_owned())] {
            let full = history.answer(NarrativeRequest { device: device.clone(), ..request.clone() });
            let blocks = NarrativeRequest { detail: Detail::Blocks, device: device.clone(), ..request.clone() };
            let blocks = history.answer(blocks);
            prop_assert_eq!(full.total_active_minutes, blocks.total_active_minutes);
            let device = device.map_or("NULL".to_owned(), |device| format!("'{device}'"));
            let sums = [
                format!("SELECT sum(seconds) FROM device_blocks({device}, '2026-10-24', '2026-11-14')"),
                format!(
                    "SELECT union_seconds(start_utc, end_utc) FROM pieces('2026-10-24', '2026-11-14') \
                     WHERE {device} IS NULL OR device = {device}"
                ),
            ];
            let [blocks, pieces] = sums.map(|sum| history.numbers(&sum));
            prop_assert_eq!(blocks, pieces);
        }
    }

    #[test]
    fn pages_contain_the_complete_list(devices in [device(), device()], most in 1..7_i64) {
        let history = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let range = range();
        for detail in [Detail::Full, Detail::Blocks] {
            let request = NarrativeRequest { detail, ..segments_request(range) };
            let max_segments = Limit::parse(Some(most), "maxSegments").unwrap();
            let paged = pages(|cursor| {
                segments(history.answer(NarrativeRequest { max_segments, cursor, ..request.clone() }))
            });
            prop_assert_eq!(paged, history.answer(request).segments.unwrap());
        }
        for kind in [UsageKind::Applications, UsageKind::Documents] {
            let limit = Limit::parse(Some(most), "limit").unwrap();
            let paged = pages(|cursor| {
                let usage = history.answer(UsageRequest { limit, breakdown: Breakdown::None, cursor, ..usage_request(kind, range) });
                (usage.usage, usage.truncation)
            });
            prop_assert_eq!(paged, history.usage(kind, range).usage);
        }
        let activities = |limit| {
            pages(|cursor| {
                let request = ActivitiesRequest { timeline_id: 2, range, limit, cursor, include_group_details: true };
                let answer = history.answer(request);
                (answer.activities, answer.truncation)
            })
        };
        prop_assert_eq!(activities(Limit::parse(Some(most), "limit").unwrap()), activities(Limit::MAXIMUM));
    }
}

#[test]
fn cursor_works_only_for_its_own_query() {
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        crate::histories::random::write_many(writer, 1_200);
    });
    let request = computer_usage_request(range());
    let first = history.answer(request.clone());
    assert_eq!((first.rows(), first.truncation.total_available), (1_000, 1_200));
    let cursor = first.truncation.next_cursor;
    let second = history.answer(ComputerUsageRequest { cursor, ..request.clone() });
    assert_eq!((second.rows(), second.truncation.next_cursor), (200, None));
    assert_eq!(first.totals, second.totals, "totals are those of the whole range");

    let device = Some("device-0".to_owned());
    for error in [
        history.refusal(ComputerUsageRequest { cursor, device, ..request }),
        history.refusal(TagsRequest { cursor, ..TagsRequest::new(range()) }),
        history.refusal(NarrativeRequest { cursor, ..segments_request(range()) }),
    ] {
        assert_eq!((error.code, error.field.as_deref()), (codes::INVALID_CURSOR, Some("cursor")));
    }
}
