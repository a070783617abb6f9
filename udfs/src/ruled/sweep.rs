//! Finds the rule that applies at each time of a piece.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

use hashbrown::HashMap;

use crate::interval::{Interval, RowClock};
use crate::start_index::StartIndex;

/// A piece of activity. A piece without duration has no intervals.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The device of the piece.
    pub device: Option<&'a str>,
    /// The activity of the piece.
    pub activity: Option<i64>,
    /// The start and end.
    pub interval: Interval,
    /// The conditions that the piece itself meets.
    pub conditions: &'a [u32],
}

/// A row that can belong to pieces: a tag, a document or a website.
#[derive(Clone, Copy, Debug)]
pub struct Detail<'a> {
    /// The device. For a tag, the device is ignored, because a tag belongs to every device.
    pub device: Option<&'a str>,
    /// The activity to which the row is linked.
    pub activity: Option<i64>,
    /// Whether the row is a tag.
    pub is_tag: bool,
    /// The start and end in UTC seconds.
    pub span: (i64, i64),
    /// The conditions that the row meets.
    pub conditions: &'a [u32],
}

/// A part of a piece to which one rule applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleInterval {
    /// The start and end, on the clock of the piece.
    pub interval: Interval,
    /// The index of the rule. `None` if no rule matches.
    pub rule: Option<usize>,
    /// Whether a tag overlaps the interval.
    pub tagged: bool,
    /// The indexes of later rules that also match in a part of the interval, in order.
    pub shadowed: Vec<usize>,
}

/// The rows that can belong to the pieces of one device.
#[derive(Default)]
struct DeviceDetails<'d, 'a> {
    linked: HashMap<i64, Vec<&'d Detail<'a>>>,
    unlinked: StartIndex<&'d Detail<'a>>,
}

