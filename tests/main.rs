//! The black-box tests. They are in one binary, because linking is slow.

mod cli;
mod documentation;
mod histories;
mod manictime;
mod mcp;
mod privacy;
mod properties;
mod source;
mod source_rules;
mod sql;
mod statements;
