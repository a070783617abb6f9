use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

#[test]
fn an_edge_keeps_the_local_time_of_its_row() {
    let interval = |start, end, offset| Interval::new(start + offset, start, end + offset, end).unwrap();
    let mut intervals = vec![interval(10, 20, 100), interval(0, 10, 200), interval(12, 15, 300), interval(30, 40, 100)];
    unite(&mut intervals);
    let first = Interval { start_utc: 0, start_local: 200, end_utc: 20, end_local: 120 };
    assert_eq!(intervals, [first, interval(30, 40, 100)]);
}

#[test]
fn memory_is_bounded_by_disjoint_intervals() {
    let mut union = Union::default();
    for round in 0..1000_i64 {
        // The two intervals of a round are far apart. So an added interval never extends the interval that was added
        // before it.
        union.add((round % 7 * 10, round % 7 * 10 + 5));
        union.add((10_000, 10_001 + round));
    }
    assert!(union.intervals.capacity() <= 4 * FIRST_MERGE, "{}", union.intervals.capacity());
    assert_eq!(union.merged_intervals().len(), 8);
}

proptest! {
    #[test]
    fn each_second_counts_once(spans in prop::collection::vec((0..400_i64, 1..12_i64), 0..300)) {
        let mut union = Union::default();
        let mut seconds = HashSet::new();
        for (start, length) in spans {
            union.add((start, start + length));
            seconds.extend(start..start + length);
        }
        let united = union.merged_intervals();
        prop_assert!(united.windows(2).all(|pair| pair[0].1 < pair[1].0));
        prop_assert_eq!(united.iter().map(|span| span.1 - span.0).sum::<i64>(), i64::try_from(seconds.len()).unwrap());
    }
}
