use chrono::NaiveTime;
use proptest::prelude::*;

use super::*;
use crate::index::Entry;
use crate::names::Name;
use crate::reference::ReferenceFolder;

fn at(time: &str) -> NaiveDateTime {
    format!("2026-02-27T{time}").parse().unwrap()
}

fn between(start: &str, end: &str) -> Range<NaiveDateTime> {
    at(start)..at(end)
}

/// Returns an interval with a UTC offset of one hour. All screenshots in these tests have the same offset.
fn time_interval(local: Range<NaiveDateTime>) -> TimeInterval {
    let hour = TimeDelta::hours(1);
    TimeInterval { utc: local.start - hour..local.end - hour, local }
}

fn segments(times: &[(&str, &str)]) -> Vec<TimeInterval> {
    times.iter().map(|(start, end)| time_interval(between(start, end))).collect()
}

fn day() -> Range<NaiveDateTime> {
    let midnight = at("00:00:00");
    midnight..midnight + TimeDelta::days(1)
}

/// Creates a screenshot that was taken at this time. `sequence` distinguishes screenshots of the same time.
fn screenshot(taken: NaiveDateTime, sequence: usize) -> Screenshot {
    let name = format!("{}_01-00_1920_1080_{sequence}_0.jpg", taken.format("%Y-%m-%d_%H-%M-%S"));
    let Name { stem, extension, .. } = Name::parse(name.as_bytes()).unwrap();
    let entry = Entry { stem, image: Some(extension), thumbnail: None };
    Screenshot::new(&ReferenceFolder::new("2026-02-27"), &entry).unwrap()
}

fn screenshots(times: &[&str]) -> Vec<Screenshot> {
    times.iter().enumerate().map(|(sequence, time)| screenshot(at(time), sequence)).collect()
}

fn times(screenshots: &[Screenshot]) -> Vec<String> {
    screenshots.iter().map(|one| one.taken_at.format("%H:%M:%S").to_string()).collect()
}

fn hourly() -> Vec<Screenshot> {
    (8..=17).map(|hour| screenshot(at("00:00:00") + TimeDelta::hours(hour), 0)).collect()
}

#[test]
fn every_segment_is_shown_by_the_screenshot_nearest_to_its_middle() {
    let shots = screenshots(&["09:00:00", "09:28:00", "09:31:00", "09:59:00", "10:02:00", "10:20:00", "12:00:00"]);
    // The first two results are the nearest to 9:30 and to 10:05. The segment at 10:30 has no screenshot. The
    // screenshot at 12:00 is at the exclusive end of a segment, so it is outside.
    let done = segments(&[
        ("09:00:00", "10:00:00"),
        ("10:00:00", "10:10:00"),
        ("10:30:00", "11:00:00"),
        ("11:00:00", "12:00:00"),
    ]);
    let sample = sample(shots, &day(), &done, None, 20);
    assert_eq!(times(&sample.screenshots), ["09:31:00", "10:02:00"]);
    assert_eq!((sample.by_segment, sample.available), (true, 2));
}

#[test]
fn segments_of_two_devices_show_one_screenshot_once() {
    let shots = screenshots(&["09:00:00", "09:30:00", "10:00:00"]);
    let done = segments(&[("09:00:00", "10:00:00"), ("09:10:00", "09:50:00")]);
    let sample = sample(shots, &day(), &done, None, 20);
    assert_eq!(times(&sample.screenshots), ["09:30:00"]);
    assert_eq!(sample.available, 1);
}

#[test]
fn earlier_of_two_equally_near_screenshots_is_selected() {
    let shots = screenshots(&["09:00:00", "09:20:00", "09:20:00", "09:40:00", "09:40:00"]);
    let nearest = |inside: &Range<NaiveDateTime>, to| {
        nearest(&shots, &time_interval(inside.clone()), at(to) - inside.start).map(|one| one.sequence.unwrap())
    };
    let hour = between("09:00:00", "10:00:00");
    assert_eq!(nearest(&hour, "09:30:00"), Some(1));
    assert_eq!(nearest(&hour, "09:30:01"), Some(3));
    assert_eq!(nearest(&hour, "09:20:00"), Some(1));
    // Only screenshots inside of the interval count, even if a screenshot outside is nearer.
    assert_eq!(nearest(&between("09:21:00", "10:00:00"), "09:21:00"), Some(3));
    assert_eq!(nearest(&between("09:00:00", "09:40:00"), "09:40:00"), Some(1));
    assert_eq!(nearest(&hour, "23:00:00"), Some(3));
    assert_eq!(nearest(&hour, "01:00:00"), Some(0));
    assert_eq!(nearest(&between("09:41:00", "10:00:00"), "09:50:00"), None);
}

