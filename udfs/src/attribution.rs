//! What belongs to a segment: documents, websites and tags by link and by overlap (docs/spec/time.md#segment-details).
//!
//! Owns: `attribute`. Does not own: which candidate wins (`ranked`), the website carried over (`carry`).
//!
//! Invariant: a candidate names a segment at most once.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, Int64Array};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::WindowUDF;
use hashbrown::HashMap;

use crate::columns::{
    boolean_column, integer, integer_column, list_array, list_type, text, text_column, timestamp_column,
};
use crate::declare::{Declaration, ParameterKind, parameter, window};
use crate::interval::instant;
use crate::split::overlap;
use crate::start_index::StartIndex;

static ATTRIBUTE: Declaration = Declaration {
    name: "attribute",
    description: "Returns the segments that a row belongs to, each once, with seconds, whether a link says so and whether the \
            row precedes it. A row with a segment is a piece and gets its own segment. Any other row is a candidate: \
            without device it counts for all pieces that it overlaps; with device, for pieces of that device in their \
            segment's application; with activity, for the segments that hold such a piece of it at most 22 hours away \
            (linked, with 0 seconds where it overlaps none). Candidates of one kind and name that overlap count once. A \
            candidate precedes a segment of its device that starts at most tolerance_seconds after its end. Rows \
            come in order of start.",
    parameters: &[
        parameter("segment", ParameterKind::Whole, "The segment of a piece. NULL: the row is a candidate."),
        parameter("is_main_application", ParameterKind::Truth, "Whether a piece is of the application of its segment."),
        parameter(
            "device",
            ParameterKind::Text,
            "The device. NULL on a candidate: it belongs to the person, as tags do.",
        ),
        parameter(
            "activity_id",
            ParameterKind::Whole,
            "The activity of a piece, or the one that a candidate is linked to.",
        ),
        parameter("kind", ParameterKind::Text, "What kind of thing a candidate is."),
        parameter("name", ParameterKind::Text, "What a candidate names. NULL: it is like no other."),
        parameter("start_utc", ParameterKind::Instant, "UTC start of the row."),
        parameter("end_utc", ParameterKind::Instant, "UTC end of the row."),
        parameter(
            "tolerance_seconds",
            ParameterKind::Whole,
            "How long after a candidate's end a segment of its device may start. NULL is 0: exactly then. Below 0: never.",
        ),
    ],
    call_suffix: " OVER (ORDER BY start_utc)",
    example: "SELECT unnest(shares) FROM (\n  \
              SELECT attribute(segment, is_main_application, device, activity_id, kind, name, start_utc, end_utc, 5)\n    \
              OVER (ORDER BY start_utc) AS shares\n  FROM pieces_and_documents\n)",
    takes_interval: false,
};

/// How far from a piece of its activity a linked row may lie. Ranges are read with a day's margin, so that the answer
/// does not depend on the range, whatever clocks do meanwhile.
const MAX_LINK_DISTANCE: i64 = 22 * 3_600;

/// A start and an end in seconds of UTC.
pub type Span = (i64, i64);

/// A piece of a segment.
#[derive(Clone, Copy, Debug)]
pub struct SegmentPiece<'a> {
    /// The number of its segment.
    pub segment: i64,
    /// Whether it is of the segment's own application.
    pub own: bool,
    /// Its device.
    pub device: Option<&'a str>,
    /// Its activity.
    pub activity: Option<i64>,
    /// When it was.
    pub span: Span,
}

/// A row that may belong to segments.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its device; none for what is the person's.
    pub device: Option<&'a str>,
    /// The activity that it is linked to.
    pub activity: Option<i64>,
    /// Its kind and its name; none for one that is like no other.
    pub names: Option<(&'a str, &'a str)>,
    /// When it was.
    pub span: Span,
    /// How many seconds after its end a segment of the device may start.
    pub tolerance: i64,
}

/// A segment that a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    /// The number of the segment.
    pub segment: i64,
    /// The seconds in common.
    pub seconds: i64,
    /// Whether a link to one of the segment's activities says so.
    pub linked: bool,
    /// Whether the row ended shortly before the segment starts.
    pub precedes: bool,
}

/// What is known of one device.
#[derive(Debug, Default)]
struct Device {
    /// All its pieces, each with the place of its segment.
    all: StartIndex<usize>,
    /// Those that are of their segment's own application.
    own: StartIndex<usize>,
    /// Start of each segment and its place, in order.
    segment_starts: Vec<(i64, usize)>,
    /// Activities, each with the places of segments that hold an own piece of it and those pieces, in order.
    by_activity: Vec<(i64, usize, Span)>,
}

