//! Tests SQL over rows in memory: every table, view and table function. The expected numbers are computed from these
//! rows.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use dayledger::engine::{Engine, QueryLimits};
use dayledger::source::{Error, ErrorKind, Role};

use super::expected::{by_name, date, iso, split, sum, sum_by};
use super::memory::{DEVICE, MemorySource, TIMELINES};
use super::week::{self, DAY, HOUR, RANGES};
use super::{app_over, weeks};
use crate::histories::{block_on, rows};

/// The week in memory, as arguments of a table function.
const WEEK: &str = "'2025-01-13', '2025-01-18'";
/// The tables without rows, because this source has no hourly totals, screenshots or rules.
const EMPTY: [&str; 3] = ["hourly_totals", "rules", "screenshots"];
/// The functions without rows, because there are no rules, calls, hourly totals, meetings or notes.
const EMPTY_FUNCTIONS: [&str; 5] =
    ["calls_around", "hourly_totals_around", "meetings_around", "note_sessions_around", "project_usage"];

#[test]
fn every_table_view_and_function_has_rows() {
    for week in weeks() {
        let app = &week.app;
        let model = block_on(app.engine().describe()).unwrap();
        assert!(model.raw_tables.iter().all(|table| table.name.starts_with("activitywatch.")));
        for table in &model.tables {
            let condition = match table.name.as_str() {
                // This table needs a calendar.
                "meetings" => continue,
                // This table can only be queried with a range.
                "screenshots" => " WHERE taken_local >= '2025-01-13' AND taken_local < '2025-01-18'",
                _ => "",
            };
            let found = rows(app, &format!("SELECT * FROM {}{condition}", table.name));
            assert_eq!(found.is_empty(), EMPTY.contains(&table.name.as_str()), "{}", table.name);
        }
        for function in &model.table_functions {
            // The model's example of each function queries the rows of Wednesday.
            let call = function.example.as_ref().unwrap();
            let found = rows(app, &format!("SELECT * FROM {call}"));
            assert_eq!(found.is_empty(), EMPTY_FUNCTIONS.contains(&function.name.as_str()), "{call}");
        }
    }
}

/// Returns totals in the form of a statement's rows.
fn lines<V: Display>(totals: &BTreeMap<String, V>) -> Vec<String> {
    totals.iter().map(|(name, total)| format!("{name} | {total}")).collect()
}

#[test]
fn views_of_roles_contain_the_rows() {
    for week in weeks() {
        let app = &week.app;
        let expected = week.expect_range(RANGES[0]);
        for (view, role) in [
            ("applications", Role::Applications),
            ("documents", Role::Documents),
            ("websites", Role::Websites),
            ("tags", Role::Tags),
            ("computer_usage", Role::ComputerUsage),
        ] {
            let parts = expected.recorded_parts(role);
            let found = rows(app, &format!("SELECT count(*), sum(seconds) FROM {view}"));
            assert_eq!(found, [format!("{} | {}", parts.len(), sum(&parts))], "{view}");
        }
        let states = sum_by(&expected.recorded_parts(Role::ComputerUsage), |part| part.row.key.clone());
        let found = rows(app, "SELECT state, sum(seconds) FROM computer_usage GROUP BY state ORDER BY state");
        assert_eq!(found, lines(&states));
        assert_eq!(rows(app, "SELECT sum(seconds) FROM active_intervals"), [states["active"].to_string()]);
        let mut bounds = TIMELINES.map(|role| {
            let rows = expected.recorded_rows(role);
            let (first, last) =
                (rows.iter().map(|row| row.span.start).min(), rows.iter().map(|row| row.span.end).max());
            format!("{} | {} | {} | {}", role.name(), rows.len(), iso(first.unwrap()), iso(last.unwrap()))
        });
        bounds.sort();
        for table in ["timeline_bounds", "recorded_bounds"] {
            let found =
                rows(app, &format!("SELECT role, activities, first_local, last_local FROM {table} ORDER BY role"));
            assert_eq!(found, bounds, "{table}");
        }
        assert_eq!(rows(app, "SELECT device FROM devices"), [DEVICE]);
    }
}

