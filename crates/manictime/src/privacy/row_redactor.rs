//! Redacts rows of `Ar_Activity`. For this, looks up the activity to which a row is linked (`RelatedActivityId`).

use rusqlite::Connection;

use super::groups::RedactedNames;
use dayledger_source::{Activity, ActivityRedactor, HiddenTimes, RedactedActivity, Role};

/// Redacts the activities of one commit. It is used only if there are privacy settings.
pub(crate) struct RowRedactor<'s> {
    connection: &'s Connection,
    names: &'s RedactedNames,
    redactor: ActivityRedactor<'s>,
}

impl<'s> RowRedactor<'s> {
    /// Creates a redactor with the privacy settings of `names`. `names` and `hidden` must be from
    /// the same commit.
    pub(crate) fn new(connection: &'s Connection, names: &'s RedactedNames, hidden: &'s HiddenTimes) -> Self {
        Self { connection, names, redactor: ActivityRedactor::new(names.privacy(), hidden) }
    }

    pub(crate) fn redact<'a>(&self, activity: &Activity<'a>) -> rusqlite::Result<RedactedActivity<'a>> {
        self.redactor.redact(activity, |related| self.has_application(activity.device, related))
    }

    /// Whether a device has an application activity with this id.
    fn has_application(&self, device: &str, id: i64) -> rusqlite::Result<bool> {
        let mut exists =
            self.connection.prepare("SELECT 1 FROM Ar_Activity WHERE ReportId = ?1 AND ActivityId = ?2")?;
        let timelines = self.names.timelines.iter();
        for timeline in timelines.filter(|it| it.role == Role::Applications && it.device == device) {
            if exists.exists([timeline.id, id])? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
