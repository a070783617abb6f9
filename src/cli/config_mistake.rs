//! Describes a mistake in the configuration: the reason, and the line with a mark below the mistake.
//!
//! The configuration contains no secrets, but users can write a token into it by mistake. The terminal and logs then
//! must not show the token. Therefore two rules apply to the value of a setting. A mistake in a key never shows the
//! value. In tables and keys that are likely to contain a token, such as `[timesheet.push]`, no mistake shows a value.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

/// The maximum number of characters of a line that a description shows.
const EXCERPT_CHARS: usize = 100;

/// The text that replaces a value.
const HIDDEN: &str = "…";

/// Parts of the names of tables and keys whose values may be secret.
const SECRET_NAMES: [&str; 5] = ["push", "token", "secret", "password", "key"];

/// The starts of messages that quote a value. The expected value follows after [`EXPECTED`].
const QUOTING: [&str; 2] = ["invalid type: ", "invalid value: "];
const EXPECTED: &str = ", expected ";

/// Returns the reason `what`, and below it the line in which `place` begins, with the line's number and a mark below
/// `place`. `place` is a range of bytes of the configuration `text`.
pub(super) fn describe_mistake(text: &str, what: &str, place: Option<Range<usize>>) -> String {
    let Some(place) = place else { return what.to_owned() };
    let line = Line::find(text, place);
    let what = if line.may_be_secret() { without_value(what) } else { what.to_owned() };
    format!("{what}{}", line.excerpt())
}

/// Returns the message for a date or time without quotes, which TOML doesn't read as a text. Returns `None` for another
/// mistake. `message` is the message of the parser, and `place` is a range of bytes of the configuration `text`.
pub(super) fn unquoted_time(text: &str, message: &str, place: Range<usize>) -> Option<String> {
    let line = text.get(place.start..)?.lines().next()?;
    let value = if line.starts_with(|first: char| first.is_ascii_digit()) { line } else { line.split_once('=')?.1 };
    let value = value.trim_start();
    let end = value.find(|letter: char| !letter.is_ascii_digit() && !"-:T".contains(letter)).unwrap_or(value.len());
    let time = &value[..end];
    let parts: Vec<_> = time.split(':').collect();
    let is_time = matches!(parts.len(), 2..=3) && parts.iter().all(|part| (1..=2).contains(&part.len()));
    // Some settings are dates without quotes. The parser calls a date a map if the setting is a text.
    let is_date = time.contains('-') && message.starts_with("invalid type: map");
    (is_time || is_date).then(|| format!("a date or time needs quotes: write `\"{time}\"`"))
}

/// A line of the configuration with a mistake.
struct Line<'t> {
    /// The number of the line, starting at 1.
    number: usize,
    /// The header of the table that contains the line, or an empty text.
    table: &'t str,
    /// The parts of the line: before the mistake, the mistake itself, and after the mistake.
    before: &'t str,
    wrong: &'t str,
    after: &'t str,
}

