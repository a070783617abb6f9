//! Explains a filter without matches: the text that doesn't match, similar names, and the last date of a known name
//! (docs/spec/time.md#filters-without-a-match).

use chrono::NaiveDateTime;

use super::active_time;
use crate::{Diagnostics, Filter, HistoryBoundsRequest, ReasonCode};
use dayledger_core::local_days::LocalDays;
use dayledger_engine as engine;
use dayledger_engine::{Arguments, Engine, Parameter, Rows, Statement, most_similar_names, statement};
use dayledger_request::{Batch, DateRange, Error, Request, run_statements};
use dayledger_source::is_shown;

static NAMES: Statement = statement!(
    queries / "filter_names",
    &[Parameter::instant("start"), Parameter::instant("end"), Parameter::text("kind"), Parameter::text("search_text")]
);

/// The maximum number of suggested names.
const SUGGESTED: usize = 3;
/// The maximum number of names that are compared with the user's text. If there are more names, those with the most
/// time are compared.
const COMPARED: usize = 20_000;
/// A message repeats at most this many characters of the user's text.
const MAX_QUOTED_CHARS: usize = 40;

/// A kind of time that can be filtered.
pub(crate) struct FilteredTime {
    /// A phrase for this kind of time, such as `in active time`. In messages, the phrase follows the word `not`.
    pub(crate) name: &'static str,
    /// The statement for the total time.
    pub(crate) total: &'static Statement,
    /// Reads the seconds from the rows of `total`.
    pub(crate) seconds: fn(&Rows) -> Result<i64, engine::Error>,
}

/// Active time.
pub(crate) const ACTIVE_TIME: &FilteredTime =
    &FilteredTime { name: "in active time", total: &active_time::ACTIVE_TOTAL, seconds: active_time::seconds };

/// A filter that matches nothing in a range.
pub(crate) struct NoMatch<'a> {
    /// The filter.
    pub(crate) filter: &'a Filter,
    /// The local range.
    pub(crate) range: DateRange,
    /// The device, or `None` for all.
    pub(crate) device: Option<&'a str>,
    /// The kind of time that was filtered.
    pub(crate) time: &'static FilteredTime,
}

