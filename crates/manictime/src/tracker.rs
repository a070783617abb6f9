//! Detects whether `ManicTime` itself runs on this computer (docs/spec/manictime.md#processes).
//!
//! The list of processes covers only this computer. If the history was copied or synced, the tracker may run on another
//! computer.

use std::borrow::Cow;

use sysinfo::{IS_SUPPORTED_SYSTEM, ProcessRefreshKind, ProcessesToUpdate, System};

use dayledger_source::Tracker;

/// The process names of the tracker and its user interface, without `.exe`. Some systems truncate
/// names after 15 bytes, which removes the end of `manictimeclient.exe`.
const PROCESSES: [&str; 2] = ["manictime", "manictimeclient"];

/// Searches the processes of this computer for the tracker. Blocks for some milliseconds.
pub(super) fn detect() -> Tracker {
    if !IS_SUPPORTED_SYSTEM {
        return Tracker::Unknown;
    }
    let mut system = System::new();
    let names_alone = ProcessRefreshKind::nothing().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, false, names_alone);
    from_process_names(system.processes().values().map(|process| process.name().to_string_lossy()))
}

/// Decides from the names of all processes whether the tracker runs. If there are no names, the result is `Unknown`,
/// because a complete list would at least contain dayledger.
fn from_process_names<'n>(names: impl Iterator<Item = Cow<'n, str>>) -> Tracker {
    let mut found = Tracker::Unknown;
    for name in names {
        let name = name.to_ascii_lowercase();
        if PROCESSES.contains(&name.strip_suffix(".exe").unwrap_or(&name)) {
            return Tracker::Running;
        }
        found = Tracker::NotRunning;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tracker_is_known_by_its_name_on_every_system() {
        let among = |names: &[&'static str]| from_process_names(names.iter().map(|name| Cow::from(*name)));
        for name in ["ManicTime", "ManicTime.exe", "manictime", "ManicTimeClient.exe", "ManicTimeClient"] {
            assert_eq!(among(&["init", name, "shell"]), Tracker::Running, "{name}");
        }
        assert_eq!(among(&["init", "ManicTimeServer", "not ManicTime"]), Tracker::NotRunning);
        assert_eq!(among(&[]), Tracker::Unknown);
    }
}
