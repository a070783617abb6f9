//! Resolves the names, keys, colours, role and tag path of activities from their groups and lists.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, ListBuilder, StringViewBuilder};
use rusqlite::Row;

use super::columns::texts;
use crate::dimensions::Group;
use crate::privacy::{RedactedNames, classify, is_website};
use crate::states::{state_of_activity, state_of_name};
use crate::value::number;
use dayledger_source::{BATCH_ROWS, ComputerState, HIDDEN, Role, TextKind, UNKNOWN};

/// The properties that activities get from their group, common group or list. All activities with the same ids have the
/// same properties. Texts are borrowed, because many combinations of ids can have the same name.
#[derive(Clone)]
pub(super) struct Resolved<'d> {
    pub(super) role: Role,
    /// The kind of text in the activity's title.
    pub(super) text_kind: TextKind,
    pub(super) name: Option<Cow<'d, str>>,
    key: Option<&'d str>,
    color: Option<&'d str>,
    group_name: Option<&'d str>,
    group_key: Option<&'d str>,
    group_color: Option<&'d str>,
    group_type: Option<&'d str>,
    common_name: Option<&'d str>,
    tag_path: Option<Vec<Cow<'d, str>>>,
    key_state: Option<ComputerState>,
    name_state: Option<ComputerState>,
    pub(super) is_hidden: bool,
}

impl Resolved<'_> {
    fn hidden(role: Role) -> Self {
        let hidden = Some(HIDDEN);
        Self {
            role,
            text_kind: classify(role, None, None),
            name: hidden.map(Cow::Borrowed),
            key: hidden,
            color: None,
            group_name: hidden,
            group_key: hidden,
            group_color: None,
            group_type: None,
            common_name: hidden,
            tag_path: None,
            key_state: None,
            name_state: None,
            is_hidden: true,
        }
    }

    /// Returns the state of the computer during an activity. `title` is the original title of the activity.
    pub(super) fn state(&self, is_active: Option<bool>, title: Option<&str>) -> ComputerState {
        state_of_activity(self.key_state, is_active, self.name_state.or_else(|| title.map(state_of_name)))
    }
}

/// The ids of an activity's group, common group, list and common list.
pub(super) type Ids = [Option<i64>; 4];

/// Reads the four ids of a row. `first` is the index of the first id's column.
pub(super) fn read_ids(row: &Row<'_>, first: usize) -> rusqlite::Result<Ids> {
    let mut ids: Ids = [None; 4];
    for (offset, id) in ids.iter_mut().enumerate() {
        *id = number(row, first + offset)?;
    }
    Ok(ids)
}

/// Resolves the properties of activities, and remembers the result for every combination of ids.
pub(super) struct Resolver<'d> {
    names: &'d RedactedNames,
    rows: Vec<Resolved<'d>>,
    by_ids: HashMap<(i64, Ids), u32>,
    by_title: HashMap<(u32, String), u32>,
    by_hidden_role: HashMap<Role, u32>,
    columns: HashMap<&'static str, (usize, ArrayRef)>,
}

impl<'d> Resolver<'d> {
    pub(super) fn new(names: &'d RedactedNames) -> Self {
        Self {
            names,
            rows: Vec::new(),
            by_ids: HashMap::new(),
            by_title: HashMap::new(),
            by_hidden_role: HashMap::new(),
            columns: HashMap::new(),
        }
    }

    /// Returns the index in [`Resolver::column`] for the activities of `timeline` with the group ids `ids`.
    pub(super) fn resolve(&mut self, timeline: i64, ids: Ids) -> u32 {
        if let Some(known) = self.by_ids.get(&(timeline, ids)) {
            return *known;
        }
        let known = self.add(resolve(self.names, timeline, ids));
        self.by_ids.insert((timeline, ids), known);
        known
    }

