//! Asks the user to confirm a change that can't be undone, such as deleting an entry.
//!
//! The tools for such changes fail with `CONFIRMATION_REQUIRED` unless the argument `confirm` contains a code. If the
//! client can show a form (elicitation), the server handles this error: it asks the user, and calls the tool again with
//! the code if the user accepts. The model doesn't get the code, so it can't confirm in the user's place. For other
//! clients, the model gets the error with the code, asks the user in the chat, and calls the tool again.
//!
//! With protocol versions that have a handshake, the server asks while the call is running. With the version without a
//! handshake, the response contains the question and the code, and the client repeats the call with the user's answer
//! and the code. A client could change the code, but the tool accepts only the code of the current entries.

use std::collections::BTreeMap;

use dayledger_mcp::{Caller, Calls, ToolEntry};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, ServerRequest,
};
use rmcp::service::RequestContext;

use super::history_handler::HistoryHandler;
use crate::request::Error;
use crate::timesheet::codes;

/// The argument with the code.
const ARGUMENT: &str = "confirm";
/// The key of the question in responses of the protocol version without a handshake.
const QUESTION: &str = "confirmation";

/// Calls a tool. If the tool requires a confirmation and the client can show a form, asks the user first.
pub(super) async fn call<R: HistoryHandler>(
    calls: &Calls<R>,
    context: &RequestContext<RoleServer>,
    entry: &ToolEntry<R>,
    caller: Caller,
    request: CallToolRequestParams,
) -> CallToolResponse {
    let mut arguments = request.arguments.unwrap_or_default();
    if let Some(answer) = request.input_responses.as_ref().and_then(|responses| responses.get(QUESTION)) {
        if let Err(error) = check_answer(serde_json::from_value(answer.clone()).ok()) {
            return calls.response(context, entry, Err(error));
        }
        arguments.insert(ARGUMENT.to_owned(), request.request_state.unwrap_or_default().into());
    }
    // The user is asked again if the entries change between the question and the answer.
    loop {
        let outcome = calls.try_call(context, entry, caller.clone(), arguments.clone()).await;
        let Some((question, code)) =
            outcome.as_ref().err().and_then(question_and_code).filter(|_| shows_forms(context))
        else {
            return calls.response(context, entry, outcome);
        };
        if context.protocol_version().is_none_or(|version| !version.has_initialize()) {
            let request = InputRequest::Elicitation(ElicitRequest::new(form(question)));
            let requests = InputRequests::from([(QUESTION.to_owned(), request)]);
            return InputRequiredResult::new(Some(requests), Some(code)).into();
        }
        if let Err(error) = check_answer(ask(calls, context, question).await) {
            return calls.response(context, entry, Err(error));
        }
        arguments.insert(ARGUMENT.to_owned(), code.into());
    }
}

/// Returns the question for the user and the code, if `error` requires a confirmation.
fn question_and_code(error: &Error) -> Option<(String, String)> {
    let code = error.allowed.first().filter(|_| error.code == codes::CONFIRMATION_REQUIRED)?;
    Some((error.message.clone(), code.clone()))
}

/// Whether the client can show a form. A client that declares elicitation without a mode can show forms.
fn shows_forms(context: &RequestContext<RoleServer>) -> bool {
    let modes = context.client_capabilities().and_then(|client| client.elicitation);
    modes.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// Returns a form without fields: the user accepts or declines it.
fn form(question: String) -> ElicitRequestParams {
    let requested_schema = ElicitationSchema::new(BTreeMap::new());
    ElicitRequestParams::FormElicitationParams { meta: None, message: question, requested_schema }
}

/// Asks the user while the call is running. Returns `None` without an answer: if the client fails, cancels the call or
/// closes the connection. The server waits without a time limit, because the user may be away. Meanwhile, other calls
/// can run.
async fn ask<R: HistoryHandler>(
    calls: &Calls<R>,
    context: &RequestContext<RoleServer>,
    question: String,
) -> Option<ElicitResult> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form(question)));
    let answer = context.ct.run_until_cancelled(context.peer.send_request(request));
    match calls.flow.closing().run_until_cancelled(answer).await?? {
        Ok(ClientResult::ElicitResult(answer)) => Some(answer),
        _ => None,
    }
}

/// Checks that the user accepted.
///
/// # Errors
/// `NOT_CONFIRMED` if the user declined, or didn't answer.
fn check_answer(answer: Option<ElicitResult>) -> Result<(), Error> {
    let reason = match answer.map(|answer| answer.action) {
        Some(ElicitationAction::Accept) => return Ok(()),
        Some(ElicitationAction::Decline) => "the user declined the change",
        _ => "the user did not answer the question",
    };
    let message = format!("nothing was changed: {reason}");
    Err(Error::new(codes::NOT_CONFIRMED, message, "call again only if the user asks for it"))
}
