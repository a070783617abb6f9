//! Detects whether `ManicTime` itself runs on this computer (docs/spec/manictime.md#processes).
//!
//! The list of processes doesn't cover other computers. A history that was copied or synced may be recorded elsewhere.

use std::borrow::Cow;

use sysinfo::{IS_SUPPORTED_SYSTEM, ProcessRefreshKind, ProcessesToUpdate, System};

/// The tracker and its user interface. Some systems cut a name after 15 bytes and with it `.exe`.
const PROCESSES: [&str; 2] = ["manictime", "manictimeclient"];

/// Whether `ManicTime` runs on this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tracker {
    /// One of its processes is there.
    Running,
    /// None of its processes is there.
    NotRunning,
    /// This system does not tell its processes.
    Unknown,
}

impl Tracker {
    /// Looks through the processes of this computer. Blocks for some milliseconds.
    pub fn detect() -> Self {
        if !IS_SUPPORTED_SYSTEM {
            return Self::Unknown;
        }
        let mut system = System::new();
        let names_alone = ProcessRefreshKind::nothing().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::All, false, names_alone);
        Self::from_process_names(system.processes().values().map(|process| process.name().to_string_lossy()))
    }

    /// What the names of all processes say; an empty list, where not even this program is, says nothing.
    fn from_process_names<'n>(names: impl Iterator<Item = Cow<'n, str>>) -> Self {
        let mut found = Self::Unknown;
        for name in names {
            let name = name.to_ascii_lowercase();
            if PROCESSES.contains(&name.strip_suffix(".exe").unwrap_or(&name)) {
                return Self::Running;
            }
            found = Self::NotRunning;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tracker_is_known_by_its_name_on_every_system() {
        let among = |names: &[&'static str]| Tracker::from_process_names(names.iter().map(|name| Cow::from(*name)));
        for name in ["ManicTime", "ManicTime.exe", "manictime", "ManicTimeClient.exe", "ManicTimeClient"] {
            assert_eq!(among(&["init", name, "shell"]), Tracker::Running, "{name}");
        }
        assert_eq!(among(&["init", "ManicTimeServer", "not ManicTime"]), Tracker::NotRunning);
        assert_eq!(among(&[]), Tracker::Unknown);
    }
}
