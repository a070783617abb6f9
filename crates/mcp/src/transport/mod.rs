//! The connection to the client. JSON-RPC messages are lines that are read from a reader and written to a writer.
//!
//! This module decides which lines are valid and how to respond to invalid lines. It also limits the number of open
//! requests, and ends connections. The library and the server interpret messages, and `flow` runs calls.
//!
//! The library's own transport isn't used, for four reasons. It doesn't respond to a line that it can't read. It
//! reports invalid parameters as an unknown method. It continues to read even if a client never reads. After the end of
//! the input, it waits five seconds for responses.
//!
//! Invariants: the memory for a client is bounded, even if the client sends many requests and reads little. Every
//! request gets exactly one response, unless it was cancelled. When the flow's grace period after the end of the input
//! is over, no message is read. Responses to earlier messages are written completely, unless the client takes longer
//! than `Limits::drain_timeout` to read one of them.

mod lines;
mod message;
mod outgoing;

use std::collections::{HashMap, HashSet};
use std::future::Ready;
use std::io;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, JsonRpcRequest, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};

use super::flow::Flow;
use lines::{Line, Lines};
use message::ParsedLine;
use outgoing::Outgoing;
pub(super) use outgoing::Writing;

/// The maximum number of requests in flight, which are requests without a response. At this limit, no line is read
/// until a response was sent.
const REQUESTS: usize = 1024;
/// The limit for the total length of the messages of all requests in flight, in bytes. At this limit, no line is read
/// until a response was sent.
const BYTES: usize = 8 << 20;
/// The maximum number of open subscriptions. Each subscription checks the history separately.
const SUBSCRIPTIONS: usize = 64;

/// A client at the other end of a reader and a writer.
pub(super) struct Connection {
    lines: Lines,
    outgoing: Outgoing,
    in_flight: InFlight,
    flow: Flow,
}

/// The requests in flight: they have no response yet.
#[derive(Debug, Default)]
struct InFlight {
    /// The length of each request's message, in bytes.
    calls: HashMap<RequestId, usize>,
    /// Open subscriptions. They get a response when they end.
    subscriptions: HashSet<RequestId>,
}

impl InFlight {
    /// Adds a request to the requests in flight.
    ///
    /// # Errors
    /// Fails with the reason why the request can't begin.
    fn begin(&mut self, request: &JsonRpcRequest<ClientRequest>, bytes: usize) -> Result<(), &'static str> {
        let id = &request.id;
        if self.calls.contains_key(id) || self.subscriptions.contains(id) {
            return Err("another request with this id is not answered yet");
        }
        if !matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) {
            self.calls.insert(id.clone(), bytes);
        } else if self.subscriptions.len() < SUBSCRIPTIONS {
            self.subscriptions.insert(id.clone());
        } else {
            return Err("too many subscriptions are open; cancel one, or listen to several resources with one request");
        }
        Ok(())
    }

    /// Removes a request that has a response or was cancelled.
    fn end(&mut self, id: &RequestId) {
        self.calls.remove(id);
        self.subscriptions.remove(id);
    }

    fn is_full(&self) -> bool {
        self.calls.len() >= REQUESTS || self.calls.values().sum::<usize>() >= BYTES
    }
}

impl Connection {
    /// Connects to the client. Also returns the task that writes. The task outlives the connection.
    pub(super) fn new<R, W>(reader: R, writer: W, flow: Flow) -> (Self, Writing)
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (outgoing, writing) = Outgoing::new(writer, flow.clone());
        let lines = Lines::new(reader, flow.limits().grace);
        (Self { lines, outgoing, in_flight: InFlight::default(), flow }, writing)
    }

    /// Returns the next message that the server can use. Returns `None` at the end of the input, or if the client
    /// doesn't read its output any more.
    async fn next(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let line = tokio::select! {
                biased;
                () = self.outgoing.wait_until_broken() => return None,
                () = self.lines.end_token().cancelled_owned() => return None,
                line = next_line(&mut self.lines, &self.in_flight, &self.flow) => line?,
            };
            let response = match line {
                Line::TooLong => message::line_too_long(lines::LINE_BYTES),
                Line::Whole { text, .. } => match message::read(&text) {
                    ParsedLine::Nothing => continue,
                    ParsedLine::Refusal(response) => response,
                    // Before the handshake, the library would end the session for any message except a request.
                    ParsedLine::Message(message) if !self.flow.has_begun() && !is_request(&message) => continue,
                    ParsedLine::Message(message) => match self.admit(&message, text.len()) {
                        Ok(()) => return Some(*message),
                        Err(response) => response,
                    },
                },
            };
            self.outgoing.send(&response).ok()?;
        }
    }

    /// Adds a new request to the requests in flight, or removes the request that the client cancelled.
    ///
    /// # Errors
    /// Fails with the response to a request that can't begin.
    fn admit(&mut self, message: &ClientJsonRpcMessage, bytes: usize) -> Result<(), serde_json::Value> {
        match message {
            JsonRpcMessage::Request(request) => {
                let begun = self.in_flight.begin(request, bytes);
                return begun.map_err(|reason| message::request_not_started(&request.id, reason));
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // The library drops the response to a cancelled request and never calls `send`. So the request is
                    // removed here.
                    self.in_flight.end(id);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Transport<RoleServer> for Connection {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = answered {
            self.in_flight.end(id);
        }
        let sent: Ready<io::Result<()>> = std::future::ready(self.outgoing.send(&message));
        sent
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let message = self.next().await;
        if message.is_none() {
            self.flow.closing().cancel();
        }
        message
    }

    async fn close(&mut self) -> io::Result<()> {
        // The message is only queued here. A separate task writes it.
        Ok(())
    }
}

fn is_request(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(_))
}

/// Returns the next line, once fewer requests are in flight than allowed. Returns `None` when the input has ended and
/// no requests are in flight.
///
/// If a response has to be sent first, this future never finishes. That blocks nothing: [`Transport::send`] needs the
/// connection that this future borrows, so the library drops the future before it sends a response. Then the library
/// calls [`Transport::receive`] again.
async fn next_line(lines: &mut Lines, in_flight: &InFlight, flow: &Flow) -> Option<Line> {
    if in_flight.is_full() {
        std::future::pending::<()>().await;
    }
    flow.wait_for_reader().await;
    let line = lines.next().await;
    if line.is_none() && !in_flight.calls.is_empty() {
        std::future::pending::<()>().await;
    }
    line
}
