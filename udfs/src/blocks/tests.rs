use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::choice::SliceRun;
use super::slices::sweep_slices;
use super::*;
use crate::interval::{DAY, DayStart, HOUR, Interval, RowClock};
use naive::{Second, Subjects, best_by_brute_force, best_by_recursion, holds, seconds_of};

mod naive;

const DEVICES: [Option<&str>; 3] = [None, Some("a"), Some("b")];

fn blocks<'a>(pieces: &[RuledPiece<'a>], tags: &[TagInterval<'a>], switch_cost: i64) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    sweep_blocks(pieces, tags, (switch_cost, DayStart::default()), |block, _| blocks.push(block));
    blocks
}

fn subject(kind: Kind, name: &str) -> Subject<'_> {
    Subject { kind, name }
}

fn app(name: &str) -> Subject<'_> {
    subject(Kind::Application, name)
}

/// Returns an interval whose local time is `offset` seconds ahead of UTC.
fn interval(start: i64, end: i64, offset: i64) -> Interval {
    Interval::new(start + offset, start, end + offset, end).unwrap()
}

/// Returns a piece of an application on the first device. Its local time is UTC.
fn piece(name: &str, start: i64, end: i64) -> RuledPiece<'_> {
    RuledPiece { device: Some("a"), interval: interval(start, end, 0), timeline: 1, subject: app(name) }
}

fn tag(name: &str, start: i64, end: i64) -> TagInterval<'_> {
    TagInterval { interval: interval(start, end, 0), subject: subject(Kind::Tag, name) }
}

/// Returns the subject, the UTC start and end, the seconds, and the seconds on the subject of each block.
fn summaries<'a>(blocks: &[Block<'a>]) -> Vec<(&'a str, i64, i64, i64, i64)> {
    let summary = |block: &Block<'a>| {
        (block.subject.name, block.interval.start_utc, block.interval.end_utc, block.seconds, block.on_subject)
    };
    blocks.iter().map(summary).collect()
}

#[test]
fn without_pieces_there_are_no_blocks() {
    assert_eq!(blocks(&[], &[], 300), []);
    assert_eq!(blocks(&[], &[tag("meeting", 0, 100)], 300), []);
}

#[test]
fn interruption_shorter_than_the_switch_cost_does_not_change_the_subject() {
    let visit = |seconds: i64| [piece("a", 0, 900), piece("b", 900, 900 + seconds), piece("a", 900 + seconds, 3000)];
    // The visit to `b` would cost two changes, which is as much as its 600 seconds. On a tie, fewer changes win.
    assert_eq!(summaries(&blocks(&visit(600), &[], 300)), [("a", 0, 3000, 3000, 2400)]);
    let there = [("a", 0, 900, 900, 900), ("b", 900, 1501, 601, 601), ("a", 1501, 3000, 1499, 1499)];
    assert_eq!(summaries(&blocks(&visit(601), &[], 300)), there);
    assert_eq!(summaries(&blocks(&visit(1), &[], i64::MAX)), [("a", 0, 3000, 3000, 2999)]);
}

#[test]
fn without_a_switch_cost_the_subject_changes_with_every_slice() {
    let day = [piece("a", 0, 100), piece("b", 100, 101), piece("a", 101, 200)];
    let each = [("a", 0, 100, 100, 100), ("b", 100, 101, 1, 1), ("a", 101, 200, 99, 99)];
    assert_eq!(summaries(&blocks(&day, &[], 0)), each);
    assert_eq!(summaries(&blocks(&day, &[], i64::MIN)), each);
    let tags = [tag("x", 0, 150), tag("y", 50, 200)];
    // In the middle, both tags have the same score and the same total seconds, so the tag that starts earlier wins.
    assert_eq!(summaries(&blocks(&day, &tags, 0)), [("x", 0, 150, 150, 150), ("y", 150, 200, 50, 50)]);
}

#[test]
fn a_tag_takes_precedence_over_the_subject_of_a_piece() {
    let day = [piece("a", 0, 1000), piece("b", 1000, 3000)];
    let blocks = blocks(&day, &[tag("meeting", 500, 2000)], 0);
    assert_eq!(
        summaries(&blocks),
        [("a", 0, 500, 500, 500), ("meeting", 500, 2000, 1500, 1500), ("b", 2000, 3000, 1000, 1000)]
    );
    assert_eq!(blocks.iter().map(|block| block.slices.clone()).collect::<Vec<_>>(), [0..1, 1..3, 3..4]);
}

