//! A calendar's file, which is read again when its size or its time has changed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::content::{self, is_calendar};
use super::schedule::Events;
use super::zone::Zone;

/// How large a file may be; ten years of meetings have some megabytes.
const MAX_BYTES: u64 = 32 << 20;

/// A file as it was when it was read.
#[derive(Debug)]
pub(super) struct CalendarFile {
    stamp: FileStamp,
    read: Result<Events, String>,
}

/// What changes when a file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    bytes: u64,
    written: Option<SystemTime>,
}

impl CalendarFile {
    /// The file as it is now, for a person whose clocks are those of `home`; it is `known` where nothing has changed.
    ///
    /// # Errors
    /// Where the system does not give it.
    pub(super) fn load(path: &Path, known: Option<Arc<Self>>, home: &Zone) -> io::Result<Arc<Self>> {
        let metadata = fs::metadata(path)?;
        let stamp = FileStamp { bytes: metadata.len(), written: metadata.modified().ok() };
        if let Some(known) = known.filter(|known| known.stamp == stamp) {
            return Ok(known);
        }
        let read = if metadata.is_file() {
            read_calendar(path)?.map(|text| Events::parse(&text, home))
        } else {
            // A pipe might never end, and opening it might wait.
            Err("it is no file".to_owned())
        };
        Ok(Arc::new(Self { stamp, read }))
    }

    /// Its events, or why it is not a calendar, without its path.
    pub(super) fn events(&self) -> Result<&Events, &str> {
        self.read.as_ref().map_err(String::as_str)
    }
}

fn read_calendar(path: &Path) -> io::Result<Result<String, String>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Ok(Err(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
    }
    let text = content::decode_text(&bytes);
    Ok(if is_calendar(&text) {
        Ok(text)
    } else {
        Err("it is no calendar: it does not begin with `BEGIN:VCALENDAR`".to_owned())
    })
}
