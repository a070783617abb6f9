//! Reads the small tables with the names of timelines, devices, groups, common groups and tag lists. Only the module
//! `privacy` uses the original names. All other modules get redacted names from it.
//!
//! After each commit, these tables are read completely, because they have only a few thousand rows. Queries don't need
//! to join these tables, because the table `activities` contains the names, keys, colours, roles and devices of its
//! rows.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use rusqlite::{Connection, Row};

use super::shape::Shape;
use super::states::{state_of_key, state_of_name};
use super::value::{flag, name, number, text_bytes};
use dayledger_source::{Capability, ComputerState, Role};
use dayledger_sqlite::Capacity;

/// A row of `Ar_Timeline` with its role and device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Timeline {
    pub(crate) id: i64,
    pub(crate) name: Option<String>,
    pub(crate) schema: String,
    pub(crate) role: Role,
    pub(crate) device: String,
    /// Whether the device has a computer-usage timeline. If so, activities can be clipped to active time.
    pub(crate) is_tracked: bool,
}

/// A row of `Ar_Environment`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Device {
    pub(crate) id: String,
    /// The display name. Each device must have a different name, because active time and segments are computed per
    /// device name.
    pub(crate) name: String,
    pub(crate) operating_system: Option<String>,
    pub(crate) application: Option<String>,
    pub(crate) dot_net: Option<String>,
}

/// A group, a common group, a list of groups, or a list of common groups.
#[expect(clippy::struct_field_names, reason = "the columns' own names")]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Group {
    pub(crate) key: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) color: Option<String>,
    pub(crate) group_type: Option<String>,
    pub(crate) common_id: Option<i64>,
    pub(crate) is_billable: Option<bool>,
    pub(crate) report_group_type: Option<i64>,
    /// The state of the computer that corresponds to the group's unredacted key.
    pub(crate) key_state: Option<ComputerState>,
    /// The state of the computer that corresponds to the group's unredacted name.
    pub(crate) name_state: Option<ComputerState>,
    /// Whether the privacy settings hide the group. A hidden group keeps only its type, common group and states.
    pub(crate) is_hidden: bool,
}

/// Groups, or lists of groups.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Groups that belong to one timeline each. The key is the timeline and the id.
    pub(super) own: HashMap<(i64, i64), Group>,
    /// Common groups by id. Groups of several timelines can refer to the same common group.
    pub(super) shared: HashMap<i64, Group>,
}

impl Groups {
    /// Returns the group of a timeline with this id.
    pub(super) fn timeline_group(&self, timeline: i64, id: Option<i64>) -> Option<&Group> {
        self.own.get(&(timeline, id?))
    }

    /// Returns the common group with this id.
    pub(super) fn common_group(&self, id: Option<i64>) -> Option<&Group> {
        self.shared.get(&id?)
    }

    /// Returns the ids of those groups of a timeline for which `is_wanted` returns true.
    pub(super) fn timeline_group_ids(&self, timeline: i64, is_wanted: fn(&Group) -> bool) -> Vec<i64> {
        let own = self.own.iter().filter(|((report, _), group)| *report == timeline && is_wanted(group));
        own.map(|((_, id), _)| *id).collect()
    }

    /// Returns the ids of hidden common groups.
    pub(super) fn hidden_common_ids(&self) -> Vec<i64> {
        self.shared.iter().filter(|(_, group)| group.is_hidden).map(|(id, _)| *id).collect()
    }
}

/// The rows that activities refer to, such as timelines and groups, at one commit.
#[derive(Debug, Default)]
pub(crate) struct Dimensions {
    /// The timelines, sorted by id.
    pub(super) timelines: Vec<Timeline>,
    pub(super) devices: Vec<Device>,
    pub(super) groups: Groups,
    pub(super) lists: Groups,
    /// The group ids of each list, in display order. The key is the timeline and the list.
    pub(super) list_items: HashMap<(i64, i64), Vec<i64>>,
    /// The tags that are linked to an activity. The key is the timeline and the activity.
    pub(super) linked_tags: HashMap<(i64, i64), Vec<String>>,
}

