//! Tests the durations of notes, which come from the sessions in the history.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;
use dayledger_notes::Code;
use dayledger_notes::history::{History, SessionCache, Sessions};
use dayledger_notes::listing::{Filter, Listing};
use dayledger_notes::session::Session;
use dayledger_notes::survey::Survey;

use crate::folder::{Folder, at_hour, note};
use crate::git::{Commits, git};
use crate::history::random_history;

const NOTES: [&str; 5] = ["a.md", "b.md", "sub/a.md", "sub.md", "sub-x.md"];

fn minutes(sessions: &Sessions) -> BTreeMap<&'static str, u64> {
    NOTES.into_iter().filter_map(|path| Some((path, sessions.minutes(&note(path))?))).collect()
}

/// Returns the minutes of each note, computed from the changes that `git log` lists for each commit.
fn minutes_from_git(folder: &Folder, head: &str) -> BTreeMap<&'static str, u64> {
    let log = git(
        folder,
        &["log", "--no-merges", "--no-renames", "--format=%x00%s", "--name-status", "--diff-filter=AM", head],
    );
    let mut sums = BTreeMap::new();
    for commit in log.split('\0').skip(1) {
        let mut lines = commit.lines();
        let Some(minutes) = lines.next().unwrap().strip_prefix("session: A (").and_then(|rest| rest.strip_suffix("m)"))
        else {
            continue;
        };
        let notes: BTreeSet<String> = lines
            .filter_map(|line| line.split_once('\t'))
            .map(|(_, path)| path.replace(".meta/", "").replace(".json", ".md"))
            .collect();
        for path in NOTES.into_iter().filter(|path| notes.contains(*path)) {
            *sums.entry(path).or_default() += minutes.parse::<u64>().unwrap();
        }
    }
    sums
}

#[test]
fn the_minutes_of_a_note_are_the_sum_over_its_sessions() {
    for seed in 0..15 {
        let folder = random_history(seed);
        let history = History::new(&folder.open());
        let cache = SessionCache::default();
        assert!(minutes(&cache.latest()).is_empty());
        let expected = minutes_from_git(&folder, "HEAD");
        assert_eq!(minutes(&cache.count(&history).unwrap()), expected, "{seed}");
        assert_eq!(minutes(&cache.latest()), expected);
    }
}

#[test]
fn counting_sessions_continues_from_the_last_count() {
    let folder = random_history(3);
    let (newest, history, cache) =
        (git(&folder, &["rev-parse", "HEAD"]), History::new(&folder.open()), SessionCache::default());
    // Moving the branch back and forth looks like a rewritten history.
    for place in ["HEAD~3", "HEAD~1", newest.trim(), "HEAD~4", newest.trim()] {
        git(&folder, &["update-ref", "refs/heads/main", place]);
        assert_eq!(minutes(&cache.count(&history).unwrap()), minutes_from_git(&folder, "HEAD"), "{place}");
    }
}

#[test]
fn session_that_changes_only_metadata_counts_for_its_note() {
    let folder = Folder::empty();
    let mut commits = Commits::default();
    let first = commits.commit("session: A | b (x) (95m)", 0, &[], &[("sub/a.md", Some("1"))]);
    let second = commits.commit("session: A (5m)", 1, &[first], &[("sub/.meta/a.json", Some("{}"))]);
    let third = commits.commit("session: A (1h 5m)", 2, &[second], &[("sub/a.md", Some("2"))]);
    commits.commit("session: A (0m)", 3, &[third], &[(".raw/a.raw.md", Some("")), ("b.md", Some(""))]);
    commits.make(&folder);
    let sessions = SessionCache::default().count(&History::new(&folder.open())).unwrap();
    assert_eq!(minutes(&sessions), BTreeMap::from([("sub/a.md", 100), ("b.md", 0)]));
    let of = |path: &str| sessions.note_sessions(&note(path)).into_iter().map(|session| session.end - session.start);
    let lengths: Vec<_> = of("sub/a.md").map(|length| length.num_minutes()).collect();
    assert_eq!(lengths, [95, 5], "the earlier session comes first");
}

/// A commit with a wrong date must not hide the commits before it.
#[test]
fn commit_with_a_wrong_date_does_not_hide_earlier_sessions() {
    let folder = Folder::empty();
    let mut commits = Commits::default();
    let first = commits.commit("session: A (30m)", 1_000_000, &[], &[("a.md", Some("1"))]);
    let wrong = commits.commit("session: B (1m)", 60, &[first], &[("b.md", Some("1"))]);
    commits.commit("session: B (1m)", 2_000_000, &[wrong], &[("b.md", Some("2"))]);
    commits.make(&folder);
    let time = |seconds| DateTime::from_timestamp(seconds, 0).unwrap();
    let between = History::new(&folder.open()).sessions_between(time(990_000), time(1_010_000)).unwrap();
    assert_eq!((between.note_sessions(&note("a.md")).len(), between.note_sessions(&note("b.md")).len()), (1, 0));
}

