//! Tests that a row isn't logged if it has changed since the user reviewed it.

use dayledger_timesheet::Code;
use dayledger_timesheet::draft::{Draft, Row, WorkLabel, find_unchanged};
use proptest::prelude::*;

use super::world::{World, any_world, period, rule, tag};

/// Returns a world with one interval of 15 minutes for each label.
fn world(namings: &[WorkLabel]) -> World {
    let intervals = (0..).zip(namings).map(|(number, naming)| period(number * 900, number * 900 + 900, naming.clone()));
    World {
        first: 0,
        last: 0,
        periods: intervals.collect(),
        entries: Vec::new(),
        other_days: std::collections::BTreeMap::new(),
        settings: dayledger_timesheet::draft::Settings::default(),
    }
}

#[test]
fn ids_and_versions_are_the_same_in_every_release() {
    let draft = world(&[rule("A", Some("x")), WorkLabel::Nothing]).draft();
    let actual = |draft: &Draft| -> Vec<String> {
        let version = |row: &Row| serde_json::to_value(&row.version).unwrap().as_str().unwrap().to_owned();
        draft.rows.iter().flat_map(|row| [row.id.to_string(), version(row)]).collect()
    };
    assert_eq!(actual(&draft), ["4efbd70ec91e", "b41388681491ddf6", "9574c347328d", "f37d12e3f7b3f428"]);
}

#[test]
fn error_says_how_the_row_changed() {
    let before = world(&[rule("A", Some("x"))]).draft();
    let row = &before.rows[0];
    let longer = world(&[rule("A", Some("x")), rule("A", Some("x"))]).draft();
    let refusal = find_unchanged(row, &longer.rows).unwrap_err();
    assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationError, Some("rows")));
    assert!(refusal.message.contains("from 0.25 to 0.5 hours"), "{refusal}");
    let renamed = world(&[tag(&["A", "x"])]).draft();
    assert_eq!(renamed.rows[0].id, row.id);
    find_unchanged(row, &renamed.rows).unwrap_err();
    let gone = world(&[rule("A", Some("y"))]).draft();
    assert!(find_unchanged(row, &gone.rows).unwrap_err().message.contains("no longer exists"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_row_changes_with_its_evidence_and_names_alone(world in any_world(), pick in any::<prop::sample::Index>()) {
        prop_assume!(!world.periods.is_empty());
        let before = world.draft();
        let mut later = world.clone();
        later.periods.iter_mut().for_each(|interval| {
            interval.title = Some("PAY-1 - another title".to_owned());
            interval.activity = None;
        });
        let retitled = later.draft();
        for row in &before.rows {
            prop_assert_eq!(&find_unchanged(row, &retitled.rows).unwrap().evidence.len(), &row.evidence.len());
        }

        let mut cut = world.clone();
        let at = pick.index(cut.periods.len());
        cut.periods.remove(at);
        let cut = cut.draft();
        for row in &before.rows {
            let now = cut.rows.iter().find(|now| now.id == row.id);
            let ends = |row: &Row| -> Vec<_> {
                row.evidence.iter().map(|interval| (interval.start_utc, interval.end_utc, interval.device.clone())).collect()
            };
            let same = now.is_some_and(|now| ends(now) == ends(row) && now.named_by == row.named_by);
            prop_assert_eq!(find_unchanged(row, &cut.rows).is_ok(), same);
        }
    }

    #[test]
    fn row_id_depends_on_day_project_and_task(world in any_world(), other in any_world()) {
        let (one, other) = (world.draft(), other.draft());
        for row in &one.rows {
            for another in &other.rows {
                let key = |row: &Row| (row.day, row.project_code.clone(), row.task.clone());
                prop_assert_eq!(row.id == another.id, key(row) == key(another));
            }
        }
    }

    #[test]
    fn draft_survives_serialization(world in any_world()) {
        let draft = world.draft();
        let json = serde_json::to_string(&draft).unwrap();
        prop_assert_eq!(serde_json::from_str::<Draft>(&json).unwrap(), draft);
    }
}
