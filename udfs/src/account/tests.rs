//! Tests of the columns other than times. Tests of the whole program check the times.

use crate::blocks::{Kind as SubjectKind, Subject};
use crate::interval::Interval;
use crate::segment::JoinLimits;

use super::{AccountInterval, AccountOptions, Adds, Counts, Cut, Kind, Source, State, Step, sweep_account};

const TERMS: AccountOptions = AccountOptions {
    range_start: None,
    range_end: None,
    joins: JoinLimits { max_gap: 120, interruption: 30 },
    switch_cost: 300,
};

fn at(start: i64, end: i64) -> Interval {
    Interval { start_utc: start, start_local: start + 3600, end_utc: end, end_local: end + 3600 }
}

fn row<'a>(kind: Kind<'a>, device: &'a str, activity: i64, name: &'a str, start: i64, end: i64) -> Source<'a> {
    let (timeline, key) = (Some(i64::from(kind == Kind::Tag)), Some(name));
    let device = Some(device);
    Source { kind, device, timeline, activity: Some(activity), name: Some(name), key, interval: at(start, end) }
}

/// An application row that is active for its whole duration.
fn used<'a>(device: &'a str, activity: i64, name: &'a str, start: i64, end: i64) -> [Source<'a>; 2] {
    let subject = Subject { kind: SubjectKind::Application, name };
    [Kind::Application, Kind::Piece(subject)].map(|kind| row(kind, device, activity, name, start, end))
}

fn account_intervals<'a>(sources: &[Source<'a>]) -> Vec<AccountInterval<'a>> {
    let mut found = Vec::new();
    sweep_account(sources, TERMS, |_, stretch| found.push(stretch));
    found.sort_by_key(|interval| interval.interval);
    found
}

#[test]
fn seconds_shared_by_two_devices_add_once_to_each_total() {
    let sources = [used("a", 1, "Code", 0, 100), used("b", 2, "Code", 50, 150), used("c", 3, "Mail", 90, 120)].concat();
    let adds: Vec<_> = account_intervals(&sources)
        .into_iter()
        .map(|interval| {
            (interval.interval.start_utc, interval.interval.end_utc, interval.application.unwrap(), interval.adds)
        })
        .collect();
    let expected = [
        (0, 100, "Code", Adds::Both),
        (50, 100, "Code", Adds::Neither),
        (90, 120, "Mail", Adds::Application),
        (100, 150, "Code", Adds::Both),
    ];
    assert_eq!(adds, expected);
}

#[test]
fn steps_report_how_an_interval_joined_its_segment() {
    let rows = [
        used("a", 1, "Code", 0, 100),
        used("a", 2, "Mail", 100, 120),
        used("a", 3, "Code", 120, 200),
        used("a", 4, "Code", 260, 300),
        used("a", 5, "Mail", 300, 400),
    ];
    let steps: Vec<_> = account_intervals(&rows.concat())
        .into_iter()
        .filter_map(|interval| Some((interval.work?.segment_start - 3600, interval.work?.step)))
        .collect();
    assert_eq!(steps, [(0, Step::Own), (0, Step::Absorbed), (0, Step::Own), (0, Step::Gap), (300, Step::Own)]);
}

#[test]
fn cuts_report_their_cause() {
    let subject = Subject { kind: SubjectKind::Application, name: "Code" };
    let sources = [
        row(Kind::State(State::Active), "a", 1, "", 0, 100),
        row(Kind::State(State::Away), "a", 2, "", 100, 300),
        row(Kind::Application, "a", 9, "Code", 10, 400),
        row(Kind::Piece(subject), "a", 9, "Code", 10, 100),
        row(Kind::Tag, "", 5, "Client", 150, 500),
    ];
    let found: Vec<_> = account_intervals(&sources)
        .into_iter()
        .map(|interval| (interval.interval.start_utc, interval.counts, interval.cut_start, interval.cut_end))
        .collect();
    let away = Counts::State(State::Away);
    let unknown = Counts::State(State::Unknown);
    let expected = [
        (0, Counts::NoApplication, None, Some(Cut::Application)),
        (10, Counts::Active, None, Some(Cut::State(State::Away))),
        (100, away, None, Some(Cut::Tag)),
        (150, away, Some(Cut::Tag), None),
        (300, unknown, Some(Cut::State(State::Away)), None),
        (400, Counts::Tagged, Some(Cut::Recorded), None),
    ];
    assert_eq!(found, expected);
}
