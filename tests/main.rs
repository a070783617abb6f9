//! Black-box tests, in one binary because linking is dear.

mod cli;
mod documentation;
mod histories;
mod house;
mod manictime;
mod mcp;
mod privacy;
mod properties;
mod sql;
mod statements;
