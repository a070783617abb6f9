//! Shows rows: on the terminal, in a pager if they are longer, or in a file. Ctrl-C stops it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use dayledger_render::{ColorDepth, Style, TableFit};

use crate::escaping_writer::EscapingWriter;
use crate::interrupts::Interrupts;
use crate::output::{self, Output};
use crate::pager::{Pager, is_too_long};

/// The result of showing something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShowOutcome {
    /// Everything was shown, except for columns and rows that a table leaves out.
    ToTheEnd(TableFit),
    /// The user stopped it.
    Stopped,
}

/// The terminal.
pub(super) struct Screen {
    /// Stops a running statement and its output.
    pub(super) interrupts: Interrupts,
    pager: Option<Pager>,
    /// Whether a pager may be used.
    pub(super) is_paging: bool,
}

impl Screen {
    pub(super) fn new(interrupts: Interrupts) -> Self {
        let pager = Pager::from_environment();
        Self { interrupts, pager, is_paging: true }
    }

    /// Shows the text that `draw` writes.
    pub(super) async fn show(
        &self,
        draw: impl FnOnce(&mut dyn Write, &Style) -> io::Result<()> + Send + 'static,
    ) -> anyhow::Result<()> {
        self.show_rows(|out, style| draw(out, style).map(|()| TableFit::default())).await.map(|_| ())
    }

    /// Shows the rows that `draw` writes. `draw` returns which parts of a table it left out.
    pub(super) async fn show_rows(
        &self,
        draw: impl FnOnce(&mut dyn Write, &Style) -> io::Result<TableFit> + Send + 'static,
    ) -> anyhow::Result<ShowOutcome> {
        let pager = self.pager.clone().filter(|_| self.is_paging);
        let (style, size) = (output::style(), output::terminal_size());
        run_stoppable(&self.interrupts, move |stop| {
            let mut drawn = Stoppable { out: Vec::new(), stop };
            let fitted = draw(&mut drawn, &style)?;
            let text = String::from_utf8_lossy(&drawn.out);
            let long = size.is_some_and(|(columns, rows)| is_too_long(&text, columns, rows));
            if let Some(pager) = pager.filter(|_| long) {
                let mut shown = Vec::new();
                EscapingWriter::new(&mut shown, output::allowed_characters(&style)).write_all(text.as_bytes())?;
                if pager.show(&shown)? {
                    return Ok(fitted);
                }
            }
            let mut out = Output::new();
            out.write_styled(|out, _| Stoppable { out, stop }.write_all(text.as_bytes())).map_err(io::Error::other)?;
            Ok(fitted)
        })
        .await
    }

    /// Appends the text that `draw` writes to `file`, without colours.
    pub(super) async fn write_to(
        &self,
        file: File,
        draw: impl FnOnce(&mut dyn Write, &Style) -> io::Result<()> + Send + 'static,
    ) -> anyhow::Result<ShowOutcome> {
        let style = Style { color: ColorDepth::None, ..output::style() };
        run_stoppable(&self.interrupts, move |stop| {
            let mut out = BufWriter::new(Stoppable { out: file, stop });
            draw(&mut out, &style)?;
            out.flush().map(|()| TableFit::default())
        })
        .await
    }
}

/// Runs `work`, which shows something, until Ctrl-C.
async fn run_stoppable(
    interrupts: &Interrupts,
    work: impl FnOnce(&AtomicBool) -> io::Result<TableFit> + Send + 'static,
) -> anyhow::Result<ShowOutcome> {
    match interrupts.run_stoppable(work).await? {
        (Ok(fitted), _) => Ok(ShowOutcome::ToTheEnd(fitted)),
        // After Ctrl-C, a pager ends itself, and the user has seen enough.
        (Err(_), true) => Ok(ShowOutcome::Stopped),
        (Err(error), false) => Err(error.into()),
    }
}

/// A writer that fails once the user wants to stop.
struct Stoppable<'s, W> {
    out: W,
    stop: &'s AtomicBool,
}

impl<W: Write> Write for Stoppable<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// How many bytes are written before the flag is checked again.
        const BYTES_PER_WRITE: usize = 4096;
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.out.write(&bytes[..bytes.len().min(BYTES_PER_WRITE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopped_writer_fails() {
        let stop = AtomicBool::new(false);
        let mut out = Stoppable { out: Vec::new(), stop: &stop };
        out.write_all(&[b'x'; 10_000]).unwrap();
        stop.store(true, Ordering::Relaxed);
        assert!(out.write_all(b"y").is_err());
        assert_eq!(out.out.len(), 10_000);
    }
}
