//! All prompts.

use chrono::{NaiveDateTime, TimeDelta};
use dayledger_core::local_days::LocalDays;
use dayledger_notes::prompt::Template;
use serde_json::json;

use super::prompt::{
    ABOUT, Argument, CompletionSource, DEVICE, IN_NAMES, NO_ACTIVITY_TOOL, PromptArguments, PromptContent, PromptEntry,
    Step, call,
};
use crate::activity::MAX_PERIOD_DAYS;
use crate::notes::prompt_text;
use crate::request::{DateRange, Error, parse_date, parse_moment};

/// All prompts, in the order of the list.
pub(super) const INVENTORY: [PromptEntry; 7] = [
    DAILY_REVIEW,
    WEEKLY_REVIEW,
    SCREENSHOT_INVESTIGATION,
    LOG_MY_DAY,
    STANDARD_NOTES,
    FOCUSED_NOTES,
    STRUCTURED_NOTES,
];

/// The day, an argument of several prompts.
const DATE: Argument = Argument {
    name: "date",
    title: "Day",
    description: "Local date, such as 2025-01-15.",
    required: true,
    completes: CompletionSource::Day,
};

const DAILY_REVIEW: PromptEntry = PromptEntry {
    name: "daily_review",
    title: "Review a day",
    description: "Reviews a day: total time, main activities, course of the day, notable patterns.",
    needs: None,
    arguments: &[DATE, DEVICE, ABOUT],
    render: render_daily_review,
};

fn render_daily_review(given: &PromptArguments) -> Result<PromptContent, Error> {
    let day = DateRange::day(parse_date(given.text("date"), "date")?);
    let (start, end, device, filter) = (day.start_text(), day.end_text(), given.device(), given.filter());
    let range = json!({"startDate": start, "endDate": end, "filter": filter});
    let summary = call("get_daily_summary", json!({"date": start, "device": device, "filter": filter}));
    let narrative = call(
        "get_activity_narrative",
        json!({"startDate": start, "endDate": end, "includeSummary": true, "device": device, "filter": filter}),
    );
    let usage = call("get_application_usage", range.clone());
    let tags = call("get_tags", range);
    let screenshots = call("list_screenshots", json!({"startDate": start, "endDate": end, "maxCount": 5}));
    let steps = vec![
        Step::new(
            ["get_daily_summary"],
            format!("Call {summary}: total, top applications and websites, and the course of the day."),
        )
        .or(["get_activity_narrative"], format!("Call {narrative}: total, top lists, and the course of the day."))
        .or(["get_application_usage"], format!("Call {usage}: {}.", usage_kind(given)))
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
    Ok((format!("Summarize my activities for {start}{}.", subject(given)), steps))
}

const WEEKLY_REVIEW: PromptEntry = PromptEntry {
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
        ABOUT,
    ],
    render: render_weekly_review,
};

