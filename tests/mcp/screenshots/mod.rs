//! Tests screenshots as a client uses them: the list, images, crops, copies, and the reasons for missing screenshots.

mod absence;
mod contents;
mod hostile;
mod resource;
mod saving;
pub(crate) mod store;
mod workflow;

use base64::{Engine, prelude::BASE64_STANDARD};
use image::RgbImage;
use rmcp::model::{CallToolResult, ContentBlock, Role};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::session::Session;
use crate::histories::small;
use store::Store;

/// The day on which the screenshots of the small history were taken.
const DAY: &str = "2025-01-15";

/// Returns the small history, with one screenshot in its first segment.
fn one_screenshot() -> (TempDir, Store) {
    let dir = small::folder_without_screenshots();
    let store = Store::in_history_folder(dir.path());
    store.add("2025-01-15 09:10:00", 1);
    (dir, store)
}

/// Returns the references in the list of a day's screenshots.
async fn references(session: &Session, day: &str) -> Vec<String> {
    let list = session.answer("list_screenshots", json!({"startDate": day, "maxCount": 100})).await;
    let screenshots = list["screenshots"].as_array().unwrap();
    screenshots.iter().map(|screenshot| screenshot["screenshotRef"].as_str().unwrap().to_owned()).collect()
}

/// Returns the reference of the only screenshot of the day.
async fn the_reference(session: &Session) -> String {
    let mut references = references(session, DAY).await;
    assert_eq!(references.len(), 1);
    references.remove(0)
}

/// Returns the decoded images of a result, each with its audience.
fn pictures(result: &CallToolResult) -> Vec<(RgbImage, Vec<Role>)> {
    let decoded = result.content.iter().filter_map(|block| match block {
        ContentBlock::Image(image) => {
            let bytes = BASE64_STANDARD.decode(&image.data).unwrap();
            let decoded = image::load_from_memory(&bytes).unwrap().to_rgb8();
            Some((decoded, image.annotations.clone().unwrap().audience.unwrap()))
        }
        _ => None,
    });
    decoded.collect()
}

/// Returns the arguments for a crop of the only screenshot.
fn part(reference: &str, [x, y, width, height]: [f64; 4], units: &str) -> Value {
    json!({"screenshotRef": reference, "x": x, "y": y, "width": width, "height": height, "coordinateUnits": units})
}

/// Whether a pixel has this colour, within the precision of JPEG.
fn is_like(pixel: [u8; 3], colour: [u8; 3]) -> bool {
    pixel.iter().zip(colour).all(|(one, other)| one.abs_diff(other) <= 12)
}
