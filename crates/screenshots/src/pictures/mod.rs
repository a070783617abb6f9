//! Reads images, crops them, scales them down, and encodes the result.
//!
//! This module decides which files count as images and how large they may be. It also converts
//! regions to pixels, sets the quality, and caches results. Other modules decide which files exist,
//! which are hidden, and where a result is saved (`saving`). Start reading at [`Pictures`].
//!
//! Invariants: the header of a file is read before the file is decoded. Therefore an incomplete
//! image is rejected, although a decoder would fill the missing part with grey. If the size in a
//! header is too large, no memory is used for the pixels. Only one image is decoded at a time: the
//! pixels of three 8K screens take 300 MB, and a server's memory must not grow with the number of
//! its clients.

mod cache;
mod error;
mod header;
mod picture;
mod pixels;
mod reading;
mod region;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cap_std::fs::Dir;

use self::cache::{Cache, CacheKey, new_cache};
pub use self::error::Error;
pub use self::picture::{Crop, Format, Picture, SizeLimit};
pub use self::region::{InvalidRegion, PixelRect, Region, Units};

/// Reads and converts the images in a folder.
///
/// Cheap to clone. Clones share the cache. Every method blocks while it reads and decodes.
#[derive(Clone)]
pub struct Pictures(Arc<Inner>);

struct Inner {
    cache: Cache,
    /// Locked while an image is decoded.
    decoding: Mutex<()>,
    wait: Box<dyn Fn(Duration) + Send + Sync>,
}

/// An image that fits is encoded again at larger sizes, to use more of the size limit. This is the
/// maximum number of such attempts.
const EXTRA_ENCODINGS: usize = 2;

/// The pauses between attempts to read a file that another program may be writing.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(100)];

impl Default for Pictures {
    fn default() -> Self {
        Self::with_wait(std::thread::sleep)
    }
}

impl std::fmt::Debug for Pictures {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pictures").finish_non_exhaustive()
    }
}

