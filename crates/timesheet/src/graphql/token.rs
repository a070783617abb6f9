//! Authentication with access tokens.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use azure_core::credentials::TokenCredential;
use azure_identity::{AzureCliCredential, AzureCliCredentialOptions, Executor};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use crate::http;
use crate::refusal::{Code, Refusal};

/// The timeout of the Azure CLI, which usually needs one second. The first login of a day takes longer. A tool call may
/// take one minute. This timeout is much shorter, so that the caller gets an error message if `az` hangs.
const TIMEOUT: Duration = Duration::from_secs(30);

/// An access token for the API, and the id of its user. The token is never shown.
#[derive(Clone)]
pub struct Token {
    secret: String,
    owner: String,
}

/// A source of tokens. Each operation gets a new token, so that logging in as another user takes effect immediately.
#[async_trait]
pub trait TokenSource: Send + Sync {
    /// Returns a token for one operation, or `AUTHENTICATION_ERROR` with advice on what to do.
    async fn token(&self) -> Result<Token, Refusal>;
}

impl Token {
    /// Creates a token from its text and reads its user.
    ///
    /// # Errors
    ///
    /// `AUTHENTICATION_ERROR` if the text isn't a JWT or doesn't contain a user. Without a user, the entries of all
    /// users would count as the user's own.
    pub fn new(secret: impl Into<String>) -> Result<Self, Refusal> {
        let secret = secret.into();
        match owner(&secret) {
            Some(owner) => Ok(Self { secret, owner }),
            None => Err(Refusal {
                field: Some("scope".to_owned()),
                ..Refusal::new(
                    Code::AuthenticationError,
                    "cannot determine the user: the access token is not a JWT with the claim `oid` or `sub`",
                )
            }),
        }
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    /// Returns the id of the token's user in the company's directory. The signature isn't checked, because the id only
    /// decides which entries belong to the user.
    pub(super) fn owner(&self) -> &str {
        &self.owner
    }

    /// Replaces the token in a text, and also long parts of the token. A server may repeat such a part in its response.
    pub(super) fn redact(&self, text: &str) -> String {
        http::redact(&self.secret, text)
    }
}

/// Returns the user id in a JWT. Like the API, this function prefers the claim `oid` to `sub`.
fn owner(secret: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Claims {
        oid: Option<String>,
        sub: Option<String>,
    }

    let parts: Vec<_> = secret.split('.').collect();
    let [_, claims, _] = parts[..] else { return None };
    let claims = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    let Claims { oid, sub } = serde_json::from_slice(&claims).ok()?;
    oid.or(sub).filter(|owner| !owner.is_empty())
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(..)")
    }
}

/// Gets tokens for the user who is logged in to the Azure CLI. Each operation asks the CLI again.
#[derive(Debug, Clone)]
pub struct AzureCli {
    scope: String,
    path: Option<OsString>,
}

impl AzureCli {
    /// Creates a source of tokens for a scope of the API, such as `api://<app-id>/.default`.
    pub fn new(scope: impl Into<String>) -> Self {
        Self { scope: scope.into(), path: None }
    }

    /// Searches for `az` in `path` instead of `PATH`. The value has the format of `PATH`.
    #[must_use]
    pub fn with_search_path(self, path: impl Into<OsString>) -> Self {
        Self { path: Some(path.into()), ..self }
    }
}

#[async_trait]
impl TokenSource for AzureCli {
    async fn token(&self) -> Result<Token, Refusal> {
        let executor: Arc<dyn Executor> = Arc::new(CliExecutor { path: self.path.clone() });
        let options = AzureCliCredentialOptions { executor: Some(executor), ..Default::default() };
        let scope = self.scope.as_str();
        let failing = || {
            authentication_error(format_args!(
                ": run `az login`. If the error remains, `az account get-access-token --scope {scope}` shows the reason"
            ))
        };
        let credential = AzureCliCredential::new(Some(options)).map_err(|_| failing())?;
        let scopes = [scope];
        let asked = tokio::time::timeout(TIMEOUT, credential.get_token(&scopes, None));
        match asked.await {
            Ok(Ok(token)) => Token::new(token.token.secret()),
            Ok(Err(error)) if error.to_string().contains("not found on PATH") => Err(authentication_error(
                ", and `az` was not found on the PATH: install the Azure CLI, then run `az login`",
            )),
            Ok(Err(_)) => Err(failing()),
            Err(_) => {
                let seconds = TIMEOUT.as_secs();
                Err(authentication_error(format_args!(
                    ": `az` did not respond within {seconds} seconds. Run `az login`"
                )))
            }
        }
    }
}

/// Returns a refusal without the output of `az`, because the output can contain names and email addresses.
fn authentication_error(why: impl fmt::Display) -> Refusal {
    Refusal::new(Code::AuthenticationError, format!("Azure CLI authentication required{why}"))
}

/// Runs `az` for `azure_identity`. The process is killed when the future is dropped.
#[derive(Debug)]
struct CliExecutor {
    path: Option<OsString>,
}

#[async_trait]
impl Executor for CliExecutor {
    async fn run(&self, program: &OsStr, args: &[&OsStr]) -> io::Result<Output> {
        let mut command = tokio::process::Command::new(program);
        command.args(args).stdin(Stdio::null()).kill_on_drop(true);
        if let Some(path) = &self.path {
            command.env("PATH", path);
        }
        command.output().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(claims: &str) -> Result<Token, Refusal> {
        Token::new(format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims)))
    }

    #[test]
    fn token_names_its_user() {
        assert_eq!(token(r#"{"oid":"o","sub":"s"}"#).unwrap().owner(), "o");
        assert_eq!(token(r#"{"sub":"s"}"#).unwrap().owner(), "s");
        assert_eq!(format!("{:?}", token(r#"{"sub":"s"}"#).unwrap()), "Token(..)");
    }

    #[test]
    fn a_token_that_names_no_user_is_refused() {
        let two_parts = format!("e30.{}", URL_SAFE_NO_PAD.encode(r#"{"sub":"s"}"#));
        for odd in [token("{}"), token("[]"), token(r#"{"oid":""}"#)]
            .into_iter()
            .chain(["opaque", "a.b.c", "", &two_parts].map(Token::new))
        {
            let refusal = odd.unwrap_err();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::AuthenticationError, Some("scope")));
            assert!(refusal.message.contains("not a JWT"), "{refusal}");
        }
    }

    #[test]
    fn token_is_redacted_in_texts() {
        let token = token(r#"{"oid":"6f9619ff-8b86-d011-b42d-00c04fc964ff","name":"Ana"}"#).unwrap();
        let whole = token.secret().to_owned();
        let claims = whole.split('.').nth(1).unwrap();
        for (text, expected) in [
            (format!("Invalid token '{whole}'."), "Invalid token '(token)'."),
            (format!("Bearer={whole}{whole};"), "Bearer=(token)(token);"),
            (format!("claims {claims} are unknown"), "claims (token) are unknown"),
            (format!("token {}...", &whole[..60]), "token e30.(token)..."),
            (format!("…{}", &claims[20..50]), "…(token)"),
            ("Task 'Entwicklungsumgebung' is not available".to_owned(), "Task 'Entwicklungsumgebung' is not available"),
        ] {
            assert_eq!(token.redact(&text), expected);
        }
    }
}
