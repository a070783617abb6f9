//! Parameters of the files in `sql/`.

use chrono::{NaiveDateTime, NaiveTime};

/// A parameter of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name, written `$name` in the file.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What a call may leave out.
    pub default: Option<f64>,
}

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A local instant: a timestamp, or text that the tools' own parser reads.
    Instant,
    /// A local instant at which a day begins.
    Midnight,
    /// A number.
    Number,
    /// A whole number.
    Count,
    /// A text.
    Text,
}

impl Kind {
    /// Whether an end of a range may be that local instant.
    pub(super) fn allows(self, end: NaiveDateTime) -> bool {
        self != Self::Midnight || end.time() == NaiveTime::MIN
    }
}

impl Parameter {
    /// A local instant.
    pub const fn instant(name: &'static str) -> Self {
        Self { name, kind: Kind::Instant, default: None }
    }

    /// A local midnight.
    pub const fn midnight(name: &'static str) -> Self {
        Self { name, kind: Kind::Midnight, default: None }
    }

    /// A text.
    pub const fn text(name: &'static str) -> Self {
        Self { name, kind: Kind::Text, default: None }
    }

    /// A whole number.
    pub const fn count(name: &'static str) -> Self {
        Self { name, kind: Kind::Count, default: None }
    }

    /// A number.
    pub const fn number(name: &'static str) -> Self {
        Self { name, kind: Kind::Number, default: None }
    }

    /// The same parameter with a default.
    #[must_use]
    pub const fn with_default(self, default: f64) -> Self {
        Self { default: Some(default), ..self }
    }
}
