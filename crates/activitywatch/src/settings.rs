//! The settings of an `ActivityWatch` source.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use dayledger_core::zone_data::ZoneData;
use jiff::civil::Date;

use crate::Locator;

/// The settings of [`ActivityWatch`](crate::ActivityWatch). They can be serialised for another process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Settings {
    /// Finds the database.
    pub locator: Locator,
    /// The IANA name of the time zone in which the user lives, such as `Europe/Berlin`. A zone is needed because
    /// `ActivityWatch` stores only UTC. If the setting is `None`, each read uses the current zone of this computer.
    pub zone: Option<String>,
    /// The journeys to other time zones. If two journeys overlap, the later one in the list takes precedence.
    pub journeys: Vec<Journey>,
    /// New names for devices: the key is the recorded host name, and the value is the name to use instead.
    pub devices: BTreeMap<String, String>,
    /// Whether a tab that plays sound counts as active time while its browser is in front.
    pub audible: bool,
    /// Whether titles and URLs of private windows are shown. Otherwise they are replaced by `(private)`.
    pub private_titles: bool,
}

impl Settings {
    /// Creates settings with the default values: local time is in the zone of this computer, tabs with sound count, and
    /// titles of private windows aren't shown.
    pub fn new(locator: Locator) -> Self {
        let (journeys, devices) = (Vec::new(), BTreeMap::new());
        Self { locator, zone: None, journeys, devices, audible: true, private_titles: false }
    }

    /// Checks that all time zones are known, and that no journey ends before it begins.
    pub(crate) fn check(&self) -> Result<(), InvalidSetting> {
        let zones = self.zone.iter().chain(self.journeys.iter().map(|journey| &journey.zone));
        match zones.into_iter().find(|zone| ZoneData::current().get(zone).is_none()) {
            Some(zone) => Err(InvalidSetting::Zone(zone.clone())),
            None => self
                .journeys
                .iter()
                .find(|journey| journey.to < journey.from)
                .map_or(Ok(()), |journey| Err(InvalidSetting::Journey { from: journey.from, to: journey.to })),
        }
    }
}

/// A range of days that the user spent in another time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journey {
    /// The first day, by the clock of `zone`.
    pub from: Date,
    /// The last day, by the clock of `zone`.
    pub to: Date,
    /// The IANA name of the time zone.
    pub zone: String,
    /// The name of the device that the user took along. `None` means all devices.
    pub device: Option<String>,
}

/// The reason why settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSetting {
    /// The time zone is unknown.
    #[error("unknown time zone `{0}`: use an IANA name such as `Europe/Berlin`")]
    Zone(String),
    /// A journey ends before it begins.
    #[error("the journey from {from} ends before it begins, on {to}")]
    Journey {
        /// The first day of the journey.
        from: Date,
        /// The last day of the journey.
        to: Date,
    },
}
