//! A history as it is written down for another process of this program: where it is looked for, and what of it may be
//! told.

use std::ffi::OsString;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Source;
use crate::manictime::{Locator, Privacy};

/// Everything that a [`Source`] was made with, and nothing that it has read.
#[derive(Serialize, Deserialize)]
pub(super) struct Settings {
    locator: Locator,
    busy_timeout: Duration,
    patience: Duration,
    memory: usize,
    privacy: Privacy,
    screenshots: Option<OsString>,
}

impl From<Source> for Settings {
    fn from(source: Source) -> Self {
        Self {
            locator: source.locator.as_ref().clone(),
            busy_timeout: source.busy_timeout,
            patience: source.patience,
            memory: source.memory,
            privacy: source.privacy,
            screenshots: source.screenshots.map(|folder| folder.as_os_str().to_owned()),
        }
    }
}

impl From<Settings> for Source {
    fn from(settings: Settings) -> Self {
        let source = Self::with_busy_timeout(settings.locator, settings.busy_timeout)
            .with_patience(settings.patience)
            .with_memory(settings.memory)
            .with_privacy(settings.privacy);
        match settings.screenshots {
            Some(folder) => source.with_screenshots_in(folder.as_ref()),
            None => source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manictime::{FoundBy, Pattern, Redaction};

    #[test]
    fn another_process_looks_in_the_same_places_under_the_same_switches() {
        let hidden = || [Pattern::parse("keepass*").unwrap()];
        let source = Source::new(Locator::named("/histories/one", FoundBy::Configuration))
            .with_privacy(Privacy::new([Redaction::Urls], hidden(), hidden()))
            .with_screenshots_in("/pictures".as_ref());
        let written = serde_json::to_string(&source).unwrap();
        let read: Source = serde_json::from_str(&written).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
        assert_eq!(read.privacy.summary(), source.privacy.summary());
        assert!(read.privacy.names_application(&["KeePassXC"]) && !read.privacy.names_application(&["Mail"]));
        assert_eq!(read.screenshots, source.screenshots);
        assert_eq!(format!("{:?}", read.locator), format!("{:?}", source.locator));
    }

    #[cfg(unix)]
    #[test]
    fn a_place_that_is_not_unicode_is_written_down_too() {
        use std::os::unix::ffi::OsStringExt;
        let place = OsString::from_vec(b"/histories/\xff".to_vec());
        let source = Source::new(Locator::named(place, FoundBy::Flag));
        let read: Source = serde_json::from_str(&serde_json::to_string(&source).unwrap()).unwrap();
        assert_eq!(format!("{:?}", read.locator), format!("{:?}", source.locator));
    }
}
