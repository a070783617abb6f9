//! Tests unlogged time in SQL. Unlogged time and the time of entries must together equal active time in every second.
//! The draft from SQL must equal the suggestions of the tool.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use chrono::NaiveDate;
use dayledger::App;
use dayledger::rules::{RuleConfig, Rules};
use dayledger::timesheet::{CallSession, SuggestRequest};
use dayledger_fixtures::SchemaOptions;
use dayledger_timesheet::rules::OverlapPolicy;
use dayledger_timesheet::{Evidence, Hours, IdempotencyKey, Ledger, NewEntry, Timesheet};
use proptest::prelude::*;

use crate::histories::random::{CHANGE, Device, by_day, device, range};
use crate::histories::{OpenHistory, block_on, builder_at, rows, run_query, with_timesheet};

/// The range of all histories, and a range that is longer than a draft can be.
const RANGES: [&str; 2] = ["'2026-10-24', '2026-11-14'", "'2020-01-01', '2030-01-01'"];

/// The project of each application, by its position. The browser has no project.
const PROJECTS: [Option<&str>; 3] = [Some("CODE"), Some("TALK"), None];

/// Logged time: hundredths of an hour for a project's only task. It is logged on a day, or with evidence of its exact
/// time.
#[derive(Clone, Debug)]
struct LoggedTime {
    project: usize,
    day: NaiveDate,
    hundredths: i64,
    evidence: Option<Range<i64>>,
}

fn any_logged_time() -> impl Strategy<Value = LoggedTime> {
    let time =
        (-8 * 3_600..20 * 3_600_i64, 1..9_000_i64).prop_map(|(start, length)| CHANGE + start..CHANGE + start + length);
    (0..2_usize, 24..27_u32, 0..300_i64, prop::option::of(time)).prop_map(|(project, day, hundredths, evidence)| {
        let day = NaiveDate::from_ymd_opt(2026, 10, day).unwrap();
        LoggedTime { project, day, hundredths, evidence }
    })
}

impl LoggedTime {
    fn entry(&self) -> NewEntry {
        let day = self.day.try_into().unwrap();
        let hours = Hours::from_hundredths(self.hundredths);
        let evidence = self.evidence.iter().map(|time| Evidence {
            start_utc: time.start,
            end_utc: time.end,
            device: None,
            activity: None,
            utc_offset: None,
        });
        let project = PROJECTS[self.project].unwrap();
        NewEntry { evidence: evidence.collect(), ..NewEntry::new(project, "Work", hours, day, day) }
    }
}

/// Returns an app over a history, with a timesheet that contains these entries.
fn app_with_entries(history: &OpenHistory, entries: &[LoggedTime]) -> App {
    let rules = [("code*", "CODE"), ("slack*", "TALK")].map(|(app, project)| {
        let rule = serde_json::json!({"app": app, "project": project, "task": "Work"});
        serde_json::from_value::<RuleConfig>(rule).unwrap().try_into().unwrap()
    });
    let builder = builder_at(history.folder()).with_rules(Rules::new(rules.into()).unwrap());
    let projects = "[[projects]]\ncode = 'CODE'\ntasks = ['Work']\n[[projects]]\ncode = 'TALK'\ntasks = ['Work']";
    let app = with_timesheet(builder, history.folder(), projects).build().unwrap();
    assert_eq!(rows(&app, "SELECT code FROM projects ORDER BY code"), ["CODE", "TALK"]);
    block_on(async {
        let ledger = Ledger::open(&history.folder().join("timesheet.db")).unwrap();
        for entry in entries {
            ledger.log(IdempotencyKey::new(), entry.entry(), OverlapPolicy::Allowed).await.unwrap();
        }
    });
    app
}

/// Returns the project of each active second. If two devices are used, the first device with a project by rule counts.
/// If neither device has such a project, the first device counts.
fn projects_by_second(devices: &[Device]) -> BTreeMap<i64, Option<&'static str>> {
    let mut found: BTreeMap<i64, Option<&'static str>> = BTreeMap::new();
    for device in devices {
        let active = device.seconds();
        for row in &device.applications {
            for second in (row.start..row.end).filter(|second| active.contains(second)) {
                let known = found.entry(second).or_default();
                *known = known.or(PROJECTS[row.about]);
            }
        }
    }
    found
}

/// Assigns each second without a rule to the project of the block that contains it.
fn assign_blocks(seconds: &mut BTreeMap<i64, Option<&'static str>>, app: &App) {
    for range in RANGES {
        let blocks = "SELECT to_unixtime(start_utc), to_unixtime(end_utc), subject FROM blocks";
        for block in rows(app, &format!("{blocks}({range}) WHERE subject_kind = 'project'")) {
            let parts: Vec<_> = block.split(" | ").collect();
            let (start, end): (i64, i64) = (parts[0].parse().unwrap(), parts[1].parse().unwrap());
            let project = PROJECTS.into_iter().flatten().find(|project| parts[2].starts_with(project));
            for (_, of) in seconds.range_mut(start..end) {
                *of = of.or(project);
            }
        }
    }
}

/// A day and a project.
type DayAndProject = (NaiveDate, Option<String>);