#[test]
fn the_same_name_with_another_kind_is_another_subject() {
    let of = |kind, start, end| RuledPiece { subject: subject(kind, "x"), ..piece("", start, end) };
    let day = [of(Kind::Application, 0, 10), of(Kind::Project, 10, 20), of(Kind::Category, 20, 30)];
    assert_eq!(blocks(&day, &[], 0).len(), 3);
    // The seconds are equal, so the earlier subject wins.
    assert_eq!(blocks(&day, &[], 300)[0].subject.kind, Kind::Application);
}

#[test]
fn ties_are_decided_by_seconds_then_start_then_name_then_kind() {
    let on = |device, timeline, subject, start, end| RuledPiece {
        device: Some(device),
        timeline,
        subject,
        ..piece("", start, end)
    };
    let first = |pieces: &[RuledPiece<'static>]| blocks(pieces, &[], 300)[0].subject;
    let category = |name| subject(Kind::Category, name);
    assert_eq!(first(&[piece("a", 0, 10), piece("b", 10, 21)]), app("b"));
    assert_eq!(first(&[piece("b", 0, 10), piece("a", 10, 20)]), app("b"));
    assert_eq!(first(&[on("a", 1, app("b"), 0, 10), on("b", 2, app("B"), 0, 10)]), app("B"));
    assert_eq!(first(&[on("a", 1, app("b"), 0, 10), on("b", 2, category("b"), 0, 10)]), category("b"));
}

/// The slices between `a` and `d` have neither of these subjects. So the change from `a` to `d` costs the same at each
/// of these slices. The preferred subject gets the slices.
#[test]
fn slices_with_neither_subject_get_the_preferred_one() {
    let between = [piece("b", 1000, 1010), piece("c", 1010, 1020)];
    let with = |first: i64, last: i64| {
        [&[piece("a", 1000 - first, 1000)], &between[..], &[piece("d", 1020, 1020 + last)]].concat()
    };
    assert_eq!(summaries(&blocks(&with(900, 800), &[], 300))[0], ("a", 100, 1020, 920, 900));
    assert_eq!(summaries(&blocks(&with(800, 900), &[], 300))[0], ("a", 200, 1000, 800, 800));
}

#[test]
fn a_break_of_ten_minutes_ends_a_block_and_a_shorter_one_adds_no_seconds() {
    let with = |gap: i64| [piece("a", 0, 100), piece("a", 100 + gap, 200 + gap)];
    assert_eq!(summaries(&blocks(&with(599), &[], 300)), [("a", 0, 799, 200, 200)]);
    assert_eq!(summaries(&blocks(&with(600), &[], 300)), [("a", 0, 100, 100, 100), ("a", 700, 800, 100, 100)]);
    // A gap without pieces is a break, even if a tag covers the gap.
    assert_eq!(blocks(&with(601), &[tag("x", 0, 801)], 300).len(), 2);
}

#[test]
fn local_midnight_ends_a_block_inside_a_piece_and_between_pieces() {
    let midnight = |piece: RuledPiece<'static>| RuledPiece {
        interval: interval(piece.interval.start_utc, piece.interval.end_utc, DAY - 50),
        ..piece
    };
    let within = blocks(&[midnight(piece("a", 0, 100))], &[], 300);
    assert_eq!(summaries(&within), [("a", 0, 50, 50, 50), ("a", 50, 100, 50, 50)]);
    assert_eq!((within[0].interval.end_local, within[1].interval.start_local), (DAY, DAY));
    let between = [midnight(piece("a", 0, 45)), midnight(piece("a", 55, 100))];
    assert_eq!(summaries(&blocks(&between, &[], 300)), [("a", 0, 45, 45, 45), ("a", 55, 100, 45, 45)]);
}

