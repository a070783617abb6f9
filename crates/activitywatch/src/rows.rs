//! Computes activities from the events of the buckets.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use jiff::Timestamp;

use dayledger_source::{ComputerState, HiddenScreenshots, Privacy, Role, UNKNOWN};

use crate::clock::{Clock, MAX_OFFSET, Offsets};
use crate::data::Data;
use crate::history::History;
use crate::instant::to_seconds;
use crate::redaction::redact;
use crate::settings::Settings;
use crate::shape::{Bucket, BucketKind};
use crate::site::{Browser, file_name, is_private_title, site_of};
use crate::spans::{Event, Slice, difference, overlaps, owned_slices, share_gaps, union};
use crate::texts::{MaybeText, TextId, Texts};

/// The name or title of activities in a private window.
const PRIVATE: &str = "(private)";
/// The name and key of each state of presence.
const ACTIVE: (&str, &str) = ("Active", "ActivityWatch/not-afk");
const AWAY: (&str, &str) = ("Away", "ActivityWatch/afk");
const AUDIBLE: (&str, &str) = ("Active", "ActivityWatch/audible");

/// An activity. Times are whole seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// The index of the activity's timeline.
    pub(crate) timeline: u32,
    pub(crate) state: Option<ComputerState>,
    /// Whether the times can be read. If not, `start` and `end` are 0.
    pub(crate) is_timed: bool,
    pub(crate) id: i64,
    /// For a tab, the id of the window that shows it. For other activities, [`Row::NOT_RELATED`].
    pub(crate) related: i64,
    /// The start and the end in Unix seconds.
    pub(crate) start: i64,
    pub(crate) end: i64,
    /// The number of seconds by which local time is ahead of UTC.
    pub(crate) offset: i32,
    pub(crate) name: MaybeText,
    pub(crate) key: MaybeText,
    pub(crate) title: MaybeText,
    pub(crate) rule_text: MaybeText,
}

impl Row {
    const NOT_RELATED: i64 = i64::MIN;

    /// Returns the id of the window that shows a tab, or `None` for other activities.
    pub(crate) fn window_id(&self) -> Option<i64> {
        (self.related != Self::NOT_RELATED).then_some(self.related)
    }

    pub(crate) fn local_start(&self) -> Option<i64> {
        self.is_timed.then(|| self.start + i64::from(self.offset))
    }

    pub(crate) fn local_end(&self) -> Option<i64> {
        self.is_timed.then(|| self.end + i64::from(self.offset))
    }
}

/// A timeline. It contains the activities of one bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Timeline {
    pub(crate) id: i64,
    pub(crate) role: Role,
    pub(crate) schema: String,
    pub(crate) name: String,
    pub(crate) device: String,
    /// Whether the device has a bucket of presence with events.
    pub(crate) is_tracked: bool,
    /// The number of events in the bucket, or 0 if no scan needs the number.
    pub(crate) events: i64,
    /// The local times of the first start and of the last end, in seconds.
    pub(crate) first_local: Option<i64>,
    pub(crate) last_local: Option<i64>,
}

/// All activities in memory.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The timelines, sorted by id.
    pub(crate) timelines: Vec<Timeline>,
    /// The activities, sorted by timeline and start.
    pub(crate) activities: Vec<Row>,
    /// For each timeline, the range of its activities' indexes in `activities`, and the length of its longest activity
    /// in seconds.
    places: Vec<(Range<usize>, i64)>,
    pub(crate) texts: Arc<Texts>,
    /// The periods whose screenshots are hidden. `None` if there are no privacy settings.
    pub(crate) screenshots: Option<Arc<HiddenScreenshots>>,
    /// The ids of tab buckets that contain events, but whose browser has no window.
    pub(crate) tabs_without_window: Vec<String>,
}

/// The devices of a history, and their offsets from UTC.
struct Devices {
    /// The name of the device, by bucket.
    names: HashMap<i64, String>,
    /// The offsets from UTC, by the name of the device.
    offsets: HashMap<String, Arc<Offsets>>,
}

