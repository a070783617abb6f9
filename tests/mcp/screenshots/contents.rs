//! Tests the images of `get_screenshot` and `crop_screenshot`: content, audience and size.

use rmcp::model::{ContentBlock, Role};
use serde_json::{Value, json};

use super::store::{FIELD, SIDE, THUMBNAIL, colour};
use super::{is_like, one_screenshot, part, pictures, the_reference};
use crate::mcp::session::Session;

const BOTH: [Role; 2] = [Role::User, Role::Assistant];

#[tokio::test(flavor = "multi_thread")]
async fn the_model_sees_the_thumbnail_and_the_user_the_full_image() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let result = session.call("get_screenshot", json!({"screenshotRef": reference})).await;
    let images = pictures(&result);
    assert_eq!(images.len(), 2);
    assert_eq!((images[0].0.dimensions(), images[0].1.as_slice()), ((THUMBNAIL, THUMBNAIL), BOTH.as_slice()));
    assert_eq!((images[1].0.dimensions(), images[1].1.as_slice()), ((SIDE, SIDE), [Role::User].as_slice()));
    let priority = |at: usize| match &result.content[at] {
        ContentBlock::Image(image) => image.annotations.clone().unwrap().priority.unwrap(),
        other => panic!("{other:?}"),
    };
    assert!(priority(1) > priority(2), "the image for both has the highest priority");
    let response = session.answer("get_screenshot", json!({"screenshotRef": reference})).await;
    assert_eq!(response["displayLocalTime"], "2025-01-15 09:10:00");
    assert_eq!(response["timestamp"], "2025-01-15T09:10:00+01:00");
    assert_eq!(response["images"][0], json!({"shows": "thumbnail", "width": THUMBNAIL, "height": THUMBNAIL}));
    assert_eq!(response["images"][1]["shows"], "full_image");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_thumbnail_is_replaced_by_the_full_image() {
    let (dir, store) = one_screenshot();
    store.add_image("2025-01-16 09:00:00", 2);
    let session = Session::start_default(dir.path()).await;
    let reference = super::references(&session, "2025-01-16").await.remove(0);
    let result = session.call("get_screenshot", json!({"screenshotRef": reference})).await;
    let images = pictures(&result);
    assert_eq!(images.len(), 1);
    assert_eq!((images[0].0.dimensions(), images[0].1.as_slice()), ((SIDE, SIDE), BOTH.as_slice()));
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn thumbnail_without_a_full_image_is_sent_to_both_and_cannot_be_cropped() {
    let (dir, store) = one_screenshot();
    store.add_thumbnail("2025-01-16 09:00:00", 2);
    let session = Session::start_default(dir.path()).await;
    let reference = super::references(&session, "2025-01-16").await.remove(0);
    let result = session.call("get_screenshot", json!({"screenshotRef": reference})).await;
    assert_eq!(
        pictures(&result).iter().map(|image| image.0.dimensions()).collect::<Vec<_>>(),
        [(THUMBNAIL, THUMBNAIL)]
    );
    let list = session.answer("list_screenshots", json!({"startDate": "2025-01-16"})).await;
    assert_eq!(list["screenshots"][0]["hasFullImage"], false);
    let refusal = session.refusal("crop_screenshot", part(&reference, [0.0, 0.0, 50.0, 50.0], "percent")).await;
    assert_eq!(refusal["code"], "SCREENSHOT_MISSING");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn width_applies_to_the_image_of_the_model_only() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let sizes = async |arguments: Value| {
        let result = session.call("get_screenshot", arguments).await;
        pictures(&result).iter().map(|image| image.0.width()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(json!({"screenshotRef": reference, "modelWidth": 160})).await, [160, SIDE]);
    // Images are never enlarged.
    assert_eq!(sizes(json!({"screenshotRef": reference, "modelWidth": 4000})).await, [SIDE]);
    let too_narrow = session.refusal("get_screenshot", json!({"screenshotRef": reference, "modelWidth": 1})).await;
    assert_eq!((&too_narrow["code"], &too_narrow["field"]), (&json!("INVALID_NUMBER"), &json!("modelWidth")));
    let mut small = part(&reference, [0.0, 0.0, 100.0, 100.0], "percent");
    small["modelWidth"] = json!(80);
    let cropped = pictures(&session.call("crop_screenshot", small).await);
    assert_eq!(cropped.iter().map(|image| image.0.width()).collect::<Vec<_>>(), [80, SIDE]);
    session.end().await;
}

/// The crops show fields of known colours. They test both units of coordinates, the edges of the image, and regions
/// that are partly or completely outside of the image.
#[tokio::test(flavor = "multi_thread")]
async fn crop_shows_the_requested_pixels() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let field = |column: u32, row: u32| (column * FIELD, row * FIELD, FIELD, FIELD, colour(column, row));
    let last = SIDE - 1;
    let cases = [
        ([25.0, 50.0, 25.0, 25.0], field(1, 2)),
        ([0.0, 0.0, 25.0, 25.0], field(0, 0)),
        ([75.0, 75.0, 25.0, 25.0], field(3, 3)),
        // These regions are partly outside of the image, so they are clipped at its edges.
        ([-50.0, 75.0, 75.0, 100.0], field(0, 3)),
        ([75.0, -10.0, 1000.0, 35.0], field(3, 0)),
        // These regions are completely outside of the image, so the nearest pixels are shown.
        ([200.0, 0.0, 10.0, 25.0], (last, 0, 1, FIELD, colour(3, 0))),
        ([0.0, -80.0, 25.0, 10.0], (0, 0, FIELD, 1, colour(0, 0))),
        ([1e300, 1e300, 1e300, 1e300], (last, last, 1, 1, colour(3, 3))),
    ];
    for (percent, (x, y, width, height, colour)) in cases {
        for (units, edges) in [("percent", percent), ("normalized", percent.map(|edge| edge / 100.0))] {
            let arguments = part(&reference, edges, units);
            let response = session.answer("crop_screenshot", arguments.clone()).await;
            assert_eq!(response["crop"], json!({"x": x, "y": y, "width": width, "height": height}), "{arguments}");
            assert_eq!(response["fullImage"], json!({"width": SIDE, "height": SIDE}));
            let images = pictures(&session.call("crop_screenshot", arguments.clone()).await);
            assert_eq!(images.len(), 1);
            assert_eq!((images[0].0.dimensions(), images[0].1.as_slice()), ((width, height), BOTH.as_slice()));
            for pixel in images[0].0.pixels() {
                assert!(is_like(pixel.0, colour), "{arguments}: {pixel:?} is not like {colour:?}");
            }
        }
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_crop_is_rejected_with_its_parameter() {
    let (dir, _store) = one_screenshot();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    for (edges, field) in [([0.0, 0.0, 0.0, 50.0], "width"), ([0.0, 0.0, 50.0, -1.0], "height")] {
        let refusal = session.refusal("crop_screenshot", part(&reference, edges, "percent")).await;
        assert_eq!((&refusal["code"], &refusal["field"]), (&json!("INVALID_REGION"), &json!(field)));
    }
    let units = session.refusal("crop_screenshot", part(&reference, [0.0, 0.0, 1.0, 1.0], "pixels")).await;
    assert_eq!(units["allowed"], json!(["percent", "normalized"]));
    session.end().await;
}

/// Returns an image of noise, which doesn't compress.
fn noise(width: u32, height: u32) -> image::RgbImage {
    image::RgbImage::from_fn(width, height, |x, y| {
        let mixed = (x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77)).wrapping_mul(0xC2B2_AE3D);
        let [red, green, blue, _] = mixed.to_be_bytes();
        image::Rgb([red, green, blue])
    })
}

/// A response with a large screenshot used to have up to 2.7 million characters, which some clients
/// reject.
#[tokio::test(flavor = "multi_thread")]
async fn response_with_a_large_screenshot_stays_below_a_million_characters() {
    let (dir, store) = one_screenshot();
    noise(2400, 400).save(store.path("2025-01-16 09:00:00", 2, "png")).unwrap();
    let mut jpeg = Vec::new();
    noise(1200, 1000).write_with_encoder(image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 100)).unwrap();
    std::fs::write(store.path("2025-01-17 09:00:00", 3, "jpg"), jpeg).unwrap();
    let session = Session::start_default(dir.path()).await;
    for (day, width) in [("2025-01-16", 2400), ("2025-01-17", 1200)] {
        let reference = super::references(&session, day).await.remove(0);
        for (tool, arguments, full) in [
            ("get_screenshot", json!({"screenshotRef": reference}), width),
            ("crop_screenshot", part(&reference, [0.0, 0.0, 95.0, 100.0], "percent"), width * 95 / 100),
        ] {
            let result = session.call(tool, arguments).await;
            let length = serde_json::to_string(&result).unwrap().len();
            assert!(length < 1_000_000, "{day} {tool}: {length} characters");
            let picture = pictures(&result).remove(0).0;
            assert!(picture.width() <= 2000 && picture.width() < full, "{day} {tool}: {} pixels", picture.width());
            let metadata = &result.structured_content.as_ref().unwrap()["images"][0];
            let percent = (100.0 * f64::from(picture.width()) / f64::from(full)).round();
            let scale = format!("{percent}% of full resolution; for more detail, crop a smaller part");
            assert_eq!(metadata["scale"], scale, "{day} {tool}");
            let last = result.content.last().unwrap();
            assert!(matches!(last, ContentBlock::ResourceLink(_)), "{day} {tool}: the full image is linked");
        }
        let small = part(&reference, [0.0, 0.0, 10.0, 10.0], "percent");
        let metadata = session.answer("crop_screenshot", small).await;
        assert_eq!((&metadata["images"][0]["shows"], &metadata["images"][0]["scale"]), (&json!("crop"), &Value::Null));
    }
    session.end().await;
}

/// A crop of a plain, wide screen used to be shown in the response with a width of more than 2,000 pixels.
#[tokio::test(flavor = "multi_thread")]
async fn wide_crop_is_linked_and_shown_smaller() {
    let (dir, store) = one_screenshot();
    let plain = image::RgbImage::from_pixel(5000, 700, image::Rgb([40, 90, 160]));
    plain.save(store.path("2025-01-16 09:00:00", 2, "png")).unwrap();
    let session = Session::start_default(dir.path()).await;
    let reference = super::references(&session, "2025-01-16").await.remove(0);
    let result = session.call("crop_screenshot", part(&reference, [0.0, 0.0, 100.0, 3.0], "percent")).await;
    assert_eq!(pictures(&result).iter().map(|picture| picture.0.width()).collect::<Vec<_>>(), [2000]);
    assert!(matches!(result.content.last().unwrap(), ContentBlock::ResourceLink(_)), "{:?}", result.content.last());
    session.end().await;
}

/// A crop of noise used to be shown smaller than the whole image, and used only half of the allowed
/// bytes.
#[tokio::test(flavor = "multi_thread")]
async fn scaled_crop_uses_the_allowed_size() {
    let (dir, store) = one_screenshot();
    noise(2400, 1350).save(store.path("2025-01-16 09:00:00", 2, "png")).unwrap();
    let session = Session::start_default(dir.path()).await;
    let reference = super::references(&session, "2025-01-16").await.remove(0);
    for edges in [[0.0, 0.0, 100.0, 100.0], [0.0, 0.0, 95.0, 95.0], [10.0, 0.0, 60.0, 60.0]] {
        let result = session.call("crop_screenshot", part(&reference, edges, "percent")).await;
        let ContentBlock::Image(image) = &result.content[1] else { panic!("{:?}", result.content[1]) };
        let length = image.data.len();
        assert!((700_000..950_000).contains(&length), "{edges:?}: {length} characters");
    }
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_screenshot_is_linked_in_full_size_for_the_user() {
    let (dir, store) = one_screenshot();
    let noise = noise(1200, 1000);
    let path = store.path("2025-01-16 09:00:00", 2, "jpg");
    let mut bytes = Vec::new();
    noise.write_with_encoder(image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 100)).unwrap();
    assert!(bytes.len() > 1 << 20);
    std::fs::write(path, &bytes).unwrap();
    store.add_thumbnail("2025-01-16 09:00:00", 2);
    let session = Session::start_default(dir.path()).await;
    let reference = super::references(&session, "2025-01-16").await.remove(0);
    let result = session.call("get_screenshot", json!({"screenshotRef": reference})).await;
    assert_eq!(pictures(&result).len(), 1, "the thumbnail");
    let ContentBlock::ResourceLink(link) = &result.content[2] else { panic!("a link: {:?}", result.content[2]) };
    assert_eq!(link.annotations.clone().unwrap().audience.unwrap(), [Role::User]);
    let (linked, _) = super::resource::read(&session, &link.uri).await;
    assert_eq!(linked, bytes);
    session.end().await;
}
