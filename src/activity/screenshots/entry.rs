//! One screenshot in a response.

use chrono::{SecondsFormat, TimeZone};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::request::format_iso;
use crate::screenshots::Screenshot;

/// A screenshot without its pixels (contract, `list_screenshots`).
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotEntry {
    /// Opaque; what `get_screenshot`, `crop_screenshot` and `save_screenshot` take. Never changes.
    pub screenshot_ref: String,
    /// When it was taken, ISO 8601: local time with its offset, without one where the file's name tells none.
    pub timestamp: String,
    /// The same for a person, local: `2025-01-15 10:30:45`.
    pub display_local_time: String,
    /// Width of the full image in pixels; absent for names before 2018.
    pub width: Option<u32>,
    /// Height of the full image in pixels; absent for names before 2018.
    pub height: Option<u32>,
    /// The last number of the file's name, as it stands: 0 or 1.
    pub monitor: Option<u32>,
    /// Whether there is a small picture of it.
    pub has_thumbnail: bool,
    /// `false` where only the small picture is left; absent otherwise.
    pub has_full_image: Option<bool>,
    /// The resource that holds it.
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

    /// The name that a link to it has (contract, `list_screenshots`).
    pub fn title(&self) -> String {
        format!("Screenshot {}", self.display_local_time)
    }
}

/// The address of the resource that holds a screenshot, up to its reference.
pub const SCREENSHOT_URI: &str = "manictime://screenshot/";
