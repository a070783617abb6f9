//! The URL of an API.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;
use serde::Serialize;
use serde_with::DeserializeFromStr;

/// The URL of an API to which a token may be sent: `https`, or `http` on this machine. The complete URL is serialised
/// for other processes of this program. The displayed URL lacks the query.
#[derive(Clone, PartialEq, Eq, Serialize, DeserializeFromStr)]
#[serde(into = "String")]
pub struct Endpoint(Url);

/// The error for a text that isn't a valid URL of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidEndpoint {
    /// The text isn't a URL with a host.
    #[error("not an address such as `https://time.example.com`")]
    NotAnAddress,
    /// The URL uses neither `https` nor `http` on this machine. The token would therefore be sent unencrypted.
    #[error("not secure: use `https`, or `http` only on this machine, such as `http://localhost:5001`")]
    Insecure,
    /// The URL contains a user or a password, which would appear in messages.
    #[error("not allowed to contain a user or a password")]
    WithPassword,
}

impl Endpoint {
    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// Returns this URL without slashes at the end of its path. The URL of a folder is then the same with and without a
    /// slash. Parsing has already converted the host to lower case, and has removed the default port.
    #[must_use]
    pub(crate) fn without_trailing_slash(mut self) -> Self {
        let path = self.0.path().trim_end_matches('/').to_owned();
        self.0.set_path(&path);
        self
    }

    /// Whether the API runs on this machine. A local API is called without a proxy.
    pub(super) fn is_local(&self) -> bool {
        match self.0.host_str() {
            Some("localhost") => true,
            // The host of an IPv6 URL is in square brackets.
            Some(host) => {
                let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
                address.is_ok_and(|address| address.is_loopback())
            }
            None => false,
        }
    }
}

impl From<Endpoint> for String {
    fn from(endpoint: Endpoint) -> Self {
        endpoint.0.into()
    }
}

impl FromStr for Endpoint {
    type Err = InvalidEndpoint;

    fn from_str(text: &str) -> Result<Self, InvalidEndpoint> {
        let endpoint = Self(Url::parse(text).map_err(|_| InvalidEndpoint::NotAnAddress)?);
        if !endpoint.0.has_host() {
            return Err(InvalidEndpoint::NotAnAddress);
        }
        if !endpoint.0.username().is_empty() || endpoint.0.password().is_some() {
            return Err(InvalidEndpoint::WithPassword);
        }
        match endpoint.0.scheme() {
            "https" => Ok(endpoint),
            "http" if endpoint.is_local() => Ok(endpoint),
            _ => Err(InvalidEndpoint::Insecure),
        }
    }
}

impl fmt::Display for Endpoint {
    /// Formats the URL without its query, because the query may contain a key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, authority, path) = (self.0.scheme(), self.0.authority(), self.0.path());
        write!(formatter, "{scheme}://{authority}{path}")
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Endpoint({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_never_sent_unencrypted() {
        for text in [
            "https://time.example.com/graphql",
            "http://localhost:5001/graphql",
            "http://127.0.0.1:5001/graphql",
            "http://127.8.8.8/graphql",
            "http://[::1]:5001/graphql",
        ] {
            assert!(text.parse::<Endpoint>().is_ok(), "{text}");
        }
        for (text, expected) in [
            ("http://time.example.com/graphql", InvalidEndpoint::Insecure),
            ("http://10.0.0.1/graphql", InvalidEndpoint::Insecure),
            ("http://localhost.example.com/", InvalidEndpoint::Insecure),
            ("http://127.0.0.1.example.com/", InvalidEndpoint::Insecure),
            ("ftp://localhost/graphql", InvalidEndpoint::Insecure),
            ("https://me:secret@time.example.com/graphql", InvalidEndpoint::WithPassword),
            ("time.example.com/graphql", InvalidEndpoint::NotAnAddress),
            ("file:///graphql", InvalidEndpoint::NotAnAddress),
            ("", InvalidEndpoint::NotAnAddress),
        ] {
            assert_eq!(text.parse::<Endpoint>(), Err(expected), "{text}");
        }
    }

    #[test]
    fn messages_contain_no_key() {
        let endpoint: Endpoint = "https://time.example.com/graphql?key=secret#part".parse().unwrap();
        assert_eq!(endpoint.to_string(), "https://time.example.com/graphql");
        assert_eq!(format!("{endpoint:?}"), "Endpoint(https://time.example.com/graphql)");
    }
}
