use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const PC: Option<&str> = Some("pc");

fn piece(segment: i64, activity: i64, span: Span) -> SegmentPiece<'static> {
    SegmentPiece { segment, own: true, device: PC, activity: Some(activity), span }
}

fn candidate(span: Span) -> Candidate<'static> {
    Candidate { device: PC, activity: None, names: None, span, tolerance: -1 }
}

fn shares(pieces: &[SegmentPiece<'static>], candidate: Candidate<'static>) -> Vec<(i64, i64, bool)> {
    let mut segments = Segments::new(pieces.iter().copied());
    segments.shares(&candidate).map(|share| (share.segment, share.seconds, share.linked)).collect()
}

#[test]
fn merged_piece_counts_for_tags_but_not_for_documents() {
    let pieces = [piece(1, 1, (0, 10)), SegmentPiece { own: false, ..piece(1, 2, (10, 20)) }, piece(1, 1, (20, 30))];
    assert_eq!(shares(&pieces, candidate((0, 30))), [(1, 20, false)]);
    assert_eq!(shares(&pieces, Candidate { device: None, ..candidate((0, 30)) }), [(1, 30, false)]);
}

#[test]
fn a_tag_belongs_to_every_device_and_a_document_to_its_own() {
    let pieces = [piece(1, 1, (0, 10)), SegmentPiece { device: Some("laptop"), ..piece(2, 1, (5, 15)) }];
    assert_eq!(shares(&pieces, Candidate { device: None, ..candidate((0, 20)) }), [(1, 10, false), (2, 10, false)]);
    assert_eq!(shares(&pieces, candidate((0, 20))), [(1, 10, false)]);
}

#[test]
fn a_link_binds_a_document_to_the_segments_of_its_activity() {
    let pieces = [piece(1, 7, (0, 10)), piece(1, 8, (10, 20)), piece(2, 9, (20, 30)), piece(3, 7, (40, 50))];
    let linked = Candidate { activity: Some(7), ..candidate((5, 30)) };
    assert_eq!(shares(&pieces, linked), [(1, 15, true), (3, 0, true)]);
    assert_eq!(shares(&pieces, Candidate { activity: Some(99), ..linked }), []);
}

#[test]
fn overlapping_rows_of_the_same_name_count_once_per_segment() {
    let mut segments = Segments::new([piece(1, 7, (0, 10)), piece(2, 8, (10, 30))]);
    let mut shares = |candidate: Candidate<'static>| -> Vec<_> {
        segments.shares(&candidate).map(|share| (share.segment, share.seconds)).collect()
    };
    let tag = |name, span| Candidate { device: None, names: Some(("tag", name)), ..candidate(span) };
    assert_eq!(shares(tag("work", (0, 20))), [(1, 10), (2, 10)]);
    assert_eq!(shares(tag("other", (0, 20))), [(1, 10), (2, 10)]);
    assert_eq!(shares(tag("work", (5, 15))), [(1, 0), (2, 0)]);
    assert_eq!(shares(tag("work", (5, 25))), [(1, 0), (2, 5)]);
    assert_eq!(shares(Candidate { names: Some(("document", "work")), ..candidate((20, 25)) }), [(2, 5)]);
    // If a row is linked to one segment, its time isn't counted in other segments. So this time stays available there
    // for other rows with the same name.
    let page = |activity, span| Candidate { activity, names: Some(("website", "a.example")), ..candidate(span) };
    assert_eq!(shares(page(Some(7), (0, 20))), [(1, 10)]);
    assert_eq!(shares(page(None, (5, 20))), [(1, 0), (2, 10)]);
}

#[test]
fn a_segment_that_starts_soon_after_the_row_is_listed_without_seconds() {
    let pieces = [piece(1, 1, (0, 10)), piece(2, 2, (15, 20)), piece(2, 2, (16, 30)), piece(3, 3, (17, 40))];
    let soon = |tolerance| shares(&pieces, Candidate { tolerance, ..candidate((5, 10)) });
    assert_eq!(soon(5), [(1, 5, false), (2, 0, false)]);
    assert_eq!(soon(4), [(1, 5, false)]);
    assert_eq!(shares(&pieces, Candidate { tolerance: 0, ..candidate((12, 15)) }), [(2, 0, false)]);
    let tag = Candidate { device: None, tolerance: 5, ..candidate((5, 10)) };
    assert_eq!(shares(&pieces, tag), [(1, 5, false)]);
}

#[test]
fn a_linked_row_precedes_only_a_segment_that_starts_soon_after() {
    let pieces = [piece(1, 7, (20, 30)), piece(2, 8, (30, 40)), piece(3, 7, (60, 70))];
    let linked = Candidate { activity: Some(7), tolerance: 5, ..candidate((2, 15)) };
    let mut segments = Segments::new(pieces);
    let found: Vec<_> = segments.shares(&linked).map(|share| (share.segment, share.linked, share.precedes)).collect();
    assert_eq!(found, [(1, true, true), (3, true, false)]);
}

proptest! {
    #[test]
    fn overlaps_match_a_comparison_of_every_pair(
        rows in prop::collection::vec((0..5_i64, any::<bool>(), 0..3_usize, 0..60_i64, 1..20_i64), 0..25),
        (device, start, length) in (0..3_usize, 0..60_i64, 1..30_i64),
    ) {
        let devices = [None, Some("a"), Some("b")];
        let span = (start, start + length);
        let pieces: Vec<_> = rows.iter().map(|&(segment, own, device, start, length)| SegmentPiece {
            segment, own, device: devices[device], activity: None, span: (start, start + length),
        }).collect();
        let mut expected = BTreeMap::new();
        for piece in &pieces {
            let matches = device == 0 || piece.own && piece.device == devices[device];
            let seconds = (span.0..span.1).filter(|second| (piece.span.0..piece.span.1).contains(second)).count();
            if matches && seconds > 0 {
                *expected.entry(piece.segment).or_default() += i64::try_from(seconds).unwrap();
            }
        }
        let row = Candidate { device: devices[device], ..candidate(span) };
        let found: BTreeMap<_, _> =
            Segments::new(pieces).shares(&row).map(|share| (share.segment, share.seconds)).collect();
        prop_assert_eq!(found, expected);
    }
}
