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
    description: "Drafts the hours of a day from what was done, and logs what you agree to.",
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
        Step::always(format!("Call {suggest}: rows of hours that are not logged yet, with what named each.")),
        Step::new(
            ["get_daily_summary"],
            format!("Only where rows have no project or a low confidence, call {summary} to see what they were."),
        )
        .or(
            ["get_activity_narrative"],
            format!("Only where rows have no project or a low confidence, call {narrative} to see what they were."),
        ),
        Step::new(
            ["get_available_projects"],
            "Where a row has no project or task, offer what fits of `get_available_projects`; invent none.",
        ),
        Step::always(
            "Show the rows as a short table: hours, project and task, description. Say what is left out, and what is \
             uncertain. Ask which to log, and change what the user wants otherwise.",
        ),
        Step::new(
            ["log_time"],
            "Log only what the user agreed to: `log_time` with draft and rows; a row that is to be otherwise in a call \
             of its own, with what changes. A row that has changed since is refused: draft the day again.",
        ),
        Step::new(["query_time_entries"], format!("Close with what is logged now: {logged}.")),
        Step::new(["submit_time_entry"], "Do not submit anything unless the user asks for it."),
    ];
    Ok((format!("Log my hours for {start}."), steps))
}
