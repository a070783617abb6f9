//! Writes a page about the time of one client, which the user can send to the client. The page contains hours by task
//! and by day, and no other data from the history. If the timesheet contains hours for the client, these hours come
//! first, because they are billed. Their descriptions are shown too.

use std::collections::BTreeSet;

use chrono::{NaiveDate, NaiveDateTime};
use dayledger_timesheet::billing::{Amounts, Price};
use dayledger_timesheet::{Hours, TimeEntry};
use maud::{Markup, html};

use super::super::text::{decimal, duration, duration_with_away};
use super::colors::Colors;
use super::document::Head::{self, Number, Text};
use super::document::{GENERATOR, document, figure, heads, section};
use super::names::{display_name, entry_text, iso_week, range_name};
use dayledger_activity::{ClientDay, ClientSummary};
use dayledger_request::{DateRange, Minutes};
use dayledger_timesheet_service::{ClientEntry, LoggedHours};

/// The text that is shown instead of an amount if hours aren't billed.
const NOT_BILLED: &str = "not billed";

/// A page for a client. It is built only from the client's hours, so it can't contain data about other clients.
#[derive(Debug, Clone, Copy)]
pub struct ClientPage<'a> {
    /// The hours of the client.
    pub hours: &'a ClientPageHours,
    /// The range that the page covers.
    pub range: DateRange,
    /// The heading. If it is `None`, the heading is the client's name.
    pub title: Option<&'a str>,
    /// Whether the page shows the amounts of logged hours.
    pub shows_amounts: bool,
    /// The local time at which the page is created.
    pub created: NaiveDateTime,
}

/// The hours of one client.
#[derive(Debug, Clone, PartialEq)]
pub enum ClientPageHours {
    /// Hours that were measured from activity.
    Measured(ClientSummary),
    /// Hours that were logged in the timesheet, and the measured hours if there are any.
    Logged(LoggedHours, Option<ClientSummary>),
}

impl ClientPageHours {
    /// Returns the client's name. If there are only logged hours, returns the name of the project.
    pub fn name(&self) -> &str {
        match self {
            Self::Measured(client) | Self::Logged(_, Some(client)) => &client.name,
            Self::Logged(logged, None) => &logged.project,
        }
    }
}

impl ClientPage<'_> {
    /// Returns the content of the HTML file. Each measured time is rounded separately from its exact seconds. Logged
    /// hours are rounded only as configured for the client.
    pub fn text(&self) -> String {
        let Self { hours, range, created, shows_amounts, .. } = self;
        let title = display_name(self.title.unwrap_or(hours.name()));
        let body = html! {
            header.page {
                p.week { (range_name(range)) @if let Some(week) = iso_week(range) { ", week " (week) } }
                h1 { (title) }
                (figures(hours, *shows_amounts))
            }
            main.hours {
                @match hours {
                    ClientPageHours::Measured(client) => (sections(client, ["By task", "By day"])),
                    ClientPageHours::Logged(logged, measured) => {
                        (logged_sections(logged, *shows_amounts))
                        @if let Some(client) = measured {
                            (sections(client, ["Measured time by task", "Measured time by day"]))
                        }
                    }
                }
            }
            footer {
                (remarks(hours))
                p { "Made by " (GENERATOR) " on " (created.format("%-d %B %Y").to_string()) "." }
            }
        };
        document(&title, &body, &Colors::default())
    }
}

fn figures(hours: &ClientPageHours, shows_amounts: bool) -> Markup {
    let amounts = match hours {
        ClientPageHours::Logged(logged, _) if shows_amounts => Some(&logged.amounts),
        _ => None,
    };
    let (length, more, days) = match hours {
        ClientPageHours::Measured(client) => {
            (decimal(client.total), duration_with_away(client.total, client.away), client.days.len())
        }
        ClientPageHours::Logged(logged, _) => (format!("{:.2}", logged.total), String::new(), logged_days(logged)),
    };
    html! {
        dl.figures {
            (figure("Hours", &length, &more))
            (figure("Days", &days.to_string(), ""))
            @if let Some(amounts) = amounts { (figure("Amount", &amounts_text(amounts), "")) }
        }
    }
}

/// Returns remarks about the rounding of measured hours.
fn remarks(hours: &ClientPageHours) -> Markup {
    let measured = match hours {
        ClientPageHours::Measured(client) => Some(client),
        ClientPageHours::Logged(_, measured) => measured.as_ref(),
    };
    let is_shared = measured.is_some_and(|client| {
        client.tasks.iter().map(|task| task.total_minutes.seconds()).sum::<i64>() > client.total.seconds()
    });
    let which = if matches!(hours, ClientPageHours::Measured(_)) { "Hours" } else { "Hours of measured time" };
    html! {
        @if measured.is_some() {
            p {
                (which) " are decimal, each rounded by itself from seconds, so that rounded hours can add up to a little more or less."
                @if is_shared { " Time of two tasks at once counts once in the totals." }
            }
        }
    }
}

