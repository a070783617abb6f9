//! Puts planned days on the timelines of two devices.
//!
//! **Owns** the timelines, their groups and the rows that a day becomes. **Does not own** the days themselves
//! (`day`), what the screen shows (`screen`) or the file (`super::write`).

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::cast::{APPS, NOTES, PROJECTS};
use super::clock::{DAY, HOUR, Span, WallClock, day_number};
use super::day::{self, Day, Doing, Session, Stretch, Tagged};
use super::identity::fnv;
use super::pictures::Album;
use super::rows::{Activity, Group, Timeline};
use super::screen::{self, Content, Habits, Window, file_name, name_on_device};
use super::{Error, HistoryWriter, Plan};

/// A history while it is written, day by day.
pub(super) struct History {
    writer: HistoryWriter,
    clock: WallClock,
    album: Album,
    seed: u64,
    mean_window: i64,
    first: NaiveDate,
    workstation: Device,
    laptop: Device,
    activities: u64,
    last_end: i64,
}

/// A device, its timelines, and the groups that they have so far.
struct Device {
    computer_usage: i64,
    applications: i64,
    documents: i64,
    tags: i64,
    /// Groups of the states, in the order of [`STATES`].
    states: [i64; 4],
    folders: [i64; 2],
    apps: [Option<i64>; APPS.len()],
    contents: HashMap<String, i64>,
    tag_groups: BTreeMap<&'static str, i64>,
    tag_lists: BTreeMap<(&'static str, &'static str), (i64, String)>,
    asleep_since: Option<(i64, State)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Active,
    Away,
    Locked,
    Off,
}

/// Key, name, name on the laptop, colour.
const STATES: [(State, &str, &str, &str, &str); 4] = [
    (State::Active, "ManicTime/Active", "Active", "Aktiv", "5CAA24"),
    (State::Away, "ManicTime/Away", "Away", "Abwesend", "F61500"),
    (State::Locked, "ManicTime/SessionLocked", "Session lock", "Sitzung gesperrt", "F61500"),
    (State::Off, "ManicTime/PowerOff", "Power off", "Ausgeschaltet", "F61500"),
];

const WORKSTATION: &str = "4b8f0a52-6f0e-4a55-9a54-0d6a3e0b7c11";
const LAPTOP: &str = "c2d9e7b1-13c4-4b0f-8e0a-77f1b2a9d402";
/// Tags are the person's: a synced tag timeline belongs to an environment of its own.
const SYNCED: &str = "e07a44c9-5b7d-4d3c-b1a6-2f9c8d1e6f93";

/// What the time that a window stays, times the rows of an average day, comes to. Measured on a year of days with
/// 200 to 6,000 rows; days off are part of the average.
const WINDOW_MILLISECONDS_PER_DAY: i64 = 30_000_000;
/// States and tags of a day, which do not depend on how long windows stay.
const FIXED_ROWS_PER_DAY: i64 = 20;

impl History {
    pub(super) fn begin(mut writer: HistoryWriter, plan: &Plan, first: NaiveDate) -> Result<Self, Error> {
        writer.add_environment(WORKSTATION, "WORKSTATION", Some("Windows;10.0.26100.0"))?;
        writer.add_environment(LAPTOP, "LAPTOP", Some("Windows;10.0.22631.0"))?;
        writer.add_environment(SYNCED, "alex", None)?;
        let workstation = Device::begin(&mut writer, false, 1, WORKSTATION, SYNCED)?;
        let laptop = Device::begin(&mut writer, true, 5, LAPTOP, LAPTOP)?;
        let windows = (i64::from(plan.activities_per_day) - FIXED_ROWS_PER_DAY).max(1);
        Ok(Self {
            writer,
            clock: WallClock::between(first, plan.until),
            album: Album::begin(plan),
            seed: plan.seed,
            mean_window: WINDOW_MILLISECONDS_PER_DAY / windows,
            first,
            workstation,
            laptop,
            activities: 0,
            last_end: i64::MIN,
        })
    }

    /// Writes a day. Each date has its own random numbers, so that a longer plan keeps the days of a shorter one.
    pub(super) fn add_day(&mut self, date: NaiveDate, is_last: bool) -> Result<(), Error> {
        let seed = self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ day_number(date).cast_unsigned();
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let midnight = self.clock.midnight(date);
        let Day { workstation, laptop, mut tagged } = day::plan(date, is_last, &mut rng);
        let age = day_number(date) - day_number(self.first);
        let at_desk =
            workstation.iter().flat_map(|session| &session.stretches).map(|s| (s.start, s.end)).collect::<Vec<_>>();
        for on_laptop in [false, true] {
            let habits = Habits { on_laptop, mean_window: self.mean_window, issue: 120 + age / 2 };
            for session in if on_laptop { &laptop } else { &workstation } {
                self.add_session(session, habits, midnight, &mut rng)?;
            }
        }
        tagged.sort_by_key(|tagged| tagged.start);
        for tagged in tagged {
            let on_laptop = !at_desk.iter().any(|(start, end)| (*start..*end).contains(&tagged.start));
            self.add_tagged(tagged, on_laptop, midnight, &mut rng)?;
        }
        Ok(())
    }

