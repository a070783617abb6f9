//! The privacy settings of a history, and the placeholders for hidden and redacted texts.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobMatcher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lenient_hosts::{any_host, normalize};
use dayledger_core::glob;

/// The name and key of each hidden application or site.
pub const HIDDEN: &str = "(hidden)";
/// The placeholder for a redacted text.
pub const REDACTED: &str = "(redacted)";
/// The name of an activity without any name (docs/spec/time.md#names).
pub const UNKNOWN: &str = "Unknown";

/// Whether a list of suggestions can contain `name`. It can't contain an empty name, or a placeholder for a hidden or
/// redacted name.
pub fn is_shown(name: &str) -> bool {
    ![HIDDEN, REDACTED, ""].contains(&name)
}

/// A kind of text that can be redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Redaction {
    /// Redact window titles, subjects of messages and notes.
    Titles,
    /// Redact URLs except for the site.
    Urls,
    /// Redact paths except for the file name.
    Paths,
    /// Redact the user's notes of activities and tags, which `titles` also redacts.
    #[value(help = "Redact only your notes of activities and tags")]
    Notes,
}

impl Redaction {
    /// All kinds of text that can be redacted.
    pub const ALL: [Self; 4] = [Self::Titles, Self::Urls, Self::Paths, Self::Notes];

    /// Returns the name of the kind in options and in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Titles => "titles",
            Self::Urls => "urls",
            Self::Paths => "paths",
            Self::Notes => "notes",
        }
    }
}

/// A pattern for names. It can contain `*`, `?`, `[…]` and `{…}`, as in patterns for file names.
/// Case is ignored, and `*` matches any characters, including `/`.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    matcher: GlobMatcher,
}

/// The error for an invalid pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid pattern `{pattern}`: {reason}")]
pub struct InvalidPattern {
    /// The beginning of the pattern. The end of a long pattern is omitted, because patterns are
    /// private and errors are copied into reports.
    pub pattern: String,
    /// The reason why the pattern is invalid.
    pub reason: String,
}

impl InvalidPattern {
    fn new(pattern: &str, reason: String) -> Self {
        /// The number of characters by which a user can recognise a pattern.
        const MAX_PATTERN_CHARS: usize = 40;
        let pattern = match pattern.char_indices().nth(MAX_PATTERN_CHARS) {
            Some((end, _)) => format!("{}…", &pattern[..end]),
            None => pattern.to_owned(),
        };
        Self { pattern, reason }
    }
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// [`InvalidPattern`] if the text is empty, if brackets aren't balanced, or if the pattern is
    /// nested too deeply or too large.
    pub fn parse(text: &str) -> Result<Self, InvalidPattern> {
        let invalid = |reason: String| InvalidPattern::new(text, reason);
        let plain = text.trim();
        if plain.is_empty() {
            return Err(invalid("it is empty".to_owned()));
        }
        // A backslash is a normal character here and not an escape, because a key can be a Windows path.
        let matcher = glob::compile(&normalize(plain).to_lowercase(), |glob| {
            glob.case_insensitive(true).backslash_escape(false).empty_alternates(true)
        });
        Ok(Self { text: plain.to_owned(), matcher: matcher.map_err(invalid)? })
    }

    /// Parses a pattern for sites.
    ///
    /// # Errors
    /// [`InvalidPattern`] in the same cases as for [`Self::parse`], and if the pattern can't match any site because it
    /// has a scheme, a port, a path or a final dot.
    pub fn parse_site(text: &str) -> Result<Self, InvalidPattern> {
        let plain = text.trim();
        let port = plain.rsplit_once(':').filter(|(host, _)| !host.contains(':')).map(|(_, port)| port);
        let has_port = port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
        if plain.contains('/') || plain.ends_with('.') || has_port {
            let reason = "use only a host, such as `*.bank.example`, without scheme, port and path".to_owned();
            return Err(InvalidPattern::new(text, reason));
        }
        Self::parse(text)
    }

