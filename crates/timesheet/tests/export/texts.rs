//! Tests that the texts in a file are the texts of the entries, as far as the format can represent them.

use dayledger_timesheet::export::Format;
use dayledger_timesheet::{Tag, TimeEntry};
use proptest::prelude::*;

use super::file;
use super::readers::{ics, klog, timeclock};
use super::samples::{entries, entry, hostile};

fn entry_with_description(description: &str) -> TimeEntry {
    TimeEntry { description: Some(description.to_owned()), ..entry(1, "CLIENT-A", "Bug Fixing", 150, 0, 0) }
}

proptest! {
    #[test]
    fn a_calendar_has_the_description(text in hostile()) {
        let read = ics(&file(Format::Ics, &[entry_with_description(&text)]));
        let ends = text.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert_eq!(&read[0].text, &ends.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " "));
    }

    #[test]
    fn klog_has_the_lines_of_the_description(text in hostile()) {
        // Descriptions with tags are tested separately below.
        let text = text.replace('#', "");
        let (read, _) = klog(&file(Format::Klog, &[entry_with_description(&text)]));
        let printable = text.replace("\r\n", "\n").replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
        let lines: Vec<_> = printable.split('\n').filter(|line| !line.trim().is_empty()).collect();
        prop_assert_eq!(&read[0].text, &lines.join("\n"));
    }

    #[test]
    fn a_timeclock_has_the_description_on_one_line(entries in entries()) {
        for entry in entries.into_iter().filter(|entry| entry.issue_id.is_none()) {
            let text = entry.description.clone().unwrap_or_default();
            let words: Vec<_> = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
            for read in timeclock(&file(Format::Timeclock, &[entry])) {
                prop_assert_eq!(read.text, words.join(" ").replace(';', "；"));
            }
        }
    }
}

#[test]
fn ticket_is_written_once() {
    let entry = TimeEntry { issue_id: Some("PAY-17".to_owned()), ..entry_with_description("refunds") };
    let named = TimeEntry { description: Some("PAY-17, cart.rs".to_owned()), ..entry.clone() };
    let alone = TimeEntry { description: None, ..entry.clone() };
    for (entry, text) in [(entry, "PAY-17: refunds"), (named, "PAY-17, cart.rs"), (alone, "PAY-17")] {
        assert_eq!(timeclock(&file(Format::Timeclock, std::slice::from_ref(&entry)))[0].text, text);
        assert_eq!(ics(&file(Format::Ics, &[entry]))[0].text, text);
    }
}

#[test]
fn a_description_cannot_take_the_place_of_a_tag_of_klog() {
    for (text, written) in [
        ("see #17 and #projects", "see #17 and #projects"),
        ("#project=OTHER", "＃project=OTHER"),
        ("#TASK\"x\" ##hours=9", "＃TASK\"x\" #＃hours=9"),
        ("#tas\u{212a}=x #project²=y", "＃tas\u{212a}=x ＃project²=y"),
    ] {
        let klog = file(Format::Klog, &[entry_with_description(text)]);
        assert_eq!(klog, format!("2025-10-20\n    1h30m #project=CLIENT-A #task=\"Bug Fixing\" {written}\n"));
    }
    let tags = vec![
        Tag::new("Billable", "Yes"),
        Tag::new("Project", "a \"b\" 'c'"),
        Tag::new("two words", ""),
        Tag::new("Type", "#task=x"),
    ];
    let klog = file(Format::Klog, &[TimeEntry { tags, ..entry_with_description("") }]);
    let expected = "#billable=Yes #tag-project=\"a ＂b＂ 'c'\" #two_words=\"\" #type=\"＃task=x\"\n";
    assert!(klog.ends_with(expected), "{klog}");
}
