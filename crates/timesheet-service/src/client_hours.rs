//! The logged hours of a client, for a page that the user sends to the client.

use std::collections::BTreeMap;

use dayledger_timesheet::billing::{Amounts, BilledTime, Rates};
use dayledger_timesheet::draft::{Alias, ProjectNames};
use dayledger_timesheet::{Day, Hours, Project, ProjectFilter, Status, TimeEntry};

use super::entry_export::whole_days;
use super::service::TimesheetService;
use super::week::sort_key;
use dayledger_request::{DateRange, Error};

/// The logged entries of a range of days. A client is a project whose code, name or alias is the name of the client.
#[derive(Debug, Clone, Default)]
pub struct LoggedClients {
    days: Option<(Day, Day)>,
    projects: Vec<Project>,
    aliases: Vec<Alias>,
    rates: Rates,
    entries: Vec<TimeEntry>,
}

/// The hours that were logged for one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedHours {
    /// The name of the project.
    pub project: String,
    /// The sum of the billed hours, which are rounded.
    pub total: Hours,
    /// The sum of the logged hours before rounding.
    pub logged: Hours,
    /// The billed amounts, one for each currency.
    pub amounts: Amounts,
    /// The tasks, the task with the most hours first.
    pub tasks: Vec<ClientTask>,
    /// The entries, limited to the days of the range, ordered by day, project and task.
    pub pieces: Vec<ClientEntry>,
    /// The sum of the hours of declined entries. The other fields don't include declined entries.
    pub declined: Hours,
}

/// The billed hours and amounts of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientTask {
    /// The name of the task.
    pub name: String,
    /// The billed hours.
    pub hours: Hours,
    /// The billed amounts, one for each currency.
    pub amounts: Amounts,
}

/// An entry with its billed hours and price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientEntry {
    /// The logged entry, limited to the days of the range.
    pub entry: TimeEntry,
    /// The billed hours and their price.
    pub billed: BilledTime,
}

impl LoggedHours {
    /// Returns the first task with hours that lack a rate. Hours that are excluded from billing don't count.
    pub fn task_without_rate(&self) -> Option<&str> {
        self.pieces.iter().find(|piece| piece.billed.lacks_rate()).map(|piece| &*piece.entry.task)
    }
}

impl TimesheetService {
    /// Loads the logged hours of a range of days, for all clients. If the timesheet doesn't exist yet, the result is
    /// empty and no file is created. The result is also empty if the range doesn't consist of whole days, because
    /// entries have no times of day.
    ///
    /// # Errors
    /// Fails if the timesheet can't be read.
    pub async fn logged_clients(&self, range: DateRange) -> Result<LoggedClients, Error> {
        let days = whole_days(range, ("", "")).ok().filter(|_| self.may_have_entries());
        let Some((first, last)) = days else { return Ok(LoggedClients::default()) };
        let timesheet = self.timesheet().await?;
        let mut entries = timesheet.logged_entries(first..=last, 0..0).await?.entries;
        entries.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)));
        let projects = timesheet.projects(ProjectFilter::All).await?;
        self.setup()?.check_rates(&projects)?;
        Ok(LoggedClients {
            days,
            projects,
            aliases: self.setup()?.aliases.clone(),
            rates: self.setup()?.rates.clone(),
            entries,
        })
    }
}

impl LoggedClients {
    /// Returns the hours of the client with this name. If the name is an alias for a task, only this task is included.
    /// Returns `None` if the name is unknown, or if the client has no hours, or only declined hours.
    pub fn client_hours(&self, client: &str) -> Option<LoggedHours> {
        let (first, last) = self.days?;
        let names = ProjectNames::new(&self.projects, &self.aliases);
        let (code, task) = names.find(client)?;
        let is_meant = |entry: &&TimeEntry| entry.project_code == code && task.is_none_or(|task| entry.task == task);
        let (mut entries, mut declined) = (Vec::new(), Hours::ZERO);
        for entry in self.entries.iter().filter(is_meant).filter_map(|entry| entry.clone().clip_to_days(first, last)) {
            let hours = entry.total_hours();
            if entry.status == Status::Declined {
                declined = declined + hours;
            } else if hours > Hours::ZERO {
                entries.push(entry);
            }
        }
        let billed = self.rates.bill(&entries);
        let logged = entries.iter().map(TimeEntry::total_hours).sum();
        let mut tasks: BTreeMap<&str, Vec<&BilledTime>> = BTreeMap::new();
        for (entry, billed) in entries.iter().zip(&billed) {
            tasks.entry(&entry.task).or_default().push(billed);
        }
        let mut tasks: Vec<_> = tasks
            .into_iter()
            .map(|(name, billed)| ClientTask {
                name: name.to_owned(),
                hours: billed.iter().map(|billed| billed.hours).sum(),
                amounts: billed.into_iter().collect(),
            })
            .collect();
        tasks.sort_by_key(|task| std::cmp::Reverse(task.hours));
        let project = self.projects.iter().find(|project| project.code == code);
        (!entries.is_empty()).then(|| LoggedHours {
            project: project.map_or_else(|| code.to_owned(), |project| project.name.clone()),
            total: billed.iter().map(|billed| billed.hours).sum(),
            logged,
            amounts: billed.iter().collect(),
            tasks,
            pieces: entries.into_iter().zip(billed).map(|(entry, billed)| ClientEntry { entry, billed }).collect(),
            declined,
        })
    }

