//! The settings of the MCP server. They come from flags, a client's form and the configuration file.

use std::path::PathBuf;

use anyhow::Context;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::mcp::{Selection, ToolChoice};
use crate::questions::Questions;
use crate::request::Error;
use crate::screenshots::{AllowedBy, AllowedDirectory};
use crate::source::{Pattern, Privacy, Redaction};

/// Options of the MCP server: its tools and its privacy. They come from flags, from the form of a client and from the table
/// `[serve]` of the configuration.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[command(after_help = "Examples:\n\
    \x20 dayledger serve\n\
    \x20 dayledger --demo serve --toolsets activity,sql")]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// Offer these toolsets: activity, screenshots, sql, questions, timesheet, notes [default: activity,screenshots,sql]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Tools")]
    toolsets: Option<Vec<String>>,
    /// Offer these tools in addition to --toolsets; without --toolsets, offer only these tools
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Tools")]
    tools: Option<Vec<String>>,
    /// Toolsets to offer in addition to the chosen ones.
    #[arg(skip)]
    #[serde(skip)]
    pub(super) more_toolsets: Vec<String>,
    /// Never offer these tools, even if another option includes them
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Tools")]
    exclude_tools: Vec<String>,
    /// Never offer a tool that writes, even if another option includes it
    #[arg(long, help_heading = "Tools")]
    read_only: bool,
    /// Send responses only as structured content, for clients that pass both forms to the model
    #[arg(long, help_heading = "Tools")]
    structured_only: bool,
    /// Let `save_screenshot` write to this folder, in addition to the roots that the client declares
    #[arg(long, value_name = "DIR", num_args = 1.., help_heading = "Tools")]
    pub(super) allow_write: Vec<PathBuf>,
    /// Redact these kinds of text
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',', help_heading = "Privacy")]
    pub(super) redact: Vec<Redaction>,
    /// Show an application as `(hidden)` if its key or name matches this pattern (`*` and `?` are wildcards)
    #[arg(long = "hide-app", value_name = "PATTERN", num_args = 1.., value_parser = Pattern::parse, help_heading = "Privacy")]
    pub(super) hide_apps: Vec<Pattern>,
    /// Show a site as `(hidden)`, without window titles, if its host or name matches this pattern
    #[arg(long = "hide-site", value_name = "PATTERN", num_args = 1.., value_parser = Pattern::parse_site, help_heading = "Privacy")]
    #[serde(deserialize_with = "sites")]
    pub(super) hide_sites: Vec<Pattern>,
}

fn sites<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pattern>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| Pattern::parse_site(text)).collect::<Result<_, _>>().map_err(D::Error::custom)
}

impl Settings {
    /// Merges these settings with the settings of `file`. `self` takes precedence, except for settings that hide tools
    /// or texts. These settings are combined, because the command line must not undo a restriction of the file.
    pub(super) fn merge(self, file: Self) -> Self {
        let says_what = self.toolsets.is_some() || self.tools.is_some();
        let (toolsets, tools) = if says_what { (self.toolsets, self.tools) } else { (file.toolsets, file.tools) };
        Self {
            toolsets,
            tools,
            more_toolsets: [file.more_toolsets, self.more_toolsets].concat(),
            exclude_tools: [file.exclude_tools, self.exclude_tools].concat(),
            read_only: self.read_only || file.read_only,
            structured_only: self.structured_only || file.structured_only,
            // The folders come from one source only: the command line, otherwise the file.
            allow_write: if self.allow_write.is_empty() { file.allow_write } else { self.allow_write },
            redact: [file.redact, self.redact].concat(),
            hide_apps: [file.hide_apps, self.hide_apps].concat(),
            hide_sites: [file.hide_sites, self.hide_sites].concat(),
        }
    }

    /// Returns the tools that these settings select. `questions` are the tools of the toolset `questions`.
    pub(super) fn selection(&self, questions: Questions) -> Result<Selection, Error> {
        Selection::from_choice(&ToolChoice {
            toolsets: self.toolsets.clone(),
            tools: self.tools.clone(),
            more_toolsets: self.more_toolsets.clone(),
            exclude_tools: self.exclude_tools.clone(),
            read_only: self.read_only,
            structured_only: self.structured_only,
            questions,
        })
    }

    /// Returns the folders in which the server may write files, including their subfolders.
    pub(super) fn writable_folders(&self, allowed_by: AllowedBy) -> anyhow::Result<Vec<AllowedDirectory>> {
        let allowed = |folder: &PathBuf| {
            let directory = std::path::absolute(folder)
                .with_context(|| format!("cannot allow writing to `{}`", folder.display()))?;
            Ok(AllowedDirectory { directory, allowed_by })
        };
        self.allow_write.iter().map(allowed).collect()
    }

    /// Returns the patterns of each privacy setting, with the setting's name.
    pub(super) fn privacy_patterns(&self) -> [(&'static str, Vec<String>); 3] {
        let texts = |patterns: &[Pattern]| patterns.iter().map(|pattern| pattern.as_str().to_owned()).collect();
        let kinds = self.redact.iter().map(|kind| kind.name().to_owned()).collect();
        [("redact", kinds), ("hide_apps", texts(&self.hide_apps)), ("hide_sites", texts(&self.hide_sites))]
    }

    /// Whether this kind of text is redacted.
    pub(super) fn redacts(&self, kind: Redaction) -> bool {
        self.redact.contains(&kind)
    }

    pub(super) fn privacy(self) -> Privacy {
        Privacy::new(self.redact, self.hide_apps, self.hide_sites)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn privacy_settings_of_flags_and_file_are_combined() {
        let file: Settings =
            toml::from_str("redact = ['titles']\nhide_apps = ['keepass*']\nhide_sites = ['bank.example']").unwrap();
        let flags = Settings { redact: vec![Redaction::Paths], ..Settings::default() };
        let summary = flags.merge(file).privacy().summary();
        assert_eq!(summary.redacted, [Redaction::Titles, Redaction::Paths]);
        assert_eq!((summary.application_rules, summary.site_rules), (1, 1));
        assert!(Settings::default().merge(Settings::default()).privacy().is_empty());
    }
}
