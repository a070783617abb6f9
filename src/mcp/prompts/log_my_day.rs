//! `log_my_day`.

use serde_json::json;

use super::{
    arguments::{Argument, CompletionSource, PromptArguments},
    prompt::{PromptContent, PromptEntry},
    steps::{Step, call},
};
use crate::request::{DateRange, Error, parse_date};

pub(super) const PROMPT: PromptEntry = PromptEntry {
    name: "log_my_day",
    title: "Log a day",
    description: "Drafts the hours of a day from your activity, and logs the rows that you approve.",
    needs: Some("suggest_time_entries"),
    arguments: &[Argument {
        name: "date",
        title: "Day",
        description: "Local date, such as 2025-01-15.",
        required: true,
        completes: CompletionSource::Day,
    }],
    render: render_prompt,
};

fn render_prompt(given: &PromptArguments) -> Result<PromptContent, Error> {
    let day = DateRange::day(parse_date(given.text("date"), "date")?);
    let (start, end) = (day.start_text(), day.end_text());
    let suggest = call("suggest_time_entries", json!({"startDate": start}));
    let logged = call("query_time_entries", json!({"startDate": start, "endDate": start}));
    let summary = call("get_daily_summary", json!({"date": start}));
    let narrative = call("get_activity_narrative", json!({"startDate": start, "endDate": end}));
    let steps = vec![
        Step::always(format!(
            "Call {suggest}: rows with hours that are not logged yet, and the reason for each project."
        )),
        Step::new(
            ["get_daily_summary"],
            format!("Only if rows lack a project or have a low confidence, call {summary} to see their activities."),
        )
        .or(
            ["get_activity_narrative"],
            format!("Only if rows lack a project or have a low confidence, call {narrative} to see their activities."),
        ),
        Step::new(
            ["get_available_projects"],
            "If a row lacks a project or task, offer matching ones from `get_available_projects`. Do not invent any.",
        ),
        Step::always(
            "Show the rows as a short table: hours, project and task, description. Mention skipped time and uncertain \
             rows. Ask which rows to log, and make the changes that the user requests.",
        ),
        Step::new(
            ["log_time"],
            "Log only rows that the user approved: `log_time` with draft and rows, and each changed row in a separate \
             call with its new values. If a row is refused because its history has changed, draft the day again.",
        ),
        Step::new(["query_time_entries"], format!("Finally, show the logged entries: {logged}.")),
        Step::new(["submit_time_entry"], "Do not submit anything unless the user asks for it."),
    ];
    Ok((format!("Log my hours for {start}."), steps))
}
