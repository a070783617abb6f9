//! Reads the settings that a user entered into an MCP client's form. A bundle for clients (`release/manifest.json`)
//! passes the form's fields as environment variables.

use anyhow::Context;

use super::settings::Settings;
use crate::source::{Pattern, Redaction};

/// If the user left a field empty, clients pass a placeholder with this prefix.
const UNFILLED_PREFIX: &str = "${user_config.";

/// Whether the user filled in the form field with this value.
pub(super) fn is_filled_in(text: &str) -> bool {
    !text.trim().is_empty() && !text.starts_with(UNFILLED_PREFIX)
}

/// Reads the settings from the variables that `variable` returns.
///
/// # Errors
/// Fails if a value is invalid. Ignoring an invalid value could show data that the user wants to hide.
pub(super) fn settings(variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<Settings> {
    let text = |name: &str| variable(name).filter(|text| is_filled_in(text));
    let is_chosen = |name: &str| match text(name).as_deref().map(str::trim) {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(anyhow::anyhow!("invalid value `{other}` for `{name}`: use `true` or `false`")),
    };
    let patterns = |name: &str, read: fn(&str) -> Result<Pattern, _>| {
        let text = text(name).unwrap_or_default();
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts
            .map(|part| read(part).with_context(|| format!("invalid value for `{name}`")))
            .collect::<anyhow::Result<Vec<_>>>()
    };
    let mut filled = Settings::default();
    for kind in Redaction::ALL {
        if is_chosen(&format!("DAYLEDGER_REDACT_{}", kind.name().to_uppercase()))? {
            filled.redact.push(kind);
        }
    }
    for set in ["timesheet", "notes"] {
        if is_chosen(&format!("DAYLEDGER_OFFER_{}", set.to_uppercase()))? {
            filled.more_toolsets.push(set.to_owned());
        }
    }
    filled.hide_apps = patterns("DAYLEDGER_HIDE_APPS", Pattern::parse)?;
    filled.hide_sites = patterns("DAYLEDGER_HIDE_SITES", Pattern::parse_site)?;
    filled.allow_write = text("DAYLEDGER_ALLOW_WRITE").map(Into::into).into_iter().collect();
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_form(variables: &[(&str, &str)]) -> anyhow::Result<Settings> {
        let value =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        settings(value)
    }

    #[test]
    fn filled_fields_are_used_and_empty_ones_ignored() {
        let all = parse_form(&[
            ("DAYLEDGER_REDACT_TITLES", "true"),
            ("DAYLEDGER_REDACT_URLS", "false"),
            ("DAYLEDGER_REDACT_PATHS", "${user_config.redact_paths}"),
            ("DAYLEDGER_HIDE_APPS", " keepass*, Signal ,"),
            ("DAYLEDGER_HIDE_SITES", "*.bank.example"),
            ("DAYLEDGER_OFFER_TIMESHEET", "true"),
            ("DAYLEDGER_ALLOW_WRITE", "/copies"),
        ]);
        let all = all.unwrap();
        let withheld = all.privacy_patterns().map(|(_, values)| values.join(" "));
        assert_eq!(withheld, ["titles", "keepass* Signal", "*.bank.example"]);
        assert_eq!((all.more_toolsets.as_slice(), all.allow_write.len()), (["timesheet".to_owned()].as_slice(), 1));
        let unfilled =
            parse_form(&[("DAYLEDGER_HIDE_APPS", "${user_config.hide_apps}"), ("DAYLEDGER_ALLOW_WRITE", "")]).unwrap();
        assert!(
            unfilled.privacy_patterns().iter().all(|(_, values)| values.is_empty()) && unfilled.allow_write.is_empty()
        );
    }

    #[test]
    fn invalid_fields_are_refused_by_name() {
        for (name, value) in [("DAYLEDGER_REDACT_NOTES", "yes"), ("DAYLEDGER_HIDE_SITES", "https://bank.example/login")]
        {
            let error = format!("{:#}", parse_form(&[(name, value)]).unwrap_err());
            assert!(error.contains(name), "{error}");
        }
    }
}
