//! The kinds of text, and the redaction of each kind.
//!
//! The kind of a text depends on its timeline and its group, and not on its content. The text of a website's row counts
//! as a URL or as the title of a page. The text of a document's row counts as a path. If a URL or a path is redacted,
//! only its site or file name remains, as the strict parser finds it (`strict_addresses`). A text that could be a URL
//! or a path is redacted as both. Titles, notes, and words that the user wrote are free texts
//! ([`free_text`](super::free_text)).

use std::borrow::Cow;

use super::strict_addresses::{
    Address, BareHost, Form, begins_with_server, can_be_address, can_be_bare_address, file_name, has_separator,
    local_file_address, or_redacted,
};
use super::{Privacy, REDACTED, Redactions};
use crate::Role;

/// The kind of a text. It depends on the timeline and the group of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// The name or key of an application, or the title of its window.
    Application,
    /// A site, a URL or the title of a page.
    Website,
    /// A file name, a path, or a URL that was opened as a file.
    Document,
    /// A website or a file. The text is from a timeline of documents, and the group of its activity doesn't specify the
    /// kind.
    Location,
    /// A word that the user wrote in a tag.
    Tag,
    /// A state of the computer, as the tracker names it.
    State,
    /// A text that a plugin records, such as a message or an event. It can contain anything.
    Other,
    /// A path that a plugin records as a file. If titles are redacted, the whole path is removed, as for other texts of
    /// a plugin.
    PluginFile,
    /// The name of a group that no timeline uses. The group has neither a type nor a known number, so the kind of its
    /// name is unknown.
    Nowhere,
}

impl TextKind {
    /// Returns the kind of the texts of a role, for sources that record websites and documents separately.
    pub fn from_role(role: Role) -> Self {
        match role {
            Role::Applications => Self::Application,
            Role::Documents => Self::Document,
            Role::Websites => Self::Website,
            Role::Tags => Self::Tag,
            Role::ComputerUsage => Self::State,
            Role::Other => Self::Other,
        }
    }

    /// Whether a text of this kind can lead to a site. If so, every host in the text is checked against the hidden
    /// sites.
    pub(super) fn can_lead_to_site(self, text: &str) -> bool {
        match self {
            Self::Website | Self::Location => true,
            // A document can be on a website. So every text that would be redacted as a URL is checked.
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

impl Privacy {
    /// Whether a rule hides a group of activities, such as an application, a site or a document. `kind` is the kind of
    /// the group's names. For an application without any name, pass the name [`UNKNOWN`](super::UNKNOWN).
    pub fn is_hidden_group(&self, kind: TextKind, names: &[&str]) -> bool {
        let leads_to_site = || names.iter().any(|name| kind.can_lead_to_site(name) && self.is_hidden_site_url(name));
        match kind {
            TextKind::Application => self.is_hidden_application(names),
            TextKind::Website | TextKind::Location => self.is_hidden_site(names) || leads_to_site(),
            TextKind::Document => leads_to_site(),
            TextKind::Other | TextKind::PluginFile | TextKind::Nowhere => {
                self.is_hidden_application(names) || self.is_hidden_site(names) || leads_to_site()
            }
            TextKind::Tag | TextKind::State => false,
        }
    }

    /// Whether an activity's own text leads to a hidden site. The names of its group don't matter. If the activity's
    /// group doesn't have a name, the activity's own text counts as the name of the site.
    pub fn leads_to_hidden_site(&self, kind: TextKind, is_named: bool, text: &str) -> bool {
        let names_itself = kind == TextKind::Website && !is_named;
        kind.can_lead_to_site(text) && self.is_hidden_site_url(text) || names_itself && self.is_hidden_site(&[text])
    }
}

impl Redactions {
    /// Redacts an activity's own text. Returns `None` if the whole text is private.
    pub(super) fn redact_activity_text(self, kind: TextKind, text: &str) -> Option<Cow<'_, str>> {
        let is_redacted = self.titles
            && match kind {
                TextKind::Application | TextKind::Other | TextKind::PluginFile | TextKind::Nowhere => true,
                // Depending on the version, the tracker records the title or the URL of a page. Only a title is removed
                // here.
                TextKind::Website | TextKind::Location => !is_written_as_address(text),
                TextKind::Document | TextKind::Tag | TextKind::State => false,
            };
        (!is_redacted).then(|| self.redact(kind, text, BareHost::Evident))
    }

    /// Redacts the name of a group.
    pub fn redact_group_name(self, kind: TextKind, name: &str) -> Cow<'_, str> {
        let is_redacted = self.titles
            && match kind {
                TextKind::Other | TextKind::PluginFile => true,
                TextKind::Website | TextKind::Location => !is_site_or_address(name.trim()),
                _ => false,
            };
        if is_redacted { Cow::Borrowed(REDACTED) } else { self.redact(kind, name, BareHost::Any) }
    }

    /// Redacts the key of a group.
    pub fn redact_group_key(self, kind: TextKind, key: &str) -> Cow<'_, str> {
        if kind != TextKind::Application || !(self.urls || self.paths) || !has_separator(key) {
            return self.redact_group_name(kind, key);
        }
        if self.urls && (can_be_address(key) || can_be_bare_address(key)) {
            return Cow::Borrowed(REDACTED);
        }
        // A key is the path of the program and, after a semicolon, the product name. But folder names can also contain
        // semicolons. Only the text after the last separator of the whole key certainly isn't part of a folder name.
        let shown = file_name(key).filter(|shown| !shown.starts_with(';')).map(|shown| self.free_text(shown));
        or_redacted(shown)
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

    /// Redacts the text of a website. With the setting `urls`, only the site of a URL remains. With `paths`, only the
    /// file name remains if the text can be a path. With both settings, a text that can be a path is redacted
    /// completely, and of other texts, only the site remains.
    fn redact_website(self, text: &str, bare: BareHost) -> Cow<'_, str> {
        let address = Address::parse(text, bare);
        // A single word before a `/` can be a folder.
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

    /// Redacts the text of a document. With the setting `paths`, only the file name of a path remains. With `urls`,
    /// only the site of a URL remains. With both settings, the site of a web URL remains, and the file name of a local
    /// path remains. If the text can be both a URL and a path, it is then redacted completely.
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
            // Here, the text is a URL that the strict parser rejected, or a site with a port.
            _ if self.urls && (can_be_address(text) || can_be_bare_address(text)) => Cow::Borrowed(REDACTED),
            _ if self.paths => or_redacted(file_name(text)),
            _ => Cow::Borrowed(text),
        }
    }
}

/// Whether a text is certainly a URL. Such a text has a scheme, and contains only characters that URLs allow.
fn is_written_as_address(text: &str) -> bool {
    let text = text.trim();
    let is_address =
        Address::parse(text, BareHost::Evident).is_some_and(|address| !matches!(address.form, Form::Bare { .. }));
    is_address && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
}

/// Whether the name of a site's group is a site or a URL. A single word followed by a slash isn't accepted, because
/// such a text can be a title.
fn is_site_or_address(name: &str) -> bool {
    let is_read = |bare| Address::parse(name, bare).is_some();
    let is_one_word = || is_read(BareHost::Any) && !name.contains(['/', '?', '#', ':']);
    (is_read(BareHost::Evident) || is_one_word()) && !name.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests;
