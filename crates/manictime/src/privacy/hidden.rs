//! Finds the rows of hidden applications and sites, at one commit.
//!
//! Rows of hidden groups are found with the database's indexes on groups. If the privacy settings hide sites, a row's
//! URL can be hidden even if the row's group isn't. So with such settings, all rows of documents and websites are read
//! once per commit.

use std::collections::HashSet;

use rusqlite::{Connection, Row};

use super::classify::classify;
use super::groups::RedactedNames;
use crate::dimensions::Timeline;
use crate::instant::InstantParser;
use crate::shape::Shape;
use crate::value::{instant, number, text};
use dayledger_source::{HiddenTimes, HiddenTimesBuilder, Role, UNKNOWN};
use dayledger_sqlite::Capacity;

/// The rows of hidden applications and sites, at one commit.
#[derive(Debug)]
pub(crate) struct HiddenRows {
    /// The times of the hidden rows.
    pub(crate) times: HiddenTimes,
    /// The ids of common groups that aren't hidden themselves, but have an activity with a hidden URL.
    by_address: HashSet<i64>,
}

/// The columns that the statements of this module select, in this order.
const COLUMNS: [&str; 11] = [
    "ActivityId",
    "RelatedActivityId",
    "Name",
    "StartUtcTime",
    "StartLocalTime",
    "EndUtcTime",
    "EndLocalTime",
    "GroupId",
    "CommonGroupId",
    "GroupListId",
    "CommonGroupListId",
];

impl HiddenRows {
    /// Whether a common group has an activity that is hidden only because of its URL. The hourly
    /// totals of the group must not be returned, because they include this activity.
    pub(crate) fn is_hidden_by_address(&self, common: Option<i64>) -> bool {
        common.is_some_and(|common| self.by_address.contains(&common))
    }

    /// Finds the rows of hidden applications and sites.
    pub(crate) fn read(
        connection: &Connection,
        shape: &Shape,
        capacity: Capacity,
        names: &RedactedNames,
    ) -> rusqlite::Result<Self> {
        let (mut times, mut by_address) = (HiddenTimesBuilder::new(names.privacy()), HashSet::new());
        let columns = COLUMNS.map(|column| shape.column("Ar_Activity", column)).join(", ");
        for timeline in &names.timelines {
            // If several conditions select the same row, it is added several times. This doesn't change the result,
            // because the builder merges intervals.
            for condition in conditions(names, shape, timeline) {
                let sql = format!("SELECT {columns} FROM Ar_Activity WHERE ReportId = ?1{condition}");
                let mut parsers: [InstantParser; 4] = Default::default();
                capacity.for_each_row(connection, &sql, [timeline.id], |row| {
                    if is_hidden_row(names, timeline, row, &mut by_address)? {
                        add_row(&mut times, timeline, row, &mut parsers)?;
                    }
                    Ok(0)
                })?;
            }
        }
        Ok(Self { times: times.finish(application_bounds(connection, capacity, names)?), by_address })
    }
}

/// Whether a row belongs to a hidden application or site. If the row is hidden only because of its URL, adds its common
/// group to `by_address`.
fn is_hidden_row(
    names: &RedactedNames,
    timeline: &Timeline,
    row: &Row<'_>,
    by_address: &mut HashSet<i64>,
) -> rusqlite::Result<bool> {
    let privacy = names.privacy();
    let group = names.groups.timeline_group(timeline.id, number(row, 7)?);
    let common = number(row, 8)?.or_else(|| group?.common_id);
    let list = names.lists.timeline_group(timeline.id, number(row, 9)?);
    let common_list = number(row, 10)?.or_else(|| list?.common_id);
    let groups = [group, names.groups.common_group(common), list, names.lists.common_group(common_list)];
    let known = groups.into_iter().flatten();
    if known.clone().any(|group| group.is_hidden) {
        return Ok(true);
    }
    let is_named = known.clone().any(|group| group.name.is_some());
    if timeline.role == Role::Applications {
        return Ok(!is_named && privacy.is_hidden_application(&[UNKNOWN]));
    }
    if !privacy.hides_sites() {
        return Ok(false);
    }
    let kind = classify(timeline.role, group.or(list), groups[1].or(groups[3]));
    let name = text(row, 2)?;
    let is_hidden = name.is_some_and(|name| privacy.leads_to_hidden_site(kind, is_named, &name));
    if is_hidden {
        by_address.extend(common);
    }
    Ok(is_hidden)
}

