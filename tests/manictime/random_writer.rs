//! A process that makes random changes, as `ManicTime` and its user do. It adds, extends, edits, moves and deletes
//! activities, renames groups, links groups to other common groups, and empties the write-ahead log.

use std::fmt::Write as _;

use dayledger_fixtures::{Group, SchemaOptions, TableGroup};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::writer_process::WriterProcess;
use crate::histories::{ClosedHistory, History};

/// The initial number of rows in the applications timeline. It is more than one batch.
pub(super) const APPLICATION_ROWS: u32 = 9_000;
/// The ids of the device's timelines: computer usage, applications, documents and tags.
const USAGE: i64 = 1;
const APPLICATIONS: i64 = 2;
const DOCUMENTS: i64 = 3;
const TAGS: i64 = 4;
/// A condition for rows with readable times. More rows can be added after such rows.
const READABLE: &str = "EndLocalTime BETWEEN '2000' AND '2069' AND EndUtcTime BETWEEN '2000' AND '2069' AND StartLocalTime BETWEEN '2000' AND '2069'";

/// Returns a history of twelve days with this journal mode. No process has opened it.
pub(super) fn twelve_days(mode: &str) -> ClosedHistory {
    let mut history = History::with(SchemaOptions::default().with_groups(&TableGroup::ALL));
    history.device(USAGE, "desk-id", "DESK");
    for name in ["Editor", "Firefox", "Terminal"] {
        history.group(APPLICATIONS, &Group::application(&format!("{name}.exe;{name}").to_lowercase(), name));
    }
    history.group(USAGE, &Group::state("ManicTime/Active", "Active"));
    history.group(DOCUMENTS, &Group::web_site("docs.example"));
    history.group(DOCUMENTS, &Group::file("/home/ada/plan.txt", "plan.txt"));
    history.tag(TAGS, &["Client A", "Writing"], "09:00", "10:00");
    history.tag(TAGS, &["Client B"], "10:00", "11:00");
    let rows = |timeline: i64, rows: u32, seconds: u32, group: &str, name: &str| {
        format!(
            "INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupId, CommonGroupId, IsActive, Notes, StartLocalTime,
                 StartUtcTime, EndLocalTime, EndUtcTime, RelatedActivityId, CurrentChangeSequence, CurrentChangeRandomValue)
             WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {rows})
             SELECT {timeline}, i + 10, {name}, g.GroupId, g.CommonId, {timeline} = 1, iif(i % 50 = 0, 'note ' || i, NULL),
                 datetime('2025-01-03 08:00:00', (i * {seconds}) || ' seconds'),
                 datetime('2025-01-03 07:00:00', (i * {seconds}) || ' seconds'),
                 datetime('2025-01-03 08:00:00', (i * {seconds} + {seconds} - 1 - i % 7) || ' seconds'),
                 datetime('2025-01-03 07:00:00', (i * {seconds} + {seconds} - 1 - i % 7) || ' seconds'),
                 iif({timeline} = 3, i * 10 + 10, NULL), i + 100, i * 7919 % 65521
             FROM n LEFT JOIN Ar_Group AS g ON g.ReportId = {timeline} AND g.GroupId = {group};"
        )
    };
    history.sql(
        &[
            rows(APPLICATIONS, APPLICATION_ROWS, 120, "iif(i % 97 = 0, NULL, 1 + i % 3)", "'window ' || i % 40"),
            rows(
                DOCUMENTS,
                APPLICATION_ROWS / 10,
                1_200,
                "1 + i % 2",
                "iif(i % 2, '/home/ada/plan.txt', 'https://docs.example/' || i % 5)",
            ),
            rows(USAGE, 150, 7_200, "1", "'Active'"),
        ]
        .concat(),
    );
    history.sql(&format!("PRAGMA journal_mode = {mode}"));
    history.close()
}

/// A writer that makes random changes in another process.
pub(super) struct RandomWriter {
    process: WriterProcess,
    random: Pcg64Mcg,
    /// The last change number. It increases with every change.
    sequence: i64,
    /// The latest change. Failure messages show it.
    pub(super) last: String,
}

impl RandomWriter {
    pub(super) fn open(history: &ClosedHistory, seed: u64) -> Self {
        let process = WriterProcess::open(&history.database());
        let random = Pcg64Mcg::seed_from_u64(seed);
        let mut writer = Self { process, random, sequence: 1_000_000, last: String::new() };
        writer.run("PRAGMA synchronous = OFF; PRAGMA busy_timeout = 60000");
        writer
    }

