//! `why`: the periods that add up to the total of a day.

use serde_json::Value;

use super::program::{Home, demo};
use super::{assert_fails, stderr_of, stdout_of};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn explained_periods_add_up_to_the_total_of_the_day() {
    let (home, data) = (Home::new(), demo());
    for device in [vec![], vec!["--device", "LAPTOP"]] {
        let ask = |command: &str| {
            let words = [command, "2026-11-18", "--json"].into_iter().chain(device.iter().copied());
            json(&stdout_of(&mut home.program_for(data.path(), words.collect::<Vec<_>>())))
        };
        let (why, day) = (ask("why"), ask("day"));
        assert_eq!(why["totalActiveMinutes"], day["totalActiveMinutes"]);
        let blocks = |answer: &Value, rows: &str, minutes: &str| {
            let rows = answer[rows].as_array().unwrap().iter();
            rows.map(|row| (row["start"].clone(), row.get("start").and(row.get(minutes)).cloned())).collect::<Vec<_>>()
        };
        if device.is_empty() {
            assert_eq!(blocks(&why, "blocks", "activeMinutes"), blocks(&day, "segments", "durationMinutes"));
        }
    }
    let text = stdout_of(&mut home.program_for(data.path(), ["why", "2026-11-18"]));
    assert!(text.starts_with("Wednesday, 18 November 2026\n") && text.contains("\nPeriods\n"), "{text}");
}

#[test]
fn time_of_day_is_explained_with_its_segment() {
    let (home, data) = (Home::new(), demo());
    let ask =
        |words: &[&str]| json(&stdout_of(&mut home.program_for(data.path(), [&["why", "--json"], words].concat())));
    let day = ask(&["2026-11-18"]);
    let of_day = day["stretches"].as_array().unwrap();
    let active = of_day.iter().filter(|interval| interval["counts"] == "active");
    let minutes = |interval: &Value| interval["durationMinutes"].as_f64().unwrap();
    let longest = active.max_by(|one, other| minutes(one).total_cmp(&minutes(other))).unwrap();
    let around = ask(&[longest["start"].as_str().unwrap()]);
    let intervals = around["stretches"].as_array().unwrap();
    assert!(intervals.contains(longest), "{around}");
    let segment = |interval: &Value| (interval["device"].clone(), interval["segmentStart"].clone());
    let of_segment = of_day.iter().filter(|interval| segment(interval) == segment(longest)).count();
    assert!(intervals.iter().filter(|interval| segment(interval) == segment(longest)).count() == of_segment);
    let until = ask(&["2026-11-18", "10:00", "2026-11-18T10:30"]);
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
    assert_eq!(nothing, "Nothing was recorded on Wednesday, 1 January 2031, 10:00.\n");
}
