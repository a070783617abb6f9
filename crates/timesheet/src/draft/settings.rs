//! The settings of a draft, and the patterns of tickets and branches.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};

use crate::hours::Hours;
use crate::refusal::Refusal;

/// The settings of a draft.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The rounding step: the hours of each row are a multiple of this step. From 0.01 to 24 hours [default: 0.25].
    pub round_to: Hours,
    /// The minimum length of a row in seconds [default: 15 minutes].
    pub min_seconds: i64,
    /// The patterns that find tickets and branches in window titles.
    pub patterns: Patterns,
}

impl Default for Settings {
    fn default() -> Self {
        Self { round_to: Hours::from_hundredths(25), min_seconds: 15 * 60, patterns: Patterns::default() }
    }
}

impl Settings {
    /// Returns settings with this rounding step in hours and this minimum row length in minutes. `None` means the
    /// default. The minutes are rounded to whole seconds, for example 4.1 minutes to 246 seconds.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` for `roundTo` outside the range of 0.01 to 24 hours, and for `minMinutes` outside the range
    /// of 0 to 1440.
    pub fn new(round_to: Option<Hours>, min_minutes: Option<f64>) -> Result<Self, Refusal> {
        let mut settings = Self::default();
        if let Some(hours) = round_to {
            if !(1..=2400).contains(&hours.hundredths()) {
                let message = format_args!("`roundTo` is `{hours}`: it must be from 0.01 to 24 hours");
                return Err(Refusal::invalid("roundTo", message));
            }
            settings.round_to = hours;
        }
        if let Some(minutes) = min_minutes {
            if !(0.0..=1440.0).contains(&minutes) {
                let message = format_args!("`minMinutes` is `{minutes}`: it must be from 0 to 1440");
                return Err(Refusal::invalid("minMinutes", message));
            }
            #[expect(clippy::cast_possible_truncation, reason = "at most a day")]
            let seconds = (minutes * 60.0).round() as i64;
            settings.min_seconds = seconds;
        }
        Ok(settings)
    }
}

/// The default pattern for tickets such as `ABC-123`.
pub const TICKET: &str = r"\b[A-Z][A-Z0-9]+-\d+\b";
/// The default pattern for branches such as `feature/login`.
pub const BRANCH: &str = r"\b(?:bugfix|chore|feat|feature|fix|hotfix|release)/[\w.-]+(?:/[\w.-]+)*";
/// Prefixes of texts that match [`TICKET`] but aren't tickets, for example `UTF-8`.
const NO_TICKETS: [&str; 9] = ["AES-", "COVID-", "HTTP-", "IEC-", "ISO-", "MD-", "RFC-", "SHA-", "UTF-"];
/// The maximum memory of a compiled pattern, in bytes.
const PATTERN_BYTES: usize = 1 << 20;
/// Error messages contain at most this many characters of an invalid pattern.
const MAX_QUOTED_CHARS: usize = 40;

/// Regular expressions that find tickets and branches in window titles. If a pattern has capture groups, the result is
/// the text of the first group.
#[serde_as]
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Patterns {
    #[serde_as(as = "Vec<DisplayFromStr>")]
    tickets: Vec<Regex>,
    #[serde_as(as = "Vec<DisplayFromStr>")]
    branches: Vec<Regex>,
}

/// The tickets and branches found in a window title.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TitleMatches {
    pub(super) tickets: BTreeSet<String>,
    pub(super) branches: BTreeSet<String>,
}

impl Default for Patterns {
    fn default() -> Self {
        static COMPILED: LazyLock<Patterns> = LazyLock::new(|| {
            let compiled = |pattern| Regex::new(pattern).into_iter().collect();
            Patterns { tickets: compiled(TICKET), branches: compiled(BRANCH) }
        });
        COMPILED.clone()
    }
}

impl Patterns {
    /// Compiles the patterns. An empty list matches nothing.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` with the first pattern that is invalid or too large.
    pub fn new<P: AsRef<str>>(tickets: &[P], branches: &[P]) -> Result<Self, Refusal> {
        Ok(Self { tickets: compile("tickets", tickets)?, branches: compile("branches", branches)? })
    }

