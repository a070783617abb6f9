//! `dayledger rules --from activitywatch`: prints the categories of ActivityWatch's settings as rules.

use std::path::Path;

use dayledger_terminal::output::{self, Output};

use super::config::Configuration;
use super::history::HistoryArguments;
use crate::activitywatch::Category;
use crate::request::Error;
use crate::rules::{Proposal, Word};

/// Prints the rules on stdout, so that the user can add them to the configuration. On stderr, lists the categories that
/// can't be converted to rules.
pub(super) fn run(history: &HistoryArguments) -> anyhow::Result<()> {
    let categories = history.activitywatch_categories()?.ok_or_else(|| {
        let hint = "change a category in ActivityWatch's settings and save it, and try again";
        Error::for_command(
            "cannot convert the categories: ActivityWatch stores only categories that were changed",
            hint,
        )
    })?;
    let mut rules = Vec::new();
    for category in &categories {
        match category_rules(category) {
            Ok(more) => rules.extend(more),
            Err(reason) => output::write_stderr(|out, _| {
                writeln!(out, "skipped the category `{}`: {reason}", category.name.join(" > "))
            }),
        }
    }
    Output::new().write_styled(|out, _| write!(out, "{}", rules.join("\n")))
}

/// Returns two rules for a category: one rule searches the application's name for the category's expression, and the
/// other rule searches the title. ActivityWatch searches the same two texts.
///
/// # Errors
/// Fails if the expression has parts that rules don't support.
fn category_rules(category: &Category) -> Result<[String; 2], String> {
    // Rules ignore case unless the expression begins with `(?-i)`.
    let case = if category.ignores_case { "" } else { "(?-i)" };
    let rules = [Word::App, Word::Title].map(|word| {
        let pattern = format!("regex:{case}{}", category.regex);
        Proposal { pattern, ..Proposal::new(word, "", &category.name.join(" > ")) }.toml()
    });
    match Configuration::parse(&rules[0], Path::new("")) {
        Ok(_) => Ok(rules),
        Err(_) => Err(format!("rules can't use the regular expression `{}`", category.regex)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(regex: &str, ignores_case: bool) -> Category {
        Category { name: vec!["Work".to_owned(), "Programming".to_owned()], regex: regex.to_owned(), ignores_case }
    }

    #[test]
    fn category_becomes_rules_for_applications_and_titles() {
        let rules = category_rules(&category(r"Code|\bvim", true)).unwrap();
        assert_eq!(rules[0], "[[rules]]\napp = \"regex:Code|\\\\bvim\"\ncategory = \"Work > Programming\"\n");
        assert_eq!(rules[1], "[[rules]]\ntitle = \"regex:Code|\\\\bvim\"\ncategory = \"Work > Programming\"\n");
        let read = Configuration::parse(&rules.join("\n"), Path::new("")).unwrap();
        assert_eq!(read.rules.rules().len(), 2);
    }

    #[test]
    fn case_matters_unless_the_category_ignores_it() {
        let [app, _] = category_rules(&category("Code", false)).unwrap();
        let rules = Configuration::parse(&app, Path::new("")).unwrap().rules;
        let matches = |name: &str| !rules.fulfilled_conditions(Word::App, name).unwrap().is_empty();
        assert!(matches("Code.exe") && !matches("code.exe"));
    }

    #[test]
    fn expression_with_look_around_is_skipped() {
        assert!(category_rules(&category("(?<!x)Music", false)).unwrap_err().contains("(?<!x)Music"));
    }
}
