//! Summarises several days (docs/spec/time.md#period-summary).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime};
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::active_time::{self, CONTEXT, RangeContext, RecordedDays, Retention, TopList};
use super::day_start_text;
use super::missing_timelines::{MISSING_TIMELINES, MissingTimelines};
use super::no_match::{ACTIVE_TIME, NoMatch};
use crate::rules_and_tags::client_totals::ClientTotals;
use crate::rules_and_tags::purposes::PURPOSES;
use crate::rules_and_tags::tagged_time::{ACTIVE_TAGS, TaggedTime};
use crate::{ApplicationTotal, Diagnostics, Filter, NamedTotal, TimeBasis, devices};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Rows, Statement, statement};
use dayledger_request::{
    Batch, BatchRows, ComparedRange, DateRange, Error, Minutes, Request, Slot, Truncate, Truncation, format_iso,
    minutes,
};

/// The longest period that a tool summarises, in days (docs/contract.md, `get_period_summary`).
pub const MAX_PERIOD_DAYS: i64 = 31;

/// Requests days, top lists and the weekday pattern of a period, as active time.
///
/// Fails with `UNKNOWN_DEVICE` if the history does not contain the device.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodSummaryRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// Only this device, by its display name.
    pub device: Option<String>,
    /// The filter. Days, top lists and tags cover only matching time. The totals of all time are returned too.
    pub filter: Filter,
    /// Another range to compare with.
    pub compare_to: Option<ComparedRange>,
}

impl PeriodSummaryRequest {
    /// Creates a request for a whole range, on every device.
    pub fn new(range: DateRange) -> Self {
        Self { range, device: None, filter: Filter::default(), compare_to: None }
    }
}

/// The days of a period, and their totals.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodSummary {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Local time at which days start, such as 04:00. Absent for midnight.
    pub day_start: Option<String>,
    /// First local day of the history, if the range begins earlier. Earlier days don't count as days without activity.
    pub history_start: Option<String>,
    /// `active`, or `active+calls` if calls count. `recorded` only if the activities were deleted.
    pub time_basis: TimeBasis,
    /// Active minutes of the whole period. Authoritative: the days add up to it before rounding.
    pub total_active_minutes: Minutes,
    /// With a filter: active minutes that match. All lists, and all minutes except the total, then cover only matching
    /// time.
    pub matching_minutes: Option<Minutes>,
    /// One entry per day with activity, in order of date.
    pub days: Vec<PeriodDay>,
    /// Top lists and averages of the period.
    pub aggregate: PeriodAggregate,
    /// The same summary for the range in `compareTo`, without days.
    pub comparison: Option<Comparison>,
    /// Distribution of the time over the week.
    pub patterns: PeriodPatterns,
    /// Whether days were left out.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// One local day with activity.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodDay {
    /// Local date, `YYYY-MM-DD`.
    pub date: String,
    /// Active minutes of the day, each minute counted once over all devices.
    pub total_active_minutes: Minutes,
    /// With a filter: active minutes that match.
    pub matching_minutes: Option<Minutes>,
    /// The application with the most active time.
    pub top_app: String,
    /// Local start of the day's first piece; absent for recorded time.
    pub first_activity: Option<String>,
    /// Local end of the day's last piece; absent for recorded time.
    pub last_activity: Option<String>,
}

/// A short summary of the compared period.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Start of the compared range, local, inclusive.
    pub start_date: String,
    /// End of the compared range, local, exclusive. If the requested period is still running, only as much of the
    /// compared period counts as has passed of the requested period.
    pub end_date: String,
    /// `active`, or `active+calls` if calls count. `recorded` only if the activities were deleted.
    pub time_basis: TimeBasis,
    /// Active minutes of the compared period.
    pub total_active_minutes: Minutes,
    /// With a filter: active minutes that match.
    pub matching_minutes: Option<Minutes>,
    /// Number of days with activity in the compared period.
    pub active_days: usize,
    /// The requested period minus the compared period. Absent if one of them has active time and the other recorded
    /// time.
    pub differences: Option<Differences>,
    /// Averages and top lists of the compared period. Each list has at most 10 items.
    pub aggregate: PeriodAggregate,
    /// Whether the figures of the compared period are degraded, and why.
    pub diagnostics: Diagnostics,
}

