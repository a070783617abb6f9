//! Entries as JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::entry::TimeEntry;

#[derive(Serialize)]
struct File<'e> {
    entries: &'e [TimeEntry],
}

pub(super) fn write(entries: &[TimeEntry], out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &File { entries })?;
    writeln!(out)
}
