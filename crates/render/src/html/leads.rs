//! Finds the leading application of each ten-minute slot. It is the application with the most active time in the slot.
//!
//! A lane shows only leading applications, because a lane with hundreds of intervals would be hard to read. A bar
//! starts with the first interval in its slot and ends with the last interval in its slot. Breaks therefore stay
//! visible. For each application, every second counts only once.

use std::collections::BTreeMap;

use chrono::{NaiveTime, TimeDelta};

use super::clock::{ClockChange, spans};
use dayledger_activity::NamedInterval;

/// The length of a slot in seconds.
const SLOT: i64 = 600;
/// Two slots are drawn as one bar if the gap between them is at most this long, in seconds. Such a gap isn't visible.
const MIN_GAP_SECONDS: i64 = 60;

/// Consecutive slots with the same leading application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lead<'a> {
    /// The name of the application.
    pub(super) name: &'a str,
    /// The interval to draw.
    pub(super) drawn: NamedInterval,
    /// The seconds of every application in the interval. The application with the most seconds comes first.
    pub(super) shares: Vec<(&'a str, i64)>,
}

/// The applications of a slot. `from` and `to` are the start and the end of their intervals, in seconds since local
/// midnight.
#[derive(Default)]
struct Slot<'a> {
    /// The share of each application, by name.
    names: BTreeMap<&'a str, Share>,
    from: i64,
    to: i64,
}

struct Share {
    seconds: i64,
    first: i64,
    until: i64,
}

/// Returns the leads of a day. `pieces` are the day's intervals, sorted by time.
pub(super) fn leads<'a>(pieces: &[&'a NamedInterval], change: Option<ClockChange>) -> Vec<Lead<'a>> {
    let Some(date) = pieces.first().map(|piece| piece.date) else { return Vec::new() };
    // Each UTC offset has its own slots. A day has several offsets if an hour is repeated in autumn, or if devices are
    // in two zones.
    let mut slots: BTreeMap<(TimeDelta, i64), Slot<'_>> = BTreeMap::new();
    for piece in pieces {
        for span in spans(piece, change) {
            let mut from = span.from;
            while from < span.to {
                let to = span.to.min((from / SLOT + 1) * SLOT);
                let slot = slots.entry((span.offset, from / SLOT)).or_insert(Slot { from, ..Slot::default() });
                slot.add(&piece.name, from, to);
                from = to;
            }
        }
    }
    let mut leads: Vec<Lead<'_>> = Vec::new();
    let mut last = (TimeDelta::zero(), i64::MIN);
    for ((offset, _), slot) in slots {
        let name = slot.leader();
        let shares = slot.names.iter().map(|(name, share)| (*name, share.seconds));
        match leads.last_mut() {
            Some(lead) if lead.name == name && last.0 == offset && slot.from <= last.1 + MIN_GAP_SECONDS => {
                let longer = TimeDelta::seconds(slot.to - last.1);
                lead.drawn.end_local += longer;
                lead.drawn.end_utc += longer;
                add(&mut lead.shares, shares);
            }
            _ => {
                let [start, end] =
                    [slot.from, slot.to].map(|seconds| date.and_time(NaiveTime::MIN) + TimeDelta::seconds(seconds));
                let drawn = NamedInterval {
                    date,
                    device: None,
                    name: name.to_owned(),
                    color: None,
                    start_local: start,
                    start_utc: start - offset,
                    end_local: end,
                    end_utc: end - offset,
                };
                leads.push(Lead { name, drawn, shares: shares.collect() });
            }
        }
        last = (offset, slot.to);
    }
    for lead in &mut leads {
        lead.shares.sort_by_key(|(_, seconds)| std::cmp::Reverse(*seconds));
    }
    leads
}

impl<'a> Slot<'a> {
    fn add(&mut self, name: &'a str, from: i64, to: i64) {
        let share = self.names.entry(name).or_insert(Share { seconds: 0, first: from, until: from });
        share.seconds += (to - from.max(share.until)).max(0);
        share.until = share.until.max(to);
        self.from = self.from.min(from);
        self.to = self.to.max(to);
    }

    /// Returns the name with the most seconds. If several names have the same seconds, returns the name that started
    /// first.
    fn leader(&self) -> &'a str {
        let most = self.names.iter().min_by_key(|(_, share)| (-share.seconds, share.first));
        most.map_or("", |(name, _)| name)
    }
}

fn add<'a>(shares: &mut Vec<(&'a str, i64)>, more: impl Iterator<Item = (&'a str, i64)>) {
    for (name, seconds) in more {
        match shares.iter_mut().find(|(known, _)| *known == name) {
            Some(share) => share.1 += seconds,
            None => shares.push((name, seconds)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::interval;
    use super::*;

    fn lead_texts(pieces: &[NamedInterval]) -> Vec<String> {
        let pieces: Vec<_> = pieces.iter().collect();
        let leads = leads(&pieces, ClockChange::detect(pieces.iter().copied()));
        let clock = |lead: &Lead<'_>| {
            let NamedInterval { start_local, end_local, name, .. } = &lead.drawn;
            let shares: Vec<_> = lead.shares.iter().map(|(name, seconds)| format!("{name} {}", seconds / 60)).collect();
            format!("{}-{} {name}: {}", start_local.format("%H:%M"), end_local.format("%H:%M"), shares.join(", "))
        };
        leads.iter().map(clock).collect()
    }

    fn at(name: &str, from: &str, to: &str) -> NamedInterval {
        interval(name, &format!("2025-01-15 {from}"), 60, &format!("2025-01-15 {to}"), 60)
    }

    #[test]
    fn the_application_with_the_most_time_leads_each_ten_minutes() {
        let day = [
            at("Editor", "09:02", "09:06"),
            at("Mail", "09:06", "09:09"),
            at("Editor", "09:09", "09:12"),
            at("Mail", "09:12", "09:16"),
            at("Editor", "09:16", "09:29"),
            // Only the editor is used from 09:30 to 09:40. There is a break in these ten minutes.
            at("Editor", "09:35", "09:38"),
            at("Mail", "09:40", "09:42"),
            at("Chat", "09:42", "09:44"),
        ];
        assert_eq!(
            lead_texts(&day),
            [
                "09:02-09:29 Editor: Editor 20, Mail 7",
                "09:35-09:38 Editor: Editor 3",
                // Mail and Chat have the same time. Mail started first, so Mail leads.
                "09:40-09:44 Mail: Chat 2, Mail 2",
            ]
        );
    }

    #[test]
    fn a_second_that_two_devices_share_counts_once() {
        let on = |device: &str, one: NamedInterval| NamedInterval { device: Some(device.to_owned()), ..one };
        let day = [
            on("DESK", at("Editor", "09:00", "09:04")),
            on("LAP", at("Editor", "09:00", "09:04")),
            on("LAP", at("Call", "09:04", "09:09")),
        ];
        assert_eq!(lead_texts(&day), ["09:00-09:09 Call: Call 5, Editor 4"]);
    }

    #[test]
    fn each_pass_of_a_repeated_hour_has_its_own_leads() {
        let night = [
            interval("Editor", "2025-10-26 02:00", 120, "2025-10-26 02:10", 120),
            interval("Mail", "2025-10-26 02:00", 60, "2025-10-26 02:08", 60),
        ];
        let mut actual = lead_texts(&night);
        actual.sort();
        assert_eq!(actual, ["02:00-02:08 Mail: Mail 8", "02:00-02:10 Editor: Editor 10"]);
    }
}
