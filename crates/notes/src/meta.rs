//! The metadata of a note, a JSON file in the folder `.meta` next to the note.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::action::{Action, State, canonical_owner};
use crate::path::NotePath;
use crate::refusal::{Code, Refusal};
use crate::session::Session;
use crate::text::strip_byte_order_mark;

/// The metadata of a note. All keys are optional. Unknown keys are kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Meta(Map<String, Value>);

impl Meta {
    /// Reads a metadata file. `place` is the path of the file below the workspace, for the error message.
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if the file isn't a JSON object, or if its values are nested more than 127 levels deep.
    pub fn read(bytes: &[u8], place: &str) -> Result<Self, Refusal> {
        serde_json::from_slice(strip_byte_order_mark(bytes)).map(Self).map_err(|error| {
            let message = format!("`{place}` is not a JSON object: {error}; correct it, or remove it to start again");
            Refusal::new(Code::ParseError, message)
        })
    }

    /// Creates metadata with these keys and values.
    pub fn new(keys: Map<String, Value>) -> Self {
        Self(keys)
    }

    /// Returns all keys with their values.
    pub fn keys(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Adds the keys of `other`. Objects are merged recursively. All other values are replaced by the values of
    /// `other`.
    pub fn merge(&mut self, other: Self) {
        merge(&mut self.0, other.0);
    }

    /// Adds the keys that Chronicle writes into each metadata file, if they are missing: the ID, the version, and the
    /// name of the note. `now` is written in UTC, without fractions of a second.
    pub fn identify(&mut self, path: &NotePath, raw_path: &str, now: DateTime<Utc>) {
        let written = now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        let mut identity = Map::new();
        identity.insert("id".to_owned(), json!(format!("{}-{}", path.stem(), now.format("%Y%m%d%H%M%S"))));
        identity.insert("version".to_owned(), json!(1));
        let file = json!({"name": path.file_name(), "raw_path": raw_path, "created_at": written});
        identity.insert("file".to_owned(), file);
        // The existing keys are merged into the new keys, because existing values must replace new values.
        let had = std::mem::replace(&mut self.0, identity);
        merge(&mut self.0, had);
        if let Some(Value::Object(file)) = self.0.get_mut("file") {
            file.insert("updated_at".to_owned(), json!(written));
            if file.get("raw_path").is_some_and(Value::is_null) {
                file.insert("raw_path".to_owned(), json!(raw_path));
            }
        }
    }

    /// Whether the metadata contains the ID or the name of its note. Such metadata belongs to a note in the folder that
    /// contains `.meta`.
    pub fn is_identified(&self) -> bool {
        self.0.contains_key("id") || self.0.contains_key("file")
    }

    /// Whether the metadata marks the note as processed.
    pub fn is_processed(&self) -> bool {
        self.0.get("processing").is_some_and(|processing| !processing.is_null())
    }

    /// Returns the length of the note's session in minutes.
    pub fn session_minutes(&self) -> Option<u64> {
        let minutes = self.0.get("session")?.get("duration_minutes")?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates, and negative values are filtered out"
        )]
        let rounded = || minutes.as_f64().filter(|minutes| *minutes >= 0.0).map(|minutes| minutes.round() as u64);
        minutes.as_u64().or_else(rounded)
    }

    /// Returns the session of the note, if the metadata contains its start and its end.
    pub fn session(&self) -> Option<Session> {
        let session = self.0.get("session")?;
        let time = |key: &str| {
            let time = DateTime::parse_from_rfc3339(session.get(key)?.as_str()?).ok()?;
            Some(time.with_timezone(&Utc))
        };
        Session::from_bounds(time("started_at")?, time("ended_at")?)
    }

    /// Returns the summary that a model wrote.
    pub fn summary(&self) -> Option<&str> {
        self.0.get("extracted")?.get("summary")?.as_str()
    }

    /// Returns the texts under a key of `extracted`, such as `questions`.
    pub(crate) fn extracted_texts(&self, key: &str) -> Vec<String> {
        let texts = self.0.get("extracted").and_then(|extracted| extracted.get(key)?.as_array());
        let texts = texts.into_iter().flatten().filter_map(|text| Some(text.as_str()?.trim().to_owned()));
        texts.filter(|text| !text.is_empty()).collect()
    }

    /// Returns the actions under `extracted`, or `None` if the key is missing. Actions without a text are skipped.
    pub fn actions(&self) -> Option<Vec<Action>> {
        let items = self.0.get("extracted")?.get("action_items")?.as_array()?;
        Some(items.iter().filter_map(action).collect())
    }
}

