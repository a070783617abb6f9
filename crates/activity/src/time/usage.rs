//! Time by application or by document (docs/spec/time.md#active-or-recorded).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use chrono::NaiveDateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::active_time::{self, ACTIVE_TOP_LIST, ACTIVE_TOTAL, CONTEXT, RangeContext, RecordedDays, Retention};
use super::day_start_text;
use super::missing_timelines::{MISSING_TIMELINES, MissingTimelines};
use super::no_match::{ACTIVE_TIME, NoMatch};
use crate::{Diagnostics, Filter, History, NamedTotal, ReasonCode, Role, TimeBasis, devices};
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Parameter, Row, Statement, statement};
use dayledger_request::{
    Batch, Cursor, DateRange, Error, Limit, LimitedBy, Minutes, Page, Request, Truncate, Truncation, minutes,
    run_statements,
};

/// The kind of item that a response lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageKind {
    /// Applications.
    Applications,
    /// Documents.
    Documents,
}

/// How usage is broken down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Breakdown {
    /// Totals of the range only.
    #[default]
    None,
    /// Totals of the range and of each local day.
    Day,
}

/// The longest range with a breakdown by day, in days.
const MAX_BREAKDOWN_DAYS: i64 = 31;

/// Requests recorded or active time by application or document in a local range.
///
/// Fails with `INVALID_CURSOR` if the cursor is from another request.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageRequest {
    /// Applications or documents.
    pub kind: UsageKind,
    /// Local range, end exclusive.
    pub range: DateRange,
    /// The maximum number of items, most time first.
    pub limit: Limit<50, 1000>,
    /// Whether to add the totals of each day.
    pub breakdown: Breakdown,
    /// The kind of time. With a filter, it is always active time.
    pub time_basis: TimeBasis,
    /// Only this device, by its display name.
    pub device: Option<String>,
    /// The filter. Only matching time counts.
    pub filter: Filter,
    /// The cursor from the previous page, or `None` for the first page.
    pub cursor: Option<Cursor>,
}

impl UsageRequest {
    /// If a breakdown by day is requested, checks that the range has at most 31 days.
    ///
    /// # Errors
    /// Fails with `RANGE_TOO_LONG` for the parameter `end_field` if the range is longer.
    pub fn check_breakdown(self, end_field: &str) -> Result<Self, Error> {
        if self.breakdown == Breakdown::Day {
            self.range.check_max_days(MAX_BREAKDOWN_DAYS, end_field)?;
        }
        Ok(self)
    }
}

/// Time by application or document.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Local time at which days start, such as 04:00. Absent for midnight.
    pub day_start: Option<String>,
    /// `recorded` by default. With a filter or if requested: `active`, or `active+calls` if calls count.
    pub time_basis: TimeBasis,
    /// Minutes of all matching items in the range, listed or not. Authoritative.
    pub total_minutes: Minutes,
    /// The items, most time first.
    pub usage: Vec<UsageItem>,
    /// The listed items by local day, if requested.
    pub days: Option<Vec<UsageDay>>,
    /// Whether items were left out.
    pub truncation: Truncation,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// Time of one application or document.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageItem {
    /// Display name.
    pub name: String,
    /// Colour as six hex digits without `#`.
    pub color: Option<String>,
    /// Key, such as `chrome.exe;google chrome`.
    pub key: Option<String>,
    /// Minutes of the item.
    pub total_minutes: Minutes,
    /// Active minutes of the item. Absent if only hourly totals remain for part of the item's time.
    pub active_minutes: Option<Minutes>,
}

/// Time of one local day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageDay {
    /// Local date, `YYYY-MM-DD`.
    pub date: String,
    /// Minutes of all items on the day, listed or not.
    pub total_minutes: Minutes,
    /// Minutes of each listed item with time on that day, by name, in the order of `usage`.
    pub usage: Vec<NamedTotal>,
    /// The position of each of these items in `Usage::usage`.
    #[serde(skip)]
    rows: Vec<usize>,
}

/// The parameters of `usage.sql` and `active_usage.sql`.
const PARAMETERS: &[Parameter] = &[
    Parameter::instant("start"),
    Parameter::instant("end"),
    Parameter::text("role"),
    Parameter::text("period"),
    Parameter::text("device"),
];

static USAGE: Statement = statement!(queries / "usage", PARAMETERS);

static ACTIVE_USAGE: Statement = statement!(queries / "active_usage", PARAMETERS);

impl Request for UsageRequest {
    type Service = History;
    type Response = Usage;

