//! dayledger answers "what did I do?" from the `ManicTime` history on this machine.

pub mod activity;