impl Devices {
    /// Finds the device of each bucket. A bucket without a host is assigned to the device with the most window events,
    /// which is probably the device on which `ActivityWatch` runs.
    fn new(history: &History, clock: &Clock, settings: &Settings) -> Self {
        let mut windows: BTreeMap<&str, i64> = BTreeMap::new();
        for bucket in history.buckets.iter().filter(|bucket| bucket.has_own_windows()) {
            *windows.entry(&bucket.host).or_default() += history.window_count(bucket.key);
        }
        let home = windows.iter().max_by(|one, other| one.1.cmp(other.1).then(other.0.cmp(one.0)));
        let home = home.map_or("unknown", |(host, _)| *host);
        let name = |bucket: &Bucket| {
            let host = if bucket.has_host() { bucket.host.as_str() } else { home };
            settings.devices.get(host).map_or(host, String::as_str).to_owned()
        };
        let names: HashMap<_, _> = read_buckets(history).map(|bucket| (bucket.key, name(bucket))).collect();
        // A time outside of this range is damaged and gets the first or the last offset.
        let range = 0..Timestamp::now().as_second() + 366 * 86_400;
        // Devices without their own journey share these offsets.
        let shared = Arc::new(clock.offsets("", range.clone()));
        let mut offsets = HashMap::new();
        for device in names.values() {
            offsets.entry(device.clone()).or_insert_with(|| {
                let own = clock.has_journey_of(device).then(|| Arc::new(clock.offsets(device, range.clone())));
                own.unwrap_or_else(|| Arc::clone(&shared))
            });
        }
        Self { names, offsets }
    }

    fn name(&self, bucket: &Bucket) -> &str {
        self.names.get(&bucket.key).map_or("", String::as_str)
    }

    fn timelines(&self, history: &History) -> Vec<Timeline> {
        // A bucket of presence without events doesn't show when a device was active.
        let is_presence =
            |bucket: &&Bucket| bucket.kind == BucketKind::Presence && history.bounds(bucket.key).has_events;
        let tracked: HashSet<_> = read_buckets(history).filter(is_presence).map(|bucket| self.name(bucket)).collect();
        let timeline = |bucket: &Bucket| {
            let device = self.name(bucket);
            let bounds = history.bounds(bucket.key);
            let local = |micros: Option<i64>| {
                let seconds = to_seconds(micros?);
                Some(seconds + self.offsets.get(device)?.at(seconds))
            };
            Timeline {
                id: bucket.key,
                role: role_of(bucket.kind),
                schema: bucket.type_name.clone(),
                name: bucket.id.clone(),
                is_tracked: tracked.contains(device),
                events: history.count(bucket.key),
                first_local: local(bounds.first),
                last_local: local(bounds.last),
                device: device.to_owned(),
            }
        };
        read_buckets(history).map(timeline).collect()
    }
}

fn read_buckets(history: &History) -> impl Iterator<Item = &Bucket> {
    history.buckets.iter().filter(|bucket| bucket.kind != BucketKind::Ignored)
}

/// Returns the timelines of a history. The number of events in a timeline is 0 if the number isn't in memory.
pub(crate) fn timelines(history: &History, clock: &Clock, settings: &Settings) -> Vec<Timeline> {
    Devices::new(history, clock, settings).timelines(history)
}

impl Rows {
    /// Computes all activities of the events in memory, and redacts them according to `privacy`.
    pub(crate) fn new(history: &mut History, clock: &Clock, settings: &Settings, privacy: &Privacy) -> Self {
        let devices = Devices::new(history, clock, settings);
        let timelines = devices.timelines(history);
        let read: Vec<_> = read_buckets(history).cloned().collect();
        let mut texts = std::mem::take(&mut history.texts);
        let builder = Builder {
            history,
            settings,
            buckets: &read,
            texts: Arc::make_mut(&mut texts),
            rows: Vec::new(),
            sites: HashMap::new(),
            tabs_without_window: Vec::new(),
        };
        let (mut activities, tabs_without_window) = builder.build(&timelines, &devices.offsets);
        activities.sort_by_key(|row| (row.timeline, row.start, row.id));
        let screenshots = redact(&mut activities, &timelines, Arc::make_mut(&mut texts), privacy);
        history.texts = Arc::clone(&texts);
        let places = (0..timelines.len()).map(|timeline| place_of(index_of(timeline), &activities)).collect();
        Self { timelines, activities, places, texts, screenshots, tabs_without_window }
    }

    /// Returns activities of the timeline with the index `timeline`: all that can overlap the range from `from` to
    /// `to`. Both bounds are local times in seconds.
    pub(crate) fn rows_around(&self, timeline: usize, from: Option<i64>, to: Option<i64>) -> &[Row] {
        let Some((place, longest)) = self.places.get(timeline) else { return &[] };
        let rows = &self.activities[place.clone()];
        // Extend the range at both ends by the length of the longest activity, because the end of a damaged row can be
        // before its start.
        let margin = MAX_OFFSET.saturating_add(*longest);
        let place_before = |at: i64| rows.partition_point(|row| row.start < at);
        let first = from.map_or(0, |from| place_before(from.saturating_sub(margin)));
        let end = to.map_or(rows.len(), |to| place_before(to.saturating_add(margin)));
        &rows[first..end.max(first)]
    }
}

