//! One self-contained page about a day, a week or a month, for a browser, a phone, paper and a screen reader.
//!
//! A page loads nothing and runs nothing: its pictures are `data:` addresses, its style stands within, and its policy
//! forbids everything else. Every name from the history goes through the library's escaping and [`names`]; every colour
//! through [`colors`]. What the lanes and the map show stands in a table too.

mod clock;
mod colors;
mod days;
mod figures;
mod heat;
mod lanes;
mod legends;
mod names;
mod pictures;
mod section;
mod segments;
mod tops;

#[cfg(test)]
mod tests;

use chrono::{Datelike, Months, NaiveDateTime, NaiveTime, TimeDelta, Weekday};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::colors::Colors;
use self::legends::Legends;
use self::names::PLAIN;
use super::sections::{basis, range_title};
use super::text::neutral;
use crate::activity::{Daybook, ReasonCode, Thumbnails, TimeBasis};
use crate::question::DateRange;

const STYLE: &str = include_str!("page.css");

/// Nothing may be loaded, run, sent or framed.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/// What a page of this program names as its maker.
const MAKER: &str = "dayledger";

/// A page to write.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// What it shows.
    pub daybook: &'a Daybook,
    /// The pictures that it carries, where they were asked for.
    pub thumbnails: Option<&'a Thumbnails>,
    /// When it is made, local.
    pub made: NaiveDateTime,
}

impl Page<'_> {
    /// The page as a file's text. Times are local; numbers are those of the answers that it is made of.
    pub fn text(&self) -> String {
        let (daybook, summary) = (self.daybook, &self.daybook.summary);
        let title = title(&daybook.range);
        let legends = Legends::of(daybook);
        let mut colors = Colors::default();
        let body = html! {
            header.page {
                @if let Some(week) = week(&daybook.range) { p.week { "Week " (week) } }
                h1 { (title) }
                (figures::figures(daybook))
                (remark(daybook))
            }
            main {
                @if summary.days.is_empty() && daybook.tags.is_empty() {
                    @if summary.diagnostics.reason_code == Some(ReasonCode::NoApplications) {
                        p { "No application was recorded in this time." }
                    } @else {
                        p { "Nothing was tracked in this time." }
                    }
                } @else {
                    (days::days(daybook, &legends, &mut colors))
                    (tops::tops(daybook, &legends, &mut colors))
                    (heat::heat(daybook))
                    @if let Some(day) = &daybook.day {
                        (segments::segments(day, &legends, &mut colors))
                    } @else {
                        (figures::table_of_days(summary))
                    }
                }
                @if let Some(thumbnails) = self.thumbnails {
                    (pictures::pictures(thumbnails, daybook.day.is_some()))
                }
            }
            (self.footer())
        };
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="generator" content=(format!("{MAKER} {}", env!("CARGO_PKG_VERSION")));
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    link rel="icon" href="data:,";
                    title { (title) " – " (MAKER) }
                    style { (PreEscaped(STYLE)) (PreEscaped(colors.rules())) }
                }
                body { (body) }
            }
        };
        page.into_string()
    }

    fn footer(&self) -> Markup {
        let summary = &self.daybook.summary;
        let counted = match summary.time_basis {
            TimeBasis::Active => {
                "Active time is time in an application while the computer was in use; a minute counts once, however many \
                 devices were. Tagged time counts away from the desk too."
            }
            TimeBasis::ActiveAndCalls => {
                "Active time is time in an application while the computer was in use, and in a call also while nobody \
                 touched the keyboard; a minute counts once, however many devices were. Tagged time counts away from the \
                 desk too."
            }
            TimeBasis::Recorded => {
                "Recorded time is what ManicTime kept in its hourly totals; it goes on while the user is away."
            }
        };
        html! {
            footer {
                p { (counted) " Times are local, as ManicTime recorded them." }
                p {
                    "Made by " (MAKER) " on " (self.made.format("%-d %B %Y, %H:%M").to_string())
                    " from the ManicTime history of this machine. This file loads nothing and sends nothing."
                }
            }
        }
    }
}

/// Whether the beginning of a file is that of a page of this program, so that a newer one may take its place.
pub fn is_page(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning);
    text.starts_with("<!DOCTYPE html>") && text.contains(&format!("<meta name=\"generator\" content=\"{MAKER} "))
}

/// What the page is about: a month by its name, else the first and the last day.
fn title(range: &DateRange) -> String {
    let (start, end) = (range.start(), range.end());
    if start.day() == 1 && start.date().checked_add_months(Months::new(1)) == Some(end.date()) && are_midnights(range) {
        return start.format("%B %Y").to_string();
    }
    range_title(&range.start_text(), &range.end_text(), &PLAIN)
}

/// The number of the ISO week that the range is.
fn week(range: &DateRange) -> Option<u32> {
    let week = range.start().iso_week();
    let is_one = range.start().weekday() == Weekday::Mon && range.end() - range.start() == TimeDelta::days(7);
    (is_one && are_midnights(range)).then(|| week.week())
}

fn are_midnights(range: &DateRange) -> bool {
    range.start().time() == NaiveTime::MIN && range.end().time() == NaiveTime::MIN
}

/// What is missing and why.
fn remark(daybook: &Daybook) -> Markup {
    let diagnostics = &daybook.summary.diagnostics;
    let hint = diagnostics.remediation_hint.as_deref();
    let hint = hint.filter(|_| diagnostics.reason_code != Some(ReasonCode::NoDataInRange));
    html! {
        @if let Some(hint) = hint {
            p.remark { "Only part of the truth: " (neutral(hint, &PLAIN)) ". This page shows " (basis(daybook.summary.time_basis)) " time." }
        }
    }
}
