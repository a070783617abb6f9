//! Thumbnails of a range, for a page that embeds them.

use std::sync::Arc;

use super::{Sampling, ScreenshotService, ScreenshotsRequest, parse_reference};
use crate::{Diagnostics, Filter};
use dayledger_request::{DateRange, Error, Limit, Request};
use dayledger_screenshots::{Picture, Screenshots};

/// The maximum width of an image in pixels. Two images of this width next to each other fill a phone screen that has
/// two pixels per point.
const MAX_WIDTH: u32 = 360;
/// The maximum size of all images together, in bytes.
const MAX_BYTES: usize = 3 << 20;

/// Requests small screenshots of a local range: one for each segment of the narrative. If there are too many
/// screenshots, the list is thinned evenly.
#[derive(Debug, Clone, PartialEq)]
pub struct ThumbnailsRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Only screenshots taken during segments of this device, by its display name.
    pub device: Option<String>,
    /// Only screenshots taken during segments that match the filter.
    pub filter: Filter,
}

/// Small images in order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Thumbnails {
    /// At most 24 images with a total of at most 3 MiB.
    pub pictures: Vec<Thumbnail>,
    /// Number of screenshots in the range.
    pub screenshots_in_range: usize,
    /// The reason if the list is empty.
    pub diagnostics: Diagnostics,
}

/// A small image of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thumbnail {
    /// The local time of the screenshot: `2025-01-15 10:30:45`.
    pub taken: String,
    /// `image/jpeg` or `image/png`.
    pub mime_type: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The encoded image.
    pub bytes: Arc<[u8]>,
}

impl ThumbnailsRequest {
    /// Runs the request on `pictures`. Unreadable images are left out.
    ///
    /// # Errors
    /// Fails like [`ScreenshotsRequest`].
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
                // A picture that is too large for the remaining bytes is skipped. A later, smaller picture can still
                // fit.
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
