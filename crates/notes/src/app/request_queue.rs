//! The queue of requests and messages. The queue is kept when a connection is lost.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::message::{Incoming, Trigger, application_error, current_file_request};
use crate::refusal::{Code, Refusal};

/// The period in which at most [`MAX_TRIGGERS`] triggers are accepted.
const TRIGGER_WINDOW: Duration = Duration::from_mins(1);

/// The maximum number of triggers per [`TRIGGER_WINDOW`]. There is a limit because each trigger can send a note to a
/// model, and any program on this machine can listen on Chronicle's port.
const MAX_TRIGGERS: usize = 6;

/// A command from an [`App`](super::handle::App) to the task that maintains the connection.
pub(super) enum Command {
    /// Request the open note, and send the response to this channel.
    Request(Reply),
    /// Send this message.
    Send(String),
}

/// The channel for the response to a request.
type Reply = oneshot::Sender<Result<Value, Refusal>>;

/// Unsent requests, requests that wait for a response, unsent messages, and the channel for triggers.
pub(super) struct RequestQueue {
    unsent: VecDeque<Reply>,
    sent: HashMap<String, Reply>,
    outbox: Outbox,
    count: u64,
    triggers: mpsc::Sender<Trigger>,
    /// The times at which the triggers of the last minute were accepted.
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

    /// Whether an unsent request waits for a connection.
    pub(super) fn has_requests(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Returns the next message to send. A push stays the next message until [`Self::mark_sent`] is called. A request
    /// is returned once and then waits for its response.
    pub(super) fn next(&mut self) -> Option<Outgoing> {
        if let Some(message) = self.outbox.oldest() {
            return Some(Outgoing::Push(message.to_owned()));
        }
        self.sent.retain(|_, reply| !reply.is_closed());
        // A closed channel means that the caller gave up on its request.
        let reply = std::iter::from_fn(|| self.unsent.pop_front()).find(|reply| !reply.is_closed())?;
        self.count += 1;
        let id = format!("req-{}", self.count);
        let message = current_file_request(&id);
        self.sent.insert(id, reply);
        Some(Outgoing::Question(message))
    }

    /// Removes the oldest push, because it was sent.
    pub(super) fn mark_sent(&mut self) {
        self.outbox.remove_oldest();
    }

    /// Handles a message from Chronicle. Ignores unknown messages, and responses to unknown requests.
    pub(super) fn handle_message(&mut self, text: &str) {
        match Incoming::read(text) {
            Incoming::Answer { id, answer } => {
                let Some(reply) = self.sent.remove(&id) else {
                    tracing::debug!("an answer of the application to nothing that waits for one");
                    return;
                };
                // Sending fails if the caller gave up.
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

    /// Whether another trigger is accepted now. The limit also counts triggers of earlier connections.
    fn accepts_trigger(&mut self) -> bool {
        let now = Instant::now();
        self.accepted.retain(|accepted| now.duration_since(*accepted) < TRIGGER_WINDOW);
        let accepts = self.accepted.len() < MAX_TRIGGERS;
        if accepts {
            self.accepted.push(now);
        }
        accepts
    }

    /// Fails all pending requests with the reason `why`.
    pub(super) fn fail_all(&mut self, why: &str) {
        let replies = self.sent.drain().map(|(_, reply)| reply).chain(self.unsent.drain(..));
        for reply in replies {
            let _gone = reply.send(Err(Refusal::new(Code::AppNotConnected, why)));
        }
    }
}

/// A message to send to Chronicle.
pub(super) enum Outgoing {
    /// A message without a response. It is done when it is sent.
    Push(String),
    /// A request. It is done when its response arrives or the connection is lost.
    Question(String),
}

/// The maximum number of unsent messages. A working day produces fewer messages, even if Chronicle is closed all day.
const MAX_MESSAGES: usize = 256;

/// The maximum total size of unsent messages, in bytes. A single message may be larger.
const MAX_BYTES: usize = 4 << 20;

/// The unsent messages, oldest first.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    messages: VecDeque<String>,
    bytes: usize,
}

impl Outbox {
    /// Adds a message. Drops the oldest messages if the queue exceeds a limit.
    pub(super) fn put(&mut self, message: String) {
        self.bytes += message.len();
        self.messages.push_back(message);
        while self.messages.len() > MAX_MESSAGES || (self.bytes > MAX_BYTES && self.messages.len() > 1) {
            tracing::warn!("the oldest message to the application is dropped, since it is away and too many wait");
            self.remove_oldest();
        }
    }

    /// Returns the oldest message without removing it.
    pub(super) fn oldest(&self) -> Option<&str> {
        self.messages.front().map(String::as_str)
    }

    /// Removes the oldest message, because it was sent.
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
