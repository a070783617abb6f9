//! Several days at a glance (semantics, section 6).

use std::collections::BTreeMap;

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime};
use schemars::JsonSchema;
use serde::Serialize;

use super::active_time::{self, Circumstances, Kept, RecordedDays, Tops};
use super::tagged::{self, TaggedTime};
use super::{ApplicationTotal, Diagnostics, NamedTotal, TimeBasis, devices};
use crate::engine::{Arguments, Engine, Statement, statement};
use crate::question::{Answer, Answers, Batch, DateRange, Error, Minutes, Question, Slot, Truncation, iso, minutes};

/// The longest period that one summary covers, in days (contract, `get_period_summary`).
pub const MAX_PERIOD_DAYS: i64 = 31;

/// Asks for days, tops and weekday pattern of up to 31 local days, as active time (semantics, section 6).
///
/// Fails with `UnknownDevice` where the history does not hold the device.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodSummaryRequest {
    /// Local range, end exclusive, at most 31 days.
    pub range: DateRange,
    /// Only this device (its display name).
    pub device: Option<String>,
}

/// The days of a period and what they add up to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodSummary {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// `active`; `recorded` only where activities are no longer kept.
    pub time_basis: TimeBasis,
    /// Active minutes of the whole period. Authoritative: the days add up to it before rounding.
    pub total_active_minutes: Minutes,
    /// One entry per day with activity, in order of date.
    pub days: Vec<PeriodDay>,
    /// Tops and averages over the period.
    pub aggregate: PeriodAggregate,
    /// How the time spreads over the week.
    pub patterns: PeriodPatterns,
    /// Whether days were left out.
    pub truncation: Truncation,
    /// Whether the answer is degraded.
    pub diagnostics: Diagnostics,
}

/// One local day with activity.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodDay {
    /// Local date, `YYYY-MM-DD`.
    pub date: String,
    /// Active minutes of the day, each minute counted once over all devices.
    pub total_active_minutes: Minutes,
    /// The application with the most active time.
    pub top_app: String,
    /// Local start of the day's first piece; absent for recorded time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub first_activity: Option<String>,
    /// Local end of the day's last piece; absent for recorded time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub last_activity: Option<String>,
}

/// Tops and averages over a period.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodAggregate {
    /// How the active time is tagged, where any of it is.
    #[serde(flatten)]
    pub tagged: Option<TaggedTime>,
    /// Applications with the most time.
    pub top_apps: Vec<ApplicationTotal>,
    /// Websites with the most time.
    pub top_websites: Vec<NamedTotal>,
    /// How many applications there are, where `topApps` holds fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub top_apps_available: Option<usize>,
    /// How many websites there are, where `topWebsites` holds fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub top_websites_available: Option<usize>,
    /// Average over the days with activity.
    pub avg_daily_minutes: Minutes,
    /// The day with the most time, earliest on a tie.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub busiest_day: Option<String>,
    /// The day with activity that has the least time, earliest on a tie.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub quietest_day: Option<String>,
}

/// How a period's time spreads.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PeriodPatterns {
    /// One entry for every weekday that occurs in the range, idle ones with 0.0.
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

/// How many statements a summary asks.
const STATEMENTS: usize = 7;

/// One day as exact seconds, before anything is rounded.
struct Day {
    date: NaiveDate,
    seconds: i64,
    top_app: String,
    first_activity: Option<NaiveDateTime>,
    last_activity: Option<NaiveDateTime>,
}

impl Question for PeriodSummaryRequest {
    type Of = Engine;
    type Answer = PeriodSummary;

    async fn answer(self, engine: &Engine) -> Result<PeriodSummary, Error> {
        let mut batch = Batch::default();
        let asked = self.statements().map(|statement| batch.add(statement));
        let answers = batch.ask(engine).await?;
        self.read(engine, &answers, asked).await
    }
}

