//! `update_time_entry`.

use dayledger_timesheet::{Changes, Hours};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::entry_parameters::{Date, EntryId, Session, Tags, overlaps};
use crate::{
    mcp::{
        tool::{Caller, DataTool, Effect},
        toolset::Toolset,
    },
    request::Error,
    timesheet::UpdateRequest,
};

/// Changes an entry.
pub(super) struct UpdateTimeEntry;

/// The entry and its new values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Parameters {
    id: EntryId,
    updates: Updates,
    /// Allow more than 24 hours a day.
    #[serde(default)]
    allow_overlaps: bool,
    session: Option<Session>,
}

/// New values. Omitted fields stay unchanged; tags replaces all tags.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Updates {
    /// Task of the same project, case-sensitive.
    task: Option<String>,
    /// Ticket, such as JIRA-123.
    issue_id: Option<String>,
    /// Regular hours, without overtime.
    #[schemars(range(min = 0))]
    standard_hours: Option<Hours>,
    /// Overtime hours.
    #[schemars(range(min = 0))]
    overtime_hours: Option<Hours>,
    /// What was done.
    description: Option<String>,
    /// First day, such as 2025-10-24.
    start_date: Option<Date>,
    /// Last day, inclusive.
    completion_date: Option<Date>,
    tags: Option<Tags>,
}

/// The fields of [`Updates`], which can also be passed next to `id`.
const FIELDS: [&str; 8] =
    ["task", "issueId", "standardHours", "overtimeHours", "description", "startDate", "completionDate", "tags"];

impl DataTool for UpdateTimeEntry {
    const NAME: &'static str = "update_time_entry";
    const TITLE: &'static str = "Change an entry";
    const DESCRIPTION: &'static str = "Changes fields of an entry that is NOT_REPORTED (open) or DECLINED. Use it to \
                                       correct hours, days, tags or text. For another project call \
                                       move_task_to_project.";
    const TOOLSET: Toolset = Toolset::Timesheet;
    const EFFECT: Effect = Effect::Changes;
    /// An empty text clears a field.
    const MAY_BE_EMPTY: &'static [&'static str] = &FIELDS;
    type Parameters = Parameters;
    type Request = UpdateRequest;

    fn normalize_arguments(mut arguments: JsonObject) -> JsonObject {
        let flat: Vec<_> = FIELDS.iter().filter_map(|field| arguments.remove_entry(*field)).collect();
        if let Some(Value::String(text)) = arguments.get("updates")
            && let Ok(updates @ Value::Object(_)) = serde_json::from_str(text)
        {
            arguments.insert("updates".to_owned(), updates);
        }
        if !flat.is_empty() {
            let updates = arguments.entry("updates").or_insert_with(|| JsonObject::new().into());
            if let Value::Object(updates) = updates {
                for (field, value) in flat {
                    updates.entry(field).or_insert(value);
                }
            }
        }
        arguments
    }

    fn request(parameters: Parameters) -> Result<UpdateRequest, Error> {
        let Updates { task, issue_id, standard_hours, overtime_hours, description, start_date, completion_date, tags } =
            parameters.updates;
        Ok(UpdateRequest {
            entry: parameters.id.entry("id")?,
            changes: Changes {
                task,
                issue_id,
                standard_hours,
                overtime_hours,
                description,
                start_date: Date::day(start_date.as_ref(), "startDate")?,
                completion_date: Date::day(completion_date.as_ref(), "completionDate")?,
                tags: Tags::parse(tags)?,
            },
            overlaps: overlaps(parameters.allow_overlaps),
            call_session: Session::to_call_session(parameters.session.as_ref())?,
        })
    }

    fn with_caller(request: UpdateRequest, caller: &Caller) -> UpdateRequest {
        UpdateRequest { call_session: request.call_session.or(caller.call_session), ..request }
    }
}
