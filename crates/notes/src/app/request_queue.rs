//! The queue of requests and messages, independent of a connection.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::message::{Incoming, Trigger, application_error, current_file_request};
use crate::refusal::{Code, Refusal};

/// The time in which [`MAX_TRIGGERS`] are accepted.
const TRIGGER_WINDOW: Duration = Duration::from_mins(1);

/// The limit for triggers. Each can send a note to a model, and any program on this machine can listen on the
/// application's port.
const MAX_TRIGGERS: usize = 6;

/// A command from a handle to the task.
pub(super) enum Command {
    /// Request the open note.
    Request(Reply),
    /// Send this message.
    Send(String),
}

/// The channel for a response.
type Reply = oneshot::Sender<Result<Value, Refusal>>;

/// Unsent requests, requests that wait for a response, unsent messages, and the channel of triggers.
pub(super) struct RequestQueue {
    unsent: VecDeque<Reply>,
    sent: HashMap<String, Reply>,
    outbox: Outbox,
    count: u64,
    triggers: mpsc::Sender<Trigger>,
    /// When the triggers of the last minute were accepted.
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

    /// Whether a request waits for a connection.
    pub(super) fn has_requests(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Returns the next message to send. A push is returned again until [`Self::mark_sent`]; a request then waits for
    /// its response.
    pub(super) fn next(&mut self) -> Option<Outgoing> {
        if let Some(message) = self.outbox.oldest() {
            return Some(Outgoing::Push(message.to_owned()));
        }
        self.sent.retain(|_, reply| !reply.is_closed());
        // The caller of a request that took too long has gone.
        let reply = std::iter::from_fn(|| self.unsent.pop_front()).find(|reply| !reply.is_closed())?;
        self.count += 1;
        let id = format!("req-{}", self.count);
        let message = current_file_request(&id);
        self.sent.insert(id, reply);
        Some(Outgoing::Question(message))
    }

    /// Marks the oldest push as sent.
    pub(super) fn mark_sent(&mut self) {
        self.outbox.remove_oldest();
    }

    /// Handles a message of the application. Drops one that isn't understood or that responds to an unknown request.
    pub(super) fn handle_message(&mut self, text: &str) {
        match Incoming::read(text) {
            Incoming::Answer { id, answer } => {
                let Some(reply) = self.sent.remove(&id) else {
                    tracing::debug!("an answer of the application to nothing that waits for one");
                    return;
                };
                // The caller may have gone.
                let _gone = reply.send(answer.map_err(|error| application_error(&error)));
            }
            Incoming::Trigger(trigger) => {
                if !self.accepts_trigger() {
                    tracing::debug!("more than {MAX_TRIGGERS} requests of the application within a minute");
                } else if self.triggers.try_send(trigger).is_err() {
                    tracing::debug!("ignored a request of the application to process a note");
                }
            }
            Incoming::Nothing => {
                tracing::debug!(bytes = text.len(), "a message of the application that is not understood");
            }
        }
    }

    /// Whether another trigger is accepted now. The limit applies across connections.
    fn accepts_trigger(&mut self) -> bool {
        let now = Instant::now();
        self.accepted.retain(|accepted| now.duration_since(*accepted) < TRIGGER_WINDOW);
        let accepts = self.accepted.len() < MAX_TRIGGERS;
        if accepts {
            self.accepted.push(now);
        }
        accepts
    }

    /// Fails all pending requests.
    pub(super) fn fail_all(&mut self, why: &str) {
        let replies = self.sent.drain().map(|(_, reply)| reply).chain(self.unsent.drain(..));
        for reply in replies {
            let _gone = reply.send(Err(Refusal::new(Code::AppNotConnected, why)));
        }
    }
}

/// A message to send.
pub(super) enum Outgoing {
    /// Complete once it is sent.
    Push(String),
    /// Ends with a response, or with the connection.
    Question(String),
}

/// The maximum number of messages, which is more than a day of work with the application closed.
const MAX_MESSAGES: usize = 256;

/// The maximum size of all messages together, unless a single one is larger.
const MAX_BYTES: usize = 4 << 20;

/// The unsent messages, oldest first.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    messages: VecDeque<String>,
    bytes: usize,
}

impl Outbox {
    /// Adds a message. Drops the oldest ones if the queue is too long.
    pub(super) fn put(&mut self, message: String) {
        self.bytes += message.len();
        self.messages.push_back(message);
        while self.messages.len() > MAX_MESSAGES || (self.bytes > MAX_BYTES && self.messages.len() > 1) {
            tracing::warn!("the oldest message to the application is dropped, since it is away and too many wait");
            self.remove_oldest();
        }
    }

    /// Returns the oldest message, which stays in the queue until it is sent.
    pub(super) fn oldest(&self) -> Option<&str> {
        self.messages.front().map(String::as_str)
    }

    /// Removes the oldest message after it was sent.
    pub(super) fn remove_oldest(&mut self) {
        self.bytes -= self.messages.pop_front().map_or(0, |message| message.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_message_is_discarded_if_there_are_too_many() {
        let mut outbox = Outbox::default();
        for place in 0..=MAX_MESSAGES {
            outbox.put(place.to_string());
        }
        assert_eq!((outbox.oldest(), outbox.messages.len()), (Some("1"), MAX_MESSAGES));
    }

    #[test]
    fn oldest_messages_are_discarded_if_their_total_size_is_too_large() {
        let mut outbox = Outbox::default();
        for letter in ["a", "b", "c", "d"] {
            outbox.put(letter.repeat(MAX_BYTES / 2));
        }
        let letters: Vec<_> = outbox.messages.iter().map(|message| &message[..1]).collect();
        assert_eq!((letters, outbox.bytes), (vec!["c", "d"], MAX_BYTES));
        outbox.put("e".repeat(MAX_BYTES + 1));
        assert_eq!((outbox.messages.len(), outbox.bytes), (1, MAX_BYTES + 1));
        outbox.remove_oldest();
        assert_eq!((outbox.oldest(), outbox.bytes), (None, 0));
    }
}
