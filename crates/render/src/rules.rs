//! Shows the time that the user's rules match, and suggests rules for time without a match.

use std::io::{self, Write};

use dayledger_activity::{RuleProposal, RuleTotal, RuleUse, TimeBasis, UnmatchedWork};
use dayledger_request::{Minutes, Truncation};

use super::columns::{Cell, Column, INDENT, Overflow, Row, write_columns};
use super::sections::{basis, percent, range_title, write_heading, write_nothing, write_prose, write_remarks};
use super::style::{Style, TextStyle};
use super::text::{duration, fit, join, sanitize};

/// The maximum number of suggestions.
const MAX_PROPOSALS: usize = 5;
/// The maximum number of shown applications that no rule matches.
const MAX_APPLICATIONS: usize = 5;
/// An application is shown only if it has at least this share of the time. The first application is always shown.
const MIN_SHARE: f64 = 0.005;
/// The indent of a line with details about the line above.
const BELOW: &str = "      ";
/// The maximum number of window titles for an application.
const TITLES: usize = 2;

/// The introduction if the user has no rules.
const WITHOUT_RULES: &str = "There are no rules yet. A rule assigns a project or a category by application, title, site or file. \
                             Paste a rule into the configuration, or add a suggested one with `--add`.";

/// The introduction if the user has no rules, but tags cover all time.
const NO_RULES_NEEDED: &str = "There are no rules, but tags cover all of this time.";

/// Writes how rules cover the time of a range. First comes each rule with its time and its most frequent matches, and
/// then the time without a rule. At the end are suggested rules for the time without a rule, as TOML for the
/// configuration file.
///
/// Times are active time. A suggested rule is never truncated, so its lines can be longer than [`Style::width`].
pub fn write_rule_use(out: &mut dyn Write, rules: &RuleUse, style: &Style) -> io::Result<()> {
    let title = range_title(&rules.start_date, &rules.end_date, style);
    let whole = rules.coverage.total_active_minutes;
    if whole <= Minutes::ZERO {
        return write_nothing(out, &title, &rules.diagnostics, style);
    }
    writeln!(out, "{}", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    write_prose(out, &join(&facts(rules), style), TextStyle::Plain, style)?;
    if rules.rules.is_empty() {
        let introduction = if rules.unmatched.is_empty() { NO_RULES_NEEDED } else { WITHOUT_RULES };
        writeln!(out)?;
        write_prose(out, introduction, TextStyle::Plain, style)?;
    } else {
        write_heading(out, "Rules", style)?;
        write_rules(out, rules, style)?;
    }
    if !rules.unmatched.is_empty() {
        write_heading(out, "Not covered by rules or tags", style)?;
        write_unmatched(out, &rules.unmatched, whole, style)?;
    }
    if !rules.proposals.is_empty() {
        write_heading(out, "Suggested rules", style)?;
        write_proposals(out, &rules.proposals, style)?;
    }
    write_remarks(out, Truncation::new(0, 0), "", [None; 2], &rules.diagnostics, style)
}

fn facts(rules: &RuleUse) -> Vec<String> {
    let coverage = &rules.coverage;
    let share = |of: Minutes, covered: &str| format!("{} {covered}", percent(of, coverage.total_active_minutes));
    let shares = [
        (coverage.tagged_minutes, "tagged"),
        (coverage.ruled_minutes, "by rules"),
        (coverage.unmatched_minutes, "covered by neither"),
    ];
    let shares = shares.into_iter().filter(|(of, _)| *of > Minutes::ZERO);
    let whole = format!("{} {}", duration(coverage.total_active_minutes), basis(rules.time_basis));
    std::iter::once(whole).chain(shares.map(|(of, covered)| share(of, covered))).collect()
}

fn write_rules(out: &mut dyn Write, used: &RuleUse, style: &Style) -> io::Result<()> {
    let (rules, whole) = (&used.rules, used.coverage.total_active_minutes);
    let columns =
        [Column::right(""), Column::left("").with_overflow(Overflow::Shrink), Column::right(""), Column::right("")];
    let room = style.width.saturating_sub(INDENT + BELOW.len());
    let rows = rules.iter().flat_map(|rule| {
        let of_it = sanitize(&describe_effect(rule, used), style).into_owned();
        let caught = if rule.assigns_work() { rule.total_minutes } else { rule.call_minutes };
        let row = Row::Cells(vec![
            Cell::new(rule.number.to_string(), TextStyle::Faint),
            Cell::plain(&rule.rule),
            Cell::plain(duration(caught)),
            Cell::new(percent(caught, whole), TextStyle::Faint),
        ]);
        [row, Row::Caption(format!("{BELOW}{}", fit(&of_it, room, style)))]
    });
    write_columns(out, &columns, &rows.collect::<Vec<_>>(), style)
}

/// Returns the line below a rule: the effect of the rule on calls, and the most frequent matches of the rule.
fn describe_effect(rule: &RuleTotal, used: &RuleUse) -> String {
    let calls = rule.call.map(|is_call| describe_calls(is_call, used.time_basis));
    match calls {
        Some(calls) if rule.assigns_work() => format!("{calls}; {}", describe_matches(rule, &used.rules)),
        Some(calls) => calls.to_owned(),
        None => describe_matches(rule, &used.rules),
    }
}

/// Describes a rule's effect on calls.
fn describe_calls(is_call: bool, time_basis: TimeBasis) -> &'static str {
    match (is_call, time_basis) {
        (true, TimeBasis::ActiveAndCalls) => "a call, also away from the keyboard",
        (true, _) => "a call, but calls count away from the keyboard only with `calls = true` in `[time]`",
        (false, _) => "no call",
    }
}

