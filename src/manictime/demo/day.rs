//! What the person does on a day, before any row is written: sessions at a device, made of stretches.
//!
//! **Owns** the rhythm: work days, days off, lunch, meetings, evenings, nights. **Does not own** what the screen
//! shows in the meantime. Times are seconds after the local midnight that have really passed, so that a clock change
//! neither overlaps nor tears a session.

use chrono::{Datelike, NaiveDate, Weekday};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::cast::PROJECTS;
use super::clock::{DAY, HOUR, last_sunday};

pub(super) const MINUTE: i64 = 60;

/// What happens during a stretch of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// Work on a project.
    Focus(usize),
    /// Mail, chat and papers.
    Office(usize),
    /// A call about a project on this device.
    Meeting(usize),
    /// Private reading.
    Leisure,
    /// Nobody at the keyboard.
    Away,
    /// The screen is locked.
    Locked,
}

/// A stretch of one thing, in seconds after midnight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) doing: Doing,
}

/// A device from waking up to going to sleep: stretches without a hole.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) stretches: Vec<Stretch>,
    /// Whether it ends locked instead of switched off.
    pub(super) stays_on: bool,
}

impl Session {
    fn push(&mut self, start: i64, end: i64, doing: Doing) {
        if end > start {
            self.stretches.push(Stretch { start, end, doing });
        }
    }

    fn end(&self) -> Option<i64> {
        self.stretches.last().map(|stretch| stretch.end)
    }
}

/// A stretch that the person tags: which project, which tag of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tagged {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) project: usize,
    pub(super) meeting: bool,
}

/// A day: sessions in order of time for each device, and what is tagged.
#[derive(Debug, Default)]
pub(super) struct Day {
    pub(super) workstation: Vec<Session>,
    pub(super) laptop: Vec<Session>,
    pub(super) tagged: Vec<Tagged>,
}

/// Where the person is on a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Office,
    OnSite,
    Weekend,
    Off,
}

/// Plans a date. The last day of a history is a day of work whatever the calendar says, because it is the one that people
/// look at first; it ends before midnight.
pub(super) fn plan(date: NaiveDate, is_last: bool, rng: &mut Pcg64Mcg) -> Day {
    let mut day = match kind_of(date, is_last) {
        Kind::Office => office_day(rng),
        Kind::OnSite => on_site_day(rng),
        Kind::Weekend if rng.random_ratio(11, 20) => weekend(rng),
        Kind::Weekend | Kind::Off => Day::default(),
    };
    if is_last {
        return day;
    }
    let last_end = day.laptop.last().and_then(Session::end).unwrap_or(0);
    let evening = if is_eve_of_clock_change(date) {
        Some((22 * HOUR + minutes(rng, 5, 25), 27 * HOUR + minutes(rng, 20, 55)))
    } else if works_late(date) {
        Some((22 * HOUR + minutes(rng, 10, 40), 24 * HOUR + minutes(rng, 35, 95)))
    } else if kind_of(date, false) == Kind::Office && rng.random_ratio(1, 3) {
        let start = 20 * HOUR + minutes(rng, 0, 90);
        Some((start, start + minutes(rng, 25, 80)))
    } else {
        None
    };
    if let Some((start, end)) = evening.filter(|(start, _)| *start > last_end) {
        day.laptop.push(evening_session(start, end, &mut day.tagged, rng));
    }
    day
}

fn kind_of(date: NaiveDate, is_last: bool) -> Kind {
    let week = date.iso_week().week();
    if matches!(date.weekday(), Weekday::Sat | Weekday::Sun) {
        return if is_last { Kind::Office } else { Kind::Weekend };
    }
    let holiday = matches!((date.month(), date.day()), (1 | 5, 1) | (10, 3) | (12, 24..=26 | 31));
    let vacation = matches!(week, 31 | 32);
    let bridge_day = date.weekday() == Weekday::Fri && week % 3 == 1;
    if !is_last && (holiday || vacation || bridge_day) {
        Kind::Off
    } else if date.weekday() == Weekday::Wed && week.is_multiple_of(2) {
        Kind::OnSite
    } else {
        Kind::Office
    }
}

