//! Helpers for tests that kill a program while it logs entries, for any backend. Every acknowledged entry must be
//! stored, and no entry must be stored twice.

use std::collections::BTreeMap;

use dayledger_timesheet::{EntryId, Evidence, IdempotencyKey, NewEntry};

use crate::program::{LoggingProgram, acknowledge, wait_until_killed};
use crate::random::random_below;

/// The default number of times that a program is killed.
const KILLS: usize = 100;

/// The number of entries on the same day. Their fields are equal, so a program could confuse them.
const EQUAL: usize = 20;

/// Marks a line whose entry is logged but not acknowledged.
const UNACKNOWLEDGED: &str = " untold";

/// An entry that the test records before a program logs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlannedEntry {
    pub(crate) key: IdempotencyKey,
    pub(crate) place: usize,
}

impl PlannedEntry {
    /// Creates the entry with this number.
    pub(crate) fn new(place: usize) -> Self {
        Self { key: IdempotencyKey::new(), place }
    }

    /// Formats the entry as a line of a program's input.
    pub(crate) fn line(self) -> String {
        format!("{} {}", self.key, self.place)
    }

    fn read(line: &str) -> Self {
        let mut words = line.split_whitespace();
        let (key, place) = (words.next().unwrap(), words.next().unwrap());
        Self { key: key.parse().unwrap(), place: place.parse().unwrap() }
    }

    /// Returns the entry to log. The evidence of different entries never overlaps.
    pub(crate) fn entry(self) -> NewEntry {
        let first = chrono::NaiveDate::from_ymd_opt(2025, 1, 1).unwrap();
        let day = first + chrono::Days::new((self.place / EQUAL).try_into().unwrap());
        let day = day.try_into().unwrap();
        let hours = "0.25".parse().unwrap();
        NewEntry { evidence: self.evidence(), ..NewEntry::new("INTERNAL", "Testing", hours, day, day) }
    }

    /// Returns the evidence of the entry: 15 minutes that no other entry has.
    pub(crate) fn evidence(self) -> Vec<Evidence> {
        let start_utc = i64::try_from(self.place).unwrap() * 900;
        vec![Evidence { start_utc, end_utc: start_utc + 900, device: None, activity: None, utc_offset: None }]
    }
}

/// Runs in the killed program. Logs the entry of each line, and then acknowledges it.
pub(crate) fn log_each(lines: &[String], mut log: impl FnMut(PlannedEntry) -> EntryId) {
    for line in lines {
        let noted = PlannedEntry::read(line);
        let id = log(noted);
        if line.ends_with(UNACKNOWLEDGED) {
            wait_until_killed();
        }
        acknowledge(noted.key, id);
    }
}

/// Starts a program repeatedly, and kills it after some acknowledgements. The program's input consists of `input` and
/// the entries to log. In every fifth round, the program is killed after it logged an entry without acknowledging it.
/// In the other rounds, `kill` receives the number of the round and kills the program. Before the kill, `meanwhile` is
/// called after each acknowledgement. Unacknowledged entries are retried with the same key in later rounds and after
/// the last round. Returns each recorded entry with its id.
pub(crate) fn kill_in_a_loop(
    test: &str,
    input: &[String],
    mut kill: impl FnMut(usize, &LoggingProgram),
    mut meanwhile: impl FnMut(),
) -> Vec<(PlannedEntry, EntryId)> {
    #[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
    let kills_setting = std::env::var("DAYLEDGER_KILLS").ok().map(|kills| kills.parse().unwrap());
    let mut below = random_below();
    let mut noted: Vec<PlannedEntry> = Vec::new();
    let mut acknowledged: BTreeMap<IdempotencyKey, EntryId> = BTreeMap::new();
    let start = |lines: &[String]| {
        let program = LoggingProgram::start(test);
        program.send(&[input, lines].concat());
        program
    };
    for round in 0..kills_setting.unwrap_or(KILLS) {
        let some_way = below(11) as usize;
        let mut lines = unacknowledged_lines(&noted, &acknowledged);
        while lines.len() < some_way + 4 {
            let new = PlannedEntry::new(noted.len());
            noted.push(new);
            lines.push(new.line());
        }
        let is_untold = round % 5 == 4;
        if is_untold {
            lines[some_way].push_str(UNACKNOWLEDGED);
        }
        let mut program = start(&lines);
        for _ in 0..some_way {
            let (key, id) = program.next_acknowledged().expect("the program got nowhere");
            record_acknowledgement(&mut acknowledged, key, id);
            meanwhile();
        }
        if is_untold {
            assert!(program.wait_until_silent());
            program.killer()();
        } else {
            kill(round, &program);
        }
        while let Some((key, id)) = program.next_acknowledged() {
            record_acknowledgement(&mut acknowledged, key, id);
        }
    }
    let mut program = start(&unacknowledged_lines(&noted, &acknowledged));
    while let Some((key, id)) = program.next_acknowledged() {
        record_acknowledgement(&mut acknowledged, key, id);
    }
    assert!(program.has_succeeded());
    noted.into_iter().map(|noted| (noted, acknowledged[&noted.key])).collect()
}

/// Formats the recorded entries that aren't acknowledged yet as input lines.
fn unacknowledged_lines(noted: &[PlannedEntry], acknowledged: &BTreeMap<IdempotencyKey, EntryId>) -> Vec<String> {
    noted.iter().filter(|noted| !acknowledged.contains_key(&noted.key)).map(|noted| noted.line()).collect()
}

fn record_acknowledgement(acknowledged: &mut BTreeMap<IdempotencyKey, EntryId>, key: IdempotencyKey, id: EntryId) {
    assert_eq!(*acknowledged.entry(key).or_insert(id), id, "a key has one entry");
}
