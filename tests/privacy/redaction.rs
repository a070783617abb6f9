//! Tests redaction by field: the row of a website shows only its site, and the row of a document shows only its file
//! name. This must hold for every notation of the text.
//!
//! Every notation occurs once in each field that can contain such a text. Secret parts of texts are written as
//! `zqsecret`.

use dayledger::App;
use dayledger::source::{Privacy, Redaction};
use dayledger::timesheet::{CallSession, SuggestRequest};
use dayledger_fixtures::{Activity, Group, SchemaOptions, Span, TableGroup, Timeline};

use super::{app_with_privacy, pattern};
use crate::histories::{DAY, History, block_on, builder_at, day, rows, run_query, span, try_rows, with_timesheet};

const REDACTED: &str = "(redacted)";

/// Notations of a URL, each with its redacted form in a website's row.
const ADDRESSES: [(&str, &str); 60] = [
    ("https://Site.Example/zqsecret", "site.example"),
    ("https://ada:zqsecret@site.example:8443/zqsecret?zqsecret#zqsecret", "site.example"),
    ("https://site.example?zqsecret", "site.example"),
    ("https://site.example#zqsecret", "site.example"),
    ("https://site.example./zqsecret", "site.example"),
    ("HTTPS://[2001:DB8::1]:8443/zqsecret", "[2001:db8::1]"),
    ("https://intranet/zqsecret", "intranet"),
    ("wss://site.example/zqsecret", "site.example"),
    ("ftp://ada:zqsecret@site.example/zqsecret", "site.example"),
    ("site.example/zqsecret", "site.example"),
    ("site.example/zqsecret zqsecret", "site.example"),
    ("site.example:8080/zqsecret", "site.example"),
    ("site.example?zqsecret", "site.example"),
    ("site.example./zqsecret", "site.example"),
    ("my_host.example/zqsecret", "my_host.example"),
    ("xn--mnchen-3ya.example/zqsecret", "xn--mnchen-3ya.example"),
    ("xn--e1afmkfd.xn--p1ai/zqsecret", "xn--e1afmkfd.xn--p1ai"),
    ("localhost:3000/zqsecret", "localhost"),
    ("10.0.0.1/zqsecret", "10.0.0.1"),
    ("[::1]:3000/zqsecret", "[::1]"),
    ("intranet/zqsecret", REDACTED),
    ("ada:zqsecret@site.example/zqsecret", REDACTED),
    ("zqsecret@site.example", REDACTED),
    ("//site.example/zqsecret", REDACTED),
    (r"\\site.example\zqsecret", REDACTED),
    ("/zqsecret", REDACTED),
    ("?zqsecret", REDACTED),
    ("#zqsecret", REDACTED),
    ("site.example:/zqsecret", REDACTED),
    ("site.example:zqsecret", REDACTED),
    (r"site.example\zqsecret", REDACTED),
    ("https://site.example:zqsecret/", REDACTED),
    ("https:/site.example/zqsecret", REDACTED),
    ("https:site.example/zqsecret", REDACTED),
    ("https:///zqsecret", REDACTED),
    (r"https:\\site.example\zqsecret", REDACTED),
    (r"https://site.example\zqsecret", REDACTED),
    (r"https://zqsecret\@site.example/", REDACTED),
    ("https://site.example%2Fzqsecret", REDACTED),
    ("https%3A%2F%2Fsite.example%2Fzqsecret", REDACTED),
    ("https://site.exa\tmple/zqsecret", REDACTED),
    ("about:zqsecret", REDACTED),
    ("about:reader?url=https%3A%2F%2Fsite.example%2Fzqsecret", REDACTED),
    ("sip:zqsecret", REDACTED),
    ("tel:4711", REDACTED),
    ("ms-settings:zqsecret", REDACTED),
    ("mailto:zqsecret@site.example", REDACTED),
    ("data:text/html,zqsecret", REDACTED),
    ("javascript:zqsecret", REDACTED),
    ("view-source:https://site.example/zqsecret", REDACTED),
    ("blob:https://site.example/zqsecret", REDACTED),
    ("chrome-extension://zqsecret/zqsecret.html", REDACTED),
    ("file:///home/ada/zqsecret.html", REDACTED),
    ("https://site..example/zqsecret", REDACTED),
    ("https://-site.example/zqsecret", REDACTED),
    ("https://999.1.1.1/zqsecret", REDACTED),
    ("https://[::zqsecret]/", REDACTED),
    ("受信トレイzqsecret", REDACTED),
    ("Inbox(zqsecret)", REDACTED),
    ("zqsecret", REDACTED),
];

