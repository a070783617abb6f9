//! Screenshots of a history: which there are, which show a stretch of time, what one shows, and copies of it.
//!
//! How names are read, which files exist and how pictures are made is known to [`crate::screenshots`]; here are the
//! questions, with the segments that tell it what was done.

mod entry;
mod listing;
mod one_screenshot;
mod parse;
mod save;
mod segments;
mod service;
mod state;
mod table;
mod thumbnails;

pub use entry::{SCREENSHOT_URI, ScreenshotEntry};
pub use listing::{Sampling, ScreenshotList, ScreenshotsRequest};
pub use one_screenshot::{
    Audience, CropRequest, CroppedScreenshot, ImageContent, ResponseImage, ScreenshotHeader, ScreenshotImages,
    ScreenshotImagesRequest, SingleImageRequest,
};
pub use parse::{parse_reference, parse_region};
pub use save::{SaveRequest, SavedScreenshot};
pub(super) use segments::{SegmentInfo, references, suggestions};
pub use segments::{SuggestedScreenshot, SuggestionReason};
pub use service::ScreenshotService;
pub use state::{ScreenshotState, ScreenshotStatus};
pub(super) use table::screenshot_table;
pub use thumbnails::{Thumbnail, Thumbnails, ThumbnailsRequest};
