//! Lists the meetings of all calendars.
//!
//! An event can occur in several files and in several versions. The latest version counts (RFC 5546, 2.1.5). Rules
//! without an end are expanded up to a point in time, the horizon. If a request needs later meetings, the horizon
//! moves. The expanded meetings are stored in order of local time. The next request then only searches them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{NaiveDateTime, TimeDelta, Utc};

use super::content::{for_each_event, split_calendars};
use super::definition::Definitions;
use super::event::{Event, Exceptions, Revision, Status};
use super::event_time::{EventTime, Length};
use super::problem::Problems;
use super::zone::Zone;

/// Rules are expanded this long beyond the end of a request. A request for the next day then doesn't have to expand
/// rules again.
const LOOKAHEAD: TimeDelta = TimeDelta::days(366);
/// Rules are expanded at most this long after today. Requests are about the past, so later meetings aren't needed.
const HORIZON: TimeDelta = TimeDelta::days(10 * 366);
/// The maximum time for expanding the rules of a file. Recurring events that exceed this limit are left out.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The maximum number of events that are read from a file.
const MAX_EVENTS: usize = 200_000;
/// The maximum number of meetings of a file. Recurring events that exceed this limit are left out.
const MAX_MEETINGS: usize = 500_000;
/// The minimum duration of an all-day event, as in other calendar programs.
const WHOLE_DAY: TimeDelta = TimeDelta::days(1);

/// A single occurrence of a meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The name of the meeting.
    pub name: Option<String>,
    /// The start in the user's local time.
    pub start_local: NaiveDateTime,
    /// The start in UTC.
    pub start_utc: NaiveDateTime,
    /// The end in the user's local time.
    pub end_local: NaiveDateTime,
    /// The end in UTC.
    pub end_utc: NaiveDateTime,
    /// Whether the meeting has dates instead of times, or lasts at least a day.
    pub is_all_day: bool,
}

/// The events of a file, and the problems in the file.
#[derive(Debug, Default)]
pub(super) struct Events {
    all: Vec<Arc<Event>>,
    pub(super) problems: Problems,
}

impl Events {
    /// Parses a text with joined lines, for a user whose zone is `home`.
    pub(super) fn parse(text: &str, home: &Zone) -> Self {
        let mut definitions = Definitions::new();
        let mut events = Self::default();
        for calendar in split_calendars(text) {
            let zones = definitions.zones(calendar, home.clone());
            for_each_event(calendar, |properties| {
                if events.all.len() < MAX_EVENTS {
                    let event = Event::from_properties(properties, &zones, |problem| events.problems.add(problem));
                    events.all.push(Arc::new(event));
                }
            });
        }
        events
    }
}

/// The events of several files. Copies and older versions of an event are left out.
#[derive(Debug)]
pub(super) struct Schedule {
    events: Vec<ScheduledEvent>,
    /// The number of older versions and copies that are left out, for each file.
    copies: Vec<usize>,
    home: Zone,
    planned: Mutex<MeetingCache>,
}

/// An event of the schedule.
#[derive(Debug)]
struct ScheduledEvent {
    /// The index of the file that contains the event.
    file: usize,
    event: Arc<Event>,
    /// The original starts of the occurrences that other events replace.
    replaced: Exceptions,
}

/// The meetings that were expanded so far.
#[derive(Debug, Default)]
struct MeetingCache {
    /// The UTC time up to which rules were expanded, or `None` before the first request.
    horizon: Option<NaiveDateTime>,
    /// The meetings in order of local start, each with the index of its file.
    meetings: Vec<(usize, Meeting)>,
}

