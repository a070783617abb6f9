//! Writes random histories in the same way as ManicTime.

use dayledger_fixtures::{Activity, Group, HistoryWriter, Moment, SchemaOptions, Span, Timeline};

use super::clock::{Instant, Zone, text};
use super::history::{APPLICATIONS, Device, FILES, History, HourlyTotals, Row, SITES, STATES, TAGS};
use crate::histories::OpenHistory;

/// Returns the name of a device.
pub(super) fn device_name(number: usize) -> String {
    format!("device-{number}")
}

/// Writes a history. `more` can write further rows.
pub(super) fn write(history: &History, more: impl FnOnce(&mut HistoryWriter)) -> OpenHistory {
    OpenHistory::create(&SchemaOptions::default(), |writer| {
        for (number, device) in history.devices.iter().enumerate() {
            write_device(writer, number, device);
        }
        for (number, (zone, rows)) in history.tags.iter().enumerate() {
            let report = TAG_TIMELINES + id(number);
            writer.add_timeline(&Timeline::tags(report, "elsewhere")).unwrap();
            write_tags(writer, report, *zone, rows);
        }
        more(writer);
    })
}

/// The `ReportId` of the first timeline of tags. The timelines of devices have lower ids.
const TAG_TIMELINES: i64 = 1_000;

/// Returns the `ReportId` of a device's timeline. `role` is one of three roles, and `number` is the timeline's number
/// within the role.
pub(super) fn report(device: usize, role: usize, number: usize) -> i64 {
    id(device) * 100 + id(role) * 10 + id(number) + 1
}

fn write_device(writer: &mut HistoryWriter, number: usize, device: &Device) {
    let name = device_name(number);
    writer.add_environment(&name, &name, None).unwrap();
    for (timeline, rows) in device.usage.iter().enumerate() {
        let report = report(number, 0, timeline);
        writer.add_timeline(&Timeline::computer_usage(report, &name)).unwrap();
        let groups = STATES.map(|(key, name, _)| writer.add_group(report, &Group::state(key, name)).unwrap());
        write_rows(writer, report, device.zone, rows, |row| {
            Activity::new(STATES[row.about].1, NEVER).group(groups[row.about]).active(row.about == 0)
        });
    }
    for (timeline, rows) in device.applications.iter().enumerate() {
        let report = report(number, 1, timeline);
        writer.add_timeline(&Timeline::applications(report, &name)).unwrap();
        let groups = APPLICATIONS.map(|(key, name)| writer.add_group(report, &Group::application(key, name)).unwrap());
        write_rows(writer, report, device.zone, rows, |row| {
            let activity = Activity::new("window", NEVER);
            groups.get(row.about).map_or(activity, |group| activity.group(*group))
        });
        let totals = device.application_hours[timeline].totals(rows, device.zone);
        write_hours(writer, report, &totals, |about| {
            let (key, name) = APPLICATIONS.get(about)?;
            Some(("Ar_ApplicationByDay", Group::application(key, name)))
        });
    }
    for (timeline, rows) in device.documents.iter().enumerate() {
        let report = report(number, 2, timeline);
        writer.add_timeline(&Timeline::documents(report, &name)).unwrap();
        let sites = SITES.map(|site| (site, writer.add_group(report, &Group::web_site(site)).unwrap()));
        let files = FILES.map(|(path, _)| (path, writer.add_group(report, &Group::file(path, path)).unwrap()));
        let groups: Vec<_> = sites.into_iter().chain(files).collect();
        write_rows(writer, report, device.zone, rows, |row| {
            let (name, group) = groups[row.about];
            let activity = Activity::new(name, NEVER).group(group);
            row.related.map_or(activity, |row| activity.related_activity(id(row) + 1))
        });
        let totals = device.document_hours[timeline].totals(rows, device.zone);
        write_hours(writer, report, &totals, |about| {
            Some(match about.checked_sub(SITES.len()) {
                None => ("Ar_WebSiteByDay", Group::web_site(SITES[about])),
                Some(file) => ("Ar_DocumentByDay", Group::file(FILES[file].0, FILES[file].0)),
            })
        });
    }
}

fn write_tags(writer: &mut HistoryWriter, report: i64, zone: Zone, rows: &[Row]) {
    let lists = TAGS.map(|name| {
        let groups: Vec<_> = name.split(", ").map(|tag| writer.add_group(report, &Group::tag(tag)).unwrap()).collect();
        writer.add_group_list(report, name, &groups, false).unwrap()
    });
    write_rows(writer, report, zone, rows, |row| Activity::new(TAGS[row.about], NEVER).group_list(lists[row.about]));
}

const NEVER: Span = Span { start: Moment { utc: 0, offset: 0 }, end: Moment { utc: 0, offset: 0 } };

fn write_rows<'a>(
    writer: &mut HistoryWriter,
    report: i64,
    zone: Zone,
    rows: &[Row],
    what: impl Fn(&Row) -> Activity<'a>,
) {
    for row in rows {
        let span = Span { start: moment(zone.at(row.start)), end: moment(zone.at(row.end)) };
        let activity = writer.add_activity(report, &Activity { span, ..what(row) }).unwrap();
        if row.unreadable {
            writer.commit().unwrap();
            let spoil = "UPDATE Ar_Activity SET StartUtcTime = 'yesterday' WHERE ReportId = ?1 AND ActivityId = ?2";
            assert_eq!(writer.connection().execute(spoil, [report, activity]).unwrap(), 1);
        }
    }
}

/// Writes the hourly tables of a timeline. They don't contain rows without a group.
fn write_hours(
    writer: &mut HistoryWriter,
    report: i64,
    totals: &HourlyTotals,
    table_of: impl Fn(usize) -> Option<(&'static str, Group<'static>)>,
) {
    for ((hour, about), seconds) in totals {
        let Some((table, group)) = table_of(*about) else { continue };
        let common = writer.add_common_group(&group).unwrap();
        let hour = text(*hour).replace('T', " ");
        let insert = format!("INSERT INTO {table} VALUES ({report}, '{hour}', {common}, {seconds})");
        assert_eq!(writer.connection().execute(&insert, []).unwrap(), 1);
    }
}

fn moment(instant: Instant) -> Moment {
    Moment { utc: instant.utc, offset: instant.local - instant.utc }
}

fn id(number: usize) -> i64 {
    i64::try_from(number).unwrap()
}