    /// Writes what is still waiting up to the day before `date`, and commits.
    pub(super) fn settle(&mut self, date: NaiveDate) -> Result<(), Error> {
        self.writer.fill_hourly_tables_before(Some((day_number(date) - 1) * DAY))?;
        self.writer.checkpoint()
    }

    /// Ends the history, and returns its file, how many activities it has, and the pictures that are to be drawn. The
    /// hourly tables lack the last hours, as those of a running ManicTime do.
    pub(super) fn finish(mut self) -> Result<(rusqlite::Connection, u64, Album), Error> {
        let lag = 2 * HOUR;
        let end = self.clock.at(self.last_end).local_seconds();
        self.writer.fill_hourly_tables_before(Some(end - lag))?;
        Ok((self.writer.finish()?, self.activities, self.album))
    }

    fn add_session(
        &mut self,
        session: &Session,
        habits: Habits,
        midnight: i64,
        rng: &mut Pcg64Mcg,
    ) -> Result<(), Error> {
        let (Some(first), Some(last)) = (session.stretches.first(), session.stretches.last()) else {
            return Ok(());
        };
        self.wake(habits.on_laptop, midnight + first.start)?;
        let states = states(&session.stretches);
        for (state, start, end) in &states {
            self.add_state(habits.on_laptop, *state, midnight + start, midnight + end)?;
        }
        let windows = screen::windows(session, habits, rng);
        for window in &windows {
            self.add_window(habits.on_laptop, window, midnight)?;
        }
        for (_, start, end) in states.into_iter().filter(|(state, ..)| *state == State::Active) {
            self.album.add(habits.on_laptop, &windows, (start, end), midnight, &self.clock);
        }
        self.last_end = self.last_end.max(midnight + last.end);
        // The laptop often just sleeps, which leaves a gap instead of a row.
        let asleep = match (session.stays_on, habits.on_laptop && rng.random_ratio(2, 5)) {
            (true, _) => Some(State::Locked),
            (false, true) => None,
            (false, false) => Some(State::Off),
        };
        self.device(habits.on_laptop).asleep_since = asleep.map(|state| (midnight + last.end, state));
        Ok(())
    }

    /// Writes the state in which the device has been since it was last used.
    fn wake(&mut self, on_laptop: bool, at: i64) -> Result<(), Error> {
        match self.device(on_laptop).asleep_since.take() {
            Some((since, state)) if since < at => self.add_state(on_laptop, state, since, at),
            _ => Ok(()),
        }
    }

    fn add_state(&mut self, on_laptop: bool, state: State, start: i64, end: i64) -> Result<(), Error> {
        let span = self.span(start, end);
        let device = self.device(on_laptop);
        let (report, groups) = (device.computer_usage, device.states);
        for ((known, _, name, german, _), group) in STATES.into_iter().zip(groups) {
            if known == state {
                let name = if on_laptop { german } else { name };
                let activity = Activity::new(name, span).group(group).active(state == State::Active);
                self.add(report, &activity)?;
            }
        }
        Ok(())
    }

    fn add_window(&mut self, on_laptop: bool, window: &Window, midnight: i64) -> Result<(), Error> {
        let span = self.span(midnight + window.start, midnight + window.end);
        let app = self.app_group(on_laptop, window.app)?;
        let device = self.device(on_laptop);
        let (applications, documents) = (device.applications, device.documents);
        let shown = self.add(applications, &Activity::new(&window.title, span).group(app).active(true))?;
        let Some(content) = &window.content else { return Ok(()) };
        let group = self.content_group(on_laptop, content)?;
        let name = match content {
            Content::Page { url, .. } => url,
            Content::File { path } => path,
        };
        let document = Activity::new(name, span).group(group).active(true);
        self.add(documents, &if window.linked { document.related(shown) } else { document })?;
        Ok(())
    }

    fn add_tagged(&mut self, tagged: Tagged, on_laptop: bool, midnight: i64, rng: &mut Pcg64Mcg) -> Result<(), Error> {
        // People tag by the minute.
        let span = self.span(midnight + tagged.start / 60 * 60, midnight + tagged.end / 60 * 60);
        let project = &PROJECTS[tagged.project];
        let tag = if tagged.meeting { "Meetings" } else { project.tags[rng.random_range(0..project.tags.len())] };
        let note = rng.random_ratio(1, 6).then(|| NOTES[rng.random_range(0..NOTES.len())]);
        let device = if on_laptop { &mut self.laptop } else { &mut self.workstation };
        let (list, name) = device.tag_list(&mut self.writer, project.client, tag, project.billable)?;
        let report = device.tags;
        let activity = Activity::new(&name, span).group_list(list).billable(project.billable);
        self.add(report, &note.map_or(activity, |note| activity.notes(note)))?;
        Ok(())
    }

