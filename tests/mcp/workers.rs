//! Finds and measures the worker processes of a server, as the system reports them.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Returns the ids of a server's workers, both running and waiting. Returns an empty list on systems that don't report
/// the children of a process.
pub(super) fn workers_of(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<_> =
        children.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    children.iter().filter_map(|child| child.parse().ok()).filter(|child| memory_of(*child).is_some()).collect()
}

/// Returns the private memory of a process in bytes, or `None` if the process has ended.
fn memory_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Waits until all these processes have ended.
#[cfg(target_os = "linux")]
pub(super) fn await_end_of(processes: &[u32]) {
    while processes.iter().any(|process| memory_of(*process).is_some()) {
        thread::yield_now();
    }
}

/// Kills a process in the same way as the system does when memory is short.
#[cfg(target_os = "linux")]
pub(super) fn kill(process: u32) {
    assert!(std::process::Command::new("kill").args(["-9", &process.to_string()]).status().unwrap().success());
}

/// Measures the memory of a server and its workers repeatedly.
pub(super) struct MemoryWatch {
    stop: Arc<AtomicBool>,
    looking: JoinHandle<(u64, u64)>,
    server: u32,
}

impl MemoryWatch {
    pub(super) fn start(server: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let looking = thread::spawn(move || {
            let mut peaks = (0, 0);
            while !stopped.load(Ordering::Relaxed) {
                peaks.0 = memory_of(server).unwrap_or(0).max(peaks.0);
                for worker in workers_of(server) {
                    peaks.1 = memory_of(worker).unwrap_or(0).max(peaks.1);
                }
                thread::yield_now();
            }
            peaks
        });
        Self { stop, looking, server }
    }

    /// Returns the current memory of the server, and of its largest worker, in bytes.
    pub(super) fn current(&self) -> (u64, u64) {
        let workers = workers_of(self.server).into_iter().filter_map(memory_of);
        (memory_of(self.server).unwrap_or(0), workers.max().unwrap_or(0))
    }

    /// Returns the peak memory of the server, and of its largest worker, in bytes.
    pub(super) fn end(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        self.looking.join().unwrap()
    }
}
