//! The time trackers that dayledger supports. No other file of the program opens the history of a tracker.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::export::ExportHistory;
use crate::manictime::{Locator, Source};
use crate::source::{FoundBy, HistorySource};

/// Returns the history at `path`, which is a tracker's folder or its database. The history doesn't have to exist yet.
pub(crate) fn history_at(path: impl Into<PathBuf>, found_by: FoundBy) -> Arc<dyn HistorySource> {
    Arc::new(Source::new(Locator::from_path(path, found_by)))
}

/// Returns the history in a tracker's default folder on this platform, inside the user's folders for settings and for
/// local data. The history doesn't have to exist yet.
pub(crate) fn default_history(settings: &Path, local_data: &Path) -> Arc<dyn HistorySource> {
    Arc::new(Source::new(Locator::new_for_platform(settings, local_data)))
}

/// The settings of a history, from which another process of this program opens it. It doesn't implement `Debug`, because
/// the settings contain the patterns of hidden applications, which are private.
#[derive(Serialize, Deserialize)]
pub(crate) struct HistorySettings {
    /// The result of [`HistorySource::name`].
    tracker: String,
    /// The result of [`HistorySource::settings`].
    settings: serde_json::Value,
}

impl HistorySettings {
    /// Returns the settings of `source`.
    ///
    /// # Errors
    /// Fails like [`HistorySource::settings`].
    pub(crate) fn from_source(source: &dyn HistorySource) -> serde_json::Result<Self> {
        Ok(Self { tracker: source.name().to_owned(), settings: source.settings()? })
    }

    /// Returns the history.
    ///
    /// # Errors
    /// Fails if the tracker is unknown, or if these are not its settings.
    pub(crate) fn open(self) -> serde_json::Result<Arc<dyn HistorySource>> {
        match self.tracker.as_str() {
            "manictime" => Ok(Arc::new(serde_json::from_value::<Source>(self.settings)?)),
            "export" => Ok(Arc::new(serde_json::from_value::<ExportHistory>(self.settings)?)),
            unknown => Err(serde_json::Error::custom(format!("unknown time tracker `{unknown}`"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::{Pattern, Privacy, Redaction};

    #[test]
    fn history_opened_from_its_settings_is_the_same_history_with_the_same_privacy() {
        let hidden = [Pattern::parse("keepass*").unwrap()];
        let source = history_at("/histories/one", FoundBy::Configuration);
        let source = source.with_privacy(Privacy::new([Redaction::Urls], hidden, []));
        let settings = serde_json::to_string(&HistorySettings::from_source(&*source).unwrap()).unwrap();
        let opened = serde_json::from_str::<HistorySettings>(&settings).unwrap().open().unwrap();
        assert_eq!((opened.name(), opened.settings().unwrap()), (source.name(), source.settings().unwrap()));
    }

    #[test]
    fn settings_of_an_unknown_tracker_are_an_error() {
        let settings: HistorySettings =
            serde_json::from_value(json!({"tracker": "sundial", "settings": {"place": "garden"}})).unwrap();
        let error = settings.open().unwrap_err().to_string();
        assert!(error.contains("unknown time tracker `sundial`"), "{error}");
    }
}
