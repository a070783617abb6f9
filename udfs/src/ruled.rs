//! Ruled pieces: what of a piece of activity a person's rules say one thing of (semantics, section 9).
//!
//! Owns: `ruled`, which rows belong to a piece at which instant, and which rule comes first there. Does not own: what the
//! conditions of a rule are, or whether a row's words fulfil one: a row comes with the numbers of those that it fulfils.
//!
//! Invariant: the stretches of a piece are disjoint, none is empty, and together they are the piece.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, Int64Array, ListArray, StringViewArray, StructArray};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::logical_expr::WindowUDF;
use hashbrown::HashMap;

use crate::by_start::ByStart;
use crate::columns::{text, texts, wholes};
use crate::declare::{Declaration, Kind, parameter, window};
use crate::interval::{Interval, IntervalBuilder, IntervalColumns, RowClock, list_offset};

static RULED: Declaration = Declaration {
    name: "ruled",
    about: "Returns the stretches of a piece for each of which one rule decides. It is cut where what belongs to it \
            changes which rule fits or whether it is tagged. The first rule decides all of whose conditions are fulfilled, \
            by the piece itself or by what belongs to it. A linked row belongs to the pieces of its activity, an unlinked \
            one to those of its device, a tag to all, each while it lasts. Other rows than pieces get an empty list. Rows \
            come in any order.",
    parameters: &[
        parameter("kind", Kind::Text, "'piece', 'tag', or what else a row is: that may belong to pieces."),
        parameter("device", Kind::Text, "The device; a tag has none."),
        parameter("activity_id", Kind::Whole, "The activity of a piece, or the one that a row is linked to."),
        parameter("conditions", Kind::Text, "The numbers of the conditions that the row fulfils, with blanks between."),
        parameter("start_local", Kind::Instant, "Local start of the row."),
        parameter("start_utc", Kind::Instant, "UTC start of the row."),
        parameter("end_local", Kind::Instant, "Local end of the row."),
        parameter("end_utc", Kind::Instant, "UTC end of the row."),
        parameter(
            "rules",
            Kind::Text,
            "Of each rule in order the numbers of its conditions, with blanks between them and commas between rules; one text \
             for all rows.",
        ),
    ],
    over: " OVER ()",
    example: "SELECT unnest(stretches) FROM (\n  SELECT ruled(kind, device, activity_id, conditions, start_local, start_utc, \
              end_local, end_utc, '1 2,3') OVER () AS stretches\n  FROM pieces_and_documents\n)",
    takes_interval: false,
};

/// Returns `ruled(...) OVER () -> List<Struct{start_local, start_utc, end_local, end_utc, rule, tagged, shadowed}>`: the
/// rule's number, counted from 1, or null, whether a tag holds the stretch, and the numbers of later rules that fit somewhere
/// in it too.
///
/// A query fails where `rules` is not the same for all rows, or a number is none.
pub fn ruled() -> WindowUDF {
    window(&RULED, DataType::List(item()), evaluate)
}

/// A piece of activity. One without extent has no stretches.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Its device.
    pub device: Option<&'a str>,
    /// Its activity.
    pub activity: Option<i64>,
    /// When it was.
    pub interval: Interval,
    /// The conditions that it fulfils itself.
    pub conditions: &'a [u32],
}

/// What may belong to pieces.
#[derive(Clone, Copy, Debug)]
pub struct Detail<'a> {
    /// Its device; of a tag, which belongs to every device, none.
    pub device: Option<&'a str>,
    /// The activity that it is linked to.
    pub activity: Option<i64>,
    /// Whether it is a tag.
    pub is_tag: bool,
    /// UTC start and end.
    pub span: (i64, i64),
    /// The conditions that it fulfils.
    pub conditions: &'a [u32],
}

/// A part of a piece of which one thing is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// When it was, by the clock of the piece.
    pub interval: Interval,
    /// The place of the rule.
    pub rule: Option<usize>,
    /// Whether a tag holds it.
    pub tagged: bool,
    /// The places of later rules that fit somewhere in it too, in order.
    pub shadowed: Vec<usize>,
}

/// What belongs to the pieces of one device, by where it is looked for.
#[derive(Default)]
struct OfDevice<'d, 'a> {
    linked: HashMap<i64, Vec<&'d Detail<'a>>>,
    unlinked: ByStart<&'d Detail<'a>>,
}

