//! Tests every request about activities over rows in memory. The expected numbers are computed from these rows. No
//! response may be degraded, although the source has no hourly totals.

use std::collections::BTreeMap;
use std::ops::Range;

use chrono::{Datelike, NaiveDate};
use dayledger::App;
use dayledger::activity::{
    ActivitiesRequest, ClientDay, ClientHoursRequest, ClientSummary, DailySummaryRequest, DataRangeRequest,
    DescribeModelRequest, Detail, Diagnostics, EnvironmentRequest, Filter, FindRequest, FoundMatches, HealthRequest,
    HealthStatus, HistoryBoundsRequest, LocationRequest, MatchKind, NamedInterval, NamedTotal, NarrativeRequest,
    PeriodSummaryRequest, PrivacySummaryRequest, QueryRequest, RangeReportRequest, ReasonCode, RuleUseRequest,
    Sampling, ScreenshotsRequest, SearchWords, TagsRequest, TimeBasis, TimelineRequest, TimelinesRequest,
    UnavailableRequest, UsageKind, UsageRequest, WebsiteUsageRequest, WhyRequest, WhyTime,
};
use dayledger::request::{Limit, Minutes, Request};
use dayledger::source::{Privacy, Role};
use serde_json::{Value, json};

use super::expected::{
    Expected, Part, by_client, by_name, date, instant, intersect, iso, minutes, most_first, names_by_time,
    seconds_within, split, sum, sum_by, time,
};
use super::memory::{DEVICE, TIMELINES, schema_name, timeline_id};
use super::week::{DAY, HOUR, RANGES, WEDNESDAY};
use super::{week_app, weeks};
use crate::histories::{
    block_on, code, computer_usage_request, narrative_request, range, run_query, segments_request, usage_request,
};

/// Returns the response to a request as JSON.
fn answer<Q: Request>(app: &App, request: Q) -> Value
where
    App: AsRef<Q::Service>,
{
    serde_json::to_value(run_query(app, request).unwrap()).unwrap()
}

/// Returns the fields `truncation` and `diagnostics` of a complete response with this number of rows.
fn complete(rows: usize) -> Value {
    json!({
        "truncation": {"truncated": false, "returnedCount": rows, "totalAvailable": rows},
        "diagnostics": {"degraded": false},
    })
}

/// Returns `fields` with the fields of `more` added.
fn merge(mut fields: Value, more: &Value) -> Value {
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fields
}

fn total(name: &str, seconds: i64) -> Value {
    json!({"name": name, "totalMinutes": minutes(seconds)})
}

/// Returns names with their minutes, in descending order of minutes.
fn totals(by_name: BTreeMap<String, i64>) -> Vec<Value> {
    most_first(by_name).iter().map(|(name, seconds)| total(name, *seconds)).collect()
}

/// Returns the applications of parts with their colours and minutes, in descending order of minutes.
fn applications(parts: &[Part<'_>]) -> Vec<Value> {
    let color = |name: &str| parts.iter().find(|part| part.row.name == name).unwrap().row.color;
    let list = most_first(by_name(parts)).into_iter();
    let application = |(name, seconds): (String, i64)| {
        let total = total(&name, seconds);
        color(&name).map_or(total.clone(), |color| merge(total, &json!({"color": color})))
    };
    list.map(application).collect()
}

/// Returns the active time with tags, and the active time without tags.
fn tag_totals(expected: &Expected) -> Value {
    let untagged = sum(&expected.active_parts(Role::Applications)) - sum(&expected.tagged_parts());
    let tags = json!({"topTags": totals(by_client(&expected.tagged_parts())), "untaggedMinutes": minutes(untagged)});
    merge(tags, &client_totals(expected))
}

/// Returns the time of clients. It is their tagged time, because there are no rules.
fn client_totals(expected: &Expected) -> Value {
    let (active, all) = (by_client(&expected.tagged_parts()), by_client(&expected.recorded_parts(Role::Tags)));
    let client = |(name, seconds): (String, i64)| {
        let away = seconds - active.get(&name).copied().unwrap_or_default();
        let client = json!({"name": name, "clientMinutes": minutes(seconds)});
        if away > 0 { merge(client, &json!({"awayMinutes": minutes(away)})) } else { client }
    };
    let (total, at_computer) = (all.values().sum::<i64>(), active.values().sum::<i64>());
    json!({
        "clientMinutes": minutes(total),
        "awayMinutes": minutes(total - at_computer),
        "topClients": most_first(all.clone()).into_iter().map(client).collect::<Vec<_>>(),
    })
}

/// Returns the breaks: gaps in use of 10 minutes to 5 hours, between the first and the last active time of a day.
fn breaks(expected: &Expected) -> Vec<Range<i64>> {
    let pieces = split(&expected.active_parts(Role::Applications), DAY);
    let mut used = expected.recorded_parts(Role::ComputerUsage);
    used.retain(|part| part.row.state() == Some("active"));
    let mut used = split(&used, DAY);
    used.sort_by_key(|part| part.span.start);
    let gaps = used.windows(2).filter(|pair| pair[0].span.start / DAY == pair[1].span.start / DAY);
    let gaps = gaps.map(|pair| pair[0].span.end..pair[1].span.start);
    let is_between = |gap: &Range<i64>| {
        let mut of_day = pieces.iter().filter(|part| part.span.start / DAY == gap.start / DAY);
        of_day.clone().any(|part| part.span.end <= gap.start) && of_day.any(|part| part.span.start >= gap.end)
    };
    gaps.filter(|gap| (600..5 * HOUR).contains(&(gap.end - gap.start)) && is_between(gap)).collect()
}

/// Returns the first and the last use, and the sum of the breaks between them.
fn presence(expected: &Expected) -> Value {
    let pieces = expected.active_parts(Role::Applications);
    let breaks: i64 = breaks(expected).iter().map(|gap| gap.end - gap.start).sum();
    json!({"presence": {
        "firstUse": iso(pieces[0].span.start),
        "lastUse": iso(pieces[pieces.len() - 1].span.end),
        "breakMinutes": minutes(breaks),
    }})
}

fn segments(expected: &Expected) -> Vec<Value> {
    let segment = |pieces: &Vec<Part<'_>>| {
        let mut segment = json!({
            "start": iso(pieces[0].span.start),
            "end": iso(pieces[pieces.len() - 1].span.end),
            "durationMinutes": minutes(sum(pieces)),
            "application": pieces[0].row.name,
            "title": names_by_time(pieces, |row| row.title.as_deref().unwrap())[0],
        });
        let documents = names_by_time(&expected.contents(Role::Documents, pieces), |row| row.title.as_deref().unwrap());
        let websites = names_by_time(&expected.contents(Role::Websites, pieces), |row| row.name.as_str());
        let tags = names_by_time(&intersect(&expected.recorded_parts(Role::Tags), pieces), |row| row.name.as_str());
        for (field, name) in [("document", documents.first()), ("website", websites.first())] {
            if let Some(name) = name {
                segment[field] = json!(name);
            }
        }
        if !tags.is_empty() {
            segment["tags"] = json!(tags);
        }
        segment
    };
    expected.segments().iter().map(segment).collect()
}

