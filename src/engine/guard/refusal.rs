//! Why a statement is refused or stopped before its memory or its time is over.

use datafusion::common::DataFusionError;

/// The longest statement. A page of SQL has some 3 KiB.
pub(super) const MOST_BYTES: usize = 64 << 10;

/// Why a statement is refused or stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(in crate::engine) enum Refusal {
    #[error("the statement has more than {} KiB of text", MOST_BYTES >> 10)]
    Text,
    #[error("the statement is nested too deeply or has too many operators")]
    Nesting,
    #[error("the statement grows too large when its parts are put together")]
    Plan,
    #[error("a join makes or compares too many rows")]
    Joined,
}

impl From<Refusal> for DataFusionError {
    fn from(refusal: Refusal) -> Self {
        Self::External(Box::new(refusal))
    }
}

/// The refusal that an error of DataFusion carries.
pub(in crate::engine) fn refusal_in(error: &DataFusionError) -> Option<&Refusal> {
    match error {
        DataFusionError::External(inner) => inner.downcast_ref(),
        _ => None,
    }
}
