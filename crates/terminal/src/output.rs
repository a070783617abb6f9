//! Terminal output: data goes to stdout, all other text to stderr.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::OnceLock;

use clap::ColorChoice;
use dayledger_core::{Error, full_message};
use dayledger_engine::Table;
use dayledger_render::{ColorDepth, Format, Style, detect, write_batches};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::environment;
use super::escaping_writer::{AllowedCharacters, EscapingWriter, escape_text};
use super::pager::{Pager, is_too_long};

/// The command-line options that select the history of this process.
static SOURCE_OPTIONS: OnceLock<String> = OnceLock::new();

/// The user's choice of colours for this process.
static COLOR: OnceLock<ColorChoice> = OnceLock::new();

/// Sets whether the output has colours [default: only on a terminal, unless `NO_COLOR` is set]. Only the first call has
/// an effect.
pub fn set_color(color: ColorChoice) {
    COLOR.get_or_init(|| color);
}

/// Sets the options with which the user selected the history, such as `--demo`. Commands that are suggested in later
/// output contain these options. Only the first call has an effect.
pub fn set_source_options(options: String) {
    SOURCE_OPTIONS.get_or_init(|| options);
}

/// Writes data to stdout or to a file. No other type writes data. A terminal gets no control characters except
/// dayledger's own colours. A file or a pipe gets every byte unchanged.
pub struct Output {
    out: BufWriter<Box<dyn Write>>,
    style: Style,
    is_terminal: bool,
}

impl Output {
    /// Creates an output to stdout.
    pub fn new() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self { out: BufWriter::new(Box::new(stdout.lock())), style: style(), is_terminal }
    }

    /// Creates an output to a file, without colours.
    pub(super) fn to_file(file: File) -> Self {
        let style = Style { color: ColorDepth::None, ..style() };
        Self { out: BufWriter::new(Box::new(file)), style, is_terminal: false }
    }

    /// Writes a value as JSON, on one line.
    ///
    /// # Errors
    /// Fails if the value can't be serialised or written.
    pub fn write_json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        self.write_data(|out| {
            serde_json::to_writer(&mut *out, value)?;
            out.write_all(b"\n")
        })
    }

    /// Writes a response as JSON if `as_json` is set. Otherwise, `draw` writes the response in a form for people.
    ///
    /// # Errors
    /// Fails if the response can't be serialised or written.
    pub fn write_response<A: Serialize>(
        &mut self,
        answer: &A,
        as_json: bool,
        draw: impl FnOnce(&mut dyn Write, &A, &Style) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if as_json { self.write_json(answer) } else { self.write_styled(|out, style| draw(out, answer, style)) }
    }

    /// Runs `write` on the output, without colours. Used for formats that programs read.
    ///
    /// # Errors
    /// Fails if `write` fails, or if stdout or the file can't be written.
    pub fn write_data(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        self.write(AllowedCharacters { colors: false, ..allowed_characters(&self.style) }, |out, _| write(out))
    }

    /// Runs `draw` on the output, with the style that the terminal supports. Used for text that people read.
    ///
    /// # Errors
    /// Fails if `draw` fails, or if stdout or the file can't be written.
    pub fn write_styled(&mut self, draw: impl FnOnce(&mut dyn Write, &Style) -> io::Result<()>) -> anyhow::Result<()> {
        self.write(allowed_characters(&self.style), draw)
    }

    fn write(
        &mut self,
        passes: AllowedCharacters,
        write: impl FnOnce(&mut dyn Write, &Style) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if self.is_terminal {
            let mut out = EscapingWriter::new(&mut self.out, passes);
            write(&mut out, &self.style)?;
            out.flush()?;
        } else {
            write(&mut self.out, &self.style)?;
        }
        Ok(self.out.flush()?)
    }
}

