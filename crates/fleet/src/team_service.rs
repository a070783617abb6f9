//! The MCP server for a team.
//!
//! This module defines the tool for team hours, and lists the tools of the server. The module `hours` computes hours,
//! the module `coverage` selects people, and the crate `dayledger-mcp` calls tools.
//!
//! Invariant: data about individual people is returned only if the operator enables it. Titles, notes, URLs and paths
//! are never returned, because exports that contain them aren't read. A response contains the number of excluded people
//! and the reasons, but not the names of these people.

use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use dayledger_activity::{QueryRequest, QueryResponse};
use dayledger_core::code::{Code, TIMED_OUT};
use dayledger_engine::Engine;
use dayledger_mcp::{
    Caller, DataTool, DescribeModel, Lane, RequestHandler, RunQuery, ServeError, ServerIdentity, ToolEntry,
    serve_tools_stdio,
};
use dayledger_request::{DateRange, Error, Limit, Request, Truncate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::audit_log::AuditLog;
use crate::coverage::{Coverage, CoverageError, Gaps, QueryScope};
use crate::exports::Problem;
use crate::hours::GroupBy;
use crate::members::{Members, Titles};
use crate::statements::Statements;
use crate::team::{self, Team};

/// The server's instructions for a model that can only get team totals.
const TEAM_IDENTITY: ServerIdentity = ServerIdentity {
    name: "dayledger-fleet",
    title: "dayledger: what did we do?",
    instructions: "Answers questions about a team's time, from exports of its members' ManicTime histories. \
                   get_team_hours returns active hours (computer in use), never of small groups. Dates are whole local \
                   days, ends exclusive: startDate 2025-01-15 alone is that day, 2025-W03 that week; last week and \
                   2025-01 work too. Rows add up to the total.",
};
/// The server's instructions for a model that can also query individual people.
const PEOPLE_IDENTITY: ServerIdentity = ServerIdentity {
    instructions: "Answers questions about people's time, from exports of their ManicTime histories. get_team_hours \
                   returns active hours (computer in use) of all people together. query runs SQL, with the column \
                   person in every table and table function; call describe_model first. Each person's minutes count \
                   separately: group by person before union_seconds. Dates are local, ends exclusive; never mix active \
                   and recorded time.",
    ..TEAM_IDENTITY
};
/// The error code for a request that could not be logged.
const NOT_KEPT: Code = Code::new("NOT_KEPT", "The audit log could not be written, so the query did not run.");
/// The error code for exports that can't be queried. The reason isn't returned, because it would be about an individual
/// person.
const NOT_ANSWERED: Code = Code::new("NOT_ANSWERED", "The exports cannot answer the query.");

/// The data about people that an assistant can get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonAccess {
    /// Only totals that cover a minimum number of people.
    Together,
    /// Also data about individual people, with SQL.
    Each,
}

/// Handles requests about a team. Each request reads the current exports. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct TeamService {
    folder: Arc<Path>,
    statements: Statements,
    record: AuditLog,
    min_people: NonZeroU16,
    gaps: Gaps,
    /// The engine of the last request, which is reused if the exports are unchanged.
    cached: Arc<Mutex<Option<CachedEngine>>>,
}

/// An engine, and the members whose exports it reads.
#[derive(Debug)]
struct CachedEngine {
    members: Members,
    engine: Engine,
}

/// The service for a single request, with the exports at the time of the request.
#[derive(Debug)]
pub struct TeamQuery {
    engine: Engine,
    record: AuditLog,
    min_people: NonZeroU16,
    gaps: Gaps,
    coverage: Coverage,
}

