//! Finds the places of a JSON text that have to change. The text may contain comments and trailing commas.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, parse_to_ast};

use super::{Change, DocumentError, Edit, Entry, OPTIONS, inline_value, line_start, newline_of};
use crate::cli::install::launch::EntryMember;

/// A value that is written into the text.
enum Node {
    Object(Vec<(String, Node)>),
    /// A value in its JSON notation.
    Leaf(String),
}

/// How new properties of an object are written.
enum Layout {
    /// The object stays on one line.
    OneLine,
    /// Each property has its own line.
    Lines {
        newline: &'static str,
        /// The indentation of the object's properties.
        indent: String,
        /// The additional indentation of each level.
        unit: String,
        /// Whether a comma follows the last property.
        has_trailing_comma: bool,
    },
}

/// Parses `text`. Returns `None` if the text contains only comments and white space.
pub(super) fn parse(text: &str) -> Result<Option<Value<'_>>, DocumentError> {
    Ok(parse_to_ast(text, &CollectOptions::default(), &OPTIONS)?.value)
}

/// Returns the edits that add or update the entry.
pub(super) fn add(text: &str, entry: &Entry<'_>) -> Result<(Vec<Edit>, Change), DocumentError> {
    let root = parse_object(text)?;
    let mut object = &root;
    for (depth, key) in entry.list.iter().enumerate() {
        let Some(property) = object.get(key) else {
            let value = wrap_entry(&entry.list[depth + 1..], entry);
            return Ok((insert(text, object, &[((*key).to_owned(), value)]), Change::Added));
        };
        object = property.value.as_object().ok_or(DocumentError::NoList(key))?;
    }
    let Some(property) = object.get(entry.name) else {
        let property = (entry.name.to_owned(), members_node(entry.members));
        return Ok((insert(text, object, &[property]), Change::Added));
    };
    let edits = match &property.value {
        Value::Object(members) if !entry.is_remote() => update(text, members, entry),
        value => {
            let layout = Layout::from_object(text, object);
            let range = value.start()..value.end();
            vec![Edit::replace(range, members_node(entry.members).render(&layout))]
        }
    };
    let change = if edits.is_empty() { Change::Nothing } else { Change::Replaced };
    Ok((edits, change))
}

/// Returns the edits that remove the entry. The list is also removed if an installation may have added it.
pub(super) fn remove(text: &str, entry: &Entry<'_>) -> Result<Vec<Edit>, DocumentError> {
    let root = parse_object(text)?;
    let missing = || DocumentError::Ambiguous(entry.list_key());
    // The list of servers, and the object that contains the list.
    let (mut parent, mut list) = (&root, &root);
    for key in entry.list {
        parent = list;
        list = list.get(key).and_then(|property| property.value.as_object()).ok_or_else(missing)?;
    }
    let property = list.get(entry.name).ok_or_else(missing)?;
    // In a list that was empty before, the entry has no white space before it (`insert`).
    let before = &text[list.start() + 1..property.start()];
    let after = text[property.end()..list.end() - 1].trim();
    let is_added = !before.is_empty() && before.trim().is_empty() && (after.is_empty() || after == ",");
    Ok(if is_added { remove_property(text, parent, entry.list_key()) } else { remove_property(text, list, entry.name) })
}

/// Returns a complete configuration with this entry.
pub(super) fn snippet(entry: &Entry<'_>) -> String {
    let lines =
        Layout::Lines { newline: "\n", indent: String::new(), unit: "  ".to_owned(), has_trailing_comma: false };
    wrap_entry(entry.list, entry).render(&lines) + "\n"
}

fn parse_object(text: &str) -> Result<Object<'_>, DocumentError> {
    match parse(text)? {
        Some(Value::Object(object)) => Ok(object),
        _ => Err(DocumentError::NoObject),
    }
}

/// Returns an object that contains the entry at the end of `path`.
fn wrap_entry(path: &[&str], entry: &Entry<'_>) -> Node {
    let (key, value) = match path {
        [] => (entry.name, members_node(entry.members)),
        [key, rest @ ..] => (*key, wrap_entry(rest, entry)),
    };
    Node::Object(vec![(key.to_owned(), value)])
}

fn members_node(members: &[EntryMember]) -> Node {
    Node::Object(members.iter().map(member_property).collect())
}

fn member_property(member: &EntryMember) -> (String, Node) {
    (member.key.to_owned(), Node::Leaf(inline_value(&member.value)))
}

/// Returns the edits that give the entry's object its members.
fn update(text: &str, object: &Object<'_>, entry: &Entry<'_>) -> Vec<Edit> {
    let (mut edits, mut missing) = (Vec::new(), Vec::new());
    for member in entry.members.iter().filter(|member| !entry.has(member)) {
        match object.get(member.key) {
            Some(ObjectProp { value, .. }) => {
                edits.push(Edit::replace(value.start()..value.end(), inline_value(&member.value)));
            }
            None => missing.push(member_property(member)),
        }
    }
    if !missing.is_empty() {
        edits.extend(insert(text, object, &missing));
    }
    edits
}

