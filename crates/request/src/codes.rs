//! Error codes that any request can return.

use dayledger_core::code::codes;

codes! {
    INVALID_DATE: "The text isn't a date, a local date-time or a range of dates, or the date doesn't exist.",
    INVALID_RANGE: "The range is empty, ends before it starts, or is a time without an end.",
    RANGE_TOO_LONG: "The range is longer than the tool allows.",
    INVALID_NUMBER: "A number is below its minimum.",
    INVALID_CURSOR: "The cursor doesn't come from a response to the same request.",
}
