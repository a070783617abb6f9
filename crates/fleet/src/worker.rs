//! A worker machine. It accepts connections from callers, and forwards each request to the process of the request's
//! statement.
//!
//! Requests and responses are forwarded as bytes. Only the first message of a request is decoded, because it contains
//! the ID of the statement.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use datafusion_distributed::Worker;
use dayledger_engine::worker::Launch;
use futures::future::BoxFuture;
use futures::{Stream, StreamExt, stream};
use http::{HeaderMap, HeaderName, Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use prost::Message;
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Code, Status};
use tower::util::BoxCloneSyncService;
use tower::{Service, ServiceExt};

use crate::channels::{ALIVE, MEMORY, VERSION, check_version, memory_limit};
use crate::credentials::Credentials;
use crate::task_processes::{ProcessEnd, ProcessError, StatementId, TaskProcess, TaskProcesses};

/// Serves connections to `listener` until this process ends. Uses `launch` to start the processes for statements. These
/// processes together may use `memory_bytes` bytes.
///
/// # Errors
/// Fails if a certificate is invalid, or if the listener fails.
pub async fn serve(
    listener: TcpListener,
    launch: Launch,
    credentials: Credentials,
    memory_bytes: u64,
) -> Result<(), tonic::transport::Error> {
    let processes = TaskProcesses::new(launch, memory_bytes);
    processes.refill().await;
    // This service only reports the version of the worker.
    let own = BoxCloneSyncService::new(Worker::default().with_version(VERSION).into_worker_server());
    let service = InterceptedService::new(Forward::new(processes, own), check_version);
    let connections = TcpIncoming::from(listener).with_nodelay(Some(true));
    Server::builder()
        // A response can wait a long time until the caller reads it. Keepalive pings detect a caller that has
        // disconnected.
        .http2_keepalive_interval(Some(ALIVE))
        .http2_keepalive_timeout(Some(ALIVE))
        .tls_config(credentials.server_tls())?
        .add_service(service)
        .serve_with_incoming(connections)
        .await
}

/// The path of the gRPC method that sends a plan. Its request stays open until the statement ends.
const PLAN: &str = "/worker.WorkerService/CoordinatorChannel";
/// The path of the gRPC method that requests rows.
const ROWS: &str = "/worker.WorkerService/ExecuteTask";

/// The maximum size of the first message of a request in bytes. The message can contain a plan.
const MAX_BYTES: usize = 64 << 20;
/// The size of a message's head in bytes: a compression flag and the length.
const HEAD_BYTES: usize = 5;
/// A header that is present only in responses without rows.
const STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// The service of a worker. It forwards the requests of datafusion-distributed to the processes of statements.
#[derive(Clone)]
struct Forward {
    processes: Arc<TaskProcesses>,
    /// Handles requests that don't belong to a statement.
    inner: BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>,
}

impl Forward {
    fn new(
        processes: Arc<TaskProcesses>,
        inner: BoxCloneSyncService<Request<Body>, Response<Body>, Infallible>,
    ) -> Self {
        Self { processes, inner }
    }

    async fn handle(self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let path = request.uri().path();
        let is_plan = path == PLAN;
        if !is_plan && path != ROWS {
            return self.inner.oneshot(request).await.map_err(|never| match never {});
        }
        let (mut parts, mut body) = request.into_parts();
        let first = first_message(&mut body).await?;
        let statement = statement_id(&first, is_plan)?;
        let process = if is_plan {
            let limit = self.processes.limit(memory_limit(&parts.headers));
            self.processes.process_for_plan(&statement, limit).map_err(|error| process_error_status(&error))?
        } else {
            self.processes.process_for_rows(&statement).await.map_err(|error| process_error_status(&error))?
        };
        parts.headers.insert(MEMORY, process.limit.into());
        let channel = process.channel(&self.processes).await.map_err(|error| process_error_status(&error))?;
        let first = stream::once(async { Ok(Frame::data(first)) });
        let body = Body::new(StreamBody::new(Box::pin(first.chain(frames(body)))));
        match channel.oneshot(Request::from_parts(parts, body)).await {
            Ok(response) if response.headers().contains_key(STATUS) => Ok(response),
            Ok(response) => Ok(response.map(|body| Body::new(StreamBody::new(Box::pin(relay(body, process)))))),
            Err(error) => {
                tracing::debug!(%error, "a process did not answer");
                Err(end_status(process.end().await))
            }
        }
    }
}

impl NamedService for Forward {
    const NAME: &'static str = "worker.WorkerService";
}

impl Service<Request<Body>> for Forward {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let answer = self.clone().handle(request);
        Box::pin(async { Ok(answer.await.unwrap_or_else(Status::into_http)) })
    }
}

/// Reads the first message of a request, with the head of the message. The result can also contain the first bytes of
/// the next message.
async fn first_message(body: &mut Body) -> Result<Bytes, Status> {
    let mut read = BytesMut::new();
    loop {
        if let Some(length) = message_length(&read)?
            && read.len() >= HEAD_BYTES + length
        {
            return Ok(read.freeze());
        }
        let frame = body.frame().await.ok_or_else(|| Status::invalid_argument("a request has no message"))??;
        if let Ok(data) = frame.into_data() {
            read.extend_from_slice(&data);
        }
    }
}

/// Returns the length in bytes of the message at the start of `read`, or `None` if the head is incomplete.
fn message_length(read: &[u8]) -> Result<Option<usize>, Status> {
    let [compressed, a, b, c, d, ..] = *read else { return Ok(None) };
    if compressed != 0 {
        return Err(Status::unimplemented("messages must not be compressed"));
    }
    let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
    if length > MAX_BYTES { Err(Status::out_of_range("a plan is too long")) } else { Ok(Some(length)) }
}