/// The maximum number of names in a top list of the compared period.
const MAX_COMPARED_NAMES: usize = 10;

/// The maximum number of names in a list of differences.
const MAX_DIFFERENT_NAMES: usize = 5;

/// The requested period minus the compared period. A negative number means that the requested period has less.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    /// Difference of the active minutes.
    pub total_active_minutes: Minutes,
    /// With a filter: difference of the active minutes that match.
    pub matching_minutes: Option<Minutes>,
    /// Difference of the averages over the days with activity.
    pub avg_daily_minutes: Minutes,
    /// Difference of the numbers of days with activity.
    pub active_days: i64,
    /// The applications whose minutes differ most, at most 5.
    pub top_apps: Vec<NamedTotal>,
    /// The websites whose minutes differ most, at most 5.
    pub top_websites: Vec<NamedTotal>,
}

/// Top lists and averages over a period.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodAggregate {
    /// Tagged active time, if there is any.
    #[serde(flatten)]
    pub tagged: Option<TaggedTime>,
    /// Time for clients, if there is any.
    #[serde(flatten)]
    pub clients: Option<ClientTotals>,
    /// Applications with the most time.
    pub top_apps: Vec<ApplicationTotal>,
    /// Websites with the most time.
    pub top_websites: Vec<NamedTotal>,
    /// With a filter: documents with the most time, at most 20.
    pub top_documents: Option<Vec<NamedTotal>>,
    /// Number of all applications, if `topApps` is cut.
    pub top_apps_available: Option<usize>,
    /// Number of all websites, if `topWebsites` is cut.
    pub top_websites_available: Option<usize>,
    /// Average over the days with activity.
    pub avg_daily_minutes: Minutes,
    /// The day with the most time. If several days have the same time, the earliest of them.
    pub busiest_day: Option<String>,
    /// The day with the least time, among the days with activity. If several have the same time, the earliest of them.
    pub quietest_day: Option<String>,
}

/// The distribution of a period's time over the week.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodPatterns {
    /// One entry for every weekday in the range since the history started. Weekdays without activity have 0.0.
    pub day_of_week_distribution: Vec<WeekdayTotal>,
}

/// The time of one weekday.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekdayTotal {
    /// 0 = Sunday ... 6 = Saturday.
    pub day_of_week: u8,
    /// Minutes, rounded to one decimal.
    pub total_minutes: Minutes,
}

static DAYS: Statement = statement!(queries / "days", devices::RANGE_OF_DEVICE);

/// The positions of one summary's statements in a batch.
pub(super) struct SummarySlots {
    days: Slot,
    /// The days without the filter. Present only if there is a filter.
    all_days: Option<Slot>,
    applications: Slot,
    websites: Slot,
    /// Present only if there is a filter.
    documents: Option<Slot>,
    context: Slot,
    known_devices: Slot,
    missing: Slot,
    tagged: Slot,
    /// Time by client and task.
    pub(super) purposes: Slot,
}

/// Active seconds of a whole range.
#[derive(Debug, Clone, Copy)]
struct Totals {
    all: i64,
    /// Seconds that match the filter. `None` without a filter.
    matching: Option<i64>,
}

/// One day in exact seconds, before rounding.
struct Day {
    date: NaiveDate,
    /// Seconds that match the filter, or all seconds if there is no filter.
    seconds: i64,
    /// All seconds of the day, matching or not.
    all_seconds: i64,
    top_app: String,
    first_activity: Option<NaiveDateTime>,
    last_activity: Option<NaiveDateTime>,
}

impl Request for PeriodSummaryRequest {
    type Service = Engine;
    type Response = PeriodSummary;

