//! Lists the recorded activities of one timeline.

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::timelines::{self, TIMELINES};
use crate::response::read_enum;
use crate::{ComputerState, Diagnostics, TimeBasis};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Row, Statement, statement};
use dayledger_request::{
    Cursor, DateRange, Error, Limit, LimitedBy, Minutes, Page, Request, Truncate, Truncation, format_iso, minutes,
    run_statements,
};

/// Requests the activities of one timeline in a local range, as recorded and not clipped to active time.
///
/// Fails with `UNKNOWN_TIMELINE` if the history does not contain the timeline. Fails with `INVALID_CURSOR` if the
/// cursor is from another request.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivitiesRequest {
    /// The id of the timeline.
    pub timeline_id: i64,
    /// Local range, end exclusive. Activities that overlap the range are returned in full.
    pub range: DateRange,
    /// The maximum number of activities, in order of start.
    pub limit: Limit<100, 5000>,
    /// The cursor from the previous page, or `None` for the first page.
    pub cursor: Option<Cursor>,
    /// Whether group fields are included.
    pub include_group_details: bool,
}

/// Activities in order of start.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Activities {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// Minutes of all activities in the range, listed or not. Each minute counts once.
    pub total_minutes: Minutes,
    /// The activities, not clipped to the range.
    pub activities: Vec<ActivityEntry>,
    /// Whether activities were left out.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// One recorded activity.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityEntry {
    /// Local start, ISO 8601 without offset.
    pub start: String,
    /// Local end.
    pub end: String,
    /// Minutes from start to end, measured in UTC.
    pub duration_minutes: Minutes,
    /// The activity's own name: a window title, URL, path, state or tag list.
    pub name: String,
    /// Name of the activity's group, if different from `name`.
    pub group_name: Option<String>,
    /// Colour of the activity's group as six hex digits without `#`.
    pub group_color: Option<String>,
    /// Key of the activity's group.
    pub group_key: Option<String>,
    /// Name of the activity's group across all devices, if different from `groupName`.
    pub common_group_name: Option<String>,
    /// The user's notes.
    pub notes: Option<String>,
    /// State of the computer. Only in timelines of computer usage.
    pub state: Option<ComputerState>,
}

const PARAMETERS: &[Parameter] =
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::count("timeline_id")];

static ACTIVITIES: Statement = statement!(queries / "activities", PARAMETERS);

static TOTAL: Statement = statement!(queries / "activities_total", PARAMETERS);

impl Request for ActivitiesRequest {
    type Service = Engine;
    type Response = Activities;

    async fn execute(self, engine: &Engine) -> Result<Activities, Error> {
        let first_page = Self { limit: Limit::default(), cursor: None, ..self.clone() };
        let page = Page::from_cursor(&first_page, self.cursor)?;
        let arguments = self.range.arguments().with_count("timeline_id", self.timeline_id);
        let [timelines, rows, total] = run_statements(
            engine,
            [(&TIMELINES, Arguments::new()), (&ACTIVITIES, arguments.clone()), (&TOTAL, arguments)],
        )
        .await?;
        let known: Vec<i64> = timelines.read(|row| row.get("timeline_id"))?;
        if !known.contains(&self.timeline_id) {
            return Err(timelines::unknown_timeline(self.timeline_id, &known));
        }
        let (listed, truncation) = page.rows(rows.len(), self.limit.get(), LimitedBy::Limit);
        let listed = rows.iter().skip(listed.start).take(listed.len());
        let activities = listed.map(|row| self.entry(row)).collect::<Result<Vec<_>, _>>()?;
        Ok(Activities {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            time_basis: TimeBasis::Recorded,
            total_minutes: minutes(total.first()?.get_optional("seconds")?.unwrap_or(0)),
            truncation,
            diagnostics: Diagnostics::from_row_count(rows.len()).with_dates(engine, &self.range).await?,
            activities,
        })
    }
}

impl Truncate for Activities {
    fn rows(&self) -> usize {
        self.activities.len()
    }

    fn keep(&mut self, rows: usize) {
        self.activities.truncate(rows);
        self.truncation.keep(rows);
    }
}

impl ActivitiesRequest {
    fn entry(&self, row: Row<'_>) -> Result<ActivityEntry, engine::Error> {
        let detail = |column: &str| -> Result<Option<String>, engine::Error> {
            if self.include_group_details { row.get_optional(column) } else { Ok(None) }
        };
        let name: String = row.get_optional("name")?.unwrap_or_default();
        let group_name = detail("group_name")?;
        let has_state = row.get_optional::<String>("state")?.is_some();
        Ok(ActivityEntry {
            start: row.get_optional("start_local")?.map(format_iso).unwrap_or_default(),
            end: row.get_optional("end_local")?.map(format_iso).unwrap_or_default(),
            duration_minutes: minutes(row.get_optional("seconds")?.unwrap_or(0)),
            group_color: detail("group_color")?,
            group_key: detail("group_key")?,
            common_group_name: detail("common_name")?.filter(|common| Some(common) != group_name.as_ref()),
            group_name: group_name.filter(|group| *group != name),
            name,
            notes: row.get_optional::<String>("notes")?.filter(|notes| !notes.is_empty()),
            state: if has_state { Some(read_enum(row, "state")?) } else { None },
        })
    }
}