    fn add(&mut self, report: i64, activity: &Activity<'_>) -> Result<i64, Error> {
        self.activities += 1;
        self.writer.add_activity(report, activity)
    }

    fn app_group(&mut self, on_laptop: bool, app: usize) -> Result<i64, Error> {
        let device = if on_laptop { &mut self.laptop } else { &mut self.workstation };
        if let Some(group) = device.apps[app] {
            return Ok(group);
        }
        let group = Group::application(APPS[app].key, name_on_device(app, on_laptop)).color(APPS[app].color);
        let id = self.writer.add_group(device.applications, &group)?;
        device.apps[app] = Some(id);
        Ok(id)
    }

    fn content_group(&mut self, on_laptop: bool, content: &Content) -> Result<i64, Error> {
        let device = if on_laptop { &mut self.laptop } else { &mut self.workstation };
        let [sites, files] = device.folders;
        let (key, group) = match content {
            Content::Page { host, .. } => (*host, Group::web_site(host).folder(sites)),
            Content::File { path } => (path.as_str(), Group::file(path, file_name(path)).folder(files)),
        };
        if let Some(group) = device.contents.get(key) {
            return Ok(*group);
        }
        let color = format!("{:06X}", fnv(key) & 0x00FF_FFFF);
        let id = self.writer.add_group(device.documents, &group.color(&color))?;
        device.contents.insert(key.to_owned(), id);
        Ok(id)
    }

    fn device(&mut self, on_laptop: bool) -> &mut Device {
        if on_laptop { &mut self.laptop } else { &mut self.workstation }
    }

    fn span(&self, start: i64, end: i64) -> Span {
        Span { start: self.clock.at(start), end: self.clock.at(end) }
    }
}

impl Device {
    fn begin(
        writer: &mut HistoryWriter,
        on_laptop: bool,
        first: i64,
        environment: &str,
        tags_environment: &str,
    ) -> Result<Self, Error> {
        let [computer_usage, applications, documents, tags] = [first, first + 1, first + 2, first + 3];
        writer.add_timeline(&Timeline::computer_usage(computer_usage, environment))?;
        writer.add_timeline(&Timeline::applications(applications, environment))?;
        writer.add_timeline(&Timeline::documents(documents, environment))?;
        writer.add_timeline(&Timeline::tags(tags, tags_environment))?;
        let mut states = [0; 4];
        for ((_, key, name, german, color), id) in STATES.into_iter().zip(&mut states) {
            let name = if on_laptop { german } else { name };
            *id = writer.add_group(computer_usage, &Group::state(key, name).color(color))?;
        }
        let folders = [
            writer.add_folder(documents, "ManicTime/WebSites", "Web sites", "6FB5E4")?,
            writer.add_folder(documents, "ManicTime/Files", "Files", "7F5856")?,
        ];
        Ok(Self {
            computer_usage,
            applications,
            documents,
            tags,
            states,
            folders,
            apps: [None; APPS.len()],
            contents: HashMap::new(),
            tag_groups: BTreeMap::new(),
            tag_lists: BTreeMap::new(),
            asleep_since: None,
        })
    }

    fn tag_list(
        &mut self,
        writer: &mut HistoryWriter,
        client: &'static str,
        tag: &'static str,
        billable: bool,
    ) -> Result<(i64, String), Error> {
        if let Some(list) = self.tag_lists.get(&(client, tag)) {
            return Ok(list.clone());
        }
        let mut groups = [0; 2];
        for (text, id) in [client, tag].into_iter().zip(&mut groups) {
            *id = match self.tag_groups.get(text) {
                Some(group) => *group,
                None => writer.add_group(self.tags, &Group::tag(text))?,
            };
            self.tag_groups.insert(text, *id);
        }
        let name = format!("{client}, {tag}");
        let list = (writer.add_group_list(self.tags, &name, &groups, billable)?, name);
        self.tag_lists.insert((client, tag), list.clone());
        Ok(list)
    }
}

/// Joins stretches of one state.
fn states(stretches: &[Stretch]) -> Vec<(State, i64, i64)> {
    let mut states = Vec::<(State, i64, i64)>::new();
    for stretch in stretches {
        let state = match stretch.doing {
            Doing::Away => State::Away,
            Doing::Locked => State::Locked,
            _ => State::Active,
        };
        match states.last_mut() {
            Some((last, _, end)) if *last == state => *end = stretch.end,
            _ => states.push((state, stretch.start, stretch.end)),
        }
    }
    states
}
