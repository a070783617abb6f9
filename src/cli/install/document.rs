//! Adds or removes one server entry in the text of a configuration.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObjectProp, CstRootNode};
use serde_json::{Map, Value};

use super::client::Client;
use super::document_error::DocumentError;
use super::launch::Launch;

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

/// Adds the entry `name` to `text`. An existing entry keeps its other members, such as its environment variables,
/// unless the entry was for a server on the network.
pub(super) fn add_server(
    text: &str,
    client: Client,
    name: &str,
    launch: &Launch,
) -> Result<(String, Change), DocumentError> {
    let (list, members) = (client.servers_key(), launch.members());
    let edit = |root: &CstRootNode| {
        let top = root.object_value_or_create().ok_or(DocumentError::NoObject)?;
        let servers = top.object_value_or_create(list).ok_or(DocumentError::NoList(list))?;
        Ok(match servers.get(name) {
            None => {
                servers.append(name, entry_value(&members));
                Change::Added
            }
            Some(entry) => update(&entry, &members),
        })
    };
    let arrived = |entry: Option<&Value>| {
        members.iter().all(|(member, value)| entry.and_then(|entry| entry.get(member)) == Some(value))
    };
    apply_edit(text, client, name, edit, arrived)
}

/// Removes the entry `name` from `text`. Returns `None` if the entry doesn't exist. The list of servers is kept, even
/// if it becomes empty.
pub(super) fn remove_server(text: &str, client: Client, name: &str) -> Result<Option<String>, DocumentError> {
    let edit = |root: &CstRootNode| {
        let servers = root.object_value().and_then(|top| top.object_value(client.servers_key()));
        let entry = servers.and_then(|servers| servers.get(name));
        Ok(entry.map(CstObjectProp::remove))
    };
    let (left, taken) = apply_edit(text, client, name, edit, |entry| entry.is_none())?;
    Ok(taken.map(|()| left))
}

/// Applies `edit` to the entry `name`. Returns the new text and the result of `edit`. Checks that the new entry
/// satisfies `should`, and that the edit changed only this entry.
fn apply_edit<T>(
    text: &str,
    client: Client,
    name: &str,
    edit: impl FnOnce(&CstRootNode) -> Result<T, DocumentError>,
    should: impl FnOnce(Option<&Value>) -> bool,
) -> Result<(String, T), DocumentError> {
    let list = client.servers_key();
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    if !client.takes_comments() {
        serde_json::from_str::<Value>(body)?;
    }
    let root = CstRootNode::parse(body, &OPTIONS)?;
    let before = root.to_serde_value();
    let result = edit(&root)?;
    let changed = root.to_string();
    let after = CstRootNode::parse(&changed, &OPTIONS)?.to_serde_value();
    let is_right = should(after.as_ref().and_then(|after| after.get(list)?.get(name)));
    if !is_right || without_entry(before, list, name) != without_entry(after, list, name) {
        return Err(DocumentError::Ambiguous(list));
    }
    let mark = &text[..text.len() - body.len()];
    Ok((format!("{mark}{changed}"), result))
}

fn update(entry: &CstObjectProp, members: &[(&'static str, Value)]) -> Change {
    // An entry with a URL is for a server on the network, so its other members don't fit a server that a command
    // starts.
    let Some(entry) = entry.object_value().filter(|entry| entry.get("url").is_none()) else {
        entry.set_value(entry_value(members));
        return Change::Replaced;
    };
    let mut change = Change::Nothing;
    for (member, value) in members {
        match entry.get(member) {
            Some(there) if there.to_serde_value().as_ref() == Some(value) => continue,
            Some(there) => there.set_value(member_value(value)),
            None => drop(entry.append(member, member_value(value))),
        }
        change = Change::Replaced;
    }
    change
}

/// Returns the configuration without the entry, so that the remaining settings can be compared.
fn without_entry(configuration: Option<Value>, list: &str, name: &str) -> Map<String, Value> {
    let Some(Value::Object(mut top)) = configuration else { return Map::new() };
    if let Some(servers) = top.get_mut(list).and_then(Value::as_object_mut) {
        servers.remove(name);
        if servers.is_empty() {
            top.remove(list);
        }
    }
    top
}

fn entry_value(members: &[(&'static str, Value)]) -> CstInputValue {
    CstInputValue::Object(members.iter().map(|(member, value)| ((*member).to_owned(), member_value(value))).collect())
}

/// Converts the value of an entry's member. The value is a text or a list of texts.
fn member_value(value: &Value) -> CstInputValue {
    match value {
        Value::Array(items) => CstInputValue::Array(items.iter().map(member_value).collect()),
        text => CstInputValue::String(text.as_str().unwrap_or_default().to_owned()),
    }
}
