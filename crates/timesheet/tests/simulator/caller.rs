//! Users of the simulated API, and their permissions (docs/spec/timesheet.md#permissions).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

/// The signature of every token that the simulated API accepts.
const SIGNATURE: &str = "issued-here";

/// A user of the API with permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(super) id: String,
    /// The permissions. Each has the form `Path=Letter,Letter`.
    acl: Vec<String>,
}

impl Caller {
    pub(crate) fn new(id: &str, acl: &[&str]) -> Self {
        Self { id: id.to_owned(), acl: acl.iter().map(|&entry| entry.to_owned()).collect() }
    }

    /// Returns a token of the user that the API accepts.
    pub(crate) fn token(&self) -> String {
        let claims = json!({"oid": self.id, "extn.TimeReportingACLv2": self.acl});
        format!("e30.{}.{SIGNATURE}", URL_SAFE_NO_PAD.encode(claims.to_string()))
    }

    /// Returns the user of a token, or `None` if this simulator didn't issue the token.
    pub(super) fn from_token(token: &str) -> Option<Self> {
        let claims = token.strip_prefix("e30.")?.strip_suffix(SIGNATURE)?.strip_suffix('.')?;
        let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()?;
        let acl = claims["extn.TimeReportingACLv2"].as_array()?.iter().filter_map(Value::as_str);
        Some(Self::new(claims["oid"].as_str()?, &acl.collect::<Vec<_>>()))
    }

    /// Whether the user has a permission on this project or on all projects.
    pub(super) fn has(&self, letter: &str, code: &str) -> bool {
        self.has_at(letter, "Project") || self.has_at(letter, &format!("Project/{code}"))
    }

    /// Whether the user manages this project. A manager can see the entries of other users on the project. The same
    /// permission on all projects doesn't make the user a manager.
    pub(super) fn manages(&self, code: &str) -> bool {
        self.has_at("M", &format!("Project/{code}"))
    }

    fn has_at(&self, letter: &str, path: &str) -> bool {
        let mut entries = self.acl.iter().filter_map(|entry| entry.split_once('='));
        entries.any(|(of, letters)| of == path && letters.split(',').any(|has| has == letter))
    }
}
