//! Redacts activities. The result depends on the kind of an activity, and on other activities at the same time.
//!
//! Hiding an application or a site also affects other rows. The sites and documents of a hidden application are
//! separate rows. The title of a browser window can contain a hidden site. A document or a site can be linked to an
//! application activity. Without such a link, it belongs to the application activity of the same device at the same
//! time (docs/spec/time.md#documents-and-websites).

use std::borrow::Cow;

use super::hidden_times::{HiddenTimes, to_interval};
use super::{HIDDEN, Privacy, REDACTED, Redactions, TextKind};

/// An activity to redact.
#[derive(Debug, Clone)]
pub struct Activity<'a> {
    /// The name of the activity's device.
    pub device: &'a str,
    /// The id of the activity.
    pub id: i64,
    /// The kind of the title.
    pub text_kind: TextKind,
    /// Whether the activity's group is hidden ([`Privacy::is_hidden_group`]).
    pub is_hidden: bool,
    /// Whether the activity has a group with a name.
    pub is_named: bool,
    /// The activity's own text: the title of a window or a page, a URL, or the path of a document.
    pub title: Option<&'a str>,
    /// The user's notes.
    pub notes: Option<&'a str>,
    /// The id of the application activity to which this activity is linked.
    pub related: Option<i64>,
    /// The start in UTC, in seconds.
    pub start: Option<i64>,
    /// The end in UTC, in seconds.
    pub end: Option<i64>,
}

/// A redacted activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedactedActivity<'a> {
    /// Whether the activity is hidden. If so, the source replaces all other names and keys of the activity by
    /// [`HIDDEN`]. The source also removes the colours, the type of the group, and the flag for billable time.
    pub is_hidden: bool,
    /// The activity's own text, redacted.
    pub title: Option<Cow<'a, str>>,
    /// The user's notes, redacted.
    pub notes: Option<Cow<'a, str>>,
}

impl RedactedActivity<'_> {
    /// Returns the name of an activity whose only name is its title.
    pub fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(if self.is_hidden { HIDDEN } else { REDACTED })
    }
}

/// Redacts the activities of a history at one state of its files. Used only if there are privacy settings.
#[derive(Debug)]
pub struct ActivityRedactor<'s> {
    privacy: &'s Privacy,
    hidden: &'s HiddenTimes,
    redactions: Redactions,
}

impl<'s> ActivityRedactor<'s> {
    /// Creates a redactor. `hidden` and the activities must be from the same state of the same files.
    pub fn new(privacy: &'s Privacy, hidden: &'s HiddenTimes) -> Self {
        Self { privacy, hidden, redactions: privacy.redactions() }
    }

    /// Redacts an activity. `has_application` returns whether the activity's device has an application activity with
    /// the given id. The function is called only if its result decides whether the activity is hidden.
    ///
    /// # Errors
    /// Fails if `has_application` fails.
    pub fn redact<'a, E>(
        &self,
        activity: &Activity<'a>,
        has_application: impl FnOnce(i64) -> Result<bool, E>,
    ) -> Result<RedactedActivity<'a>, E> {
        let is_hidden = activity.is_hidden
            || self.is_in_hidden_application(activity, has_application)?
            || self.is_hidden_site(activity);
        // If a window showed a hidden site, the title and notes of the window can reveal the site.
        let has_hidden_context = activity.text_kind == TextKind::Application && self.shows_hidden_site(activity);
        let title = activity.title.filter(|_| !has_hidden_context);
        let are_notes_redacted = is_hidden || has_hidden_context || self.privacy.redacts_notes();
        let notes = activity.notes.filter(|_| !are_notes_redacted);
        Ok(RedactedActivity {
            is_hidden,
            title: title.and_then(|title| self.title(activity.text_kind, is_hidden, title)),
            notes: notes.map(|notes| self.redactions.free_text(notes)),
        })
    }

    fn title<'a>(&self, kind: TextKind, is_hidden: bool, title: &'a str) -> Option<Cow<'a, str>> {
        // Tags and states don't show applications or sites.
        if !is_hidden || matches!(kind, TextKind::Tag | TextKind::State) {
            return self.redactions.redact_activity_text(kind, title);
        }
        (kind != TextKind::Application).then_some(Cow::Borrowed(HIDDEN))
    }

    /// Whether a document, a site or a plugin's activity belongs to a hidden application.
    fn is_in_hidden_application<E>(
        &self,
        activity: &Activity<'_>,
        has_application: impl FnOnce(i64) -> Result<bool, E>,
    ) -> Result<bool, E> {
        if matches!(activity.text_kind, TextKind::Application | TextKind::Tag | TextKind::State) {
            return Ok(false);
        }
        let Some(marks) = self.hidden.applications.get(activity.device) else { return Ok(false) };
        if activity.related.is_some_and(|related| marks.activities.contains(&related)) {
            return Ok(true);
        }
        if !marks.overlaps(to_interval(activity.start, activity.end)) {
            return Ok(false);
        }
        // A hidden application was used at this time. But if the row is linked to another application activity, which
        // isn't hidden, the row isn't hidden either.
        activity.related.map_or(Ok(true), |related| has_application(related).map(|exists| !exists))
    }

    /// Whether the activity's own text leads to a hidden site. This function ignores whether the activity's group is
    /// hidden.
    fn is_hidden_site(&self, activity: &Activity<'_>) -> bool {
        let title = activity.title.filter(|_| self.privacy.hides_sites());
        title.is_some_and(|title| self.privacy.leads_to_hidden_site(activity.text_kind, activity.is_named, title))
    }

    /// Whether the window of an application activity showed a hidden site.
    fn shows_hidden_site(&self, activity: &Activity<'_>) -> bool {
        self.hidden.sites.get(activity.device).is_some_and(|marks| {
            marks.activities.contains(&activity.id) || marks.overlaps(to_interval(activity.start, activity.end))
        })
    }
}

#[cfg(test)]
mod tests;
