//! A copy of a screenshot, or of a part of it, where the user allows files to be written (contract, `save_screenshot`).

use schemars::JsonSchema;
use serde::Serialize;

use super::ScreenshotService;
use crate::request::{Error, Request, Truncate};
use crate::screenshots::{AllowedDirectory, Destinations, IfPresent, Reference, Region};

/// Requests a copy of a screenshot's full image.
#[derive(Debug, Clone, PartialEq)]
pub struct SaveRequest {
    /// Which one.
    pub reference: Reference,
    /// Path and name below an allowed folder; without one, a name made from the time it was taken.
    pub output_path: Option<String>,
    /// Only this part.
    pub region: Option<Region>,
    /// Whether a file that is there already is replaced.
    pub overwrite: bool,
    /// Where files may be written; `ManicTime`'s own folders never are.
    pub writable: Vec<AllowedDirectory>,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedScreenshot {
    /// Absolute path of the file.
    pub path: String,
    /// Its size in bytes.
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
                // A history that cannot be found could be anywhere, also where the file is wanted.
                screenshots.source().location()?;
                let destinations = Destinations::new(self.writable, screenshots.own_folders());
                let screenshot = screenshots.find(&self.reference)?;
                let name = screenshot.taken_at.format("screenshot-%Y-%m-%d_%H-%M-%S").to_string();
                // Where nothing may be written nothing is decoded.
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