    async fn execute(self, engine: &Engine) -> Result<PeriodSummary, Error> {
        let mut batch = Batch::default();
        let slots = self.add_statements(&mut batch);
        // Both periods are read in the same batch. Otherwise, the history could change between the two reads.
        let other = self.compare_to.map(|compared| {
            let request = Self { range: compared.range, compare_to: None, ..self.clone() };
            (request.add_statements(&mut batch), request, compared.part)
        });
        let results = batch.run(engine).await?;
        let mut summary = self.read(engine, &results, slots).await?;
        if let Some((slots, request, part)) = other {
            let mut comparison = Comparison::new(&summary, request.read(engine, &results, slots).await?);
            comparison.diagnostics = comparison.diagnostics.with_comparison(part, &comparison.end_date);
            summary.comparison = Some(comparison);
        }
        Ok(summary)
    }
}

impl PeriodSummaryRequest {
    /// Adds the statements of a summary to `batch`, which can also contain statements of a larger request.
    pub(super) fn add_statements(&self, batch: &mut Batch) -> SummarySlots {
        let all = self.arguments();
        let arguments = self.filter.apply(all.clone());
        SummarySlots {
            days: batch.add((&DAYS, arguments.clone())),
            all_days: (!self.filter.is_empty()).then(|| batch.add((&DAYS, all.clone()))),
            applications: batch.add(active_time::top_names(&arguments, "applications")),
            websites: batch.add(active_time::top_names(&arguments, "websites")),
            documents: (!self.filter.is_empty()).then(|| batch.add(active_time::top_names(&arguments, "documents"))),
            context: batch.add((&CONTEXT, all.clone())),
            known_devices: batch.add(devices::statement()),
            missing: batch.add((&MISSING_TIMELINES, all.clone())),
            tagged: batch.add((&ACTIVE_TAGS, arguments.clone())),
            purposes: batch.add((&PURPOSES, arguments.clone())),
        }
    }

    /// Builds the summary from the rows of [`PeriodSummaryRequest::add_statements`].
    pub(super) async fn read(
        &self,
        engine: &Engine,
        results: &BatchRows,
        slots: SummarySlots,
    ) -> Result<PeriodSummary, Error> {
        devices::check(results.rows(slots.known_devices)?, self.device.as_deref())?;
        let context = RangeContext::from_rows(results.rows(slots.context)?)?;
        let kept = context.retention(engine, &self.range, &self.arguments()).await?;
        if let Retention::OnlyTotals(recorded) = kept {
            let days = recorded.days.into_iter().map(|(date, day)| Day {
                date,
                seconds: day.seconds,
                all_seconds: day.seconds,
                top_app: day.top_application,
                first_activity: None,
                last_activity: None,
            });
            let diagnostics = RecordedDays::diagnostics(&self.range, &self.filter);
            let days: Vec<_> = days.collect();
            let totals = Totals { all: days.iter().map(|day| day.seconds).sum(), matching: None };
            // A filter can't apply to hourly totals, because they don't show which windows were open simultaneously.
            let (days, tops) = if self.filter.is_empty() {
                (days, (recorded.top_applications, recorded.top_websites))
            } else {
                (Vec::new(), (TopList::new(Vec::new()), TopList::new(Vec::new())))
            };
            let mut summary = self.summary(TimeBasis::Recorded, totals, &days, (tops, None), (None, diagnostics));
            if self.filter.is_empty() {
                summary.aggregate.clients = ClientTotals::from_rows(results.rows(slots.purposes)?)?;
            }
            return Ok(summary);
        }
        let all = slots.all_days.map(|slot| seconds_by_day(results.rows(slot)?)).transpose()?;
        let (mut days_with_activity, mut total) = (Vec::new(), 0);
        for row in results.rows(slots.days)?.iter() {
            let seconds = row.get("active_seconds")?;
            // The row without a date is the whole period.
            let Some(date) = row.get_optional("date")? else {
                total = seconds;
                continue;
            };
            days_with_activity.push(Day {
                date,
                seconds,
                all_seconds: all.as_ref().and_then(|all| all.get(&Some(date)).copied()).unwrap_or(seconds),
                top_app: row.get_optional("top_application")?.unwrap_or_default(),
                first_activity: row.get_optional("first_activity")?,
                last_activity: row.get_optional("last_activity")?,
            });
        }
        let tops = (
            active_time::application_totals(results.rows(slots.applications)?)?,
            active_time::website_totals(results.rows(slots.websites)?)?,
        );
        let documents = slots.documents.map(|slot| active_time::documents(results.rows(slot)?)).transpose()?;
        let tagged = TaggedTime::from_rows(results.rows(slots.tagged)?, total)?;
        let clients = ClientTotals::from_rows(results.rows(slots.purposes)?)?;
        let totals = match all {
            Some(all) => Totals { all: all.get(&None).copied().unwrap_or(0), matching: Some(total) },
            None => Totals { all: total, matching: None },
        };
        let missing = MissingTimelines::from_rows(results.rows(slots.missing)?)?;
        let (device, time) = (self.device.as_deref(), ACTIVE_TIME);
        let no_match = NoMatch { filter: &self.filter, range: self.range, device, time };
        let diagnostics = context.diagnostics_with_documents(&kept, &missing);
        let diagnostics = no_match.explain(engine, diagnostics, totals.matching).await?;
        let start = context.history_start(engine, &self.range, device).await?;
        let diagnostics = diagnostics.with_history_start(start).with_dates(engine, &self.range).await?;
        let basis = context.time_basis();
        let mut summary = self.summary(basis, totals, &days_with_activity, (tops, tagged), (start, diagnostics));
        (summary.aggregate.top_documents, summary.aggregate.clients) = (documents, clients);
        Ok(summary)
    }