/// Returns the two sections of measured time. The section by task has the heading `by_task`, and the section by day has
/// the heading `by_day`.
fn sections(client: &ClientSummary, [by_task, by_day]: [&str; 2]) -> Markup {
    let has_tasks = client.tasks.iter().any(|task| !task.name.is_empty());
    let tasks = client.tasks.iter().map(|task| (task_name(&task.name), time(task.total_minutes)));
    let columns = [Text("Task"), Number("Hours"), Number("Time")];
    html! {
        @if has_tasks { (section("tasks", by_task, &table_of_tasks(&columns, tasks, &time(client.total)))) }
        (section("days", by_day, &table_of_days(client, has_tasks)))
    }
}

/// Returns a table of tasks. A row contains the name of a task and its cells. The last row contains `total`.
fn table_of_tasks(columns: &[Head<'_>], tasks: impl Iterator<Item = (String, Markup)>, total: &Markup) -> Markup {
    html! {
        table {
            (heads(columns))
            tbody { @for (name, cells) in tasks { tr { th scope="row" { bdi { (name) } } (cells) } } }
            tfoot { tr { th scope="row" { "Total" } (total) } }
        }
    }
}

fn table_of_days(client: &ClientSummary, has_tasks: bool) -> Markup {
    let columns = [Some(Text("Day")), has_tasks.then_some(Text("Tasks")), Some(Number("Hours")), Some(Number("Time"))];
    html! {
        table {
            (heads(&columns.into_iter().flatten().collect::<Vec<_>>()))
            tbody {
                @for day in &client.days {
                    tr {
                        th scope="row" { (date(day.date)) }
                        @if has_tasks { td { (tasks(day)) } }
                        (time(day.total))
                    }
                }
            }
            tfoot { tr { th scope="row" { "Total" } @if has_tasks { td {} } (time(client.total)) } }
        }
    }
}

fn time(length: Minutes) -> Markup {
    html! { td.number { b { (decimal(length)) } } td.number { (duration(length)) } }
}

/// Returns the names of a day's tasks. If there are several tasks, each name is followed by its hours.
fn tasks(day: &ClientDay) -> Markup {
    html! {
        @match day.tasks.as_slice() {
            [task] => bdi { (task_name(&task.name)) },
            tasks => {
                @for (number, task) in tasks.iter().enumerate() {
                    @if number > 0 { " · " }
                    span.piece { bdi { (task_name(&task.name)) } " " (decimal(task.total_minutes)) }
                }
            }
        }
    }
}

/// Returns the name of a task for the page. `task` is empty for time that has the client's tag but no task.
fn task_name(task: &str) -> String {
    if task.is_empty() { "Without a task".to_owned() } else { display_name(task) }
}

/// Returns the sections of logged hours, with a column of amounts if `shows_amounts` is set.
fn logged_sections(logged: &LoggedHours, shows_amounts: bool) -> Markup {
    let cells = |hours, amounts| html! { (hours_cell(hours)) @if shows_amounts { (amount_cell(amounts)) } };
    let tasks = logged.tasks.iter().map(|task| (display_name(&task.name), cells(task.hours, &task.amounts)));
    let columns = columns(&[Text("Task"), Number("Hours")], shows_amounts);
    let tasks = table_of_tasks(&columns, tasks, &cells(logged.total, &logged.amounts));
    html! {
        (section("logged-tasks", "By task", &tasks))
        (section("logged-days", "By day", &day_table(logged, shows_amounts)))
    }
}

/// Returns the headings of a table. Adds the heading of the amounts if `shows_amounts` is set.
fn columns<'h>(heads: &[Head<'h>], shows_amounts: bool) -> Vec<Head<'h>> {
    heads.iter().copied().chain(shows_amounts.then_some(Number("Amount"))).collect()
}

/// Returns the number of days with logged hours.
fn logged_days(logged: &LoggedHours) -> usize {
    let entries = logged.pieces.iter().map(|piece| &piece.entry);
    let days = entries.flat_map(|entry| entry.start_date.days_through(entry.completion_date));
    days.collect::<BTreeSet<_>>().len()
}

