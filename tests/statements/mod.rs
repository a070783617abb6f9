//! Tests the statements that users write: their limits, and the results of exceeding the limits.

#![cfg(test)]

pub(crate) mod hostile;
mod limits;
mod repeated;
