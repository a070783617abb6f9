//! A calendar file. It is read again if its size or modification time has changed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use dayledger_core::files::FileStamp;

use super::content::{self, is_calendar};
use super::schedule::Events;
use super::zone::Zone;

/// The maximum size of a file in bytes. A file with the meetings of ten years has a few megabytes.
const MAX_BYTES: u64 = 32 << 20;

/// The events of a file, and the size and modification time of the file when it was read.
#[derive(Debug)]
pub(super) struct CalendarFile {
    stamp: FileStamp,
    read: Result<Events, String>,
}

impl CalendarFile {
    /// Reads a file for a user whose zone is `home`. Returns `known` if the file hasn't changed since `known` was read.
    ///
    /// # Errors
    /// Fails if the file can't be read.
    pub(super) fn load(path: &Path, known: Option<Arc<Self>>, home: &Zone) -> io::Result<Arc<Self>> {
        let metadata = fs::metadata(path)?;
        // The stamp is taken before the file is read. If the file changes while it is read, the next request finds
        // another stamp and reads the file again.
        let stamp = FileStamp::from_metadata(&metadata);
        if let Some(known) = known.filter(|known| known.stamp == stamp) {
            return Ok(known);
        }
        let read = if metadata.is_file() {
            read_calendar(path)?.map(|text| Events::parse(&text, home))
        } else {
            // Opening a pipe might block, and reading it might never end.
            Err("it is not a file".to_owned())
        };
        Ok(Arc::new(Self { stamp, read }))
    }

    /// Returns the events, or the reason why the file isn't a calendar. The reason doesn't contain the path.
    pub(super) fn events(&self) -> Result<&Events, &str> {
        self.read.as_ref().map_err(String::as_str)
    }
}

fn read_calendar(path: &Path) -> io::Result<Result<String, String>> {
    let mut bytes = Vec::new();
    // Reading one byte more than the limit is enough to notice that the file is too large.
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
