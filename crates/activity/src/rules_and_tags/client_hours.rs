//! Time of each client by day and task, for a page that the user can send to the client
//! (docs/spec/time.md#client-time).

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::time::active_time::{CONTEXT, RangeContext};
use crate::{Diagnostics, Filter, NamedTotal, devices};
use dayledger_engine as engine;
use dayledger_engine::{Engine, Rows, Statement, statement};
use dayledger_request::{Batch, DateRange, Error, Minutes, minutes};

static CLIENT_HOURS: Statement = statement!(queries / "client_hours", devices::RANGE);

/// Requests the time of a range for each client with a matching tag or project.
///
/// The time of a client has two parts. The first part is tagged time, including time away from the computer. The second
/// part is untagged active time that a rule assigns.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientHoursRequest {
    /// Local range, end exclusive.
    pub range: DateRange,
    /// The filter. Only matching time counts.
    pub filter: Filter,
}

/// The matching clients, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientHours {
    /// The clients with their time.
    pub clients: Vec<ClientSummary>,
    /// Whether data is missing, and why.
    pub diagnostics: Diagnostics,
}

/// The time of one client. Each second counts once, even if it belongs to two tasks.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientSummary {
    /// The first level of the client's tags, or the project of a rule.
    pub name: String,
    /// Total time, at the computer and away from it.
    pub total: Minutes,
    /// The part of `total` away from the computer.
    pub away: Minutes,
    /// Time by task, the longest time first. The task is the remaining levels of a tag, or the task of a rule. The task
    /// can be empty.
    pub tasks: Vec<NamedTotal>,
    /// The days with time for the client, in order.
    pub days: Vec<ClientDay>,
}

/// The time of one client on one local day.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientDay {
    /// Local date.
    pub date: NaiveDate,
    /// Total time.
    pub total: Minutes,
    /// Time by task, the longest time first.
    pub tasks: Vec<NamedTotal>,
}

impl ClientHoursRequest {
    /// Runs the request on `engine`, in one consistent read.
    ///
    /// # Errors
    /// Fails if the history cannot be read.
    pub async fn answer(self, engine: &Engine) -> Result<ClientHours, Error> {
        let of_all = self.range.arguments().with_text("device", None);
        let mut batch = Batch::default();
        let hours = batch.add((&CLIENT_HOURS, self.filter.apply(self.range.arguments())));
        let context = batch.add((&CONTEXT, of_all.clone()));
        let results = batch.run(engine).await?;
        let context = RangeContext::from_rows(results.rows(context)?)?;
        let kept = context.retention(engine, &self.range, &of_all).await?;
        Ok(ClientHours { clients: read(results.rows(hours)?)?, diagnostics: context.diagnostics(&kept) })
    }
}

fn read(rows: &Rows) -> Result<Vec<ClientSummary>, engine::Error> {
    let nothing =
        |name| ClientSummary { name, total: Minutes::ZERO, away: Minutes::ZERO, tasks: Vec::new(), days: Vec::new() };
    let mut clients: BTreeMap<String, ClientSummary> = BTreeMap::new();
    for row in rows.iter() {
        let (key, name): (String, String) = (row.get("key")?, row.get("client")?);
        let client = clients.entry(key).or_insert_with(|| nothing(name.clone()));
        let (task, date) = (row.get_optional::<String>("task")?, row.get_optional::<NaiveDate>("date")?);
        let time = minutes(row.get("seconds")?);
        let of_task = |name| NamedTotal { name, total_minutes: time };
        // The rows are in order of date, so the first row of another date begins a new day.
        if let Some(date) = date
            && client.days.last().is_none_or(|day| day.date != date)
        {
            client.days.push(ClientDay { date, total: Minutes::ZERO, tasks: Vec::new() });
        }
        let day = client.days.last_mut().filter(|_| date.is_some());
        match (day, task) {
            (None, None) => {
                // Names are compared without case. The spelling of the row for the whole client is shown.
                (client.name, client.total) = (name, time);
                client.away = minutes(row.get("away_seconds")?);
            }
            (None, Some(task)) => client.tasks.push(of_task(task)),
            (Some(day), None) => day.total = time,
            (Some(day), Some(task)) => day.tasks.push(of_task(task)),
        }
    }
    Ok(clients.into_values().collect())
}
