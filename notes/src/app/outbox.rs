//! Messages that are still to be sent to the application.

use std::collections::VecDeque;

/// More than a day of work with the application closed comes to.
const MAX_MESSAGES: usize = 256;

/// All of them together have at most that many bytes, unless one alone has more.
const MAX_BYTES: usize = 4 << 20;

/// The messages that are still to be sent, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    messages: VecDeque<String>,
    bytes: usize,
}

impl Outbox {
    /// Adds the newest. The oldest are given up if there are too many.
    pub(super) fn put(&mut self, message: String) {
        self.bytes += message.len();
        self.messages.push_back(message);
        while self.messages.len() > MAX_MESSAGES || (self.bytes > MAX_BYTES && self.messages.len() > 1) {
            tracing::warn!("the oldest message to the application is dropped, since it is away and too many wait");
            self.remove_oldest();
        }
    }

    /// The oldest, which stays until it is told.
    pub(super) fn oldest(&self) -> Option<&str> {
        self.messages.front().map(String::as_str)
    }

    /// The oldest was told.
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
