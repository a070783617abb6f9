//! Compares the sweep with a count of single seconds.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::interval::Interval;

const DEVICES: [Option<&str>; 3] = [Some("a"), Some("b"), None];

/// Returns the rules that match at a second of a piece, and whether a tag overlaps this second. Uses the conditions of
/// all rows that belong to the piece at this second.
fn naive_match(utc: i64, piece: &Piece<'_>, details: &[Detail<'_>], rules: &[Vec<u32>]) -> (Vec<usize>, bool) {
    let belongs = |detail: &&Detail<'_>| {
        let lasts = detail.span.0 <= utc && utc < detail.span.1;
        let is_of_piece = match detail.activity {
            Some(activity) => detail.device == piece.device && piece.activity == Some(activity),
            None => detail.device == piece.device,
        };
        lasts && (detail.is_tag || is_of_piece)
    };
    let there: Vec<_> = details.iter().filter(belongs).collect();
    let holds = |condition: &u32| {
        piece.conditions.contains(condition) || there.iter().any(|detail| detail.conditions.contains(condition))
    };
    let fitting = rules.iter().enumerate().filter(|(_, rule)| rule.iter().all(holds)).map(|(place, _)| place);
    (fitting.collect(), there.iter().any(|detail| detail.is_tag))
}

type RandomRow = (usize, Option<i64>, (i64, i64), Vec<u32>);

fn row(longest: i64) -> impl Strategy<Value = RandomRow> {
    let conditions = proptest::collection::vec(1_u32..6, 0..3);
    (0..DEVICES.len(), proptest::option::of(0_i64..4), (0_i64..60, 0..=longest), conditions).prop_map(
        |(device, activity, (start, length), conditions)| (device, activity, (start, start + length), conditions),
    )
}

proptest! {
    #[test]
    fn intervals_equal_a_second_by_second_match(
        pieces in proptest::collection::vec(row(30), 0..6),
        details in proptest::collection::vec((row(40), any::<bool>()), 0..8),
        rules in proptest::collection::vec(proptest::collection::vec(1_u32..6, 1..3), 0..4),
        offset in -3_i64..3,
    ) {
        let pieces: Vec<_> = pieces.iter().map(|(device, activity, (start, end), conditions)| Piece {
            device: DEVICES[*device],
            activity: *activity,
            // The clock changes within the row.
            interval: Interval { start_utc: *start, start_local: start + 7200, end_utc: *end, end_local: end + 7200 + offset },
            conditions,
        }).collect();
        let details: Vec<_> = details.iter().map(|((device, activity, span, conditions), is_tag)| Detail {
            device: DEVICES[*device],
            activity: activity.filter(|_| !is_tag),
            is_tag: *is_tag,
            span: *span,
            conditions,
        }).collect();
        let mut intervals: Vec<Vec<RuleInterval>> = vec![Vec::new(); pieces.len()];
        sweep_ruled(&pieces, &details, &rules, |piece, stretch| intervals[piece].push(stretch));
        for (piece, stretches) in pieces.iter().zip(&intervals) {
            let mut utc = piece.interval.start_utc;
            for (number, stretch) in stretches.iter().enumerate() {
                prop_assert_eq!(stretch.interval.start_utc, utc);
                prop_assert!(stretch.interval.start_utc < stretch.interval.end_utc);
                let mut shadowed = BTreeSet::new();
                for second in stretch.interval.start_utc..stretch.interval.end_utc {
                    let (fitting, tagged) = naive_match(second, piece, &details, &rules);
                    prop_assert_eq!((stretch.rule, stretch.tagged), (fitting.first().copied(), tagged), "second {}", second);
                    shadowed.extend(fitting.into_iter().skip(1));
                }
                prop_assert_eq!(&stretch.shadowed, &shadowed.into_iter().collect::<Vec<_>>());
                utc = stretch.interval.end_utc;
                let is_last = number + 1 == stretches.len();
                let local = if is_last { piece.interval.end_local } else { utc + 7200 };
                prop_assert_eq!(stretch.interval.end_local, local);
            }
            prop_assert_eq!(utc, piece.interval.end_utc.max(piece.interval.start_utc));
            for pair in stretches.windows(2) {
                prop_assert!((pair[0].rule, pair[0].tagged) != (pair[1].rule, pair[1].tagged), "two equal neighbours were not merged");
            }
            let mut seconds = vec![0; rules.len() + 1];
            for second in piece.interval.start_utc..piece.interval.end_utc {
                seconds[naive_match(second, piece, &details, &rules).0.first().copied().unwrap_or(rules.len())] += 1;
            }
            // On a tie, the first index wins. The last index is for time without a rule.
            let most = (0..seconds.len()).filter(|place| seconds[*place] == *seconds.iter().max().unwrap()).min();
            prop_assert_eq!(dominant_rule(stretches), most.filter(|place| *place < rules.len() && seconds[*place] > 0));
        }
    }
}

#[test]
fn thousands_of_rows_over_one_piece_take_one_pass() {
    let conditions: Vec<Vec<u32>> = (1..=2).map(|condition| vec![condition]).collect();
    let details: Vec<_> = (0..50_000)
        .map(|at| Detail {
            device: Some("a"),
            activity: None,
            is_tag: false,
            span: (at, 100_000),
            conditions: &conditions[usize::try_from(at % 2).unwrap()],
        })
        .collect();
    let interval = Interval { start_utc: 0, start_local: 0, end_utc: 100_000, end_local: 100_000 };
    let piece = Piece { device: Some("a"), activity: Some(1), interval, conditions: &[] };
    let mut intervals = Vec::new();
    sweep_ruled(&[piece], &details, &[vec![2]], |_, stretch| {
        intervals.push((stretch.interval.seconds(), stretch.rule));
    });
    assert_eq!(intervals, [(1, None), (99_999, Some(0))]);
}
