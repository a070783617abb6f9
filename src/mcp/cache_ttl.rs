//! How long clients may cache lists and descriptions of the server.

/// How long a client may cache the server's description of itself, which changes only with the version of dayledger.
pub(super) const TTL_MS: u64 = 60 * 60 * 1000;

/// How long a client may cache the list of resources. Its entries never change, but they contain the time of the last
/// write to the history.
pub(super) const RESOURCES_TTL_MS: u64 = 60_000;
