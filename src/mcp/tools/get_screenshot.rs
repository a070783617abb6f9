//! `get_screenshot`.

use rmcp::model::ContentBlock;
use schemars::JsonSchema;
use serde::Deserialize;

use super::screenshot_parameters::{ModelWidth, ScreenshotRef, contents};
use crate::{
    activity::{ScreenshotImages, ScreenshotImagesRequest},
    mcp::{tool::DataTool, toolset::Toolset},
    request::Error,
};

/// Shows a screenshot.
pub(super) struct GetScreenshot;

/// The screenshot and its size.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    screenshot_ref: ScreenshotRef,
    model_width: Option<ModelWidth>,
}

impl DataTool for GetScreenshot {
    const NAME: &'static str = "get_screenshot";
    const TITLE: &'static str = "Show a screenshot";
    const DESCRIPTION: &'static str = "Shows one screenshot: to you its small thumbnail, to the user the full image. \
                                       Without a thumbnail, you see the full image; modelWidth makes it cheaper. To \
                                       read small print, call crop_screenshot with the part that matters.";
    const TOOLSET: Toolset = Toolset::Screenshots;
    type Parameters = Parameters;
    type Request = ScreenshotImagesRequest;

    fn request(parameters: Parameters) -> Result<ScreenshotImagesRequest, Error> {
        let reference = parameters.screenshot_ref.parse()?;
        Ok(ScreenshotImagesRequest { reference, model_width: ModelWidth::parse(parameters.model_width.as_ref())? })
    }

    fn extra_content(shown: &ScreenshotImages) -> Vec<ContentBlock> {
        contents(&shown.screenshot, &shown.images)
    }
}
