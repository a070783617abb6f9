//! What was asked and is to be told, apart from any connection.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::refusal::{Code, Refusal};

use super::answer::application_error;
use super::message::{Incoming, Trigger, current_file_request};
use super::outbox::Outbox;

/// The time in which [`MAX_TRIGGERS`] are accepted.
const TRIGGER_WINDOW: Duration = Duration::from_mins(1);

/// Each trigger can send a note to a model, and any program of this machine can listen at the port of the application.
const MAX_TRIGGERS: usize = 6;

/// What a handle wants of the task.
pub(super) enum Command {
    /// The open note.
    Request(Reply),
    /// That the application be sent this message.
    Send(String),
}

/// Where an answer goes.
type Reply = oneshot::Sender<Result<Value, Refusal>>;

/// Questions that are not asked yet, those that wait for an answer, what is to be told, and who serves triggers.
pub(super) struct RequestQueue {
    unsent: VecDeque<Reply>,
    sent: HashMap<String, Reply>,
    outbox: Outbox,
    count: u64,
    triggers: mpsc::Sender<Trigger>,
    /// When triggers of the last minute were accepted.
    accepted: Vec<Instant>,
}

impl RequestQueue {
    pub(super) fn new(triggers: mpsc::Sender<Trigger>) -> Self {
        Self {
            unsent: VecDeque::new(),
            sent: HashMap::new(),
            outbox: Outbox::default(),
            count: 0,
            triggers,
            accepted: Vec::new(),
        }
    }

    pub(super) fn handle_command(&mut self, wish: Command) {
        match wish {
            Command::Request(reply) => self.unsent.push_back(reply),
            Command::Send(message) => self.outbox.put(message),
        }
    }

    /// Whether somebody waits for a connection to get an answer.
    pub(super) fn has_requests(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// The next message to send. One that is to be told is given again until [`Self::told`]; a question that was given
    /// waits for its answer.
    pub(super) fn next(&mut self) -> Option<Outgoing> {
        if let Some(message) = self.outbox.oldest() {
            return Some(Outgoing::Push(message.to_owned()));
        }
        self.sent.retain(|_, reply| !reply.is_closed());
        // Nobody waits any more for one that took too long.
        let reply = std::iter::from_fn(|| self.unsent.pop_front()).find(|reply| !reply.is_closed())?;
        self.count += 1;
        let id = format!("req-{}", self.count);
        let message = current_file_request(&id);
        self.sent.insert(id, reply);
        Some(Outgoing::Question(message))
    }

    /// What was to be told was sent.
    pub(super) fn mark_sent(&mut self) {
        self.outbox.remove_oldest();
    }

    /// Deals with a message of the application. One that is not understood, or answers nothing that was asked, is
    /// dropped.
    pub(super) fn handle_message(&mut self, text: &str) {
        match Incoming::read(text) {
            Incoming::Answer { id, answer } => {
                let Some(reply) = self.sent.remove(&id) else {
                    tracing::debug!("an answer of the application to nothing that waits for one");
                    return;
                };
                // Whoever asked may have gone.
                let _gone = reply.send(answer.map_err(|error| application_error(&error)));
            }
            Incoming::Trigger(trigger) => {
                if !self.accepts_trigger() {
                    tracing::debug!("more than {MAX_TRIGGERS} requests of the application within a minute");
                } else if self.triggers.try_send(trigger).is_err() {
                    tracing::debug!("the application asks to process a note, and nobody here does");
                }
            }
            Incoming::Nothing => {
                tracing::debug!(bytes = text.len(), "a message of the application that is not understood");
            }
        }
    }

    /// Whether one more trigger is accepted now, which counts across connections.
    fn accepts_trigger(&mut self) -> bool {
        let now = Instant::now();
        self.accepted.retain(|accepted| now.duration_since(*accepted) < TRIGGER_WINDOW);
        let accepts = self.accepted.len() < MAX_TRIGGERS;
        if accepts {
            self.accepted.push(now);
        }
        accepts
    }

    /// Nobody will answer what was asked.
    pub(super) fn fail_all(&mut self, why: &str) {
        let replies = self.sent.drain().map(|(_, reply)| reply).chain(self.unsent.drain(..));
        for reply in replies {
            let _gone = reply.send(Err(Refusal::new(Code::AppNotConnected, why)));
        }
    }
}

/// A message to send.
pub(super) enum Outgoing {
    /// It is told once it is sent.
    Push(String),
    /// It is answered, or fails with the connection.
    Question(String),
}
