//! Small pictures of a range for a page that carries them within.

use std::sync::Arc;

use super::{Sampling, ScreenshotService, ScreenshotsRequest, parse_reference};
use crate::activity::{Diagnostics, Filter};
use crate::request::{DateRange, Error, Limit, Request};
use crate::screenshots::{Picture, Screenshots};

/// How wide a picture is at most, in pixels: two of them fill a phone, at two pixels a point.
const MAX_WIDTH: u32 = 360;
/// How many bytes all pictures have at most.
const MAX_BYTES: usize = 3 << 20;

/// Requests small pictures of the screen in a local range: one for each segment of the narrative, thinned evenly.
#[derive(Debug, Clone, PartialEq)]
pub struct ThumbnailsRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Only those of segments of this device (its display name).
    pub device: Option<String>,
    /// Only those of segments that match.
    pub filter: Filter,
}

/// Small pictures in order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Thumbnails {
    /// At most 24, together at most 3 MiB.
    pub pictures: Vec<Thumbnail>,
    /// Number of screenshots in the range.
    pub screenshots_in_range: usize,
    /// The reason if the list is empty.
    pub diagnostics: Diagnostics,
}

/// A small picture of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thumbnail {
    /// When it was taken, local: `2025-01-15 10:30:45`.
    pub taken: String,
    /// `image/jpeg` or `image/png`.
    pub mime_type: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The picture, in that format.
    pub bytes: Arc<[u8]>,
}

impl ThumbnailsRequest {
    /// Runs the request on `pictures`. A picture that cannot be read is left out.
    ///
    /// # Errors
    /// Those of [`ScreenshotsRequest`].
    pub async fn answer(self, pictures: &ScreenshotService) -> Result<Thumbnails, Error> {
        let request = ScreenshotsRequest {
            range: self.range,
            device: self.device,
            filter: self.filter,
            sampling: Sampling::ActivityTransition,
            interval: None,
            max_count: Limit::parse(Some(24), "")?,
        };
        let list = request.execute(pictures).await?;
        let small = pictures.run_on_pool(move |screenshots| {
            let mut left = MAX_BYTES;
            let pictures = list.screenshots.into_iter().filter_map(|entry| {
                let picture = load_thumbnail(screenshots, &entry.screenshot_ref)?;
                left = left.checked_sub(picture.bytes.len())?;
                Some(Thumbnail {
                    taken: entry.display_local_time,
                    mime_type: picture.format.mime_type(),
                    width: picture.size.width,
                    height: picture.size.height,
                    bytes: picture.bytes,
                })
            });
            Ok(pictures.collect())
        });
        Ok(Thumbnails {
            pictures: small.await?,
            screenshots_in_range: list.screenshots_in_range,
            diagnostics: list.diagnostics,
        })
    }
}

fn load_thumbnail(screenshots: &Screenshots, reference: &str) -> Option<Picture> {
    let screenshot = screenshots.find(&parse_reference(reference, "").ok()?).ok()?;
    let thumbnail = screenshots.thumbnail(&screenshot, Some(MAX_WIDTH));
    thumbnail.or_else(|_| screenshots.full_image(&screenshot, Some(MAX_WIDTH))).ok()
}
