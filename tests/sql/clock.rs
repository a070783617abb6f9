//! Tests the clock functions. `now()` and similar functions are for `*_local` columns, and `now_utc()` is for `*_utc`
//! columns.

use std::path::Path;

use chrono::{TimeDelta, Utc};
use dayledger::engine::{Engine, QueryLimits};
use dayledger_fixtures::{Activity, Group, HistoryWriter, Moment, SchemaOptions, Span};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::histories::{block_on, cells, engine_at, small};

/// Time zones on both sides of UTC. In the last zone, it is already tomorrow for more than half of the UTC day.
pub(crate) const ZONES: [&str; 3] = ["Europe/Berlin", "America/New_York", "Pacific/Kiritimati"];

/// Writes the history of a computer in `zone` that was used for the last two hours.
pub(crate) fn write_until_now(folder: &Path, zone: &str) {
    let zone = TimeZone::get(zone).unwrap();
    let moment = |hours: i64| {
        let utc = (Utc::now() - TimeDelta::hours(hours)).timestamp();
        let offset = zone.to_offset(Timestamp::from_second(utc).unwrap()).seconds();
        Moment { utc, offset: offset.into() }
    };
    let span = Span { start: moment(2), end: moment(0) };
    let mut writer = HistoryWriter::in_folder(folder, SchemaOptions::default()).unwrap();
    writer.add_device(1, "desk-id", "DESK", None).unwrap();
    let active = writer.add_group(1, &Group::state("ManicTime/Active", "Active")).unwrap();
    writer.add_activity(1, &Activity::new("Active", span).group(active)).unwrap();
    writer.add_activity(2, &Activity::new("Editor", span)).unwrap();
    writer.finish().unwrap().close().unwrap();
}

/// A statement about the history of [`write_until_now`]. Its only row contains only `true` on any computer in that
/// zone.
pub(crate) const UNTIL_NOW: &str = "\
    SELECT count(*) FILTER (WHERE end_local <= now() AND end_local > current_timestamp - INTERVAL '59 minutes') = 1 AS local,
        count(*) FILTER (WHERE end_utc <= now_utc() AND end_utc > now_utc() - INTERVAL '59 minutes') = 1 AS utc,
        min(now() - end_local = now_utc() - end_utc) AS same_distance,
        CAST(now() AS DATE) = current_date AND date_trunc('day', now()) = today() AS day,
        CAST(now() AS TIME) = current_time AS time_of_day
    FROM activities WHERE role = 'applications'";

/// The result of [`UNTIL_NOW`] as CSV.
pub(crate) const UNTIL_NOW_IS: &str = "true,true,true,true,true";

fn engine() -> (Engine, tempfile::TempDir) {
    let dir = small::folder();
    (engine_at(dir.path()), dir)
}

fn refusal(engine: &Engine, sql: &str) -> String {
    block_on(engine.query(sql, &QueryLimits::default())).map(|table| cells(&table)).unwrap_err().to_string()
}

/// Conditions that compare `*_utc` columns with the local clock.
const UTC_WITH_LOCAL_CLOCK: [&str; 20] = [
    "start_utc >= now()",
    "now() > start_utc",
    "start_utc < current_timestamp",
    "start_utc >= now() - INTERVAL '3 hours'",
    "start_utc + INTERVAL '1 day' >= now()",
    "date_trunc('day', start_utc) = date_trunc('day', now())",
    "date_part('hour', start_utc) = date_part('hour', now())",
    "to_unixtime(now()) - to_unixtime(start_utc) > 60",
    "now() - start_utc < INTERVAL '1 hour'",
    "start_utc NOT BETWEEN '2020-01-01' AND now()",
    "start_utc IN (now(), '2025-01-15')",
    "start_utc IN (SELECT now())",
    "start_utc > (SELECT now())",
    "start_utc > ANY (SELECT now())",
    "start_utc IS DISTINCT FROM now()",
    "coalesce(start_utc, now()) > '2025-01-15'",
    "CASE WHEN seconds > 5 THEN start_utc ELSE now() END > '2025-01-15'",
    "greatest(start_utc, now()) > '2025-01-15'",
    "seconds > 5 AND (title IS NULL OR NOT start_utc < now())",
    "EXISTS (SELECT 1 FROM tags t WHERE applications.start_utc < now())",
];