/// Returns a table of the logged entries, grouped by day. Entries that cover the same range of several days are a
/// separate group.
fn day_table(logged: &LoggedHours, shows_amounts: bool) -> Markup {
    let days = |piece: &ClientEntry| (piece.entry.start_date, piece.entry.completion_date);
    let groups = logged.pieces.chunk_by(|one, next| days(one) == days(next));
    html! {
        table {
            (heads(&columns(&[Text("Day"), Text("Task"), Text("Description"), Number("Hours")], shows_amounts)))
            @for group in groups {
                tbody {
                    @for (place, ClientEntry { entry, billed }) in group.iter().enumerate() {
                        tr {
                            @if place == 0 { (entry_dates(entry, group.len())) }
                            td.done { bdi { (display_name(&entry.task)) } }
                            td { (entry_text(entry.issue_id.as_deref(), entry.description.as_deref())) }
                            (hours_cell(billed.hours))
                            @if shows_amounts { td.number { (price_text(billed.price.as_ref())) } }
                        }
                    }
                }
            }
            tfoot {
                tr {
                    th scope="row" colspan="3" { "Total" }
                    (hours_cell(logged.total))
                    @if shows_amounts { (amount_cell(&logged.amounts)) }
                }
            }
        }
    }
}

/// Formats a price. Returns [`NOT_BILLED`] if there is no price.
fn price_text(price: Option<&Price>) -> String {
    price.map_or_else(|| NOT_BILLED.to_owned(), |price| format!("{} {}", price.amount, price.currency))
}

/// Formats the total amount of each currency. Returns [`NOT_BILLED`] if there are no amounts.
fn amounts_text(amounts: &Amounts) -> String {
    if amounts.is_empty() { NOT_BILLED.to_owned() } else { amounts.to_string() }
}

fn amount_cell(amounts: &Amounts) -> Markup {
    html! { td.number { b { (amounts_text(amounts)) } } }
}

fn entry_dates(entry: &TimeEntry, rows: usize) -> Markup {
    html! {
        th scope="rowgroup" rowspan=(rows) {
            (date(entry.start_date.date()))
            @if entry.completion_date > entry.start_date { " – " (date(entry.completion_date.date())) }
        }
    }
}

/// Formats a date with its weekday and year.
fn date(day: NaiveDate) -> Markup {
    html! { time datetime=(day.to_string()) { (day.format("%a %-d %b %Y").to_string()) } }
}

