//! The notes from outside.

#![cfg(test)]
