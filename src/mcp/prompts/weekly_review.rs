//! `weekly_review`.

use serde_json::json;

use super::{
    arguments::{Argument, CompletionSource, DEVICE, PromptArguments},
    prompt::{IN_NAMES, NO_ACTIVITY_TOOL, PromptContent, PromptEntry},
    steps::{Step, call},
};
use crate::activity::MAX_PERIOD_DAYS;
use crate::request::{DateRange, Error};

pub(super) const PROMPT: PromptEntry = PromptEntry {
    name: "weekly_review",
    title: "Review a week",
    description: "Reviews a week, or up to 31 days: totals, busiest and quietest day, patterns.",
    needs: None,
    arguments: &[
        Argument {
            name: "startDate",
            title: "First day",
            description: "Local date, such as 2025-01-13.",
            required: true,
            completes: CompletionSource::Day,
        },
        Argument {
            name: "endDate",
            title: "Day after the last",
            description: "Local date, exclusive, at most 31 days later: 2025-01-20 for the week from 2025-01-13.",
            required: true,
            completes: CompletionSource::DayAfter,
        },
        DEVICE,
    ],
    render: render_prompt,
};

fn render_prompt(given: &PromptArguments) -> Result<PromptContent, Error> {
    let range = DateRange::parse(given.text("startDate"), given.text("endDate"), ("startDate", "endDate"))?
        .check_max_days(MAX_PERIOD_DAYS, "endDate")?;
    let (start, end, device) = (range.start_text(), range.end_text(), given.device());
    let summary = call("get_period_summary", json!({"startDate": start, "endDate": end, "device": device}));
    let narrative = call(
        "get_activity_narrative",
        json!({"startDate": start, "endDate": end, "includeSummary": true, "minDurationMinutes": 15, "device": device}),
    );
    let usage = call("get_application_usage", json!({"startDate": start, "endDate": end, "breakdown": "day"}));
    let steps = vec![
        Step::new(
            ["get_period_summary"],
            format!("Call {summary}: days, top applications and websites, weekdays, busiest and quietest day."),
        )
        .or(["get_activity_narrative"], format!("Call {narrative}: total, top lists, and the longer segments."))
        .or(["get_application_usage"], format!("Call {usage}: recorded time, which includes time away; mention that."))
        .or([], NO_ACTIVITY_TOOL),
        Step::new(
            ["get_daily_summary"],
            "Only for unusual days, at most two, call `get_daily_summary` with the date and \"includeSegments\":false.",
        ),
        Step::new(
            ["list_screenshots", "get_screenshot"],
            "Screenshots are optional: for those days only, choose with `list_screenshots` (\"maxCount\":5) and look \
             at no more than 2 in total with `get_screenshot`.",
        ),
        Step::new(
            ["crop_screenshot", "save_screenshot"],
            "Read small print with `crop_screenshot`. Save a screenshot with `save_screenshot` only if the user asks \
             for it.",
        ),
        Step::always(format!(
            "Write a short overview: total active hours, busiest and quietest day, main applications and websites, \
             differences between the days. {IN_NAMES}"
        )),
    ];
    Ok((format!("Summarize my activities from {start} up to, but not including, {end}."), steps))
}