#[test]
fn a_later_start_of_days_ends_blocks_instead_of_midnight() {
    let at = |hours: i64| {
        move |piece: RuledPiece<'static>| RuledPiece {
            interval: interval(piece.interval.start_utc, piece.interval.end_utc, hours * HOUR - 50),
            ..piece
        }
    };
    let starts = |piece: RuledPiece<'static>| {
        let mut starts = Vec::new();
        sweep_blocks(&[piece], &[], (300, DayStart::from_seconds(4 * HOUR)), |block, _| {
            starts.push((block.interval.start_local, block.seconds));
        });
        starts
    };
    assert_eq!(starts(at(24)(piece("a", 0, 100))), [(24 * HOUR - 50, 100)]);
    assert_eq!(starts(at(28)(piece("a", 0, 100))), [(28 * HOUR - 50, 50), (28 * HOUR, 50)]);
}

#[test]
fn the_midnight_of_another_device_does_not_end_a_block() {
    let abroad = RuledPiece { device: Some("b"), timeline: 2, interval: interval(0, 100, DAY - 50), subject: app("a") };
    assert_eq!(summaries(&blocks(&[abroad, piece("a", 0, 100)], &[], 300)), [("a", 0, 100, 100, 100)]);
    // While the clock of the device `abroad` is used, its midnight ends a block. A change to a clock with another date
    // also ends a block.
    let alone = [abroad, piece("a", 60, 110)];
    let ends: Vec<_> = blocks(&alone, &[], 300).iter().map(|block| block.interval.end_utc).collect();
    assert_eq!(ends, [50, 60, 110]);
}

#[test]
fn a_block_keeps_the_local_end_of_its_piece_if_clocks_go_back() {
    let autumn = Interval::new(3000, 0, 3600, 4200).unwrap();
    let block = &blocks(&[RuledPiece { interval: autumn, ..piece("a", 0, 1) }], &[], 300)[0];
    assert_eq!((block.interval, block.seconds), (autumn, 4200));
}

/// If clocks go back at midnight, they reach midnight twice. The day ends only at the second midnight.
#[test]
fn if_clocks_go_back_at_midnight_the_day_ends_after_the_change() {
    let autumn = Interval::new(DAY - 600, 0, DAY - 1800, 2400).unwrap();
    let row = RuledPiece { interval: autumn, ..piece("a", 0, 1) };
    let blocks = blocks(&[row], &[tag("x", 1200, 2400)], 0);
    assert_eq!(summaries(&blocks), [("a", 0, 1200, 1200, 1200), ("x", 1200, 2400, 1200, 1200)]);
    assert_eq!((blocks[0].interval.end_local, blocks[1].interval.start_local), (DAY, DAY - 1));
}

#[test]
fn invalid_rows_are_ignored_and_a_damaged_row_is_cut_at_a_limited_number_of_midnights() {
    let nonsense = |start_utc, end_utc| RuledPiece {
        interval: Interval { start_utc, start_local: start_utc, end_utc, end_local: end_utc },
        ..piece("a", 0, 1)
    };
    let rows = [nonsense(i64::MIN, i64::MAX), nonsense(5, 5), nonsense(7, 3), nonsense(i64::MAX, i64::MIN)];
    assert_eq!(blocks(&rows, &[], i64::MAX), []);
    let damaged = nonsense(-1_000_000_000_000_000, 1_000_000_000_000_000);
    let blocks = blocks(&[damaged], &[], i64::MAX);
    assert_eq!(blocks.len(), 100_001);
    assert_eq!(blocks.iter().map(|block| block.seconds).sum::<i64>(), damaged.interval.seconds());
}

/// Returns the blocks without the numbers of slices, because these numbers depend on the positions of cuts.
fn comparable(blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    blocks.into_iter().map(|block| Block { slices: 0..0, ..block }).collect()
}

#[derive(Clone, Debug)]
struct Case {
    pieces: Vec<RuledPiece<'static>>,
    tags: Vec<TagInterval<'static>>,
    switch_cost: i64,
}

fn any_subject() -> impl Strategy<Value = Subject<'static>> {
    let kinds = prop::sample::select(vec![Kind::Project, Kind::Category, Kind::Application]);
    (kinds, prop::sample::select(vec!["a", "b", "B"])).prop_map(|(kind, name)| Subject { kind, name })
}

fn any_gap() -> impl Strategy<Value = i64> {
    prop_oneof![6 => Just(0_i64), 4 => 0..6_i64, 1 => prop::sample::select(vec![599_i64, 600, 601])]
}

