//! Opens a file with the program that the platform has for it, without a shell.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

/// The platform's own opener.
const OPENER: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// How long an opener may take to fail. One that still runs then shows the file itself, as a browser in a terminal does.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Opens the file at `path`, which is absolute, and does not wait until it is closed.
///
/// # Errors
/// There is no opener, or it finds no program for the file.
pub(super) async fn open(path: &Path) -> io::Result<()> {
    let mut opener = Command::new(OPENER);
    opener.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = opener.spawn()?;
    let Ok(status) = tokio::time::timeout(TIMEOUT, child.wait()).await else { return Ok(()) };
    let status = status?;
    // Explorer ends with 1 also when all went well.
    if status.success() || cfg!(windows) {
        Ok(())
    } else {
        Err(io::Error::other(format!("`{OPENER}` ended with {status}")))
    }
}
