use serde_json::json;
use tiktoken_rs::o200k_base_singleton;

use super::*;

fn count_tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

/// Returns the texts for which the estimate is least accurate. Each text has 2,000 characters.
fn difficult_texts() -> Vec<(&'static str, String)> {
    let from = |signs: &[char]| {
        // A generator with a fixed seed, so that every run uses the same texts.
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            signs[usize::try_from(state >> 33).unwrap() % signs.len()]
        };
        (0..2_000).map(|_| next()).collect::<String>()
    };
    let range = |first: u32, last: u32| (first..=last).filter_map(char::from_u32).collect::<Vec<_>>();
    let ascii = |signs: &str| from(&signs.chars().collect::<Vec<_>>());
    vec![
        ("small letters", from(&range(0x61, 0x7a))),
        ("rare letters", ascii("qxzjkvw")),
        ("capitals", from(&range(0x41, 0x5a))),
        ("base64", ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")),
        ("hexadecimal", ascii("0123456789abcdef")),
        ("digits", from(&range(0x30, 0x39))),
        ("percent-encoding", "%E4%B8%AD%E6%96%87".repeat(110)),
        ("punctuation", ascii("~!@#$^&*()_+-={}[]|:;<>?,./'")),
        ("quotes and backslashes", ascii("\"\\")),
        ("control characters", from(&range(0, 31))),
        ("spaces", " ".repeat(2_000)),
        ("letters one by one", "a b c d ".repeat(250)),
        ("accents", from(&range(0xc0, 0x17f))),
        ("Greek", from(&range(0x391, 0x3c9))),
        ("Cyrillic", from(&range(0x400, 0x4ff))),
        ("Hebrew and Arabic", from(&range(0x5d0, 0x6d0))),
        ("Hindi", from(&range(0x900, 0x97f))),
        ("Thai", from(&range(0xe01, 0xe5b))),
        ("kana", from(&range(0x3041, 0x30ff))),
        ("Chinese", from(&range(0x4e00, 0x9fff))),
        ("rare Chinese", from(&range(0x9d00, 0x9dff))),
        ("Korean", from(&range(0xac00, 0xd7a3))),
        ("private use", from(&range(0xe000, 0xf8ff))),
        ("emoji", from(&range(0x1f300, 0x1f6ff))),
        ("rare signs", from(&range(0x20000, 0x203ff))),
        ("combining marks", "e\u{301}\u{323}\u{330}".repeat(500)),
    ]
}

#[test]
fn the_estimate_errs_upwards_on_difficult_texts() {
    for (kind, text) in difficult_texts() {
        let json = json!({"title": text}).to_string();
        assert!(tokens(&json) >= count_tokens(&json), "{kind}: {} for {}", tokens(&json), count_tokens(&json));
    }
}

/// If the estimate for typical rows were too high, responses that are small enough would be truncated.
#[test]
fn the_estimate_is_close_on_typical_rows() {
    let row = json!({"start": "2025-01-15T09:00:00", "end": "2025-01-15T09:20:00", "durationMinutes": 20.0,
        "application": "Visual Studio Code", "document": "file:///C:/work/harbour/src/survey.rs",
        "tags": ["Harbour, Survey"]});
    let json = json!({"segments": vec![row; 100]}).to_string();
    let (estimated, counted) = (tokens(&json), count_tokens(&json));
    assert!(estimated >= counted && estimated * 10 < counted * 15, "{estimated} for {counted}");
}

/// A response with a list of texts.
#[derive(Clone, Serialize)]
struct List {
    rows: Vec<String>,
    left_out: usize,
}

impl List {
    fn new(rows: usize, text: &str) -> Self {
        Self { rows: vec![text.to_owned(); rows], left_out: 0 }
    }

    fn to_json(&self) -> (usize, serde_json::Value) {
        let text = to_bounded_json(self).expect("JSON");
        (count_tokens(&text), serde_json::from_str(&text).expect("JSON"))
    }
}

impl Truncate for List {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn keep(&mut self, rows: usize) {
        self.left_out += self.rows.len() - rows;
        self.rows.truncate(rows);
    }
}

#[test]
fn an_answer_that_fits_is_unchanged() {
    let list = List::new(300, "a title that is nothing special");
    assert_eq!(to_bounded_json(&list).unwrap(), serde_json::to_string(&list).unwrap());
}

#[test]
fn a_list_that_is_too_long_is_cut_at_its_end_and_reports_it() {
    let (tokens, response) = List::new(20_000, "a title that is nothing special").to_json();
    let rows = response["rows"].as_array().unwrap().len();
    assert_eq!(response["left_out"], 20_000 - rows);
    assert!(tokens <= MAX_TOKENS && rows > 500, "{rows} rows, {tokens} tokens");
}

#[test]
fn text_of_any_length_and_script_stays_within_the_limit() {
    for (kind, text) in difficult_texts() {
        let (tokens, response) = List::new(60, &text).to_json();
        let rows = response["rows"].as_array().unwrap();
        assert!(tokens <= MAX_TOKENS && rows.len() >= ENOUGH_ROWS, "{kind}: {} rows, {tokens} tokens", rows.len());
        let shortened = rows[0].as_str().unwrap();
        assert!(shortened.ends_with('…') && text.starts_with(shortened.trim_end_matches('…')), "{kind}: {shortened}");
    }
}

#[test]
fn a_text_is_cut_between_characters_and_escapes() {
    for (text, cut) in
        [("abcd", "\"abc…\""), ("abc", "\"abc\""), ("ä\"ö\\", "\"ä\\\"ö…\""), ("a\n\n\n", "\"a\\n\\n…\"")]
    {
        assert_eq!(to_json_if_it_fits(&text, 3).unwrap().as_deref(), Some(cut));
    }
}
