//! The URL and the API key of a model.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;
use reqwest::header::HeaderValue;

/// The places where a model may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Models may run only on this machine.
    #[default]
    ThisMachine,
    /// Models may run on any machine, because the user allowed that notes leave this machine.
    Anywhere,
}

/// The URL of a model to which notes may be sent. The displayed URL lacks the path and the query.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(Url);

/// The reason why a text isn't a valid URL of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAddress {
    /// The text isn't a URL with `http` or `https` and a host.
    #[error("not an address such as `http://localhost:11434/v1`")]
    NotAnAddress,
    /// The model isn't on this machine, and the user has not allowed that notes leave this machine.
    #[error(
        "not on this machine, unlike `http://localhost:11434/v1`; to send notes elsewhere, set `[notes] model_remote = true`"
    )]
    Remote,
    /// The key would be sent unencrypted.
    #[error("not secure: use `https` to send a key to another machine")]
    Insecure,
    /// The URL contains a user or a password. The password would appear in messages.
    #[error("not allowed to contain a user or a password")]
    WithPassword,
}

impl Address {
    /// Parses the URL of a model that is called without a key.
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a URL or contains a password, or if `reach` doesn't allow a model on that machine.
    pub fn read(text: &str, reach: Reach) -> Result<Self, InvalidAddress> {
        let address = Self::parse(text)?;
        match reach {
            Reach::ThisMachine if !address.is_local() => Err(InvalidAddress::Remote),
            Reach::ThisMachine | Reach::Anywhere => Ok(address),
        }
    }

    /// Parses the URL of an API to which a key is sent. The URL must use `https` or be on this machine.
    ///
    /// # Errors
    ///
    /// Fails if the text isn't a URL, contains a password, or would send the key unencrypted.
    pub fn read_for_key(text: &str) -> Result<Self, InvalidAddress> {
        let address = Self::parse(text)?;
        if address.is_encrypted() || address.is_local() { Ok(address) } else { Err(InvalidAddress::Insecure) }
    }

    fn parse(text: &str) -> Result<Self, InvalidAddress> {
        let url = Url::parse(text.trim()).map_err(|_| InvalidAddress::NotAnAddress)?;
        if !url.has_host() || !["http", "https"].contains(&url.scheme()) {
            return Err(InvalidAddress::NotAnAddress);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(InvalidAddress::WithPassword);
        }
        Ok(Self(url))
    }

    /// Whether the model runs on this machine.
    pub fn is_local(&self) -> bool {
        match self.0.host_str() {
            Some("localhost") => true,
            // The host in an IPv6 URL is in brackets.
            Some(host) => {
                let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
                // An IPv6 address such as `::ffff:127.0.0.1` contains an IPv4 address.
                address.is_ok_and(|address| address.to_canonical().is_loopback())
            }
            None => false,
        }
    }

    /// Whether the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns this URL with `segments` appended to its path.
    pub(super) fn join(&self, segments: &[&str]) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// Returns the path of the URL without a trailing slash.
    pub(super) fn path(&self) -> &str {
        self.0.path().trim_end_matches('/')
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}", self.0.scheme(), self.0.authority())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Address({self})")
    }
}

/// An API key. It is never shown.
#[derive(Clone)]
pub struct Key {
    secret: String,
    header: HeaderValue,
}

/// The error for a text that isn't a valid API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid key: it must contain only ASCII characters without blanks. Copy it again")]
pub struct InvalidKey;

impl Key {
    /// Parses an API key. White space around the key is removed. A blank text gives `None`.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`] if the text isn't a valid key. The error doesn't contain the text.
    pub fn read(text: &str) -> Result<Option<Self>, InvalidKey> {
        let secret = text.trim();
        if secret.is_empty() {
            return Ok(None);
        }
        if !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(InvalidKey);
        }
        let mut header = HeaderValue::from_str(secret).map_err(|_| InvalidKey)?;
        header.set_sensitive(true);
        Ok(Some(Self { secret: secret.to_owned(), header }))
    }

    pub(super) fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Redacts the key in a text from a server, because the server may repeat the key in its errors.
    pub(super) fn redact(&self, text: &str) -> String {
        text.replace(&self.secret, "..")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_stay_on_this_machine_unless_the_user_allows_more() {
        for text in ["http://localhost:11434/v1", "http://127.0.0.1:1234", "http://[::1]:8080/v1", "https://127.8.8.8"]
        {
            assert!(Address::read(text, Reach::ThisMachine).is_ok(), "{text}");
        }
        for text in [
            "http://192.168.1.20:11434/v1",
            "https://models.example.com/v1",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://0.0.0.0:11434",
            "http://[::]:11434",
        ] {
            assert_eq!(Address::read(text, Reach::ThisMachine), Err(InvalidAddress::Remote), "{text}");
            assert!(Address::read(text, Reach::Anywhere).is_ok(), "{text}");
        }
        for text in ["localhost:11434", "ftp://localhost", "file:///etc/passwd", "unix:/run/model", "", "http://"] {
            assert_eq!(Address::read(text, Reach::Anywhere), Err(InvalidAddress::NotAnAddress), "{text}");
        }
        assert_eq!(Address::read("http://me:pw@localhost", Reach::Anywhere), Err(InvalidAddress::WithPassword));
    }

    #[test]
    fn key_is_never_sent_unencrypted() {
        assert!(Address::read_for_key("https://api.anthropic.com").is_ok());
        assert!(Address::read_for_key("http://localhost:8080").is_ok());
        assert_eq!(Address::read_for_key("http://api.anthropic.com"), Err(InvalidAddress::Insecure));
    }

    #[test]
    fn displayed_address_has_no_query() {
        let address = Address::read("http://localhost:1/v1?key=secret", Reach::ThisMachine).unwrap();
        assert_eq!(format!("{address} {address:?}"), "http://localhost:1 Address(http://localhost:1)");
    }

    #[test]
    fn key_is_never_shown() {
        let key = Key::read(" sk-ant-secret\n").unwrap().unwrap();
        assert_eq!(key.header(), "sk-ant-secret");
        assert!(!format!("{key:?} {:?}", key.header()).contains("secret"));
        for text in ["sk-ant-secret sk", "sk-ant-sécret", "sk\u{7f}secret", "sk-ant\r\nx-secret: 1"] {
            assert!(!Key::read(text).unwrap_err().to_string().contains("secret"), "{text}");
        }
        assert!(Key::read(" \n").unwrap().is_none());
    }
}
