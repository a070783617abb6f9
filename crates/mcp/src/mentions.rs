//! Removes sentences from the descriptions of tools and parameters if they name a tool that isn't served. Otherwise a
//! model would try to call that tool.
//!
//! Descriptions are split at each full stop that is followed by a space. When you write a description, put each
//! reference to another tool in its own sentence, and end that sentence with a full stop. Make sure that the remaining
//! text can be understood without the sentence. Don't use `e.g.`, `i.e.` or line breaks in a description that names a
//! tool, because the text would be split in the wrong place.
//! `src/mcp/tests/selection.rs` checks all descriptions of the program's tools.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool};
use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

use super::schema::into_object;

/// Removes each sentence that mentions a tool of `absent` from the descriptions of `tool` and its parameters.
pub(super) fn remove_mentions(mut tool: Tool, absent: &[&str]) -> Tool {
    tool.description = tool.description.map(|text| sentences_without(&text, absent).into());
    let mut schema = Schema::from(JsonObject::clone(&tool.input_schema));
    RecursiveTransform(|schema: &mut Schema| {
        let Some(Value::String(text)) = schema.get_mut("description") else { return };
        *text = sentences_without(text, absent);
        if text.is_empty() {
            schema.remove("description");
        }
    })
    .transform(&mut schema);
    tool.input_schema = Arc::new(into_object(schema));
    tool
}

/// Returns the sentences of `text` that don't mention a tool of `absent`.
fn sentences_without(text: &str, absent: &[&str]) -> String {
    let is_kept = |sentence: &&str| !names_in(sentence).any(|name| absent.contains(&name));
    let kept: String = text.split_inclusive(". ").filter(is_kept).collect();
    kept.trim_end().to_owned()
}

/// Returns the words of `text` that could be names of tools.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_sentence_is_removed_with_the_tool_that_it_mentions() {
        let text = "One day. For hours use `get_hours`. For all get_hours_of_all is shorter.";
        assert_eq!(sentences_without(text, &[]), text);
        assert_eq!(sentences_without(text, &["get_hours"]), "One day. For all get_hours_of_all is shorter.");
        assert_eq!(sentences_without(text, &["get_hours_of_all"]), "One day. For hours use `get_hours`.");
    }

    #[test]
    fn a_parameter_description_is_removed_if_no_sentence_remains() {
        let schema = json!({"properties": {
            "id": {"type": "integer", "description": "From `get_ids`."},
            "description": {"type": "string", "description": "Words. From `get_words`."}}});
        let Value::Object(schema) = schema else { unreachable!() };
        let tool = remove_mentions(Tool::new("get_one", "One of get_ids.", schema), &["get_ids", "get_words"]);
        let expected = json!({"properties": {
            "id": {"type": "integer"}, "description": {"type": "string", "description": "Words."}}});
        assert_eq!(serde_json::to_value(&tool.input_schema).expect("a schema"), expected);
        assert_eq!(tool.description.as_deref(), Some(""));
    }
}
