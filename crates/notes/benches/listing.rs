//! Measures lists and searches in a workspace of 10,000 notes. The notes are in 40 folders and have 3 KB each. A third
//! of the notes are processed.
//!
//! The first run writes the workspace into the build directory. Later runs reuse the workspace. Its files are then in
//! the system's cache. The limit is 200 ms for a list and for a search.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run should stop")]

use std::fs::{self, File};
use std::hint::black_box;
use std::path::{Path, PathBuf};

use chrono::{Days, NaiveDate, TimeZone, Utc};
use criterion::{Criterion, criterion_group, criterion_main};
use dayledger_notes::Workspace;
use dayledger_notes::action_list::{ActionFilter, ActionList, Page};
use dayledger_notes::history::Sessions;
use dayledger_notes::listing::{Filter, Listing};
use dayledger_notes::survey::Survey;

const NOTES: u64 = 10_000;
const FOLDERS: u64 = 40;

fn workspace() -> PathBuf {
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("notes");
    let finished = workspace.with_extension("finished");
    if finished.exists() {
        return workspace;
    }
    let _ = fs::remove_dir_all(&workspace);
    let first = NaiveDate::from_ymd_opt(2015, 1, 1).unwrap();
    for number in 0..NOTES {
        let folder = workspace.join(format!("team-{}", number % FOLDERS));
        let stem = format!("{}-meeting-{number}", first + Days::new(number / 3));
        fs::create_dir_all(folder.join(".meta")).unwrap();
        let talk = "> what we said about the schedule\n! one of us has to look at the ledger\n".repeat(40);
        let text =
            format!("# Meeting {number}\n## Action Items\n- [ ] Look at it — @person{}\n## Notes\n{talk}", number % 7);
        fs::write(folder.join(format!("{stem}.md")), text).unwrap();
        if number % 3 == 0 {
            fs::write(folder.join(format!(".meta/{stem}.json")), r#"{"processing": {"style": "standard"}}"#).unwrap();
        }
    }
    File::create_new(finished).unwrap();
    workspace
}

fn lists(criterion: &mut Criterion) {
    let workspace = Workspace::open(&workspace()).unwrap();
    let sessions = Sessions::default();
    let mut group = criterion.benchmark_group("10,000 notes");
    let searching = |text: &str| Filter { search: Some(text.to_owned()), ..Filter::default() };
    let filters = [
        ("list", Filter::default()),
        ("search, found nowhere", searching("Dunning")),
        ("search, found everywhere", searching("THE LEDGER")),
        ("processed only", Filter { processed_only: true, ..Filter::default() }),
    ];
    for (name, filter) in filters {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let survey = Survey::new(&workspace);
                let listing = Listing::collect(&survey, black_box(&filter), 20, &sessions, &Utc).unwrap();
                listing.to_text()
            });
        });
    }
    group.bench_function("actions", |bencher| {
        let now = Utc.with_ymd_and_hms(2024, 12, 10, 12, 0, 0).unwrap();
        bencher.iter(|| {
            ActionList::collect(&Survey::new(&workspace), &ActionFilter::default(), &Utc)
                .to_text(&now, Page::new(None, None))
        });
    });
    group.finish();
}

criterion_group!(benches, lists);
criterion_main!(benches);
