//! The queue of messages to the application.

use std::collections::VecDeque;

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
    fn oldest_of_too_many_messages_is_given_up() {
        let mut outbox = Outbox::default();
        for place in 0..=MAX_MESSAGES {
            outbox.put(place.to_string());
        }
        assert_eq!((outbox.oldest(), outbox.messages.len()), (Some("1"), MAX_MESSAGES));
    }

    #[test]
    fn oldest_messages_are_given_up_if_all_are_too_large_together() {
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
