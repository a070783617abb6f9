//! Formats JSON for a page. Members keep their order, lines are as long as the page allows, and lists are truncated.

use serde::Deserialize;
use serde_json::Value;
use serde_with::{Map, serde_as};

/// The line length of the pages, in characters.
const WIDTH: usize = 110;

/// The maximum number of items that are shown for each list.
const ITEMS: usize = 2;

/// Returns a fenced block with the JSON in `text`.
pub(super) fn code_block(text: &str) -> String {
    let json: Json = serde_json::from_str(text).unwrap();
    let mut block = String::from("```json\n");
    json.write(0, &mut block);
    block.push_str("\n```\n");
    serde_json::from_str::<Value>(block.trim_matches(['`', '\n']).trim_start_matches("json")).unwrap();
    block
}

/// A JSON value that keeps the order of its members. `serde_json::Value` would sort them.
#[serde_as]
#[derive(Deserialize)]
#[serde(untagged)]
enum Json {
    Object(#[serde_as(as = "Map<_, _>")] Vec<(String, Json)>),
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
            Self::List(items) => {
                format!("[{}]", items.iter().take(ITEMS).map(Self::line).collect::<Vec<_>>().join(", "))
            }
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
            Self::List(items) => ('[', ']', items.iter().take(ITEMS).map(|item| (String::new(), item)).collect()),
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

#[test]
fn json_keeps_order_puts_short_values_on_one_line_and_truncates_lists() {
    let long = "x".repeat(WIDTH);
    let text = format!(r#"{{"b":[1,2,3],"a":{{"d":1.5,"c":"{long}"}}}}"#);
    let expected =
        format!("```json\n{{\n  \"b\": [1, 2],\n  \"a\": {{\n    \"d\": 1.5,\n    \"c\": \"{long}\"\n  }}\n}}\n```\n");
    assert_eq!(code_block(&text), expected);
}
