//! Returns one screenshot. The assistant gets a small image, because larger images need more tokens. The user gets the
//! full image (docs/contract.md, `get_screenshot` and `crop_screenshot`).

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::{ScreenshotEntry, ScreenshotService};
use dayledger_request::{Error, Request, Truncate};
use dayledger_screenshots as screenshots;
use dayledger_screenshots::{
    Crop, Picture, PixelRect, Reference, Region, Screenshot, Screenshots, Size, SizeLimit, Units, codes,
};

/// The maximum size of all images of a response together. The encoding Base64 adds a third to the size, and some
/// clients reject results of more than 1,048,576 characters. Language models shrink images with a side of more than
/// 2,000 pixels.
const SIZE_LIMIT: SizeLimit = SizeLimit { side: 2000, bytes: 700_000 };

/// Requests the images of one screenshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenshotImagesRequest {
    /// The screenshot.
    pub reference: Reference,
    /// The maximum width of the assistant's image in pixels. If it is set, the image is made from the full image
    /// instead of the thumbnail.
    pub model_width: Option<u32>,
}

/// Requests a single image of a screenshot, without any change to the image in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleImageRequest {
    /// The screenshot.
    pub reference: Reference,
    /// Whether to return the full image, if it exists, instead of the thumbnail.
    pub is_full: bool,
}

/// Requests a part of the full image of one screenshot.
#[derive(Debug, Clone, PartialEq)]
pub struct CropRequest {
    /// The screenshot.
    pub reference: Reference,
    /// The part to return.
    pub region: Region,
    /// The maximum width of the assistant's image in pixels.
    pub model_width: Option<u32>,
}

/// Parses a reference. `field` is the name of the parameter for the error message.
///
/// # Errors
/// Fails with `INVALID_REFERENCE` if the text is not a reference from a response.
pub fn parse_reference(text: &str, field: &str) -> Result<Reference, Error> {
    text.trim().parse().map_err(|_| {
        Error::with_field(
            codes::INVALID_REFERENCE,
            field,
            format!("`{field}` is not a reference from a response"),
            "pass a `screenshotRef` from a response unchanged; `list_screenshots` returns them",
        )
    })
}

/// Parses a part of an image: left edge, top edge, width and height. `fields` are the names of these four parameters.
///
/// # Errors
/// Fails with `INVALID_REGION` if a number is not finite, or if the width or height is not above 0.
pub fn parse_region(edges: [f64; 4], fields: [&str; 4], units: Units) -> Result<Region, Error> {
    let [x, y, width, height] = edges;
    Region::new(x, y, width, height, units).map_err(|error| {
        let wrong = edges.iter().enumerate().find(|(at, edge)| !edge.is_finite() || (*at > 1 && **edge <= 0.0));
        let field = wrong.map_or(fields[2], |(at, _)| fields[at]);
        Error::with_field(
            codes::INVALID_REGION,
            field,
            error.to_string(),
            "percent runs from 0 to 100, normalized from 0 to 1, from the top left of the whole image; width and \
             height are above 0",
        )
    })
}

/// A screenshot with its images.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotImages {
    /// The screenshot.
    #[serde(flatten)]
    pub taken: ScreenshotHeader,
    /// The images of the response, in their order.
    pub images: Vec<ResponseImage>,
    /// More data about the screenshot, which is not serialised.
    #[serde(skip)]
    pub screenshot: ScreenshotEntry,
}

/// A part of a screenshot.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CroppedScreenshot {
    /// The screenshot.
    #[serde(flatten)]
    pub taken: ScreenshotHeader,
    /// The cropped region, in pixels of the full image.
    pub crop: PixelRect,
    /// The full image's real size in pixels.
    pub full_image: Size,
    /// The images of the response, in their order.
    pub images: Vec<ResponseImage>,
    /// More data about the screenshot, which is not serialised.
    #[serde(skip)]
    pub screenshot: ScreenshotEntry,
}

/// The screenshot that a response is about. `list_screenshots` returns more fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotHeader {
    /// The requested screenshot.
    pub screenshot_ref: String,
    /// When the screenshot was taken: local time in ISO 8601, with the UTC offset if known.
    pub timestamp: String,
    /// The same local time in a readable form.
    pub display_local_time: String,
}

