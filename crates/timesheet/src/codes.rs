//! Error codes of the timesheet tools.

use dayledger_core::code::codes;

codes! {
    VALIDATION_ERROR: "The input breaks a rule of the timesheet. `field` is the invalid field, and `allowedValues` \
                       lists its valid values.",
    NOT_FOUND: "The entry doesn't exist, or the draft is no longer stored.",
    CONFIRMATION_REQUIRED: "Nothing was changed, because the change cannot be undone and the user must agree first. If \
                            the user agrees to the change in `message`, call again with the argument `confirm`. Its \
                            value is in `allowedValues`.",
    NOT_CONFIRMED: "Nothing was changed, because the user declined the change, or closed the question of the client.",
    FORBIDDEN: "The entry's status or the user's permissions don't allow it.",
    AUTHENTICATION_ERROR: "The user isn't logged in to the company's timesheet, or the timesheet doesn't know the \
                           user.",
    NETWORK_ERROR: "The company's timesheet couldn't be reached. The request may have succeeded. Send it again \
                    unchanged.",
    INTERNAL_ERROR: "Any other failure. The request isn't the cause and may have succeeded. Send it again unchanged.",
}
