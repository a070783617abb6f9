//! Why a statement is rejected or stopped before it reaches its limits of memory or time.

use datafusion::common::DataFusionError;

/// The maximum size of a statement. A page of SQL has about 3 KiB.
pub(super) const MAX_STATEMENT_BYTES: usize = 64 << 10;

/// Why a statement is rejected or stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the statement is too long: its text exceeds {} KiB", MAX_STATEMENT_BYTES >> 10)]
    Text,
    #[error("the statement is nested too deeply or has too many operators")]
    Nesting,
    #[error("the statement is too large after its views and functions are expanded")]
    Plan,
    #[error("a join produces or compares too many rows")]
    Joined,
}

impl From<Refusal> for DataFusionError {
    fn from(refusal: Refusal) -> Self {
        Self::External(Box::new(refusal))
    }
}

/// Returns the refusal inside a DataFusion error.
pub(crate) fn refusal_in(error: &DataFusionError) -> Option<&Refusal> {
    match error {
        DataFusionError::External(inner) => inner.downcast_ref(),
        _ => None,
    }
}