fn action(item: &Value) -> Option<Action> {
    let text = item.get("text")?.as_str()?.trim();
    let is_done = item.get("status").and_then(Value::as_str).is_some_and(|status| status.eq_ignore_ascii_case("done"));
    let is = |key: &str| item.get(key).and_then(Value::as_bool).unwrap_or(false);
    (!text.is_empty()).then(|| Action {
        text: text.to_owned(),
        owner: item.get("owner").and_then(Value::as_str).and_then(canonical_owner),
        state: if is_done || is("done") { State::Done } else { State::Open },
        urgent: is("urgent"),
        due: item.get("due").and_then(Value::as_str).and_then(|due| due.parse().ok()),
    })
}

fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(into)), Value::Object(from)) => merge(into, from),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, TimeZone};

    use super::*;

    fn meta(value: &Value) -> Meta {
        Meta::read(value.to_string().as_bytes(), ".meta/a.json").unwrap()
    }

    #[test]
    fn present_keys_are_read_and_missing_ones_are_absent() {
        let only = meta(&json!({"processing": {"style": "brief"}}));
        assert!(only.is_processed() && !only.is_identified());
        assert_eq!((only.session_minutes(), only.summary(), only.actions()), (None, None, None));
        assert!(!meta(&json!({"processing": null})).is_processed());
        for (minutes, read) in [
            (json!(32), Some(32)),
            (json!(31.6), Some(32)),
            (json!(-1), None),
            (json!("32"), None),
            (json!(null), None),
        ] {
            assert_eq!(meta(&json!({"session": {"duration_minutes": minutes}})).session_minutes(), read);
        }
        for (session, read) in [
            (json!({"started_at": "2024-12-10T14:00:00Z", "ended_at": "2024-12-10T15:32:00+01:00"}), Some(32)),
            (json!({"started_at": "2024-12-10T14:00:00Z", "ended_at": "2024-12-10T13:00:00Z"}), None),
            (json!({"started_at": "2024-12-10T14:00:00Z"}), None),
            (json!({"started_at": 7, "ended_at": "soon"}), None),
        ] {
            let session = meta(&json!({"session": session})).session();
            assert_eq!(session.map(|session| (session.end - session.start).num_minutes()), read);
        }
        let items = json!([
            {"text": "a", "owner": "Me", "status": "done", "urgent": true, "due": "2026-12-01"}, {"id": "action-2"}, 7
        ]);
        let actions = meta(&json!({"extracted": {"action_items": items}})).actions().unwrap();
        let due = NaiveDate::from_ymd_opt(2026, 12, 1);
        let done = Action { text: "a".into(), owner: Some("self".into()), state: State::Done, urgent: true, due };
        assert_eq!(actions, [done]);
    }

    #[test]
    fn invalid_json_is_refused_with_its_place() {
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        for broken in [&br#"{"a": 1,}"#[..], b"", b"[]", b"\xff", b"{", deep.as_bytes()] {
            let refusal = Meta::read(broken, ".meta/a.json").unwrap_err();
            assert_eq!(refusal.code, Code::ParseError);
            assert!(refusal.message.contains("`.meta/a.json`"), "{refusal}");
        }
        assert!(Meta::read("\u{feff}{}".as_bytes(), "x").is_ok());
    }

    #[test]
    fn merging_keeps_keys_that_are_not_replaced() {
        let mut merged = meta(&json!({"own": [1], "session": {"a": 1, "b": {"c": 2}}, "file": "odd"}));
        merged.merge(meta(&json!({"session": {"b": {"d": 3}, "a": null}, "file": {"name": "x"}})));
        let expected = json!({"own": [1], "session": {"a": null, "b": {"c": 2, "d": 3}}, "file": {"name": "x"}});
        assert_eq!(merged, meta(&expected));
    }

    #[test]
    fn identifying_adds_only_missing_keys() {
        let path = NotePath::parse("sub/a.md").unwrap();
        let now = Utc.with_ymd_and_hms(2024, 12, 10, 14, 0, 5).unwrap();
        let mut made = meta(&json!({"processing": {}}));
        made.identify(&path, "sub/.raw/a.raw.md", now);
        let file = json!({"name": "a.md", "raw_path": "sub/.raw/a.raw.md", "created_at": "2024-12-10T14:00:05Z",
                          "updated_at": "2024-12-10T14:00:05Z"});
        assert_eq!(made, meta(&json!({"id": "a-20241210140005", "version": 1, "file": file, "processing": {}})));
        let mut had = meta(&json!({"id": "x", "file": {"name": "y", "raw_path": null, "created_at": "z"}}));
        had.identify(&path, "sub/.raw/a.raw.md", now);
        assert_eq!(had.keys()["id"], "x");
        assert_eq!(had.keys()["file"]["created_at"], "z");
        assert_eq!(had.keys()["file"]["raw_path"], "sub/.raw/a.raw.md");
    }
}