fn add_row(
    times: &mut HiddenTimesBuilder,
    timeline: &Timeline,
    row: &Row<'_>,
    parsers: &mut [InstantParser; 4],
) -> rusqlite::Result<()> {
    let mut instants = [None; 4];
    for ((at, parser), index) in instants.iter_mut().zip(parsers).zip(3..) {
        *at = instant(row, index, parser)?;
    }
    let is_application = timeline.role == Role::Applications;
    let application = number(row, usize::from(!is_application))?;
    times.add(timeline.role, &timeline.device, application, instants);
    Ok(())
}

/// Returns the conditions for selecting the rows of a timeline that can be hidden. Each condition is the end of a SQL
/// statement. Each condition has its own statement, so that `SQLite` uses an index. If `OR` joined the conditions,
/// `SQLite` would scan the whole table.
fn conditions(names: &RedactedNames, shape: &Shape, timeline: &Timeline) -> Vec<String> {
    let privacy = names.privacy();
    match timeline.role {
        Role::Documents | Role::Websites | Role::Other if privacy.hides_sites() => return vec![String::new()],
        Role::Applications | Role::Other if privacy.hides_applications() => {}
        _ => return Vec::new(),
    }
    let hidden = [
        ("GroupId", names.groups.timeline_group_ids(timeline.id, |group| group.is_hidden)),
        ("CommonGroupId", names.groups.hidden_common_ids()),
        ("GroupListId", names.lists.timeline_group_ids(timeline.id, |group| group.is_hidden)),
        ("CommonGroupListId", names.lists.hidden_common_ids()),
    ];
    let hidden = hidden.into_iter().filter(|(column, ids)| !ids.is_empty() && shape.has_column("Ar_Activity", column));
    let mut conditions: Vec<String> =
        hidden.map(|(column, ids)| format!(" AND {column} IN ({})", join_ids(&ids))).collect();
    if timeline.role == Role::Applications && privacy.is_hidden_application(&[UNKNOWN]) {
        // These conditions select the rows without a name. Their group is null, has no name, or is missing in the file.
        // SQLite uses the index because of the lower bound.
        let groups = join_ids(&names.groups.timeline_group_ids(timeline.id, |group| group.name.is_some()));
        conditions.push(" AND GroupId IS NULL".to_owned());
        conditions.push(format!(" AND GroupId > {} AND GroupId NOT IN ({groups})", i64::MIN));
    }
    conditions
}

fn join_ids(ids: &[i64]) -> String {
    ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the start of the first application activity and the end of the last one. Each time is a
/// pair: UTC and local time in seconds.
fn application_bounds(
    connection: &Connection,
    capacity: Capacity,
    names: &RedactedNames,
) -> rusqlite::Result<Option<[(i64, i64); 2]>> {
    let edges = [
        "SELECT StartUtcTime, StartLocalTime FROM Ar_Activity WHERE ReportId = ?1 ORDER BY StartLocalTime",
        "SELECT EndUtcTime, EndLocalTime FROM Ar_Activity WHERE ReportId = ?1 ORDER BY EndLocalTime DESC",
    ];
    let (mut first, mut last) = (None::<(i64, i64)>, None::<(i64, i64)>);
    for timeline in names.timelines.iter().filter(|timeline| timeline.role == Role::Applications) {
        let [starts, ends] = edges.map(|sql| capacity.find_first(connection, sql, timeline.id, read_moment));
        if let Some((utc, local)) = starts? {
            first = Some(first.map_or((utc, local), |first| (first.0.min(utc), first.1.min(local))));
        }
        if let Some((utc, local)) = ends? {
            last = Some(last.map_or((utc, local), |last| (last.0.max(utc), last.1.max(local))));
        }
    }
    Ok(first.zip(last).map(|(first, last)| [first, last]))
}

/// Reads a time in UTC (first column) and in local time (second column). Returns `None` if one of
/// the columns can't be read.
fn read_moment(row: &Row<'_>) -> rusqlite::Result<Option<(i64, i64)>> {
    let mut parser = InstantParser::default();
    Ok(instant(row, 0, &mut parser)?.zip(instant(row, 1, &mut parser)?))
}
