//! Shows text that is longer than the screen in a pager.

use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use unicode_width::UnicodeWidthStr;

use super::environment;

/// The default options of `less`: keep colours, scroll long lines sideways, and leave the text on the screen at the
/// end.
const LESS: &str = "RSX";

/// A program that shows text page by page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pager {
    program: String,
    arguments: Vec<String>,
    /// The options for `less`. `None` if the environment sets options for `less`.
    less: Option<&'static str>,
}

impl Pager {
    /// Returns the pager that the environment sets, by default `less`. Returns `None` if the setting is blank.
    pub(super) fn from_environment() -> Option<Self> {
        Self::from_setting(environment::pager().as_deref(), environment::has_less_options())
    }

    fn from_setting(named: Option<&str>, has_less_options: bool) -> Option<Self> {
        let mut words = named.unwrap_or("less").split_whitespace().map(str::to_owned);
        let program = words.next()?;
        let less = (!has_less_options).then_some(LESS);
        Some(Self { program, arguments: words.collect(), less })
    }

    /// Shows `text` and waits until the user closes the pager. Returns `false` if the pager's program doesn't exist.
    pub(super) fn show(&self, text: &[u8]) -> std::io::Result<bool> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped());
        if let Some(options) = self.less {
            command.env("LESS", options);
        }
        let mut process = match command.spawn() {
            Ok(process) => process,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        if let Some(mut stdin) = process.stdin.take() {
            // Writing fails if the user closes the pager before the pager has read the whole text.
            let _ = stdin.write_all(text);
        }
        process.wait()?;
        Ok(true)
    }
}

/// Whether `text` doesn't fit on a screen of this size. One line of the screen is needed for the prompt. A line that is
/// wider than the screen takes several lines of the screen.
pub(super) fn is_too_long(text: &str, columns: usize, rows: usize) -> bool {
    let mut taken = 0;
    text.lines().any(|line| {
        taken += display_width(line).div_ceil(columns.max(1)).max(1);
        taken >= rows
    })
}

/// Returns the number of columns that a line takes, not counting its colour sequences.
fn display_width(line: &str) -> usize {
    let mut width = 0;
    let mut rest = line;
    while let Some((before, escaped)) = rest.split_once("\u{1b}[") {
        width += before.width();
        rest = escaped.split_once('m').map_or("", |(_, after)| after);
    }
    width + rest.width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_sets_the_pager() {
        let less = Pager::from_setting(None, false).unwrap();
        assert_eq!((less.program.as_str(), less.less), ("less", Some(LESS)));
        assert_eq!(Pager::from_setting(None, true).unwrap().less, None);
        let most = Pager::from_setting(Some("most -w"), false).unwrap();
        assert_eq!((most.program.as_str(), most.arguments.as_slice()), ("most", &["-w".to_owned()][..]));
        assert_eq!(Pager::from_setting(Some("  "), false), None);
    }

    #[test]
    fn a_long_line_counts_as_several_lines_of_the_screen() {
        assert!(!is_too_long("a\nb\n", 10, 3));
        assert!(is_too_long("a\nb\nc\n", 10, 3));
        assert!(!is_too_long("\u{1b}[38;5;12m0123456789\u{1b}[39m", 10, 3));
        assert!(!is_too_long("日本日本日本", 10, 3));
        assert!(is_too_long("日本日本日本\na", 10, 3));
        assert!(is_too_long("a\n\nc\n", 10, 3), "an empty line counts as a line");
    }
}
