//! Measures response times, compared with plain `SQLite` on the same file.
//!
//! The reference history has 700 days and about 390,000 activities. It is written once into the build directory. The
//! measurements of growth also use a history of half the length and a history of twice the length. The number of
//! activities per day is the same in all histories.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dayledger::App;
use dayledger::activity::{Detail, Filter, NarrativeRequest, PeriodSummaryRequest};
use dayledger::engine::{Engine, QueryLimits};
use dayledger::manictime::{DATABASE_FILE, Locator, Source};
use dayledger::request::{DateRange, Limit, Minutes};
use dayledger::source::FoundBy;
use dayledger_fixtures::demo::{Plan, write};
use rusqlite::{Connection, OpenFlags};
use tokio::runtime::Runtime;

const REFERENCE_DAYS: u32 = 700;
const ACTIVITIES_PER_DAY: u32 = 557;
/// A statement that returns the active seconds of each application. A handwritten join clips activities to active time.
const CLIPPED_IN_SQLITE: &str = "
    SELECT g.Key, sum(unixepoch(min(a.EndUtcTime, u.EndUtcTime)) - unixepoch(max(a.StartUtcTime, u.StartUtcTime)))
    FROM Ar_Activity AS a
    JOIN Ar_Timeline AS t ON t.ReportId = a.ReportId AND t.SchemaName = 'ManicTime/Applications'
    JOIN Ar_Timeline AS s ON s.EnvironmentId = t.EnvironmentId AND s.SchemaName = 'ManicTime/ComputerUsage'
    JOIN Ar_Activity AS u ON u.ReportId = s.ReportId AND u.IsActive = 1
        AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime
        AND u.StartLocalTime < ?2 AND u.EndLocalTime > ?1
    JOIN Ar_Group AS g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId
    WHERE a.StartLocalTime < ?2 AND a.EndLocalTime > ?1
    GROUP BY g.Key";
/// A statement that returns the recorded seconds of each application over the whole history.
const RECORDED_IN_SQLITE: &str = "
    SELECT g.Key, sum(unixepoch(a.EndUtcTime) - unixepoch(a.StartUtcTime))
    FROM Ar_Activity AS a
    JOIN Ar_Timeline AS t ON t.ReportId = a.ReportId AND t.SchemaName = 'ManicTime/Applications'
    JOIN Ar_Group AS g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId
    GROUP BY g.Key";
const RECORDED: &str = "SELECT key, sum(seconds) FROM applications GROUP BY key";
const CLIPPED: &str = "SELECT key, sum(seconds) FROM pieces('2000-01-01', '2100-01-01') GROUP BY key";

fn history(days: u32) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("history-{days}x{ACTIVITIES_PER_DAY}"));
    if !dir.join(DATABASE_FILE).is_file() {
        let mut plan = Plan::new(date(2026, 11, 20));
        (plan.days, plan.activities_per_day) = (days, ACTIVITIES_PER_DAY);
        write(&dir, &plan).unwrap();
    }
    dir
}

fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

fn range(start: NaiveDate, end: NaiveDate) -> DateRange {
    DateRange::parse(&start.to_string(), end.to_string().as_str(), ("start", "end")).unwrap()
}

fn app(dir: &Path) -> App {
    App::builder(Arc::new(Source::new(Locator::from_path(dir, FoundBy::Flag)))).build().unwrap()
}

fn narrative(range: DateRange) -> NarrativeRequest {
    NarrativeRequest {
        range,
        detail: Detail::Full,
        include_websites: true,
        min_duration: Minutes::parse(None, 0.0, "").unwrap(),
        max_gap: Minutes::parse(None, 2.0, "").unwrap(),
        include_summary: false,
        max_segments: Limit::default(),
        cursor: None,
        device: None,
        filter: Filter::default(),
        include_titles: false,
    }
}

