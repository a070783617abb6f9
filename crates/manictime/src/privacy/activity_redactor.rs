//! Redacts activities, depending on their kind and on what else happened at the same time.
//!
//! Hiding an application or a site affects other rows, too: the sites and documents of a hidden application are
//! separate rows, and a hidden site appears in the title of its browser. Rows are linked by `RelatedActivityId`. A row
//! without a link belongs to the activity of its device at that time (docs/spec/time.md#documents-and-websites).

use std::borrow::Cow;
use std::collections::HashMap;

use rusqlite::Connection;

use super::hidden::{HiddenMarks, HiddenTimes, leads_to_hidden_site};
use super::names::RedactedNames;
use dayledger_source::{HIDDEN, REDACTED, Redactions, Role, TextKind, to_interval};

/// An activity to redact.
pub(crate) struct Activity<'a> {
    pub(crate) timeline: i64,
    pub(crate) id: i64,
    /// The kind of its own name.
    pub(crate) text_kind: TextKind,
    /// Whether its group or common group is hidden.
    pub(crate) is_hidden: bool,
    /// Whether it has a group with a name.
    pub(crate) is_named: bool,
    /// Its own name.
    pub(crate) title: Option<Cow<'a, str>>,
    pub(crate) related: Option<i64>,
    /// The start and end in UTC.
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
}

/// A redacted activity.
pub(crate) struct RedactedActivity<'a> {
    pub(crate) is_hidden: bool,
    /// Whether it is the window of an application that showed a hidden site, so that its title and notes can reveal the
    /// site.
    has_hidden_context: bool,
    /// Its own name, redacted.
    pub(crate) title: Option<Cow<'a, str>>,
}

impl RedactedActivity<'_> {
    /// Returns the name of an activity whose only name is its title.
    pub(crate) fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(if self.is_hidden { HIDDEN } else { REDACTED })
    }
}

/// Redacts the activities of one commit. Used only if there are privacy settings.
pub(crate) struct ActivityRedactor<'s> {
    connection: &'s Connection,
    names: &'s RedactedNames,
    hidden: &'s HiddenTimes,
    redactions: Redactions,
}

impl<'s> ActivityRedactor<'s> {
    /// Creates a redactor with the privacy settings of `names`. `hidden` must be from the same
    /// commit of the same file.
    pub(crate) fn new(connection: &'s Connection, names: &'s RedactedNames, hidden: &'s HiddenTimes) -> Self {
        Self { connection, names, hidden, redactions: names.privacy().redactions() }
    }

    pub(crate) fn redact<'a>(&self, mut activity: Activity<'a>) -> rusqlite::Result<RedactedActivity<'a>> {
        let is_hidden = activity.is_hidden || self.is_hidden_by_another(&activity)? || self.is_hidden_site(&activity);
        let has_hidden_context = activity.text_kind == TextKind::Application && self.shows_hidden_site(&activity);
        let title = activity.title.take().filter(|_| !has_hidden_context);
        let title = title.and_then(|title| self.title(activity.text_kind, is_hidden, title));
        Ok(RedactedActivity { is_hidden, has_hidden_context, title })
    }

    fn title<'a>(&self, kind: TextKind, is_hidden: bool, title: Cow<'a, str>) -> Option<Cow<'a, str>> {
        match kind {
            TextKind::Application if is_hidden => None,
            TextKind::Tag | TextKind::State => {
                Some(Cow::Owned(self.redactions.redact_activity_text(kind, &title)?.into_owned()))
            }
            _ if is_hidden => Some(Cow::Borrowed(HIDDEN)),
            _ => match self.redactions.redact_activity_text(kind, &title)? {
                allowed if allowed == title => Some(title),
                allowed => Some(Cow::Owned(allowed.into_owned())),
            },
        }
    }

    /// Redacts the notes of an activity. Returns `None` if all notes are redacted or the activity
    /// is hidden.
    pub(crate) fn notes<'a>(&self, activity: &RedactedActivity<'_>, notes: &'a str) -> Option<Cow<'a, str>> {
        let is_redacted = activity.is_hidden || activity.has_hidden_context || self.names.privacy().redacts_notes();
        (!is_redacted).then(|| self.redactions.free_text(notes))
    }

    /// Whether a document, a site or a plugin's activity belongs to a hidden application.
    fn is_hidden_by_another(&self, activity: &Activity<'_>) -> rusqlite::Result<bool> {
        if matches!(activity.text_kind, TextKind::Application | TextKind::Tag | TextKind::State) {
            return Ok(false);
        }
        let Some(marks) = self.marks(&self.hidden.applications, activity) else { return Ok(false) };
        if activity.related.is_some_and(|related| marks.activities.contains(&related)) {
            return Ok(true);
        }
        let overlaps = marks.overlaps(to_interval(activity.start, activity.end));
        Ok(overlaps && !self.is_linked(activity)?)
    }

    /// Whether its own name leads to a hidden site, independently of its group.
    fn is_hidden_site(&self, activity: &Activity<'_>) -> bool {
        let title = activity.title.as_deref().filter(|_| self.names.privacy().hides_sites());
        title.is_some_and(|title| {
            leads_to_hidden_site(self.names.privacy(), activity.text_kind, activity.is_named, title)
        })
    }

    /// Whether the window of an application activity showed a hidden site.
    fn shows_hidden_site(&self, activity: &Activity<'_>) -> bool {
        self.marks(&self.hidden.sites, activity).is_some_and(|marks| {
            marks.activities.contains(&activity.id) || marks.overlaps(to_interval(activity.start, activity.end))
        })
    }

    fn marks<'m>(&self, marks: &'m HashMap<String, HiddenMarks>, activity: &Activity<'_>) -> Option<&'m HiddenMarks> {
        marks.get(&self.names.timeline(activity.timeline)?.device)
    }

    /// Whether the row is linked to an application activity of the same device.
    fn is_linked(&self, activity: &Activity<'_>) -> rusqlite::Result<bool> {
        let Some(related) = activity.related else { return Ok(false) };
        let Some(timeline) = self.names.timeline(activity.timeline) else { return Ok(false) };
        let mut exists =
            self.connection.prepare("SELECT 1 FROM Ar_Activity WHERE ReportId = ?1 AND ActivityId = ?2")?;
        let of_device = self
            .names
            .timelines
            .iter()
            .filter(|other| other.role == Role::Applications && other.device == timeline.device);
        for other in of_device {
            if exists.exists([other.id, related])? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