/// Calls `told` with each stretch of each piece, in the order of the pieces and of time: the piece's place and the stretch.
/// `rules` are the conditions of each, in the order in which they decide.
pub fn sweep_ruled(
    pieces: &[Piece<'_>],
    details: &[Detail<'_>],
    rules: &[Vec<u32>],
    mut told: impl FnMut(usize, Stretch),
) {
    let mut devices: HashMap<Option<&str>, OfDevice<'_, '_>> = HashMap::new();
    let mut tags: ByStart<&Detail<'_>> = ByStart::default();
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
    let mut deciding = Deciding::of(rules);
    for (place, piece) in pieces.iter().enumerate() {
        let span = (piece.interval.start_utc, piece.interval.end_utc);
        deciding.begin(piece);
        if let Some(device) = devices.get(&piece.device) {
            let linked = piece.activity.and_then(|activity| device.linked.get(&activity));
            linked.into_iter().flatten().for_each(|detail| deciding.add(detail, span));
            device.unlinked.near(span).for_each(|(_, detail)| deciding.add(detail, span));
        }
        tags.near(span).for_each(|(_, detail)| deciding.add(detail, span));
        deciding.decide(piece.interval, |stretch| told(place, stretch));
    }
}

/// What holds at an instant of a piece, from its start to its end.
struct Deciding<'a> {
    rules: &'a [Vec<u32>],
    /// The conditions that hold now, each with how many rows fulfil it, in order.
    holding: Vec<(u32, u32)>,
    /// How many tags hold now.
    tags: u32,
    /// What begins (or else ends) when, within the piece.
    edges: Vec<(i64, bool, bool, &'a [u32])>,
    /// The rules that fit, for conditions that held before.
    known: HashMap<Vec<u32>, Rc<[usize]>>,
}

impl<'a> Deciding<'a> {
    fn of(rules: &'a [Vec<u32>]) -> Self {
        Self { rules, holding: Vec::new(), tags: 0, edges: Vec::new(), known: HashMap::new() }
    }

    fn begin(&mut self, piece: &Piece<'a>) {
        self.holding.clear();
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
        match self.holding.binary_search_by_key(&condition, |(known, _)| *known) {
            Ok(place) if begins => self.holding[place].1 += 1,
            Ok(place) if self.holding[place].1 > 1 => self.holding[place].1 -= 1,
            Ok(place) => {
                self.holding.remove(place);
            }
            Err(place) if begins => self.holding.insert(place, (condition, 1)),
            Err(_) => {}
        }
    }

    fn decide(&mut self, piece: Interval, mut told: impl FnMut(Stretch)) {
        if piece.start_utc >= piece.end_utc {
            return;
        }
        let clock = RowClock::new(piece);
        let mut edges = std::mem::take(&mut self.edges);
        edges.sort_by_key(|(at, ..)| *at);
        let mut open: Option<Open> = None;
        let mut tell = |Open { from, rule, tagged, shadowed }: Open, until: i64| {
            let (start_local, end_local) = (clock.local(from), clock.local(until));
            let interval = Interval { start_utc: from, start_local, end_utc: until, end_local };
            told(Stretch { interval, rule, tagged, shadowed: shadowed.into_iter().collect() });
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
            let fitting = self.fitting();
            let (rule, tagged) = (fitting.first().copied(), self.tags > 0);
            if let Some(ended) = open.take_if(|open| (open.rule, open.tagged) != (rule, tagged)) {
                tell(ended, at);
            }
            let open = open.get_or_insert_with(|| Open { from: at, rule, tagged, shadowed: BTreeSet::new() });
            open.shadowed.extend(fitting.iter().skip(1));
            at = edges.get(next).map_or(piece.end_utc, |edge| edge.0.min(piece.end_utc));
        }
        if let Some(last) = open {
            tell(last, piece.end_utc);
        }
        self.edges = edges;
    }

    /// Returns the rules all of whose conditions hold, in order.
    fn fitting(&mut self) -> Rc<[usize]> {
        let holding: Vec<u32> = self.holding.iter().map(|(condition, _)| *condition).collect();
        if let Some(known) = self.known.get(&holding) {
            return Rc::clone(known);
        }
        let fits = |rule: &[u32]| rule.iter().all(|condition| holding.binary_search(condition).is_ok());
        let fitting: Rc<[usize]> = (0..self.rules.len()).filter(|place| fits(&self.rules[*place])).collect();
        self.known.insert(holding, Rc::clone(&fitting));
        fitting
    }
}

/// A stretch whose end is not known yet.
struct Open {
    from: i64,
    rule: Option<usize>,
    tagged: bool,
    shadowed: BTreeSet<usize>,
}

/// The numbers of later rules.
fn shadowed() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Int64, true))
}

