//! Tests of private windows and of redaction.

use dayledger_source::{Pattern, Privacy, Redaction};

use super::*;

fn history(dir: &Path) -> std::path::PathBuf {
    let path = dir.join("sqlite.db");
    let file = Rust::create(&path);
    let start = (MONDAY + 9 * HOUR) as f64;
    let windows = file.bucket("aw-watcher-window_desk", "currentwindow", "desk");
    for (minute, app, title) in [
        (0.0, "firefox.exe", "zqsecret bank - Mozilla Firefox"),
        (10.0, "Code.exe", "zqplan.rs"),
        (20.0, "firefox.exe", "zqother — Mozilla Firefox Private Browsing"),
        (30.0, "Vault.exe", "zqvault"),
    ] {
        file.event(windows, start + minute * 60.0, 600.0, &format!(r#"{{"app": "{app}", "title": "{title}"}}"#));
    }
    let presence = file.bucket("aw-watcher-afk_desk", "afkstatus", "desk");
    file.event(presence, start, 2400.0, &afk("not-afk"));
    let tabs = file.bucket("aw-watcher-web-firefox_desk", "web.tab.current", "desk");
    file.event(tabs, start, 300.0, r#"{"url": "https://bank.example/zqaccount", "title": "x", "incognito": true}"#);
    file.event(
        tabs,
        start + 1200.0,
        600.0,
        r#"{"url": "https://news.example/zqnews", "title": "x", "incognito": false}"#,
    );
    let editor = file.bucket("aw-watcher-vscode_desk", "app.editor.activity", "desk");
    file.event(editor, start + 600.0, 600.0, r#"{"file": "/home/zqanna/plan.rs", "project": "zqproject"}"#);
    path
}

fn text(source: &dyn HistorySource) -> String {
    format!("{:?}", read_all(source))
}

#[test]
fn private_windows_are_shown_only_if_it_is_switched_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = history(dir.path());
    let hidden = source(settings(&path));
    let shown = text(&hidden);
    for secret in ["zqsecret", "zqother", "bank.example", "zqaccount"] {
        assert!(!shown.contains(secret), "{secret}");
    }
    assert!(shown.contains("zqplan") && shown.contains("zqnews") && shown.contains("(private)"));
    let totals = Counted::new(read_all(&hidden)).totals("websites", "desk", false);
    assert_eq!(totals.get(&("2025-10-06".to_owned(), "(private)".to_owned())), Some(&300), "the time counts");
    let all = text(&source(Settings { private_titles: true, ..settings(&path) }));
    for secret in ["zqsecret", "zqother", "zqaccount"] {
        assert!(all.contains(secret), "{secret}");
    }
}

#[test]
fn redacted_and_hidden_texts_are_in_no_row() {
    let dir = tempfile::tempdir().unwrap();
    let path = history(dir.path());
    let source = source(Settings { private_titles: true, ..settings(&path) });
    let app = || [Pattern::parse("vault*").unwrap()];
    let site = || [Pattern::parse_site("*bank.example").unwrap()];
    for (privacy, secrets) in [
        (Privacy::new([Redaction::Titles], [], []), vec!["zqsecret", "zqplan", "zqother", "zqvault"]),
        (Privacy::new([Redaction::Urls], [], []), vec!["zqaccount", "zqnews"]),
        (Privacy::new([Redaction::Paths], [], []), vec!["zqanna"]),
        (Privacy::new([], app(), []), vec!["Vault", "zqvault"]),
        (Privacy::new([], [], site()), vec!["bank.example", "zqaccount", "zqsecret"]),
    ] {
        let private = source.with_privacy(privacy.clone());
        let shown = text(&*private);
        for secret in &secrets {
            assert!(!shown.contains(secret), "{secret} with {:?}", privacy.summary());
        }
        assert!(shown.contains("Code.exe"));
        let (open, redacted) = (Counted::new(read_all(&source)), Counted::new(read_all(&*private)));
        let total = |counted: &Counted| day_total(&counted.totals("applications", "desk", false), "2025-10-06");
        assert_eq!(total(&open), total(&redacted));
        assert!(private.hidden_screenshots().unwrap().hides_all() == privacy.redacts_any());
    }
}

#[test]
fn another_process_reads_the_same_history() {
    let dir = tempfile::tempdir().unwrap();
    let path = history(dir.path());
    let source = source(Settings { private_titles: true, ..settings(&path) });
    let source = source.with_privacy(Privacy::new([Redaction::Urls], [], []));
    let opened: ActivityWatch = serde_json::from_value(source.settings().unwrap()).unwrap();
    assert_eq!(text(&opened), text(&*source));
    let wrong = serde_json::json!({"settings": {"locator": {"places": []}, "zone": "Mars/Base"}});
    assert!(serde_json::from_value::<ActivityWatch>(wrong).is_err());
}
