//! Adds or removes one server entry in the text of a configuration. All other bytes of the text stay the same.
//!
//! The modules `json` and `toml` find the places of a text that have to change. They don't write the text again,
//! because that would change its formatting. After a change, the text is parsed again to check that only the entry has
//! changed.

mod error;
mod json;
mod toml;

use std::ops::Range;

use jsonc_parser::ParseOptions;
use serde_json::{Map, Value};

use super::client::{Client, Format, Profile};
use super::launch::{EntryMember, Launch};
pub(super) use error::DocumentError;

/// Some Windows programs write this mark at the start of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The syntax that editors accept: JSON plus comments and trailing commas.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// How the entry was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Added,
    Replaced,
    Nothing,
}

/// The entry of a server in a configuration.
struct Entry<'a> {
    /// The keys that lead to the list of servers.
    list: &'static [&'static str],
    /// The name of the server.
    name: &'a str,
    members: &'a [EntryMember],
    /// The value of the entry before the change, if the entry exists.
    current: Option<&'a Value>,
}

impl Entry<'_> {
    /// Returns the key of the list of servers.
    fn list_key(&self) -> &'static str {
        self.list.last().copied().unwrap_or_default()
    }

    /// Whether the entry is for a server on the network. The other members of such an entry don't fit a server that a
    /// command starts.
    fn is_remote(&self) -> bool {
        self.current.is_some_and(|entry| ["url", "httpUrl", "serverUrl"].iter().any(|key| entry.get(key).is_some()))
    }

    /// Whether the entry already has this member.
    fn has(&self, member: &EntryMember) -> bool {
        let existing = self.current.and_then(|entry| entry.get(member.key));
        existing.is_some_and(|value| member.keeps_existing || *value == member.value)
    }
}

/// A replacement of a range of a text. If the range is empty, the new text is inserted.
struct Edit {
    range: Range<usize>,
    text: String,
}

impl Edit {
    fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    fn remove(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }
}

/// Adds the server `name` to `text`. An existing entry keeps its other members, such as its environment variables,
/// unless the entry was for a server on the network.
pub(super) fn add_server(
    text: &str,
    client: Client,
    name: &str,
    launch: &Launch,
) -> Result<(String, Change), DocumentError> {
    if text.trim().is_empty() && client.profile().format != Format::Toml {
        // From the blank line, `remove_server` knows that the file was blank.
        return Ok((format!("{text}\n{}", snippet(client, name, launch)), Change::Added));
    }
    let document = Document::parse(text, client.profile(), name)?;
    let members = launch.members(&document.profile);
    let entry = document.entry(name, &members);
    let (edits, change) = match document.profile.format {
        Format::Toml => toml::add(document.body, &entry)?,
        Format::Json | Format::JsonWithComments => json::add(document.body, &entry)?,
    };
    let arrived = |entry: Option<&Value>| {
        members.iter().all(|member| {
            let value = entry.and_then(|entry| entry.get(member.key));
            if member.keeps_existing { value.is_some() } else { value == Some(&member.value) }
        })
    };
    Ok((document.with_edits(edits, name, arrived)?, change))
}

/// Removes the server `name` from `text`. Returns `None` if the entry doesn't exist. An installation followed by a
/// removal results in the same text.
pub(super) fn remove_server(text: &str, client: Client, name: &str) -> Result<Option<String>, DocumentError> {
    let document = Document::parse(text, client.profile(), name)?;
    let entry = document.entry(name, &[]);
    if entry.current.is_none() {
        return Ok(None);
    }
    let edits = match document.profile.format {
        Format::Toml => toml::remove(document.body, &entry)?,
        Format::Json | Format::JsonWithComments => json::remove(document.body, &entry)?,
    };
    let left = document.with_edits(edits, name, |entry| entry.is_none())?;
    // Before the installation, the file was blank (`add_server`).
    let blank = left.trim_end().strip_suffix("{}").and_then(|before| before.strip_suffix('\n'));
    Ok(Some(match blank.filter(|before| before.trim().is_empty() && document.profile.format != Format::Toml) {
        Some(blank) => blank.to_owned(),
        None => left,
    }))
}

