//! Where the time went: lists with bars.

use maud::{Markup, html};

use super::super::text::duration;
use super::colors::Colors;
use super::legends::Legends;
use super::names::{file_name, shown, site_name};
use super::purposes;
use super::section::section;
use crate::activity::Daybook;
use crate::question::Minutes;

/// How many entries of a list stand open.
const OPEN: usize = 10;

/// An entry: what it is called, its length, and the class of its colour.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) length: Minutes,
    pub(super) class: String,
}

/// A list below its heading.
struct List {
    heading: &'static str,
    entries: Vec<Entry>,
    /// How many entries there would be, where there are fewer.
    available: Option<usize>,
    /// What they are shares of.
    whole: Option<Minutes>,
}

/// The lists that have entries.
pub(super) fn tops(daybook: &Daybook, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let aggregate = &daybook.summary.aggregate;
    let applications = aggregate.top_apps.iter().map(|total| Entry {
        name: shown(&total.name),
        length: total.total_minutes,
        class: colors.class(legends.applications.color(&total.name)),
    });
    let applications = applications.collect();
    let websites = aggregate.top_websites.iter().map(|total| Entry {
        name: site_name(&total.name),
        length: total.total_minutes,
        class: colors.class(legends.websites.color(&total.name)),
    });
    let websites = websites.collect();
    let documents = daybook.top_documents.iter().map(|total| Entry {
        name: file_name(&total.name),
        length: total.total_minutes,
        class: "accent".to_owned(),
    });
    let documents = documents.collect();
    let whole = Some(daybook.summary.told_minutes()).filter(|whole| *whole > Minutes::ZERO);
    let list = |heading, entries, available, whole| List { heading, entries, available, whole };
    let lists = [
        list("Applications", applications, aggregate.top_apps_available, whole),
        list("Sites", websites, aggregate.top_websites_available, whole),
        list("Documents", documents, daybook.top_documents_available, whole),
    ];
    let content = html! {
        (purposes::purposes(daybook, legends, colors))
        div.tops { @for list in lists.iter().filter(|list| !list.entries.is_empty()) { (list.drawn()) } }
    };
    section("tops", "Where the time went", &content)
}

impl List {
    fn drawn(&self) -> Markup {
        let Self { heading, entries, available, whole } = self;
        let greatest = entries.iter().map(|entry| entry.length).max().unwrap_or(Minutes::ZERO);
        let (open, rest) = entries.split_at(entries.len().min(OPEN));
        html! {
            div.top {
                h3 { (heading) }
                ol { @for entry in open { (bar(entry, greatest, *whole)) } }
                @if !rest.is_empty() {
                    details {
                        summary { (rest.len()) " more" }
                        ol start=(OPEN + 1) { @for entry in rest { (bar(entry, greatest, *whole)) } }
                    }
                }
                @if let Some(available) = available {
                    p.remark { "There are " (available) "; those with the most time are listed." }
                }
            }
        }
    }
}

/// An entry with its bar, and its share of a `whole`.
pub(super) fn bar(entry: &Entry, greatest: Minutes, whole: Option<Minutes>) -> Markup {
    let share = |whole: Minutes| entry.length.share_of(whole) * 100.0;
    html! {
        li {
            bdi title=(entry.name) { (entry.name) }
            i.bar { i class=(entry.class) style=(format!("width:{:.1}%", share(greatest).max(0.5))) {} }
            span.time { (duration(entry.length)) }
            @if let Some(whole) = whole { span.share { (percent(share(whole))) } }
        }
    }
}

pub(super) fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.5 { "<1 %".to_owned() } else { format!("{share:.0} %") }
}
