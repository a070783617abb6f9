//! Finds the places of a TOML text that have to change.

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::{Change, DocumentError, Edit, Entry, inline_value, line_start, newline_of};

/// Returns the edits that add or update the entry.
pub(super) fn add(text: &str, entry: &Entry<'_>) -> Result<(Vec<Edit>, Change), DocumentError> {
    let root = parse(text)?;
    let Some((_, found)) = find(&root, entry) else {
        let list = root.get(entry.list_key());
        // A header can't add an entry to an inline table or to an array.
        if list.is_some_and(|list| is_inline_table(text, list) || list.get_ref().as_table().is_none()) {
            return Err(DocumentError::NoTable(entry.list_key()));
        }
        return Ok((vec![append(text, entry)], Change::Added));
    };
    let mut edits = Vec::new();
    if entry.is_remote() && is_header(text, found) {
        let mut sections = sections(text, found);
        // The entry can consist of several tables. The first one is replaced, and the other ones are removed.
        if !sections.is_empty() {
            edits.push(Edit::replace(sections.remove(0), table(entry, newline_of(text))));
        }
        edits.extend(sections.into_iter().map(|section| Edit::remove(with_separator(text, section))));
    } else {
        let mut missing = Vec::new();
        for member in entry.members.iter().filter(|member| !entry.has(member)) {
            let value = inline_value(&member.value);
            match found.get_ref().as_table().and_then(|members| members.get(member.key)) {
                Some(existing) => edits.push(Edit::replace(existing.span(), value)),
                None => missing.push(format!("{}{} = {value}", newline_of(text), member.key)),
            }
        }
        if !missing.is_empty() {
            if !is_header(text, found) {
                return Err(DocumentError::NoHeader { entry: full_name(entry) });
            }
            let header = text[..line_end(text, found.span().end)].trim_end_matches(['\r', '\n']).len();
            edits.push(Edit::insert(header, missing.concat()));
        }
    }
    let change = if edits.is_empty() { Change::Nothing } else { Change::Replaced };
    Ok((edits, change))
}

/// Returns the edits that remove the entry, and the blank line before it.
pub(super) fn remove(text: &str, entry: &Entry<'_>) -> Result<Vec<Edit>, DocumentError> {
    let root = parse(text)?;
    let (key, found) = find(&root, entry).ok_or(DocumentError::Ambiguous(entry.list_key()))?;
    if is_inline_table(text, found) {
        let line = line_start(text, key.start)..line_end(text, found.span().end);
        return Ok(vec![Edit::remove(line)]);
    }
    let sections = sections(text, found);
    // The lines of dotted keys, such as `list.name.command = "x"`, belong to another table.
    if sections.is_empty() {
        return Err(DocumentError::NoHeader { entry: full_name(entry) });
    }
    Ok(sections.into_iter().map(|section| Edit::remove(with_separator(text, section))).collect())
}

/// Returns the entry as a table with a header.
pub(super) fn table(entry: &Entry<'_>, newline: &str) -> String {
    let header = format!("[{}]{newline}", full_name(entry));
    let member = |key: &str, value| format!("{key} = {}{newline}", inline_value(value));
    entry.members.iter().fold(header, |text, it| text + &member(it.key, &it.value))
}

/// Returns the keys that lead to the entry, such as `mcp_servers.dayledger`.
fn full_name(entry: &Entry<'_>) -> String {
    format!("{}.{}", entry.list.join("."), entry.name)
}

fn parse(text: &str) -> Result<DeTable<'_>, DocumentError> {
    let root = DeTable::parse(text).map_err(|error| DocumentError::from_toml(&error, text))?;
    Ok(root.into_inner())
}

/// Returns the range of the entry's name, and the entry's value.
fn find<'r, 't>(root: &'r DeTable<'t>, entry: &Entry<'_>) -> Option<(Range<usize>, &'r Spanned<DeValue<'t>>)> {
    let list = root.get(entry.list_key())?.get_ref().as_table()?;
    list.get_key_value(entry.name).map(|(key, value)| (key.span(), value))
}

/// Returns the edit that appends the entry to the text, after a blank line. If the last line has no line end, the last
/// line of the entry has none either, so that a removal can restore the text.
fn append(text: &str, entry: &Entry<'_>) -> Edit {
    let newline = newline_of(text);
    let table = table(entry, newline);
    let written = if text.is_empty() {
        table
    } else if text.ends_with('\n') {
        format!("{newline}{table}")
    } else {
        format!("{newline}{newline}{}", table.trim_end())
    };
    Edit::insert(text.len(), written)
}

/// Whether the value is a table with a header such as `[a.b]`.
fn is_header(text: &str, value: &Spanned<DeValue<'_>>) -> bool {
    value.get_ref().as_table().is_some() && text[value.span()].starts_with('[')
}

/// Whether the value is a table such as `{ a = 1 }`.
fn is_inline_table(text: &str, value: &Spanned<DeValue<'_>>) -> bool {
    value.get_ref().as_table().is_some() && text[value.span()].starts_with('{')
}

/// Returns the lines of all tables with a header in `value`, in their order in the text. Tables that follow each other
/// are one range.
fn sections(text: &str, value: &Spanned<DeValue<'_>>) -> Vec<Range<usize>> {
    let mut sections = Vec::new();
    collect_sections(text, value, &mut 0, &mut sections);
    sections.sort_by_key(|section| section.start);
    sections.dedup_by(|next, section| {
        let follows = section.end == next.start;
        if follows {
            section.end = next.end;
        }
        follows
    });
    sections
}

/// Adds the lines of all tables with a header in `value` to `sections`. Increases `end` to the end of the values that
/// belong to the current table.
fn collect_sections(text: &str, value: &Spanned<DeValue<'_>>, end: &mut usize, sections: &mut Vec<Range<usize>>) {
    let children: Vec<_> = match value.get_ref() {
        DeValue::Table(table) => table.values().collect(),
        DeValue::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    if is_header(text, value) {
        let mut own_end = value.span().end;
        for child in children {
            collect_sections(text, child, &mut own_end, sections);
        }
        sections.push(line_start(text, value.span().start)..line_end(text, own_end));
        return;
    }
    // The span of a table without a header, such as `a` in `a.b = 1`, is the span of its name. The name can also be in
    // a header of another section. The same applies to a list of tables with headers.
    let is_table = value.get_ref().as_table().is_some() && !is_inline_table(text, value);
    let has_headers = children.iter().any(|child| is_header(text, child));
    if !is_table && !has_headers {
        *end = value.span().end.max(*end);
    }
    for child in children {
        collect_sections(text, child, end, sections);
    }
}

/// Returns the range with the blank line before it. If the range ends with the text, and the last line has no line end,
/// the line end before the range is also included.
fn with_separator(text: &str, range: Range<usize>) -> Range<usize> {
    let without_line_end = |text: &str| text.strip_suffix("\r\n").or(text.strip_suffix('\n')).map(str::len);
    let mut start = range.start;
    if let Some(length) = without_line_end(&text[..start]).filter(|length| line_start(text, *length) == *length) {
        start = length;
    }
    if range.end == text.len() && !text.ends_with('\n') {
        start = without_line_end(&text[..start]).unwrap_or(start);
    }
    start..range.end
}

/// Returns the end of the line that contains the byte `at`, after its line end.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}
