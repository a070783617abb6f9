//! The input of a draft: active intervals with their attributes.

use crate::day::Day;
use crate::entry::ItemKind;

/// An active interval of one device on one local date, with one label and one set of attributes.
///
/// The caller splits intervals at local midnight and at every change. Redacted texts are absent. The draft ignores an
/// interval that ends no later than it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivePeriod {
    /// The start in seconds since 1970, UTC.
    pub start_utc: i64,
    /// The exclusive end in seconds since 1970, UTC.
    pub end_utc: i64,
    /// The local date on the device's clock.
    pub day: Day,
    /// The device that recorded the interval.
    pub device: Option<String>,
    /// The activity in the history that contains the interval.
    pub activity: Option<i64>,
    /// The tag or rule that assigns the work.
    pub label: WorkLabel,
    /// A rule that also matched a tagged interval. It is the fallback if the tag doesn't match a known project.
    pub rule_label: WorkLabel,
    /// The label of the surrounding block, from a tag or a rule. It is the fallback if nothing else matches a known
    /// project, for example for a page that was looked up in between.
    pub block: WorkLabel,
    /// The foreground application.
    pub application: Option<String>,
    /// The file, as a `file:` URI or in the form of the history.
    pub document: Option<String>,
    /// The site, such as `github.com`.
    pub site: Option<String>,
    /// The title of the note that was recorded during the interval.
    pub note: Option<String>,
    /// The window title.
    pub title: Option<String>,
}

/// The source of an interval's label. As everywhere, a person's tag takes precedence over a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkLabel {
    /// A tag as a list of its parts: client, project and task, or some of these.
    Tag(Vec<String>),
    /// A rule that sets a project.
    Rule {
        /// The rule's name.
        name: String,
        /// The project that it sets.
        project: String,
        /// The task that it sets, if any.
        task: Option<String>,
    },
    /// Neither a tag nor a rule.
    #[default]
    Nothing,
}

impl ActivePeriod {
    /// Returns the file, the site and the application, the most specific first.
    pub(super) fn used_items(&self) -> impl Iterator<Item = (ItemKind, &str)> {
        let traits = [
            (ItemKind::Document, &self.document),
            (ItemKind::Site, &self.site),
            (ItemKind::Application, &self.application),
        ];
        traits.into_iter().filter_map(|(kind, text)| text.as_deref().map(|text| (kind, text)))
    }
}
