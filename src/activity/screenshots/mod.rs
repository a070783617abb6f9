//! Screenshots of a history: which there are, which show a stretch of time, what one shows, and copies of it.
//!
//! How names are read, which files exist and how pictures are made is known to [`crate::screenshots`]; here are the
//! questions, with the segments that tell it what was done.

mod entry;
mod listing;
mod parsed;
mod saved;
mod segments;
mod shown;
mod state;
mod table;
mod thumbnails;

pub use entry::{SCREENSHOT_URI, ScreenshotEntry};
pub use listing::{Sampling, ScreenshotList, ScreenshotsRequest};
pub use parsed::{parse_reference, parse_region};
pub use saved::{SaveRequest, SavedScreenshot};
pub use segments::{SuggestedScreenshot, SuggestionReason};
pub(super) use segments::{Work, references, suggestions};
pub use shown::{
    Audience, CropRequest, CroppedScreenshot, OnePictureRequest, PictureRequest, ShownPicture, ShownScreenshot, Shows,
    Taken,
};
pub(super) use state::reason_for_none;
pub use state::{ScreenshotState, ScreenshotStatus};
pub(super) use table::ScreenshotTable;
pub use thumbnails::{Thumbnail, Thumbnails, ThumbnailsRequest};

use super::Error;
use crate::engine::{self, Engine};
use crate::screenshots::{self, Screenshots};

/// Asks the screenshots of `engine`, off its callers' threads.
async fn ask<T, F>(engine: &Engine, work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce(&Screenshots) -> Result<T, screenshots::Error> + Send + 'static,
{
    let screenshots = engine.companion::<Screenshots>().cloned().ok_or(engine::Error::Internal)?;
    Ok(engine.blocking(move || work(&screenshots)).await??)
}
