//! What an assistant may ask of all together, as tools of an MCP server.
//!
//! **Owns** the tool that tells hours, and which tools there are. **Does not own** what the hours are (`hours`), nor how a tool
//! is called (`dayledger::mcp`).
//!
//! Invariant: nothing of a single person is told unless who started the server said so; titles, notes, addresses and paths
//! never are, for no export that has them is served.

use std::num::NonZeroU16;

use dayledger::activity::{QueryAnswer, QueryRequest};
use dayledger::code::Code;
use dayledger::engine::{Engine, Progress};
use dayledger::mcp::{About, DataTool, DescribeModel, Desk, Entry, Lane, RunQuery, ServeError, serve_tools_stdio};
use dayledger::question::{DateRange, Error, Limit, Question, Room};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::hours::{By, statement};
use crate::record::Record;

/// What a model reads before its first call.
const OF_ALL: About = About {
    name: "dayledger-fleet",
    title: "dayledger: what did we do?",
    instructions: "Answers what many people did together, from exports of their ManicTime histories. get_team_hours tells \
                   active hours (computer in use) and nothing of few persons. Dates are local, ends exclusive: startDate \
                   2025-01-15 alone is that day, 2025-W03 that week; last week and 2025-01 work too. Rows add up to the \
                   whole.",
};
/// The same where single persons may be asked.
const OF_EACH: About = About {
    instructions: "Answers what people did, from exports of their ManicTime histories. get_team_hours tells active hours \
                   (computer in use) of all together. query asks in SQL, with the column person in every table and table \
                   function; call describe_model first. A minute of two persons is two minutes: group by person before \
                   union_seconds. Dates are local, ends exclusive; never mix active and recorded time.",
    ..OF_ALL
};
/// The question could not be kept.
const NOT_KEPT: Code = Code::new("NOT_KEPT", "What was asked could not be kept, so it is not answered.");

/// Who may be asked of by an assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persons {
    /// All together, and no fewer than some.
    Together,
    /// Each of them, in SQL.
    Each,
}

/// Answers for all persons. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Office {
    engine: Engine,
    record: Record,
    least: NonZeroU16,
}

impl Office {
    /// An office over all persons of `engine`, which keeps what it is asked in `record` and tells no hours of fewer persons
    /// than `least`.
    pub fn new(engine: Engine, record: Record, least: NonZeroU16) -> Self {
        Self { engine, record, least }
    }

    /// Answers an assistant on standard input and output until the input ends.
    ///
    /// # Errors
    /// Where the client does not speak MCP or the connection breaks.
    pub async fn serve(self, persons: Persons) -> Result<(), ServeError> {
        let hours = Entry::of::<GetTeamHours>();
        let (about, tools) = match persons {
            Persons::Together => (OF_ALL, vec![hours]),
            Persons::Each => (OF_EACH, vec![hours, Entry::of::<DescribeModel>(), Entry::of::<RunQuery>()]),
        };
        serve_tools_stdio(about, self, tools).await
    }
}

impl Desk for Office {
    type House = Self;

    async fn respond<Q: Question<Of: Room<Self>> + 'static>(&self, question: Q) -> Result<Q::Answer, Error> {
        question.answer(Q::Of::of(self)).await
    }

    fn watched_by(&self, progress: &Progress) -> Self {
        Self { engine: self.engine.watched_by(progress), ..self.clone() }
    }
}

impl Room<Office> for Office {
    fn of(office: &Office) -> &Self {
        office
    }
}

impl Room<Office> for Engine {
    fn of(office: &Office) -> &Self {
        &office.engine
    }
}

/// Tells the hours of all together.
struct GetTeamHours;

/// Days, and what a row is of.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Parameters {
    /// `2025-01-15`, today, last week, last 7 days, 2025-W03 or 2025-01.
    start_date: String,
    /// Exclusive; by default where startDate ends.
    #[serde(default)]
    #[schemars(with = "String")]
    end_date: Option<String>,
    /// What a row is of.
    #[serde(default)]
    by: By,
}

/// What is asked of all together.
struct HoursRequest {
    range: DateRange,
    by: By,
}

impl Question for HoursRequest {
    type Of = Office;
    type Answer = QueryAnswer;

    async fn answer(self, office: &Office) -> Result<QueryAnswer, Error> {
        let kept = office.record.keep(&self.range, self.by, office.least);
        kept.map_err(|error| Error::new(NOT_KEPT, error.to_string(), error.hint()))?;
        let sql = statement(&self.range, self.by, office.least);
        QueryRequest { sql, max_rows: Limit::parse(Some(1000), "maxRows")? }.answer(&office.engine).await
    }
}

impl DataTool for GetTeamHours {
    const NAME: &'static str = "get_team_hours";
    const TITLE: &'static str = "Hours of all";
    const DESCRIPTION: &'static str = "How many hours all persons together were active (computer in use) in a range, by \
                                       application, day or week, or in all, with how many persons each row is of. What few \
                                       persons did is one row, (others); rows add up to the whole.";
    const LANE: Lane = Lane::Statements;
    type Parameters = Parameters;
    type Question = HoursRequest;

    fn question(parameters: Parameters) -> Result<HoursRequest, Error> {
        let Parameters { start_date, end_date, by } = parameters;
        Ok(HoursRequest { range: DateRange::parse(&start_date, end_date.as_deref(), ("startDate", "endDate"))?, by })
    }
}
