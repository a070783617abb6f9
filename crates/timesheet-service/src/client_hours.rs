//! The logged hours of a client, for a page that the user sends to the client.

use std::collections::BTreeMap;

use dayledger_timesheet::draft::{Alias, ProjectNames};
use dayledger_timesheet::{Day, Hours, Project, ProjectFilter, Status, TimeEntry};

use super::entry_export::whole_days;
use super::service::TimesheetService;
use super::week::sort_key;
use dayledger_request::{DateRange, Error};

/// The logged entries of some days. A client is a project whose code, name or alias matches the client's name.
#[derive(Debug, Clone, Default)]
pub struct LoggedClients {
    days: Option<(Day, Day)>,
    projects: Vec<Project>,
    aliases: Vec<Alias>,
    entries: Vec<TimeEntry>,
}

/// The hours that are logged for one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedHours {
    /// The name of the project.
    pub project: String,
    /// The total.
    pub total: Hours,
    /// Hours by task, largest first.
    pub tasks: Vec<(String, Hours)>,
    /// The entries, clipped to the days, by day and task.
    pub pieces: Vec<TimeEntry>,
    /// Declined hours. They aren't part of the other fields.
    pub declined: Hours,
}

impl TimesheetService {
    /// Returns the logged hours of some days, by client. They are empty if the range begins or ends within a day,
    /// because entries have only dates, or if the timesheet doesn't exist yet. Creates no file.
    ///
    /// # Errors
    /// Fails if the timesheet can't be read.
    pub async fn logged_clients(&self, range: DateRange) -> Result<LoggedClients, Error> {
        let days = whole_days(range, ("", "")).ok().filter(|_| self.may_have_entries());
        let Some((first, last)) = days else { return Ok(LoggedClients::default()) };
        let timesheet = self.timesheet().await?;
        let mut entries = timesheet.logged_entries(first..=last, 0..0).await?.entries;
        entries.sort_by(|one, other| sort_key(one).cmp(&sort_key(other)));
        Ok(LoggedClients {
            days,
            projects: timesheet.projects(ProjectFilter::All).await?,
            aliases: self.setup()?.aliases.clone(),
            entries,
        })
    }
}

impl LoggedClients {
    /// Returns the hours of the client with this name. An alias for a task selects that task only. Returns `None` if
    /// the name is unknown or nothing is logged for the client.
    pub fn client_hours(&self, client: &str) -> Option<LoggedHours> {
        let (first, last) = self.days?;
        let names = ProjectNames::new(&self.projects, &self.aliases);
        let (code, task) = names.find(client)?;
        let is_meant = |entry: &&TimeEntry| entry.project_code == code && task.is_none_or(|task| entry.task == task);
        let (mut pieces, mut declined) = (Vec::new(), Hours::ZERO);
        for piece in self.entries.iter().filter(is_meant).filter_map(|entry| entry.clone().clip_to_days(first, last)) {
            let hours = piece.total_hours();
            if piece.status == Status::Declined {
                declined = declined + hours;
            } else if hours > Hours::ZERO {
                pieces.push(piece);
            }
        }
        let mut tasks: BTreeMap<&str, Hours> = BTreeMap::new();
        for piece in &pieces {
            let hours = tasks.entry(&piece.task).or_default();
            *hours = *hours + piece.total_hours();
        }
        let mut tasks: Vec<_> = tasks.into_iter().map(|(task, hours)| (task.to_owned(), hours)).collect();
        tasks.sort_by_key(|(_, hours)| std::cmp::Reverse(*hours));
        let project = self.projects.iter().find(|project| project.code == code);
        (!pieces.is_empty()).then(|| LoggedHours {
            project: project.map_or_else(|| code.to_owned(), |project| project.name.clone()),
            total: pieces.iter().map(TimeEntry::total_hours).sum(),
            tasks,
            pieces,
            declined,
        })
    }

    /// Whether both names mean the same project or task.
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
        // This entry begins before the range. Only its days inside of the range count.
        entries[3].completion_date = day("2025-10-26");
        LoggedClients {
            days: Some((day(days.0), day(days.1))),
            projects: demo::projects(),
            aliases: vec![alias("Acme", None), alias("Acme care", Some("Bug Fixing"))],
            entries,
        }
    }

    fn describe_entries(hours: &LoggedHours) -> Vec<String> {
        let piece = |piece: &TimeEntry| {
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
            let tasks: Vec<_> = hours.tasks.iter().map(|(task, _)| task.as_str()).collect();
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
    fn declined_hours_are_separate_and_empty_days_have_no_client() {
        let mut logged = sample_clients(("2025-10-22", "2025-10-23"));
        logged.entries[3].status = Status::Declined;
        let hours = logged.client_hours("Acme").unwrap();
        assert_eq!((hours.total.hundredths(), hours.declined.hundredths(), hours.tasks.len()), (7_50, 1_00, 1));
        assert_eq!(logged.client_hours("Acme care"), None);
        assert_eq!(LoggedClients::default().client_hours("Acme"), None);
    }
}
