use proptest::prelude::*;

use super::*;

fn piece(key: &'static str, start: i64, end: i64) -> Piece<'static> {
    Piece { key: Some(key), start, end }
}

/// Returns the time of day in seconds.
fn at(hour: i64, minute: i64, second: i64) -> i64 {
    hour * 3600 + minute * 60 + second
}

/// Returns limits with this maximum gap and the default interruption.
fn gap(max_gap: i64) -> JoinLimits {
    JoinLimits { max_gap, interruption: 30 }
}

fn numbers(pieces: &[Piece<'_>], joins: JoinLimits) -> Vec<i64> {
    segments(pieces, joins, 0).iter().map(|membership| membership.segment).collect()
}

#[test]
fn the_example_in_the_specification_has_these_segments() {
    let day = [
        piece("Code", at(9, 0, 0), at(9, 10, 0)),
        piece("Slack", at(9, 10, 0), at(9, 10, 20)),
        piece("Code", at(9, 10, 20), at(9, 20, 0)),
        piece("Chrome", at(9, 20, 0), at(9, 30, 0)),
        piece("Chrome", at(9, 31, 30), at(9, 40, 0)),
        piece("Code", at(9, 40, 0), at(9, 41, 0)),
        piece("Chrome", at(9, 41, 0), at(9, 42, 0)),
        piece("Code", at(9, 45, 0), at(9, 50, 0)),
    ];
    let memberships = segments(&day, gap(120), 0);
    assert_eq!(memberships.iter().map(|of| of.segment).collect::<Vec<_>>(), [1, 1, 1, 2, 2, 3, 4, 5]);
    assert_eq!(memberships.iter().filter(|of| !of.own).count(), 1);
    assert!(!memberships[1].own);
}

#[test]
fn an_interruption_of_thirty_seconds_is_not_short() {
    let back_after = |seconds: i64| [piece("a", 0, 100), piece("b", 100, 105), piece("a", 100 + seconds, 200)];
    assert_eq!(numbers(&back_after(29), gap(0)), [1, 1, 1]);
    assert_eq!(numbers(&back_after(30), gap(600)), [1, 2, 3]);
    assert_eq!(numbers(&back_after(30), JoinLimits { interruption: 31, ..gap(0) }), [1, 1, 1]);
    assert_eq!(numbers(&back_after(6), JoinLimits { interruption: 0, ..gap(600) }), [1, 2, 3]);
}

#[test]
fn a_gap_joins_only_up_to_the_limit() {
    let apart = [piece("a", 0, 100), piece("a", 110, 200)];
    assert_eq!(numbers(&apart, gap(10)), [1, 1]);
    assert_eq!(numbers(&apart, gap(9)), [1, 2]);
    assert_eq!(numbers(&[piece("a", 0, 100), piece("a", 100, 200)], gap(0)), [1, 1]);
}

#[test]
fn pieces_without_key_are_one_application() {
    let unknown = |start, end| Piece { key: None, start, end };
    assert_eq!(numbers(&[unknown(0, 10), unknown(10, 20), piece("Unknown", 20, 60)], gap(0)), [1, 1, 2]);
}

/// A literal implementation of the rules, for comparison.
fn naive_segments(pieces: &[Piece<'_>], joins: JoinLimits) -> Vec<Membership> {
    let mut memberships: Vec<Membership> = Vec::new();
    for number in 1.. {
        if memberships.len() == pieces.len() {
            break;
        }
        let key = pieces[memberships.len()].key;
        let mut end = pieces[memberships.len()].end;
        memberships.push(Membership { segment: number, own: true });
        loop {
            let rest = &pieces[memberships.len()..];
            let others = rest.iter().take_while(|piece| piece.key != key).count();
            let Some(back) = rest.get(others) else { break };
            let follows = others == 0 && back.start - end <= joins.max_gap;
            let absorbs = others > 0 && back.start - end < joins.interruption;
            if !follows && !absorbs {
                break;
            }
            memberships.extend((0..others).map(|_| Membership { segment: number, own: false }));
            memberships.push(Membership { segment: number, own: true });
            end = back.end;
        }
    }
    memberships
}

prop_compose! {
    fn any_pieces()(steps in prop::collection::vec((0..4_usize, prop_oneof![Just(0_i64), 0..40_i64], 1..40_i64), 0..40)) -> Vec<Piece<'static>> {
        let mut now = 0;
        steps.into_iter().map(|(key, gap, length)| {
            let start = now + gap;
            now = start + length;
            Piece { key: [None, Some("a"), Some("b"), Some("c")][key], start, end: now }
        }).collect()
    }
}

proptest! {
    #[test]
    fn segments_follow_the_rules(pieces in any_pieces(), max_gap in 0..60_i64, interruption in 0..90_i64) {
        let joins = JoinLimits { max_gap, interruption };
        prop_assert_eq!(segments(&pieces, joins, 0), naive_segments(&pieces, joins));
    }

    #[test]
    fn splitting_a_piece_into_two_touching_parts_does_not_change_segments(pieces in any_pieces(), max_gap in 0..60_i64, at: prop::sample::Index) {
        let joins = gap(max_gap);
        let splittable: Vec<_> = (0..pieces.len()).filter(|&index| pieces[index].end - pieces[index].start > 1).collect();
        prop_assume!(!splittable.is_empty());
        let index = splittable[at.index(splittable.len())];
        let middle = pieces[index].start + 1;
        let mut parts = pieces.clone();
        parts[index].end = middle;
        parts.insert(index + 1, Piece { start: middle, ..pieces[index] });
        let mut memberships = segments(&parts, joins, 0);
        prop_assert_eq!(memberships.remove(index + 1), memberships[index]);
        prop_assert_eq!(memberships, segments(&pieces, joins, 0));
    }
}
