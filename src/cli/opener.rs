//! Opens a file with the program that the platform has for it, without a shell.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The platform's own opener.
const OPENER: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// How long an opener may take to fail. One that still runs then shows the file itself, as a browser in a terminal does.
const PATIENCE: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(20);

/// Opens the file at `path`, which is absolute, and does not wait until it is closed.
///
/// # Errors
/// There is no opener, or it finds no program for the file.
pub(super) async fn open(path: &Path) -> io::Result<()> {
    let mut opener = Command::new(OPENER);
    opener.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = opener.spawn()?;
    tokio::time::timeout(PATIENCE, ended(&mut child)).await.unwrap_or(Ok(()))
}

async fn ended(child: &mut Child) -> io::Result<()> {
    loop {
        match child.try_wait()? {
            // Explorer ends with 1 also when all went well.
            Some(status) if status.success() || cfg!(windows) => return Ok(()),
            Some(status) => return Err(io::Error::other(format!("`{OPENER}` ended with {status}"))),
            None => tokio::time::sleep(STEP).await,
        }
    }
}
