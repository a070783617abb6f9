//! The definition of a prompt: its arguments, its steps, and the tools that each step needs. If the server doesn't
//! offer the tools of a step, the step is left out. Also checks the arguments that a client sends.

use std::collections::BTreeMap;

use dayledger_mcp::errors::{codes, shorten};
use rmcp::model::{JsonObject, Prompt, PromptArgument};
use serde_json::{Value, json};

use crate::request::Error;

/// The text of the request, and the steps that lead to the response.
pub(super) type PromptContent = (String, Vec<Step>);

/// A prompt.
pub(super) struct PromptEntry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// The tool without which the prompt is useless, if any.
    pub(super) needs: Option<&'static str>,
    pub(super) arguments: &'static [Argument],
    pub(super) render: fn(&PromptArguments) -> Result<PromptContent, Error>,
}

impl PromptEntry {
    /// Returns the prompt's entry in `prompts/list`.
    pub(super) fn definition(&self) -> Prompt {
        let argument = |argument: &Argument| {
            PromptArgument::new(argument.name)
                .with_title(argument.title)
                .with_description(argument.description)
                .with_required(argument.required)
        };
        Prompt::new(self.name, Some(self.description), Some(self.arguments.iter().map(argument).collect()))
            .with_title(self.title)
    }
}

/// The instructions for the style of the response. They are the same for every prompt.
pub(super) const IN_NAMES: &str = "Use names, dates and times as people say them; ids, keys and references are for \
                                   calls only. Take totals from the responses; do not add up rows. If `diagnostics` or \
                                   `truncation` reports missing data, mention it in one clause.";

/// The text that replaces a step if the server doesn't offer a tool that lists activities.
pub(super) const NO_ACTIVITY_TOOL: &str = "This server doesn't offer a tool for activities. Tell the user, and explain \
                                           that they can start it with more toolsets. The resource \
                                           manictime://data-range contains the dates with data.";

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
    /// Days that can end a range: the day after each day with data.
    DayAfter,
    /// The hours of days with data.
    Moment,
    /// Names of devices.
    Device,
    /// Names of applications, websites, tags and projects.
    Name,
    /// IDs of timelines. Only a resource template uses them, not a prompt.
    TimelineId,
    /// Paths of notes. Only a resource template uses them, not a prompt.
    NotePath,
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

/// The subject, an argument of several prompts.
pub(super) const ABOUT: Argument = Argument {
    name: "about",
    title: "Subject",
    description: "Filter: a project, tag, application or website, or a part of its name. Default: all time.",
    required: false,
    completes: CompletionSource::Name,
};

/// The arguments of one call. Contains all required arguments, and no unknown ones.
pub(super) struct PromptArguments(BTreeMap<String, String>);

impl PromptArguments {
    /// Checks `given` against the arguments in `takes`. An argument that is null or empty counts as absent, because
    /// forms send empty fields.
    ///
    /// # Errors
    /// Fails with `UNKNOWN_ARGUMENT`, with `MISSING_ARGUMENT`, or with `INVALID_ARGUMENT` for a value that isn't a
    /// string.
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

    /// Returns the filter of a call for the subject, if any. It also matches window titles and notes of tags.
    pub(super) fn filter(&self) -> Option<Value> {
        self.get(ABOUT.name).map(|about| json!({ "text": about }))
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

/// A step with alternative texts. The first alternative that is possible is used.
pub(super) struct Step(Vec<Alternative>);

/// A text for a step, and the tools that the text needs.
struct Alternative {
    needs: Vec<&'static str>,
    text: String,
}

impl Step {
    /// Creates a step that is left out if the server lacks one of the tools in `needs`.
    pub(super) fn new<const N: usize>(needs: [&'static str; N], text: impl Into<String>) -> Self {
        Self(vec![Alternative { needs: needs.to_vec(), text: text.into() }])
    }

    /// Creates a step that doesn't need a tool.
    pub(super) fn always(text: impl Into<String>) -> Self {
        Self::new([], text)
    }

    /// Adds an alternative. It is used if the earlier alternatives are not possible.
    pub(super) fn or<const N: usize>(mut self, needs: [&'static str; N], text: impl Into<String>) -> Self {
        self.0.push(Alternative { needs: needs.to_vec(), text: text.into() });
        self
    }

    /// Returns the first alternative that is possible with the tools in `served`.
    fn text(&self, served: &[&str]) -> Option<&str> {
        let way = self.0.iter().find(|way| way.needs.iter().all(|tool| served.contains(tool)))?;
        Some(&way.text)
    }
}

/// Returns the text of a prompt: the request, then the numbered steps that are possible with the tools in `served`.
pub(super) fn text(request: &str, steps: &[Step], served: &[&str]) -> String {
    if steps.is_empty() {
        return request.to_owned();
    }
    let possible = steps.iter().filter_map(|step| step.text(served));
    let lines: Vec<String> = possible.enumerate().map(|(index, text)| format!("{}. {text}", index + 1)).collect();
    format!("{request}\n\n{}", lines.join("\n"))
}

/// Returns a call as text: the tool's name and its arguments as JSON. Arguments that are null are left out.
pub(super) fn call(tool: &str, arguments: Value) -> String {
    let given: JsonObject = match arguments {
        Value::Object(arguments) => arguments.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => JsonObject::new(),
    };
    format!("`{tool}` with {}", json!(given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_uses_the_first_possible_alternative() {
        let steps = [
            Step::new(["a", "b"], "both").or(["a"], "one").or([], "none"),
            Step::new(["b"], "only b"),
            Step::always("answer"),
        ];
        let with = |served: &[&str]| text("Do.", &steps, served);
        assert_eq!(with(&["a", "b"]), "Do.\n\n1. both\n2. only b\n3. answer");
        assert_eq!(with(&["a"]), "Do.\n\n1. one\n2. answer");
        assert_eq!(with(&[]), "Do.\n\n1. none\n2. answer");
    }
}
