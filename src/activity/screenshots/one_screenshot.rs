//! What one screenshot shows: small for an assistant that pays for every pixel, whole for the user (contract,
//! `get_screenshot` and `crop_screenshot`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Pictures, ScreenshotEntry};
use crate::question::{Answer, Error, Question};
use crate::screenshots::{self, Picture, PixelRect, Reference, Region, Screenshot, Screenshots, Size};

/// The most bytes of a picture that an answer carries for the user alone; a larger one is linked.
const MOST_BYTES_INLINE: usize = 1 << 20;

/// Asks for one screenshot's pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureRequest {
    /// Which one.
    pub reference: Reference,
    /// Makes the assistant's picture from the full image, at most this wide, instead of the thumbnail.
    pub model_width: Option<u32>,
}

/// Asks for one picture of a screenshot alone, as its file holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnePictureRequest {
    /// Which one.
    pub reference: Reference,
    /// The full image, where there is one, instead of the thumbnail.
    pub in_full: bool,
}

/// Asks for a part of one screenshot's full image.
#[derive(Debug, Clone, PartialEq)]
pub struct CropRequest {
    /// Which one.
    pub reference: Reference,
    /// Which part.
    pub region: Region,
    /// The assistant's picture is at most this wide.
    pub model_width: Option<u32>,
}

/// A screenshot with its pictures.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownScreenshot {
    /// Which one it is.
    #[serde(flatten)]
    pub taken: Taken,
    /// The pictures of the answer, in their order.
    pub images: Vec<ShownPicture>,
    /// What else is known of it.
    #[serde(skip)]
    pub screenshot: ScreenshotEntry,
}

/// A part of a screenshot.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CroppedScreenshot {
    /// Which one it is.
    #[serde(flatten)]
    pub taken: Taken,
    /// The part in pixels of the full image, inside its bounds.
    pub crop: PixelRect,
    /// The full image's real size in pixels.
    pub full_image: Size,
    /// The pictures of the answer, in their order.
    pub images: Vec<ShownPicture>,
    /// What else is known of the whole.
    #[serde(skip)]
    pub screenshot: ScreenshotEntry,
}

/// Which screenshot an answer shows; the list tells more of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// What was asked for.
    pub screenshot_ref: String,
    /// When it was taken, ISO 8601, with its offset where that is known.
    pub timestamp: String,
    /// The same for a person, local.
    pub display_local_time: String,
}

impl Taken {
    fn of(screenshot: &ScreenshotEntry) -> Self {
        Self {
            screenshot_ref: screenshot.screenshot_ref.clone(),
            timestamp: screenshot.timestamp.clone(),
            display_local_time: screenshot.display_local_time.clone(),
        }
    }
}

/// A picture of an answer. Its content block says whom it is for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShownPicture {
    /// What it shows.
    pub shows: Shows,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whom it is for.
    #[serde(skip)]
    pub audience: Vec<Audience>,
    /// Whether it is linked, because it is large.
    #[serde(skip)]
    pub is_linked: bool,
    /// The picture itself.
    #[serde(skip)]
    pub picture: Picture,
}

/// What a picture of an answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shows {
    /// The small picture that `ManicTime` made.
    Thumbnail,
    /// The whole image, as it was taken.
    FullImage,
    /// The whole image, made narrower.
    Scaled,
    /// The part that was asked for.
    Crop,
    /// That part, made narrower.
    ScaledCrop,
}

/// Whom a picture is for (contract, `Audience`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl ShownPicture {
    fn for_both(shows: Shows, picture: Picture) -> Self {
        Self::new(shows, vec![Audience::User, Audience::Assistant], false, picture)
    }

    fn for_user(shows: Shows, picture: Picture) -> Self {
        let is_linked = picture.bytes.len() > MOST_BYTES_INLINE;
        Self::new(shows, vec![Audience::User], is_linked, picture)
    }

    fn new(shows: Shows, audience: Vec<Audience>, is_linked: bool, picture: Picture) -> Self {
        let Size { width, height } = picture.size;
        Self { shows, width, height, audience, is_linked, picture }
    }
}

impl Question for PictureRequest {
    type Of = Pictures;
    type Answer = ShownScreenshot;