/// Describes the most frequent matches of a rule, or the reason why it has no match.
fn describe_matches(rule: &RuleTotal, rules: &[RuleTotal]) -> String {
    let Some(number) = rule.shadowed_by else {
        let is_idle = rule.total_minutes <= Minutes::ZERO;
        return if is_idle { "no match".to_owned() } else { examples(rule) };
    };
    let by = rules.iter().find(|rule| rule.number == number).map_or("", |by| &by.rule);
    format!("never applies, because rule {number}, {by}, matches first")
}

/// Returns the most frequent matches of a rule, grouped by application.
fn examples(rule: &RuleTotal) -> String {
    let mut by_application: Vec<(&str, Vec<&str>)> = Vec::new();
    for example in &rule.examples {
        let known = by_application.iter_mut().find(|(application, _)| *application == example.application);
        match known {
            Some((_, details)) => details.extend(example.detail.as_deref()),
            None => by_application.push((&example.application, example.detail.as_deref().into_iter().collect())),
        }
    }
    let parts = by_application.into_iter().map(|(application, details)| {
        if details.is_empty() { application.to_owned() } else { format!("{application}: {}", details.join(", ")) }
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn write_unmatched(out: &mut dyn Write, unmatched: &[UnmatchedWork], whole: Minutes, style: &Style) -> io::Result<()> {
    let is_shown = |(place, work): &(usize, &UnmatchedWork)| {
        *place == 0 || *place < MAX_APPLICATIONS && work.total_minutes.share_of(whole) >= MIN_SHARE
    };
    let shown: Vec<_> = unmatched.iter().enumerate().take_while(is_shown).collect();
    let rows = shown.iter().map(|(_, work)| {
        let titles: Vec<_> = work.titles.iter().take(TITLES).cloned().collect();
        Row::Cells(vec![
            Cell::plain(&work.application),
            Cell::plain(duration(work.total_minutes)),
            Cell::new(join(&titles, style), TextStyle::Faint),
        ])
    });
    let columns = [
        Column::left("").with_overflow(Overflow::Shrink),
        Column::right(""),
        Column::left("").with_overflow(Overflow::Shrink),
    ];
    write_columns(out, &columns, &rows.collect::<Vec<_>>(), style)?;
    match unmatched.len() - shown.len() {
        0 => Ok(()),
        more => write_prose(out, &format!("`--json` lists {more} more."), TextStyle::Faint, style),
    }
}

fn write_proposals(out: &mut dyn Write, proposals: &[RuleProposal], style: &Style) -> io::Result<()> {
    for proposal in proposals.iter().take(MAX_PROPOSALS) {
        let about = sanitize(&describe_proposal(proposal, style), style).into_owned();
        let room = style.width.saturating_sub(INDENT);
        writeln!(out, "{:INDENT$}{}", "", style.paint(&fit(&about, room, style), TextStyle::Faint))?;
        for line in proposal.rule.toml().lines() {
            writeln!(out, "{:INDENT$}{}", "", sanitize(line, style))?;
        }
        writeln!(out)?;
    }
    let first = proposals.first().map_or("", |first| &first.id);
    let mut hint = format!("To add the first rule, repeat the command with `--add {first}`.");
    let more = proposals.len().saturating_sub(MAX_PROPOSALS);
    if more > 0 {
        hint = format!("{hint} `--json` lists {more} more.");
    }
    write_prose(out, &hint, TextStyle::Faint, style)
}

/// Returns the comment above a suggested rule: its id, its time, and the evidence for its project.
fn describe_proposal(proposal: &RuleProposal, style: &Style) -> String {
    let mut facts = vec![duration(proposal.total_minutes)];
    if let (Some(share), Some(project)) = (proposal.project_share, &proposal.rule.project) {
        facts.push(format!("{share} % of its other time is {project}"));
    }
    facts.push(proposal.applications.join(", "));
    format!("# {}: {}", proposal.id, join(&facts, style))
}
