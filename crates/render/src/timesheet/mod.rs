//! Shows timesheets. Weeks, balances, drafts, logged rows, pushed rows, projects and suggested rules each have their
//! own file. The timer is in `logged`. The texts that several files use are in `wording`.

mod balance;
mod draft;
mod import;
mod logged;
mod obstacles;
mod projects;
mod push;
mod rules;
mod week;
mod wording;

pub use balance::write_balance;
pub use draft::{write_draft, write_nothing_to_log};
pub use import::write_import;
pub use logged::{count_entries, write_logged, write_reopened, write_started, write_stopped, write_submitted};
pub use projects::write_projects;
pub use push::{write_push_plan, write_pushed};
pub use rules::write_proposed_rules;
pub use week::write_week;
