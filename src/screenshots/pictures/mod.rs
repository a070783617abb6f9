//! Pixels: reads pictures, cuts regions out of them, scales them down, encodes what came out.
//!
//! **Owns** which files count as pictures, the limits on their size, how a region becomes pixels, quality, and what is
//! remembered of the work. **Does not own** where files lie, who may see them, or where a result is written (`saving`).
//!
//! Two rules hold over everything here. The header of a file is read before it is decoded, so that half a picture is refused
//! even if a decoder would fill the rest with grey, and a header that claims more than the limits costs nothing. And one
//! picture is decoded at a time: the pixels of three 8K screens are 300 MB, and a server's memory must not grow with the
//! number of its clients.

mod cache;
mod error;
mod header;
mod limits;
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

use self::cache::{Cache, CacheKey};
pub use self::error::Error;
pub use self::limits::SizeLimit;
pub use self::picture::{Crop, Format, Picture};
pub use self::region::{InvalidRegion, PixelRect, Region, Units};

/// Reads pictures and makes new ones of them, for one folder of pictures.
///
/// Cheap to clone; the clones share what is remembered. Every method blocks for as long as reading and decoding take.
#[derive(Clone)]
pub struct Pictures(Arc<Inner>);

struct Inner {
    cache: Cache,
    /// Held by whoever decodes.
    decoding: Mutex<()>,
    wait: Box<dyn Fn(Duration) + Send + Sync>,
}

/// How many times a picture that fits is encoded again, to use more of the allowed size.
const EXTRA_ENCODINGS: usize = 2;

/// What is waited between the tries to read a file that another program may be writing.
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
    /// Returns pictures that call `wait` between their tries to read a file.
    pub fn with_wait(wait: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner { cache: Cache::default(), decoding: Mutex::new(()), wait: Box::new(wait) }))
    }

    /// Returns the file's own bytes, whole, with the size that its header states.
    ///
    /// # Errors
    /// Every kind of [`Error`]; all but those that time does not heal after three tries within 150 ms.
    pub fn original(&self, folder: &Dir, path: &Path) -> Result<Picture, Error> {
        self.retry(|| {
            let (bytes, _) = reading::read(folder, path)?;
            let header = header::read(&bytes)?;
            Ok(Picture { bytes: bytes.into(), format: header.format, size: header.size })
        })
    }

    /// Returns the picture at most `max_width` pixels wide and in its own format: JPEG in quality 90, PNG exactly.
    ///
    /// One that is not wider comes as it is. A `max_width` of 0 counts as 1.
    ///
    /// # Errors
    /// As [`Pictures::original`].
    pub fn scale(&self, folder: &Dir, path: &Path, max_width: u32) -> Result<Picture, Error> {
        Ok(self.crop(folder, path, &Region::WHOLE, Some(max_width))?.picture)
    }

    /// Returns what `region` shows of the picture, at most `max_width` pixels wide, in the picture's own format: JPEG
    /// in quality 90, PNG exactly.
    ///
    /// The whole picture comes as it is. The region is counted in the pixels that the picture has, not in those that
    /// its name tells.
    ///
    /// # Errors
    /// As [`Pictures::original`].
    pub fn crop(&self, folder: &Dir, path: &Path, region: &Region, max_width: Option<u32>) -> Result<Crop, Error> {
        self.retry(|| {
            let stamp = reading::read_stamp(folder, path)?;
            let asked = CacheKey::new(path, stamp, region, max_width);
            if let Some(crop) = self.0.cache.get(&asked) {
                return Ok(crop);
            }
            let _turn = self.lock();
            // Whoever had the turn before may have made the same.
            if let Some(crop) = self.0.cache.get(&asked) {
                return Ok(crop);
            }
            let (bytes, stamp) = reading::read(folder, path)?;
            let crop = crop_file(bytes, region, max_width)?;
            self.0.cache.insert(asked.with_stamp(stamp), &crop);
            Ok(crop)
        })
    }

    /// Returns what `region` shows of the picture, at most `max_width` pixels wide, as large as `room` allows. If its own
    /// format takes too many bytes, it is a JPEG.
    ///
    /// # Errors
    /// As [`Pictures::original`].
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
        // Scaled down, a picture can have fewer bytes for each pixel than before, so that the estimate was too narrow.
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

    /// Returns the same picture in `format`; one that is in it already comes as it is.
    ///
    /// # Errors
    /// As [`Pictures::original`], without those of the file system.
    pub fn convert_to(&self, picture: &Picture, format: Format) -> Result<Picture, Error> {
        if picture.format == format {
            return Ok(picture.clone());
        }
        let header = header::read(&picture.bytes)?;
        let _turn = self.lock();
        pixels::encode(&header::decode(&picture.bytes, &header)?, format)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ()> {
        // The lock guards nothing but the number of decoders at work.
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

/// Returns the width at which neither side of a part has more pixels.
fn fitting_width(rect: PixelRect, side: u32) -> u32 {
    let longer = rect.width.max(rect.height);
    if longer <= side {
        return rect.width;
    }
    let width = u64::from(rect.width) * u64::from(side) / u64::from(longer);
    u32::try_from(width).unwrap_or(side)
}

/// Returns a width at which a picture of `bytes` should have at most `most`.
fn estimate_width(width: u32, bytes: usize, most: usize) -> u32 {
    // A smaller picture has a few more bytes for each pixel.
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

/// Cuts `region` out of a picture, which is not decoded if it is needed as it is.
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
