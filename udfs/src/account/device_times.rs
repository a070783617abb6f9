//! Finds the time that isn't active: states, active use without an application, covered rows, and time with only tags.

use crate::clip::{Activity, pieces, sweep_owned};
use crate::name_map::NameMap;
use crate::union::unite;
use crate::usage::DeviceClock;

use super::input::{AccountInterval, AccountOptions, Counts, Cut, FoundInterval, Kind, Source, State};
use super::tags::{Tags, subtract};

/// The UTC span that a row owns, and the index of the row.
type Owned = ((i64, i64), usize);

/// A part of a device's time in which the same rows own every second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BaseInterval {
    /// UTC start and end.
    pub(super) span: (i64, i64),
    /// How the time counts.
    pub(super) counts: Counts,
    /// The index of the row that decides it.
    pub(super) source: usize,
    /// The index of the application row in front.
    pub(super) front: Option<usize>,
}

/// The time of all rows of computer usage and applications. It includes the whole days around the range.
pub(super) struct DeviceTimes<'a> {
    devices: Vec<DeviceTimeline<'a>>,
    /// The spans in which a later row covers a row, with the index of the covered row.
    covered: Vec<Owned>,
    /// The spans of tags in which no device has a row.
    tagged: Vec<Owned>,
}

/// The time of one device.
struct DeviceTimeline<'a> {
    name: Option<&'a str>,
    bases: Vec<BaseInterval>,
    /// Gives states their local time when the range clips them.
    clock: DeviceClock,
}

/// The indexes of one device's rows.
#[derive(Default)]
struct Device {
    applications: Vec<usize>,
    active: Vec<usize>,
    other: Vec<usize>,
    calls: Vec<usize>,
    is_tracked: bool,
    any: Option<usize>,
}

impl Device {
    fn add(&mut self, place: usize, kind: Kind<'_>) {
        self.any = Some(place);
        self.is_tracked |= kind != Kind::Application;
        match kind {
            Kind::State(State::Active) => self.active.push(place),
            Kind::State(_) => self.other.push(place),
            Kind::Call => self.calls.push(place),
            Kind::Application => self.applications.push(place),
            Kind::Piece(_) | Kind::Tag | Kind::Tracked => {}
        }
    }

