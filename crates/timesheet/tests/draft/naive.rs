//! A simple reference implementation of drafts, which counts each second separately.

use std::collections::BTreeMap;

use dayledger_timesheet::draft::{ActivePeriod, WorkLabel};
use dayledger_timesheet::{Day, EntryId, Evidence, TimeEntry};

use super::world::{END, START, World, day};

/// The code of a project, and the name of a task if known.
pub(super) type Target = (String, Option<String>);

/// The outcome of an active second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Covered(EntryId),
    Drafted(Day, Option<Target>),
    LeftOut(&'static str, Day, Option<Target>),
}

/// The expected draft of a generated world.
#[derive(Debug, Default)]
pub(super) struct Expected {
    pub(super) outcomes: Vec<Option<Outcome>>,
    /// The device to which each second belongs.
    pub(super) devices: Vec<Option<String>>,
    /// The hours of each row in hundredths.
    pub(super) hours: BTreeMap<(Day, Option<Target>), i64>,
    /// For each entry, the number of seconds by which its hours exceed its covered time.
    pub(super) beyond: BTreeMap<EntryId, i64>,
}

pub(super) fn place(second: i64) -> usize {
    usize::try_from(second - START).unwrap()
}

pub(super) fn count(world: &World) -> Expected {
    let owner = owners(world);
    let seconds: Vec<usize> = (0..owner.len()).filter(|second| owner[*second].is_some()).collect();
    let day_of = |second: usize| owner[second].unwrap().day;
    let target_of = |second: usize| target(owner[second].unwrap());
    let mut active: BTreeMap<Day, i64> = BTreeMap::new();
    for second in &seconds {
        *active.entry(day_of(*second)).or_default() += 1;
    }

    let devices = owner.iter().map(|interval| interval.and_then(|stretch| stretch.device.clone())).collect();
    let mut expected = Expected { outcomes: vec![None; owner.len()], devices, ..Expected::default() };
    let mut entries: Vec<&(TimeEntry, Vec<Evidence>)> = world.entries.iter().collect();
    entries.sort_by_key(|(entry, _)| (entry.created_at, entry.id));
    for (entry, evidence) in entries.iter().rev() {
        for second in evidence.iter().flat_map(|interval| interval.start_utc..interval.end_utc.min(END)) {
            let fate = owner[place(second)].map(|_| Outcome::Covered(entry.id));
            expected.outcomes[place(second)] = fate;
        }
        if !evidence.is_empty() {
            let mut covered: Vec<_> =
                evidence.iter().flat_map(|interval| interval.start_utc..interval.end_utc).collect();
            covered.sort_unstable();
            covered.dedup();
            let covered = i64::try_from(covered.len()).unwrap();
            expected.beyond.insert(entry.id, (entry.total_hours().hundredths() * 36 - covered).max(0));
        }
    }
    let without: Vec<_> = entries.iter().filter(|(_, evidence)| evidence.is_empty()).map(|(entry, _)| entry).collect();
    let mut claims: Vec<_> = without.iter().map(|entry| claims(entry, &active, &world.other_days)).collect();
    let targets: Vec<_> = (0..owner.len()).map(|second| owner[second].and_then(target)).collect();
    for of_task in [true, false] {
        for (entry, claims) in without.iter().zip(&mut claims) {
            for second in &seconds {
                let Some((project, task)) = &targets[*second] else { continue };
                let fits = *project == entry.project_code && (!of_task || task.as_ref() == Some(&entry.task));
                let claim = claims.entry(day_of(*second)).or_default();
                if fits && *claim > 0 && expected.outcomes[*second].is_none() {
                    *claim -= 1;
                    expected.outcomes[*second] = Some(Outcome::Covered(entry.id));
                }
            }
        }
    }
    for (entry, claims) in without.iter().zip(claims) {
        let left = claims
            .into_iter()
            .filter(|(of, _)| (day(world.first)..=day(world.last)).contains(of))
            .map(|(_, left)| left)
            .sum();
        expected.beyond.insert(entry.id, left);
    }

    let mut groups: BTreeMap<(Day, Option<Target>), Vec<usize>> = BTreeMap::new();
    for second in seconds.into_iter().filter(|second| expected.outcomes[*second].is_none()) {
        groups.entry((day_of(second), target_of(second))).or_default().push(second);
    }
    let days: Vec<_> = active.keys().copied().collect();
    for day in days {
        let of_day = groups.iter().filter(|((of, _), _)| *of == day);
        let kept: Vec<_> = of_day.clone().filter(|(_, seconds)| reason(world, seconds).is_none()).collect();
        let hours = round_hours(&kept.iter().map(|(_, seconds)| seconds.len()).collect::<Vec<_>>(), world);
        let hours: BTreeMap<_, _> = kept.into_iter().map(|(key, _)| key.clone()).zip(hours).collect();
        for (key, seconds) in of_day {
            let fate = match (reason(world, seconds), hours.get(key)) {
                (Some(reason), _) => Outcome::LeftOut(reason, day, key.1.clone()),
                (None, Some(0) | None) => Outcome::LeftOut("roundedAway", day, key.1.clone()),
                (None, Some(hours)) => {
                    expected.hours.insert(key.clone(), *hours);
                    Outcome::Drafted(day, key.1.clone())
                }
            };
            for second in seconds {
                expected.outcomes[*second] = Some(fate.clone());
            }
        }
    }
    expected
}

