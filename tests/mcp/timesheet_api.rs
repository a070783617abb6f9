//! Tests the timesheet of a company. The program calls the API as the user who is logged in to `az`.
#![cfg(unix)] // these tests replace Azure's `az` with a shell script

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::session::{Session, VERSIONS};
use super::timesheet::walk;
use crate::cli::program::{Home, demo};
use simulator::{Api, ApiFailure, Caller};

#[expect(dead_code, reason = "the tests of the timesheet's crate use the rest")]
#[path = "../../crates/timesheet/tests/simulator/mod.rs"]
mod simulator;

/// Returns a home folder whose configuration contains the API. In this home folder, `user` is logged in to `az`.
fn home(api: &Api, user: &str) -> Home {
    let home = Home::new();
    let setup = format!("[timesheet]\napi = '{}'\nscope = 'api://app/.default'\n", api.url());
    home.configure(&setup);
    let token = Caller::new(user, &["Project/INTERNAL=V,E,T", "Project/CLIENT-A=V,E,T"]).token();
    let answer = format!(r#"{{"accessToken":"{token}","expires_on":4102444800,"tokenType":"Bearer"}}"#);
    let script = format!(
        "#!/bin/sh\n[ \"$*\" = 'account get-access-token -o json --scope api://app/.default' ] || exit 2\necho '{answer}'\n"
    );
    let az = home.folder("programs").join("az");
    fs::create_dir_all(home.folder("programs")).unwrap();
    fs::write(&az, script).unwrap();
    fs::set_permissions(&az, fs::Permissions::from_mode(0o700)).unwrap();
    home
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_workflows_succeed_with_the_api_in_both_protocol_versions() {
    for version in VERSIONS {
        let (api, dir) = (Api::start().await, demo());
        let session =
            Session::start_in_home(home(&api, "ana"), dir.path(), version, &["--toolsets", "timesheet"]).await;
        walk(&session).await;
        assert_eq!(api.entries().len(), 1, "the API has the submitted entry, and the other one was deleted");
        assert!(api.requests().iter().all(|request| request.caller.as_deref() == Some("ana")));
        assert_eq!(session.end().await, "");
    }
}

/// Some responses of the API get lost. The client looks up the current state, so a second call doesn't log the same
/// hours twice.
#[tokio::test(flavor = "multi_thread")]
async fn lost_response_is_looked_up_before_hours_are_logged_again() {
    let (api, dir) = (Api::start().await, demo());
    let session =
        Session::start_in_home(home(&api, "ana"), dir.path(), VERSIONS[1].clone(), &["--toolsets", "timesheet"]).await;
    let entry = json!({"projectCode": "INTERNAL", "task": "Testing", "standardHours": 1, "startDate": "2026-11-18"});
    for (place, mishap) in
        [ApiFailure::DropAfter, ApiFailure::PageAfter(502), ApiFailure::InternalAfter].into_iter().enumerate()
    {
        let mut entry = entry.clone();
        entry["description"] = json!(format!("try {place}"));
        api.fail_next("LogTime", mishap);
        let answer = session.answer("log_time", entry).await;
        let logged = api.entries();
        assert_eq!((logged.len(), &answer["id"]), (place + 1, &json!(logged[place].id)));
    }
    assert_eq!(session.end().await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_login_is_an_error_with_a_hint() {
    let (api, dir) = (Api::start().await, demo());
    let home = home(&api, "ana");
    fs::remove_file(home.folder("programs").join("az")).unwrap();
    let session = Session::start_in_home(home, dir.path(), VERSIONS[0].clone(), &["--toolsets", "timesheet"]).await;
    let refused = session.refusal("get_available_projects", json!({})).await;
    assert_eq!(refused["code"], "AUTHENTICATION_ERROR");
    assert!(refused["message"].as_str().unwrap().contains("az login"), "{refused}");
    assert_eq!(api.requests(), []);
    session.end().await;
}
