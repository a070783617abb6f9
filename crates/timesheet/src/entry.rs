//! Timesheet entries, requests for new entries, and changes to entries. Also the activity behind an entry: its
//! evidence, and the files, sites and applications from which later drafts learn.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, SecondsFormat, Utc};
use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize, Serializer};
use serde_with::skip_serializing_none;

use crate::apportion::divide_evenly;
use crate::day::Day;
use crate::hours::Hours;
use crate::id::EntryId;
use crate::status::Status;
use crate::tag::Tag;

/// A request for a new entry, before validation.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEntry {
    /// The project's code.
    pub project_code: String,
    /// The name of a task of the project, in its exact case.
    pub task: String,
    /// The id of a ticket in another system.
    pub issue_id: Option<String>,
    /// Regular hours.
    pub standard_hours: Hours,
    /// Overtime hours.
    #[serde(default)]
    pub overtime_hours: Hours,
    /// Description of the work.
    pub description: Option<String>,
    /// The first day.
    pub start_date: Day,
    /// The last day, inclusive.
    pub completion_date: Day,
    /// Values for tags of the project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The active time that the entry covers, if the entry was drafted from a history. The evidence is stored locally
    /// and never sent to the API.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The files, sites and applications used during the evidence. They are stored locally and never sent to the API.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_by: Vec<UsedItem>,
}

impl NewEntry {
    /// Returns a request that contains only a project, a task, regular hours and days.
    pub fn new(project_code: &str, task: &str, standard_hours: Hours, start_date: Day, completion_date: Day) -> Self {
        Self {
            project_code: project_code.to_owned(),
            task: task.to_owned(),
            issue_id: None,
            standard_hours,
            overtime_hours: Hours::ZERO,
            description: None,
            start_date,
            completion_date,
            tags: Vec::new(),
            evidence: Vec::new(),
            known_by: Vec::new(),
        }
    }
}

/// Changes to an entry. A field that is `None` keeps its value. Only [`crate::Timesheet::move_to`] can change the
/// project.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Changes {
    /// Another task of the same project.
    pub task: Option<String>,
    /// Another ticket. An empty text is stored as an empty text.
    pub issue_id: Option<String>,
    /// Other regular hours.
    pub standard_hours: Option<Hours>,
    /// Other overtime hours.
    pub overtime_hours: Option<Hours>,
    /// Another description. An empty text is stored as an empty text.
    pub description: Option<String>,
    /// Another first day.
    pub start_date: Option<Day>,
    /// Another last day.
    pub completion_date: Option<Day>,
    /// New tags, which replace all tags of the entry. An empty list deletes them all.
    pub tags: Option<Vec<Tag>>,
}

impl Changes {
    /// Whether every field is absent.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the changes include hours or days. Such changes could make the entry overlap another entry.
    pub(crate) fn may_claim_time(&self) -> bool {
        let hours = self.standard_hours.or(self.overtime_hours);
        hours.is_some() || self.start_date.or(self.completion_date).is_some()
    }

    /// Returns the changed entry. Its status, creation time and update time stay the same.
    #[must_use]
    pub fn apply_to(self, entry: TimeEntry) -> TimeEntry {
        TimeEntry {
            task: self.task.unwrap_or(entry.task),
            issue_id: self.issue_id.or(entry.issue_id),
            standard_hours: self.standard_hours.unwrap_or(entry.standard_hours),
            overtime_hours: self.overtime_hours.unwrap_or(entry.overtime_hours),
            description: self.description.or(entry.description),
            start_date: self.start_date.unwrap_or(entry.start_date),
            completion_date: self.completion_date.unwrap_or(entry.completion_date),
            tags: self.tags.unwrap_or(entry.tags),
            ..entry
        }
    }
}

/// The owner of an entry, if the API returns one.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The user's id in the directory of the company.
    pub id: Option<String>,
    /// The user's email address.
    pub email: Option<String>,
    /// The user's name.
    pub name: Option<String>,
}

