//! What is asked, as a value: the composition of all rooms that this process makes an engine of, and a worker the same.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::engine::worker::{self, Launch};
use crate::export::{self, Archive};
use crate::manictime::Source;
use crate::{engine_over, engine_over_activities, engine_over_archive};

/// What an engine asks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Asked {
    /// A history, screenshots included.
    History(Source),
    /// A history without its screenshots.
    Activities(Source),
    /// The folder of an export.
    Export(OsString),
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The export cannot be asked.
    #[error(transparent)]
    Export(#[from] export::Error),
    /// The system gives no threads.
    #[error("the system gives no threads: {0}")]
    Threads(#[from] std::io::Error),
}

/// What a worker is told before its first statement.
#[derive(Debug, Serialize, Deserialize)]
struct Setup {
    /// Of who tells it: the program's file may have been replaced since that was started.
    version: String,
    asked: Asked,
}

impl Asked {
    /// An engine that has statements of others carried out by workers: `program`, which is dayledger itself, with the
    /// command that calls [`work`].
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(&self, program: PathBuf) -> Result<Engine, OpenError> {
        let setup = Setup { version: env!("CARGO_PKG_VERSION").to_owned(), asked: self.clone() };
        let launch = Launch {
            program,
            name: "dayledger",
            arguments: vec!["worker".into()],
            // The allocator would set aside a gigabyte at once, which counts against a worker's limit whole.
            environment: vec![("MIMALLOC_ARENA_EAGER_COMMIT", "0")],
            setup: serde_json::to_vec(&setup).map_err(std::io::Error::from)?,
        };
        Ok(self.open_here()?.with_workers(launch))
    }

    /// An engine that carries out every statement in this process, as a worker does.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open_here(&self) -> Result<Engine, OpenError> {
        Ok(match self {
            Self::History(source) => engine_over(source.clone())?,
            Self::Activities(source) => engine_over_activities(source.clone())?,
            Self::Export(folder) => engine_over_archive(&Archive::open(folder.as_ref())?)?,
        })
    }
}

/// Carries out statements for another process of this program until that has no more ([`worker::serve`]).
///
/// # Errors
/// Standard input that no process of this program writes, and answers that nobody reads.
pub async fn work() -> std::io::Result<()> {
    let Setup { version, asked } = serde_json::from_slice(&worker::setup()?)?;
    let opened = if version == env!("CARGO_PKG_VERSION") {
        asked.open_here().map_err(|error| error.to_string())
    } else {
        Err(format!("dayledger {version} was replaced while it ran; start it anew"))
    };
    worker::serve(opened).await
}
