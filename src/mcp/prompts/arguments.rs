//! Arguments of prompts: their definition, and the check of the arguments that a client sends.

use std::collections::BTreeMap;

use rmcp::model::JsonObject;
use serde_json::Value;

use crate::mcp::errors::{codes, shorten};
use crate::request::Error;

/// The definition of an argument.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) required: bool,
    pub(super) completes: CompletionSource,
}

/// The source of completions for an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum CompletionSource {
    /// Days with data.
    Day,
    /// Ends of ranges: the days after days with data.
    DayAfter,
    /// Hours of days with data.
    Moment,
    /// Names of devices.
    Device,
    /// No completions: the user writes the text.
    Nothing,
}

/// The device, an argument of several prompts.
pub(super) const DEVICE: Argument = Argument {
    name: "device",
    title: "Device",
    description: "Filter: name of a device. Default: all devices.",
    required: false,
    completes: CompletionSource::Device,
};

/// The arguments of one call: all required ones, and no unknown ones.
pub(super) struct PromptArguments(BTreeMap<String, String>);

impl PromptArguments {
    /// Checks `given` against the arguments in `takes`. An argument that is null or empty counts as absent: forms send
    /// empty fields.
    ///
    /// # Errors
    /// `UNKNOWN_ARGUMENT`, `MISSING_ARGUMENT`, and `INVALID_ARGUMENT` for a value that isn't a string.
    pub(super) fn parse(given: JsonObject, takes: &[Argument]) -> Result<Self, Error> {
        let mut texts = BTreeMap::new();
        for (name, value) in given {
            if !takes.iter().any(|argument| argument.name == name) {
                return Err(unknown_argument(&name, takes));
            }
            match value {
                Value::Null => {}
                Value::String(text) if text.trim().is_empty() => {}
                Value::String(text) => drop(texts.insert(name, text.trim().to_owned())),
                _ => return Err(not_a_string(&name)),
            }
        }
        match takes.iter().find(|argument| argument.required && !texts.contains_key(argument.name)) {
            Some(missing) => Err(missing_argument(missing)),
            None => Ok(Self(texts)),
        }
    }

    /// Returns a required argument.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// Returns the device, if any.
    pub(super) fn device(&self) -> Option<&str> {
        self.get(DEVICE.name)
    }

    /// Returns an argument, if it was passed.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// Returns the error for an argument that the prompt doesn't have.
pub(super) fn unknown_argument(name: &str, takes: &[Argument]) -> Error {
    let name = shorten(name);
    Error::with_field(
        codes::UNKNOWN_ARGUMENT,
        name.clone(),
        format!("unknown argument `{name}` of the prompt"),
        format!("it takes {}", names(takes)),
    )
    .with_allowed(takes.iter().map(|argument| argument.name.to_owned()))
}

fn missing_argument(argument: &Argument) -> Error {
    Error::with_field(
        codes::MISSING_ARGUMENT,
        argument.name.to_owned(),
        format!("missing argument `{}` of the prompt", argument.name),
        format!("pass `{}`: {}", argument.name, argument.description),
    )
}

fn not_a_string(name: &str) -> Error {
    Error::with_field(
        codes::INVALID_ARGUMENT,
        name.to_owned(),
        format!("invalid argument `{name}`: it is not a string"),
        "pass every argument of a prompt as a JSON string",
    )
}

fn names(takes: &[Argument]) -> String {
    takes.iter().map(|argument| format!("`{}`", argument.name)).collect::<Vec<_>>().join(", ")
}
