//! Error codes that any request can return.

use crate::code::codes;

codes! {
    INVALID_DATE: "Text that names no date, local date-time or range of dates, or one that does not exist.",
    INVALID_RANGE: "The range is empty, ends before it starts, or is an instant without an end.",
    RANGE_TOO_LONG: "The range is longer than the tool allows.",
    INVALID_NUMBER: "A number is below its minimum.",
    INVALID_CURSOR: "The cursor is not from a response, or from the response to another request.",
}