/// When the clock is set back, an hour occurs twice. A segment of the second occurrence used to get a screenshot of the
/// first occurrence.
#[test]
fn offset_in_the_name_decides_in_the_repeated_hour() {
    let named = |name: &str| {
        let Name { stem, extension, .. } = Name::parse(name.as_bytes()).unwrap();
        let entry = Entry { stem, image: Some(extension), thumbnail: None };
        Screenshot::new(&ReferenceFolder::new("2026-10-25"), &entry).unwrap()
    };
    let shots = [
        named("2026-10-25_02-15-00_01-00_1920_1080_7_0.jpg"),
        named("2026-10-25_02-15-00_02-00_1920_1080_3_0.jpg"),
        named("2026-10-25_02-50-00_02-00_1920_1080_4_0.jpg"),
    ];
    let time = |time: &str| -> NaiveDateTime { format!("2026-10-25T{time}").parse().unwrap() };
    let sequence = |local: Range<&str>, utc: Range<&str>| {
        let inside = TimeInterval { local: time(local.start)..time(local.end), utc: time(utc.start)..time(utc.end) };
        nearest(&shots, &inside, inside.middle()).map(|one| one.sequence.unwrap())
    };
    assert_eq!(sequence("02:10:00".."02:20:00", "00:10:00".."00:20:00"), Some(3));
    assert_eq!(sequence("02:10:00".."02:20:00", "01:10:00".."01:20:00"), Some(7));
    assert_eq!(sequence("02:45:00".."02:10:00", "00:45:00".."01:10:00"), Some(4));
    assert_eq!(sequence("02:45:00".."02:55:00", "01:45:00".."01:55:00"), None);
}

#[test]
fn sample_without_segments_is_regular_in_time_and_marked_as_such() {
    for done in [segments(&[]), segments(&[("20:00:00", "21:00:00")])] {
        let sample = sample(hourly(), &day(), &done, None, 4);
        assert_eq!(times(&sample.screenshots), ["08:00:00", "11:00:00", "14:00:00", "17:00:00"]);
        assert_eq!((sample.by_segment, sample.available), (false, 10));
    }
}

#[test]
fn limit_keeps_both_ends_of_the_day_and_regular_times_in_between() {
    let even = |max| sample(hourly(), &day(), &[], None, max).screenshots;
    assert_eq!(times(&even(2)), ["08:00:00", "17:00:00"]);
    assert_eq!(times(&even(3)), ["08:00:00", "12:00:00", "17:00:00"]);
    assert_eq!(times(&even(1)), ["12:00:00"]);
    assert_eq!(times(&even(0)), [""; 0]);
    assert_eq!(even(10).len(), 10);
    // The selected screenshots are at regular times. Many screenshots in one minute don't displace the screenshots of
    // other hours.
    let busy: Vec<_> = (0..50).map(|second| format!("09:00:{second:02}")).collect();
    let mut shots: Vec<&str> = busy.iter().map(String::as_str).collect();
    shots.extend(["11:00:00", "13:00:00", "15:00:00", "17:00:00"]);
    let sample = sample(screenshots(&shots), &day(), &[], None, 5);
    assert_eq!(times(&sample.screenshots), ["09:00:00", "11:00:00", "13:00:00", "15:00:00", "17:00:00"]);
    assert_eq!(sample.available, 54);
}

#[test]
fn limit_on_segments_keeps_the_end_of_the_day_too() {
    let minute = |one: &Screenshot| time_interval(one.taken_at..one.taken_at + TimeDelta::minutes(1));
    let intervals: Vec<_> = hourly().iter().map(minute).collect();
    let sample = sample(hourly(), &day(), &intervals, None, 4);
    assert_eq!(times(&sample.screenshots), ["08:00:00", "11:00:00", "14:00:00", "17:00:00"]);
    assert_eq!((sample.by_segment, sample.available), (true, 10));
}

/// If two monitors were captured in the same second, only the first screenshot used to be listed.
#[test]
fn screenshots_of_one_moment_are_chosen_together() {
    let shots = screenshots(&["09:00:00", "09:30:00", "09:30:00", "10:30:00", "10:30:00"]);
    let done = segments(&[("09:00:00", "10:00:00"), ("10:00:00", "11:00:00")]);
    let chosen = |segments: &[TimeInterval], interval, max| sample(shots.clone(), &day(), segments, interval, max);
    let by_segment = chosen(&done, None, 20);
    assert_eq!(times(&by_segment.screenshots), ["09:30:00", "09:30:00", "10:30:00", "10:30:00"]);
    assert_eq!(by_segment.available, 4);
    let by_hour = chosen(&[], Some(Duration::from_hours(1)), 20);
    assert_eq!(times(&by_hour.screenshots), ["09:00:00", "10:30:00", "10:30:00"]);
    let capped = |max| times(&chosen(&done, None, max).screenshots);
    // If only one time is kept, it is the time nearest to the middle of the window.
    assert_eq!(capped(3), ["10:30:00", "10:30:00"]);
    assert_eq!(capped(1), ["10:30:00"]);
}

