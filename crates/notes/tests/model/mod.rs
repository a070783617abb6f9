//! Tests the clients for models. A local server replaces the models.

mod anthropic;
mod chat;
mod failures;
mod server;

use std::time::Duration;

use dayledger_notes::model::{Address, Completion, Key, Model, Reach, Timeouts};
use dayledger_notes::prompt::Prompt;
use dayledger_notes::{Code, Refusal};

use server::Server;

/// Timeouts for the tests: no pause between attempts, and 20 seconds for a call.
const SHORT_TIMEOUTS: Timeouts =
    Timeouts { connect: Duration::from_secs(5), call: Duration::from_secs(20), pause: Duration::ZERO };

fn prompt() -> Prompt {
    Prompt { system: "be concise".to_owned(), user: "> a thought".to_owned() }
}

fn anthropic(server: &Server, timeouts: Timeouts) -> Model {
    let key = Key::read("sk-ant-secret").unwrap().unwrap();
    let address = Address::read_for_key(&server.url("")).unwrap();
    Model::anthropic(address, &key, "claude-x".to_owned(), 4096, timeouts).unwrap()
}

fn chat(server: &Server, path: &str, model: Option<&str>) -> Model {
    let address = Address::read(&server.url(path), Reach::ThisMachine).unwrap();
    Model::openai_compatible(address, model.map(str::to_owned), 512, SHORT_TIMEOUTS).unwrap()
}

#[track_caller]
fn assert_refused(answer: Result<Completion, Refusal>, code: Code, words: &str) {
    let refusal = answer.unwrap_err();
    assert_eq!(refusal.code, code, "{refusal}");
    assert!(refusal.to_string().contains(words), "`{words}` is not in: {refusal}");
    assert!(!format!("{refusal} {refusal:?}").contains("secret"), "{refusal}");
}