impl Dimensions {
    /// Reads the tables. `shape` describes the database, and `capacity` limits the number of rows.
    pub(crate) fn read(connection: &Connection, shape: &Shape, capacity: Capacity) -> rusqlite::Result<Self> {
        let reader = &NameReader { connection, shape, capacity };
        let mut dimensions = Self { devices: read_devices(reader)?, ..Self::default() };
        dimensions.timelines = read_timelines(reader, &mut dimensions.devices)?;
        dimensions.groups.own = reader.read_groups("Ar_Group", &["ReportId", "GroupId"], read_id_pair)?;
        if shape.has_capability(Capability::CommonGroups) {
            dimensions.groups.shared = reader.read_groups("Ar_CommonGroup", &["CommonId"], |row| number(row, 0))?;
        }
        if shape.has_capability(Capability::TagLists) {
            dimensions.lists.own = reader.read_groups("Ar_GroupList", &["ReportId", "GroupListId"], read_id_pair)?;
            let mut items: BTreeMap<(i64, i64), Vec<(i64, i64)>> = BTreeMap::new();
            reader.for_each_row(
                "Ar_GroupListItem",
                &["ReportId", "GroupListId", "GroupId"],
                &["DisplayOrder"],
                |row| {
                    if let (Some(list), Some(group)) = (read_id_pair(row)?, number(row, 2)?) {
                        items.entry(list).or_default().push((number(row, 3)?.unwrap_or(i64::MAX), group));
                    }
                    Ok(())
                },
            )?;
            dimensions.list_items = items
                .into_iter()
                .map(|(list, mut members)| {
                    // Sort by display order and id, because several groups can have the same display order or no
                    // display order. So each read returns the groups in the same order.
                    members.sort_unstable();
                    (list, members.into_iter().map(|(_, group)| group).collect())
                })
                .collect();
        }
        if shape.has_column("Ar_CommonGroupList", "CommonId") {
            dimensions.lists.shared = reader.read_groups("Ar_CommonGroupList", &["CommonId"], |row| number(row, 0))?;
        }
        if shape.has_capability(Capability::LinkedTags) {
            let linked = "SELECT a.ReportId, a.ActivityId, t.Name FROM Ar_ActivityTag AS a \
                          JOIN Ar_Tag AS t ON t.TagId = a.TagId ORDER BY a.ReportId, a.ActivityId, t.TagId";
            reader.for_each_row_of(linked, 3, |row| {
                if let (Some(activity), Some(tag)) = (read_id_pair(row)?, name(row, 2)?) {
                    dimensions.linked_tags.entry(activity).or_default().push(tag);
                }
                Ok(())
            })?;
        }
        Ok(dimensions)
    }

    pub(super) fn timeline(&self, id: i64) -> Option<&Timeline> {
        let place = self.timelines.partition_point(|timeline| timeline.id < id);
        self.timelines.get(place).filter(|timeline| timeline.id == id)
    }

    /// Returns the names of the groups in a tag list, in display order. The names aren't joined into one text, because
    /// a name can contain a comma.
    pub(super) fn list_parts(&self, timeline: i64, id: Option<i64>) -> Option<Vec<&str>> {
        let members = self.list_items.get(&(timeline, id?))?.iter();
        Some(
            members.filter_map(|member| self.groups.timeline_group(timeline, Some(*member))?.name.as_deref()).collect(),
        )
    }
}

/// The ids of groups, with the ids of the common groups that they refer to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Links {
    /// The common group of each group. The key of a group is: whether it is a list, its timeline, and its id.
    groups: HashMap<(bool, i64, i64), Option<i64>>,
    shared: HashSet<(bool, i64)>,
}

impl Links {
    pub(crate) fn from_dimensions(dimensions: &Dimensions) -> Self {
        let link = |is_list: bool| {
            move |((timeline, id), group): (&(i64, i64), &Group)| ((is_list, *timeline, *id), group.common_id)
        };
        let Dimensions { groups, lists, .. } = dimensions;
        let own = groups.own.iter().map(link(false)).chain(lists.own.iter().map(link(true)));
        let shared = groups.shared.keys().map(|id| (false, *id)).chain(lists.shared.keys().map(|id| (true, *id)));
        Self { groups: own.collect(), shared: shared.collect() }
    }

    /// Whether all links are still the same at a later commit. Groups that were added or removed don't matter. But if a
    /// common group was removed, returns false.
    pub(crate) fn remain_valid_in(&self, later: &Self) -> bool {
        let kept = |(id, link): (&(bool, i64, i64), &Option<i64>)| later.groups.get(id).is_none_or(|now| now == link);
        self.groups.iter().all(kept) && self.shared.is_subset(&later.shared)
    }
}

/// Reads groups and other rows of the small tables.
struct NameReader<'r> {
    connection: &'r Connection,
    shape: &'r Shape,
    capacity: Capacity,
}

impl NameReader<'_> {
    /// Reads groups or lists of groups, by key. The function `key` computes the key from a row, which begins with the
    /// columns `ids`.
    fn read_groups<K: Eq + Hash>(
        &self,
        table: &str,
        ids: &[&str],
        key: fn(&Row<'_>) -> rusqlite::Result<Option<K>>,
    ) -> rusqlite::Result<HashMap<K, Group>> {
        let columns = ["Key", "Name", "Color", "GroupType", "CommonId", "IsBillable", "ReportGroupType"];
        let mut groups = HashMap::new();
        self.for_each_row(table, ids, &columns, |row| {
            if let Some(key) = key(row)? {
                groups.insert(key, read_group(row, ids.len())?);
            }
            Ok(())
        })?;
        Ok(groups)
    }

    /// Calls `each` with every row of `table`. A row contains the `required` columns, then the
    /// `optional` columns.
    fn for_each_row(
        &self,
        table: &str,
        required: &[&str],
        optional: &[&str],
        each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let columns: Vec<_> = required
            .iter()
            .map(|column| (*column).to_owned())
            .chain(optional.iter().map(|column| self.shape.column(table, column)))
            .collect();
        self.for_each_row_of(&format!("SELECT {} FROM {table}", columns.join(", ")), columns.len(), each)
    }

    /// Calls `each` with every row of a statement. `columns` is the number of columns in a row.
    fn for_each_row_of(
        &self,
        sql: &str,
        columns: usize,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        self.capacity.for_each_row(self.connection, sql, [], |row| {
            each(row)?;
            (0..columns).map(|column| text_bytes(row, column)).sum()
        })
    }
}