impl<'t> Line<'t> {
    fn find(text: &'t str, place: Range<usize>) -> Self {
        let above = text.get(..place.start).unwrap_or(text);
        let first = above.rfind('\n').map_or(0, |end| end + 1);
        let rest = text.get(first..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let (before, marked) = line.split_at_checked(above.len() - first).unwrap_or((line, ""));
        let (wrong, after) = marked.split_at_checked(place.len().min(marked.len())).unwrap_or((marked, ""));
        // In a list, a line can start with a bracket too. Such a line has commas, unless it is the last one.
        let is_header = |line: &&str| line.starts_with('[') && !line.contains(',');
        let lines = text.get(..first + line.len()).unwrap_or(text).lines();
        let table = lines.map(str::trim).rfind(is_header).unwrap_or_default();
        Self { number: above.matches('\n').count() + 1, table, before, wrong, after }
    }

    /// Whether the value in this line may be secret. A saved question isn't secret, and its statement often contains the
    /// column `key`.
    fn may_be_secret(&self) -> bool {
        if self.table.starts_with("[[questions") {
            return false;
        }
        let key = if self.before.contains('=') { "" } else { self.wrong };
        let names = format!("{} {} {key}", self.table, outside_quotes(self.before)).to_lowercase();
        let after_scheme =
            [self.before, self.wrong, self.after].concat().split_once("://").map(|(_, rest)| rest.to_owned());
        // A URL can contain a password or a key.
        SECRET_NAMES.iter().any(|name| names.contains(name)) || after_scheme.is_some_and(|url| url.contains(['@', '?']))
    }

    /// Whether the mistake is in a key that has a value.
    fn is_key(&self) -> bool {
        self.after.trim_start().starts_with(['=', '.'])
    }

    /// Returns the line with its number, and the mark on the next line.
    fn excerpt(&self) -> String {
        let (before, wrong, after) = if self.may_be_secret() && !self.is_table() {
            self.without_values()
        } else if let Some((assigned, _)) = self.after.split_once('=').filter(|_| self.is_key()) {
            (self.before.to_owned(), self.wrong.to_owned(), format!("{assigned}= {HIDDEN}"))
        } else {
            (self.before.to_owned(), self.wrong.to_owned(), self.after.to_owned())
        };
        // A terminal would interpret control characters.
        let harmless = |part: &str| part.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<Vec<_>>();
        let [before, wrong, after] = [before, wrong, after].map(|part| harmless(&part));
        let skipped = before.len().saturating_sub(EXCERPT_CHARS / 2);
        let blank: String = before.iter().skip(skipped).collect();
        let mark: String = wrong.iter().take(EXCERPT_CHARS / 2).collect();
        let all = before.into_iter().chain(wrong).chain(after);
        let shown: String = all.skip(skipped).take(EXCERPT_CHARS).collect();
        let place = format!("  line {}: ", self.number);
        let blank = place.len() + blank.width();
        format!("\n{place}{}\n{:blank$}{}", shown.trim_end(), "", "^".repeat(mark.width().max(1)))
    }

    /// Whether the line is the header of a table. A header doesn't contain a value.
    fn is_table(&self) -> bool {
        let line = [self.before, self.wrong, self.after].concat();
        line.trim() == self.table && self.table.ends_with(']') && !self.table.contains(['\'', '"'])
    }

    /// Returns the parts of the line with only its first key. The value is replaced.
    fn without_values(&self) -> (String, String, String) {
        let hidden = || HIDDEN.to_owned();
        match (self.before.split_once('='), self.after.split_once('=')) {
            (Some((key, _)), _) => (format!("{key}= "), hidden(), String::new()),
            (None, Some((key, _))) => (self.before.to_owned(), self.wrong.to_owned(), format!("{key}= {HIDDEN}")),
            (None, None) => (String::new(), hidden(), String::new()),
        }
    }
}

/// Returns the parts of a line that are outside of quotation marks.
fn outside_quotes(line: &str) -> String {
    let mut open = None;
    let is_outside = |letter: &char| {
        match open {
            None if matches!(letter, '\'' | '"') => open = Some(*letter),
            None => return true,
            Some(mark) if mark == *letter => open = None,
            Some(_) => {}
        }
        false
    };
    line.chars().filter(is_outside).collect()
}

/// Returns a message without the value that it quotes.
fn without_value(what: &str) -> String {
    match (QUOTING.iter().find(|start| what.starts_with(**start)), what.rsplit_once(EXPECTED)) {
        (Some(start), Some((_, expected))) => format!("{start}expected {expected}"),
        _ => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::config::Configuration;

    fn refusal(text: &str) -> String {
        Configuration::parse(text, Path::new("dayledger.toml")).unwrap_err().to_string()
    }

    /// A token that was written into the configuration used to appear in the error.
    #[test]
    fn errors_never_show_a_token() {
        const TOKEN: &str = "7.pt.not-a-real-token";
        for mistake in [
            "token = 'TOKEN'",
            "token_file = ['TOKEN']",
            "token_file = { value = 'TOKEN' }",
            "url = 'TOKEN'",
            "url = 'https://me:TOKEN@kimai.example.com'",
            "account = TOKEN",
            "token = \"TOKEN",
            "token = '''\nTOKEN",
            "token = [\n  'TOKEN'\n]",
            "url = 'https://kimai.example.com'\nurl = 'TOKEN'",
            "token.value = 'TOKEN'",
            "'token' = 'TOKEN'",
            "TOKEN",
            "# TOKEN\n[timesheet.push.kimai] # TOKEN",
            "token: TOKEN",
            "[timesheet.push]\nkimai = 'TOKEN'",
            "[timesheet.push]\nkimai = { token = 'TOKEN' }",
            "[timesheet.push.kimia]\ntoken = 'TOKEN'",
            "[timesheet]\npush.kimai.token = 'TOKEN'",
            "[timesheet]\npush = 'TOKEN'",
            "[timesheet]\ntokn = 'TOKEN'",
            "[notes]\napi_key = 'TOKEN'",
            "[notes]\napi_key = TOKEN",
        ] {
            let written = mistake.replace("TOKEN", TOKEN);
            let text = if written.starts_with('[') { written } else { format!("[timesheet.push.kimai]\n{written}") };
            let message = refusal(&text);
            assert!(!message.contains("not-a-real"), "{mistake}: {message}");
            assert!(message.contains("\n  line "), "{mistake}: {message}");
        }
        let inline = format!("timesheet = {{ push = {{ kimai = {{ token = '{TOKEN}' }} }} }}");
        assert!(!refusal(&inline).contains("not-a-real"), "{}", refusal(&inline));
    }

    #[test]
    fn key_of_a_hidden_value_is_marked() {
        let message = refusal("[timesheet.push.kimai]\ntoken = 'x'");
        let (what, place) = message.split_once('\n').unwrap();
        assert!(what.ends_with("unknown field `token`, expected one of `account`, `url`, `token_file`"), "{what}");
        assert_eq!(place, "  line 2: token = …\n          ^^^^^");
        let message = refusal("[timesheet.push.kimai]\ntoken_file = ['x']");
        let (what, place) = message.split_once('\n').unwrap();
        assert!(what.ends_with("invalid type: expected path string"), "{what}");
        assert_eq!(place, "  line 2: token_file = …\n                       ^");
    }

    #[test]
    fn value_of_a_rule_is_shown() {
        let message = refusal("[[rules]]\ntitle = 'regex:(token'\ncategory = 'Work'");
        assert!(message.contains("\n  line 2: title = 'regex:(token'\n"), "{message}");
    }

    #[test]
    fn mark_is_below_the_mistake_after_any_text() {
        let of = |text: &str| {
            let message = refusal(text);
            let mut lines = message.lines().skip(1).map(str::to_owned);
            (lines.next().unwrap(), lines.next().unwrap())
        };
        let (line, mark) = of("rules = [{category = '日本', apps = 'x'}]");
        assert_eq!(line[..line.find("apps").unwrap()].width(), mark.find('^').unwrap(), "{line}");
        let (line, mark) = of("\tapps = 'x'");
        assert!(!line.contains(char::is_control) && line.find("apps") == mark.find('^'), "{line:?}");
        assert!(!of("apps = 'x'\u{1b}[2J").0.contains(char::is_control));
        let (line, mark) = of(&format!("data_dir = '{}' apps", "x".repeat(50_000)));
        assert!(line.len() < 2 * EXCERPT_CHARS && mark.len() < 2 * EXCERPT_CHARS, "{} {}", line.len(), mark.len());
    }
}
