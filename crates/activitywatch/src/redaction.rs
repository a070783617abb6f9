//! Redacts rows with the rules of `dayledger_source`, which all sources use.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;

use dayledger_source::{
    Activity, ActivityRedactor, HIDDEN, HiddenScreenshots, HiddenTimes, HiddenTimesBuilder, Privacy, Role, TextKind,
};

use crate::rows::{Row, Timeline};
use crate::texts::{MaybeText, TextId, Texts};

/// Redacts rows in place. Returns the periods whose screenshots are hidden, or `None` if there are no privacy settings.
pub(crate) fn redact(
    rows: &mut [Row],
    timelines: &[Timeline],
    texts: &mut Texts,
    privacy: &Privacy,
) -> Option<Arc<HiddenScreenshots>> {
    if privacy.is_empty() {
        return None;
    }
    let mut groups = Groups { privacy, hidden: HashMap::new(), names: HashMap::new() };
    let hidden = find_hidden(rows, timelines, texts, &mut groups);
    let redactor = ActivityRedactor::new(privacy, &hidden);
    let applications: HashSet<(String, i64)> = if privacy.hides_applications() {
        let devices = rows.iter().map(|row| (&timelines[row.timeline as usize], row.id));
        let windows = devices.filter(|(timeline, _)| timeline.role == Role::Applications);
        windows.map(|(timeline, id)| (timeline.device.clone(), id)).collect()
    } else {
        HashSet::new()
    };
    let hidden_name = texts.add(HIDDEN);
    for row in rows {
        let timeline = &timelines[row.timeline as usize];
        let kind = TextKind::from_role(timeline.role);
        let title = row.title.get().map(|title| texts.get(title).to_owned());
        let activity = Activity {
            device: &timeline.device,
            id: row.id,
            text_kind: kind,
            is_hidden: groups.is_hidden(kind, row, texts),
            is_named: true,
            title: title.as_deref(),
            notes: None,
            related: row.window_id(),
            start: row.is_timed.then_some(row.start),
            end: row.is_timed.then_some(row.end),
        };
        let has_application = |id: i64| Ok::<_, Infallible>(applications.contains(&(timeline.device.clone(), id)));
        let Ok(visible) = redactor.redact(&activity, has_application);
        let original = row.title;
        row.title = visible.title.as_deref().map(|title| texts.add(title)).into();
        row.rule_text = if privacy.has_rules_on_original_text() { original } else { row.title };
        if visible.is_hidden {
            (row.name, row.key) = (Some(hidden_name).into(), Some(hidden_name).into());
        } else {
            row.name = groups.redact_name(kind, row.name, texts);
            row.key = groups.redact_key(kind, row.key, texts);
        }
    }
    Some(hidden.screenshots())
}

/// Finds the times of hidden applications and sites.
fn find_hidden(rows: &[Row], timelines: &[Timeline], texts: &Texts, groups: &mut Groups<'_>) -> HiddenTimes {
    let mut hidden = HiddenTimesBuilder::new(groups.privacy);
    let mut bounds: Option<[(i64, i64); 2]> = None;
    for row in rows {
        let timeline = &timelines[row.timeline as usize];
        let kind = TextKind::from_role(timeline.role);
        let title = row.title.get().map(|title| texts.get(title));
        let leads_to_hidden_site = |title: &str| groups.privacy.leads_to_hidden_site(kind, true, title);
        let is_application = timeline.role == Role::Applications;
        if title.is_some_and(leads_to_hidden_site) || groups.is_hidden(kind, row, texts) {
            let application = if is_application { Some(row.id) } else { row.window_id() };
            let [start, end] = [row.start, row.end].map(|at| row.is_timed.then_some(at));
            let instants = [start, row.local_start(), end, row.local_end()];
            hidden.add(timeline.role, &timeline.device, application, instants);
        }
        if let (true, Some(start), Some(end)) = (is_application, row.local_start(), row.local_end()) {
            let (first, last) = ((row.start, start), (row.end, end));
            bounds = Some(bounds.map_or([first, last], |[least, greatest]| [least.min(first), greatest.max(last)]));
        }
    }
    hidden.finish(bounds)
}

/// Remembers for each name whether it is hidden and how it is redacted, because many rows have the same name.
struct Groups<'p> {
    privacy: &'p Privacy,
    hidden: HashMap<(TextKind, MaybeText, MaybeText), bool>,
    names: HashMap<(TextKind, bool, TextId), TextId>,
}

impl Groups<'_> {
    fn is_hidden(&mut self, kind: TextKind, row: &Row, texts: &Texts) -> bool {
        let privacy = self.privacy;
        *self.hidden.entry((kind, row.name, row.key)).or_insert_with(|| {
            let names = [row.name, row.key].into_iter().filter_map(MaybeText::get);
            privacy.is_hidden_group(kind, &names.map(|name| texts.get(name)).collect::<Vec<_>>())
        })
    }

    fn redact_name(&mut self, kind: TextKind, name: MaybeText, texts: &mut Texts) -> MaybeText {
        let redactions = self.privacy.redactions();
        let redacted = name.get().map(|name| {
            *self.names.entry((kind, false, name)).or_insert_with(|| {
                let redacted = redactions.redact_group_name(kind, texts.get(name)).into_owned();
                texts.add(&redacted)
            })
        });
        redacted.into()
    }

    fn redact_key(&mut self, kind: TextKind, key: MaybeText, texts: &mut Texts) -> MaybeText {
        let redactions = self.privacy.redactions();
        let redacted = key.get().map(|key| {
            *self.names.entry((kind, true, key)).or_insert_with(|| {
                let redacted = redactions.redact_group_key(kind, texts.get(key)).into_owned();
                texts.add(&redacted)
            })
        });
        redacted.into()
    }
}
