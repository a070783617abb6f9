//! Prepares names from the history for a page. This module removes unsafe characters, folders and URLs, and truncates
//! long names.

use std::borrow::Cow;

use chrono::{Datelike, Months, TimeDelta, Weekday};
use maud::{Markup, html};

use super::super::sections::range_title;
use super::super::style::{ColorDepth, Style};
use super::super::text::{document_name, fit, sanitize};
use dayledger_request::DateRange;

/// The style for text on a page, without colours and with all characters of Unicode.
pub(super) const PLAIN: Style = Style { color: ColorDepth::None, width: 160, unicode: true, source_options: "" };
/// The maximum length of a name in columns. A longer name would leave too little space for other text.
const MAX_NAME_LENGTH: usize = 120;

/// Removes unsafe characters from a text, and truncates the text. It doesn't escape HTML, because the template does
/// this.
pub(super) fn display_name(text: &str) -> String {
    fit(&sanitize(text, &PLAIN), MAX_NAME_LENGTH, &PLAIN).into_owned()
}

/// Returns the name of a document without its folders. If the document is a URL, returns its site.
pub(super) fn file_name(document: &str) -> String {
    let name = document_name(document);
    let name: Cow<'_, str> = if name.contains("://") {
        site_name(&name).into()
    } else {
        let last = name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
        if last.is_empty() { name } else { last.to_owned().into() }
    };
    display_name(&name)
}

/// Returns the site in `site`, which can be a site or a complete URL.
pub(super) fn site_name(site: &str) -> String {
    let rest = site.split_once("://").map_or(site, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // The text before an `@` is a user name, and may contain a password.
    let host = host.rsplit('@').next().unwrap_or_default();
    display_name(if host.is_empty() { "address" } else { host })
}

/// Returns the ticket and the full description of a time entry, line by line. Descriptions aren't truncated, because
/// users write them for the readers of the page.
pub(super) fn entry_text(issue: Option<&str>, description: Option<&str>) -> Markup {
    let lines = description.into_iter().flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let issue = issue.map(str::trim).filter(|issue| !issue.is_empty());
    html! {
        @if let Some(issue) = issue { b { bdi { (display_name(issue)) } } " " }
        @for (number, line) in lines.enumerate() {
            @if number > 0 { br; }
            bdi { (sanitize(line, &PLAIN)) }
        }
    }
}

/// Returns the name of a range. For a month, this is the name of the month. For any other range, it is the first and
/// the last day.
pub(super) fn range_name(range: &DateRange) -> String {
    let first = range.first_day();
    if first.day() == 1
        && first.checked_add_months(Months::new(1)) == range.last_day().succ_opt()
        && range.is_whole_days()
    {
        return first.format("%B %Y").to_string();
    }
    range_title(&range.start_text(), &range.end_text(), &PLAIN)
}

/// Returns the number of the ISO week, or `None` if the range isn't exactly one week.
pub(super) fn iso_week(range: &DateRange) -> Option<u32> {
    let first = range.first_day();
    let is_one = first.weekday() == Weekday::Mon && range.end() - range.start() == TimeDelta::days(7);
    (is_one && range.is_whole_days()).then(|| first.iso_week().week())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_file_name_of_a_path_is_shown() {
        for (document, name) in [
            ("file:///C:/Clients/Northwind/Offer%202.docx", "Offer 2.docx"),
            ("C:\\Clients\\Northwind\\Offer.docx", "Offer.docx"),
            ("\\\\server\\share\\Offer.docx", "Offer.docx"),
            ("/home/alex/src/main.rs", "main.rs"),
            ("/home/alex/src/", "src"),
            ("main.rs", "main.rs"),
            ("https://cloud.example/doc/4711?token=secret", "cloud.example"),
            ("/", "/"),
        ] {
            assert_eq!(file_name(document), name);
        }
    }

    #[test]
    fn only_the_site_of_a_url_is_shown() {
        for (address, site) in [
            ("github.com", "github.com"),
            ("https://alex:secret@bank.example/account?id=7#top", "bank.example"),
            ("intranet/wiki/Plans", "intranet"),
            ("file:///C:/x.html", "address"),
        ] {
            assert_eq!(site_name(address), site);
        }
    }

    #[test]
    fn control_characters_are_removed_and_long_names_are_cut() {
        assert_eq!(display_name("a\u{202e}b\u{7}"), "ab␇");
        assert_eq!(display_name(&"x".repeat(500)).chars().count(), 120);
    }
}