fn read_group(row: &Row<'_>, first: usize) -> rusqlite::Result<Group> {
    // An empty name is read as `None`. The name then comes from the next source, such as the common group
    // (docs/spec/time.md#names).
    let some_text = |index| Ok::<_, rusqlite::Error>(name(row, first + index)?.filter(|text| !text.is_empty()));
    let (key, name) = (some_text(0)?, some_text(1)?);
    Ok(Group {
        // The states are computed from the original key and name, because redaction must not change active time.
        key_state: key.as_deref().map(state_of_key),
        name_state: name.as_deref().map(state_of_name),
        key,
        name,
        color: some_text(2)?,
        group_type: some_text(3)?,
        common_id: number(row, first + 4)?,
        is_billable: flag(row, first + 5)?,
        report_group_type: number(row, first + 6)?,
        is_hidden: false,
    })
}

/// Reads the first two columns: the timeline and an id. Rows of different timelines can have the same
/// id.
fn read_id_pair(row: &Row<'_>) -> rusqlite::Result<Option<(i64, i64)>> {
    Ok(number(row, 0)?.zip(number(row, 1)?))
}

fn read_devices(reader: &NameReader<'_>) -> rusqlite::Result<Vec<Device>> {
    let mut devices: Vec<Device> = Vec::new();
    if !reader.shape.has_capability(Capability::Devices) {
        return Ok(devices);
    }
    let optional = ["OperatingSystem", "Application", "DotNet"];
    reader.for_each_row("Ar_Environment", &["EnvironmentId", "DeviceDisplayName"], &optional, |row| {
        let id = name(row, 0)?.unwrap_or_default();
        let shown = name(row, 1)?.filter(|shown| !shown.is_empty()).unwrap_or_else(|| id.clone());
        devices.push(Device {
            name: unique_name(&devices, &shown),
            id,
            operating_system: name(row, 2)?,
            application: name(row, 3)?,
            dot_net: name(row, 4)?,
        });
        Ok(())
    })?;
    Ok(devices)
}

/// Returns `name`, or a variant of it if another device already has this name.
fn unique_name(devices: &[Device], name: &str) -> String {
    let taken = |candidate: &str| devices.iter().any(|device| device.name == candidate);
    if !taken(name) {
        return name.to_owned();
    }
    (2..=devices.len() + 2)
        .map(|number| format!("{name} ({number})"))
        .find(|candidate| !taken(candidate))
        .unwrap_or_else(|| name.to_owned())
}

fn read_timelines(reader: &NameReader<'_>, devices: &mut Vec<Device>) -> rusqlite::Result<Vec<Timeline>> {
    let mut timelines: Vec<Timeline> = Vec::new();
    let optional = ["Name", "BaseSchemaName", "EnvironmentId"];
    reader.for_each_row("Ar_Timeline", &["ReportId", "SchemaName"], &optional, |row| {
        let Some(id) = number(row, 0)? else { return Ok(()) };
        let schema = name(row, 1)?.unwrap_or_default();
        let base = name(row, 3)?;
        let environment = name(row, 4)?.unwrap_or_default();
        let role = role_of_schema(&schema).or_else(|| role_of_schema(base.as_deref()?)).unwrap_or(Role::Other);
        let device = device_name(devices, &environment);
        timelines.push(Timeline { id, name: name(row, 2)?, schema, role, device, is_tracked: false });
        Ok(())
    })?;
    timelines.sort_by_key(|timeline| timeline.id);
    let usage = timelines.iter().filter(|timeline| timeline.role == Role::ComputerUsage);
    let tracked: HashSet<String> = usage.map(|timeline| timeline.device.clone()).collect();
    for timeline in &mut timelines {
        timeline.is_tracked = tracked.contains(&timeline.device);
    }
    Ok(timelines)
}

/// Returns the role of a timeline. The name of the timeline's schema decides the role.
fn role_of_schema(schema: &str) -> Option<Role> {
    match schema.to_ascii_lowercase().as_str() {
        "manictime/computerusage" => Some(Role::ComputerUsage),
        "manictime/applications" => Some(Role::Applications),
        "manictime/documents" => Some(Role::Documents),
        "manictime/browserurls" | "manictime/websites" => Some(Role::Websites),
        "manictime/tags" => Some(Role::Tags),
        _ => None,
    }
}

/// Returns the name of the device with the id `environment`. If `Ar_Environment` doesn't contain the
/// id, adds a device with the id as its name.
fn device_name(devices: &mut Vec<Device>, environment: &str) -> String {
    if let Some(device) = devices.iter().find(|device| device.id == environment) {
        return device.name.clone();
    }
    let name = unique_name(devices, if environment.is_empty() { "unknown device" } else { environment });
    devices.push(Device { id: environment.to_owned(), name: name.clone(), ..Device::default() });
    name
}
