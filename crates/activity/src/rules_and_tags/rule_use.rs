//! Active time that each of the user's rules matches, and time that no rule matches (docs/spec/time.md#rules).

use std::collections::HashMap;

use chrono::Days;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::proposals::{RuleProposal, WORDS, WordTime};
use super::unmatched::{UNMATCHED, UnmatchedWork, is_hidden};
use crate::devices::RANGE;
use crate::time::active_time::{CONTEXT, RangeContext, RecordedDays, Retention};
use crate::{Diagnostics, Filter, HistoryBoundsRequest, TimeBasis};
use dayledger_engine as engine;
use dayledger_engine::{Engine, Rows, Statement, local_today, statement};
use dayledger_request::{Batch, DateRange, Error, Minutes, Request, minutes};
use dayledger_source::Privacy;

static RULES: Statement = statement!(queries / "rules", RANGE);
static COVERAGE: Statement = statement!(queries / "rule_coverage", RANGE);
static EXAMPLES: Statement = statement!(queries / "rule_examples", RANGE);

/// The number of days in the default range, which ends with the last day of the history.
const DAYS: u64 = 30;
/// The maximum number of examples for a rule.
const MAX_EXAMPLES: usize = 3;

/// Requests the time that each rule matches, the time with neither a rule nor a tag, and proposed rules. A rule can
/// lose all the time that it matches to earlier rules. In this case, the response contains the earlier rule that takes
/// most of this time.
#[derive(Debug, Clone)]
pub struct RuleUseRequest {
    /// Local range, end exclusive. `None` for the last 30 days of the history.
    pub range: Option<DateRange>,
    /// Applications and sites that examples and proposals must not show. Their time still counts.
    pub hidden: Privacy,
}

/// The time that the rules of a user match.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleUse {
    /// Start of the range, local, inclusive.
    pub start_date: String,
    /// End of the range, local, exclusive.
    pub end_date: String,
    /// `active`, or `active+calls` if calls count.
    pub time_basis: TimeBasis,
    /// Active time by tags and rules.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// The rules, in order of precedence.
    pub rules: Vec<RuleTotal>,
    /// Time that has neither a rule nor a tag, by application, most first, at most 50.
    pub unmatched: Vec<UnmatchedWork>,
    /// Rules that would match the time in `unmatched`, most time first, at most 20.
    pub proposals: Vec<RuleProposal>,
    /// Whether the response is degraded, and why.
    pub diagnostics: Diagnostics,
}

/// Active time with tags, with rules, or with neither. Each minute counts once.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Active minutes of the range: before rounding, the sum of the other three fields.
    pub total_active_minutes: Minutes,
    /// Minutes with a tag. Tags take precedence over rules.
    pub tagged_minutes: Minutes,
    /// Minutes with a rule and without a tag.
    pub ruled_minutes: Minutes,
    /// Minutes with neither a tag nor a rule.
    pub unmatched_minutes: Minutes,
}

/// A rule with the time that it matches.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleTotal {
    /// Position among the rules, from 1.
    pub number: i64,
    /// Name of the rule.
    pub rule: String,
    /// The category that the rule sets.
    pub category: Option<String>,
    /// The project that the rule sets.
    pub project: Option<String>,
    /// The task that the rule sets.
    pub task: Option<String>,
    /// `true` if the rule marks calls, `false` if it excludes calls. Absent for other rules.
    pub call: Option<bool>,
    /// Minutes of calls that this rule marks, and that count although the device is away.
    pub call_minutes: Minutes,
    /// Active minutes that this rule decides, tagged or not.
    pub total_minutes: Minutes,
    /// Present if earlier rules decide all the time that this rule matches: the number of the rule that decides most of
    /// that time.
    pub shadowed_by: Option<i64>,
    /// Examples with the most time, at most 3.
    pub examples: Vec<RuleExample>,
}

/// An example of matched time.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleExample {
    /// The application.
    pub application: String,
    /// The linked site or file, otherwise the title.
    pub detail: Option<String>,
}

impl RuleTotal {
    /// Returns whether the rule sets a category or project, rather than only marking calls.
    pub fn assigns_work(&self) -> bool {
        self.category.is_some() || self.project.is_some()
    }
}

impl Request for RuleUseRequest {
    type Service = Engine;
    type Response = RuleUse;