fn sqlite(dir: &Path) -> Connection {
    Connection::open_with_flags(dir.join(DATABASE_FILE), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

fn rows(connection: &Connection, sql: &str, parameters: &[&str]) -> usize {
    let mut statement = connection.prepare(sql).unwrap();
    let mut rows = statement.query(rusqlite::params_from_iter(parameters)).unwrap();
    let mut count = 0;
    while let Some(row) = rows.next().unwrap() {
        black_box(row.get::<_, Option<i64>>(1).unwrap());
        count += 1;
    }
    count
}

/// Returns the time from the start of a process until it has sent its response and has ended.
fn cold_process(dir: &Path, requests: &[&str]) -> Duration {
    let started = Instant::now();
    let mut server = Command::new(env!("CARGO_BIN_EXE_dayledger"))
        .args(["serve", "--data-dir"])
        .arg(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    for request in requests {
        writeln!(input, "{request}").unwrap();
        input.flush().unwrap();
        if request.contains("\"id\"") {
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            assert!(answer.contains("\"result\"") && !answer.contains("\"isError\":true"), "{answer}");
        }
    }
    let took = started.elapsed();
    drop(input);
    server.wait().unwrap();
    took
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const NARRATIVE: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_activity_narrative","arguments":{"startDate":"2026-11-19","endDate":"2026-11-20"}}}"#;

fn processes(criterion: &mut Criterion) {
    let dir = history(REFERENCE_DAYS);
    let mut group = criterion.benchmark_group("process");
    group.sample_size(20);
    for (name, requests) in [
        ("start to answer of initialize", &[INITIALIZE][..]),
        ("start to first narrative of a day", &[INITIALIZE, INITIALIZED, NARRATIVE][..]),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| cold_process(&dir, requests)).sum());
        });
    }
    group.finish();
}

fn running_server(criterion: &mut Criterion) {
    let dir = history(REFERENCE_DAYS);
    let runtime = Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("running");
    group.sample_size(20);
    // The caches are cleared before each request, so that each of these three requests reads the file.
    for (name, first) in [
        ("newest day", date(2026, 11, 19)),
        ("day in the middle", date(2025, 12, 10)),
        ("oldest day", date(2025, 1, 8)),
    ] {
        let app = app(&dir);
        let request = narrative(DateRange::day(first));
        group.bench_function(BenchmarkId::new("narrative", name), |bencher| {
            bencher.to_async(&runtime).iter(|| async {
                app.history().source().forget();
                app.run(request.clone()).await.unwrap()
            });
        });
    }
    let app = app(&dir);
    let month = PeriodSummaryRequest::new(range(date(2026, 10, 1), date(2026, 11, 1)));
    group.bench_function("period summary of 31 days", |bencher| {
        bencher.to_async(&runtime).iter(|| async {
            app.history().source().forget();
            app.run(month.clone()).await.unwrap()
        });
    });
    group.bench_function("period summary of 31 days, unchanged file", |bencher| {
        bencher.to_async(&runtime).iter(|| async { app.run(month.clone()).await.unwrap() });
    });
    group.bench_function("SQLite: applications of a day, clipped", |bencher| {
        let connection = sqlite(&dir);
        bencher.iter(|| rows(&connection, CLIPPED_IN_SQLITE, &["2026-11-19 00:00:00", "2026-11-20 00:00:00"]));
    });
    group.finish();
}

fn whole_history(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("whole history");
    group.sample_size(10);
    for days in [REFERENCE_DAYS / 2, REFERENCE_DAYS, REFERENCE_DAYS * 2] {
        let dir = history(days);
        let ask = |engine: Engine, sql: &'static str| async move {
            engine.query(sql, &QueryLimits::default()).await.unwrap()
        };
        for (name, sql) in [("recorded by application", RECORDED), ("active by application", CLIPPED)] {
            let app = app(&dir);
            group.bench_function(BenchmarkId::new(format!("{name}, first"), days), |bencher| {
                bencher.to_async(&runtime).iter(|| {
                    app.history().source().forget();
                    ask(app.engine().clone(), sql)
                });
            });
            group.bench_function(BenchmarkId::new(format!("{name}, again"), days), |bencher| {
                bencher.to_async(&runtime).iter(|| ask(app.engine().clone(), sql));
            });
        }
        group.bench_function(BenchmarkId::new("SQLite: recorded by application", days), |bencher| {
            let connection = sqlite(&dir);
            bencher.iter(|| rows(&connection, RECORDED_IN_SQLITE, &[]));
        });
    }
    group.finish();
}

criterion_group!(benches, processes, running_server, whole_history);
criterion_main!(benches);
