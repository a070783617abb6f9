//! What one activity may tell, by what it is and what else went on at the same time.
//!
//! What is hidden reaches beyond its own rows: the sites and documents of a hidden application were recorded in rows
//! of their own, and a hidden site shows in the title of its browser. Rows are linked by `RelatedActivityId`; where a
//! row is not, it belongs to what its device did at that time (semantics, section 5).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::scrub::host;
use super::{HIDDEN, Privacy, REDACTED, Redaction, UNKNOWN};
use crate::manictime::dimensions::{Dimensions, Role, TableReader, Timeline};
use crate::manictime::instant::InstantParser;
use crate::manictime::source::Snapshot;
use crate::manictime::value::{number, text};

/// Seconds of UTC from start to end.
type Stretch = (i64, i64);

/// When and beside which activities something hidden was there, at one commit, by device.
#[derive(Debug, Default)]
pub(crate) struct Hidden {
    applications: HashMap<String, Marks>,
    sites: HashMap<String, Marks>,
}

/// The application activities that are, or are linked to, something hidden, and when it was there.
#[derive(Debug, Default)]
struct Marks {
    activities: HashSet<i64>,
    /// Apart from one another, in order.
    stretches: Vec<Stretch>,
    /// Whether the time of any cannot be read: it could have been at any.
    any_time: bool,
}

impl Marks {
    fn add(&mut self, activity: Option<i64>, stretch: Option<Stretch>) {
        self.activities.extend(activity);
        match stretch {
            Some(stretch) => self.stretches.push(stretch),
            None => self.any_time = true,
        }
    }

    fn sort(&mut self) {
        self.stretches.sort_unstable();
        self.stretches.dedup_by(|next, before| {
            let touches = next.0 <= before.1;
            if touches {
                before.1 = before.1.max(next.1);
            }
            touches
        });
    }

    /// Whether something hidden was there in a stretch; one that cannot be read could be at any time.
    fn overlap(&self, stretch: Option<Stretch>) -> bool {
        let Some((start, end)) = stretch else { return self.any_time || !self.stretches.is_empty() };
        let first = self.stretches.partition_point(|(_, ended)| *ended <= start);
        self.any_time || self.stretches.get(first).is_some_and(|(began, _)| *began < end)
    }
}

/// A row's time in UTC. One without extent still lies somewhere.
fn stretch(start: Option<i64>, end: Option<i64>) -> Option<Stretch> {
    start.zip(end).map(|(start, end)| (start, end.max(start + 1)))
}

impl Hidden {
    /// Reads where hidden applications and sites were: as many rows as they have, by the indexes on groups.
    pub(crate) fn read(reader: &TableReader<'_>, dimensions: &Dimensions) -> rusqlite::Result<Self> {
        let mut hidden = Self::default();
        let privacy = &dimensions.privacy;
        for timeline in &dimensions.timelines {
            let marks = match timeline.role {
                Role::Applications if privacy.hides_applications() => &mut hidden.applications,
                Role::Documents | Role::Websites if privacy.hides_sites() => &mut hidden.sites,
                _ => continue,
            };
            let marks = marks.entry(timeline.device.clone()).or_default();
            let is_site = timeline.role != Role::Applications;
            // What nothing names is an application `Unknown`, or a site by its address.
            let unnamed = is_site || privacy.names_application(&[UNKNOWN]);
            let columns = ["ActivityId", "RelatedActivityId", "StartUtcTime", "EndUtcTime", "Name", "GroupId"];
            let columns = columns.map(|column| reader.column("Ar_Activity", column)).join(", ");
            let common = reader.column("Ar_Activity", "CommonGroupId");
            for condition in conditions(dimensions, reader, timeline, unnamed) {
                let sql = format!("SELECT {columns}, {common} FROM Ar_Activity WHERE ReportId = ?1 AND {condition}");
                let mut prepared = reader.connection.prepare(&sql)?;
                let mut rows = prepared.query([timeline.id])?;
                let mut parser = InstantParser::default();
                while let Some(row) = rows.next()? {
                    let group = dimensions.group(timeline.id, number(row, 5)?);
                    let common = dimensions.common_group(number(row, 6)?.or_else(|| group?.common_id));
                    let mut named = [group, common].into_iter().flatten();
                    let is_unnamed = named.clone().all(|group| group.name.is_none());
                    let is_hidden = named.any(|group| group.is_hidden)
                        || is_unnamed && !is_site
                        || is_unnamed && text(row, 4)?.is_some_and(|name| privacy.names_site(&[&name]));
                    if is_hidden {
                        let mut instant = |index| -> rusqlite::Result<Option<i64>> {
                            Ok(text(row, index)?.and_then(|text| parser.parse(text.as_bytes())))
                        };
                        let time = stretch(instant(2)?, instant(3)?);
                        marks.add(number(row, usize::from(is_site))?, time);
                    }
                }
            }
        }
        hidden.applications.values_mut().chain(hidden.sites.values_mut()).for_each(Marks::sort);
        Ok(hidden)
    }
}

