//! The settings of a source: the locator, the limits and the privacy settings. They can be
//! serialised for another process of dayledger.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::locate::Locator;
use dayledger_source::Privacy;

/// The settings of a [`Source`](super::Source).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) locator: Locator,
    pub(super) busy_timeout: Duration,
    /// The timeout of a read. For large files, more time is added to it.
    pub(super) patience: Duration,
    /// The time that the file stays open after the last request.
    pub(super) idle_patience: Duration,
    /// The maximum memory for cached data, in bytes.
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
    fn another_process_reads_the_same_history_with_the_same_privacy() {
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

    #[cfg(unix)] // only Unix has paths with arbitrary bytes
    #[test]
    fn path_that_is_not_unicode_is_serialized() {
        use std::os::unix::ffi::OsStringExt;
        let place = OsString::from_vec(b"/histories/\xff".to_vec());
        let source = Source::new(Locator::from_path(place, FoundBy::Flag));
        let read: Source = serde_json::from_str(&serde_json::to_string(&source).unwrap()).unwrap();
        assert_eq!(format!("{:?}", read.settings.locator), format!("{:?}", source.settings.locator));
    }
}