/// Conditions that compare `*_utc` columns with the local day. The hint used to be `now_utc()`, which isn't the start
/// of a day.
const UTC_WITH_LOCAL_DAY: [&str; 6] = [
    "start_utc >= today()",
    "start_utc >= current_date",
    "CAST(start_utc AS TIME) > current_time",
    "CAST(start_utc AS DATE) = current_date",
    "start_utc >= CAST(current_date AS TIMESTAMP)",
    "start_utc BETWEEN today() AND '2030-01-01'",
];

/// Conditions that compare `*_local` columns with the UTC clock.
const LOCAL_WITH_UTC_CLOCK: [&str; 6] = [
    "start_local >= now_utc()",
    "start_local >= now_utc() - INTERVAL '3 hours'",
    "CAST(start_local AS DATE) = CAST(now_utc() AS DATE)",
    "now_utc() - start_local < INTERVAL '1 hour'",
    "start_local BETWEEN '2025-01-15' AND now_utc()",
    "start_local IN (now_utc())",
];

/// A comparison with the wrong clock used to find the wrong rows in every zone except UTC.
#[test]
fn comparison_with_the_wrong_clock_is_rejected_with_a_hint() {
    let (engine, _dir) = engine();
    for (conditions, column, hint) in [
        (&UTC_WITH_LOCAL_CLOCK[..], "`start_utc`", "use `now_utc()`"),
        (&UTC_WITH_LOCAL_DAY, "`start_utc`", "use `start_local`"),
        (&LOCAL_WITH_UTC_CLOCK, "`start_local`", "use `now()`"),
    ] {
        for condition in conditions {
            let error = refusal(&engine, &format!("SELECT 1 FROM applications WHERE {condition}"));
            assert!(error.contains(column) && error.ends_with(hint), "{condition}: {error}");
        }
    }
    let renamed = "SELECT 1 FROM (SELECT start_utc AS began FROM applications) WHERE began >= today()";
    assert!(refusal(&engine, renamed).ends_with("use a `*_local` column"));
    let error = refusal(&engine, "SELECT 1 FROM day_summary('2025-01-15') WHERE date < CAST(now_utc() AS DATE)");
    assert!(error.ends_with("use `now()`"), "{error}");
    // If a range was computed from the UTC clock, it used to find the rows of other hours.
    for sql in [
        "SELECT * FROM pieces(now_utc() - INTERVAL '3 hours', now_utc())",
        "SELECT * FROM (SELECT * FROM Pieces('2025-01-15', CAST(now_utc() AS DATE))) AS p",
        "EXPLAIN SELECT * FROM pieces('2025-01-15', now_utc())",
    ] {
        let error = refusal(&engine, sql);
        assert!(error.contains("`pieces` and `now_utc()`") && error.ends_with("use `now()`"), "{sql}: {error}");
    }
    let error =
        block_on(engine.query("SELECT 1\nFROM tags WHERE now() < start_utc", &QueryLimits::default())).unwrap_err();
    let position = error.position().unwrap();
    assert_eq!((position.line, position.column), (2, 25), "the error marks the column");
}