fn narrative(expected: &Expected) -> Value {
    let (pieces, segments) = (expected.active_parts(Role::Applications), segments(expected));
    let fields = json!({
        "startDate": expected.texts.0,
        "endDate": expected.texts.1,
        "timeBasis": "active",
        "totalActiveMinutes": minutes(sum(&pieces)),
        "topApplications": applications(&pieces),
        "topWebsites": totals(by_name(&expected.active_parts(Role::Websites))),
    });
    let fields = merge(merge(fields, &tag_totals(expected)), &complete(segments.len()));
    merge(fields, &json!({"segments": segments}))
}

#[test]
fn narratives_contain_the_segments_of_the_rows() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let request = NarrativeRequest { include_titles: true, ..narrative_request(range(start, end)) };
            let with_device = NarrativeRequest { device: Some(DEVICE.to_owned()), ..request.clone() };
            assert_eq!(answer(app, request), merge(narrative(&expected), &presence(&expected)));
            assert_eq!(answer(app, with_device), narrative(&expected));
        }
        let other = NarrativeRequest {
            device: Some("OTHER".to_owned()),
            ..narrative_request(range("2025-01-15", "2025-01-16"))
        };
        assert_eq!(code(&run_query(app, other).unwrap_err()), "UNKNOWN_DEVICE");
    }
}

#[test]
fn blocks_divide_the_active_time() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let request = NarrativeRequest { detail: Detail::Blocks, ..segments_request(range(start, end)) };
            let answer = run_query(app, request).unwrap();
            assert_eq!(answer.diagnostics, Diagnostics::healthy());
            let pieces = expected.active_parts(Role::Applications);
            let mut seconds = 0;
            for block in answer.segments.as_ref().unwrap() {
                let inside = seconds_within(&pieces, &(instant(&block.start)..instant(&block.end)));
                assert_eq!(block.duration_minutes.seconds(), inside, "{block:?}");
                seconds += inside;
            }
            assert_eq!(seconds, sum(&pieces));
        }
    }
}

#[test]
fn daily_summary_is_the_narrative_without_segments() {
    for week in weeks() {
        let (start, end) = WEDNESDAY;
        let narrative_request = narrative_request(range(start, end));
        let request = DailySummaryRequest { narrative: narrative_request, include_segments: false };
        let expected = week.expect_range(WEDNESDAY);
        let mut expected = merge(narrative(&expected), &presence(&expected));
        expected.as_object_mut().unwrap().remove("segments");
        expected["truncation"]["returnedCount"] = json!(0);
        assert_eq!(answer(&week.app, request), expected);
    }
}

/// Returns the weekday of a date. 0 is Sunday.
fn weekday(date: &str) -> u32 {
    date.parse::<NaiveDate>().unwrap().weekday().num_days_from_sunday()
}