    fn arguments(&self) -> Arguments {
        self.range.arguments().with_text("device", self.device.as_deref())
    }

    /// Builds the summary. A total counts each minute of the period once. If devices are in two time zones, one minute
    /// can belong to two local days, and each of these days counts the minute. Weekdays and the average are computed
    /// from the days (docs/spec/time.md#minutes-that-count-once).
    fn summary(
        &self,
        time_basis: TimeBasis,
        totals: Totals,
        days: &[Day],
        ((top_apps, top_websites), tagged): ((TopList<ApplicationTotal>, TopList<NamedTotal>), Option<TaggedTime>),
        (history_start, diagnostics): (Option<NaiveDate>, Diagnostics),
    ) -> PeriodSummary {
        let of_days = days.iter().map(|day| day.seconds).sum();
        let count = i64::try_from(days.len()).unwrap_or(i64::MAX);
        // If several days are equal, the earliest is chosen. `max_by_key` returns the last of equal days, so it needs
        // the reversed order. `min_by_key` returns the first of equal days.
        let busiest = days.iter().rev().max_by_key(|day| day.seconds);
        let quietest = days.iter().min_by_key(|day| day.seconds);
        PeriodSummary {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            day_start: day_start_text(),
            history_start: history_start.map(|date| date.to_string()),
            time_basis,
            total_active_minutes: minutes(totals.all),
            matching_minutes: totals.matching.map(minutes),
            comparison: None,
            aggregate: PeriodAggregate {
                tagged,
                clients: None,
                top_apps_available: top_apps.available,
                top_websites_available: top_websites.available,
                top_apps: top_apps.listed,
                top_websites: top_websites.listed,
                top_documents: None,
                avg_daily_minutes: average(of_days, count),
                busiest_day: busiest.map(|day| day.date.to_string()),
                quietest_day: quietest.map(|day| day.date.to_string()),
            },
            patterns: PeriodPatterns { day_of_week_distribution: self.weekdays(days, history_start) },
            truncation: Truncation::new(days.len(), days.len()),
            diagnostics,
            days: days
                .iter()
                .map(|day| PeriodDay {
                    date: day.date.to_string(),
                    total_active_minutes: minutes(day.all_seconds),
                    matching_minutes: totals.matching.map(|_| minutes(day.seconds)),
                    top_app: day.top_app.clone(),
                    first_activity: day.first_activity.map(format_iso),
                    last_activity: day.last_activity.map(format_iso),
                })
                .collect(),
        }
    }