/// Returns a complete configuration that contains only the server `name`.
pub(super) fn snippet(client: Client, name: &str, launch: &Launch) -> String {
    let profile = client.profile();
    let list = profile.lists.last().copied().unwrap_or_default();
    let members = launch.members(&profile);
    let entry = Entry { list, name, members: &members, current: None };
    match profile.format {
        Format::Toml => toml::table(&entry, "\n"),
        Format::Json | Format::JsonWithComments => json::snippet(&entry),
    }
}

/// A configuration.
struct Document<'t> {
    profile: Profile,
    /// The byte order mark, or an empty text.
    mark: &'t str,
    body: &'t str,
    value: Value,
    /// The keys that lead to the list of servers.
    list: &'static [&'static str],
}

impl<'t> Document<'t> {
    /// Parses a configuration. If several lists are possible, uses the one that already contains the server `name`.
    fn parse(text: &'t str, profile: Profile, name: &str) -> Result<Self, DocumentError> {
        let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let value = parse_value(body, profile.format)?;
        // A list has no member `type`. In opencode 1, `mcp.servers` with this member is the entry of a server.
        let is_list =
            |path: &&&[&str]| lookup(&value, path).is_some_and(|list| list.is_object() && !list["type"].is_string());
        let has_server = |path: &&&[&str]| lookup(&value, path).is_some_and(|list| list.get(name).is_some());
        let mut lists = profile.lists.iter().filter(is_list);
        let first = lists.clone().next().or(profile.lists.last());
        let list = lists.find(has_server).or(first).copied().unwrap_or_default();
        Ok(Self { profile, mark: &text[..text.len() - body.len()], body, value, list })
    }

    fn entry<'a>(&'a self, name: &'a str, members: &'a [EntryMember]) -> Entry<'a> {
        let current = lookup(&self.value, self.list).and_then(|list| list.get(name));
        Entry { list: self.list, name, members, current }
    }

    /// Returns the text with `edits`. Checks that the new entry `name` satisfies `should`, and that the edits changed
    /// only this entry.
    fn with_edits(
        &self,
        mut edits: Vec<Edit>,
        name: &str,
        should: impl FnOnce(Option<&Value>) -> bool,
    ) -> Result<String, DocumentError> {
        let ambiguous = || DocumentError::Ambiguous(self.list.last().copied().unwrap_or_default());
        edits.sort_by_key(|edit| edit.range.start);
        let (mut changed, mut end) = (String::new(), 0);
        for edit in edits {
            changed += self.body.get(end..edit.range.start).ok_or_else(ambiguous)?;
            changed += &edit.text;
            end = edit.range.end;
        }
        changed += self.body.get(end..).ok_or_else(ambiguous)?;
        let after = parse_value(&changed, self.profile.format).map_err(|_| ambiguous())?;
        let is_right = should(lookup(&after, self.list).and_then(|list| list.get(name)));
        if !is_right || without_entry(&self.value, self.list, name) != without_entry(&after, self.list, name) {
            return Err(ambiguous());
        }
        Ok(format!("{}{changed}", self.mark))
    }
}

fn parse_value(text: &str, format: Format) -> Result<Value, DocumentError> {
    let value: Value = match format {
        Format::Json => serde_json::from_str(text)?,
        Format::JsonWithComments => json::parse(text)?.map(Value::from).unwrap_or_default(),
        Format::Toml => ::toml::from_str(text).map_err(|error| DocumentError::from_toml(&error, text))?,
    };
    if value.is_object() { Ok(value) } else { Err(DocumentError::NoObject) }
}

/// Returns the value to which the keys of `path` lead.
fn lookup<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// Returns the configuration without the entry, so that the remaining settings can be compared. An empty list is the
/// same as a missing list.
fn without_entry(configuration: &Value, list: &[&str], name: &str) -> Map<String, Value> {
    let Some(mut top) = configuration.as_object().cloned() else { return Map::new() };
    match list {
        [] => drop(top.remove(name)),
        [key, rest @ ..] => {
            if let Some(inner) = top.get(*key).filter(|inner| inner.is_object()) {
                let inner = without_entry(inner, rest, name);
                if inner.is_empty() {
                    top.remove(*key)
                } else {
                    top.insert((*key).to_owned(), inner.into())
                };
            }
        }
    }
    top
}

/// Writes a text or a list of texts in the notation that JSON and TOML share.
fn inline_value(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(inline_value).collect::<Vec<_>>().join(", ")),
        text => text.to_string(),
    }
}

/// Returns the line end that `text` uses.
fn newline_of(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns the start of the line that contains the byte `at`.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}