fn period(expected: &Expected) -> Value {
    let pieces = expected.active_parts(Role::Applications);
    let days = split(&pieces, DAY);
    let by_day = sum_by(&days, |part| date(part.span.start));
    let day = |(day, seconds): (&String, &i64)| {
        let mut parts = days.clone();
        parts.retain(|part| date(part.span.start) == *day);
        json!({
            "date": day,
            "totalActiveMinutes": minutes(*seconds),
            "topApp": most_first(by_name(&parts))[0].0,
            "firstActivity": iso(parts[0].span.start),
            "lastActivity": iso(parts[parts.len() - 1].span.end),
        })
    };
    let list: Vec<_> = by_day.iter().map(day).collect();
    let weekdays = by_day.iter().map(|(day, seconds)| (weekday(day), seconds));
    let weekdays = weekdays.map(|(day, seconds)| json!({"dayOfWeek": day, "totalMinutes": minutes(*seconds)}));
    let busiest = by_day.iter().max_by_key(|(day, seconds)| (*seconds, std::cmp::Reverse(*day))).unwrap();
    let quietest = by_day.iter().min_by_key(|(day, seconds)| (*seconds, *day)).unwrap();
    let aggregate = json!({
        "topApps": applications(&pieces),
        "topWebsites": totals(by_name(&expected.active_parts(Role::Websites))),
        "avgDailyMinutes": minutes(sum(&pieces) / i64::try_from(by_day.len()).unwrap()),
        "busiestDay": busiest.0,
        "quietestDay": quietest.0,
    });
    let fields = json!({
        "startDate": expected.texts.0,
        "endDate": expected.texts.1,
        "timeBasis": "active",
        "totalActiveMinutes": minutes(sum(&pieces)),
        "days": list,
        "aggregate": merge(aggregate, &tag_totals(expected)),
        "patterns": {"dayOfWeekDistribution": weekdays.collect::<Vec<_>>()},
    });
    merge(fields, &complete(by_day.len()))
}

#[test]
fn period_summaries_add_up_the_days() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let request = PeriodSummaryRequest::new(range(start, end));
            assert_eq!(answer(app, request), period(&week.expect_range((start, end))));
        }
        // The range is compared with the two days before the history.
        let days = range("2025-01-13", "2025-01-15");
        let compare_to = Some(days.comparison_range("previous", "compareTo").unwrap());
        let summary = run_query(app, PeriodSummaryRequest { compare_to, ..PeriodSummaryRequest::new(days) }).unwrap();
        let comparison = summary.comparison.unwrap();
        assert_eq!((summary.diagnostics.degraded, comparison.diagnostics.degraded), (false, false));
        assert_eq!((comparison.total_active_minutes, comparison.active_days), (Minutes::ZERO, 0));
        let differences = comparison.differences.unwrap();
        assert_eq!(differences.total_active_minutes, summary.total_active_minutes);
        assert_eq!(differences.avg_daily_minutes, summary.aggregate.avg_daily_minutes);
        assert_eq!(differences.active_days, i64::try_from(summary.days.len()).unwrap());
        let application = &summary.aggregate.top_apps[0];
        assert_eq!(
            (&differences.top_apps[0].name, differences.top_apps[0].total_minutes),
            (&application.name, application.total_minutes)
        );
    }
}

/// Returns the total time of a name, and the active time of the name.
fn total_with_active(name: &str, seconds: i64, active: &[Part<'_>]) -> Value {
    let active_seconds = by_name(active).get(name).copied().unwrap_or(0);
    merge(total(name, seconds), &json!({"activeMinutes": minutes(active_seconds)}))
}

/// Returns the time by name and by day. `active` are the active parts of `parts`.
fn usage(expected: &Expected, parts: &[Part<'_>], active: &[Part<'_>], basis: &str) -> Value {
    let items = most_first(by_name(parts));
    let item = |(name, seconds): &(String, i64)| {
        let row = parts.iter().find(|part| part.row.name == *name).unwrap().row;
        let item = merge(total_with_active(name, *seconds, active), &json!({"key": row.key}));
        row.color.map_or(item.clone(), |color| merge(item, &json!({"color": color})))
    };
    let days = split(parts, DAY);
    let day = |(day, seconds): (&String, &i64)| {
        let mut of_day = days.clone();
        of_day.retain(|part| date(part.span.start) == *day);
        let of_day = by_name(&of_day);
        let listed = items.iter().filter_map(|(name, _)| Some(total(name, *of_day.get(name)?)));
        json!({"date": day, "totalMinutes": minutes(*seconds), "usage": listed.collect::<Vec<_>>()})
    };
    let by_day = sum_by(&days, |part| date(part.span.start));
    let fields = json!({
        "startDate": expected.texts.0,
        "endDate": expected.texts.1,
        "timeBasis": basis,
        "totalMinutes": minutes(sum(parts)),
        "usage": items.iter().map(item).collect::<Vec<_>>(),
        "days": by_day.iter().map(day).collect::<Vec<_>>(),
    });
    merge(fields, &complete(items.len()))
}

#[test]
fn recorded_usage_is_complete_without_hourly_totals() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            for (kind, role) in [(UsageKind::Applications, Role::Applications), (UsageKind::Documents, Role::Documents)]
            {
                let request = usage_request(kind, range(start, end));
                let active = expected.active_parts(role);
                assert_eq!(answer(app, request), usage(&expected, &expected.recorded_parts(role), &active, "recorded"));
            }
        }
    }
}

#[test]
fn active_usage_excludes_time_away() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            for (kind, role) in [(UsageKind::Applications, Role::Applications), (UsageKind::Documents, Role::Documents)]
            {
                let request = UsageRequest { time_basis: TimeBasis::Active, ..usage_request(kind, range(start, end)) };
                let active = expected.active_parts(role);
                assert_eq!(answer(app, request), usage(&expected, &active, &active, "active"));
            }
        }
    }
}

