//! Tests activities that are hidden although their group doesn't match the pattern. Instead, the pattern matches their
//! URL, their path, or another activity at the same time.

use dayledger::App;
use dayledger::source::{Privacy, Redaction};
use dayledger_fixtures::{Activity, Group, SchemaOptions, TableGroup, Timeline};

use super::{app_with_privacy, pattern};
use crate::histories::{DAY, History, builder_at, rows, span, with_timesheet};

fn site_rule() -> Privacy {
    Privacy::new([], [], [pattern("*.zqsite.example")])
}

/// Returns a history with a browser from 09:00 to 10:00 and an editor from 10:00 to 11:00. Each window is ten minutes
/// long.
fn windows() -> History {
    let mut history = History::with(SchemaOptions::default().with_groups(&TableGroup::ALL));
    history.device(1, "desk-id", "DESK");
    history.active(1, "09:00", "11:00");
    let browser = history.group(2, &Group::application("firefox.exe;firefox", "Firefox"));
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    for ten in 0..12 {
        let (hour, minute) = (9 + ten / 6, ten % 6 * 10);
        let group = if hour == 9 { browser } else { editor };
        let end = if minute == 50 { format!("{}:00", hour + 1) } else { format!("{hour}:{}", minute + 10) };
        let (start, end) = (format!("{hour:02}:{minute:02}"), format!("{end:0>5}"));
        let title = format!("window {ten}");
        let activity = Activity::new(&title, span(&start, &end)).group(group).notes("a note");
        history.activity(2, &activity);
    }
    history
}

