//! `daily_review`.

use serde_json::json;

use super::{
    arguments::{Argument, CompletionSource, DEVICE, PromptArguments},
    prompt::{IN_NAMES, NO_ACTIVITY_TOOL, PromptContent, PromptEntry},
    steps::{Step, call},
};
use crate::request::{DateRange, Error, parse_date};

pub(super) const PROMPT: PromptEntry = PromptEntry {
    name: "daily_review",
    title: "Review a day",
    description: "Reviews a day: total time, main activities, course of the day, notable patterns.",
    needs: None,
    arguments: &[
        Argument {
            name: "date",
            title: "Day",
            description: "Local date, such as 2025-01-15.",
            required: true,
            completes: CompletionSource::Day,
        },
        DEVICE,
    ],
    render: render_prompt,
};

fn render_prompt(given: &PromptArguments) -> Result<PromptContent, Error> {
    let day = DateRange::day(parse_date(given.text("date"), "date")?);
    let (start, end, device) = (day.start_text(), day.end_text(), given.device());
    let range = json!({"startDate": start, "endDate": end});
    let summary = call("get_daily_summary", json!({"date": start, "device": device}));
    let narrative = call(
        "get_activity_narrative",
        json!({"startDate": start, "endDate": end, "includeSummary": true, "device": device}),
    );
    let usage = call("get_application_usage", range.clone());
    let tags = call("get_tags", range.clone());
    let screenshots = call("list_screenshots", json!({"startDate": start, "endDate": end, "maxCount": 5}));
    let steps = vec![
        Step::new(
            ["get_daily_summary"],
            format!("Call {summary}: total, top applications and websites, and the course of the day."),
        )
        .or(["get_activity_narrative"], format!("Call {narrative}: total, top lists, and the course of the day."))
        .or(["get_application_usage"], format!("Call {usage}: recorded time, which includes time away; mention that."))
        .or([], NO_ACTIVITY_TOOL),
        Step::new(
            ["get_tags"],
            format!("Only if clients or projects matter, call {tags}; do not add tagged time to active time."),
        ),
        Step::new(
            ["list_screenshots", "get_screenshot"],
            format!(
                "Only if something remains unclear, call {screenshots} and look at no more than 2 screenshots with \
                 `get_screenshot`."
            ),
        ),
        Step::new(
            ["crop_screenshot", "save_screenshot"],
            "Read small print with `crop_screenshot`. Save a screenshot with `save_screenshot` only if the user asks \
             for it.",
        ),
        Step::always(format!(
            "Write a short review: total time, main activities, the course of the day in a few lines, notable \
             patterns. {IN_NAMES}"
        )),
    ];
    Ok((format!("Summarize my activities for {start}."), steps))
}
