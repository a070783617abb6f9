//! Parameters of a question, and the conversion of their values.

use dayledger_engine::UserStatement;
use dayledger_request::{DateRange, Error, parse_date};

use crate::codes;

/// A parameter of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name, which the statement uses as `$name`.
    pub name: String,
    /// The description for people and models.
    pub description: String,
    /// The kind of its values.
    pub kind: Kind,
    /// The value that is used if a caller omits the parameter.
    pub default: Option<String>,
    /// Whether a caller must pass a value. A parameter with a default is never required. A parameter that is neither
    /// required nor has a default is null if a caller omits it.
    pub is_required: bool,
}

/// The kind of a parameter's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// One local day, in a format of docs/commands.md#dates.
    Day,
    /// A range of local time, in a format of docs/commands.md#dates.
    Range,
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// One of these texts.
    Choice(Vec<String>),
}

impl Parameter {
    /// Returns the names that the statement can use, without `$`. A range also has the names of its start and end.
    pub(crate) fn placeholders(&self) -> Vec<String> {
        let name = &self.name;
        match self.kind {
            Kind::Range => vec![name.clone(), format!("{name}_start"), format!("{name}_end")],
            _ => vec![name.clone()],
        }
    }

    /// Returns a valid value.
    pub(crate) fn example(&self) -> &str {
        match &self.kind {
            Kind::Day | Kind::Range => "today",
            Kind::Text => "text",
            Kind::Integer | Kind::Number => "1",
            Kind::Choice(values) => values.first().map_or("", String::as_str),
        }
    }

    /// Returns `statement` with the value of this parameter. `text` is the value that a caller passes. If `text` is
    /// absent, the default is used. An empty text counts as absent if the parameter isn't required.
    ///
    /// # Errors
    /// Fails with the name of the parameter if a required value is missing, or if the value is invalid.
    pub(crate) fn bind(&self, statement: UserStatement, text: Option<&str>) -> Result<UserStatement, Error> {
        let given = text.filter(|text| self.is_required || !text.trim().is_empty());
        let name = self.name.as_str();
        let Some(text) = given.or(self.default.as_deref()) else {
            if self.is_required {
                let hint = format!("pass `{name}`: {}", self.description);
                return Err(Error::with_field(codes::INVALID_VALUE, name, format!("missing value for `{name}`"), hint));
            }
            return Ok(statement.with_null(name));
        };
        Ok(match &self.kind {
            Kind::Text => statement.with_text(name, text),
            Kind::Day => statement.with_day(name, parse_date(text, name)?),
            Kind::Range => {
                let range = DateRange::parse(text, None, (name, name))?;
                statement.with_range(name, range.start(), range.end())
            }
            Kind::Integer => {
                let number = whole_number(text.trim()).ok_or_else(|| self.invalid(text, "a whole number"))?;
                statement.with_integer(name, number)
            }
            Kind::Number => {
                let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
                statement.with_number(name, number.ok_or_else(|| self.invalid(text, "a number"))?)
            }
            Kind::Choice(values) if values.iter().any(|value| value == text) => statement.with_text(name, text),
            Kind::Choice(values) => {
                return Err(self.invalid(text, "an allowed value").with_allowed(values.iter().cloned()));
            }
        })
    }

    fn invalid(&self, text: &str, expected: &str) -> Error {
        let Self { name, description, kind, .. } = self;
        let shown: String = text.chars().take(100).collect();
        let hint = match kind {
            Kind::Choice(values) => format!("pass one of {}", list(values)),
            _ => format!("pass {expected}: {description}"),
        };
        let message = format!("invalid value for `{name}`: `{shown}` is not {expected}");
        Error::with_field(codes::INVALID_VALUE, name, message, hint)
    }
}

/// Parses a whole number. It can have decimals that are zero, because a model's client can send `2` as `2.0`.
fn whole_number(text: &str) -> Option<i64> {
    let whole = match text.split_once('.') {
        Some((whole, decimals)) if !decimals.is_empty() && decimals.bytes().all(|digit| digit == b'0') => whole,
        _ => text,
    };
    whole.parse().ok()
}

/// Returns the texts in backticks, separated by commas.
fn list(texts: &[String]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}
