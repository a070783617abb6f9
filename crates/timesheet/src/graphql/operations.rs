//! The operations of the API. They are generated from `graphql/operations.graphql` and checked against the API's
//! schema.

use graphql_client::GraphQLQuery;

use crate::entry::{Changes, NewEntry, TimeEntry, User};
use crate::project::{Project, ProjectTag, ProjectTask};
use crate::tag::Tag;

/// The types of this crate for the scalars and enums of the schema.
mod words {
    pub(super) type DateTime = chrono::DateTime<chrono::Utc>;
    pub(super) type Decimal = crate::hours::Hours;
    pub(super) type LocalDate = crate::day::Day;
    pub(super) type TimeEntryStatus = crate::status::Status;
    #[expect(clippy::upper_case_acronyms, reason = "the schema calls it so")]
    pub(super) type UUID = crate::id::EntryId;
}

use words::{DateTime, Decimal, LocalDate, TimeEntryStatus, UUID};

/// An operation whose response contains one entry.
pub(super) trait EntryOperation: GraphQLQuery {
    /// Returns the entry in the response.
    fn entry(data: Self::ResponseData) -> TimeEntry;
}

macro_rules! operation {
    ($operation:ident $(, $derives:tt)?) => {
        #[derive(GraphQLQuery)]
        #[graphql(
            schema_path = "graphql/timesheet.graphql",
            query_path = "graphql/operations.graphql",
            extern_enums("TimeEntryStatus"),
            $(variables_derives = $derives,)?
            skip_serializing_none
        )]
        pub(super) struct $operation;
    };
}

operation!(TimeEntries, "Clone, Debug, Default");
operation!(TimeEntryById);
operation!(Projects, "Default");
operation!(ActiveTasks);
operation!(LogTime);
operation!(UpdateTimeEntry);
operation!(MoveTaskToProject);
operation!(DeleteTimeEntry);
operation!(SubmitTimeEntry);

/// Converts the entries of each operation. The generated code has a separate entry type for each operation, although
/// they all use the same fragment.
macro_rules! entry_of {
    ($module:ident) => {
        impl From<$module::EntryFields> for TimeEntry {
            fn from(entry: $module::EntryFields) -> Self {
                Self {
                    id: entry.id,
                    project_code: entry.project.code,
                    task: entry.project_task.task_name,
                    issue_id: entry.issue_id,
                    standard_hours: entry.standard_hours,
                    overtime_hours: entry.overtime_hours,
                    description: entry.description,
                    start_date: entry.start_date,
                    completion_date: entry.completion_date,
                    status: entry.status,
                    decline_comment: entry.decline_comment,
                    tags: (entry.tags.into_iter())
                        .map(|tag| Tag::new(tag.tag_value.project_tag.tag_name, tag.tag_value.value))
                        .collect(),
                    created_at: entry.created_at,
                    updated_at: entry.updated_at,
                    user: Some(User { id: entry.user_id, email: entry.user_email, name: entry.user_name }),
                }
            }
        }
    };
    ($module:ident, $operation:ident, $field:ident) => {
        entry_of!($module);

        impl EntryOperation for $operation {
            fn entry(data: $module::ResponseData) -> TimeEntry {
                data.$field.into()
            }
        }
    };
}

entry_of!(time_entries);
entry_of!(time_entry_by_id);
entry_of!(log_time, LogTime, log_time);
entry_of!(update_time_entry, UpdateTimeEntry, update_time_entry);
entry_of!(move_task_to_project, MoveTaskToProject, move_task_to_project);
entry_of!(submit_time_entry, SubmitTimeEntry, submit_time_entry);

impl From<&NewEntry> for log_time::LogTimeInput {
    /// Converts a request to the input of the API. The evidence is left out, because it is never sent.
    fn from(entry: &NewEntry) -> Self {
        let tags = entry
            .tags
            .iter()
            .map(|Tag { name, value }| log_time::TagInput { name: name.clone(), value: value.clone() });
        Self {
            project_code: entry.project_code.clone(),
            task: entry.task.clone(),
            issue_id: entry.issue_id.clone(),
            standard_hours: entry.standard_hours,
            overtime_hours: Some(entry.overtime_hours),
            description: entry.description.clone(),
            start_date: entry.start_date,
            completion_date: entry.completion_date,
            tags: Some(tags.collect()),
        }
    }
}

impl From<Changes> for update_time_entry::UpdateTimeEntryInput {
    fn from(changes: Changes) -> Self {
        let tag = |Tag { name, value }| update_time_entry::TagInput { name, value };
        Self {
            task: changes.task,
            issue_id: changes.issue_id,
            standard_hours: changes.standard_hours,
            overtime_hours: changes.overtime_hours,
            description: changes.description,
            start_date: changes.start_date,
            completion_date: changes.completion_date,
            tags: changes.tags.map(|tags| tags.into_iter().map(tag).collect()),
        }
    }
}

impl From<projects::ProjectsProjects> for Project {
    fn from(project: projects::ProjectsProjects) -> Self {
        let task = |task: projects::ProjectsProjectsAvailableTasks| ProjectTask {
            name: task.task_name,
            is_active: task.is_active,
        };
        let tag = |tag: projects::ProjectsProjectsTags| ProjectTag {
            name: tag.tag_name,
            is_required: tag.is_required,
            is_active: tag.is_active,
            allowed_values: tag.allowed_values.into_iter().map(|value| value.value).collect(),
        };
        Self {
            code: project.code,
            name: project.name,
            is_active: project.is_active,
            tasks: project.available_tasks.into_iter().map(task).collect(),
            tags: project.tags.into_iter().map(tag).collect(),
        }
    }
}