#[test]
fn interval_selects_the_nearest_to_each_multiple() {
    let shots =
        screenshots(&["09:01:00", "09:02:00", "09:29:00", "09:30:00", "09:31:00", "09:55:00", "10:15:00", "17:00:00"]);
    let half_hourly = |shots, window: &Range<NaiveDateTime>| {
        let interval = Some(Duration::from_mins(30));
        sample(shots, window, &[], interval, 20)
    };
    // 10:15 is halfway between two multiples and belongs to the earlier one, 10:00. It isn't selected, because 9:55 is
    // nearer to 10:00. No screenshot is near the multiples from 10:30 to 16:30.
    let sample = half_hourly(shots.clone(), &between("09:00:00", "18:00:00"));
    assert_eq!(times(&sample.screenshots), ["09:01:00", "09:30:00", "09:55:00", "17:00:00"]);
    assert_eq!((sample.by_segment, sample.available), (false, 4));
    // The multiples begin at the start of the window.
    let sample = half_hourly(shots[2..].to_vec(), &between("09:25:00", "18:00:00"));
    assert_eq!(times(&sample.screenshots), ["09:29:00", "09:55:00", "10:15:00", "17:00:00"]);
}

#[test]
fn zero_and_maximum_interval_are_accepted() {
    let with = |interval| sample(hourly(), &day(), &[], Some(interval), 20).screenshots;
    assert_eq!(with(Duration::ZERO).len(), 10);
    assert_eq!(times(&with(Duration::MAX)), ["08:00:00"]);
}

proptest! {
    #[test]
    fn sample_is_a_sorted_subset_with_both_ends(
        places in prop::collection::vec(0_u32..100, 0..60),
        intervals_in_seconds in prop::collection::vec((0_u32..86_400, 0_u32..7_200), 0..20),
        minutes in prop::option::of(0_u64..200),
        max in 0_usize..30,
    ) {
        // Few different times are used, so that several screenshots have the same time.
        let mut seconds: Vec<_> = places.into_iter().map(|place| place * 800).collect();
        seconds.sort_unstable();
        let midnight = at("00:00:00");
        let time = |seconds: u32| midnight.date().and_time(NaiveTime::MIN) + TimeDelta::seconds(seconds.into());
        let shots: Vec<_> = seconds.iter().enumerate().map(|(number, seconds)| screenshot(time(*seconds), number)).collect();
        let done: Vec<_> = intervals_in_seconds.into_iter().map(|(start, length)| time_interval(time(start)..time(start + length))).collect();
        let interval = minutes.map(Duration::from_mins);

        let all = sample(shots.clone(), &day(), &done, interval, usize::MAX);
        let some = sample(shots.clone(), &day(), &done, interval, max);

        prop_assert_eq!(all.screenshots.len(), all.available);
        prop_assert_eq!((some.by_segment, some.available), (all.by_segment, all.available));
        // The limit removes all screenshots of a time together, so fewer screenshots than `max` may be left.
        let of_moment = |one: &Screenshot| shots.iter().filter(|other| other.taken_at == one.taken_at).count();
        let most = all.screenshots.iter().map(of_moment).max().unwrap_or(0);
        prop_assert!(some.screenshots.len() <= max);
        prop_assert!(!some.screenshots.is_empty() || all.available.min(max) == 0);
        prop_assert!(max < all.available || some == all);
        for one in &some.screenshots {
            let kept = some.screenshots.iter().filter(|other| other.taken_at == one.taken_at).count();
            prop_assert!(kept == of_moment(one) || kept == max);
        }
        prop_assert_eq!(all.screenshots.is_empty(), shots.is_empty());
        for (part, whole) in [(&all.screenshots, &shots), (&some.screenshots, &all.screenshots)] {
            let sequences: Vec<_> = part.iter().map(|one| one.sequence).collect();
            prop_assert!(sequences.is_sorted_by(|one, next| one < next));
            prop_assert!(part.iter().all(|one| whole.contains(one)));
        }
        if max >= 2 * most {
            prop_assert_eq!(some.screenshots.first(), all.screenshots.first());
            prop_assert_eq!(some.screenshots.last(), all.screenshots.last());
        }
    }

    #[test]
    fn nearest_is_the_nearest_inside_the_interval(
        seconds in prop::collection::vec(0_u32..200, 0..40),
        (start, length, to) in (0_u32..200, 0_u32..200, 0_u32..200),
    ) {
        let mut seconds = seconds;
        seconds.sort_unstable();
        let time = |seconds: u32| at("12:00:00") + TimeDelta::seconds(seconds.into());
        let shots: Vec<_> = seconds.iter().enumerate().map(|(number, seconds)| screenshot(time(*seconds), number)).collect();
        let inside = time(start)..time(start + length);
        // `min_by_key` returns the first of several equal items, and the screenshots are sorted by
        // time.
        let expected = shots.iter().filter(|one| inside.contains(&one.taken_at)).min_by_key(|one| (one.taken_at - time(to)).abs());
        prop_assert_eq!(nearest(&shots, &time_interval(inside.clone()), time(to) - inside.start), expected);
    }
}