/// Titles of pages. Some versions of trackers record them in the field of the URL.
const TITLES: [&str; 17] = [
    "zqsecret",
    "Inbox(zqsecret)",
    "受信トレイ（zqsecret）",
    "zqsecret收件箱",
    "zqsecret.docx",
    "Re:zqsecret",
    "zqsecret/plan",
    "zqsecret?plan",
    "zqsecret#plan",
    "zqsecret:8080",
    "zqsecret@site.example",
    "zqsecret - Mail",
    "Mail https://site.example/zqsecret",
    "https://site.example/ zqsecret",
    "https://site.example/\tzqsecret",
    "about:zqsecret",
    "https:zqsecret",
];

/// Notations of a path, each with its redacted form in a document's row.
const PATHS: [(&str, &str); 84] = [
    (r"C:\zqsecret\my plan.txt", "my plan.txt"),
    (r"C:\zqsecret/plan.txt", "plan.txt"),
    (r"C:zqsecret\plan.txt", "plan.txt"),
    (r"\\server\zqsecret\plan.txt", "plan.txt"),
    (r"\\?\C:\zqsecret\plan.txt", "plan.txt"),
    (r"\\?\UNC\server\zqsecret\plan.txt", "plan.txt"),
    ("/home/zqsecret/C# plan.txt", "C# plan.txt"),
    ("/home/zqsecret/what?/plan.txt", "plan.txt"),
    ("/home/zqsecret/icon@2x.png", "icon@2x.png"),
    ("~/zqsecret/plan.txt", "plan.txt"),
    ("zqsecret/plan.txt", "plan.txt"),
    ("HD:zqsecret:plan.txt", "plan.txt"),
    ("zqsecret%2Fplan.txt", "plan.txt"),
    ("zqsecret%5cplan.txt", "plan.txt"),
    ("zqsecret%252Fplan.txt", "plan.txt"),
    ("zqsecret／plan.txt", "plan.txt"),
    ("zqsecret＼plan.txt", "plan.txt"),
    ("zqsecret∕plan.txt", "plan.txt"),
    ("plan.txt", "plan.txt"),
    ("file:///home/zqsecret/plan.txt", "plan.txt"),
    ("file:///home/zqsecret/plan.txt?zqsecret", "plan.txt"),
    ("file:///home/zqsecret/plan.txt#zqsecret", "plan.txt"),
    ("file:///home/zqsecret/plan.txt;zqsecret", "plan.txt"),
    ("file:///home%2Fzqsecret%2Fplan.txt", "plan.txt"),
    ("file:/home/zqsecret/plan.txt", "plan.txt"),
    (r"file:\\server\zqsecret\plan.txt", "plan.txt"),
    ("smb://ada:zqsecret@server/zqsecret/plan.txt", "plan.txt"),
    ("ssh://root:zqsecret@host/plan.txt", "plan.txt"),
    ("vscode-remote://ssh-remote+host/zqsecret/plan.txt", "plan.txt"),
    ("site.example/zqsecret/plan.txt?zqsecret", "plan.txt"),
    ("smb://server/zqsecret", REDACTED),
    ("smb:////server/zqsecret", REDACTED),
    ("smb://server//zqsecret", REDACTED),
    (r"smb:\\server\zqsecret", REDACTED),
    ("smb:/server/zqsecret", REDACTED),
    ("smb:////server/zqsecret/plan.txt", "plan.txt"),
    ("nfs://server/zqsecret", REDACTED),
    ("afp://server/zqsecret", REDACTED),
    ("ssh:/zqsecret", REDACTED),
    ("file://server/zqsecret", REDACTED),
    ("file://server/zqsecret/plan.txt", "plan.txt"),
    ("file:////server/zqsecret", REDACTED),
    ("file://///server/zqsecret", REDACTED),
    ("file:////server/zqsecret/plan.txt", "plan.txt"),
    (r"file:///\\server\zqsecret", REDACTED),
    ("file:///%5C%5Cserver%5Czqsecret", REDACTED),
    ("file://localhost//server/zqsecret", REDACTED),
    ("file://localhost/zqsecret/plan.txt", "plan.txt"),
    ("file://localhost/plan.txt", "plan.txt"),
    (r"\\?\UNC\server\zqsecret", REDACTED),
    (r"\\?\unc\zqsecret", REDACTED),
    (r"\\.\UNC\server\zqsecret", REDACTED),
    (r"\??\UNC\server\zqsecret", REDACTED),
    (r"\\?\GLOBALROOT\zqsecret", REDACTED),
    (r"\\?\Volume{4711}\zqsecret\plan.txt", "plan.txt"),
    ("///server/zqsecret", REDACTED),
    ("//server//zqsecret", REDACTED),
    ("／／server／zqsecret", REDACTED),
    ("%2F%2Fserver/zqsecret", REDACTED),
    ("zqsecret⧸plan.txt", "plan.txt"),
    ("zqsecret﹨plan.txt", "plan.txt"),
    ("zqsecret⧵plan.txt", "plan.txt"),
    ("zqsecret꞉plan.txt", "plan.txt"),
    ("zqsecret∶plan.txt", "plan.txt"),
    ("zqsecret¥plan.txt", "plan.txt"),
    ("zqsecret%E2%88%95plan.txt", "plan.txt"),
    ("zqsecret%EF%BC%8Fplan.txt", "plan.txt"),
    ("zqsecret%25%32%46plan.txt", "plan.txt"),
    ("/home/zqsecret/", REDACTED),
    ("/home/zqsecret/..", REDACTED),
    (r"C:\", REDACTED),
    (r"\\server\zqsecret", REDACTED),
    ("//zqsecret/zqsecret", REDACTED),
    ("ssh://root:zqsecret@host", REDACTED),
    ("ssh://zqsecret@host/", REDACTED),
    ("ssh://root:zq/zqsecret@host", REDACTED),
    ("ssh://host?zqsecret", REDACTED),
    ("root:zqsecret@host", REDACTED),
    ("zqsecret@host", REDACTED),
    ("//root:zqsecret@host", REDACTED),
    ("file:///home/plan.txt?a=/zqsecret", REDACTED),
    ("file:///home/plan.txt#/zqsecret", REDACTED),
    ("site.example/plan?u=/zqsecret", REDACTED),
    ("/home/ada/zq\u{1b}zqsecret", REDACTED),
];

/// URLs in a document's row. Each item also contains the redacted form with the setting `urls`, and the redacted form
/// with both `urls` and `paths`.
const WEB_DOCUMENTS: [(&str, &str, &str); 20] = [
    ("https://ada:zqsecret@Site.Example/zqsecret/plan.docx?zqsecret", "site.example", "site.example"),
    ("site.example/zqsecret/plan.docx", "site.example", REDACTED),
    ("https:/site.example/zqsecret", REDACTED, REDACTED),
    ("sftp://ada:zqsecret@server/zqsecret", "server", REDACTED),
    ("ssh://root:zqsecret@host", "host", REDACTED),
    ("smb://server/zqsecret/plan.txt", "server", REDACTED),
    ("vscode-remote://ssh-remote+host/zqsecret/plan.txt", REDACTED, REDACTED),
    ("data:text/html,zqsecret", REDACTED, REDACTED),
    ("view-source:https://site.example/zqsecret", REDACTED, REDACTED),
    ("ada:zqsecret@site.example/x", REDACTED, REDACTED),
    ("\u{200b}https://ada:zqsecret@site.example/zqsecret", REDACTED, REDACTED),
    ("<https:/site.example/zqsecret", REDACTED, REDACTED),
    ("./view https://ada:zqsecret@site.example/", REDACTED, REDACTED),
    ("file://ada:zqsecret@host/x.txt?zqsecret#zqsecret", REDACTED, REDACTED),
    ("file://server/zqsecret", REDACTED, REDACTED),
    ("file:///x.txt?zqsecret#zqsecret", "file:///x.txt", "x.txt"),
    ("ada@site.example/zqsecret", REDACTED, REDACTED),
    ("münchen.example/zqsecret", REDACTED, REDACTED),
    ("bücher.de?zqsecret", REDACTED, REDACTED),
    ("site。example/zqsecret", REDACTED, REDACTED),
];

/// Returns a minute of the morning. A higher number is a later minute.
fn minute(number: usize) -> Span {
    let clock = |number: usize| format!("{:02}:{:02}", 8 + number / 60, number % 60);
    span(&clock(number), &clock(number + 1))
}

/// Returns a history of one device. In addition to documents, it has a timeline of URLs.
fn history() -> History {
    let mut history = History::with(SchemaOptions::default().with_groups(&TableGroup::ALL));
    history.device(1, "desk-id", "DESK");
    history.active(1, "08:00", "16:00");
    history.application(2, "Browser", "08:00", "16:00");
    history.timeline(&Timeline {
        report: 9,
        schema: "ManicTime/BrowserUrls",
        base_schema: "ManicTime/Generic/Group",
        environment: "desk-id",
        name: None,
    });
    history
}

fn redacting(kinds: &[Redaction]) -> Privacy {
    Privacy::new(kinds.iter().copied(), [], [])
}

/// Returns the complete content of the model, one row per line.
fn dump_model(app: &App) -> Vec<String> {
    let tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'model' \
                  AND table_name NOT IN ('screenshots', 'meetings') ORDER BY 1";
    let mut sources = rows(app, tables);
    sources.extend(
        ["applications", "websites", "documents"].map(|role| format!("role_pieces('{role}', '{DAY}', '2025-01-16')")),
    );
    sources.push(format!("narrative('{DAY}', '2025-01-16', 2)"));
    let of = |source: String| {
        let table_rows = rows(app, &format!("SELECT * FROM {source}")).into_iter();
        table_rows.map(move |row| format!("{source}: {row}"))
    };
    sources.into_iter().flat_map(of).collect()
}

#[track_caller]
fn assert_redacted(app: &App) {
    let leaks: Vec<_> = dump_model(app).into_iter().filter(|row| row.to_lowercase().contains("zqsecret")).collect();
    assert!(leaks.is_empty(), "{} rows contain the secret:\n{}", leaks.len(), leaks.join("\n"));
}

#[test]
fn url_of_a_website_is_reduced_to_its_site() {
    let mut history = history();
    let docs = history.group(3, &Group::web_site("docs.example"));
    for (number, (form, _)) in ADDRESSES.iter().enumerate() {
        history.activity(3, &Activity::new(form, minute(number)).group(docs));
        history.activity(9, &Activity::new(form, minute(number)));
        // The name of a site's group counts as a site, even if it contains no dot.
        let of_form = history.group(3, &Group::web_site(if *form == "zqsecret" { "intranet" } else { form }));
        history.activity(3, &Activity::new("https://docs.example/", minute(number + 100)).group(of_form));
    }
    history.writer().fill_hourly_tables().unwrap();
    history.commit();
    for kinds in [&[Redaction::Urls][..], &[Redaction::Urls, Redaction::Paths]] {
        let app = app_with_privacy(&history, redacting(kinds));
        let urls = "SELECT url FROM websites WHERE site = 'docs.example' ORDER BY start_local";
        for ((form, expected), url) in ADDRESSES.iter().zip(rows(&app, urls)) {
            let expected = if form.starts_with("ftp") && kinds.len() > 1 { REDACTED } else { expected };
            assert_eq!(url, expected, "{form} under {kinds:?}");
        }
        assert_redacted(&app);
    }
    assert_redacted(&app_with_privacy(&history, redacting(&Redaction::ALL)));
}

#[test]
fn title_in_place_of_a_url_is_redacted_in_every_form() {
    let mut history = history();
    let docs = history.group(3, &Group::web_site("docs.example"));
    for (number, title) in TITLES.iter().enumerate() {
        history.activity(3, &Activity::new(title, minute(number)).group(docs));
        history.activity(9, &Activity::new(title, minute(number)));
        // The name of a site's group counts as a site or a URL, even if it is a single word.
        if !title.is_ascii() || title.contains([' ', '(', ':', '@', '\t', '/', '?', '#']) {
            let of_title = history.group(3, &Group::web_site(title));
            history.activity(3, &Activity::new("https://docs.example/計画?a=b", minute(number + 100)).group(of_title));
        }
    }
    history.activity(3, &Activity::new("https://docs.example/計画?a=b", minute(99)).group(docs));
    history.commit();
    let app = app_with_privacy(&history, redacting(&[Redaction::Titles]));
    let address = rows(&app, "SELECT DISTINCT url FROM websites WHERE url IS NOT NULL");
    assert_eq!(address, ["https://docs.example/計画?a=b"], "`titles` does not redact URLs");
    assert_redacted(&app);
    assert_redacted(&app_with_privacy(&history, redacting(&Redaction::ALL)));
}

#[test]
fn path_of_a_document_is_reduced_to_its_file_name() {
    let mut history = history();
    let neutral = history.group(3, &Group::file("/neutral.txt", "neutral.txt"));
    for (number, (form, _)) in PATHS.iter().enumerate() {
        history.activity(3, &Activity::new(form, minute(number)).group(neutral));
        let of_form = history.group(3, &Group::file(form, form));
        history.activity(3, &Activity::new("/neutral.txt", minute(number + 100)).group(of_form));
        // The kind of this text is unknown, because the activity has no group.
        history.activity(3, &Activity::new(form, minute(number + 200)));
    }
    history.writer().fill_hourly_tables().unwrap();
    history.commit();
    let app = app_with_privacy(&history, redacting(&[Redaction::Paths]));
    let paths = "SELECT path FROM documents WHERE file = 'neutral.txt' ORDER BY start_local";
    for ((form, expected), path) in PATHS.iter().zip(rows(&app, paths)) {
        assert_eq!(path, *expected, "{form}");
    }
    assert_redacted(&app);
    assert_redacted(&app_with_privacy(&history, redacting(&Redaction::ALL)));
}

#[test]
fn each_switch_recognizes_texts_by_their_field() {
    let mut history = history();
    let neutral = history.group(3, &Group::file("/neutral.txt", "neutral.txt"));
    let docs = history.group(3, &Group::web_site("docs.example"));
    for (number, (form, _, _)) in WEB_DOCUMENTS.iter().enumerate() {
        history.activity(3, &Activity::new(form, minute(number)).group(neutral));
    }
    let local = ["file:///home/zqpath/plan.txt", r"C:\zqpath\plan.txt", "zqpath/plan.txt"];
    for (number, path) in local.iter().enumerate() {
        history.activity(3, &Activity::new(path, minute(number + 50)).group(neutral));
    }
    let pages = [
        "file:///home/zqpath/p.html",
        "smb://server/zqpath/p.html",
        "https://site.example/zqpath/p.html",
        "about:blank",
    ];
    for (number, page) in pages.iter().enumerate() {
        history.activity(3, &Activity::new(page, minute(number + 60)).group(docs));
    }
    history.commit();
    let paths = "SELECT path FROM documents WHERE file = 'neutral.txt' ORDER BY start_local";
    let urls = "SELECT url FROM websites ORDER BY start_local";

    let app = app_with_privacy(&history, redacting(&[Redaction::Urls]));
    assert_redacted(&app);
    let expected: Vec<_> = WEB_DOCUMENTS.iter().map(|(_, redacted, _)| *redacted).chain(local).collect();
    assert_eq!(rows(&app, paths), expected, "`urls` does not redact paths");

    let app = app_with_privacy(&history, redacting(&[Redaction::Urls, Redaction::Paths]));
    assert_redacted(&app);
    let expected: Vec<_> = WEB_DOCUMENTS.iter().map(|(_, _, redacted)| *redacted).chain(["plan.txt"; 3]).collect();
    assert_eq!(rows(&app, paths), expected, "with both switches, only the allowed parts remain");

    let app = app_with_privacy(&history, redacting(&[Redaction::Paths]));
    assert_eq!(rows(&app, urls), ["p.html", "p.html", pages[2], REDACTED]);
    assert_eq!(rows(&app, paths)[0], WEB_DOCUMENTS[0].0, "the URL has no local folder, so `paths` does not redact it");
}

#[test]
fn text_of_unknown_type_is_redacted_as_url_and_as_path() {
    let mut history = history();
    for (number, form) in
        ["intranet/zqsecret", "https://site.example/zqsecret", r"C:\zqsecret\plan.txt"].iter().enumerate()
    {
        let group = history.group(3, &Group::file(form, form));
        history.activity(3, &Activity::new(form, minute(number)).group(group));
    }
    history.sql(
        "UPDATE Ar_Group SET GroupType = NULL, ReportGroupType = 0;
         UPDATE Ar_CommonGroup SET GroupType = NULL, ReportGroupType = 0 WHERE ReportGroupType = 2",
    );
    let app = app_with_privacy(&history, redacting(&[Redaction::Urls]));
    assert_eq!(rows(&app, "SELECT path FROM documents"), [REDACTED, "site.example", REDACTED]);
    assert_redacted(&app);
    let app = app_with_privacy(&history, redacting(&[Redaction::Paths]));
    assert_eq!(rows(&app, "SELECT path FROM documents"), ["zqsecret", "https://site.example/zqsecret", "plan.txt"]);
}

#[test]
fn unreferenced_names_are_returned_by_id_or_not_at_all() {
    let mut history = history();
    let page = Group::web_site("site.example/zqsecret");
    let file = Group::file("/home/zqsecret/plan.txt", "plan.txt");
    for (number, group) in [page, file].iter().enumerate() {
        let group = history.group(3, group);
        history.activity(3, &Activity::new("https://docs.example/", minute(number)).group(group));
    }
    history.writer().fill_hourly_tables().unwrap();
    let names = "SELECT name FROM hourly_totals WHERE role IN ('websites', 'documents') ORDER BY role";
    history.sql("DELETE FROM Ar_Group WHERE ReportId = 3; UPDATE Ar_Activity SET GroupId = NULL, CommonGroupId = NULL");
    let app = app_with_privacy(&history, redacting(&[Redaction::Urls, Redaction::Paths]));
    assert_eq!(rows(&app, names), ["plan.txt", "site.example"]);
    history.sql("UPDATE Ar_CommonGroup SET GroupType = NULL, ReportGroupType = 0");
    assert_eq!(rows(&app, names), [REDACTED, REDACTED]);
    assert_redacted(&app);
}

/// Notations of a URL that a rule for sites used to ignore.
const LOOSE: [&str; 16] = [
    "https:/my.zqsite.example/x",
    r"https:\\my.zqsite.example\x",
    r"https:\my.zqsite.example",
    "//my.zqsite.example/x",
    r"\\my.zqsite.example\x",
    "https:my.zqsite.example",
    "https://ada:b@MY.zqsite.example.:8443/x",
    "my.zqsite.example:8443",
    "about:reader?url=https%3A%2F%2Fmy.zqsite.example%2Fx",
    "about:reader?url=https%253A%252F%252Fmy.zqsite.example%252Fx",
    "view-source:https://my.zqsite.example/x",
    "blob:https://my.zqsite.example/x",
    "https://web.archive.example/web/2025/https://my.zqsite.example/x",
    "https://search.example/?q=my.zqsite.example",
    "https://my%2Ezqsite.example/x",
    "https://my。zqsite.example/x",
];

#[test]
fn site_is_hidden_in_every_form_of_its_url() {
    let mut history = history();
    let portal = history.group(3, &Group::web_site("portal"));
    let file = history.group(3, &Group::file("/neutral.txt", "neutral.txt"));
    for (number, form) in LOOSE.iter().enumerate() {
        history.activity(3, &Activity::new(form, minute(number)).group(portal));
        history.activity(9, &Activity::new(form, minute(number)));
        let of_form = history.group(3, &Group::web_site(form));
        history.activity(3, &Activity::new("https://docs.example/", minute(number + 100)).group(of_form));
    }
    for (number, form) in LOOSE.iter().enumerate() {
        history.activity(3, &Activity::new(form, minute(number + 200)).group(file));
    }
    for (number, open) in
        ["https://zqsite.example/", "https://my.zqsite.example.org/", "https://open.example/my.zq"].iter().enumerate()
    {
        history.activity(3, &Activity::new(open, minute(number + 300)).group(portal));
    }
    history.commit();
    let app = app_with_privacy(&history, Privacy::new([], [], [pattern("*.zqsite.example")]));
    let leaks: Vec<_> =
        dump_model(&app).into_iter().filter(|row| row.contains("my") && row.contains("zqsite")).collect();
    assert!(leaks.iter().all(|row| row.contains("my.zqsite.example.org")), "{}", leaks.join("\n"));
    let open = rows(&app, "SELECT url FROM websites WHERE site = 'portal' ORDER BY start_local");
    assert_eq!(open, ["https://zqsite.example/", "https://my.zqsite.example.org/", "https://open.example/my.zq"]);
}

#[test]
fn raw_tables_are_not_offered_with_redaction() {
    let mut history = history();
    history.sql("ALTER TABLE Ar_Activity ADD COLUMN ExtraId int; UPDATE Ar_Activity SET ExtraId = 'zqsecret'");
    let whole = history.app();
    assert_eq!(rows(&whole, "SELECT DISTINCT ReportId FROM manictime.ar_activity ORDER BY 1"), ["1", "2"]);
    for privacy in [
        redacting(&[Redaction::Titles]),
        redacting(&[Redaction::Urls]),
        redacting(&[Redaction::Paths]),
        redacting(&[Redaction::Notes]),
        Privacy::new([], [pattern("nothing")], []),
        Privacy::new([], [], [pattern("nothing")]),
    ] {
        let app = app_with_privacy(&history, privacy);
        for sql in [
            "SELECT ExtraId FROM manictime.ar_activity",
            "SELECT 1 FROM ManicTime.Ar_Activity",
            "SELECT 1 FROM dayledger.manictime.ar_activity",
            "SELECT 1 FROM activities WHERE EXISTS (SELECT 1 FROM manictime.ar_group)",
            "DESCRIBE manictime.ar_activity",
            "SHOW COLUMNS FROM manictime.ar_activity",
            "SELECT 1 FROM manictime.no_such_table",
        ] {
            let error = try_rows(&app, sql).unwrap_err().to_string();
            assert!(error.contains("raw tables are not available"), "{sql}: {error}");
        }
        let listed = "SELECT table_name FROM information_schema.columns WHERE table_schema = 'manictime' \
                      UNION SELECT table_name FROM information_schema.tables WHERE table_schema = 'manictime'";
        assert_eq!(rows(&app, listed), [""; 0]);
        assert!(!rows(&app, "SHOW TABLES").iter().any(|row| row.contains("manictime")));
        assert!(!rows(&app, "SELECT name FROM activities").is_empty(), "the model can still be queried");
    }
}

/// Redacted levels of a tag become neither a project nor a task. The levels above them still identify the client.
#[test]
fn redacted_tags_become_no_projects() {
    let mut history = History::on_workstation();
    let editor = history.group(2, &Group::application("editor.exe;editor", "Editor"));
    history.active(1, "08:00", "11:00");
    history.activity(2, &Activity::new("Plan", span("08:00", "11:00")).group(editor));
    history.tag(4, &["https://docs.example/zqsecret"], "08:00", "09:00");
    history.tag(4, &["Northwind", "see https://docs.example/zqsecret"], "09:00", "10:00");
    history.tag(4, &["Northwind", "Billing"], "10:00", "11:00");
    history.commit();
    let builder = builder_at(history.folder()).with_privacy(redacting(&[Redaction::Urls]));
    let app = with_timesheet(builder, history.folder(), "").build().unwrap();
    let imported = block_on(app.timesheet().import_tags()).unwrap().projects;
    assert_eq!(imported.iter().map(|project| &*project.name).collect::<Vec<_>>(), ["Northwind"]);
    assert_eq!(imported[0].tasks.iter().map(|task| &*task.name).collect::<Vec<_>>(), ["Billing"]);
    let draft = run_query(&app, SuggestRequest::new(day(DAY), None, None, CallSession::new()).unwrap()).unwrap();
    let drafted: Vec<_> = draft.days.iter().flat_map(|day| &day.rows).collect();
    let text = format!("{drafted:?}");
    assert!(!text.contains(REDACTED), "{text}");
    let of_client = drafted.iter().filter(|row| row.project_code.as_deref() == Some("NORTHWIND"));
    assert!(of_client.map(|row| row.hours.hundredths()).sum::<i64>() >= 200, "{text}");
}