#[test]
fn recorded_time_comes_from_activities() {
    for week in weeks() {
        let app = &week.app;
        let expected = week.expect_range(RANGES[0]);
        for (view, role) in [
            ("app_usage", Role::Applications),
            ("document_usage", Role::Documents),
            ("website_usage", Role::Websites),
            ("tag_usage", Role::Tags),
        ] {
            let parts = expected.recorded_parts(role);
            let name = role.name();
            let with_source = |(name, seconds): (String, i64)| (name, format!("{seconds} | activities"));
            let totals: BTreeMap<_, _> = by_name(&parts).into_iter().map(with_source).collect();
            for table in
                [view.to_owned(), format!("hourly_usage('{name}', {WEEK})"), format!("recorded_time('{name}', {WEEK})")]
            {
                let sql = format!(
                    "SELECT name, sum(seconds), data_source FROM {table} GROUP BY name, data_source ORDER BY name"
                );
                assert_eq!(rows(app, &sql), lines(&totals), "{table}");
            }
            let hours = sum_by(&split(&parts, HOUR), |part| iso(part.span.start.div_euclid(HOUR) * HOUR));
            let sql = format!("SELECT hour_local, sum(seconds) FROM {view} GROUP BY hour_local ORDER BY hour_local");
            assert_eq!(rows(app, &sql), lines(&hours), "{view}");
        }
        let tags = by_name(&expected.recorded_parts(Role::Tags));
        let found = rows(app, &format!("SELECT tag, sum(seconds) FROM tags_in({WEEK}) GROUP BY tag ORDER BY tag"));
        assert_eq!(found, lines(&tags));
    }
}

#[test]
fn pieces_are_the_active_time() {
    for week in weeks() {
        let app = &week.app;
        let expected = week.expect_range(RANGES[0]);
        for role in [Role::Applications, Role::Documents, Role::Websites] {
            let parts = expected.active_parts(role);
            let call = format!("role_pieces('{}', {WEEK})", role.name());
            let found = rows(app, &format!("SELECT name, sum(seconds) FROM {call} GROUP BY name ORDER BY name"));
            assert_eq!(found, lines(&by_name(&parts)));
            let days = sum_by(&split(&parts, DAY), |part| date(part.span.start));
            let call = format!("pieces_by_day('{}', {WEEK})", role.name());
            assert_eq!(
                rows(app, &format!("SELECT date, sum(seconds) FROM {call} GROUP BY date ORDER BY date")),
                lines(&days)
            );
        }
        let pieces = expected.active_parts(Role::Applications);
        let totals = lines(&by_name(&pieces));
        for table in [
            format!("pieces({WEEK})"),
            format!("pieces_by_rule({WEEK})"),
            format!("narrative({WEEK})"),
            "segments".to_owned(),
        ] {
            let sql =
                format!("SELECT application, sum(seconds) FROM {table} GROUP BY application ORDER BY application");
            assert_eq!(rows(app, &sql), totals, "{table}");
        }
        let segments = expected.segments().len().to_string();
        assert_eq!(rows(app, "SELECT count(*) FROM segments"), [segments.as_str()]);
        let (active, tagged) = (sum(&pieces), sum(&expected.tagged_parts()));
        for (sql, seconds) in [
            (format!("SELECT sum(seconds) FROM blocks({WEEK})"), active),
            (format!("SELECT sum(seconds) FROM device_blocks('{DEVICE}', {WEEK})"), active),
            (format!("SELECT sum(counted_seconds) FROM why({WEEK})"), active),
            (format!("SELECT sum(seconds) FROM pieces_by_rule({WEEK}) WHERE is_tagged"), tagged),
            (format!("SELECT sum(seconds) FROM unmatched({WEEK})"), active - tagged),
        ] {
            assert_eq!(rows(app, &sql), [seconds.to_string()], "{sql}");
        }
    }
}

