//! The timesheet section of a page: logged hours by project and task, and the active time.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate, Weekday};
use dayledger_core::local_days::LocalDays;
use dayledger_timesheet::{Hours, Status, TimeEntry};
use maud::{Markup, html};

use super::super::text::{decimal, duration};
use super::document::Head::{Number, Text};
use super::document::{figure, heads, section};
use super::names::{display_name, entry_text};
use dayledger_request::{Minutes, minutes};
use dayledger_timesheet_service::{DayTotals, PeriodHours};

/// If the range has at most this many days, each day is a column. Otherwise, each week is a column.
const MAX_DAYS: usize = 7;

/// Returns the timesheet section. It is empty if `hours` is `None`.
pub(super) fn timesheet(hours: Option<&PeriodHours>) -> Markup {
    let Some(hours) = hours else { return html! {} };
    let sheet = TimesheetSection(hours);
    let table = if hours.days.len() == 1 { sheet.day_table() } else { sheet.column_table() };
    section("timesheet", "Timesheet", &html! { (sheet.figures()) (table) })
}

/// The data of the timesheet section.
struct TimesheetSection<'a>(&'a PeriodHours);

/// A column of the table: a day or a week.
struct Column {
    name: String,
    /// The indices of the column's days.
    days: Vec<usize>,
}

impl Column {
    fn sum(&self, hours: &[Hours]) -> Hours {
        self.days.iter().map(|place| hours[*place]).sum()
    }
}

impl TimesheetSection<'_> {
    fn logged_hours(&self) -> Hours {
        self.0.lines.iter().flat_map(|line| &line.hours).copied().sum()
    }

    /// Returns the sum of the time that `of` returns for each day.
    fn time(&self, of: fn(&DayTotals) -> Minutes) -> Minutes {
        minutes(self.0.days.iter().map(|day| of(day).seconds()).sum())
    }

    fn figures(&self) -> Markup {
        let (active, unlogged) = (self.time(|day| day.active), self.time(|day| day.unlogged));
        let logged = minutes(active.seconds() - unlogged.seconds());
        html! {
            dl.figures {
                (figure("Logged", &format!("{:.2} h", self.logged_hours()), ""))
                @if active > Minutes::ZERO {
                    (figure("Active time logged", &duration(logged), &format!("of {}", duration(active))))
                    (figure("Not logged", &duration(unlogged), ""))
                }
            }
        }
    }

    /// Returns the statuses of the entries, without repetition. They are in the order in which an entry gets them.
    fn states(&self) -> impl Iterator<Item = Status> {
        Status::ALL.into_iter().filter(|state| self.0.lines.iter().any(|line| line.status == Some(*state)))
    }

    fn name(&self, project: &str, task: &str) -> Markup {
        let project = self.0.projects.get(project).map_or(project, String::as_str);
        html! { bdi { b { (display_name(project)) } } " " bdi.detail { (display_name(task)) } }
    }

    /// Returns a table of the entries of one day, with their descriptions.
    fn day_table(&self) -> Markup {
        let hours_on = |entry: &TimeEntry| self.0.days.iter().map(|day| entry.hours_on(day.day)).sum::<Hours>();
        let of = |state| {
            let entries = self.0.entries.iter().map(move |entry| (entry, hours_on(entry)));
            entries.filter(move |(entry, hours)| entry.status == state && *hours > Hours::ZERO)
        };
        html! {
            table.sheet {
                (heads(&[Text("Project and task"), Text("Description"), Number("Hours")]))
                @for state in self.states() {
                    tbody {
                        tr.state { th scope="rowgroup" colspan="3" { (status_text(state)) } }
                        @for (entry, hours) in of(state) {
                            tr {
                                th scope="row" { (self.name(&entry.project_code, &entry.task)) }
                                td {
                                    (entry_text(entry.issue_id.as_deref(), entry.description.as_deref()))
                                    @if hours < entry.total_hours() { " " span.detail { (whole(entry)) } }
                                }
                                td.number { (format!("{hours:.2}")) }
                            }
                        }
                    }
                }
                tfoot { tr { th scope="row" colspan="2" { "Logged" } td.number { b { (format!("{:.2}", self.logged_hours())) } } } }
            }
        }
    }

    /// Returns a table with a row for each task. Each row contains the task's hours on each day or in each week.
    fn column_table(&self) -> Markup {
        let columns = self.columns();
        let width = (columns.len() + 2).to_string();
        let cell = |hours: Hours| html! { @if hours > Hours::ZERO { (format!("{hours:.2}")) } };
        html! {
            table.sheet {
                thead {
                    tr {
                        th scope="col" { "Project and task" }
                        @for column in &columns { th.number.each scope="col" { (column.name) } }
                        th.number scope="col" { "Hours" }
                    }
                }
                @for state in self.states() {
                    tbody {
                        tr.state { th scope="rowgroup" colspan=(width) { (status_text(state)) } }
                        @for line in self.0.lines.iter().filter(|line| line.status == Some(state)) {
                            @let (project, task) = (line.project_code.as_deref(), line.task.as_deref());
                            tr {
                                th scope="row" { (self.name(project.unwrap_or_default(), task.unwrap_or_default())) }
                                @for column in &columns { td.number.each { (cell(column.sum(&line.hours))) } }
                                td.number { b { (cell(line.hours.iter().copied().sum())) } }
                            }
                        }
                    }
                }
                (self.sums(&columns))
            }
        }
    }

    fn sums(&self, columns: &[Column]) -> Markup {
        let logged = |column: &Column| self.0.lines.iter().map(|line| column.sum(&line.hours)).sum::<Hours>();
        let unlogged =
            |column: &Column| minutes(column.days.iter().map(|place| self.0.days[*place].unlogged.seconds()).sum());
        html! {
            tfoot {
                tr {
                    th scope="row" { "Logged" }
                    @for column in columns { td.number.each { (format!("{:.2}", logged(column))) } }
                    td.number { b { (format!("{:.2}", self.logged_hours())) } }
                }
                @if self.time(|day| day.active) > Minutes::ZERO {
                    tr.rest {
                        th scope="row" { "Active, not logged" }
                        @for column in columns { td.number.each { (decimal(unlogged(column))) } }
                        td.number { (decimal(self.time(|day| day.unlogged))) }
                    }
                }
            }
        }
    }

    /// Returns the columns. If there are more than [`MAX_DAYS`] days, each column is a week. Otherwise, each column is
    /// a day, and empty weekend days don't have a column.
    fn columns(&self) -> Vec<Column> {
        let days = self.0.days.iter().enumerate();
        if self.0.days.len() > MAX_DAYS {
            return weeks(LocalDays::current(), days.map(|(place, day)| (place, day.day.date())));
        }
        let is_told = |place: usize, day: &DayTotals| {
            let is_weekend = day.day.date().weekday().number_from_monday() > 5;
            let has_hours = self.0.lines.iter().any(|line| line.hours[place] > Hours::ZERO);
            !is_weekend || has_hours || day.unlogged > Minutes::ZERO
        };
        let shown = days.filter(|(place, day)| is_told(*place, day));
        shown
            .map(|(place, day)| Column { name: day.day.date().format("%a %-d").to_string(), days: vec![place] })
            .collect()
    }
}

