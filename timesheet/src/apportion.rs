//! Whole parts that add up: the largest remainders get what is left over.

use std::cmp::Reverse;

/// What somebody gets at least, and by how much that falls short of what they should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share {
    pub(crate) whole: i64,
    pub(crate) remainder: i128,
}

/// The whole parts, and one more for those with the largest remainders, until they add up to `total`. Of equal remainders
/// the first come first. Whoever asks sees to it that `total` is at most one for each more than the whole parts.
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

/// `total` in proportion to the weights, of which those below zero count as none. Without any weight nobody gets anything.
pub(crate) fn distribute_by_weight(total: i64, weights: &[i64]) -> Vec<i64> {
    let weights = weights.iter().map(|weight| i128::from((*weight).max(0)));
    let sum: i128 = weights.clone().sum();
    if sum == 0 {
        return vec![0; weights.len()];
    }
    let share = |weight: i128| {
        let exact = i128::from(total) * weight;
        // Never above `total`, as no weight is above their sum.
        Share { whole: i64::try_from(exact / sum).unwrap_or(total), remainder: exact % sum }
    };
    distribute(total, &weights.map(share).collect::<Vec<_>>())
}

/// The part of each of `count` equals: the part, and how many, from the first, get one more.
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
        fn parts_add_up_and_none_is_off_by_one(total in 0..100_000_i64, weights in prop::collection::vec(0..500_i64, 1..30)) {
            let parts = distribute_by_weight(total, &weights);
            let sum: i64 = weights.iter().sum();
            prop_assert_eq!(parts.iter().sum::<i64>(), if sum == 0 { 0 } else { total });
            for (part, weight) in parts.iter().zip(&weights).filter(|_| sum > 0) {
                prop_assert!((part * sum - total * weight).abs() < sum);
            }
            // Whoever got one more has no smaller remainder than whoever did not.
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