#[test]
fn days_and_weekdays_add_up_the_active_time() {
    for week in weeks() {
        let app = &week.app;
        let expected = week.expect_range(RANGES[0]);
        let days = split(&expected.active_parts(Role::Applications), DAY);
        let by_day = sum_by(&days, |part| date(part.span.start));
        for call in [
            format!("day_summary({WEEK})"),
            format!("device_day_summary(NULL, {WEEK})"),
            format!("device_active_days('{DEVICE}', {WEEK})"),
        ] {
            let found = rows(app, &format!("SELECT date, active_seconds FROM {call} ORDER BY date"));
            assert_eq!(found, lines(&by_day), "{call}");
        }
        let totals = format!("SELECT active_seconds FROM device_day_totals(NULL, {WEEK}) WHERE date IS NULL");
        assert_eq!(rows(app, &totals), [sum(&days).to_string()]);
        let weekdays: Vec<_> = (1..).zip(by_day.values()).map(|(day, seconds)| format!("{day} | {seconds}")).collect();
        let found = rows(app, &format!("SELECT weekday, active_seconds FROM weekday_pattern({WEEK}) ORDER BY weekday"));
        assert_eq!(found, weekdays);
        let states = sum_by(&expected.recorded_parts(Role::ComputerUsage), |part| part.row.key.clone());
        let sql = format!("SELECT state, sum(seconds) FROM computer_usage_in({WEEK}) GROUP BY state ORDER BY state");
        assert_eq!(rows(app, &sql), lines(&states));
    }
}

#[test]
fn conditions_and_limits_of_scans_are_exact() {
    for week in weeks() {
        let app = &week.app;
        let all = &week.rows;
        let timelines = rows(app, "SELECT timeline_id FROM timelines WHERE role IN ('documents', 'websites')");
        let [noon, evening] = ["2025-01-15T12:00:00", "2025-01-15T18:00:00"];
        let overlapping =
            all.iter().filter(|row| iso(row.span.start).as_str() < evening && iso(row.span.end).as_str() > noon);
        let first = all[0].span.start;
        let contents = all.iter().filter(|row| [Role::Documents, Role::Websites].contains(&row.role));
        for (condition, count) in [
            (format!("start_local < '{evening}' AND end_local > '{noon}'"), overlapping.count()),
            (format!("start_local = '{}'", iso(first)), all.iter().filter(|row| row.span.start == first).count()),
            ("role IN ('documents', 'websites')".to_owned(), contents.clone().count()),
            (format!("timeline_id IN ({})", timelines.join(", ")), contents.count()),
            (
                format!("device = '{DEVICE}' AND role <> 'tags'"),
                all.iter().filter(|row| row.role != Role::Tags).count(),
            ),
            ("device = 'OTHER'".to_owned(), 0),
        ] {
            let found = rows(app, &format!("SELECT count(*) FROM activities WHERE {condition}"));
            assert_eq!(found, [count.to_string()], "{condition}");
        }
        assert_eq!(rows(app, "SELECT activity_id FROM activities LIMIT 7").len(), 7);
    }
}

#[test]
fn statement_preloads_the_history_for_later_statements() {
    let (engine, preloads) = engine_with_preloads(Ok(true));
    count_activities(&engine);
    preloads.recv_timeout(A_LONG_TIME).expect("the history is preloaded");
}

/// A preload that fails can have read a whole file of hundreds of megabytes. So it must not run after every statement.
#[test]
fn failed_preload_is_not_repeated() {
    let failure = Error { kind: ErrorKind::Failed, message: "damaged".to_owned(), hint: "restore a backup".to_owned() };
    let (engine, preloads) = engine_with_preloads(Err(failure));
    count_activities(&engine);
    preloads.recv_timeout(A_LONG_TIME).expect("the history is preloaded");
    (0..20).for_each(|_| count_activities(&engine));
    assert_eq!(preloads.try_recv(), Err(TryRecvError::Empty));
}

/// A minute is long enough on any machine.
const A_LONG_TIME: Duration = Duration::from_mins(1);

/// Returns an engine that preloads its history, and a receiver of a message for each preload. `result` is the result of
/// preloading.
fn engine_with_preloads(result: Result<bool, Error>) -> (Engine, Receiver<()>) {
    let (sender, preloads) = mpsc::channel();
    let source = MemorySource::new(week::rows()).with_preloads(sender, result);
    (app_over(Arc::new(source)).engine().clone().with_preloading(), preloads)
}

fn count_activities(engine: &Engine) {
    block_on(engine.query("SELECT count(*) FROM activities", &QueryLimits::default())).unwrap();
}
