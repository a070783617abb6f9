//! Converts refusals to the error type of the whole program.

use crate::codes;
use crate::refusal::{Code as Kind, Refusal};
use dayledger_core::Error;
use dayledger_core::code::Code;

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let (code, hint) = (code(refusal.code), hint(&refusal));
        let mut error = Self::new(code, refusal.message, hint).with_allowed(refusal.allowed_values);
        error.field = refusal.field;
        error
    }
}

/// The maximum number of allowed values in a hint.
const MAX_HINT_VALUES: usize = 3;

/// Returns the error code of the program for a kind of refusal.
fn code(kind: Kind) -> Code {
    match kind {
        Kind::ValidationError => codes::VALIDATION_ERROR,
        Kind::NotFound => codes::NOT_FOUND,
        Kind::Forbidden => codes::FORBIDDEN,
        Kind::AuthenticationError => codes::AUTHENTICATION_ERROR,
        Kind::NetworkError => codes::NETWORK_ERROR,
        Kind::InternalError => codes::INTERNAL_ERROR,
    }
}

/// Returns a hint that says how to correct the refused call.
fn hint(refusal: &Refusal) -> String {
    let allowed =
        refusal.allowed_values.iter().take(MAX_HINT_VALUES).map(|value| format!("`{value}`")).collect::<Vec<_>>();
    match refusal.code {
        Kind::ValidationError if refusal.allowed_values.len() > MAX_HINT_VALUES => {
            format!("use {}, …", allowed.join(", "))
        }
        Kind::ValidationError if !allowed.is_empty() => format!("use {}", allowed.join(" or ")),
        Kind::ValidationError => match refusal.field.as_deref() {
            Some("file") => "correct the file, and import it again".to_owned(),
            Some(field) => format!("correct `{field}`"),
            None => "correct the values in the message".to_owned(),
        },
        Kind::NotFound => "check the ID in the list of entries".to_owned(),
        // A message that starts with `Cannot` means that the entry's status doesn't allow the operation. Any other
        // `FORBIDDEN` message means that the user lacks a permission.
        Kind::Forbidden if refusal.message.starts_with("Cannot ") => "change only open or declined entries".to_owned(),
        Kind::Forbidden => "check the code of the project, or ask its manager for access".to_owned(),
        Kind::AuthenticationError if refusal.field.as_deref() == Some("scope") => {
            "set `scope` of `[timesheet]` to the scope of the API, such as `api://<app-id>/.default`".to_owned()
        }
        Kind::AuthenticationError => "log in with `az login`".to_owned(),
        Kind::NetworkError | Kind::InternalError => "try again: nothing is logged twice".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_codes_have_the_names_of_the_contract() {
        let kinds = [
            Kind::ValidationError,
            Kind::NotFound,
            Kind::Forbidden,
            Kind::AuthenticationError,
            Kind::NetworkError,
            Kind::InternalError,
        ];
        for kind in kinds {
            assert_eq!(code(kind).as_str(), kind.to_string());
        }
        let confirmations = [codes::CONFIRMATION_REQUIRED, codes::NOT_CONFIRMED];
        assert_eq!(codes::ALL.len(), kinds.len() + confirmations.len());
    }

    /// In the past, a call that failed because of a missing permission got a hint about the entry's status. That hint
    /// was unrelated to the error.
    #[test]
    fn a_hint_depends_on_the_kind_of_error() {
        let forbidden = |message: &str| hint(&Refusal::new(Kind::Forbidden, message));
        assert!(forbidden("User does not have permission 'E' on project 'X'").contains("for access"));
        assert!(forbidden("Cannot update time entry in SUBMITTED status").contains("open or declined"));
        let task = Refusal::invalid("task", "Task 'x' is not available");
        assert_eq!(hint(&task), "correct `task`");
        assert_eq!(hint(&Refusal::invalid("file", "it lacks a column")), "correct the file, and import it again");
        assert_eq!(hint(&task.clone().with_allowed(["Support", "Testing"])), "use `Support` or `Testing`");
        let token = Refusal { field: Some("scope".to_owned()), ..Refusal::new(Kind::AuthenticationError, "not a JWT") };
        assert!(hint(&token).contains("`scope` of `[timesheet]`"));
        assert_eq!(hint(&task.with_allowed(["A", "B", "C", "D"])), "use `A`, `B`, `C`, …");
    }
}
