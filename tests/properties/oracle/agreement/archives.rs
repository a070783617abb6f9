//! An archive, written a month at a time, answers as the history does that it was made of.

use std::ops::Range;

use dayledger::export::ExportTable;
use proptest::prelude::*;

use super::super::history::History;
use super::pieces::pieces_agree;
use super::{agreement, arguments, sorted};
use crate::properties::histories;

/// What is asked of both for a range.
const QUESTIONS: [&str; 7] = [
    "narrative",
    "day_summary",
    "tags_in",
    "computer_usage_in",
    "hourly_usage 'applications'",
    "hourly_usage 'documents'",
    "hourly_usage 'websites'",
];

fn archives_agree(
    invented: &History,
    program: &histories::History,
    ranges: &[Range<i64>],
) -> Result<(), TestCaseError> {
    let tables: Vec<_> = ExportTable::ALL.into_iter().filter(|table| *table != ExportTable::Screenshots).collect();
    let archive = program.exported(&["2026-10", "2026-11"], &tables);
    pieces_agree(invented, &archive, &ranges[..2])?;
    for question in QUESTIONS {
        let (function, role) = question.split_once(' ').unwrap_or((question, ""));
        let role = if role.is_empty() { String::new() } else { format!("{role}, ") };
        let sql = format!("SELECT * FROM {function}({role}{})", arguments(&ranges[1]));
        prop_assert_eq!(sorted(archive.sql(&sql)), sorted(program.sql(&sql)), "{}", sql);
    }
    for table in ["segments", "app_usage", "website_usage", "document_usage", "tag_usage"] {
        let sql = format!("SELECT * FROM {table}");
        prop_assert_eq!(sorted(archive.sql(&sql)), sorted(program.sql(&sql)), "{}", sql);
    }
    Ok(())
}

agreement! {
    archives_of_a_quiet_desk: NONE, archives_agree;
    archives_where_clocks_change: CLOCKS, archives_agree;
    archives_of_odd_rows: ROWS, archives_agree;
    archives_of_devices: DEVICES, archives_agree;
    archives_of_odd_totals: TOTALS, archives_agree;
}
