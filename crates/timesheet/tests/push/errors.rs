//! Tests of errors that the trackers report, and of missing settings.

use dayledger_timesheet::push::{ApiToken, Options, PushSettings, PushTracker};
use serde_json::json;

use super::server::{ServerFailure, TOKEN};
use super::{Harness, TRACKERS, day_of_work, logged_hours};

#[tokio::test]
async fn refused_requests_have_a_reason_and_a_hint() {
    for tracker in TRACKERS {
        let key = tracker.key();
        let variable = tracker.token_variable();
        for (status, why, hint) in [
            (401, "it does not accept the token", format!("set `{variable}` to a valid token")),
            (403, "it does not allow the request", format!("check the permissions of the token's user in {tracker}")),
            (
                404,
                "it does not find the address of its API, the account or the request",
                format!("check the address and the account in `[timesheet.push.{key}]`"),
            ),
            (301, "it answers with the status 301", format!("check the address in `[timesheet.push.{key}]`")),
        ] {
            let harness = Harness::start(tracker).await;
            harness.server.change_settings(|settings| settings.refusal = Some(status));
            let message = format!("cannot push to {tracker}: {why}: Refused for this test");
            assert_eq!(harness.expect_error(&day_of_work(), &message).await, hint);
            assert_eq!(harness.server.count(""), 1, "it isn't tried again");
        }
    }
}

#[tokio::test]
async fn refused_row_is_named_and_can_be_pushed_later() {
    for (tracker, message, shown) in [
        (PushTracker::Harvest, "The timesheet is closed", "The timesheet is closed"),
        (PushTracker::Kimai, "This period is locked.", "begin: This period is locked."),
    ] {
        let harness = Harness::start(tracker).await;
        harness.server.change_settings(|settings| settings.locked = Some(("2025-10-20", message)));
        let why = format!("cannot push to {tracker}: it refuses `NORTHWIND / Bills` on 2025-10-20: {shown}");
        let hint = harness.expect_error(&day_of_work(), &why).await;
        assert_eq!(hint, format!("correct the entry, or the rules of {tracker} for its day, then push again"));
        harness.server.change_settings(|settings| settings.locked = None);
        assert_eq!(harness.push_all(&day_of_work()).await.created.len(), 3);
        assert!(harness.server.waits().is_empty(), "a refused row certainly did not arrive");
    }
}

#[tokio::test]
async fn row_at_the_time_of_another_entry_is_refused_by_kimai() {
    let harness = Harness::start(PushTracker::Kimai).await;
    harness.server.change_settings(|settings| settings.refuses_overlaps = true);
    harness.push_all(&day_of_work()).await;
    let why = "cannot push to Kimai: it refuses `HARBOUR / Stock` on 2025-10-20: begin: You already have an entry for \
               this time.";
    harness.expect_error(&[logged_hours(7, "HARBOUR", "Stock", "09:30:00", "1")], why).await;
}

/// By default, Kimai lets only users with more permissions set whether hours are billable.
#[tokio::test]
async fn missing_permission_of_kimai_is_named() {
    let harness = Harness::start(PushTracker::Kimai).await;
    harness.server.change_settings(|settings| settings.forbids_billable = true);
    let why = "cannot push to Kimai: it does not let your user set `billable` of `NORTHWIND / Bills` on 2025-10-20: This \
               form should not contain extra fields.";
    let hint = harness.expect_error(&day_of_work(), why).await;
    let permission = "the permission `edit_billable_own_timesheet`";
    assert_eq!(hint, format!("ask an administrator of Kimai for {permission}, then push again"));
    harness.server.change_settings(|settings| settings.forbids_billable = false);
    assert_eq!(harness.push_all(&day_of_work()).await.created.len(), 3);
}

/// If the token weren't redacted, the terminal would show it.
#[tokio::test]
async fn token_that_the_tracker_repeats_is_redacted() {
    let harness = Harness::start(PushTracker::Kimai).await;
    harness.server.fail_next(ServerFailure::Echo);
    let error = harness.push(&day_of_work()).await.error.unwrap();
    assert!(error.message.ends_with("it does not accept the token: Token (token) (t.(token)) is revoked"), "{error}");
    assert!(!error.message.contains(&TOKEN[5..15]));
}