impl Device {
    fn finish(&mut self) {
        self.all.finish();
        self.own.finish();
        self.by_activity.sort_unstable();
        self.segment_starts.sort_unstable();
    }

    /// Returns the places of segments that hold an own piece of an activity that is not far from a row.
    fn segments_of_activity(&self, activity: i64, (start, end): Span) -> impl Iterator<Item = usize> {
        let first = self.by_activity.partition_point(|(of, ..)| *of < activity);
        let of_activity = self.by_activity[first..].iter().take_while(move |(of, ..)| *of == activity);
        let near = (start.saturating_sub(MAX_LINK_DISTANCE), end.saturating_add(MAX_LINK_DISTANCE));
        of_activity.filter(move |(_, _, piece)| overlap(*piece, near) > 0).map(|(_, place, _)| *place)
    }

    /// Returns the places of segments that start from `end` on, at most `tolerance` seconds later.
    fn segments_starting_soon_after(&self, end: i64, tolerance: i64) -> impl Iterator<Item = usize> {
        let first = self.segment_starts.partition_point(|&(start, _)| start < end);
        let soon = move |&&(start, _): &&(i64, usize)| start.saturating_sub(end) <= tolerance;
        self.segment_starts[first..].iter().take_while(soon).map(|&(_, place)| place)
    }
}

/// Returns each overlapping piece and the place of its segment.
fn overlaps(pieces: &StartIndex<usize>, span: Span) -> impl Iterator<Item = (usize, Span)> {
    pieces.find_near(span).map(|(piece, place)| (*place, *piece)).filter(move |(_, piece)| overlap(*piece, span) > 0)
}

/// The pieces of all segments, made ready for candidates.
#[derive(Debug)]
pub struct Segments<'a> {
    numbers: Vec<i64>,
    devices: HashMap<Option<&'a str>, Device>,
    /// For each segment, its position among the shares of the candidate at hand.
    positions: Vec<Option<usize>>,
    /// The shares of the candidate at hand, each with the place of its segment.
    found: Vec<(usize, Share)>,
    /// Until when each kind and name is counted in a segment, given by its place.
    counted: HashMap<(usize, (&'a str, &'a str)), i64>,
}

impl<'a> Segments<'a> {
    /// Takes the pieces of all segments, in any order.
    pub fn new(pieces: impl IntoIterator<Item = SegmentPiece<'a>>) -> Self {
        let mut numbers = Vec::new();
        let mut places = HashMap::new();
        let mut devices: HashMap<_, Device> = HashMap::new();
        for piece in pieces {
            let place = *places.entry(piece.segment).or_insert_with(|| {
                numbers.push(piece.segment);
                numbers.len() - 1
            });
            let device = devices.entry(piece.device).or_default();
            device.all.push(piece.span, place);
            device.segment_starts.push((piece.span.0, place));
            if piece.own {
                device.own.push(piece.span, place);
                if let Some(activity) = piece.activity {
                    device.by_activity.push((activity, place, piece.span));
                }
            }
        }
        let mut started = vec![false; numbers.len()];
        for device in devices.values_mut() {
            device.finish();
            device.segment_starts.retain(|&(_, place)| !std::mem::replace(&mut started[place], true));
        }
        let positions = vec![None; numbers.len()];
        Self { numbers, devices, positions, found: Vec::new(), counted: HashMap::new() }
    }

    /// Returns the segments that a candidate belongs to, in order of their number. Candidates of one kind and name come
    /// in order of start.
    pub fn shares(&mut self, candidate: &Candidate<'a>) -> impl Iterator<Item = Share> {
        let (start, end) = candidate.span;
        let uncounted = |place: usize, piece: Span| {
            let counted = candidate.names.and_then(|names| self.counted.get(&(place, names)));
            overlap(piece, (counted.map_or(start, |until| start.max(*until)), end))
        };
        let mut shares = Shares { numbers: &self.numbers, positions: &mut self.positions, found: &mut self.found };
        if candidate.device.is_none() {
            for device in self.devices.values() {
                let overlaps = overlaps(&device.all, candidate.span);
                overlaps.for_each(|(place, piece)| shares.add(place, uncounted(place, piece), false));
            }
        } else if let Some(device) = self.devices.get(&candidate.device) {
            let overlaps = overlaps(&device.own, candidate.span);
            if let Some(activity) = candidate.activity {
                device.segments_of_activity(activity, candidate.span).for_each(|place| shares.add(place, 0, true));
                overlaps.for_each(|(place, piece)| shares.add_to_known(place, uncounted(place, piece)));
            } else {
                overlaps.for_each(|(place, piece)| shares.add(place, uncounted(place, piece), false));
            }
            for place in device.segments_starting_soon_after(end, candidate.tolerance) {
                shares.mark_preceded(place);
            }
        }
        shares.finish();
        if let Some(names) = candidate.names {
            for (place, _) in &self.found {
                let until = self.counted.entry((*place, names)).or_insert(end);
                *until = end.max(*until);
            }
        }
        self.found.drain(..).map(|(_, share)| share)
    }
}

