//! If ManicTime's hourly totals are exact, they must equal the totals that are computed from activities. The recorded
//! time of an hour must not exceed the hour's length.

use dayledger::activity::{ReasonCode, UsageKind};
use dayledger::request::Minutes;
use dayledger_fixtures::{SchemaOptions, TableGroup};
use proptest::prelude::*;

use crate::histories::OpenHistory;
use crate::histories::random::{Device, TimelineRow, by_hour, days, device, range};

/// The local hour that is repeated because of the clock change in autumn.
const REPEATED: &str = "2026-10-25 02";

fn without_hourly() -> SchemaOptions {
    SchemaOptions::default().without_groups(&[TableGroup::Hourly])
}

/// A statement for the recorded seconds of every local hour that has recorded time.
const HOURS: &str = "SELECT to_char(hour_local, '%Y-%m-%d %H'), sum(seconds) FROM app_usage GROUP BY 1 ORDER BY 1";

proptest! {
    #![proptest_config(super::config(3))]

    #[test]
    fn exact_hourly_totals_equal_the_fallback(devices in [device(), device()]) {
        let [hourly, fallback] =
            [SchemaOptions::default(), without_hourly()].map(|options| OpenHistory::from_devices(&devices, &options));
        for kind in [UsageKind::Applications, UsageKind::Documents] {
            let (recorded, mut computed) = (hourly.usage(kind, range()), fallback.usage(kind, range()));
            if !computed.usage.is_empty() {
                prop_assert_eq!(computed.diagnostics.reason_code, Some(ReasonCode::FallbackComputation));
            }
            computed.diagnostics = recorded.diagnostics.clone();
            // Hourly totals and colours both need the tables of common groups, so both histories have these tables.
            prop_assert_eq!(&recorded.usage, &computed.usage);
            prop_assert_eq!(recorded, computed);
        }
    }

    #[test]
    fn recorded_time_of_an_hour_is_at_most_its_length(device in device()) {
        let device = device.split_at_clock_change();
        let expected: Vec<_> = by_hour(device.applications.iter().flat_map(|row| row.start..row.end))
            .into_iter()
            .map(|(hour, seconds)| {
                assert!(seconds <= if hour == REPEATED { 7_200 } else { 3_600 });
                format!("{hour}|{seconds}")
            })
            .collect();
        for options in [SchemaOptions::default(), without_hourly()] {
            prop_assert_eq!(&OpenHistory::from_devices(std::slice::from_ref(&device), &options).sql(HOURS), &expected);
        }
    }
}

/// The hourly totals of a day may be incomplete. Up to the day's last hour with a total, only totals are used, so that
/// hours add up to days.
#[test]
fn hour_without_totals_on_a_day_with_totals_stays_empty() {
    let row = |hours: std::ops::Range<i64>| TimelineRow {
        start: crate::histories::random::CHANGE + hours.start * 3_600,
        end: crate::histories::random::CHANGE + hours.end * 3_600,
        about: 0,
    };
    let device = Device { applications: vec![row(6..9)], active: vec![row(6..9)], documents: Vec::new() };
    let history = OpenHistory::create(&SchemaOptions::default(), |writer| {
        crate::histories::random::write_device(writer, 0, &device);
        writer.fill_hourly_tables().unwrap();
        let removed =
            writer.connection().execute("DELETE FROM Ar_ApplicationByDay WHERE Hour = '2026-10-25 09:00:00'", []);
        assert_eq!(removed.unwrap(), 1);
    });
    let usage = |start, end| history.usage(UsageKind::Applications, days(start, end));
    let (day, kept, lost) = (
        usage("2026-10-25", "2026-10-26"),
        usage("2026-10-25T08:00", "2026-10-25T09:00"),
        usage("2026-10-25T09:00", "2026-10-25T10:00"),
    );
    assert_eq!([day.total_minutes, kept.total_minutes, lost.total_minutes].map(Minutes::seconds), [7200, 3600, 0]);
    assert_eq!(lost.diagnostics.reason_code, Some(ReasonCode::NoDataInRange));
}
