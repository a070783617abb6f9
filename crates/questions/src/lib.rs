//! The user's saved questions. A saved question is an SQL statement with a name, a description and typed parameters.
//!
//! This crate reads questions from the configuration file, checks them, and converts values that a caller passes as
//! text. It doesn't run statements: [`Question::statement`] returns a statement for the engine, which treats this
//! statement like any other statement of a user. The command line and the MCP server show questions.
//!
//! Start reading at [`Questions::from_config`].
//!
//! Invariants: a [`Question`] contains exactly one `SELECT`. The statement uses all parameters of the question, and no
//! others. Each default is a valid value.

mod config;
mod parameter;
mod question;

/// The error codes of the values of saved questions.
pub mod codes {
    use dayledger_core::code::codes;

    codes! {
        INVALID_VALUE: "A value of a saved question is missing, isn't a number, or isn't one of the allowed values.",
    }
}

pub use config::{InvalidQuestion, QuestionConfig};
pub use parameter::{Kind, Parameter};
pub use question::{Question, Questions};
