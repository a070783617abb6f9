//! The switches and patterns that a history is read under, and what stands for what they withhold.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobMatcher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lenient_hosts::{any_host, normalize};
use dayledger_core::glob;

/// What stands for a hidden application, site or document, as name and as key.
pub const HIDDEN: &str = "(hidden)";
/// What stands for a text of which nothing can be told.
pub const REDACTED: &str = "(redacted)";
/// The name of what no group names (docs/spec/time.md#names).
pub const UNKNOWN: &str = "Unknown";

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
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Titles, Self::Urls, Self::Paths, Self::Notes];

    /// The kind's name in flags and in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Titles => "titles",
            Self::Urls => "urls",
            Self::Paths => "paths",
            Self::Notes => "notes",
        }
    }
}

/// A rule for names: `*`, `?`, `[…]` and `{…}` as in file names, whatever the case; `*` passes over every character.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    matcher: GlobMatcher,
}

/// A pattern that cannot be read, with what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid pattern `{pattern}`: {reason}")]
pub struct InvalidPattern {
    /// The beginning of the pattern: it is private, and errors are copied into reports.
    pub pattern: String,
    /// What is wrong.
    pub reason: String,
}

impl InvalidPattern {
    fn new(pattern: &str, reason: String) -> Self {
        /// How many characters identify a pattern.
        const MAX_PATTERN_CHARS: usize = 40;
        let pattern = match pattern.char_indices().nth(MAX_PATTERN_CHARS) {
            Some((end, _)) => format!("{}…", &pattern[..end]),
            None => pattern.to_owned(),
        };
        Self { pattern, reason }
    }
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// [`InvalidPattern`] for an empty text, for brackets that do not fit, and for a pattern that is nested too deep or
    /// too large.
    pub fn parse(text: &str) -> Result<Self, InvalidPattern> {
        let invalid = |reason: String| InvalidPattern::new(text, reason);
        let plain = text.trim();
        if plain.is_empty() {
            return Err(invalid("it is empty".to_owned()));
        }
        // A key can be a path, whose backslashes escape nothing.
        let matcher = glob::compile(&normalize(plain).to_lowercase(), |glob| {
            glob.case_insensitive(true).backslash_escape(false).empty_alternates(true)
        });
        Ok(Self { text: plain.to_owned(), matcher: matcher.map_err(invalid)? })
    }

    /// Reads a pattern of sites.
    ///
    /// # Errors
    /// [`InvalidPattern`] also for what can fit no site: with a scheme, a port, a path or a dot at its end.
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

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it fits a name in lower case.
    fn fits(&self, name: &str) -> bool {
        // The matcher's `?` and `[…]` stand for one byte, a person's for one letter.
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

/// The kinds of text that are redacted inside other texts. Redacted notes aren't listed, because they are left out
/// completely.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Redactions {
    /// Window titles and subjects.
    pub titles: bool,
    /// Everything of a URL but its site.
    pub urls: bool,
    /// Everything of a path but the name of the file.
    pub paths: bool,
}

impl Redactions {
    /// Whether any kind is redacted.
    pub fn is_any(self) -> bool {
        self.titles || self.urls || self.paths
    }
}

/// The switches that a history is read under; none by default. Cheap to clone.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Switches", into = "Switches")]
pub struct Privacy(Arc<Switches>);

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Switches {
    redacted: BTreeSet<Redaction>,
    applications: Vec<Pattern>,
    sites: Vec<Pattern>,
    /// Whether the user's rules read texts that are withheld otherwise.
    rules_read_all: bool,
}

/// What is withheld, without the patterns: they name what is private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrivacySummary {
    /// The kinds of text that are redacted.
    pub redacted: Vec<Redaction>,
    /// How many rules hide applications.
    pub application_rules: usize,
    /// How many rules hide sites.
    pub site_rules: usize,
}

