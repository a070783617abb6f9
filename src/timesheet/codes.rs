//! What can be wrong with hours, in the codes of the timesheet's own contract.

use crate::code::codes;

codes! {
    VALIDATION_ERROR: "What was sent breaks a rule of the timesheet; `field` names it, `allowedValues` what could be there.",
    NOT_FOUND: "The timesheet has no such entry, or keeps no such draft any more.",
    FORBIDDEN: "The entry's status, or what the user may do, does not allow it.",
    AUTHENTICATION_ERROR: "Nobody is logged in to the company's timesheet, or not as somebody whom it knows.",
    NETWORK_ERROR: "The company's timesheet was not reached; what was asked for may have been done. Ask the same again.",
    INTERNAL_ERROR: "Anything else; what was asked for is not at fault, and may have been done. Ask the same again.",
}
