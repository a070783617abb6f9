//! Tests that an assistant can't delete or submit entries without the user's confirmation.

use std::path::Path;
use std::sync::{Arc, Mutex};

use rmcp::model::{ElicitationAction, ProtocolVersion};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::session::{AnswerForm, Session, VERSIONS};
use super::timesheet::{PROJECTS, call_confirmed};
use crate::cli::program::{Home, demo};

const TIMESHEET: [&str; 2] = ["--toolsets", "timesheet"];

/// Returns a history, and a home folder with projects and a ledger in the file `sheet.db`.
fn ledger() -> (TempDir, Home, std::path::PathBuf) {
    let home = Home::new();
    let file = home.folder("sheet.db");
    home.configure(&format!("[timesheet]\nfile = '{}'\n{PROJECTS}", file.display()));
    (demo(), home, file)
}

/// Logs an hour and returns the id of the entry.
async fn log(session: &Session, description: &str) -> Value {
    let entry = json!({"projectCode": "NW", "task": "Billing", "standardHours": 1, "startDate": "2026-11-18",
        "description": description});
    session.answer("log_time", entry).await["id"].clone()
}

/// Returns the descriptions and statuses of all entries.
async fn entries(session: &Session) -> Vec<(Value, Value)> {
    let query = json!({"sortBy": "startDate", "sortOrder": "asc"});
    let answer = session.answer("query_time_entries", query).await;
    let entries = answer["entries"].as_array().unwrap().iter();
    entries.map(|entry| (entry["description"].clone(), entry["status"].clone())).collect()
}

/// Changes one entry in the ledger.
fn update(ledger: &Path, statement: &str) {
    assert_eq!(rusqlite::Connection::open(ledger).unwrap().execute(statement, []).unwrap(), 1);
}

const RENAME: &str = "UPDATE entries SET description = 'Reminders' WHERE description = 'Letters'";

/// Returns an answer that records each question, and calls `answer`.
fn recording(
    questions: &Arc<Mutex<Vec<String>>>,
    answer: impl Fn(&str) -> ElicitationAction + Send + Sync + 'static,
) -> Box<AnswerForm> {
    let questions = Arc::clone(questions);
    Box::new(move |question| {
        questions.lock().unwrap().push(question.to_owned());
        answer(question)
    })
}

async fn start_with_forms(home: Home, data: &Path, version: ProtocolVersion, answer: Box<AnswerForm>) -> Session {
    Session::start_with_forms(home, data, version, &TIMESHEET, answer).await
}

