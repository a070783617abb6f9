//! Reads and checks the questions of the configuration file.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use dayledger_core::Position;
use dayledger_core::files::read_text;
use dayledger_engine::{Error as EngineError, UserStatement, suggestion};
use serde::Deserialize;
use toml::Spanned;

use crate::question::SqlPlace;
use crate::{Kind, Parameter, Question, Questions};

/// The maximum size of a file of SQL, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The maximum length of a name. With its prefix, a tool's name then has at most 64 characters, as clients require.
const MAX_NAME_LENGTH: usize = 48;

/// A question as written in the configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionConfig {
    name: Spanned<String>,
    description: Spanned<String>,
    /// The statement. Either this or `file` is set.
    sql: Option<Spanned<String>>,
    /// A file with the statement. A relative path starts at the folder of the configuration file.
    file: Option<Spanned<PathBuf>>,
    #[serde(default)]
    parameters: Vec<Spanned<ParameterConfig>>,
}

/// A parameter as written in the configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterConfig {
    name: String,
    description: String,
    r#type: TypeName,
    /// The allowed values of a choice.
    #[serde(default)]
    values: Vec<String>,
    default: Option<DefaultValue>,
    required: Option<bool>,
}

/// The name of a type in the configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TypeName {
    Day,
    Range,
    Text,
    Integer,
    Number,
    Choice,
}

/// A default, which is a text or a number in the configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a default must be a text in quotes or a number")]
enum DefaultValue {
    Text(String),
    Integer(i64),
    Number(f64),
}

/// The reason why a question is invalid.
#[derive(Debug)]
pub struct InvalidQuestion {
    /// A description of the mistake. It contains the name of the question.
    pub message: String,
    /// The place of the mistake in the configuration file, in bytes.
    pub place: Range<usize>,
}

/// The configuration file that contains the questions.
struct ConfigFile<'f> {
    path: &'f Path,
    text: &'f str,
    /// Flags of the command line. A parameter can't have the name of such a flag.
    flags: &'f [&'f str],
}

impl Questions {
    /// Checks the questions of the configuration file at `path`. `text` is the text of this file. `flags` are the
    /// flags of the command line that asks a question, without dashes at the start.
    ///
    /// # Errors
    /// Fails if a question is invalid, or if two questions have the same name.
    pub fn from_config(
        written: &[QuestionConfig],
        path: &Path,
        text: &str,
        flags: &[&str],
    ) -> Result<Self, InvalidQuestion> {
        let file = ConfigFile { path, text, flags };
        let mut questions: Vec<Question> = Vec::new();
        for config in written {
            if questions.iter().any(|question| question.name == *config.name.get_ref()) {
                return Err(config.invalid(&config.name.span(), "two questions have this name"));
            }
            questions.push(config.check(&file)?);
        }
        Ok(Self(questions))
    }
}