    /// Returns the clock of the device's states. Its pieces use the same clock.
    fn clock(&self, sources: &[Source<'_>]) -> DeviceClock {
        let mut rows = self.applications.clone();
        rows.sort_by_key(|row| sources[*row].sort_key());
        let interval = |row: &usize| sources[*row].interval;
        let active = self.active.iter().chain(&self.calls).map(interval).collect();
        let mut found = Vec::new();
        pieces(rows.iter().map(interval).map(Activity::from_row), Some(active), |_, piece| found.push(piece));
        DeviceClock::new(self.active.iter().chain(&self.other).map(interval), &found)
    }
}

impl<'a> DeviceTimes<'a> {
    pub(super) fn new(sources: &[Source<'a>]) -> Self {
        let mut of_devices: NameMap<'_, Device> = NameMap::new();
        let mut tags = Vec::new();
        for (place, source) in sources.iter().enumerate() {
            match source.kind {
                Kind::Tag => tags.push(place),
                Kind::Piece(_) => {}
                kind => of_devices.entry(source.device).add(place, kind),
            }
        }
        let mut rest = Self { devices: Vec::new(), covered: Vec::new(), tagged: Vec::new() };
        for device in of_devices.into_sorted_values() {
            let Some(name) = device.any.map(|place| sources[place].device) else { continue };
            rest.add(sources, name, device);
        }
        rest.add_tagged(sources, tags);
        rest
    }

    fn add(&mut self, sources: &[Source<'a>], name: Option<&'a str>, device: Device) {
        let clock = device.clock(sources);
        let fronts = owned_spans(sources, device.applications.clone());
        let mut by_row = fronts.clone();
        by_row.sort_unstable_by_key(|(span, row)| (*row, *span));
        for row in device.applications {
            let first = by_row.partition_point(|(_, of)| *of < row);
            let owned = by_row[first..].iter().take_while(|(_, of)| *of == row);
            let owned: Vec<_> = owned.map(|(span, _)| *span).collect();
            self.covered.extend(subtract(sources[row].span(), &owned).map(|span| (span, row)));
        }
        let lists = [
            fronts,
            owned_spans(sources, device.active),
            owned_spans(sources, device.calls),
            owned_spans(sources, device.other),
        ];
        let mut bases: Vec<BaseInterval> = Vec::new();
        for_each_span(&lists, |span, [front, active, call, other]| {
            let (counts, source) = match (front, active, other) {
                (Some(front), Some(_), _) => (Counts::Active, front),
                (Some(front), ..) if !device.is_tracked => (Counts::Active, front),
                (None, Some(active), _) => (Counts::NoApplication, active),
                (Some(front), None, _) if call.is_some() => (Counts::Call, front),
                (_, None, Some(other)) => (state_counts(sources[other].kind), other),
                (Some(front), None, None) => (Counts::State(State::Unknown), front),
                (None, None, None) => return,
            };
            let base = BaseInterval { span, counts, source, front };
            match bases.last_mut().filter(|last| BaseInterval { span, ..**last } == base && last.span.1 == span.0) {
                Some(last) => last.span.1 = span.1,
                None => bases.push(base),
            }
        });
        self.devices.push(DeviceTimeline { name, bases, clock });
    }

    fn add_tagged(&mut self, sources: &[Source<'a>], tags: Vec<usize>) {
        let held = self.merge_spans(|_| true);
        for (span, tag) in owned_spans(sources, tags) {
            self.tagged.extend(subtract(span, &held).map(|span| (span, tag)));
        }
    }

    /// Returns the time when an application of any device counts, as disjoint spans in time order.
    fn work_spans(&self) -> Vec<(i64, i64)> {
        self.merge_spans(|base| base.counts.is_work())
    }

    /// Returns the time when any device was on, as disjoint spans in time order.
    fn on_spans(&self) -> Vec<(i64, i64)> {
        self.merge_spans(|base| base.counts != Counts::State(State::Off))
    }

    fn merge_spans(&self, is_wanted: impl Fn(&BaseInterval) -> bool) -> Vec<(i64, i64)> {
        let bases = self.devices.iter().flat_map(|device| &device.bases);
        let mut spans: Vec<_> = bases.filter(|base| is_wanted(base)).map(|base| base.span).collect();
        unite(&mut spans);
        spans
    }

    /// Returns the interval that contains a second of a device.
    pub(super) fn at(&self, device: Option<&str>, utc: i64) -> Option<&BaseInterval> {
        let bases = &self.devices.iter().find(|known| known.name == device)?.bases;
        let base = bases.get(bases.partition_point(|base| base.span.1 <= utc))?;
        (base.span.0 <= utc).then_some(base)
    }

    /// Divides a span of active time or calls of a device into parts that count in one way, and calls `part` with each
    /// in time order.
    pub(super) fn divide(
        &self,
        device: Option<&str>,
        (start, end): (i64, i64),
        mut part: impl FnMut((i64, i64), Counts),
    ) {
        let mut from = start;
        while from < end {
            let base = self.at(device, from);
            let until = base.map_or(end, |base| base.span.1.min(end));
            let is_call = base.is_some_and(|base| base.counts == Counts::Call);
            part((from, until), if is_call { Counts::Call } else { Counts::Active });
            from = until;
        }
    }

    /// Whether any device has a row at this second.
    pub(super) fn has_row_at(&self, utc: i64) -> bool {
        self.devices.iter().any(|device| self.at(device.name, utc).is_some())
    }

    /// Calls `found` with each interval that isn't active time, clipped to the range. States use the clock of their
    /// device, and all other rows their own.
    pub(super) fn sweep(
        &self,
        sources: &[Source<'a>],
        terms: AccountOptions,
        mut found: impl FnMut(FoundInterval<'a>),
    ) {
        // A tag is returned with active time if there is any at that time. Otherwise, it is returned with the state of
        // a device that was on.
        let tags_outside_work = Tags::new_excluding(sources, &self.work_spans());
        let tags_outside_on = Tags::new_excluding(sources, &self.on_spans());
        let range = (terms.range_start, terms.range_end);
        let mut clip_and_push = |source: usize, clock: &DeviceClock, span: (i64, i64), stretch: AccountInterval<'a>| {
            clock.clip(span, range, |interval| {
                let (cut_start, cut_end) = (interval.start_utc > span.0, interval.end_utc < span.1);
                let (cut_start, cut_end) = (cut_start.then_some(Cut::Range), cut_end.then_some(Cut::Range));
                found(FoundInterval {
                    source,
                    interval: AccountInterval { interval, cut_start, cut_end, ..stretch.clone() },
                });
            });
        };
        for (device, base) in self.devices.iter().flat_map(|device| device.bases.iter().map(move |base| (device, base)))
        {
            if base.counts.is_work() {
                continue;
            }
            let source = sources[base.source];
            let application = base.front.and_then(|front| sources[front].name);
            let tags = if base.counts == Counts::State(State::Off) { &tags_outside_on } else { &tags_outside_work };
            let own = DeviceClock::from_row(source.interval);
            let clock = if matches!(source.kind, Kind::State(_)) { &device.clock } else { &own };
            tags.divide(base.span, |span, tags| {
                clip_and_push(
                    base.source,
                    clock,
                    span,
                    AccountInterval::idle(source.interval, base.counts, application, tags),
                );
            });
        }
        for (span, row) in &self.covered {
            let (own, name) = (sources[*row].interval, sources[*row].name);
            clip_and_push(
                *row,
                &DeviceClock::from_row(own),
                *span,
                AccountInterval::idle(own, Counts::Covered, name, Vec::new()),
            );
        }
        for (span, tag) in &self.tagged {
            let own = sources[*tag].interval;
            tags_outside_on.divide(*span, |span, tags| {
                clip_and_push(
                    *tag,
                    &DeviceClock::from_row(own),
                    span,
                    AccountInterval::idle(own, Counts::Tagged, None, tags),
                );
            });
        }
    }
}

fn state_counts(kind: Kind<'_>) -> Counts {
    Counts::State(if let Kind::State(state) = kind { state } else { State::Unknown })
}

/// Returns the spans that the rows own, in time order.
fn owned_spans(sources: &[Source<'_>], mut rows: Vec<usize>) -> Vec<Owned> {
    rows.sort_by_key(|row| sources[*row].sort_key());
    let mut owned = Vec::with_capacity(rows.len());
    sweep_owned(rows.iter().map(|row| Activity::from_row(sources[*row].interval)), |index, _, stretch| {
        owned.push(((stretch.start_utc, stretch.end_utc), rows[index]));
    });
    owned
}

/// Calls `moment` with each span between two edges, and with the row that each list has there. Each list is in time
/// order.
fn for_each_span(lists: &[Vec<Owned>; 4], mut moment: impl FnMut((i64, i64), [Option<usize>; 4])) {
    let mut edges: Vec<i64> = lists.iter().flatten().flat_map(|((start, end), _)| [*start, *end]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut next = [0; 4];
    for span in edges.windows(2).map(|edges| (edges[0], edges[1])) {
        let mut held = [None; 4];
        for ((list, next), held) in lists.iter().zip(&mut next).zip(&mut held) {
            while list.get(*next).is_some_and(|((_, end), _)| *end <= span.0) {
                *next += 1;
            }
            *held = list.get(*next).filter(|((start, _), _)| *start <= span.0).map(|(_, row)| *row);
        }
        moment(span, held);
    }
}
