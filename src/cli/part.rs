//! The flags of commands that tell a part of the time.

use crate::activity::Filter;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "A part of the time, by what was there (part of a name, whatever the case)")]
pub(super) struct PartArguments {
    /// An application in front
    #[arg(long, value_name = "TEXT")]
    application: Option<String>,
    /// A website
    #[arg(long, value_name = "TEXT")]
    site: Option<String>,
    /// A document's name or path
    #[arg(long, value_name = "TEXT")]
    document: Option<String>,
    /// A tag
    #[arg(long, value_name = "TEXT")]
    tag: Option<String>,
    /// What the time was for: its tags, else what a rule names
    #[arg(long, value_name = "TEXT")]
    project: Option<String>,
    /// Any of these, or a window title, an address or a tag's note
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
}

impl PartArguments {
    /// What is looked for.
    pub(super) fn filter(&self) -> Filter {
        let Self { application, site, document, tag, project, text } = self;
        let [application, site, document, tag, project, text] =
            [application, site, document, tag, project, text].map(Option::clone);
        Filter { application, site, document, tag, project, text }
    }
}
