//! Titles, dates and names of notes, by the rules of the application.

use chrono::{DateTime, NaiveDate, TimeZone, Utc};

use crate::path::NotePath;

/// What a note without a title is called.
pub const UNTITLED: &str = "Untitled";

/// The first line that is a heading of the first level, wherever it stands, in a block of code too.
pub fn title(text: &str) -> Option<&str> {
    text.lines().find_map(|line| {
        let rest = line.strip_prefix('#')?;
        let title = rest.trim();
        (rest.starts_with(char::is_whitespace) && !title.is_empty()).then_some(title)
    })
}

/// The day that the name of a note begins with, as in `2024-12-10-kickoff.md`.
pub fn named_day(path: &NotePath) -> Option<NaiveDate> {
    let (day, rest) = path.stem().split_at_checked("2024-12-10".len())?;
    let day = day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-').then_some(day)?;
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    (!rest.starts_with(|next: char| next.is_ascii_digit())).then_some(day)
}

/// The day of a note: that of its name, else the local one on which it was last written.
pub fn day<Z: TimeZone>(path: &NotePath, modified: DateTime<Utc>, zone: &Z) -> NaiveDate {
    named_day(path).unwrap_or_else(|| modified.with_timezone(zone).date_naive())
}

/// A title as part of a file name: in lower case, with `-` for each run of what is neither letter nor digit of any
/// alphabet, and for none at the ends. Empty where the title has no letters and digits.
pub fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The name that the application gives to the file of a note which is made on that day, which is the UTC one.
pub fn file_name(title: &str, day: NaiveDate) -> String {
    let slug = slug(title);
    format!("{day}-{}.md", if slug.is_empty() { "untitled" } else { &slug })
}

#[cfg(test)]
mod tests {
    use chrono::FixedOffset;

    use super::*;

    #[test]
    fn a_title_is_the_first_heading_of_the_first_level() {
        assert_eq!(title("## Not H1\n# This"), Some("This"));
        assert_eq!(title("#NoSpace"), None);
        assert_eq!(title("# \n#\t Next \r\n"), Some("Next"));
        assert_eq!(title("```\n# in code\n```"), Some("in code"));
        assert_eq!(title(""), None);
    }

    #[test]
    fn a_file_is_named_by_its_day_and_title() {
        let day = NaiveDate::from_ymd_opt(2024, 12, 10).unwrap();
        assert_eq!(file_name("Special!@#$%Characters", day), "2024-12-10-special-characters.md");
        assert_eq!(file_name("  !", day), "2024-12-10-untitled.md");
        assert_eq!(slug("Été 2"), "été-2");
    }

    #[test]
    fn a_note_is_of_the_day_in_its_name_else_of_the_local_one_when_it_was_written() {
        let written = Utc.with_ymd_and_hms(2025, 1, 1, 23, 30, 0).unwrap();
        let zone = FixedOffset::east_opt(3600).unwrap();
        let day = |path: &str| day(&NotePath::parse(path).unwrap(), written, &zone).to_string();
        assert_eq!(day("a/2024-12-10-kickoff.md"), "2024-12-10");
        assert_eq!(day("2024-12-10.md"), "2024-12-10");
        for undated in ["kickoff.md", "2024-13-10-x.md", "2024-12-101.md", "+024-12-10.md", "2024-12-1é.md"] {
            assert_eq!(day(undated), "2025-01-02", "{undated}");
        }
    }
}