    fn weekdays(&self, days: &[Day], history_start: Option<NaiveDate>) -> Vec<WeekdayTotal> {
        let mut seconds = BTreeMap::new();
        let mut date = history_start.unwrap_or_else(|| self.range.first_day());
        // Seven days contain every weekday, so the loop ends after seven days, even for a range of many years.
        while DateRange::day(date).start() < self.range.end() && seconds.len() < 7 {
            seconds.insert(weekday(date), 0);
            date = date + Days::new(1);
        }
        for day in days {
            *seconds.entry(weekday(day.date)).or_default() += day.seconds;
        }
        let totals = seconds.into_iter();
        totals.map(|(day_of_week, seconds)| WeekdayTotal { day_of_week, total_minutes: minutes(seconds) }).collect()
    }
}

impl PeriodSummary {
    /// Returns the active minutes that days and top lists cover. With a filter, these are the matching minutes. Without
    /// a filter, they are the total.
    pub fn reported_minutes(&self) -> Minutes {
        self.matching_minutes.unwrap_or(self.total_active_minutes)
    }
}

impl PeriodDay {
    /// Returns the active minutes of the day. With a filter, returns only the matching minutes.
    pub fn reported_minutes(&self) -> Minutes {
        self.matching_minutes.unwrap_or(self.total_active_minutes)
    }
}

impl Truncate for PeriodSummary {
    fn rows(&self) -> usize {
        self.days.len()
    }

    fn keep(&mut self, rows: usize) {
        self.days.truncate(rows);
        self.truncation.keep(rows);
    }
}

impl Comparison {
    /// Compares `period` with the summary of another period.
    fn new(period: &PeriodSummary, summary: PeriodSummary) -> Self {
        // Recorded time includes time away, so its difference from active time would mean nothing.
        let is_comparable = period.time_basis.is_active() == summary.time_basis.is_active();
        let differences = is_comparable.then(|| Differences::new(period, &summary));
        let aggregate = summary.aggregate;
        let apps = TopList { listed: aggregate.top_apps, available: aggregate.top_apps_available }
            .truncate(MAX_COMPARED_NAMES);
        let websites = TopList { listed: aggregate.top_websites, available: aggregate.top_websites_available };
        let websites = websites.truncate(MAX_COMPARED_NAMES);
        Self {
            start_date: summary.start_date,
            end_date: summary.end_date,
            time_basis: summary.time_basis,
            total_active_minutes: summary.total_active_minutes,
            matching_minutes: summary.matching_minutes,
            active_days: summary.days.len(),
            differences,
            aggregate: PeriodAggregate {
                top_apps: apps.listed,
                top_websites: websites.listed,
                top_apps_available: apps.available,
                top_websites_available: websites.available,
                ..aggregate
            },
            diagnostics: summary.diagnostics,
        }
    }
}

impl Differences {
    fn new(period: &PeriodSummary, other: &PeriodSummary) -> Self {
        // `Minutes` contains exact seconds. A difference is therefore rounded only once, like every other figure.
        let difference = |one: Minutes, other: Minutes| minutes(one.seconds() - other.seconds());
        let days = [period, other].map(|of| i64::try_from(of.days.len()).unwrap_or(i64::MAX));
        let [here, there] = [&period.aggregate, &other.aggregate];
        Self {
            total_active_minutes: difference(period.total_active_minutes, other.total_active_minutes),
            matching_minutes: period.matching_minutes.zip(other.matching_minutes).map(|(one, of)| difference(one, of)),
            avg_daily_minutes: difference(here.avg_daily_minutes, there.avg_daily_minutes),
            active_days: days[0] - days[1],
            top_apps: largest_differences(
                &NamedSeconds::from_applications(here),
                &NamedSeconds::from_applications(there),
            ),
            top_websites: largest_differences(&NamedSeconds::from_websites(here), &NamedSeconds::from_websites(there)),
        }
    }
}

