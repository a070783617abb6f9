//! Measures the memory of a process, and limits the memory of a worker.
//!
//! Only private memory counts: `RssAnon` on Linux, and `PrivateUsage` on Windows. Private memory excludes the program's
//! code, and file pages that the system can drop. The memory of a worker is limited in two ways, because neither is
//! enough alone. On Linux, the system refuses large allocations (`RLIMIT_DATA`), which ends the worker. In addition,
//! the process that sends statements checks the memory of the worker every few milliseconds.

use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::{STACK_BYTES, cores};

/// The time between two checks of a worker's memory.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Returns how many bytes of address space a worker may use for thread stacks, in addition to its limit. The system
/// counts the full size of each stack, although threads use only a small part. There can be one thread per core that
/// reads a file.
#[cfg(target_os = "linux")]
fn stack_bytes() -> u64 {
    (STACK_BYTES as u64).saturating_mul(cores() as u64 + 1)
}

/// The size of the program's code in bytes. Systems other than Linux count the code as memory of a process.
#[cfg(not(target_os = "linux"))]
const PROGRAM: u64 = 64 << 20;

/// Returns the private memory of a process in bytes. Returns `None` if the process has ended, or if the system doesn't
/// report it.
#[cfg(target_os = "linux")]
pub fn process_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    Some(field(&status, "RssAnon:")? + field(&status, "VmSwap:").unwrap_or(0))
}

/// Returns the private memory of a process in bytes. Returns `None` if the process has ended, or if the system doesn't
/// report it.
#[cfg(not(target_os = "linux"))]
pub fn process_memory(process: u32) -> Option<u64> {
    use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
    let process = Pid::from_u32(process);
    let mut system = System::new();
    let what = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, what);
    let process = system.process(process)?;
    // On Windows, `virtual_memory` is the committed memory without shared pages. On other systems, it is the address
    // space.
    Some(if cfg!(windows) { process.virtual_memory() } else { process.memory().saturating_sub(PROGRAM) })
}

/// Returns a field of `/proc/…/status`, in bytes.
#[cfg(target_os = "linux")]
fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// The memory limit of the current process.
#[derive(Debug)]
pub struct OwnLimit {
    /// The number of bytes that were allocated but unused when the memory was measured. This number is added to the
    /// limit, because the system also counts these bytes.
    #[cfg(target_os = "linux")]
    unused: Option<u64>,
}

impl OwnLimit {
    /// Measures the memory that the process has allocated so far. Also disables core dumps, which would write the
    /// memory to disk.
    pub fn detect() -> Self {
        #[cfg(unix)]
        if let Err(error) = rlimit::setrlimit(rlimit::Resource::CORE, 0, 0) {
            tracing::debug!(%error, "cannot disable core files");
        }
        Self {
            #[cfg(target_os = "linux")]
            unused: std::fs::read_to_string("/proc/self/status")
                .ok()
                .and_then(|status| Some(field(&status, "VmData:")?.saturating_sub(field(&status, "RssAnon:")?))),
        }
    }

    /// Limits the memory of the process to `bytes` from now on. Memory that is already allocated but unused doesn't
    /// count.
    #[cfg(target_os = "linux")]
    pub fn set(&self, bytes: u64) {
        let Some(unused) = self.unused else { return };
        let limit = bytes.saturating_add(unused).saturating_add(stack_bytes());
        // Only the soft limit changes. A later statement can have a higher limit, and the hard limit can't be raised
        // again.
        let set = rlimit::getrlimit(rlimit::Resource::DATA)
            .and_then(|(_, hard)| rlimit::setrlimit(rlimit::Resource::DATA, limit.min(hard), hard));
        if let Err(error) = set {
            tracing::debug!(%error, "cannot set the memory limit");
        }
    }

    /// Does nothing: on this system, only the process that sends statements limits the memory.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "on systems with a limit, it depends on earlier measurements")]
    pub fn set(&self, _bytes: u64) {}
}
