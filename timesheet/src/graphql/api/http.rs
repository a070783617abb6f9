//! The API over HTTP, with the statuses of `HotChocolate` (section 5 of the facts).

use std::io;
use std::sync::{Arc, PoisonError};

use async_graphql::Variables;
use async_graphql::parser::parse_query;
use async_graphql::parser::types::OperationType;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap};
use hyper::{Request, Response, StatusCode};
use serde_json::{Value, json};

use super::mishap::{Mishap, Parts};
use super::state::{Asked, ISSUER, Shared};
use super::store::Caller;

/// Serves one connection until either side closes it.
pub(super) async fn serve(shared: Arc<Shared>, stream: tokio::net::TcpStream) {
    let service = hyper::service::service_fn(|request| {
        let shared = Arc::clone(&shared);
        async move { answer(shared, request).await }
    });
    let served =
        hyper::server::conn::http1::Builder::new().serve_connection(hyper_util::rt::TokioIo::new(stream), service);
    // A connection that breaks is what this is for.
    let _broken = served.await;
}

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> io::Result<Response<Parts>> {
    let headers = request.headers().clone();
    let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let operation = body["operationName"].as_str().unwrap_or_default().to_owned();
    let caller = caller(&headers);
    let asked = Asked {
        operation: operation.clone(),
        variables: body["variables"].clone(),
        caller: caller.as_ref().map(|caller| caller.id.clone()),
    };
    shared.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
    let is_plain = headers.get(ACCEPT).is_some_and(|accept| accept == "application/json");
    let closed = || Err(io::Error::from(io::ErrorKind::ConnectionAborted));
    let carried_out = || carried_out(&shared, &body, caller.clone(), is_plain);
    match shared.mishap(&operation) {
        None => {}
        Some(Mishap::Page(status)) => return Ok(page(status)),
        Some(Mishap::PageAfter(status)) => {
            carried_out().await;
            return Ok(page(status));
        }
        Some(Mishap::Internal) => return Ok(internal()),
        Some(Mishap::InternalAfter) => {
            carried_out().await;
            return Ok(internal());
        }
        Some(Mishap::Silence) => return std::future::pending().await,
        Some(Mishap::SilenceAfter) => {
            carried_out().await;
            return std::future::pending().await;
        }
        Some(Mishap::Drop) => return closed(),
        Some(Mishap::DropAfter) => {
            carried_out().await;
            return closed();
        }
        Some(Mishap::CutOff) => {
            let (status, body) = carried_out().await;
            return Ok(response(status, Parts::cut(body)));
        }
        Some(Mishap::Endless) => return Ok(response(StatusCode::OK, Parts::endless())),
        Some(Mishap::Late) => {
            let (shared, body) = (Arc::clone(&shared), body.clone());
            tokio::spawn(async move {
                shared.late.notified().await;
                self::carried_out(&shared, &body, caller, is_plain).await;
                shared.came.notify_one();
            });
            return std::future::pending().await;
        }
        Some(Mishap::Unauthorized) => return Ok(response(StatusCode::UNAUTHORIZED, Parts::whole(""))),
        Some(Mishap::Echo) => return Ok(echo(&headers)),
        Some(Mishap::Before(hook)) => hook(),
        Some(Mishap::After(hook)) => {
            let (status, body) = carried_out().await;
            hook();
            return Ok(response(status, Parts::whole(body)));
        }
    }
    let (status, body) = carried_out().await;
    Ok(response(status, Parts::whole(body)))
}

/// What the API does and says: 400 for a question that is none, 500 for one that left no data, 200 for whoever accepts
/// nothing but plain JSON.
async fn carried_out(shared: &Shared, body: &Value, caller: Option<Caller>, is_plain: bool) -> (StatusCode, String) {
    let mut request = async_graphql::Request::new(body["query"].as_str().unwrap_or_default())
        .variables(Variables::from_json(body["variables"].clone()));
    if let Some(name) = body["operationName"].as_str() {
        request = request.operation_name(name);
    }
    if let Some(caller) = caller {
        request = request.data(caller);
    }
    let answer = shared.schema.execute(request).await;
    // What an operation refuses says where it was; a question that is none does not.
    let is_invalid = answer.errors.iter().any(|error| error.path.is_empty() && error.extensions.is_none());
    // The fields of a query may be null, which leaves an answer with null in it; those of a mutation may not. The
    // library leaves nothing in either case.
    let has_data = answer.data != async_graphql::Value::Null || (!is_invalid && !is_mutation(body));
    let status = match (is_plain, is_invalid, has_data) {
        (true, _, _) | (_, false, true) => StatusCode::OK,
        (_, true, _) => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, serde_json::to_string(&answer).unwrap_or_default())
}

/// Whether the operation that is asked for changes something.
fn is_mutation(body: &Value) -> bool {
    let document = parse_query(body["query"].as_str().unwrap_or_default()).ok();
    let name = body["operationName"].as_str();
    document.is_some_and(|document| {
        let mut asked =
            document.operations.iter().filter(|(of, _)| name.is_none() || of.map(async_graphql::Name::as_str) == name);
        asked.any(|(_, operation)| operation.node.ty == OperationType::Mutation)
    })
}

/// Who a token says it is, if it was issued here.
fn caller(headers: &HeaderMap) -> Option<Caller> {
    let token = headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?;
    let mut parts = token.split('.').skip(1);
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok()?;
    let text = |name: &str| claims[name].as_str().map(str::to_owned);
    let acl = claims["extn.TimeReportingACLv2"].as_array().into_iter().flatten();
    (parts.next()? == ISSUER).then_some(())?;
    Some(Caller {
        id: text("oid")?,
        email: text("email")?,
        name: text("name")?,
        acl: acl.filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

/// A rejection of the token that repeats it, with the whole header after a text that fills the most of a message.
fn echo(headers: &HeaderMap) -> Response<Parts> {
    let header = headers.get(AUTHORIZATION).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let message = format!("IDX10503: '{header}' {}{header}", "-".repeat(700));
    let error = json!({"message": message, "extensions": {"code": "AUTH_NOT_AUTHENTICATED"}});
    response(StatusCode::OK, Parts::whole(json!({"errors": [error]}).to_string()))
}

fn response(status: StatusCode, body: Parts) -> Response<Parts> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let kind = hyper::header::HeaderValue::from_static("application/graphql-response+json; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn page(status: u16) -> Response<Parts> {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    response(status, Parts::whole("<html><body><h1>502 Bad Gateway</h1></body></html>"))
}

fn internal() -> Response<Parts> {
    let error = json!({"message": "An unexpected error occurred", "extensions": {"code": "INTERNAL_ERROR"}});
    let body = json!({"errors": [error], "data": null}).to_string();
    response(StatusCode::INTERNAL_SERVER_ERROR, Parts::whole(body))
}
