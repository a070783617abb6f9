//! The meetings of one file, as far as they were asked for.
//!
//! Rules go on for ever, so they are counted out up to a horizon that moves with the questions. What was counted out
//! stays, in order of local time, so that the next question about any day is a search.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{NaiveDateTime, TimeDelta, Utc};

use super::content::each_event;
use super::event::{Event, Exceptions};
use super::instant::{Length, When};
use super::recurrence::begins;
use super::zone::Zone;

/// How far beyond a question rules are counted out, so that the next day's question finds them.
const AHEAD: TimeDelta = TimeDelta::days(366);
/// Rules are counted out no further than this many days after today: nobody asks what was done later.
const FURTHEST: TimeDelta = TimeDelta::days(10 * 366);
/// How long the rules of a file may take to be counted out.
const PATIENCE: Duration = Duration::from_secs(3);
/// How many meetings of a file are kept.
const MOST_MEETINGS: usize = 500_000;
/// What lasts as long is drawn above the hours of a calendar, and is no meeting of an hour of the day.
const WHOLE_DAY: TimeDelta = TimeDelta::days(1);

/// A meeting at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// What it is called.
    pub name: Option<String>,
    /// When it begins, by the person's clock.
    pub start_local: NaiveDateTime,
    /// When it begins, in UTC.
    pub start_utc: NaiveDateTime,
    /// When it ends, by the person's clock.
    pub end_local: NaiveDateTime,
    /// When it ends, in UTC.
    pub end_utc: NaiveDateTime,
    /// Whether it is on dates, or lasts a day and longer.
    pub is_all_day: bool,
}

/// The events of a file.
#[derive(Debug)]
pub(super) struct Schedule {
    events: Vec<Event>,
    home: Zone,
    broken: usize,
    planned: Mutex<Planned>,
}

/// Meetings up to a horizon.
#[derive(Debug, Default)]
struct Planned {
    /// In UTC; none before the first question.
    horizon: Option<NaiveDateTime>,
    /// In order of local starts.
    meetings: Vec<Meeting>,
}

impl Schedule {
    /// The events of a text whose lines are whole, for a person whose clocks are those of `home`.
    pub(super) fn read(text: &str, home: Zone) -> Self {
        let (mut events, mut broken) = (Vec::new(), 0);
        each_event(text, |properties| match Event::read(properties, home) {
            Some(event) => events.push(event),
            None => broken += 1,
        });
        leave_out_what_is_replaced(&mut events, home);
        events.retain(|event| event.takes_time && event.length.about() > TimeDelta::zero());
        Self { events, home, broken, planned: Mutex::default() }
    }

    /// How many events take time, each that recurs once.
    pub(super) fn events(&self) -> usize {
        self.events.len()
    }

    /// How many events cannot be read.
    pub(super) fn broken(&self) -> usize {
        self.broken
    }

    /// The meetings that begin in a local range, in order.
    pub(super) fn within(&self, range: &Range<NaiveDateTime>) -> Vec<Meeting> {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        let furthest = Utc::now().naive_utc() + FURTHEST;
        // No clock is further from UTC than a day.
        let needed = range.end.checked_add_signed(WHOLE_DAY).unwrap_or(range.end).min(furthest);
        if planned.horizon.is_none_or(|horizon| horizon < needed) {
            let horizon = needed.checked_add_signed(AHEAD).unwrap_or(needed);
            *planned = Planned { horizon: Some(horizon), meetings: self.up_to(horizon) };
        }
        let from = planned.meetings.partition_point(|meeting| meeting.start_local < range.start);
        let to = planned.meetings.partition_point(|meeting| meeting.start_local < range.end);
        planned.meetings.get(from..to).map(<[_]>::to_vec).unwrap_or_default()
    }

    /// All meetings that begin before a UTC time, as far as they can be counted out in bearable time.
    fn up_to(&self, horizon: NaiveDateTime) -> Vec<Meeting> {
        let started = Instant::now();
        let mut meetings = Vec::new();
        for event in &self.events {
            let is_too_much = meetings.len() >= MOST_MEETINGS || started.elapsed() >= PATIENCE;
            if is_too_much && event.rule.is_some() {
                continue;
            }
            let begins = begins(event, horizon, self.home);
            meetings.extend(begins.into_iter().filter_map(|(start, length)| self.meeting(event, start, length)));
        }
        meetings.sort_by_key(|meeting| (meeting.start_local, meeting.end_utc));
        meetings
    }

    fn meeting(&self, event: &Event, start: When, length: Length) -> Option<Meeting> {
        let home = self.home;
        let (start_utc, end_utc) = (start.utc(home), length.end_of(start, home)?);
        let is_all_day = matches!(start, When::Date(_)) || length.about() >= WHOLE_DAY;
        let (start_local, end_local) = (home.wall(start_utc), home.wall(end_utc));
        Some(Meeting { name: event.name.clone(), start_local, start_utc, end_local, end_utc, is_all_day })
    }
}

/// Of events that replace the same one, the last that was written counts; what recurs leaves out what is replaced.
fn leave_out_what_is_replaced(events: &mut Vec<Event>, home: Zone) {
    let mut last: HashMap<(String, NaiveDateTime), (i64, usize)> = HashMap::new();
    let mut replaced: HashMap<String, Exceptions> = HashMap::new();
    for (place, event) in events.iter().enumerate() {
        let Some(when) = event.replaces else { continue };
        replaced.entry(event.uid.clone()).or_default().insert(when, home);
        let known = last.entry((event.uid.clone(), when.utc(home))).or_insert((event.sequence, place));
        *known = (*known).max((event.sequence, place));
    }
    let last: HashSet<usize> = last.into_values().map(|(_, place)| place).collect();
    let mut place = 0;
    events.retain(|event| {
        place += 1;
        event.replaces.is_none() || last.contains(&(place - 1))
    });
    for event in events.iter_mut().filter(|event| event.replaces.is_none()) {
        if let Some(others) = replaced.get(&event.uid) {
            event.exceptions.times.extend(&others.times);
            event.exceptions.dates.extend(&others.dates);
        }
    }
}
