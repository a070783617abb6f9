//! Formats responses for people: days, periods, timesheets and SQL results in the terminal, and days as a web page.
//!
//! This crate doesn't run requests or compute numbers. It doesn't read environment variables, so the caller describes
//! the terminal in [`TerminalFacts`]. Its functions write only to the writer that they receive.
//!
//! Invariants: a page ([`Page`]) loads no files, runs no scripts, and contains no folder names or URLs. The output of a
//! day or a period is never wider than [`Style::width`]. Control characters in names from the history never reach the
//! terminal. If the style has no colours, the output contains no escape sequences.
//!
//! Start reading in `day` for the terminal, in `html` for pages, and in `table` for rows of SQL.

mod away;
mod bars;
mod color;
mod columns;
mod day;
mod doctor;
mod find;
mod grid;
mod health;
mod html;
mod model;
mod notes;
mod period;
mod rules;
mod sections;
mod statement;
mod style;
mod table;
mod text;
mod timeline;
mod timesheet;
mod why;

#[cfg(test)]
mod tests;

pub use day::write_day;
pub use doctor::{
    write_calendars, write_configuration, write_counted_calls, write_local_days, write_notes_state,
    write_other_histories, write_privacy_settings, write_questions, write_zone_data,
};
pub use find::write_found;
pub use grid::TableFit;
pub use health::write_health;
pub use html::{ClientPage, ClientPageHours, Page, is_page};
pub use model::{write_function, write_functions, write_lines, write_table, write_tables};
pub use notes::{write_action_items, write_note_list};
pub use period::write_period;
pub use rules::write_rule_use;
pub use sections::{pluralize, write_note};
pub use statement::{paint_statement, write_mistake};
pub use style::is_own_color;
pub use style::{ColorDepth, Style, TerminalFacts, detect};
pub use table::{Format, RowStyle, is_plan, write_batches, write_for_screen, write_plans};
pub use text::is_unsafe_char;
pub use timesheet::{
    count_entries, write_balance, write_draft, write_import, write_logged, write_nothing_to_log, write_projects,
    write_proposed_rules, write_push_plan, write_pushed, write_reopened, write_started, write_stopped, write_submitted,
    write_week,
};
pub use why::write_why;