impl Schedule {
    /// Builds the schedule of these files, for a user whose zone is `home`. Several copies of an event can have the
    /// same version. Of these, the first copy with a readable time counts.
    pub(super) fn new<'e>(files: impl IntoIterator<Item = &'e Events>, home: Zone, kind: EventKind) -> Self {
        let files: Vec<_> = files.into_iter().collect();
        let (events, copies) = latest_versions(&files, &home);
        let events = schedule_events(&events, &home, kind);
        Self { events, copies, home, planned: Mutex::default() }
    }

    /// Returns the number of events of a file that the schedule contains. A recurring event counts once.
    pub(super) fn event_count(&self, file: usize) -> usize {
        self.events.iter().filter(|counted| counted.file == file).count()
    }

    /// Returns the number of events of a file that are left out as older versions or copies.
    pub(super) fn copy_count(&self, file: usize) -> usize {
        self.copies.get(file).copied().unwrap_or_default()
    }

    /// Returns the meetings that begin in a local range, in order of their start. Each meeting comes with the index of
    /// its file.
    pub(super) fn meetings_in(&self, range: &Range<NaiveDateTime>) -> Vec<(usize, Meeting)> {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        let furthest = Utc::now().naive_utc() + HORIZON;
        // A local time differs from UTC by at most a day.
        let needed = range.end.checked_add_signed(WHOLE_DAY).unwrap_or(range.end).min(furthest);
        if planned.horizon.is_none_or(|horizon| horizon < needed) {
            let horizon = needed.checked_add_signed(LOOKAHEAD).unwrap_or(needed);
            *planned = MeetingCache { horizon: Some(horizon), meetings: self.meetings_until(horizon) };
        }
        let from = planned.meetings.partition_point(|(_, meeting)| meeting.start_local < range.start);
        let to = planned.meetings.partition_point(|(_, meeting)| meeting.start_local < range.end);
        planned.meetings.get(from..to).map(<[_]>::to_vec).unwrap_or_default()
    }

    /// Returns all meetings that begin before the UTC time `horizon`. Observes the limits for each file.
    fn meetings_until(&self, horizon: NaiveDateTime) -> Vec<(usize, Meeting)> {
        let mut meetings = Vec::new();
        for events in self.events.chunk_by(|one, next| one.file == next.file) {
            let (started, before) = (Instant::now(), meetings.len());
            for ScheduledEvent { file, event, replaced } in events {
                let is_too_much = meetings.len() - before >= MAX_MEETINGS || started.elapsed() >= TIMEOUT;
                // Expanding an event without a rule takes almost no time, so only recurring events are left out.
                if is_too_much && event.rule.is_some() {
                    continue;
                }
                let begins = occurrences(event, replaced, horizon, &self.home).into_iter();
                let begins = begins.filter_map(|(start, length)| self.meeting(event, &start, length));
                meetings.extend(begins.map(|meeting| (*file, meeting)));
            }
        }
        // `meetings_in` relies on this order for its binary search.
        meetings.sort_by_key(|(_, meeting)| (meeting.start_local, meeting.end_utc));
        meetings
    }

    fn meeting(&self, event: &Event, start: &EventTime, length: Length) -> Option<Meeting> {
        let home = &self.home;
        let (start_utc, end_utc) = (start.utc(home), length.end_of(start, home)?);
        let is_all_day = matches!(start, EventTime::Date(_)) || length.approximate() >= WHOLE_DAY;
        let (start_local, end_local) = (home.to_wall(start_utc), home.to_wall(end_utc));
        Some(Meeting { name: event.name.clone(), start_local, start_utc, end_local, end_utc, is_all_day })
    }
}

/// The kinds of events that a schedule contains.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum EventKind {
    /// Only events that take the user's time.
    #[default]
    Busy,
    /// Also events that leave the user free, such as public holidays.
    Any,
}

/// The key that all copies and versions of an event share. It is the UID. If the event replaces an occurrence, the key
/// also contains the original start of the occurrence in UTC.
type Key<'e> = (&'e str, Option<NaiveDateTime>);

/// The values by which copies and versions of an event are compared. The greatest value counts. The values are compared
/// in this order: the revision, whether the time is readable, and the file. Of two files, the earlier file counts as
/// the greater value.
type Version = (Revision, bool, Reverse<usize>);

fn version(event: &Event, file: usize) -> Version {
    (event.revision, event.status != Status::Unknown, Reverse(file))
}

/// Returns the latest version of each event, with the index of its file. Also returns how many events of each file are
/// left out as other versions or copies.
///
/// Events without a UID are never copies. Some programs give all events the same UID. If two events have the same UID
/// and version, but different starts, they are therefore different events.
///
/// If a series has an older and a later version, changed occurrences of the older version are outdated too. The later
/// version has its own changed occurrences.
fn latest_versions(files: &[&Events], home: &Zone) -> (Vec<(usize, Arc<Event>)>, Vec<usize>) {
    let all = || files.iter().enumerate().flat_map(|(file, events)| events.all.iter().map(move |event| (file, event)));
    let newest = latest_sequences(all().map(|(_, event)| event));
    let own: Vec<_> = files.iter().map(|events| latest_sequences(events.all.iter())).collect();
    let is_outdated = |file: usize, event: &Event| {
        let of = |series: &HashMap<&str, i64>| series.get(event.uid.as_deref()?).copied();
        let is_older = |sequence: i64| Some(sequence.max(event.revision.sequence)) < of(&newest);
        event.replaces.is_some() && own.get(file).and_then(of).is_some_and(is_older)
    };
    let mut best: HashMap<Key<'_>, Version> = HashMap::new();
    for (file, event) in all().filter(|(file, event)| !is_outdated(*file, event)) {
        let Some(key) = key(event, home) else { continue };
        let version = version(event, file);
        let known = best.entry(key).or_insert(version);
        *known = (*known).max(version);
    }
    let (mut latest, mut copies) = (Vec::new(), vec![0; files.len()]);
    let mut places = HashMap::new();
    for (file, event) in all() {
        let counted = (file, Arc::clone(event));
        let Some(key) = key(event, home) else {
            latest.push(counted);
            continue;
        };
        if best.get(&key) != Some(&version(event, file)) {
            copies[file] += 1;
            continue;
        }
        // Some programs give all events the same UID, so two events are copies only if they also have the same start.
        // The start of a changed occurrence isn't compared, because its key already contains the original start.
        let start = event.replaces.is_none().then(|| event.start.utc(home));
        let place = *places.entry((key, start)).or_insert(latest.len());
        match latest.get_mut(place) {
            Some(same) => {
                *same = counted;
                copies[file] += 1;
            }
            None => latest.push(counted),
        }
    }
    (latest, copies)
}

