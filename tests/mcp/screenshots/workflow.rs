//! Tests the steps of an assistant from the list of screenshots to a saved file: list, get, crop, save.

use std::path::Path;

use rmcp::model::{ContentBlock, Role};
use serde_json::{Value, json};

use super::store::{FIELD, Store, colour};
use super::{DAY, is_like, one_screenshot, part, pictures};
use crate::cli::program::Home;
use crate::histories::small;
use crate::mcp::session::{Session, VERSIONS};

#[tokio::test(flavor = "multi_thread")]
async fn reference_works_for_list_get_crop_and_save() {
    let (dir, _store) = one_screenshot();
    let allowed = tempfile::tempdir().unwrap();
    let written = allowed.path();
    for version in VERSIONS {
        let flags = ["--allow-write", written.to_str().unwrap()];
        let session = Session::start_in_home(Home::new(), dir.path(), version.clone(), &flags).await;
        let list = session.answer("list_screenshots", json!({"startDate": DAY})).await;
        let reference = list["screenshots"][0]["screenshotRef"].as_str().unwrap().to_owned();
        let seen = pictures(&session.call("get_screenshot", json!({"screenshotRef": reference})).await);
        assert!(seen[0].1.contains(&Role::Assistant));
        let arguments = part(&reference, [50.0, 25.0, 25.0, 25.0], "percent");
        let cut = pictures(&session.call("crop_screenshot", arguments).await);
        assert_eq!(cut[0].0.dimensions(), (FIELD, FIELD));
        let name = format!("{version}/field.png");
        let saved = session
            .answer(
                "save_screenshot",
                json!({"screenshotRef": reference, "outputPath": name, "cropX": 50, "cropY": 25, "cropWidth": 25,
                    "cropHeight": 25}),
            )
            .await;
        let path = written.join(name);
        assert_eq!(Path::new(saved["path"].as_str().unwrap()), path);
        assert_eq!(saved["size"], std::fs::metadata(&path).unwrap().len());
        let kept = image::open(&path).unwrap().to_rgb8();
        assert_eq!(kept.dimensions(), (FIELD, FIELD));
        assert!(kept.pixels().all(|pixel| is_like(pixel.0, colour(2, 1))));
        session.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn list_links_each_screenshot_with_its_local_time() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let result = session.call("list_screenshots", json!({"startDate": DAY})).await;
    assert_eq!(result.content.len(), 2);
    let ContentBlock::ResourceLink(link) = &result.content[1] else { panic!("a link: {:?}", result.content[1]) };
    let answer = result.structured_content.unwrap();
    assert_eq!(link.name, "Screenshot 2025-01-15 09:10:00");
    assert_eq!(json!(link.uri), answer["screenshots"][0]["resourceUri"]);
    assert_eq!(link.annotations.clone().unwrap().audience.unwrap(), [Role::User]);
    session.end().await;
}

/// The worked example has five segments. The screenshots at 09:10 and 09:12 are in the first segment. The screenshot at
/// 09:31:30 is in the second segment, and the screenshot at 09:47 is in the fifth segment.
#[tokio::test(flavor = "multi_thread")]
async fn each_segment_has_one_screenshot() {
    let dir = small::folder();
    let session = Session::start_default(dir.path()).await;
    let list = session.answer("list_screenshots", json!({"startDate": DAY})).await;
    assert_eq!(list["sampling"], "activity_transition");
    assert_eq!((&list["screenshotsInRange"], &list["truncation"]["totalAvailable"]), (&json!(4), &json!(3)));
    let times = |list: &Value| -> Vec<String> {
        let rows = list["screenshots"].as_array().unwrap().iter();
        rows.map(|row| row["displayLocalTime"].as_str().unwrap()[11..].to_owned()).collect()
    };
    assert_eq!(times(&list), ["09:10:00", "09:31:30", "09:47:00"]);
    let narrative = session.answer("get_activity_narrative", json!({"startDate": DAY})).await;
    let carried: Vec<_> =
        narrative["segments"].as_array().unwrap().iter().filter_map(|row| row.get("screenshotRef")).collect();
    let listed: Vec<_> = list["screenshots"].as_array().unwrap().iter().map(|row| &row["screenshotRef"]).collect();
    assert_eq!(carried, listed);
    let suggested = narrative["suggestedScreenshots"].as_array().unwrap();
    assert!(suggested.iter().all(|suggestion| listed.contains(&&suggestion["screenshotRef"])), "{suggested:?}");
    assert_eq!(suggested[0]["reason"], "long_segment");
    let all = json!({"startDate": DAY, "samplingStrategy": "interval"});
    let all = session.answer("list_screenshots", all).await;
    assert_eq!(times(&all), ["09:10:00", "09:12:00", "09:31:30", "09:47:00"]);
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn limit_of_screenshots_samples_the_day_evenly_and_keeps_its_end() {
    let dir = small::folder_without_screenshots();
    let store = Store::in_history_folder(dir.path());
    for minute in 0..50 {
        store.put(&format!("2025-01-15 09:{minute:02}:00"), minute, b"");
    }
    let session = Session::start_default(dir.path()).await;
    let call = json!({"startDate": DAY, "samplingStrategy": "interval", "maxCount": 5});
    let list = session.answer("list_screenshots", call).await;
    assert_eq!(
        list["truncation"],
        json!({"truncated": true, "returnedCount": 5, "totalAvailable": 50, "limitedBy": "maxCount"})
    );
    let rows = list["screenshots"].as_array().unwrap();
    let minutes: Vec<i64> =
        rows.iter().map(|row| row["displayLocalTime"].as_str().unwrap()[14..16].parse().unwrap()).collect();
    assert_eq!((minutes[0], minutes[4]), (0, 49));
    assert!(minutes.windows(2).all(|pair| (10..=15).contains(&(pair[1] - pair[0]))), "{minutes:?}");
    let every = json!({"startDate": DAY, "samplingStrategy": "interval", "intervalMinutes": 20});
    let every = session.answer("list_screenshots", every).await;
    assert_eq!(every["screenshots"].as_array().unwrap().len(), 3);
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshots_without_activities_are_sampled_by_time() {
    let (dir, store) = one_screenshot();
    store.add("2025-03-01 12:00:00", 7);
    let session = Session::start_default(dir.path()).await;
    let list = session.answer("list_screenshots", json!({"startDate": "2025-03-01"})).await;
    assert_eq!((&list["sampling"], list["screenshots"].as_array().unwrap().len()), (&json!("interval"), 1));
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshots_of_the_same_time_have_stable_references() {
    let (dir, store) = one_screenshot();
    store.add("2025-01-15 09:10:00", 2);
    let session = Session::start_default(dir.path()).await;
    let call = json!({"startDate": DAY, "samplingStrategy": "interval"});
    let before = session.answer("list_screenshots", call.clone()).await;
    session.end().await;
    let session = Session::start_default(dir.path()).await;
    let after = session.answer("list_screenshots", call).await;
    assert_eq!(before, after, "references are those of the first process");
    let [first, second] = before["screenshots"].as_array().unwrap().as_slice() else { panic!("two: {before}") };
    assert_ne!(first["screenshotRef"], second["screenshotRef"]);
    assert_eq!(first["displayLocalTime"], second["displayLocalTime"]);
    session.end().await;
}