impl ScreenshotHeader {
    fn from_entry(screenshot: &ScreenshotEntry) -> Self {
        Self {
            screenshot_ref: screenshot.screenshot_ref.clone(),
            timestamp: screenshot.timestamp.clone(),
            display_local_time: screenshot.display_local_time.clone(),
        }
    }
}

/// An image of a response. The content block of the image states its audience.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResponseImage {
    /// The content of the image.
    pub shows: ImageContent,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// How the image was scaled down, and how to see more detail.
    pub scale: Option<String>,
    /// The audience of the image.
    #[serde(skip)]
    pub audience: Vec<Audience>,
    /// Whether the image is linked instead of embedded, because it is large.
    #[serde(skip)]
    pub is_linked: bool,
    /// The image itself.
    #[serde(skip)]
    pub picture: Picture,
}

/// The content of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImageContent {
    /// The small image that the tracker created.
    Thumbnail,
    /// The whole image, as it was taken.
    FullImage,
    /// The whole image, made narrower.
    Scaled,
    /// The requested part of the image.
    Crop,
    /// The requested part, made narrower.
    ScaledCrop,
}

/// The audience of an image (docs/contract.md, `Audience`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The user.
    User,
    /// The assistant's language model.
    Assistant,
}

impl ResponseImage {
    fn for_both(shows: ImageContent, picture: Picture) -> Self {
        Self::new(shows, vec![Audience::User, Audience::Assistant], false, picture)
    }

    /// Returns an image that only the user gets. `both` is the image that the user and the assistant get. If both
    /// images together are too large, the user's image is linked instead of embedded.
    fn for_user(shows: ImageContent, picture: Picture, both: &Self) -> Self {
        let is_linked = both.picture.bytes.len() + picture.bytes.len() > SIZE_LIMIT.bytes;
        Self::new(shows, vec![Audience::User], is_linked, picture)
    }

    /// Adds a text about the scale of this image. The original image is `full` pixels wide.
    fn with_scale(self, full: u32) -> Self {
        let percent = 100.0 * f64::from(self.width) / f64::from(full.max(1));
        let scale = format!("{percent:.0}% of full resolution; for more detail, crop a smaller part");
        Self { scale: Some(scale), ..self }
    }

    fn new(shows: ImageContent, audience: Vec<Audience>, is_linked: bool, picture: Picture) -> Self {
        let Size { width, height } = picture.size;
        Self { shows, width, height, scale: None, audience, is_linked, picture }
    }
}

impl Request for ScreenshotImagesRequest {
    type Service = ScreenshotService;
    type Response = ScreenshotImages;

    async fn execute(self, pictures: &ScreenshotService) -> Result<ScreenshotImages, Error> {
        let model_width = self.model_width;
        load_screenshot(pictures, self.reference, move |screenshots, screenshot| {
            images(screenshots, screenshot, model_width)
        })
        .await
    }
}

impl Request for SingleImageRequest {
    type Service = ScreenshotService;
    type Response = ScreenshotImages;

    async fn execute(self, pictures: &ScreenshotService) -> Result<ScreenshotImages, Error> {
        let in_full = self.is_full;
        let one = move |screenshots: &_, screenshot: &_| Ok(vec![single_image(screenshots, screenshot, in_full)?]);
        load_screenshot(pictures, self.reference, one).await
    }
}

/// Loads a screenshot with the images that the function `images` returns.
async fn load_screenshot<F>(
    pictures: &ScreenshotService,
    reference: Reference,
    images: F,
) -> Result<ScreenshotImages, Error>
where
    F: FnOnce(&Screenshots, &Screenshot) -> Result<Vec<ResponseImage>, screenshots::Error> + Send + 'static,
{
    pictures
        .run_on_pool(move |screenshots| {
            let screenshot = screenshots.find(&reference)?;
            let images = images(screenshots, &screenshot)?;
            let screenshot = ScreenshotEntry::from_screenshot(&screenshot);
            Ok(ScreenshotImages { taken: ScreenshotHeader::from_entry(&screenshot), images, screenshot })
        })
        .await
}

