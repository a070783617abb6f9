//! Reads the user's calendars and lists their meetings (RFC 5545).
//!
//! A meeting is an event with a duration. Cancelled events, and events that leave the user free, aren't meetings. If
//! several files contain the same event, or if an event has several versions, it counts once.
//!
//! A meeting recurs at the same local time in its own zone, so a weekly meeting at nine stays at nine when clocks
//! change. The crate `rrule` expands recurrence rules to local times, without regard to clock changes. The crate `jiff`
//! converts these times to UTC. If a clock change skips a local time, the offset before the change applies (RFC 5545,
//! 3.3.5). If a clock change repeats a local time, the first of the two times counts.
//!
//! | file | purpose |
//! |---|---|
//! | `content` | reads a file's text and lines, and finds the events |
//! | `event` | reads an event from its properties |
//! | `problem` | the reasons why an event can't be used |
//! | `event_time` | reads dates, times and durations |
//! | `zone` | finds time zones by name, including the names of Windows |
//! | `definition` | reads time zones that a file defines |
//! | `rule` | reads recurrence rules |
//! | `schedule` | lists the meetings of all files in a range |
//! | `file` | reads a file again after it has changed |
//! | `calendar_path` | finds the files for a configured path |
//!
//! To understand this crate, start at [`Calendars`].
//!
//! Invariants: files are never written. A missing or damaged file results in fewer meetings, never in an error. The
//! time and memory for a file are limited, regardless of its content. Names of meetings are never logged.

mod calendar_path;
mod content;
mod definition;
mod event;
mod event_time;
mod file;
mod problem;
mod rule;
mod schedule;
mod zone;

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use calendar_path::CalendarPath;
pub use calendar_path::InvalidCalendarPath;
use dayledger_core::zone_data::ZoneData;
pub use dayledger_core::zone_data::{ZoneDataSource, ZoneDataVersion};
use file::CalendarFile;
pub use problem::CalendarProblem;
use problem::Problems;
pub use schedule::Meeting;
use schedule::Schedule;
use schedule::{EventKind, Events};
use zone::Zone;

/// The configured calendars. Their files are read when meetings are requested. A clone is cheap. All clones share one
/// cache.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "CalendarsSpec", into = "CalendarsSpec")]
pub struct Calendars(Arc<CalendarStore>);

#[derive(Debug, Default)]
struct CalendarStore {
    calendars: Vec<Calendar>,
    kind: EventKind,
    zone: Zone,
    files: Mutex<HashMap<PathBuf, Arc<CalendarFile>>>,
    schedule: Mutex<Option<MergedSchedule>>,
}

/// A schedule, and the files from which it was built.
#[derive(Debug, Clone)]
struct MergedSchedule {
    files: Vec<Arc<CalendarFile>>,
    schedule: Arc<Schedule>,
}

/// A calendar, which consists of one file or of several files under a common name.
#[derive(Debug, Clone)]
pub struct Calendar {
    path: CalendarPath,
    name: Option<String>,
}

/// The status of a configured calendar.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CalendarState {
    /// The configured name of the calendar.
    pub name: Option<String>,
    /// The path of the file, or the pattern for several files.
    pub file: String,
    /// The number of readable files.
    pub files: usize,
    /// The number of events that take time. A recurring event counts once.
    pub events: usize,
    /// The number of events that can't be read.
    pub broken: usize,
    /// The number of events that are left out. They are copies or older versions of other events, which can be in any
    /// calendar.
    pub copies: usize,
    /// The problems in the files. The most frequent problem comes first.
    pub problems: Vec<CalendarProblem>,
    /// The reason why a file could not be read.
    pub problem: Option<String>,
}

impl Calendar {
    /// Creates a calendar from the file at `place`. The file name can contain `*` and `?` to match several files.
    ///
    /// # Errors
    /// Fails if the path has no file name, or if the name of a folder contains `*` or `?`.
    pub fn from_path(place: &Path) -> Result<Self, InvalidCalendarPath> {
        Ok(Self { path: CalendarPath::new(place)?, name: None })
    }

    /// Sets the name of the calendar. By default, a calendar has the name of its file.
    #[must_use]
    pub fn with_name(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }
}

