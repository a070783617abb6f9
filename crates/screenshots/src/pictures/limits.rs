//! Limits on the size of images.

/// The maximum size of a file in bytes. The tracker's files are well below 1 MiB. An 8K screen of
/// noise as PNG has 100 MB.
pub(super) const MAX_BYTES: u64 = 64 << 20;
/// The maximum number of pixels of an image. Three 8K screens next to each other have 99.5 million.
pub(super) const MAX_PIXELS: u64 = 100_000_000;
/// The maximum width and height in pixels.
pub(super) const MAX_SIDE: u32 = 32_768;
/// The maximum size of an image in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeLimit {
    /// The maximum number of pixels of its longer side.
    pub side: u32,
    /// The maximum number of bytes.
    pub bytes: usize,
}

/// The maximum memory for decoded pixels, in bytes.
pub(super) const MAX_DECODING_BYTES: u64 = 512 << 20;
/// The maximum memory for the profiles and texts of a PNG, in bytes. They may be compressed in the
/// file.
pub(super) const MAX_EXTRAS: u64 = 16 << 20;
