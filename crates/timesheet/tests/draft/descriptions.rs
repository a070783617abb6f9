//! Descriptions of rows in generated days. A row of one client must never contain words of another client.

use std::collections::BTreeMap;

use dayledger_timesheet::draft::{ActivePeriod, DraftInput, Memory, ProjectNames, Settings, WorkLabel, draft};
use proptest::prelude::*;

use super::world::{day, period, projects, rule, tag};

/// Returns labels of intervals. Each comes with the label of its block and the client whose words the interval
/// contains.
fn labels() -> Vec<(WorkLabel, WorkLabel, &'static str)> {
    vec![
        (tag(&["A", "y", "Review"]), WorkLabel::Nothing, "alpha"),
        (tag(&["A", "x"]), rule("B", Some("z")), "alpha"),
        (rule("A", Some("y")), tag(&["B", "z"]), "alpha"),
        (tag(&["B", "z", "Advice"]), WorkLabel::Nothing, "beta"),
        (rule("B", Some("z")), WorkLabel::Nothing, "beta"),
        (WorkLabel::Nothing, tag(&["A", "y"]), "gamma"),
        (WorkLabel::Nothing, rule("B", Some("z")), "gamma"),
        (WorkLabel::Nothing, WorkLabel::Nothing, "gamma"),
    ]
}

fn any_period() -> impl Strategy<Value = ActivePeriod> {
    let labels = prop::sample::select(labels());
    (0..80_000_i64, 1..7200_i64, labels, any::<[bool; 5]>()).prop_map(|(start, length, (label, block, client), has)| {
        let text = |kind: usize, text: String| has[kind].then_some(text);
        ActivePeriod {
            block,
            meeting: text(0, format!("{client} meeting")),
            note: text(1, format!("{client} note")),
            site: text(2, format!("{client}.example")),
            document: text(4, format!("/work/{client} file.md")),
            title: text(3, format!("{}-{length} - Browser", client.to_uppercase())),
            ..period(start, start + length, label)
        }
    })
}

proptest! {
    #[test]
    fn rows_contain_only_words_of_their_own_client(periods in prop::collection::vec(any_period(), 1..30)) {
        let projects = projects();
        let (names, elsewhere, memory) = (ProjectNames::new(&projects, &[]), BTreeMap::new(), Memory::default());
        let input = DraftInput {
            first: day(0),
            last: day(0),
            periods: &periods,
            unconfirmed: &[],
            entries: &[],
            other_days: &elsewhere,
            names: &names,
            memory: &memory,
        };
        for row in draft(&input, &Settings::default()).rows {
            let text = row.description.unwrap_or_default().to_lowercase();
            let (own, others) = match row.project_code.as_deref() {
                Some("A") => ("alpha", ["beta", "advice"]),
                Some(_) => ("beta", ["alpha", "review"]),
                None => ("gamma", ["alpha", "beta"]),
            };
            prop_assert!(others.iter().all(|word| !text.contains(word)), "{text}");
            prop_assert!(!text.contains(".example"), "{text}");
            let is_foreign = own != "gamma" && text.contains("gamma");
            prop_assert!(!is_foreign, "words of time in the block of another client: {text}");
        }
    }
}
