use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// Returns an interval whose local time is `offset` seconds ahead of UTC.
fn interval(start: i64, end: i64, offset: i64) -> Interval {
    Interval::new(start + offset, start, end + offset, end).unwrap()
}

fn activity(start: i64, end: i64) -> Activity {
    Activity { row: interval(start, end, 0), range_start: None, range_end: None }
}

fn pieces(activities: &[Activity], active: Option<Vec<Interval>>) -> Vec<(usize, Interval)> {
    let mut pieces = Vec::new();
    super::pieces(activities.iter().copied(), active, |index, piece| pieces.push((index, piece)));
    pieces
}

fn spans(pieces: &[(usize, Interval)]) -> Vec<(usize, i64, i64)> {
    pieces.iter().map(|(index, piece)| (*index, piece.start_utc, piece.end_utc)).collect()
}

#[test]
fn an_activity_resumes_when_a_later_one_ends() {
    let rows = [activity(0, 100), activity(10, 50), activity(20, 30), activity(50, 60)];
    let expected = [(0, 0, 10), (1, 10, 20), (2, 20, 30), (1, 30, 50), (3, 50, 60), (0, 60, 100)];
    assert_eq!(spans(&pieces(&rows, None)), expected);
}

#[test]
fn the_last_of_two_activities_that_start_together_owns_the_time() {
    assert_eq!(spans(&pieces(&[activity(0, 20), activity(0, 10)], None)), [(1, 0, 10), (0, 10, 20)]);
    assert_eq!(spans(&pieces(&[activity(0, 10), activity(0, 20)], None)), [(1, 0, 20)]);
}

#[test]
fn a_device_without_active_intervals_in_the_range_has_no_pieces() {
    assert_eq!(pieces(&[activity(0, 100)], Some(vec![])), []);
}

#[test]
fn touching_active_intervals_do_not_split_a_piece() {
    let active = vec![interval(20, 50, 7), interval(10, 20, 7), interval(70, 80, 7)];
    assert_eq!(spans(&pieces(&[activity(0, 100)], Some(active))), [(0, 10, 50), (0, 70, 80)]);
}

#[test]
fn a_cut_gets_the_local_time_of_the_row_that_causes_it() {
    let rows = [
        Activity { row: interval(0, 100, 1000), range_start: None, range_end: None },
        Activity { row: interval(40, 60, 2000), range_start: None, range_end: None },
    ];
    let active = vec![interval(0, 20, 3000), interval(30, 100, 3000)];
    let local: Vec<_> =
        pieces(&rows, Some(active)).iter().map(|(_, piece)| (piece.start_local, piece.end_local)).collect();
    assert_eq!(local, [(1000, 3020), (3030, 2040), (2040, 2060), (2060, 1100)]);
}

/// The row starts before a break in active time. After the break, its piece has another clock.
#[test]
fn a_range_applies_to_the_clock_of_each_piece() {
    let over_a_break = |range_start, range_end| {
        // Clocks go forward an hour during the break.
        let row = Interval::new(3600, 0, 14_400, 7200).unwrap();
        let active = vec![interval(0, 600, 3600), interval(3600, 7200, 7200)];
        pieces(&[Activity { row, range_start: Some(range_start), range_end: Some(range_end) }], Some(active))
    };
    assert_eq!(over_a_break(10_800, 12_600), [(0, Interval::new(10_800, 3600, 12_600, 5400).unwrap())]);
    assert_eq!(over_a_break(12_600, 14_400), [(0, Interval::new(12_600, 5400, 14_400, 7200).unwrap())]);
    assert_eq!(over_a_break(7200, 10_800), []);
    assert_eq!(over_a_break(0, 7200), [(0, Interval::new(3600, 0, 4200, 600).unwrap())]);
}

