//! Recorded time of applications and documents (semantics, section 6).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Diagnostics, History, NamedTotal, ReasonCode, TimeBasis, active_time};
use crate::engine::{Parameter, Statement, statement};
use crate::question::{
    Answer, Cursor, DateRange, Error, Limit, LimitedBy, Minutes, Page, Question, Truncation, ask, minutes,
};

/// Which usage is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageKind {
    /// `Ar_ApplicationByDay`, or applications.
    Applications,
    /// `Ar_DocumentByDay`, or documents.
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

/// The longest range whose days are listed, in days.
const MAX_BREAKDOWN_DAYS: i64 = 31;

/// Asks for recorded time by application or document in a local range (semantics, section 6).
///
/// Fails with `InvalidCursor`.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageRequest {
    /// Applications or documents.
    pub kind: UsageKind,
    /// Local range, end exclusive.
    pub range: DateRange,
    /// How many items are returned, most time first.
    pub limit: Limit<50, 1000>,
    /// Whether days are listed too.
    pub breakdown: Breakdown,
    /// Where the previous answer ended.
    pub cursor: Option<Cursor>,
}

impl UsageRequest {
    /// Refuses to list the days of a range of more than 31.
    ///
    /// # Errors
    /// `RangeTooLong`, naming `end_field`.
    pub fn with_days_that_fit(self, end_field: &str) -> Result<Self, Error> {
        if self.breakdown == Breakdown::Day {
            self.range.at_most_days(MAX_BREAKDOWN_DAYS, end_field)?;
        }
        Ok(self)
    }
}

/// Recorded time by application or document.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// Always `recorded`.
    pub time_basis: TimeBasis,
    /// Recorded minutes of everything in the range, whatever is listed. Authoritative.
    pub total_minutes: Minutes,
    /// The items, most time first.
    pub usage: Vec<UsageItem>,
    /// The same by local day, for the listed items, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<UsageDay>")]
    pub days: Option<Vec<UsageDay>>,
    /// Whether items were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// Recorded time of one application or document.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageItem {
    /// Display name.
    pub name: String,
    /// Colour as six hex digits without `#`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub color: Option<String>,
    /// Key, such as `chrome.exe;google chrome`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub key: Option<String>,
    /// Recorded minutes.
    pub total_minutes: Minutes,
}

/// Recorded time of one local day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageDay {
    /// Local date, `YYYY-MM-DD`.
    pub date: String,
    /// Recorded minutes of everything on that day.
    pub total_minutes: Minutes,
    /// The day's minutes of each listed item that has any, in the order of `usage`, by name.
    pub usage: Vec<NamedTotal>,
    /// For each of them, which of the listed items it is.
    #[serde(skip)]
    rows: Vec<usize>,
}

/// The parameters of `usage.sql`.
const PARAMETERS: &[Parameter] =
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("role"), Parameter::text("period")];

static USAGE: Statement = statement!(queries / "usage", PARAMETERS);

impl Question for UsageRequest {
    type Of = History;
    type Answer = Usage;

    async fn answer(self, history: &History) -> Result<Usage, Error> {
        let role = match self.kind {
            UsageKind::Applications => "applications",
            UsageKind::Documents => "documents",
        };
        let question = Self { limit: Limit::default(), cursor: None, ..self.clone() };
        let page = Page::of(&question, self.cursor)?;
        let recorded = RecordedTime::ask(history, &self.range, role, "day").await?;
        let (rows, truncation) = page.rows(recorded.items.len(), self.limit.get(), LimitedBy::Limit);
        let listed = &recorded.items[rows];
        let days = (self.breakdown == Breakdown::Day).then(|| {
            let dates: BTreeSet<_> = recorded.items.iter().flat_map(|item| item.periods.keys().copied()).collect();
            let day = |date: NaiveDateTime| {
                let used = listed.iter().enumerate().filter_map(|(row, item)| {
                    let total_minutes = minutes(*item.periods.get(&date)?);
                    Some((NamedTotal { name: item.name.clone(), total_minutes }, row))
                });
                let (usage, rows) = used.unzip();
                UsageDay {
                    date: date.date().to_string(),
                    total_minutes: minutes(recorded.items.iter().filter_map(|item| item.periods.get(&date)).sum()),
                    usage,
                    rows,
                }
            };
            dates.into_iter().map(day).collect()
        });
        Ok(Usage {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            time_basis: TimeBasis::Recorded,
            total_minutes: minutes(recorded.items.iter().map(RecordedItem::seconds).sum()),
            usage: listed
                .iter()
                .map(|item| UsageItem {
                    name: item.name.clone(),
                    color: item.color.clone(),
                    key: Some(item.key.clone()),
                    total_minutes: minutes(item.seconds()),
                })
                .collect(),
            days,
            truncation,
            diagnostics: recorded.diagnostics().with_dates(history.engine()).await?,
        })
    }
}

impl Answer for Usage {
    fn rows(&self) -> usize {
        self.usage.len()
    }

    fn keep(&mut self, rows: usize) {
        self.usage.truncate(rows);
        for day in self.days.iter_mut().flatten() {
            let kept = day.rows.partition_point(|row| *row < rows);
            day.rows.truncate(kept);
            day.usage.truncate(kept);
        }
        self.truncation.keep(rows);
    }
}

