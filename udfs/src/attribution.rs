//! Assigns documents, websites and tags to segments, by link and by overlap (docs/spec/time.md#segment-details).
//!
//! Start with [`Segments::shares`]. [`attribute`] is the SQL function for it. If several candidates belong to a
//! segment, the module `ranked` ranks them. The module `carry` copies a website to the next segment.
//!
//! Invariant: a candidate lists each segment at most once.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, Int64Array};
use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::WindowUDF;
use hashbrown::HashMap;

use crate::columns::{
    boolean_column, integer, integer_column, list_array, list_type, text, text_column, timestamp_column,
};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::instant;
use crate::split::overlap;
use crate::start_index::StartIndex;

static ATTRIBUTE: Declaration = Declaration {
    name: "attribute",
    description: "Returns the segments that a row belongs to, each once, with the seconds of overlap, whether the row \
            is linked to the segment, and whether it precedes the segment. A row with a segment is a piece and \
            belongs to its own segment. All other rows are candidates. A candidate without a device overlaps \
            pieces of all devices. One with a device overlaps pieces of that device's segments in their main \
            application. One that is linked to an activity belongs to each segment with such a piece of this \
            activity at most 22 hours away, even with 0 seconds of overlap. Overlapping candidates of the same \
            kind and name count once. A candidate precedes a segment of its device that starts at most \
            tolerance_seconds after the candidate ends. Rows must be in order of start.",
    parameters: &[
        Parameter::integer("segment", "The segment of a piece. NULL for a candidate."),
        Parameter::boolean("is_main_application", "Whether a piece belongs to the main application of its segment."),
        Parameter::text("device", "The device. NULL for a candidate that belongs to the person, such as a tag."),
        Parameter::integer("activity_id", "The activity of a piece, or the activity that a candidate is linked to."),
        Parameter::text("kind", "The kind of a candidate, such as 'tag'."),
        Parameter::text("name", "The name of a candidate. NULL if it is different from all others."),
        Parameter::instant("start_utc", "UTC start of the row."),
        Parameter::instant("end_utc", "UTC end of the row."),
        Parameter::integer(
            "tolerance_seconds",
            "The longest time between the end of a candidate and the start of a segment that it precedes. NULL \
             means 0. Below 0, it precedes none.",
        ),
    ],
    call_suffix: " OVER (ORDER BY start_utc)",
    example: "SELECT unnest(shares) FROM (\n  \
              SELECT attribute(segment, is_main_application, device, activity_id, kind, name, start_utc, end_utc, 5)\n    \
              OVER (ORDER BY start_utc) AS shares\n  FROM pieces_and_documents\n)",
};

/// The maximum distance in seconds between a row and a piece of the activity to which the row is linked. Queries read
/// one additional day before and after their range. The distance is shorter than a day, so the result doesn't depend on
/// the range, even if clocks change.
const MAX_LINK_DISTANCE: i64 = 22 * 3_600;

/// A start and an end in UTC seconds.
pub type Span = (i64, i64);

/// A piece of a segment.
#[derive(Clone, Copy, Debug)]
pub struct SegmentPiece<'a> {
    /// The number of the segment.
    pub segment: i64,
    /// Whether the piece belongs to the main application of its segment.
    pub own: bool,
    /// The device of the piece.
    pub device: Option<&'a str>,
    /// The activity of the piece.
    pub activity: Option<i64>,
    /// The start and end.
    pub span: Span,
}

/// A row that may belong to segments, such as a document, a website or a tag.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The device. `None` if the row belongs to the person and not to a device. For example, a tag belongs to the
    /// person.
    pub device: Option<&'a str>,
    /// The activity to which the row is linked.
    pub activity: Option<i64>,
    /// The kind and the name. If rows with the same kind and name overlap in a segment, their common time counts once.
    /// `None` if the time of each row counts separately.
    pub names: Option<(&'a str, &'a str)>,
    /// The start and end.
    pub span: Span,
    /// The maximum number of seconds from the end of the row to the start of a segment that it precedes. If the value
    /// is negative, the row doesn't precede any segment.
    pub tolerance: i64,
}

/// A segment to which a row belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    /// The number of the segment.
    pub segment: i64,
    /// The number of seconds in which the row overlaps the segment.
    pub seconds: i64,
    /// Whether the row is linked to an activity of the segment.
    pub linked: bool,
    /// Whether the row ends shortly before the segment starts.
    pub precedes: bool,
}

/// The pieces of one device, indexed for finding the segments of a row.
#[derive(Debug, Default)]
struct Device {
    /// All pieces, each with the index of its segment.
    all: StartIndex<usize>,
    /// Only the pieces that belong to the main application of their segment.
    own: StartIndex<usize>,
    /// The start of each segment and its index, in order of the start.
    segment_starts: Vec<(i64, usize)>,
    /// The pieces that belong to the main application of their segment. Each piece has its activity, the index of its
    /// segment, and its span. The pieces are sorted by these values.
    by_activity: Vec<(i64, usize, Span)>,
}

impl Device {
    fn finish(&mut self) {
        self.all.finish();
        self.own.finish();
        self.by_activity.sort_unstable();
        self.segment_starts.sort_unstable();
    }

