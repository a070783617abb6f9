//! Statements that users write: their limits, and the result of exceeding them.

#![cfg(test)]

pub(crate) mod hostile;
mod limits;
mod repeated;
