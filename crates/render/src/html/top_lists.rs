//! The top lists of a page: totals by client and task, application, site and document, with bars.

use maud::{Markup, html};

use super::super::sections::percent;
use super::super::text::{away_part, duration};
use super::colors::Colors;
use super::document::section;
use super::legends::Legends;
use super::names::{display_name, file_name, site_name};
use dayledger_activity::{ClientTime, RangeReport, TimeBasis, TimeSpent};
use dayledger_request::{Minutes, minutes};

/// The number of entries of a list that are always visible. Further entries are folded.
const OPEN: usize = 10;

/// An entry: its name, its time, and the CSS class of its colour.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) length: Minutes,
    pub(super) class: String,
}

/// Returns all top lists that have entries.
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
        (purposes(report, legends, colors))
        div.tops {
            (list("Applications", &applications, aggregate.top_apps_available, whole))
            (list("Sites", &websites, aggregate.top_websites_available, whole))
            (list("Documents", &documents, report.top_documents_available, whole))
        }
    };
    section("tops", "Totals", &content)
}

/// Returns a list with its heading. It is empty if there are no entries. If `entries` is truncated, `available` is the
/// number of all entries.
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

/// Returns an entry with its bar and its share of `whole`.
pub(super) fn bar(entry: &Entry, greatest: Minutes, whole: Option<Minutes>) -> Markup {
    // Even the shortest bar must be visible.
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

/// The values to which bars and percentages are relative.
struct Scale {
    /// The active time of the page. `None` if the page shows recorded time, because tagged time isn't a part of
    /// recorded time.
    total: Option<Minutes>,
    /// The time of the longest bar.
    max: Minutes,
}

/// Returns the list of purposes. It contains the clients with their tasks, and the time without a client. A client's
/// time includes tagged time away from the computer. The list is empty if neither tags nor rules assign time to a
/// client.
fn purposes(report: &RangeReport, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
    let purposes = &report.purposes;
    let total = Some(report.summary.reported_minutes()).filter(|_| report.summary.time_basis == TimeBasis::Active);
    let rest = total.map(|whole| minutes(whole.seconds() - purposes.named.active.seconds()));
    let rest = rest.filter(|rest| *rest > Minutes::ZERO);
    let lengths = purposes.clients.iter().map(|client| client.spent.total()).chain(rest);
    let scale = Scale { total, max: lengths.max().unwrap_or(Minutes::ZERO) };
    let (heading, without) = match (purposes.is_tagged, purposes.is_by_rule) {
        (_, false) => ("Tags", "Untagged"),
        (false, true) => ("Projects", "No project"),
        (true, true) => ("Tags and projects", "No tag or project"),
    };
    let is_away = total.is_some() && purposes.clients.iter().any(|client| away_part(client.spent.away).is_some());
    html! {
        @if !purposes.clients.is_empty() {
            div.purposes {
                h3 { (heading) }
                ol {
                    @for client in &purposes.clients { (scale.client(client, legends, colors)) }
                    @if let Some(rest) = rest {
                        li { (scale.line(without, TimeSpent { active: rest, away: Minutes::ZERO }, "rest", &piece("unnamed", rest))) }
                    }
                }
                @if let Some(available) = purposes.clients_available {
                    p.remark { "Top " (purposes.clients.len()) " of " (available) }
                }
                @if is_away { p.remark { "Away: tagged time away from the computer, which doesn't count as active time." } }
            }
        }
    }
}

impl Scale {
    fn client(&self, client: &ClientTime, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
        let mut part = |name: &str, spent: TimeSpent| {
            let class = colors.class(legends.tags.color_of(name));
            piece(&class, if self.total.is_some() { spent.active } else { spent.total() })
        };
        if let ([task], None) = (client.tasks.as_slice(), client.tasks_available) {
            return html! { li { (self.line(&task.name, client.spent, "", &part(&task.name, task.spent))) } };
        }
        let parts: Vec<_> = client.tasks.iter().map(|task| part(&task.name, task.spent)).collect();
        let all = html! { @for part in &parts { (part) } };
        html! {
            li {
                (self.line(&client.name, client.spent, "client", &all))
                ol {
                    @for (task, part) in client.tasks.iter().zip(&parts) {
                        @let name = if task.task.is_empty() { &client.name } else { &task.task };
                        li { (self.line(name, task.spent, "task", part)) }
                    }
                }
                @if let Some(available) = client.tasks_available {
                    p.remark { "Top " (client.tasks.len()) " of " (available) }
                }
            }
        }
    }

    fn line(&self, name: &str, spent: TimeSpent, class: &str, bar: &Markup) -> Markup {
        let name = display_name(name);
        let away = away_part(spent.away);
        let width = (spent.total().share_of(self.max) * 100.0).max(0.5);
        html! {
            div class=(format!("line {class}")) {
                bdi title=(name) { (name) }
                span.bar {
                    i.parts style=(format!("width:{width:.1}%")) {
                        (bar)
                        @if self.total.is_some() && away.is_some() { (piece("off", spent.away)) }
                    }
                }
                span.time { (duration(spent.total())) }
                @if let Some(whole) = self.total {
                    span.share { (percent(spent.active, whole)) }
                    @if let Some(away) = away { span.away { "(" (away) ")" } }
                }
            }
        }
    }
}

/// Returns a part of a bar. Its width is proportional to `length`.
fn piece(class: &str, length: Minutes) -> Markup {
    html! { i class=(class) style=(format!("flex-grow:{}", length.seconds())) {} }
}
