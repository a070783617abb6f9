//! Days of a realistic size. Each day has 90 segments after merging. Half of the segments are tagged, and all segments
//! have a document or a site.

use std::path::Path;

use dayledger_fixtures::{Activity, Error, Group, HistoryWriter, Moment, SchemaOptions, Span};

/// The first day of the history.
pub(crate) const FIRST: &str = "2025-01-01";
/// The number of segments of a day.
pub(crate) const SEGMENTS: usize = 90;

/// The local time 2025-01-01 00:00, in seconds of the local clock since 1970.
const MIDNIGHT: i64 = 1_735_689_600;
const DAY: i64 = 86_400;
const MINUTE: i64 = 60;

const USAGE: i64 = 1;
const APPLICATIONS: i64 = 2;
const DOCUMENTS: i64 = 3;
const TAGS: i64 = 4;

/// The applications for work: key, name, colour, and the documents or sites that are used in it.
const WORK: [(&str, &str, &str, &[&str]); 4] = [
    (
        "code.exe;visual studio code",
        "Visual Studio Code",
        "0078d4",
        &[
            "C:\\work\\harbour\\src\\survey\\soundings.rs",
            "C:\\work\\harbour\\src\\main.rs",
            "C:\\work\\ledger\\src\\export\\invoice.rs",
        ],
    ),
    (
        "excel.exe;microsoft excel",
        "Microsoft Excel",
        "217346",
        &["C:\\Users\\ada\\Documents\\Harbour\\Tide tables 2025.xlsx", "C:\\Users\\ada\\Documents\\Budget.xlsx"],
    ),
    (
        "winword.exe;microsoft word",
        "Microsoft Word",
        "2b579a",
        &["C:\\Users\\ada\\Documents\\Harbour\\Offer for the survey.docx", "C:\\Users\\ada\\Documents\\Minutes.docx"],
    ),
    ("chrome.exe;google chrome", "Google Chrome", "f4b400", &["github.com", "docs.rs", "stackoverflow.com"]),
];

/// The applications for short interruptions, in the same form as [`WORK`].
const ASIDE: [(&str, &str, &str, &[&str]); 4] = [
    ("outlook.exe;microsoft outlook", "Microsoft Outlook", "0072c6", &["outlook.office.com"]),
    ("ms-teams.exe;microsoft teams", "Microsoft Teams", "6264a7", &["teams.microsoft.com"]),
    ("firefox.exe;firefox", "Firefox", "ff7139", &["news.example.org", "weather.example.org", "www.wikipedia.org"]),
    (
        "acrord32.exe;adobe acrobat",
        "Adobe Acrobat",
        "b30b00",
        &["C:\\Users\\ada\\Downloads\\Chart 2182A.pdf", "C:\\Users\\ada\\Downloads\\Tender.pdf"],
    ),
];

const TAG_LISTS: [[&str; 2]; 3] = [["Harbour", "Survey"], ["Ledger", "Development"], ["Office", "Mail"]];

/// Writes a history of `days` days into `dir`.
pub(crate) fn write(dir: &Path, days: i64) {
    try_write(dir, days).unwrap();
}

