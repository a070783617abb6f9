//! Redacts the rows in memory, with the code that all sources share.

use std::borrow::Cow;
use std::convert::Infallible;

use dayledger::source::{Activity, ActivityRedactor, HIDDEN, HiddenTimes, HiddenTimesBuilder, Privacy, Role, TextKind};

use super::memory::{DEVICE, Row};

/// Returns the rows after the privacy settings were applied.
pub(super) fn redact(rows: &[Row], privacy: &Privacy) -> Vec<Row> {
    if privacy.is_empty() {
        return rows.to_vec();
    }
    let hidden = hidden_times(rows, privacy);
    let redactor = ActivityRedactor::new(privacy, &hidden);
    rows.iter().map(|row| redact_row(row, rows, privacy, &redactor)).collect()
}

/// Returns the times at which a hidden application or site was in front.
pub(super) fn hidden_times(rows: &[Row], privacy: &Privacy) -> HiddenTimes {
    let mut hidden = HiddenTimesBuilder::new(privacy);
    for row in rows {
        let leads_to_hidden_site =
            |title: &String| privacy.leads_to_hidden_site(TextKind::from_role(row.role), true, title.as_str());
        if has_hidden_group(row, privacy) || row.title.as_ref().is_some_and(leads_to_hidden_site) {
            let application = if row.role == Role::Applications { Some(row.id) } else { row.related };
            let [start, end] = [row.span.start, row.span.end].map(Some);
            hidden.add(row.role, DEVICE, application, [start, start, end, end]);
        }
    }
    let applications = rows.iter().filter(|row| row.role == Role::Applications);
    let first = applications.clone().map(|row| row.span.start).min();
    let last = applications.map(|row| row.span.end).max();
    hidden.finish(first.zip(last).map(|(first, last)| [(first, first), (last, last)]))
}

fn redact_row(row: &Row, rows: &[Row], privacy: &Privacy, redactor: &ActivityRedactor<'_>) -> Row {
    let (kind, redactions) = (TextKind::from_role(row.role), privacy.redactions());
    let activity = Activity {
        device: DEVICE,
        id: row.id,
        text_kind: kind,
        is_hidden: has_hidden_group(row, privacy),
        is_named: true,
        title: row.title.as_deref(),
        notes: row.notes.as_deref(),
        related: row.related,
        start: Some(row.span.start),
        end: Some(row.span.end),
    };
    let has_application = |id: i64| {
        let is_application = |row: &Row| row.role == Role::Applications && row.id == id;
        Ok::<_, Infallible>(rows.iter().any(is_application))
    };
    let Ok(visible) = redactor.redact(&activity, has_application);
    let group = |redacted: Cow<'_, str>| if visible.is_hidden { HIDDEN.to_owned() } else { redacted.into_owned() };
    let title = visible.title.as_deref().map(str::to_owned);
    Row {
        name: group(redactions.redact_group_name(kind, &row.name)),
        key: group(redactions.redact_group_key(kind, &row.key)),
        color: row.color.filter(|_| !visible.is_hidden),
        rule_text: if privacy.has_rules_on_original_text() { row.rule_text.clone() } else { title.clone() },
        title,
        notes: visible.notes.as_deref().map(str::to_owned),
        ..row.clone()
    }
}

fn has_hidden_group(row: &Row, privacy: &Privacy) -> bool {
    privacy.is_hidden_group(TextKind::from_role(row.role), &[&row.name, &row.key])
}