impl Default for Output {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints one line on stdout.
///
/// # Errors
/// Fails if stdout can't be written.
pub fn print_line(line: &str) -> anyhow::Result<()> {
    Output::new().write_data(|out| writeln!(out, "{line}"))
}

/// Prints the text of `draw` on stdout. On a terminal, text that is longer than the screen is shown in the pager.
///
/// # Errors
/// Fails if `draw` fails, or if stdout or the pager can't be written.
pub fn print_paged(draw: impl FnOnce(&mut dyn Write, &Style) -> io::Result<()>) -> anyhow::Result<()> {
    let Some((columns, rows)) = terminal_size().filter(|_| io::stdout().is_terminal()) else {
        return Output::new().write_styled(draw);
    };
    let style = style();
    let mut text = Vec::new();
    {
        let mut escaping = EscapingWriter::new(&mut text, allowed_characters(&style));
        draw(&mut escaping, &style)?;
        escaping.flush()?;
    }
    let is_long = is_too_long(&String::from_utf8_lossy(&text), columns, rows);
    if let Some(pager) = Pager::from_environment().filter(|_| is_long)
        && pager.show(&text)?
    {
        return Ok(());
    }
    Output::new().write_styled(|out, _| out.write_all(&text))
}

/// Prints a table of rows on stdout.
///
/// # Errors
/// Fails if stdout can't be written.
pub fn print_table(table: &Table, format: Format) -> anyhow::Result<()> {
    Output::new().write_styled(|out, style| write_batches(out, &table.batches, &table.schema, format, style))
}

/// Prints the text of `write` on stderr. Escapes all control characters, including those of colours.
pub fn print_note(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let (_, passes) = stderr_style();
    // If stderr is closed, the error can't be shown anywhere.
    let _ = write(&mut EscapingWriter::new(io::stderr().lock(), AllowedCharacters { colors: false, ..passes }));
}

/// Returns the characters that are written to a terminal unchanged, for text in this style.
pub(super) fn allowed_characters(style: &Style) -> AllowedCharacters {
    AllowedCharacters { unicode: style.unicode, colors: style.color != ColorDepth::None }
}

/// Returns the style of stdout.
pub(super) fn style() -> Style {
    style_for(io::stdout().is_terminal())
}

fn style_for(is_terminal: bool) -> Style {
    // A Windows console shows colour sequences as text unless they are enabled. Enabling fails only if stdout isn't a
    // console, or on a version of Windows that can't run dayledger.
    #[cfg(windows)]
    if is_terminal {
        anstyle_query::windows::enable_ansi_colors();
    }
    let color = COLOR.get().copied().unwrap_or_default();
    let style = detect(&environment::terminal(color, is_terminal, terminal_size().map(|(columns, _)| columns)));
    Style { source_options: SOURCE_OPTIONS.get().map_or("", String::as_str), ..style }
}

/// Returns the number of columns and rows of the terminal, if there is one.
pub(super) fn terminal_size() -> Option<(usize, usize)> {
    terminal_size::terminal_size().map(|(width, height)| (usize::from(width.0), usize::from(height.0)))
}

/// Writes messages on stderr in the style that stderr supports. Control characters are escaped even if stderr is a
/// file, because the file may be shown on a terminal later.
pub fn write_stderr(draw: impl FnOnce(&mut dyn Write, &Style) -> io::Result<()>) {
    let (style, passes) = stderr_style();
    let mut stderr = EscapingWriter::new(io::stderr().lock(), passes);
    // If stderr is closed, the error can't be shown anywhere.
    let _ = draw(&mut stderr, &style);
}

/// Returns the style of stderr, and the characters that are written to stderr unchanged.
fn stderr_style() -> (Style, AllowedCharacters) {
    let is_terminal = io::stderr().is_terminal();
    let style = style_for(is_terminal);
    let allowed = allowed_characters(&style);
    (style, if is_terminal { allowed } else { AllowedCharacters { colors: allowed.colors, ..AllowedCharacters::TEXT } })
}

/// Returns a progress bar without a length. `template` is a template of the crate `indicatif`. The bar is drawn on
/// stderr, and only on a terminal.
pub fn progress_bar(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::no_length().with_style(style)
}

/// Prints an error on stderr with the messages of its causes. Adds the hint of the first [`Error`] in the chain of
/// causes.
pub fn print_failure(error: &anyhow::Error) {
    print_error(&full_message(&**error), find_hint(error));
}

/// Returns the hint of the first [`Error`] in the chain of causes of `error`.
fn find_hint(error: &anyhow::Error) -> Option<&str> {
    let hint = error.chain().find_map(|cause| cause.downcast_ref::<Error>()).map(|error| error.hint.as_str());
    hint.filter(|hint| !hint.is_empty())
}

/// Prints an error on stderr, with its hint.
pub fn print_error(message: &str, hint: Option<&str>) {
    write_stderr(|out, style| {
        writeln!(out, "{} {}", style.alarm("error:"), escape_text(message))?;
        hint.map_or(Ok(()), |hint| write_hint(out, hint, style))
    });
}

/// Writes the hint of an error. Commands in the hint get the options that select the user's history.
pub(super) fn write_hint(out: &mut dyn Write, hint: &str, style: &Style) -> io::Result<()> {
    writeln!(out, "{} {}", style.strong("hint:"), escape_text(&style.with_source(hint)))
}

/// Whether the reader of the output, for example `head`, has closed the pipe.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn hint_is_found_below_added_context_and_an_empty_hint_is_left_out() {
        let refused = Err::<(), _>(Error::for_command("`x` is read-only", "make it writable"));
        let refused = refused.context("cannot add the rule").unwrap_err();
        assert_eq!(full_message(&*refused), "cannot add the rule: `x` is read-only");
        assert_eq!(find_hint(&refused), Some("make it writable"));
        assert_eq!(find_hint(&Error::for_command("`x` is a folder: pass a file", "").into()), None);
    }
}
