//! Tests invalid references and files. Each must cause a clear error, no file may be written, and the server must keep
//! running.

use std::fs;

use serde_json::json;

use super::{one_screenshot, part, the_reference};
use crate::cli::program::folder_hash;
use crate::mcp::session::Session;

#[tokio::test(flavor = "multi_thread")]
async fn invalid_references_are_rejected_by_every_tool() {
    let (dir, _store) = one_screenshot();
    let before = folder_hash(dir.path());
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let flipped = format!("{}{}", &reference[..reference.len() - 1], if reference.ends_with('A') { 'B' } else { 'A' });
    let texts = [
        "",
        "..",
        "../../ManicTimeReports.db",
        "/etc/passwd",
        "C:\\Windows\\win.ini",
        "2025-01-15/2025-01-15_09-10-00_01-00_320_320_1_0.jpg",
        "s\u{0}",
        "ütf",
        &flipped,
        &reference[1..],
        &"A".repeat(100_000),
    ];
    for text in texts {
        for tool in ["get_screenshot", "crop_screenshot", "save_screenshot"] {
            let mut arguments = json!({"screenshotRef": text});
            if tool == "crop_screenshot" {
                arguments = part(text, [0.0, 0.0, 10.0, 10.0], "percent");
            }
            let refusal = session.refusal(tool, arguments).await;
            let code = refusal["code"].as_str().unwrap();
            let allowed = ["INVALID_REFERENCE", "SCREENSHOT_NOT_FOUND", "ARGUMENTS_TOO_LONG"];
            assert!(allowed.contains(&code), "{tool} {text:.40}: {refusal}");
        }
    }
    the_reference(&session).await;
    session.end().await;
    assert_eq!(folder_hash(dir.path()), before);
}

#[cfg(unix)] // on Windows, creating links needs special rights
#[tokio::test(flavor = "multi_thread")]
async fn links_and_device_files_are_not_screenshots() {
    use std::os::unix::fs::symlink;
    let (dir, store) = one_screenshot();
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.jpg");
    fs::copy(store.path("2025-01-15 09:10:00", 1, "jpg"), &secret).unwrap();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let path = store.path("2025-01-15 09:10:00", 1, "jpg");
    let thumbnail = store.path("2025-01-15 09:10:00", 1, "thumbnail.jpg");
    fs::remove_file(&thumbnail).unwrap();
    for target in [secret.as_path(), "/dev/zero".as_ref(), "/dev/stdin".as_ref()] {
        fs::remove_file(&path).unwrap();
        symlink(target, &path).unwrap();
        let refusal = session.refusal("get_screenshot", json!({"screenshotRef": reference})).await;
        assert_eq!(refusal["code"], "SCREENSHOT_NOT_FOUND", "{}", target.display());
        let list = session.answer("list_screenshots", json!({"startDate": crate::mcp::screenshots::DAY})).await;
        assert_eq!(list["screenshotsInRange"], 0, "{}", target.display());
    }
    // A day's folder is ignored if it is a link that leads out of the store.
    let day = outside.path().join("2025-01-18");
    fs::create_dir(&day).unwrap();
    fs::copy(&secret, day.join("2025-01-18_09-10-00_01-00_320_320_9_0.jpg")).unwrap();
    symlink(&day, dir.path().join("Screenshots/2025-01-18")).unwrap();
    let list = session.answer("list_screenshots", json!({"startDate": "2025-01-18"})).await;
    assert_eq!(list["screenshotsInRange"], 0);
    session.end().await;
}

/// Returns a PNG of a few bytes, whose header claims 60,000 x 60,000 pixels.
fn bomb() -> Vec<u8> {
    let header = [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 8, 2, 0, 0, 0];
    let chunks: [(&[u8], &[u8]); 3] = [(b"IHDR", &header), (b"IDAT", b"\x78\x9c\x03\0\0\0\0\x01"), (b"IEND", b"")];
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in chunks {
        bytes.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        let marked = [kind, content].concat();
        bytes.extend(&marked);
        bytes.extend(crc32fast::hash(&marked).to_be_bytes());
    }
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_images_have_distinct_errors() {
    let (dir, store) = one_screenshot();
    let whole = fs::read(store.path("2025-01-15 09:10:00", 1, "jpg")).unwrap();
    let cases: [(&str, &[u8]); 5] = [
        ("SCREENSHOT_EMPTY", b""),
        ("SCREENSHOT_NOT_AN_IMAGE", b"GIF89a and more that is not a screenshot"),
        ("SCREENSHOT_NOT_AN_IMAGE", b"<html><script>alert(1)</script></html>"),
        ("SCREENSHOT_INCOMPLETE", &whole[..whole.len() / 2]),
        ("SCREENSHOT_TOO_LARGE", &bomb()),
    ];
    let session = Session::start_default(dir.path()).await;
    for (at, (code, bytes)) in (2_u32..).zip(cases) {
        let day = format!("2025-02-{at:02}");
        store.put(&format!("{day} 09:00:00"), at, bytes);
        let reference = super::references(&session, &day).await.remove(0);
        for (tool, arguments) in [
            ("get_screenshot", json!({"screenshotRef": reference})),
            ("crop_screenshot", part(&reference, [0.0, 0.0, 10.0, 10.0], "percent")),
        ] {
            let refusal = session.refusal(tool, arguments).await;
            assert_eq!(refusal["code"], code, "{tool}: {refusal}");
        }
    }
    let reference = the_reference(&session).await;
    session.answer("get_screenshot", json!({"screenshotRef": reference})).await;
    session.end().await;
}

/// During the calls, the file is repeatedly deleted and written.
#[tokio::test(flavor = "multi_thread")]
async fn screenshot_that_is_rewritten_is_complete_or_an_error() {
    let (dir, store) = one_screenshot();
    let path = store.path("2025-01-15 09:10:00", 1, "jpg");
    let whole = fs::read(&path).unwrap();
    let session = Session::start_default(dir.path()).await;
    let reference = the_reference(&session).await;
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let writer = std::thread::spawn({
        let (stop, path, whole) = (stop.clone(), path.clone(), whole.clone());
        move || {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = fs::remove_file(&path);
                fs::write(&path, &whole[..whole.len() / 3]).unwrap();
                fs::write(&path, &whole).unwrap();
            }
        }
    });
    for _ in 0..30 {
        match session.outcome("crop_screenshot", part(&reference, [0.0, 0.0, 100.0, 100.0], "percent")).await {
            Ok(response) => assert_eq!(response["crop"]["width"], super::store::SIDE),
            Err(error) => assert!(error["code"].as_str().unwrap().starts_with("SCREENSHOT_"), "{error}"),
        }
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    writer.join().unwrap();
    session.answer("get_screenshot", json!({"screenshotRef": reference})).await;
    session.end().await;
}
