//! Writes a ManicTime history row by row.
//!
//! **Owns** ids, change sequences, common groups, the hourly sums and the timeline summary of what it writes.
//! **Does not own** what is written. Invariants: ids of groups, lists and activities count from 1 in each timeline;
//! one change sequence per timeline grows with every row; rows for table groups that the history does not have are
//! left out without an error.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use rusqlite::{Connection, params};

use super::Error;
use super::clock::{HOUR, Moment, stamp};
use super::hourly::{HourlyTotals, Usage, hours};
use super::identity::{fnv, key_hash, random_value, uuid_like};
use super::rows::{Activity, Group, GroupKind, Timeline};
use super::schema::{self, SchemaOptions, TableGroup};
use super::waiting::{INSERT_ACTIVITY, Waiting};

/// How many activities wait for the table at most: some megabytes.
const MOST_WAITING: usize = 8_192;

/// Writes a history of one's own making: timelines, groups and activities in any order that respects their ids.
///
/// Nothing is visible to others before [`HistoryWriter::commit`] or [`HistoryWriter::finish`]. Writing fails with
/// [`Error::Database`] where SQLite refuses, and with [`Error::NoTimeline`] for a timeline that was not added.
#[derive(Debug)]
pub struct HistoryWriter {
    conn: Connection,
    options: SchemaOptions,
    indexed: bool,
    timelines: BTreeMap<i64, Progress>,
    common_groups: HashMap<(i64, String), i64>,
    common_group_lists: HashMap<String, i64>,
    next_common: i64,
    hourly: HourlyTotals,
    waiting: Vec<Waiting>,
}

/// How far a timeline has been written.
#[derive(Debug, Default)]
struct Progress {
    sequence: i64,
    activities: i64,
    folders: i64,
    /// Kind and common id of each group, by group id - 1.
    groups: Vec<(GroupKind, i64)>,
    /// Common id of each group list, by list id - 1.
    group_lists: Vec<i64>,
    recorded: Extent,
    active: Extent,
}

/// The earliest start and the latest end, each with the activity that has it.
#[derive(Debug, Default)]
struct Extent {
    start: Option<(i64, Moment)>,
    end: Option<(i64, Moment)>,
}

impl Extent {
    fn cover(&mut self, activity: i64, start: Moment, end: Moment) {
        if self.start.is_none_or(|(_, first)| start.utc < first.utc) {
            self.start = Some((activity, start));
        }
        if self.end.is_none_or(|(_, last)| end.utc >= last.utc) {
            self.end = Some((activity, end));
        }
    }
}

impl HistoryWriter {
    /// Creates a history file with the chosen tables.
    pub fn create(path: &Path, options: SchemaOptions) -> Result<Self, Error> {
        Self::over(Connection::open(path)?, options)
    }

    /// Creates a history in memory with the chosen tables.
    pub fn in_memory(options: SchemaOptions) -> Result<Self, Error> {
        Self::over(Connection::open_in_memory()?, options)
    }

    fn over(conn: Connection, options: SchemaOptions) -> Result<Self, Error> {
        schema::create_tables(&conn, &options)?;
        Ok(Self {
            conn,
            options,
            indexed: false,
            timelines: BTreeMap::new(),
            common_groups: HashMap::new(),
            common_group_lists: HashMap::new(),
            next_common: 1,
            hourly: HourlyTotals::default(),
            waiting: Vec::new(),
        })
    }

    /// Returns the connection, for pragmas before the first row and for rows that no method writes.
    pub const fn connection(&self) -> &Connection {
        &self.conn
    }

    /// Adds a device.
    pub fn add_environment(&mut self, id: &str, device: &str, operating_system: Option<&str>) -> Result<(), Error> {
        self.begin()?;
        if self.options.has(TableGroup::Environments) {
            self.conn.execute(
                "INSERT INTO Ar_Environment VALUES (?1, ?2, ?2, NULL, NULL, ?3, ?4, ?5, ?6, ?7, '{}')",
                params![
                    id,
                    device,
                    operating_system,
                    operating_system.map(|_| ".NET;8.0.11"),
                    operating_system.map(|_| "ManicTime;2024.3.3.0"),
                    "2024-01-02 08:00:00.000000",
                    format!("1,{}", random_value(0, fnv(id).cast_signed()))
                ],
            )?;
        }
        Ok(())
    }

