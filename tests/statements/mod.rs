//! Statements that somebody wrote: what they may cost, and what happens to those that would cost more.

#![cfg(test)]

pub(crate) mod hostile;
mod limits;
mod repeated;