impl Calendars {
    /// Creates a set of calendars. Local times are in the zone of this computer.
    pub fn new(calendars: Vec<Calendar>) -> Self {
        Self::new_in_zone(calendars, EventKind::Busy, Zone::default())
    }

    /// Also includes events that leave the user free. Calendars of public holidays contain such events.
    #[must_use]
    pub fn with_free_events(self) -> Self {
        Self::new_in_zone(self.0.calendars.clone(), EventKind::Any, self.0.zone.clone())
    }

    /// Sets the user's zone by its IANA name. An unknown name is ignored.
    #[must_use]
    pub fn with_zone(self, zone: &str) -> Self {
        let zone = ZoneData::current().get(zone).map_or_else(|| self.0.zone.clone(), Zone::Known);
        Self::new_in_zone(self.0.calendars.clone(), self.0.kind, zone)
    }

    fn new_in_zone(calendars: Vec<Calendar>, kind: EventKind, zone: Zone) -> Self {
        Self(Arc::new(CalendarStore { calendars, kind, zone, ..CalendarStore::default() }))
    }

    /// Whether no calendars are configured.
    pub fn is_empty(&self) -> bool {
        self.0.calendars.is_empty()
    }

    /// Returns the meetings that begin in a local range, in order of their start. The end of the range is exclusive.
    /// Each meeting comes with the name of its calendar. Reads changed files again, which blocks the thread.
    pub fn meetings_in(&self, range: &Range<NaiveDateTime>) -> Vec<(String, Meeting)> {
        let (mut names, mut files) = (Vec::new(), Vec::new());
        for calendar in &self.0.calendars {
            for path in calendar.path.files().unwrap_or_default() {
                let Ok(file) = self.file(&path) else { continue };
                names.push(calendar.name.clone().unwrap_or_else(|| file_stem(&path)));
                files.push(file);
            }
        }
        let meetings = self.schedule(files).meetings_in(range).into_iter();
        meetings.map(|(file, meeting)| (names.get(file).cloned().unwrap_or_default(), meeting)).collect()
    }

    /// Returns the local days with an all-day event, from `first` to `last` inclusive. Events that begin more than a
    /// year before `first` are not found. Reads changed files again, which blocks the thread.
    pub fn days_with_events(&self, first: NaiveDate, last: NaiveDate) -> BTreeSet<NaiveDate> {
        let start = first.checked_sub_days(Days::new(366)).unwrap_or(first).and_time(NaiveTime::MIN);
        let end = last.checked_add_days(Days::new(1)).unwrap_or(last).and_time(NaiveTime::MIN);
        let events = self.meetings_in(&(start..end)).into_iter().map(|(_, event)| event);
        let days = events.filter(|event| event.is_all_day).flat_map(|event| {
            let after = event.end_local;
            let days = event.start_local.date().iter_days();
            days.take_while(move |day| day.and_time(NaiveTime::MIN) < after && *day <= last)
        });
        days.filter(|day| *day >= first).collect()
    }

    /// Returns the status of each calendar. Reads changed files again, which blocks the thread.
    pub fn states(&self) -> Vec<CalendarState> {
        let (mut states, mut files, mut calendars) = (Vec::new(), Vec::new(), Vec::new());
        for calendar in &self.0.calendars {
            let (state, found) = self.state(calendar);
            calendars.extend(found.iter().map(|_| states.len()));
            files.extend(found);
            states.push(state);
        }
        let schedule = self.schedule(files);
        for (file, calendar) in calendars.into_iter().enumerate() {
            let Some(state) = states.get_mut(calendar) else { continue };
            state.events += schedule.event_count(file);
            state.copies += schedule.copy_count(file);
        }
        states
    }

