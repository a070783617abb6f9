//! Redacts the names of groups, lists and timelines. Each name is redacted once, for all activities that refer to it.
//!
//! The modules that read tables take all names from [`RedactedNames`]. [`RedactedNames::new`] redacts the original
//! names, and doesn't keep them.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;

use super::classify::{classify, classify_unreferenced};
use crate::dimensions::{Dimensions, Group, Groups};
use dayledger_source::{HIDDEN, Privacy, REDACTED, Redactions, Role, TextKind};

/// Timelines, devices, groups and lists after redaction.
#[derive(Debug)]
pub(crate) struct RedactedNames {
    redacted: Dimensions,
    privacy: Privacy,
}

impl RedactedNames {
    /// Hides and redacts the names in `dimensions` according to the privacy settings.
    pub(crate) fn new(mut dimensions: Dimensions, privacy: &Privacy) -> Self {
        if !privacy.is_empty() {
            redact(privacy, &mut dimensions);
        }
        Self { redacted: dimensions, privacy: privacy.clone() }
    }

    /// Returns the privacy settings with which the names were redacted.
    pub(crate) fn privacy(&self) -> &Privacy {
        &self.privacy
    }
}

impl Deref for RedactedNames {
    type Target = Dimensions;

    fn deref(&self) -> &Dimensions {
        &self.redacted
    }
}

/// Hides and redacts the names in `dimensions`.
fn redact(privacy: &Privacy, dimensions: &mut Dimensions) {
    let roles: HashMap<i64, Role> = dimensions.timelines.iter().map(|timeline| (timeline.id, timeline.role)).collect();
    let role_of = |timeline: i64| roles.get(&timeline).copied().unwrap_or(Role::Other);
    redact_shared(privacy, &role_of, &mut dimensions.groups);
    redact_shared(privacy, &role_of, &mut dimensions.lists);
    let redactions = privacy.redactions();
    let names = dimensions.timelines.iter_mut().filter_map(|timeline| timeline.name.as_mut());
    for text in names.chain(dimensions.linked_tags.values_mut().flatten()) {
        *text = redactions.free_text(text).into_owned();
    }
}

/// Redacts groups and their common groups. If a group is hidden, its common group is also hidden. All other groups with
/// the same common group are then also hidden.
fn redact_shared(privacy: &Privacy, role_of: &impl Fn(i64) -> Role, groups: &mut Groups) {
    let Groups { own, shared } = groups;
    let mut kinds: HashMap<i64, Vec<TextKind>> = HashMap::new();
    // The ids of hidden common groups. A group can refer to a common group that isn't in the file, and its id is also
    // included.
    let mut hidden: HashSet<i64> = HashSet::new();
    // Compute the kinds first. A kind can depend on a group's number, and hiding a group removes its number.
    let own_kinds: HashMap<(i64, i64), TextKind> = own
        .iter()
        .map(|(id, group)| {
            let common = group.common_id.and_then(|common| shared.get(&common));
            (*id, classify(role_of(id.0), Some(group), common))
        })
        .collect();
    for (id, group) in own.iter_mut() {
        let kind = own_kinds[id];
        group.is_hidden = is_hidden(privacy, kind, group);
        if let Some(common) = group.common_id {
            let known = kinds.entry(common).or_default();
            if !known.contains(&kind) {
                known.push(kind);
            }
            hidden.extend(group.is_hidden.then_some(common));
        }
    }
    let redactions = privacy.redactions();
    for (id, group) in shared.iter_mut() {
        let unreferenced = [classify_unreferenced(group)];
        let kinds = kinds.get(id).map_or(&unreferenced[..], Vec::as_slice);
        if hidden.contains(id) || kinds.iter().any(|kind| is_hidden(privacy, *kind, group)) {
            hidden.insert(*id);
            hide(group);
        } else {
            redact_group(redactions, kinds, group);
        }
    }
    for (id, group) in own.iter_mut() {
        if group.is_hidden || group.common_id.is_some_and(|common| hidden.contains(&common)) {
            hide(group);
        } else {
            redact_group(redactions, &[own_kinds[id]], group);
        }
    }
}

fn is_hidden(privacy: &Privacy, kind: TextKind, group: &Group) -> bool {
    let names: Vec<&str> = [&group.key, &group.name].into_iter().flatten().map(String::as_str).collect();
    privacy.is_hidden_group(kind, &names)
}

/// Removes all properties that could distinguish a hidden group from another hidden group.
fn hide(group: &mut Group) {
    *group = Group {
        key: Some(HIDDEN.to_owned()),
        name: Some(HIDDEN.to_owned()),
        // Keep the type, because the role of activities depends on it.
        group_type: group.group_type.take(),
        // Keep the states of the computer, because they aren't private. The group of a state, such as `Away`, can have
        // the same common group as a hidden application. Such a group is then also hidden.
        common_id: group.common_id,
        key_state: group.key_state,
        name_state: group.name_state,
        is_hidden: true,
        ..Group::default()
    };
}

/// Redacts the key and the name of a group. A common group can have several kinds. If redaction by these kinds leads to
/// different texts, the text is redacted completely.
fn redact_group(redactions: Redactions, kinds: &[TextKind], group: &mut Group) {
    let agreed = |text: &str, redact_as: fn(Redactions, TextKind, &str) -> String| {
        let mut agreed = kinds.iter().map(|kind| redact_as(redactions, *kind, text));
        let first = agreed.next().unwrap_or_else(|| REDACTED.to_owned());
        if agreed.all(|other| other == first) { first } else { REDACTED.to_owned() }
    };
    group.key = group
        .key
        .take()
        .map(|key| agreed(&key, |redactions, kind, key| redactions.redact_group_key(kind, key).into_owned()));
    group.name = group
        .name
        .take()
        .map(|name| agreed(&name, |redactions, kind, name| redactions.redact_group_name(kind, name).into_owned()));
    // Keep only valid colours, because any other text could be private.
    group.color =
        group.color.take().filter(|color| color.len() <= 8 && color.bytes().all(|byte| byte.is_ascii_hexdigit()));
}