    /// Adds a timeline. Its groups and activities can be added from then on.
    pub fn add_timeline(&mut self, timeline: &Timeline<'_>) -> Result<(), Error> {
        self.begin()?;
        self.conn.execute(
            "INSERT INTO Ar_Timeline VALUES (?1, ?2, ?3, ?4, ?5, '1.0.0.0', ?6, '1.0.0.0', 0, ?7, '{}')",
            params![
                timeline.report,
                uuid_like(timeline.environment, timeline.report * 2),
                uuid_like(timeline.environment, timeline.report * 2 + 1),
                timeline.name,
                timeline.schema,
                timeline.base_schema,
                timeline.environment
            ],
        )?;
        self.timelines.entry(timeline.report).or_default();
        Ok(())
    }

    /// Adds a folder to a timeline and returns its id.
    pub fn add_folder(&mut self, report: i64, key: &str, name: &str, color: &str) -> Result<i64, Error> {
        self.begin()?;
        let progress = timeline(&mut self.timelines, report)?;
        progress.folders += 1;
        progress.sequence += 1;
        let (folder, sequence) = (progress.folders, progress.sequence);
        if self.options.has(TableGroup::Folders) {
            self.conn.execute(
                "INSERT INTO Ar_Folder VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?6, ?7, '{}')",
                params![report, folder, key, name, color, sequence, random_value(report, sequence)],
            )?;
        }
        Ok(folder)
    }

    /// Adds what timelines share, unless it is there, and returns its `CommonId`. [`HistoryWriter::add_group`] does so
    /// by itself: calling this first decides the common name where the timelines differ.
    pub fn add_common_group(&mut self, group: &Group<'_>) -> Result<i64, Error> {
        self.begin()?;
        let kind = group.kind.report_group_type();
        let identity = (kind, group.key.to_owned());
        if let Some(common) = self.common_groups.get(&identity) {
            return Ok(*common);
        }
        let common = self.take_common_id();
        self.common_groups.insert(identity, common);
        if self.options.has(TableGroup::CommonGroups) {
            self.conn.execute(
                "INSERT INTO Ar_CommonGroup VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, NULL, ?8, ?9)",
                params![
                    common,
                    kind,
                    key_hash(group.key),
                    group.kind.group_type(),
                    group.key,
                    group.name,
                    group.color,
                    group.billable,
                    group.key.to_uppercase()
                ],
            )?;
        }
        Ok(common)
    }

    /// Adds a group to a timeline and returns its `GroupId`.
    pub fn add_group(&mut self, report: i64, group: &Group<'_>) -> Result<i64, Error> {
        let common = self.add_common_group(group)?;
        let shown = self.shares_groups().then_some(common);
        let progress = timeline(&mut self.timelines, report)?;
        progress.groups.push((group.kind, common));
        progress.sequence += 1;
        let id = count(progress.groups.len());
        self.conn.execute(
            "INSERT INTO Ar_Group VALUES \
                 (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, NULL, NULL, ?8, ?9, ?10, ?11, NULL, ?12, ?13, '{}')",
            params![
                report,
                id,
                group.kind.report_group_type(),
                key_hash(group.key),
                group.key,
                group.name,
                group.color,
                group.folder,
                group.kind.group_type(),
                group.billable,
                shown,
                progress.sequence,
                random_value(report, progress.sequence)
            ],
        )?;
        Ok(id)
    }

    /// Adds a list of a timeline's groups, in order of display, and returns its `GroupListId`.
    pub fn add_group_list(&mut self, report: i64, name: &str, groups: &[i64], billable: bool) -> Result<i64, Error> {
        self.begin()?;
        let common = self.add_common_group_list(name, billable)?;
        let shown = self.shares_groups().then_some(common);
        let progress = timeline(&mut self.timelines, report)?;
        progress.group_lists.push(common);
        progress.sequence += 1;
        let id = count(progress.group_lists.len());
        if self.options.has(TableGroup::GroupLists) {
            let kind = GroupKind::Tag.report_group_type();
            let random = random_value(report, progress.sequence);
            self.conn.execute(
                "INSERT INTO Ar_GroupList VALUES (?1, ?2, ?3, ?4, ?5, ?5, NULL, ?6, ?7, NULL, ?8, ?9, '{}')",
                params![report, id, kind, key_hash(name), name, billable, shown, progress.sequence, random],
            )?;
            for (order, group) in (0_i64..).zip(groups) {
                self.conn.execute(
                    "INSERT INTO Ar_GroupListItem VALUES (?1, ?2, ?3, ?4)",
                    params![report, id, group, order],
                )?;
            }
        }
        Ok(id)
    }

