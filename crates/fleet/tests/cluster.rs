//! Tests that workers run statements, and that only authorised machines can connect.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
#[cfg(unix)] // The test with a deadline needs Unix.
use std::time::Duration;

use chrono::NaiveDate;
use clap::Parser;
use dayledger_engine::{self as engine, Engine, QueryLimits};
use dayledger_fleet::certificates::{self, Role};
use dayledger_fleet::credentials::{CredentialFiles, Credentials};
use dayledger_fleet::hours::{CoveredDays, GroupBy, statement};
use dayledger_fleet::team::Team;
use dayledger_fleet::workers::{self, Workers};
use tempfile::TempDir;
use tonic::metadata::MetadataValue;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Certificate, Identity, Server, ServerTlsConfig};
use tonic::{Request, Status};
use url::Url;

use crate::test_team::{NAMES, TestTeam, rows};

/// A CA in a temporary folder, with its certificates.
pub(crate) struct Authority {
    folder: TempDir,
    authority: certificates::Authority,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let authority = certificates::Authority::open(folder.path()).unwrap();
        Self { folder, authority }
    }

    /// Returns the command line options for a certificate. Creates the certificate if it doesn't exist.
    pub(crate) fn options(&self, name: &str, role: Role) -> Vec<String> {
        let path = |kind: &str| self.folder.path().join(format!("{name}.{kind}"));
        if !path("pem").exists() {
            self.authority.certify(&name.parse().unwrap(), role, 1).unwrap();
        }
        let option = |name: &str, path: PathBuf| [name.to_owned(), path.to_str().unwrap().to_owned()];
        let authority = option("--authority", self.authority.files().0);
        [authority, option("--certificate", path("pem")), option("--key", path("key"))].concat()
    }

    /// Returns the credentials of a caller.
    fn credentials(&self) -> Credentials {
        self.files().read().unwrap()
    }

    /// Returns the paths of a caller's credential files.
    pub(crate) fn files(&self) -> CredentialFiles {
        #[derive(Parser)]
        struct Options {
            #[command(flatten)]
            files: CredentialFiles,
        }
        let options = std::iter::once("test".to_owned()).chain(self.options("asker", Role::Caller));
        Options::parse_from(options).files
    }
}

/// A worker process. It is killed when the value is dropped.
pub(crate) struct Worker {
    pub(crate) process: Child,
    pub(crate) url: Url,
}

impl Worker {
    pub(crate) fn start(exports: &Path, authority: &Authority) -> Self {
        Self::start_with_role(Role::Worker, exports, authority)
    }

