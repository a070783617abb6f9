//! JSON as a page shows it: members in the order in which they came, a line as long as fits, lists cut.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// As long as a line of the pages is.
const WIDTH: usize = 110;

/// How many items of a list are shown.
const ITEMS: usize = 2;

/// The block of a page that shows `text`.
pub(super) fn shown(text: &str) -> String {
    let json: Json = serde_json::from_str(text).unwrap();
    let mut block = String::from("```json\n");
    json.write(0, &mut block);
    block.push_str("\n```\n");
    serde_json::from_str::<Value>(block.trim_matches(['`', '\n']).trim_start_matches("json")).unwrap();
    block
}

/// A value that keeps the order of its members, which `serde_json::Value` does not.
enum Json {
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    Plain(Value),
}

impl Json {
    fn line(&self) -> String {
        match self {
            Self::Object(members) => {
                let members = members.iter().map(|(name, value)| format!("\"{name}\": {}", value.line()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
            }
            Self::List(items) => format!("[{}]", items.iter().map(Self::line).collect::<Vec<_>>().join(", ")),
            Self::Plain(value) => value.to_string(),
        }
    }

    fn write(&self, indent: usize, out: &mut String) {
        let line = self.line();
        if indent + line.chars().count() <= WIDTH {
            out.push_str(&line);
            return;
        }
        let inner = " ".repeat(indent + 2);
        let (open, close, rows): (_, _, Vec<_>) = match self {
            Self::Object(members) => {
                let rows = members.iter().map(|(name, value)| (format!("\"{name}\": "), value));
                ('{', '}', rows.collect())
            }
            Self::List(items) => ('[', ']', items.iter().map(|item| (String::new(), item)).collect()),
            Self::Plain(_) => return out.push_str(&line),
        };
        out.push(open);
        for (number, (name, value)) in rows.into_iter().enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&inner);
            out.push_str(&name);
            value.write(indent + 2, out);
        }
        out.push('\n');
        out.push_str(&" ".repeat(indent));
        out.push(close);
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Ordered;

        impl<'de> Visitor<'de> for Ordered {
            type Value = Json;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Json::Object(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                list.truncate(ITEMS);
                Ok(Json::List(list))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Plain(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
                Ok(Json::Plain(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Plain(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
                Ok(Json::Plain(value.into()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Json, E> {
                Ok(Json::Plain(value.into()))
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Plain(Value::Null))
            }
        }

        deserializer.deserialize_any(Ordered)
    }
}

#[test]
fn order_is_kept_short_things_stand_in_a_line_and_lists_are_cut() {
    let long = "x".repeat(WIDTH);
    let text = format!(r#"{{"b":[1,2,3],"a":{{"d":1.5,"c":"{long}"}}}}"#);
    let expected =
        format!("```json\n{{\n  \"b\": [1, 2],\n  \"a\": {{\n    \"d\": 1.5,\n    \"c\": \"{long}\"\n  }}\n}}\n```\n");
    assert_eq!(shown(&text), expected);
}