impl QuestionConfig {
    fn check(&self, file: &ConfigFile<'_>) -> Result<Question, InvalidQuestion> {
        if let Some(reason) = invalid_name(self.name.get_ref()) {
            return Err(self.invalid(&self.name.span(), reason));
        }
        if self.description.get_ref().trim().is_empty() {
            return Err(self.invalid(&self.description.span(), "the description is empty"));
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        for written in &self.parameters {
            let invalid = |reason: &str| {
                self.invalid(&written.span(), &format!("parameter `{}`: {reason}", written.get_ref().name))
            };
            let parameter = written.get_ref().check(file.flags).map_err(|reason| invalid(&reason))?;
            let names = |parameter: &Parameter| parameter.placeholders();
            if parameters.iter().flat_map(names).any(|known| parameter.placeholders().contains(&known)) {
                return Err(invalid("another parameter has the same name"));
            }
            parameters.push(parameter);
        }
        let (sql, place) = self.read_sql(file)?;
        self.check_sql(file, &sql, &parameters)?;
        let (name, description) = (self.name.get_ref().clone(), self.description.get_ref().trim().to_owned());
        Ok(Question { name, description, parameters, sql, place })
    }

    /// Returns the statement and its place.
    fn read_sql(&self, file: &ConfigFile<'_>) -> Result<(String, SqlPlace), InvalidQuestion> {
        match (&self.sql, &self.file) {
            (Some(sql), None) => {
                let start = file.sql_start(sql).unwrap_or(sql.span().start);
                let first_line = Position::from_byte(file.text, start).line;
                Ok((sql.get_ref().clone(), SqlPlace { path: file.path.to_owned(), first_line }))
            }
            (None, Some(named)) => {
                let path = file.path.parent().unwrap_or(Path::new("")).join(named.get_ref());
                let shown = path.display();
                let text = read_text(&path, MAX_BYTES).map_err(io::Error::from);
                let text = text.map_err(|error| format!("cannot read `{shown}`: {error}"));
                let text = text.and_then(|text| text.ok_or_else(|| format!("the file `{shown}` does not exist")));
                let text = text.map_err(|reason| self.invalid(&named.span(), &reason))?;
                // Editors on Windows add a byte order mark.
                let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
                Ok((text, SqlPlace { path, first_line: 1 }))
            }
            _ => Err(self.invalid(&self.name.span(), "set either `sql` or `file`")),
        }
    }

    /// Checks that the statement is one `SELECT`, and that it uses exactly these parameters.
    fn check_sql(&self, file: &ConfigFile<'_>, sql: &str, parameters: &[Parameter]) -> Result<(), InvalidQuestion> {
        let used = UserStatement::parameters(sql).map_err(|error| {
            let position = match &error {
                EngineError::Query { position, .. } => *position,
                _ => None,
            };
            self.invalid_sql(file, sql, position, &error.to_string())
        })?;
        let known: Vec<_> = parameters.iter().flat_map(Parameter::placeholders).collect();
        for (name, position) in &used {
            if !known.contains(name) {
                let written: Vec<_> = known.iter().map(|known| format!("${known}")).collect();
                let similar = suggestion(&format!("${name}"), written.iter().map(String::as_str));
                let reason = format!("`${name}` is missing in `[[questions.parameters]]`{similar}");
                return Err(self.invalid_sql(file, sql, Some(*position), &reason));
            }
        }
        for (parameter, written) in parameters.iter().zip(&self.parameters) {
            let placeholders = parameter.placeholders();
            if !used.iter().any(|(name, _)| placeholders.contains(name)) {
                let reason = format!("the SQL does not use the parameter `{}`", parameter.name);
                return Err(self.invalid(&written.span(), &reason));
            }
        }
        Ok(())
    }

    /// Returns the error for a mistake in the statement.
    fn invalid_sql(
        &self,
        file: &ConfigFile<'_>,
        sql: &str,
        position: Option<Position>,
        reason: &str,
    ) -> InvalidQuestion {
        if let (Some(written), Some(position)) = (&self.sql, position)
            && let Some(start) = file.sql_start(written)
        {
            let start = start + byte_of(sql, position);
            return self.invalid(&(start..start + 1), reason);
        }
        match (&self.file, position) {
            (Some(named), Some(Position { line, column })) => {
                let path = named.get_ref().display();
                self.invalid(&named.span(), &format!("{reason} (`{path}`, line {line}, column {column})"))
            }
            (Some(named), None) => self.invalid(&named.span(), reason),
            (None, _) => self.invalid(&self.sql.as_ref().unwrap_or(&self.name).span(), reason),
        }
    }

    fn invalid(&self, place: &Range<usize>, reason: &str) -> InvalidQuestion {
        let message = format!("question `{}`: {reason}", self.name.get_ref());
        InvalidQuestion { message, place: place.clone() }
    }
}

impl ParameterConfig {
    /// Checks the parameter. Fails with the reason why it is invalid.
    fn check(&self, flags: &[&str]) -> Result<Parameter, String> {
        if let Some(reason) = invalid_name(&self.name) {
            return Err(reason.to_owned());
        }
        if flags.contains(&self.name.replace('_', "-").as_str()) {
            return Err("this is the name of a flag of `dayledger ask`; use another name".to_owned());
        }
        if self.description.trim().is_empty() {
            return Err("the description is empty".to_owned());
        }
        let kind = match (self.r#type, self.values.as_slice()) {
            (TypeName::Choice, []) => return Err("a choice needs `values`".to_owned()),
            (TypeName::Choice, values) => {
                for (place, value) in values.iter().enumerate() {
                    if value.trim().is_empty() {
                        return Err("`values` contains an empty text".to_owned());
                    }
                    if values[..place].contains(value) {
                        return Err(format!("`values` contains `{value}` twice"));
                    }
                }
                Kind::Choice(values.to_owned())
            }
            (_, [_, ..]) => return Err("only a choice has `values`".to_owned()),
            (TypeName::Day, []) => Kind::Day,
            (TypeName::Range, []) => Kind::Range,
            (TypeName::Text, []) => Kind::Text,
            (TypeName::Integer, []) => Kind::Integer,
            (TypeName::Number, []) => Kind::Number,
        };
        let default = self.default.as_ref().map(|default| match default {
            DefaultValue::Text(text) => text.clone(),
            DefaultValue::Integer(number) => number.to_string(),
            DefaultValue::Number(number) => number.to_string(),
        });
        let is_required = default.is_none() && self.required.unwrap_or(true);
        if default.is_some() && self.required == Some(true) {
            return Err("a parameter with a default is never required; remove `required` or `default`".to_owned());
        }
        if kind == Kind::Range && default.is_none() && !is_required {
            return Err("a range cannot be omitted: add a default, such as `default = \"last week\"`".to_owned());
        }
        let (name, description) = (self.name.clone(), self.description.trim().to_owned());
        let parameter = Parameter { name, description, kind, default, is_required };
        if let Some(default) = &parameter.default {
            let bound = parameter.bind(UserStatement::from(""), Some(default));
            bound.map(drop).map_err(|error| format!("invalid default: {}", error.message))?;
        }
        Ok(parameter)
    }
}

impl ConfigFile<'_> {
    /// Returns the place at which the statement begins. Returns `None` if the file contains it in another notation, for
    /// example with escape sequences.
    fn sql_start(&self, sql: &Spanned<String>) -> Option<usize> {
        let span = sql.span();
        Some(span.start + self.text.get(span)?.find(sql.get_ref().as_str())?)
    }
}

/// Returns the reason why a text can't be the name of a question or of a parameter.
fn invalid_name(name: &str) -> Option<&'static str> {
    let is_valid = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.len() <= MAX_NAME_LENGTH
        && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
    (!is_valid).then_some(
        "a name starts with a lower-case letter and has at most 48 lower-case letters, digits and underscores",
    )
}

/// Returns the index of the byte at `position`.
fn byte_of(text: &str, position: Position) -> usize {
    let index = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let before: usize = text.split_inclusive('\n').take(index(position.line)).map(str::len).sum();
    let line = text.get(before..).unwrap_or_default();
    before + line.char_indices().nth(index(position.column)).map_or(0, |(byte, _)| byte)
}