/// A query for one day must use the same clock for its pieces as a query for the week. But only the query for the week
/// reads the Active interval before the clock change.
#[test]
fn active_intervals_with_another_clock_start_a_new_piece() {
    let row = Interval::new(3600, 0, 14_400, 7200).unwrap();
    // Clocks go forward within the first interval. In the second case, the two intervals overlap.
    for second_start in [3600, 3000] {
        let second = interval(second_start, 7200, 7200);
        let first = Interval::new(3600, 0, 10_800, 3600).unwrap();
        let wide = pieces(&[Activity { row, range_start: None, range_end: None }], Some(vec![second, first]));
        let cut = second_start + 7200;
        let (before, after) = (
            Interval::new(3600, 0, cut, second_start).unwrap(),
            Interval::new(cut, second_start, 14_400, 7200).unwrap(),
        );
        assert_eq!(wide, [(0, before), (0, after)]);
        let alone = Activity { row, range_start: Some(cut), range_end: None };
        assert_eq!(pieces(&[alone], Some(vec![second])), [(0, after)]);
    }
}

#[test]
fn a_piece_keeps_its_first_clock_if_clocks_change() {
    // Clocks go back an hour inside the row. The range is the local hour in which the row ends.
    let row = Interval::new(5400 + 7200, 5400, 10_800 + 3600, 10_800).unwrap();
    let in_hour = Activity { row, range_start: Some(3 * 3600), range_end: Some(4 * 3600) };
    assert_eq!(spans(&pieces(&[in_hour], None)), [(0, 5400, 10_800)]);
}

#[derive(Debug, Clone)]
struct Case {
    activities: Vec<Activity>,
    active: Option<Vec<Interval>>,
}

fn any_interval(offset: i64) -> impl Strategy<Value = Interval> {
    (0..60_i64, 1..20_i64).prop_map(move |(start, length)| interval(start, start + length, offset))
}

fn any_case() -> impl Strategy<Value = Case> {
    let bound = || prop::option::of(100..170_i64);
    let activities = prop::collection::vec(any_interval(100), 0..12);
    let active = prop::option::of(prop::collection::vec(any_interval(100), 0..8));
    (activities, active, bound(), bound()).prop_map(|(mut rows, active, range_start, range_end)| {
        rows.sort_by_key(|row| row.start_utc);
        let activities = rows.into_iter().map(|row| Activity { row, range_start, range_end }).collect();
        Case { activities, active }
    })
}

/// Returns the owner of each second. Finds the owner of each second separately.
fn owner_by_second(case: &Case) -> HashMap<i64, usize> {
    let mut owners = HashMap::new();
    for second in 0..100 {
        let covers = |row: &Interval| row.start_utc <= second && second < row.end_utc;
        let owner = (0..case.activities.len())
            .filter(|&index| covers(&case.activities[index].row))
            .max_by_key(|&index| (case.activities[index].row.start_utc, index));
        let Some(owner) = owner else { continue };
        let Activity { range_start, range_end, .. } = case.activities[owner];
        let local = second + 100;
        let in_range = range_start.is_none_or(|start| start <= local) && range_end.is_none_or(|end| local < end);
        if in_range && case.active.as_ref().is_none_or(|active| active.iter().any(covers)) {
            owners.insert(second, owner);
        }
    }
    owners
}

proptest! {
    #[test]
    fn every_second_has_the_owner_that_the_rules_define(case in any_case()) {
        let mut owners = HashMap::new();
        for (index, piece) in pieces(&case.activities, case.active.clone()) {
            prop_assert!(piece.start_utc < piece.end_utc);
            prop_assert_eq!((piece.start_local, piece.end_local), (piece.start_utc + 100, piece.end_utc + 100));
            for second in piece.start_utc..piece.end_utc {
                prop_assert_eq!(owners.insert(second, index), None, "second {} counts twice", second);
            }
        }
        prop_assert_eq!(owners, owner_by_second(&case));
    }

    #[test]
    fn pieces_come_in_order_of_time(case in any_case()) {
        let pieces = pieces(&case.activities, case.active);
        prop_assert!(pieces.windows(2).all(|pair| pair[0].1.end_utc <= pair[1].1.start_utc));
    }
}
