//! Pseudo-random numbers that are the same in every run.

/// Returns a function that returns a number below its argument.
pub(crate) fn random_below() -> impl FnMut(u32) -> u32 {
    let mut state = 7_u32;
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    }
}