/// Returns a column for each week. Only a week from Monday has a number. The name of another week is its first day, such
/// as `from 16 Nov`.
fn weeks(local_days: LocalDays, days: impl Iterator<Item = (usize, NaiveDate)>) -> Vec<Column> {
    let mut weeks: BTreeMap<NaiveDate, Vec<usize>> = BTreeMap::new();
    for (place, date) in days {
        weeks.entry(local_days.first_of_week(date).unwrap_or(date)).or_default().push(place);
    }
    let name = |first: NaiveDate| match local_days.week_start {
        Weekday::Mon => format!("Week {}", first.iso_week().week()),
        _ => format!("from {}", first.format("%-d %b")),
    };
    weeks.into_iter().map(|(first, days)| Column { name: name(first), days }).collect()
}

/// Describes an entry over several days, such as `part of 16.00 h, Mon 17 Nov – Thu 20 Nov`.
fn whole(entry: &TimeEntry) -> String {
    let [first, last] = [entry.start_date, entry.completion_date].map(|day| day.date().format("%a %-d %b"));
    format!("part of {:.2} h, {first} – {last}", entry.total_hours())
}

/// Returns the text for a status.
fn status_text(status: Status) -> &'static str {
    match status {
        Status::NotReported => "Not submitted",
        Status::Submitted => "Submitted",
        Status::Approved => "Approved",
        Status::Declined => "Declined",
    }
}

#[cfg(test)]
mod tests {
    use dayledger_timesheet::{Day, demo};