#[test]
fn website_usage_has_the_time_of_each_hour() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            for (basis, name, parts) in [
                (TimeBasis::Recorded, "recorded", expected.recorded_parts(Role::Websites)),
                (TimeBasis::Active, "active", expected.active_parts(Role::Websites)),
            ] {
                let hours = split(&parts, HOUR);
                let active = expected.active_parts(Role::Websites);
                let website = |(site, seconds): (String, i64)| {
                    let mut of_site = hours.clone();
                    of_site.retain(|part| part.row.name == site);
                    let periods = sum_by(&of_site, |part| iso(part.span.start.div_euclid(HOUR) * HOUR));
                    let period =
                        |(hour, seconds): (&String, &i64)| json!({"period": hour, "minutes": minutes(*seconds)});
                    let periods: Vec<_> = periods.iter().map(period).collect();
                    merge(total_with_active(&site, seconds, &active), &json!({"timeBreakdown": periods}))
                };
                let websites: Vec<_> = most_first(by_name(&parts)).into_iter().map(website).collect();
                let fields = json!({
                    "startDate": start,
                    "endDate": end,
                    "timeBasis": name,
                    "totalMinutes": minutes(sum(&parts)),
                    "breakdownGranularity": "hour",
                    "websites": websites,
                });
                let request = WebsiteUsageRequest {
                    range: range(start, end),
                    limit: Limit::MAXIMUM,
                    min_minutes: Minutes::ZERO,
                    cursor: None,
                    include_breakdown: true,
                    time_basis: basis,
                    device: None,
                    filter: Filter::default(),
                };
                assert_eq!(answer(app, request), merge(fields, &complete(websites.len())));
            }
        }
    }
}

#[test]
fn tags_are_listed_and_added_up() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let parts = expected.recorded_parts(Role::Tags);
            let tag = |part: &Part<'_>| {
                let entry = json!({
                    "start": iso(part.span.start),
                    "end": iso(part.span.end),
                    "durationMinutes": minutes(part.seconds()),
                    "name": part.row.name,
                });
                let path = part.row.tag_path().unwrap();
                // The levels are only listed if the tag's name doesn't show them.
                let is_shown = part.row.name.split(", ").eq(path.iter().copied());
                let entry = if is_shown { entry } else { merge(entry, &json!({"path": path})) };
                let notes = part.row.notes.as_ref();
                notes.map_or(entry.clone(), |notes| merge(entry, &json!({"notes": notes})))
            };
            let tags: Vec<_> = parts.iter().map(tag).collect();
            let (names, clients) = (totals(by_name(&parts)), totals(by_client(&parts)));
            let untagged = sum(&expected.active_parts(Role::Applications)) - sum(&expected.tagged_parts());
            let mut fields = json!({
                "startDate": start,
                "endDate": end,
                "timeBasis": "recorded",
                "totalMinutes": minutes(sum(&parts)),
                "tags": tags,
                "totals": names,
                "untaggedMinutes": minutes(untagged),
            });
            if clients.len() < names.len() {
                fields["groups"] = json!(clients);
            }
            let fields = merge(fields, &client_totals(&expected));
            assert_eq!(answer(app, TagsRequest::new(range(start, end))), merge(fields, &complete(tags.len())));
        }
    }
}

#[test]
fn states_of_the_computer_are_clipped_to_the_range() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let parts = expected.recorded_parts(Role::ComputerUsage);
            let interval = |part: &Part<'_>| {
                json!({
                    "start": iso(part.span.start),
                    "end": iso(part.span.end),
                    "durationMinutes": minutes(part.seconds()),
                    "state": part.row.state(),
                })
            };
            let by_state = sum_by(&parts, |part| part.row.key.clone());
            let by_state: BTreeMap<_, _> = by_state.into_iter().map(|(state, sum)| (state, minutes(sum))).collect();
            let fields = json!({
                "startDate": start,
                "endDate": end,
                "timeBasis": "recorded",
                "intervals": parts.iter().map(interval).collect::<Vec<_>>(),
                "totals": by_state,
            });
            let request = computer_usage_request(range(start, end));
            assert_eq!(answer(app, request), merge(fields, &complete(parts.len())));
        }
    }
}

#[test]
fn activities_of_every_timeline_are_listed_as_recorded() {
    for (week, (start, end)) in weeks().iter().flat_map(|week| RANGES.map(|days| (week, days))) {
        let expected = week.expect_range((start, end));
        for role in TIMELINES {
            let rows = expected.recorded_rows(role);
            let entries = rows.iter().map(|row| {
                let mut entry = json!({
                    "start": iso(row.span.start),
                    "end": iso(row.span.end),
                    "durationMinutes": minutes(row.span.end - row.span.start),
                    "name": row.title,
                });
                for (field, value) in [("notes", row.notes.as_deref()), ("state", row.state())] {
                    if let Some(value) = value {
                        entry[field] = json!(value);
                    }
                }
                entry
            });
            let fields = json!({
                "startDate": start,
                "endDate": end,
                "timeBasis": "recorded",
                "totalMinutes": minutes(sum(&expected.recorded_parts(role))),
                "activities": entries.collect::<Vec<_>>(),
            });
            let request = ActivitiesRequest {
                timeline_id: week.timeline_id(role),
                range: range(start, end),
                limit: Limit::MAXIMUM,
                cursor: None,
                include_group_details: false,
            };
            assert_eq!(answer(&week.app, request), merge(fields, &complete(rows.len())), "{role:?}");
        }
    }
}

/// Returns a timeline as the response about timelines describes it.
fn timeline(role: Role) -> Value {
    json!({"id": timeline_id(role), "schemaName": schema_name(role), "role": role.name(), "device": DEVICE})
}

