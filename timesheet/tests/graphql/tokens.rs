//! As whom the API is asked: whoever is logged in to the Azure CLI, at each operation anew.
#![cfg(unix)] // a script of the shell stands for Azure's `az`

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use dayledger_timesheet::graphql::{AzureCli, TokenSource as _};
use dayledger_timesheet::{Book, Code, EntryQuery, GraphQl, LocalKey, Overlaps, Timesheet};
use tempfile::TempDir;

use super::{ACL, entry, options, refused, start};
use crate::simulator::{Api, Caller, Mishap};

/// What the fake `az` says, and how it ends.
fn install(folder: &TempDir, script: &str) {
    let path = folder.path().join("az");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
}

fn logged_in(caller: &Caller) -> String {
    printing(&caller.token())
}

fn printing(token: &str) -> String {
    format!(
        r#"[ "$*" = "account get-access-token -o json --scope api://app/.default" ] || exit 2
echo '{{"accessToken":"{token}","expires_on":4102444800,"tokenType":"Bearer"}}'"#
    )
}

/// See docs/spec/timesheet.md#authentication.
#[tokio::test]
async fn another_login_holds_at_once_and_none_says_what_to_do() {
    let (api, folder) = (Api::start().await, TempDir::new().unwrap());
    let book = Book::open(&folder.path().join("book.db")).unwrap();
    let tokens = AzureCli::new("api://app/.default").searched_in(folder.path());
    let timesheet = GraphQl::new(api.url().parse().unwrap(), tokens, book, options(Duration::from_secs(20))).unwrap();
    let ask = async || timesheet.query(&EntryQuery::default()).await;

    let missing = refused(ask().await, Code::AuthenticationError);
    install(&folder, "echo 'ERROR: anna@example.com: Please run az login' >&2; exit 1");
    let failing = refused(ask().await, Code::AuthenticationError);
    assert_ne!(missing.message, failing.message);
    for refusal in [&missing, &failing] {
        assert!(refusal.message.contains("`az login`"), "{refusal}");
        assert!(!refusal.message.contains("anna"), "{refusal}");
    }
    assert_eq!(api.requests(), []);

    install(&folder, &logged_in(&Caller::new("anna", &ACL)));
    ask().await.unwrap();
    install(&folder, &logged_in(&Caller::new("ben", &ACL)));
    ask().await.unwrap();
    let callers: Vec<_> = api.requests().into_iter().map(|request| request.caller).collect();
    assert_eq!(callers, [Some("anna".to_owned()), Some("ben".to_owned())]);

    // Claims of a user whom the API doesn't know: {"oid":"nobody"}.
    install(&folder, &printing("e30.eyJvaWQiOiJub2JvZHkifQ.here"));
    let stranger = refused(ask().await, Code::AuthenticationError);
    assert!(stranger.message.contains("az login"), "{stranger}");
    let key = LocalKey::new();
    refused(timesheet.log(key, entry("INTERNAL", "Testing", "1"), Overlaps::Allowed).await, Code::AuthenticationError);
    assert!(timesheet.book().pending().await.unwrap().is_empty());
}

/// The entries of everyone counted as the user's own.
#[tokio::test]
async fn a_token_that_is_not_a_jwt_is_refused_before_anything_is_sent() {
    let (api, folder) = (Api::start().await, TempDir::new().unwrap());
    let book = Book::open(&folder.path().join("book.db")).unwrap();
    let tokens = AzureCli::new("api://app/.default").searched_in(folder.path());
    let timesheet = GraphQl::new(api.url().parse().unwrap(), tokens, book, options(Duration::from_secs(20))).unwrap();
    for token in ["opaque", "an.opaque.token", "e30.e30.here"] {
        install(&folder, &printing(token));
        let query = refused(timesheet.query(&EntryQuery::default()).await, Code::AuthenticationError);
        let key = LocalKey::new();
        let log = timesheet.log(key, entry("INTERNAL", "Testing", "1"), Overlaps::Refused).await;
        let log = refused(log, Code::AuthenticationError);
        for refusal in [query, log] {
            assert!(refusal.message.contains("not a JWT") && !refusal.message.contains(token), "{refusal}");
            assert_eq!(refusal.field.as_deref(), Some("scope"));
        }
    }
    assert_eq!(api.requests(), []);
    assert!(timesheet.book().pending().await.unwrap().is_empty());
}

/// The terminal and the model's answer showed it.
#[tokio::test]
async fn a_token_that_the_api_repeats_is_redacted() {
    let harness = start().await;
    let token = Caller::new("user-u", &ACL).token();
    harness.api.next("TimeEntries", Mishap::Echo);
    let refusal = refused(harness.timesheet.query(&EntryQuery::default()).await, Code::AuthenticationError);
    assert!(refusal.message.starts_with("IDX10503: 'Bearer (token)' ---"), "{refusal}");
    for part in token.split('.').filter(|part| part.len() > 3) {
        assert!(!refusal.message.contains(&part[..part.len().min(16)]), "{refusal}");
    }
}

/// A tool's call gave up first, and the user was told to ask for a shorter range.
#[tokio::test(start_paused = true)]
async fn an_azure_cli_that_hangs_is_reported_within_half_a_minute() {
    let folder = TempDir::new().unwrap();
    install(&folder, "exec /bin/sleep 1000");
    let tokens = AzureCli::new("api://app/.default").searched_in(folder.path());
    let begun = tokio::time::Instant::now();
    let refusal = tokens.token().await.unwrap_err();
    assert_eq!(refusal.code, Code::AuthenticationError);
    assert!(refusal.message.contains("gave no answer within 30 seconds"), "{refusal}");
    assert!(begun.elapsed() < Duration::from_secs(31), "{:?}", begun.elapsed());
}

/// Who logs in as somebody else does not see what the first has booked, and must not book it again.
#[tokio::test]
async fn what_one_user_sent_no_other_sends_again() {
    let harness = start().await;
    let entry = || entry("INTERNAL", "Testing", "1");
    harness.timesheet.log(LocalKey::new(), entry(), Overlaps::Allowed).await.unwrap();
    let open = LocalKey::new();
    harness.api.next("LogTime", Mishap::Silence);
    let harness_for_a_while = super::open(&harness.api, &harness.user, &harness.folder, super::hasty());
    refused(harness_for_a_while.log(open, entry(), Overlaps::Allowed).await, Code::NetworkError);
    harness.user.switch(Caller::new("ben", &ACL));
    let refusal = refused(harness.timesheet.log(open, entry(), Overlaps::Allowed).await, Code::AuthenticationError);
    assert!(refusal.message.contains("another user"), "{refusal}");
    assert_eq!(harness.api.entries().len(), 1);
    harness.user.switch(Caller::new("user-u", &ACL));
    harness.timesheet.log(open, entry(), Overlaps::Allowed).await.unwrap();
    assert_eq!(harness.api.entries().len(), 2);
}
