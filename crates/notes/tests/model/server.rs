//! A local server with prepared responses.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, Request, Response, StatusCode};
use serde_json::Value;
use tokio::net::TcpListener;

/// The server's reaction to a request.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    /// A response with this status and this body.
    Whole(u16, String),
    /// A response with this status, this additional header and this body.
    With(u16, &'static str, String, String),
    /// The first 10 bytes of this body. The connection is then closed.
    Cut(String),
    /// A response with an endless body.
    Endless,
    /// No response, while the connection stays open.
    Silence,
    /// No response. The connection is closed.
    Drop,
}

/// A request that the server received.
#[derive(Debug, Clone)]
pub(super) struct ReceivedRequest {
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Value,
}

/// A server on this machine. It sends its prepared responses in order, and repeats the last response.
pub(super) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    answers: Mutex<VecDeque<Answer>>,
    received: Mutex<Vec<ReceivedRequest>>,
}

type Body = StreamBody<BoxStream<'static, io::Result<Frame<Bytes>>>>;

impl Server {
    pub(super) async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let answers = Mutex::new(answers.into_iter().collect());
        let shared = Arc::new(Shared { answers, received: Mutex::default() });
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                let service = hyper::service::service_fn(move |request| answer(Arc::clone(&shared), request));
                let connection = hyper::server::conn::http1::Builder::new()
                    .serve_connection(hyper_util::rt::TokioIo::new(stream), service);
                tokio::spawn(connection);
            }
        });
        Self { address, shared }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(super) fn requests(&self) -> Vec<ReceivedRequest> {
        self.shared.received.lock().unwrap().clone()
    }

    pub(super) fn count(&self) -> usize {
        self.shared.received.lock().unwrap().len()
    }
}

async fn answer(shared: Arc<Shared>, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let (path, headers) = (request.uri().to_string(), request.headers().clone());
    let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    shared.received.lock().unwrap().push(ReceivedRequest { path, headers, body });
    let answer = {
        let mut answers = shared.answers.lock().unwrap();
        if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() }
    };
    match answer.unwrap_or(Answer::Drop) {
        Answer::Whole(status, body) => Ok(response(status, vec![Ok(body.into())])),
        Answer::With(status, name, value, body) => {
            let mut response = response(status, vec![Ok(body.into())]);
            response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap());
            Ok(response)
        }
        Answer::Cut(body) => {
            let half = Bytes::from(body).slice(..10);
            Ok(response(200, vec![Ok(half), Err(io::ErrorKind::ConnectionAborted.into())]))
        }
        Answer::Endless => {
            let parts = stream::repeat_with(|| Ok(Frame::data(Bytes::from(vec![b' '; 1 << 16]))));
            Ok(Response::new(StreamBody::new(parts.boxed())))
        }
        Answer::Silence => std::future::pending().await,
        Answer::Drop => Err(io::ErrorKind::ConnectionAborted.into()),
    }
}

fn response(status: u16, parts: Vec<io::Result<Bytes>>) -> Response<Body> {
    let parts = stream::iter(parts.into_iter().map(|part| part.map(Frame::data)));
    let mut response = Response::new(StreamBody::new(parts.boxed()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}
