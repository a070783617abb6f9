//! `screenshot_investigation`.

use chrono::{NaiveDateTime, TimeDelta};
use serde_json::json;

use super::{
    arguments::{Argument, CompletionSource, DEVICE, PromptArguments},
    prompt::{IN_NAMES, NO_ACTIVITY_TOOL, PromptContent, PromptEntry},
    steps::{Step, call},
};
use crate::request::{DateRange, Error, parse_moment};

/// How far before and after the moment activities are listed.
const ACTIVITIES_AROUND: TimeDelta = TimeDelta::minutes(15);
/// How far before and after the moment screenshots are listed (contract, `screenshot_investigation`).
const SCREENSHOTS_AROUND: TimeDelta = TimeDelta::minutes(5);

pub(super) const PROMPT: PromptEntry = PromptEntry {
    name: "screenshot_investigation",
    title: "Investigate a moment",
    description: "Explains one moment, from the activities around it and from screenshots if there are any.",
    needs: None,
    arguments: &[
        Argument {
            name: "datetime",
            title: "Moment",
            description: "Local date and time, such as 2025-01-15T14:30.",
            required: true,
            completes: CompletionSource::Moment,
        },
        DEVICE,
    ],
    render: render_prompt,
};

fn render_prompt(given: &PromptArguments) -> Result<PromptContent, Error> {
    let moment = parse_moment(given.text("datetime"), "datetime")?;
    let device = given.device();
    let (near, close) = (range_around(moment, ACTIVITIES_AROUND)?, range_around(moment, SCREENSHOTS_AROUND)?);
    let narrative = call(
        "get_activity_narrative",
        json!({"startDate": near.start_text(), "endDate": near.end_text(), "includeTitles": true, "device": device}),
    );
    let summary =
        call("get_daily_summary", json!({"date": moment.date().to_string(), "includeTitles": true, "device": device}));
    let screenshots =
        call("list_screenshots", json!({"startDate": close.start_text(), "endDate": close.end_text(), "maxCount": 5}));
    let steps = vec![
        Step::new(
            ["get_activity_narrative"],
            format!("Call {narrative}: applications, documents and websites around that moment."),
        )
        .or(["get_daily_summary"], format!("Call {summary} and find the segments around that moment."))
        .or([], NO_ACTIVITY_TOOL),
        Step::new(
            ["list_screenshots", "get_screenshot"],
            format!(
                "Call {screenshots}. Look at the nearest one with `get_screenshot`, and at no more than 3 in total. \
                 If there are none, `diagnostics` contains the reason and the nearest ones. If these are too far away, \
                 continue without screenshots."
            ),
        )
        .or([], "Screenshots are not available; use the activities alone."),
        Step::new(
            ["get_screenshot", "crop_screenshot"],
            "If small print matters, call `crop_screenshot` with the region in percent.",
        ),
        Step::always(format!("Explain the activity, and separate facts from guesses. {IN_NAMES}")),
    ];
    Ok((format!("What was I doing at {}?", moment.format("%Y-%m-%dT%H:%M")), steps))
}

fn range_around(moment: NaiveDateTime, reach: TimeDelta) -> Result<DateRange, Error> {
    let start = moment.checked_sub_signed(reach).unwrap_or(moment);
    let end = moment.checked_add_signed(reach).unwrap_or(moment);
    DateRange::new(start, end, "datetime")
}