/// The shares of one candidate.
struct Shares<'a> {
    numbers: &'a [i64],
    positions: &'a mut [Option<usize>],
    found: &'a mut Vec<(usize, Share)>,
}

impl Shares<'_> {
    /// Adds seconds to the share of a segment, which begins with them.
    fn add(&mut self, place: usize, seconds: i64, linked: bool) {
        if self.positions[place].is_none() {
            self.positions[place] = Some(self.found.len());
            self.found.push((place, Share { segment: self.numbers[place], seconds: 0, linked, precedes: false }));
        }
        self.add_to_known(place, seconds);
    }

    /// Adds seconds to the share of a segment, where there is one.
    fn add_to_known(&mut self, place: usize, seconds: i64) {
        if let Some(position) = self.positions[place] {
            self.found[position].1.seconds += seconds;
        }
    }

    /// Notes that the candidate ended shortly before a segment.
    fn mark_preceded(&mut self, place: usize) {
        self.add(place, 0, false);
        if let Some(position) = self.positions[place] {
            self.found[position].1.precedes = true;
        }
    }

    /// Puts the shares in order, and leaves the positions clean for the next candidate.
    fn finish(self) {
        for (place, _) in &*self.found {
            self.positions[*place] = None;
        }
        self.found.sort_unstable_by_key(|(_, share)| *share);
    }
}

/// Returns `attribute(...) OVER (ORDER BY start_utc) -> List<Struct{segment, seconds, linked, precedes}>`, seconds in
/// UTC (docs/spec/time.md#documents-and-websites).
pub fn attribute() -> WindowUDF {
    window(&ATTRIBUTE, list_type(fields()), evaluate)
}

fn fields() -> Fields {
    vec![
        Field::new("segment", DataType::Int64, true),
        Field::new("seconds", DataType::Int64, true),
        Field::new("linked", DataType::Boolean, true),
        Field::new("precedes", DataType::Boolean, true),
    ]
    .into()
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let (segments, owns, devices) =
        (integer_column(columns, 0)?, boolean_column(columns, 1)?, text_column(columns, 2)?);
    let (activities, kinds, names) = (integer_column(columns, 3)?, text_column(columns, 4)?, text_column(columns, 5)?);
    let (starts, ends, tolerances) =
        (timestamp_column(columns, 6)?, timestamp_column(columns, 7)?, integer_column(columns, 8)?);
    let span = |row: usize| Some((instant(starts, row)?, instant(ends, row)?)).filter(|(start, end)| start < end);
    let pieces = (0..rows).filter_map(|row| {
        Some(SegmentPiece {
            segment: integer(segments, row)?,
            own: owns.is_valid(row) && owns.value(row),
            device: text(devices, row),
            activity: integer(activities, row),
            span: span(row)?,
        })
    });
    let mut ready = Segments::new(pieces);
    let (mut shares, mut lengths) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    for row in 0..rows {
        let before = shares.len();
        if let Some(segment) = integer(segments, row) {
            let seconds = span(row).map_or(0, |(start, end)| end.saturating_sub(start));
            shares.push(Share { segment, seconds, linked: false, precedes: false });
        } else if let Some(span) = span(row) {
            let tolerance = integer(tolerances, row).unwrap_or(0);
            let names = (kinds.is_valid(row) && names.is_valid(row)).then(|| (kinds.value(row), names.value(row)));
            let (device, activity) = (text(devices, row), integer(activities, row));
            shares.extend(ready.shares(&Candidate { device, activity, names, span, tolerance }));
        }
        lengths.push(shares.len() - before);
    }
    let numbers = |of: fn(&Share) -> i64| Arc::new(Int64Array::from_iter_values(shares.iter().map(of))) as ArrayRef;
    let flags =
        |of: fn(&Share) -> bool| Arc::new(BooleanArray::from(shares.iter().map(of).collect::<Vec<_>>())) as ArrayRef;
    let columns = vec![
        numbers(|share| share.segment),
        numbers(|share| share.seconds),
        flags(|share| share.linked),
        flags(|share| share.precedes),
    ];
    list_array(fields(), columns, lengths)
}

#[cfg(test)]
mod tests;