    /// Whether two names mean the same project or the same task.
    pub fn is_same_client(&self, name: &str, other: &str) -> bool {
        let names = ProjectNames::new(&self.projects, &self.aliases);
        names.find(name).is_some_and(|found| names.find(other) == Some(found))
    }
}

#[cfg(test)]
mod tests {
    use dayledger_timesheet::demo;

    use super::*;

    fn sample_clients(days: (&str, &str)) -> LoggedClients {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let alias = |name: &str, task: Option<&str>| Alias {
            name: name.to_owned(),
            project: "CLIENT-A".to_owned(),
            task: task.map(str::to_owned),
        };
        let mut entries = demo::entries();
        // This entry begins before the range. Only its hours on days of the range count.
        entries[3].completion_date = day("2025-10-26");
        LoggedClients {
            days: Some((day(days.0), day(days.1))),
            projects: demo::projects(),
            aliases: vec![alias("Acme", None), alias("Acme care", Some("Bug Fixing"))],
            rates: Rates::default(),
            entries,
        }
    }

    fn describe_entries(hours: &LoggedHours) -> Vec<String> {
        let piece = |ClientEntry { entry: piece, .. }: &ClientEntry| {
            format!("{}..{} {} {}", piece.start_date, piece.completion_date, piece.task, piece.total_hours())
        };
        hours.pieces.iter().map(piece).collect()
    }

    #[test]
    fn a_client_is_the_project_of_its_name() {
        let logged = sample_clients(("2025-10-01", "2025-10-24"));
        for name in ["client-a", "Client A Project", "ACME"] {
            let hours = logged.client_hours(name).unwrap();
            assert_eq!((hours.project.as_str(), hours.total.to_string()), ("Client A Project", "9.5".to_owned()));
            assert_eq!(
                describe_entries(&hours),
                ["2025-10-22..2025-10-22 Feature Development 7.5", "2025-10-23..2025-10-24 Bug Fixing 2"]
            );
            let tasks: Vec<_> = hours.tasks.iter().map(|task| task.name.as_str()).collect();
            assert_eq!(tasks, ["Feature Development", "Bug Fixing"]);
        }
        let care = logged.client_hours("Acme Care").unwrap();
        assert_eq!(
            describe_entries(&care),
            ["2025-10-23..2025-10-24 Bug Fixing 2"],
            "an alias of a task means the task"
        );
        assert_eq!((logged.client_hours("Client"), logged.client_hours("Globex")), (None, None));
        assert!(logged.is_same_client("acme", "CLIENT-A") && !logged.is_same_client("acme", "acme care"));
        assert!(!logged.is_same_client("Globex", "Globex"), "no project has this name");
    }

    #[test]
    fn hours_and_amounts_are_those_of_the_rates() {
        let written = serde_json::json!([
            {"project": "CLIENT-A", "rate": 80, "currency": "EUR", "rounding": {"to": 1, "mode": "up"}},
            {"project": "CLIENT-A", "task": "Feature Development", "rate": 100.05},
        ]);
        let rates = Rates::new(serde_json::from_value(written).unwrap()).unwrap();
        let logged = LoggedClients { rates, ..sample_clients(("2025-10-01", "2025-10-24")) };
        let hours = logged.client_hours("Acme").unwrap();
        assert_eq!((hours.logged.to_string(), hours.total.to_string()), ("9.5".to_owned(), "10".to_owned()));
        let tasks: Vec<_> = hours.tasks.iter().map(|task| format!("{} {}", task.hours, task.amounts)).collect();
        assert_eq!(tasks, ["8 800.40 EUR", "2 160.00 EUR"]);
        assert_eq!((hours.amounts.to_string(), hours.task_without_rate()), ("960.40 EUR".to_owned(), None));
        let without = sample_clients(("2025-10-01", "2025-10-24")).client_hours("Acme").unwrap();
        assert_eq!(without.task_without_rate(), Some("Feature Development"));
    }

    #[test]
    fn declined_hours_are_separate_and_empty_days_have_no_client() {
        let mut logged = sample_clients(("2025-10-22", "2025-10-23"));
        logged.entries[3].status = Status::Declined;
        let hours = logged.client_hours("Acme").unwrap();
        assert_eq!((hours.total.hundredths(), hours.declined.hundredths(), hours.tasks.len()), (7_50, 1_00, 1));
        assert_eq!(logged.client_hours("Acme care"), None);
        assert_eq!(LoggedClients::default().client_hours("Acme"), None);
    }
}