    use super::*;
    use dayledger_timesheet_service::WeekLine;

    fn hours(first: &str, days: u64) -> PeriodHours {
        let first: Day = first.parse().unwrap();
        let date = |number| first.date().checked_add_days(chrono::Days::new(number)).unwrap();
        let days: Vec<_> = (0..days).map(|number| Day::try_from(date(number)).unwrap()).collect();
        let mut entries = demo::entries();
        entries[2].description = Some("Forms <b>\n\n for invoices".to_owned());
        // The approver declined this entry, which covers two days.
        entries[3].completion_date = "2025-10-24".parse().unwrap();
        entries[3].status = Status::Declined;
        let line = |entry: &TimeEntry| WeekLine {
            status: Some(entry.status),
            project_code: Some(entry.project_code.clone()),
            task: Some(entry.task.clone()),
            hours: days.iter().map(|day| entry.hours_on(*day)).collect(),
        };
        let lines = entries.iter().map(line).filter(|line| line.hours.iter().any(|hours| *hours > Hours::ZERO));
        PeriodHours {
            lines: lines.collect(),
            days: days
                .iter()
                .map(|day| DayTotals { day: *day, active: minutes(7200), unlogged: minutes(900) })
                .collect(),
            entries,
            projects: demo::projects().into_iter().map(|project| (project.code, project.name)).collect(),
        }
    }

    fn texts(hours: &PeriodHours) -> String {
        let page = timesheet(Some(hours)).into_string();
        let parts = page.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim());
        parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_day_shows_its_entries_with_their_descriptions() {
        assert_eq!(
            texts(&hours("2025-10-22", 1)),
            "Timesheet|Logged|7.50 h|Active time logged|1 h 45 min|of 2 h 00 min|Not logged|15 min|\
             Project and task|Description|Hours|Submitted|\
             Client A Project|Feature Development|JIRA-789|Forms &lt;b&gt;|for invoices|7.50|Logged|7.50"
        );
        let next = texts(&hours("2025-10-23", 1));
        assert!(next.contains("|JIRA-790|part of 4.00 h, Thu 23 Oct – Fri 24 Oct|2.00|Logged|5.00"), "{next}");
        assert!(next.find("Approved").unwrap() < next.find("Declined").unwrap(), "{next}");
    }

    #[test]
    fn a_week_shows_its_days_and_a_longer_range_its_weeks() {
        let week = texts(&hours("2025-10-20", 6));
        assert!(
            week.contains("|Project and task|Mon 20|Tue 21|Wed 22|Thu 23|Fri 24|Sat 25|Hours|Submitted|"),
            "{week}"
        );
        assert!(week.contains("|Declined|Client A Project|Bug Fixing|2.00|2.00|4.00|"), "{week}");
        assert!(
            week.ends_with(
                "|Logged|0.00|9.50|7.50|5.00|2.00|0.00|24.00|Active, not logged|0.25|0.25|0.25|0.25|0.25|0.25|1.50"
            ),
            "{week}"
        );
        let month = texts(&hours("2025-10-06", 30));
        assert!(month.contains("|Week 41|Week 42|Week 43|Week 44|Week 45|Hours|"), "{month}");
        assert!(month.contains("|Internal Development|Development|7.50|7.50|"), "{month}");
    }

    #[test]
    fn weeks_without_a_number_have_the_name_of_their_first_day() {
        let sunday = LocalDays { week_start: Weekday::Sun, ..LocalDays::default() };
        let first: NaiveDate = "2025-10-25".parse().unwrap();
        let columns = weeks(sunday, first.iter_days().take(10).enumerate());
        let columns: Vec<_> = columns.into_iter().map(|column| (column.name, column.days)).collect();
        assert_eq!(
            columns,
            [
                ("from 19 Oct".to_owned(), vec![0]),
                ("from 26 Oct".to_owned(), (1..8).collect()),
                ("from 2 Nov".to_owned(), vec![8, 9]),
            ]
        );
    }

    #[test]
    fn a_timesheet_without_active_time_leaves_it_out() {
        let mut hours = hours("2025-10-20", 7);
        for day in &mut hours.days {
            (day.active, day.unlogged) = (Minutes::ZERO, Minutes::ZERO);
        }
        let texts = texts(&hours);
        assert!(!texts.contains("ctive") && !texts.contains("Sun 26") && texts.contains("|24.00"), "{texts}");
        assert_eq!(timesheet(None).into_string(), "");
    }
}