#[tokio::test]
async fn task_that_the_tracker_lacks_stops_the_push_before_the_first_row() {
    for tracker in TRACKERS {
        let harness = Harness::start(tracker).await;
        let entries = [
            logged_hours(1, "NORTHWIND", "Bills", "09:00:00", "1"),
            logged_hours(2, "HARBOUR", "Forecast", "11:00:00", "1"),
        ];
        let why = format!(
            "cannot push to {tracker}: it does not have exactly one task of yours for `Harbour Foods / Stock / Forecast`"
        );
        let hint = harness.expect_error(&entries, &why).await;
        assert_eq!(hint, format!("correct the names in `[timesheet.export]`, or the tasks in {tracker}"));
        assert_eq!(harness.creations(), 0);
    }
}

#[tokio::test]
async fn harvest_account_with_start_and_end_is_refused() {
    let harness = Harness::start(PushTracker::Harvest).await;
    harness.server.change_settings(|settings| settings.tracks_times = true);
    let why = "cannot push to Harvest: the account tracks time by start and end, and dayledger sends durations";
    let hint = harness.expect_error(&day_of_work(), why).await;
    assert_eq!((hint.as_str(), harness.creations()), ("change the settings of the account in Harvest", 0));
}

#[tokio::test]
async fn server_that_is_not_running_is_reported() {
    let harness = Harness::start(PushTracker::Kimai).await;
    let settings: PushSettings = serde_json::from_value(json!({"kimai": {"url": "http://127.0.0.1:9"}})).unwrap();
    let rows = harness.rows(&day_of_work());
    let pushed = super::push_rows(&settings, PushTracker::Kimai, &harness.store, &harness.server.clock(), &rows).await;
    let error = pushed.error.unwrap();
    assert_eq!(error.message, "cannot push to Kimai: http://127.0.0.1:9/ cannot be reached");
    assert!(harness.server.waits().is_empty());
}

/// Rows were sent twice if the address was written with a slash or with the default port.
#[test]
fn each_spelling_of_an_address_is_the_same_account() {
    let account = |url: &str| super::settings(url).account(PushTracker::Kimai).unwrap();
    for url in
        ["https://KIMAI.example.com/time", "https://kimai.example.com:443/time/", "https://kimai.example.com/time//"]
    {
        assert_eq!(account(url), "kimai https://kimai.example.com/time");
    }
    assert_eq!(account("https://kimai.example.com"), account("https://kimai.example.com/"));
    assert_ne!(account("https://kimai.example.com"), account("https://kimai.example.com:8443"));
}

#[test]
fn missing_settings_are_named() {
    let token = || ApiToken::new(PushTracker::Harvest, TOKEN, "`x`").unwrap();
    let connect = |settings: serde_json::Value, tracker| {
        let settings: PushSettings = serde_json::from_value(settings).unwrap();
        settings.connect(tracker, token(), Options::default()).map(|_| ()).unwrap_err()
    };
    for (settings, tracker, message) in [
        (json!({}), PushTracker::Harvest, "cannot push to Harvest: `account` is not set in `[timesheet.push.harvest]`"),
        (
            json!({"harvest": {"account": "me@example.com"}}),
            PushTracker::Harvest,
            "cannot push to Harvest: `account` is not set in `[timesheet.push.harvest]`",
        ),
        (json!({}), PushTracker::Kimai, "cannot push to Kimai: `url` is not set in `[timesheet.push.kimai]`"),
    ] {
        assert_eq!(connect(settings, tracker).message, message);
    }
    let insecure = json!({"kimai": {"url": "http://kimai.example.com"}});
    let error = serde_json::from_value::<PushSettings>(insecure).unwrap_err();
    assert!(error.to_string().starts_with("not secure: use `https`"), "{error}");
}
