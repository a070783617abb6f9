//! Code that responses about active time share: the context of a range, top lists, and hourly totals. Hourly totals
//! replace activities that the tracker has deleted (docs/spec/time.md#retention).

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::missing_timelines::MissingTimelines;
use crate::{
    ApplicationTotal, Diagnostics, Filter, HistoryBoundsRequest, NamedTotal, ReasonCode, Role, TimeBasis, devices,
};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Rows, Statement, statement};
use dayledger_request::{DateRange, Error, Request, minutes, run_statements};

/// The parameters of a statement about one role in a range. If `device` is null, the statement covers all devices.
pub(crate) const RANGE_OF_ROLE: &[Parameter] =
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("device"), Parameter::text("role")];

/// The statement for a [`RangeContext`].
pub(crate) static CONTEXT: Statement = statement!(queries / "active_time_context", devices::RANGE_OF_DEVICE);

/// The statement for the active seconds of the whole range and the number of active devices.
pub(crate) static ACTIVE_TOTAL: Statement = statement!(queries / "active_total", devices::RANGE_OF_DEVICE);

pub(super) static ACTIVE_TOP_LIST: Statement = statement!(queries / "active_top_list", RANGE_OF_ROLE);

static RECORDED_DAYS: Statement = statement!(queries / "recorded_days", RANGE_OF_ROLE);

/// The maximum number of applications or websites in a top list (docs/contract.md).
pub(crate) const TOP: usize = 50;

/// The applications, websites or documents with the most time, most time first.
pub(crate) struct TopList<T> {
    /// The first items, up to the limit of the list.
    pub(crate) listed: Vec<T>,
    /// Number of all items, if the list is cut.
    pub(crate) available: Option<usize>,
}

impl<T> TopList<T> {
    pub(crate) fn new(all: Vec<T>) -> Self {
        Self { listed: all, available: None }.truncate(TOP)
    }

    /// Shortens the list to at most `most` items.
    pub(crate) fn truncate(mut self, most: usize) -> Self {
        if self.listed.len() > most {
            self.available = self.available.or(Some(self.listed.len()));
            self.listed.truncate(most);
        }
        self
    }
}

/// The properties of a range that affect whether a response about active time is complete.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RangeContext {
    applications: i64,
    untracked: i64,
    /// Seconds during which devices were in use, for devices that recorded no application in the range.
    unnamed_seconds: i64,
    calls_count: bool,
    /// The local time after which the application activities of every device are still present. `None` if a device has
    /// no activities.
    first_kept: Option<NaiveDateTime>,
}

/// How much of a range still has activities.
pub(crate) enum Retention {
    /// The tracker has kept all activities.
    Everything,
    /// The tracker has kept only the later activities. For earlier hours of at least one device, only hourly totals are
    /// left.
    Part,
    /// The tracker has kept only hourly totals.
    OnlyTotals(RecordedDays),
}

/// Reads the seconds during which devices were in use, for devices that recorded no application. `arguments` contains
/// the range.
pub(crate) async fn unnamed_seconds(engine: &Engine, arguments: &Arguments) -> Result<i64, Error> {
    let [rows] = run_statements(engine, [(&CONTEXT, arguments.clone())]).await?;
    Ok(rows.first()?.get("unnamed_seconds")?)
}

/// Reads the active seconds from the rows of [`ACTIVE_TOTAL`].
pub(crate) fn seconds(total: &Rows) -> Result<i64, engine::Error> {
    Ok(total.first()?.get_optional("active_seconds")?.unwrap_or(0))
}

/// Returns the statement for the top names of a role (`applications`, `websites` or `documents`).
pub(crate) fn top_names(arguments: &Arguments, role: &str) -> (&'static Statement, Arguments) {
    (&ACTIVE_TOP_LIST, arguments.clone().with_text("role", Some(role)))
}

impl RangeContext {
    /// Reads the row of [`CONTEXT`].
    pub(crate) fn from_rows(context: &Rows) -> Result<Self, engine::Error> {
        let row = context.first()?;
        Ok(Self {
            applications: row.get("applications")?,
            untracked: row.get("untracked")?,
            unnamed_seconds: row.get("unnamed_seconds")?,
            calls_count: row.get("calls_count")?,
            first_kept: row.get_optional("first_kept")?,
        })
    }