/// The parents of the oldest commit in a shallow clone are missing, so the changes of this commit are unknown.
#[test]
fn oldest_commit_of_a_shallow_history_counts_for_no_note() {
    let folder = Folder::empty();
    let mut commits = Commits::default();
    let first = commits.commit("session: A (30m)", 1_000, &[], &[("a.md", Some("1")), ("b.md", Some("1"))]);
    let second = commits.commit("session: B (2m)", 2_000, &[first], &[("b.md", Some("2"))]);
    commits.commit("session: A (1m)", 3_000, &[second], &[("a.md", Some("2"))]);
    commits.make(&folder);
    let boundary = git(&folder, &["rev-parse", "main~1"]);
    std::fs::write(folder.root().join(".git/shallow"), boundary).unwrap();
    let sessions = SessionCache::default().count(&History::new(&folder.open())).unwrap();
    assert_eq!(minutes(&sessions), BTreeMap::from([("a.md", 1)]));
}

#[test]
fn sessions_in_a_range_are_those_that_overlap_it() {
    for seed in 0..15 {
        let folder = random_history(seed);
        let history = History::new(&folder.open());
        let all = SessionCache::default().count(&history).unwrap();
        let every: Vec<_> = NOTES.into_iter().flat_map(|path| all.note_sessions(&note(path))).collect();
        let mut times: Vec<_> = every.iter().flat_map(|session| [session.start, session.end]).collect();
        times.sort_unstable();
        for pair in times.windows(3) {
            let (from, to) = (pair[0], pair[2]);
            let between = history.sessions_between(from, to).unwrap();
            for path in NOTES {
                let reach = |session: &Session| session.end >= from && session.start < to;
                let expected: Vec<_> = all.note_sessions(&note(path)).into_iter().filter(reach).collect();
                assert_eq!(between.note_sessions(&note(path)), expected, "{seed} {path} {from} {to}");
            }
        }
    }
}

#[test]
fn session_ends_at_its_commit_and_starts_its_minutes_before() {
    let folder = Folder::empty();
    let mut commits = Commits::default();
    let first = commits.commit("session: A (32m)", 600, &[], &[("a.md", Some("1"))]);
    // These sessions exceed the maximum length, so they are ignored.
    let second = commits.commit(&format!("session: A ({}m)", u64::MAX), 700, &[first], &[("a.md", Some("2"))]);
    commits.commit(&format!("session: A ({}m)", 7 * 24 * 60 + 1), 800, &[second], &[("a.md", Some("3"))]);
    commits.make(&folder);
    let sessions = SessionCache::default().count(&History::new(&folder.open())).unwrap().note_sessions(&note("a.md"));
    let times: Vec<i64> = sessions.iter().flat_map(|taken| [taken.start.timestamp(), taken.end.timestamp()]).collect();
    assert_eq!(times, [600 - 32 * 60, 600]);
}

#[test]
fn list_shows_session_minutes_unless_metadata_has_them() {
    let folder = Folder::with_files(&[("2024-12-10-a.md", "# A"), ("2024-12-09-b.md", "# B")]);
    folder.write(".meta/2024-12-09-b.json", r#"{"session": {"duration_minutes": 7}}"#);
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "-m", "session: A (32m)"]);
    let workspace = folder.open();
    let sessions = SessionCache::default().count(&History::new(&workspace)).unwrap();
    let zone = at_hour(0, 0).timezone();
    let listing = Listing::collect(&Survey::new(&workspace), &Filter::default(), 20, &sessions, &zone).unwrap();
    let expected = "Found 2 notes:\n\n1. 2024-12-10-a.md - A (32m)\n2. 2024-12-09-b.md - B (7m)";
    assert_eq!(listing.to_text(), expected);
}

#[test]
fn missing_history_has_no_sessions_and_a_damaged_one_is_an_error() {
    let folder = Folder::with_files(&[("a.md", "")]);
    let (history, cache) = (History::new(&folder.open()), SessionCache::default());
    assert!(minutes(&cache.count(&history).unwrap()).is_empty());
    git(&folder, &["init", "--quiet"]);
    assert!(minutes(&cache.count(&history).unwrap()).is_empty());
    folder.write(".git/refs/heads/main", "0123456789012345678901234567890123456789\n");
    assert_eq!(cache.count(&history).unwrap_err().code, Code::ParseError);
}
