//! The picture of a chat: questions, the calls that answer them, and the relevant values of the responses.

use serde_json::Value;

use super::super::parts::compare;
use super::super::shell::Histories;
use super::text_style::{Line, TextStyle};
use super::{FOLDER, svg};
use crate::mcp::session::{Session, VERSIONS};

const QUESTION: TextStyle = TextStyle { color: 0xff_d58a, bold: true };
const TOOL: TextStyle = TextStyle { color: 0x82_c4ff, bold: false };

/// Calls the tool that answers a question, and returns the question, the call and the response as lines.
async fn question_with_answer(
    session: &Session,
    question: &str,
    tool: &str,
    arguments: &[(&str, &str)],
) -> (Vec<Line>, Value) {
    // A value that isn't an object is already text.
    let json = |value: &str| serde_json::from_str(value).ok().filter(Value::is_object).unwrap_or_else(|| value.into());
    let argument_texts: Vec<_> = arguments.iter().map(|(name, value)| format!("\"{name}\": {}", json(value))).collect();
    let lines = vec![
        Line::default().append(question, QUESTION),
        Line::default()
            .append("  ", TextStyle::PLAIN)
            .append(tool, TOOL)
            .append(&format!(" {{{}}}", argument_texts.join(", ")), TextStyle::FAINT),
    ];
    let arguments = arguments.iter().map(|(name, value)| ((*name).to_owned(), json(value))).collect();
    (lines, session.answer(tool, Value::Object(arguments)).await)
}

fn number(value: &Value) -> String {
    format!("{:.1}", value.as_f64().unwrap())
}

fn clock(instant: &Value) -> &str {
    &instant.as_str().unwrap()[11..16]
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn answer_line(name: &str, value: &str) -> Line {
    Line::default()
        .append("    ", TextStyle::PLAIN)
        .append(&format!("{name:<20}"), TextStyle::FAINT)
        .append(value, TextStyle::PLAIN)
}

async fn afternoon(session: &Session) -> Vec<Line> {
    let arguments = [("startDate", "2026-11-20T12:00"), ("endDate", "2026-11-20T17:00"), ("detail", "blocks")];
    let question = "What did I do on Friday between noon and five?";
    let (mut lines, answer) = question_with_answer(session, question, "get_activity_narrative", &arguments).await;
    lines.push(answer_line("totalActiveMinutes", &number(&answer["totalActiveMinutes"])));
    for block in answer["segments"].as_array().unwrap() {
        let about = if block["subject"].is_null() { text(&block["application"]) } else { text(&block["subject"]) };
        let with = text(&block["document"]);
        let with = if with.is_empty() { text(&block["website"]) } else { with };
        let times = format!("{}–{}", clock(&block["start"]), clock(&block["end"]));
        let row = format!("{:>7}   {about:<45}{with}", number(&block["durationMinutes"]));
        lines.push(
            Line::default()
                .append("    ", TextStyle::PLAIN)
                .append(&times, TextStyle::FAINT)
                .append(&row, TextStyle::PLAIN),
        );
    }
    lines
}

async fn site(session: &Session) -> Vec<Line> {
    let arguments = [("startDate", "2026-W46"), ("filter", r#"{"site":"github.com"}"#)];
    let question = "How much of last week went to GitHub?";
    let (mut lines, answer) = question_with_answer(session, question, "get_period_summary", &arguments).await;
    lines.push(answer_line("matchingMinutes", &number(&answer["matchingMinutes"])));
    lines.push(answer_line("totalActiveMinutes", &number(&answer["totalActiveMinutes"])));
    for tag in answer["aggregate"]["topTags"].as_array().unwrap().iter().take(3) {
        lines.push(answer_line("topTags", &format!("{:>5}  {}", number(&tag["totalMinutes"]), text(&tag["name"]))));
    }
    lines
}

async fn longest(session: &Session) -> Vec<Line> {
    let question = "Which day of this month was the longest?";
    let (mut lines, answer) =
        question_with_answer(session, question, "get_period_summary", &[("startDate", "2026-11")]).await;
    let busiest = &answer["aggregate"]["busiestDay"];
    let days = answer["days"].as_array().unwrap();
    let day = days.iter().find(|day| day["date"] == *busiest).unwrap();
    lines.push(answer_line("busiestDay", text(busiest)));
    lines.push(answer_line("totalActiveMinutes", &number(&day["totalActiveMinutes"])));
    lines.push(answer_line("topApp", text(&day["topApp"])));
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn picture_shows_the_responses_of_the_server() {
    let histories = Histories::get_shared();
    let session = Session::demo(histories.home(""), VERSIONS[0].clone(), &[], &[]).await;
    let [afternoon, site, longest] = [afternoon(&session).await, site(&session).await, longest(&session).await];
    session.end().await;
    let sheet = [afternoon, site, longest].join(&Line::default());
    compare(&format!("{FOLDER}/assistant.svg"), |_| svg::picture("The server's response to an assistant", &sheet));
}
