//! What names activities at one commit, as far as it may be told.
//!
//! The tables have their names from here alone: what the file says goes in, and what the switches let through comes out.

use std::ops::Deref;

use super::Privacy;
use super::groups::{HiddenGroups, redact};
use super::place::Place;
use crate::manictime::dimensions::{Device, Dimensions, Group, Timeline};
use crate::manictime::role::Role;

/// Timelines, devices, groups and lists under switches.
#[derive(Debug)]
pub(crate) struct PublicNames {
    /// Redacted.
    dimensions: Dimensions,
    groups: HiddenGroups,
    lists: HiddenGroups,
    privacy: Privacy,
}

/// A group, common group, or one of their lists, as it may be told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PublicGroup<'n> {
    group: &'n Group,
    /// Whether a rule hides it; then it says nothing else.
    pub(crate) is_hidden: bool,
}

impl<'n> PublicGroup<'n> {
    /// What it says.
    pub(crate) fn group(self) -> &'n Group {
        self.group
    }

    /// The place of a text that those two name, in a timeline of that role.
    pub(crate) fn place(role: Role, group: Option<Self>, common: Option<Self>) -> Place {
        Place::of(role, group.map(Self::group), common.map(Self::group))
    }
}

impl Deref for PublicGroup<'_> {
    type Target = Group;

    fn deref(&self) -> &Group {
        self.group
    }
}

impl PublicNames {
    /// Hides and redacts what the file says.
    pub(crate) fn new(mut dimensions: Dimensions, privacy: &Privacy) -> Self {
        let [groups, lists] = if privacy.is_empty() { Default::default() } else { redact(privacy, &mut dimensions) };
        Self { dimensions, groups, lists, privacy: privacy.clone() }
    }

    /// The switches that decided it.
    pub(crate) fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    /// Every timeline, in order of their ids.
    pub(crate) fn timelines(&self) -> &[Timeline] {
        &self.dimensions.timelines
    }

    pub(crate) fn timeline(&self, id: i64) -> Option<&Timeline> {
        let place = self.timelines().partition_point(|timeline| timeline.id < id);
        self.timelines().get(place).filter(|timeline| timeline.id == id)
    }

    pub(crate) fn devices(&self) -> &[Device] {
        &self.dimensions.devices
    }

    pub(crate) fn group(&self, timeline: i64, id: Option<i64>) -> Option<PublicGroup<'_>> {
        let id = (timeline, id?);
        let group = self.dimensions.groups.get(&id)?;
        Some(PublicGroup { group, is_hidden: self.groups.own.contains(&id) })
    }

    pub(crate) fn common_group(&self, id: Option<i64>) -> Option<PublicGroup<'_>> {
        let group = self.dimensions.common_groups.get(&id?)?;
        Some(PublicGroup { group, is_hidden: self.groups.shared.contains(&id?) })
    }

    pub(crate) fn list(&self, timeline: i64, id: Option<i64>) -> Option<PublicGroup<'_>> {
        let id = (timeline, id?);
        let group = self.dimensions.lists.get(&id)?;
        Some(PublicGroup { group, is_hidden: self.lists.own.contains(&id) })
    }

    pub(crate) fn common_list(&self, id: Option<i64>) -> Option<PublicGroup<'_>> {
        let group = self.dimensions.common_lists.get(&id?)?;
        Some(PublicGroup { group, is_hidden: self.lists.shared.contains(&id?) })
    }

    /// The names of a tag list's parts, in display order; a part's own text may hold a comma.
    pub(crate) fn list_parts(&self, timeline: i64, id: Option<i64>) -> Option<Vec<&str>> {
        let members = self.dimensions.list_items.get(&(timeline, id?))?;
        let parts = members.iter().filter_map(|member| self.group(timeline, Some(*member))?.group().name.as_deref());
        Some(parts.collect())
    }

    /// Tags that `Ar_ActivityTag` links to one activity.
    pub(crate) fn linked_tags(&self, timeline: i64, activity: i64) -> Option<&[String]> {
        self.dimensions.linked_tags.get(&(timeline, activity)).map(Vec::as_slice)
    }

    /// The ids of what is hidden in a timeline, by the column of an activity that holds them.
    pub(super) fn hidden_ids(&self, timeline: i64) -> [(&'static str, Vec<i64>); 4] {
        let own = |hidden: &HiddenGroups| {
            hidden.own.iter().filter(|(report, _)| *report == timeline).map(|(_, id)| *id).collect()
        };
        let shared = |hidden: &HiddenGroups| hidden.shared.iter().copied().collect();
        [
            ("GroupId", own(&self.groups)),
            ("CommonGroupId", shared(&self.groups)),
            ("GroupListId", own(&self.lists)),
            ("CommonGroupListId", shared(&self.lists)),
        ]
    }

    /// The ids of a timeline's groups that have a name.
    pub(super) fn named_groups(&self, timeline: i64) -> impl Iterator<Item = i64> {
        let groups = self.dimensions.groups.iter();
        groups.filter(move |((report, _), group)| *report == timeline && group.name.is_some()).map(|((_, id), _)| *id)
    }
}
