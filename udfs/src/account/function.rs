//! The SQL function `account`.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, ListBuilder, StringArray, StringBuilder, TimestampSecondArray};
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::logical_expr::WindowUDF;

use crate::blocks::{Kind as SubjectKind, Subject};
use crate::columns::{INSTANT, integer, integer_column, list_array, list_type, text, text_column, timestamp_column};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::{FIELDS, Interval, IntervalBuilder, IntervalColumns, instant};
use crate::segment::JoinLimits;

use super::input::{AccountInterval, AccountOptions, Adds, Counts, Cut, Kind, Source, State, Step, Work};
use super::sweep_account;

static ACCOUNT: Declaration = Declaration {
    name: "account",
    description: "Returns how the time of a row counts, as a list of intervals: active time, a state, active use \
            without an application, a tag only, or an application row that a later row covers. Each interval has \
            the reasons for its start and end and the totals that it adds to. Active time also has its segment \
            and block. Each second of a device's rows is returned once, and covered application rows are \
            returned in addition. Rows can be in any order.",
    parameters: &[
        Parameter::text(
            "kind",
            "'piece' for a part of an application row inside the range with one rule; 'application' for an \
             application row; 'active', 'away', 'locked', 'off' or 'unknown' for a row of computer usage; \
             'call' for an interval in which applications count although the device isn't active; 'tag'; \
             'tracked' to mark that computer usage of the device is known.",
        ),
        Parameter::text("device", "The device. Tags apply to all devices."),
        Parameter::integer("timeline_id", "The timeline of the row."),
        Parameter::integer("activity_id", "The activity. A piece has the activity of its application row."),
        Parameter::text("name", "The name of the application, or the full text of a tag."),
        Parameter::text("key", "Rows with the same key belong to the same application."),
        Parameter::text("subject_kind", "'project', 'category' or 'application' for a piece."),
        Parameter::text("subject", "The subject of a piece, which is used if no tag overlaps."),
        Parameter::instant("start_local", "Local start of the row."),
        Parameter::instant("start_utc", "UTC start of the row."),
        Parameter::instant("end_local", "Local end of the row."),
        Parameter::instant("end_utc", "UTC end of the row."),
        Parameter::instant("range_start", "Local start of the range, the same for all rows."),
        Parameter::instant("range_end", "Local end of the range, exclusive."),
        Parameter::integer("max_gap_seconds", "The longest gap within a segment."),
        Parameter::integer("interruption_seconds", "Shorter interruptions become part of a segment."),
        Parameter::integer("switch_cost_seconds", "The cost of a change of a block's subject."),
    ],
    call_suffix: " OVER ()",
    example: "SELECT unnest(stretches) FROM (\n  SELECT account(kind, device, timeline_id, activity_id, name, key, \
              'application', key, start_local, start_utc, end_local, end_utc,\n    TIMESTAMP '2025-01-15T00:00:00', \
              TIMESTAMP '2025-01-16T00:00:00', 120, 30, 300) OVER () AS stretches\n  FROM rows\n)",
};

/// Returns
/// `account(...) OVER () -> List<Struct{start_local, start_utc, end_local, end_utc, counts, adds_to, application, tags, cut_start, cut_end, segment_start, step, block_start, block, is_on_subject}>`
/// (docs/spec/time.md#why-fields).
///
/// A query fails if the range or a limit differs between rows, or if a kind is unknown.
pub fn account() -> WindowUDF {
    window(&ACCOUNT, list_type(fields()), evaluate)
}

impl State {
    const ALL: [Self; 5] = [Self::Active, Self::Away, Self::Locked, Self::Off, Self::Unknown];

    /// Returns the name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Away => "away",
            Self::Locked => "locked",
            Self::Off => "off",
            Self::Unknown => "unknown",
        }
    }
}

impl Counts {
    /// Returns the name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Call => "call",
            Self::State(state) => state.name(),
            Self::NoApplication => "no_application",
            Self::Tagged => "tagged",
            Self::Covered => "covered",
        }
    }
}

impl Adds {
    /// Returns the name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Application => "application",
            Self::Neither => "neither",
        }
    }
}

impl Step {
    /// Returns the name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Gap => "gap",
            Self::Absorbed => "absorbed",
        }
    }
}

impl Cut {
    /// Returns the name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Range => "range",
            Self::State(state) => state.name(),
            Self::LaterRow => "later row",
            Self::Application => "application",
            Self::Recorded => "recorded",
            Self::Tag => "tag",
            Self::Rule => "rule",
            Self::OtherDevice => "other device",
            Self::Block => "block",
        }
    }
}

fn tag_item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Utf8, true))
}

fn fields() -> Fields {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let edge = |name: &str| Field::new(name, INSTANT, true);
    let mut fields: Vec<_> = FIELDS.map(edge).into();
    fields.extend(["counts", "adds_to", "application"].map(text));
    fields.push(Field::new("tags", DataType::List(tag_item()), true));
    fields.extend(["cut_start", "cut_end"].map(text));
    fields.extend([edge("segment_start"), text("step"), edge("block_start"), text("block")]);
    fields.push(Field::new("is_on_subject", DataType::Boolean, true));
    fields.into()
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let (sources, places) = sources(columns, rows)?;
    let terms = terms(columns)?;
    let mut intervals = Vec::new();
    let mut lengths = vec![0; rows];
    sweep_account(&sources, terms, |source, stretch| {
        lengths[places[source]] += 1;
        intervals.push(stretch);
    });
    list_array(fields(), interval_columns(&intervals)?, lengths)
}

