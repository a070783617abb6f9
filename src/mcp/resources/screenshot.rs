//! `manictime://screenshot/{screenshotRef}`: a screenshot that a client fetches to show it to its user.

use base64::{Engine, prelude::BASE64_STANDARD};
use rmcp::{
    ErrorData,
    model::{Annotations, ReadResourceResult, ResourceContents, ResourceTemplate, Role},
};

use super::{
    failure::{not_found, read_error},
    resource::{JSON, ReadContext, json},
};
use crate::{
    activity::{SCREENSHOT_URI, ScreenshotImages, SingleImageRequest, parse_reference},
    mcp::{errors::internal_error, tool::HistoryHandler},
    screenshots::{Reference, codes},
};

/// The end of a URI that requests the full image.
pub(in crate::mcp) const FULL_SIZE: &str = "?size=full";

/// A parsed URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ScreenshotAddress {
    reference: Reference,
    is_full: bool,
}

/// Returns its entry in `resources/templates/list`.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCREENSHOT_URI}{{screenshotRef}}{{?size}}"), "screenshot")
        .with_title("One screenshot")
        .with_description(
            "A screenshot by screenshotRef, with its time and size: the thumbnail if it has one, or the full image \
             with size=full. Responses contain the screenshotRef.",
        )
        .with_annotations(Annotations::default().with_audience(vec![Role::User]).with_priority(0.25))
}

/// Parses `uri`. Returns `None` if it is the URI of another resource, or if the reference is invalid.
pub(super) fn parse_uri(uri: &str) -> Option<ScreenshotAddress> {
    let rest = uri.strip_prefix(SCREENSHOT_URI)?;
    let (reference, is_full) = rest.strip_suffix(FULL_SIZE).map_or((rest, false), |reference| (reference, true));
    Some(ScreenshotAddress { reference: parse_reference(reference, "screenshotRef").ok()?, is_full })
}

/// Reads the image and its metadata.
pub(super) async fn read<R: HistoryHandler>(
    context: &ReadContext<'_, R>,
    uri: &str,
    wanted: ScreenshotAddress,
) -> Result<ReadResourceResult, ErrorData> {
    let request = SingleImageRequest { reference: wanted.reference, is_full: wanted.is_full };
    let shown = context.handler.handle(request).await;
    let ScreenshotImages { screenshot, images, .. } = shown.map_err(|error| match error.code {
        codes::SCREENSHOT_NOT_FOUND => not_found(uri),
        _ => read_error(&error),
    })?;
    let image = images.first().ok_or_else(|| read_error(&internal_error()))?;
    let picture = ResourceContents::blob(BASE64_STANDARD.encode(&image.picture.bytes), uri)
        .with_mime_type(image.picture.format.mime_type());
    let text = json(&screenshot).map_err(|error| read_error(&error))?;
    Ok(ReadResourceResult::new(vec![picture, ResourceContents::text(text, uri).with_mime_type(JSON)]))
}
