//! Writes a self-contained web page about a day, a week or a month. The page is suitable for large screens, phones,
//! paper and screen readers.
//!
//! A page loads no files and runs no scripts. Its images are `data:` URLs, its style sheet is inside the page, and its
//! content security policy forbids other sources. The template library escapes every name from the history, and
//! [`names`] sanitises it. Every colour comes from [`colors`]. All data in the lanes and the heat map is also in a
//! table.
//!
//! Start reading at [`Page::text`], which calls the modules in the order of the page.

mod client;
mod clock;
mod colors;
mod days;
mod document;
mod figures;
mod heat;
mod lane;
mod lanes;
mod leads;
mod legends;
mod names;
mod neighbours;
mod screenshots;
mod segments;
mod timesheet;
mod top_lists;

#[cfg(test)]
mod tests;

use chrono::NaiveDateTime;
use maud::{Markup, html};

pub use self::client::{ClientPage, ClientPageHours};
use self::colors::Colors;
pub use self::document::is_page;
use self::document::{GENERATOR, document};
use self::legends::Legends;
use self::names::{PLAIN, display_name, iso_week, range_name};
use super::sections::{basis, is_unmatched, sentence};
use super::text::sanitize;
use dayledger_activity::{Filter, RangeReport, ReasonCode, Thumbnails, TimeBasis};
use dayledger_source::FoundBy;
use dayledger_timesheet_service::PeriodHours;

/// The data of a page, and options for its text.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The activity in the range of the page.
    pub report: &'a RangeReport,
    /// The hours that are logged in the timesheet, if there are any.
    pub hours: Option<&'a PeriodHours>,
    /// The thumbnails of screenshots, if the user requested them.
    pub thumbnails: Option<&'a Thumbnails>,
    /// The heading. If it is `None`, the heading is the range.
    pub title: Option<&'a str>,
    /// How the history was found. If it is sample data, the page contains a remark about this.
    pub found_by: FoundBy,
    /// The local time at which the page is created.
    pub created: NaiveDateTime,
}

impl Page<'_> {
    /// Returns the content of the HTML file. Times are local. All numbers are the same as in the response.
    pub fn text(&self) -> String {
        let (report, summary) = (self.report, &self.report.summary);
        let title = self.title.map_or_else(|| range_name(&report.range), display_name);
        let legends = Legends::from_report(report);
        let mut colors = Colors::default();
        let body = html! {
            header.page {
                @if self.title.is_some() {
                    p.week { (range_name(&report.range)) }
                } @else if let Some(week) = iso_week(&report.range) {
                    p.week { "Week " (week) }
                }
                h1 { (title) }
                (filter_note(&report.filter))
                (figures::figures(report))
                (remark(report))
            }
            main {
                @if summary.days.is_empty() && report.tags.is_empty() {
                    @if is_unmatched(&summary.diagnostics) {
                        p { "No activity matches." }
                    } @else if summary.diagnostics.reason_code == Some(ReasonCode::NoApplications) {
                        p { "No applications were recorded." }
                    } @else {
                        p { "No activity was recorded." }
                    }
                    (timesheet::timesheet(self.hours))
                } @else {
                    (days::days(report, &legends, &mut colors))
                    (top_lists::top_lists(report, &legends, &mut colors))
                    (timesheet::timesheet(self.hours))
                    (heat::heat(report))
                    @if let Some(day) = &report.day {
                        (segments::segments(day, &legends, &mut colors))
                    } @else {
                        (figures::table_of_days(summary))
                    }
                }
                @if let Some(thumbnails) = self.thumbnails {
                    (screenshots::screenshots(thumbnails, report.day.is_some()))
                }
            }
            (self.footer())
        };
        document(&title, &body, &colors)
    }

    fn footer(&self) -> Markup {
        let summary = &self.report.summary;
        let counted = match summary.time_basis {
            TimeBasis::Active => {
                "Active time is time in an application while the computer was in use; a minute on several \
                 devices counts once."
            }
            TimeBasis::ActiveAndCalls => {
                "Active time is time in an application while the computer was in use, or in a call; a minute on several \
                 devices counts once. Tagged time away from the computer counts too."
            }
            TimeBasis::Recorded => {
                "Recorded time comes from the tracker's hourly totals, which include time away from the computer."
            }
        };
        let history = match self.found_by {
            FoundBy::Demo => "sample data",
            _ => "the time tracker's history on this machine",
        };
        html! {
            footer {
                p { (counted) " Times are local, as the tracker recorded them." }
                p {
                    "Made by " (GENERATOR) " on " (self.created.format("%-d %B %Y, %H:%M").to_string())
                    " from " (history) ". This file loads nothing and sends nothing."
                }
            }
        }
    }
}

/// Describes the filter. Doesn't include the total of all time, because a filtered page may be meant for other people.
fn filter_note(filter: &Filter) -> Markup {
    html! {
        @if !filter.is_empty() {
            p.part {
                "Only time with "
                @for (number, (kind, text)) in filter.terms().enumerate() {
                    @if number > 0 { " and " }
                    "the " (kind) " “" bdi { (display_name(text)) } "”"
                }
            }
        }
    }
}

/// Describes the missing data and the reason. If no data is missing, describes the start of the history.
fn remark(report: &RangeReport) -> Markup {
    let diagnostics = &report.summary.diagnostics;
    let hint = diagnostics.remediation_hint.as_deref();
    // A hint about filters is omitted, because it is for the user of dayledger and not for the readers of the page.
    let is_told = diagnostics.reason_code != Some(ReasonCode::NoDataInRange) && !is_unmatched(diagnostics);
    let hint = hint.filter(|_| is_told);
    html! {
        @if let Some(hint) = hint {
            @if diagnostics.degraded {
                p.remark { "Incomplete: " (sanitize(hint, &PLAIN)) ". This page shows " (basis(report.summary.time_basis)) " time." }
            } @else {
                p.remark { (sanitize(&sentence(hint), &PLAIN)) }
            }
        }
    }
}