    /// Returns the text of the pattern.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches a name in lower case.
    fn fits(&self, name: &str) -> bool {
        // In the matcher, `?` and `[…]` match one byte, but users expect them to match one character. So each non-ASCII
        // character is also tried as one `?`.
        let by_letter = || name.chars().map(|letter| if letter.is_ascii() { letter } else { '?' }).collect::<String>();
        self.matcher.is_match(name) || (!name.is_ascii() && self.matcher.is_match(by_letter()))
    }
}

impl TryFrom<String> for Pattern {
    type Error = InvalidPattern;

    fn try_from(text: String) -> Result<Self, InvalidPattern> {
        Self::parse(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.text
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Pattern")
    }
}

/// The kinds of text to redact, except notes. Redacted notes are omitted completely, and the other kinds can be
/// redacted partly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Redactions {
    /// Window titles and subjects.
    pub titles: bool,
    /// URLs except for the site.
    pub urls: bool,
    /// Paths except for the file name.
    pub paths: bool,
}

impl Redactions {
    /// Whether any kind is redacted.
    pub fn is_any(self) -> bool {
        self.titles || self.urls || self.paths
    }
}

/// The privacy settings of a history. By default, nothing is redacted or hidden. Cheap to clone.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Switches", into = "Switches")]
pub struct Privacy(Arc<Switches>);

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Switches {
    redacted: BTreeSet<Redaction>,
    applications: Vec<Pattern>,
    sites: Vec<Pattern>,
    /// Whether the user's rules read the original texts.
    rules_read_all: bool,
}

/// The privacy settings, without the patterns, which are private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrivacySummary {
    /// The kinds of text that are redacted.
    pub redacted: Vec<Redaction>,
    /// Number of rules that hide applications.
    pub application_rules: usize,
    /// Number of rules that hide sites.
    pub site_rules: usize,
}

impl PrivacySummary {
    /// Whether applications or sites are hidden.
    pub fn hides_names(&self) -> bool {
        self.application_rules + self.site_rules > 0
    }
}

impl Privacy {
    /// Creates settings that redact these kinds of text, and hide the applications and sites that match a pattern. A
    /// pattern is compared with three names: the whole key, each part of the key between semicolons, and the display
    /// name.
    pub fn new(
        redacted: impl IntoIterator<Item = Redaction>,
        applications: impl IntoIterator<Item = Pattern>,
        sites: impl IntoIterator<Item = Pattern>,
    ) -> Self {
        let (redacted, rules_read_all) = (redacted.into_iter().collect(), false);
        let (applications, sites) = (applications.into_iter().collect(), sites.into_iter().collect());
        Switches { redacted, applications, sites, rules_read_all }.into()
    }

    /// Also redacts these kinds of text.
    #[must_use]
    pub fn with_redacted(self, kinds: impl IntoIterator<Item = Redaction>) -> Self {
        let mut switches = Switches::from(self);
        switches.redacted.extend(kinds);
        switches.into()
    }

    /// Lets the user's rules read the original titles, URLs and paths. Used for exports. An export doesn't contain the
    /// original text. For each row, it stores only the rule conditions that the row fulfils.
    #[must_use]
    pub fn with_rules_on_original_text(self) -> Self {
        Switches { rules_read_all: true, ..self.into() }.into()
    }

    /// Whether the user's rules read the original texts.
    pub fn has_rules_on_original_text(&self) -> bool {
        self.0.rules_read_all
    }

    /// Whether nothing is redacted or hidden.
    pub fn is_empty(&self) -> bool {
        self.0.redacted.is_empty() && self.0.applications.is_empty() && self.0.sites.is_empty()
    }

    /// Returns the redacted kinds and the number of rules.
    pub fn summary(&self) -> PrivacySummary {
        PrivacySummary {
            redacted: self.0.redacted.iter().copied().collect(),
            application_rules: self.0.applications.len(),
            site_rules: self.0.sites.len(),
        }
    }