    fn add_common_group_list(&mut self, name: &str, billable: bool) -> Result<i64, Error> {
        if let Some(common) = self.common_group_lists.get(name) {
            return Ok(*common);
        }
        let common = self.take_common_id();
        self.common_group_lists.insert(name.to_owned(), common);
        if self.options.has(TableGroup::CommonGroups) {
            self.conn.execute(
                "INSERT INTO Ar_CommonGroupList VALUES (?1, ?2, ?3, ?4, ?4, NULL, ?5, ?6)",
                params![
                    common,
                    GroupKind::Tag.report_group_type(),
                    key_hash(name),
                    name,
                    billable,
                    name.to_uppercase()
                ],
            )?;
        }
        Ok(common)
    }

    /// Adds an activity to a timeline and returns its `ActivityId`, unique in that timeline only.
    pub fn add_activity(&mut self, report: i64, activity: &Activity<'_>) -> Result<i64, Error> {
        self.begin()?;
        let progress = timeline(&mut self.timelines, report)?;
        progress.activities += 1;
        progress.sequence += 1;
        let (id, span) = (progress.activities, activity.span);
        let group = activity.group.and_then(|group| nth(&progress.groups, group));
        let list = activity.group_list.and_then(|list| nth(&progress.group_lists, list));
        let shares = self.options.has(TableGroup::CommonGroups) || self.options.has(TableGroup::Hourly);
        self.waiting.push(Waiting {
            report,
            id,
            name: activity.name.to_owned(),
            group: activity.group,
            common_group: group.filter(|_| shares).map(|(_, common)| common),
            group_list: activity.group_list,
            common_group_list: list.filter(|_| shares),
            active: activity.active,
            billable: activity.billable,
            span,
            notes: activity.notes.map(str::to_owned),
            related: activity.related,
            sequence: progress.sequence,
        });
        progress.recorded.cover(id, span.start, span.end);
        if activity.active == Some(true) {
            progress.active.cover(id, span.start, span.end);
        }
        if self.options.has(TableGroup::Hourly) {
            let counted = group.and_then(|(kind, common)| Some((usage_of(kind)?, common)));
            if let Some((usage, common)) = counted.or(list.map(|common| (Usage::TagList, common))) {
                self.hourly.add(usage, report, common, span);
            }
        }
        if self.waiting.len() >= MOST_WAITING {
            self.write_waiting()?;
        }
        Ok(id)
    }

    fn write_waiting(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut insert = self.conn.prepare(INSERT_ACTIVITY)?;
        for row in &waiting {
            row.insert(&mut insert)?;
        }
        if self.options.has(TableGroup::ActivityByHour) {
            let mut insert = self.conn.prepare("INSERT INTO Ar_ActivityByHour VALUES (?1, ?2, ?3)")?;
            for row in &waiting {
                for (hour, _) in hours(row.span) {
                    insert.execute(params![row.report, stamp(hour * HOUR), row.id])?;
                }
            }
        }
        Ok(())
    }

    /// Adds a row of `Ar_Tag`, where the history has that table.
    pub fn add_tag(&mut self, tag: i64, name: &str) -> Result<(), Error> {
        self.begin()?;
        if self.options.has(TableGroup::Tags) {
            self.conn.execute("INSERT INTO Ar_Tag VALUES (?1, ?2)", params![tag, name])?;
        }
        Ok(())
    }

    /// Adds a row of `Ar_ActivityTag`, where the history has that table.
    pub fn tag_activity(&mut self, report: i64, activity: i64, tag: i64) -> Result<(), Error> {
        self.begin()?;
        if self.options.has(TableGroup::Tags) {
            self.conn.execute("INSERT INTO Ar_ActivityTag VALUES (?1, ?2, ?3)", params![report, activity, tag])?;
        }
        Ok(())
    }

    /// Fills `Ar_*ByDay` and `Ar_*ByYear` from the activities added since the last call, where the history has them.
    pub fn fill_hourly_tables(&mut self) -> Result<(), Error> {
        self.fill_hourly_tables_before(None)
    }

