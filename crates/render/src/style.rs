//! The style of terminal output: colours, width, character set, and escape sequences.

use std::borrow::Cow;

use clap::ColorChoice;

use super::color::Rgb;

/// The maximum width of a line, even if the terminal is wider.
const MAX_LINE_WIDTH: usize = 160;
/// The minimum width of a line, even if the terminal is narrower.
const MIN_LINE_WIDTH: usize = 40;
/// The width of a line if the width of the terminal isn't known.
const DEFAULT_WIDTH: usize = 100;
/// The text with which a suggested command in prose begins.
const COMMAND: &str = "`dayledger ";
/// The commands that don't read a history, or that don't accept options for another history.
const WITHOUT_SOURCE: [&str; 6] = ["demo", "export --out", "install --help", "serve", "sql --exports", "uninstall"];

/// The colours that may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorDepth {
    /// Neither colours nor other escape sequences.
    None,
    /// The 256 colours of xterm.
    Ansi256,
    /// Colours of 24 bits.
    TrueColor,
}

/// The style of the output for one writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The colours that may be written.
    pub color: ColorDepth,
    /// The width of a line in columns, from 40 to 160 (see [`Style::new`]).
    pub width: usize,
    /// Whether characters outside ASCII may be written. Otherwise they become `?` in names.
    pub unicode: bool,
    /// The options with which the user selected the history, such as `--demo`. These options are added to suggested
    /// commands. For the default history, this text is empty.
    pub source_options: &'static str,
}

impl Style {
    /// Creates a style. `width` is limited to a value from 40 to 160.
    pub fn new(color: ColorDepth, width: usize, unicode: bool) -> Self {
        Self { color, width: width.clamp(MIN_LINE_WIDTH, MAX_LINE_WIDTH), unicode, source_options: "" }
    }

    /// Returns a command of dayledger with the options of the history that the user selected.
    pub fn command(&self, arguments: &str) -> String {
        match self.source_options {
            "" => format!("dayledger {arguments}"),
            options => format!("dayledger {options} {arguments}"),
        }
    }

    /// Adds the options of the selected history to the suggested commands in `text`, such as `` `dayledger doctor` ``.
    pub fn with_source<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.source_options.is_empty() || !text.contains(COMMAND) {
            return text.into();
        }
        let mut parts = text.split(COMMAND);
        let mut changed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            changed.push_str(COMMAND);
            if !WITHOUT_SOURCE.iter().any(|command| part.starts_with(command)) {
                changed.push_str(self.source_options);
                changed.push(' ');
            }
            changed.push_str(part);
        }
        changed.into()
    }

    /// Emphasises `text`. Returns plain text if the style has no colours.
    pub fn strong(&self, text: &str) -> String {
        self.paint(text, TextStyle::Strong)
    }

    /// Formats `text` as less important. Returns plain text if the style has no colours.
    pub fn faint(&self, text: &str) -> String {
        self.paint(text, TextStyle::Faint)
    }

    /// Formats `text` as an error. Returns plain text if the style has no colours.
    pub fn alarm(&self, text: &str) -> String {
        self.paint(text, TextStyle::Color(ALARM))
    }

    /// Formats `text` in `text_style`. Returns plain text if the style has no colours.
    pub(super) fn paint(&self, text: &str, text_style: TextStyle) -> String {
        if self.color == ColorDepth::None || text.is_empty() {
            return text.to_owned();
        }
        match text_style {
            TextStyle::Plain => text.to_owned(),
            // Each style has its own code for its end, because `ESC [0m` would also end the style of the surrounding
            // text.
            TextStyle::Strong => format!("\u{1b}[1m{text}\u{1b}[22m"),
            TextStyle::Faint => format!("\u{1b}[2m{text}\u{1b}[22m"),
            TextStyle::Color(color) if self.color == ColorDepth::Ansi256 => {
                format!("\u{1b}[38;5;{}m{text}\u{1b}[39m", color.to_xterm())
            }
            TextStyle::Color(Rgb(red, green, blue)) => format!("\u{1b}[38;2;{red};{green};{blue}m{text}\u{1b}[39m"),
        }
    }

    /// Returns the mark that is written before a name, in the colour of the name. The mark is empty if the style
    /// doesn't have colours.
    pub(super) fn swatch(&self) -> &'static str {
        match (self.color, self.unicode) {
            (ColorDepth::None, _) => "",
            (_, true) => "▌",
            (_, false) => "|",
        }
    }
}

/// The properties of the output that determine its style. The caller reads them from the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TerminalFacts {
    /// The user's choice of colours, from a command-line option.
    pub color: ColorChoice,
    /// Whether the output is a terminal. If not, it is a file or a pipe.
    pub is_terminal: bool,
    /// Whether `NO_COLOR` is set and not empty.
    pub no_color: bool,
    /// The environment variable `COLORTERM`.
    pub colorterm: Option<String>,
    /// The environment variable `TERM`. Windows doesn't set it.
    pub term: Option<String>,
    /// The first of the environment variables `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty. Windows
    /// doesn't set them.
    pub locale: Option<String>,
    /// The width of the terminal in columns, if it is known.
    pub columns: Option<usize>,
}

