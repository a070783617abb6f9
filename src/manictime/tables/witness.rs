//! What the rows of one of the file's own tables may tell at one commit, by what they are about.

use std::borrow::Cow;
use std::collections::HashSet;

use rusqlite::Row;

use super::guarded::{Guard, Subject};
use super::resolver::{Resolver, ids_at};
use crate::manictime::dimensions::{Group, Role, TableReader};
use crate::manictime::privacy::{Activity, Privacy, Telling, Told};
use crate::manictime::source::Snapshot;
use crate::manictime::value::{borrowed_text, instant, number};

/// The columns of `Ar_Activity` that [`Witness`] reads.
pub(super) const DECIDING_ACTIVITY: [&str; 10] = [
    "ReportId",
    "ActivityId",
    "GroupId",
    "CommonGroupId",
    "GroupListId",
    "CommonGroupListId",
    "Name",
    "RelatedActivityId",
    "StartUtcTime",
    "EndUtcTime",
];

/// What a row may tell.
pub(super) enum Verdict<'v> {
    /// What its columns hold, each by itself.
    Open,
    Activity(Told<'v>),
    Group(&'v Group),
    Hidden,
}

/// Decides what the rows of one table may tell at one commit.
pub(super) struct Witness<'s> {
    subject: Subject,
    snapshot: &'s Snapshot<'s>,
    privacy: &'s Privacy,
    telling: Option<Telling<'s>>,
    resolver: Resolver<'s>,
    /// What is told of at least one activity; nothing where that need not be asked.
    seen: Option<Seen>,
}

/// Groups and lists that an activity refers to which is not hidden.
#[derive(Default)]
struct Seen {
    groups: HashSet<(i64, i64)>,
    lists: HashSet<(i64, i64)>,
    shared: HashSet<i64>,
}

impl<'s> Witness<'s> {
    pub(super) fn new(guard: &Guard, snapshot: &'s Snapshot<'s>) -> rusqlite::Result<Self> {
        let privacy = &snapshot.dimensions.privacy;
        let mut witness = Self {
            subject: guard.subject,
            snapshot,
            privacy,
            telling: Telling::at(snapshot)?,
            resolver: Resolver::new(snapshot.dimensions),
            seen: None,
        };
        let named = [Subject::Group, Subject::List, Subject::SharedGroup, Subject::SharedList];
        if witness.hides() && named.contains(&guard.subject) {
            witness.seen = Some(witness.look()?);
        }
        Ok(witness)
    }

    /// What may be told of the row whose deciding columns stand from `first` on.
    pub(super) fn judge<'r>(&mut self, row: &'r Row<'_>, first: usize) -> rusqlite::Result<Verdict<'r>>
    where
        's: 'r,
    {
        let dimensions = self.snapshot.dimensions;
        let role = |timeline: i64| dimensions.timeline(timeline).map_or(Role::Other, |timeline| timeline.role);
        let group = match self.subject {
            Subject::OpenTotals | Subject::Another => return Ok(Verdict::Open),
            Subject::Activity => return self.activity(row, first),
            Subject::ListItem => {
                let of_tags = number(row, first)?.is_some_and(|timeline| role(timeline) == Role::Tags);
                return Ok(if of_tags || !self.hides() { Verdict::Open } else { Verdict::Hidden });
            }
            Subject::Folder => {
                let role = number(row, first)?.map_or(Role::Other, role);
                let names = [borrowed_text(row, first + 1)?, borrowed_text(row, first + 2)?];
                let names: Vec<&str> = names.iter().flatten().map(AsRef::as_ref).collect();
                let is_own_word = matches!(role, Role::Tags | Role::Applications);
                let is_hidden = self.privacy.names_application(&names) || self.privacy.names_site(&names);
                return Ok(if is_own_word && !is_hidden { Verdict::Open } else { Verdict::Hidden });
            }
            Subject::UnlinkedTotals if self.privacy.hides_applications() => return Ok(Verdict::Hidden),
            Subject::Totals | Subject::UnlinkedTotals => {
                let id = number(row, first)?;
                let is_hidden = dimensions.common_group(id).is_some_and(|group| group.is_hidden)
                    || self.subject == Subject::UnlinkedTotals && self.snapshot.hidden()?.is_by_address(id);
                return Ok(if is_hidden { Verdict::Hidden } else { Verdict::Open });
            }
            Subject::Group | Subject::List => {
                let Some(timeline) = number(row, first)? else { return Ok(Verdict::Hidden) };
                let id = number(row, first + 1)?;
                let is_list = self.subject == Subject::List;
                let seen = self.seen.as_ref().filter(|_| can_belong(role(timeline)));
                let seen = seen.map(|seen| if is_list { &seen.lists } else { &seen.groups });
                let is_seen = seen.is_none_or(|seen| id.is_some_and(|id| seen.contains(&(timeline, id))));
                let group = if is_list { dimensions.list(timeline, id) } else { dimensions.group(timeline, id) };
                group.filter(|_| is_seen)
            }
            Subject::SharedGroup | Subject::SharedList => {
                let id = number(row, first)?;
                let group = match self.subject {
                    Subject::SharedGroup => dimensions.common_group(id),
                    _ => dimensions.common_list(id),
                };
                let is_seen = self.seen.as_ref().is_none_or(|seen| id.is_some_and(|id| seen.shared.contains(&id)));
                group.filter(|_| is_seen)
            }
        };
        Ok(group.filter(|group| !group.is_hidden).map_or(Verdict::Hidden, Verdict::Group))
    }

