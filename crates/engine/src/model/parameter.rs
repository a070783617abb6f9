//! Parameters of the files in `sql/`.

use chrono::NaiveDateTime;
use dayledger_core::local_days::LocalDays;

/// A parameter of an SQL file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The name. The file uses it as `$name`.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// The value that is used if a call omits the parameter. `None` if the parameter is required.
    pub default: Option<f64>,
}

/// The kind of a parameter's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A local time: a timestamp, or a text in a format that tools also accept.
    Instant,
    /// A local time at which a day starts.
    DayStart,
    /// A number.
    Number,
    /// An integer.
    Count,
    /// A text.
    Text,
}

impl Kind {
    /// Whether a parameter of this kind accepts `end` as the end of a range.
    pub(crate) fn allows(self, end: NaiveDateTime) -> bool {
        self != Self::DayStart || LocalDays::current().is_day_start(end)
    }
}

impl Parameter {
    /// Creates a parameter for a local time.
    pub const fn instant(name: &'static str) -> Self {
        Self { name, kind: Kind::Instant, default: None }
    }

    /// Creates a parameter for a local time at which a day starts.
    pub const fn day_start(name: &'static str) -> Self {
        Self { name, kind: Kind::DayStart, default: None }
    }

    /// Creates a parameter for a text.
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: Kind::Text, default: None }
    }

    /// Creates a parameter for an integer.
    pub const fn count(name: &'static str) -> Self {
        Self { name, kind: Kind::Count, default: None }
    }

    /// Creates a parameter for a number.
    pub const fn number(name: &'static str) -> Self {
        Self { name, kind: Kind::Number, default: None }
    }

    /// Adds a default, so that calls can omit the parameter.
    #[must_use]
    pub const fn with_default(self, default: f64) -> Self {
        Self { default: Some(default), ..self }
    }
}