/// Returns the number of activities of a timeline, and its dates.
fn bounds(role: Role) -> (usize, Value) {
    let expected = Expected::new(RANGES[0]);
    let rows = expected.recorded_rows(role);
    let (first, last) = (rows.iter().map(|row| row.span.start).min(), rows.iter().map(|row| row.span.end).max());
    (rows.len(), json!({"start": iso(first.unwrap()), "end": iso(last.unwrap())}))
}

#[test]
fn timelines_and_devices_are_those_of_the_source() {
    let app = week_app();
    assert_eq!(answer(&app, TimelinesRequest), json!({"timelines": TIMELINES.map(timeline)}));
    for role in TIMELINES {
        let (activities, dates) = bounds(role);
        let expected = merge(merge(timeline(role), &dates), &json!({"activities": activities}));
        assert_eq!(answer(&app, TimelineRequest { timeline_id: timeline_id(role) }), expected);
    }
    assert_eq!(answer(&app, EnvironmentRequest), json!({"devices": [{"device": DEVICE}]}));
}

#[test]
fn data_range_and_bounds_are_those_of_the_rows() {
    let app = week_app();
    let dated = |role: Role| {
        let names = json!({"timelineId": timeline_id(role), "role": role.name(), "device": DEVICE});
        merge(names, &bounds(role).1)
    };
    let counted = |role: Role| merge(dated(role), &json!({"activities": bounds(role).0}));
    assert_eq!(answer(&app, HistoryBoundsRequest), json!({"timelines": TIMELINES.map(dated)}));
    let usage = bounds(Role::ComputerUsage).1;
    let expected = Expected::new(RANGES[0]);
    let active: Vec<_> = expected.recorded_rows(Role::ComputerUsage);
    let active: Vec<_> = active.into_iter().filter(|row| row.state() == Some("active")).collect();
    let expected = json!({
        "start": usage["start"],
        "end": usage["end"],
        "activeStart": iso(active[0].span.start),
        "activeEnd": iso(active[active.len() - 1].span.end),
        "timelines": TIMELINES.map(counted),
    });
    assert_eq!(answer(&app, DataRangeRequest), expected);
}

#[test]
fn health_reports_nothing_missing() {
    let app = week_app();
    let health = run_query(&app, HealthRequest).unwrap();
    assert_eq!(health.status, HealthStatus::Ok);
    assert!(health.degraded.is_empty(), "{:?}", health.degraded);
    let counts: Vec<_> = health.timelines.iter().map(|timeline| (timeline.role, timeline.activities)).collect();
    assert_eq!(counts, TIMELINES.map(|role| (role, i64::try_from(bounds(role).0).unwrap())));
    assert!(health.timelines.iter().all(|timeline| (timeline.unreadable, timeline.without_extent) == (0, 0)));
    let location = run_query(&app, LocationRequest).unwrap();
    assert_eq!((health.database, health.found_by), (location.database, location.found_by));
    assert_eq!(run_query(&app, PrivacySummaryRequest).unwrap(), Privacy::default().summary());
    let error = run_query(&app, TimelineRequest { timeline_id: 99 }).unwrap_err();
    assert_eq!(run_query(&app, UnavailableRequest(error)).unwrap().error.code, "UNKNOWN_TIMELINE");
}

#[test]
fn active_time_of_a_day_is_explained_by_its_breaks_and_rows() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let request = WhyRequest { when: WhyTime::Range(range(start, end)), device: None, include_rows: true };
            let why = run_query(app, request).unwrap();
            let pieces = expected.active_parts(Role::Applications);
            assert_eq!(why.total_active_minutes.seconds(), sum(&pieces));
            let days = split(&pieces, DAY);
            let by_day = sum_by(&days, |part| date(part.span.start));
            for day in &why.days {
                let of_day = days.iter().filter(|part| date(part.span.start) == day.date);
                let first = of_day.clone().map(|part| part.span.start).min().unwrap();
                let last = of_day.map(|part| part.span.end).max().unwrap();
                assert_eq!((&day.first_use, &day.last_use), (&iso(first), &iso(last)));
                let breaks: Vec<_> = breaks(&expected).into_iter().filter(|gap| date(gap.start) == day.date).collect();
                let listed: Vec<_> =
                    day.breaks.iter().map(|of_day| (of_day.start.clone(), of_day.end.clone())).collect();
                assert_eq!(listed, breaks.iter().map(|gap| (iso(gap.start), iso(gap.end))).collect::<Vec<_>>());
                let break_seconds: i64 = breaks.iter().map(|gap| gap.end - gap.start).sum();
                assert_eq!(day.break_minutes.map(Minutes::seconds), Some(break_seconds));
                assert_eq!(day.elapsed_minutes.seconds(), last - first);
                let rest = day.elapsed_minutes.seconds() - break_seconds - day.gap_minutes.seconds();
                assert!(rest == day.active_minutes.seconds() && day.gap_minutes >= Minutes::ZERO, "{day:?}");
                assert_eq!(by_day.get(&day.date), Some(&day.active_minutes.seconds()));
            }
            assert_eq!(why.days.len(), by_day.len());
            let rows = why.rows.unwrap();
            assert_eq!(rows.iter().map(|row| row.counted_minutes.seconds()).sum::<i64>(), sum(&pieces));
            let recorded = expected.recorded_parts(Role::Applications);
            assert_eq!(rows.iter().map(|row| row.duration_minutes.seconds()).sum::<i64>(), sum(&recorded));
        }
    }
}