/// Which rows of a timeline can be hidden. One condition at a time, since `SQLite` walks an index for each of them, but
/// for all of them together through the table.
fn conditions(dimensions: &Dimensions, reader: &TableReader<'_>, timeline: &Timeline, unnamed: bool) -> Vec<String> {
    let list = |ids: &mut dyn Iterator<Item = i64>| ids.map(|id| id.to_string()).collect::<Vec<_>>().join(", ");
    let of_timeline = || dimensions.groups.iter().filter(|((report, _), _)| *report == timeline.id);
    let hidden = list(&mut of_timeline().filter(|(_, group)| group.is_hidden).map(|((_, id), _)| *id));
    let mut conditions = vec![format!("GroupId IN ({hidden})")];
    if reader.shape.has_column("Ar_Activity", "CommonGroupId") {
        let hidden = list(&mut dimensions.common_groups.iter().filter(|(_, group)| group.is_hidden).map(|(id, _)| *id));
        conditions.push(format!("CommonGroupId IN ({hidden})"));
    }
    if unnamed {
        // A group without a name, or that the file no longer holds, names nothing either. The bound asks for the index.
        let named = list(&mut of_timeline().filter(|(_, group)| group.name.is_some()).map(|((_, id), _)| *id));
        conditions.push("GroupId IS NULL".to_owned());
        conditions.push(format!("GroupId > {} AND GroupId NOT IN ({named})", i64::MIN));
    }
    conditions
}

/// An activity whose words are to be told.
pub(crate) struct Activity<'a> {
    pub(crate) timeline: i64,
    pub(crate) id: i64,
    pub(crate) role: Role,
    /// Whether its name is the subject of a message or whatever a plugin records, not the name of a file.
    pub(crate) is_message: bool,
    /// Whether its group or common group is hidden.
    pub(crate) is_hidden: bool,
    /// Whether any group names it.
    pub(crate) is_named: bool,
    /// Its own name.
    pub(crate) title: Option<Cow<'a, str>>,
    pub(crate) related: Option<i64>,
    /// Start and end in UTC.
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
}

/// What may be told of an activity.
pub(crate) struct Told<'a> {
    pub(crate) is_hidden: bool,
    /// Its own name, redacted.
    pub(crate) title: Option<Cow<'a, str>>,
}

impl Told<'_> {
    /// The name of an activity that nothing names but its title.
    pub(crate) fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(if self.is_hidden { HIDDEN } else { REDACTED })
    }
}

/// Decides what activities tell at one commit.
pub(crate) struct Telling<'s> {
    privacy: &'s Privacy,
    snapshot: &'s Snapshot<'s>,
    hidden: &'s Hidden,
}