/// Generates UTC offsets. Most are 0. With the others, midnight comes after 10 seconds, 20 seconds, or an hour and 10
/// seconds, or the date differs.
fn any_offset() -> impl Strategy<Value = i64> {
    prop_oneof![4 => Just(0), 1 => prop::sample::select(vec![DAY - 10, DAY - 20, DAY - 10 - HOUR, 2 * DAY])]
}

/// Generates the clock change inside a piece, in seconds.
fn any_jump() -> impl Strategy<Value = i64> {
    prop_oneof![8 => Just(0), 1 => prop::sample::select(vec![HOUR, -HOUR])]
}

/// Generates the pieces of one device. The pieces don't overlap.
fn any_track(device: usize, most: usize) -> impl Strategy<Value = Vec<RuledPiece<'static>>> {
    let piece = (any_gap(), 1..8_i64, any_subject(), any_jump());
    let zone = (any_offset(), any_offset(), 0..=most);
    (prop::collection::vec(piece, 0..=most), zone, 1..3_i64).prop_map(
        move |(steps, (zone, moved, moves_at), timeline)| {
            let mut now = 0;
            let piece = |(number, (gap, length, subject, jump))| {
                let start = now + gap;
                now = start + length;
                let offset = if number < moves_at { zone } else { moved };
                let interval = Interval::new(start + offset, start, now + offset + jump, now).unwrap();
                RuledPiece { device: DEVICES[device], interval, timeline, subject }
            };
            steps.into_iter().enumerate().map(piece).collect()
        },
    )
}

fn any_case(most: usize, most_tags: usize) -> impl Strategy<Value = Case> {
    let any_tag = (0..40_i64, 1..20_i64, prop::sample::select(vec!["a", "t"]));
    let tags = prop::collection::vec(any_tag, 0..=most_tags);
    let switch_cost = prop_oneof![6 => 0..8_i64, 1 => Just(0), 1 => 8..40_i64, 1 => Just(i64::MAX), 1 => Just(-1)];
    let pieces = (any_track(0, most), any_track(1, most / 2), any_track(2, most / 3));
    (pieces, tags, switch_cost).prop_map(|((one, two, three), tags, switch_cost)| Case {
        pieces: [one, two, three].concat(),
        tags: tags.into_iter().map(|(start, length, name)| tag(name, start, start + length)).collect(),
        switch_cost,
    })
}

/// Generates slices. A slice consists of its seconds and a bit mask of its four possible subjects.
fn any_sets() -> impl Strategy<Value = Vec<(i64, usize)>> {
    let set = prop_oneof![2 => prop::sample::select(vec![1_usize, 2, 4, 8]), 1 => 1..16_usize];
    prop::collection::vec((1..4_i64, set), 1..=6)
}

/// Generates intervals as in damaged files. Their timestamps can be at the limits of valid values or beyond these
/// limits.
fn any_damaged() -> impl Strategy<Value = Interval> {
    let far = 1_000_000_000_000_000;
    let beyond = prop::sample::select(vec![i64::MIN, i64::MAX, far + 1, -far - 1]);
    let utc = prop_oneof![9 => far - 3 * DAY..=far, 1 => beyond];
    let local = prop_oneof![2 => utc.clone(), 1 => -far..=3 * DAY - far];
    (utc.clone(), utc, local.clone(), local).prop_map(|(start_utc, end_utc, start_local, end_local)| Interval {
        start_utc,
        start_local,
        end_utc,
        end_local,
    })
}