    async fn answer(self, pictures: &Pictures) -> Result<ShownScreenshot, Error> {
        let model_width = self.model_width;
        shown(pictures, self.reference, move |screenshots, screenshot| images(screenshots, screenshot, model_width))
            .await
    }
}

impl Question for OnePictureRequest {
    type Of = Pictures;
    type Answer = ShownScreenshot;

    async fn answer(self, pictures: &Pictures) -> Result<ShownScreenshot, Error> {
        let in_full = self.in_full;
        let one = move |screenshots: &_, screenshot: &_| Ok(vec![one_picture(screenshots, screenshot, in_full)?]);
        shown(pictures, self.reference, one).await
    }
}

/// A screenshot with the pictures that `images` takes of it.
async fn shown<F>(pictures: &Pictures, reference: Reference, images: F) -> Result<ShownScreenshot, Error>
where
    F: FnOnce(&Screenshots, &Screenshot) -> Result<Vec<ShownPicture>, screenshots::Error> + Send + 'static,
{
    pictures
        .work(move |screenshots| {
            let screenshot = screenshots.find(&reference)?;
            let images = images(screenshots, &screenshot)?;
            let screenshot = ScreenshotEntry::of(&screenshot);
            Ok(ShownScreenshot { taken: Taken::of(&screenshot), images, screenshot })
        })
        .await
}

fn one_picture(
    screenshots: &Screenshots,
    screenshot: &Screenshot,
    in_full: bool,
) -> Result<ShownPicture, screenshots::Error> {
    if screenshot.has_thumbnail() && !(in_full && screenshot.has_image()) {
        let thumbnail = screenshots.thumbnail(screenshot, None)?;
        // Of a screen as small as its thumbnail the full image is the better one.
        if !(screenshot.has_image() && screenshot.size == Some(thumbnail.size)) {
            return Ok(ShownPicture::for_both(Shows::Thumbnail, thumbnail));
        }
    }
    Ok(ShownPicture::for_both(Shows::FullImage, screenshots.full_image(screenshot, None)?))
}

/// A small picture for both and the full image for the user alone; one picture for both where there is only one.
fn images(
    screenshots: &Screenshots,
    screenshot: &Screenshot,
    model_width: Option<u32>,
) -> Result<Vec<ShownPicture>, screenshots::Error> {
    if !screenshot.has_image() {
        let thumbnail = screenshots.thumbnail(screenshot, model_width)?;
        return Ok(vec![ShownPicture::for_both(Shows::Thumbnail, thumbnail)]);
    }
    let full = screenshots.full_image(screenshot, None)?;
    let small = match model_width {
        Some(_) => (Shows::Scaled, screenshots.full_image(screenshot, model_width)?),
        None if screenshot.has_thumbnail() => (Shows::Thumbnail, screenshots.thumbnail(screenshot, None)?),
        None => return Ok(vec![ShownPicture::for_both(Shows::FullImage, full)]),
    };
    if small.1.size == full.size {
        return Ok(vec![ShownPicture::for_both(Shows::FullImage, full)]);
    }
    Ok(vec![ShownPicture::for_both(small.0, small.1), ShownPicture::for_user(Shows::FullImage, full)])
}

impl Question for CropRequest {
    type Of = Pictures;
    type Answer = CroppedScreenshot;

    async fn answer(self, pictures: &Pictures) -> Result<CroppedScreenshot, Error> {
        pictures
            .work(move |screenshots| {
                let screenshot = screenshots.find(&self.reference)?;
                let [part, small] = screenshots.crops(&screenshot, &self.region, [None, self.model_width])?;
                let images = if small.picture.size.width < part.picture.size.width {
                    vec![
                        ShownPicture::for_both(Shows::ScaledCrop, small.picture),
                        ShownPicture::for_user(Shows::Crop, part.picture),
                    ]
                } else {
                    vec![ShownPicture::for_both(Shows::Crop, part.picture)]
                };
                let (crop, full_image) = (part.rect, part.whole);
                let screenshot = ScreenshotEntry::of(&screenshot);
                Ok(CroppedScreenshot { taken: Taken::of(&screenshot), crop, full_image, images, screenshot })
            })
            .await
    }
}

impl Answer for ShownScreenshot {}

impl Answer for CroppedScreenshot {}