    async fn execute(self, history: &History) -> Result<Usage, Error> {
        let role = match self.kind {
            UsageKind::Applications => Role::Applications,
            UsageKind::Documents => Role::Documents,
        };
        let first_page = Self { limit: Limit::default(), cursor: None, ..self.clone() };
        let page = Page::from_cursor(&first_page, self.cursor)?;
        let used = RoleUsageRequest {
            range: self.range,
            time_basis: self.time_basis,
            role,
            period: "day",
            device: self.device.as_deref(),
            filter: &self.filter,
        };
        let used = used.answer(history).await?;
        let (rows, truncation) = page.rows(used.items.len(), self.limit.get(), LimitedBy::Limit);
        let listed = &used.items[rows];
        let days = (self.breakdown == Breakdown::Day).then(|| {
            let day = |(date, seconds): (&NaiveDateTime, &i64)| {
                let of_day = listed.iter().enumerate().filter_map(|(row, item)| {
                    let total_minutes = minutes(*item.periods.get(date)?);
                    Some((NamedTotal { name: item.name.clone(), total_minutes }, row))
                });
                let (usage, rows) = of_day.unzip();
                UsageDay { date: date.date().to_string(), total_minutes: minutes(*seconds), usage, rows }
            };
            used.periods.iter().map(day).collect()
        });
        Ok(Usage {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            day_start: day_start_text(),
            time_basis: used.time_basis,
            total_minutes: minutes(used.seconds),
            usage: listed
                .iter()
                .map(|item| UsageItem {
                    name: item.name.clone(),
                    color: item.color.clone(),
                    key: Some(item.key.clone()),
                    total_minutes: minutes(item.seconds),
                    active_minutes: item.active_seconds.map(minutes),
                })
                .collect(),
            days,
            truncation,
            diagnostics: used.diagnostics.with_dates(history.engine(), &self.range).await?,
        })
    }
}

impl Truncate for Usage {
    fn rows(&self) -> usize {
        self.usage.len()
    }

    fn keep(&mut self, rows: usize) {
        self.usage.truncate(rows);
        for day in self.days.iter_mut().flatten() {
            // Items are matched by their position, because two items can have the same name.
            let kept = day.rows.partition_point(|row| *row < rows);
            day.rows.truncate(kept);
            day.usage.truncate(kept);
        }
        self.truncation.keep(rows);
    }
}

/// The time of one role in a range, by key and period. All responses about usage are built from this type.
#[derive(Default)]
pub(super) struct RoleUsage {
    /// The requested kind of time, or recorded time if only hourly totals are left.
    pub(super) time_basis: TimeBasis,
    /// The items, most time first.
    pub(super) items: Vec<RoleUsageItem>,
    /// Seconds of all items. Recorded time is the sum over all devices. Active time counts each second once.
    pub(super) seconds: i64,
    /// Seconds of all items in each period. The key is the local start of the period.
    pub(super) periods: BTreeMap<NaiveDateTime, i64>,
    /// Whether the data is degraded, and why.
    pub(super) diagnostics: Diagnostics,
}

/// The time of one key.
pub(super) struct RoleUsageItem {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) color: Option<String>,
    /// Seconds in the whole range.
    pub(super) seconds: i64,
    /// Active seconds in the whole range. `None` if a part of the item's activities was deleted.
    pub(super) active_seconds: Option<i64>,
    /// Seconds in each period. The key is the local start of the period.
    pub(super) periods: BTreeMap<NaiveDateTime, i64>,
}

/// Requests the time of one role by key and period.
pub(super) struct RoleUsageRequest<'a> {
    pub(super) range: DateRange,
    pub(super) time_basis: TimeBasis,
    /// Applications, documents or websites.
    pub(super) role: Role,
    /// `hour` or `day`.
    pub(super) period: &'static str,
    pub(super) device: Option<&'a str>,
    pub(super) filter: &'a Filter,
}