impl TeamService {
    /// Opens a service over the exports in `folder`. It runs statements with `statements`, logs requests in `record`,
    /// and hides hours of fewer than `min_people` people. If an export has titles or can't be used, `gaps` determines
    /// whether it is left out or causes an error.
    ///
    /// # Errors
    /// Fails if too few exports can be used. If gaps are refused, also fails if an export can't be used.
    pub fn open(
        folder: &Path,
        statements: Statements,
        record: AuditLog,
        min_people: NonZeroU16,
        gaps: Gaps,
    ) -> Result<Self, team::Error> {
        let service = Self { folder: folder.into(), statements, record, min_people, gaps, cached: Arc::default() };
        service.team_query()?;
        Ok(service)
    }

    /// Serves an assistant on standard input and output until the input ends.
    ///
    /// # Errors
    /// Fails if the client doesn't use MCP, or if the connection breaks.
    pub async fn serve(self, persons: PersonAccess) -> Result<(), ServeError> {
        let hours = ToolEntry::new::<GetTeamHours>();
        let (about, tools) = match persons {
            PersonAccess::Together => (TEAM_IDENTITY, vec![hours]),
            PersonAccess::Each => {
                (PEOPLE_IDENTITY, vec![hours, ToolEntry::new::<DescribeModel>(), ToolEntry::new::<RunQuery>()])
            }
        };
        serve_tools_stdio(about, self, tools).await
    }

    /// Returns the team with the current exports.
    ///
    /// # Errors
    /// Fails if too few exports can be used. If gaps are refused, also fails if an export can't be used.
    fn team(&self) -> Result<Team, team::Error> {
        let (mut team, least) = (Team::open(&self.folder)?.without_titles(), usize::from(self.min_people.get()));
        let persons = if self.gaps == Gaps::Refused {
            team = team.require_complete()?.require_no_titles()?;
            team.members.len()
        } else {
            let usable = |titles| team.exports.iter().filter(|export| export.ranges(titles).is_ok()).count();
            let persons = usable(Titles::Refused);
            // If there would be enough people without the ban on titles, the error is about the titles.
            if persons < least && usable(Titles::Allowed) >= least {
                team = team.require_no_titles()?;
            }
            persons
        };
        if persons >= least {
            return Ok(team);
        }
        Err(team::Error::TooFewPeople { path: self.folder.to_path_buf(), persons, least: self.min_people })
    }

    fn team_query(&self) -> Result<TeamQuery, team::Error> {
        let team = self.team()?;
        let coverage = Coverage::new(&team.exports, Titles::Refused);
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = match cached.take() {
            Some(same) if same.members == team.members => same.engine,
            _ => self.statements.engine(&team)?,
        };
        *cached = Some(CachedEngine { members: team.members.clone(), engine: engine.clone() });
        drop(cached);
        Ok(TeamQuery { engine, record: self.record.clone(), min_people: self.min_people, gaps: self.gaps, coverage })
    }
}

impl RequestHandler for TeamService {
    type App = TeamQuery;

    async fn handle<Q: Request + 'static>(&self, request: Q) -> Result<Q::Response, Error>
    where
        TeamQuery: AsRef<Q::Service>,
    {
        let service = self.clone();
        let query = tokio::task::spawn_blocking(move || service.team_query()).await;
        let query = query.ok().and_then(Result::ok).ok_or_else(cannot_answer)?;
        request.execute(query.as_ref()).await
    }
}

impl AsRef<Self> for TeamQuery {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsRef<Engine> for TeamQuery {
    fn as_ref(&self) -> &Engine {
        &self.engine
    }
}

fn cannot_answer() -> Error {
    Error::new(
        NOT_ANSWERED,
        "the exports cannot answer this query",
        "use earlier days; the operator of the server can find the reason with `dayledger-fleet status`",
    )
}

impl From<CoverageError> for Error {
    fn from(error: CoverageError) -> Self {
        let message = match error {
            CoverageError::TooFew { .. } => "too few people's exports cover these days",
            CoverageError::Incomplete { .. } => "not all exports cover these days",
        };
        let hint = "use earlier days, because the current day is never covered";
        Self::new(NOT_ANSWERED, message, hint)
    }
}

/// Returns the hours of the whole team.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct GetTeamHours {
    /// A whole day or period: `2025-01-15`, yesterday, this week, last week, last 7 days, 2025-W03 or 2025-01.
    start_date: String,
    /// The end, exclusive. By default the end of the day or period in startDate.
    end_date: Option<String>,
    /// The grouping of the rows.
    #[serde(default)]
    by: GroupBy,
}

