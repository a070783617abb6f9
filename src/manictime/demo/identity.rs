//! Numbers and texts that only have to differ: hashes, random-looking values, ids of timelines.
//!
//! Invariant: all of them follow from what they identify, so that the same history is the same on every machine.

/// FNV-1a over 64 bits: stable over platforms and versions, which the standard hasher is not.
pub(super) fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

pub(super) fn key_hash(key: &str) -> String {
    format!("{:016x}", fnv(key))
}

/// Returns what `CurrentChangeRandomValue` holds: a number that differs from row to row, the same in every run.
pub(super) const fn random_value(report: i64, sequence: i64) -> i64 {
    let mixed = (report.wrapping_mul(0x9E37_79B9) ^ sequence).wrapping_mul(0x2545_F491_4F6C_DD1D);
    (mixed >> 17) & 0x7FFF_FFFF
}

pub(super) fn uuid_like(environment: &str, number: i64) -> String {
    let (high, low) = (fnv(&format!("{environment}/{number}")), fnv(&format!("{number}/{environment}")));
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xFFFF,
        high & 0xFFF,
        low >> 52,
        low & 0xFFFF_FFFF_FFFF
    )
}