#[test]
fn time_of_day_is_explained_by_its_block() {
    for week in weeks() {
        let app = &week.app;
        let expected = week.expect_range(WEDNESDAY);
        for piece in expected.active_parts(Role::Applications) {
            let request =
                WhyRequest { when: WhyTime::Around(time(piece.span.start)), device: None, include_rows: true };
            let why = run_query(app, request).unwrap();
            let start = iso(piece.span.start);
            assert!(why.start_date <= start && start < why.end_date, "{why:?}");
            assert_eq!(why.block.unwrap().active_minutes, why.total_active_minutes);
        }
    }
}

fn find(app: &App, words: &str, (start, end): (&str, &str)) -> FoundMatches {
    let words = SearchWords::parse(words, "words").unwrap();
    let request = FindRequest { words, range: Some(range(start, end)), limit: Limit::MAXIMUM, cursor: None };
    run_query(app, request).unwrap()
}

/// In this test, the title of a window contains the same words as the site or file in the window.
#[test]
fn searches_count_each_second_of_a_site_or_file_once() {
    for (week, days) in weeks().iter().flat_map(|week| RANGES.map(|days| (week, days))) {
        let expected = week.expect_range(days);
        for (words, name, role, kind) in [
            ("DOCS.example", "docs.example", Role::Websites, MatchKind::Website),
            ("plan md", "plan.md", Role::Documents, MatchKind::Document),
            ("\"news.example/page\"", "news.example", Role::Websites, MatchKind::Website),
        ] {
            let mut parts = expected.active_parts(role);
            parts.retain(|part| part.row.name == name);
            let found = find(&week.app, words, days);
            assert_eq!((found.total_minutes.seconds(), found.tagged_minutes), (sum(&parts), None), "{words}");
            let [first, last] = [parts[0].span.start, parts[parts.len() - 1].span.end].map(|time| Some(iso(time)));
            assert_eq!((&found.first, &found.last), (&first, &last), "{words}");
            assert!(found.matches.iter().all(|found| found.kind == kind && found.name == name), "{words}");
            let seconds: i64 = found.matches.iter().map(|found| found.total_minutes.seconds()).sum();
            assert_eq!((seconds, found.truncation.total_available), (sum(&parts), found.matches.len()), "{words}");
            assert!(found.matches.is_sorted_by(|one, next| one.end >= next.end), "{words}: newest first");
            let gaps = found.matches.windows(2).map(|two| instant(&two[0].start) - instant(&two[1].end));
            assert!(gaps.clone().all(|gap| gap > 15 * 60), "{words}: {:?}", gaps.collect::<Vec<_>>());
            assert_eq!(found.diagnostics, Diagnostics::healthy());
        }
    }
}

#[test]
fn searches_find_tags_by_their_notes_and_applications_by_their_names() {
    let app = week_app();
    let expected = Expected::new(RANGES[0]);
    let found = find(&app, "sounding", RANGES[0]);
    let mut tagged = expected.recorded_parts(Role::Tags);
    tagged.retain(|part| part.row.notes.is_some());
    assert_eq!((found.total_minutes, found.tagged_minutes.map(Minutes::seconds)), (Minutes::ZERO, Some(sum(&tagged))));
    assert_eq!(found.matches.len(), tagged.len());
    let newest = &found.matches[0];
    assert_eq!((newest.kind, newest.text.as_deref()), (MatchKind::Tag, Some("Sounding the harbour")));

    let mut terminals = expected.active_parts(Role::Applications);
    terminals.retain(|part| part.row.name == "Terminal");
    assert_eq!(find(&app, "terminal inbox", RANGES[0]).total_minutes.seconds(), sum(&terminals));

    let nothing = find(&app, "\"inbox terminal\"", RANGES[0]);
    assert_eq!((nothing.matches.len(), nothing.first), (0, None));
    assert_eq!(nothing.diagnostics, Diagnostics::healthy());
}

#[test]
fn pages_of_a_search_contain_every_match_and_the_same_totals() {
    let app = week_app();
    let all = find(&app, "example", RANGES[0]);
    let (mut matches, mut cursor) = (Vec::new(), None);
    loop {
        let words = SearchWords::parse("example", "words").unwrap();
        let request = FindRequest {
            words,
            range: Some(range(RANGES[0].0, RANGES[0].1)),
            limit: Limit::parse(Some(3), "limit").unwrap(),
            cursor,
        };
        let page = run_query(&app, request).unwrap();
        assert_eq!((page.total_minutes, &page.first, &page.last), (all.total_minutes, &all.first, &all.last));
        matches.extend(page.matches);
        cursor = page.truncation.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert!(matches.len() > 3);
    assert_eq!(matches, all.matches);
}

#[test]
fn without_rules_all_untagged_time_is_unmatched() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let request = RuleUseRequest { range: Some(range(start, end)), hidden: Privacy::default() };
            let rules = run_query(app, request).unwrap();
            let (active, tagged) = (expected.active_parts(Role::Applications), expected.tagged_parts());
            let coverage = rules.coverage;
            assert_eq!(
                [
                    coverage.total_active_minutes,
                    coverage.tagged_minutes,
                    coverage.ruled_minutes,
                    coverage.unmatched_minutes
                ]
                .map(Minutes::seconds),
                [sum(&active), sum(&tagged), 0, sum(&active) - sum(&tagged)]
            );
            let mut untagged = by_name(&active);
            let tagged_applications = intersect(&active, &expected.recorded_parts(Role::Tags));
            for (name, seconds) in by_name(&tagged_applications) {
                *untagged.get_mut(&name).unwrap() -= seconds;
            }
            untagged.retain(|_, seconds| *seconds > 0);
            let unmatched = rules.unmatched.into_iter();
            let unmatched: Vec<_> = unmatched.map(|work| (work.application, work.total_minutes.seconds())).collect();
            assert_eq!((unmatched, rules.rules.len()), (most_first(untagged), 0));
            assert_eq!(rules.diagnostics, Diagnostics::healthy());
        }
    }
}