impl Pictures {
    /// Creates an instance. It calls `wait` between attempts to read a file.
    pub fn with_wait(wait: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner { cache: new_cache(), decoding: Mutex::new(()), wait: Box::new(wait) }))
    }

    /// Returns the content of an image file, and the size from its header.
    ///
    /// # Errors
    /// Fails with any kind of [`Error`]. An error that may be temporary is returned only after
    /// three attempts within 150 ms.
    pub fn original(&self, folder: &Dir, path: &Path) -> Result<Picture, Error> {
        self.retry(|| {
            let (bytes, _) = reading::read(folder, path)?;
            let header = header::read(&bytes)?;
            Ok(Picture { bytes: bytes.into(), format: header.format, size: header.size })
        })
    }

    /// Returns the image scaled down to `max_width` pixels. The result keeps the format of the
    /// image: JPEG with quality 90, or lossless PNG.
    ///
    /// An image that isn't wider than `max_width` is returned unchanged. A `max_width` of 0 counts
    /// as 1.
    ///
    /// # Errors
    /// Fails like [`Pictures::original`].
    pub fn scale(&self, folder: &Dir, path: &Path, max_width: u32) -> Result<Picture, Error> {
        Ok(self.crop(folder, path, &Region::WHOLE, Some(max_width))?.picture)
    }

    /// Returns the `region` of the image, at most `max_width` pixels wide. The result keeps the
    /// format of the image: JPEG with quality 90, or lossless PNG.
    ///
    /// If the region is the whole image, the file is returned unchanged. The region refers to the
    /// actual size of the image, not to the size in its file name.
    ///
    /// # Errors
    /// Fails like [`Pictures::original`].
    pub fn crop(&self, folder: &Dir, path: &Path, region: &Region, max_width: Option<u32>) -> Result<Crop, Error> {
        self.retry(|| {
            let stamp = reading::read_stamp(folder, path)?;
            let key = CacheKey::new(path, stamp, region, max_width);
            if let Some(crop) = self.0.cache.get(&key) {
                return Ok(crop);
            }
            let _turn = self.lock();
            // Another thread may have created the same image while this thread waited.
            if let Some(crop) = self.0.cache.get(&key) {
                return Ok(crop);
            }
            let (bytes, stamp) = reading::read(folder, path)?;
            let crop = crop_file(bytes, region, max_width)?;
            self.0.cache.insert(key.with_stamp(stamp), crop.clone());
            Ok(crop)
        })
    }

    /// Returns the `region` of the image, at most `max_width` pixels wide and as large as the
    /// limits of `room` allow. If the image's own format takes too many bytes, the result is a
    /// JPEG.
    ///
    /// # Errors
    /// Fails like [`Pictures::original`].
    pub fn crop_to_fit(
        &self,
        folder: &Dir,
        path: &Path,
        region: &Region,
        max_width: Option<u32>,
        room: SizeLimit,
    ) -> Result<Crop, Error> {
        let rect = region.resolve(self.original(folder, path)?.size);
        let encoded = |width| {
            let crop = self.crop(folder, path, region, Some(width))?;
            if crop.picture.bytes.len() <= room.bytes {
                return Ok(crop);
            }
            self.convert_to(&crop.picture, Format::Jpeg).map(|picture| Crop { picture, ..crop })
        };
        let fits = |crop: &Crop| crop.picture.bytes.len() <= room.bytes;
        let mut width = max_width.unwrap_or(rect.width).min(fitting_width(rect, room.side)).max(1);
        let mut too_wide = width + 1;
        let mut fitting = encoded(width)?;
        while !fits(&fitting) && width > 1 {
            too_wide = width;
            width = estimate_width(width, fitting.picture.bytes.len(), room.bytes).min(width - 1);
            fitting = encoded(width)?;
        }
        // A smaller image can have fewer bytes per pixel than estimated. The estimated width was
        // then too small, so larger widths are tried.
        for _ in 0..EXTRA_ENCODINGS {
            let estimate = estimate_width(width, fitting.picture.bytes.len(), room.bytes);
            let wider = if estimate < too_wide { estimate } else { width.midpoint(too_wide) };
            if wider <= width {
                break;
            }
            let larger = encoded(wider)?;
            if fits(&larger) {
                (width, fitting) = (wider, larger);
            } else {
                too_wide = wider;
            }
        }
        Ok(fitting)
    }

    /// Converts an image to `format`. If the image already has this format, returns it unchanged.
    ///
    /// # Errors
    /// Fails like [`Pictures::original`], but never with an error of the file system.
    pub fn convert_to(&self, picture: &Picture, format: Format) -> Result<Picture, Error> {
        if picture.format == format {
            return Ok(picture.clone());
        }
        let header = header::read(&picture.bytes)?;
        let _turn = self.lock();
        pixels::encode(&header::decode(&picture.bytes, &header)?, format)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ()> {
        // A poisoned lock is ignored, because the lock protects no data and only limits the number
        // of decoders.
        self.0.decoding.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn retry<T>(&self, mut attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        for pause in PAUSES {
            match attempt() {
                Err(error) if error.may_pass() => (self.0.wait)(pause),
                done => return done,
            }
        }
        attempt()
    }
}

/// Returns the width at which neither side of the region has more than `side` pixels.
fn fitting_width(rect: PixelRect, side: u32) -> u32 {
    let longer = rect.width.max(rect.height);
    if longer <= side {
        return rect.width;
    }
    let width = u64::from(rect.width) * u64::from(side) / u64::from(longer);
    u32::try_from(width).unwrap_or(side)
}

/// Estimates the width at which an image would have at most `most` bytes. At the given `width`, the
/// image has `bytes` bytes.
fn estimate_width(width: u32, bytes: usize, most: usize) -> u32 {
    // The margin is needed because a smaller image has slightly more bytes per pixel.
    const MARGIN: f64 = 0.95;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and the estimate is rough"
    )]
    let estimate = (f64::from(width) * (most as f64 / bytes as f64).sqrt() * MARGIN) as u32;
    estimate.max(1)
}

/// Crops an image file. Decodes the file only if the result differs from the file.
fn crop_file(bytes: Vec<u8>, region: &Region, max_width: Option<u32>) -> Result<Crop, Error> {
    let header = header::read(&bytes)?;
    let (whole, rect) = (header.size, region.resolve(header.size));
    let width = max_width.map_or(rect.width, |most| most.clamp(1, rect.width));
    let picture = if width == whole.width && rect == Region::WHOLE.resolve(whole) {
        Picture { bytes: bytes.into(), format: header.format, size: whole }
    } else {
        let pixels = pixels::crop_pixels(header::decode(&bytes, &header)?, rect, whole);
        drop(bytes);
        pixels::encode(&pixels::scale_to_width(&pixels, width), header.format)?
    };
    Ok(Crop { picture, whole, rect })
}
