//! What looks like chance, and is the same each time.

/// Numbers below the one that is asked for.
pub(crate) fn random_below() -> impl FnMut(u32) -> u32 {
    let mut state = 7_u32;
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    }
}