fn hours_cell(hours: Hours) -> Markup {
    html! { td.number { b { (format!("{hours:.2}")) } } }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use dayledger_timesheet::billing::{BilledTime, Money};
    use dayledger_timesheet::{EntryId, NewEntry};

    use super::super::tests::{MONTH, creation_time};
    use super::*;
    use dayledger_activity::NamedTotal;
    use dayledger_request::minutes;
    use dayledger_timesheet_service::ClientTask;

    fn total(name: &str, seconds: i64) -> NamedTotal {
        NamedTotal { name: name.to_owned(), total_minutes: minutes(seconds) }
    }

    fn render_measured(client: &ClientSummary, title: Option<&str>) -> String {
        page(&ClientPageHours::Measured(client.clone()), title)
    }

    fn page(hours: &ClientPageHours, title: Option<&str>) -> String {
        let range = DateRange::parse(MONTH.0, MONTH.1, ("", "")).unwrap();
        ClientPage { hours, range, title, shows_amounts: false, created: creation_time() }.text()
    }

    fn client(tasks: Vec<NamedTotal>) -> ClientSummary {
        let date = "2025-01-15".parse().unwrap();
        let day = ClientDay { date, total: minutes(9017), tasks: tasks.clone() };
        ClientSummary { name: "Acme <b>".to_owned(), total: minutes(9017), away: minutes(1800), tasks, days: vec![day] }
    }

    #[test]
    fn a_client_page_shows_hours_by_task_and_by_day() {
        let page = render_measured(&client(vec![total("Design", 5417), total("", 3600)]), None);
        assert!(page.contains("<p class=\"week\">January 2025</p><h1>Acme &lt;b&gt;</h1>"), "{page}");
        assert!(
            page.contains("<bdi>Design</bdi></th><td class=\"number\"><b>1.50</b></td><td class=\"number\">1 h 30 min")
        );
        assert!(page.contains("Wed 15 Jan 2025") && page.contains("<bdi>Without a task</bdi> 1.00</span>"));
        assert!(!page.contains("Time of two tasks"), "the tasks add up to the total");
        let shared = render_measured(&client(vec![total("Design", 9017), total("Calls", 600)]), Some("Invoice 17"));
        assert!(shared.contains("<h1>Invoice 17</h1>") && shared.contains("Time of two tasks at once counts once"));
        assert!(!shared.contains("Acme"), "the given heading replaces the name");
    }

    #[test]
    fn a_client_without_tasks_has_no_column_for_them() {
        let page = render_measured(&client(vec![total("", 9017)]), None);
        assert!(!page.contains("Task") && !page.contains("Without a task"), "{page}");
        assert_eq!(page.matches("<b>2.50</b>").count(), 3, "in the header, for the day and in the total");
    }

    #[test]
    fn logged_hours_come_first_with_their_descriptions() {
        let day = |text: &str| text.parse().unwrap();
        let piece = |first, last, task: &str, description: Option<&str>, hundredths| {
            let entry = NewEntry {
                issue_id: description.map(|_| "DEV-1".to_owned()),
                description: description.map(str::to_owned),
                ..NewEntry::new("ACME", task, Hours::from_hundredths(hundredths), day(first), day(last))
            };
            let entry = TimeEntry::from_new(EntryId::new(), entry, DateTime::UNIX_EPOCH);
            let price = Price {
                rate: Money::from_cents(10_000),
                currency: "EUR".to_owned(),
                amount: Money::from_cents(hundredths * 100),
            };
            let price = (task == "Design").then_some(price);
            let billed = BilledTime { hours: entry.total_hours(), is_billable: Some(price.is_some()), price };
            ClientEntry { entry, billed }
        };
        let amounts = |cents| {
            let price = Price { rate: Money::default(), currency: "EUR".to_owned(), amount: Money::from_cents(cents) };
            [BilledTime { hours: Hours::ZERO, is_billable: Some(true), price: Some(price) }].iter().collect::<Amounts>()
        };
        let task = |name: &str, hundredths, amounts| ClientTask {
            name: name.to_owned(),
            hours: Hours::from_hundredths(hundredths),
            amounts,
        };
        let logged = LoggedHours {
            project: "Acme Ltd".to_owned(),
            total: Hours::from_hundredths(5_50),
            logged: Hours::from_hundredths(5_50),
            amounts: amounts(45_000),
            tasks: vec![task("Design", 4_50, amounts(45_000)), task("Care", 1_00, Amounts::default())],
            pieces: vec![
                piece("2025-01-15", "2025-01-15", "Care", Some("Fixed <b>"), 1_00),
                piece("2025-01-15", "2025-01-15", "Design", None, 2_50),
                piece("2025-01-16", "2025-01-17", "Design", None, 2_00),
            ],
            declined: Hours::ZERO,
        };
        let page_of = |measured| page(&ClientPageHours::Logged(logged.clone(), measured), None);
        let alone = page_of(None);
        assert!(alone.contains("<h1>Acme Ltd</h1>") && alone.contains("<b>5.50</b></dd>"), "{alone}");
        assert!(alone.contains("Days</dt><dd><b>3</b>") && !alone.contains("Measured"), "{alone}");
        assert!(alone.contains("rowspan=\"2\"><time datetime=\"2025-01-15\">Wed 15 Jan 2025</time></th>"), "{alone}");
        assert!(alone.contains("<b><bdi>DEV-1</bdi></b> <bdi>Fixed &lt;b&gt;</bdi>"), "{alone}");
        assert!(alone.contains("Thu 16 Jan 2025</time> – <time datetime=\"2025-01-17\">"), "{alone}");
        assert!(!alone.contains("EUR"), "{alone}");
        let range = DateRange::parse(MONTH.0, MONTH.1, ("", "")).unwrap();
        let hours = ClientPageHours::Logged(logged.clone(), None);
        let billed =
            ClientPage { hours: &hours, range, title: None, shows_amounts: true, created: creation_time() }.text();
        assert!(billed.contains("<b>450.00 EUR</b></dd>") && billed.contains(">Amount</th>"), "{billed}");
        assert!(billed.contains("<td class=\"number\">250.00 EUR</td>"), "{billed}");
        assert_eq!(billed.matches("not billed").count(), 2, "the task `Care` and its entry: {billed}");
        let beside = page_of(Some(client(vec![total("Design", 9017)])));
        assert!(beside.contains("<h1>Acme &lt;b&gt;</h1>"), "{beside}");
        let places = [
            "<b>5.50</b></dd>",
            ">By task<",
            ">By day<",
            ">Measured time by task<",
            "2 h 30 min",
            ">Measured time by day<",
        ];
        let places = places.map(|text| beside.find(text).unwrap_or_else(|| panic!("{text}")));
        assert!(places.is_sorted(), "{places:?}");
        assert!(beside.contains("Hours of measured time are decimal"), "{beside}");
    }
}
