//! What a prompt tells the model to do: steps, each with the tools that it needs, so that none sends the model to a tool
//! that is not served.

use serde_json::{Map, Value, json};

/// One thing to do, in one of several ways.
pub(super) struct Step(Vec<Alternative>);

/// A way to take a step, and the tools without which it cannot be taken.
struct Alternative {
    needs: Vec<&'static str>,
    text: String,
}

impl Step {
    /// A step that is left out where one of the tools `needs` is not served.
    pub(super) fn new<const N: usize>(needs: [&'static str; N], text: impl Into<String>) -> Self {
        Self(vec![Alternative { needs: needs.to_vec(), text: text.into() }])
    }

    /// A step that needs no tool.
    pub(super) fn always(text: impl Into<String>) -> Self {
        Self::new([], text)
    }

    /// Another way for where those before cannot be taken.
    pub(super) fn or<const N: usize>(mut self, needs: [&'static str; N], text: impl Into<String>) -> Self {
        self.0.push(Alternative { needs: needs.to_vec(), text: text.into() });
        self
    }

    /// The first way that the tools `served` allow.
    fn text(&self, served: &[&str]) -> Option<&str> {
        let way = self.0.iter().find(|way| way.needs.iter().all(|tool| served.contains(tool)))?;
        Some(&way.text)
    }
}

/// The text of a prompt: what is asked, then the steps that the tools `served` allow, numbered.
pub(super) fn text(request: &str, steps: &[Step], served: &[&str]) -> String {
    if steps.is_empty() {
        return request.to_owned();
    }
    let possible = steps.iter().filter_map(|step| step.text(served));
    let lines: Vec<String> = possible.enumerate().map(|(index, text)| format!("{}. {text}", index + 1)).collect();
    format!("{request}\n\n{}", lines.join("\n"))
}

/// A call as a step writes it: the tool and its arguments as JSON. Arguments that are null are left out.
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