    /// Returns how much of the range still has activities. If the range has no activities left, the result contains the
    /// tracker's hourly totals. The totals are read in two cases: the range has no activities, or the range starts
    /// before the oldest remaining activities.
    pub(crate) async fn retention(
        self,
        engine: &Engine,
        range: &DateRange,
        arguments: &Arguments,
    ) -> Result<Retention, Error> {
        let reaches_back = self.first_kept.is_none_or(|first| range.start() < first);
        if self.applications > 0 {
            let is_outlived =
                reaches_back && RecordedDays::has_expired_activities(engine, range, arguments, self.first_kept).await?;
            return Ok(if is_outlived { Retention::Part } else { Retention::Everything });
        }
        let recorded = RecordedDays::load(engine, arguments).await?;
        Ok(if recorded.days.is_empty() { Retention::Everything } else { Retention::OnlyTotals(recorded) })
    }

    /// Returns the kind of time that a response about active time counts.
    pub(crate) fn time_basis(self) -> TimeBasis {
        if self.calls_count { TimeBasis::ActiveAndCalls } else { TimeBasis::Active }
    }

    /// Returns the first local day of the history, or of `device`, if the range starts before that day. The first day
    /// is read only if the range can start before it.
    pub(crate) async fn history_start(
        self,
        engine: &Engine,
        range: &DateRange,
        device: Option<&str>,
    ) -> Result<Option<NaiveDate>, Error> {
        if self.applications == 0 || self.first_kept.is_some_and(|first| range.start() >= first) {
            return Ok(None);
        }
        let first = HistoryBoundsRequest.execute(engine).await?.first_day(device);
        Ok(first.filter(|first| range.first_day() < *first))
    }

    /// Returns the diagnostics of a response that contains documents and websites.
    pub(super) fn diagnostics_with_documents(self, kept: &Retention, missing: &MissingTimelines) -> Diagnostics {
        let diagnostics = self.diagnostics(kept);
        if self.applications == 0 { diagnostics } else { missing.explain(Role::Documents, diagnostics) }
    }

    /// Returns the diagnostics of a response about active time.
    pub(crate) fn diagnostics(self, kept: &Retention) -> Diagnostics {
        if matches!(kept, Retention::Part) {
            Diagnostics::degradation(ReasonCode::ActivitiesPartlyKept)
        } else if self.untracked > 0 {
            Diagnostics::degradation(ReasonCode::NoComputerUsage)
        } else if self.unnamed_seconds > 0 {
            Diagnostics::without_applications(self.unnamed_seconds)
        } else if self.applications == 0 {
            Diagnostics::remark(ReasonCode::NoDataInRange)
        } else {
            Diagnostics::healthy()
        }
    }
}

/// Reads a list of applications, most time first.
pub(crate) fn application_totals(rows: &Rows) -> Result<TopList<ApplicationTotal>, engine::Error> {
    let all = rows.read(|row| {
        Ok(ApplicationTotal {
            name: row.get_optional("name")?.unwrap_or_default(),
            color: row.get_optional("color")?,
            total_minutes: minutes(row.get("seconds")?),
        })
    })?;
    Ok(TopList::new(all))
}

/// The maximum number of documents in a filtered response.
const TOP_DOCUMENTS: usize = 20;

/// Reads the documents with the most matching time.
pub(crate) fn documents(rows: &Rows) -> Result<Vec<NamedTotal>, engine::Error> {
    Ok(website_totals(rows)?.truncate(TOP_DOCUMENTS).listed)
}

/// Reads a list of websites or documents, most time first.
pub(crate) fn website_totals(rows: &Rows) -> Result<TopList<NamedTotal>, engine::Error> {
    let all = rows.read(|row| {
        Ok(NamedTotal {
            name: row.get_optional("name")?.unwrap_or_default(),
            total_minutes: minutes(row.get("seconds")?),
        })
    })?;
    Ok(TopList::new(all))
}