fn fields() -> Fields {
    let edge = |name: &str| Field::new(name, crate::columns::INSTANT, true);
    let mut fields: Vec<_> = crate::interval::FIELDS.map(edge).into();
    fields.push(Field::new("rule", DataType::Int64, true));
    fields.push(Field::new("tagged", DataType::Boolean, true));
    fields.push(Field::new("shadowed", DataType::List(shadowed()), true));
    fields.into()
}

fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Struct(fields()), true))
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let (kinds, devices, activities) = (texts(columns, 0)?, texts(columns, 1)?, wholes(columns, 2)?);
    let (conditions, rules) = (Conditions::of(texts(columns, 3)?)?, rules(texts(columns, 8)?)?);
    let intervals = IntervalColumns::of_columns(columns, 4)?;
    let (mut pieces, mut places, mut details) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let Some(interval) = intervals.get(row) else { continue };
        let kind = text(kinds, row).unwrap_or_default();
        let conditions = conditions.of_row(row);
        let device = text(devices, row);
        let activity = activities.is_valid(row).then(|| activities.value(row));
        if kind == "piece" {
            places.push(row);
            pieces.push(Piece { device, activity, interval, conditions });
        } else {
            let span = (interval.start_utc, interval.end_utc);
            details.push(Detail { device, activity, is_tag: kind == "tag", span, conditions });
        }
    }
    let (mut edges, mut numbers, mut tagged) = (IntervalBuilder::default(), Vec::new(), Vec::new());
    let mut lengths = vec![0; rows];
    let (mut others, mut other_lengths) = (Vec::new(), Vec::new());
    let number = |rule: usize| i64::try_from(rule + 1).ok();
    sweep_ruled(&pieces, &details, &rules, |piece, stretch| {
        edges.push(stretch.interval);
        numbers.push(stretch.rule.and_then(number));
        tagged.push(stretch.tagged);
        other_lengths.push(stretch.shadowed.len());
        others.extend(stretch.shadowed.into_iter().filter_map(number));
        lengths[places[piece]] += 1;
    });
    list_offset(numbers.len())?;
    list_offset(others.len())?;
    let mut fields_of = edges.finish(None)?.columns().to_vec();
    fields_of.push(Arc::new(Int64Array::from(numbers)));
    fields_of.push(Arc::new(BooleanArray::from(tagged)));
    let (others, lengths_of_others) = (Arc::new(Int64Array::from(others)), OffsetBuffer::from_lengths(other_lengths));
    fields_of.push(Arc::new(ListArray::try_new(shadowed(), lengths_of_others, others, None)?));
    let items = StructArray::try_new(fields(), fields_of, None)?;
    Ok(Arc::new(ListArray::try_new(item(), OffsetBuffer::from_lengths(lengths), Arc::new(items), None)?))
}

/// The numbers of a text, in order.
fn numbers(text: &str) -> Result<Vec<u32>> {
    let numbers = text.split_ascii_whitespace().map(str::parse);
    let mut numbers: Vec<u32> = numbers
        .collect::<Result<_, _>>()
        .map_err(|_| exec_datafusion_err!("`{text}` should hold the numbers of conditions, with blanks between"))?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// The conditions of each rule.
fn rules(column: &StringViewArray) -> Result<Vec<Vec<u32>>> {
    let first = column.iter().next().flatten().unwrap_or_default();
    if column.iter().any(|rules| rules.unwrap_or_default() != first) {
        return exec_err!("`rules` of `ruled` must be one text for all rows");
    }
    if first.is_empty() { Ok(Vec::new()) } else { first.split(',').map(numbers).collect() }
}

/// The conditions of each row; rows have few different ones.
struct Conditions {
    sets: Vec<Vec<u32>>,
    rows: Vec<usize>,
}

impl Conditions {
    fn of(column: &StringViewArray) -> Result<Self> {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut sets = Vec::new();
        let mut rows = Vec::with_capacity(column.len());
        for text in column {
            let text = text.unwrap_or_default();
            if let Some(place) = known.get(text) {
                rows.push(*place);
                continue;
            }
            known.insert(text, sets.len());
            rows.push(sets.len());
            sets.push(numbers(text)?);
        }
        Ok(Self { sets, rows })
    }

    fn of_row(&self, row: usize) -> &[u32] {
        self.rows.get(row).and_then(|place| self.sets.get(*place)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests;
