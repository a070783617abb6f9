//! Screenshots of a history: which there are, which show a stretch of time, what one shows, and copies of it.
//!
//! How names are read, which files exist and how pictures are made is known to [`crate::screenshots`]; here are the
//! questions, with the segments that tell it what was done.

mod entry;
mod listing;
mod one_screenshot;
mod parsed;
mod pictures;
mod saved;
mod segments;
mod state;
mod table;
mod thumbnails;

pub use entry::{SCREENSHOT_URI, ScreenshotEntry};
pub use listing::{Sampling, ScreenshotList, ScreenshotsRequest};
pub use one_screenshot::{
    Audience, CropRequest, CroppedScreenshot, OnePictureRequest, PictureRequest, ShownPicture, ShownScreenshot, Shows,
    Taken,
};
pub use parsed::{parse_reference, parse_region};
pub use pictures::Pictures;
pub use saved::{SaveRequest, SavedScreenshot};
pub use segments::{SuggestedScreenshot, SuggestionReason};
pub(super) use segments::{Work, references, suggestions};
pub use state::{ScreenshotState, ScreenshotStatus};
pub(super) use table::screenshot_table;
pub use thumbnails::{Thumbnail, Thumbnails, ThumbnailsRequest};