    /// Returns the path of a file as it may be shown. If paths are redacted, the result is only the file name.
    pub fn redact_path(&self, path: &Path) -> PathBuf {
        match path.file_name() {
            Some(name) if self.redacts(Redaction::Paths) => name.into(),
            None if self.redacts(Redaction::Paths) => REDACTED.into(),
            _ => path.to_owned(),
        }
    }

    /// Redacts the message of an error about the file at `path`. The message may contain the path.
    pub fn redact_message(&self, message: &str, path: &Path) -> String {
        let message = message.replace(&*path.to_string_lossy(), &self.redact_path(path).to_string_lossy());
        self.redactions().free_text(&message).into_owned()
    }

    /// Whether texts of this kind are redacted.
    pub fn redacts(&self, kind: Redaction) -> bool {
        self.0.redacted.contains(&kind)
    }

    /// Whether texts of any kind are redacted.
    pub fn redacts_any(&self) -> bool {
        !self.0.redacted.is_empty()
    }

    /// Whether the notes of activities and tags are omitted.
    pub fn redacts_notes(&self) -> bool {
        self.redacts(Redaction::Titles) || self.redacts(Redaction::Notes)
    }

    /// Whether a rule hides applications.
    pub fn hides_applications(&self) -> bool {
        !self.0.applications.is_empty()
    }

    /// Whether the tracker's hourly totals of a role can be shown. `role` is the name of the role in SQL. The totals of
    /// sites and documents don't contain the application. So the time of a hidden application can't be subtracted from
    /// them, and such totals are computed from activities instead (docs/spec/time.md#fallback-to-activities).
    pub fn shows_hourly_totals(&self, role: &str) -> bool {
        !(self.hides_applications() && matches!(role, "websites" | "documents"))
    }

    /// Whether a rule hides sites.
    pub fn hides_sites(&self) -> bool {
        !self.0.sites.is_empty()
    }

    /// Whether a rule hides the application that has one of these names.
    pub fn is_hidden_application(&self, names: &[&str]) -> bool {
        fits_any(&self.0.applications, names)
    }

    /// Whether a rule hides the site that has one of these names.
    pub fn is_hidden_site(&self, names: &[&str]) -> bool {
        fits_any(&self.0.sites, names)
    }

    /// Whether a rule hides a site to which a URL can lead. Hosts are compared in all spellings.
    pub(super) fn is_hidden_site_url(&self, address: &str) -> bool {
        let is_named = |host: &str| self.0.sites.iter().any(|pattern| pattern.fits(host));
        self.hides_sites() && any_host(address, is_named)
    }

    /// Whether a free text contains a URL that can lead to a hidden site.
    pub fn contains_hidden_site(&self, text: &str) -> bool {
        // Plain words aren't URLs. So only words with a character that occurs in URLs are checked.
        let can_lead_to_site = |word: &str| word.contains(['.', '/', '\\', '%', ':', '@', '。', '．', '｡']);
        self.hides_sites()
            && text.split_whitespace().any(|word| can_lead_to_site(word) && self.is_hidden_site_url(word))
    }

    /// Returns the redacted kinds of text.
    pub fn redactions(&self) -> Redactions {
        Redactions {
            titles: self.redacts(Redaction::Titles),
            urls: self.redacts(Redaction::Urls),
            paths: self.redacts(Redaction::Paths),
        }
    }
}

impl From<Switches> for Privacy {
    fn from(switches: Switches) -> Self {
        Self(Arc::new(switches))
    }
}

impl From<Privacy> for Switches {
    fn from(privacy: Privacy) -> Self {
        Arc::unwrap_or_clone(privacy.0)
    }
}

fn fits_any(patterns: &[Pattern], names: &[&str]) -> bool {
    !patterns.is_empty()
        && names.iter().map(|name| normalize(name).to_lowercase()).any(|name| {
            let fits = |pattern: &Pattern| {
                pattern.fits(name.trim()) || name.contains(';') && name.split(';').any(|part| pattern.fits(part.trim()))
            };
            patterns.iter().any(fits)
        })
}

#[cfg(test)]
mod tests;