/// Returns the ID of the statement from the first message of a request.
fn statement_id(first: &[u8], is_plan: bool) -> Result<StatementId, Status> {
    let unreadable = || Status::invalid_argument("a request has no statement");
    let length = message_length(first)?.ok_or_else(unreadable)?;
    let message = first.get(HEAD_BYTES..HEAD_BYTES + length).ok_or_else(unreadable)?;
    let of_task = if is_plan {
        PlanMessage::decode(message).map(|message| message.plan)
    } else {
        TaskRequest::decode(message).map(Some)
    };
    let task = of_task.map_err(|_| unreadable())?.and_then(|of_task| of_task.task).ok_or_else(unreadable)?;
    Ok(task.statement)
}

/// The fields of `CoordinatorToWorkerMsg` of datafusion-distributed that are needed here.
#[derive(Clone, PartialEq, Message)]
struct PlanMessage {
    #[prost(message, optional, tag = "1")]
    plan: Option<TaskRequest>,
}

/// The common first field of `SetPlanRequest` and `ExecuteTaskRequest` of datafusion-distributed.
#[derive(Clone, PartialEq, Message)]
struct TaskRequest {
    #[prost(message, optional, tag = "1")]
    task: Option<TaskKey>,
}

#[derive(Clone, PartialEq, Message)]
struct TaskKey {
    #[prost(bytes = "vec", tag = "1")]
    statement: StatementId,
}

/// Returns the frames of a request's body.
fn frames(body: Body) -> impl Stream<Item = Result<Frame<Bytes>, Status>> + Send {
    stream::unfold(body, |mut body| async move { body.frame().await.map(|frame| (frame, body)) })
}

/// Returns the frames of a response from `process`. If the process ends early, the last frame contains the reason.
fn relay(body: Body, process: Arc<TaskProcess>) -> impl Stream<Item = Result<Frame<Bytes>, Status>> + Send {
    stream::unfold(Some((body, process)), |state| async move {
        let (mut body, process) = state?;
        match body.frame().await {
            Some(Ok(frame)) if frame.is_trailers() => Some((Ok(frame), None)),
            Some(Ok(frame)) => Some((Ok(frame), Some((body, process)))),
            _ => {
                let mut trailers = HeaderMap::new();
                end_status(process.end().await).add_header(&mut trailers).ok()?;
                Some((Ok(Frame::trailers(trailers)), None))
            }
        }
    })
}

fn process_error_status(error: &ProcessError) -> Status {
    FailureMessage { execution: Some(error.to_string()), ..FailureMessage::default() }.to_status()
}

/// Returns the status of a response whose process ended.
fn end_status(end: ProcessEnd) -> Status {
    let of_memory = |text: &str| FailureMessage { resources: Some(text.to_owned()), ..FailureMessage::default() };
    match end {
        ProcessEnd::Memory => of_memory("the statement exceeds its memory limit on a worker machine"),
        ProcessEnd::MemoryOfAll => of_memory("all statements together exceed the memory limit of a worker machine"),
        ProcessEnd::Failed => {
            let text = "a worker machine failed to run a part of the statement".to_owned();
            FailureMessage { execution: Some(text), ..FailureMessage::default() }
        }
    }
    .to_status()
}

/// The needed fields of `DataFusionErrorProto`. The encoder of datafusion-distributed is private. A caller decodes this
/// message as an error of the statement, even if the message passes through other machines. A caller would mistake any
/// other status for a lost connection.
#[derive(Clone, PartialEq, Message)]
struct FailureMessage {
    /// The text of `DataFusionError::Execution`.
    #[prost(string, optional, tag = "11")]
    execution: Option<String>,
    /// The text of `DataFusionError::ResourcesExhausted`.
    #[prost(string, optional, tag = "13")]
    resources: Option<String>,
}

impl FailureMessage {
    fn to_status(&self) -> Status {
        Status::with_details(Code::Internal, "DataFusionError", self.encode_to_vec().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode_frame(message: &impl Message) -> Vec<u8> {
        let length = u32::try_from(message.encoded_len()).expect("a short message");
        [&[0][..], &length.to_be_bytes(), &message.encode_to_vec()].concat()
    }

    #[test]
    fn statement_of_a_plan_and_of_its_rows_is_the_same() {
        let of_task = TaskRequest { task: Some(TaskKey { statement: vec![7; 16] }) };
        let plan = PlanMessage { plan: Some(of_task.clone()) };
        assert_eq!(statement_id(&encode_frame(&of_task), false).expect("a statement"), [7; 16]);
        assert_eq!(statement_id(&encode_frame(&plan), true).expect("a statement"), [7; 16]);
    }

    #[tokio::test]
    async fn long_and_unreadable_first_messages_are_refused() {
        let long = [&[0][..], &u32::MAX.to_be_bytes()].concat();
        let compressed = [1, 0, 0, 0, 0].to_vec();
        let unfinished = [0, 0, 0, 0, 9, 1].to_vec();
        for wrong in [long, compressed, unfinished, Vec::new()] {
            let sent = stream::once(async move { Ok::<_, Status>(Frame::data(Bytes::from(wrong))) });
            let mut body = Body::new(StreamBody::new(Box::pin(sent)));
            assert!(first_message(&mut body).await.is_err());
        }
        assert!(statement_id(&encode_frame(&PlanMessage::default()), true).is_err());
        assert!(statement_id(&[0, 0, 0, 0, 2, 255, 255], false).is_err());
    }
}
