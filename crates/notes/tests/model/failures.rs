//! Tests failures of the connection to a model.

use std::time::Duration;

use dayledger_notes::Code;
use dayledger_notes::model::{Address, Model, Reach, Timeouts};
use serde_json::json;
use tokio::net::TcpListener;

use super::server::{Answer, Server};
use super::{SHORT_TIMEOUTS, anthropic, assert_refused, prompt};

fn complete_answer() -> String {
    let content = json!([{"type": "text", "text": "# Done"}]);
    json!({"content": content, "stop_reason": "end_turn"}).to_string()
}

const PAGE: &str = "<html><body><h1>502 Bad Gateway</h1>secret of the proxy</body></html>";

#[tokio::test]
async fn proxy_error_pages_are_retried_and_not_quoted() {
    let page = Answer::Whole(502, PAGE.to_owned());
    let server = Server::start([page.clone(), page.clone(), Answer::Whole(200, complete_answer())]).await;
    assert_eq!(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await.unwrap().model, "claude-x");
    let server = Server::start([page]).await;
    assert_refused(
        anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await,
        Code::ApiError,
        "502: it is overloaded",
    );
}

#[tokio::test]
async fn html_page_is_not_a_record() {
    let server = Server::start([Answer::Whole(200, PAGE.to_owned())]).await;
    assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::ApiError, "not JSON");
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn broken_connection_is_retried() {
    for mishap in [Answer::Drop, Answer::Cut(complete_answer())] {
        let server = Server::start([mishap.clone(), mishap.clone(), Answer::Whole(200, complete_answer())]).await;
        assert_eq!(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await.unwrap().text, "# Done", "{mishap:?}");
        let server = Server::start([mishap]).await;
        assert_refused(
            anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await,
            Code::ApiError,
            "closed the connection",
        );
        assert_eq!(server.count(), 3);
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = Server::start([Answer::Whole(200, complete_answer())]).await;
    for status in [301, 302, 307, 308] {
        let server =
            Server::start([Answer::With(status, "location", elsewhere.url("/v1/messages"), String::new())]).await;
        assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::ApiError, "redirect");
        assert_eq!(server.count(), 1);
    }
    assert_eq!(elsewhere.count(), 0);
}

#[tokio::test]
async fn endless_response_is_cancelled() {
    let server = Server::start([Answer::Endless]).await;
    assert_refused(anthropic(&server, SHORT_TIMEOUTS).complete(&prompt()).await, Code::ApiError, "more than 16 MiB");
    assert_eq!(server.count(), 1);
}

/// A request that timed out isn't retried, because the model may already have processed the request and charged for it.
#[tokio::test]
async fn timed_out_request_is_not_retried() {
    let server = Server::start([Answer::Silence]).await;
    let timeouts = Timeouts { call: Duration::from_secs(1), ..SHORT_TIMEOUTS };
    assert_refused(anthropic(&server, timeouts).complete(&prompt()).await, Code::ApiError, "within 1 second:");
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn unreachable_model_is_reported() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let address = Address::read(&format!("http://{free}/v1"), Reach::ThisMachine).unwrap();
    let model = Model::openai_compatible(address, None, 512, SHORT_TIMEOUTS).unwrap();
    assert_refused(model.complete(&prompt()).await, Code::ApiError, "nothing was sent");
}