/// The recorded time of a range without activities, from the tracker's hourly totals.
pub(crate) struct RecordedDays {
    /// Seconds and top application of each local day with recorded time.
    pub(crate) days: BTreeMap<NaiveDate, RecordedDay>,
    pub(crate) top_applications: TopList<ApplicationTotal>,
    pub(crate) top_websites: TopList<NamedTotal>,
}

/// One local day of recorded time.
#[derive(Default)]
pub(crate) struct RecordedDay {
    pub(crate) seconds: i64,
    pub(crate) top_application: String,
}

impl RecordedDays {
    /// Reads the recorded time of the range in `arguments`.
    pub(crate) async fn load(engine: &Engine, arguments: &Arguments) -> Result<Self, Error> {
        let of_role = |role| Self::statement(arguments.clone(), role);
        let [applications, websites] = run_statements(engine, [of_role("applications"), of_role("websites")]).await?;
        let mut days: BTreeMap<NaiveDate, RecordedDay> = BTreeMap::new();
        for row in applications.iter() {
            let day = days.entry(row.get("date")?).or_default();
            // The rows of a day are sorted by time, most first.
            if day.top_application.is_empty() {
                day.top_application = row.get_optional("name")?.unwrap_or_default();
            }
            day.seconds += row.get::<i64>("seconds")?;
        }
        let top_applications = TopList::new(totals(&applications, |_| true)?);
        // Site names of one character come from misread paths.
        let top_websites = totals(&websites, |name| name.chars().count() > 1)?
            .into_iter()
            .map(|total| NamedTotal { name: total.name, total_minutes: total.total_minutes })
            .collect();
        Ok(Self { days, top_applications, top_websites: TopList::new(top_websites) })
    }

    /// Returns whether an hour of the range has totals but lacks activities. From the local time `first_kept` onwards,
    /// the activities of every device are complete. So only the hours up to the hour of `first_kept` are read.
    async fn has_expired_activities(
        engine: &Engine,
        range: &DateRange,
        arguments: &Arguments,
        first_kept: Option<NaiveDateTime>,
    ) -> Result<bool, Error> {
        let end = first_kept.and_then(|first| first.checked_add_signed(TimeDelta::hours(1)));
        let end = end.map_or(range.end(), |end| end.min(range.end()));
        let [hours] =
            run_statements(engine, [Self::statement(arguments.clone().with_instant("end", end), "applications")])
                .await?;
        Ok(hours.read(|row| row.get::<bool>("is_totals_only"))?.contains(&true))
    }

    fn statement(arguments: Arguments, role: &str) -> (&'static Statement, Arguments) {
        (&RECORDED_DAYS, arguments.with_text("role", Some(role)))
    }

    /// Returns the diagnostics of a response that was computed from hourly totals. If there is a filter, they
    /// mention that hourly totals cannot be filtered.
    pub(crate) fn diagnostics(range: &DateRange, filter: &Filter) -> Diagnostics {
        let is_whole = range.is_on_whole_hours();
        let reason = if is_whole { ReasonCode::NoActivities } else { ReasonCode::WholeHoursOnly };
        let diagnostics = Diagnostics::degradation(reason);
        if filter.is_empty() { diagnostics } else { diagnostics.with_fact("hourly totals cannot be filtered") }
    }

    /// Returns the recorded seconds of the whole range.
    pub(crate) fn seconds(&self) -> i64 {
        self.days.values().map(|day| day.seconds).sum()
    }
}

fn totals(rows: &Rows, lists: impl Fn(&str) -> bool) -> Result<Vec<ApplicationTotal>, engine::Error> {
    let mut totals: BTreeMap<String, (i64, String, Option<String>)> = BTreeMap::new();
    for row in rows.iter() {
        let name: String = row.get_optional("name")?.unwrap_or_default();
        let key = row.get_optional("key")?.unwrap_or_else(|| name.clone());
        let color = row.get_optional("color")?;
        totals.entry(key).or_insert((0, name, color)).0 += row.get::<i64>("seconds")?;
    }
    let mut totals: Vec<_> = totals.into_values().filter(|(_, name, _)| lists(name)).collect();
    totals.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let total = |(seconds, name, color)| ApplicationTotal { name, color, total_minutes: minutes(seconds) };
    Ok(totals.into_iter().map(total).collect())
}
