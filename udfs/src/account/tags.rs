//! Finds the tags that cover an interval, and the times at which they change. A span is a start and an end in UTC.

use crate::start_index::StartIndex;

use super::input::{Kind, Source};

/// All tags, which apply to every device.
pub(super) struct Tags<'a> {
    by_start: StartIndex<Option<&'a str>>,
}

impl<'a> Tags<'a> {
    /// Indexes all tags except during `spans`, which are disjoint and in order.
    pub(super) fn new_excluding(sources: &[Source<'a>], spans: &[(i64, i64)]) -> Self {
        let mut by_start = StartIndex::default();
        for tag in sources.iter().filter(|source| source.kind == Kind::Tag) {
            subtract(tag.span(), spans).for_each(|span| by_start.push(span, tag.name));
        }
        by_start.finish();
        Self { by_start }
    }

    /// Returns the tags that cover the whole span, in order of start and without duplicates.
    pub(super) fn find_covering(&self, (start, end): (i64, i64)) -> Vec<&'a str> {
        let mut tags = Vec::new();
        for ((begins, ends), name) in self.by_start.find_near((start, end)) {
            if let Some(name) = name.filter(|name| *begins <= start && end <= *ends && !tags.contains(name)) {
                tags.push(name);
            }
        }
        tags
    }

    /// Divides a span at each change of its tags, and calls `part` with each part in time order.
    pub(super) fn divide(&self, (start, end): (i64, i64), mut part: impl FnMut((i64, i64), Vec<&'a str>)) {
        let edges = self.by_start.find_near((start, end)).flat_map(|((begins, ends), _)| [*begins, *ends]);
        let mut cuts: Vec<i64> = edges.filter(|at| start < *at && *at < end).chain([end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let (mut from, mut reached) = (start, start);
        let mut held: Option<Vec<&'a str>> = None;
        for cut in cuts {
            let tags = self.find_covering((reached, cut));
            if let Some(before) = held.replace(tags.clone()).filter(|before| *before != tags) {
                part((from, reached), before);
                from = reached;
            }
            reached = cut;
        }
        if let Some(tags) = held {
            part((from, end), tags);
        }
    }
}

/// Returns the parts of a span that `others` don't cover. `others` are disjoint and in order.
pub(super) fn subtract((start, end): (i64, i64), others: &[(i64, i64)]) -> impl Iterator<Item = (i64, i64)> {
    let first = others.partition_point(|other| other.1 <= start);
    let within = others[first..].iter().take_while(move |other| other.0 < end).copied();
    let mut from = start;
    let gaps = within.chain([(end, end)]).map(move |other| {
        let gap = (from, other.0);
        from = from.max(other.1);
        gap
    });
    gaps.filter(|(start, end)| start < end)
}
