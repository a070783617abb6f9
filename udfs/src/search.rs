//! The scalar function for searches: whether a text contains all given words.
//!
//! Implements `contains_words`. [`SearchWords`] parses the words.

use std::sync::Arc;

use arrow::array::{Array, BooleanBuilder};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;
use hashbrown::HashMap;

use crate::columns::{text, text_column};
use crate::declare::{Declaration, Parameter, scalar};

static CONTAINS_WORDS: Declaration = Declaration {
    name: "contains_words",
    description: "Returns whether a text contains every word, ignoring case. A word can be a part of a longer one. \
            Double quotes keep a phrase together. Without words, every text contains them.",
    parameters: &[
        Parameter::text("text", "The text to search."),
        Parameter::text("words", "The words, separated by spaces."),
    ],
    call_suffix: "",
    example: "SELECT contains_words('Plan for the Harbour', 'harbour \"plan for\"')  -- true",
};

/// Returns `contains_words(text, words) -> Boolean`, computed by [`SearchWords::are_in`]. Null if an argument is null.
pub fn contains_words() -> ScalarUDF {
    scalar(&CONTAINS_WORDS, DataType::Boolean, |columns| {
        let (texts, words) = (text_column(columns, 0)?, text_column(columns, 1)?);
        // The results of the searches can't be kept for the next batch, because a string view identifies a text only
        // within one array.
        let mut searches = Searches::default();
        let mut found = BooleanBuilder::with_capacity(texts.len());
        for row in 0..texts.len() {
            let Some(words) = text(words, row) else {
                found.append_null();
                continue;
            };
            let search = searches.get_or_parse(words);
            found.append_option(text(texts, row).map(|text| search.is_found(texts.views()[row], text)));
        }
        Ok(Arc::new(found.finish()))
    })
}

/// The searches of one batch. Nearly always, all rows of a batch search for the same words.
#[derive(Default)]
struct Searches {
    words: String,
    search: Search,
}

impl Searches {
    fn get_or_parse(&mut self, words: &str) -> &mut Search {
        if self.words != words {
            words.clone_into(&mut self.words);
            self.search = Search { words: SearchWords::parse(words), ..Search::default() };
        }
        &mut self.search
    }
}

/// Words, and the results of searching for them in the texts of a batch.
#[derive(Default)]
struct Search {
    words: SearchWords,
    /// The result for each string view. Rows with the same name usually share one stored text and its view, so this
    /// text is searched only once.
    results: HashMap<u128, bool>,
    lower_case: String,
}

impl Search {
    fn is_found(&mut self, view: u128, text: &str) -> bool {
        if let Some(result) = self.results.get(&view) {
            return *result;
        }
        let result = self.words.are_in(text, &mut self.lower_case);
        self.results.insert(view, result);
        result
    }
}

/// Words and phrases in lower case.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct SearchWords(Vec<String>);

impl SearchWords {
    /// Parses words that are separated by spaces. Double quotes keep a phrase together. The last phrase doesn't need a
    /// closing quote.
    pub fn parse(text: &str) -> Self {
        let mut words = Vec::new();
        for (place, part) in text.split('"').enumerate() {
            let is_phrase = place % 2 == 1;
            let lower_case = part.trim().to_lowercase();
            if is_phrase {
                words.push(lower_case);
            } else {
                words.extend(lower_case.split_whitespace().map(str::to_owned));
            }
        }
        words.retain(|word| !word.is_empty());
        Self(words)
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `text` contains every word, ignoring case. `lower_case` is a buffer that all calls share.
    fn are_in(&self, text: &str, lower_case: &mut String) -> bool {
        lower_case.clear();
        if text.is_ascii() {
            lower_case.push_str(text);
            lower_case.make_ascii_lowercase();
        } else {
            lower_case.push_str(&text.to_lowercase());
        }
        self.0.iter().all(|word| lower_case.contains(word.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(text: &str, words: &str) -> bool {
        SearchWords::parse(words).are_in(text, &mut String::new())
    }

    #[test]
    fn every_word_must_be_in_the_text_in_any_order() {
        let title = "rounding.rs - ledger - Visual Studio Code";
        for words in ["ROUNDING", "code rounding", "\"studio code\" ledger", "  ", "\"rounding.rs - l", "\"\" code"] {
            assert!(contains(title, words), "{words}");
        }
        for words in ["roundings", "code invoice", "\"code ledger\"", "\"studio  code\""] {
            assert!(!contains(title, words), "{words}");
        }
    }

    #[test]
    fn case_is_ignored_in_every_alphabet() {
        assert!(contains("ÄNDERUNGEN Straße", "änderung STRAßE"));
        assert!(contains("Отчёт", "ОТЧЁТ"));
    }
}
