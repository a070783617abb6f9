//! Titles and days of notes.

use chrono::{DateTime, Datelike, NaiveDate, TimeZone, Utc};

use crate::document::Document;
use crate::path::NotePath;
use crate::sections::headings;

/// The title that is shown for a text if neither the text nor a file name provides a title.
pub const UNTITLED: &str = "Untitled";

/// The earliest year of a compact date. Eight digits with an earlier year are probably a number, not a date.
const FIRST_YEAR: i32 = 1970;

/// Returns the title of a note: the title in its text, or the file name without extension if the text has no title.
pub fn title(path: &NotePath, text: &str) -> String {
    title_of_text(text).unwrap_or_else(|| path.stem().to_owned())
}

/// Returns the title in the front matter. Without this title, returns the first heading of any level.
pub fn title_of_text(text: &str) -> Option<String> {
    let document = Document::parse(text);
    let heading = || headings(&document.body()).map(|heading| heading.text).find(|title| !title.is_empty());
    document.front_matter_value("title").or_else(heading)
}

/// Returns the day that a note states: `date` in its front matter. Without this key, returns the day at the beginning
/// of the file name, as in `2024-12-10-kickoff.md` and `20241210 kickoff.md`.
pub fn stated_day(path: &NotePath, text: &str) -> Option<NaiveDate> {
    let date = Document::parse(text).front_matter_value("date");
    date.and_then(|date| written_day(&date)).or_else(|| file_name_day(path))
}

/// Parses a day, optionally followed by a time: `2026-11-02`, `2026/11/02`, `20261102`, `2 Nov 2026`.
fn written_day(written: &str) -> Option<NaiveDate> {
    ["%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%d %B %Y", "%B %d, %Y"].iter().find_map(|form| {
        let (day, time) = NaiveDate::parse_and_remainder(written, form).ok()?;
        (time.is_empty() || time.starts_with(['T', 't', ' ', ','])).then_some(day)
    })
}

/// Returns the day at the beginning of a note's file name.
fn file_name_day(path: &NotePath) -> Option<NaiveDate> {
    let stem = path.stem();
    let length = stem.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
    let begun = stem.get(..length)?;
    // If another digit follows the day, the name begins with a longer number.
    let long = begun.get(.."2024-12-10".len()).filter(|_| !begun[10..].starts_with(|next: char| next.is_ascii_digit()));
    let dashed = long.and_then(|day| NaiveDate::parse_from_str(day, "%Y-%m-%d").ok());
    dashed.or_else(|| compact_day(begun))
}

/// Parses a day that is written with eight digits, such as `20241210`.
fn compact_day(begun: &str) -> Option<NaiveDate> {
    let digits = begun.split('-').next().filter(|digits| digits.len() == "20241210".len())?;
    let day =
        NaiveDate::from_ymd_opt(digits[..4].parse().ok()?, digits[4..6].parse().ok()?, digits[6..].parse().ok()?)?;
    (day.year() >= FIRST_YEAR).then_some(day)
}

/// Returns the day of a note: the day that the note states. If the note doesn't state a day, returns the local day of
/// the last change to the file.
pub fn day<Z: TimeZone>(path: &NotePath, text: &str, modified: DateTime<Utc>, zone: &Z) -> NaiveDate {
    stated_day(path, text).unwrap_or_else(|| modified.with_timezone(zone).date_naive())
}

#[cfg(test)]
mod tests {
    use chrono::FixedOffset;

    use super::*;

    #[test]
    fn title_is_that_of_the_front_matter_or_the_first_heading() {
        for (text, title) in [
            ("---\ntitle: From front matter\n---\n# Heading\n", Some("From front matter")),
            ("---\n# who was there\nattendees: x\n---\n\n# Real title\n", Some("Real title")),
            ("---\ntitle:\n---\n# Heading\n", Some("Heading")),
            ("Setext title\n============\n", Some("Setext title")),
            ("text\n\nTwo\nlines\n---\n", Some("Two lines")),
            ("## Second level only\n", Some("Second level only")),
            ("## Second\n# First\n", Some("Second")),
            ("   # Indented\n", Some("Indented")),
            ("```sh\n# install it\n```\n\n# True title\n", Some("True title")),
            ("<!--\n# hidden\n-->\n# Shown\n", Some("Shown")),
            ("> # quoted\n\n- # listed\n\n# Own\n", Some("Own")),
            ("# Closed #\n", Some("Closed")),
            ("# **Bold** `code` [link](x)\n", Some("Bold code link")),
            ("# \n#\t Next \r\n", Some("Next")),
            ("#NoSpace", None),
            ("", None),
        ] {
            assert_eq!(title_of_text(text).as_deref(), title, "{text}");
        }
        let path = NotePath::parse("a/2026-11-03 Weekly.md").unwrap();
        assert_eq!(title(&path, "plain"), "2026-11-03 Weekly");
    }

    #[test]
    fn day_comes_from_front_matter_then_name_then_last_change() {
        let written = Utc.with_ymd_and_hms(2025, 1, 1, 23, 30, 0).unwrap();
        let zone = FixedOffset::east_opt(3600).unwrap();
        let day = |path: &str, text: &str| day(&NotePath::parse(path).unwrap(), text, written, &zone).to_string();
        for dated in ["a/2024-12-10-kickoff.md", "2024-12-10.md", "20241210 kickoff.md", "20241210-2.md", "20241210.md"]
        {
            assert_eq!(day(dated, "x"), "2024-12-10", "{dated}");
        }
        for date in [
            "2024-12-09",
            "'2024-12-09'",
            "2024-12-09T10:00:00Z",
            "2024-12-09 10:00",
            "2024-12-9",
            "2024/12/09",
            "20241209",
            "9 Dec 2024",
            "December 9, 2024",
        ] {
            assert_eq!(day("2024-12-10.md", &format!("---\nDate: {date}\n---\n")), "2024-12-09", "{date}");
        }
        assert_eq!(day("a.md", "+++\ndate = 2024-12-09T10:00:00Z\n+++\n"), "2024-12-09");
        for other in ["soon", "2024-12-09abc", "2024-12-091", "202412091", "9.12.2024"] {
            assert_eq!(day("2024-12-10.md", &format!("---\ndate: {other}\n---\n")), "2024-12-10", "{other}");
        }
        for undated in [
            "kickoff.md",
            "2024-13-10-x.md",
            "2024-12-101.md",
            "+024-12-10.md",
            "2024-12-1é.md",
            "20241310.md",
            "202412101.md",
            "10101010.md",
            "2024-12.md",
        ] {
            assert_eq!(day(undated, "x"), "2025-01-02", "{undated}");
        }
    }
}