const FOUR: [Subject<'static>; 4] = [
    Subject { kind: Kind::Tag, name: "b" },
    Subject { kind: Kind::Application, name: "a" },
    Subject { kind: Kind::Project, name: "a" },
    Subject { kind: Kind::Application, name: "c" },
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_choice_has_the_lowest_cost_of_all_assignments(slices in any_sets(), switch_cost in 0..6_i64) {
        let mut interval = SliceRun::default();
        let mut sets = Vec::new();
        for (seconds, bits) in slices {
            let has = || FOUR.into_iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, subject)| subject);
            interval.push(seconds, &has().chain(has()).collect::<Vec<_>>());
            sets.push((seconds, has().map(|subject| (subject.name, subject.kind)).collect::<Subjects<'_>>()));
        }
        let choices = interval.choose(switch_cost);
        let given: Vec<_> = choices.iter().map(|choice| (choice.subject.name, choice.subject.kind)).collect();
        prop_assert_eq!(&given, &best_by_brute_force(&sets, switch_cost));
        prop_assert_eq!(&given, &best_by_recursion(&sets, switch_cost));
        for (choice, (_, set)) in choices.iter().zip(&sets) {
            prop_assert_eq!(choice.on_subject, set.contains(&(choice.subject.name, choice.subject.kind)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn blocks_of_few_slices_match_a_search_of_all_assignments(case in any_case(3, 1)) {
        let Case { pieces, tags, switch_cost } = case;
        let same = |a: &Second<'static>, b: &Second<'static>| a.held_by == b.held_by;
        let mut slices = 0;
        sweep_slices(&pieces, &tags, DayStart::default(), |_, _, _| slices += 1);
        prop_assume!(slices <= 7);
        prop_assert_eq!(comparable(blocks(&pieces, &tags, switch_cost)), naive::blocks(&pieces, &tags, switch_cost, same, best_by_brute_force));
    }

    /// Here, each second is a separate slice, because the positions of cuts between slices don't change blocks.
    #[test]
    fn blocks_of_a_day_match_a_count_of_single_seconds(case in any_case(9, 4)) {
        let Case { pieces, tags, switch_cost } = case;
        let each = |_: &Second<'static>, _: &Second<'static>| false;
        prop_assert_eq!(comparable(blocks(&pieces, &tags, switch_cost)), naive::blocks(&pieces, &tags, switch_cost, each, best_by_recursion));
    }

    #[test]
    fn slices_are_cut_only_at_edges_and_midnights(case in any_case(9, 4)) {
        let Case { pieces, tags, .. } = case;
        let mut slices = Vec::new();
        sweep_slices(&pieces, &tags, DayStart::default(), |interval, day, subjects| {
            let set: Subjects<'_> = subjects.iter().map(|subject| (subject.name, subject.kind)).collect();
            slices.push((interval.start_utc, interval.end_utc, day, set));
        });
        let seconds = seconds_of(&pieces, &tags);
        let expected = seconds.chunk_by(|a, b| a.utc + 1 == b.utc && a.held_by == b.held_by);
        let expected: Vec<_> =
            expected.map(|of| (of[0].utc, of[of.len() - 1].utc + 1, of[0].day, of[0].subjects.clone())).collect();
        prop_assert_eq!(slices, expected);
    }

    #[test]
    fn blocks_add_up_and_are_disjoint_and_each_lies_in_one_day(case in any_case(12, 4)) {
        let Case { pieces, tags, switch_cost } = case;
        let mut blocks = Vec::new();
        let mut slices = Vec::new();
        sweep_blocks(&pieces, &tags, (switch_cost, DayStart::default()), |block, of| {
            assert_eq!(block.slices, slices.len()..slices.len() + of.len());
            slices.extend_from_slice(of);
            blocks.push(block);
        });
        let union = seconds_of(&pieces, &tags);
        prop_assert_eq!(blocks.iter().map(|block| block.seconds).sum::<i64>(), i64::try_from(union.len()).unwrap());
        prop_assert!(slices.windows(2).all(|pair| pair[0].interval.end_utc <= pair[1].interval.start_utc));
        prop_assert!(blocks.windows(2).all(|pair| pair[0].interval.end_utc <= pair[1].interval.start_utc));
        for block in blocks {
            let slices = &slices[block.slices.clone()];
            let of = |on: bool| slices.iter().filter(|slice| slice.on_subject || on).map(|slice| slice.interval.seconds()).sum::<i64>();
            prop_assert_eq!((block.seconds, block.on_subject), (of(true), of(false)));
            prop_assert!(slices.windows(2).all(|pair| pair[1].interval.start_utc - pair[0].interval.end_utc < 600));
            let day = block.interval.start_local.div_euclid(DAY) * DAY;
            prop_assert!((day..=day + DAY).contains(&block.interval.end_local), "{block:?}");
            let days: BTreeSet<_> = union.iter().filter(|at| holds(&block.interval, at.utc)).map(|at| at.day).collect();
            prop_assert_eq!(days, BTreeSet::from([day]));
        }
    }

    #[test]
    fn row_order_does_not_change_blocks(case in any_case(8, 4), by in 0..20_usize) {
        let Case { mut pieces, mut tags, switch_cost } = case;
        let blocks = blocks(&pieces, &tags, switch_cost);
        let (turn, turn_tags) = (by % pieces.len().max(1), by % tags.len().max(1));
        pieces.rotate_left(turn);
        pieces.reverse();
        tags.rotate_left(turn_tags);
        prop_assert_eq!(blocks, self::blocks(&pieces, &tags, switch_cost));
    }

    #[test]
    fn splitting_a_piece_into_two_touching_parts_does_not_change_blocks(case in any_case(8, 4), at: prop::sample::Index) {
        let Case { mut pieces, tags, switch_cost } = case;
        let splittable: Vec<_> = (0..pieces.len())
            .filter(|&index| pieces[index].interval.seconds() > 1)
            // Pieces with a clock change are left out, because the local time in their middle isn't known.
            .filter(|&index| pieces[index].interval.end_local - pieces[index].interval.start_local == pieces[index].interval.seconds())
            .collect();
        prop_assume!(!splittable.is_empty());
        let whole = blocks(&pieces, &tags, switch_cost);
        let index = splittable[at.index(splittable.len())];
        let Interval { start_utc, start_local, .. } = pieces[index].interval;
        let mut rest = pieces[index];
        (rest.interval.start_utc, rest.interval.start_local) = (start_utc + 1, start_local + 1);
        (pieces[index].interval.end_utc, pieces[index].interval.end_local) = (start_utc + 1, start_local + 1);
        pieces.push(rest);
        prop_assert_eq!(comparable(whole), comparable(blocks(&pieces, &tags, switch_cost)));
    }

    /// A query for one day clips pieces at midnight, unlike a query for the week. If the UTC offset doesn't change,
    /// both queries return the same blocks for the day.
    #[test]
    fn a_single_day_has_the_same_blocks_as_in_its_week(case in any_case(9, 4), offset in any_offset()) {
        let Case { mut pieces, tags, switch_cost } = case;
        pieces.retain(|piece| piece.device == DEVICES[0]);
        let mut days = BTreeMap::<i64, Vec<_>>::new();
        for piece in &mut pieces {
            piece.interval = interval(piece.interval.start_utc, piece.interval.end_utc, offset);
            RowClock::new(piece.interval).split(|at| DayStart::default().before(at), DAY, 9, |part| {
                days.entry(part.start_local.div_euclid(DAY)).or_default().push(RuledPiece { interval: part, ..*piece });
            });
        }
        let alone: Vec<_> = days.values().flat_map(|pieces| blocks(pieces, &tags, switch_cost)).collect();
        prop_assert_eq!(comparable(blocks(&pieces, &tags, switch_cost)), comparable(alone));
    }

    #[test]
    fn damaged_rows_neither_overflow_nor_lose_seconds(
        damaged in prop::collection::vec(any_damaged(), 0..4),
        tagged in any_damaged(),
        switch_cost in prop_oneof![any::<i64>(), Just(i64::MAX), Just(i64::MIN)],
    ) {
        let rows: Vec<_> = damaged.into_iter().map(|interval| RuledPiece { interval, ..piece("a", 0, 1) }).collect();
        let blocks = blocks(&rows, &[TagInterval { interval: tagged, subject: FOUR[0] }], switch_cost);
        prop_assert!(blocks.iter().all(|block| (0..=block.seconds).contains(&block.on_subject)));
        let known = rows.iter().map(|row| row.interval);
        let mut known: Vec<_> =
            known.filter_map(|of| Interval::new(of.start_local, of.start_utc, of.end_local, of.end_utc)).collect();
        known.sort();
        let (mut measure, mut reached) = (0, i64::MIN);
        for interval in known {
            measure += (interval.end_utc - interval.start_utc.max(reached)).max(0);
            reached = reached.max(interval.end_utc);
        }
        prop_assert_eq!(blocks.iter().map(|block| block.seconds).sum::<i64>(), measure);
    }
}