/// Converts parts to intervals of a report.
fn intervals(parts: &[Part<'_>], device: Option<&str>) -> Vec<NamedInterval> {
    let parts = split(parts, DAY).into_iter();
    parts
        .map(|part| NamedInterval {
            date: time(part.span.start).date(),
            device: device.map(str::to_owned),
            name: part.row.name.clone(),
            color: part.row.color.map(str::to_owned),
            start_local: time(part.span.start),
            start_utc: time(part.span.start),
            end_local: time(part.span.end),
            end_utc: time(part.span.end),
        })
        .collect()
}

fn seconds_of(totals: &[NamedTotal]) -> Vec<(String, i64)> {
    totals.iter().map(|total| (total.name.clone(), total.total_minutes.seconds())).collect()
}

#[test]
fn report_of_a_range_contains_every_piece() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let request = RangeReportRequest {
                range: range(start, end),
                device: None,
                include_titles: true,
                filter: Filter::default(),
            };
            let report = block_on(request.answer(app.engine())).unwrap();
            assert_eq!(serde_json::to_value(&report.summary).unwrap(), period(&expected));
            let pieces = expected.active_parts(Role::Applications);
            assert_eq!(report.applications, intervals(&pieces, Some(DEVICE)));
            assert_eq!(report.websites, intervals(&expected.active_parts(Role::Websites), Some(DEVICE)));
            assert_eq!(report.tags, intervals(&expected.recorded_parts(Role::Tags), None));
            assert_eq!(seconds_of(&report.top_documents), most_first(by_name(&expected.active_parts(Role::Documents))));
            let hours = report.hours.iter().map(|hour| (format!("{}T{:02}:00:00", hour.date, hour.hour), hour.seconds));
            let by_hour = sum_by(&split(&pieces, HOUR), |part| iso(part.span.start.div_euclid(HOUR) * HOUR));
            assert_eq!(hours.collect::<BTreeMap<_, _>>(), by_hour);
            let active = by_client(&expected.tagged_parts());
            let away = by_client(&expected.recorded_parts(Role::Tags)).into_iter();
            let away: BTreeMap<_, _> = away.map(|(client, all)| (client.clone(), all - active[&client])).collect();
            let clients = report.purposes.clients.iter();
            let clients: BTreeMap<_, _> = clients
                .map(|client| (client.name.clone(), (client.spent.active.seconds(), client.spent.away.seconds())))
                .collect();
            let expected_clients = active.iter().map(|(client, active)| (client.clone(), (*active, away[client])));
            assert_eq!(clients, expected_clients.collect::<BTreeMap<_, _>>());
            let day = report.day.map(|day| serde_json::to_value(day.segments).unwrap());
            assert_eq!(day, (start != RANGES[0].0).then(|| json!(segments(&expected))));
        }
    }
}

#[test]
fn hours_of_clients_are_their_tagged_time() {
    for week in weeks() {
        let app = &week.app;
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let request = ClientHoursRequest { range: range(start, end), filter: Filter::default() };
            let hours = block_on(request.answer(app.engine())).unwrap();
            assert_eq!(hours.diagnostics, Diagnostics::healthy());
            let parts = split(&expected.recorded_parts(Role::Tags), DAY);
            let of_tasks = |parts: &[Part<'_>]| {
                most_first(sum_by(parts, |part| {
                    part.row.tag_path().unwrap().get(1).copied().unwrap_or_default().to_owned()
                }))
            };
            let named: Vec<_> =
                hours.clients.iter().map(|client| (client.name.clone(), client.total.seconds())).collect();
            assert_eq!(named, by_client(&parts).into_iter().collect::<Vec<_>>());
            for ClientSummary { name, tasks, days, .. } in &hours.clients {
                let mut of_client = parts.clone();
                of_client.retain(|part| part.row.name.starts_with(name.as_str()));
                assert_eq!(seconds_of(tasks), of_tasks(&of_client));
                let by_day = sum_by(&of_client, |part| date(part.span.start));
                let totals = days.iter().map(|day| (day.date.to_string(), day.total.seconds()));
                assert_eq!(totals.collect::<BTreeMap<_, _>>(), by_day);
                for ClientDay { date: day, tasks, .. } in days {
                    let mut of_day = of_client.clone();
                    of_day.retain(|part| date(part.span.start) == day.to_string());
                    assert_eq!(seconds_of(tasks), of_tasks(&of_day));
                }
            }
        }
    }
}

/// Returns the parts of rows whose name or title contains a word.
fn only<'a>(parts: &[Part<'a>], word: &str) -> Vec<Part<'a>> {
    let matches = |text: &String| text.to_lowercase().contains(word);
    let mut matching = parts.to_vec();
    matching.retain(|part| matches(&part.row.name) || part.row.title.as_ref().is_some_and(matches));
    matching
}

