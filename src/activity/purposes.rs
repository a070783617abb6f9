//! Time by client and task, from tags, or from rules for untagged time (docs/spec/time.md#time-by-client).

use std::collections::HashMap;

use super::active_time::TopList;
use super::devices;
use crate::engine::{self, Arguments, Rows, Statement, statement};
use crate::request::{Minutes, minutes};

static PURPOSES: Statement = statement!(queries / "purposes", devices::RANGE_OF_DEVICE);

/// How many tasks of a client are told at most.
const TASKS: usize = 20;

/// What the time of a range was for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purposes {
    /// First levels of tags and projects of rules, most time first, at most 50.
    pub clients: Vec<ClientTime>,
    /// Number of items, if the list is cut.
    pub clients_available: Option<usize>,
    /// All of them, each second counted once.
    pub named: TimeSpent,
    /// Whether any of it is tagged.
    pub is_tagged: bool,
    /// Whether a rule names any of it.
    pub is_by_rule: bool,
}

/// How much time was for a client, or whatever else the first level of the user's tags is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientTime {
    /// The first level of its tags, or a rule's project.
    pub name: String,
    /// How much.
    pub spent: TimeSpent,
    /// What it is made of, most time first, at most 20.
    pub tasks: Vec<TaskTime>,
    /// Number of items, if the list is cut.
    pub tasks_available: Option<usize>,
}

/// How much time was for a task of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskTime {
    /// The further levels of the tag, or a rule's task; empty where there is none.
    pub task: String,
    /// The full tag list, or a rule's project and task, as blocks and tagged stretches are named.
    pub name: String,
    /// How much.
    pub spent: TimeSpent,
}

/// An amount of time, at the desk and away from it. Each second counts once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeSpent {
    /// Active time.
    pub active: Minutes,
    /// Tagged time in which no device was active.
    pub away: Minutes,
}

/// Returns the statement for the purposes.
pub(super) fn statement(arguments: &Arguments) -> (&'static Statement, Arguments) {
    (&PURPOSES, arguments.clone())
}

impl Purposes {
    /// Reads the purposes from the rows of [`statement`].
    pub(super) fn from_rows(rows: &Rows) -> Result<Self, engine::Error> {
        let (mut clients, mut tasks) = (Vec::new(), HashMap::<String, Vec<TaskTime>>::new());
        let (mut named, mut is_tagged, mut is_by_rule) = (TimeSpent::NOTHING, false, false);
        for row in rows.iter() {
            let active = minutes(row.get("active_seconds")?);
            let spent = TimeSpent { active, away: minutes(row.get("away_seconds")?) };
            let name = row.get_optional("name")?.unwrap_or_default();
            match (row.get_optional::<String>("key")?, row.get_optional("task")?) {
                (None, _) => {
                    named = spent;
                    is_tagged = row.get_optional("is_tagged")?.unwrap_or(false);
                    is_by_rule = row.get_optional("is_by_rule")?.unwrap_or(false);
                }
                (Some(key), Some(task)) => tasks.entry(key).or_default().push(TaskTime { task, name, spent }),
                (Some(key), None) => clients.push((key, name, spent)),
            }
        }
        let clients = TopList::new(clients);
        let with_tasks = |(key, name, spent): (String, String, TimeSpent)| {
            let tasks = TopList::new(tasks.remove(&key).unwrap_or_default()).truncate(TASKS);
            ClientTime { name, spent, tasks: tasks.listed, tasks_available: tasks.available }
        };
        let clients =
            TopList { listed: clients.listed.into_iter().map(with_tasks).collect(), available: clients.available };
        Ok(Self { clients: clients.listed, clients_available: clients.available, named, is_tagged, is_by_rule })
    }

    /// Every task that is told, most time first.
    pub fn tasks(&self) -> Vec<&TaskTime> {
        let mut tasks: Vec<_> = self.clients.iter().flat_map(|client| &client.tasks).collect();
        tasks.sort_by_key(|task| std::cmp::Reverse(task.spent.total()));
        tasks
    }
}

impl TimeSpent {
    /// No time.
    pub const NOTHING: Self = Self { active: Minutes::ZERO, away: Minutes::ZERO };

    /// Both together.
    pub fn total(self) -> Minutes {
        minutes(self.active.seconds().saturating_add(self.away.seconds()))
    }
}
