//! `save_screenshot`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::screenshot_parameters::{CoordinateUnits, ScreenshotRef};
use crate::{
    activity::SaveRequest,
    mcp::{
        tool::{Caller, DataTool, Effect},
        toolset::Toolset,
    },
    request::Error,
    screenshots::{Region, codes},
};

/// Writes a screenshot to a file.
pub(super) struct SaveScreenshot;

/// The parameters that crop the image, in order.
const CROP: [&str; 4] = ["cropX", "cropY", "cropWidth", "cropHeight"];

/// The screenshot, a part and a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    screenshot_ref: ScreenshotRef,
    /// File in a folder that the user allows, such as assets/report.png: jpg (default), jpeg or png.
    output_path: Option<String>,
    /// Left edge of a part. Pass all four crop values or none.
    crop_x: Option<f64>,
    /// Top edge of the part.
    crop_y: Option<f64>,
    /// Width of the part.
    #[schemars(extend("exclusiveMinimum" = 0))]
    crop_width: Option<f64>,
    /// Height of the part.
    #[schemars(extend("exclusiveMinimum" = 0))]
    crop_height: Option<f64>,
    #[serde(default)]
    #[schemars(extend("default" = "percent"))]
    coordinate_units: CoordinateUnits,
    /// Overwrite an existing file.
    #[serde(default)]
    overwrite: bool,
}

impl Parameters {
    fn region(&self) -> Result<Option<Region>, Error> {
        let given = [self.crop_x, self.crop_y, self.crop_width, self.crop_height];
        match given {
            [None, None, None, None] => Ok(None),
            [Some(x), Some(y), Some(width), Some(height)] => {
                Ok(Some(self.coordinate_units.region([x, y, width, height], CROP)?))
            }
            _ => {
                let absent =
                    CROP.iter().zip(given).find(|(_, given)| given.is_none()).map_or(CROP[0], |(name, _)| name);
                Err(Error::with_field(
                    codes::INVALID_REGION,
                    absent,
                    format!("incomplete region: `{absent}` is missing"),
                    "pass `cropX`, `cropY`, `cropWidth` and `cropHeight`, or none of them to save the whole image",
                ))
            }
        }
    }
}

impl DataTool for SaveScreenshot {
    const NAME: &'static str = "save_screenshot";
    const TITLE: &'static str = "Save a screenshot";
    const DESCRIPTION: &'static str = "Saves one screenshot, or a part of it, to a file in a folder that the user \
                                       allows. Use it only if the user asks for a file. To look at a screenshot call \
                                       get_screenshot.";
    const TOOLSET: Toolset = Toolset::Screenshots;
    const EFFECT: Effect = Effect::Saves;
    type Parameters = Parameters;
    type Request = SaveRequest;

    fn request(parameters: Parameters) -> Result<SaveRequest, Error> {
        Ok(SaveRequest {
            reference: parameters.screenshot_ref.parse()?,
            region: parameters.region()?,
            output_path: parameters.output_path,
            overwrite: parameters.overwrite,
            writable: Vec::new(),
        })
    }

    fn with_caller(request: SaveRequest, caller: &Caller) -> SaveRequest {
        SaveRequest { writable: caller.writable.clone(), ..request }
    }
}
