//! Determines the folders in which a client lets tools write files, from the roots that the client declares.
//!
//! With protocol versions that have a handshake, the server requests the roots while the call runs. With the version
//! without a handshake, the server responds that the call needs the roots, and the client repeats the call with the
//! roots. If a client has no roots or doesn't return its roots, tools can't write to any folder of the client.

#![expect(deprecated, reason = "clients send the writable folders as roots, and have no other way yet")]

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, InputRequest, InputRequests, InputRequiredResult, ListRootsRequest, ListRootsResult,
};
use rmcp::service::RequestContext;

use crate::screenshots::{AllowedBy, AllowedDirectory, folder_of_root};

/// The key of the roots in responses of the protocol version without a handshake.
const ROOTS: &str = "roots";

/// How long a client may take to return its roots.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The folders of a client's roots, or a response that requests them.
pub(super) enum Roots {
    Known(Vec<AllowedDirectory>),
    Request(InputRequiredResult),
}

/// Returns the roots of the client that sent `request`.
pub(super) async fn client_roots(request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Roots {
    if context.client_capabilities().is_none_or(|client| client.roots.is_none()) {
        return Roots::Known(Vec::new());
    }
    if context.protocol_version().is_some_and(|version| version.has_initialize()) {
        let response = tokio::time::timeout(TIMEOUT, context.peer.list_roots()).await;
        return Roots::Known(response.ok().and_then(Result::ok).as_ref().map(folders).unwrap_or_default());
    }
    let Some(responses) = &request.input_responses else {
        let ask = InputRequest::ListRoots(ListRootsRequest::default());
        return Roots::Request(InputRequiredResult::from_input_requests(InputRequests::from([(
            ROOTS.to_owned(),
            ask,
        )])));
    };
    let roots = responses.get(ROOTS).and_then(|response| serde_json::from_value(response.clone()).ok());
    Roots::Known(roots.as_ref().map(folders).unwrap_or_default())
}

/// Returns the roots that are folders on this machine.
fn folders(response: &ListRootsResult) -> Vec<AllowedDirectory> {
    let folder = |uri: &str| Some(AllowedDirectory { directory: folder_of_root(uri)?, allowed_by: AllowedBy::Root });
    response.roots.iter().filter_map(|root| folder(&root.uri)).collect()
}
