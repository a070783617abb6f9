//! Requests that list screenshots, select screenshots for a period, return one screenshot, or save a copy.
//!
//! [`dayledger_screenshots`] reads file names, finds files and processes pixels. This module uses segments to find the
//! activity at the time of a screenshot.

mod entry;
mod listing;
mod one_screenshot;
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
    ScreenshotImagesRequest, SingleImageRequest, parse_reference, parse_region,
};
pub use save::{SaveRequest, SavedScreenshot};
pub(super) use segments::{SegmentInfo, references, suggestions};
pub use segments::{SuggestedScreenshot, SuggestionReason};
pub use service::ScreenshotService;
pub use state::{ScreenshotState, ScreenshotStatus};
pub(super) use table::screenshot_table;
pub use thumbnails::{Thumbnail, Thumbnails, ThumbnailsRequest};
