//! Saves a copy of a screenshot, or of a part of a screenshot, in a folder that the user allows (docs/contract.md,
//! `save_screenshot`).

use schemars::JsonSchema;
use serde::Serialize;

use super::ScreenshotService;
use dayledger_request::{Error, Request, Truncate};
use dayledger_screenshots::{AllowedDirectory, Destinations, IfPresent, Reference, Region};

/// Requests a copy of a screenshot's full image, or of a part of this image.
#[derive(Debug, Clone, PartialEq)]
pub struct SaveRequest {
    /// The screenshot.
    pub reference: Reference,
    /// Path and name inside an allowed folder. By default, the name contains the time of the screenshot.
    pub output_path: Option<String>,
    /// The part to save, or `None` for the whole image.
    pub region: Option<Region>,
    /// Whether to replace an existing file.
    pub overwrite: bool,
    /// The allowed folders. Nothing is ever written to the tracker's own folders.
    pub writable: Vec<AllowedDirectory>,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedScreenshot {
    /// Absolute path of the file.
    pub path: String,
    /// Size of the file in bytes.
    pub size: u64,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl Request for SaveRequest {
    type Service = ScreenshotService;
    type Response = SavedScreenshot;

    async fn execute(self, pictures: &ScreenshotService) -> Result<SavedScreenshot, Error> {
        pictures
            .run_on_pool(move |screenshots| {
                // Fails if the location of the history is unknown. Otherwise, the copy could be written into the
                // history's folder.
                screenshots.source().location()?;
                let destinations = Destinations::new(self.writable, screenshots.own_folders());
                let screenshot = screenshots.find(&self.reference)?;
                let name = screenshot.taken_at.format("screenshot-%Y-%m-%d_%H-%M-%S").to_string();
                // The target is checked first, so that no image is decoded for a rejected request.
                let target = destinations.resolve(self.output_path.as_deref(), &name)?;
                let picture = match &self.region {
                    Some(region) => screenshots.crop(&screenshot, region)?,
                    None => screenshots.full_image(&screenshot, None)?,
                };
                let picture = screenshots.convert_to(&picture, target.format())?;
                let if_present = if self.overwrite { IfPresent::Replace } else { IfPresent::Keep };
                let saved = target.write(&picture, if_present)?;
                Ok(SavedScreenshot {
                    path: saved.path.display().to_string(),
                    size: saved.size,
                    width: picture.size.width,
                    height: picture.size.height,
                })
            })
            .await
    }
}

impl Truncate for SavedScreenshot {}