#[tokio::test(flavor = "multi_thread")]
async fn client_with_forms_asks_its_user_and_the_model_calls_once() {
    for version in VERSIONS {
        let ((data, home, _), questions) = (ledger(), Arc::default());
        let answer = recording(&questions, |_| ElicitationAction::Accept);
        let session = start_with_forms(home, data.path(), version, answer).await;
        let (first, _) = (log(&session, "Credit notes").await, log(&session, "Letters").await);
        let deleted = session.answer("delete_time_entry", json!({"id": first})).await;
        assert_eq!(deleted["success"], true);
        let submitted = session.answer("submit_time_entry", json!({"week": "2026-W47"})).await;
        assert_eq!((&submitted["submitted"], &submitted["hours"]), (&json!(1), &json!(1.0)), "{submitted}");
        assert_eq!(
            *questions.lock().unwrap(),
            [
                "Confirmation required: delete 1 time entry permanently? 2026-11-18, NW / Billing, 1 h: Credit notes",
                "Confirmation required: submit 1 time entry for approval, which cannot be undone? 2026-11-18, NW / \
                 Billing, 1 h: Letters"
            ]
        );
        assert_eq!(session.end().await, "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn declined_or_closed_question_changes_nothing() {
    for version in VERSIONS {
        for (answer, reason) in
            [(ElicitationAction::Decline, "declined"), (ElicitationAction::Cancel, "did not answer")]
        {
            let (data, home, _) = ledger();
            let form = recording(&Arc::default(), move |_| answer.clone());
            let session = start_with_forms(home, data.path(), version.clone(), form).await;
            let id = log(&session, "Letters").await;
            for tool in ["delete_time_entry", "submit_time_entry"] {
                let refused = session.refusal(tool, json!({"id": id})).await;
                assert_eq!(refused["code"], "NOT_CONFIRMED", "{refused}");
                let message = refused["message"].as_str().unwrap();
                assert!(message.contains("nothing was changed") && message.contains(reason), "{message}");
                assert!(refused.get("allowedValues").is_none(), "the model doesn't get the code: {refused}");
            }
            assert_eq!(entries(&session).await, [(json!("Letters"), json!("NOT_REPORTED"))]);
            assert_eq!(session.end().await, "");
        }
    }
}

/// The entry changes while the form is open. The answer is about the former content, so the user is asked again.
#[tokio::test(flavor = "multi_thread")]
async fn user_is_asked_again_about_a_changed_entry() {
    for version in VERSIONS {
        let ((data, home, file), questions) = (ledger(), Arc::default());
        let answer = recording(&questions, move |question| {
            if question.ends_with(": Letters") {
                update(&file, RENAME);
                return ElicitationAction::Accept;
            }
            ElicitationAction::Decline
        });
        let session = start_with_forms(home, data.path(), version, answer).await;
        let id = log(&session, "Letters").await;
        assert_eq!(session.refusal("delete_time_entry", json!({"id": id})).await["code"], "NOT_CONFIRMED");
        let questions = questions.lock().unwrap().clone();
        assert!(questions.len() == 2 && questions[1].ends_with(": Reminders"), "{questions:?}");
        assert_eq!(entries(&session).await, [(json!("Reminders"), json!("NOT_REPORTED"))]);
        assert_eq!(session.end().await, "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn client_without_forms_must_pass_the_code_of_unchanged_entries() {
    for version in VERSIONS {
        let (data, home, file) = ledger();
        let session = Session::start_in_home(home, data.path(), version, &TIMESHEET).await;
        let id = log(&session, "Letters").await;
        let asked = session.refusal("delete_time_entry", json!({"id": id})).await;
        let code = asked["allowedValues"][0].as_str().unwrap().to_owned();
        assert!(asked["message"].as_str().unwrap().ends_with("1 h: Letters"), "{asked}");
        assert!(asked["hint"].as_str().unwrap().contains(&code), "{asked}");

        update(&file, RENAME);
        let submitting = session.refusal("submit_time_entry", json!({"id": id})).await["allowedValues"][0].clone();
        for wrong in [json!(code), json!("yes"), submitting] {
            let refused = session.refusal("delete_time_entry", json!({"id": id, "confirm": wrong})).await;
            assert_eq!(refused["code"], "CONFIRMATION_REQUIRED", "{wrong}");
            assert!(refused["hint"].as_str().unwrap().contains("does not match"), "{refused}");
        }
        assert_eq!(entries(&session).await, [(json!("Reminders"), json!("NOT_REPORTED"))]);
        call_confirmed(&session, "delete_time_entry", json!({"id": id})).await;
        assert_eq!(entries(&session).await, []);
        let nothing = session.answer("submit_time_entry", json!({"week": "2026-W47"})).await;
        assert_eq!(nothing["submitted"], 0, "a week without open entries needs no confirmation");
        assert_eq!(session.end().await, "");
    }
}

/// The user was asked about the declined entry, and the ledger then refused to delete it.
#[tokio::test(flavor = "multi_thread")]
async fn user_is_not_asked_about_a_declined_entry_of_the_ledger() {
    let (data, home, file) = ledger();
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), &TIMESHEET).await;
    let id = log(&session, "Letters").await;
    update(&file, "UPDATE entries SET status = 'DECLINED'");
    assert_eq!(session.refusal("delete_time_entry", json!({"id": id})).await["code"], "FORBIDDEN");
    assert_eq!(session.refusal("submit_time_entry", json!({"id": id})).await["code"], "CONFIRMATION_REQUIRED");
    assert_eq!(session.end().await, "");
}
