//! Shows rows on the terminal or writes them to a file. Rows that are longer than the screen are shown in a pager.
//! Ctrl-C stops the output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use dayledger_render::{ColorDepth, Style, TableFit};

use crate::escaping_writer::EscapingWriter;
use crate::interrupts::Interrupts;
use crate::output::{self, Output};
use crate::pager::{Pager, is_too_long};

/// Whether output was shown completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShowOutcome {
    /// All output was shown, except for columns and ends of texts that a table leaves out.
    ToTheEnd(TableFit),
    /// The user stopped the output.
    Stopped,
}

/// The terminal, on which results are shown.
pub(super) struct Screen {
    /// Receives Ctrl-C, which stops a running statement and its output.
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

    /// Shows the rows that `draw` writes. `draw` returns whether texts were truncated, and the number of columns that
    /// were left out.
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

/// Runs `work` until it ends or the user presses Ctrl-C. `work` writes the output.
async fn run_stoppable(
    interrupts: &Interrupts,
    work: impl FnOnce(&AtomicBool) -> io::Result<TableFit> + Send + 'static,
) -> anyhow::Result<ShowOutcome> {
    match interrupts.run_stoppable(work).await? {
        (Ok(fitted), _) => Ok(ShowOutcome::ToTheEnd(fitted)),
        // Writing fails after Ctrl-C because the pager has ended. The user has stopped the output, so this isn't an
        // error.
        (Err(_), true) => Ok(ShowOutcome::Stopped),
        (Err(error), false) => Err(error.into()),
    }
}

/// A writer that fails after the user has stopped the output.
struct Stoppable<'s, W> {
    out: W,
    stop: &'s AtomicBool,
}

impl<W: Write> Write for Stoppable<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// The number of bytes that are written before the flag is checked again.
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
