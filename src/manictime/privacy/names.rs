//! What names activities at one commit, as far as it may be told.
//!
//! The tables have their names from here alone: what the file says goes in, and what the switches let through comes out.

use std::collections::HashMap;
use std::ops::Deref;

use super::Privacy;
use super::groups::{HiddenGroups, redact};
use super::place::Place;
use crate::manictime::dimensions::{Device, Dimensions, Group, Groups, Timeline};
use crate::manictime::role::Role;

/// Timelines, devices, groups and lists under switches.
#[derive(Debug)]
pub(crate) struct PublicNames {
    /// In order of their ids.
    pub(crate) timelines: Vec<Timeline>,
    pub(crate) devices: Vec<Device>,
    pub(crate) groups: PublicGroups,
    pub(crate) lists: PublicGroups,
    list_items: HashMap<(i64, i64), Vec<i64>>,
    linked_tags: HashMap<(i64, i64), Vec<String>>,
    privacy: Privacy,
}

/// Groups, or lists of them, under switches.
#[derive(Debug)]
pub(crate) struct PublicGroups {
    groups: Groups,
    hidden: HiddenGroups,
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

impl PublicGroups {
    /// That of a timeline.
    pub(crate) fn own(&self, timeline: i64, id: Option<i64>) -> Option<PublicGroup<'_>> {
        let id = (timeline, id?);
        Some(PublicGroup { group: self.groups.own.get(&id)?, is_hidden: self.hidden.own.contains(&id) })
    }

    /// What those of several timelines have in common.
    pub(crate) fn shared(&self, id: Option<i64>) -> Option<PublicGroup<'_>> {
        Some(PublicGroup { group: self.groups.shared.get(&id?)?, is_hidden: self.hidden.shared.contains(&id?) })
    }

    /// The ids of a timeline's own that are hidden.
    pub(super) fn hidden_own(&self, timeline: i64) -> Vec<i64> {
        self.hidden.own.iter().filter(|(report, _)| *report == timeline).map(|(_, id)| *id).collect()
    }

    /// The ids of what is hidden of all that they have in common.
    pub(super) fn hidden_shared(&self) -> Vec<i64> {
        self.hidden.shared.iter().copied().collect()
    }

    /// The ids of a timeline's own that have a name.
    pub(super) fn named(&self, timeline: i64) -> Vec<i64> {
        let own = self.groups.own.iter();
        own.filter(|((report, _), group)| *report == timeline && group.name.is_some()).map(|((_, id), _)| *id).collect()
    }
}

impl PublicNames {
    /// Hides and redacts what the file says.
    pub(crate) fn new(mut dimensions: Dimensions, privacy: &Privacy) -> Self {
        let hidden = if privacy.is_empty() { Default::default() } else { redact(privacy, &mut dimensions) };
        let Dimensions { timelines, devices, groups, lists, list_items, linked_tags } = dimensions;
        let [hidden_groups, hidden_lists] = hidden;
        let groups = PublicGroups { groups, hidden: hidden_groups };
        let lists = PublicGroups { groups: lists, hidden: hidden_lists };
        Self { timelines, devices, groups, lists, list_items, linked_tags, privacy: privacy.clone() }
    }

    /// The switches that decided it.
    pub(crate) fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    pub(crate) fn timeline(&self, id: i64) -> Option<&Timeline> {
        let place = self.timelines.partition_point(|timeline| timeline.id < id);
        self.timelines.get(place).filter(|timeline| timeline.id == id)
    }

    /// The names of a tag list's parts, in display order; a part's own text may hold a comma.
    pub(crate) fn list_parts(&self, timeline: i64, id: Option<i64>) -> Option<Vec<&str>> {
        let members = self.list_items.get(&(timeline, id?))?.iter();
        Some(members.filter_map(|member| self.groups.own(timeline, Some(*member))?.group().name.as_deref()).collect())
    }

    /// Tags that `Ar_ActivityTag` links to one activity.
    pub(crate) fn linked_tags(&self, timeline: i64, activity: i64) -> Option<&[String]> {
        self.linked_tags.get(&(timeline, activity)).map(Vec::as_slice)
    }
}