fn try_write(dir: &Path, days: i64) -> Result<(), Error> {
    let mut writer = HistoryWriter::in_folder(dir, SchemaOptions::default())?;
    writer.add_device(USAGE, "desk", "DESK", Some("Windows;10.0.22631"))?;
    let active = writer.add_group(USAGE, &Group::state("ManicTime/Active", "Active"))?;
    let away = writer.add_group(USAGE, &Group::state("ManicTime/Away", "Away"))?;
    let mut lists = Vec::new();
    for [client, task] in TAG_LISTS {
        let groups = [writer.add_group(TAGS, &Group::tag(client))?, writer.add_group(TAGS, &Group::tag(task))?];
        lists.push(writer.add_group_list(TAGS, &format!("{client}, {task}"), &groups, true)?);
    }
    let mut programs = Vec::new();
    for (key, name, color, things) in WORK.into_iter().chain(ASIDE) {
        programs.push(Program::add(&mut writer, (key, name, color), things)?);
    }
    for day in 0..days {
        let mut now = MIDNIGHT + day * DAY + 8 * 3_600 + (day * 7 % 30) * MINUTE;
        for stint in 0..15_usize {
            // The pauses are lunch, and a short break after every third block of work.
            let pause = if stint == 7 { 40 } else { i64::from(stint % 3 == 2) * 6 };
            state(&mut writer, away, "Away", now, now + pause * MINUTE)?;
            now += pause * MINUTE;
            let began = now;
            let shift = stint + usize::try_from(day).unwrap_or_default();
            let program = &programs[shift % WORK.len()];
            for (part, minutes) in [8_i64, 9, 7].into_iter().enumerate() {
                program.used(&mut writer, shift / 4, now, now + minutes * MINUTE)?;
                now += minutes * MINUTE;
                let aside = &programs[WORK.len() + (shift + part) % ASIDE.len()];
                let seconds = [120, 95, 180][part];
                aside.used(&mut writer, shift + part, now, now + seconds)?;
                now += seconds;
            }
            state(&mut writer, active, "Active", began, now)?;
            // 45 of the 90 segments are tagged: all 6 segments of seven blocks, and the first 3 segments of another
            // block.
            let tagged = if stint == 14 { began + 19 * MINUTE } else { now };
            if stint % 2 == 0 {
                let list = stint / 2 % lists.len();
                let name = TAG_LISTS[list].join(", ");
                writer.add_activity(TAGS, &Activity::new(&name, span(began, tagged)).group_list(lists[list]))?;
            }
        }
    }
    writer.fill_hourly_tables()?;
    writer.finish()?;
    Ok(())
}

/// An application with its documents or sites.
struct Program {
    group: i64,
    name: &'static str,
    things: Vec<(String, i64)>,
}

impl Program {
    fn add(
        writer: &mut HistoryWriter,
        (key, name, color): (&str, &'static str, &str),
        things: &[&str],
    ) -> Result<Self, Error> {
        let group = writer.add_group(APPLICATIONS, &Group::application(key, name).color(color))?;
        let mut opened = Vec::new();
        for thing in things {
            let file = thing.rsplit_once('\\').map(|(_, file)| file);
            let group = file.map_or_else(|| Group::web_site(thing), |file| Group::file(thing, file));
            let activity = if file.is_some() { (*thing).to_owned() } else { format!("https://{thing}/page/7") };
            opened.push((activity, writer.add_group(DOCUMENTS, &group)?));
        }
        Ok(Self { group, name, things: opened })
    }

    fn used(&self, writer: &mut HistoryWriter, choice: usize, start: i64, end: i64) -> Result<(), Error> {
        let (thing, group) = &self.things[choice % self.things.len()];
        let file_name = thing.rsplit(['\\', '/']).next().unwrap_or_default();
        let title = format!("{file_name} - {}", self.name);
        let window = Activity::new(&title, span(start, end)).group(self.group);
        let window = writer.add_activity(APPLICATIONS, &window)?;
        writer
            .add_activity(DOCUMENTS, &Activity::new(thing, span(start, end)).group(*group).related_activity(window))?;
        Ok(())
    }
}

fn state(writer: &mut HistoryWriter, group: i64, name: &str, start: i64, end: i64) -> Result<(), Error> {
    if start < end {
        let state = Activity::new(name, span(start, end)).group(group).active(name == "Active");
        writer.add_activity(USAGE, &state)?;
    }
    Ok(())
}

/// Converts a local start and end in seconds to a span. Local time is an hour ahead of UTC.
fn span(start: i64, end: i64) -> Span {
    const OFFSET: i64 = 3600;
    let at = |local: i64| Moment { utc: local - OFFSET, offset: OFFSET };
    Span { start: at(start), end: at(end) }
}
