//! Merges pieces to segments, from left to right (docs/spec/time.md#merging).

use std::ops::Range;

use super::attribution::{self, Attributes};
use super::clock::Instant;
use super::history::History;
use super::pieces::{Piece, pieces_in};

/// If an application returns within this number of seconds, the interruption becomes part of its segment.
const INTERRUPTION: i64 = 30;

/// The pieces that form one segment.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) device: usize,
    pub(super) about: usize,
    /// The pieces of the segment's own application.
    pub(super) own: Vec<Piece>,
    /// All pieces of the segment, including interruptions by other applications.
    pub(super) pieces: Vec<Piece>,
    pub(super) attributes: Attributes,
}

impl Segment {
    pub(super) fn start(&self) -> Instant {
        self.pieces[0].stretch.start
    }

    pub(super) fn end(&self) -> Instant {
        self.pieces[self.pieces.len() - 1].stretch.end
    }

    pub(super) fn seconds(&self) -> i64 {
        self.pieces.iter().map(|piece| piece.stretch.seconds()).sum()
    }
}

/// Returns the segments of a local range. The segments of each device are in order of time.
pub(super) fn segments(history: &History, range: &Range<i64>, max_gap: i64) -> Vec<Segment> {
    let pieces = pieces_in(history, range);
    let mut all = Vec::new();
    for (number, device) in history.devices.iter().enumerate() {
        let mut of_device: Vec<_> = pieces.iter().copied().filter(|piece| piece.device == number).collect();
        of_device.sort_by_key(|piece| (piece.stretch.start.utc, piece.activity));
        let mut segments = merge(&of_device, max_gap);
        attribution::attribute(device, &history.tags, &mut segments);
        all.extend(segments);
    }
    all
}

fn merge(pieces: &[Piece], max_gap: i64) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut rest = pieces;
    while let Some(first) = rest.first() {
        let mut count = 1;
        while let Some(more) = joining(rest, count, max_gap) {
            count += more;
        }
        let (pieces, after) = rest.split_at(count);
        segments.push(Segment {
            device: first.device,
            about: first.about,
            own: pieces.iter().copied().filter(|piece| piece.about == first.about).collect(),
            pieces: pieces.to_vec(),
            attributes: Attributes::default(),
        });
        rest = after;
    }
    segments
}

/// The first `count` pieces are already in the segment. Returns the number of further pieces that are merged into the
/// segment. The last of these pieces has the application of the first piece. Returns `None` if the segment ends here.
fn joining(pieces: &[Piece], count: usize, max_gap: i64) -> Option<usize> {
    let (application, end) = (pieces[0].about, pieces[count - 1].stretch.end.utc);
    let back = pieces[count..].iter().position(|piece| piece.about == application)?;
    let away = pieces[count + back].stretch.start.utc - end;
    let joins = if back == 0 { away <= max_gap } else { away < INTERRUPTION };
    joins.then_some(back + 1)
}
