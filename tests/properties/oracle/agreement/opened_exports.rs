//! Checks that an export, which is written one month at a time, returns the same rows as its history.

use std::ops::Range;

use dayledger::export::ExportTable;
use proptest::prelude::*;

use super::super::history::History;
use super::pieces::pieces_agree;
use super::{agreement, arguments, sorted};
use crate::histories::OpenHistory;

/// The queries that run on the history and on its export.
const QUESTIONS: [&str; 9] = [
    "narrative(RANGE)",
    "day_summary(RANGE)",
    "tags_in(RANGE)",
    "computer_usage_in(RANGE)",
    // The rule matches of segments are left out, because they are not exported.
    "(SELECT device, activity_id, start_local, start_utc, end_local, end_utc, seconds, application, key, color, document, \
     website, tags, title FROM segments)",
    "app_usage",
    "website_usage",
    "document_usage",
    "tag_usage",
];

fn exports_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    let tables: Vec<_> = ExportTable::ALL.into_iter().filter(|table| *table != ExportTable::Screenshots).collect();
    // An export rejects queries outside of its months, so the history must have rows in both months.
    let held = "SELECT min(start_local) < '2026-11-01' AND max(end_local) > '2026-11-01' FROM activities";
    if program.sql(held) != ["true"] {
        return Ok(());
    }
    let export = program.export(&["2026-10", "2026-11"], &tables);
    pieces_agree(invented, &export, &ranges[..2])?;
    for question in QUESTIONS {
        let sql = format!("SELECT * FROM {}", question.replace("RANGE", &arguments(&ranges[1])));
        prop_assert_eq!(sorted(export.sql(&sql)), sorted(program.sql(&sql)), "{}", sql);
    }
    Ok(())
}

agreement! {
    exports_of_a_quiet_desk: NONE, exports_agree;
    exports_where_clocks_change: CLOCKS, exports_agree;
    exports_of_odd_rows: ROWS, exports_agree;
    exports_of_devices: DEVICES, exports_agree;
    exports_of_odd_totals: TOTALS, exports_agree;
}
