//! Tests `why`, which shows the breaks and rows that explain the total of a day.

use serde_json::Value;

use super::program::{Home, demo};
use super::{assert_fails, stderr_of, stdout_of};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn minutes(answer: &Value, name: &str) -> f64 {
    answer[name].as_f64().unwrap_or_default()
}

#[test]
fn explanation_of_a_day_adds_up_to_its_total() {
    let (home, data) = (Home::new(), demo());
    for device in [vec![], vec!["--device", "LAPTOP"]] {
        let ask = |words: &[&str]| {
            let words = [words, &["2026-11-18", "--json"], device.as_slice()].concat();
            json(&stdout_of(&mut home.program_for(data.path(), words)))
        };
        let (why, day) = (ask(&["why", "--rows"]), ask(&["day"]));
        assert_eq!(why["totalActiveMinutes"], day["totalActiveMinutes"]);
        let totals = ask(&["why"]);
        for name in ["callMinutes", "notCounted"] {
            assert_eq!(why[name], totals[name], "{name} with rows");
        }
        let of_day = &why["days"][0];
        let rest = minutes(of_day, "elapsedMinutes") - minutes(of_day, "breakMinutes") - minutes(of_day, "gapMinutes");
        assert!(
            (rest - minutes(of_day, "activeMinutes")).abs() < 0.2 && minutes(of_day, "gapMinutes") >= 0.0,
            "{of_day}"
        );
        // `day` must show the same use and breaks. `day` shows use and breaks only for all devices together.
        if device.is_empty() {
            let presence = &day["presence"];
            for name in ["firstUse", "lastUse", "breakMinutes"] {
                assert_eq!(of_day[name], presence[name], "{name}");
            }
            let breaks = of_day["breaks"].as_array().unwrap();
            let listed = presence["away"].as_array().unwrap();
            assert!(!breaks.is_empty() && breaks.iter().all(|of_day| listed.contains(of_day)), "{breaks:?} {listed:?}");
        } else {
            assert!(of_day.get("breakMinutes").is_none() && day.get("presence").is_none(), "{of_day}");
        }
        let counted = why["rows"].as_array().unwrap().iter().map(|row| minutes(row, "countedMinutes")).sum::<f64>();
        let rounding = why["rows"].as_array().unwrap().iter().map(|_| 0.05).sum::<f64>();
        assert!((counted - minutes(&why, "totalActiveMinutes")).abs() <= rounding, "{counted}");
    }
    let text = stdout_of(&mut home.program_for(data.path(), ["why", "2026-11-18"]));
    assert!(text.starts_with("Wednesday, 18 November 2026\n"), "{text}");
    for part in ["from the first to the last use", " min breaks", "\nBreaks\n", "Average Wednesday"] {
        assert!(text.contains(part), "`{part}` is missing: {text}");
    }
    assert!(text.lines().count() <= 25, "{text}");
}

#[test]
fn time_of_day_is_explained_with_its_block() {
    let (home, data) = (Home::new(), demo());
    let ask = |words: &[&str]| json(&stdout_of(&mut home.program_for(data.path(), [words, &["--json"]].concat())));
    let day = ask(&["day", "2026-11-18"]);
    for block in day["segments"].as_array().unwrap() {
        let around = ask(&["why", block["start"].as_str().unwrap()]);
        assert_eq!((&around["startDate"], &around["endDate"]), (&block["start"], &block["end"]));
        assert_eq!(around["block"]["activeMinutes"], block["durationMinutes"]);
        assert!(!around["rows"].as_array().unwrap().is_empty(), "{around}");
    }
    let breaks = ask(&["why", "2026-11-18"]);
    let first = &breaks["days"][0]["breaks"][0];
    let around = ask(&["why", first["start"].as_str().unwrap()]);
    assert_eq!(around["away"], *first, "{around}");
    let until = ask(&["why", "2026-11-18", "10:00", "2026-11-18T10:30"]);
    assert_eq!(
        (&until["startDate"], &until["endDate"]),
        (&"2026-11-18T10:00:00".into(), &"2026-11-18T10:30:00".into())
    );
}

#[test]
fn invalid_arguments_fail_with_a_hint() {
    let (home, data) = (Home::new(), demo());
    let over = |arguments: &[&str]| home.program_for(data.path(), arguments);
    assert_fails(&mut over(&["why", "lst", "week"]), "did you mean `last week`?", "`2025-01-15`");
    assert_fails(&mut over(&["why", "2026-11-20", "2026-11-18"]), "is not after the start", "includes that day");
    assert_fails(&mut over(&["why", "2026-11-18", "--device", "X"]), "unknown device `X`", "`LAPTOP`");
    stderr_of(&mut over(&["why"]), 2);
    let nothing = stdout_of(&mut over(&["why", "2031-01-01T10:00"]));
    assert_eq!(nothing, "No application was recorded on Wednesday, 1 January 2031, 10:00.\n");
}
