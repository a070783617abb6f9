//! The markers and the processing style in effect. They are fixed in the application, regardless of its settings
//! files.

use serde_json::{Value, json};

/// Returns the content of `note://config`.
pub fn config() -> Value {
    json!({
        "markers": {"thought": ">", "important": "!", "question": "?", "action": "[]", "attribution": "@"},
        "processing": {"default_style": "standard"},
    })
}
