//! A history that makes every response as large as possible. It has 500 segments. Their long names and titles consist
//! of characters that need many tokens. It also has hundreds of applications, documents, tags and timelines.

use std::path::Path;

use dayledger_fixtures::{Activity, Error, Group, HistoryWriter, Moment, SchemaOptions, Span, Timeline};

/// The range of days in the history. The end is exclusive.
pub(crate) const RANGE: (&str, &str) = ("2025-01-01", "2025-02-01");

const MIDNIGHT: i64 = 1_735_689_600;
const APPLICATIONS: i64 = 2;
const DOCUMENTS: i64 = 3;
const TAGS: i64 = 4;
/// The number of different names of each kind.
const NAMES: usize = 300;

/// Writes the history into `dir`.
pub(crate) fn write(dir: &Path) {
    try_write(dir).unwrap();
}

fn try_write(dir: &Path) -> Result<(), Error> {
    let mut writer = HistoryWriter::in_folder(dir, SchemaOptions::default())?;
    writer.add_device(1, "desk", &long("机器", 0), None)?;
    for report in 5..400 {
        writer.add_timeline(&Timeline::tags(report, "desk"))?;
    }
    let active = writer.add_group(1, &Group::state("ManicTime/Active", "Active"))?;
    let (mut applications, mut documents, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..NAMES {
        let (name, path) = (long("程序", number), long("路径", number));
        applications.push(writer.add_group(APPLICATIONS, &Group::application(&format!("{number}.exe;{name}"), &name))?);
        let group = if number % 2 == 0 { Group::web_site(&path) } else { Group::file(&path, &path) };
        documents.push(writer.add_group(DOCUMENTS, &group)?);
        let tag = long("标签", number);
        let group = writer.add_group(TAGS, &Group::tag(&tag))?;
        lists.push(writer.add_group_list(TAGS, &tag, &[group], false)?);
    }
    for number in 0..500_usize {
        // The segments start every 20 minutes, and are 10 minutes long. The title of one of them has 100 kB.
        let start = MIDNIGHT + i64::try_from(number).unwrap_or_default() * 1_200;
        let span = Span { start: moment(start), end: moment(start + 600) };
        let title = long("标题", number).repeat(if number == 3 { 150 } else { 1 });
        let which = number % NAMES;
        writer.add_activity(1, &Activity::new("Active", span).group(active).active(true))?;
        let window = Activity::new(&title, span).group(applications[which]).notes(&title);
        let window = writer.add_activity(APPLICATIONS, &window)?;
        writer
            .add_activity(DOCUMENTS, &Activity::new(&title, span).group(documents[which]).related_activity(window))?;
        for list in 0..if number == 5 { NAMES } else { 3 } {
            let list = (which + list) % NAMES;
            let tagged = Activity::new(&title, span).group_list(lists[list]).notes(&title);
            writer.add_activity(TAGS, &tagged)?;
        }
    }
    writer.fill_hourly_tables()?;
    writer.finish()?;
    Ok(())
}

/// Returns a name of about 600 rare and common characters.
fn long(kind: &str, number: usize) -> String {
    let signs = (0..600_u32).map(|sign| char::from_u32(0x4e00 + sign * 31 % 0x5000).unwrap_or('中'));
    format!("{kind}{number} {}", signs.collect::<String>())
}

fn moment(utc: i64) -> Moment {
    Moment { utc, offset: 0 }
}
