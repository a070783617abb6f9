//! What a process holds, and how a worker's memory is limited.
//!
//! What counts is memory of the process's own (on Linux `RssAnon`, on Windows `PrivateUsage`): not the program's code, nor
//! pages of files that the system can drop. Two limits hold a worker, since neither is enough: the system refuses what
//! would be too much at once (`RLIMIT_DATA`, on Linux), which ends the worker; and who asks looks every few milliseconds
//! at what it holds.

use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::{STACK_BYTES, cores};

/// From one look at what a worker holds to the next.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The address space that a worker may take beyond its limit for the stacks of threads, which the system counts whole
/// though they are hardly used. Each core can have a thread that reads a file.
#[cfg(target_os = "linux")]
fn stack_bytes() -> u64 {
    (STACK_BYTES as u64).saturating_mul(cores() as u64 + 1)
}

/// What counts beside a process's own memory where the system does not tell them apart: the program's code.
#[cfg(not(target_os = "linux"))]
const PROGRAM: u64 = 64 << 20;

/// Whether the process holds more than `bytes`; one that has ended holds nothing.
pub(super) fn exceeds(process: u32, bytes: u64) -> bool {
    process_memory(process).is_some_and(|held| held > bytes)
}

/// The memory that the process holds, in bytes; `None` if it has ended or the system doesn't report it.
#[cfg(target_os = "linux")]
pub fn process_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    Some(field(&status, "RssAnon:")? + field(&status, "VmSwap:").unwrap_or(0))
}

/// The memory that the process holds, in bytes; `None` if it has ended or the system doesn't report it.
#[cfg(not(target_os = "linux"))]
pub fn process_memory(process: u32) -> Option<u64> {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
    let process = Pid::from_u32(process);
    let mut system = System::new();
    let what = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, what);
    let process = system.process(process)?;
    // There it is what the process has set aside, shared pages left out; elsewhere it is addresses.
    Some(if cfg!(windows) { process.virtual_memory() } else { process.memory().saturating_sub(PROGRAM) })
}

/// A field of `/proc/…/status`, in bytes.
#[cfg(target_os = "linux")]
fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// The limit of the own process.
#[derive(Debug)]
pub struct OwnLimit {
    /// What was set aside at the start but not used, and counts all the same.
    #[cfg(target_os = "linux")]
    unused: Option<u64>,
}

impl OwnLimit {
    /// Looks at what the process has set aside so far, and sees to it that it leaves no image of its memory behind when
    /// it is ended.
    pub fn detect() -> Self {
        #[cfg(unix)]
        if let Err(error) = rlimit::setrlimit(rlimit::Resource::CORE, 0, 0) {
            tracing::debug!(%error, "a core file cannot be ruled out");
        }
        Self {
            #[cfg(target_os = "linux")]
            unused: std::fs::read_to_string("/proc/self/status")
                .ok()
                .and_then(|status| Some(field(&status, "VmData:")?.saturating_sub(field(&status, "RssAnon:")?))),
        }
    }

    /// Lets the process hold at most `bytes` from now on.
    #[cfg(target_os = "linux")]
    pub fn set(&self, bytes: u64) {
        let Some(unused) = self.unused else { return };
        let limit = bytes.saturating_add(unused).saturating_add(stack_bytes());
        let set = rlimit::getrlimit(rlimit::Resource::DATA)
            .and_then(|(_, hard)| rlimit::setrlimit(rlimit::Resource::DATA, limit.min(hard), hard));
        if let Err(error) = set {
            tracing::debug!(%error, "the system sets no limit");
        }
    }

    /// Lets the process hold at most `bytes` from now on: here who asks sees to it alone.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "where the system has a limit, it is set by what was found out before")]
    pub fn set(&self, _bytes: u64) {}
}