    /// Returns the status of a calendar and its files. The counts that depend on other calendars are not computed here,
    /// and are 0.
    fn state(&self, calendar: &Calendar) -> (CalendarState, Vec<Arc<CalendarFile>>) {
        let (name, file) = (calendar.name.clone(), calendar.path.path().display().to_string());
        let (mut files, mut problems, mut problem) = (Vec::new(), Problems::default(), None);
        let paths = calendar.path.files().unwrap_or_else(|error| {
            problem = Some(error.to_string());
            Vec::new()
        });
        if paths.is_empty() && problem.is_none() {
            problem = Some("there is no such file".to_owned());
        }
        for path in &paths {
            let read = self.file(path).map_err(|error| error.to_string());
            match read.as_ref().map_err(Clone::clone).and_then(|file| file.events().map_err(str::to_owned)) {
                Ok(events) => problems.extend(&events.problems),
                Err(reason) => problem = Some(reason),
            }
            files.extend(read);
        }
        let readable = files.iter().filter(|file| file.events().is_ok()).count();
        let (broken, problems) = (problems.skipped_events(), problems.list());
        (CalendarState { name, file, files: readable, events: 0, broken, copies: 0, problems, problem }, files)
    }

    /// Returns the schedule of these files. It is built again only if a file has changed.
    fn schedule(&self, files: Vec<Arc<CalendarFile>>) -> Arc<Schedule> {
        let mut merged = self.0.schedule.lock().unwrap_or_else(PoisonError::into_inner);
        // Each time a file is read, a new `Arc` is created. It is therefore enough to compare the pointers.
        let is_same = |known: &&MergedSchedule| {
            known.files.len() == files.len()
                && known.files.iter().zip(&files).all(|(one, other)| Arc::ptr_eq(one, other))
        };
        if let Some(known) = merged.as_ref().filter(is_same) {
            return Arc::clone(&known.schedule);
        }
        let none = Events::default();
        let events = files.iter().map(|file| file.events().unwrap_or(&none));
        let schedule = Arc::new(Schedule::new(events, self.0.zone.clone(), self.0.kind));
        *merged = Some(MergedSchedule { files, schedule: Arc::clone(&schedule) });
        schedule
    }

    /// Reads a file. Returns the cached file if it hasn't changed.
    fn file(&self, path: &Path) -> io::Result<Arc<CalendarFile>> {
        // The lock isn't held while a file is read, because reading from a network can take a long time. Two threads
        // can then read the same file, but the result is still correct.
        let known = {
            let files = self.0.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.get(path).map(Arc::clone)
        };
        let file = CalendarFile::load(path, known, &self.0.zone)?;
        let mut files = self.0.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(path.to_owned(), Arc::clone(&file));
        Ok(file)
    }
}

/// The serialised form of [`Calendars`]. With this form, another process can read the same files in the same zone.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct CalendarsSpec {
    /// The path and the configured name of each calendar.
    calendars: Vec<(OsString, Option<String>)>,
    /// The IANA name of the user's zone, or `None` for the zone of the computer.
    zone: Option<String>,
    /// Whether to include events that leave the user free.
    #[serde(default)]
    has_free_events: bool,
}

impl From<CalendarsSpec> for Calendars {
    fn from(CalendarsSpec { calendars, zone, has_free_events }: CalendarsSpec) -> Self {
        let calendars = calendars.into_iter().filter_map(|(place, name)| {
            // A serialised path is always valid, because it comes from a valid calendar.
            Some(Calendar::from_path(Path::new(&place)).ok()?.with_name(name))
        });
        let calendars = Self::new(calendars.collect());
        let calendars = if has_free_events { calendars.with_free_events() } else { calendars };
        match zone {
            Some(zone) => calendars.with_zone(&zone),
            None => calendars,
        }
    }
}

impl From<Calendars> for CalendarsSpec {
    fn from(calendars: Calendars) -> Self {
        let shelf = &calendars.0;
        let places = shelf.calendars.iter();
        let places = places.map(|calendar| (calendar.path.path().into(), calendar.name.clone()));
        let has_free_events = shelf.kind == EventKind::Any;
        Self { calendars: places.collect(), zone: shelf.zone.name(), has_free_events }
    }
}

/// Converts a UTC time to the local time of an IANA zone. If the zone is unknown, returns the UTC time.
pub fn local_time(zone: &str, utc: NaiveDateTime) -> NaiveDateTime {
    ZoneData::current().get(zone).map_or(Zone::UTC, Zone::Known).to_wall(utc)
}

/// Returns the name of a file without its folder and extension.
fn file_stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
