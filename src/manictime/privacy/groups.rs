//! Redacts the names of groups, lists and timelines, once for every activity that refers to them.

use std::collections::{HashMap, HashSet};

use super::scrub::host;
use super::{HIDDEN, Privacy, REDACTED, Redaction};
use crate::manictime::dimensions::{Dimensions, Group, Role};

/// What a group stands for, which decides what its texts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Application,
    Site,
    Document,
    Tag,
    /// A state of the computer: words of `ManicTime`'s own.
    State,
    /// A message, an event, whatever a plugin records: anything can be in it.
    Other,
}

impl Kind {
    fn of(role: Role, group_type: Option<&str>) -> Self {
        let is_file = group_type.is_none_or(|group_type| group_type.eq_ignore_ascii_case("ManicTime/Files"));
        match role {
            Role::Applications => Self::Application,
            Role::Websites => Self::Site,
            Role::Documents if is_website(group_type) => Self::Site,
            Role::Documents if is_file => Self::Document,
            Role::Tags => Self::Tag,
            Role::ComputerUsage => Self::State,
            Role::Documents | Role::Other => Self::Other,
        }
    }

    /// By `ReportGroupType`, for what no timeline refers to (ManicTime data, section 2).
    fn of_report_group_type(number: Option<i64>) -> Self {
        match number {
            Some(1) => Self::Application,
            Some(3) => Self::Site,
            Some(4) => Self::State,
            Some(5) => Self::Tag,
            _ => Self::Other,
        }
    }
}

/// Whether an activity's name is the subject of a message or whatever a plugin records, not the name of a file.
pub(crate) fn is_message(role: Role, group_type: Option<&str>) -> bool {
    Kind::of(role, group_type) == Kind::Other
}

/// Whether a group type says that its activities are websites.
pub(crate) fn is_website(group_type: Option<&str>) -> bool {
    group_type.is_some_and(|group_type| group_type.eq_ignore_ascii_case("ManicTime/WebSites"))
}

/// Hides and redacts what `dimensions` say.
pub(super) fn redact(privacy: &Privacy, dimensions: &mut Dimensions) {
    let roles: HashMap<i64, Role> = dimensions.timelines.iter().map(|timeline| (timeline.id, timeline.role)).collect();
    let role_of = |timeline: i64| roles.get(&timeline).copied().unwrap_or(Role::Other);
    redact_shared(privacy, &role_of, &mut dimensions.groups, &mut dimensions.common_groups);
    redact_shared(privacy, &role_of, &mut dimensions.lists, &mut dimensions.common_lists);
    let scrubber = privacy.scrubber();
    for tag in dimensions.linked_tags.values_mut().flatten() {
        *tag = scrubber.word(tag).into_owned();
    }
    for timeline in &mut dimensions.timelines {
        timeline.name = timeline.name.as_deref().map(|name| scrubber.text(name).into_owned());
    }
}

/// Redacts groups and what they have in common: what one of them may not say, none of those that share it may.
fn redact_shared(
    privacy: &Privacy,
    role_of: &impl Fn(i64) -> Role,
    groups: &mut HashMap<(i64, i64), Group>,
    shared: &mut HashMap<i64, Group>,
) {
    let mut kinds: HashMap<i64, Vec<Kind>> = HashMap::new();
    let mut hidden: HashSet<i64> = HashSet::new();
    let group_kinds: HashMap<(i64, i64), Kind> = groups
        .iter()
        .map(|(id, group)| {
            let common = group.common_id.and_then(|common| shared.get(&common));
            let group_type = common.and_then(|common| common.group_type.as_deref()).or(group.group_type.as_deref());
            let numbers = [Some(group), common].into_iter().flatten().map(|group| group.report_group_type);
            // An older file can say by a number alone what a group of the documents timeline is.
            let is_site =
                group_type.is_none() && numbers.map(Kind::of_report_group_type).any(|kind| kind == Kind::Site);
            let kind = Kind::of(role_of(id.0), group_type);
            (*id, if is_site && kind == Kind::Document { Kind::Site } else { kind })
        })
        .collect();
    for (id, group) in groups.iter_mut() {
        let kind = group_kinds[id];
        group.is_hidden = hides(privacy, kind, group);
        if let Some(common) = group.common_id {
            let known = kinds.entry(common).or_default();
            if !known.contains(&kind) {
                known.push(kind);
            }
            if group.is_hidden {
                hidden.insert(common);
            }
        }
    }
    for (id, group) in shared.iter_mut() {
        let unreferenced = [Kind::of_report_group_type(group.report_group_type)];
        let kinds = kinds.get(id).map_or(&unreferenced[..], Vec::as_slice);
        group.is_hidden = hidden.contains(id) || kinds.iter().any(|kind| hides(privacy, *kind, group));
        if group.is_hidden {
            hidden.insert(*id);
            hide(group);
        } else {
            for kind in kinds {
                redact_group(privacy, *kind, group);
            }
        }
    }
    for (id, group) in groups.iter_mut() {
        group.is_hidden |= group.common_id.is_some_and(|common| hidden.contains(&common));
        if group.is_hidden {
            hide(group);
        } else {
            redact_group(privacy, group_kinds[id], group);
        }
    }
}

fn hides(privacy: &Privacy, kind: Kind, group: &Group) -> bool {
    let names: Vec<&str> = [&group.key, &group.name].into_iter().flatten().map(String::as_str).collect();
    match kind {
        Kind::Application => privacy.names_application(&names),
        Kind::Site => privacy.names_site(&names),
        Kind::Other => privacy.names_application(&names) || privacy.names_site(&names),
        // A file can lie at a site.
        Kind::Document => names.into_iter().filter_map(host).any(|site| privacy.names_site(&[&site])),
        Kind::Tag | Kind::State => false,
    }
}

/// Leaves nothing by which one hidden group could be told from another.
fn hide(group: &mut Group) {
    *group = Group {
        key: Some(HIDDEN.to_owned()),
        name: Some(HIDDEN.to_owned()),
        is_hidden: true,
        // The group's role hangs on it.
        group_type: group.group_type.take(),
        ..Group::default()
    };
}

fn redact_group(privacy: &Privacy, kind: Kind, group: &mut Group) {
    let scrubber = privacy.scrubber();
    for text in [&mut group.key, &mut group.name].into_iter().flatten() {
        let told = match kind {
            Kind::Site => scrubber.address(text),
            Kind::Document => scrubber.path(text),
            Kind::Tag => scrubber.word(text),
            Kind::State => continue,
            Kind::Other if privacy.redacts(Redaction::Titles) => REDACTED.into(),
            Kind::Application | Kind::Other => scrubber.text(text),
        };
        *text = told.into_owned();
    }
}
