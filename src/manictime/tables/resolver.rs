//! Names, keys, colours, role and tag path of activities, from the groups and lists that they refer to.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, ListBuilder, StringViewBuilder};
use rusqlite::Row;

use super::BATCH_ROWS;
use crate::manictime::dimensions::{Dimensions, Group, Role};
use crate::manictime::value::{number, text};

/// What an activity's group, common group or list says, once for all activities that share them.
struct Resolved {
    role: Role,
    name: Option<String>,
    key: Option<String>,
    color: Option<String>,
    group_name: Option<String>,
    group_key: Option<String>,
    group_color: Option<String>,
    group_type: Option<String>,
    common_name: Option<String>,
    tag_path: Option<Vec<String>>,
}

/// The ids that name an activity: group, common group, list, common list.
type Ids = [Option<i64>; 4];

/// Resolves activities while they are read, remembering every combination of ids that it met.
pub(super) struct Resolver<'d> {
    dimensions: &'d Dimensions,
    rows: Vec<Resolved>,
    by_ids: HashMap<(i64, Ids), u32>,
    by_title: HashMap<(i64, Ids, String), u32>,
    last: Option<((i64, Ids), u32)>,
    columns: HashMap<&'static str, (usize, ArrayRef)>,
}

impl<'d> Resolver<'d> {
    pub(super) fn new(dimensions: &'d Dimensions) -> Self {
        Self {
            dimensions,
            rows: Vec::new(),
            by_ids: HashMap::new(),
            by_title: HashMap::new(),
            last: None,
            columns: HashMap::new(),
        }
    }

    /// The row of [`Resolver::column`] that names the activity in `row`, whose four ids stand from `first` on.
    pub(super) fn resolve(
        &mut self,
        timeline: i64,
        row: &Row<'_>,
        first: usize,
        title: Option<usize>,
    ) -> rusqlite::Result<u32> {
        let mut ids: Ids = [None; 4];
        for (offset, id) in ids.iter_mut().enumerate() {
            *id = number(row, first + offset)?;
        }
        let ids = (timeline, ids);
        if let Some((_, known)) = self.last.filter(|(last, _)| *last == ids) {
            return Ok(known);
        }
        if let Some(known) = self.by_ids.get(&ids) {
            self.last = Some((ids, *known));
            return Ok(*known);
        }
        let mut resolved = resolve(self.dimensions, timeline, ids.1);
        let next = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        if resolved.name.is_some() {
            self.by_ids.insert(ids, next);
            self.last = Some((ids, next));
        } else if let Some(title) = title.map_or(Ok(None), |title| text(row, title))? {
            // Nothing names this activity but itself (semantics, section 2).
            let ids = (timeline, ids.1, title);
            if let Some(known) = self.by_title.get(&ids) {
                return Ok(*known);
            }
            if resolved.role == Role::Tags {
                resolved.tag_path = Some(vec![ids.2.clone()]);
            }
            resolved.name = Some(ids.2.clone());
            self.by_title.insert(ids, next);
        } else {
            self.by_ids.insert(ids, next);
        }
        self.rows.push(resolved);
        Ok(next)
    }

    /// The values of one resolved column, a row per distinct combination of ids.
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

    /// What the activity that was resolved to `row` is about.
    pub(super) fn role(&self, row: u32) -> Role {
        self.rows.get(row as usize).map_or(Role::Other, |resolved| resolved.role)
    }

    /// Forgets everything once there is more to remember than a batch holds: activities that nothing names but their
    /// own titles would fill it without end. Only between batches, whose rows refer to what is here.
    pub(super) fn shrink(&mut self) {
        if self.rows.len() > BATCH_ROWS {
            *self = Self::new(self.dimensions);
        }
    }

    fn build_column(&self, name: &str) -> ArrayRef {
        if name == "tag_path" {
            let mut builder = ListBuilder::new(StringViewBuilder::new());
            for row in &self.rows {
                for part in row.tag_path.iter().flatten() {
                    builder.values().append_value(part);
                }
                builder.append(row.tag_path.is_some());
            }
            return Arc::new(builder.finish());
        }
        let mut builder = StringViewBuilder::with_capacity(self.rows.len());
        for row in &self.rows {
            builder.append_option(match name {
                "role" => Some(row.role.name()),
                "key" => row.key.as_deref(),
                "color" => row.color.as_deref(),
                "group_name" => row.group_name.as_deref(),
                "group_key" => row.group_key.as_deref(),
                "group_color" => row.group_color.as_deref(),
                "group_type" => row.group_type.as_deref(),
                "common_name" => row.common_name.as_deref(),
                _ => row.name.as_deref(),
            });
        }
        Arc::new(builder.finish())
    }
}

fn resolve(dimensions: &Dimensions, timeline: i64, [group, common, list, common_list]: Ids) -> Resolved {
    let group = dimensions.group(timeline, group).or_else(|| dimensions.list(timeline, list));
    let common = match list {
        Some(_) => dimensions.common_list(common_list.or_else(|| group?.common_id)),
        None => dimensions.common_group(common.or_else(|| group?.common_id)),
    };
    let role = dimensions.timeline(timeline).map_or(Role::Other, |timeline| timeline.role);
    let group_type = common.and_then(|common| common.group_type.as_ref()).or_else(|| group?.group_type.as_ref());
    let is_website = group_type.is_some_and(|group_type| group_type.eq_ignore_ascii_case("ManicTime/WebSites"));
    let either = |field: fn(&Group) -> &Option<String>| {
        common.and_then(|common| field(common).clone()).or_else(|| group.and_then(|group| field(group).clone()))
    };
    let parts = dimensions.list_parts(timeline, list).filter(|parts| !parts.is_empty());
    let name = either(|group| &group.name);
    Resolved {
        role: if role == Role::Documents && is_website { Role::Websites } else { role },
        // A group without a key is told apart by its name.
        key: either(|group| &group.key).or_else(|| name.clone()),
        color: either(|group| &group.color),
        group_name: group.and_then(|group| group.name.clone()),
        group_key: group.and_then(|group| group.key.clone()),
        group_color: group.and_then(|group| group.color.clone()),
        group_type: group_type.cloned(),
        common_name: common.and_then(|common| common.name.clone()),
        tag_path: match parts {
            Some(parts) => Some(parts.into_iter().map(str::to_owned).collect()),
            None if role == Role::Tags => name.clone().map(|name| vec![name]),
            None => None,
        },
        name,
    }
}
