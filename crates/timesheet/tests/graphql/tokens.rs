//! Tests of authentication. Each operation uses the current login of the Azure CLI.
#![cfg(unix)] // a shell script replaces Azure's `az`

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use dayledger_timesheet::graphql::{AzureCli, TokenSource as _};
use dayledger_timesheet::{Code, EntryQuery, GraphQl, IdempotencyKey, LocalStore, OverlapPolicy, Timesheet};
use tempfile::TempDir;

use super::{ACL, entry, expect_refusal, options, start};
use crate::simulator::{Api, ApiFailure, Caller};

/// Installs a fake `az` in the folder. The fake runs this script.
fn install_fake_az(folder: &TempDir, script: &str) {
    let path = folder.path().join("az");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
}

fn login_script(caller: &Caller) -> String {
    print_script(&caller.token())
}

fn print_script(token: &str) -> String {
    format!(
        r#"[ "$*" = "account get-access-token -o json --scope api://app/.default" ] || exit 2
echo '{{"accessToken":"{token}","expires_on":4102444800,"tokenType":"Bearer"}}'"#
    )
}

/// See docs/spec/timesheet.md#authentication.
#[tokio::test]
async fn new_login_applies_immediately_and_a_missing_one_has_a_hint() {
    let (api, folder) = (Api::start().await, TempDir::new().unwrap());
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    let tokens = AzureCli::new("api://app/.default").with_search_path(folder.path());
    let timesheet = GraphQl::new(api.url().parse().unwrap(), tokens, store, options(Duration::from_secs(20))).unwrap();
    let ask = async || timesheet.query(&EntryQuery::default()).await;

    let missing = expect_refusal(ask().await, Code::AuthenticationError);
    install_fake_az(&folder, "echo 'ERROR: anna@example.com: Please run az login' >&2; exit 1");
    let failing = expect_refusal(ask().await, Code::AuthenticationError);
    assert_ne!(missing.message, failing.message);
    for refusal in [&missing, &failing] {
        assert!(refusal.message.contains("`az login`"), "{refusal}");
        assert!(!refusal.message.contains("anna"), "{refusal}");
    }
    assert_eq!(api.requests(), []);

    install_fake_az(&folder, &login_script(&Caller::new("anna", &ACL)));
    ask().await.unwrap();
    install_fake_az(&folder, &login_script(&Caller::new("ben", &ACL)));
    ask().await.unwrap();
    let callers: Vec<_> = api.requests().into_iter().map(|request| request.caller).collect();
    assert_eq!(callers, [Some("anna".to_owned()), Some("ben".to_owned())]);

    // The claims of a user whom the API doesn't know: {"oid":"nobody"}.
    install_fake_az(&folder, &print_script("e30.eyJvaWQiOiJub2JvZHkifQ.here"));
    let stranger = expect_refusal(ask().await, Code::AuthenticationError);
    assert!(stranger.message.contains("az login"), "{stranger}");
    let key = IdempotencyKey::new();
    expect_refusal(
        timesheet.log(key, entry("INTERNAL", "Testing", "1"), OverlapPolicy::Allowed).await,
        Code::AuthenticationError,
    );
    assert!(timesheet.store().pending_attempts().await.unwrap().is_empty());
}

/// If a token that isn't a JWT were accepted, the entries of all users would count as the user's own.
#[tokio::test]
async fn a_token_that_is_not_a_jwt_is_refused_before_anything_is_sent() {
    let (api, folder) = (Api::start().await, TempDir::new().unwrap());
    let store = LocalStore::open(&folder.path().join("timesheet.db")).unwrap();
    let tokens = AzureCli::new("api://app/.default").with_search_path(folder.path());
    let timesheet = GraphQl::new(api.url().parse().unwrap(), tokens, store, options(Duration::from_secs(20))).unwrap();
    for token in ["opaque", "an.opaque.token", "e30.e30.here"] {
        install_fake_az(&folder, &print_script(token));
        let query = expect_refusal(timesheet.query(&EntryQuery::default()).await, Code::AuthenticationError);
        let key = IdempotencyKey::new();
        let log = timesheet.log(key, entry("INTERNAL", "Testing", "1"), OverlapPolicy::Refused).await;
        let log = expect_refusal(log, Code::AuthenticationError);
        for refusal in [query, log] {
            assert!(refusal.message.contains("not a JWT") && !refusal.message.contains(token), "{refusal}");
            assert_eq!(refusal.field.as_deref(), Some("scope"));
        }
    }
    assert_eq!(api.requests(), []);
    assert!(timesheet.store().pending_attempts().await.unwrap().is_empty());
}

/// If the token weren't redacted, the terminal and the result of the tool would show it.
#[tokio::test]
async fn a_token_that_the_api_repeats_is_redacted() {
    let harness = start().await;
    let token = Caller::new("user-u", &ACL).token();
    harness.api.fail_next("TimeEntries", ApiFailure::Echo);
    let refusal = expect_refusal(harness.timesheet.query(&EntryQuery::default()).await, Code::AuthenticationError);
    assert!(refusal.message.starts_with("IDX10503: 'Bearer (token)' ---"), "{refusal}");
    for part in token.split('.').filter(|part| part.len() > 3) {
        assert!(!refusal.message.contains(&part[..part.len().min(16)]), "{refusal}");
    }
}

/// Without this timeout, the tool call would time out first, with the misleading advice to use a shorter range.
#[tokio::test(start_paused = true)]
async fn an_azure_cli_that_hangs_is_reported_within_half_a_minute() {
    let folder = TempDir::new().unwrap();
    install_fake_az(&folder, "exec /bin/sleep 1000");
    let tokens = AzureCli::new("api://app/.default").with_search_path(folder.path());
    let begun = tokio::time::Instant::now();
    let refusal = tokens.token().await.unwrap_err();
    assert_eq!(refusal.code, Code::AuthenticationError);
    assert!(refusal.message.contains("did not respond within 30 seconds"), "{refusal}");
    assert!(begun.elapsed() < Duration::from_secs(31), "{:?}", begun.elapsed());
}

/// A second user can't see the entries of the first user, and must not log these entries again.
#[tokio::test]
async fn attempt_of_one_user_is_not_resent_as_another() {
    let harness = start().await;
    let entry = || entry("INTERNAL", "Testing", "1");
    harness.timesheet.log(IdempotencyKey::new(), entry(), OverlapPolicy::Allowed).await.unwrap();
    let open = IdempotencyKey::new();
    harness.api.fail_next("LogTime", ApiFailure::Silence);
    let harness_for_a_while = super::open(&harness.api, &harness.user, &harness.folder, super::short_timeouts());
    expect_refusal(harness_for_a_while.log(open, entry(), OverlapPolicy::Allowed).await, Code::NetworkError);
    harness.user.switch(Caller::new("ben", &ACL));
    let refusal =
        expect_refusal(harness.timesheet.log(open, entry(), OverlapPolicy::Allowed).await, Code::AuthenticationError);
    assert!(refusal.message.contains("Another user"), "{refusal}");
    assert_eq!(harness.api.entries().len(), 1);
    harness.user.switch(Caller::new("user-u", &ACL));
    harness.timesheet.log(open, entry(), OverlapPolicy::Allowed).await.unwrap();
    assert_eq!(harness.api.entries().len(), 2);
}
