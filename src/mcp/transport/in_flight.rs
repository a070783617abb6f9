//! The requests that are not answered yet.

use std::collections::HashMap;

use rmcp::model::{ClientRequest, JsonRpcRequest, RequestId};

/// How many requests may be in flight.
const REQUESTS: usize = 1024;
/// How long the messages of all requests in flight may be together; a longer one is in flight alone.
const BYTES: usize = 8 << 20;
/// How many subscriptions may be open: nobody answers them, so that they end only when the client wants it.
const SUBSCRIPTIONS: usize = 64;
/// How long the messages of all open subscriptions may be together; a longer one is open alone.
const SUBSCRIPTION_BYTES: usize = 1 << 20;

/// The requests in flight by their ids.
///
/// A subscription is answered when it ends, so that nothing waits for its answer. It takes no room from the others:
/// where all were subscriptions, no message could come that ends one.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    requests: HashMap<RequestId, Request>,
    awaited: Share,
    subscriptions: Share,
}

/// Why a request cannot begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// Its id is in flight already.
    Repeated,
    /// It is a subscription, and enough are open.
    Subscriptions,
}

#[derive(Debug)]
struct Request {
    bytes: usize,
    is_subscription: bool,
}

/// What requests of one kind take together.
#[derive(Debug, Default)]
struct Share {
    requests: usize,
    bytes: usize,
}

impl InFlight {
    /// Notes a request.
    ///
    /// # Errors
    /// Why it is to be refused.
    pub(super) fn begin(&mut self, request: &JsonRpcRequest<ClientRequest>, bytes: usize) -> Result<(), Refused> {
        if self.requests.contains_key(&request.id) {
            return Err(Refused::Repeated);
        }
        let is_subscription = matches!(request.request, ClientRequest::SubscriptionsListenRequest(_));
        let open = &self.subscriptions;
        let is_too_long = open.requests > 0 && open.bytes + bytes > SUBSCRIPTION_BYTES;
        if is_subscription && (open.requests >= SUBSCRIPTIONS || is_too_long) {
            return Err(Refused::Subscriptions);
        }
        self.requests.insert(request.id.clone(), Request { bytes, is_subscription });
        let share = self.share(is_subscription);
        share.requests += 1;
        share.bytes += bytes;
        Ok(())
    }

    /// Notes that a request is answered or cancelled.
    pub(super) fn end(&mut self, id: &RequestId) {
        if let Some(Request { bytes, is_subscription }) = self.requests.remove(id) {
            let share = self.share(is_subscription);
            share.requests -= 1;
            share.bytes -= bytes;
        }
    }

    /// Whether nothing more may come.
    pub(super) fn is_full(&self) -> bool {
        self.awaited.requests >= REQUESTS || self.awaited.bytes >= BYTES
    }

    /// Whether an answer is awaited.
    pub(super) fn is_awaited(&self) -> bool {
        self.awaited.requests > 0
    }

    fn share(&mut self, is_subscription: bool) -> &mut Share {
        if is_subscription { &mut self.subscriptions } else { &mut self.awaited }
    }
}
