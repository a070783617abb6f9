//! What a text is by its place, and what is told of it there.
//!
//! The text of a website's row *is* an address or the title of a page, that of a document's row *is* a path: whatever
//! it looks like, no more is told of it than what the strict reader reads (`strict_addresses`). Where nothing tells which of
//! both it is, it counts as both. Titles, notes and words of the user's are free texts
//! ([`free_text`](super::free_text)).

use std::borrow::Cow;

use super::strict_addresses::{
    Address, BareHost, Form, begins_with_server, can_be_address, can_be_bare_address, file_name, has_separator,
    local_file_address, or_redacted,
};
use super::{REDACTED, Redactions};

/// What a text stands for, by the timeline and the group that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// An application's name and key; the title of its window.
    Application,
    /// A site, an address, the title of a page.
    Website,
    /// A file's name, a path, an address that was opened as a file.
    Document,
    /// What stands in a documents timeline and is told to be neither a website nor a file: either.
    Location,
    /// A word of the user's.
    Tag,
    /// A state of the computer: words of `ManicTime`'s own.
    State,
    /// A message, an event, whatever a plugin records: anything can be in it.
    Other,
    /// What a plugin records and calls a file: a path that is withheld like whatever else it records.
    PluginFile,
    /// The name of a group that no timeline refers to and that does not say what it is.
    Nowhere,
}

impl TextKind {
    /// Whether a text at this place can lead to a site, so that a rule for sites is asked about every host in it.
    pub fn can_lead_to_site(self, text: &str) -> bool {
        match self {
            Self::Website | Self::Location => true,
            // A file can lie at a site. Whatever is redacted as an address is asked about.
            Self::Document => can_be_address(text) || can_be_bare_address(text) || begins_with_server(text),
            Self::Other | Self::PluginFile | Self::Nowhere => {
                can_be_address(text)
                    || can_be_bare_address(text)
                    || ["//", r"\\", ":/"].iter().any(|it| text.contains(it))
            }
            Self::Application | Self::Tag | Self::State => false,
        }
    }
}

impl Redactions {
    /// What is told of an activity's own text; nothing where it is withheld.
    pub fn redact_activity_text(self, place: TextKind, text: &str) -> Option<Cow<'_, str>> {
        let is_withheld = self.titles
            && match place {
                TextKind::Application | TextKind::Other | TextKind::PluginFile | TextKind::Nowhere => true,
                // Some versions record the page's title where others record its address.
                TextKind::Website | TextKind::Location => !is_written_as_address(text),
                TextKind::Document | TextKind::Tag | TextKind::State => false,
            };
        (!is_withheld).then(|| self.redact(place, text, BareHost::Evident))
    }

    /// What is told of the name of a group.
    pub fn redact_group_name(self, place: TextKind, name: &str) -> Cow<'_, str> {
        let is_withheld = self.titles
            && match place {
                TextKind::Other | TextKind::PluginFile => true,
                TextKind::Website | TextKind::Location => !is_site_or_address(name.trim()),
                _ => false,
            };
        if is_withheld { Cow::Borrowed(REDACTED) } else { self.redact(place, name, BareHost::Any) }
    }

    /// What is told of the key of a group.
    pub fn redact_group_key(self, place: TextKind, key: &str) -> Cow<'_, str> {
        if place != TextKind::Application || !(self.urls || self.paths) || !has_separator(key) {
            return self.redact_group_name(place, key);
        }
        if self.urls && (can_be_address(key) || can_be_bare_address(key)) {
            return Cow::Borrowed(REDACTED);
        }
        // The program's file, then the name of the product. A folder can have a semicolon too, so that only what
        // follows the last separator of all is neither.
        let told = file_name(key).filter(|told| !told.starts_with(';')).map(|told| self.free_text(told));
        or_redacted(told)
    }

    fn redact(self, place: TextKind, text: &str, bare: BareHost) -> Cow<'_, str> {
        match place {
            TextKind::Website => self.redact_website(text, bare),
            TextKind::Document | TextKind::PluginFile => self.redact_document(text),
            TextKind::Location => {
                let (website, document) = (self.redact_website(text, BareHost::Evident), self.redact_document(text));
                if website.trim() == document.trim() { website } else { Cow::Borrowed(REDACTED) }
            }
            TextKind::Application | TextKind::Other | TextKind::Tag => self.free_text(text),
            TextKind::Nowhere if self.is_any() => Cow::Borrowed(REDACTED),
            TextKind::State | TextKind::Nowhere => Cow::Borrowed(text),
        }
    }

    /// Of an address the site, of a file's address its name; each switch by itself, and what both leave remains.
    fn redact_website(self, text: &str, bare: BareHost) -> Cow<'_, str> {
        let address = Address::parse(text, bare);
        // One word with something behind it can be a folder.
        let can_be_path = address.is_none_or(|it| match it.form {
            Form::LocalFile | Form::RemoteFile => true,
            Form::Bare { goes_on: true } => Address::parse(text, BareHost::Evident).is_none(),
            Form::Bare { goes_on: false } | Form::Web => false,
        });
        let is_path = self.paths && can_be_path && has_separator(text);
        if self.urls {
            return or_redacted(address.filter(|_| !is_path).and_then(Address::site));
        }
        if is_path {
            return or_redacted(file_name(text));
        }
        Cow::Borrowed(text)
    }

    /// Of a path the file's name, of an address the site; each switch by itself, and what both leave remains.
    fn redact_document(self, text: &str) -> Cow<'_, str> {
        let address = Address::parse(text, BareHost::Evident);
        match address.map(|address| address.form) {
            Some(Form::Web) if self.urls => or_redacted(address.and_then(Address::site)),
            Some(Form::Web) => Cow::Borrowed(text),
            Some(Form::RemoteFile | Form::Bare { goes_on: true }) if self.urls && self.paths => Cow::Borrowed(REDACTED),
            Some(Form::RemoteFile | Form::Bare { goes_on: true }) if self.urls => {
                or_redacted(address.and_then(Address::site))
            }
            Some(Form::LocalFile) if self.urls => match local_file_address(text) {
                Some(_) if self.paths => or_redacted(file_name(text)),
                local => or_redacted(local),
            },
            // An address that could not be read, or a site with its port.
            _ if self.urls && (can_be_address(text) || can_be_bare_address(text)) => Cow::Borrowed(REDACTED),
            _ if self.paths => or_redacted(file_name(text)),
            _ => Cow::Borrowed(text),
        }
    }
}

/// Whether a text is an address for certain, since it has a scheme and nothing that stands in no address.
fn is_written_as_address(text: &str) -> bool {
    let text = text.trim();
    let is_address =
        Address::parse(text, BareHost::Evident).is_some_and(|address| !matches!(address.form, Form::Bare { .. }));
    is_address && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

/// Whether the name of a site's group is a site or an address. A title can be one word and go on behind a slash.
fn is_site_or_address(name: &str) -> bool {
    let is_read = |bare| Address::parse(name, bare).is_some();
    let is_one_word = || is_read(BareHost::Any) && !name.contains(['/', '?', '#', ':']);
    (is_read(BareHost::Evident) || is_one_word()) && !name.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests;
