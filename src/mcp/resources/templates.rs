//! The resources with a variable in their URI: a timeline, a note and a screenshot. A client fetches a screenshot to
//! show it to its user.

use base64::{Engine, prelude::BASE64_STANDARD};
use dayledger_mcp::errors::internal_error;
use percent_encoding::percent_decode_str;
use rmcp::ErrorData;
use rmcp::model::{Annotations, ReadResourceResult, ResourceContents, ResourceTemplate, Role};

use super::resource::{JSON, MARKDOWN, ReadContext, json, not_found, read_error};
use crate::activity::{SCREENSHOT_URI, ScreenshotImages, SingleImageRequest, parse_reference};
use crate::mcp::history_handler::HistoryHandler;
use crate::mcp::prompts::CompletionSource;
use crate::notes::{FileRequest, NoteRef};
use crate::request::Error;
use crate::screenshots::codes;

/// The URI template of timelines.
pub(in crate::mcp) const TIMELINE_TEMPLATE: &str = "manictime://timelines/{timelineId}";

const TIMELINE_URI: &str = "manictime://timelines/";

/// Returns the variables of a template in `resources/templates/list`, each with the source of its completions.
pub(super) fn variables(template: &str) -> &'static [(&'static str, CompletionSource)] {
    match template {
        TIMELINE_TEMPLATE => &[("timelineId", CompletionSource::TimelineId)],
        NOTE_TEMPLATE => &[("path", CompletionSource::NotePath)],
        _ => &[("screenshotRef", CompletionSource::Nothing), ("size", CompletionSource::Nothing)],
    }
}

/// Returns the entry of timelines in `resources/templates/list`.
pub(super) fn timeline_template() -> ResourceTemplate {
    ResourceTemplate::new(TIMELINE_TEMPLATE, "timeline")
        .with_title("One timeline")
        .with_description("A timeline by ID: role, device, name, first and last local time, number of activities.")
        .with_mime_type(JSON)
        .with_annotations(Annotations::default().with_audience(vec![Role::Assistant]).with_priority(0.25))
}

/// Returns the id of the timeline in `uri`, or `None` if `uri` belongs to another resource.
pub(super) fn timeline_id(uri: &str) -> Option<i64> {
    let id = uri.strip_prefix(TIMELINE_URI)?;
    // Refuses other notations of the number, such as `007`, so that each timeline has exactly one URI.
    id.parse().ok().filter(|number: &i64| number.to_string() == id)
}

/// The URI template of notes.
pub(in crate::mcp) const NOTE_TEMPLATE: &str = "note://file/{path}";

const NOTE_URI: &str = "note://file/";

/// Returns the entry of notes in `resources/templates/list`.
pub(super) fn note_template() -> ResourceTemplate {
    ResourceTemplate::new(NOTE_TEMPLATE, "note")
        .with_title("One note")
        .with_description("A note by its path in the workspace, percent-encoded.")
        .with_mime_type(MARKDOWN)
        .with_annotations(Annotations::default().with_audience(vec![Role::Assistant]).with_priority(0.25))
}

/// Returns the path of the note in `uri`, or `None` if `uri` belongs to another resource.
pub(in crate::mcp) fn note_path(uri: &str) -> Option<String> {
    let path = uri.strip_prefix(NOTE_URI)?;
    percent_decode_str(path).decode_utf8().ok().map(std::borrow::Cow::into_owned).filter(|path| !path.is_empty())
}

/// Reads the note at `path`.
pub(super) async fn read_note<R: HistoryHandler>(context: &ReadContext<'_, R>, path: String) -> Result<String, Error> {
    Ok(context.handler.handle(FileRequest(NoteRef::At(path))).await?.text.into_string())
}

/// The suffix with which a URI requests the full image.
pub(in crate::mcp) const FULL_SIZE: &str = "?size=full";

/// Returns the entry of screenshots in `resources/templates/list`.
pub(super) fn screenshot_template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCREENSHOT_URI}{{screenshotRef}}{{?size}}"), "screenshot")
        .with_title("One screenshot")
        .with_description(
            "A screenshot by screenshotRef, with its time and size: the thumbnail if it has one, or the full image \
             with size=full. Responses contain the screenshotRef.",
        )
        .with_annotations(Annotations::default().with_audience(vec![Role::User]).with_priority(0.25))
}

/// Parses the URI of a screenshot. Returns `None` if `uri` belongs to another resource, or if the screenshot's
/// reference is invalid.
pub(super) fn parse_screenshot_uri(uri: &str) -> Option<SingleImageRequest> {
    let rest = uri.strip_prefix(SCREENSHOT_URI)?;
    let (reference, is_full) = rest.strip_suffix(FULL_SIZE).map_or((rest, false), |reference| (reference, true));
    Some(SingleImageRequest { reference: parse_reference(reference, "screenshotRef").ok()?, is_full })
}

/// Reads the image and its metadata.
pub(super) async fn read_screenshot<R: HistoryHandler>(
    context: &ReadContext<'_, R>,
    uri: &str,
    request: SingleImageRequest,
) -> Result<ReadResourceResult, ErrorData> {
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

#[cfg(test)]
mod tests {
    use super::{note_path, timeline_id};

    #[test]
    fn a_timeline_has_exactly_one_uri() {
        assert_eq!(timeline_id("manictime://timelines/12"), Some(12));
        for uri in
            ["manictime://timelines/+12", "manictime://timelines/012", "manictime://timelines/", "manictime://x/1"]
        {
            assert_eq!(timeline_id(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_note_uri_contains_a_path() {
        assert_eq!(note_path("note://file/2024-12-10-kickoff.md").as_deref(), Some("2024-12-10-kickoff.md"));
        assert_eq!(note_path("note://file/clients/a%20b%C3%A9.md").as_deref(), Some("clients/a bé.md"));
        for uri in ["note://file/", "note://today", "note://file/%FF"] {
            assert_eq!(note_path(uri), None, "{uri}");
        }
    }
}
