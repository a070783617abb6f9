//! The kinds of text, and the redaction of each kind.
//!
//! The timeline and the group of a text decide its kind, not its content. The text of a website's row counts as an
//! address or the title of a page, and the text of a document's row counts as a path. If it is redacted, only the parts
//! remain that the strict parser reads (`strict_addresses`). A text that could be either is redacted as both. Titles,
//! notes and words of the user are free texts ([`free_text`](super::free_text)).

use std::borrow::Cow;

use super::strict_addresses::{
    Address, BareHost, Form, begins_with_server, can_be_address, can_be_bare_address, file_name, has_separator,
    local_file_address, or_redacted,
};
use super::{REDACTED, Redactions};

/// The kind of a text, from the timeline and the group that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// The name or key of an application, or the title of its window.
    Application,
    /// A site, an address or the title of a page.
    Website,
    /// The name of a file, a path, or an address that was opened as a file.
    Document,
    /// A website or a file: a text of a documents timeline whose group does not specify which.
    Location,
    /// A word of the user, in a tag.
    Tag,
    /// A state of the computer, in the words of `ManicTime`.
    State,
    /// A text that a plugin records, such as a message or an event. It can contain anything.
    Other,
    /// A path that a plugin records as a file. Like other texts of a plugin, it is removed if titles are redacted.
    PluginFile,
    /// The name of a group that no timeline refers to and that has neither a type nor a known number.
    Nowhere,
}

impl TextKind {
    /// Whether a text of this kind can lead to a site, so that every host in it is checked against the hidden sites.
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
    /// Redacts an activity's own text. Returns `None` if nothing of it may be shown.
    pub fn redact_activity_text(self, kind: TextKind, text: &str) -> Option<Cow<'_, str>> {
        let is_withheld = self.titles
            && match kind {
                TextKind::Application | TextKind::Other | TextKind::PluginFile | TextKind::Nowhere => true,
                // Some versions record the page's title where others record its address.
                TextKind::Website | TextKind::Location => !is_written_as_address(text),
                TextKind::Document | TextKind::Tag | TextKind::State => false,
            };
        (!is_withheld).then(|| self.redact(kind, text, BareHost::Evident))
    }

    /// Redacts the name of a group.
    pub fn redact_group_name(self, kind: TextKind, name: &str) -> Cow<'_, str> {
        let is_withheld = self.titles
            && match kind {
                TextKind::Other | TextKind::PluginFile => true,
                TextKind::Website | TextKind::Location => !is_site_or_address(name.trim()),
                _ => false,
            };
        if is_withheld { Cow::Borrowed(REDACTED) } else { self.redact(kind, name, BareHost::Any) }
    }

    /// Redacts the key of a group.
    pub fn redact_group_key(self, kind: TextKind, key: &str) -> Cow<'_, str> {
        if kind != TextKind::Application || !(self.urls || self.paths) || !has_separator(key) {
            return self.redact_group_name(kind, key);
        }
        if self.urls && (can_be_address(key) || can_be_bare_address(key)) {
            return Cow::Borrowed(REDACTED);
        }
        // The program's file, then the name of the product. A folder can have a semicolon too, so that only what
        // follows the last separator of all is neither.
        let told = file_name(key).filter(|told| !told.starts_with(';')).map(|told| self.free_text(told));
        or_redacted(told)
    }

    fn redact(self, kind: TextKind, text: &str, bare: BareHost) -> Cow<'_, str> {
        match kind {
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
