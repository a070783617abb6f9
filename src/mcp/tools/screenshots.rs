//! The tools of the toolset `screenshots`, and the conversion of their images to MCP content. Parameters that several
//! tools share are described here once.

use base64::{Engine, prelude::BASE64_STANDARD};
use dayledger_mcp::{Caller, DataTool, Effect, Toolset, WholeNumber};
use rmcp::model::{Annotations, ContentBlock, Resource, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use super::parameters::{EndDate, StartDate, limit, range};
use crate::activity::{
    Audience, CropRequest, CroppedScreenshot, Filter, ResponseImage, Sampling, SaveRequest, ScreenshotEntry,
    ScreenshotImages, ScreenshotImagesRequest, ScreenshotList, ScreenshotsRequest, parse_reference, parse_region,
};
use crate::mcp::resources::FULL_SIZE;
use crate::request::{self, Error, Minutes};
use crate::screenshots::{Reference, Region, Units, codes};

/// The maximum width of an image for a model, in pixels. Models scale wider images down themselves.
const MAX_WIDTH: i64 = 2000;
/// The minimum width, in pixels. On a narrower image, no details are recognisable.
const MIN_WIDTH: i64 = 16;

/// screenshotRef of an earlier response, unchanged.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct ScreenshotRef(String);

impl ScreenshotRef {
    fn parse(&self) -> Result<Reference, Error> {
        parse_reference(&self.0, "screenshotRef")
    }
}

/// Show yourself the full image, at most this many pixels wide, instead of the thumbnail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct ModelWidth(#[schemars(range(min = MIN_WIDTH, max = MAX_WIDTH))] WholeNumber);

impl ModelWidth {
    /// Parses the width in pixels, and reduces it to at most [`MAX_WIDTH`].
    fn parse(width: Option<&Self>) -> Result<Option<u32>, Error> {
        let Some(Self(WholeNumber(width))) = width else { return Ok(None) };
        if *width < MIN_WIDTH {
            return Err(Error::with_field(
                request::codes::INVALID_NUMBER,
                "modelWidth",
                format!("invalid `modelWidth`: {width} is less than {MIN_WIDTH}"),
                format!("pass {MIN_WIDTH} to {MAX_WIDTH} pixels, or omit it"),
            ));
        }
        Ok(u32::try_from(*width.min(&MAX_WIDTH)).ok())
    }
}

/// Converts images to content. Images for both the user and the model come first, because they are the most important.
fn contents(screenshot: &ScreenshotEntry, images: &[ResponseImage]) -> Vec<ContentBlock> {
    images.iter().map(|image| content(screenshot, image)).collect()
}

fn content(screenshot: &ScreenshotEntry, image: &ResponseImage) -> ContentBlock {
    let role = |audience: &Audience| match audience {
        Audience::User => Role::User,
        Audience::Assistant => Role::Assistant,
    };
    let audience: Vec<Role> = image.audience.iter().map(role).collect();
    let priority = if audience.len() > 1 { 1.0 } else { 0.5 };
    let annotations = Annotations::default().with_audience(audience).with_priority(priority);
    let mime_type = image.picture.format.mime_type();
    if image.is_linked {
        let uri = format!("{}{FULL_SIZE}", screenshot.resource_uri);
        let link = Resource::new(uri, screenshot.title())
            .with_mime_type(mime_type)
            .with_size(image.picture.bytes.len() as u64);
        return ContentBlock::resource_link(link.with_annotations(annotations));
    }
    let mut block = ContentBlock::image(BASE64_STANDARD.encode(&image.picture.bytes), mime_type);
    if let ContentBlock::Image(content) = &mut block {
        content.annotations = Some(annotations);
    }
    block
}

/// Lists screenshots.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListScreenshots {
    start_date: StartDate,
    end_date: Option<EndDate>,
    /// Return at most this many, spread evenly over the range.
    #[schemars(range(min = 1, max = 100), extend("default" = 20))]
    max_count: Option<WholeNumber>,
    /// `activity_transition`: one per segment of work. `interval`: evenly over time.
    #[serde(default)]
    #[schemars(extend("default" = "activity_transition"))]
    sampling_strategy: Sampling,
    /// With `interval`: minutes between screenshots.
    #[schemars(range(min = 0), extend("default" = 0))]
    interval_minutes: Option<f64>,
}