/// A top list: its names with their seconds.
struct NamedSeconds<'a> {
    totals: Vec<(&'a str, i64)>,
    /// Whether the list contains all names with time.
    is_complete: bool,
}

impl<'a> NamedSeconds<'a> {
    fn from_applications(aggregate: &'a PeriodAggregate) -> Self {
        let totals = aggregate.top_apps.iter().map(|total| (total.name.as_str(), total.total_minutes.seconds()));
        Self { totals: totals.collect(), is_complete: aggregate.top_apps_available.is_none() }
    }

    fn from_websites(aggregate: &'a PeriodAggregate) -> Self {
        let totals = aggregate.top_websites.iter().map(|total| (total.name.as_str(), total.total_minutes.seconds()));
        Self { totals: totals.collect(), is_complete: aggregate.top_websites_available.is_none() }
    }
}

/// Returns the names with the largest differences in time, largest difference first. A name can be in only one of the
/// lists, because the other list is cut. Such a name is left out, because its time in the other period is unknown.
fn largest_differences(here: &NamedSeconds<'_>, other: &NamedSeconds<'_>) -> Vec<NamedTotal> {
    let mut seconds: BTreeMap<&str, [Option<i64>; 2]> = BTreeMap::new();
    for (place, list) in [here, other].into_iter().enumerate() {
        for &(name, of_name) in &list.totals {
            *seconds.entry(name).or_default()[place].get_or_insert(0) += of_name;
        }
    }
    let of_list = |seconds: Option<i64>, list: &NamedSeconds<'_>| seconds.or(list.is_complete.then_some(0));
    let differences = seconds
        .into_iter()
        .filter_map(|(name, seconds)| Some((name, of_list(seconds[0], here)? - of_list(seconds[1], other)?)));
    let mut differences: Vec<_> = differences.filter(|(_, seconds)| *seconds != 0).collect();
    // The sort is stable, so names with equal differences stay in alphabetical order.
    differences.sort_by_key(|(_, seconds)| Reverse(seconds.abs()));
    differences.truncate(MAX_DIFFERENT_NAMES);
    let total = |(name, seconds): (&str, i64)| NamedTotal { name: name.to_owned(), total_minutes: minutes(seconds) };
    differences.into_iter().map(total).collect()
}

/// Reads active seconds by local day. The key `None` is the whole range.
fn seconds_by_day(days: &Rows) -> Result<BTreeMap<Option<NaiveDate>, i64>, engine::Error> {
    Ok(days.read(|row| Ok((row.get_optional("date")?, row.get("active_seconds")?)))?.into_iter().collect())
}

/// Returns the number of a weekday: 0 is Sunday, 6 is Saturday.
pub(super) fn weekday(date: NaiveDate) -> u8 {
    u8::try_from(date.weekday().num_days_from_sunday()).unwrap_or_default()
}

/// Returns the average over `count` days, without fractions of a second. The fractions don't matter: rounded minutes
/// change only at whole seconds.
fn average(seconds: i64, count: i64) -> Minutes {
    minutes(seconds.checked_div(count).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(totals: &[(&'static str, i64)], is_complete: bool) -> NamedSeconds<'static> {
        NamedSeconds { totals: totals.to_vec(), is_complete }
    }

    #[test]
    fn differences_leave_out_names_that_a_cut_list_may_have() {
        let here = list(&[("Code", 600), ("Mail", 120), ("Zoom", 60), ("Chat", 60)], true);
        let there = list(&[("Code", 60), ("Mail", 300), ("Chat", 60)], false);
        let different = largest_differences(&here, &there);
        let expected = [("Code", 540), ("Mail", -180)];
        let expected =
            expected.map(|(name, seconds)| NamedTotal { name: name.to_owned(), total_minutes: minutes(seconds) });
        assert_eq!(different, expected, "Zoom may have time in the other period");
    }
}