impl RoleUsageRequest<'_> {
    /// Runs the request on `history`. With a filter, the result is active time, because hourly totals cannot be
    /// filtered.
    pub(super) async fn answer(&self, history: &History) -> Result<RoleUsage, Error> {
        if self.time_basis == TimeBasis::Recorded && self.filter.is_empty() {
            self.query_recorded(history).await
        } else {
            self.query_active(history).await
        }
    }

    async fn query_active(&self, history: &History) -> Result<RoleUsage, Error> {
        let engine = history.engine();
        let arguments = self.arguments();
        let matching = self.filter.apply(arguments.clone());
        let mut batch = Batch::default();
        let rows = batch.add((&ACTIVE_USAGE, matching.clone()));
        let total = (!self.filter.is_empty()).then(|| batch.add((&ACTIVE_TOTAL, matching.clone())));
        let context = batch.add((&CONTEXT, arguments.clone()));
        let missing = batch.add((&MISSING_TIMELINES, arguments.clone()));
        let known_devices = batch.add(devices::statement());
        let results = batch.run(engine).await?;
        devices::check(results.rows(known_devices)?, self.device)?;
        let context = RangeContext::from_rows(results.rows(context)?)?;
        let kept = context.retention(engine, &self.range, &arguments).await?;
        if let Retention::OnlyTotals(_) = kept {
            let diagnostics = RecordedDays::diagnostics(&self.range, self.filter);
            let used = if self.filter.is_empty() { self.query_recorded(history).await? } else { RoleUsage::default() };
            return Ok(RoleUsage { diagnostics, ..used });
        }
        let diagnostics = context.diagnostics(&kept);
        let diagnostics = match diagnostics.reason_code {
            Some(ReasonCode::NoDataInRange) => diagnostics,
            _ => MissingTimelines::from_rows(results.rows(missing)?)?.explain(self.role, diagnostics),
        };
        let matching_seconds = total.map(|slot| active_time::seconds(results.rows(slot)?)).transpose()?;
        let (filter, device) = (self.filter, self.device);
        let no_match = NoMatch { filter, range: self.range, device, time: ACTIVE_TIME };
        let mut used = RoleUsage {
            time_basis: context.time_basis(),
            diagnostics: no_match.explain(engine, diagnostics, matching_seconds).await?,
            ..RoleUsage::default()
        };
        let mut items = Items::default();
        for row in results.rows(rows)?.iter() {
            let seconds = row.get_optional("seconds")?.unwrap_or(0);
            // The statement has grouping sets: a row without a key covers all items, and a row without a period covers
            // the whole range. A total can't be the sum of other rows, because active time counts each second only
            // once.
            match (row.get_optional::<String>("key")?, row.get_optional("period")?) {
                (Some(_), Some(period)) => *items.entry(row)?.periods.entry(period).or_default() += seconds,
                (Some(_), None) => {
                    let item = items.entry(row)?;
                    (item.seconds, item.active_seconds) = (seconds, Some(seconds));
                }
                (None, Some(period)) => *used.periods.entry(period).or_default() += seconds,
                (None, None) => used.seconds = seconds,
            }
        }
        Ok(RoleUsage { items: items.into_sorted(), ..used })
    }

    async fn query_recorded(&self, history: &History) -> Result<RoleUsage, Error> {
        let arguments = self.arguments();
        let statements = [
            (&USAGE, arguments.clone()),
            (&ACTIVE_TOP_LIST, arguments.clone()),
            (&MISSING_TIMELINES, arguments.clone()),
            devices::statement(),
        ];
        let [rows, active, missing, known_devices] = run_statements(history.engine(), statements).await?;
        devices::check(&known_devices, self.device)?;
        let (mut items, mut periods) = (Items::default(), BTreeMap::new());
        let (mut from_totals, mut computed, mut totals_until) = (false, false, None);
        for row in rows.iter() {
            let (period, seconds) = (row.get("period")?, row.get::<i64>("seconds")?);
            let is_totals_only: bool = row.get("is_totals_only")?;
            let item = items.entry(row)?;
            item.seconds += seconds;
            // If only totals remain for one hour of an item, the active time of the whole item is unknown.
            item.active_seconds = item.active_seconds.filter(|_| !is_totals_only);
            *item.periods.entry(period).or_default() += seconds;
            *periods.entry(period).or_default() += seconds;
            from_totals |= row.get::<bool>("from_totals")?;
            computed |= row.get::<bool>("computed")?;
            totals_until = totals_until.into_iter().chain(row.get_optional("totals_until")?).min();
        }
        for row in active.iter() {
            let item = row.get_optional::<String>("key")?.and_then(|key| items.0.get_mut(&key));
            let seconds = row.get("seconds")?;
            if let Some(active_seconds) = item.and_then(|item| item.active_seconds.as_mut()) {
                *active_seconds = seconds;
            }
        }
        let items = items.into_sorted();
        let unnamed_seconds = match self.role {
            Role::Applications if items.is_empty() => {
                active_time::unnamed_seconds(history.engine(), &arguments).await?
            }
            _ => 0,
        };
        let source = UsageSource {
            whole_hours_only: from_totals && !self.range.is_on_whole_hours(),
            lacks_totals: computed && history.source().stores_hourly_totals(),
            is_redacted: !history.source().privacy().shows_hourly_totals(self.role.name()),
            totals_until,
            unnamed_seconds,
        };
        Ok(RoleUsage {
            time_basis: TimeBasis::Recorded,
            seconds: periods.values().sum(),
            periods,
            diagnostics: MissingTimelines::from_rows(&missing)?.explain(self.role, source.diagnostics(items.len())),
            items,
        })
    }

    fn arguments(&self) -> Arguments {
        let arguments = self.range.arguments().with_text("device", self.device);
        arguments.with_text("role", Some(self.role.name())).with_text("period", Some(self.period))
    }
}

