//! What a request can name that a history does not hold.

use crate::code::codes;

codes! {
    UNKNOWN_TIMELINE: "The history has no timeline with that id.",
    UNKNOWN_DEVICE: "The history has no device with that name; `allowed` lists those it has.",
    UNKNOWN_NAME: "The model has no table or function of that name.",
}
