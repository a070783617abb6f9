//! The marks and the style of processing that hold. The application has them fixed, whatever its files of settings say.

use serde_json::{Value, json};

/// What `note://config` holds.
pub fn config() -> Value {
    json!({
        "markers": {"thought": ">", "important": "!", "question": "?", "action": "[]", "attribution": "@"},
        "processing": {"default_style": "standard"},
    })
}