    pub(super) fn number(&mut self, below: u32) -> u32 {
        self.random.random_range(0..below)
    }

    pub(super) fn run(&mut self, sql: &str) {
        sql.clone_into(&mut self.last);
        self.process.run(sql).unwrap_or_else(|complaint| panic!("{complaint}: {sql}"));
    }

    /// Makes one commit, usually with a few changes. Sometimes does maintenance instead, such as emptying the log.
    pub(super) fn step(&mut self) {
        match self.number(16) {
            0 => return self.run("PRAGMA wal_checkpoint(TRUNCATE)"),
            1 => return self.run("PRAGMA wal_checkpoint(PASSIVE)"),
            2 => return self.run("VACUUM"),
            _ => {}
        }
        let ending = if self.number(10) == 0 { "ROLLBACK" } else { "COMMIT" };
        let mut sql = "BEGIN IMMEDIATE; ".to_owned();
        for _ in 0..=self.number(4) {
            sql.push_str(&self.change());
            sql.push_str("; ");
        }
        self.run(&(sql + ending));
    }

    fn change(&mut self) -> String {
        let timeline = [USAGE, APPLICATIONS, APPLICATIONS, APPLICATIONS, DOCUMENTS, TAGS][self.number(6) as usize];
        let some = self.random_activity(timeline);
        let change = self.next_change_numbers();
        let amount = i64::from(self.number(100_000)) - 50_000;
        let (where_some, set) =
            (format!("WHERE ReportId = {timeline} AND ActivityId = {some}"), "UPDATE Ar_Activity SET");
        match self.number(20) {
            0..=2 => self.append(timeline),
            3 | 4 => self.extend(timeline, &format!(", {change}")),
            // Extends an activity without a new change number.
            5 => self.extend(timeline, ""),
            13 => self.extend(timeline, "").replacen(
                "EndLocalTime = datetime(EndLocalTime",
                "EndLocalTime = datetime(StartLocalTime",
                1,
            ),
            6 => format!(
                "{set} Name = 'edited {amount}', Notes = 'noted {amount}', IsBillable = 1, {change} {where_some}"
            ),
            7 => format!("{set} GroupId = 1 + {} % 2, CommonGroupId = NULL, {change} {where_some}", amount.abs()),
            8 => {
                let moved = ["StartLocalTime", "StartUtcTime", "EndLocalTime", "EndUtcTime"]
                    .map(|column| format!("{column} = coalesce(datetime({column}, '{amount} seconds'), {column})"));
                format!("{set} {}, {change} {where_some}", moved.join(", "))
            }
            9 => format!("DELETE FROM Ar_Activity {where_some}"),
            10 => {
                let length = self.number(40);
                format!(
                    "DELETE FROM Ar_Activity WHERE ReportId = {timeline} AND ActivityId - {some} BETWEEN 0 AND {length}"
                )
            }
            // Deletes and adds activities, so that the number of rows can stay the same.
            11 => format!("DELETE FROM Ar_Activity {where_some}; {}", self.append(timeline)),
            12 => self.tag(amount),
            // Writes a time that can't be read, or a time that doesn't fit into 32 bits.
            14 => {
                let column = ["StartLocalTime", "StartUtcTime", "EndLocalTime", "EndUtcTime"][self.number(4) as usize];
                let time = ["yesterday", "2069-01-01 00:00:00"][self.number(2) as usize];
                format!("{set} {column} = '{time}', {change} {where_some}")
            }
            _ => self.change_names(amount),
        }
    }