/// Every second Thursday there is a release at night.
fn works_late(date: NaiveDate) -> bool {
    date.weekday() == Weekday::Thu && date.iso_week().week() % 2 == 1 && kind_of(date, false) == Kind::Office
}

fn is_eve_of_clock_change(date: NaiveDate) -> bool {
    date.succ_opt().is_some_and(|next| [3, 10].into_iter().any(|month| last_sunday(next.year(), month) == Some(next)))
}

fn minutes(rng: &mut Pcg64Mcg, from: i64, to: i64) -> i64 {
    rng.random_range(from * MINUTE..=to * MINUTE)
}

fn any_project(rng: &mut Pcg64Mcg) -> usize {
    // Half of all time goes to the first client.
    if rng.random_ratio(2, 5) { 0 } else { rng.random_range(0..PROJECTS.len()) }
}

/// A meeting of the day and where it is held.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    start: i64,
    end: i64,
    project: usize,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Workstation,
    /// The call runs on the laptop while the workstation is used for notes.
    Laptop,
    /// In a room, without a device.
    Room,
}

fn office_day(rng: &mut Pcg64Mcg) -> Day {
    let mut day = Day::default();
    let start = 8 * HOUR + minutes(rng, 30, 60);
    let end = 17 * HOUR + minutes(rng, 0, 105);
    let lunch = 12 * HOUR + minutes(rng, 0, 50);
    let lunch_end = lunch + minutes(rng, 35, 65);
    let mut session = Session { stays_on: rng.random_ratio(1, 8), ..Session::default() };
    let mut meetings = Vec::new();
    for slot in [10 * HOUR, 11 * HOUR, 14 * HOUR, 15 * HOUR + 30 * MINUTE] {
        if rng.random_ratio(2, 5) {
            let place = match rng.random_range(0..10) {
                0..4 => Place::Workstation,
                4..7 => Place::Laptop,
                _ => Place::Room,
            };
            let length = if rng.random_ratio(1, 2) { 30 * MINUTE } else { 45 * MINUTE };
            let late = minutes(rng, 0, 3);
            let over = minutes(rng, 0, 5);
            meetings.push(Meeting { start: slot + late, end: slot + length + over, project: any_project(rng), place });
        }
    }
    let mut at = start;
    for meeting in meetings {
        if at < lunch && meeting.start >= lunch {
            work(&mut session, at, lunch, &mut day.tagged, rng);
            lunch_break(&mut session, lunch, lunch_end, rng);
            at = lunch_end;
        }
        work(&mut session, at, meeting.start, &mut day.tagged, rng);
        attend(&mut day, &mut session, meeting, rng);
        at = meeting.end;
    }
    if at < lunch {
        work(&mut session, at, lunch, &mut day.tagged, rng);
        lunch_break(&mut session, lunch, lunch_end, rng);
        at = lunch_end;
    }
    work(&mut session, at, end, &mut day.tagged, rng);
    day.workstation.push(session);
    day
}

fn lunch_break(session: &mut Session, start: i64, end: i64, rng: &mut Pcg64Mcg) {
    let locked = if rng.random_ratio(7, 10) { start } else { (start + minutes(rng, 10, 15)).min(end) };
    session.push(start, locked, Doing::Away);
    session.push(locked, end, Doing::Locked);
}

fn attend(day: &mut Day, session: &mut Session, meeting: Meeting, rng: &mut Pcg64Mcg) {
    let Meeting { start, end, project, place } = meeting;
    match place {
        Place::Workstation => session.push(start, end, Doing::Meeting(project)),
        Place::Room => session.push(start, end, if rng.random_ratio(3, 4) { Doing::Locked } else { Doing::Away }),
        Place::Laptop => {
            session.push(start, end, Doing::Office(project));
            let mut laptop = Session::default();
            // Slots are an hour apart: these margins keep two calls in a row from overlapping.
            let opened = start - minutes(rng, 1, 2);
            let closed = end + minutes(rng, 1, 4);
            laptop.push(opened, start, Doing::Leisure);
            laptop.push(start, end, Doing::Meeting(project));
            laptop.push(end, closed, Doing::Away);
            day.laptop.push(laptop);
        }
    }
    day.tagged.push(Tagged { start, end, project, meeting: true });
}