#[test]
fn clock_of_a_column_is_tracked_through_subqueries() {
    let (engine, _dir) = engine();
    for sql in [
        "SELECT * FROM (SELECT start_utc AS began FROM applications) WHERE began > now()",
        "SELECT * FROM (SELECT start_utc AS start_local FROM applications) WHERE start_local > now()",
        "SELECT * FROM (SELECT CAST(start_utc AS DATE) AS day FROM applications) WHERE day = CAST(now() AS DATE)",
        "WITH a AS (SELECT date_trunc('hour', end_utc) AS hour FROM tags) SELECT * FROM a AS b WHERE b.hour < now()",
        "WITH c AS (SELECT now() AS cutoff) SELECT * FROM applications, c WHERE start_utc < cutoff",
        "SELECT * FROM applications JOIN (SELECT now() AS start_utc) c USING (start_utc)",
        "SELECT * FROM applications a JOIN (VALUES (now())) AS c(cutoff) ON a.start_utc > c.cutoff",
        "SELECT device, max(end_utc) FROM pieces('2025-01-15') GROUP BY device HAVING max(end_utc) < now()",
        "SELECT device, now() - max(end_utc) FROM segments GROUP BY device",
        "SELECT lag(end_utc) OVER (ORDER BY start_utc) > now() FROM applications",
        "SELECT * FROM (SELECT start_utc AS t FROM tags UNION ALL SELECT end_utc FROM tags) WHERE t > now()",
        "SELECT * FROM (SELECT unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part FROM applications) \
         WHERE part['end_utc'] < now()",
        "SELECT * FROM applications ORDER BY now() - start_utc",
        "SELECT now() - start_utc AS ago FROM narrative('2025-01-15')",
        "SELECT (SELECT max(t.end_utc) FROM tags t) > now()",
        "SELECT union_seconds(start_utc, now()) FROM applications",
        "SELECT sum(overlap_seconds(start_utc, end_utc, now() - INTERVAL '1 hour', now())) FROM applications",
        "SELECT array_has([start_utc], now()) FROM applications",
        "SELECT start_utc FROM applications UNION ALL SELECT now()",
        "SELECT 1 FROM manictime.ar_activity WHERE startutctime > now()",
    ] {
        let error = refusal(&engine, sql);
        assert!(error.ends_with("use `now_utc()`"), "{sql}: {error}");
    }
}

#[test]
fn matching_clocks_and_other_uses_are_accepted() {
    let (engine, _dir) = engine();
    for sql in [
        "SELECT now(), now_utc(), now() - now_utc(), current_date - DATE '2025-01-15'",
        "SELECT * FROM applications WHERE start_local < now() AND start_utc < now_utc() AND end_local >= today()",
        "SELECT * FROM applications WHERE start_local - start_utc = INTERVAL '1 hour' AND start_local > start_utc",
        "SELECT * FROM applications WHERE start_utc + (start_local - start_utc) < now()",
        "SELECT * FROM applications WHERE start_utc + (now() - now_utc()) < now()",
        "SELECT * FROM applications WHERE end_utc - start_utc < now() - today()",
        "SELECT * FROM (SELECT start_utc + INTERVAL '1 hour' AS berlin_local FROM applications) WHERE berlin_local < now()",
        "SELECT device, count(end_utc) FROM applications GROUP BY device HAVING count(end_utc) < date_part('hour', now())",
        "SELECT start_utc AT TIME ZONE 'UTC' < now() AT TIME ZONE 'Europe/Berlin' FROM applications",
        "SELECT to_char(now(), '%H') || to_char(start_utc, '%H') FROM applications",
        "WITH RECURSIVE h AS (SELECT date_trunc('day', min(start_utc)) AS hour FROM applications UNION ALL \
         SELECT hour + INTERVAL '100 days' FROM h WHERE hour < now_utc()) SELECT count(*) FROM h",
        "SELECT * FROM pieces(today() - INTERVAL '1 day', now() + INTERVAL '1 day')",
        "SELECT * FROM pieces(current_date, current_date + INTERVAL '1 day')",
        "SELECT * FROM pieces(current_date)",
        "SELECT * FROM generate_series(CAST(now_utc() AS TIMESTAMP), CAST(now_utc() AS TIMESTAMP), INTERVAL '1 hour')",
    ] {
        block_on(engine.query(sql, &QueryLimits::default())).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
}