/// Recorded time of one role in a range, by key and period: what every usage answer is made of.
pub(super) struct RecordedTime {
    /// The keys, most time first.
    pub(super) items: Vec<RecordedItem>,
    /// Whether `ManicTime`'s own totals answered for a range that they do not fit.
    whole_hours_only: bool,
    /// Whether activities answered where totals should have.
    computed: bool,
    /// Whether rules keep `ManicTime`'s own totals from being used.
    withheld: bool,
    /// Until when the totals reach of the first day after whose last one activities answered.
    totals_until: Option<NaiveDateTime>,
    /// Seconds in use of devices without any application, where applications were asked for and there is none.
    unnamed_seconds: i64,
}

/// One key's recorded time.
pub(super) struct RecordedItem {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) color: Option<String>,
    /// Seconds by the local start of the period.
    pub(super) periods: BTreeMap<NaiveDateTime, i64>,
}

impl RecordedItem {
    /// Seconds in the whole range.
    pub(super) fn seconds(&self) -> i64 {
        self.periods.values().sum()
    }
}

impl RecordedTime {
    /// Asks for `role` in `range` by `period` (`hour` or `day`).
    pub(super) async fn ask(history: &History, range: &DateRange, role: &str, period: &str) -> Result<Self, Error> {
        let arguments = range.arguments().with_text("role", Some(role)).with_text("period", Some(period));
        let [rows] = ask(history.engine(), [(&USAGE, arguments)]).await?;
        let mut items: BTreeMap<String, RecordedItem> = BTreeMap::new();
        let (mut from_totals, mut computed, mut totals_until) = (false, false, None);
        for row in rows.iter() {
            let key: String = row.optional("key")?.unwrap_or_default();
            let item = match items.entry(key.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(RecordedItem {
                    name: row.optional("name")?.unwrap_or_else(|| key.clone()),
                    color: row.optional("color")?,
                    periods: BTreeMap::new(),
                    key,
                }),
            };
            *item.periods.entry(row.required("period")?).or_default() += row.required::<i64>("seconds")?;
            from_totals |= row.required::<bool>("from_totals")?;
            computed |= row.required::<bool>("computed")?;
            totals_until = totals_until.into_iter().chain(row.optional("totals_until")?).min();
        }
        let mut items: Vec<_> = items.into_values().collect();
        items.sort_by(|a, b| b.seconds().cmp(&a.seconds()).then_with(|| a.name.cmp(&b.name)));
        let unnamed_seconds = match role {
            "applications" if items.is_empty() => active_time::unnamed_seconds(history.engine(), range).await?,
            _ => 0,
        };
        Ok(Self {
            items,
            whole_hours_only: from_totals && !range.is_on_whole_hours(),
            computed,
            withheld: !history.source().privacy().tells_hourly_totals(role),
            totals_until,
            unnamed_seconds,
        })
    }

    /// Whether `ManicTime`'s own totals answered, and whether there was anything.
    pub(super) fn diagnostics(&self) -> Diagnostics {
        if self.whole_hours_only {
            Diagnostics::degraded(ReasonCode::WholeHoursOnly)
        } else if self.computed && self.withheld {
            Diagnostics::computed_under_rules()
        } else if self.computed {
            Diagnostics::degraded(ReasonCode::FallbackComputation)
        } else if let Some(until) = self.totals_until {
            Diagnostics::beyond_totals(until)
        } else if self.unnamed_seconds > 0 {
            Diagnostics::without_applications(self.unnamed_seconds)
        } else {
            Diagnostics::of_rows(self.items.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(name: &str) -> NamedTotal {
        NamedTotal { name: name.to_owned(), total_minutes: minutes(60) }
    }

    /// Two applications may have one name, so days tell them apart by their place in the list.
    #[test]
    fn days_list_the_items_that_are_kept_and_no_other() {
        let item =
            |name: &str| UsageItem { name: name.to_owned(), color: None, key: None, total_minutes: minutes(120) };
        let day = |names: &[&str], rows: &[usize]| UsageDay {
            date: "2025-01-15".to_owned(),
            total_minutes: minutes(540),
            usage: names.iter().copied().map(total).collect(),
            rows: rows.to_vec(),
        };
        let mut usage = Usage {
            start_date: "2025-01-15".to_owned(),
            end_date: "2025-01-17".to_owned(),
            time_basis: TimeBasis::Recorded,
            total_minutes: minutes(1080),
            usage: ["Mail", "Editor", "Mail"].map(item).to_vec(),
            days: Some(vec![day(&["Mail", "Editor", "Mail"], &[0, 1, 2]), day(&["Mail"], &[2])]),
            truncation: Truncation::of(3, 3),
            diagnostics: Diagnostics::healthy(),
        };
        usage.keep(2);
        let days = usage.days.unwrap();
        assert_eq!(
            (days[0].usage.as_slice(), days[1].usage.as_slice()),
            ([total("Mail"), total("Editor")].as_slice(), [].as_slice())
        );
        assert!(days.iter().all(|day| day.total_minutes == minutes(540)), "a day's total stays");
        assert_eq!((usage.usage.len(), usage.truncation.returned_count), (2, 2));
    }
}
