//! What a picture may cost.

/// The most bytes of a file. `ManicTime`'s are well below one MiB; an 8K screen of noise as PNG has 100 MB.
pub(super) const MAX_BYTES: u64 = 64 << 20;
/// The most pixels of a picture: three 8K screens side by side have 99.5 million.
pub(super) const MAX_PIXELS: u64 = 100_000_000;
/// The most pixels of a side.
pub(super) const MAX_SIDE: u32 = 32_768;
/// What a picture may take in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeLimit {
    /// The most pixels of its longer side.
    pub side: u32,
    /// The most bytes.
    pub bytes: usize,
}

/// The most memory that a decoder may need for the pixels, in bytes.
pub(super) const MAX_DECODING_BYTES: u64 = 512 << 20;
/// The most memory for the profiles and texts of a PNG, in bytes, which may be compressed.
pub(super) const MAX_EXTRAS: u64 = 16 << 20;
