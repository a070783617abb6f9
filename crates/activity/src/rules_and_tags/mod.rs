//! The purpose of time, from the user's tags and rules: tags, clients with their tasks, and the use of each rule.
//!
//! Start reading at [`TagsRequest`] for tags and at [`RuleUseRequest`] for rules. `rule_functions` makes rules available
//! in SQL.

mod client_hours;
pub(super) mod client_totals;
mod proposals;
pub(super) mod purposes;
pub(super) mod rule_functions;
mod rule_use;
pub(super) mod tagged_time;
mod tags;
mod unmatched;

pub use client_hours::{ClientDay, ClientHours, ClientHoursRequest, ClientSummary};
pub use client_totals::{ClientTotal, ClientTotals};
pub use proposals::RuleProposal;
pub use purposes::{ClientTime, Purposes, TaskTime, TimeSpent};
pub use rule_use::{Coverage, RuleExample, RuleTotal, RuleUse, RuleUseRequest};
pub use tagged_time::TaggedTime;
pub use tags::{TagEntry, Tags, TagsRequest};
pub use unmatched::UnmatchedWork;
