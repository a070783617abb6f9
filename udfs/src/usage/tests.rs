use proptest::prelude::*;

use super::*;
use crate::interval::HOUR;

/// Returns a row. Local time is an hour ahead of UTC before `change`, and equal to UTC from then on.
fn row(start: i64, end: i64, change: i64) -> Interval {
    let local = |utc: i64| utc + if utc < change { HOUR } else { 0 };
    Interval::new(local(start), start, local(end), end).unwrap()
}

/// Returns the pieces of consecutive windows. The device is always active, so each window is one piece.
fn windows(edges: &[i64], change: i64) -> Vec<Interval> {
    edges.windows(2).map(|pair| row(pair[0], pair[1], change)).collect()
}

fn clip(clock: &DeviceClock, row: Interval, range: (i64, i64)) -> Vec<Interval> {
    let mut parts = Vec::new();
    clock.clip((row.start_utc, row.end_utc), (Some(range.0), Some(range.1)), |part| parts.push(part));
    parts
}

fn seconds(parts: &[Interval]) -> i64 {
    parts.iter().map(Interval::seconds).sum()
}

/// Clocks go back from 24:00 to 23:00 while windows change every ten minutes. On this day, computer usage must be as
/// long as active time.
#[test]
fn use_equals_active_time_if_the_last_hour_of_a_day_repeats() {
    let change = 23 * HOUR;
    let usage = row(change - 1800, change + 5400, change);
    let edges: Vec<_> = (0..=12).map(|window| change - 1800 + window * 600).collect();
    let clock = DeviceClock::new([usage], &windows(&edges, change));
    let midnight = 24 * HOUR;
    assert_eq!(clip(&clock, usage, (0, midnight)), [Interval { end_utc: midnight, end_local: midnight, ..usage }]);
    assert_eq!(seconds(&clip(&clock, usage, (midnight, 2 * midnight))), 1800);
    // Without windows, the time of the clock change isn't known. So the row keeps the clock of its start.
    assert_eq!(seconds(&clip(&DeviceClock::new([usage], &[]), usage, (0, midnight))), 1800);
}

#[test]
fn use_without_a_window_keeps_the_clock_of_the_window_before() {
    let change = 23 * HOUR;
    let usage = row(change - 1800, change + 5400, change);
    // One window covers the clock change, and there isn't a window after it.
    let clock = DeviceClock::new([usage], &windows(&[change - 1800, change - 600, change + 60], change));
    assert_eq!(seconds(&clip(&clock, usage, (0, 24 * HOUR))), 5400);
    assert_eq!(seconds(&clip(&clock, usage, (24 * HOUR, 48 * HOUR))), 1800);
}

#[test]
fn a_repeated_part_of_an_hour_gives_two_parts() {
    let change = 23 * HOUR;
    let usage = row(change - 1800, change + 5400, change);
    let edges: Vec<_> = (0..=12).map(|window| change - 1800 + window * 600).collect();
    let clock = DeviceClock::new([usage], &windows(&edges, change));
    let parts = clip(&clock, usage, (24 * HOUR - 600, 24 * HOUR));
    let spans: Vec<_> = parts.iter().map(|part| (part.start_utc, part.end_utc)).collect();
    assert_eq!(spans, [(change - 600, change), (change + 3000, change + HOUR)]);
}

proptest! {
    #[test]
    fn the_parts_of_all_days_add_up_and_cover_all_pieces(
        change in 20 * HOUR..30 * HOUR,
        edges in prop::collection::vec(18 * HOUR..32 * HOUR, 2..12),
        active in prop::collection::vec((18 * HOUR..32 * HOUR, 1..4 * HOUR), 1..5),
    ) {
        let mut edges = edges;
        edges.sort_unstable();
        edges.dedup();
        let states: Vec<_> = active.iter().map(|(start, length)| row(*start, start + length, change)).collect();
        let applications = windows(&edges, change).into_iter();
        let applications = applications.map(Activity::from_row);
        let mut of_applications = Vec::new();
        pieces(applications, Some(states.clone()), |_, piece| of_applications.push(piece));
        let clock = DeviceClock::new(states.iter().copied(), &of_applications);
        for state in &states {
            let days = (-1..4).map(|day| seconds(&clip(&clock, *state, (day * 24 * HOUR, (day + 1) * 24 * HOUR))));
            prop_assert_eq!(days.sum::<i64>(), state.seconds());
        }
        for day in -1..4 {
            let range = (day * 24 * HOUR, (day + 1) * 24 * HOUR);
            let mut used: Vec<_> = states.iter().flat_map(|state| clip(&clock, *state, range)).collect();
            crate::union::unite(&mut used);
            for piece in &of_applications {
                if let Some(piece) = RowClock::new(*piece).clip(Some(range.0), Some(range.1)) {
                    let holds = used.iter().any(|used| used.start_utc <= piece.start_utc && piece.end_utc <= used.end_utc);
                    prop_assert!(holds, "{piece:?} is not in {used:?}");
                }
            }
        }
    }
}
