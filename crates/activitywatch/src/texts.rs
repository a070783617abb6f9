//! Stores each distinct text once.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The number of a text in [`Texts`].
pub(crate) type TextId = u32;

/// The number of a text, or [`MaybeText::NONE`]. It uses four bytes, half as many as `Option<TextId>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MaybeText(TextId);

impl MaybeText {
    /// The value if there is no text.
    pub(crate) const NONE: Self = Self(TextId::MAX);

    pub(crate) fn get(self) -> Option<TextId> {
        (self != Self::NONE).then_some(self.0)
    }
}

impl From<Option<TextId>> for MaybeText {
    fn from(text: Option<TextId>) -> Self {
        text.map_or(Self::NONE, Self)
    }
}

/// Distinct texts. Many events have the same title, application or URL.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    bytes: String,
    /// The end of each text in `bytes`.
    ends: Vec<usize>,
    /// The number of each text, by its hash. If two texts have the same hash, the key of the second text is the next
    /// unused hash.
    ids: HashMap<u64, TextId>,
    hasher: RandomState,
}

impl Texts {
    /// Returns the number of a text. Adds the text if it is new.
    pub(crate) fn add(&mut self, text: &str) -> TextId {
        let mut hash = self.hasher.hash_one(text);
        while let Some(id) = self.ids.get(&hash) {
            if self.get(*id) == text {
                return *id;
            }
            hash = hash.wrapping_add(1);
        }
        // The conversion can't fail, because a file with more texts than `TextId` can count is larger than 100 GB.
        // Reading such a file times out.
        let id = TextId::try_from(self.ends.len()).unwrap_or(TextId::MAX);
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        self.ids.insert(hash, id);
        id
    }

    /// Returns the text with this number.
    pub(crate) fn get(&self, id: TextId) -> &str {
        let index = id as usize;
        let start = index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_number() {
        let mut texts = Texts::default();
        let ids = ["one", "", "two", "one", ""].map(|text| texts.add(text));
        assert_eq!(ids, [0, 1, 2, 0, 1]);
        assert_eq!(ids.map(|id| texts.get(id).to_owned()), ["one", "", "two", "one", ""]);
    }
}
