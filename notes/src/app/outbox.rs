//! What is still to be told.

use std::collections::VecDeque;

use super::message::Push;

/// More than a day of work with the application closed comes to.
const MOST: usize = 256;

/// What is still to be told to the application, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Outbox(VecDeque<Push>);

impl Outbox {
    /// Adds the newest; the oldest is given up where there are too many.
    pub(super) fn put(&mut self, push: Push) {
        if self.0.len() >= MOST {
            tracing::warn!("the oldest message to the application is dropped, since it is away and {MOST} wait");
            self.0.pop_front();
        }
        self.0.push_back(push);
    }

    /// The oldest, which stays until it is told.
    pub(super) fn oldest(&self) -> Option<&Push> {
        self.0.front()
    }

    /// The oldest was told.
    pub(super) fn told(&mut self) {
        self.0.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_given_up() {
        let mut outbox = Outbox::default();
        for place in 0..=MOST {
            outbox.put(Push::Error { path: None, error: place.to_string() });
        }
        assert_eq!(outbox.oldest(), Some(&Push::Error { path: None, error: "1".to_owned() }));
        assert_eq!(outbox.0.len(), MOST);
    }
}
