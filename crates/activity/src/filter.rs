//! Filters by application, website, document, tag, project or text, as command-line flags and for requests
//! (docs/spec/time.md#filters).

use dayledger_engine::{Arguments, Parameter};

/// The parameters of the filter in the files of `sql/filtered`, in the order of [`Filter::values`].
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::text("application"),
    Parameter::text("site"),
    Parameter::text("document"),
    Parameter::text("tag"),
    Parameter::text("project"),
    Parameter::text("text"),
];

/// A filter by application, site, document, tag, project or text. Each field is a part of a name, and case is ignored.
/// An empty filter matches everything.
///
/// If several fields are set, all must match at the same time on the same device. Only active time matches, except in
/// lists of tags.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = Filter::HEADING)]
pub struct Filter {
    /// Application in the foreground
    #[arg(long, value_name = "TEXT")]
    pub application: Option<String>,
    /// Website
    #[arg(long, value_name = "TEXT")]
    pub site: Option<String>,
    /// Name or path of a document
    #[arg(long, value_name = "TEXT")]
    pub document: Option<String>,
    /// Tag
    #[arg(long, value_name = "TEXT")]
    pub tag: Option<String>,
    /// Project, from tags or, if untagged, from rules
    #[arg(long, value_name = "TEXT")]
    pub project: Option<String>,
    /// Any of these, or a window title, a URL or the note of a tag
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
}

impl Filter {
    /// The heading of the filters in the help of a command.
    pub const HEADING: &str = "Filters (part of a name, case-insensitive)";

    /// Returns whether no field is set, so that the filter matches everything.
    pub fn is_empty(&self) -> bool {
        self.values().iter().all(Option::is_none)
    }

    /// Adds the values of the filter to the arguments of a statement. An empty filter adds nothing.
    pub(super) fn apply(&self, arguments: Arguments) -> Arguments {
        if self.is_empty() {
            return arguments;
        }
        let values = PARAMETERS.iter().zip(self.values());
        values.fold(arguments.with_filter(), |arguments, (parameter, text)| arguments.with_text(parameter.name, text))
    }

    /// Returns a filter in which only the field `kind` is set, with the value `text`. For example, `kind` is `tag`.
    pub(super) fn from_term(kind: &str, text: &str) -> Self {
        let of = |known: &str| (known == kind).then(|| text.to_owned());
        Self {
            application: of("application"),
            site: of("site"),
            document: of("document"),
            tag: of("tag"),
            project: of("project"),
            text: of("text"),
        }
    }

    /// Returns whether the filter can match only active time. A filter with an application, a site or a document
    /// matches only active time, because tags do not have these values.
    pub(super) fn needs_active_time(&self) -> bool {
        self.terms().any(|(kind, _)| ["application", "site", "document"].contains(&kind))
    }

    /// Returns the fields that are set, as pairs of the field's name, such as `tag`, and its text. A blank text
    /// counts as not set.
    pub fn terms(&self) -> impl Iterator<Item = (&'static str, &str)> {
        PARAMETERS.iter().zip(self.values()).filter_map(|(parameter, text)| Some((parameter.name, text?)))
    }

    /// Returns the text of each field. A blank text counts as not set.
    fn values(&self) -> [Option<&str>; PARAMETERS.len()] {
        let Self { application, site, document, tag, project, text } = self;
        [application, site, document, tag, project, text]
            .map(|text| text.as_deref().map(str::trim).filter(|text| !text.is_empty()))
    }
}
