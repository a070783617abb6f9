//! The rules of the house, read off its files: which room may call which, where SQL stands, what files are called.

#![cfg(test)]

mod imports;
mod names;
mod rooms;
pub(crate) mod sources;
mod sql_files;