impl Privacy {
    /// Redacts those kinds of text and hides the applications and sites that any of the patterns fits: by key, by a
    /// part of a key between semicolons, or by display name.
    pub fn new(
        redacted: impl IntoIterator<Item = Redaction>,
        applications: impl IntoIterator<Item = Pattern>,
        sites: impl IntoIterator<Item = Pattern>,
    ) -> Self {
        let (redacted, rules_read_all) = (redacted.into_iter().collect(), false);
        let (applications, sites) = (applications.into_iter().collect(), sites.into_iter().collect());
        Switches { redacted, applications, sites, rules_read_all }.into()
    }

    /// Lets the user's rules read titles, addresses and paths that are withheld, for an export: it records which
    /// conditions a row fulfils, and no text.
    #[must_use]
    pub fn with_rules_on_original_text(self) -> Self {
        Switches { rules_read_all: true, ..self.into() }.into()
    }

    /// Whether the user's rules read texts that are withheld otherwise.
    pub fn has_rules_on_original_text(&self) -> bool {
        self.0.rules_read_all
    }

    /// Whether nothing is withheld.
    pub fn is_empty(&self) -> bool {
        self.0.redacted.is_empty() && self.0.applications.is_empty() && self.0.sites.is_empty()
    }

    /// What is withheld, in numbers and kinds.
    pub fn summary(&self) -> PrivacySummary {
        PrivacySummary {
            redacted: self.0.redacted.iter().copied().collect(),
            application_rules: self.0.applications.len(),
            site_rules: self.0.sites.len(),
        }
    }

    /// A file's path as it may be shown: its name alone where paths are redacted.
    pub fn redact_path(&self, path: &Path) -> PathBuf {
        match path.file_name() {
            Some(name) if self.redacts(Redaction::Paths) => name.into(),
            None if self.redacts(Redaction::Paths) => REDACTED.into(),
            _ => path.to_owned(),
        }
    }

    /// Whether texts of that kind are redacted.
    pub fn redacts(&self, kind: Redaction) -> bool {
        self.0.redacted.contains(&kind)
    }

    /// Whether texts of any kind are.
    pub fn redacts_any(&self) -> bool {
        !self.0.redacted.is_empty()
    }

    /// Whether the notes of activities and tags are left out.
    pub fn redacts_notes(&self) -> bool {
        self.redacts(Redaction::Titles) || self.redacts(Redaction::Notes)
    }

    /// Whether any rule hides applications.
    pub fn hides_applications(&self) -> bool {
        !self.0.applications.is_empty()
    }

    /// Whether `ManicTime`'s hourly totals of a role can be told, by its name in SQL. Those of sites and documents are
    /// linked to no application, so what was seen in a hidden one could not be left out: then activities answer
    /// (docs/spec/time.md#fallback-to-activities).
    pub fn shows_hourly_totals(&self, role: &str) -> bool {
        !(self.hides_applications() && matches!(role, "websites" | "documents"))
    }

    /// Whether any rule hides sites.
    pub fn hides_sites(&self) -> bool {
        !self.0.sites.is_empty()
    }

    /// Whether a rule hides the application that goes by one of these names.
    pub fn is_hidden_application(&self, names: &[&str]) -> bool {
        fits_any(&self.0.applications, names)
    }

    /// Whether a rule hides the site that goes by one of these names.
    pub fn is_hidden_site(&self, names: &[&str]) -> bool {
        fits_any(&self.0.sites, names)
    }

    /// Whether a rule hides any site that an address can lead to, however it is written.
    pub fn is_hidden_site_url(&self, address: &str) -> bool {
        let is_named = |host: &str| self.0.sites.iter().any(|pattern| pattern.fits(host));
        self.hides_sites() && any_host(address, is_named)
    }

    /// Whether a free text holds an address that can lead to a site that a rule hides.
    pub fn contains_hidden_site(&self, text: &str) -> bool {
        // A word by itself names no site, unless something in it could be of an address.
        let can_lead_to_site = |word: &str| word.contains(['.', '/', '\\', '%', ':', '@', '。', '．', '｡']);
        self.hides_sites()
            && text.split_whitespace().any(|word| can_lead_to_site(word) && self.is_hidden_site_url(word))
    }

    /// Which kinds of text are redacted.
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
