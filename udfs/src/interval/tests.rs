use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// Midnight, 2025-10-26T00:00:00 local time. At 03:00 local time (01:00 UTC), clocks go back to 02:00.
const AUTUMN: i64 = 1_761_436_800;

/// Returns a row. `start` and `end` are minutes of the local day, and the offsets are hours ahead of UTC.
fn row(start: i64, start_offset: i64, end: i64, end_offset: i64) -> Interval {
    let (start, end) = (AUTUMN + start * 60, AUTUMN + end * 60);
    Interval::new(start, start - start_offset * HOUR, end, end - end_offset * HOUR).unwrap()
}

/// Returns the local hours in which the time of the row counts, each with its number of minutes.
fn hours(row: Interval) -> Vec<(i64, i64)> {
    let mut parts = Vec::new();
    RowClock::new(row)
        .split(hour_start, HOUR, 100, |part| parts.push(((part.start_local - AUTUMN) / HOUR, part.seconds() / 60)));
    parts
}

#[test]
fn intervals_without_duration_or_with_invalid_times_are_rejected() {
    assert_eq!(Interval::new(0, 10, 10, 10), None);
    assert_eq!(Interval::new(0, 11, 10, 10), None);
    assert_eq!(Interval::new(i64::MIN, 0, 10, 10), None);
}

#[test]
fn hours_are_cut_at_whole_local_hours() {
    assert_eq!(hours(row(9 * 60 + 40, 2, 11 * 60 + 5, 2)), [(9, 20), (10, 60), (11, 5)]);
    assert_eq!(hours(row(9 * 60, 2, 10 * 60, 2)), [(9, 60)]);
}

#[test]
fn the_repeated_hour_contains_all_of_its_time() {
    // From 01:30 summer time to 02:20 winter time: 30 minutes in hour 1, then hour 2 with 60 minutes, then 20 minutes
    // in the repeated hour 2.
    assert_eq!(hours(row(90, 2, 140, 1)), [(1, 30), (2, 80)]);
    // If a row ends exactly on a whole hour, its end belongs to the hour before.
    assert_eq!(hours(row(90, 2, 180, 1)), [(1, 30), (2, 120)]);
    // From 02:50 summer time to 02:10 winter time: in local time, the row ends before it starts.
    assert_eq!(hours(row(170, 2, 130, 1)), [(2, 20)]);
    // From 02:30 summer time to 02:00 winter time: the row ends on a whole hour, which is before its local start.
    assert_eq!(hours(row(150, 2, 120, 1)), [(2, 30)]);
}

#[test]
fn time_after_a_skipped_hour_is_counted_by_the_first_clock() {
    // From 01:30 winter time to 03:30 summer time, one hour passes.
    assert_eq!(hours(row(90, 1, 210, 2)), [(1, 30), (2, 30)]);
}

#[test]
fn a_part_keeps_the_rows_own_ends_and_uses_the_first_clock_at_cuts() {
    let whole = row(90, 2, 140, 1);
    let part = RowClock::new(whole).clip(Some(AUTUMN + 2 * HOUR), None).unwrap();
    assert_eq!(part.start_local, AUTUMN + 2 * HOUR);
    assert_eq!(part.start_utc, AUTUMN);
    assert_eq!((part.end_local, part.end_utc), (whole.end_local, whole.end_utc));
    assert_eq!(RowClock::new(whole).clip(None, None), Some(whole));
    assert_eq!(RowClock::new(whole).clip(Some(AUTUMN + 3 * HOUR), None), None);
    assert_eq!(RowClock::new(whole).clip(None, Some(i64::MIN)), None);
}