fn render_weekly_review(given: &PromptArguments) -> Result<PromptContent, Error> {
    let range = DateRange::parse(given.text("startDate"), given.text("endDate"), ("startDate", "endDate"))?
        .check_max_days(MAX_PERIOD_DAYS, "endDate")?;
    let (start, end, device, filter) = (range.start_text(), range.end_text(), given.device(), given.filter());
    let summary =
        call("get_period_summary", json!({"startDate": start, "endDate": end, "device": device, "filter": filter}));
    let narrative = call(
        "get_activity_narrative",
        json!({"startDate": start, "endDate": end, "includeSummary": true, "minDurationMinutes": 15, "device": device,
            "filter": filter}),
    );
    let usage = call(
        "get_application_usage",
        json!({"startDate": start, "endDate": end, "breakdown": "day", "filter": filter}),
    );
    let usage_kind = usage_kind(given);
    let same_filter = filter.map_or(String::new(), |filter| format!(", \"filter\":{filter}"));
    let steps = vec![
        Step::new(
            ["get_period_summary"],
            format!("Call {summary}: days, top applications and websites, weekdays, busiest and quietest day."),
        )
        .or(["get_activity_narrative"], format!("Call {narrative}: total, top lists, and the longer segments."))
        .or(["get_application_usage"], format!("Call {usage}: {usage_kind}."))
        .or([], NO_ACTIVITY_TOOL),
        Step::new(
            ["get_daily_summary"],
            format!(
                "Only for unusual days, at most two, call `get_daily_summary` with the date{same_filter} and \
                 \"includeSegments\":false."
            ),
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
    Ok((format!("Summarize my activities from {start} up to, but not including, {end}{}.", subject(given)), steps))
}

/// Returns the description of the time in the response of `get_application_usage`. With a filter, it is active time.
fn usage_kind(given: &PromptArguments) -> &'static str {
    match given.filter() {
        Some(_) => "active time of each application",
        None => "recorded time, which includes time away; mention that",
    }
}

/// Returns the end of the request for a subject, or an empty text without a subject.
fn subject(given: &PromptArguments) -> String {
    given.get(ABOUT.name).map_or(String::new(), |about| format!(", only about {}", json!(about)))
}

/// The length of time before and after the investigated moment. Activities in this time are listed.
const ACTIVITIES_AROUND: TimeDelta = TimeDelta::minutes(15);
/// The length of time before and after the investigated moment. Screenshots in this time are listed (contract,
/// `screenshot_investigation`).
const SCREENSHOTS_AROUND: TimeDelta = TimeDelta::minutes(5);

const SCREENSHOT_INVESTIGATION: PromptEntry = PromptEntry {
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
    render: render_screenshot_investigation,
};

fn render_screenshot_investigation(given: &PromptArguments) -> Result<PromptContent, Error> {
    let moment = parse_moment(given.text("datetime"), "datetime")?;
    let device = given.device();
    let (near, close) = (range_around(moment, ACTIVITIES_AROUND)?, range_around(moment, SCREENSHOTS_AROUND)?);
    let narrative = call(
        "get_activity_narrative",
        json!({"startDate": near.start_text(), "endDate": near.end_text(), "includeTitles": true, "device": device}),
    );
    let summary = call(
        "get_daily_summary",
        json!({"date": LocalDays::current().day_of(moment).to_string(), "includeTitles": true, "device": device}),
    );
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

const LOG_MY_DAY: PromptEntry = PromptEntry {
    name: "log_my_day",
    title: "Log a day",
    description: "Drafts the hours of a day from your activity, and logs the rows that you approve.",
    needs: Some("suggest_time_entries"),
    arguments: &[DATE],
    render: render_log_my_day,
};

fn render_log_my_day(given: &PromptArguments) -> Result<PromptContent, Error> {
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

const STANDARD_NOTES: PromptEntry =
    notes_entry(Template::STANDARD, "Process notes", |given| render_notes(Template::STANDARD, given));
const FOCUSED_NOTES: PromptEntry =
    notes_entry(Template::FOCUSED, "Process notes of a 1:1", |given| render_notes(Template::FOCUSED, given));
const STRUCTURED_NOTES: PromptEntry =
    notes_entry(Template::STRUCTURED, "Process notes for an audit", |given| render_notes(Template::STRUCTURED, given));

const fn notes_entry(
    template: Template,
    title: &'static str,
    render: fn(&PromptArguments) -> Result<PromptContent, Error>,
) -> PromptEntry {
    PromptEntry {
        name: template.name,
        title,
        description: template.description,
        needs: Some("process_meeting"),
        arguments: &[NOTES, DURATION],
        render,
    }
}

const NOTES: Argument = Argument {
    name: "notes",
    title: "Raw notes",
    description: "Raw notes, with markers at the start of lines.",
    required: true,
    completes: CompletionSource::Nothing,
};

const DURATION: Argument = Argument {
    name: "duration",
    title: "Minutes",
    description: "Length of the meeting in minutes.",
    required: false,
    completes: CompletionSource::Nothing,
};

/// Returns a prompt without steps, because the client has already passed the notes.
fn render_notes(template: Template, given: &PromptArguments) -> Result<PromptContent, Error> {
    Ok((prompt_text(template, given.text(NOTES.name), given.get(DURATION.name))?, Vec::new()))
}