/// An entry of a timesheet. The tools return it in this JSON form.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimeEntry {
    /// The entry's id.
    pub id: EntryId,
    /// The project's code.
    pub project_code: String,
    /// The name of a task of the project.
    pub task: String,
    /// The id of a ticket in another system.
    pub issue_id: Option<String>,
    /// Regular hours.
    pub standard_hours: Hours,
    /// Overtime hours.
    pub overtime_hours: Hours,
    /// Description of the work.
    pub description: Option<String>,
    /// The first day.
    pub start_date: Day,
    /// The last day, inclusive.
    pub completion_date: Day,
    /// The approval status.
    pub status: Status,
    /// The approver's reason for declining the entry. It is deleted when the entry is changed.
    pub decline_comment: Option<String>,
    /// Values for tags of the project, in the order of the request.
    pub tags: Vec<Tag>,
    /// The time at which the entry was logged.
    #[serde(serialize_with = "instant")]
    #[schemars(with = "String")]
    pub created_at: DateTime<Utc>,
    /// The time of the last change.
    #[serde(serialize_with = "instant")]
    #[schemars(with = "String")]
    pub updated_at: DateTime<Utc>,
    /// The owner of the entry. Absent in the ledger, which has one user.
    pub user: Option<User>,
}

impl TimeEntry {
    /// Creates an entry from a request. The evidence is stored separately.
    pub fn from_new(id: EntryId, entry: NewEntry, now: DateTime<Utc>) -> Self {
        Self {
            id,
            project_code: entry.project_code,
            task: entry.task,
            issue_id: entry.issue_id,
            standard_hours: entry.standard_hours,
            overtime_hours: entry.overtime_hours,
            description: entry.description,
            start_date: entry.start_date,
            completion_date: entry.completion_date,
            status: Status::default(),
            decline_comment: None,
            tags: entry.tags,
            created_at: now,
            updated_at: now,
            user: None,
        }
    }

    /// Returns the sum of regular and overtime hours.
    pub fn total_hours(&self) -> Hours {
        self.standard_hours + self.overtime_hours
    }

    /// Returns the hours on one day. The hours of an entry over several days are spread evenly, in hundredths of an
    /// hour. Remaining hundredths are added to the first days, one to each day. A day outside of the entry gets zero
    /// hours.
    pub fn hours_on(&self, day: Day) -> Hours {
        self.share_of_hours(self.total_hours(), day, day)
    }

    /// Returns the entry limited to the days from `first` to `last`, with only the hours of these days. Returns `None`
    /// if the entry has none of these days. If consecutive ranges include all days of the entry, the hours of the
    /// results add up to the hours of the entry.
    #[must_use]
    pub fn clip_to_days(self, first: Day, last: Day) -> Option<Self> {
        let (first, last) = (self.start_date.max(first), self.completion_date.min(last));
        if first > last {
            return None;
        }
        let overtime_hours = self.share_of_hours(self.overtime_hours, first, last);
        let standard_hours = self.share_of_hours(self.total_hours(), first, last) - overtime_hours;
        Some(Self { start_date: first, completion_date: last, standard_hours, overtime_hours, ..self })
    }

    /// Spreads `hours` over the days of the entry, and returns the share of the days from `first` to `last`.
    fn share_of_hours(&self, hours: Hours, first: Day, last: Day) -> Hours {
        let behind = |day: Day| (day.date() - self.start_date.date()).num_days();
        let days = behind(self.completion_date) + 1;
        let (each, more) = divide_evenly(hours.hundredths(), days);
        let until = |days: i64| days * each + days.min(more);
        let (from, to) = (behind(first).clamp(0, days), (behind(last) + 1).clamp(0, days));
        Hours::from_hundredths(until(to.max(from)) - until(from))
    }

    /// Returns the entry moved to another task. The tags are kept only if the project stays the same.
    #[must_use]
    pub fn with_task(self, project_code: String, task: String) -> Self {
        let tags = if project_code == self.project_code { self.tags } else { Vec::new() };
        Self { project_code, task, tags, ..self }
    }
}

/// Formats a timestamp as the API does, such as `2025-10-24T10:30:00Z`.
fn instant<S: Serializer>(instant: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&instant.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

/// An interval of active time that an entry covers, from `start_utc` (included) to `end_utc` (excluded).
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The first second, in seconds since 1970 (UTC).
    pub start_utc: i64,
    /// The exclusive end, in seconds since 1970 (UTC). It must be after the start.
    pub end_utc: i64,
    /// The device that recorded the interval, if known.
    pub device: Option<String>,
    /// The activity that contains the interval, as its id in the history, if any.
    pub activity: Option<i64>,
    /// The UTC offset of the device in seconds when the interval began. `None` if an earlier version logged the entry.
    pub utc_offset: Option<i64>,
}

/// The kind of a used item, from the most specific to the most general.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// A file.
    Document,
    /// A site.
    Site,
    /// An application.
    Application,
}

/// A file, site or application, with the time for which it was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UsedItem {
    /// The kind of the item.
    pub by: ItemKind,
    /// The item's name in the history.
    pub text: String,
    /// The active seconds, at least one.
    pub seconds: i64,
}

