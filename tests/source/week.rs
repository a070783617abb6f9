//! Five days of one user on one device, starting on Monday, 13 January 2025. There are about two hundred activities.

use dayledger::source::Role;

use super::memory::Row;

pub(super) const MINUTE: i64 = 60;
pub(super) const HOUR: i64 = 60 * MINUTE;
pub(super) const DAY: i64 = 24 * HOUR;
/// Monday at 00:00, in seconds since 1970.
pub(super) const MONDAY: i64 = 1_736_726_400;

/// The whole week, one day, and a range that begins and ends in the middle of activities.
pub(super) const RANGES: [(&str, &str); 3] =
    [("2025-01-13", "2025-01-18"), WEDNESDAY, ("2025-01-15T09:40:30", "2025-01-15T14:05:00")];
pub(super) const WEDNESDAY: (&str, &str) = ("2025-01-15", "2025-01-16");

/// The names, keys and colours of the applications.
const APPLICATIONS: [(&str, &str, &str); 4] = [
    ("Editor", "editor.exe;editor", "0078D4"),
    ("Firefox", "firefox.exe;firefox", "FF7139"),
    ("Mail", "mail.exe;mail", "0072C6"),
    ("Terminal", "terminal.exe;terminal", "333333"),
];
/// The indexes of the applications that are used on a day, in order. Some are used twice in a row.
const ORDER: [usize; 8] = [0, 1, 1, 2, 0, 3, 1, 0];
/// The lengths of the application activities, in minutes. They are used in turn.
const LENGTHS: [i64; 6] = [13, 22, 8, 17, 25, 11];
/// The pauses after activities, in seconds. In a pause, no application is recorded. The pauses are used in turn.
const PAUSES: [i64; 4] = [0, 60, 0, 180];
const FILES: [&str; 2] = ["plan.md", "budget.ods"];
const SITES: [&str; 2] = ["docs.example", "news.example"];
/// The states with their names. Start and end are in minutes since the start of the day's use.
const STATES: [(&str, &str, i64, i64); 6] = [
    ("active", "Active", 0, 150),
    ("away", "Away", 150, 180),
    ("active", "Active", 180, 330),
    ("locked", "Session lock", 330, 345),
    ("active", "Active", 345, 420),
    ("off", "Power off", 420, 480),
];

/// Returns all activities. Their ids are unique in the history.
pub(super) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for day in 0..5 {
        add_day(&mut rows, day);
    }
    for (id, row) in (1..).zip(&mut rows) {
        // The activity before a document or a website is its application activity.
        row.related = row.related.map(|_| id - 1);
        row.id = id;
    }
    rows
}

fn add_day(rows: &mut Vec<Row>, day: usize) {
    let number = i64::try_from(day).unwrap();
    let began = MONDAY + number * DAY + 8 * HOUR + number * (7 * MINUTE + 11);
    let span = |from: i64, to: i64| began + from * MINUTE..began + to * MINUTE;
    for (state, name, from, to) in STATES {
        rows.push(Row::new(Role::ComputerUsage, 0, (name, state), name, span(from, to)));
    }
    let mut now = began;
    for place in 0..20 {
        let (name, key, color) = APPLICATIONS[ORDER[(place + day) % ORDER.len()]];
        let end = now + LENGTHS[(place + 2 * day) % LENGTHS.len()] * MINUTE + i64::try_from(place % 3).unwrap() * 7;
        let (file, site) = (FILES[(place + day) % FILES.len()], SITES[place % SITES.len()]);
        let title = match name {
            "Editor" => format!("{file} - Editor"),
            "Firefox" => format!("{site} - Firefox"),
            name => format!("Inbox - {name}"),
        };
        let application = Row::new(Role::Applications, 0, (name, key), &title, now..end);
        rows.push(Row { color: Some(color), ..application });
        let path = format!("/home/ada/{file}");
        match name {
            "Editor" => rows.push(Row::new(Role::Documents, 0, (file, path.as_str()), &path, now..end).with_related(0)),
            "Firefox" => {
                let url = format!("https://{site}/page");
                rows.push(Row::new(Role::Websites, 0, (site, site), &url, now..end).with_related(0));
            }
            _ => {}
        }
        now = end + PAUSES[place % PAUSES.len()];
    }
    let task = if day.is_multiple_of(2) { "Harbour, Survey" } else { "Harbour, Report" };
    rows.push(Row::new(Role::Tags, 0, (task, task), task, span(30, 120)).with_notes("Sounding the harbour"));
    rows.push(Row::new(Role::Tags, 0, ("Office, Mail", "Office, Mail"), "Office, Mail", span(140, 240)));
}