fn role_of(kind: BucketKind) -> Role {
    match kind {
        BucketKind::Window => Role::Applications,
        BucketKind::Presence => Role::ComputerUsage,
        BucketKind::Tab => Role::Websites,
        BucketKind::Editor => Role::Documents,
        BucketKind::Stopwatch => Role::Tags,
        BucketKind::Ignored => Role::Other,
    }
}

/// Builds the rows of all timelines.
struct Builder<'h> {
    history: &'h History,
    settings: &'h Settings,
    /// The bucket of each timeline, in the order of the timelines.
    buckets: &'h [Bucket],
    texts: &'h mut Texts,
    rows: Vec<Row>,
    /// The site of each URL.
    sites: HashMap<TextId, TextId>,
    tabs_without_window: Vec<String>,
}

/// The name, key and title of a row.
#[derive(Clone, Copy)]
struct Names {
    name: Option<TextId>,
    key: Option<TextId>,
    title: Option<TextId>,
}

/// The windows of a device, sorted by [`Event::place`].
struct Windows {
    events: Vec<Event>,
    /// The time that each window owns.
    slices: Vec<Slice>,
}

impl Builder<'_> {
    fn build(mut self, timelines: &[Timeline], offsets: &HashMap<String, Arc<Offsets>>) -> (Vec<Row>, Vec<String>) {
        let devices: BTreeSet<_> = timelines.iter().map(|timeline| &timeline.device).collect();
        for device in devices {
            let Some(offsets) = offsets.get(device) else { continue };
            let own: Vec<_> = (0..timelines.len()).filter(|index| timelines[*index].device == *device).collect();
            self.add_device(&own, offsets);
        }
        for timeless in self.history.timeless() {
            if let Some(timeline) = self.buckets.iter().position(|bucket| bucket.key == timeless.bucket) {
                let names = self.names(self.buckets[timeline].kind, timeless.data, false);
                self.rows.push(untimed_row(index_of(timeline), timeless.id, names));
            }
        }
        (self.rows, self.tabs_without_window)
    }

    /// Adds the rows of the timelines of a device.
    fn add_device(&mut self, timelines: &[usize], offsets: &Offsets) {
        let of = |kind: BucketKind| {
            let buckets = self.buckets;
            timelines.iter().copied().filter(move |index| buckets[*index].kind == kind).collect::<Vec<_>>()
        };
        let [windows, presence, tabs, editors, stopwatches] =
            [BucketKind::Window, BucketKind::Presence, BucketKind::Tab, BucketKind::Editor, BucketKind::Stopwatch]
                .map(of);
        let events_of_windows: Vec<_> = windows.iter().map(|index| (*index, self.events(*index, offsets))).collect();
        let mut in_front: Vec<Event> =
            events_of_windows.iter().flat_map(|(_, events)| events.iter().copied()).collect();
        in_front.sort_by_key(Event::place);
        let front = Windows { slices: owned_slices(&in_front), events: in_front };
        let (mut private, mut audible) = (HashSet::new(), Vec::new());
        let mut browsers: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for index in tabs {
            browsers.entry(Browser::from_bucket(&self.buckets[index].id)).or_default().push(index);
        }
        for (browser, timelines) in browsers {
            self.add_tabs(browser.as_ref(), &timelines, &front, offsets, &mut private, &mut audible);
        }
        for (index, events) in events_of_windows {
            for event in events {
                let names = self.names(BucketKind::Window, event.data, private.contains(&event.place()));
                self.add_event(index, &event, names, None, offsets);
            }
        }
        let mut present = Vec::new();
        for index in &presence {
            for event in self.events(*index, offsets) {
                let state = self.state_of(event.data);
                if state == ComputerState::Active {
                    present.push(event.start..event.end);
                }
                let names = self.names(BucketKind::Presence, event.data, false);
                self.add_event(*index, &event, names, Some(state), offsets);
            }
        }
        if let Some(first) = presence.first().filter(|_| self.settings.audible) {
            self.add_audible(*first, &difference(&union(audible), &union(present)), offsets);
        }
        for index in editors.into_iter().chain(stopwatches) {
            for event in self.events(index, offsets) {
                let names = self.names(self.buckets[index].kind, event.data, false);
                self.add_event(index, &event, names, None, offsets);
            }
        }
    }

    /// Returns the readable events of a bucket, with short gaps closed. Doesn't return damaged events, but adds rows
    /// for them.
    fn events(&mut self, timeline: usize, offsets: &Offsets) -> Vec<Event> {
        let bucket = &self.buckets[timeline];
        let (mut events, others): (Vec<_>, Vec<_>) = self
            .history
            .events(bucket.key)
            .into_iter()
            .partition(|event| event.end >= event.start && !event.data.is_unreadable);
        for event in others {
            let names = self.names(bucket.kind, event.data, false);
            if event.data.is_unreadable {
                self.rows.push(untimed_row(index_of(timeline), event.id, names));
            } else {
                self.add_event(timeline, &event, names, None, offsets);
            }
        }
        if bucket.kind != BucketKind::Stopwatch {
            share_gaps(&mut events);
        }
        events
    }

    /// Adds rows for a browser's tabs, but only for the time in which the browser is in front. A browser can have
    /// several timelines, for example one for each profile. If their tabs overlap, only one tab owns the time. Also
    /// collects the windows that show a private tab, and the periods with sound.
    fn add_tabs(
        &mut self,
        browser: Option<&Browser>,
        timelines: &[usize],
        front: &Windows,
        offsets: &Offsets,
        private: &mut HashSet<(i64, i64)>,
        audible: &mut Vec<Range<i64>>,
    ) {
        let slices = browser.map(|browser| self.slices_of(browser, front)).unwrap_or_default();
        let mut tabs: Vec<(usize, Event)> = Vec::new();
        for timeline in timelines {
            let events = self.events(*timeline, offsets);
            if slices.is_empty() && !events.is_empty() {
                self.tabs_without_window.push(self.buckets[*timeline].id.clone());
            }
            tabs.extend(events.into_iter().map(|event| (*timeline, event)));
        }
        tabs.sort_by_key(|(_, event)| event.place());
        let events: Vec<_> = tabs.iter().map(|(_, event)| *event).collect();
        for (span, tab, window) in overlaps(&owned_slices(&events), &slices) {
            let ((timeline, tab), window) = (tabs[tab], front.events[window]);
            if tab.data.is_private && !self.settings.private_titles {
                private.insert(window.place());
            }
            if tab.data.is_audible {
                audible.push(span.clone());
            }
            let id = derived_id([tab.id, window.id, span.start]);
            let part = Event { id, start: span.start, end: span.end, data: tab.data };
            let names = self.names(BucketKind::Tab, tab.data, false);
            let first = self.rows.len();
            self.add_event(timeline, &part, names, None, offsets);
            self.rows[first..].iter_mut().for_each(|row| row.related = window.id);
        }
    }

    /// Returns the slices of `front` in which a window of the browser is in front.
    fn slices_of(&self, browser: &Browser, front: &Windows) -> Vec<Slice> {
        let mut known: HashMap<Option<TextId>, bool> = HashMap::new();
        let mut is_browser = |application: Option<TextId>| {
            let is_application = || application.is_some_and(|name| browser.is_application(self.texts.get(name)));
            *known.entry(application).or_insert_with(is_application)
        };
        front.slices.iter().filter(|slice| is_browser(front.events[slice.event].data.name)).cloned().collect()
    }

    /// Adds rows that mark the time in `spans` as active. `spans` are the periods with sound during which the user
    /// isn't present.
    fn add_audible(&mut self, timeline: usize, spans: &[Range<i64>], offsets: &Offsets) {
        let (name, key) = (self.texts.add(AUDIBLE.0), self.texts.add(AUDIBLE.1));
        let names = Names { name: Some(name), key: Some(key), title: None };
        for span in spans {
            let id = derived_id([0, 0, span.start]);
            let event = Event { id, start: span.start, end: span.end, data: Data::default() };
            self.add_event(timeline, &event, names, Some(ComputerState::Active), offsets);
        }
    }

    fn state_of(&self, data: Data) -> ComputerState {
        match data.name.map(|status| self.texts.get(status)) {
            Some("not-afk") => ComputerState::Active,
            Some("afk") => ComputerState::Away,
            _ => ComputerState::Unknown,
        }
    }

    /// Returns the name, key and title of an event. `is_private` is true if the event is a window that shows a private
    /// tab.
    fn names(&mut self, kind: BucketKind, data: Data, is_private: bool) -> Names {
        match kind {
            BucketKind::Window => {
                let name = data.name.filter(|name| !self.texts.get(*name).is_empty());
                let name = name.unwrap_or_else(|| self.texts.add(UNKNOWN));
                let shows_private = || data.title.is_some_and(|title| is_private_title(self.texts.get(title)));
                let is_private = !self.settings.private_titles && (is_private || data.is_private || shows_private());
                let title = if is_private { Some(self.texts.add(PRIVATE)) } else { data.title };
                Names { name: Some(name), key: Some(name), title }
            }
            BucketKind::Presence => {
                let known = match self.state_of(data) {
                    ComputerState::Active => Some(ACTIVE),
                    ComputerState::Away => Some(AWAY),
                    _ => None,
                };
                match known {
                    Some((name, key)) => {
                        Names { name: Some(self.texts.add(name)), key: Some(self.texts.add(key)), title: None }
                    }
                    None => Names { name: data.name, key: data.name, title: None },
                }
            }
            BucketKind::Tab if data.is_private && !self.settings.private_titles => {
                let name = Some(self.texts.add(PRIVATE));
                Names { name, key: name, title: None }
            }
            BucketKind::Tab => {
                let site = self.site(data.name);
                Names { name: Some(site), key: Some(site), title: data.name }
            }
            BucketKind::Editor => {
                let title = data.name.filter(|path| !self.texts.get(*path).is_empty());
                let path = title.unwrap_or_else(|| self.texts.add(UNKNOWN));
                let file = file_name(self.texts.get(path)).to_owned();
                Names { name: Some(self.texts.add(&file)), key: Some(path), title }
            }
            BucketKind::Stopwatch | BucketKind::Ignored => Names { name: data.name, key: data.name, title: None },
        }
    }

    fn site(&mut self, address: Option<TextId>) -> TextId {
        let address = address.unwrap_or_else(|| self.texts.add(""));
        if let Some(site) = self.sites.get(&address) {
            return *site;
        }
        let site = site_of(self.texts.get(address));
        let site = self.texts.add(&site);
        self.sites.insert(address, site);
        site
    }

    /// Adds the rows of an event. Times are rounded to whole seconds, and the event is split at each change of the
    /// offset from UTC.
    fn add_event(
        &mut self,
        timeline: usize,
        event: &Event,
        names: Names,
        state: Option<ComputerState>,
        offsets: &Offsets,
    ) {
        let row = Row { is_timed: true, state, ..untimed_row(index_of(timeline), event.id, names) };
        let (start, end) = (to_seconds(event.start), to_seconds(event.end));
        let timed = |start: i64, end: i64, offset: i64| Row {
            start,
            end,
            offset: i32::try_from(offset).unwrap_or_default(),
            ..row
        };
        if end <= start {
            self.rows.push(timed(start, end, offsets.at(start)));
            return;
        }
        for (index, (span, offset)) in offsets.parts(start..end).enumerate() {
            // Each part of the event is a row. Only the first part has the id of the event.
            let id = if index == 0 { event.id } else { derived_id([event.id, 0, span.start]) };
            self.rows.push(Row { id, ..timed(span.start, span.end, offset) });
        }
    }
}

