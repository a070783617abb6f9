//! As whom the API is asked.

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

use crate::refusal::{Code, Refusal};

/// How long the Azure CLI may take: a second is usual, and a first login of the day takes some. Well below the minute that a
/// call of a tool may take, so that the caller learns that `az` hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// Proves to the API who asks. Nothing shows it.
#[derive(Clone)]
pub struct Token(String);

/// Where tokens come from. Each operation asks for one of its own, so that another login holds at once.
#[async_trait]
pub trait TokenSource: Send + Sync {
    /// A token for one operation, or `AUTHENTICATION_ERROR` with what to do.
    async fn token(&self) -> Result<Token, Refusal>;
}

impl Token {
    /// What the API is to be shown.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    /// The id of its user in the directory, as the API reads it: `oid`, else `sub`. None where the token is of another
    /// kind. It is no proof of anything here, and nothing rests on it but which entries are the user's own.
    pub(super) fn owner(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Claims {
            oid: Option<String>,
            sub: Option<String>,
        }

        let claims = URL_SAFE_NO_PAD.decode(self.0.split('.').nth(1)?.trim_end_matches('=')).ok()?;
        let Claims { oid, sub } = serde_json::from_slice(&claims).ok()?;
        oid.or(sub)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(..)")
    }
}

/// Whoever is logged in to the Azure CLI, asked anew each time.
#[derive(Debug, Clone)]
pub struct AzureCli {
    scope: String,
    path: Option<OsString>,
}

impl AzureCli {
    /// Tokens for that scope, such as `api://<app-id>/.default`.
    pub fn new(scope: impl Into<String>) -> Self {
        Self { scope: scope.into(), path: None }
    }

    /// The same, with `az` looked for in other folders than those of `PATH`, in the form of that variable.
    #[must_use]
    pub fn searched_in(self, path: impl Into<OsString>) -> Self {
        Self { path: Some(path.into()), ..self }
    }
}

#[async_trait]
impl TokenSource for AzureCli {
    async fn token(&self) -> Result<Token, Refusal> {
        let executor: Arc<dyn Executor> = Arc::new(Shell { path: self.path.clone() });
        let options = AzureCliCredentialOptions { executor: Some(executor), ..Default::default() };
        let credential = AzureCliCredential::new(Some(options)).map_err(|_| self.refusal(&Trouble::Failing))?;
        let scopes = [self.scope.as_str()];
        let asked = tokio::time::timeout(PATIENCE, credential.get_token(&scopes, None));
        match asked.await {
            Ok(Ok(token)) => Ok(Token::new(token.token.secret())),
            Ok(Err(error)) if error.to_string().contains("not found on PATH") => Err(self.refusal(&Trouble::Missing)),
            Ok(Err(_)) => Err(self.refusal(&Trouble::Failing)),
            Err(_) => Err(self.refusal(&Trouble::Silent)),
        }
    }
}

/// Why there is no token.
enum Trouble {
    Missing,
    Failing,
    Silent,
}

impl AzureCli {
    /// Without what `az` itself says, in which names and addresses may be.
    fn refusal(&self, trouble: &Trouble) -> Refusal {
        let scope = &self.scope;
        let message = match trouble {
            Trouble::Missing => {
                "Azure CLI authentication required, and `az` was not found on the PATH: install the Azure CLI, then run \
                 `az login`"
                    .to_owned()
            }
            Trouble::Failing => format!(
                "Azure CLI authentication required: run `az login`. If it stays so, `az account get-access-token \
                 --scope {scope}` says why"
            ),
            Trouble::Silent => format!(
                "Azure CLI authentication required: `az` gave no answer within {} seconds. Run `az login`",
                PATIENCE.as_secs()
            ),
        };
        Refusal::new(Code::AuthenticationError, message)
    }
}

/// Runs `az` as `azure_identity` asks for it, and ends it where nobody waits for it any more.
#[derive(Debug)]
struct Shell {
    path: Option<OsString>,
}

#[async_trait]
impl Executor for Shell {
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

    fn token(claims: &str) -> Token {
        Token::new(format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims)))
    }

    #[test]
    fn a_token_says_whose_it_is() {
        assert_eq!(token(r#"{"oid":"o","sub":"s"}"#).owner().as_deref(), Some("o"));
        assert_eq!(token(r#"{"sub":"s"}"#).owner().as_deref(), Some("s"));
        for odd in [token("{}"), token("[]"), Token::new("opaque"), Token::new("a.b.c"), Token::new("")] {
            assert_eq!(odd.owner(), None);
        }
        assert_eq!(format!("{:?}", token("{}")), "Token(..)");
    }
}