fn visit(history: &mut History, (group, address): (&Group<'_>, &str), from: &str, to: &str, related: Option<i64>) {
    let group = history.group(3, group);
    let activity = Activity::new(address, span(from, to)).group(group);
    history.activity(3, &Activity { related, ..activity });
}

/// Returns the ids of the windows whose title or notes are redacted.
fn hidden_values(app: &App) -> [Vec<String>; 2] {
    ["title", "notes"].map(|column| {
        rows(app, &format!("SELECT activity_id FROM applications WHERE {column} IS NULL ORDER BY activity_id"))
    })
}

#[test]
fn url_alone_hides_the_title_of_the_window() {
    let mut history = windows();
    let portal = Group::web_site("portal");
    visit(&mut history, (&portal, "https://my.zqsite.example/linked"), "09:00", "09:10", Some(1));
    visit(&mut history, (&portal, "https://my.zqsite.example/by-time"), "09:21", "09:29", None);
    // This browser omits the scheme of URLs.
    visit(&mut history, (&portal, "my.zqsite.example/short"), "09:31", "09:32", None);
    visit(&mut history, (&portal, "https://open.example/zqsite.example"), "09:41", "09:42", None);
    history.activity(3, &Activity::new("my.zqsite.example:8443/no-group", span("09:51", "09:52")));
    let report = Group::file("https://my.zqsite.example/zqsite.pdf", "zqsite.pdf");
    visit(&mut history, (&report, "https://my.zqsite.example/zqsite.pdf"), "10:01", "10:02", None);
    // These documents were opened by a URL without a scheme. One of them has such a URL as its group.
    let plan = Group::file("/neutral.txt", "neutral.txt");
    for (address, from, to) in [
        ("my.zqsite.example/zqplan.pdf", "10:21", "10:22"),
        ("my.zqsite.example?zqplan", "10:31", "10:32"),
        ("ada@my.zqsite.example/zqplan", "10:41", "10:42"),
    ] {
        visit(&mut history, (&plan, address), from, to, None);
        let own = Group::file(address, address);
        visit(&mut history, (&own, "/neutral.txt"), from, to, None);
    }
    visit(&mut history, (&plan, "/home/my.zqsite.example/plan.pdf"), "10:51", "10:52", None);
    let (schema, base_schema) = ("Vendor/Tabs", "ManicTime/Generic/Group");
    history.timeline(&Timeline { report: 9, schema, base_schema, environment: "desk-id", name: None });
    history.activity(9, &Activity::new("https://my.zqsite.example/tab", span("10:11", "10:12")));
    history.commit();

    let app = app_with_privacy(&history, site_rule());
    let hidden = ["1", "3", "4", "6", "7", "8", "9", "10", "11"].map(str::to_owned).to_vec();
    assert_eq!(hidden_values(&app), [hidden.clone(), hidden]);
    let actual = rows(&app, "SELECT DISTINCT name FROM activities WHERE role IN ('websites', 'documents') ORDER BY 1");
    assert_eq!(actual, ["(hidden)", "neutral.txt", "portal"]);
    let actual = rows(&app, "SELECT DISTINCT title FROM activities WHERE timeline_id IN (3, 9) ORDER BY 1");
    assert_eq!(actual, ["(hidden)", "/home/my.zqsite.example/plan.pdf", "https://open.example/zqsite.example"]);
}

#[test]
fn names_referenced_only_by_hidden_urls_are_hidden() {
    let mut history = windows();
    let bank = Group::web_site("zqbank").color("ABCDEF");
    visit(&mut history, (&bank, "https://my.zqsite.example/a"), "09:00", "09:10", Some(1));
    let report = Group::file("https://my.zqsite.example/zqreport.pdf", "zqreport.pdf");
    visit(&mut history, (&report, "https://my.zqsite.example/zqreport.pdf"), "09:10", "09:20", Some(2));
    // In files of older versions, only a number identifies the kind of a group.
    let old = Group::web_site("old.zqsite.example");
    visit(&mut history, (&old, "zqtitle of a page"), "09:20", "09:30", Some(3));
    history.writer().fill_hourly_tables().unwrap();
    history.sql(
        "UPDATE Ar_Group SET GroupType = NULL WHERE Key LIKE 'old.%';
         UPDATE Ar_CommonGroup SET GroupType = NULL WHERE Key LIKE 'old.%'",
    );
    let (app, whole) = (app_with_privacy(&history, site_rule()), history.app());
    for (table, columns) in [
        ("activities", "name, key, group_name, group_key, common_name, title, color"),
        ("hourly_totals", "name, key, color"),
        ("website_usage", "name, key, color"),
        ("document_usage", "name, key, color"),
    ] {
        let sql = format!("SELECT {columns} FROM {table}");
        assert!(rows(&whole, &sql).iter().any(|row| row.contains("zq")), "{table}");
        let leaked: Vec<_> = rows(&app, &sql).into_iter().filter(|row| row.contains("zq")).collect();
        assert!(leaked.is_empty(), "{table}: {leaked:?}");
    }
    let total = "SELECT sum(seconds) FROM hourly_totals WHERE role IN ('websites', 'documents')";
    assert_eq!(rows(&app, total), rows(&whole, total), "the time of the hidden site counts");
}

/// The intervals and descriptions of a draft must also be computed from the redacted rows.
#[test]
fn hidden_texts_are_not_in_drafts_or_unlogged_time() {
    let mut history = windows();
    let portal = Group::web_site("my.zqsite.example");
    visit(&mut history, (&portal, "https://my.zqsite.example/linked"), "09:00", "09:50", Some(1));
    let file = Group::file("/home/ada/zqplan.txt", "zqplan.txt");
    visit(&mut history, (&file, "/home/ada/zqplan.txt"), "10:00", "10:50", None);
    history.commit();
    let output = |privacy: Privacy| {
        let builder = builder_at(history.folder()).with_privacy(privacy);
        let app = with_timesheet(builder, history.folder(), "").build().unwrap();
        let all = ["unlogged", "draft"].map(|name| rows(&app, &format!("SELECT * FROM {name}('{DAY}')")).join("\n"));
        let seconds = rows(&app, &format!("SELECT sum(seconds) FROM unlogged('{DAY}')"));
        (all.concat(), seconds)
    };
    let (open, seconds) = output(Privacy::default());
    for word in ["zqplan", "Editor", "Firefox"] {
        assert!(open.contains(word), "`{word}`: {open}");
    }
    let privacy = Privacy::new([Redaction::Titles], [pattern("edit*")], [pattern("*.zqsite.example")]);
    let (withheld, still) = output(privacy);
    for word in ["zqsite", "Editor", "window"] {
        assert!(!withheld.contains(word), "`{word}`: {withheld}");
    }
    assert!(withheld.contains("Firefox"), "{withheld}");
    assert_eq!(still, seconds, "hidden time counts");
}
