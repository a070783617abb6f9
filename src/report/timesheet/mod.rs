//! Timesheets: a week, a draft, what was booked, projects, work that goes on.

mod booked;
mod draft;
mod projects;
mod rules;
mod running;
mod week;
mod wording;

pub use booked::{write_booked, write_reopened, write_submitted};
pub use draft::write_draft;
pub use projects::write_projects;
pub use rules::write_proposed_rules;
pub use running::{write_started, write_stopped};
pub use week::write_week;
