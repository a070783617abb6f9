//! Opens a file with the platform's default program, without running a shell.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

/// The command that opens a file.
const OPENER: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// How long to wait for the opener to fail. An opener that still runs after this time displays the file itself, for
/// example because it is a text browser.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Opens the file at the absolute `path`, and doesn't wait until it is closed.
///
/// # Errors
/// Fails if the platform doesn't have an opener, or if the opener doesn't find a program for the file.
pub(super) async fn open(path: &Path) -> io::Result<()> {
    let mut opener = Command::new(OPENER);
    opener.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = opener.spawn()?;
    let Ok(status) = tokio::time::timeout(TIMEOUT, child.wait()).await else { return Ok(()) };
    let status = status?;
    // Windows Explorer exits with code 1 even on success.
    if status.success() || cfg!(windows) {
        Ok(())
    } else {
        Err(io::Error::other(format!("`{OPENER}` ended with {status}")))
    }
}