/// Chooses the style for a terminal, a file or a pipe.
///
/// By default, the style has no colours if the output is a file or a pipe, or if `NO_COLOR` is set. The user's choice
/// takes precedence. In a file or a pipe, lines have at most 100 columns.
pub fn detect(facts: &TerminalFacts) -> Style {
    let width = facts.columns.filter(|_| facts.is_terminal).unwrap_or(DEFAULT_WIDTH);
    Style::new(color_depth(facts), width, knows_unicode(facts))
}

fn color_depth(facts: &TerminalFacts) -> ColorDepth {
    let term = facts.term.as_deref();
    match facts.color {
        ColorChoice::Never => return ColorDepth::None,
        ColorChoice::Auto if !facts.is_terminal || facts.no_color || term == Some("dumb") => return ColorDepth::None,
        ColorChoice::Auto | ColorChoice::Always => {}
    }
    match facts.colorterm.as_deref() {
        Some("truecolor" | "24bit") => ColorDepth::TrueColor,
        // If `TERM` isn't set, the system is Windows. The console of Windows has supported 24-bit colours since 2017.
        _ if term.is_none_or(|term| term.ends_with("-direct")) => ColorDepth::TrueColor,
        _ => ColorDepth::Ansi256,
    }
}

fn knows_unicode(facts: &TerminalFacts) -> bool {
    if facts.is_terminal && facts.term.as_deref() == Some("dumb") {
        return false;
    }
    facts.locale.as_deref().is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The colour of errors, which is legible on light and dark backgrounds.
const ALARM: Rgb = Rgb(0xc4, 0x6a, 0x6a);

/// Whether `Style::paint` can write the escape sequence `ESC [ numbers m`.
pub fn is_own_color(numbers: &str) -> bool {
    let channels = numbers.strip_prefix("38;5;").or_else(|| numbers.strip_prefix("38;2;"));
    let is_number = |part: &str| part.parse::<u8>().is_ok();
    matches!(numbers, "1" | "2" | "22" | "39") || channels.is_some_and(|channels| channels.split(';').all(is_number))
}

/// The style of a text within the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextStyle {
    /// Normal text.
    Plain,
    /// Emphasised text.
    Strong,
    /// Less important text.
    Faint,
    /// Text in a colour.
    Color(Rgb),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal() -> TerminalFacts {
        TerminalFacts { is_terminal: true, term: Some("xterm-256color".to_owned()), ..TerminalFacts::default() }
    }

    #[test]
    fn a_pipe_is_plain_and_a_hundred_wide() {
        let piped = TerminalFacts {
            is_terminal: false,
            colorterm: Some("truecolor".to_owned()),
            columns: Some(70),
            ..terminal()
        };
        assert_eq!(detect(&piped), Style { color: ColorDepth::None, width: 100, unicode: true, source_options: "" });
    }

    #[test]
    fn no_color_and_dumb_terminals_are_plain() {
        let truecolor = TerminalFacts { colorterm: Some("truecolor".to_owned()), ..terminal() };
        assert_eq!(detect(&truecolor).color, ColorDepth::TrueColor);
        assert_eq!(detect(&TerminalFacts { no_color: true, ..truecolor.clone() }).color, ColorDepth::None);
        let dumb = detect(&TerminalFacts { term: Some("dumb".to_owned()), ..truecolor });
        assert_eq!((dumb.color, dumb.unicode), (ColorDepth::None, false));
    }

    #[test]
    fn the_users_choice_of_colours_takes_precedence() {
        let color = |color, facts: TerminalFacts| detect(&TerminalFacts { color, ..facts }).color;
        assert_eq!(color(ColorChoice::Never, terminal()), ColorDepth::None);
        let plain = TerminalFacts { is_terminal: false, no_color: true, ..terminal() };
        assert_eq!(color(ColorChoice::Always, plain.clone()), ColorDepth::Ansi256);
        assert_eq!(color(ColorChoice::Auto, plain), ColorDepth::None);
    }

    #[test]
    fn the_colour_depth_follows_the_terminal() {
        assert_eq!(detect(&terminal()).color, ColorDepth::Ansi256);
        assert_eq!(detect(&TerminalFacts { term: None, ..terminal() }).color, ColorDepth::TrueColor);
    }

    #[test]
    fn suggested_commands_read_the_selected_history() {
        let own = detect(&terminal());
        let demo = Style { source_options: "--demo", ..own };
        let hint = "run `dayledger doctor`, or `dayledger why today`";
        assert_eq!(own.with_source(hint), hint);
        assert_eq!(demo.with_source(hint), "run `dayledger --demo doctor`, or `dayledger --demo why today`");
        assert_eq!(demo.command("timesheet log"), "dayledger --demo timesheet log");
        let export = "query the folder with `dayledger sql --exports`";
        assert_eq!(demo.with_source(export), export);
    }

    #[test]
    fn the_width_is_limited() {
        let width = |columns| detect(&TerminalFacts { columns, ..terminal() }).width;
        assert_eq!([width(None), width(Some(10)), width(Some(120)), width(Some(400))], [100, 40, 120, 160]);
    }

    #[test]
    fn a_locale_without_utf8_gets_ascii() {
        let unicode =
            |locale: Option<&str>| detect(&TerminalFacts { locale: locale.map(str::to_owned), ..terminal() }).unicode;
        assert_eq!([unicode(Some("C")), unicode(Some("de_DE.UTF-8")), unicode(None)], [false, true, true]);
    }
}