    async fn execute(self, engine: &Engine) -> Result<RuleUse, Error> {
        let range = match self.range {
            Some(range) => range,
            None => last_days(engine).await?,
        };
        let arguments = range.arguments();
        let of_all = arguments.clone().with_text("device", None);
        let mut batch = Batch::default();
        let [rules, coverage, examples, applications, words] = [&RULES, &COVERAGE, &EXAMPLES, &UNMATCHED, &WORDS]
            .map(|statement| batch.add((statement, arguments.clone())));
        let context = batch.add((&CONTEXT, of_all.clone()));
        let results = batch.run(engine).await?;

        let context = RangeContext::from_rows(results.rows(context)?)?;
        let diagnostics = match context.retention(engine, &range, &of_all).await? {
            Retention::OnlyTotals(_) => RecordedDays::diagnostics(&range, &Filter::default()),
            kept => context.diagnostics(&kept).with_dates(engine, &range).await?,
        };
        let examples = read_examples(results.rows(examples)?, &self.hidden)?;
        let rules = results.rows(rules)?.read(|row| {
            let number = row.get("number")?;
            Ok(RuleTotal {
                number,
                rule: row.get("rule")?,
                category: row.get_optional("category")?,
                project: row.get_optional("project")?,
                task: row.get_optional("task")?,
                call: row.get_optional("call")?,
                call_minutes: minutes(row.get("call_seconds")?),
                total_minutes: minutes(row.get("seconds")?),
                shadowed_by: row.get_optional("shadowed_by")?,
                examples: examples.get(&number).cloned().unwrap_or_default(),
            })
        })?;
        let words = WordTime::read(results.rows(words)?, &self.hidden)?;
        Ok(RuleUse {
            start_date: range.start_text(),
            end_date: range.end_text(),
            time_basis: context.time_basis(),
            coverage: Coverage::from_rows(results.rows(coverage)?)?,
            rules,
            unmatched: UnmatchedWork::from_rows(results.rows(applications)?, &words, &self.hidden)?,
            proposals: RuleProposal::from_words(&words),
            diagnostics,
        })
    }
}

/// Returns the last [`DAYS`] days up to the last day with data, or up to today for an empty history.
async fn last_days(engine: &Engine) -> Result<DateRange, Error> {
    let days = HistoryBoundsRequest.execute(engine).await?.days();
    let last = days.map_or_else(local_today, |(_, last)| last);
    let first = last.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(last);
    DateRange::new(DateRange::day(first).start(), DateRange::day(last).end(), "--to")
}

/// Reads the first examples of each rule, without hidden applications and sites.
fn read_examples(rows: &Rows, hidden: &Privacy) -> Result<HashMap<i64, Vec<RuleExample>>, engine::Error> {
    let mut examples: HashMap<i64, Vec<RuleExample>> = HashMap::new();
    let hides_sites = hidden.summary().site_rules > 0;
    for row in rows.iter() {
        let (application, key) = (row.get_optional::<String>("application")?, row.get_optional::<String>("key")?);
        let (application, detail) = (application.unwrap_or_default(), row.get_optional::<String>("detail")?);
        let is_title: bool = row.get("is_title")?;
        if is_hidden(hidden, &application, key.as_deref(), detail.as_deref()) {
            continue;
        }
        // A window title can contain the name of a hidden site.
        let detail = detail.filter(|detail| !detail.is_empty()).filter(|_| !hides_sites || !is_title);
        let of_rule = examples.entry(row.get("rule_number")?).or_default();
        let example = RuleExample { application, detail };
        if of_rule.len() < MAX_EXAMPLES && !of_rule.contains(&example) {
            of_rule.push(example);
        }
    }
    Ok(examples)
}

impl Coverage {
    fn from_rows(rows: &Rows) -> Result<Self, engine::Error> {
        let row = rows.first()?;
        let seconds = |column| Ok::<i64, engine::Error>(row.get_optional(column)?.unwrap_or_default());
        let (active, tagged, covered) = (seconds("active")?, seconds("tagged")?, seconds("covered")?);
        Ok(Self {
            total_active_minutes: minutes(active),
            tagged_minutes: minutes(tagged),
            ruled_minutes: minutes(covered - tagged),
            unmatched_minutes: minutes(active - covered),
        })
    }
}