    /// Finds the tickets and branches in a window title. A branch is left out if it contains a found ticket, because
    /// the branch adds no information.
    pub(super) fn find(&self, title: &str) -> TitleMatches {
        let tickets = find_all(&self.tickets, title);
        let tickets = tickets.filter(|text| !NO_TICKETS.iter().any(|none| text.starts_with(none)));
        let tickets: BTreeSet<_> = tickets.map(str::to_owned).collect();
        let branches = find_all(&self.branches, title).map(|text| text.trim_end_matches(['.', '-']));
        let branches = branches.filter(|branch| !tickets.iter().any(|ticket| branch.contains(ticket.as_str())));
        TitleMatches { branches: branches.map(str::to_owned).collect(), tickets }
    }
}

fn compile<P: AsRef<str>>(field: &str, patterns: &[P]) -> Result<Vec<Regex>, Refusal> {
    let compiled = patterns.iter().map(|pattern| {
        let pattern = pattern.as_ref();
        let regex = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
        regex.map_err(|error| {
            // The last line of a multi-line error contains the reason. The lines before it repeat the pattern.
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let start: String = pattern.chars().take(MAX_QUOTED_CHARS).collect();
            let rest = if start.len() < pattern.len() { "…" } else { "" };
            Refusal::invalid(field, format_args!("invalid pattern `{start}{rest}` for {field}: {reason}"))
        })
    });
    compiled.collect()
}

fn find_all<'t>(patterns: &'t [Regex], title: &'t str) -> impl Iterator<Item = &'t str> {
    let captures = patterns.iter().flat_map(move |pattern| pattern.captures_iter(title));
    let text = captures.filter_map(|captures| captures.get(1).or(captures.get(0)));
    text.map(|text| text.as_str().trim()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(patterns: &Patterns, title: &str) -> (Vec<String>, Vec<String>) {
        let TitleMatches { tickets, branches } = patterns.find(title);
        (tickets.into_iter().collect(), branches.into_iter().collect())
    }

    #[test]
    fn tickets_and_branches_are_found_in_titles() {
        let patterns = Patterns::default();
        for (title, tickets, branches) in [
            ("PAY-17 and PAY-4: refunds - Tracker", &["PAY-17", "PAY-4"][..], &[][..]),
            ("lib.rs (feature/login) - shop", &[], &["feature/login"]),
            ("fix/PAY-17-refunds. - shop", &["PAY-17"], &[]),
            ("UTF-8 and SHA-256, 2025-10-24, a-1, A-1", &[], &[]),
            ("", &[], &[]),
        ] {
            let expected =
                (tickets.iter().map(|t| (*t).to_owned()).collect(), branches.iter().map(|b| (*b).to_owned()).collect());
            assert_eq!(find(&patterns, title), expected, "{title}");
        }
    }

    #[test]
    fn patterns_come_from_the_configuration() {
        let patterns = Patterns::new(&[r"#(\d+)"], &[]).unwrap();
        assert_eq!(find(&patterns, "refunds #17 feature/login PAY-1"), (vec!["17".to_owned()], vec![]));
        let refusal = Patterns::new(&["ok", "("], &[]).unwrap_err();
        assert_eq!(refusal.field.as_deref(), Some("tickets"));
        assert!(refusal.message.starts_with("invalid pattern `(` for tickets"), "{refusal}");
        Patterns::new(&[], &[r"\w{1000}{1000}"]).unwrap_err();
    }

    #[test]
    fn invalid_settings_are_rejected() {
        let field = |settings: Result<Settings, Refusal>| settings.unwrap_err().field;
        for hundredths in [-25, 0, 2401] {
            let settings = Settings::new(Some(Hours::from_hundredths(hundredths)), None);
            assert_eq!(field(settings).as_deref(), Some("roundTo"));
        }
        for minutes in [-1.0, f64::NAN, f64::INFINITY, 1440.1] {
            assert_eq!(field(Settings::new(None, Some(minutes))).as_deref(), Some("minMinutes"));
        }
        assert_eq!(Settings::new(None, Some(4.1)).unwrap().min_seconds, 246);
    }
}
