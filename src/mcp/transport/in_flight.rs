//! The requests that are not answered yet.

use std::collections::HashMap;

use rmcp::model::{ClientRequest, JsonRpcRequest, RequestId};

/// How many requests may be in flight.
const REQUESTS: usize = 1024;
/// How long the messages of all requests in flight may be together; a longer one is in flight alone.
const BYTES: usize = 8 << 20;

/// The requests in flight by their ids.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    requests: HashMap<RequestId, Request>,
    bytes: usize,
}

#[derive(Debug)]
struct Request {
    bytes: usize,
    /// A subscription is answered when it ends, so that nothing waits for its answer.
    awaited: bool,
}

impl InFlight {
    /// Notes a request; false where its id is in flight already.
    pub(super) fn begin(&mut self, request: &JsonRpcRequest<ClientRequest>, bytes: usize) -> bool {
        if self.requests.contains_key(&request.id) {
            return false;
        }
        let awaited = !matches!(request.request, ClientRequest::SubscriptionsListenRequest(_));
        self.requests.insert(request.id.clone(), Request { bytes, awaited });
        self.bytes += bytes;
        true
    }

    /// Notes that a request is answered or cancelled.
    pub(super) fn end(&mut self, id: &RequestId) {
        if let Some(request) = self.requests.remove(id) {
            self.bytes -= request.bytes;
        }
    }

    /// Whether nothing more may come.
    pub(super) fn is_full(&self) -> bool {
        self.requests.len() >= REQUESTS || self.bytes >= BYTES
    }

    /// Whether an answer is awaited.
    pub(super) fn is_awaited(&self) -> bool {
        self.requests.values().any(|request| request.awaited)
    }
}
