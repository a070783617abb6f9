//! Shows the purposes of the time: clients with their tasks, tagged time away from the computer, and time without a
//! purpose.

use maud::{Markup, html};

use super::super::sections::percent;
use super::super::text::duration;
use super::colors::Colors;
use super::legends::Legends;
use super::names::display_name;
use dayledger_activity::{ClientTime, RangeReport, TimeBasis, TimeSpent};
use dayledger_request::{Minutes, minutes};

/// Shorter tagged time away from the computer is the edge of a tag, not a meeting.
const MIN_AWAY: Minutes = minutes(300);

/// The values that bars and percentages relate to.
struct Scale {
    /// Active time of the page. `None` for recorded time, which doesn't include tagged time.
    total: Option<Minutes>,
    /// The longest bar.
    max: Minutes,
}

/// Returns the list. It is empty if neither tags nor rules assign any time.
pub(super) fn purposes(report: &RangeReport, legends: &Legends<'_>, colors: &mut Colors) -> Markup {
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
    let is_away = total.is_some() && purposes.clients.iter().any(|client| client.spent.away >= MIN_AWAY);
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
        let width = (spent.total().share_of(self.max) * 100.0).max(0.5);
        let length = if self.total.is_some() { spent.active } else { spent.total() };
        html! {
            div class=(format!("line {class}")) {
                bdi title=(name) { (name) }
                span.bar {
                    i.parts style=(format!("width:{width:.1}%")) {
                        (bar)
                        @if self.total.is_some() && spent.away >= MIN_AWAY { (piece("off", spent.away)) }
                    }
                }
                span.time { (duration(length)) }
                @if let Some(whole) = self.total {
                    span.share { (percent(length, whole)) }
                    @if spent.away >= MIN_AWAY { span.away { "+ " (duration(spent.away)) " away" } }
                }
            }
        }
    }
}

/// Returns a part of a bar whose length is proportional to its time.
fn piece(class: &str, length: Minutes) -> Markup {
    html! { i class=(class) style=(format!("flex-grow:{}", length.seconds())) {} }
}
