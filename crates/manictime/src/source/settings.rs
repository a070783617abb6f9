//! Everything that a source is made with, and nothing that it has read: where the history is looked for, how long and
//! how much of it may be read, and what of it may be told. It can be written down for another process of this program.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::locate::Locator;
use dayledger_source::Privacy;

/// What a [`Source`](super::Source) is made with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) locator: Locator,
    pub(super) busy_timeout: Duration,
    /// How long a read may take of a file of no size.
    pub(super) patience: Duration,
    /// How long the file stays open without a question.
    pub(super) idle_patience: Duration,
    /// How many bytes may be kept for later questions.
    pub(super) memory: usize,
    pub(super) privacy: Privacy,
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::super::Source;
    use super::*;
    use dayledger_source::{FoundBy, Pattern, Redaction};

    #[test]
    fn another_process_looks_in_the_same_places_under_the_same_switches() {
        let hidden = || [Pattern::parse("keepass*").unwrap()];
        let source = Source::new(Locator::from_path("/histories/one", FoundBy::Configuration))
            .with_privacy(Privacy::new([Redaction::Urls], hidden(), hidden()));
        let written = serde_json::to_string(&source).unwrap();
        let read: Source = serde_json::from_str(&written).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
        assert_eq!(read.privacy().summary(), source.privacy().summary());
        assert!(
            read.privacy().is_hidden_application(&["KeePassXC"]) && !read.privacy().is_hidden_application(&["Mail"])
        );
        assert_eq!(format!("{:?}", read.settings.locator), format!("{:?}", source.settings.locator));
    }

    #[cfg(unix)] // a name that is no Unicode is bytes on Unix
    #[test]
    fn path_that_is_not_unicode_is_serialized() {
        use std::os::unix::ffi::OsStringExt;
        let place = OsString::from_vec(b"/histories/\xff".to_vec());
        let source = Source::new(Locator::from_path(place, FoundBy::Flag));
        let read: Source = serde_json::from_str(&serde_json::to_string(&source).unwrap()).unwrap();
        assert_eq!(format!("{:?}", read.settings.locator), format!("{:?}", source.settings.locator));
    }
}