/// Returns the greatest `SEQUENCE` for each UID. Changed occurrences are ignored.
fn latest_sequences<'e>(events: impl Iterator<Item = &'e Arc<Event>>) -> HashMap<&'e str, i64> {
    let mut sequences = HashMap::new();
    for event in events.filter(|event| event.replaces.is_none()) {
        let Some(uid) = event.uid.as_deref() else { continue };
        let known = sequences.entry(uid).or_insert(event.revision.sequence);
        *known = event.revision.sequence.max(*known);
    }
    sequences
}

fn key<'e>(event: &'e Event, home: &Zone) -> Option<Key<'e>> {
    Some((event.uid.as_deref()?, event.replaces.as_ref().map(|when| when.utc(home))))
}

/// Returns the events of `kind` that have a duration. Other events can replace occurrences of an event. The event then
/// contains the original starts of these occurrences. If a series is cancelled, its changed occurrences are left out
/// too. Only changed occurrences with a greater `SEQUENCE` remain.
fn schedule_events(events: &[(usize, Arc<Event>)], home: &Zone, kind: EventKind) -> Vec<ScheduledEvent> {
    let mut replaced: HashMap<Option<&str>, Vec<&EventTime>> = HashMap::new();
    let mut cancelled: HashMap<Option<&str>, i64> = HashMap::new();
    for (_, event) in events.iter().filter(|(_, event)| event.uid.is_some()) {
        if let Some(when) = &event.replaces {
            replaced.entry(event.uid.as_deref()).or_default().push(when);
        } else if event.status == Status::Cancelled {
            cancelled.insert(event.uid.as_deref(), event.revision.sequence);
        }
    }
    let takes_time = |event: &Event| {
        let is_cancelled =
            cancelled.get(&event.uid.as_deref()).is_some_and(|sequence| event.revision.sequence <= *sequence);
        (event.status == Status::Busy || event.status == Status::Free && kind == EventKind::Any)
            && event.length.approximate() > TimeDelta::zero()
            && !(is_cancelled && event.replaces.is_some())
    };
    let counted = events.iter().filter(|(_, event)| takes_time(event)).map(|(file, event)| {
        let mut exceptions = Exceptions::default();
        // The list isn't applied to changed occurrences, because it also contains their own original starts. Otherwise,
        // a changed occurrence that has a new name but its original start would exclude itself.
        let others = replaced.get(&event.uid.as_deref()).filter(|_| event.replaces.is_none());
        others.into_iter().flatten().for_each(|when| exceptions.insert(when, &event.start, home));
        ScheduledEvent { file: *file, event: Arc::clone(event), replaced: exceptions }
    });
    counted.collect()
}

/// Returns the start and the duration of each occurrence before a UTC time, in any order. Leaves out occurrences that
/// the event's own exceptions or the exceptions in `others` exclude.
fn occurrences(event: &Event, others: &Exceptions, before: NaiveDateTime, home: &Zone) -> Vec<(EventTime, Length)> {
    let by_rule: Vec<_> = match &event.rule {
        Some(rule) => rule.occurrences(&event.start, before, home).collect(),
        None => vec![event.start.clone()],
    };
    let additions = event.additions.iter().map(|(when, length)| (when.clone(), length.unwrap_or(event.length)));
    // An additional date can be equal to a date of the rule. Additional dates come first, because an additional date
    // can have its own duration.
    let all = additions.chain(by_rule.into_iter().map(|when| (when, event.length)));
    let is_excluded = |when: &EventTime| [&event.exceptions, others].iter().any(|dates| dates.contains(when, home));
    let mut known = BTreeSet::new();
    let counts = |(when, _): &(EventTime, Length)| {
        let utc = when.utc(home);
        utc < before && !is_excluded(when) && known.insert(utc)
    };
    let mut begins: Vec<_> = all.filter(counts).collect();
    for wall in &event.exceptions.unclear {
        // The zone of the excluded time is unknown, so its local time is compared. If no occurrence has this local
        // time, all occurrences on the day are excluded.
        let is_known = begins.iter().any(|(when, _)| when.wall() == *wall);
        begins.retain(|(when, _)| if is_known { when.wall() != *wall } else { when.date() != wall.date() });
    }
    begins
}