/// A request for team hours with checked parameters.
struct HoursRequest {
    range: DateRange,
    group_by: GroupBy,
}

/// Hours, with the days and people that they cover.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TeamHours {
    /// The first counted day. It is later than the requested day if too few exports cover that day.
    start_date: String,
    /// The day after the last counted day. Days that haven't ended, and days that too few exports cover, don't count.
    end_date: String,
    /// Number of days between startDate and endDate that don't count, because too few exports cover these days.
    #[serde(skip_serializing_if = "is_zero")]
    uncounted_days: i64,
    /// Number of people who aren't counted on any day.
    #[serde(skip_serializing_if = "is_zero")]
    people_left_out: usize,
    /// Number of people who are counted on some of the days only.
    #[serde(skip_serializing_if = "is_zero")]
    people_partly_left_out: usize,
    /// The reasons why people aren't counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out_reasons: Vec<Problem>,
    #[serde(flatten)]
    hours: QueryResponse,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

impl TeamHours {
    fn new(counted: &QueryScope, hours: QueryResponse) -> Self {
        let (days, left_out) = (counted.range(), &counted.left_out);
        Self {
            start_date: days.start.to_string(),
            end_date: days.end.to_string(),
            uncounted_days: counted.gaps(),
            people_left_out: left_out.people(),
            people_partly_left_out: left_out.partly(),
            left_out_reasons: left_out.problems(),
            hours,
        }
    }
}

impl Truncate for TeamHours {
    fn rows(&self) -> usize {
        self.hours.rows()
    }

    fn keep(&mut self, rows: usize) {
        self.hours.keep(rows);
    }
}

impl Request for HoursRequest {
    type Service = TeamQuery;
    type Response = TeamHours;

    async fn execute(self, query: &TeamQuery) -> Result<TeamHours, Error> {
        let kept = query.record.add(&self.range, self.group_by, query.min_people);
        kept.map_err(|_| Error::new(NOT_KEPT, "cannot write the audit log", "inform the operator of the server"))?;
        let mut coverage = query.coverage.clone();
        loop {
            let counted = coverage.scope(&self.range, query.min_people, query.gaps)?;
            let sql = counted.statement(self.group_by, query.min_people);
            let request = QueryRequest { statement: sql.into(), max_rows: Limit::parse(Some(1000), "maxRows")? };
            match request.execute(&query.engine).await {
                Ok(hours) => return Ok(TeamHours::new(&counted, hours)),
                Err(error) if coverage.handle_failure(&error.message) => {}
                Err(error) if error.code == TIMED_OUT => return Err(error),
                // The error isn't returned, because its text would show whose export failed and when the export begins.
                Err(_) => return Err(cannot_answer()),
            }
        }
    }
}

impl DataTool for GetTeamHours {
    const NAME: &'static str = "get_team_hours";
    const TITLE: &'static str = "Team hours";
    const DESCRIPTION: &'static str = "Returns the active hours (computer in use) of all people together in a range of \
                                       whole days, by application, day or week, or in total, with the number of people \
                                       in each row. The row (others) merges rows of too few people. Time on two \
                                       devices simultaneously counts for the applications of both, but once by day, \
                                       week or all. The response has the counted days and the number of people left out: \
                                       report both.";
    const LANE: Lane = Lane::Statements;
    type Request = HoursRequest;

    fn request(self, _: &Caller) -> Result<HoursRequest, Error> {
        let fields = ("startDate", "endDate");
        let range = DateRange::parse(&self.start_date, self.end_date.as_deref(), fields)?;
        Ok(HoursRequest { range: range.check_whole_days(fields)?, group_by: self.by })
    }
}
