//! Shows rules that are suggested based on logged entries.

use std::io::{self, Write};

use chrono::Days;

use crate::columns::INDENT;
use crate::sections::{range_title, write_prose};
use crate::style::{Style, TextStyle};
use crate::text::{duration, fit, join, sanitize};
use dayledger_timesheet_service::{ProposedRule, ProposedRules};

const NO_PROPOSALS: &str = "Your tags and rules already match what you logged.";
const HINT: &str =
    "Paste the rules that you want into the configuration, above the existing rules: the first matching rule applies.";

/// Writes the suggested rules as TOML for the configuration file. The evidence for a rule is above the rule. A rule is
/// never truncated.
pub fn write_proposed_rules(out: &mut dyn Write, proposed: &ProposedRules, style: &Style) -> io::Result<()> {
    let last = proposed.last.date();
    let after = last.checked_add_days(Days::new(1)).unwrap_or(last);
    let title = range_title(&proposed.first.to_string(), &after.to_string(), style);
    writeln!(out, "{}", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    if proposed.rules.is_empty() {
        return write_prose(out, NO_PROPOSALS, TextStyle::Plain, style);
    }
    let room = style.width.saturating_sub(INDENT);
    for rule in &proposed.rules {
        writeln!(out)?;
        let reasons = sanitize(&format!("# {}", join(&reasons(rule), style)), style).into_owned();
        writeln!(out, "{:INDENT$}{}", "", style.paint(&fit(&reasons, room, style), TextStyle::Faint))?;
        for line in rule.rule.toml().lines() {
            writeln!(out, "{:INDENT$}{}", "", sanitize(line, style))?;
        }
    }
    writeln!(out)?;
    write_prose(out, HINT, TextStyle::Faint, style)
}

/// Returns the evidence for a suggested rule: the logged time that agrees with the rule. If an existing rule conflicts
/// with the suggested rule, the result contains this rule too.
fn reasons(rule: &ProposedRule) -> Vec<String> {
    let logged = format!("{} logged this way, {} % of its logged time", duration(rule.minutes), rule.share);
    let against = rule.against.as_ref().map(|name| format!("conflicts with the rule {name}"));
    std::iter::once(logged).chain(against).collect()
}