impl NoMatch<'_> {
    /// If `matching_seconds` is zero, adds the reason to `diagnostics`.
    pub(crate) async fn explain(
        &self,
        engine: &Engine,
        diagnostics: Diagnostics,
        matching_seconds: Option<i64>,
    ) -> Result<Diagnostics, Error> {
        if matching_seconds != Some(0) || diagnostics.reason_code == Some(ReasonCode::NoDataInRange) {
            return Ok(diagnostics);
        }
        Ok(diagnostics.with_no_match(&self.reason(engine).await?))
    }

    /// Returns the reason why the filter matches nothing, as the start of a hint.
    pub(crate) async fn reason(&self, engine: &Engine) -> Result<String, Error> {
        let mut facts = Vec::new();
        for (kind, text) in self.unmatched_terms(engine).await? {
            facts.push(self.explain_term(engine, kind, text).await?);
        }
        if facts.is_empty() {
            return Ok("each part of the filter matches something, but not at the same time".to_owned());
        }
        Ok(facts.join("; "))
    }

    /// Returns the terms of the filter that match nothing even if they are the only term.
    async fn unmatched_terms(&self, engine: &Engine) -> Result<Vec<(&'static str, &str)>, Error> {
        let sought: Vec<_> = self.filter.terms().collect();
        if sought.len() < 2 {
            return Ok(sought);
        }
        let arguments = self.range.arguments().with_text("device", self.device);
        let mut batch = Batch::default();
        let alone = sought
            .iter()
            .map(|(kind, text)| batch.add((self.time.total, Filter::from_term(kind, text).apply(arguments.clone()))));
        let alone: Vec<_> = alone.collect();
        let results = batch.run(engine).await?;
        let mut unmatched = Vec::new();
        for (sought, slot) in sought.into_iter().zip(alone) {
            if (self.time.seconds)(results.rows(slot)?)? == 0 {
                unmatched.push(sought);
            }
        }
        Ok(unmatched)
    }

    async fn explain_term(&self, engine: &Engine, kind: &str, text: &str) -> Result<String, Error> {
        let noun = match kind {
            "text" => "name, title, URL or note",
            kind => kind,
        };
        let shown: String = text.chars().take(MAX_QUOTED_CHARS).collect();
        let ask_names = async |range: Arguments| {
            let arguments = range.with_text("kind", Some(kind)).with_text("search_text", Some(text));
            let [rows] = run_statements(engine, [(&NAMES, arguments.with_first_rows(COMPARED))]).await?;
            Ok::<_, Error>(Names::from_rows(&rows)?)
        };
        let here = ask_names(self.range.arguments()).await?;
        let of_device = self.device.map(|device| format!(" of `{device}`")).unwrap_or_default();
        // The names include the projects of all rules. The project of a rule that matched nothing has no last match.
        match (here.is_match, here.last) {
            (true, Some(_)) => {
                let article = if noun.starts_with('a') { "an" } else { "a" };
                let time = self.time.name;
                return Ok(format!("{article} {noun} with `{shown}` is in this range, but not {time}{of_device}"));
            }
            (true, None) if kind == "text" => {
                let project = format!("a rule has a project with `{shown}`");
                return Ok(format!("{project}, but no time{of_device} in this range belongs to it"));
            }
            (true, None) => {
                return Ok(format!("no time{of_device} in this range belongs to a project with `{shown}`"));
            }
            (false, _) => {}
        }
        let all = match HistoryBoundsRequest.execute(engine).await?.range() {
            Some(history) => ask_names(history.arguments()).await?,
            None => Names::default(),
        };
        if let Some(last) = all.last {
            return Ok(format!(
                "no {noun} in this range contains `{shown}`; the last one was on {}",
                LocalDays::current().day_of(last)
            ));
        }
        let mut like = here.similar_to(text);
        if like.is_empty() {
            like = all.similar_to(text);
        }
        let hint = match (like.is_empty(), here.words.is_empty()) {
            (false, _) => format!(" (did you mean {}?)", quote_list(&like, "or")),
            (true, false) => format!(" (this range has {})", quote_list(&here.most_used(), "and")),
            (true, true) => String::new(),
        };
        Ok(format!("no {noun} contains `{shown}`{hint}"))
    }
}

/// The names in a range that a filter can match.
#[derive(Default)]
struct Names {
    /// Names and the levels of tags, most time first.
    words: Vec<String>,
    /// Whether the text matches any name.
    is_match: bool,
    /// The local end of the last match.
    last: Option<NaiveDateTime>,
}

impl Names {
    fn from_rows(rows: &Rows) -> Result<Self, engine::Error> {
        let mut names = Self::default();
        for row in rows.iter() {
            names.is_match |= row.get::<bool>("is_match")?;
            names.last = names.last.max(row.get_optional("last_local")?);
            let words: String = row.get_optional("words")?.unwrap_or_default();
            names.words.extend(words.lines().filter(|word| is_shown(word)).map(str::to_owned));
        }
        Ok(names)
    }

    fn similar_to(&self, text: &str) -> Vec<&str> {
        most_similar_names(text, self.words.iter().map(String::as_str), SUGGESTED)
    }

    fn most_used(&self) -> Vec<&str> {
        let mut most_used: Vec<&str> = Vec::new();
        for word in &self.words {
            if most_used.len() < SUGGESTED && !most_used.contains(&word.as_str()) {
                most_used.push(word);
            }
        }
        most_used
    }
}

/// Returns a list such as `` `a`, `b` or `c` ``.
fn quote_list(names: &[&str], conjunction: &str) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
        None => String::new(),
    }
}
