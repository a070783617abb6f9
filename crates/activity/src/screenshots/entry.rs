//! One screenshot in a response.

use chrono::{SecondsFormat, TimeZone};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use dayledger_request::format_iso;
use dayledger_screenshots::Screenshot;

/// A screenshot without its pixels (docs/contract.md, `list_screenshots`).
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotEntry {
    /// An opaque reference that never changes. Pass it to `get_screenshot`, `crop_screenshot` or `save_screenshot`.
    pub screenshot_ref: String,
    /// When the screenshot was taken: local time in ISO 8601, with the UTC offset if the file name contains the offset.
    pub timestamp: String,
    /// The same local time in a readable form: `2025-01-15 10:30:45`.
    pub display_local_time: String,
    /// Width of the full image in pixels. Absent for file names from before 2018.
    pub width: Option<u32>,
    /// Height of the full image in pixels. Absent for file names from before 2018.
    pub height: Option<u32>,
    /// The last number of the file name: 0 or 1.
    pub monitor: Option<u32>,
    /// Whether the screenshot has a thumbnail.
    pub has_thumbnail: bool,
    /// `false` if only the thumbnail is left, otherwise absent.
    pub has_full_image: Option<bool>,
    /// URI of the screenshot's MCP resource.
    pub resource_uri: String,
}

impl ScreenshotEntry {
    pub(super) fn from_screenshot(screenshot: &Screenshot) -> Self {
        let local = format_iso(screenshot.taken_at);
        let zoned = screenshot.offset.and_then(|offset| offset.from_local_datetime(&screenshot.taken_at).single());
        Self {
            screenshot_ref: screenshot.reference.to_string(),
            timestamp: zoned.map_or_else(|| local.clone(), |zoned| zoned.to_rfc3339_opts(SecondsFormat::Secs, false)),
            display_local_time: local.replace('T', " "),
            width: screenshot.size.map(|size| size.width),
            height: screenshot.size.map(|size| size.height),
            monitor: screenshot.monitor,
            has_thumbnail: screenshot.has_thumbnail(),
            has_full_image: (!screenshot.has_image()).then_some(false),
            resource_uri: format!("{SCREENSHOT_URI}{}", screenshot.reference),
        }
    }

    /// Returns the title of a link to the screenshot (docs/contract.md, `list_screenshots`).
    pub fn title(&self) -> String {
        format!("Screenshot {}", self.display_local_time)
    }
}

/// The start of the URI of every screenshot. The reference of the screenshot follows.
pub const SCREENSHOT_URI: &str = "manictime://screenshot/";
