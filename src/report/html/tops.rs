//! Where the time went: lists with bars.

use maud::{Markup, html};

use super::super::text::duration;
use super::colors::Colors;
use super::names::{file_name, shown, site_name};
use super::{Legends, section};
use crate::activity::Chronicle;

/// How many entries of a list stand open.
const OPEN: usize = 10;

/// An entry: what it is called, its minutes, and the class of its colour.
struct Entry {
    name: String,
    minutes: f64,
    class: String,
}

/// The lists that have entries.
pub(super) fn tops(chronicle: &Chronicle, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let aggregate = &chronicle.summary.aggregate;
    let applications = aggregate.top_apps.iter().map(|total| Entry {
        name: shown(&total.name),
        minutes: total.total_minutes,
        class: colors.class(legends.applications.color(&total.name)),
    });
    let applications = applications.collect();
    let websites = aggregate.top_websites.iter().map(|total| Entry {
        name: site_name(&total.name),
        minutes: total.total_minutes,
        class: colors.class(legends.websites.color(&total.name)),
    });
    let websites = websites.collect();
    let documents = chronicle.top_documents.iter().map(|total| Entry {
        name: file_name(&total.name),
        minutes: total.total_minutes,
        class: "accent".to_owned(),
    });
    let documents = documents.collect();
    let tags = chronicle.tag_totals.iter().map(|total| Entry {
        name: shown(&total.name),
        minutes: total.total_minutes,
        class: colors.class(legends.tags.color(&total.name)),
    });
    let tags = tags.collect();
    let whole = Some(chronicle.summary.total_active_minutes).filter(|minutes| *minutes > 0.0);
    let lists: [(&str, Vec<Entry>, Option<f64>); 4] = [
        ("Applications", applications, whole),
        ("Sites", websites, whole),
        ("Documents", documents, whole),
        // A meeting away from the desk is tagged time, so that tags are no part of the active time.
        ("Tags", tags, None),
    ];
    let content = html! {
        div.tops {
            @for (heading, entries, whole) in lists.iter().filter(|(_, entries, _)| !entries.is_empty()) {
                (list(heading, entries, *whole))
            }
        }
    };
    section("tops", "Where the time went", &content)
}

fn list(heading: &str, entries: &[Entry], whole: Option<f64>) -> Markup {
    let greatest = entries.iter().map(|entry| entry.minutes).fold(0.0, f64::max);
    let (open, rest) = entries.split_at(entries.len().min(OPEN));
    html! {
        div class=(if whole.is_some() { "top" } else { "top long" }) {
            h3 { (heading) }
            ol { @for entry in open { (bar(entry, greatest, whole)) } }
            @if !rest.is_empty() {
                details {
                    summary { (rest.len()) " more" }
                    ol start=(OPEN + 1) { @for entry in rest { (bar(entry, greatest, whole)) } }
                }
            }
        }
    }
}

fn bar(entry: &Entry, greatest: f64, whole: Option<f64>) -> Markup {
    let share = |whole: f64| if whole > 0.0 { entry.minutes / whole * 100.0 } else { 0.0 };
    html! {
        li {
            bdi title=(entry.name) { (entry.name) }
            i.bar { i class=(entry.class) style=(format!("width:{:.1}%", share(greatest).max(0.5))) {} }
            span.time { (duration(entry.minutes)) }
            @if let Some(whole) = whole { span.share { (percent(share(whole))) } }
        }
    }
}

fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.5 { "<1 %".to_owned() } else { format!("{share:.0} %") }
}
