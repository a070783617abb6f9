//! The requests that are not answered yet.

use std::collections::HashSet;

use rmcp::model::{ClientRequest, JsonRpcRequest, RequestId};

/// How many subscriptions may be open: nobody answers them, so that a client that forgets them has them all.
const SUBSCRIPTIONS: usize = 64;

/// The requests in flight by their ids.
///
/// A subscription is answered when it ends, so that nothing waits for its answer.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    awaited: HashSet<RequestId>,
    subscriptions: HashSet<RequestId>,
}

/// Why a request cannot begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// Its id is in flight already.
    Repeated,
    /// It is a subscription, and enough are open.
    Subscriptions,
}

impl InFlight {
    /// Notes a request.
    ///
    /// # Errors
    /// Why it is to be refused.
    pub(super) fn begin(&mut self, request: &JsonRpcRequest<ClientRequest>) -> Result<(), Refused> {
        if self.awaited.contains(&request.id) || self.subscriptions.contains(&request.id) {
            return Err(Refused::Repeated);
        }
        if !matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) {
            self.awaited.insert(request.id.clone());
        } else if self.subscriptions.len() < SUBSCRIPTIONS {
            self.subscriptions.insert(request.id.clone());
        } else {
            return Err(Refused::Subscriptions);
        }
        Ok(())
    }

    /// Notes that a request is answered or cancelled.
    pub(super) fn end(&mut self, id: &RequestId) {
        self.awaited.remove(id);
        self.subscriptions.remove(id);
    }

    /// Whether an answer is awaited.
    pub(super) fn is_awaited(&self) -> bool {
        !self.awaited.is_empty()
    }
}