#[test]
fn filters_select_the_matching_time() {
    for week in weeks() {
        let app = &week.app;
        let text = |text: &str| Some(text.to_owned());
        for (start, end) in RANGES {
            let expected = week.expect_range((start, end));
            let active = expected.active_parts(Role::Applications);
            let tagged = |word: &str| intersect(&active, &only(&expected.recorded_parts(Role::Tags), word));
            let editor_in_survey =
                intersect(&only(&active, "editor"), &only(&expected.recorded_parts(Role::Tags), "survey"));
            for (filter, matching) in [
                (Filter { application: text("EDIT"), ..Filter::default() }, only(&active, "editor")),
                (
                    Filter { site: text("docs"), ..Filter::default() },
                    only(&expected.active_parts(Role::Websites), "docs"),
                ),
                (
                    Filter { document: text("plan"), ..Filter::default() },
                    only(&expected.active_parts(Role::Documents), "plan"),
                ),
                (Filter { tag: text("survey"), ..Filter::default() }, tagged("survey")),
                (Filter { project: text("office"), ..Filter::default() }, tagged("office")),
                (Filter { text: text("budget"), ..Filter::default() }, only(&active, "budget")),
                (Filter { application: text("editor"), tag: text("survey"), ..Filter::default() }, editor_in_survey),
            ] {
                let narrative = NarrativeRequest { filter: filter.clone(), ..narrative_request(range(start, end)) };
                let narrative = run_query(app, narrative).unwrap();
                let period =
                    PeriodSummaryRequest { filter: filter.clone(), ..PeriodSummaryRequest::new(range(start, end)) };
                let period = run_query(app, period).unwrap();
                let usage = usage_request(UsageKind::Applications, range(start, end));
                let usage = UsageRequest { filter: filter.clone(), time_basis: TimeBasis::Active, ..usage };
                let usage = run_query(app, usage).unwrap();
                let seconds = [narrative.matching_minutes, period.matching_minutes, Some(usage.total_minutes)];
                assert_eq!(seconds.map(|minutes| minutes.unwrap().seconds()), [sum(&matching); 3], "{filter:?}");
                assert_eq!(narrative.total_active_minutes.seconds(), sum(&active));
                for diagnostics in [narrative.diagnostics, period.diagnostics, usage.diagnostics] {
                    assert_eq!(diagnostics, Diagnostics::healthy(), "{filter:?}");
                }
            }
            let tags = TagsRequest {
                filter: Filter { tag: text("office"), ..Filter::default() },
                ..TagsRequest::new(range(start, end))
            };
            let office = only(&expected.recorded_parts(Role::Tags), "office");
            assert_eq!(run_query(app, tags).unwrap().total_minutes.seconds(), sum(&office));
            let filter = Filter { application: text("nowhere"), ..Filter::default() };
            let nothing = run_query(app, NarrativeRequest { filter, ..narrative_request(range(start, end)) }).unwrap();
            let reason = (nothing.diagnostics.reason_code, nothing.diagnostics.degraded);
            assert_eq!(reason, (Some(ReasonCode::FilterMatchesNothing), false));
        }
    }
}

#[test]
fn range_without_data_is_empty_and_not_degraded() {
    for week in weeks() {
        let app = &week.app;
        let dates = range("2025-02-01", "2025-02-02");
        let usage = |basis| UsageRequest { time_basis: basis, ..usage_request(UsageKind::Applications, dates) };
        for response in [
            answer(app, narrative_request(dates)),
            answer(app, PeriodSummaryRequest::new(dates)),
            answer(app, usage(TimeBasis::Recorded)),
            answer(app, usage(TimeBasis::Active)),
            answer(app, TagsRequest::new(dates)),
            answer(app, computer_usage_request(dates)),
        ] {
            let diagnostics = &response["diagnostics"];
            assert_eq!(
                (&diagnostics["degraded"], &diagnostics["reasonCode"]),
                (&json!(false), &json!("NO_DATA_IN_RANGE"))
            );
            let hint = diagnostics["remediationHint"].as_str().unwrap();
            assert!(hint.contains("2025-01-13 to 2025-01-17"), "{hint}");
        }
    }
}

#[test]
fn statements_and_descriptions_of_the_model_work() {
    let app = week_app();
    let sql = "SELECT count(*) AS activities FROM activities".to_owned();
    let response = answer(&app, QueryRequest { statement: sql.into(), max_rows: Limit::default() });
    assert_eq!(response["rows"], json!([[super::week::rows().len()]]));
    let overview = answer(&app, DescribeModelRequest { name: None });
    assert!(!overview.to_string().contains("Schema memory"), "the source has no tables of its own");
    let details = answer(&app, DescribeModelRequest { name: Some("narrative".to_owned()) });
    assert!(details["details"]["columns"].as_array().is_some_and(|columns| !columns.is_empty()));
}

#[test]
fn tracker_without_screenshots_has_none() {
    let (start, end) = WEDNESDAY;
    let request = ScreenshotsRequest {
        range: range(start, end),
        device: None,
        filter: Filter::default(),
        sampling: Sampling::default(),
        interval: None,
        max_count: Limit::default(),
    };
    let list = run_query(&week_app(), request).unwrap();
    assert_eq!((list.screenshots.len(), list.diagnostics.degraded), (0, false));
    assert_eq!(list.diagnostics.reason_code, Some(ReasonCode::DirectoryMissing));
}