#[test]
fn a_part_ends_on_the_day_in_which_it_counts() {
    // A flight east: the row starts at 23:30, lasts an hour, and ends at 08:30 of the next day. The row's clock reaches
    // 00:30.
    let east = row(23 * 60 + 30, 1, 32 * 60 + 30, 9);
    let (midnight, next) = (AUTUMN + DAY, AUTUMN + 2 * DAY);
    let clock = RowClock::new(east);
    let of_day = clock.clip(Some(AUTUMN), Some(midnight)).unwrap();
    assert_eq!((of_day.end_local, of_day.seconds()), (midnight, 30 * 60));
    let of_next = clock.clip(Some(midnight), Some(midnight + HOUR)).unwrap();
    assert_eq!((of_next.start_local, of_next.end_local, of_next.seconds()), (midnight, midnight + HOUR / 2, 30 * 60));
    // On a flight west, the local end is on the day before. For the part on the day of departure, the clock of the
    // departure decides the local end.
    let west = row(30, 9, -7 * 60, 1);
    let of_day = RowClock::new(west).clip(Some(AUTUMN), Some(midnight)).unwrap();
    assert_eq!((of_day.end_local, of_day.seconds()), (AUTUMN + HOUR, 30 * 60));
    assert_eq!(hours(row(9 * 60, 9, 3 * 60, 1)), [(9, 60), (10, 60)]);
    // In the repeated hour, the local end can be before the range. It is then moved to the start of the range.
    let repeated = RowClock::new(row(170, 2, 130, 1)).clip(Some(AUTUMN + 150 * 60), Some(AUTUMN + 4 * HOUR)).unwrap();
    assert_eq!((repeated.end_local, hours(repeated)), (AUTUMN + 150 * 60, vec![(2, 20)]));
    let mut days = Vec::new();
    RowClock::new(east).split(
        |at| DayStart::default().before(at),
        DAY,
        10,
        |part| days.push((part.start_local, part.end_local)),
    );
    assert_eq!(days, [(east.start_local, midnight), (midnight, east.end_local)]);
    assert!(east.end_local < next);
}

prop_compose! {
    fn any_row()(start in 0..5 * HOUR, length in 1..5 * HOUR, start_offset in -2..3_i64, end_offset in -2..3_i64) -> Interval {
        let (start_utc, end_utc) = (AUTUMN + start, AUTUMN + start + length);
        Interval::new(start_utc + start_offset * HOUR, start_utc, end_utc + end_offset * HOUR, end_utc).unwrap()
    }
}

proptest! {
    #[test]
    fn parts_add_up_to_the_row(row in any_row(), day_start in -12 * 60..=12 * 60_i64) {
        let day_start = DayStart::from_seconds(day_start * 60);
        let before: &dyn Fn(i64) -> i64 = &|at| day_start.before(at);
        for (start_of, unit) in [(&hour_start as &dyn Fn(i64) -> i64, HOUR), (before, DAY)] {
            let mut parts = Vec::new();
            RowClock::new(row).split(start_of, unit, 100, |part| parts.push(part));
            prop_assert_eq!(parts.iter().map(Interval::seconds).sum::<i64>(), row.seconds());
            prop_assert_eq!(parts[0].start_utc, row.start_utc);
            prop_assert!(parts.iter().all(|part| part.seconds() > 0));
            prop_assert!(parts.windows(2).all(|pair| pair[0].end_utc == pair[1].start_utc));
            for part in parts {
                let unit_start = start_of(part.start_local);
                prop_assert!((unit_start..=unit_start + unit).contains(&part.end_local), "{part:?}");
            }
        }
    }

    #[test]
    fn ranges_that_meet_divide_a_row_exactly(row in any_row(), mut bounds in prop::collection::vec(-3 * HOUR..12 * HOUR, 0..6)) {
        bounds.sort_unstable();
        let clock = RowClock::new(row);
        let mut edges: Vec<_> = bounds.iter().map(|bound| Some(AUTUMN + bound)).collect();
        edges.insert(0, None);
        edges.push(None);
        let parts = edges.windows(2).filter_map(|pair| clock.clip(pair[0], pair[1]));
        prop_assert_eq!(parts.map(|part| part.seconds()).sum::<i64>(), row.seconds());
    }

    /// The device is in use without a pause while clocks change at 01:00 UTC. Rows across the autumn change end within
    /// the repeated hour, because the local time inside longer rows isn't known.
    #[test]
    fn no_hour_counts_more_time_than_it_lasted(mut cuts in prop::collection::vec(-2 * HOUR..4 * HOUR, 0..30), autumn: bool) {
        cuts.extend([-2 * HOUR, 4 * HOUR]);
        if autumn {
            cuts.push(2 * HOUR);
            cuts.retain(|cut| *cut != HOUR);
        }
        cuts.sort_unstable();
        let local = |utc: i64| utc + if autumn == (utc < HOUR) { 2 * HOUR } else { HOUR };
        let mut hours: HashMap<i64, i64> = HashMap::new();
        for pair in cuts.windows(2) {
            if let Some(row) = Interval::new(local(pair[0]), pair[0], local(pair[1]), pair[1]) {
                RowClock::new(row).split(hour_start, HOUR, 100, |part| {
                    *hours.entry(hour_start(part.start_local) / HOUR).or_default() += part.seconds();
                });
            }
        }
        for (hour, seconds) in hours {
            let lasted = if autumn && hour == 2 { 2 * HOUR } else { HOUR };
            prop_assert!(seconds <= lasted, "hour {} counts {} seconds", hour, seconds);
        }
    }
}
