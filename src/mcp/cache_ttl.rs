//! How long clients may cache lists and descriptions of the server.

/// How long a client may keep what the server says of itself: it changes only with the program.
pub(super) const TTL_MS: u64 = 60 * 60 * 1000;

/// How long a client may keep the list of resources: its entries never change, but they tell when the history was last
/// written.
pub(super) const RESOURCES_TTL_MS: u64 = 60_000;