/// Calls `visit` with each interval of each piece. The pieces come one after another, and the intervals of a piece are
/// in time order. The first argument of `visit` is the index of the piece. `rules` contains the conditions of each
/// rule. Earlier rules take precedence.
pub fn sweep_ruled(
    pieces: &[Piece<'_>],
    details: &[Detail<'_>],
    rules: &[Vec<u32>],
    mut visit: impl FnMut(usize, RuleInterval),
) {
    let mut devices: HashMap<Option<&str>, DeviceDetails<'_, '_>> = HashMap::new();
    let mut tags: StartIndex<&Detail<'_>> = StartIndex::default();
    for detail in details.iter().filter(|detail| detail.span.0 < detail.span.1) {
        if detail.is_tag {
            tags.push(detail.span, detail);
            continue;
        }
        let device = devices.entry(detail.device).or_default();
        match detail.activity {
            Some(activity) => device.linked.entry(activity).or_default().push(detail),
            None => device.unlinked.push(detail.span, detail),
        }
    }
    tags.finish();
    devices.values_mut().for_each(|device| device.unlinked.finish());
    let mut deciding = RuleMatcher::new(rules);
    for (place, piece) in pieces.iter().enumerate() {
        let span = (piece.interval.start_utc, piece.interval.end_utc);
        deciding.begin(piece);
        if let Some(device) = devices.get(&piece.device) {
            let linked = piece.activity.and_then(|activity| device.linked.get(&activity));
            linked.into_iter().flatten().for_each(|detail| deciding.add(detail, span));
            device.unlinked.find_near(span).for_each(|(_, detail)| deciding.add(detail, span));
        }
        tags.find_near(span).for_each(|(_, detail)| deciding.add(detail, span));
        deciding.decide(piece.interval, |interval| visit(place, interval));
    }
}

/// Tracks the conditions that rows meet while time advances through a piece.
struct RuleMatcher<'a> {
    rules: &'a [Vec<u32>],
    /// The conditions that are currently met, in order. Each comes with the number of rows that meet it.
    active: Vec<(u32, u32)>,
    /// The number of tags that overlap the piece at the current time.
    tags: u32,
    /// The changes within the piece: the time, whether a row starts, whether the row is a tag, and the row's
    /// conditions.
    edges: Vec<(i64, bool, bool, &'a [u32])>,
    /// The matching rules for each set of met conditions that occurred so far.
    cache: HashMap<Vec<u32>, Rc<[usize]>>,
}

/// Returns the rule with the most seconds in a piece. Returns `None` if the time without a rule is longest. On a tie,
/// the earlier rule wins, and any rule wins against time without a rule.
pub fn dominant_rule<'s>(intervals: impl IntoIterator<Item = &'s RuleInterval>) -> Option<usize> {
    let mut seconds: Vec<(Option<usize>, i64)> = Vec::new();
    for interval in intervals {
        match seconds.iter_mut().find(|(rule, _)| *rule == interval.rule) {
            Some((_, total)) => *total += interval.interval.seconds(),
            None => seconds.push((interval.rule, interval.interval.seconds())),
        }
    }
    let most = seconds.into_iter().max_by_key(|(rule, seconds)| (*seconds, rule.is_some(), Reverse(*rule)));
    most.and_then(|(rule, _)| rule)
}

impl<'a> RuleMatcher<'a> {
    fn new(rules: &'a [Vec<u32>]) -> Self {
        Self { rules, active: Vec::new(), tags: 0, edges: Vec::new(), cache: HashMap::new() }
    }

    fn begin(&mut self, piece: &Piece<'a>) {
        self.active.clear();
        self.tags = 0;
        self.edges.clear();
        piece.conditions.iter().for_each(|condition| self.count(*condition, true));
    }

    fn add(&mut self, detail: &Detail<'a>, (start, end): (i64, i64)) {
        let (from, to) = (detail.span.0.max(start), detail.span.1.min(end));
        if from < to {
            self.edges.push((from, true, detail.is_tag, detail.conditions));
            self.edges.push((to, false, detail.is_tag, detail.conditions));
        }
    }

    fn count(&mut self, condition: u32, begins: bool) {
        match self.active.binary_search_by_key(&condition, |(known, _)| *known) {
            Ok(place) if begins => self.active[place].1 += 1,
            Ok(place) if self.active[place].1 > 1 => self.active[place].1 -= 1,
            Ok(place) => {
                self.active.remove(place);
            }
            Err(place) if begins => self.active.insert(place, (condition, 1)),
            Err(_) => {}
        }
    }

    fn decide(&mut self, piece: Interval, mut visit: impl FnMut(RuleInterval)) {
        if piece.start_utc >= piece.end_utc {
            return;
        }
        let clock = RowClock::new(piece);
        // The edges are taken out of the matcher, because `count` borrows the whole matcher. At the end, they are put
        // back, so that the next piece reuses their memory.
        let mut edges = std::mem::take(&mut self.edges);
        // Edges at the same time can be in any order. Rules are matched only after all edges at that time were counted.
        edges.sort_by_key(|(at, ..)| *at);
        let mut open: Option<OpenInterval> = None;
        let mut finish = |OpenInterval { from, rule, tagged, shadowed }: OpenInterval, until: i64| {
            let (start_local, end_local) = (clock.local_at(from), clock.local_at(until));
            let interval = Interval { start_utc: from, start_local, end_utc: until, end_local };
            visit(RuleInterval { interval, rule, tagged, shadowed: shadowed.into_iter().collect() });
        };
        let mut next = 0;
        let mut at = piece.start_utc;
        while at < piece.end_utc {
            while let Some((_, begins, is_tag, conditions)) = edges.get(next).filter(|edge| edge.0 <= at) {
                conditions.iter().for_each(|condition| self.count(*condition, *begins));
                match (*is_tag, *begins) {
                    (true, true) => self.tags += 1,
                    (true, false) => self.tags -= 1,
                    (false, _) => {}
                }
                next += 1;
            }
            let fitting = self.matching_rules();
            let (rule, tagged) = (fitting.first().copied(), self.tags > 0);
            // If only the shadowed rules change, the interval doesn't end. Ending it would only split the interval
            // unnecessarily, because no time is counted for shadowed rules.
            if let Some(ended) = open.take_if(|open| (open.rule, open.tagged) != (rule, tagged)) {
                finish(ended, at);
            }
            let open = open.get_or_insert_with(|| OpenInterval { from: at, rule, tagged, shadowed: BTreeSet::new() });
            open.shadowed.extend(fitting.iter().skip(1));
            at = edges.get(next).map_or(piece.end_utc, |edge| edge.0.min(piece.end_utc));
        }
        if let Some(last) = open {
            finish(last, piece.end_utc);
        }
        self.edges = edges;
    }

    /// Returns the rules whose conditions are all met, in order.
    fn matching_rules(&mut self) -> Rc<[usize]> {
        let holding: Vec<u32> = self.active.iter().map(|(condition, _)| *condition).collect();
        if let Some(known) = self.cache.get(&holding) {
            return Rc::clone(known);
        }
        let fits = |rule: &[u32]| rule.iter().all(|condition| holding.binary_search(condition).is_ok());
        let fitting: Rc<[usize]> = (0..self.rules.len()).filter(|place| fits(&self.rules[*place])).collect();
        self.cache.insert(holding, Rc::clone(&fitting));
        fitting
    }
}

/// An interval whose end isn't known yet.
struct OpenInterval {
    from: i64,
    rule: Option<usize>,
    tagged: bool,
    shadowed: BTreeSet<usize>,
}
