//! Error codes of requests about a history.

use crate::code::codes;

codes! {
    UNKNOWN_TIMELINE: "The history has no timeline with that id.",
    UNKNOWN_DEVICE: "The history has no device with that name; `allowed` lists those it has.",
    UNKNOWN_NAME: "The model has no table or function of that name.",
    FILTER_NEEDS_ACTIVE_TIME: "Recorded time cannot be filtered: ManicTime's hourly totals do not show what was open at once.",
}
