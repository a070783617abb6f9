//! Totals by client, application, site and document, as lists with bars.

use maud::{Markup, html};

use super::super::sections::percent;
use super::super::text::duration;
use super::colors::Colors;
use super::document::section;
use super::legends::Legends;
use super::names::{display_name, file_name, site_name};
use super::purposes;
use dayledger_activity::RangeReport;
use dayledger_request::Minutes;

/// The most entries outside of the folded part of a list.
const OPEN: usize = 10;

/// An entry: its name, its time, and the CSS class of its colour.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) length: Minutes,
    pub(super) class: String,
}

/// Returns the lists that have entries.
pub(super) fn top_lists(report: &RangeReport, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let aggregate = &report.summary.aggregate;
    let entry = |name, length, class| Entry { name, length, class };
    let applications = aggregate.top_apps.iter().map(|total| {
        entry(display_name(&total.name), total.total_minutes, colors.class(legends.applications.color_of(&total.name)))
    });
    let applications: Vec<_> = applications.collect();
    let websites = aggregate.top_websites.iter().map(|total| {
        entry(site_name(&total.name), total.total_minutes, colors.class(legends.websites.color_of(&total.name)))
    });
    let websites: Vec<_> = websites.collect();
    let documents = report.top_documents.iter();
    let documents = documents.map(|total| entry(file_name(&total.name), total.total_minutes, "accent".to_owned()));
    let documents: Vec<_> = documents.collect();
    let whole = Some(report.summary.reported_minutes()).filter(|whole| *whole > Minutes::ZERO);
    let content = html! {
        (purposes::purposes(report, legends, colors))
        div.tops {
            (list("Applications", &applications, aggregate.top_apps_available, whole))
            (list("Sites", &websites, aggregate.top_websites_available, whole))
            (list("Documents", &documents, report.top_documents_available, whole))
        }
    };
    section("tops", "Totals", &content)
}

/// Returns a list with its heading; empty without entries. `available` is the number of all entries.
fn list(heading: &str, entries: &[Entry], available: Option<usize>, whole: Option<Minutes>) -> Markup {
    let greatest = entries.iter().map(|entry| entry.length).max().unwrap_or(Minutes::ZERO);
    let (open, rest) = entries.split_at(entries.len().min(OPEN));
    html! {
        @if !entries.is_empty() {
            div.top {
                h3 { (heading) }
                ol { @for entry in open { (bar(entry, greatest, whole)) } }
                @if !rest.is_empty() {
                    details {
                        summary { (rest.len()) " more" }
                        ol start=(OPEN + 1) { @for entry in rest { (bar(entry, greatest, whole)) } }
                    }
                }
                @if let Some(available) = available {
                    p.remark { "Top " (entries.len()) " of " (available) }
                }
            }
        }
    }
}

/// Returns an entry with its bar, and its share of `whole`.
pub(super) fn bar(entry: &Entry, greatest: Minutes, whole: Option<Minutes>) -> Markup {
    let width = (entry.length.share_of(greatest) * 100.0).max(0.5);
    html! {
        li {
            bdi title=(entry.name) { (entry.name) }
            i.bar { i class=(entry.class) style=(format!("width:{width:.1}%")) {} }
            span.time { (duration(entry.length)) }
            @if let Some(whole) = whole { span.share { (percent(entry.length, whole)) } }
        }
    }
}
