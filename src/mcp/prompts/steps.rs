//! The steps of a prompt, each with the tools that it needs. A step is left out if the server doesn't offer its tools.

use serde_json::{Map, Value, json};

/// One step, with alternatives.
pub(super) struct Step(Vec<Alternative>);

/// One way to take a step, and the tools that it needs.
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

    /// Adds an alternative, which is used if the ones before are not possible.
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

/// Returns a call as text: the tool and its arguments as JSON, without arguments that are null.
pub(super) fn call(tool: &str, arguments: Value) -> String {
    let given: Map<String, Value> = match arguments {
        Value::Object(arguments) => arguments.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => Map::new(),
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