/// Returns the range of the indexes of a timeline's rows, and the length of its longest row in seconds.
fn place_of(timeline: u32, rows: &[Row]) -> (Range<usize>, i64) {
    let first = rows.partition_point(|row| row.timeline < timeline);
    let place = first..rows.partition_point(|row| row.timeline <= timeline);
    let longest = rows[place.clone()].iter().map(|row| (row.end - row.start).abs()).max().unwrap_or_default();
    (place, longest)
}

fn index_of(timeline: usize) -> u32 {
    u32::try_from(timeline).unwrap_or(u32::MAX)
}

fn untimed_row(timeline: u32, id: i64, names: Names) -> Row {
    Row {
        timeline,
        state: None,
        is_timed: false,
        id,
        related: Row::NOT_RELATED,
        start: 0,
        end: 0,
        offset: 0,
        name: names.name.into(),
        key: names.key.into(),
        title: names.title.into(),
        rule_text: names.title.into(),
    }
}

/// Returns the id of a row that is only a part of an event, or that is computed from several events. The id is
/// negative, so that it differs from the ids of events. The id has at most 52 bits, so that JSON readers that use
/// floating-point numbers can represent it exactly.
fn derived_id(parts: [i64; 3]) -> i64 {
    // Use FNV-1a, because the results of the standard hashers can change between versions of Rust.
    let bytes = parts.into_iter().flat_map(i64::to_le_bytes);
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    -1 - i64::try_from(hash >> 12).unwrap_or_default()
}
