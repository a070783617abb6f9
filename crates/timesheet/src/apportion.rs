//! Splits a total into whole numbers that add up to the total. The shares are rounded down, and the shares with the
//! largest remainders then get the rest.

use std::cmp::Reverse;

/// A share rounded down to a whole number, and the remainder that rounding removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) whole: i64,
    pub(crate) remainder: i128,
}

/// Adds one to the shares with the largest remainders until the sum is `total`, and returns the resulting whole
/// numbers. If two remainders are equal, the earlier share comes first. The caller ensures that `total` exceeds the sum
/// of the whole numbers by at most one per share.
pub(crate) fn distribute(total: i64, shares: &[Share]) -> Vec<i64> {
    let mut parts: Vec<_> = shares.iter().map(|share| share.whole).collect();
    let left = total - parts.iter().sum::<i64>();
    let mut order: Vec<_> = (0..shares.len()).collect();
    order.sort_by_key(|place| Reverse(shares[*place].remainder));
    for place in order.into_iter().take(usize::try_from(left).unwrap_or(0)) {
        parts[place] += 1;
    }
    parts
}

/// Splits `total` in proportion to the weights. A negative weight counts as zero. If all weights are zero, every share
/// is zero.
pub(crate) fn distribute_by_weight(total: i64, weights: &[i64]) -> Vec<i64> {
    let weights = weights.iter().map(|weight| i128::from((*weight).max(0)));
    let sum: i128 = weights.clone().sum();
    if sum == 0 {
        return vec![0; weights.len()];
    }
    let share = |weight: i128| {
        let exact = i128::from(total) * weight;
        // A share never exceeds `total`, because no weight exceeds the sum of the weights.
        Share { whole: i64::try_from(exact / sum).unwrap_or(total), remainder: exact % sum }
    };
    distribute(total, &weights.map(share).collect::<Vec<_>>())
}

/// Splits `total` into `count` equal shares. Returns the size of a share, and the number of shares that get one more.
pub(crate) fn divide_evenly(total: i64, count: i64) -> (i64, i64) {
    let count = count.max(1);
    (total / count, total % count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_add_up_and_differ_by_less_than_one_from_the_exact_share(total in 0..100_000_i64, weights in prop::collection::vec(0..500_i64, 1..30)) {
            let parts = distribute_by_weight(total, &weights);
            let sum: i64 = weights.iter().sum();
            prop_assert_eq!(parts.iter().sum::<i64>(), if sum == 0 { 0 } else { total });
            for (part, weight) in parts.iter().zip(&weights).filter(|_| sum > 0) {
                prop_assert!((part * sum - total * weight).abs() < sum);
            }
            // A share that was rounded up must not have a smaller remainder than a share that was rounded down.
            let remainder = |weight: i64| if sum == 0 { 0 } else { total * weight % sum };
            let more = |place: usize| sum > 0 && parts[place] > total * weights[place] / sum;
            for one in 0..weights.len() {
                for other in (0..weights.len()).filter(|other| more(one) && !more(*other)) {
                    let (one, other) = ((remainder(weights[one]), Reverse(one)), (remainder(weights[other]), Reverse(other)));
                    prop_assert!(one > other);
                }
            }
        }

        #[test]
        fn equal_shares_differ_by_at_most_one(total in 0..100_000_i64, count in 1..40_usize) {
            let (part, more) = divide_evenly(total, i64::try_from(count).unwrap());
            let parts: Vec<_> = (0..count).map(|place| part + i64::from(i64::try_from(place).unwrap() < more)).collect();
            prop_assert_eq!(parts, distribute_by_weight(total, &vec![1; count]));
        }
    }
}
