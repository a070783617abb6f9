//! Requests about a history, each with a typed request and a typed response.
//!
//! | folder | content |
//! |---|---|
//! | `time` | active and recorded time: segments, days, usage, reports |
//! | `rules_and_tags` | the purpose of time: tags, clients, rules |
//! | `history` | the history itself: timelines, dates, activities, health |
//! | `model` | the SQL model, its descriptions, statements of users |
//! | `screenshots` | screenshots of a time |
//!
//! All folders use the modules `response` (parts of responses), `filter` and `devices`. Each request has its own file.
//! Start reading at [`NarrativeRequest`], and at [`register`] for the views and functions in SQL.

pub mod codes;
mod devices;
mod filter;
mod history;
mod model;
mod response;
mod rules_and_tags;
mod screenshots;
mod time;

pub use dayledger_source::{ComputerState, Role};
pub use devices::{Environment, EnvironmentDevice, EnvironmentRequest};
pub use filter::Filter;
pub use history::*;
pub use model::*;
pub use response::{ApplicationTotal, Diagnostics, NamedTotal, ReasonCode, TimeBasis};
pub use rules_and_tags::*;
pub use screenshots::*;
pub use time::*;
