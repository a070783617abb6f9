//! The SQL table `meetings`. Each row is a meeting from the user's calendars.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::DataType;
use chrono::NaiveDateTime;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{ColumnarValue, Volatility, create_udf};

use dayledger_calendar::{Calendars, Meeting};
use dayledger_engine::columns::{Column, flags, instants, numbers, optional_text, record_batch, schema};
use dayledger_engine::{Model, VirtualTable, rows_from_blocking};
use dayledger_source::{Privacy, Redaction};

/// Adds the table `meetings` and the function `has_meetings()` to `model`. The table is redacted as `privacy` requires.
/// The function returns whether the table can contain the names of meetings. Its value is constant, so that the planner
/// can remove the parts of a query that use meetings.
pub(super) fn register(model: Model, calendars: &Calendars, privacy: &Privacy) -> Model {
    let names = !calendars.is_empty() && !privacy.redacts(Redaction::Titles);
    let has_meetings = create_udf(
        "has_meetings",
        Vec::new(),
        DataType::Boolean,
        Volatility::Immutable,
        Arc::new(move |_| Ok(ColumnarValue::Scalar(ScalarValue::Boolean(Some(names))))),
    );
    model
        .with_value_function(Arc::new(has_meetings))
        .with_virtual_table(MeetingTable { calendars: calendars.clone(), privacy: privacy.clone() }.into_table())
}

/// The error if the configuration has no calendars.
#[derive(Debug, thiserror::Error)]
#[error("there is no calendar: add `[[calendars]] file = \"work.ics\"` to the configuration")]
struct NoCalendar;

/// A table of the meetings that begin in a local range.
#[derive(Debug)]
struct MeetingTable {
    calendars: Calendars,
    privacy: Privacy,
}

impl MeetingTable {
    fn into_table(self) -> VirtualTable {
        let (schema, table) = (schema(self.columns(&[])), Arc::new(self));
        VirtualTable::with_range("meetings", "start_local", schema, move |range| {
            let table = Arc::clone(&table);
            rows_from_blocking(move || table.read(&range))
        })
    }

    /// Returns a name after redaction, or `None` if titles are redacted or the name contains a hidden site.
    fn redact<'n>(&self, name: &'n str) -> Option<Cow<'n, str>> {
        let withheld = self.privacy.redacts(Redaction::Titles) || self.privacy.contains_hidden_site(name);
        (!withheld).then(|| self.privacy.redactions().free_text(name))
    }

    /// Reads the rows of a local range, end exclusive. Blocks the thread.
    fn read(&self, range: &Range<NaiveDateTime>) -> Result<RecordBatch, Box<dyn std::error::Error + Send + Sync>> {
        if self.calendars.is_empty() {
            return Err(NoCalendar.into());
        }
        Ok(record_batch(self.columns(&self.calendars.meetings_in(range)))?)
    }

    fn columns(&self, meetings: &[(String, Meeting)]) -> [Column; 8] {
        let each = || meetings.iter().map(|(_, meeting)| meeting);
        let length = |meeting: &Meeting| (meeting.end_utc - meeting.start_utc).num_seconds();
        [
            // Calendar names are redacted like meeting names. Both kinds of names count as titles.
            optional_text("calendar", meetings.iter().map(|(calendar, _)| self.redact(calendar))),
            optional_text("meeting", each().map(|meeting| self.redact(meeting.name.as_deref()?))),
            instants("start_local", each().map(|meeting| meeting.start_local)),
            instants("start_utc", each().map(|meeting| meeting.start_utc)),
            instants("end_local", each().map(|meeting| meeting.end_local)),
            instants("end_utc", each().map(|meeting| meeting.end_utc)),
            numbers("seconds", each().map(length)),
            flags("is_all_day", each().map(|meeting| Some(meeting.is_all_day)), false),
        ]
    }
}
