//! The settings of the trackers' APIs: the table `[timesheet.push]`.

use std::path::{Path, PathBuf};

use dayledger_core::Error;
use serde::{Deserialize, Deserializer};

use super::api::{Api, ApiToken};
use super::harvest::Harvest;
use super::kimai::Kimai;
use super::{Options, PushTarget, PushTracker};
use crate::http::Endpoint;

/// The address of Harvest's API.
const HARVEST_URL: &str = "https://api.harvestapp.com";

/// The accounts at trackers: the table `[timesheet.push]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PushSettings {
    harvest: AccountSettings,
    kimai: AccountSettings,
}

/// An account at a tracker.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AccountSettings {
    /// The ID of the Harvest account.
    account: Option<String>,
    /// The address of the tracker. Each spelling of an address gives the same value, because rows are stored under the
    /// address.
    #[serde(deserialize_with = "read_url")]
    url: Option<Endpoint>,
    /// A file that contains the token. A relative path starts at the folder of the configuration file.
    token_file: Option<PathBuf>,
}

/// Reads the address of a tracker.
fn read_url<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Endpoint>, D::Error> {
    Endpoint::deserialize(from).map(|url| Some(url.without_trailing_slash()))
}

impl PushSettings {
    /// Returns the path of the file that contains the token, if the path is set.
    pub fn token_file(&self, tracker: PushTracker) -> Option<&Path> {
        self.account_settings(tracker).token_file.as_deref()
    }

    /// Returns the settings with paths that start at `folder`.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        for account in [&mut self.harvest, &mut self.kimai] {
            account.token_file = account.token_file.take().map(|file| folder.join(file));
        }
        self
    }

    /// Returns the name of the account. The rows that were pushed to the account are stored under this name and the
    /// user.
    ///
    /// # Errors
    ///
    /// Fails if the account isn't set.
    pub fn account(&self, tracker: PushTracker) -> Result<String, Error> {
        let url = self.url(tracker)?;
        Ok(match tracker {
            PushTracker::Harvest => format!("harvest {url} {}", self.harvest_account()?),
            PushTracker::Kimai => format!("kimai {url}"),
        })
    }

    /// Returns the account with a token. Sends nothing yet.
    ///
    /// # Errors
    ///
    /// Fails if the account isn't set, or if the system has no trusted certificates.
    pub fn connect(
        &self,
        tracker: PushTracker,
        token: ApiToken,
        options: Options,
    ) -> Result<Box<dyn PushTarget>, Error> {
        let api = |account| Api::new(self.url(tracker)?, token, account, options);
        Ok(match tracker {
            PushTracker::Harvest => Box::new(Harvest::new(api(Some(self.harvest_account()?.to_owned()))?)),
            PushTracker::Kimai => Box::new(Kimai::new(api(None)?)),
        })
    }

    fn account_settings(&self, tracker: PushTracker) -> &AccountSettings {
        match tracker {
            PushTracker::Harvest => &self.harvest,
            PushTracker::Kimai => &self.kimai,
        }
    }

    fn harvest_account(&self) -> Result<&str, Error> {
        let account = self.harvest.account.as_deref().map(str::trim);
        let is_number = |account: &&str| !account.is_empty() && account.bytes().all(|byte| byte.is_ascii_digit());
        account
            .filter(is_number)
            .ok_or_else(|| missing_setting(PushTracker::Harvest, "account", "the number of your account"))
    }

    fn url(&self, tracker: PushTracker) -> Result<Endpoint, Error> {
        let default = || match tracker {
            PushTracker::Harvest => HARVEST_URL.parse().ok(),
            PushTracker::Kimai => None,
        };
        let url = self.account_settings(tracker).url.clone().or_else(default);
        url.ok_or_else(|| {
            missing_setting(tracker, "url", "the address of your Kimai, such as `https://kimai.example.com`")
        })
    }
}

fn missing_setting(tracker: PushTracker, name: &str, what: &str) -> Error {
    let key = tracker.key();
    let message = format!("cannot push to {tracker}: `{name}` is not set in `[timesheet.push.{key}]`");
    Error::for_command(message, format!("set it to {what}"))
}
