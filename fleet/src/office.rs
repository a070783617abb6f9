//! What an assistant may ask of all together, as tools of an MCP server.
//!
//! **Owns** the tool that tells hours, and which tools there are. **Does not own** what the hours are (`hours`), nor how a tool
//! is called (`dayledger::mcp`).
//!
//! Invariant: nothing of a single person is told unless who started the server said so; titles, notes, addresses and paths
//! never are, for no export that has them is served.

use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dayledger::activity::{QueryAnswer, QueryRequest};
use dayledger::code::{Code, TIMED_OUT};
use dayledger::engine::{Engine, Progress};
use dayledger::mcp::{About, DataTool, DescribeModel, Desk, Entry, Lane, RunQuery, ServeError, serve_tools_stdio};
use dayledger::question::{DateRange, Error, Limit, Question, Room};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::hours::{By, statement};
use crate::members::Members;
use crate::record::Record;
use crate::team::{self, Team};
use crate::workers::Workers;

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
/// The exports cannot be asked. Why would tell of single persons.
const NOT_ANSWERED: Code = Code::new("NOT_ANSWERED", "The exports of all cannot answer the question.");

/// Who may be asked of by an assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persons {
    /// All together, and no fewer than some.
    Together,
    /// Each of them, in SQL.
    Each,
}

/// Answers for all persons, who they are at each question. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Office {
    folder: Arc<Path>,
    workers: Option<Workers>,
    record: Record,
    least: NonZeroU16,
    /// Those who were there last.
    present: Arc<Mutex<Option<Present>>>,
    progress: Progress,
}

/// Some persons with what is known of their exports, and the engine over them.
#[derive(Debug)]
struct Present {
    members: Members,
    engine: Engine,
}

/// The office as it is for one question.
#[derive(Debug)]
pub struct Sitting {
    engine: Engine,
    record: Record,
    least: NonZeroU16,
}

impl Office {
    /// An office over the exports in `folder`, asked by `workers` where there are any, which keeps what it is asked in `record`
    /// and tells no hours of fewer persons than `least`.
    ///
    /// # Errors
    /// A folder with fewer persons, or with an export that has titles or cannot be read.
    pub fn open(
        folder: &Path,
        workers: Option<Workers>,
        record: Record,
        least: NonZeroU16,
    ) -> Result<Self, team::Error> {
        let (present, progress) = (Arc::default(), Progress::default());
        let office = Self { folder: folder.into(), workers, record, least, present, progress };
        office.sitting()?;
        Ok(office)
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

    fn sitting(&self) -> Result<Sitting, team::Error> {
        let team = Team::open(&self.folder)?.of_at_least(self.least)?.without_titles()?;
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = match present.take() {
            Some(same) if same.members == *team.members() => same.engine,
            _ => match &self.workers {
                Some(workers) => team.engine_with(workers.clone())?,
                None => team.engine()?,
            },
        };
        *present = Some(Present { members: team.members().clone(), engine: engine.clone() });
        drop(present);
        Ok(Sitting { engine: engine.watched_by(&self.progress), record: self.record.clone(), least: self.least })
    }
}

impl Desk for Office {
    type House = Sitting;

    async fn respond<Q: Question<Of: Room<Sitting>> + 'static>(&self, question: Q) -> Result<Q::Answer, Error> {
        let office = self.clone();
        let sitting = tokio::task::spawn_blocking(move || office.sitting()).await;
        let sitting = sitting.ok().and_then(Result::ok).ok_or_else(not_answered)?;
        question.answer(Q::Of::of(&sitting)).await
    }

    fn watched_by(&self, progress: &Progress) -> Self {
        Self { progress: progress.clone(), ..self.clone() }
    }
}

impl Room<Self> for Sitting {
    fn of(sitting: &Self) -> &Self {
        sitting
    }
}

impl Room<Sitting> for Engine {
    fn of(sitting: &Sitting) -> &Self {
        &sitting.engine
    }
}

fn not_answered() -> Error {
    Error::new(
        NOT_ANSWERED,
        "the exports of all cannot answer this",
        "ask for days that all of them hold; who runs the server sees why with `dayledger-fleet hours`, or by starting it again",
    )
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
    type Of = Sitting;
    type Answer = QueryAnswer;

    async fn answer(self, sitting: &Sitting) -> Result<QueryAnswer, Error> {
        let kept = sitting.record.keep(&self.range, self.by, sitting.least);
        kept.map_err(|_| Error::new(NOT_KEPT, "what was asked could not be kept", "tell who runs the server"))?;
        let sql = statement(&self.range, self.by, sitting.least);
        let asked = QueryRequest { sql, max_rows: Limit::parse(Some(1000), "maxRows")? };
        // An error would tell whose export it is of, and from when on she has one.
        asked
            .answer(&sitting.engine)
            .await
            .map_err(|error| if error.code == TIMED_OUT { error } else { not_answered() })
    }
}

impl DataTool for GetTeamHours {
    const NAME: &'static str = "get_team_hours";
    const TITLE: &'static str = "Hours of all";
    const DESCRIPTION: &'static str = "How many hours all persons together were active (computer in use) in a range, by \
                                       application, day or week, or in all, with how many persons each row is of. What few \
                                       persons did is one row, (others). Two devices used at once count in the applications \
                                       of both, and once by day, week or all.";
    const LANE: Lane = Lane::Statements;
    type Parameters = Parameters;
    type Question = HoursRequest;

    fn question(parameters: Parameters) -> Result<HoursRequest, Error> {
        let Parameters { start_date, end_date, by } = parameters;
        Ok(HoursRequest { range: DateRange::parse(&start_date, end_date.as_deref(), ("startDate", "endDate"))?, by })
    }
}
