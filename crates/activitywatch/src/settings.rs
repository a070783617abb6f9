//! The settings of a source.

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
    /// The IANA name of the time zone in which the user lives, such as `Europe/Berlin`. `None` means the zone of this
    /// computer at the time of each read. `ActivityWatch` stores UTC only.
    pub zone: Option<String>,
    /// Days that the user spent in other zones. A later journey wins over an earlier one in the list.
    pub journeys: Vec<Journey>,
    /// Other names of devices: the host name as recorded, and the device's name in the history.
    pub devices: BTreeMap<String, String>,
    /// Whether a tab that plays sound counts as active time while its browser is in front.
    pub audible: bool,
    /// Whether titles and addresses of private windows are shown. Otherwise they are replaced by `(private)`.
    pub private_titles: bool,
}

impl Settings {
    /// Creates settings with the default values: the zone of this computer, tabs with sound count, and private windows
    /// aren't shown.
    pub fn new(locator: Locator) -> Self {
        let (journeys, devices) = (Vec::new(), BTreeMap::new());
        Self { locator, zone: None, journeys, devices, audible: true, private_titles: false }
    }

    /// Checks the zones.
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

/// Days that the user spent in another time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journey {
    /// The first day, by the clock of `zone`.
    pub from: Date,
    /// The last day, by the clock of `zone`.
    pub to: Date,
    /// The IANA name of the zone.
    pub zone: String,
    /// The name of the device that was used there. `None` means all devices.
    pub device: Option<String>,
}

/// Why settings are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSetting {
    /// The time zone is unknown.
    #[error("unknown time zone `{0}`: use an IANA name such as `Europe/Berlin`")]
    Zone(String),
    /// A journey ends before it begins.
    #[error("the journey from {from} ends before it begins, on {to}")]
    Journey {
        /// Its first day.
        from: Date,
        /// Its last day.
        to: Date,
    },
}
