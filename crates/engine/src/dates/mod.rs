//! Local dates and times in text.
//!
//! - `span`: periods and times that users write, such as `last week`. Start with [`Span`](span::Span).
//! - `instant`: complete dates and times, such as `2025-01-15T09:30`.

pub(crate) mod instant;
pub(crate) mod span;