impl<'s> Telling<'s> {
    /// What activities may tell at that commit; nothing where they may tell everything.
    pub(crate) fn at(snapshot: &'s Snapshot<'s>) -> rusqlite::Result<Option<Self>> {
        let privacy = &snapshot.dimensions.privacy;
        if privacy.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { privacy, snapshot, hidden: snapshot.hidden()? }))
    }

    /// What the activity may tell.
    pub(crate) fn of<'a>(&self, mut activity: Activity<'a>) -> rusqlite::Result<Told<'a>> {
        let is_hidden = activity.is_hidden || self.is_hidden_by_another(&activity)? || self.is_hidden_site(&activity);
        let title = activity.title.take();
        let title = title.and_then(|title| self.title(&activity, is_hidden, title));
        Ok(Told { is_hidden, title })
    }

    fn title<'a>(&self, activity: &Activity<'_>, is_hidden: bool, title: Cow<'a, str>) -> Option<Cow<'a, str>> {
        let scrubber = self.privacy.scrubber();
        let redacts_titles = self.privacy.redacts(Redaction::Titles);
        let is_withheld = match activity.role {
            Role::Applications => is_hidden || redacts_titles || self.shows_hidden_site(activity),
            Role::Documents | Role::Other => !is_hidden && redacts_titles && activity.is_message,
            // Some versions record the page's title where others record its address.
            Role::Websites => !is_hidden && redacts_titles && title.contains(char::is_whitespace),
            Role::Tags | Role::ComputerUsage => false,
        };
        let told = match activity.role {
            _ if is_withheld => return None,
            Role::ComputerUsage => return Some(title),
            Role::Tags => scrubber.word(&title),
            _ if is_hidden => return Some(Cow::Borrowed(HIDDEN)),
            Role::Documents if !activity.is_message => scrubber.path(&title),
            Role::Websites => scrubber.address(&title),
            Role::Applications | Role::Documents | Role::Other => scrubber.text(&title),
        };
        Some(Cow::Owned(told.into_owned()))
    }

    /// The notes of an activity as they may be told.
    pub(crate) fn notes<'a>(&self, told: &Told<'_>, notes: &'a str) -> Option<Cow<'a, str>> {
        let withheld = told.is_hidden || self.privacy.redacts(Redaction::Titles);
        (!withheld).then(|| self.privacy.scrubber().text(notes))
    }

    /// Whether a document, a site or what a plugin recorded belongs to a hidden application.
    fn is_hidden_by_another(&self, activity: &Activity<'_>) -> rusqlite::Result<bool> {
        if matches!(activity.role, Role::Applications | Role::Tags | Role::ComputerUsage) {
            return Ok(false);
        }
        let Some(marks) = self.marks(&self.hidden.applications, activity) else { return Ok(false) };
        if activity.related.is_some_and(|related| marks.activities.contains(&related)) {
            return Ok(true);
        }
        let overlaps = marks.overlap(stretch(activity.start, activity.end));
        Ok(overlaps && !self.is_linked(activity)?)
    }

    /// Whether an address leads to a hidden site, whatever its group says.
    fn is_hidden_site(&self, activity: &Activity<'_>) -> bool {
        if !self.privacy.hides_sites() || matches!(activity.role, Role::Applications | Role::Tags | Role::ComputerUsage)
        {
            return false;
        }
        let Some(title) = activity.title.as_deref() else { return false };
        let names_itself = activity.role == Role::Websites && !activity.is_named;
        host(title).is_some_and(|host| self.privacy.names_site(&[&host]))
            || names_itself && self.privacy.names_site(&[title])
    }

    /// Whether a hidden site was shown in the window of an application activity.
    fn shows_hidden_site(&self, activity: &Activity<'_>) -> bool {
        self.marks(&self.hidden.sites, activity).is_some_and(|marks| {
            marks.activities.contains(&activity.id) || marks.overlap(stretch(activity.start, activity.end))
        })
    }

    fn marks<'m>(&self, marks: &'m HashMap<String, Marks>, activity: &Activity<'_>) -> Option<&'m Marks> {
        marks.get(&self.snapshot.dimensions.timeline(activity.timeline)?.device)
    }

    /// Whether the link of a row leads to an application activity of its device.
    fn is_linked(&self, activity: &Activity<'_>) -> rusqlite::Result<bool> {
        let (Some(related), dimensions) = (activity.related, self.snapshot.dimensions) else { return Ok(false) };
        let Some(timeline) = dimensions.timeline(activity.timeline) else { return Ok(false) };
        let mut exists =
            self.snapshot.connection.prepare("SELECT 1 FROM Ar_Activity WHERE ReportId = ?1 AND ActivityId = ?2")?;
        let of_device = dimensions
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