    /// Starts a worker whose certificate has this role.
    fn start_with_role(role: Role, exports: &Path, authority: &Authority) -> Self {
        let name = if role == Role::Worker { "machine-1" } else { "asker" };
        let mut process = Command::new(env!("CARGO_BIN_EXE_dayledger-fleet"))
            .args(["worker", "--listen", "127.0.0.1:0", "--from"])
            .arg(exports)
            .args(authority.options(name, role))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("listening on ").unwrap().parse().unwrap();
        Self { process, url }
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The process may have ended already, so errors are ignored.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn engine_with(team: &TestTeam, workers: &[Worker], authority: &Authority) -> Engine {
    let urls = workers.iter().map(|worker| worker.url.clone()).collect();
    let (workers, _) = Workers::connect(urls, authority.credentials()).await.unwrap();
    Team::open(team.folder()).unwrap().engine(Some(workers)).unwrap()
}

/// Statements that are distributed and merged in different ways.
const STATEMENTS: [&str; 15] = [
    "SELECT * FROM segments",
    "SELECT count(*) FROM activities",
    "SELECT person, application, round(sum(seconds)) FROM segments GROUP BY person, application",
    "SELECT application, count(DISTINCT person) FROM segments GROUP BY application",
    "SELECT person, date, active_seconds FROM day_summary WHERE date >= '2025-03-10'",
    "SELECT person, start_local, title FROM narrative('2025-03-10', '2025-03-12') WHERE application IS NOT NULL",
    "SELECT a.person, count(*) FROM segments a JOIN day_summary d ON d.person = a.person \
     AND d.date = CAST(a.start_local AS DATE) GROUP BY a.person",
    "SELECT person, start_local, row_number() OVER (PARTITION BY person ORDER BY start_local, device, seconds) FROM segments",
    "SELECT * FROM (SELECT person, seconds, start_local FROM segments ORDER BY seconds DESC, person, start_local LIMIT 20)",
    "SELECT person FROM segments UNION SELECT 'nobody'",
    "SELECT person, count(*) FROM activities WHERE start_local < TIMESTAMP '2025-03-10 12:00:00.5' GROUP BY person",
    "SELECT person, max(CAST(start_local AS TIMESTAMP)) FROM segments GROUP BY person",
    "SELECT person, count(*) FROM segments JOIN (VALUES (TIMESTAMP '2025-03-10 12:00:00.5')) AS b(bound) \
     ON start_local < bound GROUP BY person",
    "SELECT person, (SELECT count(*) FROM tags) FROM day_summary",
    "SELECT person, max(start_local) FROM segments WHERE person IN (SELECT person FROM tags) GROUP BY person",
];

#[tokio::test(flavor = "multi_thread")]
async fn worker_reads_exports_added_after_its_start() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let (place, elsewhere) = (team.person_folder("chris"), team.folder().join("elsewhere"));
    std::fs::rename(&place, &elsewhere).unwrap();
    let workers = [Worker::start(team.folder(), &authority), Worker::start(team.folder(), &authority)];
    std::fs::rename(&elsewhere, &place).unwrap();
    let sql = "SELECT person, count(*) FROM segments GROUP BY person";
    let engine = engine_with(&team, &workers, &authority).await;
    assert_eq!(rows(&engine, sql).await, rows(&team.engine(), sql).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_with_an_older_copy_of_an_export_is_refused() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let copies = TestTeam::export().await;
    team.export_again("bela");
    let sql = "SELECT person, count(*) FROM segments GROUP BY person";
    let old = [Worker::start(copies.folder(), &authority), Worker::start(copies.folder(), &authority)];
    let engine = engine_with(&team, &old, &authority).await;
    let error = engine.query(sql, &QueryLimits::default()).await.unwrap_err().to_string();
    assert!(error.contains("bela") && error.contains("older") && !error.contains("anna"), "{error}");
    let of_anna = format!("SELECT * FROM ({sql}) WHERE person = 'anna'");
    assert_eq!(rows(&engine, &of_anna).await, rows(&team.engine(), &of_anna).await);
    let new = [Worker::start(team.folder(), &authority), Worker::start(team.folder(), &authority)];
    assert_eq!(rows(&engine_with(&copies, &new, &authority).await, sql).await, rows(&team.engine(), sql).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_return_the_rows_of_one_process() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let local = team.engine();
    for count in [1, 3] {
        let workers: Vec<_> = (0..count).map(|_| Worker::start(team.folder(), &authority)).collect();
        let engine = engine_with(&team, &workers, &authority).await;
        let date = |day| NaiveDate::from_ymd_opt(2025, 3, day).unwrap();
        let covered =
            |days, names: &[&str]| CoveredDays { days, people: names.iter().map(ToString::to_string).collect() };
        let covered = [covered(date(3)..date(15), &NAMES[..2]), covered(date(5)..date(12), &NAMES[2..])];
        let hours = [GroupBy::Application, GroupBy::Day].map(|by| statement(&covered, by, NonZeroU16::new(2).unwrap()));
        for sql in STATEMENTS.into_iter().chain(hours.iter().map(String::as_str)) {
            assert_eq!(rows(&engine, sql).await, rows(&local, sql).await, "{sql} with {count} workers");
        }
    }
}

/// The caller's time zone must be used, even if a worker has another time zone.
#[cfg(unix)] // On Windows, a single process can't have another time zone.
#[tokio::test(flavor = "multi_thread")]
async fn times_are_those_of_the_callers_machine() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let workers = [Worker::start(team.folder(), &authority), Worker::start(team.folder(), &authority)];
    let urls = workers.iter().flat_map(|worker| ["--workers", worker.url.as_str()]);
    let with_workers: Vec<String> = urls.map(str::to_owned).chain(authority.options("asker", Role::Caller)).collect();
    let all = rows(&team.engine(), "SELECT count(*) FROM segments").await.concat();
    let sql = "SELECT count(*) AS all_rows, max(to_unixtime(now()) - to_unixtime(now_utc())) / 3600 AS hours FROM segments \
               WHERE start_local < now() AND CAST(end_local AS TIMESTAMP) < now() AND date_trunc('day', end_utc) < now_utc()";
    for (zone, hours) in [("Pacific/Kiritimati", 14), ("Etc/GMT+11", -11)] {
        for options in [&[][..], &with_workers] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_dayledger-fleet"));
            command.args(["sql", "--format", "csv", "--from"]).arg(team.folder()).args(options).arg(sql);
            let output = command.env("TZ", zone).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            let complaint = String::from_utf8(output.stderr).unwrap();
            assert_eq!(printed, format!("all_rows,hours\n{all},{hours}\n"), "{zone}: {complaint}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn plans_that_workers_cannot_receive_are_refused() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let workers = [Worker::start(team.folder(), &authority), Worker::start(team.folder(), &authority)];
    let engine = engine_with(&team, &workers, &authority).await;
    let statement = |value: &str| format!("SELECT count(*) FROM segments WHERE start_local >= ({value})");
    // All people have data on this day, so the subquery returns several rows.
    let of_each = statement("SELECT date FROM day_summary WHERE date = DATE '2025-03-12'");
    for engine in [&engine, &team.engine()] {
        let refused = engine.query(&of_each, &QueryLimits::default()).await.unwrap_err().to_string();
        assert!(refused.contains("more"), "{refused}");
    }
    let of_those_longer = "SELECT count(*) FILTER (WHERE seconds > (SELECT avg(seconds) FROM segments)) FROM segments";
    let refused = engine.query(of_those_longer, &QueryLimits::default()).await.unwrap_err().to_string();
    assert!(refused.contains("CROSS JOIN"), "{refused}");
    let named = "WITH usual AS (SELECT avg(seconds) AS long FROM segments) \
                 SELECT count(*) FILTER (WHERE seconds > long) FROM segments CROSS JOIN usual";
    assert_eq!(rows(&engine, named).await, rows(&team.engine(), of_those_longer).await);
    let windows = ["count(*) FILTER (WHERE seconds > 60)", "lag(application) IGNORE NULLS"];
    for refused in
        windows.map(|window| format!("SELECT {window} OVER (PARTITION BY person ORDER BY seconds) FROM segments"))
    {
        let error = engine.query(&refused, &QueryLimits::default()).await.unwrap_err().to_string();
        assert!(error.contains("in a window"), "{refused}: {error}");
    }
    for value in ["SELECT max(date) FROM day_summary", "SELECT date FROM day_summary ORDER BY date LIMIT 1"] {
        assert_eq!(rows(&engine, &statement(value)).await, rows(&team.engine(), &statement(value)).await);
    }
}

#[cfg(target_os = "linux")] // `taskset` limits a process to one core.
#[tokio::test(flavor = "multi_thread")]
async fn caller_with_one_core_gets_the_same_rows() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let workers = [Worker::start(team.folder(), &authority), Worker::start(team.folder(), &authority)];
    let sql = "WITH all_of_it AS (SELECT application, sum(seconds) AS seconds FROM segments GROUP BY application) \
               SELECT person, count(*), round(sum(all_of_it.seconds)) FROM all_of_it \
               JOIN segments ON segments.application = all_of_it.application GROUP BY person ORDER BY person";
    let urls = workers.iter().map(|worker| worker.url.to_string()).collect::<Vec<_>>().join(",");
    let workers_too = [["--workers".to_owned(), urls].to_vec(), authority.options("asker", Role::Caller)].concat();
    let answer = |options: &[String]| {
        let mut command = Command::new("taskset");
        command.args(["-c", "0", env!("CARGO_BIN_EXE_dayledger-fleet"), "sql", "--format", "csv", "--from"]);
        let output = command.arg(team.folder()).args(options).arg(sql).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(answer(&workers_too), answer(&[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_statement_is_not_treated_as_a_lost_worker() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let engine = engine_with(&team, &[Worker::start(team.folder(), &authority)], &authority).await;
    let sql = "SELECT count(*) FROM generate_series(1, 100000) a CROSS JOIN generate_series(1, 100000) b";
    let refused = engine.query(sql, &QueryLimits::default()).await.unwrap_err();
    assert!(matches!(refused, engine::Error::TooManyRowsJoined), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn statement_is_retried_while_a_worker_is_left() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let mut workers: Vec<_> = (0..NAMES.len()).map(|_| Worker::start(team.folder(), &authority)).collect();
    let engine = engine_with(&team, &workers, &authority).await;
    let sql = "SELECT person, count(*) FROM segments GROUP BY person";
    let expected = rows(&team.engine(), sql).await;
    assert_eq!(rows(&engine, sql).await, expected);
    workers[1].kill();
    assert_eq!(rows(&engine, sql).await, expected, "after one worker stopped");
    // If a statement is wrong, its own error is returned even after a worker was lost.
    let wrong = engine.query("SELECT CAST(person AS INT) FROM segments", &QueryLimits::default()).await.unwrap_err();
    assert!(matches!(&wrong, engine::Error::Query { message, .. } if message.contains("Cannot cast")), "{wrong:?}");
    workers[0].kill();
    assert_eq!(rows(&engine, sql).await, expected, "after two workers stopped");
    workers[2].kill();
    let refused = engine.query(sql, &QueryLimits::default()).await.unwrap_err();
    let engine::Error::Lost { message, .. } = &refused else { panic!("{refused:?}") };
    assert!(message.contains(workers[2].url.as_str()), "{refused}");
    assert!(refused.hint().contains("dayledger-fleet worker"), "{}", refused.hint());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_is_repeated_or_lost_when_workers_stop_during_a_query() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let mut workers: Vec<_> = (0..NAMES.len()).map(|_| Worker::start(team.folder(), &authority)).collect();
    let engine = engine_with(&team, &workers, &authority).await;
    let copies = 100;
    let all: usize = rows(&engine, "SELECT count(*) FROM activities").await[0].parse().unwrap();
    let sql = format!("SELECT a.* FROM activities a CROSS JOIN generate_series(1, {copies}) n");
    let mut answer = engine.stream(sql, &QueryLimits::default()).await.unwrap();
    let mut count = answer.next().await.unwrap().unwrap().num_rows();
    for worker in &mut workers {
        worker.kill();
    }
    // If the workers had already sent all rows, the stream ends without an error.
    let lost = loop {
        match answer.next().await {
            Some(Ok(batch)) => count += batch.num_rows(),
            Some(Err(error)) => break Some(error),
            None => break None,
        }
    };
    match lost {
        Some(error) => assert!(matches!(error, engine::Error::Lost { .. }), "{error:?}"),
        None => assert_eq!(count, all * copies),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_certificates_are_refused_by_workers_and_callers() {
    let (team, authority, stranger) = (TestTeam::export().await, Authority::new(), Authority::new());
    let worker = Worker::start(team.folder(), &authority);
    let meet = |credentials| Workers::connect(vec![worker.url.clone()], credentials);
    assert!(meet(authority.credentials()).await.is_ok());
    assert!(meet(stranger.credentials()).await.is_err());
    // A worker with a caller's certificate must be rejected.
    let pretender = Worker::start_with_role(Role::Caller, team.folder(), &authority);
    assert!(Workers::connect(vec![pretender.url.clone()], authority.credentials()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_worker_is_reported_with_its_address() {
    let authority = Authority::new();
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url: Url = format!("https://{free}").parse().unwrap();
    let refused = Workers::connect(vec![url.clone()], authority.credentials()).await;
    let Err(refused) = refused else { panic!("connected to a port that no worker uses") };
    assert!(refused.to_string().contains(url.as_str()), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_without_tls_is_refused() {
    let url: Url = "http://127.0.0.1:7171".parse().unwrap();
    let refused = Workers::connect(vec![url.clone()], Authority::new().credentials()).await;
    assert!(matches!(&refused, Err(workers::Error::Plain(address)) if *address == url));
}

#[tokio::test(flavor = "multi_thread")]
async fn unreachable_worker_is_skipped_if_another_answers() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let worker = Worker::start(team.folder(), &authority);
    let urls = vec![format!("https://{free}").parse().unwrap(), worker.url.clone()];
    let (workers, absent) = Workers::connect(urls, authority.credentials()).await.unwrap();
    assert!(absent.len() == 1 && absent[0].to_string().contains(&free.to_string()), "{absent:?}");
    let engine = Team::open(team.folder()).unwrap().engine(Some(workers)).unwrap();
    let sql = "SELECT person, count(*) FROM segments GROUP BY person";
    assert_eq!(rows(&engine, sql).await, rows(&team.engine(), sql).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn worker_of_another_version_is_refused() {
    let authority = Authority::new();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url: Url = format!("https://{}", listener.local_addr().unwrap()).parse().unwrap();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let made = authority.authority.certify(&"old".parse().unwrap(), Role::Worker, 1).unwrap();
    let tls = ServerTlsConfig::new()
        .identity(Identity::from_pem(read(&made.certificate), read(&made.key)))
        .client_ca_root(Certificate::from_pem(read(&authority.authority.files().0)));
    let of_another = |_: Request<()>| {
        let mut status = Status::failed_precondition("this worker is another one");
        status.metadata_mut().insert("x-dayledger-version", MetadataValue::from_static("0.0.1"));
        Err(status)
    };
    let worker = datafusion_distributed::Worker::default().into_worker_server();
    let worker = InterceptedService::new(worker, of_another);
    let served = Server::builder().tls_config(tls).unwrap().add_service(worker);
    tokio::spawn(served.serve_with_incoming(TcpIncoming::from(listener)));
    let refused = Workers::connect(vec![url.clone()], authority.credentials()).await;
    let Err(refused) = refused else { panic!("a worker of another version was accepted") };
    assert!(matches!(&refused, workers::Error::Version { version, .. } if version == "0.0.1"), "{refused}");
    assert!(refused.to_string().contains(url.as_str()), "{refused}");
}

#[cfg(unix)] // A signal of Unix stops a process.
#[tokio::test(flavor = "multi_thread")]
async fn statement_ends_at_its_deadline_if_a_worker_hangs() {
    let (team, authority) = (TestTeam::export().await, Authority::new());
    let workers: Vec<_> = (0..NAMES.len()).map(|_| Worker::start(team.folder(), &authority)).collect();
    let engine = engine_with(&team, &workers, &authority).await;
    for worker in &workers {
        let held_up = Command::new("kill").arg("-STOP").arg(worker.process.id().to_string()).status().unwrap();
        assert!(held_up.success());
    }
    let limits = QueryLimits { deadline: Duration::from_secs(2), ..QueryLimits::default() };
    let refused = engine.query("SELECT count(*) FROM segments", &limits).await.unwrap_err();
    assert!(matches!(refused, engine::Error::TimedOut { .. }), "{refused:?}");
}
