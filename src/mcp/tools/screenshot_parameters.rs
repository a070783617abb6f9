//! Parameters that the tools for single screenshots share, and their pictures as content.

use base64::{Engine, prelude::BASE64_STANDARD};
use rmcp::model::{Annotations, ContentBlock, Resource, Role};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    activity::{Audience, ResponseImage, ScreenshotEntry, parse_reference, parse_region},
    mcp::{arguments::WholeNumber, resources::FULL_SIZE},
    request::{Error, codes},
    screenshots::{Reference, Region, Units},
};

/// The maximum width of an image for a model, in pixels. A model scales down a wider image itself.
const MAX_WIDTH: i64 = 2000;
/// The minimum width, in pixels. On a narrower image, nothing is recognisable.
const MIN_WIDTH: i64 = 16;

/// screenshotRef of an earlier response, unchanged.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct ScreenshotRef(String);

impl ScreenshotRef {
    pub(super) fn parse(&self) -> Result<Reference, Error> {
        parse_reference(&self.0, "screenshotRef")
    }
}

/// Show yourself the full image, at most this many pixels wide, instead of the thumbnail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct ModelWidth(#[schemars(range(min = MIN_WIDTH, max = MAX_WIDTH))] WholeNumber);

impl ModelWidth {
    /// Returns the width in pixels, at most [`MAX_WIDTH`].
    pub(super) fn parse(width: Option<&Self>) -> Result<Option<u32>, Error> {
        let Some(Self(WholeNumber(width))) = width else { return Ok(None) };
        if *width < MIN_WIDTH {
            return Err(Error::with_field(
                codes::INVALID_NUMBER,
                "modelWidth",
                format!("invalid `modelWidth`: {width} is less than {MIN_WIDTH}"),
                format!("pass {MIN_WIDTH} to {MAX_WIDTH} pixels, or omit it"),
            ));
        }
        Ok(u32::try_from(*width.min(&MAX_WIDTH)).ok())
    }
}

/// `percent`: 0 to 100 of the image. `normalized`: 0 to 1.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum CoordinateUnits {
    /// From 0 to 100.
    #[default]
    Percent,
    /// From 0 to 1.
    Normalized,
}

impl CoordinateUnits {
    pub(super) fn region(self, edges: [f64; 4], fields: [&str; 4]) -> Result<Region, Error> {
        let units = match self {
            Self::Percent => Units::Percent,
            Self::Normalized => Units::Normalized,
        };
        parse_region(edges, fields, units)
    }
}

/// Converts images to content. Images for both the user and the model come first, because they matter most.
pub(super) fn contents(screenshot: &ScreenshotEntry, images: &[ResponseImage]) -> Vec<ContentBlock> {
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