    /// Fills the hourly tables up to a local second counted from 1970, rounded down to the hour; later hours stay
    /// due. ManicTime lags behind in the same way.
    pub(super) fn fill_hourly_tables_before(&mut self, local_seconds: Option<i64>) -> Result<(), Error> {
        self.begin()?;
        if self.options.has(TableGroup::Hourly) {
            self.hourly.write_before(&self.conn, local_seconds.map(|second| second.div_euclid(3_600)))?;
        }
        Ok(())
    }

    /// Commits what has been written so far, without indexes and summary.
    pub(super) fn checkpoint(&mut self) -> Result<(), Error> {
        self.write_waiting()?;
        if !self.conn.is_autocommit() {
            self.conn.execute_batch("COMMIT")?;
        }
        Ok(())
    }

    /// Makes everything written so far visible: indexes, timeline summary, commit. Writing can go on.
    pub fn commit(&mut self) -> Result<(), Error> {
        self.begin()?;
        self.write_waiting()?;
        self.summarise()?;
        self.keep_sequences()?;
        if !self.indexed {
            schema::create_indexes(&self.conn, &self.options)?;
            self.indexed = true;
        }
        self.checkpoint()
    }

    /// Commits and returns the connection.
    pub fn finish(mut self) -> Result<Connection, Error> {
        self.commit()?;
        Ok(self.conn)
    }

    /// Begins a transaction unless one is open: after a commit no lock is held until the next row.
    fn begin(&mut self) -> Result<(), Error> {
        if self.conn.is_autocommit() {
            self.conn.execute_batch("BEGIN")?;
        }
        Ok(())
    }

    fn summarise(&self) -> Result<(), Error> {
        if !self.options.has(TableGroup::TimelineSummary) {
            return Ok(());
        }
        for (report, progress) in &self.timelines {
            let ends = [&progress.recorded.start, &progress.recorded.end, &progress.active.start, &progress.active.end];
            let [start, end, active_start, active_end] = ends.map(|end| {
                let end = end.as_ref();
                (end.map(|(id, _)| *id), end.map(|(_, at)| stamp(at.local_seconds())), end.map(|(_, at)| stamp(at.utc)))
            });
            self.conn.execute(
                "INSERT OR REPLACE INTO Ar_TimelineSummary VALUES \
                 (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                params![
                    report,
                    start.0,
                    start.1,
                    start.2,
                    end.0,
                    end.1,
                    end.2,
                    active_start.0,
                    active_start.1,
                    active_start.2,
                    active_end.0,
                    active_end.1,
                    active_end.2
                ],
            )?;
        }
        Ok(())
    }

    /// Keeps `Registry` and `Sequence` as ManicTime would find them.
    fn keep_sequences(&self) -> Result<(), Error> {
        if !self.options.has(TableGroup::Bookkeeping) {
            return Ok(());
        }
        for version in ["1.0.0.0", "1.0.1.0", "2.0.0.0", "2.1.0.0", "2.2.0.0"] {
            self.conn.execute(
                "INSERT OR REPLACE INTO Registry VALUES (?1, '', '1,1', '2024-01-02 08:00:00.000000')",
                [format!("Database/ActivityReport/Version/{version}")],
            )?;
        }
        for (name, value) in
            [("GroupReport/CommonGroup/Id", self.next_common - 1), ("Document/Report/Id", count(self.timelines.len()))]
        {
            self.conn.execute("INSERT OR REPLACE INTO Sequence VALUES (?1, ?2)", params![name, value])?;
        }
        Ok(())
    }

    fn shares_groups(&self) -> bool {
        self.options.has(TableGroup::CommonGroups) || self.options.has(TableGroup::Hourly)
    }

    const fn take_common_id(&mut self) -> i64 {
        let common = self.next_common;
        self.next_common += 1;
        common
    }
}

fn timeline(timelines: &mut BTreeMap<i64, Progress>, report: i64) -> Result<&mut Progress, Error> {
    timelines.get_mut(&report).ok_or(Error::NoTimeline { report })
}

/// Returns the hourly table that counts groups of a kind. Tags are counted by list.
const fn usage_of(kind: GroupKind) -> Option<Usage> {
    match kind {
        GroupKind::Application => Some(Usage::Application),
        GroupKind::File => Some(Usage::Document),
        GroupKind::WebSite => Some(Usage::WebSite),
        GroupKind::ComputerState => Some(Usage::Computer),
        GroupKind::Tag => None,
    }
}

fn nth<T: Copy>(items: &[T], id: i64) -> Option<T> {
    items.get(usize::try_from(id.checked_sub(1)?).ok()?).copied()
}

fn count(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}