fn single_image(
    screenshots: &Screenshots,
    screenshot: &Screenshot,
    in_full: bool,
) -> Result<ResponseImage, screenshots::Error> {
    if screenshot.has_thumbnail() && !(in_full && screenshot.has_image()) {
        let thumbnail = screenshots.thumbnail(screenshot, None)?;
        // A full image of the same size as the thumbnail has a better quality than the thumbnail.
        if !(screenshot.has_image() && screenshot.size == Some(thumbnail.size)) {
            return Ok(ResponseImage::for_both(ImageContent::Thumbnail, thumbnail));
        }
    }
    Ok(ResponseImage::for_both(ImageContent::FullImage, screenshots.full_image(screenshot, None)?))
}

/// Returns a small image for both user and assistant, and the full image only for the user. If the screenshot has only
/// a thumbnail, or if the full image is small enough, a single image is for both.
fn images(
    screenshots: &Screenshots,
    screenshot: &Screenshot,
    model_width: Option<u32>,
) -> Result<Vec<ResponseImage>, screenshots::Error> {
    if !screenshot.has_image() {
        let thumbnail = screenshots.thumbnail(screenshot, model_width)?;
        return Ok(vec![ResponseImage::for_both(ImageContent::Thumbnail, thumbnail)]);
    }
    let full = screenshots.full_image(screenshot, None)?;
    if model_width.is_none() && screenshot.has_thumbnail() {
        let thumbnail = screenshots.thumbnail(screenshot, None)?;
        if thumbnail.size != full.size {
            let both = ResponseImage::for_both(ImageContent::Thumbnail, thumbnail);
            let full = ResponseImage::for_user(ImageContent::FullImage, full, &both);
            return Ok(vec![both, full]);
        }
    }
    let fitting = screenshots.crop_to_fit(screenshot, &Region::WHOLE, model_width, SIZE_LIMIT)?.picture;
    if fitting == full {
        return Ok(vec![ResponseImage::for_both(ImageContent::FullImage, full)]);
    }
    let both = ResponseImage::for_both(ImageContent::Scaled, fitting).with_scale(full.size.width);
    let full = ResponseImage::for_user(ImageContent::FullImage, full, &both);
    Ok(vec![both, full])
}

/// Returns an image of the requested part for both user and assistant. If this image had to be scaled down, the user
/// also gets the part at full size. If the part at full size has too many bytes or pixels, the user gets a link to the
/// full image instead.
fn crop_images(
    screenshots: &Screenshots,
    screenshot: &Screenshot,
    fitting: &Crop,
    region: &Region,
) -> Result<Vec<ResponseImage>, screenshots::Error> {
    let both = fitting.picture.clone();
    if both.size.width >= fitting.rect.width {
        return Ok(vec![ResponseImage::for_both(ImageContent::Crop, both)]);
    }
    let both = ResponseImage::for_both(ImageContent::ScaledCrop, both).with_scale(fitting.rect.width);
    let part = screenshots.crop(screenshot, region)?;
    let mut users = ResponseImage::for_user(ImageContent::Crop, part, &both);
    if users.is_linked || users.width.max(users.height) > SIZE_LIMIT.side {
        users = ResponseImage::for_user(ImageContent::FullImage, screenshots.full_image(screenshot, None)?, &both);
        users.is_linked = true;
    }
    Ok(vec![both, users])
}

impl Request for CropRequest {
    type Service = ScreenshotService;
    type Response = CroppedScreenshot;

    async fn execute(self, pictures: &ScreenshotService) -> Result<CroppedScreenshot, Error> {
        pictures
            .run_on_pool(move |screenshots| {
                let screenshot = screenshots.find(&self.reference)?;
                let fitting = screenshots.crop_to_fit(&screenshot, &self.region, self.model_width, SIZE_LIMIT)?;
                let images = crop_images(screenshots, &screenshot, &fitting, &self.region)?;
                let (crop, full_image) = (fitting.rect, fitting.whole);
                let screenshot = ScreenshotEntry::from_screenshot(&screenshot);
                Ok(CroppedScreenshot {
                    taken: ScreenshotHeader::from_entry(&screenshot),
                    crop,
                    full_image,
                    images,
                    screenshot,
                })
            })
            .await
    }
}

impl Truncate for ScreenshotImages {}

impl Truncate for CroppedScreenshot {}
