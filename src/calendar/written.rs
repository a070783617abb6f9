//! Calendars as they are written down for another process, which reads the same files by the same clock.

use std::ffi::OsString;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Calendar, Calendars};

/// What calendars are made of.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Written {
    /// The places and names.
    calendars: Vec<(OsString, Option<String>)>,
    /// The zone's name, where it is not that of the computer.
    zone: Option<String>,
}

impl From<Written> for Calendars {
    fn from(Written { calendars, zone }: Written) -> Self {
        let calendars = calendars.into_iter().filter_map(|(place, name)| {
            // Only what was a calendar is written down.
            Some(Calendar::at(Path::new(&place)).ok()?.named(name))
        });
        let calendars = Self::new(calendars.collect());
        match zone {
            Some(zone) => calendars.in_zone(&zone),
            None => calendars,
        }
    }
}

impl From<Calendars> for Written {
    fn from(calendars: Calendars) -> Self {
        let shelf = &calendars.0;
        let places = shelf.calendars.iter();
        let places = places.map(|calendar| (calendar.place.path().into(), calendar.name.clone()));
        Self { calendars: places.collect(), zone: shelf.zone.name() }
    }
}
