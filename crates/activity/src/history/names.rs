//! The names that were used recently, to complete the name that a user types.

use chrono::Days;
use schemars::JsonSchema;
use serde::Serialize;

use super::HistoryBoundsRequest;
use dayledger_core::local_days::LocalDays;
use dayledger_engine::{Engine, Parameter, Statement, statement};
use dayledger_request::{DateRange, Error, Request, run_statements};
use dayledger_source::{HIDDEN, REDACTED};

/// The number of days whose names are read, counted back from the last day with data. A longer range would be too slow
/// for a request that is sent while the user types.
const RECENT_DAYS: u64 = 31;

/// Requests the names of applications, websites and tags of the last 31 days with data, and the projects of the rules.
/// Hidden and redacted names are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentNamesRequest {
    /// The text that a name must contain, ignoring case.
    pub search_text: String,
}

/// Names, the ones that were used last first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecentNames {
    /// The names, each of them once.
    pub names: Vec<String>,
}

static RECENT_NAMES: Statement = statement!(
    queries / "recent_names",
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("search_text")]
);

impl Request for RecentNamesRequest {
    type Service = Engine;
    type Response = RecentNames;

    async fn execute(self, engine: &Engine) -> Result<RecentNames, Error> {
        let Some((_, last)) = HistoryBoundsRequest.execute(engine).await?.days() else {
            return Ok(RecentNames::default());
        };
        let first = last.checked_sub_days(Days::new(RECENT_DAYS - 1)).unwrap_or(last);
        let days = LocalDays::current();
        let range = DateRange::new(days.start_of(first), days.end_of(last), "startDate")?;
        let arguments = range.arguments().with_text("search_text", Some(&self.search_text));
        let [rows] = run_statements(engine, [(&RECENT_NAMES, arguments)]).await?;
        let names = rows.read(|row| row.get::<String>("name"))?;
        let is_shown = |name: &String| ![HIDDEN, REDACTED, ""].contains(&name.as_str());
        Ok(RecentNames { names: names.into_iter().filter(is_shown).collect() })
    }
}
