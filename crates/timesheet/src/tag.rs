//! Tags of entries, and the JSON formats in which people and models write them.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The value of an entry for a tag of its project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Tag {
    /// The name of the tag in the project.
    pub name: String,
    /// One of the allowed values of the tag.
    pub value: String,
}

impl Tag {
    /// Creates a tag from its name and value.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }

    /// Returns the tag with its name and value in lower case.
    pub(crate) fn fold_case(&self) -> Self {
        Self::new(self.name.to_lowercase(), self.value.to_lowercase())
    }
}

/// Tags in the input of a call. They can be an array of objects with `name` and `value`, or an object that maps names
/// to values. The input can also be a text that contains such an array or object as JSON. Each form keeps the order of
/// the tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagsInput(pub Vec<Tag>);

impl<'de> Deserialize<'de> for TagsInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TagsVisitor { as_text: true })
    }
}

/// Tags parsed from a JSON text. This text must not contain another JSON text.
struct TagsInText(Vec<Tag>);

impl<'de> Deserialize<'de> for TagsInText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TagsVisitor { as_text: false }).map(|tags| Self(tags.0))
    }
}

struct TagsVisitor {
    as_text: bool,
}

impl<'de> Visitor<'de> for TagsVisitor {
    type Value = TagsInput;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(r#"tags such as [{"name": "Type", "value": "Bug"}] or {"Type": "Bug"}"#)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut tags: A) -> Result<TagsInput, A::Error> {
        let mut read = Vec::new();
        while let Some(tag) = tags.next_element()? {
            read.push(tag);
        }
        Ok(TagsInput(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut tags: A) -> Result<TagsInput, A::Error> {
        let mut read = Vec::new();
        while let Some((name, value)) = tags.next_entry()? {
            read.push(Tag { name, value });
        }
        Ok(TagsInput(read))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<TagsInput, E> {
        if !self.as_text {
            return Err(E::invalid_type(serde::de::Unexpected::Str(text), &self));
        }
        serde_json::from_str(text).map(|TagsInText(tags)| TagsInput(tags)).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tag_formats_give_the_same_tags() {
        let array = r#"[{"name":"Type","value":"Bug"},{"name":"Billable","value":"No"}]"#;
        let object = r#"{"Type":"Bug","Billable":"No"}"#;
        let quoted = |json: &str| serde_json::to_string(json).unwrap();
        for written in [array.to_owned(), object.to_owned(), quoted(array), quoted(object)] {
            let TagsInput(tags) = serde_json::from_str(&written).unwrap();
            assert_eq!(tags, [Tag::new("Type", "Bug"), Tag::new("Billable", "No")], "{written}");
        }
    }

    #[test]
    fn tag_without_a_value_is_rejected() {
        for written in [r#"[{"name":"Type"}]"#, r#"{"Type":null}"#, r#""Type""#, r#""[1]""#, r#""\"[]\"""#, "7"] {
            assert!(serde_json::from_str::<TagsInput>(written).is_err(), "{written}");
        }
        let error = serde_json::from_str::<TagsInput>(r#"[{"name":"Type"}]"#).unwrap_err();
        assert!(error.to_string().contains("missing field `value`"), "{error}");
    }
}