impl DataTool for ListScreenshots {
    const NAME: &'static str = "list_screenshots";
    const TITLE: &'static str = "List screenshots";
    const DESCRIPTION: &'static str = "Lists screenshots of the screen in a range, without pixels: references, times, \
                                       sizes. Use it before any other screenshot tool; if the list is empty, it \
                                       contains the reason. Then look at a few of them with get_screenshot.";
    const TOOLSET: Toolset = Toolset::Screenshots;
    type Request = ScreenshotsRequest;

    fn request(self, _: &Caller) -> Result<ScreenshotsRequest, Error> {
        let interval = Minutes::parse(self.interval_minutes, 0.0, "intervalMinutes")?;
        Ok(ScreenshotsRequest {
            range: range(&self.start_date, self.end_date.as_ref())?,
            device: None,
            filter: Filter::default(),
            sampling: self.sampling_strategy,
            interval: (interval.seconds() > 0).then_some(interval),
            max_count: limit(self.max_count, "maxCount")?,
        })
    }

    /// Returns a link to each screenshot. Clients use the links to show images to their user without the model.
    fn extra_content(list: &ScreenshotList) -> Vec<ContentBlock> {
        let link = |screenshot: &ScreenshotEntry| {
            let for_user = Annotations::default().with_audience(vec![Role::User]).with_priority(0.25);
            let link = Resource::new(&screenshot.resource_uri, screenshot.title()).with_annotations(for_user);
            ContentBlock::resource_link(link.with_mime_type("image/jpeg"))
        };
        list.screenshots.iter().map(link).collect()
    }
}

/// Shows a screenshot.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetScreenshot {
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
    type Request = ScreenshotImagesRequest;

    fn request(self, _: &Caller) -> Result<ScreenshotImagesRequest, Error> {
        let reference = self.screenshot_ref.parse()?;
        Ok(ScreenshotImagesRequest { reference, model_width: ModelWidth::parse(self.model_width.as_ref())? })
    }

    fn extra_content(shown: &ScreenshotImages) -> Vec<ContentBlock> {
        contents(&shown.screenshot, &shown.images)
    }
}

/// Shows a part of a screenshot in full resolution.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct CropScreenshot {
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
    coordinate_units: Units,
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
    type Request = CropRequest;

    fn request(self, _: &Caller) -> Result<CropRequest, Error> {
        let edges = [self.x, self.y, self.width, self.height];
        Ok(CropRequest {
            reference: self.screenshot_ref.parse()?,
            region: parse_region(edges, ["x", "y", "width", "height"], self.coordinate_units)?,
            model_width: ModelWidth::parse(self.model_width.as_ref())?,
        })
    }

    fn extra_content(cropped: &CroppedScreenshot) -> Vec<ContentBlock> {
        contents(&cropped.screenshot, &cropped.images)
    }
}

/// The parameters that crop the image, in the order x, y, width and height.
const CROP: [&str; 4] = ["cropX", "cropY", "cropWidth", "cropHeight"];

/// Writes a screenshot to a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct SaveScreenshot {
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
    coordinate_units: Units,
    /// Overwrite an existing file.
    #[serde(default)]
    overwrite: bool,
}

impl SaveScreenshot {
    fn region(&self) -> Result<Option<Region>, Error> {
        let given = [self.crop_x, self.crop_y, self.crop_width, self.crop_height];
        match given {
            [None, None, None, None] => Ok(None),
            [Some(x), Some(y), Some(width), Some(height)] => {
                parse_region([x, y, width, height], CROP, self.coordinate_units).map(Some)
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
    type Request = SaveRequest;

    fn request(self, caller: &Caller) -> Result<SaveRequest, Error> {
        Ok(SaveRequest {
            reference: self.screenshot_ref.parse()?,
            region: self.region()?,
            output_path: self.output_path,
            overwrite: self.overwrite,
            writable: caller.writable.clone(),
        })
    }
}
