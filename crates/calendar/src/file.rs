//! A calendar's file, which is read again when its size or modification time changes.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use dayledger_core::files::FileStamp;

use super::content::{self, is_calendar};
use super::schedule::Events;
use super::zone::Zone;

/// The maximum size of a file. Ten years of meetings take a few megabytes.
const MAX_BYTES: u64 = 32 << 20;

/// The events of a file, with its state when it was read.
#[derive(Debug)]
pub(super) struct CalendarFile {
    stamp: FileStamp,
    read: Result<Events, String>,
}

impl CalendarFile {
    /// Reads a file for a user in the zone `home`. Returns `known` if the file hasn't changed.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub(super) fn load(path: &Path, known: Option<Arc<Self>>, home: &Zone) -> io::Result<Arc<Self>> {
        let metadata = fs::metadata(path)?;
        // The state is from before the reading. If the file changes during it, the next request finds another state and
        // reads again.
        let stamp = FileStamp::from_metadata(&metadata);
        if let Some(known) = known.filter(|known| known.stamp == stamp) {
            return Ok(known);
        }
        let read = if metadata.is_file() {
            read_calendar(path)?.map(|text| Events::parse(&text, home))
        } else {
            // A pipe might never end, and opening it might block.
            Err("it is not a file".to_owned())
        };
        Ok(Arc::new(Self { stamp, read }))
    }

    /// Returns the events, or the reason why the file is not a calendar. The reason doesn't contain the path.
    pub(super) fn events(&self) -> Result<&Events, &str> {
        self.read.as_ref().map_err(String::as_str)
    }
}

fn read_calendar(path: &Path) -> io::Result<Result<String, String>> {
    let mut bytes = Vec::new();
    // One byte more than the limit is enough to see that the file is too large.
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Ok(Err(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
    }
    let text = content::decode_text(&bytes);
    Ok(if is_calendar(&text) {
        Ok(text)
    } else {
        Err("it is not a calendar: it does not start with `BEGIN:VCALENDAR`".to_owned())
    })
}