/// A collection of items by key, which is filled while rows are read.
#[derive(Default)]
struct Items(BTreeMap<String, RoleUsageItem>);

impl Items {
    /// Returns the item of a row, and adds it if it is new.
    fn entry(&mut self, row: Row<'_>) -> Result<&mut RoleUsageItem, engine::Error> {
        let key: String = row.get_optional("key")?.unwrap_or_default();
        Ok(match self.0.entry(key.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(RoleUsageItem {
                name: row.get_optional("name")?.unwrap_or_else(|| key.clone()),
                color: row.get_optional("color")?,
                seconds: 0,
                active_seconds: Some(0),
                periods: BTreeMap::new(),
                key,
            }),
        })
    }

    /// Returns all items, most time first.
    fn into_sorted(self) -> Vec<RoleUsageItem> {
        let mut items: Vec<_> = self.0.into_values().collect();
        // Each page continues the previous page, so the order must be the same in each request. Items with equal times
        // are in order of their names.
        items.sort_by(|a, b| b.seconds.cmp(&a.seconds).then_with(|| a.name.cmp(&b.name)));
        items
    }
}

/// The sources of recorded time in a response.
struct UsageSource {
    /// Whether the tracker's totals were used although the range doesn't start and end at whole hours.
    whole_hours_only: bool,
    /// Whether activities replaced totals that the tracker normally stores.
    lacks_totals: bool,
    /// Whether privacy rules make the tracker's totals unusable.
    is_redacted: bool,
    /// The time at which the tracker's totals end, on the first day with incomplete totals. Later hours of this day
    /// were computed from activities.
    totals_until: Option<NaiveDateTime>,
    /// Seconds during which devices were in use without recording an application. Set only if applications were
    /// requested and none were recorded.
    unnamed_seconds: i64,
}

impl UsageSource {
    /// Returns the diagnostics of a response with these sources and with this number of items.
    fn diagnostics(&self, items: usize) -> Diagnostics {
        if self.whole_hours_only {
            Diagnostics::degradation(ReasonCode::WholeHoursOnly)
        } else if self.lacks_totals && self.is_redacted {
            Diagnostics::totals_hidden_by_rules()
        } else if self.lacks_totals {
            Diagnostics::degradation(ReasonCode::FallbackComputation)
        } else if let Some(until) = self.totals_until {
            Diagnostics::hourly_totals_lag(until)
        } else if self.unnamed_seconds > 0 {
            Diagnostics::without_applications(self.unnamed_seconds)
        } else {
            Diagnostics::from_row_count(items)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(name: &str) -> NamedTotal {
        NamedTotal { name: name.to_owned(), total_minutes: minutes(60) }
    }

    /// Two applications can have the same name, so days refer to an application by its position in the list.
    #[test]
    fn days_list_only_the_items_that_remain() {
        let item = |name: &str| UsageItem {
            name: name.to_owned(),
            color: None,
            key: None,
            total_minutes: minutes(120),
            active_minutes: None,
        };
        let day = |names: &[&str], rows: &[usize]| UsageDay {
            date: "2025-01-15".to_owned(),
            total_minutes: minutes(540),
            usage: names.iter().copied().map(total).collect(),
            rows: rows.to_vec(),
        };
        let mut usage = Usage {
            start_date: "2025-01-15".to_owned(),
            end_date: "2025-01-17".to_owned(),
            day_start: None,
            time_basis: TimeBasis::Recorded,
            total_minutes: minutes(1080),
            usage: ["Mail", "Editor", "Mail"].map(item).to_vec(),
            days: Some(vec![day(&["Mail", "Editor", "Mail"], &[0, 1, 2]), day(&["Mail"], &[2])]),
            truncation: Truncation::new(3, 3),
            diagnostics: Diagnostics::healthy(),
        };
        usage.keep(2);
        let days = usage.days.unwrap();
        assert_eq!(
            (days[0].usage.as_slice(), days[1].usage.as_slice()),
            ([total("Mail"), total("Editor")].as_slice(), [].as_slice())
        );
        assert!(
            days.iter().all(|day| day.total_minutes == minutes(540)),
            "a day's total still contains all applications"
        );
        assert_eq!((usage.usage.len(), usage.truncation.returned_count), (2, 2));
    }
}