/// Fills a part of the day with work: blocks on one project each, short breaks between them.
fn work(session: &mut Session, start: i64, end: i64, tagged: &mut Vec<Tagged>, rng: &mut Pcg64Mcg) {
    let mut at = start;
    while at < end {
        let project = any_project(rng);
        let block_end = fitted(at + minutes(rng, 45, 110), end);
        let mail_end = if rng.random_ratio(2, 5) { (at + minutes(rng, 6, 18)).min(block_end) } else { at };
        session.push(at, mail_end, Doing::Office(project));
        let break_start = if block_end < end { (block_end - minutes(rng, 4, 14)).max(mail_end) } else { block_end };
        let aside = if rng.random_ratio(1, 4) { (break_start - minutes(rng, 3, 8)).max(mail_end) } else { break_start };
        session.push(mail_end, aside, Doing::Focus(project));
        session.push(aside, break_start, Doing::Leisure);
        session.push(break_start, block_end, if rng.random_ratio(1, 5) { Doing::Locked } else { Doing::Away });
        if rng.random_ratio(4, 5) && break_start > at + 10 * MINUTE {
            tagged.push(Tagged { start: at, end: break_start, project, meeting: false });
        }
        at = block_end;
    }
}

/// Lets a block run to the end rather than leave a scrap of less than a quarter of an hour.
const fn fitted(block_end: i64, end: i64) -> i64 {
    if end - block_end < 15 * MINUTE { end } else { block_end }
}

/// At the client's: the laptop only, in two parts.
fn on_site_day(rng: &mut Pcg64Mcg) -> Day {
    let mut day = Day::default();
    let project = rng.random_range(0..PROJECTS.len() - 1);
    let mut morning = Session::default();
    let start = 9 * HOUR + minutes(rng, 0, 25);
    let workshop = 10 * HOUR + minutes(rng, 0, 20);
    let workshop_end = workshop + minutes(rng, 50, 80);
    let lunch = 12 * HOUR + minutes(rng, 5, 30);
    work(&mut morning, start, workshop, &mut day.tagged, rng);
    // A workshop in a room: the laptop lies open, its last window goes on being recorded.
    morning.push(workshop, workshop_end, Doing::Away);
    day.tagged.push(Tagged { start: workshop, end: workshop_end, project, meeting: true });
    work(&mut morning, workshop_end, lunch, &mut day.tagged, rng);
    let mut afternoon = Session::default();
    work(&mut afternoon, 13 * HOUR + minutes(rng, 5, 25), 16 * HOUR + minutes(rng, 0, 60), &mut day.tagged, rng);
    day.laptop.extend([morning, afternoon]);
    day
}

fn weekend(rng: &mut Pcg64Mcg) -> Day {
    let mut day = Day::default();
    let start = 10 * HOUR + minutes(rng, 0, 150);
    let mut session = Session::default();
    let reading = start + minutes(rng, 15, 50);
    session.push(start, reading, Doing::Leisure);
    if rng.random_ratio(1, 2) {
        let pause = reading + minutes(rng, 5, 40);
        let office = pause + minutes(rng, 20, 45);
        session.push(reading, pause, Doing::Away);
        session.push(pause, office, Doing::Office(PROJECTS.len() - 1));
        day.tagged.push(Tagged { start: pause, end: office, project: PROJECTS.len() - 1, meeting: false });
    }
    day.laptop.push(session);
    if rng.random_ratio(1, 4) {
        let start = 16 * HOUR + minutes(rng, 0, 90);
        let mut session = Session::default();
        session.push(start, start + minutes(rng, 20, 70), Doing::Leisure);
        day.workstation.push(session);
    }
    day
}

fn evening_session(start: i64, end: i64, tagged: &mut Vec<Tagged>, rng: &mut Pcg64Mcg) -> Session {
    let mut session = Session::default();
    let project = any_project(rng);
    let settled = (start + minutes(rng, 5, 12)).min(end);
    session.push(start, settled, Doing::Leisure);
    session.push(settled, end, Doing::Focus(project));
    if end > settled + 15 * MINUTE && end < DAY {
        tagged.push(Tagged { start: settled, end, project, meeting: false });
    }
    session
}