impl PeriodSummaryRequest {
    /// What is asked for the summary, also beside what a larger question asks.
    pub(super) fn statements(&self) -> [(&'static Statement, Arguments); STATEMENTS] {
        let arguments = self.arguments();
        [
            (&DAYS, arguments.clone()),
            active_time::top_applications(&arguments),
            active_time::top_websites(&arguments),
            active_time::circumstances(&arguments),
            active_time::first_kept(self.device.as_deref()),
            devices::statement(),
            tagged::statement(&arguments),
        ]
    }

    /// Makes the summary of what [`PeriodSummaryRequest::statements`] were answered.
    pub(super) async fn read(
        &self,
        engine: &Engine,
        answers: &Answers,
        asked: [Slot; STATEMENTS],
    ) -> Result<PeriodSummary, Error> {
        let [days, applications, websites, circumstances, first_kept, known_devices, tagged] = asked;
        devices::check(answers.of(known_devices)?, self.device.as_deref())?;
        let circumstances = Circumstances::of(answers.of(circumstances)?, answers.of(first_kept)?)?;
        let kept = circumstances.kept(engine, &self.range, &self.arguments()).await?;
        if let Kept::OnlyTotals(recorded) = kept {
            let days = recorded.days.into_iter().map(|(date, day)| Day {
                date,
                seconds: day.seconds,
                top_app: day.top_application,
                first_activity: None,
                last_activity: None,
            });
            let tops = (recorded.top_applications, recorded.top_websites);
            let diagnostics = RecordedDays::diagnostics(&self.range);
            let days: Vec<_> = days.collect();
            let total = days.iter().map(|day| day.seconds).sum();
            return Ok(self.summary(TimeBasis::Recorded, total, &days, (tops, None), diagnostics));
        }
        let (mut days_with_activity, mut total) = (Vec::new(), 0);
        for row in answers.of(days)?.iter() {
            let seconds = row.required("active_seconds")?;
            // The row without date is the whole period.
            let Some(date) = row.optional("date")? else {
                total = seconds;
                continue;
            };
            days_with_activity.push(Day {
                date,
                seconds,
                top_app: row.optional("top_application")?.unwrap_or_default(),
                first_activity: row.optional("first_activity")?,
                last_activity: row.optional("last_activity")?,
            });
        }
        let tops = (
            active_time::application_totals(answers.of(applications)?)?,
            active_time::website_totals(answers.of(websites)?)?,
        );
        let tagged = TaggedTime::of(answers.of(tagged)?, total)?;
        let diagnostics = circumstances.diagnostics(&kept).with_dates(engine).await?;
        Ok(self.summary(TimeBasis::Active, total, &days_with_activity, (tops, tagged), diagnostics))
    }

    fn arguments(&self) -> Arguments {
        self.range.arguments().with_text("device", self.device.as_deref())
    }

    /// `total` is what the period holds, a minute once: devices in two time zones can have one minute on two days, each of
    /// which counts it. Weekdays and the average are those of the days (semantics, sections 3 and 6).
    fn summary(
        &self,
        time_basis: TimeBasis,
        total: i64,
        days: &[Day],
        ((top_apps, top_websites), tagged): ((Tops<ApplicationTotal>, Tops<NamedTotal>), Option<TaggedTime>),
        diagnostics: Diagnostics,
    ) -> PeriodSummary {
        let of_days = days.iter().map(|day| day.seconds).sum();
        let count = i64::try_from(days.len()).unwrap_or(i64::MAX);
        let busiest = days.iter().rev().max_by_key(|day| day.seconds);
        let quietest = days.iter().min_by_key(|day| day.seconds);
        PeriodSummary {
            start_date: self.range.start_text(),
            end_date: self.range.end_text(),
            time_basis,
            total_active_minutes: minutes(total),
            aggregate: PeriodAggregate {
                tagged,
                top_apps_available: top_apps.available,
                top_websites_available: top_websites.available,
                top_apps: top_apps.listed,
                top_websites: top_websites.listed,
                avg_daily_minutes: average(of_days, count),
                busiest_day: busiest.map(|day| day.date.to_string()),
                quietest_day: quietest.map(|day| day.date.to_string()),
            },
            patterns: PeriodPatterns { day_of_week_distribution: self.weekdays(days) },
            truncation: Truncation::of(days.len(), days.len()),
            diagnostics,
            days: days
                .iter()
                .map(|day| PeriodDay {
                    date: day.date.to_string(),
                    total_active_minutes: minutes(day.seconds),
                    top_app: day.top_app.clone(),
                    first_activity: day.first_activity.map(iso),
                    last_activity: day.last_activity.map(iso),
                })
                .collect(),
        }
    }

    fn weekdays(&self, days: &[Day]) -> Vec<WeekdayTotal> {
        let mut seconds = BTreeMap::new();
        let mut date = self.range.start().date();
        while date.and_time(NaiveTime::MIN) < self.range.end() && seconds.len() < 7 {
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

impl Answer for PeriodSummary {
    fn rows(&self) -> usize {
        self.days.len()
    }

    fn keep(&mut self, rows: usize) {
        self.days.truncate(rows);
        self.truncation.keep(rows);
    }
}

/// 0 = Sunday ... 6 = Saturday.
fn weekday(date: NaiveDate) -> u8 {
    u8::try_from(date.weekday().num_days_from_sunday()).unwrap_or_default()
}

/// The average of `count` days, fractions of seconds dropped: minutes and their tenths begin at whole seconds, so that they
/// are the same as those of the exact average.
fn average(seconds: i64, count: i64) -> Minutes {
    minutes(seconds.checked_div(count).unwrap_or_default())
}
