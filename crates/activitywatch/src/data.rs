//! Parses the JSON of an event.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::shape::BucketKind;
use crate::texts::{TextId, Texts};

/// The maximum number of characters of a text. Windows allows 32,767 characters in a window title.
pub(crate) const MAX_TEXT_LENGTH: usize = 32_768;

/// The content of an event. The meaning of its texts depends on the kind of the bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Data {
    /// The application of a window, the state of presence, the URL of a tab, the path of an editor's file, or the label
    /// of a stopwatch.
    pub(crate) name: Option<TextId>,
    /// The title of a window.
    pub(crate) title: Option<TextId>,
    pub(crate) is_audible: bool,
    pub(crate) is_private: bool,
    /// Whether the JSON isn't an object, or can't be parsed.
    pub(crate) is_unreadable: bool,
}

/// Parses the JSON of an event, and adds the number of truncated texts to `truncated`.
pub(crate) fn parse(kind: BucketKind, stored: Option<&[u8]>, texts: &mut Texts, truncated: &mut i64) -> Data {
    let unreadable = Data { is_unreadable: true, ..Data::default() };
    let Some(stored) = stored.map(String::from_utf8_lossy) else { return unreadable };
    let parsed = serde_json::from_str::<Fields<'_>>(&stored);
    let Ok(fields) = parsed else {
        // The Python server can write half of a surrogate pair, which `serde_json` rejects.
        let Some(repaired) = replace_lone_surrogates(&stored) else { return unreadable };
        return match serde_json::from_str::<Fields<'_>>(&repaired) {
            Ok(fields) => fields.into_data(kind, texts, truncated),
            Err(_) => unreadable,
        };
    };
    fields.into_data(kind, texts, truncated)
}

/// The fields that are read. If a field appears twice, the last value is used.
#[derive(Default)]
struct Fields<'d> {
    app: Option<Cow<'d, str>>,
    title: Option<Cow<'d, str>>,
    status: Option<Cow<'d, str>>,
    url: Option<Cow<'d, str>>,
    file: Option<Cow<'d, str>>,
    label: Option<Cow<'d, str>>,
    audible: bool,
    incognito: bool,
}

impl Fields<'_> {
    fn into_data(self, kind: BucketKind, texts: &mut Texts, truncated: &mut i64) -> Data {
        let name = match kind {
            BucketKind::Window => self.app,
            BucketKind::Presence => self.status,
            BucketKind::Tab => self.url,
            BucketKind::Editor => self.file,
            BucketKind::Stopwatch => self.label,
            BucketKind::Ignored => None,
        };
        let title = self.title.filter(|_| kind == BucketKind::Window);
        let mut add = |text: Cow<'_, str>| {
            let (shown, is_truncated) = truncate(&text);
            *truncated += i64::from(is_truncated);
            texts.add(shown)
        };
        Data {
            name: name.map(&mut add),
            title: title.map(&mut add),
            is_audible: self.audible && kind == BucketKind::Tab,
            is_private: self.incognito,
            is_unreadable: false,
        }
    }
}

/// Returns the first [`MAX_TEXT_LENGTH`] characters of a text, and whether the text is longer.
fn truncate(text: &str) -> (&str, bool) {
    // A text never has more characters than bytes. So count its characters only if it has too many bytes.
    let end = if text.len() <= MAX_TEXT_LENGTH { None } else { text.char_indices().nth(MAX_TEXT_LENGTH) };
    end.map_or((text, false), |(end, _)| (&text[..end], true))
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<Field>()? {
            if matches!(key, Field::Other) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value = map.next_value::<Value<'de>>()?;
            match (key, value) {
                (Field::Audible, value) => fields.audible = matches!(value, Value::Flag(true)),
                (Field::Incognito, value) => fields.incognito = matches!(value, Value::Flag(true)),
                (Field::App, value) => fields.app = value.into_text(),
                (Field::Title, value) => fields.title = value.into_text(),
                (Field::Status, value) => fields.status = value.into_text(),
                (Field::Url, value) => fields.url = value.into_text(),
                (Field::File, value) => fields.file = value.into_text(),
                (Field::Label, value) => fields.label = value.into_text(),
                (Field::Other, _) => {}
            }
        }
        Ok(fields)
    }
}

