//! The logged hours of a client, as an attachment to an invoice: by task, and by day with descriptions.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use dayledger_timesheet::{Hours, TimeEntry};
use maud::{Markup, html};

use super::document::Head::{Number, Text};
use super::document::{heads, section};
use super::names::{display_name, entry_text};
use dayledger_timesheet_service::LoggedHours;

/// Returns the sections.
pub(super) fn sections(logged: &LoggedHours) -> Markup {
    html! {
        (section("logged-tasks", "By task", &task_table(logged)))
        (section("logged-days", "By day", &day_table(logged)))
    }
}

/// Returns the number of days with logged hours.
pub(super) fn days(logged: &LoggedHours) -> usize {
    let days = logged.pieces.iter().flat_map(|piece| piece.start_date.days_through(piece.completion_date));
    days.collect::<BTreeSet<_>>().len()
}

fn task_table(logged: &LoggedHours) -> Markup {
    html! {
        table {
            (heads(&[Text("Task"), Number("Hours")]))
            tbody {
                @for (task, hours) in &logged.tasks {
                    tr { th scope="row" { bdi { (display_name(task)) } } (number(*hours)) }
                }
            }
            tfoot { tr { th scope="row" { "Total" } (number(logged.total)) } }
        }
    }
}

/// Returns a table with a group of rows for each day. An entry over several days has its own group.
fn day_table(logged: &LoggedHours) -> Markup {
    let days = |piece: &TimeEntry| (piece.start_date, piece.completion_date);
    let groups = logged.pieces.chunk_by(|one, next| days(one) == days(next));
    html! {
        table {
            (heads(&[Text("Day"), Text("Task"), Text("Description"), Number("Hours")]))
            @for group in groups {
                tbody {
                    @for (place, piece) in group.iter().enumerate() {
                        tr {
                            @if place == 0 { (dates(piece, group.len())) }
                            td.done { bdi { (display_name(&piece.task)) } }
                            td { (entry_text(piece.issue_id.as_deref(), piece.description.as_deref())) }
                            (number(piece.total_hours()))
                        }
                    }
                }
            }
            tfoot { tr { th scope="row" colspan="3" { "Total" } (number(logged.total)) } }
        }
    }
}

fn dates(piece: &TimeEntry, rows: usize) -> Markup {
    html! {
        th scope="rowgroup" rowspan=(rows) {
            (date(piece.start_date.date()))
            @if piece.completion_date > piece.start_date { " – " (date(piece.completion_date.date())) }
        }
    }
}

/// Formats a day with its weekday and year.
pub(super) fn date(day: NaiveDate) -> Markup {
    html! { time datetime=(day.to_string()) { (day.format("%a %-d %b %Y").to_string()) } }
}

fn number(hours: Hours) -> Markup {
    html! { td.number { b { (format!("{hours:.2}")) } } }
}