    /// Returns the indexes of the segments to which a linked row belongs. The main application of such a segment has a
    /// piece with this `activity`. The piece is at most [`MAX_LINK_DISTANCE`] away from the row.
    fn segments_of_activity(&self, activity: i64, (start, end): Span) -> impl Iterator<Item = usize> {
        let first = self.by_activity.partition_point(|(of, ..)| *of < activity);
        let of_activity = self.by_activity[first..].iter().take_while(move |(of, ..)| *of == activity);
        let near = (start.saturating_sub(MAX_LINK_DISTANCE), end.saturating_add(MAX_LINK_DISTANCE));
        of_activity.filter(move |(_, _, piece)| overlap(*piece, near) > 0).map(|(_, place, _)| *place)
    }

    /// Returns the indexes of the segments that start at `end` or at most `tolerance` seconds later.
    fn segments_starting_soon_after(&self, end: i64, tolerance: i64) -> impl Iterator<Item = usize> {
        let first = self.segment_starts.partition_point(|&(start, _)| start < end);
        let soon = move |&&(start, _): &&(i64, usize)| start.saturating_sub(end) <= tolerance;
        self.segment_starts[first..].iter().take_while(soon).map(|&(_, place)| place)
    }
}

/// Returns each piece that overlaps `span`, with the index of its segment.
fn overlaps(pieces: &StartIndex<usize>, span: Span) -> impl Iterator<Item = (usize, Span)> {
    pieces.find_near(span).map(|(piece, place)| (*place, *piece)).filter(move |(_, piece)| overlap(*piece, span) > 0)
}

/// The pieces of all segments, prepared to find the segments of candidates.
#[derive(Debug)]
pub struct Segments<'a> {
    numbers: Vec<i64>,
    devices: HashMap<Option<&'a str>, Device>,
    /// For each segment index, the position in `found` of the current candidate's share. `None` if the candidate
    /// doesn't have a share of this segment.
    positions: Vec<Option<usize>>,
    /// The shares of the current candidate, each with the index of its segment.
    found: Vec<(usize, Share)>,
    /// The end of the time that is already counted. The key is a segment index, a kind and a name.
    counted: HashMap<(usize, (&'a str, &'a str)), i64>,
}

impl<'a> Segments<'a> {
    /// Prepares the pieces of all segments, in any order.
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
            // The list contains the start of every piece. A segment starts with its earliest piece, so only the
            // earliest start of each segment stays.
            device.segment_starts.retain(|&(_, place)| !std::mem::replace(&mut started[place], true));
        }
        let positions = vec![None; numbers.len()];
        Self { numbers, devices, positions, found: Vec::new(), counted: HashMap::new() }
    }

    /// Returns the segments to which a candidate belongs, in order of their numbers. Candidates with the same kind and
    /// name must be passed in order of their start.
    pub fn shares(&mut self, candidate: &Candidate<'a>) -> impl Iterator<Item = Share> {
        let (start, end) = candidate.span;
        let uncounted = |place: usize, piece: Span| {
            let counted = candidate.names.and_then(|names| self.counted.get(&(place, names)));
            overlap(piece, (counted.map_or(start, |until| start.max(*until)), end))
        };
        let mut shares = Shares { numbers: &self.numbers, positions: &mut self.positions, found: &mut self.found };
        if candidate.device.is_none() {
            // The order of the devices is random, because they are in a hash map. It doesn't affect the result, because
            // the shares are sorted by segment below.
            for device in self.devices.values() {
                let overlaps = overlaps(&device.all, candidate.span);
                overlaps.for_each(|(place, piece)| shares.add(place, uncounted(place, piece), false));
            }
        } else if let Some(device) = self.devices.get(&candidate.device) {
            let overlaps = overlaps(&device.own, candidate.span);
            if let Some(activity) = candidate.activity {
                device.segments_of_activity(activity, candidate.span).for_each(|place| shares.add(place, 0, true));
                // A linked row counts only for segments that contain the linked activity. It doesn't count for other
                // segments that it overlaps (docs/spec/time.md#documents-and-websites).
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
                // Candidates with this name come in order of their start. So for later candidates, only the end of the
                // counted time matters.
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
    /// Adds seconds to the share of a segment. Creates the share if necessary.
    fn add(&mut self, place: usize, seconds: i64, linked: bool) {
        if self.positions[place].is_none() {
            self.positions[place] = Some(self.found.len());
            self.found.push((place, Share { segment: self.numbers[place], seconds: 0, linked, precedes: false }));
        }
        self.add_to_known(place, seconds);
    }

    /// Adds seconds to the share of a segment, if the share exists.
    fn add_to_known(&mut self, place: usize, seconds: i64) {
        if let Some(position) = self.positions[place] {
            self.found[position].1.seconds += seconds;
        }
    }

    /// Records that the candidate ends shortly before a segment starts.
    fn mark_preceded(&mut self, place: usize) {
        self.add(place, 0, false);
        if let Some(position) = self.positions[place] {
            self.found[position].1.precedes = true;
        }
    }

    /// Sorts the shares, and clears the positions for the next candidate.
    fn finish(self) {
        for (place, _) in &*self.found {
            // Only the used positions are reset. There is a position for each segment, so resetting all positions for
            // each candidate would take quadratic time.
            self.positions[*place] = None;
        }
        self.found.sort_unstable_by_key(|(_, share)| *share);
    }
}

/// Returns
/// `attribute(...) OVER (ORDER BY start_utc) -> List<Struct{segment, seconds, linked, precedes}>`.
/// The field `seconds` is measured in UTC (docs/spec/time.md#documents-and-websites).
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
    // All pieces are collected before the first candidate, for two reasons. A link reaches 22 hours in both directions.
    // In addition, a candidate can precede a segment that starts later.
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
