//! Arguments of prompts: what they are, and how those that a client sends are read.

use std::collections::BTreeMap;

use rmcp::model::JsonObject;
use serde_json::Value;

use crate::mcp::errors::{codes, shorten};
use crate::request::Error;

/// What an argument is.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) required: bool,
    pub(super) completes: CompletionSource,
}

/// From what an argument's values are completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mcp) enum CompletionSource {
    /// Days that hold data.
    Day,
    /// Ends of ranges: the days after those that hold data.
    DayAfter,
    /// Hours of days that hold data.
    Moment,
    /// Names of devices.
    Device,
    /// Nothing: it is a text of the user's own.
    Nothing,
}

/// The argument that every prompt has.
pub(super) const DEVICE: Argument = Argument {
    name: "device",
    title: "Device",
    description: "Only the device with this name. Default: all devices.",
    required: false,
    completes: CompletionSource::Device,
};

/// The arguments of one call: every required one is there, and none that the prompt does not know.
pub(super) struct PromptArguments(BTreeMap<String, String>);

impl PromptArguments {
    /// Checks `given` against what the prompt takes. An argument that is null or empty counts as absent: forms send
    /// empty fields.
    ///
    /// # Errors
    /// `UNKNOWN_ARGUMENT`, `MISSING_ARGUMENT`, and `INVALID_ARGUMENT` for what is no text.
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

    /// A required argument.
    pub(super) fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default()
    }

    /// The device that is asked for, if any.
    pub(super) fn device(&self) -> Option<&str> {
        self.get(DEVICE.name)
    }

    /// An argument, if it is given.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// The error for an argument that the prompt does not take.
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
