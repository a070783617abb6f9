//! A checked question, and the list of all questions.

use std::path::PathBuf;

use dayledger_core::Position;
use dayledger_engine::{UserStatement, codes as engine_codes, suggestion};
use dayledger_request::Error;

use crate::{Kind, Parameter, codes};

/// A saved question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The name, which consists of lower-case letters, digits and underscores.
    pub name: String,
    /// The description for people and models.
    pub description: String,
    /// The parameters, in the order of the configuration.
    pub parameters: Vec<Parameter>,
    pub(crate) sql: String,
    pub(crate) place: SqlPlace,
}

/// The place of a question's statement, for errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SqlPlace {
    /// The file that contains the statement: the configuration file, or a file of SQL.
    pub(crate) path: PathBuf,
    /// The number of the statement's first line in this file.
    pub(crate) first_line: u64,
}

/// The saved questions of a user. Their names are unique.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questions(pub(crate) Vec<Question>);

impl Question {
    /// Returns the statement with the values that a caller passes as text. `value` returns the text for a parameter's
    /// name, or `None` if the caller omits the parameter.
    ///
    /// # Errors
    /// Fails with the name of the parameter if a required value is missing, or if a value is invalid.
    pub fn statement<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> Result<UserStatement, Error> {
        let start = UserStatement::from(self.sql.as_str());
        self.parameters.iter().try_fold(start, |statement, parameter| parameter.bind(statement, value(&parameter.name)))
    }

    /// Returns the statement with an example for each parameter without a default, to check that it can be planned.
    pub fn example(&self) -> UserStatement {
        let start = UserStatement::from(self.sql.as_str());
        self.parameters.iter().fold(start, |statement, parameter| {
            // Examples and defaults are valid values.
            let bound = parameter.bind(statement.clone(), parameter.default.is_none().then(|| parameter.example()));
            bound.unwrap_or(statement)
        })
    }

    /// Adds the question's name and the place of its SQL to an error of the statement. If the error is about the value
    /// of a text parameter, returns an error about this parameter instead. `value` returns the text that the caller
    /// passed for a parameter's name.
    #[must_use]
    pub fn explain<'v>(&self, mut error: Error, value: impl Fn(&str) -> Option<&'v str>) -> Error {
        if error.code != engine_codes::QUERY_FAILED {
            return error;
        }
        if let Some(error) = self.value_error(&error, value) {
            return error;
        }
        error.message = format!("cannot answer `{}`: {}", self.name, error.message);
        let SqlPlace { path, first_line } = &self.place;
        error.hint = match error.position.take() {
            Some(Position { line, .. }) => format!("correct line {} of `{}`", first_line + line - 1, path.display()),
            None => format!("correct the statement in `{}`", path.display()),
        };
        error
    }

    /// Explains an error of the statement that [`Self::example`] returns. Returns `None` if the error is only about the
    /// example of a parameter, because another value can be valid.
    pub fn explain_example(&self, error: Error) -> Option<Error> {
        let example = |name: &str| {
            let parameter = self.parameters.iter().find(|parameter| parameter.name == name)?;
            parameter.default.is_none().then(|| parameter.example())
        };
        match self.value_error(&error, example) {
            Some(error) if error.field.as_deref().and_then(example).is_some() => None,
            _ => Some(self.explain(error, |_| None)),
        }
    }

    /// Returns an error about the value of a text parameter, if `error` quotes this value. For example, the statement
    /// can't convert the text to a date. `value` returns the text that the caller passed for a parameter's name.
    fn value_error<'v>(&self, error: &Error, value: impl Fn(&str) -> Option<&'v str>) -> Option<Error> {
        // This error quotes names of columns, tables or functions. One of them can be equal to the value.
        if error.message.starts_with("unknown ") {
            return None;
        }
        let quotes =
            |text: &str| ['\'', '`', '"'].iter().any(|mark| error.message.contains(&format!("{mark}{text}{mark}")));
        self.parameters.iter().filter(|parameter| parameter.kind == Kind::Text).find_map(|parameter| {
            let Parameter { name, description, default, .. } = parameter;
            let text = value(name).or(default.as_deref()).filter(|text| !text.is_empty() && quotes(text))?;
            let message = format!("invalid value for `{name}` of `{}`: `{text}`: {}", self.name, error.message);
            Some(Error::with_field(codes::INVALID_VALUE, name, message, format!("pass another value: {description}")))
        })
    }
}

impl Questions {
    /// Returns the questions, in the order of the configuration.
    pub fn as_slice(&self) -> &[Question] {
        &self.0
    }

    /// Returns the question with this name.
    ///
    /// # Errors
    /// Fails if the question doesn't exist. The error suggests a similar name.
    pub fn find(&self, name: &str) -> Result<&Question, Error> {
        self.0.iter().find(|question| question.name == name).ok_or_else(|| {
            let similar = suggestion(name, self.0.iter().map(|question| question.name.as_str()));
            Error::for_command(
                format!("unknown question `{name}`{similar}"),
                "run `dayledger ask` to list the questions, or add one to the configuration file (docs/questions.md)",
            )
        })
    }
}
