//! Error codes of requests about a history.

use dayledger_core::code::codes;

codes! {
    UNKNOWN_TIMELINE: "The history doesn't have a timeline with this id.",
    UNKNOWN_DEVICE: "The history doesn't have a device with this name. `allowed` lists its devices.",
    UNKNOWN_NAME: "The model doesn't have a table or function with this name.",
    NO_WORDS: "The search has no words.",
    FILTER_NEEDS_ACTIVE_TIME: "Recorded time can't be filtered, because it doesn't show which windows were open \
                               simultaneously.",
}
