//! Tests of programs that are killed while they log entries at the API.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use dayledger_timesheet::graphql::{Token, TokenSource};
use dayledger_timesheet::{EntryId, GraphQl, LocalStore, OverlapPolicy, Refusal, Timesheet};
use tempfile::TempDir;

use super::{ACL, options};
use crate::kills::{kill_in_a_loop, log_each};
use crate::program::read_input_lines;
use crate::random::random_below;
use crate::simulator::http::Hook;
use crate::simulator::{Api, ApiFailure, Caller};

struct FixedToken(Token);

#[async_trait::async_trait]
impl TokenSource for FixedToken {
    async fn token(&self) -> Result<Token, Refusal> {
        Ok(self.0.clone())
    }
}

/// The program that the test below starts. Its input contains a URL, a path, a token and the entries to log, one on
/// each line. The program retries each entry until it is logged.
#[test]
#[ignore = "a program for the other test, which gives it what to do"]
fn logging_program() {
    let input = read_input_lines();
    let [url, path, token, lines @ ..] = &input[..] else { return };
    let store = LocalStore::open(Path::new(path)).unwrap();
    let tokens = FixedToken(Token::new(token.as_str()).unwrap());
    let timesheet = GraphQl::new(url.parse().unwrap(), tokens, store, options(Duration::from_millis(300))).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    log_each(lines, |noted| {
        loop {
            if let Ok(logged) = runtime.block_on(timesheet.log(noted.key, noted.entry(), OverlapPolicy::Refused)) {
                return logged.id;
            }
        }
    });
}

/// The program is killed at one of these moments. In some rounds, responses are also lost or late.
/// - An entry has arrived at the API but isn't logged.
/// - An entry is logged but the response isn't sent.
/// - The program looks up an entry.
/// - Another entry was acknowledged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_program_loses_no_acknowledged_entry_and_logs_none_twice() {
    let (api, folder) = (Api::start().await, TempDir::new().unwrap());
    let path = folder.path().join("timesheet.db");
    let token = Caller::new("user-u", &ACL).token();
    let input = [api.url(), path.display().to_string(), token];
    let mishaps = [
        ApiFailure::DropAfter,
        ApiFailure::PageAfter(502),
        ApiFailure::Page(502),
        ApiFailure::SilenceAfter,
        ApiFailure::Silence,
    ];
    let mut below = random_below();
    let all = kill_in_a_loop(
        "graphql::kills::logging_program",
        &input,
        |round, program| {
            let kill = program.killer();
            match round % 4 {
                0 => api.fail_next("LogTime", ApiFailure::Before(Hook::new(kill))),
                1 => api.fail_next("LogTime", ApiFailure::After(Hook::new(kill))),
                2 => api.fail_next("TimeEntries", ApiFailure::Before(Hook::new(kill))),
                _ => kill(),
            }
        },
        || {
            if below(16) == 0 {
                api.fail_next("LogTime", mishaps[below(5) as usize].clone());
            }
        },
    );
    let ids: Vec<EntryId> = all.iter().map(|(_, id)| *id).collect();
    let kept: Vec<EntryId> = api.entries().iter().map(|entry| entry.id).collect();
    assert_eq!(kept.len(), all.len());
    assert_eq!(kept.iter().collect::<BTreeSet<_>>(), ids.iter().collect());
    let store = LocalStore::open(&path).unwrap();
    let evidence = store.evidence(&ids).await.unwrap();
    for (noted, id) in all {
        assert_eq!(evidence[&id], noted.evidence());
    }
    assert!(store.pending_attempts().await.unwrap().is_empty());
}