/// Returns the interval to which each second belongs, if any.
fn owners(world: &World) -> Vec<Option<&ActivePeriod>> {
    let mut intervals: Vec<_> = world.periods.iter().collect();
    let rank = |interval: &ActivePeriod| match (effective_label(interval), interval.document.as_deref()) {
        (Some((WorkLabel::Tag(_), _)), _) => 0,
        (Some((WorkLabel::Rule { .. }, "self")), _) => 1,
        (Some(_), _) => 2,
        (None, Some("a.rs")) => 3,
        (None, _) => 4,
    };
    intervals.sort_by_key(|interval| {
        let texts =
            (interval.label.clone(), interval.rule_label.clone(), interval.block.clone(), interval.document.clone());
        (rank(interval), interval.device.clone(), interval.start_utc, interval.end_utc, texts)
    });
    let mut owners = vec![None; place(END)];
    for interval in intervals.into_iter().rev() {
        (interval.start_utc..interval.end_utc).for_each(|second| owners[place(second)] = Some(interval));
    }
    owners
}

/// Returns the label that determines the target of an interval. Also returns whether this label belongs to the interval
/// itself or to its block.
fn effective_label(interval: &ActivePeriod) -> Option<(&WorkLabel, &'static str)> {
    let all = [(&interval.label, "self"), (&interval.rule_label, "self"), (&interval.block, "block")];
    let all: Vec<_> = all.into_iter().filter(|(naming, _)| **naming != WorkLabel::Nothing).collect();
    let is_known = |(naming, _): &&(&WorkLabel, &str)| match naming {
        WorkLabel::Tag(parts) => parts.iter().any(|part| part == "A" || part == "B"),
        WorkLabel::Rule { project, .. } => project != "Gone",
        WorkLabel::Nothing => false,
    };
    all.iter().find(is_known).or(all.first()).copied()
}

/// Returns the project and task of an interval in this world, if any.
fn target(interval: &ActivePeriod) -> Option<Target> {
    let target = |project: &str, task: Option<&str>| Some((project.to_owned(), task.map(str::to_owned)));
    match effective_label(interval) {
        Some((WorkLabel::Tag(parts), _)) if parts.len() == 3 => target("A", Some("y")),
        Some((WorkLabel::Tag(parts), _)) if parts[0] == "Nowhere" => target("Nowhere", None),
        Some((WorkLabel::Tag(_), _)) => target("B", Some("z")),
        Some((WorkLabel::Rule { project, .. }, _)) if project == "B" => target("B", Some("z")),
        Some((WorkLabel::Rule { project, task, .. }, _)) => target(project, task.as_deref()),
        _ if interval.document.as_deref() == Some("a.rs") => target("A", Some("y")),
        _ => None,
    }
}

/// Distributes the hours of an entry over its days, one second after the other. Each second goes to the day with the
/// largest outstanding share.
fn claims(entry: &TimeEntry, active: &BTreeMap<Day, i64>, elsewhere: &BTreeMap<Day, i64>) -> BTreeMap<Day, i64> {
    let days: Vec<Day> =
        (-9..20).map(day).filter(|day| (entry.start_date..=entry.completion_date).contains(day)).collect();
    let weight = |day: &Day| i128::from(*active.get(day).or(elsewhere.get(day)).unwrap_or(&0));
    let all: i128 = days.iter().map(weight).sum();
    let weight = |day: &Day| if all == 0 { 1 } else { weight(day) };
    let all: i128 = days.iter().map(weight).sum();
    let total = i128::from(entry.total_hours().hundredths() * 36);
    let mut dealt: Vec<i128> = days.iter().map(|day| total * weight(day) / all).collect();
    while dealt.iter().sum::<i128>() < total {
        let owed = |place: usize| total * weight(&days[place]) - dealt[place] * all;
        let next = (0..days.len()).rev().max_by_key(|place| owed(*place)).unwrap();
        dealt[next] += 1;
    }
    days.into_iter().zip(dealt.into_iter().map(|seconds| i64::try_from(seconds).unwrap())).collect()
}

fn reason(world: &World, seconds: &[usize]) -> Option<&'static str> {
    (i64::try_from(seconds.len()).unwrap() < world.settings.min_seconds).then_some("tooShort")
}

/// Rounds the seconds of groups and returns hundredths of an hour. The groups are in the order of project and task.
fn round_hours(groups: &[usize], world: &World) -> Vec<i64> {
    let step = world.settings.round_to.hundredths();
    let seconds: Vec<i64> = groups.iter().map(|seconds| i64::try_from(*seconds).unwrap()).collect();
    let whole = step * 36;
    let mut steps: Vec<_> = seconds.iter().map(|seconds| seconds / whole).collect();
    // The sum is rounded to the nearest step. Half a step is rounded up.
    let total = (seconds.iter().sum::<i64>() + whole / 2) / whole;
    while steps.iter().sum::<i64>() < total {
        let owed = |place: usize| (seconds[place] - steps[place] * whole, seconds[place]);
        let next = (0..steps.len()).rev().max_by_key(|place| owed(*place)).unwrap();
        steps[next] += 1;
    }
    steps.into_iter().map(|steps| steps * step).collect()
}
