//! One page about the time of one client, for sending: hours by task and by day, and nothing else of the history.

use chrono::NaiveDateTime;
use maud::{Markup, html};

use super::super::text::duration;
use super::colors::Colors;
use super::coverage::{covered, week};
use super::document::{MAKER, document};
use super::names::shown;
use super::section::section;
use crate::activity::{DayOfClient, HoursOfClient, NamedTotal};
use crate::question::{DateRange, Minutes};

/// A page for sending. It is made of the client's own hours alone, so that nothing of others can be in it.
#[derive(Debug, Clone, Copy)]
pub struct ClientPage<'a> {
    /// Whose time it tells.
    pub client: &'a HoursOfClient,
    /// What it covers.
    pub range: DateRange,
    /// Its heading, where it is not the client's name.
    pub title: Option<&'a str>,
    /// When it is made, local.
    pub made: NaiveDateTime,
}

impl ClientPage<'_> {
    /// The page as a file's text. Hours are rounded once, from exact seconds.
    pub fn text(&self) -> String {
        let Self { client, range, made, .. } = self;
        let title = shown(self.title.unwrap_or(&client.name));
        let has_tasks = client.tasks.iter().any(|task| !task.name.is_empty());
        let shared = client.tasks.iter().map(|task| task.total_minutes.seconds()).sum::<i64>() > client.total.seconds();
        let body = html! {
            header.page {
                p.week { (covered(range)) @if let Some(week) = week(range) { ", week " (week) } }
                h1 { (title) }
                dl.figures {
                    div {
                        dt { "Hours" }
                        dd { b { (hours(client.total)) } small { (duration(client.total)) } }
                    }
                    div { dt { "Days" } dd { b { (client.days.len()) } } }
                }
            }
            main.hours {
                @if has_tasks { (section("tasks", "By task", &self.by_task())) }
                (section("days", "By day", &self.by_day(has_tasks)))
            }
            footer {
                p {
                    "Hours are decimal, each rounded by itself from seconds, so that rounded hours can add up to a little more or less."
                    @if shared { " Time of two tasks at once counts once in the totals." }
                }
                p { "Made by " (MAKER) " on " (made.format("%-d %B %Y").to_string()) "." }
            }
        };
        document(&title, &body, &Colors::default())
    }

    fn by_task(&self) -> Markup {
        html! {
            table {
                (head("Task", None))
                tbody {
                    @for NamedTotal { name, total_minutes } in &self.client.tasks {
                        tr { th scope="row" { bdi { (named(name)) } } (time(*total_minutes)) }
                    }
                }
                (self.foot(false))
            }
        }
    }

    fn by_day(&self, has_tasks: bool) -> Markup {
        html! {
            table {
                (head("Day", has_tasks.then_some("Tasks")))
                tbody {
                    @for day in &self.client.days {
                        tr {
                            th scope="row" {
                                time datetime=(day.date.to_string()) { (day.date.format("%a %-d %b %Y").to_string()) }
                            }
                            @if has_tasks { td { (tasks(day)) } }
                            (time(day.total))
                        }
                    }
                }
                (self.foot(has_tasks))
            }
        }
    }

    fn foot(&self, has_tasks: bool) -> Markup {
        html! {
            tfoot { tr { th scope="row" { "Total" } @if has_tasks { td {} } (time(self.client.total)) } }
        }
    }
}

fn head(first: &str, second: Option<&str>) -> Markup {
    html! {
        thead {
            tr {
                th scope="col" { (first) }
                @if let Some(second) = second { th scope="col" { (second) } }
                th.number scope="col" { "Hours" }
                th.number scope="col" { "Time" }
            }
        }
    }
}

fn time(length: Minutes) -> Markup {
    html! { td.number { b { (hours(length)) } } td.number { (duration(length)) } }
}

/// The tasks of a day; with their hours where there are several.
fn tasks(day: &DayOfClient) -> Markup {
    html! {
        @match day.tasks.as_slice() {
            [task] => bdi { (named(&task.name)) },
            tasks => {
                @for (number, task) in tasks.iter().enumerate() {
                    @if number > 0 { " · " }
                    span.piece { bdi { (named(&task.name)) } " " (hours(task.total_minutes)) }
                }
            }
        }
    }
}

/// The name of a task; time may have the client's tag alone.
fn named(task: &str) -> String {
    if task.is_empty() { "Without a task".to_owned() } else { shown(task) }
}

/// Hours with two decimals, rounded half up from exact seconds.
fn hours(length: Minutes) -> String {
    let hundredths = (length.seconds().max(0).saturating_mul(100) + 1800) / 3600;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MONTH, made};
    use super::*;
    use crate::question::minutes;

    fn total(name: &str, seconds: i64) -> NamedTotal {
        NamedTotal { name: name.to_owned(), total_minutes: minutes(seconds) }
    }

    fn drawn(client: &HoursOfClient, title: Option<&str>) -> String {
        let range = DateRange::parse(MONTH.0, MONTH.1, ("", "")).unwrap();
        ClientPage { client, range, title, made: made() }.text()
    }

    fn client(tasks: Vec<NamedTotal>) -> HoursOfClient {
        let date = "2025-01-15".parse().unwrap();
        let day = DayOfClient { date, total: minutes(9017), tasks: tasks.clone() };
        HoursOfClient { name: "Acme <b>".to_owned(), total: minutes(9017), tasks, days: vec![day] }
    }

    #[test]
    fn hours_are_rounded_once_half_up() {
        assert_eq!(
            [0, 17, 18, 3600, 9017, 9018, 360_000].map(|seconds| hours(minutes(seconds))),
            ["0.00", "0.00", "0.01", "1.00", "2.50", "2.51", "100.00"]
        );
    }

    #[test]
    fn a_page_for_a_client_tells_hours_by_task_and_by_day() {
        let page = drawn(&client(vec![total("Design", 5417), total("", 3600)]), None);
        assert!(page.contains("<p class=\"week\">January 2025</p><h1>Acme &lt;b&gt;</h1>"), "{page}");
        assert!(
            page.contains("<bdi>Design</bdi></th><td class=\"number\"><b>1.50</b></td><td class=\"number\">1 h 30 min")
        );
        assert!(page.contains("Wed 15 Jan 2025") && page.contains("<bdi>Without a task</bdi> 1.00</span>"));
        assert!(!page.contains("Time of two tasks"), "they add up");
        let shared = drawn(&client(vec![total("Design", 9017), total("Calls", 600)]), Some("Invoice 17"));
        assert!(shared.contains("<h1>Invoice 17</h1>") && shared.contains("Time of two tasks at once counts once"));
        assert!(!shared.contains("Acme"), "a heading of one's own takes the place of the name");
    }

    #[test]
    fn a_client_without_tasks_has_no_column_for_them() {
        let page = drawn(&client(vec![total("", 9017)]), None);
        assert!(!page.contains("Task") && !page.contains("Without a task"), "{page}");
        assert_eq!(page.matches("<b>2.50</b>").count(), 3, "at the top, of the day and of all");
    }
}