    /// Whether anything is hidden.
    pub(super) fn hides(&self) -> bool {
        self.privacy.hides_applications() || self.privacy.hides_sites()
    }

    /// The notes of an activity as they may be told.
    pub(super) fn notes<'n>(&self, told: &Told<'_>, notes: &'n str) -> Option<Cow<'n, str>> {
        self.telling.as_ref()?.notes(told, notes)
    }

    /// A word of the user's as it may be told.
    pub(super) fn word(&self, word: &str) -> String {
        self.privacy.scrubber().word(word).into_owned()
    }

    fn activity<'r>(&mut self, row: &'r Row<'_>, first: usize) -> rusqlite::Result<Verdict<'r>> {
        let (Some(timeline), Some(id)) = (number(row, first)?, number(row, first + 1)?) else {
            return Ok(Verdict::Hidden);
        };
        // Of a timeline that is gone nothing tells what it belonged to.
        if self.hides() && self.snapshot.dimensions.timeline(timeline).is_none() {
            return Ok(Verdict::Hidden);
        }
        let resolved = self.resolver.resolve(timeline, ids_at(row, first + 2)?);
        let Some(telling) = &self.telling else { return Ok(Verdict::Hidden) };
        let told = telling.of(Activity {
            timeline,
            id,
            role: self.resolver.role(resolved),
            is_message: self.resolver.is_message(resolved),
            is_hidden: self.resolver.is_hidden(resolved),
            is_named: self.resolver.is_named(resolved),
            title: borrowed_text(row, first + 6)?,
            related: number(row, first + 7)?,
            start: instant(row, first + 8)?,
            end: instant(row, first + 9)?,
        })?;
        Ok(Verdict::Activity(told))
    }

    /// Looks which groups and lists are told of by some activity. Those of applications, tags and states are told of
    /// by themselves.
    fn look(&mut self) -> rusqlite::Result<Seen> {
        let dimensions = self.snapshot.dimensions;
        let mut seen = Seen::default();
        let open = |timeline: i64| dimensions.timeline(timeline).is_some_and(|it| !can_belong(it.role));
        let groups = dimensions.groups.iter().chain(&dimensions.lists).filter(|((timeline, _), _)| open(*timeline));
        seen.shared.extend(groups.filter_map(|(_, group)| group.common_id));
        let shared = dimensions.common_groups.iter().chain(&dimensions.common_lists);
        let by_itself = shared.filter(|(_, group)| matches!(group.report_group_type, Some(1 | 4 | 5)));
        seen.shared.extend(by_itself.map(|(id, _)| *id));
        let reader = TableReader { connection: self.snapshot.connection, shape: self.snapshot.shape };
        let columns = DECIDING_ACTIVITY.map(|column| reader.column("Ar_Activity", column)).join(", ");
        let sql = format!("SELECT {columns} FROM Ar_Activity WHERE ReportId = ?1");
        let mut prepared = reader.connection.prepare(&sql)?;
        for timeline in dimensions.timelines.iter().filter(|timeline| can_belong(timeline.role)) {
            let mut rows = prepared.query([timeline.id])?;
            while let Some(row) = rows.next()? {
                let Verdict::Activity(told) = self.activity(row, 0)? else { continue };
                if told.is_hidden {
                    continue;
                }
                let ids = [number(row, 2)?, number(row, 3)?, number(row, 4)?, number(row, 5)?];
                let [group, common, list, common_list] = ids;
                seen.groups.extend(group.map(|group| (timeline.id, group)));
                seen.lists.extend(list.map(|list| (timeline.id, list)));
                let group = dimensions.group(timeline.id, group).and_then(|group| group.common_id);
                let list = dimensions.list(timeline.id, list).and_then(|list| list.common_id);
                seen.shared.extend([common, common_list, group, list].into_iter().flatten());
            }
        }
        Ok(seen)
    }
}

/// Whether what a timeline of that role records can belong to an application.
fn can_belong(role: Role) -> bool {
    matches!(role, Role::Documents | Role::Websites | Role::Other)
}
