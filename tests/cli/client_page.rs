//! Tests `report --for-client`: a client's page shows the hours of this client, and no other content of the history.

use std::fs;

use super::html::{assert_self_contained_and_accessible, elements};
use super::program::Home;
use super::{assert_fails, stderr_of, stdout_of};
use crate::histories::{ClosedHistory, History};

/// Returns the history of a day with work for three clients. The names of the first and the third client begin with the
/// same word. Every kind of text contains a secret.
fn history() -> ClosedHistory {
    let mut history = History::new();
    history.device(1, "desk-id", "SECRET-DESK");
    history.active(1, "09:00", "12:00");
    history.application(2, "Secret Editor", "09:00", "12:00");
    history.website(3, "secret.example", "09:00", "09:30");
    history.document(3, "C:/Secret/plan.md", "09:30", "10:00");
    history.tag(4, &["Acme", "Design"], "09:00", "10:00");
    history.tag(4, &["Acme", "Calls"], "10:00", "10:45");
    history.tag(4, &["Rival", "Design"], "10:45", "11:30");
    history.tag(4, &["Acme Labs", "Secret plan"], "11:30", "11:45");
    // These tags cover time away from the computer, or time that another tag also covers.
    history.tag(4, &["Acme", "Calls"], "12:00", "12:30");
    history.tag(4, &["Acme", "Design"], "12:20", "12:30");
    history.device(11, "laptop-id", "SECRET-LAPTOP");
    history.active(11, "13:00", "14:00");
    history.application(12, "Secret Console", "13:00", "14:00");
    history.close()
}

const RULES: &str = "[[rules]]\nname = \"secret rule\"\napp = \"secret console\"\nproject = \"ACME\"\ntask = \"Hosting\"\n\
                     category = \"secret kind\"\n";

fn home() -> Home {
    let home = Home::new();
    home.configure(RULES);
    home
}

#[test]
fn client_page_shows_hours_by_day_and_task_without_other_clients() {
    let (home, data) = (home(), history());
    let report = |more: &[&str]| {
        let all = [&["report", "--from", "2025-01-15", "--for-client", "--out", "page.html"][..], more].concat();
        let output = home.program_for(data.folder(), all).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (fs::read_to_string(home.folder("page.html")).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (page, talk) = report(&["--project", "acme"]);
    assert_self_contained_and_accessible(&page);
    let body = page.split_once("<body>").unwrap().1;
    let texts: Vec<_> = body.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim()).collect();
    let texts = texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("|");
    let expected = "Wednesday, 15 January 2025|ACME|Hours|3.25|3 h 15 min (30 min away)|Days|1|By task|Task|Hours|Time|\
                Calls|1.25|1 h 15 min|Design|1.17|1 h 10 min|Hosting|1.00|1 h 00 min|Total|3.25|3 h 15 min|\
                By day|Day|Tasks|Hours|Time|Wed 15 Jan 2025|Calls|1.25|·|Design|1.17|·|Hosting|1.00|\
                3.25|3 h 15 min|Total|3.25|3 h 15 min|";
    assert!(texts.starts_with(expected), "{texts}");
    assert!(texts.contains("Time of two tasks at once counts once"), "{texts}");
    let page = page.to_lowercase();
    for other in ["secret", "rival", "labs", "desk", "laptop", "2.75", "untagged"] {
        assert!(!body.to_lowercase().contains(other) && !page.contains(&format!("{other} plan")), "{other}");
    }
    // stderr lists the other clients that match. The page leaves them out.
    assert!(talk.contains("Acme Labs") && !talk.contains("Rival"), "{talk}");

    let (page, talk) = report(&["--tag", "acme, calls", "--title", "Invoice 17"]);
    assert!(page.contains("<h1>Invoice 17</h1>") && page.contains("1.25") && !page.contains("Design"), "{page}");
    assert_eq!(talk, "");
}

#[test]
fn client_page_requires_a_client_and_rejects_flags_that_reveal_more() {
    let (home, data) = (home(), history());
    let report = |more: &[&str]| {
        home.program_for(data.folder(), [&["report", "--from", "2025-01-15", "--for-client"][..], more].concat())
    };
    assert_fails(&mut report(&[]), "`--for-client` needs a client", "`--tag`");
    assert_fails(&mut report(&["--tag", " "]), "needs a client", "`--project`");
    assert_fails(
        &mut report(&["--tag", "design"]),
        "`design` matches 2 clients: `Acme`, `Rival`",
        "pass the full name",
    );
    assert_fails(&mut report(&["--tag", "nobody"]), "cannot find hours of `nobody`", " period 2025-01-15 2025-01-15`");
    for more in [["--text", "x"], ["--site", "x"], ["--document", "x"], ["--application", "x"], ["--device", "x"]] {
        stderr_of(&mut report(&[&["--tag", "acme"][..], &more].concat()), 2);
    }
    for more in ["--screenshots", "--include-titles"] {
        stderr_of(&mut report(&["--tag", "acme", more]), 2);
    }
    let left = fs::read_dir(home.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "html"));
    assert_eq!(left.count(), 0);
    // The file name differs from the complete page's name, so that users don't send the complete page by mistake.
    assert_eq!(stdout_of(&mut report(&["--tag", "Rival"])), "dayledger-rival-2025-01-15.html\n");
}

#[test]
fn filtered_page_shows_its_filter_and_no_overall_total() {
    let (home, data) = (home(), history());
    let report =
        home.program_for(data.folder(), ["report", "--from", "2025-01-15", "--tag", "rival", "--out", "page.html"]);
    stdout_of(&mut { report });
    let page = fs::read_to_string(home.folder("page.html")).unwrap();
    let header = page.split_once("</header>").unwrap().0.split_once("<header").unwrap().1;
    assert!(header.contains("Only time with the tag") && header.contains("<bdi>rival</bdi>"), "{header}");
    assert!(header.contains("<b>45 min</b>") && !page.contains("4 h 00 min"), "{header}");
    assert!(elements(&page).len() > 20);
}
