//! Divides the union of all pieces into slices, and names the block of each slice.

use crate::blocks::{Kind as SubjectKind, RuledPiece, Subject, TagInterval, sweep_blocks};

use super::input::{Kind, Source};

/// A part of the union of all pieces, within one block.
pub(super) struct Slice {
    /// UTC start and end.
    pub(super) span: (i64, i64),
    /// The index of its block.
    pub(super) block: usize,
    /// Whether its own subject is the subject of the block.
    pub(super) on_subject: bool,
}

/// A block, and the names of its application.
pub(super) struct NamedBlock<'a> {
    /// Local start.
    pub(super) start: i64,
    /// The subject of the block. An application appears by its key.
    pub(super) subject: Subject<'a>,
    /// If the subject is an application: its names with their seconds, in order of first use.
    names: Vec<(&'a str, i64)>,
}

impl<'a> NamedBlock<'a> {
    /// Adds seconds of an application, if the block is about this application.
    pub(super) fn count(&mut self, key: Option<&'a str>, name: Option<&'a str>, seconds: i64) {
        if self.subject.kind != SubjectKind::Application || key != Some(self.subject.name) {
            return;
        }
        let Some(name) = name else { return };
        match self.names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, counted)) => *counted += seconds,
            None => self.names.push((name, seconds)),
        }
    }

    /// Returns the subject. An application appears by the name with the most seconds.
    pub(super) fn main_subject(&self) -> Subject<'a> {
        // `max_by_key` takes the last of equal names; reversed, that is the first one used.
        let name = self.names.iter().rev().max_by_key(|(_, seconds)| *seconds).map(|(name, _)| *name);
        Subject { name: name.unwrap_or(self.subject.name), ..self.subject }
    }
}

/// Returns the blocks of the pieces and tags, and their slices in time order.
pub(super) fn blocks<'a>(sources: &[Source<'a>], switch_cost: i64) -> (Vec<NamedBlock<'a>>, Vec<Slice>) {
    let (mut pieces, mut tags) = (Vec::new(), Vec::new());
    for source in sources {
        let interval = source.interval;
        match source.kind {
            Kind::Piece(subject) => {
                let timeline = source.timeline.unwrap_or(i64::MAX);
                pieces.push(RuledPiece { device: source.device, interval, timeline, subject });
            }
            Kind::Tag => {
                let subject = Subject { kind: SubjectKind::Tag, name: source.name.unwrap_or_default() };
                tags.push(TagInterval { interval, subject });
            }
            _ => {}
        }
    }
    let (mut blocks, mut slices) = (Vec::new(), Vec::new());
    sweep_blocks(&pieces, &tags, switch_cost, |block, of_block| {
        slices.extend(of_block.iter().map(|slice| Slice {
            span: (slice.interval.start_utc, slice.interval.end_utc),
            block: blocks.len(),
            on_subject: slice.on_subject,
        }));
        blocks.push(NamedBlock { start: block.interval.start_local, subject: block.subject, names: Vec::new() });
    });
    (blocks, slices)
}
