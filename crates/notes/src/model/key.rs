//! API keys.

use std::fmt;

use reqwest::header::HeaderValue;

/// An API key. It is never shown.
#[derive(Clone)]
pub struct Key {
    secret: String,
    header: HeaderValue,
}

/// The text isn't a valid key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid key: it must contain only ASCII characters without blanks. Copy it again")]
pub struct InvalidKey;

impl Key {
    /// Reads a key and trims it; a blank text gives `None`.
    ///
    /// # Errors
    ///
    /// [`InvalidKey`], which doesn't repeat the text.
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

    /// Redacts the key in a text of others.
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
