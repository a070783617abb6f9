//! Compares recorded time from the tools: totals, days, hours, and the source of the time.

use std::ops::Range;

use dayledger::activity::{Diagnostics, Filter, ReasonCode, TimeBasis, UsageKind, WebsiteUsageRequest};
use dayledger::request::{Limit, Minutes};
use proptest::prelude::*;

use super::super::clock::{DAY, HOUR, date, text};
use super::super::history::{FILES, History, SITES};
use super::super::usage::{self, Usage};
use super::{agreement, application, arguments, date_range, minutes, sorted};
use crate::histories::OpenHistory;

/// Returns the range, extended to whole hours.
fn whole_hours(range: &Range<i64>) -> Range<i64> {
    let hour = |seconds: i64| seconds.div_euclid(HOUR) * HOUR;
    hour(range.start)..hour(range.end + HOUR - 1)
}

/// Whether a response reports the expected source of its time. A missing Documents timeline has a separate reason.
fn reason_agrees(diagnostics: &Diagnostics, usage: &Usage) -> bool {
    let (degraded, reason_code) = match usage.sources {
        sources if sources.fallback => (true, Some(ReasonCode::FallbackComputation)),
        sources if sources.lag => (false, Some(ReasonCode::HourlyTotalsLag)),
        _ if usage.hours.is_empty() && usage.unnamed_use => (true, Some(ReasonCode::NoApplications)),
        _ if usage.hours.is_empty() => (false, Some(ReasonCode::NoDataInRange)),
        _ => (false, None),
    };
    diagnostics.reason_code == Some(ReasonCode::NoDocuments)
        || (diagnostics.degraded, diagnostics.reason_code) == (degraded, reason_code)
}

/// Requests usage by day. Compares totals, items, days and the reason.
fn usage_agrees(
    program: &OpenHistory,
    (kind, range): (UsageKind, &Range<i64>),
    expected: &Usage,
    name: fn(usize) -> &'static str,
) -> Result<(), TestCaseError> {
    let response = program.usage(kind, date_range(range));
    let mut lines = vec![format!("total {:.1}", response.total_minutes)];
    lines.extend(response.usage.iter().map(|item| format!("{} {:.1}", item.name, item.total_minutes)));
    for day in response.days.iter().flatten() {
        lines.push(format!("{} {:.1}", day.date, day.total_minutes));
        lines.extend(day.usage.iter().map(|item| format!("{} {} {:.1}", day.date, item.name, item.total_minutes)));
    }
    let total = expected.sum_by(|_, _| Some(()));
    let mut right = vec![format!("total {}", minutes(total.values().map(usage::RecordedSeconds::seconds).sum()))];
    right.extend(
        expected
            .sum_by(|_, about| Some(name(about)))
            .iter()
            .map(|(name, sum)| format!("{name} {}", minutes(sum.seconds()))),
    );
    let days = expected.sum_by(|hour, _| Some(date(hour)));
    right.extend(days.iter().map(|(date, sum)| format!("{date} {}", minutes(sum.seconds()))));
    let items = expected.sum_by(|hour, about| Some((date(hour), name(about))));
    right.extend(items.iter().map(|((date, name), sum)| format!("{date} {name} {}", minutes(sum.seconds()))));
    prop_assert_eq!(sorted(lines), sorted(right), "{:?} of {}", kind, arguments(range));
    prop_assert!(reason_agrees(&response.diagnostics, expected), "{:?} of {}: {:?}", kind, arguments(range), response);
    prop_assert_eq!(response.time_basis, TimeBasis::Recorded);
    Ok(())
}

fn applications_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in ranges.iter().map(whole_hours) {
        let expected = usage::applications(invented, &range);
        usage_agrees(program, (UsageKind::Applications, &range), &expected, application)?;
    }
    Ok(())
}

fn documents_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in ranges.iter().map(whole_hours) {
        let expected = usage::documents(invented, &range, |about| about >= SITES.len());
        let name = |about: usize| FILES[about - SITES.len()].0;
        usage_agrees(program, (UsageKind::Documents, &range), &expected, name)?;
    }
    Ok(())
}

fn websites_agree(invented: &History, program: &OpenHistory, ranges: &[Range<i64>]) -> Result<(), TestCaseError> {
    for range in ranges.iter().map(whole_hours) {
        let expected = usage::documents(invented, &range, |about| about < SITES.len());
        let min_minutes = Minutes::parse(None, 0.0, "minMinutes").unwrap();
        let request = WebsiteUsageRequest {
            range: date_range(&range),
            limit: Limit::MAXIMUM,
            min_minutes,
            cursor: None,
            include_breakdown: true,
            time_basis: TimeBasis::Recorded,
            device: None,
            filter: Filter::default(),
        };
        let answer = program.answer(request);
        let mut lines = vec![format!("total {:.1}", answer.total_minutes)];
        for site in &answer.websites {
            lines.push(format!("{} {:.1}", site.name, site.total_minutes));
            let periods = site.time_breakdown.iter().flatten();
            lines.extend(periods.map(|period| format!("{} {} {:.1}", site.name, period.period, period.minutes)));
        }
        let listed = |about: usize| (SITES[about].len() > 1).then_some(SITES[about]);
        let total = expected.sum_by(|_, _| Some(()));
        let mut right = vec![format!("total {}", minutes(total.values().map(usage::RecordedSeconds::seconds).sum()))];
        let sites = expected.sum_by(|_, about| listed(about));
        right.extend(sites.iter().map(|(site, sum)| format!("{site} {}", minutes(sum.seconds()))));
        let hourly = range.end - range.start <= 7 * DAY;
        let period = |hour| if hourly { text(hour) } else { date(hour) };
        let items = expected.sum_by(|hour, about| Some((listed(about)?, period(hour))));
        right.extend(items.iter().map(|((site, period), sum)| format!("{site} {period} {}", minutes(sum.seconds()))));
        prop_assert_eq!(sorted(lines), sorted(right), "sites of {}", arguments(&range));
        prop_assert!(reason_agrees(&answer.diagnostics, &expected), "sites of {}: {:?}", arguments(&range), answer);
    }
    Ok(())
}

agreement! {
    recorded_applications_of_a_quiet_desk: NONE, applications_agree;
    recorded_applications_where_clocks_change: CLOCKS, applications_agree;
    recorded_applications_of_odd_rows: ROWS, applications_agree;
    recorded_applications_of_devices: DEVICES, applications_agree;
    recorded_applications_of_odd_totals: TOTALS, applications_agree;
    recorded_documents_of_odd_totals: TOTALS, documents_agree;
    recorded_documents_of_it_all: ALL, documents_agree;
    recorded_sites_of_odd_totals: TOTALS, websites_agree;
    recorded_sites_of_it_all: ALL, websites_agree;
}