/// Returns the edits that append properties to an object. The properties are written like the object's last property.
fn insert(text: &str, object: &Object<'_>, properties: &[(String, Node)]) -> Vec<Edit> {
    let layout = Layout::from_object(text, object);
    let written: Vec<_> = properties.iter().map(|property| layout.separator() + &layout.property(property)).collect();
    let written = written.join(",");
    let Some(last) = object.properties.last() else {
        return match layout {
            Layout::OneLine => vec![Edit::insert(object.start() + 1, written.trim_start())],
            Layout::Lines { newline, .. } => vec![Edit::insert(object.start() + 1, written + newline)],
        };
    };
    let comma = trivia_end(text, last.end());
    let has_comma = text[comma..].starts_with(',');
    let end = if has_comma { comma + 1 } else { last.end() };
    // A comment behind the last property belongs to that property.
    let at = if matches!(layout, Layout::OneLine) { end } else { line_comment_end(text, end) };
    if has_comma {
        vec![Edit::insert(at, written + ",")]
    } else {
        vec![Edit::insert(end, ","), Edit::insert(at, written)]
    }
}

/// Returns the edits that remove a property, the white space before it, and one comma.
fn remove_property(text: &str, object: &Object<'_>, name: &str) -> Vec<Edit> {
    let Some(index) = object.properties.iter().position(|property| property.name.as_str() == name) else {
        return Vec::new();
    };
    let property = &object.properties[index];
    let start = text[..property.start()].trim_end().len();
    let comma = trivia_end(text, property.end());
    if text[comma..].starts_with(',') {
        return vec![Edit::remove(start..comma + 1)];
    }
    if let Some(previous) = index.checked_sub(1).map(|index| &object.properties[index]) {
        let comma = trivia_end(text, previous.end());
        return vec![Edit::remove(comma..comma + 1), Edit::remove(start..property.end())];
    }
    // The configuration was `{}` before, and got a line for its only property (`insert`).
    let is_own_line = text[start..property.start()].contains('\n');
    let rest = &text[property.end()..object.end() - 1];
    let end = if is_own_line && rest.trim().is_empty() { object.end() - 1 } else { property.end() };
    vec![Edit::remove(start..end)]
}

impl Layout {
    /// Returns the layout of the properties in `object`.
    fn from_object(text: &str, object: &Object<'_>) -> Self {
        let newline = newline_of(text);
        let Some(last) = object.properties.last() else {
            // A line for each property is easier to read. Elsewhere, an empty object stays on its line, so that a
            // removal can restore it.
            let is_whole_text = text.trim() == "{}";
            let lines =
                || Self::Lines { newline, indent: "  ".to_owned(), unit: "  ".to_owned(), has_trailing_comma: false };
            return if is_whole_text { lines() } else { Self::OneLine };
        };
        let indent = &text[line_start(text, last.start())..last.start()];
        if !indent.trim().is_empty() {
            return Self::OneLine;
        }
        let line = &text[line_start(text, object.start())..object.start()];
        let outer = &line[..line.len() - line.trim_start().len()];
        let unit = indent.strip_prefix(outer).filter(|unit| !unit.is_empty()).unwrap_or("  ");
        let has_trailing_comma = text[trivia_end(text, last.end())..].starts_with(',');
        Self::Lines { newline, indent: indent.to_owned(), unit: unit.to_owned(), has_trailing_comma }
    }

    /// Returns the layout of the properties in an object that is a value in this layout.
    fn inner(&self) -> Self {
        match self {
            Self::OneLine => Self::OneLine,
            Self::Lines { newline, indent, unit, has_trailing_comma } => Self::Lines {
                newline,
                indent: format!("{indent}{unit}"),
                unit: unit.clone(),
                has_trailing_comma: *has_trailing_comma,
            },
        }
    }

    /// Returns the white space before a property.
    fn separator(&self) -> String {
        match self {
            Self::OneLine => " ".to_owned(),
            Self::Lines { newline, indent, .. } => format!("{newline}{indent}"),
        }
    }

    fn property(&self, (key, value): &(String, Node)) -> String {
        format!("\"{key}\": {}", value.render(self))
    }
}

impl Node {
    /// Writes the value of a property that has this layout.
    fn render(&self, layout: &Layout) -> String {
        let properties = match self {
            Self::Leaf(text) => return text.clone(),
            Self::Object(properties) => properties,
        };
        let inner = layout.inner();
        let written: Vec<_> = properties.iter().map(|property| inner.separator() + &inner.property(property)).collect();
        let comma = if matches!(layout, Layout::Lines { has_trailing_comma: true, .. }) { "," } else { "" };
        format!("{{{}{comma}{}}}", written.join(","), layout.separator())
    }
}

/// Returns the position after the white space and the comments that begin at `at`.
fn trivia_end(text: &str, at: usize) -> usize {
    let rest = text[at..].trim_start();
    let at = text.len() - rest.len();
    match comment_length(rest) {
        Some(length) => trivia_end(text, at + length),
        None => at,
    }
}

/// Returns the position after the comments that begin at `at` and end on the same line. Without comments, returns `at`.
fn line_comment_end(text: &str, at: usize) -> usize {
    let rest = text[at..].trim_start_matches([' ', '\t']);
    match comment_length(rest) {
        Some(length) if !rest[..length].contains('\n') => line_comment_end(text, text.len() - rest.len() + length),
        _ => at,
    }
}

/// Returns the length of the comment with which `text` begins, without a line end.
fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find(['\r', '\n']).unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}