/// The names of the fields.
enum Field {
    App,
    Title,
    Status,
    Url,
    File,
    Label,
    Audible,
    Incognito,
    Other,
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Field;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a name")
            }

            fn visit_str<E>(self, name: &str) -> Result<Field, E> {
                Ok(match name {
                    "app" => Field::App,
                    "title" => Field::Title,
                    "status" => Field::Status,
                    "url" => Field::Url,
                    "file" => Field::File,
                    "label" => Field::Label,
                    "audible" => Field::Audible,
                    "incognito" => Field::Incognito,
                    _ => Field::Other,
                })
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}

/// A value of a field.
enum Value<'d> {
    Text(Cow<'d, str>),
    Flag(bool),
    Other,
}

impl<'d> Value<'d> {
    fn into_text(self) -> Option<Cow<'d, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Flag(_) | Self::Other => None,
        }
    }
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value<'de>, E> {
        Ok(Value::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value<'de>, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value<'de>, E> {
        Ok(Value::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value<'de>, E> {
        Ok(Value::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value<'de>, E> {
        Ok(Value::Other)
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value<'de>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
}

/// Replaces each half of a surrogate pair whose other half is missing, such as a single `\ud83d`. Returns `None` if no
/// half is missing.
fn replace_lone_surrogates(json: &str) -> Option<String> {
    let escape = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut repaired, mut kept, mut at) = (String::with_capacity(json.len()), 0, 0);
    while let Some(found) = json[at..].find('\\') {
        at += found;
        match (escape(at), escape(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 12,
            (Some(0xd800..=0xdfff), _) => {
                repaired.push_str(&json[kept..at]);
                repaired.push_str("\\ufffd");
                at += 6;
                kept = at;
            }
            // Skip the character after a backslash, because it belongs to the escape sequence. This character can be a
            // backslash too.
            _ => at += 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    repaired.push_str(&json[kept..]);
    (kept > 0).then_some(repaired)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(json: &str) -> (Option<String>, Option<String>, bool) {
        let mut texts = Texts::default();
        let data = parse(BucketKind::Window, Some(json.as_bytes()), &mut texts, &mut 0);
        let text = |id: Option<TextId>| id.map(|id| texts.get(id).to_owned());
        (text(data.name), text(data.title), data.is_unreadable)
    }

    #[test]
    fn fields_of_other_types_are_missing() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(window(r#"{"app": "a", "title": "t"}"#), (text("a"), text("t"), false));
        assert_eq!(window(r#"{"app": 7, "title": null, "x": {"app": [1]}}"#), (None, None, false));
        assert_eq!(window(r#"{"app": "one", "app": "two", "title": {"a": [[]]}}"#), (text("two"), None, false));
        assert_eq!(
            window(r#"{"app": "g\u00e9", "title": "\ud83e\udd1d \ud83d"}"#),
            (text("gé"), text("🤝 \u{fffd}"), false)
        );
        assert_eq!(window("{}"), (None, None, false));
    }

    #[test]
    fn anything_but_an_object_is_unreadable() {
        for json in ["", "null", "[]", "7", "{\"app\": ", "\"app\"", &"[".repeat(1000), "{\"app\": \"\\ud83d\""] {
            assert!(window(json).2, "{json}");
        }
        let deep = format!("{{\"app\": {}{}}}", "[".repeat(1000), "]".repeat(1000));
        assert!(window(&deep).0.is_none());
        assert!(parse(BucketKind::Window, None, &mut Texts::default(), &mut 0).is_unreadable);
    }

    #[test]
    fn long_texts_are_truncated_and_counted() {
        let (mut texts, mut truncated) = (Texts::default(), 0);
        let json = format!("{{\"app\": \"a\", \"title\": \"{}\"}}", "é".repeat(MAX_TEXT_LENGTH + 1));
        let data = parse(BucketKind::Window, Some(json.as_bytes()), &mut texts, &mut truncated);
        assert_eq!(data.title.map(|title| texts.get(title).chars().count()), Some(MAX_TEXT_LENGTH));
        assert_eq!(truncated, 1);
    }
}
