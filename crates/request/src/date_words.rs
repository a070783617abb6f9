//! Finds the dates in the words of a command line.

use super::parse_moment;

/// Splits the words of a command line into a start and an end. The start and the end can each be several words. For
/// example, `last friday today` is from `last friday` to `today`, and `last 2 weeks` has no end. If only some of the
/// words are a valid date, the remaining words are returned as the start or the end, unparsed.
pub fn start_and_end(words: &[&str]) -> (String, Option<String>) {
    let is_read = |words: &[&str]| !words.contains(&"") && parse_moment(&words.join(" "), "").is_ok();
    let is_end = |words: &[&str]| words.is_empty() || is_read(words);
    let ends = || (1..=words.len()).rev();
    let at = ends()
        .find(|at| is_read(&words[..*at]) && is_end(&words[*at..]))
        .or_else(|| ends().find(|at| is_read(&words[..*at])))
        .or_else(|| (1..words.len()).find(|at| is_read(&words[*at..])))
        .unwrap_or(words.len());
    let (start, end) = words.split_at(at);
    (start.join(" "), (!end.is_empty()).then(|| end.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_several_words_need_no_quotes() {
        for (line, start, end) in [
            ("2025-01-13", "2025-01-13", None),
            ("2025-01-13 2025-01-20", "2025-01-13", Some("2025-01-20")),
            ("last 2 weeks", "last 2 weeks", None),
            ("last 2 weeks today", "last 2 weeks", Some("today")),
            ("monday last friday", "monday", Some("last friday")),
            ("last week last friday", "last week", Some("last friday")),
            ("last 7 days 2025", "last 7 days", Some("2025")),
            ("2025-01-15 09:30 2025-01-15 12:00", "2025-01-15 09:30", Some("2025-01-15 12:00")),
            ("yesterday 14:00 16:00", "yesterday 14:00", Some("16:00")),
            ("25 november 30 november", "25 november", Some("30 november")),
            ("nov 25 2025 2 days ago", "nov 25 2025", Some("2 days ago")),
        ] {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(start_and_end(&words), (start.to_owned(), end.map(str::to_owned)), "{line}");
        }
        assert_eq!(start_and_end(&["last week", "today"]), ("last week".to_owned(), Some("today".to_owned())));
    }

    #[test]
    fn wrong_date_is_separated_from_the_valid_one() {
        for (line, start, end) in [
            ("lst week", "lst week", None),
            ("2025-01-13 2025-01-32", "2025-01-13", Some("2025-01-32")),
            ("2025-01-32 2025-02-01", "2025-01-32", Some("2025-02-01")),
            ("last week tody", "last week", Some("tody")),
            ("lst week last friday", "lst week", Some("last friday")),
            ("today ", "today", Some("")),
        ] {
            let words: Vec<_> = line.split(' ').collect();
            assert_eq!(start_and_end(&words), (start.to_owned(), end.map(str::to_owned)), "{line}");
        }
    }
}