/// Returns the rows with a duration and the `tracked` marks, each with its index among all rows.
fn sources(columns: &[ArrayRef], rows: usize) -> Result<(Vec<Source<'_>>, Vec<usize>)> {
    let (kinds, devices) = (text_column(columns, 0)?, text_column(columns, 1)?);
    let (timelines, activities) = (integer_column(columns, 2)?, integer_column(columns, 3)?);
    let (names, keys) = (text_column(columns, 4)?, text_column(columns, 5)?);
    let (subject_kinds, subjects) = (text_column(columns, 6)?, text_column(columns, 7)?);
    let intervals = IntervalColumns::from_columns(columns, 8)?;
    let (mut sources, mut places) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    for row in 0..rows {
        let subject = (text(subject_kinds, row), text(subjects, row));
        let kind = kind(text(kinds, row), subject)?;
        let interval = match (kind, intervals.get(row)) {
            (_, Some(interval)) => interval,
            (Kind::Tracked, None) => Interval { start_utc: 0, start_local: 0, end_utc: 0, end_local: 0 },
            (_, None) => continue,
        };
        places.push(row);
        sources.push(Source {
            kind,
            device: text(devices, row),
            timeline: integer(timelines, row),
            activity: integer(activities, row),
            name: text(names, row),
            key: text(keys, row),
            interval,
        });
    }
    Ok((sources, places))
}

fn kind<'a>(given: Option<&str>, (kind, subject): (Option<&str>, Option<&'a str>)) -> Result<Kind<'a>> {
    Ok(match given {
        Some("piece") => {
            let kinds = [SubjectKind::Project, SubjectKind::Category, SubjectKind::Application];
            let kind = kinds.into_iter().find(|known| Some(known.name()) == kind).ok_or_else(|| {
                exec_datafusion_err!(
                    "`subject_kind` of `account` must be `project`, `category` or `application` for a piece"
                )
            })?;
            Kind::Piece(Subject { kind, name: subject.unwrap_or_default() })
        }
        Some("application") => Kind::Application,
        Some("call") => Kind::Call,
        Some("tag") => Kind::Tag,
        Some("tracked") => Kind::Tracked,
        other => {
            let state = State::ALL.into_iter().find(|state| Some(state.name()) == other);
            Kind::State(state.ok_or_else(|| {
                let given = other.unwrap_or("NULL");
                exec_datafusion_err!(
                    "`kind` of `account` must be `piece`, `application`, `tag`, `tracked` or a state, not `{given}`"
                )
            })?)
        }
    })
}

/// Returns the range and the limits.
fn terms(columns: &[ArrayRef]) -> Result<AccountOptions> {
    let edge = |index: usize| {
        let column = timestamp_column(columns, index)?;
        let first = column.iter().next().flatten();
        if column.iter().any(|edge| edge != first) {
            return not_constant_error(index);
        }
        Ok(if column.is_empty() { None } else { instant(column, 0) })
    };
    let bound = |index: usize| {
        let column = integer_column(columns, index)?;
        let first = column.iter().next().flatten().unwrap_or(0);
        if column.iter().any(|bound| bound != Some(first)) {
            return not_constant_error(index);
        }
        Ok(first)
    };
    Ok(AccountOptions {
        range_start: edge(12)?,
        range_end: edge(13)?,
        joins: JoinLimits { max_gap: bound(14)?, interruption: bound(15)? },
        switch_cost: bound(16)?,
    })
}

fn not_constant_error<T>(index: usize) -> Result<T> {
    let name = ACCOUNT.parameters.get(index).map_or("", |parameter| parameter.name);
    exec_err!("`{name}` of `account` must be one value for all rows")
}

/// Returns one column for each field, with a row for each interval.
fn interval_columns(intervals: &[AccountInterval<'_>]) -> Result<Vec<ArrayRef>> {
    let mut edges = IntervalBuilder::default();
    let mut tags = ListBuilder::new(StringBuilder::new()).with_field(tag_item());
    for interval in intervals {
        edges.push(interval.interval);
        interval.tags.iter().for_each(|tag| tags.values().append_value(tag));
        tags.append(!interval.tags.is_empty());
    }
    let text = |of: &dyn for<'s> Fn(&'s AccountInterval<'s>) -> Option<&'s str>| -> ArrayRef {
        Arc::new(intervals.iter().map(of).collect::<StringArray>())
    };
    let works = || intervals.iter().map(|interval| interval.work.as_ref());
    let edge = |of: fn(&Work<'_>) -> i64| -> ArrayRef {
        Arc::new(works().map(|work| work.map(of)).collect::<TimestampSecondArray>())
    };
    let on_subject: BooleanArray = works().map(|work| work.map(|work| work.on_subject)).collect();
    let mut columns = edges.finish(None)?.columns().to_vec();
    columns.extend([
        text(&|interval| Some(interval.counts.name())),
        text(&|interval| Some(interval.adds.name())),
        text(&|interval| interval.application),
        Arc::new(tags.finish()),
        text(&|interval| interval.cut_start.map(Cut::name)),
        text(&|interval| interval.cut_end.map(Cut::name)),
        edge(|work| work.segment_start),
        text(&|interval| interval.work.map(|work| work.step.name())),
        edge(|work| work.block_start),
        text(&|interval| interval.work.map(|work| work.subject.name)),
        Arc::new(on_subject),
    ]);
    Ok(columns)
}
