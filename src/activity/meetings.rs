//! The table `meetings` of the model: a row is a meeting of the person's calendars.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDateTime;
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Int64Array, RecordBatch, StringViewArray, TimestampSecondArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};

use crate::calendar::{Calendars, Meeting};
use crate::engine::{Model, RangedTable, TableRows, read_at_once};
use crate::manictime::{Privacy, Redaction};

/// Adds `meetings` to `model`, as a table of which no more is told than `privacy` lets be told, and `names_meetings()`:
/// whether it can name any, known when a statement is planned.
pub(super) fn register(model: Model, calendars: &Calendars, privacy: &Privacy) -> Model {
    let names = !calendars.is_empty() && !privacy.redacts(Redaction::Titles);
    let names_meetings = create_udf(
        "names_meetings",
        Vec::new(),
        DataType::Boolean,
        Volatility::Immutable,
        Arc::new(move |_| Ok(ColumnarValue::Scalar(ScalarValue::Boolean(Some(names))))),
    );
    model
        .with_value_function(Arc::new(names_meetings))
        .with_ranged_table(MeetingTable::new(calendars.clone(), privacy.clone()))
}

/// Nobody said which calendars there are.
#[derive(Debug, thiserror::Error)]
#[error("there is no calendar: `[[calendars]] file = \"work.ics\"` in the configuration names one")]
struct NoCalendar;

/// The meetings that begin in a local range as rows.
#[derive(Debug)]
struct MeetingTable {
    calendars: Calendars,
    privacy: Privacy,
    schema: SchemaRef,
}

impl MeetingTable {
    fn new(calendars: Calendars, privacy: Privacy) -> Self {
        let instant = DataType::Timestamp(TimeUnit::Second, None);
        let fields = vec![
            // Both are withheld as titles are.
            Field::new("calendar", DataType::Utf8View, true),
            Field::new("meeting", DataType::Utf8View, true),
            Field::new("start_local", instant.clone(), false),
            Field::new("start_utc", instant.clone(), false),
            Field::new("end_local", instant.clone(), false),
            Field::new("end_utc", instant, false),
            Field::new("seconds", DataType::Int64, false),
            Field::new("is_all_day", DataType::Boolean, false),
        ];
        Self { calendars, privacy, schema: Arc::new(Schema::new(fields)) }
    }

    /// A name as it may be told.
    fn told<'n>(&self, name: &'n str) -> Option<Cow<'n, str>> {
        let withheld = self.privacy.redacts(Redaction::Titles) || self.privacy.names_hidden_site(name);
        (!withheld).then(|| self.privacy.redactions().free_text(name))
    }

    /// The rows of a local range, end exclusive. Blocks.
    fn read(&self, range: Range<NaiveDateTime>) -> Result<RecordBatch, Box<dyn std::error::Error + Send + Sync>> {
        if self.calendars.is_empty() {
            return Err(NoCalendar.into());
        }
        let found = self.calendars.within(&range);
        let rows = || found.iter();
        let instants = |of: fn(&Meeting) -> NaiveDateTime| -> ArrayRef {
            Arc::new(
                rows().map(|(_, meeting)| Some(of(meeting).and_utc().timestamp())).collect::<TimestampSecondArray>(),
            )
        };
        let length = |meeting: &Meeting| (meeting.end_utc - meeting.start_utc).num_seconds();
        let names = rows().map(|(_, meeting)| meeting.name.as_deref().and_then(|name| self.told(name)));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(rows().map(|(calendar, _)| self.told(calendar)).collect::<StringViewArray>()),
            Arc::new(names.collect::<StringViewArray>()),
            instants(|meeting| meeting.start_local),
            instants(|meeting| meeting.start_utc),
            instants(|meeting| meeting.end_local),
            instants(|meeting| meeting.end_utc),
            Arc::new(rows().map(|(_, meeting)| Some(length(meeting))).collect::<Int64Array>()),
            Arc::new(rows().map(|(_, meeting)| Some(meeting.is_all_day)).collect::<BooleanArray>()),
        ];
        Ok(RecordBatch::try_new(self.schema(), columns)?)
    }
}

impl RangedTable for MeetingTable {
    fn name(&self) -> &'static str {
        "meetings"
    }

    fn clock(&self) -> &'static str {
        "start_local"
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn rows(self: Arc<Self>, range: Range<NaiveDateTime>) -> TableRows {
        read_at_once(move || self.read(range))
    }
}
