//! What the connections of the API share: what it keeps, what it was asked, and what is to go wrong.

use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::dynamic::Schema;
use serde_json::Value;
use tokio::sync::Notify;

use super::mishap::Mishap;
use super::store::Store;

/// What stands for the signature of a token that the API accepts.
pub(super) const ISSUER: &str = "issued-here";

/// A question that reached the API.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The name of the operation, such as `LogTime`.
    pub operation: String,
    /// Its variables.
    pub variables: Value,
    /// Who asked, if the token was one.
    pub caller: Option<String>,
}

/// What the connections share.
pub(super) struct Shared {
    pub(super) schema: Schema,
    pub(super) store: Arc<Mutex<Store>>,
    pub(super) asked: Mutex<Vec<Asked>>,
    pub(super) mishaps: Mutex<Vec<(String, Mishap)>>,
    pub(super) late: Notify,
    pub(super) came: Notify,
}

impl Shared {
    /// What is to go wrong with the next question of that operation; it goes wrong once.
    pub(super) fn mishap(&self, operation: &str) -> Option<Mishap> {
        let mut mishaps = self.mishaps.lock().unwrap_or_else(PoisonError::into_inner);
        let place = mishaps.iter().position(|(of, _)| of == operation)?;
        Some(mishaps.remove(place).1)
    }
}
