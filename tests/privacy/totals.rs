//! Redaction may change texts, but never an amount of time.

use dayledger::activity::UsageKind;
use dayledger::source::{Privacy, Redaction};
use dayledger_fixtures::SchemaOptions;
use proptest::prelude::*;

use super::pattern;
use crate::histories::OpenHistory;
use crate::histories::random::{device, range};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 3, max_shrink_iters: 20, failure_persistence: None, ..ProptestConfig::default() }
}

fn privacy() -> impl Strategy<Value = Privacy> {
    let redacted = prop::sample::subsequence(Redaction::ALL.to_vec(), 0..=4);
    let applications = prop::sample::subsequence(vec!["code*", "slack", "Firefox", "*"], 0..=2);
    let sites = prop::sample::subsequence(vec!["docs.example", "*"], 0..=1);
    let patterns = |texts: Vec<&str>| texts.into_iter().map(pattern).collect::<Vec<_>>();
    (redacted, applications, sites).prop_map(move |(redacted, applications, sites)| {
        Privacy::new(redacted, patterns(applications), patterns(sites))
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn redaction_does_not_change_totals(devices in [device(), device()], privacy in privacy()) {
        let whole = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let withheld = whole.with_privacy(privacy);
        let active = |history: &OpenHistory| history.narrative(range()).total_active_minutes;
        prop_assert_eq!(active(&withheld), active(&whole));
        let days = |history: &OpenHistory| {
            let days = history.period(range()).days.into_iter();
            days.map(|day| (day.date, day.total_active_minutes, day.last_activity)).collect::<Vec<_>>()
        };
        prop_assert_eq!(days(&withheld), days(&whole));
        for kind in [UsageKind::Applications, UsageKind::Documents] {
            let total = |history: &OpenHistory| history.usage(kind, range()).total_minutes;
            prop_assert_eq!(total(&withheld), total(&whole));
        }
        let segments = "SELECT sum(seconds) FROM narrative('2026-10-24', '2026-11-14', 2)";
        prop_assert_eq!(withheld.numbers(segments), whole.numbers(segments));
    }
}