    /// Returns a statement that changes the names of activities, or the totals.
    fn change_names(&mut self, amount: i64) -> String {
        let which = self.number(3);
        let group = format!("WHERE ReportId = 2 AND GroupId = 1 + {which}");
        let common = format!("(SELECT CommonId FROM Ar_Group {group})");
        match self.number(7) {
            0 => format!("UPDATE Ar_Group SET Name = 'group {amount}', Color = 'ABCDEF' {group}"),
            1 => format!("UPDATE Ar_CommonGroup SET Name = 'common {amount}' WHERE CommonId = {common}"),
            2 => format!("UPDATE Ar_CommonGroup SET Name = '' WHERE CommonId = {common}"),
            // The group loses its name, so that the titles of its activities become the names of the activities.
            3 => format!(
                "UPDATE Ar_CommonGroup SET Name = '' WHERE CommonId = {common}; UPDATE Ar_Group SET Name = '' {group}"
            ),
            // Moves the groups to another common group. The change numbers of the activities stay the same.
            4 => format!(
                "INSERT INTO Ar_CommonGroup SELECT max(CommonId) + 1, 1, 'hash ' || max(CommonId), NULL, 'merged', 'merged', '', \
                 NULL, NULL, NULL, 'MERGED' FROM Ar_CommonGroup; \
                 UPDATE Ar_Group SET CommonId = (SELECT max(CommonId) FROM Ar_CommonGroup) {group}; \
                 UPDATE Ar_Activity SET CommonGroupId = (SELECT max(CommonId) FROM Ar_CommonGroup) {group}"
            ),
            5 => format!("UPDATE Ar_GroupListItem SET DisplayOrder = DisplayOrder + {which} WHERE GroupId = 1"),
            _ => format!(
                "INSERT INTO Ar_ApplicationByDay VALUES (2, '2025-01-08 09:00:00', {common}, {seconds}) \
                 ON CONFLICT DO UPDATE SET TotalSeconds = {seconds}",
                seconds = amount.abs() % 3600
            ),
        }
    }

    /// Returns a statement that adds an activity after the last one.
    fn append(&mut self, timeline: i64) -> String {
        let (length, change) = (self.number(300), self.numbers());
        let (group, related) = (1 + self.number(2), self.number(9_000));
        let mut sql = "INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupId, IsActive, RelatedActivityId, StartLocalTime, \
                       StartUtcTime, EndLocalTime, EndUtcTime, CurrentChangeSequence, CurrentChangeRandomValue) "
            .to_owned();
        // Writing to a string never fails.
        let _ = write!(
            sql,
            "SELECT {timeline}, 1 + (SELECT max(ActivityId) FROM Ar_Activity WHERE ReportId = {timeline}), 'new {length}', {group}, 1, {related}, \
             datetime(max(EndLocalTime), '1 seconds'), datetime(max(EndUtcTime), '1 seconds'), \
             datetime(max(EndLocalTime), '{length} seconds'), datetime(max(EndUtcTime), '{length} seconds'), {change} \
             FROM Ar_Activity WHERE ReportId = {timeline} AND {READABLE} HAVING count(*) > 0"
        );
        sql
    }

    fn extend(&mut self, timeline: i64, change: &str) -> String {
        let seconds = 1 + self.number(60);
        format!(
            "UPDATE Ar_Activity SET EndLocalTime = datetime(EndLocalTime, '{seconds} seconds'), \
             EndUtcTime = datetime(EndUtcTime, '{seconds} seconds'){change} WHERE ReportId = {timeline} AND ActivityId = \
             (SELECT ActivityId FROM Ar_Activity WHERE ReportId = {timeline} AND {READABLE} ORDER BY EndLocalTime DESC LIMIT 1)"
        )
    }

    /// Returns a statement that adds a tag in the past.
    fn tag(&mut self, amount: i64) -> String {
        let (list, change) = (1 + self.number(2), self.numbers());
        format!(
            "INSERT INTO Ar_Activity (ReportId, ActivityId, Name, GroupListId, StartLocalTime, StartUtcTime, EndLocalTime, \
             EndUtcTime, CurrentChangeSequence, CurrentChangeRandomValue) SELECT 4, 1 + coalesce(max(ActivityId), 0), 'tagged', \
             {list}, datetime('2025-01-10 10:00:00', '{amount} seconds'), datetime('2025-01-10 09:00:00', '{amount} seconds'), \
             datetime('2025-01-10 11:00:00', '{amount} seconds'), datetime('2025-01-10 10:00:00', '{amount} seconds'), {change} \
             FROM Ar_Activity WHERE ReportId = 4"
        )
    }

    /// Returns an expression for the id of a random activity of a timeline.
    fn random_activity(&mut self, timeline: i64) -> String {
        let place = self.number(APPLICATION_ROWS);
        format!(
            "(SELECT ActivityId FROM Ar_Activity WHERE ReportId = {timeline} ORDER BY ActivityId LIMIT 1 OFFSET \
             (SELECT {place} % max(count(*), 1) FROM Ar_Activity WHERE ReportId = {timeline}))"
        )
    }

    fn numbers(&mut self) -> String {
        self.sequence += 1;
        let random = self.number(1_000_000);
        format!("{}, {random}", self.sequence)
    }

    fn next_change_numbers(&mut self) -> String {
        self.sequence += 1;
        let random = self.number(1_000_000);
        format!("CurrentChangeSequence = {}, CurrentChangeRandomValue = {random}", self.sequence)
    }
}
