//! What the draft is made of: stretches of active time, with what is known of them.

use crate::day::Day;
use crate::used_item::ItemKind;

/// A stretch of active time of one device, with one name and one set of texts, of one local date.
///
/// Whoever makes them cuts at local midnight and where anything changes. A text that is withheld is not in here. What
/// ends no later than it starts is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePeriod {
    /// In seconds since 1970, UTC.
    pub start_utc: i64,
    /// In seconds since 1970, UTC; not part of it.
    pub end_utc: i64,
    /// The local date on the device's own clock.
    pub day: Day,
    /// The device that recorded it.
    pub device: Option<String>,
    /// The activity of the history that it is part of.
    pub activity: Option<i64>,
    /// What says which work it was.
    pub label: WorkLabel,
    /// The rule that says it beside a tag: it stands in where the tag names no project that there is.
    pub rule_label: WorkLabel,
    /// What the block around it is about, in the words of a tag or a rule: it stands in where nothing else names a project
    /// that there is, as with what was looked up in between.
    pub block: WorkLabel,
    /// The application in front.
    pub application: Option<String>,
    /// The file, as a `file:` URI or as the history has it.
    pub document: Option<String>,
    /// The site, such as `github.com`.
    pub site: Option<String>,
    /// The title of the note that was taken then.
    pub note: Option<String>,
    /// The title of the window.
    pub title: Option<String>,
}

/// What says which work a stretch was: the person's tag before a rule, as everywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkLabel {
    /// A tag, as the list that it is: client, project and task, or some of these.
    Tag(Vec<String>),
    /// A rule that names a project.
    Rule {
        /// The rule's name.
        name: String,
        /// The project that it sets.
        project: String,
        /// The task that it sets, if it does.
        task: Option<String>,
    },
    /// Neither.
    #[default]
    Nothing,
}

impl ActivePeriod {
    /// What it could be known by, the most telling first.
    pub(super) fn used_items(&self) -> impl Iterator<Item = (ItemKind, &str)> {
        let traits = [
            (ItemKind::Document, &self.document),
            (ItemKind::Site, &self.site),
            (ItemKind::Application, &self.application),
        ];
        traits.into_iter().filter_map(|(kind, text)| text.as_deref().map(|text| (kind, text)))
    }
}
