//! Sample projects and entries, for `--demo`, for tests and for a new simulator of the API.

use chrono::{NaiveDate, NaiveTime};
use uuid::Uuid;

use crate::day::Day;
use crate::entry::{NewEntry, TimeEntry};
use crate::hours::Hours;
use crate::id::EntryId;
use crate::project::{Project, ProjectTag, ProjectTask};
use crate::status::Status;

/// Returns three sample projects.
pub fn projects() -> Vec<Project> {
    let internal = project(
        "INTERNAL",
        "Internal Development",
        &["Architecture", "Development", "Code Review", "Testing", "Documentation", "DevOps"],
        vec![
            tag("Environment", &["Production", "Staging", "Development"]),
            tag("Billable", &["Yes", "No"]),
            tag("Type", &["Feature", "Bug", "Refactor", "Docs"]),
        ],
    );
    let client = project(
        "CLIENT-A",
        "Client A Project",
        &["Feature Development", "Bug Fixing", "Maintenance", "Support", "Code Review"],
        vec![
            make_required(tag("Priority", &["High", "Medium", "Low"])),
            tag("Sprint", &["Sprint-1", "Sprint-2", "Sprint-3", "Sprint-4"]),
            tag("Billable", &["Yes", "No"]),
        ],
    );
    let maintenance = project(
        "MAINT",
        "Maintenance & Support",
        &["Bug Fixing", "Security Patches", "Performance Optimization", "Monitoring"],
        vec![make_required(tag("Severity", &["Critical", "High", "Medium", "Low"])), tag("Billable", &["Yes", "No"])],
    );
    vec![internal, client, maintenance]
}

/// Returns five sample entries on three days. Their ids are always the same.
pub fn entries() -> Vec<TimeEntry> {
    type Sample = (u32, &'static str, &'static str, i64, i64, Option<&'static str>, Status);
    const SAMPLES: [Sample; 5] = [
        (21, "INTERNAL", "Development", 7_50, 0, Some("DEV-123"), Status::Approved),
        (21, "INTERNAL", "Code Review", 2_00, 0, None, Status::Approved),
        (22, "CLIENT-A", "Feature Development", 6_00, 1_50, Some("JIRA-789"), Status::Submitted),
        (23, "CLIENT-A", "Bug Fixing", 4_00, 0, Some("JIRA-790"), Status::NotReported),
        (23, "MAINT", "Security Patches", 3_00, 0, Some("SEC-101"), Status::Approved),
    ];
    let entry = |(number, (day, project, task, standard, overtime, issue, status)): (u128, Sample)| {
        let date = NaiveDate::from_ymd_opt(2025, 10, day)?;
        let day = Day::try_from(date).ok()?;
        let logged = date.and_time(NaiveTime::from_hms_opt(16, 0, 0)?).and_utc();
        // A UUID of version 7 that contains the time at which the entry was logged.
        let millis = u128::try_from(logged.timestamp_millis()).ok()?;
        let id = EntryId::from(Uuid::from_u128(millis << 80 | 0x7000 << 64 | 0x8000 << 48 | number));
        let new = NewEntry {
            issue_id: issue.map(str::to_owned),
            overtime_hours: Hours::from_hundredths(overtime),
            ..NewEntry::new(project, task, Hours::from_hundredths(standard), day, day)
        };
        Some(TimeEntry { status, ..TimeEntry::from_new(id, new, logged) })
    };
    (1..).zip(SAMPLES).filter_map(entry).collect()
}

fn project(code: &str, name: &str, tasks: &[&str], tags: Vec<ProjectTag>) -> Project {
    let tasks = tasks.iter().map(|task| ProjectTask { name: (*task).to_owned(), is_active: true }).collect();
    Project { code: code.to_owned(), name: name.to_owned(), is_active: true, tasks, tags }
}

fn tag(name: &str, values: &[&str]) -> ProjectTag {
    let allowed_values = values.iter().map(|value| (*value).to_owned()).collect();
    ProjectTag { name: name.to_owned(), is_required: false, is_active: true, allowed_values }
}

fn make_required(tag: ProjectTag) -> ProjectTag {
    ProjectTag { is_required: true, ..tag }
}