/// Returns the expected seconds without an entry, by day and project. The caller has already removed the seconds with
/// evidence.
fn expected_seconds(
    free: &BTreeMap<i64, Option<&'static str>>,
    entries: &[LoggedTime],
) -> BTreeMap<DayAndProject, i64> {
    let mut left: BTreeMap<DayAndProject, i64> = BTreeMap::new();
    for project in PROJECTS {
        let seconds = free.iter().filter(|(_, of)| **of == project).map(|(second, _)| *second);
        for (day, seconds) in by_day(seconds) {
            let claims = entries.iter().filter(|entry| entry.evidence.is_none() && entry.day == day);
            let claims = claims.filter(|entry| PROJECTS[entry.project] == project);
            let claimed: i64 = claims.map(|entry| entry.hundredths * 36).sum();
            left.insert((day, project.map(str::to_owned)), seconds - claimed.min(seconds));
        }
    }
    left.retain(|_, seconds| *seconds > 0);
    left
}

fn numbers(line: &str) -> Vec<i64> {
    line.split(" | ").map(|number| number.parse().unwrap()).collect()
}

proptest! {
    #![proptest_config(super::config(4))]

    #[test]
    fn unlogged_and_covered_time_add_up_to_active_time(
        devices in prop::collection::vec(device(), 1..3),
        entries in prop::collection::vec(any_logged_time(), 0..6),
    ) {
        let history = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let app = app_with_entries(&history, &entries);
        let mut free = projects_by_second(&devices);
        assign_blocks(&mut free, &app);
        for evidence in entries.iter().filter_map(|entry| entry.evidence.as_ref()) {
            free.retain(|second, _| !evidence.contains(second));
        }
        for range in RANGES {
            let spans = rows(&app, &format!(
                "SELECT to_unixtime(start_utc), to_unixtime(end_utc), seconds FROM unlogged({range}) ORDER BY 1"
            ));
            let mut seconds = BTreeSet::new();
            for span in spans.iter().map(|line| numbers(line)) {
                prop_assert_eq!(span[1] - span[0], span[2]);
                for second in span[0]..span[1] {
                    prop_assert!(seconds.insert(second), "{} twice", second);
                    prop_assert!(free.contains_key(&second), "{} is covered, or not active", second);
                }
            }
            let actual = rows(&app, &format!(
                "SELECT day, project_code, sum(seconds) FROM unlogged({range}) GROUP BY day, project_code"
            ));
            let actual: BTreeMap<DayAndProject, i64> = actual.iter().map(|line| {
                let parts: Vec<_> = line.split(" | ").collect();
                let project = Some(parts[1].to_owned()).filter(|project| !project.is_empty());
                ((parts[0].parse().unwrap(), project), parts[2].parse().unwrap())
            }).collect();
            prop_assert_eq!(actual, expected_seconds(&free, &entries), "{}", range);
            let days = rows(&app, &format!(
                "SELECT count(*) FROM unlogged({range}) WHERE CAST(start_local AS DATE) <> day \
                 OR CAST(end_local - INTERVAL '1 second' AS DATE) <> day"
            ));
            prop_assert_eq!(days, ["0"]);
        }
    }

    #[test]
    fn sql_draft_equals_the_tools_suggestions(
        devices in prop::collection::vec(device(), 1..3),
        entries in prop::collection::vec(any_logged_time(), 0..6),
    ) {
        let history = OpenHistory::from_devices(&devices, &SchemaOptions::default());
        let app = app_with_entries(&history, &entries);
        let request = SuggestRequest::new(range(), None, None, CallSession::new()).unwrap();
        let suggested = run_query(&app, request).unwrap();
        let expected: Vec<_> = suggested.days.iter().flat_map(|day| {
            day.rows.iter().map(|row| format!(
                "{} | {} | {} | {:.2}",
                day.day, row.project_code.as_deref().unwrap_or_default(), row.row.as_str(), row.hours
            ))
        }).collect::<BTreeSet<_>>().into_iter().collect();
        for range in RANGES {
            let drafted = format!("SELECT day, project_code, row_id, hours FROM draft({range})");
            let drafted: BTreeSet<_> = rows(&app, &drafted).into_iter().collect();
            prop_assert_eq!(&drafted.into_iter().collect::<Vec<_>>(), &expected);
            let sum = rows(&app, &format!("SELECT CAST(coalesce(sum(hours * 100), 0) AS BIGINT) FROM draft({range})"));
            prop_assert_eq!(sum, [suggested.hours.hundredths().to_string()]);
            let more = rows(&app, &format!(
                "SELECT count(*) FROM (SELECT day, project_code, sum(seconds) AS s FROM draft({range}) GROUP BY 1, 2) d \
                 LEFT JOIN (SELECT day, project_code, sum(seconds) AS s FROM unlogged({range}) GROUP BY 1, 2) u \
                 ON d.day = u.day AND d.project_code IS NOT DISTINCT FROM u.project_code WHERE u.s IS NULL OR u.s <> d.s"
            ));
            prop_assert_eq!(more, ["0"], "a project with one task has one row per day");
        }
    }
}
