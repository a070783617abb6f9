//! `crop_screenshot`.

use rmcp::model::ContentBlock;
use schemars::JsonSchema;
use serde::Deserialize;

use super::screenshot_parameters::{CoordinateUnits, ModelWidth, ScreenshotRef, contents};
use crate::{
    activity::{CropRequest, CroppedScreenshot},
    mcp::{tool::DataTool, toolset::Toolset},
    request::Error,
};

/// Shows a part of a screenshot in full resolution.
pub(super) struct CropScreenshot;

/// The screenshot and a part.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    screenshot_ref: ScreenshotRef,
    /// Left edge of the part.
    x: f64,
    /// Top edge of the part.
    y: f64,
    /// Width of the part.
    #[schemars(extend("exclusiveMinimum" = 0))]
    width: f64,
    /// Height of the part.
    #[schemars(extend("exclusiveMinimum" = 0))]
    height: f64,
    #[serde(default)]
    #[schemars(extend("default" = "percent"))]
    coordinate_units: CoordinateUnits,
    /// Show yourself the part at most this many pixels wide.
    model_width: Option<ModelWidth>,
}

impl DataTool for CropScreenshot {
    const NAME: &'static str = "crop_screenshot";
    const TITLE: &'static str = "Cut out a part of a screenshot";
    const DESCRIPTION: &'static str = "Shows a part of one screenshot in full resolution, for text that is too small \
                                       in the thumbnail. Pass the part in percent of the width and height; anything \
                                       outside is cut off. Look at it with get_screenshot first.";
    const TOOLSET: Toolset = Toolset::Screenshots;
    type Parameters = Parameters;
    type Request = CropRequest;

    fn request(parameters: Parameters) -> Result<CropRequest, Error> {
        let edges = [parameters.x, parameters.y, parameters.width, parameters.height];
        Ok(CropRequest {
            reference: parameters.screenshot_ref.parse()?,
            region: parameters.coordinate_units.region(edges, ["x", "y", "width", "height"])?,
            model_width: ModelWidth::parse(parameters.model_width.as_ref())?,
        })
    }

    fn extra_content(cropped: &CroppedScreenshot) -> Vec<ContentBlock> {
        contents(&cropped.screenshot, &cropped.images)
    }
}