impl UsedItem {
    /// Returns the text to display: the name of a file without its folders, or the unchanged name of a site or
    /// application.
    pub fn label(&self) -> String {
        match self.by {
            ItemKind::Document => file_name(&self.text),
            ItemKind::Site | ItemKind::Application => self.text.clone(),
        }
    }
}

/// Returns the name of a file without its folders, because folders describe the computer rather than the work.
pub(crate) fn file_name(document: &str) -> String {
    let name = document.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(document);
    if document.starts_with("file:") {
        percent_decode_str(name).decode_utf8_lossy().into_owned()
    } else {
        name.to_owned()
    }
}

impl FromStr for ItemKind {
    type Err = value::Error;

    fn from_str(text: &str) -> Result<Self, value::Error> {
        Self::deserialize(text.into_deserializer())
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(formatter)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::demo;

    /// An entry that starts in October and ends in November must be counted in the exports of both months.
    #[test]
    fn parts_of_two_months_add_up_to_an_entry() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let entry = TimeEntry {
            start_date: day("2025-10-30"),
            completion_date: day("2025-11-02"),
            standard_hours: "20.01".parse().unwrap(),
            overtime_hours: "1.02".parse().unwrap(),
            ..demo::entries()[0].clone()
        };
        let october = entry.clone().clip_to_days(day("2025-10-01"), day("2025-10-31")).unwrap();
        let november = entry.clone().clip_to_days(day("2025-11-01"), day("2025-11-30")).unwrap();
        assert_eq!((october.completion_date, november.start_date), (day("2025-10-31"), day("2025-11-01")));
        assert_eq!(october.standard_hours + november.standard_hours, entry.standard_hours);
        assert_eq!(october.overtime_hours + november.overtime_hours, entry.overtime_hours);
        for date in ["2025-10-30", "2025-10-31", "2025-11-01", "2025-11-02"] {
            assert_eq!(october.hours_on(day(date)) + november.hours_on(day(date)), entry.hours_on(day(date)), "{date}");
        }
        assert_eq!(entry.clip_to_days(day("2025-11-03"), day("2025-11-30")), None);
    }

    #[test]
    fn json_has_the_field_names_of_the_tools() {
        let entry = &demo::entries()[2];
        assert_eq!(
            serde_json::to_value(entry).unwrap(),
            json!({
                "id": entry.id.to_string(),
                "projectCode": "CLIENT-A",
                "task": "Feature Development",
                "issueId": "JIRA-789",
                "standardHours": 6.0,
                "overtimeHours": 1.5,
                "startDate": "2025-10-22",
                "completionDate": "2025-10-22",
                "status": "SUBMITTED",
                "tags": [],
                "createdAt": "2025-10-22T16:00:00Z",
                "updatedAt": "2025-10-22T16:00:00Z",
            })
        );
    }

    #[test]
    fn the_hours_of_several_days_are_spread_without_a_remainder() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let entry = TimeEntry {
            standard_hours: Hours::from_hundredths(10_00),
            overtime_hours: Hours::ZERO,
            completion_date: day("2025-10-23"),
            ..demo::entries().remove(0)
        };
        let on = ["2025-10-20", "2025-10-21", "2025-10-22", "2025-10-23", "2025-10-24"]
            .map(|text| entry.hours_on(day(text)));
        assert_eq!(on.map(Hours::hundredths), [0, 3_34, 3_33, 3_33, 0]);
    }

    #[test]
    fn a_request_is_read_as_the_tools_get_it() {
        let request = json!({
            "projectCode": "INTERNAL", "task": "Development", "standardHours": 8,
            "startDate": "2025-10-24", "completionDate": "2025-10-24",
        });
        let entry: NewEntry = serde_json::from_value(request.clone()).unwrap();
        assert_eq!((entry.standard_hours.hundredths(), entry.overtime_hours), (800, Hours::ZERO));
        for (field, wrong) in [("startDate", json!("24.10.2025")), ("standardHours", json!(null)), ("hours", json!(8))]
        {
            let mut request = request.clone();
            request[field] = wrong;
            serde_json::from_value::<NewEntry>(request).unwrap_err();
        }
        let changes: Changes = serde_json::from_value(json!({"standardHours": "7.5", "tags": []})).unwrap();
        assert_eq!((changes.standard_hours.map(Hours::hundredths), changes.tags), (Some(750), Some(Vec::new())));
        assert!(serde_json::from_value::<Changes>(json!({"task": null})).unwrap().is_empty());
    }
}