    /// Returns the properties at the index `row`.
    pub(super) fn row(&self, row: u32) -> &Resolved<'d> {
        &self.rows[row as usize]
    }

    /// Returns the index for an activity whose only name is its title (docs/spec/time.md#names).
    /// `unnamed` is the index that [`Self::resolve`] returns for the ids of the activity.
    pub(super) fn resolve_titled(&mut self, unnamed: u32, title: &str) -> u32 {
        let key = (unnamed, title.to_owned());
        if let Some(known) = self.by_title.get(&key) {
            return *known;
        }
        let mut resolved = self.row(unnamed).clone();
        if resolved.role == Role::Tags {
            resolved.tag_path = Some(vec![title.to_owned().into()]);
        }
        resolved.name = Some(title.to_owned().into());
        let known = self.add(resolved);
        self.by_title.insert(key, known);
        known
    }

    /// Returns the index for hidden activities of a role. All hidden activities of a role have the
    /// same properties.
    pub(super) fn hidden(&mut self, role: Role) -> u32 {
        if let Some(known) = self.by_hidden_role.get(&role) {
            return *known;
        }
        let known = self.add(Resolved::hidden(role));
        self.by_hidden_role.insert(role, known);
        known
    }

    fn add(&mut self, resolved: Resolved<'d>) -> u32 {
        self.rows.push(resolved);
        u32::try_from(self.rows.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns the values of a column of the table `activities`. Activities with the same properties share one value.
    /// The functions above, such as `resolve`, return the index of an activity's value.
    pub(super) fn column(&mut self, name: &'static str) -> ArrayRef {
        if let Some((rows, column)) = self.columns.get(name)
            && *rows == self.rows.len()
        {
            return Arc::clone(column);
        }
        let column = self.build_column(name);
        self.columns.insert(name, (self.rows.len(), Arc::clone(&column)));
        column
    }

    /// Whether the resolver has more entries than a block has rows. The number of entries must be limited, because each
    /// distinct title can add an entry. This happens for activities whose only name is their title.
    pub(super) fn is_full(&self) -> bool {
        self.rows.len() > BATCH_ROWS
    }

    /// Removes all entries if the resolver is full. Call this function only between batches, because
    /// the rows of a batch refer to the entries.
    pub(super) fn shrink(&mut self) {
        if self.is_full() {
            *self = Self::new(self.names);
        }
    }

    fn build_column(&self, name: &str) -> ArrayRef {
        if name == "tag_path" {
            let mut builder = ListBuilder::new(StringViewBuilder::new().with_deduplicate_strings());
            for row in &self.rows {
                for part in row.tag_path.iter().flatten() {
                    builder.values().append_value(part);
                }
                builder.append(row.tag_path.is_some());
            }
            return Arc::new(builder.finish());
        }
        texts(self.rows.iter().map(|row| match name {
            "role" => Some(row.role.name()),
            "key" => row.key,
            "color" => row.color,
            "group_name" => row.group_name,
            "group_key" => row.group_key,
            "group_color" => row.group_color,
            "group_type" => row.group_type,
            "common_name" => row.common_name,
            _ => row.name.as_deref(),
        }))
    }
}

/// Returns the group and the common group for these ids. For an activity with a list, returns the
/// list and the common list instead.
fn find_groups(names: &RedactedNames, timeline: i64, [group, common, list, common_list]: Ids) -> [Option<&Group>; 2] {
    let group = names.groups.timeline_group(timeline, group).or_else(|| names.lists.timeline_group(timeline, list));
    // The id of the common group can be in the row, in the row's group, or in both.
    let common = match list {
        Some(_) => names.lists.common_group(common_list.or_else(|| group?.common_id)),
        None => names.groups.common_group(common.or_else(|| group?.common_id)),
    };
    [group, common]
}

/// Whether an activity with these ids has a group name. Otherwise, the activity's title is used as its name.
pub(super) fn is_named(names: &RedactedNames, timeline: i64, ids: Ids) -> bool {
    find_groups(names, timeline, ids).into_iter().flatten().any(|group| group.name.is_some())
}

fn resolve(names: &RedactedNames, timeline: i64, ids: Ids) -> Resolved<'_> {
    let [group, common] = find_groups(names, timeline, ids);
    let [_, _, list, _] = ids;
    let role = names.timeline(timeline).map_or(Role::Other, |timeline| timeline.role);
    let own = |field: fn(&Group) -> &Option<String>| group.and_then(|group| field(group).as_deref());
    let shared = |field: fn(&Group) -> &Option<String>| common.and_then(|common| field(common).as_deref());
    let either = |field| shared(field).or_else(|| own(field));
    let group_type = either(|group| &group.group_type);
    let parts = names.list_parts(timeline, list).filter(|parts| !parts.is_empty());
    let name = either(|group| &group.name);
    let text_kind = classify(role, group, common);
    let role = if role == Role::Documents && is_website(group_type) { Role::Websites } else { role };
    let key_state = group.and_then(|group| group.key_state);
    let name_state = [common, group].into_iter().flatten().find_map(|group| group.name_state);
    let is_hidden = [group, common].into_iter().flatten().any(|group| group.is_hidden);
    let is_unknown = name.is_none() && role == Role::Applications;
    if is_hidden || is_unknown && names.privacy().is_hidden_application(&[UNKNOWN]) {
        return Resolved { key_state, name_state, ..Resolved::hidden(role) };
    }
    Resolved {
        role,
        text_kind,
        // A group without a key is identified by its name.
        key: either(|group| &group.key).or(name),
        color: either(|group| &group.color),
        group_name: own(|group| &group.name),
        group_key: own(|group| &group.key),
        group_color: own(|group| &group.color),
        group_type,
        common_name: shared(|group| &group.name),
        tag_path: match parts {
            Some(parts) => Some(parts.into_iter().map(Cow::Borrowed).collect()),
            None if role == Role::Tags => name.map(|name| vec![name.into()]),
            None => None,
        },
        key_state,
        name_state,
        is_hidden: false,
        name: name.map(Cow::Borrowed),
    }
}
