//! Time by client and task, from tags, or from rules for untagged time (docs/spec/time.md#client-time).

use std::collections::HashMap;

use crate::devices;
use crate::time::active_time::TopList;
use dayledger_engine as engine;
use dayledger_engine::{Rows, Statement, statement};
use dayledger_request::{Minutes, minutes};

/// The statement for three kinds of totals in seconds: each task, each client, and all clients together.
pub(crate) static PURPOSES: Statement = statement!(queries / "purposes", devices::RANGE_OF_DEVICE);

/// The maximum number of tasks listed for a client.
const TASKS: usize = 20;

/// The time of a range by client and task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purposes {
    /// The clients, most time first, at most 50. A client is the first level of a tag, or the project of a rule.
    pub clients: Vec<ClientTime>,
    /// Number of all clients, if the list is cut.
    pub clients_available: Option<usize>,
    /// The time of all clients, each second counted once.
    pub named: TimeSpent,
    /// Whether tags assign any of the time in `named`.
    pub is_tagged: bool,
    /// Whether rules assign any of the time in `named`.
    pub is_by_rule: bool,
}

/// The time of one client. If the first level of the user's tags isn't a client, this is the time of that level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientTime {
    /// The first level of the tags, or the project of a rule.
    pub name: String,
    /// The time of the client.
    pub spent: TimeSpent,
    /// The client's tasks, most time first, at most 20.
    pub tasks: Vec<TaskTime>,
    /// Number of all tasks, if the list is cut.
    pub tasks_available: Option<usize>,
}

/// The time of one task of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskTime {
    /// The remaining levels of the tag, or the task of a rule. It can be empty.
    pub task: String,
    /// The full tag, or the project and task of a rule. Blocks and lists of tags use this name for the task too.
    pub name: String,
    /// The time of the task.
    pub spent: TimeSpent,
}

/// Time at the computer and away from it. Each second counts once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeSpent {
    /// Active time.
    pub active: Minutes,
    /// Tagged time during which no device was active.
    pub away: Minutes,
}

impl Purposes {
    /// Reads the purposes from the rows of [`PURPOSES`].
    pub(crate) fn from_rows(rows: &Rows) -> Result<Self, engine::Error> {
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

    /// Returns every listed task, most time first.
    pub fn tasks(&self) -> Vec<&TaskTime> {
        let mut tasks: Vec<_> = self.clients.iter().flat_map(|client| &client.tasks).collect();
        tasks.sort_by_key(|task| std::cmp::Reverse(task.spent.total()));
        tasks
    }
}

impl TimeSpent {
    /// Zero time, both active and away.
    pub const NOTHING: Self = Self { active: Minutes::ZERO, away: Minutes::ZERO };

    /// Returns the sum of active time and time away.
    pub fn total(self) -> Minutes {
        minutes(self.active.seconds().saturating_add(self.away.seconds()))
    }
}
