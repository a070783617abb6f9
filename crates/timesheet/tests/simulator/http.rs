//! The simulated API over HTTP. It has the statuses of `HotChocolate` (docs/spec/timesheet.md#http-status) and
//! simulates failures.

use std::fmt;
use std::io;
use std::sync::Arc;

use futures::stream::{self, BoxStream, Stream, StreamExt, TryStreamExt};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::AUTHORIZATION;
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

use super::caller::Caller;
use super::operations::{ApiError, carry_out};
use super::{Request, Shared};

/// A simulated failure of one request, or a hook.
#[derive(Debug, Clone)]
pub(crate) enum ApiFailure {
    /// A proxy responds with a page, and the request isn't executed.
    Page(u16),
    /// The request is executed, and then a proxy responds with a page.
    PageAfter(u16),
    /// The API returns an unexpected error without executing the request.
    Internal,
    /// The request is executed, and then the API returns an unexpected error.
    InternalAfter,
    /// The request isn't executed, and there is no response.
    Silence,
    /// The request is executed, but there is no response.
    SilenceAfter,
    /// The connection is closed, and the request isn't executed.
    Drop,
    /// The request is executed, and then the connection is closed without a response.
    DropAfter,
    /// The request is executed, but the response is truncated.
    CutOff,
    /// The response never ends.
    Endless,
    /// There is no response. The request is executed later, by [`super::Api::deliver_late_request`].
    Late,
    /// A proxy rejects the token.
    Unauthorized,
    /// The API rejects the token, with a message that contains the token.
    Echo,
    /// This isn't a failure: the hook runs, and then the request is executed.
    Before(Hook),
    /// This isn't a failure: the request is executed, then the hook runs, and then the API responds.
    After(Hook),
}

/// A function that runs before or after a request is executed.
#[derive(Clone)]
pub(crate) struct Hook(Arc<dyn Fn() + Send + Sync>);

impl Hook {
    pub(crate) fn new(hook: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(hook))
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hook")
    }
}

type Body = StreamBody<BoxStream<'static, io::Result<Frame<Bytes>>>>;

/// Serves one connection until the client or the server closes it.
pub(super) async fn serve(shared: Arc<Shared>, stream: tokio::net::TcpStream) {
    let service = hyper::service::service_fn(|request| answer(Arc::clone(&shared), request));
    let stream = hyper_util::rt::TokioIo::new(stream);
    // An error means that a simulated failure closed the connection.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await;
}

async fn answer(shared: Arc<Shared>, request: hyper::Request<Incoming>) -> io::Result<Response<Body>> {
    let authorization = request.headers()[AUTHORIZATION].to_str().unwrap().to_owned();
    let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let operation = body["operationName"].as_str().unwrap().to_owned();
    let caller = authorization.strip_prefix("Bearer ").and_then(Caller::from_token);
    let id = caller.as_ref().map(|caller| caller.id.clone());
    let request = Request { operation: operation.clone(), variables: body["variables"].clone(), caller: id };
    shared.requests.lock().unwrap().push(request.clone());
    let carried_out = {
        let shared = Arc::clone(&shared);
        move || shared.carry_out(&request, caller.as_ref())
    };
    let Some(mishap) = shared.next_failure(&operation) else { return Ok(carried_out().into()) };
    match mishap {
        ApiFailure::Page(status) => Ok(page(status)),
        ApiFailure::PageAfter(status) => {
            carried_out();
            Ok(page(status))
        }
        ApiFailure::Internal => Ok(ApiResponse::internal().into()),
        ApiFailure::InternalAfter => {
            carried_out();
            Ok(ApiResponse::internal().into())
        }
        ApiFailure::Silence => std::future::pending().await,
        ApiFailure::SilenceAfter => {
            carried_out();
            std::future::pending().await
        }
        ApiFailure::Drop => connection_closed(),
        ApiFailure::DropAfter => {
            carried_out();
            connection_closed()
        }
        ApiFailure::CutOff => {
            let ApiResponse(status, body) = carried_out();
            let body = Bytes::from(body.to_string());
            let half = body.slice(..body.len() / 2);
            Ok(response(status, stream::iter([Ok(half), connection_closed()])))
        }
        ApiFailure::Endless => {
            let spaces = || Ok(Bytes::from(vec![b' '; 1 << 16]));
            Ok(response(StatusCode::OK, stream::repeat_with(spaces)))
        }
        ApiFailure::Late => {
            tokio::spawn(async move {
                shared.late.notified().await;
                carried_out();
                shared.late_done.notify_one();
            });
            std::future::pending().await
        }
        ApiFailure::Unauthorized => Ok(response(StatusCode::UNAUTHORIZED, stream::empty())),
        ApiFailure::Echo => {
            // The text between the two tokens is nearly as long as the part of a message that the client shows.
            let message = format!("IDX10503: '{authorization}' {}{authorization}", "-".repeat(700));
            Ok(ApiResponse(StatusCode::OK, errors(&ApiError::new("AUTH_NOT_AUTHENTICATED", message))).into())
        }
        ApiFailure::Before(hook) => {
            (hook.0)();
            Ok(carried_out().into())
        }
        ApiFailure::After(hook) => {
            let answer = carried_out();
            (hook.0)();
            Ok(answer.into())
        }
    }
}

impl Shared {
    /// Removes and returns the next simulated failure for the operation.
    fn next_failure(&self, operation: &str) -> Option<ApiFailure> {
        let mut mishaps = self.failures.lock().unwrap();
        let place = mishaps.iter().position(|(of, _)| of == operation)?;
        Some(mishaps.remove(place).1)
    }

    fn carry_out(&self, request: &Request, caller: Option<&Caller>) -> ApiResponse {
        let mut store = self.store.lock().unwrap();
        match carry_out(&mut store, caller, &request.operation, &request.variables) {
            Ok(data) => ApiResponse(StatusCode::OK, json!({"data": data})),
            // A failed query returns status 200 with null fields and an error. A failed mutation returns only the
            // error, with status 500.
            Err(fault) if ["TimeEntries", "TimeEntryById"].contains(&&*request.operation) => {
                ApiResponse(StatusCode::OK, errors(&fault))
            }
            Err(fault) => ApiResponse(StatusCode::INTERNAL_SERVER_ERROR, errors(&fault)),
        }
    }
}

fn connection_closed<T>() -> io::Result<T> {
    Err(io::ErrorKind::ConnectionAborted.into())
}

/// A response of the API, in contrast to responses of a proxy.
struct ApiResponse(StatusCode, Value);

impl ApiResponse {
    fn internal() -> Self {
        let fault = ApiError::new("INTERNAL_ERROR", "An unexpected error occurred");
        Self(StatusCode::INTERNAL_SERVER_ERROR, errors(&fault))
    }
}

impl From<ApiResponse> for Response<Body> {
    fn from(ApiResponse(status, body): ApiResponse) -> Self {
        response(status, stream::iter([Ok(body.to_string().into())]))
    }
}

fn errors(ApiError { code, field, message }: &ApiError) -> Value {
    json!({"data": null, "errors": [{"message": message, "extensions": {"code": code, "field": field}}]})
}

fn page(status: u16) -> Response<Body> {
    let page = Bytes::from_static(b"<html><body><h1>502 Bad Gateway</h1></body></html>");
    response(StatusCode::from_u16(status).unwrap(), stream::iter([Ok(page)]))
}

fn response(status: StatusCode, parts: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Response<Body> {
    let mut response = Response::new(StreamBody::new(parts.map_ok(Frame::data).boxed()));
    *response.status_mut() = status;
    response
}
